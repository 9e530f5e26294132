/* Energy that a contact has lost since the last evaluation: one line for each, of which the numbers of contact_result,
 * their sums and what is booked follow, on the CPU and on devices; the account of the same name is in
 * scree/energies.h.
 *
 *   F(member, NAME)    of every contact; they come first
 *   G(member, NAME)    of CONTACT_ANY only (law/state.h) */
#ifndef SCREE_KERNEL_LAW_LOSSES_H
#define SCREE_KERNEL_LAW_LOSSES_H

#define CONTACT_LOSSES(F, G) \
    F(damping, DAMPING)      \
    F(friction, FRICTION)    \
    G(rolling, ROLLING)      \
    G(plastic, PLASTIC) /* by yielding */

#endif
