#include "show/picture_hull.h"

#include <math.h>
#include <stdlib.h>

#define STRAYS       500 /* of so many grains one may be left out in each direction */
#define GOLDEN_ANGLE 2.39996322972865332
#define AROUND       32 /* points of a rim */

// directions on a spiral from pole to pole, even over the sphere
static void ways_fill(vec3 way[SCR_HULL_WAYS])
{
    for (int k = 0; k < SCR_HULL_WAYS; k++) {
        double z = 1 - (2 * k + 1.0) / SCR_HULL_WAYS, r = sqrt(1 - z * z);
        way[k] = v3(r * cos(GOLDEN_ANGLE * k), r * sin(GOLDEN_ANGLE * k), z);
    }
}

static void add(scr_picture_hull *h, const vec3 way[], vec3 p, double radius)
{
    if (!(v3_norm(p) < 1e100 && radius < 1e100)) return; // not NaN either
    for (int k = 0; k < SCR_HULL_WAYS; k++) {
        double reach = v3_dot(p, way[k]) + radius;
        if (h->any && reach <= h->reach[k]) continue;
        h->reach[k] = reach, h->point[k] = p, h->radius[k] = radius;
    }
    h->any = true;
}

static void add_circle(scr_picture_hull *h, const vec3 way[], vec3 center, vec3 axis, double radius)
{
    vec3 e = v3_perpendicular(axis), g = v3_cross(axis, e);
    for (int k = 0; k < AROUND; k++) {
        double angle = 2 * M_PI * k / AROUND;
        vec3 p = v3_axpy(center, radius * cos(angle), e);
        add(h, way, v3_axpy(p, radius * sin(angle), g), 0);
    }
}

static void add_wall(scr_picture_hull *h, const vec3 way[], const scr_picture_wall *w)
{
    vec3 axis = v3_sub(w->b, w->a);
    switch (w->kind) {
    case SCR_PICTURE_PLANE: break;
    case SCR_PICTURE_BOX:
    case SCR_PICTURE_MESH:
        for (int k = 0; k < 8; k++)
            add(h, way, v3(k & 1 ? w->a.x : w->b.x, k & 2 ? w->a.y : w->b.y, k & 4 ? w->a.z : w->b.z), 0);
        break;
    case SCR_PICTURE_FRUSTUM:
        if (v3_norm(axis) == 0) break;
        add_circle(h, way, w->a, v3_unit(axis), w->radius[0]);
        add_circle(h, way, w->b, v3_unit(axis), w->radius[1]);
        break;
    case SCR_PICTURE_RING:
        if (v3_norm(w->normal) > 0) add_circle(h, way, w->a, v3_unit(w->normal), fmax(w->radius[0], w->radius[1]));
        break;
    case SCR_PICTURE_SPHERE: add(h, way, w->a, w->radius[0]); break;
    }
}

/* ---- grains ---- */

// the `rank`-th largest of them (Hoare 1961); their order changes
static float largest(float *v, size_t count, size_t rank)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, want = (ptrdiff_t)rank;
    while (low < high) {
        float pivot = v[low + (high - low) / 2];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (v[i] > pivot) i++;
            while (v[j] < pivot) j--;
            if (i > j) break;
            float keep = v[i];
            v[i++] = v[j], v[j--] = keep;
        }
        if (want <= j)
            high = j;
        else if (want >= i)
            low = i;
        else
            break;
    }
    return v[want];
}

typedef struct {
    vec3 center;
    double radius;
} ball;

// how far grains reach along one direction, but for the farthest few: splashes do not shrink a movie
static void add_way(scr_picture_hull *h, int k, vec3 way, const ball *balls, size_t count, float *scratch)
{
    for (size_t i = 0; i < count; i++) scratch[i] = (float)(v3_dot(balls[i].center, way) + balls[i].radius);
    float reach = largest(scratch, count, count / STRAYS);
    if (h->any && reach <= h->reach[k]) return;
    // the first that reaches as far
    for (size_t i = 0; i < count; i++) {
        if ((float)(v3_dot(balls[i].center, way) + balls[i].radius) != reach) continue;
        h->reach[k] = reach, h->point[k] = balls[i].center, h->radius[k] = balls[i].radius;
        return;
    }
}

static size_t balls_fill(const scr_picture_content *content, ball *balls)
{
    const scr_picture_spheres *s = &content->spheres;
    vec3 low = content->box[0], high = content->box[1];
    bool boxed = low.x < high.x && low.y < high.y && low.z < high.z;
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        vec3 at = v3_load(s->position + 3 * i);
        if (!(s->radius[i] > 0 && s->radius[i] < 1e30 && v3_norm(at) < 1e30)) continue;
        if (boxed)
            at = v3(fmin(fmax(at.x, low.x), high.x), fmin(fmax(at.y, low.y), high.y), fmin(fmax(at.z, low.z), high.z));
        balls[count++] = (ball){at, s->radius[i]};
    }
    return count;
}

static size_t rods_fill(const scr_picture_rods *rods, ball *balls)
{
    size_t count = 0;
    for (size_t k = 0; k < 2 * rods->count; k++) {
        vec3 at = v3_load(rods->ends + 3 * k);
        if (rods->radius[k / 2] > 0 && v3_norm(at) < 1e30) balls[count++] = (ball){at, rods->radius[k / 2]};
    }
    return count;
}

static bool add_grains(scr_picture_hull *h, const vec3 way[], const scr_picture_content *content)
{
    size_t room = content->spheres.count + 2 * content->rods.count + 1;
    ball *balls = malloc(room * sizeof *balls);
    float *scratch = malloc(room * sizeof *scratch);
    bool ok = balls && scratch;
    size_t count = ok ? balls_fill(content, balls) : 0;
    if (ok) count += rods_fill(&content->rods, balls + count);
    for (int k = 0; k < SCR_HULL_WAYS && count; k++) add_way(h, k, way[k], balls, count, scratch);
    h->any |= count > 0;
    free(scratch);
    free(balls);
    return ok;
}

bool scr_hull_add(scr_picture_hull *h, const scr_picture_content *content)
{
    vec3 way[SCR_HULL_WAYS];
    ways_fill(way);
    const scr_picture_polygons *p = &content->polygons;
    if (!add_grains(h, way, content)) return false;
    for (uint32_t n = 0; p->count && n < p->first[p->count]; n++)
        add(h, way, v3_load(p->points + 3 * (size_t)p->corners[n]), 0);
    for (int k = 0; k < content->wall_count; k++) add_wall(h, way, &content->walls[k]);
    return true;
}
