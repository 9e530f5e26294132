#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

double scr_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double scr_processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void scr_processor_name(char *name, size_t size)
{
    snprintf(name, size, "an unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(name, size, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (file) fclose(file);
}

size_t scr_peak_memory(void)
{
    struct rusage use;
    if (getrusage(RUSAGE_SELF, &use)) return 0;
    return (size_t)use.ru_maxrss * 1024;
}

uint64_t scr_free_space(const char *path)
{
    struct statvfs fs;
    if (statvfs(path, &fs)) return UINT64_MAX;
    return (uint64_t)fs.f_bavail * (uint64_t)fs.f_frsize;
}

const char *scr_text_hint(const char *text)
{
    bool wide = !strncmp(text, "\xff\xfe", 2) || !strncmp(text, "\xfe\xff", 2);
    return wide ? "; it begins as UTF-16 does: save it as UTF-8" : "";
}

char *scr_file_read(const char *path, size_t limit, size_t *size, scree_report *report)
{
    scree_place at = {.file = path};
    struct stat info;
    FILE *in = fopen(path, "rb");
    if (!in || fstat(fileno(in), &info)) {
        scr_fail(report, SCREE_E_INPUT, at, "cannot be read: %s", strerror(errno));
        if (in) fclose(in);
        return NULL;
    }
    char *text = NULL;
    if (!S_ISREG(info.st_mode))
        scr_fail(report, SCREE_E_INPUT, at, "is not a regular file");
    else if ((uint64_t)info.st_size > limit)
        scr_fail(report, SCREE_E_INPUT, at, "is %lld bytes long, at most %zu are read", (long long)info.st_size, limit);
    else if (!(text = malloc((size_t)info.st_size + 1)))
        scr_no_memory_in(report, at.file, "%lld bytes", (long long)info.st_size);
    if (text) {
        size_t got = fread(text, 1, (size_t)info.st_size, in);
        text[got] = 0;
        if (size) *size = got;
    }
    fclose(in);
    return text;
}

int scr_open(const char *path, int flags)
{
    int fd;
    do fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int scr_flush(int fd)
{
    int bad;
    do bad = fsync(fd);
    while (bad && errno == EINTR);
    return bad;
}

// opens a file or folder, flushes it, closes it
static int flush_at(const char *path, int flags)
{
    int fd = scr_open(path, flags);
    if (fd < 0) return -1;
    int bad = scr_flush(fd), why = errno;
    close(fd);
    errno = why;
    return bad;
}

// file systems that cannot flush a folder say so thus; a rename is still atomic there
static bool is_no_way(int why)
{
    return why == EINVAL || why == EBADF || why == ENOTSUP || why == ENOSYS || why == EACCES;
}

int scr_flush_name(const char *path)
{
    char *copy = strdup(path);
    if (!copy) return -1;
    int bad = flush_at(dirname(copy), O_RDONLY | O_DIRECTORY), why = errno;
    free(copy);
    errno = why;
    return bad && !is_no_way(why) ? -1 : 0;
}

scree_status scr_file_replace(const char *temporary, const char *path, scree_report *report)
{
    scree_place at = {.file = path};
    if (flush_at(temporary, O_RDWR)) return scr_fail(report, SCREE_E_IO, at, "cannot be written: %s", strerror(errno));
    if (rename(temporary, path)) return scr_fail(report, SCREE_E_IO, at, "cannot be replaced: %s", strerror(errno));
    // the new file stands, whatever happens now
    if (scr_flush_name(path))
        scr_warn(report, at, "is written, but its name may be lost if the power fails: %s", strerror(errno));
    return SCREE_OK;
}

static volatile sig_atomic_t pending;
static volatile double pending_since;

static void on_signal(int number)
{
    // some tools send one signal twice at once; a person's second Ctrl-C comes later
    double now = scr_seconds();
    if (pending && number == SIGINT && now - pending_since > 0.2) _exit(130);
    if (!pending) pending_since = now;
    pending = number;
}

static const int caught[] = {SIGINT, SIGTERM, SIGXFSZ, SIGPIPE};
static struct sigaction before[sizeof caught / sizeof *caught];

void scr_signals_catch(void)
{
    pending = 0;
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++) {
        bool stops = caught[k] == SIGINT || caught[k] == SIGTERM;
        struct sigaction action = {.sa_handler = stops ? on_signal : SIG_IGN};
        sigemptyset(&action.sa_mask);
        sigaction(caught[k], &action, &before[k]);
    }
}

void scr_signals_release(void)
{
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++) sigaction(caught[k], &before[k], NULL);
}

int scr_signal_pending(void)
{
    return pending;
}
