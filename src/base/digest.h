/* A 64-bit digest of bytes, the same on every machine of one byte order: the fingerprint that
 * `scree run` prints so that two runs can be compared at a glance. Not cryptographic. */
#ifndef SCREE_BASE_DIGEST_H
#define SCREE_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define SCR_DIGEST_START 0x9e3779b97f4a7c15ull

static inline uint64_t scr_digest_mix(uint64_t h, uint64_t word)
{
    h ^= word;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ull;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ull;
    h ^= h >> 32;
    return h;
}

/* Continues digest h with `size` bytes. */
uint64_t scr_digest_bytes(uint64_t h, const void *data, size_t size);

#endif
