/* Results: what is written comes back, and neither a crash nor a full disk nor a damaged byte takes
 * away what was there. Crashes are real: a child writes results and is killed by a file-size limit
 * or ends at once. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/os.h"
#include "observe/results.h"
#include "observe/results_files.h"
#include "world_fixture.h"

#define FOLDER "test_observe_results"
#define PATH   FOLDER "/run.h5"
#define DATA   PATH ".data"
#define DATA2  PATH ".data2"
#define DATA3  PATH ".data3"
#define KEPT   FOLDER "/kept.h5"
#define BODIES 50

static const char *const all_views[] = {"position", "radius", "velocity", "spin",
                                        "force",    "torque", "mass",     "image",
                                        "material", "group",  "position"};

static const scr_column columns[] = {{"time", "s", "time"},
                                     {"kinetic", "J", "kinetic energy"},
                                     {"flow/rate", "kg/s", "mass flow"},
                                     {0}};
static const scr_column other_columns[] = {{"time", "s", "time"}, {"height", "m", "height"}, {0}};

static scr_series the_series[2];

static const scr_results_scene the_scene = {"scenes/run.yaml",
                                            "scree: 1\n# title: no\ntitle: \"ü\"\n", "ü"};
static const scr_results_scene plain = {"s", "t", NULL};

static void series_start(void)
{
    scr_series_init(&the_series[0], "zz ledger", "ledger", columns);
    scr_series_init(&the_series[1], "a/b", "probe", other_columns);
}

static void series_end(void)
{
    scr_series_deinit(&the_series[0]);
    scr_series_deinit(&the_series[1]);
}

// the world at a step: the same step is always the same world
static void world_at(scr_world *w, int64_t step)
{
    fixture_world(w, BODIES, (uint64_t)step);
    w->clock.step = step;
    w->clock.time = 0.001 * (double)step;
    w->walls[1].offset.z = 0.01 * (double)step;
    w->faces[1].point.z = 0.01 * (double)step;
}

static void series_row(int64_t step)
{
    double t = 0.001 * (double)step;
    scr_series_add(&the_series[0], (double[]){t, 2 * t, 3 * t});
    scr_series_add(&the_series[1], (double[]){t, -t});
}

typedef enum { FRAME = 1, CHECKPOINT = 2, PUBLISH = 4 } what;

static scree_status put(scr_results *r, int64_t step, int parts, scree_report *report)
{
    scr_world w;
    world_at(&w, step);
    scree_status status = SCREE_OK;
    if (parts & FRAME) series_row(step);
    if (parts & FRAME) status = scr_results_frame(r, &w, all_views, 11, report);
    if (!status && (parts & CHECKPOINT)) status = scr_results_checkpoint(r, &w, report);
    if (!status && (parts & PUBLISH)) status = scr_results_publish(r, &w, the_series, 2, report);
    scr_world_deinit(&w);
    return status;
}

// results with frames at 0, 10, ..., last and checkpoints at the same steps
static void write_results(int64_t last)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    series_start();
    CHECK_INT(scr_results_create(PATH, &the_scene, &r, &report), SCREE_OK);
    for (int64_t step = 0; step <= last; step += 10)
        CHECK_INT(put(r, step, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
    scr_results_destroy(r);
    series_end();
    CHECK_INT(report.count, 0);
    scree_report_print(&report, stdout);
    scree_report_deinit(&report);
}

/* ---- reading back ---- */

// one frame against the world it was made from
static bool frame_is(const scr_archive *a, int frame, int64_t step)
{
    scr_world w;
    scree_report report;
    double *data = NULL;
    size_t bodies;
    int width;
    uint32_t order[BODIES];
    scree_report_init(&report);
    world_at(&w, step);
    scr_bodies_by_id(&w.bodies, order);
    scr_frame_info info = scr_archive_frame(a, frame);
    bool ok = info.step == step && info.time == 0.001 * (double)step && info.bodies == BODIES;
    for (const scr_view *v = scr_body_views; ok && v->name; v++) {
        ok = !scr_archive_read(a, frame, v->name, &data, &bodies, &width, &report) &&
             bodies == BODIES && width == v->width &&
             !strcmp(scr_archive_unit(a, frame, v->name), v->unit);
        const scr_field *f = scr_table_field(&w.bodies.table, v->field);
        for (int k = 0; ok && k < BODIES * v->width; k++) {
            size_t at =
                (size_t)order[k / v->width] * (size_t)f->width + (size_t)(v->first + k % v->width);
            const void *array = scr_table_array(&w.bodies.table, f);
            double want = f->type == SCR_F64   ? ((const double *)array)[at]
                          : f->type == SCR_I64 ? (double)((const int64_t *)array)[at]
                                               : (double)((const int32_t *)array)[at];
            ok = !memcmp(&want, &data[k], 8);
        }
        free(data);
    }
    int faces;
    const scr_face *f = scr_archive_faces(a, frame, &faces);
    ok =
        ok && faces == 3 && f[1].point.z == 0.01 * (double)step && f[1].wall == 1 && f[2].wall == 0;
    scree_report_deinit(&report);
    scr_world_deinit(&w);
    return ok;
}

// opens results and checks that everything they hold is whole; the number of frames, -1 when
// anything is wrong
static int frames_if_whole_at(const char *path)
{
    scree_report report;
    scree_report_init(&report);
    scr_archive *a = scr_archive_open(path, &report);
    int frames = a ? scr_archive_frame_count(a) : -1;
    for (int k = 0; a && k < scr_archive_frame_count(a); k++)
        if (!frame_is(a, k, 10 * k)) frames = -1;
    scr_world w, want;
    scr_world_init(&w);
    if (frames > 0) {
        if (scr_archive_world(a, -1, &w, &report) || report.count > 0) frames = -1;
        world_at(&want, w.clock.step);
        if (scr_world_digest(&w) != scr_world_digest(&want)) frames = -1;
        scr_world_deinit(&want);
    }
    if (frames < 0) scree_report_print(&report, stdout);
    scr_world_deinit(&w);
    scr_archive_close(a);
    scree_report_deinit(&report);
    return frames;
}

static int frames_if_whole(void)
{
    return frames_if_whole_at(PATH);
}

static void check_index(void)
{
    scree_report report;
    int count;
    double values[4];
    scree_report_init(&report);
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK(a != NULL);
    if (!a) return;
    CHECK_TEXT(scr_archive_scene_text(a), the_scene.text);
    CHECK_TEXT(scr_archive_title(a), "ü");
    CHECK_TEXT(scr_archive_scene_path(a), "scenes/run.yaml");
    CHECK_TEXT(scr_archive_materials(a, &count)[1].name, ".");
    CHECK_INT(count, 2);
    CHECK_TEXT(scr_archive_groups(a, &count)[0].name, "zeta");
    CHECK_TEXT(scr_archive_walls(a, &count)[0].name, "side/with 50 % slope");
    CHECK_INT(count, 2);
    CHECK_NEAR(scr_archive_domain(a).upper.z, 6, 0);
    CHECK(scr_archive_domain(a).periodic[2] && !scr_archive_domain(a).periodic[1]);
    const char *const *views = scr_archive_views(a, 0);
    for (count = 0; views[count]; count++) CHECK(scr_body_view(views[count]) != NULL);
    CHECK_INT(count, 11);
    const scr_series_info *s = scr_archive_series(a, &count);
    CHECK_INT(count, 2);
    CHECK_TEXT(s[0].name, "zz ledger");
    CHECK_TEXT(s[0].kind, "ledger");
    CHECK_INT(s[0].width, 3);
    CHECK_TEXT(s[0].columns[0], "time");
    CHECK_TEXT(s[0].columns[2], "flow/rate");
    CHECK_TEXT(s[0].units[2], "kg/s");
    CHECK_TEXT(s[1].name, "a/b");
    CHECK_INT(s[0].count, 4);
    CHECK_INT(scr_archive_series_read(a, 0, 2, values, &report), SCREE_OK);
    CHECK_NEAR(values[3], 0.09, 1e-16);
    // the last two checkpoints are there, and no file more than the index knows
    CHECK_INT(scr_archive_checkpoint_count(a), 2);
    CHECK_INT(scr_archive_checkpoint(a, 0).step, 20);
    CHECK_INT(fixture_file_count(DATA), 4 + 2);
    CHECK_INT(fixture_file_count(FOLDER), 2);
    scr_archive_close(a);
    CHECK_INT(report.count, 0);
    scree_report_deinit(&report);
}

static void writing_and_reading(void)
{
    scree_report report;
    scr_results *r, *second;
    fixture_folder(FOLDER);
    write_results(30);
    CHECK_INT(frames_if_whole(), 4);
    check_index();

    // new results at the same place: the old ones live until the first new index, then they are
    // gone
    scree_report_init(&report);
    series_start();
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_OK);
    CHECK_INT(scr_results_create(PATH, &plain, &second, &report),
              SCREE_E_IO); // one run at a time
    CHECK(second == NULL && report.errors == 1);
    CHECK_INT(put(r, 0, FRAME | CHECKPOINT, &report), SCREE_OK);
    CHECK_INT(frames_if_whole(), 4);
    CHECK_INT(put(r, 0, PUBLISH, &report), SCREE_OK);
    CHECK_INT(frames_if_whole(), 1);
    CHECK_INT(fixture_file_count(DATA), -1);
    CHECK_INT(fixture_file_count(DATA2), 2);
    CHECK_INT(put(r, 10, PUBLISH, &report), SCREE_OK);
    // the same step again takes the place of the first
    CHECK_INT(put(r, 10, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
    CHECK_INT(put(r, 10, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
    CHECK_INT(frames_if_whole(), 2);
    CHECK_INT(fixture_file_count(DATA2), 4);
    scr_results_destroy(r);
    series_end();

    // a run that ends before its first index leaves nothing, and the old results stay
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_OK);
    CHECK_INT(fixture_file_count(DATA), 1); // the mark `unpublished`
    scr_results_destroy(r);
    CHECK_INT(fixture_file_count(DATA), -1);
    CHECK_INT(frames_if_whole(), 2);
    scree_report_deinit(&report);
}

static void refusals(void)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    FILE *out = fopen(PATH, "w");
    fputs("my thesis", out);
    fclose(out);
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_E_INPUT);
    CHECK(scr_archive_open(PATH, &report) == NULL);
    CHECK_INT(fixture_file_count(FOLDER), 1);
    CHECK_INT(scr_results_create(FOLDER, &plain, &r, &report), SCREE_E_INPUT);
    CHECK_INT(scr_results_create("/dev/null", &plain, &r, &report), SCREE_E_INPUT);
    CHECK_INT(scr_results_create(FOLDER "/none/run.h5", &plain, &r, &report), SCREE_E_IO);
    CHECK_INT(scr_results_create(FOLDER "/", &plain, &r, &report), SCREE_E_INPUT);
    CHECK_INT(scr_results_create("", &plain, &r, &report), SCREE_E_INPUT);
    CHECK(scr_archive_open(FOLDER "/none.h5", &report) == NULL);
    CHECK_INT(report.errors, 8);

    // a field that is not one
    unlink(PATH);
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_OK);
    scr_world w;
    world_at(&w, 0);
    CHECK_INT(scr_results_frame(r, &w, (const char *const[]){"colour"}, 1, &report), SCREE_E_INPUT);
    scr_world_deinit(&w);
    scr_results_destroy(r);
    scree_report_deinit(&report);
}

/* ---- continuing ---- */

static void continuing(void)
{
    scree_report report;
    scr_results *r;
    scr_series extra;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    write_results(50);

    // go back to step 40; the published frame 5 stays until the new index
    series_start();
    CHECK_INT(scr_results_continue(PATH, &plain, 30, the_series, 2, &r, &report), SCREE_E_INPUT);
    CHECK_INT(scr_results_continue(PATH, &plain, 40, the_series, 2, &r, &report), SCREE_OK);
    CHECK_INT(the_series[0].count, 5);
    CHECK_NEAR(the_series[0].rows[3 * 4 + 2], 0.12, 1e-16);
    CHECK_NEAR(the_series[1].rows[2 * 4 + 1], -0.04, 1e-16);
    CHECK_INT(put(r, 50, FRAME | CHECKPOINT, &report), SCREE_OK);
    CHECK_INT(frames_if_whole(), 6);
    CHECK_INT(put(r, 60, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
    CHECK_INT(frames_if_whole(), 7);
    CHECK_INT(fixture_file_count(DATA), 7 + 2);
    scr_results_destroy(r);
    series_end();
    CHECK_INT(report.errors, 1);

    // another set of series: what matches goes on, what does not is told
    scr_series_init(&extra, "a/b", "probe", columns);
    CHECK_INT(scr_results_continue(PATH, &plain, 60, &extra, 1, &r, &report), SCREE_OK);
    CHECK_INT(extra.count, 0);
    CHECK_INT(report.warnings, 2);
    scr_results_destroy(r);
    scr_series_deinit(&extra);

    // nothing was published by that: all is as before
    CHECK_INT(frames_if_whole(), 7);

    // a run that ends without an index takes its unfinished business with it
    series_start();
    CHECK_INT(scr_results_continue(PATH, &plain, 60, the_series, 2, &r, &report), SCREE_OK);
    CHECK_INT(put(r, 70, FRAME | CHECKPOINT, &report), SCREE_OK);
    CHECK_INT(fixture_file_count(DATA), 7 + 2 + 2);
    scr_results_destroy(r);
    series_end();
    CHECK_INT(fixture_file_count(DATA), 7 + 2);
    CHECK_INT(frames_if_whole(), 7);
    scree_report_deinit(&report);
}

/* ---- whose folder it is ---- */

static void stray(const char *path)
{
    FILE *out = fopen(path, "w");
    if (out) fputs("half a file", out);
    if (out) fclose(out);
}

static void continue_once(const char *path, int64_t step)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    series_start();
    CHECK_INT(scr_results_continue(path, &plain, step, the_series, 2, &r, &report), SCREE_OK);
    if (r) CHECK_INT(put(r, step + 10, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
    scr_results_destroy(r);
    series_end();
    scree_report_print(&report, stdout);
    scree_report_deinit(&report);
}

// a renamed index still owns its folder, whatever is done under its old name
static void renamed(void)
{
    fixture_folder(FOLDER);
    write_results(20);
    CHECK(!rename(PATH, KEPT));
    write_results(0);
    CHECK_INT(frames_if_whole_at(KEPT), 3);
    CHECK_INT(frames_if_whole(), 1);
    CHECK_INT(fixture_file_count(DATA2), 2);
    // replaced, twice: only the folder of the replaced index goes
    write_results(10);
    CHECK_INT(frames_if_whole_at(KEPT), 3);
    CHECK_INT(fixture_file_count(DATA2), -1);
    CHECK_INT(fixture_file_count(DATA3), 4);
    write_results(10);
    CHECK_INT(fixture_file_count(DATA2), 4);
    CHECK_INT(fixture_file_count(DATA3), -1);
    // continued, either of them
    continue_once(PATH, 10);
    CHECK_INT(frames_if_whole_at(KEPT), 3);
    continue_once(KEPT, 20);
    CHECK_INT(frames_if_whole_at(KEPT), 4);
    CHECK_INT(frames_if_whole(), 3);
    CHECK_INT(fixture_file_count(FOLDER), 4);
}

// two runs that begin where no index stands yet
static void two_beginners(void)
{
    scree_report report;
    scr_results *r, *second;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_OK);
    CHECK_INT(scr_results_create(PATH, &plain, &second, &report), SCREE_E_IO);
    CHECK_INT(report.errors, 1);
    scr_results_destroy(r);
    CHECK_INT(fixture_file_count(FOLDER), 0);
    scree_report_deinit(&report);
}

// what crashed runs left is recognised; what could be somebody's is not touched
static void left_over(void)
{
    char mark[128], name[64];
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    for (int stands = 0; stands < 2; stands++) {
        fixture_folder(FOLDER);
        if (stands) write_results(20);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            series_start();
            if (scr_results_create(PATH, &plain, &r, &report)) _exit(1);
            _exit(put(r, 0, FRAME | CHECKPOINT, &report));
        }
        int state;
        CHECK(waitpid(child, &state, 0) == child && state == 0);
        CHECK_INT(fixture_file_count(stands ? DATA2 : DATA), 3);
        if (stands)
            continue_once(PATH, 20);
        else
            write_results(0);
        CHECK_INT(frames_if_whole(), stands ? 4 : 1);
        CHECK_INT(fixture_file_count(FOLDER), 2);
    }

    // killed between its first index and the end of the folder that it replaced
    scr_run_id run = scr_run_id_of(PATH), other = scr_run_id_new();
    for (int k = 0; k < 3; k++) {
        mkdir(DATA2, 0777);
        stray(DATA2 "/frame-00000000.h5");
        scr_data_replaced(name, k == 1 ? &other : &run);
        snprintf(mark, sizeof mark, "%s/%s", DATA2, name);
        stray(mark);
        if (k < 2)
            continue_once(PATH, 30 + 10 * k);
        else
            write_results(0); // a new run tidies up as well
        CHECK_INT(fixture_file_count(DATA2), k == 1 ? 2 : k == 2 ? 2 : -1);
        CHECK_INT(fixture_file_count(DATA), k == 2 ? -1 : 5 + k + 2);
        if (k == 1) fixture_remove_tree(DATA2);
    }
    CHECK_INT(frames_if_whole(), 1);
    scree_report_deinit(&report);
}

// a run goes on from results that another one is just finishing: it must not take the old index for true
static void continued_in_a_hurry(void)
{
    int lost = 0;
    for (int round = 0; round < 20; round++) {
        scree_report report;
        scr_results *r = NULL;
        fixture_folder(FOLDER);
        write_results(20);
        fflush(stdout);
        int ready[2];
        CHECK(!pipe(ready));
        pid_t child = fork();
        if (child == 0) {
            scree_report_init(&report);
            series_start();
            if (scr_results_continue(PATH, &plain, 20, the_series, 2, &r, &report)) _exit(3);
            if (write(ready[1], "", 1) != 1) _exit(4);
            _exit(put(r, 30, FRAME | CHECKPOINT | PUBLISH, &report));
        }
        char byte;
        CHECK(read(ready[0], &byte, 1) == 1);
        close(ready[0]), close(ready[1]);
        series_start();
        double end = scr_seconds() + 20;
        while (!r && scr_seconds() < end) {
            scree_report_init(&report);
            scr_results_continue(PATH, &plain, 20, the_series, 2, &r, &report);
            scree_report_deinit(&report);
        }
        int state;
        CHECK(waitpid(child, &state, 0) == child && state == 0);
        CHECK(r != NULL);
        scr_results_destroy(r);
        series_end();
        lost += frames_if_whole() != 4;
    }
    CHECK_INT(lost, 0);
}

// the last checkpoint cannot be read: the one before it is taken, with a warning
static void fallback(void)
{
    scree_report report;
    scr_world w;
    scr_results *r;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    series_start();
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_OK);
    CHECK_INT(put(r, 0, CHECKPOINT, &report), SCREE_OK);
    world_at(&w, 10);
    w.bodies.motion[8] = NAN; // the run failed here
    CHECK_INT(scr_results_checkpoint(r, &w, &report), SCREE_OK);
    CHECK_INT(scr_results_publish(r, &w, the_series, 2, &report), SCREE_OK);
    scr_world_deinit(&w);
    scr_results_destroy(r);
    series_end();
    scr_archive *a = scr_archive_open(PATH, &report);
    scr_world_init(&w);
    CHECK_INT(scr_archive_world(a, 10, &w, &report), SCREE_E_INPUT);
    CHECK_INT(scr_archive_world(a, 7, &w, &report), SCREE_E_INPUT);
    CHECK_INT(report.errors, 2);
    CHECK_INT(scr_archive_world(a, -1, &w, &report), SCREE_OK);
    CHECK_INT(w.clock.step, 0);
    CHECK_INT(report.warnings, 1);
    scr_world_deinit(&w);
    scr_archive_close(a);
    scree_report_deinit(&report);
}

/* ---- crashes ---- */

// what a run does after its start: three rounds of frame, checkpoint, index; stops dead after
// `moments` of them
static void child_run(int moments)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    series_start();
    if (scr_results_continue(PATH, &plain, 20, the_series, 2, &r, &report)) _exit(3);
    static const int parts[] = {FRAME, CHECKPOINT, PUBLISH};
    for (int m = 0; m < 9; m++) {
        if (m == moments) _exit(0);
        if (put(r, 30 + 10 * (m / 3), parts[m % 3], &report)) _exit(4);
    }
    _exit(0);
}

static int child_end(pid_t child)
{
    int state;
    if (child < 0 || waitpid(child, &state, 0) < 0) return -1;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state);
}

// after a crash: whole, and a run can go on from it and leave no stray file
static void check_survived(int least_frames)
{
    int frames = frames_if_whole();
    CHECK(frames >= least_frames);
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    series_start();
    int64_t step = 10 * (frames - 1);
    CHECK_INT(scr_results_continue(PATH, &plain, step, the_series, 2, &r, &report), SCREE_OK);
    if (r) {
        CHECK_INT(the_series[0].count, frames);
        CHECK_INT(put(r, step + 10, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
        CHECK_INT(frames_if_whole(), frames + 1);
        CHECK_INT(fixture_file_count(DATA), frames + 1 + 2);
    }
    CHECK_INT(fixture_file_count(FOLDER), 2);
    scr_results_destroy(r);
    series_end();
    scree_report_print(&report, stdout);
    scree_report_deinit(&report);
}

static void crashes(void)
{
    for (int moments = 0; moments <= 9; moments++) {
        fixture_folder(FOLDER);
        write_results(20);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) child_run(moments);
        CHECK_INT(child_end(child), 0);
        stray(PATH ".tmp"), stray(DATA "/frame-00000003.h5.tmp"), stray(DATA "/frame-00000077.h5");
        stray(DATA "/checkpoint-5.h5"), stray(DATA "/checkpoint-5.h5.tmp");
        check_survived(3 + moments / 3);
    }
}

// killed in the middle of a write by the file-size limit: SIGXFSZ with its default action
static void killed_while_writing(void)
{
    for (rlim_t limit = 300; limit < 60000; limit += limit / 3) {
        fixture_folder(FOLDER);
        write_results(20);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            struct rlimit rule = {limit, limit}, no_core = {0, 0};
            signal(SIGXFSZ, SIG_DFL);
            setrlimit(RLIMIT_CORE, &no_core);
            setrlimit(RLIMIT_FSIZE, &rule);
            child_run(9);
        }
        int end = child_end(child);
        CHECK(end == 0 || end == 1000 + SIGXFSZ);
        unlink(PATH
               ".tmp"); // the next index would replace it; the count of files should not see it
        check_survived(3);
    }
}

/* ---- a full disk ---- */

// every write beyond the limit fails: errors are told, temporaries removed, nothing else touched
static int child_full(rlim_t limit)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    series_start();
    if (scr_results_continue(PATH, &plain, 20, the_series, 2, &r, &report)) return 3;
    int files = fixture_file_count(DATA), wrong = 0, failures = 0;
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit rule = {limit, limit};
    setrlimit(RLIMIT_FSIZE, &rule);
    static const int parts[] = {FRAME, CHECKPOINT, PUBLISH};
    for (int m = 0; m < 3; m++) {
        int before = report.errors;
        scree_status status = put(r, 30, parts[m], &report);
        if (!status) files += m < 2;
        if (!status) continue;
        failures++;
        wrong += status != SCREE_E_IO || report.errors != before + 1;
        wrong += !strstr(report.messages[report.count - 1].text, strerror(EFBIG));
        wrong += !report.messages[report.count - 1].file;
        wrong += fixture_file_count(FOLDER) != 2 || (m < 2 && fixture_file_count(DATA) != files);
        wrong += frames_if_whole() != 3;
    }
    scr_results_destroy(r);
    series_end();
    scree_report_deinit(&report);
    return wrong ? 10 + wrong : failures > 0 ? 0 : 1;
}

static void full_disk(void)
{
    int failed_runs = 0;
    fixture_folder(FOLDER);
    for (rlim_t limit = 0; limit < 60000; limit = limit + limit / 4 + 100) {
        fixture_folder(FOLDER);
        write_results(20);
        fflush(stdout);
        pid_t child = fork();
        // exit, not _exit: the end of the program must survive the failures too
        if (child == 0) exit(child_full(limit));
        int end = child_end(child);
        CHECK(end == 0 || end == 1);
        failed_runs += end == 0;
        CHECK(frames_if_whole() >= 3);
    }
    CHECK(failed_runs > 10);
}

/* ---- damaged files ---- */

static char *bytes_of(const char *path, size_t *size)
{
    scree_report report;
    scree_report_init(&report);
    char *bytes = scr_file_read(path, (size_t)1 << 30, size, &report);
    scree_report_deinit(&report);
    return bytes;
}

static void put_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    fwrite(bytes, 1, size, out);
    fclose(out);
}

// reads everything; what counts is that it ends with a message and not otherwise
static bool some_error(void)
{
    scree_report report;
    double *data;
    size_t bodies;
    int width, count;
    scree_report_init(&report);
    scr_archive *a = scr_archive_open(PATH, &report);
    if (a) {
        for (int k = 0; k < scr_archive_frame_count(a); k++) {
            scr_archive_read(a, k, "position", &data, &bodies, &width, &report);
            free(data);
            scr_archive_views(a, k);
            scr_archive_faces(a, k, &count);
        }
        scr_world w;
        scr_world_init(&w);
        scr_archive_world(a, -1, &w, &report);
        scr_world_deinit(&w);
        scr_archive_close(a);
    }
    bool told = report.count > 0;
    scree_report_deinit(&report);
    return told;
}

static void damage_one(const char *path, scr_random *random)
{
    size_t size;
    char *bytes = bytes_of(path, &size);
    CHECK(bytes != NULL && !some_error());
    int silent = 0;
    for (size_t length = 0; length < size; length += length < 520 ? 13 : 211) {
        put_bytes(path, bytes, length);
        silent += !some_error();
    }
    CHECK_INT(silent, 0);
    char *copy = malloc(size);
    for (int k = 0; k < 200; k++) {
        memcpy(copy, bytes, size);
        for (int n = 0; n <= k % 4; n++) {
            size_t at = scr_random_bits(random) % size;
            copy[at] = (char)(copy[at] ^ (1 + scr_random_bits(random) % 255));
        }
        put_bytes(path, copy, size);
        silent += !some_error();
    }
    CHECK_INT(silent, 0);
    unlink(path);
    CHECK(some_error());
    put_bytes(path, bytes, size);
    CHECK(!some_error());
    free(copy), free(bytes);
}

static void damage(void)
{
    scr_random random = scr_random_stream(1, 1);
    fixture_folder(FOLDER);
    write_results(20);
    damage_one(PATH, &random);
    damage_one(DATA "/frame-00000001.h5", &random);
    damage_one(DATA "/checkpoint-20.h5", &random);

    // a whole file of another moment under a frame's name
    size_t size;
    char *bytes = bytes_of(DATA "/frame-00000001.h5", &size);
    put_bytes(DATA "/frame-00000002.h5", bytes, size);
    CHECK(some_error());
    free(bytes);
}

/* ---- many frames ---- */

static void many(void)
{
    scr_entries entries = {0}, back = {0};
    scree_report report;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    for (int k = 0; k < 1000; k++) {
        scr_entry e = {.step = 10 * k, .time = 0.1 * k, .bodies = 5, .digest = -k};
        snprintf(e.file, sizeof e.file, "frame-%08d.h5", k);
        scr_entries_add(&entries, &e);
    }
    double start = scr_seconds();
    scr_h5 *file = scr_h5_create(PATH, &report);
    scr_entries_write(file, "frames", "run.h5.data", &entries);
    double written = scr_seconds();
    CHECK_INT(scr_h5_finish(file, SCR_INDEX_KIND, "run.h5.data", NULL), SCREE_OK);
    printf("list of 1000 frames: %.1f ms to write\n", 1e3 * (written - start));
    CHECK(written - start < 0.5); /* measured 0.006 s; generous for sanitizers and a busy machine */
    file = scr_h5_open(PATH, SCR_INDEX_KIND, &report);
    CHECK_INT(scr_entries_read(file, "frames", "run.h5.data", &back), SCREE_OK);
    CHECK_INT(back.count, 1000);
    CHECK(back.count == 1000 && !memcmp(back.items, entries.items, 1000 * sizeof *back.items));
    scr_entries_deinit(&back);
    // links that lead elsewhere are not followed
    CHECK_INT(scr_entries_read(file, "frames", "another.data", &back), SCREE_E_INPUT);
    scr_h5_close(file);
    scr_entries_deinit(&back);
    scr_entries_deinit(&entries);
    scree_report_deinit(&report);
}

int main(void)
{
    writing_and_reading();
    refusals();
    continuing();
    renamed();
    two_beginners();
    left_over();
    continued_in_a_hurry();
    fallback();
    crashes();
    killed_while_writing();
    full_disk();
    damage();
    many();
    fixture_remove_tree(FOLDER);
    return check_done();
}
