/* Joints between two parts, or a part and the ground: ball (3 rows), hinge (5), slider (5), lock (6), with a
 * motor and a limit along the free direction of hinges and sliders. How they are solved for is in
 * step/nonsmooth/joints.h; here is what they are, and their state.
 *
 * The coordinate of a hinge is the angle by which the second body has turned about the axis since the
 * start, seen from the first, counted on beyond a whole turn; that of a slider is the distance it has
 * moved along the axis. Positive speeds and motor forces turn or push the second body along the axis. */
#ifndef SCREE_WORLD_JOINT_H
#define SCREE_WORLD_JOINT_H

#include "world/rigids.h"

typedef enum { SCR_JOINT_BALL, SCR_JOINT_HINGE, SCR_JOINT_SLIDER, SCR_JOINT_LOCK } scr_joint_kind;

#define SCR_GROUND (-1)

/* Impulses of the last step, kept for the start of the next: those of the joint's rows, then these. */
#define SCR_JOINT_ROWS  8
#define SCR_JOINT_MOTOR 6
#define SCR_JOINT_LIMIT 7

/*   member   count   what */
#define SCR_JOINT_STATE(F)                                                                   \
    F(coordinate, 1)           /* angle [rad] or distance [m] */                             \
    F(speed, 1)                /* its rate over the last step */                             \
    F(drive, 1)                /* torque [N m] or force [N] of the motor in the last step */ \
    F(power, 1)                /* of the motor in the last step [W] */                       \
    F(error, 1)                /* distance of the two points that should be one [m] */       \
    F(force, 3)                /* of the joint on the second body in the last step [N] */    \
    F(torque, 3)               /* the same, about the joint's point [N m] */                 \
    F(impulse, SCR_JOINT_ROWS) /* [N s], [N m s] */

typedef struct {
    char *name;
    int kind;           /* scr_joint_kind */
    int body[2];        /* rigid bodies; SCR_GROUND: what rests */
    vec3 point[2];      /* the joint's point in their body frames, from the centre; ground: in the world [m] */
    vec3 axis[2];       /* unit, in their body frames */
    quat rest;          /* q_a^-1 q_b at the start */
    double (*motor)[2]; /* time [s] and speed [rad/s, m/s], linear between the rows; owned; NULL: none */
    int motor_rows;
    double strength; /* most torque or force of the motor [N m, N] */
    bool limited;
    double low, high;  /* of the coordinate */
    double compliance; /* [m/N] */
#define F(member, count) double member[count];
    SCR_JOINT_STATE(F)
#undef F
} scr_joint;

void scr_joint_deinit(scr_joint *joint);

/* Whether it has a coordinate. */
static inline bool scr_joint_moves(const scr_joint *joint)
{
    return joint->kind == SCR_JOINT_HINGE || joint->kind == SCR_JOINT_SLIDER;
}

/* The joint with its point, axis (of any length, or zero) and rest given by where things are now. */
void scr_joint_place(scr_joint *joint, const scr_rigids *rigids, vec3 point, vec3 axis);

/* A body of a joint as it is now; the ground rests at the origin. */
typedef struct {
    vec3 centre;
    quat turn;
    vec3 arm; /* from the centre to the joint's point */
} scr_joint_end;
scr_joint_end scr_joint_end_of(const scr_joint *joint, const scr_rigids *rigids, int side);

/* Coordinate as things are now; a hinge's goes on from the last one. 0 where there is none. */
double scr_joint_coordinate(const scr_joint *joint, const scr_rigids *rigids);
/* The motor's speed at a time. */
double scr_joint_target(const scr_joint *joint, double time);

#endif
