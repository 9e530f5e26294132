#include "scene/relax.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"

bool scr_relax_reserve(scr_relax *x, size_t count, size_t fixed)
{
    size_t all = count + fixed;
    x->count = count, x->fixed = fixed;
    x->pair_count = 0;
    return scr_reserve_each(SCR_ROOM(x->place, 4 * all), SCR_ROOM(x->velocity, 3 * all), SCR_ROOM(x->force, 3 * all),
                            SCR_ROOM(x->anchor, 3 * all), SCR_ROOM(x->inverse, all));
}

void scr_relax_deinit(scr_relax *x)
{
    scr_free_all(x->place, x->velocity, x->force, x->anchor, x->inverse, x->pairs, x->borders, x->beside);
    scr_space_deinit(&x->space);
    *x = (scr_relax){.domain = x->domain, .region = x->region, .obstacles = x->obstacles};
}

// ---- neighbours ----

static vec3 place_of(const scr_relax *x, size_t i)
{
    return v3_load(x->place + 4 * i);
}

// pairs of ball i with those before it in space
static bool add_pairs(scr_relax *x, size_t i)
{
    uint32_t near[256], *found = near;
    size_t room = sizeof near / sizeof *near;
    vec3 p = scr_space_wrap(&x->space, place_of(x, i));
    double r = x->place[4 * i + 3];
    size_t n = scr_space_near(&x->space, p, r, found, room);
    if (n > room) {
        if (!(found = scr_memory_new(n, sizeof *found))) return false;
        scr_space_near(&x->space, p, r, found, n);
    }
    bool good = scr_reserve(&x->pairs, x->pair_count + n);
    for (size_t k = 0; k < n && good; k++) {
        // the space holds the fixed balls first
        size_t b = found[k], j = b < x->fixed ? x->count + b : b - x->fixed;
        x->pairs[x->pair_count][0] = (uint32_t)i;
        x->pairs[x->pair_count++][1] = (uint32_t)j;
    }
    if (found != near) scr_memory_free(found);
    return good;
}

static bool add_borders(scr_relax *x, size_t i)
{
    vec3 inward, p = place_of(x, i);
    int sides = scr_region_side_count(x->region);
    if (!scr_reserve(&x->borders, x->border_count + (size_t)sides)) return false;
    for (int s = 0; s < sides; s++) {
        if (scr_region_side(x->region, s, p, &inward) > x->place[4 * i + 3] + x->skin) continue;
        x->borders[x->border_count][0] = (uint32_t)i;
        x->borders[x->border_count++][1] = (uint32_t)s;
    }
    return true;
}

static bool add_beside(scr_relax *x, size_t i)
{
    scr_obstacle found[1];
    if (!x->obstacles) return true;
    vec3 p = scr_space_wrap(&x->space, place_of(x, i));
    if (!x->obstacles->near(x->obstacles->context, p, x->place[4 * i + 3] + x->skin, found, 1)) return true;
    if (!scr_reserve(&x->beside, x->beside_count + 1)) return false;
    x->beside[x->beside_count++] = (uint32_t)i;
    return true;
}

static bool list_neighbours(scr_relax *x)
{
    size_t all = x->count + x->fixed;
    scr_space_begin(&x->space, x->domain, x->skin);
    for (size_t i = 0; i < all; i++) scr_space_expect(&x->space, x->place[4 * i + 3]);
    if (!scr_space_reserve(&x->space, all)) return false;
    for (size_t i = x->count; i < all; i++)
        scr_space_add(&x->space, scr_space_wrap(&x->space, place_of(x, i)), x->place[4 * i + 3]);
    x->pair_count = x->border_count = x->beside_count = 0;
    for (size_t i = 0; i < x->count; i++) {
        if (!add_pairs(x, i) || !add_borders(x, i) || !add_beside(x, i)) return false;
        scr_space_add(&x->space, scr_space_wrap(&x->space, place_of(x, i)), x->place[4 * i + 3]);
        memcpy(x->anchor + 3 * i, x->place + 4 * i, 3 * sizeof *x->anchor);
    }
    return true;
}

// ---- forces ----

static void push(double *force, double amount, const double *d)
{
    for (int k = 0; k < 3; k++) force[k] += amount * d[k];
}

static void note_overlap(scr_relax *x, double depth, double smaller)
{
    x->energy += 0.5 * depth * depth;
    if (depth > x->worst * smaller) x->worst = depth / smaller;
}

static void pair_forces(scr_relax *x)
{
    const double round_off = 0x1.8p52; // leaves no room for a fraction: the nearest whole number
    double length[3], inverse[3];
    for (int k = 0; k < 3; k++) {
        length[k] = x->space.periodic[k] ? x->space.length[k] : 0;
        inverse[k] = x->space.periodic[k] ? 1 / x->space.length[k] : 0;
    }
    for (size_t n = 0; n < x->pair_count; n++) {
        size_t i = x->pairs[n][0], j = x->pairs[n][1];
        const double *a = x->place + 4 * i, *b = x->place + 4 * j;
        double d[3], reach = a[3] + b[3], distance2 = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = a[k] - b[k];
            d[k] -= length[k] * ((d[k] * inverse[k] + round_off) - round_off);
            distance2 += d[k] * d[k];
        }
        if (distance2 >= reach * reach) continue;
        double distance = sqrt(distance2), depth = reach - distance;
        note_overlap(x, depth, a[3] < b[3] ? a[3] : b[3]);
        x->contacts++;
        if (!(distance > 0)) continue; // no direction: others will part them
        push(x->force + 3 * i, depth / distance, d);
        push(x->force + 3 * j, -depth / distance, d);
    }
}

static void border_forces(scr_relax *x)
{
    for (size_t n = 0; n < x->border_count; n++) {
        size_t i = x->borders[n][0];
        vec3 inward;
        double r = x->place[4 * i + 3];
        double depth = r - scr_region_side(x->region, (int)x->borders[n][1], place_of(x, i), &inward);
        if (!(depth > 0)) continue;
        note_overlap(x, depth, r);
        push(x->force + 3 * i, depth, &inward.x);
    }
}

// a facet's neighbours push along nearly the same normal: only the deepest of such
static void obstacle_forces(scr_relax *x)
{
    enum { MOST = 32 };
    scr_obstacle found[MOST];
    for (size_t n = 0; n < x->beside_count; n++) {
        size_t i = x->beside[n];
        double r = x->place[4 * i + 3];
        vec3 p = scr_space_wrap(&x->space, place_of(x, i));
        size_t count = x->obstacles->near(x->obstacles->context, p, r, found, MOST);
        for (size_t k = 0; k < count; k++) {
            bool covered = false;
            for (size_t m = 0; m < count && !covered; m++)
                covered = m != k && v3_dot(found[m].normal, found[k].normal) > 0.9 &&
                          (found[m].distance < found[k].distance || (found[m].distance == found[k].distance && m < k));
            if (covered) continue;
            double depth = r - found[k].distance;
            note_overlap(x, depth, r);
            push(x->force + 3 * i, depth, &found[k].normal.x);
        }
    }
}

static void find_forces(scr_relax *x)
{
    scr_clear(x->force, 3 * (x->count + x->fixed) * sizeof *x->force);
    x->energy = x->worst = 0;
    x->contacts = 0;
    pair_forces(x);
    border_forces(x);
    if (x->obstacles) obstacle_forces(x);
}

// ---- FIRE ----

/* A large ball among small ones has contacts as its surface: with a mass in the same proportion all
 * vibrate alike, and one step length suits all. The stiffest vibration of equal balls with up to
 * twelve contacts of stiffness 1 has omega^2 = 24 at most. */
static void begin(scr_relax *x)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < x->count; i++) smallest = fmin(smallest, x->place[4 * i + 3]);
    for (size_t i = 0; i < x->count; i++) {
        double ratio = smallest / x->place[4 * i + 3];
        x->inverse[i] = ratio * ratio;
    }
    x->skin = 0.4 * smallest;
    scr_clear(x->velocity, 3 * x->count * sizeof *x->velocity);
}

typedef struct {
    double power, speed2, force2; /* sums of f v, m v^2, f^2 / m */
} sums;

static sums add_up(const scr_relax *x)
{
    sums s = {0};
    for (size_t i = 0; i < x->count; i++)
        for (int k = 0; k < 3; k++) {
            double v = x->velocity[3 * i + k], f = x->force[3 * i + k];
            s.power += f * v;
            s.speed2 += v * v / x->inverse[i];
            s.force2 += f * f * x->inverse[i];
        }
    return s;
}

// velocities a little towards the forces, a kick, a drift; true when the list is too old
static bool move(scr_relax *x, double dt, double mix, double along)
{
    double farthest2 = 0;
    for (size_t i = 0; i < x->count; i++) {
        double moved2 = 0;
        for (int k = 0; k < 3; k++) {
            double *v = &x->velocity[3 * i + k], f = x->force[3 * i + k] * x->inverse[i];
            *v = (1 - mix) * *v + (along + dt) * f;
            x->place[4 * i + k] += dt * *v;
            double moved = x->place[4 * i + k] - x->anchor[3 * i + k];
            moved2 += moved * moved;
        }
        farthest2 = moved2 > farthest2 ? moved2 : farthest2;
    }
    return farthest2 > 0.25 * x->skin * x->skin;
}

bool scr_relax_run(scr_relax *x, double tolerance, double rest, int64_t most)
{
    const double longest = 0.4, mix_first = 0.2;
    double dt = 0.1, mix = mix_first;
    int downhill = 0;
    begin(x);
    if (!list_neighbours(x)) return false;
    for (int64_t n = 0; n < most; n++, x->iterations++) {
        find_forces(x);
        if (x->worst <= tolerance) break;
        sums s = add_up(x);
        // the energy is half the sum of squared contact forces
        if (s.force2 <= rest * rest * x->energy) break;
        if (s.power > 0 || n == 0) {
            if (++downhill > 5) {
                dt = fmin(1.1 * dt, longest);
                mix *= 0.99;
            }
        } else {
            downhill = 0;
            dt *= 0.5;
            mix = mix_first;
            scr_clear(x->velocity, 3 * x->count * sizeof *x->velocity);
            s.speed2 = 0;
        }
        double along = s.force2 > 0 ? mix * sqrt(s.speed2 / s.force2) : 0;
        if (move(x, dt, mix, along) && !list_neighbours(x)) return false;
    }
    return true;
}
