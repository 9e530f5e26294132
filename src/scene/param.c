/* Looking things up in parameter tables, word lists and intervals (see param.h). */
#include "scene/param.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- words ----

const char *scr_words_next(const char **cursor, size_t *length)
{
    if (!*cursor) return NULL;
    *cursor += strspn(*cursor, " ");
    const char *word = *cursor;
    *length = strcspn(word, " ");
    *cursor += *length;
    return *length ? word : NULL;
}

int scr_words_index(const char *words, const char *word)
{
    size_t length, wanted = strlen(word);
    int k = 0;
    for (const char *w; (w = scr_words_next(&words, &length)); k++)
        if (length == wanted && !memcmp(w, word, length)) return k;
    return -1;
}

void scr_words_text(const char *words, const char *between, char *text, size_t size)
{
    size_t length, used = 0;
    const char *mark = "";
    text[0] = 0;
    for (const char *w; used < size && (w = scr_words_next(&words, &length)); mark = between)
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", mark, (int)length, w);
}

// ---- parameters ----

bool scr_param_is(const scr_param *param, const char *key)
{
    return !strcmp(param->name, key) || (key[0] && scr_words_index(param->also, key) >= 0);
}

const scr_param *scr_param_find(const scr_param *params, const char *key)
{
    for (; params && params->name; params++)
        if (scr_param_is(params, key)) return params;
    return NULL;
}

const scr_variant *scr_section_variant(const scr_section *section, const char *name)
{
    for (const scr_variant *const *v = section->variants; v && *v; v++)
        if (!strcmp((*v)->name, name)) return *v;
    return NULL;
}

const scr_section *scr_schema_section(const scr_schema *schema, const char *name)
{
    for (const scr_section *const *s = schema->sections; *s; s++)
        if (!strcmp((*s)->name, name)) return *s;
    return NULL;
}

// ---- nearest names ----

// Levenshtein distance, with two swapped neighbours as one edit; three rows of its table at a time
int scr_edit_distance(const char *a, const char *b)
{
    enum { MOST = 48 };
    size_t n = strlen(a), m = strlen(b);
    if (n > MOST || m > MOST) return MOST;
    int row[3][MOST + 1];
    for (size_t j = 0; j <= m; j++) row[0][j] = (int)j;
    int *last = row[0], *before = row[2], *now = row[1];
    for (size_t i = 1; i <= n; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        int *free_row = before;
        before = last, last = now, now = free_row;
    }
    return last[m];
}

void scr_nearest_offer(scr_nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->wanted);
    if (!length) return;
    int distance = strcasecmp(nearest->wanted, candidate) ? scr_edit_distance(nearest->wanted, candidate) : 1;
    // a third of the letters wrong is still a typing error; a word begun but not finished is a near
    // one
    int limit = length < 3 ? 1 : (int)(length + 2) / 3;
    if (distance > limit && length >= 3 && !strncasecmp(nearest->wanted, candidate, length)) distance = limit;
    if (distance > limit) return;
    if (nearest->found && distance >= nearest->distance) return;
    nearest->found = candidate;
    nearest->distance = distance;
}

// ---- intervals ----

static bool parse_bracket(const char *text, scr_interval *interval)
{
    char open = 0, close = 0, low[40], high[40];
    if (sscanf(text, " %c %39[^,], %39[^])] %c", &open, low, high, &close) != 4) return false;
    interval->low = strtod(low, NULL), interval->high = strtod(high, NULL);
    interval->low_open = open == '(', interval->high_open = close == ')';
    return true;
}

scr_interval scr_interval_parse(const char *text)
{
    scr_interval all = {-INFINITY, INFINITY, false, false};
    if (!text) return all;
    text += strspn(text, " ");
    scr_interval interval = all;
    if (*text == '>' || *text == '<') {
        bool equal = text[1] == '=';
        double bound = strtod(text + 1 + equal, NULL);
        if (*text == '>')
            interval.low = bound, interval.low_open = !equal;
        else
            interval.high = bound, interval.high_open = !equal;
        return interval;
    }
    if (parse_bracket(text, &interval)) return interval;
    return all;
}

bool scr_interval_holds(scr_interval i, double value)
{
    bool above = i.low_open ? value > i.low : value >= i.low;
    bool below = i.high_open ? value < i.high : value <= i.high;
    return above && below;
}

const char *scr_param_words(const scr_param *param)
{
    const char *bar = param->type == SCR_REAL && param->allowed ? strchr(param->allowed, '|') : NULL;
    return bar ? bar + 1 : NULL;
}

void scr_param_interval_text(const scr_param *param, char *text, size_t size)
{
    const char *allowed = param->allowed ? param->allowed : "";
    size_t length = strcspn(allowed, "|");
    while (length && allowed[length - 1] == ' ') length--;
    snprintf(text, size, "%.*s", (int)length, allowed);
}

// ---- what a parameter expects, in words ----

static void number_text(const scr_param *param, const char *noun, char *text, size_t size)
{
    char interval[80];
    scr_param_interval_text(param, interval, sizeof interval);
    bool unit = param->unit && param->unit[0];
    bool bracket = interval[0] == '(' || interval[0] == '[';
    char words[120];
    scr_words_text(scr_param_words(param), " or ", words, sizeof words);
    snprintf(text, size, "%s%s%s%s%s%s%s%s", noun, unit ? " [" : "", unit ? param->unit : "", unit ? "]" : "",
             !interval[0] ? ""
             : bracket    ? " in "
                          : " ",
             interval, words[0] ? ", or " : "", words);
}

int scr_param_columns(const scr_param *param)
{
    int columns = 1;
    for (const char *p = param->unit; *p; p++) columns += *p == ',';
    return columns;
}

void scr_param_column_unit(const scr_param *param, int column, char *unit, size_t size)
{
    const char *at = param->unit;
    for (int k = 0; k < column; k++) at = strchr(at, ',') + 1;
    snprintf(unit, size, "%.*s", (int)strcspn(at, ","), at);
}

// "a list of rows [m, -]": the units of the columns
static void matrix_text(const scr_param *param, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "a list of rows [");
    for (int k = 0; k < scr_param_columns(param) && used < size; k++) {
        char unit[40];
        scr_param_column_unit(param, k, unit, sizeof unit);
        used += (size_t)snprintf(text + used, size - used, "%snumber%s%s", k ? ", " : "", unit[0] ? " in " : "", unit);
    }
    if (used < size) snprintf(text + used, size - used, "]");
}

void scr_param_expects(const scr_param *param, char *text, size_t size)
{
    const char *unit = param->unit && param->unit[0] ? param->unit : NULL;
    char of[40] = "";
    if (unit) snprintf(of, sizeof of, " [%s]", unit);
    char one[160], words[400];
    switch (param->type) {
    case SCR_REAL: number_text(param, "a number", text, size); break;
    case SCR_INT: number_text(param, "a whole number", text, size); break;
    case SCR_SPAN:
        number_text(param, "a number", one, sizeof one);
        snprintf(text, size, "%s, or a list [low, high] of two", one);
        break;
    case SCR_BOOL: snprintf(text, size, "yes or no"); break;
    case SCR_TEXT: snprintf(text, size, "a text"); break;
    case SCR_CHOICE:
        scr_words_text(param->allowed, ", ", words, sizeof words);
        snprintf(text, size, "one of %s", words);
        break;
    case SCR_VEC3: snprintf(text, size, "a list [x, y, z] of three numbers%s", of); break;
    case SCR_BOX: snprintf(text, size, "[[x, y, z], [x, y, z]]%s, the lower and the upper corner", of); break;
    case SCR_AXES: snprintf(text, size, "a list of x, y, z, or none"); break;
    case SCR_TEXTS:
        scr_words_text(param->allowed, ", ", words, sizeof words);
        snprintf(text, size, "a list of words%s%s", param->allowed ? " from " : "", words);
        break;
    case SCR_MATRIX: matrix_text(param, text, size); break;
    case SCR_NESTED: snprintf(text, size, "a mapping"); break;
    }
}
