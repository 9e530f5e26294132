/* Sweeps in single precision over contacts that found no colour, and over joints. */
#define PGS_LANES 1
#define PGS_LOOPS scr_pgs_loops_serial
#include "solve/pgs_text.h"
