/* JSON to a stream, just as much as is needed. */
#ifndef SCREE_BASE_JSON_H
#define SCREE_BASE_JSON_H

#include <math.h>
#include <stdio.h>

#include "base/number.h"

/* A quoted string; bytes that are no UTF-8 text go through as they are, control characters are escaped. */
static inline void scr_json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 32)
            fprintf(out, "\\u%04x", *c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

/* What is not finite becomes null. */
static inline void scr_json_number(FILE *out, double value)
{
    if (isfinite(value))
        scr_number_write(out, value);
    else
        fputs("null", out);
}

static inline void scr_json_numbers(FILE *out, const double *values, int count)
{
    fputc('[', out);
    for (int k = 0; k < count; k++) {
        if (k) fputc(',', out);
        scr_json_number(out, values[k]);
    }
    fputc(']', out);
}

/* A member of an object with what stands before it: "{" for the first, "," for others, "" where that is written. */
static inline void scr_json_key(FILE *out, const char *before, const char *name)
{
    fputs(before, out);
    scr_json_text(out, name);
    fputc(':', out);
}

static inline void scr_json_key_text(FILE *out, const char *before, const char *name, const char *text)
{
    scr_json_key(out, before, name);
    scr_json_text(out, text);
}

static inline void scr_json_key_number(FILE *out, const char *before, const char *name, double value)
{
    scr_json_key(out, before, name);
    scr_json_number(out, value);
}

#endif
