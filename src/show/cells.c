#include "show/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "world/cells.h"

void scr_shown_cells_deinit(scr_shown_cells *s)
{
    scr_cell_faces_deinit(&s->of);
    free(s->open);
    free(s->first);
    free(s->point);
    free(s->offset);
    free(s->shown);
    free(s->moved);
    free(s->place);
    *s = (scr_shown_cells){0};
}

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "cells to show");
}

/* ---- corners of cells ---- */

// a face as a side of this cell is so far from where the mesh has it
static vec3 offset_of(const scr_polyhedra *m, size_t face, size_t cell)
{
    bool second = m->cells[2 * face] != (int32_t)cell;
    if (!m->shift || !second) return v3(0, 0, 0);
    return v3_scale(-1, v3_load(m->shift + 3 * face));
}

static bool same(vec3 a, vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// its place among the corners of the cell between `from` and `to`; `to` when it is not there
static uint32_t corner_find(const scr_shown_cells *s, uint32_t from, uint32_t to, uint32_t point, vec3 offset)
{
    while (from < to && !(s->point[from] == point && same(s->offset[from], offset))) from++;
    return from;
}

static uint32_t corner_of(const scr_shown_cells *s, size_t cell, uint32_t point, vec3 offset)
{
    return corner_find(s, s->first[cell], s->first[cell + 1], point, offset);
}

static bool corners_build(scr_shown_cells *s)
{
    const scr_polyhedra *m = s->mesh;
    size_t room = 2 * m->corner_count; // every face has two sides
    s->first = malloc((m->cell_count + 1) * sizeof *s->first);
    s->point = malloc((room + 1) * sizeof *s->point);
    s->offset = malloc((room + 1) * sizeof *s->offset);
    if (!s->first || !s->point || !s->offset) return false;
    uint32_t count = 0;
    for (size_t c = 0; c < m->cell_count; c++) {
        s->first[c] = count;
        for (uint32_t k = s->of.first[c]; k < s->of.first[c + 1]; k++) {
            size_t face = s->of.faces[k];
            vec3 offset = offset_of(m, face, c);
            for (uint32_t n = m->first[face]; n < m->first[face + 1]; n++) {
                if (corner_find(s, s->first[c], count, m->corners[n], offset) < count) continue;
                s->point[count] = m->corners[n];
                s->offset[count++] = offset;
            }
        }
    }
    s->first[m->cell_count] = count;
    return true;
}

/* ---- which of them are one point ---- */

static uint32_t root_of(uint32_t *parent, uint32_t k)
{
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a), b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// corners that face each other across a face that holds
static void join_faces(const scr_shown_cells *s, uint32_t *parent)
{
    const scr_polyhedra *m = s->mesh;
    for (size_t f = 0; f < m->face_count; f++) {
        if (s->open[f]) continue;
        size_t a = (size_t)m->cells[2 * f], b = (size_t)m->cells[2 * f + 1];
        for (uint32_t n = m->first[f]; n < m->first[f + 1]; n++)
            join(parent, corner_of(s, a, m->corners[n], v3(0, 0, 0)), corner_of(s, b, m->corners[n], v3(0, 0, 0)));
    }
}

static bool points_build(scr_shown_cells *s, bool rigid)
{
    uint32_t corners = s->first[s->mesh->cell_count];
    s->shown = malloc((corners + 1) * sizeof *s->shown);
    uint32_t *parent = malloc((corners + 1) * sizeof *parent);
    if (s->shown && parent) {
        for (uint32_t k = 0; k < corners; k++) parent[k] = k;
        if (!rigid) join_faces(s, parent);
        // a root is the smallest of its set, so it has its number already
        for (uint32_t k = 0; k < corners; k++) {
            uint32_t root = root_of(parent, k);
            s->shown[k] = root == k ? (uint32_t)s->point_count++ : s->shown[root];
        }
    }
    bool done = s->shown && parent;
    free(parent);
    return done;
}

/* ---- where they are ---- */

// 1, 2 or 5 times a power of ten, not above x
static double round_down(double x)
{
    double power = pow(10, floor(log10(x))), lead = x / power;
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

// largest difference of the displacements of two corners that follow each other, over their distance
static double steepest(const scr_shown_cells *s)
{
    const scr_polyhedra *m = s->mesh;
    double most = 0;
    for (size_t f = 0; f < m->face_count; f++) {
        uint32_t count = m->first[f + 1] - m->first[f];
        size_t cell = (size_t)m->cells[2 * f];
        for (uint32_t n = 0; n < count; n++) {
            uint32_t p = m->corners[m->first[f] + n], q = m->corners[m->first[f] + (n + 1) % count];
            vec3 edge = v3_sub(v3_load(m->points + 3 * (size_t)q), v3_load(m->points + 3 * (size_t)p));
            size_t a = s->shown[corner_of(s, cell, p, v3(0, 0, 0))];
            size_t b = s->shown[corner_of(s, cell, q, v3(0, 0, 0))];
            vec3 change = v3_sub(v3_load(s->moved + 3 * b), v3_load(s->moved + 3 * a));
            most = fmax(most, v3_norm(change) / v3_norm(edge));
        }
    }
    return most;
}

static double choose_warp(const scr_shown_cells *s)
{
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_scale(-1, low);
    for (size_t k = 0; k < s->mesh->point_count; k++) {
        vec3 p = v3_load(s->mesh->points + 3 * k);
        low = v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    double wanted = fmin(0.1 * v3_norm(v3_sub(high, low)) / s->largest, 0.5 / steepest(s));
    return isfinite(wanted) && wanted > 1 ? round_down(wanted) : 1;
}

typedef struct {
    double *displacement, *turn;
    scr_cell_shape *cells;
} motion;

static bool move_points(scr_shown_cells *s, const motion *from, double warp)
{
    const scr_polyhedra *m = s->mesh;
    uint32_t *members = calloc(s->point_count + 1, sizeof *members);
    s->moved = calloc(3 * s->point_count + 1, sizeof *s->moved);
    s->place = calloc(3 * s->point_count + 1, sizeof *s->place);
    if (!members || !s->moved || !s->place) {
        free(members);
        return false;
    }
    for (size_t c = 0; c < m->cell_count; c++)
        for (uint32_t k = s->first[c]; k < s->first[c + 1]; k++) {
            vec3 p = v3_add(v3_load(m->points + 3 * (size_t)s->point[k]), s->offset[k]);
            vec3 arm = v3_sub(p, from->cells[c].centre);
            vec3 u = v3_add(v3_load(from->displacement + 3 * c), scr_turn_less_one(quat_load(from->turn + 4 * c), arm));
            double *sum = s->moved + 3 * (size_t)s->shown[k];
            v3_store(sum, v3_add(v3_load(sum), u));
            v3_store(s->place + 3 * (size_t)s->shown[k], p);
            members[s->shown[k]]++;
        }
    for (size_t k = 0; k < s->point_count; k++) {
        vec3 u = v3_scale(1.0 / members[k], v3_load(s->moved + 3 * k));
        v3_store(s->moved + 3 * k, u);
        s->largest = fmax(s->largest, v3_norm(u));
    }
    s->warp = isnan(warp) ? choose_warp(s) : warp;
    for (size_t k = 0; k < 3 * s->point_count; k++) s->place[k] += s->warp * s->moved[k];
    free(members);
    return true;
}

/* ---- the whole ---- */

static scree_status open_faces(const scr_archive *a, int frame, scr_shown_cells *s, scree_report *report)
{
    const scr_polyhedra *m = s->mesh;
    int32_t *faces, *fates;
    scree_status status = scr_archive_broken(a, frame, &faces, &fates, &s->broken, report);
    if (status) return status;
    s->open = calloc(m->face_count + 1, sizeof *s->open);
    for (size_t f = 0; s->open && f < m->face_count; f++) {
        bool shifted = m->shift && !same(v3_load(m->shift + 3 * f), v3(0, 0, 0));
        s->open[f] = m->cells[2 * f + 1] == SCR_NO_CELL || shifted;
    }
    for (size_t k = 0; s->open && k < s->broken; k++) s->open[faces[k]] = true;
    free(faces), free(fates);
    return s->open ? SCREE_OK : no_memory(report);
}

static scree_status motion_read(const scr_archive *a, int frame, const scr_polyhedra *mesh, motion *m,
                                scree_report *report)
{
    int width[2];
    scree_status status = scr_archive_cells(a, frame, "displacement", &m->displacement, &width[0], report);
    if (!status) status = scr_archive_cells(a, frame, "turn", &m->turn, &width[1], report);
    if (status) return status;
    if (width[0] != 3 || width[1] != 4)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "displacements of cells have %d components and turns %d, not 3 and 4", width[0], width[1]);
    m->cells = scr_memory_new(mesh->cell_count, sizeof *m->cells);
    return m->cells && scr_polyhedra_shapes(mesh, m->cells, NULL) ? SCREE_OK : no_memory(report);
}

scree_status scr_shown_cells_read(const scr_archive *a, int frame, bool rigid, double warp, scr_shown_cells *s,
                                  scree_report *report)
{
    motion m = {0};
    *s = (scr_shown_cells){.mesh = scr_archive_mesh(a, NULL)};
    scree_status status = motion_read(a, frame, s->mesh, &m, report);
    if (!status) status = open_faces(a, frame, s, report);
    if (!status && !(scr_cell_faces_build(s->mesh, &s->of) && corners_build(s) && points_build(s, rigid) &&
                     move_points(s, &m, warp)))
        status = no_memory(report);
    free(m.displacement), free(m.turn);
    scr_memory_free(m.cells);
    return status;
}

uint32_t scr_shown_face(const scr_shown_cells *s, size_t face, size_t cell, uint32_t *corners)
{
    const scr_polyhedra *m = s->mesh;
    vec3 offset = offset_of(m, face, cell);
    uint32_t count = m->first[face + 1] - m->first[face];
    for (uint32_t n = 0; n < count; n++)
        corners[n] = s->shown[corner_of(s, cell, m->corners[m->first[face] + n], offset)];
    return count;
}
