/* Contacts of elastic solids: what a sphere feels while it moves over the borders of cells. */
#include "run/simulation.h"
#include "stage.h"
#include "world/ledger.h"

#define SOLID "  soft: {density: 1000, young: 1e6, poisson: 0.25}\n"

/* A sphere is led along over a block of cells so heavy that they stay where they are: what it feels does not jump.
 * `shear`: the block is sheared beforehand, so that its cells are steps. */
static double test_slide(double shear)
{
    stage s;
    grain ball = {.x = {-0.25, 0.013, 0.3997}, .radius = 0.2};
    if (!stage_open(&s, &ball, 1,
                    "scree: 1\n"
                    "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
                    "gravity: [0, 0, 0]\n"
                    "materials:\n"
                    "  heavy: {density: 1e12, young: 1e6, poisson: 0.25}\n"
                    "  hard: {density: 2000}\n"
                    "contacts: {any: {stiffness: 3e5, restitution: 1, friction: 0}}\n"
                    "solids: {block: {mesh: block, box: [[-0.4, -0.3, 0], [0.4, 0.3, 0.2]], cells: "
                    "[8, 6, 2], material: heavy}}\n"
                    "bodies: {ball: {from: table, file: @, material: hard, motion: {velocity: [1, "
                    "0.2, 0]}}}\n"
                    "stepper: {type: elastic}\n"
                    "time: {end: 1, step: 2e-6}\n"))
        return NAN;
    scr_world *w = &s.sim->world;
    for (size_t k = 0; k < w->cells.table.count; k++) w->cells.displacement[4 * k + 2] += shear * w->cells.home[4 * k];
    double before = NAN, jump = 0, least = INFINITY, most = 0;
    for (int k = 0; k < 120000; k++) {
        stage_advance(&s, 1);
        double force = w->bodies.load[2];
        if (k > 1) jump = check_worse(jump, fabs(force - before));
        before = force;
        least = check_lesser(least, force), most = check_worse(most, force);
    }
    printf("slide over steps of %.2g of an edge: force %.6g to %.6g N, largest change in 2 um %.3g "
           "N\n",
           shear, least, most, jump);
    CHECK(least > 0);
    // where two cells share the load it is larger by (1 + e)/(1 + e/2)
    if (shear == 0) CHECK_NEAR(most / least, 1.03 / 1.015, 1e-4); // 1e-6
    stage_close(&s);
    return jump / most;
}

/* A ball rolls over a soft block that yields under it by some per cent of a cell: what it loses and gains is in the
 * ledger, also while it passes from cell to cell. */
static void test_roll(void)
{
    stage s;
    grain ball = {.x = {-0.25, 0.02, 0.399}, .radius = 0.2, .v = {0.5, 0.1, 0}, .w = {-0.5, 2.5, 0}};
    if (!stage_open(&s, &ball, 1,
                    "scree: 1\n"
                    "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
                    "gravity: [0, 0, -10]\n"
                    "materials:\n" SOLID "  hard: {density: 2000}\n"
                    "contacts: {any: {stiffness: 3e5, restitution: 0.2, friction: 0.5}}\n"
                    "solids: {block: {mesh: block, box: [[-0.4, -0.3, 0], [0.4, 0.3, 0.2]], cells: "
                    "[8, 6, 2], "
                    "material: soft}}\n"
                    "patches: {base: {sides: [z-]}}\n"
                    "supports: {hold: {patch: base}}\n"
                    "bodies: {ball: {from: table, file: @, material: hard}}\n"
                    "stepper: {type: elastic}\n"
                    "time: {end: 2, step: 2e-5}\n"))
        return;
    const scr_world *w = &s.sim->world;
    double worst = 0, elastic = 0, weight = 10 * w->bodies.mass[0], jump = 0, before = 0;
    for (int k = 0; k < 50000; k++) {
        stage_advance(&s, 1);
        worst = check_worse(worst, fabs(scr_ledger_energies(w).closure));
        elastic = check_worse(elastic, w->ledger.elastic_solid + w->ledger.elastic_normal);
        if (k > 20000) jump = check_worse(jump, fabs(w->bodies.load[2] - before) / weight);
        before = w->bodies.load[2];
    }
    printf("roll: to x = %.3f m, at most %.3g J stored, closure at most %.2g J, force changes by at most %.2g of the "
           "weight in a step of 2e-5 s\n",
           w->bodies.place[0], elastic, worst, jump);
    CHECK(w->bodies.place[0] > 0.05);
    CHECK(worst < 1e-3 * elastic); // 5.6e-5
    CHECK(jump < 0.01);            // 2.6e-3
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    CHECK(test_slide(0) < 3e-4);     // 3.1e-5
    CHECK(test_slide(0.001) < 3e-3); // 2.5e-4
    test_roll();
    return check_done();
}
