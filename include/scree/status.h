/* Status codes and the report: how every fallible call of Scree speaks.
 *
 * A call returns a scree_status; what went wrong, and every warning on the way, is in a
 * scree_report that the caller owns. A report collects many messages, so that a scene's errors are
 * told all at once. */
#ifndef SCREE_STATUS_H
#define SCREE_STATUS_H

#include <stdio.h>

#include "scree/begin.h"

typedef enum {
    SCREE_OK = 0,
    SCREE_E_RUN,       /* the run failed: NaN, escaped grain, overlap beyond the radius */
    SCREE_E_INPUT,     /* bad scene, data file or usage */
    SCREE_E_IO,        /* reading or writing failed: missing file, full disk */
    SCREE_E_MEMORY,    /* out of memory */
    SCREE_E_INTERRUPT, /* stopped by a signal, after writing a checkpoint */
} scree_status;

/* Exit code of a program that ends with this status: 0, 1 (run-time failure) or 2 (bad input). */
int scree_status_exit_code(scree_status status);

typedef enum { SCREE_WARNING, SCREE_ERROR } scree_severity;

/* Where in the input a message belongs. All fields may be empty (NULL, 0). */
typedef struct {
    const char *file; /* path as the user gave it */
    int line, column; /* counted from 1; 0 = unknown */
    const char *key;  /* dotted path of the scene key, for example materials.glass.density */
} scree_place;

typedef struct {
    scree_severity severity;
    scree_status status;
    char *file; /* NULL when unknown */
    int line, column;
    char *key;  /* NULL when unknown */
    char *text; /* what, the value received, what is allowed */
} scree_message;

typedef struct {
    scree_message *messages; /* in the order they were found */
    int count, capacity;
    int errors, warnings;
    int printed; /* messages that scree_report_print has shown */
} scree_report;

void scree_report_init(scree_report *report);
void scree_report_deinit(scree_report *report);

/* One line per message not printed before: `file:line:column: error: text`. */
void scree_report_print(scree_report *report, FILE *out);
/* All messages as a list of JSON: {"severity", "file", "line", "column", "key", "text"}; what is unknown is null. */
void scree_report_json(const scree_report *report, FILE *out);

#include "scree/end.h"

#endif
