/* Contacts within rigid aggregates: they are not solved for, but kept with their impulses. They are the graph that
 * says what holds together, where a trial solve starts from, and what a grain that splits off starts with.
 *
 * An edge joins two members of one carrier, or a member with a wall of its carrier. Edges that do not join (a wall
 * without friction, a wall of another carrier) are kept too: they hold nothing together, but a trial solve needs
 * their support.
 *
 * Every member has a level: 1 where it joins a wall or a grain that never moves, else more than some neighbour's.
 * So every member with a neighbour of a smaller level is connected to what carries the aggregate, and when
 * grains leave, only those above them need to be looked at. */
#ifndef SCREE_REDUCE_FROZEN_H
#define SCREE_REDUCE_FROZEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

#define SCR_FROZEN_NONE UINT32_MAX
#define SCR_FROZEN_WALL 0x80000000u /* in end[1]: a wall's face */

typedef struct {
    uint32_t end[2];  /* rows, the smaller first; the second may be SCR_FROZEN_WALL + face */
    uint32_t next[2]; /* edges of these rows */
    bool joins;
    double ln; /* impulses on the second end [N s], [N m s] */
    vec3 lt, lr;
    double energy; /* stored when it froze [J] */
} scr_frozen_edge;

typedef struct {
    scr_frozen_edge *edges;
    size_t count, used; /* edges there are; slots ever used */
    uint32_t free;      /* first slot to use again */
    uint32_t *first;    /* of each row: its first edge */
    int32_t *level;     /* of each row: above; 0: it never moves and carries others; -1: no member */
    uint8_t *mark;      /* of each row: scratch, zero between calls */
    size_t rows;
    uint32_t *queue, *orphans; /* scratch */
} scr_frozen;

void scr_frozen_deinit(scr_frozen *f);
void scr_frozen_clear(scr_frozen *f);
bool scr_frozen_reserve(scr_frozen *f, size_t rows);

/* Adds a copy; its number, or SCR_FROZEN_NONE when memory is exhausted. */
uint32_t scr_frozen_add(scr_frozen *f, const scr_frozen_edge *edge);
void scr_frozen_remove(scr_frozen *f, uint32_t edge);

/* A row gets another number, which is not in use: its level and its edges follow. */
void scr_frozen_move(scr_frozen *f, uint32_t from, uint32_t to);

/* Each of the first `count` rows, which are all that have edges, becomes new_row[row]. What `queue` and `orphans` hold
 * is lost. */
void scr_frozen_renumber(scr_frozen *f, const uint32_t *new_row, size_t count);

/* Whether a row of a level above 0 joins a wall or a row of a smaller level. Where all do, nothing is left without
 * support. */
bool scr_frozen_is_carried(const scr_frozen *f, uint32_t row);

/* The next edge of a row. */
static inline uint32_t scr_frozen_next(const scr_frozen *f, uint32_t edge, uint32_t row)
{
    return f->edges[edge].next[f->edges[edge].end[0] != row];
}
/* The other end. */
static inline uint32_t scr_frozen_other(const scr_frozen *f, uint32_t edge, uint32_t row)
{
    return f->edges[edge].end[f->edges[edge].end[0] == row];
}

/* Levels of all members (level != -1) from scratch; those that nothing carries are in `orphans`. */
bool scr_frozen_level_all(scr_frozen *f, size_t *orphans);

/* After edges were removed: `rows` are members that lost one. Those that nothing carries any more, and those
 * that only they carried, are in f->orphans; their number. False when memory is exhausted. */
bool scr_frozen_unsupported(scr_frozen *f, const uint32_t *rows, size_t count, size_t *orphans);

#endif
