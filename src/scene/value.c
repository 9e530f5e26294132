/* Reading values (see value.h). */
#include "scene/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "scene/unit.h"

typedef struct {
    const scr_param *param;
    scree_report *report;
} reader;

// "x is '4 kg', unit 'kg' cannot be converted to m; must be a number [m] > 0"
static bool refuse(const reader *r, scr_node *node, const char *why)
{
    if (node->kind == SCR_NODE_BAD) return false;
    char expects[512];
    scr_param_expects(r->param, expects, sizeof expects);
    scr_fail(r->report, SCREE_E_INPUT, scr_node_place(node), "%s is %s, %s%smust be %s", scr_node_path(node),
             scr_node_quote(node).text, why, why[0] ? "; " : "", expects);
    return false;
}

static bool refuse_memory(const reader *r)
{
    scr_no_memory(r->report, "the scene");
    return false;
}

static bool is_scalar(const scr_node *node)
{
    return node->kind == SCR_NODE_SCALAR && !scr_node_is_null(node);
}

// ---- numbers ----

static bool read_number(const reader *r, scr_node *node, double *value)
{
    char why[120];
    if (!is_scalar(node)) return refuse(r, node, "");
    if (!scr_quantity_read(node->text, r->param->unit, value, why, sizeof why)) return refuse(r, node, why);
    return true;
}

static bool in_range(const reader *r, scr_node *node, double value)
{
    return scr_interval_holds(scr_interval_parse(r->param->allowed), value) || refuse(r, node, "");
}

static void read_real(const reader *r, scr_node *node, double *out)
{
    const char *words = scr_param_words(r->param);
    int word = is_scalar(node) && words ? scr_words_index(words, node->text) : -1;
    if (word >= 0) {
        *out = word ? -word : NAN;
        return;
    }
    double value;
    if (read_number(r, node, &value) && in_range(r, node, value)) *out = value;
}

static void read_span(const reader *r, scr_node *node, double *out)
{
    double value[2];
    if (node->kind != SCR_NODE_LIST) {
        if (read_number(r, node, value) && in_range(r, node, value[0])) out[0] = out[1] = value[0];
        return;
    }
    if (node->count != 2) {
        refuse(r, node, "");
        return;
    }
    bool good = true;
    for (int k = 0; k < 2; k++)
        good = read_number(r, node->children[k], &value[k]) && in_range(r, node->children[k], value[k]) && good;
    if (good && value[0] > value[1]) good = refuse(r, node, "the first is larger than the second");
    if (good) out[0] = value[0], out[1] = value[1];
}

// whole numbers may be written 100000 or 1e5
static void read_int(const reader *r, scr_node *node, int64_t *out)
{
    double value;
    char why[120];
    if (!is_scalar(node) || !scr_quantity_read(node->text, "", &value, why, sizeof why) ||
        node->text[scr_number_length(node->text)] || value != floor(value)) {
        refuse(r, node, "");
        return;
    }
    if (!in_range(r, node, value)) return;
    // beyond 2^53 a double no longer holds every whole number
    if (fabs(value) > 0x1p53)
        refuse(r, node, "which is too large");
    else
        *out = (int64_t)value;
}

// ---- vectors ----

static bool read_vector(const reader *r, scr_node *node, vec3 *out)
{
    double value[3];
    if (node->kind != SCR_NODE_LIST || node->count != 3) return refuse(r, node, "");
    bool good = true;
    for (int k = 0; k < 3; k++) good = read_number(r, node->children[k], &value[k]) && good;
    if (good) *out = v3_load(value);
    return good;
}

static void read_box(const reader *r, scr_node *node, vec3 *out)
{
    vec3 corner[2];
    if (node->kind != SCR_NODE_LIST || node->count != 2) {
        refuse(r, node, "");
        return;
    }
    bool good = read_vector(r, node->children[0], &corner[0]);
    good = read_vector(r, node->children[1], &corner[1]) && good;
    if (!good) return;
    vec3 size = v3_sub(corner[1], corner[0]);
    if (!(size.x > 0 && size.y > 0 && size.z > 0 && isfinite(size.x + size.y + size.z))) {
        const char *axis = !(size.x > 0) ? "x" : !(size.y > 0) ? "y" : "z";
        scr_fail(r->report, SCREE_E_INPUT, scr_node_place(node),
                 "%s runs from [%g, %g, %g] to [%g, %g, %g], the upper corner must lie above the "
                 "lower one along %s",
                 scr_node_path(node), corner[0].x, corner[0].y, corner[0].z, corner[1].x, corner[1].y, corner[1].z,
                 axis);
        return;
    }
    out[0] = corner[0], out[1] = corner[1];
}

// ---- words ----

static void read_bool(const reader *r, scr_node *node, bool *out)
{
    if (is_scalar(node)) {
        int k = scr_words_index("true yes on True Yes On TRUE YES ON", node->text);
        int m = scr_words_index("false no off False No Off FALSE NO OFF", node->text);
        if (k >= 0 || m >= 0) {
            *out = k >= 0;
            return;
        }
    }
    refuse(r, node, "");
}

// the word of a list that is nearest to what was written
static void suggest_word(const char *words, const char *written, char *why, size_t size)
{
    scr_nearest nearest = {.wanted = written};
    char copies[16][32];
    size_t length;
    int k = 0;
    for (const char *w; k < 16 && (w = scr_words_next(&words, &length)); k++) {
        snprintf(copies[k], sizeof copies[k], "%.*s", (int)length, w);
        scr_nearest_offer(&nearest, copies[k]);
    }
    why[0] = 0;
    if (nearest.found) snprintf(why, size, "did you mean '%s'?", nearest.found);
}

static void read_choice(const reader *r, scr_node *node, int *out)
{
    char why[80] = "";
    int k = is_scalar(node) ? scr_words_index(r->param->allowed, node->text) : -1;
    if (k >= 0) {
        *out = k;
        return;
    }
    if (is_scalar(node)) suggest_word(r->param->allowed, node->text, why, sizeof why);
    refuse(r, node, why);
}

static void read_text(const reader *r, scr_node *node, char **out)
{
    if (!is_scalar(node) || !node->text[0]) {
        refuse(r, node, "");
        return;
    }
    char *copy = strdup(node->text);
    if (!copy) {
        refuse_memory(r);
        return;
    }
    free(*out);
    *out = copy;
}

static bool mark_axis(const char *word, size_t length, bool *axes)
{
    if (length != 1 || !strchr("xyz", *word)) return false;
    axes[*word - 'x'] = true;
    return true;
}

// a list [x, y], or the words alone: none, x, x y
static void read_axes(const reader *r, scr_node *node, bool *out)
{
    bool axes[3] = {false, false, false}, good = true;
    if (node->kind == SCR_NODE_LIST) {
        for (int k = 0; k < node->count; k++) {
            scr_node *child = node->children[k];
            if (!is_scalar(child) || !mark_axis(child->text, strlen(child->text), axes)) good = refuse(r, child, "");
        }
    } else if (!is_scalar(node)) {
        good = refuse(r, node, "");
    } else if (strcmp(node->text, "none")) {
        const char *cursor = node->text;
        size_t length;
        for (const char *w; good && (w = scr_words_next(&cursor, &length));)
            if (!mark_axis(w, length, axes)) good = refuse(r, node, "");
    }
    if (good) memcpy(out, axes, sizeof axes);
}

// ---- lists of words ----

static void free_texts(scr_texts *texts)
{
    for (int k = 0; k < texts->count; k++) free(texts->items[k]);
    scr_buffer_free(texts->items);
    *texts = (scr_texts){0};
}

static bool add_text(const reader *r, scr_node *node, scr_texts *texts, const char *word, size_t length)
{
    char *copy = strndup(word, length);
    if (!copy || !scr_push(texts->items, texts->count, copy)) {
        free(copy);
        return refuse_memory(r);
    }
    if (!r->param->allowed || scr_words_index(r->param->allowed, copy) >= 0) return true;
    char why[80];
    suggest_word(r->param->allowed, copy, why, sizeof why);
    return refuse(r, node, why);
}

static void read_texts(const reader *r, scr_node *node, scr_texts *out)
{
    scr_texts texts = {0};
    bool good = true;
    size_t length;
    if (node->kind == SCR_NODE_LIST) {
        for (int k = 0; k < node->count; k++) {
            scr_node *child = node->children[k];
            if (is_scalar(child))
                good = add_text(r, child, &texts, child->text, strlen(child->text)) && good;
            else
                good = refuse(r, child, "");
        }
    } else if (is_scalar(node)) {
        const char *cursor = node->text;
        for (const char *w; (w = scr_words_next(&cursor, &length));)
            good = add_text(r, node, &texts, w, length) && good;
    } else {
        good = refuse(r, node, "");
    }
    if (good) {
        free_texts(out);
        *out = texts;
    } else {
        free_texts(&texts);
    }
}

// ---- rows of numbers ----

static bool read_cell(const reader *r, scr_node *node, int column, double *value)
{
    char why[120], unit[40];
    scr_param_column_unit(r->param, column, unit, sizeof unit);
    if (!is_scalar(node)) return refuse(r, node, "");
    return scr_quantity_read(node->text, unit, value, why, sizeof why) || refuse(r, node, why);
}

static bool read_row(const reader *r, scr_node *node, int width, double *row)
{
    if (node->kind != SCR_NODE_LIST || node->count != width) return refuse(r, node, "");
    bool good = true;
    for (int k = 0; k < width; k++) good = read_cell(r, node->children[k], k, &row[k]) && good;
    return good;
}

// a list of rows; a list of plain numbers is one row
static void read_matrix(const reader *r, scr_node *node, scr_matrix *out)
{
    if (node->kind != SCR_NODE_LIST || !node->count) {
        refuse(r, node, "");
        return;
    }
    bool single = is_scalar(node->children[0]);
    int width = scr_param_columns(r->param), count = single ? 1 : node->count;
    double *rows = calloc((size_t)count * (size_t)width, sizeof *rows);
    if (!rows) {
        refuse_memory(r);
        return;
    }
    bool good = true;
    for (int k = 0; k < count; k++)
        good = read_row(r, single ? node : node->children[k], width, rows + k * width) && good;
    if (good) {
        free(out->rows);
        *out = (scr_matrix){rows, count, width};
    } else {
        free(rows);
    }
}

// ---- all of them ----

void scr_value_read(const scr_param *param, scr_node *node, void *def, scree_report *report)
{
    reader r = {param, report};
    void *member = (char *)def + param->offset;
    if (node->kind == SCR_NODE_BAD) return;
    switch (param->type) {
    case SCR_REAL: read_real(&r, node, member); break;
    case SCR_SPAN: read_span(&r, node, member); break;
    case SCR_INT: read_int(&r, node, member); break;
    case SCR_BOOL: read_bool(&r, node, member); break;
    case SCR_TEXT: read_text(&r, node, member); break;
    case SCR_CHOICE: read_choice(&r, node, member); break;
    case SCR_VEC3: read_vector(&r, node, member); break;
    case SCR_BOX: read_box(&r, node, member); break;
    case SCR_AXES: read_axes(&r, node, member); break;
    case SCR_TEXTS: read_texts(&r, node, member); break;
    case SCR_MATRIX: read_matrix(&r, node, member); break;
    case SCR_NESTED: break;
    }
}

void scr_value_default(const scr_param *param, void *def, scree_report *report)
{
    double *number = (double *)((char *)def + param->offset);
    const char *fallback = param->fallback ? param->fallback : "";
    if (param->type == SCR_REAL) number[0] = NAN;
    if (param->type == SCR_SPAN) number[0] = number[1] = NAN;
    if (param->type == SCR_VEC3) number[0] = number[1] = number[2] = NAN;
    if (!fallback[0] || param->type == SCR_NESTED) return;
    // defaults are written as a user would write them; lists need the real parser
    scr_node *node = fallback[0] == '[' ? scr_tree_parse(fallback, strlen(fallback), "default", report)
                                        : scr_node_create(SCR_NODE_SCALAR, fallback, "default");
    if (node) scr_value_read(param, node, def, report);
    scr_node_destroy(node);
}

void scr_value_free(const scr_param *param, void *def)
{
    void *member = (char *)def + param->offset;
    if (param->type == SCR_TEXT) free(*(char **)member);
    if (param->type == SCR_TEXTS) free_texts(member);
    if (param->type == SCR_MATRIX) free(((scr_matrix *)member)->rows);
}
