#include "world/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "world/world.h"

#define F(member, type, width, unit, flags, doc) \
    {#member, SCR_FIELD_TYPE(type), width, unit, flags, offsetof(OWNER, member), doc},
#define OWNER scr_cells
static const scr_field cell_fields[] = {SCR_CELL_FIELDS(F)};
#undef OWNER
#define OWNER scr_links
static const scr_field link_fields[] = {SCR_LINK_FIELDS(F)};
#undef OWNER
#define OWNER scr_shells
static const scr_field shell_fields[] = {SCR_SHELL_FIELDS(F)};
#undef OWNER
#undef F

void scr_cells_init(scr_cells *cells)
{
    *cells = (scr_cells){0};
    cells->table.fields = cell_fields;
    cells->table.field_count = sizeof cell_fields / sizeof *cell_fields;
}

void scr_links_init(scr_links *links)
{
    *links = (scr_links){0};
    links->table.fields = link_fields;
    links->table.field_count = sizeof link_fields / sizeof *link_fields;
}

void scr_shells_init(scr_shells *shells)
{
    *shells = (scr_shells){0};
    shells->table.fields = shell_fields;
    shells->table.field_count = sizeof shell_fields / sizeof *shell_fields;
}

void scr_solids_deinit(scr_world *w)
{
    for (int k = 0; k < w->solid_count; k++) free(w->solids[k].name);
    free(w->solids);
    scr_buffer_free(w->border);
    scr_table_deinit(&w->cells.table);
    scr_table_deinit(&w->links.table);
    scr_table_deinit(&w->shells.table);
    scr_table_deinit(&w->cell_contacts.table);
    scr_polyhedra_deinit(&w->mesh);
    w->solids = NULL, w->border = NULL;
    w->solid_count = 0;
}

int scr_solid_find(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->solid_count; k++)
        if (!strcmp(w->solids[k].name, name)) return k;
    return -1;
}

// a tree in which every cell points to a smaller number, or to itself
static int32_t root_of(int32_t *tree, int32_t k)
{
    while (tree[k] != k) k = tree[k] = tree[tree[k]];
    return k;
}

void scr_cells_label(scr_world *w)
{
    int32_t *tree = w->cells.fragment;
    for (size_t k = 0; k < w->cells.table.count; k++) tree[k] = (int32_t)k;
    for (size_t l = 0; l < w->links.table.count; l++) {
        if (w->links.fate[l] != SCR_LINK_HOLDS) continue;
        int32_t a = root_of(tree, w->links.cell[2 * l]), b = root_of(tree, w->links.cell[2 * l + 1]);
        tree[a > b ? a : b] = a > b ? b : a;
    }
    for (size_t k = 0; k < w->cells.table.count; k++) tree[k] = tree[tree[k]];
}

// from the principal axes, now, to space
static quat principal(const scr_cells *c, size_t k)
{
    return quat_mul(scr_cell_turn(c, k), quat_load(c->axes + 4 * k));
}

vec3 scr_cell_spin(const scr_cells *c, size_t k)
{
    const double *m = c->inertia + 4 * k;
    quat q = principal(c, k);
    vec3 l = quat_turn_back(q, v3_load(c->momentum + 4 * k));
    return quat_turn(q, v3(l.x / m[0], l.y / m[1], l.z / m[2]));
}

void scr_cell_set_spin(scr_cells *c, size_t k, vec3 spin)
{
    const double *m = c->inertia + 4 * k;
    quat q = principal(c, k);
    vec3 w = quat_turn_back(q, spin);
    v3_store(c->momentum + 4 * k, quat_turn(q, v3(w.x * m[0], w.y * m[1], w.z * m[2])));
}

double scr_cell_translation(const scr_cells *c, size_t k)
{
    vec3 v = v3_load(c->velocity + 4 * k);
    return 0.5 * scr_cell_mass(c, k) * v3_dot(v, v);
}

double scr_cell_rotation(const scr_cells *c, size_t k)
{
    const double *m = c->inertia + 4 * k;
    vec3 l = quat_turn_back(principal(c, k), v3_load(c->momentum + 4 * k));
    return 0.5 * (l.x * l.x / m[0] + l.y * l.y / m[1] + l.z * l.z / m[2]);
}

double scr_cell_potential(const scr_world *w, size_t k)
{
    return -scr_cell_mass(&w->cells, k) * v3_dot(w->gravity, scr_cell_centre(&w->cells, k));
}

double scr_cell_lambda(const scr_world *w, size_t k)
{
    const scr_material *m = &w->materials[w->solids[w->cells.solid[k]].material];
    return scr_lame_lambda(m->young, m->poisson);
}
