/* What the two halves of base/h5.h share: h5.c makes, seals, verifies and closes files, h5_data.c
 * moves datasets and attributes. */
#ifndef SCREE_BASE_H5_FILE_H
#define SCREE_BASE_H5_FILE_H

#include "base/h5.h"
#include "base/h5_driver.h"

struct scr_h5 {
    char *path;      /* as the user knows it */
    char *temporary; /* being written; NULL when reading */
    hid_t id;
    scr_h5_disk disk;
    uint64_t digest;
    scree_status status; /* of the first failure while writing */
    scree_report *report;
};

/* Records that an object could not be written; returns the status. */
scree_status scr_h5_unwritten(scr_h5 *file, const char *object);

#endif
