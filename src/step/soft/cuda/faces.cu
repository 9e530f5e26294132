/* Which bodies are near walls (walls.h). Triangles are sorted into cells, each into all that a body can be in which it
 * must know of; a body looks at those of its own cell, and at all faces of other kinds. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exec/cuda/launch.h"
// the texts of walls, faces and bodies are for both
#define inline inline __host__ __device__
#include "collide/pairs.h"
#include "shape/face_text.h"
#include "step/soft/cuda/contact_text.h"
#undef inline

#include "step/soft/cuda/list.h"
#include "step/soft/cuda/walls.h"

/* ---- cells ---- */

static __device__ __forceinline__ int cell_along(const soft_wall_search &a, int d, double x)
{
    const double at = floor((x - a.lower[d]) * a.per[d]);
    return !(at > 0) ? 0 : at >= a.cells[d] ? a.cells[d] - 1 : (int)at;
}

static __device__ __forceinline__ uint32_t cell_at(const soft_wall_search &a, int x, int y, int z)
{
    return ((uint32_t)z * (uint32_t)a.cells[1] + (uint32_t)y) * (uint32_t)a.cells[0] + (uint32_t)x;
}

// cells that must know of a face; false: all
static __device__ bool cells_of(const soft_wall_search &a, const scr_face &face, int *from, int *to)
{
    if (!a.cells[0] || face.kind != SCR_FACE_TRIANGLE) return false;
    const pose &p = a.world->walls[face.wall].anchor;
    const vec3 corner[3] = {pose_point(&p, face.point), pose_point(&p, v3_add(face.point, face.edge[0])),
                            pose_point(&p, v3_add(face.point, face.edge[1]))};
    double number = 1;
    for (int d = 0; d < 3; d++) {
        const double x = (&corner[0].x)[d], y = (&corner[1].x)[d], z = (&corner[2].x)[d];
        from[d] = cell_along(a, d, fmin(x, fmin(y, z)) - a.around);
        to[d] = cell_along(a, d, fmax(x, fmax(y, z)) + a.around);
        number *= to[d] - from[d] + 1;
    }
    return number <= SOFT_FACE_CELLS;
}

// counted, or filled in
__global__ void cells_of_faces(const soft_wall_search a, bool fill)
{
    const uint32_t f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= (uint32_t)a.world->face_count) return;
    const scr_face &face = a.world->faces[f];
    int from[3], to[3];
    if (!a.world->walls[face.wall].active) return;
    if (!cells_of(a, face, from, to)) {
        if (!fill) a.everywhere[atomicAdd(a.everywhere_count, 1u)] = f;
        return;
    }
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int x = from[0]; x <= to[0]; x++) {
                const uint32_t cell = cell_at(a, x, y, z);
                if (fill)
                    a.entry[a.cell_start[cell] + atomicAdd(&a.cell_fill[cell], 1u)] = f;
                else
                    atomicAdd(&a.cell_start[cell], 1u);
            }
}

/* ---- near ---- */

// as scr_walls_search and scr_wall_pairs_place of collide/wall_pairs.c: one face, if it is near; gap is rounded down
static __device__ bool face_is_near(const scr_world *w, int face, const row4 &x, double reach, float *gap)
{
    const scr_wall &wall = w->walls[w->faces[face].wall];
    if (!wall.active) return false;
    const vec3 local = pose_point_back(&wall.anchor, v3(x.x, x.y, x.z));
    const double distance = face_nearest(&w->faces[face], local).distance;
    if (distance >= x.w + reach) return false;
    const double apart = distance - x.w, slack = 1e-6 * (fabs(apart) + x.w);
    *gap = (float)(apart - slack);
    return true;
}

static __device__ void place_pair(const soft_wall_search &a, uint32_t i, int face, float gap, uint32_t to)
{
    scr_wall_pairs *p = (scr_wall_pairs *)a.to;
    const scr_wall_pairs *o = (const scr_wall_pairs *)a.from;
    const uint32_t was = a.order ? a.order[i] : i, number = a.from_of[was];
    uint32_t known = UINT32_MAX;
    if (number)
        for (uint32_t k = a.from_start[number - 1]; k < a.from_start[number]; k++)
            if (o->face[k] == (uint32_t)face && o->touch[k]) known = k;
    row4 none = {0, 0, 0, 0};
    p->body[to] = i, p->face[to] = (uint32_t)face, p->gap[to] = gap;
    p->law[to] = (uint16_t)(a.material[i] * a.materials + a.world->faces[face].material);
    p->touch[to] = known != UINT32_MAX;
    row_store(p->history, to, known != UINT32_MAX ? row_load(o->history, known) : none);
    for (int k = 0; k < 2 && p->wide; k++)
        row_store(p->wide, 2 * (size_t)to + k, known != UINT32_MAX ? row_load(o->wide, 2 * (size_t)known + k) : none);
}

// calls near(face, gap) for all faces near a body
template <class F>
static __device__ __forceinline__ void each_face(const soft_wall_search &a, const row4 &x, double reach, F near)
{
    float gap;
    for (uint32_t k = 0; k < *a.everywhere_count; k++) {
        const uint32_t f = a.everywhere[k];
        if (face_is_near(a.world, (int)f, x, reach, &gap)) near(f, gap);
    }
    if (!a.cells[0]) return;
    const uint32_t cell = cell_at(a, cell_along(a, 0, x.x), cell_along(a, 1, x.y), cell_along(a, 2, x.z));
    for (uint32_t k = a.cell_start[cell]; k < a.cell_start[cell + 1]; k++) {
        const uint32_t f = a.entry[k];
        if (face_is_near(a.world, (int)f, x, reach, &gap)) near(f, gap);
    }
}

__global__ void rows_near_walls(const soft_wall_search a)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.bodies) return;
    const row4 x = row_load(a.place, i), v = row_load(a.motion, i);
    const double travel = a.halted ? 0 : a.horizon * sqrt(v.x * v.x + v.y * v.y + v.z * v.z), reach = a.reach + travel;
    uint32_t count = 0;
    a.of[i] = 0;
    if (v.w == 0) return;
    each_face(a, x, reach, [&](uint32_t, float) { count++; });
    if (!count) return;
    const unsigned long long at = atomicAdd(a.found, 1ull << 32 | count);
    const uint32_t number = (uint32_t)(at >> 32), to = (uint32_t)at;
    if ((unsigned long long)to + count > a.room) return;
    a.of[i] = number + 1, a.start[number] = to;
    if (count > SOFT_FEW_FACES) a.many[atomicAdd(a.many_count, 1u)] = number;
    // in the order of faces
    scr_wall_pairs *p = (scr_wall_pairs *)a.to;
    uint32_t *face = p->face + to, n = 0;
    float *gaps = p->gap + to;
    each_face(a, x, reach, [&](uint32_t f, float gap) {
        uint32_t place = n++;
        for (; place > 0 && face[place - 1] > f; place--) face[place] = face[place - 1], gaps[place] = gaps[place - 1];
        face[place] = f, gaps[place] = gap;
    });
    for (uint32_t k = 0; k < count; k++) place_pair(a, i, (int)face[k], gaps[k], to + k);
}

/* ---- launching ---- */

extern "C" void scr_soft_walls_sort(void *stream, const soft_wall_search *a, uint32_t faces, bool fill)
{
    if (faces) SCR_LAUNCH(stream, cells_of_faces, (faces + 127) / 128, 128, *a, fill);
    const uint32_t cells = (uint32_t)a->cells[0] * (uint32_t)a->cells[1] * (uint32_t)a->cells[2];
    if (!fill && cells) scr_soft_list_starts(stream, a->cell_start, cells, a->cell_fill);
}

extern "C" void scr_soft_walls_search(void *stream, const soft_wall_search *a)
{
    SCR_LAUNCH(stream, rows_near_walls, (a->bodies + 127) / 128, 128, *a);
}
