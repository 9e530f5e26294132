#include "base/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/h5_file.h"
#include "base/h5_reader.h"
#include "base/memory.h"
#include "base/os.h"

#define SEAL_SIZE    512 // the smallest user block HDF5 knows
#define SEAL_VERSION 1
#define DIGEST_BLOCK ((size_t)1 << 20)

/* ---- the seal: kind, length and digest in the first 512 bytes ---- */

typedef struct {
    char kind[32], note[SCR_H5_NOTE];
    uint64_t digest, length;
} seal;

static void seal_text(const seal *s, char text[SEAL_SIZE])
{
    memset(text, 0, SEAL_SIZE);
    snprintf(text, SEAL_SIZE, "scree %s\nseal %d\ndigest %016" PRIx64 "\nlength %020" PRIu64 "\nnote %s\n", s->kind,
             SEAL_VERSION, s->digest, s->length, s->note);
}

// any byte that is not as we would write it makes the seal invalid
static bool seal_parse(const char text[SEAL_SIZE], seal *s)
{
    char copy[SEAL_SIZE + 1] = {0}, again[SEAL_SIZE];
    int version = 0;
    memcpy(copy, text, SEAL_SIZE);
    *s = (seal){0};
    int got = sscanf(copy, "scree %31[^\n]\nseal %d\ndigest %16" SCNx64 "\nlength %20" SCNu64, s->kind, &version,
                     &s->digest, &s->length);
    if (got != 4) return false;
    const char *note = strstr(copy, "\nnote ");
    if (note) sscanf(note, "\nnote %255[^\n]", s->note);
    seal_text(s, again);
    return !memcmp(text, again, SEAL_SIZE);
}

// digest of everything behind the seal, in blocks so that memory stays small
static int digest_file(int fd, uint64_t length, uint64_t *digest)
{
    char *block = malloc(DIGEST_BLOCK);
    if (!block) {
        errno = ENOMEM;
        return -1;
    }
    uint64_t h = SCR_DIGEST_START;
    int bad = 0;
    for (uint64_t at = SEAL_SIZE; at < length && !bad; at += DIGEST_BLOCK) {
        size_t size = length - at < DIGEST_BLOCK ? (size_t)(length - at) : DIGEST_BLOCK;
        bad = scr_disk_read(fd, at, block, size);
        h = scr_digest_bytes(h, block, size);
    }
    free(block);
    *digest = h;
    return bad;
}

bool scr_h5_peek(const char *path, const char *kind, char *note)
{
    char text[SEAL_SIZE];
    seal s;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    bool ours = !scr_disk_read(fd, 0, text, SEAL_SIZE) && seal_parse(text, &s) && !strcmp(s.kind, kind);
    close(fd);
    if (ours && note) memcpy(note, s.note, sizeof s.note);
    return ours;
}

/* ---- opening and closing ---- */

static void start_library(void)
{
    // nothing of ours is open at exit, and a library that tidies up then can only do harm
    H5dont_atexit();
    H5open();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void scr_h5_library_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_library);
}

scr_h5 *scr_h5_handle(const char *path, scree_report *report)
{
    scr_h5 *file = calloc(1, sizeof *file);
    if (file) {
        *file = (scr_h5){.id = -1, .set = -1, .disk.fd = -1, .report = report, .path = strdup(path)};
        if (file->path) return file;
    }
    free(file);
    scr_no_memory_in(report, path, "opening it");
    return NULL;
}

static void handle_free(scr_h5 *file)
{
    if (file->disk.fd >= 0) close(file->disk.fd);
    scr_h5_catalogue_deinit(&file->contents);
    for (int k = 0; k < file->other_count; k++) free(file->others[k].name);
    free(file->others);
    free(file->path);
    free(file->temporary);
    free(file->order);
    free(file);
}

hid_t scr_h5_access(scr_h5_disk *disk)
{
    scr_h5_library_start();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0) return -1;
    if (scr_h5_driver_use(access, disk) >= 0) return access;
    H5Pclose(access);
    return -1;
}

scr_h5 *scr_h5_create(const char *path, scree_report *report)
{
    scr_h5 *file = scr_h5_handle(path, report);
    if (!file) return NULL;
    if (asprintf(&file->temporary, "%s.tmp", path) < 0) {
        file->temporary = NULL;
        scr_no_memory_in(report, path, "writing it");
        handle_free(file);
        return NULL;
    }
    file->disk.fd = scr_open(file->temporary, O_RDWR | O_CREAT | O_TRUNC);
    if (file->disk.fd < 0) {
        scr_fail(report, SCREE_E_IO, (scree_place){.file = path}, "cannot be written: %s", strerror(errno));
        handle_free(file);
        return NULL;
    }
    hid_t access = scr_h5_access(&file->disk), creation = H5Pcreate(H5P_FILE_CREATE);
    if (access >= 0 && creation >= 0 && H5Pset_userblock(creation, SEAL_SIZE) >= 0)
        file->id = H5Fcreate(file->temporary, H5F_ACC_TRUNC, creation, access);
    if (access >= 0) H5Pclose(access);
    if (creation >= 0) H5Pclose(creation);
    if (file->id >= 0) return file;
    scr_h5_unwritten(file, NULL);
    scr_h5_discard(file);
    return NULL;
}

scree_status scr_h5_unwritten(scr_h5 *file, const char *object)
{
    if (file->status) return file->status;
    int why = file->disk.error;
    file->status = scr_fail(file->report, SCREE_E_IO, (scree_place){.file = file->path}, "%s%scannot be written: %s",
                            object ? object : "", object ? ": " : "", why ? strerror(why) : "the HDF5 library refuses");
    return file->status;
}

// closes HDF5's side, then writes the seal over the whole
static void seal_file(scr_h5 *file, const char *kind, const char *note)
{
    seal s = {0};
    char text[SEAL_SIZE];
    struct stat info;
    if (H5Fclose(file->id) < 0 && !file->disk.error) file->disk.error = EIO;
    file->id = -1;
    if (file->disk.error) return;
    snprintf(s.kind, sizeof s.kind, "%s", kind);
    snprintf(s.note, sizeof s.note, "%s", note ? note : "");
    if (fstat(file->disk.fd, &info)) {
        file->disk.error = errno;
        return;
    }
    s.length = (uint64_t)info.st_size;
    if (digest_file(file->disk.fd, s.length, &s.digest)) file->disk.error = errno;
    seal_text(&s, text);
    if (scr_disk_write(file->disk.fd, 0, text, SEAL_SIZE)) file->disk.error = errno;
    file->digest = s.digest;
}

// the seal, and with `flush` all of it on disk before the file is closed
static scree_status complete(scr_h5 *file, const char *kind, const char *note, bool flush)
{
    if (file->status) return file->status;
    seal_file(file, kind, note);
    if (flush && !file->disk.error && scr_flush(file->disk.fd)) file->disk.error = errno;
    if (close(file->disk.fd) && !file->disk.error) file->disk.error = errno;
    file->disk.fd = -1;
    return file->disk.error ? scr_h5_unwritten(file, NULL) : SCREE_OK;
}

scree_status scr_h5_seal(scr_h5 *file, const char *kind, const char *note)
{
    return complete(file, kind, note, true);
}

scree_status scr_h5_place(scr_h5 *file)
{
    if (!file->status) file->status = scr_file_replace(file->temporary, file->path, file->report);
    scree_status status = file->status;
    if (status)
        scr_h5_discard(file);
    else
        handle_free(file);
    return status;
}

scree_status scr_h5_finish(scr_h5 *file, const char *kind, const char *note, uint64_t *digest)
{
    complete(file, kind, note, false);
    if (digest) *digest = file->digest;
    return scr_h5_place(file);
}

void scr_h5_discard(scr_h5 *file)
{
    if (!file) return;
    if (file->id >= 0) H5Fclose(file->id);
    unlink(file->temporary);
    handle_free(file);
}

static scree_status refuse(scr_h5 *file, const char *why)
{
    return scr_fail(file->report, SCREE_E_INPUT, (scree_place){.file = file->path}, "%s", why);
}

// a tar archive that begins with an index
static bool is_packed(int fd, const char head[SEAL_SIZE])
{
    char text[SEAL_SIZE];
    seal s;
    return !memcmp(head + 257, "ustar", 5) && !scr_disk_read(fd, SEAL_SIZE, text, SEAL_SIZE) && seal_parse(text, &s);
}

// length and digest against the seal; the HDF5 library has not seen the file yet
static scree_status verify(scr_h5 *file, const char *kind, bool look)
{
    char text[SEAL_SIZE], why[160];
    struct stat info;
    seal s;
    uint64_t digest;
    if (fstat(file->disk.fd, &info) || !S_ISREG(info.st_mode)) return refuse(file, "is not a regular file");
    if (scr_disk_read(file->disk.fd, 0, text, SEAL_SIZE)) return refuse(file, strerror(errno));
    if (!seal_parse(text, &s))
        return refuse(file, is_packed(file->disk.fd, text)
                                ? "holds packed results: `scree unpack` makes files of it that can be read"
                                : "is not a results file of Scree, or its beginning is damaged");
    if (strcmp(s.kind, kind)) {
        snprintf(why, sizeof why, "is a Scree %s file where a %s file is expected", s.kind, kind);
        return refuse(file, why);
    }
    if (s.length != (uint64_t)info.st_size) {
        snprintf(why, sizeof why, "is damaged: it is %lld bytes long and was written with %" PRIu64,
                 (long long)info.st_size, s.length);
        return refuse(file, why);
    }
    digest = s.digest;
    if (look && digest_file(file->disk.fd, s.length, &digest)) return refuse(file, strerror(errno));
    if (digest != s.digest) return refuse(file, "is damaged: its contents do not match its digest");
    file->digest = digest;
    file->disk.size = s.length;
    return SCREE_OK;
}

static scree_status contents_read(scr_h5 *file, scr_h5_reader *reader)
{
    char why[SCR_H5_WHY];
    scr_h5_reader own = {0};
    scree_status status = scr_h5_survey(reader ? reader : &own, file->disk.fd, file->disk.size, &file->contents, why);
    scr_h5_reader_end(&own);
    return status ? scr_fail(file->report, status, (scree_place){.file = file->path}, "%s", why) : SCREE_OK;
}

// open, and as its seal says; NULL with a message
static scr_h5 *verified(const char *path, const char *kind, bool look, scree_report *report)
{
    scr_h5 *file = scr_h5_handle(path, report);
    if (!file) return NULL;
    file->disk.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->disk.fd < 0)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path}, "cannot be read: %s", strerror(errno));
    else if (!verify(file, kind, look))
        return file;
    handle_free(file);
    return NULL;
}

scree_status scr_h5_verify(const char *path, const char *kind, uint64_t *digest, scree_report *report)
{
    scr_h5 *file = verified(path, kind, true, report);
    if (!file) return SCREE_E_INPUT;
    if (digest) *digest = file->digest;
    handle_free(file);
    return SCREE_OK;
}

static scr_h5 *opened(scr_h5 *file, scr_h5_reader *reader)
{
    if (!file || !contents_read(file, reader)) return file;
    handle_free(file);
    return NULL;
}

scr_h5 *scr_h5_open(const char *path, const char *kind, scr_h5_reader *reader, scree_report *report)
{
    return opened(verified(path, kind, true, report), reader);
}

scr_h5 *scr_h5_open_unread(const char *path, const char *kind, scree_report *report)
{
    return opened(verified(path, kind, false, report), NULL);
}

void scr_h5_close(scr_h5 *file)
{
    if (file) handle_free(file);
}

void scr_h5_report_to(scr_h5 *file, scree_report *report)
{
    file->report = report;
    for (int k = 0; k < file->other_count; k++) file->others[k].file->report = report;
}

uint64_t scr_h5_digest(const scr_h5 *file)
{
    return file->digest;
}

uint64_t scr_h5_size(const scr_h5 *file)
{
    return file->disk.size;
}

scree_status scr_h5_wrong(const scr_h5 *file, const char *object, const char *what)
{
    return scr_fail(file->report, SCREE_E_INPUT, (scree_place){.file = file->path}, "%s %s", object, what);
}

scree_status scr_h5_no_memory(const scr_h5 *file, const char *object)
{
    return scr_no_memory_in(file->report, file->path, "%s", object);
}

scree_status scr_h5_version_check(const scr_h5 *file, int64_t known)
{
    int64_t version;
    scree_status status = scr_h5_get_i64(file, "/", "format_version", &version, 1);
    if (!status && (version < 1 || version > known))
        status = scr_h5_wrong(file, "/", "has a format version that this version of Scree does not support");
    return status;
}

char *scr_h5_path(const char *group, const char *name)
{
    size_t length = strlen(group), lone = !strcmp(name, ".") || !*name;
    char *path = malloc(length + 3 * strlen(name) + 5), *p = path;
    if (!path) return NULL;
    memcpy(p, group, length), p += length;
    if (!length || p[-1] != '/') *p++ = '/';
    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '%' || (lone && *c == '.'))
            p += sprintf(p, "%%%02X", (unsigned)*c);
        else
            *p++ = *c;
    if (!*name) *p++ = '%';
    *p = 0;
    return path;
}
