/* Bonds as a potential (kernel/law/bond.h has the law). Stretch follows the distance at the stage; shear, bending and
 * twist have the normal n and the arm of the predicted stage:
 *
 *   V = k_n/2 (|d| - L)^2 + k_s/2 |s + u_s|^2 + k_b/2 |b + u_b|^2 + k_t/2 (t + u_t)^2,
 *   u_s = (1 - n n)(U_i - U_j) + n x arm (Psi_i + Psi_j),  u_b = (1 - n n)(Psi_i - Psi_j),  u_t = n.(Psi_i - Psi_j)
 *
 * and the dampers e/(2 s) u^2. After the step the springs are s + u_s/theta, turned to where the bond is then. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/bonds.h"
#include "exec/cpu/threads.h"
#include "step/variational/work.h"

#define CHUNK VAR_BOND_CHUNK

static size_t chunks_of(const scr_world *w)
{
    return (w->bonds.table.count + CHUNK - 1) / CHUNK;
}

scree_status scr_var_bonds_index(var_work *w, scree_report *report)
{
    const scr_bonds *bonds = &w->world->bonds;
    size_t count = bonds->table.count, bodies = w->world->bodies.table.count;
    if (!count) return SCREE_OK;
    scree_status status =
        scr_reserve_all(report, "bonds", SCR_ROOM(w->bonds.at, count), SCR_ROOM(w->bonds.loads, 12 * count),
                        SCR_ROOM(w->bonds.start, bodies + 2), SCR_ROOM(w->bonds.entry, 2 * count),
                        SCR_ROOM(w->bonds.sums, chunks_of(w->world)));
    if (status) return status;
    uint32_t *start = w->bonds.start;
    memset(start, 0, (bodies + 2) * sizeof *start);
    for (size_t k = 0; k < count; k++) start[bonds->row[2 * k] + 2]++, start[bonds->row[2 * k + 1] + 2]++;
    for (size_t i = 0; i < bodies; i++) start[i + 2] += start[i + 1];
    for (size_t k = 0; k < count; k++) {
        w->bonds.entry[start[bonds->row[2 * k] + 1]++] = (uint32_t)(2 * k);
        w->bonds.entry[start[bonds->row[2 * k + 1] + 1]++] = (uint32_t)(2 * k + 1);
    }
    return SCREE_OK;
}

/* ---- loops ---- */

typedef struct {
    var_work *w;
    const double *p;
    void (*work)(var_work *w, size_t bond, const double *p, var_bond_sums *sums);
} job;

static void chunk(void *context, size_t index)
{
    const job *j = context;
    size_t end = (index + 1) * CHUNK, count = j->w->world->bonds.table.count;
    var_bond_sums sums = {0};
    for (size_t k = index * CHUNK; k < (end < count ? end : count); k++) {
        if (j->w->world->bonds.fate[k] == SCR_BOND_HOLDS)
            j->work(j->w, k, j->p, &sums);
        else
            memset(j->w->bonds.loads + 12 * k, 0, 12 * sizeof *j->w->bonds.loads);
    }
    j->w->bonds.sums[index] = sums;
}

static void each(var_work *w, const double *p, void (*work)(var_work *, size_t, const double *, var_bond_sums *))
{
    scr_each(chunks_of(w->world), NULL, chunk, &(job){w, p, work});
}

void scr_var_bonds_collect(const var_work *w, double *rows, size_t block)
{
    if (!w->world->bonds.table.count) return;
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++)
        for (uint32_t e = w->bonds.start[i]; e < w->bonds.start[i + 1]; e++) {
            const double *from = w->bonds.loads + 6 * (size_t)w->bonds.entry[e];
            double *to = rows + SCR_ROW * i;
            for (int d = 0; d < 3; d++) to[d] += from[d], to[4 + d] += from[3 + d];
        }
}

/* ---- deformation ---- */

typedef struct {
    rvec way;         // U_i - U_j
    rvec shear, bend; // until the stage
    double twist, stretch;
} strain;

static strain strain_between(const var_bond *b, const double *a, const double *c)
{
    rvec one = rv_scale(b->inverse[0], var_vector(a + 4));
    rvec two = rv_scale(b->inverse[1], var_vector(c + 4));
    rvec apart = rv_sub(one, two);
    strain s = {.way = rv_sub(var_vector(a), var_vector(c))};
    s.stretch = rv_dot(s.way, b->n), s.twist = rv_dot(apart, b->n);
    s.shear = rv_add(rv_axpy(s.way, -s.stretch, b->n), rv_scale(b->arm, rv_cross(b->n, rv_add(one, two))));
    s.bend = rv_axpy(apart, -s.twist, b->n);
    return s;
}

static strain strain_of(const var_work *w, size_t k, const double *x)
{
    return strain_between(&w->bonds.at[k], x + SCR_ROW * (size_t)w->world->bonds.row[2 * k],
                          x + SCR_ROW * (size_t)w->world->bonds.row[2 * k + 1]);
}

// loads on both from the forces against stretch and shear (f), and the couple
static void put(const var_bond *b, double *load, double sign, rvec f, rvec shear, rvec couple, const double scale[2])
{
    rvec lever = rv_scale(-b->arm, rv_cross(b->n, shear));
    memset(load, 0, 12 * sizeof *load);
    var_add(load, sign, f), var_add(load + 6, -sign, f);
    var_add(load + 3, sign * scale[0], rv_add(lever, couple));
    var_add(load + 9, sign * scale[1], rv_sub(lever, couple));
}

static void predict(var_work *w, size_t k, const double *p, var_bond_sums *sums)
{
    (void)p, (void)sums;
    const scr_world *world = w->world;
    const scr_bodies *bodies = &world->bodies;
    bond_state c = scr_bond_state(world, &w->images, k);
    bond_history h = scr_bond_history(&world->bonds, k);
    double stage = var_is_linear(w) ? 0 : w->sub.s;
    rvec at = rv_axpy(c.d, stage, c.dv);
    double start = sqrt(rv_dot(c.d, c.d)), distance = sqrt(rv_dot(at, at));
    rvec n = rv_scale(1 / distance, at), old = rv_scale(1 / start, c.d);
    double turn = 0.25 * stage * rv_dot(c.spin, n);
    w->bonds.at[k] = (var_bond){.d = c.d,
                                .n = n,
                                .arm = 0.5 * distance,
                                .shear = bond_roll(bond_swing(h.shear, old, n), n, turn),
                                .bend = bond_roll(bond_swing(h.bend, old, n), n, turn),
                                .inverse = {1 / bodies->place[4 * (size_t)world->bonds.row[2 * k] + 3],
                                            1 / bodies->place[4 * (size_t)world->bonds.row[2 * k + 1] + 3]}};
}

void scr_var_bonds_predict(var_work *w)
{
    each(w, NULL, predict);
}

// of the bodies at the stage, d apart; with `energy: exact` the mean of start and end (secant.c, where V is quadratic)
static double distance_of(const var_work *w, const var_bond *b, rvec d)
{
    if (!var_is(w, VAR_EXACT)) return sqrt(rv_dot(d, d));
    rvec last = rv_sub(rv_scale(2, d), b->d);
    return 0.5 * (sqrt(rv_dot(b->d, b->d)) + sqrt(rv_dot(last, last)));
}

/* ---- energy and gradient ---- */

// what springs and dampers give against a deformation u on top of `held`: k (held + on u) + e/s u
typedef struct {
    const double *k, *e;
    double s, on; // on: 0 where elastic forces are those of the start
} modes;

static modes modes_of(const var_work *w, size_t k)
{
    const scr_bonds *b = &w->world->bonds;
    return (modes){b->spring + 4 * k, b->damper + 4 * k, w->sub.s, var_is_linear(w) ? 0 : 1};
}

static double total(const modes *m, int mode)
{
    return m->on * m->k[mode] + m->e[mode] / m->s;
}

static rvec against(const modes *m, int mode, rvec held, rvec u)
{
    return rv_axpy(rv_scale(m->k[mode], held), total(m, mode), u);
}

static double work_of(const modes *m, int mode, rvec held, rvec u)
{
    return m->k[mode] * rv_dot(held, u) + 0.5 * total(m, mode) * rv_dot(u, u);
}

static void evaluate(var_work *w, size_t k, const double *x, var_bond_sums *sums)
{
    var_bond *b = &w->bonds.at[k];
    modes m = modes_of(w, k);
    strain u = strain_of(w, k, x);
    rvec d = var_is_linear(w) ? b->d : rv_add(b->d, u.way);
    double distance = distance_of(w, b, d), stretch = distance - w->world->bonds.shape[2 * k];
    double pull = m.k[0] * stretch, normal = m.e[0] / m.s * u.stretch;
    b->now = rv_scale(1 / distance, d);
    double energy = var_is_linear(w) ? pull * rv_dot(b->now, u.way) : 0.5 * pull * stretch;
    double turned = w->world->bonds.shear[4 * k + 3];
    rvec twist = {turned, 0, 0}, angle = {u.twist, 0, 0};
    energy += 0.5 * normal * u.stretch + work_of(&m, 1, b->shear, u.shear) + work_of(&m, 2, b->bend, u.bend) +
              work_of(&m, 3, twist, angle);
    sums->energy += energy, sums->scale += fabs(energy);
    double rounding = m.k[0] * distance;
    sums->floor2 += 2 * rounding * rounding;
    b->along = b->across = 0;
    if (!var_is_linear(w)) {
        double turn = pull / distance;
        b->along = m.k[0];
        bool light =
            var_is_light(w, -turn, (uint32_t)w->world->bonds.row[2 * k], (uint32_t)w->world->bonds.row[2 * k + 1]);
        b->across = light ? turn : 0;
    }
    rvec shear = against(&m, 1, b->shear, u.shear);
    rvec couple = rv_axpy(against(&m, 2, b->bend, u.bend), against(&m, 3, twist, angle).x, b->n);
    rvec f = rv_axpy(rv_axpy(shear, pull, b->now), normal, b->n);
    put(b, w->bonds.loads + 12 * k, 1, f, shear, couple, b->inverse);
}

void scr_var_bonds_evaluate(var_work *w)
{
    each(w, w->rows.x, evaluate);
}

void scr_var_bond_times(const var_work *w, size_t k, const double *a, const double *c, bool turns, double *load)
{
    const var_bond *b = &w->bonds.at[k];
    modes m = modes_of(w, k);
    strain u = strain_between(b, a, c);
    double across = turns ? b->across : fmax(b->across, 0);
    rvec shear = rv_scale(total(&m, 1), u.shear);
    rvec couple = rv_axpy(rv_scale(total(&m, 2), u.bend), total(&m, 3) * u.twist, b->n);
    rvec f = rv_axpy(rv_scale(across, u.way), (b->along - across) * rv_dot(b->now, u.way), b->now);
    f = rv_axpy(rv_add(f, shear), m.e[0] / m.s * u.stretch, b->n);
    put(b, load, 1, f, shear, couple, b->inverse);
}

static void product(var_work *w, size_t k, const double *p, var_bond_sums *sums)
{
    (void)sums;
    scr_var_bond_times(w, k, p + SCR_ROW * (size_t)w->world->bonds.row[2 * k],
                       p + SCR_ROW * (size_t)w->world->bonds.row[2 * k + 1], true, w->bonds.loads + 12 * k);
}

void scr_var_bonds_product(var_work *w, const double *p)
{
    each(w, p, product);
}

void scr_var_bonds_diagonal(const var_work *w, double *diagonal, size_t block)
{
    if (!w->world->bonds.table.count) return;
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++)
        for (uint32_t e = w->bonds.start[i]; e < w->bonds.start[i + 1]; e++) {
            size_t k = w->bonds.entry[e] / 2;
            if (w->world->bonds.fate[k] != SCR_BOND_HOLDS) continue;
            const var_bond *b = &w->bonds.at[k];
            modes m = modes_of(w, k);
            double *to = diagonal + VAR_DIAGONAL * i, shear = total(&m, 1);
            double over2 = b->inverse[w->bonds.entry[e] % 2] * b->inverse[w->bonds.entry[e] % 2];
            double plane = over2 * (b->arm * b->arm * shear + total(&m, 2));
            var_unit(to, b->across + shear);
            var_outer(to, b->along - b->across, b->now);
            var_outer(to, m.e[0] / m.s - shear, b->n);
            var_unit(to + 6, plane);
            var_outer(to + 6, over2 * total(&m, 3) - plane, b->n);
        }
}

/* ---- the end of a sub-step ---- */

// whether it breaks (kernel/law/bond.h, 5); what it held is gone then
static void judge(var_work *w, size_t k, const bond_modes *spring, double stretch, const bond_history *h,
                  var_bond_sums *sums)
{
    scr_bonds *bonds = &w->world->bonds;
    const scr_bond_law *law = &w->world->bond_laws[bonds->law[k]];
    double radius = bonds->shape[2 * k + 1], section = 1 / (M_PI * radius * radius);
    double bent = 4 * spring->bend * sqrt(rv_dot(h->bend, h->bend)) / radius;
    double twisted = 2 * spring->twist * fabs(h->twist) / radius;
    double tension = (spring->normal * stretch + bent) * section;
    double shear = (spring->shear * sqrt(rv_dot(h->shear, h->shear)) + twisted) * section;
    double held = bond_energy(spring, stretch, h->shear, h->bend, h->twist);
    bool pulled = tension > law->tensile_strength, sheared = shear > law->shear_strength;
    if (!pulled && !sheared) {
        sums->elastic += held;
        return;
    }
    sums->broken += held;
    sums->pulled += pulled, sums->sheared += !pulled;
    bonds->fate[k] = pulled ? SCR_BOND_TENSION : SCR_BOND_SHEAR;
}

static void commit(var_work *w, size_t k, const double *x, var_bond_sums *sums)
{
    scr_bonds *bonds = &w->world->bonds;
    const var_bond *b = &w->bonds.at[k];
    modes m = modes_of(w, k);
    const bond_modes spring = {m.k[0], m.k[1], m.k[2], m.k[3]};
    bond_history h = scr_bond_history(bonds, k);
    double rest = bonds->shape[2 * k], start = sqrt(rv_dot(b->d, b->d));
    const double ones[2] = {1, 1};
    if (var_is(w, VAR_BOOKS)) {
        sums->strongest = fmax(sums->strongest, m.k[0] * fabs(start - rest));
        sums->elastic += bond_energy(&spring, start - rest, h.shear, h.bend, h.twist);
        put(b, w->bonds.loads + 12 * k, -1, rv_axpy(rv_scale(m.k[1], h.shear), m.k[0] * (start - rest) / start, b->d),
            rv_scale(m.k[1], h.shear), rv_axpy(rv_scale(m.k[2], h.bend), m.k[3] * h.twist, b->n), ones);
        return;
    }
    strain u = strain_of(w, k, x);
    double over = 1 / w->sub.theta;
    rvec d = var_is_linear(w) ? b->d : rv_add(b->d, u.way), last = rv_axpy(b->d, over, u.way);
    double distance = distance_of(w, b, d), end = sqrt(rv_dot(last, last));
    double pull = m.k[0] * (distance - rest), along = rv_dot(d, u.way) / distance;
    rvec twist = {h.twist, 0, 0}, angle = {u.twist, 0, 0};

    // forces on the bodies
    rvec shear = against(&m, 1, b->shear, u.shear);
    rvec couple = rv_axpy(against(&m, 2, b->bend, u.bend), against(&m, 3, twist, angle).x, b->n);
    rvec f = rv_axpy(rv_axpy(shear, pull / distance, d), m.e[0] / m.s * u.stretch, b->n);
    put(b, w->bonds.loads + 12 * k, -1, f, shear, couple, ones);
    sums->strongest = fmax(sums->strongest, sqrt(rv_dot(f, f)));

    // work, and what springs and dampers make of it
    bond_history now = {.shear = rv_axpy(b->shear, over, u.shear),
                        .bend = rv_axpy(b->bend, over, u.bend),
                        .twist = h.twist + over * u.twist,
                        .shear_rate = rv_scale(1 / w->sub.s, u.shear),
                        .bend_rate = rv_scale(1 / w->sub.s, u.bend),
                        .twist_rate = u.twist / w->sub.s,
                        .normal_rate = u.stretch / w->sub.s};
    double spent = m.e[0] * u.stretch * u.stretch + m.e[1] * rv_dot(u.shear, u.shear) +
                   m.e[2] * rv_dot(u.bend, u.bend) + m.e[3] * u.twist * u.twist;
    double work = pull * along + rv_dot(shear, u.shear) + rv_dot(against(&m, 2, b->bend, u.bend), u.bend) +
                  against(&m, 3, twist, angle).x * u.twist;
    work += m.e[0] / m.s * u.stretch * u.stretch;
    double gained = bond_energy(&spring, end - rest, now.shear, now.bend, now.twist) -
                    bond_energy(&spring, start - rest, b->shear, b->bend, h.twist);
    sums->damping += over * spent / w->sub.s;
    sums->numerical += over * (work - spent / w->sub.s) - gained;

    // springs go with the bond
    rvec to = rv_scale(1 / end, last);
    bond_state c = scr_bond_state(w->world, &w->images, k);
    double turn = 0.25 * (w->sub.h - (var_is_linear(w) ? 0 : w->sub.s)) * rv_dot(c.spin, b->n);
    now.shear = bond_swing(bond_roll(now.shear, b->n, turn), b->n, to);
    now.bend = bond_swing(bond_roll(now.bend, b->n, turn), b->n, to);
    scr_bond_remember(bonds, k, &now);
    judge(w, k, &spring, end - rest, &now, sums);
}

void scr_var_bonds_commit(var_work *w)
{
    scr_world *world = w->world;
    each(w, w->rows.u, commit);
    world->ledger.elastic_bond = 0;
    w->bonds.strongest = 0;
    for (size_t k = 0; k < chunks_of(world); k++) {
        const var_bond_sums *s = &w->bonds.sums[k];
        world->ledger.damping += s->damping;
        world->ledger.numerical += s->numerical;
        world->ledger.broken += s->broken;
        world->ledger.elastic_bond += s->elastic;
        w->bonds.strongest = fmax(w->bonds.strongest, s->strongest);
        world->clock.broken_tension += s->pulled;
        world->clock.broken_shear += s->sheared;
    }
}
