/* Sweeps in double precision with AVX-512 instructions; CMakeLists.txt gives this file its own compiler flags. */
#include "solve/pgs_loops.h"

#if defined(__AVX512F__)
#    define PGS_LANES 8
#    define PGS_DOUBLE
#    define PGS_LOOPS scr_pgs_precise_avx512
#    include "solve/pgs_text.h"
#else
// another kind of machine: it is never chosen
const pgs_loops scr_pgs_precise_avx512;
#endif
