#include "world/wall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "math/elementary.h"
#include "world/servo_text.h"

#define TURN (2 * M_PI)

void scr_wall_set_load(scr_wall *w)
{
    const double now[6] = {w->force.x, w->force.y, w->force.z, w->torque.x, w->torque.y, w->torque.z};
    memset(w->load, 0, sizeof w->load);
    for (int d = 0; d < 6; d++) scr_total_add(&w->load[d], scr_total_coarse(now[d]));
}

void scr_wall_deinit(scr_wall *wall)
{
    free(wall->name);
    free(wall->shape);
    scr_buffer_free(wall->motion.table);
    scr_servo_deinit(&wall->motion.control);
}

static bool is_belt(const scr_motion *m)
{
    return v3_dot(m->surface, m->surface) > 0;
}

/* ---- windows ---- */

static bool is_bounded(const scr_window *w)
{
    return w->since != 0 || w->until != 0;
}

// T: how long a part of the motion has gone on
static double gone(const scr_window *w, double t)
{
    if (!is_bounded(w)) return t;
    return t <= w->since ? 0 : (t < w->until ? t : w->until) - w->since;
}

// the part of a step in which it goes on, 0 to 1; of a step without length: whether it does
static double share(const scr_window *w, double from, double to, double dt)
{
    if (!is_bounded(w) || (from >= w->since && to <= w->until)) return dt > 0 || from < w->until || !is_bounded(w);
    return dt > 0 ? (gone(w, to) - gone(w, from)) / dt : 0;
}

uint64_t scr_motion_digest(const scr_motion *m)
{
    const double numbers[] = {m->velocity.x,  m->velocity.y, m->velocity.z, m->point.x, m->point.y,     m->point.z,
                              m->axis.x,      m->axis.y,     m->axis.z,     m->rate,    m->direction.x, m->direction.y,
                              m->direction.z, m->amplitude,  m->frequency,  m->phase,   m->servo};
    uint64_t h = scr_digest_bytes(SCR_DIGEST_START, numbers, sizeof numbers);
    if (isfinite(m->since)) h = scr_digest_bytes(h, &m->since, sizeof m->since);
    if (isfinite(m->until)) h = scr_digest_bytes(h, &m->until, sizeof m->until);
    if (m->servo) h = scr_servo_digest(h, &m->control);
    if (is_belt(m)) h = scr_digest_bytes(h, &m->surface, sizeof m->surface);
    const scr_window *windows[] = {&m->turning, &m->sliding, &m->swinging};
    for (int k = 0; k < 3; k++)
        if (is_bounded(windows[k])) h = scr_digest_bytes(h, windows[k], sizeof *windows[k]);
    if (v3_dot(m->slide, m->slide) > 0) h = scr_digest_bytes(h, &m->slide, sizeof m->slide);
    return scr_digest_bytes(h, m->table, (size_t)m->table_rows * SCR_MOTION_COLUMNS * sizeof *m->table);
}

/* ---- the table ---- */

// the row that begins the piece of the table in which t lies
static int table_piece(const scr_motion *m, double t)
{
    int low = 0, high = m->table_rows - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (m->table[SCR_MOTION_COLUMNS * middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// displacement and angle at time t; before the first row and after the last the wall rests there
static void table_at(const scr_motion *m, double t, double out[4])
{
    for (int k = 0; k < 4; k++) out[k] = 0;
    if (!m->table_rows) return;
    const double *row = m->table + SCR_MOTION_COLUMNS * table_piece(m, t);
    const double *next = m->table_rows > 1 ? row + SCR_MOTION_COLUMNS : row;
    double span = next[0] - row[0], part = span > 0 ? (t - row[0]) / span : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int k = 0; k < 4; k++) out[k] = row[k + 1] + part * (next[k + 1] - row[k + 1]);
}

/* ---- pose and velocity (1) ---- */

// less the travel of a servo
static vec3 shift_at(const scr_motion *m, double t, const double table[4])
{
    vec3 s = v3_scale(t, m->velocity);
    if (v3_dot(m->slide, m->slide) > 0) s = v3_axpy(s, gone(&m->sliding, t), m->slide);
    if (m->amplitude != 0)
        s = v3_axpy(s, m->amplitude * scr_sin(TURN * m->frequency * gone(&m->swinging, t) + m->phase), m->direction);
    return m->table_rows ? v3_add(s, v3_load(table)) : s;
}

// about the axis, and the shift that is to be added; in place: less what maps the surface to itself
static pose turn_at(const scr_wall *w, double t, bool in_place, vec3 *shift)
{
    const scr_motion *m = &w->motion;
    double table[4];
    table_at(m, t, table);
    *shift = shift_at(m, t, table);
    double angle = in_place && w->in_place ? 0 : m->rate * gone(&m->turning, t) + table[3];
    if (angle == 0) return (pose){0};
    pose p = pose_turn(m->axis, angle);
    p.shift = v3_sub(m->point, pose_vector(&p, m->point));
    return p;
}

// the motion alone, without what came before it
static pose motion_at(const scr_wall *w, double t, bool in_place)
{
    const scr_motion *m = &w->motion;
    vec3 shift;
    pose p = turn_at(w, t, in_place, &shift);
    if (m->servo) shift = v3_axpy(shift, w->travel, m->control.axis);
    if (!in_place && is_belt(m)) shift = v3_axpy(shift, t, m->surface);
    p.shift = p.turned ? v3_add(p.shift, shift) : shift;
    return p;
}

static pose pose_at(const scr_wall *w, double t)
{
    vec3 shift;
    pose turn = turn_at(w, t, true, &shift);
    return wall_pose(w, turn, shift);
}

pose scr_wall_frame(const scr_wall *w, double t)
{
    pose m = motion_at(w, t, false);
    return pose_after(&m, &w->base);
}

// what the wall moves from one time to another, over the time between; less what a servo adds, and the surface's own
static vec3 velocity_over(const scr_motion *m, double from, double to, double dt, vec3 *spin)
{
    double a[4], b[4], rate = m->rate * share(&m->turning, from, to, dt);
    vec3 velocity = m->velocity;
    if (v3_dot(m->slide, m->slide) > 0) velocity = v3_axpy(velocity, share(&m->sliding, from, to, dt), m->slide);
    double swing = m->amplitude != 0 ? share(&m->swinging, from, to, dt) : 0;
    if (swing > 0) {
        // sin b - sin a = 2 cos((a + b)/2) sin((b - a)/2) keeps its digits in short steps
        double middle = TURN * m->frequency * 0.5 * (gone(&m->swinging, from) + gone(&m->swinging, to)) + m->phase;
        double half = 0.5 * TURN * m->frequency * (swing * dt);
        double gain = dt > 0 ? 2 * scr_sin(half) / dt : TURN * m->frequency;
        velocity = v3_axpy(velocity, m->amplitude * gain * scr_cos(middle), m->direction);
    }
    if (m->table_rows && dt > 0) {
        table_at(m, from, a), table_at(m, to, b);
        velocity = v3_axpy(velocity, 1 / dt, v3_sub(v3_load(b), v3_load(a)));
        rate += (b[3] - a[3]) / dt;
    }
    *spin = v3_scale(rate, m->axis);
    return velocity;
}

// with a servo that stands still
static void set_velocity(scr_wall *w, double time)
{
    w->velocity = wall_velocity(&w->motion, velocity_over(&w->motion, time, time, 0, &w->spin), 0);
}

static bool is_there(const scr_motion *m, double t, double slack)
{
    return t >= m->since - slack && t < m->until - slack;
}

void scr_wall_init(scr_wall *w, double time)
{
    w->motion_source = scr_motion_digest(&w->motion);
    w->pose = w->anchor = pose_at(w, time);
    set_velocity(w, time);
    w->active = is_there(&w->motion, time, 0);
}

void scr_wall_adopt(scr_wall *w, const scr_wall *from, double time)
{
    w->travel = from->travel;
    w->held = from->held;
    w->force = from->force, w->torque = from->torque;
    memcpy(w->load, from->load, sizeof w->load);
    w->pose = from->pose, w->anchor = from->anchor;
    w->active = from->active;
    if (w->motion_source == from->motion_source) {
        w->base = from->base;
        w->velocity = from->velocity, w->spin = from->spin;
        return;
    }
    scr_wall_rebase(w, time);
}

void scr_wall_rebase(scr_wall *w, double time)
{
    pose motion = motion_at(w, time, true), back = pose_inverse(&motion);
    w->base = pose_after(&back, &w->pose);
    set_velocity(w, time);
    w->active = is_there(&w->motion, time, 0);
    // a wall that turns has its reference on the axis
    if (w->motion.turns) w->reference = pose_point_back(&w->base, w->motion.point);
}

/* ---- a step ---- */

static bool is_moving(const scr_motion *m)
{
    return v3_dot(m->velocity, m->velocity) > 0 || v3_dot(m->slide, m->slide) > 0 || m->rate != 0 ||
           m->amplitude != 0 || m->table_rows || m->servo || is_belt(m);
}

bool scr_wall_rests(const scr_wall *w)
{
    return !w->carried && !is_moving(&w->motion);
}

scr_wall_plan scr_wall_ahead(const scr_wall *w, double from, double to, double dt)
{
    const scr_motion *m = &w->motion;
    scr_wall_plan p = {.moves = is_moving(m), .governed = m->servo && w->active, .dt = dt};
    if (p.governed) p.signal = scr_signal_at(&m->control.signal, from);
    if (p.moves) p.velocity = velocity_over(m, from, to, dt, &p.spin), p.turn = turn_at(w, to, true, &p.shift);
    p.active = is_there(m, to, 1e-6 * dt);
    p.fresh = p.active && !w->active;
    return p;
}

bool scr_wall_move(scr_wall *w, double from, double to, double dt)
{
    scr_wall_plan p = scr_wall_ahead(w, from, to, dt);
    bool was = w->active;
    if (p.moves) wall_follow(w, &p, w->force);
    w->active = p.active, w->fresh = p.fresh;
    return w->active != was;
}

double scr_wall_strayed2(const scr_wall *w, vec3 lower, vec3 upper)
{
    return wall_strayed2(w, lower, upper);
}

double scr_wall_fastest(const scr_wall *w, vec3 lower, vec3 upper, double from, double to)
{
    const scr_motion *m = &w->motion;
    vec3 steady = v3_add(v3_add(m->velocity, m->slide), m->surface);
    double speed = v3_norm(steady) + TURN * fabs(m->frequency * m->amplitude), rate = 0;
    for (int k = 0; k + 1 < m->table_rows; k++) {
        const double *a = m->table + SCR_MOTION_COLUMNS * k, *b = a + SCR_MOTION_COLUMNS;
        if (b[0] < from || a[0] > to) continue;
        vec3 moved = v3_sub(v3_load(b + 1), v3_load(a + 1));
        rate = fmax(rate, fabs(b[4] - a[4]) / (b[0] - a[0]));
        speed = fmax(speed, v3_norm(steady) + v3_norm(moved) / (b[0] - a[0]));
    }
    if (m->servo) speed += m->control.most;
    rate += fabs(m->rate);
    double reach = 0;
    for (int k = 0; k < 8 && rate > 0; k++)
        reach = fmax(reach, v3_norm(v3_sub(box_corner(lower, upper, k), w->reference)));
    return speed + rate * reach;
}
