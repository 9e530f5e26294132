#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

int scree_status_exit_code(scree_status status)
{
    return status == SCREE_OK ? 0 : status == SCREE_E_INPUT ? 2 : 1;
}

void scree_report_init(scree_report *report)
{
    *report = (scree_report){0};
}

void scree_report_deinit(scree_report *report)
{
    for (int k = 0; k < report->count; k++) {
        free(report->messages[k].file);
        free(report->messages[k].key);
        free(report->messages[k].text);
    }
    free(report->messages);
    *report = (scree_report){0};
}

void scree_report_print(scree_report *report, FILE *out)
{
    for (; report->printed < report->count; report->printed++) {
        const scree_message *m = &report->messages[report->printed];
        if (m->file) fprintf(out, "%s:", m->file);
        if (m->line > 0) fprintf(out, "%d:", m->line);
        if (m->line > 0 && m->column > 0) fprintf(out, "%d:", m->column);
        fprintf(out, "%s%s: %s\n", m->file ? " " : "", m->severity == SCREE_ERROR ? "error" : "warning", m->text);
    }
}

static void write_or_null(FILE *out, const char *name, const char *text)
{
    scr_json_key(out, ",", name);
    if (text)
        scr_json_text(out, text);
    else
        fputs("null", out);
}

void scree_report_json(const scree_report *report, FILE *out)
{
    fputc('[', out);
    for (int k = 0; k < report->count; k++) {
        const scree_message *m = &report->messages[k];
        scr_json_key_text(out, k ? ",\n    {" : "\n    {", "severity",
                          m->severity == SCREE_ERROR ? "error" : "warning");
        write_or_null(out, "file", m->file);
        scr_json_key_number(out, ",", "line", m->line > 0 ? m->line : NAN);
        scr_json_key_number(out, ",", "column", m->column > 0 ? m->column : NAN);
        write_or_null(out, "key", m->key);
        scr_json_key_text(out, ",", "text", m->text);
        fputc('}', out);
    }
    fputc(']', out);
}

static char *format_text(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0) return NULL;
    return text;
}

// out of memory while reporting: the message is lost, the count is not
static void append(scree_report *report, scree_message message)
{
    if (message.severity == SCREE_ERROR)
        report->errors++;
    else
        report->warnings++;
    if (report->count == report->capacity) {
        int capacity = report->capacity ? 2 * report->capacity : 8;
        scree_message *grown = realloc(report->messages, (size_t)capacity * sizeof *grown);
        if (!grown) {
            free(message.file), free(message.key), free(message.text);
            return;
        }
        report->messages = grown;
        report->capacity = capacity;
    }
    report->messages[report->count++] = message;
}

// messages quote files that others made, and end on terminals
static scree_message message_of(scree_severity severity, scree_status status, scree_place at, char *text)
{
    return (scree_message){.severity = severity,
                           .status = status,
                           .file = at.file ? scr_text_tame(strdup(at.file), "") : NULL,
                           .line = at.line,
                           .column = at.column,
                           .key = at.key ? strdup(at.key) : NULL,
                           .text = text ? scr_text_tame(text, "\n\t") : strdup("out of memory")};
}

scree_status scr_fail(scree_report *report, scree_status status, scree_place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(report, message_of(SCREE_ERROR, status, at, format_text(format, args)));
    va_end(args);
    return status;
}

void scr_warn(scree_report *report, scree_place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(report, message_of(SCREE_WARNING, SCREE_OK, at, format_text(format, args)));
    va_end(args);
}
