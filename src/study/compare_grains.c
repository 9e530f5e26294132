/* Grains of two runs at their last common time. Up is z. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/compare.h"

typedef struct {
    double *position, *velocity, *radius, *id, *aggregate; /* NULL: frames do not hold it */
    size_t count;
} grains;

static double *view(const scr_compared *run, const char *name, int width, size_t *count, scree_report *report)
{
    const char *const *views = scr_archive_views(run->archive, run->frame);
    double *data = NULL;
    int wide;
    while (*views && strcmp(*views, name)) views++;
    if (!*views) return NULL;
    if (scr_archive_read(run->archive, run->frame, name, &data, count, &wide, report)) return NULL;
    if (wide != width) free(data), data = NULL;
    return data;
}

static grains grains_read(const scr_compared *run, scree_report *report)
{
    grains g = {0};
    size_t n;
    g.position = view(run, "position", 3, &g.count, report);
    g.velocity = view(run, "velocity", 3, &n, report);
    g.radius = view(run, "radius", 1, &n, report);
    g.id = view(run, "id", 1, &n, report);
    g.aggregate = view(run, "aggregate", 1, &n, report);
    if (!g.count) g.count = (size_t)scr_archive_frame(run->archive, run->frame).bodies;
    return g;
}

static void grains_free(grains *g)
{
    free(g->position), free(g->velocity), free(g->radius), free(g->id), free(g->aggregate);
}

/* ---- centre of mass, positions ---- */

// by volume, since materials of one scene are mostly one
static void centre(const grains *g, double c[3])
{
    double sum = 0;
    c[0] = c[1] = c[2] = 0;
    for (size_t k = 0; k < g->count; k++) {
        double r = g->radius ? g->radius[k] : 1, volume = r * r * r;
        sum += volume;
        for (int d = 0; d < 3; d++) c[d] += volume * g->position[3 * k + (size_t)d];
    }
    for (int d = 0; d < 3; d++) c[d] /= sum;
}

static bool add_centre(const grains *a, const grains *b, scr_differences *list)
{
    double ca[3], cb[3];
    bool good = true;
    centre(a, ca), centre(b, cb);
    for (int d = 0; d < 3 && good; d++) {
        char name[40];
        snprintf(name, sizeof name, "centre of volume %c", "xyz"[d]);
        good = scr_differences_add(list, name, "m", ca[d], cb[d]) != NULL;
    }
    return good;
}

// how far the same grains are apart; both are in the order of ids
static bool add_apart(const grains *a, const grains *b, scr_differences *list)
{
    double square = 0, n = 0, diameter = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        if (a->id[i] < b->id[j]) {
            i++;
        } else if (a->id[i] > b->id[j]) {
            j++;
        } else {
            for (size_t d = 0; d < 3; d++) {
                double way = a->position[3 * i + d] - b->position[3 * j + d];
                square += way * way;
            }
            diameter += a->radius ? 2 * a->radius[i] : NAN;
            i++, j++, n++;
        }
    }
    if (n == 0) return true;
    double rms = sqrt(square / n);
    scr_difference *row = scr_differences_add(list, "distance between grains (rms)", "m", NAN, rms);
    if (!row) return false;
    row->only = true;
    if (isnan(diameter)) return true;
    row = scr_differences_add(list, "the same over the mean diameter", "", NAN, rms * n / diameter);
    if (row) row->only = true;
    return row != NULL;
}

/* ---- speeds ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double *sorted_speeds(const grains *g)
{
    double *speed = malloc((g->count + 1) * sizeof *speed);
    for (size_t k = 0; speed && k < g->count; k++) {
        const double *v = g->velocity + 3 * k;
        speed[k] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    if (speed) qsort(speed, g->count, sizeof *speed, by_size);
    return speed;
}

// largest distance between the two cumulative distributions (Kolmogorov & Smirnov)
static double distribution_distance(const double *a, size_t na, const double *b, size_t nb)
{
    double most = 0;
    size_t i = 0, j = 0;
    while (i < na && j < nb) {
        double x = fmin(a[i], b[j]);
        while (i < na && a[i] <= x) i++;
        while (j < nb && b[j] <= x) j++;
        most = fmax(most, fabs((double)i / (double)na - (double)j / (double)nb));
    }
    return most;
}

static bool add_speeds(const grains *a, const grains *b, scr_differences *list)
{
    static const struct {
        const char *name;
        double part;
    } parts[] = {{"speed (median)", 0.5}, {"speed (90th percentile)", 0.9}, {"speed (fastest)", 1}};
    double *sa = sorted_speeds(a), *sb = sorted_speeds(b);
    bool good = sa && sb;
    for (int k = 0; good && k < 3; k++) {
        size_t i = (size_t)(parts[k].part * (double)(a->count - 1));
        size_t j = (size_t)(parts[k].part * (double)(b->count - 1));
        good = scr_differences_add(list, parts[k].name, "m/s", sa[i], sb[j]) != NULL;
    }
    scr_difference *row = good ? scr_differences_add(list, "speeds (distance of distributions)", "", NAN,
                                                     distribution_distance(sa, a->count, sb, b->count))
                               : NULL;
    if (row) row->only = true;
    free(sa), free(sb);
    return good && row;
}

bool scr_compare_speeds(const scr_compared *run, scr_compare_curve *curve, scree_report *report)
{
    grains g = grains_read(run, report);
    *curve = (scr_compare_curve){0};
    if (g.velocity && g.count) {
        curve->x = sorted_speeds(&g);
        curve->y = malloc((g.count + 1) * sizeof *curve->y);
        curve->count = g.count;
        for (size_t k = 0; curve->y && k < g.count; k++) curve->y[k] = ((double)k + 1) / (double)g.count;
    }
    bool good = curve->x && curve->y;
    if (!good) free(curve->x), free(curve->y), *curve = (scr_compare_curve){0};
    grains_free(&g);
    return good;
}

/* ---- surface ---- */

/* Cells seen from above: along the longer horizontal direction of the reference's grains, and across. */
typedef struct {
    int along;       /* axis */
    double from[2];  /* lower corner, along and across */
    double cell;     /* [m] */
    size_t count[2]; /* cells */
} mesh;

static bool mesh_of(const grains *g, mesh *m)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, most = 0;
    for (size_t k = 0; k < g->count; k++) {
        for (int d = 0; d < 2; d++) {
            low[d] = fmin(low[d], g->position[3 * k + (size_t)d]);
            high[d] = fmax(high[d], g->position[3 * k + (size_t)d]);
        }
        most = fmax(most, g->radius[k]);
    }
    if (!g->count || !(most > 0)) return false;
    m->along = high[0] - low[0] >= high[1] - low[1] ? 0 : 1;
    m->cell = 2 * most;
    for (int d = 0; d < 2; d++) {
        int axis = d ? 1 - m->along : m->along;
        m->from[d] = low[axis];
        double cells = floor((high[axis] - low[axis]) / m->cell) + 1;
        if (!(cells < 1e6)) return false;
        m->count[d] = (size_t)cells;
    }
    return m->count[0] * m->count[1] < 50000000;
}

static size_t cell_of(const mesh *m, const double *x, int d)
{
    double c = floor((x[d ? 1 - m->along : m->along] - m->from[d]) / m->cell);
    return c < 0 ? 0 : c >= (double)m->count[d] ? m->count[d] - 1 : (size_t)c;
}

// mean over the cells across of the highest point in each; cells without grains do not count. NAN: none
static double *profile_of(const grains *g, const mesh *m)
{
    size_t cells = m->count[0] * m->count[1];
    double *top = malloc((cells + 1) * sizeof *top);
    double *profile = malloc((m->count[0] + 1) * sizeof *profile);
    for (size_t k = 0; top && k < cells; k++) top[k] = NAN;
    for (size_t k = 0; top && k < g->count; k++) {
        const double *x = g->position + 3 * k;
        double *t = &top[cell_of(m, x, 0) * m->count[1] + cell_of(m, x, 1)];
        *t = fmax(*t, x[2] + g->radius[k]);
    }
    for (size_t i = 0; top && profile && i < m->count[0]; i++) {
        double sum = 0, n = 0;
        for (size_t j = 0; j < m->count[1]; j++) {
            double t = top[i * m->count[1] + j];
            if (!isnan(t)) sum += t, n++;
        }
        profile[i] = n > 0 ? sum / n : NAN;
    }
    if (!top) free(profile), profile = NULL;
    free(top);
    return profile;
}

static bool add_surface(const grains *a, const grains *b, scr_differences *list)
{
    mesh m;
    if (!mesh_of(a, &m)) return true;
    double *pa = profile_of(a, &m), *pb = profile_of(b, &m);
    bool good = pa && pb;
    double high[2] = {-INFINITY, -INFINITY}, low = INFINITY, mean[2] = {0, 0};
    double square = 0, worst = 0, n = 0;
    for (size_t k = 0; good && k < m.count[0]; k++) {
        if (isnan(pa[k]) || isnan(pb[k])) continue;
        high[0] = fmax(high[0], pa[k]), high[1] = fmax(high[1], pb[k]), low = fmin(low, pa[k]);
        mean[0] += pa[k], mean[1] += pb[k], n++;
        square += (pa[k] - pb[k]) * (pa[k] - pb[k]), worst = fmax(worst, fabs(pa[k] - pb[k]));
    }
    free(pa), free(pb);
    if (!good || n == 0) return good;
    if (!scr_differences_add(list, "surface (highest)", "m", high[0], high[1])) return false;
    scr_difference *row = scr_differences_add(list, "surface (mean height)", "m", mean[0] / n, mean[1] / n);
    if (!row) return false;
    // along the profile, not along time: so it is said in the range of its heights
    row->worst = worst == 0 ? 0 : worst / (high[0] - low);
    row->rms = square == 0 ? 0 : sqrt(square / n) / (high[0] - low);
    return true;
}

bool scr_compare_profile(const scr_compared *run, const scr_compared *reference, scr_compare_curve *curve,
                         scree_report *report)
{
    grains g = grains_read(run, report), first = grains_read(reference, report);
    mesh m;
    *curve = (scr_compare_curve){0};
    if (g.position && g.radius && first.position && first.radius && mesh_of(&first, &m)) {
        curve->y = profile_of(&g, &m);
        curve->x = malloc((m.count[0] + 1) * sizeof *curve->x);
        curve->count = m.count[0];
        for (size_t k = 0; curve->x && k < m.count[0]; k++) curve->x[k] = m.from[0] + ((double)k + 0.5) * m.cell;
    }
    bool good = curve->x && curve->y;
    if (!good) free(curve->x), free(curve->y), *curve = (scr_compare_curve){0};
    grains_free(&g), grains_free(&first);
    return good;
}

/* ---- reduction ---- */

// part of the bodies that need not be solved for: h = 1 - (free grains + free aggregates)/grains
static double level(const scr_compared *run, const grains *g)
{
    int walls;
    double most = 0, left = 0;
    scr_archive_walls(run->archive, &walls);
    for (size_t k = 0; k < g->count; k++) most = fmax(most, g->aggregate[k]);
    char *seen = calloc((size_t)most + 2, 1);
    bool known = seen && g->count;
    for (size_t k = 0; seen && k < g->count; k++) {
        size_t carrier = (size_t)fmax(g->aggregate[k], 0);
        // those that move with a wall are not unknowns
        if (carrier == 0 || (carrier >= (size_t)walls + 2 && !seen[carrier])) left++;
        seen[carrier] = 1;
    }
    free(seen);
    return known ? 1 - left / (double)g->count : NAN;
}

bool scr_compare_grains(const scr_compared *a, const scr_compared *b, scr_differences *list, scree_report *report)
{
    grains ga = grains_read(a, report), gb = grains_read(b, report);
    bool good = scr_differences_add(list, "grains", "", (double)ga.count, (double)gb.count) != NULL;
    bool some = ga.count && gb.count;
    if (good && some && ga.aggregate && gb.aggregate)
        good = scr_differences_add(list, "reduction level", "", level(a, &ga), level(b, &gb));
    if (good && some && ga.position && gb.position) {
        good = add_centre(&ga, &gb, list);
        if (good && ga.id && gb.id) good = add_apart(&ga, &gb, list);
        if (good && ga.radius && gb.radius) good = add_surface(&ga, &gb, list);
    }
    if (good && some && ga.velocity && gb.velocity) good = add_speeds(&ga, &gb, list);
    grains_free(&ga), grains_free(&gb);
    return good;
}
