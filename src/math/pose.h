/* Poses: a turn followed by a shift, x -> R x + s. A pose of zeros is the identity: `turned` says
 * whether R is there at all, so that what never turns costs nothing and is exact. */
#ifndef SCREE_MATH_POSE_H
#define SCREE_MATH_POSE_H

#include <stdbool.h>

#include "math/elementary.h"
#include "math/vec3.h"

typedef struct pose {
    vec3 shift;
    vec3 row[3]; /* of R */
    bool turned;
} pose;

static inline vec3 pose_vector(const pose *p, vec3 a)
{
    if (!p->turned) return a;
    return v3(v3_dot(p->row[0], a), v3_dot(p->row[1], a), v3_dot(p->row[2], a));
}
static inline vec3 pose_vector_back(const pose *p, vec3 a)
{
    if (!p->turned) return a;
    vec3 b = v3_scale(a.x, p->row[0]);
    return v3_axpy(v3_axpy(b, a.y, p->row[1]), a.z, p->row[2]);
}
static inline vec3 pose_point(const pose *p, vec3 x)
{
    return v3_add(pose_vector(p, x), p->shift);
}
static inline vec3 pose_point_back(const pose *p, vec3 x)
{
    return pose_vector_back(p, v3_sub(x, p->shift));
}

/* A turn by `angle` about the unit vector `axis` through the origin (Rodrigues). */
static inline pose pose_turn(vec3 axis, double angle)
{
    if (angle == 0) return (pose){0};
    double c = scr_cos(angle), s = scr_sin(angle), k = 1 - c;
    vec3 a = axis;
    return (pose){.row = {{c + k * a.x * a.x, k * a.x * a.y - s * a.z, k * a.x * a.z + s * a.y},
                          {k * a.x * a.y + s * a.z, c + k * a.y * a.y, k * a.y * a.z - s * a.x},
                          {k * a.x * a.z - s * a.y, k * a.y * a.z + s * a.x, c + k * a.z * a.z}},
                  .turned = true};
}

/* First b, then a. */
static inline pose pose_after(const pose *a, const pose *b)
{
    pose p = {.shift = pose_point(a, b->shift), .turned = a->turned || b->turned};
    if (!b->turned) {
        for (int k = 0; k < 3; k++) p.row[k] = a->row[k];
        return p;
    }
    for (int k = 0; k < 3; k++) p.row[k] = a->turned ? pose_vector_back(b, a->row[k]) : b->row[k];
    return p;
}

static inline pose pose_inverse(const pose *p)
{
    pose q = {.shift = v3_scale(-1, pose_vector_back(p, p->shift)), .turned = p->turned};
    q.row[0] = v3(p->row[0].x, p->row[1].x, p->row[2].x);
    q.row[1] = v3(p->row[0].y, p->row[1].y, p->row[2].y);
    q.row[2] = v3(p->row[0].z, p->row[1].z, p->row[2].z);
    return q;
}

#endif
