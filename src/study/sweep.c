/* `scree sweep`: one study, from the command line's words to a table. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "scree/scree.h"
#include "study/pool.h"
#include "study/study.h"

#define EXPRESSION 1000

typedef struct {
    const scree_sweep_def *def;
    scr_axes axes;
    scr_setting *settings;
    scr_definition *measures;
    char **texts; /* behind the measures */
    int text_count;
    char folder[4200];
    scr_study study;
    scree_report *report;
} sweep;

// `name = expression`; a comparison has no single = after a plain name
static const char *name_end(const char *text)
{
    const char *p = text;
    while (isalnum((unsigned char)*p) || *p == '_') p++;
    const char *end = p;
    while (*p == ' ') p++;
    return end > text && *p == '=' && p[1] != '=' ? end : NULL;
}

static const char *own(sweep *s, char *text)
{
    return s->texts[s->text_count++] = text;
}

static scree_status add_measure(sweep *s, int k)
{
    const char *text = s->def->measures[k], *end = name_end(text);
    char expression[EXPRESSION];
    if (!scr_measure_expand(end ? strchr(end, '=') + 1 : text, expression, sizeof expression))
        return scr_fail(s->report, SCREE_E_INPUT, SCR_NOWHERE, "--measure %.40s... is too long", text);
    s->measures[k].name = own(s, end ? strndup(text, (size_t)(end - text)) : strdup(text));
    s->measures[k].text = own(s, strdup(expression));
    if (s->measures[k].name && s->measures[k].text) return SCREE_OK;
    return scr_no_memory(s->report, "a sweep");
}

static scree_status take_words(sweep *s)
{
    const scree_sweep_def *def = s->def;
    s->settings = calloc((size_t)def->setting_count + 1, sizeof *s->settings);
    s->measures = calloc((size_t)def->measure_count + 1, sizeof *s->measures);
    s->texts = calloc(2 * (size_t)def->measure_count + 1, sizeof *s->texts);
    if (!s->settings || !s->measures || !s->texts) return scr_no_memory(s->report, "a sweep");
    for (int k = 0; k < def->setting_count; k++)
        s->settings[k] = (scr_setting){def->settings[k].path, def->settings[k].value};
    scree_status status = SCREE_OK;
    for (int k = 0; k < def->over_count && !status; k++)
        status = scr_axes_add(&s->axes, def->over[k], (scree_place){.file = "--over"}, s->report);
    for (int k = 0; k < def->measure_count && !status; k++) status = add_measure(s, k);
    return status;
}

static void name_output(const scree_sweep_def *def, char *path, size_t size)
{
    const char *base = strrchr(def->scene, '/');
    base = base ? base + 1 : def->scene;
    const char *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    if (def->output)
        snprintf(path, size, "%s", def->output);
    else
        snprintf(path, size, "%.*s.csv", length, base);
}

static scree_status travel(sweep *s, scree_sweep_result *result)
{
    scr_study *study = &s->study;
    *study = (scr_study){.scene = s->def->scene,
                         .settings = s->settings,
                         .setting_count = s->def->setting_count,
                         .axes = &s->axes,
                         .measures = s->measures,
                         .folder = s->folder,
                         .keep = s->def->keep,
                         .journal = -1};
    scree_status status = scr_study_open(study, s->def->fresh ? SCR_STUDY_FRESH : SCR_STUDY_GO_ON, s->report);
    if (status) return status;
    result->runs = (long)study->cells, result->known = (long)study->known;
    if (study->known) scr_say("%zu of %zu runs are done already (%s)", study->known, study->cells, s->folder);
    scr_study *one[] = {study};
    status = scr_studies_run(one, 1, s->def->jobs, s->def->quiet, &result->signal, s->report);
    if (status == SCREE_E_INTERRUPT)
        scr_fail(s->report, status, SCR_NOWHERE, "stopped by signal %d; the same command continues where it stopped",
                 result->signal);
    if (!status) status = scr_study_write(study, result->output, s->def->force, s->report);
    if (!status) result->failed = (long)scr_study_failures(study);
    return status;
}

scree_status scree_sweep(const scree_sweep_def *def, scree_sweep_result *result, scree_report *report)
{
    *result = (scree_sweep_result){0};
    sweep s = {.def = def, .report = report};
    scr_log_quiet(def->quiet);
    scree_status alone = scr_pool_check_ranks(report);
    if (alone) return alone;
    name_output(def, result->output, sizeof result->output);
    snprintf(s.folder, sizeof s.folder, "%s.runs", result->output);
    scree_status status = scr_output_check(result->output, &scr_study_kind, def->force, report);
    if (!status) status = take_words(&s);
    if (!status) status = travel(&s, result);
    scr_study_close(&s.study);
    scr_axes_deinit(&s.axes);
    for (int k = 0; k < s.text_count; k++) free(s.texts[k]);
    free(s.texts), free(s.measures), free(s.settings);
    return status;
}
