/* Rigid motions that no support prevents: a body that can move without strain has no equilibrium to find.
 *
 * Every part that hangs together by links moves by x -> t + a x (x - c), c its middle. A held motion of a cell at x is
 * one row of a condition on (t, a): e.t + ((x - c) x e).a = 0, or e.a = 0 where a turn is held. The null space of all
 * rows is found from the eigenvectors of their normal matrix, a being measured in units of the part's size. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "step/equilibrium/equilibrium.h"

#define NONE 1e-9 /* an eigenvalue below this, of the largest, is zero */

typedef double matrix6[6][6];

/* ---- conditions ---- */

typedef struct {
    size_t count; /* cells */
    vec3 middle;
    double size;
    matrix6 normal; /* of the conditions */
} part;

static void add_rows(part *p, vec3 x, int held)
{
    vec3 arm = v3_scale(1 / p->size, v3_sub(x, p->middle));
    for (int d = 0; d < 6; d++) {
        if (!(held >> d & 1)) continue;
        double unit[3] = {d % 3 == 0, d % 3 == 1, d % 3 == 2}, row[6] = {0};
        vec3 turn = v3_cross(arm, v3_load(unit));
        memcpy(row + (d < 3 ? 0 : 3), unit, sizeof unit);
        if (d < 3) v3_store(row + 3, turn);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++) p->normal[r][c] += row[r] * row[c];
    }
}

static void measure(const scr_world *w, part *p)
{
    const scr_cells *c = &w->cells;
    size_t n = c->table.count;
    for (size_t k = 0; k < n; k++) {
        part *own = &p[c->fragment[k]];
        own->count++;
        own->middle = v3_add(own->middle, scr_cell_centre(c, k));
    }
    for (size_t k = 0; k < n; k++)
        if (p[k].count) p[k].middle = v3_scale(1 / (double)p[k].count, p[k].middle);
    for (size_t k = 0; k < n; k++) {
        part *own = &p[c->fragment[k]];
        double far = v3_norm(v3_sub(scr_cell_centre(c, k), own->middle));
        own->size = fmax(own->size, far + scr_cbrt(scr_cell_volume(c, k)));
    }
    for (size_t k = 0; k < n; k++) add_rows(&p[c->fragment[k]], scr_cell_centre(c, k), c->held[k]);
}

/* ---- null space ---- */

// Jacobi's rotations: eigenvalues on the diagonal of a, eigenvectors in the columns of v
static void diagonalise(matrix6 a, matrix6 v)
{
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) v[r][c] = r == c;
    for (int sweep = 0; sweep < 50; sweep++)
        for (int p = 0; p < 5; p++)
            for (int q = p + 1; q < 6; q++) {
                if (fabs(a[p][q]) <= 1e-300) continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 6; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 6; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                    x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
                }
            }
}

// free motions as orthonormal rows; how many
static int free_motions(const part *p, double motions[6][6])
{
    matrix6 a, v;
    memcpy(a, p->normal, sizeof a);
    diagonalise(a, v);
    double most = 0;
    for (int k = 0; k < 6; k++) most = fmax(most, a[k][k]);
    int count = 0;
    for (int k = 0; k < 6; k++) {
        if (most > 0 && a[k][k] > NONE * most) continue;
        for (int d = 0; d < 6; d++) motions[count][d] = v[d][k];
        count++;
    }
    return count;
}

// how much of a shift along one axis, or of a turn about it with any shift, is free: 1 is all
static double freedom(double motions[6][6], int count, int axis)
{
    double all = 0;
    if (axis < 3) {
        for (int k = 0; k < count; k++) all += motions[k][axis] * motions[k][axis];
        return all;
    }
    // least squares: which combination has its turn along the axis
    double m[3][3] = {{0}}, best = 0;
    for (int k = 0; k < count; k++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) m[r][c] += motions[k][3 + r] * motions[k][3 + c];
    vec3 values, axes[3];
    sym3_principal((sym3){m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]}, &values, axes);
    const double v[3] = {values.x, values.y, values.z};
    for (int k = 0; k < 3; k++) {
        const double e[3] = {axes[k].x, axes[k].y, axes[k].z};
        if (v[k] > NONE) best += e[axis - 3] * e[axis - 3];
    }
    return best;
}

static void add_word(char *text, size_t size, const char *word, int *count, int of)
{
    const char *before = *count == 0 ? "" : *count == of - 1 ? " and " : ", ";
    snprintf(text + strlen(text), size - strlen(text), "%s%s", before, word);
    ++*count;
}

static void name_motions(double motions[6][6], int count, char *text, size_t size)
{
    static const char *const words[6] = {"move along x",   "move along y",   "move along z",
                                         "rotate about x", "rotate about y", "rotate about z"};
    int named = 0, done = 0;
    bool is_free[6];
    for (int k = 0; k < 6; k++) named += is_free[k] = freedom(motions, count, k) > 1 - 1e-6;
    if (named > count) named = count;
    int of = named + (named < count);
    *text = 0;
    for (int k = 0; done < named; k++)
        if (is_free[k]) add_word(text, size, words[k], &done, of);
    if (named == count) return;
    char more[64];
    snprintf(more, sizeof more, "do %d %smotion%s along or about oblique axes", count - named, named ? "more " : "",
             count - named > 1 ? "s" : "");
    add_word(text, size, more, &done, of);
}

static scree_status refuse(const scr_world *w, const scr_scene *scene, size_t k, const part *p, scree_report *report)
{
    double motions[6][6];
    int count = free_motions(p, motions);
    if (!count) return SCREE_OK;
    char words[256], which[128] = "";
    name_motions(motions, count, words, sizeof words);
    const scr_solid *solid = &w->solids[w->cells.solid[k]];
    if (p->count < (size_t)solid->cell_count)
        snprintf(which, sizeof which, " (the part of %zu cells about (%.4g, %.4g, %.4g) m)", p->count, p->middle.x,
                 p->middle.y, p->middle.z);
    return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, scr_scene_find(scene, "solids", solid->name), NULL),
                    "the solid %s%s can %s: no support prevents it, so there is no equilibrium to "
                    "find; hold it (section supports)",
                    solid->name, which, words);
}

#define MOST_TOLD 8

scree_status scr_check_rigid_motions(const scr_world *w, const scr_scene *scene, scree_report *report)
{
    size_t n = w->cells.table.count;
    part *p = scr_memory_new(n + 1, sizeof *p);
    scree_status status = SCREE_OK;
    if (!p) return scr_no_memory(report, "parts of solids");
    measure(w, p);
    int told = 0;
    for (size_t k = 0; k < n && told < MOST_TOLD; k++)
        if (p[k].count && refuse(w, scene, k, &p[k], report)) status = SCREE_E_INPUT, told++;
    scr_memory_free(p);
    return status;
}
