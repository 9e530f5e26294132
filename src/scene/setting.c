/* Settings (`--set path.to.key=value`): changes to the tree before it is read, so that they are
 * checked like everything else (see scene_data.h). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/scene_data.h"

typedef struct {
    scr_scene *scene;
    const char *label; /* "--set path=value" */
    scree_report *report;
} setter;

static bool fail(const setter *s, const char *what, const char *name)
{
    scr_fail(s->report, SCREE_E_INPUT, (scree_place){.file = s->label}, "%s %s", what, scr_quote(name).text);
    return false;
}

// whether two keys are spellings of one parameter, in any table of the schema
static bool params_join(const scr_param *params, const char *a, const char *b)
{
    for (const scr_param *p = params; p && p->name; p++) {
        if (scr_param_is(p, a) && scr_param_is(p, b)) return true;
        for (const scr_variant *const *v = p->nested ? p->nested->variants : NULL; v && *v; v++)
            if (params_join((*v)->params, a, b)) return true;
    }
    return false;
}

static bool same_key(const scr_schema *schema, const char *a, const char *b)
{
    if (!strcmp(a, b)) return true;
    for (const scr_section *const *s = schema->sections; *s; s++) {
        if (params_join((*s)->params, a, b)) return true;
        for (const scr_variant *const *v = (*s)->variants; v && *v; v++)
            if (params_join((*v)->params, a, b)) return true;
    }
    return false;
}

static int find_child(const setter *s, const scr_node *map, const char *key)
{
    for (int k = 0; k < map->count; k++)
        if (!strcmp(map->children[k]->key, key)) return k;
    for (int k = 0; k < map->count; k++)
        if (same_key(s->scene->schema, map->children[k]->key, key)) return k;
    return -1;
}

int scr_setting_child(const scr_scene *scene, const scr_node *map, const char *key)
{
    const setter s = {.scene = (scr_scene *)scene};
    return find_child(&s, map, key);
}

static int list_index(const scr_node *list, const char *text)
{
    char *end;
    long k = strtol(text, &end, 10);
    return *end || end == text || k < 0 || k >= list->count ? -1 : (int)k;
}

// a node that this setting makes has the setting as its place
static scr_node *new_node(const setter *s, scr_node_kind kind, const char *text)
{
    scr_node *node = scr_node_create(kind, text, s->label);
    if (!node) scr_no_memory(s->report, "a setting");
    return node;
}

// `stepper: soft` becomes `stepper: {type: soft}`, so that it can take a key
static bool open_word(const setter *s, scr_node *node)
{
    const scr_node *top = node;
    while (top->parent && top->parent->parent) top = top->parent;
    const scr_section *section = top->key ? scr_schema_section(s->scene->schema, top->key) : NULL;
    bool null = scr_node_is_null(node);
    if (!null && (!section || !section->selector)) return fail(s, "there are no keys in the value", node->text);
    char *word = node->text;
    node->kind = SCR_NODE_MAP;
    node->text = NULL;
    bool good = true;
    if (!null) {
        scr_node *child = new_node(s, SCR_NODE_SCALAR, word);
        if (child) child->file = node->file, child->line = node->line, child->column = node->column;
        good = child && scr_node_add(node, section->selector, child);
    }
    free(word);
    return good;
}

// the child of that name or number; a new mapping where there was nothing
static scr_node *step_into(const setter *s, scr_node *node, const char *name)
{
    if (node->kind == SCR_NODE_SCALAR && !open_word(s, node)) return NULL;
    if (node->kind == SCR_NODE_LIST) {
        int k = list_index(node, name);
        if (k >= 0) return node->children[k];
        fail(s, "the list has no element", name);
        return NULL;
    }
    if (node->kind != SCR_NODE_MAP) return NULL;
    int k = find_child(s, node, name);
    if (k >= 0) return node->children[k];
    scr_node *map = new_node(s, SCR_NODE_MAP, NULL);
    return map && scr_node_add(node, name, map) ? map : NULL;
}

// a value that the scene does not name is used nowhere in it
static bool is_unknown_value(const setter *s, const scr_node *node, const char *name)
{
    if (!node->key || strcmp(node->key, "values") || node->parent != s->scene->root) return false;
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < node->count; k++) scr_nearest_offer(&nearest, node->children[k]->key);
    scr_fail(s->report, SCREE_E_INPUT, (scree_place){.file = s->label}, "there is no %s under values%s%s%s",
             scr_quote(name).text, nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "",
             nearest.found ? "'?" : "");
    return true;
}

// puts the value in place of what was there, or at the end
static void put(const setter *s, scr_node *node, const char *name, scr_node *value)
{
    bool open = node->kind != SCR_NODE_SCALAR || open_word(s, node);
    int k = -1;
    if (open && node->kind == SCR_NODE_LIST) {
        k = list_index(node, name);
        if (k < 0) open = fail(s, "the list has no element", name);
    } else if (open && node->kind == SCR_NODE_MAP) {
        k = find_child(s, node, name);
        if (k < 0 && is_unknown_value(s, node, name)) open = false;
    } else {
        open = false;
    }
    if (!open) {
        scr_node_destroy(value);
    } else if (k < 0) {
        if (!scr_node_add(node, name, value)) scr_no_memory(s->report, "a setting");
    } else {
        scr_node *old = node->children[k];
        value->key = old->key, old->key = NULL;
        value->parent = node;
        node->children[k] = value;
        scr_node_destroy(old);
    }
}

// the value's positions mean nothing in a scene file
static void forget_places(scr_node *node)
{
    node->line = node->column = node->key_line = node->key_column = 0;
    for (int k = 0; k < node->count; k++) forget_places(node->children[k]);
}

static scr_node *parse_value(const setter *s, const char *text)
{
    int first = s->report->count;
    scr_node *value = scr_tree_parse(text, strlen(text), s->label, s->report);
    for (int k = first; k < s->report->count; k++) s->report->messages[k].line = s->report->messages[k].column = 0;
    if (value) forget_places(value);
    return value;
}

static bool path_is_sane(const setter *s, const char *path)
{
    int dots = 0;
    if (!scr_text_is_clean(path, strlen(path), s->label, s->report)) return false;
    for (const char *p = path; *p; p++) dots += *p == '.';
    return dots < SCR_TREE_DEPTH || fail(s, "too many levels in the path", path);
}

static void apply(const setter *s, const scr_setting *setting)
{
    if (!path_is_sane(s, setting->path)) return;
    char *path = strdup(setting->path);
    scr_node *value = path ? parse_value(s, setting->value) : NULL;
    scr_node *node = s->scene->root;
    char *name = path;
    if (value && node->kind != SCR_NODE_MAP) scr_node_destroy(value), value = NULL;
    for (char *dot; value && (dot = strchr(name, '.')); name = dot + 1) {
        *dot = 0;
        node = name[0] ? step_into(s, node, name) : NULL;
        if (!name[0]) fail(s, "a name is missing in the path", setting->path);
        if (!node) scr_node_destroy(value), value = NULL;
    }
    if (value && !name[0]) {
        fail(s, "a name is missing in the path", setting->path);
        scr_node_destroy(value);
    } else if (value) {
        put(s, node, name, value);
    }
    free(path);
}

void scr_settings_apply(scr_scene *scene, const scr_setting *settings, int count, scree_report *report)
{
    if (count <= 0) return;
    scene->labels = calloc((size_t)count, sizeof *scene->labels);
    for (int k = 0; k < count; k++) {
        char *label = NULL;
        if (!scene->labels || asprintf(&label, "--set %s=%s", settings[k].path, settings[k].value) < 0) {
            scr_no_memory(report, "a setting");
            return;
        }
        scene->labels[scene->label_count++] = label;
        setter s = {scene, label, report};
        apply(&s, &settings[k]);
    }
}
