/* `values:` of a scene, and texts that begin with `=`: they become numbers before anything else is
 * read, so that everything else sees numbers (see scene_data.h). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expression.h"
#include "base/memory.h"
#include "scene/scene_data.h"
#include "scene/unit.h"

static const scr_param params[] = {
    {"value", NULL, SCR_TEXT, NULL, NULL, NULL, offsetof(scr_values_def, text), "The number.", NULL}, {0}};

const scr_section scr_section_values = {
    .name = "values",
    .doc = "User-defined numbers, by name: `ratio: 7`, `R: 2 mm`, `r: =R/ratio`. A value anywhere "
           "in the scene that begins with `=` is an expression of them: `diameter: =2*R/ratio`, "
           "`[0, =R*sin(start), 0]`; the result is in SI. There are + - * / ^, brackets, "
           "comparisons, pi, sqrt, sin, cos, tan, asin, acos, atan, atan2, exp, log, log10, abs, "
           "min, max, hypot, deg, rad, floor, ceil, round and if(condition, a, b); put an "
           "expression with a comma in quotes. `--set values.ratio=20` and `scree sweep` change "
           "them.",
    .named = true,
    .plain = true,
    .params = params,
    .size = sizeof(scr_values_def),
};

static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why,
                 size_t why_size)
{
    const scr_scene *scene = context;
    if (!argument && scr_scene_value(scene, name, &found->number)) return true;
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < scene->value_count; k++) scr_nearest_offer(&nearest, scene->values[k].name);
    if (nearest.found)
        snprintf(why, why_size, "'%s' is not defined under values, did you mean '%s'?", name, nearest.found);
    else
        snprintf(why, why_size, "'%s' is not defined under values", name);
    return false;
}

static bool refuse(scr_node *node, const char *why, scree_report *report)
{
    scr_fail(report, SCREE_E_INPUT, scr_node_place(node), "%s is %s: %s", scr_node_path(node),
             scr_node_quote(node).text, why);
    node->kind = SCR_NODE_BAD;
    return false;
}

static bool evaluate(const scr_scene *scene, scr_node *node, double *value, scree_report *report)
{
    char why[SCR_EXPRESSION_WHY];
    scr_names names = {.find = find, .context = (void *)scene};
    if (!scr_expression_number(node->text + 1, &names, value, why, sizeof why)) return refuse(node, why, report);
    if (!isfinite(*value)) return refuse(node, "the result is not a finite number", report);
    return true;
}

// a number with any unit, in SI
static bool read_quantity(scr_node *node, double *value, scree_report *report)
{
    char why[120] = "must be a number, with a unit or without, or an expression that begins with =";
    scr_unit unit;
    const char *text = node->text;
    size_t length = scr_number_length(text);
    const char *name = text + length + strspn(text + length, " ");
    if (!length) return refuse(node, why, report);
    if (!scr_unit_parse(name, &unit, why, sizeof why)) return refuse(node, why, report);
    if (!scr_number_read(text, length, &unit, value)) return refuse(node, "too large", report);
    return true;
}

static bool is_good_name(const char *name)
{
    bool good = isalpha((unsigned char)*name) && strcmp(name, "pi");
    for (const char *p = name; *p; p++) good &= isalnum((unsigned char)*p) || *p == '_';
    return good;
}

static void add_value(scr_scene *scene, scr_node *node, scree_report *report)
{
    double value = NAN;
    // other kinds are refused by the section's own reader
    if (node->kind != SCR_NODE_SCALAR || scr_node_is_null(node)) return;
    if (!is_good_name(node->key)) {
        scr_fail(report, SCREE_E_INPUT, scr_node_key_place(node),
                 "%s cannot name a value: letters, digits and _ are allowed, and not 'pi'", scr_quote(node->key).text);
        return;
    }
    bool good = *node->text == '=' ? evaluate(scene, node, &value, report) : read_quantity(node, &value, report);
    if (good) scene->values[scene->value_count++] = (scr_scene_number){node->key, value};
}

static void replace(const scr_scene *scene, scr_node *node, scree_report *report)
{
    double value;
    char text[40];
    if (!evaluate(scene, node, &value, report)) return;
    snprintf(text, sizeof text, "%.17g", value);
    char *copy = strdup(text);
    if (!copy) {
        scr_no_memory(report, "the scene");
        return;
    }
    free(node->text);
    node->text = copy;
}

static void walk(const scr_scene *scene, scr_node *node, scree_report *report)
{
    if (node->kind == SCR_NODE_SCALAR && node->text && node->text[0] == '=') replace(scene, node, report);
    for (int k = 0; k < node->count; k++) walk(scene, node->children[k], report);
}

void scr_values_apply(scr_scene *scene, scree_report *report)
{
    scr_node *root = scene->root;
    scr_node *values = root->kind == SCR_NODE_MAP ? scr_node_child(root, "values") : NULL;
    if (values && values->kind == SCR_NODE_MAP) {
        scene->values = calloc((size_t)values->count + 1, sizeof *scene->values);
        if (!scene->values) scr_no_memory(report, "the scene");
        // in the order written: each may use those before it
        for (int k = 0; scene->values && k < values->count; k++) add_value(scene, values->children[k], report);
    }
    for (int k = 0; k < root->count; k++)
        if (root->children[k] != values) walk(scene, root->children[k], report);
}

bool scr_scene_value(const scr_scene *scene, const char *name, double *value)
{
    for (int k = 0; k < scene->value_count; k++)
        if (!strcmp(scene->values[k].name, name)) return *value = scene->values[k].number, true;
    return false;
}
