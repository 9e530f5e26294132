#include "scene/sketch.h"

#include "base/buffer.h"

#define PARTS     31 /* of an edge */
#define CROWDED   31 /* in place of a part: there are more than two */
#define THERE     (1u << 15)
#define MOST_EACH 8  /* cells for a ball */
#define GROUP     16 /* points at once: memory answers the next while one is looked at */

// rounding of floats, in reaches
static const double MARGIN = 1e-4;

void scr_sketch_begin(scr_sketch *s, const scr_space *space, const scr_region *region, double radius, size_t count)
{
    double reach = 2 * radius + space->gap, all = 1, diagonal2 = 0, lines[3];
    for (int k = 0; k < 3; k++) {
        bool periodic = s->periodic[k] = space->periodic[k];
        s->low[k] = periodic ? space->low[k] : (&region->low.x)[k];
        double length = periodic ? space->length[k] : (&region->high.x)[k] - s->low[k];
        double cells = fmax(1, floor(length / reach)), edge = fmax(length / cells / reach, 1);
        all *= cells + 2;
        if (!(all <= (double)MOST_EACH * (double)count + 1000)) return;
        s->count[k] = (int64_t)cells;
        s->edge[k] = (float)edge;
        s->per_cell[k] = 1 / (edge * reach);
        lines[k] = ceil((cells + 2) / (k ? 2 : 4));
        diagonal2 += edge * edge;
    }
    double off = 0.5 / PARTS * sqrt(diagonal2) + MARGIN;
    s->blocked2 = (float)((1 - off) * (1 - off)), s->free2 = (float)((1 + off) * (1 + off));
    s->across[0] = 16 * (size_t)lines[0], s->across[1] = s->across[0] * (size_t)lines[1];
    scr_reserve(&s->cells, s->across[1] * (size_t)lines[2]);
}

void scr_sketch_deinit(scr_sketch *s)
{
    scr_buffer_free(s->cells);
    *s = (scr_sketch){0};
}

/* ---- places ---- */

// number of a cell along an axis, from 1 on, and the place within it, from 0 to 1
static int64_t cell_of(const scr_sketch *s, int axis, double x, float *within)
{
    double at = (x - s->low[axis]) * s->per_cell[axis];
    int64_t cell = (int64_t)at, last = s->count[axis] - 1;
    cell = cell < 0 ? 0 : cell > last ? last : cell;
    *within = (float)(at - (double)cell);
    return cell + 1;
}

// the place of a cell in memory is a sum of one number of each axis
static size_t along_x(int64_t i)
{
    return (size_t)(i >> 2) * 16 + (size_t)(i & 3);
}

static size_t along_y(const scr_sketch *s, int64_t j)
{
    return (size_t)(j >> 1) * s->across[0] + (size_t)(j & 1) * 4;
}

static size_t along_z(const scr_sketch *s, int64_t k)
{
    return (size_t)(k >> 1) * s->across[1] + (size_t)(k & 1) * 8;
}

static uint32_t part_of(float within)
{
    int part = (int)(within * PARTS);
    return (uint32_t)(part < 0 ? 0 : part > PARTS - 1 ? PARTS - 1 : part);
}

void scr_sketch_put(scr_sketch *s, vec3 p)
{
    float x, y, z;
    uint32_t *cell = &s->cells[along_x(cell_of(s, 0, p.x, &x)) + along_y(s, cell_of(s, 1, p.y, &y)) +
                               along_z(s, cell_of(s, 2, p.z, &z))];
    uint32_t ball = THERE | part_of(x) | part_of(y) << 5 | part_of(z) << 10;
    uint32_t old = __atomic_load_n(cell, __ATOMIC_RELAXED), now;
    do now = !old ? ball : old >> 16 ? old | CROWDED : old | ball << 16;
    while (!__atomic_compare_exchange_n(cell, &old, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* ---- asking ---- */

/* The cells around a point. */
typedef struct {
    size_t x[3], yz[9];
    float to[3][3]; /* by axis and cell: from the point to the middle of the first part of the cell, over the reach */
} around;

// cells before and behind; of a periodic axis those at its other end
static float beside(const scr_sketch *s, int axis, double at, int64_t cells[3])
{
    float within;
    int64_t cell = cell_of(s, axis, at, &within), last = s->count[axis];
    cells[0] = cell == 1 && s->periodic[axis] ? last : cell - 1;
    cells[1] = cell;
    cells[2] = cell == last && s->periodic[axis] ? 1 : cell + 1;
    return within;
}

// and asks for them: three cells along an axis are in the lines of the first and the last
static void look_around(const scr_sketch *s, vec3 p, around *a)
{
    int64_t cells[3][3];
    size_t y[3], z[3];
    for (int k = 0; k < 3; k++) {
        float within = beside(s, k, (&p.x)[k], cells[k]);
        for (int n = 0; n < 3; n++) a->to[k][n] = ((float)(n - 1) + 0.5f / PARTS - within) * s->edge[k];
    }
    for (int n = 0; n < 3; n++)
        a->x[n] = along_x(cells[0][n]), y[n] = along_y(s, cells[1][n]), z[n] = along_z(s, cells[2][n]);
    for (int n = 0; n < 9; n++) a->yz[n] = y[n % 3] + z[n / 3];
    static const int corners[4] = {0, 2, 6, 8};
    for (int n = 0; n < 4; n++) {
        __builtin_prefetch(s->cells + a->yz[corners[n]] + a->x[0]);
        __builtin_prefetch(s->cells + a->yz[corners[n]] + a->x[2]);
    }
}

// which cells have somebody cannot be foreseen: no branches
static int gather(const scr_sketch *s, const around *a, uint32_t found[27], uint8_t which[27])
{
    int count = 0;
    for (int n = 0; n < 27; n++) {
        uint32_t balls = s->cells[a->yz[n / 3] + a->x[n % 3]];
        found[count] = balls, which[count] = (uint8_t)n;
        count += balls != 0;
    }
    return count;
}

static scr_sketch_answer answer(const scr_sketch *s, const around *a)
{
    uint32_t found[27];
    uint8_t which[27];
    int count = gather(s, a, found, which);
    bool unsure = false;
    float part[3] = {s->edge[0] / PARTS, s->edge[1] / PARTS, s->edge[2] / PARTS};
    for (int n = 0; n < count; n++) {
        int i = which[n] % 3, j = which[n] / 3 % 3, k = which[n] / 9;
        for (uint32_t ball = found[n]; ball; ball >>= 16) {
            unsure |= (ball & 31) == CROWDED;
            float x = a->to[0][i] + part[0] * (float)(ball & 31), y = a->to[1][j] + part[1] * (float)(ball >> 5 & 31);
            float z = a->to[2][k] + part[2] * (float)(ball >> 10 & 31), d2 = x * x + y * y + z * z;
            // in a crowded cell the first ball's place is lost
            if (d2 < s->blocked2 && (ball & 31) != CROWDED) return SCR_SKETCH_BLOCKED;
            unsure |= d2 <= s->free2;
        }
    }
    return unsure ? SCR_SKETCH_UNSURE : SCR_SKETCH_FREE;
}

void scr_sketch_ask(const scr_sketch *s, const vec3 *points, size_t count, uint8_t *answers)
{
    around a[GROUP];
    for (size_t from = 0; from < count; from += GROUP) {
        size_t n = count - from < GROUP ? count - from : GROUP;
        for (size_t k = 0; k < n; k++) look_around(s, points[from + k], &a[k]);
        for (size_t k = 0; k < n; k++) answers[from + k] = (uint8_t)answer(s, &a[k]);
    }
}
