/* Writing PNG files. */
#ifndef SCREE_SHOW_PICTURE_PNG_H
#define SCREE_SHOW_PICTURE_PNG_H

#include "base/status.h"
#include "show/font.h"

/* Writes the canvas beside `path`, then renames; on failure nothing is left behind. */
scree_status scr_png_write(const scr_canvas *canvas, const char *path, scree_report *report);

#endif
