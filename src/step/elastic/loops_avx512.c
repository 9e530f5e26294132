/* The loops with AVX-512 instructions; CMakeLists.txt gives this file its own compiler flags. */
#include "step/elastic/loops.h"

#if defined(__AVX512F__)
#    define SCR_LANES     8
#    define ELASTIC_LOOPS scr_elastic_loops_avx512
#    include "step/elastic/loops_text.h"
#else
// another kind of machine: it is never chosen
const elastic_loops scr_elastic_loops_avx512;
#endif
