/* Aggregates that travel: the members of a moving carrier look around for nothing, so what they run into, walls and
 * grains that rest or that another carrier moves, is looked for here. Both split off, and the solver sees the contact.
 * (What runs into grains at rest is in strike.c; the loads of parts search by themselves.)
 *
 * Now and then all travelling members are searched for strangers nearer than a skin; until things can have moved by as
 * much, only those that had some are looked at. What is found does not depend on when that was. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "step/nonsmooth/work.h"

static bool travels(const scr_world *w, uint32_t i)
{
    return scr_ns_is_member(w, i) && w->bodies.carrier[i] > SCR_CARRIER_REST && ns_rigid(w, i) < 0;
}

// moving walls are those that strike
static bool is_strange_wall(const scr_world *w, int wall)
{
    return w->walls[wall].active && scr_wall_rests(&w->walls[wall]);
}

// rows of the same cells that search themselves need not be searched for
static bool is_strange_row(const scr_world *w, uint32_t i, uint32_t j)
{
    return w->bodies.carrier[j] > SCR_CARRIER_NONE && w->bodies.carrier[j] != w->bodies.carrier[i] &&
           ns_rigid(w, j) < 0 && !scr_world_apart(w, w->bodies.group[i], w->bodies.group[j]);
}

// whether a traveller can meet another body
static bool are_strangers(const ns_work *k, const scr_world *w)
{
    int moving = 0;
    bool resting = k->space.carriers[SCR_CARRIER_REST].members > 0;
    for (int f = SCR_CARRIER_REST + 1; f < scr_carrier_of_wall(w->wall_count); f++)
        moving += k->space.carriers[f].members > 0;
    for (int m = 0; m < w->wall_count && !resting; m++) resting = is_strange_wall(w, m);
    return moving > 1 || (moving && resting);
}

// how far two things can approach each other in this step
static double most_way(const ns_work *k, const scr_world *w)
{
    double fastest = 0;
    int moving = 0;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    vec3 middle = v3_axpy(w->domain.lower, 0.5, size);
    for (int f = SCR_CARRIER_REST + 1; f < scr_carrier_of_wall(w->wall_count); f++) {
        const ns_carrier *carrier = &k->space.carriers[f];
        double arm = v3_norm(v3_sub(carrier->reference, middle)) + 0.5 * v3_norm(size);
        if (!carrier->members) continue;
        fastest = fmax(fastest, v3_norm(carrier->velocity) + v3_norm(carrier->spin) * arm);
        moving++;
    }
    return (moving > 1 ? 2 : 1) * k->sub.h * fastest;
}

void scr_ns_watch_row(ns_work *k, uint32_t i)
{
    if (!k->watch.on || k->watch.watched[i]) return;
    k->watch.watched[i] = 1;
    k->watch.rows[k->watch.count++] = i;
}

static int cells_of(int carrier)
{
    return carrier == SCR_CARRIER_REST ? SCR_CARRIER_NONE : carrier; // what rests is among what is free
}

// strangers within reach: whether there are any
static bool search(ns_work *k, const scr_world *w, uint32_t i, double reach, bool *meets)
{
    const double *x = w->bodies.place + 4 * (size_t)i;
    *meets = false;
    k->find.one.faces.count = 0;
    if (!scr_walls_search(&k->find.one.faces, &k->find.one.pairs, w, i, x, reach)) return false;
    for (size_t m = 0; m < k->find.one.faces.count; m++)
        *meets |= is_strange_wall(w, w->faces[k->find.one.faces.found[m].face].wall);
    for (int f = SCR_CARRIER_REST; f < scr_carrier_of_wall(w->wall_count) && !*meets; f++) {
        size_t count;
        if (!k->space.carriers[f].members || f == w->bodies.carrier[i]) continue;
        vec3 at = f == SCR_CARRIER_REST ? v3_load(x) : pose_point_back(&k->space.carriers[f].now, v3_load(x));
        if (!scr_ns_near(k, cells_of(f), at, x[3] + reach, &count)) return false;
        for (size_t m = 0; m < count; m++) *meets |= is_strange_row(w, i, k->find.one.near[m]);
    }
    return true;
}

static bool search_all(ns_work *k, const scr_world *w, double skin)
{
    size_t count = w->bodies.table.count;
    scr_clear(k->watch.watched, scr_room_of(k->watch.watched) * sizeof *k->watch.watched);
    k->watch.count = 0;
    k->watch.on = true;
    for (uint32_t i = 0; i < count; i++) {
        bool meets;
        if (!travels(w, i)) continue;
        if (!search(k, w, i, skin + k->set.margin, &meets)) return false;
        if (meets) scr_ns_watch_row(k, i);
    }
    return true;
}

// a wall that a member touched when it merged is not a stranger until it presses
static bool is_known(const ns_work *k, const scr_world *w, const ns_contact *c)
{
    const scr_frozen *f = &k->growth.frozen;
    uint32_t i = ns_first(c), e = f->first[i];
    while (e != SCR_FROZEN_NONE && scr_frozen_other(f, e, i) != ns_second(c)) e = scr_frozen_next(f, e, i);
    if (e == SCR_FROZEN_NONE) return false;
    const double *x = w->bodies.place + 4 * (size_t)i;
    vec3 u = scr_ns_carrier_velocity(&k->space.carriers[w->bodies.carrier[i]], v3_load(x));
    double closing = v3_dot(u, c->normal);
    return closing <= fmin(k->set.merge_approach, k->set.split_approach) &&
           !(closing > 1e-6 && c->overlap > 0.01 * x[3]);
}

// marks a member, and what it touches
static bool look(ns_work *k, const scr_world *w, uint32_t i)
{
    const double *x = w->bodies.place + 4 * (size_t)i;
    k->find.one.faces.count = 0;
    ns_contact c;
    if (!scr_walls_search(&k->find.one.faces, &k->find.one.pairs, w, i, x, k->set.margin)) return false;
    for (size_t m = 0; m < k->find.one.faces.count; m++) {
        uint32_t face = k->find.one.faces.found[m].face;
        if (!is_strange_wall(w, w->faces[face].wall)) continue;
        scr_ns_measure(k, w, ns_key(i, NS_WALL | face), &c);
        if (c.overlap > -k->set.margin && !is_known(k, w, &c)) scr_ns_mark(k, w, i);
    }
    for (int f = SCR_CARRIER_REST; f < scr_carrier_of_wall(w->wall_count); f++) {
        size_t count;
        if (!k->space.carriers[f].members || f == w->bodies.carrier[i]) continue;
        vec3 at = f == SCR_CARRIER_REST ? v3_load(x) : pose_point_back(&k->space.carriers[f].now, v3_load(x));
        if (!scr_ns_near(k, cells_of(f), at, x[3] + k->set.margin, &count)) return false;
        for (size_t m = 0; m < count; m++) {
            uint32_t j = k->find.one.near[m];
            if (!is_strange_row(w, i, j)) continue;
            scr_ns_measure(k, w, ns_key(i, j), &c);
            if (c.overlap <= -k->set.margin) continue;
            scr_ns_mark(k, w, i);
            scr_ns_mark(k, w, j);
        }
    }
    return true;
}

bool scr_ns_watch(ns_work *k, scr_world *w)
{
    if (!are_strangers(k, w)) {
        k->watch.on = false;
        return true;
    }
    double skin = k->space.radius_min, way = most_way(k, w);
    if (!k->watch.on || k->sub.walls_changed || k->watch.way + way > skin) {
        if (!search_all(k, w, skin)) return false;
        k->watch.way = 0;
    }
    k->watch.way += way;
    for (size_t n = 0; n < k->watch.count; n++)
        if (travels(w, k->watch.rows[n]) && !look(k, w, k->watch.rows[n])) return false;
    return true;
}
