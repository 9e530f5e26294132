/* What a plot is drawn with: strokes, dots, boxes and texts on a sheet of given size, y downward.
 * Two kinds of pen: SVG text, and pixels. */
#ifndef SCREE_SHOW_PLOT_PEN_H
#define SCREE_SHOW_PLOT_PEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"

typedef struct {
    double x, y;
} scr_spot;

typedef struct scr_pen scr_pen;

typedef struct {
    /* A line through the points; round joints. */
    void (*stroke)(scr_pen *pen, const scr_spot *points, size_t count, double width, uint32_t rgb);
    void (*dot)(scr_pen *pen, scr_spot at, double radius, uint32_t rgb);
    void (*box)(scr_pen *pen, scr_spot low, scr_spot high, uint32_t rgb);
    /* A polygon; its border may be of any form. */
    void (*fill)(scr_pen *pen, const scr_spot *points, size_t count, uint32_t rgb);
    /* `size` is the height of a capital; anchor 0: begins at x, 0.5: centred, 1: ends there. */
    void (*text)(scr_pen *pen, scr_spot at, double size, double anchor, bool bold, uint32_t rgb, const char *text);
    /* Writes the file as base/output.h says (path NULL: nothing) and frees the pen. */
    scree_status (*close)(scr_pen *pen, const char *path, bool force, scree_report *report);
} scr_pen_kind;

struct scr_pen {
    const scr_pen_kind *kind;
};

extern const scr_output_kind scr_svg_kind;

/* What the SVG pen has drawn, malloc'ed; the pen is freed. NULL: no memory. */
char *scr_pen_svg_take(scr_pen *pen);

/* A white sheet; NULL when memory is exhausted. */
scr_pen *scr_pen_svg(double width, double height);
scr_pen *scr_pen_png(double width, double height);

/* Width of a text on either. */
double scr_pen_width(double size, bool bold, const char *text);

#endif
