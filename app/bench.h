/* Benchmarks: each measures and ends with plain lines `figure NAME VALUE UNIT`. */
#ifndef SCREE_APP_BENCH_H
#define SCREE_APP_BENCH_H

#include "scree/scree.h"

typedef struct {
    const char *state;  /* CSV of grains to start from, or NULL */
    const char *only;   /* one variant alone, or NULL */
    const char *lammps; /* program to compare with; NULL: lmp, if it is there */
    int steps;          /* 0: the benchmark's own number */
    int rounds;         /* 0: the benchmark's own number; the best of them counts */
    int grains;         /* 0: the benchmark's own number */
    int ratio;          /* largest over smallest diameter; 0: the benchmark's own */
} bench_def;

typedef struct {
    const char *name, *doc;
    int (*main)(const bench_def *def); /* exit code */
} bench;

extern const bench bench_chute, bench_settled, bench_ratio, bench_memory, bench_machine,
    bench_solver;

void figure(const char *name, double value, const char *format, const char *unit);

/* The figures GROUP.VARIANT.rate, .kinetic and so on, which bench/peers reads. */
void bench_figures(const char *group, const char *variant, double rate, double cpu_rate,
                   double kinetic, double rotation, const scree_stats *stats);
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

/* Processor time of this process [s]. */
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
