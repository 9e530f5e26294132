/* Plates: the Voronoi mesh of a thin slab whose seeds all lie in its middle plane consists of prisms. Of each one
 * its bottom polygon is taken, and repeated through the thickness. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "shape/polyhedra_make.h"

#define FLAT 1e-9 /* deviations, in units of the size of the outline */

typedef struct {
    const scr_plate_def *def;
    scr_mesh_fault *fault;
    vec3 origin, x, y, z;   /* frame: z is the normal; the outline is at z = 0 */
    scr_cut *cuts;          /* in the frame */
    double *given;          /* seeds, in the frame */
    double slab;            /* thickness of the auxiliary slab */
    scr_polyhedra flat;     /* its mesh */
    uint32_t *point, *face; /* per point of `flat` that is at the bottom: its number in the mesh, in layer 0 */
} plate;

__attribute__((format(printf, 2, 3))) static bool refuse(plate *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    p->fault->cell = p->fault->face = -1;
    vsnprintf(p->fault->what, sizeof p->fault->what, format, args);
    va_end(args);
    return false;
}

static vec3 to_frame(const plate *p, vec3 a)
{
    vec3 d = v3_sub(a, p->origin);
    return v3(v3_dot(d, p->x), v3_dot(d, p->y), v3_dot(d, p->z));
}

static vec3 from_frame(const plate *p, vec3 a)
{
    return v3_axpy(v3_axpy(v3_axpy(p->origin, a.x, p->x), a.y, p->y), a.z, p->z);
}

static bool no_memory(plate *p)
{
    return refuse(p, "no memory for the mesh");
}

static bool find_frame(plate *p, double *size)
{
    const vec3 *c = p->def->outline;
    int n = p->def->corner_count;
    vec3 area = {0, 0, 0};
    *size = 0;
    for (int k = 0; k < n; k++) {
        area = v3_add(area, v3_cross(v3_sub(c[k], c[0]), v3_sub(c[(k + 1) % n], c[0])));
        *size = fmax(*size, v3_norm(v3_sub(c[k], c[0])));
    }
    if (!(v3_norm(area) > FLAT * *size * *size)) return refuse(p, "the outline has no area");
    p->z = v3_unit(area);
    p->origin = c[0];
    vec3 edge = v3_sub(c[1], c[0]);
    p->x = v3_unit(v3_axpy(edge, -v3_dot(edge, p->z), p->z));
    p->y = v3_cross(p->z, p->x);
    return v3_norm(p->x) > 0 || refuse(p, "corners 1 and 2 of the outline are the same");
}

// the planes of the edges, of the bottom and of the top of the slab
static bool find_cuts(plate *p, double size)
{
    int n = p->def->corner_count;
    double area = 0;
    for (int k = 0; k < n; k++) {
        vec3 a = to_frame(p, p->def->outline[k]), b = to_frame(p, p->def->outline[(k + 1) % n]);
        vec3 c = to_frame(p, p->def->outline[(k + 2) % n]), edge = v3(b.x - a.x, b.y - a.y, 0);
        if (fabs(a.z) > FLAT * size) return refuse(p, "corner %d of the outline is %g m out of its plane", k + 1, a.z);
        if (!(v3_norm(edge) > FLAT * size))
            return refuse(p, "corners %d and %d of the outline are the same", k + 1, (k + 1) % n + 1);
        vec3 normal = v3_unit(v3(edge.y, -edge.x, 0));
        if (!(v3_dot(normal, v3_sub(c, b)) < 0))
            return refuse(p, "the outline is not convex at corner %d", (k + 1) % n + 1);
        p->cuts[k] = (scr_cut){normal, v3_dot(normal, a), "edge"};
        area += 0.5 * (a.x * b.y - b.x * a.y);
    }
    // convex all round, but twice round is not meant: every corner is behind every edge
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            if (v3_dot(p->cuts[k].normal, to_frame(p, p->def->outline[j])) > p->cuts[k].offset + FLAT * size)
                return refuse(p, "the outline is not convex at corner %d", j + 1);
    p->slab = sqrt(area / (double)p->def->count);
    p->cuts[n] = (scr_cut){v3(0, 0, -1), 0, "bottom"};
    p->cuts[n + 1] = (scr_cut){v3(0, 0, 1), p->slab, "top"};
    return true;
}

static bool slab_mesh(plate *p)
{
    const scr_plate_def *def = p->def;
    for (size_t k = 0; def->given && k < def->count; k++) {
        vec3 x = to_frame(p, v3_load(def->given + 3 * k));
        v3_store(p->given + 3 * k, v3(x.x, x.y, 0.5 * p->slab));
    }
    scr_voronoi_def voronoi = {.cuts = p->cuts,
                               .cut_count = def->corner_count + 2,
                               .seeding = def->seeding,
                               .count = def->count,
                               .jitter = def->jitter,
                               .given = def->given ? p->given : NULL,
                               .seed = def->seed,
                               .lloyd = def->lloyd,
                               .flat = true};
    double volume;
    return scr_voronoi_build(&voronoi, &p->flat, &volume, p->fault);
}

// points of the bottom, once per layer; layer k of point j of the slab is point[j] + k
static bool add_points(plate *p, scr_polyhedra *mesh)
{
    int layers = p->def->layers;
    for (size_t j = 0; j < p->flat.point_count; j++) {
        vec3 x = v3_load(p->flat.points + 3 * j);
        p->point[j] = UINT32_MAX;
        for (int k = 0; k <= layers && x.z < 0.5 * p->slab; k++) {
            uint32_t number;
            vec3 at = from_frame(p, v3(x.x, x.y, p->def->thickness * k / layers));
            if (!scr_polyhedra_add_point(mesh, at, &number)) return false;
            if (k == 0) p->point[j] = number;
        }
    }
    return true;
}

// from the bottom face of a prism: bottom, faces between layers, top
static bool add_levels(plate *p, size_t f, scr_polyhedra *mesh)
{
    int layers = p->def->layers, cell = p->flat.cells[2 * f] * layers;
    uint32_t from = p->flat.first[f], n = p->flat.first[f + 1] - from;
    bool ok = true;
    for (int k = 0; ok && k <= layers; k++) {
        // as it stands it looks down
        for (uint32_t j = 0; j < n; j++)
            p->face[j] = p->point[p->flat.corners[from + (k ? n - 1 - j : j)]] + (uint32_t)k;
        if (k == 0)
            ok = scr_polyhedra_add_face(mesh, p->face, (int)n, cell, SCR_NO_CELL, scr_polyhedra_side(mesh, "bottom"));
        else if (k < layers)
            ok = scr_polyhedra_add_face(mesh, p->face, (int)n, cell + k - 1, cell + k, SCR_NO_SIDE);
        else
            ok = scr_polyhedra_add_face(mesh, p->face, (int)n, cell + k - 1, SCR_NO_CELL,
                                        scr_polyhedra_side(mesh, "top"));
    }
    return ok;
}

// from an upright face: one rectangle per layer on its lower edge
static bool add_uprights(plate *p, size_t f, scr_polyhedra *mesh)
{
    uint32_t from = p->flat.first[f], n = p->flat.first[f + 1] - from;
    int layers = p->def->layers, cell = p->flat.cells[2 * f], other = p->flat.cells[2 * f + 1];
    int side = other < 0 ? scr_polyhedra_side(mesh, "edge") : SCR_NO_SIDE;
    for (uint32_t j = 0; j < n; j++) {
        uint32_t a = p->point[p->flat.corners[from + j]], b = p->point[p->flat.corners[from + (j + 1) % n]];
        if (a == UINT32_MAX || b == UINT32_MAX) continue;
        for (uint32_t k = 0; k < (uint32_t)layers; k++) {
            const uint32_t corners[4] = {a + k, b + k, b + k + 1, a + k + 1};
            if (!scr_polyhedra_add_face(mesh, corners, 4, cell * layers + (int)k,
                                        other < 0 ? SCR_NO_CELL : other * layers + (int)k, side))
                return false;
        }
    }
    return true;
}

static bool extrude(plate *p, scr_polyhedra *mesh)
{
    size_t most = 0;
    for (size_t f = 0; f < p->flat.face_count; f++)
        if (p->flat.first[f + 1] - p->flat.first[f] > most) most = p->flat.first[f + 1] - p->flat.first[f];
    p->point = scr_memory_new(p->flat.point_count, sizeof *p->point);
    p->face = scr_memory_new(most, sizeof *p->face);
    static const char *const sides[3] = {"bottom", "top", "edge"};
    for (int k = 0; k < 3; k++) scr_polyhedra_side(mesh, sides[k]);
    bool ok = p->point && p->face && add_points(p, mesh);
    for (size_t f = 0; ok && f < p->flat.face_count; f++) {
        const char *side = p->flat.side[f] < 0 ? "" : p->flat.sides[p->flat.side[f]];
        if (!strcmp(side, "bottom"))
            ok = add_levels(p, f, mesh);
        else if (strcmp(side, "top") != 0)
            ok = add_uprights(p, f, mesh);
    }
    // seeds: in the middle of each layer
    int layers = p->def->layers;
    mesh->seeds = scr_memory_new(mesh->cell_count, 3 * sizeof(double));
    for (size_t c = 0; ok && mesh->seeds && c < mesh->cell_count; c++) {
        vec3 x = v3_load(p->flat.seeds + 3 * (c / (size_t)layers));
        x.z = p->def->thickness * ((double)(c % (size_t)layers) + 0.5) / layers;
        v3_store(mesh->seeds + 3 * c, from_frame(p, x));
    }
    return (ok && mesh->seeds) || no_memory(p);
}

bool scr_polyhedra_plate(const scr_plate_def *def, scr_polyhedra *mesh, double *volume, scr_mesh_fault *fault)
{
    *fault = (scr_mesh_fault){.cell = -1, .face = -1};
    plate p = {.def = def, .fault = fault};
    double size;
    scr_polyhedra_init(&p.flat);
    p.cuts = scr_memory_new((size_t)def->corner_count + 2, sizeof *p.cuts);
    p.given = scr_memory_new(def->given ? def->count : 1, 3 * sizeof *p.given);
    bool ok = p.cuts && p.given ? true : no_memory(&p);
    ok = ok && find_frame(&p, &size) && find_cuts(&p, size) && slab_mesh(&p) && extrude(&p, mesh);
    *volume = p.slab * p.slab * (double)def->count * def->thickness;
    scr_polyhedra_deinit(&p.flat);
    scr_memory_free(p.cuts);
    scr_memory_free(p.given);
    scr_memory_free(p.point);
    scr_memory_free(p.face);
    return ok;
}
