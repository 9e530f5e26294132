/* The sections of a scene that belong to scene/ itself, as parameter tables (see param.h). This is
 * the only list of keys: reading, checking, help, the JSON schema and the manual come from here. */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

#define MOST_GRAINS "[0, 100000000]"

// ---- top level ----

static const scr_param head_params[] = {
    {"scree", NULL, SCR_INT, NULL, NULL, "[1, 1]", AT(scr_head_def, version),
     "Version of the scene format, always the first key. This program reads version 1.", NULL},
    {"title", NULL, SCR_TEXT, NULL, "", NULL, AT(scr_head_def, title),
     "One line that describes the scene; it appears in results and images.", NULL},
    {"gravity", "g", SCR_VEC3, "m/s^2", "[0, 0, -9.81]", NULL, AT(scr_head_def, gravity),
     "Acceleration that acts on all grains. An inclined chute is a box with tilted gravity.", NULL},
    {"gravity_signal", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_head_def, gravity_signal),
     "A function of time that multiplies gravity. Default: 1 at all times.", &scr_section_signal},
    {"gravity_table", NULL, SCR_MATRIX, "s,m/s^2,m/s^2,m/s^2", "", NULL, AT(scr_head_def, gravity_table),
     "Gravity that changes with time, as in a box that is tilted, instead of `gravity`: rows of "
     "time and vector, [[t, x, y, z], ...], interpolated linearly, constant before and after.",
     NULL},
    {"seed", NULL, SCR_INT, NULL, "1", "[0, 9007199254740992]", AT(scr_head_def, seed),
     "Seed of all random numbers. The same scene with the same seed gives the same bits.", NULL},
    {0}};

const scr_section scr_section_head = {
    .name = "",
    .doc = "Keys at the top level of the scene.",
    .required = true,
    .params = head_params,
    .size = sizeof(scr_head_def),
};

// ---- domain ----

#define PART(name, index, unit, doc)                                                                               \
    {                                                                                                              \
        name, NULL, SCR_REAL, unit, "", NULL, offsetof(scr_tensor_def, part) + (index) * sizeof(double), doc, NULL \
    }

static const scr_param deform_rate_params[] = {
    PART("xx", 0, "1/s", "Strain rate along x: positive where the box grows. True strain: d ln(length)/dt."),
    PART("yy", 1, "1/s", "Strain rate along y."),
    PART("zz", 2, "1/s", "Strain rate along z."),
    PART("xy", 3, "1/s", "Shear: velocity along x that increases along y. Both axes are periodic."),
    PART("xz", 4, "1/s", "Shear: velocity along x that increases along z."),
    PART("yz", 5, "1/s", "Shear: velocity along y that increases along z."),
    {0}};
static const scr_section deform_rate = {.name = "rate",
                                        .doc = "Strain rates by component: the gradient of the mean velocity. Name the "
                                               "axes so that the velocity of a shear comes before its gradient.",
                                        .params = deform_rate_params,
                                        .size = sizeof(scr_tensor_def)};

static const scr_param deform_stress_params[] = {
    PART("xx", 0, "Pa", "Normal stress along x; compression is positive."),
    PART("yy", 1, "Pa", "Normal stress along y."),
    PART("zz", 2, "Pa", "Normal stress along z."),
    PART("xy", 3, "Pa",
         "Shear stress, with the sign of the observers `box` and `stress`: that of a positive rate is negative."),
    PART("xz", 4, "Pa", "Shear stress."),
    PART("yz", 5, "Pa", "Shear stress."),
    {0}};
static const scr_section deform_stress = {.name = "stress",
                                          .doc = "Stresses to hold, by component.",
                                          .params = deform_stress_params,
                                          .size = sizeof(scr_tensor_def)};

static const scr_param deform_params[] = {
    {"rate", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_deform_def, rate),
     "Strain rates by component, as `{zz: -0.1 1/s, xz: 1 1/s}`. Components that are named neither here nor in "
     "`stress` do not change.",
     &deform_rate},
    {"stress", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_deform_def, stress),
     "Stresses to hold by component, contacts and velocity fluctuations together, as `{xx: 10 kPa}`: the strain rate "
     "follows the stress error, as with a servo.",
     &deform_stress},
    {"signal", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_deform_def, signal),
     "A function of time that multiplies all rates. Default: 1 at all times.", &scr_section_signal},
    {"stress_signal", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_deform_def, stress_signal),
     "A function of time that multiplies all stresses. Default: 1 at all times.", &scr_section_signal},
    {"since", NULL, SCR_REAL, "s", "0", NULL, AT(scr_deform_def, since), "When it begins.", NULL},
    {"until", NULL, SCR_REAL, "s", "", NULL, AT(scr_deform_def, until), "When it ends. Default: never.", NULL},
    {"max_rate", NULL, SCR_REAL, "1/s", "auto", "> 0 | auto", AT(scr_deform_def, max_rate),
     "Largest strain rate of a component that has a stress. auto: an inertial number of 1e-3 at the largest stress, "
     "1e-3 sqrt(stress/density)/diameter.",
     NULL},
    {"gain", NULL, SCR_REAL, "1/Pa/s", "auto", "> 0 | auto", AT(scr_deform_def, gain),
     "Strain rate per stress error. auto: max_rate where the whole stress is missing, but grains at rest respond "
     "within five to twenty contact times, by their stiffness at the largest stress.",
     NULL},
    {"integral_time", "integral", SCR_REAL, "s", "auto", "> 0 | auto", AT(scr_deform_def, integral_time),
     "Integral time of the controller: removes a steady error. auto: ten times the response time of `gain`.", NULL},
    {0}};

static const scr_section deform = {
    .name = "deform",
    .doc =
        "How the periodic domain deforms: by strain rates, by stresses to hold, or by both. Grains are carried with "
        "it, and images across a side are shifted in a shear (Lees & Edwards). Its work is `box_work` of the ledger; "
        "the observer `box` records it. Supported by the integrators soft and variational, on one rank and the CPU; "
        "not with walls, frozen groups, inlets or outlets, nor with gravity along an axis along which images move.",
    .params = deform_params,
    .size = sizeof(scr_deform_def)};

static const scr_param domain_params[] = {
    {"box", NULL, SCR_BOX, "m", NULL, NULL, AT(scr_domain_def, box), "Lower and upper corner of the domain.", NULL},
    {"periodic", NULL, SCR_AXES, NULL, "none", NULL, AT(scr_domain_def, periodic),
     "Periodic axes: a grain that leaves on one side enters on the other, and contacts reach "
     "across.",
     NULL},
    {"boundary", NULL, SCR_CHOICE, NULL, "stop", "stop delete", AT(scr_domain_def, boundary),
     "What to do when a grain's centre leaves the domain through a non-periodic side: stop the run "
     "with a message, or delete the grain. `scree check` lists the sides that no wall "
     "or outlet closes, and warns where gravity, velocities or moving walls would carry grains out "
     "through them.",
     NULL},
    {"deform", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_domain_def, deform),
     "A periodic domain that deforms: strain rates and stresses. Default: it keeps its shape.", &deform},
    {0}};

const scr_section scr_section_domain = {
    .name = "domain",
    .doc = "The space of the simulation. Its sides are not walls: add walls wherever grains must "
           "be contained.",
    .required = true,
    .params = domain_params,
    .size = sizeof(scr_domain_def),
};

// ---- materials ----

static const scr_param material_params[] = {
    {"density", "rho", SCR_REAL, "kg/m^3", NULL, "> 0", AT(scr_material_def, density),
     "Mass per volume of the solid, not of the packing.", NULL},
    {"young", "youngsModulus youngs_modulus young_modulus E", SCR_REAL, "Pa", "", "> 0", AT(scr_material_def, young),
     "Young's modulus: determines the stiffness of hertz and of stiffness: hertz-matched; otherwise hooke uses it only "
     "for kt/kn between unlike materials.",
     NULL},
    {"poisson", "poissonsRatio poissons_ratio poisson_ratio nu", SCR_REAL, "", "", "(-1, 0.5]",
     AT(scr_material_def, poisson),
     "Poisson's ratio. Where given for both materials it sets the ratio of tangential to normal "
     "stiffness.",
     NULL},
    {"restitution", "coefficientRestitution coefficient_restitution", SCR_REAL, "", "", "(0, 1]",
     AT(scr_material_def, restitution),
     "Coefficient of restitution of contacts of this material unless overridden in `contacts`: speed after over speed "
     "before a head-on impact.",
     NULL},
    {"friction", "coefficientFriction coefficient_friction mu", SCR_REAL, "", "", ">= 0",
     AT(scr_material_def, friction),
     "Coulomb's friction coefficient of contacts of this material unless overridden in `contacts`.", NULL},
    {"rolling_friction", "coefficientRollingFriction coefficient_rolling_friction", SCR_REAL, "", "", ">= 0",
     AT(scr_material_def, rolling_friction),
     "Rolling friction coefficient of contacts of this material unless overridden in `contacts`. "
     "It acts only where the contact has a law of rolling.",
     NULL},
    {0}};

const scr_section scr_section_materials = {
    .name = "materials",
    .doc = "What grains and walls are made of, by name. The names used by LIGGGHTS are understood "
           "too.",
    .named = true,
    .required = true,
    .params = material_params,
    .size = sizeof(scr_material_def),
};

// ---- contacts ----

// from the table of laws: words of a choice with their docs, and keys
#define WORD(CHOICE, NAME, word, ...)                                #word " "
#define WORD_DOC(CHOICE, NAME, word, traits, other, words, why, doc) " " #word ": " doc
#define C(choice, WORDS, fallback, before, after) \
    {                                             \
        #choice,                                  \
        NULL,                                     \
        SCR_CHOICE,                               \
        NULL,                                     \
        fallback,                                 \
        WORDS(WORD),                              \
        AT(scr_contact_def, choice),              \
        before WORDS(WORD_DOC) after,             \
        NULL},
#define K(key, also, unit, fallback, allowed, choice, words, need, doc) \
    {#key, also, SCR_REAL, unit, fallback, allowed, AT(scr_contact_def, key), doc, NULL},
static const scr_param contact_params[] = {SCR_LAW_KEYS(C, K){0}};
#undef C
#undef K

const scr_section scr_section_contacts = {
    .name = "contacts",
    .doc = "Contact laws by pair of materials: `glass/steel` for a pair, `glass` for glass on glass, `any` for all "
           "pairs that are not named. A named pair inherits from `any` the keys it does not specify.",
    .named = true,
    .params = contact_params,
    .size = sizeof(scr_contact_def),
};

// ---- bodies ----

static const scr_param bodies_params[] = {
    {"material", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_bodies_def, material), "Name of the grains' material.", NULL},
    {"radius", NULL, SCR_SPAN, "m", "", "> 0", AT(scr_bodies_def, radius),
     "Radius of the grains, or [smallest, largest]: then each radius is drawn uniformly between "
     "the two (by number, not by mass). Give one of radius, diameter and sizes.",
     NULL},
    {"diameter", NULL, SCR_SPAN, "m", "", "> 0", AT(scr_bodies_def, diameter),
     "Diameter of the grains, or [smallest, largest]. Give one of radius, diameter and sizes.", NULL},
    {"sizes", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_bodies_def, sizes),
     "A distribution of sizes. Give one of radius, diameter and sizes.", &scr_section_sizes},
    {"velocity", NULL, SCR_VEC3, "m/s", "[0, 0, 0]", NULL, AT(scr_bodies_def, velocity),
     "Initial velocity, added to that read from a file.", NULL},
    {"spin", "omega angular_velocity", SCR_VEC3, "rad/s", "[0, 0, 0]", NULL, AT(scr_bodies_def, spin),
     "Initial angular velocity, added to that read from a file.", NULL},
    {"frozen", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_bodies_def, frozen),
     "Frozen grains never move; others bounce off them as off a wall.", NULL},
    {"motion", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_bodies_def, motion),
     "A prescribed motion of all grains of the group. Default: none, the grains move freely. Frozen or driven grains "
     "of another group act on them (integrators soft and elastic); walls and grains of their own group do not.",
     &scr_section_motion},
    {"clump", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_bodies_def, clump),
     "Shape of the grains, as spheres that move as one rigid body; radius or diameter are those of "
     "the enclosing sphere. Default: spheres.",
     &scr_section_clump},
    {"ignores", NULL, SCR_TEXTS, NULL, "", NULL, AT(scr_bodies_def, ignores),
     "Groups whose grains do not interact with those of this one; with its own name, grains of "
     "this group do not interact with each other. It applies in both directions.",
     NULL},
    {0}};

#define COLUMN(number, key, text)                                                                \
    {                                                                                            \
        key, NULL, SCR_TEXT, NULL, "", NULL, AT(scr_table_columns_def, name[number]), text, NULL \
    }
static const scr_param table_columns_params[] = {
    COLUMN(0, "id", "Id of the grain."),
    COLUMN(1, "type", "Number that `type` of the group selects."),
    COLUMN(2, "radius", "Radius [m]."),
    COLUMN(3, "diameter", "Diameter [m]."),
    COLUMN(4, "density", "Density [kg/m^3]. Default: that of the material."),
    COLUMN(5, "x", "Centre [m]."),
    COLUMN(6, "y", "Centre [m]."),
    COLUMN(7, "z", "Centre [m]."),
    COLUMN(8, "vx", "Velocity [m/s]."),
    COLUMN(9, "vy", "Velocity [m/s]."),
    COLUMN(10, "vz", "Velocity [m/s]."),
    COLUMN(11, "wx", "Angular velocity [rad/s]."),
    COLUMN(12, "wy", "Angular velocity [rad/s]."),
    COLUMN(13, "wz", "Angular velocity [rad/s]."),
    COLUMN(14, "material", "Name of the grain's material, or its number in the scene, from 0. Default: the group's."),
    COLUMN(15, "group", "Word that `rows` of the group selects."),
    {0}};
#undef COLUMN

static const scr_section scr_section_table_columns = {
    .name = "columns",
    .doc = "Names or numbers of the columns of a table.",
    .params = table_columns_params,
    .size = sizeof(scr_table_columns_def),
};

static const scr_param bodies_table_params[] = {
    {"file", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_bodies_table_def, file),
     "Text file; relative to the scene's folder. Fields are separated by commas, semicolons, tabs or blanks. The first "
     "line names the columns, in any order: x y z and radius or diameter; optional id, type, density, material, group, "
     "vx vy vz, wx wy wz. A column may have a unit: `x [mm]`, `PosX[m]`. If the first line contains only numbers, it "
     "is not a header: `columns` must then give the numbers of the columns. Lines that begin with # are comments.",
     NULL},
    {"columns", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_bodies_table_def, columns),
     "What the columns are called in the file, or their numbers, from 1, each with an optional unit: `{x: PosX, "
     "radius: \"R [mm]\"}`, `{x: 1, y: 2, z: 3, diameter: \"4 [um]\"}`. Default: the usual names.",
     &scr_section_table_columns},
    {"type", NULL, SCR_INT, NULL, "0", ">= 0", AT(scr_bodies_table_def, type),
     "Read only rows with this number in the column `type`; 0 reads all.", NULL},
    {"rows", NULL, SCR_TEXT, NULL, "", NULL, AT(scr_bodies_table_def, rows),
     "Read only rows with this word in the column `group`. Default: all.", NULL},
    {0}};

static const scr_param bodies_lammps_params[] = {
    {"file", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_bodies_lammps_def, file),
     "LAMMPS data file of atom style sphere; relative to the scene's folder. Its numbers are taken "
     "as SI.",
     NULL},
    {"type", NULL, SCR_INT, NULL, "0", ">= 0", AT(scr_bodies_lammps_def, type),
     "Read only atoms of this type; 0 reads all.", NULL},
    {0}};

static const scr_param bodies_lattice_params[] = {
    {"kind", "lattice", SCR_CHOICE, NULL, "sc", "sc fcc hcp", AT(scr_bodies_lattice_def, kind),
     "sc: simple cubic; fcc: face-centred cubic; hcp: hexagonal close packing.", NULL},
    {"spacing", NULL, SCR_REAL, "m", "", "> 0", AT(scr_bodies_lattice_def, spacing),
     "Distance between the centres of nearest neighbours. Default: the largest diameter, so that "
     "grains touch.",
     NULL},
    {"jitter", NULL, SCR_REAL, "", "0", "[0, 1]", AT(scr_bodies_lattice_def, jitter),
     "Random shift of each grain, as a fraction of the free gap between neighbours; never causes overlaps.", NULL},
    {"count", NULL, SCR_INT, NULL, "0", MOST_GRAINS, AT(scr_bodies_lattice_def, count),
     "At most this many grains, filled from below (lowest z first); 0: all that fit.", NULL},
    {"region", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_bodies_lattice_def, region),
     "Where the grains are. Default: the whole domain.", &scr_section_region},
    {0}};

static const scr_param bodies_random_params[] = {
    {"count", NULL, SCR_INT, NULL, "0", MOST_GRAINS, AT(scr_bodies_random_def, count),
     "How many grains. Give count or fraction.", NULL},
    {"fraction", "solid_fraction volume_fraction", SCR_REAL, "", "", "(0, 0.7]", AT(scr_bodies_random_def, fraction),
     "Solid fraction to reach: volume of the grains over volume of the region. Random insertion "
     "reaches about 0.35.",
     NULL},
    {"gap", NULL, SCR_REAL, "m", "0", ">= 0", AT(scr_bodies_random_def, gap),
     "Least distance between the surfaces of grains.", NULL},
    {"region", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_bodies_random_def, region),
     "Where the grains are. Default: the whole domain.", &scr_section_region},
    {0}};

static const scr_param bodies_packing_params[] = {
    {"fraction", "solid_fraction volume_fraction", SCR_REAL, "", "auto", "(0, 0.95] | auto",
     AT(scr_bodies_packing_def, fraction),
     "Solid fraction to reach: volume of the grains over volume of the region. auto: as dense as "
     "the packing jams, about 0.64 for equal grains; all radii are then scaled by one factor "
     "within 1 % of 1, so that the grains just touch.",
     NULL},
    {"tolerance", NULL, SCR_REAL, "", "0.01 %", "[1e-8, 0.1]", AT(scr_bodies_packing_def, tolerance),
     "Largest overlap of two grains, or of a grain with the border of the region, as a fraction of "
     "the smaller radius.",
     NULL},
    {"shrink", NULL, SCR_REAL, "", "0", "[0, 0.5]", AT(scr_bodies_packing_def, shrink),
     "Once packed, all radii are reduced by this fraction: neighbours that touched then have a gap of "
     "this fraction of the distance of their centres.",
     NULL},
    {"region", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_bodies_packing_def, region),
     "Where the grains are. Default: the whole domain.", &scr_section_region},
    {0}};

static const scr_param bodies_inlet_params[] = {
    {"rate", NULL, SCR_REAL, "1/s", "", "> 0", AT(scr_bodies_inlet_def, rate),
     "Grains per second. Give rate or mass_rate.", NULL},
    {"mass_rate", NULL, SCR_REAL, "kg/s", "", "> 0", AT(scr_bodies_inlet_def, mass_rate),
     "Mass per second. Give rate or mass_rate.", NULL},
    {"spread", NULL, SCR_REAL, "m/s", "0", ">= 0", AT(scr_bodies_inlet_def, spread),
     "A random velocity is added to that of each grain, drawn uniformly from a ball of this radius "
     "in velocity space.",
     NULL},
    {"start", "since", SCR_REAL, "s", "0", ">= 0", AT(scr_bodies_inlet_def, start), "Insertion starts at this time.",
     NULL},
    {"until", NULL, SCR_REAL, "s", "", "> 0", AT(scr_bodies_inlet_def, until),
     "Insertion ends at this time. Default: the end of the run.", NULL},
    {"count", NULL, SCR_INT, NULL, "0", MOST_GRAINS, AT(scr_bodies_inlet_def, count),
     "Insertion ends after this many grains; 0: no limit.", NULL},
    {"mass", NULL, SCR_REAL, "kg", "", "> 0", AT(scr_bodies_inlet_def, mass),
     "Insertion ends before this mass is exceeded. Default: no limit.", NULL},
    {"region", NULL, SCR_NESTED, NULL, NULL, NULL, AT(scr_bodies_inlet_def, region),
     "Where grains are inserted: at random positions in it that touch nothing. If the region is "
     "full, grains are queued; the queue is limited to what the region can hold, and grains "
     "dropped beyond that are reported.",
     &scr_section_region},
    {0}};

static const scr_param bodies_positions_params[] = {
    {"positions", "position", SCR_MATRIX, "m,m,m", NULL, NULL, AT(scr_bodies_positions_def, positions),
     "Centre of one grain, [x, y, z], or a list of centres, [[x, y, z], ...].", NULL},
    {0}};

static const scr_variant bodies_positions = {"positions", "Individual grains at given positions.",
                                             bodies_positions_params, sizeof(scr_bodies_positions_def)};
static const scr_variant bodies_table = {"table", "Grains from a CSV table, one line each.", bodies_table_params,
                                         sizeof(scr_bodies_table_def)};
static const scr_variant bodies_lammps = {"lammps", "Grains from a LAMMPS data file.", bodies_lammps_params,
                                          sizeof(scr_bodies_lammps_def)};
static const scr_variant bodies_lattice = {"lattice", "Grains on a regular lattice.", bodies_lattice_params,
                                           sizeof(scr_bodies_lattice_def)};
static const scr_variant bodies_random = {"random",
                                          "Grains at random positions without overlap, the largest placed first.",
                                          bodies_random_params, sizeof(scr_bodies_random_def)};
static const scr_variant bodies_packing = {"packing",
                                           "A dense random packing, compressed until the grains nearly touch.",
                                           bodies_packing_params, sizeof(scr_bodies_packing_def)};
static const scr_variant bodies_inlet = {"inlet", "Grains inserted during the run, at a given rate.",
                                         bodies_inlet_params, sizeof(scr_bodies_inlet_def)};
static const scr_variant *const bodies_variants[] = {
    &bodies_positions, &bodies_table,   &bodies_lammps, &bodies_lattice,
    &bodies_random,    &bodies_packing, &bodies_inlet,  NULL};

const scr_section scr_section_bodies = {
    .name = "bodies",
    .doc = "Groups of grains, by name. They are made in the order written; random insertion keeps clear of the groups "
           "before it.",
    .named = true,
    .params = bodies_params,
    .size = sizeof(scr_bodies_def),
    .selector = "from",
    .variants = bodies_variants,
};

// ---- time and output ----

static const scr_param time_params[] = {
    {"end", NULL, SCR_REAL, "s", "", "> 0", AT(scr_time_def, end),
     "Time at which the run ends; the latest, with `until`. Required, except in a scene with stages: there it "
     "defaults to the sum of their ends.",
     NULL},
    {"start", NULL, SCR_REAL, "s", "0", NULL, AT(scr_time_def, start),
     "Time at which the run begins, also with --from: whatever depends on time (walls, inlets, loads, gravity) is "
     "taken from there on.",
     NULL},
    {"until", NULL, SCR_TEXT, NULL, "", NULL, AT(scr_time_def, until),
     "A condition that ends the run before `end`, as in `ledger.kinetic < 1e-6 J and time > 0.1 s` or `forces.top.fz "
     "> 500 N`: numbers, units, values of the scene, `time`, `step`, and OBSERVER.COLUMN, the last row of an "
     "observer by its name in the scene (here `forces: {type: walls}` with a wall `top`; `scree info RESULTS` lists "
     "columns). It is evaluated after the first step, whenever one of these observers samples. Default: none.",
     NULL},
    {"step", "dt", SCR_REAL, "s", "auto", "> 0 | auto", AT(scr_time_def, step),
     "Time step. auto: chosen by the integrator from the shortest contact time, and reported at the "
     "start. A step in which grains move by more than the smallest diameter against each other is "
     "refused: they would pass through each other.",
     NULL},
    {"reverse", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_time_def, reverse),
     "With --from: reverses all velocities and angular velocities first. A conservative run then "
     "returns to its initial state.",
     NULL},
    {0}};

const scr_section scr_section_time = {
    .name = "time",
    .doc = "Duration and time step.",
    .required = true,
    .unless = "stages",
    .params = time_params,
    .size = sizeof(scr_time_def),
};

static const scr_param output_params[] = {
    {"every", NULL, SCR_REAL, "s", "auto", "> 0 | auto", AT(scr_output_def, every),
     "Time between two frames of the results. auto: a hundredth of the end time.", NULL},
    {"checkpoint", NULL, SCR_REAL, "s", "auto", "> 0 | auto", AT(scr_output_def, checkpoint),
     "Time between two checkpoints, from which a run can be resumed. auto: a tenth of the end "
     "time. `scree equilibrate` also writes one after load steps that take a second or more: "
     "stopped within a load step (Ctrl-C), it resumes from the one before.",
     NULL},
    {"fields", NULL, SCR_TEXTS, NULL, "position radius velocity spin group displacement stress energy damage fragment",
     NULL, AT(scr_output_def, fields),
     "Fields written for each grain and each cell of elastic solids; fields that one of the two "
     "lacks are skipped for it.",
     NULL},
    {"contacts", NULL, SCR_BOOL, NULL, "false", NULL, AT(scr_output_def, contacts),
     "Whether frames include contacts: partners, point, normal, forces, overlap, dissipated "
     "energy.",
     NULL},
    {"precision", NULL, SCR_CHOICE, NULL, "double", "double single", AT(scr_output_def, precision),
     "Floating-point precision of frames. single: seven digits and half the space, enough for images and profiles; "
     "overlaps cannot be computed from such positions. Series and checkpoints are always double.",
     NULL},
    {"compress", "compression", SCR_CHOICE, NULL, "fast", "none fast", AT(scr_output_def, compress),
     "Lossless compression of frames. fast: shuffled and deflated, which every HDF5 program reads. none: for programs "
     "that read the bytes themselves.",
     NULL},
    {0}};

const scr_section scr_section_output = {
    .name = "output",
    .doc = "What is written to the results file, and how often.",
    .params = output_params,
    .size = sizeof(scr_output_def),
};
