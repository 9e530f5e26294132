/* Grains and mass that pass through a plane. Counting happens step by step in world/flow.h; here are the rows. */
#include "observe/flow.h"

#include <math.h>
#include <stdlib.h>

#include "observe/bins.h"

typedef struct {
    char *group;
    vec3 point, normal, bins;
    vec3 box[2];
} flow_def;

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"mass_rate", "kg/s", "net mass flow rate along the normal, averaged since the last row"},
    {"count_rate", "1/s", "net rate of grains along the normal, averaged since the last row"},
    {"mass", "kg", "net mass that passed along the normal since the start"},
    {"count", "", "net number of grains that passed along the normal since the start"},
    {"mass_along", "kg", "mass that passed along the normal"},
    {"mass_against", "kg", "mass that passed against it"},
    {"count_along", "", "grains that passed along the normal"},
    {"count_against", "", "grains that passed against it"},
    {"x", "m", "centre of where mass passed along the normal; NaN before any has"},
    {"y", "m", "centre"},
    {"z", "m", "centre"},
    {"spread_x", "m", "spread of where mass passed along the normal: standard deviation"},
    {"spread_y", "m", "spread"},
    {"spread_z", "m", "spread"},
    {0},
};

static const scr_column passed_column = {"passed", "", "grains that passed along the normal in each bin"};

static bool has_bins(const flow_def *d)
{
    return !isnan(d->bins.x);
}

static scr_bins bins_of(const scr_world *world, const flow_def *d)
{
    vec3 lower, upper;
    const int count[3] = {(int)d->bins.x, (int)d->bins.y, (int)d->bins.z};
    scr_observer_box(world, d->box, &lower, &upper);
    return scr_bins_of(&world->domain, lower, upper, count);
}

static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    if (!has_bins(def)) return true;
    scr_bins bins = bins_of(world, def);
    size_t count = scr_bins_count(&bins);
    double *centres = malloc((3 * count + 1) * sizeof *centres);
    if (!centres) return false;
    for (size_t k = 0; k < count; k++) v3_store(centres + 3 * k, scr_bins_centre(&bins, k));
    scr_series_axis axis = {"centre", "m", "centre of each bin: x, y, z; x runs fastest", (int)count, 3, centres};
    bool ok = scr_series_bins(series, &axis) && scr_series_column_add(series, &passed_column, true);
    free(centres);
    return ok;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    (void)def; // the plane has its bins
    const scr_flow *f = scr_flow_find(view->world, view->name);
    const scr_flow_sum passed = scr_flow_passed(f);
    double time = view->world->clock.time, span = time - f->mark_time;
    double mass = passed.mass[0] - passed.mass[1], old = f->mark.mass[0] - f->mark.mass[1];
    int64_t count = passed.count[0] - passed.count[1];
    int64_t old_count = f->mark.count[0] - f->mark.count[1];
    row[0] = time;
    row[1] = span > 0 ? (mass - old) / span : 0;
    row[2] = span > 0 ? (double)(count - old_count) / span : 0;
    row[3] = mass;
    row[4] = (double)count;
    for (int k = 0; k < 2; k++) {
        row[5 + k] = passed.mass[k];
        row[7 + k] = (double)passed.count[k];
    }
    for (int d = 0; d < 3; d++) {
        double centre = scr_total_value(&f->sum[SCR_FLOW_PLACE + d]) / passed.mass[0];
        double square = scr_total_value(&f->sum[SCR_FLOW_SQUARE + d]) / passed.mass[0] - centre * centre;
        bool none = passed.count[0] == 0;
        row[9 + d] = none ? NAN : (&f->point.x)[d] + centre;
        row[12 + d] = none ? NAN : sqrt(square < 0 ? 0 : square);
    }
    for (size_t k = 0; k < scr_flow_bins_number(&f->bins); k++) row[15 + k] = (double)f->bins.passed[k];
    return true;
}

static void mark(scr_world *world, const char *name)
{
    scr_flow *f = scr_flow_find(world, name);
    f->mark = scr_flow_passed(f);
    f->mark_time = world->clock.time;
}

static scree_status open(scr_world *world, const char *name, const void *def, scree_report *report)
{
    const flow_def *d = def;
    scr_flow flow = {.name = (char *)name,
                     .point = d->point,
                     .normal = v3_unit(d->normal),
                     .group = scr_observer_group(world, d->group)};
    if (has_bins(d)) {
        scr_bins bins = bins_of(world, d);
        flow.bins.low = v3_load(bins.lower), flow.bins.high = v3_load(bins.upper);
        for (int k = 0; k < 3; k++) flow.bins.count[k] = bins.count[k];
    }
    if (scr_flow_watch(world, &flow)) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                    "the flow %s is one too many: at most %d planes can be observed", name, SCR_MOST_FLOWS);
}

static void check_bins(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const flow_def *d = item->variant_def;
    const double *bins = &d->bins.x;
    scr_observer_check_box(world, scene, item, d->box, report);
    bool whole = bins[0] * bins[1] * bins[2] <= SCR_MOST_FLOW_BINS;
    for (int k = 0; k < 3; k++) whole &= bins[k] >= 1 && bins[k] == floor(bins[k]);
    if (!whole)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "bins"),
                 "observers.%s.bins is [%g, %g, %g], must be three whole numbers from 1 on, %d bins in all at most",
                 item->name, bins[0], bins[1], bins[2], SCR_MOST_FLOW_BINS);
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const flow_def *d = item->variant_def;
    const scr_domain *domain = &world->domain;
    vec3 n = v3_unit(d->normal);
    scr_observer_check_group(world, scene, item, d->group, report);
    if (!(v3_norm(d->normal) > 0) || !isfinite(v3_norm(d->normal))) {
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "normal"),
                 "observers.%s.normal is [%g, %g, %g], must not be zero", item->name, d->normal.x, d->normal.y,
                 d->normal.z);
        return;
    }
    if (has_bins(d)) check_bins(world, scene, item, report);
    // where in the domain the plane is: between the nearest and the farthest corner along its normal
    double nearest = 0, farthest = 0;
    for (int k = 0; k < 3; k++) {
        double c = (&n.x)[k], p = (&d->point.x)[k];
        double a = c * ((&domain->lower.x)[k] - p), b = c * ((&domain->upper.x)[k] - p);
        nearest += fmin(a, b), farthest += fmax(a, b);
        if (domain->periodic[k] && c != 0 && fabs(c) < 1 - 1e-12)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "normal"),
                     "observers.%s.normal is [%g, %g, %g]: along the periodic axis %c the plane must be perpendicular "
                     "or parallel to this axis",
                     item->name, d->normal.x, d->normal.y, d->normal.z, "xyz"[k]);
    }
    if (nearest > 0 || farthest < 0)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "point"),
                 "observers.%s: the plane through [%g, %g, %g] m does not cut the domain, so that nothing can pass "
                 "through it",
                 item->name, d->point.x, d->point.y, d->point.z);
}

static const scr_param params[] = {
    {"point", NULL, SCR_VEC3, "m", NULL, NULL, offsetof(flow_def, point), "Any point of the plane.", NULL},
    {"normal", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, offsetof(flow_def, normal),
     "Direction in which passages count as positive; need not be normalised.", NULL},
    SCR_OBSERVER_GROUP(flow_def),
    {"bins", NULL, SCR_VEC3, "", "", NULL, offsetof(flow_def, bins),
     "Also counts the grains that passed along the normal by where they passed the plane, in the bins of a grid: "
     "number "
     "of bins along x, y and z; 1 along an axis that is not divided. Default: no bins.",
     NULL},
    {"box", NULL, SCR_BOX, "m", "", NULL, offsetof(flow_def, box),
     "Lower and upper corner of the bins; passages outside are in no bin. Default: the whole domain.", NULL},
    {0},
};

const scr_observer scr_flow_observer = {
    .variant = {"flow",
                "Grains and mass whose centres pass through a plane. Every passage is counted, also between two rows, "
                "through periodic sides and of grains that leave the domain.",
                params, sizeof(flow_def)},
    .columns = columns,
    .layout = layout,
    .check = check,
    .open = open,
    .beside = true,
    .sample = sample,
    .mark = mark,
};
