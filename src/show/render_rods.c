#include "show/render_rods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    if (!sorted) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for forces");
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

scree_status scr_drawn_forces_read(const scr_archive *a, int frame, double grain, double high,
                                   const scr_clip *clip, scr_drawn_rods *r, scree_report *report)
{
    *r = (scr_drawn_rods){0};
    if (scr_archive_contact_count(a, frame) < 0)
        return scr_fail(
            report, SCREE_E_INPUT, SCR_NOWHERE,
            "forces: the results hold no contacts; run the scene with output.contacts: yes");
    static const char *const names[] = {"position", "branch", "normal_force"};
    double *data[3] = {0};
    size_t count = 0;
    int width;
    scree_status status = SCREE_OK;
    for (int k = 0; k < 3 && !status; k++)
        status = scr_archive_contacts(a, frame, names[k], &data[k], &count, &width, report);
    if (!status && !reserve(r, count))
        status = scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for forces");
    for (size_t k = 0; k < count && !status; k++) {
        vec3 from = v3_load(data[0] + 3 * k), to = v3_sub(from, v3_load(data[1] + 3 * k));
        vec3 middle = v3_scale(0.5, v3_add(from, to));
        if (!scr_clip_hides(clip, middle)) rod_add(r, from, to, fabs(data[2][k]));
    }
    for (int k = 0; k < 3; k++) free(data[k]);
    return status ? status : widths(r, grain, high, report);
}
