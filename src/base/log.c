#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

static bool quiet_now, keeping;
static char kept[SCR_LOG_KEPT];
static size_t kept_length;

void scr_log_quiet(bool quiet)
{
    quiet_now = quiet;
}

bool scr_log_is_quiet(void)
{
    return quiet_now;
}

void scr_log_keep(void)
{
    keeping = true;
    kept[kept_length = 0] = '\0';
}

const char *scr_log_kept(void)
{
    return kept;
}

// whole lines only
static void keep(const char *line)
{
    if (!keeping) return;
    size_t room = sizeof kept - kept_length;
    int length = snprintf(kept + kept_length, room, "%s\n", line);
    if (length >= 0 && (size_t)length < room) kept_length += (size_t)length;
    kept[kept_length] = '\0';
}

// names in a line may be those of a scene or of results that others made
static char *line_of(const char *format, va_list args)
{
    char *line = NULL;
    return vasprintf(&line, format, args) < 0 ? NULL : scr_text_tame(line, "\n\t");
}

void scr_log_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = line_of(format, args);
    va_end(args);
    if (line) keep(line);
    free(line);
}

void scr_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = line_of(format, args);
    va_end(args);
    if (line) keep(line);
    if (line && !quiet_now) fprintf(stderr, "%s\n", line);
    free(line);
}

void scr_time_text(double seconds, char *text, size_t size)
{
    int s = seconds < 0 ? 0 : seconds > 9e8 ? 900000000 : (int)seconds;
    if (s >= 3600)
        snprintf(text, size, "%d h %02d min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(text, size, "%d min %02d s", s / 60, s % 60);
    else
        snprintf(text, size, "%d s", s);
}
