/* Regions (see region.h). A sphere lies inside a frustum when it is inside both end planes and its
 * distance to the mantle, (R(s) - rho) cos(alpha) with the half angle alpha, is at least its
 * radius. */
#include "scene/region.h"

#include <string.h>

#include "math/elementary.h"
#include "scene/region_text.h"

#define PI 3.14159265358979323846

static void init_box(scr_region *region, const vec3 *box, const scr_domain_def *domain)
{
    region->kind = SCR_REGION_BOX;
    region->low = box[0], region->high = box[1];
    const double *low = &box[0].x, *high = &box[1].x;
    const double *first = &domain->box[0].x, *last = &domain->box[1].x;
    for (int k = 0; k < 3; k++) {
        // beyond a full period there is nothing new
        region->endless[k] = domain->periodic[k] && low[k] <= first[k] && high[k] >= last[k];
        if (!region->endless[k]) continue;
        (&region->low.x)[k] = first[k];
        (&region->high.x)[k] = last[k];
    }
    vec3 size = v3_sub(region->high, region->low);
    region->volume = size.x * size.y * size.z;
}

static void init_frustum(scr_region *region, const scr_region_frustum_def *def, bool cylinder)
{
    region->kind = SCR_REGION_FRUSTUM;
    region->from = def->from;
    vec3 along = v3_sub(def->to, def->from);
    region->length = v3_norm(along);
    region->axis = v3_unit(along);
    region->side[0] = v3_perpendicular(region->axis);
    region->side[1] = v3_cross(region->axis, region->side[0]);
    double a = def->radius_from, b = cylinder ? a : def->radius_to;
    region->radius[0] = a, region->radius[1] = b;
    region->volume = PI / 3 * region->length * (a * a + a * b + b * b);
    // a disc across the axis n reaches radius * sqrt(1 - n_k^2) along axis k
    for (int k = 0; k < 3; k++) {
        double n = (&region->axis.x)[k], reach = sqrt(fmax(0, 1 - n * n));
        double p = (&def->from.x)[k], q = (&def->to.x)[k];
        (&region->low.x)[k] = fmin(p - a * reach, q - b * reach);
        (&region->high.x)[k] = fmax(p + a * reach, q + b * reach);
    }
}

static void init_sphere(scr_region *region, const scr_region_sphere_def *def)
{
    region->kind = SCR_REGION_SPHERE;
    region->center = def->center;
    region->radius[0] = def->radius;
    region->volume = 4 * PI / 3 * def->radius * def->radius * def->radius;
    vec3 reach = v3(def->radius, def->radius, def->radius);
    region->low = v3_sub(def->center, reach);
    region->high = v3_add(def->center, reach);
}

bool scr_region_init(scr_region *region, const scr_scene *scene, const scr_item *item)
{
    return scr_region_init_in(region, scr_scene_def(scene, "domain"), item);
}

bool scr_region_init_in(scr_region *region, const scr_domain_def *domain, const scr_item *item)
{
    const char *shape = item->variant ? item->variant->name : "";
    *region = (scr_region){0};
    if (!item->variant_def)
        init_box(region, domain->box, domain);
    else if (!strcmp(shape, "box"))
        init_box(region, ((const scr_region_box_def *)item->variant_def)->box, domain);
    else if (!strcmp(shape, "sphere"))
        init_sphere(region, item->variant_def);
    else
        init_frustum(region, item->variant_def, !strcmp(shape, "cylinder"));
    vec3 size = v3_sub(region->high, region->low);
    return isfinite(region->volume) && region->volume > 0 && isfinite(v3_norm(size));
}

scr_region scr_region_beyond(vec3 point, vec3 normal)
{
    return (scr_region){.kind = SCR_REGION_BEYOND, .from = point, .axis = v3_unit(normal), .volume = INFINITY};
}

bool scr_region_holds(const scr_region *region, vec3 center, double radius, double slack)
{
    return region_holds(region, center, radius, slack);
}

int scr_region_side_count(const scr_region *region)
{
    return region->kind == SCR_REGION_BOX ? 6 : region->kind == SCR_REGION_FRUSTUM ? 3 : 1;
}

static double box_side(const scr_region *region, int side, vec3 p, vec3 *inward)
{
    int k = side / 2;
    double sign = side % 2 ? -1 : 1, border = (side % 2 ? &region->high.x : &region->low.x)[k];
    *inward = v3(sign * (k == 0), sign * (k == 1), sign * (k == 2));
    return region->endless[k] ? INFINITY : sign * ((&p.x)[k] - border);
}

static double frustum_side(const scr_region *region, int side, vec3 p, vec3 *inward)
{
    vec3 d = v3_sub(p, region->from);
    double s = v3_dot(d, region->axis);
    if (side < 2) {
        *inward = v3_scale(side ? -1 : 1, region->axis);
        return side ? region->length - s : s;
    }
    vec3 across = v3_axpy(d, -s, region->axis);
    double slope = (region->radius[1] - region->radius[0]) / region->length;
    double cosine = 1 / sqrt(1 + slope * slope);
    *inward = v3_scale(cosine, v3_axpy(v3_scale(-1, v3_unit(across)), slope, region->axis));
    return (region->radius[0] + slope * s - v3_norm(across)) * cosine;
}

double scr_region_side(const scr_region *region, int side, vec3 p, vec3 *inward)
{
    if (region->kind == SCR_REGION_BOX) return box_side(region, side, p, inward);
    if (region->kind == SCR_REGION_FRUSTUM) return frustum_side(region, side, p, inward);
    vec3 d = v3_sub(p, region->center);
    *inward = v3_scale(-1, v3_unit(d));
    return region->radius[0] - v3_norm(d);
}

static bool box_point(const scr_region *region, double radius, scr_random *random, double *point)
{
    for (int k = 0; k < 3; k++) {
        double margin = region->endless[k] ? 0 : radius;
        double low = (&region->low.x)[k] + margin, high = (&region->high.x)[k] - margin;
        if (low > high) return false;
        point[k] = scr_random_between(random, low, high);
    }
    return true;
}

bool scr_region_point(const scr_region *region, double radius, scr_random *random, vec3 *point)
{
    if (region->kind == SCR_REGION_BOX) {
        double p[3];
        bool fits = box_point(region, radius, random, p);
        if (fits) *point = v3_load(p);
        return fits;
    }
    if (region->kind == SCR_REGION_SPHERE) {
        double reach = region->radius[0] - radius;
        double x = scr_random_between(random, -reach, reach);
        double y = scr_random_between(random, -reach, reach);
        double z = scr_random_between(random, -reach, reach);
        *point = v3_add(region->center, v3(x, y, z));
        return reach >= 0;
    }
    // the cylinder around the frustum
    double wide = fmax(region->radius[0], region->radius[1]) - radius;
    double s = scr_random_between(random, radius, region->length - radius);
    double across = wide * sqrt(scr_random_unit(random));
    double angle = 2 * PI * scr_random_unit(random);
    vec3 p = v3_axpy(region->from, s, region->axis);
    p = v3_axpy(p, across * scr_cos(angle), region->side[0]);
    *point = v3_axpy(p, across * scr_sin(angle), region->side[1]);
    return wide >= 0 && region->length >= 2 * radius;
}
