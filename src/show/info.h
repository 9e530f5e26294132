/* What is in a results file, for a person: `scree info`. */
#ifndef SCREE_SHOW_INFO_H
#define SCREE_SHOW_INFO_H

#include <stdio.h>

#include "base/status.h"

scree_status scr_info_write(const char *path, FILE *out, scree_report *report);
/* The same for a program, as JSON. */
scree_status scr_info_json(const char *path, FILE *out, scree_report *report);

#endif
