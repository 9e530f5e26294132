/* Seismograms: displacement, velocity and turn of the cells of elastic solids at points, or the mean over a patch.
 *
 * With `surface` the point is the centre of the nearest free face, and what the cell's change of volume does there is
 * added (docs/theory-elastic.md, free faces): with h the face's height above the cell's pivot, n its normal as it has
 * turned, and sigma_n the traction on it,
 *
 *   u = u_cell + (R - 1) r + h (sigma_n - lambda eps)/(2 mu) n.                                     (1)
 *
 * A traction's entry has swell = S h sigma_n/(2 mu). The velocity is that of the point as part of the cell, without
 * the rate of the last term. */
#include "observe/receiver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "math/elementary.h"

typedef struct {
    scr_matrix at;
    char *patch, *solid;
    bool surface;
} receiver_def;

static const scr_column time_column = {"time", "s", "time"};
static const scr_column place_columns[] = {
    {"ux", "m", "displacement since the reference state"},
    {"uy", "m", "displacement"},
    {"uz", "m", "displacement"},
    {"vx", "m/s", "velocity"},
    {"vy", "m/s", "velocity"},
    {"vz", "m/s", "velocity"},
    {"rx", "rad", "rotation since the reference state: the direction is the axis, the length the angle"},
    {"ry", "rad", "turn"},
    {"rz", "rad", "turn"},
    {0},
};
#define COLUMNS 9

static int places_of(const receiver_def *d)
{
    return d->patch ? 1 : d->at.count;
}

// of one place the columns are ux, ...; of several ux1, ..., ux2, ...
static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    (void)world;
    int places = places_of(def);
    if (!scr_series_column_add(series, &time_column, false)) return false;
    for (int k = 0; k < places; k++)
        for (const scr_column *c = place_columns; c->name; c++) {
            char name[16];
            scr_column column = *c;
            snprintf(name, sizeof name, "%s%d", c->name, k + 1);
            if (places > 1) column.name = name;
            if (!scr_series_column_add(series, &column, false)) return false;
        }
    return true;
}

/* ---- finding the cells ---- */

typedef struct {
    const scr_world *world;
    const receiver_def *def;
    int solid; // -1: all
} search;

static bool fits(const search *s, size_t cell)
{
    return s->solid < 0 || s->world->cells.solid[cell] == s->solid;
}

static bool is_free(const search *s, size_t face)
{
    const scr_world *w = s->world;
    return w->mesh.cells[2 * face + 1] == SCR_NO_CELL && w->border[face] == SCR_BORDER_FREE &&
           fits(s, (size_t)w->mesh.cells[2 * face]);
}

static scr_receiver_entry cell_entry(const search *s, size_t cell, double weight)
{
    return (scr_receiver_entry){
        .cell = (uint32_t)cell, .weight = weight, .point = scr_cell_pivot(&s->world->cells, cell)};
}

// its weight is the area
static scr_receiver_entry face_entry(const search *s, size_t face)
{
    size_t cell = (size_t)s->world->mesh.cells[2 * face];
    scr_face_shape f = scr_polyhedra_face(&s->world->mesh, face);
    scr_receiver_entry e = cell_entry(s, cell, f.area);
    e.height = v3_dot(v3_sub(f.centre, e.point), f.normal);
    e.point = f.centre, e.normal = f.normal, e.area = f.area;
    return e;
}

// the nearest cell, or free face; false when there is none
static bool nearest(const search *s, vec3 x, scr_receiver_entry *entry)
{
    const scr_world *w = s->world;
    scr_nearest_point n = scr_nearest_to(x);
    for (size_t k = 0; s->def->surface && k < w->mesh.face_count; k++)
        if (is_free(s, k)) scr_nearest_point_offer(&n, k, scr_polyhedra_face(&w->mesh, k).centre);
    for (size_t k = 0; !s->def->surface && k < w->cells.table.count; k++)
        if (fits(s, k)) scr_nearest_point_offer(&n, k, scr_cell_pivot(&w->cells, k));
    if (n.best == SIZE_MAX) return false;
    *entry = s->def->surface ? face_entry(s, n.best) : cell_entry(s, n.best, 1);
    entry->weight = 1;
    return true;
}

static bool add_places(const search *s, scr_receiver *r)
{
    const scr_matrix *at = &s->def->at;
    r->first = calloc((size_t)at->count + 1, sizeof *r->first);
    r->entries = calloc((size_t)at->count + 1, sizeof *r->entries);
    if (!r->first || !r->entries) return false;
    for (int k = 0; k < at->count; k++) {
        if (nearest(s, v3_load(at->rows + 3 * k), &r->entries[k])) r->first[k + 1] = 1;
        r->first[k + 1] += r->first[k];
        const scr_receiver_entry *e = &r->entries[k];
        scr_say("observer %s: cell %u, %s(%.6g, %.6g, %.6g) m", r->name, e->cell,
                s->def->surface ? "the centre of its face at " : "at ", e->point.x, e->point.y, e->point.z);
    }
    r->place_count = at->count;
    return true;
}

// by volume, or by the area of faces
static bool add_patch(const search *s, scr_receiver *r)
{
    const scr_world *w = s->world;
    const scr_patch *patch = &w->patches[scr_patch_find(w, s->def->patch)];
    size_t room = s->def->surface ? patch->face_count : patch->cell_count;
    r->first = calloc(2, sizeof *r->first);
    r->entries = calloc(room + 1, sizeof *r->entries);
    if (!r->first || !r->entries) return false;
    double sum = 0;
    for (size_t k = 0; k < room; k++) {
        if (s->def->surface && is_free(s, patch->faces[k]))
            r->entries[r->first[1]++] = face_entry(s, patch->faces[k]);
        else if (!s->def->surface && fits(s, patch->cells[k]))
            r->entries[r->first[1]++] = cell_entry(s, patch->cells[k], scr_cell_volume(&w->cells, patch->cells[k]));
    }
    for (int k = 0; k < r->first[1]; k++) sum += r->entries[k].weight;
    for (int k = 0; k < r->first[1]; k++) r->entries[k].weight /= sum;
    r->place_count = 1;
    return true;
}

// whether there is anything to listen to
static bool finds(const search *s)
{
    const scr_world *w = s->world;
    const scr_patch *p = s->def->patch ? &w->patches[scr_patch_find(w, s->def->patch)] : NULL;
    bool faces = s->def->surface;
    size_t count = p ? (faces ? p->face_count : p->cell_count) : (faces ? w->mesh.face_count : w->cells.table.count);
    for (size_t n = 0; n < count; n++) {
        size_t k = p ? (faces ? p->faces[n] : p->cells[n]) : n;
        if (faces ? is_free(s, k) : fits(s, k)) return true;
    }
    return false;
}

static scree_status open(scr_world *world, const char *name, const void *def, scree_report *report)
{
    const receiver_def *d = def;
    search s = {.world = world, .def = d, .solid = d->solid ? scr_solid_find(world, d->solid) : -1};
    scr_receiver *r = scr_receiver_add(world, name);
    bool good = r && (d->patch ? add_patch(&s, r) : add_places(&s, r));
    return good ? SCREE_OK : scr_no_memory(report, "the observer %s", name);
}

/* ---- looking ---- */

// the first entry of a load on this cell; entries are in the order of cells
static size_t first_entry(const scr_load *load, uint32_t cell)
{
    size_t low = 0, high = load->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (load->entries[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// h sigma_n/(2 mu) of the tractions on this face
static double pulled(const scr_world *w, const scr_receiver_entry *e)
{
    double sum = 0;
    vec3 arm = v3_sub(e->point, v3_load(w->cells.home + 4 * (size_t)e->cell));
    for (int k = 0; k < w->load_count; k++) {
        const scr_load *load = &w->loads[k];
        double factor = scr_signal_now(w, &load->signal);
        for (size_t n = first_entry(load, e->cell); n < load->entry_count && load->entries[n].cell == e->cell; n++) {
            vec3 gap = v3_sub(load->entries[n].arm, arm);
            if (v3_norm(gap) < 1e-9 * e->height) sum += factor * load->entries[n].swell / e->area;
        }
    }
    return sum;
}

// (1)
static vec3 moved(const scr_world *w, const scr_receiver_entry *e)
{
    const scr_cells *c = &w->cells;
    vec3 u = scr_cell_point_displacement(c, e->cell, e->point);
    if (e->height == 0) return u;
    double nu = w->materials[w->solids[c->solid[e->cell]].material].poisson;
    double out = pulled(w, e) - e->height * nu / (1 - 2 * nu) * c->bulk[2 * (size_t)e->cell + 1];
    return v3_axpy(u, out, quat_turn(scr_cell_turn(c, e->cell), e->normal));
}

// its length is below 2 pi
static vec3 rotation(quat q)
{
    vec3 v = v3(q.x, q.y, q.z);
    double s = v3_norm(v);
    return s > 0 ? v3_scale(2 * scr_atan2(s, q.w) / s, v) : v;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    const scr_receiver *r = scr_receiver_find(w, view->name);
    int places = places_of(def);
    *row++ = w->clock.time;
    for (int k = 0; k < COLUMNS * places; k++) row[k] = r && k / COLUMNS < r->place_count ? 0 : NAN;
    for (int k = 0; r && k < places && k < r->place_count; k++, row += COLUMNS)
        for (int n = r->first[k]; n < r->first[k + 1]; n++) {
            const scr_receiver_entry *e = &r->entries[n];
            quat q = scr_cell_turn(&w->cells, e->cell);
            vec3 home = v3_load(w->cells.home + 4 * (size_t)e->cell);
            vec3 arm = quat_turn(q, v3_sub(e->point, home));
            vec3 v = v3_add(v3_load(w->cells.velocity + 4 * (size_t)e->cell),
                            v3_cross(scr_cell_spin(&w->cells, e->cell), arm));
            v3_store(row, v3_axpy(v3_load(row), e->weight, moved(w, e)));
            v3_store(row + 3, v3_axpy(v3_load(row + 3), e->weight, v));
            v3_store(row + 6, v3_axpy(v3_load(row + 6), e->weight, rotation(q)));
        }
    return true;
}

/* ---- what can be wrong ---- */

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const receiver_def *d = item->variant_def;
    scree_place whole = scr_item_place(scene, item, NULL);
    if (!world->solid_count)
        scr_fail(report, SCREE_E_INPUT, whole, "observers.%s: there are no elastic solids to record", item->name);
    if ((d->at.count > 0) == (d->patch != NULL))
        scr_fail(report, SCREE_E_INPUT, whole, "observers.%s: give either at or patch", item->name);
    if (d->at.count && d->at.width != 3)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "at"),
                 "observers.%s.at has rows of %d numbers, must be points [x, y, z]", item->name, d->at.width);
    int solid = d->solid ? scr_solid_find(world, d->solid) : -1;
    if (d->solid && solid < 0)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "solid"),
                 "observers.%s.solid is '%.60s', which is not defined under solids", item->name, d->solid);
    int patch = d->patch ? scr_patch_find(world, d->patch) : -1;
    if (d->patch && patch < 0)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "patch"),
                 "observers.%s.patch is '%.60s', which is not defined under patches", item->name, d->patch);
    search s = {.world = world, .def = d, .solid = solid};
    if (!world->solid_count || (d->solid && solid < 0) || (d->patch && patch < 0) || finds(&s)) return;
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, d->solid ? "solid" : "surface"),
             "observers.%s has nothing to record: %s%s has no %s%s%s", item->name,
             d->patch ? "the patch " : "this scene", d->patch ? d->patch : "",
             d->surface ? "free faces (those of planes of symmetry are not)" : "cells",
             d->solid ? " of the solid " : "", d->solid ? d->solid : "");
}

static const scr_param params[] = {
    {"at", "point points", SCR_MATRIX, "m,m,m", "", NULL, offsetof(receiver_def, at),
     "A point [x, y, z], or a list of points, in the reference state: the cell whose centre (in a "
     "Voronoi mesh: whose seed) is nearest is recorded, at this point. With several points the columns are numbered: "
     "ux1, ..., ux2, ...",
     NULL},
    {"patch", NULL, SCR_TEXT, NULL, "", NULL, offsetof(receiver_def, patch),
     "Name of a patch: the mean over its cells by volume, or with surface over its faces by area.", NULL},
    {"solid", NULL, SCR_TEXT, NULL, "", NULL, offsetof(receiver_def, solid), "Only cells of this solid. Default: all.",
     NULL},
    {"surface", NULL, SCR_BOOL, NULL, "false", NULL, offsetof(receiver_def, surface),
     "At the centre of the nearest free face rather than of a cell. The displacement includes the effect of the cell's "
     "change of volume; the velocity is that of the point as part of the cell, "
     "without the rate of this change.",
     NULL},
    {0},
};

const scr_observer scr_receiver_observer = {
    .variant = {"receiver",
                "Seismogram: displacement, velocity and rotation of cells of elastic solids, at points "
                "or as the mean over a patch.",
                params, sizeof(receiver_def)},
    .layout = layout,
    .open = open,
    .check = check,
    .sample = sample,
};
