/* Benchmarks: each measures and ends with plain lines `figure NAME VALUE UNIT`. */
#ifndef SCREE_APP_BENCH_H
#define SCREE_APP_BENCH_H

#include "scree/scree.h"

#define BENCH_DIAMETER 0.013 /* [m] of the larger grains of the scenes for `nonsmooth` */

typedef struct {
    const char *state;             /* CSV of grains to start from, or NULL */
    const char *only;              /* one variant alone, or NULL */
    const char *lammps;            /* program to compare with; NULL: lmp, if it is there */
    int steps;                     /* 0: the benchmark's own number */
    int rounds;                    /* 0: the benchmark's own number; the best of them counts */
    int grains;                    /* 0: the benchmark's own number */
    int ratio;                     /* largest over smallest diameter; 0: the benchmark's own */
    int sweeps;                    /* 0: the benchmark's own number */
    int threads;                   /* at most; 0: as many as there are cores */
    bool warm;                     /* sweeps start from the impulses of the last step */
    bool quick, full;              /* small problems, to see that it works; the long ones too */
    bool most;                     /* the largest number of threads alone */
    const scree_setting *settings; /* changes to the scenes of both sides */
    int setting_count;
} bench_def;

typedef struct {
    const char *name, *doc;
    int (*main)(const bench_def *def); /* exit code */
} bench;

extern const bench bench_chute, bench_settled, bench_ratio, bench_memory, bench_machine, bench_solver, bench_reduction,
    bench_nonsmooth, bench_accuracy, bench_scene, bench_elastic, bench_variational, bench_ramp, bench_output,
    bench_threads, bench_start_up, bench_gpu;

void figure(const char *name, double value, const char *format, const char *unit);

/* The figures GROUP.VARIANT.rate, .kinetic and so on, which bench/peers reads. */
void bench_figures(const char *group, const char *variant, double rate, double cpu_rate, double kinetic,
                   double rotation, const scree_stats *stats);
/* What a step must move through memory at least, in words: see bench_account.c. */
void bench_account(const scree_stats *stats, double ns_per_grain);
/* Exit code 2, after a message: there is no such variant. */
int bench_no_variant(const char *variant);

/* A simulation of a scene text, with nothing said; simulation is NULL after messages. */
typedef struct {
    scree_scene *scene;
    scree_simulation *simulation;
} bench_world;

bench_world bench_open(const char *text, scree_simulation_def def);
void bench_close(bench_world *world);

/* CPU time of this process [s]. */
double bench_cpu(void);

/* Advances and gives the seconds it took; negative after messages. */
double bench_advance(scree_simulation *simulation, int64_t steps);

/* ---- states ---- */

/* A file in the user's cache folder, which is made; false when there is no such folder. */
bool bench_cache(char *path, size_t size, const char *name);

/* Velocity along x at a height. */
typedef double bench_flow(double z);

/* Bodies as CSV, with column `type` = types[0] for the first group of the scene and types[1] for the
 * others; written beside and renamed. With `flow` they get its velocity and no spin instead of their
 * own (bench_halt: none). */
bool bench_write_state(scree_simulation *s, const char *path, const int types[2], bench_flow *flow);
double bench_halt(double z);
/* The same state side x side times, edge[0] apart along x and edge[1] along y. */
bool bench_copy_state(const char *from, const char *to, const double edge[2], int side);

/* The chute: the path of its state, which is made unless it is there, and the scene of side x side of them. */
bool bench_chute_state(char *path, size_t size);
void bench_chute_scene(const char *state, int side, char *text, size_t size);

/* A settled bed: geometry in diameters of the smallest grain, and the numbers of its law,
 *
 *   F_n = sqrt(R* delta) (kn delta - m* gamma v_n),  F_t = -sqrt(R* delta) (kt h + m* gamma/2 v_t). */
typedef struct {
    int ratio, grains, large; /* large: how many of them have diameter `ratio`, the rest 1 */
    bool full;                /* there are fines enough to fill the pores */
    double width, height;     /* of the box along x and y, along z */
    double kn, kt, gamma, poisson, friction, dt;
    char path[2300]; /* CSV: type 1 are fines, 2 large */
} bench_bed;

bench_bed bench_bed_of(int ratio, int grains);

/* Makes the state at `state` (NULL: in the cache) unless it is there; false after messages. */
bool bench_bed_make(bench_bed *bed, const char *state);

typedef struct {
    const char *scheme;
    double restitution; /* > 0: damping by restitution instead of gamma */
    int threads;
    int list_every; /* steps between two neighbour lists; 0: as needed */
} bench_run;

void bench_bed_scene(const bench_bed *bed, const bench_run *run, char *text, size_t size);

/* ---- the stepper `nonsmooth` ---- */

/* Scene texts. */
extern const char bench_conveyor_text[], bench_settle_text[], bench_collapse_text[], bench_drum_text[],
    bench_rest_text[];

/* Changes to a scene. */
#define BENCH_SETTINGS 80
typedef struct {
    scree_setting all[BENCH_SETTINGS];
    char values[BENCH_SETTINGS][48];
    int count;
    int threads; /* 0: one */
} bench_settings;

void bench_set(bench_settings *settings, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs a scene to its end, from the state in the results file `from` (NULL: its own), and keeps the last state
 * at `output`; its CPU time [s], negative after messages. */
double bench_make(const char *text, const bench_settings *settings, const char *from, const char *output);
/* Its start as a simulation, from such a state; simulation is NULL after messages. */
bench_world bench_start(const char *text, const bench_settings *settings, const char *from);

/* What some steps cost. */
typedef struct {
    int64_t grains, steps;
    double cpu, dearest; /* CPU time of all steps, of the dearest of them [s] */
    int64_t busy;        /* steps in which a contact was solved for, */
    double busy_cpu;     /* and their CPU time [s] */
    double h;            /* mean reduction */
    double active;       /* contact-sweeps over those without reduction */
} bench_cost;

bool bench_steps(scree_simulation *simulation, int64_t steps, bench_cost *cost);
/* The first value of an observer's column, NAN after messages. */
double bench_observe(scree_simulation *simulation, const char *observer, const char *column);
/* A view of all bodies, in the order of ids; NULL after messages. */
double *bench_view(const scree_simulation *simulation, const char *view, int64_t *bodies);

/* A folder for states: `kept`, which is made, or a temporary one, which bench_folder_remove takes away. */
typedef struct {
    char path[2048];
    bool temporary;
} bench_folder;

bool bench_folder_make(bench_folder *folder, const char *kept);
void bench_folder_remove(const bench_folder *folder);
/* The path of a file in it; true when it is there. */
bool bench_folder_file(const bench_folder *folder, const char *name, char path[2300]);

/* What the collapse left, in diameters of the large grains where it is a length. */
typedef struct {
    double slope, height, runout, middle;
    double tagged; /* slope of the grains that were on top when it began [deg] */
} bench_heap;

/* From the positions before and after, and the observer `bank`. */
bool bench_heap_of(scree_simulation *simulation, const double *before, bench_heap *heap);

/* The drum: steps, with what is seen every tenth of them. */
typedef struct {
    double angle, spread, kinetic, lift; /* [deg], [deg], [J], diameters */
} bench_flowing;

bool bench_turn(scree_simulation *simulation, int64_t steps, bench_cost *cost, bench_flowing *seen);

/* LAMMPS on the same problem. */
typedef struct {
    double kinetic_100, rotation_100, kinetic_1000, rotation_1000;
    double rate; /* particle-steps per second, one core */
} lammps_result;

/* Runs LAMMPS' gran/hooke/history chute from a CSV state; false after a message when it is not
 * there or fails. */
bool bench_lammps(const char *program, const char *state, int64_t grains, const double box[2][3],
                  lammps_result *result);

#endif
