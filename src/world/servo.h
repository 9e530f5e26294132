/* Servos: walls that move so that the grains press on them with a given force.
 *
 * The wall is driven along e, towards the grains, with the speed
 *
 *   u = clamp(g (T - f + q), -most, most),   dq/dt = (T - f) / tau,   f = -e . force of the grains on the wall     (1)
 *
 * of a proportional-integral controller with the gain g and the integral time tau (none: q = 0). Against a sample of
 * the stiffness k the error T - f dies away as the solutions of s^2 + k g s + k g / tau = 0: without oscillating where
 * tau > 4/(k g); a jump of the target is overshot by about 1/(k g tau) of it, and forgotten within tau. A sample that
 * recedes with the speed v leaves the error v/g without the integral, and none with it.
 * While u is at its bound q stands still, unless it leads back; and before the wall has met grains.
 *
 * The target T is a force, or a pressure times an area, times a function of time. An area that follows other walls is
 * the product of the distances of two pairs of them, or one distance times a given width: areas are found before any
 * wall moves, so that the order of walls does not matter. */
#ifndef SCREE_WORLD_SERVO_H
#define SCREE_WORLD_SERVO_H

#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"
#include "world/signal.h"

struct scr_world;

typedef struct {
    vec3 axis;         /* e (unit), towards the grains */
    double target;     /* of the full signal: [N], or [Pa] where the area follows walls */
    double gain;       /* g [m/s/N] */
    double most;       /* [m/s] */
    double integral;   /* tau [s]; INFINITY: none */
    scr_signal signal; /* that multiplies the target */
    int pairs;         /* whose distances make the area: 0, the target is a force; 1 or 2 */
    int between[2][2]; /* the faces of these pairs: planes */
    double width;      /* [m] with one pair */
} scr_servo;

/* What a servo remembers: sums since the last look at it, and what the looks found. */
#define SCR_SERVO_NUMBERS(F)                                                                      \
    F(push)         /* q [N] */                                                                   \
    F(area)         /* on which the pressure acts [m^2]; 1 with a force */                        \
    F(reached)      /* 1: the force has come within 5 % of the target; 2: before the last look */ \
    F(span)         /* time since the last look [s], */                                           \
    F(force_sum)    /* and the sums of force and target in it [N s] */                            \
    F(target_sum)   /* */                                                                         \
    F(bound)        /* of it, time at the largest speed [s], */                                   \
    F(swing)        /* and the same with the sign of the speed */                                 \
    F(strongest)    /* largest force so far [N] */                                                \
    F(held)         /* time between looks since the target was reached [s] */                     \
    F(missed)       /* of it, time in which the mean missed the target */                         \
    F(worst_force)  /* mean force where it missed by most [N], */                                 \
    F(worst_target) /* mean target there [N], */                                                  \
    F(worst_time)   /* when that look was [s], */                                                 \
    F(worst_bound)  /* the part of the time at the largest speed, */                              \
    F(worst_swing)  /* and the same with the sign of the speed */

#define F(member) double member;
typedef struct {
    SCR_SERVO_NUMBERS(F)
} scr_servo_state;
#undef F
#define SCR_SERVO_STATE_WIDTH ((int)(sizeof(scr_servo_state) / sizeof(double)))

#define SCR_SERVO_MISS 0.05 /* of the target: a mean force further away than this has missed it */

/* Everything about it that is not state, as one number on top of h. */
uint64_t scr_servo_digest(uint64_t h, const scr_servo *servo);
void scr_servo_deinit(scr_servo *servo);

/* The force to hold now [N]. */
double scr_servo_target(const scr_servo *servo, const scr_servo_state *state, double time);
/* The force that the grains exert against its axis [N], of their force on the wall. */
double scr_servo_force(const scr_servo *servo, vec3 force);
/* The speed of a step that begins at this time [m/s], (1). */
double scr_servo_step(const scr_servo *servo, scr_servo_state *state, vec3 force, double time, double dt);

/* The areas of all servos from where the walls are. Before walls are moved. */
void scr_servos_measure(struct scr_world *world);
/* Ends the interval between two looks for all servos; at fixed steps. */
void scr_servos_look(struct scr_world *world);

#endif
