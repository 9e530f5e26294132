#include "observe/ports.h"

#include <stdio.h>

static const scr_column time_column = {"time", "s", "time"};
static const scr_column inlet_columns[] = {
    {"count", "", "grains inserted"},
    {"mass", "kg", "mass inserted"},
    {"owed", "", "grains, or mass [kg], that are due and wait for room"},
    {"lost", "", "the same, dropped because the region was full"},
    {0},
};
static const scr_column outlet_columns[] = {
    {"count", "", "grains that have left"},
    {"mass", "kg", "mass that has left"},
    {0},
};

static bool add_columns(scr_series *series, const char *port, const scr_column *columns)
{
    for (const scr_column *c = columns; c->name; c++) {
        char name[256];
        scr_column column = *c;
        snprintf(name, sizeof name, "%.240s.%s", port, c->name);
        column.name = name;
        if (!scr_series_column_add(series, &column, false)) return false;
    }
    return true;
}

static bool layout(const scr_world *w, const void *def, scr_series *series)
{
    (void)def;
    bool good = scr_series_column_add(series, &time_column, false);
    for (int k = 0; k < w->inlet_count && good; k++) good = add_columns(series, w->inlets[k].name, inlet_columns);
    for (int k = 0; k < w->outlet_count && good; k++) good = add_columns(series, w->outlets[k].name, outlet_columns);
    return good;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    (void)def;
    *row++ = w->clock.time;
    for (int k = 0; k < w->inlet_count; k++) {
        const scr_inlet *inlet = &w->inlets[k];
        *row++ = (double)inlet->count;
        *row++ = inlet->mass;
        *row++ = inlet->owed;
        *row++ = inlet->lost;
    }
    for (int k = 0; k < w->outlet_count; k++) {
        *row++ = (double)w->outlets[k].count;
        *row++ = w->outlets[k].mass;
    }
    return true;
}

static void check(const scr_world *w, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    if (w->inlet_count || w->outlet_count) return;
    scr_warn(report, scr_item_place(scene, item, NULL),
             "observers.%s: there are no inlets and no outlets, its rows will contain only the time", item->name);
}

static const scr_param params[] = {{0}};

const scr_observer scr_ports_observer = {
    .variant = {"ports",
                "Grains and mass inserted by each inlet and removed by each outlet "
                "since the start. Each column is prefixed with the name of its inlet or outlet.",
                params, 0},
    .layout = layout,
    .check = check,
    .beside = true,
    .sample = sample,
};
