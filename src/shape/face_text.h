/* Nearest points in closed form. Triangle: the seven regions of its plane, by the barycentric
 * coordinates of the projected point (Ericson 2005, Real-Time Collision Detection, section 5.1.5);
 * shell: a segment in the half-plane through the axis and the point.
 *
 * The text of face.c, and of what looks for contacts on a device. */
#ifndef SCREE_SHAPE_FACE_TEXT_H
#define SCREE_SHAPE_FACE_TEXT_H

#include "shape/face.h"

static inline double over(double a, double length)
{
    return length > 0 ? a / length : 0;
}

/* ---- shell ---- */

/* The half-plane through the axis and x: x is at (along, away), the segment from (0, radius[0]). */
typedef struct {
    double along, away, ds, dr;
    vec3 out; /* unit, from the axis towards x; where x is on it every direction is as good */
} section;

static inline section section_of(const scr_face *f, vec3 x)
{
    vec3 d = v3_sub(x, f->point);
    section s = {.along = v3_dot(d, f->axis), .ds = f->length, .dr = f->radius[1] - f->radius[0]};
    vec3 radial = v3_axpy(d, -s.along, f->axis);
    s.away = v3_norm(radial);
    s.out = s.away > 0 ? v3_scale(1 / s.away, radial) : v3_perpendicular(f->axis);
    return s;
}

// where the foot of x on the segment's line lies: 0 at its beginning, 1 at its end
static inline double section_foot(const section *s, double radius)
{
    double span = s->ds * s->ds + s->dr * s->dr;
    return span > 0 ? (s->along * s->ds + (s->away - radius) * s->dr) / span : 0;
}

static inline scr_near section_near(const scr_face *f, const section *s, double t)
{
    double gap_along = s->along - t * s->ds, gap_away = s->away - (f->radius[0] + t * s->dr);
    double distance = sqrt(gap_along * gap_along + gap_away * gap_away);
    scr_near near = {.distance = distance};
    if (distance > 0)
        near.normal = v3_axpy(v3_scale(gap_along / distance, f->axis), gap_away / distance, s->out);
    else
        near.normal = v3_unit(v3_axpy(v3_scale(-s->dr, f->axis), s->ds, s->out));
    near.point = v3_axpy(v3_axpy(f->point, t * s->ds, f->axis), f->radius[0] + t * s->dr, s->out);
    return near;
}

// whether x is on the side that is solid: what has got there is pushed back the way it came
static inline bool in_solid(const scr_face *f, const section *s, double t)
{
    return f->solid && (s->away - (f->radius[0] + t * s->dr)) * f->solid > 0;
}

static inline scr_near shell_nearest(const scr_face *f, vec3 x)
{
    section s = section_of(f, x);
    double t = section_foot(&s, f->radius[0]);
    int feature = t < 0 ? SCR_RIM_FROM : t > 1 ? SCR_RIM_TO : SCR_INSIDE;
    scr_near near = section_near(f, &s, t < 0 ? 0 : t > 1 ? 1 : t);
    near.feature = feature;
    if (feature == SCR_INSIDE && in_solid(f, &s, t))
        near.distance = -near.distance, near.normal = v3_scale(-1, near.normal);
    return near;
}

static inline vec3 shell_normal(const scr_face *f, int feature, vec3 x)
{
    section s = section_of(f, x);
    double t = feature == SCR_RIM_FROM ? 0 : feature == SCR_RIM_TO ? 1 : section_foot(&s, f->radius[0]);
    vec3 normal = section_near(f, &s, t).normal;
    return feature == SCR_INSIDE && in_solid(f, &s, t) ? v3_scale(-1, normal) : normal;
}

// around the axis, and across a rim
static inline scr_bend shell_bend(const scr_face *f, const scr_near *near, vec3 x)
{
    section s = section_of(f, x);
    return (scr_bend){v3_cross(f->axis, s.out), over(v3_dot(near->normal, s.out), s.away),
                      near->feature == SCR_INSIDE ? 0 : over(1, near->distance)};
}

/* ---- sphere ---- */

static inline scr_near sphere_nearest(const scr_face *f, vec3 x)
{
    vec3 d = v3_sub(x, f->point);
    double away = v3_norm(d), gap = away - f->radius[0];
    vec3 out = away > 0 ? v3_scale(1 / away, d) : v3_perpendicular(f->axis);
    return (scr_near){.distance = fabs(gap),
                      .normal = gap < 0 ? v3_scale(-1, out) : out,
                      .point = v3_axpy(f->point, f->radius[0], out)};
}

static inline scr_bend sphere_bend(const scr_face *f, const scr_near *near, vec3 x)
{
    vec3 d = v3_sub(x, f->point);
    double away = v3_norm(d), turn = over(v3_dot(near->normal, d), away * away);
    return (scr_bend){v3_perpendicular(near->normal), turn, turn};
}

/* ---- triangle ---- */

static inline vec3 triangle_normal(const scr_face *f, vec3 x)
{
    if (f->solid) return f->axis;
    return v3_dot(v3_sub(x, f->point), f->axis) < 0 ? v3_scale(-1, f->axis) : f->axis;
}

// x seen from a point of the border; on the border itself the facet's normal
static inline vec3 direction_from(const scr_face *f, vec3 point, vec3 x)
{
    vec3 d = v3_sub(x, point);
    double distance = v3_norm(d);
    return distance > 0 ? v3_scale(1 / distance, d) : f->axis;
}

static inline scr_near border_near(const scr_face *f, int feature, vec3 point, vec3 x)
{
    return (scr_near){.distance = v3_norm(v3_sub(x, point)),
                      .normal = direction_from(f, point, x),
                      .point = point,
                      .feature = feature};
}

static inline scr_near triangle_nearest(const scr_face *f, vec3 x)
{
    vec3 a = f->point, ab = f->edge[0], ac = f->edge[1], ap = v3_sub(x, a);
    double d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return border_near(f, SCR_CORNER_A, a, x);
    vec3 b = v3_add(a, ab), bp = v3_sub(x, b);
    double d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return border_near(f, SCR_CORNER_B, b, x);
    double vc = d1 * d4 - d3 * d2;
    if (vc < 0 && d1 >= 0 && d3 <= 0) return border_near(f, SCR_EDGE_AB, v3_axpy(a, d1 / (d1 - d3), ab), x);
    vec3 c = v3_add(a, ac), cp = v3_sub(x, c);
    double d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return border_near(f, SCR_CORNER_C, c, x);
    double vb = d5 * d2 - d1 * d6;
    if (vb < 0 && d2 >= 0 && d6 <= 0) return border_near(f, SCR_EDGE_CA, v3_axpy(a, d2 / (d2 - d6), ac), x);
    double va = d3 * d6 - d5 * d4, along = d4 - d3, back = d5 - d6;
    if (va < 0 && along >= 0 && back >= 0)
        return border_near(f, SCR_EDGE_BC, v3_axpy(b, along / (along + back), v3_sub(c, b)), x);
    double height = v3_dot(ap, f->axis);
    return (scr_near){.distance = f->solid ? height : fabs(height),
                      .normal = triangle_normal(f, x),
                      .point = v3_axpy(x, -height, f->axis),
                      .feature = SCR_INSIDE};
}

// from the endless line through the edge
static inline vec3 edge_normal(const scr_face *f, vec3 from, vec3 edge, vec3 x)
{
    double t = v3_dot(v3_sub(x, from), edge) / v3_dot(edge, edge);
    return direction_from(f, v3_axpy(from, t, edge), x);
}

static inline vec3 triangle_feature_normal(const scr_face *f, int feature, vec3 x)
{
    vec3 a = f->point, b = v3_add(a, f->edge[0]), c = v3_add(a, f->edge[1]);
    switch (feature) {
    case SCR_EDGE_AB: return edge_normal(f, a, f->edge[0], x);
    case SCR_EDGE_BC: return edge_normal(f, b, v3_sub(c, b), x);
    case SCR_EDGE_CA: return edge_normal(f, a, f->edge[1], x);
    case SCR_CORNER_A: return direction_from(f, a, x);
    case SCR_CORNER_B: return direction_from(f, b, x);
    case SCR_CORNER_C: return direction_from(f, c, x);
    default: return triangle_normal(f, x);
    }
}

// none inside, around an edge, around a corner
static inline scr_bend triangle_bend(const scr_face *f, const scr_near *near)
{
    double turn = over(1, near->distance);
    switch (near->feature) {
    case SCR_INSIDE: return (scr_bend){v3_perpendicular(f->axis), 0, 0};
    case SCR_EDGE_AB: return (scr_bend){v3_unit(f->edge[0]), 0, turn};
    case SCR_EDGE_BC: return (scr_bend){v3_unit(v3_sub(f->edge[1], f->edge[0])), 0, turn};
    case SCR_EDGE_CA: return (scr_bend){v3_unit(f->edge[1]), 0, turn};
    default: return (scr_bend){v3_perpendicular(near->normal), turn, turn};
    }
}

/* ---- any face ---- */

static inline scr_near face_nearest(const scr_face *f, vec3 x)
{
    switch (f->kind) {
    case SCR_FACE_SHELL: return shell_nearest(f, x);
    case SCR_FACE_SPHERE: return sphere_nearest(f, x);
    case SCR_FACE_TRIANGLE: return triangle_nearest(f, x);
    default: break;
    }
    double along = v3_dot(v3_sub(x, f->point), f->axis);
    return (scr_near){along, f->axis, v3_axpy(x, -along, f->axis), SCR_INSIDE};
}

static inline vec3 face_normal(const scr_face *f, int feature, vec3 x)
{
    switch (f->kind) {
    case SCR_FACE_SHELL: return shell_normal(f, feature, x);
    case SCR_FACE_SPHERE: return sphere_nearest(f, x).normal;
    case SCR_FACE_TRIANGLE: return triangle_feature_normal(f, feature, x);
    default: return f->axis;
    }
}

static inline scr_bend face_bend(const scr_face *f, const scr_near *near, vec3 x)
{
    switch (f->kind) {
    case SCR_FACE_SHELL: return shell_bend(f, near, x);
    case SCR_FACE_SPHERE: return sphere_bend(f, near, x);
    case SCR_FACE_TRIANGLE: return triangle_bend(f, near);
    default: return (scr_bend){v3_perpendicular(near->normal), 0, 0};
    }
}

#endif
