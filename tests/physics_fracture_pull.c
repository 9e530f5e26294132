/* Brittle fracture of elastic solids in motion: strength, fragments, and what happens where the parts meet. */
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

/* ---- a bar that is pulled apart ---- */

static void test_pull(const char *strength, double stress)
{
    stage s;
    if (!stage_open(&s, NULL, 0,
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
        pulled = check_worse(pulled, scr_support_force(&w->supports[1]).x);
    }
    double stored = SCR_ACCOUNT(&w->ledger, cracked), time = w->clock.time;
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
    CHECK(stored > 0 && SCR_ACCOUNT(&w->ledger, cracked) == stored);
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
        if (w->links.cell[2 * k] / 4 == 3 && w->links.cell[2 * k + 1] / 4 == 4) work->fracture.verdict[k] = 1;
    CHECK(scr_elastic_fracture_break(work, &s.sim->step, &s.report) == SCREE_OK);
    CHECK_INT(broken_of(w), 4);
    CHECK_INT(fragments_of(w), 2);
    double released = SCR_ACCOUNT(&w->ledger, cracked), offset = 0;
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
    test_pull("tensile_strength: 2e4", 2e4);
    test_pull("tensile_strength: 2e4, shear_strength: 1e4", 2e4);
    test_pressed();
    return check_done();
}
