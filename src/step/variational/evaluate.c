/* The incremental potential at a point, its gradient and its second derivative.
 *
 *   Phi(U, Psi) = sum m |U - s v|^2/(2 s^2) + I |Psi - s w|^2/(2 s^2) - m g.U + V(x + U) + dampers + sliders     (1)
 *
 * Contacts are worked off block by block as the soft stepper does: the share of the second body goes to its row or
 * to a halo slot, and is collected after all. An evaluation leaves a record of each contact that acts, from which
 * products with the second derivative are made without a matrix.
 *
 * The part of the second derivative that comes from the turning of normals is negative where a contact presses. It
 * is left out where it is no longer small against the mass over s^2: there it makes the matrix indefinite, and
 * Newton's method does without it (Gauss and Newton). The gradient always has all. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "exec/cpu/threads.h"
#include "step/variational/four.h"
#include "step/variational/matrix.h"

#define ROUNDING (4 * DBL_EPSILON)

typedef struct {
    double energy, scale, floor2, strongest;
} tally;

typedef struct {
    const var_work *w;
    double *g;
    var_record *record;
    var_slide *slide;
    var_roll *roll;
    uint32_t records, rolls;
} evaluation;

SCR_INLINE var_record *new_record(evaluation *e, uint32_t i, uint32_t j, uint32_t sink)
{
    var_record *r = &e->record[e->records++];
    r->i = i, r->j = j, r->sink = sink, r->roll = -1, r->slides = false;
    *(var_four *)&r->n = *(var_four *)&r->m = (var_row){0};
    r->across = 0;
    return r;
}

// the part of a record that not all have
SCR_INLINE void new_slide(evaluation *e, var_record *r, var_slide slide)
{
    r->slides = true;
    e->slide[r - e->record] = slide;
}

SCR_INLINE void add_energy(tally *t, double energy)
{
    t->energy += energy, t->scale += energy;
}

SCR_INLINE void add_push(tally *t, const contact_push *p)
{
    add_energy(t, p->energy);
    t->strongest = p->force > t->strongest ? p->force : t->strongest;
}

// where the row of a body or of a halo slot begins
SCR_INLINE var_row *own_row(const evaluation *e, const var_near *n)
{
    return (var_row *)(e->g + SCR_ROW * (size_t)n->i);
}
SCR_INLINE var_row *other_row(const evaluation *e, const var_near *n)
{
    return (var_row *)var_sink(e->w, e->g, n->sink);
}

// elastic part: force on the gradient, and its derivatives
SCR_INLINE void push_pair(evaluation *e, tally *t, const var_near *n, var_row d, double distance, double inverse,
                          var_row way, var_record *r)
{
    const var_work *w = e->w;
    contact_push p = contact_push_of(&w->world->laws[n->law], n->reach - distance, n->curvature);
    var_row normal = inverse * d, force = p.force * normal;
    add_push(t, &p);
    // the overlap has the rounding of the distance
    double rounding = p.stiffness * n->reach;
    t->floor2 += 2 * rounding * rounding, t->scale += p.force * n->reach;
    *own_row(e, n) -= force, *other_row(e, n) += force;
    if (var_is_linear(w)) {
        t->energy -= p.force * var_dot3(normal, way);
    } else {
        double turn = p.force * inverse;
        normal[3] = p.stiffness;
        r->across = var_is_light(w, turn, n->i, n->j) ? -turn : 0;
    }
    *(var_four *)&r->n = normal;
}

// likewise with forces that keep the energy; there is no potential; returns what adds to floor2
static double push_secant(evaluation *e, const var_near *n, const var_secant *s, rvec d, var_record *r)
{
    const var_work *w = e->w;
    double turn = n->kind == VAR_PAIR ? s->force / s->mean : 0;
    double rounding = s->along * n->reach;
    rvec force = rv_scale(s->force / s->mean, d);
    r->n = rv_scale(1 / sqrt(rv_dot(d, d)), d);
    r->along = s->along;
    r->across = var_is_light(w, turn, n->i, n->j) ? -turn : 0;
    var_add(e->g + SCR_ROW * (size_t)n->i, -1, force);
    if (n->kind == VAR_PAIR) var_add(var_sink(w, e->g, n->sink), 1, force);
    return 2 * rounding * rounding;
}

// likewise of a wall; returns the force
SCR_INLINE double push_wall(evaluation *e, tally *t, uint32_t i, uint16_t law, double curvature, double delta,
                            rvec normal, rvec way, double *g, var_record *r)
{
    const var_work *w = e->w;
    contact_push p = contact_push_of(&w->world->laws[law], delta, curvature);
    r->n = normal;
    add_push(t, &p);
    // the place of a wall is known to the rounding of coordinates
    double size = 1 / curvature + v3_norm(v3_load(w->world->bodies.place + 4 * (size_t)i));
    double rounding = p.stiffness * size;
    t->floor2 += rounding * rounding, t->scale += p.force * size;
    var_add(g, -p.force, normal);
    if (var_is_linear(w))
        t->energy -= p.force * rv_dot(normal, way);
    else
        r->along = p.stiffness;
    return p.force;
}

// rolling resistance: couples on both; returns its energy
static double roll_contact(const var_work *w, double *g, const var_near *n, const var_lag *l, const double *a,
                           const double *b, var_roll *out)
{
    const var_more *more = l->more;
    const double *place = w->world->bodies.place;
    const double inverse[2] = {1 / place[4 * (size_t)n->i + 3], b ? 1 / place[4 * (size_t)n->j + 3] : 0};
    rvec u = var_rolled(l->n, more->roll_radius, inverse, a, b);
    rvec q = rv_axpy(more->roll_q, more->roll_k, u);
    contact_slider s = contact_slide(q, more->roll_k, more->roll_limit);
    // on i: R* n x force; rows have the angle times the radius
    rvec couple = rv_scale(more->roll_radius, rv_cross(l->n, s.force));
    var_add(g + SCR_ROW * (size_t)n->i + 4, -inverse[0], couple);
    if (b) var_add(var_sink(w, g, n->sink) + 4, inverse[1], couple);
    *out = (var_roll){s.hold, s.drop, more->roll_radius, q, {inverse[0], inverse[1]}};
    return s.energy;
}

// a damper without a spring exerts no torque
SCR_INLINE void lagged(evaluation *e, tally *t, const var_near *n, const var_lag *l, var_row way, const double *a,
                       const double *b, var_record *r)
{
    var_row *gi = own_row(e, n), *gj = b ? other_row(e, n) : NULL;
    var_row normal = var_three(&l->n.x), u = way;
    if (!b) u -= var_three(&l->more->shift.x);
    *(var_four *)&r->m = *(const var_four *)&l->n; // and eta
    if (!(l->k > 0)) {
        double un = var_dot3(u, normal);
        add_energy(t, 0.5 * l->eta * un * un);
        var_row force = l->eta * un * normal;
        *gi += force;
        if (b) *gj -= force;
    } else {
        var_row turned = l->arm[0] * *(const var_four *)(a + 4);
        if (b) turned += l->arm[1] * *(const var_four *)(b + 4);
        u += var_cross(normal, turned);
        double un = var_dot3(u, normal);
        var_row q = var_three(&l->q.x) + l->k * (u - un * normal);
        contact_hold s = contact_hold_of(var_dot3(q, q), l->k, l->limit);
        add_energy(t, 0.5 * l->eta * un * un + s.energy);
        var_row force = -s.part * q - l->eta * un * normal, turn = var_cross(normal, force);
        gi[0] -= force, gi[1] += l->arm[0] * turn;
        if (b) gj[0] += force, gj[1] += l->arm[1] * turn;
        q[3] = s.drop;
        var_slide *slide = &e->slide[r - e->record];
        *(var_four *)&slide->q = q;
        slide->hold = s.hold, slide->arm[0] = l->arm[0], slide->arm[1] = l->arm[1];
        r->slides = true;
    }
    if (var_rolls(l)) {
        r->roll = (int32_t)e->rolls++;
        add_energy(t, roll_contact(e->w, e->g, n, l, a, b, &e->roll[r->roll]));
    }
}

int scr_var_faces(const var_work *w, uint32_t from, uint32_t to, vec3 at, bool bends, scr_touch *touches)
{
    // without flags there is no history to hand on
    scr_wall_pairs quiet = w->pairs->walls;
    quiet.touch = w->walls.quiet;
    return scr_touches_find(w->world, &quiet, from, to, (scr_touch_options){.bends = bends, .at = &at}, touches);
}

double scr_var_face_push(const var_work *w, const var_near *n, const var_lag *l)
{
    const scr_wall_pairs *p = &w->pairs->walls;
    uint32_t from = n->pair, to = n->pair + 1;
    while (from > 0 && p->body[from - 1] == n->i) from--;
    while (to < p->count && p->body[to] == n->i) to++;
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    vec3 at = v3_load(w->world->bodies.place + 4 * (size_t)n->i);
    if (!var_is_linear(w)) at = v3_add(at, var_vec3(var_vector(w->rows.u + SCR_ROW * (size_t)n->i)));
    int count = scr_var_faces(w, from, to, at, false, touches);
    double push = 0, most = 0.9;
    for (int t = 0; t < count; t++) {
        double alike = v3_dot(touches[t].normal, var_vec3(l->n));
        if (touches[t].pair == n->pair) alike = 2;
        if (!(touches[t].overlap > 0) || !(alike > most)) continue;
        most = alike;
        push = contact_push_of(&w->world->laws[n->law], touches[t].overlap, n->curvature).force;
    }
    return push;
}

// the turning of a face's normal, -f (first a a + second b b): less in one direction than across n
static void turn_wall(evaluation *e, double force, const scr_bend *bend, var_record *r)
{
    double first = force * bend->first, second = force * bend->second;
    if (!var_is_light(e->w, first, r->i, UINT32_MAX)) first = 0;
    if (!var_is_light(e->w, second, r->i, UINT32_MAX)) second = 0;
    bool more = first > second;
    r->across = more ? -second : -first;
    rvec q = more ? var_of(bend->a) : rv_cross(r->n, var_of(bend->a));
    new_slide(e, r, (var_slide){.drop = fabs(first - second), .q = q});
}

// elastic contacts with faces that are not planes alone; rows of x and of the gradient have `row` numbers
static tally push_faces(evaluation *e, size_t block, size_t row)
{
    tally sums = {0};
    const var_work *w = e->w;
    const scr_wall_pairs *p = &w->pairs->walls;
    const scr_bodies *bodies = &w->world->bodies;
    uint32_t end = w->pairs->block_walls[block + 1], next;
    for (uint32_t k = w->pairs->block_walls[block]; k < end; k = next) {
        bool plain = true;
        for (next = k; next < end && p->body[next] == p->body[k]; next++) plain &= w->walls.plain[p->face[next]];
        size_t i = p->body[k];
        if (plain || bodies->motion[4 * i + 3] == 0) continue;
        scr_touch touches[2 * SCR_MOST_TOUCHES];
        rvec way = var_vector(w->rows.x + row * i);
        vec3 at = v3_load(bodies->place + 4 * i);
        if (!var_is_linear(w)) at = v3_add(at, var_vec3(way));
        int count = scr_var_faces(w, k, next, at, !var_is_linear(w), touches);
        for (int t = 0; t < count; t++) {
            if (!(touches[t].overlap > 0)) continue;
            var_record *r = new_record(e, (uint32_t)i, UINT32_MAX, 0);
            double force = push_wall(e, &sums, r->i, p->law[touches[t].pair], 1 / bodies->place[4 * i + 3],
                                     touches[t].overlap, var_of(touches[t].normal), way, e->g + row * i, r);
            if (!var_is_linear(w)) turn_wall(e, force, &touches[t].bend, r);
        }
    }
    return sums;
}

double scr_var_lean_faces(var_work *w, size_t block)
{
    size_t first = var_base(w, block) + w->pairs->block_walls[block];
    evaluation e = {.w = w, .g = w->rows.g, .record = w->contacts.record + first, .slide = w->contacts.slide + first};
    return push_faces(&e, block, VAR_LEAN).strongest;
}

SCR_INLINE void clear_rows(const var_work *w, double *rows, size_t block)
{
    const scr_pairs *p = w->pairs;
    size_t first = var_block_first(w, block), end = var_block_end(w, block);
    scr_clear(rows + SCR_ROW * first, SCR_ROW * (end - first) * sizeof *rows);
    scr_clear(p->halo + 8 * (size_t)p->block_halo[block],
              8 * (size_t)(p->block_halo[block + 1] - p->block_halo[block]) * sizeof *p->halo);
}

/* Contacts are taken BATCH at a time: first those that act are put together, then roots and quotients are taken of all
 * of them at once, then forces are added in order. */
#define BATCH 64
typedef struct {
    const var_near *near[BATCH];
    var_row way[BATCH], d[BATCH];                       // of the first body against the second, and between them
    double measure[BATCH], distance[BATCH], per[BATCH]; // measure: square of the distance, or overlap with a plane
    int count;
} acting;

SCR_INLINE bool is_pushed(const var_near *n, double measure)
{
    return n->kind == VAR_PAIR ? measure < n->reach * n->reach : measure > 0;
}

SCR_INLINE void gather_acting(const var_work *w, const var_near *near, uint32_t count, acting *out)
{
    const bool linear = var_is_linear(w), exact = var_is(w, VAR_EXACT);
    int found = 0;
    for (uint32_t k = 0; k < count; k++) {
        const var_near *n = near + k;
        double room[SCR_ROW], measure = -1;
        var_row way = *(const var_row *)(w->rows.x + SCR_ROW * (size_t)n->i), d = var_three(n->d);
        if (n->kind == VAR_PAIR) {
            way -= *(const var_four *)var_second(w, n, w->rows.x, room);
            if (!linear) d += way;
            measure = var_dot3(d, d);
        } else if (n->kind == VAR_PLANE) {
            measure = n->reach - (linear ? 0 : var_dot3(d, way));
        }
        // where it does not act the next one takes its place
        out->near[found] = n, out->way[found] = way, out->d[found] = d, out->measure[found] = measure;
        found += is_pushed(n, measure) | (n->lag >= 0) | exact;
    }
    out->count = found;
    for (int k = 0; k < found; k++) out->distance[k] = sqrt(out->measure[k]);
    for (int k = 0; k < found; k++) out->per[k] = 1 / out->distance[k];
}

SCR_INLINE void evaluate_batch(evaluation *e, tally *t, const acting *all, const var_lag *lags)
{
    const var_work *w = e->w;
    const bool exact = var_is(w, VAR_EXACT);
    for (int k = 0; k < all->count; k++) {
        const var_near *n = all->near[k];
        const double *a = w->rows.x + SCR_ROW * (size_t)n->i;
        double room[SCR_ROW];
        const double *b = n->kind == VAR_PAIR ? var_second(w, n, w->rows.x, room) : NULL;
        bool push = is_pushed(n, all->measure[k]);
        var_secant secant;
        if (exact) {
            secant = scr_var_secant_of(w, n, var_rvec(all->way[k]));
            push = secant.force > 0;
        }
        if (!push && n->lag < 0) continue;
        var_record *r = new_record(e, n->i, n->j, n->sink);
        if (push && exact)
            t->floor2 += push_secant(e, n, &secant, var_rvec(all->d[k]), r);
        else if (push && b)
            push_pair(e, t, n, all->d[k], all->distance[k], all->per[k], all->way[k], r);
        else if (push)
            push_wall(e, t, n->i, n->law, n->curvature, all->measure[k], var_vector(n->d), var_rvec(all->way[k]),
                      e->g + SCR_ROW * (size_t)n->i, r);
        if (n->lag >= 0) lagged(e, t, n, &lags[n->lag], all->way[k], a, b, r);
    }
}

SCR_CLONED static void evaluate_block(void *context, size_t block)
{
    var_work *w = context;
    size_t base = var_base(w, block);
    // a face may have both a lagged and an elastic record
    size_t first = base + w->pairs->block_walls[block];
    evaluation e = {.w = w,
                    .g = w->rows.g,
                    .record = w->contacts.record + first,
                    .slide = w->contacts.slide + first,
                    .roll = w->contacts.roll + base};
    // in registers: sums in memory would make each contact wait for the one before
    tally t = {0}, faces = {0};
    acting all;
    clear_rows(w, w->rows.g, block);
    for (uint32_t m = 0, count = w->contacts.count[4 * block]; m < count; m += BATCH) {
        gather_acting(w, &w->contacts.near[base + m], count - m < BATCH ? count - m : BATCH, &all);
        evaluate_batch(&e, &t, &all, w->contacts.lag + base);
    }
    if (w->walls.faced) faces = push_faces(&e, block, SCR_ROW);
    var_sums *s = &w->rows.sums[block];
    s->energy = t.energy + faces.energy, s->scale = t.scale + faces.scale;
    s->floor2 = t.floor2 + faces.floor2, s->strongest = fmax(t.strongest, faces.strongest);
    w->contacts.count[4 * block + 2] = e.records, w->contacts.count[4 * block + 3] = e.rolls;
}

// adds the halo slots of the block's bodies to their rows
SCR_INLINE void collect(const var_work *w, double *rows, size_t block)
{
    const scr_pairs *p = w->pairs;
    for (uint32_t k = p->block_inbox[block]; k < p->block_inbox[block + 1]; k++) {
        const double *from = p->halo + 8 * (size_t)p->inbox[k];
        double *to = rows + SCR_ROW * (size_t)p->halo_body[p->inbox[k]];
        for (int n = 0; n < 8; n++) to[n] += from[n];
    }
    scr_var_bonds_collect(w, rows, block);
}

#define SIZE(a) ((var_row)((var_bits)(a)&INT64_MAX))

// inertia and gravity; rows of bodies that nothing can move are given
SCR_CLONED static void inertia_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_bodies *b = &w->world->bodies;
    vec3 fall = w->world->gravity;
    const var_row gravity = {fall.x, fall.y, fall.z, 0}, s = {w->sub.s, w->sub.s, w->sub.s, 0};
    var_row none = {0}, energy = none, scale = none, gradient2 = none, floor2 = none;
    double moved2 = 0;
    collect(w, w->rows.g, block);
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        const double *mass = w->rows.mass + VAR_MASS * i;
        var_row *g = (var_row *)(w->rows.g + SCR_ROW * i);
        const var_row *x = (const var_row *)(w->rows.x + SCR_ROW * i);
        const var_row *ref = (const var_row *)(w->rows.guess + SCR_ROW * i);
        var_row v = s * *(const var_row *)(b->motion + 4 * i);
        var_row spin = s * b->place[4 * i + 3] * *(const var_row *)(b->spin + 4 * i);
        var_row a = x[0] - v, turn = x[1] - spin, weight = mass[2] * gravity, down = weight * x[0];
        var_row kinetic = 0.5 * (mass[0] * a * a + mass[1] * turn * turn);
        var_row rounding = mass[0] * (SIZE(x[0]) + SIZE(v)), off = x[0] - ref[0];
        energy += kinetic - down, scale += kinetic + SIZE(down);
        g[0] += mass[0] * a - weight, g[1] += mass[1] * turn;
        if (!(mass[0] > 0)) g[0] = none;
        if (!(mass[1] > 0)) g[1] = none;
        gradient2 += g[0] * g[0] + g[1] * g[1];
        floor2 += rounding * rounding;
        off *= off;
        double far2 = off[0] + off[1] + off[2];
        moved2 = far2 > moved2 ? far2 : moved2;
    }
    var_sums *sums = &w->rows.sums[block];
    sums->energy += energy[0] + energy[1] + energy[2];
    sums->scale += scale[0] + scale[1] + scale[2];
    sums->floor2 += floor2[0] + floor2[1] + floor2[2];
    sums->gradient2 = gradient2[0] + gradient2[1] + gradient2[2], sums->moved2 = moved2;
}

static scr_value evaluate(void *context, const double *x, double *gradient)
{
    var_work *w = context;
    size_t blocks = w->pairs->block_count;
    w->rows.x = x, w->rows.g = gradient;
    scr_each(blocks, w->pairs->block_pairs, evaluate_block, w);
    scr_var_bonds_evaluate(w);
    scr_each(blocks, NULL, inertia_block, w);
    scr_value v = {0};
    for (size_t b = 0; b < blocks; b++) {
        const var_sums *s = &w->rows.sums[b];
        v.energy += s->energy, v.scale += s->scale;
        v.gradient2 += s->gradient2, v.floor2 += s->floor2;
        v.moved2 = fmax(v.moved2, s->moved2), v.strongest = fmax(v.strongest, s->strongest);
    }
    for (size_t k = 0; k * VAR_BOND_CHUNK < w->world->bonds.table.count; k++) {
        const var_bond_sums *s = &w->bonds.sums[k];
        v.energy += s->energy, v.scale += s->scale, v.floor2 += s->floor2;
    }
    v.floor2 *= ROUNDING * ROUNDING;
    return v;
}

/* ---- products ---- */

static void roll_product(rvec m, const var_roll *t, const double *a, const double *b, double *qi, double *qj)
{
    rvec u = var_rolled(m, t->radius, t->inverse, a, b);
    rvec f = rv_axpy(rv_scale(t->hold, u), -t->drop * rv_dot(t->q, u), t->q);
    rvec couple = rv_scale(t->radius, rv_cross(m, f));
    var_add(qi + 4, t->inverse[0], couple);
    if (qj) var_add(qj + 4, -t->inverse[1], couple);
}

// what rows a and b (NULL for a wall) make of one contact, added to qi and qj
SCR_INLINE void times(const var_record *r, const var_slide *t, const double *a, const double *b, var_row qi[2],
                      var_four *qj)
{
    var_row u = *(const var_four *)a, n = var_three(&r->n.x), m = var_three(&r->m.x);
    if (b) u -= *(const var_four *)b;
    var_row f = r->across * u + (r->along - r->across) * var_dot3(n, u) * n;
    if (!r->slides) {
        f += r->damp * var_dot3(m, u) * m;
    } else {
        var_row turn = t->arm[0] * *(const var_four *)(a + 4), q = var_three(&t->q.x);
        if (b) turn += t->arm[1] * *(const var_four *)(b + 4);
        var_row slip = u + var_cross(m, turn);
        var_row g = t->hold * slip + (r->damp - t->hold) * var_dot3(m, slip) * m;
        if (t->drop > 0) g -= t->drop * var_dot3(q, slip) * q;
        var_row torque = var_cross(m, g);
        f += g;
        qi[1] -= t->arm[0] * torque;
        if (b) qj[1] -= t->arm[1] * torque;
    }
    qi[0] += f;
    if (b) qj[0] -= f;
}

void scr_var_times(const var_record *r, const var_slide *t, const var_roll *roll, const double *a, const double *b,
                   double *qi, double *qj)
{
    var_row own[2] = {*(var_four *)qi, *(var_four *)(qi + 4)};
    times(r, t, a, b, own, (var_four *)qj);
    *(var_four *)qi = own[0], *(var_four *)(qi + 4) = own[1];
    if (roll) roll_product(r->m, roll, a, b, qi, qj);
}

// contacts of a body are next to each other as a rule: its row stays in registers
SCR_CLONED static void product_block(void *context, size_t block)
{
    var_work *w = context;
    size_t base = var_base(w, block), first = base + w->pairs->block_walls[block];
    const var_record *r = w->contacts.record + first, *end = r + w->contacts.count[4 * block + 2];
    const var_slide *t = w->contacts.slide + first;
    clear_rows(w, w->rows.g, block);
    while (r < end) {
        const uint32_t i = r->i;
        const double *a = w->rows.x + SCR_ROW * (size_t)i;
        var_row *row = (var_row *)(w->rows.g + SCR_ROW * (size_t)i), own[2] = {row[0], row[1]};
        for (; r < end && r->i == i; r++, t++) {
            bool pair = r->j != UINT32_MAX;
            const double *b = pair ? w->rows.x + SCR_ROW * (size_t)r->j : NULL;
            double *other = pair ? var_sink(w, w->rows.g, r->sink) : NULL;
            times(r, t, a, b, own, (var_four *)other);
            if (r->roll < 0) continue;
            row[0] = own[0], row[1] = own[1];
            roll_product(r->m, &w->contacts.roll[base + (size_t)r->roll], a, b, (double *)row, other);
            own[0] = row[0], own[1] = row[1];
        }
        row[0] = own[0], row[1] = own[1];
    }
}

SCR_CLONED static void finish_product_block(void *context, size_t block)
{
    var_work *w = context;
    var_row none = {0}, sum = none;
    collect(w, w->rows.g, block);
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        const double *mass = w->rows.mass + VAR_MASS * i;
        var_row *q = (var_row *)(w->rows.g + SCR_ROW * i);
        const var_row *p = (const var_row *)(w->rows.x + SCR_ROW * i);
        q[0] += mass[0] * p[0], q[1] += mass[1] * p[1];
        if (!(mass[0] > 0)) q[0] = none;
        if (!(mass[1] > 0)) q[1] = none;
        sum += p[0] * q[0] + p[1] * q[1];
    }
    w->rows.sums[block].energy = sum[0] + sum[1] + sum[2];
}

static double product(void *context, const double *p, double *q)
{
    var_work *w = context;
    size_t blocks = w->pairs->block_count;
    w->rows.x = p, w->rows.g = q;
    scr_each(blocks, w->pairs->block_pairs, product_block, w);
    scr_var_bonds_product(w, p);
    scr_each(blocks, NULL, finish_product_block, w);
    return scr_sum(&w->rows.sums[0].energy, blocks, sizeof *w->rows.sums / sizeof(double));
}

/* ---- blocks on the diagonal ---- */

/* A symmetric block (xx, yy, zz, xy, xz, yz) in registers. */
typedef double var_two __attribute__((vector_size(16), aligned(8), may_alias));
typedef struct {
    var_row four;
    var_two two;
} block6;

SCR_INLINE block6 load6(const double *from)
{
    return (block6){*(const var_four *)from, *(const var_two *)(from + 4)};
}
SCR_INLINE void store6(double *to, block6 b)
{
    *(var_four *)to = b.four, *(var_two *)(to + 4) = b.two;
}
// as var_unit and var_outer
SCR_INLINE void add_unit(block6 *b, double s)
{
    b->four += (var_row){s, s, s, 0};
}
SCR_INLINE void add_outer(block6 *b, double s, var_row a)
{
    var_row left = s * __builtin_shufflevector(a, a, 0, 1, 2, 0);
    b->four += left * __builtin_shufflevector(a, a, 0, 1, 2, 1);
    b->two += (var_two){left[0], left[1]} * (var_two){a[2], a[2]};
}

// of the displacement, which is the same for both bodies
SCR_INLINE void diagonal_way(const var_record *r, const var_slide *t, block6 *to)
{
    add_unit(to, r->across + t->hold);
    add_outer(to, r->along - r->across, var_three(&r->n.x));
    add_outer(to, r->damp - t->hold, var_three(&r->m.x));
    if (t->drop > 0) add_outer(to, -t->drop, var_three(&t->q.x));
}

SCR_INLINE void diagonal_turn(const var_record *r, const var_slide *t, const var_roll *roll, int side, double *to)
{
    double arm2 = t->arm[side] * t->arm[side];
    if (t->hold > 0 && arm2 > 0) {
        var_row m = var_three(&r->m.x);
        block6 b = load6(to);
        add_unit(&b, arm2 * t->hold);
        add_outer(&b, -arm2 * t->hold, m);
        if (t->drop > 0) add_outer(&b, -arm2 * t->drop, var_cross(m, var_three(&t->q.x)));
        store6(to, b);
    }
    if (!roll) return;
    double size = roll->radius * roll->inverse[side], size2 = size * size;
    var_unit(to, size2 * roll->hold);
    var_outer(to, -size2 * roll->hold, r->m);
    if (roll->drop > 0) var_outer(to, -size2 * roll->drop, rv_cross(r->m, roll->q));
}

static const var_slide no_slide;

SCR_CLONED static void diagonal_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_pairs *p = w->pairs;
    size_t base = var_base(w, block), bodies = w->world->bodies.table.count;
    size_t first = var_block_first(w, block), end = var_block_end(w, block);
    size_t records = base + p->block_walls[block];
    scr_clear(w->rows.diagonal + VAR_DIAGONAL * first, VAR_DIAGONAL * (end - first) * sizeof *w->rows.diagonal);
    scr_clear(w->rows.halo + VAR_DIAGONAL * (size_t)p->block_halo[block],
              VAR_DIAGONAL * (size_t)(p->block_halo[block + 1] - p->block_halo[block]) * sizeof *w->rows.halo);
    for (uint32_t m = 0; m < w->contacts.count[4 * block + 2]; m++) {
        const var_record *r = &w->contacts.record[records + m];
        const var_slide *t = r->slides ? &w->contacts.slide[records + m] : &no_slide;
        const var_roll *roll = r->roll >= 0 ? &w->contacts.roll[base + (size_t)r->roll] : NULL;
        double *own = w->rows.diagonal + VAR_DIAGONAL * (size_t)r->i, *other = own;
        bool pair = r->j != UINT32_MAX;
        if (pair)
            other = r->sink < bodies ? w->rows.diagonal + VAR_DIAGONAL * (size_t)r->sink
                                     : w->rows.halo + VAR_DIAGONAL * (r->sink - bodies);
        // both are loaded before one is stored, so that products are taken once; of a wall the second is left out
        block6 one = load6(own), two = load6(other);
        diagonal_way(r, t, &one), diagonal_way(r, t, &two);
        store6(own, one);
        if (pair) store6(other, two);
        diagonal_turn(r, t, roll, 0, own + 6);
        if (pair) diagonal_turn(r, t, roll, 1, other + 6);
    }
}

// inverse of a block that is positive; where rounding or a turning normal spoils that, of its diagonal
SCR_INLINE void invert(double *block)
{
    sym3 s = {block[0], block[1], block[2], block[3], block[4], block[5]};
    double minor = s.xx * s.yy - s.xy * s.xy;
    sym3 t = sym3_inverse(s);
    bool positive = s.xx > 0 && minor > 0 && t.zz > 0 && isfinite(t.xx);
    if (!positive) t = (sym3){1 / fmax(s.xx, DBL_MIN), 1 / fmax(s.yy, DBL_MIN), 1 / fmax(s.zz, DBL_MIN), 0, 0, 0};
    memcpy(block, &t, sizeof t);
}

SCR_CLONED static void invert_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_pairs *p = w->pairs;
    for (uint32_t k = p->block_inbox[block]; k < p->block_inbox[block + 1]; k++) {
        const double *from = w->rows.halo + VAR_DIAGONAL * (size_t)p->inbox[k];
        double *to = w->rows.diagonal + VAR_DIAGONAL * (size_t)p->halo_body[p->inbox[k]];
        for (int n = 0; n < VAR_DIAGONAL; n++) to[n] += from[n];
    }
    scr_var_bonds_diagonal(w, w->rows.diagonal, block);
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++)
        for (int half = 0; half < 2; half++) {
            double *to = w->rows.diagonal + VAR_DIAGONAL * i + 6 * half;
            double mass = w->rows.mass[VAR_MASS * i + (size_t)half];
            if (mass > 0)
                var_unit(to, mass), invert(to);
            else
                memset(to, 0, 6 * sizeof *to);
        }
}

static void prepare(void *context)
{
    var_work *w = context;
    scr_each(w->pairs->block_count, NULL, diagonal_block, w);
    scr_each(w->pairs->block_count, NULL, invert_block, w);
}

// blocks are xx, yy, zz, xy, xz, yz
SCR_CLONED static double divide(void *context, size_t first, size_t end, const double *r, double *z)
{
    const var_work *w = context;
    var_row sum = {0};
    for (size_t k = 2 * first; k < 2 * end; k++) {
        const double *t = w->rows.diagonal + VAR_DIAGONAL / 2 * k;
        var_row a = *(const var_four *)t, b = *(const var_four *)(t + 2);
        var_row v = *(const var_row *)(r + SCR_ROW / 2 * k), out;
        out = a * v + __builtin_shufflevector(b, b, 1, 1, 2, 3) * __builtin_shufflevector(v, v, 1, 0, 0, 3);
        out += __builtin_shufflevector(b, b, 2, 3, 3, 3) * __builtin_shufflevector(v, v, 2, 2, 1, 3);
        *(var_row *)(z + SCR_ROW / 2 * k) = out;
        sum += v * out;
    }
    return sum[0] + sum[1] + sum[2];
}

/* Sliders without the part of (2) in kernel/potential.h along t: k' (c/|q|)(1 - n n) is the curvature of a parabola
 * that lies on top of Huber's function (Huber 1981, iterated weights). Newton's own, which slides freely along t, may
 * go to and fro between contacts that turn round and be cut short each time. */
static void stiffen_block(void *context, size_t block)
{
    var_work *w = context;
    size_t base = var_base(w, block), first = base + w->pairs->block_walls[block];
    for (size_t m = first; m < first + w->contacts.count[4 * block + 2]; m++)
        if (w->contacts.record[m].slides && w->contacts.slide[m].hold > 0) w->contacts.slide[m].drop = 0;
    for (uint32_t m = 0; m < w->contacts.count[4 * block + 3]; m++) w->contacts.roll[base + m].drop = 0;
}

static void stiffen(void *context)
{
    var_work *w = context;
    scr_each(w->pairs->block_count, NULL, stiffen_block, w);
}

static void start(void *context, const double *x, double part, double *at)
{
    const var_work *w = context;
    scr_copy(at, x, SCR_ROW * w->world->bodies.table.count * sizeof *at);
    for (size_t k = 0; k < 2 * w->world->bodies.table.count; k++) {
        if (!(w->rows.mass[VAR_MASS * (k / 2) + k % 2] > 0)) continue;
        for (size_t n = SCR_ROW / 2 * k; n < SCR_ROW / 2 * (k + 1); n++) at[n] = part * w->rows.guess[n];
    }
}

scr_objective scr_var_objective(var_work *w)
{
    return (scr_objective){w,
                           w->world->bodies.table.count,
                           var_is(w, VAR_FALL) ? scr_var_evaluate_lean : evaluate,
                           product,
                           prepare,
                           divide,
                           stiffen,
                           var_is(w, VAR_DIRECT) ? scr_var_matrix_solve : NULL,
                           start};
}
