/* The loops for any machine. */
#define SCR_LANES  4
#define SOFT_LOOPS scr_soft_loops_portable
#include "step/soft/cpu/loops_text.h"
