/* The bodies of a world: structure of arrays, listed once below.
 *
 * Rows are in spatial order and move when bodies are sorted; `id` never changes. Arrays that the
 * inner loop reads together for one body share a row of four doubles, so that one aligned vector
 * load brings a body's position and radius, or velocity and inverse mass. */
#ifndef SCREE_WORLD_BODIES_H
#define SCREE_WORLD_BODIES_H

#include "world/field.h"

#define SCR_MOST_BODIES ((size_t)1 << 30) /* rows are numbered in 31 bits */

/*        member    type     width unit     flags  doc */
#define SCR_BODY_FIELDS(F)                                                                                       \
    F(place, double, 4, "m", SCR_STATE | SCR_GHOST_STEP | SCR_DIGEST | SCR_RESULTS, "centre x, y, z and radius") \
    F(motion, double, 4, "m/s", SCR_STATE | SCR_GHOST_STEP | SCR_DIGEST | SCR_RESULTS,                           \
      "velocity, and inverse mass [1/kg] (0: never moves)")                                                      \
    F(spin, double, 4, "rad/s", SCR_STATE | SCR_GHOST_STEP | SCR_DIGEST | SCR_RESULTS,                           \
      "angular velocity, and inverse moment of inertia [1/(kg m^2)]")                                            \
    F(load, double, 8, "N", SCR_STATE | SCR_RESULTS,                                                             \
      "force and torque of the contacts at the end of the last step: "                                           \
      "x, y, z, 0, x, y, z, 0 [N, N m]")                                                                         \
    F(anchor, double, 4, "m", SCR_STATE | SCR_GHOST_LIST,                                                        \
      "place when the neighbour list was built; of a member of a carrier: place in it")                          \
    F(drift, double, 4, "m/s", SCR_STATE | SCR_GHOST_LIST, "velocity that the list expects it to go on with; 0") \
    F(mass, double, 1, "kg", SCR_STATE | SCR_GHOST_LIST | SCR_RESULTS, "mass, also of a frozen body")            \
    F(id, int64_t, 1, "", SCR_STATE | SCR_GHOST_LIST | SCR_RESULTS, "identity for life")                         \
    F(image, int32_t, 4, "", SCR_STATE | SCR_RESULTS, "how often it crossed each periodic boundary; 0")          \
    F(material, int32_t, 1, "", SCR_STATE | SCR_GHOST_LIST | SCR_RESULTS, "index of its material")               \
    F(group, int32_t, 1, "", SCR_STATE | SCR_GHOST_LIST | SCR_RESULTS, "index of its group")                     \
    F(carrier, int32_t, 1, "", SCR_STATE | SCR_GHOST_LIST | SCR_RESULTS,                                         \
      "what it moves with: see world/carrier.h; 0: nothing, it is free")                                         \
    F(side, int32_t, 1, "", SCR_STATE, "on which side of each watched plane: two bits each (flow.h)")

typedef struct {
    scr_table table; /* table.count bodies */
    /* In a part of a divided world (comm/share.h) the first `low` and the last `high` rows are ghosts, copies of bodies
     * that others move; else 0. */
    size_t low, high;
#define F(member, type, width, unit, flags, doc) type *member;
    SCR_BODY_FIELDS(F)
#undef F
} scr_bodies;

void scr_bodies_init(scr_bodies *bodies);

/* Rows of the bodies that are moved here: up to before the end. */
static inline size_t scr_bodies_end(const scr_bodies *bodies)
{
    return bodies->table.count - bodies->high;
}
static inline size_t scr_bodies_own(const scr_bodies *bodies)
{
    return bodies->table.count - bodies->low - bodies->high;
}

/* What a person sees of a body: names for parts of the rows, used by output, export and pictures.
 */
typedef struct {
    const char *name, *unit;
    const char *field; /* of the table above */
    int first, width;  /* which scalars of the row */
    const char *doc;
} scr_view;

extern const scr_view scr_body_views[]; /* ends with a NULL name */
const scr_view *scr_body_view(const char *name);

/* Body numbers in the order of ids: order[0] is the body of the smallest id. Room for table.count.
 */
void scr_bodies_by_id(const scr_bodies *bodies, uint32_t *order);

#endif
