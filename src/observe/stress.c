/* The mean stress of the domain or of a box in it: contacts and fluctuations (fields.h, equations 4 and 5). */
#include "observe/stress.h"

#include "base/memory.h"
#include "collide/box.h"
#include "observe/fields.h"

typedef struct {
    vec3 box[2];
} stress_def;

#define TENSOR(prefix, doc)                                                                                 \
    {prefix "xx", "Pa", doc}, {prefix "yy", "Pa", doc}, {prefix "zz", "Pa", doc}, {prefix "xy", "Pa", doc}, \
        {prefix "xz", "Pa", doc},                                                                           \
    {                                                                                                       \
        prefix "yz", "Pa", doc                                                                              \
    }

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"pressure", "Pa", "a third of the trace"},
    TENSOR("", "stress, contacts and fluctuations together; compression is positive"),
    TENSOR("contact_", "contribution of the contacts, symmetric"),
    TENSOR("kinetic_", "contribution of the fluctuations about the mean velocity"),
    {0},
};

static bool needs_contacts(const void *def)
{
    (void)def;
    return true;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const stress_def *d = def;
    vec3 lower, upper;
    scr_observer_box(view->world, d->box, &lower, &upper);
    scr_bins one = scr_bins_of(&view->world->domain, lower, upper, (const int[3]){1, 1, 1});
    scr_field_sums *sums = scr_fields_measure(view, &one, NULL, -1, true);
    if (!sums) return false;
    double *total = row + 2, *contact = row + 8, *kinetic = row + 14;
    scr_field_contact(sums, scr_bins_volume(&one), contact);
    scr_field_kinetic(sums, scr_bins_volume(&one), kinetic);
    // about the motion of a domain that deforms
    if (view->world->domain.box.deforms && scr_bins_volume(&one) == scr_box_volume(view->world)) {
        scr_box_kinetic(view->world, kinetic);
        for (int k = 0; k < 6; k++) kinetic[k] /= scr_bins_volume(&one);
    }
    for (int k = 0; k < 6; k++) total[k] = contact[k] + kinetic[k];
    row[0] = view->world->clock.time;
    row[1] = (total[0] + total[1] + total[2]) / 3;
    scr_memory_free(sums);
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    scr_observer_check_box(world, scene, item, ((const stress_def *)item->variant_def)->box, report);
}

static const scr_param params[] = {
    {"box", NULL, SCR_BOX, "m", "", NULL, offsetof(stress_def, box),
     "Lower and upper corner of the region, by whose volume forces are divided. "
     "Default: the whole domain.",
     NULL},
    {0},
};

const scr_observer scr_stress_observer = {
    .variant = {"stress",
                "Mean stress tensor of a box: contacts (Love-Weber) and velocity fluctuations. "
                "Compression is positive.",
                params, sizeof(stress_def)},
    .columns = columns,
    .needs_contacts = needs_contacts,
    .check = check,
    .sample = sample,
};
