/* Tables of a mesh, and its masses and moments: equations (1) of polyhedra.h. */
#include "shape/polyhedra.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "math/elementary.h"

#define DIAGONAL 1e-12 /* a tensor whose other entries are below this part of the largest keeps its axes */
#define ROUND    1e-10 /* a face whose two moments differ by less than this part has no axes of its own */

void scr_polyhedra_init(scr_polyhedra *mesh)
{
    *mesh = (scr_polyhedra){0};
}

void scr_polyhedra_deinit(scr_polyhedra *mesh)
{
    scr_free_all(mesh->points, mesh->first, mesh->corners, mesh->cells, mesh->side, mesh->shift);
    scr_memory_free(mesh->group);
    scr_memory_free(mesh->seeds);
    *mesh = (scr_polyhedra){0};
}

/* ---- building ---- */

static bool reserve_faces(scr_polyhedra *m, size_t wanted)
{
    if (m->shift && !scr_reserve(&m->shift, 3 * wanted)) return false;
    return scr_reserve_each(SCR_ROOM(m->first, wanted + 1), SCR_ROOM(m->cells, 2 * wanted), SCR_ROOM(m->side, wanted));
}

bool scr_polyhedra_reserve(scr_polyhedra *mesh, size_t points, size_t faces, size_t corners)
{
    return scr_reserve(&mesh->points, 3 * points) && reserve_faces(mesh, faces) && scr_reserve(&mesh->corners, corners);
}

bool scr_polyhedra_add_point(scr_polyhedra *mesh, vec3 x, uint32_t *number)
{
    size_t n = mesh->point_count;
    if (n >= INT32_MAX || !scr_reserve(&mesh->points, 3 * (n + 1))) return false;
    v3_store(mesh->points + 3 * n, x);
    *number = (uint32_t)n;
    mesh->point_count++;
    return true;
}

bool scr_polyhedra_add_face(scr_polyhedra *mesh, const uint32_t *corners, int count, int cell, int other, int side)
{
    assert(count >= 3 && cell >= 0);
    size_t n = mesh->face_count, used = mesh->corner_count, more = (size_t)count;
    if (n + 1 >= INT32_MAX || used + more >= UINT32_MAX || !reserve_faces(mesh, n + 1) ||
        !scr_reserve(&mesh->corners, used + more))
        return false;
    scr_copy(mesh->corners + used, corners, more * sizeof *corners);
    mesh->corner_count += more;
    mesh->first[n] = (uint32_t)used, mesh->first[n + 1] = (uint32_t)(used + more);
    mesh->cells[2 * n] = cell, mesh->cells[2 * n + 1] = other;
    mesh->side[n] = side;
    if (mesh->shift) v3_store(mesh->shift + 3 * n, v3(0, 0, 0));
    mesh->face_count++;
    if ((size_t)cell >= mesh->cell_count) mesh->cell_count = (size_t)cell + 1;
    if (other >= 0 && (size_t)other >= mesh->cell_count) mesh->cell_count = (size_t)other + 1;
    return true;
}

bool scr_polyhedra_shift(scr_polyhedra *mesh, size_t face, vec3 shift)
{
    assert(face < mesh->face_count);
    if (!scr_reserve(&mesh->shift, 3 * mesh->face_count)) return false;
    v3_store(mesh->shift + 3 * face, shift);
    return true;
}

// the place of a name in a list, where it is added when it is not there; -1 when the list is full
static int name_of(char (*names)[24], int *count, int most, const char *name)
{
    for (int k = 0; k < *count; k++)
        if (!strcmp(names[k], name)) return k;
    if (*count == most) return -1;
    snprintf(names[*count], sizeof *names, "%s", name);
    return (*count)++;
}

int scr_polyhedra_side(scr_polyhedra *mesh, const char *name)
{
    return name_of(mesh->sides, &mesh->side_count, SCR_MOST_SIDES, name);
}

int scr_polyhedra_group(scr_polyhedra *mesh, const char *name)
{
    return name_of(mesh->groups, &mesh->group_count, SCR_MOST_GROUPS, name);
}

// groups of all cells: those of the other by name, none where a mesh has no groups
static bool append_groups(scr_polyhedra *mesh, size_t own, const scr_polyhedra *other)
{
    if (!mesh->group && !other->group) return true;
    int32_t *group = scr_memory_new(own + other->cell_count, sizeof *group);
    if (!group) return false;
    for (size_t c = 0; c < own; c++) group[c] = mesh->group ? mesh->group[c] : SCR_NO_CELL_GROUP;
    for (size_t c = 0; c < other->cell_count; c++) {
        int of = other->group ? other->group[c] : SCR_NO_CELL_GROUP;
        group[own + c] = of < 0 ? of : scr_polyhedra_group(mesh, other->groups[of]);
    }
    scr_memory_free(mesh->group);
    mesh->group = group;
    return true;
}

bool scr_polyhedra_append(scr_polyhedra *mesh, const scr_polyhedra *other)
{
    size_t points = mesh->point_count, faces = mesh->face_count, corners = mesh->corner_count;
    int32_t cells = (int32_t)mesh->cell_count;
    if (points + other->point_count >= INT32_MAX || faces + other->face_count >= INT32_MAX ||
        corners + other->corner_count >= UINT32_MAX || mesh->cell_count + other->cell_count >= INT32_MAX ||
        !scr_polyhedra_reserve(mesh, points + other->point_count, faces + other->face_count,
                               corners + other->corner_count) ||
        !append_groups(mesh, mesh->cell_count, other))
        return false;
    if (other->point_count) scr_copy(mesh->points + 3 * points, other->points, 3 * other->point_count * sizeof(double));
    for (size_t k = 0; k < other->corner_count; k++) mesh->corners[corners + k] = (uint32_t)points + other->corners[k];
    for (size_t f = 0; f < other->face_count; f++) {
        const int32_t *c = other->cells + 2 * f;
        int side = other->side[f];
        mesh->first[faces + f] = (uint32_t)corners + other->first[f];
        mesh->cells[2 * (faces + f)] = cells + c[0];
        mesh->cells[2 * (faces + f) + 1] = c[1] < 0 ? c[1] : cells + c[1];
        mesh->side[faces + f] = side < 0 ? side : scr_polyhedra_side(mesh, other->sides[side]);
        if (mesh->shift) v3_store(mesh->shift + 3 * (faces + f), v3(0, 0, 0));
    }
    mesh->point_count += other->point_count;
    mesh->corner_count += other->corner_count;
    mesh->face_count += other->face_count;
    mesh->cell_count += other->cell_count;
    if (mesh->face_count) mesh->first[mesh->face_count] = (uint32_t)mesh->corner_count;
    for (size_t f = 0; other->shift && f < other->face_count; f++)
        if (!scr_polyhedra_shift(mesh, faces + f, v3_load(other->shift + 3 * f))) return false;
    return true;
}

bool scr_cell_faces_build(const scr_polyhedra *mesh, scr_cell_faces *of)
{
    *of = (scr_cell_faces){scr_memory_new(mesh->cell_count + 2, sizeof(uint32_t)),
                           scr_memory_new(2 * mesh->face_count, sizeof(uint32_t))};
    if (!of->first || !of->faces) {
        scr_cell_faces_deinit(of);
        return false;
    }
    // count two places ahead: filling then moves each beginning to where it belongs
    for (size_t k = 0; k < 2 * mesh->face_count; k++)
        if (mesh->cells[k] >= 0) of->first[mesh->cells[k] + 2]++;
    for (size_t c = 0; c < mesh->cell_count; c++) of->first[c + 2] += of->first[c + 1];
    for (size_t k = 0; k < 2 * mesh->face_count; k++)
        if (mesh->cells[k] >= 0) of->faces[of->first[mesh->cells[k] + 1]++] = (uint32_t)(k / 2);
    return true;
}

void scr_cell_faces_deinit(scr_cell_faces *of)
{
    scr_memory_free(of->first);
    scr_memory_free(of->faces);
    *of = (scr_cell_faces){0};
}

/* ---- shapes ---- */

// the corners of a face, first to last, then the first again
static vec3 corner(const scr_polyhedra *mesh, size_t f, size_t k)
{
    size_t from = mesh->first[f], n = mesh->first[f + 1] - from;
    return v3_load(mesh->points + 3 * (size_t)mesh->corners[from + k % n]);
}

static size_t corner_count(const scr_polyhedra *mesh, size_t f)
{
    return mesh->first[f + 1] - mesh->first[f];
}

// where the fan of triangles of a face meets
static vec3 hub(const scr_polyhedra *mesh, size_t f)
{
    vec3 sum = {0, 0, 0};
    size_t n = corner_count(mesh, f);
    for (size_t k = 0; k < n; k++) sum = v3_add(sum, corner(mesh, f, k));
    return v3_scale(1 / (double)n, sum);
}

// t + w (s s + a a + b b + c c), s = a + b + c
static sym3 second_moment(sym3 t, double w, vec3 a, vec3 b, vec3 c)
{
    vec3 s = v3_add(v3_add(a, b), c);
    const vec3 v[4] = {s, a, b, c};
    for (int k = 0; k < 4; k++) {
        t.xx += w * v[k].x * v[k].x, t.yy += w * v[k].y * v[k].y, t.zz += w * v[k].z * v[k].z;
        t.xy += w * v[k].x * v[k].y, t.xz += w * v[k].x * v[k].z, t.yz += w * v[k].y * v[k].z;
    }
    return t;
}

// unit axes in the plane: along the least and the greatest second moment
static void face_axes(scr_face_shape *face, sym3 t, vec3 edge)
{
    vec3 u = v3_unit(v3_axpy(edge, -v3_dot(edge, face->normal), face->normal));
    vec3 v = v3_cross(face->normal, u);
    double uu = v3_dot(u, sym3_times(t, u)), vv = v3_dot(v, sym3_times(t, v));
    double uv = v3_dot(u, sym3_times(t, v));
    if (fabs(uv) <= 1e-13 * (uu + vv)) uv = 0;
    double half = scr_hypot(0.5 * (uu - vv), uv);
    // of two ways to write the axis of the lesser moment, the one without cancellation
    face->s = u;
    if (half > ROUND * (uu + vv) && uu < vv)
        face->s = v3_unit(v3_axpy(v3_scale(0.5 * (vv - uu) + half, u), -uv, v));
    else if (half > ROUND * (uu + vv))
        face->s = v3_unit(v3_axpy(v3_scale(-uv, u), 0.5 * (uu - vv) + half, v));
    face->t = v3_cross(face->normal, face->s);
    double ss = v3_dot(face->s, sym3_times(t, face->s));
    double tt = v3_dot(face->t, sym3_times(t, face->t));
    face->is = fmin(ss, tt), face->it = fmax(ss, tt);
}

scr_face_shape scr_polyhedra_face(const scr_polyhedra *mesh, size_t f)
{
    scr_face_shape face;
    vec3 o = hub(mesh, f), area = {0, 0, 0}, first = {0, 0, 0};
    double sum = 0;
    size_t n = corner_count(mesh, f);
    for (size_t k = 0; k < n; k++) {
        vec3 b = v3_sub(corner(mesh, f, k), o), c = v3_sub(corner(mesh, f, k + 1), o);
        vec3 twice = v3_cross(b, c);
        double part = 0.5 * v3_norm(twice);
        area = v3_axpy(area, 0.5, twice);
        first = v3_axpy(first, part / 3, v3_add(b, c));
        sum += part;
    }
    face.area = v3_norm(area);
    face.normal = v3_unit(area);
    vec3 centre = sum > 0 ? v3_scale(1 / sum, first) : first;
    face.centre = v3_add(o, centre);
    sym3 t = {0};
    for (size_t k = 0; k < n; k++) {
        vec3 b = v3_sub(corner(mesh, f, k), o), c = v3_sub(corner(mesh, f, k + 1), o);
        double part = 0.5 * v3_norm(v3_cross(b, c));
        t = second_moment(t, part / 12, v3_scale(-1, centre), v3_sub(b, centre), v3_sub(c, centre));
    }
    face_axes(&face, t, v3_sub(corner(mesh, f, 1), corner(mesh, f, 0)));
    return face;
}

// how far a face is from its points as a cell sees it: points of a periodic mesh stand where the first cell is
static vec3 seen_from(const scr_polyhedra *mesh, size_t f, bool second)
{
    return second && mesh->shift ? v3_scale(-1, v3_load(mesh->shift + 3 * f)) : v3(0, 0, 0);
}

typedef struct {
    double volume;
    vec3 first;
    sym3 second;
} sums;

// a face's share in the integrals of one of its cells, about that cell's origin
static void add_face_to_cell(const scr_polyhedra *mesh, size_t f, vec3 away, double sign, sums *cell)
{
    vec3 a = v3_add(hub(mesh, f), away);
    size_t n = corner_count(mesh, f);
    for (size_t k = 0; k < n; k++) {
        vec3 b = v3_add(corner(mesh, f, k), away), c = v3_add(corner(mesh, f, k + 1), away);
        double det = sign * v3_dot(a, v3_cross(b, c));
        cell->volume += det / 6;
        cell->first = v3_axpy(cell->first, det / 24, v3_add(a, v3_add(b, c)));
        cell->second = second_moment(cell->second, det / 120, a, b, c);
    }
}

static void cell_shape(const sums *sum, vec3 origin, scr_cell_shape *cell)
{
    cell->volume = sum->volume;
    vec3 x = v3_scale(1 / sum->volume, sum->first);
    cell->centre = v3_add(origin, x);
    // about the centre, then from int x x to the tensor of inertia
    double v = sum->volume;
    sym3 t = sum->second;
    double xx = t.xx - v * x.x * x.x, yy = t.yy - v * x.y * x.y, zz = t.zz - v * x.z * x.z;
    sym3 inertia = {
        yy + zz, xx + zz, xx + yy, -(t.xy - v * x.x * x.y), -(t.xz - v * x.x * x.z), -(t.yz - v * x.y * x.z)};
    double off = fmax(fabs(inertia.xy), fmax(fabs(inertia.xz), fabs(inertia.yz)));
    double most = fmax(fabs(inertia.xx), fmax(fabs(inertia.yy), fabs(inertia.zz)));
    cell->axes = quat_one();
    cell->moments = v3(inertia.xx, inertia.yy, inertia.zz);
    if (!(off > DIAGONAL * most)) return;
    vec3 axes[3];
    sym3_principal(inertia, &cell->moments, axes);
    cell->axes = quat_of_axes(axes);
}

bool scr_polyhedra_shapes(const scr_polyhedra *mesh, scr_cell_shape *cells, scr_face_shape *faces)
{
    size_t n = mesh->cell_count;
    sums *sum = scr_memory_new(n, sizeof *sum);
    double *origin = scr_memory_new(n, 4 * sizeof *origin); // of each cell, and how many hubs it is the mean of
    bool ok = sum && origin;
    for (int pass = 0; ok && pass < 2; pass++) {
        for (size_t f = 0; f < mesh->face_count; f++) {
            if (pass == 1 && faces) faces[f] = scr_polyhedra_face(mesh, f);
            for (int k = 0; k < 2; k++) {
                int32_t c = mesh->cells[2 * f + (size_t)k];
                if (c < 0) continue;
                double *o = origin + 4 * (size_t)c;
                vec3 place = seen_from(mesh, f, k);
                if (pass == 0) {
                    v3_store(o, v3_add(v3_load(o), v3_add(hub(mesh, f), place)));
                    o[3]++;
                } else {
                    add_face_to_cell(mesh, f, v3_sub(place, v3_load(o)), k ? -1 : 1, &sum[c]);
                }
            }
        }
        for (size_t c = 0; pass == 0 && c < n; c++)
            v3_store(origin + 4 * c, v3_scale(1 / fmax(origin[4 * c + 3], 1), v3_load(origin + 4 * c)));
    }
    for (size_t c = 0; ok && c < n; c++) cell_shape(&sum[c], v3_load(origin + 4 * c), &cells[c]);
    scr_memory_free(sum);
    scr_memory_free(origin);
    return ok;
}
