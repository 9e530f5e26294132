/* Supports: motions of cells that are held or prescribed (world/loads.h).
 *
 * A prescribed motion u(t) has in a step from t to t + dt the velocities
 *
 *   v_n = (u(t + dt/2) - u(t - dt/2))/dt,   v_h = (u(t + dt) - u(t))/dt,   v_n+1 likewise,             (1)
 *
 * so a support gives a cell in the two half kicks the impulses m (v_h - v_n) - dt/2 F_n and
 * m (v_n+1 - v_h) - dt/2 F_n+1, F with gravity, and does the work of each with the mean velocity. Turns go the same
 * way where all three are held. Where only some turns are, the angular momentum about these axes is kept at zero. */
#include "step/elastic/work.h"

#define TURNS 0x38

elastic_placement elastic_place(const scr_support *s, double factor)
{
    return (elastic_placement){factor, quat_exp(v3_scale(factor, s->rotation))};
}

vec3 elastic_displacement(const scr_support *s, const elastic_placement *p, vec3 home)
{
    vec3 arm = v3_sub(home, s->point);
    return v3_axpy(scr_turn_less_one(p->turn, arm), p->shift, s->displacement);
}

static elastic_placement place_at(const scr_support *s, double time)
{
    return elastic_place(s, scr_signal_at(&s->signal, time));
}

/* A support in one step: from before to after, with halves around. */
typedef struct {
    elastic_placement before[2], now, after[2];
    double dt;
} motion;

// around the present time: half a step and a step before and after it
static motion motion_now(const scr_support *s, const scr_clock *c)
{
    return (motion){
        .before = {place_at(s, elastic_time(c, -0.5)), place_at(s, elastic_time(c, -1))},
        .now = place_at(s, elastic_time(c, 0)),
        .after = {place_at(s, elastic_time(c, 0.5)), place_at(s, elastic_time(c, 1))},
        .dt = c->dt};
}

// velocity and spin between two placements that are dt apart
static vec3 velocity(const scr_support *s, const elastic_placement *a, const elastic_placement *b,
                     vec3 home, double dt)
{
    return v3_scale(1 / dt,
                    v3_sub(elastic_displacement(s, b, home), elastic_displacement(s, a, home)));
}

static vec3 spin(const scr_support *s, const elastic_placement *a, const elastic_placement *b,
                 double dt)
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

static vec3 momentum_of(scr_cells *c, size_t k, vec3 omega)
{
    scr_cell_set_spin(c, k, omega);
    return v3_load(c->momentum + 4 * k);
}

// the support's impulse in half a kick, in the held directions; its work is added
typedef struct {
    vec3 force, torque; // impulse over dt/2 [N, N m]
    double work;
} reaction;

static reaction react(const scr_world *w, const scr_support *s, size_t k, double dt,
                      const vec3 v[2], const vec3 omega[2], const vec3 l[2])
{
    const scr_cells *c = &w->cells;
    double mass = scr_cell_mass(c, k);
    vec3 pushed = v3_axpy(v3_load(c->load + 8 * k), mass, w->gravity);
    vec3 needed = v3_scale(2 * mass / dt, v3_sub(v[1], v[0]));
    reaction r = {.force = held_part(s->holds, v3_sub(needed, pushed))};
    r.work = 0.25 * dt * v3_dot(r.force, v3_add(v[0], v[1]));
    vec3 twisted = v3_load(c->load + 8 * k + 4);
    r.torque = held_part(s->holds >> 3, v3_scale(-1, twisted));
    if (!turns_held(s)) return r;
    r.torque = v3_sub(v3_scale(2 / dt, v3_sub(l[1], l[0])), twisted);
    r.work += 0.25 * dt * v3_dot(r.torque, v3_add(omega[0], omega[1]));
    return r;
}

static void book(scr_world *w, scr_support *s, size_t k, const reaction *r)
{
    s->work += r->work;
    w->ledger.support_work += r->work;
    vec3 arm = v3_sub(scr_cell_centre(&w->cells, k), s->point);
    s->force = v3_add(s->force, r->force);
    s->torque = v3_add(s->torque, v3_add(v3_cross(arm, r->force), r->torque));
}

static void set_place(scr_world *w, const scr_support *s, size_t k, const elastic_placement *p)
{
    scr_cells *c = &w->cells;
    set_held(s->holds, c->displacement + 4 * k,
             elastic_displacement(s, p, v3_load(c->home + 4 * k)));
    if (turns_held(s)) quat_store(c->turn + 4 * k, p->turn);
}

// the held motions; what is not held stays
static void set_motion(scr_world *w, const scr_support *s, size_t k, vec3 v, vec3 l)
{
    set_held(s->holds, w->cells.velocity + 4 * k, v);
    set_held(s->holds >> 3, w->cells.momentum + 4 * k, turns_held(s) ? l : v3(0, 0, 0));
}

void elastic_supports_begin(scr_world *w)
{
    for (int i = 0; i < w->support_count; i++) {
        const scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        motion m = motion_now(s, &w->clock);
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            set_place(w, s, k, &m.now);
            vec3 home = v3_load(w->cells.home + 4 * k), l = v3(0, 0, 0);
            if (turns_held(s))
                l = momentum_of(&w->cells, k, spin(s, &m.before[0], &m.after[0], m.dt));
            set_motion(w, s, k, velocity(s, &m.before[0], &m.after[0], home, m.dt), l);
        }
    }
}

// torques about held axes shall not turn their cells in the next drift
static void quench(const scr_world *w, const scr_support *s, size_t k)
{
    if (!turns_held(s)) set_held(s->holds >> 3, w->cells.load + 8 * k + 4, v3(0, 0, 0));
}

void elastic_supports_rest(scr_world *w)
{
    const vec3 zero[2] = {{0}};
    for (int i = 0; i < w->support_count; i++) {
        scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        s->force = s->torque = v3(0, 0, 0);
        for (size_t n = 0; n < patch->cell_count; n++) {
            reaction r = react(w, s, patch->cells[n], w->clock.dt, zero, zero, zero);
            book(w, s, patch->cells[n], &r);
            quench(w, s, patch->cells[n]);
        }
    }
}

void elastic_supports_move(scr_world *w)
{
    scr_cells *c = &w->cells;
    for (int i = 0; i < w->support_count; i++) {
        scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        motion m = motion_now(s, &w->clock);
        vec3 omega[2] = {spin(s, &m.before[0], &m.after[0], m.dt),
                         spin(s, &m.now, &m.after[1], m.dt)};
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            vec3 home = v3_load(c->home + 4 * k), l[2] = {{0}};
            vec3 v[2] = {velocity(s, &m.before[0], &m.after[0], home, m.dt),
                         velocity(s, &m.now, &m.after[1], home, m.dt)};
            // the free drift has moved the cell: first back to where the half kick was
            set_place(w, s, k, &m.now);
            for (int side = 0; turns_held(s) && side < 2; side++)
                l[side] = momentum_of(c, k, omega[side]);
            reaction r = react(w, s, k, m.dt, v, omega, l);
            s->work += r.work;
            w->ledger.support_work += r.work;
            set_place(w, s, k, &m.after[1]);
            if (turns_held(s)) l[1] = momentum_of(c, k, omega[1]);
            set_motion(w, s, k, v[1], l[1]);
        }
    }
}

void elastic_supports_end(scr_world *w)
{
    scr_cells *c = &w->cells;
    for (int i = 0; i < w->support_count; i++) {
        scr_support *s = &w->supports[i];
        const scr_patch *patch = &w->patches[s->patch];
        motion m = motion_now(s, &w->clock);
        vec3 omega[2] = {spin(s, &m.before[1], &m.now, m.dt),
                         spin(s, &m.before[0], &m.after[0], m.dt)};
        s->force = s->torque = v3(0, 0, 0);
        for (size_t n = 0; n < patch->cell_count; n++) {
            size_t k = patch->cells[n];
            vec3 home = v3_load(c->home + 4 * k), l[2] = {{0}};
            vec3 v[2] = {velocity(s, &m.before[1], &m.now, home, m.dt),
                         velocity(s, &m.before[0], &m.after[0], home, m.dt)};
            for (int side = 0; turns_held(s) && side < 2; side++)
                l[side] = momentum_of(c, k, omega[side]);
            reaction r = react(w, s, k, m.dt, v, omega, l);
            book(w, s, k, &r);
            set_motion(w, s, k, v[1], l[1]);
            quench(w, s, k);
        }
    }
}
