/* Stress and energy of cells (observe/cell_views.h), with the link of kernel/link.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/link.h"
#include "observe/cell_views.h"

/* ---- a link, now ---- */

typedef struct {
    vec3 arm[2];   /* q_a, q_b [m] */
    vec3 pull;     /* f: what goes through the face, on the first cell [N] */
    vec3 force;    /* F: what acts on the first cell [N] */
    double energy; /* of both its halves, without that of volume and curvature [J] */
} link_now;

static rvec rv(const double *p)
{
    return (rvec){p[0], p[1], p[2]};
}

static vec3 v3_of(rvec a)
{
    return v3(a.x, a.y, a.z);
}

static link_now link_of(const scr_world *w, size_t k)
{
    const scr_links *l = &w->links;
    const scr_cells *c = &w->cells;
    const double *stiff = l->stiff + 4 * k;
    link_shape shape = {.arm = {rv(l->arm + 6 * k), rv(l->arm + 6 * k + 3)},
                        .n = rv(l->frame + 6 * k),
                        .s = rv(l->frame + 6 * k + 3),
                        .k = stiff[0],
                        .b = {stiff[1], stiff[2], stiff[3]},
                        .half = 0.5 * l->area[k],
                        .part = l->share[4 * k + 3],
                        .skew = rv(l->share + 4 * k)};
    link_end end[2];
    double pressure[2];
    for (int s = 0; s < 2; s++) {
        size_t cell = (size_t)l->cell[2 * k + (size_t)s];
        const double *q = c->turn + 4 * cell;
        end[s] = (link_end){.u = rv(c->displacement + 4 * cell), .w = q[0], .q = rv(q + 1)};
        pressure[s] = scr_cell_lambda(w, cell) * c->bulk[2 * cell + 1];
    }
    shape.centred = w->solids[c->solid[l->cell[2 * k]]].normal == SCR_LINK_CENTRE_LINE;
    link_state state = link_state_of(&shape, &end[0], &end[1]);
    link_result r = link_force(&shape, &end[0], &end[1], &state, pressure[0], pressure[1]);
    link_now now = {.pull = v3_of(r.pull), .force = v3_of(r.force), .energy = r.energy};
    for (int s = 0; s < 2; s++) now.arm[s] = v3_of(rv_add(shape.arm[s], state.less[0][s]));
    return now;
}

/* ---- stress ---- */

/* `stress` gathers V sigma, six numbers per cell, `rest` the force on each cell that is not accounted for, three. */
typedef struct {
    const scr_world *world;
    double *stress, *rest;
} sums;

static void add_outer(double *out, double sign, vec3 f, vec3 q)
{
    const double a[3] = {sign * f.x, sign * f.y, sign * f.z}, b[3] = {q.x, q.y, q.z};
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    for (int n = 0; n < 6; n++) out[n] += 0.5 * (a[first[n]] * b[second[n]] + a[second[n]] * b[first[n]]);
}

static void take_rest(const sums *s, size_t cell, double sign, vec3 f)
{
    if (s->rest) v3_store(s->rest + 3 * cell, v3_axpy(v3_load(s->rest + 3 * cell), -sign, f));
}

static void add_links(const sums *s)
{
    const scr_links *l = &s->world->links;
    for (size_t k = 0; k < l->table.count; k++) {
        if (l->fate[k] != SCR_LINK_HOLDS) continue;
        link_now now = link_of(s->world, k);
        for (int n = 0; n < 2; n++) {
            size_t cell = (size_t)l->cell[2 * k + (size_t)n];
            add_outer(s->stress + 6 * cell, n ? -1 : 1, now.pull, now.arm[n]);
            take_rest(s, cell, n ? -1 : 1, now.force);
        }
    }
}

static void add_loads(const sums *s)
{
    const scr_world *w = s->world;
    for (int k = 0; k < w->load_count; k++) {
        const scr_load *load = &w->loads[k];
        double factor = scr_signal_now(w, &load->signal);
        for (size_t n = 0; n < load->entry_count; n++) {
            const scr_load_entry *e = &load->entries[n];
            quat q = scr_cell_turn(&w->cells, e->cell);
            vec3 force = load->follows ? quat_turn(q, e->force) : e->force;
            add_outer(s->stress + 6 * e->cell, factor, force, quat_turn(q, e->arm));
            take_rest(s, e->cell, factor, force);
        }
    }
}

// area times normal of a face, from its corners: exact for flat ones
static vec3 face_area(const scr_polyhedra *m, size_t f)
{
    vec3 sum = v3(0, 0, 0), origin = v3_load(m->points + 3 * m->corners[m->first[f]]);
    for (uint32_t k = m->first[f] + 1; k + 1 < m->first[f + 1]; k++) {
        vec3 a = v3_sub(v3_load(m->points + 3 * m->corners[k]), origin);
        vec3 b = v3_sub(v3_load(m->points + 3 * m->corners[k + 1]), origin);
        sum = v3_axpy(sum, 0.5, v3_cross(a, b));
    }
    return sum;
}

// a mirror image pulls along the normal, on the arm that reaches the plane
static void add_mirrors(const sums *s)
{
    const scr_world *w = s->world;
    const scr_polyhedra *m = &w->mesh;
    for (size_t f = 0; f < m->face_count; f++) {
        if (m->cells[2 * f + 1] != SCR_NO_CELL || w->border[f] != SCR_BORDER_SYMMETRY) continue;
        size_t cell = (size_t)m->cells[2 * f];
        quat q = scr_cell_turn(&w->cells, cell);
        vec3 area = face_area(m, f), n = v3_unit(area);
        vec3 corner = v3_load(m->points + 3 * m->corners[m->first[f]]);
        double height = v3_dot(v3_sub(corner, v3_load(w->cells.home + 4 * cell)), n);
        double stress = scr_cell_lambda(w, cell) * w->cells.bulk[2 * cell + 1];
        add_outer(s->stress + 6 * cell, stress, quat_turn(q, area), quat_turn(q, v3_scale(height, n)));
    }
}

/* ---- contacts ---- */

typedef struct {
    const scr_world *world;
    uint32_t *by_id; /* grains */
} grains;

// the row of a grain; their count when it is not there
static size_t grain_find(const grains *g, int64_t id)
{
    const scr_bodies *b = &g->world->bodies;
    size_t low = 0, high = b->table.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->id[g->by_id[middle]] < id)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < b->table.count && b->id[g->by_id[low]] == id;
    return there ? g->by_id[low] : b->table.count;
}

// `points`: sum of the arms of a cell's contacts, and their number
static void add_point(const scr_world *w, double *points, size_t cell, vec3 x)
{
    double *p = points + 4 * cell;
    v3_store(p, v3_add(v3_load(p), v3_sub(x, scr_cell_centre(&w->cells, cell))));
    p[3]++;
}

static void find_points(const grains *g, double *points)
{
    const scr_world *w = g->world;
    const scr_cell_contacts *c = &w->cell_contacts;
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 place = v3_load(c->place + 4 * k);
        size_t second = (size_t)c->second[k];
        if (!c->touches[k]) continue;
        if (c->kind[k] == SCR_MEET_GRAIN_CELL) {
            size_t i = grain_find(g, c->first[k]);
            if (i == w->bodies.table.count) continue;
            add_point(w, points, second, v3_add(v3_load(w->bodies.place + 4 * i), place));
            continue;
        }
        vec3 x = v3_add(scr_cell_centre(&w->cells, (size_t)c->first[k]), place);
        add_point(w, points, (size_t)c->first[k], x);
        if (c->kind[k] == SCR_MEET_CELL_CELL) add_point(w, points, second, x);
    }
}

// what is left of the force on a cell that touches, in the middle of where it does
static bool add_contacts(const sums *s)
{
    const scr_world *w = s->world;
    size_t cells = w->cells.table.count;
    double *points = calloc(4 * cells + 1, sizeof *points);
    grains g = {w, scr_memory_new(w->bodies.table.count, sizeof *g.by_id)};
    bool good = points && g.by_id;
    if (good) scr_bodies_by_id(&w->bodies, g.by_id);
    if (good) find_points(&g, points);
    for (size_t k = 0; good && k < cells; k++) {
        if (points[4 * k + 3] == 0) continue;
        vec3 force = v3_add(v3_load(w->cells.load + 8 * k), v3_load(s->rest + 3 * k));
        vec3 arm = v3_scale(1 / points[4 * k + 3], v3_load(points + 4 * k));
        add_outer(s->stress + 6 * k, 1, force, arm);
    }
    free(points);
    scr_memory_free(g.by_id);
    return good;
}

/* ---- the whole ---- */

bool scr_cells_stress(const scr_world *w, double *out)
{
    size_t cells = w->cells.table.count;
    bool touching = w->cell_contacts.table.count > 0, good = true;
    sums s = {.world = w, .stress = out};
    if (touching) s.rest = calloc(3 * cells + 1, sizeof *s.rest);
    if (touching && !s.rest) return false;
    memset(out, 0, 6 * cells * sizeof *out);
    add_links(&s);
    add_loads(&s);
    add_mirrors(&s);
    if (touching) good = add_contacts(&s);
    for (size_t k = 0; k < 6 * cells; k++) out[k] /= scr_cell_volume(&w->cells, k / 6);
    free(s.rest);
    return good;
}

double scr_stress_pressure(const double s[6])
{
    return -(s[0] + s[1] + s[2]) / 3;
}

double scr_stress_mises(const double s[6])
{
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

void scr_cells_energy(const scr_world *w, double *out)
{
    const scr_cells *c = &w->cells;
    for (size_t k = 0; k < c->table.count; k++) {
        double eps = c->bulk[2 * k + 1];
        out[k] = 0.5 * scr_cell_lambda(w, k) * c->bulk[2 * k] * eps * eps;
        if (!w->shells.table.count) continue;
        double kap = w->shells.bend[2 * k + 1];
        out[k] += 0.5 * w->shells.director[4 * k + 3] * kap * kap;
    }
    for (size_t k = 0; k < w->links.table.count; k++) {
        if (w->links.fate[k] != SCR_LINK_HOLDS) continue;
        double half = 0.5 * link_of(w, k).energy;
        out[w->links.cell[2 * k]] += half, out[w->links.cell[2 * k + 1]] += half;
    }
}
