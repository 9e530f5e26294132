/* Solving by a plan (pgs_plan.h): impulses in double precision, threads, the order of sweeps. The sweeps themselves are
 * in pgs_text.h. */
#include <math.h>
#include <string.h>

#include "exec/cpu/threads.h"
#include "solve/pgs_plan.h"

enum {
    FEW_CONTACTS = 2000, /* below: one thread */
    FEW_SLOTS = 256,     /* colours of fewer are not divided among threads */
    CHECK_EVERY = 4,     /* sweeps between two looks at the residual */
    BATCH = 64,          /* contacts that stay in the cache while they are looked at twice */
    MOST_THREADS = 256
};

// ---- impulses in double precision ----

static vec3 turn_of(const scr_pgs_problem *p, uint32_t row, vec3 angular)
{
    if (row < p->general_first) return v3_scale(p->bodies[row].inverse_inertia, angular);
    const double *m = p->inverse_inertia[row - p->general_first];
    return v3(m[0] * angular.x + m[3] * angular.y + m[4] * angular.z,
              m[3] * angular.x + m[1] * angular.y + m[5] * angular.z,
              m[4] * angular.x + m[5] * angular.y + m[2] * angular.z);
}

static void push(const scr_pgs_problem *p, scr_pgs_body *bodies, uint32_t row, double sign, vec3 impulse, vec3 angular)
{
    scr_pgs_body *b = &bodies[row];
    b->v = v3_axpy(b->v, sign * b->inverse_mass, impulse);
    b->w = v3_axpy(b->w, sign, turn_of(p, row, angular));
}

// what a contact does to its row a or b
static void push_side(const scr_pgs_problem *p, scr_pgs_body *bodies, const scr_pgs_contact *c, bool general, int side)
{
    double sign = side ? 1 : -1;
    vec3 impulse = v3_axpy(c->lt, c->ln, c->normal), torque;
    if (general)
        torque = v3_cross(c->beside->lever[side], impulse);
    else
        torque = v3_scale(-sign * c->arm[side], v3_cross(c->normal, c->lt));
    push(p, bodies, side ? c->b : c->a, sign, impulse, v3_add(torque, c->lr));
}

// what a contact of two spheres does to both
static inline void push_both(scr_pgs_body *bodies, const scr_pgs_contact *c)
{
    scr_pgs_body *a = &bodies[c->a], *b = &bodies[c->b];
    vec3 impulse = v3_axpy(c->lt, c->ln, c->normal), turning = v3_cross(c->normal, c->lt);
    a->v = v3_axpy(a->v, -a->inverse_mass, impulse);
    b->v = v3_axpy(b->v, b->inverse_mass, impulse);
    a->w = v3_sub(a->w, v3_scale(a->inverse_inertia, v3_add(v3_scale(c->arm[0], turning), c->lr)));
    b->w = v3_add(b->w, v3_scale(b->inverse_inertia, v3_add(v3_scale(-c->arm[1], turning), c->lr)));
}

static bool does_nothing(const scr_pgs_contact *c)
{
    // lt and lr follow each other
    typedef double two __attribute__((vector_size(16), aligned(8), may_alias));
    typedef int64_t two_words __attribute__((vector_size(16)));
    const two *x = (const two *)&c->lt;
    if (c->ln != 0) return false;
    two_words some = (x[0] != 0) | (x[1] != 0) | (x[2] != 0);
    return !(some[0] | some[1]);
}

// contacts at home in a chunk: row a, and b if it is in the chunk too
static void push_home(const scr_pgs *s, const scr_pgs_problem *p, scr_pgs_body *bodies, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        const scr_pgs_contact *c = &p->contacts[s->home[k]];
        uint8_t kind = s->kind[s->home[k]];
        if (does_nothing(c)) continue;
        if ((kind & (PGS_KIND | PGS_BETWEEN)) == PGS_PAIR) {
            push_both(bodies, c);
            continue;
        }
        bool general = (kind & PGS_KIND) == PGS_GENERAL;
        push_side(p, bodies, c, general, 0);
        if (!(kind & PGS_BETWEEN) && c->b != SCR_PGS_STILL) push_side(p, bodies, c, general, 1);
    }
}

// contacts whose row b is in the chunk, and a in another one
static void push_away(const scr_pgs *s, const scr_pgs_problem *p, scr_pgs_body *bodies, size_t chunk)
{
    for (size_t k = s->away_first[chunk]; k < s->away_first[chunk + 1]; k++) {
        const scr_pgs_contact *c = &p->contacts[s->away[k]];
        bool general = (s->kind[s->away[k]] & PGS_KIND) == PGS_GENERAL;
        if (!does_nothing(c)) push_side(p, bodies, c, general, 1);
    }
}

static void push_joints(const scr_pgs_problem *p, scr_pgs_body *bodies)
{
    for (size_t i = 0; i < p->row_count; i++) {
        const scr_pgs_row *r = &p->rows[i];
        uint32_t row[2] = {r->a, r->b};
        for (int side = 0; side < 2; side++)
            if (row[side] != SCR_PGS_STILL && r->impulse != 0)
                push(p, bodies, row[side], 1, v3_scale(r->impulse, r->linear[side]),
                     v3_scale(r->impulse, r->angular[side]));
    }
}

// ---- into blocks and back ----

/* What a thread has found. */
typedef struct {
    _Alignas(64) double worst;
    bool alike[PGS_KINDS][PGS_COEFFICIENTS];
} share_of_thread;

typedef struct {
    scr_pgs *pgs;
    const scr_pgs_options *options;
    const pgs_loops *loops, *serial_loops;
    pgs_task task, serial;
    bool any_serial;
    scr_barrier barrier;
    share_of_thread *of;
    int threads; /* of them */
    int sweeps;
    double residual;
} solving;

// the power of two nearest to x by ratio
static double power_near(double x)
{
    int e;
    double part = frexp(x, &e);
    return ldexp(1, part < M_SQRT1_2 ? e - 1 : e);
}

// units of the lightest body, so that squares of its impulses are far from what a float cannot hold
static void choose_units(const scr_pgs_problem *p, double *mass, double *length)
{
    double over_m = 0, over_i = 0;
    for (size_t i = 0; i < p->body_count; i++) {
        const scr_pgs_body *b = &p->bodies[i];
        if (b->inverse_mass <= over_m) continue;
        over_m = b->inverse_mass;
        over_i = i < p->general_first ? b->inverse_inertia : p->inverse_inertia[i - p->general_first][0];
    }
    *mass = over_m > 0 ? 1 / power_near(over_m) : 1;
    *length = over_m > 0 && over_i > 0 ? power_near(sqrt(over_m / over_i)) : 1;
}

static void make_tasks(solving *w, const scr_pgs_problem *p)
{
    scr_pgs *s = w->pgs;
    pgs_task t = {.problem = p,
                  .start = s->start,
                  .slot = s->slot,
                  .kind = s->kind,
                  .rows = s->rows,
                  .chunks = s->chunks,
                  .chunk_rows = s->chunk_rows,
                  .joints = s->joints,
                  .relaxation = w->options->relaxation > 0 ? w->options->relaxation : 1};
    choose_units(p, &t.mass, &t.length);
    t.over_mass = 1 / t.mass, t.over_length = 1 / t.length;
    for (int k = 0; k < PGS_KINDS; k++) t.first[k] = s->first[k];
    w->task = w->serial = t;
    for (int k = 0; k < PGS_KINDS; k++) {
        w->task.blocks[k] = s->blocks[k], w->serial.blocks[k] = s->serial_blocks[k];
        w->task.coefficients[k] = s->coefficients[k];
        w->serial.coefficients[k] = s->serial_coefficients[k];
        w->task.block_count[k] = s->slots[k] / (size_t)w->loops->lanes;
        w->serial.block_count[k] = s->serial[k];
    }
}

// lanes that a colour leaves empty in its last block
static void clear_ends(const solving *w)
{
    const scr_pgs *s = w->pgs;
    uint32_t lanes = (uint32_t)w->loops->lanes;
    for (size_t part = 0; part <= s->chunks; part++)
        for (int c = 0; c < s->colours[part]; c++)
            for (int k = 0; k < PGS_KINDS; k++) {
                const pgs_colour *r = &s->ranges[part][c];
                uint32_t end = r->first[k] + r->count[k];
                w->loops->clear(&w->task, part, k, end, (end + lanes - 1) / lanes * lanes);
            }
}

static size_t places(const scr_pgs *s, size_t lanes)
{
    size_t n = 0;
    for (size_t part = 0; part <= s->chunks; part++)
        for (int c = 0; c < s->colours[part]; c++)
            for (int k = 0; k < PGS_KINDS; k++) n += (s->ranges[part][c].count[k] + lanes - 1) / lanes * lanes;
    return n;
}

static size_t share(size_t count, int thread, int threads)
{
    return count * (size_t)thread / (size_t)threads;
}

// chunks are divided so that each thread has its share of the contacts
static size_t first_home(const scr_pgs *s, int thread, int threads)
{
    size_t want = share(s->contacts, thread, threads), chunk = 0;
    if (thread == threads) return s->homes;
    while (chunk < s->homes && s->home_first[chunk] + s->home_first[chunk + 1] < 2 * want) chunk++;
    return chunk;
}

// rows after the impulses at the start, and contacts at home here, into their blocks
static void gather_chunk(solving *w, size_t chunk, bool alike[PGS_KINDS][PGS_COEFFICIENTS])
{
    scr_pgs *s = w->pgs;
    const scr_pgs_problem *p = w->task.problem;
    size_t row = chunk * s->chunk_rows, end = row + s->chunk_rows;
    if (end > p->body_count) end = p->body_count;
    if (row < end) memcpy(s->start + row, p->bodies + row, (end - row) * sizeof *s->start);
    for (size_t k = s->home_first[chunk]; k < s->home_first[chunk + 1]; k += BATCH) {
        size_t left = s->home_first[chunk + 1] - k, n = left < BATCH ? left : BATCH;
        push_home(s, p, s->start, k, k + n);
        w->loops->pack(&w->task, s->home + k, n, alike);
        if (w->any_serial) w->serial_loops->pack(&w->serial, s->home + k, n, alike);
    }
    push_away(s, p, s->start, chunk);
    w->loops->pack_bodies(&w->task, row, end);
}

static void gather(void *context, int thread, int threads)
{
    solving *w = context;
    bool alike[PGS_KINDS][PGS_COEFFICIENTS];
    memset(alike, 1, sizeof alike);
    size_t to = first_home(w->pgs, thread + 1, threads);
    for (size_t chunk = first_home(w->pgs, thread, threads); chunk < to; chunk++) gather_chunk(w, chunk, alike);
    memcpy(w->of[thread].alike, alike, sizeof alike);
}

// a coefficient serves all contacts of a kind where every thread found it so
static void all_alike(solving *w)
{
    for (int k = 0; k < PGS_KINDS; k++)
        for (int f = 0; f < PGS_COEFFICIENTS; f++) {
            bool alike = true;
            for (int t = 0; t < w->threads; t++) alike = alike && w->of[t].alike[k][f];
            w->task.alike[k][f] = w->serial.alike[k][f] = alike;
        }
}

// joints' impulses at the start come on top
static void gather_joints(solving *w)
{
    const scr_pgs_problem *p = w->task.problem;
    push_joints(p, w->pgs->start);
    for (size_t i = 0; i < p->row_count; i++) {
        uint32_t row[2] = {p->rows[i].a, p->rows[i].b};
        for (int side = 0; side < 2; side++)
            if (row[side] != SCR_PGS_STILL) w->loops->pack_bodies(&w->task, row[side], (size_t)row[side] + 1);
    }
    w->serial_loops->pack_joints(&w->serial);
}

// impulses back from the blocks, and their sum onto the bodies
static void scatter(void *context, int thread, int threads)
{
    solving *w = context;
    scr_pgs *s = w->pgs;
    const scr_pgs_problem *p = w->task.problem;
    size_t from = first_home(s, thread, threads), to = first_home(s, thread + 1, threads);
    size_t end = s->home_first[to];
    for (size_t k = s->home_first[from]; k < end; k += BATCH) {
        size_t n = end - k < BATCH ? end - k : BATCH;
        w->loops->unpack(&w->task, s->home + k, n);
        if (w->any_serial) w->serial_loops->unpack(&w->serial, s->home + k, n);
        push_home(s, p, p->bodies, k, k + n);
    }
    scr_barrier_wait(&w->barrier, threads);
    for (size_t chunk = from; chunk < to; chunk++) push_away(s, p, p->bodies, chunk);
}

// ---- sweeps ----

/* A sweep: with a look at what changes; over all blocks, whether they are open or not. */
typedef struct {
    bool check, all;
} sweep_kind;

// one colour of a part, or a thread's share of it
static double sweep_colour(const solving *w, const pgs_colour *r, int thread, int threads, sweep_kind how)
{
    double worst = 0;
    for (int k = 0; k < PGS_KINDS; k++) {
        size_t lanes = (size_t)w->loops->lanes;
        size_t first = r->first[k] / lanes, blocks = (r->count[k] + lanes - 1) / lanes;
        size_t from = first + share(blocks, thread, threads);
        size_t to = first + share(blocks, thread + 1, threads);
        size_t open = how.all ? to : first + (r->count[k] - r->open[k] + lanes - 1) / lanes;
        open = open < from ? from : open > to ? to : open;
        if (from < to) worst = fmax(worst, w->loops->sweep(&w->task, k, from, open, to, how.check));
    }
    return worst;
}

// contacts between chunks; where there are no chunks, all
static double sweep_between(solving *w, int thread, int threads, sweep_kind how)
{
    const scr_pgs *s = w->pgs;
    double worst = 0;
    bool alone = false; // the first thread has been at work without the others
    for (int c = 0; c < s->colours[s->chunks]; c++) {
        const pgs_colour *r = &s->ranges[s->chunks][c];
        uint32_t slots = 0;
        for (int k = 0; k < PGS_KINDS; k++) slots += r->count[k];
        bool few = slots < FEW_SLOTS;
        if (alone && !few) scr_barrier_wait(&w->barrier, threads);
        if (!few)
            worst = fmax(worst, sweep_colour(w, r, thread, threads, how));
        else if (thread == 0)
            worst = fmax(worst, sweep_colour(w, r, 0, 1, how));
        if (!few) scr_barrier_wait(&w->barrier, threads);
        alone = few;
    }
    if (w->any_serial && thread == 0)
        for (int k = 0; k < PGS_KINDS; k++)
            if (s->serial[k])
                worst = fmax(worst, w->serial_loops->sweep(&w->serial, k, 0, s->serial[k], s->serial[k], how.check));
    if (alone || w->any_serial) scr_barrier_wait(&w->barrier, threads);
    return worst;
}

static double sweep_once(solving *w, int thread, int threads, sweep_kind how)
{
    const scr_pgs *s = w->pgs;
    double worst = 0;
    if (w->task.problem->row_count) {
        if (thread == 0) worst = w->serial_loops->sweep_joints(&w->serial);
        scr_barrier_wait(&w->barrier, threads);
    }
    if (s->chunks) {
        size_t to = first_home(s, thread + 1, threads);
        for (size_t part = first_home(s, thread, threads); part < to; part++)
            for (int c = 0; c < s->colours[part]; c++)
                worst = fmax(worst, sweep_colour(w, &s->ranges[part][c], 0, 1, how));
        scr_barrier_wait(&w->barrier, threads);
    }
    return fmax(worst, sweep_between(w, thread, threads, how));
}

static void sweep_all(void *context, int thread, int threads)
{
    solving *w = context;
    const scr_pgs_options *o = w->options;
    double residual = 0;
    int sweeps = 0;
    while (sweeps < o->sweeps) {
        sweeps++;
        bool check = sweeps == o->sweeps || (o->tolerance > 0 && sweeps % CHECK_EVERY == 0);
        double worst = sweep_once(w, thread, threads, (sweep_kind){check, sweeps == 1 || !w->pgs->some_carry});
        if (!check) continue;
        w->of[thread].worst = worst;
        scr_barrier_wait(&w->barrier, threads);
        residual = 0;
        for (int t = 0; t < threads; t++) residual = fmax(residual, w->of[t].worst);
        // the next one is not written before all have read this
        scr_barrier_wait(&w->barrier, threads);
        if (residual < o->tolerance) break;
    }
    if (thread == 0) w->sweeps = sweeps, w->residual = residual;
}

scr_pgs_result scr_pgs_solve(scr_pgs *s, const scr_pgs_problem *p, const scr_pgs_options *options)
{
    scr_pgs_result result = {.colours = s->most_colours};
    for (int k = 0; k < PGS_KINDS; k++) result.serial += s->serial[k];
    // still partners of general bodies share an empty row within a part: only whole chunks go to threads
    bool alone = p->contact_count < FEW_CONTACTS || !s->chunks;
    int most = alone ? 1 : MOST_THREADS, threads = scr_threads() < most ? scr_threads() : most;
    share_of_thread of[MOST_THREADS]; // as many as there are threads are used
    solving w = {.pgs = s,
                 .of = of,
                 .threads = threads,
                 .options = options,
                 .loops = scr_pgs_loops_of(options->precise),
                 .serial_loops = scr_pgs_serial_of(options->precise),
                 .any_serial = result.serial > 0};
    if (!scr_pgs_reserve_blocks(s, p, w.loops, w.serial_loops)) {
        result.sweeps = -1;
        return result;
    }
    make_tasks(&w, p);
    for (int t = 0; t < threads; t++) memset(of[t].alike, 1, sizeof of[t].alike);
    scr_team(threads, gather, &w);
    all_alike(&w);
    clear_ends(&w);
    gather_joints(&w);
    scr_team(threads, sweep_all, &w);
    scr_team(threads, scatter, &w);
    w.serial_loops->unpack_joints(&w.serial);
    push_joints(p, p->bodies);
    result.places = result.serial + places(s, (size_t)w.loops->lanes);
    result.sweeps = w.sweeps, result.residual = w.residual;
    return result;
}
