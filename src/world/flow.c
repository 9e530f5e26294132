#include "world/flow.h"

#include <math.h>
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

size_t scr_flow_bins_number(const scr_flow_bins *bins)
{
    return (size_t)bins->count[0] * (size_t)bins->count[1] * (size_t)bins->count[2];
}

bool scr_flow_bins_open(scr_flow_bins *bins)
{
    size_t number = scr_flow_bins_number(bins);
    bins->passed = NULL;
    if (!number) return true;
    if (!scr_reserve(&bins->passed, number)) return false;
    memset(bins->passed, 0, number * sizeof *bins->passed);
    return true;
}

// `beyond` the plane as far as it has come in its step; the plane itself may be a face of the box
static void count_in_bin(scr_flow *f, vec3 beyond)
{
    scr_flow_bins *bins = &f->bins;
    vec3 place = v3_axpy(beyond, -v3_dot(v3_sub(beyond, f->point), f->normal), f->normal);
    size_t bin = 0, stride = 1;
    for (int d = 0; d < 3; d++) {
        double low = (&bins->low.x)[d], count = bins->count[d];
        double part = ((&place.x)[d] - low) / ((&bins->high.x)[d] - low) * count;
        if (!(part >= -1e-9 && part <= count + 1e-9)) return;
        bin += (size_t)fmin(fmax(part, 0), count - 1) * stride, stride *= (size_t)bins->count[d];
    }
    bins->passed[bin]++;
}

void scr_flow_count(scr_flow *f, int against, double mass, vec3 place)
{
    f->count[against]++;
    scr_total_add(&f->sum[SCR_FLOW_MASS + against], mass);
    if (against) return;
    vec3 from = v3_sub(place, f->point);
    for (int k = 0; k < 3; k++) {
        double d = (&from.x)[k];
        scr_total_add(&f->sum[SCR_FLOW_PLACE + k], mass * d);
        scr_total_add(&f->sum[SCR_FLOW_SQUARE + k], mass * (d * d));
    }
    if (f->bins.passed) count_in_bin(f, place);
}

scr_flow_sum scr_flow_passed(const scr_flow *f)
{
    const scr_total *mass = f->sum + SCR_FLOW_MASS;
    return (scr_flow_sum){{f->count[0], f->count[1]}, {scr_total_value(&mass[0]), scr_total_value(&mass[1])}};
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
    scr_free_all(flow->near, flow->bins.passed);
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

static bool is_same(const scr_flow *a, const scr_flow *b)
{
    return !memcmp(&a->point, &b->point, sizeof a->point) && !memcmp(&a->normal, &b->normal, sizeof a->normal) &&
           a->group == b->group && !memcmp(a->bins.count, b->bins.count, sizeof a->bins.count) &&
           (!scr_flow_bins_number(&a->bins) || (!memcmp(&a->bins.low, &b->bins.low, sizeof a->bins.low) &&
                                                !memcmp(&a->bins.high, &b->bins.high, sizeof a->bins.high)));
}

scr_flow *scr_flow_watch(scr_world *w, const scr_flow *flow)
{
    scr_flow *old = scr_flow_find(w, flow->name);
    if (old && is_same(old, flow)) {
        old->watched = true;
        return old;
    }
    if (old) flow_remove(w, old);
    int slot = free_slot(w);
    scr_flow *grown = realloc(w->flows, ((size_t)w->flow_count + 1) * sizeof *grown);
    char *name = strdup(flow->name);
    scr_flow_bins bins = flow->bins;
    if (grown) w->flows = grown;
    if (!grown || !name || slot < 0 || !scr_flow_bins_open(&bins)) {
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
                    .bins = bins,
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
        scr_free_all(w->flows[k].near, w->flows[k].bins.passed);
    }
    free(w->flows);
    w->flows = NULL;
    w->flow_count = 0;
}
