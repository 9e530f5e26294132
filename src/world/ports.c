#include "world/ports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/carrier.h"
#include "world/outlets.h"

void scr_ports_deinit(scr_world *w)
{
    for (int k = 0; k < w->inlet_count; k++) free(w->inlets[k].name);
    for (int k = 0; k < w->outlet_count; k++) free(w->outlets[k].name);
    free(w->inlets);
    free(w->outlets);
    w->inlets = NULL, w->outlets = NULL;
    w->inlet_count = w->outlet_count = 0;
}

const scr_inlet *scr_inlet_find(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->inlet_count; k++)
        if (!strcmp(w->inlets[k].name, name)) return &w->inlets[k];
    return NULL;
}

const scr_outlet *scr_outlet_find(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->outlet_count; k++)
        if (!strcmp(w->outlets[k].name, name)) return &w->outlets[k];
    return NULL;
}

static bool is_open(const scr_outlet *o, double now)
{
    return now >= o->start && now < o->until;
}

int scr_outlet_of(const scr_world *w, size_t i)
{
    double now = w->clock.time;
    if (!w->outlet_count || w->bodies.motion[4 * i + 3] == 0) return -1;
    // a clump leaves as one, with its centre
    int rigid = scr_carrier_is_clump(w, w->bodies.carrier[i]) ? scr_carrier_rigid(w, w->bodies.carrier[i]) : -1;
    vec3 x = v3_load(rigid < 0 ? w->bodies.place + 4 * i : w->rigids.centre + 4 * rigid);
    for (int k = 0; k < w->outlet_count; k++) {
        const scr_outlet *o = &w->outlets[k];
        if (is_open(o, now) && scr_region_holds(&o->region, x, 0, 0)) return k;
    }
    return -1;
}

// what is outside is not in the outlet: cheap, of its region's box, where one axis may be endless, or beyond its plane
typedef struct {
    vec3 point, normal;
    double least, low[3], high[3];
} bound;

static bound bound_of(const scr_region *r)
{
    bool beyond = r->kind == SCR_REGION_BEYOND;
    bound b = {.point = r->from, .normal = r->axis, .least = beyond ? 0 : -INFINITY};
    for (int d = 0; d < 3; d++) {
        b.low[d] = beyond || r->endless[d] ? -INFINITY : (&r->low.x)[d];
        b.high[d] = beyond || r->endless[d] ? INFINITY : (&r->high.x)[d];
    }
    return b;
}

static bool may_hold(const bound *b, const double *x)
{
    // most are outside of the box
    for (int d = 0; d < 3; d++)
        if (!(x[d] >= b->low[d] && x[d] <= b->high[d])) return false;
    vec3 p = b->point, n = b->normal;
    return (x[0] - p.x) * n.x + (x[1] - p.y) * n.y + (x[2] - p.z) * n.z >= b->least;
}

// of one outlet, before row `end`
static size_t next_of(const scr_world *w, const scr_outlet *o, size_t i, size_t end)
{
    const bound b = bound_of(&o->region);
    bool clumps = w->rigids.table.count > 0; // leave with their centres
    if (!is_open(o, w->clock.time)) return end;
    for (; i < end; i++) {
        bool may = may_hold(&b, w->bodies.place + 4 * i) || (clumps && scr_carrier_is_clump(w, w->bodies.carrier[i]));
        if (may && scr_outlet_of(w, i) >= 0) return i;
    }
    return end;
}

size_t scr_outlets_next(const scr_world *w, size_t i)
{
    size_t end = w->bodies.table.count;
    for (int k = 0; k < w->outlet_count; k++) end = next_of(w, &w->outlets[k], i, end);
    return end;
}

bool scr_outlets_are_due(const scr_world *w)
{
    return scr_outlets_next(w, 0) < w->bodies.table.count;
}

void scr_ports_continue(scr_world *w, const scr_world *from)
{
    static const scr_inlet no_inlet;
    static const scr_outlet no_outlet;
    for (int k = 0; k < w->inlet_count; k++) {
        const scr_inlet *old = from ? scr_inlet_find(from, w->inlets[k].name) : NULL;
        if (!old) old = &no_inlet;
#define F(member, type) w->inlets[k].member = old->member;
        SCR_INLET_NUMBERS(F)
#undef F
        if (old == &no_inlet) w->inlets[k].time = w->clock.time;
    }
    for (int k = 0; k < w->outlet_count; k++) {
        const scr_outlet *old = from ? scr_outlet_find(from, w->outlets[k].name) : NULL;
        if (!old) old = &no_outlet;
#define F(member, type) w->outlets[k].member = old->member;
        SCR_OUTLET_NUMBERS(F)
#undef F
    }
}
