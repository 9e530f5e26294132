/* The contact of kernel/contact.h against the method note's equations (A1) written out once more,
 * plainly. */
#include "kernel/contact.h"
#include "kernel/pair.h"
#include "kernel/potential.h"

#include <stdbool.h>

#include "base/random.h"
#include "check.h"
#include "math/vec3.h"

static vec3 from(rvec a)
{
    return v3(a.x, a.y, a.z);
}

static rvec to(vec3 a)
{
    return (rvec){a.x, a.y, a.z};
}

// P(a, n): into the plane of n, length kept
static vec3 plane(vec3 a, vec3 n)
{
    vec3 b = v3_sub(a, v3_scale(v3_dot(a, n), n));
    return v3_norm(b) > 0 ? v3_scale(v3_norm(a) / v3_norm(b), b) : b;
}

// Q: the rotation that takes m to n, by Rodrigues' formula
static vec3 rotate(vec3 a, vec3 m, vec3 n)
{
    vec3 axis = v3_cross(m, n);
    double c = v3_dot(m, n);
    vec3 turned = v3_add(v3_scale(c, a), v3_cross(axis, a));
    return v3_axpy(turned, v3_dot(axis, a) / (1 + c), axis);
}

typedef struct {
    vec3 n, n_half, dv, turning, h;
    double delta, mass, dt;
    contact_law p;
} state;

typedef struct {
    vec3 force, twist, h;
    double viscous;
    bool slip;
} answer;

// (4) and, with `slip: damper`, (6) of the kernel
static answer reference(const state *s, bool improved)
{
    vec3 nu = improved ? s->n_half : s->n;
    double vn = v3_dot(s->dv, nu);
    vec3 vt = v3_add(v3_sub(s->dv, v3_scale(vn, nu)), v3_cross(nu, s->turning));
    double eta = s->p.eta_root * sqrt(s->mass) + s->p.eta_mass * s->mass, eta_t = s->p.zeta * eta;
    double fn = s->p.kn * s->delta - eta * vn;
    if (!(s->p.pull > 0)) fn = fmax(0, fn);
    double limit = s->p.mu * fabs(fn);
    vec3 old = plane(s->h, nu);
    if (improved) old = rotate(old, s->n_half, s->n), vt = rotate(vt, s->n_half, s->n);
    vec3 h = v3_axpy(old, s->dt, vt);
    vec3 ft = v3_sub(v3_scale(-s->p.kt, h), v3_scale(eta_t, vt));
    answer a = {.slip = v3_norm(ft) > limit};
    if (a.slip) {
        ft = v3_scale(limit / v3_norm(ft), ft);
        if (s->p.slip > 0)
            h = v3_scale(-1 / s->p.kt, v3_add(ft, v3_scale(eta_t, vt)));
        else // ft = -kt h - eta_t (h - old)/dt
            h = v3_scale(1 / (s->p.kt * s->dt + eta_t), v3_axpy(v3_scale(eta_t, old), -s->dt, ft));
    }
    a.force = v3_add(v3_scale(fn, s->n), ft);
    a.twist = v3_cross(s->n, ft);
    a.h = h;
    a.viscous = fn - s->p.kn * s->delta;
    return a;
}

static vec3 random_vector(scr_random *r, double size)
{
    double x = scr_random_between(r, -size, size), y = scr_random_between(r, -size, size);
    return v3(x, y, scr_random_between(r, -size, size));
}

// a contact whose plane turns by tenths of a radian, so that every turning of the spring counts
static state random_state(scr_random *r)
{
    state s = {.delta = scr_random_between(r, 1e-5, 1e-3),
               .mass = scr_random_between(r, 0.5, 2),
               .dt = 1e-4,
               .dv = random_vector(r, 1),
               .turning = random_vector(r, 1)};
    s.n = v3_unit(random_vector(r, 1));
    s.n_half = v3_unit(v3_add(s.n, random_vector(r, 0.2)));
    s.h = random_vector(r, 1e-4);
    double kt = scr_random_between(r, 3e3, 9e3);
    s.p = (contact_law){.kn = 1e4,
                        .kt = kt,
                        .mu = scr_random_between(r, 0.05, 2),
                        .eta_root = scr_random_between(r, 0, 4),
                        .eta_mass = scr_random_between(r, 0, 1),
                        .zeta = 0.8};
    return s;
}

static contact_result evaluate(const state *s, contact_options o, bool touch, contact_history *history)
{
    contact_state c = {.n = to(s->n),
                       .n_half = to(o.improved ? s->n_half : s->n),
                       .delta = touch ? s->delta : -s->delta,
                       .touch = touch ? -1 : 0,
                       .was = -1,
                       .inverse_mass = 1 / s->mass,
                       .radius = 1};
    pair_velocity(&c, to(s->dv), to(s->turning));
    *history = (contact_history){.h = to(s->h), .viscous = 0.3};
    contact_sizes sizes = {.inverse_mass = 0};
    contact_sizes_update(&sizes, c.inverse_mass);
    return contact_force(o, s->dt, 0, &c, &s->p, &sizes, history);
}

static void test_force(bool improved, contact_kind kind, scr_slip slip, scr_pull pull)
{
    scr_random random = scr_random_stream(31, improved);
    double worst = 0;
    int slips = 0, clipped = 0;
    for (int k = 0; k < 2000; k++) {
        state s = random_state(&random);
        s.p.slip = slip, s.p.pull = pull;
        contact_history h;
        contact_options o = {.kind = kind, .improved = improved, .ledger = 1};
        contact_result r = evaluate(&s, o, true, &h);
        answer a = reference(&s, improved);
        double scale = v3_norm(a.force) + 1, length = v3_norm(a.h) + 1e-4;
        worst = check_worse(worst, v3_norm(v3_sub(from(r.force), a.force)) / scale);
        worst = check_worse(worst, v3_norm(v3_sub(v3_cross(s.n, from(r.tangential)), a.twist)) / scale);
        worst = check_worse(worst, v3_norm(v3_sub(from(h.h), a.h)) / length);
        worst = check_worse(worst, fabs(h.viscous - a.viscous) / scale);
        slips += a.slip;
        clipped += pull ? v3_dot(a.force, s.n) < 0 : a.viscous == -s.p.kn * s.delta;
        // neither dampers nor sliders give energy back, but for the part of `excess`
        if (!slip) CHECK(r.friction >= 0);
    }
    printf("%s, slip %d, pull %d: off by %.2g; %d slip, %d clipped or pulled\n", improved ? "improved" : "standard",
           slip, pull, worst, slips, clipped);
    CHECK_NEAR(worst, 0, 1e-13); // 2.7e-15
    CHECK(slips > 200 && slips < 1900 && clipped > 20);
}

// without contact: no force, no memory, and what the spring held is lost
static void test_release(void)
{
    scr_random random = scr_random_stream(32, 0);
    for (int k = 0; k < 50; k++) {
        state s = random_state(&random);
        contact_history h;
        contact_result r = evaluate(&s, (contact_options){.improved = 1, .ledger = 1}, false, &h);
        CHECK_NEAR(v3_norm(from(r.force)) + v3_norm(from(r.tangential)), 0, 0);
        CHECK_NEAR(v3_norm(from(h.h)) + fabs(h.viscous), 0, 0);
        CHECK_NEAR(r.elastic_normal + r.elastic_tangential, 0, 0);
    }
}

// energy of the springs, and conventions of LAMMPS: no clip, friction limit from |F_n|, h projected
// only
static void test_parts(void)
{
    scr_random random = scr_random_stream(33, 0);
    for (int k = 0; k < 50; k++) {
        state s = random_state(&random);
        contact_history h;
        contact_result r = evaluate(&s, (contact_options){.improved = 1, .ledger = 1}, true, &h);
        CHECK_NEAR(r.elastic_normal, 0.5 * s.p.kn * s.delta * s.delta, 1e-17);
        double spring = 0.5 * s.p.kt * v3_dot(from(h.h), from(h.h));
        CHECK_NEAR(r.elastic_tangential, spring, 1e-17);
        // with slip: damper the spring is booked with what the Coulomb limit can hold
        s.p.slip = SCR_SLIP_DAMPER;
        r = evaluate(&s, (contact_options){.kind = CONTACT_ANY, .improved = 1, .ledger = 1}, true, &h);
        double limit = s.p.mu * v3_dot(from(r.force), s.n);
        spring = 0.5 * s.p.kt * v3_dot(from(h.h), from(h.h));
        CHECK_NEAR(r.elastic_tangential, fmin(spring, 0.5 * limit * limit / s.p.kt), 1e-17);

        s.p.mu = 1e9, s.p.zeta = 0;
        r = evaluate(&s, (contact_options){.lammps = 1, .ledger = 1}, true, &h);
        double vn = v3_dot(s.dv, s.n);
        double eta = s.p.eta_root * sqrt(s.mass) + s.p.eta_mass * s.mass;
        CHECK_NEAR(v3_dot(from(r.force), s.n), s.p.kn * s.delta - eta * vn, 1e-13);
        vec3 vt = v3_add(v3_axpy(s.dv, -vn, s.n), v3_cross(s.n, s.turning));
        vec3 want = v3_axpy(v3_axpy(s.h, -v3_dot(s.h, s.n), s.n), s.dt, vt);
        CHECK_NEAR(v3_norm(v3_sub(from(h.h), want)), 0, 1e-18);
    }
}

/* Rolling and twisting far below their limits: springs and dampers of their own, against the motion. Of Hooke and of
 * Hertz, where stiffness grows with the radius a of the contact. */
static void test_turning(bool hertz, scr_twisting twisting)
{
    scr_random random = scr_random_stream(34, hertz);
    for (int k = 0; k < 200; k++) {
        state s = random_state(&random);
        const double size = 0.7, dt = s.dt; // 1/R = 1/r_i + 1/r_j
        vec3 dw = random_vector(&random, 3), roll = random_vector(&random, 1e-4);
        double twist = scr_random_between(&random, -1e-3, 1e-3);
        s.p.normal = s.p.mindlin = hertz, s.p.mu = 1e9;
        s.p.rolling = SCR_ROLLING_SDS, s.p.twisting = twisting;
        s.p.rolling_k = 4e3, s.p.rolling_zeta = 0.3, s.p.rolling_mu = 1e9;
        s.p.twisting_k = 6e3, s.p.twisting_zeta = 0.6, s.p.twisting_mu = 1e9;
        // into the plane, so that it need not be turned there
        roll = v3_axpy(roll, -v3_dot(roll, s.n), s.n);
        contact_state c = {.n = to(s.n),
                           .n_half = to(s.n),
                           .delta = s.delta,
                           .touch = -1,
                           .was = -1,
                           .dw = to(dw),
                           .inverse_mass = 1 / s.mass,
                           .inverse_inertia = 1,
                           .radius = size};
        // neither on nor off
        pair_velocity(&c, to(v3_axpy(s.dv, -v3_dot(s.dv, s.n), s.n)), to(s.turning));
        contact_history h = {.roll = to(roll), .twist = twist};
        contact_sizes sizes = {.inverse_mass = 0};
        contact_sizes_update(&sizes, c.inverse_mass);
        contact_result r =
            contact_force((contact_options){.kind = CONTACT_ANY, .ledger = 1}, dt, 0, &c, &s.p, &sizes, &h);
        double a = hertz ? sqrt(size * s.delta) : 1;
        double eta = s.p.eta_root * sqrt(s.mass * a) + s.p.eta_mass * s.mass;
        vec3 v = v3_scale(size, v3_cross(dw, s.n)), far = v3_axpy(roll, dt, v);
        double rate = v3_dot(dw, s.n), angle = twist + dt * rate;
        vec3 force = v3_axpy(v3_scale(-4e3 * a, far), -0.3 * eta, v);
        // marshall: of the tangential spring over the area of contact
        double contact2 = size * s.delta, half = 0.5 * contact2;
        double k2 = 6e3 * a * size * size, e2 = 0.6 * eta * size * size;
        if (twisting == SCR_TWISTING_MARSHALL) k2 = s.p.kt * a * half, e2 = s.p.zeta * eta * half;
        vec3 couple = v3_scale(size, v3_cross(s.n, force));
        couple = v3_axpy(couple, -k2 * angle - e2 * rate, s.n);
        CHECK_NEAR(v3_norm(v3_sub(from(r.couple), couple)) / v3_norm(couple), 0, 1e-12);
        CHECK_NEAR(v3_norm(v3_sub(from(h.roll), far)), 0, 1e-17);
        CHECK_NEAR(h.twist, angle, 1e-17);
        double held = 0.5 * (4e3 * a * v3_dot(far, far) + k2 * angle * angle);
        CHECK_NEAR(r.elastic_rolling / held, 1, 1e-12);
    }
}

// springs of a Hertz contact at an overlap: F = K sqrt(R) delta^(3/2), on which the others grow with sqrt(R delta)
static void test_springs(void)
{
    scr_law law = {.normal = SCR_NORMAL_HERTZ, .kn = 3e8, .kt = 2e8, .mindlin = 1};
    for (double r = 1e-3; r < 0.02; r *= 3) {
        double delta = 0.01 * r;
        contact_springs s = contact_springs_of(&law, delta, 1 / r);
        CHECK_NEAR(s.push / (3e8 * sqrt(r) * pow(delta, 1.5)), 1, 1e-14);
        CHECK_NEAR(s.kt / (2e8 * sqrt(r * delta)), 1, 1e-14);
        CHECK_NEAR(s.push / contact_push_of(&law, delta, 1 / r).force, 1, 1e-14);
    }
}

// one rounding; a product and a sum have two
static void test_fused(void)
{
    double a = 1 + 0x1p-30;
    CHECK_NEAR(r_fma(a, a, -(a * a)), 0x1p-60, 0);
    CHECK_NEAR(r_fnma(a, a, a * a), -0x1p-60, 0);
    rvec n = {a, 0.3, -0.7};
    CHECK_NEAR(rv_fdot(n, n), fma(-0.7, -0.7, fma(0.3, 0.3, a * a)), 0);
}

// series and roots, on both sides of where one takes over
static void test_near_one(void)
{
    double worst[3] = {0};
    for (double x = 1e-12; x < 0.1; x *= 1.01) {
        long double root = sqrtl(1 + (long double)x), less = 1 - x, more = 1 + x;
        worst[0] = check_worse(worst[0], (double)fabsl(contact_root(x) / root - 1));
        worst[1] = check_worse(worst[1], (double)fabsl(contact_inverse_root((double)more) * sqrtl((double)more) - 1));
        worst[1] = check_worse(worst[1], (double)fabsl(contact_inverse_root((double)less) * sqrtl((double)less) - 1));
        worst[2] = check_worse(worst[2], (double)fabsl(contact_inverse_sum((double)less) * (1 + (double)less) - 1));
    }
    printf("near one: off by %.2g, %.2g, %.2g\n", worst[0], worst[1], worst[2]);
    CHECK(worst[0] < 3e-16 && worst[1] < 3e-16 && worst[2] < 3e-16);
}

// a damper without a spring: the loops of the usual laws do what the general one does
static void test_damper(void)
{
    scr_random random = scr_random_stream(35, 0);
    int slips = 0;
    for (int k = 0; k < 500; k++) {
        state s = random_state(&random);
        bool hertz = k & 1;
        s.p.kt = 0, s.p.normal = s.p.mindlin = hertz;
        if (hertz) s.p.kn = 1e6;
        if (s.delta + s.dt * v3_dot(s.dv, s.n_half) < 0) continue; // it has just begun
        contact_kind kind = contact_kind_of(&s.p);
        CHECK_INT(kind, hertz ? CONTACT_HERTZ : CONTACT_HOOKE);
        contact_history h[2];
        contact_result r[2];
        for (int any = 0; any < 2; any++) {
            contact_options o = {.kind = any ? CONTACT_ANY : (int)kind, .improved = 1, .ledger = 1};
            r[any] = evaluate(&s, o, true, &h[any]);
        }
        CHECK_NEAR(v3_norm(v3_sub(from(r[0].force), from(r[1].force))), 0, 1e-12 * v3_norm(from(r[1].force)));
        CHECK_NEAR(v3_norm(v3_sub(from(r[0].tangential), from(r[1].tangential))), 0, 1e-12);
        CHECK_NEAR(r[0].damping + r[0].excess_damping, r[1].damping + r[1].excess_damping, 1e-15);
        CHECK_NEAR(r[0].friction, r[1].friction, 1e-15);
        CHECK_NEAR(r[0].elastic_tangential, 0, 0);
        slips += r[0].friction > 0;
    }
    CHECK(slips > 50 && slips < 450);
}

int main(void)
{
    test_fused();
    test_near_one();
    test_damper();
    for (int improved = 0; improved < 2; improved++) {
        test_force(improved, CONTACT_HOOKE, SCR_SLIP_SPRING, SCR_PULL_NEVER);
        for (int k = 0; k < 4; k++) test_force(improved, CONTACT_ANY, k & 1, k >> 1);
    }
    test_springs();
    test_release();
    test_parts();
    for (int hertz = 0; hertz < 2; hertz++)
        for (int k = SCR_TWISTING_SDS; k <= SCR_TWISTING_MARSHALL; k++) test_turning(hertz, (scr_twisting)k);
    return check_done();
}
