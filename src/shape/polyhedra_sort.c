/* Cells in the order of a Morton curve (the bits of x, y, z in turn), faces in the order of their cells. */
#include <string.h>

#include "base/buffer.h"
#include "base/sort.h"
#include "shape/polyhedra.h"

#define BITS 21 /* per axis */

// 21 bits with two zeros after each
static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

typedef struct {
    uint64_t key;
    uint32_t what;
} ranked;

static int by_rank(const void *a, const void *b)
{
    return scr_by_u64(a, b);
}

// cells ranked along the curve through the means of their corners
static bool rank_cells(const scr_polyhedra *m, ranked *cells)
{
    double *mean = scr_memory_new(m->cell_count, 4 * sizeof *mean);
    if (!mean) return false;
    for (size_t k = 0; k < 2 * m->face_count; k++) {
        if (m->cells[k] < 0) continue;
        double *x = mean + 4 * (size_t)m->cells[k];
        size_t f = k / 2;
        vec3 away = k % 2 && m->shift ? v3_load(m->shift + 3 * f) : v3(0, 0, 0);
        for (uint32_t j = m->first[f]; j < m->first[f + 1]; j++, x[3]++)
            v3_store(x, v3_add(v3_load(x), v3_sub(v3_load(m->points + 3 * (size_t)m->corners[j]), away)));
    }
    double low[3] = {INFINITY, INFINITY, INFINITY}, size = 0;
    for (size_t c = 0; c < m->cell_count; c++)
        for (int a = 0; a < 3; a++) low[a] = fmin(low[a], mean[4 * c + (size_t)a] /= fmax(mean[4 * c + 3], 1));
    for (size_t c = 0; c < m->cell_count; c++)
        for (int a = 0; a < 3; a++) size = fmax(size, mean[4 * c + (size_t)a] - low[a]);
    double scale = size > 0 ? ((1 << BITS) - 1) / size : 0;
    for (size_t c = 0; c < m->cell_count; c++) {
        uint64_t key = 0;
        for (int a = 0; a < 3; a++) key |= spread((uint64_t)((mean[4 * c + (size_t)a] - low[a]) * scale)) << a;
        cells[c] = (ranked){key, (uint32_t)c};
    }
    scr_memory_free(mean);
    return true;
}

// numbers of cells in the faces, and arrays per cell; place[old] = new
static bool renumber_cells(scr_polyhedra *m, const ranked *cells, uint32_t *place)
{
    double *seeds = m->seeds ? scr_memory_new(m->cell_count, 3 * sizeof *seeds) : NULL;
    int32_t *group = m->group ? scr_memory_new(m->cell_count, sizeof *group) : NULL;
    if ((m->seeds && !seeds) || (m->group && !group)) {
        scr_memory_free(seeds);
        scr_memory_free(group);
        return false;
    }
    for (size_t c = 0; c < m->cell_count; c++) {
        size_t old = cells[c].what;
        place[old] = (uint32_t)c;
        if (seeds) memcpy(seeds + 3 * c, m->seeds + 3 * old, 3 * sizeof *seeds);
        if (group) group[c] = m->group[old];
    }
    for (size_t k = 0; k < 2 * m->face_count; k++)
        if (m->cells[k] >= 0) m->cells[k] = (int32_t)place[m->cells[k]];
    if (seeds) scr_memory_free(m->seeds), m->seeds = seeds;
    if (group) scr_memory_free(m->group), m->group = group;
    return true;
}

// a copy of `from` in the new order of faces and points
static bool copy_sorted(const scr_polyhedra *from, const ranked *faces, uint32_t *point, scr_polyhedra *to)
{
    uint32_t *corners = NULL;
    bool ok = scr_polyhedra_reserve(to, from->point_count, from->face_count, from->corner_count);
    memset(point, 0xff, from->point_count * sizeof *point);
    for (size_t k = 0; ok && k < from->face_count; k++) {
        size_t f = faces[k].what, n = from->first[f + 1] - from->first[f];
        int32_t a = from->cells[2 * f], b = from->cells[2 * f + 1];
        bool turn = b >= 0 && b < a;
        // points of a face across a periodic border stand where its first cell is: turned, it has its own
        vec3 shift = from->shift ? v3_load(from->shift + 3 * f) : v3(0, 0, 0);
        bool moved = turn && v3_norm(shift) > 0;
        ok = scr_reserve(&corners, n);
        for (size_t j = 0; ok && j < n; j++) {
            uint32_t old = from->corners[from->first[f] + (turn ? n - 1 - j : j)];
            vec3 x = v3_load(from->points + 3 * (size_t)old);
            if (moved) {
                ok = scr_polyhedra_add_point(to, v3_sub(x, shift), &corners[j]);
                continue;
            }
            if (point[old] == UINT32_MAX) ok = scr_polyhedra_add_point(to, x, &point[old]);
            corners[j] = point[old];
        }
        ok = ok && scr_polyhedra_add_face(to, corners, (int)n, turn ? b : a, turn ? a : b, from->side[f]);
        if (ok && from->shift) ok = scr_polyhedra_shift(to, k, turn ? v3_scale(-1, shift) : shift);
    }
    scr_buffer_free(corners);
    return ok;
}

bool scr_polyhedra_sort(scr_polyhedra *m)
{
    scr_sorter sorter = {0};
    scr_polyhedra to;
    scr_polyhedra_init(&to);
    ranked *rank = scr_memory_new(m->cell_count + m->face_count, sizeof *rank);
    uint32_t *place = scr_memory_new(m->cell_count + m->point_count, sizeof *place);
    bool ok = rank && place && rank_cells(m, rank) && scr_sort(&sorter, rank, m->cell_count, sizeof *rank, by_rank) &&
              renumber_cells(m, rank, place);
    for (size_t f = 0; ok && f < m->face_count; f++) {
        uint32_t a = (uint32_t)m->cells[2 * f],
                 b = (uint32_t)m->cells[2 * f + 1]; // none: comes last
        rank[f] = (ranked){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, (uint32_t)f};
    }
    ok = ok && scr_sort(&sorter, rank, m->face_count, sizeof *rank, by_rank) && copy_sorted(m, rank, place, &to);
    if (ok) {
        scr_polyhedra old = *m;
        to.seeds = old.seeds, to.group = old.group, old.seeds = NULL, old.group = NULL;
        memcpy(to.sides, old.sides, sizeof to.sides);
        memcpy(to.groups, old.groups, sizeof to.groups);
        to.side_count = old.side_count, to.group_count = old.group_count;
        to.cell_count = old.cell_count;
        *m = to;
        scr_polyhedra_deinit(&old);
    } else {
        scr_polyhedra_deinit(&to);
    }
    scr_memory_free(rank);
    scr_memory_free(place);
    scr_memory_free(sorter.room);
    return ok;
}
