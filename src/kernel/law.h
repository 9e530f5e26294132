/* The numbers of a contact law between two materials, ready for the inner loop. How they act is in
 * kernel/contact.h.
 *
 * Effective numbers of two bodies: m* = 1/(1/m_i + 1/m_j), R* = 1/(1/r_i + 1/r_j), contact radius
 * a = sqrt(R* delta). A body that nothing can move (frozen, prescribed) or a wall has 1/m = 0; a
 * wall has 1/r = 0 too. */
#ifndef SCREE_KERNEL_LAW_H
#define SCREE_KERNEL_LAW_H

typedef enum { SCR_ROLLING_NONE, SCR_ROLLING_SDS, SCR_ROLLING_CONSTANT } scr_rolling;
typedef enum { SCR_TWISTING_NONE, SCR_TWISTING_SDS, SCR_TWISTING_MARSHALL } scr_twisting;

/* In rows of four, which the vector loops load as such: arrays of laws are aligned by
 * scr_memory_new. A checkpoint walks this list.
 *        member          unit        doc */
#define SCR_LAW_NUMBERS(F)                                                                         \
    F(kn, "N/m", "normal stiffness; hertz: 4/3 E* [Pa]")                                           \
    F(kt, "N/m", "tangential stiffness, 0: no tangential force; mindlin: 8 G* [Pa]")               \
    F(mu, "", "Coulomb coefficient")                                                               \
    F(zeta, "", "tangential over normal damping")                                                  \
                                                                                                   \
    F(eta_root, "kg^1/2/s", "eta_n = eta_root sqrt(m*), hertz: sqrt(m* a) [kg^1/2/(m^1/2 s)]")     \
    F(eta_mass, "1/s", "... + eta_mass m*")                                                        \
    F(eta_area, "1/(m s)", "... + eta_area m* a")                                                  \
    F(hertz, "", "1: Hertz normal force, 0: Hooke")                                                \
                                                                                                   \
    F(mindlin, "", "1: kt is multiplied by the contact radius")                                    \
    F(adhesion, "N", "pull of the linear cohesion, 0: none")                                       \
    F(range, "m", "gap over which that pull fades")                                                \
    F(surface_energy, "J/m^2", "of JKR cohesion, 0: none")                                         \
                                                                                                   \
    F(rolling, "", "scr_rolling")                                                                  \
    F(rolling_mu, "", "coefficient: torque at most mu_r R* F_n")                                   \
    F(rolling_k, "N/m", "stiffness of the rolling spring; hertz: times a [Pa]")                    \
    F(rolling_zeta, "", "rolling over normal damping")                                             \
                                                                                                   \
    F(twisting, "", "scr_twisting")                                                                \
    F(twisting_mu, "", "coefficient: torque at most mu_tw R* F_n")                                 \
    F(twisting_k, "N/m", "stiffness of the twisting spring over R*^2; hertz: times a [Pa]")        \
    F(twisting_zeta, "", "twisting over normal damping")                                           \
                                                                                                   \
    F(young, "Pa", "E*, 0 where unknown")                                                          \
    F(kt_inverse, "m/N", "1/kt, 0 where kt is 0")                                                  \
    F(restitution, "", "asked for; not a number where the damping is given directly")              \
    F(speed, "m/s", "impact speed expected when the law was chosen; 0: unknown")

typedef struct {
#define F(member, unit, doc) double member;
    SCR_LAW_NUMBERS(F)
#undef F
} scr_law;

/* Duration of an undamped collision [s]. Hooke: pi sqrt(m* / kn). Hertz: 2.94 delta_max/V at the
 * impact speed V, which is law->speed when that is known. */
double scr_law_contact_time(const scr_law *law, double effective_mass, double effective_radius);
/* Largest overlap of an undamped head-on impact at speed V [m]. */
double scr_law_overlap(const scr_law *law, double effective_mass, double effective_radius,
                       double speed);

/* Gap up to which a contact of two bodies of this effective radius can attract [m]. */
double scr_law_range(const scr_law *law, double effective_radius);

/* Damping ratio z for which a contact whose normal force is never attractive (clipped) or may
 * be (unclipped) gives restitution e; then eta_n = 2 z sqrt(m* kn), and for Hertz
 * eta_n = sqrt(5) z sqrt(m* 4/3 E* a). */
double scr_damping_ratio_clipped(double e);
double scr_damping_ratio_unclipped(double e);
/* The restitution that the clipped contact of damping ratio z gives. */
double scr_restitution_clipped(double z);

#endif
