/* Bodies near walls: as step/soft/cpu/walls_text.h, a thread for each body. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exec/cuda/launch.h"
// the texts of walls, faces and bodies are for both
#define inline inline __host__ __device__
#include "collide/touch.h"
#include "kernel/wall.h"
#include "math/exact_text.h"
#include "step/soft/cuda/contact_text.h"

// scr_law_range with the cube root of laws
static inline double touch_range(const scr_law *law, double radius)
{
    double reach = contact_reach(law, radius, -1);
    return reach < 0 ? -reach : 0;
}
#include "collide/touch_text.h"
#undef inline

#include "step/soft/cuda/walls.h"

/* Where one thread looks for contacts. */
template <int FACES> struct touch_room {
    candidate near[FACES];
    int order[FACES];
    bool hidden[FACES];
    scr_touch touches[FACES < 2 * SCR_MOST_TOUCHES ? FACES : 2 * SCR_MOST_TOUCHES];
};

/* What a thread's contacts do to walls: those with the wall of the first are added up by warps. */
struct wall_sums {
    books energies;
    double appeared;
    int wall; /* -1: none */
    scr_exact exact[6];
};

static __device__ __forceinline__ void add_parts(unsigned long long *to, scr_exact value)
{
    for (int n = 0; n < SCR_EXACT_PARTS; n++, value >>= 32) {
        long long part = n == SCR_EXACT_PARTS - 1 ? (long long)value : (long long)(uint32_t)value;
        if (part) atomicAdd(to + n, (unsigned long long)part);
    }
}

static __device__ __forceinline__ void push_wall(const soft_wall_rows &r, wall_sums *s, int wall, vec3 force,
                                                 vec3 torque)
{
    const double on[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    if (s->wall < 0) s->wall = wall;
    for (int n = 0; n < 6; n++)
        if (s->wall == wall)
            s->exact[n] += scr_exact_of(on[n]);
        else
            add_parts(r.exact + SOFT_WALL_EXACT * (size_t)wall + SCR_EXACT_PARTS * n, scr_exact_of(on[n]));
}

// energy that walls bring which have just come: what their springs hold and dents have taken, and what these springs do
// in the half step before
static __device__ __forceinline__ double brought_by(const soft_tile &a, const contact_options &o,
                                                    const contact_state &c, const contact_result &f,
                                                    const contact_history &h)
{
    double push = rv_dot(f.force, c.n) - h.viscous, kick = 0.5 * a.dt * push;
    double brought = f.elastic_normal + kick * (c.vn + 0.5 * kick * c.inverse_mass);
    return o.kind == CONTACT_ANY ? brought + (f.plastic + f.jump) : brought;
}

// one contact; its force and torque on the body go to `load`. False: there is none, and was none
template <int KIND>
static __device__ bool wall_force(const soft_tile &a, const soft_wall_rows &r, size_t i, const scr_touch &t,
                                  double *load, wall_sums *s)
{
    const scr_world *w = r.world;
    scr_wall_pairs *p = (scr_wall_pairs *)r.pairs;
    const int number = w->faces[p->face[t.pair]].wall;
    const scr_wall &wall = w->walls[number];
    const contact_options o = options_of<KIND, -1, -1>(a);
    const scr_law &law = w->laws[p->law[t.pair]];
    const row4 x = row_load(w->bodies.place, i), spin = row_load(w->bodies.spin, i);
    contact_state c = {};
    c.n = rvec{t.normal.x, t.normal.y, t.normal.z};
    c.n_half = rvec{t.normal_half.x, t.normal_half.y, t.normal_half.z};
    c.delta = t.overlap;
    c.inverse_mass = w->bodies.motion[4 * i + 3];
    const double arm = wall_contact(o, rvec{t.velocity.x, t.velocity.y, t.velocity.z}, rvec{spin.x, spin.y, spin.z},
                                    rvec{wall.spin.x, wall.spin.y, wall.spin.z}, spin.w, x.w, &c);
    c.was = p->touch[t.pair] ? -1 : 0;
    c.touch = contact_touch(o, &law, c.delta, c.radius, c.was);
    if (!(c.touch | c.was)) return false;
    contact_sizes sizes = {0, 0, 0, 0, 0, 0};
    contact_sizes_update(&sizes, c.inverse_mass);
    const size_t q = t.pair;
    const row4 h4 = row_load(p->history, q);
    contact_history h;
    h.h = rvec{h4.x, h4.y, h4.z}, h.viscous = h4.w;
    if (o.kind == CONTACT_ANY) load_wide(p->wide, q, &h);
    const contact_result f = contact_force(o, a.dt, a.opening, &c, &law, &sizes, &h);
    const rvec turning = wall_torque(o, &c, &f, arm);
    load[0] = f.force.x, load[1] = f.force.y, load[2] = f.force.z;
    load[3] = turning.x, load[4] = turning.y, load[5] = turning.z;
    row_store(p->history, q, row4{h.h.x, h.h.y, h.h.z, h.viscous});
    if (o.kind == CONTACT_ANY) {
        row_store(p->wide, 2 * q, row4{h.roll.x, h.roll.y, h.roll.z, h.twist});
        if (contact_remembers(&law)) p->wide[8 * q + 5] = h.residual;
    }
    p->touch[q] = c.touch != 0;
    if (r.wanted[number]) {
        vec3 force = v3(-f.force.x, -f.force.y, -f.force.z);
        vec3 point = v3_axpy(v3(x.x, x.y, x.z), -arm, t.normal);
        vec3 torque = v3_cross(v3_sub(point, scr_wall_reference(&wall)), force);
        if (o.kind == CONTACT_ANY) torque = v3_sub(torque, v3(f.couple.x, f.couple.y, f.couple.z));
        push_wall(r, s, number, force, torque);
    }
    if (a.spent) add_spent(p->wide, q, o, f, c);
    if (a.record) keep_record(p->record + 8 * q, o, f);
    // only what touches can be too deep
    contact_state seen = c;
    if (!c.touch) seen.delta = 0;
    book(&s->energies, o, f, seen, t.most, true);
    if (wall.fresh) s->appeared += brought_by(a, o, c, f, h);
    return true;
}

// all contacts of a body, which are found in `touches`
template <int KIND>
static __device__ void wall_forces(const soft_tile &a, const soft_wall_rows &r, uint32_t number,
                                   const scr_touch *touches, int count, wall_sums *s)
{
    const uint32_t from = r.start[number];
    const size_t i = ((const scr_wall_pairs *)r.pairs)->body[from];
    uint32_t n = 0;
    for (int k = 0; k < count; k++) n += wall_force<KIND>(a, r, i, touches[k], r.load + 6 * (size_t)(from + n), s);
    r.count[number] = n;
}

// one copy of a long text, for all kernels
static __device__ __noinline__ int find_touches(const soft_tile &a, const soft_wall_rows &r, uint32_t from, uint32_t to,
                                                candidate *near, int *order, bool *hidden, scr_touch *touches)
{
    const scr_touch_options options = {.dt = a.dt, .improved = a.improved != 0, .far_arm = a.lammps != 0};
    finder f;
    f.near = near, f.order = order, f.hidden = hidden;
    return touches_find(&f, r.world, (scr_wall_pairs *)r.pairs, from, to, options, touches);
}

template <int KIND>
static __device__ void look_at_walls(const soft_tile &a, const soft_wall_rows &r, uint32_t number, candidate *near,
                                     int *order, bool *hidden, scr_touch *touches, wall_sums *s)
{
    scr_wall_pairs *p = (scr_wall_pairs *)r.pairs;
    const uint32_t from = r.start[number], to = r.start[number + 1];
    int count;
    if (!(r.range > 0) && to == from + 1 && scr_touch_is_plain(r.world, &r.world->faces[p->face[from]]))
        count = scr_touch_plane(r.world, p, from, touches);
    else
        count = find_touches(a, r, from, to, near, order, hidden, touches);
    wall_forces<KIND>(a, r, number, touches, count, s);
}

/* ---- sums of a warp ---- */

static __device__ __forceinline__ scr_exact exact_sum(scr_exact v)
{
    for (int o = 16; o; o /= 2) {
        unsigned long long low = __shfl_xor_sync(~0u, (unsigned long long)v, o);
        unsigned long long high = __shfl_xor_sync(~0u, (unsigned long long)(v >> 64), o);
        v += (scr_exact)low + ((scr_exact)(long long)high << 64);
    }
    return v;
}

// one wall after the other, as long as somebody has one
static __device__ void walls_meet(const soft_wall_rows &r, const wall_sums &s)
{
    int mine = s.wall;
    for (unsigned left = __ballot_sync(~0u, mine >= 0); left; left = __ballot_sync(~0u, mine >= 0)) {
        const int wall = __shfl_sync(~0u, mine, __ffs(left) - 1);
        for (int n = 0; n < 6; n++) {
            scr_exact sum = exact_sum(mine == wall ? s.exact[n] : 0);
            if ((threadIdx.x & 31) == 0) add_parts(r.exact + SOFT_WALL_EXACT * (size_t)wall + SCR_EXACT_PARTS * n, sum);
        }
        if (mine == wall) mine = -1;
    }
}

static __device__ void sums_meet(const soft_tile &a, const soft_wall_rows &r, uint32_t warp, const wall_sums &s)
{
    const size_t place = (size_t)r.place + warp;
    const bool first = (threadIdx.x & 31) == 0;
    const books &k = s.energies;
    walls_meet(r, s);
    for (int n = 0; n < SOFT_PAIR_LOSSES; n++) {
        double sum = warp_sum(k.lost[n]);
        if (first) a.lost[SOFT_LOSSES * place + n] += sum;
    }
    for (int n = 0; n < SOFT_PAIR_STORED; n++) {
        double sum = warp_sum(k.stored[n]);
        if (first) a.stored[SOFT_STORED * place + n] = sum;
    }
    double appeared = warp_sum(s.appeared);
    if (first) a.lost[SOFT_LOSSES * place + SOFT_LOST_APPEARED] += appeared;
    tell_depth(a, k, true);
}

static __device__ __forceinline__ wall_sums no_sums(void)
{
    wall_sums s = {};
    s.wall = -1;
    return s;
}

// bodies with few faces, a thread each; or those with many, which take turns in few places
template <int KIND>
__global__ void __launch_bounds__(128) walls_of_rows(const soft_tile a, const soft_wall_rows r, bool many)
{
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    if (a.control->stop < a.node) return;
    wall_sums s = no_sums();
    touch_room<SOFT_FEW_FACES> few;
    touch_room<MOST_NEAR> *wide = (touch_room<MOST_NEAR> *)r.room + thread;
    candidate *near = many ? wide->near : few.near;
    int *order = many ? wide->order : few.order;
    bool *hidden = many ? wide->hidden : few.hidden;
    scr_touch *touches = many ? wide->touches : few.touches;
    for (uint32_t n = thread; n < (many ? r.many_count : r.rows); n += threads) {
        const uint32_t number = many ? r.many[n] : n;
        if (!many && r.start[number + 1] - r.start[number] > SOFT_FEW_FACES) continue;
        look_at_walls<KIND>(a, r, number, near, order, hidden, touches, &s);
    }
    sums_meet(a, r, (many ? (r.rows + 127) / 128 * 4 : 0) + thread / 32, s);
}

/* ---- launching ---- */

extern "C" size_t scr_soft_walls_room(void)
{
    return SOFT_FINDERS * sizeof(touch_room<MOST_NEAR>);
}

extern "C" uint32_t scr_soft_walls_warps(const soft_wall_rows *r)
{
    return (r->rows + 127) / 128 * 4 + (r->many_count ? SOFT_FINDERS / 32 : 0);
}

template <int KIND> static void launch(void *stream, const soft_tile *a, const soft_wall_rows *r)
{
    SCR_LAUNCH_BLOCKS(stream, walls_of_rows<KIND>, (r->rows + 127) / 128, 128, 0, *a, *r, false);
    if (r->many_count) SCR_LAUNCH_BLOCKS(stream, walls_of_rows<KIND>, SOFT_FINDERS / 128, 128, 0, *a, *r, true);
}

extern "C" void scr_soft_walls_forces(void *stream, const soft_tile *a, const soft_wall_rows *r)
{
    if (!r->rows) return;
    if (a->kind == CONTACT_HOOKE)
        launch<CONTACT_HOOKE>(stream, a, r);
    else if (a->kind == CONTACT_HERTZ)
        launch<CONTACT_HERTZ>(stream, a, r);
    else
        launch<CONTACT_ANY>(stream, a, r);
}
