#include "comm/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "comm/rows.h"

bool scr_share_init(scr_share *s, scr_comm *comm)
{
    size_t size = (size_t)comm->size;
    *s = (scr_share){.comm = comm, .renewed = true};
    return scr_reserve_each(SCR_ROOM(s->first, size + 1), SCR_ROOM(s->cells, size + 1), SCR_ROOM(s->extras, size),
                            SCR_ROOM(s->peers, size), SCR_ROOM(s->parcels, size));
}

void scr_share_deinit(scr_share *s)
{
    for (int k = 0; s->peers && k < s->comm->size; k++) {
        const scr_peer *p = &s->peers[k];
        scr_free_all(p->rows, p->out, p->in, p->tell, p->hear);
    }
    for (int k = 0; k < 3; k++) scr_buffer_free(s->boxes[k]);
    scr_free_all(s->first, s->row, s->bond, s->peers, s->parcels, s->bytes[0], s->bytes[1], s->list, s->left);
    scr_free_all(s->cells, s->extra, s->extras, s->used, s->weight, s->block_cost, s->block_row, s->next);
    for (int k = 0; k < 2; k++) scr_free_all(s->turns[k].block, s->turns[k].cost);
    scr_blocks_deinit(&s->blocks);
    if (s->has_aside) scr_table_deinit(&s->aside.table);
    *s = (scr_share){0};
}

scree_status scr_share_must(scr_share *s, scree_status status, const scree_report *report)
{
    if (!s || !status) return status;
    const char *text = "it cannot go on";
    for (int k = 0; k < report->count; k++)
        if (report->messages[k].severity == SCREE_ERROR) text = report->messages[k].text;
    scr_comm_abort(scree_status_exit_code(status), text);
}

void scr_comm_no_memory(const char *what)
{
    scree_report report;
    scree_report_init(&report);
    scree_status status = scr_no_memory(&report, "%s", what);
    scr_comm_abort(scree_status_exit_code(status), report.count ? report.messages[0].text : what);
}

static void need(bool room)
{
    scr_comm_need(room, "the bodies of other ranks");
}

/* ---- partition ---- */

// what steps with a block cost, about: its bodies, and the contacts that they are first in
static void costs_of(const scr_share *s, uint64_t *cost)
{
    const scr_world *w = s->whole;
    for (size_t b = 0; b < s->blocks.count; b++)
        cost[b] = scr_block_end(&s->blocks, b) - scr_block_first(&s->blocks, b);
    for (size_t k = 0; k < w->contacts.table.count; k++)
        cost[scr_block_of(&s->blocks, (uint32_t)w->contacts.row[2 * k])]++;
}

// the curve is cut where costs are alike, at the nearest border of blocks
static void partition(scr_share *s)
{
    uint64_t *cost = NULL, total = 0, before = 0;
    size_t blocks = s->blocks.count, size = (size_t)s->comm->size, b = 0;
    need(scr_reserve(&cost, blocks + 1));
    costs_of(s, cost);
    for (size_t k = 0; k < blocks; k++) total += cost[k];
    s->first[0] = 0;
    for (size_t r = 1; r < size; r++) {
        double want = (double)total * (double)r / (double)size;
        while (b < blocks && (double)before + 0.5 * (double)cost[b] < want) before += cost[b++];
        s->first[r] = b < blocks ? scr_block_first(&s->blocks, b) : scr_blocks_rows(&s->blocks);
    }
    s->first[size] = scr_blocks_rows(&s->blocks);
    scr_buffer_free(cost);
}

static int owner_of(const scr_share *s, uint64_t row)
{
    int low = 0, high = s->comm->size;
    // of ranks without bodies, which begin where the next one does, none is an owner
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->first[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- from the whole to parts ---- */

// all ranks know where every block begins
static void tell_blocks(scr_share *s, scr_contacts *contacts)
{
    uint64_t head[2] = {0};
    if (s->whole) {
        scr_blocks *b = &s->blocks;
        if (scr_contacts_are_wide(contacts)) need(scr_contacts_widen(&s->whole->contacts));
        b->count = s->whole->blocks.count;
        need(scr_reserve(&b->start, b->count + 1));
        if (b->count) memcpy(b->start, s->whole->blocks.start, (b->count + 1) * sizeof *b->start);
        partition(s);
        head[0] = b->count, head[1] = scr_contacts_are_wide(&s->whole->contacts);
    }
    scr_comm_broadcast(s->comm, head, sizeof head);
    s->blocks.count = head[0];
    need(scr_reserve(&s->blocks.start, head[0] + 1));
    if (head[1]) need(scr_contacts_widen(contacts));
    scr_comm_broadcast(s->comm, s->first, ((size_t)s->comm->size + 1) * sizeof *s->first);
    if (head[0]) scr_comm_broadcast(s->comm, s->blocks.start, (head[0] + 1) * sizeof *s->blocks.start);
}

static void scatter_bodies(scr_share *s, scr_world *part)
{
    scr_comm *c = s->comm;
    uint64_t own = s->first[c->rank], count = s->first[c->rank + 1] - own;
    scr_table *to = &part->bodies.table;
    part->bodies.low = part->bodies.high = 0;
    need(scr_table_reserve(to, count + 1));
    to->count = count;
    const scr_field *f;
    for (int k = 0; (f = scr_table_flagged(to, SCR_STATE, k)); k++) {
        size_t row = scr_field_row(f);
        if (!s->whole) {
            scr_comm_receive(c, 0, scr_table_array(to, f), count * row);
            continue;
        }
        const char *all = scr_table_array(&s->whole->bodies.table, f);
        scr_copy(scr_table_array(to, f), all, count * row);
        for (int r = 1; r < c->size; r++)
            scr_comm_send(c, r, all + s->first[r] * row, (s->first[r + 1] - s->first[r]) * row);
    }
}

/* Which rank gets which rows of a table: those of a rank are list[start[rank]] to list[start[rank + 1] - 1]. */
typedef struct {
    size_t *start;
    uint32_t *list;
} deal;

// contacts and bonds go to the owners of both bodies; `rows` has two for each
static void deal_out(const scr_share *s, deal *d, const int32_t *rows, size_t count)
{
    size_t size = (size_t)s->comm->size;
    need(scr_reserve(&d->start, size + 2) && scr_reserve(&d->list, 2 * count + 1));
    memset(d->start, 0, (size + 2) * sizeof *d->start);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < count; k++) {
            int a = owner_of(s, (uint64_t)rows[2 * k]),
                b = rows[2 * k + 1] < 0 ? a : owner_of(s, (uint64_t)rows[2 * k + 1]);
            if (pass) d->list[d->start[a + 1]++] = (uint32_t)k;
            if (pass && b != a) d->list[d->start[b + 1]++] = (uint32_t)k;
            if (!pass) d->start[a + 2]++, d->start[b + 2] += b != a;
        }
        for (size_t r = 0; !pass && r < size; r++) d->start[r + 2] += d->start[r + 1];
    }
}

// counted two places on, summed, filled: then rank r has from start[r] to start[r + 1]
static void scatter_table(scr_share *s, const scr_table *whole, const int32_t *whole_rows, scr_table *part,
                          int32_t **rows, int64_t **numbers)
{
    scr_comm *c = s->comm;
    size_t row = scr_table_row(part, SCR_STATE) + 2 * sizeof(int32_t) + sizeof(int64_t);
    deal d = {0};
    if (s->whole) deal_out(s, &d, whole_rows, whole->count);
    for (int r = 0; r < c->size; r++) {
        if (!s->whole && r != c->rank) continue;
        uint64_t count = s->whole ? d.start[r + 1] - d.start[r] : 0;
        if (s->whole && r) scr_comm_send(c, r, &count, sizeof count);
        if (!s->whole) scr_comm_receive(c, 0, &count, sizeof count);
        need(scr_reserve(&s->bytes[0], count * row + 1));
        char *bytes = s->bytes[0];
        for (size_t n = 0; s->whole && n < count; n++, bytes += 16) {
            uint32_t k = d.list[d.start[r] + n];
            memcpy(bytes, &(int64_t){k}, 8), memcpy(bytes + 8, whole_rows + 2 * (size_t)k, 8);
        }
        if (s->whole) scr_rows_pack(whole, SCR_STATE, d.list + d.start[r], count, bytes);
        if (s->whole && r) scr_comm_send(c, r, s->bytes[0], count * row);
        if (!s->whole) scr_comm_receive(c, 0, s->bytes[0], count * row);
        if (r != c->rank) continue;
        need(scr_table_reserve(part, count + 1) && (!numbers || scr_reserve(numbers, count + 1)));
        part->count = count;
        bytes = s->bytes[0];
        for (size_t n = 0; n < count; n++, bytes += 16) {
            if (numbers) memcpy(*numbers + n, bytes, 8);
            memcpy(*rows + 2 * n, bytes + 8, 8);
        }
        scr_rows_unpack(part, SCR_STATE, 0, count, bytes);
    }
    scr_free_all(d.start, d.list);
}

// the blocks of our own bodies alone
static void own_blocks(const scr_share *s, scr_world *part)
{
    uint64_t from = s->first[s->comm->rank], to = s->first[s->comm->rank + 1];
    scr_blocks *b = &part->blocks;
    b->count = 0;
    need(scr_reserve(&b->start, s->blocks.count + 1));
    b->start[0] = 0;
    for (size_t k = 0; k < s->blocks.count; k++)
        if (scr_block_first(&s->blocks, k) >= from && scr_block_end(&s->blocks, k) <= to)
            b->start[++b->count] = (uint32_t)(scr_block_end(&s->blocks, k) - from);
}

void scr_share_scatter(scr_share *s, scr_world *part)
{
    const scr_world *w = s->whole;
    tell_blocks(s, &part->contacts);
    scatter_bodies(s, part);
    own_blocks(s, part);
    scatter_table(s, w ? &w->contacts.table : NULL, w ? w->contacts.row : NULL, &part->contacts.table,
                  &part->contacts.row, NULL);
    scatter_table(s, w ? &w->bonds.table : NULL, w ? w->bonds.row : NULL, &part->bonds.table, &part->bonds.row,
                  &s->bond);
    s->renewed = false;
}

/* ---- from parts to the whole ---- */

size_t scr_share_collect(scr_share *s, const void *own, size_t count, size_t size, void *all)
{
    scr_comm *c = s->comm;
    uint64_t mine = count, total = 0, *counts = NULL;
    need(scr_reserve(&counts, (size_t)c->size));
    scr_comm_gather_all(c, &mine, sizeof mine, counts);
    for (int r = 0; r < c->size; r++) total += counts[r];
    if (c->rank) {
        scr_comm_send(c, 0, own, count * size);
        scr_buffer_free(counts);
        return 0;
    }
    need(scr_buffer_reserve(all, total + 1, size));
    char *to;
    memcpy(&to, all, sizeof to);
    scr_copy(to, own, count * size);
    to += count * size;
    for (int r = 1; r < c->size; to += counts[r++] * size) scr_comm_receive(c, r, to, counts[r] * size);
    scr_buffer_free(counts);
    return total;
}

size_t scr_share_collect_all(scr_share *s, const void *own, size_t count, size_t size, void *all)
{
    uint64_t total = scr_share_collect(s, own, count, size, all);
    char *at;
    scr_comm_broadcast(s->comm, &total, sizeof total);
    need(scr_buffer_reserve(all, total + 1, size));
    memcpy(&at, all, sizeof at);
    scr_comm_broadcast(s->comm, at, total * size);
    return total;
}

void scr_share_let_go(scr_share *s)
{
    if (!s->whole) return;
    scr_table_release(&s->whole->bodies.table);
    scr_table_release(&s->whole->contacts.table);
    s->whole->contacts.table.count = 0;
}

static void gather_bodies(scr_share *s, const scr_bodies *b)
{
    scr_comm *c = s->comm;
    const scr_field *f;
    if (s->whole) need(scr_table_reserve(&s->whole->bodies.table, s->whole->bodies.table.count + 1));
    for (int k = 0; (f = scr_table_flagged(&b->table, SCR_STATE, k)); k++) {
        size_t row = scr_field_row(f), count = b->table.count - b->low - b->high;
        const char *own = (const char *)scr_table_array(&b->table, f) + b->low * row;
        if (c->rank) {
            scr_comm_send(c, 0, own, count * row);
            continue;
        }
        char *all = scr_table_array(&s->whole->bodies.table, f);
        scr_copy(all, own, count * row);
        for (int r = 1; r < c->size; r++)
            scr_comm_receive(c, r, all + s->first[r] * row, (s->first[r + 1] - s->first[r]) * row);
    }
}

// those with a first body of our own, as rows of the part's table
static size_t add_own(const scr_bodies *b, const int32_t *rows, size_t count, bool walls, uint32_t *list)
{
    size_t n = 0, end = b->table.count - b->high;
    for (size_t k = 0; k < count; k++)
        if ((size_t)rows[2 * k] >= b->low && (size_t)rows[2 * k] < end && (rows[2 * k + 1] < 0) == walls)
            list[n++] = (uint32_t)k;
    return n;
}

static size_t list_own(scr_share *s, const scr_bodies *b, const int32_t *rows, size_t count, bool walls)
{
    need(scr_reserve(&s->list, count + 1));
    return add_own(b, rows, count, walls, s->list);
}

size_t scr_share_own_contacts(const scr_world *part, uint32_t **list)
{
    const scr_contacts *c = &part->contacts;
    need(scr_reserve(list, c->table.count + 1));
    size_t n = add_own(&part->bodies, c->row, c->table.count, false, *list);
    return n + add_own(&part->bodies, c->row, c->table.count, true, *list + n);
}

void scr_share_gather_bonds(scr_share *s, const scr_world *part)
{
    if (!part->bond_law_count) return;
    const scr_table *t = &part->bonds.table;
    size_t row = 8 + scr_table_row(t, SCR_STATE), count = list_own(s, &part->bodies, part->bonds.row, t->count, false);
    need(scr_reserve(&s->bytes[0], count * row + 1));
    for (size_t k = 0; k < count; k++) {
        memcpy(s->bytes[0] + k * row, s->bond + s->list[k], 8);
        scr_rows_pack(t, SCR_STATE, s->list + k, 1, s->bytes[0] + k * row + 8);
    }
    size_t all = scr_share_collect(s, s->bytes[0], count, row, &s->bytes[1]);
    for (size_t k = 0; k < all; k++) {
        int64_t number;
        memcpy(&number, s->bytes[1] + k * row, 8);
        scr_rows_unpack(&s->whole->bonds.table, SCR_STATE, (size_t)number, 1, s->bytes[1] + k * row + 8);
    }
}

void scr_share_follow(scr_share *s, const scr_world *part)
{
    scr_world *whole = s->whole;
    if (!whole) return;
    whole->clock = part->clock;
    whole->gravity = part->gravity;
    scr_copy(whole->walls, part->walls, (size_t)part->wall_count * sizeof *part->walls);
}

void scr_share_gather(scr_share *s, const scr_world *part)
{
    scr_share_follow(s, part);
    gather_bodies(s, &part->bodies);
    scr_share_gather_bonds(s, part);
}

void scr_share_gather_contacts(scr_share *s, const scr_world *part)
{
    const scr_contacts *c = &part->contacts;
    size_t state = scr_table_row(&c->table, SCR_STATE), row = 8 + state;
    scr_table *to = s->whole ? &s->whole->contacts.table : NULL;
    if (to) to->count = 0;
    if (to && scr_contacts_are_wide(c)) need(scr_contacts_widen(&s->whole->contacts));
    for (int walls = 0; walls < 2; walls++) {
        size_t count = list_own(s, &part->bodies, c->row, c->table.count, walls);
        need(scr_reserve(&s->bytes[0], count * row + 1));
        for (size_t k = 0; k < count; k++) {
            const int32_t *r = c->row + 2 * (size_t)s->list[k];
            int32_t global[2] = {(int32_t)s->row[r[0]], r[1] < 0 ? r[1] : (int32_t)s->row[r[1]]};
            memcpy(s->bytes[0] + k * row, global, 8);
            scr_rows_pack(&c->table, SCR_STATE, s->list + k, 1, s->bytes[0] + k * row + 8);
        }
        size_t all = scr_share_collect(s, s->bytes[0], count, row, &s->bytes[1]);
        if (!to) continue;
        need(scr_table_reserve(to, to->count + all + 1));
        for (size_t k = 0; k < all; k++, to->count++) {
            memcpy(s->whole->contacts.row + 2 * to->count, s->bytes[1] + k * row, 8);
            scr_rows_unpack(to, SCR_STATE, to->count, 1, s->bytes[1] + k * row + 8);
        }
    }
}

/* ---- bodies that leave ---- */

void scr_share_note_left(scr_share *s, scr_leaver leaver)
{
    need(scr_push(s->left, s->left_count, leaver));
}

static int by_key(const void *a, const void *b)
{
    const scr_leaver *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->id > y->id) - (x->id < y->id);
}

// in the whole, as one rank does it
void scr_share_book_left(scr_share *s, scr_world *part, bool along_curve)
{
    scr_leaver *all = NULL;
    size_t count = scr_share_collect(s, s->left, s->left_count, sizeof *s->left, &all);
    if (along_curve && count) qsort(all, count, sizeof *all, by_key);
    for (size_t k = 0; k < count; k++) {
        int64_t outlet = all[k].outlet;
        if (outlet < 0)
            part->clock.removed_count++;
        else
            s->whole->outlets[outlet].count++, s->whole->outlets[outlet].mass += all[k].mass;
    }
    s->left_count = 0;
    scr_buffer_free(all);
}

void scr_share_shorten(scr_share *s, scr_world *part)
{
    scr_comm *c = s->comm;
    const scr_blocks *own = &part->blocks;
    uint64_t rows = part->bodies.table.count, count = 0;
    uint32_t *sizes = NULL, *all = NULL;
    scr_comm_gather_all(c, &rows, sizeof rows, s->first + 1);
    s->first[0] = 0;
    for (int r = 0; r < c->size; r++) s->first[r + 1] += s->first[r];
    need(scr_reserve(&sizes, own->count + 1));
    for (size_t b = 0; b < own->count; b++) sizes[b] = (uint32_t)(scr_block_end(own, b) - scr_block_first(own, b));
    count = scr_share_collect(s, sizes, own->count, sizeof *sizes, &all);
    scr_comm_broadcast(c, &count, sizeof count);
    need(scr_reserve(&s->blocks.start, count + 1) && scr_reserve(&all, count + 1));
    scr_comm_broadcast(c, all, count * sizeof *all);
    s->blocks.count = count;
    s->blocks.start[0] = 0;
    for (size_t b = 0; b < count; b++) s->blocks.start[b + 1] = s->blocks.start[b] + all[b];
    if (s->whole) {
        s->whole->bodies.table.count = s->first[c->size];
        s->whole->blocks.count = count;
        memcpy(s->whole->blocks.start, s->blocks.start, (count + 1) * sizeof *s->blocks.start);
    }
    s->named = true;
    scr_free_all(sizes, all);
}
