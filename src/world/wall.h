/* Walls: named bodies of infinite mass made of faces, and how they move.
 *
 * Faces are given in the rest frame of their wall; its pose brings them to where they are. Prescribed
 * motion is a function of time, so that it does not drift and a restart continues it exactly:
 *
 *   x(t) = p + R(n, w T + b(t)) (x_0 - p) + v t + u T + A d sin(2 pi f T + phi) + c(t) + s e   (1)
 *
 * with the rotation about the axis n through p, the translation u, oscillation, table (c, b) and the travel s of a
 * servo along e. Rotation, translation and oscillation count time within a window of their own, T = clamp(t, since,
 * until) - since. x_0 is the wall at rest (after `base`, for a run that continues with another motion). The
 * velocity of a step is what the wall moves in it over dt; surface points add spin x (x - reference).
 * A surface that moves along itself (a belt, a drum) stays where it is: its pose has none of that motion,
 * its velocity and the frame of what it carries do.
 *
 * Servos: world/servo.h. */
#ifndef SCREE_WORLD_WALL_H
#define SCREE_WORLD_WALL_H

#include <stdint.h>

#include "math/pose.h"
#include "math/total.h"
#include "shape/face.h"
#include "world/servo.h"

/* A table's row: time [s], displacement x, y, z [m], angle [rad] about the rotation axis. */
#define SCR_MOTION_COLUMNS 5

/* When a part of the motion begins and ends [s]. */
typedef struct {
    double since, until;
} scr_window;

typedef struct {
    vec3 velocity; /* v [m/s] */
    vec3 slide;    /* u [m/s] */
    /* of rotation, translation, oscillation; all zero: from time 0 on, for ever */
    scr_window turning, sliding, swinging;
    vec3 surface; /* of the surface along itself, beside v: the wall does not move with it [m/s] */
    /* rotation */
    bool turns;       /* at a rate, or as the table says */
    vec3 point, axis; /* p [m], n (unit) */
    double rate;      /* w [rad/s] */
    /* oscillation */
    vec3 direction;                     /* d (unit) */
    double amplitude, frequency, phase; /* A [m], f [Hz], phi [rad] */
    /* table, linear between its rows; a buffer */
    double *table;
    int table_rows;
    /* servo */
    bool servo;
    scr_servo control; /* e and the speed along it */
    /* the wall is there from `since` on, until `until` [s] */
    double since, until;
} scr_motion;

typedef struct {
    char *name;
    char *shape; /* as in the scene: plane, box, cylinder, ... */
    int material;
    int first_face, face_count; /* of world->faces */
    scr_motion motion;
    uint64_t motion_source; /* digest of the motion */
    vec3 reference;         /* in the rest frame; torque is about this point [m] */
    bool carried;           /* it moves with a part: that is its motion */
    int carrier;            /* which one: its number among the rigid bodies */
    bool governed;          /* it has a servo, in this stage of the run or another */
    bool in_place;          /* a surface that its rotation maps to itself: it slides but stays where it is */

    /* state */
    struct pose pose;    /* rest frame to world, now */
    struct pose anchor;  /* the same when the neighbour list was built */
    struct pose base;    /* where the motion starts from; carried: from here to the part's frame */
    vec3 velocity, spin; /* of the reference point and about it, over the last step [m/s, rad/s] */
    vec3 force, torque;  /* of the grains on the wall at the end of the last step [N, N m] */
    scr_total load[6];   /* force and torque again, as they add up without rounding, where it can move */
    double travel;       /* s of the servo [m] */
    scr_servo_state held;
    bool active; /* it is there */
    bool fresh;  /* it has come with this step: its overlaps bring energy */
} scr_wall;

static inline vec3 scr_wall_reference(const scr_wall *wall)
{
    return pose_point(&wall->pose, wall->reference);
}

/* Everything about the motion that is not state, as one number. */
uint64_t scr_motion_digest(const scr_motion *motion);

/* What is free to choose at the start: pose at this time, presence. Call when motion is set. */
void scr_wall_init(scr_wall *wall, double time);

/* Continues the state of an earlier wall of the same name; its motion may be another one. After
 * scr_wall_init. */
void scr_wall_adopt(scr_wall *wall, const scr_wall *from, double time);

/* The motion goes on from where the wall is: another motion, or a clock that was set. */
void scr_wall_rebase(scr_wall *wall, double time);

/* A step of length dt from time `from` to time `to`, with the servo's answer to the present force.
 * True when the wall has come or gone: then the neighbour list is too old. */
bool scr_wall_move(scr_wall *wall, double from, double to, double dt);

/* Where a body is carried that moves with the wall: as its pose, but a wall that turns in place turns. */
pose scr_wall_frame(const scr_wall *wall, double time);
/* Whether it never moves. */
bool scr_wall_rests(const scr_wall *wall);

/* How far any of the points in this box (of the rest frame) has moved since the list was built,
 * squared [m^2]. */
double scr_wall_strayed2(const scr_wall *wall, vec3 lower, vec3 upper);

/* A bound for the speed of the wall's points in this box of the rest frame, at any of these times [m/s]. */
double scr_wall_fastest(const scr_wall *wall, vec3 lower, vec3 upper, double from, double to);

/* Its load is its force and torque, as far as they are known: where its work is not booked by totals. */
void scr_wall_set_load(scr_wall *wall);

void scr_wall_deinit(scr_wall *wall);

#endif
