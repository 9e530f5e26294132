#include "world/ids.h"

#include <string.h>

#include "base/digest.h"
#include "base/memory.h"

#define NOBODY UINT32_MAX

// the entry of an id, or the free one where it would be
static uint32_t *entry_of(const scr_ids *ids, int64_t id)
{
    uint64_t at = scr_digest_mix(SCR_DIGEST_START, (uint64_t)id) & ids->mask;
    while (ids->row[at] != NOBODY && ids->id[ids->row[at]] != id) at = (at + 1) & ids->mask;
    return &ids->row[at];
}

bool scr_ids_init(scr_ids *ids, const scr_bodies *b)
{
    size_t room = 2;
    while (room < 2 * b->table.count) room *= 2;
    *ids = (scr_ids){.id = b->id, .row = scr_memory_new(room, sizeof *ids->row), .mask = room - 1};
    if (!ids->row) return false;
    memset(ids->row, 0xff, room * sizeof *ids->row);
    for (size_t i = 0; i < b->table.count; i++) {
        uint32_t *entry = entry_of(ids, b->id[i]);
        ids->twice |= *entry != NOBODY;
        *entry = (uint32_t)i;
    }
    return true;
}

void scr_ids_deinit(scr_ids *ids)
{
    scr_memory_free(ids->row);
    *ids = (scr_ids){0};
}

int64_t scr_ids_row(const scr_ids *ids, int64_t id)
{
    uint32_t row = *entry_of(ids, id);
    return row == NOBODY ? -1 : (int64_t)row;
}
