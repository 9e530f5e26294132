/* Sweeps in double precision for any machine. */
#define PGS_LANES 4
#define PGS_DOUBLE
#define PGS_LOOPS scr_pgs_precise_portable
#include "solve/pgs_text.h"
