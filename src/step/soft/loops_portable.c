/* The loops with whatever every machine of the architecture has. */
#define SOFT_LOOPS soft_loops_portable
#include "step/soft/loops_text.h"
