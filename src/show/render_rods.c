#include "show/render_rods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "show/picture_ticks.h"

void scr_drawn_rods_deinit(scr_drawn_rods *r)
{
    free(r->ends);
    free(r->radius);
    free(r->value);
    *r = (scr_drawn_rods){0};
}

static bool reserve(scr_drawn_rods *r, size_t count)
{
    r->ends = malloc((count + 1) * 6 * sizeof *r->ends);
    r->radius = malloc((count + 1) * sizeof *r->radius);
    r->value = malloc((count + 1) * sizeof *r->value);
    return r->ends && r->radius && r->value;
}

static void rod_add(scr_drawn_rods *r, vec3 from, vec3 to, double value)
{
    v3_store(r->ends + 6 * r->count, from);
    v3_store(r->ends + 6 * r->count + 3, to);
    r->value[r->count++] = value;
}

// thickness from the force, and the faint ones out
static scree_status widths(scr_drawn_rods *r, double grain, double high, scree_report *report)
{
    double low = 0, *sorted = malloc((r->count + 1) * sizeof *sorted);
    if (!sorted) return scr_no_memory(report, "forces");
    memcpy(sorted, r->value, r->count * sizeof *sorted);
    qsort(sorted, r->count, sizeof *sorted, scr_by_f64);
    scr_range_choose(sorted, r->count, &low, &high);
    free(sorted);
    size_t kept = 0;
    for (size_t k = 0; k < r->count; k++) {
        double part = r->value[k] / high;
        if (!(part >= 0.01)) continue;
        memmove(r->ends + 6 * kept, r->ends + 6 * k, 6 * sizeof *r->ends);
        r->value[kept] = r->value[k];
        r->radius[kept++] = 0.75 * grain * fmin(part, 1.25);
    }
    r->count = kept;
    return SCREE_OK;
}

scree_status scr_drawn_forces_read(const scr_archive *a, int frame, double grain, double high, const scr_clip *clip,
                                   scr_drawn_rods *r, scree_report *report)
{
    *r = (scr_drawn_rods){0};
    if (scr_archive_contact_count(a, frame) < 0)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "forces: the results contain no contacts; run the scene with output.contacts: yes");
    static const char *const names[] = {"position", "branch", "normal_force"};
    double *data[3] = {0};
    size_t count = 0;
    int width;
    scree_status status = SCREE_OK;
    for (int k = 0; k < 3 && !status; k++)
        status = scr_archive_contacts(a, frame, names[k], &data[k], &count, &width, report);
    if (!status && !reserve(r, count)) status = scr_no_memory(report, "forces");
    for (size_t k = 0; k < count && !status; k++) {
        vec3 from = v3_load(data[0] + 3 * k), to = v3_sub(from, v3_load(data[1] + 3 * k));
        vec3 middle = v3_scale(0.5, v3_add(from, to));
        if (!scr_clip_hides(clip, middle)) rod_add(r, from, to, fabs(data[2][k]));
    }
    for (int k = 0; k < 3; k++) free(data[k]);
    return status ? status : widths(r, grain, high, report);
}

/* ---- bonds ---- */

// the way from a to b, the shortest one through periodic sides
static vec3 way_between(const scr_domain *d, vec3 a, vec3 b)
{
    double way[3];
    const double size[3] = {d->upper.x - d->lower.x, d->upper.y - d->lower.y, d->upper.z - d->lower.z};
    v3_store(way, v3_sub(b, a));
    // images across a side may be shifted along the axes before it
    const double edge[3][3] = {
        {size[0], 0, 0}, {d->box.tilt[0], size[1], 0}, {d->box.tilt[1], d->box.tilt[2], size[2]}};
    for (int k = 2; k >= 0; k--) {
        double n = d->periodic[k] ? nearbyint(way[k] / size[k]) : 0;
        for (int m = 0; m <= k; m++) way[m] -= n * edge[k][m];
    }
    return v3_load(way);
}

static void bond_add(scr_drawn_rods *r, const scr_domain *domain, vec3 a, vec3 b, const scr_clip *clip)
{
    vec3 way = way_between(domain, a, b);
    const vec3 ends[2][2] = {{a, v3_axpy(a, 0.5, way)}, {v3_axpy(b, -0.5, way), b}};
    bool whole = v3_norm(v3_sub(v3_add(a, way), b)) <= 1e-9 * v3_norm(way);
    if (whole && !scr_clip_hides(clip, ends[0][1])) rod_add(r, a, b, 0);
    for (int k = 0; k < 2 && !whole; k++)
        if (!scr_clip_hides(clip, v3_scale(0.5, v3_add(ends[k][0], ends[k][1])))) rod_add(r, ends[k][0], ends[k][1], 0);
}

scree_status scr_drawn_bonds_read(const scr_archive *a, int frame, const double *position, double radius,
                                  const scr_clip *clip, scr_drawn_rods *r, scree_report *report)
{
    *r = (scr_drawn_rods){0};
    double *ids = NULL, *partner[2] = {0};
    size_t bodies = 0, count = 0;
    int width;
    scr_domain domain = scr_archive_frame_domain(a, frame);
    scree_status status = scr_archive_bonds(a, frame, &partner[0], &partner[1], &count, report);
    if (!status) status = scr_archive_read(a, frame, "id", &ids, &bodies, &width, report);
    if (!status && !reserve(r, 2 * count)) status = scr_no_memory(report, "bonds");
    for (size_t k = 0; k < count && !status; k++) {
        const double *at[2];
        for (int n = 0; n < 2; n++) at[n] = bsearch(&partner[n][k], ids, bodies, sizeof *ids, scr_by_f64);
        if (at[0] && at[1])
            bond_add(r, &domain, v3_load(position + 3 * (at[0] - ids)), v3_load(position + 3 * (at[1] - ids)), clip);
    }
    for (size_t k = 0; k < r->count && !status; k++) r->radius[k] = radius;
    // they have no values
    free(r->value);
    r->value = NULL;
    free(ids), free(partner[0]), free(partner[1]);
    return status;
}
