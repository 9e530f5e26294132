/* What acts on elastic solids: the sections `patches`, `supports`, `loads` and `sponges` (see sections.c). */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

// ---- functions of time ----

#define START(doc)                                                                    \
    {                                                                                 \
        "start", NULL, SCR_REAL, "s", "0", NULL, AT(scr_signal_def, start), doc, NULL \
    }
#define UNTIL                                                                                                      \
    {                                                                                                              \
        "until", NULL, SCR_REAL, "s", "", NULL, AT(scr_signal_def, until), "0 from this time on. Default: never.", \
            NULL                                                                                                   \
    }
#define FREQUENCY(doc)                                                                           \
    {                                                                                            \
        "frequency", NULL, SCR_REAL, "Hz", NULL, "> 0", AT(scr_signal_def, frequency), doc, NULL \
    }

static const scr_param step_params[] = {START("0 before this time, 1 after it."), UNTIL, {0}};
static const scr_param ramp_params[] = {START("0 before this time."),
                                        {"duration", NULL, SCR_REAL, "s", NULL, "> 0", AT(scr_signal_def, duration),
                                         "Time over which it rises linearly to 1.", NULL},
                                        {0}};
static const scr_param sine_params[] = {
    START("0 before this time."),
    UNTIL,
    FREQUENCY("Frequency."),
    {"phase", NULL, SCR_REAL, "rad", "0", NULL, AT(scr_signal_def, phase), "Initial phase.", NULL},
    {0}};
static const scr_param ricker_params[] = {START("Time of its peak, 1; a good choice is 1.5 over the frequency."),
                                          FREQUENCY("Peak frequency of its spectrum."),
                                          {0}};
static const scr_param table_params[] = {{"table", NULL, SCR_MATRIX, "s,", NULL, NULL, AT(scr_signal_def, table),
                                          "Rows of time and factor, [[t, factor], ...], "
                                          "interpolated linearly, constant before and after.",
                                          NULL},
                                         {0}};

static const scr_variant signal_constant = {"constant", "1 at all times.", NULL, sizeof(scr_signal_def)};
static const scr_variant signal_step = {"step", "On and, optionally, off.", step_params, sizeof(scr_signal_def)};
static const scr_variant signal_ramp = {"ramp", "Linear from 0 to 1.", ramp_params, sizeof(scr_signal_def)};
static const scr_variant signal_sine = {"sine", "sin(2 pi f (t - start) + phase).", sine_params,
                                        sizeof(scr_signal_def)};
static const scr_variant signal_ricker = {
    "ricker", "(1 - 2 a) exp(-a), a = (pi f (t - start))^2: the Ricker wavelet of seismology.", ricker_params,
    sizeof(scr_signal_def)};
static const scr_variant signal_table = {"table", "Tabulated factor, interpolated linearly.", table_params,
                                         sizeof(scr_signal_def)};
// in the order of scr_signal_kind
static const scr_variant *const signals[] = {&signal_constant, &signal_step,  &signal_ramp, &signal_sine,
                                             &signal_ricker,   &signal_table, NULL};
static const scr_param no_params[] = {{0}};

const scr_section scr_section_signal = {
    .name = "signal",
    .doc = "A function of time that multiplies a load, a prescribed motion or gravity.",
    .params = no_params,
    .selector = "type",
    .selector_fallback = "constant",
    .variants = signals,
};

#define SIGNAL(def)                                                                                \
    {                                                                                              \
        "signal", NULL, SCR_NESTED, NULL, "", NULL, AT(def, signal),                               \
            "A function of time that multiplies it. Default: 1 at all times.", &scr_section_signal \
    }
#define PATCH(def)                                                                                       \
    {                                                                                                    \
        "patch", NULL, SCR_TEXT, NULL, NULL, NULL, AT(def, patch), "Name of the patch it acts on.", NULL \
    }

// ---- patches ----

static const scr_param plane_params[] = {
    {"point", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_patch_plane_def, point), "A point of the plane.", NULL},
    {"normal", NULL, SCR_VEC3, "", NULL, NULL, AT(scr_patch_plane_def, normal), "Its normal, of any length.", NULL},
    {0}};
static const scr_section plane = {.name = "plane",
                                  .doc = "A plane: cells that it cuts or touches, faces that lie in it.",
                                  .params = plane_params,
                                  .size = sizeof(scr_patch_plane_def)};

static const scr_param patch_params[] = {
    {"solids", "solid", SCR_TEXTS, NULL, "", NULL, AT(scr_patch_def, solids), "Names of solids. Default: all.", NULL},
    {"groups", "group", SCR_TEXTS, NULL, "", NULL, AT(scr_patch_def, groups),
     "Only cells of these groups (physical volumes of a mesh from a file). Default: all.", NULL},
    {"sides", "side", SCR_TEXTS, NULL, "", NULL, AT(scr_patch_def, sides),
     "Only faces on these sides of their mesh, and the cells behind them.", NULL},
    {"region", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_patch_def, region),
     "Only cells and faces with their centre in this region, at the start.", &scr_section_region},
    {"plane", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_patch_def, plane),
     "Only what this plane intersects, at the start.", &plane},
    {"near", NULL, SCR_VEC3, "m", "", NULL, AT(scr_patch_def, near),
     "Only the matching cell (with sides, also the matching face) whose centre is nearest to this point.", NULL},
    {0}};

const scr_section scr_section_patches = {
    .name = "patches",
    .doc = "Parts of elastic solids, by name, for supports, loads and observers: cells and faces "
           "that fulfil all conditions given.",
    .named = true,
    .params = patch_params,
    .size = sizeof(scr_patch_def),
};

// ---- supports ----

static const scr_param support_params[] = {
    PATCH(scr_support_def),
    {"holds", NULL, SCR_TEXTS, NULL, "all", "x y z rx ry rz all", AT(scr_support_def, holds),
     "Motions of the cells that it holds: translation along x, y, z, rotation about x, y, z (rx, ry, rz), or all.",
     NULL},
    {"displacement", NULL, SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_support_def, displacement),
     "Displacement of the cells along directions that are held, multiplied by the signal.", NULL},
    {"rotation", NULL, SCR_VEC3, "rad", "[0, 0, 0]", NULL, AT(scr_support_def, rotation),
     "Rotation of the cells about `point`, multiplied by the signal: the direction is the axis, the length the angle. "
     "All motions must then be held.",
     NULL},
    {"point", NULL, SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_support_def, point),
     "Where the axis of the rotation is; torque is about this point.", NULL},
    SIGNAL(scr_support_def),
    {0}};

const scr_section scr_section_supports = {
    .name = "supports",
    .doc = "Cells that are held, or moved as prescribed, by name.",
    .named = true,
    .params = support_params,
    .size = sizeof(scr_support_def),
};

// ---- loads ----

static const scr_param load_params[] = {
    PATCH(scr_load_def),
    SIGNAL(scr_load_def),
    {"follows", NULL, SCR_BOOL, NULL, "false", NULL, AT(scr_load_def, follows),
     "Follower load: its direction rotates with the cells it acts on. A pressure always does.", NULL},
    {0}};
static const scr_param force_params[] = {
    {"force", NULL, SCR_VEC3, "N", NULL, NULL, AT(scr_load_force_def, force), "The force on the whole patch.", NULL},
    {"spread", NULL, SCR_CHOICE, NULL, "auto", "auto area volume equal", AT(scr_load_force_def, spread),
     "How cells share it: by the area of their faces in the patch, where it acts at the centre of "
     "each face; by volume, at the cells' centres; or equally, at their centres or, in a Voronoi "
     "mesh, seeds. auto: area where the patch was given by sides, else volume.",
     NULL},
    {"at", NULL, SCR_VEC3, "m", "", NULL, AT(scr_load_force_def, at),
     "Point of application: the force acts at this point, attached to the nearest cell of the patch.", NULL},
    {0}};
static const scr_param torque_params[] = {{"torque", NULL, SCR_VEC3, "N m", NULL, NULL, AT(scr_load_torque_def, torque),
                                           "The torque on the whole patch; cells share it by volume.", NULL},
                                          {0}};
static const scr_param traction_params[] = {{"stress", NULL, SCR_VEC3, "Pa", NULL, NULL,
                                             AT(scr_load_traction_def, stress),
                                             "Force per area on each free face of the patch.", NULL},
                                            {0}};
static const scr_param pressure_params[] = {
    {"pressure", NULL, SCR_REAL, "Pa", NULL, NULL, AT(scr_load_pressure_def, pressure),
     "Pressure on each free face of the patch, along its current inward normal.", NULL},
    {0}};
static const scr_param acceleration_params[] = {{"acceleration", NULL, SCR_VEC3, "m/s^2", NULL, NULL,
                                                 AT(scr_load_acceleration_def, acceleration),
                                                 "Force per mass on each cell.", NULL},
                                                {0}};

static const scr_variant load_force = {"force", "A force.", force_params, sizeof(scr_load_force_def)};
static const scr_variant load_torque = {"torque", "A torque.", torque_params, sizeof(scr_load_torque_def)};
static const scr_variant load_traction = {"traction", "Stress on faces.", traction_params,
                                          sizeof(scr_load_traction_def)};
static const scr_variant load_pressure = {"pressure", "Pressure on faces.", pressure_params,
                                          sizeof(scr_load_pressure_def)};
static const scr_variant load_acceleration = {"acceleration", "In addition to gravity.", acceleration_params,
                                              sizeof(scr_load_acceleration_def)};
static const scr_variant *const load_variants[] = {&load_force,    &load_torque,       &load_traction,
                                                   &load_pressure, &load_acceleration, NULL};

const scr_section scr_section_loads = {
    .name = "loads",
    .doc = "Forces on elastic solids, by name.",
    .named = true,
    .params = load_params,
    .size = sizeof(scr_load_def),
    .selector = "type",
    .variants = load_variants,
};

// ---- sponges ----

static const scr_param sponge_params[] = {
    {"point", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_sponge_def, point), "A point of the outer plane of the layer.",
     NULL},
    {"normal", NULL, SCR_VEC3, "", NULL, NULL, AT(scr_sponge_def, normal),
     "Outward normal of that plane; need not be normalised.", NULL},
    {"width", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_sponge_def, width),
     "Thickness of the layer: two wavelengths absorb all but a few per cent.", NULL},
    {"rate", NULL, SCR_REAL, "1/s", NULL, ">= 0", AT(scr_sponge_def, rate),
     "Rate at which velocities decay at the outer plane; it falls off to 0 quadratically across "
     "the layer.",
     NULL},
    {0}};

const scr_section scr_section_sponges = {
    .name = "sponges",
    .doc = "Absorbing boundary layers of elastic solids, by name.",
    .named = true,
    .params = sponge_params,
    .size = sizeof(scr_sponge_def),
};
