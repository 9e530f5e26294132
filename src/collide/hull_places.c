#include "collide/hull_places.h"

#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "exec/cpu/threads.h"
#include "math/elementary.h"

#define CHUNK 256 /* hulls that a thread takes at once */

void scr_hull_places_deinit(scr_hull_places *p)
{
    scr_free_all(p->shape, p->spin, p->ball, p->inverse, p->row[0], p->row[1], p->named, p->marked, p->corners,
                 p->normal, p->offset, p->top);
}

static void mark(scr_hull_places *p, const uint32_t *hulls, size_t count)
{
    for (size_t k = 0; k < count; k++) p->marked[hulls[k]] = 1;
}

// a list names hulls as items, as owners, or both
static void mark_all(scr_hull_places *p, const scr_cell_pairs *c)
{
    memset(p->marked, 0, c->hulls.count);
    mark(p, c->grains.items, c->grains.item_count);
    mark(p, c->walls.owner, c->walls.count);
    mark(p, c->cells.owner, c->cells.count);
    mark(p, c->cells.items, c->cells.item_count);
    p->named_count = 0;
    for (size_t k = 0; k < c->hulls.count; k++)
        if (p->marked[k]) p->named[p->named_count++] = (uint32_t)k;
}

scree_status scr_hull_places_name(scr_hull_places *p, const scr_cell_pairs *c, const scr_world *w, scree_report *report)
{
    const scr_hulls *h = &c->hulls;
    size_t n = h->count + 1, corners = h->used[0] + 1, faces = h->used[1] + 1;
    scree_status status =
        scr_reserve_all(report, "contacts of cells", SCR_ROOM(p->shape, n), SCR_ROOM(p->spin, n), SCR_ROOM(p->ball, n),
                        SCR_ROOM(p->inverse, n), SCR_ROOM(p->row[0], n), SCR_ROOM(p->row[1], n), SCR_ROOM(p->named, n),
                        SCR_ROOM(p->marked, n), SCR_ROOM(p->corners, corners), SCR_ROOM(p->normal, faces),
                        SCR_ROOM(p->offset, faces), SCR_ROOM(p->top, faces));
    if (status) return status;
    mark_all(p, c);
    for (size_t k = 0; k < h->count; k++) {
        size_t cell = (size_t)h->cell[k];
        const double *m = w->cells.inertia + 4 * cell;
        p->ball[k] = scr_cbrt(0.75 / M_PI * scr_cell_volume(&w->cells, cell));
        p->inverse[k] = 3 / (m[0] + m[1] + m[2]);
    }
    return SCREE_OK;
}

/* ---- each evaluation ---- */

typedef struct {
    scr_hull_places *places;
    const scr_hulls *hulls;
    const scr_world *world;
} placing;

static void place_hull(const placing *g, size_t k)
{
    scr_hull_places *p = g->places;
    const uint32_t *at = g->hulls->start + 5 * k;
    const scr_convex *shape = &g->hulls->shape[k];
    int32_t cell = g->hulls->cell[k];
    pose place = scr_hull_pose(g->world, cell);
    p->spin[k] = scr_cell_spin(&g->world->cells, (size_t)cell);
    scr_convex_move(shape, &place, p->corners + at[0], p->normal + at[1], p->offset + at[1], p->top + at[1],
                    &p->shape[k]);
}

static void place_chunk(void *context, size_t chunk)
{
    const placing *g = context;
    size_t end = (chunk + 1) * CHUNK < g->places->named_count ? (chunk + 1) * CHUNK : g->places->named_count;
    for (size_t k = chunk * CHUNK; k < end; k++) place_hull(g, g->places->named[k]);
}

// the table is sorted by kind and first, and hulls by their cells
static void index_rows(scr_hull_places *p, const scr_hulls *h, const scr_cell_contacts *c)
{
    size_t row = 0;
    for (int kind = SCR_MEET_CELL_WALL; kind <= SCR_MEET_CELL_CELL; kind++) {
        size_t *start = p->row[kind - SCR_MEET_CELL_WALL];
        while (row < c->table.count && c->kind[row] < kind) row++;
        for (size_t k = 0; k <= h->count; k++) {
            while (row < c->table.count && c->kind[row] == kind && (k == h->count || c->first[row] < h->cell[k])) row++;
            start[k] = row;
        }
    }
}

void scr_hull_places_update(scr_hull_places *p, const scr_cell_pairs *c, const scr_world *w)
{
    placing g = {p, &c->hulls, w};
    scr_each((p->named_count + CHUNK - 1) / CHUNK, NULL, place_chunk, &g);
    index_rows(p, &c->hulls, &w->cell_contacts);
}
