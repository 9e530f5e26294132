/* Rigid bodies beyond spheres: the sections `parts` and `joints`, and the nested section `clump` of `bodies`
 * (see sections.c). */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

// ---- parts ----

static const scr_param part_params[] = {
    {"walls", "wall", SCR_TEXTS, NULL, "", NULL, AT(scr_part_def, walls),
     "Names of the walls that it carries: they move with it, and forces of grains on them act on "
     "it.",
     NULL},
    {"mass", NULL, SCR_REAL, "kg", NULL, "> 0", AT(scr_part_def, mass), "Mass.", NULL},
    {"centre", "center", SCR_VEC3, "m", NULL, NULL, AT(scr_part_def, centre), "Initial position of its centre of mass.",
     NULL},
    {"inertia", NULL, SCR_VEC3, "kg m^2", NULL, NULL, AT(scr_part_def, inertia),
     "Moments of inertia about the centre of mass: xx, yy, zz of the initial tensor.", NULL},
    {"products", NULL, SCR_VEC3, "kg m^2", "[0, 0, 0]", NULL, AT(scr_part_def, products),
     "Off-diagonal components of the tensor of inertia: xy, xz, yz. They are minus the sums of m x y, m x z and m y z.",
     NULL},
    {"velocity", NULL, SCR_VEC3, "m/s", "[0, 0, 0]", NULL, AT(scr_part_def, velocity),
     "Initial velocity of its centre of mass.", NULL},
    {"spin", "omega angular_velocity", SCR_VEC3, "rad/s", "[0, 0, 0]", NULL, AT(scr_part_def, spin),
     "Initial angular velocity.", NULL},
    {0}};

const scr_section scr_section_parts = {
    .name = "parts",
    .doc = "Machine parts, by name: rigid bodies of given mass and inertia that carry walls, are "
           "held and driven by `joints`, and respond to the grains that touch their walls. For the "
           "integrator nonsmooth.",
    .named = true,
    .params = part_params,
    .size = sizeof(scr_part_def),
};

// ---- joints ----

static const scr_param joint_params[] = {
    {"between", NULL, SCR_TEXTS, NULL, NULL, NULL, AT(scr_joint_def, between),
     "The two parts that it connects, by name, or one part and `ground`, which is fixed. Motors "
     "and limits refer to the motion of the second relative to the first.",
     NULL},
    {"point", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_joint_def, point),
     "Initial position of the joint: a point of both bodies.", NULL},
    {"compliance", NULL, SCR_REAL, "m/N", "1e-10", ">= 0", AT(scr_joint_def, compliance),
     "Compliance: displacement per force, and the same number as angle [rad] per torque [N m].", NULL},
    {0}};

#define DRIVE_PARAMS(motor_unit, speed, strength_unit, strength_word, limit_unit, coordinate)            \
    {"axis",                                                                                             \
     NULL,                                                                                               \
     SCR_VEC3,                                                                                           \
     "",                                                                                                 \
     NULL,                                                                                               \
     NULL,                                                                                               \
     AT(scr_joint_drive_def, axis),                                                                      \
     "Initial direction of the axis; need not be normalised.",                                           \
     NULL},                                                                                              \
        {"motor",                                                                                        \
         NULL,                                                                                           \
         SCR_MATRIX,                                                                                     \
         motor_unit,                                                                                     \
         "",                                                                                             \
         NULL,                                                                                           \
         AT(scr_joint_drive_def, motor),                                                                 \
         "A motor, as rows of time and " speed ", [[t, speed], ...]: interpolated linearly, "            \
         "constant before the first and after the last. "                                                \
         "Default: none.",                                                                               \
         NULL},                                                                                          \
        {"strength",                                                                                     \
         NULL,                                                                                           \
         SCR_REAL,                                                                                       \
         strength_unit,                                                                                  \
         "none",                                                                                         \
         "> 0 | none",                                                                                   \
         AT(scr_joint_drive_def, strength),                                                              \
         "The largest " strength_word " of the motor. none: unlimited.",                                 \
         NULL},                                                                                          \
        {"limits",                                                                                       \
         NULL,                                                                                           \
         SCR_SPAN,                                                                                       \
         limit_unit,                                                                                     \
         "",                                                                                             \
         NULL,                                                                                           \
         AT(scr_joint_drive_def, limits),                                                                \
         "Smallest and largest " coordinate ", measured from the initial position. Default: no limits.", \
         NULL},                                                                                          \
    {                                                                                                    \
        0                                                                                                \
    }

static const scr_param hinge_params[] = {DRIVE_PARAMS("s,rad/s", "angular speed", "N m", "torque", "rad", "angle")};
static const scr_param slider_params[] = {DRIVE_PARAMS("s,m/s", "speed", "N", "force", "m", "distance")};

static const scr_variant ball = {"ball", "The bodies share a point and rotate freely about it.", NULL, 0};
static const scr_variant hinge = {"hinge", "Relative rotation about one axis only.", hinge_params,
                                  sizeof(scr_joint_drive_def)};
static const scr_variant slider = {"slider", "Relative sliding along one axis, no rotation.", slider_params,
                                   sizeof(scr_joint_drive_def)};
static const scr_variant lock = {"lock", "No relative motion.", NULL, 0};
// in the order of scr_joint_type
static const scr_variant *const joint_variants[] = {&ball, &hinge, &slider, &lock, NULL};

const scr_section scr_section_joints = {
    .name = "joints",
    .doc = "Joints between parts, or between a part and the ground, by name. They are solved together "
           "with the contacts.",
    .named = true,
    .params = joint_params,
    .size = sizeof(scr_joint_def),
    .selector = "type",
    .variants = joint_variants,
};

// ---- clumps ----

static const scr_param clump_params[] = {
    {"spheres", NULL, SCR_MATRIX, ",,,", NULL, NULL, AT(scr_clump_def, spheres),
     "Centre and radius of each sphere, [[x, y, z, r], ...], of any size: the shape is scaled about its origin until "
     "it just fits into a sphere of the grain's radius.",
     NULL},
    {"orientation", NULL, SCR_CHOICE, NULL, "random", "random aligned", AT(scr_clump_def, orientation),
     "Initial orientation of the grains: random, or all as written.", NULL},
    {0}};

const scr_section scr_section_clump = {
    .name = "clump",
    .doc = "Shape of the grains: spheres that move as one rigid body. Overlapping volume is "
           "counted once. For the integrator nonsmooth.",
    .params = clump_params,
    .size = sizeof(scr_clump_def),
};
