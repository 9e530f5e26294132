/* The incremental potential of the variational stepper: gradient and second derivative against differences, for
 * every law; and that what is said of a law there is what the explicit stepper does. */
#include "run/simulation.h"
#include "stage.h"
#include "step/variational/work.h"

static uint64_t seed = 88172645463325252ull;

static double draw(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-53 - 0.5;
}

/* ---- derivatives ---- */

#define GRAINS 64
#define ROWS   (SCR_ROW * GRAINS)

// a lattice that is pressed together, with grains of several sizes
static int press(grain *g, double spacing)
{
    int n = 0;
    for (int k = 0; k < GRAINS; k++, n++) {
        g[n] = (grain){
            .x = {0.3 + spacing * (k % 4), 0.3 + spacing * (k / 4 % 4), 0.3 + spacing * (k / 16)},
            .radius = 0.5 * (1 + 0.1 * draw())};
        for (int d = 0; d < 3; d++) {
            g[n].x[d] += 0.04 * draw();
            g[n].v[d] = draw(), g[n].w[d] = draw();
        }
    }
    return n;
}

// springs as if contacts had been there for some time
static void stretch(var_work *w)
{
    scr_pairs *p = w->pairs;
    for (size_t k = 0; k < 4 * p->count; k++)
        if (p->touch[k / 4] && k % 4 < 3) p->history[k] = 4e-3 * draw();
    for (size_t k = 0; k < 4 * p->walls.count; k++)
        if (p->walls.touch[k / 4] && k % 4 < 3) p->walls.history[k] = 4e-3 * draw();
    for (size_t k = 0; p->wide && k < 8 * p->count; k++)
        if (p->touch[k / 8] && k % 8 < 3) p->wide[k] = 4e-3 * draw();
    for (size_t k = 0; p->walls.wide && k < 8 * p->walls.count; k++)
        if (p->walls.touch[k / 8] && k % 8 < 3) p->walls.wide[k] = 4e-3 * draw();
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < ROWS; k++) sum += a[k] * b[k];
    return sum;
}

// a direction in which nothing that is held moves
static void direct(const var_work *w, double *p)
{
    const scr_bodies *b = &w->world->bodies;
    for (int k = 0; k < ROWS; k++) p[k] = k % 4 == 3 ? 0 : draw();
    for (size_t i = 0; i < b->table.count; i++)
        for (int d = 0; d < 4; d++) {
            if (b->motion[4 * i + 3] == 0) p[SCR_ROW * i + d] = 0;
            if (b->spin[4 * i + 3] == 0) p[SCR_ROW * i + 4 + d] = 0;
        }
}

// the largest relative error of the gradient and of the product, over steps of the difference
static void differences(stage *s, double h, double error[2])
{
    static double x[ROWS], p[ROWS], g[ROWS], plus[ROWS], minus[ROWS], at[ROWS], q[ROWS];
    var_work *w = s->sim->step.work;
    w->time = 0, w->h = h, w->s = w->theta * h;
    stretch(w);
    var_walls_prepare(w);
    var_predict(w);
    var_walls_pose(w, VAR_AT_STAGE);
    var_gather(w);
    scr_objective o = var_objective(w);
    for (int k = 0; k < ROWS; k++) x[k] = w->u[k] + (k % 4 == 3 ? 0 : 1e-3 * draw());
    for (size_t i = 0; i < w->world->bodies.table.count; i++)
        if (w->world->bodies.motion[4 * i + 3] == 0)
            memcpy(x + SCR_ROW * i, w->u + SCR_ROW * i, SCR_ROW * sizeof *x);
    direct(w, p);
    error[0] = error[1] = INFINITY;
    for (double e = 1e-5; e > 3e-8; e *= 0.3) {
        for (int k = 0; k < ROWS; k++) at[k] = x[k] + e * p[k];
        double up = o.evaluate(w, at, plus).energy;
        for (int k = 0; k < ROWS; k++) at[k] = x[k] - e * p[k];
        double down = o.evaluate(w, at, minus).energy;
        o.evaluate(w, x, g);
        double slope = dot(g, p);
        error[0] = fmin(error[0], fabs((up - down) / (2 * e) - slope) / fabs(slope));
        o.product(w, p, q);
        double off = 0, size = 0;
        for (int k = 0; k < ROWS; k++) {
            double d = (plus[k] - minus[k]) / (2 * e);
            off += (d - q[k]) * (d - q[k]), size += q[k] * q[k];
        }
        error[1] = fmin(error[1], sqrt(off / size));
    }
}

static void test_derivatives(const char *name, const char *contact, const char *more)
{
    grain g[GRAINS];
    int n = press(g, 0.97);
    stage s;
    if (!stage_open(
            &s, g, n,
            "scree: 1\n"
            "gravity: [0.3, 0, -1]\n"
            "domain: {box: [[-2, -2, -2], [6, 6, 6]]}\n"
            "materials: {m: {density: 1.9, restitution: 0.6, friction: 0.3,\n"
            "                rolling_friction: 0.2, young: 3e6, poisson: 0.25}}\n"
            "contacts: {any: {%s}}\n"
            "bodies: {all: {from: table, file: @, material: m%s}}\n"
            "walls:\n"
            "  floor: {shape: plane, material: m, normal: [0, 0, 1], velocity: [0.1, 0, 0.2]}\n"
            "  side: {shape: plane, material: m, normal: [1, 0, 0]}\n"
            "stepper: {type: variational, skin: 0.2}\n"
            "time: {end: 1, step: 1e-3}\n",
            contact, more))
        return;
    double error[2];
    differences(&s, 1e-3, error);
    var_work *w = s.sim->step.work;
    printf("%s: %lld contacts, %u records; gradient %.1e, product %.1e\n", name,
           (long long)stage_contacts(&s), w->count[2], error[0], error[1]);
    CHECK(stage_contacts(&s) > 100 && w->count[2] > 100);
    CHECK(error[0] < 1e-7);
    CHECK(error[1] < 1e-7);
    stage_close(&s);
}

int main(void)
{
    test_derivatives("hooke", "stiffness: 2e5, tangential: none", "");
    test_derivatives("hooke, friction", "stiffness: 2e5, stiffness_ratio: 0.3", "");
    test_derivatives("hooke, viscous", "stiffness: 2e5, damping: viscous, damping_rate: 40", "");
    test_derivatives("hooke, rolling", "stiffness: 2e5, rolling: sds", "");
    test_derivatives("hertz", "normal: hertz, tangential: none", "");
    test_derivatives("hertz, mindlin", "normal: hertz", "");
    test_derivatives("hertz, history",
                     "normal: hertz, tangential: history, tangential_stiffness: 5e4", "");
    test_derivatives("hertz, viscoelastic, rolling",
                     "normal: hertz, damping: viscoelastic, area_damping_rate: 300, rolling: sds",
                     "");
    return check_done();
}
