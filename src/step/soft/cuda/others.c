#include "step/soft/cuda/others.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "step/soft/cpu/walls.h"
#include "step/soft/cuda/numbered.h"

#define AT(array) offsetof(soft_others, array)
#define PAIRS(n)                                                                                  \
    AT(pairs[n].body), AT(pairs[n].face), AT(pairs[n].law), AT(pairs[n].gap), AT(pairs[n].touch), \
        AT(pairs[n].history), AT(pairs[n].wide), AT(pairs[n].record), AT(start[n]), AT(of[n])
static const size_t arrays[] = {AT(stages),
                                AT(device_pairs),
                                AT(faces),
                                AT(anchor),
                                AT(load),
                                AT(bond_load),
                                AT(room),
                                AT(count),
                                AT(many),
                                AT(found),
                                AT(bond_start),
                                AT(bond_entry),
                                AT(wanted),
                                AT(exact),
                                AT(bond_laws),
                                AT(cell_start),
                                AT(cell_fill),
                                AT(entry),
                                AT(everywhere),
                                PAIRS(0),
                                PAIRS(1),
                                AT(world.bonds.row),
                                AT(world.bonds.law),
                                AT(world.bonds.fate),
                                AT(world.bonds.shape),
                                AT(world.bonds.spring),
                                AT(world.bonds.damper),
                                AT(world.bonds.shear),
                                AT(world.bonds.bend),
                                AT(world.bonds.rate)};
#undef AT

void scr_soft_others_free(soft_others *o, scr_device *d)
{
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) {
        void *memory;
        memcpy(&memory, (char *)o + arrays[n], sizeof memory);
        scr_device_free(d, memory);
    }
    scr_memory_free(o->at);
    scr_memory_free(o->stage);
    scr_memory_free(o->plan);
    scr_memory_free(o->anchors);
    scr_memory_free(o->sum);
    scr_memory_free(o->all);
    scr_memory_free(o->host);
}

#define ROOM(number, array, count, width) \
    scr_device_reserve(d, &o->array, &o->capacity[number], (size_t)(count) + 1, 0, (width) * sizeof *o->array)
#define PUSH(array, from, count) scr_device_copy_in(d, o->array, (from), (size_t)(count) * sizeof *o->array)

/* A stage: a world, its walls, and plans of these where there are servos. */
#define AROUND(bytes) (((bytes) + 63) / 64 * 64)
static size_t walls_at(void)
{
    return AROUND(sizeof(scr_world));
}

static size_t plans_at(const scr_world *w)
{
    return walls_at() + AROUND((size_t)w->wall_count * sizeof(scr_wall));
}

static size_t stage_size(const soft_others *o, const scr_world *w)
{
    return plans_at(w) + (o->servo ? AROUND((size_t)w->wall_count * sizeof(soft_wall_plan)) : 0);
}

/* ---- once ---- */

static bool make(soft_others *o, scr_device *d, const scr_world *w)
{
    size_t walls = (size_t)w->wall_count;
    o->walls = walls > 0, o->bonds = w->bonds.table.count > 0;
    o->any = o->walls || o->bonds;
    if (!o->any || o->stage) return true;
    for (size_t k = 0; k < walls; k++) o->servo |= w->walls[k].motion.servo;
    size_t stages = (SOFT_BATCH + 1) * stage_size(o, w);
    o->stage = scr_memory_new(stages, 1);
    o->plan = scr_memory_new(walls + 1, sizeof *o->plan);
    o->anchors = scr_memory_new(walls + 1, sizeof *o->anchors);
    o->at = scr_memory_new(SOFT_BATCH * walls + 1, sizeof *o->at);
    o->sum = scr_memory_new(SOFT_BATCH * walls * SOFT_WALL_EXACT + 1, sizeof *o->sum);
    o->all = scr_memory_new(SOFT_BATCH, sizeof *o->all);
    uint8_t *wanted = scr_memory_new(2 * walls + 1, 1);
    bool good = o->stage && o->plan && o->anchors && o->at && o->sum && o->all && wanted &&
                ROOM(0, stages, stages, 1) && ROOM(1, device_pairs, 2, 1) && ROOM(2, faces, w->face_count, 1) &&
                ROOM(3, wanted, 2 * walls, 1) && ROOM(4, exact, SOFT_BATCH * walls * SOFT_WALL_EXACT, 1) &&
                ROOM(5, bond_laws, w->bond_law_count, 1);
    if (good) {
        for (size_t k = 0; k < walls; k++) wanted[k] = !scr_wall_rests(&w->walls[k]), wanted[walls + k] = 1;
        PUSH(wanted, wanted, 2 * walls);
        PUSH(faces, w->faces, w->face_count);
        PUSH(bond_laws, w->bond_laws, w->bond_law_count);
    }
    scr_memory_free(wanted);
    return good;
}

/* ---- lists ---- */

// room for pairs with walls in one of the two sets
static bool reserve_set(soft_others *o, scr_device *d, size_t n, size_t bodies, bool wide)
{
    int w = o->which, first = 40 + 10 * w;
    return ROOM(first, pairs[w].body, n, 1) && ROOM(first + 1, pairs[w].face, n, 1) &&
           ROOM(first + 2, pairs[w].law, n, 1) && ROOM(first + 3, pairs[w].gap, n, 1) &&
           ROOM(first + 4, pairs[w].touch, n, 1) && ROOM(first + 5, pairs[w].history, n, 4) &&
           (!wide || ROOM(first + 6, pairs[w].wide, n, 8)) && ROOM(first + 7, start[w], n + 1, 1) &&
           ROOM(first + 8, of[w], bodies, 1);
}

static bool reserve_walls(soft_others *o, scr_device *d, size_t n, size_t bodies)
{
    return ROOM(14, count, n, 1) && ROOM(15, many, n, 1) && ROOM(16, found, 4, 1) && ROOM(17, load, n, 6) &&
           ROOM(18, anchor, bodies, 4) &&
           scr_memory_reserve(&o->host, &o->host_capacity, bodies + 2 * n + 4, 0, sizeof *o->host);
}

// which rows are near walls, and which of them have many faces
static void push_rows(soft_others *o, scr_device *d, const scr_wall_pairs *p, size_t bodies)
{
    uint32_t *of = o->host, *start = of + bodies, *many = start + p->count + 1;
    soft_wall_rows *r = &o->wall_rows;
    memset(of, 0, bodies * sizeof *of);
    r->rows = r->many_count = 0;
    for (uint32_t k = 0, next; k < p->count; k = next) {
        for (next = k + 1; next < p->count && p->body[next] == p->body[k];) next++;
        if (next - k > SOFT_FEW_FACES) many[r->many_count++] = r->rows;
        start[r->rows++] = k;
        of[p->body[k]] = r->rows;
    }
    start[r->rows] = (uint32_t)p->count;
    PUSH(of[o->which], of, bodies);
    PUSH(start[o->which], start, r->rows + 1);
    PUSH(many, many, r->many_count);
    scr_device_wait(d); // the lists are written over next time
}

// kernels are given the present pairs
static bool use_walls(soft_others *o, scr_device *d, const scr_step *s, uint32_t *place)
{
    soft_wall_rows *r = &o->wall_rows;
    size_t room = r->many_count ? scr_soft_walls_room() : 0;
    if (!scr_device_reserve(d, &o->room, &o->capacity[19], room, 0, 1)) return false;
    PUSH(device_pairs, o->pairs, 2);
    r->start = o->start[o->which], r->count = o->count, r->load = o->load, r->pairs = o->device_pairs + o->which;
    r->range = s->pairs.range;
    r->many = o->many, r->room = o->room, r->place = *place;
    *place += scr_soft_walls_warps(r);
    return true;
}

static bool push_walls(soft_others *o, scr_device *d, const scr_step *s, uint32_t *place)
{
    const scr_wall_pairs *p = &s->pairs.walls;
    const scr_bodies *b = &s->world->bodies;
    size_t n = p->count, bodies = b->table.count;
    int w = o->which;
    if (!reserve_set(o, d, n, bodies, p->wide) || !reserve_walls(o, d, n, bodies)) return false;
    PUSH(pairs[w].body, p->body, n);
    PUSH(pairs[w].face, p->face, n);
    PUSH(pairs[w].law, p->law, n);
    PUSH(pairs[w].gap, p->gap, n);
    PUSH(pairs[w].touch, p->touch, n);
    PUSH(pairs[w].history, p->history, 4 * n);
    if (p->wide) PUSH(pairs[w].wide, p->wide, 8 * n);
    PUSH(anchor, b->anchor, 4 * bodies);
    push_rows(o, d, p, bodies);
    for (int k = 0; k < s->world->wall_count; k++) o->anchors[k] = s->world->walls[k].anchor;
    o->pairs[w].count = n;
    return use_walls(o, d, s, place);
}

static bool push_bonds(soft_others *o, scr_device *d, const scr_step *s, const soft_work *work, uint32_t *place)
{
    const scr_bonds *b = &s->world->bonds;
    size_t n = b->table.count, bodies = s->world->bodies.table.count;
    bool good =
        ROOM(20, world.bonds.row, n, 2) && ROOM(21, world.bonds.law, n, 1) && ROOM(22, world.bonds.fate, n, 1) &&
        ROOM(23, world.bonds.shape, n, 2) && ROOM(24, world.bonds.spring, n, 4) && ROOM(25, world.bonds.damper, n, 4) &&
        ROOM(26, world.bonds.shear, n, 4) && ROOM(27, world.bonds.bend, n, 4) && ROOM(28, world.bonds.rate, n, 8) &&
        ROOM(29, bond_load, n, 12) && ROOM(30, bond_start, bodies + 1, 1) && ROOM(31, bond_entry, 2 * n, 1);
    if (!good) return false;
    PUSH(world.bonds.row, b->row, 2 * n);
    PUSH(world.bonds.law, b->law, n);
    PUSH(world.bonds.fate, b->fate, n);
    PUSH(world.bonds.shape, b->shape, 2 * n);
    PUSH(world.bonds.spring, b->spring, 4 * n);
    PUSH(world.bonds.damper, b->damper, 4 * n);
    PUSH(world.bonds.shear, b->shear, 4 * n);
    PUSH(world.bonds.bend, b->bend, 4 * n);
    PUSH(world.bonds.rate, b->rate, 8 * n);
    PUSH(bond_start, work->bonds.start, bodies + 1);
    PUSH(bond_entry, work->bonds.entry, 2 * n);
    o->bond_rows = (soft_bond_rows){.count = (uint32_t)n, .load = o->bond_load};
    scr_soft_others_place_bonds(o, place);
    return true;
}

static void give_walls(const soft_others *o, soft_tile *t)
{
    t->wall_of = o->wall_rows.rows ? o->of[o->which] : NULL;
    t->wall_start = o->start[o->which], t->wall_count = o->count, t->wall_load = o->load;
}

/* ---- found on the device ---- */

#define ALL_FACES  64 /* that each body looks at; where there are more, triangles are in cells */
#define MOST_CELLS ((size_t)1 << 22)

// the world and its walls into one stage of the device
static char *put_stage(soft_others *o, scr_device *d, const scr_world *w, int number)
{
    size_t walls = (size_t)w->wall_count, size = stage_size(o, w);
    char *stage = o->stage + (size_t)number * size, *there = o->stages + (size_t)number * size;
    o->world.walls = (scr_wall *)(void *)(there + walls_at());
    memcpy(stage, &o->world, sizeof o->world);
    if (walls) memcpy(stage + walls_at(), w->walls, walls * sizeof *w->walls);
    if (o->servo) memcpy(stage + plans_at(w), o->plan, walls * sizeof *o->plan);
    scr_device_copy_in(d, there, stage, size);
    return there;
}

// the world with walls anchored where they are
static const scr_world *stage_anchors(soft_others *o, scr_device *d, scr_world *w)
{
    for (int k = 0; k < w->wall_count; k++) o->anchors[k] = w->walls[k].anchor = w->walls[k].pose;
    return (const scr_world *)(void *)put_stage(o, d, w, 0);
}

// cells of faces: about as large as what a body must know of
static size_t lay_out(const scr_world *w, soft_wall_search *a)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    double edge = a->around, cells;
    do {
        edge *= 1.25, cells = 1;
        for (int d = 0; d < 3; d++) {
            double length = upper[d] - lower[d], n = fmin(fmax(floor(length / edge), 1), 1 << 20);
            a->lower[d] = lower[d], a->cells[d] = (int)n, a->per[d] = n / length;
            cells *= n;
        }
    } while (cells > (double)MOST_CELLS);
    return (size_t)cells;
}

// faces into cells
static bool sort_faces(soft_others *o, scr_device *d, const scr_world *w, const soft_list *l, soft_wall_search *a)
{
    size_t faces = (size_t)w->face_count, cells = 0;
    a->around = l->largest + l->reach + (l->halted ? 0 : l->horizon * l->drift_most);
    if (faces > ALL_FACES) cells = lay_out(w, a);
    if (!ROOM(32, cell_start, cells + 1, 1) || !ROOM(33, cell_fill, cells + 1, 1) ||
        !ROOM(34, everywhere, faces + 1, 1))
        return false;
    a->cell_start = o->cell_start, a->cell_fill = o->cell_fill;
    a->everywhere = o->everywhere, a->everywhere_count = o->everywhere + faces;
    scr_device_fill(d, o->cell_start, 0, (cells + 1) * sizeof *o->cell_start);
    scr_device_fill(d, a->everywhere_count, 0, sizeof *o->everywhere);
    scr_soft_walls_sort(scr_device_stream(d), a, (uint32_t)faces, false);
    if (!cells) return true;
    uint32_t entries = 0;
    scr_device_copy_out(d, &entries, o->cell_start + cells, sizeof entries);
    if (!ROOM(35, entry, entries, 1)) return false;
    a->entry = o->entry;
    scr_device_fill(d, o->cell_fill, 0, (cells + 1) * sizeof *o->cell_fill);
    scr_soft_walls_sort(scr_device_stream(d), a, (uint32_t)faces, true);
    return true;
}

static soft_wall_search search_of(soft_others *o, scr_device *d, scr_step *s, const soft_list *l, int from, size_t room)
{
    return (soft_wall_search){.bodies = l->bodies,
                              .room = (uint32_t)room,
                              .place = l->place,
                              .motion = l->motion,
                              .reach = l->reach,
                              .horizon = l->horizon,
                              .halted = l->halted,
                              .world = stage_anchors(o, d, s->world),
                              .material = l->material,
                              .materials = l->materials,
                              .order = l->order,
                              .from_of = o->of[from],
                              .from_start = o->start[from],
                              .from = o->device_pairs + from,
                              .to = o->device_pairs + o->which,
                              .of = o->of[o->which],
                              .start = o->start[o->which],
                              .many = o->many,
                              .many_count = o->found + 2,
                              .found = (unsigned long long *)(void *)o->found};
}

bool scr_soft_others_search(soft_others *o, scr_device *d, scr_step *s, soft_tile *t, uint32_t place, uint32_t *places,
                            const soft_list *l)
{
    size_t bodies = l->bodies, room = o->pairs[o->which].count + bodies / 8 + 64;
    int from = o->which;
    unsigned long long found[2] = {0};
    o->which = 1 - from;
    do {
        soft_wall_search a;
        bool good = reserve_set(o, d, room, bodies, o->pairs[from].wide) && reserve_walls(o, d, room, bodies);
        if (good) {
            PUSH(device_pairs, o->pairs, 2);
            scr_device_fill(d, o->found, 0, sizeof found);
            a = search_of(o, d, s, l, from, room);
            good = sort_faces(o, d, s->world, l, &a);
        }
        if (!good) {
            o->which = from;
            return false;
        }
        scr_soft_walls_search(scr_device_stream(d), &a);
        scr_device_copy_out(d, found, o->found, sizeof found);
        if ((uint32_t)found[0] <= room) break;
        room = (uint32_t)found[0] + room / 8;
    } while (true);
    uint32_t pairs = (uint32_t)found[0];
    o->wall_rows.rows = (uint32_t)(found[0] >> 32), o->wall_rows.many_count = (uint32_t)found[1];
    o->pairs[o->which].count = pairs;
    scr_device_copy_in(d, o->start[o->which] + o->wall_rows.rows, &pairs, sizeof pairs);
    scr_device_copy(d, o->anchor, l->place, 4 * bodies * sizeof *o->anchor);
    scr_device_wait(d);
    if (!use_walls(o, d, s, &place)) return false;
    *places = place;
    give_walls(o, t);
    return true;
}

void scr_soft_others_place_bonds(soft_others *o, uint32_t *place)
{
    if (!o->bonds) return;
    o->bond_rows.place = *place;
    *place += (o->bond_rows.count + 127) / 128 * 4;
}

bool scr_soft_others_push(soft_others *o, scr_device *d, scr_step *s, const soft_work *work, const double *anchor_rows,
                          soft_tile *t, uint32_t *place, const scr_law *laws)
{
    const scr_world *w = s->world;
    (void)anchor_rows;
    if (!make(o, d, w)) return false;
    if (!o->any) return true;
    if (o->walls && !push_walls(o, d, s, place)) return false;
    if (o->bonds && !push_bonds(o, d, s, work, place)) return false;
    o->world.laws = (scr_law *)(uintptr_t)laws;
    o->world.faces = o->faces, o->world.bond_laws = o->bond_laws;
    o->world.bodies.anchor = o->anchor;
    o->world.wall_count = w->wall_count, o->world.face_count = w->face_count;
    if (o->walls) give_walls(o, t);
    if (o->bonds) t->bond_start = o->bond_start, t->bond_entry = o->bond_entry, t->bond_load = o->bond_load;
    return true;
}

bool scr_soft_others_reserve_record(soft_others *o, scr_device *d, scr_step *s)
{
    if (!o->walls) return true;
    int w = o->which;
    (void)s;
    if (!ROOM(40 + 10 * w + 9, pairs[w].record, o->pairs[w].count, 8)) return false;
    PUSH(device_pairs, o->pairs, 2);
    return true;
}

/* ---- steps ---- */

void scr_soft_others_begin(soft_others *o, scr_device *d, const scr_world *w)
{
    scr_device_fill(d, o->exact, 0, SOFT_BATCH * (size_t)w->wall_count * SOFT_WALL_EXACT * sizeof *o->exact);
    o->planned = false;
    if (o->servo) put_stage(o, d, w, 0);
}

void scr_soft_others_anchor(const soft_others *o, scr_world *w)
{
    for (int k = 0; k < w->wall_count; k++) w->walls[k].anchor = o->anchors[k];
}

bool scr_soft_others_foresee(soft_others *o, scr_step *s, double before)
{
    scr_world *w = s->world;
    const scr_wall_pairs *p = &s->pairs.walls;
    bool stale = false;
    o->planned = true;
    for (int k = 0; k < w->wall_count; k++) {
        scr_wall *wall = &w->walls[k];
        if (!wall->motion.servo) {
            stale |= scr_soft_wall_move(w, p, k, before);
            continue;
        }
        scr_wall_plan plan = scr_wall_ahead(wall, before, w->clock.time, scr_clock_span(&w->clock));
        o->plan[k] = (soft_wall_plan){plan, p->extents[k].lower, p->extents[k].upper};
        stale |= plan.active != wall->active;
        wall->active = plan.active, wall->fresh = plan.fresh;
    }
    return stale;
}

// walls with servos on from where they were in the stage before this one
static void move_servos(soft_others *o, scr_device *d, const scr_world *w, const soft_tile *t, char *there, int number)
{
    size_t walls = (size_t)w->wall_count;
    soft_servos a = {.walls = (uint32_t)walls,
                     .before = (const scr_wall *)(void *)(there - stage_size(o, w) + walls_at()),
                     .now = (scr_wall *)(void *)(there + walls_at()),
                     .plan = (const soft_wall_plan *)(void *)(there + plans_at(w)),
                     .faces = o->faces,
                     .exact = number ? o->exact + (size_t)(number - 1) * walls * SOFT_WALL_EXACT : NULL,
                     .lag = w->clock.lag,
                     .slack2 = scr_pairs_slack2(w),
                     .node = t->node,
                     .control = t->control};
    scr_soft_servos_move(scr_device_stream(d), &a);
    o->planned = false;
}

void scr_soft_others_launch(soft_others *o, scr_device *d, scr_step *s, const soft_tile *t, int number)
{
    const scr_world *w = s->world;
    size_t walls = (size_t)w->wall_count;
    o->world.clock = w->clock;
    o->world.bodies.place = (double *)(uintptr_t)t->place, o->world.bodies.motion = (double *)(uintptr_t)t->motion;
    o->world.bodies.spin = (double *)(uintptr_t)t->spin;
    char *there = put_stage(o, d, w, number + 1);
    if (walls) memcpy(o->at + (size_t)number * walls, w->walls, walls * sizeof *w->walls);
    if (o->planned) move_servos(o, d, w, t, there, number);
    o->all[number] = t->look;
    const scr_world *world = (const scr_world *)(void *)there;
    void *stream = scr_device_stream(d);
    if (o->walls) {
        soft_wall_rows *r = &o->wall_rows;
        r->world = world;
        r->wanted = o->wanted + (t->look ? walls : 0);
        r->exact = o->exact + (size_t)number * walls * SOFT_WALL_EXACT;
        scr_soft_walls_forces(stream, t, r);
    }
    o->bond_rows.world = world;
    if (o->bonds) scr_soft_bonds_launch(stream, t, &o->bond_rows);
}

void scr_soft_others_fetch_sums(soft_others *o, scr_device *d, const scr_world *w, int steps)
{
    if (o->walls && steps)
        scr_device_copy_out(d, o->sum, o->exact,
                            (size_t)steps * (size_t)w->wall_count * SOFT_WALL_EXACT * sizeof *o->sum);
}

static vec3 vector_of(const unsigned long long *part)
{
    return v3(exact_parts_value(part), exact_parts_value(part + SCR_EXACT_PARTS),
              exact_parts_value(part + 2 * SCR_EXACT_PARTS));
}

// as scr_soft_walls_add_up; with servos the world's own walls are those of this step
void scr_soft_others_book(soft_others *o, scr_step *s, int number)
{
    scr_world *w = s->world;
    size_t walls = (size_t)w->wall_count;
    for (size_t k = 0; k < walls; k++) {
        scr_wall *wall = &w->walls[k];
        const scr_wall *was = o->servo ? wall : &o->at[(size_t)number * walls + k];
        if (!o->all[number] && scr_wall_rests(was)) continue;
        const unsigned long long *part = o->sum + ((size_t)number * walls + k) * SOFT_WALL_EXACT;
        vec3 force = vector_of(part), torque = vector_of(part + 3 * SCR_EXACT_PARTS);
        w->ledger.wall_work -=
            0.5 * w->clock.dt *
            (v3_dot(v3_add(wall->force, force), was->velocity) + v3_dot(v3_add(wall->torque, torque), was->spin));
        wall->force = force, wall->torque = torque;
        scr_wall_set_load(wall);
    }
}

/* ---- back ---- */

#define FETCH(to, array, count) scr_device_copy_out(d, (to), o->array, (size_t)(count) * sizeof *o->array)

// rows that were found in any order, one column of them
static void put_in_order(const numbered *order, size_t n, void *column, size_t bytes, char *copy)
{
    memcpy(copy, column, n * bytes);
    for (size_t k = 0; k < n; k++) memcpy((char *)column + k * bytes, copy + order[k].at * bytes, bytes);
}

// in the order of rows, and in each of faces, as the CPU has them
static void sort_walls(scr_wall_pairs *p, bool records)
{
    size_t n = p->count;
    numbered *order = scr_memory_new(n + 1, sizeof *order);
    char *copy = scr_memory_new(n + 1, 64);
    if (order && copy) {
        for (size_t k = 0; k < n; k++) order[k] = (numbered){(uint64_t)p->body[k] << 32 | p->face[k], k};
        qsort(order, n, sizeof *order, by_key);
        put_in_order(order, n, p->body, sizeof *p->body, copy);
        put_in_order(order, n, p->face, sizeof *p->face, copy);
        put_in_order(order, n, p->law, sizeof *p->law, copy);
        put_in_order(order, n, p->gap, sizeof *p->gap, copy);
        put_in_order(order, n, p->touch, sizeof *p->touch, copy);
        put_in_order(order, n, p->history, 32, copy);
        if (p->wide) put_in_order(order, n, p->wide, 64, copy);
        if (records) put_in_order(order, n, p->record, 64, copy);
    }
    scr_memory_free(order);
    scr_memory_free(copy);
}

static void fetch_walls(soft_others *o, scr_device *d, scr_wall_pairs *p, bool records)
{
    int w = o->which;
    size_t n = o->pairs[w].count;
    if (!scr_wall_pairs_reserve(p, n, p->wide != NULL)) return;
    if (records && !scr_reserve_kept(&p->record, 8 * (n + 8), 0)) return;
    p->count = n;
    FETCH(p->body, pairs[w].body, n);
    FETCH(p->face, pairs[w].face, n);
    FETCH(p->law, pairs[w].law, n);
    FETCH(p->gap, pairs[w].gap, n);
    FETCH(p->touch, pairs[w].touch, n);
    FETCH(p->history, pairs[w].history, 4 * n);
    if (p->wide) FETCH(p->wide, pairs[w].wide, 8 * n);
    if (records) FETCH(p->record, pairs[w].record, 8 * n);
    sort_walls(p, records);
}

void scr_soft_others_fetch(soft_others *o, scr_device *d, scr_step *s, bool pairs, bool records)
{
    scr_wall_pairs *p = &s->pairs.walls;
    scr_bonds *b = &s->world->bonds;
    size_t n = b->table.count;
    if (o->walls && pairs) fetch_walls(o, d, p, records);
    if (!o->bonds) return;
    FETCH(b->fate, world.bonds.fate, n);
    FETCH(b->shear, world.bonds.shear, 4 * n);
    FETCH(b->bend, world.bonds.bend, 4 * n);
    FETCH(b->rate, world.bonds.rate, 8 * n);
}
