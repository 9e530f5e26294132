/* Sweeps in double precision with AVX2 instructions; CMakeLists.txt gives this file its own compiler flag. */
#include "solve/pgs_loops.h"

#if defined(__AVX2__)
#    define PGS_LANES 4
#    define PGS_DOUBLE
#    define PGS_LOOPS scr_pgs_precise_avx2
#    include "solve/pgs_text.h"
#else
// another kind of machine: it is never chosen
const pgs_loops scr_pgs_precise_avx2;
#endif
