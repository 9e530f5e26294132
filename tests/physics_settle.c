/* Elastic solids that touch, at rest (scree equilibrate): against closed forms and against statics without contacts. */
#include "run/simulation.h"
#include "stage.h"

#define SCENE                                                             \
    "scree: 1\n"                                                          \
    "gravity: [0, 0, %g]\n"                                               \
    "domain: {box: [[-5, -5, -5], [15, 15, 15]]}\n"                       \
    "materials: {m: {density: 1000, young: 1e7, poisson: %g}}\n"          \
    "contacts: {any: {stiffness: 1e7, restitution: 0.3, friction: %g}}\n" \
    "stepper: elastic\n"                                                  \
    "time: {end: 1 s}\n"
#define HEAD SCENE "statics: {steps: %d}\n"

static const scr_world *world_of(const stage *s)
{
    return &s->sim->world;
}

static vec3 displacement(const stage *s, size_t k)
{
    return v3_load(world_of(s)->cells.displacement + 4 * k);
}

// a wall comes down on a block of four columns: three links in a row and two contacts, k = 1e7 N/m each
static void squeezed(void)
{
    stage s;
    if (!stage_solid(&s, 4,
                     HEAD "solids: {block: {mesh: block, material: m, box: [[0, 0, 0], [2, 2, 4]], cells: "
                          "[2, 2, 4]}}\n"
                          "walls:\n"
                          "  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}\n"
                          "  top: {shape: plane, point: [0, 0, 4], normal: [0, 0, -1], material: m, "
                          "velocity: [0, 0, -0.1]}\n",
                     0.0, 0.0, 0.0, 4))
        return;
    const scr_wall *walls = world_of(&s)->walls;
    scree_energies e = scree_simulation_energies(s.sim);
    printf("squeezed: %.12g and %.12g N, exact 8e5; stored %.12g J, exact 4e4\n", walls[0].force.z, walls[1].force.z,
           e.elastic_normal + e.elastic_solid);
    CHECK_NEAR(walls[1].force.z / 8e5, 1, 4e-8); // off by 4.9e-10
    CHECK_NEAR(walls[0].force.z / -8e5, 1, 4e-8);
    CHECK_NEAR((e.elastic_normal + e.elastic_solid) / 4e4, 1, 5e-13); // off by 6.7e-15
    stage_close(&s);
}

// a block on a floor, held by friction alone: weight and push go into the floor; more than friction takes has no rest
static void pushed(void)
{
    stage s;
    if (!stage_solid(&s, 4,
                     HEAD "solids: {block: {mesh: block, material: m, box: [[0, 0, 0.001], [3, 2, 1.001]], "
                          "cells: [3, 2, 1]}}\n"
                          "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}}\n"
                          "patches: {side: {sides: [x-]}}\n"
                          "loads: {push: {type: force, patch: side, force: [2.9e4, 0, 0]}}\n",
                     -10.0, 0.3, 0.5, 4))
        return;
    vec3 f = world_of(&s)->walls[0].force;
    printf("pushed: floor (%.9g, %.3g, %.9g) N, exact (29000, 0, -60000); moved %.3g m\n", f.x, f.y, f.z,
           displacement(&s, 0).x);
    CHECK_NEAR(f.x / 2.9e4, 1, 2e-7); // off by 2.9e-9
    CHECK_NEAR(f.z / -6e4, 1, 1e-11); // off by 1.1e-13
    // the tangential springs of six faces: less than the overlap
    CHECK(displacement(&s, 0).x > 0 && displacement(&s, 0).x < 0.01);
    stage_close(&s);
}

#define BEAM                                                                                  \
    "solids: {beam: {mesh: block, material: m, box: [[0, 0, 0], [11, 1, 1]], cells: [11, 1, " \
    "1]}}\n"                                                                                  \
    "patches: {root: {sides: [x-]}, tip: {sides: [x+]}, middle: {near: [5.5, 0.5, 0.5]}}\n"   \
    "supports: {root: {patch: root}, tip: {patch: tip}}\n"

// a ball on a beam bends it as its weight does
static void ball(void)
{
    stage touches, bare;
    double weight = 10 * 1000 * M_PI / 6;
    if (!stage_solid(&touches, 2,
                     HEAD BEAM "bodies: {ball: {from: positions, positions: [[5.5, 0.5, 1.51]], "
                               "radius: 0.5, material: m}}\n",
                     -10.0, 0.3, 0.5, 2))
        return;
    CHECK(stage_solid(&bare, 2,
                      HEAD BEAM "loads: {w: {type: force, patch: middle, force: [0, 0, %.17g], "
                                "spread: equal}}\n",
                      -10.0, 0.3, 0.5, 2, -weight));
    double worst = 0;
    for (size_t k = 0; k < 11; k++)
        worst = check_worse(worst, v3_norm(v3_sub(displacement(&touches, k), displacement(&bare, k))));
    double most = displacement(&bare, 5).z, z = world_of(&touches)->bodies.place[2];
    scree_statics found = scree_simulation_stats(touches.sim).statics;
    printf("ball: beam off by %.2e of %.4g m; %lld steps of motion, left %.1e\n", worst / -most, most,
           (long long)found.iterations, found.left);
    CHECK_NEAR(worst / most, 0, 5e-7); // off by 6e-9
    // it lies on the beam with an overlap of weight/k
    CHECK_NEAR(1.5 + displacement(&touches, 5).z - z, weight / 1e7, 4e-10); // 5e-12
    CHECK(found.left <= 1e-9);
    stage_close(&touches), stage_close(&bare);
}

// a ball that moves as prescribed presses on a beam: what both supports carry is its spring's
static void driven(void)
{
    stage s;
    if (!stage_solid(&s, 4,
                     HEAD BEAM "bodies: {ball: {from: positions, positions: [[5.5, 0.5, 1.5]], "
                               "radius: 0.5, material: m, motion: {velocity: [0, 0, -0.2]}}}\n",
                     0.0, 0.3, 0.5, 4))
        return;
    const scr_world *w = world_of(&s);
    double carried = scr_support_force(&w->supports[0]).z + scr_support_force(&w->supports[1]).z;
    double spring = 1e7 * (0.2 + displacement(&s, 5).z);
    printf("driven: %.9g N carried, %.9g N pressed; ball at %.15g m\n", carried, spring, w->bodies.place[2]);
    CHECK_NEAR(w->bodies.place[2], 1.3, 1e-12); // off by 2e-14
    CHECK_NEAR(carried / spring, 1, 5e-7);      // off by 9e-9
    CHECK(spring > 1e3);
    stage_close(&s);
}

// a support that presses a beam against a wall, and back: without friction it is as before
static void released(void)
{
    stage s;
    if (!stage_solid(&s, 2,
                     HEAD "solids: {beam: {mesh: block, material: m, box: [[0, 0, 0], [8, 1, 1]], cells: "
                          "[8, 1, 1]}}\n"
                          "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}}\n"
                          "patches: {root: {sides: [x-]}}\n"
                          "supports: {root: {patch: root, displacement: [0, 0, -0.2], signal: {type: table, "
                          "table: [[0, 0], [0.5, 1], [1, 0]]}}}\n",
                     0.0, 0.3, 0.0, 4))
        return;
    vec3 pressed = world_of(&s)->walls[0].force, held = scr_support_force(&world_of(&s)->supports[0]);
    double most = world_of(&s)->ledger.elastic_solid;
    CHECK(pressed.z < -1e4);
    printf("pressed: floor %.9g N, support %.9g N; %.4g J stored", pressed.z, held.z, most);
    CHECK_NEAR(held.z / pressed.z, 1, 2e-7); // off by 3e-9
    stage_advance(&s, 2);
    printf("; back: %.3g J\n", world_of(&s)->ledger.elastic_solid);
    CHECK_NEAR(world_of(&s)->ledger.elastic_solid / most, 0, 1e-18); // 2e-20
    stage_close(&s);
}

// several at once, without a ramp, beside one that does not move: each lies on its own weight, and what the damping
// takes is what they have lost
static void several(void)
{
    stage s;
    if (!stage_solid(&s, 1,
                     SCENE BEAM "statics: {steps: 1, ramp: no}\n"
                                "loads: {push: {type: force, patch: middle, force: [0, 0, -1e4]}}\n"
                                "bodies:\n"
                                "  balls: {from: positions, positions: [[2.5, 0.5, 1.52], [8.5, 0.5, 1.52]], "
                                "radius: 0.5, material: m}\n"
                                "  aside: {from: positions, positions: [[12, 12, 12]], radius: 0.5, material: m, "
                                "frozen: yes}\n",
                     -10.0, 0.3, 0.5))
        return;
    const scr_world *w = world_of(&s);
    double weight = 10 * 1000 * M_PI / 6, beam = 10 * 1000 * 11.0 + 1e4;
    double carried = scr_support_force(&w->supports[0]).z + scr_support_force(&w->supports[1]).z;
    CHECK_NEAR(carried / (beam + 2 * weight), 1, 1e-7);
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (w->bodies.motion[4 * i + 3] > 0) CHECK_NEAR(w->bodies.load[8 * i + 2] / weight, 1, 1e-7); // off by 2e-9
    scree_energies e = scree_simulation_energies(s.sim);
    printf("several: %.9g N carried of %.9g N; %.4g J absorbed, closure %.2g J\n", carried, beam + 2 * weight,
           e.absorbed, e.closure);
    CHECK_NEAR(e.closure / e.absorbed, 0, 1e-3); // 8e-5
    stage_close(&s);
}

int main(void)
{
    several();
    squeezed();
    pushed();
    ball();
    driven();
    released();
    return check_done();
}
