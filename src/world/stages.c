#include "world/stages.h"

#include <stdlib.h>
#include <string.h>

#include "world/world.h"

static bool add(scr_world *w, const char *name, int64_t step, double time)
{
    scr_stage *grown = realloc(w->stages, ((size_t)w->stage_count + 1) * sizeof *grown);
    char *copy = grown ? strdup(name) : NULL;
    if (grown) w->stages = grown;
    if (!copy) return false;
    w->stages[w->stage_count++] = (scr_stage){copy, step, time};
    return true;
}

bool scr_stages_begin(scr_world *w, const char *name)
{
    return add(w, name, w->clock.step, w->clock.time);
}

bool scr_stages_copy(scr_world *w, const scr_world *from)
{
    scr_stages_deinit(w);
    for (int k = 0; k < from->stage_count; k++)
        if (!add(w, from->stages[k].name, from->stages[k].step, from->stages[k].time)) return false;
    return true;
}

void scr_stages_deinit(scr_world *w)
{
    for (int k = 0; k < w->stage_count; k++) free(w->stages[k].name);
    free(w->stages);
    w->stages = NULL, w->stage_count = 0;
}

double scr_stage_time(const scr_world *w, int stage)
{
    return stage < w->stage_count ? w->stages[stage].time : 0;
}

int64_t scr_stage_step(const scr_world *w)
{
    return w->stage_count ? w->stages[w->stage_count - 1].step : -1;
}
