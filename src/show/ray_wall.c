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

static int sphere_hits(const scr_picture_wall *w, const scr_ray *ray, scr_wall_hit hit[2])
{
    vec3 o = v3_sub(ray->origin, w->a);
    double b = v3_dot(o, ray->direction), c = v3_dot(o, o) - w->radius[0] * w->radius[0];
    double a = v3_dot(ray->direction, ray->direction), d = b * b - a * c;
    if (d < 0) return 0;
    int count = 0;
    for (int k = -1; k <= 1; k += 2) {
        double t = (-b + k * sqrt(d)) / a;
        vec3 out = v3_unit(v3_axpy(o, t, ray->direction));
        count += hit_add(ray, t, out, &hit[count]);
    }
    return count;
}

// the nearest two facets along a ray, which is in the mesh's own coordinates
typedef struct {
    const scr_face *faces;
    vec3 origin, direction;
    double distance[2];
    uint32_t face[2];
    int count;
} mesh_search;

// Moeller and Trumbore 1997
static void try_facet(mesh_search *s, uint32_t face)
{
    const scr_face *f = &s->faces[face];
    vec3 p = v3_cross(s->direction, f->edge[1]);
    double det = v3_dot(f->edge[0], p);
    if (det == 0) return;
    vec3 o = v3_sub(s->origin, f->point), q = v3_cross(o, f->edge[0]);
    double u = v3_dot(o, p) / det, v = v3_dot(s->direction, q) / det;
    double t = v3_dot(f->edge[1], q) / det;
    if (u < 0 || v < 0 || u + v > 1 || !(t > 0)) return;
    int at = s->count < 2 ? s->count++ : s->distance[1] > t ? 1 : 2;
    if (at == 2) return;
    if (at == 1 && s->distance[0] > t) {
        s->distance[1] = s->distance[0], s->face[1] = s->face[0];
        at = 0;
    }
    s->distance[at] = t, s->face[at] = face;
}

// whether the ray meets the box at all
static bool meets(const mesh_search *s, const scr_face_node *n)
{
    const double o[3] = {s->origin.x, s->origin.y, s->origin.z};
    const double d[3] = {s->direction.x, s->direction.y, s->direction.z};
    const double low[3] = {n->lower.x, n->lower.y, n->lower.z};
    const double high[3] = {n->upper.x, n->upper.y, n->upper.z};
    double enter = 0, leave = s->count == 2 ? s->distance[1] : INFINITY;
    for (int k = 0; k < 3; k++) {
        if (d[k] == 0) {
            if (o[k] < low[k] || o[k] > high[k]) return false;
            continue;
        }
        double a = (low[k] - o[k]) / d[k], b = (high[k] - o[k]) / d[k];
        enter = fmax(enter, fmin(a, b)), leave = fmin(leave, fmax(a, b));
    }
    return enter <= leave;
}

static int mesh_hits(const scr_picture_wall *w, const scr_ray *ray, scr_wall_hit hit[2])
{
    mesh_search s = {.faces = w->faces, .direction = ray->direction};
    s.origin = v3_add(v3_scale(1 / w->scale, ray->origin), w->center);
    uint32_t waiting[64];
    int n = 0, count = 0;
    waiting[n++] = 0;
    while (n) {
        uint32_t at = waiting[--n];
        const scr_face_node *node = &w->tree->nodes[at];
        if (!meets(&s, node)) continue;
        for (uint32_t k = 0; k < node->count; k++) try_facet(&s, w->tree->order[node->next + k]);
        if (!node->count) waiting[n++] = node->next, waiting[n++] = at + 1;
    }
    for (int k = 0; k < s.count; k++)
        count += hit_add(ray, s.distance[k] * w->scale, w->faces[s.face[k]].axis, &hit[count]);
    return count;
}

int scr_wall_hits(const scr_picture_wall *wall, const scr_ray *ray, scr_wall_hit hit[2])
{
    switch (wall->kind) {
    case SCR_PICTURE_PLANE: return plane_hits(wall->a, wall->normal, ray, hit);
    case SCR_PICTURE_BOX: return box_hits(wall, ray, hit);
    case SCR_PICTURE_FRUSTUM: return frustum_hits(wall, ray, hit);
    case SCR_PICTURE_RING: return ring_hits(wall, ray, hit);
    case SCR_PICTURE_SPHERE: return sphere_hits(wall, ray, hit);
    case SCR_PICTURE_MESH: return mesh_hits(wall, ray, hit);
    }
    return 0;
}
