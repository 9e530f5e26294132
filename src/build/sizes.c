/* What the defaults are derived from: smallest and largest bodies of each material. */
#include <math.h>

#include "base/memory.h"
#include "build/build.h"
#include "comm/share.h"
#include "exec/reduce.h"
#include "math/elementary.h"

// one more of what the range holds already, if it holds any
static void widen(double range[2], double x, bool any)
{
    range[0] = any ? fmin(range[0], x) : x;
    range[1] = any ? fmax(range[1], x) : x;
}

static void count_size(scr_sizes *s, double r, double m)
{
    bool any = s->count++;
    widen(s->radius, r, any), widen(s->mass, m, any);
}

static void count_fixed(scr_sizes *s, double r, double m)
{
    bool any = s->fixed++;
    widen(s->fixed_radius, r, any), widen(s->fixed_mass, m, any);
}

/* A pass over bodies. */
typedef struct {
    const scr_world *world;
    bool held; /* groups that nothing can push act on each other */
    int first; /* material of the first of the sizes */
    int count; /* of them */
} sizing;

static void sizes_of_rows(void *context, size_t from, size_t to, void *part)
{
    const sizing *z = context;
    const scr_world *w = z->world;
    const scr_bodies *b = &w->bodies;
    for (size_t i = from; i < to; i++) {
        int k = b->material[i] - z->first;
        if (k < 0 || k >= z->count) continue;
        scr_sizes *s = (scr_sizes *)part + k;
        if (b->motion[4 * i + 3] != 0) {
            count_size(s, b->place[4 * i + 3], b->mass[i]);
            continue;
        }
        count_fixed(s, b->place[4 * i + 3], b->mass[i]);
        s->driven |= z->held && w->groups[b->group[i]].drive.moves;
    }
}

static void join_range(double all[2], const double part[2], bool any)
{
    widen(all, part[0], any), widen(all, part[1], true);
}

static void join_size(scr_sizes *a, const scr_sizes *b)
{
    if (b->count) join_range(a->radius, b->radius, a->count), join_range(a->mass, b->mass, a->count);
    if (b->fixed) {
        join_range(a->fixed_radius, b->fixed_radius, a->fixed);
        join_range(a->fixed_mass, b->fixed_mass, a->fixed);
    }
    a->count += b->count, a->fixed += b->fixed, a->driven |= b->driven;
}

#define MANY ((int)(SCR_REDUCE_MOST / sizeof(scr_sizes))) /* materials of one pass */

static void join_sizes(void *all, const void *part)
{
    for (int k = 0; k < MANY; k++) join_size((scr_sizes *)all + k, (const scr_sizes *)part + k);
}

/* ---- of a divided world ---- */

#define RANGES 4 /* radius, mass, fixed_radius, fixed_mass: the smallest; and the largest, with the sign turned */

static void list_ranges(const scr_sizes *s, double low[2 * RANGES])
{
    const double *const ranges[RANGES] = {s->radius, s->mass, s->fixed_radius, s->fixed_mass};
    for (int k = 0; k < RANGES; k++) {
        bool any = k < 2 ? s->count : s->fixed;
        low[2 * k] = any ? ranges[k][0] : INFINITY, low[2 * k + 1] = any ? -ranges[k][1] : INFINITY;
    }
}

static void take_ranges(scr_sizes *s, const double low[2 * RANGES])
{
    double *const ranges[RANGES] = {s->radius, s->mass, s->fixed_radius, s->fixed_mass};
    for (int k = 0; k < RANGES; k++)
        if (k < 2 ? s->count : s->fixed) ranges[k][0] = low[2 * k], ranges[k][1] = -low[2 * k + 1];
}

// those of all ranks
static void join_ranks(scr_share *share, scr_sizes *s)
{
    double low[2 * RANGES];
    int64_t counts[3] = {(int64_t)s->count, (int64_t)s->fixed, s->driven};
    list_ranges(s, low);
    scr_share_least(share, low, 2 * RANGES);
    scr_comm_add(share->comm, counts, 3);
    s->count = (size_t)counts[0], s->fixed = (size_t)counts[1], s->driven = counts[2];
    take_ranges(s, low);
}

scr_sizes *scr_sizes_of(const scr_world *w)
{
    int materials = w->material_count, groups[2];
    scr_sizes *sizes = scr_memory_new((size_t)(materials + MANY), sizeof *sizes);
    sizing z = {.world = w, .held = scr_world_held_groups(w, &groups[0], &groups[1]), .count = MANY};
    if (!sizes) return NULL;
    for (; z.first < materials; z.first += MANY)
        scr_reduce(w->bodies.table.count, sizes_of_rows, join_sizes, &z, sizes + z.first, MANY * sizeof *sizes);
    for (int k = 0; w->share && k < materials; k++) join_ranks(w->share, &sizes[k]);
    // what will come counts as what is there
    for (int k = 0; k < 2 * w->inlet_count; k++) {
        const scr_inlet *inlet = &w->inlets[k / 2];
        int material = w->groups[inlet->group].material;
        double r = inlet->radius[k % 2];
        count_size(&sizes[material], r, w->materials[material].density * scr_ball_volume(r));
    }
    // a cell touches as the ball of its volume
    for (size_t k = 0; w->solids_touch && k < w->cells.table.count; k++)
        count_size(&sizes[w->solids[w->cells.solid[k]].material], scr_cbrt(0.75 / M_PI * scr_cell_volume(&w->cells, k)),
                   scr_cell_mass(&w->cells, k));
    for (int k = 0; k < w->wall_count; k++) sizes[w->walls[k].material].wall = true;
    return sizes;
}

bool scr_sizes_meet(const scr_sizes *sizes, int a, int b)
{
    return (sizes[a].count && (sizes[b].count || sizes[b].fixed || sizes[b].wall)) ||
           (sizes[b].count && (sizes[a].fixed || sizes[a].wall)) || (sizes[a].driven && sizes[b].fixed) ||
           (sizes[b].driven && sizes[a].fixed);
}
