#include "collide/cell_touch.h"

#include <string.h>

#include "math/elementary.h"

#define MOST_NEAR  128 /* cells near one sphere that are looked at */
#define MOST_GROUP SCR_MOST_SIDES_MEET
#define YIELD      0.03      /* e of (1) */
#define SMOOTH     0.9396926 /* cosine of 20 degrees: contacts more alike are one */
#define HUGE_GAP   1e30      /* [m]: contacts that have ended */
#define PASSES     0.9       /* cosine within which a history passes on */

static double hull_size(const scr_world *w, int32_t cell)
{
    return scr_cbrt(scr_cell_volume(&w->cells, (size_t)cell));
}

/* ---- history ---- */

/* Rows of the last evaluation that belong to a group, and whether each is taken. */
typedef struct {
    size_t from, end;
    bool taken[2 * SCR_MOST_CELL_TOUCHES];
} past;

// rows [from, end) of one group, as many as can be looked at; none is taken
static void past_begin(past *p, size_t from, size_t end)
{
    if (end - from > 2 * SCR_MOST_CELL_TOUCHES) end = from + 2 * SCR_MOST_CELL_TOUCHES;
    p->from = from, p->end = end;
    memset(p->taken, 0, end - from);
}

static void past_of_grain(const scr_world *w, int64_t id, past *p)
{
    size_t end, from = scr_cell_contacts_of(&w->cell_contacts, SCR_MEET_GRAIN_CELL, id, &end);
    past_begin(p, from, end);
}

// of a cell of the hull; second: only with this partner, or -1
static void past_of_cell(const scr_cell_finder *f, int kind, size_t hull, int32_t second, past *p)
{
    const scr_cell_contacts *c = &f->world->cell_contacts;
    size_t from, end;
    if (f->places) {
        const size_t *start = f->places->row[kind - SCR_MEET_CELL_WALL];
        from = start[hull], end = start[hull + 1];
    } else {
        from = scr_cell_contacts_of(c, kind, f->pairs->hulls.cell[hull], &end);
    }
    while (second >= 0 && from < end && c->second[from] < second) from++;
    while (second >= 0 && from < end && c->second[end - 1] > second) end--;
    past_begin(p, from, end);
}

static bool same_parts(const scr_cell_contacts *c, size_t row, const scr_cell_touch *t)
{
    return c->second[row] == t->second && c->feature[2 * row] == t->feature[0] &&
           (t->kind == SCR_MEET_GRAIN_CELL || c->feature[2 * row + 1] == t->feature[1]);
}

// whether a contact that is left over can be the same on another part
static bool can_pass(const scr_world *w, size_t row, const scr_cell_touch *t)
{
    const scr_cell_contacts *c = &w->cell_contacts;
    if (v3_dot(v3_load(c->normal + 4 * row), t->normal) < PASSES) return false;
    if (t->kind == SCR_MEET_GRAIN_CELL) return w->cells.solid[c->second[row]] == w->cells.solid[t->second];
    if (t->kind == SCR_MEET_CELL_WALL)
        return w->faces[c->second[row]].wall == w->faces[t->second].wall && c->feature[2 * row] == t->feature[0];
    double near = 0.1 * hull_size(w, (int32_t)t->first);
    return c->second[row] == t->second && v3_norm(v3_sub(v3_load(c->place + 4 * row), t->point)) < near;
}

static void match(const scr_world *w, past *p, scr_cell_touch *touches, int count)
{
    const scr_cell_contacts *c = &w->cell_contacts;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++)
            for (size_t row = p->from; row < p->end && touches[k].row < 0; row++) {
                if (p->taken[row - p->from]) continue;
                if (!(pass ? can_pass(w, row, &touches[k]) : same_parts(c, row, &touches[k]))) continue;
                touches[k].row = (int64_t)row;
                p->taken[row - p->from] = true;
            }
}

/* ---- velocities ---- */

static vec3 cell_velocity(const scr_world *w, int32_t cell, vec3 arm)
{
    size_t k = (size_t)cell;
    return v3_add(v3_load(w->cells.velocity + 4 * k), v3_cross(scr_cell_spin(&w->cells, k), arm));
}

// of all cells of sides [from, to), as they share what grips
static vec3 side_velocity(const scr_world *w, const scr_cell_touch *t, int from, int to)
{
    vec3 v = {0, 0, 0};
    for (int k = from; k < to; k++) v = v3_axpy(v, t->side[k].grip, cell_velocity(w, t->side[k].cell, t->side[k].arm));
    return v;
}

static vec3 wall_velocity(const scr_world *w, int32_t face, vec3 x)
{
    const scr_wall *wall = &w->walls[w->faces[face].wall];
    return v3_add(wall->velocity, v3_cross(wall->spin, v3_sub(x, scr_wall_reference(wall))));
}

/* ---- a sphere and cells ---- */

typedef struct {
    size_t hull;
    scr_convex_spot spot; /* in the frame of the cell */
    pose place;
    vec3 normal; /* in the world */
    double overlap;
    bool grouped;
} candidate;

typedef struct {
    const scr_cell_finder *f;
    size_t body;
    vec3 x, v;
    double radius;
    candidate near[MOST_NEAR];
    int count;
} sphere;

static vec3 image_shift(const scr_cell_finder *f, vec3 d)
{
    const scr_images *m = &f->pairs->images;
    return v3(scr_nearest_image(m, 0, d.x) - d.x, scr_nearest_image(m, 1, d.y) - d.y,
              scr_nearest_image(m, 2, d.z) - d.z);
}

static bool has_images(const scr_cell_finder *f)
{
    const double *inverse = f->pairs->images.inverse;
    return inverse[0] != 0 || inverse[1] != 0 || inverse[2] != 0;
}

// from a cell to the image of another that is nearest to it
static vec3 shift_between(const scr_cell_finder *f, int32_t first, int32_t second)
{
    const scr_cells *c = &f->world->cells;
    if (!has_images(f)) return v3(0, 0, 0);
    return image_shift(f, v3_sub(scr_cell_centre(c, (size_t)first), scr_cell_centre(c, (size_t)second)));
}

static const scr_law *law_of(const scr_world *w, int material, int32_t cell)
{
    return scr_world_law(w, material, w->solids[w->cells.solid[cell]].material);
}

// radius of the ball of a cell's volume, with which it counts where no sphere takes part
static double ball_of(const scr_cell_finder *f, size_t hull)
{
    if (f->places) return f->places->ball[hull];
    return scr_cbrt(0.75 / M_PI * scr_cell_volume(&f->world->cells, (size_t)f->pairs->hulls.cell[hull]));
}

static void look(sphere *s, size_t hull)
{
    const scr_world *w = s->f->world;
    const scr_hulls *h = &s->f->pairs->hulls;
    int32_t cell = h->cell[hull];
    candidate c = {.hull = hull, .place = scr_hull_pose(w, cell)};
    c.place.shift = v3_sub(c.place.shift, image_shift(s->f, v3_sub(s->x, c.place.shift)));
    vec3 local = pose_point_back(&c.place, s->x), apart = v3_sub(local, h->shape[hull].centre);
    double range = scr_law_range(law_of(w, w->bodies.material[s->body], cell), s->radius);
    double far = h->shape[hull].radius + s->radius + range;
    if (v3_dot(apart, apart) >= far * far || !scr_convex_nearest(&h->shape[hull], local, &c.spot)) return;
    c.overlap = s->radius - c.spot.distance;
    if (c.overlap <= -range) return;
    c.normal = pose_vector(&c.place, c.spot.normal);
    if (s->count < MOST_NEAR) {
        s->near[s->count++] = c;
        return;
    }
    int worst = 0;
    for (int k = 1; k < MOST_NEAR; k++)
        if (s->near[k].overlap < s->near[worst].overlap) worst = k;
    if (s->near[worst].overlap < c.overlap) s->near[worst] = c;
}

// a neighbour across a glued face that has the nearest point is nearer, and part of a contact
static bool is_hidden(const sphere *s, const candidate *c)
{
    const scr_hulls *h = &s->f->pairs->hulls;
    int faces[SCR_MOST_FACES];
    if (!c->spot.shared) return false;
    int n = scr_convex_faces_at(&h->shape[c->hull], c->spot.feature, faces, SCR_MOST_FACES);
    for (int k = 0; k < n; k++) {
        int32_t other = scr_hull_across(h, s->f->world, c->hull, faces[k]);
        for (int m = 0; other >= 0 && m < s->count; m++)
            if (h->cell[s->near[m].hull] == other && s->near[m].grouped) return true;
    }
    return false;
}

static int next_lead(const sphere *s)
{
    int lead = -1;
    for (int k = 0; k < s->count; k++)
        if (!s->near[k].grouped && (lead < 0 || s->near[k].overlap > s->near[lead].overlap)) lead = k;
    return lead;
}

// cells that make one contact with the lead, the deepest of them; the lead first
static int gather(sphere *s, int lead, candidate *member[MOST_GROUP])
{
    const scr_cells *cells = &s->f->world->cells;
    const scr_hulls *h = &s->f->pairs->hulls;
    int n = 0, solid = cells->solid[h->cell[s->near[lead].hull]];
    member[n++] = &s->near[lead];
    s->near[lead].grouped = true;
    for (int k = 0; k < s->count; k++) {
        candidate *c = &s->near[k];
        if (c->grouped || cells->solid[h->cell[c->hull]] != solid || v3_dot(c->normal, member[0]->normal) <= SMOOTH)
            continue;
        c->grouped = true;
        if (c->overlap <= 0) continue; // adds nothing
        int at = n;
        while (at > 1 && member[at - 1]->overlap < c->overlap) at--;
        if (n < MOST_GROUP) n++;
        for (int m = n - 1; m > at; m--) member[m] = member[m - 1];
        if (at < MOST_GROUP) member[at] = c;
    }
    return n;
}

// the normal half a step ago: that of the same feature where the sphere came from
static vec3 half_normal(const sphere *s, const candidate *c)
{
    const scr_world *w = s->f->world;
    const scr_hulls *h = &s->f->pairs->hulls;
    int32_t cell = h->cell[c->hull];
    double half = 0.5 * s->f->dt;
    vec3 spin = scr_cell_spin(&w->cells, (size_t)cell), from = v3_sub(s->x, c->place.shift);
    vec3 back = v3_sub(s->v, v3_add(v3_load(w->cells.velocity + 4 * (size_t)cell), v3_cross(spin, from)));
    vec3 local = pose_point_back(&c->place, v3_axpy(s->x, -half, back));
    vec3 n = pose_vector(&c->place, scr_convex_normal(&h->shape[c->hull], c->spot.feature, local));
    return v3_unit(v3_axpy(n, -half, v3_cross(spin, n)));
}

/* (1) for the cells in `active`: (n_i.n_j + e) s_j = d_i, by Cholesky's factors. */
static void solve(candidate *const *member, const int *active, int count, double *s)
{
    double l[MOST_GROUP][MOST_GROUP], y[MOST_GROUP];
    for (int i = 0; i < count; i++) {
        const candidate *a = member[active[i]];
        double rest = a->overlap;
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? 1 + YIELD : v3_dot(a->normal, member[active[j]]->normal);
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
        for (int k = 0; k < i; k++) rest -= l[i][k] * y[k];
        y[i] = rest / l[i][i];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++) y[i] -= l[k][i] * y[k];
        y[i] /= l[i][i];
        s[i] = y[i];
    }
}

static vec3 displacement(candidate *const *member, const int *active, const double *s, int count)
{
    vec3 u = {0, 0, 0};
    for (int k = 0; k < count; k++) u = v3_axpy(u, s[k], member[active[k]]->normal);
    return u;
}

// a cell that has to be added to those which press, or -1
static int left_out(candidate *const *member, int count, const bool *presses, vec3 u)
{
    int worst = -1;
    double most = 1e-14 * member[0]->overlap;
    for (int k = 0; k < count; k++) {
        double short_of = member[k]->overlap - v3_dot(u, member[k]->normal);
        if (!presses[k] && short_of > most) most = short_of, worst = k;
    }
    return worst;
}

/* Which of the members press, how much, and u: adds the one that is most short of being freed, drops those that would
 * pull (after Lawson & Hanson 1974). */
static int yielding_push(candidate *const *member, int count, int *active, double *s, vec3 *u)
{
    bool presses[MOST_GROUP] = {true};
    int n = 0;
    for (int round = 0; round < 4 * MOST_GROUP; round++) {
        n = 0;
        for (int k = 0; k < count; k++)
            if (presses[k]) active[n++] = k;
        solve(member, active, n, s);
        bool pulls = false;
        for (int k = 0; k < n; k++)
            if (s[k] < 0) presses[active[k]] = false, pulls = true;
        if (pulls) continue;
        *u = displacement(member, active, s, n);
        int more = left_out(member, count, presses, *u);
        if (more < 0) break;
        presses[more] = true;
    }
    for (int k = 0; k < n; k++) s[k] = fmax(s[k], 0);
    *u = displacement(member, active, s, n);
    return n;
}

// how n turns towards u as the sphere moves: J u, J = dn/dx
static vec3 turned_by(const candidate *c, const scr_convex *shape, vec3 u)
{
    int kind = scr_feature_kind(c->spot.feature), number = scr_feature_number(c->spot.feature);
    if (kind == SCR_FEATURE_FACE || !(c->spot.distance > 0)) return v3(0, 0, 0);
    vec3 across = v3_axpy(u, -v3_dot(u, c->normal), c->normal);
    if (kind == SCR_FEATURE_EDGE) {
        const uint16_t *ends = shape->edges[number].corner;
        vec3 along = v3_unit(v3_sub(shape->corners[ends[1]], shape->corners[ends[0]]));
        along = pose_vector(&c->place, along);
        across = v3_axpy(across, -v3_dot(across, along), along);
    }
    return v3_scale(1 / c->spot.distance, across);
}

// (2) and (3)
static void share_out(const sphere *s, candidate *const *member, int count, scr_cell_touch *t)
{
    const scr_hulls *h = &s->f->pairs->hulls;
    int active[MOST_GROUP] = {0}, n = 1;
    double press[MOST_GROUP] = {member[0]->overlap / (1 + YIELD)}, sum = 0, energy = 0;
    vec3 u = v3_scale(press[0], member[0]->normal);
    if (count > 1) n = yielding_push(member, count, active, press, &u);
    for (int k = 0; k < n; k++) sum += press[k], energy += YIELD * press[k] * press[k];
    energy += v3_dot(u, u);
    if (n > 1) t->overlap = sqrt((1 + YIELD) * energy), t->normal = v3_unit(u);
    t->side_count = n;
    t->point = v3_scale(0.5 * t->overlap - s->radius, t->normal);
    for (int k = 0; k < n; k++) {
        const candidate *c = member[active[k]];
        double scale = n > 1 ? (1 + YIELD) * press[k] / t->overlap : 1;
        vec3 bend = n > 1 ? turned_by(c, &h->shape[c->hull], u) : v3(0, 0, 0);
        vec3 twist = n > 1 ? v3_scale(scale, v3_cross(c->normal, u)) : v3(0, 0, 0);
        t->side[k] = (scr_cell_side){.cell = h->cell[c->hull],
                                     .push = v3_scale(scale, v3_add(c->normal, bend)),
                                     .twist = twist,
                                     .grip = n > 1 ? press[k] / sum : 1,
                                     .arm = v3_sub(v3_add(s->x, t->point), c->place.shift)};
    }
}

// the normal part of the velocity, at which the overlap of several cells falls
static double parting(const scr_world *w, const scr_cell_touch *t, vec3 v)
{
    double sum = 0;
    for (int k = 0; k < t->side_count; k++) {
        const scr_cell_side *side = &t->side[k];
        vec3 other = cell_velocity(w, side->cell, v3_sub(side->arm, t->point));
        sum += v3_dot(side->push, v3_sub(v, other)) + v3_dot(side->twist, scr_cell_spin(&w->cells, (size_t)side->cell));
    }
    return sum;
}

static void make_contact(const sphere *s, candidate *const *member, int count, scr_cell_touch *t)
{
    const scr_world *w = s->f->world;
    const candidate *lead = member[0];
    *t = (scr_cell_touch){.kind = SCR_MEET_GRAIN_CELL,
                          .first = w->bodies.id[s->body],
                          .second = s->f->pairs->hulls.cell[lead->hull],
                          .feature = {0, lead->spot.feature},
                          .row = -1,
                          .overlap = lead->overlap,
                          .share = 1,
                          .normal = lead->normal,
                          .body = (uint32_t)s->body};
    share_out(s, member, count, t);
    bool alone = t->side_count == 1;
    t->normal_half = s->f->improved && alone && s->f->dt > 0 ? half_normal(s, lead) : t->normal;
    t->velocity = v3_sub(s->v, side_velocity(w, t, 0, t->side_count));
    if (alone) return;
    double along = parting(w, t, s->v) - v3_dot(t->velocity, t->normal);
    t->velocity = v3_axpy(t->velocity, along, t->normal);
}

// one that is over: so far apart that it is none, where it was
static void end_grain(const sphere *s, size_t row, scr_cell_touch *t)
{
    const scr_world *w = s->f->world;
    const scr_cell_contacts *c = &w->cell_contacts;
    int32_t cell = c->second[row];
    *t = (scr_cell_touch){.kind = SCR_MEET_GRAIN_CELL,
                          .first = c->first[row],
                          .second = cell,
                          .feature = {0, c->feature[2 * row + 1]},
                          .row = (int64_t)row,
                          .ended = true,
                          .overlap = -HUGE_GAP,
                          .share = 1,
                          .normal = v3_load(c->normal + 4 * row),
                          .point = v3_load(c->place + 4 * row),
                          .body = (uint32_t)s->body,
                          .side_count = 1};
    t->normal_half = t->normal;
    vec3 centre = scr_cell_centre(&w->cells, (size_t)cell), from = v3_sub(s->x, centre);
    t->side[0] = (scr_cell_side){.cell = cell, .push = t->normal, .grip = 1};
    t->side[0].arm = v3_add(v3_add(from, image_shift(s->f, from)), t->point);
    t->velocity = v3_sub(s->v, side_velocity(w, t, 0, 1));
}

int scr_cell_touch_grain(const scr_cell_finder *f, size_t g, scr_cell_touch *touches)
{
    const scr_near_list *l = &f->pairs->grains;
    size_t at = f->pairs->by_id[g].at;
    const scr_bodies *b = &f->world->bodies;
    sphere s;
    s.f = f, s.body = l->owner[at], s.count = 0;
    s.x = v3_load(b->place + 4 * s.body), s.v = v3_load(b->motion + 4 * s.body), s.radius = b->place[4 * s.body + 3];
    for (uint32_t k = l->first[at]; k < l->first[at + 1]; k++) look(&s, l->items[k]);
    int n = 0, lead;
    while (n < SCR_MOST_CELL_TOUCHES && (lead = next_lead(&s)) >= 0) {
        candidate *member[MOST_GROUP];
        if (is_hidden(&s, &s.near[lead])) {
            s.near[lead].grouped = true;
            continue;
        }
        int count = gather(&s, lead, member);
        make_contact(&s, member, count, &touches[n++]);
    }
    past p;
    past_of_grain(f->world, b->id[s.body], &p);
    match(f->world, &p, touches, n);
    for (size_t row = p.from; row < p.end && n < 2 * SCR_MOST_CELL_TOUCHES; row++)
        if (!p.taken[row - p.from]) end_grain(&s, row, &touches[n++]);
    return n;
}

/* ---- cells and walls, cells and cells ---- */

/* A cell and its partner, a wall's face or a cell: what all their contacts share. */
typedef struct {
    int kind;
    int32_t first, second;
    vec3 centre; /* of the first */
    vec3 from;   /* of two cells: to the first's centre from that of the second, or of its image */
    vec3 velocity[2], spin[2];
} couple;

// of a cell of the hull
static vec3 hull_spin(const scr_cell_finder *f, int32_t cell)
{
    if (!f->places) return scr_cell_spin(&f->world->cells, (size_t)cell);
    return f->places->spin[f->pairs->hulls.of_cell[cell]];
}

static couple couple_of(const scr_cell_finder *f, int kind, int32_t first, int32_t second)
{
    const scr_cells *cells = &f->world->cells;
    couple c = {.kind = kind, .first = first, .second = second, .centre = scr_cell_centre(cells, (size_t)first)};
    if (kind != SCR_MEET_CELL_CELL) return c;
    vec3 d = v3_sub(c.centre, scr_cell_centre(cells, (size_t)second));
    c.from = has_images(f) ? v3_add(d, image_shift(f, d)) : d;
    return c;
}

static void couple_moves(const scr_cell_finder *f, couple *c)
{
    const scr_cells *cells = &f->world->cells;
    c->velocity[0] = v3_load(cells->velocity + 4 * (size_t)c->first), c->spin[0] = hull_spin(f, c->first);
    if (c->kind != SCR_MEET_CELL_CELL) return;
    c->velocity[1] = v3_load(cells->velocity + 4 * (size_t)c->second), c->spin[1] = hull_spin(f, c->second);
}

static void touch_of_point(const couple *c, const scr_meeting_point *m, scr_cell_touch *t)
{
    memset(t, 0, offsetof(scr_cell_touch, side));
    t->kind = c->kind, t->first = c->first, t->second = c->second;
    t->feature[0] = m->feature[0], t->feature[1] = m->feature[1];
    t->row = -1, t->overlap = m->overlap, t->share = m->share;
    t->normal = t->normal_half = m->normal;
    t->point = v3_sub(m->point, c->centre);
    t->side_count = c->kind == SCR_MEET_CELL_WALL ? 1 : 2;
    t->side[0] = (scr_cell_side){.cell = c->first, .push = t->normal, .grip = 1, .arm = t->point};
    if (c->kind != SCR_MEET_CELL_CELL) return;
    vec3 arm = v3_add(c->from, t->point);
    t->side[1] = (scr_cell_side){.cell = c->second, .push = v3_scale(-1, t->normal), .grip = 1, .arm = arm};
}

static vec3 point_velocity(const couple *c, int side, vec3 arm)
{
    return v3_add(c->velocity[side], v3_cross(c->spin[side], arm));
}

static void set_velocity(const scr_world *w, const couple *c, scr_cell_touch *t)
{
    vec3 v = point_velocity(c, 0, t->side[0].arm);
    vec3 other = c->kind == SCR_MEET_CELL_WALL ? wall_velocity(w, t->second, v3_add(c->centre, t->point))
                                               : point_velocity(c, 1, t->side[1].arm);
    t->velocity = v3_sub(v, other);
}

void scr_cell_touch_over(const scr_cell_finder *f, size_t row, scr_cell_touch *t)
{
    const scr_cell_contacts *c = &f->world->cell_contacts;
    couple pair = couple_of(f, c->kind[row], (int32_t)c->first[row], c->second[row]);
    scr_meeting_point m = {.point = v3_add(pair.centre, v3_load(c->place + 4 * row)),
                           .normal = v3_load(c->normal + 4 * row),
                           .overlap = -HUGE_GAP,
                           .share = c->normal[4 * row + 3],
                           .feature = {c->feature[2 * row], c->feature[2 * row + 1]}};
    touch_of_point(&pair, &m, t);
    t->row = (int64_t)row, t->ended = true;
    vec3 v = cell_velocity(f->world, t->side[0].cell, t->side[0].arm);
    vec3 other = t->kind == SCR_MEET_CELL_WALL ? wall_velocity(f->world, t->second, m.point)
                                               : cell_velocity(f->world, t->side[1].cell, t->side[1].arm);
    t->velocity = v3_sub(v, other);
}

// a cell of the hull where it is, or its image
static const scr_convex *hull_in_place(const scr_cell_finder *f, size_t hull, vec3 shift, scr_convex_room *room,
                                       scr_convex *moved)
{
    const scr_hulls *h = &f->pairs->hulls;
    if (f->places && shift.x == 0 && shift.y == 0 && shift.z == 0) return &f->places->shape[hull];
    pose place = scr_hull_pose(f->world, h->cell[hull]);
    place.shift = v3_sub(place.shift, shift);
    scr_convex_moved(&h->shape[hull], &place, room, moved);
    return moved;
}

// the deepest contact of a corner or edge with a smooth part of a wall
static void keep_deepest(const scr_world *w, scr_cell_touch *touches, int *n, const scr_cell_touch *t)
{
    for (int k = 0; k < *n; k++) {
        scr_cell_touch *o = &touches[k];
        if (o->feature[0] != t->feature[0] || w->faces[o->second].wall != w->faces[t->second].wall ||
            v3_dot(o->normal, t->normal) <= SMOOTH)
            continue;
        if (t->overlap > o->overlap) scr_cell_touch_copy(o, t);
        return;
    }
    if (*n < SCR_MOST_CELL_TOUCHES) scr_cell_touch_copy(&touches[(*n)++], t);
}

int scr_cell_touch_walls(const scr_cell_finder *f, size_t g, scr_cell_touch *touches)
{
    const scr_world *w = f->world;
    const scr_near_list *l = &f->pairs->walls;
    size_t hull = l->owner[g];
    int32_t cell = f->pairs->hulls.cell[hull];
    double ball = ball_of(f, hull);
    scr_convex_room room;
    scr_convex moved_body;
    const scr_convex *body = hull_in_place(f, hull, v3(0, 0, 0), &room, &moved_body);
    couple pair = couple_of(f, SCR_MEET_CELL_WALL, cell, -1);
    couple_moves(f, &pair);
    int n = 0;
    for (uint32_t k = l->first[g]; k < l->first[g + 1]; k++) {
        int32_t face = (int32_t)l->items[k];
        const scr_wall *wall = &w->walls[w->faces[face].wall];
        if (!wall->active) continue;
        scr_face moved = scr_face_moved(&w->faces[face], &wall->pose);
        scr_meeting_point points[SCR_MOST_MEETING];
        double range = scr_law_range(law_of(w, w->faces[face].material, cell), ball);
        int found = scr_convex_wall(body, &moved, f->pairs->sharp[face], range, points);
        for (int m = 0; m < found; m++) {
            scr_cell_touch t;
            pair.second = face;
            touch_of_point(&pair, &points[m], &t);
            keep_deepest(w, touches, &n, &t);
        }
    }
    for (int k = 0; k < n; k++) set_velocity(w, &pair, &touches[k]);
    past p;
    past_of_cell(f, SCR_MEET_CELL_WALL, hull, -1, &p);
    match(w, &p, touches, n);
    for (size_t row = p.from; row < p.end && n < 2 * SCR_MOST_CELL_TOUCHES; row++)
        if (!p.taken[row - p.from]) scr_cell_touch_over(f, row, &touches[n++]);
    return n;
}

// which faces or edges meet, without the corners of the overlap
static void parts_of(const int32_t feature[2], int32_t parts[2])
{
    bool edges = feature[0] >> 30 & 1;
    for (int k = 0; k < 2; k++) parts[k] = edges ? feature[k] : feature[k] >> 8;
}

// of the points of two cells, with this offset
static double energy_of(const scr_law *law, double radius, const scr_cell_touch *touches, int n, double offset)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        double d = fmax(touches[k].overlap - offset, 0);
        scr_law part = *law;
        part.kn *= touches[k].share;
        sum += scr_law_normal(law)->potential(&part, radius, d).energy;
    }
    return sum;
}

// (4), not less than `least`; `deepest` would do in any case
static double offset_for(const scr_law *law, double radius, const scr_cell_touch *touches, int n, double least,
                         double deepest, double energy)
{
    double low = least, high = fmax(least, deepest);
    if (energy_of(law, radius, touches, n, low) <= energy) return low;
    for (int round = 0; round < 60; round++) {
        double middle = 0.5 * (low + high);
        if (energy_of(law, radius, touches, n, middle) > energy)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double offset_of(const scr_cell_finder *f, const past *p, size_t a, size_t b, const scr_cell_touch *touches,
                        int n)
{
    const scr_world *w = f->world;
    const scr_cell_contacts *c = &w->cell_contacts;
    double deepest = 0, offset = 0, stored = 0;
    for (int k = 0; k < n; k++) deepest = fmax(deepest, touches[k].overlap);
    for (size_t row = p->from; row < p->end; row++) {
        offset = fmax(offset, c->place[4 * row + 3]);
        if (c->touches[row]) stored += c->stored[row];
    }
    offset = fmin(offset, deepest);
    if (!(deepest > 0)) return 0;
    int32_t now[2], before[2] = {-1, -1};
    parts_of(touches[0].feature, now);
    if (p->from < p->end) parts_of(c->feature + 2 * p->from, before);
    if (now[0] == before[0] && now[1] == before[1]) return offset;
    if (p->from == p->end && f->dt == 0 && !scr_hulls_share_corner(&f->pairs->hulls, w, a, b)) return 0;
    int32_t first = f->pairs->hulls.cell[a], second = f->pairs->hulls.cell[b];
    double size = scr_cbrt(0.75 / M_PI), ra = size * hull_size(w, first), rb = size * hull_size(w, second);
    const scr_law *law = law_of(w, w->solids[w->cells.solid[first]].material, second);
    return offset_for(law, ra * rb / (ra + rb), touches, n, offset, deepest, stored);
}

/* Whether a face that is remembered parts two cells, or another one does. Those that touched at the last evaluation
 * mostly do so again, and the search for their contacts notices if not. */
static bool are_parted(const scr_convex *a, const scr_convex *b, double range, bool touched, int16_t *parting)
{
    if (!parting || (touched && *parting < 0)) return false;
    if (*parting >= 0 && scr_convex_parted(a, b, range, *parting)) return true;
    *parting = (int16_t)(touched ? -1 : scr_convex_parting(a, b, range));
    return *parting >= 0;
}

static void touch_points(const scr_cell_finder *f, int32_t first, int32_t second, const scr_meeting_point *points,
                         int count, scr_cell_touch *touches)
{
    couple pair = couple_of(f, SCR_MEET_CELL_CELL, first, second);
    couple_moves(f, &pair);
    for (int k = 0; k < count; k++) {
        touch_of_point(&pair, &points[k], &touches[k]);
        set_velocity(f->world, &pair, &touches[k]);
    }
}

int scr_cell_touch_cells(const scr_cell_finder *f, size_t a, size_t b, int16_t *parting, scr_cell_touch *touches)
{
    const scr_world *w = f->world;
    const scr_hulls *h = &f->pairs->hulls;
    int32_t first = h->cell[a], second = h->cell[b];
    scr_convex_room room[2];
    scr_convex moved[2];
    scr_meeting_point points[SCR_MOST_MEETING];
    const scr_convex *in[2] = {hull_in_place(f, a, v3(0, 0, 0), &room[0], &moved[0]),
                               hull_in_place(f, b, shift_between(f, first, second), &room[1], &moved[1])};
    const scr_law *law = law_of(w, w->solids[w->cells.solid[first]].material, second);
    double ra = ball_of(f, a), rb = ball_of(f, b), range = scr_law_range(law, ra * rb / (ra + rb));
    past p;
    past_of_cell(f, SCR_MEET_CELL_CELL, a, second, &p);
    bool parted = are_parted(in[0], in[1], range, p.from < p.end, parting);
    if (parted && p.from == p.end) return 0;
    int n = parted ? 0 : scr_convex_convex(in[0], in[1], range, points);
    if (n) touch_points(f, first, second, points, n, touches);
    double offset = offset_of(f, &p, a, b, touches, n);
    match(w, &p, touches, n);
    for (int k = 0; k < n; k++) touches[k].overlap -= offset, touches[k].offset = offset;
    for (size_t row = p.from; row < p.end && n < 2 * SCR_MOST_CELL_TOUCHES; row++)
        if (!p.taken[row - p.from] && w->cell_contacts.touches[row]) scr_cell_touch_over(f, row, &touches[n++]);
    return n;
}
