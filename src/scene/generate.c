/* Grains from a group of `bodies` (see generate.h): what the generators share, and which one is
 * called. */
#include "scene/generate.h"

#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/log.h"
#include "scene/generators.h"

void scr_grains_deinit(scr_grains *grains)
{
    scr_free_all(grains->items, grains->ids);
    *grains = (scr_grains){0};
}

scree_place scr_generator_place(const scr_generator *g, const char *key)
{
    return scr_item_place(g->scene, g->group, key);
}

double scr_generator_radius(scr_generator *g)
{
    const double *range = g->grading.radius;
    if (range[0] == range[1]) return range[0];
    return scr_grading_radius(&g->grading, scr_random_unit(&g->random));
}

bool scr_generator_reserve(scr_generator *g, size_t count)
{
    scr_grains *grains = g->grains;
    if (grains->ranks) count = count / (size_t)grains->ranks->size + SCR_GRAINS_RUN;
    return scr_reserve(&grains->items, grains->count + count);
}

void scr_generator_put(const scr_generator *g, size_t place, scr_grain grain)
{
    const scr_bodies_def *def = g->group->def;
    grain.velocity = v3_add(grain.velocity, def->velocity);
    grain.spin = v3_add(grain.spin, def->spin);
    g->grains->items[place] = grain;
}

bool scr_generator_add(scr_generator *g, scr_grain grain)
{
    const scr_grains_ranks *ranks = g->grains->ranks;
    return scr_generator_keep(g, grain, !ranks || g->grains->made / SCR_GRAINS_RUN % ranks->size == ranks->rank);
}

bool scr_generator_keep(scr_generator *g, scr_grain grain, bool ours)
{
    scr_grains *grains = g->grains;
    int64_t number = grains->made++;
    if (!ours) return true;
    if (grains->ranks && !grain.id) grain.id = -1 - number;
    if (grains->count == scr_room_of(grains->items) && !scr_generator_reserve(g, grains->count / 2 + 64)) return false;
    scr_generator_put(g, grains->count++, grain);
    return true;
}

scree_status scr_generator_region(const scr_generator *g, const scr_item *item, scr_region *region)
{
    if (!scr_region_init(region, g->scene, item))
        return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "region"),
                        "the region of bodies.%s has no volume, or is too large", g->group->name);
    return SCREE_OK;
}

scree_status scr_generator_room(const scr_generator *g, const scr_item *item, scr_region *region)
{
    scree_status status = scr_generator_region(g, item, region);
    if (status || !g->grains->obstacles) return status;
    // a share of points that are not within walls; a stream of its own, so that grains do not depend on it
    enum { POINTS = 20000 };
    scr_random random = scr_random_stream(0, 0x766f6c756d65);
    int inside = 0, open = 0;
    for (int k = 0; k < POINTS; k++) {
        vec3 p;
        if (!scr_region_point(region, 0, &random, &p) || !scr_region_holds(region, p, 0, 0)) continue;
        inside++, open += scr_generator_clear(g, p, 0);
    }
    if (inside && !open)
        return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "region"),
                        "the region of bodies.%s lies within solid walls: no grain fits there", g->group->name);
    if (open < inside) {
        double share = (double)open / inside;
        region->volume *= share;
        scr_say("bodies.%s: %.3g %% of the region is outside of solid walls, %.4g m^3", g->group->name, 100 * share,
                region->volume);
    }
    return SCREE_OK;
}

bool scr_generator_clear(const scr_generator *g, vec3 x, double radius)
{
    const scr_obstacles *o = g->grains->obstacles;
    scr_obstacle found[1];
    return !o || !o->near(o->context, x, radius * (1 - 1e-9), found, 1);
}

scree_status scr_generate_positions(scr_generator *g)
{
    const scr_matrix *places = &((const scr_bodies_positions_def *)g->group->variant_def)->positions;
    if (!scr_generator_reserve(g, (size_t)places->count)) return SCREE_E_MEMORY;
    for (int k = 0; k < places->count; k++) {
        scr_grain grain = {.position = v3_load(places->rows + 3 * k), .density = NAN};
        grain.radius = scr_generator_radius(g);
        if (!scr_generator_add(g, grain)) return SCREE_E_MEMORY;
    }
    return SCREE_OK;
}

// sizes that are drawn, and what they count
static void say_sizes(const scr_generator *g)
{
    const scr_item *sizes = &((const scr_bodies_def *)g->group->def)->sizes;
    if (!sizes->variant_def) return;
    const scr_sizes_def *def = sizes->def;
    const double *r = g->grading.radius;
    double number = scr_grading_moment(&g->grading, 1);
    double mass = scr_grading_moment(&g->grading, 4) / scr_grading_moment(&g->grading, 3);
    scr_say("bodies.%s: %s sizes weighted by %s%s, diameters %.4g to %.4g m, mean %.4g m by number "
            "and %.4g m by mass",
            g->group->name, sizes->variant->name, def->weighted == SCR_WEIGHTED_MASS ? "mass" : "number",
            scr_item_has(sizes, "weighted") ? "" : " (the default)", 2 * r[0], 2 * r[1], 2 * number, 2 * mass);
}

static scree_status generate(scr_generator *g)
{
    const char *from = g->group->variant->name;
    if (!strcmp(from, "positions")) return scr_generate_positions(g);
    if (!strcmp(from, "table")) return scr_generate_table(g);
    if (!strcmp(from, "lammps")) return scr_generate_lammps(g);
    if (!strcmp(from, "lattice")) return scr_generate_lattice(g);
    if (!strcmp(from, "inlet")) return SCREE_OK; // they come later: run/ports.h
    if (!strcmp(from, "packing")) return scr_generate_packing(g);
    return scr_generate_random(g);
}

scree_status scr_grains_generate(const scr_scene *scene, const scr_item *group, scr_grains *grains,
                                 scree_report *report)
{
    const scr_head_def *head = scr_scene_def(scene, "");
    // a group's stream depends on its name, so that groups can come and go without changing others
    uint64_t stream = scr_digest_bytes(SCR_DIGEST_START, group->name, strlen(group->name));
    scr_generator g = {.scene = scene,
                       .group = group,
                       .grains = grains,
                       .report = report,
                       .random = scr_random_stream((uint64_t)head->seed, stream)};
    scree_status status = scr_grading_init(&g.grading, group) ? SCREE_OK : SCREE_E_MEMORY;
    if (!status) say_sizes(&g);
    if (!status) status = generate(&g);
    scr_grading_deinit(&g.grading);
    if (status == SCREE_E_MEMORY)
        scr_no_memory_in(report, scr_generator_place(&g, NULL).file, "the grains of bodies.%s", group->name);
    return status;
}
