#include "build/solid_mesh.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/pose.h"
#include "shape/polyhedra_make.h"

#define FAIL(key, ...) scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key), __VA_ARGS__)

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "the mesh of a solid");
}

uint64_t scr_solid_seed(const scr_scene *scene, const scr_item *item)
{
    const scr_head_def *head = scr_scene_def(scene, "");
    uint64_t h = (uint64_t)head->seed;
    for (const char *c = item->name; *c; c++) h = 31 * h + (unsigned char)*c;
    return h;
}

/* ---- one function per variant of `mesh`; *volume is what all cells must add up to ---- */

#define MOST_CELLS 3e8 /* their faces have fewer than 2^32 corners */

scree_status scr_solid_periodic(const scr_scene *scene, const scr_item *item, const vec3 *box, const bool periodic[3],
                                scree_report *report)
{
    const scr_domain_def *domain = scr_scene_def(scene, "domain");
    const scr_solid_def *def = item->def;
    for (int d = 0; d < 3; d++) {
        double low = (&domain->box[0].x)[d], high = (&domain->box[1].x)[d];
        if (!periodic[d]) continue;
        if (!domain->periodic[d] || (&box[0].x)[d] != low || (&box[1].x)[d] != high)
            return FAIL("periodic",
                        "solids.%s is periodic along %c: the domain must be so too, and the box "
                        "reach from %g to %g m as the domain does",
                        item->name, "xyz"[d], low, high);
        if (v3_norm(def->rotate) > 0)
            return FAIL("rotate", "solids.%s is periodic along %c: it cannot be turned", item->name, "xyz"[d]);
    }
    return SCREE_OK;
}

static scree_status make_block(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                               scree_report *report)
{
    const scr_mesh_block_def *def = item->variant_def;
    bool counted = scr_item_has(item, "cells"), sized = !isnan(def->size);
    if (counted == sized)
        return FAIL(counted ? "size" : NULL,
                    "solids.%s %s: give cells, their number along x, y, z, or size, their edge [m]", item->name,
                    counted ? "has cells and size" : "lacks cells or size");
    vec3 edges = v3_sub(def->box[1], def->box[0]);
    scr_block_def block = {
        .lower = def->box[0], .upper = def->box[1], .jitter = def->jitter, .seed = scr_solid_seed(scene, item)};
    memcpy(block.periodic, def->periodic, sizeof block.periodic);
    scree_status status = scr_solid_periodic(scene, item, def->box, def->periodic, report);
    if (status) return status;
    double product = 1;
    for (int d = 0; d < 3; d++) {
        double n = counted ? (&def->cells.x)[d] : fmax(1, round((&edges.x)[d] / def->size));
        if (counted && (!(n >= 1) || n != floor(n)))
            return FAIL("cells", "solids.%s.cells has %g along %c, it must be a whole number >= 1", item->name, n,
                        "xyz"[d]);
        block.count[d] = (int)fmin(n, MOST_CELLS);
        product *= n;
    }
    if (product > MOST_CELLS)
        return FAIL(counted ? "cells" : "size", "solids.%s would have %g cells, at most %g are possible", item->name,
                    product, MOST_CELLS);
    *volume = edges.x * edges.y * edges.z;
    return scr_polyhedra_block(&block, mesh) ? SCREE_OK : no_memory(report);
}

// said at the key with the largest number
static scree_status check_count(const scr_scene *scene, const scr_item *item, const char *const keys[3],
                                const int counts[3], scree_report *report)
{
    double product = (double)counts[0] * counts[1] * counts[2];
    int most = 0;
    for (int k = 1; k < 3; k++)
        if (counts[k] > counts[most]) most = k;
    if (product <= MOST_CELLS) return SCREE_OK;
    return FAIL(keys[most],
                "solids.%s would have %g cells (%s, %s and %s are %d, %d and %d), at most %g are "
                "possible",
                item->name, product, keys[0], keys[1], keys[2], counts[0], counts[1], counts[2], MOST_CELLS);
}

// a direction that is not along the axis: what the scene says, or x, or y
static scree_status face(const scr_scene *scene, const scr_item *item, vec3 axis, vec3 facing, vec3 *zero,
                         scree_report *report)
{
    axis = v3_unit(axis);
    *zero = fabs(axis.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
    if (isnan(facing.x)) return SCREE_OK;
    *zero = v3_unit(facing);
    if (v3_norm(v3_cross(*zero, axis)) > 1e-6) return SCREE_OK;
    return FAIL("facing", "solids.%s.facing is [%g, %g, %g], it must not be along the axis", item->name, facing.x,
                facing.y, facing.z);
}

static scree_status make_cylinder(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                                  scree_report *report)
{
    const scr_mesh_cylinder_def *def = item->variant_def;
    scr_cylinder_def cylinder = {.from = def->from,
                                 .to = def->to,
                                 .radius = def->radius,
                                 .inner = def->inner,
                                 .across = (int)def->across,
                                 .around = (int)def->around,
                                 .along = (int)def->along};
    vec3 axis = v3_sub(def->to, def->from);
    if (!(v3_norm(axis) > 1e-9 * def->radius))
        return FAIL("to", "solids.%s begins and ends at the same point, [%g, %g, %g]", item->name, def->from.x,
                    def->from.y, def->from.z);
    if (def->inner >= def->radius)
        return FAIL("inner", "solids.%s.inner is %g m, it must be less than the radius, %g m", item->name, def->inner,
                    def->radius);
    scree_status status = face(scene, item, axis, def->facing, &cylinder.zero, report);
    static const char *const keys[3] = {"across", "around", "along"};
    const int counts[3] = {cylinder.across, cylinder.around, cylinder.along};
    if (!status) status = check_count(scene, item, keys, counts, report);
    if (status) return status;
    *volume = scr_cylinder_def_volume(&cylinder);
    return scr_polyhedra_cylinder(&cylinder, mesh) ? SCREE_OK : no_memory(report);
}

static scree_status make_sphere(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                                scree_report *report)
{
    static const double whole = 3.14159265358979323846;
    const scr_mesh_sphere_def *def = item->variant_def;
    bool solid = !scr_item_has(item, "thickness");
    scr_sphere_def sphere = {.centre = def->center,
                             .axis = def->axis,
                             .radius = def->radius,
                             .thickness = solid ? def->radius : def->thickness,
                             .top = def->top,
                             .bottom = fabs(def->bottom - whole) < 1e-12 ? whole : def->bottom,
                             .radial = (int)def->radial,
                             .polar = (int)def->polar,
                             .around = (int)def->around};
    if (!(v3_norm(def->axis) > 0)) return FAIL("axis", "solids.%s.axis has no direction", item->name);
    if (!solid && def->thickness >= def->radius)
        return FAIL("thickness",
                    "solids.%s.thickness is %g m, it must be less than the radius, %g m; or take "
                    "mesh: sphere",
                    item->name, def->thickness, def->radius);
    if (sphere.bottom > whole)
        return FAIL("bottom", "solids.%s.bottom is %g deg, it must be at most 180 deg", item->name,
                    def->bottom * 180 / whole);
    if (sphere.top >= sphere.bottom)
        return FAIL("top", "solids.%s.top is %g deg, it must be less than bottom, %g deg", item->name,
                    def->top * 180 / whole, def->bottom * 180 / whole);
    if (sphere.bottom - sphere.top >= 0.999 * whole * sphere.polar)
        return FAIL("polar", "solids.%s.polar is 1: a whole sphere needs at least 2 rings", item->name);
    scree_status status = face(scene, item, def->axis, def->facing, &sphere.zero, report);
    static const char *const keys[3] = {"radial", "polar", "around"};
    const int counts[3] = {sphere.radial, sphere.polar, sphere.around};
    if (!status) status = check_count(scene, item, keys, counts, report);
    if (status) return status;
    *volume = scr_sphere_def_volume(&sphere);
    return scr_polyhedra_sphere(&sphere, mesh) ? SCREE_OK : no_memory(report);
}

static const struct {
    const char *name;
    scree_status (*make)(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                         scree_report *report);
} makers[] = {{"block", make_block},      {"cylinder", make_cylinder}, {"tube", make_cylinder},
              {"sphere", make_sphere},    {"shell", make_sphere},      {"voronoi", scr_solid_voronoi},
              {"plate", scr_solid_plate}, {"file", scr_solid_file}};

/* ---- all ---- */

static void put_in_place(const scr_solid_def *def, scr_polyhedra *mesh)
{
    pose p = pose_turn(v3_unit(def->rotate), v3_norm(def->rotate));
    p.shift = def->translate;
    for (size_t k = 0; k < mesh->point_count; k++)
        v3_store(mesh->points + 3 * k, pose_point(&p, v3_load(mesh->points + 3 * k)));
    for (size_t k = 0; mesh->seeds && k < mesh->cell_count; k++)
        v3_store(mesh->seeds + 3 * k, pose_point(&p, v3_load(mesh->seeds + 3 * k)));
}

static scree_status check(const scr_scene *scene, const scr_item *item, const scr_polyhedra *mesh, double volume,
                          scree_report *report)
{
    scr_cell_shape *cells = scr_memory_new(mesh->cell_count, sizeof *cells);
    scr_face_shape *faces = scr_memory_new(mesh->face_count, sizeof *faces);
    scree_status status = SCREE_OK;
    scr_mesh_fault fault = {.cell = -1, .face = -1};
    if (!cells || !faces || !scr_polyhedra_shapes(mesh, cells, faces))
        status = no_memory(report);
    else if (!scr_polyhedra_check(mesh, cells, faces, volume, &fault))
        status = FAIL(NULL, "solids.%s: %s", item->name, fault.what);
    scr_memory_free(cells);
    scr_memory_free(faces);
    return status;
}

scree_status scr_solid_mesh(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, scree_report *report)
{
    double volume = NAN;
    scree_status status = SCREE_E_INPUT;
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++)
        if (!strcmp(makers[k].name, item->variant->name)) status = makers[k].make(scene, item, mesh, &volume, report);
    if (status) return status;
    put_in_place(item->def, mesh);
    if (!scr_polyhedra_sort(mesh)) return no_memory(report);
    return check(scene, item, mesh, volume, report);
}
