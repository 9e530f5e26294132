/* Counter-based random streams: the n-th number of a stream is a pure function of (seed, stream,
 * n), so a stream's whole state is its counter. The mixing
 * function is the finaliser of SplitMix64 (Steele, Lea & Flood 2014) applied twice. */
#ifndef SCREE_BASE_RANDOM_H
#define SCREE_BASE_RANDOM_H

#include <stdint.h>

typedef struct {
    uint64_t key;     /* from the seed and the stream's name */
    uint64_t counter; /* numbers drawn so far */
} scr_random;

static inline uint64_t scr_random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static inline scr_random scr_random_stream(uint64_t seed, uint64_t stream)
{
    return (scr_random){.key = scr_random_mix(seed + 0x9e3779b97f4a7c15ull * (stream + 1)), .counter = 0};
}

static inline uint64_t scr_random_bits(scr_random *r)
{
    uint64_t n = ++r->counter;
    return scr_random_mix(scr_random_mix(n * 0x9e3779b97f4a7c15ull + r->key) + r->key);
}

/* Uniform in [0, 1), 53 bits. */
static inline double scr_random_unit(scr_random *r)
{
    return (double)(scr_random_bits(r) >> 11) * 0x1p-53;
}

static inline double scr_random_between(scr_random *r, double low, double high)
{
    return low + (high - low) * scr_random_unit(r);
}

#endif
