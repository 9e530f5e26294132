/* A periodic domain that deforms: its edges, how fast they change, and what makes them.
 *
 * The images of a body are at x + H n, n whole numbers, and move at v + dH/dt n. H has the edges as its columns,
 *
 *       | Lx  xy  xz |
 *   H = | 0   Ly  yz |      lengths L of the domain, and the offsets xy, xz, yz of images across a side (Lees &
 *       | 0   0   Lz |      Edwards 1972): those of the next layer along z are shifted by xz along x.            (1)
 *
 * Places stay in the rectangular domain, whose centre c rests. With the velocity gradient G = dH/dt H^-1, which is
 * triangular as H is, a medium that deforms with the box moves as v = G (x - c). Six numbers of a tensor or of H are
 * kept in the order xx, yy, zz, xy, xz, yz.
 *
 * dH/dt changes at steps of fixed numbers, and then all bodies get the difference dG (x - c): they are carried with the
 * box, also where nothing holds them together. In between they follow Newton's laws with the forces alone, and who goes
 * out at one side comes in at the other with the velocity of its image there.
 *
 * The work of the box is that of the forces F of contacts between a body and the image H n of another,
 *
 *   dW/dt = sum F . dH/dt n = G : S,   S = sum F (H n)^T   (F on the first body, at d = x_i - x_j - H n)      (2)
 *
 * and what bodies gain where their velocity is changed: as the box changes its speed, and as they go through a side. S
 * changes too where a body goes through a side, by -F_i (H w)^T, F_i the sum of its forces.
 * Stress, compression positive: V s = sum F d^T + sum m u u^T, u = v - G (x - c) - mean. */
#ifndef SCREE_WORLD_BOX_H
#define SCREE_WORLD_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"
#include "world/servo.h"

#define SCR_BOX_PARTS 6 /* xx, yy, zz, xy, xz, yz */

typedef enum { SCR_BOX_FREE, SCR_BOX_RATE, SCR_BOX_STRESS } scr_box_how;

/* Of the scene: what is asked of each part. A part that is free does not change. */
typedef struct {
    bool given;
    double since, until; /* [s] */
    int how[SCR_BOX_PARTS];
    double rate[SCR_BOX_PARTS];     /* of G [1/s] */
    scr_signal signal;              /* that multiplies rates */
    scr_servo servo[SCR_BOX_PARTS]; /* of the parts that have a stress; forces are pressures, speeds rates */
    double sign[SCR_BOX_PARTS];     /* -1: the stress to hold is negative, and the servo sees it turned */
} scr_box_plan;

/* Of a domain: beside its corners. */
typedef struct {
    bool deforms;                /* or has: what follows counts */
    double tilt[3];              /* xy, xz, yz [m] */
    double speed[SCR_BOX_PARTS]; /* dH/dt [m/s] */
} scr_box;

/* What else the box remembers: rows of numbers, F(name, count). */
#define SCR_BOX_NUMBERS(F)                                                                               \
    F(start, 3)                    /* lengths when strain was none [m] */                                \
    F(shear, 3)                    /* strains xy, xz, yz: integrals of G */                              \
    F(sides, SCR_BOX_PARTS)        /* S of the last step [N m] */                                        \
    F(inner, SCR_BOX_PARTS)        /* sum F d^T of the last step at which speeds can change */           \
    F(chosen, 3)                   /* largest rate, gain and integral time of servos [1/s, 1/Pa/s, s] */ \
    F(listed_lower, 3)             /* the box when the neighbour list was built [m], */                  \
    F(listed_upper, 3)             /* */                                                                 \
    F(listed_tilt, 3)              /* */                                                                 \
    F(listed_speed, SCR_BOX_PARTS) /* and how it was expected to go on [m/s] */

#define F(member, count) double member[count];
typedef struct {
    SCR_BOX_NUMBERS(F)
} scr_box_state;
#undef F

/* The box of a world: what it shall do, and what it remembers. */
typedef struct {
    scr_box_plan plan;
    scr_box_state now;
    scr_servo_state held[SCR_BOX_PARTS];
} scr_box_drive;

struct scr_world;

extern const char *const scr_box_names[SCR_BOX_PARTS]; /* xx ... */

void scr_box_plan_deinit(scr_box_plan *plan);

/* H as six numbers. */
void scr_box_edges(const struct scr_world *world, double edges[SCR_BOX_PARTS]);
/* G of edges that change at these speeds, and speeds that make it. */
void scr_box_gradient(const double edges[SCR_BOX_PARTS], const double speed[SCR_BOX_PARTS],
                      double gradient[SCR_BOX_PARTS]);
void scr_box_speed(const double edges[SCR_BOX_PARTS], const double gradient[SCR_BOX_PARTS],
                   double speed[SCR_BOX_PARTS]);
/* G now. */
void scr_box_gradient_now(const struct scr_world *world, double gradient[SCR_BOX_PARTS]);

/* A triangular matrix times a vector. */
static inline vec3 scr_box_times(const double m[SCR_BOX_PARTS], vec3 x)
{
    return v3(m[0] * x.x + m[3] * x.y + m[4] * x.z, m[1] * x.y + m[5] * x.z, m[2] * x.z);
}

double scr_box_volume(const struct scr_world *world);
vec3 scr_box_centre(const struct scr_world *world);
/* Strains: logarithms of the lengths over those at the start, and shears. */
void scr_box_strain(const struct scr_world *world, double strain[SCR_BOX_PARTS]);

/* G : S now, the power of the box [W]. */
double scr_box_power(const struct scr_world *world);

/* The box a time dt later. */
void scr_box_move(struct scr_world *world, double dt);
/* G that the plan asks for until a time dt from now. The stress is that of now: servos answer to it. */
void scr_box_wish(struct scr_world *world, const double stress[SCR_BOX_PARTS], double dt,
                  double gradient[SCR_BOX_PARTS]);
/* Whether some part has a stress to hold. */
bool scr_box_governed(const scr_box_plan *plan);

/* The box as it is becomes that from which strains are counted. */
void scr_box_begin(struct scr_world *world);
/* Its shape, motion and memory of another world, whose plan may be another. */
void scr_box_adopt(struct scr_world *world, const struct scr_world *from);

#endif
