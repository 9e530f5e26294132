#include "run/ports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/random.h"
#include "build/origin.h"
#include "build/rigids.h"
#include "comm/comm.h"
#include "scene/grading.h"
#include "scene/space.h"
#include "world/energy.h"

/* What an inlet needs beside its state in the world. */
typedef struct {
    const scr_item *group;
    const scr_bodies_inlet_def *def;
    scr_grading grading;
    scr_region region;
    uint64_t size_key, place_key; /* of its random streams */
    double density;
    scr_clump_form form; /* of its grains */
    double most;         /* that may be owed: grains, or mass [kg] */
    bool full;           /* has been said */
    double origin;       /* from which its times count [s] */
} inlet_work;

struct scr_ports {
    const scr_domain_def *domain;
    inlet_work *inlets; /* as in the world */
    int inlet_count;
    scr_space space;
    double *radii; /* of the grains that are due at an inlet */
    size_t due;
    uint32_t *near; /* rows of bodies that a grain in the region could touch */
};

static const int MOST_TRIES = 200;        /* to place one grain */
static const double LOOSE_FRACTION = 0.3; /* that random places can fill */

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "inlets and outlets");
}

static double grain_mass(const inlet_work *p, double radius)
{
    if (!p->form.count) return p->density * scr_ball_volume(radius);
    return p->density * p->form.volume * radius * radius * radius;
}

// what may be owed: what the region can hold at random places, and two rounds of pouring at least
static double most_owed(const inlet_work *p, double round)
{
    double grain = scr_ball_volume(1) * scr_grading_moment(&p->grading, 3);
    double volume = fmax(LOOSE_FRACTION * p->region.volume, scr_ball_volume(p->grading.radius[1]));
    bool by_mass = isnan(p->def->rate);
    double most = by_mass ? p->density * volume : fmax(1, volume / grain);
    return fmax(most, 2 * round * (by_mass ? p->def->mass_rate : p->def->rate));
}

scr_ports *scr_ports_create(const scr_step *step, const scr_scene *scene, scree_report *report)
{
    const scr_world *w = step->world;
    const scr_head_def *head = scr_scene_def(scene, "");
    double round = step->traits.ports_every * w->clock.dt;
    if (!w->inlet_count && !w->outlet_count) return NULL;
    scr_ports *ports = calloc(1, sizeof *ports);
    if (ports) ports->inlets = calloc((size_t)w->inlet_count + 1, sizeof *ports->inlets);
    bool good = ports && ports->inlets;
    for (int k = 0; k < w->inlet_count && good; k++) {
        const scr_inlet *inlet = &w->inlets[k];
        inlet_work *p = &ports->inlets[ports->inlet_count++];
        p->group = &scr_scene_items(scene, "bodies")->items[inlet->group];
        p->def = p->group->variant_def;
        p->origin = scr_origin(w, scene, "bodies", p->group->name);
        p->density = w->materials[w->groups[inlet->group].material].density;
        uint64_t stream = scr_digest_bytes(SCR_DIGEST_START, inlet->name, strlen(inlet->name));
        p->size_key = scr_random_stream((uint64_t)head->seed, stream).key;
        p->place_key = scr_random_stream((uint64_t)head->seed, ~stream).key;
        scr_region_init(&p->region, scene, &p->def->region);
        good = scr_grading_init(&p->grading, p->group) && scr_clump_form_of(&p->form, scene, p->group);
        if (good) p->most = most_owed(p, round);
    }
    if (ports) ports->domain = scr_scene_def(scene, "domain");
    if (good) return ports;
    no_memory(report);
    scr_ports_destroy(ports);
    return NULL;
}

void scr_ports_destroy(scr_ports *ports)
{
    if (!ports) return;
    for (int k = 0; k < ports->inlet_count; k++) scr_grading_deinit(&ports->inlets[k].grading);
    free(ports->inlets);
    scr_space_deinit(&ports->space);
    scr_free_all(ports->radii, ports->near);
    free(ports);
}

/* ---- pouring ---- */

// the n-th grain of an inlet always has the same size
static double next_radius(const inlet_work *p, const scr_inlet *inlet)
{
    scr_random random = {.key = p->size_key, .counter = (uint64_t)inlet->count};
    return scr_grading_radius(&p->grading, scr_random_unit(&random));
}

// the next grain would be beyond the count or the mass (no limit where that is NAN)
static bool is_done(const inlet_work *p, const scr_inlet *inlet, double radius)
{
    return (p->def->count && inlet->count >= p->def->count) ||
           inlet->mass + grain_mass(p, radius) > p->def->mass * (1 + 1e-9);
}

// time goes on: what is owed grows, within bounds
static void reckon(inlet_work *p, scr_inlet *inlet, double now)
{
    const scr_bodies_inlet_def *def = p->def;
    if (is_done(p, inlet, next_radius(p, inlet))) {
        inlet->time = now, inlet->owed = 0;
        return;
    }
    double rate = isnan(def->rate) ? def->mass_rate : def->rate;
    double from = fmax(inlet->time, def->start + p->origin);
    double to = isnan(def->until) ? now : fmin(now, def->until + p->origin);
    if (to > from) inlet->owed += rate * (to - from);
    inlet->time = now;
    if (inlet->owed <= p->most) return;
    inlet->lost += inlet->owed - p->most;
    inlet->owed = p->most;
    if (p->full) return;
    p->full = true;
    scr_say("inlet %s is full at %.6g s: at most %.4g %s wait for room, the rest is dropped", inlet->name, now, p->most,
            isnan(def->rate) ? "kg" : "grains");
}

// what a grain takes off what is owed
static double price(const inlet_work *p, double radius)
{
    return isnan(p->def->rate) ? grain_mass(p, radius) : 1;
}

// whether the inlet goes on, and so much is owed; sums of many steps may miss a whole grain by
// rounding
static bool is_due(const inlet_work *p, const scr_inlet *inlet, double radius)
{
    return !is_done(p, inlet, radius) && inlet->owed >= price(p, radius) * (1 - 1e-9);
}

// sizes of the grains that are due now, in their order
static bool draw_due(scr_ports *ports, const inlet_work *p, scr_inlet inlet)
{
    for (ports->due = 0;; ports->due++, inlet.count++) {
        double radius = next_radius(p, &inlet);
        if (!is_due(p, &inlet, radius)) return true;
        if (!scr_reserve(&ports->radii, ports->due + 1)) return false;
        ports->radii[ports->due] = radius;
        inlet.owed -= price(p, radius);
        inlet.mass += grain_mass(p, radius);
    }
}

// the largest grain, of all and of those that are due
static double largest_radius(const scr_ports *ports, const scr_bodies *b)
{
    double largest = 0;
    for (size_t k = 0; k < ports->due; k++) largest = fmax(largest, ports->radii[k]);
    for (size_t i = 0; i < b->table.count; i++) largest = fmax(largest, b->place[4 * i + 3]);
    return largest;
}

// rows of the bodies that a grain in the region could touch, of those that the stepper names, or of all; periodic axes
// are left to the space. How many; `near` has room for all
static size_t find_near(const scr_step *step, const scr_region *region, double gap, uint32_t *near)
{
    const scr_world *w = step->world;
    double low[3], high[3];
    for (int d = 0; d < 3; d++) {
        low[d] = w->domain.periodic[d] ? -INFINITY : (&region->low.x)[d] - gap;
        high[d] = w->domain.periodic[d] ? INFINITY : (&region->high.x)[d] + gap;
    }
    size_t count = 0, all = w->bodies.table.count;
    vec3 more = v3(gap, gap, gap);
    bool named = step->stepper->near &&
                 step->stepper->near(step, v3_sub(region->low, more), v3_add(region->high, more), near, &all);
    for (size_t k = 0; k < all; k++) {
        // height first: inlets are above what they have poured
        size_t i = named ? near[k] : k;
        const double *x = w->bodies.place + 4 * i;
        double r = x[3];
        if (x[2] + r < low[2] || x[2] - r > high[2] || x[0] + r < low[0] || x[0] - r > high[0] || x[1] + r < low[1] ||
            x[1] - r > high[1])
            continue;
        near[count++] = (uint32_t)i;
    }
    return count;
}

// the bodies around the region into the space, with room for those that are due
static bool gather(scr_ports *ports, const scr_step *step, const scr_region *region)
{
    const scr_world *w = step->world;
    const scr_bodies *b = &w->bodies;
    scr_space *space = &ports->space;
    // not even attraction reaches a new grain; mostly there is none, of no size
    double gap = scr_world_range(w, 1);
    if (gap > 0) gap = scr_world_range(w, largest_radius(ports, b));
    if (!scr_reserve(&ports->near, b->table.count + 1)) return false;
    size_t count = find_near(step, region, gap, ports->near);
    scr_space_begin(space, ports->domain, gap);
    for (size_t k = 0; k < ports->due; k++) scr_space_expect(space, ports->radii[k]);
    for (size_t k = 0; k < count; k++) scr_space_expect(space, b->place[4 * (size_t)ports->near[k] + 3]);
    if (!scr_space_reserve(space, count + ports->due)) return false;
    for (size_t k = 0; k < count; k++) {
        const double *x = b->place + 4 * (size_t)ports->near[k];
        scr_space_add(space, scr_space_wrap(space, v3_load(x)), x[3]);
    }
    return true;
}

static bool clear_of_walls(const scr_world *w, vec3 x, double reach)
{
    vec3 normal;
    for (int k = 0; k < w->wall_count; k++) {
        const scr_wall *wall = &w->walls[k];
        vec3 rest = pose_point_back(&wall->pose, x);
        for (int f = 0; f < wall->face_count && wall->active; f++)
            if (scr_face_distance(&w->faces[wall->first_face + f], rest, &normal) < reach) return false;
    }
    return true;
}

// a free place in the region, if one is found in a few tries
static bool find_place(const scr_ports *ports, const scr_world *w, const inlet_work *p, double radius,
                       scr_random *random, vec3 *x)
{
    for (int n = 0; n < MOST_TRIES; n++) {
        if (!scr_region_point(&p->region, radius, random, x)) return false;
        if (!scr_region_holds(&p->region, *x, radius, 0)) continue;
        *x = scr_space_wrap(&ports->space, *x);
        if (scr_space_is_free(&ports->space, *x, radius) && clear_of_walls(w, *x, radius + ports->space.gap))
            return true;
    }
    return false;
}

static vec3 velocity_of(const inlet_work *p, scr_random *random)
{
    vec3 d = v3(0, 0, 0), mean = ((const scr_bodies_def *)p->group->def)->velocity;
    if (p->def->spread > 0) do {
            for (int k = 0; k < 3; k++) (&d.x)[k] = scr_random_between(random, -1, 1);
        } while (v3_dot(d, d) > 1);
    return v3_axpy(mean, p->def->spread, d);
}

static void enter(scr_world *w, const inlet_work *p, scr_inlet *inlet, const scr_grain *grain)
{
    inlet->owed = fmax(0, inlet->owed - price(p, grain->radius));
    size_t i = scr_build_grain(w, &p->form, grain, inlet->group, (uint64_t)inlet->count, true);
    size_t rigid = w->rigids.table.count - 1;
    inlet->count++;
    inlet->mass += p->form.count ? w->rigids.centre[4 * rigid + 3] : w->bodies.mass[i];
    for (size_t k = i; k < w->bodies.table.count; k++)
        scr_flows_pass(w, k); // on which side of the observed planes it begins
    if (p->form.count)
        w->ledger.inserted += scr_rigid_translation(&w->rigids, rigid) + scr_rigid_rotation(&w->rigids, rigid) +
                              scr_rigid_potential(w, rigid);
    else
        w->ledger.inserted +=
            scr_body_translation(&w->bodies, i) + scr_body_rotation(&w->bodies, i) + scr_body_potential(w, i);
}

// the grains that are due, one after the other; the first that finds no place waits, and so do
// those behind it: skipping large ones would change the sizes
static bool pour(scr_ports *ports, const scr_step *step, const inlet_work *p, scr_inlet *inlet)
{
    scr_world *w = step->world;
    if (!gather(ports, step, &p->region) || !scr_build_reserve(w, &p->form, ports->due)) return false;
    scr_random random = {.key = p->place_key, .counter = (uint64_t)inlet->draws};
    for (size_t k = 0; k < ports->due; k++) {
        scr_grain grain = {
            .radius = ports->radii[k], .density = NAN, .spin = ((const scr_bodies_def *)p->group->def)->spin};
        if (!find_place(ports, w, p, grain.radius, &random, &grain.position)) break;
        grain.velocity = velocity_of(p, &random);
        grain.id = w->clock.next_id;
        scr_space_add(&ports->space, grain.position, grain.radius);
        enter(w, p, inlet, &grain);
    }
    inlet->draws = (int64_t)random.counter;
    return true;
}

scree_status scr_ports_update(scr_ports *ports, scr_step *step, scree_report *report)
{
    scr_world *w = step->world;
    if (!ports || w->clock.step % step->traits.ports_every) return SCREE_OK;
    size_t before = w->bodies.table.count;
    for (int k = 0; k < ports->inlet_count; k++) {
        inlet_work *p = &ports->inlets[k];
        reckon(p, &w->inlets[k], w->clock.time);
        if (!draw_due(ports, p, w->inlets[k])) return no_memory(report);
        if (!ports->due) continue;
        if (!step->traits.rows_ready) scr_step_catch_up(step);
        if (w->bodies.table.count + ports->due > SCR_MOST_BODIES)
            return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE, "inlet %s: at most %zu grains are possible",
                            w->inlets[k].name, SCR_MOST_BODIES);
        if (!pour(ports, step, p, &w->inlets[k])) return no_memory(report);
    }
    // grains that wait for a place need no new list; several ranks look themselves for those that leave
    bool more = w->bodies.table.count > before;
    if (!more && !(scr_comm_world()->size == 1 && scr_step_leaves(step))) return SCREE_OK;
    return step->stepper->renew(step, report);
}

void scr_ports_say(const scr_world *w, const scr_scene *scene)
{
    for (int k = 0; k < w->inlet_count; k++) {
        const scr_inlet *inlet = &w->inlets[k];
        const scr_bodies_inlet_def *def = scr_scene_items(scene, "bodies")->items[inlet->group].variant_def;
        const char *unit = isnan(def->rate) ? "kg" : "grains";
        scr_say("inlet %s: %lld grains, %.6g kg; %.4g %s wait, %.4g %s were dropped", inlet->name,
                (long long)inlet->count, inlet->mass, inlet->owed, unit, inlet->lost, unit);
    }
    for (int k = 0; k < w->outlet_count; k++)
        scr_say("outlet %s: %lld grains, %.6g kg", w->outlets[k].name, (long long)w->outlets[k].count,
                w->outlets[k].mass);
}
