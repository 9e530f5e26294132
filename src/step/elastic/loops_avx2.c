/* The loops with AVX2 instructions; CMakeLists.txt gives this file its own compiler flags. */
#define SCR_LANES     4
#define ELASTIC_LOOPS scr_elastic_loops_avx2
#include "step/elastic/loops_text.h"
