/* Angles of repose: of a heap about an axis, and of the slope of a bed. The surface is found and fitted in
 * surface.h; the angle is that of the fit against the horizontal, which is at right angles to `up`. */
#include "observe/repose.h"

#include <math.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "observe/surface.h"

// what both kinds say
typedef struct {
    char *group;
    vec3 up; // zero: against gravity
    vec3 box[2];
    double cell;      // NAN: four mean radii
    double window[2]; // fractions
} common_def;

typedef struct {
    common_def common;
    vec3 center;
    double base; // NAN: the lowest grain
} heap_def;

typedef struct {
    common_def common;
    vec3 direction;
} slope_def;

/* ---- grains ---- */

// grains in the box and group, with s, t and z along three unit vectors; cells are not known yet
typedef struct {
    scr_surface_grain *grains;
    size_t count;
    double mean_radius, bottom, top;       // bottom and top of grains
    double low, high, leftmost, rightmost; // ranges of s and t
    double cell;
    vec3 along, across, up;
} grain_bed;

static bool is_inside(const double *x, vec3 lower, vec3 upper)
{
    return x[0] >= lower.x && x[0] <= upper.x && x[1] >= lower.y && x[1] <= upper.y && x[2] >= lower.z &&
           x[2] <= upper.z;
}

static bool gather(const scr_scene_view *view, const common_def *def, vec3 origin, vec3 direction, grain_bed *bed)
{
    const scr_world *w = view->world;
    const scr_bodies *b = &w->bodies;
    int group = scr_observer_group(w, def->group);
    vec3 lower, upper;
    scr_observer_box(w, def->box, &lower, &upper);
    bed->up = scr_observer_up(w, def->up);
    // across the vertical, along the direction that is given
    vec3 flat = v3_axpy(direction, -v3_dot(direction, bed->up), bed->up);
    bed->along =
        v3_norm(flat) > 1e-9 * v3_norm(direction) && v3_norm(flat) > 0 ? v3_unit(flat) : v3_perpendicular(bed->up);
    bed->across = v3_cross(bed->up, bed->along);
    bed->grains = scr_memory_new(b->table.count + 1, sizeof *bed->grains);
    if (!bed->grains) return false;
    bed->bottom = bed->low = bed->leftmost = INFINITY;
    bed->top = bed->high = bed->rightmost = -INFINITY;
    for (size_t i = 0; i < b->table.count; i++) {
        const double *x = b->place + 4 * i;
        bool whole = def->box[0].x >= def->box[1].x;
        if (!scr_observer_sees(w, group, i) || !(whole || is_inside(x, lower, upper))) continue;
        vec3 d = v3_sub(v3_load(x), origin);
        double s = v3_dot(d, bed->along), t = v3_dot(d, bed->across), z = v3_dot(d, bed->up);
        bed->grains[bed->count++] = (scr_surface_grain){.s = s, .t = t, .z = z, .r = x[3]};
        bed->mean_radius += x[3];
        bed->bottom = fmin(bed->bottom, z - x[3]), bed->top = fmax(bed->top, z + x[3]);
        bed->low = fmin(bed->low, s), bed->high = fmax(bed->high, s);
        bed->leftmost = fmin(bed->leftmost, t), bed->rightmost = fmax(bed->rightmost, t);
    }
    if (bed->count) bed->mean_radius /= (double)bed->count;
    bed->cell = isnan(def->cell) ? 4 * bed->mean_radius : def->cell;
    return true;
}

// cells of a grid, numbered by two whole numbers
static int64_t cell_number(double p, double q)
{
    p = fmin(fmax(p, -1e9), 1e9), q = fmin(fmax(q, -1e9), 1e9);
    return (int64_t)p * ((int64_t)1 << 32) + (int64_t)q;
}

static double degrees(double slope)
{
    return scr_atan(slope) * (180 / M_PI);
}

/* ---- heaps ---- */

static const scr_column heap_columns[] = {
    {"time", "s", "time"},
    {"angle", "deg", "slope of the cone against the horizontal; negative for a crater"},
    {"height", "m", "highest point of a grain above the base"},
    {"radius", "m", "where the fitted cone meets the base"},
    {"apex", "m", "height of the fitted cone's tip above the base"},
    {"roughness", "m", "root mean square of the surface about the cone"},
    {"cells", "", "number of cells that were fitted"},
    {0},
};

// s becomes the distance from the axis; rings of cells with as many cells as have room
static void make_rings(grain_bed *bed)
{
    for (size_t k = 0; k < bed->count; k++) {
        scr_surface_grain *g = &bed->grains[k];
        double away = scr_hypot(g->s, g->t), turn = scr_atan2(g->t, g->s) / (2 * M_PI) + 0.5;
        double ring = floor(away / bed->cell), sectors = rint(2 * M_PI * (ring + 0.5));
        g->cell = cell_number(ring, floor(turn * sectors));
        g->s = away, g->t = 0;
    }
}

static bool heap_sample(const scr_scene_view *view, const void *def, double *row)
{
    const heap_def *d = def;
    const double *window = d->common.window;
    grain_bed bed = {0};
    if (!gather(view, &d->common, d->center, v3(1, 0, 0), &bed)) return false;
    make_rings(&bed);
    // heights are measured from `center`; the base is one along the vertical
    double base = isnan(d->base) ? bed.bottom : d->base - v3_dot(d->center, bed.up);
    double height = bed.top - base;
    scr_surface_def surface = {.by_height = true, .low = base + window[0] * height, .high = base + window[1] * height};
    scr_surface fit = scr_surface_fit(bed.grains, bed.count, &surface);
    row[0] = view->world->clock.time;
    row[1] = degrees(-fit.b);
    row[2] = bed.count ? height : NAN;
    row[3] = (base - fit.a) / fit.b;
    row[4] = fit.a - base;
    row[5] = fit.rms;
    row[6] = fit.cells;
    scr_memory_free(bed.grains);
    return true;
}

/* ---- slopes ---- */

static const scr_column slope_columns[] = {
    {"time", "s", "time"},
    {"angle", "deg", "slope of the surface along the direction; positive where it rises"},
    {"angle_across", "deg", "slope perpendicular to it"},
    {"level", "m", "height of the fitted plane in the middle of the bed"},
    {"roughness", "m", "root mean square of the surface about the plane"},
    {"cells", "", "number of cells that were fitted"},
    {0},
};

// a range is divided evenly, into cells of about `cell`: in what is left over at its end the highest grain would be any
static double part_of(double x, double from, double to, double cell)
{
    double parts = fmax(rint((to - from) / cell), 1);
    return to > from ? fmin(floor((x - from) / (to - from) * parts), parts - 1) : 0;
}

static bool slope_sample(const scr_scene_view *view, const void *def, double *row)
{
    const slope_def *d = def;
    const double *window = d->common.window;
    grain_bed bed = {0};
    if (!gather(view, &d->common, v3(0, 0, 0), d->direction, &bed)) return false;
    for (size_t k = 0; k < bed.count; k++) {
        scr_surface_grain *g = &bed.grains[k];
        g->cell = cell_number(part_of(g->s, bed.low, bed.high, bed.cell),
                              part_of(g->t, bed.leftmost, bed.rightmost, bed.cell));
    }
    double length = bed.high - bed.low;
    scr_surface_def surface = {
        .tilted = true, .low = bed.low + window[0] * length, .high = bed.low + window[1] * length};
    scr_surface fit = scr_surface_fit(bed.grains, bed.count, &surface);
    double across = 0;
    for (size_t k = 0; k < bed.count; k++) across += bed.grains[k].t / (double)bed.count;
    row[0] = view->world->clock.time;
    row[1] = degrees(fit.b);
    row[2] = degrees(fit.c);
    row[3] = fit.a + fit.b * 0.5 * (bed.low + bed.high) + fit.c * across;
    row[4] = fit.rms;
    row[5] = fit.cells;
    scr_memory_free(bed.grains);
    return true;
}

/* ---- tables ---- */

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const common_def *d = item->variant_def;
    scr_observer_check_group(world, scene, item, d->group, report);
    scr_observer_check_box(world, scene, item, d->box, report);
}

static void slope_check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const slope_def *d = item->variant_def;
    vec3 up = scr_observer_up(world, d->common.up), along = v3_unit(d->direction);
    check(world, scene, item, report);
    if (!(v3_norm(v3_cross(up, along)) > 1e-6))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "direction"),
                 "observers.%s.direction is [%g, %g, %g], it must not be zero nor vertical", item->name, d->direction.x,
                 d->direction.y, d->direction.z);
}

#define COMMON(what)                                                                                      \
    {"up",                                                                                                \
     NULL,                                                                                                \
     SCR_VEC3,                                                                                            \
     "",                                                                                                  \
     "",                                                                                                  \
     NULL,                                                                                                \
     offsetof(common_def, up),                                                                            \
     "Upward direction; need not be normalised. Default: opposite to gravity.",                           \
     NULL},                                                                                               \
        {"box",                                                                                           \
         NULL,                                                                                            \
         SCR_BOX,                                                                                         \
         "m",                                                                                             \
         "",                                                                                              \
         NULL,                                                                                            \
         offsetof(common_def, box),                                                                       \
         "Only grains with their centre in this box. Default: all.",                                      \
         NULL},                                                                                           \
        {"cell",                                                                                          \
         NULL,                                                                                            \
         SCR_REAL,                                                                                        \
         "m",                                                                                             \
         "auto",                                                                                          \
         "> 0 | auto",                                                                                    \
         offsetof(common_def, cell),                                                                      \
         "Size of the cells in which the highest grain makes the surface. auto: four mean radii.",        \
         NULL},                                                                                           \
        {"window", NULL, SCR_SPAN, "", "[0.2, 0.8]", "[0, 1]", offsetof(common_def, window), what, NULL}, \
        SCR_OBSERVER_GROUP(common_def)

static const scr_param heap_params[] = {
    {"center", "centre", SCR_VEC3, "m", "[0, 0, 0]", NULL, offsetof(heap_def, center),
     "A point of the axis of the heap.", NULL},
    {"base", NULL, SCR_REAL, "m", "", NULL, offsetof(heap_def, base),
     "Height of the ground, along up from the origin. Default: the lowest point of any grain.", NULL},
    COMMON("Range of the heap's height that is fitted, as fractions: tip and foot are left out."),
    {0},
};

static const scr_param slope_params[] = {
    {"direction", NULL, SCR_VEC3, "", "[1, 0, 0]", NULL, offsetof(slope_def, direction),
     "Direction along which the slope is measured; its vertical component is ignored.", NULL},
    COMMON("Range of the bed's length that is fitted, as fractions: the ends are left out."),
    {0},
};

const scr_observer scr_heap_observer = {
    .variant = {"heap", "Angle of repose of a heap: a cone fitted to its surface.", heap_params, sizeof(heap_def)},
    .columns = heap_columns,
    .check = check,
    .sample = heap_sample,
};

const scr_observer scr_slope_observer = {
    .variant = {"slope", "Slope of the surface of a bed, in a box or a drum: a plane fitted to its surface.",
                slope_params, sizeof(slope_def)},
    .columns = slope_columns,
    .check = slope_check,
    .sample = slope_sample,
};
