/* Random sequential insertion: grains are put one after the other, the largest first, at random
 * places where they touch nothing. Equal spheres jam in this way at a solid fraction of 0.384
 * (Cooper 1988), and ever more tries are wasted on the way there; the number of tries is bounded. */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
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
    if (range[0] < range[1]) qsort(*radii, *count, sizeof **radii, largest_first);
    return SCREE_OK;
}

// ---- insertion ----

// radii are in order: equal ones follow each other
static void expect_radii(scr_space *space, const double *radii, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!k || radii[k] != radii[k - 1]) scr_space_expect(space, radii[k]);
}

static scree_status prepare(scr_generator *g, scr_space *space, const double *radii, size_t count)
{
    const scr_bodies_random_def *def = g->group->variant_def;
    const scr_grain *earlier = g->grains->items;
    scr_space_begin(space, scr_scene_def(g->scene, "domain"), def->gap);
    for (size_t k = 0; k < g->grains->count; k++) scr_space_expect(space, earlier[k].radius);
    expect_radii(space, radii, count);
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

/* ---- tries ---- */

/* Grains are tried one after the other, but whether a place is free of those inserted long ago can be asked of many
 * tries at once, by all threads: the numbers that a try draws are known before, and its radius is within bounds. What
 * remains for each in its turn are those inserted since. */

#define MOST_AHEAD  8192 /* tries at once */
#define LEAST_AHEAD 256
#define PART        64 /* of them for one thread at a time */

typedef enum { BLOCKED, FREE, UNSURE } outlook;

typedef struct {
    scr_generator *g;
    scr_space *space; /* those inserted before these tries, */
    scr_space fresh;  /* and since */
    const scr_region *region;
    const double *radii;
    size_t placed, count; /* grains */
    size_t ahead;         /* tries */
    double least, most;   /* radii that they may have */
    scr_random random;    /* before the first of them */
    uint8_t outlook[MOST_AHEAD];
} insertion;

static bool point_of_try(const insertion *in, size_t number, vec3 *p)
{
    scr_random random = in->random;
    random.counter += SCR_REGION_DRAWS * number;
    bool fits = scr_region_point(in->region, in->least, &random, p);
    if (fits) *p = scr_space_wrap(in->space, *p);
    return fits;
}

// points are those of the least radius: with any other that may be tried, theirs are not farther away than `off`
static void look_ahead(void *context, size_t part)
{
    insertion *in = context;
    size_t first = part * PART, count = in->ahead - first < PART ? in->ahead - first : PART;
    double off = in->most > in->least ? 2 * (in->most - in->least) + 1e-9 * in->most : 0;
    vec3 points[PART] = {0};
    bool free[PART];
    // who has no point is told so in his turn
    for (size_t k = 0; k < count; k++)
        if (!point_of_try(in, first + k, &points[k])) points[k] = in->region->low;
    scr_space_are_free(in->space, points, count, in->most + off, free);
    for (size_t k = 0; k < count; k++) {
        bool blocked = !free[k] && (off == 0 || !scr_space_is_free(in->space, points[k], in->least - off));
        in->outlook[first + k] = free[k] ? FREE : blocked ? BLOCKED : UNSURE;
    }
}

static bool begin_tries(insertion *in)
{
    size_t left = in->count - in->placed;
    in->ahead = left < LEAST_AHEAD ? LEAST_AHEAD : left > MOST_AHEAD ? MOST_AHEAD : left;
    size_t end = in->placed + (in->ahead < left ? in->ahead : left);
    in->random = in->g->random;
    in->most = in->radii[in->placed], in->least = in->radii[end - 1];
    scr_space_begin(&in->fresh, scr_scene_def(in->g->scene, "domain"), in->space->gap);
    expect_radii(&in->fresh, in->radii + in->placed, end - in->placed);
    if (!scr_space_reserve(&in->fresh, MOST_AHEAD)) return false;
    size_t parts = (in->ahead + PART - 1) / PART;
    scr_grains_each *each = in->g->grains->each;
    if (each) each(parts, look_ahead, in);
    for (size_t k = 0; k < parts && !each; k++) look_ahead(in, k);
    return true;
}

static bool finds_place(insertion *in, size_t number, double r, vec3 *p)
{
    if (in->outlook[number] == BLOCKED || !scr_region_holds(in->region, *p, r, 0)) return false;
    *p = scr_space_wrap(in->space, *p);
    return scr_space_is_free(&in->fresh, *p, r) &&
           (in->outlook[number] == FREE || scr_space_is_free(in->space, *p, r)) && scr_generator_clear(in->g, *p, r);
}

static scree_status insert(insertion *in)
{
    int64_t left = TRIES_FREE + TRIES_PER_GRAIN * (int64_t)in->count, tries = MOST_TRIES;
    double solid = 0;
    size_t number = 0;
    for (in->ahead = 0; in->placed < in->count; number++) {
        double r = in->radii[in->placed];
        vec3 p;
        if (number == in->ahead) {
            scr_space_join(in->space, &in->fresh);
            if (!begin_tries(in)) return SCREE_E_MEMORY;
            number = 0;
        }
        if (!scr_space_fits_period(in->space, r) || tries-- <= 0 || left-- <= 0 ||
            !scr_region_point(in->region, r, &in->g->random, &p))
            return report_jam(in->g, in->region, in->placed, in->count, solid);
        if (!finds_place(in, number, r, &p)) continue;
        scr_space_add(&in->fresh, p, r);
        solid += ball_volume(r);
        in->placed++, tries = MOST_TRIES;
        if (!scr_generator_add(in->g, (scr_grain){.position = p, .radius = r, .density = NAN})) return SCREE_E_MEMORY;
    }
    return SCREE_OK;
}

static scree_status place_all(scr_generator *g, scr_space *space, const scr_region *region, const double *radii,
                              size_t count)
{
    insertion *in = scr_memory_new(1, sizeof *in);
    if (!in) return SCREE_E_MEMORY;
    *in = (insertion){.g = g, .space = space, .region = region, .radii = radii, .count = count};
    scree_status status = insert(in);
    scr_space_deinit(&in->fresh);
    scr_memory_free(in);
    return status;
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
