/* Walls in a sub-step. Their velocity is what they move in it over h; the stage sees them where they are then. Grains
 * that are put to rest see walls that move by a span of the load's time in a sub-step of another length. */
#include "exec/cpu/threads.h"
#include "step/variational/work.h"

// true when a wall has come or gone: the list is too old
bool scr_var_walls_prepare(var_work *w)
{
    scr_world *world = w->world;
    bool changed = false;
    scr_servos_measure(world);
    for (int k = 0; k < world->wall_count; k++) {
        scr_wall *wall = &world->walls[k];
        if (w->sub.span == 0) {
            w->walls.at[k] = (var_wall){wall->pose, wall->pose, wall->pose, wall->travel, wall->held};
            wall->velocity = wall->spin = v3(0, 0, 0);
            wall->fresh = false;
            continue;
        }
        scr_wall stage = *wall, end = *wall;
        double part = w->sub.theta * w->sub.span;
        if (w->sub.s < w->sub.h) scr_wall_move(&stage, w->sub.from, w->sub.from + part, part);
        changed |= scr_wall_move(&end, w->sub.from, w->sub.from + w->sub.span, w->sub.span);
        w->walls.at[k] = (var_wall){.start = wall->pose,
                                    .stage = w->sub.s < w->sub.h ? stage.pose : end.pose,
                                    .end = end.pose,
                                    .travel = end.travel,
                                    .held = end.held};
        wall->velocity = v3_scale(w->sub.span / w->sub.h, end.velocity);
        wall->spin = v3_scale(w->sub.span / w->sub.h, end.spin);
        wall->active = end.active, wall->fresh = end.fresh;
    }
    return changed;
}

// a wall that went has let its contacts go: if it is still there in a shorter sub-step, it comes again
void scr_var_walls_undo(var_work *w)
{
    for (int k = 0; k < w->world->wall_count; k++) w->world->walls[k].pose = w->walls.at[k].start;
}

void scr_var_walls_pose(var_work *w, var_moment when)
{
    for (int k = 0; k < w->world->wall_count; k++) {
        scr_wall *wall = &w->world->walls[k];
        const var_wall *at = &w->walls.at[k];
        wall->pose = when == VAR_AT_START ? at->start : when == VAR_AT_STAGE ? at->stage : at->end;
        if (when == VAR_AT_END) wall->travel = at->travel, wall->held = at->held;
    }
}

// planes that are contacts by themselves, where they are in the sub-step
void scr_var_planes_place(var_work *w)
{
    for (size_t k = 0; k < w->walls.plane_count; k++) {
        var_plane *plane = &w->walls.planes[k];
        const scr_face *face = &w->world->faces[plane->face];
        const var_wall *at = &w->walls.at[face->wall];
        const pose *const poses[] = {&at->start, &at->stage, &at->end};
        for (int m = VAR_AT_START; m <= VAR_AT_END; m++) {
            plane->axis[m] = pose_vector(poses[m], face->axis);
            plane->point[m] = pose_point(poses[m], face->point);
        }
    }
}

static vec3 sum3(const double *first, size_t blocks, size_t stride)
{
    return v3(scr_sum(first, blocks, stride), scr_sum(first + 1, blocks, stride), scr_sum(first + 2, blocks, stride));
}

void scr_var_walls_add_up(var_work *w)
{
    scr_world *world = w->world;
    size_t blocks = w->pairs->block_count, stride = VAR_WALL_SUMS * (size_t)world->wall_count;
    for (int m = 0; m < world->wall_count; m++) {
        scr_wall *wall = &world->walls[m];
        const double *on = w->walls.loads + VAR_WALL_SUMS * m;
        wall->force = sum3(on, blocks, stride), wall->torque = sum3(on + 3, blocks, stride);
        if (!var_is(w, VAR_BOOKS))
            world->ledger.wall_work -=
                w->sub.h * (v3_dot(wall->force, wall->velocity) + v3_dot(wall->torque, wall->spin));
    }
}
