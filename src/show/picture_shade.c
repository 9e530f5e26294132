/* The colour of one ray.
 *
 * The nearest grain, polygon or rod is opaque; walls in front of it are layers of glass or floor, laid over
 * it from front to back (Porter & Duff 1984). Light: one sun with a soft edge, and a sky of two
 * colours (above, below) of which a point sees the part that no grain hides. The directions towards
 * sun and sky are a fixed pattern (a golden-angle spiral, cosine weighted for the sky) that is
 * dealt out to the rays of a pixel and turned from pixel to pixel within blocks of four by four
 * (interleaved sampling, Keller & Heidrich 2001): smooth shades from few rays, and no dependence on
 * the order of work. */
#include <math.h>

#include "base/random.h"
#include "show/picture_stage.h"
#include "show/ray_wall.h"

#define PI           3.14159265358979323846
#define GOLDEN_ANGLE 2.39996322972865332
#define SUN_SIZE     0.07 /* radius of the sun's disc as a tangent */
#define LAYERS       24   /* walls that one ray can show */

static const vec3 sky_colour = {0.68, 0.73, 0.80};
static const vec3 ground_colour = {0.40, 0.38, 0.36};
static const vec3 sun_colour = {1.00, 0.94, 0.85};
#define SUN_STRENGTH 0.78

static vec3 mix(vec3 a, vec3 b, double t)
{
    return v3_axpy(v3_scale(1 - t, a), t, b);
}

static vec3 times(vec3 a, vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static double smooth(double t)
{
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

// highlights roll off instead of being cut
static double soften(double x)
{
    const double knee = 0.72;
    return x <= knee ? x : knee + (1 - knee) * (1 - exp(-(x - knee) / (1 - knee)));
}

static vec3 soften3(vec3 c)
{
    return v3(soften(c.x), soften(c.y), soften(c.z));
}

/* ---- light ---- */

// right-handed axes around n that turn smoothly with it (Duff et al. 2017)
static void axes_around(vec3 n, vec3 *e, vec3 *g)
{
    double sign = copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    *e = v3(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *g = v3(b, sign + n.y * n.y * a, -n.y);
}

void scr_stage_light(scr_stage *stage)
{
    int rays = stage->def->antialias * stage->def->antialias;
    int total = rays * stage->def->ambient_samples;
    vec3 e, g;
    axes_around(stage->sun, &e, &g);
    for (int turn = 0; turn < SCR_TURNS; turn++) {
        double start = 2 * PI * turn / SCR_TURNS;
        for (int n = 0; n < rays; n++) {
            double r = SUN_SIZE * sqrt((n + 0.5) / rays), angle = start + GOLDEN_ANGLE * n;
            vec3 d = v3_axpy(v3_axpy(stage->sun, r * cos(angle), e), r * sin(angle), g);
            stage->sun_way[turn][n] = v3_unit(d);
        }
        for (int n = 0; n < total; n++) {
            double r = sqrt((n + 0.5) / total), angle = start + GOLDEN_ANGLE * n;
            stage->sky_way[turn][n] = v3(r * cos(angle), r * sin(angle), sqrt(1 - r * r));
        }
    }
}

static vec3 sky_at(const scr_stage *stage, vec3 direction)
{
    return mix(ground_colour, sky_colour, 0.5 + 0.5 * v3_dot(direction, stage->up));
}

typedef struct {
    vec3 sky;      /* what arrives from the sky, for a white surface */
    vec3 open_sky; /* the same if nothing were in the way */
    double sun;    /* part of the sun that is seen, 0 to 1 */
} light;

// `count` rays to the sky; what hides it is itself lit: it gives back a part of it in the surface's
// own colour
static void add_sky(const scr_stage *stage, vec3 point, vec3 normal, scr_sample at, vec3 albedo,
                    int count, light *l)
{
    l->sky = l->open_sky = sky_at(stage, normal);
    if (count == 0) return;
    vec3 e, g, seen = {0}, open = {0};
    axes_around(normal, &e, &g);
    for (int k = 0; k < count; k++) {
        vec3 way = stage->sky_way[at.turn][at.ray * stage->def->ambient_samples + k];
        vec3 d = v3_axpy(v3_axpy(v3_scale(way.z, normal), way.x, e), way.y, g);
        scr_ray ray = {point, d, INFINITY};
        vec3 sky = sky_at(stage, d);
        open = v3_add(open, sky);
        seen = v3_add(seen, scr_ray_blocked(&stage->tree, &ray) ? times(v3_scale(0.3, albedo), sky)
                                                                : sky);
    }
    l->sky = v3_scale(1.0 / count, seen);
    l->open_sky = v3_scale(1.0 / count, open);
}

// glass takes a little of the sun
static double through_glass(const scr_stage *stage, const scr_ray *ray)
{
    double part = 1;
    for (int k = 0; k < stage->wall_count; k++) {
        if (stage->walls[k].kind == SCR_PICTURE_PLANE) continue;
        scr_wall_hit hit[2];
        int count = scr_wall_hits(&stage->walls[k], ray, hit);
        for (int i = 0; i < count; i++)
            // not the floor of a box that the point itself lies on
            if (hit[i].distance > 1e-4) part *= 0.88;
    }
    return part;
}

static double sun_seen(const scr_stage *stage, vec3 point, vec3 normal, scr_sample at)
{
    scr_ray ray = {point, stage->sun_way[at.turn][at.ray], INFINITY};
    if (v3_dot(normal, ray.direction) <= 0) return 0;
    if (!stage->def->shadows) return 1;
    return scr_ray_blocked(&stage->tree, &ray) ? 0 : through_glass(stage, &ray);
}

static light light_at(const scr_stage *stage, vec3 point, vec3 normal, scr_sample at, vec3 albedo,
                      int count)
{
    light l = {.sun = 0};
    add_sky(stage, point, normal, at, albedo, count, &l);
    l.sun = sun_seen(stage, point, normal, at);
    return l;
}

// Blinn 1977
static double gloss(const scr_stage *stage, vec3 normal, vec3 view, double power)
{
    vec3 half = v3_unit(v3_sub(stage->sun, view));
    return pow(fmax(0, v3_dot(normal, half)), power);
}

/* ---- surfaces ---- */

static vec3 value_colour(const scr_stage *stage, double value)
{
    double at = (value - stage->low) / (stage->high - stage->low);
    if (isnan(at) || isinf(value)) return scr_colour_of_hex(0x9a9a9a);
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    return stage->colours[(int)(at * (SCR_COLOUR_STEPS - 1) + 0.5)];
}

static vec3 grain_colour(const scr_stage *stage, uint32_t id)
{
    const scr_picture_spheres *s = &stage->content->spheres;
    if (s->value) return value_colour(stage, s->value[id]);
    // grains of one tone differ a little, by their number
    double u = (double)(scr_random_mix(id + 1) >> 11) * 0x1p-53;
    return v3_scale(0.80 + 0.34 * u, stage->grain);
}

static vec3 matt_light(const scr_stage *stage, const light *l, vec3 normal, vec3 albedo)
{
    double cosine = fmax(0, v3_dot(normal, stage->sun));
    vec3 sum = v3_axpy(l->sky, SUN_STRENGTH * l->sun * cosine, sun_colour);
    return times(albedo, sum);
}

static vec3 shade_grain(const scr_stage *stage, const scr_ray *ray, const scr_ray_hit *hit,
                        scr_sample at)
{
    vec3 albedo = grain_colour(stage, hit->id);
    vec3 start = v3_axpy(hit->point, 1e-3 * hit->radius + 1e-6, hit->normal);
    light l = light_at(stage, start, hit->normal, at, albedo, stage->def->ambient_samples);
    vec3 c = matt_light(stage, &l, hit->normal, albedo);
    double shine = 0.10 * l.sun * gloss(stage, hit->normal, ray->direction, 40);
    // grazing surfaces mirror some sky
    double graze = 1 - fmin(1, fabs(v3_dot(hit->normal, ray->direction)));
    double mirror = 0.10 * graze * graze * graze;
    c = v3_axpy(v3_scale(1 - mirror, c), mirror, l.sky);
    return soften3(v3_axpy(c, shine, sun_colour));
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
static vec3 shade_polygon(const scr_stage *stage, const scr_ray_hit *hit, scr_sample at)
{
    const scr_picture_polygons *p = &stage->content->polygons;
    uint32_t id = hit->id & ~SCR_CRACK;
    vec3 albedo = p->value ? value_colour(stage, p->value[id]) : stage->solid;
    albedo = v3_scale(1 - edge_ink(stage, hit, id != hit->id), albedo);
    vec3 start = v3_axpy(hit->point, 1e-4, hit->normal), sum = v3(0, 0, 0);
    // flat areas show the pattern of the directions: twice as many, of another turn
    for (int k = 0; k < 2; k++) {
        scr_sample other = {at.ray, (at.turn + k * SCR_TURNS / 2) % SCR_TURNS};
        light l = light_at(stage, start, hit->normal, other, albedo, stage->def->ambient_samples);
        sum = v3_axpy(sum, 0.5, matt_light(stage, &l, hit->normal, albedo));
    }
    return soften3(sum);
}

static vec3 shade_rod(const scr_stage *stage, const scr_ray_hit *hit)
{
    vec3 tone = scr_colour_of_hex(stage->dark ? 0xc3cbd3 : 0x66727e);
    double lit = 0.62 + 0.38 * fmax(0, v3_dot(hit->normal, stage->sun));
    return v3_scale(lit, tone);
}

typedef struct {
    vec3 colour; /* already weighted by cover */
    double cover;
    double shade; /* light on a floor; the colour of glass is lit already */
} layer;

// seen edge-on, glass is denser: walls show their outline and let one look in
static layer shade_glass(const scr_stage *stage, const scr_ray *ray, const scr_wall_hit *hit,
                         bool outside)
{
    double facing = fabs(v3_dot(hit->normal, ray->direction)), edge = 1 - facing;
    double cover = (outside ? 0.05 : 0.11) + 0.34 * edge * edge * edge;
    if (stage->dark) cover *= 0.65; // light glass veils more
    vec3 tone = scr_colour_of_hex(stage->dark ? 0xa9bccd : 0x7f97ac);
    vec3 n = v3_dot(hit->normal, ray->direction) < 0 ? hit->normal : v3_scale(-1, hit->normal);
    vec3 c = v3_scale(cover * (0.75 + 0.35 * v3_dot(n, stage->sun)), tone);
    double shine = 0.30 * gloss(stage, n, ray->direction, 90);
    return (layer){v3_axpy(c, shine, v3(1, 1, 1)), fmin(1, cover + 0.6 * shine), 1};
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
    return fmax(line_ink(v3_dot(p, e), stage->grid, width, pixel),
                line_ink(v3_dot(p, g), stage->grid, width, pixel));
}

// a floor is the background with the scene's shadows on it
static layer shade_floor(const scr_stage *stage, const scr_ray *ray, const scr_wall_hit *hit,
                         double fade, vec3 background, scr_sample at)
{
    vec3 base = stage->dark ? v3_add(v3_scale(1.25, background), v3(0.012, 0.013, 0.015))
                            : v3_scale(0.965, background);
    // half the rays are enough: a floor's light is averaged over a block of pixels
    int count = (stage->def->ambient_samples + 1) / 2;
    vec3 start = v3_axpy(hit->point, 2e-5, hit->normal);
    light l = light_at(stage, start, hit->normal, at, v3(1, 1, 1), count);
    double sun = SUN_STRENGTH * fmax(0, v3_dot(hit->normal, stage->sun));
    double got = scr_colour_luminance(l.sky) + sun * l.sun;
    double full = scr_colour_luminance(l.open_sky) + sun;
    double shade = 1 - 0.87 * (1 - got / full);
    double facing = fabs(v3_dot(hit->normal, ray->direction));
    double ink = 0.10 * grid_ink(stage, hit, facing);
    double tone = stage->dark ? 1 + 4 * ink : 1 - ink;
    return (layer){v3_scale(fade * tone, base), fade, shade};
}

/* ---- layers ---- */

typedef struct {
    scr_wall_hit hit;
    double fade; /* of a floor */
    bool floor;
    bool outside; /* glass: seen from outside */
} crossing;

static bool in_box(const vec3 box[2], vec3 p)
{
    const double slack = 1e-4;
    return p.x > box[0].x - slack && p.x < box[1].x + slack && p.y > box[0].y - slack &&
           p.y < box[1].y + slack && p.z > box[0].z - slack && p.z < box[1].z + slack;
}

// what this crossing shows, false for nothing
static bool classify(const scr_stage *stage, const scr_picture_wall *wall, const scr_ray *ray,
                     crossing *c)
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
            crossing c = {.hit = hit[i]};
            if (!classify(stage, &stage->walls[k], ray, &c)) continue;
            if (count == LAYERS && list[count - 1].hit.distance <= hit[i].distance) continue;
            int at = count < LAYERS ? count++ : LAYERS - 1;
            for (; at > 0 && list[at - 1].hit.distance > hit[i].distance; at--)
                list[at] = list[at - 1];
            list[at] = c;
        }
    }
    return count;
}

vec3 scr_stage_background(const scr_stage *stage, double py)
{
    return mix(stage->background[0], stage->background[1], smooth(py / stage->def->height));
}

// lays a layer behind what is seen so far; the first floor keeps its light apart
static void seen_add(scr_seen *seen, const layer *l, bool floor, double through)
{
    if (floor && seen->floor.x + seen->floor.y + seen->floor.z == 0) {
        seen->floor = v3_scale(through, l->colour);
        seen->shade = l->shade;
    } else {
        seen->base = v3_axpy(seen->base, through * l->shade, l->colour);
    }
}

scr_seen scr_stage_trace(const scr_stage *stage, double px, double py, scr_sample at)
{
    const scr_camera *cam = &stage->camera;
    vec3 d = v3_axpy(cam->forward, cam->pixel * (px - cam->cx), cam->right);
    scr_ray ray = {cam->eye, v3_unit(v3_axpy(d, -cam->pixel * (py - cam->cy), cam->up)), INFINITY};
    // the nearest opaque thing
    scr_ray_hit hit;
    bool any = scr_ray_nearest(&stage->tree, &ray, &hit);
    if (any) ray.limit = hit.distance;
    // what lies over it
    vec3 background = scr_stage_background(stage, py);
    crossing list[LAYERS];
    int count = crossings_find(stage, &ray, list);
    scr_seen seen = {.shade = 1};
    double through = 1;
    for (int k = 0; k < count && through > 1e-3; k++) {
        layer l = list[k].floor
                      ? shade_floor(stage, &ray, &list[k].hit, list[k].fade, background, at)
                      : shade_glass(stage, &ray, &list[k].hit, list[k].outside);
        seen_add(&seen, &l, list[k].floor, through);
        through *= 1 - l.cover;
    }
    if (through <= 1e-3) return seen;
    vec3 behind = !any                ? background
                  : hit.triangle      ? shade_polygon(stage, &hit, at)
                  : hit.id == SCR_ROD ? shade_rod(stage, &hit)
                                      : shade_grain(stage, &ray, &hit, at);
    seen.base = v3_axpy(seen.base, through, behind);
    return seen;
}
