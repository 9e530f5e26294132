#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static bool quiet_now;

void scr_log_quiet(bool quiet)
{
    quiet_now = quiet;
}

bool scr_log_is_quiet(void)
{
    return quiet_now;
}

void scr_say(const char *format, ...)
{
    if (quiet_now) return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}
