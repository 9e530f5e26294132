/* The example scenes of `scree init`: commented, complete, and quick to run. */
#ifndef SCREE_SCENE_EXAMPLES_H
#define SCREE_SCENE_EXAMPLES_H

#include "scree/scree.h"

/* Ends with a NULL name; the first is the one to begin with. */
extern const scree_example scr_examples[];

#endif
