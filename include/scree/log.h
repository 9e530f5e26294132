/* What the library says on stderr: what it chose and why. Not included by scree/scree.h. */
#ifndef SCREE_LOG_H
#define SCREE_LOG_H

#include <stdbool.h>

#include "scree/begin.h"

/* From now on calls of this thread say nothing of what they chose, or do so again. Simulations and runs set it as their
 * definition says. */
void scree_quiet(bool quiet);

#include "scree/end.h"

#endif
