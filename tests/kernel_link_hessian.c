/* Second derivatives of a link's energies against differences of the energies themselves, at turns of any size.
 *
 * The energies stand here once more, as docs/theory-elastic.md has them, so that this checks the derivation and not
 * a text against itself. With eight points the second difference of a smooth function is good to 1e-10. */
#include <stdlib.h>

#include "check.h"
#include "kernel/link_hessian.h"
#include "math/quat.h"

/* A link with its two cells: what its energies depend on. */
typedef struct {
    vec3 u[2];
    quat q[2];
    vec3 arm[2], axes[3], director[2];
    double stiff[4], area;
    int normal;    /* 0: line of centres */
    vec3 swell[2]; /* of 1: how the gap swells a and b */
} pair;

static double draw(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

static vec3 draw_vec3(double size)
{
    double x = draw(), y = draw();
    return v3(size * x, size * y, size * draw());
}

static pair draw_pair(int normal)
{
    pair p = {.arm = {{0.5, 0.1, -0.07}, {-0.45, -0.05, 0.02}},
              .stiff = {3.1, 0.7, 0.4, -0.15},
              .area = 0.8,
              .normal = normal};
    quat face = quat_exp(draw_vec3(2));
    p.axes[0] = quat_turn(face, v3(1, 0, 0)), p.axes[1] = quat_turn(face, v3(0, 1, 0));
    p.axes[2] = v3_cross(p.axes[0], p.axes[1]);
    for (int k = 0; k < 2; k++) {
        p.u[k] = draw_vec3(0.1);
        p.q[k] = quat_exp(draw_vec3(1.5));
        p.arm[k] = quat_turn(face, p.arm[k]);
        p.director[k] = v3_unit(draw_vec3(1));
        p.swell[k] = draw_vec3(1);
    }
    // the second cell is not turned far against the first
    p.q[1] = quat_mul(quat_exp(draw_vec3(0.3)), p.q[0]);
    p.u[1] = v3_add(p.u[1], quat_turn(p.q[0], v3_sub(p.arm[0], p.arm[1])));
    p.u[1] = v3_sub(p.u[1], v3_sub(p.arm[0], p.arm[1]));
    return p;
}

static scr_link_now now(const pair *p)
{
    scr_link_now l = {.area = p->area, .centre_line = p->normal == 0, .shell = true};
    l.arm_a = quat_turn(p->q[0], p->arm[0]), l.arm_b = quat_turn(p->q[1], p->arm[1]);
    l.line = v3_add(v3_sub(p->arm[0], p->arm[1]), v3_sub(p->u[1], p->u[0]));
    l.gap = v3_sub(v3_add(l.line, l.arm_b), l.arm_a);
    for (int k = 0; k < 3; k++) {
        l.axes_a[k] = quat_turn(p->q[0], p->axes[k]);
        l.axes_b[k] = quat_turn(p->q[1], p->axes[k]);
    }
    l.director_a = quat_turn(p->q[0], p->director[0]);
    l.director_b = quat_turn(p->q[1], p->director[1]);
    for (int k = 0; k < 2; k++) {
        l.swell_a[k] = quat_turn(p->q[0], p->swell[k]);
        l.swell_b[k] = quat_turn(p->q[1], p->swell[k]);
    }
    return l;
}

/* ---- energies ---- */

typedef double energy(const pair *);

static double stretch(const pair *p)
{
    scr_link_now l = now(p);
    return 0.5 * p->stiff[0] * v3_dot(l.gap, l.gap);
}

static double flexion(const pair *p)
{
    double sum = 0;
    scr_link_now l = now(p);
    for (int k = 0; k < 3; k++) sum += p->stiff[1 + k] * (1 - v3_dot(l.axes_a[k], l.axes_b[k]));
    return sum;
}

static double swelling_of(const pair *p, int side)
{
    scr_link_now l = now(p);
    vec3 g = v3_scale(0.5, v3_add(l.swell_a[side], l.swell_b[side]));
    return v3_dot(l.gap, p->normal ? g : v3_scale(0.5 * p->area, v3_unit(l.line)));
}

static double swelling_a(const pair *p)
{
    return swelling_of(p, 0);
}

static double swelling_b(const pair *p)
{
    return swelling_of(p, 1);
}

#define PRESSURE_A 0.7
#define PRESSURE_B (-0.4)

static double pushing(const pair *p)
{
    return PRESSURE_A * swelling_a(p) + PRESSURE_B * swelling_b(p);
}

static double bending(const pair *p)
{
    scr_link_now l = now(p);
    vec3 n = v3_scale(0.5, v3_add(l.axes_a[0], l.axes_b[0]));
    return 0.5 * p->area * v3_dot(v3_sub(l.director_b, l.director_a), n);
}

/* ---- differences ---- */

#define STEP 0.02

static double moved(energy *of, const pair *p, const double d[SCR_LINK_DOFS], double s)
{
    pair m = *p;
    for (int k = 0; k < 2; k++) {
        m.u[k] = v3_axpy(m.u[k], s, v3_load(d + 6 * k));
        m.q[k] = quat_mul(quat_exp(v3_scale(s, v3_load(d + 6 * k + 3))), m.q[k]);
    }
    return of(&m);
}

// central differences of eighth order along d: first and second derivative
static void differences(energy *of, const pair *p, const double d[SCR_LINK_DOFS], double *first, double *second)
{
    static const double one[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    static const double two[4] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    double middle = moved(of, p, d, 0), a = 0, b = 0;
    for (int k = 0; k < 4; k++) {
        double up = moved(of, p, d, (k + 1) * STEP), down = moved(of, p, d, -(k + 1) * STEP);
        a += one[k] * (up - down);
        b += two[k] * (up - 2 * middle + down);
    }
    *first = a / STEP;
    *second = b / (STEP * STEP);
}

static double worst_gradient(energy *of, const pair *p, const double g[SCR_LINK_DOFS])
{
    double worst = 0, first, second;
    for (int c = 0; c < SCR_LINK_DOFS; c++) {
        double d[SCR_LINK_DOFS] = {0};
        d[c] = 1;
        differences(of, p, d, &first, &second);
        worst = check_worse(worst, fabs(first - g[c]));
    }
    return worst;
}

// entries from the second derivatives along e_r + e_c
static double worst_hessian(energy *of, const pair *p, scr_link_matrix h)
{
    double along[SCR_LINK_DOFS], worst = 0, first, second;
    for (int r = 0; r < SCR_LINK_DOFS; r++)
        for (int c = r; c >= 0; c--) {
            double d[SCR_LINK_DOFS] = {0};
            d[r] += 1, d[c] += r == c ? 0 : 1;
            differences(of, p, d, &first, &second);
            if (r == c) along[r] = second;
            double entry = r == c ? second : 0.5 * (second - along[r] - along[c]);
            worst = check_worse(worst, fabs(entry - h[r][c]));
            worst = check_worse(worst, fabs(entry - h[c][r]));
        }
    return worst;
}

// of one term alone: the others have no stiffness or pressure
static double worst_term(energy *of, const pair *p, const double stiff[4], double pressed, double moment)
{
    scr_link_now l = now(p);
    double a = pressed * PRESSURE_A, b = pressed * PRESSURE_B;
    for (int k = 0; k < 4; k++) l.stiff[k] = stiff[k];
    l.pressure = 0.5 * p->area * (a + b), l.moment = moment;
    l.push_a = v3_axpy(v3_scale(a, l.swell_a[0]), b, l.swell_a[1]);
    l.push_b = v3_axpy(v3_scale(a, l.swell_b[0]), b, l.swell_b[1]);
    scr_link_matrix h;
    scr_link_hessian(&l, h);
    return worst_hessian(of, p, h);
}

int main(void)
{
    static const double none[4] = {0};
    for (int normal = 0; normal < 2; normal++)
        for (int round = 0; round < 10; round++) {
            pair p = draw_pair(normal);
            const double pull[4] = {p.stiff[0]}, bend[4] = {0, p.stiff[1], p.stiff[2], p.stiff[3]};
            // entries are of order one; worst of all rounds measured: 4.4e-10
            CHECK_NEAR(worst_term(stretch, &p, pull, 0, 0), 0, 1e-8);
            CHECK_NEAR(worst_term(flexion, &p, bend, 0, 0), 0, 1e-8);
            CHECK_NEAR(worst_term(pushing, &p, none, 1, 0), 0, 1e-8);
            CHECK_NEAR(worst_term(bending, &p, none, 0, 0.5 * p.area), 0, 1e-8);
            scr_link_now l = now(&p);
            double g[SCR_LINK_DOFS];
            scr_link_swelling(&l, 0, g);
            CHECK_NEAR(worst_gradient(swelling_a, &p, g), 0, 1e-8);
            scr_link_swelling(&l, 1, g);
            CHECK_NEAR(worst_gradient(swelling_b, &p, g), 0, 1e-8);
            scr_link_bending(&l, g);
            CHECK_NEAR(worst_gradient(bending, &p, g), 0, 1e-8);
        }
    return check_done();
}
