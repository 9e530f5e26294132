/* The lowest eigenvalue of elastic solids at rest (statics.stability): two cells and a cantilever against closed forms,
 * a cantilever against its own free vibration, and columns that buckle at Euler's load. Grains: physics_rest.c. */
#include "run/simulation.h"
#include "stage.h"
#include "step/equilibrium/equilibrium.h"

#define BEAM                                                                                       \
    "scree: 1\n"                                                                                   \
    "gravity: [0, 0, 0]\n"                                                                         \
    "domain: {box: [[-100, -100, -100], [100, 100, 100]]}\n"                                       \
    "time: {end: 1 s}\n"                                                                           \
    "stepper: elastic\n"                                                                           \
    "materials: {m: {density: 1, young: 1, poisson: %g}}\n"                                        \
    "solids: {beam: {mesh: block, material: m, box: [[0, 0, 0], [%.17g, %g, %g]], cells: [%d, 1, " \
    "1], torsion: paper}}\n"                                                                       \
    "patches: {root: {sides: [x-]}, tip: {sides: [x+]}}\n"                                         \
    "statics: {steps: 1, stability: yes, tolerance: 1e-12, method: %s}\n"
#define HELD "supports: {root: {patch: root}}\n"

static double lowest_of(stage *s)
{
    scree_statics found = scree_simulation_stats(s->sim).statics;
    stage_close(s);
    return found.lowest;
}

/* ---- two cubes, one of them held ---- */

// k = E h, k_b = E h^3/12, J = m h^2/6: (1 - x)(1/3 - x/6) = 1/4 for the lower of bending, x = lambda rho h^2/E
static void two_cubes(const char *method)
{
    stage s;
    if (!stage_solid(&s, 1, BEAM HELD, 0.0, 2.0, 1.0, 1.0, 2, method)) return;
    double exact = (3 - sqrt(7)) / 2, lowest = lowest_of(&s);
    printf("two cubes, %s: %.15g, exact %.15g, off by %.1e\n", method, lowest, exact, lowest / exact - 1);
    CHECK_NEAR(lowest / exact, 1, 4e-14); // off by 4.4e-16
}

/* ---- a cantilever ---- */

#define LENGTH 10.0
#define WIDTH  1.0
#define THICK  0.5

// clamped at the centre of the first cell, free where the last cell ends
static bool open_cantilever(stage *s, int links, double poisson, const char *rest)
{
    double edge = LENGTH / (links + 0.5);
    return stage_solid(s, 1, BEAM "%s", poisson, (links + 1) * edge, WIDTH, THICK, links + 1, "newton", rest);
}

static double second_moment(void)
{
    return WIDTH * THICK * THICK * THICK / 12;
}

static double euler_load(void)
{
    return M_PI * M_PI * second_moment() / (4 * LENGTH * LENGTH);
}

typedef struct {
    double w, psi, moment, shear;
} beam_state;

typedef struct {
    double poisson, load, lambda;
} beam;

// d/dx of Timoshenko's beam under a load along it that swings with lambda = omega^2; links shear with 2 mu S: k G A
static beam_state slope(beam_state y, const beam *b)
{
    double area = WIDTH * THICK, second = second_moment(), stiff = area / (1 + b->poisson);
    return (beam_state){y.psi + y.shear / stiff, y.moment / second, -y.shear - (b->load + b->lambda * second) * y.psi,
                        -b->lambda * area * y.w};
}

static beam_state along(beam_state y, double h, beam_state d)
{
    return (beam_state){y.w + h * d.w, y.psi + h * d.psi, y.moment + h * d.moment, y.shear + h * d.shear};
}

// moment and shear force at the free end for a clamp with unit moment and shear: their determinant
static double free_end(const beam *b)
{
    beam_state y[2] = {{.moment = 1}, {.shear = 1}};
    const int steps = 400;
    double h = LENGTH / steps;
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < steps; n++) {
            beam_state d1 = slope(y[k], b), d2 = slope(along(y[k], h / 2, d1), b);
            beam_state d3 = slope(along(y[k], h / 2, d2), b), d4 = slope(along(y[k], h, d3), b);
            y[k] = along(along(along(along(y[k], h / 6, d1), h / 3, d2), h / 3, d3), h / 6, d4);
        }
    return y[0].moment * y[1].shear - y[1].moment * y[0].shear;
}

static double timoshenko(double poisson, double load)
{
    double thin = pow(1.8751040687119611, 4) * THICK * THICK / 12 / pow(LENGTH, 4);
    double low = -3 * thin, high = 1.1 * thin;
    bool sign = free_end(&(beam){poisson, load, low}) > 0;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *((free_end(&(beam){poisson, load, middle}) > 0) == sign ? &low : &high) = middle;
    }
    return low;
}

// `part` of Euler's load presses on its end
static void cantilever(double poisson, double part)
{
    double found[3], edge[3], load = part * euler_load(), exact = timoshenko(poisson, load);
    char rest[256];
    snprintf(rest, sizeof rest, HELD "loads: {p: {type: force, patch: tip, force: [%.17g, 0, 0], spread: area}}\n",
             -load);
    for (int k = 0; k < 3; k++) {
        stage s;
        int links = 10 << k;
        if (!open_cantilever(&s, links, poisson, rest)) return;
        found[k] = lowest_of(&s) / exact - 1, edge[k] = LENGTH / (links + 0.5);
    }
    double r = pow(edge[1] / edge[2], 2), better = (r * found[2] - found[1]) / (r - 1);
    double order = log(found[1] / found[2]) / log(edge[1] / edge[2]);
    printf("cantilever, nu %g, %g of Euler's load: lambda %.9g; off by %.2e, %.2e, %.2e, order "
           "%.3f, extrapolated %.2e\n",
           poisson, part, exact, found[0], found[1], found[2], order, better);
    CHECK_NEAR(order, 2, 0.05);  // off by 0.001
    CHECK_NEAR(better, 0, 1e-5); // 2.1e-7 at most
}

// turned as a whole by its support, which must not matter: moments of inertia are those of the present attitude
static void turned(void)
{
    double found[2];
    for (int k = 0; k < 2; k++) {
        stage s;
        const char *turn = "supports: {root: {patch: root, rotation: [0.3, 1.1, 0.2]}}\n";
        if (!open_cantilever(&s, 4, 0.3, k ? turn : HELD)) return;
        found[k] = lowest_of(&s);
    }
    printf("turned: off by %.1e\n", found[1] / found[0] - 1);
    CHECK_NEAR(found[1] / found[0], 1, 4e-12); // off by 4.7e-14
}

/* ---- its free vibration ---- */

// the mode of the lowest eigenvalue by inverse iteration, into e->way
static void find_mode(scr_equilibrium *e)
{
    double *way = e->way, *last = e->last;
    scr_tangent_assemble(&e->tangent, e->elastic->factor, NULL, NULL);
    CHECK_INT(scr_sparse_factor(e->tangent.sparse, 0), SCR_SPARSE_READY);
    for (size_t k = 0; k < e->tangent.size; k++) way[k] = 1;
    for (int n = 0; n < 20; n++) {
        double most = 0;
        scr_tangent_weigh(&e->tangent, way, last);
        if (scr_sparse_solve(e->tangent.sparse, last, way) != SCR_SPARSE_READY) return;
        for (size_t k = 0; k < e->tangent.size; k++) most = check_worse(most, fabs(way[k]));
        for (size_t k = 0; k < e->tangent.size; k++) way[k] /= most;
    }
}

// the elastic stepper swings with it: v = (2/dt) asin(omega dt/2) of a step
static void vibration(void)
{
    stage rest, swings;
    const int links = 10;
    double edge = LENGTH / (links + 0.5);
    if (!open_cantilever(&rest, links, 0.3, HELD)) return;
    scr_equilibrium *e = rest.sim->step.work;
    find_mode(e);
    CHECK(stage_solid(&swings, 0, BEAM HELD, 0.3, (links + 1) * edge, WIDTH, THICK, links + 1, "newton"));
    scr_cells *c = &swings.sim->world.cells;
    for (size_t k = 0; k < c->table.count; k++) {
        double d[6] = {0};
        for (size_t i = 0; i < 6; i++) {
            int64_t at = e->tangent.number[6 * k + i];
            if (at >= 0) d[i] = 1e-9 * e->way[at];
        }
        v3_store(c->velocity + 4 * k, v3_load(d));
        scr_cell_set_spin(c, k, v3_load(d + 3));
    }
    // six half periods
    double dt = swings.sim->world.clock.dt, before = 0, time = 0;
    const double *tip = c->displacement + 4 * links + 2;
    scree_status status = SCREE_OK;
    for (int crossings = 0, n = 1; crossings < 6 && n < 1000000 && !status; n++) {
        status = scree_simulation_advance(swings.sim, 1, &swings.report);
        if (n > 1 && (*tip > 0) != (before > 0)) {
            crossings++;
            time = (n - 1 + before / (before - *tip)) * dt;
        }
        before = *tip;
    }
    double turn = 6 * M_PI / time * dt, seen = pow(2 / dt * sin(0.5 * turn), 2);
    double lowest = lowest_of(&rest);
    printf("vibration: omega^2 %.12g, eigenvalue %.12g, off by %.1e; %.0f steps a period\n", seen, lowest,
           seen / lowest - 1, time / 3 / dt);
    CHECK_INT(status, SCREE_OK);
    CHECK_NEAR(seen / lowest, 1, 1e-10); // off by 1.3e-12
    stage_close(&swings);
}

/* ---- Euler's column ---- */

// clamped below, pressed at the centre of its last cell: links bend with EI/D each, P_c = 4 EI/D^2 sin^2(pi/4N)
static double column(int links, double part)
{
    stage s;
    double edge = LENGTH / links;
    double critical = 4 * second_moment() / (edge * edge) * pow(sin(M_PI / 4 / links), 2);
    if (!stage_solid(&s, 1,
                     BEAM HELD "loads: {p: {type: force, patch: tip, force: [%.17g, 0, 0], spread: "
                               "equal}}\n",
                     0.0, LENGTH + edge, WIDTH, THICK, links + 1, "newton", -part * critical))
        return NAN;
    bool stable = scree_simulation_stats(s.sim).statics.stable;
    double lowest = lowest_of(&s);
    CHECK(stable == (lowest > 0));
    return lowest;
}

static void columns(void)
{
    const double near = 1e-6;
    for (int links = 5; links <= 20; links *= 4) {
        double before = column(links, 1 - near), after = column(links, 1 + near);
        // zero between the two, and linear there
        double zero = (before * (1 + near) - after * (1 - near)) / (before - after);
        printf("column of %d links: %.4g and %.4g 1/s^2 at 1 -+ 1e-6 of its load; zero at 1 + "
               "%.1e\n",
               links, before, after, zero - 1);
        CHECK(before > 0 && after < 0);
        CHECK_NEAR(zero, 1, 1e-9); // off by 2.3e-11
    }
}

int main(void)
{
    two_cubes("newton");
    two_cubes("relaxation");
    cantilever(0, 0);
    cantilever(0.3, 0);
    cantilever(0, 0.5);
    cantilever(0, 1.5);
    turned();
    vibration();
    columns();
    return check_done();
}
