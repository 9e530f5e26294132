#include "observe/ledger.h"

static const scr_column columns[] = {
    {"time", "s", "time"},
#define F(name, kind, part, label, colour, doc) {#name, "J", doc},
    SCREE_ACCOUNTS(F)
#undef F
        {"closure", "J", "balance error: energy created or lost by the time integration"},
    {"kinetic", "J", "kinetic energy: translation and rotation"},
    {"bodies", "", "number of grains"},
    {"contacts", "", "number of contacts; nonsmooth: those that carry an impulse"},
    {0},
};

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    (void)def;
    const scr_world *w = view->world;
    const scree_energies *e = &view->energies;
    *row++ = w->clock.time;
    for (const scree_account *a = scree_accounts(); a->name; a++) *row++ = scree_account_value(a, e);
    *row++ = e->closure;
    *row++ = e->translation + e->rotation;
    *row++ = (double)w->bodies.table.count;
    *row++ = (double)view->contacts;
    if (w->stage_count) *row++ = w->stage_count;
    return true;
}

const scr_observer scr_ledger_observer = {
    .variant = {"ledger", "Energy balance: energies by kind, dissipation, work and the balance error.", NULL, 0},
    .columns = columns,
    .tells_stage = true,
    .totals = true,
    .sample = sample,
};
