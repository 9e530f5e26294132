/* Whether two scenes say the same in a section, by value: spelling, units and comments do not matter. */
#include <math.h>
#include <string.h>

#include "scene/scene.h"

static bool same_items(const scr_item *a, const scr_item *b);

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_reals(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k] && !(isnan(a[k]) && isnan(b[k]))) return false;
    return true;
}

static bool same_texts(const scr_texts *a, const scr_texts *b)
{
    bool same = a->count == b->count;
    for (int k = 0; same && k < a->count; k++) same = same_text(a->items[k], b->items[k]);
    return same;
}

static bool same_matrix(const scr_matrix *a, const scr_matrix *b)
{
    return a->count == b->count && a->width == b->width && same_reals(a->rows, b->rows, a->count * a->width);
}

static bool same_value(const scr_param *p, const void *a, const void *b)
{
    const char *x = (const char *)a + p->offset, *y = (const char *)b + p->offset;
    switch (p->type) {
    case SCR_REAL: return same_reals((const double *)x, (const double *)y, 1);
    case SCR_SPAN: return same_reals((const double *)x, (const double *)y, 2);
    case SCR_VEC3: return same_reals((const double *)x, (const double *)y, 3);
    case SCR_BOX: return same_reals((const double *)x, (const double *)y, 6);
    case SCR_INT: return !memcmp(x, y, sizeof(int64_t));
    case SCR_BOOL: return *(const bool *)x == *(const bool *)y;
    case SCR_CHOICE: return !memcmp(x, y, sizeof(int));
    case SCR_AXES: return !memcmp(x, y, 3 * sizeof(bool));
    case SCR_TEXT: return same_text(*(char *const *)x, *(char *const *)y);
    case SCR_TEXTS: return same_texts((const scr_texts *)x, (const scr_texts *)y);
    case SCR_MATRIX: return same_matrix((const scr_matrix *)x, (const scr_matrix *)y);
    case SCR_NESTED: return same_items((const scr_item *)x, (const scr_item *)y);
    }
    return false;
}

static bool same_values(const scr_param *params, const void *a, const void *b)
{
    if (!a || !b || !params) return a == b || !params;
    bool same = true;
    for (const scr_param *p = params; same && p->name; p++) same = same_value(p, a, b);
    return same;
}

static bool same_items(const scr_item *a, const scr_item *b)
{
    return same_text(a->name, b->name) && a->variant == b->variant && a->section == b->section &&
           (!a->section || same_values(a->section->params, a->def, b->def)) &&
           (!a->variant || same_values(a->variant->params, a->variant_def, b->variant_def));
}

bool scr_scene_same(const scr_scene *a, const scr_scene *b, const char *section)
{
    const scr_items *x = scr_scene_items(a, section), *y = scr_scene_items(b, section);
    bool same = x->count == y->count;
    for (int k = 0; same && k < x->count; k++) same = same_items(&x->items[k], &y->items[k]);
    return same;
}

bool scr_scene_same_key(const scr_scene *a, const scr_scene *b, const char *section, const char *key)
{
    const scr_param *param = scr_param_find(scr_scene_items(a, section)->items->section->params, key);
    return same_value(param, scr_scene_def(a, section), scr_scene_def(b, section));
}
