/* Steps in one go are the same as one by one: the state, the ledger, what passed through planes in each step, forces of
 * contacts, grains that come and leave in between, and what a step that fails leaves; for all steppers. */
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
#define PLANE_AND_FORCES \
    "observers: {gate: {type: flow, point: [0, 0, 0.06], normal: [0, 0, -1]}, force: {type: stress}}\n"

typedef struct {
    uint64_t digest;
    double count, z; // that passed, and where they were after that step
    double stress;   // of the contacts after the last step; 0: they were not asked for
    int64_t bodies, step, contacts, rebuilds;
    scree_energies energies;
    scree_status status;
} state;

static double observed(scree_simulation *s, const char *name, const char *column, scree_report *report)
{
    double *values = NULL, value = 0;
    int count;
    if (!scree_simulation_observe(s, name, column, &values, &count, report)) value = values[0];
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
    state found;
    memset(&found, 0, sizeof found);
    scree_status status = scree_scene_parse(text, "advance.yaml", NULL, 0, &scene, &report);
    if (!status) status = scree_simulation_create(scene, &def, &s, &report);
    CHECK_INT(status, SCREE_OK);
    for (int64_t done = 0; done < steps && !status; done += stride, stride += stride > 1) {
        if (stride > steps - done) stride = steps - done;
        status = scree_simulation_advance(s, stride, &report);
    }
    if (s) {
        scree_stats stats = scree_simulation_stats(s);
        found.digest = scree_simulation_digest(s, &report);
        found.count = observed(s, "gate", "count", &report), found.z = observed(s, "gate", "z", &report);
        if (strstr(text, "type: stress")) found.stress = observed(s, "force", "contact_zz", &report);
        found.bodies = stats.bodies, found.step = stats.step;
        found.contacts = stats.contacts, found.rebuilds = stats.rebuilds;
        found.energies = scree_simulation_energies(s);
        found.status = status;
    }
    scree_report_print(&report, stdout);
    scree_simulation_destroy(s);
    scree_scene_close(scene);
    scree_report_deinit(&report);
    return found;
}

static state test_strides(const char *name, const char *text, int64_t steps)
{
    const state one = run(text, steps, 1), some = run(text, steps, 7), all = run(text, steps, steps);
    printf("%s: %lld steps, %lld grains, %lld contacts, %lld lists, %g passed\n", name, (long long)one.step,
           (long long)one.bodies, (long long)one.contacts, (long long)one.rebuilds, one.count);
    CHECK(one.count > 0 && one.bodies > 0);
    CHECK(!memcmp(&one, &some, sizeof one));
    CHECK(!memcmp(&one, &all, sizeof one));
    return one;
}

static void test_whole(const char *name, const char *text, int64_t steps)
{
    state s = test_strides(name, text, steps);
    CHECK_INT(s.status, SCREE_OK);
    CHECK_INT(s.step, steps);
}

// frozen grains, periodic sides, many lists, and a sort on the way
static void test_chute(void)
{
    state s = test_strides(
        "chute",
        "scree: 1\ngravity: [4.3, 0.7, -8.8]\n"
        "domain: {box: [[0, 0, 0], [7 cm, 3.5 cm, 15 cm]], periodic: [x, y]}\n"
        "materials: {glass: {density: 2500, restitution: 0.7, friction: 0.5}}\ncontacts: {any: {stiffness: 2000}}\n"
        "bodies:\n"
        "  base: {from: lattice, material: glass, diameter: 5 mm, frozen: yes, region: {box: [[0, 0, 0], [7 cm, 3.5 "
        "cm, 5 mm]]}}\n"
        "  flow: {from: lattice, kind: fcc, material: glass, diameter: [3.5 mm, 4.5 mm], spacing: 4.6 mm, jitter: 1, "
        "velocity: [1.5, -0.4, 0], region: {box: [[0, 0, 5.5 mm], [7 cm, 3.5 cm, 3 cm]]}}\n"
        "walls: {floor: {shape: plane, material: glass}}\n"
        "observers: {gate: {type: flow, point: [3 cm, 0, 0], normal: [1, 0, 0]}, force: {type: stress}}\n"
        "time: {end: 1, step: 2e-5}\n",
        1277);
    CHECK_INT(s.status, SCREE_OK);
    CHECK(s.contacts > 150 && s.rebuilds > 10 && s.stress != 0);
}

// grains that are struck, or begin to move as prescribed, leave the slack of the list within a step or two: it is found
// too old as soon as in single steps
static void test_struck(const char *name, const char *how)
{
    char text[1024];
    snprintf(text, sizeof text,
             "scree: 1\ngravity: [0, 0, 0]\ndomain: {box: [[0, 0, 0], [0.4, 0.1, 0.1]], boundary: delete}\n"
             "materials: {m: {density: 2500, restitution: 0.9, friction: 0.4}}\n"
             "contacts: {any: {stiffness: 1e4}}\nbodies:\n"
             "  rest: {from: lattice, material: m, radius: 0.005, spacing: 0.0103, region: {box: [[0.1, 0, 0], [0.2, "
             "0.1, 0.1]]}}\n"
             "  hits: {from: lattice, material: m, radius: 0.005, spacing: 0.02, %s, region: {box: [[0, 0, 0], "
             "[0.09, 0.1, 0.1]]}}\n"
             "observers: {gate: {type: flow, point: [0.08, 0, 0], normal: [1, 0, 0]}}\n"
             "stepper: {type: soft, skin: 5e-5}\ntime: {end: 1, step: 5e-5}\n",
             how);
    state s = test_strides(name, text, 281);
    CHECK_INT(s.status, SCREE_OK);
    CHECK(s.contacts > 50);
}

// all that moves in a step besides grains, and all that adds to their forces: walls on a path and with a servo, a group
// on a path, bonds that break, gravity that changes, grains that come and leave
static void test_everything(void)
{
    state s = test_strides(
        "everything",
        "scree: 1\ndomain: {box: [[0, 0, 0], [0.2, 0.2, 0.4]], boundary: delete}\n"
        "gravity: [0, 0, -9.81]\ngravity_signal: {type: sine, frequency: 7, phase: 1.2}\n"
        "materials: {m: {density: 2500, restitution: 0.5, friction: 0.4}}\n"
        "contacts: {any: {stiffness: 1e4, rolling: sds, rolling_friction: 0.1}}\n"
        "walls:\n"
        "  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}\n"
        "  paddle: {shape: rectangle, material: m, corner: [0.1, 0.1, 0.005], along: [0.08, 0, 0], across: [0, 0, "
        "0.02], rotation: {rate: 15 rad/s, axis: [0, 0, 1], point: [0.1, 0.1, 0]}}\n"
        "  press: {shape: plane, point: [0.19, 0, 0], normal: [-1, 0, 0], material: m, servo: {axis: [-1, 0, 0], "
        "force: 2, max_speed: 1, ramp: 0.01}}\n"
        "bodies:\n" GRAINS
        "  rain: {from: inlet, material: m, radius: 0.008, rate: 400, velocity: [0, 0, -2], region: {shape: box, box: "
        "[[0.05, 0.05, 0.3], [0.15, 0.15, 0.38]]}}\n"
        "  stirrer: {from: positions, material: m, radius: 0.012, positions: [[0.03, 0.1, 0.05], [0.17, 0.1, 0.05]], "
        "motion: {velocity: [0.1, 0, 0], rotation: {rate: 10 rad/s, axis: [0, 0, 1], point: [0.1, 0.1, 0]}}}\n"
        "bonds: {cement: {between: heap, young: 1e6, poisson: 0.2, tensile_strength: 800, shear_strength: 800}}\n"
        "outlets: {drain: {shape: box, box: [[0, 0, 0], [0.1, 0.2, 0.03]]}}\n" PLANE_AND_FORCES
        "time: {end: 1, step: 1e-4}\n",
        1101);
    CHECK_INT(s.status, SCREE_OK);
    const scree_energies *e = &s.energies;
    CHECK(s.rebuilds > 5 && s.stress != 0 && e->group_work != 0 && e->wall_work != 0 && e->load_work != 0);
    CHECK(e->broken > 0 && e->elastic_bond > 0 && e->inserted > 0 && e->removed != 0 && e->rolling > 0);
}

// a step that fails in the middle of a stride: what is left is the end of that step
static void test_failure(const char *name, const char *text, int64_t steps)
{
    state s = test_strides(name, text, steps);
    CHECK_INT(s.status, SCREE_E_RUN);
    CHECK(s.step > 100 && s.step < steps);
}

#define SOFT(more)                                                                    \
    "scree: 1\ndomain: {box: [[0, 0, 0], [0.2, 0.2, 0.4]]}\ngravity: [0, 0, -9.81]\n" \
    "materials: {m: {density: 2500, restitution: 0.5, friction: 0.4}}\ntime: {end: 1, step: 1e-4}\n" more

int main(void)
{
    test_whole("soft", HEAD PLANE "time: {end: 1, step: 1e-4}\nbodies:\n" GRAINS, 900);
    // grains are poured and drain away while steps are done in one go
    test_whole("ports",
               HEAD PLANE "time: {end: 1, step: 1e-4}\nbodies:\n" GRAINS
                          "  rain: {from: inlet, material: m, radius: 0.008, rate: 400, velocity: [0, 0, "
                          "-2], region: {shape: box, box: [[0.05, 0.05, 0.3], [0.15, 0.15, 0.38]]}}\n"
                          "outlets: {drain: {shape: box, box: [[0, 0, 0], [0.1, 0.2, 0.03]]}}\n",
               900);
    test_whole("nonsmooth", HEAD PLANE "stepper: nonsmooth\ntime: {end: 1, step: 2e-3}\nbodies:\n" GRAINS, 60);
    test_whole("variational", HEAD PLANE "stepper: variational\ntime: {end: 1, step: 1e-3}\nbodies:\n" GRAINS, 80);
    test_chute();
    test_struck("struck", "velocity: [3, 0.1, 0]");
    test_struck("shoved", "motion: {velocity: [5, 0, 0], since: 0.5 ms}");
    test_everything();
    test_failure("a deep overlap",
                 SOFT("walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}}\n"
                      "contacts: {any: {stiffness: 10}}\n" PLANE "bodies:\n" GRAINS),
                 2000);
    test_failure("an escape", SOFT("contacts: {any: {stiffness: 1e4}}\n" PLANE "bodies:\n" GRAINS), 2001);
    return check_done();
}
