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
    size_t row;
} job;

typedef double four __attribute__((vector_size(32)));
typedef double four_of_row __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t four_bits __attribute__((vector_size(32)));

// of each of four rows the sum of its first three numbers, in their order
SCR_INLINE void add_three(const four a[4], four *sum)
{
    four low = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6), high = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    four low2 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6),
         high2 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    four x = __builtin_shufflevector(low, low2, 0, 1, 4, 5), y = __builtin_shufflevector(high, high2, 0, 1, 4, 5);
    *sum = x + y + __builtin_shufflevector(low, low2, 2, 3, 6, 7);
}

typedef struct {
    four most2, more, all2; // of each lane: the largest force, how many have more than enough, sum of squares
} tally;

// (1) of up to four rows
SCR_INLINE void move_rows(const job *j, size_t first, int count, tally *t)
{
    const four none = {0}, keep = none + j->keep, push = none + j->push;
    const four_bits three = {-1, -1, -1, 0};
    four way[4] = {none, none, none, none}, force[4] = {none, none, none, none}, square[4], force2, way2;
    for (int k = 0; k < count; k++) {
        force[k] = *(const four_of_row *)(j->m->gradient + j->row * (first + (size_t)k));
        way[k] = (four)((four_bits)(keep * *(const four_of_row *)(j->m->p + j->row * (first + (size_t)k)) -
                                    push * force[k]) &
                        three);
    }
    for (int k = 0; k < 4; k++) square[k] = force[k] * force[k];
    add_three(square, &force2);
    for (int k = 0; k < 4; k++) square[k] = way[k] * way[k];
    add_three(square, &way2);
    for (int k = 0; k < count; k++) {
        double part = way2[k] > j->cap * j->cap ? j->cap / sqrt(way2[k]) : 1;
        way[k] *= part;
        *(four_of_row *)(j->m->p + j->row * (first + (size_t)k)) = way[k];
        *(four_of_row *)(j->x + j->row * (first + (size_t)k)) += way[k];
    }
    four_bits larger = force2 > t->most2;
    t->most2 = (four)(((four_bits)force2 & larger) | ((four_bits)t->most2 & ~larger));
    t->more -= __builtin_convertvector(force2 > none + j->enough2, four);
    t->all2 += force2;
}

// the largest force of a row, and how many have more than enough
SCR_CLONED static void move_block(void *context, size_t block)
{
    const job *j = context;
    tally t = {{0}, {0}, {0}};
    size_t i = block * SCR_RUN, end = i + SCR_RUN;
    if (end > j->o->rows) end = j->o->rows;
    for (; i + 4 <= end; i += 4) move_rows(j, i, 4, &t);
    if (i < end) move_rows(j, i, (int)(end - i), &t);
    double *sums = j->m->sums + 4 * block, most2 = 0;
    for (int k = 0; k < 4; k++) most2 = t.most2[k] > most2 ? t.most2[k] : most2;
    sums[0] = most2, sums[1] = t.more[0] + t.more[1] + t.more[2] + t.more[3];
    sums[2] = t.all2[0] + t.all2[1] + t.all2[2] + t.all2[3];
}

scr_outcome scr_glide_run(scr_glide *glide, scr_minimiser *m, const scr_objective *o, double *x,
                          const scr_glide_options *options)
{
    size_t blocks = (o->rows + SCR_RUN - 1) / SCR_RUN;
    double half = 0.5 * options->drag;
    job j = {.m = m,
             .o = o,
             .x = x,
             .keep = (1 - half) / (1 + half),
             .push = SCR_GLIDE_STEP * SCR_GLIDE_STEP / options->stiffness / (1 + half),
             .cap = options->cap,
             .row = options->row ? options->row : SCR_ROW};
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
