/* Mass properties of a union of spheres: volume, centre and tensor of inertia, each counted once however
 * the spheres overlap.
 *
 * Spheres that overlap no other have closed forms. The rest is cut by planes of constant z: areas and
 * moments of the union of discs there are sums over the arcs of its border (Green's theorem),
 *
 *   A = 1/2 oint x dy - y dx,  oint x^2/2 dy,  oint x^3/3 dy,  oint x^2 y/2 dy, ...               (1)
 *
 * and are integrated over z by Gauss's rule between those z where the set of arcs changes: ends of
 * spheres, ends of the circles in which two of them meet, points in which three meet. There the angles
 * of arcs go like square roots; z = m + h sin(pi t/2) makes them smooth. Errors are about 1e-13. */
#ifndef SCREE_SHAPE_CLUMP_H
#define SCREE_SHAPE_CLUMP_H

#include <stdbool.h>

#include "math/sym3.h"

typedef struct {
    double volume;
    vec3 centre;
    sym3 inertia; /* about the centre, of density 1 */
} scr_clump_shape;

/* Spheres are rows of x, y, z, radius > 0; at least one. False when memory is exhausted. */
bool scr_clump_solid(const double (*spheres)[4], int count, scr_clump_shape *solid);

#endif
