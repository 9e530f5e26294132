/* The child that reads HDF5 files for this process, in a sandbox (base/sandbox.h).
 *
 * It gets an open file through its socket, walks through it with the library, answers with the
 * catalogue, and waits for the next file. A file that makes it crash, or take too much time or
 * memory, ends it; the next file gets a new one. What has taken over a child could lie about the
 * files after it, so one child serves files from one hand only, and not many of them. */
#ifndef SCREE_BASE_H5_READER_H
#define SCREE_BASE_H5_READER_H

#include "base/h5_catalogue.h"

/* The catalogue of the HDF5 file at `fd`, `size` bytes long. SCREE_E_INPUT: the file is none, or is
 * damaged or forged; `why` says it (SCR_H5_WHY bytes). */
#define SCR_H5_WHY 160
scree_status scr_h5_survey(scr_h5_reader *reader, int fd, uint64_t size, scr_h5_catalogue *c, char *why);

/* The child's part: walks through the file; SCREE_E_INPUT if the library refuses it, SCREE_E_MEMORY
 * if the catalogue would be larger than it can be. The caller frees *bytes. */
scree_status scr_h5_walk(int fd, uint64_t size, char **bytes, size_t *length);

#endif
