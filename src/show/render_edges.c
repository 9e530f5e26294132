#include "show/render_edges.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SHARP 0.9 /* cosine of the angle, about 26 degrees, from which on an edge is seen */

/* A side of a facet; the key is the same for facets that share it. */
typedef struct {
    int64_t key[6];
    vec3 from, to;
    uint32_t face;
} side;

static int by_key(const void *a, const void *b)
{
    const side *x = a, *y = b;
    for (int k = 0; k < 6; k++)
        if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
    return (x->face > y->face) - (x->face < y->face);
}

static bool same_key(const side *a, const side *b)
{
    return !memcmp(a->key, b->key, sizeof a->key);
}

// corners as whole numbers of `grain`, the smaller one first
static void key_set(side *s, double grain)
{
    int64_t *k = s->key;
    const vec3 ends[2] = {s->from, s->to};
    for (int e = 0; e < 2; e++) {
        k[3 * e] = llrint(ends[e].x / grain), k[3 * e + 1] = llrint(ends[e].y / grain);
        k[3 * e + 2] = llrint(ends[e].z / grain);
    }
    int order = 0;
    for (int d = 0; d < 3 && !order; d++) order = (k[d] > k[d + 3]) - (k[d] < k[d + 3]);
    for (int d = 0; d < 3 && order > 0; d++) {
        int64_t keep = k[d];
        k[d] = k[d + 3], k[d + 3] = keep;
    }
}

static double size_of(const scr_face *faces, size_t count)
{
    double far = 0, long_edge = 0;
    for (size_t f = 0; f < count; f++) {
        far = fmax(far, v3_norm(v3_sub(faces[f].point, faces[0].point)));
        long_edge = fmax(long_edge, fmax(v3_norm(faces[f].edge[0]), v3_norm(faces[f].edge[1])));
    }
    return far + long_edge;
}

// facets that meet there are of one plane, nearly
static bool is_even(const side *sides, size_t count, const scr_face *faces)
{
    for (size_t k = 1; k < count; k++)
        if (fabs(v3_dot(faces[sides[0].face].axis, faces[sides[k].face].axis)) < SHARP) return false;
    return count > 1;
}

size_t scr_mesh_edges(const scr_face *faces, size_t count, double **edges)
{
    double grain = 1e-6 * size_of(faces, count);
    side *sides = malloc((3 * count + 1) * sizeof *sides);
    *edges = malloc((3 * count + 1) * 6 * sizeof **edges);
    size_t found = 0;
    for (size_t f = 0; f < count && sides && *edges && grain > 0; f++) {
        vec3 a = faces[f].point, b = v3_add(a, faces[f].edge[0]), c = v3_add(a, faces[f].edge[1]);
        const vec3 corner[4] = {a, b, c, a};
        for (size_t k = 0; k < 3; k++) {
            side *s = &sides[3 * f + k];
            *s = (side){.from = corner[k], .to = corner[k + 1], .face = (uint32_t)f};
            key_set(s, grain);
        }
    }
    bool ok = sides && *edges && grain > 0;
    if (ok) qsort(sides, 3 * count, sizeof *sides, by_key);
    for (size_t k = 0, n; ok && k < 3 * count; k += n) {
        for (n = 1; k + n < 3 * count && same_key(&sides[k], &sides[k + n]);) n++;
        if (is_even(&sides[k], n, faces)) continue;
        v3_store(*edges + 6 * found, sides[k].from);
        v3_store(*edges + 6 * found++ + 3, sides[k].to);
    }
    free(sides);
    if (!found) free(*edges), *edges = NULL;
    return found;
}
