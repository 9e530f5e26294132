/* The laws and the time step that are derived from a scene, against the closed forms and the
 * numbers of Vyas et al. 2025; and what is refused. */
#include "build/build.h"
#include "build/schema.h"
#include "run/simulation.h"

#include "base/log.h"
#include "check.h"

typedef struct {
    scr_scene *scene;
    scree_simulation sim;
    scree_report report;
    scree_status status;
} built;

// two materials, `fine` and `bed`; grains of each, in a box without gravity
#define SCENE                                                                   \
    "scree: 1\n"                                                                \
    "gravity: [0, 0, 0]\n"                                                      \
    "domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}\n"                             \
    "materials:\n"                                                              \
    "  fine: {density: 2500, restitution: 0.8, friction: 0.6%s}\n"              \
    "  bed: {density: 2500, restitution: 0.9, friction: 0.7%s}\n"               \
    "contacts:\n"                                                               \
    "  any: {overlap: 0.1 %%%s}\n"                                              \
    "bodies:\n"                                                                 \
    "  f: {from: lattice, material: fine, radius: %.17g, count: 1,\n"           \
    "      region: {shape: box, box: [[0, 0, 0], [0.02, 0.02, 0.02]]}}\n"       \
    "  b: {from: lattice, material: bed, radius: 2 mm, count: 1%s,\n"           \
    "      region: {shape: box, box: [[0.05, 0.05, 0.05], [0.1, 0.1, 0.1]]}}\n" \
    "time: {end: 1 s%s}\n"

typedef struct {
    const char *fine, *bed, *contact;
    double radius;
    const char *group, *time;
} asked;

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static built build(asked a)
{
    char text[2048];
    snprintf(text, sizeof text, SCENE, or_empty(a.fine), or_empty(a.bed), or_empty(a.contact),
             a.radius > 0 ? a.radius : 1e-3, or_empty(a.group), or_empty(a.time));
    built b = {.status = SCREE_E_INPUT};
    scree_report_init(&b.report);
    b.scene = scr_scene_parse(text, "test.yaml", scr_schema_get(), NULL, 0, &b.report);
    scree_simulation_def def = scree_simulation_def_default();
    if (b.scene) b.status = scr_simulation_build(b.scene, &def, &b.sim, &b.report);
    return b;
}

static void done(built *b)
{
    if (b->scene) scr_world_deinit(&b->sim.world);
    scr_scene_destroy(b->scene);
    scree_report_deinit(&b->report);
}

static scr_law law_of(asked a, int i, int j, double *dt)
{
    built b = build(a);
    scree_report_print(&b.report, stdout);
    CHECK(b.status == SCREE_OK && b.report.count == 0);
    scr_law law = {0};
    if (!b.status) law = *scr_world_law(&b.sim.world, i, j);
    if (dt) *dt = b.status ? NAN : b.sim.world.clock.dt;
    done(&b);
    return law;
}

static double mass_of(double r)
{
    return 2500 * 4.0 / 3 * M_PI * r * r * r;
}

#define GLASS ", young: 72 GPa, poisson: 0.3"

// section 2 and 5.1 of the paper: 2R = 4 mm, V0 = sqrt(2 g R) = 0.198 m/s
static void test_paper(void)
{
    const char *speed = ", speed: 0.19809088823063015";
    char text[160];
    double R = 2e-3, V = sqrt(2 * 9.81 * R), r = R / 7;
    double m = mass_of(r) * mass_of(R) / (mass_of(r) + mass_of(R));
    snprintf(text, sizeof text, "%s, stiffness: hertz-matched", speed);
    scr_law law = law_of((asked){.fine = GLASS, .bed = GLASS, .contact = text, .radius = r}, 0, 1, NULL);
    CHECK_NEAR(law.kn, 3.26e5, 500); // as printed in the paper; 3.2591e5
    CHECK_NEAR(M_PI * sqrt(m / law.kn), 2.7e-6, 0.05e-6);
    CHECK_NEAR(law.kt / law.kn, 0.8235, 5e-5); // eq. 6
    CHECK_NEAR(law.kt / law.kn, 2 * (1 - 0.3) / (2 - 0.3), 1e-15);
    CHECK_NEAR(law.zeta, sqrt(law.kt / law.kn), 1e-15);
    CHECK_NEAR(law.speed, V, 1e-15);
    // (3) matches the contact times: 2.94 stands for 2.9433
    scr_law hertz = {.normal = SCR_NORMAL_HERTZ, .kn = 4.0 / 3 * 72e9 / (2 * (1 - 0.3 * 0.3)), .speed = V};
    CHECK_NEAR(scr_law_contact_time(&hertz, m, 1 / (1 / r + 1 / R)) / (M_PI * sqrt(m / law.kn)), 1,
               2e-3); // 1.1e-3

    // eq. 27 and 28: overlap 0.1 % of the fine's diameter, ratio 20
    r = R / 20, m = mass_of(r) * mass_of(R) / (mass_of(r) + mass_of(R));
    law = law_of((asked){.fine = GLASS, .bed = GLASS, .contact = speed, .radius = r}, 0, 1, NULL);
    CHECK_NEAR(law.kn, 10271, 1); // 10271.7
    CHECK_NEAR(law.kn * pow(2e-3 * r / V, 2) / m, 1, 1e-14);
    snprintf(text, sizeof text, "%s, normal: hertz, normal_modulus: overlap-based", speed);
    law = law_of((asked){.fine = GLASS, .bed = GLASS, .contact = text, .radius = r}, 0, 1, NULL);
    CHECK_NEAR(scr_law_modulus(&law), 2.2e9, 0.01e9); // 2.206 GPa
    CHECK_NEAR(scr_law_overlap(&law, m, 1 / (1 / r + 1 / R), V) / (2e-3 * r), 1, 1e-13);
}

// a frozen partner and the sizes of a mix: the meeting that asks for most
static void test_sizes(void)
{
    const char *speed = ", speed: 0.2";
    double r = 1e-3, delta = 2e-3 * r;
    scr_law law = law_of((asked){.contact = speed, .group = ", frozen: yes"}, 0, 1, NULL);
    CHECK_NEAR(law.kn / (mass_of(r) * 0.04 / (delta * delta)), 1, 1e-14);
    // fine on fine: half the mass
    law = law_of((asked){.contact = speed}, 0, 0, NULL);
    CHECK_NEAR(law.kn / (0.5 * mass_of(r) * 0.04 / (delta * delta)), 1, 1e-14);
    CHECK_NEAR(law.kt / law.kn, 2.0 / 7, 1e-15);
}

// unlike materials: effective moduli, kt/kn of eq. 5, which is 4 G*/E*
static void test_hertz(void)
{
    double E[2] = {72e9, 210e9}, nu[2] = {0.2, 0.35}, e = 0, g = 0;
    for (int k = 0; k < 2; k++) {
        e += (1 - nu[k] * nu[k]) / E[k];
        g += (2 - nu[k]) / (E[k] / (2 * (1 + nu[k])));
    }
    const char *fine = ", young: 72 GPa, poisson: 0.2", *bed = ", young: 210 GPa, poisson: 0.35";
    double dt;
    scr_law law = law_of(
        (asked){
            .fine = fine, .bed = bed, .contact = ", normal: hertz, speed: 2", .radius = 1e-3, .group = ", frozen: yes"},
        0, 1, &dt);
    CHECK_NEAR(law.kn * e, 4.0 / 3, 1e-14);
    CHECK_NEAR(law.kt * g, 8, 1e-14);
    CHECK_NEAR(law.zeta, sqrt(4 * e / g), 1e-14);
    CHECK(law.normal == SCR_NORMAL_HERTZ && law.mindlin == 1 && law.speed == 2 && law.restitution == 0.8);
    CHECK_NEAR(law.eta_root, sqrt(5) * scr_damping_ratio_clipped(0.8) * sqrt(law.kn), 1e-9);
    // the step is a fortieth of the shortest contact, 2.94 delta_max/V: fine on fine
    scr_law own = law_of(
        (asked){
            .fine = fine, .bed = bed, .contact = ", normal: hertz, speed: 2", .radius = 1e-3, .group = ", frozen: yes"},
        0, 0, NULL);
    double m = 0.5 * mass_of(1e-3), delta = pow(15 * m * 4 / (16 * sqrt(5e-4) * scr_law_modulus(&own)), 0.4);
    double tc = 2.9432749748 * delta / 2;
    CHECK(dt <= tc / 40 && dt > tc / 40.1);

    // raw moduli, as LAMMPS' gran/hertz/history takes them
    law = law_of((asked){.contact = ", normal: hertz, normal_modulus: 2e5 Pa, tangential_modulus: "
                                    "5.7e4, damping: viscoelastic, area_damping_rate: 50, "
                                    "damping_ratio: 0",
                         .time = ", step: 1e-5"},
                 0, 1, NULL);
    CHECK(law.kn == 2e5 && law.kt == 5.7e4 && law.eta_area == 50 && law.zeta == 0);
    CHECK(law.eta_root == 0 && law.eta_mass == 0 && isnan(law.restitution) && scr_law_modulus(&law) == 1.5e5);

    // a linear tangential spring beside hertz
    law = law_of((asked){.fine = GLASS,
                         .bed = GLASS,
                         .contact = ", normal: hertz, speed: 1, tangential: history, "
                                    "tangential_stiffness: 1e5"},
                 0, 1, NULL);
    CHECK(law.kt == 1e5 && law.mindlin == 0 && law.normal == SCR_NORMAL_HERTZ);
}

static void test_parts(void)
{
    scr_law law = law_of((asked){.contact = ", stiffness: 1e4, stiffness_ratio: 0.5, "
                                            "cohesion: linear, adhesion: 1 mN, rolling: sds, "
                                            "rolling_friction: 0.1, twisting: sds, "
                                            "twisting_friction: 0.2, twisting_stiffness_ratio: "
                                            "0.25, twisting_damping_ratio: 0"},
                         0, 1, NULL);
    CHECK(law.adhesion == 1e-3 && law.surface_energy == 0);
    CHECK_NEAR(law.range, 1e-5, 1e-19); // 1 % of the smallest radius
    CHECK(law.rolling == SCR_ROLLING_SDS && law.rolling_mu == 0.1 && law.rolling_k == 5e3);
    CHECK_NEAR(law.rolling_zeta, sqrt(0.5), 1e-15);
    CHECK(law.twisting == SCR_TWISTING_SDS && law.twisting_mu == 0.2 && law.twisting_k == 2.5e3);
    CHECK(law.twisting_zeta == 0);

    // rolling friction of the materials: the smaller; marshall and constant need no more
    law = law_of((asked){.fine = ", rolling_friction: 0.3",
                         .bed = ", coefficientRollingFriction: 0.2",
                         .contact = ", stiffness: 1e4, rolling: constant, twisting: marshall"},
                 0, 1, NULL);
    CHECK(law.rolling == SCR_ROLLING_CONSTANT && law.rolling_mu == 0.2 && law.rolling_k == 0);
    CHECK(law.twisting == SCR_TWISTING_MARSHALL);

    law = law_of((asked){.fine = GLASS,
                         .bed = GLASS,
                         .contact = ", normal: hertz, speed: 1, cohesion: jkr, surface_energy: 50 mJ/m^2"},
                 0, 1, NULL);
    CHECK(law.surface_energy == 0.05 && law.adhesion == 0);
}

// Work from the first touch, delta = 0, to where the contact ends, d delta/da = 0, of the solution of Johnson, Kendall
// and Roberts: with Gamma = 2 gamma F = 4 E a^3/(3 R) - sqrt(8 pi Gamma E a^3), delta = a^2/R - sqrt(2 pi Gamma a/E)
static double jkr_work_by_hand(double gamma, double modulus, double radius)
{
    enum { STEPS = 20000 };
    double g = 2 * gamma, work = 0, first = cbrt(2 * M_PI * g * radius * radius / modulus);
    double last = cbrt(M_PI * g * radius * radius / (8 * modulus));
    for (int k = 0; k < STEPS; k++) {
        double a = first + (last - first) * (k + 0.5) / STEPS, da = (last - first) / STEPS;
        double force = 4 * modulus * a * a * a / (3 * radius) - sqrt(8 * M_PI * g * modulus * a * a * a);
        work += force * (2 * a / radius - 0.5 * sqrt(2 * M_PI * g / (modulus * a))) * da;
    }
    return work;
}

// a stiff rolling spring shortens the step: half a period is pi/(R* sqrt(k (1/I_i + 1/I_j)))
static void test_step(void)
{
    double dt;
    law_of((asked){.contact = ", stiffness: 1e4, rolling: sds, rolling_friction: 0.1, "
                              "rolling_stiffness_ratio: 10",
                   .group = ", frozen: yes"},
           0, 1, &dt);
    double r = 1e-3, m = mass_of(r), R = r * 2e-3 / (r + 2e-3);
    // 1 mm on 1 mm: R* = r/2, two inertias; 1 mm on the frozen 2 mm: R* = 2/3 mm, one
    double own = M_PI / (r / 2 * sqrt(1e5 * 2 * 2.5 / (m * r * r)));
    double other = M_PI / (R * sqrt(1e5 * 2.5 / (m * r * r)));
    double shortest = fmin(own, other);
    CHECK(dt <= shortest / 40 && dt > shortest / 40.1);
    CHECK(shortest < M_PI * sqrt(m / 2 / 1e4));

    // jkr at low speed: half a period about equilibrium, k = 6/5 E* a_0
    scr_law law = law_of((asked){.fine = GLASS,
                                 .bed = GLASS,
                                 .contact = ", normal: hertz, speed: 1 mm/s, cohesion: jkr, surface_energy: "
                                            "10 J/m^2",
                                 .group = ", frozen: yes"},
                         0, 0, &dt);
    double a0 = cbrt(9 * M_PI * 10 * r / 2 * r / 2 / scr_law_modulus(&law));
    double slow = M_PI * sqrt(m / 2 / (1.2 * scr_law_modulus(&law) * a0));
    CHECK(slow < scr_law_contact_time(&law, m / 2, r / 2));
    CHECK_NEAR(scr_law_cohesion(&law)->work(&law, r / 2) / jkr_work_by_hand(10, scr_law_modulus(&law), r / 2), 1,
               1e-3); // 7.09 is rounded
    CHECK(dt <= slow / 40 && dt > slow / 40.1);
}

static void refused(asked a, const char *want)
{
    built b = build(a);
    CHECK(b.status == SCREE_E_INPUT && b.report.errors >= 1);
    char got[400] = "";
    if (b.report.count) {
        const scree_message *m = &b.report.messages[0];
        snprintf(got, sizeof got, "%d:%d: %s", m->line, m->column, m->text);
    }
    CHECK_TEXT(got, want);
    done(&b);
}

static void test_refused(void)
{
    refused((asked){.fine = GLASS, .contact = ", normal: hertz, speed: 1"},
            "8:33: the contact fine/bed has normal: hertz, but the material bed has no young");
    refused((asked){.fine = ", young: 1e9", .bed = GLASS, .contact = ", normal: hertz, speed: 1"},
            "8:33: the contact fine/fine has normal: hertz, but the material fine has no poisson");
    refused((asked){.contact = ", stiffness: hertz-matched, speed: 1"},
            "8:36: the contact fine/fine has stiffness: hertz-matched, but the material fine has "
            "no young");
    refused((asked){.fine = GLASS, .bed = GLASS, .contact = ", normal: hertz"},
            "8:33: the contact fine/fine has normal: hertz, whose contact time depends on speed, "
            "but nothing moves and gravity is zero; give contacts.fine/fine.speed or time.step");
    refused((asked){.contact = ", stiffness: auto"},
            "8:36: the contact fine/fine has no stiffness and none can be derived: nothing moves "
            "and gravity is zero; give contacts.fine/fine.stiffness or .speed");
    refused((asked){.fine = GLASS, .bed = GLASS, .contact = ", normal: hertz, speed: 1, tangential: history"},
            "8:62: the contact fine/fine has normal: hertz with tangential: history: give its "
            "tangential_stiffness, a number [N/m] > 0, or set tangential: mindlin");
    refused((asked){.contact = ", stiffness: 1e4, rolling: sds"},
            "8:3: the contact fine/fine has no rolling_friction: give it in contacts (fine/fine or "
            "any) or in the materials");
}

int main(void)
{
    scr_log_quiet(true);
    test_paper();
    test_sizes();
    test_hertz();
    test_parts();
    test_step();
    test_refused();
    return check_done();
}
