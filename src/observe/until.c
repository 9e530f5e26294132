#include "observe/until.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expression.h"
#include "base/memory.h"
#include "scene/unit.h"

#define COLUMNS 64 /* that a condition names, for its units */

/* What names and units mean. */
typedef struct {
    const scr_scene *scene;
    const scr_series *series;
    int count;
    double time, step;
    bool *named;                /* of each series; NULL: not needed */
    const char *units[COLUMNS]; /* of the columns that were met so far */
    int unit_count;
    bool strict; /* units must be those of a column */
} scope;

const char *scr_until_text(const scr_scene *scene)
{
    return ((const scr_time_def *)scr_scene_def(scene, "time"))->until;
}

/* ---- names ---- */

static bool unknown_observer(const scope *s, const char *head, size_t length, char *why, size_t size)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)length, head);
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < s->count; k++) scr_nearest_offer(&nearest, s->series[k].name);
    snprintf(why, size, "the scene has no observer '%s'%s%s%s", name, nearest.found ? ", did you mean '" : "",
             nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
    return false;
}

static bool unknown_column(const scr_series *series, const char *tail, char *why, size_t size)
{
    scr_nearest nearest = {.wanted = tail};
    for (int c = 0; c < series->column_count; c++) scr_nearest_offer(&nearest, series->columns[c].name);
    snprintf(why, size, "the observer '%s' (%s) has no column '%s'%s%s%s", series->name, series->kind, tail,
             nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
    return false;
}

static bool find_column(scope *s, int k, const char *tail, scr_operand *found, char *why, size_t size)
{
    const scr_series *series = &s->series[k];
    for (int c = 0; c < series->column_count; c++) {
        const scr_series_column *column = &series->columns[c];
        if (strcmp(column->name, tail)) continue;
        if (column->width > 1) {
            snprintf(why, size, "'%s.%s' has a number for each bin, not one", series->name, tail);
            return false;
        }
        const double *last = scr_series_last(series);
        *found = (scr_operand){.number = last ? last[column->first] : NAN};
        if (s->named) s->named[k] = true;
        if (s->unit_count < COLUMNS) s->units[s->unit_count++] = column->unit;
        return true;
    }
    return unknown_column(series, tail, why, size);
}

// `strain`, and its components, are those of the box
static bool find_strain(scope *s, const char *name, scr_operand *found, char *why, size_t size)
{
    for (int k = 0; k < s->count && !strncmp(name, "strain", 6); k++)
        if (!strcmp(s->series[k].kind, "box")) return find_column(s, k, name, found, why, size);
    snprintf(why, size, "'%s' is neither time, step, a value of the scene nor OBSERVER.COLUMN%s", name,
             strncmp(name, "strain", 6) ? "" : "; strain is that of a domain that deforms (domain.deform)");
    return false;
}

static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why, size_t size)
{
    scope *s = context;
    *found = (scr_operand){0};
    if (argument) return snprintf(why, size, "'%s' takes no argument here", name), false;
    if (!strcmp(name, "time")) {
        if (s->unit_count < COLUMNS) s->units[s->unit_count++] = "s";
        return found->number = s->time, true;
    }
    if (!strcmp(name, "step")) return found->number = s->step, true;
    if (scr_scene_value(s->scene, name, &found->number)) return true;
    const char *dot = strchr(name, '.');
    if (!dot) return find_strain(s, name, found, why, size);
    size_t length = (size_t)(dot - name);
    for (int k = 0; k < s->count; k++)
        if (strlen(s->series[k].name) == length && !memcmp(s->series[k].name, name, length))
            return find_column(s, k, dot + 1, found, why, size);
    return unknown_observer(s, name, length, why, size);
}

/* ---- units ---- */

// one of it in SI
static double scale_of(const scr_unit *unit)
{
    double scale = 1;
    scr_number_read("1", 1, unit, &scale);
    return scale;
}

// the length of a unit without blanks, such as N or kg/m^3; words between conditions are none
static size_t unit_length(const char *text)
{
    static const char *const words[] = {"and", "or"};
    size_t n = 0;
    while (isalpha((unsigned char)text[n]) || (n && (isdigit((unsigned char)text[n]) || text[n] == '^')) ||
           (n && text[n] == '/' && isalpha((unsigned char)text[n + 1])))
        n++;
    for (int k = 0; k < 2; k++)
        if (strlen(words[k]) == n && !strncmp(text, words[k], n)) return 0;
    return n;
}

// numbers become those of the column that has such a unit
static bool convert(void *context, const char *text, size_t *length, double *factor, char *why, size_t size)
{
    const scope *s = context;
    scr_unit unit, column;
    char word[40], inner[SCR_EXPRESSION_WHY];
    *length = unit_length(text);
    if (!*length) return true;
    snprintf(word, sizeof word, "%.*s", (int)*length, text);
    if (!scr_unit_parse(word, &unit, inner, sizeof inner)) return snprintf(why, size, "%s", inner), false;
    for (int k = 0; k < s->unit_count; k++) {
        if (!scr_unit_parse(s->units[k] ? s->units[k] : "", &column, inner, sizeof inner)) continue;
        if (memcmp(unit.power, column.power, sizeof unit.power)) continue;
        *factor = scale_of(&unit) / scale_of(&column);
        return true;
    }
    if (s->strict) snprintf(why, size, "no quantity named in it has the unit '%s'", word);
    return !s->strict;
}

/* ---- the condition ---- */

// twice: units are those of columns that may be named after them
static bool evaluate(scope *s, double *value, char *why, size_t size)
{
    scr_names names = {find, s, convert};
    const char *text = scr_until_text(s->scene);
    if (!scr_expression_number(text, &names, value, why, size)) return false;
    s->strict = true;
    return scr_expression_number(text, &names, value, why, size);
}

// the series that a run of this scene will have; their number, or -1 when memory is exhausted
static int lay_out(const scr_step *step, const scr_scene *scene, scr_series **series)
{
    size_t most = (size_t)scr_scene_items(scene, "observers")->count + SCR_OBSERVED_MORE;
    scr_observed *list = calloc(most, sizeof *list);
    *series = calloc(most, sizeof **series);
    int count = list && *series ? scr_observed_list(scene, step, list) : -1;
    for (int k = 0; k < count; k++)
        if (!scr_observer_layout(list[k].observer, step, list[k].def, list[k].name, &(*series)[k])) count = -1;
    free(list);
    return count;
}

// where it is written: a stage has its own
static scree_place place_of(const scr_scene *scene, char *path, size_t size)
{
    if (!scr_scene_stage_count(scene)) return scr_item_place(scene, &scr_scene_items(scene, "time")->items[0], "until");
    const scr_item *stage = &scr_scene_items(scene, "stages")->items[scr_scene_stage_number(scene)];
    snprintf(path, size, "stages.%.80s.until", stage->name);
    return scr_item_place(scene, stage, "until");
}

static void check(scope *s, scree_report *report)
{
    char path[120] = "time.until";
    scree_place place = place_of(s->scene, path, sizeof path);
    char why[SCR_EXPRESSION_WHY];
    double value;
    bool any = false;
    if (!evaluate(s, &value, why, sizeof why)) {
        scr_fail(report, SCREE_E_INPUT, place, "%s: %s", path, why);
        return;
    }
    for (int k = 0; k < s->count; k++) any |= s->named[k];
    if (!any)
        scr_fail(report, SCREE_E_INPUT, place,
                 "%s is '%.80s', which does not refer to an observer as 'ledger.kinetic < 1e-6 J' does", path,
                 scr_until_text(s->scene));
}

void scr_until_check(const scr_step *step, const scr_scene *scene, scree_report *report)
{
    if (!scr_until_text(scene)) return;
    scr_series *series;
    int count = lay_out(step, scene, &series);
    bool *named = calloc((size_t)(count < 0 ? 1 : count), sizeof *named);
    scope s = {.scene = scene, .series = series, .count = count, .named = named};
    if (count < 0 || !named)
        scr_no_memory(report, "time.until");
    else
        check(&s, report);
    for (int k = 0; k < count; k++) scr_series_deinit(&series[k]);
    free(series);
    free(named);
}

void scr_until_names(const scr_scene *scene, const scr_series *series, int count, bool *named)
{
    scope s = {.scene = scene, .series = series, .count = count, .named = named};
    char why[SCR_EXPRESSION_WHY];
    double value;
    evaluate(&s, &value, why, sizeof why);
}

bool scr_until_met(const scr_scene *scene, const scr_series *series, int count, const scr_clock *clock)
{
    scope s = {.scene = scene, .series = series, .count = count, .time = clock->time, .step = (double)clock->step};
    char why[SCR_EXPRESSION_WHY];
    double value;
    return evaluate(&s, &value, why, sizeof why) && value != 0 && !isnan(value);
}
