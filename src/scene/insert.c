/* Random sequential insertion: grains are put one after the other, the largest first, at random
 * places where they touch nothing. Equal spheres jam in this way at a solid fraction of 0.384
 * (Cooper 1988), and ever more tries are wasted on the way there; the number of tries is bounded.
 *
 * Overlaps are found with a hashed grid that has one level per octave of radii: chains of grains
 * hang in buckets by (level, cell), and cells that share a bucket cost a little time, never an
 * error. */
#include <stdlib.h>

#include "base/digest.h"
#include "base/memory.h"
#include "scene/generators.h"

#define PI 3.14159265358979323846

enum { MOST_LEVELS = 64 };

// tries for one grain, and for all together per grain
static const int64_t MOST_TRIES = 100000, TRIES_PER_GRAIN = 300, TRIES_FREE = 2000000;

typedef struct {
    int octave;    /* radii in [2^octave, 2^(octave + 1)) */
    double radius; /* largest */
    double cell;   /* edge of its cells: the reach of its largest grains */
    size_t count;  /* grains in it so far */
} level;

typedef struct {
    double x, y, z, radius;
} ball;

typedef struct {
    level levels[MOST_LEVELS];
    int level_count;
    int32_t *head; /* of the chain of each bucket, -1 at its end */
    int32_t *next;
    ball *balls;
    size_t count;
    uint64_t mask; /* buckets - 1 */
    double gap;
    bool periodic[3];
    double low[3], length[3];
    double largest; /* radius of all balls */
} hash_grid;

// ---- the grid ----

static int octave_of(double radius)
{
    int octave = ilogb(radius);
    return octave < -200 ? -200 : octave > 200 ? 200 : octave;
}

// the level of a radius; all too different ones share the last
static level *level_of(hash_grid *grid, double radius)
{
    int octave = octave_of(radius);
    for (int k = 0; k < grid->level_count; k++)
        if (grid->levels[k].octave == octave) return &grid->levels[k];
    if (grid->level_count == MOST_LEVELS) return &grid->levels[MOST_LEVELS - 1];
    grid->levels[grid->level_count] = (level){.octave = octave};
    return &grid->levels[grid->level_count++];
}

static void count_radius(hash_grid *grid, double radius)
{
    level *l = level_of(grid, radius);
    if (radius > l->radius) l->radius = radius;
    if (radius > grid->largest) grid->largest = radius;
    l->cell = 2 * l->radius + grid->gap;
}

static int64_t cell_of(double x, double cell)
{
    double k = floor(x / cell);
    // far outside of every region: any cell will do
    return k > 1e15 ? (int64_t)1e15 : k < -1e15 ? (int64_t)-1e15 : (int64_t)k;
}

static uint64_t bucket_of(const hash_grid *grid, int which, int64_t i, int64_t j, int64_t k)
{
    uint64_t h = (uint64_t)i * 0x9e3779b97f4a7c15ull ^ (uint64_t)j * 0xc2b2ae3d27d4eb4full ^
                 (uint64_t)k * 0x165667b19e3779f9ull ^ (uint64_t)which * 0xd6e8feb86659fd93ull;
    return (h ^ h >> 29 ^ h >> 47) & grid->mask;
}

static double wrapped(const hash_grid *grid, int axis, double x)
{
    if (!grid->periodic[axis]) return x;
    double turns = floor((x - grid->low[axis]) / grid->length[axis]);
    x -= turns * grid->length[axis];
    // rounding may land on the upper side itself
    return x >= grid->low[axis] + grid->length[axis] || x < grid->low[axis] ? grid->low[axis] : x;
}

static vec3 wrap(const hash_grid *grid, vec3 p)
{
    return v3(wrapped(grid, 0, p.x), wrapped(grid, 1, p.y), wrapped(grid, 2, p.z));
}

static void insert(hash_grid *grid, vec3 p, double radius)
{
    level *l = level_of(grid, radius);
    int32_t b = (int32_t)grid->count++;
    grid->balls[b] = (ball){p.x, p.y, p.z, radius};
    uint64_t bucket = bucket_of(grid, (int)(l - grid->levels), cell_of(p.x, l->cell),
                                cell_of(p.y, l->cell), cell_of(p.z, l->cell));
    grid->next[b] = grid->head[bucket];
    grid->head[bucket] = b;
    l->count++;
}

static bool meets(const hash_grid *grid, const ball *b, vec3 p, double radius)
{
    double dx = b->x - p.x, dy = b->y - p.y, dz = b->z - p.z;
    double reach = b->radius + radius + grid->gap;
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

static bool bucket_meets(const hash_grid *grid, uint64_t bucket, vec3 p, double radius)
{
    for (int32_t b = grid->head[bucket]; b >= 0; b = grid->next[b])
        if (meets(grid, &grid->balls[b], p, radius)) return true;
    return false;
}

static bool any_meets(const hash_grid *grid, vec3 p, double radius)
{
    for (size_t b = 0; b < grid->count; b++)
        if (meets(grid, &grid->balls[b], p, radius)) return true;
    return false;
}

static bool level_meets(const hash_grid *grid, int which, vec3 p, double radius)
{
    const level *l = &grid->levels[which];
    double reach = radius + l->radius + grid->gap;
    int64_t low[3], high[3];
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        low[k] = cell_of((&p.x)[k] - reach, l->cell);
        high[k] = cell_of((&p.x)[k] + reach, l->cell);
        cells *= (double)(high[k] - low[k] + 1);
    }
    // a large grain among many small cells: the plain list is shorter
    if (cells > 64 && cells > (double)grid->count) return any_meets(grid, p, radius);
    // the own cell first: that is where most tries end
    uint64_t own =
        bucket_of(grid, which, cell_of(p.x, l->cell), cell_of(p.y, l->cell), cell_of(p.z, l->cell));
    if (bucket_meets(grid, own, p, radius)) return true;
    for (int64_t k = low[2]; k <= high[2]; k++)
        for (int64_t j = low[1]; j <= high[1]; j++)
            for (int64_t i = low[0]; i <= high[0]; i++)
                if (bucket_meets(grid, bucket_of(grid, which, i, j, k), p, radius)) return true;
    return false;
}

static bool levels_meet(const hash_grid *grid, vec3 p, double radius)
{
    for (int k = 0; k < grid->level_count; k++)
        if (grid->levels[k].count && level_meets(grid, k, p, radius)) return true;
    return false;
}

// with the images across periodic sides that are near enough to matter
static bool is_free(const hash_grid *grid, vec3 p, double radius)
{
    double reach = radius + grid->largest + grid->gap;
    int from[3], to[3];
    for (int k = 0; k < 3; k++) {
        double x = (&p.x)[k] - grid->low[k];
        from[k] = grid->periodic[k] && x > grid->length[k] - reach ? -1 : 0;
        to[k] = grid->periodic[k] && x < reach ? 1 : 0;
    }
    for (int i = from[0]; i <= to[0]; i++)
        for (int j = from[1]; j <= to[1]; j++)
            for (int k = from[2]; k <= to[2]; k++) {
                vec3 shift = v3(i * grid->length[0], j * grid->length[1], k * grid->length[2]);
                if (levels_meet(grid, v3_add(p, shift), radius)) return false;
            }
    return true;
}

static bool grid_reserve(hash_grid *grid, size_t count)
{
    uint64_t buckets = 64;
    while (buckets < 2 * count) buckets *= 2;
    grid->mask = buckets - 1;
    grid->head = scr_memory_new(buckets, sizeof *grid->head);
    grid->next = scr_memory_new(count, sizeof *grid->next);
    grid->balls = scr_memory_new(count, sizeof *grid->balls);
    if (!grid->head || !grid->next || !grid->balls) return false;
    for (uint64_t k = 0; k < buckets; k++) grid->head[k] = -1;
    return true;
}

static void grid_deinit(hash_grid *grid)
{
    scr_memory_free(grid->head);
    scr_memory_free(grid->next);
    scr_memory_free(grid->balls);
}

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
static scree_status draw_radii(scr_generator *g, const scr_region *region, double **radii,
                               size_t *count)
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
        return scr_fail(
            g->report, SCREE_E_INPUT, at,
            "%.6g grains of bodies.%s would fill %.3g of their region, random insertion "
            "reaches about 0.35",
            wanted, g->group->name, fraction);
    if (wanted > SCR_MOST_GRAINS)
        return scr_fail(g->report, SCREE_E_INPUT, at,
                        "bodies.%s would have %.3g grains, at most %d are possible", g->group->name,
                        wanted, SCR_MOST_GRAINS);
    size_t capacity = 0;
    if (!scr_memory_reserve(radii, &capacity, (size_t)(1.1 * wanted) + 100, 0, sizeof **radii))
        return SCREE_E_MEMORY;
    while (counted ? *count < (size_t)def->count : solid < def->fraction * region->volume) {
        if (!scr_memory_reserve(radii, &capacity, *count + 1, *count, sizeof **radii))
            return SCREE_E_MEMORY;
        double r = scr_generator_radius(g);
        (*radii)[(*count)++] = r;
        solid += ball_volume(r);
    }
    qsort(*radii, *count, sizeof **radii, largest_first);
    return SCREE_OK;
}

// ---- insertion ----

static scree_status prepare(scr_generator *g, hash_grid *grid, const double *radii, size_t count)
{
    const scr_domain_def *domain = scr_scene_def(g->scene, "domain");
    for (int k = 0; k < 3; k++) {
        grid->periodic[k] = domain->periodic[k];
        grid->low[k] = (&domain->box[0].x)[k];
        grid->length[k] = (&domain->box[1].x)[k] - grid->low[k];
    }
    size_t earlier = g->grains->count;
    for (size_t k = 0; k < earlier; k++) count_radius(grid, g->grains->items[k].radius);
    for (size_t k = 0; k < count; k++) count_radius(grid, radii[k]);
    if (earlier + count > INT32_MAX || !grid_reserve(grid, earlier + count)) return SCREE_E_MEMORY;
    for (size_t k = 0; k < earlier; k++)
        insert(grid, wrap(grid, g->grains->items[k].position), g->grains->items[k].radius);
    return scr_generator_reserve(g, count) ? SCREE_OK : SCREE_E_MEMORY;
}

static bool fits_period(const hash_grid *grid, double radius)
{
    for (int k = 0; k < 3; k++)
        if (grid->periodic[k] && 2 * radius + grid->gap > grid->length[k]) return false;
    return true;
}

static scree_status report_jam(const scr_generator *g, const scr_region *region, size_t placed,
                               size_t count, double solid)
{
    return scr_fail(
        g->report, SCREE_E_INPUT, scr_generator_place(g, NULL),
        "bodies.%s: %zu of %zu grains found a place, at a solid fraction of %.3g of the "
        "region; ask for fewer or smaller grains, a larger region, or use from: lattice",
        g->group->name, placed, count, solid / region->volume);
}

static scree_status place_all(scr_generator *g, hash_grid *grid, const scr_region *region,
                              const double *radii, size_t count)
{
    int64_t left = TRIES_FREE + TRIES_PER_GRAIN * (int64_t)count;
    double solid = 0;
    for (size_t n = 0; n < count; n++) {
        double r = radii[n];
        vec3 p;
        bool placed = false;
        int64_t tries = fits_period(grid, r) ? MOST_TRIES : 0;
        while (!placed && tries-- > 0 && left-- > 0) {
            if (!scr_region_point(region, r, &g->random, &p)) break;
            if (!scr_region_holds(region, p, r, 0)) continue;
            p = wrap(grid, p);
            placed = is_free(grid, p, r);
        }
        if (!placed) return report_jam(g, region, n, count, solid);
        insert(grid, p, r);
        solid += ball_volume(r);
        if (!scr_generator_add(g, (scr_grain){.position = p, .radius = r, .density = NAN}))
            return SCREE_E_MEMORY;
    }
    return SCREE_OK;
}

scree_status scr_generate_random(scr_generator *g)
{
    const scr_bodies_random_def *def = g->group->variant_def;
    hash_grid grid = {.gap = def->gap};
    double *radii = NULL;
    size_t count = 0, before = g->grains->count;
    scr_region region;
    scree_status status = scr_generator_region(g, &def->region, &region);
    if (!status) status = draw_radii(g, &region, &radii, &count);
    if (!status) status = prepare(g, &grid, radii, count);
    if (!status) status = place_all(g, &grid, &region, radii, count);
    if (status) g->grains->count = before;
    grid_deinit(&grid);
    scr_memory_free(radii);
    return status;
}
