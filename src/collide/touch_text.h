/* The text of touch.c, and of what looks for contacts with walls on a device: with `touch_range` for scr_law_range. */
#ifndef SCREE_COLLIDE_TOUCH_TEXT_H
#define SCREE_COLLIDE_TOUCH_TEXT_H

#include <string.h>

#include "collide/touch.h"
#include "shape/face_text.h"

#define MOST_NEAR  256       /* faces of one body that are looked at: the deepest */
#define MOST_GROUP 8         /* faces that make one contact: the deepest */
#define SAME       1e-6      /* points nearer than this part of the radius are one */
#define SMOOTH     0.9396926 /* cosine of 20 degrees: contacts more alike are one */
#define PASSES     0.9       /* cosine within which a history passes on */

/* A face near the body. Points and normals are in the frame of its wall. */
typedef struct {
    uint32_t pair;
    const scr_face *face;
    const scr_wall *wall;
    scr_near near;
    vec3 normal;         /* in the world */
    double overlap, key; /* key: order of nearness, insides first */
    vec3 middle;         /* of a ball around a triangle */
    double size2;        /* its radius squared; endless for other faces */
    bool live;           /* within reach, and not known to be no contact */
    bool was;            /* has history */
    int group;           /* the contact it is part of, -1: none */
} candidate;

typedef struct {
    const scr_world *world;
    scr_wall_pairs *pairs;
    scr_touch_options options;
    size_t body;
    vec3 x, v;
    double radius;
    candidate *near; /* MOST_NEAR of them, or as many as there are faces */
    int count;
    int *order;                 /* as many */
    bool *hidden;               /* as many */
    int lead[SCR_MOST_TOUCHES]; /* deepest face of each contact */
    int lead_count;
} finder;

/* ---- faces within reach ---- */

static inline void bound(candidate *c)
{
    const scr_face *f = c->face;
    c->size2 = INFINITY;
    if (f->kind != SCR_FACE_TRIANGLE) return;
    vec3 third = v3_scale(1.0 / 3, v3_add(f->edge[0], f->edge[1]));
    vec3 b = v3_sub(f->edge[0], third), d = v3_sub(f->edge[1], third);
    c->middle = v3_add(f->point, third);
    c->size2 = fmax(v3_dot(third, third), fmax(v3_dot(b, b), v3_dot(d, d)));
}

// where the next candidate goes; when all places are taken, that of the shallowest without history
static inline candidate *place_for(finder *s, double overlap)
{
    if (s->count < MOST_NEAR) return &s->near[s->count++];
    candidate *worst = NULL;
    for (int k = 0; k < MOST_NEAR; k++)
        if (!s->near[k].was && (!worst || s->near[k].overlap < worst->overlap)) worst = &s->near[k];
    return worst && worst->overlap < overlap ? worst : NULL;
}

static inline void gather(finder *s, uint32_t from, uint32_t to)
{
    const scr_world *w = s->world;
    const scr_wall *wall = NULL;
    vec3 local = s->x;
    double range = 0, moved = 0;
    uint32_t end = 0;
    for (uint32_t k = from; k < to; k++) {
        bool was = s->pairs->touch[k];
        uint32_t number = s->pairs->face[k];
        if (!wall || number >= end) {
            wall = &w->walls[w->faces[number].wall];
            end = (uint32_t)(wall->first_face + wall->face_count);
            local = pose_point_back(&wall->pose, s->x);
            vec3 before = pose_point_back(&wall->anchor, v3_load(w->bodies.anchor + 4 * s->body));
            moved = v3_norm(v3_sub(local, before));
            range = touch_range(&w->laws[s->pairs->law[k]], s->radius) + s->options.margin;
        }
        // a distance changes no faster than the body moves: most faces need not be looked at
        if (!was && s->pairs->gap[k] >= moved + range) continue;
        const scr_face *face = &w->faces[number];
        scr_near near = face_nearest(face, local);
        double overlap = s->radius - near.distance;
        bool live = overlap > -range && wall->active;
        if (!live && !was) continue;
        candidate *c = place_for(s, overlap);
        if (!c) continue;
        *c = (candidate){.pair = k,
                         .face = face,
                         .wall = wall,
                         .near = near,
                         .overlap = overlap,
                         .live = live,
                         .was = was,
                         .group = -1};
        c->normal = pose_vector(&wall->pose, near.normal);
        c->key = near.distance - (near.feature == SCR_INSIDE ? SAME * s->radius : 0);
        bound(c);
    }
}

/* ---- which of them are contacts ---- */

static inline void sort_by_nearness(finder *s)
{
    int *order = s->order;
    for (int k = 0; k < s->count; k++) {
        int at = k;
        for (; at > 0 && s->near[order[at - 1]].key > s->near[k].key; at--) order[at] = order[at - 1];
        order[at] = k;
    }
}

// whether a's nearest point lies on b too
static inline bool lies_on(const candidate *a, const candidate *b, double slack)
{
    vec3 p = a->near.point;
    if (a->wall != b->wall) p = pose_point_back(&b->wall->pose, pose_point(&a->wall->pose, p));
    vec3 d = v3_sub(p, b->middle);
    if (b->size2 < INFINITY) {
        double size = sqrt(b->size2) + slack;
        if (v3_dot(d, d) > size * size) return false;
    }
    return fabs(face_nearest(b->face, p).distance) <= slack;
}

// rule 1: b is nearer than a, or as near and earlier
static inline bool hides(const candidate *b, const candidate *a, double slack)
{
    if (!b->wall->active) return false;
    if (a->near.feature != SCR_INSIDE) return lies_on(a, b, slack);
    if (a->wall != b->wall || b->near.feature != SCR_INSIDE) return false;
    vec3 apart = v3_sub(a->near.point, b->near.point);
    return v3_dot(apart, apart) <= slack * slack;
}

static inline void keep_minima(finder *s)
{
    const int *order = s->order;
    double slack = SAME * s->radius;
    bool *hidden = s->hidden;
    sort_by_nearness(s);
    for (int k = 0; k < s->count; k++) hidden[k] = false;
    for (int k = 1; k < s->count; k++) {
        const candidate *a = &s->near[order[k]];
        if (!a->live) continue;
        for (int m = 0; m < k && !hidden[order[k]]; m++) hidden[order[k]] = hides(&s->near[order[m]], a, slack);
    }
    for (int k = 0; k < s->count; k++) s->near[k].live &= !hidden[k];
}

/* ---- contacts of smooth surfaces ---- */

// u that satisfies two of the conditions as equations; false where one alone would do
static inline bool push_two(vec3 a, double da, vec3 b, double db, vec3 *u)
{
    vec3 cross = v3_cross(a, b);
    double s2 = v3_dot(cross, cross), c = v3_dot(a, b);
    if (s2 < 1e-20) return false;
    double la = (da - c * db) / s2, lb = (db - c * da) / s2;
    *u = v3_axpy(v3_scale(la, a), lb, b);
    return la >= 0 && lb >= 0;
}

static inline bool push_three(const vec3 n[3], const double d[3], vec3 *u)
{
    vec3 across[3] = {v3_cross(n[1], n[2]), v3_cross(n[2], n[0]), v3_cross(n[0], n[1])};
    double det = v3_dot(n[0], across[0]);
    if (fabs(det) < 1e-12) return false;
    vec3 sum = v3_scale(d[0], across[0]);
    *u = v3_scale(1 / det, v3_axpy(v3_axpy(sum, d[1], across[1]), d[2], across[2]));
    for (int k = 0; k < 3; k++)
        if (v3_dot(*u, across[k]) / det < 0) return false;
    return true;
}

static inline bool frees(vec3 u, const vec3 *n, const double *d, int count, double slack)
{
    for (int k = 0; k < count; k++)
        if (v3_dot(u, n[k]) < d[k] - slack) return false;
    return true;
}

/* The displacement (1), and the face that it presses on alone (-1: several) or the direction along all of those that it
 * presses on (zero: none). */
typedef struct {
    vec3 u;
    int alone;
    vec3 free;
} push;

static inline push push_out(const vec3 *n, const double *d, int count)
{
    int deepest = 0;
    for (int k = 1; k < count; k++)
        if (d[k] > d[deepest]) deepest = k;
    vec3 alone = v3_scale(d[deepest], n[deepest]), u;
    double slack = 1e-12 * fabs(d[deepest]);
    if (frees(alone, n, d, count, slack)) return (push){alone, deepest, v3(0, 0, 0)};
    // the solution presses on one, two or three of them (Karush, Kuhn and Tucker)
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            if (push_two(n[a], d[a], n[b], d[b], &u) && frees(u, n, d, count, slack))
                return (push){u, -1, v3_unit(v3_cross(n[a], n[b]))};
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int c = b + 1; c < count; c++) {
                const vec3 normals[3] = {n[a], n[b], n[c]};
                const double overlaps[3] = {d[a], d[b], d[c]};
                if (push_three(normals, overlaps, &u) && frees(u, n, d, count, slack))
                    return (push){u, -1, v3(0, 0, 0)};
            }
    return (push){alone, deepest, v3(0, 0, 0)};
}

// the deepest that is live and in no group yet, -1 when there is none
static inline int next_lead(const finder *s)
{
    int lead = -1;
    for (int k = 0; k < s->count; k++) {
        const candidate *c = &s->near[k];
        if (c->live && c->group < 0 && (lead < 0 || c->overlap > s->near[lead].overlap)) lead = k;
    }
    return lead;
}

// rule 2
static inline void make_groups(finder *s)
{
    for (s->lead_count = 0; s->lead_count < SCR_MOST_TOUCHES; s->lead_count++) {
        int lead = next_lead(s);
        if (lead < 0) return;
        candidate *first = &s->near[lead];
        s->lead[s->lead_count] = lead;
        first->group = s->lead_count;
        // a face that does not overlap yet adds nothing
        for (int k = 0; k < s->count; k++) {
            candidate *c = &s->near[k];
            if (c->live && c->group < 0 && c->wall == first->wall &&
                v3_dot(c->near.normal, first->near.normal) > SMOOTH)
                c->group = s->lead_count;
        }
    }
}

// faces of a contact that press, the lead first
static inline int members(const finder *s, int group, const candidate *out[MOST_GROUP])
{
    int n = 0;
    out[n++] = &s->near[s->lead[group]];
    for (int k = 0; k < s->count && n < MOST_GROUP; k++)
        if (s->near[k].group == group && k != s->lead[group] && s->near[k].overlap > 0) out[n++] = &s->near[k];
    return n;
}

/* ---- history ---- */

static inline void pass_history(scr_wall_pairs *p, uint32_t from, uint32_t to)
{
    if (from == to) return;
    memcpy(p->history + 4 * (size_t)to, p->history + 4 * (size_t)from, 4 * sizeof *p->history);
    memset(p->history + 4 * (size_t)from, 0, 4 * sizeof *p->history);
    if (p->wide) {
        memcpy(p->wide + 8 * (size_t)to, p->wide + 8 * (size_t)from, 8 * sizeof *p->wide);
        memset(p->wide + 8 * (size_t)from, 0, 8 * sizeof *p->wide);
    }
    p->touch[to] = 1, p->touch[from] = 0;
}

// the face whose history the contact continues: one of its own, else a near one that is left over
static inline candidate *source_of(finder *s, int group, bool own)
{
    const candidate *lead = &s->near[s->lead[group]];
    candidate *best = NULL;
    double most = PASSES;
    for (int k = 0; k < s->count; k++) {
        candidate *c = &s->near[k];
        if (!c->was) continue;
        if (own) {
            if (c == lead) return c;
            if (c->group == group && !best) best = c;
            continue;
        }
        double alike = v3_dot(c->normal, lead->normal);
        bool same_law = s->pairs->law[c->pair] == s->pairs->law[lead->pair];
        if (same_law && alike > most) best = c, most = alike;
    }
    return best;
}

static inline void pass_histories(finder *s)
{
    bool has[SCR_MOST_TOUCHES] = {false};
    for (int pass = 0; pass < 2; pass++)
        for (int g = 0; g < s->lead_count; g++) {
            candidate *from = has[g] ? NULL : source_of(s, g, pass == 0);
            if (!from) continue;
            has[g] = true;
            from->was = false; // what is left has ended
            pass_history(s->pairs, from->pair, s->near[s->lead[g]].pair);
        }
}

/* ---- what the force needs ---- */

// velocities, and the normal of the half step: that of the same feature where the body came from
static inline void complete(const finder *s, const candidate *const *member, int count, scr_touch *t)
{
    const scr_wall *w = member[0]->wall;
    double half = 0.5 * s->options.dt;
    vec3 reference = scr_wall_reference(w);
    vec3 turning = w->in_place ? v3(0, 0, 0) : w->spin;
    vec3 moving = v3_axpy(w->velocity, s->world->clock.lag - 1, w->motion.surface);
    vec3 past = v3_sub(v3_sub(s->v, moving), v3_cross(turning, v3_sub(s->x, reference)));
    t->normal_half = t->normal;
    if (s->options.improved && half > 0) {
        vec3 back = pose_vector_back(&w->pose, past), n;
        if (count == 1) {
            vec3 x = v3_axpy(pose_point_back(&w->pose, s->x), -half, back);
            n = face_normal(member[0]->face, member[0]->near.feature, x);
        } else {
            vec3 normals[MOST_GROUP];
            double overlaps[MOST_GROUP];
            for (int k = 0; k < count; k++) {
                normals[k] = member[k]->near.normal;
                overlaps[k] = member[k]->overlap + half * v3_dot(normals[k], back);
            }
            n = v3_unit(push_out(normals, overlaps, count).u);
            if (v3_dot(n, member[0]->near.normal) < SMOOTH) n = member[0]->near.normal;
        }
        n = pose_vector(&w->pose, n);
        t->normal_half = n;
        if (v3_dot(turning, turning) > 0) t->normal_half = v3_unit(v3_axpy(n, -half, v3_cross(turning, n)));
    }
    double arm = s->options.far_arm ? s->radius : s->radius - 0.5 * t->overlap;
    vec3 point = v3_axpy(v3_axpy(s->x, -half, s->v), -arm, t->normal_half);
    vec3 lever = v3_sub(point, v3_axpy(reference, -half, moving));
    t->velocity = v3_sub(v3_sub(s->v, w->velocity), v3_cross(w->spin, lever));
}

static inline void report(const finder *s, const candidate *c, scr_touch *t)
{
    t->pair = c->pair;
    t->overlap = c->overlap;
    t->normal = c->normal;
    t->most = scr_face_limit(c->face) * s->radius;
}

static inline scr_bend bend_of(const finder *s, const candidate *c)
{
    vec3 x = pose_point_back(&c->wall->pose, s->x);
    scr_bend bend = face_bend(c->face, &c->near, x);
    bend.a = pose_vector(&c->wall->pose, bend.a);
    return bend;
}

// (1): about the free direction, or about any where there is none
static inline scr_bend bend_of_several(const scr_touch *t, vec3 free)
{
    double turn = t->overlap > 0 ? -1 / t->overlap : 0;
    if (v3_dot(free, free) > 0) return (scr_bend){free, 0, turn};
    return (scr_bend){v3_perpendicular(t->normal), turn, turn};
}

/* As scr_touches_find, in the room of a finder, of which nothing else is set. */
static inline int touches_find(finder *s, const scr_world *w, scr_wall_pairs *pairs, uint32_t from, uint32_t to,
                               scr_touch_options options, scr_touch *touches)
{
    s->world = w, s->pairs = pairs, s->options = options, s->count = s->lead_count = 0;
    s->body = pairs->body[from];
    s->x = options.at ? *options.at : v3_load(w->bodies.place + 4 * s->body);
    s->v = v3_load(w->bodies.motion + 4 * s->body);
    s->radius = w->bodies.place[4 * s->body + 3];
    gather(s, from, to);
    if (s->count > 1) keep_minima(s);
    make_groups(s);
    pass_histories(s);

    int n = 0;
    for (int g = 0; g < s->lead_count; g++) {
        const candidate *member[MOST_GROUP];
        int count = members(s, g, member);
        push p = {.alone = 0};
        scr_touch *t = &touches[n++];
        report(s, member[0], t);
        if (count > 1) {
            vec3 normals[MOST_GROUP];
            double overlaps[MOST_GROUP];
            for (int k = 0; k < count; k++) normals[k] = member[k]->normal, overlaps[k] = member[k]->overlap;
            p = push_out(normals, overlaps, count);
            t->overlap = v3_norm(p.u);
            if (t->overlap > 0) t->normal = v3_scale(1 / t->overlap, p.u);
        }
        if (options.bends) t->bend = p.alone < 0 ? bend_of_several(t, p.free) : bend_of(s, member[p.alone]);
        complete(s, member, count, t);
    }
    // those that have ended: their springs let go
    for (int k = 0; k < s->count && n < 2 * SCR_MOST_TOUCHES; k++) {
        const candidate *c = &s->near[k];
        if (!c->was) continue;
        scr_touch *t = &touches[n++];
        report(s, c, t);
        double range = touch_range(&w->laws[pairs->law[c->pair]], s->radius);
        t->overlap = fmin(t->overlap, -range * (1 + 1e-6));
        complete(s, &c, 1, t);
    }
    return n;
}

#endif
