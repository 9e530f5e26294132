/* JSON to a stream, just as much as the viewer needs. */
#ifndef SCREE_VIEW_JSON_H
#define SCREE_VIEW_JSON_H

#include <math.h>
#include <stdio.h>

/* A quoted string; bytes that are no UTF-8 text go through as they are, control characters are escaped. */
static inline void json_text(FILE *out, const char *text)
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
static inline void json_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

static inline void json_numbers(FILE *out, const double *values, int count)
{
    fputc('[', out);
    for (int k = 0; k < count; k++) {
        if (k) fputc(',', out);
        json_number(out, values[k]);
    }
    fputc(']', out);
}

#endif
