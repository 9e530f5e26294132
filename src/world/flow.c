#include "world/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "world/world.h"

/* ---- counting ---- */

scr_flow_plane scr_flow_plane_of(const scr_world *w, const scr_flow *f)
{
    int axis = f->periodic;
    return (scr_flow_plane){.point = f->point,
                            .normal = f->normal,
                            .length = axis < 0 ? 0 : (&w->domain.upper.x)[axis] - (&w->domain.lower.x)[axis],
                            .periodic = axis,
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

void scr_flow_pass(scr_world *w, scr_flow *f, size_t i)
{
    scr_bodies *b = &w->bodies;
    if (f->group >= 0 && b->group[i] != f->group) return;
    const scr_flow_plane plane = scr_flow_plane_of(w, f);
    int passed = scr_flow_cross(&plane, b->place + 4 * i, b->image + 4 * i, &b->side[i]);
    if (passed) scr_flow_count(f, passed - 1, b->mass[i], v3_load(b->place + 4 * i));
}

void scr_flows_pass(scr_world *w, size_t body)
{
    for (int k = 0; k < w->flow_count; k++) scr_flow_pass(w, &w->flows[k], body);
}

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

// on which side of a new plane each grain is
static void see_all(scr_world *w, scr_flow *f)
{
    for (size_t i = w->bodies.low; i < scr_bodies_end(&w->bodies); i++) scr_flow_pass(w, f, i);
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
    see_all(w, f);
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
