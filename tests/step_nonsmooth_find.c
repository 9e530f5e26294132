/* Pairs that the nonsmooth stepper looks at, against all pairs: those whose gap is less than
 *
 *   g h^2 + 0.2 min(r_a, r_b) + w_a + w_b,   w = h |v - mean| at most a diameter                       (1)
 *
 * (docs/theory-nonsmooth.md, 4a), or h |v_a| where b never moves. Grains of one size and of many, slow and fast ones,
 * in open and periodic boxes, near and beyond the last cells, all free and among grains that are held: each way of
 * looking has its turn. */
#include "base/random.h"
#include "run/simulation.h"
#include "stage.h"

enum { SIDE = 15, MOST = SIDE * SIDE * SIDE };

typedef struct {
    const char *name;
    double least, pitch; /* radii are from `least` to 5 mm; distance of places */
    double speed, fast;  /* of all, of one in eight */
    int held;            /* one in so many is; 0: nobody */
    bool periodic;
    double far; /* from the corner of the domain along x: there may be more cells between than are counted [m] */
} cloud;

static const double dt = 2e-3, gravity = 9.81, largest = 5e-3;

static void scatter(const cloud *c, grain *g)
{
    scr_random r = scr_random_stream(3, 5);
    for (int k = 0; k < MOST; k++) {
        int cell[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        double speed = k % 8 ? c->speed : c->fast;
        g[k] =
            (grain){.radius = scr_random_between(&r, c->least, largest), .type = c->held && k % c->held == 0 ? 2 : 1};
        for (int d = 0; d < 3; d++) {
            double loose = 0.5 * c->pitch - g[k].radius;
            g[k].x[d] = c->pitch * (cell[d] + 0.5) + scr_random_between(&r, -loose, loose);
            if (d == 0) g[k].x[d] += c->far;
            g[k].v[d] = g[k].type == 1 ? scr_random_between(&r, -speed, speed) : 0;
        }
    }
}

static double norm(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static double gap_of(const cloud *c, const grain *a, const grain *b)
{
    double square = 0, length = SIDE * c->pitch;
    for (int d = 0; d < 3; d++) {
        double way = b->x[d] - a->x[d];
        if (c->periodic) way -= length * rint(way / length);
        square += way * way;
    }
    return sqrt(square) - a->radius - b->radius;
}

static int64_t count(const cloud *c, const grain *g)
{
    double mean[3] = {0}, rest[3] = {0};
    static double way[MOST];
    int free = 0;
    int64_t pairs = 0;
    for (int k = 0; k < MOST; k++) free += g[k].type == 1;
    for (int k = 0; k < MOST; k++)
        for (int d = 0; d < 3; d++) mean[d] += g[k].v[d] / free;
    for (int k = 0; k < MOST; k++) way[k] = g[k].type == 1 ? fmin(dt * norm(g[k].v, mean), 2 * g[k].radius) : 0;
    for (int a = 0; a < MOST; a++)
        for (int b = a + 1; b < MOST; b++) {
            if (g[a].type == 2 && g[b].type == 2) continue;
            double ahead = way[a] + way[b];
            for (int end = 0; end < 2; end++) {
                const grain *one = end ? &g[b] : &g[a], *other = end ? &g[a] : &g[b];
                if (other->type == 2) ahead = fmax(ahead, fmin(dt * norm(one->v, rest), 2 * one->radius));
            }
            pairs += gap_of(c, &g[a], &g[b]) < gravity * dt * dt + 0.2 * fmin(g[a].radius, g[b].radius) + ahead;
        }
    return pairs;
}

static void test(const cloud *c)
{
    static grain g[MOST];
    stage s;
    double length = SIDE * c->pitch, beyond = c->periodic ? 0 : 0.1;
    scatter(c, g);
    if (!stage_open(&s, g, MOST,
                    "scree: 1\ndomain: {box: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]%s}\n"
                    "gravity: [0, 0, -%.17g]\n"
                    "materials: {rock: {density: 3700, restitution: 0.2, friction: 0.5}}\n"
                    "bodies:\n  all: {from: table, file: @, type: 1, material: rock}\n"
                    "%s"
                    "stepper: {type: nonsmooth}\ntime: {end: 10, step: %.17g}\n",
                    -beyond, -beyond, -beyond, c->far + length + beyond, length + beyond, length + beyond,
                    c->periodic ? ", periodic: [x, y, z]" : "", gravity,
                    c->held ? "  fixed: {from: table, file: @, type: 2, material: rock, frozen: yes}\n" : "", dt))
        return;
    int64_t found = scree_simulation_stats(s.sim).candidates, all = count(c, g);
    printf("%-28s %lld pairs are looked at\n", c->name, (long long)all);
    CHECK(all > MOST / 4);
    CHECK_INT(found, all);
    stage_close(&s);
}

int main(void)
{
    static const cloud clouds[] = {
        {"one size, slow", 5e-3, 0.0112, 0.05, 0.05, 0, false, 0},
        {"one size, some fast", 5e-3, 0.0112, 0.05, 3, 0, false, 0},
        {"alike, some fast", 4e-3, 0.0112, 0.05, 1.5, 0, false, 0},
        {"alike, periodic", 4e-3, 0.0112, 0.3, 0.3, 0, true, 0},
        {"many sizes", 3e-3, 0.0102, 0.1, 0.5, 0, false, 0},
        {"one size, far away", 5e-3, 0.0112, 0.05, 0.05, 0, false, 20e3},
        {"some held", 4e-3, 0.0112, 0.05, 1, 4, false, 0},
        {"some held, periodic", 4.5e-3, 0.0112, 0.05, 0.3, 5, true, 0},
        {"most held", 4.5e-3, 0.0112, 0.05, 0.5, 2, false, 0},
    };
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) test(&clouds[k]);
    return check_done();
}
