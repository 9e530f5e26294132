/* Welding by a hash of small cells: a vertex looks into its own cell and those around it. Facets are
 * compared by the edges they share, found by sorting all edges. */
#include "shape/mesh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

#define WELD   1e-8 /* of the mesh's diagonal */
#define SLIVER 1e-3 /* height over longest edge */

bool scr_mesh_refuse(scr_mesh_error *error, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error->line = line;
    vsnprintf(error->what, sizeof error->what, format, args);
    va_end(args);
    return false;
}

bool scr_mesh_no_memory(scr_mesh_error *error, int line)
{
    error->no_memory = true;
    return scr_mesh_refuse(error, line, "no memory for the mesh");
}

void scr_mesh_deinit(scr_mesh *m)
{
    scr_free_all(m->vertices, m->facet, m->source);
    *m = (scr_mesh){0};
}

/* ---- welding ---- */

static void box_of(const scr_mesh *m, vec3 *lower, vec3 *upper)
{
    *lower = *upper = m->vertex_count ? m->vertices[0] : v3(0, 0, 0);
    for (uint32_t k = 0; k < m->vertex_count; k++) {
        vec3 p = m->vertices[k];
        *lower = v3(fmin(lower->x, p.x), fmin(lower->y, p.y), fmin(lower->z, p.z));
        *upper = v3(fmax(upper->x, p.x), fmax(upper->y, p.y), fmax(upper->z, p.z));
    }
}

typedef struct {
    vec3 origin;
    double inverse; /* cells per metre */
    uint32_t *slots, mask;
} weld_cells;

static uint32_t cell_hash(const weld_cells *c, int64_t x, int64_t y, int64_t z)
{
    uint64_t h =
        (uint64_t)x * 0x9e3779b97f4a7c15ull ^ (uint64_t)y * 0xc2b2ae3d27d4eb4full ^ (uint64_t)z * 0x165667b19e3779f9ull;
    h ^= h >> 29, h *= 0xbf58476d1ce4e5b9ull, h ^= h >> 32;
    return (uint32_t)h & c->mask;
}

// a kept vertex within the tolerance of p, or UINT32_MAX; *free_slot is where p would be kept
static uint32_t find_vertex(const weld_cells *c, const vec3 *kept, vec3 p, double tolerance, uint32_t *free_slot)
{
    vec3 q = v3_scale(c->inverse, v3_sub(p, c->origin));
    int64_t at[3] = {(int64_t)floor(q.x), (int64_t)floor(q.y), (int64_t)floor(q.z)};
    const double inside[3] = {q.x - floor(q.x), q.y - floor(q.y), q.z - floor(q.z)};
    int low[3], high[3];
    // cells are four tolerances wide: the neighbours matter only near a side
    for (int d = 0; d < 3; d++) low[d] = inside[d] < 0.3 ? -1 : 0, high[d] = inside[d] > 0.7;
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                uint32_t slot = cell_hash(c, at[0] + x, at[1] + y, at[2] + z);
                for (; c->slots[slot] != UINT32_MAX; slot = (slot + 1) & c->mask) {
                    vec3 d = v3_sub(kept[c->slots[slot]], p);
                    if (v3_dot(d, d) <= tolerance * tolerance) return c->slots[slot];
                }
                if (!x && !y && !z) *free_slot = slot;
            }
    return UINT32_MAX;
}

static bool weld(scr_mesh *m, double tolerance, uint32_t *welded)
{
    uint32_t size = 64, kept = 0;
    while (size < 2 * (uint64_t)m->vertex_count && size < 0x80000000u) size *= 2;
    weld_cells cells = {.inverse = 1 / (4 * tolerance), .mask = size - 1};
    uint32_t *becomes = malloc(((size_t)m->vertex_count + 1) * sizeof *becomes);
    cells.slots = malloc((size_t)size * sizeof *cells.slots);
    bool ok = becomes && cells.slots;
    if (ok) memset(cells.slots, 0xff, (size_t)size * sizeof *cells.slots);
    if (m->vertex_count) cells.origin = m->vertices[0];
    for (uint32_t k = 0; ok && k < m->vertex_count; k++) {
        uint32_t slot = 0;
        becomes[k] = find_vertex(&cells, m->vertices, m->vertices[k], tolerance, &slot);
        if (becomes[k] != UINT32_MAX) continue;
        m->vertices[kept] = m->vertices[k];
        becomes[k] = cells.slots[slot] = kept++;
    }
    for (uint32_t f = 0; ok && f < m->facet_count; f++)
        for (int d = 0; d < 3; d++) m->facet[f][d] = becomes[m->facet[f][d]];
    *welded = m->vertex_count - kept;
    if (ok) m->vertex_count = kept;
    free(becomes);
    free(cells.slots);
    return ok;
}

/* ---- facets ---- */

static double facet_height(const scr_mesh *m, uint32_t f, double *longest, double *area)
{
    vec3 a = m->vertices[m->facet[f][0]], b = m->vertices[m->facet[f][1]];
    vec3 c = m->vertices[m->facet[f][2]];
    vec3 ab = v3_sub(b, a), ac = v3_sub(c, a), bc = v3_sub(c, b);
    *longest = fmax(v3_norm(ab), fmax(v3_norm(ac), v3_norm(bc)));
    *area = 0.5 * v3_norm(v3_cross(ab, ac));
    return *longest > 0 ? 2 * *area / *longest : 0;
}

typedef struct {
    uint32_t corner[3], facet; /* corners in increasing order */
} triple;

static int by_corners(const void *p, const void *q)
{
    const triple *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->corner[k] != b->corner[k]) return a->corner[k] < b->corner[k] ? -1 : 1;
    return a->facet < b->facet ? -1 : a->facet > b->facet;
}

static void order(uint32_t *a, uint32_t *b)
{
    if (*a <= *b) return;
    uint32_t c = *a;
    *a = *b, *b = c;
}

// marks facets that have the corners of an earlier one
static bool mark_duplicates(const scr_mesh *m, bool *drop, uint32_t *duplicates)
{
    triple *all = malloc(((size_t)m->facet_count + 1) * sizeof *all);
    if (!all) return false;
    for (uint32_t f = 0; f < m->facet_count; f++) {
        triple t = {{m->facet[f][0], m->facet[f][1], m->facet[f][2]}, f};
        order(&t.corner[0], &t.corner[1]);
        order(&t.corner[1], &t.corner[2]);
        order(&t.corner[0], &t.corner[1]);
        all[f] = t;
    }
    qsort(all, m->facet_count, sizeof *all, by_corners);
    for (uint32_t k = 1; k < m->facet_count; k++)
        if (!memcmp(all[k].corner, all[k - 1].corner, sizeof all->corner) && !drop[all[k].facet])
            drop[all[k].facet] = true, ++*duplicates;
    free(all);
    return true;
}

static bool drop_facets(scr_mesh *m, double tolerance, scr_mesh_report *r)
{
    bool *drop = calloc((size_t)m->facet_count + 1, sizeof *drop);
    if (!drop) return false;
    for (uint32_t f = 0; f < m->facet_count; f++) {
        double longest, area, height = facet_height(m, f, &longest, &area);
        if (height <= tolerance) drop[f] = true, r->degenerate++;
    }
    bool ok = mark_duplicates(m, drop, &r->duplicates);
    uint32_t n = 0;
    for (uint32_t f = 0; ok && f < m->facet_count; f++) {
        if (drop[f]) continue;
        memmove(m->facet[n], m->facet[f], sizeof *m->facet);
        m->source[n++] = m->source[f];
    }
    if (ok) m->facet_count = n;
    free(drop);
    return ok;
}

/* ---- edges ---- */

typedef struct {
    uint32_t low, high, facet; /* low < high */
    bool forward;              /* the facet goes from low to high */
} edge;

static int by_ends(const void *p, const void *q)
{
    const edge *a = p, *b = q;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->facet < b->facet ? -1 : a->facet > b->facet;
}

static edge *edges_of(const scr_mesh *m)
{
    edge *all = malloc((3 * (size_t)m->facet_count + 1) * sizeof *all);
    for (size_t k = 0; all && k < 3 * (size_t)m->facet_count; k++) {
        uint32_t a = m->facet[k / 3][k % 3], b = m->facet[k / 3][(k + 1) % 3];
        all[k] = (edge){a < b ? a : b, a < b ? b : a, (uint32_t)(k / 3), a < b};
    }
    if (all) qsort(all, 3 * (size_t)m->facet_count, sizeof *all, by_ends);
    return all;
}

// how many of the sorted edges from k on have the same ends
static size_t same_ends(const edge *e, size_t k, size_t count)
{
    size_t n = 1;
    while (k + n < count && e[k + n].low == e[k].low && e[k + n].high == e[k].high) n++;
    return n;
}

/* Neighbours over edges of exactly two facets: facet, and whether the two disagree. */
typedef struct {
    uint32_t other[3];
    bool disagrees[3];
    int count;
} neighbours;

static void join(neighbours *a, uint32_t b, bool disagrees)
{
    if (a->count == 3) return;
    a->other[a->count] = b;
    a->disagrees[a->count++] = disagrees;
}

static neighbours *neighbours_of(const edge *e, size_t edge_count, uint32_t facet_count)
{
    neighbours *all = calloc((size_t)facet_count + 1, sizeof *all);
    for (size_t k = 0, n; all && k < edge_count; k += n) {
        n = same_ends(e, k, edge_count);
        if (n != 2) continue;
        bool disagree = e[k].forward == e[k + 1].forward;
        join(&all[e[k].facet], e[k + 1].facet, disagree);
        join(&all[e[k + 1].facet], e[k].facet, disagree);
    }
    return all;
}

static void flip(scr_mesh *m, uint32_t f)
{
    uint32_t c = m->facet[f][1];
    m->facet[f][1] = m->facet[f][2], m->facet[f][2] = c;
}

// walks each piece from its first facet; those that disagree with it, or all others where they are
// more, are turned round
static bool orient(scr_mesh *m, const neighbours *near, scr_mesh_report *r)
{
    uint32_t *queue = malloc(((size_t)m->facet_count + 1) * sizeof *queue);
    int8_t *turned = malloc((size_t)m->facet_count + 1); // -1: not seen
    bool ok = queue && turned;
    if (ok) memset(turned, -1, m->facet_count);
    for (uint32_t start = 0; ok && start < m->facet_count; start++) {
        if (turned[start] >= 0) continue;
        uint32_t head = 0, tail = 0, against = 0;
        turned[start] = 0;
        for (queue[tail++] = start; head < tail; head++) {
            uint32_t f = queue[head];
            against += (uint32_t)turned[f];
            for (int k = 0; k < near[f].count; k++) {
                uint32_t g = near[f].other[k];
                if (turned[g] >= 0) continue;
                turned[g] = turned[f] ^ near[f].disagrees[k];
                queue[tail++] = g;
            }
        }
        r->pieces++;
        bool fewer = 2 * against <= tail;
        for (uint32_t k = 0; k < tail; k++)
            if (turned[queue[k]] == fewer) flip(m, queue[k]), r->flipped++;
    }
    free(queue);
    free(turned);
    return ok;
}

static void count_edges(const edge *e, size_t count, scr_mesh_report *r)
{
    for (size_t k = 0, n; k < count; k += n) {
        n = same_ends(e, k, count);
        r->open_edges += n == 1;
        r->many_edges += n > 2;
        r->twisted_edges += n == 2 && e[k].forward == e[k + 1].forward;
    }
    r->closed = count && !r->open_edges;
}

static void measure(const scr_mesh *m, scr_mesh_report *r)
{
    for (uint32_t f = 0; f < m->facet_count; f++) {
        double longest, area, height = facet_height(m, f, &longest, &area);
        r->area += area;
        vec3 a = v3_sub(m->vertices[m->facet[f][0]], r->lower);
        vec3 b = v3_sub(m->vertices[m->facet[f][1]], r->lower);
        vec3 c = v3_sub(m->vertices[m->facet[f][2]], r->lower);
        r->volume += v3_dot(a, v3_cross(b, c)) / 6;
        if (height < SLIVER * longest && !r->slivers++) r->first_sliver = m->source[f];
    }
    if (!r->closed) r->volume = 0;
}

bool scr_mesh_repair(scr_mesh *m, scr_mesh_report *r)
{
    *r = (scr_mesh_report){0};
    box_of(m, &r->lower, &r->upper);
    double tolerance = WELD * v3_norm(v3_sub(r->upper, r->lower));
    if (!(tolerance > 0)) tolerance = 1e-300;
    if (!weld(m, tolerance, &r->welded) || !drop_facets(m, tolerance, r)) return false;

    edge *edges = edges_of(m);
    neighbours *near = edges ? neighbours_of(edges, 3 * (size_t)m->facet_count, m->facet_count) : NULL;
    bool ok = near && orient(m, near, r);
    free(edges);
    free(near);
    edges = ok ? edges_of(m) : NULL;
    if (edges) count_edges(edges, 3 * (size_t)m->facet_count, r);
    ok = edges != NULL;
    free(edges);
    if (ok) measure(m, r);
    return ok;
}
