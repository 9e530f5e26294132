/* Positions: free grains by their velocities, members of an aggregate with their carrier. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/pairs.h"
#include "step/nonsmooth/work.h"

// whether grains can be members of a carrier: through periodic sides only what shifts, or turns about their axis
static bool can_carry(const scr_world *w, const scr_wall *wall)
{
    if (!wall->active || wall->motion.servo || wall->carried) return false;
    if (!wall->motion.turns) return true;
    const double axis[3] = {wall->motion.axis.x, wall->motion.axis.y, wall->motion.axis.z};
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d] && fabs(fabs(axis[d]) - 1) > 1e-12) return false;
    return true;
}

void scr_ns_set_carriers(ns_work *k, scr_world *w, double time)
{
    k->space.carriers[SCR_CARRIER_REST].there = true;
    k->space.carriers[SCR_CARRIER_REST].wall = -1;
    for (int m = 0; m < w->wall_count; m++) {
        scr_wall *wall = &w->walls[m];
        ns_carrier *f = &k->space.carriers[scr_carrier_of_wall(m)];
        wall->anchor = wall->pose;
        f->wall = m;
        f->reference = scr_wall_reference(wall);
        f->velocity = wall->velocity, f->spin = wall->spin; // of the step before
        f->there = !scr_wall_rests(wall) && can_carry(w, wall);
        if (f->there) f->now = scr_wall_frame(wall, time);
    }
    // what turns as it likes has no periodic images
    bool periodic = w->domain.periodic[0] || w->domain.periodic[1] || w->domain.periodic[2];
    for (int r = 0; r < w->part_count; r++) {
        ns_carrier *f = &k->space.carriers[scr_carrier_of_rigid(w, r)];
        f->wall = -1;
        f->there = !periodic;
        f->now = scr_rigid_pose(&w->rigids, (size_t)r);
        f->reference = v3_load(w->rigids.centre + 4 * (size_t)r);
        f->velocity = v3_load(w->rigids.velocity + 4 * (size_t)r);
        f->spin = scr_rigid_spin(&w->rigids, (size_t)r);
    }
}

bool scr_ns_move_walls(ns_work *k, scr_world *w, double from, double to)
{
    bool changed = false;
    scr_servos_measure(w);
    for (int m = 0; m < w->wall_count; m++) {
        scr_wall *wall = &w->walls[m];
        ns_carrier *f = &k->space.carriers[scr_carrier_of_wall(m)];
        changed |= scr_wall_move(wall, from, to, to - from);
        f->after = wall->pose;
        wall->pose = wall->anchor; // contacts are still to be found
        f->velocity = wall->velocity;
        f->spin = wall->spin;
    }
    return changed;
}

void scr_ns_wrap(const scr_world *w, double *x, int32_t *image)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    for (int d = 0; d < 3; d++) {
        if (!w->domain.periodic[d]) continue;
        double length = upper[d] - lower[d], boxes = floor((x[d] - lower[d]) / length);
        if (boxes == 0 || !(fabs(boxes) < 1e9)) continue;
        x[d] -= boxes * length;
        image[d] += (int32_t)boxes;
        if (x[d] >= upper[d]) x[d] = lower[d], image[d]++;
    }
}

bool scr_ns_is_outside(const scr_world *w, const double *x)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    bool inside = true;
    for (int d = 0; d < 3; d++) inside &= w->domain.periodic[d] || (x[d] >= lower[d] && x[d] <= upper[d]);
    return !inside;
}

vec3 scr_ns_unwrapped(const scr_world *w, uint32_t i)
{
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double *x = w->bodies.place + 4 * (size_t)i;
    const int32_t *n = w->bodies.image + 4 * (size_t)i;
    return v3(x[0] + n[0] * size.x, x[1] + n[1] * size.y, x[2] + n[2] * size.z);
}

// whether members only shift, as in the step before: then nothing but their places changes
static bool only_shifts(const scr_world *w, const ns_carrier *f, const pose *to)
{
    bool periodic = w->domain.periodic[0] || w->domain.periodic[1] || w->domain.periodic[2];
    vec3 gain = v3_sub(f->velocity, f->shown), way = v3_sub(to->shift, f->now.shift);
    return !periodic && !to->turned && v3_dot(gain, gain) == 0 && v3_dot(f->spin, f->spin) == 0 &&
           v3_dot(way, w->gravity) == 0;
}

static void shift(ns_work *k, scr_world *w, const pose *to, int carrier)
{
    scr_bodies *b = &w->bodies;
    const ns_carrier *f = &k->space.carriers[carrier];
    const double s[3] = {to->shift.x, to->shift.y, to->shift.z};
    double low[4], high[4];
    v3_store(low, v3_add(f->low, to->shift));
    v3_store(high, v3_add(f->high, to->shift));
    // all of them are between
    bool inside = !scr_ns_is_outside(w, low) && !scr_ns_is_outside(w, high);
    for (size_t i = 0; i < b->table.count; i++) {
        if (b->carrier[i] != carrier) continue;
        double *x = b->place + 4 * i;
        const double *a = b->anchor + 4 * i;
        for (int d = 0; d < 3; d++) x[d] = a[d] + s[d];
        if (!inside) k->sub.leaving |= scr_ns_is_outside(w, x);
    }
}

// members of a carrier where it has moved to; what it lifts and speeds up is its work
static void carry(ns_work *k, scr_world *w, const pose *to, int carrier)
{
    scr_bodies *b = &w->bodies;
    const ns_carrier *f = &k->space.carriers[carrier];
    vec3 reference = scr_wall_reference(&w->walls[f->wall]);
    double work = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        if (b->carrier[i] != carrier) continue;
        double *x = b->place + 4 * i, *v = b->motion + 4 * i, *spin = b->spin + 4 * i;
        vec3 was = scr_ns_unwrapped(w, (uint32_t)i), now = pose_point(to, v3_load(b->anchor + 4 * i));
        vec3 u = v3_add(f->velocity, v3_cross(f->spin, v3_sub(now, reference)));
        vec3 gain = v3_sub(u, v3_load(v)), turn = v3_sub(f->spin, v3_load(spin));
        double inertia = 0.4 * b->mass[i] * x[3] * x[3];
        work -= b->mass[i] * v3_dot(w->gravity, v3_sub(now, was));
        work += 0.5 * b->mass[i] * v3_dot(gain, v3_add(u, v3_load(v)));
        work += 0.5 * inertia * v3_dot(turn, v3_add(f->spin, v3_load(spin)));
        v3_store(v, u);
        v3_store(spin, f->spin);
        v3_store(x, now);
        memset(b->image + 4 * i, 0, 3 * sizeof *b->image);
        scr_ns_wrap(w, x, b->image + 4 * i);
        k->sub.leaving |= scr_ns_is_outside(w, x);
    }
    w->ledger.wall_work += work;
}

// groups that move as prescribed: at the end of the step they are where their path leads
static bool drive(ns_work *k, scr_world *w, double from, double to)
{
    scr_bodies *b = &w->bodies;
    for (int g = 0; g < w->group_count; g++) {
        if (!w->groups[g].drive.moves) continue;
        scr_drive_step step = scr_drive_over(&w->groups[g].drive, from, to - from);
        for (size_t i = 0; i < b->table.count; i++) {
            if (b->group[i] != g) continue;
            double *x = b->place + 4 * i;
            vec3 at = scr_drive_place(&step, scr_ns_unwrapped(w, (uint32_t)i));
            memset(b->image + 4 * i, 0, 3 * sizeof *b->image);
            v3_store(x, at);
            scr_ns_wrap(w, x, b->image + 4 * i);
            if (!scr_tiles_move(&k->space.tiles, (uint32_t)i, SCR_CARRIER_NONE, v3_load(x), x[3])) return false;
        }
    }
    return true;
}

void scr_ns_aim_groups(scr_world *w, double from, double to)
{
    scr_bodies *b = &w->bodies;
    for (int g = 0; g < w->group_count; g++) {
        if (!w->groups[g].drive.moves) continue;
        scr_drive_step step = scr_drive_over(&w->groups[g].drive, from, to - from);
        for (size_t i = 0; i < b->table.count; i++) {
            if (b->group[i] != g) continue;
            vec3 at = scr_ns_unwrapped(w, (uint32_t)i);
            vec3 way = v3_sub(scr_drive_place(&step, at), at);
            v3_store(b->motion + 4 * i, v3_scale(1 / (to - from), way));
            v3_store(b->spin + 4 * i, step.spin);
        }
    }
}

typedef struct {
    ns_work *k;
    scr_world *w;
    size_t moved[NS_PARTS]; /* rows of each part that leave their cells, from its first on in k->problem.moved */
    bool leaving[NS_PARTS];
} moving;

static size_t first_of(const moving *m, size_t part)
{
    return m->k->problem.row_count * part / NS_PARTS;
}

static void move_part(void *context, size_t part)
{
    moving *m = context;
    const ns_work *k = m->k;
    scr_bodies *b = &m->w->bodies;
    uint32_t *moved = k->problem.moved + first_of(m, part);
    bool leaving = false;
    for (size_t n = first_of(m, part), end = first_of(m, part + 1); n < end; n++) {
        uint32_t i = k->problem.rows[n];
        if (b->carrier[i]) continue; // merged in this step
        double *x = b->place + 4 * (size_t)i;
        for (int d = 0; d < 3; d++) x[d] += k->sub.h * b->motion[4 * (size_t)i + d];
        scr_ns_wrap(m->w, x, b->image + 4 * (size_t)i);
        leaving |= scr_ns_is_outside(m->w, x);
        if (!scr_tiles_stays(&k->space.tiles, i, SCR_CARRIER_NONE, v3_load(x), x[3])) *moved++ = i;
    }
    m->moved[part] = (size_t)(moved - k->problem.moved) - first_of(m, part);
    m->leaving[part] = leaving;
}

// free grains by their velocities; few of them leave their cells
static bool move_grains(ns_work *k, scr_world *w)
{
    moving m = {.k = k, .w = w};
    bool ok = true;
    ns_each(k->problem.row_count, NS_PARTS, NULL, move_part, &m);
    for (size_t part = 0; part < NS_PARTS; part++) {
        k->sub.leaving |= m.leaving[part];
        for (size_t n = 0; n < m.moved[part]; n++) {
            uint32_t i = k->problem.moved[first_of(&m, part) + n];
            const double *x = w->bodies.place + 4 * (size_t)i;
            ok &= scr_tiles_move(&k->space.tiles, i, SCR_CARRIER_NONE, v3_load(x), x[3]);
        }
    }
    return ok;
}

scree_status scr_ns_advance(scr_step *s, double from, double to, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    for (int m = 0; m < w->wall_count; m++) w->walls[m].pose = k->space.carriers[scr_carrier_of_wall(m)].after;
    bool ok = move_grains(k, w);
    for (int f = 2; f < k->space.carrier_count; f++) {
        if (!k->space.carriers[f].members || k->space.carriers[f].wall < 0) continue;
        pose after = scr_wall_frame(&w->walls[k->space.carriers[f].wall], to);
        if (only_shifts(w, &k->space.carriers[f], &after))
            shift(k, w, &after, f);
        else
            carry(k, w, &after, f);
        k->space.carriers[f].shown = k->space.carriers[f].velocity;
    }
    ok &= drive(k, w, from, to);
    ok &= scr_ns_rigids_advance(k, w);
    if (!ok) return scr_no_memory(report, "grid cells");
    return SCREE_OK;
}
