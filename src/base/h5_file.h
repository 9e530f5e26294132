/* What the parts of base/h5.h share: h5.c makes, seals, verifies and closes files, h5_write.c writes
 * datasets and attributes, h5_read.c reads them, from the catalogue that a child makes
 * (h5_catalogue.h). */
#ifndef SCREE_BASE_H5_FILE_H
#define SCREE_BASE_H5_FILE_H

#include "base/h5.h"
#include "base/h5_catalogue.h"
#include "base/h5_driver.h"
#include "base/h5_store.h"
#include "base/queue.h"

struct scr_h5 {
    char *path;      /* as the user knows it */
    char *temporary; /* being written; NULL when reading */
    hid_t id;        /* the HDF5 library's; of a file being written */
    scr_h5_disk disk;
    scr_h5_catalogue contents; /* of a file being read */
    uint64_t digest;
    scree_status status; /* of the first failure while writing */
    scree_report *report;

    hid_t set;       /* the dataset that is being written, and its rows so far */
    size_t set_rows; /* */
    uint32_t *order; /* of columns: row k of the file is this row */
    size_t order_count;

    /* written later (h5_later.c): whose jobs do it, and where they find the file; NULL: it is written at once */
    scr_queue *queue;
    scr_h5 **later;
    scr_h5_store *store; /* how its datasets are stored; NULL: as they are */

    /* of a file being read: those that have the datasets it shares */
    struct scr_h5_other {
        char *name;
        scr_h5 *file;
    } * others;
    int other_count;
};

/* A file of this path, without anything behind it. NULL with a message: no memory. */
scr_h5 *scr_h5_handle(const char *path, scree_report *report);
/* Records that an object could not be written; returns the status. */
scree_status scr_h5_unwritten(scr_h5 *file, const char *object);

/* A dataset in steps: `rows` rows in all, in blocks that follow each other, all of SCR_H5_BLOCK rows but the last. */
#define SCR_H5_BLOCK ((size_t)1 << 15)
scree_status scr_h5_set_begin(scr_h5 *file, const scr_h5_set *set, size_t rows);
scree_status scr_h5_set_block(scr_h5 *file, const scr_h5_set *set, size_t count, const void *block);
scree_status scr_h5_set_end(scr_h5 *file, const scr_h5_set *set);

/* Parts of that: a dataset without numbers, in chunks of so many rows that the caller packs (0: it is one run of
 * bytes); a block of rows from `first` on; how links and groups on the way to them are made. */
hid_t scr_h5_set_create(scr_h5 *file, const scr_h5_set *set, size_t rows, size_t chunk);
bool scr_h5_block_write(hid_t id, const scr_h5_set *set, size_t first, size_t count, const void *block);
hid_t scr_h5_link_list(void);

/* The same of a file with a store. `linked`: it is in an earlier file. */
scree_status scr_h5_store_begin(scr_h5 *file, const scr_h5_set *set, size_t rows);
void scr_h5_store_block(scr_h5 *file, const scr_h5_set *set, size_t count, const void *block);
bool scr_h5_store_end(scr_h5 *file, const scr_h5_set *set, bool *linked);

/* What a file that is written later is told: copies of all texts and numbers, applied by a job. */
typedef enum {
    SCR_H5_SAY_GROUP,     /* set.name */
    SCR_H5_SAY_BEGIN,     /* set, rows */
    SCR_H5_SAY_BLOCK,     /* set, rows, data */
    SCR_H5_SAY_END,       /* set */
    SCR_H5_SAY_ORDER,     /* rows, data */
    SCR_H5_SAY_COLUMN,    /* set, rows, given */
    SCR_H5_SAY_TEXT,      /* set.name, text */
    SCR_H5_SAY_LINK,      /* set.name, text: the target */
    SCR_H5_SAY_ATTRIBUTE, /* set.name: the object, attribute, set.type, rows, data; or text */
    SCR_H5_SAY_STORE,     /* data: the store itself, not a copy; size is 0 */
} scr_h5_say;
typedef struct {
    scr_h5_say what;
    scr_h5_set set;
    const char *attribute, *text;
    size_t rows;
    const void *data;
    size_t size; /* of data [bytes] */
    void *given; /* malloc'ed, of `size` bytes, and handed over */
} scr_h5_words;
scree_status scr_h5_tell(scr_h5 *file, const scr_h5_words *words);

/* Once in a process, before anything else of the library. */
void scr_h5_library_start(void);
/* How to reach `disk` through our driver; negative on failure. The caller closes it. */
hid_t scr_h5_access(scr_h5_disk *disk);
/* Text of any length, UTF-8: what h5py shows as str. The caller closes it. */
hid_t scr_h5_text_type(void);

static inline size_t scr_h5_scalar_size(scr_h5_type type)
{
    return type == SCR_H5_U8 ? 1 : type == SCR_H5_I32 || type == SCR_H5_F32 ? 4 : 8;
}

#endif
