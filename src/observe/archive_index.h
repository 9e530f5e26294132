/* Inside of an archive: what archive.c (frames, checkpoints) and archive_index.c (the index) share,
 * and what results.c takes over when it continues a run. */
#ifndef SCREE_OBSERVE_ARCHIVE_INDEX_H
#define SCREE_OBSERVE_ARCHIVE_INDEX_H

#include "observe/results.h"
#include "observe/results_files.h"

struct scr_archive {
    char *path, *folder; /* of the index, of the data */
    scr_h5 *index;
    scr_h5_reader reader; /* of the index and the frames */
    char *scene_text, *scene_path, *title, *version, *created, *words, *device;
    scr_run_id run;
    scr_ranks_balance balance;
    scr_world world; /* domain, materials, groups, walls, solids, mesh when the index was written */
    scr_entries frames, checkpoints, pieces;
    scr_series_info *series;
    int series_count;

    /* files that frames share datasets with, open */
    struct scr_source {
        int frame;
        scr_h5 *file;
    } * sources; /* a buffer */
    int source_count;

    /* the frame that is open, and its pieces */
    scr_h5 *frame;
    scr_h5 **piece_files; /* a buffer */
    int piece_count;
    int frame_number;
    int64_t frame_contacts; /* -1: none were written */
    char **views, **units;  /* views ends with NULL */
    char **cell_views, **cell_units;
    scr_world frame_world; /* its walls and faces */
};

/* Reads everything in the index but the values of series. */
scree_status scr_archive_index_read(scr_archive *archive, scree_report *report);
/* Whether a file of the data folder is there; a message says what is missing, and what to do. */
scree_status scr_archive_data_check(const scr_archive *archive, const char *file, scree_report *report);
/* Makes a frame the open one. */
scree_status scr_archive_frame_open(const scr_archive *archive, int frame, scree_report *report);
/* The same for answers that cannot carry a message: an unreadable frame gives nothing, and reading it says why. */
bool scr_archive_frame_is_open(const scr_archive *archive, int frame);
/* A dataset of the open frame as doubles, malloc'ed; `rows` of them there must be. */
scree_status scr_archive_set_read(const scr_archive *archive, const char *set, int64_t rows, double **data,
                                  size_t *count, int *width, scree_report *report);
void scr_series_info_deinit(scr_series_info *info);

#endif
