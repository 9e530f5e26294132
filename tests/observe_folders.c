/* Whose data folder it is: an index may be renamed at any time and keeps its folder; what crashed runs
 * left is told from that and removed; of two runs on the same results only one writes. */
#include "check.h"

#include <sys/wait.h>

#include "base/os.h"
#include "observe/results_files.h"

#define FOLDER "folder_observe_folders"
#include "results_fixture.h"

#define DATA3 PATH ".data3"
#define KEPT  FOLDER "/kept.h5"

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
    // killed behind the last file of it
    mkdir(DATA, 0777);
    continue_once(PATH, 0);
    CHECK_INT(fixture_file_count(DATA), -1);
    CHECK_INT(fixture_file_count(FOLDER), 2);
    scree_report_deinit(&report);
}

// a run goes on from results that another one is just finishing: it must not take the old index for true
static void continued_in_a_hurry(void)
{
    int lost = 0;
    for (int round = 0; round < 10; round++) {
        scree_report report;
        scr_results *r = NULL;
        fixture_folder(FOLDER);
        // a long series: opening the index takes its time
        past_rows = 400000;
        write_results(20);
        past_rows = 0;
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

int main(void)
{
    renamed();
    two_beginners();
    left_over();
    continued_in_a_hurry();
    fixture_remove_tree(FOLDER);
    return check_done();
}
