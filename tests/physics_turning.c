/* Rolling and twisting of grains: the same collision anywhere and along any axis, and the torque that stops rolling. */
#include "stage.h"

static bool open_turning(stage *s, const grain *g, int n, const char *law, double dt)
{
    return stage_open(s, g, n,
                      "scree: 1\ngravity: [0, 0, 0]\n"
                      "domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}\n"
                      "materials: {glass: {density: 2500}}\n"
                      "contacts: {any: {stiffness: 1e4, %s}}\n"
                      "bodies: {all: {from: table, file: @, material: glass}}\n"
                      "time: {end: 1, step: %g}\n",
                      law, dt);
}

// pairs that meet, each turned against the one before by a third of a turn about (1, 1, 1): x becomes y, y becomes z
static void test_alike(const char *law)
{
    enum { PAIRS = 20, N = 2 * PAIRS };
    const double along[3] = {0.8, 0.48, 0.36}, v[3] = {-2, 0.7, 0.4}, w[3] = {40, -70, 90};
    grain g[N];
    for (int k = 0; k < N; k++) {
        int pair = k / 2, turn = pair % 3, second = k % 2;
        double centre[3] = {0.01 + 0.02 * (pair % 4), 0.01 + 0.02 * (pair / 4), 0.05};
        g[k] = (grain){.radius = second ? 1.3e-3 : 1e-3};
        for (int d = 0; d < 3; d++) {
            int to = (d + turn) % 3;
            g[k].x[to] = centre[to] + (second ? 2.305e-3 * along[d] : 0);
            g[k].v[to] = second ? v[d] : 0;
            g[k].w[to] = second ? 0.4 * w[(d + 1) % 3] : w[d];
        }
    }
    stage s;
    if (!open_turning(&s, g, N, law, 2e-6)) return;
    CHECK(stage_collide(&s, 200));
    double u[3 * N], spin[3 * N], off = 0, turned = 0;
    stage_view(&s, "velocity", u, 3 * N);
    stage_view(&s, "spin", spin, 3 * N);
    for (int k = 2; k < N; k++)
        for (int d = 0; d < 3; d++) {
            int to = 3 * k + (d + k / 2 % 3) % 3, first = 3 * (k % 2) + d;
            off = check_worse(off, fabs(u[to] - u[first]));
            off = check_worse(off, 1e-3 * fabs(spin[to] - spin[first]));
        }
    for (int d = 0; d < 3; d++) turned += fabs(spin[d] - g[0].w[d]);
    scree_energies e = scree_simulation_energies(s.sim);
    printf("%s: pairs differ by %.2g m/s; spin changed by %.3g/s, %.2g J rolled away\n", law, off, turned, e.rolling);
    CHECK_NEAR(off, 0, 1e-9);
    CHECK(turned > 1 && e.rolling > 0);
    stage_close(&s);
}

/* A constant torque with a limit that is far: it takes away all rolling within a step, half of it in each of the two
 * halves of the kick, and each grain's part is as its inertia wants. */
static void test_stop(void)
{
    grain g[2] = {{.x = {0.05, 0.05, 0.05}, .radius = 2e-3, .w = {0, 3, -2}},
                  {.x = {0.0534, 0.05, 0.05}, .radius = 1.5e-3, .w = {0, -1, 4}}};
    stage s;
    if (!open_turning(&s, g, 2, "restitution: 1, friction: 0, rolling: constant, rolling_friction: 1e6", 1e-6)) return;
    double over[2], spin[6];
    for (int k = 0; k < 2; k++) over[k] = pow(g[k].radius, -5); // 1/I but for what both have
    for (int step = 1; step <= 2; step++) {
        stage_advance(&s, 1);
        stage_view(&s, "spin", spin, 6);
        for (int k = 0; k < 2; k++)
            for (int d = 0; d < 3; d++) {
                double part = over[k] / (over[0] + over[1]);
                double want = g[k].w[d] - 0.5 * step * part * (g[k].w[d] - g[1 - k].w[d]);
                CHECK_NEAR(spin[3 * k + d], want, 1e-9);
            }
    }
    stage_close(&s);
}

int main(void)
{
    test_alike("restitution: 0.6, friction: 0.4, rolling: sds, rolling_friction: 0.3, "
               "twisting: sds, twisting_friction: 0.2");
    test_alike("restitution: 0.6, friction: 0.4, rolling: constant, rolling_friction: 0.05");
    test_stop();
    return check_done();
}
