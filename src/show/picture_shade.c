/* What one ray meets.
 *
 * The nearest grain, polygon or rod is opaque; walls in front of it are layers of glass or floor, laid over it from
 * front to back (Porter & Duff 1984). Glass and rims have their colour from here; what is lit becomes a patch of the
 * pixel, together with other rays that meet the same body (picture_light.c). */
#include <math.h>

#include "show/picture_stage.h"
#include "show/ray_wall.h"

#define LAYERS 24 /* walls that one ray can show */

static vec3 mix(vec3 a, vec3 b, double t)
{
    return v3_axpy(v3_scale(1 - t, a), t, b);
}

static double smooth(double t)
{
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

// Blinn 1977
static double gloss(const scr_stage *stage, vec3 normal, vec3 view, double power)
{
    vec3 half = v3_unit(v3_sub(stage->sun, view));
    double cosine = v3_dot(normal, half);
    return cosine > 0.7 ? pow(cosine, power) : 0;
}

/* ---- patches ---- */

// the pixel's patch of this body; when there is no room, of another one
static int patch_of(scr_gather *g, uint32_t id)
{
    int k = 0;
    while (k < g->count && g->patches[k].id != id) k++;
    if (k == SCR_PATCHES) return (int)(id % SCR_PATCHES);
    if (k < g->count) return k;
    g->patches[g->count++] = (scr_patch){.id = id};
    g->hits[k] = 0;
    return k;
}

static scr_patch *patch_add(scr_gather *g, uint32_t id, double through, vec3 point, vec3 normal)
{
    int k = patch_of(g, id);
    scr_patch *p = &g->patches[k];
    if (g->hits[k] < SCR_SPOTS) g->spots[k][g->hits[k]] = (scr_spot){point, normal};
    g->hits[k]++;
    p->cover += (float)through;
    p->normal[0] += (float)(through * normal.x);
    p->normal[1] += (float)(through * normal.y);
    p->normal[2] += (float)(through * normal.z);
    return p;
}

// `part` of the surface is not painted over by edges
static void patch_light(const scr_stage *stage, scr_patch *p, double through, double part, vec3 normal)
{
    p->matt += (float)(through * part);
    p->turned += (float)(through * part * fmax(0, v3_dot(normal, stage->sun)));
}

static void add_grain(const scr_stage *stage, const scr_ray *ray, const scr_ray_hit *hit, double through, scr_gather *g)
{
    vec3 start = v3_axpy(hit->point, 1e-3 * hit->radius + 1e-6, hit->normal);
    scr_patch *p = patch_add(g, hit->id, through, start, hit->normal);
    // grazing surfaces mirror some sky
    double facing = fmin(1, fabs(v3_dot(hit->normal, ray->direction))), graze = 1 - facing;
    double mirror = 0.10 * graze * graze * graze;
    patch_light(stage, p, through, 1 - mirror, hit->normal);
    p->mirror += (float)(through * mirror);
    p->shine += (float)(through * 0.10 * gloss(stage, hit->normal, ray->direction, 40));
    // far from the rim the next ray of the pixel meets the same grain
    g->calm &= facing > 0.45;
}

// ink of the nearest edge of a polygon: a pen of a bit more than a pixel, paler where polygons are small; a bold one
// for cracks
static double edge_ink(const scr_stage *stage, const scr_ray_hit *hit, bool crack)
{
    double pixel = stage->camera.pixel * hit->distance;
    double pen = pixel * fmax(0.55, 0.75 * stage->def->height / 1000.0);
    double wide = crack ? 1.8 * pen : pen;
    double ink = smooth(0.5 + (wide - hit->edge) / fmax(pixel, 1e-12));
    return crack ? 0.95 * ink : 0.55 * ink * smooth((hit->height / pen - 2) / 8);
}

// flat and matt, with thin edges
static void add_polygon(const scr_stage *stage, const scr_ray_hit *hit, double through, scr_gather *g)
{
    uint32_t id = hit->id & ~SCR_CRACK;
    vec3 start = v3_axpy(hit->point, 1e-4, hit->normal);
    scr_patch *p = patch_add(g, id, through, start, hit->normal);
    patch_light(stage, p, through, 1 - edge_ink(stage, hit, id != hit->id), hit->normal);
    g->calm &= hit->edge > 2.5 * stage->camera.pixel * hit->distance;
}

static vec3 shade_rim(const scr_stage *stage, const scr_ray_hit *hit)
{
    vec3 tone = scr_colour_of_hex(stage->dark ? 0xc3cbd3 : 0x66727e);
    double lit = 0.62 + 0.38 * fmax(0, v3_dot(hit->normal, stage->sun));
    return v3_scale(lit, tone);
}

// seen edge-on, glass is denser: walls show their outline and let one look in; how much it covers
static double add_glass(const scr_stage *stage, const scr_ray *ray, const scr_wall_hit *hit, bool outside,
                        double through, scr_gather *g)
{
    double facing = fabs(v3_dot(hit->normal, ray->direction)), edge = 1 - facing;
    double cover = (outside ? 0.05 : 0.11) + 0.34 * edge * edge * edge;
    if (stage->dark) cover *= 0.65; // light glass veils more
    vec3 tone = scr_colour_of_hex(stage->dark ? 0xa9bccd : 0x7f97ac);
    vec3 n = v3_dot(hit->normal, ray->direction) < 0 ? hit->normal : v3_scale(-1, hit->normal);
    vec3 c = v3_scale(cover * (0.75 + 0.35 * v3_dot(n, stage->sun)), tone);
    double shine = 0.30 * gloss(stage, n, ray->direction, 90);
    g->base = v3_axpy(g->base, through, v3_axpy(c, shine, v3(1, 1, 1)));
    return fmin(1, cover + 0.6 * shine);
}

// ink of lines at every multiple of `spacing`, `width` wide, seen with pixels of size `pixel`
static double line_ink(double at, double spacing, double width, double pixel)
{
    double d = fabs(at - spacing * rint(at / spacing));
    double blur = fmax(pixel, 1e-9);
    double ink = smooth(0.5 + (0.5 * width - d) / blur);
    // lines closer than a few pixels melt into an even tone
    return ink * smooth((spacing / blur - 3) / 5);
}

static double grid_ink(const scr_stage *stage, const scr_wall_hit *hit, double facing)
{
    vec3 e = v3(1, 0, 0);
    e = v3_axpy(e, -v3_dot(e, hit->normal), hit->normal);
    e = v3_norm(e) > 0.3 ? v3_unit(e) : v3_perpendicular(hit->normal);
    vec3 g = v3_cross(hit->normal, e);
    // lines run through round coordinates of the scene
    vec3 p = v3_axpy(hit->point, stage->scale, stage->center);
    double pixel = stage->camera.pixel * hit->distance / fmax(0.15, facing);
    double width = 1.2 * stage->camera.pixel * hit->distance * fmax(1, stage->def->height / 1000.0);
    return fmax(line_ink(v3_dot(p, e), stage->grid, width, pixel), line_ink(v3_dot(p, g), stage->grid, width, pixel));
}

static void add_floor(const scr_stage *stage, const scr_ray *ray, const scr_wall_hit *hit, uint32_t id, double part,
                      scr_gather *g)
{
    vec3 start = v3_axpy(hit->point, 2e-5, hit->normal);
    scr_patch *p = patch_add(g, id, part, start, hit->normal);
    double facing = fabs(v3_dot(hit->normal, ray->direction));
    double ink = 0.10 * grid_ink(stage, hit, facing);
    patch_light(stage, p, part, stage->dark ? 1 + 4 * ink : 1 - ink, hit->normal);
}

/* ---- layers ---- */

typedef struct {
    scr_wall_hit hit;
    double fade; /* of a floor */
    bool floor;
    bool outside; /* glass: seen from outside */
    int wall;
} crossing;

static bool in_box(const vec3 box[2], vec3 p)
{
    const double slack = 1e-4;
    return p.x > box[0].x - slack && p.x < box[1].x + slack && p.y > box[0].y - slack && p.y < box[1].y + slack &&
           p.z > box[0].z - slack && p.z < box[1].z + slack;
}

// what this crossing shows, false for nothing
static bool classify(const scr_stage *stage, const scr_picture_wall *wall, const scr_ray *ray, crossing *c)
{
    double facing = -v3_dot(c->hit.normal, ray->direction);
    c->fade = 1, c->floor = false, c->outside = facing > 0;
    if (wall->kind == SCR_PICTURE_BOX) {
        c->outside = facing < 0;
        c->floor = facing > 0 && v3_dot(c->hit.normal, stage->up) > 0.5;
    }
    if (wall->kind != SCR_PICTURE_PLANE) return true;
    if (!scr_wall_is_floor(stage, wall)) return stage->has_box && in_box(stage->view, c->hit.point);
    // a floor is seen from above only, and fades with the distance from the scene's middle
    vec3 foot = v3_scale(v3_dot(wall->a, wall->normal), wall->normal);
    double out = v3_norm(v3_sub(c->hit.point, foot));
    c->floor = true;
    c->fade = 1 - smooth((out - stage->floor_near) / (stage->floor_far - stage->floor_near));
    return facing > 0 && c->fade > 0;
}

// all crossings before the ray's limit, nearest first; the farthest are dropped when there are too
// many
static int crossings_find(const scr_stage *stage, const scr_ray *ray, crossing list[LAYERS])
{
    int count = 0;
    for (int k = 0; k < stage->wall_count; k++) {
        scr_wall_hit hit[2];
        int hits = scr_wall_hits(&stage->walls[k], ray, hit);
        for (int i = 0; i < hits; i++) {
            crossing c = {.hit = hit[i], .wall = k};
            if (!classify(stage, &stage->walls[k], ray, &c)) continue;
            if (count == LAYERS && list[count - 1].hit.distance <= hit[i].distance) continue;
            int at = count < LAYERS ? count++ : LAYERS - 1;
            for (; at > 0 && list[at - 1].hit.distance > hit[i].distance; at--) list[at] = list[at - 1];
            list[at] = c;
        }
    }
    return count;
}

vec3 scr_stage_background(const scr_stage *stage, double py)
{
    return mix(stage->background[0], stage->background[1], smooth(py / stage->def->height));
}

// floors and glass in front of the ray's limit; what they let through
static double add_layers(const scr_stage *stage, const scr_ray *ray, scr_gather *g)
{
    crossing list[LAYERS];
    int count = crossings_find(stage, ray, list);
    double through = 1;
    for (int k = 0; k < count && through > 1e-3; k++) {
        const crossing *c = &list[k];
        double cover = c->fade;
        if (c->floor)
            add_floor(stage, ray, &c->hit, SCR_FLOOR + (uint32_t)c->wall, through * cover, g);
        else
            cover = add_glass(stage, ray, &c->hit, c->outside, through, g);
        through *= 1 - cover;
    }
    return through;
}

void scr_stage_look(const scr_stage *stage, double px, double py, scr_gather *g)
{
    const scr_camera *cam = &stage->camera;
    vec3 d = v3_axpy(cam->forward, cam->pixel * (px - cam->cx), cam->right);
    scr_ray ray = {cam->eye, v3_unit(v3_axpy(d, -cam->pixel * (py - cam->cy), cam->up)), INFINITY};
    // the nearest opaque thing, and what lies over it
    scr_ray_hit hit;
    bool any = scr_ray_nearest(&stage->tree, &ray, &hit);
    if (any) ray.limit = hit.distance;
    vec3 before = g->base;
    double floors = 0;
    double through = add_layers(stage, &ray, g);
    if (!any)
        g->base = v3_axpy(g->base, through, scr_stage_background(stage, py));
    else if (hit.id == SCR_RIM)
        g->base = v3_axpy(g->base, through, shade_rim(stage, &hit));
    else if (hit.triangle)
        add_polygon(stage, &hit, through, g);
    else
        add_grain(stage, &ray, &hit, through, g);
    // tone without light
    for (int k = 0; k < g->count; k++)
        if (scr_is_floor(g->patches[k].id)) floors += g->patches[k].matt;
    double tone = scr_colour_luminance(v3_sub(g->base, before)) + floors - g->floors;
    g->floors = floors;
    g->low = fmin(g->low, tone), g->high = fmax(g->high, tone);
    g->rays++;
}
