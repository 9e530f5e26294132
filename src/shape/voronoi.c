#include "shape/voronoi.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/random.h"
#include "math/elementary.h"
#include "shape/voronoi_cells.h"

#define PI    3.14159265358979323846
#define WELD  1e-6 /* corners that are one, in units of the distance of seeds */
#define TRIES 1000 /* for a random seed within the body */

/* Lengths in units of `unit`, from `lower`, but where it says metres. */
typedef struct {
    const scr_voronoi_def *def;
    scr_polyhedra *mesh;
    scr_mesh_fault *fault;
    double lower[3], upper[3]; /* of the body [m] */
    double volume, unit;       /* [m^3], [m] */
    double size[3];            /* of the body */
    double *seeds;
    size_t count;
    scr_voronoi_cells cells;
    int *leader;   /* of each place: places that are one have one leader */
    uint8_t *wall; /* of each place: on how many walls it is */
} builder;

__attribute__((format(printf, 3, 4))) static bool refuse(scr_mesh_fault *fault, long cell, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fault->cell = (int)cell, fault->face = -1;
    vsnprintf(fault->what, sizeof fault->what, format, args);
    va_end(args);
    return false;
}

static bool no_memory(builder *b)
{
    return refuse(b->fault, -1, "no memory for the mesh");
}

/* ---- seeds ---- */

static vec3 metres(const builder *b, vec3 x)
{
    return v3_axpy(v3_load(b->lower), b->unit, x);
}

static bool within(const scr_cut *cuts, int count, vec3 x, double tolerance)
{
    for (int k = 0; k < count; k++)
        if (!(v3_dot(cuts[k].normal, x) < cuts[k].offset + tolerance)) return false;
    return true;
}

static bool is_within(const builder *b, const double x[3])
{
    return within(b->def->cuts, b->def->cut_count, metres(b, v3_load(x)), 0);
}

static bool add_seed(builder *b, const double x[3])
{
    size_t n = b->count;
    if (!scr_reserve(&b->seeds, 3 * (n + 1))) return no_memory(b);
    memcpy(b->seeds + 3 * n, x, 3 * sizeof *x);
    if (b->def->flat) b->seeds[3 * n + 2] = 0.5 * b->size[2];
    b->count++;
    return true;
}

static bool random_seeds(builder *b)
{
    scr_random random = scr_random_stream(b->def->seed, 0x766f726f);
    for (size_t k = 0; k < b->def->count; k++) {
        double x[3];
        int tries = 0;
        do {
            for (int a = 0; a < 3; a++) x[a] = scr_random_unit(&random) * b->size[a];
            if (b->def->flat) x[2] = 0.5 * b->size[2];
        } while (!is_within(b, x) && ++tries < TRIES);
        if (tries == TRIES) return refuse(b->fault, (long)k, "no position for seed %zu: the body is too thin", k);
        if (!add_seed(b, x)) return false;
    }
    return true;
}

static bool grid_seeds(builder *b)
{
    scr_random random = scr_random_stream(b->def->seed, 0x67726964);
    int n[3], at[3];
    for (int a = 0; a < 3; a++) n[a] = b->size[a] > 1 ? (int)lround(b->size[a]) : 1;
    if (b->def->flat) n[2] = 1;
    for (at[2] = 0; at[2] < n[2]; at[2]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                double x[3];
                for (int a = 0; a < 3; a++) {
                    double move = scr_random_between(&random, -b->def->jitter, b->def->jitter);
                    x[a] = (at[a] + 0.5 + (n[a] > 1 ? move : 0)) * b->size[a] / n[a];
                }
                if (is_within(b, x) && !add_seed(b, x)) return false;
            }
    return b->count || refuse(b->fault, -1, "no seed of the grid is within the body");
}

static bool given_seeds(builder *b)
{
    for (size_t k = 0; k < b->def->count; k++) {
        const double *at = b->def->given + 3 * k;
        double x[3];
        bool in = true;
        for (int a = 0; a < 3; a++) {
            x[a] = (at[a] - b->lower[a]) / b->unit;
            in = in && x[a] > 0 && x[a] < b->size[a];
        }
        if (!in || !is_within(b, x))
            return refuse(b->fault, (long)k, "seed %zu at (%g, %g, %g) is not within the body", k, at[0], at[1], at[2]);
        if (!add_seed(b, x)) return false;
    }
    return true;
}

/* ---- cells ---- */

static bool compute(builder *b, bool only_centres)
{
    const scr_voronoi_def *def = b->def;
    double *planes = scr_memory_new((size_t)def->cut_count, 4 * sizeof *planes);
    if (!planes) return no_memory(b);
    for (int k = 0; k < def->cut_count; k++) {
        const scr_cut *c = &def->cuts[k];
        v3_store(planes + 4 * k, c->normal);
        planes[4 * k + 3] = (c->offset - v3_dot(c->normal, v3_load(b->lower))) / b->unit;
    }
    scr_voronoi_space space = {.planes = planes, .plane_count = def->cut_count};
    for (int a = 0; a < 3; a++) {
        // cuts never coincide with the walls of the box
        double more = def->cut_count ? 1 : 0;
        space.low[a] = -more, space.high[a] = b->size[a] + more, space.periodic[a] = def->periodic[a];
    }
    scr_voronoi_cells_deinit(&b->cells);
    long lost = scr_voronoi_cells_build(&space, b->seeds, b->count, only_centres, &b->cells);
    scr_memory_free(planes);
    if (lost == SCR_VORONOI_NO_MEMORY) return no_memory(b);
    return lost < 0 || refuse(b->fault, lost, "seed %ld has no cell: does it coincide with another seed?", lost);
}

// Lloyd (1982): seeds to the centres of their cells
static bool relax(builder *b)
{
    for (int k = 0; k < b->def->lloyd; k++) {
        if (!compute(b, true)) return false;
        for (size_t i = 0; i < 3 * b->count; i++) {
            double x = b->cells.centres[i], size = b->size[i % 3];
            if (b->def->periodic[i % 3]) x -= floor(x / size) * size;
            b->seeds[i] = i % 3 == 2 && b->def->flat ? 0.5 * size : x;
        }
    }
    return true;
}

/* ---- corners that are one ---- */

static int leader_of(builder *b, int k)
{
    while (b->leader[k] != k) k = b->leader[k] = b->leader[b->leader[k]];
    return k;
}

// one that is on more walls leads; else the first
static void unite(builder *b, int p, int q)
{
    p = leader_of(b, p), q = leader_of(b, q);
    if (p == q) return;
    bool first = b->wall[p] > b->wall[q] || (b->wall[p] == b->wall[q] && p < q);
    b->leader[first ? q : p] = first ? p : q;
}

// how many periods q is away from p along an axis
static int periods(const builder *b, int a, double p, double q)
{
    return b->def->periodic[a] ? (int)lround((q - p) / b->size[a]) : 0;
}

static bool are_near(const builder *b, int p, int q)
{
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        double x = b->cells.x[3 * p + a], y = b->cells.x[3 * q + a];
        double d = y - x - periods(b, a, x, y) * b->size[a];
        sum += d * d;
    }
    return sum < WELD * WELD;
}

// the number of the bin of a point along an axis; periodic sides are one
static uint64_t bin_of(const builder *b, int a, double x)
{
    int64_t bins = (int64_t)(b->size[a] / (16 * WELD));
    if (bins < 1) bins = 1;
    int64_t bin = (int64_t)floor(x * (double)bins / b->size[a]);
    return (uint64_t)(b->def->periodic[a] ? (bin % bins + bins) % bins : bin);
}

// each place looks into the bins that a ball of the size of WELD around it touches; bins share a table
static bool weld(builder *b)
{
    const scr_voronoi_cells *c = &b->cells;
    size_t room = 64, n = c->place_count;
    while (room < 2 * n) room *= 2;
    int *head = scr_memory_new(room, sizeof *head), *next = scr_memory_new(n, sizeof *next);
    b->leader = scr_memory_new(n, sizeof *b->leader);
    b->wall = scr_memory_new(n, sizeof *b->wall);
    bool ok = head && next && b->leader && b->wall;
    for (size_t k = 0; ok && k < n; k++) b->leader[k] = (int)k;
    for (size_t f = 0; ok && f < c->face_count; f++)
        for (size_t j = c->first_corner[f]; c->neighbour[f] < 0 && j < c->first_corner[f + 1]; j++)
            b->wall[c->corners[j]]++;
    for (size_t k = 0; ok && k < n; k++) {
        const double *x = c->x + 3 * k;
        for (int s = 0; s <= 8; s++) { // eight corners of the ball's box, then the place itself
            uint64_t key = 0;
            for (int a = 0; a < 3; a++)
                key = scr_random_mix(key + bin_of(b, a, x[a] + (s == 8 ? 0 : s >> a & 1 ? WELD : -WELD)) + 1);
            int *first = &head[key & (room - 1)]; // numbers from 1
            if (s == 8) next[k] = *first, *first = (int)k + 1;
            for (int q = *first; s < 8 && q; q = next[q - 1])
                if (are_near(b, q - 1, (int)k)) unite(b, q - 1, (int)k);
        }
    }
    scr_memory_free(head);
    scr_memory_free(next);
    return ok || no_memory(b);
}

/* ---- the mesh ---- */

/* A leader, or a copy of it so many periods away. */
typedef struct {
    int leader;
    int8_t away[3];
} place;

typedef struct {
    place *corners;
    uint32_t *points; /* as many */
    size_t count;
    int shift[3];
} polygon;

/* The points made of a leader so far, in a list. */
typedef struct {
    place of;
    uint32_t point, next; /* number from 1; 0: the end */
} copy;

typedef struct {
    uint32_t *first; /* per leader */
    copy *copies;
    size_t count;
} copies;

static bool same(place p, place q)
{
    return p.leader == q.leader && !memcmp(p.away, q.away, sizeof p.away);
}

// of places that follow each other one is kept; ways there and straight back are left out
static void tidy(polygon *p)
{
    place *c = p->corners;
    size_t n = 0;
    for (size_t k = 0; k < p->count; k++) {
        if (n >= 1 && same(c[n - 1], c[k])) continue;
        if (n >= 2 && same(c[n - 2], c[k]))
            n--;
        else
            c[n++] = c[k];
    }
    // the same round the end
    for (size_t before = 0; n >= 3 && n != before;) {
        before = n;
        if (same(c[n - 1], c[0])) {
            n--;
        } else if (same(c[n - 2], c[0])) {
            n -= 2;
        } else if (same(c[n - 1], c[1])) {
            n -= 2;
            memmove(c, c + 1, n * sizeof *c);
        }
    }
    p->count = n;
}

static vec3 position(const builder *b, place p)
{
    const double *x = b->cells.x + 3 * p.leader;
    return v3(x[0] + p.away[0] * b->size[0], x[1] + p.away[1] * b->size[1], x[2] + p.away[2] * b->size[2]);
}

static void reverse(polygon *p)
{
    for (size_t i = 0, j = p->count; i + 1 < j; i++) {
        place swap = p->corners[i];
        p->corners[i] = p->corners[--j], p->corners[j] = swap;
    }
}

// what a cell sees of a face: corners counter-clockwise from outside, and which copy the neighbour is
static bool outline(builder *b, size_t cell, size_t f, polygon *p)
{
    const scr_voronoi_cells *c = &b->cells;
    p->count = c->first_corner[f + 1] - c->first_corner[f];
    if (!scr_reserve(&p->corners, p->count) || !scr_reserve(&p->points, p->count)) return no_memory(b);
    for (size_t k = 0; k < p->count; k++) {
        int from = c->corners[c->first_corner[f] + k], to = leader_of(b, from);
        p->corners[k] = (place){.leader = to};
        for (int a = 0; a < 3; a++) p->corners[k].away[a] = (int8_t)periods(b, a, c->x[3 * to + a], c->x[3 * from + a]);
    }
    tidy(p);
    memset(p->shift, 0, sizeof p->shift);
    if (p->count < 3) return true;
    vec3 seed = v3_load(b->seeds + 3 * cell), area = {0, 0, 0}, hub = {0, 0, 0};
    for (size_t k = 0; k < p->count; k++) hub = v3_axpy(hub, 1 / (double)p->count, position(b, p->corners[k]));
    for (size_t k = 0; k < p->count; k++)
        area = v3_add(area, v3_cross(v3_sub(position(b, p->corners[k]), hub),
                                     v3_sub(position(b, p->corners[(k + 1) % p->count]), hub)));
    vec3 out = v3_sub(hub, seed), normal = v3_unit(area);
    if (v3_dot(area, out) < 0) reverse(p);
    if (c->neighbour[f] < 0) return true;
    // the neighbour is where the face mirrors the seed
    double mirror[3];
    v3_store(mirror, v3_axpy(seed, 2 * v3_dot(out, normal), normal));
    for (int a = 0; a < 3; a++) p->shift[a] = periods(b, a, b->seeds[3 * c->neighbour[f] + a], mirror[a]);
    return true;
}

static bool point_of(builder *b, copies *made, place p, uint32_t *point)
{
    uint32_t *link = &made->first[p.leader];
    for (; *link; link = &made->copies[*link - 1].next)
        if (same(made->copies[*link - 1].of, p)) {
            *point = made->copies[*link - 1].point;
            return true;
        }
    uint32_t number = (uint32_t)made->count + 1;
    *link = number; // before the list may move
    if (!scr_reserve(&made->copies, made->count + 1) ||
        !scr_polyhedra_add_point(b->mesh, metres(b, position(b, p)), point))
        return no_memory(b);
    made->copies[made->count++] = (copy){p, *point, 0};
    return true;
}

static int side_of(builder *b, int neighbour)
{
    static const char *const names[6] = {"x-", "x+", "y-", "y+", "z-", "z+"};
    const char *name = neighbour <= -7 ? b->def->cuts[-7 - neighbour].side : names[-1 - neighbour];
    return scr_polyhedra_side(b->mesh, name);
}

// sides that have faces, in the order of walls
static bool name_sides(builder *b)
{
    bool there[6 + SCR_MOST_CUTS] = {false};
    for (size_t f = 0; f < b->cells.face_count; f++)
        if (b->cells.neighbour[f] < 0) there[-1 - b->cells.neighbour[f]] = true;
    for (int k = 0; k < 6 + b->def->cut_count; k++)
        if (there[k] && side_of(b, -1 - k) == SCR_NO_SIDE)
            return refuse(b->fault, -1, "there are more than %d sides", SCR_MOST_SIDES);
    return true;
}

static bool add_face(builder *b, size_t cell, int neighbour, polygon *p, copies *made)
{
    for (size_t k = 0; k < p->count; k++)
        if (!point_of(b, made, p->corners[k], &p->points[k])) return false;
    int side = neighbour < 0 ? side_of(b, neighbour) : SCR_NO_SIDE;
    if (!scr_polyhedra_add_face(b->mesh, p->points, (int)p->count, (int)cell, neighbour < 0 ? SCR_NO_CELL : neighbour,
                                side))
        return no_memory(b);
    vec3 shift = v3(p->shift[0] * (b->upper[0] - b->lower[0]), p->shift[1] * (b->upper[1] - b->lower[1]),
                    p->shift[2] * (b->upper[2] - b->lower[2]));
    if (v3_norm(shift) == 0) return true;
    return scr_polyhedra_shift(b->mesh, b->mesh->face_count - 1, shift) || no_memory(b);
}

// of a face between two cells, the one that the first cell sees; of one between copies of a cell, the one ahead
static bool add_faces(builder *b)
{
    polygon p = {0};
    copies made = {.first = scr_memory_new(b->cells.place_count, sizeof(uint32_t))};
    bool ok = made.first || no_memory(b);
    for (size_t c = 0; ok && c < b->count; c++)
        for (size_t f = b->cells.first_face[c]; ok && f < b->cells.first_face[c + 1]; f++) {
            int neighbour = b->cells.neighbour[f];
            if (neighbour >= 0 && neighbour < (int)c) continue;
            ok = outline(b, c, f, &p);
            const int *s = p.shift;
            bool ahead = s[0] > 0 || (s[0] == 0 && (s[1] > 0 || (s[1] == 0 && s[2] > 0)));
            if (!ok || p.count < 3 || (neighbour == (int)c && !ahead)) continue;
            ok = add_face(b, c, neighbour, &p, &made);
        }
    scr_free_all(p.corners, p.points, made.copies);
    scr_memory_free(made.first);
    return ok;
}

static bool keep_seeds(builder *b)
{
    b->mesh->seeds = scr_memory_new(b->count, 3 * sizeof(double));
    if (!b->mesh->seeds) return no_memory(b);
    for (size_t k = 0; k < b->count; k++) v3_store(b->mesh->seeds + 3 * k, metres(b, v3_load(b->seeds + 3 * k)));
    return true;
}

/* ---- the whole ---- */

static bool measure(builder *b)
{
    const scr_voronoi_def *def = b->def;
    scr_cuts_body body = {.lower = def->lower, .upper = def->upper};
    if (def->cut_count && !scr_cuts_measure(def->cuts, def->cut_count, &body))
        return refuse(b->fault, -1, "%s", body.why);
    v3_store(b->lower, body.lower), v3_store(b->upper, body.upper);
    vec3 size = v3_sub(body.upper, body.lower);
    b->volume = def->cut_count ? body.volume : size.x * size.y * size.z;
    b->unit = def->flat ? sqrt(b->volume / size.z / (double)def->count) : scr_cbrt(b->volume / (double)def->count);
    v3_store(b->size, v3_scale(1 / b->unit, size));
    return true;
}

bool scr_voronoi_build(const scr_voronoi_def *def, scr_polyhedra *mesh, double *volume, scr_mesh_fault *fault)
{
    *fault = (scr_mesh_fault){.cell = -1, .face = -1};
    builder b = {.def = def, .mesh = mesh, .fault = fault};
    bool ok = measure(&b);
    if (ok && def->seeding == SCR_SEEDS_RANDOM) ok = random_seeds(&b);
    if (ok && def->seeding == SCR_SEEDS_GRID) ok = grid_seeds(&b);
    if (ok && def->seeding == SCR_SEEDS_GIVEN) ok = given_seeds(&b);
    ok = ok && relax(&b) && compute(&b, false) && weld(&b) && name_sides(&b) && add_faces(&b) && keep_seeds(&b);
    *volume = b.volume;
    scr_voronoi_cells_deinit(&b.cells);
    scr_buffer_free(b.seeds);
    scr_memory_free(b.leader);
    scr_memory_free(b.wall);
    return ok;
}

/* ---- bodies ---- */

int scr_cuts_frustum(vec3 from, vec3 to, double radius_from, double radius_to, int facets, scr_cut *cuts)
{
    vec3 axis = v3_sub(to, from), z = v3_unit(axis), x = v3_perpendicular(z), y = v3_cross(z, x);
    double round = sqrt(PI / (facets * scr_tan(PI / facets)));
    int n = 0;
    // a plane of the mantle leans as much as the radius shrinks
    double lean = round * (radius_from - radius_to) / v3_norm(axis);
    for (int k = 0; k < facets; k++) {
        double angle = 2 * PI * k / facets;
        vec3 out = v3_axpy(v3_scale(scr_cos(angle), x), scr_sin(angle), y);
        vec3 normal = v3_unit(v3_axpy(out, lean, z));
        vec3 foot = v3_axpy(from, round * radius_from, out);
        cuts[n++] = (scr_cut){normal, v3_dot(normal, foot), "outside"};
    }
    if (radius_from > 0) cuts[n++] = (scr_cut){v3_scale(-1, z), -v3_dot(z, from), "bottom"};
    if (radius_to > 0) cuts[n++] = (scr_cut){z, v3_dot(z, to), "top"};
    return n;
}

int scr_cuts_sphere(vec3 centre, double radius, int facets, scr_cut *cuts)
{
    // normals on a spiral that turns by the golden angle and goes down by equal steps
    for (int k = 0; k < facets; k++) {
        double z = 1 - (2 * k + 1.0) / facets, r = sqrt(1 - z * z), angle = k * PI * (3 - sqrt(5));
        cuts[k] = (scr_cut){v3_unit(v3(r * scr_cos(angle), r * scr_sin(angle), z)), 1, "outside"};
    }
    scr_cuts_body body;
    double scale = scr_cuts_measure(cuts, facets, &body) ? scr_cbrt(4 * PI / 3 / body.volume) : 1;
    for (int k = 0; k < facets; k++) cuts[k].offset = scale * radius + v3_dot(cuts[k].normal, centre);
    return facets;
}

// where three planes meet
static bool meet(const scr_cut *p, const scr_cut *q, const scr_cut *r, vec3 *x)
{
    vec3 qr = v3_cross(q->normal, r->normal), rp = v3_cross(r->normal, p->normal);
    vec3 pq = v3_cross(p->normal, q->normal);
    double det = v3_dot(p->normal, qr);
    if (fabs(det) < 1e-9) return false;
    vec3 sum = v3_axpy(v3_scale(p->offset, qr), q->offset, rp);
    *x = v3_scale(1 / det, v3_axpy(sum, r->offset, pq));
    return true;
}

// bounds and mean of the corners: points where three planes meet and no other cuts them off
static int find_corners(const scr_cut *cuts, int count, double tolerance, scr_cuts_body *body)
{
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = v3_scale(-1, low), sum = {0, 0, 0}, x;
    int found = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++) {
                if (!meet(&cuts[i], &cuts[j], &cuts[k], &x) || !within(cuts, count, x, tolerance)) continue;
                low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
                high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
                sum = v3_add(sum, x);
                found++;
            }
    *body = (scr_cuts_body){.lower = low, .upper = high, .inside = v3_scale(1.0 / fmax(found, 1), sum)};
    return found;
}

bool scr_cuts_measure(const scr_cut *cuts, int count, scr_cuts_body *body)
{
    double size = 0, planes[4 * SCR_MOST_CUTS], inside[3] = {0, 0, 0};
    assert(count <= SCR_MOST_CUTS);
    for (int k = 0; k < count; k++) size = fmax(size, fabs(cuts[k].offset));
    int found = find_corners(cuts, count, 1e-9 * size, body);
    body->why = "the planes leave no body";
    if (found < 4 || !within(cuts, count, body->inside, -1e-9 * size)) return false;
    // in units of the body, about a point within
    vec3 span = v3_sub(body->upper, body->lower);
    double unit = fmax(span.x, fmax(span.y, span.z));
    for (int k = 0; k < count; k++) {
        v3_store(planes + 4 * k, cuts[k].normal);
        planes[4 * k + 3] = (cuts[k].offset - v3_dot(cuts[k].normal, body->inside)) / unit;
    }
    double volume = scr_voronoi_clip(planes, count, inside);
    body->why = "the planes do not close the body";
    body->volume = volume * unit * unit * unit;
    return volume > 0;
}
