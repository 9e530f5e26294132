/* The loops with AVX2 instructions; CMakeLists.txt gives this file its own compiler flag. */
#define SCR_LANES  4
#define SOFT_LOOPS scr_soft_loops_avx2
#include "step/soft/cpu/loops_text.h"
