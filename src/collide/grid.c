#include "collide/grid.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/bins.h"
#include "comm/share.h"
#include "exec/reduce.h"

void scr_grid_deinit(scr_grid *grid)
{
    scr_free_all(grid->table, grid->start, grid->members, grid->cell, grid->cell_key);
    *grid = (scr_grid){0};
}

// cells of one axis: stretched to fit a whole number of them
static void layout_axis(scr_level *level, int axis, double length, double width)
{
    double fit = floor(width / level->edge);
    int cells = fit < 1 ? 1 : fit > SCR_GRID_AXIS_CELLS - 1 ? SCR_GRID_AXIS_CELLS - 1 : (int)fit;
    level->cells[axis] = cells;
    level->inverse[axis] = cells / length;
}

static void radii_of_rows(void *place, size_t from, size_t to, void *part)
{
    scr_radii *radii = part;
    for (const double *x = (double *)place + 4 * from; from < to; from++, x += 4) {
        double r = x[3], *largest = &radii->largest[scr_size_class(r)];
        radii->least = r < radii->least ? r : radii->least;
        *largest = r > *largest ? r : *largest;
    }
}

static void join_radii(void *all, const void *part)
{
    scr_radii *radii = all;
    const scr_radii *other = part;
    radii->least = fmin(radii->least, other->least);
    for (int c = 0; c < SCR_SIZE_CLASSES; c++) radii->largest[c] = fmax(radii->largest[c], other->largest[c]);
}

scr_radii scr_radii_of(const double *place, size_t count)
{
    scr_radii radii = {.least = INFINITY};
    scr_reduce(count, radii_of_rows, join_radii, (void *)(uintptr_t)place, &radii, sizeof radii);
    for (int c = 0; c < SCR_SIZE_CLASSES; c++) radii.most = fmax(radii.most, radii.largest[c]);
    if (count == 0) radii.least = radii.most = 1;
    return radii;
}

scr_radii scr_world_radii(const scr_world *w, const double *place)
{
    scr_radii radii = scr_radii_of(place, w->bodies.table.count);
    if (!w->share) return radii;
    if (!w->bodies.table.count) radii.least = INFINITY, radii.most = 0;
    double most[SCR_SIZE_CLASSES + 2] = {-radii.least, radii.most};
    memcpy(most + 2, radii.largest, sizeof radii.largest);
    scr_share_most(w->share, most, SCR_SIZE_CLASSES + 2);
    radii.least = -most[0], radii.most = most[1];
    memcpy(radii.largest, most + 2, sizeof radii.largest);
    if (!(radii.most > 0)) radii.least = radii.most = 1;
    return radii;
}

// each size class into the finest level that has room for its largest body
static void choose_levels(scr_grid *grid, const scr_radii *radii)
{
    int classes[SCR_GRID_LEVELS] = {0};
    for (int c = 0; c < SCR_SIZE_CLASSES; c++) {
        int level = 0;
        double need = 2 * radii->largest[c] + grid->skin;
        while (level < grid->level_count - 1 && grid->levels[level].edge < need) level++;
        grid->class_level[c] = level;
        grid->levels[level].reach = fmax(grid->levels[level].reach, radii->largest[c]);
        classes[level] += radii->largest[c] > 0;
    }
    for (int l = 0; l < grid->level_count; l++) grid->levels[l].mixed = classes[l] > 1;
}

// rows of the inverse of H, with lengths as the unit, say how far a distance reaches
static void lean(scr_grid *grid, const scr_domain *domain, const double length[3])
{
    const double *tilt = domain->box.tilt;
    double xy = tilt[0] / length[1], xz = tilt[1] / length[2], yz = tilt[2] / length[2];
    grid->leans = domain->box.deforms && (xy != 0 || xz != 0 || yz != 0);
    grid->slope[0] = xy, grid->slope[1] = xz, grid->slope[2] = yz;
    double across = xy * yz - xz;
    grid->stretch[0] = sqrt(1 + xy * xy + across * across);
    grid->stretch[1] = sqrt(1 + yz * yz);
    grid->stretch[2] = 1;
}

void scr_grid_layout(scr_grid *grid, const scr_domain *domain, const scr_radii *radii, double skin)
{
    grid->origin = domain->lower;
    grid->skin = skin;
    memcpy(grid->periodic, domain->periodic, sizeof grid->periodic);
    double top = 2 * radii->most + skin, bottom = 2 * radii->least + skin;
    // as often as it halves
    int levels;
    frexp(top / bottom, &levels);
    grid->level_count = levels < 1 ? 1 : levels > SCR_GRID_LEVELS ? SCR_GRID_LEVELS : levels;

    vec3 size = v3_sub(domain->upper, domain->lower);
    const double length[3] = {size.x, size.y, size.z};
    lean(grid, domain, length);
    for (int l = 0; l < grid->level_count; l++) {
        scr_level *level = &grid->levels[l];
        *level = (scr_level){.edge = ldexp(top, l + 1 - grid->level_count)};
        for (int d = 0; d < 3; d++) layout_axis(level, d, length[d], length[d] / grid->stretch[d]);
    }
    choose_levels(grid, radii);
}

static uint64_t body_key(const scr_grid *grid, const double *place)
{
    int l = scr_grid_level(grid, place[3]);
    const scr_level *level = &grid->levels[l];
    double upright[4];
    if (grid->leans) place = scr_grid_upright(grid, place, upright);
    int c[3];
    for (int d = 0; d < 3; d++) c[d] = scr_grid_coordinate(grid, level, place[d], d);
    return scr_grid_key(l, c[0], c[1], c[2]);
}

// the places of all cells in a table, and their number
static double lay_cells(scr_grid *grid)
{
    double cells = 0;
    for (int l = 0; l < grid->level_count; l++) {
        scr_level *level = &grid->levels[l];
        level->first = (uint64_t)fmin(cells, SCR_GRID_NONE);
        cells += (double)level->cells[0] * level->cells[1] * level->cells[2];
    }
    return cells;
}

bool scr_grid_reserve(scr_grid *grid, size_t count)
{
    return scr_reserve(&grid->members, count) && scr_reserve(&grid->cell, count) && scr_reserve(&grid->cell_key, count);
}

static bool reserve_table(scr_grid *grid, size_t count)
{
    uint64_t slots = 64;
    while (slots < 2 * count + 64) slots *= 2;
    double cells = lay_cells(grid);
    grid->dense = cells <= 4.0 * (double)count + 64;
    if (grid->dense) slots = (uint64_t)cells;
    grid->table_mask = slots - 1;
    return scr_reserve(&grid->table, slots) && scr_reserve(&grid->start, count + 2);
}

// a row may be the last of its cell; many threads may say so at once
static void claim(const scr_grid *grid, uint64_t key, uint32_t row)
{
    for (uint64_t s = scr_grid_slot(grid, key);; s = (s + 1) & grid->table_mask) {
        uint32_t cell = __atomic_load_n(&grid->table[s], __ATOMIC_RELAXED);
        // the second one learns which was first
        if (cell == SCR_GRID_NONE &&
            __atomic_compare_exchange_n(&grid->table[s], &cell, row, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
        if (!grid->dense && grid->cell_key[cell] != key) continue;
        while (cell < row &&
               !__atomic_compare_exchange_n(&grid->table[s], &cell, row, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
        return;
    }
}

typedef struct {
    scr_grid *grid;
    const double *place;
    size_t count;
} keying;

/* Bodies of each level. */
typedef struct {
    uint32_t bodies[SCR_GRID_LEVELS];
} population;

// keys of bodies, and their share of the table emptied
static void key_rows(void *context, size_t from, size_t to, void *part)
{
    const keying *k = context;
    scr_grid *g = k->grid;
    population *levels = part;
    size_t slots = g->table_mask + 1, first = slots * from / k->count, end = slots * to / k->count;
    memset(g->table + first, 0xff, (end - first) * sizeof *g->table);
    for (size_t i = from; i < to; i++) {
        g->cell_key[i] = body_key(g, k->place + 4 * i);
        levels->bodies[g->cell_key[i] >> 60]++;
    }
}

static void join_levels(void *all, const void *part)
{
    population *a = all;
    const population *b = part;
    for (int l = 0; l < SCR_GRID_LEVELS; l++) a->bodies[l] += b->bodies[l];
}

// of rows that follow each other in one cell the last will do
static void claim_rows(void *context, size_t from, size_t to)
{
    const scr_grid *g = context;
    for (size_t i = from; i < to; i++)
        if (i + 1 == to || g->cell_key[i + 1] != g->cell_key[i]) claim(g, g->cell_key[i], (uint32_t)i);
}

static void enter_rows(void *context, size_t from, size_t to)
{
    scr_grid *g = context;
    uint64_t last = UINT64_MAX;
    for (size_t i = from; i < to; i++) {
        uint64_t key = g->cell_key[i];
        g->cell[i] = key == last ? g->cell[i - 1] : scr_grid_find(g, key);
        last = key;
    }
}

static uint32_t bin_of(const void *cell, uint32_t row)
{
    return ((const uint32_t *)cell)[row];
}

bool scr_grid_build(scr_grid *grid, const double *place, size_t count)
{
    if (!scr_grid_reserve(grid, count) || !reserve_table(grid, count)) return false;
    population levels = {0};
    if (count == 0) memset(grid->table, 0xff, (grid->table_mask + 1) * sizeof *grid->table);
    scr_reduce(count, key_rows, join_levels, &(keying){grid, place, count}, &levels, sizeof levels);
    for (int l = 0; l < grid->level_count; l++) grid->levels[l].bodies = levels.bodies[l];
    scr_each_rows(count, claim_rows, grid);
    scr_each_rows(count, enter_rows, grid);
    scr_bins_fill(grid->start, count, grid->members, count, bin_of, grid->cell);
    return true;
}
