#include "step/soft/cuda/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "collide/hold.h"
#include "exec/cpu/threads.h"
#include "kernel/contact.h"

/* ---- memory ---- */

#define AT(array) offsetof(soft_cuda, array)
#define WORDS(n)                                                                                          \
    AT(words[n].word), AT(words[n].row_words), AT(words[n].row_sums), AT(words[n].tag), AT(words[n].law), \
        AT(words[n].sum), AT(words[n].history), AT(words[n].wide), AT(words[n].heavy_row), AT(words[n].heavy_start)
static const size_t arrays[] = {AT(place[0]),
                                AT(place[1]),
                                AT(motion[0]),
                                AT(motion[1]),
                                AT(spin[0]),
                                AT(spin[1]),
                                AT(load),
                                AT(mass),
                                AT(spot[0]),
                                AT(spot[1]),
                                AT(anchor),
                                AT(drift),
                                WORDS(0),
                                WORDS(1),
                                AT(tile_row),
                                AT(tile_of),
                                AT(tile_block),
                                AT(tile_block_end),
                                AT(record),
                                AT(spill),
                                AT(sums),
                                AT(lost),
                                AT(stored),
                                AT(laws),
                                AT(control),
                                AT(cell_start),
                                AT(cell_sum),
                                AT(cell),
                                AT(rank),
                                AT(member),
                                AT(count),
                                AT(tile_words),
                                AT(given),
                                AT(heavy_at),
                                AT(heavy_from),
                                AT(heavy_key),
                                AT(group),
                                AT(material),
                                AT(meet),
                                AT(told_list),
                                AT(collected),
                                AT(collected_rows),
                                AT(collected_history),
                                AT(collected_wide),
                                AT(collected_record),
                                AT(told_sort),
                                AT(outlet),
                                AT(id),
                                AT(image),
                                AT(home),
                                AT(order[0]),
                                AT(order[1]),
                                AT(digit_start),
                                AT(digit_sum),
                                AT(drive),
                                AT(driven),
                                AT(side),
                                AT(passages),
                                AT(passage_count)};
#undef AT

void scr_soft_cuda_free(soft_cuda *k)
{
    scr_soft_others_free(&k->others, k->device);
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) {
        void *memory;
        memcpy(&memory, (char *)k + arrays[n], sizeof memory);
        scr_device_free(k->device, memory);
    }
}

#define ROOM(number, array, count, width) \
    scr_device_reserve(k->device, &k->array, &k->capacity[number], (size_t)(count), 0, (width) * sizeof *k->array)

static bool reserve_bodies(soft_cuda *k, size_t n)
{
    bool good = true;
    for (int b = 0; b < 2; b++)
        good &= ROOM(b, place[b], n, 4) && ROOM(2 + b, motion[b], n, 4) && ROOM(4 + b, spin[b], n, 4) &&
                ROOM(6 + b, spot[b], n, 4);
    return good && ROOM(8, load, n, 8) && ROOM(9, mass, n, 1) && ROOM(10, anchor, n, 4) && ROOM(11, drift, n, 2);
}

// room for a list; which of the two has its own capacities
bool scr_soft_cuda_reserve_words(soft_cuda *k, int n, size_t words, size_t sums, bool law, bool wide)
{
    int first = 30 + 8 * n;
    size_t bodies = k->pack.tile_row[k->pack.tiles];
    return ROOM(first, words[n].word, words, 1) && ROOM(first + 1, words[n].tag, words, 1) &&
           ROOM(first + 2, words[n].history, words, 4) && ROOM(first + 3, words[n].sum, sums, 1) &&
           ROOM(first + 4, words[n].row_words, bodies, 1) && ROOM(first + 5, words[n].row_sums, bodies, 1) &&
           (!law || ROOM(first + 6, words[n].law, words, 1)) && (!wide || ROOM(first + 7, words[n].wide, words, 8));
}

bool scr_soft_cuda_reserve_heavies(soft_cuda *k, int n, size_t heavies)
{
    int first = 88 + 2 * n;
    return ROOM(first, words[n].heavy_row, heavies + 1, 1) && ROOM(first + 1, words[n].heavy_start, heavies + 1, 1);
}

static bool reserve_list(soft_cuda *k)
{
    const soft_pack *p = &k->pack;
    return scr_soft_cuda_reserve_words(k, k->which, p->words, p->sums, p->law, p->wide) &&
           scr_soft_cuda_reserve_heavies(k, k->which, p->heavy_count) && ROOM(17, tile_row, p->tiles + 1, 1) &&
           ROOM(24, control, 1, 1);
}

static size_t words_of(const soft_cuda *k)
{
    const soft_tile *t = &k->tile;
    return (size_t)t->tiles * t->stride + k->heavy_words[k->which];
}

bool scr_soft_cuda_reserve_record(scr_step *s, soft_cuda *k, scree_report *report)
{
    if (!s->want_contacts) return true;
    bool good = ROOM(25, record, words_of(k), 8) && scr_pairs_reserve_record(&s->pairs) &&
                scr_soft_others_reserve_record(&k->others, k->device, s);
    if (!good) scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory on the GPU for contact forces");
    return good;
}

/* ---- to the device ---- */

static void push_bodies(scr_step *s, soft_cuda *k)
{
    const scr_bodies *b = &s->world->bodies;
    size_t n = b->table.count, row = 4 * sizeof(double);
    k->now = 0, k->summed = false;
    scr_device_copy_in(k->device, k->place[0], b->place, n * row);
    scr_device_copy_in(k->device, k->motion[0], b->motion, n * row);
    scr_device_copy_in(k->device, k->spin[0], b->spin, n * row);
    scr_device_copy_in(k->device, k->load, b->load, 2 * n * row);
    scr_device_copy_in(k->device, k->mass, b->mass, n * sizeof *b->mass);
    k->current = SOFT_BODIES | SOFT_PAIRS | SOFT_RECORDS | SOFT_ENERGIES;
}

static void push_list(soft_cuda *k)
{
    const soft_pack *p = &k->pack;
    scr_device *d = k->device;
    size_t bodies = p->tile_row[p->tiles];
    soft_words *w = &k->words[k->which];
    w->stride = p->stride, w->sum_stride = p->sum_stride;
    scr_device_copy_in(d, w->word, p->word, p->words * sizeof *p->word);
    scr_device_copy_in(d, w->tag, p->tag, p->words * sizeof *p->tag);
    scr_device_copy_in(d, w->history, p->history, 4 * p->words * sizeof *p->history);
    if (p->wide) scr_device_copy_in(d, w->wide, p->wide, 8 * p->words * sizeof *p->wide);
    if (p->law) scr_device_copy_in(d, w->law, p->law, p->words * sizeof *p->law);
    scr_device_copy_in(d, w->sum, p->sum, p->sums * sizeof *p->sum);
    scr_device_copy_in(d, w->row_words, p->row_words, bodies * sizeof *p->row_words);
    scr_device_copy_in(d, w->row_sums, p->row_sums, bodies * sizeof *p->row_sums);
    scr_device_copy_in(d, k->tile_row, p->tile_row, (p->tiles + 1) * sizeof *p->tile_row);
    scr_device_copy_in(d, w->heavy_row, p->heavy_row, p->heavy_count * sizeof *p->heavy_row);
    scr_device_copy_in(d, w->heavy_start, p->heavy_start, (p->heavy_count + 1) * sizeof *p->heavy_start);
    w->heavies = p->heavy_count, k->heavy_words[k->which] = p->heavy_start[p->heavy_count];
}

// places for sums: of tiles, rows with lists of their own, walls and bonds
bool scr_soft_cuda_push_sums(soft_cuda *k)
{
    if (!ROOM(22, lost, SOFT_LOSSES * k->places, 1) || !ROOM(23, stored, SOFT_STORED * k->places, 1)) return false;
    scr_device_fill(k->device, k->lost, 0, SOFT_LOSSES * k->places * sizeof *k->lost);
    scr_device_fill(k->device, k->stored, 0, SOFT_STORED * k->places * sizeof *k->stored);
    k->tile.lost = k->lost, k->tile.stored = k->stored;
    return true;
}

// units of spots: the domain along each axis, which is the period where it is periodic
static void set_space(soft_tile *t, const scr_world *w, double range)
{
    scr_images m = scr_images_of(&w->domain);
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    double coarsest = 0, largest = scr_radii_of(w->bodies.place, w->bodies.table.count).most;
    for (int d = 0; d < 3; d++) {
        double length = upper[d] - lower[d];
        t->length[d] = m.length[d], t->inverse[d] = m.inverse[d];
        t->lower[d] = lower[d], t->upper[d] = upper[d], t->periodic[d] = w->domain.periodic[d];
        t->scale[d] = 0x1p32 / length, t->unit[d] = (float)(length * 0x1p-32);
        coarsest = fmax(coarsest, length * 0x1p-32);
    }
    // spots are rounded, and so are their differences and the radii as floats
    t->margin = (float)(range + 4 * coarsest + 2e-6 * (2 * largest + range));
}

static void set_usual(soft_tile *t, const scr_world *w)
{
    t->sizes = (contact_sizes){0};
    if (!w->bodies.table.count) return;
    double inverse_mass = 2 * w->bodies.motion[3], radius = w->bodies.place[3];
    if (inverse_mass > 0) contact_sizes_update(&t->sizes, inverse_mass);
    contact_sizes_radius(&t->sizes, radius, radius);
}

static void set_tile(scr_step *s, soft_cuda *k)
{
    const scr_world *w = s->world;
    const soft_pack *p = &k->pack;
    const soft_task *task = &k->cpu.task;
    soft_tile *t = &k->tile;
    size_t laws = (size_t)w->material_count * (size_t)w->material_count;
    *t = (soft_tile){.bodies = (uint32_t)w->bodies.table.count,
                     .tiles = p->tiles,
                     .tile_row = p->full ? NULL : k->tile_row,
                     .load = k->load,
                     .mass = k->mass,
                     .anchor = k->anchor,
                     .drift = k->drift,
                     .laws = k->laws,
                     .one = laws ? w->laws[0] : (scr_law){0},
                     .kind = task->kind,
                     .improved = task->improved,
                     .lammps = task->lammps,
                     .held = task->held,
                     .spent = task->spent,
                     .early = k->early,
                     .control = k->control};
    set_space(t, w, s->pairs.range);
    set_usual(t, w);
    scr_soft_cuda_aim(k);
}

// where the list expects bodies: from anchors and drifts of the world, which pass through the rows that are not current
static void push_anchors(scr_step *s, soft_cuda *k)
{
    const scr_bodies *b = &s->world->bodies;
    size_t row = 4 * sizeof(double), n = b->table.count;
    int other = 1 - k->now;
    soft_tile t = k->tile;
    scr_device_copy_in(k->device, k->place[other], b->anchor, n * row);
    scr_device_copy_in(k->device, k->motion[other], b->drift, n * row);
    t.place = k->place[other], t.motion = k->motion[other], t.spot_to = k->spot[other];
    scr_soft_tile_spots(scr_device_stream(k->device), &t, k->anchor, k->drift);
}

void scr_soft_cuda_push_bodies(scr_step *s, soft_cuda *k)
{
    unsigned current = k->current;
    push_bodies(s, k);
    scr_soft_cuda_push_sides(s, k);
    k->current = current | SOFT_BODIES;
    scr_soft_cuda_aim(k);
    soft_tile t = k->tile;
    t.spot_to = k->spot[k->now];
    scr_soft_tile_spots(scr_device_stream(k->device), &t, NULL, NULL);
}

bool scr_soft_cuda_use_words(soft_cuda *k)
{
    const soft_words *w = &k->words[k->which];
    soft_tile *t = &k->tile;
    t->stride = w->stride, t->sum_stride = w->sum_stride;
    t->word = w->word, t->tag = w->tag, t->history = w->history, t->sum = w->sum, t->row_sums = w->row_sums;
    t->law = k->pack.law ? w->law : NULL, t->wide = k->pack.wide ? w->wide : NULL;
    t->heavy_count = w->heavies, t->heavy_row = w->heavy_row, t->heavy_start = w->heavy_start;
    t->heavy_from = t->tiles * t->stride;
    t->room = scr_soft_cuda_room(k, 0);
    size_t spill = t->tiles * (size_t)(t->kind == CONTACT_ANY ? 10 : 7) * t->stride,
           found = t->bodies * (size_t)SOFT_HEAVY / 2;
    if (!ROOM(27, spill, spill > found ? spill : found, 1)) return false;
    t->spill = k->spill;
    return true;
}

// which groups move as prescribed, and whether gravity changes
static bool push_works(scr_step *s, soft_cuda *k)
{
    const scr_world *w = s->world;
    size_t n = (size_t)w->group_count;
    k->drives = false, k->pulls = scr_gravity_varies(&w->gravity_law);
    for (size_t g = 0; g < n; g++) k->drives |= w->groups[g].drive.moves;
    soft_tile *t = &k->tile;
    t->works = k->drives || k->pulls;
    if (!t->works) return true;
    uint8_t *driven = scr_memory_new(n + 1, 1);
    bool good = driven && ROOM(92, drive, (SOFT_BATCH + 1) * n, 1) && ROOM(93, driven, n, 1);
    if (!k->drive_at) k->drive_at = scr_memory_new((SOFT_BATCH + 1) * n + 1, sizeof *k->drive_at);
    for (size_t g = 0; good && g < n; g++) driven[g] = w->groups[g].drive.moves;
    if (good) scr_device_copy_in(k->device, k->driven, driven, n);
    scr_device_wait(k->device);
    scr_memory_free(driven);
    t->driven = k->driven, t->group = k->group, t->image = k->image;
    v3_store(t->size, v3_sub(w->domain.upper, w->domain.lower));
    return good && k->drive_at;
}

#define EACH_BODY 560 /* bytes of what is not a list, nor spilled */

// two lists, one of which is made while the other serves; what walls need comes on top
static scree_status no_room(const soft_cuda *k, size_t n, scree_report *report)
{
    const soft_pack *p = &k->pack;
    double word = 4 + 2 + 32 + (p->law ? 2 : 0) + (p->wide ? 64 : 0);
    double lists = 2 * (word * (double)p->words + 2 * (double)p->sums),
           spill = fmax(56 * (double)p->words, 4 * SOFT_HEAVY * (double)n), all = EACH_BODY * (double)n + spill + lists;
    double fit = (double)k->free / all * (double)n;
    return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE,
                    "no memory on the GPU for %zu grains: it had %.3g GiB free, in which at most about %.0f would fit; "
                    "with device cpu, or auto, the scene runs on the CPU, and goes on from a checkpoint",
                    n, (double)k->free / (1 << 30), floor(fmin(fit, 0.95 * (double)n)));
}

scree_status scr_soft_cuda_push(scr_step *s, soft_cuda *k, unsigned parts, scree_report *report)
{
    const scr_world *w = s->world;
    size_t n = w->bodies.table.count, laws = (size_t)w->material_count * (size_t)w->material_count;
    (void)parts;
    if (!k->saved) {
        k->saved = scr_memory_new(SOFT_BATCH, sizeof *k->saved);
        k->saved_walls = scr_memory_new(SOFT_BATCH * (size_t)w->wall_count + 1, sizeof *k->saved_walls);
        if (!k->saved || !k->saved_walls) return scr_no_memory(report, "steps");
        if (!scr_soft_tile_prepare(200 * 1024, &k->early))
            return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "this GPU has too little shared memory");
    }
    if (!scr_soft_pack_make(&k->pack, &s->pairs, w)) return scr_no_memory(report, "the neighbour list");
    if (!reserve_bodies(k, n) || !reserve_list(k) || !ROOM(26, laws, laws, 1)) return no_room(k, n, report);
    scr_device_copy_in(k->device, k->laws, w->laws, laws * sizeof *w->laws);
    push_bodies(s, k);
    push_list(k);
    set_tile(s, k);
    if (!scr_soft_cuda_use_words(k)) return no_room(k, n, report);
    k->places = k->tile.tiles + k->tile.heavy_count;
    if (!scr_soft_others_push(&k->others, k->device, s, &k->cpu, NULL, &k->tile, &k->places, k->laws) ||
        !scr_soft_cuda_push_sums(k))
        return no_room(k, n, report);
    k->batch = SOFT_BATCH;
    k->tile.spot_to = k->spot[k->now];
    scr_soft_tile_spots(scr_device_stream(k->device), &k->tile, NULL, NULL);
    push_anchors(s, k);
    k->listed = w->clock.listed, k->horizon = w->clock.horizon, k->own_anchors = false;
    k->wrapped = false;
    if (!scr_soft_cuda_push_grid(s, k) || !scr_soft_cuda_push_order(s, k) || !push_works(s, k) ||
        !scr_soft_cuda_push_flows(s, k))
        return no_room(k, n, report);
    scr_soft_cuda_aim(k);
    return scr_device_status(k->device, report);
}

void scr_soft_cuda_aim(soft_cuda *k)
{
    soft_tile *t = &k->tile;
    int now = k->now, next = 1 - now;
    t->place = k->place[now], t->motion = k->motion[now], t->spin = k->spin[now], t->spot = k->spot[now];
    t->place_to = k->place[next], t->motion_to = k->motion[next], t->spin_to = k->spin[next],
    t->spot_to = k->spot[next];
}

void scr_soft_cuda_turn(soft_cuda *k)
{
    k->now = 1 - k->now;
    scr_soft_cuda_aim(k);
}

#define MOST_SHARED (200 * 1024)
#define LEAST_ROOM  160

uint32_t scr_soft_cuda_room(soft_cuda *k, uint32_t most)
{
    const soft_tile *t = &k->tile;
    if (most > k->most) k->most = most;
    uint32_t room = k->most + k->most / 16 > LEAST_ROOM ? (k->most + k->most / 16 + 31) / 32 * 32 : LEAST_ROOM;
    while (room > 32 && scr_soft_tile_shared(t->kind, t->stride, room) > MOST_SHARED) room -= 32;
    return room;
}

/* ---- from the device ---- */

static void fetch_bodies(scr_step *s, soft_cuda *k)
{
    const scr_bodies *b = &s->world->bodies;
    size_t n = k->tile.bodies, row = 4 * sizeof(double);
    scr_device_copy_out(k->device, b->place, k->place[k->now], n * row);
    scr_device_copy_out(k->device, b->motion, k->motion[k->now], n * row);
    scr_device_copy_out(k->device, b->spin, k->spin[k->now], n * row);
    scr_device_copy_out(k->device, b->load, k->load, 2 * n * row);
    scr_soft_cuda_fetch_sides(s, k);
}

// contacts that touch, in any order, into arrays of the device; how many
static size_t collect(soft_cuda *k, bool records)
{
    const soft_tile *t = &k->tile;
    size_t count = 0, room = t->bodies + 16;
    for (;;) {
        uint32_t number = 0;
        bool good = ROOM(50, collected, 1, 1) && ROOM(51, collected_rows, room, 2) &&
                    ROOM(52, collected_history, room, 4) && (!t->wide || ROOM(53, collected_wide, room, 8)) &&
                    (!records || ROOM(54, collected_record, room, 8));
        if (!good) return SIZE_MAX;
        soft_collection c = {.room = (uint32_t)room,
                             .number = k->collected,
                             .rows = k->collected_rows,
                             .history = k->collected_history,
                             .wide = t->wide ? k->collected_wide : NULL,
                             .record = records ? k->collected_record : NULL};
        soft_tile from = *t;
        from.record = records ? k->record : NULL;
        scr_device_fill(k->device, k->collected, 0, sizeof number);
        scr_soft_list_collect(scr_device_stream(k->device), &from, &c, words_of(k));
        scr_device_copy_out(k->device, &number, k->collected, sizeof number);
        count = number;
        if (count <= room) return count;
        room = count;
    }
}

// places of pairs in the order of rows: those of a first body one after the other, few as they are by their second
static void order_pairs(const scr_pairs *q, size_t bodies, uint32_t *start, uint32_t *order)
{
    for (size_t k = 0; k < q->count; k++) start[q->first[k] + 1]++;
    for (size_t i = 0; i < bodies; i++) start[i + 1] += start[i];
    for (size_t k = 0; k < q->count; k++) order[start[q->first[k]]++] = (uint32_t)k;
    for (size_t k = 1; k < q->count; k++) {
        uint32_t one = order[k];
        size_t at = k;
        for (; at && q->first[order[at - 1]] == q->first[one] && q->second[order[at - 1]] > q->second[one]; at--)
            order[at] = order[at - 1];
        order[at] = one;
    }
}

static void apply_order(const uint32_t *order, size_t n, void *rows, size_t bytes, char *copy)
{
    if (!rows) return;
    memcpy(copy, rows, n * bytes);
    for (size_t k = 0; k < n; k++) memcpy((char *)rows + bytes * k, copy + bytes * order[k], bytes);
}

// lists of the CPU, observers and checkpoints have contacts in the order of rows; a device finds them in any
static bool sort_pairs(scr_pairs *q, size_t bodies, bool records)
{
    size_t n = q->count;
    uint32_t *start = scr_memory_new(bodies + 2, sizeof *start), *order = scr_memory_new(n + 1, sizeof *order);
    char *copy = scr_memory_new(n + 1, 8 * sizeof(double));
    bool good = start && order && copy;
    if (good) {
        order_pairs(q, bodies, start, order);
        apply_order(order, n, q->first, sizeof *q->first, copy);
        apply_order(order, n, q->second, sizeof *q->second, copy);
        apply_order(order, n, q->history, 4 * sizeof *q->history, copy);
        apply_order(order, n, q->wide, 8 * sizeof *q->wide, copy);
        if (records) apply_order(order, n, q->record, 8 * sizeof *q->record, copy);
    }
    scr_memory_free(start);
    scr_memory_free(order);
    scr_memory_free(copy);
    return good;
}

// the list of the world then has the pairs that touch, and no others
static bool fetch_pairs(scr_step *s, soft_cuda *k, bool records)
{
    scr_pairs *q = &s->pairs;
    size_t count = collect(k, records);
    if (count == SIZE_MAX || !scr_pairs_hold(q, count, k->tile.wide)) return false;
    uint32_t *rows = scr_memory_new(2 * count + 1, sizeof *rows);
    if (!rows || (records && !scr_pairs_reserve_record(q))) {
        scr_memory_free(rows);
        return false;
    }
    scr_device_copy_out(k->device, rows, k->collected_rows, 2 * count * sizeof *rows);
    scr_device_copy_out(k->device, q->history, k->collected_history, 4 * count * sizeof *q->history);
    if (k->tile.wide) scr_device_copy_out(k->device, q->wide, k->collected_wide, 8 * count * sizeof *q->wide);
    if (records) scr_device_copy_out(k->device, q->record, k->collected_record, 8 * count * sizeof *q->record);
    for (size_t n = 0; n < count; n++) q->first[n] = rows[2 * n], q->second[n] = rows[2 * n + 1], q->touch[n] = 1;
    scr_memory_free(rows);
    return sort_pairs(q, k->tile.bodies, records);
}

// the sums of runs, in their order
static bool add_runs(soft_cuda *k, size_t runs, size_t width, double *sum)
{
    double *all = scr_memory_new(runs * width + 1, sizeof *all);
    if (!all) return false;
    scr_device_copy_out(k->device, all, k->sums, runs * width * sizeof *all);
    for (size_t n = 0; n < width; n++) sum[n] = scr_sum(all + n, runs, width);
    scr_memory_free(all);
    return true;
}

static bool add_places(soft_cuda *k, const double *from, size_t width, double *sum)
{
    size_t runs = SOFT_RUNS(k->places, SOFT_PLACES_RUN);
    if (!ROOM(82, sums, runs, width)) return false;
    scr_soft_totals_places(scr_device_stream(k->device), from, k->places, (uint32_t)width, k->sums);
    return add_runs(k, runs, width, sum);
}

static bool add_motions(scr_step *s, soft_cuda *k, double *sum)
{
    const scr_world *w = s->world;
    size_t n = k->tile.bodies, runs = SOFT_RUNS(n, SCR_ENERGY_RUN);
    soft_motions a = {.bodies = (uint32_t)n,
                      .place = k->place[k->now],
                      .motion = k->motion[k->now],
                      .spin = k->spin[k->now],
                      .mass = k->mass,
                      .image = k->image};
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    v3_store(a.size, size), v3_store(a.gravity, w->gravity);
    if (!ROOM(82, sums, runs + 1, SOFT_MOTIONS)) return false;
    a.sums = k->sums;
    scr_soft_totals_motions(scr_device_stream(k->device), &a);
    return add_runs(k, runs, SOFT_MOTIONS, sum);
}

scree_status scr_soft_cuda_sum_up(scr_step *s, soft_cuda *k, double sums[SOFT_MOTIONS], scree_report *report)
{
    scree_status status = scr_soft_cuda_fetch(s, k, SOFT_ENERGIES, report);
    if (!status && !k->summed && !add_motions(s, k, k->motions)) return scr_no_memory(report, "energies");
    k->summed = true;
    memcpy(sums, k->motions, sizeof k->motions);
    return status ? status : scr_device_status(k->device, report);
}

static bool fetch_losses(scr_step *s, soft_cuda *k)
{
    scr_ledger *l = &s->world->ledger;
    double sum[SOFT_LOSSES];
    if (!add_places(k, k->lost, SOFT_LOSSES, sum)) return false;
#define F(loss, NAME) l->loss += sum[SOFT_LOST_##NAME];
    CONTACT_LOSSES(F, F)
#undef F
    l->inserted += sum[SOFT_LOST_APPEARED], l->broken += sum[SOFT_LOST_BROKEN];
    l->group_work += sum[SOFT_LOST_GROUPS], l->load_work += sum[SOFT_LOST_LOADS];
    scr_device_fill(k->device, k->lost, 0, SOFT_LOSSES * k->places * sizeof *k->lost);
    return true;
}

static bool fetch_stored(scr_step *s, soft_cuda *k)
{
    scr_ledger *l = &s->world->ledger;
    double sum[SOFT_STORED];
    if (!add_places(k, k->stored, SOFT_STORED, sum)) return false;
    l->elastic_normal = sum[SOFT_STORED_NORMAL], l->elastic_tangential = sum[SOFT_STORED_TANGENTIAL];
    l->elastic_rolling = sum[SOFT_STORED_ROLLING];
    l->elastic_bond = sum[SOFT_STORED_BOND];
    l->excess_damping = sum[SOFT_STORED_EXCESS], l->excess_rolling = sum[SOFT_STORED_EXCESS_ROLLING];
    double worst;
    memcpy(&worst, &k->told.worst, sizeof worst);
    s->last = (scr_step_report){.contacts = (int64_t)sum[SOFT_STORED_CONTACTS], .worst_overlap = worst};
    return true;
}

// a run that goes on from the world as it is now makes its first list for where bodies are
static void anchor_here(scr_step *s, soft_cuda *k)
{
    scr_bodies *b = &s->world->bodies;
    if (!(k->current & SOFT_BODIES)) fetch_bodies(s, k);
    k->current |= SOFT_BODIES;
    memcpy(b->anchor, b->place, 4 * b->table.count * sizeof *b->anchor);
    memcpy(b->drift, b->motion, 4 * b->table.count * sizeof *b->drift);
    for (size_t i = 0; i < b->table.count; i++) b->drift[4 * i + 3] = 0;
    for (int n = 0; n < s->world->wall_count; n++) s->world->walls[n].anchor = s->world->walls[n].pose;
    s->world->clock.listed = s->world->clock.time;
    s->world->clock.rebuilds++;
}

scree_status scr_soft_cuda_fetch(scr_step *s, soft_cuda *k, unsigned parts, scree_report *report)
{
    bool good = true;
    parts &= ~(k->current & (SOFT_BODIES | SOFT_PAIRS | SOFT_RECORDS | SOFT_ENERGIES));
    if (parts & SOFT_RECORDS) parts |= SOFT_PAIRS;
    if (parts & (SOFT_BODIES | SOFT_PAIRS)) good &= scr_soft_cuda_follow(s, k);
    if (parts & SOFT_BODIES) fetch_bodies(s, k);
    if (parts & SOFT_PAIRS && k->own_anchors) anchor_here(s, k);
    if (parts & SOFT_PAIRS) good &= fetch_pairs(s, k, parts & SOFT_RECORDS);
    if (parts & (SOFT_BODIES | SOFT_PAIRS))
        scr_soft_others_fetch(&k->others, k->device, s, parts & SOFT_PAIRS, parts & SOFT_RECORDS);
    k->current |= parts;
    if (parts & (SOFT_ENERGIES | SOFT_LOSSES_SO_FAR)) good &= fetch_losses(s, k);
    if (parts & SOFT_ENERGIES) good &= fetch_stored(s, k);
    scree_status status = scr_device_status(k->device, report);
    if (status || good) return status;
    return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE,
                    "no memory to copy the state back from the GPU; the last checkpoint is intact: continue with "
                    "--resume FILE --device cpu");
}

scree_status scr_soft_cuda_deep(scr_step *s, bool unfinished, scree_report *report)
{
    s->last.unfinished = unfinished;
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "near step %lld, time %.9g s: a grain overlaps another, or a wall, by more than the smaller radius "
                    "(nine tenths of it at a thin wall); a stiffer contact or a smaller step is needed. With "
                    "--device cpu the run ends at the same step and says which grain it is",
                    (long long)s->world->clock.step, s->world->clock.time);
}
