/* Physics of a scene, before the first step: what the numbers mean together. */
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "observe/observer.h"
#include "run/build.h"
#include "run/impact.h"
#include "run/schema.h"
#include "run/simulation.h"

// the group's item in the scene, for the place of a message
static scree_place place_of_body(const scree_simulation *s, size_t i)
{
    const scr_items *groups = scr_scene_items(s->scene, "bodies");
    return scr_item_place(s->scene, &groups->items[s->world.bodies.group[i]], NULL);
}

static void check_observers(const scree_simulation *s, scree_report *report)
{
    const scr_items *items = scr_scene_items(s->scene, "observers");
    if (s->wants_contacts && !s->step.stepper->contacts)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                 "the stepper %s does not tell the forces of contacts, which an observer or "
                 "output.contacts asks for",
                 s->step.stepper->variant.name);
    for (int k = 0; k < items->count; k++) {
        const scr_item *item = &items->items[k];
        const scr_observer *observer = scr_observer_find(item->variant->name);
        if (observer->check) observer->check(&s->world, s->scene, item, report);
    }
}

// at most this many messages of one kind; the rest is counted
#define FEW 5

// a grain that came with results may be outside by what the list and one step allow before it is noticed
static void check_domain(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    const double lower[3] = {w->domain.lower.x, w->domain.lower.y, w->domain.lower.z};
    const double upper[3] = {w->domain.upper.x, w->domain.upper.y, w->domain.upper.z};
    size_t outside = 0;
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        const double *x = w->bodies.place + 4 * i;
        bool out = false;
        double speed = v3_norm(v3_load(w->bodies.motion + 4 * i));
        double slack = s->adopted ? w->clock.skin + 2 * speed * w->clock.dt : 0;
        for (int d = 0; d < 3; d++)
            out |= !w->domain.periodic[d] && (x[d] < lower[d] - slack || x[d] > upper[d] + slack);
        if (!out || ++outside > FEW) continue;
        scr_fail(report, SCREE_E_INPUT, place_of_body(s, i),
                 "grain %lld at (%.6g, %.6g, %.6g) m is outside the domain, (%.6g, %.6g, %.6g) to "
                 "(%.6g, "
                 "%.6g, %.6g) m",
                 (long long)w->bodies.id[i], x[0], x[1], x[2], lower[0], lower[1], lower[2],
                 upper[0], upper[1], upper[2]);
    }
    if (outside > FEW)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "%zu grains in all are outside the domain",
                 outside);
}

// the nearest image is the only one: a periodic length must hold two of the largest grains
static void check_periodic(const scree_simulation *s, scree_report *report)
{
    const scr_world *w = &s->world;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    double largest = 0;
    for (size_t i = 0; i < w->bodies.table.count; i++)
        largest = fmax(largest, w->bodies.place[4 * i + 3]);
    for (int k = 0; k < w->inlet_count; k++) largest = fmax(largest, w->inlets[k].radius[1]);
    double need = 2 * (2 * largest + w->clock.skin);
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d] && length[d] < need)
            scr_fail(
                report, SCREE_E_INPUT,
                scr_item_place(s->scene, &scr_scene_items(s->scene, "domain")->items[0], "box"),
                "the domain is %.6g m long along the periodic axis %c, at least %.6g m are needed: "
                "twice "
                "the largest grain and the skin",
                length[d], "xyz"[d], need);
}

static double grain_overlap(const scr_world *w, const scr_images *m, size_t i, size_t j)
{
    const double *a = w->bodies.place + 4 * i, *b = w->bodies.place + 4 * j;
    double distance2 = 0;
    for (int d = 0; d < 3; d++) {
        double x = scr_nearest_image(m, d, a[d] - b[d]);
        distance2 += x * x;
    }
    return a[3] + b[3] - sqrt(distance2);
}

typedef struct {
    size_t warned, failed;
    double worst;
} overlap_count;

// more than 1 % of the smaller radius is worth a word, more than all of it cannot be run
static void judge_overlap(const scree_simulation *s, size_t i, const char *partner, double depth,
                          overlap_count *count, scree_report *report)
{
    // grains that came with results carry their load: only what cannot be run is worth a word. A stepper that solves
    // for its contacts takes long steps, in which fast grains get as deep as that, and runs on
    if (s->adopted && !s->step.stepper->is_explicit) return;
    if (depth <= (s->adopted ? 1 : 0.01)) return;
    count->worst = fmax(count->worst, depth);
    bool fatal = depth > 1;
    size_t n = fatal ? ++count->failed : ++count->warned;
    if (n > FEW) return;
    const double *x = s->world.bodies.place + 4 * i;
    if (fatal)
        scr_fail(report, SCREE_E_INPUT, place_of_body(s, i),
                 "grain %lld at (%.6g, %.6g, %.6g) m overlaps %s at the start by %.3g of the "
                 "smaller radius, "
                 "at most 1 is possible",
                 (long long)s->world.bodies.id[i], x[0], x[1], x[2], partner, depth);
    else
        scr_warn(
            report, place_of_body(s, i),
            "grain %lld at (%.6g, %.6g, %.6g) m overlaps %s at the start by %.3g %% of the smaller "
            "radius; more than 1 %% makes it jump apart",
            (long long)s->world.bodies.id[i], x[0], x[1], x[2], partner, 100 * depth);
}

static void check_overlaps(const scree_simulation *s, scr_pairs *p, scree_report *report)
{
    const scr_world *w = &s->world;
    scr_images images = scr_images_of(&w->domain);
    overlap_count count = {0};
    char partner[128];
    for (size_t k = 0; k < p->count; k++) {
        size_t i = p->first[k], j = p->second[k];
        if (w->bodies.frame[i] && w->bodies.frame[i] == w->bodies.frame[j]) continue; // one body
        double smaller = fmin(w->bodies.place[4 * i + 3], w->bodies.place[4 * j + 3]);
        snprintf(partner, sizeof partner, "grain %lld", (long long)w->bodies.id[j]);
        judge_overlap(s, i, partner, grain_overlap(w, &images, i, j) / smaller, &count, report);
    }
    for (size_t k = 0; k < p->walls.count; k++) {
        size_t i = p->walls.body[k];
        int face = (int)p->walls.face[k];
        vec3 normal;
        double r = w->bodies.place[4 * i + 3];
        double depth =
            1 - scr_world_face_distance(w, face, v3_load(w->bodies.place + 4 * i), &normal) / r;
        snprintf(partner, sizeof partner, "wall %.100s", w->walls[w->faces[face].wall].name);
        judge_overlap(s, i, partner, depth, &count, report);
    }
    if (count.warned > FEW)
        scr_warn(report, SCR_NOWHERE,
                 "%zu contacts in all overlap by more than 1 %% of the smaller radius, the worst "
                 "by %.3g %%",
                 count.warned, 100 * count.worst);
    if (count.failed > FEW)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                 "%zu contacts in all overlap by more than the smaller radius", count.failed);
}

scree_status scr_check_world(scree_simulation *s, scree_report *report)
{
    int errors = report->errors;
    check_observers(s, report);
    check_domain(s, report);
    check_periodic(s, report);
    if (report->errors > errors) return SCREE_E_INPUT;
    if (s->resumed) return SCREE_OK; // overlaps are its own, and anchors must stay
    // a list of what is near, with the bodies where they are
    scr_pairs pairs = {0};
    scr_bodies *b = &s->world.bodies;
    scr_world_wrap(&s->world);
    // members of rigid bodies have their place there in the anchor: it is put back
    size_t bytes = 4 * b->table.count * sizeof *b->anchor;
    double *anchor = scr_memory_new(4 * b->table.count, sizeof *anchor);
    if (!anchor) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for the check");
    if (bytes) memcpy(anchor, b->anchor, bytes), memcpy(b->anchor, b->place, bytes);
    scree_status status = scr_pairs_build(&pairs, &s->world, report);
    if (!status) check_overlaps(s, &pairs, report);
    scr_pairs_deinit(&pairs);
    for (size_t i = 0; i < b->table.count; i++)
        if (b->frame[i]) memcpy(b->anchor + 4 * i, anchor + 4 * i, 4 * sizeof *anchor);
    scr_memory_free(anchor);
    return status ? status : report->errors > errors ? SCREE_E_INPUT : SCREE_OK;
}

scree_status scree_scene_check(const scree_scene *scene, scree_report *report)
{
    scree_simulation_def def = scree_simulation_def_default();
    scree_simulation s = {0};
    scree_status status = scr_simulation_build(scene->scene, &def, &s, report);
    if (!status) status = scr_check_world(&s, report);
    if (!status) status = scr_impacts_say(&s, report);
    scr_world_deinit(&s.world);
    return status;
}
