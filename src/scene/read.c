/* From tree to scene: every section of the schema is read with its table, and all errors are told
 * at once (see scene.h).
 *
 * The order is: text -> tree (parse.c) -> settings (setting.c) -> items (here) -> cross references
 * (check.c). A step goes on after errors of the one before wherever what is left still makes sense.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "scene/scene_data.h"
#include "scene/value.h"

enum { MOST_PARAMS = 64 };

typedef struct {
    scr_scene *scene;
    scree_report *report;
} reader;

/* The keys one item may have, and where each was found. */
typedef struct {
    const scr_section *section;
    const scr_variant *variant;
    const scr_param *param[MOST_PARAMS];
    void *def[MOST_PARAMS];
    scr_node *node[MOST_PARAMS];
    bool meant[MOST_PARAMS]; /* a misspelt key seems to mean this one: do not call it missing too */
    int count;
} keys;

static void out_of_memory(const reader *r)
{
    scr_no_memory(r->report, "the scene");
}

static bool read_item(const reader *r, const scr_section *section, scr_node *node, scr_item *item);

// ---- keys of an item ----

static void add_keys(const reader *r, keys *all, const scr_param *params, void *def)
{
    for (const scr_param *p = params; def && p && p->name && all->count < MOST_PARAMS; p++) {
        all->param[all->count] = p;
        all->def[all->count] = def;
        all->count++;
        scr_value_default(p, def, r->report);
    }
}

static int find_key(const keys *all, const char *key)
{
    for (int k = 0; k < all->count; k++)
        if (scr_param_is(all->param[k], key)) return k;
    return -1;
}

// "walls.floor" for an item, "the scene" for the top level
static const char *owner_name(scr_node *node)
{
    const char *path = scr_node_path(node);
    return path[0] ? path : "the scene";
}

// writes the allowed keys into text
static void list_keys(const keys *all, const scr_schema *top, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    if (all->section->selector) used += (size_t)snprintf(text, size, "%s", all->section->selector);
    for (int k = 0; k < all->count && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", all->param[k]->name);
    for (const scr_section *const *s = top ? top->sections : NULL; s && *s && used < size; s++)
        if ((*s)->name[0]) used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", (*s)->name);
}

// names of the variants that know this key, "" when none does
static void list_owners(const scr_section *section, const char *key, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (const scr_variant *const *v = section->variants; v && *v && used < size; v++)
        if (scr_param_find((*v)->params, key))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", (*v)->name);
}

static void refuse_key(const reader *r, keys *all, scr_node *child, const scr_schema *top)
{
    const scr_section *section = all->section;
    scree_place at = scr_node_key_place(child);
    const char *owner = owner_name(child->parent);
    char names[1024];
    list_owners(section, child->key, names, sizeof names);
    if (names[0]) {
        // without a known variant we cannot say whether the key belongs
        if (all->variant && section->forgiving)
            scr_warn(r->report, at, "%s.%s has no effect with %s: %s, it belongs to %s", owner, child->key,
                     section->selector, all->variant->name, names);
        else if (all->variant)
            scr_fail(r->report, SCREE_E_INPUT, at, "%s has %s: %s, key %s belongs to %s: %s", owner, section->selector,
                     all->variant->name, scr_quote(child->key).text, section->selector, names);
        return;
    }
    scr_nearest nearest = {.wanted = child->key};
    int meant = -1;
    for (int k = 0; k < all->count; k++) {
        const char *before = nearest.found;
        scr_nearest_offer(&nearest, all->param[k]->name);
        if (nearest.found != before) meant = k;
    }
    for (const scr_section *const *s = top ? top->sections : NULL; s && *s; s++)
        if ((*s)->name[0]) scr_nearest_offer(&nearest, (*s)->name);
    if (section->selector) scr_nearest_offer(&nearest, section->selector);
    list_keys(all, top, names, sizeof names);
    if (meant >= 0 && nearest.found == all->param[meant]->name) all->meant[meant] = true;
    if (nearest.found)
        scr_fail(r->report, SCREE_E_INPUT, at, "unknown key %s in %s, did you mean '%s'?", scr_quote(child->key).text,
                 owner, nearest.found);
    else
        scr_fail(r->report, SCREE_E_INPUT, at, "unknown key %s in %s, allowed are %s", scr_quote(child->key).text,
                 owner, names);
}

static void read_value(const reader *r, keys *all, int k, scr_node *child)
{
    if (all->node[k]) {
        scr_fail(r->report, SCREE_E_INPUT, scr_node_key_place(child), "%s is given twice, as '%s' and as '%s'",
                 scr_node_path(all->node[k]), all->node[k]->key, child->key);
        return;
    }
    all->node[k] = child;
    if (all->param[k]->type == SCR_NESTED)
        read_item(r, all->param[k]->nested, child, (scr_item *)((char *)all->def[k] + all->param[k]->offset));
    else
        scr_value_read(all->param[k], child, all->def[k], r->report);
}

static void read_keys(const reader *r, keys *all, scr_node *node)
{
    for (int k = 0; k < node->count; k++) {
        scr_node *child = node->children[k];
        if (all->section->selector && !strcmp(child->key, all->section->selector)) continue;
        int which = find_key(all, child->key);
        if (which < 0)
            refuse_key(r, all, child, NULL);
        else
            read_value(r, all, which, child);
    }
}

static void report_missing(const reader *r, const keys *all, scr_node *node)
{
    char expects[512];
    for (int k = 0; k < all->count; k++) {
        const scr_param *p = all->param[k];
        if (p->fallback || all->node[k] || all->meant[k]) continue;
        scr_param_expects(p, expects, sizeof expects);
        scr_fail(r->report, SCREE_E_INPUT, scr_node_key_place(node), "%s lacks %s, %s", owner_name(node), p->name,
                 expects);
    }
}

// ---- variants ----

static void list_variants(const scr_section *section, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (const scr_variant *const *v = section->variants; v && *v && used < size; v++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", (*v)->name);
}

static const scr_variant *find_variant(const reader *r, const scr_section *section, scr_node *word)
{
    if (word->kind == SCR_NODE_BAD) return NULL;
    const scr_variant *variant = word->kind == SCR_NODE_SCALAR ? scr_section_variant(section, word->text) : NULL;
    if (variant) return variant;
    char names[512];
    list_variants(section, names, sizeof names);
    scr_nearest nearest = {.wanted = word->kind == SCR_NODE_SCALAR ? word->text : ""};
    for (const scr_variant *const *v = section->variants; v && *v; v++) scr_nearest_offer(&nearest, (*v)->name);
    scr_fail(r->report, SCREE_E_INPUT, scr_node_place(word), "%s is %s, must be one of %s%s%s%s", scr_node_path(word),
             scr_node_quote(word).text, names, nearest.found ? "; did you mean '" : "",
             nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
    return NULL;
}

static const scr_variant *choose_variant(const reader *r, const scr_section *section, scr_node *node)
{
    if (!section->selector) return NULL;
    scr_node *word = node ? scr_node_child(node, section->selector) : NULL;
    if (node && node->kind == SCR_NODE_SCALAR && !scr_node_is_null(node)) word = node;
    if (word) return find_variant(r, section, word);
    if (section->selector_fallback) return scr_section_variant(section, section->selector_fallback);
    if (!node) return NULL;
    char names[512];
    list_variants(section, names, sizeof names);
    scr_fail(r->report, SCREE_E_INPUT, scr_node_key_place(node), "%s lacks %s, one of %s", owner_name(node),
             section->selector, names);
    return NULL;
}

// ---- items ----

static bool allocate_item(const reader *r, scr_item *item)
{
    size_t variant_size = item->variant ? item->variant->size : 0;
    item->def = calloc(1, item->section->size ? item->section->size : 1);
    if (variant_size) item->variant_def = calloc(1, variant_size);
    if (item->def && (item->variant_def || !variant_size)) return true;
    out_of_memory(r);
    return false;
}

// whether the node can be an item of the section at all
static bool is_item(const reader *r, const scr_section *section, scr_node *node)
{
    if (node->kind == SCR_NODE_BAD) return false;
    if (!section->plain && (node->kind == SCR_NODE_MAP || scr_node_is_null(node))) return true;
    if (node->kind == SCR_NODE_SCALAR && section->selector) return true;
    if (section->plain && node->kind == SCR_NODE_SCALAR) return true;
    scr_fail(r->report, SCREE_E_INPUT, scr_node_place(node), "%s is %s, must be %s", owner_name(node),
             scr_node_quote(node).text, section->plain ? "one value" : "a mapping of keys");
    return false;
}

// whether something in the node was refused before it was read: an alias, an expression without a value
static bool holds_bad(const scr_node *node)
{
    bool bad = node->kind == SCR_NODE_BAD;
    for (int k = 0; k < node->count && !bad; k++) bad = holds_bad(node->children[k]);
    return bad;
}

// node NULL: all defaults. False only when memory is exhausted.
static bool read_item(const reader *r, const scr_section *section, scr_node *node, scr_item *item)
{
    int errors = r->report->errors;
    bool usable = node && is_item(r, section, node);
    item->section = section;
    item->node = node;
    item->variant = !node || usable ? choose_variant(r, section, node) : NULL;
    if (!allocate_item(r, item)) return false;
    keys all = {.section = section, .variant = item->variant};
    add_keys(r, &all, section->params, item->def);
    if (item->variant) add_keys(r, &all, item->variant->params, item->variant_def);
    if (usable) {
        if (node->kind == SCR_NODE_MAP) read_keys(r, &all, node);
        if (section->plain) read_value(r, &all, 0, node);
        report_missing(r, &all, node);
    }
    if (node) node->faulty = r->report->errors > errors || holds_bad(node);
    return true;
}

// letters, digits, _ and - (and / between the two names of a contact); names go into paths and
// files
static bool is_name(const char *name, bool pair)
{
    for (const char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("_-", *p) && !((unsigned char)*p & 0x80) && !(pair && *p == '/'))
            return false;
    return name[0] != 0;
}

static void read_named(const reader *r, const scr_section *section, scr_node *node, scr_items *set)
{
    if (node->kind == SCR_NODE_BAD) return;
    if (node->kind != SCR_NODE_MAP) {
        if (!scr_node_is_null(node) || section->required)
            scr_fail(r->report, SCREE_E_INPUT, scr_node_place(node), "%s is %s, must be a mapping of names to items",
                     section->name, scr_node_quote(node).text);
        return;
    }
    if (!node->count && section->required)
        scr_fail(r->report, SCREE_E_INPUT, scr_node_key_place(node), "%s is empty, it must have at least one item",
                 section->name);
    set->items = calloc((size_t)node->count + 1, sizeof *set->items);
    if (!set->items) {
        out_of_memory(r);
        return;
    }
    for (int k = 0; k < node->count; k++) {
        scr_node *child = node->children[k];
        scr_item *item = &set->items[set->count++];
        if (!is_name(child->key, section == &scr_section_contacts))
            scr_fail(r->report, SCREE_E_INPUT, scr_node_key_place(child),
                     "%s is not a name: letters, digits, _ and - are allowed", scr_quote(child->key).text);
        if (!read_item(r, section, child, item)) return;
        if (!(item->name = strdup(child->key))) out_of_memory(r);
    }
}

static void read_section(const reader *r, int s, scr_node *node)
{
    const scr_section *section = r->scene->schema->sections[s];
    scr_items *set = &r->scene->sets[s];
    if (section->named) {
        read_named(r, section, node, set);
        return;
    }
    if (!(set->items = calloc(1, sizeof *set->items))) {
        out_of_memory(r);
        return;
    }
    set->count = 1;
    // an optional section that is written but empty is as good as absent
    if (scr_node_is_null(node) && !section->required) node = NULL;
    read_item(r, section, node, set->items);
}

// ---- the top level ----

// the first key is `scree: 1`; anything else is not ours to judge
static bool check_version(const reader *r, scr_node *root)
{
    scr_node *version = scr_node_child(root, "scree");
    if (!version) {
        scr_fail(r->report, SCREE_E_INPUT, (scree_place){r->scene->path, 1, 1, "scree"},
                 "a scene must begin with the key 'scree: 1'");
        return false;
    }
    if (root->children[0] != version)
        scr_fail(r->report, SCREE_E_INPUT, scr_node_key_place(version),
                 "'scree' must be the first key of the scene, it follows '%.40s'", root->children[0]->key);
    if (version->kind == SCR_NODE_SCALAR && !strcmp(version->text, "1")) return true;
    scr_fail(r->report, SCREE_E_INPUT, scr_node_place(version), "scree is %s, this program reads scenes of version 1",
             scr_node_quote(version).text);
    return false;
}

static int section_index(const scr_schema *schema, const char *name)
{
    for (int s = 0; schema->sections[s]; s++)
        if (!strcmp(schema->sections[s]->name, name)) return s;
    return -1;
}

// keys of the top level: those of the section "", and the names of all other sections
static void read_top(const reader *r, keys *all, scr_node *root)
{
    const scr_schema *schema = r->scene->schema;
    for (int k = 0; k < root->count; k++) {
        scr_node *child = root->children[k];
        int which = find_key(all, child->key);
        int s = child->key[0] ? section_index(schema, child->key) : -1;
        if (which >= 0)
            read_value(r, all, which, child);
        else if (s >= 0)
            read_section(r, s, child);
        else
            refuse_key(r, all, child, schema);
    }
    report_missing(r, all, root);
}

static void read_absent(const reader *r, scr_node *root)
{
    const scr_schema *schema = r->scene->schema;
    for (int s = 0; schema->sections[s]; s++) {
        const scr_section *section = schema->sections[s];
        scr_items *set = &r->scene->sets[s];
        if (!section->name[0] || scr_node_child(root, section->name)) continue;
        if (section->required && !(section->unless && scr_node_child(root, section->unless)))
            scr_fail(r->report, SCREE_E_INPUT, (scree_place){r->scene->path, 1, 1, section->name},
                     "the scene lacks the section %s: %s", section->name, section->doc);
        if (section->named) continue;
        if (!(set->items = calloc(1, sizeof *set->items))) {
            out_of_memory(r);
            return;
        }
        set->count = 1;
        read_item(r, section, NULL, set->items);
    }
}

// keys of sections that have a new name
static void rename_former(const reader *r, scr_node *root)
{
    const scr_schema *schema = r->scene->schema;
    for (int s = 0; schema->sections[s]; s++) {
        const char *former = schema->sections[s]->former, *name = schema->sections[s]->name;
        scr_node *node = former ? scr_node_child(root, former) : NULL;
        if (!node || scr_node_child(root, name)) continue;
        scr_warn(r->report, scr_node_key_place(node), "the section '%s' has been renamed to '%s'", former, name);
        char *key = strdup(name);
        if (!key) {
            out_of_memory(r);
            return;
        }
        free(node->key);
        node->key = key;
    }
}

static void read_root(const reader *r, scr_node *root)
{
    // all keys were refused: that has been said
    if (root->kind == SCR_NODE_MAP && !root->count && r->report->errors) return;
    if (root->kind != SCR_NODE_MAP || !root->count) {
        scr_fail(r->report, SCREE_E_INPUT, (scree_place){r->scene->path, 1, 1, NULL},
                 "a scene must be a mapping of keys that begins with 'scree: 1', received %s",
                 scr_node_quote(root).text);
        return;
    }
    if (!check_version(r, root)) return;
    rename_former(r, root);
    keys all = {.section = &scr_section_head};
    int head = section_index(r->scene->schema, "");
    if (head >= 0) {
        scr_items *set = &r->scene->sets[head];
        all.section = r->scene->schema->sections[head];
        set->items = calloc(1, sizeof *set->items);
        if (!set->items) {
            out_of_memory(r);
            return;
        }
        set->count = 1;
        set->items[0] = (scr_item){.section = all.section, .node = root};
        if (!allocate_item(r, set->items)) return;
        add_keys(r, &all, all.section->params, set->items[0].def);
    }
    read_top(r, &all, root);
    read_absent(r, root);
    scr_scene_check(r->scene, r->report);
}

// ---- order of messages ----

typedef struct {
    scree_message message;
    int elsewhere; /* 0: in the scene's file */
    int number;
} ordered;

static int by_place(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    if (x->elsewhere != y->elsewhere) return x->elsewhere - y->elsewhere;
    if (!x->elsewhere && x->message.line != y->message.line) return x->message.line < y->message.line ? -1 : 1;
    if (!x->elsewhere && x->message.column != y->message.column) return x->message.column < y->message.column ? -1 : 1;
    return x->number - y->number;
}

// the messages of this scene, from number `first` on, in the order of the file
static void sort_messages(scree_report *report, int first, const char *path)
{
    int count = report->count - first;
    ordered *list = count > 1 ? malloc((size_t)count * sizeof *list) : NULL;
    if (!list) return;
    for (int k = 0; k < count; k++) {
        const scree_message *m = &report->messages[first + k];
        list[k] = (ordered){*m, !m->file || strcmp(m->file, path), k};
    }
    qsort(list, (size_t)count, sizeof *list, by_place);
    for (int k = 0; k < count; k++) report->messages[first + k] = list[k].message;
    free(list);
}

// ---- scenes ----

static char *text_with_settings(const scr_scene *scene, const char *text)
{
    if (!scene->label_count) return strdup(text);
    char *tree = scr_tree_text(scene->root), *all = NULL;
    size_t size;
    FILE *out = tree ? open_memstream(&all, &size) : NULL;
    if (!out) {
        free(tree);
        return NULL;
    }
    // the settings stay visible, as comments
    for (int k = 0; k < scene->label_count; k++) {
        fputs("# ", out);
        for (const char *p = scene->labels[k]; *p; p++) fputc((unsigned char)*p < ' ' || *p == 127 ? ' ' : *p, out);
        fputc('\n', out);
    }
    fputs(tree, out);
    free(tree);
    if (!fclose(out)) return all;
    free(all);
    return NULL;
}

static bool build(const reader *r, const char *text, const scr_setting *settings, int count)
{
    scr_scene *scene = r->scene;
    while (scene->schema->sections[scene->set_count]) scene->set_count++;
    scene->sets = calloc((size_t)scene->set_count + 1, sizeof *scene->sets);
    if (!scene->sets || !scene->path) {
        out_of_memory(r);
        return false;
    }
    scene->root = scr_tree_parse(text, strlen(text), scene->path, r->report);
    if (!scene->root) return false;
    scr_settings_apply(scene, settings, count, r->report);
    scr_values_apply(scene, r->report);
    scene->text = text_with_settings(scene, text);
    if (!scene->text) out_of_memory(r);
    scr_stages_apply(scene, r->report);
    read_root(r, scene->root);
    return true;
}

scr_scene *scr_scene_parse_stage(const char *text, const char *path, const scr_schema *schema,
                                 const scr_setting *settings, int setting_count, int stage, scree_report *report)
{
    int errors = report->errors, first = report->count;
    scr_scene *scene = calloc(1, sizeof *scene);
    reader r = {scene, report};
    if (!scene) {
        out_of_memory(&r);
        return NULL;
    }
    scene->schema = schema;
    scene->path = strdup(path);
    scene->stage = stage;
    build(&r, text, settings, setting_count);
    if (!stage) scr_stages_parse(scene, text, settings, setting_count, report);
    sort_messages(report, first, path);
    if (report->errors == errors) return scene;
    scr_scene_destroy(scene);
    return NULL;
}

scr_scene *scr_scene_parse(const char *text, const char *path, const scr_schema *schema, const scr_setting *settings,
                           int setting_count, scree_report *report)
{
    return scr_scene_parse_stage(text, path, schema, settings, setting_count, 0, report);
}

scr_scene *scr_scene_read(const char *path, const scr_schema *schema, const scr_setting *settings, int setting_count,
                          scree_report *report)
{
    size_t size = 0;
    char *text = scr_file_read(path, SCR_TREE_BYTES, &size, report);
    if (!text) return NULL;
    scr_scene *scene = NULL;
    if (strlen(text) != size)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path}, "byte %zu is zero, a scene must be text%s",
                 strlen(text) + 1, scr_text_hint(text));
    else
        scene = scr_scene_parse(text, path, schema, settings, setting_count, report);
    free(text);
    return scene;
}
