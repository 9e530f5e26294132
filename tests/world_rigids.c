/* Rigid bodies: mass, turn and momentum; what they carry. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "world/energy.h"

static void add(scr_world *w, vec3 moments, quat turn)
{
    CHECK(scr_table_reserve(&w->rigids.table, w->rigids.table.count + 1));
    scr_rigid_add(&w->rigids, SCR_RIGID_CLUMP, 0, v3(0.1, 0.2, 0.3), 2, moments, turn);
}

// a body that tumbles about its middle axis: L to the last bit, energy without drift
static void test_tumbling(void)
{
    scr_world w;
    scr_world_init(&w);
    add(&w, v3(0.01, 0.02, 0.03), quat_exp(v3(0.2, -0.4, 0.3)));
    scr_rigids *r = &w.rigids;
    vec3 spin = quat_turn(quat_load(r->turn), v3(0.3, 18, 0.2));
    scr_rigid_set_spin(r, 0, spin);
    CHECK(v3_norm(v3_sub(scr_rigid_spin(r, 0), spin)) < 1e-14 * 18);
    double momentum[4], e0 = scr_rigid_rotation(r, 0), most = 0, late = 0, early = 0;
    memcpy(momentum, r->momentum, sizeof momentum);
    for (int k = 0; k < 100000; k++) {
        scr_rigid_advance(r, 0, 0.005);
        double off = scr_rigid_rotation(r, 0) / e0 - 1;
        if (k < 1000) most = check_worse(most, fabs(off));
        if (k < 10000) early = check_worse(early, fabs(off));
        if (k >= 90000) late = check_worse(late, fabs(off));
    }
    CHECK(!memcmp(momentum, r->momentum, sizeof momentum));
    vec3 w1 = scr_rigid_spin(r, 0), l = sym3_times(scr_rigid_inertia(r, 0), w1);
    double off = v3_norm(v3_sub(l, v3_load(momentum))) / v3_norm(l);
    printf("tumbling at 18 rad/s, 5 ms: energy off by %.2e in 1000 steps, %.2e in the first 10 %% of "
           "100000, %.2e in the last; I w against L %.1e\n",
           most, early, late, off);
    CHECK(off < 1e-13);         // 3e-16
    CHECK(most < 1e-3);         // 3.4e-4: of second order in h w
    CHECK(late < 1.05 * early); // no drift
    vec3 w2 = sym3_times(scr_rigid_inverse_inertia(r, 0), l);
    CHECK(v3_norm(v3_sub(w1, w2)) < 1e-13 * 18);
    scr_world_deinit(&w);
}

// second order: half the step, a quarter of the swing of the energy
static double swing(double h)
{
    scr_world w;
    scr_world_init(&w);
    add(&w, v3(0.01, 0.02, 0.03), quat_one());
    scr_rigid_set_spin(&w.rigids, 0, v3(0.3, 18, 0.2));
    double e0 = scr_rigid_rotation(&w.rigids, 0), most = 0;
    for (int k = 0; k < (int)(2 / h); k++) {
        scr_rigid_advance(&w.rigids, 0, h);
        most = check_worse(most, fabs(scr_rigid_rotation(&w.rigids, 0) / e0 - 1));
    }
    scr_world_deinit(&w);
    return most;
}

static void test_order(void)
{
    double a = swing(0.002), b = swing(0.001), order = log2(a / b);
    printf("energy of a tumbling body: %.3e at 2 ms, %.3e at 1 ms, order %.3f\n", a, b, order);
    CHECK_NEAR(order, 2, 0.05);
}

// members and walls go with their body, whole turns bring them back
static void test_carried(void)
{
    scr_world w;
    scr_world_init(&w);
    w.domain = (scr_domain){.lower = {0, 0, 0}, .upper = {4, 4, 4}, .periodic = {true, false, false}};
    w.gravity = v3(0, 0, -10);
    w.wall_count = 1;
    w.walls = calloc(1, sizeof *w.walls);
    add(&w, v3(0.02, 0.02, 0.02), quat_one());
    scr_rigids *r = &w.rigids;
    w.walls[0] = (scr_wall){.carried = true, .carrier = 0};
    pose part = scr_rigid_pose(r, 0);
    w.walls[0].base = pose_inverse(&part);
    CHECK(scr_table_reserve(&w.bodies.table, 2));
    size_t i = scr_table_add(&w.bodies.table), j = scr_table_add(&w.bodies.table);
    w.bodies.carrier[i] = scr_carrier_of_rigid(&w, 0);
    CHECK_INT(scr_carrier_rigid(&w, w.bodies.carrier[i]), 0);
    CHECK(scr_carrier_is_clump(&w, w.bodies.carrier[i]) && !scr_carrier_is_clump(&w, SCR_CARRIER_REST));
    CHECK_INT(scr_carrier_count(&w), 4);
    v3_store(w.bodies.anchor + 4 * i, v3(0.5, 0, 0));
    w.bodies.motion[4 * i + 3] = w.bodies.motion[4 * j + 3] = 1;
    w.bodies.mass[i] = w.bodies.mass[j] = 1;
    w.bodies.image[4 * i] = -1; // it has gone through the lower side
    scr_rigid_set_spin(r, 0, v3(0, 0, 2 * M_PI));
    v3_store(r->velocity, v3(0.1, 0, 0));
    scr_rigids_carry(&w);
    CHECK(!w.walls[0].pose.turned && v3_norm(w.walls[0].pose.shift) == 0);
    CHECK_NEAR(w.bodies.place[4 * i], 0.6 + 4, 1e-15);
    for (int k = 0; k < 250; k++) scr_rigid_advance(r, 0, 0.001);
    scr_rigids_carry(&w);
    // a quarter of a turn
    CHECK_NEAR(w.bodies.place[4 * i], 0.1 + 0.025 + 4, 1e-12);
    CHECK_NEAR(w.bodies.place[4 * i + 1], 0.2 + 0.5, 1e-12);
    CHECK_NEAR(w.bodies.motion[4 * i], 0.1 - M_PI, 1e-12);
    CHECK_NEAR(w.bodies.spin[4 * i + 2], 2 * M_PI, 1e-13);
    CHECK(w.bodies.place[4 * j] == 0 && w.bodies.motion[4 * j] == 0);
    vec3 x = pose_point(&w.walls[0].pose, v3(0.6, 0.2, 0.3)); // where the member began
    CHECK_NEAR(x.x, 0.125, 1e-12);
    CHECK_NEAR(x.y, 0.7, 1e-12);
    CHECK(w.walls[0].velocity.x == 0.1 && fabs(w.walls[0].spin.z - 2 * M_PI) < 1e-13);
    // energies are the clump's and the other body's
    double t, rot, pot;
    w.rigids.image[0] = 1;
    w.bodies.place[4 * j + 2] = 1;
    scr_world_energies(&w, &t, &rot, &pot);
    CHECK_NEAR(t, 0.5 * 2 * 0.01, 1e-15);
    CHECK_NEAR(rot, 0.5 * 0.02 * 4 * M_PI * M_PI, 1e-14);
    CHECK_NEAR(pot, 2 * 10 * 0.3 + 10, 1e-13);
    scr_world_deinit(&w);
}

static void test_joint(void)
{
    scr_world w;
    scr_world_init(&w);
    add(&w, v3(0.01, 0.02, 0.03), quat_exp(v3(0.2, 0.1, -0.4)));
    double motor[][2] = {{1, 2}, {2, 4}, {4, 0}};
    scr_joint j = {.kind = SCR_JOINT_HINGE, .body = {SCR_GROUND, 0}, .motor = motor, .motor_rows = 3};
    scr_joint_place(&j, &w.rigids, v3(1, 0, 0), v3(0, 0, 3));
    CHECK_NEAR(scr_joint_coordinate(&j, &w.rigids), 0, 1e-15);
    // five quarter turns, one after the other
    quat start = quat_load(w.rigids.turn);
    for (int k = 1; k <= 5; k++) {
        quat_store(w.rigids.turn, quat_mul(quat_exp(v3(0, 0, k * M_PI / 2)), start));
        j.coordinate[0] = scr_joint_coordinate(&j, &w.rigids);
        CHECK_NEAR(j.coordinate[0], k * M_PI / 2, 1e-14);
    }
    scr_joint_end a = scr_joint_end_of(&j, &w.rigids, 0), b = scr_joint_end_of(&j, &w.rigids, 1);
    CHECK(a.arm.x == 1 && a.centre.x == 0);
    CHECK_NEAR(v3_norm(b.arm), v3_norm(v3_sub(v3(1, 0, 0), v3(0.1, 0.2, 0.3))), 1e-15);
    CHECK_NEAR(scr_joint_target(&j, 0), 2, 0);
    CHECK_NEAR(scr_joint_target(&j, 1.5), 3, 1e-15);
    CHECK_NEAR(scr_joint_target(&j, 3), 2, 1e-15);
    CHECK_NEAR(scr_joint_target(&j, 9), 0, 0);
    quat_store(w.rigids.turn, start);
    j.kind = SCR_JOINT_SLIDER;
    w.rigids.centre[2] += 0.7;
    CHECK_NEAR(scr_joint_coordinate(&j, &w.rigids), 0.7, 1e-15);
    scr_world_deinit(&w);
}

int main(void)
{
    test_tumbling();
    test_order();
    test_carried();
    test_joint();
    return check_done();
}
