/* What the formats of export share: a frame in memory, and files that are written beside and
 * renamed. */
#ifndef SCREE_SHOW_EXPORT_FRAME_H
#define SCREE_SHOW_EXPORT_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "observe/results.h"
#include "show/export.h"

#define SCR_EXPORT_VIEWS 64

typedef struct {
    const char *name, *unit;
    int width;
    bool integer;
    double *data; /* bodies x width */
} scr_export_view;

typedef struct {
    int number; /* of the frame in the results */
    int64_t step;
    double time;
    size_t bodies;
    scr_domain domain;
    const scr_material *materials;
    int material_count;
    scr_export_view views[SCR_EXPORT_VIEWS]; /* id first, then in the order of world/bodies.h */
    int view_count;
    bool contacts; /* rows are contacts, and the views those of observe/contact_table.h */
} scr_export_frame;

/* Reads a frame, its grains or its contacts; free it with deinit, also after an error. */
scree_status scr_export_frame_read(const scr_archive *archive, int number, bool contacts,
                                   scr_export_frame *frame, scree_report *report);
void scr_export_frame_deinit(scr_export_frame *frame);
const scr_export_view *scr_export_frame_view(const scr_export_frame *frame, const char *name);
/* A value of an integer view. */
int64_t scr_export_integer(double value);

typedef struct {
    FILE *out;
    char *path, *temporary;
} scr_export_file;

/* `looks_same` tells whether the first bytes of an existing file are of the kind that is written.
 */
typedef bool scr_export_probe(const char *head);
scree_status scr_export_file_open(scr_export_file *file, const char *path,
                                  scr_export_probe *looks_same, scree_report *report);
/* Renames, or removes what was written when `status` or the file says that something failed. */
scree_status scr_export_file_close(scr_export_file *file, scree_status status,
                                   scree_report *report);

/* One frame of the formats that are a single text file; `first` for the first frame in the file. */
typedef void scr_export_writer(FILE *out, const scr_export_frame *frame, bool first);
scr_export_writer scr_export_dump, scr_export_xyz, scr_export_csv;
scr_export_probe scr_export_is_dump, scr_export_is_xyz, scr_export_is_csv, scr_export_is_contacts;

/* ParaView: frames STEM-NNNNNN.vtp, then the collection STEM.pvd. */
scree_status scr_export_vtp(const scr_archive *archive, const char *stem, const int *numbers,
                            int count, bool contacts, scree_report *report);

/* One of those files. */
scree_status scr_export_vtp_frame(const scr_archive *archive, const char *stem, int number,
                                  bool contacts, scree_report *report);
/* The cells of elastic solids: STEM-NNNNNN.vtu, grains beside them in STEM-NNNNNN.vtp where there are any, and the
 * collection of both. `rigid`: every cell with corners of its own (show/cells.h). */
scree_status scr_export_vtu(const scr_archive *archive, const char *stem, const int *numbers,
                            int count, bool rigid, scree_report *report);

/* A series as a table. */
scree_status scr_export_series(const scr_archive *archive, const char *results, const char *name,
                               const char *path, size_t *rows, scree_report *report);

#endif
