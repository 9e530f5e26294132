/* Contacts of cells over ranks. The owners of a grain and of a cell near it compute its contacts, with equal bits;
 * so do the owners of two cells. Cells stay where they are, and with them the histories of their contacts with walls
 * and cells. Grains change ranks: histories of contacts with them go to everyone when lists are made, which is when
 * grains may have moved on. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "comm/rows.h"
#include "step/elastic/contacts.h"

static void need(bool room)
{
    scr_comm_need(room, "contacts of cells");
}

scree_status scr_elastic_contacts_tell(elastic_contacts *e, const scr_step *s, scree_report *report)
{
    const scr_world *w = s->world;
    if (!w->share || !w->solids_touch || !w->cells.table.count) return SCREE_OK;
    if (scr_cell_pairs_tell(&e->pairs, w, report)) return SCREE_OK;
    return scr_share_must(w->share, scr_no_memory(report, "contacts of cells"), report);
}

static bool is_renewed(const elastic_contacts *e, const scr_world *w)
{
    return e->pairs.rebuilds != w->clock.rebuilds;
}

bool scr_elastic_contacts_are_far(const elastic_contacts *e, const scr_step *s)
{
    const scr_world *w = s->world;
    if (!w->share || !e->on || is_renewed(e, w)) return false;
    return scr_share_any(w->share, scr_cell_pairs_stale(&e->pairs, w, s->pairs.walls.extents));
}

bool scr_elastic_contacts_are_stale(const elastic_contacts *e, const scr_step *s, bool grains)
{
    const scr_world *w = s->world;
    if (grains) return is_renewed(e, w);
    return scr_share_any(w->share, scr_cell_pairs_stale(&e->pairs, w, s->pairs.walls.extents));
}

/* ---- rows of all ranks ---- */

/* A row as it travels: its identity, then its fields. */
typedef struct {
    int64_t kind, first, number;
} row_name;

static int by_name(const void *a, const void *b)
{
    const row_name *x = a, *y = b;
    if (x->kind != y->kind) return (x->kind > y->kind) - (x->kind < y->kind);
    if (x->first != y->first) return (x->first > y->first) - (x->first < y->first);
    return (x->number > y->number) - (x->number < y->number);
}

static bool is_mine(const elastic_contacts *e, const scr_world *w, size_t row)
{
    const scr_cell_contacts *c = &w->cell_contacts;
    if (!e->complete) return e->mine[row];
    if (c->kind[row] == SCR_MEET_GRAIN_CELL) return w->share->comm->rank == 0;
    return scr_share_owns_cell(w->share, (size_t)c->first[row]);
}

// rows that count here, to rank 0: their fields; how many there are
static size_t collect(const elastic_contacts *e, const scr_world *w, char **all)
{
    const scr_table *t = &w->cell_contacts.table;
    size_t size = scr_table_row(t, SCR_STATE), count = 0;
    char *own = NULL;
    need(scr_reserve(&own, t->count * size + 1));
    for (size_t k = 0; e->on && k < t->count; k++)
        if (is_mine(e, w, k)) scr_rows_pack(t, SCR_STATE, &(uint32_t){(uint32_t)k}, 1, own + size * count++);
    count = scr_share_collect(w->share, own, count, size, all);
    scr_buffer_free(own);
    return count;
}

// into a table in the order of kinds and firsts; rows of one first come from one rank, in their order
static void unpack(scr_cell_contacts *to, const char *all, size_t count)
{
    size_t size = scr_table_row(&to->table, SCR_STATE);
    row_name *names = NULL;
    need(scr_table_reserve(&to->table, count + 1) && scr_reserve(&names, count + 1));
    for (size_t k = 0; k < count; k++) {
        scr_rows_unpack(&to->table, SCR_STATE, 0, 1, all + size * k);
        names[k] = (row_name){to->kind[0], to->first[0], (int64_t)k};
    }
    qsort(names, count, sizeof *names, by_name);
    for (size_t k = 0; k < count; k++)
        scr_rows_unpack(&to->table, SCR_STATE, k, 1, all + size * (size_t)names[k].number);
    to->table.count = count;
    scr_buffer_free(names);
}

// contacts of foreign cells with walls and with each other are not ours to end
static void drop_strangers(scr_cell_contacts *c, const scr_share *s)
{
    size_t n = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        bool here = c->kind[k] == SCR_MEET_GRAIN_CELL || scr_share_owns_cell(s, (size_t)c->first[k]) ||
                    (c->kind[k] == SCR_MEET_CELL_CELL && scr_share_owns_cell(s, (size_t)c->second[k]));
        if (here) scr_table_copy(&c->table, n++, k);
    }
    c->table.count = n;
}

void scr_elastic_contacts_join(elastic_contacts *e, scr_world *w)
{
    scr_comm *c = w->share->comm;
    if (!e->complete) {
        char *all = NULL;
        uint64_t count = collect(e, w, &all);
        scr_comm_broadcast(c, &count, sizeof count);
        size_t bytes = count * scr_table_row(&w->cell_contacts.table, SCR_STATE);
        need(scr_reserve(&all, bytes + 1));
        scr_comm_broadcast(c, all, bytes);
        unpack(&w->cell_contacts, all, count);
        scr_buffer_free(all);
    }
    drop_strangers(&w->cell_contacts, w->share);
    e->complete = true;
}

void scr_elastic_contacts_gather(const elastic_contacts *e, const scr_world *part, scr_world *whole)
{
    char *all = NULL;
    size_t count = e->on ? collect(e, part, &all) : 0;
    if (whole && e->on) unpack(&whole->cell_contacts, all, count);
    scr_buffer_free(all);
}

/* ---- books ---- */

// as scr_elastic_contacts_add_up does, contact by contact in the order of one rank
static void add_books(scr_ledger *l, const elastic_book *all, size_t count)
{
    row_name *names = NULL;
    need(scr_reserve(&names, count + 1));
    for (size_t k = 0; k < count; k++) names[k] = (row_name){all[k].kind, all[k].first, (int64_t)k};
    qsort(names, count, sizeof *names, by_name);
    for (size_t k = 0; k < count; k++) {
        const double *stored = all[names[k].number].stored;
        l->elastic_normal += stored[0], l->elastic_tangential += stored[1], l->elastic_rolling += stored[2];
        l->excess_damping += stored[3], l->excess_rolling += stored[4];
    }
    scr_buffer_free(names);
}

static void add_walls(const scr_exact *all, size_t ranks, scr_world *whole)
{
    size_t count = 6 * (size_t)whole->wall_count;
    for (int m = 0; m < whole->wall_count; m++) {
        scr_wall *wall = &whole->walls[m];
        double sum[6];
        for (size_t d = 0; d < 6; d++) {
            scr_exact of_all = 0;
            for (size_t r = 0; r < ranks; r++) of_all += all[r * count + 6 * (size_t)m + d];
            sum[d] = scr_exact_value(of_all);
        }
        // that of a servo is whole already
        if (!wall->motion.servo) wall->force = v3_add(wall->force, v3_load(sum));
        wall->torque = v3_add(wall->torque, v3_load(sum + 3));
    }
}

void scr_elastic_contacts_books(const elastic_contacts *e, const scr_world *part, scr_step *whole)
{
    elastic_book *books = NULL;
    scr_exact *walls = NULL;
    int64_t touch = e->count;
    if (!e->on) return;
    size_t count = scr_share_collect(part->share, e->books, e->book_count, sizeof *books, &books);
    scr_share_collect(part->share, e->wall_push, 6 * (size_t)part->wall_count, sizeof *walls, &walls);
    scr_comm_add(part->share->comm, &touch, 1);
    if (whole) {
        add_books(&whole->world->ledger, books, count);
        if (part->wall_count) add_walls(walls, (size_t)part->share->comm->size, whole->world);
        whole->last.contacts += touch;
    }
    scr_free_all(books, walls);
}
