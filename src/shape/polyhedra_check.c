/* What can be wrong with a mesh. Lengths are measured in V^(1/3) of the cell, areas in V^(2/3). Faces that a
 * Voronoi mesh has made very small have normals of little meaning: how far a corner may stand out before a face is
 * called hollow grows as one over the face's own size. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/sort.h"
#include "math/elementary.h"
#include "shape/polyhedra.h"

#define STAND_OUT 1e-6  /* corner before a face of the size of its cell */
#define OPEN      1e-10 /* |sum S n| / sum S */
#define NO_AREA   1e-16
#define SUM       1e-9 /* of all volumes */

typedef struct {
    const scr_polyhedra *mesh;
    const scr_cell_shape *cells;
    const scr_face_shape *faces;
    scr_cell_faces of;
    uint64_t *edges; /* of one cell */
    scr_sorter sorter;
    scr_mesh_fault *fault;
} checker;

__attribute__((format(printf, 4, 5))) static bool refuse(checker *k, long cell, long face, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    k->fault->cell = (int)cell, k->fault->face = (int)face;
    vsnprintf(k->fault->what, sizeof k->fault->what, format, args);
    va_end(args);
    return false;
}

static size_t corner_count(const scr_polyhedra *mesh, size_t f)
{
    return mesh->first[f + 1] - mesh->first[f];
}

// the place of a face as its second cell sees it
static vec3 shift_of(const scr_polyhedra *mesh, size_t f)
{
    return mesh->shift ? v3_load(mesh->shift + 3 * f) : v3(0, 0, 0);
}

static bool check_face(checker *k, size_t f)
{
    const scr_polyhedra *m = k->mesh;
    const scr_face_shape *face = &k->faces[f];
    int32_t c = m->cells[2 * f], d = m->cells[2 * f + 1];
    double v = k->cells[c].volume;
    if (!(face->area > NO_AREA * scr_cbrt(v * v))) return refuse(k, c, (long)f, "a face of cell %d has no area", c);
    if (d >= 0 && m->side[f] != SCR_NO_SIDE)
        return refuse(k, c, (long)f, "a face between cells %d and %d is on the border too", c, d);
    if (d < 0 && (m->side[f] < 0 || m->side[f] >= m->side_count))
        return refuse(k, c, (long)f, "a face on the border of cell %d has no side", c);
    vec3 shift = shift_of(m, f);
    if (c == d && v3_norm(shift) == 0) return refuse(k, c, (long)f, "cell %d is its own neighbour", c);
    if (!(v3_dot(v3_sub(face->centre, k->cells[c].centre), face->normal) > 0))
        return refuse(k, c, (long)f, "a face of cell %d looks into the cell", c);
    if (d >= 0 && !(v3_dot(v3_sub(face->centre, v3_add(k->cells[d].centre, shift)), face->normal) < 0))
        return refuse(k, d, (long)f, "a face of cell %d looks into the cell", d);
    return true;
}

static bool no_memory(checker *k)
{
    return refuse(k, -1, -1, "no memory to check the mesh");
}

// every edge is run through once there and once back; points of a periodic mesh have copies, so not there
static bool check_edges(checker *k, size_t c)
{
    const scr_polyhedra *m = k->mesh;
    size_t n = 0;
    for (uint32_t i = k->of.first[c]; i < k->of.first[c + 1]; i++) {
        size_t f = k->of.faces[i], count = corner_count(m, f);
        if (!scr_reserve(&k->edges, n + count)) return no_memory(k);
        for (size_t j = 0; j < count; j++, n++) {
            uint64_t a = m->corners[m->first[f] + j];
            uint64_t b = m->corners[m->first[f] + (j + 1) % count];
            uint64_t back = (a > b) != (m->cells[2 * f] != (int32_t)c);
            // points are fewer than 2^31: two of them and the direction make 64 bits
            k->edges[n] = (a < b ? a << 33 | b << 1 : b << 33 | a << 1) | back;
        }
    }
    if (!scr_sort(&k->sorter, k->edges, n, sizeof *k->edges, scr_by_u64)) return no_memory(k);
    for (size_t j = 0; j < n; j += 2)
        if (j + 1 >= n || k->edges[j] + 1 != k->edges[j + 1] || k->edges[j] & 1)
            return refuse(k, (long)c, -1,
                          "cell %zu is not closed: at the edge between points %" PRIu64 " and %" PRIu64
                          " its faces do not form a closed surface",
                          c, k->edges[j] >> 33, k->edges[j] >> 1 & 0xffffffffu);
    return true;
}

// whether a point is a corner of the face
static bool owns(const scr_polyhedra *m, size_t f, vec3 x, double near)
{
    for (uint32_t j = m->first[f]; j < m->first[f + 1]; j++)
        if (v3_norm(v3_sub(v3_load(m->points + 3 * (size_t)m->corners[j]), x)) <= near) return true;
    return false;
}

// no corner of the cell stands out before this face of it, other than the face's own: that is its warp
static bool check_behind(checker *k, size_t c, size_t f)
{
    const scr_polyhedra *m = k->mesh;
    bool second = m->cells[2 * f] != (int32_t)c;
    vec3 shift = shift_of(m, f), normal = v3_scale(second ? -1 : 1, k->faces[f].normal);
    vec3 at = second ? v3_sub(k->faces[f].centre, shift) : k->faces[f].centre;
    double v = k->cells[c].volume, most = STAND_OUT * scr_cbrt(v * v) / sqrt(k->faces[f].area);
    for (uint32_t i = k->of.first[c]; i < k->of.first[c + 1]; i++) {
        size_t g = k->of.faces[i];
        if (g == f) continue;
        vec3 away = m->cells[2 * g] != (int32_t)c ? shift_of(m, g) : v3(0, 0, 0);
        for (uint32_t j = m->first[g]; j < m->first[g + 1]; j++) {
            vec3 x = v3_sub(v3_load(m->points + 3 * (size_t)m->corners[j]), away);
            double out = v3_dot(v3_sub(x, at), normal);
            if (out <= most || owns(m, f, second ? v3_add(x, shift) : x, 1e-9 * scr_cbrt(v))) continue;
            return refuse(k, (long)c, (long)f,
                          "cell %zu is not convex: point %" PRIu32 " lies %.3g m outside one of its faces", c,
                          m->corners[j], out);
        }
    }
    return true;
}

// the triangles of a warped face are all seen from the centre
static bool check_fan(checker *k, size_t c, size_t f)
{
    const scr_polyhedra *m = k->mesh;
    bool second = m->cells[2 * f] != (int32_t)c;
    vec3 x = second ? v3_add(k->cells[c].centre, shift_of(m, f)) : k->cells[c].centre;
    size_t n = corner_count(m, f);
    const uint32_t *corners = m->corners + m->first[f];
    vec3 hub = {0, 0, 0};
    for (size_t j = 0; j < n; j++) hub = v3_add(hub, v3_load(m->points + 3 * (size_t)corners[j]));
    hub = v3_sub(v3_scale(1 / (double)n, hub), x);
    for (size_t j = 0; j < n; j++) {
        vec3 a = v3_sub(v3_load(m->points + 3 * (size_t)corners[j]), x);
        vec3 b = v3_sub(v3_load(m->points + 3 * (size_t)corners[(j + 1) % n]), x);
        double det = v3_dot(hub, v3_cross(a, b)) * (second ? -1 : 1);
        if (det < -STAND_OUT * k->cells[c].volume)
            return refuse(k, (long)c, (long)f, "cell %zu is not convex: one of its faces is folded inward", c);
    }
    return true;
}

static bool check_cell(checker *k, size_t c)
{
    const scr_polyhedra *m = k->mesh;
    uint32_t from = k->of.first[c], to = k->of.first[c + 1];
    if (to - from < 4) return refuse(k, (long)c, -1, "cell %zu has only %u faces", c, to - from);
    if (!m->shift && !check_edges(k, c)) return false;
    vec3 sum = {0, 0, 0};
    double area = 0;
    for (uint32_t i = from; i < to; i++) {
        size_t f = k->of.faces[i];
        bool twice = i > from && k->of.faces[i - 1] == f; // its own neighbour
        double sign = m->cells[2 * f] != (int32_t)c || twice ? -1 : 1;
        sum = v3_axpy(sum, sign * k->faces[f].area, k->faces[f].normal);
        area += k->faces[f].area;
    }
    if (!(v3_norm(sum) <= OPEN * area))
        return refuse(k, (long)c, -1, "cell %zu is not closed: its faces leave %.3g m2 open", c, v3_norm(sum));
    for (uint32_t i = from; i < to; i++)
        if (!check_behind(k, c, k->of.faces[i]) || !check_fan(k, c, k->of.faces[i])) return false;
    return true;
}

static bool check_all(checker *k, double expected)
{
    const scr_polyhedra *m = k->mesh;
    double sum = 0;
    if (!m->cell_count) return refuse(k, -1, -1, "there are no cells");
    for (size_t c = 0; c < m->cell_count; c++) {
        double v = k->cells[c].volume;
        if (!isfinite(v) || v <= 0)
            return refuse(k, (long)c, -1, "cell %zu has the volume %.3g m3, it is turned inside out", c, v);
        sum += v;
    }
    for (size_t f = 0; f < m->face_count; f++)
        if (!check_face(k, f)) return false;
    for (size_t c = 0; c < m->cell_count; c++)
        if (!check_cell(k, c)) return false;
    if (!isnan(expected) && !(fabs(sum - expected) <= SUM * expected))
        return refuse(k, -1, -1, "the volumes of the cells add up to %.9g m3, not to %.9g m3", sum, expected);
    return true;
}

bool scr_polyhedra_check(const scr_polyhedra *mesh, const scr_cell_shape *cells, const scr_face_shape *faces,
                         double expected, scr_mesh_fault *fault)
{
    checker k = {.mesh = mesh, .cells = cells, .faces = faces, .fault = fault};
    *fault = (scr_mesh_fault){.cell = -1, .face = -1};
    bool ok = scr_cell_faces_build(mesh, &k.of) ? check_all(&k, expected) : no_memory(&k);
    scr_cell_faces_deinit(&k.of);
    scr_buffer_free(k.edges);
    scr_memory_free(k.sorter.room);
    return ok;
}
