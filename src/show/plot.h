/* Plots of curves and maps of cells, as SVG (small, self-contained text) or PNG, by the file's
 * ending. One layout is drawn by two pens (plot_pen.h). */
#ifndef SCREE_SHOW_PLOT_H
#define SCREE_SHOW_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef enum {
    SCR_PLOT_LINE,
    SCR_PLOT_DASHES,
    SCR_PLOT_POINTS,
    SCR_PLOT_CELLS,
    SCR_PLOT_AREA, /* between y and `value`, filled */
    SCR_PLOT_MAP   /* cells of a regular grid, coloured by `value`, with a scale of colours */
} scr_plot_style;

/* Colours: 0 takes the next of the palette. */
typedef enum {
    SCR_PLOT_AUTO,
    SCR_PLOT_BLUE,
    SCR_PLOT_RED,
    SCR_PLOT_GREEN,
    SCR_PLOT_ORANGE,
    SCR_PLOT_PURPLE,
    SCR_PLOT_BLACK,
    SCR_PLOT_GREY,
    SCR_PLOT_YELLOW,
    SCR_PLOT_TEAL,
    SCR_PLOT_PINK,
    SCR_PLOT_BROWN,
} scr_plot_colour;

typedef struct {
    scr_plot_style style;
    scr_plot_colour colour;
    const char *label; /* in the legend; NULL: not there. Maps: above the scale. Cells: "name of 0 | name of 1" */
    const double *x, *y;
    const double *value; /* cells: 0 or not; NAN is grey. Areas: the other border. Maps: the colour */
    size_t count;        /* rows that are not finite break a line */
} scr_plot_curve;

typedef struct {
    const char *label;
    double low, high; /* NAN: from the curves */
    bool log;
} scr_plot_axis;

typedef struct {
    const char *title;
    scr_plot_axis x, y;
    const scr_plot_curve *curves; /* drawn in this order; cells and areas first, whatever their place */
    int curve_count;
} scr_plot;

/* Writes as base/output.h says. */
scree_status scr_plot_write(const scr_plot *plot, const char *path, bool force, scree_report *report);
/* STEM.svg and STEM.png: whether both may be written; writing them, each of which is counted in *written. */
scree_status scr_plot_check_both(const char *stem, bool force, scree_report *report);
scree_status scr_plot_write_both(const scr_plot *plot, const char *stem, bool force, int *written,
                                 scree_report *report);
/* As SVG in memory, malloc'ed. */
scree_status scr_plot_svg(const scr_plot *plot, char **text, scree_report *report);

#endif
