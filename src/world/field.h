/* Field tables: every array of the world is listed once, and everything that must treat all arrays
 * alike walks the table: reserve, sort and compact all fields; checkpoints, the digest, results and ghosts
 * those that have their flag. */
#ifndef SCREE_WORLD_FIELD_H
#define SCREE_WORLD_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a field is for. */
enum {
    SCR_STATE = 1,      /* a later step depends on it: checkpoints hold it; without this it is derived from others */
    SCR_GHOST_STEP = 2, /* copies of a body that other ranks hold get it at each step, */
    SCR_GHOST_LIST = 4, /* or when a neighbour list is built */
    SCR_DIGEST = 8,     /* in the digest of the state (contacts and contacts of cells are hashed by world.c itself) */
    SCR_RESULTS = 16,   /* people can see it, in frames */
};

typedef enum { SCR_F64, SCR_I64, SCR_I32, SCR_U8 } scr_scalar;

typedef struct {
    const char *name;
    scr_scalar type;
    int width;        /* scalars per row */
    const char *unit; /* "" for a pure number */
    int flags;        /* what it is for */
    size_t pointer;   /* offset of the array's pointer in its owner */
    const char *doc;
} scr_field;

/* A set of arrays of equal length described by a table. The owner struct starts with this and has
 * one pointer per field, a buffer (base/buffer.h). */
typedef struct {
    const scr_field *fields;
    int field_count;
    size_t count;   /* rows in use */
    size_t below;   /* rows of room before the first one: arrays begin so many later than their buffers */
    uint64_t moves; /* how often rows or arrays have moved, or rows have come */
    bool keeps;     /* arrays that a longer one replaces are kept: a caller may still read them */
    void **kept;    /* a buffer: those arrays */
    size_t kept_count;
} scr_table;

size_t scr_scalar_size(scr_scalar type);
static inline size_t scr_field_row(const scr_field *f)
{
    return scr_scalar_size(f->type) * (size_t)f->width;
}

/* The array behind a field of the table's owner. */
void *scr_table_array(const scr_table *table, const scr_field *field);
const scr_field *scr_table_field(const scr_table *table, const char *name);
/* The k-th field that has this flag, or NULL. */
const scr_field *scr_table_flagged(const scr_table *table, int flag, int k);
/* Bytes of a row of all fields that have this flag. */
size_t scr_table_row(const scr_table *table, int flag);

/* Room for `count` rows in every array; existing rows stay. False when memory is exhausted. */
bool scr_table_reserve(scr_table *table, size_t count);
/* The first `rows` rows are dropped, or so many come before the first, with any content: the others stay where they are
 * in memory, but for those that come where there is no room. False when memory is exhausted. */
void scr_table_drop_front(scr_table *table, size_t rows);
bool scr_table_add_front(scr_table *table, size_t rows);
/* One more row, all zero, for which there is room. Its number. */
size_t scr_table_add(scr_table *table);
/* Rows from .. to - 1 become zero: many threads may each have some. */
void scr_table_clear(scr_table *table, size_t from, size_t to);
/* Row `to` becomes a copy of row `from`. */
void scr_table_copy(scr_table *table, size_t to, size_t from);
void scr_table_deinit(scr_table *table);
/* Arrays are freed, unless they are kept for callers; `count` stays, and there is no row until there is room again. */
void scr_table_release(scr_table *table);

/* Row k becomes the old row order[k]: `order` is a permutation of all rows, at most 2^31. In place;
 * the high bits of order serve as marks meanwhile. */
void scr_table_reorder(scr_table *table, uint32_t *order);

/* Helpers for tables written as X-macros. */
#define SCR_FIELD_TYPE(ctype) \
    _Generic((ctype){0}, double : SCR_F64, int64_t : SCR_I64, int32_t : SCR_I32, uint8_t : SCR_U8)

#endif
