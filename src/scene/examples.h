/* The example scenes of `scree init`: commented, complete, and quick to run. */
#ifndef SCREE_SCENE_EXAMPLES_H
#define SCREE_SCENE_EXAMPLES_H

#include "scree/scree.h"

/* Ends with a NULL name; the first is the one to begin with. */
extern const scree_example scr_examples[];

/* Tasks (examples_tasks.c). */
extern const char scr_example_drum[], scr_example_silo[], scr_example_silo_stl[], scr_example_vibration[],
    scr_example_triaxial[], scr_example_agglomerate[], scr_example_mixer[], scr_example_mixer_stl[];

#endif
