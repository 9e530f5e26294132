/* The energy ledger: its accounts, one line each.
 *
 * This list is the only one. From it follow scree_energies below, the state that a run keeps and its checkpoints, the
 * closure, the columns of the observer `ledger`, the energy balance, and what the report and the viewer plot. A new
 * account is one line here, and the code that books it.
 *
 *   F(name, kind, part, label, colour, doc)
 *
 *   kind     where it counts: scree_account_kind
 *   part     the viewer adds up accounts of the same part
 *   label    in the report's plot of energies; where the kind is WORK or CAME there is none
 *   colour   there: one of SCR_PLOT_... (show/plot.h)
 *
 * All are in joules. Those of the first list are computed from the motion of bodies on demand; the others are
 * numbers that steps change. */
#ifndef SCREE_ENERGIES_H
#define SCREE_ENERGIES_H

#include <stddef.h>

#define SCREE_MOTION_ACCOUNTS(F)                                                                     \
    F(translation, KINETIC, "kinetic", "kinetic, translation", BLUE, "translational kinetic energy") \
    F(rotation, KINETIC, "kinetic", "kinetic, rotation", TEAL, "kinetic energy of rotation")         \
    F(gravity, POTENTIAL, "gravity", "gravity", GREY, "potential energy, counted through periodic boundaries")

#define SCREE_LOSS_ACCOUNTS(F)                                                                                     \
    F(damping, LOST, "damping", "damping", RED, "dissipated by damping since the start")                           \
    F(friction, LOST, "friction", "friction", ORANGE, "dissipated by sliding since the start")                     \
    F(rolling, LOST, "friction", "rolling friction", YELLOW, "dissipated by rolling and twisting since the start") \
    F(plastic, LOST, "damping", "yielding", BROWN, "dissipated by plastic contacts since the start")               \
    F(broken, LOST, "broken", "broken bonds", PINK, "stored in bonds when they broke")                             \
    F(cracked, LOST, "broken", "cracks", PINK, "released by links of elastic solids that broke")                   \
    F(absorbed, LOST, "damping", "absorption", BROWN, "dissipated by damping of elastic solids and by sponges")    \
    F(numerical, LOST, "numerical", "numerical dissipation", PURPLE,                                               \
      "lost by the time stepping itself; none with integrator soft")                                               \
    F(merging, LOST, "broken", "merging", PURPLE, "lost where grains merged into an aggregate")

#define SCREE_WORK_ACCOUNTS(F)                                                                                      \
    F(wall_work, WORK, "work", "", BLACK, "work done by moving walls since the start")                              \
    F(group_work, WORK, "work", "", BLACK, "work done by groups of prescribed motion since the start")              \
    F(motor_work, WORK, "work", "", BLACK, "work done by motors of joints since the start")                         \
    F(load_work, WORK, "work", "", BLACK,                                                                           \
      "work done by loads on elastic solids, by forces from outside, and by gravity that changes, since the start") \
    F(support_work, WORK, "work", "", BLACK, "work done by supports that move since the start")                     \
    F(box_work, WORK, "work", "", BLACK, "work done by a periodic box that deforms since the start")                \
    F(inserted, CAME, "work", "", BLACK, "energy of grains inserted after the start, and of changes from outside")  \
    F(removed, LEFT, "removed", "removed grains", BROWN, "carried away by grains that left the domain")

#define SCREE_ELASTIC_ACCOUNTS(F)                                                                       \
    F(elastic_normal, ELASTIC, "elastic", "elastic", GREEN, "stored in the normal springs of contacts") \
    F(elastic_tangential, ELASTIC, "elastic", "elastic, tangential", GREEN,                             \
      "stored in the tangential springs of contacts")                                                   \
    F(elastic_rolling, ELASTIC, "elastic", "elastic, rolling", GREEN,                                   \
      "stored in the rolling and twisting springs of contacts")                                         \
    F(elastic_bond, ELASTIC, "elastic", "bonds", GREEN, "stored in bonds")                              \
    F(elastic_solid, ELASTIC, "elastic", "solids", GREEN, "stored in elastic solids")

/* In the order of columns: what is there, what is gone, what was brought. */
#define SCREE_ACCOUNTS(F)    \
    SCREE_MOTION_ACCOUNTS(F) \
    SCREE_ELASTIC_ACCOUNTS(F) SCREE_LOSS_ACCOUNTS(F) SCREE_WORK_ACCOUNTS(F)

typedef enum {
    SCREE_KINETIC,
    SCREE_POTENTIAL,
    SCREE_ELASTIC,
    SCREE_LOST, /* dissipated */
    SCREE_LEFT, /* carried away by grains that left */
    SCREE_WORK, /* done on the bodies */
    SCREE_CAME  /* brought by grains that came */
} scree_account_kind;

#define SCREE_F_(name, ...) +1
enum { SCREE_ACCOUNT_COUNT = SCREE_ACCOUNTS(SCREE_F_) };
#undef SCREE_F_

/* Energies [J] at the present time; see docs/theory-soft.md for the closure. */
typedef struct {
#define SCREE_F_(name, kind, part, label, colour, doc) double name;
    SCREE_ACCOUNTS(SCREE_F_)
#undef SCREE_F_
    double closure; /* energy balance error: what is there, plus lost and left, less work and came, less the start */
} scree_energies;

typedef struct {
    const char *name, *part, *label, *doc;
    scree_account_kind kind;
    double sign;   /* in the closure: -1 for WORK and CAME, else 1 */
    size_t offset; /* of the number in scree_energies */
} scree_account;

#include "scree/begin.h"

/* All accounts in the order of columns; a NULL name after the last. */
const scree_account *scree_accounts(void);
double scree_account_value(const scree_account *account, const scree_energies *energies);
/* The sum over the accounts of one kind [J]. */
double scree_energies_sum(const scree_energies *energies, scree_account_kind kind);

#include "scree/end.h"

#endif
