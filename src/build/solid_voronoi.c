/* Voronoi meshes and plates: what the scene says, in the terms of shape/voronoi.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "build/solid_mesh.h"
#include "math/elementary.h"
#include "scene/region.h"
#include "shape/polyhedra_make.h"
#include "shape/voronoi.h"

#define PI         3.14159265358979323846
#define MOST_CELLS 2e7

#define FAIL(key, ...) scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key), __VA_ARGS__)

static const scr_seeding seedings[] = {[SCR_MESH_SEEDS_RANDOM] = SCR_SEEDS_RANDOM,
                                       [SCR_MESH_SEEDS_GRID] = SCR_SEEDS_GRID,
                                       [SCR_MESH_SEEDS_GIVEN] = SCR_SEEDS_GIVEN};

static scree_status check_seeds(const scr_scene *scene, const scr_item *item, const scr_mesh_seeds_def *by,
                                scree_report *report)
{
    bool counted = by->cells > 0, sized = !isnan(by->size), given = by->seeds == SCR_MESH_SEEDS_GIVEN;
    if (given != (by->points.count > 0))
        return FAIL(given ? "seeds" : "points", "solids.%s has %s", item->name,
                    given ? "seeds: given, but no points" : "points, which are for seeds: given");
    if (given && (counted || sized))
        return FAIL(counted ? "cells" : "size",
                    "solids.%s has points and %s: each point makes a cell, give the points alone", item->name,
                    counted ? "cells" : "size");
    if (!given && counted == sized)
        return FAIL(counted ? "size" : NULL, "solids.%s %s: give cells, their number, or size, their edge [m]",
                    item->name, counted ? "has cells and size" : "lacks cells or size");
    if (by->jitter > 0 && by->seeds != SCR_MESH_SEEDS_GRID)
        return FAIL("jitter", "solids.%s.jitter is for seeds: grid", item->name);
    return SCREE_OK;
}

// how many seeds a body of this volume gets, or an outline of this area
static scree_status count_seeds(const scr_scene *scene, const scr_item *item, const scr_mesh_seeds_def *by,
                                double measure, int dimensions, size_t *count, scree_report *report)
{
    double n = by->points.count ? by->points.count
               : by->cells      ? (double)by->cells
                                : fmax(1, round(measure / scr_pow(by->size, dimensions)));
    const char *key = by->points.count ? "points" : by->cells ? "cells" : "size";
    if (!(n <= MOST_CELLS))
        return FAIL(key, "solids.%s.%s makes %.3g cells, at most %g are possible", item->name, key, n, MOST_CELLS);
    *count = (size_t)n;
    return SCREE_OK;
}

static scree_status made(const scr_scene *scene, const scr_item *item, bool ok, const scr_mesh_fault *fault,
                         scree_report *report)
{
    return ok ? SCREE_OK : FAIL(NULL, "solids.%s: %s", item->name, fault->what);
}

/* ---- voronoi ---- */

typedef struct {
    scr_cut cuts[SCR_MOST_CUTS];
    char names[SCR_MOST_SIDES][24]; /* of planes */
    int count;
} cut_list;

static int bounded(double n, int low, int high)
{
    return n < low ? low : n > high ? high : (int)lround(n);
}

static void cut_box(const vec3 box[2], cut_list *list)
{
    static const char *const names[6] = {"x-", "x+", "y-", "y+", "z-", "z+"};
    for (int k = 0; k < 6; k++) {
        double normal[3] = {0, 0, 0};
        normal[k / 2] = k % 2 ? 1 : -1;
        list->cuts[list->count++] = (scr_cut){v3_load(normal), normal[k / 2] * (&box[k % 2].x)[k / 2], names[k]};
    }
}

// planes around the region; `cell` is the size of a cell
static void cut_region(const scr_mesh_voronoi_def *def, const scr_region *r, double cell, cut_list *list)
{
    int facets = (int)def->facets;
    if (r->kind == SCR_REGION_FRUSTUM) {
        double radius = fmax(r->radius[0], r->radius[1]);
        if (!facets) facets = bounded(2 * PI * radius / cell, 12, 120);
        list->count = scr_cuts_frustum(r->from, v3_axpy(r->from, r->length, r->axis), r->radius[0], r->radius[1],
                                       facets, list->cuts);
    } else if (r->kind == SCR_REGION_SPHERE) {
        if (!facets) facets = bounded(4 * PI * scr_pow(r->radius[0] / cell, 2), 20, 200);
        list->count = scr_cuts_sphere(r->center, r->radius[0], facets, list->cuts);
    } else {
        const vec3 box[2] = {r->low, r->high};
        cut_box(box, list);
    }
}

static scree_status cut_planes(const scr_scene *scene, const scr_item *item, cut_list *list, scree_report *report)
{
    const scr_mesh_voronoi_def *def = item->variant_def;
    const int most = 20; // with the sides of a region, fewer than SCR_MOST_SIDES
    if (def->planes.count > most)
        return FAIL("planes", "solids.%s.planes has %d rows, at most %d are possible", item->name, def->planes.count,
                    most);
    for (int k = 0; k < def->planes.count; k++) {
        const double *row = def->planes.rows + 4 * k;
        double length = v3_norm(v3_load(row));
        if (!(length > 0)) return FAIL("planes", "solids.%s.planes: the normal of plane %d is zero", item->name, k + 1);
        snprintf(list->names[k], sizeof list->names[k], "plane%d", k + 1);
        list->cuts[list->count++] = (scr_cut){v3_scale(1 / length, v3_load(row)), row[3], list->names[k]};
    }
    return SCREE_OK;
}

// the region alone, as a box, or planes in `list`; *volume of it
static scree_status find_body(const scr_scene *scene, const scr_item *item, bool is_box, cut_list *list, double *volume,
                              scree_report *report)
{
    const scr_mesh_voronoi_def *def = item->variant_def;
    scr_region region;
    if (def->region.variant) {
        int least = !strcmp(def->region.variant->name, "sphere") ? 8 : 3;
        if (def->facets && def->facets < least)
            return FAIL("facets", "solids.%s.facets is %d, it must be 0 or at least %d", item->name, (int)def->facets,
                        least);
        if (!scr_region_init(&region, scene, &def->region) || !(region.volume > 0))
            return FAIL("region", "solids.%s.region has no volume", item->name);
        *volume = region.volume;
        double cell = isnan(def->by.size)
                          ? scr_cbrt(region.volume / (double)(def->by.cells ? def->by.cells : def->by.points.count))
                          : def->by.size;
        if (!is_box) cut_region(def, &region, cell, list);
    }
    scree_status status = cut_planes(scene, item, list, report);
    if (status || is_box) return status;
    scr_cuts_body body;
    if (!scr_cuts_measure(list->cuts, list->count, &body)) return FAIL("planes", "solids.%s: %s", item->name, body.why);
    *volume = body.volume;
    return SCREE_OK;
}

scree_status scr_solid_voronoi(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                               scree_report *report)
{
    const scr_mesh_voronoi_def *def = item->variant_def;
    scree_status status = check_seeds(scene, item, &def->by, report);
    if (status) return status;
    bool region = def->region.variant != NULL;
    if (!region && !def->planes.count)
        return FAIL(NULL, "solids.%s lacks region or planes: where the cells are", item->name);
    bool is_box = region && !strcmp(def->region.variant->name, "box") && !def->planes.count;
    scr_voronoi_def voronoi = {.seeding = seedings[def->by.seeds],
                               .given = def->by.points.rows,
                               .jitter = def->by.jitter,
                               .seed = scr_solid_seed(scene, item),
                               .lloyd = (int)def->by.lloyd};
    bool periodic = def->periodic[0] || def->periodic[1] || def->periodic[2];
    if (periodic && !is_box)
        return FAIL("periodic", "solids.%s is periodic: its region must be a box, without planes", item->name);
    if (is_box) {
        const scr_region_box_def *box = def->region.variant_def;
        voronoi.lower = box->box[0], voronoi.upper = box->box[1];
        memcpy(voronoi.periodic, def->periodic, sizeof voronoi.periodic);
        status = scr_solid_periodic(scene, item, box->box, def->periodic, report);
    }
    cut_list *list = scr_memory_new(1, sizeof *list);
    if (!list) return scr_no_memory(report, "the mesh");
    if (!status) status = find_body(scene, item, is_box, list, volume, report);
    if (!status) status = count_seeds(scene, item, &def->by, *volume, 3, &voronoi.count, report);
    if (!status) {
        scr_mesh_fault fault;
        voronoi.cuts = list->cuts, voronoi.cut_count = list->count;
        bool ok = scr_voronoi_build(&voronoi, mesh, volume, &fault);
        status = made(scene, item, ok, &fault, report);
    }
    scr_memory_free(list);
    return status;
}

/* ---- plates ---- */

// corners of a disc: a polygon of its area
static vec3 *disc_corners(const scr_mesh_plate_def *def, int *count)
{
    double area = PI * def->radius * def->radius;
    double cell = isnan(def->by.size) ? sqrt(area / (double)(def->by.cells ? def->by.cells : def->by.points.count))
                                      : def->by.size;
    *count = def->facets ? (int)def->facets : bounded(2 * PI * def->radius / cell, 12, 120);
    vec3 *corners = scr_memory_new((size_t)*count, sizeof *corners);
    vec3 z = v3_unit(def->axis), x = v3_perpendicular(z), y = v3_cross(z, x);
    double r = def->radius * sqrt(2 * PI / (*count * scr_sin(2 * PI / *count)));
    for (int k = 0; corners && k < *count; k++) {
        double angle = 2 * PI * k / *count;
        corners[k] = v3_axpy(v3_axpy(def->center, r * scr_cos(angle), x), r * scr_sin(angle), y);
    }
    return corners;
}

static vec3 *outline_corners(const scr_mesh_plate_def *def, int *count)
{
    *count = def->outline.count;
    vec3 *corners = scr_memory_new((size_t)*count, sizeof *corners);
    for (int k = 0; corners && k < *count; k++) corners[k] = v3_load(def->outline.rows + 3 * k);
    return corners;
}

static double outline_area(const vec3 *corners, int count)
{
    vec3 sum = {0, 0, 0};
    for (int k = 0; k < count; k++)
        sum = v3_add(sum, v3_cross(v3_sub(corners[k], corners[0]), v3_sub(corners[(k + 1) % count], corners[0])));
    return 0.5 * v3_norm(sum);
}

static scree_status check_outline(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_mesh_plate_def *def = item->variant_def;
    bool disc = !isnan(def->radius) || !isnan(def->center.x), outline = def->outline.count > 0;
    if (disc == outline)
        return FAIL(disc ? "outline" : NULL, "solids.%s %s: give outline, or center and radius of a disc", item->name,
                    disc ? "has an outline and a disc" : "lacks outline");
    if (outline && (def->outline.count < 3 || def->outline.count > 400))
        return FAIL("outline", "solids.%s.outline has %d corners, it must have 3 to 400", item->name,
                    def->outline.count);
    if (disc && (isnan(def->radius) || isnan(def->center.x)))
        return FAIL(NULL, "solids.%s lacks %s of the disc", item->name, isnan(def->radius) ? "radius" : "center");
    if (disc && def->facets && def->facets < 3)
        return FAIL("facets", "solids.%s.facets is %d, it must be 0 or at least 3", item->name, (int)def->facets);
    if (disc && !(v3_norm(def->axis) > 0)) return FAIL("axis", "solids.%s.axis has no direction", item->name);
    return SCREE_OK;
}

scree_status scr_solid_plate(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                             scree_report *report)
{
    const scr_mesh_plate_def *def = item->variant_def;
    scree_status status = check_seeds(scene, item, &def->by, report);
    if (!status) status = check_outline(scene, item, report);
    if (status) return status;
    scr_plate_def plate = {.thickness = def->thickness,
                           .layers = (int)def->layers,
                           .seeding = seedings[def->by.seeds],
                           .given = def->by.points.rows,
                           .jitter = def->by.jitter,
                           .seed = scr_solid_seed(scene, item),
                           .lloyd = (int)def->by.lloyd};
    vec3 *corners =
        def->outline.count ? outline_corners(def, &plate.corner_count) : disc_corners(def, &plate.corner_count);
    if (!corners) return scr_no_memory(report, "the mesh");
    plate.outline = corners;
    status = count_seeds(scene, item, &def->by, outline_area(corners, plate.corner_count), 2, &plate.count, report);
    if (!status && (double)plate.count * plate.layers > MOST_CELLS)
        status = FAIL("layers", "solids.%s would have %g cells, at most %g are possible", item->name,
                      (double)plate.count * plate.layers, MOST_CELLS);
    if (!status) {
        scr_mesh_fault fault;
        bool ok = scr_polyhedra_plate(&plate, mesh, volume, &fault);
        status = made(scene, item, ok, &fault, report);
    }
    scr_memory_free(corners);
    return status;
}
