#include "shape/face_tree.h"

#include <stdlib.h>

#define LEAF  4  /* faces at most */
#define DEPTH 64 /* halves: 2^64 faces would be needed to go deeper */

typedef struct {
    vec3 lower, upper, middle;
    uint32_t face;
} entry;

static vec3 least(vec3 a, vec3 b)
{
    return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}
static vec3 greatest(vec3 a, vec3 b)
{
    return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

// by the middle along an axis, then by number: one order, whatever the sort does
#define BY(name, member)                                                                               \
    static int name(const void *p, const void *q)                                                      \
    {                                                                                                  \
        const entry *a = p, *b = q;                                                                    \
        if (a->middle.member != b->middle.member) return a->middle.member < b->middle.member ? -1 : 1; \
        return a->face < b->face ? -1 : a->face > b->face;                                             \
    }
BY(by_x, x)
BY(by_y, y)
BY(by_z, z)

static void bound(const entry *e, uint32_t count, scr_face_node *node, vec3 *spread)
{
    vec3 low = e->middle, high = e->middle;
    node->lower = e->lower, node->upper = e->upper;
    for (uint32_t k = 1; k < count; k++) {
        node->lower = least(node->lower, e[k].lower);
        node->upper = greatest(node->upper, e[k].upper);
        low = least(low, e[k].middle);
        high = greatest(high, e[k].middle);
    }
    *spread = v3_sub(high, low);
}

// entries [first, first + count) below a new node; split in halves along their longest axis
static void split(scr_face_tree *tree, entry *all, uint32_t first, uint32_t count)
{
    entry *e = all + first;
    uint32_t at = tree->node_count++;
    vec3 spread;
    bound(e, count, &tree->nodes[at], &spread);
    tree->nodes[at].next = first, tree->nodes[at].count = count;
    if (count <= LEAF) return;
    bool x = spread.x >= spread.y && spread.x >= spread.z, y = spread.y >= spread.z;
    qsort(e, count, sizeof *e, x ? by_x : y ? by_y : by_z);
    uint32_t half = count / 2;
    split(tree, all, first, half);
    tree->nodes[at].next = tree->node_count, tree->nodes[at].count = 0;
    split(tree, all, first + half, count - half);
}

bool scr_face_tree_build(scr_face_tree *tree, const scr_face *faces, uint32_t count)
{
    entry *entries = malloc(count * sizeof *entries);
    *tree = (scr_face_tree){.nodes = malloc(2 * (size_t)count * sizeof *tree->nodes),
                            .order = malloc(count * sizeof *tree->order)};
    bool ok = entries && tree->nodes && tree->order;
    for (uint32_t k = 0; ok && k < count; k++) {
        entries[k].face = k;
        scr_face_box(&faces[k], &entries[k].lower, &entries[k].upper);
        entries[k].middle = v3_scale(0.5, v3_add(entries[k].lower, entries[k].upper));
    }
    if (ok) split(tree, entries, 0, count);
    for (uint32_t k = 0; ok && k < count; k++) tree->order[k] = entries[k].face;
    free(entries);
    if (!ok) scr_face_tree_deinit(tree);
    return ok;
}

void scr_face_tree_deinit(scr_face_tree *tree)
{
    free(tree->nodes);
    free(tree->order);
    *tree = (scr_face_tree){0};
}

static double beyond(double x, double lower, double upper)
{
    return x < lower ? lower - x : x > upper ? x - upper : 0;
}

static bool is_near(const scr_face_node *node, vec3 x, double reach)
{
    vec3 d = {beyond(x.x, node->lower.x, node->upper.x), beyond(x.y, node->lower.y, node->upper.y),
              beyond(x.z, node->lower.z, node->upper.z)};
    return v3_dot(d, d) < reach * reach;
}

bool scr_face_tree_search(const scr_face_tree *tree, vec3 x, double reach, bool (*found)(void *context, uint32_t face),
                          void *context)
{
    uint32_t waiting[DEPTH];
    int n = 0;
    waiting[n++] = 0;
    while (n) {
        uint32_t at = waiting[--n];
        const scr_face_node *node = &tree->nodes[at];
        if (!is_near(node, x, reach)) continue;
        for (uint32_t k = 0; k < node->count; k++)
            if (!found(context, tree->order[node->next + k])) return false;
        if (!node->count) waiting[n++] = node->next, waiting[n++] = at + 1;
    }
    return true;
}
