/* Text inside HTML and SVG. */
#ifndef SCREE_SHOW_MARKUP_H
#define SCREE_SHOW_MARKUP_H

#include <stdio.h>

static inline void scr_markup_write(FILE *out, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            // of what cannot be shown only the breaks of lines
            if ((unsigned char)*text >= 32 || *text == '\n' || *text == '\t') fputc(*text, out);
        }
}

#endif
