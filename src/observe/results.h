/* The results of a run: one path for the user, crash-proof by construction.
 *
 * `NAME.h5` is a small HDF5 index (scene text, versions, units, walls, time series, links to frames
 * and checkpoints). Each frame and each checkpoint is a file of its own in the folder
 * `NAME.h5.data` (or `.data2`, `.data3`, ... where that is taken), written beside and renamed when
 * complete; then a new index is written beside and renamed over the old one. A run killed at any
 * moment leaves the last complete index, whose links all resolve. Described for readers in
 * docs/format.md. */
#ifndef SCREE_OBSERVE_RESULTS_H
#define SCREE_OBSERVE_RESULTS_H

#include "base/h5.h"
#include "base/output.h"
#include "base/status.h"
#include "observe/contact_table.h"
#include "observe/series.h"
#include "world/world.h"

/* ---- writing ---- */

typedef struct scr_results scr_results;

/* What is run, kept with the results; copied. NULL is as good as "". */
typedef struct {
    const char *path, *text, *title; /* of the scene */
} scr_results_scene;

extern const scr_output_kind scr_results_kind;

/* A new results file at `path`; results that were there are replaced when the first index is
 * written. Nothing is written by this call but the data folder. */
scree_status scr_results_create(const char *path, const scr_results_scene *scene, scr_results **out,
                                scree_report *report);
/* The same over any file that base/output.h lets be replaced by force, not only over results. */
scree_status scr_results_force(const char *path, const scr_results_scene *scene, scr_results **out,
                               scree_report *report);
/* Opens existing results to continue them from the checkpoint of step `step`: frames and series
 * rows after it are forgotten. The series' past rows are read back into `series` (matched by name
 * and columns). */
scree_status scr_results_continue(const char *path, const scr_results_scene *scene, int64_t step, scr_series *series,
                                  int series_count, scr_results **out, scree_report *report);

/* Time that steps have taken since the run began [s]: by the clock, and of all processors together. */
typedef struct {
    double seconds, processor;
} scr_spent;
/* What frames and checkpoints from now on will say of it. Not part of the state. */
void scr_results_spent_set(scr_results *results, scr_spent spent);
/* What the run had spent when it was last written: zero for a new one. */
scr_spent scr_results_spent(const scr_results *results);

/* How the datasets of frames are stored from now on, before there is a thread: f64 rounded to f32, and compressed.
 * Without this call neither. What is the same as in an earlier frame is a link there in any case (base/h5_store.h).
 * Checkpoints and the index are exact. */
void scr_results_store_set(scr_results *results, bool single, bool compress);

/* How evenly ranks share the work, where there are several; in the next index. */
void scr_results_balance_set(scr_results *results, scr_ranks_balance balance);

/* The device that computes the steps, in words; "": the CPU; in the next index. */
void scr_results_device_set(scr_results *results, const char *device);

/* What the run has said of itself so far: choices, warnings, the machine; kept in the next index behind what earlier
 * parts of the run had said. Copied; when there is no memory for it, it is not kept. */
void scr_results_words_set(scr_results *results, const char *words);

/* From now on a thread of its own writes: the three calls below copy what they are given and return, and the files are
 * the same, byte for byte. What waits holds at most two frames and 64 MB; a caller that is faster than the disk waits.
 * False when no thread can be started: then they write as before. The thread is the only one in the HDF5 library:
 * results must not be opened in this process until scr_results_wait. */
bool scr_results_thread(scr_results *results);
/* CPU time of that thread [s]. */
double scr_results_thread_seconds(const scr_results *results);
/* Whether something could not be written since the last look: the status and, in `report`, why. What was given behind
 * it is dropped. The calls below look, too: they may return what became of earlier ones. */
scree_status scr_results_look(scr_results *results, scree_report *report);
/* The same when all is written; warnings, too. */
scree_status scr_results_wait(scr_results *results, scree_report *report);
/* When all is written: the step of the last checkpoint that a run can be resumed from; -1: none. */
int64_t scr_results_standing(scr_results *results);
/* How long the last index took [s]. */
double scr_results_publishing(const scr_results *results);

/* One frame: the views named in `fields`, of grains (world/bodies.h) and of cells (observe/cell_views.h); rows in
 * the order of ids; `id` is always there. With the contacts unless that is NULL. */
scree_status scr_results_frame(scr_results *results, const scr_world *world, const char *const *fields, int field_count,
                               const scr_frame_contacts *contacts, scree_report *report);
/* Exact state; older checkpoints of this run are removed once the new index stands (the last two
 * stay, and those with which stages begin). */
scree_status scr_results_checkpoint(scr_results *results, const scr_world *world, scree_report *report);
/* A frame or checkpoint of a world that is divided among several machines is in pieces: files beside its own, which
 * hold the rows of bodies and contacts. What a piece holds, and the digest of its file. */
typedef struct {
    int64_t digest, bodies, contacts;
} scr_piece;
/* Waits until all is written, and says which path the file of the next frame or checkpoint will have, malloc'ed: its
 * pieces are to be written as scr_piece_name calls them (results_files.h). */
scree_status scr_results_pieces_path(scr_results *results, bool checkpoint, const scr_world *world, char **path,
                                     scree_report *report);
/* They are there: the next frame or checkpoint has them, and takes none of these rows from its world. */
void scr_results_pieces_set(scr_results *results, const scr_piece *pieces, int count);

/* Writes the index: what was added since is visible from now on. It is written whole, with all links
 * and series, so a run with many frames does not do this for each of them. */
scree_status scr_results_publish(scr_results *results, const scr_world *world, const scr_series *series,
                                 int series_count, scree_report *report);
void scr_results_destroy(scr_results *results);

/* ---- reading ---- */

typedef struct scr_archive scr_archive;

typedef struct {
    int64_t step;
    double time;
    int64_t bodies;
    scr_spent spent; /* on the steps up to here; NAN: not known */
} scr_frame_info;

/* Opens results for reading; a run may be writing them at the same time. An archive keeps the last
 * frame open, so reading the views of one frame after the other is cheap; not for use by several
 * threads. */
scr_archive *scr_archive_open(const char *path, scree_report *report);
void scr_archive_close(scr_archive *archive);

const char *scr_archive_scene_text(const scr_archive *archive);
const char *scr_archive_scene_path(const scr_archive *archive);
/* What the run said of itself; "" where it is not known. */
const char *scr_archive_words(const scr_archive *archive);
/* How evenly ranks shared the work when the index was written; 0 ranks: there was one, or it is not known. */
scr_ranks_balance scr_archive_balance(const scr_archive *archive);
/* The device that computed the last steps, in words: "CPU", or a GPU's number and name. */
const char *scr_archive_device(const scr_archive *archive);
/* Whether the integrator reported this: a column of an observer `solver`. */
bool scr_archive_reports(const scr_archive *archive, const char *column);
const char *scr_archive_title(const scr_archive *archive); /* of the scene; "" when it has none */
int scr_archive_frame_count(const scr_archive *archive);
scr_frame_info scr_archive_frame(const scr_archive *archive, int frame);
/* Reads one view of one frame as doubles (integers are converted), width scalars per body; *data is
 * malloc'ed and owned by the caller. */
scree_status scr_archive_read(const scr_archive *archive, int frame, const char *view, double **data, size_t *bodies,
                              int *width, scree_report *report);
/* Whether a name is in a list of them that ends with NULL. */
bool scr_name_is_among(const char *const *names, const char *name);
/* Names of the views a frame holds, ends with NULL; owned by the archive. */
const char *const *scr_archive_views(const scr_archive *archive, int frame);
/* How a view is stored in a frame, for programs that read the file themselves: its type, and `FILE:/NAME` as seen from
 * the folder of the index, where FILE is the frame that holds the numbers; *place is malloc'ed, NULL where they are in
 * several files. */
scree_status scr_archive_stored(const scr_archive *archive, int frame, const char *view, scr_h5_type *type, int *width,
                                char **place, scree_report *report);
/* Number of contacts in a frame, -1 when it was written without them or cannot be read. */
int64_t scr_archive_contact_count(const scr_archive *archive, int frame);
/* Reads one column of a frame's contacts (observe/contact_table.h) as doubles, as scr_archive_read. */
scree_status scr_archive_contacts(const scr_archive *archive, int frame, const char *column, double **data,
                                  size_t *contacts, int *width, scree_report *report);
/* Grains that bonds hold together in a frame, by ids, the smaller first; none in results of before bonds were
 * written. Both malloc'ed. */
scree_status scr_archive_bonds(const scr_archive *archive, int frame, double **first, double **second, size_t *count,
                               scree_report *report);
/* Whether a frame says which bonds hold. */
bool scr_archive_has_bonds(const scr_archive *archive, int frame);
/* Elastic solids: what they are, and the mesh of all of them in the reference state, checked; without cells
 * where there are none. `border` is scr_border of each face. Owned by the archive. */
const scr_solid *scr_archive_solids(const scr_archive *archive, int *count);
const scr_polyhedra *scr_archive_mesh(const scr_archive *archive, const int32_t **border);
/* One view of the cells of a frame (observe/cell_views.h), and their names and units: as those of grains. */
scree_status scr_archive_cells(const scr_archive *archive, int frame, const char *view, double **data, int *width,
                               scree_report *report);
const char *const *scr_archive_cell_views(const scr_archive *archive, int frame);
const char *scr_archive_cell_unit(const scr_archive *archive, int frame, const char *view);
/* Faces of the mesh whose links have broken, in the order of links, and how: scr_link_fate. Both malloc'ed. */
scree_status scr_archive_broken(const scr_archive *archive, int frame, int32_t **faces, int32_t **fates, size_t *count,
                                scree_report *report);
/* The walls as faces, where they were at that frame; owned by the archive and valid until another
 * frame is asked for. `wall` is the place in scr_archive_walls; their count for a wall removed
 * since. */
const scr_face *scr_archive_faces(const scr_archive *archive, int frame, int *count);
const scr_wall *scr_archive_walls(const scr_archive *archive, int *count);
/* The same as they were at a frame: with their pose then. Valid until another frame is asked for. */
const scr_wall *scr_archive_frame_walls(const scr_archive *archive, int frame, int *count);
scr_domain scr_archive_domain(const scr_archive *archive);
/* The domain at a frame: another one where it deforms. */
scr_domain scr_archive_frame_domain(const scr_archive *archive, int frame);
/* Of a frame: corners, offsets and speeds of a domain that deforms. */
#define SCR_FRAME_BOX         "/domain/box"
#define SCR_FRAME_BOX_NUMBERS (9 + SCR_BOX_PARTS)

/* Reads the last complete checkpoint (step < 0) or that of a step into `world`, which must be
 * initialised and empty: the whole world as it was, with the laws and the faces that contacts refer
 * to. When the last checkpoint is damaged or holds numbers that are not finite, a warning says so
 * and the one before it is taken. */
scree_status scr_archive_world(const scr_archive *archive, int64_t step, scr_world *world, scree_report *report);

/* Checkpoints, oldest first. */
int scr_archive_checkpoint_count(const scr_archive *archive);
scr_frame_info scr_archive_checkpoint(const scr_archive *archive, int checkpoint);

/* Stages that the run had begun. */
const scr_stage *scr_archive_stages(const scr_archive *archive, int *count);
const scr_material *scr_archive_materials(const scr_archive *archive, int *count);
const scr_group *scr_archive_groups(const scr_archive *archive, int *count);
/* Unit of a view of a frame, "" for a pure number or an unknown view; owned by the archive. */
const char *scr_archive_unit(const scr_archive *archive, int frame, const char *view);

/* Time series: the first column is time. Columns of width 1 have one number per row, others one per
 * bin; `bin_values` says where the bins are. */
typedef struct {
    char *name, *kind;
    char **columns, **units; /* column_count of each */
    int *widths;
    int column_count;
    size_t count;        /* rows */
    int bins, bin_width; /* bins 0: none */
    char *bin_name, *bin_unit;
    double *bin_values; /* bins x bin_width */
} scr_series_info;

const scr_series_info *scr_archive_series(const scr_archive *archive, int *count);
/* One column of a series into `values`, which has room for its rows times its width. */
scree_status scr_archive_series_read(const scr_archive *archive, int series, int column, double *values,
                                     scree_report *report);

const char *scr_archive_version(const scr_archive *archive); /* of the Scree that wrote it */
const char *scr_archive_created(const scr_archive *archive); /* date and time, UTC */
/* What tells results and frames apart, whatever they are called: the digest of the index, of a frame (0: there is no
 * such frame), and the name of the run. */
uint64_t scr_archive_digest(const scr_archive *archive);
uint64_t scr_archive_frame_digest(const scr_archive *archive, int frame);
const char *scr_archive_run(const scr_archive *archive);
/* Whether a run writes to these results at this moment. */
bool scr_archive_is_live(const scr_archive *archive);
/* Bytes of the index, of all frames and of all checkpoints on disk; each may be NULL. */
void scr_archive_sizes(const scr_archive *archive, uint64_t *index, uint64_t *frames, uint64_t *checkpoints);

#endif
