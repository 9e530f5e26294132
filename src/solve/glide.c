#include "solve/glide.h"

#include <math.h>

#include "base/os.h"
#include "exec/cpu/threads.h"
#include "kernel/lanes.h"

typedef struct {
    const scr_minimiser *m;
    const scr_objective *o;
    double *x;
    double keep, push, cap;
    double enough2; // square of the force that a row may have
} job;

// (1); the largest force of a row, and how many have more than enough
SCR_CLONED static void move_block(void *context, size_t block)
{
    const job *j = context;
    double most2 = 0, more = 0, all2 = 0;
    size_t end = (block + 1) * SCR_BLOCK;
    if (end > j->o->rows) end = j->o->rows;
    for (size_t i = block * SCR_BLOCK; i < end; i++) {
        const double *g = j->m->gradient + SCR_ROW * i;
        double *w = j->m->p + SCR_ROW * i, *x = j->x + SCR_ROW * i;
        double force2 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2], way2 = 0;
        for (int d = 0; d < 3; d++) {
            w[d] = j->keep * w[d] - j->push * g[d];
            way2 += w[d] * w[d];
        }
        double part = way2 > j->cap * j->cap ? j->cap / sqrt(way2) : 1;
        for (int d = 0; d < 3; d++) {
            w[d] *= part;
            x[d] += w[d];
        }
        most2 = force2 > most2 ? force2 : most2;
        more += force2 > j->enough2, all2 += force2;
    }
    double *sums = j->m->sums + 4 * block;
    sums[0] = most2, sums[1] = more, sums[2] = all2;
}

scr_outcome scr_glide_run(scr_glide *glide, scr_minimiser *m, const scr_objective *o, double *x,
                          const scr_glide_options *options)
{
    size_t blocks = (o->rows + SCR_BLOCK - 1) / SCR_BLOCK;
    double half = 0.5 * options->drag;
    job j = {.m = m,
             .o = o,
             .x = x,
             .keep = (1 - half) / (1 + half),
             .push = SCR_GLIDE_STEP * SCR_GLIDE_STEP / options->stiffness / (1 + half),
             .cap = options->cap};
    for (;; glide->steps++) {
        scr_value value = o->evaluate(o->context, x, m->gradient);
        if (value.moved2 > options->most_moved2) return SCR_MOVED_FAR;
        double enough = options->enough * value.strongest, most2 = 0;
        j.enough2 = enough * enough;
        scr_each(blocks, NULL, move_block, &j);
        for (size_t b = 0; b < blocks; b++) most2 = fmax(most2, m->sums[4 * b]);
        glide->strongest = value.strongest;
        glide->left = most2 > 0 ? sqrt(most2) / value.strongest : 0;
        if (!isfinite(scr_sum(m->sums + 2, blocks, 4))) glide->left = NAN;
        if (glide->steps >= options->steps || isnan(glide->left) || scr_signal_pending()) return SCR_NOT_MINIMISED;
        if (value.strongest < options->least) glide->left = 0;
        if (glide->left <= options->enough || scr_sum(m->sums + 1, blocks, 4) <= options->few) return SCR_MINIMISED;
    }
}
