#include "solve/supernodes.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/lanes.h"

enum {
    LANES = 4,
    ROWS = 8, /* of a strip: two vectors of them */
    COLUMNS = 4,
    PANEL = 32 /* columns of a supernode that are factored together */
};

typedef double lanes __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

struct scr_supernodes {
    scr_supernode_plan plan;
    size_t entries;
    int64_t *target;      /* of an entry of the matrix: its place among the numbers */
    int64_t *owner;       /* of a column: its supernode */
    int64_t *head, *next; /* of a supernode: those before it that change it, as a list; -1: no more */
    int64_t *done;        /* of a supernode: its rows that have been used */
    int64_t *local;       /* of a row: where it is in the present supernode */
    double *x;            /* the numbers */
    double *product;      /* of two blocks */
    double *packed[2];    /* their factors, as they are read */
    double *vector;       /* of a solution, in the order of the factor */
    double *below;        /* and its part below a supernode */
    scr_arena arena;      /* of all these */
};

/* ---- products ---- */

// c = a b^T for `rows` x `columns` numbers, sums over `depth` columns in their order. pack[0] has room for ROWS depth,
// pack[1] for (columns + COLUMNS) depth
SCR_CLONED static void multiply(size_t rows, size_t columns, size_t depth, const double *a, size_t a_step,
                                const double *b, size_t b_step, double *c, size_t c_step, double *const pack[2])
{
    // b in strips of COLUMNS, with zeros behind the last
    size_t strips = (columns + COLUMNS - 1) / COLUMNS;
    for (size_t j = 0; j < strips * COLUMNS; j++)
        for (size_t k = 0; k < depth; k++)
            pack[1][(j / COLUMNS * depth + k) * COLUMNS + j % COLUMNS] = j < columns ? b[j + k * b_step] : 0;
    for (size_t i = 0; i < rows; i += ROWS) {
        size_t some = rows - i < ROWS ? rows - i : ROWS;
        for (size_t k = 0; k < depth; k++)
            for (size_t l = 0; l < ROWS; l++) pack[0][k * ROWS + l] = l < some ? a[i + l + k * a_step] : 0;
        for (size_t j = 0; j < strips; j++) {
            const double *right = pack[1] + j * depth * COLUMNS;
            lanes sum[COLUMNS][2] = {0};
            for (size_t k = 0; k < depth; k++) {
                const lanes *left = (const lanes *)(pack[0] + k * ROWS);
                lanes above = left[0], below = left[1];
                for (size_t n = 0; n < COLUMNS; n++) {
                    double factor = right[k * COLUMNS + n];
                    sum[n][0] += above * factor;
                    sum[n][1] += below * factor;
                }
            }
            for (size_t n = 0; n < COLUMNS && j * COLUMNS + n < columns; n++)
                memcpy(c + i + (j * COLUMNS + n) * c_step, &sum[n], some * sizeof *c);
        }
    }
}

/* ---- what is made once ---- */

static size_t columns_of(const scr_supernode_plan *p, size_t s)
{
    return (size_t)(p->first[s + 1] - p->first[s]);
}
static size_t rows_of(const scr_supernode_plan *p, size_t s)
{
    return (size_t)(p->begin[s + 1] - p->begin[s]);
}

// where row r is among the rows of supernode s
static size_t find_row(const scr_supernode_plan *p, size_t s, int64_t r)
{
    size_t low = (size_t)p->begin[s], high = (size_t)p->begin[s + 1];
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (p->row[middle] <= r)
            low = middle;
        else
            high = middle;
    }
    return low - (size_t)p->begin[s];
}

static void set_targets(scr_supernodes *n, const int64_t *first, const int64_t *rows)
{
    const scr_supernode_plan *p = &n->plan;
    for (size_t s = 0; s < p->count; s++)
        for (int64_t c = p->first[s]; c < p->first[s + 1]; c++) n->owner[c] = (int64_t)s;
    // the order, the other way round
    int64_t *place = n->local;
    for (size_t k = 0; k < p->size; k++) place[p->order[k]] = (int64_t)k;
    for (size_t c = 0; c < p->size; c++)
        for (int64_t k = first[c]; k < first[c + 1]; k++) {
            int64_t a = place[c], b = place[rows[k]], column = a < b ? a : b;
            size_t s = (size_t)n->owner[column];
            n->target[k] =
                p->place[s] + (column - p->first[s]) * (int64_t)rows_of(p, s) + (int64_t)find_row(p, s, a < b ? b : a);
        }
}

scr_supernodes *scr_supernodes_create(const scr_supernode_plan *plan, const int64_t *first, const int64_t *rows)
{
    scr_supernodes *n = scr_memory_new(1, sizeof *n);
    if (!n) return NULL;
    *n = (scr_supernodes){.plan = *plan, .entries = (size_t)first[plan->size]};
    size_t wide = 1, high = 1;
    for (size_t s = 0; s < plan->count; s++) {
        wide = columns_of(plan, s) > wide ? columns_of(plan, s) : wide;
        high = rows_of(plan, s) > high ? rows_of(plan, s) : high;
    }
    n->target = SCR_TAKE(&n->arena, int64_t, n->entries);
    n->owner = SCR_TAKE(&n->arena, int64_t, plan->size);
    n->head = SCR_TAKE(&n->arena, int64_t, plan->count);
    n->next = SCR_TAKE(&n->arena, int64_t, plan->count);
    n->done = SCR_TAKE(&n->arena, int64_t, plan->count);
    n->local = SCR_TAKE(&n->arena, int64_t, plan->size);
    n->x = SCR_TAKE(&n->arena, double, plan->numbers);
    n->product = SCR_TAKE(&n->arena, double, high *wide);
    n->packed[0] = SCR_TAKE(&n->arena, double, ROWS *wide);
    n->packed[1] = SCR_TAKE(&n->arena, double, (wide + COLUMNS) * wide);
    n->vector = SCR_TAKE(&n->arena, double, plan->size);
    n->below = SCR_TAKE(&n->arena, double, high);
    if (n->arena.failed) return scr_supernodes_destroy(n), NULL;
    set_targets(n, first, rows);
    return n;
}

void scr_supernodes_destroy(scr_supernodes *n)
{
    if (!n) return;
    scr_arena_deinit(&n->arena);
    scr_memory_free(n);
}

/* ---- factorisation ---- */

// supernode s changes the owner of its row `from`, if there is one, when that is due
static void list(scr_supernodes *n, size_t s, size_t from)
{
    const scr_supernode_plan *p = &n->plan;
    n->done[s] = (int64_t)from;
    if (from >= rows_of(p, s)) return;
    size_t changed = (size_t)n->owner[p->row[(size_t)p->begin[s] + from]];
    n->next[s] = n->head[changed];
    n->head[changed] = (int64_t)s;
}

// takes from supernode s what supernode d, before it, has in its rows
static void subtract(scr_supernodes *n, size_t s, size_t d)
{
    const scr_supernode_plan *p = &n->plan;
    size_t from = (size_t)n->done[d], rows = rows_of(p, d), to = from, step = rows_of(p, s);
    const int64_t *row = p->row + p->begin[d];
    while (to < rows && row[to] < p->first[s + 1]) to++;
    const double *block = n->x + p->place[d] + from;
    multiply(rows - from, to - from, columns_of(p, d), block, rows, block, rows, n->product, rows - from, n->packed);
    double *into = n->x + p->place[s];
    for (size_t j = from; j < to; j++) {
        double *column = into + (size_t)n->local[row[j]] * step;
        const double *product = n->product + (j - from) * (rows - from) - from;
        for (size_t i = j; i < rows; i++) column[n->local[row[i]]] -= product[i];
    }
    list(n, d, to);
}

// the columns from `first` on of a block, as many as a panel has, after those before them; false: a pivot is not
// positive
SCR_CLONED static bool factor_panel(double *block, size_t rows, size_t first, size_t columns)
{
    for (size_t j = first; j < first + columns; j++) {
        double *column = block + j * rows;
        for (size_t k = first; k < j; k++) {
            const double *before = block + k * rows;
            double factor = before[j];
            for (size_t i = j; i < rows; i++) column[i] -= before[i] * factor;
        }
        if (!(column[j] > 0)) return false;
        double pivot = sqrt(column[j]);
        column[j] = pivot;
        for (size_t i = j + 1; i < rows; i++) column[i] /= pivot;
    }
    return true;
}

static bool factor_block(scr_supernodes *n, size_t s)
{
    size_t rows = rows_of(&n->plan, s), columns = columns_of(&n->plan, s);
    double *block = n->x + n->plan.place[s];
    for (size_t first = 0; first < columns; first += PANEL) {
        size_t width = columns - first < PANEL ? columns - first : PANEL, high = rows - first;
        if (first > 0)
            multiply(high, width, first, block + first, rows, block + first, rows, n->product, high, n->packed);
        for (size_t j = 0; first > 0 && j < width; j++)
            for (size_t i = j; i < high; i++) block[(first + j) * rows + first + i] -= n->product[j * high + i];
        if (!factor_panel(block, rows, first, width)) return false;
    }
    return true;
}

bool scr_supernodes_factor(scr_supernodes *n, const double *values, double shift, int (*stop)(void))
{
    const scr_supernode_plan *p = &n->plan;
    memset(n->x, 0, p->numbers * sizeof *n->x);
    for (size_t k = 0; k < n->entries; k++) n->x[n->target[k]] += values[k];
    for (size_t s = 0; s < p->count; s++) n->head[s] = -1;
    for (size_t s = 0; s < p->count; s++) {
        if (stop()) return false;
        size_t rows = rows_of(p, s), columns = columns_of(p, s);
        for (size_t i = 0; i < rows; i++) n->local[p->row[(size_t)p->begin[s] + i]] = (int64_t)i;
        for (size_t j = 0; j < columns; j++) n->x[(size_t)p->place[s] + j * rows + j] += shift;
        for (int64_t d = n->head[s], next; d >= 0; d = next) {
            next = n->next[d];
            subtract(n, s, (size_t)d);
        }
        if (!factor_block(n, s)) return false;
        list(n, s, columns);
    }
    return true;
}

/* ---- solution ---- */

// L y = y
static void forward(scr_supernodes *n, double *y)
{
    const scr_supernode_plan *p = &n->plan;
    for (size_t s = 0; s < p->count; s++) {
        size_t rows = rows_of(p, s), columns = columns_of(p, s);
        const double *block = n->x + p->place[s];
        const int64_t *row = p->row + p->begin[s];
        double *own = y + p->first[s];
        memset(n->below, 0, rows * sizeof *n->below);
        for (size_t k = 0; k < columns; k++, block += rows) {
            double value = own[k] = (own[k] - n->below[k]) / block[k];
            for (size_t i = k + 1; i < rows; i++) n->below[i] += block[i] * value;
        }
        for (size_t i = columns; i < rows; i++) y[row[i]] -= n->below[i];
    }
}

// sums of every fourth product, then their sum: as fast as vectors are, in one order
SCR_CLONED static double dot(const double *a, const double *b, size_t count)
{
    lanes sums = {0};
    size_t k = 0;
    for (; k + LANES <= count; k += LANES) sums += *(const lanes *)(a + k) * *(const lanes *)(b + k);
    double sum = 0;
    for (int l = 0; l < LANES; l++) sum += sums[l];
    for (; k < count; k++) sum += a[k] * b[k];
    return sum;
}

// L^T y = y
static void backward(scr_supernodes *n, double *y)
{
    const scr_supernode_plan *p = &n->plan;
    for (size_t s = p->count; s-- > 0;) {
        size_t rows = rows_of(p, s), columns = columns_of(p, s);
        const int64_t *row = p->row + p->begin[s];
        for (size_t i = 0; i < rows; i++) n->below[i] = y[row[i]];
        for (size_t k = columns; k-- > 0;) {
            const double *column = n->x + p->place[s] + k * rows;
            n->below[k] = (n->below[k] - dot(column + k + 1, n->below + k + 1, rows - k - 1)) / column[k];
        }
        for (size_t k = 0; k < columns; k++) y[row[k]] = n->below[k];
    }
}

void scr_supernodes_solve(scr_supernodes *n, const double *b, double *x)
{
    const int64_t *order = n->plan.order;
    for (size_t k = 0; k < n->plan.size; k++) n->vector[k] = b[order[k]];
    forward(n, n->vector);
    backward(n, n->vector);
    for (size_t k = 0; k < n->plan.size; k++) x[order[k]] = n->vector[k];
}
