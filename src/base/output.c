#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/os.h"

#define HEAD ((size_t)1 << 16)

bool scr_bytes_begin(const char *bytes, size_t size, const char *text)
{
    size_t length = strlen(text);
    return size >= length && !memcmp(bytes, text, length);
}

bool scr_bytes_hold(const char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

/* ---- what is never replaced ---- */

static bool has_prefix(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && !strcmp(text + length - end, ending);
}

// the first key of scenes and cases is `scree`, behind comments; it may be in quotes or braces
static bool begins_as_scene(const char *text)
{
    if (has_prefix(text, "\xef\xbb\xbf")) text += 3;
    for (;;) {
        text += strspn(text, " \t\r\n{\"'");
        if (*text != '#' && *text != '%' && !has_prefix(text, "---")) break;
        text += strcspn(text, "\n");
    }
    if (!has_prefix(text, "scree")) return false;
    text += 5;
    return text[strspn(text, " \t\"'")] == ':';
}

// marks of data folders (observe/results_files.h) are empty files
static bool is_mark(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return !strcmp(name, "unpublished") || has_prefix(name, "replaced-by-");
}

// what we seal (base/h5.h) and the journals of sweeps begin alike
static const char *treasure(const char *path, const char *head)
{
    if (ends_with(path, ".yaml") || ends_with(path, ".yml") || begins_as_scene(head)) return "a scene";
    if (has_prefix(head, "scree results\n")) return "results of a run";
    if (has_prefix(head, "scree ") || (!*head && is_mark(path))) return "part of results";
    return NULL;
}

static const char *word_of(mode_t mode)
{
    return S_ISDIR(mode)                    ? "a folder"
           : S_ISLNK(mode)                  ? "a symbolic link"
           : S_ISFIFO(mode)                 ? "a named pipe"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
                                            : "not a regular file";
}

/* ---- the rule ---- */

static scree_status refuse_treasure(scree_place at, const char *what, scree_report *report)
{
    return scr_fail(report, SCREE_E_INPUT, at,
                    "is %s and is not overwritten, not even with --force: choose another output", what);
}

static scree_status judge(const char *path, const scr_output_kind *kind, bool force, const char *head, size_t size,
                          scree_report *report)
{
    scree_place at = {.file = path};
    if (kind->is && kind->is(head, size)) return SCREE_OK;
    const char *what = treasure(path, head);
    if (what) return refuse_treasure(at, what, report);
    if (force) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, at,
                    "exists%s%s: it is not overwritten; choose another output, or replace it with "
                    "--force",
                    kind->what ? " and is not " : "", kind->what ? kind->what : "");
}

scree_status scr_output_check(const char *path, const scr_output_kind *kind, bool force, scree_report *report)
{
    scree_place at = {.file = path};
    struct stat info;
    if (!*path) return scr_fail(report, SCREE_E_INPUT, at, "an output needs a name");
    if (lstat(path, &info)) return SCREE_OK;
    if (!S_ISREG(info.st_mode))
        return scr_fail(report, SCREE_E_INPUT, at,
                        "is %s and is not overwritten: outputs are regular files; choose another "
                        "output",
                        word_of(info.st_mode));
    size_t reach = kind->reach ? kind->reach : HEAD, size = 0;
    char *head = malloc(reach + 1);
    int fd = head ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    for (ssize_t n = 1; fd >= 0 && n > 0 && size<reach; size += n> 0 ? (size_t)n : 0)
        n = read(fd, head + size, reach - size);
    scree_status status;
    if (fd < 0) {
        status = scr_fail(report, SCREE_E_INPUT, at, "exists and cannot be read (%s), so it is not overwritten",
                          head ? strerror(errno) : "no memory");
    } else {
        head[size] = 0;
        close(fd);
        status = judge(path, kind, force, head, size, report);
    }
    free(head);
    return status;
}

scree_status scr_output_folder(const char *path, scree_report *report)
{
    scree_place at = {.file = path};
    struct stat info;
    if (!mkdir(path, 0777)) return SCREE_OK;
    int why = errno;
    if (why != EEXIST) return scr_fail(report, SCREE_E_INPUT, at, "cannot be made: %s", strerror(why));
    if (!stat(path, &info) && S_ISDIR(info.st_mode)) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, at,
                    "exists and is not a folder: it is not overwritten; choose another output");
}

/* ---- writing ---- */

// a regular file of that name that is not locked was left by a crash
static int part_open(const char *temporary)
{
    struct stat info, named;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (fd < 0) return -1;
    bool regular = !fstat(fd, &info) && S_ISREG(info.st_mode);
    // another program writes it, or has given it its name meanwhile
    bool ours = regular && !flock(fd, LOCK_EX | LOCK_NB) && !lstat(temporary, &named) && named.st_ino == info.st_ino &&
                named.st_dev == info.st_dev;
    if (ours) return fd;
    close(fd);
    errno = regular ? EBUSY : EEXIST;
    return -1;
}

scree_status scr_output_try(const char *path, scree_report *report)
{
    scree_place at = {.file = path};
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.part", path) < 0) return scr_no_memory_in(report, at.file, "the file name");
    int fd = part_open(temporary), why = errno;
    if (fd >= 0) close(fd), unlink(temporary);
    free(temporary);
    return fd >= 0 ? SCREE_OK : scr_fail(report, SCREE_E_INPUT, at, "cannot be written: %s", strerror(why));
}

scree_status scr_output_open(scr_output *o, const char *path, const scr_output_kind *kind, bool force,
                             scree_report *report)
{
    scree_place at = {.file = path};
    *o = (scr_output){0};
    scree_status status = scr_output_check(path, kind, force, report);
    if (status) return status;
    o->path = strdup(path);
    if (asprintf(&o->temporary, "%s.part", path) < 0) o->temporary = NULL;
    int fd = o->path && o->temporary ? part_open(o->temporary) : -1;
    if (fd >= 0 && !ftruncate(fd, 0)) o->out = fdopen(fd, "wb");
    if (o->out) return SCREE_OK;
    status = scr_fail(report, SCREE_E_IO, at, "cannot be written: %s", o->temporary ? strerror(errno) : "no memory");
    if (fd >= 0) close(fd), unlink(o->temporary);
    free(o->path), free(o->temporary);
    return status;
}

scree_status scr_output_close(scr_output *o, scree_status status, scree_report *report)
{
    errno = 0;
    bool bad = fflush(o->out) || ferror(o->out);
    int why = errno ? errno : EIO;
    if (fclose(o->out) && !bad) bad = true, why = errno;
    if (!status && bad)
        status = scr_fail(report, SCREE_E_IO, (scree_place){.file = o->path}, "cannot be written: %s", strerror(why));
    if (!status) status = scr_file_replace(o->temporary, o->path, report);
    if (status) unlink(o->temporary);
    free(o->path), free(o->temporary);
    return status;
}

scree_status scr_output_write(const char *path, const scr_output_kind *kind, bool force, const void *data, size_t size,
                              scree_report *report)
{
    scr_output o;
    scree_status status = scr_output_open(&o, path, kind, force, report);
    if (status) return status;
    fwrite(data, 1, size, o.out);
    return scr_output_close(&o, SCREE_OK, report);
}
