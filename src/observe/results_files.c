#include "observe/results_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/os.h"

#define REPLACED "replaced-by-"
// numbers without a folder behind which no more are looked for
#define GAPS 8

/* ---- entries ---- */

bool scr_entries_add(scr_entries *entries, const scr_entry *entry)
{
    return scr_push(entries->items, entries->count, *entry);
}

void scr_entries_deinit(scr_entries *entries)
{
    scr_buffer_free(entries->items);
    *entries = (scr_entries){0};
}

// one member of all entries as a dataset of 8-byte scalars
typedef struct {
    const char *name;
    scr_h5_type type;
    size_t offset;
    const char *unit, *doc;
    bool young; // results of older versions have none
} member;

static const member members[] = {
    {"steps", SCR_H5_I64, offsetof(scr_entry, step), "", "steps done", false},
    {"times", SCR_H5_F64, offsetof(scr_entry, time), "s", "simulated time", false},
    {"bodies", SCR_H5_I64, offsetof(scr_entry, bodies), "", "number of bodies", false},
    {"digests", SCR_H5_I64, offsetof(scr_entry, digest), "", "digest of the file", false},
    {"seconds", SCR_H5_F64, offsetof(scr_entry, seconds), "s", "wall time spent on steps so far", true},
    {"processor_seconds", SCR_H5_F64, offsetof(scr_entry, processor), "s",
     "CPU time spent on steps so far, of all threads", true},
};
#define MEMBER_COUNT (sizeof members / sizeof *members)

// "/frames" and "steps" give "/frame_steps"
static void member_name(char *name, size_t size, const char *section, const member *m)
{
    snprintf(name, size, "/%.*s_%s", (int)strlen(section) - 1, section, m->name);
}

static void link_name(char *name, size_t size, const char *section, const scr_entries *entries, int k)
{
    if (strcmp(section, "checkpoints"))
        snprintf(name, size, "/%s/%06d", section, k);
    else
        snprintf(name, size, "/%s/%012" PRId64, section, entries->items[k].step);
}

typedef struct {
    const scr_entry *items;
    size_t offset; // of the member in an entry
} member_source;

static void member_fill(const void *context, size_t first, size_t count, void *block)
{
    const member_source *from = context;
    for (size_t k = 0; k < count; k++)
        memcpy((char *)block + 8 * k, (const char *)&from->items[first + k] + from->offset, 8);
}

scree_status scr_entries_write(scr_h5 *index, const char *section, const char *folder, const scr_entries *entries)
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
        member_source from = {entries->items, members[m].offset};
        member_name(name, sizeof name, section, &members[m]);
        scr_h5_set set = {name, members[m].type, 1, members[m].unit, members[m].doc};
        status = scr_h5_write_blocks(index, &set, (size_t)entries->count, member_fill, &from);
    }
    return status;
}

// the file of entry k: a plain name in the data folder, nothing else
static scree_status file_read(const scr_h5 *index, const char *section, const char *folder, scr_entries *entries, int k)
{
    char name[64], *target;
    link_name(name, sizeof name, section, entries, k);
    scree_status status = scr_h5_read_link(index, name, &target);
    if (status) return status;
    size_t length = strlen(folder);
    const char *file = target + length + 1;
    if (strncmp(target, folder, length) || target[length] != '/' || !*file || strchr(file, '/') || *file == '.' ||
        strlen(file) >= sizeof entries->items->file)
        status = scr_h5_wrong(index, name, "does not lead into the data folder");
    else
        strcpy(entries->items[k].file, file);
    free(target);
    return status;
}

// one member of all entries; `column` is room for it
static scree_status member_read(const scr_h5 *index, const char *section, const member *m, scr_entries *entries,
                                size_t rows, int64_t *column)
{
    char name[64];
    member_name(name, sizeof name, section, m);
    scr_h5_set set = {name, m->type, 1, NULL, NULL};
    scree_status status = SCREE_OK;
    if (m->young && !scr_h5_has(index, name))
        for (size_t k = 0; k < rows; k++) memcpy(&column[k], &(double){NAN}, 8);
    else
        status = scr_h5_read(index, &set, rows, column);
    for (size_t k = 0; !status && k < rows; k++) memcpy((char *)&entries->items[k] + m->offset, &column[k], 8);
    return status;
}

scree_status scr_entries_read(const scr_h5 *index, const char *section, const char *folder, scr_entries *entries)
{
    char name[64];
    scr_h5_type type;
    size_t rows;
    int width;
    member_name(name, sizeof name, section, &members[0]);
    if (!strcmp(section, "pieces") && !scr_h5_has(index, name)) return SCREE_OK;
    scree_status status = scr_h5_shape(index, name, &type, &rows, &width);
    if (status) return status;
    if (rows > 100000000) return scr_h5_wrong(index, name, "has too many rows");
    int64_t *column = malloc((rows + 1) * sizeof *column);
    if (!column || !scr_reserve(&entries->items, rows + 1)) status = scr_h5_no_memory(index, name);
    for (size_t m = 0; !status && m < MEMBER_COUNT; m++)
        status = member_read(index, section, &members[m], entries, rows, column);
    if (!status) entries->count = (int)rows;
    for (size_t k = 0; !status && k < rows; k++) status = file_read(index, section, folder, entries, (int)k);
    free(column);
    return status;
}

/* ---- pieces ---- */

static int stem_of(const char *file)
{
    size_t length = strlen(file);
    return (int)(length > 3 ? length - 3 : length);
}

void scr_piece_name(char name[64], const char *file, int piece)
{
    snprintf(name, 64, "%.*s.p%d.h5", stem_of(file), file, piece);
}

bool scr_piece_belongs(const char *piece, const char *file)
{
    size_t stem = (size_t)stem_of(file);
    return !strncmp(piece, file, stem) && !strncmp(piece + stem, ".p", 2);
}

/* ---- the data folder ---- */

static char *joined(const char *a, const char *between, const char *b)
{
    char *path;
    return asprintf(&path, "%s%s%s", a, between, b) < 0 ? NULL : path;
}

char *scr_data_folder(const char *path, int number)
{
    char digits[16] = "";
    if (number > 1) snprintf(digits, sizeof digits, "%d", number);
    return joined(path, ".data", digits);
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
    if (!scr_h5_peek(path, SCR_INDEX_KIND, note) || !*note || *note == '.' || strchr(note, '/')) return NULL;
    int length = (int)(scr_base_name(path) - path);
    return asprintf(&folder, "%.*s%s", length, path, note) < 0 ? NULL : folder;
}

char *scr_data_owner(const char *path, const char *folder)
{
    // the folder's name without .data, .data2, ...
    const char *end = folder + strlen(folder);
    while (end > folder && isdigit((unsigned char)end[-1])) end--;
    const size_t length = (size_t)(end - folder), ending = strlen(".data");
    if (length <= ending || strncmp(end - ending, ".data", ending)) return NULL;
    char *owner = strndup(folder, length - ending), *its = owner ? scr_data_of(owner) : NULL;
    struct stat here, there;
    bool other = its && !strcmp(its, folder) && !stat(owner, &there) &&
                 (stat(path, &here) || here.st_ino != there.st_ino || here.st_dev != there.st_dev);
    free(its);
    if (other) return owner;
    free(owner);
    return NULL;
}

int scr_data_lock(const char *folder, const char *path, scree_report *report)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return -2;
    if (fd < 0) {
        scr_fail(report, SCREE_E_IO, (scree_place){.file = folder}, "cannot be opened: %s", strerror(errno));
        return -1;
    }
    // file systems without locks are taken as they are
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path}, "is being written by another run");
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

static bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static bool is_mark(const char *name)
{
    return !strcmp(name, SCR_DATA_UNPUBLISHED) || starts_with(name, REPLACED);
}

bool scr_data_is(const char *name)
{
    return (starts_with(name, "frame-") || starts_with(name, "checkpoint-")) &&
           (ends_with(name, ".h5") || ends_with(name, ".h5.tmp"));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

#define LISTS 3
// names of all lists, sorted, so that a folder of many frames is swept in n log n; NULL: no memory
static const char **names_sorted(const scr_entries *lists[LISTS], size_t *count)
{
    size_t n = 0, room = 1;
    for (int l = 0; l < LISTS; l++) room += lists[l] ? (size_t)lists[l]->count : 0;
    const char **names = malloc(room * sizeof *names);
    for (int l = 0; names && l < LISTS; l++)
        for (int k = 0; lists[l] && k < lists[l]->count; k++) names[n++] = lists[l]->items[k].file;
    if (names) qsort(names, n, sizeof *names, by_name);
    *count = n;
    return names;
}

void scr_data_sweep(const char *folder, const scr_entries *frames, const scr_entries *checkpoints,
                    const scr_entries *pieces)
{
    size_t count;
    const char **keep = names_sorted((const scr_entries *[LISTS]){frames, checkpoints, pieces}, &count);
    DIR *dir = keep ? opendir(folder) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        const char *name = e->d_name;
        if (scr_data_is(name) && !bsearch(&name, keep, count, sizeof *keep, by_name)) unlinkat(dirfd(dir), name, 0);
    }
    // marks go last: when this ends in the middle, the folder can still be told
    if (dir) scr_flush(dirfd(dir)), rewinddir(dir);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (is_mark(e->d_name)) unlinkat(dirfd(dir), e->d_name, 0);
    if (dir) closedir(dir);
    free(keep);
}

void scr_data_remove(const char *folder)
{
    scr_data_sweep(folder, NULL, NULL, NULL);
    rmdir(folder);
}

/* ---- whose folder it is ---- */

scr_run_id scr_run_id_new(void)
{
    scr_run_id run;
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        bits = ((uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec) + ((uint64_t)getpid() << 40);
    }
    snprintf(run.text, sizeof run.text, "%016" PRIx64, bits);
    return run;
}

scree_status scr_run_id_read(const scr_h5 *index, scr_run_id *run)
{
    char *text;
    *run = (scr_run_id){0};
    scree_status status = scr_h5_get_text(index, "/", "run", &text);
    if (status) return status;
    if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
        strcpy(run->text, text);
    else
        status = scr_h5_wrong(index, "/", "has an invalid attribute run");
    free(text);
    return status;
}

scr_run_id scr_run_id_of(const char *path)
{
    scr_run_id run = {0};
    scree_report unheard;
    scree_report_init(&unheard);
    scr_h5 *index = scr_h5_open(path, SCR_INDEX_KIND, NULL, &unheard);
    if (index) scr_run_id_read(index, &run);
    scr_h5_close(index);
    scree_report_deinit(&unheard);
    return run;
}

void scr_data_replaced(char mark[64], const scr_run_id *run)
{
    snprintf(mark, 64, REPLACED "%s", run->text);
}

bool scr_data_mark(const char *folder, const char *mark)
{
    char *path = scr_data_file(folder, mark);
    int fd = path ? scr_open(path, O_WRONLY | O_CREAT | O_NOFOLLOW) : -1;
    if (fd >= 0) close(fd);
    bool stands = fd >= 0 && !scr_flush_name(path);
    free(path);
    return stands;
}

void scr_data_unmark(const char *folder, const char *mark)
{
    char *path = scr_data_file(folder, mark);
    if (path && !unlink(path)) scr_flush_name(path);
    free(path);
}

static bool has_mark(const char *folder, const char *mark)
{
    struct stat info;
    char *path = scr_data_file(folder, mark);
    bool found = path && !lstat(path, &info);
    free(path);
    return found;
}

// what cannot be read is not empty
static bool is_empty(const char *folder)
{
    int entries = 0;
    DIR *dir = opendir(folder);
    while (dir && readdir(dir)) entries++;
    if (dir) closedir(dir);
    return entries == 2; // itself and its parent
}

bool scr_data_is_locked(const char *folder)
{
    // the kernel's list: number, FLOCK, ADVISORY, WRITE, process, device:device:inode, ...
    struct stat info;
    FILE *locks = fopen("/proc/locks", "r");
    bool held = false;
    if (locks && !stat(folder, &info)) {
        char line[256], kind[16];
        unsigned long long inode;
        while (!held && fgets(line, sizeof line, locks))
            held = sscanf(line, "%*s %15s %*s WRITE %*s %*[^:]:%*[^:]:%llu", kind, &inode) == 2 &&
                   !strcmp(kind, "FLOCK") && inode == info.st_ino;
    }
    if (locks) fclose(locks);
    return held;
}

int scr_data_take(const char *folder, const char *path, scree_report *report)
{
    // flushed, so that no index can ever stand without its folder
    if ((mkdir(folder, 0777) && errno != EEXIST) || scr_flush_name(folder)) {
        scr_fail(report, SCREE_E_IO, (scree_place){.file = folder}, "cannot be made: %s", strerror(errno));
        rmdir(folder);
        return -1;
    }
    int lock = scr_data_lock(folder, path, report);
    if (lock < 0) return lock;
    if (!is_empty(folder) && !has_mark(folder, SCR_DATA_UNPUBLISHED)) {
        close(lock);
        return -2;
    }
    // no index leads here: what a crashed run left is of no use
    scr_data_sweep(folder, NULL, NULL, NULL);
    if (scr_data_mark(folder, SCR_DATA_UNPUBLISHED)) return lock;
    scr_fail(report, SCREE_E_IO, (scree_place){.file = folder}, "cannot be written: %s", strerror(errno));
    rmdir(folder);
    close(lock);
    return -1;
}

static bool is_left_over(const char *folder, const char *replaced)
{
    return has_mark(folder, SCR_DATA_UNPUBLISHED) || has_mark(folder, replaced) || is_empty(folder);
}

// a folder that another run holds is that run's business
static void left_over_remove(const char *folder, const char *path, const char *replaced)
{
    scree_report unheard;
    scree_report_init(&unheard);
    int lock = scr_data_lock(folder, path, &unheard);
    if (lock >= 0 && is_left_over(folder, replaced)) scr_data_remove(folder);
    if (lock >= 0) close(lock);
    scree_report_deinit(&unheard);
}

void scr_data_tidy(const char *path, const char *folder, const scr_run_id *run)
{
    char *name, replaced[64];
    struct stat info;
    scr_data_replaced(replaced, run);
    // numbers are given from the first free one on
    for (int number = 1, gap = 0; gap < GAPS && (name = scr_data_folder(path, number)); number++) {
        gap = lstat(name, &info) ? gap + 1 : 0;
        if (!(folder && !strcmp(name, folder)) && is_left_over(name, replaced)) left_over_remove(name, path, replaced);
        free(name);
    }
}
