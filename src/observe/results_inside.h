/* Inside of results that are written: what results.c (opening, continuing, closing) and results_write.c (frames,
 * checkpoints, the index) share. */
#ifndef SCREE_OBSERVE_RESULTS_INSIDE_H
#define SCREE_OBSERVE_RESULTS_INSIDE_H

#include "base/h5_store.h"
#include "base/queue.h"
#include "observe/results.h"
#include "observe/results_files.h"

struct scr_results {
    /* does not change */
    char *path, *scene_path, *scene_text, *title;
    char created[32];
    scr_run_id run;
    char *folder; /* of this run's data */
    int lock;

    /* of the caller */
    char *before, *words; /* what the run said until it was resumed last, and since; NULL: nothing */
    scr_spent spent;
    scr_ranks_balance balance;
    char device[160]; /* that steps were computed on; "": the CPU */
    scr_queue *queue;
    bool divided;            /* some frame or checkpoint is in pieces */
    const scr_piece *pieces; /* of the next one; NULL: it is whole */
    int piece_count;

    /* of the jobs of the queue, which do all that is done on disk; the caller looks when they are done */
    char *old_folder; /* of the index that stands here; removed after the first index; NULL: none */
    int old_lock;
    bool published;
    scr_entries frames, checkpoints, piece_entries;
    scr_entries condemned; /* files to remove once the next index stands */
    scr_entries fresh;     /* files that no index knows yet */
    int64_t standing;      /* step of the last checkpoint that the index on disk names; -1: none of this run */
    scr_h5 *file;          /* being written; NULL: it could not be made, or nothing is */
    scr_entry entry;       /* of that file */
    double begun;          /* the clock then [s] */
    scr_h5_store *store;   /* of frames */
    scree_report report;

    /* of both */
    _Atomic scree_status failed; /* the first failure of a job: those behind it do nothing until it has been reported */
    _Atomic double publishing;   /* how long the last index took [s] */
};

/* Removes these files of the data folder; the list is empty then. */
void scr_results_remove(const scr_results *results, scr_entries *files);

#endif
