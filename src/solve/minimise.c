/* Newton's method with conjugate gradients (Nash 1985; Nocedal & Wright 2006, chapter 7). Where an energy differs by
 * less than its rounding, the slope along the way decides instead (the approximate condition of Hager & Zhang 2005). */
#include "solve/minimise.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/os.h"
#include "exec/cpu/threads.h"
#include "kernel/lanes.h"

#define ARMIJO   1e-4
#define ROUNDING 1e-13 /* of an energy, relative to the sum of its terms */
#define CUT      1     /* halvings after which a direction was too long */
#define HALVINGS 30
#define SMOOTH   3e-3 /* a residual that falls by this: the function is all but quadratic here */
#define CHUNK    64   /* rows that passes take at once: they stay in the nearest cache */
#define FINEST   1e-3 /* of the residual that a direction leaves, at least (Eisenstat & Walker 1996) */

/* What a direction leaves of the residual at most, and of the tolerance where it aims at that. Where little is asked
 * for (ROUGH) the bends of the function are all there is to find, and exact directions do not find them faster. */
#define ROUGH 1e-3
typedef struct {
    double most, least, spare;
} thrift;
static const thrift fine = {0.1, 0.1, 0.1}, rough = {0.3, 0.5, 0.5};

bool scr_minimiser_reserve(scr_minimiser *m, size_t rows)
{
    size_t blocks = (rows + SCR_RUN - 1) / SCR_RUN;
    if (!scr_reserve_each(SCR_ROOM(m->sums, 4 * blocks + 4), SCR_ROOM(m->gradient, 7 * SCR_ROW * (rows + 1))))
        return false;
    size_t part = scr_room_of(m->gradient) / 7 / SCR_ROW * SCR_ROW;
    double **parts[] = {&m->trial, &m->way, &m->r, &m->z, &m->p, &m->q};
    for (size_t k = 0; k < 6; k++) *parts[k] = m->gradient + (k + 1) * part;
    return true;
}

void scr_minimiser_deinit(scr_minimiser *m)
{
    scr_free_all(m->gradient, m->sums);
    *m = (scr_minimiser){0};
}

/* ---- passes over blocks ---- */

typedef struct {
    const scr_minimiser *m;
    const scr_objective *o;
    const double *x; // of the line search
    bool balance, stops;
    double alpha, beta;
} job;

static size_t first_of(size_t block)
{
    return block * SCR_RUN * SCR_ROW;
}

static size_t end_of(const job *j, size_t block)
{
    size_t end = (block + 1) * SCR_RUN;
    return SCR_ROW * (end < j->o->rows ? end : j->o->rows);
}

static size_t blocks_of(const scr_objective *o)
{
    return (o->rows + SCR_RUN - 1) / SCR_RUN;
}

// a.b over the rows of a block, in eight sums that do not wait for each other
SCR_INLINE double dot(const job *j, size_t block, const double *a, const double *b)
{
    double part[SCR_ROW] = {0};
    for (size_t k = first_of(block), end = end_of(j, block); k < end; k += SCR_ROW)
        for (int n = 0; n < SCR_ROW; n++) part[n] += a[k + n] * b[k + n];
    return ((part[0] + part[4]) + (part[1] + part[5])) + (part[2] + part[6]);
}

// z = r divided by the diagonal blocks, for rows from k to k + count; r.z
static double divided(const job *j, size_t k, size_t count)
{
    size_t row = k / SCR_ROW;
    return j->o->divide(j->o->context, row, row + count / SCR_ROW, j->m->r, j->m->z);
}

static size_t chunk(size_t k, size_t end)
{
    return end - k < CHUNK * SCR_ROW ? end - k : CHUNK * SCR_ROW;
}

SCR_CLONED static void begin_block(void *context, size_t block)
{
    const job *j = context;
    const scr_minimiser *m = j->m;
    double sum = 0;
    for (size_t k = first_of(block), end = end_of(j, block), n; k < end; k += n) {
        n = chunk(k, end);
        for (size_t l = k; l < k + n; l++) m->r[l] = -m->gradient[l], m->way[l] = 0;
        sum += divided(j, k, n);
    }
    m->sums[4 * block] = sum;
}

SCR_CLONED static void direct_block(void *context, size_t block)
{
    const job *j = context;
    const scr_minimiser *m = j->m;
    for (size_t k = first_of(block), end = end_of(j, block); k < end; k++) m->p[k] = m->z[k] + j->beta * m->p[k];
}

SCR_CLONED static void advance_block(void *context, size_t block)
{
    const job *j = context;
    const scr_minimiser *m = j->m;
    double sum = 0;
    for (size_t k = first_of(block), end = end_of(j, block), n; k < end; k += n) {
        n = chunk(k, end);
        for (size_t l = k; l < k + n; l++) {
            m->way[l] += j->alpha * m->p[l];
            m->r[l] -= j->alpha * m->q[l];
        }
        sum += divided(j, k, n);
    }
    m->sums[4 * block] = sum;
}

// largest displacement of a row, and slope along the way
SCR_CLONED static void measure_block(void *context, size_t block)
{
    const job *j = context;
    const scr_minimiser *m = j->m;
    double most = 0;
    for (size_t k = first_of(block), end = end_of(j, block); k < end; k += SCR_ROW) {
        const double *d = m->way + k;
        double far2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        most = far2 > most ? far2 : most;
    }
    m->sums[4 * block + 1] = most, m->sums[4 * block + 2] = dot(j, block, m->gradient, m->way);
}

SCR_CLONED static void try_block(void *context, size_t block)
{
    const job *j = context;
    const scr_minimiser *m = j->m;
    for (size_t k = first_of(block), end = end_of(j, block); k < end; k++) m->trial[k] = j->x[k] + j->alpha * m->way[k];
}

static double largest(const double *sums, size_t blocks)
{
    double most = 0;
    for (size_t b = 0; b < blocks; b++) most = fmax(most, sums[4 * b]);
    return most;
}

/* ---- direction ---- */

// way = - gradient divided by the second derivative, to a part `enough` of the residual; returns iterations
static int conjugate_gradients(job *j, double enough, int most)
{
    const scr_minimiser *m = j->m;
    const scr_objective *o = j->o;
    size_t blocks = blocks_of(o);
    scr_each(blocks, NULL, begin_block, j);
    double rz = scr_sum(m->sums, blocks, 4), target = enough * enough * rz;
    scr_clear(m->p, SCR_ROW * o->rows * sizeof *m->p);
    j->beta = 0;
    for (int n = 0; n < most; n++) {
        if (!(rz > target) || (j->stops && scr_signal_pending())) return n;
        scr_each(blocks, NULL, direct_block, j);
        double curvature = o->product(o->context, m->p, m->q);
        if (!(curvature > 0)) {
            // downhill without end: as far as we are, or steepest descent
            if (n == 0) scr_copy(m->way, m->z, SCR_ROW * o->rows * sizeof *m->way);
            return n + 1;
        }
        j->alpha = rz / curvature;
        scr_each(blocks, NULL, advance_block, j);
        double next = scr_sum(m->sums, blocks, 4);
        j->beta = next / rz;
        rz = next;
    }
    return most;
}

/* ---- line search ---- */

static double slope_of(job *j)
{
    size_t blocks = blocks_of(j->o);
    scr_each(blocks, NULL, measure_block, j);
    return scr_sum(j->m->sums + 2, blocks, 4);
}

// whether the trial point is good enough; energies that rounding makes equal are judged by slopes
static bool is_lower(job *j, const scr_value *old, const scr_value *new, double slope)
{
    if (j->balance) return new->gradient2 <= (1 - ARMIJO * j->alpha) * old->gradient2;
    double gain = new->energy - old->energy, blur = ROUNDING *(old->scale + new->scale);
    if (gain <= ARMIJO * j->alpha * slope) return true;
    return gain <= blur && slope_of(j) <= (2 * ARMIJO - 1) * slope;
}

// along the way from x, which becomes the new point; false when nothing lower was found
static bool descend(job *j, double *x, double cap, scr_value *value)
{
    const scr_minimiser *m = j->m;
    size_t blocks = blocks_of(j->o), size = SCR_ROW * j->o->rows * sizeof *x;
    double slope = slope_of(j), far2 = largest(m->sums + 1, blocks);
    j->x = x;
    j->alpha = far2 > cap * cap ? cap / sqrt(far2) : 1;
    for (int k = 0; k < HALVINGS; k++, j->alpha *= 0.5) {
        scr_each(blocks, NULL, try_block, j);
        scr_value trial = j->o->evaluate(j->o->context, m->trial, m->gradient);
        if (!is_lower(j, value, &trial, slope)) continue;
        if (k >= CUT) j->o->stiffen(j->o->context);
        memcpy(x, m->trial, size);
        *value = trial;
        return true;
    }
    *value = j->o->evaluate(j->o->context, x, m->gradient);
    return false;
}

// the value at x; where forces at x are far beyond those that are there anyway, the way of the step before, half of
// it or rest may be a better start: the one of least energy
static scr_value begin(const scr_minimiser *m, const scr_objective *o, double *x, const scr_minimise_options *options)
{
    static const double parts[] = {1, 0.5, 0};
    scr_value best = o->evaluate(o->context, x, m->gradient);
    if (!options->first || best.gradient2 <= options->scale * options->scale) return best;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        o->start(o->context, x, parts[k], m->trial);
        scr_value v = o->evaluate(o->context, m->trial, m->gradient);
        bool better = options->balance ? v.gradient2 < best.gradient2 : v.energy < best.energy;
        if (!better) continue;
        memcpy(x, m->trial, SCR_ROW * o->rows * sizeof *x);
        best = v;
    }
    return o->evaluate(o->context, x, m->gradient);
}

scr_minimum scr_minimise(scr_minimiser *m, const scr_objective *o, double *x, const scr_minimise_options *options)
{
    job j = {.m = m, .o = o, .balance = options->balance, .stops = options->stops};
    const thrift *t = options->tolerance < ROUGH ? &fine : &rough;
    scr_minimum out = {.value = begin(m, o, x, options)};
    double reference = options->scale + sqrt(out.value.gradient2);
    double tolerance = options->tolerance * reference, before = reference;
    for (;;) {
        double norm = sqrt(out.value.gradient2), floor = sqrt(out.value.floor2);
        out.residual = reference > 0 ? norm / reference : 0;
        if (options->most_moved2 > 0 && out.value.moved2 > options->most_moved2) {
            out.outcome = SCR_MOVED_FAR;
            return out;
        }
        if (norm <= tolerance + floor) return out;
        out.outcome = SCR_NOT_MINIMISED;
        if (out.iterations == options->iterations || !isfinite(norm)) return out;
        if (options->stops && scr_signal_pending()) return out;
        out.iterations++;
        // blocks on the diagonal change little from one iteration to the next
        if (out.iterations % 2) o->prepare(o->context);
        // no further than the tolerance, and all the way where one direction will do
        double aim = fmin(t->least, t->spare * (tolerance + floor) / norm);
        double fall = norm / before, part = fmax(fmin(t->most, 0.5 * fall * fall), FINEST);
        double enough = norm < SMOOTH * before ? aim : fmax(part, aim);
        before = norm;
        if (!o->solve || !o->solve(o->context, m->gradient, m->way))
            out.inner += conjugate_gradients(&j, enough, options->inner);
        bool lower = descend(&j, x, options->cap, &out.value);
        // where rounding is all that is left, as good as it gets
        if (!lower) {
            norm = sqrt(out.value.gradient2), out.residual = norm / reference;
            if (norm <= 1e3 * (tolerance + floor)) out.outcome = SCR_MINIMISED;
            return out;
        }
        out.outcome = SCR_MINIMISED;
    }
}
