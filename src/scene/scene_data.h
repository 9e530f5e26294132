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
};

/* Frees what an item owns, not the item itself. */
void scr_item_deinit(scr_item *item);

/* Changes the tree as the settings say (setting.c). */
void scr_settings_apply(scr_scene *scene, const scr_setting *settings, int count, scree_report *report);

/* Evaluates `values`, and every text of the tree that begins with `=` (values.c). */
void scr_values_apply(scr_scene *scene, scree_report *report);

/* What sections say about each other: names that must exist, keys that exclude each other
 * (check.c). */
void scr_scene_check(scr_scene *scene, scree_report *report);
/* The same within one item of `contacts` (check_contacts.c). */
void scr_contact_check(const scr_scene *scene, const scr_item *item, scree_report *report);

/* Motions of groups and whom they ignore (groups.c). */
void scr_groups_check(const scr_scene *scene, scree_report *report);

/* Names and keys of the section `bonds` (bonds.c). */
void scr_bonds_check(const scr_scene *scene, scree_report *report);

/* Parts, joints and clumps (check_parts.c). */
void scr_parts_check(const scr_scene *scene, scree_report *report);

/* Patches, supports and loads of elastic solids (check_solids.c). */
void scr_solids_check(const scr_scene *scene, scree_report *report);

/* A name in the key of an item that is none of the items of a section: says so, with the nearest one. */
void scr_refuse_name(const scr_scene *scene, const scr_item *item, const char *key, const char *section,
                     const char *what, const char *name, scree_report *report);

#endif
