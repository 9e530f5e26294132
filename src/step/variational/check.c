/* What a user may say about the variational stepper, and what of a scene it cannot do. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "step/variational/variational.h"

#define AT(member) offsetof(scr_variational_def, member)

const scr_param scr_variational_params[] = {
    {"order", NULL, SCR_INT, NULL, "2", "[1, 2]", AT(order),
     "2: elastic forces of the stage, solved for. 1: of the start of the step (the integrator of De Klerk et al. 2022 "
     "with alpha = 0); it needs steps as short as an explicit one.",
     NULL},
    {"theta", NULL, SCR_REAL, "", "auto", "[0.5, 1] | auto", AT(theta),
     "Where the stage is in the step: 0.5 is the midpoint rule, of second order and without "
     "numerical dissipation; 1 is backward Euler, for slow processes with steps far longer than a "
     "contact. auto: 0.5.",
     NULL},
    {"tolerance", NULL, SCR_REAL, "", "auto", "(0, 0.1] | auto", AT(tolerance),
     "Tolerance of the unbalanced forces, relative to weights and momenta over the stage. auto: 1e-11, and "
     "1e-14 with energy: exact. In slow processes 0.05 may suffice: what one step leaves unbalanced, the next one "
     "takes up.",
     NULL},
    {"iterations", NULL, SCR_INT, NULL, "60", ">= 1", AT(iterations),
     "Most Newton iterations in a step; a step that needs more is halved.", NULL},
    {"friction_passes", NULL, SCR_INT, NULL, "1", "[1, 20]", AT(friction_passes),
     "Number of solutions of a step, each with friction limits from the normal forces of the previous one; 1: limits "
     "from the previous step.",
     NULL},
    {"energy", NULL, SCR_CHOICE, NULL, "stage", "stage exact", AT(energy),
     "stage: elastic forces are those of the stage. exact: a discrete gradient, so that contacts and bonds conserve "
     "energy at any step size; requires theta 0.5, and planes and boxes as walls.",
     NULL},
    {"halvings", NULL, SCR_INT, NULL, "10", "[0, 40]", AT(halvings),
     "A step is divided into at most 2^halvings sub-steps, where it does not converge or where `motion` requires it.",
     NULL},
    {"motion", NULL, SCR_REAL, "", "auto", "> 0 | auto none", AT(motion),
     "How far grains may move in a sub-step, as a fraction of the smallest radius: steps are divided accordingly, and "
     "one in which a grain moves twice as far is repeated in halves. auto: "
     "0.04 where time.step is auto, else none.",
     NULL},
    {"step_least", NULL, SCR_REAL, "s", "auto", "> 0 | auto", AT(step_least),
     "Shortest sub-step. auto: the time step over 2 to the power of "
     "`halvings`.",
     NULL},
    {"step_most", NULL, SCR_REAL, "s", "auto", "> 0 | auto", AT(step_most),
     "The longest step, where time.step is auto (otherwise time.step is). With theta above 0.5 it is the step wherever "
     "grains move little; otherwise `motion` alone limits it. auto: contacts are resolved with theta 0.5, else "
     "0.14 sqrt(d/g) of the smallest grain, or the time in which it moves by its radius at the expected speed.",
     NULL},
    {"skin", NULL, SCR_REAL, "m", "auto", "> 0 | auto", AT(skin),
     "Skin of the neighbour list, as for the integrator soft. auto: a sixteenth of the smallest diameter.", NULL},
    {0},
};

void scr_variational_traits(const void *variational, scr_stepper_traits *t)
{
    const scr_variational_def *def = variational;
    double theta = isnan(def->theta) ? 0.5 : def->theta;
    // contacts are damped until they part: their force may attract at the end
    t->contacts = SCR_CONTACTS_IMPLICIT;
    t->lists = true, t->skin = def->skin;
    t->pulls = t->holds_deep = t->deforms = true;
    t->least = isnan(def->step_least) ? 0 : def->step_least;
    t->most = def->step_most;
    t->resolves = def->order == 1 ? 40 : theta == 0.5 ? 20 : 0;
    if (def->order == 1)
        snprintf(t->words, sizeof t->words, "order 1, elastic forces of the start");
    else
        snprintf(t->words, sizeof t->words, "theta %g%s", theta,
                 theta == 0.5 ? ", midpoint"
                 : theta == 1 ? ", backward Euler"
                              : "");
}

static void refuse(const scr_scene *scene, const scr_item *item, const char *section, const char *key, const char *what,
                   scree_report *report)
{
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key),
             "%s.%s%s%s: the integrator variational does not support %s; leave it out, or use the integrator nonsmooth",
             section, item->name, key ? "." : "", key ? key : "", what);
}

const scr_law_word *scr_variational_refuses(const scr_world *w, int a, int b, const char **why)
{
    *why =
        "has no potential, so the integrator variational does not support it; leave it out, or use the integrator soft";
    return scr_law_lacks(scr_world_law(w, a, b), SCR_WORD_POTENTIAL);
}

// forces that keep the energy need start, middle and end of the step, and distances that are those of points or planes
static void check_exact(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_variational_def *def = item->variant_def;
    scree_place at = scr_item_place(scene, item, "energy");
    if (def->order == 1)
        scr_fail(report, SCREE_E_INPUT, at, "stepper.energy is exact, which needs order: 2, but stepper.order is 1");
    if (!isnan(def->theta) && def->theta != 0.5)
        scr_fail(report, SCREE_E_INPUT, at, "stepper.energy is exact, which needs theta: 0.5, but stepper.theta is %g",
                 def->theta);
    const scr_items *walls = scr_scene_items(scene, "walls");
    for (int k = 0; k < walls->count; k++) {
        const char *shape = walls->items[k].variant->name;
        if (strcmp(shape, "plane") != 0 && strcmp(shape, "box") != 0)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &walls->items[k], "shape"),
                     "walls.%s.shape is %s, but stepper.energy: exact supports only plane and box; use these, or "
                     "energy: stage",
                     walls->items[k].name, shape);
    }
}

static void check_bounds(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_variational_def *def = item->variant_def;
    const scr_time_def *time = scr_scene_def(scene, "time");
    // comparisons with what was not given are false
    if (!isnan(def->step_most) && !isnan(time->step))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "step_most"),
                 "stepper.step_most is %g s, but time.step is given, %g s, and is the longest step: "
                 "leave one of the two out",
                 def->step_most, time->step);
    if (def->step_least > def->step_most)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "step_least"),
                 "stepper.step_least is %g s, must not be above stepper.step_most, %g s", def->step_least,
                 def->step_most);
    if (def->step_least > time->step)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "step_least"),
                 "stepper.step_least is %g s, must not be above time.step, %g s", def->step_least, time->step);
}

void scr_variational_check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_variational_def *def = item->variant_def;
    scr_variational_refuse(scene, report);
    if (def->order == 1 && !isnan(def->theta))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "theta"),
                 "stepper.theta is %g, but with order: 1 elastic forces are those of the start of "
                 "the step: leave one of the two out",
                 def->theta);
    if (def->energy == SCR_ENERGY_EXACT) check_exact(scene, item, report);
    const scr_items *bonds = scr_scene_items(scene, "bonds");
    if (bonds->count && ((const scr_domain_def *)scr_scene_def(scene, "domain"))->deform.def)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &bonds->items[0], NULL),
                 "bonds.%s cannot be used with domain.deform and the integrator variational, which has no bonds across "
                 "sides of the domain; use the integrator soft",
                 bonds->items[0].name);
    check_bounds(scene, item, report);
}

void scr_variational_refuse(const scr_scene *scene, scree_report *report)
{
    static const char *const sections[] = {"parts", "joints"};
    for (int s = 0; s < 2; s++) {
        const scr_items *items = scr_scene_items(scene, sections[s]);
        for (int k = 0; k < items->count; k++) refuse(scene, &items->items[k], sections[s], NULL, sections[s], report);
    }
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int k = 0; k < groups->count; k++)
        if (((const scr_bodies_def *)groups->items[k].def)->clump.def)
            refuse(scene, &groups->items[k], "bodies", "clump", "clumps", report);
}
