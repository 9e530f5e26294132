/* Results of a small world for tests: frames and checkpoints every ten steps, two series. The test says
 * where, with FOLDER, before it includes this. */
#ifndef SCREE_TESTS_RESULTS_FIXTURE_H
#define SCREE_TESTS_RESULTS_FIXTURE_H

#include "check.h"
#include "observe/results.h"
#include "world_fixture.h"

#define PATH   FOLDER "/run.h5"
#define DATA   PATH ".data"
#define DATA2  PATH ".data2"
#define BODIES 50

static const char *const all_views[] = {"position", "radius", "velocity", "spin",  "force",     "torque",
                                        "mass",     "image",  "material", "group", "aggregate", "position"};

static const scr_column columns[] = {
    {"time", "s", "time"}, {"kinetic", "J", "kinetic energy"}, {"flow/rate", "kg/s", "mass flow"}, {0}};
static const scr_column other_columns[] = {{"time", "s", "time"}, {"height", "m", "height"}, {0}};

static scr_series the_series[2];

static const scr_results_scene the_scene = {"scenes/run.yaml", "scree: 1\n# title: no\ntitle: \"ü\"\n", "ü"};
static const scr_results_scene plain = {"s", "t", NULL};

static int past_rows; // that the first series begins with

static inline void series_start(void)
{
    scr_series_init(&the_series[0], "zz ledger", "ledger", columns);
    for (int k = 0; k < past_rows; k++) scr_series_add(&the_series[0], (double[]){-1, k, 0});
    scr_series_init(&the_series[1], "a/b", "probe", other_columns);
}

static inline void series_end(void)
{
    scr_series_deinit(&the_series[0]);
    scr_series_deinit(&the_series[1]);
}

// the world at a step: the same step is always the same world
static inline void world_at(scr_world *w, int64_t step)
{
    fixture_world(w, BODIES, (uint64_t)step);
    w->clock.step = step;
    w->clock.time = 0.001 * (double)step;
    w->walls[1].pose.shift.z = 0.01 * (double)step;
}

static inline void series_row(int64_t step)
{
    double t = 0.001 * (double)step;
    scr_series_add(&the_series[0], (double[]){t, 2 * t, 3 * t});
    scr_series_add(&the_series[1], (double[]){t, -t});
}

typedef enum { FRAME = 1, CHECKPOINT = 2, PUBLISH = 4 } what;

static inline scree_status put(scr_results *r, int64_t step, int parts, scree_report *report)
{
    scr_world w;
    world_at(&w, step);
    scree_status status = SCREE_OK;
    if (parts & FRAME) series_row(step);
    if (parts & FRAME) status = scr_results_frame(r, &w, all_views, 12, NULL, report);
    if (!status && (parts & CHECKPOINT)) status = scr_results_checkpoint(r, &w, report);
    if (!status && (parts & PUBLISH)) status = scr_results_publish(r, &w, the_series, 2, report);
    scr_world_deinit(&w);
    return status;
}

// results with frames at 0, 10, ..., last and checkpoints at the same steps
static inline void write_results(int64_t last)
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
static inline bool frame_is(const scr_archive *a, int frame, int64_t step)
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
        ok = !scr_archive_read(a, frame, v->name, &data, &bodies, &width, &report) && bodies == BODIES &&
             width == v->width && !strcmp(scr_archive_unit(a, frame, v->name), v->unit);
        const scr_field *f = scr_table_field(&w.bodies.table, v->field);
        for (int k = 0; ok && k < BODIES * v->width; k++) {
            size_t at = (size_t)order[k / v->width] * (size_t)f->width + (size_t)(v->first + k % v->width);
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
    ok = ok && faces == 3 && f[2].point.z == 0.01 * (double)step && f[2].wall == 1 && f[1].wall == 0;
    scree_report_deinit(&report);
    scr_world_deinit(&w);
    return ok;
}

// opens results and checks that everything they hold is whole; the number of frames, -1 when
// anything is wrong
static inline int frames_if_whole_at(const char *path)
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

// half of a file that a crashed run left
static inline void stray(const char *path)
{
    FILE *out = fopen(path, "w");
    if (out) fputs("half a file", out);
    if (out) fclose(out);
}

static inline int frames_if_whole(void)
{
    return frames_if_whole_at(PATH);
}

#endif
