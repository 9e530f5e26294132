#include "build/schema.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "observe/cell_views.h"
#include "observe/observer.h"
#include "scene/scene.h"
#include "step/equilibrium/statics.h"
#include "step/stepper.h"
#include "world/bodies.h"

#define MANY 32

/* Tables of other folders, put together once, whichever thread is first. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static scr_section output;
static const scr_variant *steppers[MANY], *observers[MANY];

static void add_word(char *words, size_t size, const char *word)
{
    snprintf(words + strlen(words), size - strlen(words), "%s%s", *words ? " " : "", word);
}

// the section `output` with the views of grains and of cells as the words that `fields` may hold: they belong to
// world/ and observe/
static void fill_output(void)
{
    static scr_param params[MANY];
    static char words[512];
    output = scr_section_output;
    output.params = params;
    for (const scr_view *v = scr_body_views; v->name; v++) add_word(words, sizeof words, v->name);
    for (const scr_cell_view *v = scr_cell_views; v->name; v++)
        if (!scr_body_view(v->name)) add_word(words, sizeof words, v->name);
    for (int k = 0; k < MANY - 1 && scr_section_output.params[k].name; k++) {
        params[k] = scr_section_output.params[k];
        if (!strcmp(params[k].name, "fields")) params[k].allowed = words;
    }
}

static void fill(void)
{
    fill_output();
    for (int k = 0; scr_steppers[k] && k < MANY - 1; k++) steppers[k] = &scr_steppers[k]->variant;
    for (int k = 0; scr_observers[k] && k < MANY - 1; k++) observers[k] = &scr_observers[k]->variant;
}

const scr_schema *scr_schema_get(void)
{
    static const scr_param no_params[] = {{0}};
    static const scr_param observer_params[] = {{"every", NULL, SCR_REAL, "s", "auto", "> 0 | auto",
                                                 offsetof(scr_observer_def, every),
                                                 "Time between two rows; auto: as often as frames.", NULL},
                                                {0}};
    static const scr_section stepper = {
        .name = "stepper",
        .doc = "The time integrator. Keys of other integrators are ignored with a warning, so that "
               "the same scene runs with any of them.",
        .forgiving = true,
        .params = no_params,
        .selector = "type",
        .selector_fallback = "soft",
        .variants = steppers,
    };
    static const scr_section observer = {
        .name = "observers",
        .doc = "Measurements taken during the run: each writes a time series to the results.",
        .named = true,
        .params = observer_params,
        .size = sizeof(scr_observer_def),
        .selector = "type",
        .variants = observers,
    };
    static const scr_section *const sections[] = {&scr_section_head,
                                                  &scr_section_values,
                                                  &scr_section_domain,
                                                  &scr_section_materials,
                                                  &scr_section_contacts,
                                                  &scr_section_bodies,
                                                  &scr_section_bonds,
                                                  &scr_section_walls,
                                                  &scr_section_parts,
                                                  &scr_section_joints,
                                                  &scr_section_solids,
                                                  &scr_section_patches,
                                                  &scr_section_supports,
                                                  &scr_section_loads,
                                                  &scr_section_sponges,
                                                  &scr_section_outlets,
                                                  &scr_section_resolved,
                                                  &stepper,
                                                  &scr_section_time,
                                                  &scr_section_stages,
                                                  &scr_section_statics,
                                                  &output,
                                                  &observer,
                                                  NULL};
    static const scr_schema schema = {sections};

    pthread_once(&once, fill);
    return &schema;
}
