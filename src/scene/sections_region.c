/* Regions of space, as part of generators and inlets, as outlets and as regions that stay resolved. */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

static const scr_param region_box_params[] = {
    {"box", NULL, SCR_BOX, "m", NULL, NULL, AT(scr_region_box_def, box), "Lower and upper corner.", NULL}, {0}};

static const scr_param region_cylinder_params[] = {
    {"from", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_region_frustum_def, from), "Centre of the first end.", NULL},
    {"to", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_region_frustum_def, to), "Centre of the other end.", NULL},
    {"radius", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_region_frustum_def, radius_from), "Radius of the cylinder.",
     NULL},
    {0}};

static const scr_param region_frustum_params[] = {
    {"from", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_region_frustum_def, from), "Centre of the first end.", NULL},
    {"to", NULL, SCR_VEC3, "m", NULL, NULL, AT(scr_region_frustum_def, to), "Centre of the other end.", NULL},
    {"radius_from", NULL, SCR_REAL, "m", NULL, ">= 0", AT(scr_region_frustum_def, radius_from),
     "Radius at the first end.", NULL},
    {"radius_to", NULL, SCR_REAL, "m", NULL, ">= 0", AT(scr_region_frustum_def, radius_to), "Radius at the other end.",
     NULL},
    {0}};

static const scr_param region_sphere_params[] = {
    {"center", "centre", SCR_VEC3, "m", NULL, NULL, AT(scr_region_sphere_def, center), "Centre of the sphere.", NULL},
    {"radius", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_region_sphere_def, radius), "Radius of the sphere.", NULL},
    {0}};

static const scr_variant region_box = {"box", "A box along the axes.", region_box_params, sizeof(scr_region_box_def)};
static const scr_variant region_cylinder = {"cylinder", "A cylinder between two points.", region_cylinder_params,
                                            sizeof(scr_region_frustum_def)};
static const scr_variant region_frustum = {"frustum", "A truncated cone between two points.", region_frustum_params,
                                           sizeof(scr_region_frustum_def)};
static const scr_variant region_sphere = {"sphere", "A ball.", region_sphere_params, sizeof(scr_region_sphere_def)};
static const scr_variant *const region_variants[] = {&region_box, &region_cylinder, &region_frustum, &region_sphere,
                                                     NULL};
static const scr_param no_params[] = {{0}};

const scr_section scr_section_region = {
    .name = "region",
    .doc = "A part of space. Grains are placed entirely inside the region; cells and faces of "
           "solids belong to it if their centres do.",
    .params = no_params,
    .selector = "shape",
    .selector_fallback = "box",
    .variants = region_variants,
};

// ---- outlets ----

static const scr_param outlet_params[] = {
    {"start", "since", SCR_REAL, "s", "0", ">= 0", AT(scr_outlet_def, start), "Opens at this time.", NULL},
    {"until", NULL, SCR_REAL, "s", "", "> 0", AT(scr_outlet_def, until),
     "Closes at this time. Default: the end of the run.", NULL},
    {0}};

static const scr_param outlet_plane_params[] = {
    {"point", NULL, SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_outlet_plane_def, point), "Any point of the plane.", NULL},
    {"normal", NULL, SCR_VEC3, "", "[0, 0, -1]", NULL, AT(scr_outlet_plane_def, normal),
     "Points to the side that is emptied: grains whose centre is there are removed. The normal of a wall has the "
     "opposite sense: it points to the grains. With `side` its sense does not matter.",
     NULL},
    {"side", NULL, SCR_CHOICE, NULL, "normal", "normal below above -x +x -y +y -z +z", AT(scr_outlet_plane_def, side),
     "The side of the plane that is emptied, in words. `below` and `above` are along z (as `-z` and `+z`), `-x` is "
     "where x is smaller. Without a normal the plane is perpendicular to that axis. `normal`: the side that the normal "
     "points to.",
     NULL},
    {0}};

static const scr_variant outlet_plane = {
    "plane", "One side of a plane: the one that its normal points to, or that `side` names.", outlet_plane_params,
    sizeof(scr_outlet_plane_def)};
static const scr_variant *const outlet_variants[] = {&outlet_plane,   &region_box,    &region_cylinder,
                                                     &region_frustum, &region_sphere, NULL};

const scr_section scr_section_outlets = {
    .name = "outlets",
    .doc = "Regions that remove and count the grains whose centre is inside, by name. They are tested every 64 "
           "steps with the integrators soft and elastic, every step with nonsmooth and variational. Frozen grains "
           "stay.",
    .named = true,
    .params = outlet_params,
    .size = sizeof(scr_outlet_def),
    .selector = "shape",
    .variants = outlet_variants,
};

// ---- regions that stay resolved ----

static const scr_param resolved_params[] = {
    {"moves_with", NULL, SCR_TEXT, NULL, "", NULL, AT(scr_resolved_def, moves_with),
     "Name of a wall that carries the region: it is given relative to the initial position "
     "of the wall, and moves and rotates with it. Default: it is fixed in space.",
     NULL},
    {0}};

const scr_section scr_section_resolved = {
    .name = "resolved_regions",
    .former = "sensors",
    .doc = "Regions that stay resolved when the integrator nonsmooth reduces, by name: grains whose "
           "centre is inside are never part of an aggregate, as around a blade that will disturb "
           "them.",
    .named = true,
    .params = resolved_params,
    .size = sizeof(scr_resolved_def),
    .selector = "shape",
    .selector_fallback = "box",
    .variants = region_variants,
};
