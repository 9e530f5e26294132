/* Inlets and outlets of a scene, into the world. */
#include "build/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "build/origin.h"
#include "build/rigids.h"
#include "scene/grading.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "inlets and outlets");
}

// grains appear inside the domain
static void check_region(const scr_world *w, const scr_scene *scene, const scr_item *item, const scr_region *region,
                         scree_report *report)
{
    const scr_bodies_inlet_def *def = item->variant_def;
    for (int k = 0; k < 3; k++) {
        double low = (&region->low.x)[k], high = (&region->high.x)[k];
        double first = (&w->domain.lower.x)[k], last = (&w->domain.upper.x)[k];
        if (w->domain.periodic[k] || (low >= first && high <= last)) continue;
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &def->region, NULL),
                 "the region of bodies.%s reaches from %g to %g m along %c, outside the domain, %g "
                 "to %g m",
                 item->name, low, high, "xyz"[k], first, last);
        return;
    }
}

static scree_status add_inlet(scr_world *w, const scr_scene *scene, int group, scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "bodies")->items[group];
    const scr_bodies_inlet_def *def = item->variant_def;
    const scr_bodies_def *bodies = item->def;
    scr_inlet *inlet = &w->inlets[w->inlet_count++];
    scr_region region;
    *inlet = (scr_inlet){.name = strdup(item->name), .group = group, .speed = v3_norm(bodies->velocity) + def->spread};
    inlet->time = w->clock.time;
    if (!inlet->name) return no_memory(report);
    scr_grading_bounds(item, inlet->radius);
    scr_clump_form form;
    if (!scr_clump_form_of(&form, scene, item)) return no_memory(report);
    scr_random unused = scr_random_stream(0, 0);
    vec3 point;
    if (!scr_region_init(&region, scene, &def->region))
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &def->region, NULL),
                        "the region of bodies.%s has no volume, or is too large", item->name);
    if (!scr_region_point(&region, inlet->radius[1], &unused, &point))
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &def->region, NULL),
                        "the largest grain of bodies.%s, of radius %g m, does not fit into the "
                        "region",
                        item->name, inlet->radius[1]);
    check_region(w, scene, item, &region, report);
    inlet->radius[0] *= form.smallest; // bodies are the spheres of clumps
    return SCREE_OK;
}

// the direction into the side that is emptied; zero: the plane has no side like that
static vec3 outlet_direction(const scr_item *item)
{
    const scr_outlet_plane_def *def = item->variant_def;
    if (def->side == SCR_SIDE_NORMAL) return def->normal;
    double axis[3] = {0, 0, 0};
    if (def->side < SCR_SIDE_AXES)
        axis[2] = def->side == SCR_SIDE_BELOW ? -1 : 1;
    else
        axis[(def->side - SCR_SIDE_AXES) / 2] = (def->side - SCR_SIDE_AXES) % 2 ? 1 : -1;
    if (!scr_item_has(item, "normal")) return v3_load(axis);
    double along = v3_dot(v3_load(axis), def->normal);
    if (fabs(along) < 1e-9 * v3_norm(def->normal)) return v3(0, 0, 0);
    return v3_scale(along > 0 ? 1 : -1, def->normal);
}

static scree_status add_outlet(scr_world *w, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_outlet_def *def = item->def;
    double origin = scr_origin(w, scene, "outlets", item->name);
    scr_outlet *outlet = &w->outlets[w->outlet_count++];
    *outlet = (scr_outlet){.name = strdup(item->name),
                           .start = def->start + origin,
                           .until = isnan(def->until) ? INFINITY : def->until + origin};
    if (!outlet->name) return no_memory(report);
    if (!strcmp(item->variant->name, "plane")) {
        const scr_outlet_plane_def *plane = item->variant_def;
        vec3 n = plane->normal, out = outlet_direction(item);
        if (v3_dot(out, out) == 0)
            return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "side"),
                            "outlets.%s.side: a plane of normal (%g, %g, %g) has no such side, it "
                            "is parallel to that axis",
                            item->name, n.x, n.y, n.z);
        outlet->region = scr_region_beyond(plane->point, out);
    } else if (!scr_region_init(&outlet->region, scene, item)) {
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, NULL),
                        "outlets.%s has no volume, or is too large", item->name);
    }
    return SCREE_OK;
}

scree_status scr_build_ports(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *groups = scr_scene_items(scene, "bodies");
    const scr_items *outlets = scr_scene_items(scene, "outlets");
    int errors = report->errors;
    w->inlets = calloc((size_t)groups->count + 1, sizeof *w->inlets);
    w->outlets = calloc((size_t)outlets->count + 1, sizeof *w->outlets);
    scree_status status = w->inlets && w->outlets ? SCREE_OK : no_memory(report);
    for (int k = 0; k < groups->count && status != SCREE_E_MEMORY; k++)
        if (!strcmp(groups->items[k].variant->name, "inlet")) status = add_inlet(w, scene, k, report);
    for (int k = 0; k < outlets->count && status != SCREE_E_MEMORY; k++)
        status = add_outlet(w, scene, &outlets->items[k], report);
    return status ? status : report->errors > errors ? SCREE_E_INPUT : SCREE_OK;
}
