/* What a run says of itself on stderr: what it chose and why, warnings, progress lines. */
#ifndef SCREE_BASE_LOG_H
#define SCREE_BASE_LOG_H

#include <stdbool.h>

/* Quiet silences everything but errors. Set once at start, before threads. */
void scr_log_quiet(bool quiet);
bool scr_log_is_quiet(void);

/* One line, newline added. */
void scr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
