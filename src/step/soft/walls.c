#include "step/soft/walls.h"

#include "exec/cpu/threads.h"

bool soft_walls_move(scr_world *w, double dt)
{
    bool stale = false;
    for (int k = 0; k < w->wall_count; k++) {
        scr_wall *wall = &w->walls[k];
        if (v3_dot(wall->velocity, wall->velocity) == 0) continue;
        wall->offset = v3_axpy(wall->offset, dt, wall->velocity);
        vec3 moved = v3_sub(wall->offset, wall->anchor);
        stale |= v3_dot(moved, moved) > scr_pairs_slack2(w);
        for (int f = 0; f < w->face_count; f++)
            if (w->faces[f].wall == k) w->faces[f].point = v3_add(w->faces[f].rest, wall->offset);
    }
    return stale;
}

static vec3 sum3(const double *first, size_t blocks, size_t stride)
{
    return v3(scr_sum(first, blocks, stride), scr_sum(first + 1, blocks, stride),
              scr_sum(first + 2, blocks, stride));
}

void soft_walls_add_up(const soft_task *t)
{
    scr_world *w = t->world;
    size_t blocks = t->pairs->block_count, stride = SOFT_WALL_SUMS * (size_t)w->wall_count;
    for (int m = 0; m < w->wall_count; m++) {
        scr_wall *wall = &w->walls[m];
        const double *on = t->wall_loads + SOFT_WALL_SUMS * m;
        vec3 force = sum3(on, blocks, stride);
        // the wall's force on the bodies acts in the half steps before and after its time
        w->ledger.wall_work -= 0.5 * t->dt * v3_dot(v3_add(wall->force, force), wall->velocity);
        wall->force = force;
        wall->torque = sum3(on + 3, blocks, stride);
    }
}
