/* The table of contact laws: what a law is made of, said once. A law is one word for each choice below and some
 * numbers.
 *
 * A word is one way to do a part of a law: a row here, and a file beside this one with its equations. A key is a number
 * that a scene may give, a number what a law has in the end. From these rows follow the words and keys of a scene's
 * `contacts`, their checks, help and reference page (src/scene), what steppers say about words that they do not know,
 * the members of scr_law, checkpoints, and for `normal` and `cohesion` which functions are called (kernel/law.h,
 * contact.h).
 *
 * Rows of words, W(CHOICE, NAME, word, traits, other, words, why, doc): a law with this word must have one of `words`
 * for the choice `other`, because of `why`. */
#ifndef SCREE_KERNEL_LAW_TABLE_H
#define SCREE_KERNEL_LAW_TABLE_H

/* What steppers ask about a word. */
enum {
    SCR_WORD_POTENTIAL = 1,  /* its force is the derivative of an energy: implicit steps have it */
    SCR_WORD_IDLE = 2,       /* means nothing where contacts are solved for as constraints ... */
    SCR_WORD_PULLS = 4,      /* ... or cannot be had there */
    SCR_WORD_YIELDS = 8,     /* restitution comes from the law itself, and needs no damper */
    SCR_WORD_ELASTIC = 32,   /* its kn comes from the moduli of the materials; of others from a tolerated overlap */
    SCR_WORD_SPRING = 64,    /* a rolling or twisting spring, with stiffness and damping ratios of its own */
    SCR_WORD_REMEMBERS = 16, /* its force depends on how the contact was loaded: `residual` of contact_history */
    /* F = kn a delta with Hertz's contact radius a = sqrt(R* delta), which its springs and dampers are multiplied by */
    SCR_WORD_HERTZ_RADIUS = 128
};

#define SCR_LAW_NORMAL(W)                                                                                          \
    W(NORMAL, HOOKE, hooke, SCR_WORD_POTENTIAL, NULL, NULL, NULL, "a linear spring, force = stiffness * overlap.") \
    W(NORMAL, HERTZ, hertz, SCR_WORD_POTENTIAL | SCR_WORD_ELASTIC | SCR_WORD_HERTZ_RADIUS, NULL, NULL, NULL,       \
      "elastic spheres, force = 4/3 E* sqrt(R*) overlap^(3/2), from young and poisson of the "                     \
      "materials.")                                                                                                \
    W(NORMAL, PLASTIC, plastic, SCR_WORD_YIELDS | SCR_WORD_REMEMBERS, NULL, NULL, NULL,                            \
      "linear hysteretic plasticity (Walton & Braun 1986): loading with stiffness, unloading and reloading with "  \
      "unloading_stiffness, which determines the restitution without a damper.")

#define SCR_LAW_COHESION(W)                                                                           \
    W(COHESION, NONE, none, SCR_WORD_POTENTIAL, NULL, NULL, NULL, "no attraction.")                   \
    W(COHESION, JKR, jkr, SCR_WORD_PULLS, "normal", "hertz", "it is the adhesion of elastic spheres", \
      "adhesive elastic spheres (Johnson, Kendall & Roberts 1971), with normal: hertz.")              \
    W(COHESION, LINEAR, linear, SCR_WORD_PULLS, NULL, NULL, NULL,                                     \
      "a constant attraction while in contact, decaying linearly over a small gap.")

#define SCR_LAW_DAMPING(W)                                                                        \
    W(DAMPING, RESTITUTION, restitution, SCR_WORD_POTENTIAL, NULL, NULL, NULL,                    \
      "the damping that gives head-on impacts this restitution, whatever the sizes.")             \
    W(DAMPING, VISCOUS, viscous, SCR_WORD_POTENTIAL | SCR_WORD_IDLE, NULL, NULL, NULL,            \
      "damping force = damping_rate * effective mass * speed.")                                   \
    W(DAMPING, VISCOELASTIC, viscoelastic, SCR_WORD_POTENTIAL | SCR_WORD_IDLE, "normal", "hertz", \
      "it follows the contact radius", "the same times the contact radius, with area_damping_rate; for hertz.")

#define SCR_LAW_TANGENTIAL(W)                                                                            \
    W(TANGENTIAL, AUTO, auto, SCR_WORD_POTENTIAL, NULL, NULL, NULL, "mindlin with hertz, else history.") \
    W(TANGENTIAL, HISTORY, history, SCR_WORD_POTENTIAL, NULL, NULL, NULL,                                \
      "a spring along the contact that slips at Coulomb's limit.")                                       \
    W(TANGENTIAL, MINDLIN, mindlin, SCR_WORD_POTENTIAL | SCR_WORD_IDLE, "normal", "hertz",               \
      "its stiffness follows the contact radius",                                                        \
      "the same with a stiffness proportional to the contact radius; for hertz.")                        \
    W(TANGENTIAL, NONE, none, SCR_WORD_POTENTIAL, NULL, NULL, NULL, "no friction.")                      \
    W(TANGENTIAL, VISCOUS, viscous, SCR_WORD_POTENTIAL, NULL, NULL, NULL,                                \
      "a damper without a spring, damping_ratio times the normal one, up to Coulomb's limit "            \
      "(linear_nohistory of LAMMPS); it supports no load at rest.")

#define SCR_LAW_ROLLING(W)                                                                                        \
    W(ROLLING, NONE, none, SCR_WORD_POTENTIAL, NULL, NULL, NULL, "no resistance.")                                \
    W(ROLLING, SDS, sds, SCR_WORD_POTENTIAL | SCR_WORD_SPRING, NULL, NULL, NULL,                                  \
      "spring, dashpot and slider: the torque is limited to rolling_friction * R* * normal force (Luding 2008).") \
    W(ROLLING, CONSTANT, constant, 0, NULL, NULL, NULL, "a torque of that size against the rolling, at any speed.")

#define SCR_LAW_TWISTING(W)                                                                                         \
    W(TWISTING, NONE, none, SCR_WORD_POTENTIAL, NULL, NULL, NULL, "no resistance.")                                 \
    W(TWISTING, SDS, sds, SCR_WORD_SPRING, NULL, NULL, NULL, "spring, dashpot and slider, with twisting_friction.") \
    W(TWISTING, MARSHALL, marshall, SCR_WORD_IDLE, "tangential", "auto history mindlin", "it follows that law",     \
      "from the tangential law and the contact radius (Marshall 2009), without further numbers.")

/* What a damper does while its contact slips: it damps the spring alone, or all the sliding. */
#define SCR_LAW_SLIP(W)                                                                                              \
    W(SLIP, SPRING, spring, SCR_WORD_POTENTIAL, NULL, NULL, NULL,                                                    \
      "it damps the spring alone; sliding is resisted by Coulomb friction only.")                                    \
    W(SLIP, DAMPER, damper, SCR_WORD_POTENTIAL, NULL, NULL, NULL,                                                    \
      "it damps the sliding too, and its force is kept in the spring, as in LAMMPS and MercuryDPM: strongly damped " \
      "contacts stop sliding too early. For comparisons; `conventions: lammps` implies it.")

/* Whether the normal damper may pull while a contact parts. */
#define SCR_LAW_PULL(W)                                                                                               \
    W(PULL, NEVER, never, SCR_WORD_POTENTIAL, NULL, NULL, NULL, "the force of spring and damper is cut off at zero.") \
    W(PULL, ALLOWED, allowed, SCR_WORD_POTENTIAL, NULL, NULL, NULL,                                                   \
      "it may attract until the overlap is gone, as in LIGGGHTS and MercuryDPM; friction is limited by its "          \
      "magnitude.")

/* All choices, in the order in which they are looked at. */
#define SCR_LAW_WORDS(W)  \
    SCR_LAW_NORMAL(W)     \
    SCR_LAW_COHESION(W)   \
    SCR_LAW_DAMPING(W)    \
    SCR_LAW_TANGENTIAL(W) \
    SCR_LAW_ROLLING(W)    \
    SCR_LAW_TWISTING(W)

/* What a scene may say of a pair of materials, in the order of the reference page.
 *   C(choice, words, default, doc before those of the words, doc after)
 *   K(key, other spellings, unit, default, range, choice, words, need, doc)
 * A key acts with these `words` of a choice (NULL: always); need: how much, scr_law_need. */
enum {
    SCR_KEY_MAY = 0,
    SCR_KEY_MUST = 1, /* be given where it acts */
    SCR_KEY_IDLE = 2  /* no meaning where contacts are solved for as constraints */
};

#define SCR_LAW_KEYS(C, K)                                                                                             \
    C(normal, SCR_LAW_NORMAL, "hooke", "Law of the normal force.", "")                                                 \
    K(stiffness, "kn normal_stiffness", "N/m", "auto", "> 0 | auto hertz-matched", "normal", "hooke plastic",          \
      SCR_KEY_MAY,                                                                                                     \
      "Normal stiffness of hooke, and loading stiffness of plastic. auto: the softest that keeps the overlap of an "   \
      "impact at `speed` below `overlap`. hertz-matched: gives the contact time of elastic spheres with young and "    \
      "poisson of the materials.")                                                                                     \
    K(unloading_stiffness, NULL, "N/m", "auto", "> 0 | auto", "normal", "plastic", SCR_KEY_MAY,                        \
      "Unloading and reloading stiffness of plastic, at least stiffness; restitution is "                              \
      "sqrt(stiffness/unloading_stiffness). auto: from restitution.")                                                  \
    K(normal_modulus, NULL, "Pa", "auto", "> 0 | auto overlap-based", "normal", "hertz", SCR_KEY_MAY,                  \
      "4/3 E* of hertz, E* being the effective modulus of the pair. auto: from young and "                             \
      "poisson of the materials. overlap-based: the softest that keeps the overlap of an impact "                      \
      "at `speed` below `overlap`.")                                                                                   \
    K(overlap, NULL, "", "0.1 %", "(0, 0.5]", NULL, NULL, SCR_KEY_MAY,                                                 \
      "Largest overlap to tolerate, as a fraction of the smaller diameter. A smaller overlap "                         \
      "means stiffer grains and smaller time steps.")                                                                  \
    K(speed, NULL, "m/s", "auto", "> 0 | auto", NULL, NULL, SCR_KEY_MAY,                                               \
      "Impact speed to expect; automatic stiffnesses and the time step are chosen for it. auto: from gravity, the "    \
      "height of the domain and the initial velocities of the grains.")                                                \
    C(cohesion, SCR_LAW_COHESION, "none", "Attraction.", "")                                                           \
    K(surface_energy, NULL, "J/m^2", "", "> 0", "cohesion", "jkr", SCR_KEY_MUST,                                       \
      "Surface energy gamma of jkr, per surface: the work of adhesion is 2 gamma, the pull-off "                       \
      "force 3 pi gamma R*.")                                                                                          \
    K(adhesion, NULL, "N", "", "> 0", "cohesion", "linear", SCR_KEY_MUST,                                              \
      "Attraction of linear cohesion, equal to the pull-off force.")                                                   \
    K(cohesion_range, NULL, "m", "auto", "> 0 | auto", "cohesion", "linear", SCR_KEY_MAY,                              \
      "Gap over which the attraction of linear cohesion decays to zero. auto: 1 % of the smallest "                    \
      "radius of the pair.")                                                                                           \
    C(damping, SCR_LAW_DAMPING, "restitution", "Damper beside the normal spring.", "")                                 \
    K(restitution, "coefficientRestitution coefficient_restitution", "", "", "(0, 1]", "damping", "restitution",       \
      SCR_KEY_MAY,                                                                                                     \
      "Coefficient of restitution of this pair. Default: from `any`, else from the materials. "                        \
      "With cohesion, it is that of the same contact without cohesion.")                                               \
    K(damping_rate, NULL, "1/s", "", ">= 0", "damping", "viscous", SCR_KEY_MUST | SCR_KEY_IDLE,                        \
      "Normal damping per effective mass, for damping: viscous.")                                                      \
    K(area_damping_rate, NULL, "1/(m s)", "", ">= 0", "damping", "viscoelastic", SCR_KEY_MUST | SCR_KEY_IDLE,          \
      "Normal damping per effective mass and contact radius, for damping: viscoelastic.")                              \
    C(pull, SCR_LAW_PULL, "never", "Whether the normal force may attract while a contact separates.",                  \
      " The damping for a given restitution takes this into account. `conventions: lammps` implies allowed. With the " \
      "integrator variational the force may always attract, and there is no friction meanwhile unless this is "        \
      "allowed.")                                                                                                      \
    C(tangential, SCR_LAW_TANGENTIAL, "auto", "Friction.", "")                                                         \
    K(stiffness_ratio, NULL, "", "auto", "> 0 | auto", "tangential", "auto history mindlin", SCR_KEY_IDLE,             \
      "Tangential over normal stiffness (with mindlin at equal overlap). auto: from Poisson's "                        \
      "ratios of the materials, or 2/7.")                                                                              \
    K(tangential_stiffness, "kt", "N/m", "auto", "> 0 | auto", "tangential", "auto history", SCR_KEY_IDLE,             \
      "Stiffness of the spring of tangential: history. auto: stiffness_ratio * stiffness. It "                         \
      "must be given where the normal law is hertz.")                                                                  \
    K(tangential_modulus, NULL, "Pa", "auto", "> 0 | auto", "tangential", "auto mindlin", SCR_KEY_IDLE,                \
      "8 G* of tangential: mindlin, G* being the effective shear modulus of the pair. auto: from stiffness_ratio; "    \
      "with young and poisson of the materials this is Mindlin's value.")                                              \
    K(damping_ratio, NULL, "", "auto", ">= 0 | auto", "tangential", "auto history mindlin viscous", SCR_KEY_IDLE,      \
      "Tangential over normal damping. auto: the square root of the stiffness ratio.")                                 \
    C(slip, SCR_LAW_SLIP, "spring",                                                                                    \
      "What the damper of a tangential, rolling or twisting spring acts on while the contact slips.", "")              \
    K(friction, "coefficientFriction coefficient_friction mu", "", "", ">= 0", "tangential",                           \
      "auto history mindlin viscous", SCR_KEY_MAY,                                                                     \
      "Coulomb's friction coefficient of this pair. Default: from `any`, else from the "                               \
      "materials.")                                                                                                    \
    C(rolling, SCR_LAW_ROLLING, "none", "Resistance to rolling.", "")                                                  \
    K(rolling_friction, "coefficientRollingFriction coefficient_rolling_friction", "", "", ">= 0", "rolling",          \
      "sds constant", SCR_KEY_MAY,                                                                                     \
      "Rolling friction coefficient: the torque is at most rolling_friction * R* * normal force, "                     \
      "R* being the effective radius. Default: from `any`, else from the materials.")                                  \
    K(rolling_stiffness_ratio, NULL, "", "auto", "> 0 | auto", "rolling", "sds", SCR_KEY_IDLE,                         \
      "Stiffness of the rolling spring of sds over the normal stiffness: torque = ratio * kn * "                       \
      "R*^2 * angle. auto: the tangential ratio.")                                                                     \
    K(rolling_damping_ratio, NULL, "", "auto", ">= 0 | auto", "rolling", "sds", SCR_KEY_IDLE,                          \
      "Rolling over normal damping. auto: the square root of the rolling stiffness ratio.")                            \
    C(twisting, SCR_LAW_TWISTING, "none", "Resistance to turning about the contact normal.", "")                       \
    K(twisting_friction, NULL, "", "", ">= 0", "twisting", "sds", SCR_KEY_MUST,                                        \
      "Twisting friction coefficient of sds: the torque is at most twisting_friction * R* * "                          \
      "normal force.")                                                                                                 \
    K(twisting_stiffness_ratio, NULL, "", "auto", "> 0 | auto", "twisting", "sds", SCR_KEY_IDLE,                       \
      "Stiffness of the twisting spring of sds over the normal stiffness: torque = ratio * kn * "                      \
      "R*^2 * angle. auto: the tangential ratio.")                                                                     \
    K(twisting_damping_ratio, NULL, "", "auto", ">= 0 | auto", "twisting", "sds", SCR_KEY_IDLE,                        \
      "Twisting over normal damping. auto: the square root of the twisting stiffness ratio.")

/* What a law has in the end, F(member, unit, doc). Loops for the usual laws load the first eight alone (contact.h), so
 * new ones go to the end. They are finite, but for restitution, and 0 where they mean nothing. Checkpoints have them
 * all. */
#define SCR_LAW_NUMBERS(F)                                                                     \
    F(kn, "N/m", "normal stiffness; hertz: 4/3 E* [Pa]")                                       \
    F(kt, "N/m", "tangential stiffness, 0: no spring; mindlin: 8 G* [Pa]")                     \
    F(mu, "", "Coulomb coefficient")                                                           \
    F(zeta, "", "tangential over normal damping")                                              \
    F(eta_root, "kg^1/2/s", "eta_n = eta_root sqrt(m*), hertz: sqrt(m* a) [kg^1/2/(m^1/2 s)]") \
    F(eta_mass, "1/s", "... + eta_mass m*")                                                    \
    F(eta_area, "1/(m s)", "... + eta_area m* a")                                              \
    F(normal, "", "scr_normal")                                                                \
    F(mindlin, "", "1: kt is multiplied by the contact radius")                                \
    F(adhesion, "N", "pull of the linear cohesion, 0: none")                                   \
    F(range, "m", "gap over which that pull fades")                                            \
    F(surface_energy, "J/m^2", "of JKR cohesion, 0: none")                                     \
    F(rolling, "", "scr_rolling")                                                              \
    F(rolling_mu, "", "coefficient: torque at most mu_r R* F_n")                               \
    F(rolling_k, "N/m", "stiffness of the rolling spring; hertz: times a [Pa]")                \
    F(rolling_zeta, "", "rolling over normal damping")                                         \
    F(twisting, "", "scr_twisting")                                                            \
    F(twisting_mu, "", "coefficient: torque at most mu_tw R* F_n")                             \
    F(twisting_k, "N/m", "stiffness of the twisting spring over R*^2; hertz: times a [Pa]")    \
    F(twisting_zeta, "", "twisting over normal damping")                                       \
    F(slip, "", "scr_slip, of all springs")                                                    \
    F(pull, "", "scr_pull")                                                                    \
    F(restitution, "", "asked for; not a number where the damping is given directly")          \
    F(speed, "m/s", "impact speed expected when the law was chosen; 0: unknown")               \
    F(unloading, "N/m", "stiffness of plastic while it unloads; 0: another law")

#endif
