/* Memory for what is taken bit by bit and given back all at once: the arrays of an object that never grow, or the
 * scratch of a function.
 *
 *   scr_arena arena = {0};
 *   double *mass = SCR_TAKE(&arena, double, count);
 *   int *order = SCR_TAKE(&arena, int, count);
 *   scree_status status = scr_arena_status(&arena, report, "an order of masses");
 *   if (!status) ...
 *   scr_arena_deinit(&arena);
 *
 * Take everything first, then ask once whether all was there: an arena that could not give remembers it. */
#ifndef SCREE_BASE_ARENA_H
#define SCREE_BASE_ARENA_H

#include "base/memory.h"

typedef struct scr_chunk scr_chunk;

typedef struct {
    scr_chunk *first, *now;
    bool failed; /* something that was taken is NULL */
} scr_arena;

/* Room for `count` items of a type, zero, at the beginning of a cache line; NULL: no memory. */
#define SCR_TAKE(arena, type, count) ((type *)scr_arena_take((arena), (count), sizeof(type)))
void *scr_arena_take(scr_arena *arena, size_t count, size_t size);

/* SCREE_OK, or "no memory for `what`" where something could not be taken. */
scree_status scr_arena_status(const scr_arena *arena, scree_report *report, const char *what);

/* All that was taken is given back: to the arena, which keeps its memory for what is taken next, or to the machine. */
void scr_arena_reset(scr_arena *arena);
void scr_arena_deinit(scr_arena *arena);

#endif
