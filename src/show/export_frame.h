/* What the formats of export share: a frame in memory, and what is to be written. */
#ifndef SCREE_SHOW_EXPORT_FRAME_H
#define SCREE_SHOW_EXPORT_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"
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
scree_status scr_export_frame_read(const scr_archive *archive, int number, bool contacts, scr_export_frame *frame,
                                   scree_report *report);
void scr_export_frame_deinit(scr_export_frame *frame);
const scr_export_view *scr_export_frame_view(const scr_export_frame *frame, const char *name);
/* A value of an integer view. */
int64_t scr_export_integer(double value);

/* One frame of the formats that are a single text file; `first` for the first frame in the file. */
typedef void scr_export_writer(FILE *out, const scr_export_frame *frame, bool first);
scr_export_writer scr_export_dump, scr_export_xyz, scr_export_csv;
extern const scr_output_kind scr_dump_kind, scr_xyz_kind, scr_csv_kind, scr_contacts_kind;

/* What is written for ParaView, a file or two for each frame and a collection of them. */
typedef struct {
    const scr_archive *archive;
    const char *stem; /* STEM-NNNNNN.vtp, STEM.pvd */
    const int *numbers;
    int count; /* of the frames */
    bool contacts, rigid, force;
} scr_vtk_plan;

/* ParaView: frames STEM-NNNNNN.vtp, then the collection STEM.pvd. */
scree_status scr_export_vtp(const scr_vtk_plan *plan, scree_report *report);
/* One of those files. */
scree_status scr_export_vtp_frame(const scr_vtk_plan *plan, int number, scree_report *report);
/* VTKHDF: STEM.vtkhdf; one file per frame and STEM.hdf.series. */
scree_status scr_export_vtkhdf(const scr_vtk_plan *plan, scree_report *report);
scree_status scr_export_hdf(const scr_vtk_plan *plan, scree_report *report);
/* STEM.xdmf and STEM.xdmf.rows for the results at `results`. */
scree_status scr_export_xdmf(const scr_vtk_plan *plan, const char *results, scree_report *report);
/* The cells of elastic solids: STEM-NNNNNN.vtu, grains beside them in STEM-NNNNNN.vtp where there are any, and the
 * collection of both. `rigid`: every cell with corners of its own (show/cells.h). */
scree_status scr_export_vtu(const scr_vtk_plan *plan, scree_report *report);

/* The place of a series in the results; -1 with a message that names those there are. */
int scr_export_series_find(const scr_archive *archive, const char *results, const char *name, scree_report *report);
/* A series as a table, or on its grid: image data of ParaView, STEM-NNNNNN.vti and STEM.pvd. */
scree_status scr_export_series(const scr_archive *archive, int series, const scr_export_def *def, const char *path,
                               size_t *rows, scree_report *report);
scree_status scr_export_vti(const scr_archive *archive, int series, const scr_export_def *def, const char *stem,
                            size_t *rows, scree_report *report);

#endif
