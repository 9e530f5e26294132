/* The numbers of a contact law between two materials, ready for the inner loop.
 *
 *   normal     F_n = k_n delta - eta_n v_n
 *   tangential F_t = -k_t h - eta_t v_t,  |F_t| <= mu F_n,  eta_t = zeta eta_n
 *   damping    eta_n = eta_root sqrt(m*) + eta_mass m*      (one of the two is zero)
 *
 * with the effective mass m* = 1/(1/m_i + 1/m_j); a frozen body or a wall has 1/m = 0. */
#ifndef SCREE_KERNEL_LAW_H
#define SCREE_KERNEL_LAW_H

/* Two rows of four, which the vector loops load as such: arrays of laws are aligned by
 * scr_memory_new. */
typedef struct {
    double kn;          /* [N/m] */
    double kt;          /* [N/m]; 0: no tangential force */
    double kt_inverse;  /* 1/kt, 0 where kt is 0 */
    double mu;          /* Coulomb coefficient */
    double eta_root;    /* [kg^1/2/s] */
    double eta_mass;    /* [1/s] */
    double zeta;        /* eta_t/eta_n */
    double restitution; /* asked for; NAN where the damping is given directly */
} scr_law;

/* Duration of an undamped collision [s]: pi sqrt(m* / kn). */
double scr_law_contact_time(const scr_law *law, double effective_mass);

/* Damping ratio z for which a Hooke contact whose normal force is never attractive (clipped) or may
 * be (unclipped) gives restitution e; then eta_n = 2 z sqrt(m* kn). */
double scr_damping_ratio_clipped(double e);
double scr_damping_ratio_unclipped(double e);
/* The restitution that the clipped contact of damping ratio z gives. */
double scr_restitution_clipped(double z);

#endif
