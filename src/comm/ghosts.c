/* Ghosts: which bodies another rank must know of, and what it hears of them.
 *
 * A list pairs bodies i and j whose anchors are nearer than r_i + r_j + gap. Each rank says where its bodies are by
 * boxes around runs of them that follow each other along the curve, RUN spheres each, and boxes around BUNCH such runs.
 * A body is a ghost of another rank if it is nearer than r + gap to one of that rank's boxes of spheres: so all of its
 * possible partners are among its ghosts, and few others. Ranks whose boxes are not near do not speak to each other.
 *
 * The test of boxes is symmetric in every bit: both sides know which ranks exchange messages.
 *
 * Where cells of elastic solids can touch bodies, spheres around a rank's own ones are among its boxes, behind those of
 * its bodies. They say where bodies are, not their anchors, and so are larger by as much as these are apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "comm/rows.h"
#include "comm/share.h"
#include "exec/reduce.h"
#include "world/ids.h"

#define RUN   16
#define BUNCH 32 /* runs */
#define GHOST (SCR_GHOST_STEP | SCR_GHOST_LIST)
#define STEP  9 /* numbers of a ghost in a step: place, velocity, spin */

static void need(bool room)
{
    scr_comm_need(room, "ghosts");
}

/* ---- leaving them ---- */

static void to_global(const scr_share *s, int32_t *rows, size_t count)
{
    for (size_t k = 0; k < 2 * count; k++)
        if (rows[k] >= 0) rows[k] = (int32_t)s->row[rows[k]];
}

/* Rows that become global, or local. */
typedef struct {
    const scr_share *share;
    const scr_bodies *bodies;
    uint32_t *rows;
} renaming;

void scr_share_bare(scr_share *s, scr_world *part)
{
    scr_bodies *b = &part->bodies;
    size_t own = scr_bodies_own(b);
    to_global(s, part->contacts.row, part->contacts.table.count);
    to_global(s, part->bonds.row, part->bonds.table.count);
    scr_table_drop_front(&b->table, b->low);
    size_t block = 0, count = 0;
    scr_blocks *blocks = &part->blocks;
    // blocks of ghosts alone are before and behind our own
    for (; block < blocks->count; block++)
        if (scr_block_first(blocks, block) >= b->low && scr_block_first(blocks, block) < b->low + own)
            blocks->start[count++] = (uint32_t)(scr_block_first(blocks, block) - b->low);
    if (blocks->start) blocks->start[count] = (uint32_t)own;
    blocks->count = count;
    b->table.count = own;
    b->low = b->high = 0;
}

static void name_rows(void *context, size_t from, size_t to)
{
    const renaming *r = context;
    for (size_t k = from; k < to; k++) r->rows[k] = r->share->row[r->rows[k]];
}

void scr_share_name(const scr_share *s, uint32_t *rows, size_t count)
{
    scr_each_rows(count, name_rows, &(renaming){.share = s, .rows = rows});
}

/* ---- boxes ---- */

/* Lower corner, upper corner. */
typedef struct {
    double low[3], high[3];
} box;

static box no_box(void)
{
    return (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

// what is not a number is in no box
static void widen(box *b, const double *low, const double *high)
{
    for (int d = 0; d < 3; d++) {
        b->low[d] = low[d] < b->low[d] ? low[d] : b->low[d];
        b->high[d] = high[d] > b->high[d] ? high[d] : b->high[d];
    }
}

static box box_of_rows(const double *place, size_t from, size_t to)
{
    box b = no_box();
    for (size_t i = from; i < to; i++) {
        const double *x = place + 4 * i;
        const double low[3] = {x[0] - x[3], x[1] - x[3], x[2] - x[3]};
        const double high[3] = {x[0] + x[3], x[1] + x[3], x[2] + x[3]};
        widen(&b, low, high);
    }
    return b;
}

static box box_of_boxes(const box *boxes, size_t count)
{
    box b = no_box();
    for (size_t k = 0; k < count; k++) widen(&b, boxes[k].low, boxes[k].high);
    return b;
}

typedef struct {
    double length[3]; /* 0: not periodic */
    double gap;
} realm;

static realm realm_of(const scr_domain *domain, double gap)
{
    realm s = {.gap = gap};
    for (int d = 0; d < 3; d++)
        if (domain->periodic[d]) s.length[d] = (&domain->upper.x)[d] - (&domain->lower.x)[d];
    return s;
}

// how far two intervals are apart along an axis, through periodic sides too
static double apart(const realm *s, int d, double low, double high, double other_low, double other_high)
{
    double between = 0.5 * (low + high) - 0.5 * (other_low + other_high);
    // nearer than half a length no other image is nearer: most are
    if (fabs(between) > 0.5 * s->length[d] && s->length[d] > 0) between -= s->length[d] * rint(between / s->length[d]);
    double gap = fabs(between) - (0.5 * (high - low) + 0.5 * (other_high - other_low));
    return gap > 0 ? gap : 0;
}

// whether they are as near as this; rounding is on the safe side. Most are too far along the first axis already
static bool within(const realm *s, const double *low, const double *high, const box *b, double reach)
{
    double d2 = 0, most = reach * reach;
    bool near = true;
    for (int d = 0; d < 3 && near; d++) {
        double gap = apart(s, d, low[d], high[d], b->low[d], b->high[d]);
        d2 += gap * gap;
        near = d2 * (1 - 1e-12) <= most;
    }
    return near;
}

static bool are_near(const realm *s, const box *a, const box *b)
{
    // it may be empty
    return a->low[0] <= a->high[0] && b->low[0] <= b->high[0] && within(s, a->low, a->high, b, s->gap);
}

static bool body_is_near(const realm *s, const double *x, const box *b)
{
    return b->low[0] <= b->high[0] && within(s, x, x, b, x[3] + s->gap);
}

/* The boxes of a rank: runs of bodies and of spheres around cells, then bunches, then one of all. */
typedef struct {
    const box *runs, *bunches;
    size_t run_count, bunch_count;
} boxes;

static size_t runs_of(size_t rows)
{
    return (rows + RUN - 1) / RUN;
}

static size_t run_count_of(const scr_share *s, int rank)
{
    return runs_of(s->first[rank + 1] - s->first[rank]) + runs_of(s->extras[rank]);
}

static size_t box_count_of(size_t runs)
{
    return runs + (runs + BUNCH - 1) / BUNCH + 1;
}

static boxes boxes_at(const double *numbers, size_t runs)
{
    const box *b = (const box *)numbers;
    return (boxes){b, b + runs, runs, (runs + BUNCH - 1) / BUNCH};
}

// how far anchors are from where bodies are, at most
static double longest_lead(scr_share *s, const scr_bodies *b)
{
    double far2 = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        const double *x = b->place + 4 * i, *y = b->anchor + 4 * i;
        double d2 = (x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]);
        if (d2 > far2) far2 = d2;
    }
    scr_comm_most(s->comm, &far2, 1);
    return sqrt(far2) * (1 + 1e-12);
}

static size_t boxes_of(box *out, const double *spheres, size_t rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows; i += RUN) out[n++] = box_of_rows(spheres, i, i + RUN < rows ? i + RUN : rows);
    return n;
}

static boxes own_boxes(scr_share *s, const scr_bodies *b)
{
    uint64_t extra = s->touch_cells ? s->extra_count : 0;
    double lead = 0;
    s->extras[s->comm->rank] = extra;
    if (s->touch_cells) {
        scr_comm_gather_all(s->comm, &extra, sizeof extra, s->extras);
        lead = longest_lead(s, b);
    }
    size_t runs = run_count_of(s, s->comm->rank), n = 0;
    need(scr_reserve(&s->boxes[0], 6 * box_count_of(runs)));
    box *out = (box *)s->boxes[0];
    n = boxes_of(out, b->anchor, b->table.count);
    for (size_t k = 0; k < extra; k++) s->extra[4 * k + 3] += lead;
    n += boxes_of(out + n, s->extra, extra);
    for (size_t k = 0; k < runs; k += BUNCH) out[n++] = box_of_boxes(out + k, runs - k < BUNCH ? runs - k : BUNCH);
    boxes all = boxes_at(s->boxes[0], runs);
    out[n] = box_of_boxes(all.bunches, all.bunch_count);
    return all;
}

/* ---- which rank gets which ---- */

// whether some bond ties a body of ours to one of that rank
static void mark_bonded(const scr_share *s, const scr_world *part, bool *tied)
{
    uint64_t from = s->first[s->comm->rank], to = s->first[s->comm->rank + 1];
    const int32_t *rows = part->bonds.row;
    for (size_t k = 0; k < 2 * part->bonds.table.count; k++) {
        uint64_t row = (uint64_t)rows[k];
        if (row >= from && row < to) continue;
        for (int r = 0; r < s->comm->size; r++) tied[r] |= row >= s->first[r] && row < s->first[r + 1];
    }
}

// ranks that may be near, ascending
static void find_peers(scr_share *s, const scr_world *part, const realm *space, const box *own)
{
    scr_comm *c = s->comm;
    size_t size = (size_t)c->size;
    bool *tied = NULL;
    need(scr_reserve(&s->boxes[2], 6 * size) && scr_reserve(&tied, size));
    scr_comm_gather_all(c, own, sizeof *own, s->boxes[2]);
    mark_bonded(s, part, tied);
    const box *all = (const box *)s->boxes[2];
    s->peer_count = 0;
    for (int r = 0; r < c->size; r++)
        if (r != c->rank && (tied[r] || are_near(space, own, &all[r]))) s->peers[s->peer_count++].rank = r;
    scr_buffer_free(tied);
}

static void add_row(scr_peer *p, uint32_t row)
{
    need(scr_push(p->rows, p->row_count, row));
}

// bodies of one run of ours that are near some run of these bunches
static void search_run(scr_peer *p, const realm *space, const scr_bodies *b, const box *run, size_t first,
                       const boxes *theirs, const uint32_t *bunches, size_t bunch_count)
{
    uint64_t found = 0;
    size_t count = b->table.count - first < RUN ? b->table.count - first : RUN;
    uint64_t all = ((uint64_t)1 << count) - 1;
    for (size_t n = 0; n < bunch_count && found != all; n++) {
        if (!are_near(space, run, &theirs->bunches[bunches[n]])) continue;
        size_t from = (size_t)bunches[n] * BUNCH,
               to = from + BUNCH < theirs->run_count ? from + BUNCH : theirs->run_count;
        for (size_t k = from; k < to && found != all; k++) {
            if (!are_near(space, run, &theirs->runs[k])) continue;
            for (size_t i = 0; i < count; i++)
                if (!(found >> i & 1) && body_is_near(space, b->anchor + 4 * (first + i), &theirs->runs[k]))
                    found |= (uint64_t)1 << i;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (found >> i & 1) add_row(p, (uint32_t)(first + i));
}

static void search_peer(scr_share *s, scr_peer *p, const realm *space, const scr_bodies *b, const boxes *own,
                        const boxes *theirs)
{
    need(scr_reserve(&s->list, theirs->bunch_count + 1));
    p->row_count = 0;
    for (size_t bunch = 0; bunch < own->bunch_count; bunch++) {
        size_t near = 0;
        for (size_t k = 0; k < theirs->bunch_count; k++)
            if (are_near(space, &own->bunches[bunch], &theirs->bunches[k])) s->list[near++] = (uint32_t)k;
        size_t bodies = runs_of(b->table.count), end = (bunch + 1) * BUNCH < bodies ? (bunch + 1) * BUNCH : bodies;
        for (size_t run = bunch * BUNCH; near && run < end; run++)
            search_run(p, space, b, &own->runs[run], run * RUN, theirs, s->list, near);
    }
}

static int by_row(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// bodies of ours that bonds tie to theirs, wherever they are
static void add_bonded(scr_share *s, const scr_world *part, scr_peer *p)
{
    uint64_t from = s->first[s->comm->rank], to = s->first[s->comm->rank + 1];
    uint64_t their_from = s->first[p->rank], their_to = s->first[p->rank + 1];
    size_t before = p->row_count;
    for (size_t k = 0; k < 2 * part->bonds.table.count; k++) {
        uint64_t row = (uint64_t)part->bonds.row[k], partner = (uint64_t)part->bonds.row[k ^ 1];
        if (row >= from && row < to && partner >= their_from && partner < their_to) add_row(p, (uint32_t)(row - from));
    }
    if (p->row_count == before) return;
    qsort(p->rows, p->row_count, sizeof *p->rows, by_row);
    size_t n = 0;
    for (size_t k = 0; k < p->row_count; k++)
        if (!n || p->rows[n - 1] != p->rows[k]) p->rows[n++] = p->rows[k];
    p->row_count = n;
}

static void choose(scr_share *s, const scr_world *part, double gap)
{
    const realm space = realm_of(&part->domain, gap);
    boxes own = own_boxes(s, &part->bodies);
    size_t own_bytes = sizeof(box) * (own.run_count + own.bunch_count);
    find_peers(s, part, &space, own.bunches + own.bunch_count);
    size_t numbers = 0;
    for (int k = 0; k < s->peer_count; k++) numbers += 6 * box_count_of(run_count_of(s, s->peers[k].rank));
    need(scr_reserve(&s->boxes[1], numbers + 1));
    double *at = s->boxes[1];
    for (int k = 0; k < s->peer_count; k++) {
        size_t count = box_count_of(run_count_of(s, s->peers[k].rank));
        s->parcels[k] = (scr_parcel){s->peers[k].rank, own.runs, at, own_bytes, sizeof(box) * (count - 1)};
        at += 6 * count;
    }
    scr_comm_trade(s->comm, s->parcels, s->peer_count);
    for (int k = 0; k < s->peer_count; k++) {
        boxes theirs = boxes_at(s->parcels[k].in, run_count_of(s, s->peers[k].rank));
        search_peer(s, &s->peers[k], &space, &part->bodies, &own, &theirs);
        add_bonded(s, part, &s->peers[k]);
    }
}

/* ---- their first message ---- */

static void trade_counts(scr_share *s)
{
    uint64_t(*counts)[2] = NULL;
    need(scr_reserve(&counts, (size_t)s->peer_count + 1));
    for (int k = 0; k < s->peer_count; k++) {
        counts[k][0] = s->peers[k].row_count;
        s->parcels[k] = (scr_parcel){s->peers[k].rank, &counts[k][0], &counts[k][1], 8, 8};
    }
    scr_comm_trade(s->comm, s->parcels, s->peer_count);
    for (int k = 0; k < s->peer_count; k++) s->peers[k].count = counts[k][1];
    scr_buffer_free(counts);
}

// a rank with which we have nothing to share is not a neighbour; its memory stays
static void drop_strangers(scr_share *s)
{
    int n = 0;
    for (int k = 0; k < s->peer_count; k++) {
        if (!s->peers[k].row_count && !s->peers[k].count) continue;
        scr_peer peer = s->peers[n];
        s->peers[n] = s->peers[k], s->peers[k] = peer;
        n++;
    }
    s->peer_count = n;
}

// room in the order of ranks
static void make_room(scr_share *s, scr_bodies *b)
{
    size_t own = b->table.count;
    b->low = b->high = 0;
    for (int k = 0; k < s->peer_count; k++)
        *(s->peers[k].rank < s->comm->rank ? &b->low : &b->high) += s->peers[k].count;
    need(scr_table_add_front(&b->table, b->low) && scr_table_reserve(&b->table, own + b->low + b->high + 1) &&
         scr_reserve(&s->row, own + b->low + b->high + 1));
    b->table.count = own + b->low + b->high;
    for (size_t k = 0; k < own; k++) s->row[b->low + k] = (uint32_t)(s->first[s->comm->rank] + k);
    size_t at = 0;
    for (int k = 0; k < s->peer_count; k++) {
        if (at == b->low && s->peers[k].rank > s->comm->rank) at += own;
        s->peers[k].first = at;
        at += s->peers[k].count;
    }
}

static void trade_bodies(scr_share *s, scr_bodies *b)
{
    size_t row = 4 + scr_table_row(&b->table, GHOST), out = 0, in = 0;
    for (int k = 0; k < s->peer_count; k++) out += s->peers[k].row_count, in += s->peers[k].count;
    need(scr_reserve(&s->bytes[0], out * row + 1) && scr_reserve(&s->bytes[1], in * row + 1));
    char *to = s->bytes[0], *from = s->bytes[1];
    for (int k = 0; k < s->peer_count; k++) {
        scr_peer *p = &s->peers[k];
        need(scr_reserve(&s->list, p->row_count + 1) && scr_reserve(&p->out, STEP * p->row_count + 1) &&
             scr_reserve(&p->in, STEP * p->count + 1));
        for (size_t n = 0; n < p->row_count; n++) s->list[n] = p->rows[n] + (uint32_t)b->low;
        s->parcels[k] = (scr_parcel){p->rank, to, from, p->row_count * row, p->count * row};
        for (size_t n = 0; n < p->row_count; n++, to += 4) memcpy(to, &s->row[s->list[n]], 4);
        to = scr_rows_pack(&b->table, GHOST, s->list, p->row_count, to);
        from += p->count * row;
    }
    scr_comm_trade(s->comm, s->parcels, s->peer_count);
    for (int k = 0; k < s->peer_count; k++) {
        const scr_peer *p = &s->peers[k];
        scr_copy(s->row + p->first, s->parcels[k].in, 4 * p->count);
        scr_rows_unpack(&b->table, GHOST, p->first, p->count, (const char *)s->parcels[k].in + 4 * p->count);
        scr_clear(b->image + 4 * p->first, 4 * p->count * sizeof *b->image);
    }
}

/* ---- rows ---- */

// the blocks of the whole, as much of them as is here
static void cut_blocks(const scr_share *s, scr_world *part)
{
    scr_blocks *b = &part->blocks;
    size_t rows = part->bodies.table.count, block = 0;
    need(scr_reserve(&b->start, s->blocks.count + 1));
    b->count = 0;
    b->start[0] = 0;
    for (size_t i = 0; i < rows; i++) {
        bool next = i == 0;
        while (s->row[i] >= scr_block_end(&s->blocks, block)) block++, next = true;
        if (next && i) b->start[++b->count] = (uint32_t)i;
    }
    if (rows) b->start[++b->count] = (uint32_t)rows;
}

static int32_t local_row(const scr_share *s, const scr_bodies *b, uint32_t global)
{
    // most are our own
    uint64_t first = s->first[s->comm->rank];
    if (global >= first && global - first < scr_bodies_own(b)) return (int32_t)(b->low + (global - first));
    size_t low = 0, high = b->table.count, rows = high;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (s->row[middle] <= global)
            low = middle;
        else
            high = middle;
    }
    return rows && s->row[low] == global ? (int32_t)low : -1;
}

// every contact and bond has both bodies here: bodies that touch are near
static void to_local(const scr_share *s, const scr_bodies *b, int32_t *rows, size_t count)
{
    for (size_t k = 0; k < 2 * count; k++) {
        if (rows[k] < 0) continue;
        rows[k] = local_row(s, b, (uint32_t)rows[k]);
        if (rows[k] < 0) scr_comm_abort(1, "a body that another one touches is missing");
    }
}

// the part's result: whether one is missing
static void find_rows(void *context, size_t from, size_t to, void *part)
{
    const renaming *r = context;
    bool *missing = part;
    for (size_t k = from; k < to; k++) {
        int32_t row = local_row(r->share, r->bodies, r->rows[k]);
        *missing |= row < 0;
        r->rows[k] = (uint32_t)row;
    }
}

void scr_share_find(const scr_share *s, const scr_world *part, uint32_t *rows, size_t count)
{
    if (scr_reduce_any(count, find_rows, &(renaming){s, &part->bodies, rows}))
        scr_comm_abort(1, "a body that another one touches is missing");
}

static void find_by_ids(scr_world *part)
{
    scr_contacts *c = &part->contacts;
    scr_ids ids;
    need(scr_ids_init(&ids, &part->bodies));
    for (size_t k = 0; k < c->table.count; k++) {
        int64_t i = scr_ids_row(&ids, c->body[k]),
                j = c->partner[k] < 0 ? c->partner[k] : scr_ids_row(&ids, c->partner[k]);
        if (i < 0 || (j < 0 && c->partner[k] >= 0)) scr_comm_abort(1, "a body that another one touches is missing");
        c->row[2 * k] = (int32_t)i, c->row[2 * k + 1] = (int32_t)j;
    }
    scr_ids_deinit(&ids);
}

void scr_share_ghosts(scr_share *s, scr_world *part, double gap)
{
    choose(s, part, gap);
    trade_counts(s);
    drop_strangers(s);
    make_room(s, &part->bodies);
    trade_bodies(s, &part->bodies);
    cut_blocks(s, part);
    if (s->named)
        find_by_ids(part);
    else
        to_local(s, &part->bodies, part->contacts.row, part->contacts.table.count);
    s->named = false;
    to_local(s, &part->bodies, part->bonds.row, part->bonds.table.count);
}

/* ---- each step ---- */

// owners hear which of their bodies have a pair here
static void trade_used(scr_share *s)
{
    size_t out = 0, in = 0;
    for (int k = 0; k < s->peer_count; k++) in += s->peers[k].row_count;
    need(scr_reserve(&s->bytes[1], in + 1));
    for (int k = 0; k < s->peer_count; k++) {
        const scr_peer *p = &s->peers[k];
        s->parcels[k] = (scr_parcel){p->rank, s->used + p->first, s->bytes[1] + out, p->count, p->row_count};
        out += p->row_count;
    }
    scr_comm_trade(s->comm, s->parcels, s->peer_count);
}

// a body that never moves has its place from the list
static bool moves(const scr_world *part, size_t row)
{
    return !part->groups[part->bodies.group[row]].frozen;
}

void scr_share_prune(scr_share *s, const scr_world *part)
{
    trade_used(s);
    const char *asked = s->bytes[1];
    for (int k = 0; k < s->peer_count; k++) {
        scr_peer *p = &s->peers[k];
        need(scr_reserve(&p->tell, p->row_count + 1) && scr_reserve(&p->hear, p->count + 1));
        p->tell_count = p->hear_count = 0;
        for (size_t n = 0; n < p->row_count; n++)
            if (*asked++ && moves(part, p->rows[n] + part->bodies.low)) p->tell[p->tell_count++] = p->rows[n];
        for (size_t i = p->first; i < p->first + p->count; i++)
            if (s->used[i] && moves(part, i)) p->hear[p->hear_count++] = (uint32_t)i;
    }
}

/* A message of a step, and the bodies that it is of. */
typedef struct {
    const scr_bodies *bodies;
    const uint32_t *rows;
    size_t first; /* what is added to each */
    double *message;
} telling;

static void tell_rows(void *context, size_t from, size_t to)
{
    const telling *t = context;
    const scr_bodies *b = t->bodies;
    for (size_t n = from; n < to; n++) {
        size_t i = t->rows[n] + t->first;
        double *message = t->message + STEP * n;
        memcpy(message, b->place + 4 * i, 24), memcpy(message + 3, b->motion + 4 * i, 24),
            memcpy(message + 6, b->spin + 4 * i, 24);
    }
}

static void hear_rows(void *context, size_t from, size_t to)
{
    const telling *t = context;
    const scr_bodies *b = t->bodies;
    for (size_t n = from; n < to; n++) {
        size_t i = t->rows[n];
        const double *message = t->message + STEP * n;
        memcpy(b->place + 4 * i, message, 24), memcpy(b->motion + 4 * i, message + 3, 24),
            memcpy(b->spin + 4 * i, message + 6, 24);
    }
}

void scr_share_send(scr_share *s, const scr_world *part)
{
    const size_t row = STEP * sizeof(double);
    for (int k = 0; k < s->peer_count; k++) {
        const scr_peer *p = &s->peers[k];
        scr_each_rows(p->tell_count, tell_rows, &(telling){&part->bodies, p->tell, part->bodies.low, p->out});
        s->parcels[k] = (scr_parcel){p->rank, p->out, p->in, p->tell_count * row, p->hear_count * row};
    }
    scr_comm_trade_start(s->comm, s->parcels, s->peer_count);
}

void scr_share_receive(scr_share *s, scr_world *part)
{
    scr_comm_trade_finish(s->comm);
    for (int k = 0; k < s->peer_count; k++) {
        const scr_peer *p = &s->peers[k];
        scr_each_rows(p->hear_count, hear_rows, &(telling){&part->bodies, p->hear, 0, p->in});
    }
}
