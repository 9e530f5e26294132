/* The law of servos (servo.h, (1)) and the motion of a wall that has one (wall.h, (1)), in one text for CPUs and GPUs:
 * plain IEEE operations. What does not depend on forces is planned ahead (wall.c). */
#ifndef SCREE_WORLD_SERVO_TEXT_H
#define SCREE_WORLD_SERVO_TEXT_H

#include "world/wall.h"

/* What is known of a step before the force on the wall is, which a servo answers to. */
typedef struct {
    bool moves;          /* it is one that moves */
    bool governed;       /* its servo is at work, */
    double signal;       /* and the target is multiplied by this */
    double dt;           /* [s] */
    struct pose turn;    /* about the axis at the end of the step, */
    vec3 shift;          /* and what is added to its shift, less the servo's travel [m] */
    vec3 velocity, spin; /* less the servo's speed, and that of the surface [m/s, rad/s] */
    bool active, fresh;  /* at the end */
} scr_wall_plan;
scr_wall_plan scr_wall_ahead(const scr_wall *wall, double from, double to, double dt);

/* The force to hold [N], where `signal` is that of this time. */
static inline double servo_target(const scr_servo *s, const scr_servo_state *state, double signal)
{
    return s->target * state->area * signal;
}

static inline double servo_force(const scr_servo *s, vec3 force)
{
    return -v3_dot(force, s->axis);
}

/* The speed of a step that begins with this force on the wall. */
static inline double servo_step(const scr_servo *s, scr_servo_state *state, vec3 force, double signal, double dt)
{
    double target = servo_target(s, state, signal), f = servo_force(s, force), error = target - f;
    double u = s->gain * (error + state->push);
    bool high = u > s->most, low = u < -s->most;
    bool met = f > 0 || state->strongest > 0;
    if (met && !(high && error > 0) && !(low && error < 0)) state->push += error * (dt / s->integral);
    if (f > state->strongest) state->strongest = f;
    if (target > 0 && f >= (1 - SCR_SERVO_MISS) * target && !(state->reached > 0)) state->reached = 1;
    state->span += dt, state->force_sum += f * dt, state->target_sum += target * dt;
    if (high || low) state->bound += dt, state->swing += high ? dt : -dt;
    return high ? s->most : low ? -s->most : u;
}

// between two planes, along the normal of the first
static inline double servo_distance(const scr_face *faces, const scr_wall *walls, const int pair[2])
{
    const scr_face *a = &faces[pair[0]], *b = &faces[pair[1]];
    const struct pose *p = &walls[a->wall].pose, *q = &walls[b->wall].pose;
    return fabs(v3_dot(pose_vector(p, a->axis), v3_sub(pose_point(q, b->point), pose_point(p, a->point))));
}

/* The area on which a pressure acts, from where the walls are. */
static inline double servo_area(const scr_face *faces, const scr_wall *walls, const scr_servo *s)
{
    if (!s->pairs) return 1;
    return servo_distance(faces, walls, s->between[0]) *
           (s->pairs > 1 ? servo_distance(faces, walls, s->between[1]) : s->width);
}

/* The pose of a wall after this turn and shift, with the travel of its servo. */
static inline struct pose wall_pose(const scr_wall *w, struct pose turn, vec3 shift)
{
    if (w->motion.servo) shift = v3_axpy(shift, w->travel, w->motion.control.axis);
    turn.shift = turn.turned ? v3_add(turn.shift, shift) : shift;
    return pose_after(&turn, &w->base);
}

/* The velocity of a step, of which this much was known ahead. */
static inline vec3 wall_velocity(const scr_motion *m, vec3 velocity, double servo_speed)
{
    if (m->servo) velocity = v3_axpy(velocity, servo_speed, m->control.axis);
    return v3_dot(m->surface, m->surface) > 0 ? v3_add(velocity, m->surface) : velocity;
}

/* A step as planned, with the servo's answer to this force. */
static inline void wall_follow(scr_wall *w, const scr_wall_plan *p, vec3 force)
{
    double speed = p->governed ? servo_step(&w->motion.control, &w->held, force, p->signal, p->dt) : 0;
    w->travel += speed * p->dt;
    w->velocity = wall_velocity(&w->motion, p->velocity, speed);
    w->spin = p->spin;
    w->pose = wall_pose(w, p->turn, p->shift);
}

// corner k of a box
static inline vec3 box_corner(vec3 lower, vec3 upper, int k)
{
    return v3(k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y, k & 4 ? upper.z : lower.z);
}

/* As scr_wall_strayed2. */
static inline double wall_strayed2(const scr_wall *w, vec3 lower, vec3 upper)
{
    if (!w->pose.turned && !w->anchor.turned) {
        vec3 moved = v3_sub(w->pose.shift, w->anchor.shift);
        return v3_dot(moved, moved);
    }
    // a difference of poses is linear: it is largest at a corner
    double most = 0;
    for (int k = 0; k < 8; k++) {
        vec3 x = box_corner(lower, upper, k);
        vec3 moved = v3_sub(pose_point(&w->pose, x), pose_point(&w->anchor, x));
        most = fmax(most, v3_dot(moved, moved));
    }
    return most;
}

#endif
