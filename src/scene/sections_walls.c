/* The section `walls`: shapes, and how walls move. */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

/* ---- motion ---- */

static const scr_param rotation_params[] = {
    {"point", NULL, SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_wall_rotation_def, point),
     "A point of the axis; it moves along with the wall. Torque is about this point.", NULL},
    {"axis", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, AT(scr_wall_rotation_def, axis),
     "Direction of the axis, right-handed; need not be normalised.", NULL},
    {"rate", NULL, SCR_REAL, "rad/s", "0", NULL, AT(scr_wall_rotation_def, rate),
     "Angular velocity. 0 where `path` gives the angle.", NULL},
    {"since", NULL, SCR_REAL, "s", "0", NULL, AT(scr_wall_rotation_def, since), "When it begins.", NULL},
    {"until", NULL, SCR_REAL, "s", "", NULL, AT(scr_wall_rotation_def, until),
     "When it ends; the wall then stays where it is. Default: never.", NULL},
    {0}};

static const scr_param translation_params[] = {
    {"velocity", NULL, SCR_VEC3, "m/s", NULL, NULL, AT(scr_wall_translation_def, velocity), "Velocity.", NULL},
    {"since", NULL, SCR_REAL, "s", "0", NULL, AT(scr_wall_translation_def, since), "When it begins.", NULL},
    {"until", NULL, SCR_REAL, "s", "", NULL, AT(scr_wall_translation_def, until),
     "When it ends; the wall then stays where it is. Default: never.", NULL},
    {0}};

static const scr_param oscillation_params[] = {
    {"direction", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, AT(scr_wall_oscillation_def, direction),
     "Direction; need not be normalised.", NULL},
    {"amplitude", NULL, SCR_REAL, "m", NULL, ">= 0", AT(scr_wall_oscillation_def, amplitude),
     "The wall is displaced by amplitude sin(2 pi frequency (t - since) + phase).", NULL},
    {"frequency", NULL, SCR_REAL, "Hz", NULL, ">= 0", AT(scr_wall_oscillation_def, frequency), "Frequency.", NULL},
    {"phase", NULL, SCR_REAL, "rad", "0", NULL, AT(scr_wall_oscillation_def, phase), "Phase at the time `since`.",
     NULL},
    {"since", NULL, SCR_REAL, "s", "0", NULL, AT(scr_wall_oscillation_def, since), "When it begins.", NULL},
    {"until", NULL, SCR_REAL, "s", "", NULL, AT(scr_wall_oscillation_def, until),
     "When it ends; the wall then stays where it is. Default: never.", NULL},
    {0}};

static const scr_param path_params[] = {
    {"table", NULL, SCR_MATRIX, "s,m,m,m", "", NULL, AT(scr_wall_path_def, table),
     "Rows of time and displacement from where the scene puts the wall: [[0, 0, 0, 0], [1 s, 0, 0, 5 mm]]. The wall "
     "moves linearly between rows and is at rest before the first and after the last.",
     NULL},
    {"angles", NULL, SCR_MATRIX, "s,rad", "", NULL, AT(scr_wall_path_def, angles),
     "Rows of time and angle about the axis of `rotation`.", NULL},
    {"file", NULL, SCR_TEXT, NULL, "", NULL, AT(scr_wall_path_def, file),
     "The same as a text file, instead of `table` and `angles`; relative to the scene's folder. The first line names "
     "the columns, in any order: time, and any of x y z (displacement from where the scene puts the wall) and angle "
     "(about the axis of `rotation`). A column may have a unit: `x [mm]`. The wall moves linearly between rows and is "
     "at rest before the first and after the last.",
     NULL},
    {0}};

static const scr_param servo_params[] = {
    {"axis", NULL, SCR_VEC3, "", NULL, NULL, AT(scr_wall_servo_def, axis),
     "Direction in which the wall presses on the grains; need not be normalised.", NULL},
    {"force", NULL, SCR_REAL, "N", "", ">= 0", AT(scr_wall_servo_def, force), "Force to hold. Give force or pressure.",
     NULL},
    {"pressure", NULL, SCR_REAL, "Pa", "", ">= 0", AT(scr_wall_servo_def, pressure),
     "Pressure to hold: force over area.", NULL},
    {"area", NULL, SCR_REAL, "m^2", "", "> 0", AT(scr_wall_servo_def, area),
     "Area on which the pressure acts. It stays the same where walls move: for one that follows them use `between`.",
     NULL},
    {"between", NULL, SCR_TEXTS, NULL, "", NULL, AT(scr_wall_servo_def, between),
     "Walls that bound the area on which the pressure acts, in place of `area`: [left, right, front, back], two pairs "
     "of parallel planes or rectangles, whose distances are multiplied at every step; or one pair, and `width`.",
     NULL},
    {"width", NULL, SCR_REAL, "m", "", "> 0", AT(scr_wall_servo_def, width),
     "Length of the area across the one pair of walls of `between`.", NULL},
    {"max_speed", "speed", SCR_REAL, "m/s", NULL, "> 0", AT(scr_wall_servo_def, max_speed),
     "Largest speed of the wall; the wall approaches the grains at this speed.", NULL},
    {"gain", NULL, SCR_REAL, "m/s/N", "auto", "> 0 | auto", AT(scr_wall_servo_def, gain),
     "Speed per missing force. auto: max_speed over the target force. Too large a gain makes the "
     "wall oscillate: gain times the stiffness of all its contacts should stay well below 1 / time "
     "step.",
     NULL},
    {"integral_time", "integral", SCR_REAL, "s", "none", "> 0 | none", AT(scr_wall_servo_def, integral_time),
     "Integral term: the missing force, summed over time and divided by this time, is added to it. It removes the "
     "error left by a yielding sample (its speed over the gain). Take some 10 / (gain times the stiffness of all its "
     "contacts); below 4 / that the force oscillates.",
     NULL},
    {"ramp", NULL, SCR_REAL, "s", "0", ">= 0", AT(scr_wall_servo_def, ramp),
     "Time over which the target rises from zero.", NULL},
    {"signal", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_wall_servo_def, signal),
     "A function of time that multiplies the target. Default: 1 at all times.", &scr_section_signal},
    {0}};

static const scr_section rotation = {
    .name = "rotation",
    .doc = "Rotation about an axis. A surface that the rotation maps onto itself (a drum) stays in "
           "place and drags the grains along.",
    .params = rotation_params,
    .size = sizeof(scr_wall_rotation_def)};
static const scr_section translation = {.name = "translation",
                                        .doc = "Motion at a constant velocity for some time.",
                                        .params = translation_params,
                                        .size = sizeof(scr_wall_translation_def)};
static const scr_section oscillation = {.name = "oscillation",
                                        .doc = "Sinusoidal oscillation.",
                                        .params = oscillation_params,
                                        .size = sizeof(scr_wall_oscillation_def)};
static const scr_section path = {.name = "path",
                                 .doc = "Tabulated displacement over time.",
                                 .params = path_params,
                                 .size = sizeof(scr_wall_path_def)};
static const scr_section servo = {
    .name = "servo",
    .doc = "Force control: speed = gain (target - force of the grains against the axis + integral term). A run "
           "warns where the mean force between two frames misses the target by more than 5 %.",
    .params = servo_params,
    .size = sizeof(scr_wall_servo_def)};

static const scr_param wall_params[] = {
    {"material", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_wall_def, material), "Name of the wall's material.", NULL},
    {"velocity", NULL, SCR_VEC3, "m/s", "[0, 0, 0]", NULL, AT(scr_wall_def, velocity),
     "Velocity of the wall. Several motions add up.", NULL},
    {"surface_velocity", NULL, SCR_VEC3, "m/s", "[0, 0, 0]", NULL, AT(scr_wall_def, surface_velocity),
     "Tangential velocity of the surface alone: a conveyor belt, which drags grains along but "
     "stays in place and ends where its shape does. Cannot be combined with rotation.",
     NULL},
    {"rotation", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_wall_def, rotation), "Rotation of the wall. Default: none.",
     &rotation},
    {"translation", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_wall_def, translation),
     "Motion at a constant velocity that begins or ends at given times; adds to `velocity`. Default: none.",
     &translation},
    {"oscillation", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_wall_def, oscillation),
     "Sinusoidal oscillation of the wall. Default: none.", &oscillation},
    {"path", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_wall_def, path),
     "Tabulated displacement of the wall. Default: none.", &path},
    {"servo", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_wall_def, servo), "Force or pressure control. Default: none.",
     &servo},
    {"since", "appears", SCR_REAL, "s", "start", ">= 0 | start never", AT(scr_wall_def, since),
     "Time at which the wall appears; never: not until a stage sets it.", NULL},
    {"until", "vanishes", SCR_REAL, "s", "never", ">= 0 | never", AT(scr_wall_def, until),
     "Time at which the wall vanishes; 0, in a stage: at once.", NULL},
    {0}};

/* ---- shapes ---- */

static const scr_param plane_params[] = {
    {"point", NULL, SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_wall_plane_def, point), "Any point of the plane.", NULL},
    {"normal", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, AT(scr_wall_plane_def, normal),
     "Direction towards the grains; need not be normalised.", NULL},
    {0}};

static const scr_param box_params[] = {{"box", NULL, SCR_BOX, "m", NULL, NULL, AT(scr_wall_box_def, box),
                                        "Lower and upper corner; the grains are inside.", NULL},
                                       {0}};

static const scr_param cylinder_params[] = {
    {"from", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_wall_cylinder_def, from), "Centre of the first end.", NULL},
    {"to", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_wall_cylinder_def, to), "Centre of the other end.", NULL},
    {"radius", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_wall_cylinder_def, radius), "Radius of the tube.", NULL},
    {"capped", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_wall_cylinder_def, capped),
     "Closed by a disc at both ends: a drum, or a solid post.", NULL},
    {"solid", NULL, SCR_CHOICE, NULL, "none", "none outside inside", AT(scr_wall_cylinder_def, solid),
     "none: the tube is a thin sheet. outside: a bore, all outside it is solid; inside: a post. "
     "Grains that pass the surface by less than a radius are pushed back: for large time steps.",
     NULL},
    {0}};

static const scr_param frustum_params[] = {
    {"from", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_wall_frustum_def, from), "Centre of the first end.", NULL},
    {"to", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_wall_frustum_def, to), "Centre of the other end.", NULL},
    {"radius_from", NULL, SCR_REAL, "m", NULL, ">= 0", AT(scr_wall_frustum_def, radius_from),
     "Radius at the first end; 0 for the tip of a cone.", NULL},
    {"radius_to", NULL, SCR_REAL, "m", NULL, ">= 0", AT(scr_wall_frustum_def, radius_to), "Radius at the other end.",
     NULL},
    {"capped", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_wall_frustum_def, capped), "Closed by discs at its ends.",
     NULL},
    {0}};

static const scr_param disc_params[] = {
    {"center", "centre", SCR_VEC3, "m", NULL, NULL, AT(scr_wall_disc_def, center), "Centre of the disc.", NULL},
    {"normal", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, AT(scr_wall_disc_def, normal),
     "Normal of the disc; need not be normalised; both sides are solid.", NULL},
    {"radius", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_wall_disc_def, radius), "Radius of the disc.", NULL},
    {0}};

static const scr_param rectangle_params[] = {
    {"corner", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_wall_rectangle_def, corner), "One corner.", NULL},
    {"along", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_wall_rectangle_def, along), "From the corner to the next one.",
     NULL},
    {"across", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_wall_rectangle_def, across),
     "From the corner to the other neighbouring corner, perpendicular to `along`. The front is the side to which along "
     "x across points.",
     NULL},
    {"solid", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_wall_rectangle_def, solid),
     "no: a thin sheet with two sides. yes: it has a front only; grains behind it by less than a radius are pushed "
     "back: for large time steps.",
     NULL},
    {0}};

static const scr_param sphere_params[] = {
    {"center", "centre", SCR_VEC3, "m", NULL, NULL, AT(scr_wall_sphere_def, center), "Centre of the sphere.", NULL},
    {"radius", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_wall_sphere_def, radius), "Radius of the sphere.", NULL},
    {0}};

static const scr_param mesh_params[] = {
    {"file", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_wall_mesh_def, file),
     "STL (text or binary) or OBJ file, or a table of triangles (.txt, .dat, .csv): the nine coordinates of the "
     "corners of one triangle per line, separated by blanks, tabs, commas or semicolons. Relative to the scene's "
     "folder.",
     NULL},
    {"scale", NULL, SCR_REAL, "", "1", "> 0", AT(scr_wall_mesh_def, scale),
     "Metres per unit of the file: 0.001 when it is in millimetres.", NULL},
    {"rotate", NULL, SCR_VEC3, "rad", "[0, 0, 0]", NULL, AT(scr_wall_mesh_def, rotate),
     "Rotation about the origin, applied next, as a rotation vector: its direction is the axis, "
     "its length the angle. [0, 0, 90 deg] rotates x to y.",
     NULL},
    {"translate", "offset", SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_wall_mesh_def, translate),
     "Translation, applied last.", NULL},
    {0}};

static const scr_variant plane = {"plane",
                                  "An infinite plane: grains are on the side of its normal, the other side is solid.",
                                  plane_params, sizeof(scr_wall_plane_def)};
static const scr_variant box = {"box", "The six inner sides of a box.", box_params, sizeof(scr_wall_box_def)};
static const scr_variant cylinder = {"cylinder", "A tube, solid on both sides: grains may be inside or outside.",
                                     cylinder_params, sizeof(scr_wall_cylinder_def)};
static const scr_variant frustum = {"frustum",
                                    "A cone between two circles, solid on both sides: the funnel of a hopper.",
                                    frustum_params, sizeof(scr_wall_frustum_def)};
static const scr_variant disc = {"disc", "A flat disc, solid on both sides: a lid or a gate.", disc_params,
                                 sizeof(scr_wall_disc_def)};
static const scr_variant rectangle = {"rectangle", "A flat rectangle: a plate, a chute, a belt that ends.",
                                      rectangle_params, sizeof(scr_wall_rectangle_def)};
static const scr_variant sphere = {"sphere", "A spherical shell, solid on both sides: grains may be inside or outside.",
                                   sphere_params, sizeof(scr_wall_sphere_def)};
static const scr_variant mesh = {"mesh",
                                 "Triangles from a file, solid on both sides. Vertices are merged "
                                 "and small defects repaired; the run reports what was found.",
                                 mesh_params, sizeof(scr_wall_mesh_def)};
static const scr_variant *const variants[] = {&plane,     &box,    &cylinder, &frustum, &disc,
                                              &rectangle, &sphere, &mesh,     NULL};

const scr_section scr_section_walls = {
    .name = "walls",
    .doc = "Walls, by name. A wall may be fixed, move, and appear or vanish at given times.",
    .named = true,
    .params = wall_params,
    .size = sizeof(scr_wall_def),
    .selector = "shape",
    .variants = variants,
};
