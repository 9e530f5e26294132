/* A schema for tests of scene/: its own sections, a stepper and observers that stand in for the
 * real ones, and a few words to read scenes from text and to look at messages. */
#ifndef SCREE_TESTS_SCENE_FAKE_H
#define SCREE_TESTS_SCENE_FAKE_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scene/scene.h"

typedef struct {
    int scheme;
} fake_soft_def;

static const scr_param fake_none[] = {{0}};
static const scr_param fake_soft_params[] = {{"scheme", NULL, SCR_CHOICE, NULL, "improved", "improved standard",
                                              offsetof(fake_soft_def, scheme), "Order of the position update.", NULL},
                                             {0}};
static const scr_variant fake_soft = {"soft", "Soft spheres.", fake_soft_params, sizeof(fake_soft_def)};
static const scr_variant *const fake_steppers[] = {&fake_soft, NULL};
static const scr_section fake_stepper = {.name = "stepper",
                                         .doc = "How time is stepped.",
                                         .params = fake_none,
                                         .size = 0,
                                         .selector = "type",
                                         .selector_fallback = "soft",
                                         .variants = fake_steppers};

static const scr_param fake_observer_params[] = {{"every", NULL, SCR_REAL, "s", "auto", "> 0 | auto",
                                                  offsetof(scr_observer_def, every), "Time between two records.", NULL},
                                                 {0}};
static const scr_variant fake_ledger = {"ledger", "Energies.", NULL, 0};
static const scr_variant fake_bonds = {"bonds", "Bonds.", NULL, 0};
static const scr_variant *const fake_observers[] = {&fake_ledger, &fake_bonds, NULL};
static const scr_section fake_observer = {.name = "observers",
                                          .doc = "What is recorded, by name.",
                                          .named = true,
                                          .params = fake_observer_params,
                                          .size = sizeof(scr_observer_def),
                                          .selector = "type",
                                          .variants = fake_observers};

static const scr_section *const fake_sections[] = {&scr_section_head,
                                                   &scr_section_domain,
                                                   &scr_section_materials,
                                                   &scr_section_contacts,
                                                   &scr_section_bodies,
                                                   &scr_section_bonds,
                                                   &scr_section_walls,
                                                   &scr_section_outlets,
                                                   &fake_stepper,
                                                   &scr_section_time,
                                                   &scr_section_output,
                                                   &fake_observer,
                                                   NULL};
static const scr_schema fake_schema = {fake_sections};

static inline scr_scene *fake_read(const char *text, scree_report *report)
{
    scree_report_init(report);
    return scr_scene_parse(text, "test.yaml", &fake_schema, NULL, 0, report);
}

/* All messages as they would be printed; the caller frees it. */
static inline char *fake_messages(scree_report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    scree_report_print(report, out);
    fclose(out);
    return text;
}

/* Reads a scene that must fail with exactly these messages. */
#define CHECK_MESSAGES(text, wanted)                                             \
    do {                                                                         \
        scree_report fake_report;                                                \
        scr_scene *fake_scene = fake_read(text, &fake_report);                   \
        char *fake_text = fake_messages(&fake_report);                           \
        CHECK(!fake_scene);                                                      \
        int fake_same = !strcmp(fake_text, wanted);                              \
        check_report(fake_same, __FILE__, __LINE__, "messages are as expected"); \
        if (!fake_same) printf("got:\n%sexpected:\n%s", fake_text, wanted);      \
        free(fake_text);                                                         \
        scr_scene_destroy(fake_scene);                                           \
        scree_report_deinit(&fake_report);                                       \
    } while (0)

#define FAKE_SCENE                                                      \
    "scree: 1\n"                                                        \
    "domain: {box: [[0, 0, 0], [1, 1, 1]]}\n"                           \
    "materials: {glass: {density: 2500}}\n"                             \
    "bodies: {grains: {from: lattice, material: glass, radius: 0.1}}\n" \
    "time: {end: 1}\n"

#endif
