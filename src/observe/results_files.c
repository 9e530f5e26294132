#include "observe/results_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- entries ---- */

bool scr_entries_add(scr_entries *entries, const scr_entry *entry)
{
    if (entries->count == entries->capacity) {
        int capacity = 2 * entries->capacity + 16;
        scr_entry *grown = realloc(entries->items, (size_t)capacity * sizeof *grown);
        if (!grown) return false;
        entries->items = grown;
        entries->capacity = capacity;
    }
    entries->items[entries->count++] = *entry;
    return true;
}

void scr_entries_deinit(scr_entries *entries)
{
    free(entries->items);
    *entries = (scr_entries){0};
}

// one member of all entries as a dataset of 8-byte scalars
typedef struct {
    const char *name;
    scr_h5_type type;
    size_t offset;
    const char *unit, *doc;
} member;

static const member members[] = {
    {"steps", SCR_H5_I64, offsetof(scr_entry, step), "", "steps done"},
    {"times", SCR_H5_F64, offsetof(scr_entry, time), "s", "simulated time"},
    {"bodies", SCR_H5_I64, offsetof(scr_entry, bodies), "", "number of bodies"},
    {"digests", SCR_H5_I64, offsetof(scr_entry, digest), "", "digest of the file"},
};
#define MEMBER_COUNT (sizeof members / sizeof *members)

// "/frames" and "steps" give "/frame_steps"
static void member_name(char *name, size_t size, const char *section, const member *m)
{
    snprintf(name, size, "/%.*s_%s", (int)strlen(section) - 1, section, m->name);
}

static void link_name(char *name, size_t size, const char *section, const scr_entries *entries,
                      int k)
{
    if (!strcmp(section, "frames"))
        snprintf(name, size, "/%s/%06d", section, k);
    else
        snprintf(name, size, "/%s/%012" PRId64, section, entries->items[k].step);
}

static void member_fill(const void *context, size_t first, size_t count, void *block)
{
    const char *items = ((const char *const *)context)[0];
    size_t offset = (size_t)((const char *const *)context)[1];
    for (size_t k = 0; k < count; k++)
        memcpy((char *)block + 8 * k, items + (first + k) * sizeof(scr_entry) + offset, 8);
}

scree_status scr_entries_write(scr_h5 *index, const char *section, const char *folder,
                               const scr_entries *entries)
{
    char name[64], target[512];
    snprintf(name, sizeof name, "/%s", section);
    scree_status status = scr_h5_group(index, name);
    for (int k = 0; !status && k < entries->count; k++) {
        link_name(name, sizeof name, section, entries, k);
        snprintf(target, sizeof target, "%s/%s", folder, entries->items[k].file);
        status = scr_h5_write_link(index, name, target);
    }
    for (size_t m = 0; !status && m < MEMBER_COUNT; m++) {
        const void *context[2] = {entries->items, (const void *)members[m].offset};
        member_name(name, sizeof name, section, &members[m]);
        scr_h5_set set = {name, members[m].type, 1, members[m].unit, members[m].doc};
        status = scr_h5_write_blocks(index, &set, (size_t)entries->count, member_fill, context);
    }
    return status;
}

// the file of entry k: a plain name in the data folder, nothing else
static scree_status file_read(const scr_h5 *index, const char *section, const char *folder,
                              scr_entries *entries, int k)
{
    char name[64], *target;
    link_name(name, sizeof name, section, entries, k);
    scree_status status = scr_h5_read_link(index, name, &target);
    if (status) return status;
    size_t length = strlen(folder);
    const char *file = target + length + 1;
    if (strncmp(target, folder, length) || target[length] != '/' || !*file || strchr(file, '/') ||
        *file == '.' || strlen(file) >= sizeof entries->items->file)
        status = scr_h5_wrong(index, name, "does not lead into the data folder");
    else
        strcpy(entries->items[k].file, file);
    free(target);
    return status;
}

scree_status scr_entries_read(const scr_h5 *index, const char *section, const char *folder,
                              scr_entries *entries)
{
    char name[64];
    scr_h5_type type;
    size_t rows;
    int width;
    member_name(name, sizeof name, section, &members[0]);
    scree_status status = scr_h5_shape(index, name, &type, &rows, &width);
    if (status) return status;
    if (rows > 100000000) return scr_h5_wrong(index, name, "has too many rows");
    int64_t *column = malloc((rows + 1) * sizeof *column);
    entries->items = calloc(rows + 1, sizeof *entries->items);
    if (!column || !entries->items) status = scr_h5_no_memory(index, name);
    for (size_t m = 0; !status && m < MEMBER_COUNT; m++) {
        member_name(name, sizeof name, section, &members[m]);
        scr_h5_set set = {name, members[m].type, 1, NULL, NULL};
        status = scr_h5_read(index, &set, rows, column);
        for (size_t k = 0; !status && k < rows; k++)
            memcpy((char *)&entries->items[k] + members[m].offset, &column[k], 8);
    }
    if (!status) entries->count = entries->capacity = (int)rows;
    for (size_t k = 0; !status && k < rows; k++)
        status = file_read(index, section, folder, entries, (int)k);
    free(column);
    return status;
}

/* ---- the data folder ---- */

static char *joined(const char *a, const char *between, const char *b)
{
    char *path;
    return asprintf(&path, "%s%s%s", a, between, b) < 0 ? NULL : path;
}

char *scr_data_folder(const char *path, int number)
{
    return joined(path, ".data", number == 2 ? "2" : "");
}

char *scr_data_file(const char *folder, const char *name)
{
    return joined(folder, "/", name);
}

const char *scr_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *scr_data_of(const char *path)
{
    char note[SCR_H5_NOTE], *folder;
    if (!scr_h5_peek(path, SCR_INDEX_KIND, note) || !*note || *note == '.' || strchr(note, '/'))
        return NULL;
    int length = (int)(scr_base_name(path) - path);
    return asprintf(&folder, "%.*s%s", length, path, note) < 0 ? NULL : folder;
}

int scr_data_lock(const char *folder, const char *path, scree_report *report)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return -2;
    if (fd < 0) {
        scr_fail(report, SCREE_E_IO, (scree_place){.file = folder}, "cannot be opened: %s",
                 strerror(errno));
        return -1;
    }
    // file systems without locks are taken as they are
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path},
                 "is being written by another run");
        close(fd);
        return -1;
    }
    return fd;
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static bool is_ours(const char *name)
{
    return (!strncmp(name, "frame-", 6) || !strncmp(name, "checkpoint-", 11)) &&
           (ends_with(name, ".h5") || ends_with(name, ".h5.tmp"));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// names of both lists, sorted, so that a folder of many frames is swept in n log n; NULL: no memory
static const char **names_sorted(const scr_entries *lists[2], size_t *count)
{
    size_t n = 0, room = 1;
    for (int l = 0; l < 2; l++) room += lists[l] ? (size_t)lists[l]->count : 0;
    const char **names = malloc(room * sizeof *names);
    for (int l = 0; names && l < 2; l++)
        for (int k = 0; lists[l] && k < lists[l]->count; k++) names[n++] = lists[l]->items[k].file;
    if (names) qsort(names, n, sizeof *names, by_name);
    *count = n;
    return names;
}

void scr_data_sweep(const char *folder, const scr_entries *frames, const scr_entries *checkpoints)
{
    size_t count;
    const char **keep = names_sorted((const scr_entries *[]){frames, checkpoints}, &count);
    DIR *dir = keep ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        const char *name = e->d_name;
        if (is_ours(name) && !bsearch(&name, keep, count, sizeof *keep, by_name))
            unlinkat(dirfd(dir), name, 0);
    }
    if (dir) closedir(dir);
    free(keep);
}

void scr_data_remove(const char *folder)
{
    scr_data_sweep(folder, NULL, NULL);
    rmdir(folder);
}
