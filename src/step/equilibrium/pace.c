/* Prescribed motion in a load step of grains that are put to rest (rest.c).
 *
 * From one equilibrium to the next walls and groups do the work
 *
 *   W = - (F + F')/2 . way - (T + T')/2 . turn,                                                                (1)
 *
 * F and T being the forces of the grains on them before and after: of second order in the way, and exact where forces
 * are linear in it. */
#include <math.h>

#include "step/variational/work.h"

// where a body is, counted through periodic boundaries
static vec3 place_of(const scr_world *w, size_t i)
{
    const double *x = w->bodies.place + 4 * i;
    const int32_t *n = w->bodies.image + 4 * i;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    return v3(x[0] + n[0] * size.x, x[1] + n[1] * size.y, x[2] + n[2] * size.z);
}

/* Equal parts of a span of time such that nothing moves by more than `most` in one; 0 where nothing moves. */
int64_t scr_var_parts(const var_work *w, double from, double span, double most)
{
    const scr_world *world = w->world;
    double fastest = 0;
    for (int k = 0; k < world->wall_count; k++) {
        const scr_wall *wall = &world->walls[k];
        if (scr_wall_rests(wall)) continue;
        vec3 lower, upper;
        scr_world_wall_box(world, wall, &lower, &upper);
        fastest = fmax(fastest, scr_wall_fastest(wall, lower, upper, from, from + span));
    }
    for (size_t i = 0; i < world->bodies.table.count; i++) {
        const scr_drive *drive = &world->groups[world->bodies.group[i]].drive;
        if (drive->moves) fastest = fmax(fastest, scr_drive_fastest(drive, from, place_of(world, i)));
    }
    return (int64_t)fmin(ceil(fastest * span / most), 1e9);
}

/* Half of (1) with the forces as they are; call it before with the way there, and after with the way back, less. */
double scr_var_wall_share(const scr_world *world, double from, double span)
{
    double sum = 0;
    for (int k = 0; k < world->wall_count; k++) {
        scr_wall wall = world->walls[k];
        scr_wall_move(&wall, from, from + span, span);
        sum -= 0.5 * span * (v3_dot(wall.force, wall.velocity) + v3_dot(wall.torque, wall.spin));
    }
    return sum;
}

double scr_var_group_share(const scr_world *world, double from, double span)
{
    const scr_bodies *b = &world->bodies;
    double sum = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        const scr_drive *drive = &world->groups[b->group[i]].drive;
        if (!drive->moves) continue;
        scr_drive_step over = scr_drive_over(drive, from, span);
        vec3 at = place_of(world, i), way = v3_sub(scr_drive_place(&over, at), at);
        const double *load = b->load + 8 * i;
        sum -= 0.5 * (v3_dot(v3_load(load), way) + span * v3_dot(v3_load(load + 4), over.spin));
    }
    return sum;
}
