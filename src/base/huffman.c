#include "base/huffman.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    LITERALS = 256,
    SYMBOLS = LITERALS + 1, /* the last one ends the block */
    LONGEST = 14,           /* bits of a code: four of them and less than a byte fit into a word */
    DISTANCES = 2,          /* codes of distances, of one bit each: none is used */
    LENGTH_CODES = 19,
    HEAD_BITS = 3 + 5 + 5 + 4 + 3 * LENGTH_CODES + 4 * (SYMBOLS + DISTANCES)
};

/* Bits, the first one lowest. */
typedef struct {
    unsigned char *to;
    uint64_t bits;
    int count;
} writer;

static inline void flush(writer *w)
{
    memcpy(w->to, &w->bits, sizeof w->bits);
    w->to += w->count / 8;
    w->bits >>= w->count & 56;
    w->count &= 7;
}

static inline void put(writer *w, uint64_t bits, int count)
{
    w->bits |= bits << w->count;
    w->count += count;
}

static uint32_t reversed(uint32_t bits, int count)
{
    uint32_t to = 0;
    for (int k = 0; k < count; k++) to |= (bits >> k & 1) << (count - 1 - k);
    return to;
}

static int by_count(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// lengths of the codes of Huffman's tree (two queues: symbols by count, and inner nodes as they come); the longest
static int lengths_of(const uint32_t counts[SYMBOLS], uint8_t lengths[SYMBOLS])
{
    uint64_t order[SYMBOLS], weight[2 * SYMBOLS];
    int parent[2 * SYMBOLS], depth[2 * SYMBOLS], n = 0, longest = 0;
    for (int k = 0; k < SYMBOLS; k++)
        if (counts[k]) order[n++] = (uint64_t)counts[k] << 16 | (uint64_t)k;
    qsort(order, (size_t)n, sizeof *order, by_count);
    for (int k = 0; k < n; k++) weight[k] = order[k] >> 16;
    int leaf = 0, inner = n, end = n;
    for (; end < 2 * n - 1; end++) {
        weight[end] = 0;
        for (int child = 0; child < 2; child++) {
            int least = leaf < n && (inner == end || weight[leaf] <= weight[inner]) ? leaf++ : inner++;
            weight[end] += weight[least];
            parent[least] = end;
        }
    }
    depth[end - 1] = 0;
    memset(lengths, 0, SYMBOLS);
    for (int k = end - 2; k >= 0; k--) {
        depth[k] = depth[parent[k]] + 1;
        if (k < n) lengths[order[k] & 0xffff] = (uint8_t)depth[k];
        longest = depth[k] > longest ? depth[k] : longest;
    }
    return longest;
}

// codes in the order of lengths, then symbols; their first bit is the lowest
static void codes_of(const uint8_t lengths[SYMBOLS], uint32_t codes[SYMBOLS])
{
    uint32_t code = 0;
    for (int length = 1; length <= LONGEST; length++, code <<= 1)
        for (int k = 0; k < SYMBOLS; k++)
            if (lengths[k] == length) codes[k] = reversed(code++, length);
}

static void put_head(writer *w, const uint8_t lengths[SYMBOLS])
{
    put(w, 0 | 2 << 1, 3); // not the last block; its own codes
    put(w, SYMBOLS - 257, 5), put(w, DISTANCES - 1, 5), put(w, LENGTH_CODES - 4, 4);
    // lengths 0 to 15 have four bits each; repetitions, the first three, do not occur
    for (int k = 0; k < LENGTH_CODES; k++) put(w, k < 3 ? 0 : 4, 3), flush(w);
    for (int k = 0; k < SYMBOLS + DISTANCES; k++) put(w, reversed(k < SYMBOLS ? lengths[k] : 1, 4), 4), flush(w);
}

static void count_bytes(const unsigned char *bytes, size_t size, uint32_t counts[SYMBOLS])
{
    enum { WAYS = 4 }; // the same byte again does not wait for the count before
    uint32_t of[WAYS][LITERALS] = {{0}};
    size_t k = 0;
    for (; k + WAYS <= size; k += WAYS)
        for (int way = 0; way < WAYS; way++) of[way][bytes[k + (size_t)way]]++;
    for (; k < size; k++) of[0][bytes[k]]++;
    for (int b = 0; b < LITERALS; b++) counts[b] = of[0][b] + of[1][b] + of[2][b] + of[3][b];
    counts[LITERALS] = 1;
}

static void put_bytes(writer *w, const unsigned char *bytes, size_t size, const uint32_t codes[SYMBOLS],
                      const uint8_t lengths[SYMBOLS])
{
    enum { WAYS = 4 };
    uint32_t both[SYMBOLS]; // code, and its length above it
    for (int k = 0; k < SYMBOLS; k++) both[k] = lengths[k] ? codes[k] | (uint32_t)lengths[k] << 16 : 0;
    size_t k = 0;
    for (; k + WAYS <= size; k += WAYS, flush(w))
        for (int way = 0; way < WAYS; way++) {
            uint32_t b = both[bytes[k + (size_t)way]];
            put(w, b & 0xffff, (int)(b >> 16));
        }
    for (; k < size; k++, flush(w)) put(w, both[bytes[k]] & 0xffff, (int)(both[bytes[k]] >> 16));
}

size_t scr_huffman_block(const unsigned char *bytes, size_t size, unsigned char *to)
{
    uint32_t counts[SYMBOLS], scaled[SYMBOLS], codes[SYMBOLS];
    uint8_t lengths[SYMBOLS];
    if (!size || size > UINT32_MAX) return 0;
    count_bytes(bytes, size, counts);
    memcpy(scaled, counts, sizeof counts);
    // a tree that is too deep: with counts that differ less
    while (lengths_of(scaled, lengths) > LONGEST)
        for (int k = 0; k < SYMBOLS; k++) scaled[k] = (scaled[k] + 1) / 2;
    uint64_t bits = HEAD_BITS;
    for (int k = 0; k < SYMBOLS; k++) bits += (uint64_t)counts[k] * lengths[k];
    if (bits / 8 + 6 >= size) return 0;
    codes_of(lengths, codes);
    writer w = {.to = to};
    put_head(&w, lengths);
    put_bytes(&w, bytes, size, codes, lengths);
    put(&w, codes[LITERALS], lengths[LITERALS]);
    put(&w, 0, 3); // a stored block begins: its size at the next whole byte, and what completes it to ones
    w.count = (w.count + 7) & ~7;
    flush(&w);
    put(&w, 0xffff0000u, 32);
    flush(&w);
    return (size_t)(w.to - to);
}
