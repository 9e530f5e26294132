/* An elastic solid that is put to rest (scree equilibrate), for tests of statics. */
#ifndef SCREE_TESTS_STATICS_FIXTURE_H
#define SCREE_TESTS_STATICS_FIXTURE_H

#include <stdarg.h>
#include <stdlib.h>

#include "check.h"
#include "run/simulation.h"

typedef struct {
    scree_scene *scene;
    scree_simulation *sim;
    scree_report report;
} body;

static const char head[] = "scree: 1\n"
                           "domain: {box: [[-100, -100, -100], [100, 100, 100]]}\n"
                           "time: {end: 1 s}\n"
                           "stepper: elastic\n";

static inline scree_status try_open(body *b, const char *format, va_list list)
{
    char rest[4000], text[6000];
    vsnprintf(rest, sizeof rest, format, list);
    snprintf(text, sizeof text, "%s%s", head, rest);
    *b = (body){0};
    scree_report_init(&b->report);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.threads = 1, def.statics = true;
    scree_status status = scree_scene_parse(text, "statics.yaml", NULL, 0, &b->scene, &b->report);
    return status ? status : scree_simulation_create(b->scene, &def, &b->sim, &b->report);
}

static inline void shut(body *b)
{
    scree_simulation_destroy(b->sim);
    scree_scene_close(b->scene);
    scree_report_deinit(&b->report);
}

static inline body open_body(const char *format, ...)
{
    body b;
    va_list list;
    va_start(list, format);
    scree_status status = try_open(&b, format, list);
    va_end(list);
    CHECK_INT(status, SCREE_OK);
    if (!status) return b;
    scree_report_print(&b.report, stdout);
    exit(check_done());
}

static inline void advance(body *b, int64_t steps)
{
    scree_status status = scree_simulation_advance(b->sim, steps, &b->report);
    CHECK_INT(status, SCREE_OK);
    if (!status) return;
    scree_report_print(&b->report, stdout);
    exit(check_done());
}

static inline const scr_cells *cells_of(const body *b)
{
    return &b->sim->world.cells;
}

static inline vec3 displacement(const body *b, size_t k)
{
    return v3_load(cells_of(b)->displacement + 4 * k);
}

#endif
