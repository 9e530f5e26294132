/* Supports: motions of cells that are held or prescribed (world/loads.h).
 *
 * A prescribed motion u(t) has in a step from t to t + dt the velocities
 *
 *   v_n = (u(t + dt/2) - u(t - dt/2))/dt,   v_h = (u(t + dt) - u(t))/dt,   v_n+1 likewise,             (1)
 *
 * so a support gives a cell in the two half kicks the impulses m (v_h - v_n) - dt/2 F_n and
 * m (v_n+1 - v_h) - dt/2 F_n+1, F with gravity, and does the work of each with the mean velocity. Turns go the same
 * way where all three are held.
 *
 * Where only some turns are, the support gives torques about these axes, h, that keep the cell from turning about them:
 * in RATTLE an impulse in the first half kick, so that the turn e of the drift (rattle.h, here in space) has no part
 * along h, and one in the second, so that the angular velocity has none,
 *
 *   2 e_0 J e + 2 e x J e = dt L along the free axes, e_h = 0,     then L_h from the same equation,       (2)
 *   L += C,   (J^-1)_hh C_h = -(J^-1 L)_h.                                                                 (3)
 *
 * J is the inertia in space at the start of the drift in (2), at its end in (3). They do no work. */
#include "step/elastic/work.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "comm/share.h"

#define TURNS  0x38
#define ROUNDS 100 /* of (2), as in rattle.h */
#define CHANGE 1e-15

elastic_placement scr_elastic_place(const scr_support *s, double factor)
{
    return (elastic_placement){factor, quat_exp(v3_scale(factor, s->rotation))};
}

vec3 scr_elastic_displacement(const scr_support *s, const elastic_placement *p, vec3 home)
{
    vec3 arm = v3_sub(home, s->point);
    return v3_axpy(scr_turn_less_one(p->turn, arm), p->shift, s->displacement);
}

// some steps from now
static elastic_placement place_at(const scr_world *w, const scr_support *s, double steps)
{
    return scr_elastic_place(s, scr_signal_then(w, &s->signal, scr_clock_ahead(&w->clock, steps)));
}

/* A support in one step: from before to after, with halves around. */
typedef struct {
    elastic_placement before[2], now, after[2];
    double dt;
} motion;

// around the present time: half a step and a step before and after it
static motion motion_now(const scr_world *w, const scr_support *s)
{
    return (motion){.before = {place_at(w, s, -0.5), place_at(w, s, -1)},
                    .now = place_at(w, s, 0),
                    .after = {place_at(w, s, 0.5), place_at(w, s, 1)},
                    .dt = w->clock.dt};
}

// velocity and spin between two placements that are dt apart
static vec3 velocity(const scr_support *s, const elastic_placement *a, const elastic_placement *b, vec3 home, double dt)
{
    return v3_scale(1 / dt, v3_sub(scr_elastic_displacement(s, b, home), scr_elastic_displacement(s, a, home)));
}

static vec3 spin(const scr_support *s, const elastic_placement *a, const elastic_placement *b, double dt)
{
    return v3_scale((b->shift - a->shift) / dt, s->rotation);
}

static vec3 held_part(int bits, vec3 a)
{
    return v3(bits & 1 ? a.x : 0, bits & 2 ? a.y : 0, bits & 4 ? a.z : 0);
}

static void set_held(int bits, double *to, vec3 a)
{
    if (bits & 1) to[0] = a.x;
    if (bits & 2) to[1] = a.y;
    if (bits & 4) to[2] = a.z;
}

static bool turns_held(const scr_support *s)
{
    return (s->holds & TURNS) == TURNS;
}

// some turns, but not all
static bool some_turns_held(const scr_support *s)
{
    return (s->holds & TURNS) && !turns_held(s);
}

static vec3 momentum_of(scr_cells *c, size_t k, vec3 omega)
{
    scr_cell_set_spin(c, k, omega);
    return v3_load(c->momentum + 4 * k);
}

/* ---- some turns held ---- */

typedef struct {
    vec3 row[3];
} matrix3;

static vec3 times(const matrix3 *m, vec3 a)
{
    return v3(v3_dot(m->row[0], a), v3_dot(m->row[1], a), v3_dot(m->row[2], a));
}

// the inertia in space (power 1) or its inverse (-1)
static matrix3 inertia_of(const scr_cells *c, size_t k, int power)
{
    quat q = quat_mul(scr_cell_turn(c, k), quat_load(c->axes + 4 * k));
    matrix3 m = {0};
    for (int i = 0; i < 3; i++) {
        vec3 axis = quat_turn(q, v3(i == 0, i == 1, i == 2));
        double moment = c->inertia[4 * k + (size_t)i], weight = power > 0 ? moment : 1 / moment;
        m.row[0] = v3_axpy(m.row[0], weight * axis.x, axis);
        m.row[1] = v3_axpy(m.row[1], weight * axis.y, axis);
        m.row[2] = v3_axpy(m.row[2], weight * axis.z, axis);
    }
    return m;
}

// x in the directions of `bits` with (m x) = b there
static vec3 solve_in(const matrix3 *m, int bits, vec3 b)
{
    vec3 r[3];
    for (int i = 0; i < 3; i++) r[i] = bits >> i & 1 ? held_part(bits, m->row[i]) : v3(i == 0, i == 1, i == 2);
    b = held_part(bits, b);
    vec3 c0 = v3_cross(r[1], r[2]), c1 = v3_cross(r[2], r[0]), c2 = v3_cross(r[0], r[1]);
    vec3 x = v3_add(v3_scale(b.x, c0), v3_add(v3_scale(b.y, c1), v3_scale(b.z, c2)));
    return v3_scale(1 / v3_dot(r[0], c0), x);
}

// (3): several supports may each hold a turn of one cell, so all that are held count
vec3 scr_elastic_turn_reaction(const scr_cells *c, size_t k, vec3 l)
{
    int bits = c->held[k] >> 3 & 7;
    if (!bits) return v3(0, 0, 0);
    matrix3 inverse = inertia_of(c, k, -1);
    return v3_scale(-1, solve_in(&inverse, bits, times(&inverse, l)));
}

static vec3 stop_turns(scr_cells *c, const scr_support *s, size_t k)
{
    vec3 l = v3_load(c->momentum + 4 * k);
    vec3 impulse = held_part(s->holds >> 3, scr_elastic_turn_reaction(c, k, l));
    v3_store(c->momentum + 4 * k, v3_add(l, impulse));
    return impulse;
}

// (2): the drift of a cell that was at `start`; false when it is not found
static bool turn_free(scr_cells *c, const scr_support *s, size_t k, quat start, double dt)
{
    quat_store(c->turn + 4 * k, start);
    matrix3 j = inertia_of(c, k, 1);
    int bits = ~(c->held[k] >> 3) & 7;
    vec3 e = v3(0, 0, 0), wanted = v3_scale(dt, v3_load(c->momentum + 4 * k));
    double e0 = 1, change = INFINITY;
    for (int round = 0; round < ROUNDS && change > CHANGE; round++) {
        vec3 rest = v3_axpy(wanted, -2, v3_cross(e, times(&j, e)));
        vec3 next = v3_scale(0.5 / e0, solve_in(&j, bits, rest));
        change = v3_norm(v3_sub(next, e));
        e = next;
        e0 = sqrt(1 - v3_dot(e, e));
        if (!(e0 > 0)) return false;
    }
    vec3 je = times(&j, e), l = v3_axpy(v3_scale(2 * e0, je), 2, v3_cross(e, je));
    set_held(s->holds >> 3, c->momentum + 4 * k, v3_scale(1 / dt, l));
    quat_store(c->turn + 4 * k, quat_unit(quat_mul((quat){e0, e.x, e.y, e.z}, start)));
    return change <= CHANGE;
}

void scr_elastic_supports_open(elastic_work *k)
{
    const scr_world *w = k->task.world;
    size_t count = 0;
    for (int i = 0; i < w->support_count; i++)
        if (some_turns_held(&w->supports[i])) count += w->patches[w->supports[i].patch].cell_count;
    k->turns = SCR_TAKE(&k->arena, double, 4 * count);
}

void scr_elastic_supports_keep(elastic_work *k)
{
    const scr_world *w = k->task.world;
    double *to = k->turns;
    for (int i = 0; i < w->support_count; i++) {
        if (!some_turns_held(&w->supports[i])) continue;
        const scr_patch *patch = &w->patches[w->supports[i].patch];
        for (size_t n = 0; n < patch->cell_count; n++, to += 4)
            quat_store(to, scr_cell_turn(&w->cells, patch->cells[n]));
    }
}

/* ---- reactions ---- */

// the support's impulse in half a kick, in the held directions; its work is added
typedef struct {
    vec3 force, torque; // impulse over dt/2 [N, N m]
    double work;
} reaction;

static reaction react(const scr_world *w, const scr_support *s, size_t k, double dt, const vec3 v[2],
                      const vec3 omega[2], const vec3 l[2])
{
    const scr_cells *c = &w->cells;
    double mass = scr_cell_mass(c, k);
    vec3 pushed = v3_axpy(v3_load(c->load + 8 * k), mass, w->gravity);
    vec3 needed = v3_scale(2 * mass / dt, v3_sub(v[1], v[0]));
    reaction r = {.force = held_part(s->holds, v3_sub(needed, pushed))};
    r.work = 0.25 * dt * v3_dot(r.force, v3_add(v[0], v[1]));
    if (!turns_held(s)) return r;
    vec3 twisted = v3_load(c->load + 8 * k + 4);
    r.torque = v3_sub(v3_scale(2 / dt, v3_sub(l[1], l[0])), twisted);
    r.work += 0.25 * dt * v3_dot(r.torque, v3_add(omega[0], omega[1]));
    return r;
}

static void book_work(scr_world *w, scr_support *s, const reaction *r)
{
    scr_total_add(&s->felt[SCR_FELT_WORK], r->work);
    scr_total_add(&w->ledger.booked.support_work, r->work);
}

static void book(scr_world *w, scr_support *s, size_t k, const reaction *r)
{
    vec3 arm = v3_sub(scr_cell_centre(&w->cells, k), s->point);
    vec3 torque = v3_add(v3_cross(arm, r->force), r->torque);
    book_work(w, s, r);
    for (int d = 0; d < 3; d++) {
        scr_total_add(&s->felt[SCR_FELT_FORCE + d], (&r->force.x)[d]);
        scr_total_add(&s->felt[SCR_FELT_TORQUE + d], (&torque.x)[d]);
    }
}

static void set_place(scr_world *w, const scr_support *s, size_t k, const elastic_placement *p)
{
    scr_cells *c = &w->cells;
    set_held(s->holds, c->displacement + 4 * k, scr_elastic_displacement(s, p, v3_load(c->home + 4 * k)));
    if (turns_held(s)) quat_store(c->turn + 4 * k, p->turn);
}

// the held motions; what is not held stays. The impulse that it takes where only some turns are held
static vec3 set_motion(scr_world *w, const scr_support *s, size_t k, vec3 v, vec3 l)
{
    set_held(s->holds, w->cells.velocity + 4 * k, v);
    if (turns_held(s)) v3_store(w->cells.momentum + 4 * k, l);
    return some_turns_held(s) ? stop_turns(&w->cells, s, k) : v3(0, 0, 0);
}

void scr_elastic_supports_begin(scr_world *w)
{
    for (int i = 0; i < w->support_count; i++) {
        const scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        motion m = motion_now(w, s);
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            if (!scr_share_owns_cell(w->share, k)) continue;
            set_place(w, s, k, &m.now);
            vec3 home = v3_load(w->cells.home + 4 * k), l = v3(0, 0, 0);
            if (turns_held(s)) l = momentum_of(&w->cells, k, spin(s, &m.before[0], &m.after[0], m.dt));
            set_motion(w, s, k, velocity(s, &m.before[0], &m.after[0], home, m.dt), l);
        }
    }
}

// the torque that keeps a cell from beginning to turn about held axes: dL/dt = M, and J turns with the cell
static vec3 torque_at_rest(const scr_cells *c, const scr_support *s, size_t k)
{
    vec3 gyro = v3_cross(scr_cell_spin(c, k), v3_load(c->momentum + 4 * k));
    vec3 pushed = v3_sub(v3_load(c->load + 8 * k + 4), gyro);
    return held_part(s->holds >> 3, scr_elastic_turn_reaction(c, k, pushed));
}

void scr_elastic_supports_rest(scr_world *w)
{
    const vec3 zero[2] = {{0}};
    for (int i = 0; i < w->support_count; i++) {
        scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        memset(s->felt, 0, SCR_FELT_WORK * sizeof *s->felt);
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            if (!scr_share_owns_cell(w->share, k)) continue;
            reaction r = react(w, s, k, w->clock.dt, zero, zero, zero);
            if (some_turns_held(s)) r.torque = torque_at_rest(&w->cells, s, k);
            book(w, s, k, &r);
        }
    }
}

void scr_elastic_supports_move(elastic_work *work)
{
    scr_world *w = work->task.world;
    scr_cells *c = &w->cells;
    const double *turn = work->turns;
    for (int i = 0; i < w->support_count; i++) {
        scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        motion m = motion_now(w, s);
        vec3 omega[2] = {spin(s, &m.before[0], &m.after[0], m.dt), spin(s, &m.now, &m.after[1], m.dt)};
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            if (!scr_share_owns_cell(w->share, k)) {
                turn += some_turns_held(s) ? 4 : 0;
                continue;
            }
            vec3 home = v3_load(c->home + 4 * k), l[2] = {{0}};
            vec3 v[2] = {velocity(s, &m.before[0], &m.after[0], home, m.dt),
                         velocity(s, &m.now, &m.after[1], home, m.dt)};
            // the free drift has moved the cell: first back to where the half kick was
            set_place(w, s, k, &m.now);
            for (int side = 0; turns_held(s) && side < 2; side++) l[side] = momentum_of(c, k, omega[side]);
            reaction r = react(w, s, k, m.dt, v, omega, l);
            book_work(w, s, &r);
            set_place(w, s, k, &m.after[1]);
            set_held(s->holds, c->velocity + 4 * k, v[1]);
            if (turns_held(s)) momentum_of(c, k, omega[1]);
            if (!some_turns_held(s)) continue;
            int64_t *lost = &work->task.sums[k / SCR_BLOCK].lost;
            if (!turn_free(c, s, k, quat_load(turn), m.dt) && *lost < 0) *lost = (int64_t)k;
            turn += 4;
        }
    }
}

void scr_elastic_supports_end(scr_world *w)
{
    scr_cells *c = &w->cells;
    for (int i = 0; i < w->support_count; i++) {
        scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        motion m = motion_now(w, s);
        vec3 omega[2] = {spin(s, &m.before[1], &m.now, m.dt), spin(s, &m.before[0], &m.after[0], m.dt)};
        memset(s->felt, 0, SCR_FELT_WORK * sizeof *s->felt);
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            if (!scr_share_owns_cell(w->share, k)) continue;
            vec3 home = v3_load(c->home + 4 * k), l[2] = {{0}};
            vec3 v[2] = {velocity(s, &m.before[1], &m.now, home, m.dt),
                         velocity(s, &m.before[0], &m.after[0], home, m.dt)};
            for (int side = 0; turns_held(s) && side < 2; side++) l[side] = momentum_of(c, k, omega[side]);
            reaction r = react(w, s, k, m.dt, v, omega, l);
            vec3 impulse = set_motion(w, s, k, v[1], l[1]);
            if (some_turns_held(s)) r.torque = v3_scale(2 / m.dt, impulse);
            book(w, s, k, &r);
        }
    }
}

void scr_elastic_supports_drag(scr_world *w, const double *drag)
{
    const scr_cells *c = &w->cells;
    double half = 0.5 * w->clock.dt;
    for (int i = 0; i < w->support_count; i++) {
        scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            if (!scr_share_owns_cell(w->share, k)) continue;
            vec3 f = v3_load(drag + 8 * k), torque = v3_load(drag + 8 * k + 4);
            reaction r = {.force = held_part(s->holds, v3_scale(-1, f)),
                          .torque = held_part(s->holds >> 3, scr_elastic_turn_reaction(c, k, torque))};
            r.work = half * v3_dot(r.force, v3_load(c->velocity + 4 * k));
            if (turns_held(s)) r.work += half * v3_dot(r.torque, scr_cell_spin(c, k));
            book(w, s, k, &r);
            scr_total_add(&w->ledger.booked.absorbed, r.work);
        }
    }
}
