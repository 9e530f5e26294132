/* Colours, room and the order of work of projected Gauss-Seidel; the sweeps themselves are in pgs_text.h.
 *
 * Rows are taken in chunks of consecutive ones. Contacts within a chunk are coloured by themselves: a chunk's rows stay
 * in the cache while its colours are worked off one after the other, and chunks do not touch each other, so that
 * threads take whole ones. Contacts between two chunks form a last part, in which threads divide each colour.
 * Chunks depend on the number of rows alone, and so bits do not depend on who does what. */
#include "solve/pgs.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "exec/cpu/threads.h"
#include "solve/pgs_loops.h"

enum {
    COLOURS = 64,
    FEW_CONTACTS = 2000, /* below: one thread */
    FEW_SLOTS = 512,     /* colours of fewer are not divided among threads */
    CHECK_EVERY = 4,     /* sweeps between two looks at the residual */
    MANY_CHUNKS = 16,    /* rows are divided into that many, if this gives */
    LEAST_ROWS = 512,
    MOST_ROWS = 4096, /* each */
    MOST_THREADS = 256
};

/* Slots of one colour of a part. */
typedef struct {
    uint32_t first[PGS_KINDS], count[PGS_KINDS];
} colour_range;

typedef struct {
    void *data;
    size_t capacity; /* bytes */
} room;

struct scr_pgs {
    size_t chunks, chunk_rows; /* parts: the chunks, and last what is between them */
    size_t contacts;           /* as prepared */
    size_t slots[PGS_KINDS], serial[PGS_KINDS];
    int most_colours;
    uint32_t first[PGS_KINDS], first_serial[PGS_KINDS];
    uint64_t (*used)[2]; /* colours at each row: within its chunk, between chunks */
    size_t used_room;
    uint32_t *slot;
    uint8_t *kind, *colour;
    size_t slot_room, kind_room, colour_room;
    colour_range (*ranges)[COLOURS]; /* of each part */
    int *colours;
    size_t ranges_room, colours_room;
    scr_pgs_body *start;
    size_t start_room;
    room rows, joints;
    room blocks[PGS_KINDS], coefficients[PGS_KINDS];
    room serial_blocks[PGS_KINDS], serial_coefficients[PGS_KINDS];
};

scr_pgs *scr_pgs_create(void)
{
    return scr_memory_new(1, sizeof(scr_pgs));
}

void scr_pgs_destroy(scr_pgs *s)
{
    if (!s) return;
    void *all[] = {s->used,    s->slot,  s->kind,      s->colour,     s->ranges,
                   s->colours, s->start, s->rows.data, s->joints.data};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) scr_memory_free(all[k]);
    for (int k = 0; k < PGS_KINDS; k++) {
        scr_memory_free(s->blocks[k].data), scr_memory_free(s->coefficients[k].data);
        scr_memory_free(s->serial_blocks[k].data), scr_memory_free(s->serial_coefficients[k].data);
    }
    scr_memory_free(s);
}

static bool reserve(room *r, size_t count, size_t size)
{
    return scr_memory_reserve(&r->data, &r->capacity, count * size, 0, 1);
}

// ---- colours ----

static bool reserve_colours(scr_pgs *s, const scr_pgs_problem *p)
{
    size_t n = p->contact_count, parts = s->chunks + 1;
    return scr_memory_reserve(&s->used, &s->used_room, p->body_count, 0, sizeof *s->used) &&
           scr_memory_reserve(&s->slot, &s->slot_room, n, 0, sizeof *s->slot) &&
           scr_memory_reserve(&s->kind, &s->kind_room, n, 0, sizeof *s->kind) &&
           scr_memory_reserve(&s->colour, &s->colour_room, n, 0, sizeof *s->colour) &&
           scr_memory_reserve(&s->ranges, &s->ranges_room, parts, 0, sizeof *s->ranges) &&
           scr_memory_reserve(&s->colours, &s->colours_room, parts, 0, sizeof *s->colours) &&
           scr_memory_reserve(&s->start, &s->start_room, p->body_count, 0, sizeof *s->start);
}

static size_t part_of(const scr_pgs *s, const scr_pgs_contact *c)
{
    if (!s->chunks) return 0;
    size_t a = c->a / s->chunk_rows;
    return c->b == SCR_PGS_STILL || c->b / s->chunk_rows == a ? a : s->chunks;
}

static int kind_of(const scr_pgs_problem *p, const scr_pgs_contact *c)
{
    bool still = c->b == SCR_PGS_STILL;
    if (c->a >= p->general_first || (!still && c->b >= p->general_first)) return PGS_GENERAL;
    return still ? PGS_ALONE : PGS_PAIR;
}

// the first colour that neither row has yet, in the order of contacts; slots count from their colour's first
static void colour_contacts(scr_pgs *s, const scr_pgs_problem *p)
{
    for (size_t i = 0; i < p->contact_count; i++) {
        const scr_pgs_contact *c = &p->contacts[i];
        size_t part = part_of(s, c);
        int kind = kind_of(p, c), between = part == s->chunks;
        uint64_t *a = &s->used[c->a][between];
        uint64_t *b = c->b == SCR_PGS_STILL ? a : &s->used[c->b][between];
        uint64_t free = ~(*a | *b);
        s->kind[i] = (uint8_t)kind;
        if (!free) {
            s->kind[i] |= PGS_SERIAL;
            if (!s->serial[kind]) s->first_serial[kind] = (uint32_t)i;
            s->slot[i] = (uint32_t)s->serial[kind]++;
            continue;
        }
        int colour = __builtin_ctzll(free);
        *a |= 1ull << colour, *b |= 1ull << colour;
        // new colours begin with nothing
        for (; s->colours[part] <= colour; s->colours[part]++)
            memset(&s->ranges[part][s->colours[part]], 0, sizeof **s->ranges);
        colour_range *r = &s->ranges[part][colour];
        s->colour[i] = (uint8_t)colour;
        s->slot[i] = r->count[kind]++;
    }
}

static void place_slots(scr_pgs *s, const scr_pgs_problem *p)
{
    for (size_t part = 0; part <= s->chunks; part++) {
        if (s->colours[part] > s->most_colours) s->most_colours = s->colours[part];
        for (int c = 0; c < s->colours[part]; c++)
            for (int k = 0; k < PGS_KINDS; k++) {
                colour_range *r = &s->ranges[part][c];
                r->first[k] = (uint32_t)s->slots[k];
                s->slots[k] += (r->count[k] + PGS_GROUP - 1) / PGS_GROUP * PGS_GROUP;
            }
    }
    bool found[PGS_KINDS] = {0};
    for (size_t i = 0; i < p->contact_count; i++) {
        if (s->kind[i] & PGS_SERIAL) continue;
        int kind = s->kind[i];
        s->slot[i] += s->ranges[part_of(s, &p->contacts[i])][s->colour[i]].first[kind];
        if (!found[kind]) s->first[kind] = (uint32_t)i, found[kind] = true;
    }
}

static bool reserve_blocks(scr_pgs *s, const scr_pgs_problem *p, const pgs_loops *loops,
                           const pgs_loops *serial)
{
    size_t number = loops->number_bytes;
    bool ok = reserve(&s->rows, (p->body_count + PGS_EMPTY * (s->chunks + 1)) * 8, number) &&
              reserve(&s->joints, p->row_count, serial->joint_bytes);
    for (int k = 0; k < PGS_KINDS; k++) {
        size_t blocks = s->slots[k] / (size_t)loops->lanes;
        ok = ok && reserve(&s->blocks[k], blocks, loops->block_bytes[k]) &&
             reserve(&s->coefficients[k], blocks, loops->coefficient_bytes) &&
             reserve(&s->serial_blocks[k], s->serial[k], serial->block_bytes[k]) &&
             reserve(&s->serial_coefficients[k], s->serial[k], serial->coefficient_bytes);
    }
    return ok;
}

static const pgs_loops *choose_loops(bool precise)
{
    static const pgs_loops *const all[2][3] = {
        {&pgs_loops_portable, &pgs_loops_avx2, &pgs_loops_avx512},
        {&pgs_precise_portable, &pgs_precise_avx2, &pgs_precise_avx512}};
    return all[precise][scr_cpu_vectors()];
}

static const pgs_loops *serial_loops(bool precise)
{
    return precise ? &pgs_precise_serial : &pgs_loops_serial;
}

// enough chunks for some threads, but not so small that much is between them
static void choose_chunks(scr_pgs *s, size_t rows)
{
    size_t each = (rows + MANY_CHUNKS - 1) / MANY_CHUNKS;
    each = each < LEAST_ROWS ? LEAST_ROWS : each > MOST_ROWS ? MOST_ROWS : each;
    each = (each + 15) / 16 * 16; // whole cache lines
    s->chunk_rows = each;
    s->chunks = rows < 2 * each ? 0 : (rows + each - 1) / each;
}

bool scr_pgs_prepare(scr_pgs *s, const scr_pgs_problem *p)
{
    choose_chunks(s, p->body_count);
    s->contacts = 0;
    if (!reserve_colours(s, p)) return false;
    memset(s->slots, 0, sizeof s->slots), memset(s->serial, 0, sizeof s->serial);
    memset(s->used, 0, p->body_count * sizeof *s->used);
    memset(s->colours, 0, (s->chunks + 1) * sizeof *s->colours);
    s->most_colours = 0;
    colour_contacts(s, p);
    place_slots(s, p);
    s->contacts = p->contact_count;
    return reserve_blocks(s, p, choose_loops(false), serial_loops(false));
}

// ---- impulses in double precision ----

static vec3 turn_of(const scr_pgs_problem *p, uint32_t row, vec3 angular)
{
    if (row < p->general_first) return v3_scale(p->bodies[row].inverse_inertia, angular);
    const double *m = p->inverse_inertia[row - p->general_first];
    return v3(m[0] * angular.x + m[3] * angular.y + m[4] * angular.z,
              m[3] * angular.x + m[1] * angular.y + m[5] * angular.z,
              m[4] * angular.x + m[5] * angular.y + m[2] * angular.z);
}

static void push(const scr_pgs_problem *p, scr_pgs_body *bodies, uint32_t row, double sign,
                 vec3 impulse, vec3 angular)
{
    scr_pgs_body *b = &bodies[row];
    b->v = v3_axpy(b->v, sign * b->inverse_mass, impulse);
    b->w = v3_axpy(b->w, sign, turn_of(p, row, angular));
}

static void push_contact(const scr_pgs_problem *p, scr_pgs_body *bodies, const scr_pgs_contact *c)
{
    vec3 impulse = v3_axpy(c->lt, c->ln, c->normal);
    bool still = c->b == SCR_PGS_STILL, spheres = kind_of(p, c) != PGS_GENERAL;
    vec3 about = spheres ? v3_cross(c->normal, c->lt) : v3(0, 0, 0);
    vec3 torque = spheres ? v3_scale(c->arm[0], about) : v3_cross(c->lever[0], impulse);
    push(p, bodies, c->a, -1, impulse, v3_add(torque, c->lr));
    if (still) return;
    torque = spheres ? v3_scale(-c->arm[1], about) : v3_cross(c->lever[1], impulse);
    push(p, bodies, c->b, 1, impulse, v3_add(torque, c->lr));
}

// all impulses as they stand, in the order of rows and contacts
static void push_all(const scr_pgs_problem *p, scr_pgs_body *bodies)
{
    for (size_t i = 0; i < p->row_count; i++) {
        const scr_pgs_row *r = &p->rows[i];
        if (r->impulse == 0) continue;
        uint32_t row[2] = {r->a, r->b};
        for (int side = 0; side < 2; side++)
            if (row[side] != SCR_PGS_STILL)
                push(p, bodies, row[side], 1, v3_scale(r->impulse, r->linear[side]),
                     v3_scale(r->impulse, r->angular[side]));
    }
    for (size_t i = 0; i < p->contact_count; i++) {
        const scr_pgs_contact *c = &p->contacts[i];
        if (c->ln != 0 || v3_dot(c->lt, c->lt) + v3_dot(c->lr, c->lr) != 0)
            push_contact(p, bodies, c);
    }
}

// ---- solving ----

typedef struct {
    scr_pgs *pgs;
    const scr_pgs_options *options;
    const pgs_loops *loops, *serial_loops;
    pgs_task task, serial;
    bool any_serial;
    int threads;
    bool (*alike)[2][PGS_KINDS][PGS_COEFFICIENTS]; /* of each share of the contacts */
    scr_barrier barrier;
    struct {
        _Alignas(64) double worst;
    } of[MOST_THREADS];
    int sweeps;
    double residual;
} solving;

// units of the lightest body, so that squares of its impulses are far from what a float cannot hold
static void choose_units(const scr_pgs_problem *p, pgs_task *t)
{
    double over_m = 0, over_i = 0;
    for (size_t i = 0; i < p->body_count; i++) {
        const scr_pgs_body *b = &p->bodies[i];
        if (b->inverse_mass <= over_m) continue;
        over_m = b->inverse_mass;
        over_i =
            i < p->general_first ? b->inverse_inertia : p->inverse_inertia[i - p->general_first][0];
    }
    t->mass = over_m > 0 ? exp2(-round(log2(over_m))) : 1;
    t->length = over_m > 0 && over_i > 0 ? exp2(round(0.5 * log2(over_m / over_i))) : 1;
}

static pgs_task make_task(scr_pgs *s, const scr_pgs_problem *p, bool serial, int lanes)
{
    pgs_task t = {.problem = p,
                  .start = s->start,
                  .slot = s->slot,
                  .kind = s->kind,
                  .rows = s->rows.data,
                  .chunks = s->chunks,
                  .chunk_rows = s->chunk_rows,
                  .joints = s->joints.data};
    for (int k = 0; k < PGS_KINDS; k++) {
        t.blocks[k] = serial ? s->serial_blocks[k].data : s->blocks[k].data;
        t.coefficients[k] = serial ? s->serial_coefficients[k].data : s->coefficients[k].data;
        t.block_count[k] = serial ? s->serial[k] : s->slots[k] / (size_t)lanes;
        t.first[k] = serial ? s->first_serial[k] : s->first[k];
    }
    choose_units(p, &t);
    return t;
}

// lanes that a colour leaves empty in its last block
static void clear_ends(const solving *w)
{
    const scr_pgs *s = w->pgs;
    uint32_t lanes = (uint32_t)w->loops->lanes;
    for (size_t part = 0; part <= s->chunks; part++)
        for (int c = 0; c < s->colours[part]; c++)
            for (int k = 0; k < PGS_KINDS; k++) {
                const colour_range *r = &s->ranges[part][c];
                uint32_t end = r->first[k] + r->count[k];
                w->loops->clear(&w->task, part, k, end, (end + lanes - 1) / lanes * lanes);
            }
}

static size_t places(const scr_pgs *s, size_t lanes)
{
    size_t n = 0;
    for (size_t part = 0; part <= s->chunks; part++)
        for (int c = 0; c < s->colours[part]; c++)
            for (int k = 0; k < PGS_KINDS; k++)
                n += (s->ranges[part][c].count[k] + lanes - 1) / lanes * lanes;
    return n;
}

static size_t share(size_t count, int thread, int threads)
{
    return count * (size_t)thread / (size_t)threads;
}

static void pack_share(void *context, int thread, int threads)
{
    solving *w = context;
    const scr_pgs_problem *p = w->task.problem;
    bool alike[2][PGS_KINDS][PGS_COEFFICIENTS];
    memset(alike, 1, sizeof alike);
    size_t from = share(p->contact_count, thread, threads);
    size_t to = share(p->contact_count, thread + 1, threads);
    w->loops->pack(&w->task, from, to, alike[0]);
    if (w->any_serial) w->serial_loops->pack(&w->serial, from, to, alike[1]);
    memcpy(w->alike[thread], alike, sizeof alike);
    w->loops->pack_bodies(&w->task, share(p->body_count, thread, threads),
                          share(p->body_count, thread + 1, threads));
}

// a coefficient serves all contacts of a kind where every thread found it so
static void all_alike(solving *w)
{
    for (int k = 0; k < PGS_KINDS; k++)
        for (int f = 0; f < PGS_COEFFICIENTS; f++) {
            w->task.alike[k][f] = w->serial.alike[k][f] = true;
            for (int t = 0; t < MOST_THREADS; t++) {
                if (!w->alike[t][0][k][f]) w->task.alike[k][f] = false;
                if (!w->alike[t][1][k][f]) w->serial.alike[k][f] = false;
            }
        }
}

static void unpack_share(void *context, int thread, int threads)
{
    solving *w = context;
    size_t n = w->task.problem->contact_count;
    size_t from = share(n, thread, threads), to = share(n, thread + 1, threads);
    w->loops->unpack(&w->task, from, to);
    if (w->any_serial) w->serial_loops->unpack(&w->serial, from, to);
}

// one colour of a part, or a thread's share of it
static double sweep_colour(const solving *w, const colour_range *r, int thread, int threads,
                           bool check)
{
    double worst = 0;
    for (int k = 0; k < PGS_KINDS; k++) {
        size_t lanes = (size_t)w->loops->lanes;
        size_t first = r->first[k] / lanes, blocks = (r->count[k] + lanes - 1) / lanes;
        size_t from = first + share(blocks, thread, threads);
        size_t to = first + share(blocks, thread + 1, threads);
        if (from < to) worst = fmax(worst, w->loops->sweep(&w->task, k, from, to, check));
    }
    return worst;
}

// contacts between chunks; where there are no chunks, all
static double sweep_between(solving *w, int thread, int threads, bool check)
{
    const scr_pgs *s = w->pgs;
    double worst = 0;
    bool alone = false; // the first thread has been at work without the others
    for (int c = 0; c < s->colours[s->chunks]; c++) {
        const colour_range *r = &s->ranges[s->chunks][c];
        uint32_t slots = 0;
        for (int k = 0; k < PGS_KINDS; k++) slots += r->count[k];
        bool few = slots < FEW_SLOTS;
        if (alone && !few) scr_barrier_wait(&w->barrier, threads);
        if (!few)
            worst = fmax(worst, sweep_colour(w, r, thread, threads, check));
        else if (thread == 0)
            worst = fmax(worst, sweep_colour(w, r, 0, 1, check));
        if (!few) scr_barrier_wait(&w->barrier, threads);
        alone = few;
    }
    if (w->any_serial && thread == 0)
        for (int k = 0; k < PGS_KINDS; k++)
            if (s->serial[k])
                worst = fmax(worst, w->serial_loops->sweep(&w->serial, k, 0, s->serial[k], check));
    if (alone || w->any_serial) scr_barrier_wait(&w->barrier, threads);
    return worst;
}

static double sweep_once(solving *w, int thread, int threads, bool check)
{
    const scr_pgs *s = w->pgs;
    double worst = 0;
    if (w->task.problem->row_count) {
        if (thread == 0) worst = w->serial_loops->sweep_joints(&w->serial);
        scr_barrier_wait(&w->barrier, threads);
    }
    if (s->chunks) {
        size_t to = share(s->chunks, thread + 1, threads);
        for (size_t part = share(s->chunks, thread, threads); part < to; part++)
            for (int c = 0; c < s->colours[part]; c++)
                worst = fmax(worst, sweep_colour(w, &s->ranges[part][c], 0, 1, check));
        scr_barrier_wait(&w->barrier, threads);
    }
    return fmax(worst, sweep_between(w, thread, threads, check));
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
        double worst = sweep_once(w, thread, threads, check);
        if (!check) continue;
        w->of[thread].worst = worst;
        scr_barrier_wait(&w->barrier, threads);
        residual = 0;
        for (int t = 0; t < threads; t++) residual = fmax(residual, w->of[t].worst);
        // nobody writes the next one before all have read this
        scr_barrier_wait(&w->barrier, threads);
        if (residual < o->tolerance) break;
    }
    if (thread == 0) w->sweeps = sweeps, w->residual = residual;
}

scr_pgs_result scr_pgs_solve(scr_pgs *s, const scr_pgs_problem *p, const scr_pgs_options *options)
{
    scr_pgs_result result = {.colours = s->most_colours};
    for (int k = 0; k < PGS_KINDS; k++) result.serial += s->serial[k];
    const pgs_loops *loops = choose_loops(options->precise);
    const pgs_loops *serial = serial_loops(options->precise);
    if (!reserve_blocks(s, p, loops, serial)) {
        result.sweeps = -1;
        return result;
    }
    memcpy(s->start, p->bodies, p->body_count * sizeof *s->start);
    push_all(p, s->start);

    bool alike[MOST_THREADS][2][PGS_KINDS][PGS_COEFFICIENTS];
    memset(alike, 1, sizeof alike);
    solving w = {.pgs = s, .options = options, .loops = loops, .serial_loops = serial};
    w.task = make_task(s, p, false, loops->lanes), w.serial = make_task(s, p, true, 1);
    w.any_serial = result.serial > 0;
    w.alike = alike;
    // still partners of general bodies share an empty row within a part: only whole chunks go to threads
    int threads = p->contact_count < FEW_CONTACTS || !s->chunks ? 1 : MOST_THREADS;
    scr_team(threads, pack_share, &w);
    all_alike(&w);
    clear_ends(&w);
    serial->pack_joints(&w.serial);

    scr_team(threads, sweep_all, &w);

    scr_team(threads, unpack_share, &w);
    serial->unpack_joints(&w.serial);
    push_all(p, p->bodies);
    result.places = result.serial + places(s, (size_t)loops->lanes);
    result.sweeps = w.sweeps, result.residual = w.residual;
    return result;
}
