/* Contacts in which a cell of an elastic solid takes part, with their history: those that touch, and pairs of cells
 * that parted by fracture while they still overlap. Written anew at each evaluation of forces, sorted by (kind, first,
 * second, feature): always current, and in an order that depends on nothing but the state.
 *
 * Grains are named by their id, because their rows move. */
#ifndef SCREE_WORLD_CELL_CONTACTS_H
#define SCREE_WORLD_CELL_CONTACTS_H

#include "world/field.h"

typedef enum { SCR_MEET_GRAIN_CELL, SCR_MEET_CELL_WALL, SCR_MEET_CELL_CELL, SCR_MEET_KINDS } scr_meet;

/*        member    type     width unit     flags  doc */
#define SCR_CELL_CONTACT_FIELDS(F)                                                                                    \
    F(first, int64_t, 1, "", SCR_STATE, "id of the grain, or number of the cell")                                     \
    F(kind, int32_t, 1, "", SCR_STATE, "0: grain and cell, 1: cell and wall, 2: two cells")                           \
    F(second, int32_t, 1, "", SCR_STATE | SCR_DIGEST, "number of the cell, or of the wall's face")                    \
    F(feature, int32_t, 2, "", SCR_STATE | SCR_DIGEST, "face, edge or corner of each (shape/convex.h)")               \
    F(touches, int32_t, 1, "", SCR_STATE, "0: only the offset is of use")                                             \
    F(history, double, 4, "m", SCR_STATE | SCR_DIGEST,                                                                \
      "tangential spring x, y, z seen from the first, and the viscous part of the last normal "                       \
      "force [N]")                                                                                                    \
    F(wide, double, 4, "m", SCR_STATE | SCR_DIGEST, "rolling spring x, y, z, twisting angle [rad]")                   \
    F(normal, double, 4, "", SCR_STATE, "unit, from the second to the first; share of the contact law")               \
    F(place, double, 4, "m", SCR_STATE, "point of contact from the centre of the first; overlap that does not press") \
    F(stored, double, 1, "J", SCR_STATE, "in the normal spring of the contact")

typedef struct {
    scr_table table;
#define F(member, type, width, unit, flags, doc) type *member;
    SCR_CELL_CONTACT_FIELDS(F)
#undef F
} scr_cell_contacts;

void scr_cell_contacts_init(scr_cell_contacts *contacts);

/* The rows of one kind and first: from here to *end. */
size_t scr_cell_contacts_of(const scr_cell_contacts *contacts, int kind, int64_t first, size_t *end);

#endif
