/* Vectors of three doubles, by value. */
#ifndef SCREE_MATH_VEC3_H
#define SCREE_MATH_VEC3_H

#include <math.h>

typedef struct {
    double x, y, z;
} vec3;

static inline vec3 v3(double x, double y, double z)
{
    return (vec3){x, y, z};
}
static inline vec3 v3_add(vec3 a, vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vec3 v3_sub(vec3 a, vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline vec3 v3_scale(double s, vec3 a)
{
    return v3(s * a.x, s * a.y, s * a.z);
}
/* a + s b */
static inline vec3 v3_axpy(vec3 a, double s, vec3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double v3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3 v3_cross(vec3 a, vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double v3_norm(vec3 a)
{
    return sqrt(v3_dot(a, a));
}
/* The unit vector along a; a itself when it is zero. */
static inline vec3 v3_unit(vec3 a)
{
    double n = v3_norm(a);
    return n > 0 ? v3_scale(1 / n, a) : a;
}
/* A unit vector at right angles to the unit vector a. */
static inline vec3 v3_perpendicular(vec3 a)
{
    vec3 e = fabs(a.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    return v3_unit(v3_cross(a, e));
}
static inline vec3 v3_load(const double *p)
{
    return v3(p[0], p[1], p[2]);
}
static inline void v3_store(double *p, vec3 a)
{
    p[0] = a.x, p[1] = a.y, p[2] = a.z;
}

#endif
