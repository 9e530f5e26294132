/* No cohesion: contacts that push only. */
#ifndef SCREE_KERNEL_LAW_NONE_H
#define SCREE_KERNEL_LAW_NONE_H

#include <math.h>

#include "kernel/law/state.h"

SCR_INLINE void none_lanes(const contact_law *p, const contact_state *c, const contact_depth *d, contact_normal *n,
                           int ledger)
{
    (void)p, (void)c, (void)d, (void)n, (void)ledger;
}

SCR_INLINE real none_reach(const contact_law *p, real radius, mask was, real reach)
{
    (void)p, (void)radius, (void)was;
    return reach;
}

/* It is what laws have that no other acts in. */
static inline int none_acts(const scr_law *law)
{
    (void)law;
    return 0;
}

static inline double none_range(const scr_law *law, double radius)
{
    (void)law, (void)radius;
    return 0;
}

static inline void none_choose(scr_law *law, const scr_contact_def *said, double smallest)
{
    (void)law, (void)said, (void)smallest;
}

static inline void none_said(const scr_law *law, const scr_contact_def *said, double low, double high, char *text,
                             size_t size)
{
    (void)law, (void)said, (void)low, (void)high, (void)size;
    *text = 0;
}

#define none_pull_off none_range
#define none_work     none_range

static inline double none_time(const scr_law *law, double mass, double radius)
{
    (void)law, (void)mass, (void)radius;
    return INFINITY;
}

#endif
