/* Every normal law with every damping, cohesion, rolling and twisting that fits it: grains that fall
 * into a heap, touch, stick and roll. Nothing becomes NaN, and the ledger closes. */
#include "stage.h"

static const char *const normals[] = {"stiffness: 500", "normal: hertz"};
static const char *const cohesions[] = {"", ", cohesion: linear, adhesion: 50 uN",
                                        ", cohesion: jkr, surface_energy: 0.02"};
static const char *const dampings[] = {", restitution: 0.4",
                                       ", damping: viscous, damping_rate: 4000",
                                       ", damping: viscoelastic, area_damping_rate: 6e7"};
static const char *const turnings[] = {
    "", ", rolling: sds, rolling_friction: 0.2, twisting: sds, twisting_friction: 0.1",
    ", rolling: constant, rolling_friction: 0.2", ", twisting: marshall"};

static void run(int normal, int cohesion, int damping, int turning, double *worst)
{
    grain g[27];
    for (int k = 0; k < 27; k++)
        g[k] = (grain){.x = {2.1e-3 * (k % 3) + 1e-4 * (k % 5),
                             2.1e-3 * (k / 3 % 3) + 5e-5 * (k % 7), 1.1e-3 + 2.1e-3 * (k / 9)},
                       .radius = 1e-3 * (1 - 0.04 * (k % 6)),
                       .v = {0.02 * (k % 4 - 1.5), 0.03 * (k % 3 - 1), -0.1},
                       .w = {10 * (k % 5 - 2), 7 * (k % 7 - 3), 5 * (k % 2)}};
    stage s;
    if (!stage_open(&s, g, 27,
                    "scree: 1\n"
                    "domain: {box: [[-0.05, -0.05, -0.01], [0.05, 0.05, 2]]}\n"
                    "materials: {m: {density: 2500, young: 10 MPa, poisson: 0.3, friction: 0.5}}\n"
                    "contacts: {any: {speed: 0.5, %s%s%s%s}}\n"
                    "bodies: {all: {from: table, file: @, material: m}}\n"
                    "walls: {bin: {shape: box, material: m, box: [[-1.1e-3, -1.1e-3, 0], [5.9e-3, "
                    "5.7e-3, 1]]}}\n"
                    "time: {end: 1}\n",
                    normals[normal], cohesions[cohesion], dampings[damping], turnings[turning]))
        return;
    scree_energies start = scree_simulation_energies(s.sim);
    double before = start.translation + start.rotation + start.gravity, most = 0;
    int64_t touched = 0;
    for (int k = 0; k < 20; k++) {
        stage_advance(&s, 500);
        scree_energies e = scree_simulation_energies(s.sim);
        double mechanical = e.translation + e.rotation + e.gravity;
        CHECK(isfinite(mechanical) && isfinite(e.closure) && isfinite(e.elastic_rolling));
        most = fmax(most, fabs(e.closure) / before);
        touched += stage_contacts(&s);
    }
    scree_energies e = scree_simulation_energies(s.sim);
    CHECK(touched > 80 && e.damping + e.friction > 0);
    CHECK((turning > 0) == (e.rolling != 0));
    if (most > *worst) *worst = most;
    printf("%s%s%s%s: closure %.2g, %lld contacts\n", normals[normal], cohesions[cohesion],
           dampings[damping], turnings[turning], most, (long long)stage_contacts(&s));
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    double worst[2][3] = {{0}};
    for (int normal = 0; normal < 2; normal++)
        for (int cohesion = 0; cohesion < (normal ? 3 : 2); cohesion++)
            for (int damping = 0; damping < (normal ? 3 : 2); damping++)
                for (int turning = 0; turning < 4; turning++)
                    run(normal, cohesion, damping, turning, &worst[normal][damping]);
    double hooke = fmax(worst[0][0], worst[0][1]);
    double hertz = fmax(worst[1][0], fmax(worst[1][1], worst[1][2]));
    printf("worst closure over the energy at the start: hooke %.2g, hertz %.2g\n", hooke, hertz);
    CHECK_NEAR(hooke, 0, 0.02); // 6.5e-3
    CHECK_NEAR(hertz, 0, 0.05); // 0.037
    return check_done();
}
