#include "world/loads.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "world/world.h"

void scr_loads_deinit(scr_world *w)
{
    for (int k = 0; k < w->patch_count; k++) {
        free(w->patches[k].name);
        scr_memory_free(w->patches[k].cells);
        scr_memory_free(w->patches[k].faces);
    }
    for (int k = 0; k < w->load_count; k++) {
        free(w->loads[k].name);
        scr_signal_deinit(&w->loads[k].signal);
        scr_memory_free(w->loads[k].entries);
    }
    for (int k = 0; k < w->support_count; k++) {
        free(w->supports[k].name);
        scr_signal_deinit(&w->supports[k].signal);
    }
    for (int k = 0; k < w->sponge_count; k++) free(w->sponges[k].name);
    free(w->patches);
    free(w->loads);
    free(w->supports);
    free(w->sponges);
    w->patches = NULL, w->loads = NULL, w->supports = NULL, w->sponges = NULL;
    w->patch_count = w->load_count = w->support_count = w->sponge_count = 0;
}

double scr_signal_now(const scr_world *w, const scr_signal *signal)
{
    // where no part of the loads acts yet, those with a signal do not either
    if (w->load_share == 0) return 0;
    return scr_signal_then(w, signal, w->clock.time);
}

double scr_signal_then(const scr_world *w, const scr_signal *signal, double time)
{
    if (signal->kind != SCR_SIGNAL_CONSTANT) return scr_signal_at(signal, time);
    return w->ramp > 0 ? time / w->ramp : w->load_share;
}

int scr_patch_find(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->patch_count; k++)
        if (!strcmp(w->patches[k].name, name)) return k;
    return -1;
}
