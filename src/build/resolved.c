#include "build/resolved.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "step/stepper.h"

static int wall_index(const scr_world *w, const char *name)
{
    for (int k = 0; name && k < w->wall_count; k++)
        if (!strcmp(w->walls[k].name, name)) return k;
    return -1;
}

// one that no grain can reach, at the start, is a mistake
static void check_place(const scr_world *w, const scr_scene *scene, const scr_item *item, const scr_resolved *resolved,
                        scree_report *report)
{
    for (int d = 0; d < 3; d++) {
        double low = (&resolved->region.low.x)[d], high = (&resolved->region.high.x)[d];
        double first = (&w->domain.lower.x)[d], last = (&w->domain.upper.x)[d];
        if (high > first && low < last) continue;
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, NULL),
                 "resolved_regions.%s reaches from %g to %g m along %c, outside the domain, %g to %g m", item->name,
                 low, high, "xyz"[d], first, last);
        return;
    }
}

scree_status scr_build_resolved(scr_step *step, const scr_scene *scene, scree_report *report)
{
    scr_world *w = step->world;
    const scr_items *items = scr_scene_items(scene, "resolved_regions");
    int errors = report->errors;
    if (!items->count) return SCREE_OK;
    w->resolved = calloc((size_t)items->count, sizeof *w->resolved);
    for (int k = 0; k < items->count; k++) {
        const scr_item *item = &items->items[k];
        const scr_resolved_def *def = item->def;
        scr_resolved *resolved = w->resolved ? &w->resolved[w->resolved_count++] : NULL;
        if (resolved) resolved->name = strdup(item->name);
        if (!resolved || !resolved->name) return scr_no_memory(report, "regions that stay resolved");
        resolved->wall = wall_index(w, def->moves_with);
        if (scr_region_init(&resolved->region, scene, item))
            check_place(w, scene, item, resolved, report);
        else
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, NULL),
                     "resolved_regions.%s has no volume, or is too large", item->name);
    }
    if (!step->traits.reduces)
        scr_warn(report, scr_item_place(scene, &items->items[0], NULL),
                 "resolved_regions have no effect: only the integrator nonsmooth with reduction: on has aggregates to "
                 "split");
    return report->errors > errors ? SCREE_E_INPUT : SCREE_OK;
}
