/* Settled beds: `bed` has grains of one size, `ratio` large grains with fines in their pores.
 *
 * Each measurement is a process of its own, so that its peak memory is its own. A bed at rest needs no
 * new neighbour lists, so it is also timed with a list every 25 steps: that is what a flow costs. */
#include "bench.h"

#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    double rate, cpu_rate; /* particle-steps per second, and per second of the processor */
    double kinetic, rotation, bytes;
    uint64_t digest;
    scree_stats before, after;
} measured;

enum { STEPS_A_LIST = 25 };

static bool measure(const bench_bed *bed, const bench_run *run, int steps, measured *m)
{
    char text[8192];
    bench_bed_scene(bed, run, text, sizeof text);
    bench_world w = bench_open(text, (scree_simulation_def){.threads = run->threads, .list_every = run->list_every});
    scree_simulation *s = w.simulation;
    if (!s) return false;
    m->before = scree_simulation_stats(s);
    double cpu = bench_cpu(), seconds = bench_advance(s, steps);
    cpu = bench_cpu() - cpu;
    if (seconds < 0) return false;
    m->after = scree_simulation_stats(s);
    m->rate = (double)m->after.bodies * steps / seconds;
    m->cpu_rate = (double)m->after.bodies * steps / cpu;
    scree_energies e = scree_simulation_energies(s);
    m->kinetic = e.translation;
    m->rotation = e.rotation;
    scree_report report;
    scree_report_init(&report);
    m->digest = scree_simulation_digest(s, &report);
    scree_report_deinit(&report);
    m->bytes = (double)scree_peak_memory() / (double)m->after.bodies;
    bench_close(&w);
    return true;
}

// in a child, which hands the numbers back; the better of two stays in *best
static bool measure_apart(const bench_bed *bed, const bench_run *run, int steps, measured *best)
{
    int ends[2];
    if (pipe(ends)) return false;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) return false;
    measured m = {0};
    if (child == 0) {
        bool ok = measure(bed, run, steps, &m) && write(ends[1], &m, sizeof m) == (ssize_t)sizeof m;
        fflush(NULL);
        _exit(ok ? 0 : 1);
    }
    close(ends[1]);
    bool ok = read(ends[0], &m, sizeof m) == (ssize_t)sizeof m;
    close(ends[0]);
    int status;
    ok = waitpid(child, &status, 0) == child && status == 0 && ok;
    if (ok && m.rate > best->rate) *best = m;
    return ok;
}

// the state, made in a child as well
static bool make_apart(bench_bed *bed, const char *state)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(bench_bed_make(bed, state) ? 0 : 1);
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && bench_bed_make(bed, state);
}

static void say(const char *what, const measured *m)
{
    double steps = (double)(m->after.step - m->before.step), n = (double)m->after.bodies;
    double ns = 1e9 / (n * steps), builds = (double)(m->after.rebuilds - m->before.rebuilds);
    double forces = (m->after.seconds_forces - m->before.seconds_forces) * ns;
    double neighbours = (m->after.seconds_neighbours - m->before.seconds_neighbours) * ns;
    printf("%-34s %.4g particle-steps/s; per grain and step: forces %.1f, integration %.1f, "
           "neighbours %.1f ns\n",
           what, m->rate, forces, (m->after.seconds_integrate - m->before.seconds_integrate) * ns, neighbours);
    printf("  per grain: %.2f contacts, %.2f pairs listed, %.0f bytes; forces %.1f ns a contact; "
           "%.0f lists built, %.0f ns per grain each\n",
           (double)m->after.contacts / n, (double)m->after.pairs / n, m->bytes, forces * n / (double)m->after.contacts,
           builds, builds > 0 ? neighbours * steps / builds : 0);
    printf("  kinetic %.6g, rotational %.6g, worst overlap %.2g, digest %016llx\n", m->kinetic, m->rotation,
           m->after.worst_overlap, (unsigned long long)m->digest);
    bench_account(&m->after, 1e9 / m->rate);
    fflush(stdout);
}

static void figure_of(const char *group, const char *name, double value, const char *format, const char *unit)
{
    char text[96];
    snprintf(text, sizeof text, "%s.%s", group, name);
    figure(text, value, format, unit);
}

// what another program needs to run the same problem
static void describe(const bench_bed *bed, const char *group)
{
    printf("%s: %d grains, %d of them with diameter %d, from %s\n", group, bed->grains, bed->large, bed->ratio,
           bed->path);
    figure_of(group, "width", bed->width, "%.17g", "d");
    figure_of(group, "height", bed->height, "%.17g", "d");
    figure_of(group, "kn", bed->kn, "%.17g", "rho g d");
    figure_of(group, "kt", bed->kt, "%.17g", "rho g d");
    figure_of(group, "gamma", bed->gamma, "%.17g", "-");
    figure_of(group, "poisson", bed->poisson, "%.17g", "-");
    figure_of(group, "friction", bed->friction, "%.17g", "-");
    figure_of(group, "step", bed->dt, "%.17g", "(d/g)^1/2");
}

static void figures(const char *group, const char *variant, const measured *m)
{
    char name[64];
    bench_figures(group, variant, m->rate, m->cpu_rate, m->kinetic, m->rotation, &m->after);
    snprintf(name, sizeof name, "%s.%s", group, variant);
    figure_of(name, "ns_per_contact", 1e9 / m->rate * (double)m->after.bodies / (double)m->after.contacts, "%.2f",
              "ns");
    figure_of(name, "bytes_per_grain", m->bytes, "%.0f", "byte");
}

/* ---- bed ---- */

typedef struct {
    const char *name, *doc;
    bench_run run;
} variant;

static const variant variants[] = {
    {"standard", "standard scheme, one thread", {"standard", 0, 1, 0}},
    {"improved", "improved scheme", {"improved", 0, 1, 0}},
    {"restitution", "improved, damping by restitution", {"improved", 0.5, 1, 0}},
    {"lists", "improved, a list every 25 steps", {"improved", 0, 1, STEPS_A_LIST}},
    {"standard_lists", "standard, a list every 25 steps", {"standard", 0, 1, STEPS_A_LIST}},
    {"two_threads", "standard, two threads", {"standard", 0, 2, 0}},
};
enum { STANDARD, IMPROVED, RESTITUTION, LISTS, STANDARD_LISTS, TWO, VARIANTS };

static bool is_wanted(const bench_def *def, int k)
{
    return !def->only || !strcmp(def->only, variants[k].name);
}

static int bed_main(const bench_def *def)
{
    int wanted = 0;
    for (int k = 0; k < VARIANTS; k++) wanted += is_wanted(def, k);
    if (!wanted) return bench_no_variant(def->only);
    int ratio = def->ratio ? def->ratio : 1, grains = def->grains ? def->grains : 100000;
    bench_bed bed = bench_bed_of(ratio, grains);
    if (!make_apart(&bed, def->state)) return 2;
    int steps = def->steps ? def->steps : 200, rounds = def->rounds ? def->rounds : 3;
    measured best[VARIANTS] = {0};
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < VARIANTS; k++) {
            if (!is_wanted(def, k)) continue;
            if (!measure_apart(&bed, &variants[k].run, steps, &best[k])) return 1;
        }
    describe(&bed, "bed");
    for (int k = 0; k < VARIANTS; k++) {
        if (!is_wanted(def, k)) continue;
        say(variants[k].doc, &best[k]);
        figures("bed", variants[k].name, &best[k]);
    }
    if (def->only) return 0;
    figure("bed.improved_cost", best[STANDARD].rate / best[IMPROVED].rate - 1, "%.3f", "-");
    figure("bed.speedup_two_threads", best[TWO].rate / best[STANDARD].rate, "%.3f", "-");
    figure("bed.same_bits_two_threads", best[TWO].digest == best[STANDARD].digest, "%.0f", "-");
    return 0;
}

const bench bench_settled = {
    "bed", "settled bed of 100 000 grains, Hertz and Mindlin with friction; --ratio R: with fines", bed_main};

/* ---- ratio ---- */

static int ratio_main(const bench_def *def)
{
    static const int all[] = {1, 10, 20, 50, 100, 1000};
    enum { KINDS = sizeof all / sizeof *all };
    int grains = def->grains ? def->grains : 100000;
    int steps = def->steps ? def->steps : 200, rounds = def->rounds ? def->rounds : 3;
    bench_bed bed[KINDS];
    measured rest[KINDS] = {0}, lists[KINDS] = {0};
    for (int k = 0; k < KINDS; k++) {
        bed[k] = bench_bed_of(all[k], grains);
        if (!make_apart(&bed[k], NULL)) return 2;
    }
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < KINDS; k++) {
            if (!measure_apart(&bed[k], &variants[IMPROVED].run, steps, &rest[k]) ||
                !measure_apart(&bed[k], &variants[LISTS].run, steps, &lists[k]))
                return 1;
        }
    for (int k = 0; k < KINDS; k++) {
        char number[16], group[32], text[64];
        snprintf(number, sizeof number, "%d", all[k]);
        snprintf(group, sizeof group, "ratio.%d", all[k]);
        snprintf(text, sizeof text, "ratio %d, at rest", all[k]);
        say(text, &rest[k]);
        snprintf(text, sizeof text, "ratio %d, a list every 25 steps", all[k]);
        say(text, &lists[k]);
        figures("ratio", number, &rest[k]);
        figure_of(group, "large", bed[k].large, "%.0f", "-");
        figure_of(group, "box_volume", bed[k].width * bed[k].width * bed[k].height / (M_PI / 6), "%.3g", "fines");
        figure_of(group, "relative", rest[k].rate / rest[0].rate, "%.3f", "-");
        figure_of(group, "rate_lists", lists[k].rate, "%.4g", "particle-steps/s");
        figure_of(group, "relative_lists", lists[k].rate / lists[0].rate, "%.3f", "-");
    }
    return 0;
}

const bench bench_ratio = {"ratio", "settled beds of 100 000 grains at size ratios 1, 10, 20, 50, 100 and 1000",
                           ratio_main};
