/* What we need of the operating system: time, memory use, safe replacement of files, signals. */
#ifndef SCREE_BASE_OS_H
#define SCREE_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

double scr_seconds(void);                         /* monotonic clock [s] */
double scr_processor_seconds(void);               /* of all processors, for this process [s] */
size_t scr_peak_memory(void);                     /* peak resident set [bytes] */
void scr_processor_name(char *name, size_t size); /* as its maker calls it */
uint64_t scr_free_space(const char *path);        /* bytes free to us on the file system of `path` */

/* Whole file as text, zero-terminated; NULL with a message when it cannot be read or is larger than
 * `limit` bytes. The caller frees it with free(). */
char *scr_file_read(const char *path, size_t limit, size_t *size, scree_report *report);
/* What to do about a file that is not text, for the end of a message: spreadsheets on Windows save
 * "Unicode text" as UTF-16. Empty when there is nothing to say. */
const char *scr_text_hint(const char *text);

/* open (with O_CLOEXEC; new files have mode 0666) and fsync, called again where a signal interrupts them. */
int scr_open(const char *path, int flags);
int scr_flush(int fd);
/* Flushes the names in the folder of `path`: what was made, renamed or removed there is so after a power cut. 0, or -1
 * with errno; 0 too where the file system cannot do it. */
int scr_flush_name(const char *path);

/* Makes a finished file durable under its final name: flushes `temporary` to disk, renames it over
 * `path` (atomic), flushes the folder. After a crash at any moment `path` is the old file or the
 * new one. With an error the old one stands. */
scree_status scr_file_replace(const char *temporary, const char *path, scree_report *report);

/* SIGINT and SIGTERM set a flag instead of ending the program (a second SIGINT, a fifth of a second
 * later or more, ends it at once); SIGXFSZ and SIGPIPE are ignored, so that a write beyond a limit
 * fails with an error code. */
void scr_signals_catch(void);
/* Back to what was before the last scr_signals_catch. */
void scr_signals_release(void);
/* 0, or the number of the signal that asked us to stop. */
int scr_signal_pending(void);

#endif
