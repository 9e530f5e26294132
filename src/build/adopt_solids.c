/* What the scene says of a solid is kept (its material, masses, stiffness), its state is taken over. A broken link
 * opens its face: where Poisson's ratio is another than it was, what the face adds to the corrected volume is added
 * anew, Vt += 3 nu/(1 - 2 nu) S h/3, and for shells Vk += 3 nu/(1 - nu) S h/3 ((9) and (16) of
 * docs/theory-elastic.md). */
#include "build/adopt_solids.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "build/walls.h"
#include "math/elementary.h"

typedef struct {
    scr_world *to;
    const scr_world *from;
    const scr_solid *now, *past;
    size_t link, past_link; /* where their links begin */
    size_t link_count;
} pairing;

// links are sorted by their first cell: those of a solid stand together
static size_t links_of(const scr_world *w, const scr_solid *solid, size_t *first)
{
    const scr_links *l = &w->links;
    size_t count = 0;
    *first = 0;
    for (size_t k = 0; k < l->table.count; k++) {
        int64_t a = l->cell[2 * k], behind = (int64_t)solid->first_cell + solid->cell_count;
        *first += a < solid->first_cell;
        count += a >= solid->first_cell && a < behind;
    }
    return count;
}

// the same cells at the same places, joined in the same way
static bool same_mesh(const pairing *p)
{
    const scr_cells *c = &p->to->cells, *d = &p->from->cells;
    const scr_links *l = &p->to->links, *m = &p->from->links;
    int shift = p->now->first_cell - p->past->first_cell;
    for (int k = 0; k < p->now->cell_count; k++) {
        size_t a = (size_t)(p->now->first_cell + k), b = (size_t)(p->past->first_cell + k);
        double size = scr_cbrt(scr_cell_volume(c, a));
        vec3 gap = v3_sub(v3_load(c->home + 4 * a), v3_load(d->home + 4 * b));
        if (!(v3_norm(gap) < 1e-6 * size)) return false;
    }
    for (size_t k = 0; k < 2 * p->link_count; k++)
        if (l->cell[2 * p->link + k] != m->cell[2 * p->past_link + k] + shift) return false;
    return true;
}

static void copy3(double *to, const double *from, double factor)
{
    for (int d = 0; d < 3; d++) to[d] = factor * from[d];
}

static void take_cells(const pairing *p)
{
    scr_cells *c = &p->to->cells;
    const scr_cells *o = &p->from->cells;
    int shift = p->now->first_cell - p->past->first_cell;
    for (int k = 0; k < p->now->cell_count; k++) {
        size_t a = (size_t)(p->now->first_cell + k), b = (size_t)(p->past->first_cell + k);
        // with another density the spin stays, not the angular momentum
        double was = scr_cell_mass(o, b), is = scr_cell_mass(c, a);
        copy3(c->displacement + 4 * a, o->displacement + 4 * b, 1);
        copy3(c->velocity + 4 * a, o->velocity + 4 * b, 1);
        copy3(c->momentum + 4 * a, o->momentum + 4 * b, is == was ? 1 : is / was);
        memcpy(c->turn + 4 * a, o->turn + 4 * b, 4 * sizeof *c->turn);
        memcpy(c->load + 8 * a, o->load + 8 * b, 8 * sizeof *c->load);
        c->bulk[2 * a + 1] = o->bulk[2 * b + 1];
        c->fragment[a] = o->fragment[b] + shift;
    }
}

static void open_face(scr_world *w, size_t link, double poisson)
{
    const scr_links *l = &w->links;
    for (int s = 0; s < 2; s++) {
        size_t k = (size_t)l->cell[2 * link + (size_t)s];
        double height = scr_link_height(&w->cells, l, link, s);
        double volume = l->area[link] * height; // three times that of the pyramid
        w->cells.bulk[2 * k] += poisson / (1 - 2 * poisson) * volume;
        if (w->shells.table.count) w->shells.bend[2 * k] += poisson / (1 - poisson) * volume;
    }
}

// corrected volumes: the very same ones, or, with another material, those that follow from what has broken
static void take_links(const pairing *p)
{
    double now = p->to->materials[p->now->material].poisson;
    bool same = now == p->from->materials[p->past->material].poisson;
    bool shells = p->to->shells.table.count && p->from->shells.table.count;
    for (size_t k = 0; k < p->link_count; k++) {
        int32_t fate = p->from->links.fate[p->past_link + k];
        p->to->links.fate[p->link + k] = fate;
        if (fate != SCR_LINK_HOLDS && !same) open_face(p->to, p->link + k, now);
    }
    for (int k = 0; k < p->now->cell_count; k++) {
        size_t a = (size_t)(p->now->first_cell + k), b = (size_t)(p->past->first_cell + k);
        if (same) p->to->cells.bulk[2 * a] = p->from->cells.bulk[2 * b];
        if (same && shells) p->to->shells.bend[2 * a] = p->from->shells.bend[2 * b];
        if (shells) p->to->shells.bend[2 * a + 1] = p->from->shells.bend[2 * b + 1];
    }
}

static scree_place place_of(const scr_scene *scene, const char *solid)
{
    return scr_item_place(scene, scr_scene_find(scene, "solids", solid), NULL);
}

static scree_status take(pairing *p, const scr_scene *scene, scree_report *report)
{
    const char *name = p->now->name;
    p->link_count = links_of(p->to, p->now, &p->link);
    size_t past_links = links_of(p->from, p->past, &p->past_link);
    if (p->now->cell_count != p->past->cell_count || p->link_count != past_links)
        return scr_fail(report, SCREE_E_INPUT, place_of(scene, name),
                        "solids.%s has %d cells and %zu links, but %d and %zu in the results: only the same mesh can "
                        "continue from their state",
                        name, p->now->cell_count, p->link_count, p->past->cell_count, past_links);
    if (!same_mesh(p))
        return scr_fail(report, SCREE_E_INPUT, place_of(scene, name),
                        "solids.%s has its cells at other positions than in the results: only the same mesh can "
                        "continue from their state",
                        name);
    take_cells(p);
    take_links(p);
    return SCREE_OK;
}

static void take_loads(scr_world *w, const scr_world *from)
{
    for (int k = 0; k < w->support_count; k++)
        for (int n = 0; n < from->support_count; n++) {
            scr_support *s = &w->supports[k];
            const scr_support *past = &from->supports[n];
            if (!strcmp(s->name, past->name)) memcpy(s->felt, past->felt, sizeof s->felt);
        }
    for (int k = 0; k < w->load_count; k++)
        for (int n = 0; n < from->load_count; n++)
            if (!strcmp(w->loads[k].name, from->loads[n].name)) w->loads[k].work = from->loads[n].work;
}

// the cell that was this one, or -1
static int32_t cell_now(const scr_world *w, const scr_world *from, int64_t cell)
{
    const scr_solid *past = &from->solids[from->cells.solid[cell]];
    int now = scr_solid_find(w, past->name);
    return now >= 0 ? (int32_t)cell + w->solids[now].first_cell - past->first_cell : -1;
}

/* Contacts of cells keep their history where both partners are still there. Sorted as they were: where solids or walls
 * stand in another order the rows of one first cell still stand together, but those are no longer ascending, so they
 * are only taken while they are. */
static scree_status take_contacts(scr_world *w, const scr_world *from, scree_report *report)
{
    scr_cell_contacts *c = &w->cell_contacts;
    const scr_cell_contacts *o = &from->cell_contacts;
    if (!scr_table_reserve(&c->table, o->table.count)) return scr_no_memory(report, "contacts of cells");
    c->table.count = 0;
    for (size_t k = 0; k < o->table.count; k++) {
        bool grain = o->kind[k] == SCR_MEET_GRAIN_CELL, wall = o->kind[k] == SCR_MEET_CELL_WALL;
        int64_t first = grain ? o->first[k] : cell_now(w, from, o->first[k]);
        int32_t second = wall ? scr_adopt_face(w, from, o->second[k]) : cell_now(w, from, o->second[k]);
        if ((!grain && first < 0) || second < 0) continue;
        size_t n = c->table.count;
        if (n > 0 && c->kind[n - 1] == o->kind[k] && c->first[n - 1] > first) continue;
        for (int f = 0; f < o->table.field_count; f++) {
            const scr_field *field = &o->table.fields[f];
            size_t size = scr_field_row(field);
            memcpy((char *)scr_table_array(&c->table, field) + n * size,
                   (const char *)scr_table_array(&o->table, field) + k * size, size);
        }
        c->first[n] = first, c->second[n] = second;
        c->table.count++;
    }
    return SCREE_OK;
}

void scr_loads_begin(scr_world *w)
{
    for (int k = 0; k < w->support_count; k++) memset(w->supports[k].felt, 0, sizeof w->supports[k].felt);
    for (int k = 0; k < w->load_count; k++) w->loads[k].work = (scr_total){0};
}

scree_status scr_adopt_solids(scr_world *w, const scr_scene *scene, const scr_world *from, bool resume,
                              scree_report *report)
{
    for (int k = 0; k < from->solid_count; k++)
        if (scr_solid_find(w, from->solids[k].name) < 0)
            return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(scene)},
                            "the results contain the solid '%s', which is not defined under solids",
                            from->solids[k].name);
    scree_status status = SCREE_OK;
    for (int k = 0; k < w->solid_count; k++) {
        pairing p = {.to = w, .from = from, .now = &w->solids[k]};
        int past = scr_solid_find(from, p.now->name);
        if (past >= 0) p.past = &from->solids[past];
        scree_status one = SCREE_OK;
        if (p.past)
            one = take(&p, scene, report);
        else if (resume)
            one = scr_fail(
                report, SCREE_E_INPUT, place_of(scene, p.now->name),
                "solids.%s is not in the results: a resumed run cannot add solids; start a new run with --from",
                p.now->name);
        if (one) status = one;
    }
    take_loads(w, from);
    return status ? status : take_contacts(w, from, report);
}
