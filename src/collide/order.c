#include "collide/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exec/cpu/threads.h"
#include "exec/reduce.h"
#include "world/carrier.h"

// the low 21 bits of x, two zero bits after each
static uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}

static uint64_t clamp_cell(double c)
{
    return !(c >= 0) ? 0 : c > 0x1fffff ? 0x1fffff : (uint64_t)c;
}

#define PARTS 64   /* of a sort, at most */
#define LEAST 8192 /* bodies of a part: less is not worth a thread */

/* One pass of a stable radix sort on eight bits of the key. Each part of the bodies has a place of its own for each
 * digit, after those of the parts before it: the result does not depend on how many there are. */
typedef struct {
    const uint64_t *key;
    const uint32_t *order;
    uint64_t *key_out;
    uint32_t *order_out;
    size_t count, parts;
    int shift;
    uint32_t start[PARTS][256];
} radix;

static void count_digits(void *context, size_t part)
{
    radix *r = context;
    uint32_t *start = r->start[part];
    memset(start, 0, sizeof r->start[part]);
    for (size_t k = r->count * part / r->parts, end = r->count * (part + 1) / r->parts; k < end; k++)
        start[r->key[k] >> r->shift & 255]++;
}

static void move_part(void *context, size_t part)
{
    radix *r = context;
    uint32_t *start = r->start[part];
    for (size_t k = r->count * part / r->parts, end = r->count * (part + 1) / r->parts; k < end; k++) {
        uint32_t at = start[r->key[k] >> r->shift & 255]++;
        r->key_out[at] = r->key[k];
        r->order_out[at] = r->order[k];
    }
}

void scr_order_turn(scr_order *o)
{
    uint32_t *order = o->order[0];
    o->order[0] = o->order[1], o->order[1] = order;
}

static void radix_pass(scr_order *o, radix *r, int shift)
{
    r->key = o->key[0], r->order = o->order[0];
    r->key_out = o->key[1], r->order_out = o->order[1];
    r->shift = shift;
    scr_each(r->parts, NULL, count_digits, r);
    for (uint32_t digit = 0, sum = 0; digit < 256; digit++)
        for (size_t part = 0; part < r->parts; part++) {
            uint32_t own = r->start[part][digit];
            r->start[part][digit] = sum;
            sum += own;
        }
    scr_each(r->parts, NULL, move_part, r);
    scr_order_turn(o);
    uint64_t *key = o->key[0];
    o->key[0] = o->key[1], o->key[1] = key;
}

static int by_id(const void *a, const void *b, void *id)
{
    int64_t x = ((int64_t *)id)[*(const uint32_t *)a], y = ((int64_t *)id)[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

/* What the passes over bodies share. */
typedef struct {
    scr_order *order;
    const scr_world *world;
    double inverse; /* cells per metre */
} curve;

// those of equal keys in the order of ids: the part in which they begin sees to them
static void sort_ties(void *context, size_t from, size_t to)
{
    const curve *c = context;
    const uint64_t *key = c->order->key[0];
    size_t count = c->world->bodies.table.count;
    while (from > 0 && from < to && key[from] == key[from - 1]) from++;
    for (size_t end; from < to; from = end) {
        for (end = from + 1; end < count && key[end] == key[from];) end++;
        if (end - from > 1)
            qsort_r(c->order->order[0] + from, end - from, sizeof(uint32_t), by_id, c->world->bodies.id);
    }
}

static uint64_t key_of(const scr_world *w, size_t row, double inverse)
{
    vec3 x = v3_scale(inverse, v3_sub(scr_unit_place(w, row), w->domain.lower));
    return spread(clamp_cell(x.x)) | spread(clamp_cell(x.y)) << 1 | spread(clamp_cell(x.z)) << 2;
}

static double cells_per_metre(const scr_world *w)
{
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    double longest = fmax(size.x, fmax(size.y, size.z));
    return 1 / fmax(w->clock.curve, longest / 0x1fffff);
}

uint64_t scr_order_key(const scr_world *w, size_t row)
{
    return key_of(w, row, cells_per_metre(w));
}

bool scr_order_joined(const void *world, size_t row)
{
    const scr_world *w = world;
    int carrier = w->bodies.carrier[row];
    return carrier == w->bodies.carrier[row - 1] && scr_carrier_is_clump(w, carrier);
}

static void key_rows(void *context, size_t from, size_t to, void *used)
{
    const curve *c = context;
    for (size_t k = from; k < to; k++) {
        uint64_t key = key_of(c->world, k, c->inverse);
        c->order->key[0][k] = key;
        c->order->order[0][k] = (uint32_t)k;
        *(uint64_t *)used |= key;
    }
}

static void join_used(void *all, const void *part)
{
    *(uint64_t *)all |= *(const uint64_t *)part;
}

// whether some row does not come after the one before
static void disorder_of_rows(void *context, size_t from, size_t to, void *part)
{
    const curve *c = context;
    const uint64_t *key = c->order->key[0];
    const int64_t *id = c->world->bodies.id;
    bool *disorder = part;
    for (size_t k = from ? from : 1; k < to && !*disorder; k++)
        *disorder = key[k] < key[k - 1] || (key[k] == key[k - 1] && id[k] < id[k - 1]);
}

static bool comes_before(const curve *c, uint32_t a, uint32_t b)
{
    const uint64_t *key = c->order->key[0];
    const int64_t *id = c->world->bodies.id;
    return key[a] < key[b] || (key[a] == key[b] && id[a] < id[b]);
}

static int along_curve(const void *a, const void *b, void *along)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return comes_before(along, y, x) - comes_before(along, x, y);
}

// Where few rows are out of order: these are taken out, sorted by themselves and put back between the others. Of two
// that are not in order both are taken out, so that one that is far from its place does not take along what follows.
// False: there are too many.
static bool sort_few(const curve *c)
{
    enum { MOST = 16 }; // one in so many, and this many in any case
    uint32_t *order = c->order->order[0], *kept = c->order->order[1];
    size_t count = c->world->bodies.table.count, n = 0, out = 0;
    uint32_t *taken = kept + count; // they grow downwards
    for (size_t k = 0; k < count; k++) {
        uint32_t row = (uint32_t)k;
        if (!n || comes_before(c, kept[n - 1], row)) {
            kept[n++] = row;
            continue;
        }
        if ((out += 2) > MOST + k / MOST) return false;
        *--taken = kept[--n];
        *--taken = row;
    }
    qsort_r(taken, out, sizeof *taken, along_curve, (void *)c);
    for (size_t k = count; k-- > 0;) {
        bool from_taken = out && (!n || comes_before(c, kept[n - 1], taken[out - 1]));
        order[k] = from_taken ? taken[--out] : kept[--n];
    }
    return true;
}

bool scr_order_morton(scr_order *o, const scr_world *w)
{
    curve c = {o, w, cells_per_metre(w)};
    radix r = {.count = w->bodies.table.count, .parts = (size_t)scr_threads()};
    uint64_t used = 0;
    scr_reduce(r.count, key_rows, join_used, &c, &used, sizeof used);
    if (!scr_reduce_any(r.count, disorder_of_rows, &c)) return false;
    if (sort_few(&c)) return true;
    if (r.parts > r.count / LEAST + 1) r.parts = r.count / LEAST + 1;
    if (r.parts > PARTS) r.parts = PARTS;
    for (int shift = 0; shift < 64 && used >> shift; shift += 8) radix_pass(o, &r, shift);
    scr_each_rows(r.count, sort_ties, &c);
    return true;
}

/* ---- rows into their new order ---- */

/* A column of a field, at most as wide as SCR_ORDER_ROW. */
typedef struct {
    char *data, *scratch;
    size_t row, width; /* bytes */
    const uint32_t *order;
} column;

// the row after those that follow each other before and after, from k on
static size_t end_of_run(const column *c, size_t k, size_t to)
{
    if (c->width < c->row) return k + 1; // they do not in this column
    for (k++; k < to && c->order[k] == c->order[k - 1] + 1;) k++;
    return k;
}

static void gather_rows(void *context, size_t from, size_t to)
{
    const column *c = context;
    for (size_t k = from, end; k < to; k = end) {
        end = end_of_run(c, k, to);
        char *row = c->scratch + k * c->width;
        const char *old = c->data + c->order[k] * c->row;
        // one size that the compiler knows is the one of almost all
        if (end == k + 1 && c->width == SCR_ORDER_ROW)
            memcpy(row, old, SCR_ORDER_ROW);
        else
            memcpy(row, old, (end - k) * c->width);
    }
}

static void return_rows(void *context, size_t from, size_t to)
{
    const column *c = context;
    if (c->width == c->row) {
        memcpy(c->data + from * c->row, c->scratch + from * c->row, (to - from) * c->row);
        return;
    }
    for (size_t k = from; k < to && c->width == SCR_ORDER_ROW; k++)
        memcpy(c->data + k * c->row, c->scratch + k * SCR_ORDER_ROW, SCR_ORDER_ROW);
    for (size_t k = from; k < to && c->width < SCR_ORDER_ROW; k++)
        memcpy(c->data + k * c->row, c->scratch + k * c->width, c->width);
}

void scr_order_apply(const uint32_t *order, scr_table *table, void *scratch)
{
    table->moves++;
    for (int f = 0; f < table->field_count; f++) {
        column c = {scr_table_array(table, &table->fields[f]), scratch, scr_field_row(&table->fields[f]), 0, order};
        if (c.data == c.scratch) continue;
        for (size_t left = c.row; left; left -= c.width, c.data += c.width) {
            c.width = left < SCR_ORDER_ROW ? left : SCR_ORDER_ROW;
            scr_each_rows(table->count, gather_rows, &c);
            scr_each_rows(table->count, return_rows, &c);
        }
    }
}
