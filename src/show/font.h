/* Text in pictures: an own stroke font, drawn with round pens and smooth edges at any size.
 *
 * Printable ASCII, and from the rest of Unicode what units need: degree, middle dot, times, minus,
 * micro, raised digits and raised minus. Text is UTF-8; anything else shows as a small box. */
#ifndef SCREE_SHOW_FONT_H
#define SCREE_SHOW_FONT_H

#include <stddef.h>
#include <stdint.h>

/* An 8-bit picture, three bytes (sRGB) per pixel, rows from the top. */
typedef struct {
    int width, height;
    uint8_t *rgb;
} scr_canvas;

typedef struct {
    double size;   /* height of a capital letter [pixels] */
    double weight; /* pen width as a fraction of the size; 0.11 is regular, 0.15 is bold */
    uint8_t rgb[3];
} scr_font;

/* Width of one line of text [pixels]. */
double scr_text_width(const scr_font *font, const char *text);

/* Draws one line with its left end and baseline at (x, y), y counted downward. Parts outside of the
 * canvas are cut off. */
void scr_text_draw(scr_canvas *canvas, const scr_font *font, double x, double y, const char *text);

/* A straight stroke with round ends. */
void scr_canvas_line(scr_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                     const uint8_t rgb[3]);

/* The shape of a character as strokes, for font.c: see font_glyphs.c. */
typedef struct {
    double width;       /* without the gap to the next letter, capital letters being 14 high */
    const char *stroke; /* pen movements */
} scr_glyph;

const scr_glyph *scr_glyph_of(uint32_t code);

#endif
