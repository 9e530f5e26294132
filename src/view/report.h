/* What a run was and what it gave, as one page: `scree report`. */
#ifndef SCREE_VIEW_REPORT_H
#define SCREE_VIEW_REPORT_H

#include "scree/scree.h"

scree_status scr_report_write(const scree_page_def *def, scree_report *report);

#endif
