#include "scene/text_part.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/os.h"

/* ---- what all ranks have ---- */

int64_t scr_ranks_sum(const scr_grains_ranks *ranks, int64_t own, int64_t *before)
{
    int64_t *all = NULL, sum = 0;
    ranks->need(scr_reserve(&all, (size_t)ranks->size));
    ranks->gather(ranks->context, &own, sizeof own, all);
    for (int r = 0; r < ranks->size; r++) {
        if (before && r == ranks->rank) *before = sum;
        sum += all[r];
    }
    scr_buffer_free(all);
    return sum;
}

bool scr_ranks_any(const scr_grains_ranks *ranks, bool own)
{
    return scr_ranks_sum(ranks, own, NULL) > 0;
}

/* ---- bytes ---- */

static bool cannot(const scr_text_part *p)
{
    scr_fail(p->g->report, SCREE_E_INPUT, (scree_place){.file = p->path}, "cannot be read: %s", strerror(errno));
    return false;
}

bool scr_text_part_open(scr_text_part *p, const scr_generator *g, const char *path)
{
    struct stat info;
    *p = (scr_text_part){.g = g, .path = path, .fd = scr_open(path, O_RDONLY)};
    if (p->fd < 0 || fstat(p->fd, &info)) return cannot(p);
    p->size = (uint64_t)info.st_size;
    if (S_ISREG(info.st_mode)) return true;
    scr_fail(g->report, SCREE_E_INPUT, (scree_place){.file = path}, "is not a regular file");
    return false;
}

void scr_text_part_close(scr_text_part *p)
{
    if (p->fd >= 0) close(p->fd);
    scr_buffer_free(p->text);
    *p = (scr_text_part){.fd = -1};
}

// bytes of the file; how many there are, -1: they cannot be read
static int64_t read_at(const scr_text_part *p, uint64_t from, size_t count, char *to)
{
    size_t got = 0;
    while (got < count) {
        ssize_t n = pread(p->fd, to + got, count - got, (off_t)(from + got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        got += (size_t)n;
    }
    return (int64_t)got;
}

size_t scr_text_part_head(scr_text_part *p, size_t most, char **text)
{
    size_t count = p->size < most ? (size_t)p->size : most;
    p->g->grains->ranks->need(scr_reserve(text, count + 1));
    int64_t got = read_at(p, 0, count, *text);
    if (got < 0) got = 0;
    while (got > 0 && (uint64_t)got < p->size && (*text)[got - 1] != '\n') got--;
    (*text)[got] = 0;
    return (size_t)got;
}

// the byte after the end of the line that holds byte `at`; the end of the file: there is none. False: cannot be read
static bool line_end(const scr_text_part *p, uint64_t at, uint64_t *end)
{
    char chunk[4096];
    for (*end = at; *end < p->size;) {
        int64_t got = read_at(p, *end, sizeof chunk, chunk);
        if (got <= 0) return got == 0;
        const char *found = memchr(chunk, '\n', (size_t)got);
        if (found) return *end += (uint64_t)(found - chunk) + 1, true;
        *end += (uint64_t)got;
    }
    return true;
}

// the first line that begins at this byte or after it: after the end of the one that holds the byte before
static bool line_start(const scr_text_part *p, uint64_t from, uint64_t at, uint64_t *start)
{
    if (at > from) return line_end(p, at - 1, start);
    *start = from;
    return true;
}

static bool read_run(scr_text_part *p, uint64_t from)
{
    const scr_grains_ranks *ranks = p->g->grains->ranks;
    uint64_t rest = p->size > from ? p->size - from : 0, size = (uint64_t)ranks->size, rank = (uint64_t)ranks->rank;
    uint64_t begin = from + rest / size * rank, end = rank + 1 < size ? from + rest / size * (rank + 1) : p->size;
    if (!line_start(p, from, begin, &begin) || (rank + 1 < size && !line_start(p, from, end, &end))) return cannot(p);
    if (end < begin) end = begin;
    p->first = begin, p->length = (size_t)(end - begin);
    ranks->need(scr_reserve(&p->text, p->length + 1));
    int64_t got = read_at(p, begin, p->length, p->text);
    if (got < 0) return cannot(p);
    p->length = (size_t)got;
    p->text[got] = 0;
    return true;
}

static int64_t count_lines(const scr_text_part *p)
{
    int64_t count = 0;
    const char *at = p->text, *end = at + p->length;
    for (const char *next; at < end && (next = memchr(at, '\n', (size_t)(end - at))); at = next + 1) count++;
    return count;
}

bool scr_text_part_read(scr_text_part *p, uint64_t from, int line, scr_file_errors *errors)
{
    const scr_grains_ranks *ranks = p->g->grains->ranks;
    bool good = read_run(p, from);
    if (good && strlen(p->text) != p->length)
        good = scr_file_error(errors, 0, 0, "byte %llu is zero, it must be text%s",
                              (unsigned long long)(p->first + strlen(p->text) + 1), scr_text_hint(p->text));
    int64_t before = 0;
    scr_ranks_sum(ranks, good ? count_lines(p) : 0, &before);
    p->line = line + (int)before;
    return !scr_ranks_any(ranks, !good);
}
