/* Symmetric 3 x 3 tensors: inertia. */
#ifndef SCREE_MATH_SYM3_H
#define SCREE_MATH_SYM3_H

#include "math/vec3.h"

typedef struct {
    double xx, yy, zz, xy, xz, yz;
} sym3;

static inline vec3 sym3_times(sym3 s, vec3 a)
{
    return v3(s.xx * a.x + s.xy * a.y + s.xz * a.z, s.xy * a.x + s.yy * a.y + s.yz * a.z,
              s.xz * a.x + s.yz * a.y + s.zz * a.z);
}
static inline sym3 sym3_add(sym3 a, sym3 b)
{
    return (sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
/* Inertia of a mass m at d: m (d.d - d d). */
static inline sym3 sym3_point(double m, vec3 d)
{
    return (sym3){m * (d.y * d.y + d.z * d.z),
                  m * (d.x * d.x + d.z * d.z),
                  m * (d.x * d.x + d.y * d.y),
                  -m * d.x * d.y,
                  -m * d.x * d.z,
                  -m * d.y * d.z};
}
/* Sum of s_k e_k e_k. */
static inline sym3 sym3_of_axes(const vec3 e[3], vec3 s)
{
    const double m[3] = {s.x, s.y, s.z};
    sym3 t = {0};
    for (int k = 0; k < 3; k++)
        t = sym3_add(t, (sym3){m[k] * e[k].x * e[k].x, m[k] * e[k].y * e[k].y, m[k] * e[k].z * e[k].z,
                               m[k] * e[k].x * e[k].y, m[k] * e[k].x * e[k].z, m[k] * e[k].y * e[k].z});
    return t;
}

static inline sym3 sym3_inverse(sym3 s)
{
    double xx = s.yy * s.zz - s.yz * s.yz, xy = s.xz * s.yz - s.xy * s.zz, xz = s.xy * s.yz - s.xz * s.yy;
    double over = 1 / (s.xx * xx + s.xy * xy + s.xz * xz);
    return (sym3){over * xx, over * (s.xx * s.zz - s.xz * s.xz), over * (s.xx * s.yy - s.xy * s.xy), over * xy,
                  over * xz, over * (s.xy * s.xz - s.xx * s.yz)};
}

/* Principal values in *moments and unit axes, right-handed, by Jacobi's rotations. A tensor that is
 * diagonal keeps its axes; order is not changed. */
static inline void sym3_principal(sym3 s, vec3 *moments, vec3 axes[3])
{
    double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 30; sweep++) {
        double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
        if (off <= 1e-17 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]))) break;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0) continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), d = t * c;
                for (int k = 0; k < 3; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - d * y, a[k][q] = d * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - d * y, a[q][k] = d * x + c * y;
                    x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - d * y, v[k][q] = d * x + c * y;
                }
                a[p][q] = a[q][p] = 0;
            }
    }
    *moments = v3(a[0][0], a[1][1], a[2][2]);
    for (int k = 0; k < 2; k++) axes[k] = v3_unit(v3(v[0][k], v[1][k], v[2][k]));
    axes[1] = v3_unit(v3_axpy(axes[1], -v3_dot(axes[0], axes[1]), axes[0]));
    axes[2] = v3_cross(axes[0], axes[1]);
}

#endif
