/* Flow through planes: every grain that passes is counted, in the step in which it passes.
 *
 * A grain is on one side of a plane or on the other. Along a periodic axis the plane repeats, and the grain has a
 * whole number: how many of these planes are behind it. Two bits of the body's `side` hold this number modulo 3,
 * plus 1 (0: not seen yet), so that they travel with the grain through sorting and restart. Each step compares.
 * A grain moves less than one spacing of planes in a step, so the difference modulo 3 is all there is to know.
 *
 * A grain that appears is seen before it is counted; one that is removed passes before it goes. */
#ifndef SCREE_WORLD_FLOW_H
#define SCREE_WORLD_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/total.h"
#include "math/vec3.h"
#include "world/flow_text.h"

#define SCR_MOST_FLOWS 15 /* two bits each in a positive int32_t */

#define SCR_MOST_FLOW_BINS 1000000

#define SCR_NO_GROUP -2

struct scr_world;

/* What has passed: [0] along the normal, [1] against it. */
typedef struct {
    int64_t count[2];
    double mass[2]; /* [kg] */
} scr_flow_sum;

/* Sums since the start: mass along the normal, and against it [kg]; mass times where it passed along the normal, from
 * `point` [kg m]; mass times the square of each coordinate of that [kg m^2]. */
enum { SCR_FLOW_MASS, SCR_FLOW_PLACE = 2, SCR_FLOW_SQUARE = 5, SCR_FLOW_SUMS = 8 };

/* Where grains passed along the normal: how many in each bin of a box, x fastest. */
typedef struct {
    vec3 low, high;  /* of the box */
    int count[3];    /* bins along each axis; 0: none */
    int64_t *passed; /* a buffer */
} scr_flow_bins;

typedef struct {
    char *name;         /* of the observer; owned */
    vec3 point, normal; /* of the plane; the normal is a unit vector */
    int periodic;       /* the periodic axis that the normal follows, -1: none */
    int group;          /* only grains of this group; -1: all, SCR_NO_GROUP: one that is gone */
    int slot;           /* which two bits of `side` */
    int64_t count[2];   /* that have passed since the start, along the normal and against it */
    scr_total sum[SCR_FLOW_SUMS];
    scr_flow_sum mark; /* what had passed at the last row */
    scr_flow_bins bins;
    double mark_time; /* of the last row [s] */
    bool watched;     /* an observer of this run has asked for it */

    /* grains that may pass before the neighbour list is built again; derived */
    uint32_t *near;
    size_t near_count, near_bodies;
    int64_t near_list; /* clock.rebuilds for which it holds, -1: none */
} scr_flow;

/* The flow of that name, NULL when there is none. */
scr_flow *scr_flow_find(const struct scr_world *world, const char *name);
/* Takes a plane into the world; `flow` gives name (copied), point, normal, group, and the bins without their counts.
 * One of the same name, plane and bins is already there after a restart and goes on; another begins anew. NULL when
 * memory or slots are exhausted. */
scr_flow *scr_flow_watch(struct scr_world *world, const scr_flow *flow);
/* How many bins; room for their counts, all zero (false when memory is exhausted). */
size_t scr_flow_bins_number(const scr_flow_bins *bins);
bool scr_flow_bins_open(scr_flow_bins *bins);
/* Forgets planes that are no longer observed. */
void scr_flows_sweep(struct scr_world *world);
void scr_flows_deinit(struct scr_world *world);

/* The plane as scr_flow_cross wants it, and what is counted where a grain passes it. */
scr_flow_plane scr_flow_plane_of(const struct scr_world *world, const scr_flow *flow);
void scr_flow_count(scr_flow *flow, int against, double mass, vec3 place);
scr_flow_sum scr_flow_passed(const scr_flow *flow);

/* Counts one grain where it is now, at one plane or at all: to be called before it is removed. All grains, after every
 * step: collide/flows.h. */
void scr_flow_pass(struct scr_world *world, scr_flow *flow, size_t body);
void scr_flows_pass(struct scr_world *world, size_t body);

#endif
