/* Rays against walls.
 *
 * Frustum: with the axis u from a, s = (p - a).u, and radius rho(s) = r0 + m s, a point p lies on
 * the mantle when |p - a - s u|^2 = rho(s)^2 with s in [0, L] and rho >= 0: a quadratic along the
 * ray. */
#include "show/ray_wall.h"

#include <math.h>

static int hit_add(const scr_ray *ray, double t, vec3 normal, scr_wall_hit *hit)
{
    if (!(t > 0 && t < ray->limit)) return 0;
    *hit = (scr_wall_hit){t, v3_axpy(ray->origin, t, ray->direction), normal};
    return 1;
}

static int plane_hits(vec3 point, vec3 normal, const scr_ray *ray, scr_wall_hit *hit)
{
    double slope = v3_dot(normal, ray->direction);
    if (fabs(slope) < 1e-9) return 0;
    return hit_add(ray, v3_dot(normal, v3_sub(point, ray->origin)) / slope, normal, hit);
}

static int ring_hits(const scr_picture_wall *w, const scr_ray *ray, scr_wall_hit *hit)
{
    if (!plane_hits(w->a, w->normal, ray, hit)) return 0;
    double r = v3_norm(v3_sub(hit->point, w->a));
    return r >= w->radius[0] && r <= w->radius[1];
}

static int box_hits(const scr_picture_wall *w, const scr_ray *ray, scr_wall_hit hit[2])
{
    double low[3] = {w->a.x, w->a.y, w->a.z}, high[3] = {w->b.x, w->b.y, w->b.z};
    double o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    double d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    double enter = -INFINITY, leave = INFINITY;
    double in[3] = {0}, out[3] = {0};
    for (int k = 0; k < 3; k++) {
        if (fabs(d[k]) < 1e-12) {
            if (o[k] < low[k] || o[k] > high[k]) return 0;
            continue;
        }
        double t0 = ((d[k] > 0 ? low[k] : high[k]) - o[k]) / d[k];
        double t1 = ((d[k] > 0 ? high[k] : low[k]) - o[k]) / d[k];
        double inward = d[k] > 0 ? 1 : -1;
        if (t0 > enter) enter = t0, in[0] = in[1] = in[2] = 0, in[k] = inward;
        if (t1 < leave) leave = t1, out[0] = out[1] = out[2] = 0, out[k] = -inward;
    }
    if (!(enter < leave)) return 0;
    int count = hit_add(ray, enter, v3_load(in), &hit[0]);
    return count + hit_add(ray, leave, v3_load(out), &hit[count]);
}

static int frustum_hits(const scr_picture_wall *w, const scr_ray *ray, scr_wall_hit hit[2])
{
    vec3 along = v3_sub(w->b, w->a), u = v3_unit(along), o = v3_sub(ray->origin, w->a);
    double length = v3_norm(along), m = (w->radius[1] - w->radius[0]) / length;
    double os = v3_dot(o, u), ds = v3_dot(ray->direction, u);
    vec3 op = v3_axpy(o, -os, u), dp = v3_axpy(ray->direction, -ds, u);
    double rho = w->radius[0] + m * os;
    // A t^2 + 2 B t + C = 0
    double A = v3_dot(dp, dp) - m * m * ds * ds;
    double B = v3_dot(op, dp) - m * ds * rho;
    double C = v3_dot(op, op) - rho * rho;
    double D = B * B - A * C;
    if (D < 0 || fabs(A) < 1e-14) return 0;
    // the root with the larger sum first, the other from the product of roots
    double q = -(B + copysign(sqrt(D), B));
    double root[2] = {q / A, q != 0 ? C / q : 0};
    int count = 0;
    for (int k = 0; k < 2; k++) {
        double s = os + root[k] * ds;
        if (!(s >= 0 && s <= length)) continue;
        vec3 radial = v3_unit(v3_axpy(op, root[k], dp));
        count += hit_add(ray, root[k], v3_unit(v3_axpy(radial, -m, u)), &hit[count]);
    }
    return count;
}

int scr_wall_hits(const scr_picture_wall *wall, const scr_ray *ray, scr_wall_hit hit[2])
{
    switch (wall->kind) {
    case SCR_PICTURE_PLANE: return plane_hits(wall->a, wall->normal, ray, hit);
    case SCR_PICTURE_BOX: return box_hits(wall, ray, hit);
    case SCR_PICTURE_FRUSTUM: return frustum_hits(wall, ray, hit);
    case SCR_PICTURE_RING: return ring_hits(wall, ray, hit);
    }
    return 0;
}
