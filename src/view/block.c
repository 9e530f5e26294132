#include "view/block.h"

#include <stdlib.h>
#include <string.h>

#define HEAD 32 /* bytes before the numbers of an array */

static bool reserve(scr_block *b, size_t more)
{
    if (b->failed) return false;
    if (b->size + more <= b->capacity) return true;
    size_t capacity = b->size + more > 2 * b->capacity ? b->size + more : 2 * b->capacity;
    unsigned char *data = realloc(b->data, capacity);
    b->failed = !data;
    if (data) b->data = data, b->capacity = capacity;
    return data != NULL;
}

void *scr_block_add(scr_block *b, const char *name, scr_block_type type, int width, size_t rows)
{
    static const size_t sizes[] = {4, 4, 8};
    size_t bytes = (rows * (size_t)width * sizes[type] + 7) / 8 * 8;
    size_t start = b->size ? 0 : 8;
    if (!reserve(b, start + HEAD + bytes)) return NULL;
    if (start) memcpy(b->data, "scview1", 8), b->size = 8;
    unsigned char *head = b->data + b->size;
    memset(head, 0, HEAD + bytes);
    strncpy((char *)head, name, 15);
    uint32_t words[2] = {(uint32_t)type, (uint32_t)width};
    uint64_t count = rows;
    memcpy(head + 16, words, 8);
    memcpy(head + 24, &count, 8);
    b->size += HEAD + bytes;
    return head + HEAD;
}

bool scr_block_add_f32(scr_block *b, const char *name, int width, size_t rows, const double *values,
                       const double *origin)
{
    float *out = scr_block_add(b, name, SCR_BLOCK_F32, width, rows);
    for (size_t k = 0, n = rows * (size_t)width; out && k < n; k++)
        out[k] = (float)(values[k] - (origin ? origin[k % (size_t)width] : 0));
    return out != NULL;
}
