/* Relaxation of overlaps: balls that repel where they overlap come to rest where the energy
 *
 *   E = sum over overlaps of delta^2 / 2
 *
 * is least. Found with FIRE (Bitzek et al. 2006), a damped motion that stops whenever it runs
 * uphill. Serial, and so the same on every machine. */
#ifndef SCREE_SCENE_RELAX_H
#define SCREE_SCENE_RELAX_H

#include "scene/generate.h"
#include "scene/region.h"
#include "scene/space.h"

typedef struct {
    /* set by the caller, with scr_relax_reserve */
    const scr_domain_def *domain;
    const scr_region *region;       /* its border repels too */
    const scr_obstacles *obstacles; /* and so do these; NULL: none */
    size_t count;                   /* balls that move, the largest first */
    size_t fixed;                   /* after them balls that stay */
    double *place;                  /* x, y, z, radius of each */

    /* found by scr_relax_run */
    double energy;      /* [m^2] */
    double worst;       /* largest overlap over the smaller radius */
    size_t contacts;    /* overlaps between balls */
    int64_t iterations; /* in all runs */

    double *velocity, *force; /* 3 each */
    double *inverse;          /* mass, of each ball */
    double *anchor;           /* place when the list was made, 3 each */
    uint32_t (*pairs)[2];     /* of balls that are near each other */
    size_t pair_count;
    uint32_t (*borders)[2]; /* balls and the sides of the region they are near to */
    size_t border_count;
    uint32_t *beside; /* balls that are near obstacles */
    size_t beside_count;
    double skin;
    scr_space space;
} scr_relax;

/* Room for the balls; false when memory is exhausted. */
bool scr_relax_reserve(scr_relax *relax, size_t count, size_t fixed);
void scr_relax_deinit(scr_relax *relax);

/* Relaxes until no overlap exceeds `tolerance` (of the smaller radius), or the balls are at rest:
 * what is left of the forces is `rest` times the contact forces; or `most` iterations are done.
 * False when memory is exhausted. */
bool scr_relax_run(scr_relax *relax, double tolerance, double rest, int64_t most);

#endif
