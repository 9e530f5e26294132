/* The camera, and the lines that depend on its scale.
 *
 * Fit: in camera axes a body at (x, y, z), z towards the eye, of radius r, seen from distance D
 * behind the point (X, Y) lies within the view of half width k (tangent) when x - X + k z + r
 * sqrt(1 + k^2) <= k D   and   X - x + k z + r sqrt(1 + k^2) <= k D. With P, M the largest left
 * sides without X, the least distance is D = (P + M) / 2k at X = (P - M) / 2; the same for y, and
 * the larger D counts. */
#include <math.h>

#include "show/picture_hull.h"
#include "show/picture_stage.h"

#define PI       3.14159265358979323846
#define AROUND   96 /* segments of a rim */
#define EDGE_CUT 6  /* pieces of an edge: short pieces have tight boxes */

/* ---- fitting ---- */

typedef struct {
    const scr_camera *camera;
    double k[2]; /* half width and half height of the frame at distance 1 */
    double plus[2], minus[2];
    bool any;
} fit;

static void fit_add(fit *f, vec3 p, double r)
{
    double z = -v3_dot(p, f->camera->forward);
    double at[2] = {v3_dot(p, f->camera->right), v3_dot(p, f->camera->up)};
    for (int i = 0; i < 2; i++) {
        double reach = f->k[i] * z + r * sqrt(1 + f->k[i] * f->k[i]);
        f->plus[i] = fmax(f->plus[i], at[i] + reach);
        f->minus[i] = fmax(f->minus[i], reach - at[i]);
    }
    f->any = true;
}

static vec3 on_circle(vec3 center, vec3 axis, double radius, int k)
{
    vec3 e = v3_perpendicular(axis), g = v3_cross(axis, e);
    double angle = 2 * PI * k / AROUND;
    vec3 p = v3_axpy(center, radius * cos(angle), e);
    return v3_axpy(p, radius * sin(angle), g);
}

static void fit_add_circle(fit *f, vec3 center, vec3 axis, double radius)
{
    for (int k = 0; k < AROUND; k += 3) fit_add(f, on_circle(center, axis, radius, k), 0);
}

static vec3 corner(const vec3 box[2], int k)
{
    return v3(box[k & 1].x, box[k >> 1 & 1].y, box[k >> 2 & 1].z);
}

static void fit_add_box(fit *f, vec3 low, vec3 high)
{
    vec3 box[2] = {low, high};
    for (int k = 0; k < 8; k++) fit_add(f, corner(box, k), 0);
}

// where a side plane leaves the box: on each face of it, the piece of the plane's line in that face
static int outline_find(const scr_picture_wall *w, const vec3 box[2], vec3 from[6], vec3 to[6])
{
    int pieces = 0;
    for (int face = 0; face < 6; face++) {
        vec3 found[4];
        int count = 0;
        for (int k = 0; k < 8; k++)
            for (int axis = 0; axis < 3; axis++) {
                // edges of the box that lie in this face
                if ((k >> axis & 1) || axis == face / 2 || (k >> (face / 2) & 1) != (face & 1)) continue;
                vec3 p = corner(box, k), q = corner(box, k | 1 << axis);
                double dp = v3_dot(w->normal, v3_sub(p, w->a));
                double dq = v3_dot(w->normal, v3_sub(q, w->a));
                if ((dp > 0) != (dq > 0)) found[count++] = v3_axpy(p, dp / (dp - dq), v3_sub(q, p));
            }
        if (count == 2) from[pieces] = found[0], to[pieces++] = found[1];
    }
    return pieces;
}

static void fit_add_outline(fit *f, const scr_stage *stage, const scr_picture_wall *w)
{
    vec3 from[6], to[6];
    int count = outline_find(w, stage->view, from, to);
    for (int k = 0; k < count; k++) fit_add(f, from[k], 0), fit_add(f, to[k], 0);
}

static void fit_add_wall(fit *f, const scr_stage *stage, const scr_picture_wall *w)
{
    if (w->kind == SCR_PICTURE_PLANE && stage->has_box && !scr_wall_is_floor(stage, w)) fit_add_outline(f, stage, w);
    if (w->kind == SCR_PICTURE_BOX || w->kind == SCR_PICTURE_MESH) fit_add_box(f, w->a, w->b);
    if (w->kind == SCR_PICTURE_SPHERE) fit_add(f, w->a, w->radius[0]);
    if (w->kind == SCR_PICTURE_RING) fit_add_circle(f, w->a, w->normal, w->radius[1]);
    if (w->kind == SCR_PICTURE_FRUSTUM) {
        vec3 axis = v3_unit(v3_sub(w->b, w->a));
        fit_add_circle(f, w->a, axis, w->radius[0]);
        fit_add_circle(f, w->b, axis, w->radius[1]);
    }
}

static void fit_add_hull(fit *f, const scr_stage *stage, const scr_picture_hull *hull)
{
    for (int k = 0; k < SCR_HULL_WAYS; k++)
        fit_add(f, scr_stage_point(stage, hull->point[k]), stage->scale * hull->radius[k]);
}

static void fit_add_bodies(fit *f, const scr_stage *stage)
{
    for (size_t i = 0; i < stage->body_count; i++) {
        const scr_ray_body *b = &stage->bodies[i];
        // every corner of a polygon is the first of some triangle
        const float *ends[2] = {b->from, b->to};
        for (int k = 0; k < (b->triangle ? 1 : 2); k++) {
            vec3 p = v3(ends[k][0], ends[k][1], ends[k][2]);
            // strays do not shrink the view
            if (stage->has_box) {
                p = v3(fmin(fmax(p.x, stage->box[0].x), stage->box[1].x),
                       fmin(fmax(p.y, stage->box[0].y), stage->box[1].y),
                       fmin(fmax(p.z, stage->box[0].z), stage->box[1].z));
            }
            fit_add(f, p, b->radius);
        }
    }
}

// axes of the view along `forward`; a view along `up` has `aside` to the right
static void axes_set(scr_camera *c, vec3 forward, vec3 up, vec3 aside)
{
    c->forward = forward;
    c->right = v3_cross(forward, up);
    if (v3_norm(c->right) < 1e-6) c->right = aside;
    c->right = v3_unit(c->right);
    c->up = v3_cross(c->right, forward);
}

void scr_camera_turn(const scr_stage *stage, double azimuth, double elevation, scr_camera *c)
{
    // azimuth is counted from x for the usual upward z, else from a direction at right angles to up
    vec3 e = v3_axpy(v3(1, 0, 0), -stage->up.x, stage->up);
    e = v3_norm(e) > 0.1 ? v3_unit(e) : v3_perpendicular(stage->up);
    vec3 g = v3_cross(stage->up, e);
    double az = azimuth * PI / 180, el = elevation * PI / 180;
    vec3 level = v3_axpy(v3_scale(cos(az), e), sin(az), g);
    vec3 back = v3_axpy(v3_scale(cos(el), level), sin(el), stage->up);
    axes_set(c, v3_scale(-1, v3_unit(back)), stage->up, v3_cross(stage->up, level));
}

// everything that must be seen, from this camera's direction
static fit fit_all(const scr_stage *stage, const scr_camera *c, double pixel)
{
    const scr_frame *frame = &stage->frame;
    const scr_picture_hull *hull = stage->content->hull;
    fit f = {.camera = c, .plus = {-INFINITY, -INFINITY}, .minus = {-INFINITY, -INFINITY}};
    f.k[0] = 0.5 * (frame->right - frame->left) * pixel;
    f.k[1] = 0.5 * (frame->bottom - frame->top) * pixel;
    bool whole = hull && hull->any;
    if (whole)
        fit_add_hull(&f, stage, hull);
    else
        fit_add_bodies(&f, stage);
    for (int k = 0; k < stage->wall_count; k++)
        if (!whole || stage->walls[k].kind == SCR_PICTURE_PLANE) fit_add_wall(&f, stage, &stage->walls[k]);
    if (stage->has_box && (!f.any || stage->def->domain)) fit_add_box(&f, stage->box[0], stage->box[1]);
    if (!f.any) fit_add(&f, v3(0, 0, 0), 1);
    return f;
}

// from how far all is seen from every direction that the camera will take, with the scene's middle
// in the middle
static double farthest(const scr_stage *stage, double pixel)
{
    double distance = 1e-6;
    for (int k = 0; k < stage->def->turn_count; k++) {
        scr_camera c;
        scr_camera_turn(stage, stage->def->turns[k][0], stage->def->turns[k][1], &c);
        fit f = fit_all(stage, &c, pixel);
        for (int i = 0; i < 2; i++) distance = fmax(distance, fmax(f.plus[i], f.minus[i]) / f.k[i]);
    }
    return distance;
}

static void aim_auto(scr_stage *stage)
{
    const scr_picture_def *def = stage->def;
    scr_camera *c = &stage->camera;
    const scr_frame *frame = &stage->frame;
    double pixel = 2 * tan(def->fov * PI / 360) / def->height;
    scr_camera_turn(stage, def->azimuth, def->elevation, c);
    vec3 at = v3(0, 0, 0);
    double distance = 1e-6;
    if (def->turns) {
        distance = farthest(stage, pixel);
    } else {
        fit f = fit_all(stage, c, pixel);
        for (int i = 0; i < 2; i++) distance = fmax(distance, (f.plus[i] + f.minus[i]) / (2 * f.k[i]));
        at = v3_scale(0.5 * (f.plus[0] - f.minus[0]), c->right);
        at = v3_axpy(at, 0.5 * (f.plus[1] - f.minus[1]), c->up);
    }
    if (!isnan(def->focus.x)) at = scr_stage_point(stage, def->focus);
    c->eye = v3_axpy(at, -distance, c->forward);
    c->pixel = pixel / def->zoom;
    c->cx = 0.5 * (frame->left + frame->right), c->cy = 0.5 * (frame->top + frame->bottom);
}

void scr_stage_aim(scr_stage *stage)
{
    const scr_picture_def *def = stage->def;
    if (def->auto_camera) {
        aim_auto(stage);
        return;
    }
    scr_camera *c = &stage->camera;
    c->eye = scr_stage_point(stage, def->eye);
    vec3 forward = v3_unit(v3_sub(def->target, def->eye));
    axes_set(c, forward, stage->up, v3_perpendicular(forward));
    c->pixel = 2 * tan(def->fov * PI / 360) / def->height / def->zoom;
    c->cx = 0.5 * def->width, c->cy = 0.5 * def->height;
}

/* ---- rims and edges ---- */

typedef struct {
    scr_ray_body *out;
    size_t count, room;
    double radius;
} rod_list;

static void rod_add(rod_list *list, vec3 a, vec3 b)
{
    if (list->count < list->room)
        list->out[list->count] = (scr_ray_body){
            .from = {(float)a.x, (float)a.y, (float)a.z},
            .to = {(float)b.x, (float)b.y, (float)b.z},
            .radius = (float)list->radius,
            .thin = true,
            .id = SCR_RIM,
        };
    list->count++;
}

static void edge_add(rod_list *list, vec3 a, vec3 b)
{
    vec3 step = v3_scale(1.0 / EDGE_CUT, v3_sub(b, a));
    for (int k = 0; k < EDGE_CUT; k++) rod_add(list, v3_axpy(a, k, step), v3_axpy(a, k + 1, step));
}

static void circle_add(rod_list *list, vec3 center, vec3 axis, double radius)
{
    if (radius <= 0) return;
    for (int k = 0; k < AROUND; k++)
        rod_add(list, on_circle(center, axis, radius, k), on_circle(center, axis, radius, k + 1));
}

static void box_add(rod_list *list, vec3 low, vec3 high)
{
    vec3 box[2] = {low, high};
    for (int k = 0; k < 8; k++)
        for (int axis = 0; axis < 3; axis++)
            if (!(k >> axis & 1)) edge_add(list, corner(box, k), corner(box, k | 1 << axis));
}

static void outline_add(rod_list *list, const scr_stage *stage, const scr_picture_wall *w)
{
    vec3 from[6], to[6];
    int count = outline_find(w, stage->view, from, to);
    for (int k = 0; k < count; k++) edge_add(list, from[k], to[k]);
}

static void mesh_add(rod_list *list, const scr_stage *stage, const scr_picture_wall *w)
{
    for (size_t k = 0; k < w->edge_count; k++)
        rod_add(list, scr_stage_point(stage, v3_load(w->edges + 6 * k)),
                scr_stage_point(stage, v3_load(w->edges + 6 * k + 3)));
}

static void wall_add(rod_list *list, const scr_stage *stage, const scr_picture_wall *w)
{
    vec3 axis = v3_unit(v3_sub(w->b, w->a));
    switch (w->kind) {
    case SCR_PICTURE_BOX: box_add(list, w->a, w->b); break;
    case SCR_PICTURE_FRUSTUM:
        circle_add(list, w->a, axis, w->radius[0]);
        circle_add(list, w->b, axis, w->radius[1]);
        break;
    case SCR_PICTURE_RING:
        circle_add(list, w->a, w->normal, w->radius[0]);
        circle_add(list, w->a, w->normal, w->radius[1]);
        break;
    case SCR_PICTURE_PLANE:
        if (stage->has_box && !scr_wall_is_floor(stage, w)) outline_add(list, stage, w);
        break;
    case SCR_PICTURE_MESH: mesh_add(list, stage, w); break;
    case SCR_PICTURE_SPHERE: break; // its glass shows where it is
    }
}

size_t scr_stage_rims(const scr_stage *stage, scr_ray_body *rims, size_t room)
{
    // lines as thick as a pen that suits the picture's size, at the distance of the scene's middle
    double depth = fmax(0.05, v3_dot(v3_scale(-1, stage->camera.eye), stage->camera.forward));
    double pen = fmax(1.6, 2.6 * stage->def->height / 1000.0);
    rod_list list = {rims, 0, room, 0.5 * pen * depth * stage->camera.pixel};
    for (int k = 0; k < stage->wall_count; k++) wall_add(&list, stage, &stage->walls[k]);
    list.radius *= 0.6;
    if (stage->has_box && stage->def->domain) box_add(&list, stage->box[0], stage->box[1]);
    return list.count;
}
