/* The progress line: percent, time left, rate, kinetic energy. One moving line on a terminal, else
 * a plain line every few seconds. */
#ifndef SCREE_RUN_PROGRESS_H
#define SCREE_RUN_PROGRESS_H

#include "step/stepper.h"

typedef struct {
    int64_t first, end;    /* steps */
    double start, shown;   /* clock [s] */
    double particle_steps; /* since the last line */
    double rate;           /* particle-steps per second, smoothed */
    int64_t skip, count;   /* steps between two looks at the clock */
    bool terminal;
} scr_progress;

/* What a step moves: grains, and cells of elastic solids. */
double scr_moving_count(const scr_world *world);

scr_progress scr_progress_start(int64_t step, int64_t end);
/* After some steps. */
void scr_progress_update(scr_progress *progress, scr_step *step, int64_t steps);
/* Clears the moving line. */
void scr_progress_end(scr_progress *progress);

#endif
