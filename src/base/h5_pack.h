/* Chunks of datasets as HDF5's filters `shuffle` and `deflate` have them, so that any HDF5 program reads them: first
 * all first bytes of the numbers, then all second ones and so on, as a zlib stream.
 *
 * The last digits of floating-point numbers are noise that no method makes smaller. After shuffling they come first, so
 * those planes of bytes are stored as they are, which costs next to nothing, and only the rest is deflated. */
#ifndef SCREE_BASE_H5_PACK_H
#define SCREE_BASE_H5_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* Room to pack in; {0} at the start. */
typedef struct {
    void *compressor;
    unsigned char *shuffled, *packed;
    size_t room;  /* bytes of a chunk that both can take */
    size_t bound; /* of packed */
} scr_h5_packer;

void scr_h5_packer_deinit(scr_h5_packer *packer);
/* Packs `size` bytes of numbers of `scalar` bytes; the bytes are in packer->packed, and how many is returned. 0: no
 * memory. `noisy`: they are floating-point numbers. Where nothing is won, *deflated is false, and the bytes are only
 * shuffled. */
size_t scr_h5_pack(scr_h5_packer *packer, const void *chunk, size_t size, size_t scalar, bool noisy, bool *deflated);

/* Unpacks to exactly `size` bytes; `room` has as many. False: these are not such bytes, or there is no memory. */
bool scr_h5_unpack(const void *packed, size_t packed_size, bool deflated, size_t scalar, void *room, void *chunk,
                   size_t size);

#endif
