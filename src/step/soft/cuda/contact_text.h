/* A pair of spheres on a device, for the kernels of tiles and of rows with a list of their own. A thread takes the pair
 * from the side of one body, its own; the contact is computed as seen from the pair's first. Only differences know
 * which is which, and they are taken in the right order: sums, products and arms are the same from both sides. */
#ifndef SCREE_STEP_SOFT_CUDA_CONTACT_TEXT_H
#define SCREE_STEP_SOFT_CUDA_CONTACT_TEXT_H

#include "exec/cuda/launch.h"
#define SCR_LANES 1
#include "kernel/contact.h"
#include "kernel/kick.h"
#include "kernel/pair.h"
#include "step/soft/cuda/tile.h"

struct alignas(16) row4 {
    double x, y, z, w;
};

static __device__ __forceinline__ row4 row_load(const double *rows, size_t i)
{
    const double2 *p = (const double2 *)(rows + 4 * i);
    double2 a = p[0], b = p[1];
    return row4{a.x, a.y, b.x, b.y};
}

// of what nobody writes while the kernel runs
static __device__ __forceinline__ row4 row_read(const double *rows, size_t i)
{
    const double2 *p = (const double2 *)(rows + 4 * i);
    double2 a = __ldg(p), b = __ldg(p + 1);
    return row4{a.x, a.y, b.x, b.y};
}

static __device__ __forceinline__ void row_store(double *rows, size_t i, row4 v)
{
    double2 *p = (double2 *)(rows + 4 * i);
    p[0] = make_double2(v.x, v.y), p[1] = make_double2(v.z, v.w);
}

/* ---- screening ---- */

// the low word of a whole number that 1.5 * 2^52 leaves no room for fractions beside: modulo 2^32
static __device__ __forceinline__ int spot_of(double x, double scale)
{
    return __double2loint(x * scale + 0x1.8p52);
}

static __device__ __forceinline__ int4 spot_place(const soft_tile &a, const row4 &x)
{
    return make_int4(spot_of(x.x, a.scale[0]), spot_of(x.y, a.scale[1]), spot_of(x.z, a.scale[2]),
                     __float_as_int((float)x.w));
}

// modulo the period that is the nearest image
static __device__ __forceinline__ float spot_gap(int a, int b, float unit)
{
    return (float)(int)((unsigned)a - (unsigned)b) * unit;
}

// whether two bodies may touch: never false where they do
static __device__ __forceinline__ bool spots_meet(const soft_tile &a, int4 i, int4 j)
{
    float dx = spot_gap(i.x, j.x, a.unit[0]), dy = spot_gap(i.y, j.y, a.unit[1]), dz = spot_gap(i.z, j.z, a.unit[2]);
    float r = __int_as_float(i.w) + __int_as_float(j.w) + a.margin;
    return dx * dx + dy * dy + dz * dz < r * r;
}

// whether a body has strayed from where the list expects it, or is nowhere
static __device__ __forceinline__ bool spot_strays(const soft_tile &a, const row4 &x, int4 now, int4 anchor,
                                                   float2 drift)
{
    float dx = spot_gap(now.x, anchor.x, a.unit[0]) - a.age * __int_as_float(anchor.w);
    float dy = spot_gap(now.y, anchor.y, a.unit[1]) - a.age * drift.x;
    float dz = spot_gap(now.z, anchor.z, a.unit[2]) - a.age * drift.y;
    bool somewhere = fabs(x.x + x.y + x.z) < 1e300;
    return !(somewhere && dx * dx + dy * dy + dz * dz <= a.slack2);
}

/* ---- one contact ---- */

/* What is left of a contact when its force is known: seen from its first body. */
struct share {
    rvec force, twist, couple; /* twist: n x F_t; couple of CONTACT_ANY */
    double delta;
};

/* Energies of one thread. */
struct books {
    double lost[SOFT_PAIR_LOSSES], stored[SOFT_PAIR_STORED];
    double worst;
    bool deep;
};

// a - b, or b - a where `sign` has the sign's bit: an equal pair gives +0 either way
static __device__ __forceinline__ double signed_difference(long long sign, double a, double b)
{
    return __longlong_as_double(__double_as_longlong(a) ^ sign) - __longlong_as_double(__double_as_longlong(b) ^ sign);
}

// two bodies that nothing can push have their own masses, so that dampers between them are finite
static __device__ __forceinline__ void set_held(const soft_tile &a, size_t i, size_t j, double ri, double rj,
                                                contact_state *c)
{
    double mi = a.mass[i], mj = a.mass[j];
    c->inverse_mass = 1 / mi + 1 / mj;
    c->inverse_inertia = 2.5 / (mi * ri * ri) + 2.5 / (mj * rj * rj);
}

/* Options that are known when the kernel is compiled, or as the tile has them (-1). */
template <int KIND, int IMPROVED, int LAMMPS>
static __device__ __forceinline__ contact_options options_of(const soft_tile &a)
{
    return contact_options{KIND, IMPROVED < 0 ? a.improved : IMPROVED, LAMMPS < 0 ? a.lammps : LAMMPS, 1};
}

static __device__ __forceinline__ void book(books *k, const contact_options &o, const contact_result &r,
                                            const contact_state &c, double most, bool look)
{
#define F(loss, NAME) k->lost[SOFT_LOST_##NAME] += r.loss;
#define G(loss, NAME) \
    if (o.kind == CONTACT_ANY) F(loss, NAME)
    CONTACT_LOSSES(F, G)
#undef F
#undef G
    k->deep |= c.delta > most;
    if (!look) return;
    k->stored[SOFT_STORED_NORMAL] += r.elastic_normal, k->stored[SOFT_STORED_TANGENTIAL] += r.elastic_tangential;
    k->stored[SOFT_STORED_EXCESS] += r.excess_damping;
    if (o.kind == CONTACT_ANY) {
        k->stored[SOFT_STORED_ROLLING] += r.elastic_rolling;
        k->stored[SOFT_STORED_EXCESS_ROLLING] += r.excess_rolling;
    }
    double depth = c.delta / most;
    if (depth > k->worst) k->worst = depth;
    k->stored[SOFT_STORED_CONTACTS] += c.touch ? 1 : 0;
}

static __device__ __forceinline__ void keep_record(double *to, const contact_options &o, const contact_result &r)
{
    bool any = o.kind == CONTACT_ANY;
    to[0] = r.force.x, to[1] = r.force.y, to[2] = r.force.z;
    to[3] = r.excess_damping + (any ? r.excess_rolling : 0.0);
    to[4] = any ? r.couple.x : 0.0, to[5] = any ? r.couple.y : 0.0, to[6] = any ? r.couple.z : 0.0, to[7] = 0;
}

static __device__ __forceinline__ void load_wide(const double *wide, size_t q, contact_history *h)
{
    row4 m = row_load(wide, 2 * q);
    h->roll = rvec{m.x, m.y, m.z}, h->twist = m.w, h->residual = wide[8 * q + 5];
}

// what a contact has dissipated: from zero when it begins
static __device__ __forceinline__ void add_spent(double *wide, size_t q, const contact_options &o,
                                                 const contact_result &r, const contact_state &c)
{
    double lost = r.damping + r.friction, *spent = wide + 8 * q + 4;
    if (o.kind == CONTACT_ANY) lost += r.rolling + r.plastic;
    *spent = c.touch ? (c.was ? *spent : 0) + lost : 0;
}

/* Word q of the list, of which `i` with its rows is the own body. False: they neither touch nor touched. MANY: bodies
 * that nothing can push may meet, and contacts may keep what they have dissipated. */
template <int LOOK, int MANY>
static __device__ __forceinline__ bool pair_force(const soft_tile &a, const contact_options o, const scr_law &law,
                                                  size_t q, uint32_t word, size_t i, const row4 &x, const row4 &v,
                                                  const row4 &w, books *k, share *s)
{
    size_t j = word & SOFT_ROW;
    row4 h4 = row_load(a.history, q), y = row_read(a.place, j), u = row_read(a.motion, j), z = row_read(a.spin, j);
    const long long sign = (long long)((unsigned long long)(word & SOFT_SECOND) << 32);
    const pair_body own = {rvec{w.x, w.y, w.z}, x.w, w.w}, other = {rvec{z.x, z.y, z.z}, y.w, z.w};
    rvec d = {signed_difference(sign, x.x, y.x), signed_difference(sign, x.y, y.y), signed_difference(sign, x.z, y.z)};
    rvec dv = {signed_difference(sign, v.x, u.x), signed_difference(sign, v.y, u.y), signed_difference(sign, v.z, u.z)};
    pair_nearest(a.length, a.inverse, &d);
    contact_state c;
    contact_sizes sizes = a.sizes;
    double arm[2];
    pair_contact(o, a.dt, &own, &other, d, dv, &sizes, &c, arm);
    c.dw =
        rvec{signed_difference(sign, w.x, z.x), signed_difference(sign, w.y, z.y), signed_difference(sign, w.z, z.z)};
    c.inverse_mass = v.w + u.w;
    if (MANY && a.held && !(c.inverse_mass > 0)) set_held(a, i, j, x.w, y.w, &c);
    c.was = word & SOFT_TOUCH ? -1 : 0;
    c.touch = contact_touch(o, &law, c.delta, c.radius, c.was);
    s->delta = c.delta;
    if (!(c.touch | c.was)) return false;
    contact_sizes_update(&sizes, c.inverse_mass);
    contact_history h;
    h.h = rvec{h4.x, h4.y, h4.z}, h.viscous = h4.w;
    if (o.kind == CONTACT_ANY) load_wide(a.wide, q, &h);
    contact_result r = contact_force(o, a.dt, a.opening, &c, &law, &sizes, &h);
    row_store(a.history, q, row4{h.h.x, h.h.y, h.h.z, h.viscous});
    if (o.kind == CONTACT_ANY) {
        row_store(a.wide, 2 * q, row4{h.roll.x, h.roll.y, h.roll.z, h.twist});
        if (contact_remembers(&law)) a.wide[8 * q + 5] = h.residual;
        s->couple = r.couple;
    }
    uint32_t now = (word & ~SOFT_TOUCH) | (c.touch ? SOFT_TOUCH : 0);
    if (now != word) a.word[q] = now;
    s->force = r.force, s->twist = rv_fcross(c.n, r.tangential);
    if (MANY && a.spent) add_spent(a.wide, q, o, r, c);
    // each pair is in the books of its first body
    if (!(word & SOFT_SECOND)) {
        book(k, o, r, c, r_min(x.w, y.w), LOOK);
        if (LOOK && a.record) keep_record(a.record + 8 * q, o, r);
    }
    return true;
}

/* ---- a body's sum ---- */

struct load_sum {
    rvec force, torque; /* of the parts that have ended */
    rvec part_force, part_torque;
    bool parted; /* some part has ended */
};

static __device__ __forceinline__ void sum_walls(const soft_tile &a, size_t i, load_sum *s)
{
    uint32_t number = a.wall_of ? a.wall_of[i] : 0;
    if (!number) return;
    const double *load = a.wall_load + 6 * (size_t)a.wall_start[number - 1];
    for (uint32_t k = 0; k < a.wall_count[number - 1]; k++, load += 6) {
        s->force = rv_add(s->force, rvec{load[0], load[1], load[2]});
        s->torque = rv_add(s->torque, rvec{load[3], load[4], load[5]});
    }
}

// the part sum of one block ends, that of the next begins: what its own block owns comes first, then walls
// (OTHERS: walls, or bonds)
template <int OTHERS> static __device__ __forceinline__ void sum_part(const soft_tile &a, size_t i, load_sum *s)
{
    if (s->parted) {
        s->force = rv_add(s->force, s->part_force), s->torque = rv_add(s->torque, s->part_torque);
    } else {
        s->force = s->part_force, s->torque = s->part_torque, s->parted = true;
        if (OTHERS) sum_walls(a, i, s);
    }
    s->part_force = s->part_torque = rvec{0, 0, 0};
}

template <int ANY>
static __device__ __forceinline__ void sum_share(load_sum *s, const share &c, double radius, double part, bool second)
{
    rvec turn = rv_scale(r_fnma(part, c.delta, radius), c.twist);
    s->part_force = second ? rv_sub(s->part_force, c.force) : rv_add(s->part_force, c.force);
    if (!ANY)
        s->part_torque = rv_sub(s->part_torque, turn);
    else if (second)
        s->part_torque = rv_sub(s->part_torque, rv_add(turn, c.couple));
    else
        s->part_torque = rv_add(s->part_torque, rv_add(rvec{-turn.x, -turn.y, -turn.z}, c.couple));
}

static __device__ __forceinline__ void sum_bonds(const soft_tile &a, size_t i, load_sum *s)
{
    for (uint32_t e = a.bond_start[i]; e < a.bond_start[i + 1]; e++) {
        const double *from = a.bond_load + 12 * (size_t)(a.bond_entry[e] / 2);
        double sign = a.bond_entry[e] % 2 ? -1 : 1;
        s->force = rv_add(s->force, rvec{sign * from[0], sign * from[1], sign * from[2]});
        s->torque =
            rv_add(s->torque, rvec{from[3] + sign * from[6], from[4] + sign * from[7], from[5] + sign * from[8]});
    }
}

template <int OTHERS> static __device__ __forceinline__ void sum_end(const soft_tile &a, size_t i, load_sum *s)
{
    sum_part<OTHERS>(a, i, s);
    if (OTHERS && a.bond_start) sum_bonds(a, i, s);
}

/* ---- motion ---- */

static __device__ __forceinline__ void kick_row(const soft_tile &a, rvec force, rvec torque, row4 *v, row4 *w)
{
    const double half = 0.5 * a.step;
    if (v->w == 0) return;
    v->x = kick_velocity(v->x, half, v->w, force.x, a.gravity[0]);
    v->y = kick_velocity(v->y, half, v->w, force.y, a.gravity[1]);
    v->z = kick_velocity(v->z, half, v->w, force.z, a.gravity[2]);
    w->x = kick_spin(w->x, half, w->w, torque.x);
    w->y = kick_spin(w->y, half, w->w, torque.y);
    w->z = kick_spin(w->z, half, w->w, torque.z);
}

// what nothing moves stays where it is
static __device__ __forceinline__ void drift_row(const soft_tile &a, const row4 &v, row4 *x)
{
    if (v.w == 0 && v.x == 0 && v.y == 0 && v.z == 0) return;
    x->x = kick_drift_place(x->x, a.step, v.x);
    x->y = kick_drift_place(x->y, a.step, v.y);
    x->z = kick_drift_place(x->z, a.step, v.z);
}

// whether a body is to leave, or is a diameter outside of a periodic domain
static __device__ __forceinline__ bool is_out(const soft_tile &a, const row4 &x)
{
    const double at[3] = {x.x, x.y, x.z};
    bool out = false;
    for (int d = 0; d < 3; d++) {
        const double slack = a.periodic[d] ? 2 * x.w : 0;
        out |= at[d] < a.lower[d] - slack || at[d] > a.upper[d] + slack;
    }
    return out;
}

// after a drift: whether the list is too old for the new place, or the step there must be the last
static __device__ __forceinline__ bool ends_batch(const soft_tile &a, const row4 &x, int4 spot, int4 anchor,
                                                  float2 drift)
{
    const bool strays = spot_strays(a, x, spot, anchor, drift);
    if (!a.watch) return strays;
    const bool out = is_out(a, x);
    if (out || strays) atomicOr(&a.control->watched, (out ? SOFT_IS_OUT : 0u) | (strays ? SOFT_IS_OLD : 0u));
    return out || strays;
}

/* The rest of a step of row i, and the drift of the next; true: it ends the batch. */
static __device__ __forceinline__ bool move_row(const soft_tile &a, size_t i, const load_sum &s, int4 anchor,
                                                float2 drift, row4 *x, row4 *v, row4 *w, int4 *spot)
{
    for (int k = 0; k < a.kicks; k++) kick_row(a, s.force, s.torque, v, w);
    if (a.kicks < 2) {
        row_store(a.load, 2 * i, row4{s.force.x, s.force.y, s.force.z, 0});
        row_store(a.load, 2 * i + 1, row4{s.torque.x, s.torque.y, s.torque.z, 0});
        *spot = spot_place(a, *x);
        return false;
    }
    drift_row(a, *v, x);
    *spot = spot_place(a, *x);
    return ends_batch(a, *x, *spot, anchor, drift);
}

/* Energies of a block of threads, added up in a fixed order: within warps, then warps one after the other. */
static __device__ __forceinline__ double warp_sum(double v)
{
    for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
    return v;
}

// overlaps too deep, and the deepest: of each warp, where it is deeper than those before
static __device__ __forceinline__ void tell_depth(const soft_tile &a, const books &k, bool look)
{
    if (k.deep) atomicMin(&a.control->deep, a.node);
    if (!look) return;
    double worst = k.worst;
    for (int o = 16; o; o /= 2) worst = fmax(worst, __shfl_xor_sync(~0u, worst, o));
    const unsigned long long bits = (unsigned long long)__double_as_longlong(worst);
    if ((threadIdx.x & 31) == 0 && bits > *(volatile unsigned long long *)&a.control->worst)
        atomicMax(&a.control->worst, bits);
}

#endif
