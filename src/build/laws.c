/* Laws of the pairs of materials: what the scene says and what is derived from it. What was chosen
 * is said in laws_say.c.
 *
 * Effective moduli of materials a and b (Johnson 1985; walls and frozen grains with their own):
 *   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b,   1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b       (1)
 * Mindlin: k_t = 8 G* a beside Hertz's tangent stiffness 2 E* a (kernel/law/hertz.h).
 * So k_t/k_n = 4 G* / E* (Vyas et al. 2025, eq. 5) at every overlap, and ratios of stiffness mean the
 * same in both laws: of k_n (hooke) or of 2 E* a = 3/2 (4/3 E*) a (hertz).
 *
 * Stiffnesses from an impact at speed V, for the pair of sizes that asks for most, are `needed` (for a tolerated
 * overlap) and `elastic` (for a modulus) of kernel/law/; damping from restitution is `bounce` there and in
 * kernel/law.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/log.h"
#include "base/memory.h"
#include "build/build.h"
#include "build/laws.h"
#include "math/elementary.h"
#include "step/stepper.h"

uint64_t scr_laws_source(const scr_scene *scene, const scr_stepper_traits *traits)
{
    static const char *const sections[] = {"materials", "contacts"};
    uint64_t h = SCR_DIGEST_START;
    for (int s = 0; s < 2; s++) {
        const scr_items *items = scr_scene_items(scene, sections[s]);
        for (int k = 0; k < items->count; k++) {
            h = scr_digest_bytes(h, items->items[k].name, strlen(items->items[k].name));
            h = scr_digest_bytes(h, items->items[k].def, items->items[k].section->size);
            // whether a key is said matters too: a default that is said outdoes `any`
            for (const scr_param *p = items->items[k].section->params; p->name; p++)
                h = scr_digest_mix(h, scr_item_has(&items->items[k], p->name));
        }
    }
    return scr_digest_mix(scr_digest_mix(h, traits->pulls), traits->keeps);
}

/* The definitions that speak about a pair: its own item and `any`, either may be missing. */
typedef struct {
    const scr_item *own, *any;
} pair_items;

static pair_items find_items(const scr_scene *scene, const char *a, const char *b)
{
    pair_items p = {.any = scr_scene_find(scene, "contacts", "any")};
    char name[512];
    for (int turn = 0; turn < 2 && !p.own; turn++) {
        snprintf(name, sizeof name, "%s/%s", turn ? b : a, turn ? a : b);
        p.own = scr_scene_find(scene, "contacts", name);
    }
    if (!p.own && !strcmp(a, b)) p.own = scr_scene_find(scene, "contacts", a);
    return p;
}

// the item that says a key: the pair's own, else `any`, else none
static const scr_item *who_says(pair_items p, const char *key)
{
    if (p.own && scr_item_has(p.own, key)) return p.own;
    if (p.any && scr_item_has(p.any, key)) return p.any;
    return NULL;
}

// all that is said about a pair, and fallbacks where nothing is
static scr_contact_def what_is_said(pair_items items)
{
    scr_contact_def said;
    scr_section_defaults(&scr_section_contacts, &said);
    for (const scr_param *p = scr_section_contacts.params; p->name; p++) {
        const scr_item *item = who_says(items, p->name);
        size_t size = p->type == SCR_CHOICE ? sizeof(int) : sizeof(double);
        if (item) memcpy((char *)&said + p->offset, (const char *)item->def + p->offset, size);
    }
    return said;
}

typedef struct {
    const scr_scene *scene;
    const scr_world *world;
    int a, b;
    scr_meeting meetings[SCR_MEETINGS];
    int meeting_count;
    pair_items items;
    scr_contact_def said;
    scr_stepper_traits traits;
    bool solved; /* for, by the stepper: no spring beside the normal one */
    scree_report *report;
    const char *name;
} pair_context;

static scree_place place_of(const pair_context *c, const char *key)
{
    const scr_item *item = who_says(c->items, key);
    if (!item) item = c->items.own ? c->items.own : c->items.any;
    if (!item) item = scr_scene_find(c->scene, "materials", c->world->materials[c->a].name);
    return scr_item_place(c->scene, item, key);
}

// a coefficient of the pair: said for it, else the smaller of what the two materials say
static double coefficient(const pair_context *c, double said, const char *key, size_t offset)
{
    if (!isnan(said)) return said;
    double value = NAN;
    const int materials[2] = {c->a, c->b};
    for (int k = 0; k < 2; k++) {
        const scr_item *item = scr_scene_find(c->scene, "materials", c->world->materials[materials[k]].name);
        double own;
        memcpy(&own, (const char *)item->def + offset, sizeof own);
        if (!isnan(own) && !(value <= own)) value = own;
    }
    if (isnan(value))
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, key),
                 "the contact %s has no %s: give it in contacts (%s or any) or in the materials", c->name, key,
                 c->name);
    return value;
}

// `what` cannot be had for want of moduli, poisson included: names the material
static bool has_moduli(const pair_context *c, const char *key, const char *what)
{
    const scr_material *m[2] = {&c->world->materials[c->a], &c->world->materials[c->b]};
    for (int k = 0; k < 2; k++) {
        if (!isnan(m[k]->young) && !isnan(m[k]->poisson)) continue;
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, key), "the contact %s has %s, but the material %s has no %s",
                 c->name, what, m[k]->name, isnan(m[k]->young) ? "young" : "poisson");
        return false;
    }
    return true;
}

// (1); NAN where a modulus is unknown
static double effective_modulus(const pair_context *c)
{
    const scr_material *a = &c->world->materials[c->a], *b = &c->world->materials[c->b];
    return 1 / ((1 - a->poisson * a->poisson) / a->young + (1 - b->poisson * b->poisson) / b->young);
}

// kn for the meeting that asks for most: from the moduli, or from the tolerated overlap
static double derive(const pair_context *c, const scr_normal_law *normal, bool moduli, double speed)
{
    double most = 0, modulus = effective_modulus(c);
    for (int k = 0; k < c->meeting_count; k++) {
        const scr_meeting *meeting = &c->meetings[k];
        double m = scr_meeting_mass(meeting), r = scr_meeting_radius(meeting);
        double delta = c->said.overlap * 2 * scr_meeting_smaller(meeting);
        most = fmax(most, moduli ? normal->elastic(m, r, speed, modulus) : normal->needed(m, r, speed, delta));
    }
    if (!(most > 0) || !isfinite(most))
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, "stiffness"),
                 "the contact %s has no stiffness and none can be derived: nothing moves and "
                 "gravity is zero; give contacts.%s.%s or .speed",
                 c->name, c->name, normal->key);
    return most;
}

/* ---- the parts of a law ---- */

static void choose_speed(const pair_context *c, scr_chosen *out)
{
    const scr_time_def *time = scr_scene_def(c->scene, "time");
    out->law.speed = c->said.speed;
    out->speed_reason = "given";
    if (isnan(out->law.speed)) out->law.speed = scr_expected_speed(c->world, &out->speed_reason);
    if (out->law.speed > 0 || !scr_law_needs_speed(&out->law) || !isnan(time->step) || c->solved) return;
    scr_fail(c->report, SCREE_E_INPUT, place_of(c, "normal"),
             "the contact %s has normal: %s, whose contact time depends on speed, but nothing "
             "moves and gravity is zero; give contacts.%s.speed or time.step",
             c->name, scr_law_normal(&out->law)->word, c->name);
}

// from the moduli where an elastic law says nothing and where another one asks for it, else from the overlap
static void choose_normal(const pair_context *c, scr_chosen *out)
{
    scr_law *law = &out->law;
    const scr_normal_law *normal = scr_law_normal(law);
    bool elastic = normal->traits & SCR_WORD_ELASTIC;
    double said;
    memcpy(&said, (const char *)&c->said + normal->offset, sizeof said);
    bool moduli = isnan(said) == elastic;
    char asks[64];
    snprintf(asks, sizeof asks, "%s: %s", elastic ? "normal" : normal->key, elastic ? normal->word : "hertz-matched");
    if (said > 0)
        snprintf(out->normal, sizeof out->normal, "given");
    else if (moduli && !has_moduli(c, elastic ? "normal" : normal->key, asks))
        return;
    else if (moduli && elastic)
        snprintf(out->normal, sizeof out->normal, "from young and poisson");
    else if (moduli)
        snprintf(out->normal, sizeof out->normal,
                 "contacts as long as those of elastic spheres, E* %.4g Pa, at %.3g m/s (%s)", effective_modulus(c),
                 law->speed, out->speed_reason);
    else
        snprintf(out->normal, sizeof out->normal, "overlap %.3g %% of the smaller diameter at %.3g m/s (%s)",
                 100 * c->said.overlap, law->speed, out->speed_reason);
    law->kn = said > 0 ? said : derive(c, normal, moduli, law->speed);
    normal->choose(law, &c->said);
}

// what ratios of stiffness are ratios of: the tangent of the normal force, over the contact radius
// where it is hertz
static double tangent(const scr_law *law)
{
    return scr_law_normal(law)->power * law->kn;
}

// kt/kn of two elastic spheres (Vyas et al. 2025, eq. 5), when both Poisson's ratios are known
static double ratio_from_poisson(const scr_material *a, const scr_material *b)
{
    if (isnan(a->poisson) || isnan(b->poisson)) return NAN;
    // shear moduli matter only by their ratio: equal ones where a modulus is unknown
    double ga = 1, gb = 1;
    if (!isnan(a->young) && !isnan(b->young)) {
        ga = a->young / (2 * (1 + a->poisson));
        gb = b->young / (2 * (1 + b->poisson));
    }
    return ((1 - a->poisson) / ga + (1 - b->poisson) / gb) / ((1 - a->poisson / 2) / ga + (1 - b->poisson / 2) / gb);
}

static double choose_ratio(const pair_context *c, const char **why)
{
    double ratio = c->said.stiffness_ratio;
    *why = "given";
    if (!isnan(ratio)) return ratio;
    *why = "from Poisson's ratios";
    ratio = ratio_from_poisson(&c->world->materials[c->a], &c->world->materials[c->b]);
    if (!isnan(ratio)) return ratio;
    *why = "2/7";
    return 2.0 / 7;
}

static void choose_tangential(const pair_context *c, scr_chosen *out)
{
    scr_law *law = &out->law;
    int kind = c->said.tangential;
    bool hertz = scr_law_hertz_radius(law);
    if (kind == SCR_TANGENTIAL_AUTO) kind = hertz ? SCR_TANGENTIAL_MINDLIN : SCR_TANGENTIAL_HISTORY;
    out->ratio = choose_ratio(c, &out->ratio_reason);
    if (kind == SCR_TANGENTIAL_NONE) return;
    // a stepper that solves for its contacts knows friction only
    bool viscous = kind == SCR_TANGENTIAL_VISCOUS && !c->solved;
    if (kind == SCR_TANGENTIAL_VISCOUS && c->solved)
        scr_warn(c->report, place_of(c, "tangential"),
                 "the contact %s has tangential: viscous, which this integrator does not support: sticking friction is "
                 "used instead",
                 c->name);
    law->mindlin = kind == SCR_TANGENTIAL_MINDLIN;
    law->kt = law->mindlin != 0 ? c->said.tangential_modulus : c->said.tangential_stiffness;
    if (!isnan(law->kt)) {
        out->ratio_reason = "given";
        if (hertz == (law->mindlin != 0)) out->ratio = law->kt / tangent(law);
    } else {
        law->kt = out->ratio * tangent(law);
        if (hertz && law->mindlin == 0 && !c->solved && !viscous)
            scr_fail(c->report, SCREE_E_INPUT, place_of(c, "tangential"),
                     "the contact %s has normal: %s with tangential: history: give its tangential_stiffness, a number "
                     "[N/m] > 0, or set tangential: mindlin",
                     c->name, scr_law_normal(law)->word);
    }
    if (viscous) law->kt = 0;
    law->mu = coefficient(c, c->said.friction, "friction", offsetof(scr_material_def, friction));
    law->zeta = c->said.damping_ratio;
    if (isnan(law->zeta)) law->zeta = sqrt(out->ratio);
}

// how contacts slip and pull: as the scene says, unless the stepper does it in its own way
static void choose_manners(const pair_context *c, scr_chosen *out)
{
    bool keeps = c->traits.keeps;
    const struct {
        const char *key, *not, *word;
        int said, unsaid;
        double *number;
    } manners[] = {{"pull", "never", "allowed", c->said.pull,
                    keeps             ? SCR_PULL_ALLOWED
                    : c->traits.pulls ? SCR_PULL_BARE
                                      : SCR_PULL_NEVER,
                    &out->law.pull},
                   {"slip", "spring", "damper", c->said.slip, keeps, &out->law.slip}};
    out->pulls = manners[0].said, out->slips = manners[1].said;
    for (int k = 0; k < 2; k++) {
        *manners[k].number = manners[k].said ? manners[k].said : manners[k].unsaid;
        if (!keeps || manners[k].said || !who_says(c->items, manners[k].key)) continue;
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, manners[k].key),
                 "the contact %s has %s: %s, but stepper.conventions: lammps implies %s: %s", c->name, manners[k].key,
                 manners[k].not, manners[k].key, manners[k].word);
    }
}

// a damper whose rate is given
static void choose_rate(const pair_context *c, scr_law *law)
{
    const scr_damping_law *damping = scr_damping_of_word(c->said.damping);
    const char *lacks = damping->rate(law, &c->said);
    if (lacks)
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, "damping"), "the contact %s has damping: %s but no %s", c->name,
                 damping->word, lacks);
}

// the restitution of a law that yields: as its own numbers say, else as asked for where there is no damper
static double choose_yield(const pair_context *c, const scr_law *law, bool damper)
{
    const scr_normal_law *normal = scr_law_normal(law);
    double e = normal->rebound(law, &c->said);
    double given = *(const double *)((const char *)&c->said + normal->rebound_at);
    const scr_item *asks = who_says(c->items, "restitution");
    if (!isnan(e) && asks && (asks == c->items.own || asks == who_says(c->items, normal->rebound_key)))
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, "restitution"),
                 "the contact %s has restitution %.4g and %s %.4g, which determines the restitution: leave one of the "
                 "two out",
                 c->name, c->said.restitution, normal->rebound_key, given);
    if (isnan(e) && damper)
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, "damping"),
                 "the contact %s has normal: %s and a damper of given rate: give its %s too, because both determine "
                 "the restitution",
                 c->name, normal->word, normal->rebound_key);
    if (e > 1)
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, normal->rebound_key),
                 "the contact %s has %s %.4g, which gives restitution %.4g: it must not be above 1", c->name,
                 normal->rebound_key, given, e);
    return e > 1 || (isnan(e) && damper) ? 1 : e;
}

static void choose_damping(const pair_context *c, scr_chosen *out)
{
    scr_law *law = &out->law;
    law->restitution = NAN;
    // a stepper that solves for its contacts knows restitution only
    bool damper = c->said.damping != SCR_DAMPING_RESTITUTION && !c->solved;
    bool yields = scr_law_normal(law)->traits & SCR_WORD_YIELDS;
    if (damper) choose_rate(c, law);
    if (damper && !yields) return;
    double e = yields ? choose_yield(c, law, damper) : NAN;
    if (isnan(e)) e = coefficient(c, c->said.restitution, "restitution", offsetof(scr_material_def, restitution));
    if (isnan(e)) return;
    if (!damper) law->restitution = e;
    if (!yields) out->z = law->pull > 0 ? scr_damping_ratio_unclipped(e) : scr_damping_ratio_clipped(e);
    scr_law_normal(law)->bounce(law, e, out->z);
}

static void choose_cohesion(const pair_context *c, scr_chosen *out)
{
    double smallest = INFINITY;
    for (int k = 0; k < c->meeting_count; k++) smallest = fmin(smallest, scr_meeting_smaller(&c->meetings[k]));
    scr_cohesion_of_word(c->said.cohesion)->choose(&out->law, &c->said, smallest);
}

// stiffness and damping of a rolling or twisting spring, where not given as the tangential one
static void choose_turning(const scr_chosen *out, double ratio, double damping, double *k, double *zeta)
{
    if (isnan(ratio)) ratio = out->ratio;
    *k = ratio * tangent(&out->law);
    *zeta = isnan(damping) ? sqrt(ratio) : damping;
}

static void choose_rolling(const pair_context *c, scr_chosen *out)
{
    scr_law *law = &out->law;
    law->rolling = c->said.rolling;
    if (law->rolling == SCR_ROLLING_NONE) return;
    law->rolling_mu =
        coefficient(c, c->said.rolling_friction, "rolling_friction", offsetof(scr_material_def, rolling_friction));
    if (scr_law_word_of("rolling", c->said.rolling)->traits & SCR_WORD_SPRING)
        choose_turning(out, c->said.rolling_stiffness_ratio, c->said.rolling_damping_ratio, &law->rolling_k,
                       &law->rolling_zeta);
}

static void choose_twisting(const pair_context *c, scr_chosen *out)
{
    scr_law *law = &out->law;
    law->twisting = c->said.twisting;
    if (!(scr_law_word_of("twisting", c->said.twisting)->traits & SCR_WORD_SPRING)) return;
    law->twisting_mu = c->said.twisting_friction;
    choose_turning(out, c->said.twisting_stiffness_ratio, c->said.twisting_damping_ratio, &law->twisting_k,
                   &law->twisting_zeta);
}

static scr_law choose_law(const pair_context *c)
{
    int errors = c->report->errors;
    scr_chosen out = {.name = c->name,
                      .said = &c->said,
                      .meetings = c->meetings,
                      .meeting_count = c->meeting_count,
                      .solved = c->solved};
    out.law.normal = c->said.normal;
    choose_speed(c, &out);
    choose_normal(c, &out);
    choose_manners(c, &out);
    choose_damping(c, &out);
    choose_tangential(c, &out);
    choose_cohesion(c, &out);
    choose_rolling(c, &out);
    choose_twisting(c, &out);
    if (c->report->errors == errors) scr_chosen_say(&out);
    return out.law;
}

// what the integrator cannot have; laws of a checkpoint are asked too, for the scene may name another integrator now
static void check_law(const pair_context *c, const scr_stepper *stepper)
{
    const char *why;
    const scr_law_word *word = stepper->refuses ? stepper->refuses(c->world, c->a, c->b, &why) : NULL;
    if (word)
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, word->choice), "the contact %s has %s, which %s", c->name,
                 word->text, why);
}

scree_status scr_build_laws(scr_step *step, const scr_scene *scene, scree_report *report)
{
    scr_world *w = step->world;
    int n = w->material_count, errors = report->errors;
    scr_sizes *sizes = scr_sizes_of(w);
    if (!w->laws) w->laws = scr_memory_new((size_t)(n * n), sizeof *w->laws);
    if (!sizes || !w->laws) {
        scr_memory_free(sizes);
        return scr_no_memory(report, "contact laws");
    }
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            // pairs that cannot meet need no law; theirs stays zero and is never asked
            if (!scr_sizes_meet(sizes, a, b)) continue;
            const char *names[2] = {w->materials[a].name, w->materials[b].name};
            char name[160];
            snprintf(name, sizeof name, "%.70s/%.70s", names[0], names[1]);
            pair_context c = {.scene = scene,
                              .world = w,
                              .a = a,
                              .b = b,
                              .items = find_items(scene, names[0], names[1]),
                              .traits = step->traits,
                              .solved = step->traits.contacts == SCR_CONTACTS_SOLVED,
                              .report = report,
                              .name = name};
            c.said = what_is_said(c.items);
            c.meeting_count = scr_meetings_of(sizes, a, b, c.meetings);
            if (!(w->laws[a * n + b].kn > 0)) w->laws[a * n + b] = w->laws[b * n + a] = choose_law(&c);
            check_law(&c, step->stepper);
        }
    scr_memory_free(sizes);
    w->law_source = scr_laws_source(scene, &step->traits);
    return report->errors > errors ? SCREE_E_INPUT : SCREE_OK;
}
