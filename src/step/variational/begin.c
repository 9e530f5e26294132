/* The start of a sub-step: room, predicted rows, and the contacts that may matter with what is lagged of them.
 *
 * The predictor is x + s v, without forces. Normals, dampers, friction limits and which contacts are damped come from
 * it, which is off the stage by O(h^2): the order of the step is kept, and an energy exists. A flag that followed the
 * iterations instead would make the force jump, and the step might have no solution. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "exec/cpu/threads.h"
#include "step/variational/four.h"

#define ROUND 1.0001 /* more than rounding can take of a square */

void scr_var_deinit(var_work *w)
{
    const var_rows *r = &w->rows;
    const var_contact_set *c = &w->contacts;
    const var_wall_set *a = &w->walls;
    const var_bond_set *b = &w->bonds;
    scr_free_all(r->u, r->guess, r->diagonal, r->mass, r->halo, r->sums);
    scr_free_all(c->near, c->shift, c->lag, c->more, c->record, c->slide, c->roll, c->count);
    scr_free_all(w->close.count, w->close.around);
    scr_free_all(a->at, a->loads, a->quiet, a->plain, a->planes, a->plane, a->drives);
    scr_free_all(b->at, b->loads, b->start, b->entry, b->sums);
    scr_minimiser_deinit(&w->solver.minimiser);
}

static size_t count_planes(const scr_world *world)
{
    size_t count = 0;
    for (int f = 0; f < world->face_count; f++) count += world->faces[f].kind == SCR_FACE_PLANE;
    return count;
}

// planes that are contacts by themselves, whatever other faces there are (collide/touch.h, rule 2)
static void find_plain(var_work *w)
{
    const scr_world *world = w->world;
    w->walls.faced = false, w->walls.plane_count = 0;
    for (int f = 0; f < world->face_count; f++) {
        const scr_face *face = &world->faces[f];
        const scr_wall *wall = &world->walls[face->wall];
        bool plain = face->kind == SCR_FACE_PLANE;
        for (int k = 0; k < wall->face_count && plain; k++) {
            const scr_face *other = &world->faces[wall->first_face + k];
            if (other != face) plain = other->kind == SCR_FACE_PLANE && v3_dot(other->axis, face->axis) < 0.9;
        }
        w->walls.plain[f] = plain;
        w->walls.faced |= !plain;
        if (!plain) continue;
        w->walls.plane[f] = (uint32_t)w->walls.plane_count;
        w->walls.planes[w->walls.plane_count++].face = (uint32_t)f;
    }
}

scree_status scr_var_reserve(var_work *w, scree_report *report)
{
    const scr_pairs *p = w->pairs;
    const scr_world *world = w->world;
    var_rows *r = &w->rows;
    var_contact_set *c = &w->contacts;
    var_wall_set *a = &w->walls;
    size_t bodies = world->bodies.table.count, blocks = p->block_count;
    size_t pairs = p->count + p->walls.count, touches = p->walls.count;
    size_t walls = (size_t)world->wall_count, faces = (size_t)world->face_count;
    scree_status status = scr_reserve_all(
        report, "contacts", SCR_ROOM(r->u, SCR_ROW * bodies), SCR_ROOM(r->guess, SCR_ROW * bodies),
        SCR_ROOM(r->mass, VAR_MASS * bodies), SCR_ROOM(r->diagonal, VAR_DIAGONAL * bodies),
        SCR_ROOM(r->halo, VAR_DIAGONAL * p->halo_count), SCR_ROOM(r->sums, blocks), SCR_ROOM(c->near, pairs),
        SCR_ROOM(c->shift, world->domain.box.deforms ? 3 * pairs + 3 : 0), SCR_ROOM(c->lag, pairs),
        SCR_ROOM(c->more, c->rolls ? pairs : touches), SCR_ROOM(c->record, pairs + touches),
        SCR_ROOM(c->slide, pairs + touches), SCR_ROOM(c->roll, c->rolls ? pairs : 0), SCR_ROOM(c->count, 4 * blocks),
        SCR_ROOM(w->close.count, 2 * blocks), SCR_ROOM(w->close.around, VAR_LEAN * bodies), SCR_ROOM(a->quiet, touches),
        SCR_ROOM(a->plain, faces), SCR_ROOM(a->plane, faces), SCR_ROOM(a->planes, count_planes(world)),
        SCR_ROOM(a->at, walls), SCR_ROOM(a->loads, VAR_WALL_SUMS * walls * blocks),
        SCR_ROOM(a->drives, (size_t)world->group_count));
    if (status) return status;
    if (!scr_minimiser_reserve(&w->solver.minimiser, bodies) ||
        (w->step->want_contacts && !scr_pairs_reserve_record(w->pairs)))
        return scr_no_memory(report, "contacts");
    w->solver.lists++;
    find_plain(w);
    return scr_var_bonds_index(w, report);
}

/* ---- rows ---- */

// the predicted rows, and a better guess to start from: the forces go on as in the step before
SCR_CLONED static void predict_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_bodies *b = &w->world->bodies;
    const double *gravity = &w->world->gravity.x;
    // from rest, in steps without end, forces do not go on as they were
    double s2 = w->sub.s * w->sub.s, over = 1 / s2, on = var_is_paced(w) ? 0 : 1;
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        double mass = b->motion[4 * i + 3] > 0 ? 1 / b->motion[4 * i + 3] : 0;
        double arm = b->spin[4 * i + 3] * b->place[4 * i + 3] * b->place[4 * i + 3];
        double *row = w->rows.mass + VAR_MASS * i;
        row[0] = over * mass, row[1] = arm > 0 ? over / arm : 0, row[2] = mass;
        row[3] = 1 / b->place[4 * i + 3];
        double *u = w->rows.u + SCR_ROW * i, *guess = w->rows.guess + SCR_ROW * i;
        double turn = w->sub.s * b->place[4 * i + 3];
        memset(u, 0, SCR_ROW * sizeof *u);
        memset(guess, 0, SCR_ROW * sizeof *guess);
        // from rest nothing is expected
        if (var_is(w, VAR_BOOKS) || var_is(w, VAR_DIRECT)) continue;
        const double *v = b->motion + 4 * i, *spin = b->spin + 4 * i, *load = b->load + 8 * i;
        for (int d = 0; d < 3; d++) {
            guess[d] = w->sub.s * v[d];
            guess[4 + d] = turn * spin[d];
            u[d] = guess[d] + (v[3] > 0 ? on * s2 * (gravity[d] + v[3] * load[d]) : 0);
            u[4 + d] = guess[4 + d] + on * w->sub.s * turn * spin[3] * load[4 + d];
        }
    }
}

// groups of prescribed motion go straight to their next place
static void aim_block(void *context, size_t block)
{
    var_work *w = context;
    scr_world *world = w->world;
    scr_bodies *b = &world->bodies;
    vec3 size = v3_sub(world->domain.upper, world->domain.lower);
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        int group = b->group[i];
        if (!world->groups[group].drive.moves) continue;
        const double *x = b->place + 4 * i;
        const int32_t *n = b->image + 4 * i;
        vec3 at = v3(x[0] + n[0] * size.x, x[1] + n[1] * size.y, x[2] + n[2] * size.z);
        vec3 way = v3_sub(scr_drive_place(&w->walls.drives[group], at), at);
        v3_store(b->motion + 4 * i, v3_scale(1 / w->sub.h, way));
        v3_store(b->spin + 4 * i, v3_scale(w->sub.span / w->sub.h, w->walls.drives[group].spin));
    }
}

void scr_var_predict(var_work *w)
{
    const scr_world *world = w->world;
    bool any = false;
    for (int g = 0; g < world->group_count; g++) {
        if (!world->groups[g].drive.moves || var_is(w, VAR_BOOKS) || w->sub.span == 0) continue;
        w->walls.drives[g] = scr_drive_over(&world->groups[g].drive, w->sub.from, w->sub.span);
        any = true;
    }
    if (any) scr_each(w->pairs->block_count, NULL, aim_block, w);
    scr_each(w->pairs->block_count, NULL, predict_block, w);
}

// at the end of the step: ways are straight, so at the stage bodies are within the slack where they are at both ends
SCR_CLONED static void strayed_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_bodies *b = &w->world->bodies;
    double age = w->sub.time - w->world->clock.listed + w->sub.h, over = w->sub.over;
    double most = 0, ahead2 = 0;
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        double off2 = 0, far2 = 0;
        for (int d = 0; d < 3; d++) {
            double off = w->rows.u[SCR_ROW * i + d] - w->rows.guess[SCR_ROW * i + d];
            off2 += off * off;
            double x = b->place[4 * i + d] + over * w->rows.guess[SCR_ROW * i + d];
            double far = x - (b->anchor[4 * i + d] + age * b->drift[4 * i + d]);
            far2 += far * far;
        }
        ahead2 = off2 > ahead2 ? off2 : ahead2;
        // not a number is too far
        most = far2 <= most ? most : far2;
    }
    w->rows.sums[block].ahead2 = ahead2, w->rows.sums[block].strayed2 = most;
}

double scr_var_strayed(var_work *w, double *ahead)
{
    double strayed2 = 0, ahead2 = 0;
    scr_each(w->pairs->block_count, NULL, strayed_block, w);
    for (size_t b = 0; b < w->pairs->block_count; b++) {
        const var_sums *s = &w->rows.sums[b];
        strayed2 = s->strayed2 <= strayed2 ? strayed2 : s->strayed2;
        ahead2 = r_max(ahead2, s->ahead2);
    }
    *ahead = sqrt(ahead2);
    return sqrt(strayed2);
}

/* ---- what is lagged ---- */

typedef struct {
    const scr_law *law;
    double delta, before; // overlap as predicted, and at the start
    double curvature;
    bool was;
    const double *history, *wide;
} lag_source;

typedef struct {
    var_near *near;
    var_lag *lag;
    var_more *more; // the next one
    uint32_t near_count, lag_count;
    double over;         // 1/s
    double never;        // as never_near
    bool lean;           // nothing is lagged
    bool slow;           // theta > 1/2
    contact_sizes sizes; // of the contact at hand
} gathering;

// springs of a stiffness that depends on the overlap: laid on without stress, kept when it falls (kernel/contact.h); 0
// of a spring that was not there
static double kept(double before, double now)
{
    return before < now ? before / now : 1;
}

// false: nothing to damp and no friction; normal, arms and wall are there already
SCR_INLINE bool make_lag(gathering *out, const lag_source *c, var_lag *l)
{
    const scr_law *law = c->law;
    if (out->lean) return false;
    bool friction = contact_drags(law), held = c->was && c->before > 0;
    bool active = c->delta > 0 || ((friction || law->rolling > 0 || out->slow) && held);
    if (!active) return false;
    double delta = c->delta > 0 ? c->delta : c->before;
    contact_lagged now = contact_lagged_of(law, delta, c->curvature, &out->sizes);
    // One that is expected to part is not damped any more, but its springs hold on. In slow processes that is not news:
    // in a long step the ways of grains that creep are longer than their overlaps, and most of those contacts last.
    if (!(c->delta > 0) && !(out->slow && held)) now.eta = now.eta_t = now.eta_r = 0;
    contact_springs then = {0};
    if (c->was) then = contact_springs_of(law, c->before, c->curvature);
    double load = c->was ? var_load(law, then.push + c->history[3]) : now.push;

    l->eta = now.eta * out->over;
    l->before = c->was ? load : 0;
    l->overlap = c->before;
    l->was = c->was;
    l->k = l->kt = l->limit = 0;
    l->q = (rvec){0, 0, 0};
    if (friction) {
        l->kt = now.kt;
        l->k = now.kt + now.eta_t * out->over;
        l->limit = law->mu * load;
        l->q = rv_scale(now.kt * kept(then.kt, now.kt), contact_turn(var_vector(c->history), l->n));
    }
    if (law->rolling > 0 && now.roll + now.eta_r > 0) {
        if (!l->more) *out->more = (var_more){0};
        var_more *m = l->more = out->more;
        m->roll_spring = now.roll;
        m->roll_k = now.roll + now.eta_r * out->over;
        m->roll_limit = law->rolling_mu * load;
        m->roll_radius = 1 / c->curvature;
        m->roll_q = rv_scale(now.roll * kept(then.roll, now.roll), contact_turn(var_vector(c->wide), l->n));
    }
    if (!(l->eta > 0 || l->k > 0 || var_rolls(l))) return false;
    if (l->more) out->more++;
    return true;
}

/* ---- contacts that may matter ---- */

// of a pair that is near: its lagged contact, if it has one
SCR_INLINE void lag_pair(const var_work *w, const double *v, const double *u, double start2, bool was, var_near *n,
                         gathering *out)
{
    const scr_pairs *p = w->pairs;
    const double stage = var_is_linear(w) ? 0 : w->sub.s;
    const double *one = w->rows.mass + VAR_MASS * (size_t)n->i, *two = w->rows.mass + VAR_MASS * (size_t)n->j;
    rvec at = {n->d[0] + stage * (v[0] - u[0]), n->d[1] + stage * (v[1] - u[1]), n->d[2] + stage * (v[2] - u[2])};
    double at2 = rv_dot(at, at), reach2 = n->reach * n->reach;
    if (!(at2 < reach2) && !(was && start2 < reach2)) return;
    double distance = sqrt(at2);
    lag_source c = {.law = &w->world->laws[n->law],
                    .delta = n->reach - distance,
                    .before = n->reach - sqrt(start2),
                    .curvature = n->curvature,
                    .was = was,
                    .history = p->history + 4 * (size_t)n->pair,
                    .wide = p->wide ? p->wide + 8 * (size_t)n->pair : NULL};
    var_lag *l = &out->lag[out->lag_count];
    l->n = rv_scale(1 / distance, at);
    double half = 0.5 * (c.delta > 0 ? c.delta : c.before);
    l->arm[0] = 1 - half * one[3], l->arm[1] = 1 - half * two[3];
    l->more = NULL;
    contact_sizes_update(&out->sizes, v[3] + u[3]);
    if (make_lag(out, &c, l)) n->lag = (int32_t)out->lag_count++;
}

// in a box that deforms: the way from the nearest image of y to x, and the velocity of that image against the body
static __attribute__((noinline, cold)) void image_of(const var_work *w, const double *x, const double *y, double d[4],
                                                     double away[4])
{
    double speed[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) d[k] = x[k] - y[k];
    scr_image_deformed(&w->images, d, speed);
    for (int k = 0; k < 3; k++) away[k] = var_is(w, VAR_BOOKS) ? 0 : -speed[k];
    d[3] = away[3] = 0;
}

// how far beyond touching two bodies are that do not come near on their predicted ways, wherever these lead
static double never_near(const var_work *w)
{
    double gone2 = 0;
    for (size_t b = 0; b < w->pairs->block_count; b++) {
        double block2 = w->rows.sums[b].gone2;
        gone2 = block2 <= gone2 ? gone2 : block2; // not a number: no pair is
    }
    return 2 * w->sub.over * (w->contacts.reach + sqrt(gone2));
}

SCR_CLONED static void gone_block(void *context, size_t block)
{
    var_work *w = context;
    double gone2 = 0;
    for (size_t i = var_block_first(w, block), end = var_block_end(w, block); i < end; i++) {
        var_row way = *(const var_row *)(w->rows.guess + SCR_ROW * i);
        double way2 = var_dot3(way, way);
        gone2 = way2 <= gone2 ? gone2 : way2;
    }
    w->rows.sums[block].gone2 = gone2;
}

// `deforms` is a constant at each call: boxes that do not have a loop of their own
SCR_INLINE void gather_near(const var_work *w, size_t block, bool deforms, gathering *out)
{
    const scr_pairs *p = w->pairs;
    const scr_world *world = w->world;
    const scr_bodies *b = &world->bodies;
    const double over = w->sub.over, margin = 2 * w->contacts.reach, past = margin * over, never = out->never;
    const double *along = w->images.length, *per = w->images.inverse, big = 0x1.8p52;
    const var_row length = {along[0], along[1], along[2], 0}, inverse = {per[0], per[1], per[2], 0};
    bool one_law = world->material_count == 1;
    for (uint32_t k = p->block_pairs[block]; k < p->block_pairs[block + 1]; k++) {
        size_t i = p->first[k], j = p->second[k];
        const double *x = b->place + 4 * i, *y = b->place + 4 * j, *v = b->motion + 4 * j;
        double sum = x[3] + y[3];
        bool was = p->touch[k];
        var_row d, away;
        if (deforms) {
            image_of(w, x, y, (double *)&d, (double *)&away);
        } else {
            d = *(const var_row *)x - *(const var_row *)y;
            d -= length * ((d * inverse + big) - big); // scr_nearest_image
        }
        double start2 = var_dot3(d, d);
        if (!deforms && !was && start2 > ROUND * (sum + never) * (sum + never)) continue;
        var_row way = *(const var_row *)(w->rows.guess + SCR_ROW * i) - *(const var_row *)(w->rows.guess + SCR_ROW * j);
        if (deforms) way -= w->sub.s * away;
        var_row at = d + way, last = d + way * over;
        bool near = was || var_dot3(at, at) < (sum + margin) * (sum + margin) ||
                    var_dot3(last, last) < (sum + past) * (sum + past) || start2 < sum * sum;
        if (!near) continue;
        var_near *n = &out->near[out->near_count++];
        *n = (var_near){.curvature = w->rows.mass[VAR_MASS * i + 3] + w->rows.mass[VAR_MASS * j + 3],
                        .i = (uint32_t)i,
                        .j = (uint32_t)j,
                        .sink = p->sink[k],
                        .pair = k,
                        .lag = -1,
                        .law = one_law ? 0 : p->law[k],
                        .kind = VAR_PAIR};
        d[3] = sum;
        *(var_four *)n->d = d; // and reach
        double moved[4] = {0, 0, 0, v[3]};
        for (int axis = 0; deforms && axis < 3; axis++) {
            w->contacts.shift[3 * (n - w->contacts.near) + axis] = w->sub.s * away[axis];
            moved[axis] = v[axis] + away[axis];
        }
        lag_pair(w, b->motion + 4 * i, deforms ? moved : v, start2, was, n, out);
    }
}

SCR_CLONED static void gather_pairs(const var_work *w, size_t block, gathering *out)
{
    if (w->images.deforms)
        gather_near(w, block, true, out);
    else
        gather_near(w, block, false, out);
}

// a wall's way until the stage at the point of contact
static void lag_wall(const var_work *w, const scr_wall *wall, vec3 place, double arm, var_lag *l, var_more *more)
{
    vec3 point = v3_axpy(place, -arm, var_vec3(l->n));
    *more = (var_more){.lever = var_of(v3_sub(point, scr_wall_reference(wall)))};
    if (!var_is(w, VAR_BOOKS)) more->shift = rv_scale(w->sub.s, var_wall_velocity(wall, more->lever));
    l->more = more;
}

static void add_plane(const var_work *w, uint32_t k, gathering *out)
{
    const scr_world *world = w->world;
    const scr_wall_pairs *p = &w->pairs->walls;
    const scr_wall *wall = &world->walls[world->faces[p->face[k]].wall];
    if (!wall->active) return;
    size_t i = p->body[k];
    const var_plane *plane = &w->walls.planes[w->walls.plane[p->face[k]]];
    vec3 x = v3_load(world->bodies.place + 4 * i), v = v3_load(world->bodies.motion + 4 * i);
    vec3 n = plane->axis[VAR_AT_STAGE], way = v3_load(w->rows.guess + SCR_ROW * i);
    double radius = world->bodies.place[4 * i + 3], over = w->sub.over;
    double reach = radius - v3_dot(n, v3_sub(x, plane->point[VAR_AT_STAGE]));
    double before = radius - v3_dot(plane->axis[VAR_AT_START], v3_sub(x, plane->point[VAR_AT_START]));
    double end = radius - v3_dot(plane->axis[VAR_AT_END], v3_sub(v3_axpy(x, over, way), plane->point[VAR_AT_END]));
    if (!p->touch[k] && !(before > 0) && reach - v3_dot(n, way) < -w->contacts.reach && end < -over * w->contacts.reach)
        return;
    var_near *near = &out->near[out->near_count++];
    *near = (var_near){.d = {n.x, n.y, n.z},
                       .reach = reach,
                       .curvature = w->rows.mass[VAR_MASS * i + 3],
                       .i = (uint32_t)i,
                       .j = UINT32_MAX,
                       .pair = k,
                       .lag = -1,
                       .law = p->law[k],
                       .kind = VAR_PLANE};
    double stage = var_is_linear(w) ? 0 : w->sub.s;
    lag_source c = {.law = &world->laws[near->law],
                    .delta = near->reach - stage * v3_dot(n, v),
                    .before = before,
                    .curvature = near->curvature,
                    .was = p->touch[k],
                    .history = p->history + 4 * (size_t)k,
                    .wide = p->wide ? p->wide + 8 * (size_t)k : NULL};
    if (!(c.delta > 0) && !(c.was && before > 0)) return;
    var_lag *l = &out->lag[out->lag_count];
    l->n = var_of(n);
    double arm = radius - 0.5 * (c.delta > 0 ? c.delta : c.before);
    l->arm[0] = arm * near->curvature, l->arm[1] = 0;
    lag_wall(w, wall, v3_axpy(x, stage, v), arm, l, out->more);
    contact_sizes_update(&out->sizes, world->bodies.motion[4 * i + 3]);
    if (make_lag(out, &c, l)) near->lag = (int32_t)out->lag_count++;
}

// contacts of a body with faces that are not planes alone: those that are lagged
static void add_faces(const var_work *w, uint32_t from, uint32_t to, gathering *out)
{
    const scr_world *world = w->world;
    scr_wall_pairs *p = &w->pairs->walls;
    size_t i = p->body[from];
    const double *place = world->bodies.place + 4 * i;
    vec3 x = v3_load(place), v = v3_load(world->bodies.motion + 4 * i);
    vec3 at = v3_axpy(x, var_is_linear(w) ? 0 : w->sub.s, v);
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    int count = scr_touches_find(world, p, from, to, (scr_touch_options){.at = &at}, touches);
    for (int t = 0; t < count; t++) {
        const scr_touch *touch = &touches[t];
        uint32_t k = touch->pair;
        const scr_wall *wall = &world->walls[world->faces[p->face[k]].wall];
        lag_source c = {.law = &world->laws[p->law[k]],
                        .delta = touch->overlap,
                        .before = touch->overlap,
                        .curvature = 1 / place[3],
                        .was = p->touch[k],
                        .history = p->history + 4 * (size_t)k,
                        .wide = p->wide ? p->wide + 8 * (size_t)k : NULL};
        if (c.was) {
            const scr_face *face = &world->faces[p->face[k]];
            vec3 local = pose_point_back(&w->walls.at[face->wall].start, x);
            c.before = place[3] - scr_face_nearest(face, local).distance;
        }
        var_lag *l = &out->lag[out->lag_count];
        l->n = var_of(touch->normal);
        double arm = place[3] - 0.5 * touch->overlap;
        l->arm[0] = arm / place[3], l->arm[1] = 0;
        lag_wall(w, wall, at, arm, l, out->more);
        contact_sizes_update(&out->sizes, world->bodies.motion[4 * i + 3]);
        if (!make_lag(out, &c, l)) continue;
        out->near[out->near_count++] = (var_near){.curvature = c.curvature,
                                                  .i = (uint32_t)i,
                                                  .j = UINT32_MAX,
                                                  .pair = k,
                                                  .lag = (int32_t)out->lag_count++,
                                                  .law = p->law[k],
                                                  .kind = VAR_FACE};
    }
}

SCR_CLONED static void gather_block(void *context, size_t block)
{
    var_work *w = context;
    const scr_wall_pairs *p = &w->pairs->walls;
    size_t base = var_base(w, block);
    gathering out = {.lean = var_is(w, VAR_FALL),
                     .slow = w->sub.theta > 0.5,
                     .near = w->contacts.near + base,
                     .lag = w->contacts.lag + base,
                     .more = w->contacts.more + (w->contacts.rolls ? base : w->pairs->block_walls[block]),
                     .over = 1 / w->sub.s,
                     .never = never_near(w)};
    gather_pairs(w, block, &out);
    uint32_t end = w->pairs->block_walls[block + 1], next;
    for (uint32_t k = w->pairs->block_walls[block]; k < end; k = next) {
        bool plain = true;
        for (next = k; next < end && p->body[next] == p->body[k]; next++) plain &= w->walls.plain[p->face[next]];
        if (w->world->bodies.motion[4 * (size_t)p->body[k] + 3] == 0) continue;
        if (plain)
            for (uint32_t m = k; m < next; m++) add_plane(w, m, &out);
        else
            add_faces(w, k, next, &out);
    }
    w->contacts.count[4 * block] = out.near_count, w->contacts.count[4 * block + 1] = out.lag_count;
}

void scr_var_gather(var_work *w, double room)
{
    w->contacts.reach = room, w->close.due = true;
    scr_var_planes_place(w);
    scr_each(w->pairs->block_count, NULL, gone_block, w);
    scr_each(w->pairs->block_count, w->pairs->block_pairs, gather_block, w);
    scr_var_bonds_predict(w);
}

// elastic force of two bodies, or of one and a plane, at the solution
static double stage_push(const var_work *w, const var_near *n, const double *a, const double *b)
{
    rvec d = var_vector(n->d), u = var_vector(a);
    if (b) u = rv_sub(u, var_vector(b));
    if (var_is(w, VAR_EXACT)) return scr_var_secant_of(w, n, u).force;
    if (var_is_linear(w)) u = (rvec){0, 0, 0};
    double delta = n->reach - rv_dot(d, u);
    if (b) {
        d = rv_add(d, u);
        delta = n->reach - sqrt(rv_dot(d, d));
    }
    return delta > 0 ? contact_push_of(&w->world->laws[n->law], delta, n->curvature).force : 0;
}

static void limits_block(void *context, size_t block)
{
    var_work *w = context;
    size_t base = var_base(w, block);
    for (uint32_t m = 0; m < w->contacts.count[4 * block]; m++) {
        const var_near *n = &w->contacts.near[base + m];
        if (n->lag < 0) continue;
        var_lag *l = &w->contacts.lag[base + (size_t)n->lag];
        const scr_law *law = &w->world->laws[n->law];
        const double *a = w->rows.u + SCR_ROW * (size_t)n->i;
        double room[SCR_ROW];
        const double *b = n->kind == VAR_PAIR ? var_second(w, n, w->rows.u, room) : NULL;
        double push = n->kind == VAR_FACE ? scr_var_face_push(w, n, l) : stage_push(w, n, a, b);
        double load = var_load(law, push - l->eta * rv_dot(var_slip(l, a, b), l->n));
        l->limit = law->mu * load;
        if (l->more) l->more->roll_limit = law->rolling_mu * load;
    }
}

void scr_var_update_limits(var_work *w)
{
    scr_each(w->pairs->block_count, NULL, limits_block, w);
}
