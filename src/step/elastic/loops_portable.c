/* The loops for any machine. */
#define SCR_LANES     4
#define ELASTIC_LOOPS scr_elastic_loops_portable
#include "step/elastic/loops_text.h"
