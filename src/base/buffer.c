#include "base/buffer.h"

#include <stdint.h>

/* In front of the items, a cache line of its own so that they begin at one. */
typedef struct {
    _Alignas(SCR_ALIGN) size_t bytes;
} head;
_Static_assert(sizeof(head) == SCR_ALIGN, "scr_buffer_bytes finds it there");

static head *head_of(const void *items)
{
    return items ? (head *)items - 1 : NULL;
}

void scr_buffer_free(void *items)
{
    scr_memory_free(head_of(items));
}

void scr_buffers_free(void *const *buffers, size_t count)
{
    for (size_t k = 0; k < count; k++) scr_buffer_free(buffers[k]);
}

// what is asked for at first; an eighth more when it grows again, so that growth stays rare
static size_t wanted(size_t room, size_t count)
{
    size_t more = count / 8 + 64;
    return room && count <= SIZE_MAX - more ? count + more : count;
}

bool scr_buffer_reserve(void *pointer, size_t count, size_t size)
{
    return scr_buffer_reserve_kept(pointer, count, SIZE_MAX, size);
}

bool scr_buffer_reserve_kept(void *pointer, size_t count, size_t kept, size_t size)
{
    void *old;
    memcpy(&old, pointer, sizeof old);
    size_t room = scr_buffer_bytes(old) / size, items = wanted(room, count);
    if (count <= room && old) return true;
    // one that does not fit into a size_t is refused there
    size_t bytes = items <= (SIZE_MAX - sizeof(head)) / size ? items * size : SIZE_MAX - sizeof(head);
    head *grown = scr_memory_new(sizeof(head) + bytes, 1);
    if (!grown) return false;
    grown->bytes = bytes;
    void *data = grown + 1;
    scr_copy(data, old, (kept < room ? kept : room) * size);
    scr_buffer_free(old);
    memcpy(pointer, &data, sizeof data);
    return true;
}

bool scr_buffers_reserve(const scr_room *rooms, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!scr_buffer_reserve(rooms[k].pointer, rooms[k].count, rooms[k].size)) return false;
    return true;
}
