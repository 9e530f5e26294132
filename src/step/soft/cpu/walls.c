#include "step/soft/cpu/walls.h"

#include "comm/share.h"
#include "exec/cpu/threads.h"

bool scr_soft_wall_move(scr_world *w, const scr_wall_pairs *p, int k, double before)
{
    scr_wall *wall = &w->walls[k];
    bool stale = scr_wall_move(wall, before, w->clock.time, scr_clock_span(&w->clock));
    if (w->clock.lag != 0) {
        wall->velocity = v3_scale(1 - w->clock.lag, wall->velocity);
        wall->spin = v3_scale(1 - w->clock.lag, wall->spin);
    }
    return stale | (scr_wall_strayed2(wall, p->extents[k].lower, p->extents[k].upper) > scr_pairs_slack2(w));
}

bool scr_soft_walls_move(scr_world *w, const scr_wall_pairs *p, double before)
{
    bool stale = false;
    scr_servos_measure(w);
    for (int k = 0; k < w->wall_count; k++) stale |= scr_soft_wall_move(w, p, k, before);
    return stale;
}

static vec3 value3(const scr_exact *sum)
{
    return v3(scr_exact_value(sum[0]), scr_exact_value(sum[1]), scr_exact_value(sum[2]));
}

static vec3 sum3(const double *first, size_t blocks, size_t stride)
{
    return v3(scr_sum(first, blocks, stride), scr_sum(first + 1, blocks, stride), scr_sum(first + 2, blocks, stride));
}

// over all ranks: in pieces of 32 bits, whose sums are whole numbers of 64
static void add_ranks(scr_share *share, scr_exact sum[3])
{
    int64_t piece[12];
    for (int k = 0; k < 12; k++)
        piece[k] = k % 4 < 3 ? (int64_t)(uint32_t)(sum[k / 4] >> 32 * (k % 4)) : (int64_t)(sum[k / 4] >> 96);
    scr_comm_add(share->comm, piece, 12);
    for (int d = 0; d < 3; d++) {
        sum[d] = 0;
        for (int k = 0; k < 4; k++) sum[d] += (scr_exact)piece[4 * d + k] * ((scr_exact)1 << 32 * k);
    }
}

static vec3 exact3(scr_share *share, const scr_exact *first, size_t blocks, size_t stride, const scr_exact *push)
{
    scr_exact sum[3] = {0};
    for (int d = 0; push && d < 3; d++) sum[d] = push[d];
    for (size_t b = 0; b < blocks; b++)
        for (int d = 0; d < 3; d++) sum[d] += first[b * stride + (size_t)d];
    if (share) add_ranks(share, sum);
    return value3(sum);
}

// as math/exact.h has it
static void add_exact(scr_total *t, scr_exact x)
{
    bool negative = x < 0;
    if (negative) x = -x;
    for (int k = 0; k < 4; k++) {
        double part = (double)(uint32_t)(x >> 32 * k) * (double)((scr_exact)1 << 32 * k) * 0x1p-80;
        scr_total_add(t, negative ? -part : part);
    }
}

// the wall's force on the bodies acts in the half steps before and after its time. Ranks have parts of both, and of the
// work: products without rounding add up to that of one rank
static void book_work(soft_task *t, scr_wall *wall, const double *on, size_t blocks, size_t stride,
                      const scr_exact *push)
{
    scr_total *work = &t->world->ledger.booked.wall_work;
    const double way[SOFT_WALL_SUMS] = {wall->velocity.x, wall->velocity.y, wall->velocity.z,
                                        wall->spin.x,     wall->spin.y,     wall->spin.z};
    // all ranks know the whole force of a servo
    for (int d = wall->motion.servo ? 3 : 0; d < SOFT_WALL_SUMS; d++) {
        double by = scr_total_coarse(-0.5 * t->dt * way[d]);
        scr_total *load = &wall->load[d];
        scr_total_add_times(work, load, by);
        *load = (scr_total){0};
        for (size_t b = 0; b < blocks; b++) scr_total_add(load, scr_total_coarse(on[b * stride + (size_t)d]));
        if (push) add_exact(load, push[d]);
        scr_total_add_times(work, load, by);
    }
}

static void book_servo(soft_task *t, const scr_wall *wall, vec3 force)
{
    double power = v3_dot(v3_add(wall->force, force), wall->velocity);
    if (scr_share_leads(t->world->share)) scr_total_add(&t->world->ledger.booked.wall_work, -0.5 * t->dt * power);
}

void scr_soft_walls_add_up(soft_task *t)
{
    scr_world *w = t->world;
    size_t first = t->pairs->own_first, blocks = t->pairs->own_end - first;
    size_t walls = (size_t)w->wall_count, stride = SOFT_WALL_SUMS * walls;
    for (int m = 0; m < w->wall_count; m++) {
        scr_wall *wall = &w->walls[m];
        const double *on = t->wall_loads + first * stride + SOFT_WALL_SUMS * m;
        vec3 force = sum3(on, blocks, stride), torque = sum3(on + 3, blocks, stride);
        const scr_exact *push = t->wall_push ? t->wall_push + SOFT_WALL_SUMS * m : NULL;
        if (push) {
            force = v3_add(force, value3(push));
            torque = v3_add(torque, value3(push + 3));
        }
        if (t->wall_exact && wall->motion.servo)
            force = exact3(w->share, t->wall_exact + 3 * (first * walls + (size_t)m), blocks, 3 * walls, push);
        if (wall->motion.servo) book_servo(t, wall, force);
        if (!scr_wall_rests(wall)) book_work(t, wall, on, blocks, stride, push);
        wall->force = force, wall->torque = torque;
    }
}
