/* Contacts that touch, with their history: the compact table from which neighbour lists take what
 * they must not forget when they are rebuilt, and which a checkpoint stores. Body numbers are rows
 * of scr_bodies. */
#ifndef SCREE_WORLD_CONTACTS_H
#define SCREE_WORLD_CONTACTS_H

#include "world/field.h"

/*        member    type     width unit     doc */
#define SCR_CONTACT_FIELDS(F)                                                                     \
    F(body, int32_t, 1, "", "row of the first body")                                              \
    F(partner, int32_t, 1, "", "row of the second body, or -1 - face for a wall's face")          \
    F(history, double, 4, "m",                                                                    \
      "tangential spring x, y, z seen from the first body, and the "                              \
      "viscous part of the last normal force [N]")                                                \
    F(wide, double, 8, "m",                                                                       \
      "rolling spring x, y, z, twisting angle [rad], energy dissipated so far [J], overlap that " \
      "remains of a plastic contact, 0, 0; only where something asks for it")

typedef struct {
    scr_table table;
#define F(member, type, width, unit, doc) type *member;
    SCR_CONTACT_FIELDS(F)
#undef F
} scr_contacts;

/* Without `wide`. */
void scr_contacts_init(scr_contacts *contacts);
/* Adds `wide`, zero for contacts that are there. False when memory is exhausted. */
bool scr_contacts_widen(scr_contacts *contacts);
static inline bool scr_contacts_are_wide(const scr_contacts *contacts)
{
    return contacts->wide != NULL;
}
/* Row `to` becomes a copy of row `from`. */
void scr_contacts_copy(scr_contacts *contacts, size_t to, size_t from);

#endif
