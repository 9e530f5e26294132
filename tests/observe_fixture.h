/* Worlds made by hand for tests of observers: grains one by one, contacts as a stepper would tell them, and a
 * sample of an observer whose definition is read from text as in a scene. */
#ifndef SCREE_TESTS_OBSERVE_FIXTURE_H
#define SCREE_TESTS_OBSERVE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "build/schema.h"
#include "check.h"
#include "observe/observer.h"

typedef struct {
    scr_world world;
    scr_contact_row *rows;
    size_t row_count;
} sight;

static inline void sight_open(sight *s, vec3 lower, vec3 upper)
{
    *s = (sight){0};
    scr_world_init(&s->world);
    s->world.domain = (scr_domain){.lower = lower, .upper = upper};
    s->world.gravity = v3(0, 0, -9.81);
    s->world.group_count = 2;
    s->world.groups = calloc(2, sizeof *s->world.groups);
    s->world.groups[0].name = strdup("sand");
    s->world.groups[1].name = strdup("gravel");
    s->world.clock.time = 0.5;
    s->world.clock.skin = 1e-3;
}

static inline void sight_close(sight *s)
{
    scr_world_deinit(&s->world);
    free(s->rows);
}

/* A grain of density 1000 in group 0; its row. */
static inline size_t sight_grain(sight *s, vec3 x, double r, vec3 v)
{
    scr_bodies *b = &s->world.bodies;
    scr_table_reserve(&b->table, b->table.count + 1);
    size_t i = b->table.count++;
    b->mass[i] = 1000 * 4.0 / 3 * M_PI * r * r * r;
    v3_store(b->place + 4 * i, x);
    v3_store(b->motion + 4 * i, v);
    memcpy(b->anchor + 4 * i, b->place + 4 * i, 3 * sizeof(double));
    b->place[4 * i + 3] = r;
    b->motion[4 * i + 3] = 1 / b->mass[i];
    b->id[i] = (int64_t)i + 1;
    return i;
}

static inline void sight_contact(sight *s, int32_t i, int32_t j, vec3 branch, vec3 force)
{
    s->rows = realloc(s->rows, (s->row_count + 1) * sizeof *s->rows);
    s->rows[s->row_count++] =
        (scr_contact_row){.body = {i, j}, .branch = branch, .normal = v3_unit(branch), .force = force};
}

/* One column of an observer written as `text`, e.g. "type: profile, axis: x"; `room` numbers at most, the rest
 * becomes NaN. Errors of the definition are failed checks. */
static inline void sight_sample(sight *s, const char *text, const char *column, double *out, int room)
{
    char scene[2048];
    scree_report report;
    scree_report_init(&report);
    for (int k = 0; k < room; k++) out[k] = NAN;
    snprintf(scene, sizeof scene,
             "scree: 1\ndomain: {box: [[0, 0, 0], [1, 1, 1]]}\nmaterials: {m: {density: 1000}}\n"
             "bodies: {sand: {from: lattice, material: m, radius: 0.1}}\ntime: {end: 1}\n"
             "observers: {it: {%s}}\n",
             text);
    scr_scene *read = scr_scene_parse(scene, "test.yaml", scr_schema_get(), NULL, 0, &report);
    CHECK(read != NULL);
    const scr_item *item = read ? scr_scene_find(read, "observers", "it") : NULL;
    const scr_observer *o = item ? scr_observer_find(item->variant->name) : NULL;
    scr_series series = {0};
    bool found = false;
    if (o && o->check) o->check(&s->world, read, item, &report);
    CHECK_INT(report.errors, 0);
    if (o && !report.errors) {
        scr_scene_view view = {.world = &s->world, .rows = s->rows, .row_count = s->row_count, .name = "it"};
        if (o->open) CHECK_INT(o->open(&s->world, "it", item->variant_def, &report), SCREE_OK);
        CHECK(scr_observer_layout(o, &(scr_step){.world = &s->world}, item->variant_def, "it", &series));
        // all numbers of the row are written, and none behind it
        const double unwritten = -0x1.badbadp+100;
        double *row = malloc((series.width + 1) * sizeof *row);
        for (size_t k = 0; k <= series.width; k++) row[k] = unwritten;
        CHECK(o->sample(&view, item->variant_def, row));
        for (size_t k = 0; k < series.width; k++) CHECK(row[k] != unwritten);
        CHECK(row[series.width] == unwritten);
        for (int c = 0; c < series.column_count; c++) {
            if (strcmp(series.columns[c].name, column)) continue;
            found = true;
            for (int k = 0; k < room && k < series.columns[c].width; k++)
                out[k] = row[series.columns[c].first + (size_t)k];
        }
        free(row);
    }
    CHECK(found);
    scree_report_print(&report, stdout);
    scr_series_deinit(&series);
    scr_scene_destroy(read);
    scree_report_deinit(&report);
}

static inline double sight_number(sight *s, const char *text, const char *column)
{
    double value;
    sight_sample(s, text, column, &value, 1);
    return value;
}

#endif
