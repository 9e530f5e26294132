#include "collide/box.h"

#include <math.h>
#include <string.h>

#include "collide/pairs.h"
#include "exec/reduce.h"

#define SLACK 0.25 /* of the skin, for images */

/* ---- the neighbour list ---- */

scr_domain scr_box_listed(const scr_world *w)
{
    scr_domain box = w->domain;
    const scr_box_state *s = &w->box.now;
    if (!box.box.deforms) return box;
    box.lower = v3_load(s->listed_lower), box.upper = v3_load(s->listed_upper);
    memcpy(box.box.tilt, s->listed_tilt, sizeof box.box.tilt);
    memcpy(box.box.speed, s->listed_speed, sizeof box.box.speed);
    return box;
}

void scr_box_list(scr_world *w, bool rest)
{
    scr_box_state *s = &w->box.now;
    v3_store(s->listed_lower, w->domain.lower);
    v3_store(s->listed_upper, w->domain.upper);
    memcpy(s->listed_tilt, w->domain.box.tilt, sizeof s->listed_tilt);
    for (int k = 0; k < SCR_BOX_PARTS; k++) s->listed_speed[k] = rest ? 0 : w->domain.box.speed[k];
}

double scr_box_slack(const scr_world *w)
{
    return w->domain.box.deforms ? SLACK * w->clock.skin : 0;
}

// images next to the box: one or two edges away along each axis
bool scr_box_strayed(const scr_world *w, double time, double ahead)
{
    const scr_box_state *s = &w->box.now;
    double age = time + ahead - w->clock.listed, edges[SCR_BOX_PARTS], off = 0;
    if (!w->domain.box.deforms) return false;
    scr_box_edges(w, edges);
    for (int k = 0; k < SCR_BOX_PARTS; k++) {
        double then = k < 3 ? s->listed_upper[k] - s->listed_lower[k] : s->listed_tilt[k - 3];
        double now = edges[k] + ahead * w->domain.box.speed[k];
        off += (k ? 1 : 2) * fabs(now - (then + age * s->listed_speed[k]));
    }
    return !(off <= scr_box_slack(w));
}

double scr_box_rush(const scr_world *w)
{
    double rush = 0;
    for (int k = 0; k < SCR_BOX_PARTS; k++) rush += (k ? 1 : 2) * fabs(w->box.now.listed_speed[k]);
    return w->domain.box.deforms ? rush : 0;
}

/* ---- through the sides ---- */

// the offset of edge `to` along axis a loses whole edges of that axis: the same lattice, and so do speeds; bodies that
// had crossed `to` have now crossed that axis as much more often
static double shorten(scr_world *w, int a, int to)
{
    static const int at[3][3] = {{0, 0, 0}, {3, 1, 0}, {4, 5, 2}}; // H[axis][edge] as at[edge][axis]
    double edges[SCR_BOX_PARTS], *speed = w->domain.box.speed, *tilt = w->domain.box.tilt;
    scr_box_edges(w, edges);
    double n = rint(edges[at[to][a]] / edges[a]);
    if (n == 0) return 0;
    for (int k = 0; k <= a; k++) {
        int lost = at[to][k], edge = at[a][k];
        if (lost < 3) continue;
        tilt[lost - 3] -= n * edges[edge];
        speed[lost] -= n * speed[edge];
    }
    return n;
}

typedef struct {
    scr_world *world;
    int32_t xy, xz, yz; /* edges that were taken off, the last first */
} renaming;

static void rename_rows(void *context, size_t from, size_t to)
{
    const renaming *r = context;
    int32_t *image = r->world->bodies.image;
    for (size_t i = from; i < to; i++) {
        int32_t *n = image + 4 * i;
        n[1] += r->yz * n[2];
        n[0] += r->xz * n[2];
        n[0] += r->xy * n[1];
    }
}

static void shorten_all(scr_world *w)
{
    renaming r = {.world = w};
    if (w->domain.periodic[1]) r.yz = (int32_t)shorten(w, 1, 2);
    if (w->domain.periodic[0]) r.xz = (int32_t)shorten(w, 0, 2);
    if (w->domain.periodic[0]) r.xy = (int32_t)shorten(w, 0, 1);
    if (r.xy || r.xz || r.yz) scr_each_rows(w->bodies.table.count, rename_rows, &r);
}

/* What goes through the sides: the kinetic energy that it gains, and what S loses. As the gains of carry_rows, sums of
 * doubles in the order of rows, in parts that the number of rows alone decides (exec/reduce.h): the same for any number
 * of threads. Such a box has one rank. */
typedef struct {
    double gain, sides[SCR_BOX_PARTS];
    bool lost;
} passage;

// whole boxes by which a coordinate is outside; on the upper side, after rounding, it is one more
static double boxes_out(double x, double lower, double length)
{
    double n = floor((x - lower) / length);
    return n != 0 && x - n * length >= lower + length ? n + 1 : n;
}

static void wrap_row(scr_world *w, size_t i, passage *p)
{
    const scr_domain *d = &w->domain;
    double *x = w->bodies.place + 4 * i, *v = w->bodies.motion + 4 * i, way[3] = {0}, change[3] = {0};
    double edges[SCR_BOX_PARTS], before = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    static const int at[3][3] = {{0, 0, 0}, {3, 1, 0}, {4, 5, 2}};
    int32_t *image = w->bodies.image + 4 * i;
    bool out = false;
    scr_box_edges(w, edges);
    for (int k = 2; k >= 0; k--) {
        double n = d->periodic[k] ? boxes_out(x[k], (&d->lower.x)[k], edges[k]) : 0;
        if (n == 0) continue;
        if (!(fabs(image[k] + n) <= 1e9)) {
            p->lost = true;
            return;
        }
        out = true, image[k] += (int32_t)n;
        for (int a = 0; a <= k; a++) {
            x[a] -= n * edges[at[k][a]], way[a] += n * edges[at[k][a]];
            change[a] += n * d->box.speed[at[k][a]];
        }
        if (x[k] >= (&d->upper.x)[k] || x[k] < (&d->lower.x)[k]) x[k] = (&d->lower.x)[k];
    }
    if (!out) return;
    for (int a = 0; a < 3; a++) v[a] -= change[a];
    if (v[3] > 0) p->gain += 0.5 * w->bodies.mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - before);
    const double *f = w->bodies.load + 8 * i;
    static const int row[SCR_BOX_PARTS] = {0, 1, 2, 0, 0, 1}, column[SCR_BOX_PARTS] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < SCR_BOX_PARTS; k++) p->sides[k] -= f[row[k]] * way[column[k]];
}

static void wrap_rows(void *world, size_t from, size_t to, void *part)
{
    scr_world *w = world;
    for (size_t i = from; i < to; i++) {
        const double *x = w->bodies.place + 4 * i;
        if (isfinite(x[0] + x[1] + x[2])) wrap_row(w, i, part);
    }
}

static void join_passages(void *all, const void *part)
{
    passage *a = all;
    const passage *b = part;
    a->gain += b->gain, a->lost |= b->lost;
    for (int k = 0; k < SCR_BOX_PARTS; k++) a->sides[k] += b->sides[k];
}

bool scr_box_wrap(scr_world *w)
{
    passage all = {0};
    shorten_all(w);
    scr_reduce(w->bodies.table.count, wrap_rows, join_passages, w, &all, sizeof all);
    w->ledger.box_work += all.gain;
    for (int k = 0; k < SCR_BOX_PARTS; k++) w->box.now.sides[k] += all.sides[k];
    return !all.lost;
}

/* ---- exact sums ---- */

void scr_box_sum_add(scr_box_sum *s, vec3 a, vec3 b)
{
    const double parts[SCR_BOX_PARTS] = {a.x * b.x,
                                         a.y * b.y,
                                         a.z * b.z,
                                         0.5 * (a.x * b.y + a.y * b.x),
                                         0.5 * (a.x * b.z + a.z * b.x),
                                         0.5 * (a.y * b.z + a.z * b.y)};
    for (int k = 0; k < SCR_BOX_PARTS; k++) s->part[k] += scr_exact_of(parts[k]);
}

void scr_box_sum_join(scr_box_sum *s, const scr_box_sum *other)
{
    for (int k = 0; k < SCR_BOX_PARTS; k++) s->part[k] += other->part[k];
}

void scr_box_sum_values(const scr_box_sum *s, double values[SCR_BOX_PARTS])
{
    for (int k = 0; k < SCR_BOX_PARTS; k++) values[k] = scr_exact_value(s->part[k]);
}

/* ---- motion of bodies against the box ---- */

/* Momentum and m u u^T with u = v - G (x - c), and the mass. */
typedef struct {
    scr_box_sum square;
    scr_exact momentum[3], mass;
} swarm;

typedef struct {
    scr_world *world;
    double gradient[SCR_BOX_PARTS];
    vec3 centre;
} field;

static vec3 carried(const field *f, size_t i)
{
    return scr_box_times(f->gradient, v3_sub(v3_load(f->world->bodies.place + 4 * i), f->centre));
}

static void swarm_rows(void *context, size_t from, size_t to, void *part)
{
    const field *f = context;
    const scr_bodies *b = &f->world->bodies;
    swarm *s = part;
    for (size_t i = from; i < to; i++) {
        double mass = b->mass[i];
        vec3 u = v3_sub(v3_load(b->motion + 4 * i), carried(f, i)), p = v3_scale(mass, u);
        scr_box_sum_add(&s->square, p, u);
        for (int d = 0; d < 3; d++) s->momentum[d] += scr_exact_of((&p.x)[d]);
        s->mass += scr_exact_of(mass);
    }
}

static void join_swarms(void *all, const void *part)
{
    swarm *a = all;
    const swarm *b = part;
    scr_box_sum_join(&a->square, &b->square);
    for (int d = 0; d < 3; d++) a->momentum[d] += b->momentum[d];
    a->mass += b->mass;
}

void scr_box_kinetic(const scr_world *w, double kinetic[SCR_BOX_PARTS])
{
    field f = {.world = (scr_world *)(uintptr_t)w, .centre = scr_box_centre(w)};
    swarm s = {0};
    scr_box_gradient_now(w, f.gradient);
    scr_reduce(w->bodies.table.count, swarm_rows, join_swarms, &f, &s, sizeof s);
    scr_box_sum_values(&s.square, kinetic);
    double mass = scr_exact_value(s.mass);
    if (!(mass > 0)) return;
    vec3 p = v3(scr_exact_value(s.momentum[0]), scr_exact_value(s.momentum[1]), scr_exact_value(s.momentum[2]));
    scr_box_sum mean = {0};
    double parts[SCR_BOX_PARTS];
    scr_box_sum_add(&mean, p, v3_scale(1 / mass, p));
    scr_box_sum_values(&mean, parts);
    for (int k = 0; k < SCR_BOX_PARTS; k++) kinetic[k] -= parts[k];
}

/* ---- changes of speed ---- */

static void carry_rows(void *context, size_t from, size_t to, void *part)
{
    const field *f = context;
    scr_bodies *b = &f->world->bodies;
    double *gain = part;
    for (size_t i = from; i < to; i++) {
        if (b->motion[4 * i + 3] == 0) continue;
        vec3 v = v3_load(b->motion + 4 * i), dv = carried(f, i), next = v3_add(v, dv);
        v3_store(b->motion + 4 * i, next);
        *gain += 0.5 * b->mass[i] * v3_dot(dv, v3_add(v, next));
    }
}

static void join_gains(void *all, const void *part)
{
    *(double *)all += *(const double *)part;
}

static void set_speed(scr_world *w, const double speed[SCR_BOX_PARTS])
{
    double edges[SCR_BOX_PARTS], more[SCR_BOX_PARTS], gain = 0;
    for (int k = 0; k < SCR_BOX_PARTS; k++) more[k] = speed[k] - w->domain.box.speed[k];
    memcpy(w->domain.box.speed, speed, sizeof w->domain.box.speed);
    field f = {.world = w, .centre = scr_box_centre(w)};
    scr_box_edges(w, edges);
    scr_box_gradient(edges, more, f.gradient);
    scr_reduce(w->bodies.table.count, carry_rows, join_gains, &f, &gain, sizeof gain);
    w->ledger.box_work += gain;
}

bool scr_box_due(const scr_world *w, int every)
{
    return w->domain.box.deforms && w->clock.step % every == 0;
}

bool scr_box_steer(scr_world *w, double dt)
{
    double stress[SCR_BOX_PARTS] = {0}, gradient[SCR_BOX_PARTS], edges[SCR_BOX_PARTS], speed[SCR_BOX_PARTS];
    if (scr_box_governed(&w->box.plan)) {
        double volume = scr_box_volume(w);
        scr_box_kinetic(w, stress);
        for (int k = 0; k < SCR_BOX_PARTS; k++) stress[k] = (stress[k] + w->box.now.inner[k]) / volume;
    }
    scr_box_wish(w, stress, dt, gradient);
    // the gradient that is asked for, half-way
    scr_box_edges(w, edges);
    scr_box_speed(edges, gradient, speed);
    for (int k = 0; k < SCR_BOX_PARTS; k++) edges[k] += 0.5 * dt * speed[k];
    scr_box_speed(edges, gradient, speed);
    if (!memcmp(speed, w->domain.box.speed, sizeof speed)) return false;
    set_speed(w, speed);
    return true;
}
