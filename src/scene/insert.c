/* Random sequential insertion: grains are put one after the other, the largest first, at random
 * places where they touch nothing. Equal spheres jam in this way at a solid fraction of 0.384
 * (Cooper 1988), and ever more tries are wasted on the way there; the number of tries is bounded.
 *
 * Several ranks make the same tries in the same order, and each knows the grains around its own slab of space alone
 * (slabs.h): it says of the tries there whether they have room, and all of them go on with the answers of all. */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "scene/generators.h"
#include "scene/sketch.h"
#include "scene/slabs.h"
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

// draws all radii: a count of them, or until the solid volume is reached. Equal ones are kept as one
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
    bool same = range[0] == range[1];
    if (!scr_reserve(radii, same ? 1 : (size_t)(1.1 * wanted) + 100)) return SCREE_E_MEMORY;
    while (counted ? *count < (size_t)def->count : solid < def->fraction * region->volume) {
        if (!same && !scr_reserve(radii, *count + 1)) return SCREE_E_MEMORY;
        double r = scr_generator_radius(g);
        (*radii)[same ? 0 : *count] = r;
        ++*count;
        solid += ball_volume(r);
    }
    if (!same) qsort(*radii, *count, sizeof **radii, largest_first);
    return SCREE_OK;
}

// ---- insertion ----

// radii are in order: equal ones follow each other
static void expect_radii(scr_space *space, const double *radii, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!k || radii[k] != radii[k - 1]) scr_space_expect(space, radii[k]);
}

// how many radii there are to look at
static size_t kinds_of(const scr_generator *g, size_t count)
{
    return g->grading.radius[0] == g->grading.radius[1] && count ? 1 : count;
}

static scree_status prepare(scr_generator *g, scr_space *space, const double *radii, size_t count)
{
    const scr_grain *earlier = g->grains->items;
    for (size_t k = 0; k < g->grains->count; k++) scr_space_expect(space, earlier[k].radius);
    expect_radii(space, radii, kinds_of(g, count));
    if (!scr_space_reserve(space, g->grains->count + count)) return SCREE_E_MEMORY;
    for (size_t k = 0; k < g->grains->count; k++)
        scr_space_add(space, scr_space_wrap(space, earlier[k].position), earlier[k].radius);
    return scr_generator_reserve(g, count) ? SCREE_OK : SCREE_E_MEMORY;
}

// what can touch a ball of the group: points of a try are not farther from where it was expected than twice what radii
// differ
static double reach_of(const scr_space *space, double largest)
{
    return 3 * largest + space->gap;
}

// the same where each rank has a part: about its share, and more when it is needed
static void prepare_part(scr_generator *g, scr_space *space, const scr_slabs *slabs, const double *radii, size_t count)
{
    double *wrapped = NULL, reach = count ? reach_of(space, radii[0]) : 0;
    size_t there = g->grains->there_count;
    scr_ball *earlier = NULL;
    slabs->ranks->need(scr_reserve(&wrapped, 4 * there + 1));
    for (size_t k = 0; k < there; k++) {
        v3_store(wrapped + 4 * k, scr_space_wrap(space, v3_load(g->grains->there + 4 * k)));
        wrapped[4 * k + 3] = g->grains->there[4 * k + 3];
    }
    size_t known = scr_slabs_deal(slabs, wrapped, there, reach, &earlier);
    scr_buffer_free(wrapped);
    for (size_t k = 0; k < known; k++) scr_space_expect(space, earlier[k].radius);
    expect_radii(space, radii, kinds_of(g, count));
    slabs->ranks->need(scr_space_reserve(space, known + count / (size_t)slabs->ranks->size + 64));
    for (size_t k = 0; k < known; k++)
        scr_space_add(space, v3(earlier[k].x, earlier[k].y, earlier[k].z), earlier[k].radius);
    scr_buffer_free(earlier);
    slabs->ranks->need(scr_generator_reserve(g, count));
}

static scree_status report_jam(const scr_generator *g, const scr_region *region, size_t placed, size_t count,
                               double solid)
{
    return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, NULL),
                    "bodies.%s: only %zu of %zu grains fit, at a solid fraction of %.3g of the "
                    "region; use fewer or smaller grains, a larger region, or from: lattice",
                    g->group->name, placed, count, solid / region->volume);
}

/* ---- tries ---- */

/* Grains are tried one after the other, but whether a place is free of those inserted long ago can be asked of many
 * tries at once, by all threads: the numbers that a try draws are known before, and its radius is within bounds. What
 * remains for each in its turn are those inserted since. */

#define MOST_AHEAD  8192 /* tries at once */
#define LEAST_AHEAD 256
#define PART        64 /* of them for one thread at a time */
#define SOON        8  /* grains ahead for whom memory is asked */

typedef enum { BLOCKED, FREE, UNSURE, NOWHERE } outlook; /* NOWHERE: there is no such point in the region */

typedef struct {
    scr_generator *g;
    scr_space *space; /* those inserted before these tries, */
    scr_space fresh;  /* and since */
    scr_space old;    /* of ranks: balls of all that tries are near to of which it is not known yet */
    scr_slabs slabs;
    const scr_region *region;
    const double *radii; /* one, where all are the same */
    bool same;
    size_t placed, count; /* grains */
    size_t ahead;         /* tries */
    double least, most;   /* radii that they may have */
    scr_random random;    /* before the first of them */
    int64_t tries, left;  /* that may still be made: for one grain, for all */
    double solid;         /* volume of those placed [m^3] */
    uint8_t outlook[MOST_AHEAD];
    /* of equal grains */
    scr_sketch sketch;             /* of the space; without cells where there is none */
    vec3 points[MOST_AHEAD];       /* of tries */
    bool alone[MOST_AHEAD];        /* of those in `fresh`: nobody else in it is near */
    bool taken[MOST_AHEAD];        /* and they have become grains */
    uint32_t accepted[MOST_AHEAD]; /* numbers of these in `fresh` */
    uint32_t accepted_count;
    uint32_t near[MOST_AHEAD];
} insertion;

static double radius_of(const insertion *in, size_t grain)
{
    return in->radii[in->same ? 0 : grain];
}

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
    size_t ours[PART], n = 0;
    bool free[PART];
    for (size_t k = first; k < first + count; k++) {
        in->outlook[k] = BLOCKED; // another rank says it
        // a try without a point is rejected when its turn comes
        if (!point_of_try(in, k, &points[n])) points[n] = in->region->low;
        if (scr_slabs_own(&in->slabs, points[n])) ours[n++] = k;
    }
    scr_space_are_free(in->space, points, n, in->most + off, free);
    for (size_t k = 0; k < n; k++) {
        bool blocked = !free[k] && (off == 0 || !scr_space_is_free(in->space, points[k], in->least - off));
        in->outlook[ours[k]] = free[k] ? FREE : blocked ? BLOCKED : UNSURE;
    }
}

// for all parts of the tries, by all threads
static void each_part(insertion *in, size_t count, void (*work)(void *, size_t))
{
    size_t parts = (count + PART - 1) / PART;
    scr_grains_each *each = in->g->grains->each;
    if (each) each(parts, work, in);
    for (size_t k = 0; k < parts && !each; k++) work(in, k);
}

// how many of them, of which radii, and nobody has come since
static bool begin_tries(insertion *in)
{
    size_t left = in->count - in->placed;
    in->ahead = left < LEAST_AHEAD ? LEAST_AHEAD : left > MOST_AHEAD ? MOST_AHEAD : left;
    size_t end = in->placed + (in->ahead < left ? in->ahead : left);
    in->random = in->g->random;
    in->most = radius_of(in, in->placed), in->least = radius_of(in, end - 1);
    scr_space_begin(&in->fresh, scr_scene_def(in->g->scene, "domain"), in->space->gap);
    expect_radii(&in->fresh, in->radii + (in->same ? 0 : in->placed), in->same ? 1 : end - in->placed);
    return scr_space_reserve(&in->fresh, MOST_AHEAD);
}

// whether there may be one more
static bool may_try(insertion *in, double r)
{
    return scr_space_fits_period(in->space, r) && in->tries-- > 0 && in->left-- > 0;
}

static void count_placed(insertion *in, double r)
{
    in->solid += ball_volume(r);
    in->placed++, in->tries = MOST_TRIES;
}

/* ---- of several ranks ---- */

// others wait for a rank without memory: then it ends all of them
static bool has(const insertion *in, bool room)
{
    if (in->slabs.ranks) in->slabs.ranks->need(room);
    return room;
}

// room for so many more balls in the space of a rank
static bool make_room(scr_space *space, size_t more)
{
    if (space->count + more <= scr_room_of(space->balls)) return true;
    scr_space larger = *space;
    larger.head = NULL, larger.next = NULL, larger.balls = NULL, larger.count = 0;
    for (int k = 0; k < larger.level_count; k++) larger.levels[k].count = 0;
    if (!scr_space_reserve(&larger, space->count + space->count / 4 + more)) {
        scr_space_deinit(&larger);
        return false;
    }
    scr_space_join(&larger, space);
    scr_space_deinit(space);
    *space = larger;
    return true;
}

// balls near our tries of which it is not known yet whether they have room, behind those in `balls`
static size_t list_near(insertion *in, double off, scr_ball **balls)
{
    size_t count = 0;
    for (size_t k = 0; k < in->ahead; k++) {
        vec3 p;
        if (in->outlook[k] != UNSURE || !point_of_try(in, k, &p) || !scr_slabs_own(&in->slabs, p)) continue;
        size_t found = scr_space_near(in->space, p, in->most + off, in->near, MOST_AHEAD);
        in->slabs.ranks->need(found <= MOST_AHEAD);
        for (size_t n = 0; n < found; n++)
            in->slabs.ranks->need(scr_push(*balls, count, in->space->balls[in->near[n]]));
    }
    return count;
}

// all ranks get to know the balls around such tries of all
static bool tell_near(insertion *in)
{
    const scr_grains_ranks *ranks = in->slabs.ranks;
    scr_ball *own = NULL, *all = NULL;
    double off = in->most > in->least ? 2 * (in->most - in->least) + 1e-9 * in->most : 0;
    if (!ranks) return true;
    size_t count = list_near(in, off, &own);
    count = ranks->collect(ranks->context, own, count, sizeof *own, &all);
    scr_space_begin(&in->old, scr_scene_def(in->g->scene, "domain"), in->space->gap);
    for (size_t k = 0; k < count; k++) scr_space_expect(&in->old, all[k].radius);
    bool room = scr_space_reserve(&in->old, count + 1);
    for (size_t k = 0; k < count && room; k++) scr_space_add(&in->old, v3(all[k].x, all[k].y, all[k].z), all[k].radius);
    scr_free_all(own, all);
    return room;
}

// a new grain, where this rank has to know of it
static bool accept(insertion *in, vec3 p, double r)
{
    bool ours = scr_slabs_own(&in->slabs, p),
         near = scr_slabs_near(&in->slabs, p, r + reach_of(in->space, in->radii[0]));
    if (near && in->slabs.ranks) scr_space_add(in->space, p, r);
    return scr_generator_keep(in->g, (scr_grain){.position = p, .radius = r, .density = NAN}, ours);
}

/* ---- one after the other ---- */

static bool finds_place(insertion *in, size_t number, double r, vec3 *p)
{
    const scr_space *before = in->slabs.ranks ? &in->old : in->space;
    if (in->outlook[number] == BLOCKED || !scr_region_holds(in->region, *p, r, 0)) return false;
    *p = scr_space_wrap(in->space, *p);
    return scr_space_is_free(&in->fresh, *p, r) && (in->outlook[number] == FREE || scr_space_is_free(before, *p, r)) &&
           scr_generator_clear(in->g, *p, r);
}

// one after the other, with what is known of them
static scree_status place_each(insertion *in)
{
    each_part(in, in->ahead, look_ahead);
    scr_slabs_agree(&in->slabs, in->outlook, in->ahead);
    if (!has(in, tell_near(in) && (!in->slabs.ranks || make_room(in->space, in->ahead)))) return SCREE_E_MEMORY;
    for (size_t number = 0; number < in->ahead && in->placed < in->count; number++) {
        double r = radius_of(in, in->placed);
        vec3 p;
        if (!may_try(in, r) || !scr_region_point(in->region, r, &in->g->random, &p)) return SCREE_E_INPUT;
        if (!finds_place(in, number, r, &p)) continue;
        scr_space_add(&in->fresh, p, r);
        count_placed(in, r);
        if (!has(in, accept(in, p, r))) return SCREE_E_MEMORY;
    }
    if (!in->slabs.ranks) scr_space_join(in->space, &in->fresh);
    return SCREE_OK;
}

/* ---- equal grains ---- */

/* The point of a try does not depend on who was placed before: all but the others of these tries can be asked for in
 * parallel, and of these most have none near. */

// which points have room beside those inserted before: most answers are in the sketch
static void find_room(const insertion *in, const vec3 *points, size_t count, bool *free)
{
    uint8_t answers[PART];
    vec3 open[PART];
    bool room[PART];
    size_t unsure = 0, next = 0;
    if (!in->sketch.cells) {
        scr_space_are_free(in->space, points, count, in->least, free);
        return;
    }
    scr_sketch_ask(&in->sketch, points, count, answers);
    for (size_t k = 0; k < count; k++)
        if (answers[k] == SCR_SKETCH_UNSURE) open[unsure++] = points[k];
    scr_space_are_free(in->space, open, unsure, in->least, room);
    for (size_t k = 0; k < count; k++)
        free[k] = answers[k] == SCR_SKETCH_UNSURE ? room[next++] : answers[k] == SCR_SKETCH_FREE;
}

static void look_ahead_equal(void *context, size_t part)
{
    insertion *in = context;
    size_t first = part * PART, count = in->ahead - first < PART ? in->ahead - first : PART;
    vec3 *points = in->points + first, asked[PART] = {0};
    bool free[PART], holds[PART], fits[PART];
    size_t ours[PART], n = 0;
    for (size_t k = 0; k < count; k++) {
        scr_random random = in->random;
        random.counter += SCR_REGION_DRAWS * (first + k);
        points[k] = in->region->low;
        fits[n] = scr_region_point(in->region, in->least, &random, &points[k]);
        holds[n] = fits[n] && scr_region_holds(in->region, points[k], in->least, 0);
        points[k] = scr_space_wrap(in->space, points[k]);
        in->outlook[first + k] = BLOCKED; // another rank says it
        if (scr_slabs_own(&in->slabs, points[k])) asked[n] = points[k], ours[n++] = first + k;
    }
    find_room(in, asked, n, free);
    for (size_t k = 0; k < n; k++) {
        bool clear = holds[k] && free[k] && scr_generator_clear(in->g, asked[k], in->least);
        in->outlook[ours[k]] = !fits[k] ? NOWHERE : clear ? FREE : BLOCKED;
    }
}

static void look_around(void *context, size_t part)
{
    insertion *in = context;
    size_t end = (part + 1) * PART < in->fresh.count ? (part + 1) * PART : in->fresh.count;
    for (size_t k = part * PART; k < end; k++) in->alone[k] = scr_space_is_alone(&in->fresh, k);
}

// whether nobody who has become a grain is near
static bool has_room(insertion *in, size_t k)
{
    const scr_ball *b = &in->fresh.balls[k];
    if (in->alone[k]) return true;
    size_t count = scr_space_near(&in->fresh, v3(b->x, b->y, b->z), b->radius, in->near, MOST_AHEAD);
    for (size_t n = 0; n < count && n < MOST_AHEAD; n++)
        if (in->near[n] < k && in->taken[in->near[n]]) return false;
    return true;
}

static void accept_part(void *context, size_t part)
{
    insertion *in = context;
    size_t end = (part + 1) * PART < in->accepted_count ? (part + 1) * PART : in->accepted_count;
    for (size_t k = part * PART; k < end; k++) {
        const scr_ball *b = &in->fresh.balls[in->accepted[k]], *soon = &in->fresh.balls[in->accepted[end - 1]];
        if (k + SOON < end) soon = &in->fresh.balls[in->accepted[k + SOON]];
        scr_space_fetch(in->space, v3(soon->x, soon->y, soon->z), soon->radius);
        scr_grain grain = {.position = {b->x, b->y, b->z}, .radius = b->radius, .density = NAN};
        scr_generator_put(in->g, in->g->grains->count + k, grain);
        scr_space_put(in->space, in->space->count + k, grain.position, b->radius);
        if (in->sketch.cells) scr_sketch_put(&in->sketch, grain.position);
    }
}

// what is accepted, into the space and among the grains
static scree_status accept_all(insertion *in)
{
    if (!in->slabs.ranks) {
        each_part(in, in->accepted_count, accept_part);
        scr_space_have(in->space, in->least, in->accepted_count);
        in->g->grains->count += in->accepted_count;
        return SCREE_OK;
    }
    has(in, make_room(in->space, in->accepted_count));
    for (size_t k = 0; k < in->accepted_count; k++) {
        const scr_ball *b = &in->fresh.balls[in->accepted[k]];
        has(in, accept(in, v3(b->x, b->y, b->z), b->radius));
    }
    return SCREE_OK;
}

static scree_status place_equal(insertion *in)
{
    each_part(in, in->ahead, look_ahead_equal);
    scr_slabs_agree(&in->slabs, in->outlook, in->ahead);
    for (size_t k = 0; k < in->ahead; k++)
        if (in->outlook[k] == FREE) scr_space_add(&in->fresh, in->points[k], in->least);
    each_part(in, in->fresh.count, look_around);
    size_t number = 0, fresh = 0;
    in->accepted_count = 0;
    for (; number < in->ahead && in->placed < in->count; number++) {
        if (!may_try(in, in->least) || in->outlook[number] == NOWHERE) return SCREE_E_INPUT;
        if (in->outlook[number] != FREE) continue;
        in->taken[fresh] = has_room(in, fresh);
        if (in->taken[fresh]) in->accepted[in->accepted_count++] = (uint32_t)fresh, count_placed(in, in->least);
        fresh++;
    }
    in->g->random.counter += SCR_REGION_DRAWS * number;
    return accept_all(in);
}

static scree_status insert(insertion *in)
{
    scree_status status = SCREE_OK;
    in->left = TRIES_FREE + TRIES_PER_GRAIN * (int64_t)in->count, in->tries = MOST_TRIES;
    while (in->placed < in->count && !status) {
        if (!has(in, begin_tries(in))) return SCREE_E_MEMORY;
        status = in->most > in->least ? place_each(in) : place_equal(in);
    }
    return status == SCREE_E_INPUT ? report_jam(in->g, in->region, in->placed, in->count, in->solid) : status;
}

static scree_status place_all(scr_generator *g, scr_space *space, const scr_slabs *slabs, const scr_region *region,
                              const double *radii, size_t count)
{
    insertion *in = scr_memory_new(1, sizeof *in);
    if (!in) return SCREE_E_MEMORY;
    *in = (insertion){.g = g, .space = space, .slabs = *slabs, .region = region, .radii = radii, .count = count};
    in->same = kinds_of(g, count) < count;
    bool equal = count && radii[0] == radius_of(in, count - 1) && !space->count;
    // a sketch is of the whole region
    if (equal && !slabs->ranks) scr_sketch_begin(&in->sketch, space, region, radii[0], count);
    scree_status status = insert(in);
    scr_sketch_deinit(&in->sketch);
    scr_space_deinit(&in->fresh);
    scr_space_deinit(&in->old);
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
    scr_space_begin(&space, scr_scene_def(g->scene, "domain"), def->gap);
    scr_slabs slabs = {0};
    if (!status) slabs = scr_slabs_of(g->grains->ranks, &space, &region);
    if (!status && slabs.ranks)
        prepare_part(g, &space, &slabs, radii, count);
    else if (!status)
        status = prepare(g, &space, radii, count);
    if (!status) status = place_all(g, &space, &slabs, &region, radii, count);
    if (status) g->grains->count = before;
    scr_space_deinit(&space);
    scr_buffer_free(radii);
    return status;
}
