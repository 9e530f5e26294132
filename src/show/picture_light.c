/* The light on a patch of surface, and what the patch makes of it.
 *
 * One sun with a soft edge, and a sky of two colours (above, below) of which a point sees the part that no body hides.
 * The directions are a fixed pattern, dealt out to the pixels of a block of four by four (interleaved sampling, Keller
 * & Heidrich 2001): a pixel looks along few of them and the picture is smooth once neighbours on the same surface share
 * what they found (picture_pixels.c). Points of the pattern are those of the sequence R2 (Roberts 2018), any stretch of
 * which fills the square evenly; nothing depends on the order of work. */
#include <math.h>

#include "base/random.h"
#include "show/picture_stage.h"
#include "show/ray_wall.h"

#define PI       3.14159265358979323846
#define SUN_SIZE 0.07 /* radius of the sun's disc as a tangent */
#define BOUNCE   0.3  /* part of the sky's light that what hides it gives back */

static const vec3 sky_colour = {0.68, 0.73, 0.80};
static const vec3 ground_colour = {0.40, 0.38, 0.36};
static const vec3 sun_colour = {1.00, 0.94, 0.85};
#define SUN_STRENGTH 0.78

static vec3 times(vec3 a, vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* ---- the pattern ---- */

// right-handed axes around n that turn smoothly with it (Duff et al. 2017)
static void axes_around(vec3 n, vec3 *e, vec3 *g)
{
    double sign = copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    *e = v3(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *g = v3(b, sign + n.y * n.y * a, -n.y);
}

// the n-th point, spread evenly over the unit disc
static void disc_point(int n, double *x, double *y)
{
    double u = (n + 0.5) * 0.75487766624669276, v = (n + 0.5) * 0.56984029099805327;
    double r = sqrt(u - floor(u)), angle = 2 * PI * (v - floor(v));
    *x = r * cos(angle), *y = r * sin(angle);
}

void scr_stage_light(scr_stage *stage)
{
    int count = stage->def->ambient_samples;
    vec3 e, g;
    axes_around(stage->sun, &e, &g);
    for (int turn = 0; turn < SCR_TURNS; turn++) {
        double x, y;
        for (int k = 0; k < SCR_SPOTS; k++) {
            disc_point(SCR_SPOTS * turn + k, &x, &y);
            vec3 d = v3_axpy(v3_axpy(stage->sun, SUN_SIZE * x, e), SUN_SIZE * y, g);
            stage->sun_way[turn][k] = v3_unit(d);
        }
        // cosine weighted: even on the disc below the hemisphere
        for (int k = 0; k < count; k++) {
            disc_point(count * turn + k, &x, &y);
            stage->sky_way[turn][k] = v3(x, y, sqrt(fmax(0, 1 - x * x - y * y)));
        }
    }
}

/* ---- looking for light ---- */

static void add_sky(const scr_stage *stage, const scr_spot *spot, vec3 way, scr_light *l)
{
    vec3 e, g;
    axes_around(spot->normal, &e, &g);
    vec3 d = v3_axpy(v3_axpy(v3_scale(way.z, spot->normal), way.x, e), way.y, g);
    scr_ray ray = {spot->point, d, INFINITY};
    bool hidden = scr_ray_blocked(&stage->tree, &ray);
    float up = (float)v3_dot(d, stage->up);
    l->rays += 1;
    l->open += hidden ? 0 : 1;
    *(hidden ? &l->hidden_up : &l->open_up) += up;
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

static bool sun_reaches(const scr_stage *stage, const scr_spot *spot, vec3 way)
{
    if (v3_dot(spot->normal, way) <= 0) return false;
    scr_ray ray = {spot->point, way, INFINITY};
    return !stage->def->shadows || !scr_ray_blocked(&stage->tree, &ray);
}

// two spots; where they disagree, all
static float sun_seen(const scr_stage *stage, const scr_spot *spots, int count, int turn)
{
    int asked = 0, lit = 0, first = 0;
    for (int end = count < 2 ? count : 2; asked < end; asked++) {
        if (sun_reaches(stage, &spots[asked], stage->sun_way[turn][asked])) first = asked, lit++;
        if (asked == 1 && lit == 1) end = count;
    }
    if (!lit || !stage->def->shadows) return (float)lit / (float)asked;
    scr_ray ray = {spots[first].point, stage->sun_way[turn][first], INFINITY};
    return (float)(through_glass(stage, &ray) * lit / asked);
}

void scr_stage_illuminate(const scr_stage *stage, int k, int turn, scr_gather *gather)
{
    scr_patch *patch = &gather->patches[k];
    const scr_spot *spots = gather->spots[k];
    int count = gather->hits[k] < SCR_SPOTS ? gather->hits[k] : SCR_SPOTS;
    // the rim of a body that fills little of the pixel needs less
    int rays = stage->def->ambient_samples;
    if (4 * gather->hits[k] <= gather->rays) rays = (rays + 1) / 2;
    for (int n = 0; n < rays; n++) add_sky(stage, &spots[n % count], stage->sky_way[turn][n], &patch->light);
    if (rays == 0) {
        vec3 n = spots[0].normal;
        patch->light.rays = patch->light.open = 1;
        patch->light.open_up = (float)v3_dot(n, stage->up);
    }
    patch->light.sun = sun_seen(stage, spots, count, turn);
}

/* ---- colours in that light ---- */

// light of `part` of the sky whose heights add up to `up`
static vec3 sky_light(double part, double up)
{
    return v3_axpy(v3_scale(0.5 * (part - up), ground_colour), 0.5 * (part + up), sky_colour);
}

// highlights roll off instead of being cut
static double soften(double x)
{
    const double knee = 0.72;
    return x <= knee ? x : knee + (1 - knee) * (1 - exp(-(x - knee) / (1 - knee)));
}

// a floor is the background with the scene's shadows on it
static vec3 floor_colour(const scr_stage *stage, const scr_patch *patch, const scr_light *light, double rays, int y)
{
    vec3 background = scr_stage_background(stage, y + 0.5);
    vec3 base = stage->dark ? v3_add(v3_scale(1.25, background), v3(0.012, 0.013, 0.015)) : v3_scale(0.965, background);
    vec3 seen = sky_light(light->open / rays, light->open_up / rays);
    vec3 all = sky_light(1, (light->open_up + light->hidden_up) / rays);
    // what hides the sky is lit itself
    seen = v3_axpy(v3_scale(1 - BOUNCE, seen), BOUNCE, all);
    double sun = SUN_STRENGTH * patch->turned / fmax(patch->matt, 1e-12);
    double got = scr_colour_luminance(seen) + sun * light->sun;
    double full = scr_colour_luminance(all) + sun;
    return v3_scale(patch->matt * (1 - 0.87 * (1 - got / full)), base);
}

vec3 scr_patch_colour(const scr_stage *stage, const scr_patch *patch, const scr_light *light, int y)
{
    double rays = fmax(light->rays, 1e-6);
    if (scr_is_floor(patch->id)) return floor_colour(stage, patch, light, rays, y);
    vec3 albedo = scr_stage_albedo(stage, patch->id);
    vec3 seen = sky_light(light->open / rays, light->open_up / rays);
    vec3 hidden = sky_light(1 - light->open / rays, light->hidden_up / rays);
    vec3 sky = v3_add(seen, v3_scale(BOUNCE, times(albedo, hidden)));
    vec3 matt = v3_axpy(v3_scale(patch->matt, sky), SUN_STRENGTH * patch->turned * light->sun, sun_colour);
    vec3 c = v3_axpy(times(albedo, matt), patch->mirror, sky);
    c = v3_axpy(c, patch->shine * light->sun, sun_colour);
    double cover = patch->cover, over = 1 / fmax(cover, 1e-6);
    return v3_scale(cover, v3(soften(over * c.x), soften(over * c.y), soften(over * c.z)));
}

/* ---- colours of bodies ---- */

static vec3 value_colour(const scr_stage *stage, double value)
{
    if (stage->def->categories && fabs(value) < 1e15) return scr_colour_category(llrint(value));
    double at = (value - stage->low) / (stage->high - stage->low);
    if (isnan(at) || isinf(value)) return scr_colour_of_hex(0x9a9a9a);
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    return stage->colours[(int)(at * (SCR_COLOUR_STEPS - 1) + 0.5)];
}

vec3 scr_stage_albedo(const scr_stage *stage, uint32_t id)
{
    const scr_picture_spheres *s = &stage->content->spheres;
    const scr_picture_polygons *p = &stage->content->polygons;
    if (scr_is_polygon(stage, id)) return p->value ? value_colour(stage, p->value[id - s->count]) : stage->solid;
    if (id >= s->count) {
        const scr_picture_rods *r = &stage->content->rods;
        return r->value ? value_colour(stage, r->value[id - s->count - p->count]) : stage->rod;
    }
    if (s->value) return value_colour(stage, s->value[id]);
    // grains of one tone differ a little, by their number
    double u = (double)(scr_random_mix(id + 1) >> 11) * 0x1p-53;
    return v3_scale(0.80 + 0.34 * u, stage->grain);
}
