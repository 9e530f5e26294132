/* The bonds of a frame as a table: which grains hold each other. Read back with scr_archive_bonds
 * (observe/results.h). */
#ifndef SCREE_OBSERVE_BOND_TABLE_H
#define SCREE_OBSERVE_BOND_TABLE_H

#include "base/h5.h"
#include "world/world.h"

/* Group /bonds with the ids of both grains of each bond that holds, the smaller first, in the order in which the
 * bonds were made. */
scree_status scr_bond_table_write(scr_h5 *file, const scr_world *world);
/* Bytes that it takes, at most. */
uint64_t scr_bond_table_size(const scr_world *world);

#endif
