/* What moves by itself against members of aggregates, which do not look around: walls that move, parts of machines,
 * groups that move as prescribed. A part rests on the members it touches: such contacts are solved for. What
 * moves as prescribed and against a member sets it free. */
#include <math.h>

#include "base/buffer.h"
#include "step/nonsmooth/work.h"

static bool add_row(ns_work *k, uint32_t i)
{
    return scr_push(k->split.struck, k->split.struck_count, i);
}

static bool add_if_near(ns_work *k, const scr_world *w, int face, int own, uint32_t i)
{
    if (!scr_ns_is_member(w, i) || w->bodies.carrier[i] == own) return true;
    if (ns_rigid(w, i) >= 0) return true; // it looks around by itself
    const double *x = w->bodies.place + 4 * (size_t)i;
    vec3 normal;
    vec3 u = v3_sub(v3_load(w->bodies.motion + 4 * (size_t)i),
                    scr_ns_velocity_of_wall(k, w, w->faces[face].wall, v3_load(x)));
    double ahead = k->set.ahead ? fmin(k->sub.h * v3_norm(u), 2 * x[3]) : 0;
    if (scr_world_face_distance(w, face, v3_load(x), &normal) >= x[3] + k->set.margin + ahead) return true;
    return add_row(k, i);
}

// how far a ball of carrier `own` gets in a step against members of carrier f, as far as they are looked for
static double way_to(const ns_work *k, int own, int f, vec3 centre, double r)
{
    const ns_carrier *a = &k->space.carriers[own], *b = &k->space.carriers[f ? f : SCR_CARRIER_REST];
    double most = 2 * k->space.radius_max;
    vec3 u = v3_sub(scr_ns_carrier_velocity(a, centre), scr_ns_carrier_velocity(b, centre));
    double speed = v3_norm(u) + (r + most) * v3_norm(v3_sub(a->spin, b->spin));
    return k->set.ahead ? fmin(k->sub.h * speed, most) : 0;
}

// members of other carriers around a ball, in all cells
static bool look_around(ns_work *k, const scr_world *w, int face, int own, vec3 centre, double r)
{
    for (int f = 0; f < k->space.carrier_count; f++) {
        if (f == SCR_CARRIER_REST || f == own || (f && !k->space.carriers[f].members)) continue;
        vec3 x = f ? pose_point_back(&k->space.carriers[f].now, centre) : centre;
        size_t n;
        if (!scr_ns_near(k, f, x, r + k->set.margin + way_to(k, own, f, centre, r), &n)) return false;
        for (size_t m = 0; m < n; m++)
            if (!add_if_near(k, w, face, own, k->find.one.near[m])) return false;
    }
    return true;
}

// a face that is large against what sleeps: everybody is asked
static bool ask_all(ns_work *k, const scr_world *w, int face, int own)
{
    for (uint32_t i = 0; i < w->bodies.table.count; i++)
        if (!add_if_near(k, w, face, own, i)) return false;
    return true;
}

static bool look_from_face(ns_work *k, const scr_world *w, const scr_wall *wall, int face, int own)
{
    vec3 low, high;
    scr_face_box(&w->faces[face], &low, &high);
    vec3 middle = v3_scale(0.5, v3_add(low, high));
    double r = 0.5 * v3_norm(v3_sub(high, low)), cells = 2 * r / k->space.tiles.levels[0].edge + 2;
    if (!(cells * cells * cells < (double)w->bodies.table.count)) return ask_all(k, w, face, own);
    return look_around(k, w, face, own, pose_point(&wall->pose, middle), r);
}

bool scr_ns_look_from_walls(ns_work *k, scr_world *w)
{
    size_t members = 0;
    for (int f = 1; f < k->space.carrier_count; f++) members += k->space.carriers[f].members;
    members -= k->sub.held;
    k->split.struck_count = 0;
    for (int m = 0; m < w->wall_count; m++) {
        const scr_wall *wall = &w->walls[m];
        int own = ns_carrier_of_wall(w, m);
        if (!wall->active || own == SCR_CARRIER_REST || members == k->space.carriers[own].members) continue;
        for (int f = 0; f < wall->face_count; f++)
            if (!look_from_face(k, w, wall, wall->first_face + f, own)) return false;
    }
    if (!scr_sort(&k->contacts.sorter, k->split.struck, k->split.struck_count, sizeof *k->split.struck, scr_by_u32))
        return false;
    for (size_t n = 0; n < k->split.struck_count; n++)
        if ((!n || k->split.struck[n] != k->split.struck[n - 1]) && !scr_ns_find_walls(k, w, k->split.struck[n]))
            return false;
    return true;
}

bool scr_ns_strikes(const ns_settings *set, vec3 velocity)
{
    double least = fmin(set->merge_sliding, fmin(set->merge_approach, set->merge_separation));
    return v3_norm(velocity) > least;
}

bool scr_ns_struck(ns_work *k, uint32_t i)
{
    return add_row(k, i);
}
