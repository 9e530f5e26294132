#define touch_range scr_law_range
#include "collide/touch_text.h"

int scr_touches_find(const scr_world *w, scr_wall_pairs *pairs, uint32_t from, uint32_t to, scr_touch_options options,
                     scr_touch *touches)
{
    candidate near[MOST_NEAR];
    int order[MOST_NEAR];
    bool hidden[MOST_NEAR];
    return touches_find((finder){.near = near, .order = order, .hidden = hidden}, w, pairs, from, to, options, touches);
}
