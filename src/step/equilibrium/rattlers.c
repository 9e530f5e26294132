#include "step/equilibrium/rattlers.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "kernel/contact.h"

// with friction torques are balanced too
static int least_contacts(const scr_world *w)
{
    bool friction = false;
    for (int k = 0; k < w->material_count * w->material_count; k++) friction |= contact_holds(&w->laws[k]);
    return friction ? 2 : v3_norm(w->gravity) > 0 ? 3 : 4;
}

static void count(const scr_world *w, const scr_pairs *p, int least, double *z)
{
    const scr_bonds *bonds = &w->bonds;
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (z[i] >= 0) z[i] = 0;
    for (size_t k = 0; k < p->count; k++)
        if (p->touch[k] && z[p->first[k]] >= 0 && z[p->second[k]] >= 0) z[p->first[k]]++, z[p->second[k]]++;
    for (size_t k = 0; k < p->walls.count; k++)
        if (p->walls.touch[k] && z[p->walls.body[k]] >= 0) z[p->walls.body[k]]++;
    // a bond holds in every direction
    for (size_t k = 0; k < bonds->table.count; k++)
        if (bonds->fate[k] == SCR_BOND_HOLDS && z[bonds->row[2 * k]] >= 0 && z[bonds->row[2 * k + 1]] >= 0)
            z[bonds->row[2 * k]] += least, z[bonds->row[2 * k + 1]] += least;
}

scr_rattlers scr_rattlers_find(const scr_world *w, const scr_pairs *p, const uint32_t *on_cells, size_t on_cell_count,
                               double *z)
{
    const scr_bodies *b = &w->bodies;
    size_t n = b->table.count;
    scr_rattlers r = {.least = least_contacts(w)};
    scr_clear(z, n * sizeof *z);
    // they are taken out until no more turn up
    for (bool again = true; again;) {
        count(w, p, r.least, z);
        for (size_t k = 0; k < on_cell_count; k++)
            if (z[on_cells[k]] >= 0) z[on_cells[k]]++;
        again = false;
        for (size_t i = 0; i < n; i++)
            if (z[i] >= 0 && z[i] < r.least && b->motion[4 * i + 3] > 0) z[i] = -1, again = true;
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(b->motion[4 * i + 3] > 0)) continue;
        r.free++;
        if (z[i] >= 0) r.carried++, sum += z[i];
    }
    r.mean = r.carried ? sum / (double)r.carried : 0;
    return r;
}

void scr_rattlers_say(const scr_rattlers *r, double left, const char *what, double strongest, int64_t contacts)
{
    char grains[160] = "";
    if (r->free)
        snprintf(grains, sizeof grains,
                 ", %.4g per grain that carries, %zu of %zu grains are rattlers (fewer than %d "
                 "contacts)",
                 r->mean, r->free - r->carried, r->free, r->least);
    scr_say("at rest: %.3g of the largest %s (%.4g N) is left; %lld contacts%s", left, what, strongest,
            (long long)contacts, grains);
}
