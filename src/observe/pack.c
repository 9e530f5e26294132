#include "observe/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/os.h"
#include "base/output.h"
#include "base/text.h"
#include "observe/archive_index.h"
#include "world/checkpoint.h"

#define BLOCK 512
#define CHUNK ((size_t)1 << 20)

/* ---- headers of ustar: offset and size of each member ---- */

enum {
    NAME = 0,
    NAME_SIZE = 100,
    MODE = 100,
    USER = 108,
    GROUP = 116,
    LENGTH = 124,
    TIME = 136,
    NUMBER_SIZE = 12,
    SUM = 148,
    SUM_SIZE = 8,
    TYPE = 156,
    MAGIC = 257,
    PREFIX = 345,
    PREFIX_SIZE = 155,
};

// the sum of all bytes, with blanks where it stands itself
static unsigned header_sum(const unsigned char h[BLOCK])
{
    unsigned sum = 0;
    for (int k = 0; k < BLOCK; k++) sum += k >= SUM && k < SUM + SUM_SIZE ? ' ' : h[k];
    return sum;
}

// eleven octal digits, or for larger sizes the bytes of the number behind a bit
static void put_size(unsigned char *at, uint64_t size)
{
    if (size < (uint64_t)1 << 33) {
        snprintf((char *)at, NUMBER_SIZE, "%011" PRIo64, size);
        return;
    }
    at[0] = 0x80;
    for (int k = NUMBER_SIZE - 1; k > 3; k--, size >>= 8) at[k] = (unsigned char)size;
}

static bool take_size(const unsigned char *at, uint64_t *size)
{
    *size = 0;
    if (at[0] == 0x80) {
        for (int k = 4; k < NUMBER_SIZE; k++) *size = *size << 8 | at[k];
        return !at[1] && !at[2] && !at[3] && *size < (uint64_t)1 << 62;
    }
    int k = 0;
    for (; k < NUMBER_SIZE && at[k] >= '0' && at[k] <= '7'; k++) *size = *size << 3 | (at[k] & 7u);
    return k > 0 && (k == NUMBER_SIZE || at[k] == 0 || at[k] == ' ');
}

static void header_make(unsigned char h[BLOCK], const char *folder, const char *name, uint64_t size, time_t time)
{
    memset(h, 0, BLOCK);
    memcpy(h + NAME, name, strlen(name));
    memcpy(h + PREFIX, folder, strlen(folder));
    memcpy(h + MODE, "0000644", 8);
    memcpy(h + USER, "0000000", 8);
    memcpy(h + GROUP, "0000000", 8);
    put_size(h + LENGTH, size);
    snprintf((char *)h + TIME, NUMBER_SIZE, "%011" PRIo64, (uint64_t)time);
    h[TYPE] = '0';
    memcpy(h + MAGIC,
           "ustar\0"
           "00",
           8);
    snprintf((char *)h + SUM, SUM_SIZE, "%06o", header_sum(h));
    h[SUM + 7] = ' ';
}

/* ---- packing ---- */

static bool is_packed(const char *head, size_t size)
{
    return size >= 2 * BLOCK && !memcmp(head + MAGIC, "ustar", 5) &&
           scr_bytes_begin(head + BLOCK, size - BLOCK, "scree results\n");
}
static const scr_output_kind packed_kind = {"packed results", is_packed, 2 * BLOCK};

static scree_status put_bytes(scr_output *out, const void *bytes, size_t size, scree_report *report)
{
    if (fwrite(bytes, 1, size, out->out) == size) return SCREE_OK;
    return scr_fail(report, SCREE_E_IO, (scree_place){.file = out->path}, "cannot be written: %s", strerror(errno));
}

// `size` bytes of an open file and zeros up to a whole block
static scree_status put_contents(scr_output *out, FILE *in, uint64_t size, char *chunk, const char *path,
                                 scree_report *report)
{
    static const char zeros[BLOCK];
    scree_status status = SCREE_OK;
    for (uint64_t left = size; !status && left > 0;) {
        size_t n = fread(chunk, 1, left < CHUNK ? (size_t)left : CHUNK, in);
        if (!n)
            return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path},
                            "was truncated while it was being read");
        status = put_bytes(out, chunk, n, report);
        left -= n;
    }
    return status ? status : put_bytes(out, zeros, (size_t)(-size % BLOCK), report);
}

static scree_status put_file(scr_output *out, const char *folder, const char *name, const char *path, char *chunk,
                             scree_report *report)
{
    scree_place at = {.file = path};
    unsigned char header[BLOCK];
    struct stat info;
    if (strlen(name) >= NAME_SIZE || strlen(folder) >= PREFIX_SIZE)
        return scr_fail(report, SCREE_E_INPUT, at, "has a name too long to pack: at most %d bytes", NAME_SIZE - 1);
    FILE *in = fopen(path, "rbe");
    if (!in || fstat(fileno(in), &info)) {
        if (in) fclose(in);
        return scr_fail(report, SCREE_E_INPUT, at, "cannot be read: %s", strerror(errno));
    }
    header_make(header, folder, name, (uint64_t)info.st_size, info.st_mtime);
    scree_status status = put_bytes(out, header, BLOCK, report);
    if (!status) status = put_contents(out, in, (uint64_t)info.st_size, chunk, path, report);
    fclose(in);
    return status;
}

// a frame or checkpoint, after a look whether it is the one that the index means
static scree_status put_entry(scr_output *out, const scr_archive *a, const scr_entry *e, const char *kind, char *chunk,
                              scree_report *report)
{
    uint64_t digest;
    scree_status status = scr_archive_data_check(a, e->file, report);
    if (status) return status;
    char *path = scr_data_file(a->folder, e->file);
    if (!path) return scr_h5_no_memory(a->index, e->file);
    status = scr_h5_verify(path, kind, &digest, report);
    if (!status && (int64_t)digest != e->digest)
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path}, "is not the %s that the index refers to",
                          kind);
    if (!status) status = put_file(out, scr_base_name(a->folder), e->file, path, chunk, report);
    free(path);
    return status;
}

static const char *kind_of_piece(const scr_entry *e)
{
    return strncmp(e->file, "frame-", 6) ? SCR_CHECKPOINT_KIND : SCR_FRAME_KIND;
}

static scree_status put_all(scr_output *out, const scr_archive *a, scree_report *report)
{
    char *chunk = calloc(1, CHUNK);
    if (!chunk) return scr_h5_no_memory(a->index, "packing");
    scree_status status = put_file(out, "", scr_base_name(a->path), a->path, chunk, report);
    for (int k = 0; !status && k < a->frames.count; k++)
        status = put_entry(out, a, &a->frames.items[k], SCR_FRAME_KIND, chunk, report);
    for (int k = 0; !status && k < a->checkpoints.count; k++)
        status = put_entry(out, a, &a->checkpoints.items[k], SCR_CHECKPOINT_KIND, chunk, report);
    for (int k = 0; !status && k < a->pieces.count; k++)
        status = put_entry(out, a, &a->pieces.items[k], kind_of_piece(&a->pieces.items[k]), chunk, report);
    // two empty blocks are the end
    memset(chunk, 0, 2 * BLOCK);
    if (!status) status = put_bytes(out, chunk, 2 * BLOCK, report);
    free(chunk);
    return status;
}

scree_status scr_pack(const char *path, const char *output, bool force, scree_report *report)
{
    scr_output out;
    scree_status status = scr_output_check(output, &packed_kind, force, report);
    if (status) return status;
    scr_archive *a = scr_archive_open(path, report);
    if (!a) return SCREE_E_INPUT;
    if (scr_data_is_locked(a->folder))
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path},
                          "is being written by a run; pack it when the run has ended");
    if (!status) status = scr_output_open(&out, output, &packed_kind, force, report);
    if (!status) status = scr_output_close(&out, put_all(&out, a, report), report);
    scr_archive_close(a);
    return status;
}

/* ---- unpacking ---- */

typedef struct {
    const char *path;
    FILE *in;
    scree_report *report;
    char *chunk;
    char name[NAME_SIZE + 1], prefix[PREFIX_SIZE + 1]; // of the present member
    uint64_t left;                                     // bytes of it that were not read yet
    // where it goes
    char *index, *temporary, *folder;
    int lock;
} unpacking;

static scree_status refuse(unpacking *u, const char *why)
{
    return scr_fail(u->report, SCREE_E_INPUT, (scree_place){.file = u->path}, "%s", why);
}

// the next member; *there is false at the end
static scree_status next(unpacking *u, bool *there)
{
    unsigned char h[BLOCK];
    char sum[SUM_SIZE + 1];
    if (fread(h, 1, BLOCK, u->in) != BLOCK) return refuse(u, "is incomplete: unexpected end of file");
    *there = h[0];
    if (!*there) return SCREE_OK;
    snprintf(sum, sizeof sum, "%.8s", (char *)h + SUM);
    if (memcmp(h + MAGIC, "ustar", 5) || strtoul(sum, NULL, 8) != header_sum(h) || h[TYPE] != '0' ||
        !take_size(h + LENGTH, &u->left))
        return refuse(u, "is not as `scree pack` writes it, or is damaged");
    snprintf(u->name, sizeof u->name, "%.100s", (char *)h + NAME);
    snprintf(u->prefix, sizeof u->prefix, "%.155s", (char *)h + PREFIX);
    return SCREE_OK;
}

// one plain name that stays where it is put, and that a terminal may show
static bool is_plain(const char *name)
{
    char shown[NAME_SIZE + 1];
    snprintf(shown, sizeof shown, "%s", name);
    return *name && *name != '.' && !strchr(name, '/') && !strcmp(scr_text_tame(shown, ""), name);
}

// the contents of the present member into a new file
static scree_status extract(unpacking *u, const char *path)
{
    scree_place at = {.file = path};
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!out) return scr_fail(u->report, SCREE_E_IO, at, "cannot be made: %s", strerror(errno));
    scree_status status = SCREE_OK;
    uint64_t rest = -u->left % BLOCK;
    while (!status && u->left > 0) {
        size_t n = fread(u->chunk, 1, u->left < CHUNK ? (size_t)u->left : CHUNK, u->in);
        u->left -= n;
        if (!n)
            status = refuse(u, "is incomplete: unexpected end of file");
        else if (fwrite(u->chunk, 1, n, out) != n)
            status = scr_fail(u->report, SCREE_E_IO, at, "cannot be written: %s", strerror(errno));
    }
    if ((fflush(out) || scr_flush(fd)) && !status)
        status = scr_fail(u->report, SCREE_E_IO, at, "cannot be written: %s", strerror(errno));
    fclose(out);
    if (!status && fread(u->chunk, 1, (size_t)rest, u->in) != rest)
        status = refuse(u, "is incomplete: unexpected end of file");
    return status;
}

static scree_status refuse_existing(unpacking *u, const char *path)
{
    return scr_fail(u->report, SCREE_E_INPUT, (scree_place){.file = path},
                    "exists and is not overwritten; unpack into another folder with --output");
}

// the first member, into a temporary file; then it is known which folder belongs to it
static scree_status index_extract(unpacking *u, const char *folder)
{
    bool there;
    struct stat info;
    scree_status status = next(u, &there);
    if (status) return status;
    if (!there || *u->prefix || !is_plain(u->name)) return refuse(u, "does not begin with results");
    if (asprintf(&u->index, "%s/%s", folder, u->name) < 0) u->index = NULL;
    // a name of this process alone: what is there is never touched
    if (!u->index || asprintf(&u->temporary, "%s.unpacked-%ld", u->index, (long)getpid()) < 0) u->temporary = NULL;
    if (!u->temporary) return scr_no_memory(u->report, "a packed run");
    if (!lstat(u->index, &info)) return refuse_existing(u, u->index);
    status = extract(u, u->temporary);
    if (!status) status = scr_h5_verify(u->temporary, SCR_INDEX_KIND, NULL, u->report);
    if (status) return status;
    u->folder = scr_data_of(u->temporary);
    if (!u->folder) return refuse(u, "has an index that does not say where its data is");
    if (!lstat(u->folder, &info)) return refuse_existing(u, u->folder);
    u->lock = scr_data_take(u->folder, u->index, u->report);
    if (u->lock == -2) return refuse_existing(u, u->folder);
    return u->lock >= 0 ? SCREE_OK : SCREE_E_INPUT;
}

static scree_status rest_extract(unpacking *u)
{
    bool there = true;
    scree_status status = next(u, &there);
    while (!status && there) {
        if (strcmp(u->prefix, scr_base_name(u->folder)) || !is_plain(u->name) || !scr_data_is(u->name))
            return refuse(u, "holds a file that is not part of the results");
        char *path = scr_data_file(u->folder, u->name);
        status = path ? extract(u, path) : scr_no_memory(u->report, "a packed run");
        free(path);
        if (!status) status = next(u, &there);
    }
    return status;
}

// every file that the index names is there and is what it means; kind NULL: of a frame or of a checkpoint
static scree_status entries_check(unpacking *u, scr_h5 *index, const char *section, const char *kind)
{
    scr_entries entries = {0};
    scree_status status = scr_entries_read(index, section, scr_base_name(u->folder), &entries);
    for (int k = 0; !status && k < entries.count; k++) {
        uint64_t digest;
        char *path = scr_data_file(u->folder, entries.items[k].file);
        const char *is = kind ? kind : kind_of_piece(&entries.items[k]);
        status = path ? scr_h5_verify(path, is, &digest, u->report) : SCREE_E_MEMORY;
        if (!status && (int64_t)digest != entries.items[k].digest)
            status = scr_fail(u->report, SCREE_E_INPUT, (scree_place){.file = path},
                              "is not the %s that the index refers to", is);
        free(path);
    }
    scr_entries_deinit(&entries);
    return status;
}

static scree_status publish(unpacking *u)
{
    scr_h5 *index = scr_h5_open(u->temporary, SCR_INDEX_KIND, NULL, u->report);
    if (!index) return SCREE_E_INPUT;
    scree_status status = entries_check(u, index, "frames", SCR_FRAME_KIND);
    if (!status) status = entries_check(u, index, "checkpoints", SCR_CHECKPOINT_KIND);
    if (!status) status = entries_check(u, index, "pieces", NULL);
    scr_h5_close(index);
    if (status) return status;
    scr_data_unmark(u->folder, SCR_DATA_UNPUBLISHED);
    status = scr_file_replace(u->temporary, u->index, u->report);
    if (status) scr_data_mark(u->folder, SCR_DATA_UNPUBLISHED);
    return status;
}

scree_status scr_unpack(const char *packed, const char *folder, char **index, scree_report *report)
{
    unpacking u = {.path = packed, .report = report, .lock = -1, .chunk = malloc(CHUNK)};
    *index = NULL;
    u.in = fopen(packed, "rbe");
    scree_status status = SCREE_OK;
    if (!u.in || !u.chunk)
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = packed}, "cannot be read: %s", strerror(errno));
    bool made = !status && !mkdir(folder, 0777);
    if (!status) status = index_extract(&u, folder);
    if (!status) status = rest_extract(&u);
    if (!status) status = publish(&u);
    if (status && u.lock >= 0) scr_data_remove(u.folder);
    if (status && u.temporary) unlink(u.temporary);
    if (status && made) rmdir(folder);
    if (u.lock >= 0) close(u.lock);
    if (u.in) fclose(u.in);
    if (!status) *index = u.index, u.index = NULL;
    free(u.chunk), free(u.index), free(u.temporary), free(u.folder);
    return status;
}
