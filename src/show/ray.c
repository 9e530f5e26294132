/* A tree of boxes with four children per node (see ray.h).
 *
 * Box test: slabs, Kay & Kajiya 1986. Sphere test: the distance of the centre from the ray's line,
 * which keeps its digits in single precision where the textbook discriminant loses them (Haines et
 * al., Ray Tracing Gems 2019, ch. 7). Rod test: cylinder around the axis, then the two end spheres.
 * Triangle test: Möller & Trumbore 1997, seen from both sides. */
#include "show/ray.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define WIDE        4
#define STACK_DEPTH 96
#define FAR_AWAY    1e30f

/* child >= 0: a node; child < 0: leaf ~child. A missing child has an empty box. */
struct scr_ray_node {
    float side[6][WIDE]; /* low x y z, high x y z of each child */
    int32_t child[WIDE];
};

/* square = radius^2, or -1 in an unused place, FLAT for triangles; axis = to - from, zero for spheres; side = third -
 * from of triangles */
#define FLAT (-2.0f)
struct scr_ray_leaf {
    float center[3][WIDE];
    float square[WIDE];
    uint32_t id[WIDE];
    float axis[3][WIDE];
    float side[3][WIDE];
    bool rods;  /* any of the four is a rod */
    bool flats; /* any of them is a triangle */
    bool thin[WIDE];
};

/* ---- building ---- */

// without the calls that fminf and fmaxf are
static inline float least(float a, float b)
{
    return a < b ? a : b;
}

static inline float most(float a, float b)
{
    return a > b ? a : b;
}

static float middle(const scr_ray_body *b, int axis)
{
    return b->from[axis] + b->to[axis];
}

static void bounds_of(const scr_ray_body *bodies, size_t count, float side[6])
{
    for (int k = 0; k < 3; k++) side[k] = FAR_AWAY, side[3 + k] = -FAR_AWAY;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            float a = bodies[i].from[k], b = bodies[i].to[k], r = bodies[i].radius;
            side[k] = least(side[k], least(a, b) - r);
            side[3 + k] = most(side[3 + k], most(a, b) + r);
            if (!bodies[i].triangle) continue;
            side[k] = least(side[k], bodies[i].third[k]);
            side[3 + k] = most(side[3 + k], bodies[i].third[k]);
        }
}

static int widest_axis(const scr_ray_body *bodies, size_t count)
{
    float low[3] = {FAR_AWAY, FAR_AWAY, FAR_AWAY}, high[3] = {-FAR_AWAY, -FAR_AWAY, -FAR_AWAY};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            float m = middle(&bodies[i], k);
            low[k] = least(low[k], m), high[k] = most(high[k], m);
        }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    return axis;
}

static void swap(scr_ray_body *a, scr_ray_body *b)
{
    scr_ray_body keep = *a;
    *a = *b, *b = keep;
}

// quickselect (Hoare 1961), middle element as pivot: the bodies below `at` end up not above those
// from it
static void split_at(scr_ray_body *bodies, size_t count, size_t at, int axis)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, want = (ptrdiff_t)at;
    while (low < high) {
        float pivot = middle(&bodies[low + (high - low) / 2], axis);
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (middle(&bodies[i], axis) < pivot) i++;
            while (middle(&bodies[j], axis) > pivot) j--;
            if (i <= j) swap(&bodies[i++], &bodies[j--]);
        }
        if (want <= j)
            high = j;
        else if (want >= i)
            low = i;
        else
            return;
    }
}

// splits at the median, at a multiple of four so that leaves are full; returns the size of the
// first part
static size_t halve(scr_ray_body *bodies, size_t count)
{
    if (count <= WIDE) return count;
    size_t at = (count / 2 + WIDE - 1) / WIDE * WIDE;
    split_at(bodies, count, at, widest_axis(bodies, count));
    return at;
}

static int32_t leaf_add(scr_ray_tree *tree, const scr_ray_body *bodies, size_t count)
{
    size_t index = tree->leaf_count++;
    scr_ray_leaf *leaf = &tree->leaves[index];
    for (size_t i = 0; i < WIDE; i++) {
        const scr_ray_body *body = &bodies[i < count ? i : 0];
        for (int k = 0; k < 3; k++) {
            leaf->center[k][i] = body->from[k];
            leaf->axis[k][i] = body->to[k] - body->from[k];
            leaf->side[k][i] = body->third[k] - body->from[k];
            leaf->rods |= leaf->axis[k][i] != 0 && !body->triangle;
        }
        leaf->flats |= body->triangle;
        leaf->thin[i] = body->thin;
        leaf->square[i] = i >= count ? -1 : body->triangle ? FLAT : body->radius * body->radius;
        leaf->id[i] = body->id;
    }
    return ~(int32_t)index;
}

static int32_t node_add(scr_ray_tree *tree, scr_ray_body *bodies, size_t count)
{
    int32_t index = (int32_t)tree->node_count++;
    // two halvings make four parts
    size_t half = halve(bodies, count);
    size_t start[WIDE + 1] = {0, halve(bodies, half), half, 0, count};
    start[3] = half + halve(bodies + half, count - half);
    for (int c = 0; c < WIDE; c++) {
        size_t n = start[c + 1] - start[c];
        scr_ray_body *part = bodies + start[c];
        float side[6];
        bounds_of(part, n, side);
        int32_t child = n == 0 ? 0 : n <= WIDE ? leaf_add(tree, part, n) : node_add(tree, part, n);
        // the array does not move: it was reserved for all nodes
        scr_ray_node *node = &tree->nodes[index];
        for (int k = 0; k < 6; k++) node->side[k][c] = side[k];
        node->child[c] = child;
    }
    return index;
}

bool scr_ray_tree_init(scr_ray_tree *tree, scr_ray_body *bodies, size_t count)
{
    *tree = (scr_ray_tree){0};
    if (count == 0) return true;
    // leaves are full but for the last; nodes below the root have at least two children
    size_t leaves = count / WIDE + 2;
    tree->leaves = scr_memory_new(leaves, sizeof *tree->leaves);
    tree->nodes = scr_memory_new(leaves, sizeof *tree->nodes);
    if (!tree->leaves || !tree->nodes) {
        scr_ray_tree_deinit(tree);
        return false;
    }
    node_add(tree, bodies, count);
    return true;
}

void scr_ray_tree_deinit(scr_ray_tree *tree)
{
    scr_memory_free(tree->nodes);
    scr_memory_free(tree->leaves);
    *tree = (scr_ray_tree){0};
}

/* ---- tracing ---- */

typedef struct {
    float origin[3], direction[3], inverse[3];
    int near[3], far[3]; /* rows of node.side that the ray meets first and last */
    float limit;
} beam;

static inline beam beam_of(const scr_ray *ray)
{
    beam b = {.origin = {(float)ray->origin.x, (float)ray->origin.y, (float)ray->origin.z},
              .direction = {(float)ray->direction.x, (float)ray->direction.y, (float)ray->direction.z},
              .limit = ray->limit < FAR_AWAY ? (float)ray->limit : FAR_AWAY};
    for (int k = 0; k < 3; k++) {
        // never a zero: a slab parallel to the ray is then met very far away, not at NaN
        float d = b.direction[k];
        int back = d < 0;
        float size = back ? -d : d;
        if (size < 1e-12f) size = 1e-12f;
        b.inverse[k] = 1 / (back ? -size : size);
        b.near[k] = k + 3 * back;
        b.far[k] = k + 3 - 3 * back;
    }
    return b;
}

// distances at which the ray enters the four boxes; bit c of the result is set when it meets box c
static inline int node_test(const scr_ray_node *node, const beam *b, float limit, float enter[WIDE])
{
    float leave[WIDE];
#pragma omp simd
    for (int c = 0; c < WIDE; c++) {
        float x0 = (node->side[b->near[0]][c] - b->origin[0]) * b->inverse[0];
        float y0 = (node->side[b->near[1]][c] - b->origin[1]) * b->inverse[1];
        float z0 = (node->side[b->near[2]][c] - b->origin[2]) * b->inverse[2];
        float t = x0 > y0 ? x0 : y0;
        t = z0 > t ? z0 : t;
        enter[c] = t > 0 ? t : 0;
    }
#pragma omp simd
    for (int c = 0; c < WIDE; c++) {
        float x1 = (node->side[b->far[0]][c] - b->origin[0]) * b->inverse[0];
        float y1 = (node->side[b->far[1]][c] - b->origin[1]) * b->inverse[1];
        float z1 = (node->side[b->far[2]][c] - b->origin[2]) * b->inverse[2];
        float t = x1 < y1 ? x1 : y1;
        t = z1 < t ? z1 : t;
        leave[c] = t < limit ? t : limit;
    }
    int met = 0;
#pragma omp simd reduction(| : met)
    for (int c = 0; c < WIDE; c++) met |= enter[c] <= leave[c] ? 1 << c : 0;
    return met;
}

// distances of the four spheres along the ray, negative where it misses
static inline void sphere_test(const scr_ray_leaf *leaf, const beam *b, float t[WIDE])
{
    const float *d = b->direction;
#pragma omp simd
    for (int i = 0; i < WIDE; i++) {
        float x = leaf->center[0][i] - b->origin[0];
        float y = leaf->center[1][i] - b->origin[1];
        float z = leaf->center[2][i] - b->origin[2];
        float along = x * d[0] + y * d[1] + z * d[2];
        x -= along * d[0], y -= along * d[1], z -= along * d[2];
        float left = leaf->square[i] - (x * x + y * y + z * z);
        float root = sqrtf(left > 0 ? left : 0);
        t[i] = left > 0 ? along - root : -1;
    }
}

static float end_test(float x, float y, float z, float square, const float d[3])
{
    float along = x * d[0] + y * d[1] + z * d[2];
    x -= along * d[0], y -= along * d[1], z -= along * d[2];
    float left = square - (x * x + y * y + z * z);
    return left > 0 ? along - sqrtf(left) : -1;
}

static float nearer(float a, float b)
{
    return a < 0 ? b : b < 0 ? a : least(a, b);
}

// the mantle where its hit lies between the ends, else the nearer of the end spheres
static float rod_test(const scr_ray_leaf *leaf, int i, const beam *b)
{
    const float *d = b->direction;
    if (leaf->square[i] < 0) return -1;
    float x = leaf->center[0][i] - b->origin[0], ax = leaf->axis[0][i];
    float y = leaf->center[1][i] - b->origin[1], ay = leaf->axis[1][i];
    float z = leaf->center[2][i] - b->origin[2], az = leaf->axis[2][i];
    float length2 = ax * ax + ay * ay + az * az;
    float ends = nearer(end_test(x, y, z, leaf->square[i], d), end_test(x + ax, y + ay, z + az, leaf->square[i], d));
    if (length2 <= 0) return ends;
    // parts of the direction and of the offset at right angles to the axis
    float da = (d[0] * ax + d[1] * ay + d[2] * az) / length2;
    float oa = -(x * ax + y * ay + z * az) / length2;
    float px = d[0] - da * ax, py = d[1] - da * ay, pz = d[2] - da * az;
    float qx = x + oa * ax, qy = y + oa * ay, qz = z + oa * az;
    float p2 = px * px + py * py + pz * pz;
    if (p2 < 1e-10f) return ends;
    float t0 = (px * qx + py * qy + pz * qz) / p2;
    float rx = qx - t0 * px, ry = qy - t0 * py, rz = qz - t0 * pz;
    float left = leaf->square[i] - (rx * rx + ry * ry + rz * rz);
    if (left <= 0) return ends;
    float t = t0 - sqrtf(left / p2), s = oa + t * da;
    return s >= 0 && s <= 1 ? nearer(t, ends) : ends;
}

// corner + u axis + v side with u, v >= 0, u + v <= 1; slightly more, so that neighbours leave no gap
static float flat_test(const scr_ray_leaf *leaf, int i, const beam *b)
{
    const float *d = b->direction, slack = 1e-5f;
    float ax = leaf->axis[0][i], ay = leaf->axis[1][i], az = leaf->axis[2][i];
    float bx = leaf->side[0][i], by = leaf->side[1][i], bz = leaf->side[2][i];
    float px = d[1] * bz - d[2] * by, py = d[2] * bx - d[0] * bz, pz = d[0] * by - d[1] * bx;
    float det = ax * px + ay * py + az * pz;
    if (det == 0) return -1;
    float over = 1 / det;
    float x = b->origin[0] - leaf->center[0][i], y = b->origin[1] - leaf->center[1][i],
          z = b->origin[2] - leaf->center[2][i];
    float u = (x * px + y * py + z * pz) * over;
    if (!(u >= -slack && u <= 1 + slack)) return -1;
    float qx = y * az - z * ay, qy = z * ax - x * az, qz = x * ay - y * ax;
    float v = (d[0] * qx + d[1] * qy + d[2] * qz) * over;
    if (!(v >= -slack && u + v <= 1 + slack)) return -1;
    return (bx * qx + by * qy + bz * qz) * over;
}

static void mixed_test(const scr_ray_leaf *leaf, const beam *b, float t[WIDE])
{
    for (int i = 0; i < WIDE; i++) t[i] = leaf->square[i] == FLAT ? flat_test(leaf, i, b) : rod_test(leaf, i, b);
}

static inline void leaf_test(const scr_ray_leaf *leaf, const beam *b, float t[WIDE])
{
    if (leaf->flats)
        mixed_test(leaf, b, t);
    else if (leaf->rods)
        for (int i = 0; i < WIDE; i++) t[i] = rod_test(leaf, i, b);
    else
        sphere_test(leaf, b, t);
}

static void flat_fill(const scr_ray_leaf *leaf, int i, const scr_ray *ray, double t, scr_ray_hit *hit)
{
    vec3 from = v3(leaf->center[0][i], leaf->center[1][i], leaf->center[2][i]);
    vec3 axis = v3(leaf->axis[0][i], leaf->axis[1][i], leaf->axis[2][i]);
    vec3 side = v3(leaf->side[0][i], leaf->side[1][i], leaf->side[2][i]);
    vec3 normal = v3_unit(v3_cross(axis, side)), along = v3_unit(axis);
    vec3 across = v3_cross(normal, along);
    if (v3_dot(normal, ray->direction) > 0) normal = v3_scale(-1, normal);
    vec3 point = v3_axpy(ray->origin, t, ray->direction);
    *hit = (scr_ray_hit){.distance = t,
                         .point = point,
                         .normal = normal,
                         .id = leaf->id[i],
                         .triangle = true,
                         .edge = fabs(v3_dot(v3_sub(point, from), across)),
                         .height = fabs(v3_dot(side, across))};
}

// the point and normal of a hit in double precision, from the body that was hit
static void hit_fill(const scr_ray_leaf *leaf, int i, const scr_ray *ray, double t, scr_ray_hit *hit)
{
    if (leaf->square[i] == FLAT) {
        flat_fill(leaf, i, ray, t, hit);
        return;
    }
    vec3 center = v3(leaf->center[0][i], leaf->center[1][i], leaf->center[2][i]);
    vec3 axis = v3(leaf->axis[0][i], leaf->axis[1][i], leaf->axis[2][i]);
    *hit = (scr_ray_hit){0};
    vec3 rough = v3_axpy(ray->origin, t, ray->direction);
    double length2 = v3_dot(axis, axis);
    if (length2 > 0) {
        double s = v3_dot(v3_sub(rough, center), axis) / length2;
        center = v3_axpy(center, fmin(fmax(s, 0), 1), axis);
    }
    hit->distance = t;
    hit->radius = sqrt((double)leaf->square[i]);
    hit->normal = v3_unit(v3_sub(rough, center));
    hit->point = v3_axpy(center, hit->radius, hit->normal);
    hit->id = leaf->id[i];
}

typedef struct {
    int32_t child;
    float enter;
} entry;

// pushes the children that the ray meets, the nearest one last so that it is taken first
static inline int push_sorted(entry *stack, int top, const scr_ray_node *node, int met, const float enter[WIDE])
{
    int base = top;
    for (; met; met &= met - 1) {
        int c = __builtin_ctz((unsigned)met), at = top++;
        for (; at > base && stack[at - 1].enter < enter[c]; at--) stack[at] = stack[at - 1];
        stack[at] = (entry){node->child[c], enter[c]};
    }
    return top;
}

bool scr_ray_nearest(const scr_ray_tree *tree, const scr_ray *ray, scr_ray_hit *hit)
{
    if (tree->node_count == 0) return false;
    beam b = beam_of(ray);
    entry stack[STACK_DEPTH];
    float best = b.limit, part[WIDE];
    const scr_ray_leaf *best_leaf = NULL;
    int top = 0, best_place = 0;
    stack[top++] = (entry){0, 0};
    while (top > 0) {
        entry e = stack[--top];
        if (e.enter > best) continue;
        if (e.child >= 0) {
            const scr_ray_node *node = &tree->nodes[e.child];
            int met = node_test(node, &b, best, part);
            top = push_sorted(stack, top, node, met, part);
            continue;
        }
        const scr_ray_leaf *leaf = &tree->leaves[~e.child];
        leaf_test(leaf, &b, part);
        for (int i = 0; i < WIDE; i++)
            if (part[i] > 0 && part[i] < best) best = part[i], best_leaf = leaf, best_place = i;
    }
    if (best_leaf) hit_fill(best_leaf, best_place, ray, best, hit);
    return best_leaf != NULL;
}

bool scr_ray_blocked(const scr_ray_tree *tree, const scr_ray *ray)
{
    if (tree->node_count == 0) return false;
    beam b = beam_of(ray);
    int32_t stack[STACK_DEPTH];
    float part[WIDE];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        int32_t child = stack[--top];
        if (child >= 0) {
            const scr_ray_node *node = &tree->nodes[child];
            for (int met = node_test(node, &b, b.limit, part); met; met &= met - 1)
                stack[top++] = node->child[__builtin_ctz((unsigned)met)];
            continue;
        }
        const scr_ray_leaf *leaf = &tree->leaves[~child];
        leaf_test(leaf, &b, part);
        for (int i = 0; leaf->rods && i < WIDE; i++)
            if (leaf->thin[i]) part[i] = -1;
        for (int i = 0; i < WIDE; i++)
            if (part[i] > 0 && part[i] < b.limit) return true;
    }
    return false;
}
