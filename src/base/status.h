/* Adding to a report (see include/scree/status.h). */
#ifndef SCREE_BASE_STATUS_H
#define SCREE_BASE_STATUS_H

#include "scree/status.h"

/* Appends an error and returns `status`, so that a caller can write `return scr_fail(...)`. */
scree_status scr_fail(scree_report *report, scree_status status, scree_place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void scr_warn(scree_report *report, scree_place at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A message without a place. */
#define SCR_NOWHERE ((scree_place){0})

#endif
