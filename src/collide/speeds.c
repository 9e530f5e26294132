#include "collide/speeds.h"

#include <math.h>

#include "collide/box.h"
#include "collide/pairs.h"
#include "comm/share.h"
#include "exec/reduce.h"

/* A box of velocities. */
typedef struct {
    vec3 low, high;
} speeds;

// the box with one more in it; what is not a number is not
static void widen(double *low, double *high, double u)
{
    *low = u < *low ? u : *low;
    *high = u > *high ? u : *high;
}

static void speeds_of_rows(void *drift, size_t from, size_t to, void *part)
{
    speeds s = *(speeds *)part;
    for (const double *u = (double *)drift + 4 * from; from < to; from++, u += 4) {
        widen(&s.low.x, &s.high.x, u[0]);
        widen(&s.low.y, &s.high.y, u[1]);
        widen(&s.low.z, &s.high.z, u[2]);
    }
    *(speeds *)part = s;
}

static void join_speeds(void *all, const void *part)
{
    speeds *s = all;
    const speeds *o = part;
    s->low = v3(fmin(s->low.x, o->low.x), fmin(s->low.y, o->low.y), fmin(s->low.z, o->low.z));
    s->high = v3(fmax(s->high.x, o->high.x), fmax(s->high.y, o->high.y), fmax(s->high.z, o->high.z));
}

/* How far velocities are from a middle, squared. */
typedef struct {
    const double *drift;
    vec3 middle;
} around;

static void farthest_of_rows(void *context, size_t from, size_t to, void *part)
{
    const around *a = context;
    double far2 = *(double *)part;
    for (size_t i = from; i < to; i++) {
        vec3 d = v3_sub(v3_load(a->drift + 4 * i), a->middle);
        double d2 = v3_dot(d, d);
        far2 = d2 > far2 ? d2 : far2;
    }
    *(double *)part = far2;
}

static void join_farthest(void *all, const void *part)
{
    *(double *)all = fmax(*(double *)all, *(const double *)part);
}

double scr_fastest_from(const scr_world *w, vec3 middle)
{
    around a = {w->bodies.drift, middle};
    double far2 = 0;
    scr_reduce(w->bodies.table.count, farthest_of_rows, join_farthest, &a, &far2, sizeof far2);
    scr_share_most(w->share, &far2, 1);
    return sqrt(far2);
}

double scr_fastest_relative(const scr_world *w)
{
    size_t n = w->bodies.table.count;
    if (n == 0 && !w->share) return 0;
    speeds s = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    scr_reduce(n, speeds_of_rows, join_speeds, w->bodies.drift, &s, sizeof s);
    double least[6] = {s.low.x, s.low.y, s.low.z, -s.high.x, -s.high.y, -s.high.z};
    scr_share_least(w->share, least, 6);
    s.low = v3_load(least), s.high = v3_scale(-1, v3_load(least + 3));
    return 2 * scr_fastest_from(w, v3_scale(0.5, v3_add(s.low, s.high))) + scr_box_rush(w);
}

double scr_room_to_sweep(const scr_world *w)
{
    scr_radii radii = scr_world_radii(w, w->bodies.place);
    double small = radii.least, large = radii.most;
    double reach = w->clock.skin + scr_world_range(w, large), room = small + 0.5 * reach;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d]) room = fmin(room, 0.5 * length[d] - 2 * large - reach);
    return room;
}
