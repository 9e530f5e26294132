/* The table of contact laws (kernel/law/table.h): what every normal law and cohesion says must fit together, whatever
 * it is, and what the rows say about each other must exist. */
#include <string.h>

#include "check.h"
#include "kernel/contact.h"
#include "kernel/potential.h"

// a law of each kind with numbers that all of them can use; those that one has of its own go here too
static scr_law law_of(int kind)
{
    scr_law law = {.kn = 3e6, .normal = kind, .speed = 0.7};
    scr_law_normal(&law)->bounce(&law, 0.5, scr_damping_ratio_clipped(0.5));
    return law;
}

static double off(double a, double b)
{
    return fabs(a / b - 1);
}

// force, energy and second derivative against differences; depths and impacts against the energy
static void test_normal(int kind)
{
    scr_law law = law_of(kind);
    const scr_normal_law *n = scr_law_normal(&law);
    const double radius = 3e-3, mass = 2e-4;
    double worst[6] = {0};
    for (int k = 1; k < 40; k++) {
        double d = 1e-6 * k * k, e = 1e-4 * d, speed = 0.05 * k;
        contact_push p = n->potential(&law, radius, d), a = n->potential(&law, radius, d - e),
                     b = n->potential(&law, radius, d + e);
        worst[0] = check_worse(worst[0], off((b.energy - a.energy) / (2 * e), p.force));
        worst[1] = check_worse(worst[1], off((b.force - a.force) / (2 * e), p.stiffness));
        worst[2] = check_worse(worst[2], off(n->depth(&law, radius, p.force), d));
        double deepest = n->overlap(&law, mass, radius, speed);
        double held = n->potential(&law, radius, deepest).energy;
        worst[3] = check_worse(worst[3], off(held, 0.5 * mass * speed * speed));
        contact_gap g = n->gap(&law, radius, d);
        worst[4] = check_worse(worst[4], off(g.depth, 2 * p.energy / p.force));
        worst[4] = check_worse(worst[4], off(g.compliance, 2 * p.energy / (p.force * p.force)));
        double to = 1.7 * d, secant = contact_secant_of(&law, d, to, 1 / radius).force;
        double taken = n->potential(&law, radius, to).energy - p.energy;
        worst[5] = check_worse(worst[5], off(secant * (to - d), taken));
        CHECK_NEAR(p.stiffness * d / p.force, n->power, 1e-12);
    }
    printf("%s: force %.1g, stiffness %.1g, depth %.1g, impact %.1g, gap %.1g, secant %.1g\n", n->word, worst[0],
           worst[1], worst[2], worst[3], worst[4], worst[5]);
    CHECK_NEAR(worst[0] + worst[1], 0, 2e-7);                        // 1.4e-9, of differences
    CHECK_NEAR(worst[2] + worst[3] + worst[4] + worst[5], 0, 1e-12); // 3e-15
    double time = n->time(&law, mass, radius), shortest = n->shortest(&law, mass, radius);
    CHECK(time > 0 && shortest > 0 && shortest <= time * (1 + 1e-12));
    char text[160];
    n->describe(&law, text, sizeof text);
    CHECK(strstr(text, n->word) == text);
}

/* An impact by the loops' text, steps of one part in 20 000 of its time: the restitution that was asked for, within its
 * time, as deep as is said. */
static void test_impact(int kind)
{
    scr_law law = law_of(kind);
    const scr_normal_law *n = scr_law_normal(&law);
    const double radius = 3e-3, mass = 2e-4, dt = n->time(&law, mass, radius) / 20000;
    contact_options o = {.kind = CONTACT_ANY};
    contact_history h = {.residual = 0};
    contact_sizes sizes = {.inverse_mass = 0};
    contact_sizes_update(&sizes, 1 / mass);
    double x = 0, v = -law.speed, force = 0, deepest = 0, pressed = 0;
    mask was = 0;
    for (int k = 0; k < 200000 && x <= 0; k++) {
        v += 0.5 * dt * force / mass, x += dt * v;
        contact_state c = {.n = {1, 0, 0},
                           .n_half = {1, 0, 0},
                           .delta = -x,
                           .touch = x < 0 ? -1 : 0,
                           .was = was,
                           .vn = v,
                           .inverse_mass = 1 / mass,
                           .radius = radius,
                           .inverse_inertia = 1};
        force = contact_force(o, dt, 0, &c, &law, &sizes, &h).force.x;
        v += 0.5 * dt * force / mass, was = c.touch;
        deepest = fmax(deepest, -x), pressed += force > 0 ? dt : 0;
    }
    double most = n->overlap(&law, mass, radius, law.speed);
    printf("%s: e %.6f, pressed %.4f of its time, %.4f as deep\n", n->word, v / law.speed,
           pressed / n->time(&law, mass, radius), deepest / most);
    CHECK_NEAR(v / law.speed, 0.5, 1e-3);
    CHECK(deepest <= most * (1 + 1e-6) && deepest > 0.6 * most);
    CHECK_NEAR(pressed / n->time(&law, mass, radius), 1, 0.2);
}

static void test_cohesions(void)
{
    const scr_contact_def said = {.surface_energy = 0.1, .adhesion = 1e-3, .cohesion_range = 1e-5};
    for (int k = 0; k < SCR_COHESION_KINDS; k++) {
        scr_law law = {.kn = 1e9, .normal = SCR_NORMAL_HERTZ};
        scr_cohesion_of_word(k)->choose(&law, &said, 1e-3);
        const scr_cohesion_law *c = scr_law_cohesion(&law);
        const char *word = scr_law_word_of("cohesion", k)->word;
        bool attracts = k != SCR_COHESION_NONE;
        CHECK_TEXT(c->word, word);
        CHECK((c->range(&law, 1e-3) > 0) == attracts && (c->work(&law, 1e-3) > 0) == attracts);
        CHECK((contact_kind_of(&law) == CONTACT_ANY) == attracts && (scr_law_attracts(&law) != 0) == attracts);
        const scr_law_word *lacks = scr_law_lacks(&law, SCR_WORD_POTENTIAL);
        CHECK((lacks != NULL) == attracts);
        if (attracts && lacks) CHECK(strstr(lacks->text, word) != NULL);
        // the loops end a contact where the range does
        CHECK_NEAR(contact_reach(&law, 1e-3, -1), -scr_law_range(&law, 1e-3), 1e-15 * c->range(&law, 1e-3));
    }
}

// half a period of a rolling or twisting spring by steps of its own equation, J being 1/I_i + 1/I_j
static double swing_time(double torque_per_angle, double J)
{
    double angle = 1, rate = 0, time = 0, dt = 1e-5 / sqrt(torque_per_angle * J);
    for (; rate <= 0; time += dt) rate -= dt * torque_per_angle * J * angle, angle += dt * rate;
    return time;
}

static void test_turning(void)
{
    const double size = 2e-3, radius = 1e-4, J = 3e9, load = 0.7;
    scr_law law = {.kn = 1e6, .kt = 5e5, .mu = 0.4, .rolling = SCR_ROLLING_SDS, .rolling_mu = 0.1, .rolling_k = 3e5};
    CHECK_NEAR(rolling_limit(&law, size), 0.1 * size, 1e-18);
    CHECK_NEAR(rolling_time(&law, 1, size, J) / swing_time(3e5 * size * size, J), 1, 1e-4);
    CHECK_NEAR(rolling_time(&law, 4, size, J) / rolling_time(&law, 1, size, J), 0.5, 1e-12);
    CHECK_NEAR(rolling_stored(&law, 1, load, (rvec){3e-6, 4e-6, 0}), 0.5 * 3e5 * 25e-12, 1e-18);
    CHECK(isinf(twisting_time(&law, 1, size, J)) && twisting_limit(&law, size, radius) == 0);
    law.twisting = SCR_TWISTING_SDS, law.twisting_mu = 0.05, law.twisting_k = 2e5;
    CHECK_NEAR(twisting_limit(&law, size, radius), 0.05 * size, 1e-18);
    CHECK_NEAR(twisting_time(&law, 1, size, J) / swing_time(2e5 * size * size, J), 1, 1e-4);
    // friction of a disc that is pressed evenly: the integral of mu p r over it
    double torque = 0, pressure = load / (M_PI * radius * radius);
    for (int k = 0; k < 1000; k++) {
        double r = radius * (k + 0.5) / 1000;
        torque += law.mu * pressure * r * 2 * M_PI * r * radius / 1000;
    }
    law.twisting = SCR_TWISTING_MARSHALL, law.twisting_mu = law.twisting_k = 0;
    CHECK_NEAR(load * twisting_limit(&law, size, radius) / torque, 1, 1e-6);
    law.rolling = SCR_ROLLING_CONSTANT, law.rolling_k = 0;
    CHECK(rolling_spring(&law, 1) == 0 && isinf(rolling_time(&law, 1, size, J)));
    CHECK_NEAR(rolling_limit(&law, size), 0.1 * size, 1e-18);
}

// lanes and the rest of the tree agree on which laws have Hertz's contact radius, and those have it
static void test_radius(int kind)
{
    scr_law law = law_of(kind);
    const scr_normal_law *law_of_kind = scr_law_normal(&law);
    bool has = law_of_kind->traits & SCR_WORD_HERTZ_RADIUS;
    CHECK((scr_law_hertz_radius(&law) != 0) == has);
    CHECK((contact_hertz_radius(&law) != 0) == has);
    CHECK((scr_law_needs_speed(&law) != 0) == (law_of_kind->power != 1));
    if (!has) return;
    const double radius = 3e-3, delta = 2e-5, a = sqrt(radius * delta);
    contact_sizes sizes = {.inverse_mass = 0};
    contact_sizes_update(&sizes, 5000);
    contact_state c = {.delta = delta, .radius = radius, .touch = -1, .inverse_mass = 5000};
    contact_normal n = contact_normal_of((contact_options){.kind = CONTACT_ANY}, 0, &c, &law, &sizes, 0);
    CHECK_NEAR(law_of_kind->power, 1.5, 0);
    CHECK_NEAR(n.radius / a, 1, 1e-15);
    CHECK_NEAR(n.push / (law.kn * a * delta), 1, 1e-15);
}

static bool is_word(const char *choice, const char *word, size_t length)
{
    for (const scr_law_word *w = scr_law_words; w->choice; w++)
        if (!strcmp(w->choice, choice) && strlen(w->word) == length && !strncmp(w->word, word, length)) return true;
    return false;
}

// every word of a space-separated list is one of the choice
static bool are_words(const char *choice, const char *words)
{
    for (const char *at = words; *at;) {
        size_t length = strcspn(at, " ");
        if (!is_word(choice, at, length)) return false;
        at += length + (at[length] == ' ');
    }
    return true;
}

static void test_rows(void)
{
    for (const scr_law_word *w = scr_law_words; w->choice; w++)
        if (w->other) CHECK(are_words(w->other, w->words) && w->why);
    for (const scr_law_key *k = scr_law_keys; k->key; k++)
        if (k->choice)
            CHECK(are_words(k->choice, k->words));
        else
            CHECK(!(k->need & SCR_KEY_MUST));
    CHECK(!is_word("normal", "hook", 4));
    // what the usual loops load are the first rows
    CHECK(offsetof(scr_law, normal) == 7 * sizeof(double) && sizeof(scr_law) % 32 == 0);
}

int main(void)
{
    for (int kind = 0; kind < SCR_NORMAL_KINDS; kind++) test_normal(kind), test_impact(kind), test_radius(kind);
    test_cohesions();
    test_turning();
    test_rows();
    return check_done();
}
