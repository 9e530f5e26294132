/* Forces on walls: of the contacts that were solved for, and of those within aggregates, which carry what they
 * carried when they were last solved for or tried. The second are many and change little, so they are added up only
 * where they are needed: by an observer or a servo. */
#include "base/buffer.h"
#include "step/nonsmooth/work.h"

static void add(scr_wall *wall, vec3 reference, vec3 point, vec3 force, vec3 couple)
{
    wall->force = v3_add(wall->force, force);
    wall->torque = v3_add(v3_add(wall->torque, v3_cross(v3_sub(point, reference), force)), couple);
}

// where a contact's first body touches
static vec3 point_of(const scr_world *w, const ns_contact *c)
{
    const double *x = w->bodies.place + 4 * (size_t)ns_first(c);
    return v3_axpy(v3_load(x), x[3] - c->overlap, c->normal);
}

static void add_solved(const ns_work *k, scr_world *w)
{
    for (int m = 0; m < w->wall_count; m++) w->walls[m].force = w->walls[m].torque = v3(0, 0, 0);
    for (size_t i = 0; i < k->contacts.on_wall_count; i++) {
        size_t n = k->contacts.on_walls[i];
        const ns_contact *c = &k->contacts.all[n];
        if (c->froze) continue;
        int m = w->faces[ns_face(c)].wall;
        vec3 impulse, couple;
        ns_impulse(k, n, &impulse, &couple);
        add(&w->walls[m], k->space.carriers[scr_carrier_of_wall(m)].reference, point_of(w, c),
            v3_scale(1 / k->sub.h, impulse), v3_scale(1 / k->sub.h, couple));
    }
}

// in the order of keys: sums must not depend on how the graph came about
static bool add_frozen(ns_work *k, scr_world *w)
{
    const scr_frozen *f = &k->growth.frozen;
    size_t count = 0;
    if (!scr_reserve(&k->contacts.carried, f->count)) return false;
    ns_held *edges = k->contacts.carried;
    for (uint32_t e = 0; e < f->used; e++)
        if (f->edges[e].end[0] != SCR_FROZEN_NONE && (f->edges[e].end[1] & SCR_FROZEN_WALL))
            edges[count++] = (ns_held){(uint64_t)f->edges[e].end[0] << 32 | f->edges[e].end[1], e};
    if (!scr_sort(&k->contacts.sorter, edges, count, sizeof *edges, scr_by_u64)) return false;
    for (size_t n = 0; n < count; n++) {
        const scr_frozen_edge *e = &f->edges[edges[n].edge];
        ns_contact c;
        scr_ns_measure(k, w, edges[n].key, &c);
        scr_wall *wall = &w->walls[w->faces[ns_face(&c)].wall];
        if (!wall->active) continue;
        add(wall, scr_wall_reference(wall), point_of(w, &c), v3_scale(1 / k->sub.h, v3_axpy(e->lt, e->ln, c.normal)),
            v3_scale(1 / k->sub.h, e->lr));
    }
    return true;
}

static bool has_servo(const scr_world *w)
{
    for (int m = 0; m < w->wall_count; m++)
        if (w->walls[m].motion.servo) return true;
    return false;
}

bool scr_ns_react(ns_work *k, scr_world *w)
{
    add_solved(k, w);
    return !has_servo(w) || add_frozen(k, w);
}

void scr_ns_catch_up(scr_step *s)
{
    ns_work *k = s->work;
    scr_ns_count_contacts(s);
    if (has_servo(s->world) || !k->growth.frozen.count) return;
    add_solved(k, s->world);
    add_frozen(k, s->world);
}
