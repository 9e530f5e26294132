/* The tangential spring of a contact of radius a: k_t for the word history, k_t a for mindlin. Its force is that of
 * law/history.h; viscous has k_t = 0, and none mu = 0 too. */
#ifndef SCREE_KERNEL_LAW_TANGENTIAL_H
#define SCREE_KERNEL_LAW_TANGENTIAL_H

#include "kernel/law/state.h"

SCR_INLINE mask tangential_scales(const contact_law *p)
{
    return r_less(r_of(0.5), p->mindlin);
}

SCR_INLINE real tangential_stiffness(const contact_law *p, real radius)
{
    return p->kt * r_select(tangential_scales(p), radius, r_of(1.0));
}

/* ---- one contact ---- */

/* The word, by what the law has in the end. */
static inline int tangential_word(const scr_law *law)
{
    if (law->mindlin > 0) return SCR_TANGENTIAL_MINDLIN;
    if (law->kt > 0) return SCR_TANGENTIAL_HISTORY;
    return law->mu > 0 && law->zeta > 0 ? SCR_TANGENTIAL_VISCOUS : SCR_TANGENTIAL_NONE;
}

#endif
