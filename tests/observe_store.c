/* How frames are stored (base/h5_store.h): what does not change is written once, numbers may be rounded and compressed,
 * and all of it comes back; what a frame shares must be in a file of the index. */
#include "check.h"

#include <math.h>

#define FOLDER "folder_observe_store"
#include "results_fixture.h"

enum { MANY = 40000 }; // more than a chunk

static const char *const fields[] = {"position", "radius", "velocity", "mass", "group"};

// grains that move and do not change
static void many_at(scr_world *w, int64_t step)
{
    fixture_world(w, MANY, 1);
    w->clock.step = step;
    w->clock.time = 0.001 * (double)step;
    for (size_t k = 0; k < MANY; k++)
        for (int c = 0; c < 3; c++) w->bodies.place[4 * k + c] += 1e-3 * (double)step * w->bodies.motion[4 * k + c];
    // from step 30 on one of them is larger
    if (step >= 30) w->bodies.place[3] *= 2;
}

static scree_status put_many(scr_results *r, int64_t step, scree_report *report)
{
    scr_world w;
    many_at(&w, step);
    scree_status status = scr_results_frame(r, &w, fields, 5, NULL, report);
    if (!status) status = scr_results_checkpoint(r, &w, report);
    if (!status) status = scr_results_publish(r, &w, NULL, 0, report);
    scr_world_deinit(&w);
    return status;
}

static double value(double x, bool single)
{
    return single ? (double)(float)x : x;
}

static bool frame_matches(const scr_archive *a, int frame, int64_t step, bool single)
{
    scr_world w;
    scree_report report;
    static uint32_t order[MANY];
    scree_report_init(&report);
    many_at(&w, step);
    scr_bodies_by_id(&w.bodies, order);
    bool ok = true;
    for (const scr_view *v = scr_body_views; v->name; v++) {
        double *data = NULL;
        size_t rows;
        int width;
        bool asked = !strcmp(v->name, "id");
        for (int k = 0; k < 5; k++) asked |= !strcmp(v->name, fields[k]);
        if (!asked) continue;
        const scr_field *f = scr_table_field(&w.bodies.table, v->field);
        const char *array = scr_table_array(&w.bodies.table, f);
        ok &= !scr_archive_read(a, frame, v->name, &data, &rows, &width, &report) && rows == MANY && width == v->width;
        ok &= !strcmp(scr_archive_unit(a, frame, v->name), v->unit);
        for (size_t k = 0; ok && k < rows * (size_t)width; k++) {
            size_t at = order[k / (size_t)width] * (size_t)f->width + (size_t)v->first + k % (size_t)width;
            double want = f->type == SCR_F64   ? value(((const double *)array)[at], single)
                          : f->type == SCR_I64 ? (double)((const int64_t *)array)[at]
                                               : (double)((const int32_t *)array)[at];
            ok = data[k] == want;
        }
        free(data);
    }
    scree_report_print(&report, stdout);
    scree_report_deinit(&report);
    scr_world_deinit(&w);
    return ok;
}

static long file_size(const char *name)
{
    struct stat info;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", DATA, name);
    return stat(path, &info) ? -1 : (long)info.st_size;
}

static void write_many(bool single, bool compress, int64_t last)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    CHECK_INT(scr_results_create(PATH, &plain, &r, &report), SCREE_OK);
    scr_results_store_set(r, single, compress);
    CHECK(scr_results_thread(r));
    for (int64_t step = 0; step <= last; step += 10) CHECK_INT(put_many(r, step, &report), SCREE_OK);
    CHECK_INT(scr_results_wait(r, &report), SCREE_OK);
    scr_results_destroy(r);
    CHECK_INT(report.count, 0);
    scree_report_deinit(&report);
}

// frames 0, 10, ..., 50; the state is exact whatever frames are
static void check_many(bool single)
{
    scree_report report;
    scree_report_init(&report);
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK(a != NULL);
    CHECK_INT(scr_archive_frame_count(a), 6);
    for (int k = 5; k >= 0; k--) CHECK(frame_matches(a, k, 10 * k, single));
    scr_world w, want;
    scr_world_init(&w);
    many_at(&want, 50);
    CHECK_INT(scr_archive_world(a, -1, &w, &report), SCREE_OK);
    CHECK(scr_world_digest(&w) == scr_world_digest(&want));
    scr_world_deinit(&w);
    scr_world_deinit(&want);
    scr_archive_close(a);
    scree_report_deinit(&report);
}

static void kinds(void)
{
    // bytes of a frame behind the first: position and velocity
    const double full = 48 * MANY;
    for (int kind = 0; kind < 4; kind++) {
        bool single = kind & 1, compress = kind & 2;
        write_many(single, compress, 50);
        check_many(single);
        double first = (double)file_size("frame-00000000.h5"), later = (double)file_size("frame-00000001.h5");
        double changed = (double)file_size("frame-00000003.h5");
        // measured with compression: 1.16 and 1.2 times smaller
        CHECK(later < full / (single ? 2 : 1) / (compress ? 1.08 : 1) + 40000);
        CHECK(first > later + (single ? 2 : 8) * MANY / 2);
        // the radius was written again, the rest was not
        CHECK(changed > later && changed < first);
        CHECK(fabs((double)file_size("frame-00000004.h5") - later) < 0.01 * later);
    }
}

// a run that goes on writes anew what it does not know, and a frame that takes another's place needs it not
static void continued(void)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    write_many(false, true, 50);
    CHECK_INT(scr_results_continue(PATH, &plain, 20, NULL, 0, &r, &report), SCREE_E_INPUT); // thinned out
    scree_report_deinit(&report);
    scree_report_init(&report);
    CHECK_INT(scr_results_continue(PATH, &plain, 40, NULL, 0, &r, &report), SCREE_OK);
    scr_results_store_set(r, false, true);
    // the frame of step 40 again, twice: those before are removed
    CHECK_INT(put_many(r, 40, &report), SCREE_OK);
    CHECK_INT(put_many(r, 40, &report), SCREE_OK);
    CHECK_INT(put_many(r, 50, &report), SCREE_OK);
    scr_results_destroy(r);
    check_many(false);
    CHECK_INT(fixture_file_count(DATA), 6 + 2);
    CHECK_INT(report.count, 0);
    scree_report_deinit(&report);
}

// the first frame is gone: those that need it say so
static void missing(void)
{
    scree_report report;
    double *data;
    size_t rows;
    int width;
    scree_report_init(&report);
    write_many(false, true, 20);
    remove(DATA "/frame-00000000.h5");
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK(a != NULL);
    CHECK_INT(scr_archive_read(a, 1, "position", &data, &rows, &width, &report), SCREE_E_INPUT);
    CHECK(report.count == 1 && strstr(report.messages[0].text, "frame-00000000.h5 is missing"));
    scr_archive_close(a);
    scree_report_deinit(&report);
}

int main(void)
{
    kinds();
    continued();
    missing();
    fixture_remove_tree(FOLDER);
    return check_done();
}
