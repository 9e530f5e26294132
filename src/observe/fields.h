/* Continuum fields from grains and contacts, bin by bin (observe/bins.h).
 *
 * With V_ib the volume of grain i in bin b, m_ib = m_i V_ib/V_i, V_b the volume of the bin:
 *
 *   solid fraction   phi = sum V_ib / V_b,      density  rho = sum m_ib / V_b                      (1)
 *   velocity         u = sum m_ib v_i / sum m_ib                                                   (2)
 *   temperature      T = 1/3 sum m_ib |v_i - u|^2 / sum m_ib                                       (3)
 *   kinetic stress   K = 1/V_b sum m_ib (v_i - u)(v_i - u)                                         (4)
 *   contact stress   C = 1/V_b sum_c w_cb sym(f_c l_c)                                             (5)
 *
 * f_c is the force on the first partner, l_c the branch from the centre of the second (a wall: from the
 * contact point) to that of the first, w_cb the part of the branch in the bin: Love (1927) and Weber (1966)
 * for the whole, Irving & Kirkwood (1950) for the parts. Compression is positive. The rotation of grains is
 * not in (2) to (4); sym() is the symmetric part.
 *
 * With a kernel (observe/smooth.h) V_ib = V_i phi_ib and w_cb = the mean of phi_b along the branch, phi_ib the share of
 * bin b in the point x_i: the fields of Goldhirsch (2010), on a grid. */
#ifndef SCREE_OBSERVE_FIELDS_H
#define SCREE_OBSERVE_FIELDS_H

#include "observe/bins.h"
#include "observe/observer.h"
#include "observe/smooth.h"

/* Symmetric tensors: xx, yy, zz, xy, xz, yz. */
typedef struct {
    double volume, mass; /* sum of V_ib, m_ib */
    double base[3];      /* velocity of the first grain here: sums about it lose no digits */
    double momentum[3];  /* sum of m_ib (v_i - base) */
    double flux[6];      /* sum of m_ib (v_i - base)(v_i - base) */
    double virial[6];    /* sum of w_cb sym(f_c l_c) */
    double skew[3];      /* sum of w_cb (f_i l_j - f_j l_i)/2 of xy, xz, yz: contacts also turn grains */
} scr_field_sums;

/* One per bin, for the caller to free with scr_memory_free; NULL when memory is exhausted. Grains of `group`
 * (-1: all); contacts only when asked for, and those that the view has. smooth NULL: by the volume in each bin. */
scr_field_sums *scr_fields_measure(const scr_scene_view *view, const scr_bins *bins, scr_smooth *smooth, int group,
                                   bool contacts);

/* NaN where there is no mass. */
vec3 scr_field_velocity(const scr_field_sums *sums);
double scr_field_temperature(const scr_field_sums *sums);
/* Stress [Pa] in a bin of volume V. */
void scr_field_kinetic(const scr_field_sums *sums, double volume, double stress[6]);
void scr_field_contact(const scr_field_sums *sums, double volume, double stress[6]);

#endif
