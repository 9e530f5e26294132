#include "collide/wall_pairs.h"

#include <math.h>

#include "base/buffer.h"
#include "collide/pairs.h"

#define FEW_FACES 8 /* a tree costs more than it saves */

void scr_wall_pairs_deinit(scr_wall_pairs *p)
{
    scr_free_all(p->body, p->face, p->law, p->gap, p->touch, p->history, p->wide, p->record);
    for (int k = 0; k < p->extent_count; k++) scr_face_tree_deinit(&p->extents[k].tree);
    scr_memory_free(p->extents);
    *p = (scr_wall_pairs){0};
}

#define RESERVE(array, count, width) scr_reserve_kept(&(array), (width) * (count), 0)

bool scr_wall_pairs_reserve(scr_wall_pairs *p, size_t count, bool wide)
{
    return RESERVE(p->body, count, 1) && RESERVE(p->face, count, 1) && RESERVE(p->law, count, 1) &&
           RESERVE(p->touch, count, 1) && RESERVE(p->history, count, 4) && RESERVE(p->gap, count, 1) &&
           (!wide || RESERVE(p->wide, count, 8));
}

/* ---- extents ---- */

static bool measure(const scr_world *w, const scr_wall *wall, scr_wall_extent *e)
{
    *e = (scr_wall_extent){0};
    e->endless = scr_world_wall_box(w, wall, &e->lower, &e->upper);
    return wall->face_count <= FEW_FACES || e->endless ||
           scr_face_tree_build(&e->tree, w->faces + wall->first_face, (uint32_t)wall->face_count);
}

bool scr_wall_pairs_prepare(scr_wall_pairs *p, const scr_world *w)
{
    if (p->extents) return true;
    p->extents = scr_memory_new((size_t)w->wall_count + 1, sizeof *p->extents);
    if (!p->extents) return false;
    for (; p->extent_count < w->wall_count; p->extent_count++)
        if (!measure(w, &w->walls[p->extent_count], &p->extents[p->extent_count])) return false;
    return true;
}

/* ---- search ---- */

/* What is looked for: faces of a wall near a point of its frame. */
typedef struct {
    scr_wall_finder *finder;
    const scr_face *faces; /* of the wall */
    uint32_t body, first_face;
    vec3 x;
    double reach, radius;
} search;

// most bodies are far from most planes
static inline bool is_beyond(const scr_face *face, vec3 x, double reach)
{
    return face->kind == SCR_FACE_PLANE && v3_dot(v3_sub(x, face->point), face->axis) >= reach;
}

static bool add_if_near(void *context, uint32_t face)
{
    const search *s = context;
    scr_wall_finder *f = s->finder;
    double distance = scr_face_nearest(&s->faces[face], s->x).distance;
    if (distance >= s->reach) return true;
    if (f->count == scr_room_of(f->found) && !scr_reserve_kept(&f->found, f->count + 64 + f->count / 8, f->count))
        return false;
    // rounded down, so that nothing is missed
    double gap = distance - s->radius, slack = 1e-6 * (fabs(gap) + s->radius);
    f->found[f->count].body = s->body;
    f->found[f->count].face = s->first_face + face;
    f->found[f->count++].gap = (float)(gap - slack);
    return true;
}

// what was found from `first` on, in the order of faces
static void sort_faces(scr_wall_finder *f, size_t first)
{
    for (size_t k = first + 1; k < f->count; k++) {
        scr_wall_found one = f->found[k];
        size_t at = k;
        for (; at > first && f->found[at - 1].face > one.face; at--) f->found[at] = f->found[at - 1];
        f->found[at] = one;
    }
}

static bool is_within(const scr_wall_extent *e, vec3 x, double reach)
{
    return x.x > e->lower.x - reach && x.x < e->upper.x + reach && x.y > e->lower.y - reach &&
           x.y < e->upper.y + reach && x.z > e->lower.z - reach && x.z < e->upper.z + reach;
}

bool scr_walls_search(scr_wall_finder *f, const scr_wall_pairs *p, const scr_world *w, uint32_t i, const double *x,
                      double reach)
{
    if (w->bodies.motion[4 * (size_t)i + 3] == 0) return true;
    for (int k = 0; k < w->wall_count; k++) {
        const scr_wall *wall = &w->walls[k];
        const scr_wall_extent *e = &p->extents[k];
        if (!wall->active) continue;
        // the wall where it was when the bodies were anchored, so that a restart makes the same list
        vec3 at = pose_point_back(&wall->anchor, v3_load(x));
        const scr_face *faces = w->faces + wall->first_face;
        if (wall->face_count == 1 && is_beyond(faces, at, x[3] + reach)) continue;
        if (!e->endless && !is_within(e, at, x[3] + reach)) continue;
        search s = {.finder = f,
                    .faces = faces,
                    .body = i,
                    .first_face = (uint32_t)wall->first_face,
                    .x = at,
                    .reach = x[3] + reach,
                    .radius = x[3]};
        size_t before = f->count;
        bool ok = true;
        if (e->tree.nodes)
            ok = scr_face_tree_search(&e->tree, s.x, s.reach, add_if_near, &s);
        else
            for (int face = 0; face < wall->face_count && ok; face++)
                ok = is_beyond(&faces[face], at, s.reach) || add_if_near(&s, (uint32_t)face);
        if (!ok) return false;
        if (e->tree.nodes) sort_faces(f, before);
    }
    return true;
}

/* ---- the list ---- */

void scr_wall_pairs_place(scr_pairs *p, const scr_world *w, const scr_wall_finder *f, uint32_t first)
{
    scr_wall_pairs *q = &p->walls;
    for (size_t k = 0; k < f->count; k++) {
        size_t to = first + k;
        uint32_t i = f->found[k].body, face = f->found[k].face;
        q->gap[to] = f->found[k].gap;
        q->body[to] = i;
        q->face[to] = face;
        q->law[to] = (uint16_t)(w->bodies.material[i] * w->material_count + w->faces[face].material);
        q->touch[to] =
            scr_pairs_match(p, w, i, -1 - (int64_t)face, q->history + 4 * to, q->wide ? q->wide + 8 * to : NULL);
    }
}
