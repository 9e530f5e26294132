/* The incremental potential of the variational stepper: gradient and second derivative against differences, for
 * every law, bond, face and group; and what is left out of the second derivative on purpose. */
#include "run/simulation.h"
#include "stage.h"
#include "step/variational/matrix.h"
#include "step/variational/work.h"

static uint64_t seed = 88172645463325252ull;

static double draw(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-53 - 0.5;
}

#define GRAINS 64
#define ROWS   (SCR_ROW * GRAINS)

/* ---- scenes ---- */

typedef struct {
    const char *name, *contact;
    const char *walls;   // NULL: two planes, one of which moves
    const char *bodies;  // NULL: one group
    const char *more;    // bonds
    const char *domain;  // NULL: not periodic
    const char *stepper; // NULL: nothing more
    double at[3], by[3]; // faces: grains that touch them in this box; by 0: a lattice
    double step;         // 0: STEP
    int mode;            // of bonds that acts alone, 1: stretch, ...
} scenery;

#define STEP 2e-3 /* the mass over s^2 is near the stiffness */

static bool open_scene(stage *s, const scenery *c, const grain *g, int n)
{
    return stage_open(s, g, n,
                      "scree: 1\n"
                      "gravity: [0.3, 0, -1]\n"
                      "domain: {%s}\n"
                      "materials: {m: {density: 1.9, restitution: 0.6, friction: 0.3,\n"
                      "                rolling_friction: 0.2, young: 3e6, poisson: 0.25}}\n"
                      "contacts: {any: {%s}}\n"
                      "bodies: {%s}\n"
                      "%s\n"
                      "walls: {%s}\n"
                      "stepper: {type: variational, skin: 0.2%s}\n"
                      "time: {end: 1, step: %g}\n",
                      c->domain ? c->domain : "box: [[-9, -9, -9], [9, 9, 9]]", c->contact,
                      c->bodies ? c->bodies : "all: {from: table, file: @, material: m}", c->more ? c->more : "",
                      c->walls ? c->walls
                               : "floor: {shape: plane, material: m, normal: [0, 0, 1], velocity: [0.1, 0, 0.2]}, "
                                 "side: {shape: plane, material: m, normal: [1, 0, 0]}",
                      c->stepper ? c->stepper : "", c->step > 0 ? c->step : STEP);
}

static grain random_grain(int k)
{
    grain g = {.radius = 0.5 * (1 + 0.1 * draw()), .type = 1 + k % 4};
    for (int d = 0; d < 3; d++) g.v[d] = draw(), g.w[d] = draw();
    return g;
}

// a lattice that is pressed together, with grains of several sizes
static int press(grain *g)
{
    for (int k = 0; k < GRAINS; k++) {
        g[k] = random_grain(k);
        const int at[3] = {k % 4, k / 4 % 4, k / 16};
        for (int d = 0; d < 3; d++) g[k].x[d] = 0.3 + 0.97 * at[d] + 0.04 * draw();
    }
    return GRAINS;
}

static double distance_to(const scr_world *w, const double *x)
{
    double least = INFINITY;
    for (int f = 0; f < w->face_count; f++) {
        const scr_face *face = &w->faces[f];
        vec3 local = pose_point_back(&w->walls[face->wall].pose, v3_load(x));
        least = fmin(least, scr_face_nearest(face, local).distance);
    }
    return least;
}

// grains that touch faces, wherever they are in a box; they pass through each other
static int touch(const scenery *c, grain *g)
{
    grain far = {.x = {8, 8, 8}, .radius = 0.5};
    stage s;
    if (!open_scene(&s, c, &far, 1)) return 0;
    int n = 0;
    for (int tries = 0; tries < 1000000 && n < GRAINS / 2; tries++) {
        g[n] = random_grain(n);
        for (int d = 0; d < 3; d++) g[n].x[d] = c->at[d] + 2 * c->by[d] * draw();
        double overlap = g[n].radius - distance_to(&s.sim->world, g[n].x);
        if (overlap > 0.005 && overlap < 0.035) n++;
    }
    CHECK_INT(n, GRAINS / 2);
    stage_close(&s);
    return n;
}

// springs as if contacts and bonds had been there for some time
static void stretch(var_work *w, int mode)
{
    scr_pairs *p = w->pairs;
    for (size_t k = 0; k < 4 * p->count; k++)
        if (p->touch[k / 4] && k % 4 < 3) p->history[k] = 4e-2 * draw();
    for (size_t k = 0; k < 4 * p->walls.count; k++)
        if (p->walls.touch[k / 4] && k % 4 < 3) p->walls.history[k] = 4e-2 * draw();
    for (size_t k = 0; p->wide && k < 8 * p->count; k++)
        if (p->touch[k / 8] && k % 8 < 3) p->wide[k] = 4e-2 * draw();
    for (size_t k = 0; p->walls.wide && k < 8 * p->walls.count; k++)
        if (p->walls.touch[k / 8] && k % 8 < 3) p->walls.wide[k] = 4e-2 * draw();
    scr_bonds *b = &w->world->bonds;
    for (size_t k = 0; k < b->table.count; k++) {
        b->shape[2 * k] *= 1 + 0.02 * draw();
        for (int d = 0; d < 4; d++) {
            b->shear[4 * k + d] = 4e-2 * draw();
            if (d < 3) b->bend[4 * k + d] = 4e-2 * draw();
            if (mode && d != mode - 1) b->spring[4 * k + d] = b->damper[4 * k + d] = 0;
        }
    }
}

/* ---- differences ---- */

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < ROWS; k++) sum += a[k] * b[k];
    return sum;
}

// a direction in which nothing that is held moves
static void direct(const var_work *w, double *p)
{
    const scr_bodies *b = &w->world->bodies;
    memset(p, 0, ROWS * sizeof *p);
    for (size_t i = 0; i < b->table.count; i++)
        for (int d = 0; d < 3; d++) {
            if (b->motion[4 * i + 3] > 0) p[SCR_ROW * i + d] = draw();
            if (b->spin[4 * i + 3] > 0) p[SCR_ROW * i + 4 + d] = draw();
        }
}

typedef struct {
    double gradient, product; // largest relative errors, over steps of the difference
    double curvature[2];      // along the direction, as differences and as the product say
} differences;

static differences differ(var_work *w, const scenery *c)
{
    static double x[ROWS], p[ROWS], g[ROWS], plus[ROWS], minus[ROWS], at[ROWS], q[ROWS];
    w->sub.time = w->sub.from = 0, w->sub.h = w->sub.span = c->step > 0 ? c->step : STEP,
    w->sub.s = w->sub.theta * w->sub.h;
    stretch(w, c->mode);
    scr_var_walls_prepare(w);
    scr_var_predict(w);
    scr_var_walls_pose(w, VAR_AT_STAGE);
    scr_var_gather(w, w->world->clock.skin);
    scr_objective o = scr_var_objective(w);
    // near the start, where the scene has its contacts
    direct(w, x);
    for (int k = 0; k < ROWS; k++) x[k] *= 1e-3;
    direct(w, p);
    differences out = {INFINITY, INFINITY, {0}};
    for (double e = 1e-5; e > 3e-8; e *= 0.3) {
        for (int k = 0; k < ROWS; k++) at[k] = x[k] + e * p[k];
        double up = o.evaluate(w, at, plus).energy;
        for (int k = 0; k < ROWS; k++) at[k] = x[k] - e * p[k];
        double down = o.evaluate(w, at, minus).energy;
        o.evaluate(w, x, g);
        double slope = dot(g, p), off = 0, size = 0, curvature = 0;
        out.gradient = fmin(out.gradient, fabs((up - down) / (2 * e) - slope) / fabs(slope));
        out.curvature[1] = o.product(w, p, q);
        for (int k = 0; k < ROWS; k++) {
            double d = (plus[k] - minus[k]) / (2 * e);
            off += (d - q[k]) * (d - q[k]), size += q[k] * q[k], curvature += d * p[k];
        }
        if (sqrt(off / size) < out.product) out.product = sqrt(off / size), out.curvature[0] = curvature;
    }
    return out;
}

/* What the records of an evaluation are: */
typedef struct {
    int all, stuck, slipping; // contacts, those whose friction holds, and slides
    int bent[2];              // walls whose normal turns outwards, inwards
} tally;

static tally tally_of(const var_work *w)
{
    tally t = {.all = (int)w->contacts.count[2]};
    size_t first = var_base(w, 0) + w->pairs->block_walls[0];
    for (size_t k = first; k < first + w->contacts.count[2]; k++) {
        const var_record *r = &w->contacts.record[k];
        const var_slide slide = r->slides ? w->contacts.slide[k] : (var_slide){0};
        t.stuck += slide.hold > 0 && slide.drop == 0;
        t.slipping += slide.hold > 0 && slide.drop > 0;
        if (r->j != UINT32_MAX || slide.hold > 0 || r->damp > 0) continue;
        t.bent[0] += r->across - slide.drop * rv_dot(slide.q, slide.q) < 0;
        t.bent[1] += r->across > 0;
    }
    return t;
}

static bool run_scene(const scenery *c, differences *d, tally *t)
{
    grain g[GRAINS];
    int n = c->by[0] > 0 ? touch(c, g) : press(g);
    stage s;
    if (!n || !open_scene(&s, c, g, n)) return false;
    var_work *w = s.sim->step.work;
    CHECK(stage_contacts(&s) > n / 2 || w->world->bonds.table.count > 100);
    *d = differ(w, c);
    *t = tally_of(w);
    printf("%-32s %3d records, %3d stick, %3d slip, %3d + %3d turn; gradient %.1e, product %.1e\n", c->name, t->all,
           t->stuck, t->slipping, t->bent[0], t->bent[1], d->gradient, d->product);
    stage_close(&s);
    return true;
}

/* ---- laws, bonds, groups ---- */

#define SPRING "stiffness: 2e5, tangential: none"
#define BONDS  "bonds: {glue: {gap: 0.1, young: 1e6, poisson: 0.2}}"
#define ALONE  "all: {from: table, file: @, material: m, ignores: all}"
#define GROUPS                                                                             \
    "a: {from: table, file: @, type: 1, material: m}, "                                    \
    "b: {from: table, file: @, type: 2, material: m, frozen: yes, ignores: c}, "           \
    "c: {from: table, file: @, type: 3, material: m, motion: {velocity: [0.2, 0, 0.1]}}, " \
    "d: {from: table, file: @, type: 4, material: m, ignores: a}"

static const scenery laws[] = {
    {"hooke", .contact = SPRING},
    {"hooke, friction", .contact = "stiffness: 2e5, stiffness_ratio: 0.3"},
    {"hooke, viscous", .contact = "stiffness: 2e5, damping: viscous, damping_rate: 40"},
    {"hooke, rolling", .contact = "stiffness: 2e5, rolling: sds"},
    {"hertz", .contact = "normal: hertz, tangential: none"},
    {"hertz, mindlin", .contact = "normal: hertz"},
    {"hooke, a damper along it", .contact =
                                     "stiffness: 2e5, tangential: viscous, damping_ratio: 0.5, damping: viscous, "
                                     "damping_rate: 400"},
    {"hertz, a damper along it", .contact = "normal: hertz, tangential: viscous, rolling: sds"},
    {"hertz, viscous", .contact = "normal: hertz, damping: viscous, damping_rate: 40"},
    {"hertz, history", .contact = "normal: hertz, tangential: history, tangential_stiffness: 5e4"},
    {"hertz, viscoelastic, rolling",
     .contact = "normal: hertz, damping: viscoelastic, area_damping_rate: 300, rolling: sds"},
    {"groups, frozen and moved", .contact = "stiffness: 2e5", .bodies = GROUPS},
    {"periodic", .contact = "stiffness: 2e5", .domain = "box: [[-0.18, -0.18, -9], [3.7, 3.7, 9]], periodic: [x, y]"},
    {"order 1", .contact = "stiffness: 2e5, rolling: sds", .stepper = ", order: 1"},
    {"order 1, bonds", .contact = "normal: hertz", .more = BONDS, .stepper = ", order: 1"},
    {"backward Euler", .contact = "stiffness: 2e5, rolling: sds", .stepper = ", theta: 1"},
    {"bonds", .contact = "stiffness: 2e5", .more = BONDS},
    {"bonds, stretch", .contact = SPRING, .bodies = ALONE, .more = BONDS, .mode = 1},
    {"bonds, shear", .contact = SPRING, .bodies = ALONE, .more = BONDS, .mode = 2},
    {"bonds, bending", .contact = SPRING, .bodies = ALONE, .more = BONDS, .mode = 3},
    {"bonds, twist", .contact = SPRING, .bodies = ALONE, .more = BONDS, .mode = 4},
};

static void test_laws(void)
{
    int stuck = 0, slipping = 0;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        differences d;
        tally t;
        if (!run_scene(&laws[k], &d, &t)) continue;
        CHECK(d.gradient < 1e-7);
        CHECK(d.product < 1e-7);
        stuck += t.stuck, slipping += t.slipping;
    }
    CHECK(stuck > 100 && slipping > 100);
}

/* ---- faces ---- */

#define TUBE                                                                            \
    "tube: {shape: cylinder, material: m, from: [0, 0, -1], to: [0, 0, 2], radius: 2, " \
    "rotation: {point: [0, 0, 0], axis: [0, 1, 0], rate: 3}}"
#define CONE                                                                                  \
    "cone: {shape: frustum, material: m, from: [0, 0, -1], to: [0, 0, 2], radius_from: 0.4, " \
    "radius_to: 2.5}"
#define MESH(file) "solid: {shape: mesh, material: m, file: " file "}"
#define FRICTION   "stiffness: 2e5, stiffness_ratio: 0.3, rolling: sds"

static const scenery faces[] = {
    {"cylinder", .contact = SPRING, .walls = TUBE, .bodies = ALONE, .by = {3, 3, 2}},
    {"cylinder, hertz", .contact = "normal: hertz, tangential: none", .walls = TUBE, .bodies = ALONE, .by = {3, 3, 2}},
    {"cylinder, friction", .contact = FRICTION, .walls = TUBE, .bodies = ALONE, .by = {3, 3, 2}},
    {"cylinder, order 1", .contact = FRICTION, .walls = TUBE, .bodies = ALONE, .by = {3, 3, 2},
     .stepper = ", order: 1"},
    {"rims of a cylinder", .contact = SPRING, .walls = TUBE, .bodies = ALONE, .at = {0, 0, 2.3}, .by = {3, 3, 0.3}},
    {"cone", .contact = SPRING, .walls = CONE, .bodies = ALONE, .by = {3, 3, 2}},
    {"sphere", .contact = SPRING, .walls = "ball: {shape: sphere, material: m, center: [0, 0, 0], radius: 2}",
     .bodies = ALONE, .by = {3, 3, 3}},
    {"rim of a disc", .contact = SPRING,
     .walls = "disc: {shape: disc, material: m, center: [0, 0, 0], normal: [0, 0.6, 0.8], radius: 1}", .bodies = ALONE,
     .by = {2, 2, 2}},
    {"block of triangles", .contact = SPRING, .walls = MESH("block.obj"), .bodies = ALONE, .by = {2, 2, 2}},
    {"corner of triangles", .contact = FRICTION, .walls = MESH("block.obj"), .bodies = ALONE, .at = {1.3, 1.3, 1.3},
     .by = {0.3, 0.3, 0.3}},
    {"pit of triangles", .contact = SPRING, .walls = MESH("pit.obj"), .bodies = ALONE, .at = {0, 0, 0.5},
     .by = {0.8, 0.8, 0.2}},
    {"valley of a pit", .contact = SPRING, .walls = MESH("pit.obj"), .bodies = ALONE, .at = {0.7, 0, 0.5},
     .by = {0.2, 0.003, 0.2}},
    {"bottom of a pit", .contact = SPRING, .walls = MESH("pit.obj"), .bodies = ALONE, .at = {0, 0, 0.5},
     .by = {0.001, 0.001, 0.1}},
};

static void write_meshes(void)
{
    FILE *f = fopen("block.obj", "w");
    for (int k = 0; k < 8; k++) fprintf(f, "v %d %d %d\n", k & 1, k >> 1 & 1, k >> 2);
    fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", f);
    CHECK(fclose(f) == 0);
    // three facets whose normals differ by ten degrees
    f = fopen("pit.obj", "w");
    fputs("v 0 0 0\nv 2 0 0.1\nv -1 1.7320508 0.1\nv -1 -1.7320508 0.1\n", f);
    fputs("f 1 2 3\nf 1 3 4\nf 1 4 2\n", f);
    CHECK(fclose(f) == 0);
}

static void test_faces(void)
{
    int bent[2] = {0};
    for (size_t k = 0; k < sizeof faces / sizeof *faces; k++) {
        differences d;
        tally t;
        if (!run_scene(&faces[k], &d, &t)) continue;
        CHECK(d.gradient < 1e-7);
        CHECK(d.product < 1e-7);
        bent[0] += t.bent[0], bent[1] += t.bent[1];
    }
    CHECK(bent[0] > 100 && bent[1] > 50);
}

/* ---- long steps ---- */

// normals that turn take more than an eighth of the mass over s^2: that is left out, and the curvature stays positive
static void test_long_steps(void)
{
    const scenery long_steps[] = {
        {"long step, hooke", .contact = SPRING, .step = 0.2},
        {"long step, stretched bonds", .contact = SPRING, .bodies = ALONE, .more = BONDS, .mode = 1, .step = 0.2},
        {"long step, sphere", .contact = SPRING,
         .walls = "ball: {shape: sphere, material: m, center: [0, 0, 0], radius: 2}", .bodies = ALONE, .by = {3, 3, 3},
         .step = 0.2},
        {"long step, block", .contact = SPRING, .walls = MESH("block.obj"), .bodies = ALONE, .by = {2, 2, 2},
         .step = 0.2},
    };
    for (size_t k = 0; k < sizeof long_steps / sizeof *long_steps; k++) {
        differences d;
        tally t;
        if (!run_scene(&long_steps[k], &d, &t)) continue;
        CHECK(d.gradient < 1e-7);
        CHECK(d.product > 1e-4);
        CHECK(d.curvature[1] > d.curvature[0] && d.curvature[1] > 0);
        CHECK_INT(t.bent[0], 0);
        CHECK(t.bent[1] < t.all / 4); // in hollows, where it adds
    }
}

/* A grain thrown upwards, slower and slower: (v + g h) h <= way for parts h of a step of 1 s. With v = g = 1 and a way
 * of 0.1: sixteenths until v = 0.675, from 0.375 s on, where an eighth may begin; eighths until v = 0.15, at the
 * end. */
static void test_parts(void)
{
    grain g = {.x = {0, 0, 0}, .radius = 0.5, .v = {0, 0, 1}};
    stage s;
    if (!stage_open(&s, &g, 1,
                    "scree: 1\n"
                    "gravity: [0, 0, -1]\n"
                    "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                    "materials: {m: {density: 1, restitution: 1, friction: 0}}\n"
                    "contacts: {any: {stiffness: 1e3}}\n"
                    "bodies: {all: {from: table, file: @, material: m}}\n"
                    "stepper: {type: variational, motion: 0.2}\n"
                    "time: {end: 1, step: 1}\n"))
        return;
    stage_advance(&s, 1);
    CHECK_INT(s.sim->step.last.substeps, 6 + 5);
    CHECK_NEAR(s.sim->world.bodies.place[2], 0.5, 1e-14);
    stage_close(&s);
}

/* ---- the matrix ---- */

// columns of the lower triangle as solve/sparse.h wants them; its product is that of the objective
static void test_matrix(void)
{
    const scenery c = {"matrix", .contact = "stiffness: 2e5, rolling: sds",
                       .bodies = "a: {from: table, file: @, type: 1, material: m, frozen: yes}, "
                                 "b: {from: table, file: @, type: 2, material: m}, "
                                 "c: {from: table, file: @, type: 3, material: m}, "
                                 "d: {from: table, file: @, type: 4, material: m}",
                       .more = "bonds: {glue: {between: [b, c], gap: 0.1, young: 1e6, poisson: 0.2}}"};
    grain g[GRAINS];
    stage s;
    if (!open_scene(&s, &c, g, press(g))) return;
    var_work *w = s.sim->step.work;
    var_matrix m = {.memory = 1e9};
    CHECK(w->world->bonds.table.count > 10);
    CHECK(scr_var_matrix_pattern(&m, w));
    CHECK_INT(m.width, 6);
    bool ordered = m.size > 0;
    for (size_t k = 0; k < m.size; k++) {
        ordered &= m.rows[m.first[k]] == (int64_t)k;
        for (int64_t e = m.first[k] + 1; e < m.first[k + 1]; e++) ordered &= m.rows[e] > m.rows[e - 1];
    }
    CHECK(ordered);
    static double p[ROWS], q[ROWS];
    differ(w, &c);
    direct(w, p);
    scr_objective o = scr_var_objective(w);
    o.product(w, p, q);
    scr_var_matrix_fill(&m, w, true, true);
    const double *v = scr_sparse_values(m.sparse);
    double *own = calloc(2 * m.size, sizeof *own), *got = own + m.size, off = 0, size = 0;
    for (size_t i = 0; i < w->world->bodies.table.count; i++)
        for (int d = 0; d < 6 && m.number[i] >= 0; d++)
            own[m.number[i] + d] = p[SCR_ROW * i + (size_t)(d < 3 ? d : d + 1)];
    for (size_t k = 0; k < m.size; k++)
        for (int64_t e = m.first[k]; e < m.first[k + 1]; e++) {
            got[m.rows[e]] += v[e] * own[k];
            if (m.rows[e] != (int64_t)k) got[k] += v[e] * own[m.rows[e]];
        }
    for (size_t i = 0; i < w->world->bodies.table.count; i++)
        for (int d = 0; d < 6 && m.number[i] >= 0; d++) {
            double want = q[SCR_ROW * i + (size_t)(d < 3 ? d : d + 1)];
            off = check_worse(off, fabs(got[m.number[i] + d] - want));
            size = fmax(size, fabs(want));
        }
    printf("matrix: %zu unknowns, %lld entries, product off by %.1e\n", m.size, (long long)m.first[m.size], off / size);
    CHECK(off < 1e-13 * size);
    free(own);
    scr_var_matrix_deinit(&m);
    stage_close(&s);
}

/* ---- forces that keep the energy ---- */

static double energy_at(const scr_law *law, double delta)
{
    return delta > 0 ? contact_push_of(law, delta, 3).energy : 0;
}

static void test_secant(void)
{
    double off = 0, bent = 0, e = 1e-6;
    for (int k = 0; k < 400; k++) {
        scr_law law = {.kn = 2, .normal = k % 2};
        double a = draw(), b = draw();
        contact_push s = contact_secant_of(&law, a, b, 3);
        off = check_worse(off, fabs(s.force * (b - a) - energy_at(&law, b) + energy_at(&law, a)));
        double slope =
            (contact_secant_of(&law, a, b + e, 3).force - contact_secant_of(&law, a, b - e, 3).force) / (2 * e);
        bent = check_worse(bent, fabs(slope - s.stiffness));
    }
    scr_law law = {.kn = 2};
    CHECK_NEAR(contact_secant_of(&law, 0.1, 0.1, 3).force, 0.2, 1e-16);
    printf("secant: energy off by %.1e, slope by %.1e\n", off, bent);
    CHECK_NEAR(off, 0, 1e-15); // 2.8e-17
    CHECK_NEAR(bent, 0, 8e-9); // 8e-11
}

// there is no potential; what Newton's method takes as the derivative is right but for pairs that turn in the step
static void test_exact(void)
{
    const scenery exact[] = {
        {"exact, hooke", .contact = "stiffness: 2e5", .stepper = ", energy: exact"},
        {"exact, hertz", .contact = "normal: hertz", .stepper = ", energy: exact"},
        {"exact, bonds", .contact = SPRING, .more = BONDS, .stepper = ", energy: exact"},
    };
    for (size_t k = 0; k < sizeof exact / sizeof *exact; k++) {
        differences d;
        tally t;
        if (!run_scene(&exact[k], &d, &t)) continue;
        CHECK(d.product < 1e-3); // 2.4e-4
    }
}

int main(void)
{
    test_secant();
    write_meshes();
    test_laws();
    test_faces();
    test_long_steps();
    test_parts();
    test_matrix();
    test_exact();
    unlink("block.obj"), unlink("pit.obj");
    return check_done();
}
