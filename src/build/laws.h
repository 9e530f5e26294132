/* A law with the reasons for its numbers, between choosing (laws.c) and saying (laws_say.c). */
#ifndef SCREE_BUILD_LAWS_H
#define SCREE_BUILD_LAWS_H

#include "build/build.h"

typedef struct {
    const char *name; /* of the pair of materials */
    const scr_contact_def *said;
    bool solved;       /* for, by the stepper: no spring beside the normal one */
    bool slips, pulls; /* as the scene says, not as usual: slip: damper, pull: allowed */
    scr_law law;
    const scr_meeting *meetings;
    int meeting_count;
    const char *speed_reason;
    char normal[160]; /* where the normal stiffness comes from */
    double ratio;     /* tangential over normal stiffness */
    const char *ratio_reason;
    double z; /* damping ratio that gives the restitution */
} scr_chosen;

/* Pull-off force of a meeting [N]; 0 without cohesion. */
double scr_pull_off(const scr_law *law, const scr_meeting *meeting);

void scr_chosen_say(const scr_chosen *chosen);

#endif
