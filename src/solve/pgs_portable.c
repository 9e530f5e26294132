/* Sweeps in single precision for any machine. */
#define PGS_LANES 4
#define PGS_LOOPS scr_pgs_loops_portable
#include "solve/pgs_text.h"
