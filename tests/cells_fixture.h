/* Worlds of elastic cells made by hand: a block of bricks with all their links and free faces, in one solid. */
#ifndef SCREE_TESTS_CELLS_FIXTURE_H
#define SCREE_TESTS_CELLS_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "check.h"
#include "step/elastic/elastic.h"
#include "step/elastic/work.h"
#include "world/energy.h"

typedef struct {
    int n[3];       /* cells along x, y, z */
    double edge[3]; /* of a cell [m] */
    double young, poisson, density;
    int normal;       /* scr_link_normal */
    double twist;     /* > 0: arms, normals, axes and shares are turned at random by about this [rad] */
    double thickness; /* > 0: a shell with directors along z */
    bool wall_z;      /* faces across z are planes of symmetry */
    int parts;        /* solids along x; 0: one */
} block_def;

typedef struct {
    scr_world world;
    scr_step step;
    scr_elastic_def def;
    scree_report report;
    scr_random random;
} block;

static inline size_t block_cell(const block_def *d, int i, int j, int k)
{
    return (size_t)((k * d->n[1] + j) * d->n[0] + i);
}

static inline vec3 block_noise(block *b, double size)
{
    return v3(scr_random_between(&b->random, -size, size), scr_random_between(&b->random, -size, size),
              scr_random_between(&b->random, -size, size));
}

static inline void block_add_link(block *b, const block_def *d, size_t from, size_t to, int axis)
{
    scr_world *w = &b->world;
    scr_links *l = &w->links;
    size_t k = scr_table_add(&l->table);
    double length = d->edge[axis], s = d->edge[(axis + 1) % 3], t = d->edge[(axis + 2) % 3];
    double area = s * t, is = area * s * s / 12, it = area * t * t / 12;
    double e[3] = {0}, f[3] = {0};
    e[axis] = 1, f[(axis + 1) % 3] = 1;
    vec3 n = v3_load(e), first = v3_load(f), noise = v3(0, 0, 0);
    if (d->twist > 0) {
        quat q = quat_exp(block_noise(b, d->twist));
        n = quat_turn(q, n), first = quat_turn(q, first);
        noise = block_noise(b, 0.2 * d->twist * length);
    }
    // from both centres to the same point
    vec3 home[2] = {v3_load(w->cells.home + 4 * from), v3_load(w->cells.home + 4 * to)};
    vec3 face = v3_add(v3_scale(0.5, v3_add(home[0], home[1])), noise);
    vec3 a = v3_sub(face, home[0]), o = v3_sub(face, home[1]);
    l->cell[2 * k] = (int32_t)from, l->cell[2 * k + 1] = (int32_t)to;
    v3_store(l->arm + 6 * k, a), v3_store(l->arm + 6 * k + 3, o);
    v3_store(l->frame + 6 * k, n), v3_store(l->frame + 6 * k + 3, first);
    l->area[k] = area;
    l->share[4 * k + 3] = 0.5;
    if (d->twist > 0) {
        vec3 skew = block_noise(b, 0.5 * d->twist);
        v3_store(l->share + 4 * k, skew), l->share[4 * k + 3] += 0.3 * skew.x;
    }
    // section 2.2: sums of alpha are E Is/S, E It/S and G C/S, C = Is + It; in shells all are 2 mu min/S
    double g = d->young / (2 * (1 + d->poisson)), c = is + it, per = 1 / (2 * length);
    double *stiff = l->stiff + 4 * k;
    stiff[0] = 2 * g * area / length;
    stiff[1] = (d->young * (is + it) - g * c) * per;
    stiff[2] = (d->young * (is - it) + g * c) * per;
    stiff[3] = (d->young * (it - is) + g * c) * per;
    for (int m = 1; d->thickness > 0 && m < 4; m++) stiff[m] = g * fmin(is, it) / length;
}

static inline void block_add_cell(block *b, const block_def *d, int i, int j, int k)
{
    scr_cells *c = &b->world.cells;
    size_t n = scr_table_add(&c->table);
    const double *h = d->edge;
    double volume = h[0] * h[1] * h[2], mass = d->density * volume, free_volume = 0;
    int at[3] = {i, j, k};
    for (int axis = 0; axis < 3; axis++) {
        int sides = (at[axis] == 0) + (at[axis] == d->n[axis] - 1);
        if (!(axis == 2 && d->wall_z)) free_volume += sides * volume / 6;
    }
    c->displacement[4 * n + 3] = mass;
    c->velocity[4 * n + 3] = 1 / mass;
    quat_store(c->turn + 4 * n, quat_one());
    quat_store(c->axes + 4 * n, d->twist > 0 ? quat_exp(block_noise(b, d->twist)) : quat_one());
    for (int axis = 0; axis < 3; axis++) {
        double s = h[(axis + 1) % 3], t = h[(axis + 2) % 3];
        c->inertia[4 * n + (size_t)axis] = mass * (s * s + t * t) / 12;
        c->home[4 * n + (size_t)axis] = (at[axis] + 0.5) * h[axis];
    }
    if (d->twist > 0)
        v3_store(c->home + 4 * n, v3_add(v3_load(c->home + 4 * n), block_noise(b, 0.2 * d->twist * h[0])));
    c->home[4 * n + 3] = volume;
    c->bulk[2 * n] = volume + 3 * d->poisson / (1 - 2 * d->poisson) * free_volume;
    int parts = d->parts ? d->parts : 1;
    c->solid[n] = k * parts / d->n[2];
    if (!(d->thickness > 0)) return;
    // 2.5: Vk = V + 3 nu/(1 - nu) Vl of the edges, Kb = E nu/(1 - nu^2) t^2/12 Vk
    scr_shells *s = &b->world.shells;
    scr_table_add(&s->table);
    double edges = ((i == 0) + (i == d->n[0] - 1) + (j == 0) + (j == d->n[1] - 1)) * volume / 6;
    double nu = d->poisson, vk = volume + 3 * nu / (1 - nu) * edges;
    vec3 director = v3(0, 0, 1);
    if (d->twist > 0) director = v3_unit(v3_add(director, block_noise(b, d->twist)));
    v3_store(s->director + 4 * n, director);
    s->director[4 * n + 3] = d->young * nu / (1 - nu * nu) * d->thickness * d->thickness / 12 * vk;
    s->bend[2 * n] = vk;
}

/* The world; dt and loads are the test's. */
static inline void block_make(block *b, const block_def *d)
{
    *b = (block){.random = scr_random_stream(7, 0)};
    scree_report_init(&b->report);
    scr_world *w = &b->world;
    scr_world_init(w);
    w->domain.upper = v3(1, 1, 1);
    w->material_count = 1;
    w->materials = calloc(1, sizeof *w->materials);
    w->materials[0] = (scr_material){strdup("steel"), d->density, d->young, d->poisson};
    w->solid_count = d->parts ? d->parts : 1;
    w->solids = calloc((size_t)w->solid_count, sizeof *w->solids);
    size_t cells = (size_t)(d->n[0] * d->n[1] * d->n[2]);
    scr_table_reserve(&w->cells.table, cells);
    scr_table_reserve(&w->links.table, 3 * cells);
    if (d->thickness > 0) scr_table_reserve(&w->shells.table, cells);
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++) block_add_cell(b, d, i, j, k);
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++) {
                size_t at = block_cell(d, i, j, k);
                int to[3][3] = {{i + 1, j, k}, {i, j + 1, k}, {i, j, k + 1}};
                for (int axis = 0; axis < 3; axis++) {
                    if (to[axis][axis] == d->n[axis]) continue;
                    size_t other = block_cell(d, to[axis][0], to[axis][1], to[axis][2]);
                    if (w->cells.solid[at] == w->cells.solid[other]) block_add_link(b, d, at, other, axis);
                }
            }
    for (int s = 0; s < w->solid_count; s++) {
        w->solids[s] = (scr_solid){.name = strdup("block"),
                                   .normal = d->normal,
                                   .thickness = d->thickness,
                                   .tensile_strength = INFINITY,
                                   .shear_strength = INFINITY,
                                   .fracture_energy = INFINITY};
        for (size_t c = 0; c < cells; c++) {
            if (w->cells.solid[c] != s) continue;
            if (!w->solids[s].cell_count++) w->solids[s].first_cell = (int)c;
        }
    }
    b->step = (scr_step){.stepper = &scr_elastic_stepper, .def = &b->def, .world = w};
}

static inline scree_status block_open(block *b, double fraction)
{
    int64_t cell;
    if (fraction > 0) b->world.clock.dt = fraction * scr_elastic_bound(&b->world, &cell);
    scree_status status = b->step.stepper->open(&b->step, false, &b->report);
    double t, r, p;
    scr_world_energies(&b->world, &t, &r, &p);
    b->world.ledger.initial = t + r + p + b->world.ledger.elastic_solid;
    return status;
}

static inline scree_status block_run(block *b, long steps)
{
    scree_status status = SCREE_OK;
    for (long k = 0; k < steps && !status; k++) status = b->step.stepper->step(&b->step, &b->report);
    return status;
}

static inline void block_close(block *b)
{
    b->step.stepper->close(&b->step);
    scree_report_deinit(&b->report);
    scr_world_deinit(&b->world);
}

/* Kinetic, stored and potential energy. */
static inline double block_energy(const block *b)
{
    double t, r, p;
    scr_world_energies(&b->world, &t, &r, &p);
    return t + r + p + b->world.ledger.elastic_solid;
}

static inline double block_kinetic(const block *b)
{
    double t, r, p;
    scr_world_energies(&b->world, &t, &r, &p);
    return t + r;
}

/* What the ledger does not explain. */
static inline double block_closure(const block *b)
{
    const scr_ledger *l = &b->world.ledger;
    return block_energy(b) + SCR_ACCOUNT(l, absorbed) - SCR_ACCOUNT(l, load_work) - SCR_ACCOUNT(l, support_work) -
           l->initial;
}

static inline vec3 block_momentum(const block *b)
{
    const scr_cells *c = &b->world.cells;
    vec3 p = v3(0, 0, 0);
    for (size_t k = 0; k < c->table.count; k++) p = v3_axpy(p, scr_cell_mass(c, k), v3_load(c->velocity + 4 * k));
    return p;
}

static inline vec3 block_angular_momentum(const block *b)
{
    const scr_cells *c = &b->world.cells;
    vec3 l = v3(0, 0, 0);
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 p = v3_scale(scr_cell_mass(c, k), v3_load(c->velocity + 4 * k));
        l = v3_add(l, v3_add(v3_cross(scr_cell_centre(c, k), p), v3_load(c->momentum + 4 * k)));
    }
    return l;
}

/* Displacements of about `size` edges, turns of about `turn` rad. */
static inline void block_disturb(block *b, double size, double turn)
{
    scr_cells *c = &b->world.cells;
    for (size_t k = 0; k < c->table.count; k++) {
        v3_store(c->displacement + 4 * k, block_noise(b, size));
        quat_store(c->turn + 4 * k, quat_exp(block_noise(b, turn)));
    }
}

/* The largest frequency [rad/s], from below, by power iteration on differences of the forces about the reference
 * state. */
static inline double cells_fastest(scr_step *s, int rounds)
{
    scr_cells *c = &s->world->cells;
    scr_random random = scr_random_stream(11, 0);
    scree_report report;
    scree_report_init(&report);
    size_t n = c->table.count;
    double *x = malloc(6 * n * sizeof *x), omega2 = 0, h = 1e-6 * cbrt(scr_cell_volume(c, 0));
    for (size_t k = 0; k < 6 * n; k++) x[k] = scr_random_between(&random, -1, 1);
    for (int round = 0; round < rounds; round++) {
        double norm = 0;
        for (size_t k = 0; k < 6 * n; k++) norm += x[k] * x[k];
        norm = 1 / sqrt(norm);
        for (size_t k = 0; k < 6 * n; k++) x[k] *= norm;
        for (size_t k = 0; k < n; k++) {
            v3_store(c->displacement + 4 * k, v3_scale(h, v3_load(x + 6 * k)));
            quat_store(c->turn + 4 * k, quat_exp(v3_scale(h, v3_load(x + 6 * k + 3))));
        }
        s->stepper->close(s);
        s->stepper->open(s, false, &report);
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            v3_store(x + 6 * k, v3_scale(-c->velocity[4 * k + 3] / h, v3_load(c->load + 8 * k)));
            // J^-1 M by way of the spin of that momentum
            v3_store(c->momentum + 4 * k, v3_load(c->load + 8 * k + 4));
            v3_store(x + 6 * k + 3, v3_scale(-1 / h, scr_cell_spin(c, k)));
        }
        for (size_t k = 0; k < 6 * n; k++) sum += x[k] * x[k];
        omega2 = sqrt(sum);
    }
    for (size_t k = 0; k < n; k++) {
        v3_store(c->displacement + 4 * k, v3(0, 0, 0));
        v3_store(c->momentum + 4 * k, v3(0, 0, 0));
        quat_store(c->turn + 4 * k, quat_one());
    }
    scree_report_deinit(&report);
    free(x);
    return sqrt(omega2);
}

#endif
