#include "collide/cell_pairs.h"

#include <string.h>

#include "base/buffer.h"
#include "base/sort.h"
#include "comm/share.h"

#define MARGIN 0.2  /* of the smallest radius */
#define SHARP  0.98 /* cosine of the angle from which on two triangles meet in an edge that sticks out */

typedef struct scr_finding {
    scr_sorter sorter;
} finding;

static void list_deinit(scr_near_list *l)
{
    scr_free_all(l->owner, l->first, l->items);
}

void scr_cell_pairs_deinit(scr_cell_pairs *p)
{
    scr_hulls_deinit(&p->hulls);
    list_deinit(&p->grains), list_deinit(&p->walls), list_deinit(&p->cells);
    scr_memory_free(p->sharp), scr_memory_free(p->wall_pose), scr_memory_free(p->wall_active);
    scr_free_all(p->grain_place, p->hull_place, p->found, p->near, p->by_id);
    scr_tiles_deinit(&p->tiles);
    if (p->sorter) scr_memory_free(p->sorter->sorter.room);
    scr_memory_free(p->sorter);
    *p = (scr_cell_pairs){0};
}

/* ---- edges of walls that stick out ---- */

static bool same_point(vec3 a, vec3 b, double size)
{
    return v3_norm(v3_sub(a, b)) <= 1e-9 * size;
}

/* An edge of two triangles of a wall that are nearly in one plane is none. Quadratic in the triangles of a wall, so
 * only among those that a search of the tree finds. */
typedef struct {
    const scr_face *faces;
    uint32_t self;
    vec3 a, b;
    double size;
    bool flat;
} edge_search;

static bool look_at(void *context, uint32_t number)
{
    edge_search *s = context;
    const scr_face *f = &s->faces[number];
    if (number == s->self || f->kind != SCR_FACE_TRIANGLE) return true;
    vec3 c[3] = {f->point, v3_add(f->point, f->edge[0]), v3_add(f->point, f->edge[1])};
    int met = 0;
    for (int k = 0; k < 3; k++) met += same_point(c[k], s->a, s->size) + same_point(c[k], s->b, s->size);
    if (met == 2 && fabs(v3_dot(f->axis, s->faces[s->self].axis)) > SHARP) s->flat = true;
    return !s->flat;
}

static bool find_sharp(scr_cell_pairs *p, const scr_world *w, const scr_wall_extent *extents)
{
    if (p->sharp) return true;
    p->sharp = scr_memory_new((size_t)w->face_count + 1, sizeof *p->sharp);
    if (!p->sharp) return false;
    for (int k = 0; k < w->face_count; k++) {
        const scr_face *f = &w->faces[k];
        const scr_wall *wall = &w->walls[f->wall];
        if (f->kind != SCR_FACE_TRIANGLE) continue;
        vec3 c[3] = {f->point, v3_add(f->point, f->edge[0]), v3_add(f->point, f->edge[1])};
        for (int e = 0; e < 3; e++) {
            edge_search s = {.faces = w->faces + wall->first_face,
                             .self = (uint32_t)(k - wall->first_face),
                             .a = c[e],
                             .b = c[(e + 1) % 3]};
            s.size = v3_norm(v3_sub(s.a, s.b));
            const scr_face_tree *tree = &extents[f->wall].tree;
            if (tree->nodes)
                scr_face_tree_search(tree, v3_scale(0.5, v3_add(s.a, s.b)), 1e-6 * s.size, look_at, &s);
            else
                for (int n = 0; n < wall->face_count && !s.flat; n++) look_at(&s, (uint32_t)n);
            if (!s.flat) p->sharp[k] |= (uint8_t)(1 << e);
        }
    }
    return true;
}

/* ---- pairs by number ---- */

static bool add_found(scr_cell_pairs *p, uint32_t owner, uint32_t item)
{
    return scr_push(p->found, p->found_count, (uint64_t)owner << 32 | item);
}

// what was found, sorted, as rows of owners
static bool to_list(scr_cell_pairs *p, scr_near_list *l)
{
    size_t n = p->found_count;
    if (!scr_sort(&p->sorter->sorter, p->found, n, sizeof *p->found, scr_by_u64) || !scr_reserve(&l->owner, n + 1) ||
        !scr_reserve(&l->first, n + 1) || !scr_reserve(&l->items, n + 1))
        return false;
    l->count = 0, l->item_count = n;
    for (size_t k = 0; k < n; k++) {
        uint32_t owner = (uint32_t)(p->found[k] >> 32);
        if (l->count == 0 || l->owner[l->count - 1] != owner) {
            l->first[l->count] = (uint32_t)k;
            l->owner[l->count++] = owner;
        }
        l->items[k] = (uint32_t)p->found[k];
    }
    l->first[l->count] = (uint32_t)n;
    p->found_count = 0;
    return true;
}

/* ---- grains and cells ---- */

/* Hulls are in the grid as rows 0 to count - 1, grains after them. */
static bool fill_grid(scr_cell_pairs *p, const scr_world *w)
{
    const scr_hulls *h = &p->hulls;
    const scr_bodies *b = &w->bodies;
    double least = h->least, most = h->most;
    vec3 lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < h->count; k++) {
        vec3 x = v3_load(p->hull_place + 4 * k);
        lower = v3(fmin(lower.x, x.x), fmin(lower.y, x.y), fmin(lower.z, x.z));
        upper = v3(fmax(upper.x, x.x), fmax(upper.y, x.y), fmax(upper.z, x.z));
    }
    for (size_t i = 0; i < b->table.count; i++) {
        least = fmin(least, b->place[4 * i + 3]), most = fmax(most, b->place[4 * i + 3]);
    }
    if (!scr_tiles_init(&p->tiles, &w->domain, least, most) || !scr_tiles_reserve(&p->tiles, h->count + b->table.count))
        return false;
    for (size_t k = 0; k < h->count; k++)
        if (!scr_tiles_enter(&p->tiles, (uint32_t)k, 0, v3_load(p->hull_place + 4 * k), h->shape[k].radius))
            return false;
    bool round = w->domain.periodic[0] || w->domain.periodic[1] || w->domain.periodic[2];
    for (size_t i = 0; i < b->table.count; i++) {
        const double *x = b->place + 4 * i;
        double r = x[3] + h->most + p->reach;
        bool inside = x[0] > lower.x - r && x[0] < upper.x + r && x[1] > lower.y - r && x[1] < upper.y + r &&
                      x[2] > lower.z - r && x[2] < upper.z + r;
        if ((inside || round) && !scr_tiles_enter(&p->tiles, (uint32_t)(h->count + i), 0, v3_load(x), x[3]))
            return false;
    }
    return true;
}

static bool near_enough(const scr_cell_pairs *p, const double *a, const double *b, double reach)
{
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = scr_nearest_image(&p->images, k, a[k] - b[k]);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach;
}

static bool search(scr_cell_pairs *p, size_t hull, size_t *count)
{
    vec3 x = v3_load(p->hull_place + 4 * hull);
    double r = p->hulls.shape[hull].radius + p->reach;
    while ((*count = scr_tiles_near(&p->tiles, 0, x, r, p->near, scr_room_of(p->near))) > scr_room_of(p->near))
        if (!scr_reserve(&p->near, *count)) return false;
    return true;
}

static bool is_own(const scr_world *w, const scr_hulls *h, size_t hull)
{
    return scr_share_owns_cell(w->share, (size_t)h->cell[hull]);
}

// partners of all hulls that are grains, or cells; on a rank that which some of its cells take part in
static bool find_near(scr_cell_pairs *p, const scr_world *w, bool grains)
{
    const scr_hulls *h = &p->hulls;
    for (size_t k = 0; k < h->count; k++) {
        size_t count;
        const double *x = p->hull_place + 4 * k;
        if (!search(p, k, &count)) return false;
        for (size_t n = 0; n < count; n++) {
            size_t row = p->near[n];
            bool grain = row >= h->count;
            if (grain != grains || (!grain && row <= k)) continue;
            const double *y = grain ? w->bodies.place + 4 * (row - h->count) : p->hull_place + 4 * row;
            double radius = grain ? y[3] : h->shape[row].radius;
            if (!near_enough(p, x, y, h->shape[k].radius + radius + p->reach)) continue;
            if (grain ? !add_found(p, (uint32_t)(row - h->count), (uint32_t)k)
                      : (is_own(w, h, k) || is_own(w, h, row)) && scr_hulls_may_touch(h, w, k, row) &&
                            !add_found(p, (uint32_t)k, (uint32_t)row))
                return false;
        }
    }
    return true;
}

// a rank has the grains that are its own or near its own cells
static void drop_strangers(scr_cell_pairs *p, const scr_world *w)
{
    scr_near_list *l = &p->grains;
    size_t groups = 0, items = 0;
    for (size_t k = 0; w->share && k < l->count; k++) {
        uint32_t from = l->first[k], to = l->first[k + 1];
        bool here = l->owner[k] >= w->bodies.low && l->owner[k] < scr_bodies_end(&w->bodies);
        for (uint32_t n = from; n < to && !here; n++) here = is_own(w, &p->hulls, l->items[n]);
        if (!here) continue;
        l->owner[groups] = l->owner[k], l->first[groups++] = (uint32_t)items;
        for (uint32_t n = from; n < to; n++) l->items[items++] = l->items[n];
    }
    if (w->share) l->first[groups] = (uint32_t)items, l->count = groups, l->item_count = items;
}

// rows of grains may be in any order, their ids are for life
static bool rank_grains(scr_cell_pairs *p, const scr_world *w)
{
    const scr_near_list *l = &p->grains;
    if (!scr_reserve(&p->by_id, l->count + 1)) return false;
    for (size_t k = 0; k < l->count; k++)
        p->by_id[k] = (struct scr_ranked){(uint64_t)w->bodies.id[l->owner[k]], (uint32_t)k};
    return scr_sort(&p->sorter->sorter, p->by_id, l->count, sizeof *p->by_id, scr_by_u64);
}

/* ---- walls ---- */

typedef struct {
    scr_cell_pairs *pairs;
    const scr_face *faces;
    uint32_t hull, first_face;
    vec3 x;
    double reach;
} wall_search;

static bool add_face(void *context, uint32_t face)
{
    const wall_search *s = context;
    if (scr_face_nearest(&s->faces[face], s->x).distance >= s->reach) return true;
    return add_found(s->pairs, s->hull, s->first_face + face);
}

static bool find_walls(scr_cell_pairs *p, const scr_world *w, const scr_wall_extent *extents)
{
    for (size_t k = 0; k < p->hulls.count; k++)
        for (int n = 0; n < w->wall_count; n++) {
            const scr_wall *wall = &w->walls[n];
            if (!wall->active || !is_own(w, &p->hulls, k)) continue;
            wall_search s = {p,
                             w->faces + wall->first_face,
                             (uint32_t)k,
                             (uint32_t)wall->first_face,
                             pose_point_back(&wall->pose, v3_load(p->hull_place + 4 * k)),
                             p->hulls.shape[k].radius + p->reach};
            bool ok = true;
            if (extents[n].tree.nodes)
                ok = scr_face_tree_search(&extents[n].tree, s.x, s.reach, add_face, &s);
            else
                for (int f = 0; ok && f < wall->face_count; f++) ok = add_face(&s, (uint32_t)f);
            if (!ok) return false;
        }
    return true;
}

/* ---- the whole ---- */

/* How far cohesion reaches, with the largest body on any rank. All ranks ask together. */
static double attraction(const scr_world *w, const scr_hulls *h)
{
    if (!(scr_world_range(w, 1) > 0)) return 0;
    double most = h->most;
    for (size_t i = 0; i < w->bodies.table.count; i++) most = fmax(most, w->bodies.place[4 * i + 3]);
    scr_share_most(w->share, &most, 1);
    return scr_world_range(w, most);
}

static double least_radius(const scr_world *w)
{
    double least = INFINITY;
    for (size_t i = 0; i < w->bodies.table.count; i++) least = fmin(least, w->bodies.place[4 * i + 3]);
    scr_share_least(w->share, &least, 1);
    return least;
}

bool scr_cell_pairs_tell(scr_cell_pairs *p, const scr_world *w, scree_report *report)
{
    scr_share *s = w->share;
    scr_hulls *h = &p->hulls;
    if (!h->count && scr_hulls_build(h, w, report)) return false;
    if (!scr_reserve(&s->extra, 4 * h->count + 4)) return false;
    double reach = MARGIN * h->least + attraction(w, h);
    s->touch_cells = true, s->extra_count = 0;
    for (size_t k = 0; k < h->count; k++) {
        if (!is_own(w, h, k)) continue;
        double *to = s->extra + 4 * s->extra_count++;
        v3_store(to, scr_hull_centre(w, h, k)), to[3] = h->shape[k].radius + reach;
    }
    return true;
}

static bool note_places(scr_cell_pairs *p, const scr_world *w)
{
    size_t hulls = p->hulls.count, grains = w->bodies.table.count;
    if (!p->sorter) p->sorter = scr_memory_new(1, sizeof *p->sorter);
    if (!p->wall_pose) p->wall_pose = scr_memory_new((size_t)w->wall_count + 1, sizeof *p->wall_pose);
    if (!p->wall_active) p->wall_active = scr_memory_new((size_t)w->wall_count + 1, sizeof *p->wall_active);
    if (!p->sorter || !p->wall_pose || !p->wall_active || !scr_reserve(&p->hull_place, 4 * hulls + 4) ||
        !scr_reserve(&p->grain_place, 4 * grains + 4))
        return false;
    for (size_t k = 0; k < hulls; k++) {
        // the centre of a hull is never farther from its cell's than this, however the cell turns
        double rest = 0.5 * p->margin - v3_norm(p->hulls.shape[k].centre);
        v3_store(p->hull_place + 4 * k, scr_hull_centre(w, &p->hulls, k));
        p->hull_place[4 * k + 3] = rest > 0 ? rest * rest : 0;
    }
    if (grains) memcpy(p->grain_place, w->bodies.place, 4 * grains * sizeof(double));
    p->grain_count = grains, p->rebuilds = w->clock.rebuilds;
    for (int k = 0; k < w->wall_count; k++) p->wall_pose[k] = w->walls[k].pose, p->wall_active[k] = w->walls[k].active;
    return true;
}

scree_status scr_cell_pairs_build(scr_cell_pairs *p, const scr_world *w, const scr_wall_extent *extents,
                                  scree_report *report)
{
    if (!p->hulls.count) {
        scree_status status = scr_hulls_build(&p->hulls, w, report);
        if (status) return status;
    }
    p->images = scr_images_of(&w->domain);
    double least = fmin(least_radius(w), p->hulls.least);
    p->margin = MARGIN * least;
    p->reach = p->margin + attraction(w, &p->hulls);
    bool ok = note_places(p, w) && find_sharp(p, w, extents) && fill_grid(p, w) && find_near(p, w, true) &&
              to_list(p, &p->grains) && (drop_strangers(p, w), true) && rank_grains(p, w) && find_near(p, w, false) &&
              to_list(p, &p->cells) && find_walls(p, w, extents) && to_list(p, &p->walls);
    return ok ? SCREE_OK : scr_no_memory(report, "contacts of cells");
}

static bool strayed(const double *x, const double *y, double slack2)
{
    double a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2];
    return !(a * a + b * b + c * c <= slack2); // not a number has strayed too
}

bool scr_cell_pairs_stale(const scr_cell_pairs *p, const scr_world *w, const scr_wall_extent *extents)
{
    double slack2 = 0.25 * p->margin * p->margin;
    if (p->rebuilds != w->clock.rebuilds || p->grain_count != w->bodies.table.count) return true;
    for (size_t k = 0; k < p->hulls.count; k++) {
        double x[3];
        if (!is_own(w, &p->hulls, k)) continue;
        v3_store(x, scr_cell_centre(&w->cells, (size_t)p->hulls.cell[k]));
        if (!strayed(x, p->hull_place + 4 * k, p->hull_place[4 * k + 3])) continue; // mostly
        v3_store(x, scr_hull_centre(w, &p->hulls, k));
        if (strayed(x, p->hull_place + 4 * k, slack2)) return true;
    }
    for (size_t i = 0; i < p->grain_count; i++)
        if (strayed(w->bodies.place + 4 * i, p->grain_place + 4 * i, slack2)) return true;
    for (int k = 0; k < w->wall_count; k++) {
        scr_wall wall = w->walls[k];
        if (wall.active != p->wall_active[k]) return true;
        wall.anchor = p->wall_pose[k];
        if (scr_wall_strayed2(&wall, extents[k].lower, extents[k].upper) > slack2) return true;
    }
    return false;
}
