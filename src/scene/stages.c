/* Stages: the scene as it is in each of them.
 *
 * A stage is a mapping of `end`, `until` and of whatever it changes, written as at the top level. The scene of stage k
 * is the scene with the changes of stages 0 to k merged into it: mappings are joined, all else is replaced, and a key
 * whose value is nothing (or `none`, for a mapping) goes. So a stage's scene is a scene like any other: the same
 * reader, the same checks, the same messages with the places where things are written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "scene/scene_data.h"

#define AT(member) offsetof(scr_stage_def, member)

static const scr_param params[] = {
    {"end", "duration", SCR_REAL, "s", NULL, "> 0", AT(end), "Length of the stage; the longest, with `until`.", NULL},
    {"until", NULL, SCR_TEXT, NULL, "", NULL, AT(until),
     "A condition that ends the stage before that, as `time.until` ends a run. Default: none.", NULL},
    {0}};

const scr_section scr_section_stages = {
    .name = "stages",
    .doc = "Stages of a run, by name, one after the other: settle, open the gate, compress. Each may change gravity, "
           "gravity_signal, gravity_table, domain.deform, materials, contacts, bodies, walls, parts, joints, supports, "
           "loads, sponges, outlets and stepper, written as at the top level; what it does not name stays as it was. "
           "`none` in place of a mapping removes it (`servo: none`). Times of what a stage changes (`since`, `until`, "
           "`start`, phases, tables) count from its start. The results are those of one run.",
    .named = true,
    .open = true,
    .params = params,
    .size = sizeof(scr_stage_def),
};

static const char *const changeable[] = {
    "gravity", "gravity_signal", "gravity_table", "domain", "materials", "contacts", "bodies",  "walls",
    "parts",   "joints",         "supports",      "loads",  "sponges",   "outlets",  "stepper", NULL};

static bool can_change(const char *key)
{
    int k = 0;
    while (changeable[k] && strcmp(changeable[k], key)) k++;
    return changeable[k];
}

typedef struct {
    scr_scene *scene;
    scree_report *report;
} merger;

/* ---- merging ---- */

static int child_index(const scr_node *map, const char *key)
{
    for (int k = 0; k < map->count; k++)
        if (!strcmp(map->children[k]->key, key)) return k;
    return -1;
}

// out of its parent, without freeing it
static scr_node *take(scr_node *map, int k)
{
    scr_node *node = map->children[k];
    map->count--;
    memmove(map->children + k, map->children + k + 1, (size_t)(map->count - k) * sizeof *map->children);
    return node;
}

static bool removes(const scr_node *old, const scr_node *change)
{
    if (change->kind != SCR_NODE_SCALAR) return false;
    return scr_node_is_null(change) || (old->kind == SCR_NODE_MAP && !strcmp(change->text, "none"));
}

// `change` is the merger's to keep or to free
static bool merge(const merger *m, scr_node *into, scr_node *change)
{
    int k = scr_setting_child(m->scene, into, change->key);
    if (k < 0) {
        char *key = change->key;
        change->key = NULL;
        bool ok = scr_node_add(into, key, change);
        free(key);
        return ok;
    }
    scr_node *old = into->children[k];
    if (old->kind == SCR_NODE_MAP && change->kind == SCR_NODE_MAP) {
        bool ok = true;
        while (ok && change->count) ok = merge(m, old, take(change, 0));
        scr_node_destroy(change);
        return ok;
    }
    if (removes(old, change)) {
        scr_node_destroy(take(into, k));
        scr_node_destroy(change);
        return true;
    }
    change->parent = into;
    into->children[k] = change;
    scr_node_destroy(old);
    return true;
}

/* ---- what changes ---- */

// notes that stage k changes an item of a section, or a key of the top level
static bool note(scr_scene *scene, const char *section, const char *name, int stage)
{
    if (!scr_reserve(&scene->changes, (size_t)scene->change_count + 1)) return false;
    scr_stage_change *c = &scene->changes[scene->change_count++];
    *c = (scr_stage_change){strdup(section), strdup(name), stage};
    return c->section && c->name;
}

static bool note_all(scr_scene *scene, const scr_node *change, int stage)
{
    if (change->kind != SCR_NODE_MAP || !strcmp(change->key, "gravity_signal"))
        return note(scene, change->key, "", stage);
    bool ok = true;
    for (int k = 0; k < change->count && ok; k++) ok = note(scene, change->key, change->children[k]->key, stage);
    return ok;
}

int scr_scene_changed_in(const scr_scene *scene, const char *section, const char *name)
{
    int stage = 0;
    for (int k = 0; k < scene->change_count; k++) {
        const scr_stage_change *c = &scene->changes[k];
        if (!strcmp(c->section, section) && !strcmp(c->name, name) && c->stage > stage) stage = c->stage;
    }
    return stage;
}

static void refuse(const merger *m, const scr_node *stage, scr_node *child)
{
    scr_nearest nearest = {.wanted = child->key};
    char words[400] = "end, until";
    for (int k = 0; changeable[k]; k++) {
        scr_nearest_offer(&nearest, changeable[k]);
        snprintf(words + strlen(words), sizeof words - strlen(words), ", %s", changeable[k]);
    }
    scr_fail(m->report, SCREE_E_INPUT, scr_node_key_place(child),
             "stages.%.60s has the key %s, which a stage cannot change%s%s%s; allowed: %s", stage->key,
             scr_quote(child->key).text, nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "",
             nearest.found ? "'?" : "", words);
}

// of the domain a stage can change how it deforms, not where it is
static bool refuse_domain(const merger *m, const scr_node *stage, scr_node *domain)
{
    bool good = true;
    for (int k = 0; domain->kind == SCR_NODE_MAP && k < domain->count; k++) {
        scr_node *child = domain->children[k];
        if (!strcmp(child->key, "deform")) continue;
        good = false;
        scr_fail(m->report, SCREE_E_INPUT, scr_node_key_place(child),
                 "stages.%.60s.domain has the key %s, which a stage cannot change; allowed: deform", stage->key,
                 scr_quote(child->key).text);
    }
    return good;
}

// moves the changes of one stage to where they belong; those of later stages go
static bool apply_stage(const merger *m, scr_node *stage, int number)
{
    bool ok = true;
    for (int k = 0; k < stage->count && ok;) {
        scr_node *child = stage->children[k];
        if (!strcmp(child->key, "end") || !strcmp(child->key, "duration") || !strcmp(child->key, "until")) {
            k++;
            continue;
        }
        bool known = can_change(child->key);
        if (!known) refuse(m, stage, child);
        if (known && !strcmp(child->key, "domain")) known = refuse_domain(m, stage, child);
        take(stage, k);
        if (!known || number > m->scene->stage) {
            scr_node_destroy(child);
            continue;
        }
        // of the first stage nothing came before
        ok = (!number || note_all(m->scene, child, number)) && merge(m, m->scene->root, child);
    }
    return ok;
}

// the reader serves other files, too
static bool has_stages(const scr_scene *scene)
{
    return scr_schema_section(scene->schema, "stages") && scr_schema_section(scene->schema, "time");
}

void scr_stages_apply(scr_scene *scene, scree_report *report)
{
    const merger m = {scene, report};
    scr_node *root = scene->root;
    if (!has_stages(scene)) return;
    int at = root->kind == SCR_NODE_MAP ? child_index(root, "stages") : -1;
    if (at < 0 || root->children[at]->kind != SCR_NODE_MAP) return;
    const scr_node *stages = root->children[at];
    bool ok = true;
    for (int k = 0; k < stages->count && ok; k++)
        if (stages->children[k]->kind == SCR_NODE_MAP) ok = apply_stage(&m, stages->children[k], k);
    if (!ok) scr_no_memory(report, "the stages of the scene");
}

/* ---- what stages mean for the rest ---- */

static void check_time(scr_scene *scene, scr_time_def *time, scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "time")->items[0];
    if (!scene->stage_count && isnan(time->end) && !scr_node_child(item->node, "end"))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, NULL), "time lacks end, a number [s] > 0");
    if (scene->stage_count && time->until)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "until"),
                 "time.until is given, but the scene has stages: give each its own until");
}

void scr_stages_check(scr_scene *scene, scree_report *report)
{
    if (!has_stages(scene) || !scr_scene_items(scene, "time")->count) return;
    const scr_items *stages = scr_scene_items(scene, "stages");
    scr_time_def *time = (scr_time_def *)scr_scene_def(scene, "time");
    if (!time) return;
    scene->stage_count = stages->count;
    check_time(scene, time, report);
    if (!stages->count || scene->stage >= stages->count) return;
    const scr_stage_def *own = stages->items[scene->stage].def;
    double sum = 0;
    for (int k = 0; k < stages->count; k++)
        if (stages->items[k].def) sum += ((const scr_stage_def *)stages->items[k].def)->end;
    if (isnan(time->end)) time->end = time->start + sum;
    if (!time->until && own && own->until && !(time->until = strdup(own->until)))
        scr_no_memory(report, "the stages of the scene");
}

/* ---- the scenes of all stages ---- */

// messages that are not there yet: what is wrong with the scene itself is wrong in every stage
static void hand_on(const scree_report *from, scree_report *to)
{
    for (int k = 0; k < from->count; k++) {
        const scree_message *m = &from->messages[k];
        bool known = false;
        for (int n = 0; n < to->count; n++)
            known |= to->messages[n].line == m->line && !strcmp(to->messages[n].text, m->text);
        if (!known && m->severity == SCREE_ERROR)
            scr_fail(to, SCREE_E_INPUT, (scree_place){m->file, m->line, m->column, m->key}, "%s", m->text);
    }
}

bool scr_stages_parse(scr_scene *scene, const char *text, const scr_setting *settings, int setting_count,
                      scree_report *report)
{
    int count = scene->stage_count;
    if (count < 2) return true;
    scene->stages = calloc((size_t)count, sizeof *scene->stages);
    if (!scene->stages) return scr_no_memory(report, "the stages of the scene"), false;
    for (int k = 1; k < count; k++) {
        scree_report own;
        scree_report_init(&own);
        scene->stages[k] = scr_scene_parse_stage(text, scene->path, scene->schema, settings, setting_count, k, &own);
        if (scene->stages[k]) scene->stages[k]->first = scene;
        hand_on(&own, report);
        scree_report_deinit(&own);
    }
    return true;
}

void scr_stages_free(scr_scene *scene)
{
    for (int k = 1; scene->stages && k < scene->stage_count; k++) scr_scene_destroy(scene->stages[k]);
    free(scene->stages);
    for (int k = 0; k < scene->change_count; k++) free(scene->changes[k].section), free(scene->changes[k].name);
    scr_buffer_free(scene->changes);
}

int scr_scene_stage_count(const scr_scene *scene)
{
    return scene->stage_count;
}

int scr_scene_stage_number(const scr_scene *scene)
{
    return scene->stage;
}

const scr_scene *scr_scene_stage(const scr_scene *scene, int stage)
{
    if (scene->first) scene = scene->first;
    return stage > 0 ? scene->stages[stage] : scene;
}

const char *scr_scene_stage_name(const scr_scene *scene, int stage)
{
    return scr_scene_items(scene, "stages")->items[stage].name;
}

int scr_scene_stage_find(const scr_scene *scene, const char *name)
{
    const scr_items *stages = scr_scene_items(scene, "stages");
    for (int k = 0; k < stages->count; k++)
        if (!strcmp(stages->items[k].name, name)) return k;
    return -1;
}
