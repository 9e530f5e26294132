/* Files that a user names as outputs: one rule for all commands.
 *
 * A file that exists is replaced only where it is an earlier output of the same kind (recognised by its content), or
 * by force. Never replaced, not even by force: a scene, results or a part of them, and whatever is not a
 * regular file. Files are written beside their path (PATH.part) and renamed, so that a path has the old file or the
 * whole new one. */
#ifndef SCREE_BASE_OUTPUT_H
#define SCREE_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

typedef struct {
    const char *what; /* for messages: "a picture by Scree"; NULL: there is no such kind */
    /* Whether a file that begins with these bytes (zero-terminated) is such an output; NULL: none is. */
    bool (*is)(const char *head, size_t size);
    size_t reach; /* bytes that `is` must see; 0: 64 KiB */
} scr_output_kind;

/* Whether the bytes begin with a text, contain it. */
bool scr_bytes_begin(const char *bytes, size_t size, const char *text);
bool scr_bytes_hold(const char *bytes, size_t size, const char *text);

/* Whether `path` may be written: SCREE_E_INPUT, with a message that says what is there and what to do, if not. Commands
 * ask before their work begins. */
scree_status scr_output_check(const char *path, const scr_output_kind *kind, bool force, scree_report *report);
/* Whether it could be made as far as the file system is concerned: SCREE_E_INPUT with a message if not. */
scree_status scr_output_try(const char *path, scree_report *report);

/* A folder for outputs: makes it, or takes the one there is. SCREE_E_INPUT with a message otherwise. */
scree_status scr_output_folder(const char *path, scree_report *report);

typedef struct {
    FILE *out;
    char *path, *temporary;
} scr_output;

/* Checks, then opens; after an error there is nothing to close. */
scree_status scr_output_open(scr_output *output, const char *path, const scr_output_kind *kind, bool force,
                             scree_report *report);
/* Puts the file in its place, or removes what was written when `status` or the file says that something failed; returns
 * `status` or what failed now. */
scree_status scr_output_close(scr_output *output, scree_status status, scree_report *report);
/* All at once. */
scree_status scr_output_write(const char *path, const scr_output_kind *kind, bool force, const void *data, size_t size,
                              scree_report *report);

#endif
