#include "observe/fields.h"

#include <math.h>

#include "base/memory.h"
#include "collide/bonds.h"

static const int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};

typedef struct {
    scr_field_sums *sums;
    scr_smooth *smooth; // NULL: none
    double density;     // mass over volume of the grain
    double v[3];        // its velocity
    double outer[6];    // sym(f l) of the contact
    double skew[3];     // and what is not symmetric
} carrier;

static void add_grain(void *context, size_t bin, double volume)
{
    const carrier *c = context;
    scr_field_sums *s = &c->sums[bin];
    double mass = c->density * volume, u[3];
    for (int d = 0; d < 3; d++) {
        if (s->mass == 0) s->base[d] = c->v[d];
        u[d] = c->v[d] - s->base[d];
        s->momentum[d] += mass * u[d];
    }
    s->volume += volume;
    s->mass += mass;
    for (int k = 0; k < 6; k++) s->flux[k] += mass * u[first_of[k]] * u[second_of[k]];
}

static void add_contact(void *context, size_t bin, double fraction)
{
    const carrier *c = context;
    for (int k = 0; k < 6; k++) c->sums[bin].virial[k] += fraction * c->outer[k];
    for (int k = 0; k < 3; k++) c->sums[bin].skew[k] += fraction * c->skew[k];
}

// a force on the grain at `end`, which acts along the branch that ends there
static void add_force(const scr_bins *bins, carrier *c, vec3 end, vec3 branch, vec3 force)
{
    const double *f = &force.x, *l = &branch.x;
    for (int m = 0; m < 6; m++)
        c->outer[m] = 0.5 * (f[first_of[m]] * l[second_of[m]] + f[second_of[m]] * l[first_of[m]]);
    for (int m = 0; m < 3; m++)
        c->skew[m] = 0.5 * (f[first_of[3 + m]] * l[second_of[3 + m]] - f[second_of[3 + m]] * l[first_of[3 + m]]);
    if (c->smooth)
        scr_smooth_line(c->smooth, v3_sub(end, branch), branch, add_contact, c);
    else
        scr_bins_line(bins, v3_sub(end, branch), branch, add_contact, c);
}

scr_field_sums *scr_fields_measure(const scr_scene_view *view, const scr_bins *bins, scr_smooth *smooth, int group,
                                   bool contacts)
{
    const scr_bodies *b = &view->world->bodies;
    carrier c = {.sums = scr_memory_new(scr_bins_count(bins), sizeof *c.sums), .smooth = smooth};
    if (!c.sums) return NULL;
    for (size_t i = 0; i < b->table.count; i++) {
        if (!scr_observer_sees(view->world, group, i)) continue;
        const double *x = b->place + 4 * i;
        double volume = 4.0 / 3 * M_PI * x[3] * x[3] * x[3];
        c.density = b->mass[i] / volume;
        for (int d = 0; d < 3; d++) c.v[d] = b->motion[4 * i + d];
        if (smooth)
            scr_smooth_point(smooth, v3_load(x), volume, add_grain, &c);
        else
            scr_bins_sphere(bins, v3_load(x), x[3], add_grain, &c);
    }
    for (size_t k = 0; contacts && k < view->row_count; k++) {
        const scr_contact_row *r = &view->rows[k];
        vec3 end = v3_load(b->place + 4 * (size_t)r->body[0]);
        add_force(bins, &c, end, r->branch, r->force);
    }
    scr_images images = scr_images_of(&view->world->domain);
    const scr_bonds *bonds = &view->world->bonds;
    for (size_t k = 0; contacts && k < bonds->table.count; k++) {
        vec3 branch, force = scr_bond_force(view->world, &images, k, &branch);
        add_force(bins, &c, v3_load(b->place + 4 * (size_t)bonds->row[2 * k]), branch, force);
    }
    return c.sums;
}

vec3 scr_field_velocity(const scr_field_sums *s)
{
    if (s->mass == 0) return v3(NAN, NAN, NAN);
    return v3_axpy(v3_load(s->base), 1 / s->mass, v3_load(s->momentum));
}

// sum of m (v - u)(v - u), from the sums about base
static double fluctuation(const scr_field_sums *s, int k)
{
    if (s->mass == 0) return 0;
    return s->flux[k] - s->momentum[first_of[k]] * s->momentum[second_of[k]] / s->mass;
}

double scr_field_temperature(const scr_field_sums *s)
{
    double sum = fluctuation(s, 0) + fluctuation(s, 1) + fluctuation(s, 2);
    return s->mass == 0 ? NAN : fmax(sum, 0) / (3 * s->mass);
}

void scr_field_kinetic(const scr_field_sums *s, double volume, double stress[6])
{
    for (int k = 0; k < 6; k++) stress[k] = fluctuation(s, k) / volume;
}

void scr_field_contact(const scr_field_sums *s, double volume, double stress[6])
{
    for (int k = 0; k < 6; k++) stress[k] = s->virial[k] / volume;
}
