#include "study/case_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define DEPTH      16
#define EXPRESSION 1000

/* A column that was asked for. */
typedef struct scr_kept_column {
    struct scr_kept_column *next;
    char *name;
    scr_operand value;
    double *rows;
} kept_column;

/* ---- words ---- */

static char *own(scr_case_run *r, char *text)
{
    if (text) r->texts[r->text_count++] = text;
    return text;
}

// `a=b` in two owned halves
static bool halves(scr_case_run *r, const char *text, const char **first, const char **second)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) return false;
    *first = own(r, strndup(text, (size_t)(equals - text)));
    *second = own(r, strdup(equals + 1));
    return *first && *second;
}

static scree_status refuse(const scr_case_run *r, const char *key, const char *text, const char *form,
                           scree_report *report)
{
    return scr_fail(report, SCREE_E_INPUT, scr_item_place(r->of->file, r->item, key), "%s of run %s: '%s' must be %s",
                    key, r->item->name, text, form);
}

static scree_status take_settings(scr_case_run *r, const scr_texts *set, scree_report *report)
{
    for (int k = 0; k < set->count; k++)
        if (!halves(r, set->items[k], &r->settings[k].path, &r->settings[k].value))
            return refuse(r, "set", set->items[k], "path=value", report);
    return SCREE_OK;
}

static scree_status take_columns(scr_case_run *r, const char *key, const scr_texts *texts, scr_definition *columns,
                                 scree_report *report)
{
    for (int k = 0; k < texts->count; k++)
        if (!halves(r, texts->items[k], &columns[k].name, &columns[k].text))
            return refuse(r, key, texts->items[k], "NAME=EXPRESSION", report);
    return SCREE_OK;
}

static scree_status take_axes(scr_case_run *r, const scr_texts *over, scree_report *report)
{
    scree_status status = SCREE_OK;
    for (int k = 0; k < over->count && !status; k++)
        status = scr_axes_add(&r->axes, over->items[k], scr_item_place(r->of->file, r->item, "over"), report);
    return status;
}

scree_status scr_case_run_init(scr_case_run *r, const scr_case *of, const scr_item *item, const char *folder,
                               scr_case_set set, scree_report *report)
{
    const scr_case_run_def *def = item->def;
    *r = (scr_case_run){.of = of, .item = item, .active = def->set_of <= (int)set};
    r->study.journal = -1;
    size_t words = (size_t)(def->set.count + def->measure.count + def->rows.count);
    r->texts = calloc(2 * words + 1, sizeof *r->texts);
    r->settings = calloc((size_t)def->set.count + 1, sizeof *r->settings);
    r->measures = calloc((size_t)def->measure.count + 1, sizeof *r->measures);
    r->lists = calloc((size_t)def->rows.count + 1, sizeof *r->lists);
    if (!r->texts || !r->settings || !r->measures || !r->lists ||
        asprintf(&r->scene, "%s/%s", of->folder, def->scene) < 0 ||
        asprintf(&r->folder, "%s/%s-%s", folder, of->name, item->name) < 0)
        return scr_no_memory(report, "a case");
    scree_status status = take_settings(r, &def->set, report);
    if (!status) status = take_columns(r, "measure", &def->measure, r->measures, report);
    if (!status) status = take_columns(r, "rows", &def->rows, r->lists, report);
    if (!status) status = take_axes(r, &def->over, report);
    r->study = (scr_study){.scene = r->scene,
                           .settings = r->settings,
                           .setting_count = def->set.count,
                           .axes = r->axes.count ? &r->axes : NULL,
                           .definitions = of->definitions,
                           .measures = r->measures,
                           .lists = def->rows.count ? r->lists : NULL,
                           .statics = def->statics,
                           .folder = r->folder,
                           .keep = !r->axes.count,
                           .journal = -1};
    return status;
}

void scr_case_run_deinit(scr_case_run *r)
{
    scr_study_close(&r->study);
    scr_scope_destroy(r->scope);
    scr_archive_close(r->archive);
    scr_scene_destroy(r->first);
    for (kept_column *c = r->columns, *next; c; c = next) {
        next = c->next;
        free(c->name), free(c->rows), free(c);
    }
    scr_axes_deinit(&r->axes);
    for (int k = 0; k < r->text_count; k++) free(r->texts[k]);
    free(r->texts), free(r->settings), free(r->measures), free(r->lists);
    free(r->scene), free(r->folder);
    *r = (scr_case_run){0};
}

/* ---- results ---- */

static bool open_single(scr_case_run *r, char *why, size_t size)
{
    scree_report report;
    scree_report_init(&report);
    char *path = scr_study_results(&r->study, 0);
    r->first = scr_study_scene(&r->study, 0, &report);
    r->archive = path ? scr_archive_open(path, &report) : NULL;
    r->scope = scr_scope_create(r->first, r->archive, r->of->definitions);
    bool good = r->first && r->archive && r->scope;
    if (!good)
        snprintf(why, size, "its results cannot be read: %s", report.count ? report.messages[0].text : "no memory");
    scree_report_deinit(&report);
    free(path);
    return good;
}

bool scr_case_run_read(scr_case_run *r, char *why, size_t size)
{
    const char *message = NULL;
    if (r->scope || r->columns) return true;
    if (r->axes.count) return true; // failures of single cells are rows without numbers
    if (!scr_study_good(&r->study, 0, &message)) {
        snprintf(why, size, "%s", message ? message : "it was not run");
        return false;
    }
    return open_single(r, why, size);
}

/* ---- names of a table ---- */

static bool keep(scr_case_run *r, const char *name, scr_operand value, double *rows, scr_operand *found)
{
    kept_column *c = calloc(1, sizeof *c);
    char *copy = strdup(name);
    if (!c || !copy) {
        free(c), free(copy), free(rows);
        return false;
    }
    value.rows = rows;
    value.times = NULL;
    *c = (kept_column){r->columns, copy, value, rows};
    r->columns = c;
    *found = value;
    return true;
}

static bool find_definition(scr_case_run *r, const char *name, scr_operand *found, char *why, size_t size)
{
    const scr_definition *d = r->of->definitions;
    while (d && d->name && strcmp(d->name, name)) d++;
    if (!d || !d->name || r->depth >= DEPTH) return false;
    scr_names names = scr_case_run_names(r);
    scr_operand value;
    double *rows, *times;
    r->depth++;
    bool good = scr_expression_value(d->text, &names, &value, &rows, &times, why, size);
    r->depth--;
    free(good ? times : NULL);
    return good && keep(r, name, value, rows, found);
}

static bool find_in_table(void *context, const char *name, const double *argument, scr_operand *found, char *why,
                          size_t size)
{
    scr_case_run *r = context;
    *why = 0;
    if (argument) return false;
    for (const kept_column *c = r->columns; c; c = c->next)
        if (!strcmp(c->name, name)) return *found = c->value, true;
    size_t count = scr_study_rows(&r->study);
    double *rows = malloc((count + 1) * sizeof *rows);
    if (rows && scr_study_column(&r->study, name, rows))
        return keep(r, name, (scr_operand){.list = true, .count = count}, rows, found);
    free(rows);
    if (find_definition(r, name, found, why, size)) return true;
    if (!*why) snprintf(why, size, "the table '%s' has no column '%s'", r->item->name, name);
    return false;
}

scr_names scr_case_run_names(scr_case_run *r)
{
    if (r->axes.count) return (scr_names){.find = find_in_table, .context = r};
    return scr_scope_names(r->scope);
}
