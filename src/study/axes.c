#include "study/axes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "math/elementary.h"

void scr_axes_deinit(scr_axes *grid)
{
    for (int a = 0; a < grid->count; a++) {
        for (int k = 0; k < grid->axes[a].count; k++) free(grid->axes[a].values[k]);
        scr_buffer_free(grid->axes[a].values);
        free(grid->axes[a].path);
    }
    *grid = (scr_axes){0};
}

static bool add_value(scr_axis *axis, const char *text, size_t length)
{
    char *copy = strndup(text, length);
    if (copy && scr_push(axis->values, axis->count, copy)) return true;
    free(copy);
    return false;
}

// from:to:step or from:to:*factor, and a unit; false when it is not of that form
static bool parse_range(const char *text, double *from, double *to, double *step, bool *factor, const char **unit)
{
    char *end;
    *from = strtod(text, &end);
    if (end == text || *end != ':') return false;
    text = end + 1;
    *to = strtod(text, &end);
    if (end == text || *end != ':') return false;
    text = end + 1;
    *factor = *text == '*';
    text += *factor;
    *step = strtod(text, &end);
    *unit = end;
    return end != text && !strchr(end, ':');
}

static scree_status add_range(scr_axis *axis, const char *text, scree_place at, scree_report *report)
{
    double from, to, step;
    bool factor;
    const char *unit;
    if (!parse_range(text, &from, &to, &step, &factor, &unit))
        return scr_fail(report, SCREE_E_INPUT, at, "'%s' is not a range; from:to:step, from:to:*factor or a list a,b,c",
                        text);
    double count = factor ? scr_log(to / from) / scr_log(step) : (to - from) / step;
    count = floor(count + 1e-9) + 1;
    bool good = factor ? from > 0 && to > 0 && step > 0 && step != 1 : step != 0;
    if (!good || !(count >= 1 && count <= SCR_AXES_VALUES))
        return scr_fail(report, SCREE_E_INPUT, at,
                        "'%s' gives no values, or more than %d: the step must lead from the first "
                        "number to the second",
                        text, SCR_AXES_VALUES);
    for (int k = 0; k < (int)count; k++) {
        char value[128];
        double x = factor ? from * scr_pow(step, k) : from + k * step;
        // a step across zero leaves a rounding error, not a value
        if (fabs(x) < 1e-12 * fabs(step) && !factor) x = 0;
        snprintf(value, sizeof value, "%.12g%.60s", x, unit);
        if (!add_value(axis, value, strlen(value))) return scr_no_memory(report, "a sweep");
    }
    return SCREE_OK;
}

// commas inside brackets and quotes belong to the value
static size_t item_length(const char *text)
{
    int depth = 0;
    size_t n = 0;
    for (; text[n]; n++) {
        if (strchr("[{(", text[n])) depth++;
        if (strchr("]})", text[n])) depth--;
        if (text[n] == ',' && depth <= 0) break;
    }
    return n;
}

static scree_status add_list(scr_axis *axis, const char *text, scree_place at, scree_report *report)
{
    for (;;) {
        size_t n = item_length(text);
        if (!n) return scr_fail(report, SCREE_E_INPUT, at, "a value is missing at '%s'", text);
        if (!add_value(axis, text, n)) return scr_no_memory(report, "a sweep");
        text += n;
        if (!*text++) return SCREE_OK;
    }
}

scree_status scr_axes_add(scr_axes *grid, const char *text, scree_place at, scree_report *report)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return scr_fail(report, SCREE_E_INPUT, at,
                        "'%s' must be path.to.key=values, for example "
                        "materials.glass.friction=0.1:1.0:0.1",
                        text);
    if (grid->count == SCR_AXES_MOST)
        return scr_fail(report, SCREE_E_INPUT, at, "at most %d keys can be swept", SCR_AXES_MOST);
    scr_axis *axis = &grid->axes[grid->count++];
    *axis = (scr_axis){.path = strndup(text, (size_t)(equals - text))};
    if (!axis->path) return scr_no_memory(report, "a sweep");
    for (int k = 0; k + 1 < grid->count; k++)
        if (!strcmp(grid->axes[k].path, axis->path))
            return scr_fail(report, SCREE_E_INPUT, at, "%s is swept twice", axis->path);
    const char *values = equals + 1;
    bool range = strchr(values, ':') && !strchr(values, ',') && !strpbrk(values, "[{");
    scree_status status = range ? add_range(axis, values, at, report) : add_list(axis, values, at, report);
    if (!status && scr_axes_size(grid) > SCR_AXES_RUNS)
        return scr_fail(report, SCREE_E_INPUT, at, "more than %d runs", SCR_AXES_RUNS);
    return status;
}

size_t scr_axes_size(const scr_axes *grid)
{
    size_t size = 1;
    for (int a = 0; a < grid->count && size <= SCR_AXES_RUNS; a++) size *= (size_t)grid->axes[a].count;
    return size;
}

const char *scr_axes_value(const scr_axes *grid, size_t cell, int axis)
{
    for (int a = grid->count - 1; a > axis; a--) cell /= (size_t)grid->axes[a].count;
    return grid->axes[axis].values[cell % (size_t)grid->axes[axis].count];
}

const char *scr_axis_name(const scr_axis *axis)
{
    const char *dot = strrchr(axis->path, '.');
    return dot ? dot + 1 : axis->path;
}
