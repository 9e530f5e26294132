/* Merging with parts of machines and into free aggregates keeps momentum and angular momentum to round-off. What
 * a load weighs, and the same bits for any number of threads and after a restart, is in cli_loads. */
#include "base/buffer.h"
#include "base/random.h"
#include "stage.h"

#include "run/simulation.h"
#include "step/nonsmooth/work.h"
#include "world/energy.h"

enum { GRAINS = 18 };

typedef struct {
    vec3 p, l; /* momentum; angular momentum about the origin */
    double p_scale, l_scale, energy;
} motion;

static motion motion_of(const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    const scr_rigids *r = &w->rigids;
    motion m = {0};
    double potential, spins;
    for (size_t i = 0; i < b->table.count; i++) {
        if (b->motion[4 * i + 3] == 0 || scr_carrier_is_clump(w, b->carrier[i])) continue;
        double radius = b->place[4 * i + 3];
        vec3 x = scr_ns_unwrapped(w, (uint32_t)i), v = v3_load(b->motion + 4 * i);
        vec3 l = v3_scale(0.4 * b->mass[i] * radius * radius, v3_load(b->spin + 4 * i));
        l = v3_axpy(l, b->mass[i], v3_cross(x, v));
        m.p = v3_axpy(m.p, b->mass[i], v);
        m.l = v3_add(m.l, l);
        m.p_scale += b->mass[i] * v3_norm(v), m.l_scale += v3_norm(l);
    }
    for (size_t k = 0; k < r->table.count; k++) {
        if (r->kind[k] == SCR_RIGID_AGGREGATE) continue;
        vec3 x = v3_load(r->centre + 4 * k), v = v3_load(r->velocity + 4 * k);
        double mass = r->centre[4 * k + 3];
        vec3 l = v3_axpy(v3_load(r->momentum + 4 * k), mass, v3_cross(x, v));
        m.p = v3_axpy(m.p, mass, v);
        m.l = v3_add(m.l, l);
        m.p_scale += mass * v3_norm(v), m.l_scale += v3_norm(l);
    }
    scr_world_energies(w, &m.energy, &spins, &potential);
    m.energy += spins;
    return m;
}

static void compare(const char *what, motion a, motion b, double most)
{
    double dp = v3_norm(v3_sub(a.p, b.p)) / b.p_scale, dl = v3_norm(v3_sub(a.l, b.l)) / b.l_scale;
    printf("%s: momentum off by %.1e, angular momentum by %.1e of it\n", what, dp, dl);
    CHECK(dp <= most);
    CHECK(dl <= most);
}

static void random_grains(grain *g, double speed, double spread)
{
    scr_random r = scr_random_stream(7, 1);
    for (int k = 0; k < GRAINS; k++) {
        g[k] = (grain){.radius = 0.004 + 0.004 * scr_random_unit(&r)};
        for (int d = 0; d < 3; d++) {
            g[k].x[d] = spread * (k / (int)pow(3, d) % 3 - 1) + 0.001 * scr_random_unit(&r);
            g[k].v[d] = speed * (scr_random_unit(&r) - 0.5);
            g[k].w[d] = 50 * speed * (scr_random_unit(&r) - 0.5);
        }
    }
}

// grains of any motion join two parts that fly and turn: nothing is lost but energy
static void test_join(void)
{
    grain g[GRAINS];
    stage s;
    random_grains(g, 1, 0.03);
    if (!stage_open(&s, g, GRAINS,
                    "scree: 1\ndomain: {box: [[-20, -20, -20], [20, 20, 20]]}\ngravity: [0, 0, 0]\n"
                    "materials: {steel: {density: 7800, restitution: 0.2, friction: 0.5}}\n"
                    "bodies: {all: {from: table, file: @, material: steel}, pebble: {from: "
                    "positions, positions: [0, 3, 0], radius: 0.01, material: steel, velocity: "
                    "[0.1, 0, 0], spin: [2, 30, 10], clump: {spheres: [[-0.5, 0, 0, 1], [0.5, 0, "
                    "0, 0.7]]}}}\n"
                    "walls: {skin: {shape: sphere, center: [0, 0, 1], radius: 0.2, material: "
                    "steel}, shell: {shape: sphere, center: [0, 1, 0], radius: 0.2, material: "
                    "steel}}\n"
                    "parts: {top: {walls: [skin], mass: 0.3, centre: [0.1, 0, 0.2], inertia: "
                    "[1e-3, 2e-3, 2.5e-3], products: [1e-4, 0, 2e-4], velocity: [0.2, 0.1, -0.3], "
                    "spin: [3, 18, 2]}, ball: {walls: [shell], mass: 0.2, centre: [0, 0.1, -0.1], "
                    "inertia: [1e-3, "
                    "1e-3, 1.5e-3], velocity: [-0.1, 0.2, 0.1], spin: [5, -3, 8]}}\n"
                    "stepper: {type: nonsmooth, reduction: on}\ntime: {end: 100 s, step: 5 ms}\n"))
        return;
    scr_world *w = &s.sim->world;
    ns_work *k = s.sim->step.work;
    scr_bodies *b = &w->bodies;
    motion before = motion_of(w);
    uint32_t rows[GRAINS], count = 0;
    scr_ns_set_carriers(k, w, 0);
    CHECK(scr_ns_gather(&s.sim->step, true, &s.report) == SCREE_OK);
    for (uint32_t i = 0; i < b->table.count; i++) {
        if (b->carrier[i]) continue;                                         // of the clump, which flies by itself
        int carrier = scr_carrier_of_rigid(w, b->place[4 * i + 2] > -0.015); // the upper ones: ball
        scr_ns_displace(k, w, i);
        b->carrier[i] = carrier;
        k->growth.frozen.level[i] = 1;
        v3_store(b->anchor + 4 * i, pose_point_back(&k->space.carriers[carrier].now, v3_load(b->place + 4 * i)));
        CHECK(scr_ns_place(k, w, i));
        rows[count++] = i;
    }
    scr_ns_loads_join(k, w, rows, GRAINS);
    scr_rigids_carry(w);
    motion joined = motion_of(w);
    compare("18 grains join two parts", joined, before, 1e-14); // 2e-16
    CHECK(joined.energy < 0.9 * before.energy);
    CHECK_NEAR(w->ledger.merging / (before.energy - joined.energy), 1, 1e-12);
    // a loaded part in flight; its grains are carried by nothing, and go on by themselves after a while
    stage_advance(&s, 500);
    CHECK(scree_simulation_stats(s.sim).merged == GRAINS);
    compare("500 steps of flight", motion_of(w), before, 1e-12);
    CHECK_NEAR(motion_of(w).energy / joined.energy, 1, 1e-2);
    CHECK_NEAR(scree_simulation_energies(s.sim).closure / joined.energy, 0, 1e-12);
    stage_advance(&s, 20);
    CHECK(scree_simulation_stats(s.sim).merged == 0);
    compare("split off again", motion_of(w), before, 1e-12);
    stage_close(&s);
}

static void tie(ns_work *k, uint32_t i, uint32_t j)
{
    scr_frozen_edge edge = {.end = {i, j}, .joins = true};
    CHECK(scr_frozen_add(&k->growth.frozen, &edge) != SCR_FROZEN_NONE);
}

static bool open_free(stage *s, const char *domain)
{
    grain g[GRAINS];
    random_grains(g, 1, 0.03);
    return stage_open(s, g, GRAINS,
                      "scree: 1\ndomain: %s\ngravity: [0, 0, 0]\n"
                      "materials: {steel: {density: 7800, restitution: 0.2, friction: 0.5}}\n"
                      "bodies: {all: {from: table, file: @, material: steel}}\n"
                      "stepper: {type: nonsmooth, reduction: on, free_aggregates: 3}\n"
                      "time: {end: 100 s, step: 5 ms}\n",
                      domain);
}

// each grain holds on to the next one, but for the one before `cut`
static void chain(stage *s, uint32_t cut)
{
    scr_world *w = &s->sim->world;
    ns_work *k = s->sim->step.work;
    scr_ns_set_carriers(k, w, 0);
    CHECK(scr_ns_gather(&s->sim->step, true, &s->report) == SCREE_OK);
    k->contacts.count = 0;
    CHECK(scr_reserve(&k->contacts.all, GRAINS));
    for (uint32_t i = 0; i + 1 < GRAINS; i++)
        if (i + 1 != cut) k->contacts.all[k->contacts.count++] = (ns_contact){.key = ns_key(i, i + 1), .joins = true};
    CHECK(scr_ns_free_merge(k, w));
    k->contacts.count = 0;
    scr_rigids_carry(w);
}

// grains of any motion become an aggregate, fly, lose one from their middle, and go apart
static void test_free(void)
{
    stage s;
    if (!open_free(&s, "{box: [[-20, -20, -20], [20, 20, 20]]}")) return;
    scr_world *w = &s.sim->world;
    ns_work *k = s.sim->step.work;
    motion before = motion_of(w);
    chain(&s, GRAINS);
    motion joined = motion_of(w);
    compare("18 grains become an aggregate", joined, before, 1e-14); // 2e-16
    CHECK(joined.energy < 0.9 * before.energy);
    CHECK_NEAR(w->ledger.merging / (before.energy - joined.energy), 1, 1e-12);
    stage_advance(&s, 1000);
    CHECK(scree_simulation_stats(s.sim).merged == GRAINS);
    CHECK(scree_simulation_stats(s.sim).aggregates == 1);
    compare("1000 steps of flight", motion_of(w), before, 1e-12);
    // bodies have been sorted meanwhile; a chain again, which breaks
    scr_ns_set_carriers(k, w, 0);
    CHECK(scr_ns_gather(&s.sim->step, true, &s.report) == SCREE_OK);
    for (uint32_t i = 0; i + 1 < GRAINS; i++) tie(k, i, i + 1);
    k->split.thawed_count = k->split.lost_count = k->split.count = 0;
    CHECK(scr_reserve(&k->growth.queue, 64));
    CHECK(scr_reserve(&k->split.marked, GRAINS));
    CHECK(scr_reserve(&k->split.rows, GRAINS));
    CHECK(scr_ns_set_free(k, w, 2) && scr_ns_set_free(k, w, 9) && scr_ns_free_rebuild(k, w));
    CHECK(!scr_ns_in_aggregate(w, 0) && !scr_ns_in_aggregate(w, 1)); // two are too few
    CHECK(scr_ns_in_aggregate(w, 3) && ns_rigid(w, 3) == 0 && ns_rigid(w, 8) == 0);
    CHECK(scr_ns_in_aggregate(w, 10) && ns_rigid(w, 10) == 1 && ns_rigid(w, 17) == 1);
    CHECK(k->split.count == 2);
    compare("split in two", motion_of(w), before, 1e-12);
    scr_rigids_carry(w);
    compare("and carried", motion_of(w), before, 1e-12);
    stage_close(&s);
}

// two aggregates, in a box about the origin whose images go on: mass and size of all members; one of them leaves as a
// whole, the nearest first
static void test_two(void)
{
    stage s;
    if (!open_free(&s, "{box: [[-1, -1, -1], [1, 1, 1]], periodic: [x, y, z]}")) return;
    scr_world *w = &s.sim->world;
    ns_work *k = s.sim->step.work;
    const scr_bodies *b = &w->bodies;
    const scr_rigids *r = &w->rigids;
    motion before = motion_of(w);
    chain(&s, 7);
    compare("18 grains become two aggregates", motion_of(w), before, 1e-14);
    CHECK_INT(r->table.count, 2);
    double mass[2] = {0, 0};
    for (uint32_t i = 0; i < GRAINS; i++) {
        CHECK_INT(ns_rigid(w, i), i >= 7);
        CHECK_NEAR(b->anchor[4 * i + 3], b->place[4 * i + 3], 0);
        mass[i >= 7] += b->mass[i];
    }
    for (size_t n = 0; n < 2; n++) {
        CHECK_NEAR(r->centre[4 * n + 3], mass[n], 1e-15);
        CHECK_NEAR(r->velocity[4 * n + 3] * mass[n], 1, 1e-14);
    }
    uint32_t rows[2 * GRAINS];
    for (uint32_t i = 7; i + 1 < GRAINS; i++) tie(k, i, i + 1);
    CHECK_INT(scr_ns_free_leave(k, w, 10, rows), GRAINS - 7);
    for (uint32_t i = 7; i < GRAINS; i++) {
        CHECK_INT(rows[i - 7], i);
        CHECK_INT(k->growth.frozen.level[i], abs((int)i - 10));
    }
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_join();
    test_free();
    test_two();
    return check_done();
}
