#include "base/h5_driver.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#    include <H5FDdevelop.h>
#endif

typedef struct {
    H5FD_t library; // must be first
    scr_h5_disk *disk;
    haddr_t end; // of allocated addresses
} driver_file;

int scr_disk_read(int fd, uint64_t offset, void *data, size_t size)
{
    char *p = data;
    while (size > 0) {
        ssize_t got = pread(fd, p, size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) {
            memset(p, 0, size);
            return 0;
        }
        p += got, offset += (uint64_t)got, size -= (size_t)got;
    }
    return 0;
}

int scr_disk_write(int fd, uint64_t offset, const void *data, size_t size)
{
    const char *p = data;
    while (size > 0) {
        ssize_t put = pwrite(fd, p, size, (off_t)offset);
        if (put < 0 && errno == EINTR) continue;
        if (put == 0) errno = ENOSPC;
        if (put <= 0) return -1;
        p += put, offset += (uint64_t)put, size -= (size_t)put;
    }
    return 0;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t limit)
{
    (void)name, (void)flags, (void)limit;
    scr_h5_disk *const *info = H5Pget_driver_info(access);
    if (!info) return NULL;
    driver_file *f = calloc(1, sizeof *f);
    if (f) f->disk = *info;
    return (H5FD_t *)f;
}

static herr_t driver_close(H5FD_t *file)
{
    free(file);
    return 0;
}

static int driver_compare(const H5FD_t *a, const H5FD_t *b)
{
    uintptr_t x = (uintptr_t)((const driver_file *)a)->disk;
    uintptr_t y = (uintptr_t)((const driver_file *)b)->disk;
    return (x > y) - (x < y);
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_allocated(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)file)->end;
}

static herr_t driver_allocate(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((driver_file *)file)->end = end;
    return 0;
}

static haddr_t driver_size(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)file)->disk->size;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *data)
{
    (void)type, (void)transfer;
    return scr_disk_read(((driver_file *)file)->disk->fd, at, data, size);
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *data)
{
    (void)type, (void)transfer;
    scr_h5_disk *disk = ((driver_file *)file)->disk;
    if (!disk->error && scr_disk_write(disk->fd, at, data, size)) disk->error = errno;
    if (at + size > disk->size) disk->size = at + size;
    return 0;
}

static int disk_cut(int fd, off_t length)
{
    int bad;
    do bad = ftruncate(fd, length);
    while (bad && errno == EINTR);
    return bad;
}

// the file ends where the library's last address is, even if nothing was written there
static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    driver_file *f = (driver_file *)file;
    if (f->end == f->disk->size) return 0;
    if (!f->disk->error && disk_cut(f->disk->fd, (off_t)f->end)) f->disk->error = errno;
    f->disk->size = f->end;
    return 0;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 511, // of the range that the library leaves to experiments
#endif
    .name = "scree",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(scr_h5_disk *),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_allocated,
    .set_eoa = driver_allocate,
    .get_eof = driver_size,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

// once, for all files
static pthread_once_t once = PTHREAD_ONCE_INIT;
static hid_t driver = -1;

static void register_driver(void)
{
    driver = H5FDregister(&driver_class);
}

herr_t scr_h5_driver_use(hid_t access, scr_h5_disk *disk)
{
    pthread_once(&once, register_driver);
    return driver < 0 ? -1 : H5Pset_driver(access, driver, &disk);
}
