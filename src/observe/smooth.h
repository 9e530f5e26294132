/* Coarse-graining kernels: how a point, or a line, is shared out among the points of a grid (Goldhirsch 2010; Weinhart
 * et al. 2012). The grid points are the centres of bins (observe/bins.h).
 *
 *   Gaussian   phi(r) ~ exp(-r^2 / (2 w^2))           cut at 4 w along each axis                    (1)
 *   Lucy       phi(r) ~ (1 + 3 q) (1 - q)^3           q = r / (2 w) < 1                             (2)
 *
 * Weights are divided by their sum over the grid, so that the shares of a point in the box add up to 1, to rounding:
 * sums over the grid have the mass and the momentum of all grains whose centres are in the box, whatever the width and
 * however near the border. A point outside of the box has no share. Along an axis with one bin everything is averaged.
 * A periodic axis that the box covers has no border. Where no grid point is within reach the nearest one takes all.
 *
 * A line is shared out by the integral of the kernel along it, by Gauss-Legendre quadrature with three nodes per
 * width. */
#ifndef SCREE_OBSERVE_SMOOTH_H
#define SCREE_OBSERVE_SMOOTH_H

#include "observe/bins.h"

typedef enum { SCR_KERNEL_GAUSSIAN, SCR_KERNEL_LUCY } scr_kernel;

typedef struct {
    const scr_bins *bins;
    int kernel;             /* scr_kernel */
    double width;           /* w [m] */
    bool endless[3];        /* periodic, and the box covers the period */
    double *weight[3];      /* along each axis: weights (1), or distances for (2) */
    int *place[3], room[3]; /* grid points that they belong to */
    int count[3];
    double *all; /* of (2): weights of all points in reach */
} scr_smooth;

/* False when memory is exhausted; deinit in any case. */
bool scr_smooth_init(scr_smooth *smooth, const scr_bins *bins, int kernel, double width);
void scr_smooth_deinit(scr_smooth *smooth);

/* `amount` of a point among the bins. */
void scr_smooth_point(scr_smooth *smooth, vec3 x, double amount, scr_bins_share *share, void *context);
/* The line from `from` to `from + along`: fractions of it. */
void scr_smooth_line(scr_smooth *smooth, vec3 from, vec3 along, scr_bins_share *share, void *context);

#endif
