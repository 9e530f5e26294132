/* A stage for physics tests: grains written one by one, put through the public API as a scene of
 * text and a table.
 *
 * In the text '@' stands for the file of the grains: `bodies: {all: {from: table, file: @,
 * material: glass}}`. Grains are numbered from 1 in the order given unless they carry an id, so
 * views come in that order. */
#ifndef SCREE_TESTS_STAGE_H
#define SCREE_TESTS_STAGE_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "scree/scree.h"

typedef struct {
    double x[3], radius;
    double v[3], w[3];
    int type; /* column `type`; 0: 1 */
    int64_t id;
} grain;

typedef struct {
    scree_scene *scene;
    scree_simulation *sim;
    scree_report report;
} stage;

/* Starts the program anew with threads that sleep while they wait: more threads than cores, or busy
 * cores, would spend their time spinning. To be called first in main. */
static inline void stage_wait_passively(char **argv)
{
    if (getenv("OMP_WAIT_POLICY")) return;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);
}

static inline void stage_write_grains(const char *path, const grain *g, int n)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        CHECK(!"the table of grains can be written");
        return;
    }
    fprintf(f, "id,type,radius,x,y,z,vx,vy,vz,wx,wy,wz\n");
    for (int k = 0; k < n; k++) {
        fprintf(f, "%lld,%d,%.17g", (long long)(g[k].id ? g[k].id : k + 1), g[k].type ? g[k].type : 1, g[k].radius);
        const double *rows[3] = {g[k].x, g[k].v, g[k].w};
        for (int r = 0; r < 9; r++) fprintf(f, ",%.17g", rows[r / 3][r % 3]);
        fputc('\n', f);
    }
    CHECK(fclose(f) == 0);
}

// text with every '@' replaced; the caller frees it
static inline char *stage_fill(const char *text, const char *file)
{
    char *out = malloc(strlen(text) + 32 * strlen(file) + 1), *to = out;
    for (const char *c = text; *c; c++) {
        if (*c == '@')
            to = stpcpy(to, file);
        else
            *to++ = *c;
    }
    *to = 0;
    return out;
}

static inline void stage_close(stage *s)
{
    scree_simulation_destroy(s->sim);
    scree_scene_close(s->scene);
    scree_report_deinit(&s->report);
    *s = (stage){0};
}

/* True when the simulation is ready; a scene that does not open is a failed check. */
static inline bool stage_open_threads(stage *s, int threads, const grain *g, int n, const char *format, va_list args)
{
    *s = (stage){0};
    scree_report_init(&s->report);
    char text[8192], file[64];
    vsnprintf(text, sizeof text, format, args);
    snprintf(file, sizeof file, "stage-%ld.csv", (long)getpid());
    char *filled = stage_fill(text, file);
    stage_write_grains(file, g, n);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true;
    def.threads = threads;
    scree_status status = scree_scene_parse(filled, "stage.yaml", NULL, 0, &s->scene, &s->report);
    if (!status) status = scree_simulation_create(s->scene, &def, &s->sim, &s->report);
    free(filled);
    unlink(file);
    CHECK(status == SCREE_OK);
    if (!status) return true;
    scree_report_print(&s->report, stdout);
    stage_close(s);
    return false;
}

static inline bool stage_open(stage *s, const grain *g, int n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool ok = stage_open_threads(s, 1, g, n, format, args);
    va_end(args);
    return ok;
}

static inline void stage_advance(stage *s, int64_t steps)
{
    scree_status status = scree_simulation_advance(s->sim, steps, &s->report);
    if (!status) return;
    CHECK(!"the step succeeds");
    scree_report_print(&s->report, stdout);
    exit(check_done());
}

/* A scene without grains of a table, by one thread; with `load_steps`, as many of statics have been done. */
static inline bool stage_solid(stage *s, int64_t load_steps, const char *format, ...)
{
    *s = (stage){0};
    scree_report_init(&s->report);
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.threads = 1, def.statics = load_steps > 0;
    scree_status status = scree_scene_parse(text, "solid.yaml", NULL, 0, &s->scene, &s->report);
    if (!status) status = scree_simulation_create(s->scene, &def, &s->sim, &s->report);
    if (!status) status = scree_simulation_advance(s->sim, load_steps, &s->report);
    CHECK_INT(status, SCREE_OK);
    if (!status) return true;
    scree_report_print(&s->report, stdout);
    stage_close(s);
    return false;
}

static inline int64_t stage_contacts(const stage *s)
{
    return scree_simulation_stats(s->sim).contacts;
}

/* One view of all grains in the order of ids, `room` numbers at most. */
static inline void stage_view(stage *s, const char *view, double *out, int room)
{
    double *data = NULL;
    int64_t n = 0;
    int width = 0;
    for (int k = 0; k < room; k++) out[k] = NAN;
    if (scree_simulation_read(s->sim, view, &data, &n, &width, &s->report)) return;
    for (int k = 0; k < room && k < n * width; k++) out[k] = data[k];
    free(data);
}

/* Steps until contact begins and ends again, `most` steps at most; true when both happened. */
static inline bool stage_collide(stage *s, int most)
{
    int k = 0;
    while (k < most && stage_contacts(s) == 0) stage_advance(s, 1), k++;
    while (k < most && stage_contacts(s) > 0) stage_advance(s, 1), k++;
    CHECK(k < most);
    return k < most;
}

#endif
