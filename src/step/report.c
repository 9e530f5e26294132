#include "step/report.h"

#include <stdlib.h>
#include <string.h>

static const scr_reported common[] = {SCREE_CONTACT_REPORTS(SCR_REPORTED){0}};

const scr_reported *scr_reports_of(const scr_stepper *stepper)
{
    return stepper->reports ? stepper->reports : common;
}

double scr_reported_value(const scr_reported *row, const scree_stats *stats)
{
    const void *at = (const char *)stats + row->offset;
    if (row->type == SCR_F64) return *(const double *)at;
    return row->type == SCR_I64 ? (double)*(const int64_t *)at : (double)*(const bool *)at;
}

void scr_step_report_fill(const scr_step *s, scree_stats *stats)
{
    stats->stepper = s->stepper;
    stats->contacts = s->last.contacts;
    stats->worst_overlap = s->last.worst_overlap;
    stats->statics = s->last.statics;
    if (s->stepper->report) s->stepper->report(s, stats);
}

/* ---- lines ---- */

static const scr_reported *find(const scr_reported *rows, const char *name, size_t length)
{
    for (; rows->name; rows++)
        if (strlen(rows->name) == length && !strncmp(rows->name, name, length)) return rows;
    return NULL;
}

// {NAME}, {NAME:.3g} or {NAME%:.3g}, from after the brace; where it ends
static const char *print_number(const scr_reported *rows, const scree_stats *stats, const char *text, FILE *out)
{
    const char *end = text + strcspn(text, "}");
    size_t length = strcspn(text, "%:}");
    const scr_reported *row = find(rows, text, length);
    double value = row ? scr_reported_value(row, stats) : 0;
    if (text[length] == '%') value *= 100, length++;
    char format[16] = "%.0f";
    if (text[length] == ':')
        snprintf(format, sizeof format, "%%%.*s", (int)(end - text - (int)length - 1), text + length + 1);
    fprintf(out, format, value);
    return end + 1;
}

static void print_line(const scr_reported *rows, const scree_stats *stats, const char *text, FILE *out)
{
    while (*text) {
        size_t plain = strcspn(text, "{");
        fprintf(out, "%.*s", (int)plain, text);
        text += plain;
        if (*text) text = print_number(rows, stats, text + 1, out);
    }
    fputc('\n', out);
}

void scree_stats_print(const scree_stats *stats, FILE *out)
{
    const scr_stepper *stepper = stats->stepper;
    if (!stepper || !stepper->lines) return;
    const scr_reported *rows = scr_reports_of(stepper);
    for (const scr_report_line *line = stepper->lines; line->when; line++) {
        const scr_reported *when = find(rows, line->when, strlen(line->when));
        if (when && scr_reported_value(when, stats) > 0) print_line(rows, stats, line->text, out);
    }
}
