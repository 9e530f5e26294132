#include "world/ports.h"

#include <stdlib.h>
#include <string.h>

#include "world/world.h"

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

int scr_outlet_of(const scr_world *w, size_t i)
{
    double now = w->clock.time;
    if (!w->outlet_count || w->bodies.motion[4 * i + 3] == 0) return -1;
    vec3 x = v3_load(w->bodies.place + 4 * i);
    for (int k = 0; k < w->outlet_count; k++) {
        const scr_outlet *o = &w->outlets[k];
        if (now >= o->start && now < o->until && scr_region_holds(&o->region, x, 0, 0)) return k;
    }
    return -1;
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
    }
    for (int k = 0; k < w->outlet_count; k++) {
        const scr_outlet *old = from ? scr_outlet_find(from, w->outlets[k].name) : NULL;
        if (!old) old = &no_outlet;
#define F(member, type) w->outlets[k].member = old->member;
        SCR_OUTLET_NUMBERS(F)
#undef F
    }
}
