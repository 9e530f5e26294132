/* Looking for contacts. Only rows that are awake look around: what is part of an aggregate costs nothing. They are
 * divided into parts, which find independently of each other; what they found goes into drawers by the rows of the
 * first bodies, and each drawer is sorted: so the order of contacts does not depend on which thread found them. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/pairs.h"
#include "collide/touch.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"
#include "step/nonsmooth/work.h"
#include "world/carrier.h"

enum { FEW_ROWS = 256 }; /* fewer searching rows than this are not a part of their own */

/* ---- room ---- */

bool scr_ns_find_open(ns_work *k, const scr_world *w)
{
    scr_wall_pairs *all = &k->find.walls_of;
    if (!scr_reserve(&k->find.of, NS_PARTS) || !scr_wall_pairs_prepare(all, w)) return false;
    for (int n = 0; n <= NS_PARTS; n++) {
        ns_finder *f = n < NS_PARTS ? &k->find.of[n] : &k->find.one;
        f->pairs.extents = all->extents, f->pairs.extent_count = all->extent_count;
    }
    return true;
}

static void close_finder(ns_finder *f)
{
    f->pairs.extents = NULL, f->pairs.extent_count = 0; // not its own
    scr_wall_pairs_deinit(&f->pairs);
    scr_buffer_free(f->faces.found);
    scr_free_all(f->near, f->region, f->keys, f->walls);
}

void scr_ns_find_close(ns_work *k)
{
    for (int n = 0; n < NS_PARTS && k->find.of; n++) close_finder(&k->find.of[n]);
    close_finder(&k->find.one);
    scr_wall_pairs_deinit(&k->find.walls_of);
    scr_free_all(k->find.of, k->find.rows, k->find.keys, k->find.aside, k->find.counts, k->find.walls);
}

/* ---- how far ---- */

static bool is_awake(const ns_work *k, uint32_t i)
{
    return k->space.awake[i / 64] >> (i % 64) & 1;
}

void scr_ns_list_awake(ns_work *k, const scr_world *w)
{
    size_t words = w->bodies.table.count / 64 + 1, n = 0;
    for (size_t word = 0; word < words; word++)
        for (uint64_t bits = k->space.awake[word]; bits; bits &= bits - 1) k->find.rows[n++] = ns_lowest(word, bits);
    k->find.row_count = n;
}

// the largest speed of what looks around for nothing and shares the cells of what is free
static double speed_of_groups(const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    double most = 0;
    for (int g = 0; g < w->group_count; g++)
        for (size_t i = 0; w->groups[g].drive.moves && i < b->table.count; i++)
            if (b->group[i] == g) most = fmax(most, v3_norm(v3_load(b->motion + 4 * i)));
    return most;
}

typedef struct {
    ns_work *k;
    const scr_world *w;
    vec3 mean;
    bool anew;
} pace;

static void add_velocities(void *context, size_t from, size_t to, void *part)
{
    const pace *p = context;
    vec3 *sum = part;
    for (size_t n = from; n < to; n++)
        *sum = v3_add(*sum, v3_load(p->w->bodies.motion + 4 * (size_t)p->k->find.rows[n]));
}

static void join_velocities(void *all, const void *part)
{
    *(vec3 *)all = v3_add(*(vec3 *)all, *(const vec3 *)part);
}

static void set_ways(void *context, size_t from, size_t to)
{
    const pace *p = context;
    const scr_bodies *b = &p->w->bodies;
    for (size_t n = from; n < to; n++) {
        size_t i = p->k->find.rows[n];
        double far = p->k->sub.h * v3_norm(v3_sub(v3_load(b->motion + 4 * i), p->mean));
        double *way = &p->k->space.way[i];
        far = fmin(far, 2 * b->place[4 * i + 3]);
        *way = p->anew ? far : fmax(far, *way);
    }
}

// Contacts of the step are found from the velocities at its start. Speeds are relative to the mean of all awake grains,
// so that a uniform flow has none; a grain that is struck becomes about as fast as the one that struck it. Against what
// does not search (sleeping grains, members, walls) and is not in the mean, the approach speed counts (still_way).
void scr_ns_measure_ways(ns_work *k, const scr_world *w, bool anew)
{
    scr_ns_list_awake(k, w);
    if (!k->set.ahead) return;
    k->space.group_speed = speed_of_groups(w);
    if (!k->find.row_count) return;
    vec3 sum = v3(0, 0, 0);
    pace p = {k, w, sum, anew};
    scr_reduce(k->find.row_count, add_velocities, join_velocities, &p, &sum, sizeof sum);
    p.mean = v3_scale(1 / (double)k->find.row_count, sum);
    scr_each_rows(k->find.row_count, set_ways, &p);
}

// how far a body gets in a step against something of that velocity, at most its diameter
static double still_way(const ns_work *k, const scr_world *w, uint32_t i, vec3 velocity)
{
    if (!k->set.ahead) return 0;
    vec3 v = v3_sub(v3_load(w->bodies.motion + 4 * (size_t)i), velocity);
    return fmin(k->sub.h * v3_norm(v), 2 * w->bodies.place[4 * (size_t)i + 3]);
}

// the gap at which two bodies are looked at; both may be known to be awake
static double margin_of(const ns_work *k, const scr_world *w, uint32_t i, uint32_t j, bool both_awake)
{
    double a = w->bodies.place[4 * (size_t)i + 3], b = w->bodies.place[4 * (size_t)j + 3], r = a < b ? a : b;
    double way = k->space.way[i] + k->space.way[j];
    if (!both_awake && (!is_awake(k, i) || !is_awake(k, j))) {
        uint32_t still = is_awake(k, j) ? i : j, other = still == j ? i : j;
        vec3 v = v3_load(w->bodies.motion + 4 * (size_t)still);
        way = fmax(way, still_way(k, w, other, v));
    }
    return k->set.margin + k->set.near * r + way;
}

// how far around itself a body looks for rows of a carrier (SCR_CARRIER_NONE: free ones and those that rest)
static double way_of(const ns_work *k, const scr_world *w, uint32_t i, int carrier, vec3 velocity)
{
    double way = 2 * k->space.way[i];
    if (!k->set.ahead) return way;
    if (carrier == SCR_CARRIER_NONE && !k->space.carriers[SCR_CARRIER_REST].members && k->space.group_speed == 0)
        return way;
    double most = 2 * w->bodies.place[4 * (size_t)i + 3];
    return fmax(way, fmin(still_way(k, w, i, velocity) + k->sub.h * k->space.group_speed, most));
}

/* ---- pairs ---- */

// whether a body of radius r at x (in the carrier's coordinates) may touch a member; periodic axes have no box
static bool is_near(const ns_work *k, const ns_carrier *f, vec3 x, double r, double way)
{
    double reach = (1 + k->set.near) * r + k->space.radius_max + k->set.margin + way;
    for (int d = 0; d < 3; d++) {
        double at = (&x.x)[d];
        if (k->space.tiles.length[d] == 0 && (at < (&f->low.x)[d] - reach || at > (&f->high.x)[d] + reach))
            return false;
    }
    return true;
}

// of two that look around, the one that gets further finds
static bool finds(const ns_work *k, uint32_t i, uint32_t j)
{
    if (!is_awake(k, j)) return true;
    return k->space.way[i] == k->space.way[j] ? i < j : k->space.way[i] > k->space.way[j];
}

static bool near_of(const ns_work *k, ns_finder *f, int carrier, vec3 x, double r, size_t *count)
{
    while ((*count = scr_tiles_near(&k->space.tiles, carrier, x, r, f->near, scr_room_of(f->near))) >
           scr_room_of(f->near))
        if (!scr_reserve(&f->near, 2 * *count)) return false;
    return true;
}

bool scr_ns_near(ns_work *k, int carrier, vec3 x, double r, size_t *count)
{
    return near_of(k, &k->find.one, carrier, x, r, count);
}

bool scr_ns_in_box(const scr_step *s, vec3 low, vec3 high, uint32_t *rows, size_t *count)
{
    const ns_work *k = s->work;
    const scr_world *w = s->world;
    const scr_tiles *tiles = &k->space.tiles;
    size_t all = w->bodies.table.count, n;
    // images and what turns as it likes are left to others
    if (w->domain.periodic[0] || w->domain.periodic[1] || w->domain.periodic[2] || w->part_count) return false;
    vec3 middle = v3_scale(0.5, v3_add(low, high)), half = v3_scale(0.5, v3_sub(high, low));
    n = scr_tiles_in_box(tiles, SCR_CARRIER_NONE, middle, half, rows, all);
    for (int f = SCR_CARRIER_REST + 1; f < k->space.carrier_count && n <= all; f++) {
        if (!k->space.carriers[f].members) continue;
        pose now = scr_wall_frame(&w->walls[k->space.carriers[f].wall], w->clock.time);
        double far = v3_norm(half), more = 0.01 * k->space.radius_min; // for what times are rounded
        vec3 reach = v3_add(now.turned ? v3(far, far, far) : half, v3(more, more, more));
        n += scr_tiles_in_box(tiles, f, pose_point_back(&now, middle), reach, rows + n, all - n);
    }
    for (size_t i = k->space.placed; i < all && n < all; i++) rows[n++] = (uint32_t)i;
    if (n <= all) *count = n;
    return n <= all;
}

static bool add_pair(const scr_world *w, ns_finder *f, uint32_t i, uint32_t j)
{
    const scr_bodies *b = &w->bodies;
    if (i == j || scr_world_apart(w, b->group[i], b->group[j])) return true;
    if (b->carrier[i] && b->carrier[i] == b->carrier[j]) return true; // a clump
    // parts find now more, now less
    if (f->key_count == scr_room_of(f->keys) && !scr_reserve(&f->keys, 2 * f->key_count + 64)) return false;
    f->keys[f->key_count++] = ns_key(i, j);
    return true;
}

// rows of a carrier around body i, whose surfaces are nearer to its centre than r
static bool look_around(const ns_work *k, const scr_world *w, ns_finder *f, uint32_t i, int carrier, vec3 at, double r)
{
    const scr_bodies *b = &w->bodies;
    const double *x = b->place + 4 * (size_t)i;
    const scr_images *images = &k->space.images;
    size_t n;
    if (!near_of(k, f, carrier, at, r, &n)) return false;
    for (size_t m = 0; m < n; m++) {
        uint32_t j = f->near[m];
        const double *y = b->place + 4 * (size_t)j;
        double d2 = 0, most = (r + y[3]) * (1 + 1e-9);
        for (int d = 0; d < 3; d++) {
            double gap = scr_nearest_image(images, d, y[d] - x[d]);
            d2 += gap * gap;
        }
        // what it finds is not further away than it looks
        if (d2 >= most * most || j == i || !finds(k, i, j)) continue;
        double reach = x[3] + y[3] + margin_of(k, w, i, j, false);
        if (d2 < reach * reach && !add_pair(w, f, i, j)) return false;
    }
    return true;
}

// how far body i looks for the surfaces of those that are free
static double look_of(const ns_work *k, const scr_world *w, uint32_t i)
{
    double r = w->bodies.place[4 * (size_t)i + 3];
    return r + k->set.margin + k->set.near * r + way_of(k, w, i, SCR_CARRIER_NONE, v3(0, 0, 0));
}

// whether the cells next to its own hold all of them
static bool is_slow(const ns_work *k, const scr_world *w, uint32_t i)
{
    return look_of(k, w, i) + k->space.tiles.levels[0].reach <= k->find.edge;
}

/* Rows of a tile's region in single precision, from its middle: four arrays of `stride`. */
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t four_words __attribute__((vector_size(16)));
typedef struct {
    const float *x, *y, *z, *reach; /* reach: radius and way, a little more */
} region;

static region region_of(const ns_finder *f)
{
    size_t stride = scr_room_of(f->region) / 4;
    return (region){f->region, f->region + stride, f->region + 2 * stride, f->region + 3 * stride};
}

static bool load_region(const ns_work *k, const scr_world *w, ns_finder *f, uint32_t tile, uint32_t *start)
{
    // for what single precision cannot tell: of reach, and of the way from the middle, which is long beyond the last
    // cells
    const double slack = 1 + 1e-4, rounding = 0x1p-22;
    const scr_images *images = &k->space.images;
    vec3 middle = scr_tile_middle(&k->space.tiles, tile);
    size_t count;
    while ((count = scr_tiles_region(&k->space.tiles, tile, start, f->near, scr_room_of(f->near))) >
           scr_room_of(f->near))
        if (!scr_reserve(&f->near, 2 * count)) return false;
    if (4 * (count + 4) > scr_room_of(f->region) && !scr_reserve(&f->region, 8 * (count + 4))) return false;
    region r = region_of(f);
    float *to[3] = {(float *)r.x, (float *)r.y, (float *)r.z}, *reach = (float *)r.reach;
    for (size_t n = 0; n < count; n++) {
        const double *x = w->bodies.place + 4 * (size_t)f->near[n];
        double far = 0;
        if (n + NS_AHEAD < count) __builtin_prefetch(w->bodies.place + 4 * (size_t)f->near[n + NS_AHEAD]);
        for (int d = 0; d < 3; d++) {
            double at = scr_nearest_image(images, d, x[d] - (&middle.x)[d]);
            to[d][n] = (float)at;
            far += fabs(at);
        }
        reach[n] = (float)((x[3] + k->space.way[f->near[n]]) * slack + rounding * far);
    }
    return true;
}

// whether two are to be looked at, of which both are free, or j rests
static bool meets(const ns_work *k, const scr_world *w, const scr_images *images, uint32_t i, uint32_t j)
{
    const double *x = w->bodies.place + 4 * (size_t)i, *y = w->bodies.place + 4 * (size_t)j;
    double d2 = 0, reach = x[3] + y[3] + margin_of(k, w, i, j, k->find.half);
    for (int d = 0; d < 3; d++) {
        double gap = scr_nearest_image(images, d, y[d] - x[d]);
        d2 += gap * gap;
    }
    return d2 < reach * reach;
}

static inline unsigned bits_of(four_words mask)
{
    uint64_t half[2];
    mask &= (four_words){1, 2, 4, 8};
    memcpy(half, &mask, sizeof half);
    half[0] |= half[1];
    return (unsigned)(half[0] | half[0] >> 32);
}

/* Who looks, in all lanes. */
typedef struct {
    uint32_t row;
    four x, y, z, look; /* where it is; how far it looks at most, beyond the reach of others */
} looker;

static inline looker looker_of(const ns_work *k, const scr_world *w, const region *r, uint32_t n, uint32_t row)
{
    const four zero = {0};
    float look = (float)(look_of(k, w, row) * (1 + 1e-4));
    return (looker){row, r->x[n] + zero, r->y[n] + zero, r->z[n] + zero, look + zero};
}

// those of a range of a region that it finds
static inline bool look_at(const ns_work *k, const scr_world *w, const scr_images *images, ns_finder *f,
                           const region *r, const looker *l, uint32_t from, uint32_t to)
{
    for (; from < to; from += 4) {
        four x = *(const four *)(r->x + from) - l->x, y = *(const four *)(r->y + from) - l->y;
        four z = *(const four *)(r->z + from) - l->z, most = *(const four *)(r->reach + from) + l->look;
        four_words near = x * x + y * y + z * z < most * most;
        unsigned bits = bits_of(near) & (to - from < 4 ? (1u << (to - from)) - 1 : 15);
        for (; bits; bits &= bits - 1) {
            uint32_t i = l->row, j = f->near[from + (uint32_t)__builtin_ctz(bits)];
            if (!k->find.half && !finds(k, i, j)) continue;
            if (meets(k, w, images, i, j) && !add_pair(w, f, i, j)) return false;
        }
    }
    return true;
}

// pairs of the slow ones of a tile with what is next to them, among what is free and what rests
static bool look_in_tile(const ns_work *k, const scr_world *w, ns_finder *f, uint32_t tile)
{
    // of cells along x, around the one in the middle
    enum { UP = SCR_REGION_AXIS };
    static const int lines[9] = {-UP - 1, -UP, -UP + 1, -1, 0, 1, UP - 1, UP, UP + 1};
    const scr_images *images = &k->space.images;
    uint32_t start[SCR_REGION_CELLS + 1];
    if (!load_region(k, w, f, tile, start)) return false;
    const region r = region_of(f);
    for (int own = 0; own < 64; own++) {
        int x = own % 4 + 1, y = own / 4 % 4 + 1, z = own / 16 + 1;
        int cell = (z * SCR_REGION_AXIS + y) * SCR_REGION_AXIS + x;
        for (uint32_t n = start[cell]; n < start[cell + 1]; n++) {
            uint32_t i = f->near[n];
            if (!is_awake(k, i) || (!k->find.half && !is_slow(k, w, i))) continue;
            looker l = looker_of(k, w, &r, n, i);
            for (int side = k->find.half ? 4 : 0; side < 9; side++) {
                int row = cell + SCR_REGION_AXIS * lines[side];
                uint32_t from = k->find.half && side == 4 ? n + 1 : start[row - 1];
                if (!look_at(k, w, images, f, &r, &l, from, start[row + 2])) return false;
            }
        }
    }
    return true;
}

static bool look_at_carriers(const ns_work *k, const scr_world *w, ns_finder *f, uint32_t i)
{
    const double *place = w->bodies.place + 4 * (size_t)i;
    vec3 x = v3_load(place);
    bool by_tile = f != &k->find.one && k->find.by_tiles && is_slow(k, w, i);
    if (!by_tile && !look_around(k, w, f, i, SCR_CARRIER_NONE, x, look_of(k, w, i))) return false;
    for (int n = SCR_CARRIER_REST + 1; n < k->space.carrier_count; n++) {
        if (!k->space.carriers[n].members || n == w->bodies.carrier[i]) continue;
        vec3 at = pose_point_back(&k->space.carriers[n].now, x);
        double way = way_of(k, w, i, n, scr_ns_carrier_velocity(&k->space.carriers[n], x));
        double look = place[3] + k->set.margin + k->set.near * place[3] + way;
        if (is_near(k, &k->space.carriers[n], at, place[3], way) && !look_around(k, w, f, i, n, at, look)) return false;
    }
    return true;
}

/* ---- walls ---- */

// whether a contact of a member with a wall matters: one of them is a part's, or the wall moves as prescribed, and
// the member does not move with it
static bool concerns(const scr_world *w, uint32_t i, uint32_t face)
{
    int carrier = ns_carrier_of_wall(w, w->faces[face].wall);
    return carrier != w->bodies.carrier[i] && (carrier != SCR_CARRIER_REST || ns_rigid(w, i) >= 0);
}

vec3 scr_ns_velocity_of_wall(const ns_work *k, const scr_world *w, int wall, vec3 x)
{
    return scr_ns_carrier_velocity(&k->space.carriers[ns_carrier_of_wall(w, wall)], x);
}

// the largest speed of walls against a body
static double speed_to_walls(const ns_work *k, const scr_world *w, vec3 x, vec3 v)
{
    double most = v3_dot(v, v);
    for (int m = 0; k->find.walls_move && m < w->wall_count; m++) {
        if (!w->walls[m].active || scr_wall_rests(&w->walls[m])) continue;
        vec3 u = v3_sub(v, scr_ns_velocity_of_wall(k, w, m, x));
        most = fmax(most, v3_dot(u, u));
    }
    return sqrt(most);
}

// to the first impulse that body i had at a face. Rows of a part ascend, mostly the way is short; who searches alone
// comes in any order
static void seek(const ns_work *k, ns_finder *f, uint32_t i)
{
    enum { SHORT = 32 };
    const ns_memory *all = k->contacts.memory;
    uint64_t first = ns_key(i, NS_WALL);
    size_t n = k->contacts.memory_count;
    bool far = f == &k->find.one || f->past + SHORT >= n || all[f->past + SHORT].key < first;
    if (far) f->past = scr_ns_memory_from(k, first);
    while (f->past < n && all[f->past].key < first) f->past++;
}

static const ns_memory *recall(const ns_work *k, const ns_finder *f, uint32_t i, uint32_t face)
{
    const ns_memory *at = k->contacts.memory + f->past, *end = k->contacts.memory + k->contacts.memory_count;
    uint64_t key = ns_key(i, NS_WALL | face);
    while (at < end && at->key < key) at++;
    return at < end && at->key == key ? at : NULL;
}

// pairs of body i with the faces around it, with the histories they have
static void list_faces(const ns_work *k, const scr_world *w, ns_finder *f, uint32_t i)
{
    scr_wall_pairs *p = &f->pairs;
    seek(k, f, i);
    for (size_t m = 0; m < f->faces.count; m++) {
        uint32_t face = f->faces.found[m].face;
        const ns_memory *had = recall(k, f, i, face);
        double *history = p->history + 4 * m, *wide = p->wide + 8 * m;
        memset(history, 0, 4 * sizeof *history);
        memset(wide, 0, 8 * sizeof *wide);
        p->body[m] = i;
        p->face[m] = face;
        p->gap[m] = -INFINITY; // none may be skipped
        p->law[m] = (uint16_t)(w->bodies.material[i] * w->material_count + w->faces[face].material);
        if ((p->touch[m] = had != NULL)) {
            v3_store(history, had->lt);
            history[3] = had->ln;
            v3_store(wide, had->lr);
        }
    }
}

// in the order of keys, among those of its body
static bool add_wall(ns_finder *f, size_t first, const ns_on_wall *on)
{
    if (f->wall_count == scr_room_of(f->walls) && !scr_reserve(&f->walls, 2 * f->wall_count + 16)) return false;
    size_t at = f->wall_count++;
    for (; at > first && f->walls[at - 1].start.key > on->start.key; at--) f->walls[at] = f->walls[at - 1];
    f->walls[at] = *on;
    return true;
}

static bool find_walls(const ns_work *k, const scr_world *w, ns_finder *f, uint32_t i)
{
    bool member = scr_ns_is_member(w, i) && !ns_in_clump(w, i);
    const double *x = w->bodies.place + 4 * (size_t)i;
    vec3 v = v3_load(w->bodies.motion + 4 * (size_t)i), at = v3_load(x);
    double base = k->set.margin + (member ? 0 : k->set.near * x[3]), most = 2 * x[3];
    double ahead = k->set.ahead ? k->sub.h : 0;
    double margin = ahead * speed_to_walls(k, w, at, v);
    if (margin > most) margin = most;
    margin = base + (margin > k->space.way[i] ? margin : k->space.way[i]);
    f->faces.count = 0;
    if (!scr_walls_search(&f->faces, &f->pairs, w, i, x, margin + 0.02 * x[3])) return false;
    if (!f->faces.count) return true;
    if (!scr_wall_pairs_reserve(&f->pairs, f->faces.count, true)) return false;
    list_faces(k, w, f, i);
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    scr_touch_options options = {.far_arm = true, .margin = margin};
    int count = scr_touches_find(w, &f->pairs, 0, (uint32_t)f->faces.count, options, touches);
    size_t first = f->wall_count;
    for (int m = 0; m < count; m++) {
        const scr_touch *t = &touches[m];
        uint32_t face = f->pairs.face[t->pair];
        // what comes towards the wall, or the wall to it, or may be pushed there
        double closing = -v3_dot(v, t->normal), way = k->space.way[i];
        if (k->find.walls_move) closing += v3_dot(scr_ns_velocity_of_wall(k, w, w->faces[face].wall, at), t->normal);
        if (ahead * closing > way) way = ahead * closing < most ? ahead * closing : most;
        if (!(t->overlap > -(base + way))) continue;
        if (member && !concerns(w, i, face)) continue;
        const double *history = f->pairs.history + 4 * (size_t)t->pair;
        ns_on_wall on = {.start = {.key = ns_key(i, NS_WALL | face),
                                   .ln = history[3],
                                   .lt = v3_load(history),
                                   .lr = v3_load(f->pairs.wide + 8 * (size_t)t->pair)},
                         .normal = v3_scale(-1, t->normal),
                         .overlap = t->overlap};
        if (!add_wall(f, first, &on)) return false;
    }
    return true;
}

bool scr_ns_find_walls(ns_work *k, scr_world *w, uint32_t i)
{
    return find_walls(k, w, &k->find.one, i);
}

/* ---- all of them ---- */

static bool look(const ns_work *k, const scr_world *w, ns_finder *f, uint32_t i)
{
    return look_at_carriers(k, w, f, i) && (!w->wall_count || find_walls(k, w, f, i));
}

bool scr_ns_look(ns_work *k, scr_world *w, uint32_t i)
{
    return look(k, w, &k->find.one, i);
}

typedef struct {
    ns_work *k;
    const scr_world *w;
    size_t each; /* rows of a part */
} looking;

static void look_part(void *context, size_t part)
{
    const looking *l = context;
    ns_finder *f = &l->k->find.of[part];
    size_t from = part * l->each, to = from + l->each;
    if (to > l->k->find.row_count) to = l->k->find.row_count;
    for (size_t n = from; n < to && !f->failed; n++) f->failed = !look(l->k, l->w, f, l->k->find.rows[n]);
}

static void look_part_by_tiles(void *context, size_t part)
{
    const looking *l = context;
    const scr_tiles *tiles = &l->k->space.tiles;
    ns_finder *f = &l->k->find.of[part];
    size_t to = tiles->tile_count * (part + 1) / NS_PARTS;
    for (size_t tile = tiles->tile_count * part / NS_PARTS; tile < to && !f->failed; tile++)
        if (scr_tile_carrier(tiles, (uint32_t)tile) == SCR_CARRIER_NONE && !scr_tile_is_empty(tiles, (uint32_t)tile))
            f->failed = !look_in_tile(l->k, l->w, f, (uint32_t)tile);
}

// groups that move as prescribed, for the members of aggregates that they run into
static bool look_from_groups(ns_work *k, const scr_world *w)
{
    for (int g = 0; g < w->group_count; g++) {
        if (!w->groups[g].drive.moves) continue;
        for (uint32_t i = 0; i < w->bodies.table.count; i++)
            if (w->bodies.group[i] == g && !look_at_carriers(k, w, &k->find.one, i)) return false;
    }
    return true;
}

static bool walls_move(const scr_world *w)
{
    bool some = false;
    for (int m = 0; m < w->wall_count; m++) some |= w->walls[m].active && !scr_wall_rests(&w->walls[m]);
    return some;
}

static void empty(ns_finder *f)
{
    f->key_count = f->wall_count = f->past = 0;
    f->failed = false;
}

scree_status scr_ns_find(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    scr_ns_measure_ways(k, w, true);
    size_t rows = k->find.row_count, each = (rows + NS_PARTS - 1) / NS_PARTS;
    if (each < FEW_ROWS) each = FEW_ROWS;
    for (int n = 0; n < NS_PARTS; n++) empty(&k->find.of[n]);
    empty(&k->find.one);
    // where most of those in the cells of what is free are awake, and of one size, they need not look one by one
    size_t there = w->bodies.table.count;
    for (int n = SCR_CARRIER_REST + 1; n < k->space.carrier_count; n++) there -= k->space.carriers[n].members;
    k->find.by_tiles = scr_tiles_are_plain(&k->space.tiles) && 2 * rows > there;
    k->find.half = rows == there;
    k->find.walls_move = walls_move(w);
    k->find.edge = scr_tiles_edge(&k->space.tiles, 0);
    looking l = {k, w, each};
    scr_each((rows + each - 1) / each, NULL, look_part, &l);
    if (k->find.by_tiles) ns_each(rows, NS_PARTS, NULL, look_part_by_tiles, &l);
    bool ok = true;
    for (int n = 0; n < NS_PARTS; n++) ok &= !k->find.of[n].failed;
    if (ok && k->growth.frozen.count)
        ok = scr_ns_look_from_walls(k, w) && scr_ns_loads_look(k, w) && look_from_groups(k, w);
    return ok ? SCREE_OK : scr_no_memory(report, "contacts");
}

/* ---- into order ---- */

// contacts with walls in the order of keys, each once: the one found last, when its body split off
static bool sort_walls(ns_work *k)
{
    ns_find_set *all = &k->find;
    size_t n = 0;
    bool sorted = true;
    for (int m = 0; m <= NS_PARTS; m++) n += m < NS_PARTS ? all->of[m].wall_count : all->one.wall_count;
    if (!scr_reserve(&all->walls, n)) return false;
    n = 0;
    for (int m = 0; m <= NS_PARTS; m++) {
        const ns_finder *f = m < NS_PARTS ? &all->of[m] : &all->one;
        for (size_t i = 0; i < f->wall_count; i++) {
            sorted &= !n || all->walls[n - 1].start.key < f->walls[i].start.key;
            all->walls[n++] = f->walls[i];
        }
    }
    all->wall_count = n;
    if (sorted) return true;
    if (!scr_sort(&k->contacts.sorter, all->walls, n, sizeof *all->walls, scr_by_u64)) return false;
    all->wall_count = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || all->walls[i + 1].start.key != all->walls[i].start.key)
            all->walls[all->wall_count++] = all->walls[i];
    return true;
}

static ns_finder *finder_of(ns_find_set *all, size_t part)
{
    return part < NS_PARTS ? &all->of[part] : &all->one;
}

static void count_keys(void *context, size_t part)
{
    ns_find_set *all = context;
    ns_finder *f = finder_of(all, part);
    if (f->key_count) memset(f->first, 0, sizeof f->first);
    for (size_t n = 0; n < f->key_count; n++) f->first[f->keys[n] >> 32 >> all->shift]++;
}

static void put_keys(void *context, size_t part)
{
    ns_find_set *all = context;
    ns_finder *f = finder_of(all, part);
    for (size_t n = 0; n < f->key_count; n++) all->keys[f->first[f->keys[n] >> 32 >> all->shift]++] = f->keys[n];
}

static void insert_sorted(uint64_t *keys, size_t count)
{
    for (size_t n = 1; n < count; n++) {
        uint64_t key = keys[n];
        size_t at = n;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

// by the first body's row, counting; then the few of each row; each key once
static void sort_drawer(void *context, size_t drawer)
{
    ns_find_set *all = context;
    size_t rows = (size_t)1 << all->shift, from = all->first[drawer], count = all->first[drawer + 1] - from;
    uint64_t *keys = all->keys + from, *aside = all->aside + from;
    uint32_t *at = all->counts + drawer * (rows + 1);
    if (count * 4 < rows) {
        scr_sorter room = {(char *)aside, count * sizeof *keys};
        scr_sort(&room, keys, count, sizeof *keys, scr_by_u64);
    } else {
        memset(at, 0, (rows + 1) * sizeof *at);
        for (size_t n = 0; n < count; n++) at[(keys[n] >> 32 & (rows - 1)) + 1]++;
        for (size_t n = 0; n < rows; n++) at[n + 1] += at[n];
        for (size_t n = 0; n < count; n++) aside[at[keys[n] >> 32 & (rows - 1)]++] = keys[n];
        for (size_t n = 0; n < rows; n++) insert_sorted(aside + (n ? at[n - 1] : 0), at[n] - (n ? at[n - 1] : 0));
        memcpy(keys, aside, count * sizeof *keys);
    }
    uint32_t kept = 0;
    for (size_t n = 0; n < count; n++)
        if (!n || keys[n] != keys[n - 1]) keys[kept++] = keys[n];
    all->count[drawer] = kept;
}

bool scr_ns_sort_found(ns_work *k, const scr_world *w)
{
    enum { LEAST = 9 }; // 1 << that many rows in a drawer
    ns_find_set *all = &k->find;
    size_t rows = w->bodies.table.count, keys = 0;
    for (all->shift = LEAST; rows >> all->shift >= NS_PARTS; all->shift++) continue;
    all->drawers = (int)(rows >> all->shift) + 1;
    ns_finder *with[NS_PARTS + 1]; // those that have found some
    size_t finders = 0;
    for (size_t n = 0; n <= NS_PARTS; n++) {
        ns_finder *f = finder_of(all, n);
        if (f->key_count) with[finders++] = f;
        keys += f->key_count;
    }
    if (!sort_walls(k) ||
        !scr_reserve_each(SCR_ROOM(all->keys, keys), SCR_ROOM(all->aside, keys),
                          SCR_ROOM(all->counts, (size_t)all->drawers * (((size_t)1 << all->shift) + 1))))
        return false;
    ns_each(keys, NS_PARTS + 1, NULL, count_keys, all);
    uint32_t at = 0;
    for (int d = 0; d < all->drawers; d++) {
        all->first[d] = at;
        for (size_t n = 0; n < finders; n++) {
            uint32_t *first = &with[n]->first[d], count = *first;
            *first = at;
            at += count;
        }
    }
    all->first[all->drawers] = at;
    ns_each(keys, NS_PARTS + 1, NULL, put_keys, all);
    ns_each(keys, (size_t)all->drawers, all->first, sort_drawer, all);
    return true;
}
