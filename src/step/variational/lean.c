/* The gradient of the potential alone, for grains that fall (step/equilibrium/fall.c): contacts without dampers, and
 * weights. Rows have displacements only, VAR_LEAN numbers.
 *
 * Of the contacts gathered most do not touch. Those that nearly do are chosen from time to time, such that no other can
 * touch before some body has got by `room` from where it was then,
 *
 *   |d| < r_i + r_j + 2 room                                                                                   (1)
 *
 * and the room follows from how many evaluations a choice serves. Forces are added in the order of the list, whatever
 * was chosen: the room does not change a bit. */
#include <math.h>

#include "base/memory.h"
#include "exec/cpu/threads.h"
#include "step/variational/work.h"

#define BATCH 64
#define OFTEN 24     /* evaluations that a choice shall serve at least: else the next has more room, */
#define RARE  96     /* and at most: else less, */
#define MORE  1.5    /* so many times, */
#define LEAST 0.02   /* of the reach of what was gathered, at least */
#define SOON  0.8    /* of the room: a choice is due */
#define ROUND 1.0001 /* more than rounding can take of (1) */

/* ---- which contacts ---- */

// way of the centres, or normal of a plane; returns the square of its length, or the overlap
SCR_INLINE double way_of(const var_work *w, const var_near *n, var_row *out)
{
    var_row way = *(const var_row *)(w->rows.x + VAR_LEAN * (size_t)n->i), d = *(const var_four *)n->d;
    if (n->kind == VAR_PAIR) {
        d += way - *(const var_row *)(w->rows.x + VAR_LEAN * (size_t)n->j);
        *out = d;
        d *= d;
        return d[0] + d[1] + d[2];
    }
    *out = d;
    d *= way;
    return n->reach - (d[0] + d[1] + d[2]);
}

SCR_CLONED static void choose_block(void *context, size_t block)
{
    var_work *w = context;
    size_t base = var_base(w, block), first = var_block_first(w, block), end = var_block_end(w, block);
    const double room = ROUND * w->close.room;
    uint32_t *at = w->close.at + base, found = 0;
    for (uint32_t m = 0; m < w->contacts.count[4 * block]; m++) {
        const var_near *n = &w->contacts.near[base + m];
        var_row d;
        double measure = way_of(w, n, &d), far = n->reach + 2 * room;
        bool near = n->kind == VAR_PAIR ? measure < far * far : n->kind == VAR_PLANE && measure > -room;
        // where it is not near the next one takes its place
        at[found] = m;
        found += near;
    }
    w->close.count[block] = found;
    scr_copy(w->close.around + VAR_LEAN * first, w->rows.x + VAR_LEAN * first,
             VAR_LEAN * (end - first) * sizeof(double));
}

static void choose(var_work *w)
{
    var_close_set *c = &w->close;
    double most = w->contacts.reach;
    if (c->served < OFTEN) c->room *= MORE;
    if (c->served > RARE) c->room /= MORE;
    c->room = fmin(fmax(c->room, LEAST * most), most);
    c->served = 0;
    scr_each(w->pairs->block_count, w->pairs->block_pairs, choose_block, w);
}

/* ---- their forces ---- */

/* Contacts are taken BATCH at a time: first those that touch are put together, then roots and quotients are taken of
 * all of them at once, then forces are added in order. (Forces four by four, zero where a pair does not touch, take
 * longer: what a row waits for is the sum before.) */
typedef struct {
    const var_near *near[BATCH];
    var_row d[BATCH];
    double d2[BATCH], distance[BATCH], per[BATCH];
    int count;
} touching;

SCR_INLINE void gather_touching(const var_work *w, const var_near *near, const uint32_t *at, uint32_t count,
                                touching *t)
{
    const var_bits three = {-1, -1, -1, 0};
    int found = 0;
    for (uint32_t k = 0; k < count; k++) {
        const var_near *n = near + at[k];
        // a normal is of length one, whatever rounding says: its overlap takes the place of the distance
        var_row d;
        double measure = way_of(w, n, &d);
        bool touches = n->kind == VAR_PAIR ? measure < n->reach * n->reach : measure > 0;
        t->d2[found] = measure;
        t->near[found] = n;
        t->d[found] = (var_row)((var_bits)d & three);
        found += touches;
    }
    t->count = found;
}

SCR_INLINE var_row *share_of(const var_work *w, uint32_t sink)
{
    size_t bodies = w->world->bodies.table.count;
    return (var_row *)(sink < bodies ? w->rows.g + VAR_LEAN * (size_t)sink
                                     : w->pairs->halo + VAR_LEAN * (sink - bodies));
}

SCR_INLINE double push_batch(const var_work *w, const var_near *near, const uint32_t *at, uint32_t count,
                             double strongest)
{
    const scr_law *laws = w->world->laws;
    touching t;
    gather_touching(w, near, at, count, &t);
    for (int k = 0; k < t.count; k++) t.distance[k] = sqrt(t.d2[k]);
    for (int k = 0; k < t.count; k++) t.per[k] = 1 / t.distance[k];
    for (int k = 0; k < t.count; k++) {
        const var_near *n = t.near[k];
        bool pair = n->kind == VAR_PAIR;
        double force = contact_push_of(&laws[n->law], pair ? n->reach - t.distance[k] : t.d2[k], n->curvature).force;
        var_row d = t.d[k];
        if (pair) d *= t.per[k];
        strongest = force > strongest ? force : strongest;
        var_row *own = (var_row *)(w->rows.g + VAR_LEAN * (size_t)n->i);
        *own += -force * d;
        if (!pair) continue;
        var_row *other = share_of(w, n->sink);
        *other += force * d;
    }
    return strongest;
}

SCR_CLONED static void push_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_pairs *p = w->pairs;
    size_t base = var_base(w, block), first = var_block_first(w, block), end = var_block_end(w, block);
    double strongest = 0;
    scr_clear(w->rows.g + VAR_LEAN * first, VAR_LEAN * (end - first) * sizeof(double));
    scr_clear(p->halo + VAR_LEAN * (size_t)p->block_halo[block],
              VAR_LEAN * (size_t)(p->block_halo[block + 1] - p->block_halo[block]) * sizeof(double));
    for (uint32_t m = 0, count = w->close.count[block]; m < count; m += BATCH)
        strongest = push_batch(w, &w->contacts.near[base], &w->close.at[base + m],
                               count - m < BATCH ? count - m : BATCH, strongest);
    if (w->walls.faced) strongest = fmax(strongest, scr_var_lean_faces(w, block));
    w->rows.sums[block].strongest = strongest;
}

// adds the halo slots of the block's bodies to their rows, and weights
SCR_CLONED static void weigh_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_pairs *p = w->pairs;
    vec3 fall = w->world->gravity;
    const var_row gravity = {fall.x, fall.y, fall.z, 0}, none = {0};
    double moved2 = 0, strayed2 = 0;
    for (uint32_t k = p->block_inbox[block]; k < p->block_inbox[block + 1]; k++)
        *(var_row *)(w->rows.g + VAR_LEAN * (size_t)p->halo_body[p->inbox[k]]) +=
            *(const var_row *)(p->halo + VAR_LEAN * (size_t)p->inbox[k]);
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        const double *mass = w->rows.mass + VAR_MASS * i;
        var_row *g = (var_row *)(w->rows.g + VAR_LEAN * i);
        var_row way = *(const var_row *)(w->rows.x + VAR_LEAN * i);
        var_row off = way - *(const var_row *)(w->close.around + VAR_LEAN * i);
        *g -= mass[2] * gravity;
        if (!(mass[0] > 0)) *g = none;
        way *= way, off *= off;
        double far2 = way[0] + way[1] + way[2], off2 = off[0] + off[1] + off[2];
        moved2 = far2 > moved2 ? far2 : moved2, strayed2 = off2 > strayed2 ? off2 : strayed2;
    }
    w->rows.sums[block].moved2 = moved2, w->rows.sums[block].strayed2 = strayed2;
}

scr_value scr_var_evaluate_lean(void *context, const double *x, double *gradient)
{
    var_work *w = context;
    var_close_set *c = &w->close;
    size_t blocks = w->pairs->block_count;
    w->rows.x = x, w->rows.g = gradient;
    for (;; c->due = true) {
        scr_value v = {0};
        double strayed2 = 0;
        if (c->due) choose(w);
        scr_each(blocks, w->pairs->block_pairs, push_block, w);
        scr_each(blocks, NULL, weigh_block, w);
        for (size_t b = 0; b < blocks; b++) {
            v.moved2 = fmax(v.moved2, w->rows.sums[b].moved2);
            v.strongest = fmax(v.strongest, w->rows.sums[b].strongest);
            strayed2 = fmax(strayed2, w->rows.sums[b].strayed2);
        }
        c->served++;
        c->due = strayed2 > SOON * SOON * c->room * c->room;
        if (!(strayed2 > c->room * c->room)) return v;
    }
}
