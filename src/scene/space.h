/* Balls in space, to find neighbours: a hashed grid with one level per octave of radii. Chains of
 * balls hang in buckets by (level, cell); cells that share a bucket cost a little time, never an
 * error. Periodic axes of the domain are reached across. */
#ifndef SCREE_SCENE_SPACE_H
#define SCREE_SCENE_SPACE_H

#include "scene/scene.h"

#define SCR_SPACE_LEVELS 64

typedef struct {
    int octave;    /* radii in [2^octave, 2^(octave + 1)) */
    double radius; /* largest */
    double cell;   /* edge of its cells: the reach of its largest balls */
    size_t count;  /* balls in it so far */
} scr_space_level;

typedef struct {
    double x, y, z, radius;
} scr_ball;

typedef struct {
    scr_space_level levels[SCR_SPACE_LEVELS];
    int level_count;
    int32_t *head; /* of the chain of each bucket, -1 at its end */
    int32_t *next;
    scr_ball *balls; /* in the order of insertion */
    size_t count;
    uint64_t mask; /* buckets - 1 */
    double gap;    /* balls nearer to each other than this count as touching [m] */
    bool periodic[3];
    double low[3], length[3];
    double largest; /* radius of all balls */
} scr_space;

/* Filling goes in this order: begin, expect every radius, reserve, then add and ask at will. Begin
 * forgets what was there and keeps the memory. */
void scr_space_begin(scr_space *space, const scr_domain_def *domain, double gap);
void scr_space_expect(scr_space *space, double radius);
bool scr_space_reserve(scr_space *space, size_t count);
void scr_space_deinit(scr_space *space);

/* The point's image inside the periodic domain. */
vec3 scr_space_wrap(const scr_space *space, vec3 point);
/* Whether a ball can be its own image's neighbour: then it fits nowhere. */
bool scr_space_fits_period(const scr_space *space, double radius);

/* The point must be wrapped. */
void scr_space_add(scr_space *space, vec3 point, double radius);
/* The same in two steps, for many threads: scr_space_put stores ball number `ball` (>= count), concurrently with other
 * puts but with no query; scr_space_have then makes `count` more balls, of one radius, visible. */
void scr_space_put(scr_space *space, size_t ball, vec3 point, double radius);
void scr_space_have(scr_space *space, double radius, size_t count);
/* Asks memory for what one to come will need. */
void scr_space_fetch(const scr_space *space, vec3 point, double radius);
bool scr_space_is_free(const scr_space *space, vec3 point, double radius);
/* The same of many points: sooner than one by one. */
void scr_space_are_free(const scr_space *space, const vec3 *points, size_t count, double radius, bool *free);
/* All balls of the other one, in their order; there is room. */
void scr_space_join(scr_space *space, const scr_space *other);
/* Whether no other ball touches this one. It may say no where it is alone all the same. */
bool scr_space_is_alone(const scr_space *space, size_t ball);
/* Numbers of the balls that touch, each once, into `found`; how many there are, even beyond `room`.
 * Right where the periodic lengths hold two of the largest balls. */
size_t scr_space_near(const scr_space *space, vec3 point, double radius, uint32_t *found, size_t room);

#endif
