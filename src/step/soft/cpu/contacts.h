/* Contacts of springs as observers see them. */
#ifndef SCREE_STEP_SOFT_CPU_CONTACTS_H
#define SCREE_STEP_SOFT_CPU_CONTACTS_H

#include "step/stepper.h"

/* The contacts of the last evaluation into *rows, with room for `more` after them; as scr_stepper.contacts. */
scree_status scr_soft_contacts(const scr_step *step, size_t more, scr_contact_row **rows, size_t *count,
                               scree_report *report);

#endif
