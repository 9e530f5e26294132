/* Single grains that find their places (step/equilibrium/local.c): equilibria of a column and of a grain on three
 * others in closed form; who is pushed follows; nobody goes beyond the slack of the list; the energy falls. */
#include "run/simulation.h"
#include "stage.h"
#include "step/variational/work.h"

#define STIFF 1000.0
#define LONG  1e6 /* no inertia */
#define ASIDE                                    \
    {                                            \
        .x = {8, 8, 5}, .radius = 0.5, .type = 2 \
    } /* held, alone */

static bool open_scene(stage *s, const grain *g, int n)
{
    return stage_open(s, g, n,
                      "scree: 1\n"
                      "gravity: [0, 0, -1]\n"
                      "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                      "materials: {m: {density: =6/pi, restitution: 0.5, friction: 0}}\n"
                      "contacts: {any: {stiffness: %g, tangential: none}}\n"
                      "bodies: {a: {from: table, file: @, type: 1, material: m},\n"
                      "         b: {from: table, file: @, type: 2, material: m, frozen: yes}}\n"
                      "walls: {floor: {shape: plane, material: m}}\n"
                      "stepper: {type: variational, theta: 1, skin: 0.6}\n"
                      "time: {end: 1, step: 0.01}\n",
                      STIFF);
}

// contacts within `slack` of the present places, as fall.c gathers them
static var_work *gather(stage *s, double slack)
{
    var_work *w = s->sim->step.work;
    size_t n = w->world->bodies.table.count;
    w->sub.mode = VAR_FALL;
    w->sub.span = 0, w->sub.h = w->sub.s = LONG;
    scr_var_walls_prepare(w);
    scr_var_predict(w);
    memset(w->rows.u, 0, SCR_ROW * n * sizeof *w->rows.u);
    memset(w->rows.guess, 0, SCR_ROW * n * sizeof *w->rows.guess);
    scr_var_gather(w, slack);
    return w;
}

typedef struct {
    double energy, left; /* left: the largest force over the largest contact force */
} balance;

static balance balance_of(var_work *w)
{
    w->sub.mode = VAR_RELAX; // the energy too
    scr_objective o = scr_var_objective(w);
    scr_value v = o.evaluate(o.context, w->rows.u, w->solver.minimiser.gradient);
    w->sub.mode = VAR_FALL;
    double most = 0;
    for (size_t i = 0; i < w->world->bodies.table.count; i++) {
        vec3 g = v3_load(w->solver.minimiser.gradient + SCR_ROW * i);
        most = check_worse(most, v3_norm(g));
    }
    return (balance){v.energy, most / v.strongest};
}

// where a grain got, by its id
static vec3 place_of(const var_work *w, int64_t id)
{
    const scr_bodies *b = &w->world->bodies;
    for (size_t i = 0; i < b->table.count; i++)
        if (b->id[i] == id) return v3_add(v3_load(b->place + 4 * i), v3_load(w->rows.u + SCR_ROW * i));
    return v3(NAN, NAN, NAN);
}

// the lower one rests for itself, the upper one has the weight of three: both must move, and the lower one is pushed
static void test_column(void)
{
    grain g[3] = {{.x = {0, 0, 0.5 - 1 / STIFF}, .radius = 0.5}, {.x = {0, 0, 1.5 - 4 / STIFF}, .radius = 0.5}, ASIDE};
    stage s;
    if (!open_scene(&s, g, 3)) return;
    var_work *w = gather(&s, 0.3);
    double before = balance_of(w).energy;
    var_local_tally t;
    CHECK(scr_var_local(w, 0.3, 1e-6, 1000, &t));
    CHECK(t.done && t.active == 2 && t.waits == 0);
    CHECK(t.moved > t.active);
    // one after the other: as fast as Gauss and Seidel's method of two unknowns
    CHECK(t.moved < 100);
    CHECK_NEAR(place_of(w, 1).z, 0.5 - 2 / STIFF, 1e-8); // off by 2e-9
    CHECK_NEAR(place_of(w, 2).z, 1.5 - 3 / STIFF, 1e-8); // off by 4e-9
    balance b = balance_of(w);
    // what a grain that moved had left itself, at most 0.3 of it, is not counted when others push it
    CHECK(b.left <= 1.3e-6 && b.energy < before);
    stage_close(&s);
}

// the lower one has almost too much left when the upper one comes down on it: both together are too much
static void test_pushed(void)
{
    double enough = 0.02; // [N]; the upper one begins with 0.03 N too little under it, the lower one with 0.018 N
    grain g[3] = {{.x = {0, 0, 0.5 - 1.952 / STIFF}, .radius = 0.5},
                  {.x = {0, 0, 1.5 - (1.952 + 0.97) / STIFF}, .radius = 0.5},
                  ASIDE};
    stage s;
    if (!open_scene(&s, g, 3)) return;
    var_work *w = gather(&s, 0.3);
    var_local_tally t;
    CHECK(scr_var_local(w, 0.3, enough / 1.952, 1000, &t));
    CHECK(t.done && t.active == 1 && t.moved > 1);
    CHECK(balance_of(w).left <= 1.3 * enough / 1.952); // as in test_column
    stage_close(&s);
}

// on three that touch each other, from beside their middle
static void test_hollow(void)
{
    double far = 1 / sqrt(3.0);
    grain g[4] = {{.x = {0.05, 0.03, sqrt(2.0 / 3) + 3.01}, .radius = 0.5}};
    for (int k = 0; k < 3; k++) {
        double angle = 2 * M_PI * k / 3;
        g[k + 1] = (grain){.x = {far * cos(angle), far * sin(angle), 3}, .radius = 0.5, .type = 2};
    }
    stage s;
    if (!open_scene(&s, g, 4)) return;
    var_work *w = gather(&s, 0.3);
    var_local_tally t;
    CHECK(scr_var_local(w, 0.3, 1e-9, 1000, &t));
    CHECK(t.done && t.active == 1 && t.moved == 1);
    vec3 at = place_of(w, 1);
    CHECK_NEAR(at.x, 0, 1e-10); // off by 2e-12
    CHECK_NEAR(at.y, 0, 1e-10); // off by 3e-12
    // 3 k (1 - l) z/l = 1, with l^2 = 1/3 + z^2
    double z = at.z - 3, l = sqrt(1.0 / 3 + z * z);
    CHECK_NEAR(3 * STIFF * (1 - l) * z / l, 1, 4e-11); // off by 5e-13
    // those that are held have not moved
    CHECK(place_of(w, 2).x == far);
    stage_close(&s);
}

// in the air: to the end of the slack, and no further
static void test_slack(void)
{
    grain g[3] = {{.x = {0, 0, 1}, .radius = 0.5}, {.x = {3, 0, 0.5 - 1 / STIFF}, .radius = 0.5}, ASIDE};
    stage s;
    if (!open_scene(&s, g, 3)) return;
    var_work *w = gather(&s, 0.3);
    var_local_tally t;
    CHECK(scr_var_local(w, 0.2, 1e-6, 1000, &t));
    CHECK(!t.done && t.waits == 1 && t.active == 1);
    CHECK_NEAR(place_of(w, 1).z, 0.8, 1e-12);
    CHECK_NEAR(place_of(w, 2).z, 0.5 - 1 / STIFF, 1e-15);
    stage_close(&s);
}

// a pressed heap in which all have too much: downhill, with as many moves as are allowed, and then to the end
static void test_heap(void)
{
    grain g[27];
    for (int k = 0; k < 27; k++) {
        int x = k % 3, y = k / 3 % 3, z = k / 9;
        g[k] =
            (grain){.x = {0.97 * x + 0.01 * y, 0.97 * y + 0.02 * z, 0.49 + 0.97 * z}, .radius = 0.5, .type = z ? 1 : 2};
    }
    stage s;
    if (!open_scene(&s, g, 27)) return;
    var_work *w = gather(&s, 0.3);
    double before = balance_of(w).energy;
    var_local_tally t;
    CHECK(scr_var_local(w, 0.3, 1e-3, 10, &t));
    double after = balance_of(w).energy;
    CHECK(!t.done && t.active == 18 && t.moved == 10);
    CHECK(after < before);
    CHECK(scr_var_local(w, 0.3, 1e-3, 100000, &t));
    CHECK(balance_of(w).energy < after);
    CHECK(t.moved < 100000);
    CHECK(!t.done && t.waits > 0); // some have come to the end of their slack
    stage_close(&s);
}

int main(void)
{
    test_column();
    test_pushed();
    test_hollow();
    test_slack();
    test_heap();
    return check_done();
}
