#include "world/sensor.h"

#include <stdlib.h>

#include "world/world.h"

bool scr_sensor_holds(const scr_world *w, const scr_sensor *sensor, vec3 x)
{
    if (sensor->wall >= 0) {
        const scr_wall *wall = &w->walls[sensor->wall];
        if (!wall->active) return false;
        x = pose_point_back(&wall->pose, x);
    }
    return scr_region_holds(&sensor->region, x, 0, 0);
}

void scr_sensors_deinit(scr_world *w)
{
    for (int k = 0; k < w->sensor_count; k++) free(w->sensors[k].name);
    free(w->sensors);
    w->sensors = NULL;
    w->sensor_count = 0;
}
