#include "world/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "world/world.h"

/* ---- the list of planes ---- */

scr_flow *scr_flow_find(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->flow_count; k++)
        if (!strcmp(w->flows[k].name, name)) return &w->flows[k];
    return NULL;
}

// the axis that the normal follows, if it is periodic
static int periodic_axis(const scr_domain *domain, vec3 normal)
{
    for (int d = 0; d < 3; d++)
        if (domain->periodic[d] && (&normal.x)[d] != 0) return d;
    return -1;
}

static void forget_sides(scr_world *w, int slot)
{
    for (size_t i = 0; i < w->bodies.table.count; i++) w->bodies.side[i] &= ~(3 << (2 * slot));
}

static void flow_remove(scr_world *w, scr_flow *flow)
{
    forget_sides(w, flow->slot);
    free(flow->name);
    scr_buffer_free(flow->near);
    *flow = w->flows[--w->flow_count];
}

static int free_slot(const scr_world *w)
{
    uint32_t taken = 0;
    for (int k = 0; k < w->flow_count; k++) taken |= 1u << w->flows[k].slot;
    for (int slot = 0; slot < SCR_MOST_FLOWS; slot++)
        if (!(taken >> slot & 1)) return slot;
    return -1;
}

scr_flow *scr_flow_watch(scr_world *w, const scr_flow *flow)
{
    scr_flow *old = scr_flow_find(w, flow->name);
    if (old && !memcmp(&old->point, &flow->point, sizeof old->point) &&
        !memcmp(&old->normal, &flow->normal, sizeof old->normal) && old->group == flow->group) {
        old->watched = true;
        return old;
    }
    if (old) flow_remove(w, old);
    int slot = free_slot(w);
    scr_flow *grown = realloc(w->flows, ((size_t)w->flow_count + 1) * sizeof *grown);
    char *name = strdup(flow->name);
    if (grown) w->flows = grown;
    if (!grown || !name || slot < 0) {
        free(name);
        return NULL;
    }
    scr_flow *f = &w->flows[w->flow_count++];
    *f = (scr_flow){.name = name,
                    .point = flow->point,
                    .normal = flow->normal,
                    .periodic = periodic_axis(&w->domain, flow->normal),
                    .group = flow->group,
                    .slot = slot,
                    .mark_time = w->clock.time,
                    .watched = true,
                    .near_list = -1};
    forget_sides(w, slot);
    scr_flows_update(w);
    return f;
}

void scr_flows_sweep(scr_world *w)
{
    for (int k = w->flow_count - 1; k >= 0; k--)
        if (!w->flows[k].watched) flow_remove(w, &w->flows[k]);
}

void scr_flows_deinit(scr_world *w)
{
    for (int k = 0; k < w->flow_count; k++) {
        free(w->flows[k].name);
        scr_buffer_free(w->flows[k].near);
    }
    free(w->flows);
    w->flows = NULL;
    w->flow_count = 0;
}

/* ---- counting ---- */

static double period_of(const scr_world *w, const scr_flow *f)
{
    return (&w->domain.upper.x)[f->periodic] - (&w->domain.lower.x)[f->periodic];
}

scr_flow_plane scr_flow_plane_of(const scr_world *w, const scr_flow *f)
{
    return (scr_flow_plane){.point = f->point,
                            .normal = f->normal,
                            .length = f->periodic < 0 ? 0 : period_of(w, f),
                            .periodic = f->periodic,
                            .group = f->group,
                            .shift = 2 * f->slot};
}

void scr_flow_count(scr_flow *f, int against, double mass, vec3 place)
{
    f->sum.count[against]++;
    f->sum.mass[against] += mass;
    if (against) return;
    vec3 d = v3_sub(place, f->point);
    f->place = v3_axpy(f->place, mass, d);
    f->square = v3_axpy(f->square, mass, v3(d.x * d.x, d.y * d.y, d.z * d.z));
}

static void pass(scr_world *w, scr_flow *f, size_t i)
{
    scr_bodies *b = &w->bodies;
    if (f->group >= 0 && b->group[i] != f->group) return;
    const scr_flow_plane plane = scr_flow_plane_of(w, f);
    int passed = scr_flow_cross(&plane, b->place + 4 * i, b->image + 4 * i, &b->side[i]);
    if (passed) scr_flow_count(f, passed - 1, b->mass[i], v3_load(b->place + 4 * i));
}

void scr_flows_pass(scr_world *w, size_t body)
{
    for (int k = 0; k < w->flow_count; k++) pass(w, &w->flows[k], body);
}

// Until the next list a grain stays within half the skin of its anchor + age drift, and the list serves until its
// horizon: only those whose path meets the plane, give or take the skin, can pass.
static bool is_near(const scr_world *w, const scr_flow *f, size_t i)
{
    const scr_bodies *b = &w->bodies;
    double start = v3_dot(v3_sub(v3_load(b->anchor + 4 * i), f->point), f->normal);
    double way = v3_dot(v3_load(b->drift + 4 * i), f->normal) * (w->clock.horizon + 2 * w->clock.dt);
    double low = start + fmin(way, 0) - w->clock.skin, high = start + fmax(way, 0) + w->clock.skin;
    if (f->periodic < 0) return low <= 0 && high >= 0;
    return floor(high / period_of(w, f)) >= ceil(low / period_of(w, f));
}

// all grains once, and those near the plane noted
static void pass_all(scr_world *w, scr_flow *f)
{
    size_t n = w->bodies.table.count;
    bool room = scr_reserve(&f->near, n + 1);
    f->near_count = 0;
    for (size_t i = w->bodies.low; i < scr_bodies_end(&w->bodies); i++) {
        pass(w, f, i);
        if (room && is_near(w, f, i)) f->near[f->near_count++] = (uint32_t)i;
    }
    f->near_list = room ? w->clock.rebuilds : -1;
    f->near_bodies = n;
}

// all grains, without a list of candidates: those that have not moved are only checked
static void pass_any(scr_world *w, scr_flow *f)
{
    const scr_bodies *b = &w->bodies;
    const double *x = b->place;
    int shift = 2 * f->slot;
    vec3 p = f->point, n = f->normal;
    for (size_t i = 0; i < b->table.count; i++, x += 4) {
        double along = (x[0] - p.x) * n.x + (x[1] - p.y) * n.y + (x[2] - p.z) * n.z;
        // 1 or 2 in the two bits, as `pass` writes them; along a periodic axis that knows more
        int code = 1 + (along >= 0), was = b->side[i] >> shift & 3;
        if (code != was || f->periodic >= 0) pass(w, f, i);
    }
}

void scr_flows_update(scr_world *w)
{
    for (int k = 0; k < w->flow_count; k++) {
        scr_flow *f = &w->flows[k];
        if (!scr_world_lists(w))
            pass_any(w, f);
        else if (f->near_list != w->clock.rebuilds || f->near_bodies != w->bodies.table.count)
            pass_all(w, f);
        else
            for (size_t m = 0; m < f->near_count; m++) pass(w, f, f->near[m]);
    }
}
