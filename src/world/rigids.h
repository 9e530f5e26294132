/* Rigid bodies beyond single spheres: parts of machines (walls with mass), clumps of spheres, aggregates.
 *
 * State are the centre of mass x, its velocity v, the turn q from the body frame (principal axes) to the
 * world, and the angular momentum L about the centre. The angular velocity follows from them,
 *
 *   w = R I^-1 R^T L,                                                                            (1)
 *
 * so that a body left alone keeps L to the last bit and there is no gyroscopic term to integrate.
 * A step turns the body with the angular velocity in the middle of the step,
 *
 *   q <- exp(h w_m) q,   w_m = (1) at exp(h/2 w_m) q,                                            (2)
 *
 * which is symmetric in time: the energy of a tumbling body swings within O(h^2) and does not drift.
 *
 * Bodies of a rigid body are its members: their carrier is that of the rigid body (world/carrier.h), and
 * their anchor is where their centre is in the body frame, from the centre of mass. Walls may be carried
 * by a part (scr_wall.carrier). Rows 0 to part_count - 1 are the parts in the order of the scene. */
#ifndef SCREE_WORLD_RIGIDS_H
#define SCREE_WORLD_RIGIDS_H

#include "math/quat.h"
#include "math/sym3.h"
#include "world/field.h"

typedef enum { SCR_RIGID_PART, SCR_RIGID_CLUMP, SCR_RIGID_AGGREGATE } scr_rigid_kind;

/*        member    type     width unit     flags  doc */
#define SCR_RIGID_FIELDS(F)                                                                                  \
    F(centre, double, 4, "m", SCR_STATE | SCR_DIGEST, "centre of mass x, y, z, and mass [kg]")               \
    F(velocity, double, 4, "m/s", SCR_STATE | SCR_DIGEST, "velocity, and inverse mass [1/kg]")               \
    F(momentum, double, 4, "kg m^2/s", SCR_STATE | SCR_DIGEST, "angular momentum about the centre; 0")       \
    F(turn, double, 4, "", SCR_STATE | SCR_DIGEST, "quaternion w, x, y, z from the body frame to the world") \
    F(inertia, double, 4, "kg m^2", SCR_STATE, "principal moments of inertia; 0")                            \
    F(load, double, 8, "N", SCR_STATE,                                                                       \
      "force and torque of contacts and joints in the last step: x, y, z, 0, x, y, z, 0 [N, N m]")           \
    F(image, int32_t, 4, "", SCR_STATE, "how often it crossed each periodic boundary; 0")                    \
    F(kind, int32_t, 1, "", SCR_STATE, "0: part, 1: clump, 2: aggregate")                                    \
    F(source, int32_t, 1, "", SCR_STATE, "which part of the scene, group of the clump; -1: none")

typedef struct {
    scr_table table; /* table.count rigid bodies */
#define F(member, type, width, unit, flags, doc) type *member;
    SCR_RIGID_FIELDS(F)
#undef F
} scr_rigids;

/* What a part has beside its row. */
typedef struct {
    char *name;
} scr_part;

struct scr_world;

void scr_rigids_init(scr_rigids *rigids);

/* One more row, for which there is room: at rest. */
size_t scr_rigid_add(scr_rigids *rigids, scr_rigid_kind kind, int source, vec3 centre, double mass, vec3 moments,
                     quat turn);

static inline pose scr_rigid_pose(const scr_rigids *r, size_t k)
{
    return quat_pose(quat_load(r->turn + 4 * k), v3_load(r->centre + 4 * k));
}
/* (1) */
vec3 scr_rigid_spin(const scr_rigids *r, size_t k);
/* Sets L from an angular velocity. */
void scr_rigid_set_spin(scr_rigids *r, size_t k, vec3 spin);
/* The tensor of inertia and its inverse in the world. */
sym3 scr_rigid_inertia(const scr_rigids *r, size_t k);
sym3 scr_rigid_inverse_inertia(const scr_rigids *r, size_t k);

/* Clumps and aggregates with this source vanish in scr_rigids_drop; the carriers of bodies follow their new rows. Their
 * members must be gone by then. */
#define SCR_RIGID_GONE (-2)
void scr_rigids_drop(struct scr_world *world);

/* x += h v and (2). */
void scr_rigid_advance(scr_rigids *r, size_t k, double h);

/* Kinetic energies, and -m g.x counted through periodic boundaries [J]. */
double scr_rigid_translation(const scr_rigids *r, size_t k);
double scr_rigid_rotation(const scr_rigids *r, size_t k);
double scr_rigid_potential(const struct scr_world *world, size_t k);

/* Place, velocity and spin of every member, pose and velocity of every carried wall, from the rigid
 * bodies as they are now. */
void scr_rigids_carry(struct scr_world *world);
/* The members alone, of rows `first` to `end` of the bodies. */
void scr_rigids_carry_bodies(struct scr_world *world, size_t first, size_t end);

#endif
