#include "build/obstacles.h"

#include "base/memory.h"

#define FEW_FACES 8 /* a tree costs more than it saves */

/* What is gathered of one wall. */
typedef struct {
    const scr_face *faces;
    const pose *pose;
    vec3 x; /* in the wall's frame */
    double reach;
    scr_obstacle *found;
    size_t room, count;
} search;

static bool add_face(void *context, uint32_t face)
{
    search *s = context;
    scr_near near = scr_face_nearest(&s->faces[face], s->x);
    if (near.distance >= s->reach || s->count == s->room) return true;
    s->found[s->count++] = (scr_obstacle){near.distance, pose_vector(s->pose, near.normal)};
    return true;
}

static size_t near(void *context, vec3 x, double reach, scr_obstacle *found, size_t room)
{
    const scr_wall_obstacles *o = context;
    search s = {.reach = reach, .found = found, .room = room};
    for (int k = 0; k < o->world->wall_count; k++) {
        const scr_wall *wall = &o->world->walls[k];
        if (!wall->active) continue;
        s.faces = o->world->faces + wall->first_face;
        s.pose = &wall->pose;
        s.x = pose_point_back(&wall->pose, x);
        if (o->trees[k].node_count)
            scr_face_tree_search(&o->trees[k], s.x, reach, add_face, &s);
        else
            for (int f = 0; f < wall->face_count; f++) add_face(&s, (uint32_t)f);
    }
    return s.count;
}

bool scr_wall_obstacles_init(scr_wall_obstacles *o, const scr_world *world)
{
    *o = (scr_wall_obstacles){.world = world};
    o->given = (scr_obstacles){.near = near, .context = o};
    o->trees = scr_memory_new((size_t)world->wall_count, sizeof *o->trees);
    bool ok = o->trees != NULL;
    for (int k = 0; ok && k < world->wall_count; k++) {
        const scr_wall *wall = &world->walls[k];
        bool endless = false;
        for (int f = 0; f < wall->face_count; f++) endless |= world->faces[wall->first_face + f].kind == SCR_FACE_PLANE;
        if (wall->face_count > FEW_FACES && !endless)
            ok = scr_face_tree_build(&o->trees[k], world->faces + wall->first_face, (uint32_t)wall->face_count);
    }
    return ok;
}

void scr_wall_obstacles_deinit(scr_wall_obstacles *o)
{
    for (int k = 0; o->trees && k < o->world->wall_count; k++) scr_face_tree_deinit(&o->trees[k]);
    scr_memory_free(o->trees);
    *o = (scr_wall_obstacles){0};
}
