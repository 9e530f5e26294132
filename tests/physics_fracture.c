/* Brittle fracture of elastic solids: energy set free, cells along cracks, which links break. */
#include "base/random.h"
#include "run/simulation.h"
#include "stage.h"
#include "step/elastic/fracture.h"
#include "step/elastic/work.h"

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
    scr_elastic_forces(work);
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
        double before = w->ledger.elastic_solid, want = scr_elastic_released(w, k);
        scr_elastic_break(w, k, SCR_LINK_TENSION);
        CHECK(scr_elastic_plan_renew(&work->task.plan, w));
        forces_again(work);
        worst = check_worse(worst, fabs(before - w->ledger.elastic_solid - want));
        least = check_lesser(least, want);
    }
    printf("released, %s: %d links, off by %.2g of %.3g J stored, least %.3g J\n", more, done, worst / first, first,
           least);
    CHECK(done > 5);
    CHECK(worst < 3e-14 * first); // 2.9e-16
    CHECK(least > 0);
    stage_close(&s);
}

#define HALVES                                                        \
    "scree: 1\n"                                                      \
    "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"                      \
    "gravity: [0, 0, 0]\n"                                            \
    "materials: {glass: {density: 1000, young: 1e6, poisson: 0.3}}\n" \
    "stepper: {type: elastic}\n"                                      \
    "time: {end: 1}\n"                                                \
    "solids: {bar: {mesh: block, material: glass, tensile_strength: 1e30, "

// cells along a crack are as those of a bar that was made so short: the volumes in which they swell and bend
static void test_halves(const char *high, const char *more)
{
    stage whole, half;
    if (!stage_open(&whole, NULL, 0, HALVES "box: [[0, 0, 0], [4, 2, %s]], cells: [4, 2, 1]%s}}\n", high, more)) return;
    if (!stage_open(&half, NULL, 0, HALVES "box: [[0, 0, 0], [2, 2, %s]], cells: [2, 2, 1]%s}}\n", high, more)) return;
    scr_world *w = &whole.sim->world;
    const scr_world *v = &half.sim->world;
    int broken = 0;
    for (size_t k = 0; k < w->links.table.count; k++) {
        const double *home = w->cells.home;
        if (home[4 * w->links.cell[2 * k]] > 2 || home[4 * w->links.cell[2 * k + 1]] < 2) continue;
        scr_elastic_break(w, k, SCR_LINK_TENSION), broken++;
    }
    CHECK_INT(broken, 2);
    for (size_t k = 0; k < w->cells.table.count; k++) {
        double x = w->cells.home[4 * k], y = w->cells.home[4 * k + 1];
        size_t like = (x > 2 ? (x > 3) : (x > 1)) + 2 * (size_t)(y > 1);
        CHECK_NEAR(w->cells.bulk[2 * k] / v->cells.bulk[2 * like], 1, 1e-13);
        if (w->solids[0].thickness > 0) CHECK_NEAR(w->shells.bend[2 * k] / v->shells.bend[2 * like], 1, 1e-13);
    }
    stage_close(&whole), stage_close(&half);
}

/* ---- a bar that is bent ---- */

/* Cells in an arc: the links carry nothing but a bending moment, E/R w at the edge of a face of half width w. A link
 * breaks where that is the strength; the energy it would set free is looked at in a second bar, where it is never
 * enough. */
static void test_bent(bool across)
{
    double young = 1e6, edge = 0.2, bend = 0.001, wide = across ? 1 : 0.1, high = across ? 0.1 : 1;
    double stress = young * bend / edge * 0.5;
    for (int k = 0; k < 4; k++) {
        stage s;
        double strength = stress * (k % 2 ? 1.01 : 0.99);
        if (!stage_open(&s, NULL, 0,
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
        CHECK(scr_elastic_fracture_step(s.sim->step.work, &s.sim->step, &s.report) == SCREE_OK);
        CHECK_INT(broken_of(w), k % 2 ? 0 : 5);
        stage_close(&s);
    }
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
    return check_done();
}
