#include "solve/pgs_trial.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "math/elementary.h"

#define PI 3.14159265358979323846

static const double h = 5e-3, stiffness = 3000, density = 3700, gravity = 9.81;
static const double friction = 0.91, rolling = 0.32, pitch = 0.0125;

typedef struct {
    uint64_t code; /* along the curve */
    uint32_t at[3];
} cell;

static uint64_t spread(uint32_t k)
{
    uint64_t bits = 0;
    for (int b = 0; b < 21; b++) bits |= (uint64_t)(k >> b & 1) << (3 * b);
    return bits;
}

static int by_code(const void *a, const void *b)
{
    uint64_t x = ((const cell *)a)->code, y = ((const cell *)b)->code;
    return (x > y) - (x < y);
}

typedef struct {
    size_t side, count;
    cell *cells;
    uint32_t *row_of; /* of a place on the lattice */
    vec3 *place;
    double *radius;
} lattice;

static void set_contact(scr_pgs_contact *c, double r, double overlap, double un)
{
    const double tau = 2 * h, y = 1 / (1 + 4 * tau / h);
    c->arm[0] = r - 0.5 * overlap;
    c->target = -4 / h * y * overlap - y * un;
    c->give = 4 * y / (h * h * stiffness);
    c->mu = friction;
    c->roll = rolling * r;
}

static size_t add_contacts(const lattice *l, scr_pgs_problem *p, scr_random *random)
{
    static const uint32_t step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    size_t n = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const uint32_t *at = l->cells[i].at;
        double overlap = 2e-5 * scr_random_unit(random);
        if (at[2] == 0) {
            scr_pgs_contact *c = &p->contacts[n++];
            *c = (scr_pgs_contact){.a = i, .b = SCR_PGS_STILL, .normal = v3(0, 0, -1)};
            set_contact(c, l->radius[i], overlap, -p->bodies[i].v.z);
        }
        for (int k = 0; k < 3; k++) {
            uint32_t x = at[0] + step[k][0], y = at[1] + step[k][1], z = at[2] + step[k][2];
            bool touch = scr_random_unit(random) < 0.71;
            if (!touch || x >= l->side || y >= l->side || z >= l->side) continue;
            uint32_t j = l->row_of[(z * l->side + y) * l->side + x];
            scr_pgs_contact *c = &p->contacts[n++];
            *c = (scr_pgs_contact){.a = i, .b = j};
            c->normal = v3_unit(v3_sub(l->place[j], l->place[i]));
            vec3 u = v3_sub(p->bodies[j].v, p->bodies[i].v);
            double r = fmin(l->radius[i], l->radius[j]);
            set_contact(c, r, overlap, v3_dot(u, c->normal));
            c->arm[0] = l->radius[i] - 0.5 * overlap, c->arm[1] = l->radius[j] - 0.5 * overlap;
        }
    }
    return n;
}

static void add_bodies(const lattice *l, scr_pgs_problem *p, scr_random *random)
{
    for (size_t i = 0; i < l->count; i++) {
        const uint32_t *at = l->cells[i].at;
        double r = scr_random_unit(random) < 0.5 ? 0.005 : 0.0065;
        double m = density * 4 / 3 * PI * r * r * r, jitter[3], v[3];
        for (int k = 0; k < 3; k++) {
            jitter[k] = scr_random_between(random, -0.25, 0.25);
            v[k] = scr_random_between(random, -0.01, 0.01);
        }
        l->radius[i] = r;
        l->place[i] = v3_scale(pitch, v3(at[0] + jitter[0], at[1] + jitter[1], at[2] + jitter[2]));
        p->bodies[i].v = v3(v[0], v[1], v[2]);
        p->bodies[i].inverse_mass = 1 / m;
        p->bodies[i].inverse_inertia = 1 / (0.4 * m * r * r);
    }
}

bool scr_pgs_trial_make(scr_pgs_problem *p, size_t contacts, uint64_t seed)
{
    scr_random random = scr_random_stream(seed, 0);
    lattice l = {.side = (size_t)scr_cbrt((double)contacts / 2.1) + 1};
    l.count = l.side * l.side * l.side;
    *p = (scr_pgs_problem){.body_count = l.count, .general_first = l.count};
    p->give_tangential = p->give_rolling = 1e-6 / h;
    p->bodies = scr_memory_new(l.count, sizeof *p->bodies);
    p->contacts = scr_memory_new(4 * l.count, sizeof *p->contacts);
    l.cells = scr_memory_new(l.count, sizeof *l.cells);
    l.row_of = scr_memory_new(l.count, sizeof *l.row_of);
    l.place = scr_memory_new(l.count, sizeof *l.place);
    l.radius = scr_memory_new(l.count, sizeof *l.radius);
    bool ok = p->bodies && p->contacts && l.cells && l.row_of && l.place && l.radius;
    if (ok) {
        for (size_t i = 0; i < l.count; i++) {
            cell *c = &l.cells[i];
            c->at[0] = (uint32_t)(i % l.side), c->at[1] = (uint32_t)(i / l.side % l.side);
            c->at[2] = (uint32_t)(i / l.side / l.side);
            c->code = spread(c->at[0]) | spread(c->at[1]) << 1 | spread(c->at[2]) << 2;
        }
        qsort(l.cells, l.count, sizeof *l.cells, by_code);
        for (size_t i = 0; i < l.count; i++) {
            const uint32_t *at = l.cells[i].at;
            l.row_of[(at[2] * l.side + at[1]) * l.side + at[0]] = (uint32_t)i;
        }
        add_bodies(&l, p, &random);
        p->contact_count = add_contacts(&l, p, &random);
        // what is asked for, as near as may be
        if (p->contact_count > contacts) p->contact_count = contacts;
        for (size_t i = 0; i < l.count; i++) p->bodies[i].v.z -= gravity * h;
    } else {
        scr_pgs_trial_free(p);
    }
    scr_memory_free(l.cells), scr_memory_free(l.row_of);
    scr_memory_free(l.place), scr_memory_free(l.radius);
    return ok;
}

void scr_pgs_trial_free(scr_pgs_problem *p)
{
    scr_memory_free(p->bodies);
    scr_memory_free(p->contacts);
    *p = (scr_pgs_problem){0};
}
