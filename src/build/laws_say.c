/* Saying what was chosen for a pair of materials, and why. */
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "build/laws.h"
#include "kernel/contact.h"

double scr_pull_off(const scr_law *law, const scr_meeting *m)
{
    return scr_law_cohesion(law)->pull_off(law, scr_meeting_radius(m));
}

// largest overlap of an impact at the expected speed, over the smaller diameter
static double expected_overlap(const scr_chosen *c)
{
    double most = 0;
    for (int k = 0; k < c->meeting_count; k++) {
        const scr_meeting *m = &c->meetings[k];
        double delta = scr_law_overlap(&c->law, scr_meeting_mass(m), scr_meeting_radius(m), c->law.speed);
        most = fmax(most, delta / (2 * scr_meeting_smaller(m)));
    }
    return most;
}

static void say_normal(const scr_chosen *c)
{
    char numbers[160];
    scr_law_normal(&c->law)->describe(&c->law, numbers, sizeof numbers);
    scr_say("contact %s: %s (%s)", c->name, numbers, c->normal);
    if (!c->solved)
        scr_say("  expected overlap up to %.2g %% of the smaller diameter at %.3g m/s (%s)", 100 * expected_overlap(c),
                c->law.speed, c->speed_reason);
    if (!c->solved && !strncmp(c->normal, "overlap", 7) && strcmp(c->speed_reason, "given"))
        scr_say("  this speed determines stiffness and time step; if grains stay slower, a lower "
                "contacts.any.speed allows longer steps");
}

static void say_tangential(const scr_chosen *c)
{
    const scr_law *law = &c->law;
    if (!(law->kt > 0) && contact_drags(law))
        scr_say("  no tangential spring, friction %.4g, tangential damping %.3g of normal", law->mu, law->zeta);
    else if (!(law->kt > 0))
        scr_say("  no tangential force");
    else if (c->solved)
        scr_say("  friction %.4g", law->mu);
    else if (scr_law_hertz_radius(law) && law->mindlin == 0)
        scr_say("  kt %.4g N/m (given), friction %.4g, tangential damping %.3g of normal", law->kt, law->mu, law->zeta);
    else
        scr_say("  %skt/kn %.4g (%s), friction %.4g, tangential damping %.3g of normal",
                law->mindlin != 0 ? "mindlin, " : "", c->ratio, c->ratio_reason, law->mu, law->zeta);
}

// what the scene says and is not as usual
static void say_manners(const scr_chosen *c)
{
    if (c->solved) return;
    if (c->slips) scr_say("  slip: damper, its force is kept in the spring while sliding");
    if (c->pulls) scr_say("  pull: allowed, the normal force may attract while a contact separates");
}

static void say_damping(const scr_chosen *c)
{
    const scr_law *law = &c->law;
    char text[160];
    scr_damping_of_word(c->said->damping)->describe(law, text, sizeof text);
    if (c->solved)
        scr_say("  restitution %.4g", law->restitution);
    else if (!isnan(law->restitution) && scr_law_normal(law)->traits & SCR_WORD_YIELDS)
        scr_say("  restitution %.4g, by yielding", law->restitution);
    else if (!isnan(law->restitution))
        scr_say("  restitution %.4g, damping ratio %.4g solved for it", law->restitution, c->z);
    else
        scr_say("  %s", text);
}

static void say_cohesion(const scr_chosen *c)
{
    const scr_law *law = &c->law;
    if (!scr_law_attracts(law)) return;
    char text[160];
    double low = INFINITY, high = 0;
    for (int k = 0; k < c->meeting_count; k++) {
        double pull = scr_pull_off(law, &c->meetings[k]);
        low = fmin(low, pull), high = fmax(high, pull);
    }
    scr_law_cohesion(law)->describe(law, c->said, low, high, text, sizeof text);
    scr_say("  %s", text);
}

static void say_rotations(const scr_chosen *c)
{
    char text[2][160];
    rolling_describe(&c->law, c->solved, text[0], sizeof text[0]);
    twisting_describe(&c->law, c->solved, text[1], sizeof text[1]);
    for (int k = 0; k < 2; k++)
        if (*text[k]) scr_say("  %s", text[k]);
}

void scr_chosen_say(const scr_chosen *c)
{
    say_normal(c);
    say_tangential(c);
    say_damping(c);
    say_manners(c);
    say_cohesion(c);
    say_rotations(c);
}
