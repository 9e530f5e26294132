#include "build/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "build/origin.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "functions of time");
}

// a copy of a table whose first column is the time
static scree_status copy_table(const scr_scene *scene, const scr_item *item, const char *key, const char *path,
                               const scr_matrix *from, double origin, double **table, int *rows, scree_report *report)
{
    for (int k = 1; k < from->count; k++) {
        const double *t = from->rows + from->width * k, *last = t - from->width;
        if (!(*t > *last))
            return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key),
                            "%s has the time %g s after %g s, times must increase", path, *t, *last);
    }
    size_t bytes = (size_t)(from->count * from->width) * sizeof **table;
    *table = malloc(bytes);
    if (!*table) return no_memory(report);
    memcpy(*table, from->rows, bytes);
    for (int k = 0; k < from->count; k++) (*table)[from->width * k] += origin;
    *rows = from->count;
    return SCREE_OK;
}

scree_status scr_signal_read(const scr_scene *scene, const scr_item *item, const scr_item *nested, const char *path,
                             double origin, scr_signal *signal, scree_report *report)
{
    static const char *const kinds[] = {"constant", "step", "ramp", "sine", "ricker", "table"};
    *signal = (scr_signal){.until = INFINITY};
    if (!nested->variant) return SCREE_OK;
    const scr_signal_def *def = nested->variant_def;
    for (int k = 0; k < 6; k++)
        if (!strcmp(kinds[k], nested->variant->name)) signal->kind = k;
    if (signal->kind == SCR_SIGNAL_CONSTANT) return SCREE_OK;
    signal->start = def->start + origin;
    if (signal->kind == SCR_SIGNAL_STEP || signal->kind == SCR_SIGNAL_SINE)
        signal->until = isnan(def->until) ? INFINITY : def->until + origin;
    signal->duration = def->duration;
    signal->frequency = def->frequency;
    signal->phase = def->phase;
    if (signal->kind != SCR_SIGNAL_TABLE) return SCREE_OK;
    char words[200], key[40];
    snprintf(words, sizeof words, "%s.%.100s.signal.table", item->section->name, item->name ? item->name : "");
    if (path) snprintf(words, sizeof words, "%.150s.table", path);
    snprintf(key, sizeof key, "%s", !item->name && !*item->section->name ? "gravity_signal" : "signal");
    return copy_table(scene, item, key, words, &def->table, origin, &signal->table, &signal->rows, report);
}

scree_status scr_build_gravity(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "")->items[0];
    const scr_head_def *head = item->def;
    scr_gravity *law = &w->gravity_law;
    law->full = head->gravity;
    scree_status status = scr_signal_read(scene, item, &head->gravity_signal, "gravity_signal",
                                          scr_origin(w, scene, "gravity_signal", ""), &law->signal, report);
    if (status) return status;
    if (head->gravity_table.count) {
        const char *other = scr_item_has(item, "gravity")          ? "gravity"
                            : scr_item_has(item, "gravity_signal") ? "gravity_signal"
                                                                   : NULL;
        if (other)
            return scr_fail(
                report, SCREE_E_INPUT, scr_item_place(scene, item, "gravity_table"),
                "gravity_table and %s are both given, but the table prescribes all of gravity; leave one of them out",
                other);
        status = copy_table(scene, item, "gravity_table", "gravity_table", &head->gravity_table,
                            scr_origin(w, scene, "gravity_table", ""), &law->table, &law->rows, report);
    }
    w->gravity = scr_gravity_at(law, 0);
    return status;
}
