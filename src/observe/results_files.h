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
#define SCR_RESULTS_VERSION 1

/* A frame or checkpoint: what the index says of it. */
typedef struct {
    int64_t step;
    double time;
    int64_t bodies;
    int64_t digest; /* of the file, as base/h5.h gives it */
    char file[64];  /* name in the data folder */
} scr_entry;

typedef struct {
    scr_entry *items;
    int count, capacity;
} scr_entries;

bool scr_entries_add(scr_entries *entries, const scr_entry *entry);
void scr_entries_deinit(scr_entries *entries);

/* The lists in the index: links /SECTION/NNNNNN, and datasets
 * /SINGULAR_{steps,times,bodies,digests}, where SECTION is "frames" or "checkpoints". A frame's
 * link is its number, a checkpoint's is its step. */
scree_status scr_entries_write(scr_h5 *index, const char *section, const char *folder,
                               const scr_entries *entries);
scree_status scr_entries_read(const scr_h5 *index, const char *section, const char *folder,
                              scr_entries *entries);

/* The data folder of results at `path`: PATH.data, or PATH.data2 for every second replacement, so
 * that old results stay whole until new ones stand. Malloc'ed; `number` is 1 or 2. */
char *scr_data_folder(const char *path, int number);
/* The folder that the index at `path` says is its own, malloc'ed; NULL when there is no index of
 * ours. */
char *scr_data_of(const char *path);
/* FOLDER/NAME, malloc'ed. */
char *scr_data_file(const char *folder, const char *name);
/* The part of a path behind its last slash. */
const char *scr_base_name(const char *path);

/* Holds the folder for this process until the descriptor is closed; -1 with a message when another
 * run holds it. -2 when the folder does not exist. */
int scr_data_lock(const char *folder, const char *path, scree_report *report);
/* Removes frames, checkpoints and unfinished files that are in neither list (NULL: empty). Files
 * that are not ours stay. */
void scr_data_sweep(const char *folder, const scr_entries *frames, const scr_entries *checkpoints);
/* Sweeps everything and removes the folder if it is empty then. */
void scr_data_remove(const char *folder);

#endif
