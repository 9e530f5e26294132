/* Rods between grains: the forces of contacts, as thick as they are large, and bonds. */
#ifndef SCREE_SHOW_RENDER_RODS_H
#define SCREE_SHOW_RENDER_RODS_H

#include "observe/results.h"
#include "show/picture.h"
#include "show/render_clip.h"

typedef struct {
    double *ends, *radius, *value;
    size_t count;
} scr_drawn_rods;

/* The normal forces of a frame's contacts, from centre to centre or to the wall; those on the hidden side of the clip
 * are left out. The radius is 0.75 `grain` for a force of `high` [N] (NAN: chosen as a colour scale is) and
 * proportional below; forces below a hundredth of it are left out. Free with deinit, also after an error. */
scree_status scr_drawn_forces_read(const scr_archive *archive, int frame, double grain, double high,
                                   const scr_clip *clip, scr_drawn_rods *rods, scree_report *report);
/* Bonds between grains at `position`, of this radius [m] and without values. One that reaches through a periodic side
 * is drawn as two halves. The ids of all grains are read. */
scree_status scr_drawn_bonds_read(const scr_archive *archive, int frame, const double *position, double radius,
                                  const scr_clip *clip, scr_drawn_rods *rods, scree_report *report);
void scr_drawn_rods_deinit(scr_drawn_rods *rods);

static inline scr_picture_rods scr_drawn_rods_picture(const scr_drawn_rods *rods)
{
    return (scr_picture_rods){rods->ends, rods->radius, rods->value, rods->count};
}

#endif
