/* A box divided into equal bins along x, y and z: which part of a sphere, and which part of a line, lies in
 * each.
 *
 * Where only one axis cuts a sphere its parts are caps,
 *
 *   V(z < u) = pi (2/3 r^3 + r^2 u - u^3/3)   for -r <= u <= r, u from the centre               (1)
 *
 * Where more axes cut it, each slab of the first is cut into discs (Gauss-Legendre), and the part of a unit
 * disc in x < a, y < b is, with s(t) = sqrt(1 - t^2) and the corner inside the disc,
 *
 *   A = 1/2 (pi/2 + asin a + asin b + a (b + s(a)) + b (a + s(b)))                              (2)
 *
 * The discs say how a slab is shared out; its whole is (1). So the parts of a sphere add up to it. */
#ifndef SCREE_OBSERVE_BINS_H
#define SCREE_OBSERVE_BINS_H

#include "world/world.h"

#define SCR_MOST_BINS 1000000

typedef struct {
    double lower[3], upper[3], edge[3]; /* of the box, of a bin [m] */
    int count[3];
    double period[3]; /* of the domain; 0: open [m] */
} scr_bins;

scr_bins scr_bins_of(const scr_domain *domain, vec3 lower, vec3 upper, const int count[3]);
static inline size_t scr_bins_count(const scr_bins *b)
{
    return (size_t)b->count[0] * (size_t)b->count[1] * (size_t)b->count[2];
}
/* Bins are numbered with x running fastest. */
vec3 scr_bins_centre(const scr_bins *bins, size_t bin);
double scr_bins_volume(const scr_bins *bins); /* of one [m^3] */

/* Called with each bin that has a share: a volume [m^3], or a fraction of the line. */
typedef void scr_bins_share(void *context, size_t bin, double share);
/* A sphere, with its images through periodic sides. */
void scr_bins_sphere(const scr_bins *bins, vec3 centre, double radius, scr_bins_share *share, void *context);
/* The line from `from` to `from + along`, brought back into a periodic domain. */
void scr_bins_line(const scr_bins *bins, vec3 from, vec3 along, scr_bins_share *share, void *context);

#endif
