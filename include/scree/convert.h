/* Inputs of other programs as scenes. */
#ifndef SCREE_CONVERT_H
#define SCREE_CONVERT_H

#include "scree/scree.h"

/* A LIGGGHTS or LAMMPS (granular) input becomes a scene: materials, contacts, walls, meshes, insertion, gravity, run
 * length. What cannot be translated is listed with its line, in the scene as comments and in `list` (may be NULL).
 * Written as all outputs are. *left: how many commands were not translated; may be NULL. */
scree_status scree_convert(const char *input, const char *output, bool force, FILE *list, int *left,
                           scree_report *report);

#endif
