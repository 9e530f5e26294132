/* Scree: the public C API. Programs and the command line see only this.
 *
 * A scene file becomes a scree_scene; a scene becomes a simulation, which is advanced step by step,
 * or a whole run with results, checkpoints and progress. Results are read back by path. Every
 * fallible call returns a status and explains itself in a report (status.h). The caller that
 * creates an object owns it. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scree/energies.h"
#include "scree/live.h"
#include "scree/reports.h"
#include "scree/results.h"
#include "scree/status.h"

#include "scree/begin.h"

const char *scree_version(void);
/* GPUs that there are, and a line about one of them. Where there is none: why, in words. */
int scree_gpus(void);
void scree_gpu_text(int number, char *text, size_t size);
const char *scree_gpus_missing(void);

/* ---- scenes ---- */

typedef struct scree_scene scree_scene;

/* A change to a scene before it is read: a dotted path such as materials.glass.friction, and the
 * new text. */
typedef struct {
    const char *path, *value;
} scree_setting;

/* Reads and checks the form of a scene; all errors are in the report. *scene is NULL on error. */
scree_status scree_scene_open(const char *path, const scree_setting *settings, int setting_count, scree_scene **scene,
                              scree_report *report);
/* The same from text; `name` stands in messages, and relative files start at its folder. */
scree_status scree_scene_parse(const char *text, const char *name, const scree_setting *settings, int setting_count,
                               scree_scene **scene, scree_report *report);
void scree_scene_close(scree_scene *scene);
const char *scree_scene_title(const scree_scene *scene);

/* Builds the world and checks what the numbers mean together: overlaps, domain, time step, and the
 * restitution that two bodies alone really have with them. Writes nothing. */
scree_status scree_scene_check(const scree_scene *scene, scree_report *report);

/* What can be written: help on a key or section (NULL: all sections), the JSON schema, the
 * reference page. */
scree_status scree_help_write(const char *key, FILE *out, scree_report *report);
void scree_schema_write(FILE *out);
void scree_reference_write(FILE *out);

/* Of words, NULL after the last, the one that was probably meant; NULL: none is near. */
const char *scree_nearest(const char *wanted, const char *const *words);

/* Example scenes: name and one line about each; NULL name after the last. */
typedef struct {
    const char *name, *doc, *text;
    const char *file, *file_text; /* a mesh that it needs beside it; NULL: none */
} scree_example;
const scree_example *scree_examples(void);
/* Writes one as a scene file, with the mesh it needs in the same folder, as all outputs are written (see below). */
scree_status scree_example_write(const scree_example *example, const char *path, bool force, scree_report *report);

/* ---- ranks ---- */

/* Of a program that runs as several processes (scree-mpi): to be called first in main. On rank 0 it returns false, and
 * the program does what it does; its simulations are divided among all ranks. On the others it returns true when the
 * program of rank 0 has ended; they have done their parts then, and exit. */
bool scree_ranks_serve(void);
/* How many there are: 1 in a program without them. */
int scree_ranks(void);

/* ---- simulations ---- */

typedef struct {
    int threads;        /* 0: all cores */
    bool quiet;         /* say nothing of what was chosen */
    bool no_ledger;     /* leave energies out, only to measure their cost */
    int list_every;     /* steps between two neighbour lists, only to measure their cost; 0: as needed */
    const char *resume; /* results file to continue exactly, or NULL */
    const char *from;   /* results file whose last state is the start of a new run, or NULL */
    bool at_frame;      /* with `from`: the state of this frame rather than the last one */
    int frame;          /* counted from 0; negative: from the end */
    bool contacts;      /* keep the forces of contacts of the last step of each advance: scree_simulation_contacts */
    const char *device; /* auto, cpu, gpu or gpu:1, which is the second one; NULL: as the scene says */
    const char *stage;  /* with from: the stage that the new run begins with; with resume: the stage to go back to,
                           and continue from its start; NULL: the first, and the last */
    bool statics;       /* states of rest instead of motion; one step is one load step (scene section `statics`) */
} scree_simulation_def;

scree_simulation_def scree_simulation_def_default(void);

/* The world of a scene, ready to step: forces at the present time are known. The scene must outlive
 * it. Two may run in two threads; files are read and written by one thread at a time. */
scree_status scree_simulation_create(const scree_scene *scene, const scree_simulation_def *def,
                                     scree_simulation **simulation, scree_report *report);
void scree_simulation_destroy(scree_simulation *simulation);
scree_status scree_simulation_advance(scree_simulation *simulation, int64_t steps, scree_report *report);

#define SCREE_F_(name, type, unit, show, doc) type name;
typedef struct {
    SCREE_STATICS_REPORTS(SCREE_F_)
} scree_statics;

typedef struct {
    double time, dt; /* [s] */
    int64_t step, bodies, pairs, rebuilds;
    int64_t bonds, broken_tension, broken_shear;                  /* that hold; that broke since the start */
    int64_t cells, links, broken_links, fragments;                /* of elastic solids; links that hold */
    int64_t halo;                                                 /* slots for bodies of other blocks */
    int levels;                                                   /* of the grid */
    double seconds_integrate, seconds_neighbours, seconds_forces; /* since creation */
    const char *vectors;                                          /* instruction set in use */
    const char *device;                                           /* where steps are computed: cpu or gpu */
    /* what the stepper reports (scree/reports.h): zero where it is another's */
    SCREE_CONTACT_REPORTS(SCREE_F_)
    SCREE_SOLVER_REPORTS(SCREE_F_)
    SCREE_NONSMOOTH_REPORTS(SCREE_F_) SCREE_VARIATIONAL_REPORTS(SCREE_F_) scree_statics statics;
    const void *stepper; /* whose reports these are: for scree_stats_print */
} scree_stats;
#undef SCREE_F_

/* What there is to say of them at the end of a run: lines of text, or nothing. */
void scree_stats_print(const scree_stats *stats, FILE *out);

scree_energies scree_simulation_energies(const scree_simulation *simulation);
scree_stats scree_simulation_stats(const scree_simulation *simulation);
/* Fingerprint of the whole state, the same for any number of threads. */
uint64_t scree_simulation_digest(scree_simulation *simulation, scree_report *report);
/* Copies one view (position, velocity, ...; see docs/format.md) of all bodies in the order of ids, or of the cells of
 * elastic solids (cells.displacement, cells.stress, ...) in the order of their numbers; the caller frees *data. */
scree_status scree_simulation_read(const scree_simulation *simulation, const char *view, double **data, int64_t *bodies,
                                   int *width, scree_report *report);

/* What an observer of the scene, by its name there, sees now: one of its columns (docs/scene.md, docs/format.md).
 * *count is 1, or the number of bins; the caller frees *values. */
scree_status scree_simulation_observe(scree_simulation *simulation, const char *observer, const char *column,
                                      double **values, int *count, scree_report *report);

/* Says what a scene will cost and how its numbers fit together: time scales, overlaps, size ratio,
 * steps, time, memory, advice. Up to two seconds of steps are timed and thrown away; nothing is
 * written but to `out`. */
scree_status scree_scene_advise(const scree_scene *scene, const scree_simulation_def *def, FILE *out,
                                scree_report *report);
/* The same as JSON: numbers in SI units, null where one does not apply, and the advice as a list of sentences. */
scree_status scree_scene_advise_json(const scree_scene *scene, const scree_simulation_def *def, FILE *out,
                                     scree_report *report);

/* Peak memory of this process [bytes]. */
uint64_t scree_peak_memory(void);

/* ---- outputs ---- */

/* One rule for all files that are written under a name of the caller's: a file that exists is replaced only when it is
 * an earlier output of the same kind, recognised by its content, or where `force` is set. A scene, results or a part of
 * them, and what is not a regular file are never replaced. Otherwise the call fails with SCREE_E_INPUT, and nothing has
 * been written. */

/* ---- runs ---- */

typedef struct {
    scree_simulation_def simulation;
    const char *output; /* results file; NULL: the scene's name with .h5 */
    bool force;         /* see outputs, above */
    /* called once, when the results can be read: the first frame stands; NULL: nothing is */
    void (*ready)(void *context, const char *output);
    void *context;
    /* asked before results of an earlier run are replaced, unless `force` is set: false leaves them, and the call fails
     * with SCREE_E_INPUT; NULL: they are replaced */
    bool (*replace)(const char *output);
} scree_run_def;

typedef struct {
    char output[4096];     /* where the results are */
    uint64_t digest;       /* of the final state */
    double seconds;        /* of stepping */
    double start_seconds;  /* from the call to the first step */
    double output_seconds; /* of these that steps waited for output */
    double writer_seconds; /* CPU time of the thread that writes, from the start on */
    double particle_steps; /* bodies times steps */
    scree_stats stats;
    scree_energies energies;
    double turned_over; /* energy that the balance error is compared with [J] */
    char balance[240];  /* the energy balance in words, with a verdict */
    int signal;         /* that ended the run, or 0 */
} scree_run_result;

scree_run_def scree_run_def_default(void);

/* Runs a scene to its end: frames, series, checkpoints, progress on stderr. Ctrl-C and SIGTERM
 * write a checkpoint and return SCREE_E_INTERRUPT with the signal in the result. */
scree_status scree_run(const scree_scene *scene, const scree_run_def *def, scree_run_result *result,
                       scree_report *report);

/* ---- sweeps and cases ---- */

/* One scene, run for every combination of values of some of its keys. */
typedef struct {
    const char *scene;
    const scree_setting *settings; /* changes that hold for all runs */
    int setting_count;
    const char *const *over; /* `path=values`: from:to:step, from:to:*factor or a list a,b,c */
    int over_count;
    const char *const *measures; /* `NAME=EXPRESSION`, or SERIES.COLUMN:last; see docs/cases.md */
    int measure_count;
    const char *output; /* table to write (CSV); the journal and the results of the runs are in the
                           folder of that name with .runs; NULL: named after the scene */
    int jobs;           /* runs at once; 0: all cores */
    bool keep;          /* keep the results of each run */
    bool fresh;         /* forget what an earlier call has done */
    bool force;         /* see outputs, above */
    bool quiet;
} scree_sweep_def;

typedef struct {
    char output[4096];        /* where the table is */
    long runs, known, failed; /* in the table; of them done before this call; failed */
    int signal;               /* that ended the sweep, or 0 */
} scree_sweep_result;

/* Runs what an earlier call has not done, each run on one core, and writes the table. A run that
 * fails is a row with its message. SCREE_E_INTERRUPT after a signal: call again to go on. */
scree_status scree_sweep(const scree_sweep_def *def, scree_sweep_result *result, scree_report *report);

/* Published problems: scenes with the numbers they must give. */
typedef enum { SCREE_QUICK, SCREE_LONG, SCREE_FULL } scree_case_set;

typedef struct {
    const char *const *cases; /* names; none: all */
    int case_count;
    const char *folder;   /* of the cases; NULL: SCREE_CASES, or beside the program */
    scree_case_set set;   /* the quick runs, the long ones too, or all */
    const char *results;  /* folder that keeps the results, so that a stopped call can go on; NULL:
                            a temporary one */
    const char *plots;    /* folder for plots; NULL: none */
    const char *page;     /* HTML file with all cases, plots and numbers; NULL: none */
    const char *markdown; /* the numbers as Markdown; NULL: none */
    int jobs;             /* runs at once; 0: all cores */
    bool fresh, force, quiet;
    FILE *out; /* where the comparison is written */
} scree_reproduce_def;

typedef struct {
    int passed, failed; /* quantities */
    int differing;      /* quantities that miss their reference as declared (`expect: differs`) */
    int plots;          /* files written */
    int signal;         /* that ended it, or 0 */
} scree_reproduce_result;

/* Runs cases and compares; a quantity that fails is not an error of the call. */
scree_status scree_reproduce(const scree_reproduce_def *def, scree_reproduce_result *result, scree_report *report);
/* Names and titles of the cases, a line each. */
scree_status scree_cases_write(const char *folder, FILE *out, scree_report *report);

/* Runs of one scene, compared with the first of them. */
typedef struct {
    const char *const *results; /* files; the first is the reference */
    int count;
    const char *output; /* folder for plots and the table as CSV; NULL: beside the first results */
    bool table_only;    /* write no files */
    bool force;
    FILE *out; /* where the table is written */
} scree_compare_def;

typedef struct {
    char folder[4096]; /* of the plots */
    int plots;         /* files written */
} scree_compare_result;

/* Scenes that differ are warned of; results without a common time are an error. */
scree_status scree_compare(const scree_compare_def *def, scree_compare_result *result, scree_report *report);

/* ---- results ---- */

/* What is in a results file, as text, or as JSON. */
scree_status scree_results_info(const char *results, FILE *out, scree_report *report);
scree_status scree_results_info_json(const char *results, FILE *out, scree_report *report);

/* Results, which are an index and a folder, as one file for mailing: a tar archive. `output` NULL: the index's name
 * with .tar. It is an output as above. */
scree_status scree_results_pack(const char *results, const char *output, bool force, FILE *list, scree_report *report);
/* The way back, into a folder (NULL: the present one) where nothing is replaced. Both name what they made in `list`,
 * which may be NULL. */
scree_status scree_results_unpack(const char *packed, const char *folder, FILE *list, scree_report *report);

typedef struct {
    const char *results;    /* file to read */
    const char *output;     /* file, or prefix where a format needs several */
    const char *format;     /* vtp, vtu, vti, vtkhdf, hdf, xdmf, dump, xyz or csv; NULL: vtu for elastic solids,
                               else vtp, and csv for a series */
    int first, last, every; /* frames; last < 0 counts from the end */
    bool contacts;          /* the contacts of the frames rather than the grains: vtp, csv */
    bool rigid;             /* cells of elastic solids as the rigid bodies they are: vtu */
    const char *series;     /* a series as csv, rather than frames; NULL: frames */
    bool force;
    FILE *list; /* where to name the file to open; NULL: nowhere */
} scree_export_def;
scree_export_def scree_export_def_default(void);
scree_status scree_results_export(const scree_export_def *def, scree_report *report);

/* A plot of what observers wrote: curves of expressions (as in sweeps) of columns, or a map of a column on a grid. */
#define SCREE_PLOT_CURVES 32
typedef struct {
    const char *results;
    const char *output;                    /* .png or .svg */
    const char *const *y;                  /* expressions: SERIES.COLUMN, or arithmetic on such */
    int y_count;                           /* at most SCREE_PLOT_CURVES */
    const char *x;                         /* NULL: time */
    const char *map;                       /* SERIES.COLUMN of the observers fields or grid, in place of y */
    const char *slice;                     /* y=0.01: the layer of a three-dimensional grid; NULL: the middle one */
    double time;                           /* of the map [s]; NAN: the last row */
    bool points;                           /* rather than lines */
    const char *title, *x_label, *y_label; /* NULL: from the results */
    bool force;
} scree_plot_def;
scree_plot_def scree_plot_def_default(void);
scree_status scree_results_plot(const scree_plot_def *def, scree_report *report);

typedef struct {
    const char *results;
    const char *output;              /* PNG; with several frames a number is put before .png */
    int first, last, every;          /* frames; the default is the last one */
    int width, height;               /* [pixels]; 0: 1600 x 1000, of a movie 1280 x 720 */
    int rays;                        /* per pixel and side, 1 to 8; 0: 3, in a movie 2 */
    const char *colour;              /* speed (NULL), velocity.z, radius, ...; none with forces */
    const char *map;                 /* colour map */
    double low, high;                /* of the colour scale; NAN: from the frames */
    double azimuth, elevation, zoom; /* [deg], [deg], 1 fits all */
    double warp;                     /* displacements of elastic solids are shown so many times as large; NAN: chosen */
    bool rigid;                      /* cells of elastic solids as the rigid bodies they are */
    /* size of grains, times what it is; 0: not drawn; NAN: 1, with forces 0, with bonds 0.6 */
    double grains;
    bool forces; /* forces of contacts as rods, as thick as they are large; they have the colours */
    bool bonds;  /* bonds as rods between grains */
    /* x=0.1: what lies on the camera's side of this plane is cut away; +x=0.1, -x=0.1: above, below; NULL: nothing */
    const char *clip;
    bool title, legend;

    /* Several pictures, numbered or as a movie, have one view and one colour scale. */
    /* .mp4, .mov or .mkv, made by ffmpeg; where that is not installed, numbered PNGs, and `list` gets the command that
     * makes the movie of them; NULL: pictures */
    const char *movie;
    double fps; /* pictures a second */
    /* of the movie [s]: time runs evenly however far apart frames are; NAN: each frame once */
    double duration;
    double orbit; /* the camera turns so far during the movie [deg] */
    /* file of keys: time azimuth elevation zoom [x y z], a line each; NULL: none */
    const char *path;

    bool force;
    FILE *list;  /* where to name each picture, a line each; NULL: nowhere */
    int *signal; /* gets the signal that ended it (SCREE_E_INTERRUPT); NULL: not wanted */
} scree_picture_def;
scree_picture_def scree_picture_def_default(void);
scree_status scree_results_render(const scree_picture_def *def, scree_report *report);

/* A run as one HTML page that needs nothing else: what was run, pictures, energy, observers, choices, the scene. */
typedef struct {
    const char *results;
    const char *output; /* the page */
    bool force;
} scree_page_def;
scree_status scree_results_report(const scree_page_def *def, scree_report *report);

/* The viewer: a server for a browser on this machine, which shows the results and follows a run that writes them. */
typedef struct {
    const char *results;
    const char *beside; /* other results, shown beside with the same clock and camera; NULL: none */
    int port;           /* of 127.0.0.1; 0: any that is free */
    bool open;          /* show it in a browser, where there is one */
    double patience;    /* a request that has not arrived after so long is given up [s] */
    FILE *out;          /* where the address is written, a line */
} scree_view_def;
scree_view_def scree_view_def_default(void);
/* Serves until SIGINT or SIGTERM; then SCREE_OK. */
scree_status scree_results_view(const scree_view_def *def, scree_report *report);

/* ---- measuring ---- */

/* The solver of contacts (projected Gauss-Seidel) by itself, on a packing of spheres made for it. */
typedef struct {
    int contacts, sweeps, threads;
    int rounds;   /* at least, and for half a second at least; the best of them counts */
    bool precise; /* sweeps in double precision */
} scree_solver_def;

typedef struct {
    int64_t contacts, bodies;
    int colours;
    double fill;     /* part of the lanes that is in use */
    double sweep;    /* seconds for once through all contacts */
    double prepare;  /* colouring [s] */
    double around;   /* what else a solution takes: packing, adding up [s] */
    uint64_t digest; /* of velocities and impulses */
} scree_solver_result;

scree_status scree_solver_measure(const scree_solver_def *def, scree_solver_result *result, scree_report *report);

#include "scree/end.h"

#endif
