/* Profiles: solid fraction, density, velocity, granular temperature and stress, bin by bin, on a line or
 * on a grid, by the volume of grains in each bin or smoothed with a kernel. Equations in fields.h. */
#include "observe/profile.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "observe/fields.h"

// what both kinds say
typedef struct {
    char *group;
    bool stress;
    vec3 box[2];
} common_def;

typedef struct {
    common_def common;
    int axis; // 0 x, 1 y, 2 z
    int64_t bins;
    double from, to; // NAN: the ends of the box
} line_def;

typedef struct {
    common_def common;
    vec3 bins;
} grid_def;

typedef struct {
    grid_def grid; /* first: what it says is said as of a grid */
    int kernel;    /* scr_kernel */
    double width;  /* [m]; NAN: the mean diameter */
} smooth_def;

/* ---- bins ---- */

static scr_bins line_bins(const scr_world *world, const void *def)
{
    const line_def *d = def;
    vec3 lower, upper;
    int count[3] = {1, 1, 1};
    scr_observer_box(world, d->common.box, &lower, &upper);
    if (!isnan(d->from)) (&lower.x)[d->axis] = d->from;
    if (!isnan(d->to)) (&upper.x)[d->axis] = d->to;
    count[d->axis] = (int)d->bins;
    return scr_bins_of(&world->domain, lower, upper, count);
}

static scr_bins grid_bins(const scr_world *world, const void *def)
{
    const grid_def *d = def;
    vec3 lower, upper;
    const int count[3] = {(int)d->bins.x, (int)d->bins.y, (int)d->bins.z};
    scr_observer_box(world, d->common.box, &lower, &upper);
    return scr_bins_of(&world->domain, lower, upper, count);
}

/* ---- columns ---- */

static const scr_column time_column = {"time", "s", "time"};
static const scr_column plain_columns[] = {
    {"solid_fraction", "", "volume of grains over volume of the bin"},
    {"density", "kg/m^3", "mass of grains over volume of the bin"},
    {"velocity_x", "m/s", "mean velocity, weighted with mass; NaN where there are no grains"},
    {"velocity_y", "m/s", "mean velocity"},
    {"velocity_z", "m/s", "mean velocity"},
    {"temperature", "m^2/s^2", "granular temperature: a third of the mean square of velocities about the bin's mean"},
    {0},
};
static const scr_column stress_columns[] = {
    {"pressure", "Pa", "a third of the trace of the stress; compression is positive"},
    {"stress_xx", "Pa", "stress of contacts and fluctuations; compression is positive"},
    {"stress_yy", "Pa", "stress"},
    {"stress_zz", "Pa", "stress"},
    {"stress_xy", "Pa", "stress, symmetric part"},
    {"stress_xz", "Pa", "stress, symmetric part"},
    {"stress_yz", "Pa", "stress, symmetric part"},
    {0},
};

static const scr_column tensor_columns[] = {
    {"pressure", "Pa", "a third of the trace of the stress; compression is positive"},
    {"stress_xx", "Pa", "stress of contacts and fluctuations; compression is positive"},
    {"stress_yy", "Pa", "stress"},
    {"stress_zz", "Pa", "stress"},
    {"stress_xy", "Pa", "stress: momentum along x that passes a plane across y"},
    {"stress_xz", "Pa", "stress: momentum along x that passes a plane across z"},
    {"stress_yz", "Pa", "stress: momentum along y that passes a plane across z"},
    {"stress_yx", "Pa", "stress: momentum along y that passes a plane across x"},
    {"stress_zx", "Pa", "stress: momentum along z that passes a plane across x"},
    {"stress_zy", "Pa", "stress: momentum along z that passes a plane across y"},
    {0},
};
static const scr_column kinetic_columns[] = {
    {"kinetic_xx", "Pa", "contribution of the fluctuations of velocity to the stress"},
    {"kinetic_yy", "Pa", "kinetic stress"},
    {"kinetic_zz", "Pa", "kinetic stress"},
    {"kinetic_xy", "Pa", "kinetic stress"},
    {"kinetic_xz", "Pa", "kinetic stress"},
    {"kinetic_yz", "Pa", "kinetic stress"},
    {0},
};

static bool layout(const scr_bins *bins, const common_def *common, const scr_column *stress, scr_series *series)
{
    size_t count = scr_bins_count(bins);
    double *centres = malloc((3 * count + 1) * sizeof *centres);
    if (!centres) return false;
    for (size_t k = 0; k < count; k++) v3_store(centres + 3 * k, scr_bins_centre(bins, k));
    scr_series_axis axis = {"centre", "m", "centre of each bin: x, y, z; x runs fastest", (int)count, 3, centres};
    bool ok = scr_series_bins(series, &axis) && scr_series_column_add(series, &time_column, false) &&
              scr_series_columns_add(series, plain_columns, true) &&
              (!common->stress || scr_series_columns_add(series, stress, true));
    free(centres);
    return ok;
}

static bool line_layout(const scr_world *world, const void *def, scr_series *series)
{
    scr_bins bins = line_bins(world, def);
    return layout(&bins, def, stress_columns, series);
}

static bool grid_layout(const scr_world *world, const void *def, scr_series *series)
{
    scr_bins bins = grid_bins(world, def);
    return layout(&bins, def, stress_columns, series);
}

static bool smooth_layout(const scr_world *world, const void *def, scr_series *series)
{
    const common_def *common = def;
    scr_bins bins = grid_bins(world, def);
    return layout(&bins, def, tensor_columns, series) &&
           (!common->stress || scr_series_columns_add(series, kinetic_columns, true));
}

/* ---- rows ---- */

static void put_stress(const scr_field_sums *s, double volume, double *out, size_t stride)
{
    double kinetic[6], contact[6];
    scr_field_kinetic(s, volume, kinetic);
    scr_field_contact(s, volume, contact);
    for (int k = 0; k < 6; k++) out[(size_t)(k + 1) * stride] = kinetic[k] + contact[k];
    out[0] = (out[stride] + out[2 * stride] + out[3 * stride]) / 3;
}

// pressure and the symmetric part are there: the whole tensor, then its kinetic part
static void put_tensor(const scr_field_sums *s, double volume, double *out, size_t stride)
{
    for (size_t k = 0; k < 3; k++) {
        double symmetric = out[(4 + k) * stride], skew = s->skew[k] / volume;
        out[(4 + k) * stride] = symmetric + skew;
        out[(7 + k) * stride] = symmetric - skew;
    }
}

static void put_kinetic(const scr_field_sums *s, double volume, double *out, size_t stride)
{
    double kinetic[6];
    scr_field_kinetic(s, volume, kinetic);
    for (int k = 0; k < 6; k++) out[(size_t)k * stride] = kinetic[k];
}

static bool sample(const scr_scene_view *view, const scr_bins *bins, const common_def *common, scr_smooth *smooth,
                   double *row)
{
    size_t n = scr_bins_count(bins);
    double volume = scr_bins_volume(bins);
    int group = scr_observer_group(view->world, common->group);
    scr_field_sums *sums = scr_fields_measure(view, bins, smooth, group, common->stress);
    if (!sums) return false;
    row[0] = view->world->clock.time;
    // columns one after the other, each with its bins
    for (size_t k = 0; k < n; k++) {
        const scr_field_sums *s = &sums[k];
        double *out = row + 1 + k;
        vec3 u = scr_field_velocity(s);
        out[0] = s->volume / volume;
        out[n] = s->mass / volume;
        out[2 * n] = u.x, out[3 * n] = u.y, out[4 * n] = u.z;
        out[5 * n] = scr_field_temperature(s);
        if (common->stress) put_stress(s, volume, out + 6 * n, n);
        if (common->stress && smooth) put_tensor(s, volume, out + 6 * n, n);
        if (common->stress && smooth) put_kinetic(s, volume, out + 16 * n, n);
    }
    scr_memory_free(sums);
    return true;
}

static bool line_sample(const scr_scene_view *view, const void *def, double *row)
{
    scr_bins bins = line_bins(view->world, def);
    return sample(view, &bins, def, NULL, row);
}

static bool grid_sample(const scr_scene_view *view, const void *def, double *row)
{
    scr_bins bins = grid_bins(view->world, def);
    return sample(view, &bins, def, NULL, row);
}

// twice the mean radius of grains; summed up by one thread in the order of rows, which is one on any number of ranks:
// rank 0 has the rows of all
static double mean_diameter(const scr_world *world)
{
    const scr_bodies *b = &world->bodies;
    double sum = 0;
    for (size_t i = 0; i < b->table.count; i++) sum += b->place[4 * i + 3];
    return b->table.count ? 2 * sum / (double)b->table.count : 0;
}

static bool smooth_sample(const scr_scene_view *view, const void *def, double *row)
{
    const smooth_def *d = def;
    scr_bins bins = grid_bins(view->world, def);
    double width = isnan(d->width) ? mean_diameter(view->world) : d->width;
    scr_smooth smooth;
    bool ok = scr_smooth_init(&smooth, &bins, d->kernel, width > 0 ? width : bins.edge[0]);
    ok = ok && sample(view, &bins, def, &smooth, row);
    scr_smooth_deinit(&smooth);
    return ok;
}

static bool needs_contacts(const void *def)
{
    return ((const common_def *)def)->stress;
}

/* ---- checks ---- */

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, const common_def *common,
                  scree_report *report)
{
    scr_observer_check_group(world, scene, item, common->group, report);
    scr_observer_check_box(world, scene, item, common->box, report);
    if (common->stress && common->group)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "stress"),
                 "observers.%s asks for the stress of one group, but contacts belong to two grains: leave out group or "
                 "stress",
                 item->name);
}

static void line_check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const line_def *d = item->variant_def;
    int errors = report->errors;
    check(world, scene, item, &d->common, report);
    if (report->errors > errors) return;
    scr_bins bins = line_bins(world, d);
    double lower = (&world->domain.lower.x)[d->axis], upper = (&world->domain.upper.x)[d->axis];
    double slack = 1e-9 * (upper - lower);
    if (!(bins.lower[d->axis] < bins.upper[d->axis]) || bins.lower[d->axis] < lower - slack ||
        bins.upper[d->axis] > upper + slack)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, isnan(d->to) ? "from" : "to"),
                 "observers.%s runs from %g to %g m along %c, it must go upwards in the domain, %g "
                 "to %g m",
                 item->name, bins.lower[d->axis], bins.upper[d->axis], "xyz"[d->axis], lower, upper);
}

static void grid_check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const grid_def *d = item->variant_def;
    const double *bins = &d->bins.x;
    check(world, scene, item, &d->common, report);
    bool whole = bins[0] * bins[1] * bins[2] <= SCR_MOST_BINS;
    for (int k = 0; k < 3; k++) whole &= bins[k] >= 1 && bins[k] == floor(bins[k]);
    if (!whole)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "bins"),
                 "observers.%s.bins is [%g, %g, %g], must be three whole numbers from 1 on, %d bins "
                 "in all at most",
                 item->name, bins[0], bins[1], bins[2], SCR_MOST_BINS);
}

/* ---- tables ---- */

#define COMMON(with_stress)                                                               \
    {"box",                                                                               \
     NULL,                                                                                \
     SCR_BOX,                                                                             \
     "m",                                                                                 \
     "",                                                                                  \
     NULL,                                                                                \
     offsetof(common_def, box),                                                           \
     "Lower and upper corner of the region. Default: the whole domain.",                  \
     NULL},                                                                               \
        SCR_OBSERVER_GROUP(common_def),                                                   \
    {                                                                                     \
        "stress", NULL, SCR_BOOL, NULL, with_stress, NULL, offsetof(common_def, stress),  \
            "Whether to measure the stress too: contacts (Love-Weber) and fluctuations; " \
            "compression is positive.",                                                   \
            NULL                                                                          \
    }

static const scr_param line_params[] = {
    {"axis", NULL, SCR_CHOICE, NULL, "z", "x y z", offsetof(line_def, axis), "Axis of the line.", NULL},
    {"bins", NULL, SCR_INT, NULL, "20", "[1, 1000000]", offsetof(line_def, bins), "Number of bins of equal size.",
     NULL},
    {"from", NULL, SCR_REAL, "m", "", NULL, offsetof(line_def, from),
     "Where the first bin begins. Default: the end of the box.", NULL},
    {"to", NULL, SCR_REAL, "m", "", NULL, offsetof(line_def, to),
     "Where the last bin ends. Default: the end of the box.", NULL},
    COMMON("false"),
    {0},
};

static const scr_param grid_params[] = {
    {"bins", NULL, SCR_VEC3, "", "[10, 10, 10]", NULL, offsetof(grid_def, bins),
     "Number of bins along x, y and z; 1 along an axis that is not divided.", NULL},
    COMMON("false"),
    {0},
};

static const scr_param smooth_params[] = {
    {"bins", NULL, SCR_VEC3, "", "[10, 10, 10]", NULL, offsetof(smooth_def, grid.bins),
     "Number of grid points along x, y and z; 1 along an axis that is averaged over.", NULL},
    {"kernel", NULL, SCR_CHOICE, NULL, "gaussian", "gaussian lucy", offsetof(smooth_def, kernel),
     "gaussian: exp(-r^2/(2 w^2)) with the width w, cut at 4 w. lucy: (1 + 3 q)(1 - q)^3 with q = r/(2 w), which ends "
     "at 2 w.",
     NULL},
    {"width", NULL, SCR_REAL, "m", "auto", "> 0 | auto", offsetof(smooth_def, width),
     "Width w of the kernel. auto: the mean diameter of the grains.", NULL},
    COMMON("true"),
    {0},
};

const scr_observer scr_profile_observer = {
    .variant = {"profile",
                "Solid fraction, density, velocity, granular temperature (and stress) in slices "
                "along an axis. Each grain contributes to a slice the volume that lies in it.",
                line_params, sizeof(line_def)},
    .layout = line_layout,
    .needs_contacts = needs_contacts,
    .check = line_check,
    .sample = line_sample,
};

const scr_observer scr_grid_observer = {
    .variant = {"grid", "The quantities of a profile in the bins of a grid in two or three dimensions.", grid_params,
                sizeof(grid_def)},
    .layout = grid_layout,
    .needs_contacts = needs_contacts,
    .check = grid_check,
    .sample = grid_sample,
};

const scr_observer scr_fields_observer = {
    .variant = {"fields",
                "Coarse-grained continuum fields on a grid: solid fraction, density, velocity, granular temperature, "
                "stress and its kinetic part, smoothed with a kernel. The kernel of each grain is normalised over the "
                "grid, so that density times the volume of a bin adds up to the mass of the grains in the box, and "
                "with the velocity to their momentum.",
                smooth_params, sizeof(smooth_def)},
    .layout = smooth_layout,
    .needs_contacts = needs_contacts,
    .check = grid_check,
    .sample = smooth_sample,
};
