/* Head-on impacts of two bodies alone, with the laws, the time step and the stepper of a run: what
 * restitution they really give. */
#ifndef SCREE_RUN_IMPACT_H
#define SCREE_RUN_IMPACT_H

#include "build/build.h"
#include "run/simulation.h"

#define SCR_IMPACT_STARTS 8 /* the contact begins anywhere within a step */

typedef struct {
    double e, scatter; /* mean over the starts, and the largest deviation from it */
    double duration;   /* from touching to parting, mean [s] */
    double overlap;    /* largest, over the smaller diameter */
    double push, pull; /* largest repulsive and attractive force [N] */
    bool sticks;       /* they did not part again from one start at least; then e counts 0 for it */
    bool lost;         /* the contact was too soft for this speed and gave way */
} scr_impact;

/* Lets the two bodies of a meeting collide at `speed` [m/s] with this law and the stepper and time
 * step of the simulation, which is not changed. */
scree_status scr_impact_try(const scree_simulation *simulation, const scr_law *law, const scr_meeting *meeting,
                            double speed, scr_impact *impact, scree_report *report);

/* The speed below which they stick [m/s]; 0 where they part even at a tenth of the speed that the
 * work of adhesion alone would need. */
scree_status scr_impact_sticking(const scree_simulation *simulation, const scr_law *law, const scr_meeting *meeting,
                                 double *speed, scree_report *report);

/* The same for all pairs of materials and sizes there are, at the expected speed and a tenth of it,
 * said aloud; a warning where the time step spoils the restitution. For cohesive pairs also the
 * speed below which they stick. */
scree_status scr_impacts_say(const scree_simulation *simulation, scree_report *report);

#endif
