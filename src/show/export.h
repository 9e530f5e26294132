/* Results in the formats of other programs: `scree export`.
 *
 *   vtp   ParaView: STEM.pvd, and STEM-NNNNNN.vtp for each frame (PolyData, binary)
 *   vtu   ParaView: elastic solids as polyhedra, STEM-NNNNNN.vtu (UnstructuredGrid, binary), with the grains as vtp
 *         beside them
 *   vti   ParaView: a series on a grid as image data, STEM-NNNNNN.vti for each row, and STEM.pvd
 *   dump  LAMMPS dump custom, all frames in one text file; OVITO reads it
 *   xyz   extended XYZ, all frames in one text file; OVITO and ASE read it
 *   csv   one table of all frames, with units in its header
 *   vtkhdf  ParaView 5.12 and later: STEM.vtkhdf, all frames in one HDF5 file (PolyData with time)
 *   hdf   ParaView 5.11: STEM-NNNNNN.hdf for each frame (VTKHDF 1.0, UnstructuredGrid), and STEM.hdf.series
 *   xdmf  ParaView: STEM.xdmf and STEM.xdmf.rows, which open the results themselves; nothing is copied
 *
 * The contacts of frames, as a table (csv) or as lines from centre to centre (vtp), and a series as a table.
 *
 * Numbers in text are as short as they read back the same. Files are written as base/output.h
 * says. */
#ifndef SCREE_SHOW_EXPORT_H
#define SCREE_SHOW_EXPORT_H

#include <stdbool.h>

#include "base/status.h"

typedef enum {
    SCR_EXPORT_VTP,
    SCR_EXPORT_DUMP,
    SCR_EXPORT_XYZ,
    SCR_EXPORT_CSV,
    SCR_EXPORT_VTU,
    SCR_EXPORT_VTI,
    SCR_EXPORT_VTKHDF,
    SCR_EXPORT_HDF,
    SCR_EXPORT_XDMF,
    SCR_EXPORT_AUTO /* csv for a series, vtu where there are elastic solids, else vtp */
} scr_export_format;

typedef struct {
    const char *results;
    const char *output; /* path with or without the format's ending; NULL: beside the results, under
                           their name */
    scr_export_format format;
    int first, last;    /* frames, counted from 0; negative: from the end, -1 is the last */
    int every;          /* each n-th of them */
    bool contacts;      /* the contacts rather than the grains; vtp and csv only */
    bool rigid;         /* cells of elastic solids with corners of their own; vtu only */
    const char *series; /* this series rather than frames; csv and vti. NULL: frames */
    bool force;         /* replaces what base/output.h lets be replaced by force */
} scr_export_def;

#define SCR_EXPORT_WORDS "vtp, vtu, vti, vtkhdf, hdf, xdmf, dump, xyz, csv"

/* One of SCR_EXPORT_WORDS, NULL for auto; false for any other word. */
bool scr_export_format_find(const char *word, scr_export_format *format);

/* *written, malloc'ed, is the path of the file to open; *frames the number of frames, or of rows of a series. Both may
 * be NULL. */
scree_status scr_export_write(const scr_export_def *def, char **written, int *frames, scree_report *report);

#endif
