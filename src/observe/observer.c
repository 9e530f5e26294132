/* What observers share: their columns, and the keys that several of them have. */
#include "observe/observer.h"

#include <string.h>

#include "step/report.h"

bool scr_observer_needs_contacts(const scr_observer *observer, const void *def)
{
    return observer->needs_contacts && observer->needs_contacts(def);
}

// in any stage: the series of a run are the same in all of them
static bool deforms_sometime(const scr_scene *scene)
{
    int count = scr_scene_stage_count(scene);
    bool deforms = ((const scr_domain_def *)scr_scene_def(scene, "domain"))->deform.def;
    for (int k = 0; k < count; k++)
        deforms |= ((const scr_domain_def *)scr_scene_def(scr_scene_stage(scene, k), "domain"))->deform.def != NULL;
    return deforms;
}

bool scr_observers_need_contacts(const scr_scene *scene)
{
    const scr_items *items = scr_scene_items(scene, "observers");
    for (int k = 0; k < items->count; k++)
        if (scr_observer_needs_contacts(scr_observer_find(items->items[k].variant->name), items->items[k].variant_def))
            return true;
    return deforms_sometime(scene); // there is an observer of the box
}

static bool add_reports(const scr_stepper *stepper, scr_series *series)
{
    for (const scr_reported *r = scr_reports_of(stepper); r->name; r++)
        if (r->column && !scr_series_column_add(series, &(scr_column){r->name, r->unit, r->doc}, false)) return false;
    return true;
}

/* In runs with stages. */
static const scr_column stage_column = {"stage", "", "number of the stage, from 1"};

bool scr_observer_layout(const scr_observer *observer, const scr_step *step, const void *def, const char *name,
                         scr_series *series)
{
    return scr_series_init(series, name, observer->variant.name, observer->columns) &&
           (!observer->layout || observer->layout(step->world, def, series)) &&
           (!observer->tells_stage || !step->world->stage_count ||
            scr_series_column_add(series, &stage_column, false)) &&
           (!observer->reports || add_reports(step->stepper, series));
}

static bool reports(const scr_scene *scene, bool statics, const char *column)
{
    scr_step step = scr_step_choose(scene, statics);
    for (const scr_reported *r = scr_reports_of(step.stepper); r->name; r++)
        if (r->column && !strcmp(r->name, column)) return true;
    return false;
}

bool scr_observer_may_have(const scr_observer *observer, const scr_scene *scene, const char *column)
{
    for (const scr_column *c = observer->columns; c && c->name; c++)
        if (!strcmp(c->name, column)) return true;
    if (observer->tells_stage && scr_scene_stage_count(scene) && !strcmp(column, stage_column.name)) return true;
    if (observer->reports && (reports(scene, false, column) || reports(scene, true, column))) return true;
    return observer->layout;
}

// under its own name, or another if someone has that
static scr_observed implied(const scr_scene *scene, const char *type, const char *other)
{
    return (scr_observed){scr_observer_find(type), scr_scene_find(scene, "observers", type) ? other : type, NULL, NULL};
}

int scr_observed_list(const scr_scene *scene, const scr_step *step, scr_observed *list)
{
    const scr_items *items = scr_scene_items(scene, "observers");
    bool ledger = false, solver = !step->stepper->reports, box = !deforms_sometime(scene);
    int count = 0;
    for (int k = 0; k < items->count; k++) {
        const scr_item *item = &items->items[k];
        ledger |= !strcmp(item->variant->name, "ledger");
        solver |= !strcmp(item->variant->name, "solver");
        box |= !strcmp(item->variant->name, "box");
        list[count++] = (scr_observed){scr_observer_find(item->variant->name), item->name, item->variant_def, item};
    }
    if (!ledger) list[count++] = implied(scene, "ledger", "energy_ledger");
    if (!solver) list[count++] = implied(scene, "solver", "contact_solver");
    if (!box) list[count++] = implied(scene, "box", "deformed_box");
    return count;
}

int scr_observer_group(const scr_world *world, const char *group)
{
    if (!group) return -1;
    for (int k = 0; k < world->group_count; k++)
        if (!strcmp(world->groups[k].name, group)) return k;
    return -1;
}

void scr_observer_check_group(const scr_world *world, const scr_scene *scene, const scr_item *item, const char *group,
                              scree_report *report)
{
    if (!group || scr_observer_group(world, group) >= 0) return;
    scr_nearest nearest = {.wanted = group};
    for (int k = 0; k < world->group_count; k++) scr_nearest_offer(&nearest, world->groups[k].name);
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "group"),
             "observers.%s.group is '%.60s', which is not a group of bodies%s%s%s", item->name, group,
             nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

// absent: two corners in one place
static bool box_is_given(const vec3 box[2])
{
    return box[0].x < box[1].x;
}

void scr_observer_box(const scr_world *world, const vec3 *box, vec3 *lower, vec3 *upper)
{
    *lower = box_is_given(box) ? box[0] : world->domain.lower;
    *upper = box_is_given(box) ? box[1] : world->domain.upper;
}

void scr_observer_check_box(const scr_world *world, const scr_scene *scene, const scr_item *item, const vec3 box[2],
                            scree_report *report)
{
    if (!box_is_given(box)) return;
    const double *low = &box[0].x, *high = &box[1].x;
    const double *lower = &world->domain.lower.x, *upper = &world->domain.upper.x;
    for (int d = 0; d < 3; d++) {
        double slack = 1e-9 * (upper[d] - lower[d]);
        if (low[d] >= lower[d] - slack && high[d] <= upper[d] + slack) continue;
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "box"),
                 "observers.%s.box runs from %g to %g m along %c, it must lie in the domain, %g to "
                 "%g m",
                 item->name, low[d], high[d], "xyz"[d], lower[d], upper[d]);
    }
}

vec3 scr_observer_up(const scr_world *world, vec3 given)
{
    if (v3_dot(given, given) > 0) return v3_unit(given);
    if (v3_dot(world->gravity, world->gravity) > 0) return v3_unit(v3_scale(-1, world->gravity));
    return v3(0, 0, 1);
}
