/* Random sequential insertion: grains are put one after the other, the largest first, at random
 * places where they touch nothing. Equal spheres jam in this way at a solid fraction of 0.384
 * (Cooper 1988), and ever more tries are wasted on the way there; the number of tries is bounded. */
#include <stdlib.h>

#include "base/buffer.h"
#include "scene/generators.h"
#include "scene/space.h"

#define PI 3.14159265358979323846

// tries for one grain, and for all together per grain
static const int64_t MOST_TRIES = 100000, TRIES_PER_GRAIN = 300, TRIES_FREE = 2000000;

// ---- sizes ----

static double ball_volume(double radius)
{
    return 4 * PI / 3 * radius * radius * radius;
}

static int largest_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

// draws all radii: a count of them, or until the solid volume is reached
static scree_status draw_radii(scr_generator *g, const scr_region *region, double **radii, size_t *count)
{
    const scr_bodies_random_def *def = g->group->variant_def;
    const double *range = g->grading.radius;
    bool counted = isnan(def->fraction);
    double mean = 4 * PI / 3 * scr_grading_moment(&g->grading, 3), solid = 0;
    double wanted = counted ? (double)def->count : def->fraction * region->volume / mean;
    double fraction = wanted * mean / region->volume;
    scree_place at = scr_generator_place(g, counted ? "count" : "fraction");
    // equal spheres jam at 0.384, unequal ones somewhat later
    if (fraction > 0.385 + 0.3 * (1 - range[0] / range[1]))
        return scr_fail(g->report, SCREE_E_INPUT, at,
                        "%.6g grains of bodies.%s would fill %.3g of their region, random insertion "
                        "reaches about 0.35",
                        wanted, g->group->name, fraction);
    if (wanted > SCR_MOST_GRAINS)
        return scr_fail(g->report, SCREE_E_INPUT, at, "bodies.%s would have %.3g grains, at most %d are possible",
                        g->group->name, wanted, SCR_MOST_GRAINS);
    if (!scr_reserve(radii, (size_t)(1.1 * wanted) + 100)) return SCREE_E_MEMORY;
    while (counted ? *count < (size_t)def->count : solid < def->fraction * region->volume) {
        if (!scr_reserve(radii, *count + 1)) return SCREE_E_MEMORY;
        double r = scr_generator_radius(g);
        (*radii)[(*count)++] = r;
        solid += ball_volume(r);
    }
    qsort(*radii, *count, sizeof **radii, largest_first);
    return SCREE_OK;
}

// ---- insertion ----

static scree_status prepare(scr_generator *g, scr_space *space, const double *radii, size_t count)
{
    const scr_bodies_random_def *def = g->group->variant_def;
    const scr_grain *earlier = g->grains->items;
    scr_space_begin(space, scr_scene_def(g->scene, "domain"), def->gap);
    for (size_t k = 0; k < g->grains->count; k++) scr_space_expect(space, earlier[k].radius);
    for (size_t k = 0; k < count; k++) scr_space_expect(space, radii[k]);
    if (!scr_space_reserve(space, g->grains->count + count)) return SCREE_E_MEMORY;
    for (size_t k = 0; k < g->grains->count; k++)
        scr_space_add(space, scr_space_wrap(space, earlier[k].position), earlier[k].radius);
    return scr_generator_reserve(g, count) ? SCREE_OK : SCREE_E_MEMORY;
}

static scree_status report_jam(const scr_generator *g, const scr_region *region, size_t placed, size_t count,
                               double solid)
{
    return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, NULL),
                    "bodies.%s: %zu of %zu grains found a place, at a solid fraction of %.3g of the "
                    "region; ask for fewer or smaller grains, a larger region, or use from: lattice",
                    g->group->name, placed, count, solid / region->volume);
}

static scree_status place_all(scr_generator *g, scr_space *space, const scr_region *region, const double *radii,
                              size_t count)
{
    int64_t left = TRIES_FREE + TRIES_PER_GRAIN * (int64_t)count;
    double solid = 0;
    for (size_t n = 0; n < count; n++) {
        double r = radii[n];
        vec3 p;
        bool placed = false;
        int64_t tries = scr_space_fits_period(space, r) ? MOST_TRIES : 0;
        while (!placed && tries-- > 0 && left-- > 0) {
            if (!scr_region_point(region, r, &g->random, &p)) break;
            if (!scr_region_holds(region, p, r, 0)) continue;
            p = scr_space_wrap(space, p);
            placed = scr_space_is_free(space, p, r) && scr_generator_clear(g, p, r);
        }
        if (!placed) return report_jam(g, region, n, count, solid);
        scr_space_add(space, p, r);
        solid += ball_volume(r);
        if (!scr_generator_add(g, (scr_grain){.position = p, .radius = r, .density = NAN})) return SCREE_E_MEMORY;
    }
    return SCREE_OK;
}

scree_status scr_generate_random(scr_generator *g)
{
    const scr_bodies_random_def *def = g->group->variant_def;
    scr_space space = {0};
    double *radii = NULL;
    size_t count = 0, before = g->grains->count;
    scr_region region;
    scree_status status = scr_generator_room(g, &def->region, &region);
    if (!status) status = draw_radii(g, &region, &radii, &count);
    if (!status) status = prepare(g, &space, radii, count);
    if (!status) status = place_all(g, &space, &region, radii, count);
    if (status) g->grains->count = before;
    scr_space_deinit(&space);
    scr_buffer_free(radii);
    return status;
}
