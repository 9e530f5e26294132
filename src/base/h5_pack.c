#include "base/h5_pack.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = 1, STORED_MOST = 65535, SAMPLES = 4096 };

void scr_h5_packer_deinit(scr_h5_packer *p)
{
    if (p->compressor) libdeflate_free_compressor(p->compressor);
    free(p->shuffled), free(p->packed);
    *p = (scr_h5_packer){0};
}

// zlib's head and sum, and a head for each stored block
static size_t stored_bound(size_t size)
{
    return size + 5 * (size / STORED_MOST + 2) + 6;
}

static bool reserve(scr_h5_packer *p, size_t size)
{
    if (!p->compressor) p->compressor = libdeflate_alloc_compressor(LEVEL);
    if (!p->compressor) return false;
    if (size <= p->room) return true;
    free(p->shuffled), free(p->packed);
    p->bound = stored_bound(size) + libdeflate_deflate_compress_bound(p->compressor, size);
    p->shuffled = malloc(size);
    p->packed = malloc(p->bound);
    p->room = p->shuffled && p->packed ? size : 0;
    return p->room;
}

/* Bytes of scalars, all first ones, then all second ones and so on. Sixteen scalars of `scalar` bytes (a power of two)
 * are as many vectors. Two halves riffled, byte by byte, move each byte from place j to where the bits of j, rotated
 * left by one, say. The upper four bits of j are the number of the scalar: four riffles put the bytes of one kind
 * together, and as many as there are bits for a byte of a scalar put them back. */
typedef unsigned char sixteen __attribute__((vector_size(16)));
enum { GROUP = 16, WIDEST = 8 };

static inline void riffle(sixteen *x, size_t count)
{
    sixteen y[WIDEST];
    for (size_t k = 0; k < count / 2; k++) {
        sixteen a = x[k], b = x[k + count / 2];
        y[2 * k] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        y[2 * k + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    memcpy(x, y, count * sizeof *x);
}

// a whole number of groups; `scalar` is known where this is called
static inline void shuffle_groups(const unsigned char *from, size_t groups, size_t count, size_t scalar,
                                  unsigned char *to)
{
    for (size_t g = 0; g < groups; g++) {
        sixteen x[WIDEST];
        memcpy(x, from + g * GROUP * scalar, GROUP * scalar);
        for (int bit = 0; bit < 4; bit++) riffle(x, scalar);
        for (size_t plane = 0; plane < scalar; plane++) memcpy(to + plane * count + g * GROUP, &x[plane], GROUP);
    }
}

static inline void unshuffle_groups(const unsigned char *from, size_t groups, size_t count, size_t scalar,
                                    unsigned char *to)
{
    for (size_t g = 0; g < groups; g++) {
        sixteen x[WIDEST];
        for (size_t plane = 0; plane < scalar; plane++) memcpy(&x[plane], from + plane * count + g * GROUP, GROUP);
        for (size_t bit = 1; bit < scalar; bit *= 2) riffle(x, scalar);
        memcpy(to + g * GROUP * scalar, x, GROUP * scalar);
    }
}

static void shuffle(const unsigned char *from, size_t count, size_t scalar, unsigned char *to)
{
    size_t groups = scalar == 4 || scalar == 8 ? count / GROUP : 0;
    if (scalar == 8) shuffle_groups(from, groups, count, 8, to);
    if (scalar == 4) shuffle_groups(from, groups, count, 4, to);
    for (size_t plane = 0; plane < scalar; plane++)
        for (size_t k = groups * GROUP; k < count; k++) to[plane * count + k] = from[k * scalar + plane];
}

static void unshuffle(const unsigned char *from, size_t count, size_t scalar, unsigned char *to)
{
    size_t groups = scalar == 4 || scalar == 8 ? count / GROUP : 0;
    if (scalar == 8) unshuffle_groups(from, groups, count, 8, to);
    if (scalar == 4) unshuffle_groups(from, groups, count, 4, to);
    for (size_t plane = 0; plane < scalar; plane++)
        for (size_t k = groups * GROUP; k < count; k++) to[k * scalar + plane] = from[plane * count + k];
}

// How much more often bytes of a plane are the same than by chance, in per cent. The sum of squared counts of n bytes
// by chance is n^2/256 + n; 115 % of it are 0.2 bit of 8 that could be saved
static uint64_t likeness(const unsigned char *bytes, size_t size)
{
    uint32_t counts[256] = {0};
    uint64_t n = size < SAMPLES ? size : SAMPLES, sum = 0;
    for (uint64_t k = 0; k < n; k++) counts[bytes[k * size / n]]++;
    for (int k = 0; k < 256; k++) sum += (uint64_t)counts[k] * counts[k];
    return 100 * sum / (n * n / 256 + n);
}

enum { NOISE = 115, NEARLY = 200 };

// bytes of the first planes, up to the last that is noise; one that is nearly noise may be among them
static size_t noise_of(const unsigned char *shuffled, size_t size, size_t plane)
{
    size_t noise = 0;
    for (size_t at = 0; at < size; at += plane) {
        uint64_t like = likeness(shuffled + at, plane);
        if (like >= NEARLY) break;
        if (like < NOISE) noise = at + plane;
    }
    return noise;
}

static unsigned char *put_stored(unsigned char *to, const unsigned char *bytes, size_t size, bool last)
{
    do {
        size_t n = size < STORED_MOST ? size : STORED_MOST;
        *to++ = last && n == size;
        *to++ = (unsigned char)n, *to++ = (unsigned char)(n >> 8);
        *to++ = (unsigned char)~n, *to++ = (unsigned char)(~n >> 8);
        memcpy(to, bytes, n);
        to += n, bytes += n, size -= n;
    } while (size);
    return to;
}

// a zlib stream: the first `plain` bytes stored, the rest deflated
static size_t stream(scr_h5_packer *p, size_t size, size_t plain)
{
    unsigned char *to = p->packed;
    *to++ = 0x78, *to++ = 0x01;
    if (plain) to = put_stored(to, p->shuffled, plain, plain == size);
    if (plain < size) {
        size_t room = p->bound - (size_t)(to - p->packed) - 4;
        size_t n = libdeflate_deflate_compress(p->compressor, p->shuffled + plain, size - plain, to, room);
        if (!n) return 0;
        to += n;
    }
    uint32_t sum = libdeflate_adler32(1, p->shuffled, size);
    for (int shift = 24; shift >= 0; shift -= 8) *to++ = (unsigned char)(sum >> shift);
    return (size_t)(to - p->packed);
}

size_t scr_h5_pack(scr_h5_packer *p, const void *chunk, size_t size, size_t scalar, bool noisy, bool *deflated)
{
    if (!reserve(p, size)) return 0;
    size_t plane = size / scalar;
    shuffle(chunk, plane, scalar, p->shuffled);
    size_t plain = noisy ? noise_of(p->shuffled, size, plane) : 0;
    size_t n = plain < size ? stream(p, size, plain) : 0;
    *deflated = n > 0 && n < size;
    if (*deflated) return n;
    memcpy(p->packed, p->shuffled, size);
    return size;
}

bool scr_h5_unpack(const void *packed, size_t packed_size, bool deflated, size_t scalar, void *room, void *chunk,
                   size_t size)
{
    const void *shuffled = packed;
    if (deflated) {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        bool ok = d && !libdeflate_zlib_decompress(d, packed, packed_size, room, size, NULL);
        if (d) libdeflate_free_decompressor(d);
        if (!ok) return false;
        shuffled = room;
    } else if (packed_size != size) {
        return false;
    }
    unshuffle(shuffled, size / scalar, scalar, chunk);
    return true;
}
