/* Bonds between bodies: a table of its own, since a bond lives on whether its grains are near or not. Bodies are known
 * by id; `row` is where they are now, derived from that. Bonds stay in the order in which they were made, broken ones
 * too; a bond is removed with its bodies. See kernel/law/bond.h for the law. */
#ifndef SCREE_WORLD_BONDS_H
#define SCREE_WORLD_BONDS_H

#include "world/bodies.h"
#include "world/field.h"

typedef enum { SCR_BOND_HOLDS, SCR_BOND_TENSION, SCR_BOND_SHEAR } scr_bond_fate;

/*        member    type     width unit     flags  doc */
#define SCR_BOND_FIELDS(F)                                                                                      \
    F(body, int64_t, 1, "", SCR_STATE, "id of the first body")                                                  \
    F(partner, int64_t, 1, "", SCR_STATE, "id of the second body")                                              \
    F(row, int32_t, 2, "", 0, "rows of both bodies, for as long as no row is reordered")                        \
    F(law, int32_t, 1, "", SCR_STATE, "index of its bond law")                                                  \
    F(fate, int32_t, 1, "", SCR_STATE | SCR_DIGEST, "0: holds, 1: broken by tension, 2: broken by shear")       \
    F(shape, double, 2, "m", SCR_STATE, "distance of the centres at the start, and radius of the section")      \
    F(spring, double, 4, "N/m", SCR_STATE, "stiffness against stretch, shear, bending, twist [N/m, N m]")       \
    F(damper, double, 4, "N s/m", SCR_STATE, "damping of stretch, shear, bending, twist [N s/m, N m s]")        \
    F(shear, double, 4, "m", SCR_STATE | SCR_DIGEST, "shear x, y, z seen from the first body, and twist [rad]") \
    F(bend, double, 4, "rad", SCR_STATE | SCR_DIGEST, "bending x, y, z seen from the first body; 0")            \
    F(rate, double, 8, "m/s", SCR_STATE | SCR_DIGEST,                                                           \
      "rates at the last evaluation: shear x, y, z, twist [rad/s], bending x, y, z [rad/s], "                   \
      "stretch")

typedef struct {
    scr_table table;
#define F(member, type, width, unit, flags, doc) type *member;
    SCR_BOND_FIELDS(F)
#undef F
} scr_bonds;

/* What bonds of one kind have in common. */
typedef struct {
    char *name;
    double young;                            /* [Pa] */
    double poisson;                          /* NAN: the stiffness ratio is given */
    double stiffness_ratio;                  /* k_n/k_s; NAN: of a beam, from Poisson's ratio */
    double radius;                           /* of the section, as a fraction of the smaller grain's */
    double tensile_strength, shear_strength; /* [Pa], INFINITY: never breaks */
    double damping;                          /* fraction of the critical damping of each mode */
} scr_bond_law;

void scr_bonds_init(scr_bonds *bonds);

/* Bond k is between the bodies in rows i and j. */
static inline void scr_bond_join(scr_bonds *bonds, size_t k, const scr_bodies *bodies, size_t i, size_t j)
{
    bonds->row[2 * k] = (int32_t)i, bonds->row[2 * k + 1] = (int32_t)j;
    bonds->body[k] = bodies->id[i], bonds->partner[k] = bodies->id[j];
}

/* Section, springs and dampers of bond k from its law, its length and its bodies. */
void scr_bond_derive(scr_bonds *bonds, size_t k, const scr_bond_law *law, const scr_bodies *bodies);

/* Circular frequencies of a bond's two bodies, were they alone, against stretch, shear, bending and
 * twist [rad/s]. */
void scr_bond_frequencies(const scr_bonds *bonds, size_t k, const scr_bodies *bodies, double frequency[4]);

#endif
