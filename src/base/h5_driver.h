/* The file driver beneath our HDF5 files: plain reads and writes on a descriptor that we own, with
 * one property that the library's own driver lacks. When a write fails (full disk, file-size
 * limit), the driver remembers the reason and lets the library believe that all went well:
 * HDF5 1.10 can neither close nor forget a file whose last flush failed, and may hang or crash at
 * exit. The caller that closes the file checks `error` and discards the file. It also takes no locks,
 * so that a reader never blocks a run. */
#ifndef SCREE_BASE_H5_DRIVER_H
#define SCREE_BASE_H5_DRIVER_H

// one spelling of the calls for every later version of the library
#define H5_USE_110_API
#include <hdf5.h>
#include <stdint.h>

typedef struct {
    int fd;        /* open for reading, or for both; the driver never closes it */
    uint64_t size; /* bytes in the file */
    int error;     /* errno of the first write that failed; 0: none */
} scr_h5_disk;

/* Makes a file access list use this driver on `disk`, which must outlive the open file. Negative on
 * error. */
herr_t scr_h5_driver_use(hid_t access, scr_h5_disk *disk);

/* Whole blocks at an offset. Reading beyond the end gives zeros; -1 with errno on failure. */
int scr_disk_read(int fd, uint64_t offset, void *data, size_t size);
int scr_disk_write(int fd, uint64_t offset, const void *data, size_t size);

#endif
