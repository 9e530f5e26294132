/* Brittle fracture of elastic solids: energy set free, strength, fragments, and what happens where the parts meet. */
#include "base/random.h"
#include "run/simulation.h"
#include "stage.h"
#include "step/elastic/fracture.h"
#include "step/elastic/work.h"
#include "world/ledger.h"

static double energy_of(const scr_world *w)
{
    scree_energies e = scr_ledger_energies(w);
    return scr_ledger_mechanical(&e);
}

static int fragments_of(const scr_world *w)
{
    int count = 0;
    for (size_t k = 0; k < w->cells.table.count; k++) count += w->cells.fragment[k] == (int32_t)k;
    return count;
}

static int broken_of(const scr_world *w)
{
    int count = 0;
    for (size_t k = 0; k < w->links.table.count; k++) count += w->links.fate[k] != SCR_LINK_HOLDS;
    return count;
}

/* ---- energy set free ---- */

static void strain(scr_world *w, double size)
{
    scr_random r = scr_random_stream(11, 1);
    for (size_t k = 0; k < w->cells.table.count; k++) {
        double a[6];
        for (int d = 0; d < 6; d++) a[d] = scr_random_between(&r, -size, size);
        for (int d = 0; d < 3; d++) w->cells.displacement[4 * k + (size_t)d] = a[d];
        quat_store(w->cells.turn + 4 * k, quat_exp(v3(a[3], a[4], a[5])));
    }
}

static void forces_again(elastic_work *work)
{
    work->task.dt = 0;
    elastic_forces(work);
}

/* What the formula says is what the stored energy loses, link after link, at a random state of finite strains; and it
 * is not negative. */
static void test_released(const char *mesh, const char *more)
{
    stage s;
    if (!stage_open(&s, NULL, 0,
                    "scree: 1\n"
                    "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                    "gravity: [0, 0, 0]\n"
                    "materials: {glass: {density: 1000, young: 1e6, poisson: 0.3}}\n"
                    "solids: {bar: {mesh: block, box: [[0, 0, 0], [5, 3, %s]], material: glass, "
                    "tensile_strength: "
                    "1e30, %s}}\n"
                    "stepper: {type: elastic}\n"
                    "time: {end: 1}\n",
                    mesh, more))
        return;
    scr_world *w = &s.sim->world;
    elastic_work *work = s.sim->step.work;
    strain(w, 0.02);
    forces_again(work);
    double worst = 0, least = INFINITY, first = w->ledger.elastic_solid;
    int done = 0;
    for (size_t k = 3; k < w->links.table.count; k += 5, done++) {
        double before = w->ledger.elastic_solid, want = elastic_released(w, k);
        elastic_break(w, k, SCR_LINK_TENSION);
        CHECK(elastic_plan_renew(&work->task.plan, w));
        forces_again(work);
        worst = check_worse(worst, fabs(before - w->ledger.elastic_solid - want));
        least = check_lesser(least, want);
    }
    printf("released, %s: %d links, off by %.2g of %.3g J stored, least %.3g J\n", more, done,
           worst / first, first, least);
    CHECK(done > 5);
    CHECK(worst < 3e-14 * first); // 2.9e-16
    CHECK(least > 0);
    stage_close(&s);
}

#define HALVES                                                                                     \
    "scree: 1\n"                                                                                   \
    "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"                                                   \
    "gravity: [0, 0, 0]\n"                                                                         \
    "materials: {glass: {density: 1000, young: 1e6, poisson: 0.3}}\n"                              \
    "stepper: {type: elastic}\n"                                                                   \
    "time: {end: 1}\n"                                                                             \
    "solids: {bar: {mesh: block, material: glass, tensile_strength: 1e30, "

// cells along a crack are as those of a bar that was made so short: the volumes in which they swell and bend
static void test_halves(const char *high, const char *more)
{
    stage whole, half;
    if (!stage_open(&whole, NULL, 0, HALVES "box: [[0, 0, 0], [4, 2, %s]], cells: [4, 2, 1]%s}}\n",
                    high, more))
        return;
    if (!stage_open(&half, NULL, 0, HALVES "box: [[0, 0, 0], [2, 2, %s]], cells: [2, 2, 1]%s}}\n",
                    high, more))
        return;
    scr_world *w = &whole.sim->world;
    const scr_world *v = &half.sim->world;
    int broken = 0;
    for (size_t k = 0; k < w->links.table.count; k++) {
        const double *home = w->cells.home;
        if (home[4 * w->links.cell[2 * k]] > 2 || home[4 * w->links.cell[2 * k + 1]] < 2) continue;
        elastic_break(w, k, SCR_LINK_TENSION), broken++;
    }
    CHECK_INT(broken, 2);
    for (size_t k = 0; k < w->cells.table.count; k++) {
        double x = w->cells.home[4 * k], y = w->cells.home[4 * k + 1];
        size_t like = (x > 2 ? (x > 3) : (x > 1)) + 2 * (size_t)(y > 1);
        CHECK_NEAR(w->cells.bulk[2 * k] / v->cells.bulk[2 * like], 1, 1e-13);
        if (w->solids[0].thickness > 0)
            CHECK_NEAR(w->shells.bend[2 * k] / v->shells.bend[2 * like], 1, 1e-13);
    }
    stage_close(&whole), stage_close(&half);
}

/* ---- a bar that is bent ---- */

/* Cells in an arc: the links carry nothing but a bending moment, E/R w at the edge of a face of half width w. A link breaks
 * where that is the strength; the energy it would set free is looked at in a second bar, where it is never enough. */
static void test_bent(bool across)
{
    double young = 1e6, edge = 0.2, bend = 0.001, wide = across ? 1 : 0.1, high = across ? 0.1 : 1;
    double stress = young * bend / edge * 0.5;
    for (int k = 0; k < 4; k++) {
        stage s;
        double strength = stress * (k % 2 ? 1.01 : 0.99);
        if (!stage_open(
                &s, NULL, 0,
                "scree: 1\n"
                "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                "gravity: [0, 0, 0]\n"
                "materials: {glass: {density: 1000, young: %g, poisson: 0}}\n"
                "contacts: {any: {stiffness: 1e5, restitution: 1, friction: 0}}\n"
                "solids: {bar: {mesh: block, box: [[0, 0, 0], [1.2, %g, %g]], cells: [6, 1, "
                "1], material: glass, torsion: paper, tensile_strength: %.17g%s}}\n"
                "stepper: {type: elastic}\n"
                "time: {end: 1, step: 1e-9}\n",
                young, wide, high, strength, k / 2 ? ", fracture_energy: 1e30" : ""))
            return;
        scr_world *w = &s.sim->world;
        // faces meet in the middle: chords of the arc on both sides of each
        vec3 at = v3(0, 0, 0), along = v3(0.5 * edge, 0, 0);
        for (int c = 0; c < 6; c++) {
            quat q = quat_exp(across ? v3(0, 0, bend * c) : v3(0, bend * c, 0));
            at = v3_add(at, quat_turn(q, along));
            vec3 home = v3(edge * (c + 0.5), 0, 0);
            v3_store(w->cells.displacement + 4 * c, v3_sub(at, home));
            quat_store(w->cells.turn + 4 * c, q);
            at = v3_add(at, quat_turn(q, along));
        }
        forces_again(s.sim->step.work);
        CHECK(elastic_fracture_step(s.sim->step.work, &s.sim->step, &s.report) == SCREE_OK);
        CHECK_INT(broken_of(w), k % 2 ? 0 : 5);
        stage_close(&s);
    }
}

/* ---- a bar that is pulled apart ---- */

static void test_pull(const char *strength, double stress)
{
    stage s;
    if (!stage_open(
            &s, NULL, 0,
            "scree: 1\n"
            "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
            "gravity: [0, 0, 0]\n"
            "materials: {glass: {density: 1000, young: 1e6, poisson: 0.25}}\n"
            "contacts: {any: {stiffness: 1e5, restitution: 1, friction: 0}}\n"
            "solids: {bar: {mesh: block, box: [[0, 0, 0], [4, 0.6, 0.6]], cells: [20, 3, "
            "3], material: glass, "
            "damping: 40, %s}}\n"
            "patches: {left: {sides: [x-]}, right: {sides: [x+]}}\n"
            "supports:\n"
            "  hold: {patch: left, holds: [x]}\n"
            "  pull: {patch: right, holds: [x], displacement: [0.4, 0, 0], signal: {type: ramp, "
            "duration: 10}}\n"
            "stepper: {type: elastic}\n"
            "time: {end: 10, step: 2e-4}\n",
            strength))
        return;
    const scr_world *w = &s.sim->world;
    double pulled = 0, worst = 0, start = scr_ledger_energies(w).closure;
    while (fragments_of(w) == 1 && w->clock.time < 9.9) {
        stage_advance(&s, 1);
        pulled = check_worse(pulled, w->supports[1].force.x);
    }
    double stored = w->ledger.cracked, time = w->clock.time;
    for (int k = 0; k < 2000; k++) {
        stage_advance(&s, 1);
        worst = check_worse(worst, fabs(scr_ledger_energies(w).closure - start));
    }
    printf("pull, %s: apart at %.3g s, %.4g Pa of %.4g Pa; %d links, %d fragments, %.4g J "
           "released, closure %.2g J, %lld "
           "contacts\n",
           strength, time, pulled / 0.36, stress, broken_of(w), fragments_of(w), stored, worst,
           (long long)stage_contacts(&s));
    CHECK_INT(fragments_of(w), 2);
    CHECK(broken_of(w) >= 9 && broken_of(w) <= 12);
    CHECK_NEAR(pulled / 0.36 / stress, 1, 0.05); // 2.7e-2: bending is part of the stress
    CHECK(stored > 0 && w->ledger.cracked == stored);
    CHECK(worst < 0.02 * stored); // 5e-4
    // the smallest number of a cell that hangs together with it
    CHECK_INT(w->cells.fragment[0], 0);
    stage_close(&s);
}

/* ---- what is pressed together when it breaks ---- */

/* Two halves of a column under pressure lose the links between them: the overlap that is there does not press, and
 * the fall of one half onto the other brings no energy. */
static void test_pressed(void)
{
    stage s;
    if (!stage_open(&s, NULL, 0,
                    "scree: 1\n"
                    "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                    "gravity: [0, 0, -10]\n"
                    "materials: {glass: {density: 1000, young: 1e6, poisson: 0.25}}\n"
                    "contacts: {any: {stiffness: 1e6, restitution: 1, friction: 0.5}}\n"
                    "solids: {column: {mesh: block, box: [[0, 0, 0], [0.4, 0.4, 1.6]], cells: [2, "
                    "2, 8], material: "
                    "glass, tensile_strength: 1e9}}\n"
                    "patches: {base: {sides: [z-]}}\n"
                    "supports: {hold: {patch: base}}\n"
                    "stepper: {type: elastic}\n"
                    "time: {end: 10, step: 1e-4}\n"))
        return;
    scr_world *w = &s.sim->world;
    // it sways about its rest; the links across the middle break when it is pressed most
    double lowest = 0, last = INFINITY;
    while (w->clock.time < 1 && w->cells.displacement[4 * 31 + 2] < last)
        last = w->cells.displacement[4 * 31 + 2], stage_advance(&s, 1);
    elastic_work *work = s.sim->step.work;
    double before = energy_of(w);
    for (size_t k = 0; k < w->links.table.count; k++)
        if (w->links.cell[2 * k] / 4 == 3 && w->links.cell[2 * k + 1] / 4 == 4)
            work->fracture.verdict[k] = 1;
    CHECK(elastic_fracture_break(work, &s.sim->step, &s.report) == SCREE_OK);
    CHECK_INT(broken_of(w), 4);
    CHECK_INT(fragments_of(w), 2);
    double released = w->ledger.cracked, offset = 0;
    CHECK_NEAR(before - energy_of(w), released, 1e-12 * before);
    stage_advance(&s, 1);
    for (size_t k = 0; k < w->cell_contacts.table.count; k++)
        offset = check_worse(offset, w->cell_contacts.place[4 * k + 3]);
    double worst = 0, kinetic = 0;
    for (int k = 0; k < 8000; k++) {
        stage_advance(&s, 1);
        worst = check_worse(worst, fabs(scr_ledger_energies(w).closure));
        kinetic = check_worse(kinetic, scr_ledger_energies(w).translation);
        lowest = check_lesser(lowest, w->cells.displacement[4 * 31 + 2]);
    }
    printf("pressed: %.4g J released, offset %.2g m, closure at most %.2g J, kinetic energy at "
           "most %.3g J, lowest %.3g "
           "m, %lld contacts\n",
           released, offset, worst, kinetic, lowest, (long long)stage_contacts(&s));
    CHECK(offset > 0);
    CHECK(worst < 0.01 * kinetic); // 3e-4
    CHECK(lowest > -0.2);
    CHECK(stage_contacts(&s) > 0);
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_released("3", "cells: [5, 3, 3]");
    test_released("3", "cells: [5, 3, 3], jitter: 0.2");
    test_released("0.3", "cells: [8, 5, 1], torsion: shell");
    test_halves("1", "");
    test_halves("0.3", ", torsion: shell");
    test_bent(false);
    test_bent(true);
    test_pull("tensile_strength: 2e4", 2e4);
    test_pull("tensile_strength: 2e4, shear_strength: 1e4", 2e4);
    test_pressed();
    return check_done();
}
