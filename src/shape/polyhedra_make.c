#include "shape/polyhedra_make.h"

#include <assert.h>

#include "base/memory.h"
#include "base/random.h"
#include "math/elementary.h"

#define PI 3.14159265358979323846

/* ---- a grid of points, right-handed, and its hexahedra ---- */

typedef struct {
    int n[3];         /* cells along each axis */
    uint32_t *points; /* (n + 1)^3 numbers; the same number where points are one */
    bool joined[3];   /* the last plane of points touches the first one */
    vec3 period[3];   /* ... this far away from it */
    int side[3][2];
} grid;

static size_t index_of(const grid *g, const int at[3])
{
    return (size_t)at[0] + (size_t)(g->n[0] + 1) * ((size_t)at[1] + (size_t)(g->n[1] + 1) * (size_t)at[2]);
}

static bool grid_init(grid *g, int a, int b, int c)
{
    *g = (grid){.n = {a, b, c}};
    for (int k = 0; k < 3; k++) g->side[k][0] = g->side[k][1] = SCR_NO_SIDE;
    g->points = scr_memory_new((size_t)(a + 1) * (size_t)(b + 1) * (size_t)(c + 1), sizeof(uint32_t));
    return g->points;
}

static int cell_at(const grid *g, const int at[3])
{
    return at[0] + g->n[0] * (at[1] + g->n[1] * at[2]);
}

// the face of a cell at the lower or upper end of an axis; true also when it has shrunk to a line
static bool add_face(const grid *g, const int cell[3], int axis, bool upper, scr_polyhedra *mesh)
{
    int b = (axis + 1) % 3, c = (axis + 2) % 3, other[3] = {cell[0], cell[1], cell[2]}, count = 0;
    uint32_t corners[4];
    for (int k = 0; k < 4; k++) {
        // counter-clockwise from above; from below the other way round
        int turn = upper ? k : 3 - k, at[3] = {cell[0], cell[1], cell[2]};
        at[axis] += upper, at[b] += turn == 1 || turn == 2, at[c] += turn >= 2;
        uint32_t p = g->points[index_of(g, at)];
        if (!count || (corners[count - 1] != p && (k < 3 || corners[0] != p))) corners[count++] = p;
    }
    if (count < 3) return true;
    int next = cell[axis] + (upper ? 1 : -1);
    bool inside = next >= 0 && next < g->n[axis];
    if (!inside && !g->joined[axis])
        return scr_polyhedra_add_face(mesh, corners, count, cell_at(g, cell), SCR_NO_CELL, g->side[axis][upper]);
    other[axis] = inside ? next : 0;
    if (!scr_polyhedra_add_face(mesh, corners, count, cell_at(g, cell), cell_at(g, other), SCR_NO_SIDE)) return false;
    return inside || v3_norm(g->period[axis]) == 0 || scr_polyhedra_shift(mesh, mesh->face_count - 1, g->period[axis]);
}

// each cell brings its upper faces, and the lower ones on the border
static bool grid_cells(const grid *g, scr_polyhedra *mesh)
{
    int at[3];
    for (at[2] = 0; at[2] < g->n[2]; at[2]++)
        for (at[1] = 0; at[1] < g->n[1]; at[1]++)
            for (at[0] = 0; at[0] < g->n[0]; at[0]++)
                for (int a = 0; a < 3; a++) {
                    if (at[a] == 0 && !g->joined[a] && !add_face(g, at, a, false, mesh)) return false;
                    if (!add_face(g, at, a, true, mesh)) return false;
                }
    return true;
}

// a corner that many points of the grid share is made once
static bool shared_point(scr_polyhedra *mesh, vec3 x, uint32_t *kept, uint32_t *number)
{
    if (*kept == UINT32_MAX && !scr_polyhedra_add_point(mesh, x, kept)) return false;
    *number = *kept;
    return true;
}

/* ---- block ---- */

static vec3 block_point(const scr_block_def *def, const int at[3])
{
    const double low[3] = {def->lower.x, def->lower.y, def->lower.z};
    const double high[3] = {def->upper.x, def->upper.y, def->upper.z};
    int own[3]; // copies of a periodic block move alike
    for (int a = 0; a < 3; a++) own[a] = def->periodic[a] ? at[a] % def->count[a] : at[a];
    scr_random random = scr_random_stream(def->seed, 0x626c6f636b);
    random.counter = 3 * ((uint64_t)own[0] + (uint64_t)(def->count[0] + 1) *
                                                 ((uint64_t)own[1] + (uint64_t)(def->count[1] + 1) * (uint64_t)own[2]));
    double x[3];
    for (int a = 0; a < 3; a++) {
        double part = (double)at[a] / def->count[a], edge = (high[a] - low[a]) / def->count[a];
        double move = scr_random_between(&random, -def->jitter, def->jitter) * edge;
        bool border = !def->periodic[a] && (at[a] == 0 || at[a] == def->count[a]);
        x[a] = (1 - part) * low[a] + part * high[a] + (border || def->jitter == 0 ? 0 : move);
    }
    return v3_load(x);
}

bool scr_polyhedra_block(const scr_block_def *def, scr_polyhedra *mesh)
{
    static const char *const names[3][2] = {{"x-", "x+"}, {"y-", "y+"}, {"z-", "z+"}};
    const int *n = def->count;
    assert(n[0] > 0 && n[1] > 0 && n[2] > 0 && def->jitter >= 0 && def->jitter < 0.5);
    grid g;
    if (!grid_init(&g, n[0], n[1], n[2])) return false;
    vec3 size = v3_sub(def->upper, def->lower);
    g.period[0] = v3(size.x, 0, 0), g.period[1] = v3(0, size.y, 0), g.period[2] = v3(0, 0, size.z);
    for (int a = 0; a < 3; a++) {
        g.joined[a] = def->periodic[a];
        for (int k = 0; k < 2 && !g.joined[a]; k++) g.side[a][k] = scr_polyhedra_side(mesh, names[a][k]);
    }
    bool ok = true;
    int at[3];
    for (at[2] = 0; at[2] <= n[2]; at[2]++)
        for (at[1] = 0; at[1] <= n[1]; at[1]++)
            for (at[0] = 0; at[0] <= n[0]; at[0]++)
                ok = ok && scr_polyhedra_add_point(mesh, block_point(def, at), &g.points[index_of(&g, at)]);
    ok = ok && grid_cells(&g, mesh);
    scr_memory_free(g.points);
    return ok;
}

/* ---- cylinders and tubes ---- */

// x and y of a right-handed frame whose z is given and whose x is near a direction
static void frame_of(vec3 z, vec3 near, vec3 *x, vec3 *y)
{
    *x = v3_unit(v3_axpy(near, -v3_dot(near, z), z));
    assert(v3_norm(*x) > 0.5);
    *y = v3_cross(z, *x);
}

// the angle of the k-th corner: the first cell's centre is at 0
static vec3 around_point(vec3 x, vec3 y, int k, int n)
{
    double angle = 2 * PI * (k - 0.5) / n;
    return v3_axpy(v3_scale(scr_cos(angle), x), scr_sin(angle), y);
}

bool scr_polyhedra_cylinder(const scr_cylinder_def *def, scr_polyhedra *mesh)
{
    assert(def->radius > def->inner && def->inner >= 0);
    assert(def->across > 0 && def->around > 2 && def->along > 0);
    grid g;
    if (!grid_init(&g, def->across, def->around, def->along)) return false;
    g.joined[1] = true;
    g.side[0][1] = scr_polyhedra_side(mesh, "outside");
    if (def->inner > 0) g.side[0][0] = scr_polyhedra_side(mesh, "inside");
    g.side[2][0] = scr_polyhedra_side(mesh, "bottom"), g.side[2][1] = scr_polyhedra_side(mesh, "top");
    vec3 x, y, z = v3_unit(v3_sub(def->to, def->from));
    frame_of(z, def->zero, &x, &y);
    bool ok = true;
    int at[3];
    for (at[2] = 0; at[2] <= def->along; at[2]++) {
        double part = (double)at[2] / def->along;
        vec3 middle = v3_axpy(v3_scale(1 - part, def->from), part, def->to);
        uint32_t axis = UINT32_MAX;
        for (at[1] = 0; at[1] <= def->around; at[1]++) {
            vec3 out = around_point(x, y, at[1], def->around);
            for (at[0] = 0; ok && at[0] <= def->across; at[0]++) {
                double r = def->inner + (def->radius - def->inner) * at[0] / def->across;
                const int first[3] = {at[0], 0, at[2]};
                uint32_t *p = &g.points[index_of(&g, at)];
                if (r == 0)
                    ok = shared_point(mesh, middle, &axis, p);
                else if (at[1] == def->around)
                    *p = g.points[index_of(&g, first)];
                else
                    ok = scr_polyhedra_add_point(mesh, v3_axpy(middle, r, out), p);
            }
        }
    }
    ok = ok && grid_cells(&g, mesh);
    scr_memory_free(g.points);
    return ok;
}

double scr_cylinder_def_volume(const scr_cylinder_def *def)
{
    double length = v3_norm(v3_sub(def->to, def->from)), n = def->around;
    return 0.5 * n * scr_sin(2 * PI / n) * (def->radius * def->radius - def->inner * def->inner) * length;
}

/* ---- spheres and shells ---- */

bool scr_polyhedra_sphere(const scr_sphere_def *def, scr_polyhedra *mesh)
{
    assert(def->radius > 0 && def->thickness > 0 && def->thickness <= def->radius);
    assert(def->radial > 0 && def->polar > 0 && def->around > 2);
    assert(def->top >= 0 && def->top < def->bottom && def->bottom <= PI);
    grid g;
    if (!grid_init(&g, def->radial, def->polar, def->around)) return false;
    g.joined[2] = true;
    g.side[0][1] = scr_polyhedra_side(mesh, "outside");
    if (def->thickness < def->radius) g.side[0][0] = scr_polyhedra_side(mesh, "inside");
    if (def->top > 0) g.side[1][0] = scr_polyhedra_side(mesh, "top");
    if (def->bottom < PI) g.side[1][1] = scr_polyhedra_side(mesh, "bottom");
    vec3 x, y, z = v3_unit(def->axis);
    frame_of(z, def->zero, &x, &y);
    uint32_t centre = UINT32_MAX;
    bool ok = true;
    int at[3];
    for (at[2] = 0; at[2] <= def->around; at[2]++)
        for (at[1] = 0; at[1] <= def->polar; at[1]++)
            for (at[0] = 0; ok && at[0] <= def->radial; at[0]++) {
                double part = (double)at[1] / def->polar;
                double angle = (1 - part) * def->top + part * def->bottom;
                double r = def->radius - def->thickness * (def->radial - at[0]) / def->radial;
                bool pole = (at[1] == 0 && def->top == 0) || (at[1] == def->polar && def->bottom == PI);
                vec3 out = v3_scale(pole ? 0 : scr_sin(angle), around_point(x, y, at[2], def->around));
                const int first[3] = {at[0], at[1], 0};
                uint32_t *p = &g.points[index_of(&g, at)];
                vec3 point = v3_axpy(def->centre, r, v3_axpy(out, scr_cos(angle), z));
                if (r == 0)
                    ok = shared_point(mesh, def->centre, &centre, p);
                else if (at[2] > 0 && (pole || at[2] == def->around))
                    *p = g.points[index_of(&g, first)];
                else
                    ok = scr_polyhedra_add_point(mesh, point, p);
            }
    ok = ok && grid_cells(&g, mesh);
    scr_memory_free(g.points);
    return ok;
}

double scr_sphere_def_volume(const scr_sphere_def *def)
{
    // pyramids from the centre to the trapezoids of each ring
    double n = def->around, sum = 0;
    for (int k = 0; k < def->polar; k++) {
        double a = def->top + (def->bottom - def->top) * k / def->polar;
        double b = def->top + (def->bottom - def->top) * (k + 1) / def->polar;
        sum += n * scr_sin(2 * PI / n) * scr_sin(b - a) * (scr_sin(a) + scr_sin(b)) / 6;
    }
    double inner = def->radius - def->thickness;
    return sum * (def->radius * def->radius * def->radius - inner * inner * inner);
}
