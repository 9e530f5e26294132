/* From the nodes and elements of a gmsh file to a mesh. The faces of all elements are sorted by their corners: one that
 * is there once is on the border, one that is there twice lies between two cells. */
#include "shape/gmsh.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "shape/gmsh_file.h"

/* Corners of the faces of each element, seen counter-clockwise from outside; -1: a triangle. */
typedef struct {
    int count;
    signed char faces[6][4];
} pattern;
static const pattern patterns[] = {
    [SCR_GMSH_TRIANGLE] = {1, {{0, 1, 2, -1}}},
    [SCR_GMSH_QUADRANGLE] = {1, {{0, 1, 2, 3}}},
    [SCR_GMSH_TETRAHEDRON] = {4, {{0, 2, 1, -1}, {0, 1, 3, -1}, {0, 3, 2, -1}, {1, 2, 3, -1}}},
    [SCR_GMSH_HEXAHEDRON] = {6, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [SCR_GMSH_PRISM] = {5, {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
    [SCR_GMSH_PYRAMID] = {5, {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}},
};

/* A face of an element, or an element that is a face. */
typedef struct {
    uint32_t key[4];     /* corners in increasing order; of a triangle the last is UINT32_MAX */
    uint32_t corners[4]; /* seen from outside */
    uint32_t element;
    int32_t cell; /* -1: a triangle or quadrangle of a physical surface */
} face;

typedef struct {
    scr_gmsh_file file;
    scr_polyhedra *mesh;
    scr_gmsh_report *report;
    scr_mesh_error *error;
    face *faces;
    size_t face_count;
    uint32_t *element_of; /* per cell */
    scr_sorter sorter;
} maker;

__attribute__((format(printf, 3, 4))) static bool refuse(maker *m, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    m->error->line = line;
    vsnprintf(m->error->what, sizeof m->error->what, format, args);
    va_end(args);
    return false;
}

static bool no_memory(maker *m)
{
    m->error->no_memory = true;
    return refuse(m, 0, "no memory for the mesh");
}

static bool is_volume(const scr_gmsh_element *e)
{
    return e->type >= SCR_GMSH_TETRAHEDRON;
}

/* ---- nodes ---- */

static int by_tag(const void *a, const void *b)
{
    return scr_by_u64(a, b);
}

static int by_place(const void *a, const void *b)
{
    const double *p = &((const scr_gmsh_node *)a)->x.x, *q = &((const scr_gmsh_node *)b)->x.x;
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

static bool find_node(const scr_gmsh_file *f, uint64_t tag, uint32_t *number)
{
    size_t low = 0, high = f->node_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->nodes[middle].tag < tag)
            low = middle + 1;
        else
            high = middle;
    }
    *number = (uint32_t)low;
    return low < f->node_count && f->nodes[low].tag == tag;
}

// nodes by tag, each once; elements then name them by place in this order
static bool sort_nodes(maker *m)
{
    scr_gmsh_file *f = &m->file;
    if (f->node_count >= INT32_MAX) return refuse(m, 0, "has %zu nodes, too many", f->node_count);
    if (!scr_sort(&m->sorter, f->nodes, f->node_count, sizeof *f->nodes, by_place)) return no_memory(m);
    for (size_t k = 1; k < f->node_count; k++) m->report->coincident += by_place(&f->nodes[k - 1], &f->nodes[k]) == 0;
    if (!scr_sort(&m->sorter, f->nodes, f->node_count, sizeof *f->nodes, by_tag)) return no_memory(m);
    for (size_t k = 1; k < f->node_count; k++)
        if (f->nodes[k - 1].tag == f->nodes[k].tag)
            return refuse(m, f->nodes[k].line, "node %" PRIu64 " occurs twice", f->nodes[k].tag);
    for (size_t k = 0; k < f->element_count; k++) {
        scr_gmsh_element *e = &f->elements[k];
        for (int j = 0; j < scr_gmsh_corners(e->type); j++) {
            uint32_t number;
            if (!find_node(f, e->nodes[j], &number))
                return refuse(m, e->line, "element %" PRIu64 " has node %" PRIu64 ", which does not exist", e->tag,
                              e->nodes[j]);
            e->nodes[j] = number;
        }
    }
    return true;
}

// points of the mesh: nodes that cells use, in the order of their tags
static bool add_points(maker *m)
{
    scr_gmsh_file *f = &m->file;
    uint32_t *number = scr_memory_new(f->node_count, sizeof *number);
    if (!number) return no_memory(m);
    for (size_t k = 0; k < f->element_count; k++)
        for (int j = 0; is_volume(&f->elements[k]) && j < scr_gmsh_corners(f->elements[k].type); j++)
            number[f->elements[k].nodes[j]] = 1;
    bool ok = true;
    for (size_t k = 0; ok && k < f->node_count; k++) {
        m->report->unused += !number[k];
        if (number[k])
            ok = scr_polyhedra_add_point(m->mesh, f->nodes[k].x, &number[k]);
        else
            number[k] = UINT32_MAX - 1; // a triangle with it is not a face of a cell
    }
    for (size_t k = 0; ok && k < f->element_count; k++)
        for (int j = 0; j < scr_gmsh_corners(f->elements[k].type); j++)
            f->elements[k].nodes[j] = number[f->elements[k].nodes[j]];
    scr_memory_free(number);
    return ok || no_memory(m);
}

/* ---- faces ---- */

static void sort_key(face *f)
{
    memcpy(f->key, f->corners, sizeof f->key);
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && f->key[j - 1] > f->key[j]; j--) {
            uint32_t swap = f->key[j];
            f->key[j] = f->key[j - 1], f->key[j - 1] = swap;
        }
}

static int corner_count(const face *f)
{
    return f->key[3] == UINT32_MAX ? 3 : 4;
}

static void turn_round(face *f)
{
    int last = corner_count(f) - 1;
    uint32_t swap = f->corners[0];
    f->corners[0] = f->corners[last], f->corners[last] = swap;
    if (last == 3) swap = f->corners[1], f->corners[1] = f->corners[2], f->corners[2] = swap;
}

static vec3 point(const maker *m, uint32_t k)
{
    return v3_load(m->mesh->points + 3 * (size_t)k);
}

// six times the volume between a face and a point
static double wedge(const maker *m, const face *f, vec3 from)
{
    int n = corner_count(f);
    vec3 hub = {0, 0, 0};
    for (int k = 0; k < n; k++) hub = v3_axpy(hub, 1.0 / n, v3_sub(point(m, f->corners[k]), from));
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += v3_dot(hub,
                      v3_cross(v3_sub(point(m, f->corners[k]), from), v3_sub(point(m, f->corners[(k + 1) % n]), from)));
    return sum;
}

// the faces of one element; of a cell that is inside out they are turned round
static bool element_faces(maker *m, uint32_t element, int32_t cell)
{
    const scr_gmsh_element *e = &m->file.elements[element];
    const pattern *p = &patterns[e->type];
    face *first = m->faces + m->face_count;
    double volume = 0, size = 0;
    for (int k = 0; k < p->count; k++) {
        face *f = &first[k];
        *f = (face){.element = element, .cell = cell};
        for (int j = 0; j < 4; j++)
            f->corners[j] = p->faces[k][j] < 0 ? UINT32_MAX : (uint32_t)e->nodes[p->faces[k][j]];
        sort_key(f);
        if (cell < 0) continue;
        volume += wedge(m, f, point(m, (uint32_t)e->nodes[0])) / 6;
        size = fmax(size, v3_norm(v3_sub(point(m, f->corners[0]), point(m, f->corners[2]))));
    }
    m->face_count += (size_t)p->count;
    if (cell < 0) return true;
    if (!(fabs(volume) > 1e-12 * size * size * size))
        return refuse(m, e->line, "element %" PRIu64 " has no volume", e->tag);
    for (int k = 0; volume < 0 && k < p->count; k++) turn_round(&first[k]);
    m->report->turned += volume < 0;
    return true;
}

// cells before triangles and quadrangles, in the order of the file
static int by_key(const void *a, const void *b)
{
    const face *p = a, *q = b;
    for (int k = 0; k < 4; k++)
        if (p->key[k] != q->key[k]) return p->key[k] < q->key[k] ? -1 : 1;
    uint32_t i = (uint32_t)p->cell, j = (uint32_t)q->cell;
    return i < j ? -1 : i > j;
}

static bool gather_faces(maker *m)
{
    const scr_gmsh_file *f = &m->file;
    size_t cells = 0, most = 0;
    for (size_t k = 0; k < f->element_count; k++) {
        cells += is_volume(&f->elements[k]);
        most += (size_t)patterns[f->elements[k].type].count;
    }
    if (!cells) return refuse(m, 0, "has no tetrahedra, hexahedra, prisms or pyramids");
    if (cells >= INT32_MAX / 6) return refuse(m, 0, "has %zu cells, too many", cells);
    m->faces = scr_memory_new(most, sizeof *m->faces);
    m->element_of = scr_memory_new(cells, sizeof *m->element_of);
    if (!m->faces || !m->element_of) return no_memory(m);
    int32_t cell = 0;
    for (size_t k = 0; k < f->element_count; k++) {
        const scr_gmsh_element *e = &f->elements[k];
        if (is_volume(e)) {
            m->element_of[cell] = (uint32_t)k;
            if (!element_faces(m, (uint32_t)k, cell++)) return false;
        } else if (e->physical && !element_faces(m, (uint32_t)k, -1)) {
            return false;
        }
    }
    return scr_sort(&m->sorter, m->faces, m->face_count, sizeof *m->faces, by_key) || no_memory(m);
}

/* ---- groups ---- */

// the name of a physical group, or its number as one
static void group_name(const maker *m, int dimension, int64_t physical, char name[24])
{
    for (size_t k = 0; k < m->file.name_count; k++)
        if (m->file.names[k].dimension == dimension && m->file.names[k].tag == physical) {
            memcpy(name, m->file.names[k].name, 24);
            return;
        }
    snprintf(name, 24, "%" PRId64, physical);
}

static bool side_of(maker *m, const face *surface, int *side)
{
    char name[24] = "rest";
    if (surface) group_name(m, 2, m->file.elements[surface->element].physical, name);
    *side = scr_polyhedra_side(m->mesh, name);
    return *side != SCR_NO_SIDE || refuse(m, 0, "has more than %d physical surfaces", SCR_MOST_SIDES);
}

static bool set_groups(maker *m)
{
    scr_polyhedra *mesh = m->mesh;
    bool any = false;
    for (size_t c = 0; c < mesh->cell_count; c++) any |= m->file.elements[m->element_of[c]].physical != 0;
    if (!any) return true;
    mesh->group = scr_memory_new(mesh->cell_count, sizeof *mesh->group);
    if (!mesh->group) return no_memory(m);
    for (size_t c = 0; c < mesh->cell_count; c++) {
        int64_t physical = m->file.elements[m->element_of[c]].physical;
        char name[24] = "rest";
        if (physical) group_name(m, 3, physical, name);
        int g = scr_polyhedra_group(mesh, name);
        if (g == SCR_NO_CELL_GROUP) return refuse(m, 0, "has more than %d physical volumes", SCR_MOST_GROUPS);
        mesh->group[c] = g;
    }
    return true;
}

/* ---- the mesh ---- */

// whether two faces with the same corners go round them in opposite directions
static bool opposite(const face *a, const face *b)
{
    int n = corner_count(a), at = 0;
    while (b->corners[at] != a->corners[0]) at++;
    return b->corners[(at + n - 1) % n] == a->corners[1];
}

// faces with the same corners, `count` of them, the first `cells` of cells
static bool add_same(maker *m, const face *same, size_t count, size_t cells)
{
    const scr_gmsh_element *e = &m->file.elements[same[0].element];
    const scr_gmsh_element *other = cells > 1 ? &m->file.elements[same[1].element] : NULL;
    if (cells == 0) {
        m->report->stray += count;
        return true;
    }
    if (cells > 2)
        return refuse(m, m->file.elements[same[2].element].line,
                      "elements %" PRIu64 ", %" PRIu64 " and %" PRIu64 " share a face, only two may", e->tag,
                      other->tag, m->file.elements[same[2].element].tag);
    if (cells == 2 && !opposite(&same[0], &same[1]))
        return refuse(m, other->line, "elements %" PRIu64 " and %" PRIu64 " lie on the same side of a common face",
                      e->tag, other->tag);
    int side = SCR_NO_SIDE;
    if (cells == 2)
        m->report->inner += count - cells;
    else if (!side_of(m, count > cells ? &same[cells] : NULL, &side))
        return false;
    return scr_polyhedra_add_face(m->mesh, same[0].corners, corner_count(&same[0]), same[0].cell,
                                  cells == 2 ? same[1].cell : SCR_NO_CELL, side) ||
           no_memory(m);
}

static const face *find_face(const maker *m, const uint32_t key[4])
{
    size_t low = 0, high = m->face_count;
    face wanted = {.cell = 0};
    memcpy(wanted.key, key, sizeof wanted.key);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_key(&m->faces[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < m->face_count && !memcmp(m->faces[low].key, key, sizeof wanted.key);
    return found && m->faces[low].cell >= 0 ? &m->faces[low] : NULL;
}

// a quadrangle of one cell against two triangles of others: they would not be joined
static bool check_quadrangle(maker *m, const face *f)
{
    for (int k = 0; k < 4; k++) {
        uint32_t key[4] = {0, 0, 0, UINT32_MAX};
        for (int j = 0, n = 0; j < 4; j++)
            if (j != k) key[n++] = f->key[j];
        const face *triangle = find_face(m, key);
        if (triangle && triangle->element != f->element)
            return refuse(m, m->file.elements[f->element].line,
                          "element %" PRIu64 " has a quadrangle where element %" PRIu64
                          " has a triangle: they do not fit",
                          m->file.elements[f->element].tag, m->file.elements[triangle->element].tag);
    }
    return true;
}

static bool add_faces(maker *m)
{
    for (size_t k = 0, n; k < m->face_count; k += n) {
        size_t cells = 0;
        for (n = 0; k + n < m->face_count && !memcmp(m->faces[k].key, m->faces[k + n].key, sizeof m->faces[k].key); n++)
            cells += m->faces[k + n].cell >= 0;
        if (cells == 1 && corner_count(&m->faces[k]) == 4 && !check_quadrangle(m, &m->faces[k])) return false;
        if (!add_same(m, &m->faces[k], n, cells)) return false;
    }
    return true;
}

// what is wrong with a cell, said of its element
static bool check(maker *m)
{
    scr_cell_shape *cells = scr_memory_new(m->mesh->cell_count, sizeof *cells);
    scr_face_shape *faces = scr_memory_new(m->mesh->face_count, sizeof *faces);
    scr_mesh_fault fault = {.cell = -1};
    bool ok = cells && faces && scr_polyhedra_shapes(m->mesh, cells, faces);
    if (!ok) {
        no_memory(m);
    } else if (!scr_polyhedra_check(m->mesh, cells, faces, NAN, &fault)) {
        const scr_gmsh_element *e = fault.cell < 0 ? NULL : &m->file.elements[m->element_of[fault.cell]];
        ok = e ? refuse(m, e->line, "element %" PRIu64 ": %.120s", e->tag, fault.what)
               : refuse(m, 0, "%.150s", fault.what);
    }
    scr_memory_free(cells);
    scr_memory_free(faces);
    return ok;
}

bool scr_gmsh_read(const char *bytes, size_t size, scr_polyhedra *mesh, scr_gmsh_report *report, scr_mesh_error *error)
{
    *report = (scr_gmsh_report){0};
    maker m = {.mesh = mesh, .report = report, .error = error};
    bool ok = scr_gmsh_file_read(bytes, size, &m.file, error) && sort_nodes(&m) && add_points(&m) && gather_faces(&m) &&
              add_faces(&m) && set_groups(&m) && check(&m);
    scr_gmsh_file_deinit(&m.file);
    scr_memory_free(m.faces);
    scr_memory_free(m.element_of);
    scr_memory_free(m.sorter.room);
    return ok;
}
