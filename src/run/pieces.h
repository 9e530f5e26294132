/* Frames and checkpoints of a world that is divided among several machines (observe/pieces.h), and questions about
 * it. */
#ifndef SCREE_RUN_PIECES_H
#define SCREE_RUN_PIECES_H

#include "build/simulation.h"
#include "observe/results.h"

/* A frame with these fields, and with contacts where they are wanted; a checkpoint. */
scree_status scr_pieces_frame(scree_simulation *simulation, scr_results *results, const char **fields, int field_count,
                              bool contacts, scree_report *report);
scree_status scr_pieces_checkpoint(scree_simulation *simulation, scr_results *results, scree_report *report);
/* Whether all bodies are where they may be (scr_bodies_look), and all numbers are finite. */
scree_status scr_pieces_look(scree_simulation *simulation, scree_report *report);
bool scr_pieces_are_finite(scree_simulation *simulation, scree_report *report);

#endif
