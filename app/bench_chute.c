/* Chute flow: 32 000 grains on a rough incline of 26 degrees, the granular benchmark distributed
 * with LAMMPS (Hooke with history, kn 200000, damping 50, friction 0.5, d = rho = g = 1, dt =
 * 1e-4). */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char own_damping[] = "damping: viscous, damping_rate: 50, damping_ratio: 0";
static const double box[2][3] = {{0, 0, -1}, {40, 20, 60}};

// `side` x `side` of them; stepper line; grains from the state file: type 2 is the frozen base
static void scene_text(char *text, size_t size, const char *state, int side, const char *scheme,
                       const char *conventions, const char *damping)
{
    snprintf(text, size,
             "scree: 1\ntitle: chute\n"
             "domain: {box: [[0, 0, -1], [%d, %d, 60]], periodic: [x, y], boundary: stop}\n"
             "gravity: [=sin(26*pi/180), 0, =-cos(26*pi/180)]\n"
             "materials: {grain: {density: 1}}\n"
             "contacts: {any: {stiffness: 200000, stiffness_ratio: 0.2857142857142857, friction: 0.5, "
             "%s}}\n"
             "bodies:\n"
             "  flow: {from: table, file: \"%s\", type: 1, material: grain}\n"
             "  base: {from: table, file: \"%s\", type: 2, material: grain, frozen: true}\n"
             "stepper: {type: soft, scheme: %s, conventions: %s}\n"
             "time: {end: 1, step: 1e-4}\n",
             40 * side, 20 * side, damping, state, state, scheme, conventions);
}

void bench_chute_scene(const char *state, int side, char *text, size_t size)
{
    scene_text(text, size, state, side, "standard", "scree", own_damping);
}

/* ---- a state of our own ---- */

// grains come to rest on a rough base between springs that are soft at first; NULL: the first state
static void rest_text(char *text, size_t size, const char *state, double stiffness)
{
    char bodies[5000];
    if (state)
        snprintf(bodies, sizeof bodies,
                 "  base: {from: table, file: \"%s\", type: 2, material: grain, frozen: true}\n"
                 "  flow: {from: table, file: \"%s\", type: 1, material: grain}\n",
                 state, state);
    else
        snprintf(bodies, sizeof bodies,
                 "  base: {from: random, material: grain, diameter: 1, count: 912, frozen: true, "
                 "region: {shape: box, box: [[0, 0, -0.6], [40, 20, 1.7]]}}\n"
                 "  flow: {from: lattice, material: grain, diameter: 1, kind: sc, spacing: 1.04, "
                 "jitter: 0.9, count: 31088, region: {shape: box, box: [[0, 0, 1.75], [40, 20, "
                 "59]]}}\n");
    snprintf(text, size,
             "scree: 1\ndomain: {box: [[0, 0, -1], [40, 20, 60]], periodic: [x, y]}\n"
             "gravity: [0, 0, -1]\nmaterials: {grain: {density: 1}}\n"
             "contacts: {any: {stiffness: %g, restitution: 0.2, friction: 0.5}}\nbodies:\n%s"
             "stepper: {type: soft, scheme: standard}\ntime: {end: 10, step: %g}\n",
             stiffness, bodies, 0.08 / sqrt(stiffness));
}

// velocity profile of a dense flow on a rough incline: v ~ 1 - (1 - z/H)^3/2 (Bagnold; Silbert et
// al. 2001), with the surface velocity that this incline gives
static double bagnold(double z)
{
    const double bottom = 1.7, depth = 35, surface = 14.6;
    double s = fmin(fmax((z - bottom) / depth, 0), 1);
    return surface * (1 - pow(1 - s, 1.5));
}

static bool advance_and_write(const char *text, int steps, const char *path, const int types[2], bench_flow *flow)
{
    bench_world w = bench_open(text, scree_simulation_def_default());
    bool ok =
        w.simulation && bench_advance(w.simulation, steps) >= 0 && bench_write_state(w.simulation, path, types, flow);
    bench_close(&w);
    return ok;
}

// at rest, then set in motion with the profile, with much damping at first, then left to itself
bool bench_chute_state(char *path, size_t size)
{
    struct stat info;
    if (!bench_cache(path, size, "chute-2.csv")) return false;
    if (!stat(path, &info)) return true;
    fprintf(stderr, "making a dense flow for the benchmark (once; kept in %s)\n", path);
    const int base_first[2] = {2, 1}, flow_first[2] = {1, 2};
    char part[2300], text[8192];
    snprintf(part, sizeof part, "%s.part", path);
    bool ok = true;
    for (double stiffness = 2e3; ok && stiffness < 3e5; stiffness *= 10) {
        rest_text(text, sizeof text, stiffness > 2e3 ? part : NULL, stiffness);
        ok = advance_and_write(text, stiffness > 2e3 ? 3000 : 5000, part, base_first,
                               stiffness < 2e5 ? bench_halt : bagnold);
    }
    scene_text(text, sizeof text, part, 1, "standard", "scree", "restitution: 0.2");
    ok = ok && advance_and_write(text, 15000, part, flow_first, NULL);
    scene_text(text, sizeof text, part, 1, "standard", "scree", own_damping);
    return ok && advance_and_write(text, 10000, part, flow_first, NULL) && rename(part, path) == 0;
}

/* ---- measuring ---- */

typedef struct {
    double kinetic[2], rotation[2]; /* after 100 and 1000 steps */
    double rate, cpu_rate;          /* particle-steps per second, and per second of the processor */
    uint64_t digest;
    scree_stats stats;
} measured;

typedef struct {
    const char *key, *name, *scheme, *conventions;
    int threads;
    bool no_ledger;
} variant;

static const variant variants[] = {
    {"standard", "standard scheme, one thread", "standard", "scree", 1, false},
    {"lammps_conventions", "standard, LAMMPS conventions", "standard", "lammps", 1, false},
    {"improved", "improved scheme", "improved", "scree", 1, false},
    {"no_ledger", "improved without energy ledger", "improved", "scree", 1, true},
    {"two_threads", "standard, two threads", "standard", "scree", 2, false},
};

static bool measure(const char *state, const variant *v, int steps, measured *m)
{
    char text[8192];
    scene_text(text, sizeof text, state, 1, v->scheme, v->conventions, own_damping);
    bench_world w = bench_open(text, (scree_simulation_def){.threads = v->threads, .no_ledger = v->no_ledger});
    scree_simulation *s = w.simulation;
    if (!s) return false;
    const int64_t at[2] = {100, steps};
    double seconds = 0, cpu = bench_cpu();
    for (int k = 0; k < 2; k++) {
        double part = bench_advance(s, at[k] - (k ? at[0] : 0));
        if (part < 0) return false;
        seconds += part;
        scree_energies e = scree_simulation_energies(s);
        m->kinetic[k] = e.translation;
        m->rotation[k] = e.rotation;
    }
    cpu = bench_cpu() - cpu;
    m->stats = scree_simulation_stats(s);
    m->rate = (double)m->stats.bodies * steps / seconds;
    m->cpu_rate = (double)m->stats.bodies * steps / cpu;
    scree_report report;
    scree_report_init(&report);
    m->digest = scree_simulation_digest(s, &report);
    scree_report_deinit(&report);
    bench_close(&w);
    return true;
}

static void say(const char *what, const measured *m, int steps)
{
    double ns = 1e9 / ((double)m->stats.bodies * steps);
    printf("%-34s %.4g particle-steps/s; per grain and step: forces %.1f, integration %.1f, "
           "neighbours %.1f ns\n",
           what, m->rate, m->stats.seconds_forces * ns, m->stats.seconds_integrate * ns,
           m->stats.seconds_neighbours * ns);
    printf("  kinetic %.8g, rotational %.8g at step %d; %lld contacts, %lld pairs, %lld rebuilds, digest %016llx\n",
           m->kinetic[1], m->rotation[1], steps, (long long)m->stats.contacts, (long long)m->stats.pairs,
           (long long)m->stats.rebuilds, (unsigned long long)m->digest);
    bench_account(&m->stats, 1e9 / m->rate);
    fflush(stdout);
}

static void energies(const char *name, const measured *m, int steps)
{
    const int at[2] = {100, steps};
    char text[64];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%s.kinetic_%d", name, at[k]);
        figure(text, m->kinetic[k], "%.2f", "-");
        snprintf(text, sizeof text, "%s.rotational_%d", name, at[k]);
        figure(text, m->rotation[k], "%.4f", "-");
    }
}

/* ---- the ledger ---- */

/* What the ledger costs is a few per cent, and two runs one after the other differ by more. So the improved scheme with
 * and without it take turns of a few steps. Both do the same steps, so that each turn gives a quotient of processor
 * times; what others on the machine do disturbs some of them, not the median. */
enum { LEDGER_TURNS = 200, LEDGER_STEPS = 10 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool turns(scree_simulation *with, scree_simulation *without, double *quotients, int count)
{
    for (int k = 0; k < count; k++) {
        double cpu[2];
        for (int n = 0; n < 2; n++) {
            int which = (n + k) % 2; // each is the first as often as the other
            double start = bench_cpu();
            if (bench_advance(which ? without : with, LEDGER_STEPS) < 0) return false;
            cpu[which] = bench_cpu() - start;
        }
        quotients[k] = cpu[0] / cpu[1];
    }
    return true;
}

static bool ledger_cost(const char *state, int steps)
{
    char text[8192];
    double quotients[LEDGER_TURNS];
    int count = steps / LEDGER_STEPS < LEDGER_TURNS ? steps / LEDGER_STEPS : LEDGER_TURNS;
    scene_text(text, sizeof text, state, 1, "improved", "scree", own_damping);
    bench_world with = bench_open(text, (scree_simulation_def){.threads = 1});
    bench_world without = bench_open(text, (scree_simulation_def){.threads = 1, .no_ledger = true});
    bool ok = with.simulation && without.simulation && turns(with.simulation, without.simulation, quotients, count);
    bench_close(&with), bench_close(&without);
    if (!ok) return false;
    qsort(quotients, (size_t)count, sizeof *quotients, by_size);
    printf("energy ledger: %.1f %% of the time without it, half of %d turns within %.1f and %.1f %%\n",
           100 * (quotients[count / 2] - 1), count, 100 * (quotients[count / 4] - 1),
           100 * (quotients[3 * count / 4] - 1));
    figure("chute.ledger_cost", quotients[count / 2] - 1, "%.4f", "-");
    return true;
}

// one variant alone, for bench/peers
static int only(const char *state, const bench_def *def, int steps)
{
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        if (strcmp(variants[k].key, def->only)) continue;
        measured best = {0}, m;
        for (int round = 0; round < (def->rounds ? def->rounds : 3); round++) {
            if (!measure(state, &variants[k], steps, &m)) return round ? 1 : 2;
            if (m.rate > best.rate) best = m;
        }
        say(variants[k].name, &best, steps);
        figure("chute.step", best.stats.dt, "%.17g", "-");
        bench_figures("chute", def->only, best.rate, best.cpu_rate, best.kinetic[1], best.rotation[1], &best.stats);
        return 0;
    }
    return bench_no_variant(def->only);
}

static int chute(const bench_def *def)
{
    char own[2200];
    const char *state = def->state;
    if (!state) {
        if (!bench_chute_state(own, sizeof own)) {
            fprintf(stderr, "scree bench: the state cannot be made\n");
            return 1;
        }
        state = own;
    }
    int steps = def->steps > 100 ? def->steps : 1000;
    int rounds = def->rounds ? def->rounds : 3;
    if (def->only && !strcmp(def->only, "ledger")) return ledger_cost(state, 2 * steps) ? 0 : 1;
    if (def->only) return only(state, def, steps);
    enum { STANDARD, LAMMPS_LIKE, IMPROVED, NO_LEDGER, TWO, VARIANTS };
    measured best[VARIANTS] = {0};
    lammps_result other = {0};
    bool compared = false;
    // a machine has other things to do: all take turns, and the best of each counts
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < VARIANTS; k++) {
            measured m;
            if (!measure(state, &variants[k], steps, &m)) return round || k ? 1 : 2;
            double cpu_rate = fmax(m.cpu_rate, best[k].cpu_rate);
            if (m.rate > best[k].rate) best[k] = m;
            best[k].cpu_rate = cpu_rate;
        }
        lammps_result r;
        compared = (round == 0 || compared) && bench_lammps(def->lammps, state, best[0].stats.bodies, box, &r);
        if (compared && r.rate > other.rate) other = r;
    }
    for (int k = 0; k < VARIANTS; k++) say(variants[k].name, &best[k], steps);
    measured standard = best[STANDARD], improved = best[IMPROVED], two = best[TWO];

    figure("chute.rate", standard.rate, "%.4g", "particle-steps/s");
    figure("chute.rate_lammps_conventions", best[LAMMPS_LIKE].rate, "%.4g", "particle-steps/s");
    figure("chute.rate_improved", improved.rate, "%.4g", "particle-steps/s");
    figure("chute.improved_cost", standard.rate / improved.rate - 1, "%.3f", "-");
    if (!ledger_cost(state, 2 * steps)) return 1;
    figure("chute.two_threads", two.rate / standard.rate, "%.3f", "-");
    figure("chute.same_bits_two_threads", two.digest == standard.digest, "%.0f", "-");
    energies("chute", &standard, steps);
    energies("chute.lammps_conventions", &best[LAMMPS_LIKE], steps);
    if (compared) {
        measured l = {.kinetic = {other.kinetic_100, other.kinetic_1000},
                      .rotation = {other.rotation_100, other.rotation_1000}};
        figure("chute.lammps_rate", other.rate, "%.4g", "particle-steps/s");
        energies("chute.lammps", &l, 1000);
        figure("chute.ratio_lammps", standard.rate / other.rate, "%.3f", "-");
    }
    return 0;
}

const bench bench_chute = {"chute", "32 000 grains flowing down a rough incline; the same in LAMMPS", chute};
