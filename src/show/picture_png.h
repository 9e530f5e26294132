/* Writing PNG files. */
#ifndef SCREE_SHOW_PICTURE_PNG_H
#define SCREE_SHOW_PICTURE_PNG_H

#include "base/output.h"
#include "show/font.h"

extern const scr_output_kind scr_png_kind;

/* Writes the canvas as base/output.h says. */
scree_status scr_png_write(const scr_canvas *canvas, const char *path, bool force, scree_report *report);

#endif
