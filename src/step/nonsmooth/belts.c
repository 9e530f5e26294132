/* Belts end, and have seams: a wall whose surface moves along itself (world/wall.h) carries its members from one face
 * to the next and past the last. A member whose foot has left the face that it rested on goes on resting on the face it
 * is over now; where there is none it splits off, and what it carried is asked whether it still holds. */
#include "step/nonsmooth/work.h"

static bool is_over(const scr_world *w, int face, uint32_t i)
{
    const scr_wall *wall = &w->walls[w->faces[face].wall];
    vec3 x = pose_point_back(&wall->pose, v3_load(w->bodies.place + 4 * (size_t)i));
    return scr_face_nearest(&w->faces[face], x).feature == SCR_INSIDE;
}

static bool rests_on(const scr_frozen *f, uint32_t i, int face)
{
    uint32_t e = f->first[i];
    while (e != SCR_FROZEN_NONE && scr_frozen_other(f, e, i) != (SCR_FROZEN_WALL | (uint32_t)face))
        e = scr_frozen_next(f, e, i);
    return e != SCR_FROZEN_NONE;
}

// the face of the belt that a member has come to, -1: none
static int next_face(const ns_work *k, const scr_world *w, const scr_wall *wall, uint32_t i)
{
    const double *x = w->bodies.place + 4 * (size_t)i;
    for (int f = wall->first_face; f < wall->first_face + wall->face_count; f++) {
        vec3 normal;
        if (scr_world_face_distance(w, f, v3_load(x), &normal) < x[3] + k->set.margin && is_over(w, f, i) &&
            !rests_on(&k->growth.frozen, i, f))
            return f;
    }
    return -1;
}

static void pass_on(ns_work *k, const scr_world *w, int wall, uint32_t i)
{
    scr_frozen *f = &k->growth.frozen;
    for (uint32_t e = f->first[i]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, i)) {
        uint32_t other = scr_frozen_other(f, e, i);
        int face = (int)(other & ~SCR_FROZEN_WALL);
        if (!(other & SCR_FROZEN_WALL) || w->faces[face].wall != wall || is_over(w, face, i)) continue;
        int next = next_face(k, w, &w->walls[wall], i);
        if (next < 0)
            scr_ns_mark(k, w, i);
        else
            f->edges[e].end[1] = SCR_FROZEN_WALL | (uint32_t)next;
    }
}

void scr_ns_mark_by_belts(ns_work *k, const scr_world *w)
{
    for (int m = 0; m < w->wall_count; m++) {
        int carrier = scr_carrier_of_wall(m);
        vec3 surface = w->walls[m].motion.surface;
        if (v3_dot(surface, surface) == 0 || !k->space.carriers[carrier].members) continue;
        for (uint32_t i = 0; i < w->bodies.table.count; i++)
            if (w->bodies.carrier[i] == carrier && k->growth.frozen.level[i] == 1) pass_on(k, w, m, i);
    }
}
