#include "base/digest.h"

#include <string.h>

uint64_t scr_digest_bytes(uint64_t h, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (; size >= 8; p += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = scr_digest_mix(h, word);
    }
    uint64_t tail = 0;
    if (size) memcpy(&tail, p, size); // of nothing there may be no array
    return scr_digest_mix(h, tail ^ ((uint64_t)size << 56));
}
