/* The periodic domain: its lengths and offsets, strain, strain rate and stress by component, and its work
 * (world/box.h). */
#include "observe/box.h"

#include <math.h>

#include "collide/bonds.h"
#include "collide/box.h"

#define TENSOR(prefix, unit, doc)                                                                           \
    {prefix "xx", unit, doc}, {prefix "yy", unit, doc}, {prefix "zz", unit, doc}, {prefix "xy", unit, doc}, \
        {prefix "xz", unit, doc},                                                                           \
    {                                                                                                       \
        prefix "yz", unit, doc                                                                              \
    }

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"length_x", "m", "length of the domain"},
    {"length_y", "m", "length of the domain"},
    {"length_z", "m", "length of the domain"},
    {"offset_xy", "m", "shift along x of the images next along y"},
    {"offset_xz", "m", "shift along x of the images next along z"},
    {"offset_yz", "m", "shift along y of the images next along z"},
    {"strain", "", "largest absolute component of the strain"},
    TENSOR("strain_", "",
           "strain since the start: logarithm of the length over the initial length, shear; tension is positive"),
    TENSOR("rate_", "1/s", "strain rate: the gradient of the velocity with which grains are carried"),
    {"pressure", "Pa", "a third of the trace of the stress"},
    TENSOR("stress_", "Pa", "stress, contacts and fluctuations about the motion of the box; compression is positive"),
    {"error", "", "largest deviation of a stress from its target, relative to the target"},
    {"volume", "m^3", "volume of the domain"},
    {"solid_fraction", "", "volume of the grains over that of the domain"},
    {"work", "J", "work done by the box since the start"},
    {0},
};

static bool needs_contacts(const void *def)
{
    (void)def;
    return true;
}

// contacts and bonds
static void measure(const scr_scene_view *view, double stress[SCR_BOX_PARTS])
{
    const scr_world *w = view->world;
    const scr_images images = scr_images_of(&w->domain);
    scr_box_sum sum = {0};
    double volume = scr_box_volume(w), inner[SCR_BOX_PARTS];
    for (size_t k = 0; k < view->row_count; k++) scr_box_sum_add(&sum, view->rows[k].force, view->rows[k].branch);
    for (size_t k = 0; k < w->bonds.table.count; k++) {
        vec3 branch, force = scr_bond_force(w, &images, k, &branch);
        scr_box_sum_add(&sum, force, branch);
    }
    scr_box_sum_values(&sum, inner);
    scr_box_kinetic(w, stress);
    for (int k = 0; k < SCR_BOX_PARTS; k++) stress[k] = (stress[k] + inner[k]) / volume;
}

static double missed(const scr_world *w, const double stress[SCR_BOX_PARTS])
{
    const scr_box_plan *plan = &w->box.plan;
    double most = 0;
    for (int k = 0; k < SCR_BOX_PARTS; k++) {
        double target = plan->servo[k].target * scr_signal_at(&plan->servo[k].signal, w->clock.time);
        if (plan->how[k] == SCR_BOX_STRESS && target > 0)
            most = fmax(most, fabs(plan->sign[k] * stress[k] / target - 1));
    }
    return most;
}

// in the order of rows, by one thread; such a box has one rank
static double grain_volume(const scr_bodies *b)
{
    double sum = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        double r = b->place[4 * i + 3];
        sum += 4.0 / 3 * M_PI * r * r * r;
    }
    return sum;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    (void)def;
    const scr_world *w = view->world;
    double edges[SCR_BOX_PARTS], strain[SCR_BOX_PARTS], rate[SCR_BOX_PARTS], stress[SCR_BOX_PARTS], largest = 0;
    scr_box_edges(w, edges);
    scr_box_strain(w, strain);
    scr_box_gradient_now(w, rate);
    measure(view, stress);
    for (int k = 0; k < SCR_BOX_PARTS; k++) largest = fmax(largest, fabs(strain[k]));
    *row++ = w->clock.time;
    for (int k = 0; k < SCR_BOX_PARTS; k++) *row++ = edges[k];
    *row++ = largest;
    for (int k = 0; k < SCR_BOX_PARTS; k++) *row++ = strain[k];
    for (int k = 0; k < SCR_BOX_PARTS; k++) *row++ = rate[k];
    *row++ = (stress[0] + stress[1] + stress[2]) / 3;
    for (int k = 0; k < SCR_BOX_PARTS; k++) *row++ = stress[k];
    *row++ = missed(w, stress);
    *row++ = scr_box_volume(w);
    *row++ = grain_volume(&w->bodies) / scr_box_volume(w);
    *row++ = SCR_ACCOUNT(&w->ledger, box_work);
    return true;
}

const scr_observer scr_box_observer = {
    .variant = {"box",
                "The domain as a periodic box: lengths, strain, strain rate and stress by component, and the work it "
                "does. Always there, by the name `box`, where the domain deforms.",
                NULL, 0},
    .columns = columns,
    .needs_contacts = needs_contacts,
    .sample = sample,
};
