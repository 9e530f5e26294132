/* Inside of a scene, shared by the files that read, set, check and answer for it. Not for other
 * folders. */
#ifndef SCREE_SCENE_SCENE_DATA_H
#define SCREE_SCENE_SCENE_DATA_H

#include "scene/scene.h"
#include "scene/tree.h"

typedef struct {
    const char *name; /* the node's key */
    double number;
} scr_scene_number;

/* Stage `stage` changes an item. */
typedef struct {
    char *section, *name;
    int stage;
} scr_stage_change;

struct scr_scene {
    const scr_schema *schema;
    char *path;
    char *text;      /* with settings applied */
    scr_node *root;  /* items point into it */
    scr_items *sets; /* one per section of the schema, in its order */
    int set_count;
    char **labels; /* "--set path=value", the file names of nodes that settings made */
    int label_count;
    scr_scene_number *values; /* of the section `values`, in SI */
    int value_count;
    int stage, stage_count; /* which of how many it is of */
    scr_scene **stages;     /* of stages 1 ..., at their numbers; owned; NULL: none, or this is one of them */
    const scr_scene *first; /* that owns this one; NULL: none */
    scr_stage_change *changes;
    int change_count;
};

/* Frees what an item owns, not the item itself. */
void scr_item_deinit(scr_item *item);

/* Changes the tree as the settings say (setting.c). */
void scr_settings_apply(scr_scene *scene, const scr_setting *settings, int count, scree_report *report);

/* Which child of a mapping a key names, in any spelling; -1: none (setting.c). */
int scr_setting_child(const scr_scene *scene, const scr_node *map, const char *key);

/* Merges what stages change into the tree; checks them, and what they mean for `time`; reads the scenes of the others
 * (stages.c). */
void scr_stages_apply(scr_scene *scene, scree_report *report);
void scr_stages_check(scr_scene *scene, scree_report *report);
bool scr_stages_parse(scr_scene *scene, const char *text, const scr_setting *settings, int setting_count,
                      scree_report *report);
void scr_stages_free(scr_scene *scene);
/* As scr_scene_parse, of one stage (read.c). */
scr_scene *scr_scene_parse_stage(const char *text, const char *path, const scr_schema *schema,
                                 const scr_setting *settings, int setting_count, int stage, scree_report *report);

/* Evaluates `values`, and every text of the tree that begins with `=` (values.c). */
void scr_values_apply(scr_scene *scene, scree_report *report);

/* What sections say about each other: names that must exist, keys that exclude each other
 * (check.c). */
void scr_scene_check(scr_scene *scene, scree_report *report);
/* The same within one item of `contacts` (check_contacts.c). */
void scr_contact_check(const scr_scene *scene, const scr_item *item, scree_report *report);

/* Motions of groups and which groups they ignore (groups.c). */
void scr_groups_check(const scr_scene *scene, scree_report *report);

/* Names and keys of the section `bonds` (bonds.c). */
void scr_bonds_check(const scr_scene *scene, scree_report *report);

/* Parts, joints and clumps (check_parts.c). */
void scr_parts_check(const scr_scene *scene, scree_report *report);

/* Patches, supports and loads of elastic solids (check_solids.c). */
void scr_solids_check(const scr_scene *scene, scree_report *report);

/* A name in the key of an item that is none of the items of a section: says so, with the nearest one. */
void scr_refuse_name(const scr_scene *scene, const scr_item *item, const char *key, const char *section,
                     const char *name, scree_report *report);

#endif
