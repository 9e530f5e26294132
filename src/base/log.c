#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

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
static void note(const char *format, va_list args)
{
    if (!keeping) return;
    size_t room = sizeof kept - kept_length;
    int length = vsnprintf(kept + kept_length, room, format, args);
    if (length >= 0 && (size_t)length + 1 < room) {
        kept_length += (size_t)length;
        kept[kept_length++] = '\n';
    }
    kept[kept_length] = '\0';
}

void scr_log_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(format, args);
    va_end(args);
}

void scr_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(format, args);
    va_end(args);
    if (quiet_now) return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
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
