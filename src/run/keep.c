/* The state of a simulation as a results file: one frame, one checkpoint, a row of each series. */
#include <stdlib.h>

#include "base/memory.h"
#include "observe/results.h"
#include "run/watch.h"

static scree_status put(scree_simulation *s, scr_results *results, scr_watches *watches, scree_report *report)
{
    const scr_output_def *output = scr_scene_def(s->scene, "output");
    const char **fields = calloc((size_t)output->fields.count + 1, sizeof *fields);
    if (!fields) return scr_no_memory(report, "names of fields");
    for (int k = 0; k < output->fields.count; k++) fields[k] = output->fields.items[k];
    scree_status status = scr_watches_look(watches, s, true, report);
    if (!status) status = scr_results_frame(results, &s->world, fields, output->fields.count, NULL, report);
    if (!status) status = s->step.stepper->save(&s->step, report);
    if (!status) status = scr_results_checkpoint(results, &s->world, report);
    if (!status) status = scr_results_publish(results, &s->world, watches->series, watches->count, report);
    free(fields);
    return status;
}

scree_status scree_simulation_write(scree_simulation *s, const char *path, bool force, scree_report *report)
{
    const scr_head_def *head = scr_scene_def(s->scene, "");
    scr_results_scene kept = {scr_scene_path(s->scene), scr_scene_text(s->scene), head->title};
    scr_results *results = NULL;
    scr_watches watches = {0};
    scree_status status = scree_simulation_renew(s, report);
    if (!status) status = scr_watches_init(&watches, s, 1, report);
    if (!status) status = (force ? scr_results_force : scr_results_create)(path, &kept, &results, report);
    if (!status) status = put(s, results, &watches, report);
    scr_results_destroy(results);
    scr_watches_deinit(&watches);
    return status;
}
