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

#define GENERAL(name) {#name, "", "", SCR_I64, offsetof(scree_stats, name), false},
static const scr_reported general[] = {GENERAL(step) GENERAL(bodies) GENERAL(cells){0}};
#undef GENERAL

static const scr_reported *find_in(const scr_reported *rows, const char *name, size_t length)
{
    for (; rows->name; rows++)
        if (strlen(rows->name) == length && !strncmp(rows->name, name, length)) return rows;
    return NULL;
}

static double value_of(const scr_reported *rows, const scree_stats *stats, const char *name, size_t length)
{
    const scr_reported *row = find_in(rows, name, length);
    if (!row) row = find_in(general, name, length);
    return row ? scr_reported_value(row, stats) : 0;
}

static bool is_said(const scr_reported *rows, const scree_stats *stats, const char *when)
{
    while (*when) {
        bool not = *when == '!';
        when += not ;
        size_t length = strcspn(when, "&");
        double value = value_of(rows, stats, when, length);
        // NaN is neither
        if (not ? !(value <= 0) : !(value > 0)) return false;
        when += length + (when[length] == '&');
    }
    return true;
}

// {NAME}, {NAME:.3g}, {NAME%:.3g} or {NAME/1e6:.3g}, from after the brace; where it ends
static const char *print_number(const scr_reported *rows, const scree_stats *stats, const char *text, FILE *out)
{
    const char *end = text + strcspn(text, "}"), *format_at = text + strcspn(text, ":}");
    size_t length = strcspn(text, "%/:}");
    double value = value_of(rows, stats, text, length);
    if (text[length] == '%') value *= 100;
    if (text[length] == '/') value /= strtod(text + length + 1, NULL);
    char format[16] = "%.0f";
    if (*format_at == ':') snprintf(format, sizeof format, "%%%.*s", (int)(end - format_at - 1), format_at + 1);
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
    for (const scr_report_line *line = stepper->lines; line->when; line++)
        if (is_said(rows, stats, line->when)) print_line(rows, stats, line->text, out);
}
