/* Physics of a scene, before the first step: what the numbers mean together. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/memory.h"
#include "build/build.h"
#include "build/simulation.h"
#include "collide/pairs.h"
#include "comm/share.h"
#include "exec/reduce.h"
#include "observe/observer.h"
#include "observe/until.h"

/* A grain that a message is about, whichever rank has it. */
typedef struct {
    int64_t id, group;
    double x[3];
} grain;

static grain grain_of(const scr_world *w, size_t i)
{
    const double *x = w->bodies.place + 4 * i;
    return (grain){w->bodies.id[i], w->bodies.group[i], {x[0], x[1], x[2]}};
}

// the group's item in the scene, for the place of a message
static scree_place place_of_grain(const scree_simulation *s, const grain *g)
{
    const scr_items *groups = scr_scene_items(s->scene, "bodies");
    return scr_item_place(s->scene, &groups->items[g->group], NULL);
}

static scree_place place_of_body(const scree_simulation *s, size_t i)
{
    const grain g = grain_of(&s->world, i);
    return place_of_grain(s, &g);
}

// words of frames in measures (study/measure.h), which an observer of that name would be hidden by
static void check_name(const scree_simulation *s, const scr_item *item, scree_report *report)
{
    static const char *const words[] = {"grains", "cells", "contacts", "frames", "each", NULL};
    for (int k = 0; words[k]; k++)
        if (!strcmp(item->name, words[k]))
            scr_warn(report, scr_item_place(s->scene, item, NULL),
                     "observers.%s cannot be used in measures (scree sweep, cases), where '%s' refers to the contents "
                     "of frames; rename it, for example to '%.40s_%s'",
                     item->name, words[k], item->variant->name, words[k]);
}

static void check_observers(const scree_simulation *s, scree_report *report)
{
    const scr_items *items = scr_scene_items(s->scene, "observers");
    if (s->wants_contacts && !s->step.stepper->contacts)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                 "the integrator %s does not report contact forces, which an observer or "
                 "output.contacts asks for",
                 s->step.stepper->variant.name);
    for (int k = 0; k < items->count; k++) {
        const scr_item *item = &items->items[k];
        const scr_observer *observer = scr_observer_find(item->variant->name);
        check_name(s, item, report);
        if (observer->check) observer->check(&s->world, s->scene, item, report);
        if (observer->reports && !s->step.stepper->reports)
            scr_warn(report, scr_item_place(s->scene, item, "type"),
                     "observers.%s has nothing to report: the integrator %s does not solve for contacts", item->name,
                     s->step.stepper->variant.name);
    }
    scr_until_check(&s->step, s->scene, report);
}

// at most this many messages of one kind; the rest is counted
#define FEW 5

/* The first few grains that something is to be said of, in the order of ids, and how many there are. */
typedef struct {
    grain first[FEW];
    size_t count;
} grains_told;

static void tell_grain(grains_told *t, grain g)
{
    size_t k = t->count++ < FEW ? t->count - 1 : FEW;
    for (; k > 0 && t->first[k - 1].id > g.id; k--)
        if (k < FEW) t->first[k] = t->first[k - 1];
    if (k < FEW) t->first[k] = g;
}

// those of all ranks
static void tell_all(scr_share *share, grains_told *own)
{
    grains_told *all = NULL, sum = {.count = 0};
    if (!share) return;
    size_t ranks = scr_share_collect_all(share, own, 1, sizeof *own, &all);
    for (size_t r = 0; r < ranks; r++)
        for (size_t k = 0; k < FEW && k < all[r].count; k++) tell_grain(&sum, all[r].first[k]);
    sum.count = 0;
    for (size_t r = 0; r < ranks; r++) sum.count += all[r].count;
    *own = sum;
    scr_buffer_free(all);
}

// a grain that came with results may be outside by what it does between two looks
static bool is_outside(const scree_simulation *s, size_t i)
{
    const scr_world *w = &s->world;
    const double *x = w->bodies.place + 4 * i, *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    double slack = 0;
    bool out = false;
    if (s->adopted)
        slack = w->clock.skin + 2 * v3_norm(v3_load(w->bodies.motion + 4 * i)) * SCR_LOOK_EVERY * w->clock.dt;
    for (int d = 0; d < 3; d++) out |= !w->domain.periodic[d] && (x[d] < lower[d] - slack || x[d] > upper[d] + slack);
    return out;
}

static void outside_rows(void *simulation, size_t from, size_t to, void *part)
{
    bool *any = part;
    for (size_t i = from; i < to && !*any; i++) *any = is_outside(simulation, i);
}

// A run that goes on as it was looks itself, when it would have.
static void check_domain(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    if (s->resumed && !s->changed) return;
    const vec3 lower = w->domain.lower, upper = w->domain.upper;
    grains_told outside = {.count = 0};
    bool any = scr_reduce_any(w->bodies.table.count, outside_rows, (void *)(uintptr_t)s);
    for (size_t i = 0; any && i < w->bodies.table.count; i++)
        if (is_outside(s, i)) tell_grain(&outside, grain_of(w, i));
    tell_all(w->share, &outside);
    for (size_t k = 0; scr_share_leads(w->share) && k < FEW && k < outside.count; k++) {
        const grain *g = &outside.first[k];
        scr_fail(report, SCREE_E_INPUT, place_of_grain(s, g),
                 "grain %lld at (%.6g, %.6g, %.6g) m is outside the domain, (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m",
                 (long long)g->id, g->x[0], g->x[1], g->x[2], lower.x, lower.y, lower.z, upper.x, upper.y, upper.z);
    }
    if (scr_share_leads(w->share) && outside.count > FEW)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "%zu grains in total are outside the domain", outside.count);
}

// an outlet that takes grains at once is most often one whose normal has the wrong sense
static void check_outlets(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    const scr_items *outlets = scr_scene_items(s->scene, "outlets");
    size_t all = scr_share_bodies(w);
    for (int k = 0; k < w->outlet_count; k++) {
        grains_told inside = {.count = 0};
        for (size_t i = 0; i < w->bodies.table.count; i++)
            if (scr_outlet_of(w, i) == k) tell_grain(&inside, grain_of(w, i));
        tell_all(w->share, &inside);
        if (!inside.count || !scr_share_leads(w->share)) continue;
        if (s->adopted) {
            scr_say("outlet %s: %zu grains are inside and leave at once", w->outlets[k].name, inside.count);
            continue;
        }
        const scr_region *r = &w->outlets[k].region;
        char hint[240] = "move them or the outlet, or let it open later (start)";
        if (r->kind == SCR_REGION_BEYOND)
            snprintf(hint, sizeof hint,
                     "it empties the side of its plane that (%.3g, %.3g, %.3g) points to (the "
                     "normal of a wall has the opposite sense); reverse the normal, or set side: "
                     "below, above, ...",
                     r->axis.x, r->axis.y, r->axis.z);
        const grain *first = &inside.first[0];
        const double *x = first->x;
        scr_fail(report, SCREE_E_INPUT, scr_item_place(s->scene, &outlets->items[k], NULL),
                 "outlets.%s would remove %zu of %zu grains at the start, the first is grain %lld of %s at (%.6g, "
                 "%.6g, %.6g) m: %s",
                 w->outlets[k].name, inside.count, all, (long long)first->id, w->groups[first->group].name, x[0], x[1],
                 x[2], hint);
    }
}

// without grains at the start they must come, and before the end
static void check_empty(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    const scr_items *groups = scr_scene_items(s->scene, "bodies");
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    if (s->resumed || scr_share_bodies(w) || w->cells.table.count || w->rigids.table.count || !groups->count) return;
    const scr_item *first = NULL;
    double start = INFINITY;
    for (int k = 0; k < w->inlet_count; k++) {
        const scr_item *item = &groups->items[w->inlets[k].group];
        const scr_bodies_inlet_def *def = item->variant_def;
        if (def->start < start) first = item, start = def->start;
    }
    if (!first)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(s->scene, &groups->items[0], NULL),
                 "there are no grains at the start and no inlets: nothing would move");
    else if (start >= time->end)
        scr_warn(report, scr_item_place(s->scene, first, "start"),
                 "there are no grains at the start, and the first come through bodies.%s at %g s, after the end of the "
                 "run at %g s: nothing would move",
                 first->name, start, time->end);
    else
        scr_say("no grains at the start: the first come through bodies.%s at %g s", first->name,
                fmax(start, w->clock.time));
}

/* ---- precision ---- */

#define COARSE   1e-6 /* of an overlap: spacing of places from which on a word is said, */
#define HOPELESS 1e-2 /* and from which on forces are rounding errors */

// the smallest overlap of an impact at the speed that its law expects [m]
static double smallest_overlap(const scr_world *w, const scr_sizes *sizes)
{
    double least = INFINITY;
    scr_meeting meetings[SCR_MEETINGS];
    for (int a = 0; a < w->material_count; a++)
        for (int b = a; b < w->material_count; b++) {
            const scr_law *law = scr_world_law(w, a, b);
            int count = scr_meetings_of(sizes, a, b, meetings);
            for (int k = 0; k < count && law->kn > 0; k++) {
                double mass = scr_meeting_mass(&meetings[k]), r = scr_meeting_radius(&meetings[k]);
                double delta = scr_law_overlap(law, mass, r, law->speed);
                // where no speed is known, and where it is beyond all bounds
                double part = 2e-3 * scr_meeting_smaller(&meetings[k]);
                // slow ones press by themselves, if they press at all
                double press = 1e-6 * scr_meeting_smaller(&meetings[k]);
                least = fmin(least, delta > 0 ? fmax(delta, press) : part);
            }
        }
    return least;
}

// places are doubles: far from the origin their spacing is no longer small against overlaps
static void check_precision(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    const double *low = &w->domain.lower.x, *high = &w->domain.upper.x;
    double far = 0;
    for (int d = 0; d < 3; d++) far = fmax(far, fmax(fabs(low[d]), fabs(high[d])));
    scr_sizes *sizes = scr_sizes_of(w);
    if (!sizes) {
        scr_no_memory(report, "the check");
        return;
    }
    double spacing = nextafter(far, INFINITY) - far, overlap = smallest_overlap(w, sizes);
    scr_memory_free(sizes);
    if (!(spacing > COARSE * overlap)) return;
    scree_place at = scr_item_place(s->scene, &scr_scene_items(s->scene, "domain")->items[0], "box");
    char text[400];
    snprintf(text, sizeof text,
             "the domain reaches to %.4g m from the origin, where positions are %.2g m apart (the "
             "spacing of doubles), %.2g of the smallest overlap to expect, %.2g m",
             far, spacing, spacing / overlap, overlap);
    if (spacing > HOPELESS * overlap)
        scr_fail(
            report, SCREE_E_INPUT, at,
            "%s: contact forces would be rounding errors; at most %g of it is allowed. Put the origin near the grains",
            text, HOPELESS);
    else
        scr_warn(report, at, "%s: energy is conserved less accurately; put the origin near the grains", text);
}

// the nearest image is the only one: a periodic length must hold two of the largest grains
static void check_periodic(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    double largest = scr_share_bodies(w) ? scr_world_radii(w, w->bodies.place).most : 0;
    for (int k = 0; k < w->inlet_count; k++) largest = fmax(largest, w->inlets[k].radius[1]);
    double need = 2 * (2 * largest + w->clock.skin);
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d] && length[d] < need)
            scr_fail(report, SCREE_E_INPUT,
                     scr_item_place(s->scene, &scr_scene_items(s->scene, "domain")->items[0], "box"),
                     "the domain is %.6g m long along the periodic axis %c, at least %.6g m are needed: twice the "
                     "largest grain and the skin",
                     length[d], "xyz"[d], need);
}

static double grain_overlap(const scr_world *w, const scr_images *m, size_t i, size_t j)
{
    const double *a = w->bodies.place + 4 * i, *b = w->bodies.place + 4 * j;
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, d2 = 0;
    scr_image_nearest(m, d, NULL);
    for (int k = 0; k < 3; k++) d2 += d[k] * d[k];
    return a[3] + b[3] - sqrt(d2);
}

/* What overlaps at the start: more than 1 % of the smaller radius is worth a word, more than `limit` of it cannot be
 * run. */
typedef struct {
    size_t warned, failed;
    double worst;
} overlap_count;

// grains that came with results carry their load: only what cannot be run is worth a word. A stepper that solves for
// its contacts takes long steps, in which fast grains get as deep as that, and runs on
static bool is_deep(const scree_simulation *s, double depth, double limit)
{
    if (s->adopted && s->step.traits.holds_deep) return false;
    return depth > (s->adopted ? limit : 0.01);
}

static void report_overlap(const scree_simulation *s, const grain *g, const char *partner, double depth, double limit,
                           scree_report *report)
{
    const double *x = g->x;
    if (depth > limit)
        scr_fail(report, SCREE_E_INPUT, place_of_grain(s, g),
                 "grain %lld at (%.6g, %.6g, %.6g) m overlaps %s at the start by %.3g of the smaller radius, at most "
                 "%.3g is possible",
                 (long long)g->id, x[0], x[1], x[2], partner, depth, limit);
    else
        scr_warn(report, place_of_grain(s, g),
                 "grain %lld at (%.6g, %.6g, %.6g) m overlaps %s at the start by %.3g %% of the smaller "
                 "radius; initial overlaps above 1 %% eject grains violently",
                 (long long)g->id, x[0], x[1], x[2], partner, 100 * depth);
}

static bool are_held(const scr_bodies *b, size_t i, size_t j)
{
    return b->motion[4 * i + 3] == 0 && b->motion[4 * j + 3] == 0;
}

// two bodies that nothing can push, of a stepper that has no forces between such: what is asked for is not to be had
static bool refuse_held(const scree_simulation *s, size_t i, size_t j, double depth, scree_report *report)
{
    const scr_world *w = &s->world;
    if (s->step.traits.held_pairs || !are_held(&w->bodies, i, j)) return false;
    if (!(depth > 0)) return true;
    const char *name[2] = {w->groups[w->bodies.group[i]].name, w->groups[w->bodies.group[j]].name};
    scr_fail(report, SCREE_E_INPUT, place_of_body(s, i),
             "grain %lld of %s and grain %lld of %s touch, and nothing can push either group: the "
             "integrator %s has no force between them. Set bodies.%s.ignores: [%s], or use the integrator soft",
             (long long)w->bodies.id[i], name[0], (long long)w->bodies.id[j], name[1], s->step.stepper->variant.name,
             name[0], name[1]);
    return true;
}

// such groups may meet later
static void check_held(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    int a, b;
    if (s->step.traits.held_pairs || !scr_world_held_groups(w, &a, &b)) return;
    scr_warn(
        report, scr_item_place(s->scene, &scr_scene_items(s->scene, "bodies")->items[a], NULL),
        "nothing can push bodies.%s and bodies.%s, and one moves as prescribed: if they touch, the integrator %s has "
        "no force between them. If this is intended, set bodies.%s.ignores: [%s]; else use the integrator soft",
        w->groups[a].name, w->groups[b].name, s->step.stepper->variant.name, w->groups[a].name, w->groups[b].name);
}

/* The pairs of a list, to be looked at. */
typedef struct {
    const scree_simulation *simulation;
    const scr_pairs *pairs;
    scr_images images;
} looking;

// the overlap of a pair, of the smaller radius; of spheres of one body none
static double depth_of(const looking *l, size_t pair)
{
    const scr_bodies *b = &l->simulation->world.bodies;
    size_t i = l->pairs->first[pair], j = l->pairs->second[pair];
    if (b->carrier[i] && b->carrier[i] == b->carrier[j]) return -INFINITY;
    return grain_overlap(&l->simulation->world, &l->images, i, j) / fmin(b->place[4 * i + 3], b->place[4 * j + 3]);
}

static void deep_rows(void *context, size_t from, size_t to, void *part)
{
    const looking *l = context;
    const scr_pairs *p = l->pairs;
    bool *any = part;
    for (size_t k = from; k < to && !*any; k++)
        *any = are_held(&l->simulation->world.bodies, p->first[k], p->second[k]) ||
               is_deep(l->simulation, depth_of(l, k), 1);
}

// whether a pair is worth a word, and how deep it is; those whose first body another rank has are its business
static bool is_worth(const looking *l, size_t pair, double *depth)
{
    const scree_simulation *s = l->simulation;
    const scr_bodies *b = &s->world.bodies;
    size_t i = l->pairs->first[pair];
    if (i < b->low || i >= scr_bodies_end(b)) return false;
    *depth = depth_of(l, pair);
    if (*depth == -INFINITY || (!s->step.traits.held_pairs && are_held(b, i, l->pairs->second[pair]))) return false;
    return is_deep(s, *depth, 1);
}

// how many there are, of all ranks; before the first of this one
static overlap_count count_overlaps(const looking *l, bool any, overlap_count *before)
{
    overlap_count own = {0}, sum = {0}, *all = NULL;
    scr_share *share = l->simulation->world.share;
    double depth;
    for (size_t k = 0; any && k < l->pairs->count; k++) {
        if (!is_worth(l, k, &depth)) continue;
        own.worst = fmax(own.worst, depth);
        *(depth > 1 ? &own.failed : &own.warned) += 1;
    }
    *before = sum;
    if (!share) return own;
    size_t ranks = scr_share_collect_all(share, &own, 1, sizeof own, &all);
    for (size_t r = 0; r < ranks; r++) {
        if ((int)r == share->comm->rank) *before = sum;
        sum.warned += all[r].warned, sum.failed += all[r].failed, sum.worst = fmax(sum.worst, all[r].worst);
    }
    scr_buffer_free(all);
    return sum;
}

static void check_pairs(const scree_simulation *s, const scr_pairs *p, scree_report *report)
{
    const scr_world *w = &s->world;
    looking l = {s, p, scr_images_of(&w->domain)};
    // most often there is nothing to be said, which all threads find out together
    bool any = scr_reduce_any(p->count, deep_rows, &l);
    for (size_t k = 0; any && !s->step.traits.held_pairs && k < p->count; k++)
        if (depth_of(&l, k) > -INFINITY) refuse_held(s, p->first[k], p->second[k], depth_of(&l, k), report);
    overlap_count at, all = count_overlaps(&l, any, &at);
    double depth;
    for (size_t k = 0; any && k < p->count; k++) {
        if (!is_worth(&l, k, &depth) || (depth > 1 ? ++at.failed : ++at.warned) > FEW) continue;
        char partner[64];
        const grain g = grain_of(w, p->first[k]);
        snprintf(partner, sizeof partner, "grain %lld", (long long)w->bodies.id[p->second[k]]);
        report_overlap(s, &g, partner, depth, 1, report);
    }
    if (!scr_share_leads(w->share)) return;
    if (all.warned > FEW)
        scr_warn(report, SCR_NOWHERE,
                 "%zu contacts in total overlap by more than 1 %% of the smaller radius, the worst by %.3g %%",
                 all.warned, 100 * all.worst);
    if (all.failed > FEW)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "%zu contacts in total overlap by more than the smaller radius",
                 all.failed);
}

/* ---- grains in walls ---- */

/* Grains of one group that overlap one wall. */
typedef struct {
    size_t count;
    double worst, limit; /* of the deepest, over its radius */
    grain deepest;
    size_t last; /* row of the last one that was counted, and one more */
    int64_t id[FEW];
} in_wall;

static bool is_deeper(const in_wall *at, double worst, double limit)
{
    return worst / limit > at->worst / (at->limit > 0 ? at->limit : 1);
}

static void count_in_wall(const scr_world *w, in_wall *at, size_t i, double depth, double limit)
{
    // a grain may touch many faces of one wall
    if (at->last != i + 1 && at->count++ < FEW) at->id[at->count - 1] = w->bodies.id[i];
    at->last = i + 1;
    if (is_deeper(at, depth, limit)) at->worst = depth, at->limit = limit, at->deepest = grain_of(w, i);
}

static void join_in_wall(in_wall *all, const in_wall *part)
{
    for (size_t k = 0; k < FEW && k < part->count; k++)
        if (all->count + k < FEW) all->id[all->count + k] = part->id[k];
    if (part->count && is_deeper(all, part->worst, part->limit))
        all->worst = part->worst, all->limit = part->limit, all->deepest = part->deepest;
    all->count += part->count;
}

// those of all ranks, in their order, on the one that speaks
static void join_ranks(scr_share *share, in_wall *own, size_t count)
{
    in_wall *all = NULL;
    if (!share) return;
    size_t ranks = scr_share_collect(share, own, count, sizeof *own, &all) / (count ? count : 1);
    memset(own, 0, count * sizeof *own);
    for (size_t r = 0; r < ranks; r++)
        for (size_t k = 0; k < count; k++) join_in_wall(&own[k], &all[r * count + k]);
    scr_buffer_free(all);
}

// a lattice ignores walls: its region must be given
static void report_in_wall(const scree_simulation *s, int group, int wall, const in_wall *at, scree_report *report)
{
    const scr_world *w = &s->world;
    char partner[128], ids[160] = "";
    snprintf(partner, sizeof partner, "wall %.100s", w->walls[wall].name);
    if (at->count == 1) {
        report_overlap(s, &at->deepest, partner, at->worst, at->limit, report);
        return;
    }
    for (size_t k = 0; k < at->count && k < FEW; k++)
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), "%s%lld", k ? ", " : "", (long long)at->id[k]);
    const scr_item *item = &scr_scene_items(s->scene, "bodies")->items[group];
    const char *from = item->variant->name;
    bool made = !strcmp(from, "lattice");
    char hint[200] = "move them, or the wall";
    if (made && !s->adopted)
        snprintf(hint, sizeof hint, "from: %s ignores walls: set bodies.%.60s.region to a region inside them", from,
                 item->name);
    const double *x = at->deepest.x;
    bool fatal = at->worst > at->limit;
    char text[800];
    snprintf(text, sizeof text,
             "%zu grains of bodies.%.60s overlap %s at the start (grains %s%s), by up to %.3g %% "
             "of the radius: grain %lld at (%.6g, %.6g, %.6g) m; %s: %s",
             at->count, item->name, partner, ids, at->count > FEW ? ", ..." : "", 100 * at->worst,
             (long long)at->deepest.id, x[0], x[1], x[2],
             fatal ? "the run cannot start" : "initial overlaps above 1 % eject grains violently", hint);
    if (fatal)
        scr_fail(report, SCREE_E_INPUT, place_of_grain(s, &at->deepest), "%s", text);
    else
        scr_warn(report, place_of_grain(s, &at->deepest), "%s", text);
}

static scree_status check_walls(const scree_simulation *s, const scr_pairs *p, scree_report *report)
{
    const scr_world *w = &s->world;
    size_t walls = (size_t)w->wall_count, cells = (size_t)w->group_count * walls;
    in_wall *all = scr_memory_new(cells + 1, sizeof *all);
    if (!all) return scr_share_must(w->share, scr_no_memory(report, "the check"), report);
    for (size_t k = 0; k < p->walls.count; k++) {
        size_t i = p->walls.body[k];
        int face = (int)p->walls.face[k];
        if (i < w->bodies.low || i >= scr_bodies_end(&w->bodies)) continue;
        vec3 normal, x = v3_load(w->bodies.place + 4 * i);
        double depth = 1 - scr_world_face_distance(w, face, x, &normal) / w->bodies.place[4 * i + 3];
        double limit = s->step.traits.holds_deep ? 1 : scr_face_limit(&w->faces[face]);
        if (!is_deep(s, depth, limit)) continue;
        in_wall *at = &all[(size_t)w->bodies.group[i] * walls + (size_t)w->faces[face].wall];
        count_in_wall(w, at, i, depth, limit);
    }
    join_ranks(w->share, all, cells);
    for (size_t k = 0; k < cells; k++)
        if (all[k].count) report_in_wall(s, (int)(k / walls), (int)(k % walls), &all[k], report);
    scr_memory_free(all);
    return SCREE_OK;
}

/* ---- the list of the checks ---- */

static void carrier_rows(void *bodies, size_t from, size_t to, void *part)
{
    const scr_bodies *b = bodies;
    bool *any = part;
    for (size_t i = from; i < to && !*any; i++) *any = b->carrier[i] != 0;
}

static bool any_carried(scr_bodies *b)
{
    return scr_reduce_any(b->table.count, carrier_rows, b);
}

static void anchor_rows(void *bodies, size_t from, size_t to)
{
    scr_bodies *b = bodies;
    memcpy(b->anchor + 4 * from, b->place + 4 * from, 4 * (to - from) * sizeof *b->anchor);
}

// members of rigid bodies have their place there in the anchor: it is put back
static scree_status list_with_carried(scree_simulation *s, scree_report *report)
{
    scr_bodies *b = &s->world.bodies;
    double *anchor = scr_memory_new(4 * b->table.count, sizeof *anchor);
    if (!anchor) return scr_no_memory(report, "the check");
    memcpy(anchor, b->anchor, 4 * b->table.count * sizeof *anchor);
    scr_each_rows(b->table.count, anchor_rows, b);
    scree_status status = scr_pairs_build(&s->step.pairs, &s->world, report);
    for (size_t i = 0; i < b->table.count; i++)
        if (b->carrier[i]) memcpy(b->anchor + 4 * i, anchor + 4 * i, 4 * sizeof *anchor);
    scr_memory_free(anchor);
    return status;
}

scree_status scr_check_world(scree_simulation *s, scree_report *report)
{
    int errors = report->errors;
    check_observers(s, report);
    check_domain(s, report);
    check_periodic(s, report);
    check_outlets(s, report);
    check_empty(s, report);
    check_held(s, report);
    check_precision(s, report);
    if (scr_share_any(s->world.share, report->errors > errors)) return SCREE_E_INPUT;
    if (s->resumed) return SCREE_OK; // overlaps are its own, and anchors must stay
    // a list of what is near, with the bodies where they are, in the order in which every stepper begins: neighbours
    // are near each other in memory. The stepper inherits the arrays
    scr_pairs *pairs = &s->step.pairs;
    scr_bodies *b = &s->world.bodies;
    bool solved = s->step.traits.contacts == SCR_CONTACTS_SOLVED;
    scr_tidy how = {.wrap = true, .sort = true, .springs = !solved};
    scree_status status = scr_world_tidy(pairs, &s->world, how, report);
    if (status) return status;
    pairs->held = true;
    bool carried = any_carried(b);
    if (!carried) scr_each_rows(b->table.count, anchor_rows, b);
    status = carried ? list_with_carried(s, report) : scr_pairs_build(pairs, &s->world, report);
    if (!status) check_pairs(s, pairs, report);
    if (!status) status = check_walls(s, pairs, report);
    pairs->held = false;
    if (solved) scr_pairs_deinit(pairs);
    if (!status && report->errors > errors) status = SCREE_E_INPUT;
    return scr_share_agree(s->world.share, status);
}
