/* Fragments of bonded grains: the connected parts of the graph whose edges are the bonds that hold. A part is named
 * after its smallest member, so that names do not depend on the order of bonds. */
#ifndef SCREE_WORLD_FRAGMENTS_H
#define SCREE_WORLD_FRAGMENTS_H

#include <stddef.h>
#include <stdint.h>

/* A forest: tree[k] <= k, and a root points to itself. Start: */
static inline void scr_forest_begin(uint32_t *tree, size_t count)
{
    for (size_t k = 0; k < count; k++) tree[k] = (uint32_t)k;
}

static inline uint32_t scr_forest_root(uint32_t *tree, uint32_t k)
{
    while (tree[k] != k) k = tree[k] = tree[tree[k]];
    return k;
}

static inline void scr_forest_join(uint32_t *tree, uint32_t a, uint32_t b)
{
    a = scr_forest_root(tree, a), b = scr_forest_root(tree, b);
    tree[a > b ? a : b] = a > b ? b : a;
}

/* When all edges are joined: tree[k] becomes the smallest member of k's part. */
static inline void scr_forest_end(uint32_t *tree, size_t count)
{
    for (size_t k = 0; k < count; k++) tree[k] = tree[tree[k]];
}

#endif
