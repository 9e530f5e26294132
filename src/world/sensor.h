/* Sensors: regions in which aggregates are split. They come from the scene, so checkpoints do not hold them. */
#ifndef SCREE_WORLD_SENSOR_H
#define SCREE_WORLD_SENSOR_H

#include "scene/region.h"

struct scr_world;

typedef struct {
    char *name;
    scr_region region; /* in the rest frame of its wall: as the scene writes both */
    int wall;          /* that it moves with, -1: none */
} scr_sensor;

/* Whether a point is inside now. A sensor that moves with a wall is there while the wall is. */
bool scr_sensor_holds(const struct scr_world *world, const scr_sensor *sensor, vec3 x);

void scr_sensors_deinit(struct scr_world *world);

#endif
