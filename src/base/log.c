#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "scree/log.h"

static _Thread_local struct {
    bool quiet;
    scr_log_lines *lines; // NULL: they are not kept
} here;

void scree_quiet(bool quiet)
{
    scr_log_quiet(quiet);
}

void scr_log_quiet(bool quiet)
{
    here.quiet = quiet;
}

bool scr_log_is_quiet(void)
{
    return here.quiet;
}

void scr_log_keep(scr_log_lines *lines)
{
    here.lines = lines;
}

// whole lines only
static void keep(const char *line)
{
    scr_log_lines *k = here.lines;
    if (!k) return;
    size_t room = sizeof k->text - k->length;
    int length = snprintf(k->text + k->length, room, "%s\n", line);
    if (length >= 0 && (size_t)length < room) k->length += (size_t)length;
    k->text[k->length] = '\0';
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
    if (line && !here.quiet) fprintf(stderr, "%s\n", line);
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
