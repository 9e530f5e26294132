/* Bodies to the ranks that own them after a sort, without gathering them on one rank.
 *
 * The order is that of (key, id), key being a body's place along the curve. Each rank sorts its own. Where ranks are
 * divided is found by bisection, for all of them at once: how many bodies, or how much cost, lie below a key (a sum of
 * whole numbers over ranks), first on the keys, then among equal keys on ids. At first for costs; the number of bodies
 * below, rounded to whole blocks, is where a rank begins, and for that the exact place is found. Then everyone knows
 * where each of its bodies and each of its ghosts goes.
 *
 * Between two sorts rows stay, and the curve may be cut at other borders of blocks: each rank knows what its blocks
 * cost in the present list, and the one that has a cut in its run says where it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "comm/rows.h"
#include "comm/share.h"

static void need(bool room)
{
    scr_comm_need(room, "bodies that change ranks");
}

/* A place in the order. */
typedef struct {
    uint64_t key;
    int64_t id;
} spot;

static bool is_below(spot a, spot b)
{
    return a.key < b.key || (a.key == b.key && a.id < b.id);
}

typedef struct {
    spot at;
    uint32_t row;
    uint32_t cost;
} entry;

static int by_spot(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return is_below(x->at, y->at) ? -1 : is_below(y->at, x->at);
}

/* What is to be divided: own bodies in order, costs added up before each, and the end. */
typedef struct {
    scr_share *share;
    entry *entries;
    uint64_t *costs;
    size_t count;
    int cuts; /* ranks but one */
    spot *splits;
    int64_t *below, *want;
} division;

// own bodies below a place
static size_t rows_below(const division *d, spot at)
{
    size_t low = 0, high = d->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (is_below(d->entries[middle].at, at))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// what lies below each split on all ranks: bodies, or costs
static void sum_below(const division *d, bool costs)
{
    for (int k = 0; k < d->cuts; k++) {
        size_t rows = rows_below(d, d->splits[k]);
        d->below[k] = (int64_t)(costs ? d->costs[rows] : rows);
    }
    scr_comm_add(d->share->comm, d->below, d->cuts);
}

// the highest splits with at most as much below them as is wanted: bit by bit, in keys or in ids
static void bisect(const division *d, bool costs, bool ids, int bits)
{
    for (int bit = bits - 1; bit >= 0; bit--) {
        uint64_t step = (uint64_t)1 << bit;
        for (int k = 0; k < d->cuts; k++)
            if (ids)
                d->splits[k].id += (int64_t)step;
            else
                d->splits[k].key += step;
        sum_below(d, costs);
        for (int k = 0; k < d->cuts; k++) {
            if (d->below[k] <= d->want[k]) continue;
            if (ids)
                d->splits[k].id -= (int64_t)step;
            else
                d->splits[k].key -= step;
        }
    }
}

static int bits_of(uint64_t number)
{
    return number ? 64 - __builtin_clzll(number) : 0;
}

static void find_splits(const division *d, bool costs, int key_bits, int id_bits)
{
    memset(d->splits, 0, (size_t)d->cuts * sizeof *d->splits);
    bisect(d, costs, false, key_bits);
    bisect(d, costs, true, id_bits);
}

// rows at which ranks begin, from costs; then the exact places
static void divide(const division *d, int64_t bodies, int64_t cost, int key_bits, int id_bits)
{
    scr_share *s = d->share;
    for (int k = 0; k < d->cuts; k++) d->want[k] = (int64_t)((double)cost * (k + 1) / (d->cuts + 1));
    find_splits(d, true, key_bits, id_bits);
    sum_below(d, false);
    s->first[0] = 0, s->first[d->cuts + 1] = (uint64_t)bodies;
    for (int k = 0; k < d->cuts; k++) {
        int64_t rows = (d->below[k] + SCR_BLOCK / 2) / SCR_BLOCK * SCR_BLOCK;
        d->want[k] = rows < bodies ? rows : bodies;
        s->first[k + 1] = (uint64_t)d->want[k];
    }
    find_splits(d, false, key_bits, id_bits);
}

// the rank that owns a place from now on: splits are the highest places that still belong below
static int rank_of(const division *d, spot at)
{
    int low = 0, high = d->cuts;
    while (low < high) {
        int middle = (low + high) / 2;
        if (is_below(at, d->splits[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ---- sending ---- */

/* Of each rank: how many bodies and contacts, out and in. */
typedef struct {
    uint64_t out[2], in[2];
} traffic;

static void trade_traffic(scr_share *s, traffic *t)
{
    int n = 0;
    for (int r = 0; r < s->comm->size; r++)
        if (r != s->comm->rank) s->parcels[n++] = (scr_parcel){r, t[r].out, t[r].in, sizeof t[r].out, sizeof t[r].in};
    memcpy(t[s->comm->rank].in, t[s->comm->rank].out, sizeof t->in);
    scr_comm_trade(s->comm, s->parcels, n);
}

// rows of a table, in the order of ranks; what comes takes the place of all that was there
static void trade_rows(scr_share *s, scr_table *table, const traffic *t, int which, const uint32_t *rows)
{
    scr_comm *c = s->comm;
    size_t row = scr_table_row(table, SCR_STATE), out = 0, in = 0;
    for (int r = 0; r < c->size; r++) out += t[r].out[which], in += t[r].in[which];
    need(scr_reserve(&s->bytes[0], out * row + 1) && scr_reserve(&s->bytes[1], in * row + 1));
    char *to = s->bytes[0], *from = s->bytes[1];
    int n = 0;
    for (int r = 0; r < c->size; r++) {
        size_t bytes = t[r].in[which] * row;
        char *end = scr_rows_pack(table, SCR_STATE, rows, t[r].out[which], to);
        if (r == c->rank)
            memcpy(from, to, bytes);
        else
            s->parcels[n++] = (scr_parcel){r, to, from, t[r].out[which] * row, bytes};
        rows += t[r].out[which], to = end, from += bytes;
    }
    scr_comm_trade(c, s->parcels, n);
    need(scr_table_reserve(table, in + 1));
    table->count = in;
    const char *at = s->bytes[1];
    size_t first = 0;
    for (int r = 0; r < c->size; first += t[r].in[which], r++)
        at = scr_rows_unpack(table, SCR_STATE, first, t[r].in[which], at);
}

static bool is_own(const scr_bodies *b, size_t row)
{
    return row >= b->low && row < scr_bodies_end(b);
}

// contacts whose first body is ours, to the new owners of both: rows in the order of ranks
static void list_contacts(const division *d, const scr_world *part, const uint64_t *key, traffic *t, uint32_t **list)
{
    const scr_contacts *c = &part->contacts;
    const scr_bodies *b = &part->bodies;
    size_t size = (size_t)d->share->comm->size, *start = NULL;
    need(scr_reserve(&start, size + 2) && scr_reserve(list, 2 * c->table.count + 1));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < c->table.count; k++) {
            int32_t i = c->row[2 * k], j = c->row[2 * k + 1];
            if (!is_own(b, (size_t)i)) continue;
            int ra = rank_of(d, (spot){key[i], b->id[i]}), rb = j < 0 ? ra : rank_of(d, (spot){key[j], b->id[j]});
            if (pass) (*list)[start[ra + 1]++] = (uint32_t)k;
            if (pass && rb != ra) (*list)[start[rb + 1]++] = (uint32_t)k;
            if (!pass) start[ra + 2]++, start[rb + 2] += ra != rb;
        }
        for (size_t r = 0; !pass && r < size; r++) start[r + 2] += start[r + 1];
    }
    for (size_t r = 0; r < size; r++) t[r].out[1] = start[r + 1] - start[r];
    scr_buffer_free(start);
}

/* ---- the whole of it ---- */

// what steps with a body cost, about: one, and SCR_PAIR_COST for each pair of the list that it is the first of; else
// for its contacts
static void take_entries(division *d, const scr_world *part, const uint64_t *key)
{
    const scr_bodies *b = &part->bodies;
    const scr_contacts *c = &part->contacts;
    const scr_share *s = d->share;
    d->count = scr_bodies_own(b);
    need(scr_reserve(&d->entries, d->count + 1) && scr_reserve(&d->costs, d->count + 1));
    for (size_t k = 0; k < d->count; k++) {
        size_t i = b->low + k;
        d->entries[k] = (entry){{key[i], b->id[i]}, (uint32_t)i, 1};
        // a few may have left since, and rows with them: it is a matter of speed alone
        if (i < s->weight_count) d->entries[k].cost += SCR_PAIR_COST * s->weight[i];
    }
    for (size_t k = 0; k < c->table.count && !s->weight_count; k++)
        if (is_own(b, (size_t)c->row[2 * k])) d->entries[(size_t)c->row[2 * k] - b->low].cost++;
    qsort(d->entries, d->count, sizeof *d->entries, by_spot);
    for (size_t k = 0; k < d->count; k++) d->costs[k + 1] = d->costs[k] + d->entries[k].cost;
}

// those that have come, in the order of the curve
static void put_in_order(scr_share *s, scr_world *part, uint64_t (*key_of)(const scr_world *, size_t))
{
    scr_bodies *b = &part->bodies;
    entry *entries = NULL;
    need(scr_reserve(&entries, b->table.count + 1) && scr_reserve(&s->list, b->table.count + 1));
    for (size_t i = 0; i < b->table.count; i++) entries[i] = (entry){{key_of(part, i), b->id[i]}, (uint32_t)i, 0};
    qsort(entries, b->table.count, sizeof *entries, by_spot);
    for (size_t i = 0; i < b->table.count; i++) s->list[i] = entries[i].row;
    scr_table_reorder(&b->table, s->list);
    scr_buffer_free(entries);
}

static void cut_blocks(scr_share *s, scr_world *part, uint64_t bodies)
{
    need(scr_blocks_cut(&s->blocks, bodies) && scr_blocks_cut(&part->blocks, part->bodies.table.count));
    if (!s->whole) return;
    s->whole->bodies.table.count = bodies;
    need(scr_blocks_cut(&s->whole->blocks, bodies));
}

void scr_share_migrate(scr_share *s, scr_world *part, uint64_t (*key_of)(const scr_world *, size_t))
{
    scr_bodies *b = &part->bodies;
    size_t size = (size_t)s->comm->size;
    division d = {.share = s, .cuts = s->comm->size - 1};
    traffic *t = NULL;
    uint64_t *key = NULL;
    uint32_t *rows = NULL, *contacts = NULL;
    need(scr_reserve(&key, b->table.count + 1) && scr_reserve(&rows, b->table.count + 1) && scr_reserve(&t, size) &&
         scr_reserve(&d.splits, size) && scr_reserve(&d.below, size) && scr_reserve(&d.want, size));
    for (size_t i = 0; i < b->table.count; i++) key[i] = key_of(part, i);
    take_entries(&d, part, key);
    int64_t sums[2] = {(int64_t)d.count, (int64_t)d.costs[d.count]};
    double most[2] = {0, (double)part->clock.next_id};
    for (size_t k = 0; k < d.count; k++) {
        most[0] = (double)bits_of(d.entries[k].at.key) > most[0] ? (double)bits_of(d.entries[k].at.key) : most[0];
        most[1] = (double)d.entries[k].at.id > most[1] ? (double)d.entries[k].at.id : most[1];
    }
    scr_comm_add(s->comm, sums, 2);
    scr_comm_most(s->comm, most, 2);
    divide(&d, sums[0], sums[1], (int)most[0] + 1, bits_of((uint64_t)most[1]) + 1);
    for (size_t k = 0; k < d.count; k++) {
        rows[k] = d.entries[k].row;
        t[rank_of(&d, d.entries[k].at)].out[0]++;
    }
    list_contacts(&d, part, key, t, &contacts);
    trade_traffic(s, t);
    trade_rows(s, &b->table, t, 0, rows);
    trade_rows(s, &part->contacts.table, t, 1, contacts);
    b->low = b->high = 0;
    put_in_order(s, part, key_of);
    cut_blocks(s, part, (uint64_t)sums[0]);
    s->named = true;
    if (s->has_aside) scr_share_deal(s, part);
    scr_free_all(d.entries, d.costs, d.splits, d.below, d.want, t, key, rows, contacts);
}

/* ---- contacts of a checkpoint ---- */

/* Who owns a body. */
typedef struct {
    int64_t id, rank;
} owner;

static int by_id(const void *a, const void *b)
{
    const owner *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static size_t home_of(const scr_share *s, int64_t id)
{
    return (size_t)(id % s->comm->size);
}

// numbers to the ranks that know about them; *place, unless NULL, is where each of them stands in what is sent
static size_t ask_homes(scr_share *s, const int64_t *ids, size_t count, size_t **place, int64_t **in, uint64_t *out_of,
                        uint64_t *from)
{
    size_t size = (size_t)s->comm->size, *at = NULL;
    int64_t *sorted = NULL;
    char *bytes = NULL;
    need(scr_reserve(&at, size + 1) && scr_reserve(&sorted, count + 1) && (!place || scr_reserve(place, count + 1)));
    memset(out_of, 0, size * sizeof *out_of);
    for (size_t k = 0; k < count; k++) out_of[home_of(s, ids[k])]++;
    for (size_t r = 0; r < size; r++) at[r + 1] = at[r] + out_of[r];
    for (size_t k = 0; k < count; k++) {
        size_t n = at[home_of(s, ids[k])]++;
        sorted[n] = ids[k];
        if (place) (*place)[k] = n;
    }
    size_t coming = scr_share_trade(s, (const char *)sorted, out_of, sizeof *sorted, &bytes, from);
    need(scr_reserve(in, coming + 1));
    scr_copy(*in, bytes, coming * sizeof **in);
    scr_free_all(at, sorted, bytes);
    return coming;
}

// of the bodies whose home is here, in the order of ids
static size_t list_owners(scr_share *s, const scr_bodies *b, owner **list)
{
    size_t size = (size_t)s->comm->size, n = 0;
    uint64_t *out = NULL, *from = NULL;
    int64_t *in = NULL;
    need(scr_reserve(&out, size) && scr_reserve(&from, size));
    size_t count = ask_homes(s, b->id + b->low, scr_bodies_own(b), NULL, &in, out, from);
    need(scr_reserve(list, count + 1));
    for (size_t r = 0; r < size; r++)
        for (uint64_t k = 0; k < from[r]; k++, n++) (*list)[n] = (owner){in[n], (int64_t)r};
    qsort(*list, count, sizeof **list, by_id);
    for (size_t k = 1; k < count; k++)
        if ((*list)[k].id == (*list)[k - 1].id) scr_comm_abort(2, "the checkpoint has the same id twice");
    scr_free_all(out, from, in);
    return count;
}

// who owns each of these bodies, as their homes know
static void find_owners(scr_share *s, const scr_bodies *b, const int64_t *ids, size_t count, int64_t *ranks)
{
    size_t size = (size_t)s->comm->size, *place = NULL;
    uint64_t *out = NULL, *from = NULL;
    int64_t *asked = NULL;
    owner *list = NULL;
    char *answers = NULL;
    need(scr_reserve(&out, size) && scr_reserve(&from, size));
    size_t known = list_owners(s, b, &list), questions = ask_homes(s, ids, count, &place, &asked, out, from);
    for (size_t k = 0; k < questions; k++) {
        const owner *found = bsearch(&(owner){asked[k], 0}, list, known, sizeof *list, by_id);
        if (!found) scr_comm_abort(2, "the checkpoint has a contact of a body that does not exist");
        asked[k] = found->rank;
    }
    scr_share_trade(s, (const char *)asked, from, sizeof *asked, &answers, NULL);
    for (size_t k = 0; k < count; k++) memcpy(&ranks[k], answers + place[k] * sizeof *ranks, sizeof *ranks);
    scr_free_all(place, out, from, asked, list, answers);
}

void scr_share_deal(scr_share *s, scr_world *part)
{
    scr_contacts *c = &s->aside;
    if (scr_contacts_are_wide(&part->contacts)) need(scr_table_reserve(&c->table, 1) && scr_contacts_widen(c));
    size_t count = c->table.count, size = (size_t)s->comm->size, n = 0;
    int64_t *ids = NULL, *ranks = NULL;
    uint32_t *list = NULL;
    traffic *t = NULL;
    need(scr_reserve(&ids, 2 * count + 1) && scr_reserve(&ranks, 2 * count + 1) && scr_reserve(&list, 2 * count + 1) &&
         scr_reserve(&t, size));
    for (size_t k = 0; k < count; k++)
        ids[2 * k] = c->body[k], ids[2 * k + 1] = c->partner[k] < 0 ? c->body[k] : c->partner[k];
    find_owners(s, &part->bodies, ids, 2 * count, ranks);
    for (size_t r = 0; r < size; r++)
        for (size_t k = 0; k < count; k++)
            if (ranks[2 * k] == (int64_t)r || ranks[2 * k + 1] == (int64_t)r) list[n++] = (uint32_t)k, t[r].out[1]++;
    trade_traffic(s, t);
    trade_rows(s, &c->table, t, 1, list);
    scr_table_deinit(&part->contacts.table);
    part->contacts = *c;
    *c = (scr_contacts){0};
    s->has_aside = false;
    s->named = true;
    scr_free_all(ids, ranks, list, t);
}

void scr_share_adopt(scr_share *s, scr_world *part)
{
    scr_blocks *all = &part->blocks, own = {0};
    uint64_t count = part->bodies.table.count;
    scr_comm_gather_all(s->comm, &count, sizeof count, s->first + 1);
    s->first[0] = 0;
    for (int r = 0; r < s->comm->size; r++) s->first[r + 1] += s->first[r];
    uint64_t first = s->first[s->comm->rank], end = first + count;
    need(scr_reserve(&own.start, all->count + 1));
    for (size_t k = 0; k < all->count; k++)
        if (scr_block_first(all, k) >= first && scr_block_end(all, k) <= end)
            own.start[++own.count] = (uint32_t)(scr_block_end(all, k) - first);
    scr_blocks_deinit(&s->blocks);
    s->blocks = *all;
    part->blocks = own;
    s->aside = part->contacts;
    s->has_aside = true;
    scr_contacts_init(&part->contacts);
    if (scr_contacts_are_wide(&s->aside)) need(scr_contacts_widen(&part->contacts));
}

/* ---- between two sorts ---- */

static size_t rank_of_row(const scr_share *s, uint64_t row)
{
    size_t low = 0, high = (size_t)s->comm->size;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (s->next[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// contacts whose first body is ours, for the new owners of both
static void send_contacts(const scr_share *s, const scr_world *part, traffic *t, uint32_t **list)
{
    const int32_t *row = part->contacts.row;
    uint64_t from = s->first[s->comm->rank], to = s->first[s->comm->rank + 1];
    size_t count = part->contacts.table.count, n = 0;
    need(scr_reserve(list, 2 * count + 1));
    for (size_t r = 0; r < (size_t)s->comm->size; r++) {
        size_t before = n;
        for (size_t k = 0; k < count; k++) {
            uint64_t i = (uint64_t)row[2 * k], j = row[2 * k + 1] < 0 ? i : (uint64_t)row[2 * k + 1];
            if (i < from || i >= to) continue;
            if (rank_of_row(s, i) == r || rank_of_row(s, j) == r) (*list)[n++] = (uint32_t)k;
        }
        t[r].out[1] = n - before;
    }
}

static uint64_t overlap(uint64_t from, uint64_t to, uint64_t low, uint64_t high)
{
    uint64_t a = from > low ? from : low, b = to < high ? to : high;
    return b > a ? b - a : 0;
}

void scr_share_recut(scr_share *s, scr_world *part)
{
    size_t size = (size_t)s->comm->size, own = part->bodies.table.count;
    traffic *t = NULL;
    uint32_t *rows = NULL, *contacts = NULL;
    need(scr_reserve(&t, size) && scr_reserve(&rows, own + 1));
    uint64_t from = s->first[s->comm->rank], to = s->first[s->comm->rank + 1];
    for (size_t k = 0; k < own; k++) rows[k] = (uint32_t)k;
    for (size_t r = 0; r < size; r++) t[r].out[0] = overlap(from, to, s->next[r], s->next[r + 1]);
    send_contacts(s, part, t, &contacts);
    trade_traffic(s, t);
    // bodies from lower ranks have lower rows: they arrive in order
    trade_rows(s, &part->bodies.table, t, 0, rows);
    trade_rows(s, &part->contacts.table, t, 1, contacts);
    memcpy(s->first, s->next, (size + 1) * sizeof *s->first);
    s->named = true;
    s->recut = false;
    s->recuts++;
    scr_free_all(t, rows, contacts);
}
