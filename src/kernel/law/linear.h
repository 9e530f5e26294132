/* Linear cohesion: beside the repulsion a constant pull while in contact, which fades to zero over a gap, as the
 * attraction of stiff small grains does (Derjaguin, Muller & Toporov 1975 have such a constant pull in contact).
 *
 *   pull = A for delta >= 0,  A (1 + delta/r) for -r < delta < 0,   V = -A (delta + r/2) or -pull (delta + r)/2     (1)
 *
 * Friction feels F_n without it. Over the gap nothing slides, rolls or twists, and there is no damper. */
#ifndef SCREE_KERNEL_LAW_LINEAR_H
#define SCREE_KERNEL_LAW_LINEAR_H

#include "kernel/law/state.h"

SCR_INLINE void linear_lanes(const contact_law *p, const contact_state *c, const contact_depth *d, contact_normal *n,
                             int ledger)
{
    (void)ledger;
    mask is = r_less(r_of(0.0), p->adhesion), apart = r_less(c->delta, r_of(0.0));
    mask fades = r_less(r_of(0.0), p->range);
    real fade = r_where(fades, (c->delta + p->range) / r_select(fades, p->range, r_of(1.0)));
    real deep = p->adhesion * (d->inside + 0.5 * p->range);
    real held = r_select(apart, 0.5 * p->adhesion * p->range * fade * fade, deep);
    n->pull = r_select(is, p->adhesion * r_select(apart, fade, r_of(1.0)), n->pull);
    n->grip = r_select(is, n->pull, n->grip);
    n->stored -= r_where(is, held);
    n->loose |= fades & ~r_less(r_of(0.0), c->delta);
    n->loosened |= fades & ~r_less(r_of(0.0), d->past);
}

/* From first touch on, and over the gap; laws without it have no range. */
SCR_INLINE real linear_reach(const contact_law *p, real radius, mask was, real reach)
{
    (void)radius, (void)was;
    return reach - p->range;
}

/* ---- one contact ---- */

static inline int linear_acts(const scr_law *law)
{
    return law->adhesion > 0;
}

static inline void linear_choose(scr_law *law, const scr_contact_def *said, double smallest)
{
    law->adhesion = said->adhesion;
    law->range = isnan(said->cohesion_range) ? 0.01 * smallest : said->cohesion_range;
}

static inline void linear_said(const scr_law *law, const scr_contact_def *said, double low, double high, char *text,
                               size_t size)
{
    (void)low, (void)high;
    snprintf(text, size, "linear cohesion: %.4g N, which decays over a gap of %.3g m (%s)", law->adhesion, law->range,
             isnan(said->cohesion_range) ? "1 % of the smallest radius" : "given");
}

static inline double linear_range(const scr_law *law, double radius)
{
    (void)radius;
    return law->range;
}

static inline double linear_pull_off(const scr_law *law, double radius)
{
    (void)radius;
    return law->adhesion;
}

static inline double linear_work(const scr_law *law, double radius)
{
    (void)radius;
    return 0.5 * law->adhesion * law->range;
}

static inline double linear_time(const scr_law *law, double mass, double radius)
{
    (void)law, (void)mass, (void)radius;
    return INFINITY;
}

#endif
