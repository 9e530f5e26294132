#include "observe/bonds.h"

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"holding", "", "bonds that hold"},
    {"broken_tension", "", "bonds broken by tension since the start"},
    {"broken_shear", "", "bonds broken by shear since the start"},
    {"elastic", "J", "energy stored in bonds"},
    {"broken", "J", "energy stored in bonds when they broke, since the start"},
    {0},
};

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    (void)def;
    const scr_world *w = view->world;
    size_t holding = 0;
    for (size_t k = 0; k < w->bonds.table.count; k++) holding += w->bonds.fate[k] == SCR_BOND_HOLDS;
    row[0] = w->clock.time;
    row[1] = (double)holding;
    row[2] = (double)w->clock.broken_tension;
    row[3] = (double)w->clock.broken_shear;
    row[4] = w->ledger.elastic_bond;
    row[5] = SCR_ACCOUNT(&w->ledger, broken);
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    if (!world->bonds.table.count) scr_warn(report, scr_item_place(scene, item, NULL), "there are no bonds to count");
}

const scr_observer scr_bonds_observer = {
    .variant = {"bonds", "Bonds that hold and that broke, and their energy.", NULL, 0},
    .columns = columns,
    .check = check,
    .sample = sample,
};
