#include "show/derived.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "world/fragments.h"

enum { COORDINATION, PRESSURE, KINETIC, DISPLACEMENT, FRAGMENT };

const scr_derived scr_derived_values[] = {
    [COORDINATION] = {"coordination", "", true, false, {0}},
    [PRESSURE] = {"pressure", "Pa", true, false, {"radius"}},
    [KINETIC] = {"kinetic_energy", "J", false, false, {"mass", "velocity", "spin", "radius"}},
    [DISPLACEMENT] = {"displacement", "m", false, false, {"position"}},
    [FRAGMENT] = {"fragment", "", false, true, {0}},
    {0},
};

/* Columns that are read together, freed together. */
#define MOST 8
typedef struct {
    double *data[MOST];
    size_t rows[MOST];
} columns;

static void columns_free(columns *c)
{
    for (int k = 0; k < MOST; k++) free(c->data[k]);
}

static bool has_view(const scr_archive *a, int frame, const char *view)
{
    const char *const *views = scr_archive_views(a, frame);
    while (*views && strcmp(*views, view)) views++;
    return *views != NULL;
}

const scr_derived *scr_derived_find(const scr_archive *a, int frame, const char *name)
{
    for (const scr_derived *d = scr_derived_values; d->name; d++) {
        if (strcmp(d->name, name)) continue;
        bool known = has_view(a, frame, "id");
        if (d->of_contacts) known &= scr_archive_contact_count(a, frame) >= 0;
        if (d->of_bonds) known &= scr_archive_has_bonds(a, frame);
        for (int k = 0; k < 4 && d->needs[k]; k++) known &= has_view(a, frame, d->needs[k]);
        return known ? d : NULL;
    }
    return NULL;
}

// the row of an id, -1 when it is not there; ids are sorted
static ptrdiff_t row_of(const double *ids, size_t count, double id)
{
    const double *at = bsearch(&id, ids, count, sizeof *ids, scr_by_f64);
    return at ? at - ids : -1;
}

/* ---- from contacts ---- */

// x - c of one partner, dotted with the force on it; the first partner is at `position`, the other at position - branch
static double virial(const columns *c, size_t k, bool second)
{
    vec3 force = v3_axpy(v3_load(c->data[6] + 3 * k), c->data[5][k], v3_load(c->data[4] + 3 * k));
    vec3 centre = v3_load(c->data[3] + 3 * k);
    if (second) centre = v3_sub(centre, v3_load(c->data[7] + 3 * k));
    double along = v3_dot(force, v3_sub(centre, v3_load(c->data[2] + 3 * k)));
    return second ? -along : along;
}

static scree_status from_contacts(const scr_archive *a, int frame, bool pressure, double *out, size_t bodies,
                                  const double *ids, scree_report *report)
{
    static const char *const names[MOST] = {"first",        "second",           "point", "position", "normal",
                                            "normal_force", "tangential_force", "branch"};
    columns c = {0};
    double *wall = NULL;
    size_t count = 0;
    int width;
    scree_status status = scr_archive_contacts(a, frame, "wall", &wall, &count, &width, report);
    for (int k = 0; !status && k < (pressure ? MOST : 2); k++)
        status = scr_archive_contacts(a, frame, names[k], &c.data[k], &c.rows[k], &width, report);
    for (size_t k = 0; !status && k < count; k++)
        for (int partner = 0; partner < (wall[k] == -1 ? 2 : 1); partner++) {
            ptrdiff_t row = row_of(ids, bodies, c.data[partner][k]);
            if (row >= 0) out[row] += pressure ? virial(&c, k, partner) : 1;
        }
    free(wall);
    columns_free(&c);
    return status;
}

static scree_status over_volume(const scr_archive *a, int frame, double *out, scree_report *report)
{
    double *radius;
    size_t bodies;
    int width;
    scree_status status = scr_archive_read(a, frame, "radius", &radius, &bodies, &width, report);
    for (size_t k = 0; !status && k < bodies; k++) out[k] /= 4 * M_PI * radius[k] * radius[k] * radius[k];
    free(radius);
    return status;
}

/* ---- from motion ---- */

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static scree_status kinetic(const scr_archive *a, int frame, double *out, scree_report *report)
{
    const char *const *names = scr_derived_values[KINETIC].needs;
    columns c = {0};
    int width;
    scree_status status = SCREE_OK;
    for (int k = 0; k < 4 && !status; k++)
        status = scr_archive_read(a, frame, names[k], &c.data[k], &c.rows[k], &width, report);
    for (size_t k = 0; !status && k < c.rows[0]; k++) {
        double m = c.data[0][k], r = c.data[3][k];
        out[k] = 0.5 * m * (square(c.data[1] + 3 * k) + 0.4 * r * r * square(c.data[2] + 3 * k));
    }
    columns_free(&c);
    return status;
}

/* ---- since the first frame ---- */

typedef struct {
    double *id, *place, *image; // image: NULL where the frames do not say
    size_t count;
} places;

static void places_free(places *p)
{
    free(p->id), free(p->place), free(p->image);
}

static scree_status places_read(const scr_archive *a, int frame, places *p, scree_report *report)
{
    int width;
    scree_status status = scr_archive_read(a, frame, "id", &p->id, &p->count, &width, report);
    if (!status) status = scr_archive_read(a, frame, "position", &p->place, &p->count, &width, report);
    if (!status && has_view(a, frame, "image"))
        status = scr_archive_read(a, frame, "image", &p->image, &p->count, &width, report);
    return status;
}

// along one axis; periodic without a count of crossings: the shortest way
static double moved(const scr_domain *domain, int axis, const places *now, size_t k, const places *then, size_t was)
{
    const double lower[] = {domain->lower.x, domain->lower.y, domain->lower.z};
    const double upper[] = {domain->upper.x, domain->upper.y, domain->upper.z};
    double period = upper[axis] - lower[axis];
    size_t i = 3 * k + (size_t)axis, j = 3 * was + (size_t)axis;
    double way = now->place[i] - then->place[j];
    if (!domain->periodic[axis]) return way;
    if (now->image && then->image) return way + period * (now->image[i] - then->image[j]);
    return way - period * nearbyint(way / period);
}

static scree_status since_first(const scr_archive *a, int frame, double *out, scree_report *report)
{
    places now = {0}, then = {0};
    scr_domain domain = scr_archive_domain(a);
    scree_status status = places_read(a, 0, &then, report);
    if (!status) status = places_read(a, frame, &now, report);
    for (size_t k = 0; !status && k < now.count; k++) {
        ptrdiff_t was = row_of(then.id, then.count, now.id[k]);
        double sum = was < 0 ? NAN : 0;
        for (int axis = 0; was >= 0 && axis < 3; axis++)
            sum += pow(moved(&domain, axis, &now, k, &then, (size_t)was), 2);
        out[k] = sqrt(sum);
    }
    places_free(&now);
    places_free(&then);
    return status;
}

/* ---- from bonds ---- */

// rows are in the order of ids: the smallest row of a part has its smallest id
static scree_status fragments(const scr_archive *a, int frame, const double *ids, size_t bodies, double *out,
                              scree_report *report)
{
    double *first, *second;
    size_t count;
    scree_status status = scr_archive_bonds(a, frame, &first, &second, &count, report);
    uint32_t *tree = status ? NULL : scr_memory_new(bodies, sizeof *tree);
    if (!status && !tree) status = scr_no_memory(report, "fragments of %zu grains", bodies);
    if (!status) {
        scr_forest_begin(tree, bodies);
        for (size_t k = 0; k < count; k++) {
            ptrdiff_t i = row_of(ids, bodies, first[k]), j = row_of(ids, bodies, second[k]);
            if (i >= 0 && j >= 0) scr_forest_join(tree, (uint32_t)i, (uint32_t)j);
        }
        scr_forest_end(tree, bodies);
        for (size_t k = 0; k < bodies; k++) out[k] = ids[tree[k]];
    }
    scr_memory_free(tree);
    free(first), free(second);
    return status;
}

scree_status scr_derived_read(const scr_archive *a, int frame, const scr_derived *derived, double **values,
                              scree_report *report)
{
    double *ids = NULL;
    size_t bodies = 0;
    int width;
    *values = NULL;
    scree_status status = scr_archive_read(a, frame, "id", &ids, &bodies, &width, report);
    double *out = status ? NULL : calloc(bodies + 1, sizeof *out);
    if (!status && !out) status = scr_no_memory(report, "%s of %zu grains", derived->name, bodies);
    bool pressure = derived == &scr_derived_values[PRESSURE];
    if (!status && derived->of_contacts) status = from_contacts(a, frame, pressure, out, bodies, ids, report);
    if (!status && pressure) status = over_volume(a, frame, out, report);
    if (!status && derived == &scr_derived_values[KINETIC]) status = kinetic(a, frame, out, report);
    if (!status && derived == &scr_derived_values[DISPLACEMENT]) status = since_first(a, frame, out, report);
    if (!status && derived == &scr_derived_values[FRAGMENT]) status = fragments(a, frame, ids, bodies, out, report);
    free(ids);
    if (status)
        free(out);
    else
        *values = out;
    return status;
}
