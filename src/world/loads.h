/* What acts on elastic solids from outside: named patches of cells and border faces, supports that hold or move
 * them, loads, and sponges that absorb waves. Made from the scene; functions of time, so only what supports have
 * felt is state.
 *
 * A load is a sum over entries, each a force f on a cell at a material point with the arm r of the reference state:
 *
 *   F += a f,   M += (R r) x (a f) + a m,   a = signal(t),                                          (1)
 *
 * with f and m turned by R when the load follows the surface. A traction also adds a S D sigma_n/(4 mu), D = 2 h, to
 * the sum inside eps of its cell (`swell`). */
#ifndef SCREE_WORLD_LOADS_H
#define SCREE_WORLD_LOADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/total.h"
#include "math/vec3.h"
#include "world/signal.h"

/* Cells, and faces of the border or of symmetry, each sorted. */
typedef struct {
    char *name;
    uint32_t *cells, *faces;
    size_t cell_count, face_count;
} scr_patch;

typedef struct {
    uint32_t cell;
    vec3 arm;     /* r [m] */
    vec3 force;   /* f [N] */
    vec3 couple;  /* m [N m] */
    double swell; /* [m^3] */
} scr_load_entry;

typedef struct {
    char *name;
    bool follows; /* f and m turn with their cells */
    scr_signal signal;
    scr_load_entry *entries; /* by cell */
    size_t entry_count;
    scr_total work; /* done since the start [J]: state */
} scr_load;

/* Force and torque of a support on its cells at the end of the last step, about p [N, N m]; work done since the start
 * [J]. */
enum { SCR_FELT_FORCE, SCR_FELT_TORQUE = 3, SCR_FELT_WORK = 6, SCR_FELT_SUMS = 7 };

/* Motions of cells that are held, or prescribed: in the held directions
 *
 *   u = s(t) d + (R - 1)(X_0 - p),   R = turn about p by s(t) a,                                   (2)
 *
 * and where all turns are held, the turn of the cell is R. */
typedef struct {
    char *name;
    int patch;
    int holds;            /* bits as in scr_cells.held */
    vec3 displacement;    /* d [m] */
    vec3 rotation, point; /* a [rad], p [m] */
    scr_signal signal;
    scr_total felt[SCR_FELT_SUMS]; /* as above: state */
} scr_support;

static inline vec3 scr_support_force(const scr_support *s)
{
    return v3(scr_total_value(&s->felt[0]), scr_total_value(&s->felt[1]), scr_total_value(&s->felt[2]));
}
static inline vec3 scr_support_torque(const scr_support *s)
{
    return v3(scr_total_value(&s->felt[3]), scr_total_value(&s->felt[4]), scr_total_value(&s->felt[5]));
}

/* Cells within `width` of the plane lose momentum at the rate rate s^2, s from 0 at its inner side to 1 at the
 * plane. The plane stands at `point` with the unit normal outward. */
typedef struct {
    char *name;
    vec3 point, normal;
    double width, rate; /* [m], [1/s] */
} scr_sponge;

struct scr_world;
/* The factor of a load or support now. */
double scr_signal_now(const struct scr_world *world, const scr_signal *signal);
/* And at another time. */
double scr_signal_then(const struct scr_world *world, const scr_signal *signal, double time);
void scr_loads_deinit(struct scr_world *world);
int scr_patch_find(const struct scr_world *world, const char *name);

#endif
