/* A bounding volume hierarchy over faces: which of many faces are near a point, without looking at
 * the others. Boxes are in the frame of the faces, so that a wall may move without a new tree. */
#ifndef SCREE_SHAPE_FACE_TREE_H
#define SCREE_SHAPE_FACE_TREE_H

#include <stdint.h>

#include "shape/face.h"

typedef struct {
    vec3 lower, upper;
    uint32_t next;  /* inner node: its second child, the first follows it; leaf: first of its faces */
    uint32_t count; /* faces of a leaf, 0 for an inner node */
} scr_face_node;

typedef struct {
    scr_face_node *nodes; /* the root is the first; owned */
    uint32_t *order;      /* faces in the order of leaves; owned */
    uint32_t node_count;
} scr_face_tree;

/* False when memory is exhausted. At least one face. */
bool scr_face_tree_build(scr_face_tree *tree, const scr_face *faces, uint32_t count);
void scr_face_tree_deinit(scr_face_tree *tree);

/* Calls `found` for every face whose box is nearer to x than `reach`; stops and returns false when
 * it does. */
bool scr_face_tree_search(const scr_face_tree *tree, vec3 x, double reach, bool (*found)(void *context, uint32_t face),
                          void *context);

#endif
