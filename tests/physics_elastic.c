/* The elastic stepper: forces are the gradient of the energy, what is conserved is, and the step is of second order.
 * Blocks of bricks; with `twist`, arms, normals, axes and directors are turned at random, so that nothing is
 * aligned. */
#include "cells_fixture.h"

static const block_def small = {
    .n = {3, 2, 2}, .edge = {1, 1.2, 0.9}, .young = 10, .poisson = 0.3, .density = 1.5, .twist = 0.4};

static block_def kind_of(int kind)
{
    block_def d = small;
    d.normal = kind & 1 ? SCR_LINK_FACE_NORMAL : SCR_LINK_CENTRE_LINE;
    if (kind & 2) d.thickness = 0.9;
    if (kind & 4) d.poisson = -0.3;
    return d;
}

// energy of links and loads at the present place, from the stepper's own evaluation
static double stored(block *b)
{
    b->step.stepper->close(&b->step);
    b->step.stepper->open(&b->step, false, &b->report);
    return b->world.ledger.elastic_solid;
}

// motion `axis` of a cell by `way`: three displacements, then three turns in space
static void nudge(block *b, size_t cell, int axis, double way)
{
    scr_cells *c = &b->world.cells;
    vec3 turn = v3(axis == 3 ? way : 0, axis == 4 ? way : 0, axis == 5 ? way : 0);
    if (axis < 3)
        c->displacement[4 * cell + (size_t)axis] += way;
    else
        quat_store(c->turn + 4 * cell, quat_mul(quat_exp(turn), scr_cell_turn(c, cell)));
}

static void test_gradient(int kind)
{
    block b;
    block_def d = kind_of(kind);
    block_make(&b, &d);
    block_disturb(&b, 0.1, 0.3);
    block_open(&b, 0.5);
    size_t cells = b.world.cells.table.count;
    double *load = malloc(8 * cells * sizeof *load), worst = 0, largest = 0;
    memcpy(load, b.world.cells.load, 8 * cells * sizeof *load);
    for (size_t k = 0; k < 8 * cells; k++) largest = check_worse(largest, fabs(load[k]));
    const double h = 1e-5;
    for (size_t k = 0; k < cells; k++)
        for (int axis = 0; axis < 6; axis++) {
            nudge(&b, k, axis, h);
            double up = stored(&b);
            nudge(&b, k, axis, -2 * h);
            double down = stored(&b);
            nudge(&b, k, axis, h);
            double force = load[8 * k + (size_t)(axis < 3 ? axis : axis + 1)];
            worst = check_worse(worst, fabs(force + (up - down) / (2 * h)));
        }
    printf("kind %d: gradient off by %.2g of the largest force\n", kind, worst / largest);
    CHECK(largest > 1);
    CHECK(worst < 5e-10 * largest); /* 2e-11 to 9e-11 */
    free(load);
    block_close(&b);
}

// the energy does not notice a rigid motion of the whole, and the forces turn with it
static void test_frame(int kind)
{
    block b;
    block_def d = kind_of(kind);
    block_make(&b, &d);
    block_disturb(&b, 0.1, 0.3);
    block_open(&b, 0.5);
    scr_cells *c = &b.world.cells;
    double energy = b.world.ledger.elastic_solid;
    vec3 force = v3_load(c->load), torque = v3_load(c->load + 4);
    quat q = quat_exp(v3(0.7, -1.1, 0.4));
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 x = v3_add(quat_turn(q, scr_cell_centre(c, k)), v3(3, 4, 5));
        v3_store(c->displacement + 4 * k, v3_sub(x, v3_load(c->home + 4 * k)));
        quat_store(c->turn + 4 * k, quat_mul(q, scr_cell_turn(c, k)));
    }
    CHECK_NEAR(stored(&b), energy, 1e-14 * energy); /* 1e-15 */
    CHECK(v3_norm(v3_sub(v3_load(c->load), quat_turn(q, force))) < 1e-13 * v3_norm(force));
    CHECK(v3_norm(v3_sub(v3_load(c->load + 4), quat_turn(q, torque))) < 1e-13 * v3_norm(torque));
    block_close(&b);
}

// forces add up to nothing, torques too; and momenta stay what they are for many steps
static void test_momentum(int kind)
{
    block b;
    block_def d = kind_of(kind);
    block_make(&b, &d);
    scr_cells *c = &b.world.cells;
    for (size_t k = 0; k < c->table.count; k++) {
        v3_store(c->velocity + 4 * k, v3_add(v3(1, 2, -1), block_noise(&b, 0.1)));
        scr_cell_set_spin(c, k, block_noise(&b, 0.1));
    }
    block_open(&b, 0.5);
    vec3 p = block_momentum(&b), l = block_angular_momentum(&b);
    CHECK(!block_run(&b, 2000));
    vec3 f = v3(0, 0, 0), m = v3(0, 0, 0);
    double size = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 one = v3_load(c->load + 8 * k);
        f = v3_add(f, one);
        m = v3_add(m, v3_add(v3_cross(scr_cell_centre(c, k), one), v3_load(c->load + 8 * k + 4)));
        size += v3_norm(one);
    }
    CHECK(v3_norm(f) < 1e-14 * size);
    CHECK(v3_norm(m) < 1e-12 * size); /* arms of a hundred metres */
    double dp = v3_norm(v3_sub(block_momentum(&b), p)) / v3_norm(p);
    double dl = v3_norm(v3_sub(block_angular_momentum(&b), l)) / v3_norm(l);
    printf("kind %d: momentum %.2g, angular momentum %.2g after 2000 steps\n", kind, dp, dl);
    CHECK(dp < 2e-14); /* 2e-15 */
    CHECK(dl < 1e-12); /* 2e-13 */
    CHECK(v3_norm(p) > 1 && v3_norm(l) > 1);
    block_close(&b);
}

/* ---- a free rigid cell ---- */

// a lone brick that tumbles about its middle axis: where it points after a time, with n steps
static quat tumble(long steps, double time, double *kinetic, double *momentum)
{
    block b;
    block_def d = {.n = {1, 1, 1}, .edge = {1, 2, 3}, .young = 1, .poisson = 0, .density = 1};
    block_make(&b, &d);
    scr_cell_set_spin(&b.world.cells, 0, v3(0.1, 2, 0.05));
    b.world.clock.dt = time / (double)steps;
    block_open(&b, 0);
    double k0 = block_kinetic(&b);
    vec3 l0 = v3_load(b.world.cells.momentum);
    CHECK(!block_run(&b, steps));
    *kinetic = fabs(block_kinetic(&b) / k0 - 1);
    *momentum = v3_norm(v3_sub(v3_load(b.world.cells.momentum), l0));
    quat q = scr_cell_turn(&b.world.cells, 0);
    block_close(&b);
    return q;
}

static double apart(quat a, quat b)
{
    quat d = quat_mul(quat_conjugate(a), b);
    return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

static void test_rigid(void)
{
    double kinetic, momentum, error[3];
    quat exact = tumble(1 << 17, 10, &kinetic, &momentum);
    for (int k = 0; k < 3; k++) {
        error[k] = apart(exact, tumble(500L << k, 10, &kinetic, &momentum));
        CHECK(kinetic < 1e-13); /* 1e-14 */
        CHECK_NEAR(momentum, 0, 0);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2, 0.02);
    CHECK_NEAR(log2(error[1] / error[2]), 2, 0.02);
    printf("free cell: attitude off by %.3g, %.3g, %.3g rad; kinetic energy %.2g\n", error[0], error[1], error[2],
           kinetic);
    tumble(20000, 2000, &kinetic, &momentum); // 0.2 rad in a step
    CHECK(kinetic < 1e-11);
}

/* ---- time stepping ---- */

static void shake(block *b, const block_def *d, double strain, double spin)
{
    block_make(b, d);
    block_disturb(b, strain, strain);
    for (size_t k = 0; k < b->world.cells.table.count; k++) scr_cell_set_spin(&b->world.cells, k, block_noise(b, spin));
}

static void test_reversible(int kind)
{
    block b;
    block_def d = kind_of(kind);
    shake(&b, &d, 0.02, 0.3);
    scr_cells *c = &b.world.cells;
    size_t bytes = 4 * c->table.count * sizeof(double);
    double *start = malloc(bytes), worst = 0, moved = 0;
    memcpy(start, c->displacement, bytes);
    block_open(&b, 0.5);
    for (int way = 0; way < 2; way++) {
        CHECK(!block_run(&b, 2000));
        for (size_t k = 0; k < c->table.count; k++)
            for (size_t x = 4 * k; x < 4 * k + 3; x++) {
                c->velocity[x] = -c->velocity[x], c->momentum[x] = -c->momentum[x];
                double off = fabs(c->displacement[x] - start[x]);
                *(way ? &worst : &moved) = check_worse(way ? worst : moved, off);
            }
    }
    printf("kind %d: there and back in 4000 steps: off by %.2g\n", kind, worst);
    CHECK(moved > 0.01);
    CHECK(worst < 2e-13); /* 3e-14 */
    free(start);
    block_close(&b);
}

// the largest change of energy within a time, with steps of this part of the bound
static double wobble(const block_def *d, double fraction, double time)
{
    block b;
    shake(&b, d, 0.02, 0.3);
    block_open(&b, fraction);
    double worst = 0, start = block_energy(&b);
    long steps = lround(time / b.world.clock.dt);
    for (long k = 0; k < steps; k++) {
        CHECK(!block_run(&b, 1));
        worst = check_worse(worst, fabs(block_energy(&b) - start));
    }
    block_close(&b);
    return worst / start;
}

static void test_energy_order(int kind)
{
    block_def d = kind_of(kind);
    double e[3];
    for (int k = 0; k < 3; k++) e[k] = wobble(&d, 0.3 / (1 << k), 40);
    printf("kind %d: energy off by %.3g, %.3g, %.3g at 0.3, 0.15, 0.075 of the bound\n", kind, e[0], e[1], e[2]);
    CHECK_NEAR(log2(e[0] / e[1]), 2, 0.2);
    CHECK_NEAR(log2(e[1] / e[2]), 2, 0.1);
}

int main(void)
{
    for (int kind = 0; kind < 8; kind++) {
        test_gradient(kind);
        test_frame(kind);
        test_momentum(kind);
        test_reversible(kind);
        test_energy_order(kind);
    }
    test_rigid();
    return check_done();
}
