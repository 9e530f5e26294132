#include "collide/tiles.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"

#define HALF_AXIS (1 << 17) /* cells of an endless axis on each side of the domain's corner */

void scr_tiles_deinit(scr_tiles *c)
{
    scr_free_all(c->table, c->tile_key, c->head, c->next, c->previous, c->cell);
    *c = (scr_tiles){0};
}

static void lay_out(scr_tiles *c, scr_tile_level *level, double edge)
{
    *level = (scr_tile_level){.edge = edge};
    for (int d = 0; d < 3; d++) {
        level->inverse[d] = 1 / edge;
        if (c->length[d] == 0) continue;
        double count = fmin(floor(c->length[d] / edge), 2 * HALF_AXIS);
        level->count[d] = count < 1 ? 1 : (int32_t)count;
        level->inverse[d] = level->count[d] / c->length[d];
    }
}

bool scr_tiles_init(scr_tiles *c, const scr_domain *domain, double radius_min, double radius_max)
{
    const double *lower = &domain->lower.x, *upper = &domain->upper.x;
    for (int d = 0; d < 3; d++) {
        c->lower[d] = lower[d];
        c->length[d] = domain->periodic[d] ? upper[d] - lower[d] : 0;
    }
    c->tile_count = 0;
    c->level_count = 0;
    double edge = 2 * radius_min * (1 + 1e-9);
    do {
        if (c->level_count == SCR_TILE_LEVELS - 1) edge = 2 * radius_max;
        // sizes within a third of each other share cells
        if (edge < 2 * radius_max && edge * 4 / 3 >= 2 * radius_max) edge = 2 * radius_max;
        lay_out(c, &c->levels[c->level_count++], edge);
        edge *= 2;
    } while (c->levels[c->level_count - 1].edge < 2 * radius_max && c->level_count < SCR_TILE_LEVELS);
    for (size_t k = 0; k < c->rows; k++) c->cell[k] = SCR_NO_ROW;
    if (!c->table && !scr_reserve(&c->table, 1024)) return false;
    c->mask = 1;
    while (2 * (c->mask + 1) <= scr_room_of(c->table)) c->mask = 2 * c->mask + 1;
    memset(c->table, 0xff, (c->mask + 1) * sizeof *c->table);
    return true;
}

bool scr_tiles_reserve(scr_tiles *c, size_t count)
{
    if (count <= c->rows) return true;
    if (!scr_reserve(&c->next, count) || !scr_reserve(&c->previous, count) || !scr_reserve(&c->cell, count))
        return false;
    for (size_t k = c->rows; k < count; k++) c->cell[k] = SCR_NO_ROW;
    c->rows = count;
    return true;
}

/* ---- where a body lives ---- */

static int level_of(const scr_tiles *c, double radius)
{
    int level = 0;
    while (level < c->level_count - 1 && c->levels[level].edge < 2 * radius) level++;
    return level;
}

static inline int32_t down(double x)
{
    int32_t whole = (int32_t)x;
    return whole - (x < whole);
}

// along a periodic axis within [0, count), else around zero
static int32_t coordinate(const scr_tiles *c, const scr_tile_level *level, double x, int d)
{
    double at = (x - c->lower[d]) * level->inverse[d];
    if (level->count[d]) {
        double turns = floor(at / level->count[d]);
        int32_t k = (int32_t)(at - turns * level->count[d]);
        return k < 0 ? 0 : k >= level->count[d] ? level->count[d] - 1 : k;
    }
    return at >= HALF_AXIS - 1 ? HALF_AXIS - 1 : at > -HALF_AXIS ? down(at) : -HALF_AXIS;
}

static uint64_t key_of_level(int carrier, int level)
{
    return (uint64_t)carrier << 52 | (uint64_t)level << 48;
}

static uint64_t key_of(int carrier, int level, const int32_t cell[3])
{
    uint64_t key = key_of_level(carrier, level);
    for (int d = 0; d < 3; d++) key |= (uint64_t)(((uint32_t)(cell[d] + HALF_AXIS) >> 2) & 0xffff) << (16 * d);
    return key;
}

static uint32_t local_of(const int32_t cell[3])
{
    return (uint32_t)((cell[0] & 3) | (cell[1] & 3) << 2 | (cell[2] & 3) << 4);
}

static uint64_t slot_of(uint64_t key, uint64_t mask)
{
    key *= 0x9e3779b97f4a7c15ull;
    return (key ^ key >> 29) * 0xbf58476d1ce4e5b9ull >> 20 & mask;
}

static uint32_t find_tile(const scr_tiles *c, uint64_t key)
{
    for (uint64_t s = slot_of(key, c->mask);; s = (s + 1) & c->mask) {
        uint32_t tile = c->table[s];
        if (tile == SCR_NO_ROW || c->tile_key[tile] == key) return tile;
    }
}

static void list_tile(scr_tiles *c, uint32_t tile)
{
    uint64_t s = slot_of(c->tile_key[tile], c->mask);
    while (c->table[s] != SCR_NO_ROW) s = (s + 1) & c->mask;
    c->table[s] = tile;
}

static bool make_tile(scr_tiles *c, uint64_t key, uint32_t *tile)
{
    size_t n = c->tile_count;
    if (!scr_reserve(&c->tile_key, n + 1) || !scr_reserve(&c->head, 64 * (n + 1))) return false;
    if (2 * (n + 1) > c->mask + 1) {
        if (!scr_reserve(&c->table, 4 * (c->mask + 1))) return false;
        c->mask = 4 * (c->mask + 1) - 1;
        memset(c->table, 0xff, (c->mask + 1) * sizeof *c->table);
        for (uint32_t k = 0; k < n; k++) list_tile(c, k);
    }
    c->tile_key[n] = key;
    memset(c->head + 64 * n, 0xff, 64 * sizeof *c->head);
    list_tile(c, (uint32_t)n);
    *tile = (uint32_t)n;
    c->tile_count++;
    return true;
}

static bool cell_of(scr_tiles *c, int carrier, vec3 x, double radius, uint32_t *cell)
{
    int level = level_of(c, radius);
    const scr_tile_level *l = &c->levels[level];
    int32_t at[3] = {coordinate(c, l, x.x, 0), coordinate(c, l, x.y, 1), coordinate(c, l, x.z, 2)};
    uint64_t key = key_of(carrier, level, at);
    uint32_t tile = find_tile(c, key);
    if (tile == SCR_NO_ROW && !make_tile(c, key, &tile)) return false;
    *cell = 64 * tile + local_of(at);
    return true;
}

static void link_row(scr_tiles *c, uint32_t i, uint32_t cell)
{
    uint32_t first = c->head[cell];
    c->cell[i] = cell;
    c->next[i] = first;
    c->previous[i] = SCR_NO_ROW;
    if (first != SCR_NO_ROW) c->previous[first] = i;
    c->head[cell] = i;
}

static void unlink_row(scr_tiles *c, uint32_t i)
{
    uint32_t before = c->previous[i], after = c->next[i];
    if (before == SCR_NO_ROW)
        c->head[c->cell[i]] = after;
    else
        c->next[before] = after;
    if (after != SCR_NO_ROW) c->previous[after] = before;
    c->cell[i] = SCR_NO_ROW;
}

bool scr_tiles_enter(scr_tiles *c, uint32_t i, int carrier, vec3 x, double radius)
{
    uint32_t cell;
    if (!cell_of(c, carrier, x, radius, &cell)) return false;
    scr_tile_level *level = &c->levels[level_of(c, radius)];
    if (radius > level->reach) level->reach = radius;
    level->bodies++;
    link_row(c, i, cell);
    return true;
}

void scr_tiles_leave(scr_tiles *c, uint32_t i, double radius)
{
    if (c->cell[i] == SCR_NO_ROW) return;
    c->levels[level_of(c, radius)].bodies--;
    unlink_row(c, i);
}

bool scr_tiles_stays(const scr_tiles *c, uint32_t i, int carrier, vec3 x, double radius)
{
    int level = level_of(c, radius);
    const scr_tile_level *l = &c->levels[level];
    int32_t at[3] = {coordinate(c, l, x.x, 0), coordinate(c, l, x.y, 1), coordinate(c, l, x.z, 2)};
    uint32_t cell = c->cell[i];
    return cell != SCR_NO_ROW && cell % 64 == local_of(at) && c->tile_key[cell / 64] == key_of(carrier, level, at);
}

bool scr_tiles_move(scr_tiles *c, uint32_t i, int carrier, vec3 x, double radius)
{
    uint32_t cell;
    if (!cell_of(c, carrier, x, radius, &cell)) return false;
    if (cell == c->cell[i]) return true;
    unlink_row(c, i);
    link_row(c, i, cell);
    return true;
}

// entries to the rows that theirs become, `to` of each entry where it names a row too
static void move_entries(uint32_t *entries, const uint32_t *new_row, const uint32_t *to, size_t count,
                         uint32_t *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[new_row[i]] = to && entries[i] != SCR_NO_ROW ? to[entries[i]] : entries[i];
    memcpy(entries, scratch, count * sizeof *entries);
}

void scr_tiles_renumber(scr_tiles *c, const uint32_t *new_row, size_t count, uint32_t *scratch)
{
    for (size_t cell = 0; cell < 64 * c->tile_count; cell++)
        if (c->head[cell] != SCR_NO_ROW) c->head[cell] = new_row[c->head[cell]];
    move_entries(c->next, new_row, new_row, count, scratch);
    move_entries(c->previous, new_row, new_row, count, scratch);
    move_entries(c->cell, new_row, NULL, count, scratch);
}

/* ---- search ---- */

#define MOST_SPAN 16 /* cells along an axis that a search keeps at hand */

/* Cells along an axis that a search meets: first and number of them, and how they fall into tiles. */
typedef struct {
    int32_t first, count;
    int32_t wraps; /* cells of a periodic axis, 0: endless */
    int tiles;
    uint64_t tile[MOST_SPAN]; /* part of the key of each tile */
    uint8_t of[MOST_SPAN];    /* number of the tile of each cell */
    uint8_t local[MOST_SPAN]; /* place of each cell in its tile */
} span;

static void measure_span(const scr_tiles *c, const scr_tile_level *l, double x, double reach, int d, span *s)
{
    double low = (x - reach - c->lower[d]) * l->inverse[d];
    double high = (x + reach - c->lower[d]) * l->inverse[d];
    s->wraps = l->count[d];
    if (s->wraps) {
        double from = floor(low);
        int32_t count = (int32_t)fmin(floor(high) - from + 1, s->wraps);
        // a span as long as the axis begins anywhere
        s->first = count < s->wraps ? (int32_t)(from - floor(from / s->wraps) * s->wraps) : 0;
        s->count = count;
        return;
    }
    const double least = -HALF_AXIS, most = HALF_AXIS - 1; // as in coordinate()
    low = low > least ? (low < most ? low : most) : least;
    high = high > least ? (high < most ? high : most) : least;
    s->first = down(low);
    s->count = down(high) - s->first + 1;
}

static int32_t cell_at(const span *s, int32_t k)
{
    int32_t at = s->first + k;
    return s->wraps && at >= s->wraps ? at - s->wraps : at;
}

static uint64_t tile_part(int32_t cell, int d)
{
    return (uint64_t)(((uint32_t)(cell + HALF_AXIS) >> 2) & 0xffff) << (16 * d);
}

static void find_tiles(span *s, int d)
{
    s->tiles = 0;
    for (int32_t k = 0; k < s->count; k++) {
        int32_t cell = cell_at(s, k);
        uint64_t part = tile_part(cell, d);
        if (!s->tiles || s->tile[s->tiles - 1] != part) s->tile[s->tiles++] = part;
        s->of[k] = (uint8_t)(s->tiles - 1);
        s->local[k] = (uint8_t)((cell & 3) << (2 * d));
    }
}

/* Rows found so far. */
typedef struct {
    uint32_t *rows;
    size_t room, count;
} catch;

static inline void take_cell(const scr_tiles *c, uint32_t cell, catch *f)
{
    for (uint32_t i = c->head[cell]; i != SCR_NO_ROW; i = c->next[i], f->count++)
        if (f->count < f->room) f->rows[f->count] = i;
}

// few cells along each axis: each tile is looked up once
static void search_near(const scr_tiles *c, uint64_t base, span axes[3], catch *f)
{
    uint32_t tiles[64];
    for (int d = 0; d < 3; d++) find_tiles(&axes[d], d);
    int nx = axes[0].tiles, ny = axes[1].tiles;
    for (int z = 0; z < axes[2].tiles; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                tiles[(z * ny + y) * nx + x] = find_tile(c, base | axes[0].tile[x] | axes[1].tile[y] | axes[2].tile[z]);
    for (int32_t z = 0; z < axes[2].count; z++)
        for (int32_t y = 0; y < axes[1].count; y++) {
            const uint32_t *row = tiles + (axes[2].of[z] * ny + axes[1].of[y]) * nx;
            uint32_t local = axes[2].local[z] | axes[1].local[y];
            for (int32_t x = 0; x < axes[0].count; x++) {
                uint32_t tile = row[axes[0].of[x]];
                if (tile != SCR_NO_ROW) take_cell(c, 64 * tile + (local | axes[0].local[x]), f);
            }
        }
}

// a large body among small ones meets many
static void search_far(const scr_tiles *c, uint64_t base, const span axes[3], catch *f)
{
    for (int32_t z = 0; z < axes[2].count; z++)
        for (int32_t y = 0; y < axes[1].count; y++)
            for (int32_t x = 0; x < axes[0].count; x++) {
                const int32_t at[3] = {cell_at(&axes[0], x), cell_at(&axes[1], y), cell_at(&axes[2], z)};
                uint32_t tile = find_tile(c, base | tile_part(at[0], 0) | tile_part(at[1], 1) | tile_part(at[2], 2));
                if (tile != SCR_NO_ROW) take_cell(c, 64 * tile + local_of(at), f);
            }
}

// which of the four cells of a tile along an axis are in the span, a bit each
static uint32_t cells_within(const span *s, uint64_t key, int d)
{
    int32_t first = (int32_t)(key >> (16 * d) & 0xffff) * 4 - HALF_AXIS;
    uint32_t within = 0;
    for (int32_t k = 0; k < 4; k++) {
        int32_t way = first + k - s->first;
        if (s->wraps && way < 0) way += s->wraps;
        within |= (uint32_t)(way >= 0 && way < s->count) << k;
    }
    return within;
}

// more cells than there are tiles: the tiles are gone through instead
static void search_tiles(const scr_tiles *c, uint64_t base, const span axes[3], catch *f)
{
    for (uint32_t tile = 0; tile < c->tile_count; tile++) {
        uint64_t key = c->tile_key[tile];
        if (key >> 48 != base >> 48) continue;
        uint32_t x = cells_within(&axes[0], key, 0), y = cells_within(&axes[1], key, 1);
        uint32_t z = cells_within(&axes[2], key, 2);
        if (!x || !y || !z) continue;
        for (uint32_t k = 0; k < 64; k++)
            if (x >> (k & 3) & y >> (k >> 2 & 3) & z >> (k >> 4) & 1) take_cell(c, 64 * tile + k, f);
    }
}

size_t scr_tiles_near(const scr_tiles *c, int carrier, vec3 x, double r, uint32_t *found, size_t room)
{
    return scr_tiles_in_box(c, carrier, x, v3(r, r, r), found, room);
}

size_t scr_tiles_in_box(const scr_tiles *c, int carrier, vec3 x, vec3 half, uint32_t *found, size_t room)
{
    catch f = {found, room, 0};
    const double place[3] = {x.x, x.y, x.z}, reach[3] = {half.x, half.y, half.z};
    for (int level = 0; level < c->level_count; level++) {
        const scr_tile_level *l = &c->levels[level];
        if (!l->bodies) continue;
        span axes[3];
        double tiles = 1, cells = 1; // as many as 2^54
        bool few = true;
        for (int d = 0; d < 3; d++) {
            measure_span(c, l, place[d], (reach[d] + l->reach) * (1 + 1e-9), d, &axes[d]);
            few &= axes[d].count <= MOST_SPAN;
            // of a span that does not begin with a tile, and may go round a periodic axis
            tiles *= axes[d].count / 4 + 3;
            cells *= axes[d].count;
        }
        uint64_t base = key_of_level(carrier, level);
        if (few && tiles <= 64)
            search_near(c, base, axes, &f);
        else if (cells < (double)c->tile_count)
            search_far(c, base, axes, &f);
        else
            search_tiles(c, base, axes, &f);
    }
    return f.count;
}

/* ---- a tile with what is around it ---- */

int scr_tile_carrier(const scr_tiles *c, uint32_t tile)
{
    return (int)(c->tile_key[tile] >> 52);
}

bool scr_tile_is_empty(const scr_tiles *c, uint32_t tile)
{
    const uint32_t *head = c->head + 64 * (size_t)tile;
    uint32_t all = SCR_NO_ROW; // as which all bits are set
    for (int k = 0; k < 64; k++) all &= head[k];
    return all == SCR_NO_ROW;
}

vec3 scr_tile_middle(const scr_tiles *c, uint32_t tile)
{
    uint64_t key = c->tile_key[tile];
    const scr_tile_level *l = &c->levels[key >> 48 & 0xf];
    double at[3];
    for (int d = 0; d < 3; d++)
        at[d] = c->lower[d] + ((double)((int32_t)(key >> (16 * d) & 0xffff) * 4 - HALF_AXIS) + 2) / l->inverse[d];
    return v3_load(at);
}

bool scr_tiles_are_plain(const scr_tiles *c)
{
    bool plain = c->level_count == 1;
    for (int d = 0; d < 3; d++) plain &= !c->levels[0].count[d] || c->levels[0].count[d] > 2 * SCR_REGION_AXIS;
    return plain;
}

double scr_tiles_edge(const scr_tiles *c, int level)
{
    const scr_tile_level *l = &c->levels[level];
    return 1 / fmax(l->inverse[0], fmax(l->inverse[1], l->inverse[2])) * (1 - 1e-9);
}

// the cells of a region along an axis: number k of `at`; false: there is none
static bool region_cell(const scr_tile_level *l, uint64_t key, int d, int k, int32_t *at)
{
    int32_t cell = (int32_t)(key >> (16 * d) & 0xffff) * 4 - HALF_AXIS + k - 1, wraps = l->count[d];
    *at = !wraps || (cell >= 0 && cell < wraps) ? cell : cell < 0 ? wraps - 1 : 0;
    return !wraps || cell <= wraps;
}

size_t scr_tiles_region(const scr_tiles *c, uint32_t tile, uint32_t start[SCR_REGION_CELLS + 1], uint32_t *found,
                        size_t room)
{
    uint64_t key = c->tile_key[tile], base = key >> 48 << 48;
    const scr_tile_level *l = &c->levels[key >> 48 & 0xf];
    uint64_t part[3][SCR_REGION_AXIS];
    uint32_t local[3][SCR_REGION_AXIS];
    bool there[3][SCR_REGION_AXIS];
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < SCR_REGION_AXIS; k++) {
            int32_t at;
            there[d][k] = region_cell(l, key, d, k, &at);
            part[d][k] = tile_part(at, d);
            local[d][k] = (uint32_t)(at & 3) << (2 * d);
        }
    catch f = {found, room, 0};
    uint32_t cell = 0;
    for (int z = 0; z < SCR_REGION_AXIS; z++)
        for (int y = 0; y < SCR_REGION_AXIS; y++) {
            uint64_t last = UINT64_MAX;
            uint32_t own = SCR_NO_ROW;
            for (int x = 0; x < SCR_REGION_AXIS; x++) {
                start[cell++] = (uint32_t)f.count;
                if (!there[0][x] || !there[1][y] || !there[2][z]) continue;
                uint64_t wanted = base | part[0][x] | part[1][y] | part[2][z];
                if (wanted != last) own = find_tile(c, last = wanted);
                if (own != SCR_NO_ROW) take_cell(c, 64 * own + (local[0][x] | local[1][y] | local[2][z]), &f);
            }
        }
    start[cell] = (uint32_t)f.count;
    return f.count;
}
