/* Benchmarks: each measures and ends with plain lines `figure NAME VALUE UNIT`. */
#ifndef SCREE_APP_BENCH_H
#define SCREE_APP_BENCH_H

#include "scree/scree.h"

typedef struct {
    const char *state;  /* CSV of grains to start from, or NULL */
    const char *lammps; /* program to compare with; NULL: lmp, if it is there */
    int steps;          /* 0: the benchmark's own number */
    int rounds;         /* 0: the benchmark's own number; the best of them counts */
    int grains;         /* 0: the benchmark's own number */
} bench_def;

typedef struct {
    const char *name, *doc;
    int (*main)(const bench_def *def); /* exit code */
} bench;

extern const bench bench_chute, bench_memory;

void figure(const char *name, double value, const char *format, const char *unit);

/* A simulation of a scene text, with `threads` threads and nothing said; simulation is NULL after
 * messages. */
typedef struct {
    scree_scene *scene;
    scree_simulation *simulation;
} bench_world;

bench_world bench_open(const char *text, int threads, bool no_ledger);
void bench_close(bench_world *world);

/* Advances and gives the seconds it took; negative after messages. */
double bench_advance(scree_simulation *simulation, int64_t steps);

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
