/* All steppers, and the choice among them: it is made here, once. A new one adds its line here and its folder beside
 * soft/. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "step/elastic/elastic.h"
#include "step/equilibrium/rest.h"
#include "step/equilibrium/solids.h"
#include "step/nonsmooth/nonsmooth.h"
#include "step/report.h"
#include "step/soft/soft.h"
#include "step/stepper.h"
#include "step/variational/variational.h"

const scr_stepper *const scr_steppers[] = {&scr_soft_stepper, &scr_nonsmooth_stepper, &scr_elastic_stepper,
                                           &scr_variational_stepper, NULL};

static const scr_stepper *find(const char *name)
{
    for (int k = 0; scr_steppers[k]; k++)
        if (!strcmp(scr_steppers[k]->variant.name, name)) return scr_steppers[k];
    return NULL;
}

scr_step scr_step_choose(const scr_scene *scene, bool statics)
{
    const scr_item *item = &scr_scene_items(scene, "stepper")->items[0];
    scr_step s = {.stepper = find(item->variant->name),
                  .def = item->variant_def,
                  .scene_def = item->variant_def,
                  .traits = {.substeps = 1, .ports_every = 1},
                  .last = {.statics = {.lowest = NAN}}};
    s.stepper->traits(s.def, &s.traits);
    if (!statics) return s;
    bool solids = scr_scene_items(scene, "solids")->count > 0;
    s.stepper = solids ? &scr_statics_stepper : &scr_rest_stepper;
    s.def = scr_scene_def(scene, "statics");
    s.stepper->traits(s.def, &s.traits);
    return s;
}

void scr_step_meet(scr_step *s, const scr_scene *scene, scree_report *report)
{
    const scr_stepper *other = s->stepper->instead ? s->stepper->instead(s->def, s->world) : NULL;
    if (!other) return;
    s->stepper = other;
    s->stepper->traits(s->def, &s->traits);
    if (s->stepper->check) s->stepper->check(scene, &scr_scene_items(scene, "stepper")->items[0], report);
}

static void write_reports(const scr_stepper *stepper, const char *title, FILE *out)
{
    if (!stepper->reports) return;
    fprintf(out, "\n### Reports of %s\n\n| name | unit | what |\n|---|---|---|\n", title);
    for (const scr_reported *r = stepper->reports; r->name; r++)
        fprintf(out, "| `%s`%s | %s | %s |\n", r->name, r->column ? "" : " *", *r->unit ? r->unit : "-", r->doc);
}

void scr_reports_write(FILE *out)
{
    fprintf(out, "\n## What integrators report\n\nColumns of the observer `solver`, which runs by "
                 "default with these integrators, and members of `scree_stats`; those with * of "
                 "the latter only.\n");
    for (int k = 0; scr_steppers[k]; k++) {
        char title[64];
        snprintf(title, sizeof title, "`%s`", scr_steppers[k]->variant.name);
        write_reports(scr_steppers[k], title, out);
    }
    write_reports(&scr_statics_stepper, "`scree equilibrate` for elastic solids", out);
    write_reports(&scr_rest_stepper, "`scree equilibrate` for grains", out);
}
