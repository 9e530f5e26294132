#include "world/pushes.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "world/ids.h"

void scr_pushes_destroy(scr_pushes *p)
{
    if (!p) return;
    scr_free_all(p->id, p->load, p->row);
    free(p);
}

bool scr_pushes_find(scr_pushes *p, const scr_bodies *b)
{
    scr_ids ids;
    if (p->moves == b->table.moves) return true;
    if (!scr_ids_init(&ids, b)) return false;
    for (size_t k = 0; k < p->count; k++) {
        int64_t row = scr_ids_row(&ids, p->id[k]);
        p->row[k] = row < 0 ? SCR_PUSHES_NOBODY : (uint32_t)row;
    }
    scr_ids_deinit(&ids);
    p->moves = b->table.moves;
    return true;
}
