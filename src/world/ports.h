/* Ports: inlets and outlets, where bodies enter and leave while the world moves. What they have done
 * so far is state; where and how fast comes from the scene. */
#ifndef SCREE_WORLD_PORTS_H
#define SCREE_WORLD_PORTS_H

#include "scene/region.h"

struct scr_world;

/* State of an inlet. What is due in part is owed: fractions of a grain are never forgotten. */
#define SCR_INLET_NUMBERS(F)                                                                 \
    F(time, double)   /* up to which `owed` is reckoned [s] */                               \
    F(owed, double)   /* grains, or mass [kg], that should have come by then and have not */ \
    F(lost, double)   /* the same, given up because the region was full */                   \
    F(mass, double)   /* that has come [kg] */                                               \
    F(count, int64_t) /* of bodies that have come */                                         \
    F(draws, int64_t) /* random numbers used for places and velocities */

#define SCR_OUTLET_NUMBERS(F)                  \
    F(mass, double)   /* that has left [kg] */ \
    F(count, int64_t) /* of bodies that have left */

typedef struct {
    char *name; /* as its group */
    int group;
    double radius[2]; /* of what will come: smallest and largest [m] */
    double speed;     /* the fastest [m/s] */
#define F(member, type) type member;
    SCR_INLET_NUMBERS(F)
#undef F
} scr_inlet;

typedef struct {
    char *name;
    scr_region region;
    double start, until; /* [s] */
#define F(member, type) type member;
    SCR_OUTLET_NUMBERS(F)
#undef F
} scr_outlet;

void scr_ports_deinit(struct scr_world *world);

const scr_inlet *scr_inlet_find(const struct scr_world *world, const char *name);
const scr_outlet *scr_outlet_find(const struct scr_world *world, const char *name);

/* The outlet that takes this body now, or -1. */
int scr_outlet_of(const struct scr_world *world, size_t body);

/* Whether some outlet would take some body now: one pass over all bodies for each that is open. */
bool scr_outlets_are_due(const struct scr_world *world);

/* What ports of the same names have done in `from` becomes theirs; all zero when `from` is NULL. */
void scr_ports_continue(struct scr_world *world, const struct scr_world *from);

#endif
