/* The loops with AVX-512 instructions; CMakeLists.txt gives this file its own compiler flags. */
#include "step/soft/cpu/loops.h"

#if defined(__AVX512F__)
#    define SCR_LANES  8
#    define SOFT_LOOPS scr_soft_loops_avx512
#    include "step/soft/cpu/loops_text.h"
#else
// another kind of machine: it is never chosen
const soft_loops scr_soft_loops_avx512;
#endif
