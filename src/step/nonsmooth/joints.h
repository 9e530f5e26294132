/* Joints as rows of the solver: G v + S l = rhs (Servin & Wang 2015, with the signs of
 * docs/theory-nonsmooth.md). With the arms r_a, r_b of the joint's point, D = x_b + r_b - x_a - r_a and unit
 * vectors e, G as [v_a, w_a, v_b, w_b]:
 *
 *   point, 3 rows:      g = D.e;     [-e, -(r_a x e), e, r_b x e]                       ball, hinge, lock
 *   axis, 2 rows:       g = A.p;     [0, A x p, 0, -(A x p)]  p fixed in b              hinge
 *   turn, 3 rows:       g = 2 vec(q_b q_0^-1 q_a^-1);  [0, -e, 0, e]                    lock, slider
 *   aside, 2 rows:      g = D.p;     [-p, -((r_a + D) x p), p, r_b x p]  p fixed in a   slider
 *   along the free direction: motor, and one-sided limits                               hinge, slider
 *
 * Holonomic rows have S = 4 c Y/h^2 and rhs = -(4/h) Y g + Y G v with the compliance c; that of a motor is
 * its speed, with an impulse of at most strength times h. Impacts see the rows with rhs = 0. */
#ifndef SCREE_STEP_NONSMOOTH_JOINTS_H
#define SCREE_STEP_NONSMOOTH_JOINTS_H

#include "step/nonsmooth/work.h"

/* Rows of all joints at the present positions; room for them. */
bool scr_ns_joints_reserve(ns_work *k, const scr_world *w);
void scr_ns_joints_build(ns_work *k, const scr_world *w, double end);
/* rhs and bounds for impacts, and the books after them. */
void scr_ns_joints_impact(ns_work *k);
void scr_ns_joints_impact_end(ns_work *k, scr_world *w);
/* The same of the continuous stage; velocities are those before gravity. */
void scr_ns_joints_aim(ns_work *k, const scr_world *w);
void scr_ns_joints_end(ns_work *k, scr_world *w);
/* Coordinates and errors, when the bodies have moved. */
void scr_ns_joints_measure(const ns_work *k, scr_world *w);

#endif
