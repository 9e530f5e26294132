/* The files behind results: names, the data folder and its lock, the lists that the index holds.
 * Shared by the writer (results.c) and the reader (archive.c). */
#ifndef SCREE_OBSERVE_RESULTS_FILES_H
#define SCREE_OBSERVE_RESULTS_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/h5.h"
#include "base/status.h"

#define SCR_INDEX_KIND      "results"
#define SCR_FRAME_KIND      "frame"
#define SCR_RESULTS_VERSION 4
/* Earlier versions: 1, and 2 with elastic solids, whose frames hold all of their numbers, in double precision and not
 * compressed; 3, without pieces, which is still what is written where there are none. */
#define SCR_RESULTS_WITHOUT_PIECES 3

/* A frame or checkpoint: what the index says of it. */
typedef struct {
    int64_t step;
    double time;
    int64_t bodies;
    int64_t digest;            /* of the file, as base/h5.h gives it */
    double seconds, processor; /* spent on steps until then [s]: of the clock, of all processors; NAN: not known */
    char file[64];             /* name in the data folder */
    bool stays;                /* a checkpoint that is kept: a stage begins with it. Not in the lists of the index */
} scr_entry;

typedef struct {
    scr_entry *items; /* a buffer */
    int count;
} scr_entries;

bool scr_entries_add(scr_entries *entries, const scr_entry *entry);
void scr_entries_deinit(scr_entries *entries);

/* The lists in the index: links /SECTION/NNNNNN, and datasets
 * /SINGULAR_{steps,times,bodies,digests}, where SECTION is "frames", "checkpoints" or "pieces". A frame's
 * link is its number, a checkpoint's is its step. Results may be without pieces. */
scree_status scr_entries_write(scr_h5 *index, const char *section, const char *folder, const scr_entries *entries);
scree_status scr_entries_read(const scr_h5 *index, const char *section, const char *folder, scr_entries *entries);

/* Frames and checkpoints of a run on several machines may have pieces, files of their own: STEM.h5 has those called
 * STEM.p1.h5, STEM.p2.h5 and so on, with the rows of its bodies and contacts one after the other. The entry of a piece
 * has its own rows and digest. */
void scr_piece_name(char name[64], const char *file, int piece);
bool scr_piece_belongs(const char *piece, const char *file);

/* Folders that results at `path` may have: PATH.data, PATH.data2, PATH.data3, ... Malloc'ed; `number`
 * is 1 or more. */
char *scr_data_folder(const char *path, int number);
/* The folder that the index at `path` says is its own, malloc'ed; NULL when there is no index of
 * ours. */
char *scr_data_of(const char *path);
/* The index whose name the folder bears, if it is another one than that at `path` and says that the folder is its own:
 * the one at `path` is a copy then. Malloc'ed; NULL: none. */
char *scr_data_owner(const char *path, const char *folder);
/* Whether a data folder may hold a file of this name: a frame or a checkpoint, whole or not yet. */
bool scr_data_is(const char *name);
/* FOLDER/NAME, malloc'ed. */
char *scr_data_file(const char *folder, const char *name);
/* The part of a path behind its last slash. */
const char *scr_base_name(const char *path);

/* Which folder belongs to which index. An index may be renamed at any time, and then it still needs its
 * folder, whatever that is called; so a folder is removed only when it is certain that no index
 * needs it. Two marks, empty files in the folder, say so:
 *   unpublished       no index that names this folder has ever stood; taken away before one does
 *   replaced-by-RUN   the index that named it was replaced by one with this run as its attribute; put
 *                     there just before, so it counts only where such an index stands
 * An empty folder belongs to none. Every other one is foreign and stays. */
#define SCR_DATA_UNPUBLISHED "unpublished"

/* Name of a run: 16 hexadecimal digits by chance. */
typedef struct {
    char text[17];
} scr_run_id;
scr_run_id scr_run_id_new(void);
scree_status scr_run_id_read(const scr_h5 *index, scr_run_id *run);
/* Of the index at `path`; "" where none can be read. */
scr_run_id scr_run_id_of(const char *path);

/* Sets and takes away a mark; it is so after a power cut, too. */
bool scr_data_mark(const char *folder, const char *mark);
void scr_data_unmark(const char *folder, const char *mark);
/* The mark of a folder whose results `run` replaces. */
void scr_data_replaced(char mark[64], const scr_run_id *run);

/* Holds the folder for this process until the descriptor is closed; -1 with a message when another
 * run holds it. -2 when there is no such folder. */
int scr_data_lock(const char *folder, const char *path, scree_report *report);
/* Whether some process holds it. Does not touch the lock, so that a run that starts now is not disturbed. */
bool scr_data_is_locked(const char *folder);
/* Makes the folder, or takes one that is empty or `unpublished`; then it is locked as above, empty
 * of our files and `unpublished`. -2 when it is a stranger's. */
int scr_data_take(const char *folder, const char *path, scree_report *report);
/* Removes the folders of results at `path` that no index needs: what crashed runs left. `run` and
 * `folder` (may be NULL) are those of the index that stands there. */
void scr_data_tidy(const char *path, const char *folder, const scr_run_id *run);
/* Removes frames, checkpoints, their pieces, unfinished files and marks that are in none of the lists (NULL: empty).
 * Files that are not ours stay. */
void scr_data_sweep(const char *folder, const scr_entries *frames, const scr_entries *checkpoints,
                    const scr_entries *pieces);
/* Sweeps everything and removes the folder if it is empty then. */
void scr_data_remove(const char *folder);

#endif
