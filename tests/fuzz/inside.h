/* What the targets of libFuzzer share (tools/fuzz-inside runs them).
 *
 * A target is one function that feeds bytes to one reader. It finds what crashes, what a sanitizer reports and what
 * leaks; CHECK_INSIDE is for what else must hold. */
#ifndef SCREE_TESTS_FUZZ_INSIDE_H
#define SCREE_TESTS_FUZZ_INSIDE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK_INSIDE(condition)                                                            \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

/* The bytes and a zero behind them, in memory of exactly that size: a reader that goes on is caught. */
static inline char *inside_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    CHECK_INSIDE(text);
    if (size) memcpy(text, data, size);
    text[size] = 0;
    return text;
}

/* A file that holds the bytes, for readers that take a path; the same file each time, without a disk. */
static inline const char *inside_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        CHECK_INSIDE(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    CHECK_INSIDE(!ftruncate(file, 0) && pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}

/* A call that failed has said why; one that did not has not. */
static inline void inside_judge(int failed, const scree_report *report)
{
    CHECK_INSIDE(failed ? report->errors > 0 : !report->errors);
}

#endif
