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
    double k = floor(x / cell);
    // far outside of every region: any cell will do
    return k > 1e15 ? (int64_t)1e15 : k < -1e15 ? (int64_t)-1e15 : (int64_t)k;
}

// the buckets of 4 x 2 x 2 cells are one line of the cache
static uint64_t bucket_of(const scr_space *space, int which, int64_t i, int64_t j, int64_t k)
{
    uint64_t h = (uint64_t)(i >> 2) * 0x9e3779b97f4a7c15ull ^ (uint64_t)(j >> 1) * 0xc2b2ae3d27d4eb4full ^
                 (uint64_t)(k >> 1) * 0x165667b19e3779f9ull ^ (uint64_t)which * 0xd6e8feb86659fd93ull;
    uint64_t within = (uint64_t)((i & 3) | (j & 1) << 2 | (k & 1) << 3);
    return ((h ^ h >> 29 ^ h >> 47) << 4 | within) & space->mask;
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
    double low = space->low[axis], length = space->length[axis];
    x -= floor((x - low) / length) * length;
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

void scr_space_add(scr_space *space, vec3 p, double radius)
{
    int which = level_of(space, radius);
    scr_space_level *l = &space->levels[which];
    int32_t b = (int32_t)space->count++;
    space->balls[b] = (scr_ball){p.x, p.y, p.z, radius};
    uint64_t bucket = bucket_of(space, which, cell_of(p.x, l->cell), cell_of(p.y, l->cell), cell_of(p.z, l->cell));
    space->next[b] = space->head[bucket];
    space->head[bucket] = b;
    l->count++;
}

// ---- asking ----

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

static bool level_meets(const scr_space *space, int which, vec3 p, double radius)
{
    const scr_space_level *l = &space->levels[which];
    int64_t low[3], high[3];
    double cells = cells_near(space, l, p, radius, low, high);
    // a large ball among many small cells: the plain list is shorter
    if (cells > 64 && cells > (double)space->count) return any_meets(space, p, radius);
    // which buckets have somebody cannot be foreseen: all are asked before one is waited for
    int32_t heads[64];
    int count = 0;
    for (int64_t k = low[2]; k <= high[2]; k++)
        for (int64_t j = low[1]; j <= high[1]; j++)
            for (int64_t i = low[0]; i <= high[0]; i++) {
                uint64_t bucket = bucket_of(space, which, i, j, k);
                if (cells > 64 && chain_meets(space, space->head[bucket], p, radius)) return true;
                heads[count] = space->head[bucket];
                count += cells <= 64 && heads[count] >= 0;
            }
    for (int n = 0; n < count; n++) __builtin_prefetch(&space->balls[heads[n]]);
    for (int n = 0; n < count; n++)
        if (chain_meets(space, heads[n], p, radius)) return true;
    return false;
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
