#include "step/nonsmooth/joints.h"

#include <math.h>

#include "base/buffer.h"

static const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

bool scr_ns_joints_reserve(ns_work *k, const scr_world *w)
{
    size_t count = (size_t)w->joint_count * SCR_JOINT_ROWS;
    return scr_reserve(&k->joints.rows, count) && scr_reserve(&k->joints.notes, count);
}

static uint32_t slot_of(const ns_work *k, int body)
{
    return body == SCR_GROUND ? SCR_PGS_STILL : (uint32_t)k->problem.row_count + (uint32_t)body;
}

/* ---- geometry ---- */

// a body of a joint, seen from the centre that it has with its load
static scr_joint_end end_of(const ns_work *k, const scr_world *w, const scr_joint *j, int side)
{
    scr_joint_end e = scr_joint_end_of(j, &w->rigids, side);
    if (j->body[side] == SCR_GROUND) return e;
    vec3 offset = k->rigids.loaded[j->body[side]].offset;
    e.centre = v3_sub(e.centre, offset);
    e.arm = v3_add(e.arm, offset);
    return e;
}

typedef struct {
    ns_work *work;
    const scr_joint *joint;
    int number;
    scr_joint_end a, b;
    vec3 apart; // D
    double h;
} maker;

static void add_row(const maker *m, int place, double gap, vec3 va, vec3 wa, vec3 vb, vec3 wb)
{
    ns_work *k = m->work;
    size_t n = k->joints.count++;
    k->joints.notes[n] = (ns_joint_note){.joint = m->number, .place = place, .gap = gap};
    k->joints.rows[n] = (scr_pgs_row){.a = slot_of(k, m->joint->body[0]),
                                      .b = slot_of(k, m->joint->body[1]),
                                      .linear = {va, vb},
                                      .angular = {wa, wb},
                                      .low = -INFINITY,
                                      .high = INFINITY};
}

static vec3 minus(vec3 v)
{
    return v3_scale(-1, v);
}

// D.e = 0, D counted at the point of the second body
static void add_point(const maker *m, int place, vec3 e, vec3 arm_a)
{
    add_row(m, place, v3_dot(m->apart, e), minus(e), minus(v3_cross(arm_a, e)), e, v3_cross(m->b.arm, e));
}

static void add_turn(const maker *m, int place, vec3 e, double gap)
{
    vec3 none = v3(0, 0, 0);
    add_row(m, place, gap, none, minus(e), none, e);
}

static void add_turns(const maker *m, int place)
{
    quat q = quat_mul(quat_mul(m->b.turn, quat_conjugate(m->joint->rest)), quat_conjugate(m->a.turn));
    double s = q.w < 0 ? -2 : 2;
    add_turn(m, place, unit[0], s * q.x);
    add_turn(m, place + 1, unit[1], s * q.y);
    add_turn(m, place + 2, unit[2], s * q.z);
}

// the axis of a at right angles to two vectors of b
static void add_axis(const maker *m, int place)
{
    vec3 axis = quat_turn(m->a.turn, m->joint->axis[0]);
    vec3 p = v3_perpendicular(m->joint->axis[1]), q = v3_cross(m->joint->axis[1], p);
    const vec3 across[2] = {quat_turn(m->b.turn, p), quat_turn(m->b.turn, q)};
    for (int n = 0; n < 2; n++) {
        vec3 c = v3_cross(axis, across[n]);
        add_turn(m, place + n, minus(c), v3_dot(axis, across[n]));
    }
}

static void add_aside(const maker *m, int place)
{
    vec3 p = v3_perpendicular(m->joint->axis[0]), q = v3_cross(m->joint->axis[0], p);
    vec3 arm = v3_add(m->a.arm, m->apart);
    add_point(m, place, quat_turn(m->a.turn, p), arm);
    add_point(m, place + 1, quat_turn(m->a.turn, q), arm);
}

// a row along the free direction; turned round for sign -1
static void add_free(const maker *m, int place, double gap, double sign)
{
    vec3 axis = v3_scale(sign, quat_turn(m->a.turn, m->joint->axis[0]));
    if (m->joint->kind == SCR_JOINT_HINGE)
        add_turn(m, place, axis, gap);
    else
        add_point(m, place, axis, v3_add(m->a.arm, m->apart));
    m->work->joints.notes[m->work->joints.count - 1].gap = gap;
}

static void add_motor(const maker *m, double end)
{
    ns_work *k = m->work;
    add_free(m, SCR_JOINT_MOTOR, 0, 1);
    scr_pgs_row *row = &k->joints.rows[k->joints.count - 1];
    k->joints.notes[k->joints.count - 1].speed = scr_joint_target(m->joint, end);
    row->high = m->joint->strength * m->h;
    row->low = -row->high;
}

// the nearer of the two limits
static void add_limit(const maker *m)
{
    ns_work *k = m->work;
    const scr_joint *j = m->joint;
    double above = j->coordinate[0] - j->low, below = j->high - j->coordinate[0];
    add_free(m, SCR_JOINT_LIMIT, fmin(above, below), above <= below ? 1 : -1);
    k->joints.rows[k->joints.count - 1].low = 0;
}

static void add_joint(const maker *m, double end)
{
    int kind = m->joint->kind;
    if (kind != SCR_JOINT_SLIDER)
        for (int d = 0; d < 3; d++) add_point(m, d, unit[d], m->a.arm);
    if (kind == SCR_JOINT_HINGE) add_axis(m, 3);
    if (kind == SCR_JOINT_LOCK) add_turns(m, 3);
    if (kind == SCR_JOINT_SLIDER) {
        add_turns(m, 0);
        add_aside(m, 3);
    }
    if (m->joint->motor_rows) add_motor(m, end);
    if (m->joint->limited) add_limit(m);
}

void scr_ns_joints_build(ns_work *k, const scr_world *w, double end)
{
    k->joints.count = 0;
    for (int n = 0; n < w->joint_count; n++) {
        const scr_joint *j = &w->joints[n];
        maker m = {.work = k, .joint = j, .number = n, .h = k->sub.h};
        m.a = end_of(k, w, j, 0);
        m.b = end_of(k, w, j, 1);
        m.apart = v3_sub(v3_add(m.b.centre, m.b.arm), v3_add(m.a.centre, m.a.arm));
        add_joint(&m, end);
    }
}

/* ---- stages ---- */

// G v
static double speed_of(const ns_work *k, const scr_pgs_row *r)
{
    const uint32_t slot[2] = {r->a, r->b};
    double u = 0;
    for (int s = 0; s < 2; s++) {
        if (slot[s] == SCR_PGS_STILL) continue;
        const scr_pgs_body *b = &k->problem.bodies[slot[s]];
        u += v3_dot(r->linear[s], b->v) + v3_dot(r->angular[s], b->w);
    }
    return u;
}

// G M^-1 G^T
static double ease_of(const ns_work *k, const scr_pgs_row *r)
{
    const uint32_t slot[2] = {r->a, r->b};
    double d = 0;
    for (int s = 0; s < 2; s++) {
        if (slot[s] == SCR_PGS_STILL) continue;
        const double *i = k->rigids.inverse[slot[s] - k->problem.row_count];
        sym3 inverse = {i[0], i[1], i[2], i[3], i[4], i[5]};
        d += k->problem.bodies[slot[s]].inverse_mass * v3_dot(r->linear[s], r->linear[s]) +
             v3_dot(r->angular[s], sym3_times(inverse, r->angular[s]));
    }
    return d;
}

// the one that belongs to the impulse of a row without bounds, or that pushes: see lawful_velocity in solve.c
static double lawful_speed(const scr_pgs_row *r)
{
    return r->rhs - r->give * r->impulse;
}

void scr_ns_joints_impact(ns_work *k)
{
    for (size_t n = 0; n < k->joints.count; n++) {
        scr_pgs_row *r = &k->joints.rows[n];
        ns_joint_note *note = &k->joints.notes[n];
        // a motor has no time for an impact, a limit none where it is not reached
        bool out = note->place == SCR_JOINT_MOTOR || (note->place == SCR_JOINT_LIMIT && note->gap > 0);
        note->low = r->low, note->high = r->high;
        note->speed_before = speed_of(k, r);
        r->rhs = r->impulse = 0;
        r->give = 1e-9 * ease_of(k, r);
        if (out) r->low = r->high = 0;
    }
}

void scr_ns_joints_impact_end(ns_work *k, scr_world *w)
{
    for (size_t n = 0; n < k->joints.count; n++) {
        scr_pgs_row *r = &k->joints.rows[n];
        ns_joint_note *note = &k->joints.notes[n];
        r->low = note->low, r->high = note->high;
        note->hit = r->impulse;
        double u = speed_of(k, r), v = lawful_speed(r);
        w->ledger.numerical -= 0.5 * r->impulse * (note->speed_before + v);
        w->tally.unsolved += 0.5 * r->impulse * (u - v);
    }
}

void scr_ns_joints_aim(ns_work *k, const scr_world *w)
{
    double h = k->sub.h, y = 1 / (1 + 4 * k->set.tau / h);
    for (size_t n = 0; n < k->joints.count; n++) {
        scr_pgs_row *r = &k->joints.rows[n];
        const ns_joint_note *note = &k->joints.notes[n];
        const scr_joint *j = &w->joints[note->joint];
        r->impulse = ns_starts_warm(k, w) ? j->impulse[note->place] : 0;
        r->give = 4 * j->compliance * y / (h * h);
        r->rhs = -4 / h * y * note->gap + y * speed_of(k, r);
        if (note->place == SCR_JOINT_MOTOR) {
            r->give = 1e-9 * ease_of(k, r);
            r->rhs = note->speed;
        }
        // not beyond the limit at the end of the step; from beyond it back
        if (note->place == SCR_JOINT_LIMIT) r->rhs = note->gap > 0 ? -note->gap / h : -4 / h * y * note->gap;
        r->impulse = fmin(fmax(r->impulse, r->low), r->high);
    }
}

void scr_ns_joints_end(ns_work *k, scr_world *w)
{
    for (int n = 0; n < w->joint_count; n++) {
        scr_joint *j = &w->joints[n];
        for (int d = 0; d < 3; d++) j->force[d] = j->torque[d] = 0;
        for (int d = 0; d < SCR_JOINT_ROWS; d++) j->impulse[d] = 0;
        j->drive[0] = j->power[0] = 0;
    }
    for (size_t n = 0; n < k->joints.count; n++) {
        const scr_pgs_row *r = &k->joints.rows[n];
        const ns_joint_note *note = &k->joints.notes[n];
        scr_joint *j = &w->joints[note->joint];
        double u = speed_of(k, r), force = (r->impulse + note->hit) / k->sub.h;
        bool motor = note->place == SCR_JOINT_MOTOR;
        j->impulse[note->place] = r->impulse;
        if (motor) {
            w->ledger.motor_work += r->impulse * u;
        } else {
            double v = lawful_speed(r);
            w->ledger.numerical -= r->impulse * v;
            w->tally.unsolved += r->impulse * (u - v);
        }
        if (motor) j->drive[0] = force, j->power[0] = force * u;
        vec3 f = v3_scale(force, r->linear[1]), t = v3_scale(force, r->angular[1]);
        vec3 arm = end_of(k, w, j, 1).arm;
        t = v3_sub(t, v3_cross(arm, f));
        v3_store(j->force, v3_add(v3_load(j->force), f));
        v3_store(j->torque, v3_add(v3_load(j->torque), t));
    }
}

void scr_ns_joints_measure(const ns_work *k, scr_world *w)
{
    for (int n = 0; n < w->joint_count; n++) {
        scr_joint *j = &w->joints[n];
        double before = j->coordinate[0];
        j->coordinate[0] = scr_joint_coordinate(j, &w->rigids);
        j->speed[0] = (j->coordinate[0] - before) / k->sub.h;
        scr_joint_end a = scr_joint_end_of(j, &w->rigids, 0), b = scr_joint_end_of(j, &w->rigids, 1);
        vec3 d = v3_sub(v3_add(b.centre, b.arm), v3_add(a.centre, a.arm));
        if (j->kind == SCR_JOINT_SLIDER) d = v3_axpy(d, -j->coordinate[0], quat_turn(a.turn, j->axis[0]));
        j->error[0] = v3_norm(d);
    }
}
