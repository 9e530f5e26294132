/* Sweeps in double precision over contacts that found no colour, and over joints. */
#define PGS_LANES 1
#define PGS_DOUBLE
#define PGS_LOOPS scr_pgs_precise_serial
#include "solve/pgs_text.h"
