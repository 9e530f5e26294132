/* The springs of contacts: what they store, and what they take. */
#ifndef SCREE_STEP_NONSMOOTH_SPRINGS_H
#define SCREE_STEP_NONSMOOTH_SPRINGS_H

#include "step/nonsmooth/work.h"

static inline double ns_radius(const scr_world *w, uint32_t body)
{
    return body & NS_WALL ? 0 : w->bodies.place[4 * (size_t)body + 3];
}

static inline double ns_effective_radius(double ra, double rb)
{
    return rb > 0 ? ra * rb / (ra + rb) : ra;
}

/* The spring of a contact that is `overlap` deep. */
static inline contact_push ns_spring(const ns_contact *c, double overlap)
{
    if (!(overlap > 0)) return (contact_push){0};
    return scr_law_normal(c->law)->potential(c->law, c->radius, overlap);
}

/* Integral of the spring's force, a power of the overlap, from where the contact opens: F delta/(1 + n),
 * n = F' delta/F. It is not made from the energy that is stored: were one of the two wrong, the ledger would not
 * close. */
static inline double ns_pressed_in(contact_push push, double overlap)
{
    if (!(overlap > 0)) return 0;
    return push.force * push.force * overlap / (push.force + push.stiffness * overlap);
}

#endif
