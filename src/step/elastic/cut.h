/* Cells of elastic solids over ranks (comm/share.h): what a rank tells others of the cells that it moves.
 *
 * A rank has ghosts: cells of others that are linked to its own, or that its lists of contacts name. It asks for them
 * when it has new lists, and each step brings them motions, and eps once these are known; with damping by stiffness,
 * velocities and rates before. When lists are made, all ranks learn all motions. */
#ifndef SCREE_STEP_ELASTIC_CUT_H
#define SCREE_STEP_ELASTIC_CUT_H

#include "comm/share.h"

/* Numbers of cells that travel together. */
typedef enum {
    ELASTIC_MOTION, /* displacement, turn, velocity, momentum */
    ELASTIC_SPEED,  /* velocity, momentum */
    ELASTIC_STRAIN, /* eps and kap */
    ELASTIC_RATE    /* of the change of volume, of damping */
} elastic_news;

typedef struct {
    int rank;
    uint32_t *out, *in; /* cells that it asks for, that we ask for; buffers */
    size_t out_count, in_count;
    double *out_numbers, *in_numbers; /* buffers */
} elastic_peer;

typedef struct {
    elastic_peer *peers; /* room for all ranks; a buffer */
    int peer_count;
    uint8_t *wanted; /* of each cell; a buffer */
} elastic_cut;

void scr_elastic_cut_deinit(elastic_cut *cut);

#endif
