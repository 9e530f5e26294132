/* Text and bytes inside HTML and SVG. */
#ifndef SCREE_SHOW_MARKUP_H
#define SCREE_SHOW_MARKUP_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Any bytes as letters (RFC 4648); page.c. */
void scr_base64_write(FILE *out, const unsigned char *data, size_t size);

/* A word of a command as a shell takes it: as it is where it may be. */
static inline void scr_shell_write(FILE *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./%+-=:,@";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) *word == '\'' ? fputs("'\\''", out) : fputc(*word, out);
    fputc('\'', out);
}

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
