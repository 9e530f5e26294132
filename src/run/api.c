/* The rest of the public API: thin words over scene/, observe/ and show/. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "build/schema.h"
#include "build/sides.h"
#include "exec/cuda/device.h"
#include "observe/pack.h"
#include "run/impact.h"
#include "run/simulation.h"
#include "scene/examples.h"
#include "scene/help.h"
#include "show/export.h"
#include "show/info.h"
#include "show/render.h"
#include "step/report.h"
#include "view/report.h"
#include "view/server.h"

int scree_gpus(void)
{
    return scr_device_count();
}

void scree_gpu_text(int number, char *text, size_t size)
{
    scr_device_info d = scr_device_info_of(number);
    snprintf(text, size, "gpu:%d  %s, compute capability %d.%d, %.1f GiB%s", number, d.name, d.major, d.minor,
             (double)d.total / (1 << 30), d.usable ? "" : " (this program has no code for it)");
}

const char *scree_gpus_missing(void)
{
    return scr_device_missing();
}

const char *scree_version(void)
{
    return SCREE_VERSION;
}

// text NULL: from the file `path`
static scree_status open_scene(const char *text, const char *path, const scree_setting *settings, int setting_count,
                               scree_scene **scene, scree_report *report)
{
    *scene = calloc(1, sizeof **scene);
    scr_setting *changes = calloc((size_t)setting_count + 1, sizeof *changes);
    scree_status status = SCREE_OK;
    if (!*scene || !changes) status = scr_no_memory(report, "a scene");
    for (int k = 0; k < setting_count && !status; k++) changes[k] = (scr_setting){settings[k].path, settings[k].value};
    if (!status) {
        const scr_schema *schema = scr_schema_get();
        (*scene)->scene = text ? scr_scene_parse(text, path, schema, changes, setting_count, report)
                               : scr_scene_read(path, schema, changes, setting_count, report);
        if (!(*scene)->scene) status = SCREE_E_INPUT;
    }
    free(changes);
    if (status) {
        free(*scene);
        *scene = NULL;
    }
    return status;
}

scree_status scree_scene_open(const char *path, const scree_setting *settings, int setting_count, scree_scene **scene,
                              scree_report *report)
{
    return open_scene(NULL, path, settings, setting_count, scene, report);
}

scree_status scree_scene_parse(const char *text, const char *name, const scree_setting *settings, int setting_count,
                               scree_scene **scene, scree_report *report)
{
    return open_scene(text, name, settings, setting_count, scene, report);
}

void scree_scene_close(scree_scene *scene)
{
    if (!scene) return;
    scr_scene_destroy(scene->scene);
    free(scene);
}

const char *scree_scene_title(const scree_scene *scene)
{
    const scr_head_def *head = scr_scene_def(scene->scene, "");
    return head->title ? head->title : "";
}

scree_status scree_scene_check(const scree_scene *scene, scree_report *report)
{
    scree_simulation_def def = scree_simulation_def_default();
    scree_simulation s = {0};
    scree_status status = scr_simulation_build(scene->scene, &def, &s, report);
    if (!status) status = scr_check_world(&s, report);
    if (!status) status = scr_check_sides(&s, true, report);
    if (!status) status = scr_impacts_say(&s, report);
    scr_pairs_deinit(&s.step.pairs);
    scr_world_deinit(&s.world);
    return status;
}

scree_status scree_help_write(const char *key, FILE *out, scree_report *report)
{
    return scr_help_write(scr_schema_get(), key, out, report);
}

void scree_schema_write(FILE *out)
{
    scr_schema_write_json(scr_schema_get(), out);
}

void scree_reference_write(FILE *out)
{
    scr_schema_write_markdown(scr_schema_get(), out);
    scr_reports_write(out);
}

const char *scree_nearest(const char *wanted, const char *const *words)
{
    scr_nearest nearest = {.wanted = wanted};
    for (; *words; words++) scr_nearest_offer(&nearest, *words);
    return nearest.found;
}

const scree_example *scree_examples(void)
{
    return scr_examples;
}

scree_status scree_example_write(const scree_example *example, const char *path, bool force, scree_report *report)
{
    static const scr_output_kind kind = {0}; // what is there is never another example to replace
    if (!example->file) return scr_output_write(path, &kind, force, example->text, strlen(example->text), report);
    const char *slash = strrchr(path, '/');
    char *mesh = NULL;
    if (asprintf(&mesh, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, example->file) < 0)
        return scr_no_memory(report, "the file name");
    scree_status status = scr_output_check(mesh, &kind, force, report);
    if (!status) status = scr_output_write(path, &kind, force, example->text, strlen(example->text), report);
    if (!status) status = scr_output_write(mesh, &kind, force, example->file_text, strlen(example->file_text), report);
    free(mesh);
    return status;
}

scree_status scree_results_info(const char *results, FILE *out, scree_report *report)
{
    return scr_info_write(results, out, report);
}

scree_status scree_results_info_json(const char *results, FILE *out, scree_report *report)
{
    return scr_info_json(results, out, report);
}

scree_status scree_results_pack(const char *results, const char *output, bool force, FILE *list, scree_report *report)
{
    char *path = NULL;
    if (output ? !(path = strdup(output)) : asprintf(&path, "%s.tar", results) < 0)
        return scr_no_memory(report, "the file name");
    scree_status status = scr_pack(results, path, force, report);
    if (!status && list) fprintf(list, "%s\n", path);
    free(path);
    return status;
}

scree_status scree_results_unpack(const char *packed, const char *folder, FILE *list, scree_report *report)
{
    char *index;
    scree_status status = scr_unpack(packed, folder ? folder : ".", &index, report);
    if (!status && list) fprintf(list, "%s\n", index);
    free(index);
    return status;
}

scree_export_def scree_export_def_default(void)
{
    return (scree_export_def){.last = -1, .every = 1};
}

scree_status scree_results_export(const scree_export_def *def, scree_report *report)
{
    scr_export_def e = {.results = def->results,
                        .output = def->output,
                        .first = def->first,
                        .last = def->last,
                        .every = def->every,
                        .contacts = def->contacts,
                        .rigid = def->rigid,
                        .series = def->series,
                        .force = def->force};
    if (!scr_export_format_find(def->format, &e.format))
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no format '%s'; allowed: " SCR_EXPORT_WORDS,
                        def->format);
    char *written = NULL;
    int frames = 0;
    scree_status status = scr_export_write(&e, &written, &frames, report);
    if (!status && def->list)
        fprintf(def->list, "%s (%d %s%s)\n", written, frames, def->series ? "row" : "frame", frames == 1 ? "" : "s");
    free(written);
    return status;
}

scree_picture_def scree_picture_def_default(void)
{
    return (scree_picture_def){.first = -1,
                               .last = -1,
                               .every = 1,
                               .map = "viridis",
                               .low = NAN,
                               .high = NAN,
                               .azimuth = -60,
                               .elevation = 18,
                               .zoom = 1,
                               .warp = 1,
                               .grains = NAN,
                               .fps = 25,
                               .duration = NAN,
                               .title = true,
                               .legend = true};
}

scree_view_def scree_view_def_default(void)
{
    return (scree_view_def){.open = true, .patience = 10, .out = stdout};
}

scree_status scree_results_view(const scree_view_def *def, scree_report *report)
{
    return scr_view_serve(def, report);
}

scree_status scree_results_render(const scree_picture_def *def, scree_report *report)
{
    return scr_render(def, report);
}

scree_status scree_results_report(const scree_page_def *def, scree_report *report)
{
    return scr_report_write(def, report);
}
