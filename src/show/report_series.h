/* Time series on a page: the energy ledger as stacked areas, observers as curves. */
#ifndef SCREE_SHOW_REPORT_SERIES_H
#define SCREE_SHOW_REPORT_SERIES_H

#include "observe/results.h"
#include "show/page.h"

/* The ledger, and how well it closes; nothing where there is none. */
scree_status scr_page_ledger(scr_page *page, const scr_archive *archive, scree_report *report);
/* All other series: columns of one unit in one plot, profiles at some of their times. */
scree_status scr_page_observers(scr_page *page, const scr_archive *archive, scree_report *report);

#endif
