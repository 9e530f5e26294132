/* Edges of meshes: those of a box are twelve, whatever triangles it is made of and wherever it is; a flat sheet has its
 * border; a round body has none. */
#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "show/render_edges.h"

static scr_face facet(vec3 a, vec3 b, vec3 c)
{
    scr_face f = {.kind = SCR_FACE_TRIANGLE, .point = a};
    f.edge[0] = v3_sub(b, a), f.edge[1] = v3_sub(c, a);
    f.axis = v3_unit(v3_cross(f.edge[0], f.edge[1]));
    return f;
}

// a parallelogram of n by n squares, two triangles each
static size_t sheet(scr_face *out, vec3 at, vec3 u, vec3 v, int n)
{
    size_t count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            vec3 p = v3_axpy(v3_axpy(at, (double)i / n, u), (double)j / n, v);
            vec3 q = v3_axpy(p, 1.0 / n, u), s = v3_axpy(p, 1.0 / n, v), r = v3_axpy(q, 1.0 / n, v);
            out[count++] = facet(p, q, r);
            out[count++] = facet(r, s, p);
        }
    return count;
}

static double length_of(const double *edges, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += v3_norm(v3_sub(v3_load(edges + 6 * k), v3_load(edges + 6 * k + 3)));
    return sum;
}

int main(void)
{
    static scr_face faces[2000];
    double *edges;
    const double a = 0.3, size[3] = {1e-3, 1, 1e4};
    for (int k = 0; k < 3; k++) {
        double s = size[k];
        // a turned box, far from the origin
        vec3 at = v3(30 * s, -20 * s, 7 * s), x = v3(s * cos(a), s * sin(a), 0);
        vec3 y = v3(-2 * s * sin(a), 2 * s * cos(a), 0), z = v3(0, 0, 3 * s);
        size_t n = sheet(faces, at, x, y, 4);
        n += sheet(faces + n, v3_add(at, z), x, y, 4);
        n += sheet(faces + n, at, x, z, 4), n += sheet(faces + n, v3_add(at, y), x, z, 4);
        n += sheet(faces + n, at, y, z, 4), n += sheet(faces + n, v3_add(at, x), y, z, 4);
        size_t count = scr_mesh_edges(faces, n, &edges);
        CHECK_INT((int)count, 12 * 4);
        CHECK_NEAR(length_of(edges, count) / (4 * 6 * s), 1, 1e-12); /* off by 4e-16 */
        free(edges);
    }
    size_t n = sheet(faces, v3(1, 1, 1), v3(2, 0, 0), v3(0, 3, 0), 5);
    size_t count = scr_mesh_edges(faces, n, &edges);
    CHECK_INT((int)count, 20);
    CHECK_NEAR(length_of(edges, count), 10, 1e-12);
    free(edges);
    // a sphere of 32 by 16 fields: facets turn by 11 degrees
    n = 0;
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 16; j++) {
            vec3 p[4];
            for (int c = 0; c < 4; c++) {
                double t = M_PI * ((c >> 1) + j) / 16, f = 2 * M_PI * (((c & 1) + i) % 32) / 32;
                p[c] = v3(sin(t) * cos(f), sin(t) * sin(f), cos(t));
            }
            if (j > 0) faces[n++] = facet(p[0], p[2], p[1]);
            if (j < 15) faces[n++] = facet(p[1], p[2], p[3]);
        }
    CHECK_INT((int)scr_mesh_edges(faces, n, &edges), 0);
    CHECK(!edges);
    CHECK_INT((int)scr_mesh_edges(faces, 0, &edges), 0);
    CHECK(!edges);
    return check_done();
}
