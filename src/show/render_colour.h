/* What a frame is coloured by: one number per grain and per cell. */
#ifndef SCREE_SHOW_RENDER_COLOUR_H
#define SCREE_SHOW_RENDER_COLOUR_H

#include "observe/results.h"

typedef struct {
    double *grains, *cells; /* NULL: they do not have it, and are drawn in one tone */
    char title[64];
    const char *unit;
    bool names; /* numbers stand for things: their scale means nothing */
} scr_colouring;

/* `by` is a view of grains or cells, a component of one (velocity.z, stress.xy), speed, height, mises, pressure or
 * what is derived (show/derived.h). Free with deinit, also after an error. */
scree_status scr_colouring_read(const scr_archive *archive, int frame, const char *by, scr_colouring *colouring,
                                scree_report *report);
/* What frames are coloured by where nothing is said: the first that there is of stress, speed, displacement, radius;
 * "" where there is none. */
const char *scr_colouring_first(const scr_archive *archive, int frame);
void scr_colouring_deinit(scr_colouring *colouring);

#endif
