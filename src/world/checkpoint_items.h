/* Named items in HDF5: each is a group of its name in the group of its section, with attributes, among them
 * its index. Shared by the files that write a world. */
#ifndef SCREE_WORLD_CHECKPOINT_ITEMS_H
#define SCREE_WORLD_CHECKPOINT_ITEMS_H

#include "world/checkpoint.h"

/* Makes the group of an item and says which one it is. Its path, which the caller frees; NULL when memory
 * is exhausted. */
char *scr_item_write(scr_h5 *file, const char *section, const char *name, int64_t index);

/* Totals without rounding (math/total.h), of this unit. */
scree_status scr_totals_write(scr_h5 *file, const char *name, const char *unit, const scr_total *totals, size_t count);
scree_status scr_totals_read(const scr_h5 *file, const char *name, scr_total *totals, size_t count);
/* Those of an item. */
scree_status scr_item_sums_write(scr_h5 *file, const char *path, const char *unit, const scr_total *sums, size_t count);
scree_status scr_item_sums_read(const scr_h5 *file, const char *path, scr_total *sums, size_t count);

/* Fills one item of `world` from the group at `path`, and takes the name over. */
typedef scree_status scr_item_reader(const scr_h5 *file, const char *path, int index, char *name, int material_count,
                                     scr_world *world);

/* Lists a section, makes room for its items at *items, and reads each. */
scree_status scr_items_read(const scr_h5 *file, const char *section, void **items, size_t size, int *count,
                            scr_item_reader *reader, int material_count, scr_world *world);

#endif
