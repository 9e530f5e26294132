/* The bond of kernel/law/bond.h turned as a whole: about its own axis and about any other, by angles that are not
 * small. */
#include "kernel/law/bond.h"

#include "base/random.h"
#include "check.h"
#include "math/quat.h"

static vec3 from(rvec a)
{
    return v3(a.x, a.y, a.z);
}

static rvec to(vec3 a)
{
    return (rvec){a.x, a.y, a.z};
}

static vec3 draw(scr_random *r, double size)
{
    double x = scr_random_between(r, -size, size), y = scr_random_between(r, -size, size);
    return v3(x, y, scr_random_between(r, -size, size));
}

static vec3 draw_across(scr_random *r, vec3 n, double size)
{
    vec3 a = draw(r, size);
    return v3_axpy(a, -v3_dot(a, n), n);
}

// the two turns that a bond is made of, against quaternions
static void test_turns(void)
{
    scr_random r = scr_random_stream(1, 2);
    for (int k = 0; k < 200; k++) {
        vec3 n = v3_unit(draw(&r, 1)), a = draw_across(&r, n, 1);
        double angle = scr_random_between(&r, -2.5, 2.5);
        vec3 rolled = from(bond_roll(to(a), to(n), tan(0.5 * angle)));
        vec3 want = quat_turn(quat_exp(v3_scale(angle, n)), a);
        CHECK_NEAR(v3_norm(v3_sub(rolled, want)), 0, 1e-14);
        // from n to m by the shortest way
        vec3 axis = v3_unit(draw_across(&r, n, 1));
        quat q = quat_exp(v3_scale(angle, axis));
        vec3 swung = from(bond_swing(to(a), to(n), to(quat_turn(q, n))));
        CHECK_NEAR(v3_norm(v3_sub(swung, quat_turn(q, a))), 0, 1e-14);
    }
}

/* A strained bond whose two grains spin about its axis as one: springs, force and couple turn with it, and it holds
 * what it held. In a step it turns by 4 atan(q), q = dt/8 (w_i + w_j).n. */
static void test_spinning(int improved)
{
    scr_random r = scr_random_stream(2, (uint64_t)improved);
    for (int k = 0; k < 100; k++) {
        vec3 n = v3_unit(draw(&r, 1)), d = v3_scale(1.3, n);
        double dt = 0.1, spin = scr_random_between(&r, -10, 10);
        bond_state c = {.d = to(d),
                        .spin = to(v3_scale(2 * spin, n)),
                        .rest = 1.1,
                        .radius = 0.4,
                        .tensile = INFINITY,
                        .sheared = INFINITY,
                        .k = {3, 5, 7, 11}};
        bond_history h = {.shear = to(draw_across(&r, n, 0.1)), .bend = to(draw_across(&r, n, 0.2)), .twist = 0.3};
        bond_history before = h;
        bond_result b = bond_force(improved, dt, &c, &h);
        quat q = quat_exp(v3_scale(4 * atan(0.25 * dt * spin), n));
        vec3 shear = quat_turn(q, from(before.shear)), bend = quat_turn(q, from(before.bend));
        CHECK_NEAR(v3_norm(v3_sub(from(h.shear), shear)), 0, 1e-15);
        CHECK_NEAR(v3_norm(v3_sub(from(h.bend), bend)), 0, 1e-15);
        vec3 force = v3_axpy(v3_scale(-5, shear), -3 * (1.3 - 1.1), n);
        CHECK_NEAR(v3_norm(v3_sub(from(b.force), force)), 0, 1e-14);
        vec3 couple = v3_axpy(v3_scale(-7, bend), -11 * 0.3, n);
        CHECK_NEAR(v3_norm(v3_sub(from(b.couple), couple)), 0, 1e-14);
        vec3 lever = v3_scale(-0.65, v3_cross(n, v3_scale(-5, shear)));
        CHECK_NEAR(v3_norm(v3_sub(from(b.lever), lever)), 0, 1e-14);
        double held = 0.5 * (3 * 0.2 * 0.2 + 5 * v3_dot(shear, shear) + 7 * v3_dot(bend, bend) + 11 * 0.3 * 0.3);
        CHECK_NEAR(b.elastic, held, 1e-14);
    }
}

int main(void)
{
    test_turns();
    for (int improved = 0; improved < 2; improved++) test_spinning(improved);
    return check_done();
}
