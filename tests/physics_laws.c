/* Impacts with every normal law, damping and cohesion, through the two-body test that `scree check`
 * uses, against closed forms: Hertz' peak force and duration (tests 1 and 2 of Chung & Ooi 2011,
 * Granular Matter 13, 643), restitution of all sizes, pull-off and sticking speed of JKR (Thornton &
 * Ning 1998) and of linear cohesion. */
#include "base/log.h"
#include "base/memory.h"
#include "build/schema.h"
#include "check.h"
#include "run/impact.h"

typedef struct {
    scr_scene *scene;
    scree_simulation sim;
    scree_report report;
} built;

// grains of radius r[0] (free), and a partner of the other material: free, frozen, or a wall
typedef enum { FREE, FROZEN, WALL } partner;

typedef struct {
    const char *material[2], *contact;
    double radius[2];
    partner partner;
    double step;
} asked;

static bool build(built *b, asked a)
{
    char text[2048], other[256];
    if (a.partner == WALL)
        snprintf(other, sizeof other, "walls: {w: {shape: plane, material: b}}\n");
    else
        snprintf(other, sizeof other,
                 "  o: {from: positions, material: b, radius: %.17g, positions: [[-4, 0, 0]], "
                 "frozen: %s}\n",
                 a.radius[1], a.partner == FROZEN ? "yes" : "no");
    snprintf(text, sizeof text,
             "scree: 1\n"
             "gravity: [0, 0, 0]\n"
             "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
             "materials: {a: {%s}, b: {%s}}\n"
             "contacts: {any: {friction: 0, %s}}\n"
             "bodies:\n"
             "  g: {from: positions, material: a, radius: %.17g, positions: [[4, 0, 4]]}\n"
             "%s"
             "time: {end: 1e6, step: %.17g}\n",
             a.material[0], a.material[1], a.contact, a.radius[0], other, a.step);
    *b = (built){0};
    scree_report_init(&b->report);
    b->scene = scr_scene_parse(text, "test.yaml", scr_schema_get(), NULL, 0, &b->report);
    scree_simulation_def def = scree_simulation_def_default();
    bool ok = b->scene && !scr_simulation_build(b->scene, &def, &b->sim, &b->report);
    scree_report_print(&b->report, stdout);
    CHECK(ok);
    return ok;
}

static void done(built *b)
{
    if (b->scene) scr_world_deinit(&b->sim.world);
    scr_scene_destroy(b->scene);
    scree_report_deinit(&b->report);
}

// the law between a and b, and the meeting of the grain with its partner
static const scr_law *meet(const built *b, scr_meeting *m)
{
    scr_sizes *sizes = scr_sizes_of(&b->sim.world);
    scr_meeting all[SCR_MEETINGS];
    CHECK_INT(scr_meetings_of(sizes, 0, 1, all), 1);
    *m = all[0];
    scr_memory_free(sizes);
    return scr_world_law(&b->sim.world, 0, 1);
}

static scr_impact hit(asked a, double speed)
{
    built b;
    scr_impact impact = {.e = NAN, .push = NAN, .overlap = NAN, .duration = NAN};
    if (build(&b, a)) {
        scr_meeting m;
        const scr_law *law = meet(&b, &m);
        CHECK(scr_impact_try(&b.sim, law, &m, speed, &impact, &b.report) == SCREE_OK);
    }
    done(&b);
    return impact;
}

static void test_chung_ooi(void)
{
    const char *limestone = "density: 2500, young: 20 GPa, poisson: 0.25";
    scr_impact one = hit((asked){.material = {limestone, limestone},
                                 .contact = "normal: hertz, restitution: 1",
                                 .radius = {0.01, 0.01},
                                 .step = 2.7101e-5 / 1500},
                         20);
    printf("1: %.2f N, %.5g m, %.5g s\n", one.push, one.overlap * 0.02, one.duration);
    CHECK_NEAR(one.push, 7108.2, 0.1);               // 7108.24
    CHECK_NEAR(one.overlap * 0.02, 3.6830e-4, 5e-9); // 3.68302e-4
    CHECK_NEAR(one.duration, 2 * 2.7101e-5, 2e-9);   // 5.42010e-5; theirs is the time to the peak
    CHECK_NEAR(one.e, 1, 1e-6);

    scr_impact two = hit((asked){.material = {"density: 1800, young: 40 GPa, poisson: 0.35",
                                              "density: 1800, young: 1e12 GPa, poisson: 0.35"},
                                 .contact = "normal: hertz, restitution: 1",
                                 .radius = {0.1, 0},
                                 .partner = WALL,
                                 .step = 3.8353e-4 / 1500},
                         0.2);
    printf("2: %.2f N, %.5g m, %.5g s\n", two.push, two.overlap * 0.2, two.duration);
    CHECK_NEAR(two.push, 7232.7, 0.1); // 7232.68
    CHECK_NEAR(two.overlap * 0.2, 5.2123e-5, 1e-9);
    CHECK_NEAR(two.duration, 2 * 3.8353e-4, 2e-8); // 7.67066e-4
}

// what is asked for is measured, for hooke and hertz, for all sizes, partners and speeds; at
// t_c/1000 and at the default step
static void test_restitution(void)
{
    double worst[2] = {0, 0};
    for (int k = 0; k < 48; k++) {
        double e = (const double[]){0.3, 0.5, 0.8, 0.95}[k % 4];
        double ratio = (const double[]){1, 10}[k / 4 % 2], fine = k / 24 ? 1000 : 40;
        bool hertz = k / 24 == 1 || k % 3 == 0;
        partner who = (const int[]){FREE, FROZEN, WALL}[k / 8 % 3];
        double r = 1e-3, m = 2500 * 4.0 / 3 * M_PI * r * r * r, speed = 0.3;
        double share = who == FREE ? pow(ratio, 3) / (1 + pow(ratio, 3)) : 1;
        double R = who == WALL ? r : r * ratio / (1 + ratio);
        scr_law law = {.kn = hertz ? 4.0 / 3 * 4e9 : 1e5, .normal = hertz, .speed = speed};
        char contact[160];
        snprintf(contact, sizeof contact, "normal: %s, %s, restitution: %g", hertz ? "hertz" : "hooke",
                 hertz ? "normal_modulus: 5.333333333333333e9" : "stiffness: 1e5", e);
        scr_impact i = hit((asked){.material = {"density: 2500", "density: 2500"},
                                   .contact = contact,
                                   .radius = {r, r * ratio},
                                   .partner = who,
                                   .step = scr_law_contact_time(&law, share * m, R) / fine},
                           speed);
        worst[fine > 40] = check_worse(worst[fine > 40], fabs(i.e - e));
    }
    printf("restitution: off by %.2g at t_c/40, %.2g at t_c/1000\n", worst[0], worst[1]);
    CHECK_NEAR(worst[0], 0, 0.02); // 5.5e-3, means of eight starts
    CHECK_NEAR(worst[1], 0, 1e-3); // 1.8e-4; the ratio solved for hooke serves hertz
}

#define DUST "density: 2500, young: 1 GPa, poisson: 0.3"

// elastic JKR spheres: pull-off 3 pi gamma R*, sticking speed of Thornton & Ning
static void test_jkr(void)
{
    double r = 1e-4, gamma = 0.05, E = 1e9 / (2 * (1 - 0.09)), R = r / 2;
    double m = 0.5 * 2500 * 4.0 / 3 * M_PI * r * r * r;
    built b;
    if (build(&b, (asked){.material = {DUST, DUST},
                          .contact = "normal: hertz, cohesion: jkr, surface_energy: 0.05, "
                                     "restitution: 1",
                          .radius = {r, r},
                          .step = 1e-9})) {
        scr_meeting meeting;
        const scr_law *law = meet(&b, &meeting);
        scr_impact i;
        CHECK(!scr_impact_try(&b.sim, law, &meeting, 0.2, &i, &b.report));
        printf("jkr: pull-off %.5g N (3 pi gamma R* = %.5g N)\n", i.pull, 3 * M_PI * gamma * R);
        CHECK_NEAR(i.pull / (3 * M_PI * gamma * R), 1, 1e-3); // 1e-5
        double speed, want = sqrt(14.18 / m) * pow(pow(2 * gamma, 5) * pow(R, 4) / (E * E), 1.0 / 6);
        CHECK(!scr_impact_sticking(&b.sim, law, &meeting, &speed, &b.report));
        printf("jkr: sticks below %.5g m/s, Thornton & Ning %.5g m/s\n", speed, want);
        CHECK_NEAR(speed / want, 1, 0.02); // 3e-4
    }
    done(&b);
}

// linear cohesion: energy A range/2 at the gap, gained and paid: v^2 > A range/m* (1/e^2 - 1)
static void test_linear(void)
{
    double r = 1e-3, m = 0.5 * 2500 * 4.0 / 3 * M_PI * r * r * r;
    built b;
    if (build(&b, (asked){.material = {DUST, DUST},
                          .contact = "stiffness: 1e5, cohesion: linear, adhesion: 0.1 mN, "
                                     "cohesion_range: 0.1 mm, restitution: 0.5",
                          .radius = {r, r},
                          .step = M_PI * sqrt(m / 1e5) / 400})) {
        scr_meeting meeting;
        const scr_law *law = meet(&b, &meeting);
        double speed, want = sqrt(1e-4 * 1e-4 / m * 3);
        CHECK(!scr_impact_sticking(&b.sim, law, &meeting, &speed, &b.report));
        printf("linear: sticks below %.5g m/s, closed form %.5g m/s\n", speed, want);
        CHECK_NEAR(speed / want, 1, 0.02);
    }
    done(&b);
}

int main(void)
{
    scr_log_quiet(true);
    test_chung_ooi();
    test_restitution();
    test_jkr();
    test_linear();
    return check_done();
}
