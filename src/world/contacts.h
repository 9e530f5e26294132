/* Contacts that touch, with their history: the compact table from which neighbour lists take what
 * they must not forget when they are rebuilt, and which a checkpoint stores. Bodies are known by id; `row` is where
 * they are now, derived from that. */
#ifndef SCREE_WORLD_CONTACTS_H
#define SCREE_WORLD_CONTACTS_H

#include "world/bodies.h"
#include "world/field.h"

/*        member    type     width unit     flags  doc */
#define SCR_CONTACT_FIELDS(F)                                                                      \
    F(body, int64_t, 1, "", SCR_STATE, "id of the first body")                                     \
    F(partner, int64_t, 1, "", SCR_STATE, "id of the second body, or -1 - face for a wall's face") \
    F(row, int32_t, 2, "", 0,                                                                      \
      "row of the first body; of the second, or -1 - face; for as long as no row is reordered")    \
    F(history, double, 4, "m", SCR_STATE | SCR_DIGEST,                                             \
      "tangential spring x, y, z seen from the first body, and the "                               \
      "viscous part of the last normal force [N]")                                                 \
    F(wide, double, 8, "m", SCR_STATE | SCR_DIGEST,                                                \
      "rolling spring x, y, z, twisting angle [rad], energy dissipated so far [J], overlap that "  \
      "remains of a plastic contact, 0, 0; only where something asks for it")

typedef struct {
    scr_table table;
#define F(member, type, width, unit, flags, doc) type *member;
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
/* Contact k is between the bodies in rows i and j, or -1 - face in place of j. */
static inline void scr_contact_join(scr_contacts *contacts, size_t k, const scr_bodies *bodies, size_t i, int32_t j)
{
    contacts->row[2 * k] = (int32_t)i, contacts->row[2 * k + 1] = j;
    contacts->body[k] = bodies->id[i], contacts->partner[k] = j < 0 ? j : bodies->id[j];
}

#endif
