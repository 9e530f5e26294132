/* Two simulations in two threads of one process: each gives the bits that it gives alone, and says, or does not say,
 * what it was asked to. The library has no state of its own (tests/tree_statics.sh looks for it); with the preset
 * `tsan` this is a test for races too. */
#include <pthread.h>

#include "base/log.h"
#include "check.h"
#include "scree/scree.h"

typedef struct {
    const char *example, *stepper;
    bool statics;
    int steps;
    scree_setting settings[3];
} task;

static const char small[] = "[[0, 0, 0], [4 cm, 4 cm, 5 cm]]", tank[] = "[[0, 0, 0], [4 cm, 4 cm, 30 cm]]";

static const task tasks[] = {
    {"column", "soft", false, 20000, {{"bodies.column.region.box", small}}},
    {"column", "variational", false, 400, {{"bodies.column.region.box", small}}},
    {"column", "nonsmooth", false, 150, {{"bodies.column.region.box", small}}},
    {"disc", "soft", false, 1000, {{0}}},
    {"beam", "elastic", false, 500, {{0}}},
    {"beam", "elastic", true, 2, {{"statics.steps", "2"}}},
    {"column",
     "soft",
     true,
     1,
     {{"bodies.column.region.box", small}, {"walls.tank.box", tank}, {"statics.steps", "1"}}},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

typedef struct {
    const task *task;
    scree_status status;
    scree_report report;
    uint64_t digest;
    bool quiet;
    scr_log_lines lines;
} outcome;

static const char *text_of(const char *name)
{
    const scree_example *e = scree_examples();
    while (e->name && strcmp(e->name, name)) e++;
    return e->text;
}

static void *run(void *context)
{
    outcome *o = context;
    const task *t = o->task;
    scree_setting settings[4] = {{"stepper", t->stepper}};
    int count = 1;
    for (int k = 0; k < 3 && t->settings[k].path; k++) settings[count++] = t->settings[k];
    scree_simulation_def def = scree_simulation_def_default();
    def.threads = 1, def.statics = t->statics, def.quiet = true;
    scree_scene *scene = NULL;
    scree_simulation *sim = NULL;
    scree_report_init(&o->report);
    scr_log_keep(&o->lines);
    o->status = scree_scene_parse(text_of(t->example), t->example, settings, count, &scene, &o->report);
    if (!o->status) o->status = scree_simulation_create(scene, &def, &sim, &o->report);
    if (!o->status) o->status = scree_simulation_advance(sim, t->steps, &o->report);
    if (!o->status) o->digest = scree_simulation_digest(sim, &o->report);
    scr_log_keep(NULL);
    o->quiet = scr_log_is_quiet();
    scree_simulation_destroy(sim);
    scree_scene_close(scene);
    return NULL;
}

static outcome single[TASKS], paired[2];

static void check_pair(int a, int b)
{
    pthread_t threads[2];
    for (int k = 0; k < 2; k++) {
        paired[k] = (outcome){.task = &tasks[k ? b : a]};
        CHECK(!pthread_create(&threads[k], NULL, run, &paired[k]));
    }
    for (int k = 0; k < 2; k++) {
        const outcome *alone = &single[k ? b : a];
        pthread_join(threads[k], NULL);
        CHECK_INT(paired[k].status, SCREE_OK);
        CHECK(paired[k].quiet);
        CHECK(paired[k].digest == alone->digest);
        CHECK(!strcmp(paired[k].lines.text, alone->lines.text));
        scree_report_deinit(&paired[k].report);
    }
}

int main(void)
{
    // each says something of itself, and no two say the same
    for (int k = 0; k < TASKS; k++) {
        single[k].task = &tasks[k];
        run(&single[k]);
        CHECK_INT(single[k].status, SCREE_OK);
        scree_report_print(&single[k].report, stdout);
        CHECK(single[k].lines.length > 0 && single[k].digest);
        for (int m = 0; m < k; m++) CHECK(single[m].digest != single[k].digest);
        scree_report_deinit(&single[k].report);
    }
    for (int k = 0; k < TASKS; k++) check_pair(k, (k + 1) % TASKS);
    for (int k = 0; k < TASKS; k++) check_pair(k, k);
    // what others did is not heard here
    scr_log_quiet(false);
    CHECK(!scr_log_is_quiet());
    return check_done();
}
