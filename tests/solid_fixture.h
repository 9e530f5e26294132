/* A block of cubes made by hand, for tests of what stores and shows elastic solids: it needs no mesh generator and no
 * scene. Cells are numbered with x fastest; sides are -x, +x, -y, +y, -z, +z; links have the stiffness of the
 * material, as docs/theory-elastic.md has it. */
#ifndef SCREE_TESTS_SOLID_FIXTURE_H
#define SCREE_TESTS_SOLID_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "world/world.h"

static inline vec3 fixture_axis(int axis)
{
    return v3(axis == 0, axis == 1, axis == 2);
}

// the face of a cube at `low`, across `axis`, on its lower or upper side
static inline void fixture_face(scr_polyhedra *m, const int size[3], const int low[3], int axis, bool upper, int cell,
                                int other, int side)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    size_t f = m->face_count++;
    m->first[f] = (uint32_t)m->corner_count;
    for (int n = 0; n < 4; n++) {
        int at[3], turn = upper ? n : 3 - n;
        at[axis] = low[axis] + upper;
        at[u] = low[u] + around[turn][0], at[v] = low[v] + around[turn][1];
        m->corners[m->corner_count++] = (uint32_t)((at[2] * (size[1] + 1) + at[1]) * (size[0] + 1) + at[0]);
    }
    m->first[f + 1] = (uint32_t)m->corner_count;
    m->cells[2 * f] = cell, m->cells[2 * f + 1] = other;
    m->side[f] = side;
}

static inline void fixture_mesh(scr_polyhedra *m, const int size[3], double edge)
{
    static const char *const sides[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    size_t cells = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    size_t points = ((size_t)size[0] + 1) * ((size_t)size[1] + 1) * ((size_t)size[2] + 1);
    CHECK(scr_polyhedra_reserve(m, points, 6 * cells, 24 * cells));
    m->cell_count = cells;
    for (int s = 0; s < 6; s++) strcpy(m->sides[m->side_count++], sides[s]);
    for (int k = 0; k <= size[2]; k++)
        for (int j = 0; j <= size[1]; j++)
            for (int i = 0; i <= size[0]; i++)
                v3_store(m->points + 3 * m->point_count++, v3(i * edge, j * edge, k * edge));
    for (int c = 0; c < (int)cells; c++) {
        int at[3] = {c % size[0], c / size[0] % size[1], c / size[0] / size[1]};
        int stride[3] = {1, size[0], size[0] * size[1]};
        for (int axis = 0; axis < 3; axis++) {
            bool last = at[axis] == size[axis] - 1;
            if (at[axis] == 0) fixture_face(m, size, at, axis, false, c, SCR_NO_CELL, 2 * axis);
            fixture_face(m, size, at, axis, true, c, last ? SCR_NO_CELL : c + stride[axis],
                         last ? 2 * axis + 1 : SCR_NO_SIDE);
        }
    }
}

static inline void fixture_cells(scr_world *w, double edge, const scr_material *material)
{
    scr_cells *c = &w->cells;
    size_t cells = w->mesh.cell_count;
    double volume = edge * edge * edge, mass = material->density * volume;
    scr_table_reserve(&c->table, cells);
    c->table.count = cells;
    for (size_t k = 0; k < cells; k++) {
        c->displacement[4 * k + 3] = mass;
        c->velocity[4 * k + 3] = 1 / mass;
        c->turn[4 * k] = c->axes[4 * k] = 1;
        for (int d = 0; d < 3; d++) c->inertia[4 * k + (size_t)d] = mass * edge * edge / 6;
        c->home[4 * k + 3] = c->bulk[2 * k] = volume;
    }
    // centres, and what free faces add to the corrected volume
    double gain = 3 * material->poisson / (1 - 2 * material->poisson);
    for (size_t f = 0; f < w->mesh.face_count; f++)
        for (int s = 0; s < 2; s++) {
            int cell = w->mesh.cells[2 * f + (size_t)s];
            if (cell == SCR_NO_CELL) continue;
            for (uint32_t n = w->mesh.first[f]; n < w->mesh.first[f + 1]; n++)
                for (int d = 0; d < 3; d++) c->home[4 * cell + d] += w->mesh.points[3 * w->mesh.corners[n] + d] / 24;
            if (w->mesh.cells[2 * f + 1] == SCR_NO_CELL) c->bulk[2 * cell] += gain * volume / 6;
        }
}

static inline void fixture_links(scr_world *w, double edge, const scr_material *material)
{
    scr_links *l = &w->links;
    double area = edge * edge, e = material->young, nu = material->poisson;
    double moment = area * area / 12, g = e / (2 * (1 + nu));
    scr_table_reserve(&l->table, 3 * w->mesh.cell_count);
    for (size_t f = 0; f < w->mesh.face_count; f++) {
        if (w->mesh.cells[2 * f + 1] == SCR_NO_CELL) continue;
        size_t k = l->table.count++;
        vec3 arm = v3(0, 0, 0);
        for (int s = 0; s < 2; s++) l->cell[2 * k + (size_t)s] = w->mesh.cells[2 * f + (size_t)s];
        arm = v3_scale(
            0.5, v3_sub(v3_load(w->cells.home + 4 * l->cell[2 * k + 1]), v3_load(w->cells.home + 4 * l->cell[2 * k])));
        v3_store(l->arm + 6 * k, arm), v3_store(l->arm + 6 * k + 3, v3_scale(-1, arm));
        int axis = fabs(arm.x) > edge / 4 ? 0 : fabs(arm.y) > edge / 4 ? 1 : 2;
        v3_store(l->frame + 6 * k, fixture_axis(axis));
        v3_store(l->frame + 6 * k + 3, fixture_axis((axis + 1) % 3));
        // alpha_n = (2 E I - G C)/2S, alpha_s = alpha_t = G C/2S, C = 2 I
        l->stiff[4 * k] = e / (1 + nu) * area / edge;
        l->stiff[4 * k + 1] = (e - g) * moment / edge;
        l->stiff[4 * k + 2] = l->stiff[4 * k + 3] = g * moment / edge;
        l->area[k] = area;
        l->share[4 * k + 3] = 0.5;
        l->face[k] = (int32_t)f;
    }
}

/* A block of size[0] x size[1] x size[2] cubes at the origin becomes the only solid of the world, of its last
 * material. Nothing is strained. */
static inline void fixture_solid(scr_world *w, const int size[3], double edge)
{
    int material = w->material_count - 1;
    fixture_mesh(&w->mesh, size, edge);
    CHECK(scr_reserve(&w->border, w->mesh.face_count));
    w->solid_count = 1;
    w->solids = calloc(1, sizeof *w->solids);
    w->solids[0] = (scr_solid){.name = strdup("block of 50 %"),
                               .material = material,
                               .cell_count = (int)w->mesh.cell_count,
                               .normal = SCR_LINK_FACE_NORMAL,
                               .tensile_strength = 1e6,
                               .shear_strength = INFINITY,
                               .fracture_energy = INFINITY,
                               .damping = 0.5};
    fixture_cells(w, edge, &w->materials[material]);
    fixture_links(w, edge, &w->materials[material]);
}

/* Displacements, turns and velocities that differ from cell to cell. */
static inline void fixture_deform(scr_world *w, double size)
{
    scr_cells *c = &w->cells;
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 x = v3_load(c->home + 4 * k);
        v3_store(c->displacement + 4 * k, v3_scale(size, v3(sin(x.x + x.y), cos(x.z), x.x * x.y)));
        v3_store(c->velocity + 4 * k, v3(x.z, -x.x, sin(x.y)));
        v3_store(c->momentum + 4 * k, v3_scale(scr_cell_mass(c, k), v3(x.y, x.z, x.x)));
        quat q = quat_exp(v3_scale(size, v3(x.z, sin(x.x), x.y)));
        c->turn[4 * k] = q.w, c->turn[4 * k + 1] = q.x;
        c->turn[4 * k + 2] = q.y, c->turn[4 * k + 3] = q.z;
        for (int d = 0; d < 3; d++) c->load[8 * k + (size_t)d] = sin(3 * x.x + d);
        c->bulk[2 * k + 1] = size * sin(x.x);
        c->held[k] = k == 0 ? 63 : 0;
    }
}

/* What supports and loads have felt. */
static inline void fixture_loads(scr_world *w)
{
    w->support_count = 2, w->load_count = 1;
    w->supports = calloc(2, sizeof *w->supports);
    w->loads = calloc(1, sizeof *w->loads);
    for (int k = 0; k < 2; k++) {
        const double felt[SCR_FELT_SUMS] = {1.0 / 3, k, 2, 3, -1.0 / 7, k, 0.1 * k};
        w->supports[k] = (scr_support){.name = strdup(k ? "clamp" : "base/1")};
        for (int d = 0; d < SCR_FELT_SUMS; d++) scr_total_add(&w->supports[k].felt[d], felt[d]);
    }
    w->loads[0] = (scr_load){.name = strdup("pull")};
    scr_total_add(&w->loads[0].work, 1.0 / 3);
}

#endif
