/* What a run says of itself on stderr: what it chose and why, warnings, progress lines. Each thread that runs a
 * simulation speaks, is quiet and keeps its lines for itself. */
#ifndef SCREE_BASE_LOG_H
#define SCREE_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Quiet silences everything but errors, in this thread. */
void scr_log_quiet(bool quiet);
bool scr_log_is_quiet(void);

/* One line, newline added. */
void scr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Lines that are kept, whole ones, as long as there is room. */
typedef struct {
    char text[65536];
    size_t length;
} scr_log_lines;
/* From now on lines that this thread says are kept as well, quiet or not, in memory of the caller; NULL: no more. */
void scr_log_keep(scr_log_lines *lines);
/* Keeps a line that is not said here. */
void scr_log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A span of time as people say it: 4 s, 2 min 05 s, 1 h 10 min. */
void scr_time_text(double seconds, char *text, size_t size);

#endif
