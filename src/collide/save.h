/* Contacts of a list for the next one. */
#ifndef SCREE_COLLIDE_SAVE_H
#define SCREE_COLLIDE_SAVE_H

#include "collide/pairs.h"

/* As scr_pairs_save; without ids where only the next list needs them, which knows contacts by their rows unless the
 * world is divided among ranks. */
scree_status scr_pairs_save_rows(const scr_pairs *pairs, scr_world *world, bool ids, scree_report *report);

/* Whether bodies are still in the rows that they had when the list was built. */
bool scr_pairs_have_rows(const scr_pairs *pairs, const scr_world *world);

#endif
