/* Stands between the program and the file system (LD_PRELOAD) and counts the calls that change files under one
 * folder. At one of them it does what a test asks for; it can also write all of them down, so that the states that
 * a power cut may leave can be made from the record (replay.py).
 *
 *   SHIM_ROOT  the folder, as realpath has it
 *   SHIM_LOG   file for the record: a line NAME PATH A B per call, split by tabs, then B bytes of data if NAME is
 *              `write`; A is the offset (write), the length (truncate), or the new path (rename)
 *   SHIM_AT    number of the call, from 1
 *   SHIM_DO    what happens at it:
 *              kill        the process is killed before the call
 *              torn        half of a write is done, then the process is killed
 *              signal N    the process gets signal N, then the call is done
 *              fail E      the call fails with errno E
 *              full E      it and all later calls that need room fail with E
 *   SHIM_ALL   for all calls: `short`, writes do half of what they are asked; `interrupted`, calls that may fail with
 *              EINTR do so every other time
 *
 * These are the calls that src/base and src/observe use; whoever adds another there is told by the replay, whose last
 * state then is not the folder. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// what kind of call it is
enum { NEEDS_ROOM = 1, MAY_INTERRUPT = 2, IS_WRITE = 4 };

static const char *root, *what, *all;
static long at, count;
static int number; // signal or errno
static int record = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("SHIM_LOG"), *place = getenv("SHIM_AT");
    root = getenv("SHIM_ROOT");
    all = getenv("SHIM_ALL");
    what = getenv("SHIM_DO");
    if (!what) what = "";
    if (!all) all = "";
    if (place) at = atol(place);
    const char *space = strchr(what, ' ');
    if (space) number = atoi(space + 1);
    if (log) record = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static int is_inside(const char *path)
{
    size_t length = root ? strlen(root) : 0;
    return length && !strncmp(path, root, length) && (path[length] == '/' || !path[length]);
}

// the absolute path; the last part may not exist
static int resolve(int folder, const char *path, char *full)
{
    char link[64], base[PATH_MAX];
    if (path[0] == '/') {
        snprintf(full, PATH_MAX, "%s", path);
        return is_inside(full);
    }
    if (folder == AT_FDCWD)
        snprintf(link, sizeof link, "/proc/self/cwd");
    else
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    if (snprintf(full, PATH_MAX, "%s%s%s", base, *path ? "/" : "", path) >= PATH_MAX) return 0;
    return is_inside(full);
}

static void put(const void *data, size_t size)
{
    for (const char *p = data; size > 0;) {
        ssize_t done = syscall(SYS_write, record, p, size);
        if (done <= 0) _exit(99);
        p += done, size -= (size_t)done;
    }
}

static void note(const char *name, const char *path, const char *a, size_t size, const void *data)
{
    char line[3 * PATH_MAX];
    if (record < 0) return;
    put(line, (size_t)snprintf(line, sizeof line, "%s\t%s\t%s\t%zu\n", name, path, a, size));
    if (data) put(data, size);
}

static void note_number(const char *name, const char *path, long long a, size_t size, const void *data)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", a);
    note(name, path, text, size, data);
}

static int starts(const char *word)
{
    return !strncmp(what, word, strlen(word));
}

/* Whether this call fails: then errno is set. May not return. */
static int strikes(int kind)
{
    static int turn;
    count++;
    if (at && count >= at && starts("full") && (kind & NEEDS_ROOM)) {
        errno = number;
        return 1;
    }
    if (count == at) {
        if (starts("kill") || (starts("torn") && !(kind & IS_WRITE))) kill(getpid(), SIGKILL);
        if (starts("signal")) kill(getpid(), number);
        if (starts("fail")) {
            errno = number;
            return 1;
        }
    }
    if (!strcmp(all, "interrupted") && (kind & MAY_INTERRUPT) && turn++ % 2 == 0) {
        errno = EINTR;
        return 1;
    }
    return 0;
}

/* ---- calls with a path ---- */

int open(const char *path, int flags, ...)
{
    char full[PATH_MAX];
    struct stat info;
    va_list rest;
    va_start(rest, flags);
    unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    int inside = (flags & (O_CREAT | O_TRUNC)) && resolve(AT_FDCWD, path, full);
    if (inside && strikes(NEEDS_ROOM | MAY_INTERRUPT)) return -1;
    int is_new = inside && lstat(full, &info);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (inside && fd >= 0 && (is_new || (flags & O_TRUNC))) note(is_new ? "create" : "truncate", full, "0", 0, NULL);
    return fd;
}

int mkdir(const char *path, mode_t mode)
{
    char full[PATH_MAX];
    int inside = resolve(AT_FDCWD, path, full);
    if (inside && strikes(NEEDS_ROOM)) return -1;
    int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (inside && !result) note("mkdir", full, "", 0, NULL);
    return result;
}

int unlinkat(int folder, const char *path, int flags)
{
    char full[PATH_MAX];
    int inside = resolve(folder, path, full);
    if (inside && strikes(0)) return -1;
    int result = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (inside && !result) note("unlink", full, "", 0, NULL);
    return result;
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int rename(const char *from, const char *to)
{
    char a[PATH_MAX], b[PATH_MAX];
    int inside = resolve(AT_FDCWD, from, a) & resolve(AT_FDCWD, to, b);
    if (inside && strikes(NEEDS_ROOM)) return -1;
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (inside && !result) note("rename", a, b, 0, NULL);
    return result;
}

/* ---- calls with a file ---- */

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    char full[PATH_MAX];
    int inside = resolve(fd, "", full);
    if (inside && strikes(NEEDS_ROOM | MAY_INTERRUPT | IS_WRITE)) return -1;
    int torn = inside && count == at && starts("torn");
    if ((torn || (inside && !strcmp(all, "short"))) && size > 1) size /= 2;
    ssize_t done = syscall(SYS_pwrite64, fd, data, size, offset);
    if (torn) kill(getpid(), SIGKILL);
    if (inside && done > 0) note_number("write", full, (long long)offset, (size_t)done, data);
    return done;
}

int ftruncate(int fd, off_t length)
{
    char full[PATH_MAX];
    int inside = resolve(fd, "", full);
    if (inside && strikes(NEEDS_ROOM | MAY_INTERRUPT)) return -1;
    int result = (int)syscall(SYS_ftruncate, fd, length);
    if (inside && !result) note_number("truncate", full, (long long)length, 0, NULL);
    return result;
}

int fsync(int fd)
{
    char full[PATH_MAX];
    int inside = resolve(fd, "", full);
    if (inside && strikes(NEEDS_ROOM | MAY_INTERRUPT)) return -1;
    int result = (int)syscall(SYS_fsync, fd);
    if (inside && !result) note("sync", full, "", 0, NULL);
    return result;
}
