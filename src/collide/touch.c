#define touch_range scr_law_range
#include "collide/touch_text.h"

int scr_touches_find(const scr_world *w, scr_wall_pairs *pairs, uint32_t from, uint32_t to, scr_touch_options options,
                     scr_touch *touches)
{
    candidate near[MOST_NEAR];
    int order[MOST_NEAR];
    bool hidden[MOST_NEAR];
    finder s; // not cleared: it is asked for at every body and step
    s.near = near, s.order = order, s.hidden = hidden;
    return touches_find(&s, w, pairs, from, to, options, touches);
}
