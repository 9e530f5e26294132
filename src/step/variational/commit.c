/* The end of a sub-step: forces as they were at the stage, histories, energies, and the bodies to where they are.
 *
 *   x <- x + U/theta,  v <- v + (U/s - v)/theta                                                               (1)
 *
 * Energy. A force F of the stage does the work F.U/theta, and the kinetic energy changes by that less
 * (theta - 1/2) m |dv|^2. A spring takes k (h + u).u/theta, while its energy grows by k u.(h + u/(2 theta))/theta:
 * the difference, (2 theta - 1) k u^2/(2 theta^2), is lost by the stepping as well, and so is what an elastic normal
 * force takes beyond the growth of its energy (it may be negative for theta = 1/2 where a contact begins or ends
 * within the step). All this is booked as `numerical`; dampers and sliders are booked with what they take.
 *
 * Contacts with faces that are not planes are found anew where the body ends up. On the way there their histories
 * carry the number of their lagged contact, so that it is known which continues which. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "exec/cpu/threads.h"
#include "step/variational/work.h"

#define ROUND 1.0001 /* more than rounding can take of a square */

/* A contact from start to end of the sub-step. */
typedef struct {
    uint32_t i, j;        // j: UINT32_MAX for a wall
    const double *second; // the row of j, or of its image
    const scr_law *law;
    double curvature;
    const var_lag *lag; // NULL: none
    double push;        // elastic force at the stage
    double start, end;  // overlaps
    double *history, *wide, *record;
    uint8_t *touch;
} passage;

/* What the lagged parts do at the stage. */
typedef struct {
    rvec slip, roll; // displacements along the plane
    double un;       // along the normal
    contact_slider slider, roller;
} action;

static const double *row_of(const var_work *w, uint32_t i)
{
    return w->rows.u + SCR_ROW * (size_t)i;
}

SCR_INLINE action act(const var_work *w, const passage *c)
{
    const var_lag *l = c->lag;
    const double *a = row_of(w, c->i), *b = c->second, *place = w->world->bodies.place;
    action t = {0};
    if (!l) return t;
    rvec u = var_slip(l, a, b);
    t.un = rv_dot(u, l->n);
    t.slip = rv_axpy(u, -t.un, l->n);
    if (l->k > 0) t.slider = contact_slide(rv_axpy(l->q, l->k, t.slip), l->k, l->limit);
    if (var_rolls(l)) {
        const double inverse[2] = {1 / place[4 * (size_t)c->i + 3], b ? 1 / place[4 * (size_t)c->j + 3] : 0};
        const var_more *m = l->more;
        t.roll = var_rolled(l->n, m->roll_radius, inverse, a, b);
        t.roller = contact_slide(rv_axpy(m->roll_q, m->roll_k, t.roll), m->roll_k, m->roll_limit);
    }
    return t;
}

/* ---- springs ---- */

// energy that a spring holds: with slip: damper, what of it the limit allows
SCR_INLINE double held_of(const scr_law *law, double k, rvec h, double limit)
{
    return contact_spring_stored(law, k, rv_dot(h, h), limit);
}

typedef struct {
    rvec h; // stretch at the end
    double held, taken, numerical;
    double damped; // of what was taken, by the damper while the contact slips
} spring_step;

/* A spring of stiffness k (with its damper `all`) and force q at the start that moved by u; at the end it has
 * stiffness k_end, unless the contact is gone. Where it slips, it ends where a slider in series with spring and damper
 * leaves it (kernel/contact.h, 4), stepped implicitly over the whole sub-step: the stage alone would overshoot. Its
 * force then is that of the stage and a part of the change of its `limit` since the last, such that in the next stage
 * it sticks where a spring shall: where it grows no faster than its limit. */
SCR_INLINE spring_step step_spring(const var_work *w, const scr_law *law, const contact_slider *s, rvec q, double all,
                                   double k, rvec u, double k_end, const double limit[2], bool touches)
{
    double over = w->sub.over, damper = (all - k) / over;
    spring_step t = {.taken = -over * rv_dot(s->force, u)};
    rvec force = rv_axpy(q, over * k, u), slid = s->force;
    double size = s->slip ? sqrt(rv_dot(slid, slid)) : 0;
    double change = (1 - w->sub.theta) * (limit[1] - limit[0]);
    if (size > 0) slid = rv_scale(r_max(size + change, 0) / size, slid);
    if (!s->slip) {
        t.numerical = 0.5 * k * rv_dot(u, u) * (2 * w->sub.theta - 1) * over * over;
    } else if (law->slip > 0) {
        force = rv_scale(-1, rv_axpy(slid, all - k, u));
    } else {
        rvec stretch = rv_scale(-1 / (k + damper), rv_add(slid, q));
        force = rv_axpy(q, k, stretch);
        t.damped = damper * rv_dot(stretch, stretch);
    }
    if (!touches || !(k > 0)) return t;
    // kept where the stiffness falls, without stress where it grows
    t.h = rv_scale(1 / r_max(k, k_end), force);
    t.held = held_of(law, k_end, t.h, limit[1]);
    return t;
}

/* ---- books ---- */

// histories and energies of a contact; what it holds at the end and what was lost on the way
SCR_INLINE void book(const var_work *w, const passage *c, const action *t, var_sums *sums)
{
    const var_lag *l = c->lag;
    const scr_law *law = c->law;
    bool touches = c->end > 0, was = l ? l->was : *c->touch;
    contact_springs then = {0}, end = {0};
    double damping = 0, friction = 0, rolling = 0;
    if (touches) end = contact_springs_of(law, c->end, c->curvature);
    if (l) {
        double force = c->push - l->eta * t->un, load = var_load(law, force);
        double before = was ? l->before : load;
        if (was) then = contact_springs_of(law, l->overlap, c->curvature);
        damping = w->sub.over * l->eta * t->un * t->un;
        if (l->k > 0) {
            const double limit[2] = {law->mu * before, law->mu * load};
            spring_step s = step_spring(w, law, &t->slider, l->q, l->k, l->kt, t->slip, end.kt, limit, touches);
            double old = was ? held_of(law, then.kt, var_vector(c->history), law->mu * l->before) : 0;
            double lost = s.taken - (s.held - old) - s.numerical - s.damped;
            *(t->slider.slip ? &friction : &damping) += lost;
            damping += s.damped;
            sums->numerical += s.numerical;
            sums->elastic_tangential += s.held;
            v3_store(c->history, var_vec3(s.h));
        }
        if (var_rolls(l)) {
            const double limit[2] = {law->rolling_mu * before, law->rolling_mu * load};
            spring_step s = step_spring(w, law, &t->roller, l->more->roll_q, l->more->roll_k, l->more->roll_spring,
                                        t->roll, end.roll, limit, touches);
            double old = was ? held_of(law, then.roll, var_vector(c->wide), law->rolling_mu * l->before) : 0;
            rolling = s.taken - (s.held - old) - s.numerical;
            sums->numerical += s.numerical;
            sums->elastic_rolling += s.held;
            v3_store(c->wide, var_vec3(s.h));
        }
        c->history[3] = touches ? force - end.push : 0;
    } else {
        memset(c->history, 0, 4 * sizeof *c->history);
    }
    sums->damping += damping, sums->friction += friction, sums->rolling += rolling;
    if (c->wide) c->wide[4] = touches ? (was ? c->wide[4] : 0) + damping + friction + rolling : 0;
    *c->touch = touches;
    sums->contacts += touches;
    sums->elastic_normal += touches ? contact_push_of(law, c->end, c->curvature).energy : 0;
}

static void note_push(var_sums *s, double push)
{
    s->strongest = push > s->strongest ? push : s->strongest;
}

static void note_worst(var_sums *s, double overlap, double most)
{
    if (overlap > s->worst * most) s->worst = overlap / most;
}

static double energy_of(const passage *c, double overlap)
{
    return overlap > 0 ? contact_push_of(c->law, overlap, c->curvature).energy : 0;
}

/* ---- loads ---- */

// what is lagged: damping, friction, rolling
static rvec lagged_force(const var_lag *l, const action *t)
{
    return rv_axpy(t->slider.force, -l->eta * t->un, l->n);
}

static rvec lagged_couple(const var_lag *l, const action *t)
{
    if (!l->more) return (rvec){0, 0, 0};
    return rv_scale(l->more->roll_radius, rv_cross(l->n, t->roller.force));
}

SCR_INLINE void load_bodies(const var_work *w, uint32_t i, uint32_t j, uint32_t sink, rvec push, const var_lag *l,
                            const action *t)
{
    const double *place = w->world->bodies.place;
    double *rows = w->world->bodies.load, *a = rows + 8 * (size_t)i;
    double *b = j == UINT32_MAX ? NULL : var_sink(w, rows, sink);
    var_add(a, 1, push);
    if (b) var_add(b, -1, push);
    if (!l) return;
    rvec force = lagged_force(l, t), couple = lagged_couple(l, t), turn = rv_cross(l->n, force);
    var_add(a, 1, force);
    var_add(a + 4, -l->arm[0] * place[4 * (size_t)i + 3], turn), var_add(a + 4, 1, couple);
    if (!b) return;
    var_add(b, -1, force);
    var_add(b + 4, -l->arm[1] * place[4 * (size_t)j + 3], turn), var_add(b + 4, -1, couple);
}

// force on a body by a wall, at a point `lever` from the wall's reference
static void load_wall(const var_work *w, size_t block, uint32_t pair, rvec force, rvec lever, rvec couple)
{
    int wall = w->world->faces[w->pairs->walls.face[pair]].wall;
    double *on = w->walls.loads + VAR_WALL_SUMS * ((size_t)wall + block * (size_t)w->world->wall_count);
    var_add(on, -1, force);
    var_add(on + 3, -1, rv_cross(lever, force)), var_add(on + 3, -1, couple);
}

static void record(double *row, rvec force, rvec couple)
{
    if (!row) return;
    var_add(row, 1, force), var_add(row + 4, 1, couple);
}

/* ---- contacts of two bodies, and with planes ---- */

static const rvec none = {0, 0, 0};

SCR_INLINE passage passage_of(const var_work *w, const var_near *n, const var_lag *l)
{
    scr_pairs *p = w->pairs;
    size_t k = n->pair;
    passage c = {.i = n->i, .j = n->j, .law = &w->world->laws[n->law], .curvature = n->curvature, .lag = l};
    bool pair = n->kind == VAR_PAIR;
    double *wide = pair ? p->wide : p->walls.wide, *rec = pair ? p->record : p->walls.record;
    c.touch = (pair ? p->touch : p->walls.touch) + k;
    c.history = (pair ? p->history : p->walls.history) + 4 * k;
    if (wide) c.wide = wide + 8 * k;
    if (w->step->want_contacts) c.record = memset(rec + 8 * k, 0, 8 * sizeof *rec);
    return c;
}

// the force on the first body does work on the image of the second (world/box.h, equation 2)
static __attribute__((noinline, cold)) void book_box(const var_work *w, const var_near *n, rvec force, rvec d,
                                                     var_sums *sums)
{
    const double *shift = w->contacts.shift + 3 * (n - w->contacts.near);
    sums->box_work += w->sub.over * rv_dot(force, var_vector(shift));
    scr_box_sum_add(&sums->inner, var_vec3(force), var_vec3(d));
}

// whether two bodies are apart at start, stage and end, for certain: then nothing acts, and nothing is to be booked
SCR_INLINE bool is_apart(const var_near *n, rvec d, rvec stage, rvec end)
{
    double far2 = ROUND * n->reach * n->reach;
    return rv_dot(d, d) > far2 && rv_dot(stage, stage) > far2 && rv_dot(end, end) > far2;
}

SCR_INLINE void commit_pair(const var_work *w, const var_near *n, const var_lag *l, var_sums *sums)
{
    const double *place = w->world->bodies.place;
    passage c = passage_of(w, n, l);
    double room[SCR_ROW];
    c.second = var_second(w, n, w->rows.u, room);
    rvec d = var_vector(n->d), way = rv_sub(var_vector(row_of(w, n->i)), var_vector(c.second));
    rvec stage = var_is_linear(w) ? d : rv_add(d, way), end = rv_axpy(d, w->sub.over, way), push = none;
    if (!l && is_apart(n, d, stage, end)) {
        memset(c.history, 0, 4 * sizeof *c.history);
        if (c.wide) c.wide[4] = 0;
        *c.touch = 0;
        return;
    }
    double distance = sqrt(rv_dot(stage, stage)), overlap = n->reach - distance;
    c.start = n->reach - sqrt(rv_dot(d, d));
    c.end = n->reach - sqrt(rv_dot(end, end));
    if (var_is(w, VAR_EXACT)) {
        var_secant s = scr_var_secant_of(w, n, way);
        c.push = s.force, push = rv_scale(s.force / s.mean, stage);
    } else if (overlap > 0) {
        c.push = contact_push_of(c.law, overlap, n->curvature).force;
        push = rv_scale(c.push / distance, stage);
    }
    note_push(sums, c.push);
    action t = act(w, &c);
    sums->numerical += energy_of(&c, c.start) - energy_of(&c, c.end) - w->sub.over * rv_dot(push, way);
    if (c.record) record(c.record, push, none);
    if (c.record && l) record(c.record, lagged_force(l, &t), lagged_couple(l, &t));
    if (w->images.deforms) book_box(w, n, l ? rv_add(push, lagged_force(l, &t)) : push, stage, sums);
    load_bodies(w, n->i, n->j, n->sink, push, l, &t);
    note_worst(sums, c.end, r_min(place[4 * (size_t)n->i + 3], place[4 * (size_t)n->j + 3]));
    book(w, &c, &t, sums);
}

// the way of a body against a wall's surface where an elastic force acts, and that point from the wall's reference
static rvec way_against(const var_work *w, const scr_wall *wall, size_t i, rvec n, double overlap, rvec *lever)
{
    const double *place = w->world->bodies.place + 4 * i;
    rvec u = var_vector(w->rows.u + SCR_ROW * i);
    vec3 at = v3_load(place);
    if (!var_is_linear(w)) at = v3_add(at, var_vec3(u));
    vec3 point = v3_axpy(at, -(place[3] - 0.5 * overlap), var_vec3(n));
    *lever = var_of(v3_sub(point, scr_wall_reference(wall)));
    return rv_axpy(u, -w->sub.s, var_wall_velocity(wall, *lever));
}

static void commit_plane(const var_work *w, size_t block, const var_near *n, const var_lag *l, var_sums *sums)
{
    const scr_world *world = w->world;
    int number = (int)w->pairs->walls.face[n->pair];
    const scr_face *face = &world->faces[number];
    const scr_wall *wall = &world->walls[face->wall];
    const var_plane *plane = &w->walls.planes[w->walls.plane[number]];
    passage c = passage_of(w, n, l);
    rvec u = var_vector(row_of(w, n->i)), normal = var_vector(n->d), push = none, lever;
    vec3 x = v3_load(world->bodies.place + 4 * (size_t)n->i);
    double radius = world->bodies.place[4 * (size_t)n->i + 3];
    double overlap = n->reach - (var_is_linear(w) ? 0 : rv_dot(normal, u));
    c.start = radius - var_height(plane, VAR_AT_START, x);
    c.end = radius - var_height(plane, VAR_AT_END, v3_axpy(x, w->sub.over, var_vec3(u)));
    rvec way = way_against(w, wall, n->i, normal, overlap, &lever);
    if (var_is(w, VAR_EXACT))
        c.push = scr_var_secant_of(w, n, u).force;
    else if (overlap > 0)
        c.push = contact_push_of(c.law, overlap, n->curvature).force;
    note_push(sums, c.push);
    push = rv_scale(c.push, normal);
    action t = act(w, &c);
    if (wall->fresh) sums->appeared += energy_of(&c, c.start);
    sums->numerical += energy_of(&c, c.start) - energy_of(&c, c.end) - w->sub.over * rv_dot(push, way);
    record(c.record, push, none);
    load_bodies(w, n->i, n->j, 0, push, l, &t);
    load_wall(w, block, n->pair, push, lever, none);
    if (l) {
        record(c.record, lagged_force(l, &t), lagged_couple(l, &t));
        load_wall(w, block, n->pair, lagged_force(l, &t), l->more->lever, lagged_couple(l, &t));
    }
    note_worst(sums, c.end, radius);
    book(w, &c, &t, sums);
}

/* ---- contacts with other faces ---- */

// each body with faces that are not planes alone: its pairs [from, to)
typedef void face_work(const var_work *w, size_t block, size_t i, uint32_t from, uint32_t to, var_sums *sums);

static void each_faced(const var_work *w, size_t block, face_work *work, var_sums *sums)
{
    const scr_wall_pairs *p = &w->pairs->walls;
    uint32_t end = w->pairs->block_walls[block + 1], next;
    for (uint32_t k = w->pairs->block_walls[block]; k < end; k = next) {
        bool plain = true;
        for (next = k; next < end && p->body[next] == p->body[k]; next++) plain &= w->walls.plain[p->face[next]];
        if (!plain && w->world->bodies.motion[4 * (size_t)p->body[k] + 3] > 0)
            work(w, block, p->body[k], k, next, sums);
    }
}

static passage face_passage(const var_work *w, size_t i, uint32_t pair)
{
    scr_wall_pairs *p = &w->pairs->walls;
    passage c = {.i = (uint32_t)i,
                 .j = UINT32_MAX,
                 .law = &w->world->laws[p->law[pair]],
                 .curvature = 1 / w->world->bodies.place[4 * i + 3],
                 .history = p->history + 4 * (size_t)pair,
                 .touch = p->touch + pair};
    if (p->wide) c.wide = p->wide + 8 * (size_t)pair;
    return c;
}

static double faces_energy(const var_work *w, size_t i, uint32_t from, uint32_t to, vec3 at, bool fresh)
{
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    int count = scr_var_faces(w, from, to, at, false, touches);
    double sum = 0;
    for (int t = 0; t < count; t++) {
        passage c = face_passage(w, i, touches[t].pair);
        int face = (int)w->pairs->walls.face[touches[t].pair];
        if (!fresh || w->world->walls[w->world->faces[face].wall].fresh) sum += energy_of(&c, touches[t].overlap);
    }
    return sum;
}

// with the walls at the start
static void faces_start(const var_work *w, size_t block, size_t i, uint32_t from, uint32_t to, var_sums *sums)
{
    (void)block;
    vec3 x = v3_load(w->world->bodies.place + 4 * i);
    sums->numerical += faces_energy(w, i, from, to, x, false);
    sums->appeared += faces_energy(w, i, from, to, x, true);
}

// with the walls at the stage: elastic forces; those that are lagged leave their numbers in the histories
static void faces_stage(const var_work *w, size_t block, size_t i, uint32_t from, uint32_t to, var_sums *sums)
{
    scr_wall_pairs *p = &w->pairs->walls;
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    rvec u = var_vector(w->rows.u + SCR_ROW * i);
    vec3 at = v3_load(w->world->bodies.place + 4 * i);
    if (!var_is_linear(w)) at = v3_add(at, var_vec3(u));
    if (w->step->want_contacts) scr_clear(p->record + 8 * (size_t)from, 8 * (size_t)(to - from) * sizeof *p->record);
    int count = scr_var_faces(w, from, to, at, false, touches);
    for (uint32_t k = from; k < to; k++) p->history[4 * (size_t)k + 3] = 0;
    for (int t = 0; t < count; t++) {
        passage c = face_passage(w, i, touches[t].pair);
        if (!(touches[t].overlap > 0)) continue;
        const scr_wall *wall = &w->world->walls[w->world->faces[p->face[touches[t].pair]].wall];
        rvec n = var_of(touches[t].normal), lever;
        rvec way = way_against(w, wall, i, n, touches[t].overlap, &lever);
        rvec push = rv_scale(contact_push_of(c.law, touches[t].overlap, c.curvature).force, n);
        sums->numerical -= w->sub.over * rv_dot(push, way);
        note_push(sums, sqrt(rv_dot(push, push)));
        load_bodies(w, c.i, c.j, 0, push, NULL, NULL);
        load_wall(w, block, touches[t].pair, push, lever, none);
        if (w->step->want_contacts) record(p->record + 8 * (size_t)touches[t].pair, push, none);
    }
}

// forces of a lagged contact with a face; its number goes with its history
static void commit_face(const var_work *w, size_t block, const var_near *n, var_lag *l)
{
    passage c = face_passage(w, n->i, n->pair);
    c.lag = l;
    action t = act(w, &c);
    l->more->push = scr_var_face_push(w, n, l);
    c.history[3] = n->lag + 1;
    *c.touch = 1;
    load_bodies(w, n->i, n->j, 0, none, l, &t);
    load_wall(w, block, n->pair, lagged_force(l, &t), l->more->lever, lagged_couple(l, &t));
    if (w->step->want_contacts)
        record(w->pairs->walls.record + 8 * (size_t)n->pair, lagged_force(l, &t), lagged_couple(l, &t));
}

// with the walls and the body at the end
static void faces_end(const var_work *w, size_t block, size_t i, uint32_t from, uint32_t to, var_sums *sums)
{
    scr_wall_pairs *p = &w->pairs->walls;
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    int count = scr_touches_find(w->world, p, from, to, (scr_touch_options){0}, touches);
    for (int t = 0; t < count; t++) {
        passage c = face_passage(w, i, touches[t].pair);
        int number = *c.touch ? (int)c.history[3] : 0;
        if (number > 0) c.lag = &w->contacts.lag[var_base(w, block) + (size_t)number - 1];
        if (c.lag) c.push = c.lag->more->push;
        c.end = touches[t].overlap;
        sums->numerical -= energy_of(&c, c.end);
        action a = act(w, &c);
        note_worst(sums, c.end, touches[t].most);
        book(w, &c, &a, sums);
    }
}

/* ---- passes ---- */

static void start_block(void *context, size_t block)
{
    var_work *w = context;
    each_faced(w, block, faces_start, &w->rows.sums[block]);
}

SCR_CLONED static void stage_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_pairs *p = w->pairs;
    var_sums *sums = &w->rows.sums[block];
    size_t base = var_base(w, block), first = var_block_first(w, block), end = var_block_end(w, block);
    size_t loads = VAR_WALL_SUMS * (size_t)w->world->wall_count;
    scr_clear(w->world->bodies.load + 8 * first, 8 * (end - first) * sizeof(double));
    scr_clear(p->halo + 8 * (size_t)p->block_halo[block],
              8 * (size_t)(p->block_halo[block + 1] - p->block_halo[block]) * sizeof *p->halo);
    scr_clear(w->walls.loads + block * loads, loads * sizeof *w->walls.loads);
    if (w->walls.faced) each_faced(w, block, faces_stage, sums);
    for (uint32_t m = 0; m < w->contacts.count[4 * block]; m++) {
        const var_near *n = &w->contacts.near[base + m];
        var_lag *l = n->lag >= 0 ? &w->contacts.lag[base + (size_t)n->lag] : NULL;
        if (n->kind == VAR_PAIR)
            commit_pair(w, n, l, sums);
        else if (n->kind == VAR_PLANE)
            commit_plane(w, block, n, l, sums);
        else
            commit_face(w, block, n, l);
    }
}

// loads of other blocks; then the bodies (1)
SCR_CLONED static void move_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_pairs *p = w->pairs;
    scr_bodies *b = &w->world->bodies;
    var_sums *sums = &w->rows.sums[block];
    for (uint32_t k = p->block_inbox[block]; k < p->block_inbox[block + 1]; k++) {
        const double *from = p->halo + 8 * (size_t)p->inbox[k];
        double *to = b->load + 8 * (size_t)p->halo_body[p->inbox[k]];
        for (int n = 0; n < 8; n++) to[n] += from[n];
    }
    scr_var_bonds_collect(w, b->load, block);
    if (var_is(w, VAR_BOOKS)) return;
    double over = w->sub.over, extra = w->sub.theta - 0.5, rate = 1 / w->sub.s;
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        const double *u = w->rows.u + SCR_ROW * i, *load = b->load + 8 * i;
        double *x = b->place + 4 * i, *v = b->motion + 4 * i, *spin = b->spin + 4 * i;
        double kicked2 = 0, turned2 = 0, work = 0, inverse = w->rows.mass[VAR_MASS * i + 3];
        for (int d = 0; d < 3; d++) {
            double dv = over * (rate * u[d] - v[d]);
            double dw = over * (rate * inverse * u[4 + d] - spin[d]);
            work -= load[d] * v[d] + load[4 + d] * spin[d];
            x[d] += over * u[d];
            if (v[3] > 0) v[d] += dv, kicked2 += dv * dv;
            if (spin[3] > 0) spin[d] += dw, turned2 += dw * dw;
        }
        if (v[3] > 0) sums->numerical += extra * kicked2 / v[3];
        if (spin[3] > 0) sums->numerical += extra * turned2 / spin[3];
        if (w->world->groups[b->group[i]].drive.moves) sums->group_work += w->sub.h * work;
    }
}

static void end_block(void *context, size_t block)
{
    var_work *w = context;
    each_faced(w, block, faces_end, &w->rows.sums[block]);
}

// in the order of blocks
static void add_up(var_work *w)
{
    scr_ledger *l = &w->world->ledger;
    scr_step_report *last = &w->step->last;
    l->elastic_normal = l->elastic_tangential = l->elastic_rolling = 0;
    l->excess_damping = l->excess_rolling = 0;
    last->contacts = 0, last->worst_overlap = 0;
    w->contacts.strongest = w->bonds.strongest;
    for (size_t b = 0; b < w->pairs->block_count; b++) {
        const var_sums *s = &w->rows.sums[b];
        l->elastic_normal += s->elastic_normal;
        l->elastic_tangential += s->elastic_tangential;
        l->elastic_rolling += s->elastic_rolling;
        last->contacts += s->contacts;
        last->worst_overlap = fmax(last->worst_overlap, s->worst);
        w->contacts.strongest = fmax(w->contacts.strongest, s->strongest);
        if (var_is(w, VAR_BOOKS)) continue;
        l->damping += s->damping, l->friction += s->friction, l->rolling += s->rolling;
        l->numerical += s->numerical, l->inserted += s->appeared, l->group_work += s->group_work;
        l->box_work += s->box_work;
    }
    if (w->world->domain.box.deforms) {
        scr_box_sum inner = {0};
        for (size_t b = 0; b < w->pairs->block_count; b++) scr_box_sum_join(&inner, &w->rows.sums[b].inner);
        scr_box_sum_values(&inner, w->world->box.now.inner);
    }
    w->world->tally.strongest = w->contacts.strongest;
}

void scr_var_commit(var_work *w)
{
    size_t blocks = w->pairs->block_count;
    scr_clear(w->rows.sums, blocks * sizeof *w->rows.sums);
    if (w->walls.faced) {
        scr_var_walls_pose(w, VAR_AT_START);
        scr_each(blocks, NULL, start_block, w);
    }
    scr_var_walls_pose(w, VAR_AT_STAGE);
    scr_each(blocks, w->pairs->block_pairs, stage_block, w);
    scr_var_bonds_commit(w);
    scr_var_walls_add_up(w);
    scr_each(blocks, NULL, move_block, w);
    scr_var_walls_pose(w, VAR_AT_END);
    if (w->walls.faced) scr_each(blocks, NULL, end_block, w);
    add_up(w);
}
