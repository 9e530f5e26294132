/* Every normal law with every damping, cohesion, rolling and twisting that fits it: grains that fall
 * into a heap, touch, stick and roll. Nothing becomes NaN, and the ledger closes to second order in the time step. */
#include "stage.h"

static const char *const normals[] = {"stiffness: 500", "normal: hertz",
                                      "normal: plastic, stiffness: 500, unloading_stiffness: 1500"};
static const char *const cohesions[] = {"", ", cohesion: linear, adhesion: 50 uN",
                                        ", cohesion: jkr, surface_energy: 0.02"};
static const char *const dampings[] = {", restitution: 0.4", ", damping: viscous, damping_rate: 4000",
                                       ", damping: viscoelastic, area_damping_rate: 6e7"};
static const char *const turnings[] = {"",
                                       ", rolling: sds, rolling_friction: 0.2, twisting: sds, twisting_friction: 0.1",
                                       ", rolling: constant, rolling_friction: 0.2", ", twisting: marshall"};

// grains that yield have their restitution from that
static const char *damping_of(int normal, int damping)
{
    return normal == 2 && damping == 0 ? "" : dampings[damping];
}

// the largest closure over the energy at the start; `dt` becomes the time step where it is 0
static double run(int normal, int cohesion, int damping, int turning, double *dt, int steps)
{
    grain g[27];
    for (int k = 0; k < 27; k++)
        g[k] = (grain){
            .x = {2.1e-3 * (k % 3) + 1e-4 * (k % 5), 2.1e-3 * (k / 3 % 3) + 5e-5 * (k % 7), 1.1e-3 + 2.1e-3 * (k / 9)},
            .radius = 1e-3 * (1 - 0.04 * (k % 6)),
            .v = {0.02 * (k % 4 - 1.5), 0.03 * (k % 3 - 1), -0.1},
            .w = {10 * (k % 5 - 2), 7 * (k % 7 - 3), 5 * (k % 2)}};
    stage s;
    char given[40] = "";
    if (*dt > 0) snprintf(given, sizeof given, ", step: %.17g", *dt);
    if (!stage_open(&s, g, 27,
                    "scree: 1\n"
                    "domain: {box: [[-0.05, -0.05, -0.01], [0.05, 0.05, 2]]}\n"
                    "materials: {m: {density: 2500, young: 10 MPa, poisson: 0.3, friction: 0.5}}\n"
                    "contacts: {any: {speed: 0.5, %s%s%s%s}}\n"
                    "bodies: {all: {from: table, file: @, material: m}}\n"
                    "walls: {bin: {shape: box, material: m, box: [[-1.1e-3, -1.1e-3, 0], [5.9e-3, "
                    "5.7e-3, 1]]}}\n"
                    "time: {end: 1%s}\n",
                    normals[normal], cohesions[cohesion], damping_of(normal, damping), turnings[turning], given))
        return NAN;
    *dt = scree_simulation_stats(s.sim).dt;
    scree_energies start = scree_simulation_energies(s.sim);
    double before = start.translation + start.rotation + start.gravity, most = 0;
    int64_t touched = 0;
    for (int k = 0; k < 20; k++) {
        stage_advance(&s, steps);
        scree_energies e = scree_simulation_energies(s.sim);
        double mechanical = e.translation + e.rotation + e.gravity;
        CHECK(isfinite(mechanical) && isfinite(e.closure) && isfinite(e.elastic_rolling));
        most = check_worse(most, fabs(e.closure) / before);
        touched += stage_contacts(&s);
    }
    scree_energies e = scree_simulation_energies(s.sim);
    CHECK(touched > 80 && e.damping + e.friction > 0);
    CHECK((turning > 0) == (e.rolling != 0));
    stage_close(&s);
    return most;
}

// with the step that is chosen, and with half of it
static void both(int normal, int cohesion, int damping, int turning)
{
    double dt = 0, whole = run(normal, cohesion, damping, turning, &dt, 500), finer = 0.5 * dt,
           half = run(normal, cohesion, damping, turning, &finer, 1000);
    printf("%s%s%s%s: closure %.2g and %.2g\n", normals[normal], cohesions[cohesion], damping_of(normal, damping),
           turnings[turning], whole, half);
    CHECK(whole < (normal == 1 ? 0.05 : 0.01)); // at most 0.036 and 2.6e-3
    // 3.9 to 5.4; grains that only yield rattle in their dents: what is left, 2e-4, falls with order 1.8 later
    if (normal < 2 || damping) CHECK(whole / half > 3.4);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    for (int normal = 0; normal < 2; normal++)
        for (int cohesion = 0; cohesion < (normal ? 3 : 2); cohesion++)
            for (int damping = 0; damping < (normal ? 3 : 2); damping++)
                for (int turning = 0; turning < 4; turning++) both(normal, cohesion, damping, turning);
    // with and without attraction, a damper and springs that turn
    for (int k = 0; k < 4; k++) both(2, k & 1, k >> 1, 2 * (k & 1) + (k >> 1));
    return check_done();
}
