/* The schema of a scene: the sections of scene/, with steppers and observers from their registries.
 */
#ifndef SCREE_BUILD_SCHEMA_H
#define SCREE_BUILD_SCHEMA_H

#include "scene/param.h"

const scr_schema *scr_schema_get(void);

#endif
