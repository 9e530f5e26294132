/* Growing arrays.
 *
 * A buffer is a plain pointer to its items, NULL while it has none; how many it has room for stands in front of the
 * first one. So no capacity is kept by hand, and loops see an array like any other. How many items are in use is the
 * owner's business.
 *
 *   double *mass = NULL;
 *   if (!scr_reserve(&mass, count)) return scr_no_memory(report, "masses");
 *   scr_buffer_free(mass);
 *
 * Growth happens in *_reserve functions, never inside a step. A function that needs room in several buffers lists them:
 *
 *   return scr_reserve_all(report, "contacts", SCR_ROOM(w->near, n), SCR_ROOM(w->sums, blocks)); */
#ifndef SCREE_BASE_BUFFER_H
#define SCREE_BASE_BUFFER_H

#include "base/memory.h"

/* Room for `count` items at least; those that are there stay, the others are zero. The first time a buffer takes what
 * is asked, later an eighth more; it never shrinks. Items begin at a cache line. False when memory is exhausted (then
 * nothing has changed). `pointer` is the address of the buffer. */
#define scr_reserve(pointer, count) scr_buffer_reserve((pointer), (count), sizeof **(pointer))

/* The same where of the items that are there only the first `kept` must stay. */
#define scr_reserve_kept(pointer, count, kept) scr_buffer_reserve_kept((pointer), (count), (kept), sizeof **(pointer))

/* Appends an item to `items`, of which there are `count`; false: no memory. */
#define scr_push(items, count, ...)                                                          \
    (((size_t)(count) < scr_room_of(items) || scr_reserve(&(items), (size_t)(count) + 1)) && \
     ((items)[(count)++] = (__VA_ARGS__), true))

/* How many items a buffer has room for. The line in front of them holds it, in bytes. */
static inline size_t scr_buffer_bytes(const void *items)
{
    return items ? *(const size_t *)((const char *)items - SCR_ALIGN) : 0;
}
#define scr_room_of(items) (scr_buffer_bytes(items) / sizeof *(items))

/* Of several buffers, one after the other; the first that fails ends it. With a report that says so: "no memory for
 * `what`". */
#define SCR_ROOM(items, count)             \
    {                                      \
        &(items), (count), sizeof *(items) \
    }
#define scr_reserve_each(...) \
    scr_buffers_reserve((const scr_room[]){__VA_ARGS__}, sizeof((const scr_room[]){__VA_ARGS__}) / sizeof(scr_room))
#define scr_reserve_all(report, what, ...) \
    (scr_reserve_each(__VA_ARGS__) ? SCREE_OK : scr_no_memory(report, "%s", what))

/* Frees buffers: scr_free_all(w->near, w->sums). */
#define scr_free_all(...) \
    scr_buffers_free((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))

/* What the macros above call. */
typedef struct {
    void *pointer;
    size_t count, size;
} scr_room;
bool scr_buffer_reserve(void *pointer, size_t count, size_t size);
bool scr_buffer_reserve_kept(void *pointer, size_t count, size_t kept, size_t size);
bool scr_buffers_reserve(const scr_room *rooms, size_t count);
void scr_buffer_free(void *items);
void scr_buffers_free(void *const *buffers, size_t count);

#endif
