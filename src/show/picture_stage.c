/* Setting the stage: which bodies and walls can be drawn, how large the scene is, what the colours
 * mean. */
#include "show/picture_stage.h"

#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "show/picture_hull.h"
#include "show/picture_ticks.h"

/* Beyond this, coordinates are mistakes; and squares of them are still finite. */
#define LARGEST 1e100

/* ---- what can be drawn ---- */

static bool sane(double x)
{
    return fabs(x) < LARGEST; // false for NaN
}

static bool sane3(vec3 p)
{
    return sane(p.x) && sane(p.y) && sane(p.z);
}

static bool sphere_drawable(const scr_picture_spheres *s, size_t i)
{
    return sane3(v3_load(s->position + 3 * i)) && sane(s->radius[i]) && s->radius[i] > 0;
}

static bool polygon_drawable(const scr_picture_polygons *p, size_t k)
{
    for (uint32_t n = p->first[k]; n < p->first[k + 1]; n++)
        if (!sane3(v3_load(p->points + 3 * (size_t)p->corners[n]))) return false;
    return p->first[k + 1] - p->first[k] >= 3;
}

static bool rod_drawable(const scr_picture_rods *r, size_t k)
{
    return sane3(v3_load(r->ends + 6 * k)) && sane3(v3_load(r->ends + 6 * k + 3)) && sane(r->radius[k]) &&
           r->radius[k] > 0;
}

// the wall in the form that the tracer wants; false when it cannot be drawn
static bool wall_tidy(scr_picture_wall *w)
{
    if (!sane3(w->a)) return false;
    bool extends = w->kind == SCR_PICTURE_BOX || w->kind == SCR_PICTURE_FRUSTUM;
    if (extends && !sane3(w->b)) return false;
    if (w->kind == SCR_PICTURE_FRUSTUM && v3_norm(v3_sub(w->b, w->a)) == 0) w->kind = SCR_PICTURE_RING;
    if (w->kind == SCR_PICTURE_BOX) {
        vec3 a = w->a, b = w->b;
        w->a = v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
        w->b = v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
        return v3_norm(v3_sub(a, b)) > 0;
    }
    if (w->kind == SCR_PICTURE_MESH) return sane3(w->b) && w->tree && w->tree->nodes;
    if (w->kind == SCR_PICTURE_SPHERE) return sane(w->radius[0]) && w->radius[0] > 0;
    if (w->kind != SCR_PICTURE_PLANE) {
        if (!sane(w->radius[0]) || !sane(w->radius[1])) return false;
        if (fmin(w->radius[0], w->radius[1]) < 0 || fmax(w->radius[0], w->radius[1]) == 0) return false;
    }
    if (w->kind == SCR_PICTURE_FRUSTUM) return true;
    if (w->kind == SCR_PICTURE_RING && w->radius[0] > w->radius[1]) {
        double r = w->radius[0];
        w->radius[0] = w->radius[1], w->radius[1] = r;
    }
    if (!sane3(w->normal) || v3_norm(w->normal) == 0) return false;
    w->normal = v3_unit(w->normal);
    return true;
}

/* ---- extent ---- */

typedef struct {
    vec3 low, high;
} extent;

static void extent_add(extent *e, vec3 p, double r)
{
    e->low = v3(fmin(e->low.x, p.x - r), fmin(e->low.y, p.y - r), fmin(e->low.z, p.z - r));
    e->high = v3(fmax(e->high.x, p.x + r), fmax(e->high.y, p.y + r), fmax(e->high.z, p.z + r));
}

static vec3 clamp3(vec3 p, const vec3 box[2])
{
    return v3(fmin(fmax(p.x, box[0].x), box[1].x), fmin(fmax(p.y, box[0].y), box[1].y),
              fmin(fmax(p.z, box[0].z), box[1].z));
}

// strays count as if they lay on the domain's surface
static void extent_add_spheres(extent *e, const scr_stage *stage)
{
    const scr_picture_spheres *s = &stage->content->spheres;
    for (size_t i = 0; i < s->count; i++) {
        if (!sphere_drawable(s, i)) continue;
        vec3 p = v3_load(s->position + 3 * i);
        extent_add(e, stage->has_box ? clamp3(p, stage->box) : p, s->radius[i]);
    }
}

static void extent_add_polygons(extent *e, const scr_stage *stage)
{
    const scr_picture_polygons *p = &stage->content->polygons;
    for (size_t k = 0; k < p->count; k++) {
        if (!polygon_drawable(p, k)) continue;
        for (uint32_t n = p->first[k]; n < p->first[k + 1]; n++)
            extent_add(e, v3_load(p->points + 3 * (size_t)p->corners[n]), 0);
    }
}

static void extent_add_rods(extent *e, const scr_stage *stage)
{
    const scr_picture_rods *r = &stage->content->rods;
    for (size_t k = 0; k < 2 * r->count; k++) {
        if (!rod_drawable(r, k / 2)) continue;
        vec3 p = v3_load(r->ends + 3 * k);
        extent_add(e, stage->has_box ? clamp3(p, stage->box) : p, r->radius[k / 2]);
    }
}

static void extent_add_wall(extent *e, const scr_picture_wall *w)
{
    if (w->kind == SCR_PICTURE_BOX || w->kind == SCR_PICTURE_MESH) extent_add(e, w->a, 0), extent_add(e, w->b, 0);
    if (w->kind == SCR_PICTURE_SPHERE) extent_add(e, w->a, w->radius[0]);
    if (w->kind == SCR_PICTURE_FRUSTUM) extent_add(e, w->a, w->radius[0]), extent_add(e, w->b, w->radius[1]);
    if (w->kind == SCR_PICTURE_RING) extent_add(e, w->a, w->radius[1]);
}

// the scene's middle and size from grains and finite walls, else from the domain, else one metre
static void measure(scr_stage *stage)
{
    extent e = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    const scr_picture_hull *hull = stage->content->hull;
    if (hull && hull->any) {
        for (int k = 0; k < SCR_HULL_WAYS; k++) extent_add(&e, hull->point[k], hull->radius[k]);
    } else {
        extent_add_spheres(&e, stage);
        extent_add_polygons(&e, stage);
        extent_add_rods(&e, stage);
        for (int k = 0; k < stage->wall_count; k++) extent_add_wall(&e, &stage->walls[k]);
    }
    if (stage->has_box && (!(e.low.x <= e.high.x) || stage->def->domain))
        extent_add(&e, stage->box[0], 0), extent_add(&e, stage->box[1], 0);
    if (!(e.low.x <= e.high.x)) extent_add(&e, v3(0, 0, 0), 0.5);
    stage->center = v3_scale(0.5, v3_add(e.low, e.high));
    vec3 size = v3_sub(e.high, e.low);
    double half = 0.5 * v3_norm(size);
    stage->scale = half > 1e-90 ? 1 / half : 1;
    stage->view[0] = clamp3(v3_axpy(e.low, -0.2, size), stage->box);
    stage->view[1] = clamp3(v3_axpy(e.high, 0.2, size), stage->box);
}

/* ---- moving everything to the stage ---- */

static void place_walls(scr_stage *stage)
{
    for (int k = 0; k < stage->wall_count; k++) {
        scr_picture_wall *w = &stage->walls[k];
        w->a = scr_stage_point(stage, w->a);
        w->b = scr_stage_point(stage, w->b);
        w->radius[0] *= stage->scale, w->radius[1] *= stage->scale;
        w->center = stage->center, w->scale = stage->scale;
    }
    for (int k = 0; k < 2 && stage->has_box; k++) {
        stage->box[k] = scr_stage_point(stage, stage->box[k]);
        stage->view[k] = scr_stage_point(stage, stage->view[k]);
    }
}

// spheres far outside of the view have no place in single precision and are left out
static void place_spheres(scr_stage *stage)
{
    const scr_picture_spheres *s = &stage->content->spheres;
    for (size_t i = 0; i < s->count; i++) {
        if (!sphere_drawable(s, i)) continue;
        vec3 p = scr_stage_point(stage, v3_load(s->position + 3 * i));
        double r = stage->scale * s->radius[i];
        if (v3_norm(p) > 1e6 || r < 1e-12) continue;
        scr_ray_body *b = &stage->bodies[stage->body_count++];
        *b = (scr_ray_body){.radius = (float)r, .id = (uint32_t)i};
        b->from[0] = b->to[0] = (float)p.x;
        b->from[1] = b->to[1] = (float)p.y;
        b->from[2] = b->to[2] = (float)p.z;
    }
}

static void set3(float *out, vec3 p)
{
    out[0] = (float)p.x, out[1] = (float)p.y, out[2] = (float)p.z;
}

// a fan of triangles about the middle: each has one edge of the polygon, from - to
static void place_polygons(scr_stage *stage)
{
    const scr_picture_polygons *p = &stage->content->polygons;
    size_t spheres = stage->content->spheres.count;
    for (size_t k = 0; k < p->count; k++) {
        if (!polygon_drawable(p, k)) continue;
        const uint32_t *corner = p->corners + p->first[k];
        uint32_t count = p->first[k + 1] - p->first[k];
        vec3 middle = v3(0, 0, 0);
        for (uint32_t n = 0; n < count; n++)
            middle = v3_axpy(middle, 1.0 / count, v3_load(p->points + 3 * (size_t)corner[n]));
        for (uint32_t n = 0; n < count; n++) {
            vec3 a = v3_load(p->points + 3 * (size_t)corner[n]);
            vec3 b = v3_load(p->points + 3 * (size_t)corner[(n + 1) % count]);
            scr_ray_body *body = &stage->bodies[stage->body_count++];
            bool crack = p->cracked && p->cracked[p->first[k] + n];
            *body = (scr_ray_body){.triangle = true, .id = (uint32_t)(spheres + k) | (crack ? SCR_CRACK : 0)};
            set3(body->from, scr_stage_point(stage, a));
            set3(body->to, scr_stage_point(stage, b));
            set3(body->third, scr_stage_point(stage, middle));
        }
    }
}

static void place_rods(scr_stage *stage)
{
    const scr_picture_rods *r = &stage->content->rods;
    size_t before = stage->content->spheres.count + stage->content->polygons.count;
    for (size_t k = 0; k < r->count; k++) {
        if (!rod_drawable(r, k)) continue;
        vec3 from = scr_stage_point(stage, v3_load(r->ends + 6 * k));
        vec3 to = scr_stage_point(stage, v3_load(r->ends + 6 * k + 3));
        if (v3_norm(from) > 1e6 || v3_norm(to) > 1e6) continue;
        scr_ray_body *b = &stage->bodies[stage->body_count++];
        *b = (scr_ray_body){.radius = (float)(stage->scale * r->radius[k]), .id = (uint32_t)(before + k)};
        set3(b->from, from);
        set3(b->to, to);
    }
}

/* ---- colours ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// the values that colour what is drawn, sorted; NULL when there is no memory for them
static double *values_sorted(const scr_picture_content *content, size_t *count)
{
    const scr_picture_spheres *s = &content->spheres;
    const scr_picture_polygons *p = &content->polygons;
    const scr_picture_rods *r = &content->rods;
    double *v = scr_memory_new(s->count + p->count + r->count, sizeof *v);
    *count = 0;
    for (size_t i = 0; v && s->value && i < s->count; i++)
        if (sane(s->value[i]) && sphere_drawable(s, i)) v[(*count)++] = s->value[i];
    for (size_t k = 0; v && p->value && k < p->count; k++)
        if (sane(p->value[k]) && polygon_drawable(p, k)) v[(*count)++] = p->value[k];
    for (size_t k = 0; v && r->value && k < r->count; k++)
        if (sane(r->value[k]) && rod_drawable(r, k)) v[(*count)++] = r->value[k];
    if (v) qsort(v, *count, sizeof *v, compare);
    return v;
}

static bool choose_range(scr_stage *stage)
{
    const scr_picture_def *def = stage->def;
    size_t n;
    double *v = values_sorted(stage->content, &n);
    if (!v) return false;
    double low = def->value_min, high = def->value_max;
    scr_range_choose(v, n, &low, &high);
    double slack = 0.005 * (high - low);
    stage->below = def->beyond < 0 ? n && v[0] < low - slack : def->beyond & 1;
    stage->above = def->beyond < 0 ? n && v[n - 1] > high + slack : def->beyond & 2;
    stage->low = low, stage->high = high;
    scr_memory_free(v);
    return true;
}

static bool choose_colours(scr_stage *stage)
{
    const scr_picture_def *def = stage->def;
    stage->grain = scr_colour_of_hex(def->grain);
    for (int k = 0; k < 2; k++) stage->background[k] = scr_colour_of_hex(def->background[k]);
    stage->dark = scr_colour_luminance(stage->background[1]) < 0.2;
    stage->solid = scr_colour_of_hex(def->solid), stage->rod = scr_colour_of_hex(def->rod);
    const scr_picture_content *content = stage->content;
    stage->coloured = content->spheres.value || content->polygons.value || content->rods.value;
    stage->show_legend = stage->coloured && def->legend && (!def->categories || def->category);
    if (!stage->coloured) return true;
    const scr_colour_map *map = scr_colour_map_find(def->colour_map);
    for (int k = 0; k < SCR_COLOUR_STEPS; k++) stage->colours[k] = scr_colour_map_at(map, k / (SCR_COLOUR_STEPS - 1.0));
    return choose_range(stage);
}

/* ---- light and floor ---- */

static void choose_light(scr_stage *stage)
{
    scr_camera c = stage->camera;
    if (!isnan(stage->def->light)) scr_camera_turn(stage, stage->def->light, 0, &c);
    vec3 back = v3_scale(-1, c.forward);
    // from above and from the left, a little from behind the camera
    vec3 sun = v3_axpy(v3_scale(0.95, stage->up), -0.62, c.right);
    stage->sun = v3_unit(v3_axpy(sun, 0.38, back));
    scr_stage_light(stage);
    stage->floor_near = 0.9, stage->floor_far = 2.6;
    stage->grid = scr_round_up(0.2 / stage->scale) * stage->scale;
}

/* ---- the whole ---- */

static bool reserve(scr_stage *stage)
{
    const scr_picture_content *content = stage->content;
    stage->walls = scr_memory_new((size_t)content->wall_count, sizeof *stage->walls);
    const scr_picture_polygons *p = &content->polygons;
    size_t bodies = content->spheres.count + content->rods.count;
    bodies += p->count ? p->first[p->count] : 0;
    return stage->walls && scr_reserve(&stage->bodies, bodies);
}

static bool build_tree(scr_stage *stage)
{
    size_t bodies = stage->body_count, rims = scr_stage_rims(stage, NULL, 0);
    if (!scr_reserve(&stage->bodies, bodies + rims)) return false;
    stage->body_count += scr_stage_rims(stage, stage->bodies + bodies, rims);
    bool ok = scr_ray_tree_init(&stage->tree, stage->bodies, stage->body_count);
    scr_buffer_free(stage->bodies);
    stage->bodies = NULL;
    return ok;
}

scree_status scr_stage_init(scr_stage *stage, const scr_picture_def *def, const scr_picture_content *content,
                            scree_report *report)
{
    *stage = (scr_stage){.def = def, .content = content, .up = v3_unit(def->up)};
    vec3 size = v3_sub(content->box[1], content->box[0]);
    stage->box[0] = content->box[0], stage->box[1] = content->box[1];
    stage->has_box = sane3(content->box[0]) && sane3(content->box[1]) && size.x > 0 && size.y > 0 && size.z > 0;
    if (!reserve(stage) || !choose_colours(stage))
        return scr_no_memory(report, "%zu grains to draw", content->spheres.count);
    for (int k = 0; k < content->wall_count; k++) {
        scr_picture_wall wall = content->walls[k];
        if (wall_tidy(&wall)) stage->walls[stage->wall_count++] = wall;
    }
    measure(stage);
    place_walls(stage);
    place_spheres(stage);
    place_polygons(stage);
    place_rods(stage);
    stage->frame = scr_legend_frame(stage);
    scr_stage_aim(stage);
    choose_light(stage);
    if (!build_tree(stage)) return scr_no_memory(report, "%zu grains to draw", content->spheres.count);
    return SCREE_OK;
}

void scr_stage_deinit(scr_stage *stage)
{
    scr_ray_tree_deinit(&stage->tree);
    scr_buffer_free(stage->bodies);
    scr_memory_free(stage->walls);
    stage->bodies = NULL, stage->walls = NULL;
}
