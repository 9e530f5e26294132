/* Second derivatives of the energy of a link between two elastic cells (kernel/link.h has the energy and its
 * gradient; docs/theory-elastic.md), in doubles: for Newton's method.
 *
 * A cell moves by (u, theta): its centre by u, its turn from R to exp(theta) R. Of a link, twelve numbers count:
 * u_a, theta_a, u_b, theta_b. To second order a turned vector q becomes
 *
 *   exp(theta) q = q + theta x q + theta x (theta x q)/2,                                           (1)
 *
 * so w.(exp(theta) q) has the second derivative
 *
 *   B(w, q) = (w q^T + q w^T)/2 - (w.q) 1.                                                          (2)
 *
 * Everything below is made of scalar products x.y of vectors that are sums of turned vectors: their second
 * derivative is X^T Y + Y^T X with the Jacobians X, Y, and (2) for what is turned. With (1) the matrices are
 * symmetric everywhere: they are the symmetric part of the derivative of the torques, and equal to it where the
 * torques on a cell are zero. What is left out is of no weight near equilibrium. */
#ifndef SCREE_KERNEL_LINK_HESSIAN_H
#define SCREE_KERNEL_LINK_HESSIAN_H

#include <stdbool.h>

#include "math/vec3.h"

/* A link as it is now. */
typedef struct {
    vec3 arm_a, arm_b;           /* turned, from the centres to the face's centre [m] */
    vec3 axes_a[3];              /* n, s, t as they turned with a */
    vec3 axes_b[3];              /* and with b */
    vec3 gap;                    /* Du [m] */
    vec3 line;                   /* from the centre of a to that of b [m] */
    double stiff[4];             /* k_t [N/m]; b_n, b_s, b_t [N m] */
    double area;                 /* S [m^2] */
    bool centre_line;            /* n of the change of volume: along `line`; else vectors that turn with the cells */
    double pressure;             /* of centre lines: p = S (lambda_a eps_a + lambda_b eps_b)/2 [N] */
    vec3 swell_a[2], swell_b[2]; /* else g of cells a and b, as they turned with a, and with b [m^2] */
    vec3 push_a, push_b;         /* and h = lambda_a eps_a g_a + lambda_b eps_b g_b, likewise [N] */
    bool shell;                  /* the next three have a meaning */
    vec3 director_a, director_b; /* turned */
    double moment;               /* p_k = (S/2)(Kb kap/Vk of a + Kb kap/Vk of b) [N m] */
} scr_link_now;

#define SCR_LINK_DOFS 12

typedef double scr_link_matrix[SCR_LINK_DOFS][SCR_LINK_DOFS];
typedef double scr_link_jacobian[3][SCR_LINK_DOFS]; /* of a vector */

enum { SCR_LINK_UA = 0, SCR_LINK_TA = 3, SCR_LINK_UB = 6, SCR_LINK_TB = 9 };

/* ---- pieces ---- */

/* d(s u) for the displacement whose numbers begin at `at`. */
static inline void link_moves(scr_link_jacobian j, int at, double s)
{
    for (int k = 0; k < 3; k++) j[k][at + k] += s;
}

/* d(s theta x q) = -s [q] theta. */
static inline void link_turns(scr_link_jacobian j, int at, double s, vec3 q)
{
    j[0][at + 1] += s * q.z, j[0][at + 2] -= s * q.y;
    j[1][at + 0] -= s * q.z, j[1][at + 2] += s * q.x;
    j[2][at + 0] += s * q.y, j[2][at + 1] -= s * q.x;
}

/* h += s (X^T Y + Y^T X). */
static inline void link_products(scr_link_matrix h, double s, const scr_link_jacobian x, const scr_link_jacobian y)
{
    for (int r = 0; r < SCR_LINK_DOFS; r++)
        for (int c = 0; c < SCR_LINK_DOFS; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += x[k][r] * y[k][c] + y[k][r] * x[k][c];
            h[r][c] += s * sum;
        }
}

/* h += s A in the square of three that begins at (row, column). */
static inline void link_block(scr_link_matrix h, int row, int column, double s, const double a[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) h[row + r][column + c] += s * a[r][c];
}

/* (2) */
static inline void link_turned_twice(vec3 w, vec3 q, double b[3][3])
{
    const double x[3] = {w.x, w.y, w.z}, y[3] = {q.x, q.y, q.z};
    double dot = v3_dot(w, q);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) b[r][c] = 0.5 * (x[r] * y[c] + y[r] * x[c]) - (r == c) * dot;
}
static inline void link_bends(scr_link_matrix h, int at, double s, vec3 w, vec3 q)
{
    double b[3][3];
    link_turned_twice(w, q, b);
    link_block(h, at, at, s, b);
}

/* ---- vectors of a link ---- */

static inline void link_gap_jacobian(const scr_link_now *l, scr_link_jacobian j)
{
    link_moves(j, SCR_LINK_UA, -1), link_turns(j, SCR_LINK_TA, -1, l->arm_a);
    link_moves(j, SCR_LINK_UB, 1), link_turns(j, SCR_LINK_TB, 1, l->arm_b);
}

/* The mean of a vector that turned with a and with b. */
static inline vec3 link_mean(vec3 a, vec3 b)
{
    return v3_scale(0.5, v3_add(a, b));
}

static inline void link_mean_jacobian(vec3 a, vec3 b, scr_link_jacobian j)
{
    link_turns(j, SCR_LINK_TA, 0.5, a);
    link_turns(j, SCR_LINK_TB, 0.5, b);
}

static inline void link_face_normal_jacobian(const scr_link_now *l, scr_link_jacobian j)
{
    link_mean_jacobian(l->axes_a[0], l->axes_b[0], j);
}

/* n = d/D: dn = (1 - n n^T)/D (u_b - u_a). */
static inline void link_centre_line_jacobian(const scr_link_now *l, scr_link_jacobian j)
{
    double over = 1 / v3_norm(l->line);
    vec3 n = v3_scale(over, l->line);
    const double e[3] = {n.x, n.y, n.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double part = over * ((r == c) - e[r] * e[c]);
            j[r][SCR_LINK_UA + c] -= part, j[r][SCR_LINK_UB + c] += part;
        }
}

static inline vec3 link_face_normal(const scr_link_now *l)
{
    return link_mean(l->axes_a[0], l->axes_b[0]);
}

/* d_b - d_a of the directors. */
static inline void link_spread_jacobian(const scr_link_now *l, scr_link_jacobian j)
{
    link_turns(j, SCR_LINK_TA, -1, l->director_a);
    link_turns(j, SCR_LINK_TB, 1, l->director_b);
}

/* g = s d(x.y). */
static inline void link_gradient(double s, vec3 x, const scr_link_jacobian dx, vec3 y, const scr_link_jacobian dy,
                                 double g[SCR_LINK_DOFS])
{
    for (int c = 0; c < SCR_LINK_DOFS; c++)
        g[c] =
            s * (x.x * dy[0][c] + x.y * dy[1][c] + x.z * dy[2][c] + y.x * dx[0][c] + y.y * dx[1][c] + y.z * dx[2][c]);
}

/* ---- what the caller asks for ---- */

/* Gradient of what the link adds to the volume of a cell, a for side 0: (S/2) Du.n, or Du.g. Cells have the energy
 * lambda Vt eps^2/2, Vt eps being the sum of this over their links: its second derivative is lambda/Vt g g^T with the
 * sum g of these gradients, over all links of the cell, and the pressure's part in scr_link_hessian. */
static inline void scr_link_swelling(const scr_link_now *l, int side, double g[SCR_LINK_DOFS])
{
    scr_link_jacobian gap = {0}, normal = {0};
    vec3 n = link_mean(l->swell_a[side], l->swell_b[side]);
    link_gap_jacobian(l, gap);
    if (l->centre_line) {
        n = v3_unit(l->line);
        link_centre_line_jacobian(l, normal);
    } else {
        link_mean_jacobian(l->swell_a[side], l->swell_b[side], normal);
    }
    link_gradient(l->centre_line ? 0.5 * l->area : 1, l->gap, gap, n, normal, g);
}

/* Gradient of (S/2) Dd.n, likewise for the energy Kb kap^2/2 of a shell's cells: Kb/Vk^2 g g^T. */
static inline void scr_link_bending(const scr_link_now *l, double g[SCR_LINK_DOFS])
{
    scr_link_jacobian spread = {0}, normal = {0};
    link_spread_jacobian(l, spread);
    link_face_normal_jacobian(l, normal);
    link_gradient(0.5 * l->area, v3_sub(l->director_b, l->director_a), spread, link_face_normal(l), normal, g);
}

// k_t |Du|^2/2
static inline void link_hessian_stretch(const scr_link_now *l, scr_link_matrix h)
{
    scr_link_jacobian gap = {0};
    link_gap_jacobian(l, gap);
    link_products(h, 0.5 * l->stiff[0], gap, gap);
    link_bends(h, SCR_LINK_TA, -l->stiff[0], l->gap, l->arm_a);
    link_bends(h, SCR_LINK_TB, l->stiff[0], l->gap, l->arm_b);
}

// Du.d/D by d twice: (-(v n^T + n v^T) - (v.n) 1 + 3 (v.n) n n^T)/D^2 with v = Du
static inline void link_hessian_centre_line(const scr_link_now *l, scr_link_matrix h)
{
    double over = 1 / v3_norm(l->line), p = l->pressure * over * over;
    vec3 n = v3_scale(over, l->line);
    const double e[3] = {n.x, n.y, n.z}, v[3] = {l->gap.x, l->gap.y, l->gap.z};
    double vn = v3_dot(l->gap, n), a[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) a[r][c] = 3 * vn * e[r] * e[c] - v[r] * e[c] - e[r] * v[c] - (r == c) * vn;
    link_block(h, SCR_LINK_UA, SCR_LINK_UA, p, a), link_block(h, SCR_LINK_UB, SCR_LINK_UB, p, a);
    link_block(h, SCR_LINK_UA, SCR_LINK_UB, -p, a), link_block(h, SCR_LINK_UB, SCR_LINK_UA, -p, a);
}

// s Du.n with s as it is
static inline void link_hessian_along(const scr_link_now *l, double s, vec3 n, const scr_link_jacobian normal,
                                      scr_link_matrix h)
{
    scr_link_jacobian gap = {0};
    link_gap_jacobian(l, gap);
    link_products(h, s, gap, normal);
    link_bends(h, SCR_LINK_TA, -s, n, l->arm_a);
    link_bends(h, SCR_LINK_TB, s, n, l->arm_b);
}

// p Du.n, or Du.h, with p and h as they are
static inline void link_hessian_pressure(const scr_link_now *l, scr_link_matrix h)
{
    scr_link_jacobian normal = {0};
    if (l->centre_line) {
        link_centre_line_jacobian(l, normal);
        link_hessian_along(l, l->pressure, v3_unit(l->line), normal, h);
        link_hessian_centre_line(l, h);
    } else {
        link_mean_jacobian(l->push_a, l->push_b, normal);
        link_hessian_along(l, 1, link_mean(l->push_a, l->push_b), normal, h);
        link_bends(h, SCR_LINK_TA, 0.5, l->gap, l->push_a);
        link_bends(h, SCR_LINK_TB, 0.5, l->gap, l->push_b);
    }
}

// -b (R_a e).(R_b e) for each axis e
static inline void link_hessian_flexion(const scr_link_now *l, scr_link_matrix h)
{
    for (int k = 0; k < 3; k++) {
        vec3 x = l->axes_a[k], y = l->axes_b[k];
        scr_link_jacobian dx = {0}, dy = {0};
        link_turns(dx, SCR_LINK_TA, 1, x);
        link_turns(dy, SCR_LINK_TB, 1, y);
        link_products(h, -l->stiff[1 + k], dx, dy);
        link_bends(h, SCR_LINK_TA, -l->stiff[1 + k], y, x);
        link_bends(h, SCR_LINK_TB, -l->stiff[1 + k], x, y);
    }
}

// p_k Dd.n with p_k as it is
static inline void link_hessian_shell(const scr_link_now *l, scr_link_matrix h)
{
    scr_link_jacobian spread = {0}, normal = {0};
    vec3 n = link_face_normal(l), d = v3_sub(l->director_b, l->director_a);
    double p = l->moment;
    link_spread_jacobian(l, spread);
    link_face_normal_jacobian(l, normal);
    link_products(h, p, spread, normal);
    link_bends(h, SCR_LINK_TA, -p, n, l->director_a);
    link_bends(h, SCR_LINK_TB, p, n, l->director_b);
    link_bends(h, SCR_LINK_TA, 0.5 * p, d, l->axes_a[0]);
    link_bends(h, SCR_LINK_TB, 0.5 * p, d, l->axes_b[0]);
}

/* Second derivatives of the energies of stretch and flexion, and of the change of volume and the shell's bending at
 * constant pressures. */
static inline void scr_link_hessian(const scr_link_now *l, scr_link_matrix h)
{
    for (int r = 0; r < SCR_LINK_DOFS; r++)
        for (int c = 0; c < SCR_LINK_DOFS; c++) h[r][c] = 0;
    link_hessian_stretch(l, h);
    link_hessian_pressure(l, h);
    link_hessian_flexion(l, h);
    if (l->shell) link_hessian_shell(l, h);
}

#endif
