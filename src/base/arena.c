#include "base/arena.h"

#include <stdint.h>

/* Bytes of a chunk; what is larger has its own. So has everything where a sanitizer looks: it sees the ends of
 * chunks. */
#if defined(__SANITIZE_ADDRESS__)
#    define LEAST ((size_t)1)
#else
#    define LEAST ((size_t)16 << 10)
#endif

/* Its memory follows it. */
struct scr_chunk {
    _Alignas(SCR_ALIGN) scr_chunk *next;
    size_t room, used; // bytes
};

static scr_chunk *new_chunk(size_t bytes)
{
    size_t room = bytes < LEAST ? LEAST : bytes;
    scr_chunk *c = room <= SIZE_MAX - sizeof *c ? scr_memory_new(sizeof *c + room, 1) : NULL;
    if (c) c->room = room;
    return c;
}

// the next chunk that has room, from the present one on
static scr_chunk *chunk_for(scr_arena *arena, size_t bytes)
{
    scr_chunk **link = arena->now ? &arena->now : &arena->first;
    while (*link && (*link)->room - (*link)->used < bytes) link = &(*link)->next;
    if (!*link) *link = new_chunk(bytes);
    return *link;
}

void *scr_arena_take(scr_arena *arena, size_t count, size_t size)
{
    size_t most = SIZE_MAX - SCR_ALIGN;
    size_t bytes = size && count > most / size ? most : (count * size + SCR_ALIGN - 1) / SCR_ALIGN * SCR_ALIGN;
    scr_chunk *c = chunk_for(arena, bytes);
    if (!c) return arena->failed = true, NULL;
    void *data = (char *)(c + 1) + c->used;
    c->used += bytes;
    if (bytes <= LEAST) arena->now = c;
    return memset(data, 0, bytes);
}

scree_status scr_arena_status(const scr_arena *arena, scree_report *report, const char *what)
{
    return arena->failed ? scr_no_memory(report, "%s", what) : SCREE_OK;
}

void scr_arena_reset(scr_arena *arena)
{
    for (scr_chunk *c = arena->first; c; c = c->next) c->used = 0;
    arena->now = arena->first;
    arena->failed = false;
}

void scr_arena_deinit(scr_arena *arena)
{
    for (scr_chunk *c = arena->first, *next; c; c = next) {
        next = c->next;
        scr_memory_free(c);
    }
    *arena = (scr_arena){0};
}
