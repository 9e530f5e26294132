/* All steppers. A new one adds its line here and its folder beside soft/. */
#include <stdio.h>
#include <string.h>

#include "step/elastic/elastic.h"
#include "step/nonsmooth/nonsmooth.h"
#include "step/soft/soft.h"
#include "step/stepper.h"
#include "step/variational/variational.h"

const scr_stepper *const scr_steppers[] = {&scr_soft_stepper, &scr_nonsmooth_stepper,
                                           &scr_elastic_stepper, &scr_variational_stepper, NULL};

const scr_stepper *scr_stepper_find(const char *name)
{
    for (int k = 0; scr_steppers[k]; k++)
        if (!strcmp(scr_steppers[k]->variant.name, name)) return scr_steppers[k];
    return NULL;
}

const scr_stepper *scr_stepper_of(const scr_scene *scene)
{
    return scr_stepper_find(scr_scene_items(scene, "stepper")->items[0].variant->name);
}

scr_stepper_traits scr_stepper_traits_of(const scr_scene *scene)
{
    const scr_stepper *stepper = scr_stepper_of(scene);
    scr_stepper_traits plain = {.parts = 1};
    snprintf(plain.words, sizeof plain.words, "stepper %s", stepper->variant.name);
    if (!stepper->traits) return plain;
    return stepper->traits(scr_scene_items(scene, "stepper")->items[0].variant_def);
}
