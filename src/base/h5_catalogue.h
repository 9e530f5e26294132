/* What is in an HDF5 file: groups, datasets with their shapes and places, texts, links, attributes.
 *
 * HDF5 1.10 trusts what it reads: a forged file makes it read and write where it must not, and no
 * check of ours before could find all of that. So the library never sees a foreign file in this
 * process. A child without rights (base/h5_reader.h) walks through the file once and hands over a
 * catalogue; this process trusts it as little as the file, checks it, and answers all questions
 * from it. Numbers are not in it: a dataset is one run of bytes in the file,
 * or a list of chunks, and is read from there (base/h5_read.c).
 *
 * A catalogue is a sequence of records: a scr_h5_record, the name with its zero, the payload. An
 * object's name is its path without the leading slash (the root is empty); its attributes
 * follow it. */
#ifndef SCREE_BASE_H5_CATALOGUE_H
#define SCREE_BASE_H5_CATALOGUE_H

#include "base/h5.h"

typedef enum {
    SCR_H5_IS_GROUP,
    SCR_H5_IS_SET,    /* type, rows, width, offset; of chunks: their places are the payload */
    SCR_H5_IS_TEXT,   /* a dataset that is one text: the payload, with its zero */
    SCR_H5_IS_LINK,   /* to another file, whose name is the payload, with its zero */
    SCR_H5_IS_SHARED, /* a dataset that another file has at the same path: its name is the payload, with its zero */
    SCR_H5_IS_OTHER,
    SCR_H5_IS_ATTRIBUTE, /* of the object before; type, rows, payload */
} scr_h5_kind;

// types of records beyond scr_h5_type
enum { SCR_H5_TEXT = SCR_H5_F32 + 1, SCR_H5_UNKNOWN };

#define SCR_H5_NO_OFFSET UINT64_MAX // the numbers are not one run of bytes in the file

typedef struct {
    uint32_t kind, type;
    uint32_t name_size; /* without the zero */
    uint32_t flawed;    /* a group that could not be listed, a dataset without one or two dimensions */
    uint64_t rows, width;
    uint64_t offset; /* of the first number, from the beginning of the file */
    uint64_t chunk;  /* rows of a chunk, each of which is shuffled and deflated; 0: the numbers are one run of bytes */
    uint64_t size;   /* of the payload [bytes] */
} scr_h5_record;

/* Where a chunk is. */
typedef struct {
    uint64_t offset;         /* from the beginning of the file */
    uint32_t size, deflated; /* bytes in the file; 0: only shuffled */
} scr_h5_chunk;

static inline uint64_t scr_h5_chunk_count(const scr_h5_record *r)
{
    return r->chunk ? r->rows / r->chunk + (r->rows % r->chunk > 0) : 0;
}

typedef struct {
    scr_h5_record is;
    const char *name, *payload; /* in the catalogue's bytes */
    size_t attribute, attribute_count;
} scr_h5_object;

typedef struct {
    char *bytes;            /* as they came, owned */
    scr_h5_object *objects; /* sorted by name */
    scr_h5_object *attributes;
    size_t object_count, attribute_count;
} scr_h5_catalogue;

/* Takes over `bytes`, also when it fails: SCREE_E_INPUT if they are not a catalogue. */
scree_status scr_h5_catalogue_init(scr_h5_catalogue *c, char *bytes, size_t size);
void scr_h5_catalogue_deinit(scr_h5_catalogue *c);
/* NULL: there is none. Paths may begin with a slash. */
const scr_h5_object *scr_h5_object_find(const scr_h5_catalogue *c, const char *path);
const scr_h5_object *scr_h5_attribute_find(const scr_h5_catalogue *c, const char *path, const char *name);

/* No catalogue is larger than this. */
static inline uint64_t scr_h5_catalogue_limit(uint64_t size)
{
    return 2 * size + (1 << 20);
}

#endif
