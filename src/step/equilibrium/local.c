/* Single grains find their places: what is left to do once most of a heap without friction is at rest.
 *
 * Grains that slide or fall while all others rest would take thousands of steps of the whole heap. Here each is moved
 * alone, the others held: the minimum over x of
 *
 *   V_i(x) = sum over contacts of i of V(overlap) - m g.x                                                       (1)
 *
 * by Newton's method with the shift of Levenberg and Marquardt,
 *
 *   x <- x - (H + lambda)^-1 grad V_i,   H = sum f' n n - (f/|d|)(1 - n n),                                     (2)
 *
 * no further than a part of the radius at once, and downhill only: lambda grows where H + lambda is not positive or
 * the energy does not fall, and shrinks where it does. What moved pushes its neighbours; those whose force is then more
 * than wanted come into the queue (block Gauss and Seidel, nonlinear). The work is that of the grains that move. Forces
 * of many grains together spread slowly in this way; they are for Newton's method of the whole.
 *
 * Contacts are those gathered around the places of the list. A grain that reaches the end of its slack waits there for
 * the next list. One thread works off the queue, which starts in the order of rows: the same bits for any number. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/os.h"
#include "step/variational/work.h"

#define CAP    0.2  /* of the radius: how far a grain moves at once */
#define TRIES  60   /* of (2) for one grain, at most */
#define SHIFT  0.1  /* of weight over radius: lambda at first */
#define GROW   4    /* lambda where it fails, */
#define SHRINK 0.25 /* and where it does not */
#define AIM    0.3  /* of the wanted force: what is left of a grain that was moved */

/* Contacts of grain i are entries [start[i], start[i + 1]); those of faces other than planes are pairs of the list. */
typedef struct {
    var_work *w;
    uint32_t *start;
    const var_near **entry;
    uint32_t *from, *to; // of scr_wall_pairs; nothing where all faces are planes
    uint32_t *queue;     // a ring
    uint8_t *queued;
    size_t count, head, waiting;
    double *force; // gradients, rows of four
    scr_arena arena;
} local;

typedef struct {
    double energy, scale;
    rvec g;
    sym3 h;
} state;

static void add_push(state *s, const contact_push *p, rvec n, double turn)
{
    double along = p->stiffness + turn;
    s->energy += p->energy, s->scale += p->energy;
    s->g = rv_axpy(s->g, -p->force, n);
    s->h = sym3_add(s->h, (sym3){along * n.x * n.x - turn, along * n.y * n.y - turn, along * n.z * n.z - turn,
                                 along * n.x * n.y, along * n.x * n.z, along * n.y * n.z});
}

// the contact's normal on its first body and its force; false: they do not touch
static bool touch(const local *l, const var_near *n, rvec u, contact_push *p, rvec *normal, double *turn)
{
    rvec d = var_vector(n->d);
    double overlap;
    *turn = 0;
    if (n->kind == VAR_PLANE) {
        overlap = n->reach - rv_dot(d, u);
        if (!(overlap > 0)) return false;
        *normal = d;
    } else {
        d = rv_add(d, u);
        double d2 = rv_dot(d, d);
        if (!(d2 < n->reach * n->reach)) return false;
        double distance = sqrt(d2);
        overlap = n->reach - distance;
        *normal = rv_scale(1 / distance, d);
        *turn = 1 / distance;
    }
    *p = contact_push_of(&l->w->world->laws[n->law], overlap, n->curvature);
    *turn *= p->force;
    return true;
}

// way of the first of a contact against the other, with grain i at u
static rvec way_of(const local *l, const var_near *n, uint32_t i, rvec u)
{
    if (n->kind != VAR_PAIR) return u;
    rvec other = var_vector(l->w->rows.u + SCR_ROW * (size_t)(n->i == i ? n->j : n->i));
    return n->i == i ? rv_sub(u, other) : rv_sub(other, u);
}

// (1) with grain i at u
static state state_at(const local *l, uint32_t i, rvec u)
{
    const var_work *w = l->w;
    double mass = w->rows.mass[VAR_MASS * (size_t)i + 2];
    rvec weight = rv_scale(mass, var_of(w->world->gravity));
    state s = {.g = rv_scale(-1, weight)};
    s.energy = -rv_dot(weight, u), s.scale = fabs(s.energy);
    contact_push p;
    rvec normal;
    double turn;
    for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++) {
        const var_near *n = l->entry[k];
        if (!touch(l, n, way_of(l, n, i, u), &p, &normal, &turn)) continue;
        add_push(&s, &p, n->i == i ? normal : rv_scale(-1, normal), turn);
    }
    if (l->from[i] == l->to[i]) return s;
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    const double *place = w->world->bodies.place + 4 * (size_t)i;
    int count = scr_var_faces(w, l->from[i], l->to[i], v3_add(v3_load(place), var_vec3(u)), false, touches);
    for (int t = 0; t < count; t++) {
        if (!(touches[t].overlap > 0)) continue;
        const scr_law *law = &w->world->laws[w->pairs->walls.law[touches[t].pair]];
        p = contact_push_of(law, touches[t].overlap, 1 / place[3]);
        add_push(&s, &p, var_of(touches[t].normal), 0);
    }
    return s;
}

// -(H + shift)^-1 g; false: not positive
static bool direction(const state *s, double shift, rvec *way)
{
    sym3 h = sym3_add(s->h, (sym3){shift, shift, shift, 0, 0, 0});
    double minor = h.xx * h.yy - h.xy * h.xy;
    double det =
        h.xx * (h.yy * h.zz - h.yz * h.yz) - h.xy * (h.xy * h.zz - h.yz * h.xz) + h.xz * (h.xy * h.yz - h.yy * h.xz);
    if (!(h.xx > 0 && minor > 0 && det > 0)) return false;
    *way = var_of(v3_scale(-1, sym3_times(sym3_inverse(h), var_vec3(s->g))));
    return true;
}

// grain i alone to where less than `enough` is left; false: it waits at the end of its slack
static bool relax(const local *l, uint32_t i, double enough, double slack, rvec *at)
{
    const var_work *w = l->w;
    double mass = w->rows.mass[VAR_MASS * (size_t)i + 2], radius = 1 / w->rows.mass[VAR_MASS * (size_t)i + 3];
    double shift = SHIFT * mass * v3_norm(w->world->gravity) / radius, cap = CAP * radius;
    state s = state_at(l, i, *at);
    for (int k = 0; k < TRIES && rv_dot(s.g, s.g) > enough * enough; k++) {
        rvec way;
        if (!direction(&s, shift, &way)) {
            shift *= GROW;
            continue;
        }
        double length = sqrt(rv_dot(way, way));
        if (length > cap) way = rv_scale(cap / length, way);
        rvec to = rv_add(*at, way);
        double far = sqrt(rv_dot(to, to));
        bool ends = far > slack;
        if (ends) to = rv_scale(slack / far, to);
        state next = state_at(l, i, to);
        double rounding = 8 * DBL_EPSILON * (s.scale + next.scale);
        bool fell = next.energy < s.energy - rounding ||
                    (next.energy < s.energy + rounding && rv_dot(next.g, next.g) < rv_dot(s.g, s.g));
        if (!fell) {
            if (ends && far < 1.01 * slack) return false;
            shift *= GROW;
            continue;
        }
        *at = to, s = next;
        if (ends) return false;
        shift *= SHRINK;
    }
    return true;
}

static void join(local *l, uint32_t i)
{
    if (l->queued[i]) return;
    l->queued[i] = 1;
    size_t last = l->head + l->waiting++;
    l->queue[last < l->count ? last : last - l->count] = i;
}

static uint32_t leave(local *l)
{
    uint32_t i = l->queue[l->head];
    l->head = l->head + 1 < l->count ? l->head + 1 : 0;
    l->waiting--;
    l->queued[i] = 0;
    return i;
}

static rvec force_on_first(const local *l, const var_near *n, rvec way)
{
    contact_push p;
    rvec normal;
    double turn;
    if (!touch(l, n, way, &p, &normal, &turn)) return (rvec){0, 0, 0};
    return rv_scale(p.force, normal);
}

// grain i goes to `at`; neighbours feel it, and join where it is too much
static void move(local *l, uint32_t i, rvec at, double enough)
{
    double *u = l->w->rows.u + SCR_ROW * (size_t)i;
    rvec from = var_vector(u);
    for (uint32_t k = l->start[i]; k < l->start[i + 1]; k++) {
        const var_near *n = l->entry[k];
        if (n->kind != VAR_PAIR) continue;
        uint32_t j = n->i == i ? n->j : n->i;
        if (!(l->w->rows.mass[VAR_MASS * (size_t)j] > 0)) continue;
        rvec before = force_on_first(l, n, way_of(l, n, i, from));
        rvec after = force_on_first(l, n, way_of(l, n, i, at));
        double *g = l->force + 4 * (size_t)j;
        var_add(g, n->i == i ? 1 : -1, rv_sub(after, before));
        if (g[0] * g[0] + g[1] * g[1] + g[2] * g[2] > enough * enough) join(l, j);
    }
    u[0] = at.x, u[1] = at.y, u[2] = at.z;
}

/* ---- neighbours ---- */

static void index_contacts(local *l)
{
    const var_work *w = l->w;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t b = 0; b < w->pairs->block_count; b++) {
            for (uint32_t m = 0; m < w->contacts.count[4 * b]; m++) {
                const var_near *n = &w->contacts.near[var_base(w, b) + m];
                for (int side = 0; side < (n->kind == VAR_PAIR ? 2 : 1); side++) {
                    uint32_t i = side ? n->j : n->i;
                    if (pass)
                        l->entry[l->start[i]++] = n;
                    else
                        l->start[i + 1]++;
                }
            }
        }
        if (!pass)
            for (size_t i = 0; i < l->count; i++) l->start[i + 1] += l->start[i];
    }
    // the second pass has moved each start to the next
    memmove(l->start + 1, l->start, l->count * sizeof *l->start);
    l->start[0] = 0;
}

static void index_faces(local *l)
{
    const var_work *w = l->w;
    const scr_wall_pairs *p = &w->pairs->walls;
    for (uint32_t k = 0, next; k < p->count; k = next) {
        bool plain = true;
        for (next = k; next < p->count && p->body[next] == p->body[k]; next++) plain &= w->walls.plain[p->face[next]];
        if (!plain) l->from[p->body[k]] = k, l->to[p->body[k]] = next;
    }
}

static bool reserve(local *l)
{
    size_t entries = 0;
    for (size_t b = 0; b < l->w->pairs->block_count; b++) entries += 2 * l->w->contacts.count[4 * b];
    l->start = SCR_TAKE(&l->arena, uint32_t, l->count + 1);
    l->entry = SCR_TAKE(&l->arena, const var_near *, entries);
    l->from = SCR_TAKE(&l->arena, uint32_t, l->count);
    l->to = SCR_TAKE(&l->arena, uint32_t, l->count);
    l->queue = SCR_TAKE(&l->arena, uint32_t, l->count);
    l->queued = SCR_TAKE(&l->arena, uint8_t, l->count);
    l->force = SCR_TAKE(&l->arena, double, 4 * l->count);
    return !l->arena.failed;
}

bool scr_var_local(var_work *w, double slack, double enough, int64_t most, var_local_tally *tally)
{
    local l = {.w = w, .count = w->world->bodies.table.count};
    if (!reserve(&l)) return scr_arena_deinit(&l.arena), false;
    index_contacts(&l);
    index_faces(&l);
    scr_objective o = scr_var_objective(w);
    double *x = w->solver.minimiser.trial;
    for (size_t i = 0; i < l.count; i++) memcpy(x + VAR_LEAN * i, w->rows.u + SCR_ROW * i, VAR_LEAN * sizeof *x);
    scr_value v = o.evaluate(o.context, x, w->solver.minimiser.gradient);
    double want = enough * v.strongest, largest = 0;
    *tally = (var_local_tally){0};
    for (uint32_t i = 0; i < l.count; i++) {
        const double *g = w->solver.minimiser.gradient + VAR_LEAN * (size_t)i;
        double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        memcpy(l.force + 4 * (size_t)i, g, 3 * sizeof *g);
        largest = fmax(largest, size);
        if (size > want) join(&l, i);
    }
    tally->left = largest > 0 ? largest / v.strongest : 0;
    tally->active = (int64_t)l.waiting;
    for (; l.waiting > 0 && tally->moved < most && !scr_signal_pending(); tally->moved++) {
        uint32_t i = leave(&l);
        rvec at = var_vector(w->rows.u + SCR_ROW * (size_t)i);
        bool done = relax(&l, i, AIM * want, slack, &at);
        move(&l, i, at, want);
        memset(l.force + 4 * (size_t)i, 0, 3 * sizeof *l.force);
        if (!done) l.queued[i] = 2, tally->waits++;
    }
    tally->done = l.waiting == 0 && tally->waits == 0;
    scr_arena_deinit(&l.arena);
    return true;
}
