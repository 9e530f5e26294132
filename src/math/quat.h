/* Quaternions of length one: turns, as state that does not lose its right angles. q turns a vector a
 * into q a q*; the product q p is first p, then q. */
#ifndef SCREE_MATH_QUAT_H
#define SCREE_MATH_QUAT_H

#include "math/elementary.h"
#include "math/pose.h"
#include "math/sym3.h"

typedef struct {
    double w, x, y, z;
} quat;

static inline quat quat_one(void)
{
    return (quat){1, 0, 0, 0};
}
static inline quat quat_mul(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline quat quat_conjugate(quat q)
{
    return (quat){q.w, -q.x, -q.y, -q.z};
}
static inline quat quat_unit(quat q)
{
    double s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (quat){s * q.w, s * q.x, s * q.y, s * q.z};
}
static inline vec3 quat_turn(quat q, vec3 a)
{
    vec3 u = v3(q.x, q.y, q.z), t = v3_scale(2, v3_cross(u, a));
    return v3_add(v3_axpy(a, q.w, t), v3_cross(u, t));
}
static inline vec3 quat_turn_back(quat q, vec3 a)
{
    return quat_turn(quat_conjugate(q), a);
}
/* A turn about the direction of `angle` by its length [rad]. */
static inline quat quat_exp(vec3 angle)
{
    double half = 0.5 * v3_norm(angle);
    double s = half > 1e-8 ? 0.5 * scr_sin(half) / half : 0.5;
    return (quat){scr_cos(half), s * angle.x, s * angle.y, s * angle.z};
}
/* A tensor with its turned axes. */
static inline sym3 quat_turn_sym3(quat q, sym3 s)
{
    vec3 x = quat_turn(q, sym3_times(s, quat_turn_back(q, v3(1, 0, 0))));
    vec3 y = quat_turn(q, sym3_times(s, quat_turn_back(q, v3(0, 1, 0))));
    vec3 z = quat_turn(q, sym3_times(s, quat_turn_back(q, v3(0, 0, 1))));
    return (sym3){x.x, y.y, z.z, x.y, x.z, y.z};
}
static inline quat quat_load(const double *p)
{
    return (quat){p[0], p[1], p[2], p[3]};
}
static inline void quat_store(double *p, quat q)
{
    p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z;
}

/* x -> q x q* + shift; exactly a shift where q does not turn. */
static inline pose quat_pose(quat q, vec3 shift)
{
    pose p = {.shift = shift};
    p.turned = q.x != 0 || q.y != 0 || q.z != 0;
    if (!p.turned) return p;
    p.row[0] = v3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y));
    p.row[1] = v3(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x));
    p.row[2] = v3(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y));
    return p;
}

/* The turn that brings x, y, z to three unit vectors at right angles, right-handed (Shepperd 1978). */
static inline quat quat_of_axes(const vec3 e[3])
{
    double xx = e[0].x, yy = e[1].y, zz = e[2].z, trace = xx + yy + zz;
    quat q;
    if (trace >= xx && trace >= yy && trace >= zz)
        q = (quat){1 + trace, e[1].z - e[2].y, e[2].x - e[0].z, e[0].y - e[1].x};
    else if (xx >= yy && xx >= zz)
        q = (quat){e[1].z - e[2].y, 1 + xx - yy - zz, e[0].y + e[1].x, e[2].x + e[0].z};
    else if (yy >= zz)
        q = (quat){e[2].x - e[0].z, e[0].y + e[1].x, 1 + yy - xx - zz, e[1].z + e[2].y};
    else
        q = (quat){e[0].y - e[1].x, e[2].x + e[0].z, e[1].z + e[2].y, 1 + zz - xx - yy};
    return quat_unit(q);
}

#endif
