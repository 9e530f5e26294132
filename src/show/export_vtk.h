/* Pieces of VTK's XML files with raw appended data, and the collection that gives files their times. */
#ifndef SCREE_SHOW_EXPORT_VTK_H
#define SCREE_SHOW_EXPORT_VTK_H

#include "show/export_frame.h"

#define SCR_VTK_BEGIN "<?xml version=\"1.0\"?>\n<!-- Scree -->\n<VTKFile "
/* A file of ours, which begins so. */
extern const scr_output_kind scr_vtk_kind;

const char *scr_vtk_type(const scr_export_view *view);
/* An array of scalars of eight bytes, and its place in the appended data: each has its length in 8 bytes before it. */
void scr_vtk_array(FILE *out, const char *type, const char *name, int width, uint64_t *offset, size_t rows);
/* The length of an array in the appended data. */
void scr_vtk_length(FILE *out, uint64_t bytes);
/* All numbers of a view in the appended data. */
void scr_vtk_view(FILE *out, const scr_export_view *view, size_t rows);

/* STEM.pvd of STEM-NNNNNN.ENDING, and of a second ending as second part where that is not NULL. */
scree_status scr_vtk_collection(const scr_vtk_plan *plan, const char *ending, const char *second, scree_report *report);
/* Whether these and the collection may be written; the first that may not is told of. */
scree_status scr_vtk_check(const scr_vtk_plan *plan, const char *ending, const char *second, scree_report *report);
/* One of the files of a frame, open for writing. */
scree_status scr_vtk_open(scr_output *file, const scr_vtk_plan *plan, int number, const char *ending,
                          scree_report *report);
void scr_vtk_remove(const scr_vtk_plan *plan, int number, const char *ending);

#endif
