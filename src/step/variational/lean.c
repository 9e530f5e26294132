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
#include "step/variational/four.h"

#define BATCH 64
#define OFTEN 24     /* evaluations that a choice shall serve at least: else the next has more room, */
#define RARE  96     /* and at most: else less, */
#define MORE  1.5    /* so many times, */
#define LEAST 0.02   /* of the reach of what was gathered, at least */
#define SOON  0.8    /* of the room: a choice is due */
#define ROUND 1.0001 /* more than rounding can take of (1) */

/* ---- which contacts ---- */

/* What is needed of a contact, one after the other in the order of the list. */
typedef struct {
    double d[3], reach; // as var_near
    uint32_t i, j, sink;
    uint32_t near; // its number in the block
} close_contact;

// nothing is lagged while grains fall: the room of lagged contacts, which take more, is theirs
static close_contact *close_of(const var_work *w, size_t block)
{
    _Static_assert(sizeof(close_contact) <= sizeof(var_lag), "room of lagged contacts");
    return (close_contact *)(void *)(w->contacts.lag + var_base(w, block));
}

SCR_INLINE var_row row_at(const var_work *w, uint32_t i)
{
    return *(const var_row *)(w->rows.x + VAR_LEAN * (size_t)i);
}

// pairs come first in the list, then planes
SCR_CLONED static void choose_block(void *context, size_t block)
{
    var_work *w = context;
    size_t base = var_base(w, block), first = var_block_first(w, block), end = var_block_end(w, block);
    const double room = ROUND * w->close.room;
    close_contact *out = close_of(w, block);
    uint32_t found = 0, pairs = 0;
    for (uint32_t m = 0; m < w->contacts.count[4 * block]; m++) {
        const var_near *n = &w->contacts.near[base + m];
        var_row d = var_three(n->d), way = row_at(w, n->i);
        bool near = n->kind == VAR_PLANE && n->reach - var_dot3(d, way) > -room;
        if (n->kind == VAR_PAIR) {
            d += way - row_at(w, n->j);
            double far = n->reach + 2 * room;
            near = var_dot3(d, d) < far * far;
            pairs += near;
        }
        // where it is not near the next one takes its place
        out[found] = (close_contact){{n->d[0], n->d[1], n->d[2]}, n->reach, n->i, n->j, n->sink, m};
        found += near;
    }
    w->close.count[2 * block] = pairs, w->close.count[2 * block + 1] = found - pairs;
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

/* Pairs are taken BATCH at a time: first those that touch are put together, then roots and quotients are taken of
 * all of them at once, then forces are added in order. (Forces four by four, zero where a pair does not touch, take
 * longer: what a row waits for is the sum before.) */
typedef struct {
    const close_contact *of[BATCH + 4];
    var_row d[BATCH + 4];
    double d2[BATCH + 4], reach[BATCH + 4], distance[BATCH], per[BATCH], force[BATCH];
    int count;
} touching;

SCR_INLINE var_row between(const var_work *w, const close_contact *c)
{
    return var_three(c->d) + (row_at(w, c->i) - row_at(w, c->j));
}

SCR_INLINE void add_if_touching(touching *t, const close_contact *c, var_row d, double d2)
{
    t->of[t->count] = c, t->d[t->count] = d, t->d2[t->count] = d2, t->reach[t->count] = c->reach;
    t->count += d2 < c->reach * c->reach;
}

// squares of four lengths, each x^2 + y^2 + z^2 in this order; the fourth numbers are zero
SCR_INLINE var_row four_squares(const var_row d[4])
{
    var_row a = d[0] * d[0], b = d[1] * d[1], c = d[2] * d[2], e = d[3] * d[3];
    a = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    c = __builtin_shufflevector(c, e, 0, 4, 2, 6) + __builtin_shufflevector(c, e, 1, 5, 3, 7);
    return __builtin_shufflevector(a, c, 0, 1, 4, 5) + __builtin_shufflevector(a, c, 2, 3, 6, 7);
}

SCR_INLINE void gather_touching(const var_work *w, const close_contact *c, uint32_t count, touching *t)
{
    uint32_t k = 0;
    t->count = 0;
    for (; k + 4 <= count; k += 4) {
        var_row d[4];
        for (int l = 0; l < 4; l++) d[l] = between(w, c + k + l);
        var_row d2 = four_squares(d);
        for (int l = 0; l < 4; l++) add_if_touching(t, c + k + l, d[l], d2[l]);
    }
    for (; k < count; k++) {
        var_row d = between(w, c + k);
        add_if_touching(t, c + k, d, var_dot3(d, d));
    }
}

SCR_INLINE void forces_of(const var_work *w, const var_near *near, touching *t)
{
    const scr_law *laws = w->world->laws;
    for (int k = 0; k < t->count; k++) t->distance[k] = sqrt(t->d2[k]);
    for (int k = 0; k < t->count; k++) t->per[k] = 1 / t->distance[k];
    if (w->world->material_count == 1 && laws->normal == SCR_NORMAL_HOOKE) {
        for (int k = 0; k < t->count; k++) t->force[k] = hooke_push(laws->kn, t->reach[k] - t->distance[k]);
        return;
    }
    for (int k = 0; k < t->count; k++) {
        const var_near *n = near + t->of[k]->near;
        t->force[k] = contact_push_of(&laws[n->law], t->reach[k] - t->distance[k], n->curvature).force;
    }
}

SCR_INLINE var_row *share_of(const var_work *w, uint32_t sink)
{
    size_t bodies = w->world->bodies.table.count;
    return (var_row *)(sink < bodies ? w->rows.g + VAR_LEAN * (size_t)sink
                                     : w->pairs->halo + VAR_LEAN * (sink - bodies));
}

// contacts of a body are next to each other: its row stays in a register
SCR_INLINE double push_batch(const var_work *w, const var_near *near, const close_contact *c, uint32_t count,
                             double strongest)
{
    touching t;
    gather_touching(w, c, count, &t);
    forces_of(w, near, &t);
    for (int k = 0; k < t.count;) {
        const uint32_t i = t.of[k]->i;
        var_row *row = (var_row *)(w->rows.g + VAR_LEAN * (size_t)i), own = *row;
        for (; k < t.count && t.of[k]->i == i; k++) {
            var_row *other = share_of(w, t.of[k]->sink), force = t.force[k] * (t.d[k] * t.per[k]);
            strongest = t.force[k] > strongest ? t.force[k] : strongest;
            own -= force, *other += force;
        }
        *row = own;
    }
    return strongest;
}

// a normal is of length one, whatever rounding says
SCR_INLINE double push_planes(const var_work *w, const var_near *near, const close_contact *c, uint32_t count,
                              double strongest)
{
    for (uint32_t k = 0; k < count; k++, c++) {
        var_row d = var_three(c->d);
        double overlap = c->reach - var_dot3(d, row_at(w, c->i));
        if (!(overlap > 0)) continue;
        const var_near *n = near + c->near;
        double force = contact_push_of(&w->world->laws[n->law], overlap, n->curvature).force;
        strongest = force > strongest ? force : strongest;
        *(var_row *)(w->rows.g + VAR_LEAN * (size_t)c->i) -= force * d;
    }
    return strongest;
}

SCR_CLONED static void push_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_pairs *p = w->pairs;
    size_t first = var_block_first(w, block), end = var_block_end(w, block);
    const var_near *near = w->contacts.near + var_base(w, block);
    const close_contact *close = close_of(w, block);
    double strongest = 0;
    scr_clear(w->rows.g + VAR_LEAN * first, VAR_LEAN * (end - first) * sizeof(double));
    scr_clear(p->halo + VAR_LEAN * (size_t)p->block_halo[block],
              VAR_LEAN * (size_t)(p->block_halo[block + 1] - p->block_halo[block]) * sizeof(double));
    uint32_t pairs = w->close.count[2 * block], planes = w->close.count[2 * block + 1];
    for (uint32_t m = 0; m < pairs; m += BATCH)
        strongest = push_batch(w, near, close + m, pairs - m < BATCH ? pairs - m : BATCH, strongest);
    strongest = push_planes(w, near, close + pairs, planes, strongest);
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
