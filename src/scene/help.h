/* What the parameter tables say, for people and editors: help texts, a JSON schema, a reference
 * page. All are made from the schema that the reader uses, so they cannot be out of date. */
#ifndef SCREE_SCENE_HELP_H
#define SCREE_SCENE_HELP_H

#include <stdio.h>

#include "base/status.h"
#include "scene/param.h"

/* Help on a section (`walls`), a kind of item (`walls.plane`), a key (`materials.density`, or
 * `density` alone); NULL: all sections. An unknown key is an error that names the nearest ones. */
scree_status scr_help_write(const scr_schema *schema, const char *key, FILE *out, scree_report *report);

/* JSON schema (draft 2020-12) of a scene file, for completion and checks in editors. */
void scr_schema_write_json(const scr_schema *schema, FILE *out);

/* The reference page of the scene file, in Markdown. */
void scr_schema_write_markdown(const scr_schema *schema, FILE *out);

#endif
