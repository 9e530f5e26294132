/* Pictures of frames of a results file. */
#ifndef SCREE_SHOW_RENDER_H
#define SCREE_SHOW_RENDER_H

#include "scree/scree.h"

scree_status scr_render(const scree_picture_def *def, scree_report *report);

#endif
