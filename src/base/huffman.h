/* Bytes as one block of literals of a deflate stream (RFC 1951, 3.2.7), each byte by its own Huffman code and no
 * matches: several times as fast as a search for matches, and as small where there are none. */
#ifndef SCREE_BASE_HUFFMAN_H
#define SCREE_BASE_HUFFMAN_H

#include <stddef.h>

/* Writes the block to `to` and, behind it, an empty stored block, so that the next one begins at a whole byte; it is
 * not the last one of the stream. How many bytes that are; 0, and nothing is written, where they are not less than a
 * stored block would take. `to` has room for size + SCR_HUFFMAN_ROOM. */
enum { SCR_HUFFMAN_ROOM = 256 };
size_t scr_huffman_block(const unsigned char *bytes, size_t size, unsigned char *to);

#endif
