/* What steppers report: rows for their tables, from the lists of scree/reports.h. */
#ifndef SCREE_STEP_REPORT_H
#define SCREE_STEP_REPORT_H

#include "step/stepper.h"

#define SCR_REPORT_COLUMN      true
#define SCR_REPORT_APART       false
#define SCR_REPORT_TYPE(ctype) _Generic((ctype){0}, double : SCR_F64, int64_t : SCR_I64, bool : SCR_U8)
#define SCR_REPORTED(name, type, unit, show, doc) \
    {#name, unit, doc, SCR_REPORT_TYPE(type), offsetof(scree_stats, name), SCR_REPORT_##show},
/* ... of statics. */
#define SCR_REPORTED_STATICS(name, type, unit, show, doc) \
    {#name, unit, doc, SCR_REPORT_TYPE(type), offsetof(scree_stats, statics.name), SCR_REPORT_##show},

double scr_reported_value(const scr_reported *row, const scree_stats *stats);
/* The rows of a stepper: its own, or those that all have. */
const scr_reported *scr_reports_of(const scr_stepper *stepper);
/* What it reports now; other members of `stats` stay. */
void scr_step_report_fill(const scr_step *step, scree_stats *stats);
/* For the reference page: a table for each stepper that a scene can name, and for statics. */
void scr_reports_write(FILE *out);

#endif
