#include "observe/ledger.h"

#include "world/energy.h"

scr_energies scr_ledger_energies(const scr_world *w)
{
    scr_energies e = {0};
    scr_world_energies(w, &e.translation, &e.rotation, &e.gravity);
    const scr_ledger *l = &w->ledger;
    e.mechanical = e.translation + e.rotation + e.gravity + l->elastic_normal +
                   l->elastic_tangential + l->elastic_rolling + l->elastic_bond + l->elastic_solid;
    e.damping = l->damping + l->excess_damping;
    e.friction = l->friction;
    e.rolling = l->rolling + l->excess_rolling;
    double lost = e.damping + e.friction + e.rolling + l->broken + l->cracked + l->absorbed +
                  l->numerical + l->merging + l->removed;
    double brought =
        l->wall_work + l->group_work + l->motor_work + l->load_work + l->support_work + l->inserted;
    e.closure = e.mechanical + lost - brought - l->initial;
    return e;
}

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"translation", "J", "kinetic energy of the centres"},
    {"rotation", "J", "kinetic energy of rotation"},
    {"gravity", "J", "potential energy, counted through periodic boundaries"},
    {"elastic_normal", "J", "stored in the normal springs of contacts"},
    {"elastic_tangential", "J", "stored in the tangential springs of contacts"},
    {"elastic_rolling", "J", "stored in the rolling and twisting springs of contacts"},
    {"elastic_bond", "J", "stored in bonds"},
    {"elastic_solid", "J", "stored in elastic solids"},
    {"damping", "J", "dissipated by damping since the start"},
    {"friction", "J", "dissipated by sliding since the start"},
    {"rolling", "J", "dissipated by rolling and twisting since the start"},
    {"broken", "J", "held by bonds when they broke"},
    {"cracked", "J", "released by links of elastic solids that broke"},
    {"absorbed", "J", "taken by damping of elastic solids and by sponges"},
    {"numerical", "J", "lost by the time stepping itself; none with stepper soft"},
    {"merging", "J", "lost where grains merged into an aggregate"},
    {"wall_work", "J", "work done by moving walls since the start"},
    {"group_work", "J", "work done by groups of prescribed motion since the start"},
    {"motor_work", "J", "work done by motors of joints since the start"},
    {"load_work", "J",
     "work done by loads on elastic solids, and by gravity that changes, since the start"},
    {"support_work", "J", "work done by supports that move since the start"},
    {"inserted", "J", "brought by grains that came after the start"},
    {"removed", "J", "carried away by grains that left the domain"},
    {"closure", "J", "balance error: energy created or lost by the time integration"},
    {"bodies", "", "number of grains"},
    {"contacts", "", "number of contacts; nonsmooth: those that carry an impulse"},
    {0},
};

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    (void)def;
    const scr_world *w = view->world;
    const scr_ledger *l = &w->ledger;
    scr_energies e = scr_ledger_energies(w);
    const double values[] = {w->clock.time,
                             e.translation,
                             e.rotation,
                             e.gravity,
                             l->elastic_normal,
                             l->elastic_tangential,
                             l->elastic_rolling,
                             l->elastic_bond,
                             l->elastic_solid,
                             e.damping,
                             e.friction,
                             e.rolling,
                             l->broken,
                             l->cracked,
                             l->absorbed,
                             l->numerical,
                             l->merging,
                             l->wall_work,
                             l->group_work,
                             l->motor_work,
                             l->load_work,
                             l->support_work,
                             l->inserted,
                             l->removed,
                             e.closure,
                             (double)w->bodies.table.count,
                             (double)view->contacts};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) row[k] = values[k];
    return true;
}

const scr_observer scr_ledger_observer = {
    .variant = {"ledger",
                "Energy balance: energies by kind, dissipation, work and the balance error.", NULL,
                0},
    .columns = columns,
    .sample = sample,
};
