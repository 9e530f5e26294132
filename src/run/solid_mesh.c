#include "run/solid_mesh.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/pose.h"
#include "shape/polyhedra_make.h"

#define FAIL(key, ...)                                                                             \
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key), __VA_ARGS__)

static scree_status no_memory(scree_report *report)
{
    return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for the mesh of a solid");
}

static uint64_t seed_of(const scr_scene *scene, const scr_item *item)
{
    const scr_head_def *head = scr_scene_def(scene, "");
    uint64_t h = (uint64_t)head->seed;
    for (const char *c = item->name; *c; c++) h = 31 * h + (unsigned char)*c;
    return h;
}

/* ---- one function per variant of `mesh`; *volume is what all cells must add up to ---- */

#define MOST_CELLS 1e9

static scree_status set_periodic(const scr_scene *scene, const scr_item *item, scr_block_def *block,
                                 scree_report *report)
{
    const scr_mesh_block_def *def = item->variant_def;
    const scr_domain_def *domain = scr_scene_def(scene, "domain");
    for (int d = 0; d < 3; d++) {
        block->periodic[d] = def->periodic[d];
        double low = (&domain->box[0].x)[d], high = (&domain->box[1].x)[d];
        if (!def->periodic[d]) continue;
        if (!domain->periodic[d] || (&def->box[0].x)[d] != low || (&def->box[1].x)[d] != high)
            return FAIL("periodic",
                        "solids.%s is periodic along %c: the domain must be so too, and the box "
                        "reach from %g to %g m as the domain does",
                        item->name, "xyz"[d], low, high);
    }
    return SCREE_OK;
}

static scree_status make_block(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh,
                               double *volume, scree_report *report)
{
    const scr_mesh_block_def *def = item->variant_def;
    bool counted = scr_item_has(item, "cells"), sized = !isnan(def->size);
    if (counted == sized)
        return FAIL(counted ? "size" : NULL,
                    "solids.%s %s: give cells, their number along x, y, z, or size, their edge [m]",
                    item->name, counted ? "has cells and size" : "lacks cells or size");
    vec3 edges = v3_sub(def->box[1], def->box[0]);
    scr_block_def block = {.lower = def->box[0],
                           .upper = def->box[1],
                           .jitter = def->jitter,
                           .seed = seed_of(scene, item)};
    scree_status status = set_periodic(scene, item, &block, report);
    if (status) return status;
    double product = 1;
    for (int d = 0; d < 3; d++) {
        double n = counted ? (&def->cells.x)[d] : fmax(1, round((&edges.x)[d] / def->size));
        if (!(n >= 1) || n != floor(n) || n > MOST_CELLS)
            return FAIL("cells", "solids.%s.cells has %g along %c, it must be a whole number >= 1",
                        item->name, n, "xyz"[d]);
        block.count[d] = (int)n;
        product *= n;
    }
    if (product > MOST_CELLS)
        return FAIL(counted ? "cells" : "size",
                    "solids.%s would have %g cells, at most %g are possible", item->name, product,
                    MOST_CELLS);
    *volume = edges.x * edges.y * edges.z;
    return scr_polyhedra_block(&block, mesh) ? SCREE_OK : no_memory(report);
}

static const struct {
    const char *name;
    scree_status (*make)(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh,
                         double *volume, scree_report *report);
} makers[] = {{"block", make_block}};

/* ---- all ---- */

static void put_in_place(const scr_solid_def *def, scr_polyhedra *mesh)
{
    pose p = pose_turn(v3_unit(def->rotate), v3_norm(def->rotate));
    p.shift = def->translate;
    for (size_t k = 0; k < mesh->point_count; k++)
        v3_store(mesh->points + 3 * k, pose_point(&p, v3_load(mesh->points + 3 * k)));
}

static scree_status check(const scr_scene *scene, const scr_item *item, const scr_polyhedra *mesh,
                          double volume, scree_report *report)
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

scree_status scr_solid_mesh(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh,
                            scree_report *report)
{
    double volume = NAN;
    scree_status status = SCREE_E_INPUT;
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++)
        if (!strcmp(makers[k].name, item->variant->name))
            status = makers[k].make(scene, item, mesh, &volume, report);
    if (status) return status;
    put_in_place(item->def, mesh);
    if (!scr_polyhedra_sort(mesh)) return no_memory(report);
    return check(scene, item, mesh, volume, report);
}
