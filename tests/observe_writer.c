/* Results that a thread of their own writes (observe/results.h): the same files, byte for byte, as without it; failures
 * are told at the next look and at the end, and leave whole results. */
#include "check.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define FOLDER "folder_observe_writer"
#include "results_fixture.h"

#define PLAIN FOLDER "/plain.h5"

static void write_run(const char *path, bool thread)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    series_start();
    CHECK_INT(scr_results_create(path, &plain, &r, &report), SCREE_OK);
    if (thread) CHECK(scr_results_thread(r));
    for (int64_t step = 0; step <= 100; step += 10)
        CHECK_INT(put(r, step, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
    CHECK_INT(scr_results_wait(r, &report), SCREE_OK);
    CHECK(scr_results_publishing(r) > 0);
    CHECK((scr_results_thread_seconds(r) > 0) == thread);
    scr_results_destroy(r);
    series_end();
    CHECK_INT(report.count, 0);
    scree_report_deinit(&report);
}

static void same_bytes(void)
{
    fixture_folder(FOLDER);
    write_run(PATH, true);
    write_run(PLAIN, false);
    CHECK_INT(system("diff -r " DATA " " PLAIN ".data"), 0);
    CHECK_INT(frames_if_whole(), 11);
    CHECK_INT(frames_if_whole_at(PLAIN), 11);
}

// frames that nobody waited for and no index names are gone
static void unpublished(void)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    series_start();
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_OK);
    CHECK(scr_results_thread(r));
    CHECK_INT(put(r, 0, FRAME | CHECKPOINT | PUBLISH, &report), SCREE_OK);
    for (int64_t step = 10; step <= 50; step += 10) CHECK_INT(put(r, step, FRAME, &report), SCREE_OK);
    scr_results_destroy(r);
    series_end();
    CHECK_INT(frames_if_whole(), 1);
    CHECK_INT(fixture_file_count(DATA), 2);
    scree_report_deinit(&report);
}

// nothing larger than `limit` can be written from step 30 on
static int child_full(rlim_t limit)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    series_start();
    if (scr_results_continue(PATH, &plain, 20, the_series, 2, &r, &report)) return 3;
    if (!scr_results_thread(r)) return 4;
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit rule = {limit, limit};
    setrlimit(RLIMIT_FSIZE, &rule);
    scree_status status = SCREE_OK;
    for (int64_t step = 30; !status && step <= 60; step += 10)
        status = put(r, step, FRAME | CHECKPOINT | PUBLISH, &report);
    if (!status) status = scr_results_wait(r, &report);
    if (status != SCREE_E_IO || report.errors != 1) return 5;
    // told once, and then it can be tried again
    if (scr_results_wait(r, &report) || report.errors != 1) return 6;
    scr_results_destroy(r);
    series_end();
    scree_report_deinit(&report);
    return 0;
}

static void full_disk(void)
{
    for (rlim_t limit = 1000; limit < 12000; limit += 3000) {
        fixture_folder(FOLDER);
        write_results(20);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) exit(child_full(limit));
        int state = -1;
        CHECK(waitpid(child, &state, 0) == child && WIFEXITED(state));
        CHECK_INT(WEXITSTATUS(state), 0);
        CHECK_INT(frames_if_whole(), 3);
        CHECK_INT(fixture_file_count(FOLDER), 2);
        CHECK_INT(fixture_file_count(DATA), 3 + 2);
    }
}

int main(void)
{
    same_bytes();
    unpublished();
    full_disk();
    fixture_remove_tree(FOLDER);
    return check_done();
}
