#include "collide/hulls.h"

#include <string.h>

#include "base/buffer.h"
#include "math/elementary.h"

#define WARPED 1e-9 /* of the size: corners farther from the face's plane are not flat */

void scr_hulls_deinit(scr_hulls *h)
{
    scr_free_all(h->cell, h->shape, h->start, h->of_cell, h->of_face, h->corners, h->normal, h->offset);
    scr_free_all(h->top, h->share, h->point, h->face, h->free, h->first, h->around, h->edges);
    scr_cell_faces_deinit(&h->faces);
    *h = (scr_hulls){0};
}

/* ---- what is free ---- */

static bool face_is_free(const scr_hulls *h, const scr_world *w, uint32_t face)
{
    int32_t link = h->of_face[face];
    if (link >= 0) return w->links.fate[link] != SCR_LINK_HOLDS;
    return w->mesh.cells[2 * face + 1] != SCR_NO_CELL || w->border[face] == SCR_BORDER_FREE;
}

static bool map_faces(scr_hulls *h, const scr_world *w)
{
    size_t faces = w->mesh.face_count, cells = w->cells.table.count;
    if (!scr_reserve_kept(&h->of_face, faces + 1, 0) || !scr_reserve_kept(&h->of_cell, cells + 1, 0)) return false;
    if (!h->faces.first && !scr_cell_faces_build(&w->mesh, &h->faces)) return false;
    for (size_t f = 0; f < faces; f++) h->of_face[f] = -1;
    for (size_t k = 0; k < w->links.table.count; k++) h->of_face[w->links.face[k]] = (int32_t)k;
    return true;
}

/* ---- one cell ---- */

/* A polyhedron that is being made, with the numbers its parts have in the mesh. */
typedef struct {
    scr_convex_room room;
    int32_t point[SCR_MOST_CORNERS], face[SCR_MOST_FACES];
    bool periodic;
    double size;
} maker;

// x: where the point is for this cell, with its centre as origin
static int add_corner(maker *m, int32_t point, vec3 x)
{
    scr_convex_room *r = &m->room;
    for (int c = 0; c < r->corner_count; c++)
        if (m->point[c] == point) return c;
    // across periodic borders one corner has several points
    for (int c = 0; c < r->corner_count && m->periodic; c++)
        if (v3_norm(v3_sub(r->corners[c], x)) < 1e-9 * m->size) return c;
    if (r->corner_count == SCR_MOST_CORNERS) return -1;
    m->point[r->corner_count] = point;
    r->corners[r->corner_count] = x;
    return r->corner_count++;
}

static bool is_flat(const scr_convex_room *r, const uint16_t *at, int count)
{
    vec3 area = {0, 0, 0}, a = r->corners[at[0]];
    double size2 = 0;
    for (int k = 1; k + 1 < count; k++)
        area = v3_add(area, v3_cross(v3_sub(r->corners[at[k]], a), v3_sub(r->corners[at[k + 1]], a)));
    vec3 n = v3_unit(area);
    for (int k = 1; k < count; k++) {
        vec3 d = v3_sub(r->corners[at[k]], a);
        size2 = fmax(size2, v3_dot(d, d));
    }
    for (int k = 1; k < count; k++)
        if (fabs(v3_dot(n, v3_sub(r->corners[at[k]], a))) > WARPED * sqrt(size2)) return false;
    return true;
}

static bool add_polygon(maker *m, const uint16_t *at, int count, int32_t face, bool is_free)
{
    scr_convex_room *r = &m->room;
    int from = r->first[r->face_count];
    if (r->face_count == SCR_MOST_FACES || from + count > (int)(sizeof r->around / sizeof *r->around)) return false;
    memcpy(r->around + from, at, (size_t)count * sizeof *at);
    m->face[r->face_count] = face;
    r->free[r->face_count++] = is_free;
    r->first[r->face_count] = (uint16_t)(from + count);
    return true;
}

// a warped face is a fan of triangles about the mean of its corners
static bool add_fan(maker *m, const uint16_t *at, int count, int32_t face, bool is_free)
{
    scr_convex_room *r = &m->room;
    vec3 sum = {0, 0, 0};
    if (r->corner_count == SCR_MOST_CORNERS) return false;
    for (int k = 0; k < count; k++) sum = v3_add(sum, r->corners[at[k]]);
    uint16_t middle = (uint16_t)r->corner_count++;
    r->corners[middle] = v3_scale(1.0 / count, sum);
    m->point[middle] = -1;
    for (int k = 0; k < count; k++) {
        const uint16_t triangle[3] = {at[k], at[(k + 1) % count], middle};
        if (!add_polygon(m, triangle, 3, face, is_free)) return false;
    }
    return true;
}

static bool add_face(maker *m, const scr_hulls *h, const scr_world *w, uint32_t face, int32_t cell)
{
    uint16_t at[SCR_MOST_CORNERS];
    uint32_t from = w->mesh.first[face];
    int count = (int)(w->mesh.first[face + 1] - from);
    bool turned = w->mesh.cells[2 * (size_t)face] != cell; // it looks out of the other cell
    vec3 origin = v3_load(w->cells.home + 4 * (size_t)cell);
    if (turned && w->mesh.shift) origin = v3_add(origin, v3_load(w->mesh.shift + 3 * (size_t)face));
    if (count > SCR_MOST_CORNERS) return false;
    for (int k = 0; k < count; k++) {
        uint32_t point = w->mesh.corners[from + (uint32_t)(turned ? count - 1 - k : k)];
        int c = add_corner(m, (int32_t)point, v3_sub(v3_load(w->mesh.points + 3 * (size_t)point), origin));
        if (c < 0) return false;
        at[k] = (uint16_t)c;
    }
    bool is_free = face_is_free(h, w, face);
    // faces between cells only come to light where links break: their mean plane will do
    bool flat = w->mesh.cells[2 * (size_t)face + 1] != SCR_NO_CELL || is_flat(&m->room, at, count);
    return flat ? add_polygon(m, at, count, (int32_t)face, is_free) : add_fan(m, at, count, (int32_t)face, is_free);
}

static bool make(maker *m, scr_convex *shape, const scr_hulls *h, const scr_world *w, int32_t cell)
{
    m->room.corner_count = m->room.face_count = 0;
    m->room.first[0] = 0;
    m->periodic = w->mesh.shift != NULL;
    m->size = scr_cbrt(scr_cell_volume(&w->cells, (size_t)cell));
    for (uint32_t k = h->faces.first[cell]; k < h->faces.first[cell + 1]; k++)
        if (!add_face(m, h, w, h->faces.faces[k], cell)) return false;
    return scr_convex_build(&m->room, shape);
}

/* ---- all ---- */

static bool has_free_face(const scr_hulls *h, const scr_world *w, size_t cell)
{
    for (uint32_t k = h->faces.first[cell]; k < h->faces.first[cell + 1]; k++)
        if (face_is_free(h, w, h->faces.faces[k])) return true;
    return false;
}

#define GROW(array, used, more) scr_reserve_kept(&(array), (used) + (more) + ((used) >> 3), (used))

static bool store(scr_hulls *h, const maker *m, const scr_convex *shape, int32_t cell)
{
    size_t n = h->count, c = h->used[0], f = h->used[1], l = h->used[2], a = h->used[3], e = h->used[4];
    const scr_convex_room *r = &m->room;
    size_t corners = (size_t)r->corner_count, faces = (size_t)r->face_count, around = r->first[faces];
    if (!GROW(h->cell, n, 1) || !GROW(h->shape, n, 1) || !GROW(h->start, 5 * n, 5) || !GROW(h->corners, c, corners) ||
        !GROW(h->share, c, corners) || !GROW(h->point, c, corners) || !GROW(h->normal, f, faces) ||
        !GROW(h->offset, f, faces) || !GROW(h->face, f, faces) || !GROW(h->free, f, faces) ||
        !GROW(h->first, l, faces + 1) || !GROW(h->around, a, around) || !GROW(h->edges, e, (size_t)r->edge_count) ||
        !GROW(h->top, f, faces))
        return false;
    memcpy(h->corners + c, r->corners, corners * sizeof *r->corners);
    memcpy(h->share + c, r->share, corners * sizeof *r->share);
    memcpy(h->point + c, m->point, corners * sizeof *m->point);
    memcpy(h->normal + f, r->normal, faces * sizeof *r->normal);
    memcpy(h->offset + f, r->offset, faces * sizeof *r->offset);
    memcpy(h->top + f, r->top, faces * sizeof *r->top);
    memcpy(h->face + f, m->face, faces * sizeof *m->face);
    memcpy(h->free + f, r->free, faces);
    memcpy(h->first + l, r->first, (faces + 1) * sizeof *r->first);
    memcpy(h->around + a, r->around, around * sizeof *r->around);
    memcpy(h->edges + e, r->edges, (size_t)r->edge_count * sizeof *r->edges);
    for (int k = 0; k < 5; k++) h->start[5 * n + (size_t)k] = (uint32_t)h->used[k];
    h->used[0] += corners, h->used[1] += faces, h->used[2] += faces + 1, h->used[3] += around;
    h->used[4] += (size_t)r->edge_count;
    h->cell[n] = cell, h->shape[n] = *shape, h->of_cell[cell] = (int32_t)n;
    h->most = fmax(h->most, shape->radius), h->least = fmin(h->least, shape->radius);
    h->count++;
    return true;
}

static scree_status refuse(const scr_hulls *h, const scr_world *w, size_t cell, scree_report *report)
{
    vec3 x = v3_load(w->cells.home + 4 * cell);
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                    "the cell of the solid %s with its centre at (%.6g, %.6g, %.6g) m has %u faces "
                    "and cannot touch anything: at most %d faces, %d corners and %d edges are "
                    "possible, warped faces of the border counted as triangles",
                    w->solids[w->cells.solid[cell]].name, x.x, x.y, x.z,
                    h->faces.first[cell + 1] - h->faces.first[cell], SCR_MOST_FACES, SCR_MOST_CORNERS, SCR_MOST_EDGES);
}

// arrays stay where they are from here on
static void point_to_arrays(scr_hulls *h)
{
    for (size_t n = 0; n < h->count; n++) {
        const uint32_t *at = h->start + 5 * n;
        scr_convex *s = &h->shape[n];
        s->corners = h->corners + at[0], s->share = h->share + at[0];
        s->normal = h->normal + at[1], s->offset = h->offset + at[1], s->top = h->top + at[1],
        s->free = h->free + at[1];
        s->first = h->first + at[2], s->around = h->around + at[3], s->edges = h->edges + at[4];
    }
}

scree_status scr_hulls_build(scr_hulls *h, const scr_world *w, scree_report *report)
{
    maker m;
    scr_convex shape;
    h->count = 0, h->most = 0, h->least = INFINITY;
    memset(h->used, 0, sizeof h->used);
    bool ok = map_faces(h, w);
    for (size_t k = 0; ok && k < w->cells.table.count; k++) {
        h->of_cell[k] = SCR_NO_HULL;
        if (!has_free_face(h, w, k)) continue;
        if (!make(&m, &shape, h, w, (int32_t)k)) return refuse(h, w, k, report);
        ok = store(h, &m, &shape, (int32_t)k);
    }
    if (!ok) return scr_no_memory(report, "the free faces of solids");
    point_to_arrays(h);
    return SCREE_OK;
}

/* ---- candidate pairs ---- */

bool scr_hulls_share_corner(const scr_hulls *h, const scr_world *w, size_t a, size_t b)
{
    if (w->cells.solid[h->cell[a]] != w->cells.solid[h->cell[b]]) return false;
    const int32_t *p = h->point + h->start[5 * a], *q = h->point + h->start[5 * b];
    for (int i = 0; i < h->shape[a].corner_count; i++)
        for (int j = 0; j < h->shape[b].corner_count; j++)
            if (p[i] >= 0 && p[i] == q[j]) return true;
    return false;
}

// the link between two cells, whether it holds or not, or -1
static int32_t link_between(const scr_hulls *h, const scr_world *w, size_t a, size_t b)
{
    for (int f = 0; f < h->shape[a].face_count; f++) {
        int32_t face = h->face[h->start[5 * a + 1] + (uint32_t)f], link = h->of_face[face];
        const int32_t *cells = w->mesh.cells + 2 * (size_t)face;
        if (link >= 0 && (cells[0] == h->cell[b] || cells[1] == h->cell[b])) return link;
    }
    return -1;
}

bool scr_hulls_may_touch(const scr_hulls *h, const scr_world *w, size_t a, size_t b)
{
    if (!scr_hulls_share_corner(h, w, a, b)) return true;
    int32_t link = link_between(h, w, a, b);
    if (link >= 0) return w->links.fate[link] != SCR_LINK_HOLDS;
    return w->cells.fragment[h->cell[a]] != w->cells.fragment[h->cell[b]];
}

int32_t scr_hull_across(const scr_hulls *h, const scr_world *w, size_t hull, int face)
{
    int32_t link = h->of_face[h->face[h->start[5 * hull + 1] + (uint32_t)face]];
    if (link < 0 || w->links.fate[link] != SCR_LINK_HOLDS) return -1;
    const int32_t *cells = w->links.cell + 2 * (size_t)link;
    return cells[0] == h->cell[hull] ? cells[1] : cells[0];
}
