/* `values` and expressions in scenes, and settings that change them. */
#include "build/schema.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define REST                                                                                      \
    "domain: {box: [[0, 0, 0], [=4*R, 1, 1]]}\n"                                                  \
    "materials: {glass: {density: =rho}}\n"                                                       \
    "contacts: {any: {stiffness: 1000}}\n"                                                        \
    "bodies:\n"                                                                                   \
    "  a: {from: positions, material: glass, radius: =R/ratio, position: [=R, \"=hypot(R, R)\", " \
    "0]}\n"                                                                                       \
    "time: {end: 1}\n"

static scr_scene *parse(const char *values, const scr_setting *settings, int count, scree_report *report)
{
    char text[2000];
    snprintf(text, sizeof text, "scree: 1\n%s%s", values, REST);
    scree_report_init(report);
    return scr_scene_parse(text, "test.yaml", scr_schema_get(), settings, count, report);
}

static void test_good(void)
{
    scree_report report;
    scr_setting change = {"values.ratio", "20"};
    for (int k = 0; k < 2; k++) {
        scr_scene *s = parse("values: {R: 2 mm, ratio: 4, rho: =2000*(R == 0.002) + 500}\n", &change, k, &report);
        scree_report_print(&report, stdout);
        CHECK(s != NULL);
        if (!s) continue;
        const scr_item *a = scr_scene_find(s, "bodies", "a");
        const scr_bodies_def *def = a->def;
        const scr_bodies_positions_def *point = a->variant_def;
        CHECK_NEAR(def->radius[0], k ? 0.0001 : 0.0005, 1e-19);
        CHECK(def->radius[1] == def->radius[0]);
        CHECK(point->positions.rows[0] == 0.002 && point->positions.rows[1] == hypot(0.002, 0.002));
        const scr_material_def *glass = scr_scene_find(s, "materials", "glass")->def;
        CHECK(glass->density == 2500);
        double value = 0;
        CHECK(scr_scene_value(s, "ratio", &value) && value == (k ? 20 : 4));
        CHECK(!scr_scene_value(s, "mass", &value));
        scr_scene_destroy(s);
        scree_report_deinit(&report);
    }
}

static void refused(const char *values, const scr_setting *setting, const char *message)
{
    scree_report report;
    scr_scene *s = parse(values, setting, setting != NULL, &report);
    CHECK(s == NULL);
    bool found = false;
    for (int k = 0; k < report.count; k++) found |= strstr(report.messages[k].text, message) != NULL;
    CHECK(found);
    if (!found) {
        printf("no '%s' in\n", message);
        scree_report_print(&report, stdout);
    }
    scr_scene_destroy(s);
    scree_report_deinit(&report);
}

static void test_refused(void)
{
    refused("values: {R: 1, ratio: 4, rh: 1}\n", NULL, "'rho' is not defined under values, did you mean 'rh'?");
    refused("", NULL, "'R' is not defined under values");
    refused("values: {R: 1 mm, ratio: 0, rho: 1}\n", NULL, "not a finite number");
    refused("values: {R: =ratio, ratio: 4, rho: 1}\n", NULL, "'ratio' is not defined under values");
    refused("values: {R: 2 lightyears, ratio: 4, rho: 1}\n", NULL, "lightyears");
    refused("values: {R: two, ratio: 4, rho: 1}\n", NULL, "must be a number");
    refused("values: {R: =(1, ratio: 4, rho: 1}\n", NULL, "')' is missing");
    refused("values: {R: [1, 2], ratio: 4, rho: 1}\n", NULL, "must be one value");
    refused("values: {R: 1, pi: 3, ratio: 4, rho: 1}\n", NULL, "cannot name a value");
    refused("values: 7\n", NULL, "must be a mapping of names");
    scr_setting wrong = {"values.ration", "3"};
    refused("values: {R: 1 mm, ratio: 4, rho: 1}\n", &wrong,
            "there is no 'ration' under values, did you mean 'ratio'?");
    // what an expression leaves empty is not checked further
    scr_setting sizes = {"bodies.a", "{from: lattice, material: glass, spacing: 1, region: {shape: box, "
                                     "box: [[0, 0, 0], [1, 1, 1]]}, sizes: {distribution: table, "
                                     "table: [[=none, 1]]}}"};
    refused("values: {R: 1 mm, ratio: 4, rho: 1}\n", &sizes, "'none' is not defined under values");
}

int main(void)
{
    test_good();
    test_refused();
    return check_done();
}
