/* One value of a scene: from a node of the tree into the member of a definition struct that its
 * parameter names. All types but SCR_NESTED, which is an item of its own (read.c). */
#ifndef SCREE_SCENE_VALUE_H
#define SCREE_SCENE_VALUE_H

#include "scene/param.h"
#include "scene/tree.h"

/* Reads and checks; an error goes to the report and leaves the member as it was. The member must
 * hold a valid value already (its default, or zeros). */
void scr_value_read(const scr_param *param, scr_node *node, void *def, scree_report *report);

/* Fills the member with the parameter's default; a required one becomes zero or empty. */
void scr_value_default(const scr_param *param, void *def, scree_report *report);

/* Frees what the member owns. */
void scr_value_free(const scr_param *param, void *def);

#endif
