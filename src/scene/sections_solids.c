/* The section `solids`: elastic bodies made of polyhedral cells (see sections.c). */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

static const scr_param solid_params[] = {
    {"material", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_solid_def, material),
     "Name of its material, which must have density, young and poisson.", NULL},
    {"rotate", NULL, SCR_VEC3, "rad", "[0, 0, 0]", NULL, AT(scr_solid_def, rotate),
     "Rotation of the mesh about the origin, as a rotation vector: its direction is the axis, its length the angle.",
     NULL},
    {"translate", "offset", SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_solid_def, translate),
     "Translation, applied last.", NULL},
    {"velocity", NULL, SCR_VEC3, "m/s", "[0, 0, 0]", NULL, AT(scr_solid_def, velocity), "Initial velocity of the body.",
     NULL},
    {"spin", "omega angular_velocity", SCR_VEC3, "rad/s", "[0, 0, 0]", NULL, AT(scr_solid_def, spin),
     "Initial angular velocity of the body about its centre.", NULL},
    {"normal", NULL, SCR_CHOICE, NULL, "auto", "auto centre-line face-normal fitted", AT(scr_solid_def, normal),
     "Direction along which links respond to the change of volume: the line between centres (Monasse & Mariotti 2012), "
     "the normal of the shared face, or vectors fitted to the mesh, with which Voronoi meshes have the correct moduli "
     "for any Poisson's ratio. auto: centre-line on regular meshes, fitted on others, face-normal on those of shells.",
     NULL},
    {"torsion", NULL, SCR_CHOICE, NULL, "auto", "auto paper plate shell", AT(scr_solid_def, torsion),
     "Stiffness of links against bending and twisting: `paper` for solids and beams; `plate` with the torsion of a "
     "thin section; `shell` with the plate's own coupling of the two curvatures, for bodies that are one cell thick. "
     "auto: shell where every cell has two free faces opposite to each other, no further apart than their edges are "
     "long, and most cells have only one such pair (a beam has two); else paper. The coupling of `shell` follows "
     "Poisson's ratio, also below 0.",
     NULL},
    {"symmetry", NULL, SCR_TEXTS, NULL, "", NULL, AT(scr_solid_def, symmetry),
     "Sides of the mesh that are planes of symmetry or of plane strain: their faces are not free surfaces, at which "
     "the material can expand. To keep cells from moving across them, hold them with a support.",
     NULL},
    {"tensile_strength", NULL, SCR_REAL, "Pa", "none", "> 0 | none", AT(scr_solid_def, tensile_strength),
     "A link breaks where its normal stress exceeds this; with a shear strength as well, where the "
     "two together reach an ellipse.",
     NULL},
    {"shear_strength", NULL, SCR_REAL, "Pa", "none", "> 0 | none", AT(scr_solid_def, shear_strength),
     "A link breaks where its shear stress exceeds this.", NULL},
    {"fracture_energy", NULL, SCR_REAL, "J/m^2", "none", "> 0 | none", AT(scr_solid_def, fracture_energy),
     "A link breaks where that would release more energy per area than this.", NULL},
    {"damping", NULL, SCR_REAL, "1/s", "0", ">= 0", AT(scr_solid_def, damping),
     "Velocities decay at this rate (proportional to mass). At twice the lowest angular frequency the solid comes to "
     "rest soonest; `scree equilibrate` needs none.",
     NULL},
    {"stiffness_damping", NULL, SCR_REAL, "s", "0", ">= 0", AT(scr_solid_def, stiffness_damping),
     "Viscosity of links: this time multiplied by their stiffness (proportional to stiffness); high frequencies decay "
     "first.",
     NULL},
    {0}};

static const scr_param block_params[] = {
    {"box", NULL, SCR_BOX, "m", NULL, NULL, AT(scr_mesh_block_def, box), "Lower and upper corner.", NULL},
    {"cells", NULL, SCR_VEC3, "", "[0, 0, 0]", NULL, AT(scr_mesh_block_def, cells),
     "Number of cells along x, y, z; or give size.", NULL},
    {"size", NULL, SCR_REAL, "m", "", "> 0", AT(scr_mesh_block_def, size),
     "Edge of a cell, rounded so that a whole number of them fits along each axis.", NULL},
    {"jitter", NULL, SCR_REAL, "", "0", "[0, 0.4]", AT(scr_mesh_block_def, jitter),
     "Points are moved at random by up to this fraction of the edge; those of the border stay in "
     "it.",
     NULL},
    {"periodic", NULL, SCR_AXES, NULL, "none", NULL, AT(scr_mesh_block_def, periodic),
     "Axes along which the last cell is linked to the first: the domain must be periodic there, and the box as long as "
     "it.",
     NULL},
    {0}};

#define CYLINDER_PARAMS                                                                                        \
    {"from", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_mesh_cylinder_def, from), "Centre of the bottom.", NULL}, \
        {"to", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_mesh_cylinder_def, to), "Centre of the top.", NULL},    \
        {"radius",                                                                                             \
         NULL,                                                                                                 \
         SCR_REAL,                                                                                             \
         "m",                                                                                                  \
         NULL,                                                                                                 \
         "> 0",                                                                                                \
         AT(scr_mesh_cylinder_def, radius),                                                                    \
         "Outer radius; the corners of the cells lie on it.",                                                  \
         NULL},                                                                                                \
        {"around",                                                                                             \
         NULL,                                                                                                 \
         SCR_INT,                                                                                              \
         "",                                                                                                   \
         NULL,                                                                                                 \
         "[3, 1000000]",                                                                                       \
         AT(scr_mesh_cylinder_def, around),                                                                    \
         "Number of cells around the axis.",                                                                   \
         NULL},                                                                                                \
        {"along",                                                                                              \
         NULL,                                                                                                 \
         SCR_INT,                                                                                              \
         "",                                                                                                   \
         NULL,                                                                                                 \
         "[1, 10000000]",                                                                                      \
         AT(scr_mesh_cylinder_def, along),                                                                     \
         "Number of cells along the axis.",                                                                    \
         NULL},                                                                                                \
    {                                                                                                          \
        "facing", NULL, SCR_VEC3, "", "", NULL, AT(scr_mesh_cylinder_def, facing),                             \
            "A direction in which centres of cells lie, seen from the axis; so that a load there "             \
            "acts on the middle of cells. Default: x, or y if the axis is along x.",                           \
            NULL                                                                                               \
    }

static const scr_param cylinder_params[] = {
    CYLINDER_PARAMS,
    {"across", "radial", SCR_INT, "", NULL, "[1, 1000000]", AT(scr_mesh_cylinder_def, across),
     "Number of cells from the axis to the outside; the innermost are wedges.", NULL},
    {0}};
static const scr_param tube_params[] = {CYLINDER_PARAMS,
                                        {"inner", "inner_radius", SCR_REAL, "m", NULL, "> 0",
                                         AT(scr_mesh_cylinder_def, inner), "Radius of the inside.", NULL},
                                        {"across", "radial", SCR_INT, "", "1", "[1, 1000000]",
                                         AT(scr_mesh_cylinder_def, across),
                                         "Number of cells from the inside to the outside.", NULL},
                                        {0}};

#define SPHERE_PARAMS                                                                                                \
    {"center", "centre", SCR_VEC3, "m", NULL, NULL, AT(scr_mesh_sphere_def, center), "Centre of the sphere.", NULL}, \
        {"radius",                                                                                                   \
         NULL,                                                                                                       \
         SCR_REAL,                                                                                                   \
         "m",                                                                                                        \
         NULL,                                                                                                       \
         "> 0",                                                                                                      \
         AT(scr_mesh_sphere_def, radius),                                                                            \
         "Outer radius; the corners of the cells lie on it.",                                                        \
         NULL},                                                                                                      \
        {"axis",                                                                                                     \
         NULL,                                                                                                       \
         SCR_VEC3,                                                                                                   \
         "",                                                                                                         \
         "[0, 0, 1]",                                                                                                \
         NULL,                                                                                                       \
         AT(scr_mesh_sphere_def, axis),                                                                              \
         "Cells are in rings around this direction.",                                                                \
         NULL},                                                                                                      \
        {"facing",                                                                                                   \
         NULL,                                                                                                       \
         SCR_VEC3,                                                                                                   \
         "",                                                                                                         \
         "",                                                                                                         \
         NULL,                                                                                                       \
         AT(scr_mesh_sphere_def, facing),                                                                            \
         "A direction in which centres of cells lie, seen from the axis. Default: x, or y if "                       \
         "the axis is along x.",                                                                                     \
         NULL},                                                                                                      \
        {"polar",                                                                                                    \
         "rings",                                                                                                    \
         SCR_INT,                                                                                                    \
         "",                                                                                                         \
         NULL,                                                                                                       \
         "[1, 1000000]",                                                                                             \
         AT(scr_mesh_sphere_def, polar),                                                                             \
         "Number of rings of cells from top to bottom.",                                                             \
         NULL},                                                                                                      \
        {"around",                                                                                                   \
         NULL,                                                                                                       \
         SCR_INT,                                                                                                    \
         "",                                                                                                         \
         NULL,                                                                                                       \
         "[3, 1000000]",                                                                                             \
         AT(scr_mesh_sphere_def, around),                                                                            \
         "Number of cells in a ring.",                                                                               \
         NULL},                                                                                                      \
        {"top",                                                                                                      \
         NULL,                                                                                                       \
         SCR_REAL,                                                                                                   \
         "rad",                                                                                                      \
         "0",                                                                                                        \
         ">= 0",                                                                                                     \
         AT(scr_mesh_sphere_def, top),                                                                               \
         "Angle from the axis where the body begins; more than 0 leaves a hole, with a side top.",                   \
         NULL},                                                                                                      \
    {                                                                                                                \
        "bottom", NULL, SCR_REAL, "rad", "180 deg", "> 0", AT(scr_mesh_sphere_def, bottom),                          \
            "Angle from the axis where it ends; 90 deg: a hemisphere, with a side bottom.", NULL                     \
    }

static const scr_param sphere_params[] = {
    SPHERE_PARAMS,
    {"radial", "across", SCR_INT, "", NULL, "[1, 1000000]", AT(scr_mesh_sphere_def, radial),
     "Number of cells from the centre to the outside; the innermost end in a point.", NULL},
    {0}};
static const scr_param shell_params[] = {
    SPHERE_PARAMS,
    {"thickness", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_mesh_sphere_def, thickness),
     "Thickness, from the inside to the outside.", NULL},
    {"radial", "across", SCR_INT, "", "1", "[1, 1000000]", AT(scr_mesh_sphere_def, radial),
     "Number of cells through the thickness.", NULL},
    {0}};

#define SEEDS(type, member) (AT(type, by) + AT(scr_mesh_seeds_def, member))
#define SEED_PARAMS(type, what, size_what)                                                                    \
    {"cells",                                                                                                 \
     "count",                                                                                                 \
     SCR_INT,                                                                                                 \
     "",                                                                                                      \
     "0",                                                                                                     \
     "[0, 20000000]",                                                                                         \
     SEEDS(type, cells),                                                                                      \
     "Number of " what "; with seeds: grid about that many. Or give size.",                                   \
     NULL},                                                                                                   \
        {"size", NULL, SCR_REAL, "m", "", "> 0", SEEDS(type, size), "Size of " what ": " size_what, NULL},    \
        {"seeds",                                                                                             \
         NULL,                                                                                                \
         SCR_CHOICE,                                                                                          \
         NULL,                                                                                                \
         "random",                                                                                            \
         "random grid given",                                                                                 \
         SEEDS(type, seeds),                                                                                  \
         "Points to which the cells belong: anywhere at random, on a cubic grid, or given. They "             \
         "follow from the scene's seed and the solid's name.",                                                \
         NULL},                                                                                               \
        {"points", NULL, SCR_MATRIX,          "m,m,m",                                                        \
         "",       NULL, SEEDS(type, points), "Positions of the seeds, with seeds: given.",                   \
         NULL},                                                                                               \
        {"jitter",                                                                                            \
         NULL,                                                                                                \
         SCR_REAL,                                                                                            \
         "",                                                                                                  \
         "0",                                                                                                 \
         "[0, 0.49]",                                                                                         \
         SEEDS(type, jitter),                                                                                 \
         "With seeds: grid, each is moved at random by up to this fraction of the distance along "            \
         "each axis.",                                                                                        \
         NULL},                                                                                               \
    {                                                                                                         \
        "lloyd", NULL, SCR_INT, "", "0", "[0, 10000]", SEEDS(type, lloyd),                                    \
            "Number of Lloyd iterations, which move seeds to the centres of their cells and make cells more " \
            "uniform; a few suffice.",                                                                        \
            NULL                                                                                              \
    }

static const scr_param voronoi_params[] = {
    {"region", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_mesh_voronoi_def, region),
     "The body: a box, cylinder, frustum or sphere. Cylinders, frusta and spheres become polyhedra "
     "of the same volume.",
     &scr_section_region},
    {"planes", NULL, SCR_MATRIX, ",,,m", "", NULL, AT(scr_mesh_voronoi_def, planes),
     "Planes that cut the body, or form it: rows [nx, ny, nz, d] keep the side n.x <= d, with n "
     "made a unit vector. Their sides are plane1, plane2, ...",
     NULL},
    SEED_PARAMS(scr_mesh_voronoi_def, "cells", "edge of a cube of the same volume."),
    {"facets", NULL, SCR_INT, "", "0", "[0, 400]", AT(scr_mesh_voronoi_def, facets),
     "Number of planes that replace a curved surface. 0: one per cell at the surface, 12 to 120 around a cylinder, 20 "
     "to 200 on a sphere.",
     NULL},
    {"periodic", NULL, SCR_AXES, NULL, "none", NULL, AT(scr_mesh_voronoi_def, periodic),
     "Axes along which a box continues on its other side: the domain must be periodic there, and "
     "the box of the same length.",
     NULL},
    {0}};

static const scr_param plate_params[] = {
    {"outline", NULL, SCR_MATRIX, "m,m,m", "", NULL, AT(scr_mesh_plate_def, outline),
     "Corners of the bottom face, convex; the plate is above where they go round counter-clockwise. Or give a disc by "
     "center, radius and axis.",
     NULL},
    {"center", "centre", SCR_VEC3, "m", "", NULL, AT(scr_mesh_plate_def, center),
     "Centre of the bottom face of a disc.", NULL},
    {"radius", NULL, SCR_REAL, "m", "", "> 0", AT(scr_mesh_plate_def, radius), "Radius of a disc.", NULL},
    {"axis", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, AT(scr_mesh_plate_def, axis), "Axis of a disc, from bottom to top.",
     NULL},
    {"facets", NULL, SCR_INT, "", "0", "[0, 400]", AT(scr_mesh_plate_def, facets),
     "Number of sides of the polygon, of the same area, that replaces a disc. 0: one per cell at the edge, 12 to 120.",
     NULL},
    {"thickness", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_mesh_plate_def, thickness), "From bottom to top.", NULL},
    {"layers", NULL, SCR_INT, "", "1", "[1, 100000]", AT(scr_mesh_plate_def, layers),
     "Number of cells through the thickness.", NULL},
    SEED_PARAMS(scr_mesh_plate_def, "prisms", "edge of a square of the same area."),
    {0}};

static const scr_param file_params[] = {
    {"file", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_mesh_file_def, file),
     "Path of a text file of gmsh (.msh, format 2.2 or 4.1), beside the scene or absolute: "
     "tetrahedra, hexahedra, prisms and pyramids of first order.",
     NULL},
    {"scale", NULL, SCR_REAL, "", "1", "> 0", AT(scr_mesh_file_def, scale),
     "Lengths in the file times this are metres.", NULL},
    {0}};

static const scr_variant block = {"block", "A box of cuboids. Sides: x- x+ y- y+ z- z+.", block_params,
                                  sizeof(scr_mesh_block_def)};
static const scr_variant cylinder = {"cylinder", "A cylinder of cells in rings. Sides: outside bottom top.",
                                     cylinder_params, sizeof(scr_mesh_cylinder_def)};
static const scr_variant tube = {"tube", "A hollow cylinder. Sides: outside inside bottom top.", tube_params,
                                 sizeof(scr_mesh_cylinder_def)};
static const scr_variant sphere = {"sphere",
                                   "A sphere, or a part of it. Sides: outside, and top and bottom "
                                   "where they are cut off.",
                                   sphere_params, sizeof(scr_mesh_sphere_def)};
static const scr_variant shell = {"shell",
                                  "A spherical shell, or a part of it. Sides: outside inside, and "
                                  "top and bottom where they are cut off.",
                                  shell_params, sizeof(scr_mesh_sphere_def)};
static const scr_variant plate = {"plate",
                                  "A plate of prisms on the cells of a plane Voronoi mesh. Sides: "
                                  "bottom top edge.",
                                  plate_params, sizeof(scr_mesh_plate_def)};
static const scr_variant voronoi = {"voronoi",
                                    "Voronoi cells of points: the part of space nearer to a point than to any other. "
                                    "Sides: x- x+ y- y+ z- z+ of a box, outside bottom top of a "
                                    "cylinder, outside of a sphere, plane1 ... of planes.",
                                    voronoi_params, sizeof(scr_mesh_voronoi_def)};
static const scr_variant file = {"file",
                                 "Read from a file. Sides are its physical surfaces, by name, and "
                                 "rest: the border outside all of them.",
                                 file_params, sizeof(scr_mesh_file_def)};
static const scr_variant *const meshes[] = {&block, &cylinder, &tube, &sphere, &shell, &plate, &voronoi, &file, NULL};

const scr_section scr_section_solids = {
    .name = "solids",
    .doc = "Elastic bodies, by name: polyhedral cells joined across their faces by links. They "
           "interact with walls, grains and each other by the laws of `contacts`. For the "
           "integrator elastic.",
    .named = true,
    .params = solid_params,
    .size = sizeof(scr_solid_def),
    .selector = "mesh",
    .variants = meshes,
};
