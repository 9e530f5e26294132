/* Places of elastic solids that an observer listens at: found once, when it is opened, since cells keep their numbers.
 * Derived from the scene: not part of the state. */
#ifndef SCREE_WORLD_RECEIVER_H
#define SCREE_WORLD_RECEIVER_H

#include <stdint.h>

#include "math/vec3.h"

/* One cell that counts at a place, at a point of it in the reference state: its centre, or that of a face. */
typedef struct {
    uint32_t cell;
    double weight; /* their sum at a place is 1 */
    vec3 point;    /* [m] */
    vec3 normal;   /* of the face, unit, outward; zero: none */
    double height; /* of the face above the cell's centre [m] */
    double area;   /* [m^2] */
} scr_receiver_entry;

typedef struct {
    char *name; /* of the observer */
    int place_count;
    int *first; /* place_count + 1: where the entries of each begin */
    scr_receiver_entry *entries;
} scr_receiver;

struct scr_world;
void scr_receivers_deinit(struct scr_world *world);
const scr_receiver *scr_receiver_find(const struct scr_world *world, const char *name);
/* An empty one of this name, new or emptied; NULL when memory is exhausted. */
scr_receiver *scr_receiver_add(struct scr_world *world, const char *name);

#endif
