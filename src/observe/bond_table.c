#include "observe/bond_table.h"

#include <stdlib.h>

scree_status scr_bond_table_write(scr_h5 *file, const scr_world *world)
{
    const scr_bonds *b = &world->bonds;
    int64_t *first = malloc((b->table.count + 1) * sizeof *first);
    int64_t *second = malloc((b->table.count + 1) * sizeof *second);
    size_t count = 0;
    for (size_t k = 0; first && second && k < b->table.count; k++) {
        if (b->fate[k] != SCR_BOND_HOLDS) continue;
        int64_t one = b->body[k], other = b->partner[k];
        first[count] = one < other ? one : other;
        second[count++] = one < other ? other : one;
    }
    scree_status status = first && second ? scr_h5_group(file, "/bonds") : scr_h5_no_memory(file, "/bonds");
    scr_h5_set sets[] = {{"/bonds/first", SCR_H5_I64, 1, "", "id of the grain; the smaller id"},
                         {"/bonds/second", SCR_H5_I64, 1, "", "id of the other grain"}};
    if (!status) status = scr_h5_write(file, &sets[0], count, first);
    if (!status) status = scr_h5_write(file, &sets[1], count, second);
    free(first), free(second);
    return status;
}

uint64_t scr_bond_table_size(const scr_world *world)
{
    return world->bonds.table.count ? 16 * world->bonds.table.count + 4096 : 0;
}
