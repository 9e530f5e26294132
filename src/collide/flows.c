#include "collide/flows.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "exec/cpu/threads.h"

#define PARTS 64 /* that rows are looked at in */

typedef struct {
    scr_world *world;
    scr_flow *flow;
    scr_flow_plane plane;
    size_t counts[PARTS]; /* of the rows that each part notes, from its first row's place in `near` on */
} looking;

// Until the next list a grain stays within half the skin of its anchor + age drift, and the list serves until its
// horizon: only those whose path meets the plane, give or take the skin, can pass.
static bool is_near(const scr_world *w, const scr_flow_plane *f, size_t i)
{
    const scr_bodies *b = &w->bodies;
    double start = v3_dot(v3_sub(v3_load(b->anchor + 4 * i), f->point), f->normal);
    double way = v3_dot(v3_load(b->drift + 4 * i), f->normal) * (w->clock.horizon + 2 * w->clock.dt);
    double low = start + fmin(way, 0) - w->clock.skin, high = start + fmax(way, 0) + w->clock.skin;
    if (f->periodic < 0) return low <= 0 && high >= 0;
    return floor(high / f->length) >= ceil(low / f->length);
}

static bool passes(const scr_bodies *b, const scr_flow_plane *f, size_t i)
{
    int32_t side = b->side[i];
    return scr_flow_cross(f, b->place + 4 * i, b->image + 4 * i, &side) || side != b->side[i];
}

static size_t part_start(const looking *l, size_t part)
{
    const scr_bodies *b = &l->world->bodies;
    return b->low + scr_bodies_own(b) * part / PARTS;
}

static void look_at_part(void *context, size_t part)
{
    looking *l = context;
    const scr_world *w = l->world;
    const scr_flow_plane plane = l->plane;
    size_t first = part_start(l, part), end = part_start(l, part + 1), count = 0;
    uint32_t *near = l->flow->near + (first - w->bodies.low);
    for (size_t i = first; i < end; i++)
        if ((plane.group < 0 || w->bodies.group[i] == plane.group) &&
            (is_near(w, &plane, i) || passes(&w->bodies, &plane, i)))
            near[count++] = (uint32_t)i;
    l->counts[part] = count;
}

// those who pass now or may pass until the next list, in the order of rows
static bool list_near(scr_world *w, scr_flow *f)
{
    looking l = {.world = w, .flow = f, .plane = scr_flow_plane_of(w, f)};
    if (!scr_reserve(&f->near, w->bodies.table.count + 1)) return false;
    scr_each(PARTS, NULL, look_at_part, &l);
    f->near_count = 0;
    for (size_t part = 0; part < PARTS; part++) {
        const uint32_t *noted = f->near + (part_start(&l, part) - w->bodies.low);
        memmove(f->near + f->near_count, noted, l.counts[part] * sizeof *noted);
        f->near_count += l.counts[part];
    }
    f->near_list = w->clock.rebuilds;
    f->near_bodies = w->bodies.table.count;
    return true;
}

// all grains, without a list of candidates: those that have not moved are only checked
static void pass_any(scr_world *w, scr_flow *f)
{
    const scr_bodies *b = &w->bodies;
    const double *x = b->place + 4 * b->low;
    int shift = 2 * f->slot;
    vec3 p = f->point, n = f->normal;
    for (size_t i = b->low; i < scr_bodies_end(b); i++, x += 4) {
        double along = (x[0] - p.x) * n.x + (x[1] - p.y) * n.y + (x[2] - p.z) * n.z;
        // 1 or 2 in the two bits, as scr_flow_pass writes them; along a periodic axis that knows more
        int code = 1 + (along >= 0), was = b->side[i] >> shift & 3;
        if (code != was || f->periodic >= 0) scr_flow_pass(w, f, i);
    }
}

void scr_flows_update(scr_world *w)
{
    for (int k = 0; k < w->flow_count; k++) {
        scr_flow *f = &w->flows[k];
        bool listed = scr_world_lists(w);
        if (listed && (f->near_list != w->clock.rebuilds || f->near_bodies != w->bodies.table.count))
            listed = list_near(w, f);
        if (!listed)
            pass_any(w, f);
        else
            for (size_t m = 0; m < f->near_count; m++) scr_flow_pass(w, f, f->near[m]);
    }
}
