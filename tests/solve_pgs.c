/* Projected Gauss-Seidel: closed forms, conservation, and the same bits whoever solves. */
#include "solve/pgs.h"

#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "exec/cpu/threads.h"
#include "solve/pgs_trial.h"

#define PI 3.14159265358979323846

static const double h = 5e-3, gravity = 9.81, stiffness = 3000, radius = 0.0065;
static const double relax = 1.0 / 9; // 1/(1 + 4 tau/h), tau = 2 h

static double mass(void)
{
    return 3700 * 4.0 / 3 * PI * radius * radius * radius;
}

static vec3 random_vector(scr_random *r, double size)
{
    double x = scr_random_between(r, -size, size), y = scr_random_between(r, -size, size);
    return v3(x, y, scr_random_between(r, -size, size));
}

static scr_pgs_body sphere(void)
{
    double m = mass();
    return (scr_pgs_body){.inverse_mass = 1 / m, .inverse_inertia = 1 / (0.4 * m * radius * radius)};
}

static scr_pgs_contact touch(uint32_t a, uint32_t b, vec3 n)
{
    return (scr_pgs_contact){.a = a, .b = b, .normal = n, .arm = {radius, b == SCR_PGS_STILL ? 0 : radius}};
}

static void set_continuous(scr_pgs_contact *c, double overlap, double un)
{
    c->target = -4 / h * relax * overlap - relax * un;
    c->give = 4 * relax / (h * h * stiffness);
}

static scr_pgs_problem problem_of(scr_pgs_body *bodies, size_t body_count, scr_pgs_contact *contacts,
                                  size_t contact_count)
{
    return (scr_pgs_problem){.bodies = bodies,
                             .body_count = body_count,
                             .general_first = body_count,
                             .contacts = contacts,
                             .contact_count = contact_count,
                             .give_tangential = 1e-6 / h,
                             .give_rolling = 1e-6 / h};
}

static scr_pgs_result solve(const scr_pgs_problem *p, int sweeps, bool precise)
{
    scr_pgs *s = scr_pgs_create();
    CHECK(s && scr_pgs_prepare(s, p));
    scr_pgs_result r = scr_pgs_solve(s, p, &(scr_pgs_options){.sweeps = sweeps, .precise = precise});
    scr_pgs_destroy(s);
    return r;
}

// a sphere on a floor: the overlap at rest is m g / k
static void test_rest(bool precise)
{
    scr_pgs_body body = sphere();
    scr_pgs_contact c = touch(0, SCR_PGS_STILL, v3(0, 0, -1));
    c.mu = 0.91, c.roll = 0.32 * radius;
    double z = -1e-5, want = mass() * gravity / stiffness; // height of the lowest point
    for (int k = 0; k < 2000; k++) {
        set_continuous(&c, -z, -body.v.z);
        body.v.z -= gravity * h;
        scr_pgs_problem p = problem_of(&body, 1, &c, 1);
        solve(&p, 5, precise);
        z += h * body.v.z;
    }
    CHECK_NEAR(-z / want, 1, 1e-12); // off by 2e-15 in single precision
    CHECK_NEAR(c.ln / (mass() * gravity * h), 1, 1e-12);
}

// a column of ten: each contact carries what is above it
static void test_column(void)
{
    enum { N = 10 };
    scr_pgs_body body[N];
    scr_pgs_contact c[N];
    double z[N], m = mass();
    for (uint32_t i = 0; i < N; i++) {
        body[i] = sphere();
        c[i] = i ? touch(i, i - 1, v3(0, 0, -1)) : touch(0, SCR_PGS_STILL, v3(0, 0, -1));
        c[i].mu = 0.5;
        z[i] = -1e-5 * (i + 1.0);
    }
    for (int k = 0; k < 400; k++) {
        for (int i = 0; i < N; i++)
            set_continuous(&c[i], (i ? z[i - 1] : 0) - z[i], (i ? body[i - 1].v.z : 0) - body[i].v.z);
        for (int i = 0; i < N; i++) body[i].v.z -= gravity * h;
        scr_pgs_problem p = problem_of(body, N, c, N);
        solve(&p, 60, false);
        for (int i = 0; i < N; i++) z[i] += h * body[i].v.z;
    }
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(c[i].ln / (m * gravity * h) / (N - i), 1, 1e-6);
        double overlap = (i ? z[i - 1] : 0) - z[i];
        CHECK_NEAR(overlap * stiffness / (m * gravity) / (N - i), 1, 1e-6);
    }
}

static void test_limits(void)
{
    // sliding: friction is mu ln against the motion
    double m = mass();
    scr_pgs_body body = sphere();
    body.v = v3(1, 0, -gravity * h);
    scr_pgs_contact c = touch(0, SCR_PGS_STILL, v3(0, 0, -1));
    c.mu = 0.3;
    scr_pgs_problem p = problem_of(&body, 1, &c, 1);
    solve(&p, 10, false);
    CHECK_NEAR(c.ln / (m * gravity * h), 1, 1e-6);
    CHECK_NEAR(body.v.z, 0, 1e-8);
    CHECK_NEAR((body.v.x - 1) / (0.3 * gravity * h), -1, 1e-6);
    CHECK_NEAR(body.w.y * radius / (2.5 * 0.3 * gravity * h), 1, 1e-6);
    CHECK(c.lr.x == 0 && c.lr.y == 0 && c.lr.z == 0);

    // sticking: rolls at once, with 5/7 of its speed
    body = sphere(), body.v = v3(1, 0, -gravity * h);
    c = touch(0, SCR_PGS_STILL, v3(0, 0, -1)), c.mu = 1e6;
    p.give_tangential = 0;
    solve(&p, 50, false);
    CHECK_NEAR(body.v.x, 5.0 / 7, 1e-6);
    CHECK_NEAR(body.w.y * radius, 5.0 / 7, 1e-6);

    // no friction and no rolling: exactly none
    body = sphere(), body.v = v3(1, 2, -1), body.w = v3(3, 4, 5);
    c = touch(0, SCR_PGS_STILL, v3(0, 0, -1));
    solve(&p, 10, false);
    CHECK(c.lt.x == 0 && c.lt.y == 0 && c.lt.z == 0 && c.lr.x == 0 && c.lr.y == 0 && c.lr.z == 0);
    CHECK(body.v.x == 1 && body.v.y == 2 && body.w.x == 3 && body.w.z == 5);

    // rolling resistance is roll ln, in all three directions together
    body = sphere(), body.v.z = -1, body.w = v3(300, 0, 400);
    c = touch(0, SCR_PGS_STILL, v3(0, 0, -1)), c.roll = 0.1 * radius;
    solve(&p, 10, false);
    CHECK_NEAR(v3_norm(c.lr) / (c.roll * c.ln), 1, 1e-6);
    CHECK_NEAR(c.lr.x / c.lr.z, 0.75, 1e-6);

    // apart: rolling and twisting by themselves
    body = sphere(), body.v.z = -1, body.w = v3(300, 0, 400);
    c = touch(0, SCR_PGS_STILL, v3(0, 0, -1)), c.roll = 0.1 * radius, c.twist = 0.02 * radius;
    p.twist_apart = true;
    solve(&p, 10, false);
    CHECK_NEAR(c.lr.x / (c.roll * c.ln), 1, 1e-6);
    CHECK_NEAR(c.lr.z / (c.twist * c.ln), 1, 1e-6);
}

// coefficients that are alike, where the first colour has one contact of a kind and the second many
static void test_alike(void)
{
    enum { PAIRS = 10, N = 2 * PAIRS + 1 };
    scr_pgs_body body[N];
    scr_pgs_contact c[PAIRS + N];
    size_t n = 0;
    for (uint32_t i = 0; i < N; i++) body[i] = sphere(), body[i].v = v3(1, 0, -0.01);
    c[n++] = touch(N - 1, SCR_PGS_STILL, v3(0, 0, -1));
    for (uint32_t i = 0; i < PAIRS; i++) c[n++] = touch(2 * i, 2 * i + 1, v3(0, 1, 0));
    for (uint32_t i = 0; i < N - 1; i++) c[n++] = touch(i, SCR_PGS_STILL, v3(0, 0, -1));
    for (size_t k = 0; k < n; k++) c[k].mu = 0.3;
    scr_pgs_problem p = problem_of(body, N, c, n);
    CHECK_INT(solve(&p, 5, false).colours, 2);
    for (int i = 0; i < N; i++) CHECK_NEAR(body[i].v.x, 1 - 0.3 * 0.01, 1e-7);
}

// a belt takes a sphere along; its spin follows where rolling resistance is large
static void test_belt(void)
{
    scr_pgs_body body = sphere();
    body.v.z = -0.01;
    scr_pgs_contact c = touch(0, SCR_PGS_STILL, v3(0, 0, -1));
    c.mu = 1e6, c.roll = 1e6;
    c.beside = &(scr_pgs_beside){.u0 = v3(0.1, 0, 0), .w0 = v3(0, 0, 2)};
    scr_pgs_problem p = problem_of(&body, 1, &c, 1);
    p.give_tangential = p.give_rolling = 0;
    solve(&p, 300, false);
    CHECK_NEAR(body.v.x, 0.1, 1e-7);
    CHECK_NEAR(body.w.y, 0, 1e-5);
    CHECK_NEAR(body.w.z, 2, 1e-6);
    CHECK_NEAR(body.v.z, 0, 1e-8);
}

static void momenta(const scr_pgs_problem *p, vec3 *linear, vec3 *angular, const vec3 *place)
{
    *linear = *angular = v3(0, 0, 0);
    for (size_t i = 0; i < p->body_count; i++) {
        const scr_pgs_body *b = &p->bodies[i];
        vec3 q = v3_scale(1 / b->inverse_mass, b->v);
        *linear = v3_add(*linear, q);
        *angular = v3_add(*angular, v3_cross(place[i], q));
        *angular = v3_axpy(*angular, 1 / b->inverse_inertia, b->w);
    }
}

// five spheres in a heap without a floor: nothing is lost
static void test_momentum(void)
{
    enum { N = 5 };
    const vec3 place[N] = {{0, 0, 0}, {2, 0, 0}, {1, 1.7, 0}, {1, 0.6, 1.6}, {3, 1.7, 0.1}};
    scr_pgs_body body[N];
    scr_pgs_contact c[16];
    vec3 at[N];
    size_t n = 0;
    for (uint32_t i = 0; i < N; i++) {
        body[i] = sphere();
        body[i].v = v3(0.3 * i - 1, 0.1 * i * i, -0.2 * i), body[i].w = v3(i, 7, 3.0 * i);
        at[i] = v3_scale(radius, place[i]);
        body[i].v = v3_axpy(body[i].v, -50, at[i]);
        for (uint32_t j = 0; j < i; j++) {
            vec3 d = v3_sub(at[j], at[i]);
            c[n] = touch(i, j, v3_unit(d));
            // the point in the middle, whatever the distance
            c[n].arm[0] = c[n].arm[1] = 0.5 * v3_norm(d);
            c[n].mu = 0.4, c[n].roll = 0.1 * radius, c[n].ln = 1e-5;
            n++;
        }
    }
    scr_pgs_problem p = problem_of(body, N, c, n);
    vec3 l0, a0, l1, a1;
    momenta(&p, &l0, &a0, at);
    solve(&p, 20, false);
    momenta(&p, &l1, &a1, at);
    double total = 0;
    for (size_t i = 0; i < n; i++) total += c[i].ln;
    CHECK(total > 1e-3);
    CHECK_NEAR(v3_norm(v3_sub(l1, l0)) / total, 0, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(a1, a0)) / (total * radius), 0, 1e-13);
}

// a general body with the inertia of a sphere is one
static void test_general(bool precise)
{
    scr_pgs_body body[2][3];
    scr_pgs_contact c[2][3];
    scr_pgs_beside beside[2][3] = {{{.u0 = v3(0, 0, 0)}}};
    double inverse[2][6] = {{0}};
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < 3; i++) {
            body[way][i] = sphere();
            body[way][i].v = v3(0.2 * i, -0.1 * i, -0.5 * i), body[way][i].w = v3(3, i, -4 * i);
        }
        c[way][0] = touch(0, SCR_PGS_STILL, v3(0, 0.6, -0.8));
        c[way][1] = touch(1, 0, v3(0, 0, -1));
        c[way][2] = touch(2, 1, v3(0.6, 0, -0.8));
        for (int k = 0; k < 3; k++) {
            scr_pgs_contact *q = &c[way][k];
            q->mu = 0.5, q->roll = 0.2 * radius, q->target = -0.01 * k, q->ln = 1e-6;
            q->beside = &beside[way][k];
            q->beside->lever[0] = v3_scale(q->arm[0], q->normal);
            q->beside->lever[1] = v3_scale(-q->arm[1], q->normal);
            q->beside->u0 = q->b == SCR_PGS_STILL ? v3(0.1, 0, 0) : v3(0, 0, 0);
        }
    }
    for (int k = 0; k < 3; k++) inverse[0][k] = inverse[1][k] = body[1][1].inverse_inertia;
    scr_pgs_problem a = problem_of(body[0], 3, c[0], 3), b = problem_of(body[1], 3, c[1], 3);
    b.general_first = 1, b.inverse_inertia = inverse;
    scr_pgs_result ra = solve(&a, 15, precise), rb = solve(&b, 15, precise);
    double tol = precise ? 1e-14 : 1e-6;
    CHECK_NEAR(ra.residual, rb.residual, tol);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(v3_norm(v3_sub(body[0][i].v, body[1][i].v)), 0, tol);
        CHECK_NEAR(radius * v3_norm(v3_sub(body[0][i].w, body[1][i].w)), 0, tol);
    }
}

static vec3 times(const double m[6], vec3 a)
{
    return v3(m[0] * a.x + m[3] * a.y + m[4] * a.z, m[3] * a.x + m[1] * a.y + m[5] * a.z,
              m[4] * a.x + m[5] * a.y + m[2] * a.z);
}

/* Bodies of any tensor of inertia among spheres and a wall: velocities are those of the start and what the impulses
 * make of them, and contacts that hold do not slip. Levers and tensors have nothing in common but that points of
 * contact are the same for both, so that each of their numbers counts. */
static void test_tensors(bool precise)
{
    enum { N = 6, SPHERES = 2, CONTACTS = 40 };
    scr_random r = scr_random_stream(3, precise);
    scr_pgs_body body[N], start[N];
    scr_pgs_contact c[CONTACTS];
    static scr_pgs_beside beside[CONTACTS];
    double inverse[N - SPHERES][6];
    for (int i = 0; i < N; i++) {
        body[i] = sphere();
        body[i].v = random_vector(&r, 0.3), body[i].w = random_vector(&r, 30);
        start[i] = body[i];
        if (i < SPHERES) continue;
        // off the diagonal so little that all eigenvalues are positive
        for (int k = 0; k < 6; k++)
            inverse[i - SPHERES][k] = body[i].inverse_inertia *
                                      (k < 3 ? scr_random_between(&r, 0.5, 2) : scr_random_between(&r, -0.24, 0.24));
        body[i].inverse_inertia = 0;
    }
    for (uint32_t k = 0; k < CONTACTS; k++) {
        uint32_t a = k % N, b = (a + 1 + k / N % (N - 1)) % N;
        if (k % 7 == 0) b = SCR_PGS_STILL;
        c[k] = touch(a, b, v3_unit(random_vector(&r, 1)));
        c[k].mu = scr_random_between(&r, 0.2, 1), c[k].roll = 0.1 * radius;
        c[k].ln = 1e-5, c[k].target = -0.05, c[k].give = 20, c[k].beside = &beside[k];
        for (int s = 0; s < 2; s++) {
            uint32_t i = s ? b : a;
            vec3 arm = v3_scale(s ? -c[k].arm[1] : c[k].arm[0], c[k].normal);
            bool round = i == SCR_PGS_STILL || i < SPHERES;
            beside[k].lever[s] = round ? arm : v3_add(arm, random_vector(&r, 0.3 * radius));
        }
    }
    scr_pgs_problem p = problem_of(body, N, c, CONTACTS);
    p.general_first = SPHERES, p.inverse_inertia = inverse;
    solve(&p, 30, precise);
    vec3 turn[N] = {{0, 0, 0}};
    double total = 0, off = 0;
    // started anew from the impulses that were given: they act too
    for (int k = 0; k < CONTACTS; k++) {
        vec3 push = v3_axpy(c[k].lt, c[k].ln, c[k].normal);
        total += c[k].ln;
        for (int s = 0; s < 2; s++) {
            uint32_t i = s ? c[k].b : c[k].a;
            if (i == SCR_PGS_STILL) continue;
            double sign = s ? 1 : -1;
            start[i].v = v3_axpy(start[i].v, sign * body[i].inverse_mass, push);
            turn[i] = v3_add(turn[i], v3_scale(sign, v3_cross(beside[k].lever[s], push)));
            turn[i] = v3_axpy(turn[i], sign, c[k].lr);
        }
    }
    for (int i = 0; i < N; i++) {
        vec3 w = i < SPHERES ? v3_scale(start[i].inverse_inertia, turn[i]) : times(inverse[i - SPHERES], turn[i]);
        off = check_worse(off, v3_norm(v3_sub(body[i].v, start[i].v)));
        off = check_worse(off, radius * v3_norm(v3_sub(body[i].w, v3_add(start[i].w, w))));
    }
    CHECK(total * sphere().inverse_mass > 0.1);
    printf("tensors: velocities off by %.2g m/s\n", off);
    CHECK_NEAR(off, 0, precise ? 1e-13 : 1e-5);
}

// pairs of bodies of any tensor that meet once and stick: nothing is left of the velocity at their points
static void test_stick(bool precise)
{
    enum { PAIRS = 37, N = 2 * PAIRS };
    scr_random r = scr_random_stream(4, precise);
    static scr_pgs_body body[N];
    static scr_pgs_contact c[PAIRS];
    static scr_pgs_beside beside[PAIRS];
    static double inverse[N][6];
    for (int i = 0; i < N; i++) {
        body[i] = sphere();
        body[i].w = random_vector(&r, 30);
        for (int k = 0; k < 6; k++)
            inverse[i][k] = body[i].inverse_inertia *
                            (k < 3 ? scr_random_between(&r, 0.5, 2) : scr_random_between(&r, -0.24, 0.24));
    }
    for (uint32_t k = 0; k < PAIRS; k++) {
        c[k] = touch(2 * k, k % 5 ? 2 * k + 1 : SCR_PGS_STILL, v3_unit(random_vector(&r, 1)));
        c[k].mu = 1e6, c[k].beside = &beside[k];
        for (int s = 0; s < 2; s++) {
            body[2 * k + (uint32_t)s].v =
                v3_axpy(random_vector(&r, 0.3), s ? -1 : 1, c[k].normal); // towards each other
            beside[k].lever[s] = v3_add(v3_scale(s ? -radius : radius, c[k].normal), random_vector(&r, 0.3 * radius));
        }
    }
    scr_pgs_problem p = problem_of(body, N, c, PAIRS);
    p.general_first = 0, p.inverse_inertia = inverse, p.give_tangential = 0;
    solve(&p, 2000, precise);
    int stuck = 0;
    double off = 0;
    for (int k = 0; k < PAIRS; k++) {
        vec3 u[2] = {{0, 0, 0}, {0, 0, 0}};
        for (int s = 0; s < 2; s++) {
            uint32_t i = s ? c[k].b : c[k].a;
            if (i != SCR_PGS_STILL) u[s] = v3_add(body[i].v, v3_cross(body[i].w, beside[k].lever[s]));
        }
        stuck += c[k].ln > 0;
        if (c[k].ln > 0) off = check_worse(off, v3_norm(v3_sub(u[1], u[0])));
    }
    printf("stick: %d of %d, off by %.2g m/s\n", stuck, PAIRS, off);
    CHECK(stuck > PAIRS / 2);
    CHECK_NEAR(off, 0, precise ? 1e-12 : 2e-4); // 1.2e-13, 4.1e-5
}

// a trial packing: arms end half-way through the overlap, and all of it gives a little
static void test_trial(void)
{
    scr_pgs_problem p;
    CHECK(scr_pgs_trial_make(&p, 2000, 5));
    CHECK(p.give_tangential > 0 && p.give_rolling > 0);
    size_t unlike = 0;
    for (size_t k = 0; k < p.contact_count; k++)
        for (int s = 0; s < 2; s++) {
            const scr_pgs_contact *c = &p.contacts[k];
            uint32_t i = s ? c->b : c->a;
            if (i == SCR_PGS_STILL) continue;
            const scr_pgs_body *b = &p.bodies[i];
            double r = sqrt(2.5 * b->inverse_mass / b->inverse_inertia);
            CHECK(c->arm[s] <= r * (1 + 1e-12) && c->arm[s] > r - 1.001e-5);
            unlike += c->b != SCR_PGS_STILL && fabs(c->arm[0] - c->arm[1]) > 1e-3;
        }
    CHECK(unlike > 500);
    scr_pgs_trial_free(&p);
}

// a pendulum on a ball joint: its period
static void test_joint(void)
{
    const double length = 0.5, inertia = 0.02, step = 1e-3;
    double inverse[1][6] = {{1 / inertia, 1 / inertia, 1 / inertia, 0, 0, 0}};
    scr_pgs_body body = {.inverse_mass = 1};
    double angle = 0.1, crossed[2] = {0}, worst = 0;
    vec3 x = v3(length * sin(angle), 0, -length * cos(angle));
    const vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scr_pgs_row rows[3] = {{0}};
    int crossings = 0;
    const double y = relax, give = 4e-10 * y / (step * step);
    for (int k = 0; k < 20000 && crossings < 11; k++) {
        // from the centre to where it hangs
        vec3 arm = v3(-length * sin(angle), 0, length * cos(angle)), off = v3_add(x, arm);
        for (int i = 0; i < 3; i++) {
            double impulse = rows[i].impulse, g = v3_dot(off, e[i]);
            rows[i] = (scr_pgs_row){.a = 0, .b = SCR_PGS_STILL, .low = -1e30, .high = 1e30};
            rows[i].linear[0] = e[i], rows[i].angular[0] = v3_cross(arm, e[i]);
            double speed = v3_dot(e[i], body.v) + v3_dot(rows[i].angular[0], body.w);
            rows[i].rhs = -4 / step * y * g + y * speed, rows[i].give = give;
            rows[i].impulse = impulse;
        }
        body.v.z -= gravity * step;
        scr_pgs_problem p = problem_of(&body, 1, NULL, 0);
        p.general_first = 0, p.inverse_inertia = inverse, p.rows = rows, p.row_count = 3;
        solve(&p, 60, false);
        double before = x.x;
        x = v3_axpy(x, step, body.v);
        angle -= step * body.w.y; // turning about y takes the hanging end from +x to -z
        worst = check_worse(worst, v3_norm(off));
        if ((before < 0) != (x.x < 0)) {
            crossed[crossings > 0] = (k + before / (before - x.x)) * step;
            crossings++;
        }
    }
    double period = (crossed[1] - crossed[0]) / 5;
    double want = 2 * PI * sqrt((inertia + length * length) / (gravity * length));
    CHECK_NEAR(period / want, 1 + 0.01 / 16, 5e-5);
    CHECK_NEAR(worst, 0, 1e-6);

    // a motor's row stops at its bound
    scr_pgs_body wheel = {.inverse_mass = 1};
    scr_pgs_row motor = {.a = 0, .b = SCR_PGS_STILL, .rhs = 2, .low = -0.01, .high = 0.01};
    motor.angular[0] = v3(0, 1, 0);
    scr_pgs_problem p = problem_of(&wheel, 1, NULL, 0);
    p.general_first = 0, p.inverse_inertia = inverse, p.rows = &motor, p.row_count = 1;
    scr_pgs_result r = solve(&p, 3, false);
    CHECK(motor.impulse == 0.01);
    CHECK_NEAR(wheel.w.y, 0.5, 1e-15);
    CHECK_NEAR(r.residual, 0, 1e-12);
    motor.impulse = 0, motor.high = 1, wheel.w = v3(0, 0, 0);
    solve(&p, 3, false);
    CHECK_NEAR(wheel.w.y, 2, 1e-6);
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *b = data;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ b[i]) * 0x100000001b3ull;
    return hash;
}

static uint64_t digest(const scr_pgs_problem *p, double residual)
{
    uint64_t hash = mix(0xcbf29ce484222325ull, p->bodies, p->body_count * sizeof *p->bodies);
    for (size_t i = 0; i < p->contact_count; i++) {
        const scr_pgs_contact *c = &p->contacts[i];
        const double l[] = {c->ln, c->lt.x, c->lt.y, c->lt.z, c->lr.x, c->lr.y, c->lr.z};
        for (int k = 0; k < 7; k++) {
            double value = l[k] + 0.0; // one zero
            hash = mix(hash, &value, sizeof value);
        }
    }
    return mix(hash, &residual, sizeof residual);
}

/* A trial packing in which some of the last rows are general bodies, and one of them touches many. */
static void make_packing(scr_pgs_problem *p, double (**inverse)[6], size_t contacts, bool rich)
{
    CHECK(scr_pgs_trial_make(p, contacts, 7));
    *inverse = NULL;
    if (!rich) return;
    size_t general = 40;
    p->general_first = p->body_count - general;
    // one block for both, freed by the caller
    *inverse = calloc(1, general * sizeof **inverse + p->contact_count * sizeof(scr_pgs_beside));
    scr_pgs_beside *beside = (scr_pgs_beside *)(*inverse + general);
    for (size_t k = 0; k < general; k++)
        for (int i = 0; i < 6; i++)
            (*inverse)[k][i] = p->bodies[p->general_first + k].inverse_inertia * (i < 3 ? 0.5 + 0.1 * i : 0.05 * i);
    p->inverse_inertia = *inverse;
    p->twist_apart = true;
    for (size_t i = 0; i < p->contact_count; i++) {
        scr_pgs_contact *c = &p->contacts[i];
        // many contacts go to the last two rows instead
        if (i % 29 == 0 && c->a < p->body_count - 2) c->b = (uint32_t)p->body_count - 1 - (uint32_t)(i % 2);
        c->beside = &beside[i];
        c->beside->lever[0] = v3_scale(c->arm[0], c->normal);
        c->beside->lever[1] = v3_scale(-c->arm[1], v3_add(c->normal, v3(0.1, 0, 0)));
        c->twist = 0.1 * c->roll;
        c->mu += 1e-3 * (double)(i % 7);
    }
}

static uint64_t digest_of(size_t contacts, bool rich, bool precise, int threads, const char *vectors, scr_pgs_result *r)
{
    scr_pgs_problem p;
    double(*inverse)[6];
    make_packing(&p, &inverse, contacts, rich);
    scr_threads_set(threads);
    setenv("SCREE_VECTOR", vectors, 1);
    scr_pgs *s = scr_pgs_create();
    CHECK(scr_pgs_prepare(s, &p));
    *r = scr_pgs_solve(s, &p, &(scr_pgs_options){.sweeps = 12, .precise = precise});
    // again from where it ended, with other numbers
    for (size_t i = 0; i < p.contact_count; i++) p.contacts[i].target *= 0.9;
    scr_pgs_result again =
        scr_pgs_solve(s, &p, &(scr_pgs_options){.sweeps = 40, .tolerance = 2e-3, .precise = precise});
    uint64_t sum = digest(&p, r->residual + again.residual + again.sweeps);
    scr_pgs_destroy(s);
    scr_pgs_trial_free(&p);
    free(inverse);
    return sum;
}

// sweeps that change nothing give the impulses back that they got, to the last bit
static void test_nothing(void)
{
    scr_pgs_problem p;
    double(*inverse)[6];
    make_packing(&p, &inverse, 500, true);
    scr_random r = scr_random_stream(5, 0);
    vec3 *lt = malloc(2 * p.contact_count * sizeof *lt), *lr = lt + p.contact_count;
    for (size_t i = 0; i < p.contact_count; i++) {
        p.contacts[i].ln = 1, p.contacts[i].mu = p.contacts[i].roll = 1;
        lt[i] = p.contacts[i].lt = random_vector(&r, 0.1);
        lr[i] = p.contacts[i].lr = random_vector(&r, 0.1);
    }
    scr_pgs *s = scr_pgs_create();
    CHECK(scr_pgs_prepare(s, &p));
    scr_pgs_solve(s, &p, &(scr_pgs_options){.sweeps = 0});
    for (size_t i = 0; i < p.contact_count; i++) {
        CHECK(!memcmp(&p.contacts[i].lt, &lt[i], sizeof *lt));
        CHECK(!memcmp(&p.contacts[i].lr, &lr[i], sizeof *lr));
    }
    scr_pgs_destroy(s);
    scr_pgs_trial_free(&p);
    free(inverse), free(lt);
}

// any number of threads, any instruction set
static void test_bits(size_t contacts, bool rich, bool precise)
{
    static const char *const vectors[] = {"portable", "avx2", "best"};
    scr_pgs_result r;
    uint64_t want = digest_of(contacts, rich, precise, 1, "portable", &r);
    CHECK(r.sweeps == 12 && r.residual > 0 && r.colours > 4);
    CHECK(rich == (r.serial > 0));
    for (int v = 0; v < 3; v++)
        for (int threads = 1; threads <= 3; threads++)
            CHECK(digest_of(contacts, rich, precise, threads, vectors[v], &r) == want);
    scr_threads_set(1);
}

// single precision against double: the same but for rounding; and both converge to a solution
static void test_precision(bool rich)
{
    scr_pgs_problem p[2];
    double(*inverse[2])[6];
    for (int k = 0; k < 2; k++) {
        make_packing(&p[k], &inverse[k], 3000, rich);
        solve(&p[k], 40, k == 1);
    }
    double off = 0, size = 0;
    for (size_t i = 0; i < p[0].body_count; i++) {
        vec3 d = v3_sub(p[0].bodies[i].v, p[1].bodies[i].v);
        off += v3_dot(d, d), size += v3_dot(p[1].bodies[i].v, p[1].bodies[i].v);
    }
    CHECK(size > 0);
    CHECK_NEAR(sqrt(off / size), 0, rich ? 1e-4 : 1e-5);
    if (rich) p[0].give_rolling = p[0].give_tangential;
    scr_pgs *s = scr_pgs_create();
    CHECK(scr_pgs_prepare(s, &p[0]));
    scr_pgs_result r = scr_pgs_solve(s, &p[0], &(scr_pgs_options){.sweeps = 5000, .tolerance = 1e-4});
    CHECK(r.sweeps < 5000 && r.residual < 1e-4);
    scr_pgs_destroy(s);
    for (int k = 0; k < 2; k++) scr_pgs_trial_free(&p[k]), free(inverse[k]);
}

// fine powder: squares of its impulses are below what a float can hold in SI units
static void test_powder(void)
{
    const double small = 1e-4, cube = small * small * small;
    scr_pgs_body body = sphere();
    body.inverse_mass /= cube, body.inverse_inertia /= cube * small * small;
    body.v = v3(1, 0, -0.05);
    scr_pgs_contact c = touch(0, SCR_PGS_STILL, v3(0, 0, -1));
    c.arm[0] *= small, c.mu = 0.3, c.roll = 0.01 * radius * small;
    scr_pgs_problem p = problem_of(&body, 1, &c, 1);
    p.give_tangential /= cube, p.give_rolling = 0;
    solve(&p, 10, false);
    CHECK_NEAR(v3_norm(c.lt) / (0.3 * c.ln), 1, 1e-6);
    CHECK_NEAR(v3_norm(c.lr) / (c.roll * c.ln), 1, 1e-6);
    CHECK_NEAR(body.v.x, 1 - 0.3 * 0.05, 1e-6);
}

int main(void)
{
    test_nothing();
    test_rest(false);
    test_rest(true);
    test_column();
    test_limits();
    test_alike();
    test_belt();
    test_momentum();
    test_general(false);
    test_general(true);
    test_tensors(false);
    test_tensors(true);
    test_stick(false);
    test_stick(true);
    test_trial();
    test_joint();
    test_powder();
    test_bits(2600, false, false);
    test_bits(30000, false, false);
    test_bits(30000, true, false);
    test_bits(30000, true, true);
    test_precision(false);
    test_precision(true);
    return check_done();
}
