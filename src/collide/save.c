/* Contacts that touch, from the list into world->contacts: counted by parts, so that each part knows where its go. */
#include "collide/save.h"

#include <string.h>

#include "base/memory.h"
#include "exec/cpu/threads.h"

#define PARTS 64 /* that pairs are saved in */

/* Where each part of the pairs puts its contacts, those of bodies before those with walls. */
typedef struct {
    const scr_pairs *pairs;
    const scr_bodies *bodies;
    scr_contacts *contacts;
    bool ids; /* beside rows */
    size_t start[2 * PARTS + 1];
} saving;

// part `index` of all pairs of bodies (< PARTS) or with walls
static size_t part_start(const saving *s, size_t index)
{
    bool wall = index >= PARTS;
    size_t count = wall ? s->pairs->walls.count : s->pairs->count;
    return count * (index - (wall ? PARTS : 0)) / PARTS;
}

static size_t part_end(const saving *s, size_t index)
{
    bool wall = index >= PARTS;
    size_t count = wall ? s->pairs->walls.count : s->pairs->count;
    return count * (index + 1 - (wall ? PARTS : 0)) / PARTS;
}

static void count_part(void *context, size_t index)
{
    saving *s = context;
    const uint8_t *touch = index < PARTS ? s->pairs->touch : s->pairs->walls.touch;
    size_t n = 0;
    for (size_t k = part_start(s, index), end = part_end(s, index); k < end; k++) n += touch[k];
    s->start[index + 1] = n;
}

static void save_part(void *context, size_t index)
{
    const saving *s = context;
    const scr_pairs *p = s->pairs;
    const scr_wall_pairs *q = &p->walls;
    scr_contacts *c = s->contacts;
    bool wall = index >= PARTS;
    size_t n = s->start[index];
    for (size_t k = part_start(s, index), end = part_end(s, index); k < end; k++) {
        if (!(wall ? q->touch[k] : p->touch[k])) continue;
        uint32_t i = wall ? q->body[k] : p->first[k];
        int32_t j = wall ? -1 - (int32_t)q->face[k] : (int32_t)p->second[k];
        if (s->ids)
            scr_contact_join(c, n, s->bodies, i, j);
        else
            c->row[2 * n] = (int32_t)i, c->row[2 * n + 1] = j;
        if (c->wide) memcpy(c->wide + 8 * n, (wall ? q->wide : p->wide) + 8 * k, 64);
        memcpy(c->history + 4 * n++, (wall ? q->history : p->history) + 4 * k, 32);
    }
}

scree_status scr_pairs_save_rows(const scr_pairs *p, scr_world *w, bool ids, scree_report *report)
{
    scr_contacts *c = &w->contacts;
    saving s = {.pairs = p, .bodies = &w->bodies, .contacts = c, .ids = ids};
    scr_each(2 * PARTS, NULL, count_part, &s);
    for (int k = 0; k < 2 * PARTS; k++) s.start[k + 1] += s.start[k];
    size_t touching = s.start[2 * PARTS];
    c->table.count = 0;
    if (!scr_table_reserve(&c->table, touching)) return scr_no_memory(report, "%zu contacts", touching);
    scr_each(2 * PARTS, NULL, save_part, &s);
    c->table.count = touching;
    return SCREE_OK;
}

scree_status scr_pairs_save(const scr_pairs *p, scr_world *w, scree_report *report)
{
    return scr_pairs_save_rows(p, w, true, report);
}
