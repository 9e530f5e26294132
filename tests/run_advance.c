/* Steps in one go are the same as one by one: the state, what passed through planes in each step, grains that come and
 * leave in between; for all steppers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scree/scree.h"

#define HEAD                                                                                     \
    "scree: 1\ndomain: {box: [[0, 0, 0], [0.2, 0.2, 0.4]], boundary: delete}\n"                  \
    "gravity: [0, 0, -9.81]\nmaterials: {m: {density: 2500, restitution: 0.5, friction: 0.4}}\n" \
    "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}}\n"         \
    "contacts: {any: {stiffness: 1e4}}\n"
#define GRAINS                                                                                    \
    "  heap: {from: lattice, material: m, radius: 0.01, region: {shape: box, box: [[0.05, 0.05, " \
    "0.05], [0.15, 0.15, 0.12]]}}\n"
#define PLANE "observers: {gate: {type: flow, point: [0, 0, 0.06], normal: [0, 0, -1]}}\n"

typedef struct {
    uint64_t digest;
    double count, z; // that passed, and where they were after that step
    int64_t bodies, step;
} state;

static double observed(scree_simulation *s, const char *column, scree_report *report)
{
    double *values = NULL, value = NAN;
    int count;
    if (!scree_simulation_observe(s, "gate", column, &values, &count, report)) value = values[0];
    free(values);
    return value;
}

// `steps` in strides of so many, the next one longer
static state run(const char *text, int64_t steps, int64_t stride)
{
    scree_report report;
    scree_report_init(&report);
    scree_scene *scene = NULL;
    scree_simulation *s = NULL;
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.threads = 1;
    scree_status status = scree_scene_parse(text, "advance.yaml", NULL, 0, &scene, &report);
    if (!status) status = scree_simulation_create(scene, &def, &s, &report);
    for (int64_t done = 0; done < steps && !status; done += stride, stride += stride > 1) {
        if (stride > steps - done) stride = steps - done;
        status = scree_simulation_advance(s, stride, &report);
    }
    state found = {0};
    if (!status) {
        scree_stats stats = scree_simulation_stats(s);
        found = (state){scree_simulation_digest(s, &report), observed(s, "count", &report), observed(s, "z", &report),
                        stats.bodies, stats.step};
    }
    CHECK_INT(status, SCREE_OK);
    scree_report_print(&report, stdout);
    scree_simulation_destroy(s);
    scree_scene_close(scene);
    scree_report_deinit(&report);
    return found;
}

static void test_strides(const char *name, const char *text, int64_t steps)
{
    state one = run(text, steps, 1), some = run(text, steps, 7), all = run(text, steps, steps);
    printf("%s: %lld steps, %lld grains, %g passed\n", name, (long long)one.step, (long long)one.bodies, one.count);
    CHECK(one.count > 0 && one.bodies > 0);
    CHECK_INT(one.step, steps);
    CHECK(!memcmp(&one, &some, sizeof one));
    CHECK(!memcmp(&one, &all, sizeof one));
}

int main(void)
{
    test_strides("soft", HEAD PLANE "time: {end: 1, step: 1e-4}\nbodies:\n" GRAINS, 900);
    // grains are poured and drain away while steps are done in one go
    test_strides("ports",
                 HEAD PLANE "time: {end: 1, step: 1e-4}\nbodies:\n" GRAINS
                            "  rain: {from: inlet, material: m, radius: 0.008, rate: 400, velocity: [0, 0, "
                            "-2], region: {shape: box, box: [[0.05, 0.05, 0.3], [0.15, 0.15, 0.38]]}}\n"
                            "outlets: {drain: {shape: box, box: [[0, 0, 0], [0.1, 0.2, 0.03]]}}\n",
                 900);
    test_strides("nonsmooth", HEAD PLANE "stepper: nonsmooth\ntime: {end: 1, step: 2e-3}\nbodies:\n" GRAINS, 60);
    test_strides("variational", HEAD PLANE "stepper: variational\ntime: {end: 1, step: 1e-3}\nbodies:\n" GRAINS, 80);
    return check_done();
}
