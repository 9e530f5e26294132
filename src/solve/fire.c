#include "solve/fire.h"

#include <math.h>

#include "exec/cpu/threads.h"
#include "kernel/lanes.h"

#define LONGEST  0.35
#define FIRST    0.1
#define SHORTEST 7e-3
#define WAIT     10 /* steps downhill before steps grow */
#define GROW     1.1
#define SHRINK   0.5
#define STEER    0.25
#define LESS     0.99

typedef struct {
    const scr_minimiser *m;
    const scr_objective *o;
    double *x;
    double keep, kick, back; // of velocities, of forces; and of the last motion
    double pull, move;
    double enough2; // square of the force that a row may have
} job;

static size_t end_of(const job *j, size_t block)
{
    size_t end = (block + 1) * SCR_BLOCK;
    return end < j->o->rows ? end : j->o->rows;
}

static double square(const double *a)
{
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

// F.v, F.F, the largest F.F of a row, and how many have more than enough
SCR_CLONED static void measure_block(void *context, size_t block)
{
    const job *j = context;
    double power = 0, force2 = 0, most2 = 0, more = 0;
    for (size_t i = block * SCR_BLOCK, end = end_of(j, block); i < end; i++) {
        const double *g = j->m->gradient + SCR_ROW * i, *v = j->m->p + SCR_ROW * i;
        double f2 = square(g);
        power -= g[0] * v[0] + g[1] * v[1] + g[2] * v[2];
        force2 += f2;
        most2 = f2 > most2 ? f2 : most2;
        more += f2 > j->enough2;
    }
    double *sums = j->m->sums + 4 * block;
    sums[0] = power, sums[1] = force2, sums[2] = most2, sums[3] = more;
}

// the first part of (1); v.v, and the largest of a row
SCR_CLONED static void kick_block(void *context, size_t block)
{
    const job *j = context;
    double speed2 = 0, most2 = 0;
    for (size_t i = block * SCR_BLOCK, end = end_of(j, block); i < end; i++) {
        const double *g = j->m->gradient + SCR_ROW * i;
        double *v = j->m->p + SCR_ROW * i, *x = j->x + SCR_ROW * i;
        for (int d = 0; d < 3; d++) {
            x[d] -= j->back * v[d];
            v[d] = j->keep * v[d] - j->kick * g[d];
        }
        double v2 = square(v);
        speed2 += v2;
        most2 = v2 > most2 ? v2 : most2;
    }
    j->m->sums[4 * block] = speed2, j->m->sums[4 * block + 1] = most2;
}

// the other two
SCR_CLONED static void move_block(void *context, size_t block)
{
    const job *j = context;
    for (size_t i = block * SCR_BLOCK, end = end_of(j, block); i < end; i++) {
        const double *g = j->m->gradient + SCR_ROW * i;
        double *v = j->m->p + SCR_ROW * i, *x = j->x + SCR_ROW * i;
        for (int d = 0; d < 3; d++) {
            v[d] = j->keep * v[d] - j->pull * g[d];
            x[d] += j->move * v[d];
        }
    }
}

static double largest(const double *sums, size_t blocks)
{
    double most = 0;
    for (size_t b = 0; b < blocks; b++) most = fmax(most, sums[4 * b]);
    return most;
}

// longer steps downhill; uphill all stop
static void judge(scr_fire *f, double power, job *j)
{
    j->keep = 1, j->back = 0;
    if (power > 0) {
        if (++f->downhill > WAIT) f->dt = fmin(GROW * f->dt, LONGEST), f->steer *= LESS;
        return;
    }
    j->keep = 0, j->back = 0.5 * f->dt;
    f->dt = fmax(SHRINK * f->dt, SHORTEST);
    f->downhill = 0, f->steer = STEER;
}

scr_outcome scr_fire_run(scr_fire *f, scr_minimiser *m, const scr_objective *o, double *x,
                         const scr_fire_options *options)
{
    size_t blocks = (o->rows + SCR_BLOCK - 1) / SCR_BLOCK;
    job j = {.m = m, .o = o, .x = x};
    if (!(f->dt > 0)) f->dt = FIRST, f->steer = STEER, f->downhill = 1;
    for (;; f->steps++) {
        scr_value value = o->evaluate(o->context, x, m->gradient);
        double enough = options->enough * value.strongest;
        j.enough2 = enough * enough;
        scr_each(blocks, NULL, measure_block, &j);
        double power = scr_sum(m->sums, blocks, 4), force = sqrt(scr_sum(m->sums + 1, blocks, 4));
        double most = sqrt(largest(m->sums + 2, blocks));
        f->strongest = value.strongest;
        f->left = most > 0 ? most / value.strongest : 0;
        if (f->left <= options->enough || scr_sum(m->sums + 3, blocks, 4) <= options->few)
            return SCR_MINIMISED;
        if (value.moved2 > options->most_moved2) return SCR_MOVED_FAR;
        if (f->steps >= options->steps || !isfinite(force)) return SCR_NOT_MINIMISED;
        judge(f, power, &j);
        j.kick = f->dt / options->stiffness;
        scr_each(blocks, NULL, kick_block, &j);
        double speed = sqrt(scr_sum(m->sums, blocks, 4)), fast = sqrt(largest(m->sums + 1, blocks));
        j.keep = 1 - f->steer, j.pull = f->steer * speed / force;
        // steering makes no row faster than this
        fast = j.keep * fast + j.pull * most;
        j.move = f->dt * fast > options->cap ? options->cap / fast : f->dt;
        scr_each(blocks, NULL, move_block, &j);
    }
}
