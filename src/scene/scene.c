/* A read scene's answers: sections, items, places, files (see scene.h). */
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "scene/scene_data.h"
#include "scene/value.h"

static void free_values(const scr_param *params, void *def)
{
    for (const scr_param *p = params; def && p && p->name; p++) {
        if (p->type == SCR_NESTED)
            scr_item_deinit((scr_item *)((char *)def + p->offset));
        else
            scr_value_free(p, def);
    }
}

void scr_item_deinit(scr_item *item)
{
    if (item->section) free_values(item->section->params, item->def);
    if (item->variant) free_values(item->variant->params, item->variant_def);
    free(item->def);
    free(item->variant_def);
    free(item->name);
    *item = (scr_item){0};
}

void scr_scene_destroy(scr_scene *scene)
{
    if (!scene) return;
    for (int s = 0; scene->sets && s < scene->set_count; s++) {
        for (int k = 0; k < scene->sets[s].count; k++) scr_item_deinit(&scene->sets[s].items[k]);
        free(scene->sets[s].items);
    }
    free(scene->sets);
    scr_node_destroy(scene->root);
    for (int k = 0; k < scene->label_count; k++) free(scene->labels[k]);
    free(scene->labels);
    free(scene->values);
    scr_stages_free(scene);
    free(scene->path);
    free(scene->text);
    free(scene);
}

const char *scr_scene_path(const scr_scene *scene)
{
    return scene->path;
}

const char *scr_scene_text(const scr_scene *scene)
{
    return scene->text;
}

const scr_items *scr_scene_items(const scr_scene *scene, const char *section)
{
    static const scr_items none = {NULL, 0};
    for (int s = 0; s < scene->set_count; s++)
        if (!strcmp(scene->schema->sections[s]->name, section)) return &scene->sets[s];
    return &none;
}

const void *scr_scene_def(const scr_scene *scene, const char *section)
{
    const scr_items *items = scr_scene_items(scene, section);
    return items->count ? items->items[0].def : NULL;
}

const scr_item *scr_scene_find(const scr_scene *scene, const char *section, const char *name)
{
    const scr_items *items = scr_scene_items(scene, section);
    for (int k = 0; k < items->count; k++)
        if (items->items[k].name && !strcmp(items->items[k].name, name)) return &items->items[k];
    return NULL;
}

void scr_section_defaults(const scr_section *section, void *def)
{
    scree_report report;
    scree_report_init(&report);
    for (const scr_param *p = section->params; p && p->name; p++) scr_value_default(p, def, &report);
    // defaults of the tables are right: a test reads them all
    scree_report_deinit(&report);
}

// ---- what was written ----

static scr_node *written(const scr_item *item, const char *key)
{
    scr_node *node = item->node;
    if (!node || !key || node->kind != SCR_NODE_MAP) return NULL;
    const scr_param *param = scr_param_find(item->section->params, key);
    if (!param && item->variant) param = scr_param_find(item->variant->params, key);
    for (int k = 0; k < node->count; k++) {
        scr_node *child = node->children[k];
        if (param ? scr_param_is(param, child->key) : !strcmp(child->key, key)) return child;
    }
    return NULL;
}

bool scr_item_has(const scr_item *item, const char *key)
{
    return written(item, key) != NULL;
}

scree_place scr_item_place(const scr_scene *scene, const scr_item *item, const char *key)
{
    scr_node *child = written(item, key);
    if (child) return scr_node_place(child);
    if (item->node) return scr_node_key_place(item->node);
    return (scree_place){.file = scene->path, .key = item->section ? item->section->name : NULL};
}

char *scr_scene_file(const scr_scene *scene, const char *name)
{
    const char *slash = strrchr(scene->path, '/');
    if (name[0] == '/' || !slash) return strdup(name);
    size_t folder = (size_t)(slash - scene->path) + 1, length = strlen(name);
    char *path = malloc(folder + length + 1);
    if (!path) return NULL;
    memcpy(path, scene->path, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}
