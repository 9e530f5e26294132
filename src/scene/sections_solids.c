/* The section `solids`: elastic bodies made of polyhedral cells (see sections.c). */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

static const scr_param solid_params[] = {
    {"material", NULL, SCR_TEXT, NULL, NULL, NULL, AT(scr_solid_def, material),
     "Name of its material, which must have density, young and poisson.", NULL},
    {"rotate", NULL, SCR_VEC3, "rad", "[0, 0, 0]", NULL, AT(scr_solid_def, rotate),
     "The mesh is turned about the origin: the direction is the axis, the length the angle.", NULL},
    {"translate", "offset", SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_solid_def, translate),
     "Then moved by this.", NULL},
    {"velocity", NULL, SCR_VEC3, "m/s", "[0, 0, 0]", NULL, AT(scr_solid_def, velocity),
     "Velocity of the whole at the start.", NULL},
    {"spin", "omega angular_velocity", SCR_VEC3, "rad/s", "[0, 0, 0]", NULL,
     AT(scr_solid_def, spin), "Angular velocity of the whole about its centre at the start.", NULL},
    {"normal", NULL, SCR_CHOICE, NULL, "auto", "auto centre-line face-normal",
     AT(scr_solid_def, normal),
     "Along which direction links feel the change of volume: the line between centres, as in the "
     "paper, or the normal of the shared face, which has the right moduli on irregular meshes. "
     "auto: "
     "centre-line where the two are the same, else face-normal.",
     NULL},
    {"torsion", NULL, SCR_CHOICE, NULL, "auto", "auto paper plate shell",
     AT(scr_solid_def, torsion),
     "Stiffness of links against bending and twisting: `paper` for solids and beams; `plate` with "
     "the torsion of a thin section; `shell` with the plate's own coupling of the two curvatures, "
     "for "
     "bodies that are one cell thick. auto: shell where every cell has two free faces opposite to "
     "each other and all other directions have more cells than one, else paper.",
     NULL},
    {"symmetry", NULL, SCR_TEXTS, NULL, "", NULL, AT(scr_solid_def, symmetry),
     "Sides of the mesh that are planes of symmetry or of plane strain: they are not free, and "
     "cells "
     "there do not move across them by themselves.",
     NULL},
    {"tensile_strength", NULL, SCR_REAL, "Pa", "none", "> 0 | none",
     AT(scr_solid_def, tensile_strength),
     "A link breaks where its normal stress exceeds this; with a shear strength as well, where the "
     "two together reach an ellipse.",
     NULL},
    {"shear_strength", NULL, SCR_REAL, "Pa", "none", "> 0 | none",
     AT(scr_solid_def, shear_strength), "A link breaks where its shear stress exceeds this.", NULL},
    {"fracture_energy", NULL, SCR_REAL, "J/m^2", "none", "> 0 | none",
     AT(scr_solid_def, fracture_energy),
     "A link breaks where that would release more energy per area than this.", NULL},
    {"damping", NULL, SCR_REAL, "1/s", "0", ">= 0", AT(scr_solid_def, damping),
     "Velocities decay at this rate (proportional to mass): for statics, twice the lowest angular "
     "frequency.",
     NULL},
    {"stiffness_damping", NULL, SCR_REAL, "s", "0", ">= 0", AT(scr_solid_def, stiffness_damping),
     "Viscosity of links: this time their stiffness (proportional to stiffness); high frequencies "
     "decay first.",
     NULL},
    {0}};

static const scr_param block_params[] = {
    {"box", NULL, SCR_BOX, "m", NULL, NULL, AT(scr_mesh_block_def, box), "Lower and upper corner.",
     NULL},
    {"cells", NULL, SCR_VEC3, "", "[0, 0, 0]", NULL, AT(scr_mesh_block_def, cells),
     "Number of cells along x, y, z; or give size.", NULL},
    {"size", NULL, SCR_REAL, "m", "", "> 0", AT(scr_mesh_block_def, size),
     "Edge of a cell, rounded so that a whole number of them fits along each axis.", NULL},
    {"jitter", NULL, SCR_REAL, "", "0", "[0, 0.4]", AT(scr_mesh_block_def, jitter),
     "Points are moved at random by up to this fraction of the edge; those of the border stay in "
     "it.",
     NULL},
    {"periodic", NULL, SCR_AXES, NULL, "none", NULL, AT(scr_mesh_block_def, periodic),
     "Axes along which the last cell is linked to the first: the domain must be periodic there, "
     "and "
     "the box as long as it.",
     NULL},
    {0}};

static const scr_variant block = {"block", "A box of cuboids. Sides: x- x+ y- y+ z- z+.",
                                  block_params, sizeof(scr_mesh_block_def)};
static const scr_variant *const meshes[] = {&block, NULL};

const scr_section scr_section_solids = {
    .name = "solids",
    .doc = "Elastic bodies, by name: polyhedral cells, joined across their faces by links. For the "
           "stepper elastic.",
    .named = true,
    .params = solid_params,
    .size = sizeof(scr_solid_def),
    .selector = "mesh",
    .variants = meshes,
};
