#include "step/variational/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

void scr_var_matrix_deinit(var_matrix *m)
{
    scr_free_all(m->number, m->first, m->rows, m->start, m->other, m->right);
    scr_sparse_destroy(m->sparse);
    *m = (var_matrix){0};
}

/* ---- pattern ---- */

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// whether something resists rotation; dampers alone do so in motion only
static bool turns_matter(const var_matrix *m, const var_work *w)
{
    bool friction = false;
    int laws = w->world->material_count * w->world->material_count;
    for (int k = 0; k < laws; k++)
        friction |= m->still ? contact_holds(&w->world->laws[k]) : contact_drags(&w->world->laws[k]);
    return friction || w->contacts.rolls || w->world->bonds.table.count > 0;
}

static void number_bodies(var_matrix *m, const var_work *w)
{
    int64_t next = 0;
    for (size_t i = 0; i < w->world->bodies.table.count; i++) {
        bool free = w->world->bodies.motion[4 * i + 3] > 0 && !(m->out && m->out[i]);
        m->number[i] = free ? next : -1;
        if (free) next += m->width;
    }
    m->size = (size_t)next;
}

// one pair of bodies: counted, or put in its place
static void put_pair(var_matrix *m, uint32_t i, uint32_t j, bool count)
{
    if (m->number[i] < 0 || m->number[j] < 0) return;
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    if (count)
        m->start[low + 2]++;
    else
        m->other[m->start[low + 1]++] = high;
}

static void put_pairs(var_matrix *m, const var_work *w, bool count)
{
    const scr_bonds *bonds = &w->world->bonds;
    for (size_t k = 0; k < w->pairs->count; k++) put_pair(m, w->pairs->first[k], w->pairs->second[k], count);
    for (size_t k = 0; k < bonds->table.count; k++)
        put_pair(m, (uint32_t)bonds->row[2 * k], (uint32_t)bonds->row[2 * k + 1], count);
}

// neighbours in order, each once
static void tidy_neighbours(var_matrix *m, size_t bodies)
{
    uint32_t kept = 0, from = 0;
    for (size_t i = 0; i < bodies; i++) {
        uint32_t end = m->start[i + 1], first = kept;
        m->start[i] = first;
        qsort(m->other + from, end - from, sizeof *m->other, compare);
        for (uint32_t k = from; k < end; k++)
            if (kept == first || m->other[kept - 1] != m->other[k]) m->other[kept++] = m->other[k];
        from = end;
    }
    m->start[bodies] = kept;
}

static bool list_entries(var_matrix *m, size_t bodies)
{
    size_t width = (size_t)m->width, entries = 0;
    size_t most = m->size * (width + 1) / 2 + width * width * (size_t)m->start[bodies];
    if (!scr_reserve_each(SCR_ROOM(m->rows, most), SCR_ROOM(m->first, m->size + 1), SCR_ROOM(m->right, m->size)))
        return false;
    for (size_t i = 0; i < bodies; i++) {
        if (m->number[i] < 0) continue;
        for (size_t c = 0; c < width; c++) {
            m->first[(size_t)m->number[i] + c] = (int64_t)entries;
            for (size_t r = c; r < width; r++) m->rows[entries++] = m->number[i] + (int64_t)r;
            for (uint32_t k = m->start[i]; k < m->start[i + 1]; k++)
                for (size_t r = 0; r < width; r++) m->rows[entries++] = m->number[m->other[k]] + (int64_t)r;
        }
    }
    m->first[m->size] = (int64_t)entries;
    return true;
}

bool scr_var_matrix_pattern(var_matrix *m, const var_work *w)
{
    if (m->list == w->solver.lists && m->sparse) return true;
    size_t bodies = w->world->bodies.table.count;
    size_t pairs = w->pairs->count + w->world->bonds.table.count;
    if (m->sparse) m->factored += scr_sparse_tell(m->sparse).factored;
    scr_sparse_destroy(m->sparse);
    m->sparse = NULL;
    m->width = turns_matter(m, w) ? 6 : 3;
    if (!scr_reserve_each(SCR_ROOM(m->number, bodies), SCR_ROOM(m->start, bodies + 2), SCR_ROOM(m->other, pairs)))
        return false;
    number_bodies(m, w);
    memset(m->start, 0, (bodies + 2) * sizeof *m->start);
    put_pairs(m, w, true);
    for (size_t i = 0; i < bodies; i++) m->start[i + 2] += m->start[i + 1];
    put_pairs(m, w, false);
    tidy_neighbours(m, bodies);
    if (!m->size || !list_entries(m, bodies)) return false;
    scree_report unheard;
    scree_report_init(&unheard);
    scr_sparse_create(m->size, m->first, m->rows, m->memory, &m->sparse, &unheard);
    scree_report_deinit(&unheard);
    if (!m->sparse) return false;
    m->list = w->solver.lists;
    return true;
}

/* ---- values ---- */

// unknown c of a body in its row
static int at(int c)
{
    return c < 3 ? c : c + 1;
}

// a column c of i: what it makes of i itself, below the diagonal, and of the other body
static void add_column(var_matrix *m, uint32_t i, int c, const double *self)
{
    double *v = scr_sparse_values(m->sparse) + m->first[m->number[i] + c];
    for (int r = c; r < m->width; r++) v[r - c] += self[at(r)];
}

static void add_cross(var_matrix *m, uint32_t low, uint32_t high, int c, const double *other)
{
    uint32_t k = m->start[low];
    while (m->other[k] != high) k++;
    double *v = scr_sparse_values(m->sparse) + m->first[m->number[low] + c];
    v += m->width - c + m->width * (int)(k - m->start[low]);
    for (int r = 0; r < m->width; r++) v[r] += other[at(r)];
}

// a contact or bond of i and j (UINT32_MAX: a wall), by what it makes of unit vectors
typedef void times_work(const void *context, const double *a, const double *b, double *qi, double *qj);

static void add_joint(var_matrix *m, uint32_t i, uint32_t j, times_work *times, const void *context)
{
    const uint32_t body[2] = {i, j};
    for (int side = 0; side < 2; side++) {
        uint32_t own = body[side], far = body[1 - side];
        if (own == UINT32_MAX || m->number[own] < 0) continue;
        bool cross = far != UINT32_MAX && m->number[far] >= 0 && own < far;
        for (int c = 0; c < m->width; c++) {
            double row[2][SCR_ROW] = {{0}}, q[2][SCR_ROW] = {{0}};
            row[side][at(c)] = 1;
            times(context, row[0], j == UINT32_MAX ? NULL : row[1], q[0], q[1]);
            add_column(m, own, c, q[side]);
            if (cross) add_cross(m, own, far, c, q[1 - side]);
        }
    }
}

typedef struct {
    var_record record;
    var_slide slide;
    const var_roll *roll;
} contact;

static void times_contact(const void *context, const double *a, const double *b, double *qi, double *qj)
{
    const contact *c = context;
    scr_var_times(&c->record, &c->slide, c->roll, a, b, qi, qj);
}

typedef struct {
    const var_work *w;
    size_t bond;
    bool turns;
} bonded;

static void times_bond(const void *context, const double *a, const double *b, double *qi, double *qj)
{
    const bonded *c = context;
    double load[12];
    scr_var_bond_times(c->w, c->bond, a, b, c->turns, load);
    for (int d = 0; d < 3; d++) {
        qi[d] += load[d], qi[4 + d] += load[3 + d];
        qj[d] += load[6 + d], qj[4 + d] += load[9 + d];
    }
}

// masses over s^2; where nothing else turns a body, a one that keeps the matrix regular
static void add_masses(var_matrix *m, const var_work *w, bool inertia)
{
    double *v = scr_sparse_values(m->sparse);
    for (size_t i = 0; i < w->world->bodies.table.count; i++) {
        if (m->number[i] < 0) continue;
        const double *mass = w->rows.mass + VAR_MASS * i;
        for (int c = 0; c < m->width; c++) {
            double own = inertia ? mass[c / 3] : 0;
            if (c >= 3 && !(mass[1] > 0)) own = 1;
            v[m->first[m->number[i] + c]] += own;
        }
    }
}

void scr_var_matrix_fill(var_matrix *m, const var_work *w, bool turns, bool inertia)
{
    const scr_bonds *bonds = &w->world->bonds;
    scr_clear(scr_sparse_values(m->sparse), (size_t)m->first[m->size] * sizeof(double));
    add_masses(m, w, inertia);
    for (size_t block = 0; block < w->pairs->block_count; block++) {
        size_t base = var_base(w, block), first = base + w->pairs->block_walls[block];
        for (uint32_t k = 0; k < w->contacts.count[4 * block + 2]; k++) {
            const var_record *r = &w->contacts.record[first + k];
            contact c = {.record = *r, .roll = r->roll >= 0 ? &w->contacts.roll[base + (size_t)r->roll] : NULL};
            if (r->slides) c.slide = w->contacts.slide[first + k];
            if (!turns) {
                // of a face, what is dropped without being held is turning too
                c.record.across = 0;
                if (!(c.slide.hold > 0)) c.slide.drop = 0;
            }
            add_joint(m, r->i, r->j, times_contact, &c);
        }
    }
    for (size_t k = 0; k < bonds->table.count; k++)
        if (bonds->fate[k] == SCR_BOND_HOLDS)
            add_joint(m, (uint32_t)bonds->row[2 * k], (uint32_t)bonds->row[2 * k + 1], times_bond,
                      &(bonded){w, k, turns});
}

/* ---- directions ---- */

bool scr_var_matrix_solve(void *work, const double *gradient, double *way)
{
    const var_work *w = work;
    var_matrix *m = w->solver.matrix;
    if (!scr_var_matrix_pattern(m, w) || !scr_sparse_tell(m->sparse).direct) return false;
    // what the turning of normals takes may be too much; then without it
    scr_sparse_state state = SCR_SPARSE_INDEFINITE;
    for (int k = 0; k < 2 && state == SCR_SPARSE_INDEFINITE; k++) {
        scr_var_matrix_fill(m, w, k == 0, true);
        state = scr_sparse_factor(m->sparse, 0);
        m->positive = k == 0 && state == SCR_SPARSE_READY;
    }
    size_t bodies = w->world->bodies.table.count;
    for (size_t i = 0; i < bodies; i++)
        for (int c = 0; c < m->width && m->number[i] >= 0; c++)
            m->right[m->number[i] + c] = -gradient[SCR_ROW * i + (size_t)at(c)];
    if (state == SCR_SPARSE_READY) state = scr_sparse_solve(m->sparse, m->right, m->right);
    if (state != SCR_SPARSE_READY) return false;
    scr_clear(way, SCR_ROW * bodies * sizeof *way);
    for (size_t i = 0; i < bodies; i++)
        for (int c = 0; c < m->width && m->number[i] >= 0; c++)
            way[SCR_ROW * i + (size_t)at(c)] = m->right[m->number[i] + c];
    return true;
}
