#include "shape/face_text.h"

scr_near scr_face_nearest(const scr_face *face, vec3 x)
{
    return face_nearest(face, x);
}

vec3 scr_face_normal(const scr_face *face, int feature, vec3 x)
{
    return face_normal(face, feature, x);
}

scr_bend scr_face_bend(const scr_face *face, const scr_near *near, vec3 x)
{
    return face_bend(face, near, x);
}

// half the extent of a circle of this radius around `axis`, along each coordinate axis
static vec3 circle_reach(vec3 axis, double radius)
{
    vec3 reach = {1 - axis.x * axis.x, 1 - axis.y * axis.y, 1 - axis.z * axis.z};
    return v3(radius * sqrt(fmax(reach.x, 0)), radius * sqrt(fmax(reach.y, 0)), radius * sqrt(fmax(reach.z, 0)));
}

static void box_add(vec3 *lower, vec3 *upper, vec3 p, vec3 reach)
{
    *lower = v3(fmin(lower->x, p.x - reach.x), fmin(lower->y, p.y - reach.y), fmin(lower->z, p.z - reach.z));
    *upper = v3(fmax(upper->x, p.x + reach.x), fmax(upper->y, p.y + reach.y), fmax(upper->z, p.z + reach.z));
}

void scr_face_box(const scr_face *f, vec3 *lower, vec3 *upper)
{
    const vec3 none = {0, 0, 0}, endless = {INFINITY, INFINITY, INFINITY};
    *lower = endless, *upper = v3_scale(-1, endless);
    switch (f->kind) {
    case SCR_FACE_SHELL:
        box_add(lower, upper, f->point, circle_reach(f->axis, f->radius[0]));
        box_add(lower, upper, v3_axpy(f->point, f->length, f->axis), circle_reach(f->axis, f->radius[1]));
        break;
    case SCR_FACE_SPHERE: box_add(lower, upper, f->point, v3(f->radius[0], f->radius[0], f->radius[0])); break;
    case SCR_FACE_TRIANGLE:
        box_add(lower, upper, f->point, none);
        box_add(lower, upper, v3_add(f->point, f->edge[0]), none);
        box_add(lower, upper, v3_add(f->point, f->edge[1]), none);
        break;
    default: *lower = v3_scale(-1, endless), *upper = endless; break;
    }
}

scr_face scr_face_moved(const scr_face *face, const pose *p)
{
    scr_face f = *face;
    f.point = pose_point(p, f.point);
    f.axis = pose_vector(p, f.axis);
    for (int k = 0; k < 2; k++) f.edge[k] = pose_vector(p, f.edge[k]);
    return f;
}
