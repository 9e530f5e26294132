/* What the parts of base/h5.h share: h5.c makes, seals, verifies and closes files, h5_write.c writes
 * datasets and attributes, h5_read.c reads them, from the catalogue that a child makes
 * (h5_catalogue.h). */
#ifndef SCREE_BASE_H5_FILE_H
#define SCREE_BASE_H5_FILE_H

#include "base/h5.h"
#include "base/h5_catalogue.h"
#include "base/h5_driver.h"

struct scr_h5 {
    char *path;      /* as the user knows it */
    char *temporary; /* being written; NULL when reading */
    hid_t id;        /* the HDF5 library's; of a file being written */
    scr_h5_disk disk;
    scr_h5_catalogue contents; /* of a file being read */
    uint64_t digest;
    scree_status status; /* of the first failure while writing */
    scree_report *report;
};

/* Records that an object could not be written; returns the status. */
scree_status scr_h5_unwritten(scr_h5 *file, const char *object);

/* Once in a process, before anything else of the library. */
void scr_h5_library_start(void);
/* How to reach `disk` through our driver; negative on failure. The caller closes it. */
hid_t scr_h5_access(scr_h5_disk *disk);
/* Text of any length, UTF-8: what h5py shows as str. The caller closes it. */
hid_t scr_h5_text_type(void);

static inline size_t scr_h5_scalar_size(scr_h5_type type)
{
    return type == SCR_H5_U8 ? 1 : type == SCR_H5_I32 ? 4 : 8;
}

#endif
