/* The state of an earlier run as a frame of its results has it: `--from FILE --frame N`. */
#ifndef SCREE_BUILD_FRAME_STATE_H
#define SCREE_BUILD_FRAME_STATE_H

#include "observe/results.h"

/* Into `world`, which is initialised and empty. Where there is a checkpoint of the frame's step, that is taken; else
 * the last checkpoint says what the world is made of, and the frame which grains there are, where they are and how they
 * move, and where the walls are. A frame does not hold what contacts remember: they begin anew. frame < 0 counts from
 * the end. */
scree_status scr_frame_state_read(const scr_archive *archive, int frame, scr_world *world, scree_report *report);

#endif
