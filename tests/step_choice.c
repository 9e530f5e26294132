/* The stepper of a run is chosen once, with what the run wants to know of it; and each brings what it reports. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/schema.h"
#include "check.h"
#include "run/simulation.h"
#include "step/equilibrium/rest.h"
#include "step/equilibrium/solids.h"
#include "step/report.h"

#define HEAD                                                               \
    "scree: 1\ndomain: {box: [[-1, -1, -1], [9, 9, 9]]}\ntime: {end: 1}\n" \
    "materials: {m: {density: 1000, young: 1e6, poisson: 0.2, restitution: 0.5, friction: 0.3}}\n"
#define GRAIN "bodies: {ball: {from: positions, material: m, radius: 0.1, positions: [[4, 4, 4]]}}\n"
#define BLOCK                                                                                      \
    "solids: {block: {mesh: block, box: [[0, 0, 0], [1, 1, 1]], cells: [2, 2, 2], material: m}}\n" \
    "patches: {base: {solids: [block], sides: [z-]}}\nsupports: {hold: {patch: base}}\n"           \
    "stepper: elastic\n"
#define WALL "walls: {floor: {shape: plane, point: [0, 0, -1], normal: [0, 0, 1], material: m}}\n"

static void choice(const char *text, bool statics, const char *name, scr_contact_treatment contacts, bool moves)
{
    scree_report report;
    scree_report_init(&report);
    scr_scene *scene = scr_scene_parse(text, "choice.yaml", scr_schema_get(), NULL, 0, &report);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.statics = statics;
    scree_simulation s = {0};
    CHECK(scene && !scr_simulation_build(scene, &def, &s, &report));
    scree_report_print(&report, stdout);
    if (s.step.stepper) {
        const scr_stepper_traits *t = &s.step.traits;
        CHECK_TEXT(s.step.stepper->variant.name, name);
        CHECK_INT(t->contacts, contacts); // in statics those of the scene's own stepper
        CHECK(t->load_steps == statics && t->moves_to_rest == moves);
        CHECK(t->holds_deep == (statics || contacts != SCR_CONTACTS_RESOLVED));
        CHECK((s.step.inner_dt > 0) == moves);
        CHECK(t->ports_every >= 1 && t->substeps >= 1 && *t->words);
    }
    scr_world_deinit(&s.world);
    scr_scene_destroy(scene);
    scree_report_deinit(&report);
}

static void test_choices(void)
{
    choice(HEAD GRAIN, false, "soft", SCR_CONTACTS_RESOLVED, false);
    choice(HEAD GRAIN "stepper: nonsmooth\n", false, "nonsmooth", SCR_CONTACTS_SOLVED, false);
    choice(HEAD GRAIN "stepper: variational\n", false, "variational", SCR_CONTACTS_IMPLICIT, false);
    choice(HEAD BLOCK, false, "elastic", SCR_CONTACTS_RESOLVED, false);
    choice(HEAD GRAIN, true, "rest", SCR_CONTACTS_RESOLVED, false);
    choice(HEAD BLOCK, true, "statics", SCR_CONTACTS_RESOLVED, false);
    // what can touch moves until it rests, unless the scene says newton
    choice(HEAD BLOCK WALL, true, "settle", SCR_CONTACTS_RESOLVED, true);
    choice(HEAD BLOCK GRAIN, true, "settle", SCR_CONTACTS_RESOLVED, true);
    choice(HEAD BLOCK WALL "statics: {method: newton}\n", true, "statics", SCR_CONTACTS_RESOLVED, false);
}

/* ---- reports ---- */

static bool reported(const scr_reported *rows, const char *name, size_t length)
{
    int found = 0;
    for (; rows->name; rows++) found += strlen(rows->name) == length && !strncmp(rows->name, name, length);
    return found == 1;
}

// numbers of a run that lines of every stepper may name
static bool general(const char *name, size_t length)
{
    static const char *const names[] = {"step", "bodies", "cells"};
    for (int k = 0; k < 3; k++)
        if (strlen(names[k]) == length && !strncmp(names[k], name, length)) return true;
    return false;
}

// the numbers of "NAME&!OTHER" are there
static void test_when(const scr_reported *rows, const char *when)
{
    while (*when) {
        when += *when == '!';
        size_t length = strcspn(when, "&");
        if (!general(when, length) && !reported(rows, when, length)) CHECK_TEXT(when, "a report");
        when += length + (when[length] == '&');
    }
}

// lines speak of numbers that there are, and no name stands for two
static void test_table(const scr_stepper *stepper)
{
    const scr_reported *rows = scr_reports_of(stepper);
    for (const scr_reported *r = rows; r->name; r++) {
        CHECK(reported(rows, r->name, strlen(r->name)));
        CHECK(r->offset < sizeof(scree_stats) && *r->doc);
    }
    for (const scr_report_line *l = stepper->lines; l && l->when; l++) {
        test_when(rows, l->when);
        for (const char *t = strchr(l->text, '{'); t; t = strchr(t + 1, '{')) {
            size_t length = strcspn(t + 1, "%/:}");
            if (!general(t + 1, length) && !reported(rows, t + 1, length)) CHECK_TEXT(t, "a report");
        }
    }
}

static void test_tables(void)
{
    for (int k = 0; scr_steppers[k]; k++) test_table(scr_steppers[k]);
    test_table(&scr_rest_stepper), test_table(&scr_statics_stepper), test_table(&scr_settle_stepper);
}

static void test_lines(void)
{
    scree_stats stats = {.all_sweeps = 1e6,
                         .sweeps = 150,
                         .residual = 1.23456e-3,
                         .worst_residual = 0.5,
                         .unconverged = 3,
                         .deepest = 0.0123456,
                         .deepest_time = 1.5};
    for (int k = 0; scr_steppers[k]; k++)
        if (!strcmp(scr_steppers[k]->variant.name, "nonsmooth")) stats.stepper = scr_steppers[k];
    char text[1024] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    scree_stats_print(&stats, out);
    fclose(out);
    CHECK_TEXT(text, "solver 150 sweeps, residual 0.00123 m/s, at most 0.5 m/s; 3 steps not "
                     "converged\noverlap at most 1.23 % of the smaller diameter, at 1.5 s\n");
}

// a column of the observer `solver` after some steps; NAN: this stepper has none of that name
static double column(const char *text, bool statics, int64_t steps, const char *name)
{
    scree_report report;
    scree_report_init(&report);
    scree_scene *scene = NULL;
    scree_simulation *s = NULL;
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.statics = statics;
    scree_status status = scree_scene_parse(text, "column.yaml", NULL, 0, &scene, &report);
    if (!status) status = scree_simulation_create(scene, &def, &s, &report);
    if (!status) status = scree_simulation_advance(s, steps, &report);
    CHECK_INT(status, SCREE_OK);
    if (status) scree_report_print(&report, stdout);
    double *values = NULL, value = NAN;
    int count = 0;
    if (!status && !scree_simulation_observe(s, "how", name, &values, &count, &report)) value = values[0];
    free(values);
    scree_simulation_destroy(s);
    scree_scene_close(scene);
    scree_report_deinit(&report);
    return value;
}

#define FALLEN                                                 \
    "gravity: [0, 0, -10]\nobservers: {how: {type: solver}}\n" \
    "bodies: {ball: {from: positions, material: m, radius: 0.1, positions: [[4, 4, -0.9]]}}\n"

// each has its own numbers, and none of the others
static void test_columns(void)
{
    const char *nonsmooth = HEAD WALL FALLEN "stepper: nonsmooth\n";
    const char *rest = HEAD WALL FALLEN "statics: {steps: 2}\n";
    CHECK_NEAR(column(nonsmooth, false, 20, "contacts"), 1, 0);
    CHECK_NEAR(column(nonsmooth, false, 20, "solved"), 1, 0);
    CHECK(column(nonsmooth, false, 20, "sweeps") > 0);
    CHECK(isnan(column(nonsmooth, false, 1, "load")) && isnan(column(nonsmooth, false, 1, "inner")));
    CHECK_NEAR(column(rest, true, 1, "load"), 0.5, 0);
    CHECK_NEAR(column(rest, true, 2, "load"), 1, 0);
    CHECK(column(rest, true, 2, "iterations") > 0 && column(rest, true, 2, "unknowns") > 0);
    CHECK(isnan(column(rest, true, 1, "merged")));
}

int main(void)
{
    test_choices();
    test_columns();
    test_tables();
    test_lines();
    return check_done();
}
