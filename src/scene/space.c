#include "scene/space.h"

#include "base/buffer.h"

// ---- levels and cells ----

static int octave_of(double radius)
{
    int octave = ilogb(radius);
    return octave < -200 ? -200 : octave > 200 ? 200 : octave;
}

// the level of a radius; all too different ones share the last; level_count when there is none yet
static int level_of(const scr_space *space, double radius)
{
    int octave = octave_of(radius);
    for (int k = 0; k < space->level_count; k++)
        if (space->levels[k].octave == octave) return k;
    return space->level_count == SCR_SPACE_LEVELS ? SCR_SPACE_LEVELS - 1 : space->level_count;
}

static int64_t cell_of(double x, double cell)
{
    double k = x / cell;
    // far outside of every region: any cell will do
    if (!(k < 1e15)) return (int64_t)1e15;
    if (k < -1e15) return (int64_t)-1e15;
    int64_t whole = (int64_t)k; // towards zero
    return whole - (k < (double)whole);
}

// the buckets of 4 x 2 x 2 cells are one line of the cache: the first of it
static uint64_t line_of(const scr_space *space, int which, int64_t i, int64_t j, int64_t k)
{
    uint64_t h = (uint64_t)i * 0x9e3779b97f4a7c15ull ^ (uint64_t)j * 0xc2b2ae3d27d4eb4full ^
                 (uint64_t)k * 0x165667b19e3779f9ull ^ (uint64_t)which * 0xd6e8feb86659fd93ull;
    return (h ^ h >> 29 ^ h >> 47) << 4 & space->mask;
}

static uint64_t bucket_of(const scr_space *space, int which, int64_t i, int64_t j, int64_t k)
{
    uint64_t within = (uint64_t)((i & 3) | (j & 1) << 2 | (k & 1) << 3);
    return line_of(space, which, i >> 2, j >> 1, k >> 1) | within;
}

// ---- filling ----

void scr_space_begin(scr_space *space, const scr_domain_def *domain, double gap)
{
    space->level_count = 0;
    space->count = 0;
    space->largest = 0;
    space->gap = gap;
    for (int k = 0; k < 3; k++) {
        space->periodic[k] = domain->periodic[k];
        space->low[k] = (&domain->box[0].x)[k];
        space->length[k] = (&domain->box[1].x)[k] - space->low[k];
    }
}

void scr_space_expect(scr_space *space, double radius)
{
    int which = level_of(space, radius);
    scr_space_level *l = &space->levels[which];
    if (which == space->level_count) {
        *l = (scr_space_level){.octave = octave_of(radius)};
        space->level_count++;
    }
    if (radius > l->radius) l->radius = radius;
    if (radius > space->largest) space->largest = radius;
    l->cell = 2 * l->radius + space->gap;
}

bool scr_space_reserve(scr_space *space, size_t count)
{
    uint64_t buckets = 64;
    while (buckets < 2 * count) buckets *= 2;
    if (count > INT32_MAX || !scr_reserve(&space->head, buckets) || !scr_reserve(&space->next, count) ||
        !scr_reserve(&space->balls, count))
        return false;
    space->mask = buckets - 1;
    for (uint64_t k = 0; k < buckets; k++) space->head[k] = -1;
    return true;
}

void scr_space_deinit(scr_space *space)
{
    scr_free_all(space->head, space->next, space->balls);
    *space = (scr_space){0};
}

static double wrapped(const scr_space *space, int axis, double x)
{
    if (!space->periodic[axis]) return x;
    double low = space->low[axis], length = space->length[axis], off = x - low;
    if (!(off >= 0 && off < length)) x -= floor(off / length) * length;
    // rounding may land on the upper side itself
    return x >= low + length || x < low ? low : x;
}

vec3 scr_space_wrap(const scr_space *space, vec3 p)
{
    return v3(wrapped(space, 0, p.x), wrapped(space, 1, p.y), wrapped(space, 2, p.z));
}

bool scr_space_fits_period(const scr_space *space, double radius)
{
    for (int k = 0; k < 3; k++)
        if (space->periodic[k] && 2 * radius + space->gap > space->length[k]) return false;
    return true;
}

#define AHEAD 8 /* balls whose cells are asked for ahead */

// where the chain of its cell begins
static int32_t *head_at(const scr_space *space, const scr_ball *b)
{
    int which = level_of(space, b->radius);
    double cell = space->levels[which].cell;
    return &space->head[bucket_of(space, which, cell_of(b->x, cell), cell_of(b->y, cell), cell_of(b->z, cell))];
}

void scr_space_fetch(const scr_space *space, vec3 p, double radius)
{
    __builtin_prefetch(head_at(space, &(scr_ball){p.x, p.y, p.z, radius}), 1);
}

// chains have any order: answers do not depend on it
void scr_space_put(scr_space *space, size_t ball, vec3 p, double radius)
{
    space->balls[ball] = (scr_ball){p.x, p.y, p.z, radius};
    int32_t *head = head_at(space, &space->balls[ball]);
    space->next[ball] = __atomic_exchange_n(head, (int32_t)ball, __ATOMIC_RELAXED);
}

void scr_space_have(scr_space *space, double radius, size_t count)
{
    space->count += count;
    space->levels[level_of(space, radius)].count += count;
}

void scr_space_add(scr_space *space, vec3 p, double radius)
{
    int32_t b = (int32_t)space->count++;
    space->balls[b] = (scr_ball){p.x, p.y, p.z, radius};
    int32_t *head = head_at(space, &space->balls[b]);
    space->next[b] = *head;
    *head = b;
    space->levels[level_of(space, radius)].count++;
}

void scr_space_join(scr_space *space, const scr_space *other)
{
    const scr_ball *b = other->balls;
    for (size_t k = 0; k < other->count; k++) {
        if (k + AHEAD < other->count) __builtin_prefetch(head_at(space, &b[k + AHEAD]), 1);
        scr_space_add(space, v3(b[k].x, b[k].y, b[k].z), b[k].radius);
    }
}

// ---- asking ----

#define MOST_CELLS 64 /* that are asked before one is waited for */

/* Cells in one line of the cache, a bit each. */
typedef struct {
    const int32_t *heads;
    uint32_t cells;
} line;

/* Chains that may hold a ball near a point. */
typedef struct {
    line lines[MOST_CELLS];
    int32_t heads[MOST_CELLS];
    int line_count, count;
    bool plain; /* near a periodic side, or too many cells: not here */
} chains;

static bool meets(const scr_space *space, const scr_ball *b, vec3 p, double radius)
{
    double dx = b->x - p.x, dy = b->y - p.y, dz = b->z - p.z;
    double reach = b->radius + radius + space->gap;
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

static bool chain_meets(const scr_space *space, int32_t head, vec3 p, double radius)
{
    for (int32_t b = head; b >= 0; b = space->next[b])
        if (meets(space, &space->balls[b], p, radius)) return true;
    return false;
}

static bool any_meets(const scr_space *space, vec3 p, double radius)
{
    for (size_t b = 0; b < space->count; b++)
        if (meets(space, &space->balls[b], p, radius)) return true;
    return false;
}

// the cells of a level that a ball's reach covers; how many
static double cells_near(const scr_space *space, const scr_space_level *l, vec3 p, double radius, int64_t low[3],
                         int64_t high[3])
{
    double reach = radius + l->radius + space->gap, cells = 1;
    for (int k = 0; k < 3; k++) {
        low[k] = cell_of((&p.x)[k] - reach, l->cell);
        high[k] = cell_of((&p.x)[k] + reach, l->cell);
        cells *= (double)(high[k] - low[k] + 1);
    }
    return cells;
}

static bool cells_meet(const scr_space *space, int which, const int64_t low[3], const int64_t high[3], vec3 p,
                       double radius)
{
    for (int64_t k = low[2]; k <= high[2]; k++)
        for (int64_t j = low[1]; j <= high[1]; j++)
            for (int64_t i = low[0]; i <= high[0]; i++)
                if (chain_meets(space, space->head[bucket_of(space, which, i, j, k)], p, radius)) return true;
    return false;
}

// those of `size` cells from `first` on that are within low and high, a bit each
static uint32_t part_of(int64_t first, int size, int64_t low, int64_t high)
{
    uint32_t from = low > first ? (uint32_t)(low - first) : 0, all = (1u << size) - 1;
    uint32_t beyond = high - first < size ? (uint32_t)(high - first + 1) : (uint32_t)size;
    return all >> ((uint32_t)size - beyond) >> from << from;
}

// lines of the cells from low to high, at most MOST_CELLS, into c
static void lines_near(const scr_space *space, int which, const int64_t low[3], const int64_t high[3], chains *c)
{
    // a bit of an axis for all the cells of a line that have it
    static const uint32_t along_y[4] = {0, 0x0f0f, 0xf0f0, 0xffff}, along_z[4] = {0, 0x00ff, 0xff00, 0xffff};
    for (int64_t k = low[2] >> 1; k <= high[2] >> 1; k++) {
        uint32_t z = along_z[part_of(2 * k, 2, low[2], high[2])];
        for (int64_t j = low[1] >> 1; j <= high[1] >> 1; j++) {
            uint32_t yz = z & along_y[part_of(2 * j, 2, low[1], high[1])];
            for (int64_t i = low[0] >> 2; i <= high[0] >> 2; i++) {
                const int32_t *heads = space->head + line_of(space, which, i, j, k);
                __builtin_prefetch(heads);
                c->lines[c->line_count++] = (line){heads, yz & 0x1111 * part_of(4 * i, 4, low[0], high[0])};
            }
        }
    }
}

// which buckets are occupied cannot be foreseen: no branches, and all are prefetched before one is waited for
static void find_chains(const scr_space *space, chains *c)
{
    int count = 0;
    for (int n = 0; n < c->line_count; n++)
        for (uint32_t left = c->lines[n].cells; left; left &= left - 1) {
            c->heads[count] = c->lines[n].heads[__builtin_ctz(left)];
            count += c->heads[count] >= 0;
        }
    c->count = count;
    for (int n = 0; n < count; n++) __builtin_prefetch(&space->balls[c->heads[n]]);
}

static bool chains_meet(const scr_space *space, const chains *c, vec3 p, double radius)
{
    for (int n = 0; n < c->count; n++)
        if (chain_meets(space, c->heads[n], p, radius)) return true;
    return false;
}

static bool level_meets(const scr_space *space, int which, vec3 p, double radius)
{
    const scr_space_level *l = &space->levels[which];
    int64_t low[3], high[3];
    double cells = cells_near(space, l, p, radius, low, high);
    // a large ball among many small cells: the plain list is shorter
    if (cells > MOST_CELLS && cells > (double)space->count) return any_meets(space, p, radius);
    if (cells > MOST_CELLS) return cells_meet(space, which, low, high, p, radius);
    chains c;
    c.line_count = 0;
    lines_near(space, which, low, high, &c);
    find_chains(space, &c);
    return chains_meet(space, &c, p, radius);
}

static bool levels_meet(const scr_space *space, vec3 p, double radius)
{
    for (int k = 0; k < space->level_count; k++)
        if (space->levels[k].count && level_meets(space, k, p, radius)) return true;
    return false;
}

// images across periodic sides that are near enough to matter: from -1 or 0 to 0 or 1 by axis
static void images_near(const scr_space *space, vec3 p, double radius, int from[3], int to[3])
{
    double reach = radius + space->largest + space->gap;
    for (int k = 0; k < 3; k++) {
        double x = (&p.x)[k] - space->low[k];
        from[k] = space->periodic[k] && x > space->length[k] - reach ? -1 : 0;
        to[k] = space->periodic[k] && x < reach ? 1 : 0;
    }
}

static vec3 image_of(const scr_space *space, vec3 p, int i, int j, int k)
{
    return v3_add(p, v3(i * space->length[0], j * space->length[1], k * space->length[2]));
}

bool scr_space_is_free(const scr_space *space, vec3 p, double radius)
{
    int from[3], to[3];
    images_near(space, p, radius, from, to);
    for (int i = from[0]; i <= to[0]; i++)
        for (int j = from[1]; j <= to[1]; j++)
            for (int k = from[2]; k <= to[2]; k++)
                if (levels_meet(space, image_of(space, p, i, j, k), radius)) return false;
    return true;
}

/* ---- asking for many ---- */

#define GROUP 16 /* points at once: memory answers the next while one is looked at */

static void begin_chains(const scr_space *space, vec3 p, double radius, chains *c)
{
    int from[3], to[3];
    double cells = 0;
    images_near(space, p, radius, from, to);
    c->line_count = 0;
    c->plain = from[0] | from[1] | from[2] | to[0] | to[1] | to[2];
    for (int which = 0; which < space->level_count && !c->plain; which++) {
        int64_t low[3], high[3];
        if (!space->levels[which].count) continue;
        cells += cells_near(space, &space->levels[which], p, radius, low, high);
        c->plain = cells > MOST_CELLS;
        if (!c->plain) lines_near(space, which, low, high, c);
    }
}

void scr_space_are_free(const scr_space *space, const vec3 *points, size_t count, double radius, bool *free)
{
    chains c[GROUP];
    for (size_t from = 0; from < count; from += GROUP) {
        const vec3 *p = points + from;
        size_t n = count - from < GROUP ? count - from : GROUP;
        for (size_t k = 0; k < n; k++) begin_chains(space, p[k], radius, &c[k]);
        for (size_t k = 0; k < n; k++)
            if (!c[k].plain) find_chains(space, &c[k]);
        for (size_t k = 0; k < n; k++)
            free[from + k] =
                c[k].plain ? scr_space_is_free(space, p[k], radius) : !chains_meet(space, &c[k], p[k], radius);
    }
}

/* What a search has found so far. */
typedef struct {
    uint32_t *found;
    size_t count, room;
} finds;

static void find_in_cell(const scr_space *space, int which, const int64_t cell[3], vec3 p, double radius, finds *f)
{
    const scr_space_level *l = &space->levels[which];
    uint64_t bucket = bucket_of(space, which, cell[0], cell[1], cell[2]);
    for (int32_t b = space->head[bucket]; b >= 0; b = space->next[b]) {
        const scr_ball *ball = &space->balls[b];
        if (!meets(space, ball, p, radius)) continue;
        // balls of other cells in this bucket are found from their own
        if (level_of(space, ball->radius) != which || cell_of(ball->x, l->cell) != cell[0] ||
            cell_of(ball->y, l->cell) != cell[1] || cell_of(ball->z, l->cell) != cell[2])
            continue;
        if (f->count < f->room) f->found[f->count] = (uint32_t)b;
        f->count++;
    }
}

static void find_in_level(const scr_space *space, int which, vec3 p, double radius, finds *f)
{
    int64_t low[3], high[3], cell[3];
    cells_near(space, &space->levels[which], p, radius, low, high);
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) find_in_cell(space, which, cell, p, radius, f);
}

size_t scr_space_near(const scr_space *space, vec3 p, double radius, uint32_t *found, size_t room)
{
    finds f = {found, 0, room};
    int from[3], to[3];
    images_near(space, p, radius, from, to);
    for (int i = from[0]; i <= to[0]; i++)
        for (int j = from[1]; j <= to[1]; j++)
            for (int k = from[2]; k <= to[2]; k++)
                for (int l = 0; l < space->level_count; l++)
                    if (space->levels[l].count) find_in_level(space, l, image_of(space, p, i, j, k), radius, &f);
    return f.count;
}

// cells that share a bucket have its chain twice: then a ball meets itself more than once
bool scr_space_is_alone(const scr_space *space, size_t ball)
{
    const scr_ball *b = &space->balls[ball];
    vec3 p = v3(b->x, b->y, b->z);
    chains c;
    int met = 0;
    begin_chains(space, p, b->radius, &c);
    if (c.plain) {
        uint32_t one;
        return scr_space_near(space, p, b->radius, &one, 1) < 2;
    }
    find_chains(space, &c);
    for (int n = 0; n < c.count; n++)
        for (int32_t other = c.heads[n]; other >= 0; other = space->next[other])
            met += meets(space, &space->balls[other], p, b->radius);
    return met < 2;
}
