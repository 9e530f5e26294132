/* Laws of the pairs of materials: what the scene says, what is derived, and saying so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/log.h"
#include "base/memory.h"
#include "run/build.h"
#include "step/soft/soft.h"

uint64_t scr_laws_source(const scr_scene *scene)
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
    const scr_items *stepper = scr_scene_items(scene, "stepper");
    const scr_soft_def *soft = stepper->items[0].variant_def;
    return scr_digest_mix(h, (uint64_t)soft->conventions);
}

/* The definitions that speak about a pair: its own item and `any`, either may be missing. */
typedef struct {
    const scr_item *own, *any;
    scr_contact_def fallback; /* where neither says a key */
} pair_items;

static pair_items find_items(const scr_scene *scene, const char *a, const char *b)
{
    pair_items p = {.any = scr_scene_find(scene, "contacts", "any")};
    scr_section_defaults(&scr_section_contacts, &p.fallback);
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

static const scr_contact_def *def_for(const pair_items *p, const char *key)
{
    const scr_item *item = who_says(*p, key);
    return item ? item->def : &p->fallback;
}

#define SAID(pair, member) (def_for(&(pair), #member)->member)

typedef struct {
    const scr_scene *scene;
    const scr_world *world;
    const scr_sizes *sizes;
    int a, b;
    pair_items items;
    scree_report *report;
    char name[160];
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
        const scr_item *item =
            scr_scene_find(c->scene, "materials", c->world->materials[materials[k]].name);
        double own;
        memcpy(&own, (const char *)item->def + offset, sizeof own);
        if (!isnan(own) && !(value <= own)) value = own;
    }
    if (isnan(value))
        scr_fail(c->report, SCREE_E_INPUT, place_of(c, key),
                 "the contact %s has no %s: give it in contacts (%s or any) or in the materials",
                 c->name, key, c->name);
    return value;
}

// effective mass of two bodies; an infinite partner leaves the other's own
static double effective_mass(double a, double b)
{
    return isinf(a) ? b : isinf(b) ? a : a * b / (a + b);
}

// kn = m* V^2 / delta_max^2 (Vyas et al. 2025, section 5.1) for the pair of sizes that asks for
// most
static double stiffness_for(const pair_context *c, double overlap, double speed)
{
    double kn = 0;
    for (int k = 0; k < 9; k++) {
        int size[2] = {k % 3, k / 3}, material[2] = {c->a, c->b};
        double m[2] = {INFINITY, INFINITY}, r[2] = {INFINITY, INFINITY};
        bool exists = true;
        for (int s = 0; s < 2; s++) {
            const scr_sizes *z = &c->sizes[material[s]];
            if (size[s] == 2)
                exists &= z->infinite;
            else if (z->count)
                m[s] = z->mass[size[s]], r[s] = z->radius[size[s]];
            else
                exists = false;
        }
        if (!exists || (isinf(m[0]) && isinf(m[1]))) continue;
        double delta = overlap * 2 * fmin(r[0], r[1]);
        kn = fmax(kn, effective_mass(m[0], m[1]) * speed * speed / (delta * delta));
    }
    return kn;
}

// kt/kn of two elastic spheres (Mindlin; Vyas et al. 2025, eq. 5), when both Poisson's ratios are
// known
static double ratio_from_poisson(const scr_material *a, const scr_material *b)
{
    if (isnan(a->poisson) || isnan(b->poisson)) return NAN;
    // shear moduli matter only by their ratio: equal ones where a modulus is unknown
    double ga = 1, gb = 1;
    if (!isnan(a->young) && !isnan(b->young)) {
        ga = a->young / (2 * (1 + a->poisson));
        gb = b->young / (2 * (1 + b->poisson));
    }
    return ((1 - a->poisson) / ga + (1 - b->poisson) / gb) /
           ((1 - a->poisson / 2) / ga + (1 - b->poisson / 2) / gb);
}

static double choose_stiffness(const pair_context *c, const char **why, char *buffer, size_t size)
{
    double kn = SAID(c->items, stiffness);
    *why = "given";
    if (!isnan(kn)) return kn;
    double speed = SAID(c->items, speed), overlap = SAID(c->items, overlap);
    const char *reason = "given";
    if (isnan(speed)) speed = scr_expected_speed(c->world, &reason);
    kn = stiffness_for(c, overlap, speed);
    if (!(kn > 0) || !isfinite(kn))
        scr_fail(
            c->report, SCREE_E_INPUT, place_of(c, "stiffness"),
            "the contact %s has no stiffness and none can be derived: nothing moves and gravity is "
            "zero; give contacts.%s.stiffness or .speed",
            c->name, c->name);
    snprintf(buffer, size, "overlap %.3g %% of the smaller diameter at %.3g m/s (%s)",
             100 * overlap, speed, reason);
    *why = buffer;
    return kn;
}

static void choose_damping(const pair_context *c, bool clipped, scr_law *law)
{
    law->restitution = NAN;
    if (SAID(c->items, damping) == SCR_DAMPING_VISCOUS) {
        law->eta_mass = SAID(c->items, damping_rate);
        if (isnan(law->eta_mass))
            scr_fail(c->report, SCREE_E_INPUT, place_of(c, "damping"),
                     "the contact %s has viscous damping but no damping_rate", c->name);
        return;
    }
    double e = coefficient(c, SAID(c->items, restitution), "restitution",
                           offsetof(scr_material_def, restitution));
    if (isnan(e)) return;
    law->restitution = e;
    double z = clipped ? scr_damping_ratio_clipped(e) : scr_damping_ratio_unclipped(e);
    law->eta_root = 2 * z * sqrt(law->kn);
}

static scr_law choose_law(const pair_context *c, bool clipped)
{
    scr_law law = {0};
    char buffer[160];
    const char *why;
    law.kn = choose_stiffness(c, &why, buffer, sizeof buffer);
    choose_damping(c, clipped, &law);
    const char *ratio_why = "given";
    if (SAID(c->items, tangential) == SCR_TANGENTIAL_HISTORY) {
        double ratio = SAID(c->items, stiffness_ratio);
        if (isnan(ratio)) {
            ratio = ratio_from_poisson(&c->world->materials[c->a], &c->world->materials[c->b]);
            ratio_why = "from Poisson's ratios";
        }
        if (isnan(ratio)) ratio = 2.0 / 7, ratio_why = "2/7";
        law.kt = ratio * law.kn;
        law.kt_inverse = 1 / law.kt;
        law.mu = coefficient(c, SAID(c->items, friction), "friction",
                             offsetof(scr_material_def, friction));
        law.zeta = SAID(c->items, damping_ratio);
        if (isnan(law.zeta)) law.zeta = sqrt(ratio);
    }
    scr_say("contact %s: hooke, kn %.4g N/m (%s)", c->name, law.kn, why);
    const char *reason;
    double speed = scr_expected_speed(c->world, &reason);
    scr_say("  expected overlap up to %.2g %% of the smaller diameter at %.3g m/s (%s)",
            100 * sqrt(stiffness_for(c, 1, speed) / law.kn), speed, reason);
    if (law.kt > 0)
        scr_say("  kt/kn %.4g (%s), friction %.4g, tangential damping %.3g of normal",
                law.kt / law.kn, ratio_why, law.mu, law.zeta);
    else
        scr_say("  no tangential force");
    if (!isnan(law.restitution))
        scr_say("  restitution %.4g, damping ratio %.4g solved for it", law.restitution,
                law.eta_root / (2 * sqrt(law.kn)));
    else if (SAID(c->items, damping) == SCR_DAMPING_VISCOUS)
        scr_say("  viscous damping, rate %.4g 1/s of the effective mass", law.eta_mass);
    return law;
}

scree_status scr_build_laws(scr_world *w, const scr_scene *scene, scree_report *report)
{
    int n = w->material_count, errors = report->errors;
    scr_sizes *sizes = scr_sizes_of(w);
    if (!w->laws) w->laws = scr_memory_new((size_t)(n * n), sizeof *w->laws);
    if (!sizes || !w->laws) {
        scr_memory_free(sizes);
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for contact laws");
    }
    const scr_items *stepper = scr_scene_items(scene, "stepper");
    const scr_soft_def *soft = stepper->items[0].variant_def;
    bool clipped = soft->conventions != SCR_CONVENTIONS_LAMMPS;
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            // pairs that cannot meet need no law; theirs stays zero and is never asked
            if (!scr_sizes_meet(sizes, a, b) || w->laws[a * n + b].kn > 0) continue;
            pair_context c = {.scene = scene,
                              .world = w,
                              .sizes = sizes,
                              .a = a,
                              .b = b,
                              .items =
                                  find_items(scene, w->materials[a].name, w->materials[b].name),
                              .report = report};
            snprintf(c.name, sizeof c.name, "%.70s/%.70s", w->materials[a].name,
                     w->materials[b].name);
            w->laws[a * n + b] = w->laws[b * n + a] = choose_law(&c, clipped);
        }
    scr_memory_free(sizes);
    w->law_source = scr_laws_source(scene);
    return report->errors > errors ? SCREE_E_INPUT : SCREE_OK;
}
