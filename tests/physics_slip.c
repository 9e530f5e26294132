/* Impacts at an angle on a plane, against two things that share nothing with the kernel: rigid bodies where the sphere
 * slides throughout, and the continuous law of a slider in series with a spring and a damper, integrated here with its
 * changes between sticking and slipping found (kernel/contact.h, 4). Then the books of these impacts, and contacts that
 * may pull.
 *
 * Numbers are over friction times the normal speed: slip of the contact point, R times spin; and the tangential impulse
 * over friction times the normal one. */
#include "kernel/law.h"
#include "stage.h"

#define RATIO (2 * (1 - 0.3) / (2 - 0.3)) /* tangential over normal stiffness */
#define MU    0.3

typedef struct {
    bool hertz;
    double e, slip; /* restitution; slip of the contact point before */
} impact;

typedef struct {
    double slip, spin, impulse, e;
} outcome;

/* ---- the continuous law, with mass, normal speed and stiffness 1 ---- */

typedef struct {
    double delta, vn, v, h, tangential, normal; /* vn: approach; impulses */
} state;

typedef struct {
    double push, k, eta, growth; /* normal force, tangential spring and damper, k'/k */
} numbers;

static numbers numbers_of(const impact *c, const state *y)
{
    static double e = 0, z;
    if (e != c->e) e = c->e, z = scr_damping_ratio_clipped(e);
    double a = c->hertz ? sqrt(fmax(y->delta, 0)) : 1;
    double eta = c->hertz ? sqrt(5) * z * sqrt(a) : 2 * z;
    return (numbers){.push = fmax(a * y->delta + eta * y->vn, 0),
                     .k = RATIO * (c->hertz ? 1.5 * a : 1),
                     .eta = sqrt(RATIO) * eta,
                     .growth = c->hertz ? 0.5 * y->vn / y->delta : 0};
}

// while the stiffness grows the force stays
static state rates(const impact *c, const state *y, bool slips, double way)
{
    numbers n = numbers_of(c, y);
    double f = slips ? way * MU * n.push : n.k * y->h + n.eta * y->v;
    double stretch = slips ? (f - n.k * y->h) / n.eta : y->v;
    return (state){.delta = y->vn,
                   .vn = -n.push,
                   .v = -3.5 * f,
                   .h = stretch - fmax(n.growth, 0) * y->h,
                   .tangential = f,
                   .normal = n.push};
}

static state along(state y, double t, state r)
{
    return (state){y.delta + t * r.delta,           y.vn + t * r.vn,        y.v + t * r.v, y.h + t * r.h,
                   y.tangential + t * r.tangential, y.normal + t * r.normal};
}

static state runge_kutta(const impact *c, state y, double t, bool slips, double way)
{
    state a = rates(c, &y, slips, way), y1 = along(y, 0.5 * t, a);
    state b = rates(c, &y1, slips, way), y2 = along(y, 0.5 * t, b);
    state d = rates(c, &y2, slips, way), y3 = along(y, t, d);
    y = along(along(y, t / 6, a), t / 3, b);
    return along(along(y, t / 3, d), t / 6, rates(c, &y3, slips, way));
}

// negative as long as the contact goes on as it does: sticks within the limit, or slips along `way`
static double beyond(const impact *c, const state *y, bool slips, double way)
{
    numbers n = numbers_of(c, y);
    double f = n.k * y->h + n.eta * y->v;
    return slips ? MU * n.push - way * f : fabs(f) - MU * n.push;
}

// the longest part of t, to rounding, in which nothing happens that `ends` sees
static double until(const impact *c, const state *y, double t, bool slips, double way, bool parts)
{
    double low = 0, high = t;
    for (int k = 0; k < 60; k++) {
        double mid = 0.5 * (low + high);
        state m = runge_kutta(c, *y, mid, slips, way);
        bool past = parts ? m.delta <= 0 : beyond(c, &m, slips, way) > 1e-14;
        *(past ? &high : &low) = mid;
    }
    return parts ? low : high;
}

static outcome continuous(const impact *c, int steps)
{
    double t_c = c->hertz ? 2.9432749748 * pow(1.25, 0.4) : M_PI;
    state y = {.delta = c->hertz ? 1e-7 : 1e-12, .vn = 1, .v = MU * c->slip};
    bool slips = beyond(c, &y, false, 1) > 0;
    double way = 1;
    for (;;) {
        // short steps where a Hertz contact begins and ends
        double t = t_c / steps;
        if (c->hertz) t = fmin(t, fmax(0.02 * y.delta / fabs(y.vn), 1e-9));
        state next = runge_kutta(c, y, t, slips, way);
        if (y.vn < 0 && numbers_of(c, &y).push <= 0) break;
        if (next.delta <= 0) {
            y = runge_kutta(c, y, until(c, &y, t, slips, way, true), slips, way);
            break;
        }
        if (beyond(c, &next, slips, way) > 1e-14) {
            next = runge_kutta(c, y, until(c, &y, t, slips, way, false), slips, way);
            numbers n = numbers_of(c, &next);
            if (!slips) way = copysign(1, n.k * next.h + n.eta * next.v);
            slips = !slips;
        }
        y = next;
    }
    return (outcome){y.v / MU, 2.5 * y.tangential / MU, y.tangential / (MU * y.normal), -y.vn};
}

/* ---- the program ---- */

typedef struct {
    outcome out;
    double closure, damping, friction, falls; /* over the energy before; falls of what was lost */
} measured;

// a sphere of 5 mm that overlaps by 1e-5 of its radius, so that its arm is the radius
static measured collide(const impact *c, const char *stepper, const char *more, int steps)
{
    const double r = 5e-3, vn = 0.1, m = 2500 * 4.0 / 3 * M_PI * r * r * r, deep = 1e-5 * r;
    double kn = m * vn * vn / (deep * deep), t_c = M_PI * deep / vn;
    if (c->hertz) kn = 1.25 * m * vn * vn / (sqrt(r) * pow(deep, 2.5)), t_c = 2.9432749748 * deep / vn;
    grain g = {.x = {0, 0, r}, .radius = r, .v = {c->slip * MU * vn, 0, -vn}};
    stage s;
    measured o = {.out = {NAN, NAN, NAN, NAN}};
    if (!stage_open(&s, &g, 1,
                    "scree: 1\ngravity: [0, 0, 0]\n"
                    "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                    "materials: {glass: {density: 2500}}\n"
                    "contacts: {any: {%s: %.17g, stiffness_ratio: %.17g, restitution: %.17g, "
                    "friction: %.17g%s}}\n"
                    "bodies: {a: {from: table, file: @, material: glass}}\n"
                    "walls: {w: {shape: plane, material: glass}}\n"
                    "stepper: {type: %s}\n"
                    "time: {end: 1, step: %.17g}\n",
                    c->hertz ? "normal: hertz, normal_modulus" : "stiffness", kn, RATIO, c->e, MU, more, stepper,
                    t_c / steps))
        return o;
    double lost = 0, least = 0, v[3], w[3], kinetic = 0.5 * m * (g.v[0] * g.v[0] + vn * vn);
    for (int k = 0; k < 60; k++) {
        stage_advance(&s, steps / 20);
        scree_energies e = scree_simulation_energies(s.sim);
        least = check_lesser(least, e.damping + e.friction - lost), lost = e.damping + e.friction;
    }
    scree_energies e = scree_simulation_energies(s.sim);
    stage_view(&s, "velocity", v, 3);
    stage_view(&s, "spin", w, 3);
    o.out =
        (outcome){(v[0] - r * w[1]) / (MU * vn), r * w[1] / (MU * vn), (g.v[0] - v[0]) / (MU * (v[2] + vn)), v[2] / vn};
    o.closure = e.closure / kinetic, o.damping = e.damping / kinetic;
    o.friction = e.friction / kinetic, o.falls = least / kinetic;
    CHECK_INT(scree_simulation_stats(s.sim).contacts, 0);
    stage_close(&s);
    return o;
}

/* ---- tests ---- */

static const double restitutions[] = {0.25, 0.5, 0.9};

static double distance(const outcome *a, const outcome *b)
{
    return check_worse(fabs(a->slip - b->slip),
                       check_worse(fabs(a->spin - b->spin), 10 * fabs(a->impulse - b->impulse)));
}

// sticking, slipping first or last, slipping throughout: the continuous law, to first order
static void test_law(void)
{
    const double slips[] = {0.5, 1.5, 2.5, 3.5, 4, 4.5, 6, 8};
    for (int hertz = 0; hertz < 2; hertz++)
        for (int k = 0; k < 3; k++) {
            double worst[2] = {0, 0}, unlike = 0, closure = 0, falls = 0;
            for (int j = 0; j < 8; j++) {
                impact c = {hertz, restitutions[k], slips[j]};
                outcome want = continuous(&c, 2000);
                measured coarse = collide(&c, "soft, scheme: improved", "", 500);
                measured fine = collide(&c, "soft, scheme: improved", "", 1000);
                measured other = j == 4 ? collide(&c, "soft, scheme: standard", "", 1000) : fine;
                worst[0] = check_worse(worst[0], distance(&coarse.out, &want));
                worst[1] = check_worse(worst[1], distance(&fine.out, &want));
                unlike = check_worse(unlike, distance(&other.out, &fine.out));
                closure = check_worse(closure, fabs(fine.closure)), falls = check_lesser(falls, fine.falls);
            }
            printf("%s, e %g: off by %.2g, %.2g with half the step; closure %.1g, falls %.1g\n",
                   hertz ? "hertz" : "hooke", restitutions[k], worst[0], worst[1], closure, falls);
            CHECK_NEAR(worst[1], 0, 0.01);            // at most 3e-3
            CHECK_NEAR(worst[0] / worst[1], 2, 0.25); // first order
            CHECK_NEAR(unlike, 0, 1e-9);              // a plane's normal does not turn
            CHECK_NEAR(closure, 0, 2e-4);
            CHECK_NEAR(falls, 0, 1e-6);
        }
}

// rigid bodies: from 3.5 (1 + e) on the sphere slides throughout, with all of friction
static void test_sliding(void)
{
    for (int hertz = 0; hertz < 2; hertz++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) {
                double e = restitutions[k], most = 3.5 * (1 + e);
                impact c = {hertz, e, most + (double[]){0.1, 0.5, 4}[j]};
                measured m = collide(&c, "soft, scheme: improved", "", 2000);
                printf("sliding, e %g, slip %g: off by %.1g, %.1g, %.1g\n", e, c.slip, m.out.slip - (c.slip - most),
                       m.out.spin - 2.5 * (1 + e), m.out.impulse - 1);
                CHECK_NEAR(m.out.slip, c.slip - most, 5e-3); // 5e-4
                CHECK_NEAR(m.out.spin, 2.5 * (1 + e), 5e-3);
                CHECK_NEAR(m.out.impulse, 1, 1e-6);
            }
}

// what `slip: damper` makes of it, from a program of its own; strongly damped contacts stop sliding too early
static void test_damper(void)
{
    const struct {
        impact c;
        double slip, impulse;
    } known[] = {{{false, 0.25, 4}, 0.4638, 0.8083}, {{false, 0.25, 4.5}, 0.6009, 0.8912},
                 {{true, 0.25, 4}, 0.1456, 0.8811},  {{true, 0.25, 4.5}, 0.2664, 0.9678},
                 {{false, 0.5, 4}, -0.4810, 0.8535}, {{true, 0.5, 4}, -0.4301, 0.8439},
                 {{false, 0.9, 4}, -1.5007, 0.8272}, {{true, 0.9, 4}, -1.2015, 0.7822}};
    for (int k = 0; k < 8; k++) {
        measured m = collide(&known[k].c, "soft, scheme: improved", ", slip: damper", 2000);
        printf("slip: damper, %s, e %g: slip %.4f, impulse %.4f, closure %.1g\n", known[k].c.hertz ? "hertz" : "hooke",
               known[k].c.e, m.out.slip, m.out.impulse, m.closure);
        CHECK_NEAR(m.out.slip, known[k].slip, 2e-3);
        CHECK_NEAR(m.out.impulse, known[k].impulse, 5e-4);
        CHECK_NEAR(m.closure, 0, 2e-4);
    }
}

// the books close to second order, whatever the rule
static void test_closure(void)
{
    const char *const rules[] = {"", ", slip: damper", ", pull: allowed"};
    for (int hertz = 0; hertz < 2; hertz++)
        for (int rule = 0; rule < 3; rule++) {
            double sum[2] = {0};
            for (int fine = 0; fine < 2; fine++)
                for (int j = 0; j < 5; j++) {
                    impact c = {hertz, 0.5, 0.3 + 1.1 * j};
                    double off = collide(&c, "soft, scheme: improved", rules[rule], fine ? 160 : 40).closure;
                    sum[fine] += off * off / 5;
                }
            double order = 0.25 * log2(sum[0] / sum[1]);
            printf("%s%s: closure %.2g and %.2g, order %.2f\n", hertz ? "hertz" : "hooke", rules[rule], sqrt(sum[0]),
                   sqrt(sum[1]), order);
            CHECK(order > (rule == 2 ? 1.4 : 1.7)); // a pull ends with a jump
            CHECK(sqrt(sum[0]) < 3e-3);
        }
}

// contacts that may pull have the restitution that was asked for, and their force does pull
static void test_pull(void)
{
    for (int hertz = 0; hertz < 2; hertz++)
        for (int k = 0; k < 3; k++) {
            impact c = {hertz, restitutions[k], 0};
            measured m = collide(&c, "soft, scheme: improved", ", pull: allowed", 4000);
            measured never = collide(&c, "soft, scheme: improved", "", 4000);
            printf("pull: allowed, %s: e %.5f of %g, closure %.1g\n", hertz ? "hertz" : "hooke", m.out.e, c.e,
                   m.closure);
            CHECK_NEAR(m.out.e, c.e, 2e-3);
            CHECK_NEAR(never.out.e, c.e, 2e-3);
            CHECK_NEAR(m.closure, 0, 1e-5);
        }
}

// explicit and implicit steps meet where both are short
static void test_variational(void)
{
    for (int hertz = 0; hertz < 2; hertz++)
        for (int rule = 0; rule < 2; rule++)
            for (int j = 0; j < 5; j++) {
                impact c = {hertz, 1, 0.3 + 1.1 * j};
                const char *more = rule ? ", slip: damper" : "";
                measured m = collide(&c, "variational", more, 1000);
                measured other = collide(&c, "soft, scheme: improved", more, 1000);
                double off = distance(&m.out, &other.out);
                printf("variational%s, %s, slip %.1f: off by %.2g, closure %.1g\n", more, hertz ? "hertz" : "hooke",
                       c.slip, off, m.closure);
                CHECK_NEAR(off, 0, 0.02);
                CHECK_NEAR(m.closure, 0, 1e-9);
            }
}

int main(void)
{
    test_variational();
    test_law();
    test_sliding();
    test_damper();
    test_closure();
    test_pull();
    return check_done();
}
