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
#include "observe/results_files.h"
#include "world/checkpoint.h"

#define FOLDER "folder_observe_results"
#include "results_fixture.h"

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
    CHECK_INT(count, 12);
    const scr_series_info *s = scr_archive_series(a, &count);
    CHECK_INT(count, 2);
    CHECK_TEXT(s[0].name, "zz ledger");
    CHECK_TEXT(s[0].kind, "ledger");
    CHECK_INT(s[0].column_count, 3);
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
    CHECK_INT(scr_results_frame(r, &w, (const char *const[]){"colour"}, 1, NULL, &report), SCREE_E_INPUT);
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

static void age(const char *path)
{
    scree_report report;
    scree_report_init(&report);
    scr_h5 *file = scr_h5_create(path, &report);
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){SCR_CHECKPOINT_VERSION - 1}, 1);
    CHECK_INT(scr_h5_finish(file, SCR_CHECKPOINT_KIND, NULL, NULL), SCREE_OK);
    scree_report_deinit(&report);
}

// checkpoints of an older Scree: one message, however many there are
static void older(void)
{
    scree_report report;
    scr_world w;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    write_results(20);
    age(DATA "/checkpoint-10.h5"), age(DATA "/checkpoint-20.h5");
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK_INT(scr_archive_checkpoint_count(a), 2);
    scr_world_init(&w);
    CHECK_INT(scr_archive_world(a, -1, &w, &report), SCREE_E_INPUT);
    CHECK(report.count == 1 && strstr(report.messages[0].text, "was written by an older version of Scree"));
    CHECK(report.count == 1 && !strcmp(report.messages[0].file, PATH));
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
        unlink(PATH ".tmp"); // the next index would replace it; the count of files should not see it
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
    file = scr_h5_open(PATH, SCR_INDEX_KIND, NULL, &report);
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
    fallback();
    older();
    crashes();
    killed_while_writing();
    full_disk();
    damage();
    many();
    fixture_remove_tree(FOLDER);
    return check_done();
}
