/* Random small scenes under the nonsmooth stepper with reduction: nothing crashes, nothing is lost, no number becomes
 * wild, and the ledger adds up. */
#include "base/random.h"
#include "run/simulation.h"
#include "stage.h"

enum { SCENES = 200, STEPS = 60, MOST = 40 };

static bool one_in(scr_random *r, int n)
{
    return scr_random_unit(r) * n < 1;
}

static const char *pick(scr_random *r, int n, const char *const *words)
{
    return words[(int)(scr_random_unit(r) * n)];
}

static int scatter(scr_random *r, grain *g)
{
    int n = 2 + (int)(scr_random_unit(r) * (MOST - 2));
    double small = scr_random_between(r, 2, 9) * 1e-3, speed = one_in(r, 2) ? 0.3 : 0;
    for (int k = 0; k < n; k++) {
        g[k] = (grain){.radius = scr_random_between(r, small, 0.01), .type = k > 1 && one_in(r, 8) ? 2 : 1};
        int cell[3] = {k % 3, k / 3 % 3, k / 9};
        for (int d = 0; d < 3; d++) {
            double loose = 0.011 - g[k].radius;
            g[k].x[d] = 0.011 + 0.022 * cell[d] + scr_random_between(r, -loose, loose);
            g[k].v[d] = scr_random_between(r, -speed, speed);
            g[k].w[d] = scr_random_between(r, -20, 20) * speed;
        }
    }
    g[1].type = 2;
    return n;
}

static void write_walls(scr_random *r, char *out, size_t room)
{
    static const char *const floors[] = {
        "floor: {shape: plane, material: rock}",
        "floor: {shape: plane, material: ice}",
        "floor: {shape: plane, material: rock, velocity: [0.1, 0.05, 0]}",
        "floor: {shape: plane, material: rock, oscillation: {amplitude: 1 mm, "
        "frequency: 5}}",
        "floor: {shape: plane, material: rock, until: 0.12}",
        "floor: {shape: cylinder, material: rock, from: [0.03, -1, 0.06], to: [0.03, 1, 0.06], "
        "radius: 0.1, rotation: {point: [0.03, 0, 0.06], axis: [0, 1, 0], rate: 2}}",
        "floor: {shape: box, material: rock, box: [[-0.01, -0.01, 0], [0.08, 0.08, 1]]}",
        "floor: {shape: sphere, material: rock, center: [0.033, 0.033, 0.05], radius: 0.15, "
        "velocity: [0, 0, 0.05]}",
    };
    static const char *const more[] = {
        "",
        ", side: {shape: plane, material: ice, point: [0.07, 0, 0], normal: [-1, 0.2, 0.3]}",
        ", side: {shape: plane, material: rock, point: [0.075, 0, 0], normal: [-1, 0, 0], velocity: [-0.05, 0, 0], "
        "until: 0.2}",
        ", side: {shape: disc, material: rock, center: [0.03, 0.03, -0.01], radius: 0.02, velocity: [0, 0, 0.1], "
        "since: 0.05}",
        ", side: {shape: plane, material: rock, point: [-0.002, 0, 0], normal: [1, 0, 0], rotation: {axis: [0, 1, 0], "
        "rate: 0.1}}",
    };
    snprintf(out, room, "%s%s", pick(r, 8, floors), pick(r, 5, more));
}

static void write_stepper(scr_random *r, char *out, size_t room)
{
    static const char *const ways[] = {"",
                                       ", start: cold",
                                       ", substeps: 3, sweeps: 5",
                                       ", preset: servin2015",
                                       ", anticipation: 0",
                                       ", precision: double, tolerance: 1e-6",
                                       ", push: 0.1, rolling_radius: effective",
                                       ", trial_layers: 0, trial_every: 1",
                                       ", trial_sweeps: 0, split_depth: 1",
                                       ", impact_sweeps: 0, merge_sliding: 0.1, merge_approach: 0.1"};
    snprintf(out, room, "{type: nonsmooth, reduction: %s%s}", one_in(r, 6) ? "off" : "on", pick(r, 10, ways));
}

/* Why much of a scene's energy may be unforeseen: a contact that overlaps when it is first found brings what it stores
 * (in all but one of the scenes with more than 1 % it is that, in the one a wall's curvature). It is found late where
 * no gap is looked at, where a wall comes to be among grains, where grains get further than their diameter in a step
 * (as those of the inlet do in 5 ms), and where a grain has its velocity from a blow in the same step: a crowd that
 * falls as one is anticipated by its speeds against each other, and some have met a wall. */
typedef enum { NO_ANTICIPATION, WALL_COMES, FAST, LONG_STEPS, SHORT_STEPS, CAUSES } cause;

static const char *const causes[CAUSES] = {"no anticipation", "a wall comes", "an inlet and steps of 5 ms",
                                           "steps of 5 ms", "steps of 1 ms"};

static cause cause_of(const char *stepper, const char *walls, bool inlet, bool long_steps)
{
    if (strstr(stepper, "anticipation: 0")) return NO_ANTICIPATION;
    if (strstr(walls, "since:")) return WALL_COMES;
    if (!long_steps) return SHORT_STEPS;
    return inlet ? FAST : LONG_STEPS;
}

/* Parts of the energy that scenes moved: the worst closure less overlaps that no step foresaw and what sweeps left; the
 * means of these two, and in how many scenes each is more than 1 %. */
typedef struct {
    double off, unforeseen, unsolved;
    int loose;
    struct {
        int scenes, surprised;
        double sum, worst;
    } by[CAUSES];
} missing;

static void add(missing *all, cause c, double unforeseen, double unsolved)
{
    all->unforeseen += unforeseen / SCENES;
    all->unsolved += unsolved / SCENES;
    all->loose += !(unsolved < 0.01);
    all->by[c].scenes++;
    all->by[c].surprised += !(unforeseen < 0.01);
    all->by[c].sum += unforeseen;
    all->by[c].worst = check_worse(all->by[c].worst, unforeseen);
}

static void test_scene(uint64_t seed, missing *all)
{
    scr_random r = scr_random_stream(seed, 11);
    grain g[MOST];
    char walls[1024], stepper[256];
    int n = scatter(&r, g);
    write_walls(&r, walls, sizeof walls);
    write_stepper(&r, stepper, sizeof stepper);
    stage s;
    const char *resolved = one_in(&r, 4) ? "resolved_regions: {eye: {box: [[0, 0, -0.05], [0.03, 0.1, 0.1]]}}" : "";
    const char *inlet = one_in(&r, 4) ? "  rain: {from: inlet, material: rock, diameter: 5 mm, "
                                        "rate: 100, region: {box: [[0, 0, 0.2], [0.06, 0.06, "
                                        "0.25]]}}\n"
                                      : "";
    const char *outlet = one_in(&r, 4) ? "outlets: {end: {shape: plane, point: [0.04, 0, 0], normal: [1, 0, -1], "
                                         "start: 1 us}}"
                                       : "";
    const char *sides = one_in(&r, 3) ? ", periodic: [y]" : "", *dt;
    bool ok = stage_open(&s, g, n,
                         "scree: 1\n"
                         "domain: {box: [[-0.2, -0.15, -0.15], [0.2, 0.15, 0.3]], boundary: delete%s}\n"
                         "materials:\n"
                         "  rock: {density: 3700, restitution: %.3f, friction: %.3f, rolling_friction: %.3f}\n"
                         "  ice: {density: 1000, restitution: 0.2, friction: 0}\n"
                         "contacts: {any: {stiffness: %s, rolling: %s, twisting: %s}}\n"
                         "bodies:\n"
                         "  all: {from: table, file: @, type: 1, material: rock}\n"
                         "  fixed: {from: table, file: @, type: 2, material: rock, frozen: yes}\n"
                         "%swalls: {%s}\n%s\n%s\n"
                         "stepper: %s\n"
                         "time: {end: 10, step: %s}\n",
                         sides, scr_random_unit(&r) * 0.9 + 0.05, scr_random_unit(&r), scr_random_unit(&r) * 0.5,
                         one_in(&r, 3) ? "300 kN/m" : "3 kN/m", one_in(&r, 3) ? "none" : "sds",
                         one_in(&r, 4) ? "sds, twisting_friction: 0.1" : "none", inlet, walls, resolved, outlet,
                         stepper, dt = one_in(&r, 2) ? "5 ms" : "1 ms");
    if (!ok) {
        printf("scene %llu\n", (unsigned long long)seed);
        return;
    }
    scree_energies start = scree_simulation_energies(s.sim);
    stage_advance(&s, STEPS);
    scree_energies e = scree_simulation_energies(s.sim);
    double moved = fabs(start.gravity) + fabs(start.translation) + fabs(e.damping) + fabs(e.friction) +
                   fabs(e.inserted) + fabs(e.wall_work) + fabs(e.removed) + 1e-12;
    const scr_tally *t = &s.sim->world.tally;
    double closure = fabs(e.closure - t->unforeseen - t->unsolved) / moved;
    scree_stats st = scree_simulation_stats(s.sim);
    bool good = isfinite(closure) && closure < 1e-9 && st.merged <= st.bodies && isfinite(st.residual) &&
                isfinite(st.worst_overlap);
    if (!good)
        printf("scene %llu: closure %.1e, %lld of %lld merged\n  walls %s\n  stepper %s\n  %s %s "
               "%s%s\n",
               (unsigned long long)seed, closure, (long long)st.merged, (long long)st.bodies, walls, stepper, inlet,
               outlet, resolved, sides);
    CHECK(good);
    all->off = check_worse(all->off, closure);
    add(all, cause_of(stepper, walls, *inlet, *dt == '5'), fabs(t->unforeseen) / moved, fabs(t->unsolved) / moved);
    stage_close(&s);
}

int main(void)
{
    missing all = {0};
    for (uint64_t seed = 1; seed <= SCENES; seed++) test_scene(seed, &all);
    printf("worst closure %.1e; unforeseen %.2e, unsolved %.2e in the mean, the latter above 1 %% in %d of %d scenes\n",
           all.off, all.unforeseen, all.unsolved, all.loose, SCENES);
    for (int c = 0; c < CAUSES; c++)
        printf("%s: unforeseen above 1 %% in %d of %d scenes, %.2e in the mean, at most %.2e\n", causes[c],
               all.by[c].surprised, all.by[c].scenes, all.by[c].sum / all.by[c].scenes, all.by[c].worst);
    CHECK(all.unforeseen < 0.15); // 0.106
    CHECK(all.unsolved < 3e-3);   // 1.5e-3
    CHECK(all.loose < 15);        // 8
    // of one scene it tends to 1: what is unforeseen is dissipated, and is part of what moved
    CHECK(all.by[NO_ANTICIPATION].sum < 0.7 * all.by[NO_ANTICIPATION].scenes); // 0.54
    CHECK(all.by[WALL_COMES].surprised < 12);                                  // 7
    CHECK(all.by[FAST].surprised < 10);                                        // 6
    CHECK(all.by[LONG_STEPS].surprised < 10);                                  // 6
    CHECK(all.by[SHORT_STEPS].worst < 4e-3);                                   // 1.4e-3
    return check_done();
}
