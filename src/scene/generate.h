/* Grains from a `bodies` item: single places, table, LAMMPS data file, lattice, random insertion. */
#ifndef SCREE_SCENE_GENERATE_H
#define SCREE_SCENE_GENERATE_H

#include "scene/scene.h"

typedef struct {
    int64_t id;     /* from the file; 0: to be given */
    vec3 position;  /* centre [m] */
    double radius;  /* [m] */
    double density; /* [kg/m^3]; NAN: the material's */
    int material;   /* number among the scene's materials, and one more; 0: the group's */
    vec3 velocity;  /* [m/s] */
    vec3 spin;      /* [rad/s] */
} scr_grain;

/* A surface near a point: distance, negative within what is solid, and the unit normal from it to the point. */
typedef struct {
    double distance; /* [m] */
    vec3 normal;
} scr_obstacle;

/* What grains must keep clear of. */
typedef struct {
    /* Surfaces nearer to x than `reach`, at most `room` of them; how many. */
    size_t (*near)(void *context, vec3 x, double reach, scr_obstacle *found, size_t room);
    void *context;
} scr_obstacles;

/* Calls work(context, k) for k = 0 .. count - 1, in any order, some at the same time. */
typedef void scr_grains_each(size_t count, void (*work)(void *context, size_t index), void *context);

/* Several processes that make the grains of a group together, each some of them; all call the same functions. */
typedef struct {
    int rank, size;
    /* `bytes` of each, in the order of ranks, into `all`. */
    void (*gather)(void *context, const void *own, size_t bytes, void *all);
    /* Items of `size` bytes to other ranks: counts[r] of them to rank r, one after the other. What comes, in the order
     * of ranks, in *in, a buffer; how many. */
    size_t (*trade)(void *context, const char *items, const uint64_t *counts, size_t size, char **in);
    /* Numbers of all of them, added up. */
    void (*add)(void *context, int64_t *values, int count);
    /* `count` items of `size` bytes of each, in the order of ranks, in *all, a buffer; how many there are. */
    size_t (*collect)(void *context, const void *own, size_t count, size_t size, void *all);
    /* Memory that is missing in the middle of a conversation ends all of them. */
    void (*need)(bool room);
    void *context;
} scr_grains_ranks;

#define SCR_GRAINS_RUN 4096 /* of grains that are made one after the other, runs of this length go round the ranks */

typedef struct {
    scr_grain *items;
    size_t count;
    int64_t made; /* grains of the group on all ranks; of each that has no id from a file, where there are ranks, the
                     id is -1 less its number in the group */
    const scr_grains_ranks *ranks; /* NULL: all grains are made here */
    int64_t *ids; /* there: of earlier groups, those that are the rank's when divided by size; a buffer */
    size_t id_count;
    const double *there; /* where there are ranks: grains of earlier groups on this one, x, y, z and radius of each */
    size_t there_count;
    const scr_obstacles *obstacles; /* for random insertion and packings; NULL: none */
    scr_grains_each *each;          /* where there are threads; the grains are the same. NULL: one after the other */
} scr_grains;

void scr_grains_deinit(scr_grains *grains);

/* Appends the grains of `group` (an item of `bodies`) to `grains`, which holds those of earlier
 * groups: random insertion keeps clear of them, and of its obstacles. Domain and periodic axes come from the scene. */
scree_status scr_grains_generate(const scr_scene *scene, const scr_item *group, scr_grains *grains,
                                 scree_report *report);

#endif
