/* How the datasets of files are stored, and what earlier files of the same folder hold.
 *
 * A dataset that is as it was in an earlier file becomes a link there: what does not change is written once. It is
 * taken for the same when type, shape and a digest of 64 bits of its bytes are: keeping the bytes themselves would
 * double the memory of a frame. Two that differ are taken for one with a chance of 1 in 2^64. Others may be rounded to
 * single precision, and compressed. Small ones, of less than a page, are neither linked nor compressed. */
#ifndef SCREE_BASE_H5_STORE_H
#define SCREE_BASE_H5_STORE_H

#include "base/h5.h"

typedef struct scr_h5_store scr_h5_store;

/* NULL: no memory. */
scr_h5_store *scr_h5_store_new(void);
void scr_h5_store_free(scr_h5_store *store); /* NULL is fine */
/* f64 becomes f32; chunks are shuffled and deflated. */
void scr_h5_store_set(scr_h5_store *store, bool single, bool compress);
/* Datasets that are written to `file` from now on. The store must outlive it. */
scree_status scr_h5_store_use(scr_h5 *file, scr_h5_store *store);
/* The file of this name is not there, or will be removed. */
void scr_h5_store_forget(scr_h5_store *store, const char *name);

#endif
