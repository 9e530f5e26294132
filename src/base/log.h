/* What a run says of itself on stderr: what it chose and why, warnings, progress lines. */
#ifndef SCREE_BASE_LOG_H
#define SCREE_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Quiet silences everything but errors. Set once at start, before threads. */
void scr_log_quiet(bool quiet);
bool scr_log_is_quiet(void);

/* One line, newline added. */
void scr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on lines that are said are kept as well, quiet or not, the first SCR_LOG_KEPT bytes of them; what was kept
 * before is forgotten. */
#define SCR_LOG_KEPT 65536
void scr_log_keep(void);
const char *scr_log_kept(void);
/* Keeps a line that is not said here. */
void scr_log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A span of time as people say it: 4 s, 2 min 05 s, 1 h 10 min. */
void scr_time_text(double seconds, char *text, size_t size);

#endif
