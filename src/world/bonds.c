#include "world/bonds.h"

#include <math.h>

static const scr_field fields[] = {
#define F(member, type, width, unit, flags, doc) \
    {#member, SCR_FIELD_TYPE(type), width, unit, flags, offsetof(scr_bonds, member), doc},
    SCR_BOND_FIELDS(F)
#undef F
};

void scr_bonds_init(scr_bonds *bonds)
{
    *bonds = (scr_bonds){.table = {.fields = fields, .field_count = sizeof fields / sizeof *fields}};
}

// what moves against each spring of bond k, inverse: 1/m, and 1/I for rotations
static void inverse_inertia(const scr_bonds *bonds, size_t k, const scr_bodies *b, double inverse[4])
{
    size_t i = (size_t)bonds->row[2 * k], j = (size_t)bonds->row[2 * k + 1];
    double mass = b->motion[4 * i + 3] + b->motion[4 * j + 3];
    double inertia = b->spin[4 * i + 3] + b->spin[4 * j + 3];
    double arm = 0.5 * bonds->shape[2 * k];
    inverse[0] = mass;
    inverse[1] = mass + arm * arm * inertia; // shear turns the grains, too
    inverse[2] = inverse[3] = inertia;
}

void scr_bond_derive(scr_bonds *bonds, size_t k, const scr_bond_law *law, const scr_bodies *bodies)
{
    const double kappa = 0.9; // shear coefficient of a round section: 6/7 to 9/10 in the literature
    double ri = bodies->place[4 * (size_t)bonds->row[2 * k] + 3];
    double rj = bodies->place[4 * (size_t)bonds->row[2 * k + 1] + 3];
    double L = bonds->shape[2 * k], R = law->radius * fmin(ri, rj);
    double A = M_PI * R * R, I = 0.25 * A * R * R, J = 2 * I, E = law->young;
    double *spring = bonds->spring + 4 * k, *damper = bonds->damper + 4 * k, inverse[4];
    bonds->shape[2 * k + 1] = R;
    spring[0] = E * A / L;
    spring[2] = E * I / L;
    if (isnan(law->stiffness_ratio)) {
        // a chain of such bonds is a Timoshenko beam at its grains, whatever their number
        double G = E / (2 * (1 + law->poisson));
        spring[1] = 1 / (L / (kappa * G * A) + L * L * L / (12 * E * I));
        spring[3] = G * J / L;
    } else {
        spring[1] = spring[0] / law->stiffness_ratio;
        spring[3] = E / law->stiffness_ratio * J / L;
    }
    inverse_inertia(bonds, k, bodies, inverse);
    for (int m = 0; m < 4; m++) damper[m] = inverse[m] > 0 ? 2 * law->damping * sqrt(spring[m] / inverse[m]) : 0;
}

void scr_bond_frequencies(const scr_bonds *bonds, size_t k, const scr_bodies *bodies, double frequency[4])
{
    double inverse[4];
    inverse_inertia(bonds, k, bodies, inverse);
    for (int m = 0; m < 4; m++) frequency[m] = sqrt(bonds->spring[4 * k + m] * inverse[m]);
}
