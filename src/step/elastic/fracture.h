/* Brittle fracture: links that break between two steps. */
#ifndef SCREE_STEP_ELASTIC_FRACTURE_H
#define SCREE_STEP_ELASTIC_FRACTURE_H

#include "world/world.h"

typedef struct {
    bool on;          /* some solid can break */
    uint8_t *verdict; /* of each link: its fate from this step on, SCR_LINK_HOLDS: none */
    int64_t *found;   /* per block: links that break */
} elastic_fracture;

/* Energy that breaking this link sets free with all cells where they are [J] (docs/theory-elastic.md): its own, and
 * what the change of volume of its two cells loses when its face becomes free. eps and kap are those of the present
 * state. */
double scr_elastic_released(const scr_world *world, size_t link);
/* The link breaks: its fate, corrected volumes, eps and kap of its cells. */
void scr_elastic_break(scr_world *world, size_t link, int fate);

#endif
