/* Whole steps of the stepper `nonsmooth`: a bed at rest in a box, all grains free; finding contacts, setting up,
 * sweeps, books and positions together. 50 warm sweeps with one thread and with two, and 500 cold ones.
 *
 * A rate is contact-sweeps per second and core of the whole step: contacts that are swept, times sweeps, over the
 * CPU time. Beside it stands that of Box2D, a games engine, for its whole step, in two dimensions and floats.
 * Targets stand beside; the exit code does not depend on them. */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { WARM, TWO, COLD, VARIANTS };

static const struct {
    const char *name;
    int sweeps;
    const char *start;
    int threads;
} variants[VARIANTS] = {{"warm50", 50, "warm", 1}, {"warm50_two", 50, "warm", 2}, {"cold500", 500, "cold", 1}};

/* Means of the best round's steps. */
typedef struct {
    double wall, cpu, find, solve, move; /* [s]; wall times but for `cpu` */
    double swept;                        /* contact-sweeps */
    double contacts, carrying;
    uint64_t digest;
} cost;

static bool measure(scree_simulation *s, int steps, cost *c)
{
    scree_stats before = scree_simulation_stats(s);
    double cpu = bench_cpu(), wall = bench_advance(s, steps);
    if (wall < 0) return false;
    cpu = bench_cpu() - cpu;
    scree_stats now = scree_simulation_stats(s);
    *c = (cost){.wall = wall / steps,
                .cpu = cpu / steps,
                .find = (now.seconds_neighbours - before.seconds_neighbours) / steps,
                .solve = (now.seconds_forces - before.seconds_forces) / steps,
                .move = (now.seconds_integrate - before.seconds_integrate) / steps,
                .swept = (now.solved_sweeps - before.solved_sweeps) / steps,
                .contacts = (double)now.solved,
                .carrying = (double)now.contacts};
    scree_report report;
    scree_report_init(&report);
    c->digest = scree_simulation_digest(s, &report);
    scree_report_deinit(&report);
    return true;
}

static void row(int v, const cost *c)
{
    double rate = c->swept / c->cpu;
    char text[96];
    printf("%-10s %8.2f %8.2f %8.2f %8.2f %8.2f %12.3g\n", variants[v].name, 1e3 * c->wall, 1e3 * c->cpu, 1e3 * c->find,
           1e3 * c->solve, 1e3 * c->move, rate);
    snprintf(text, sizeof text, "nonsmooth.%s.step", variants[v].name);
    figure(text, 1e3 * c->wall, "%.4g", "ms");
    snprintf(text, sizeof text, "nonsmooth.%s.rate", variants[v].name);
    figure(text, rate, "%.4g", "contact-sweeps/s");
}

static const char *verdict(bool met)
{
    return met ? "met" : "NOT met";
}

static void compare(const cost c[VARIANTS])
{
    double rate = c[WARM].swept / c[WARM].cpu, over = c[COLD].cpu / c[WARM].cpu, two = c[WARM].wall / c[TWO].wall;
    printf("one core: %.3g contact-sweeps/s of the whole step (target 1e8, %s); Box2D 2.6e7 to 3.2e7 (two "
           "dimensions, floats): %.1f to %.1f times\n",
           rate, verdict(rate >= 1e8), rate / 3.2e7, rate / 2.6e7);
    printf("50 warm sweeps take 1/%.2f of the time of 500 cold ones (target 1/5, %s)\n", over, verdict(over >= 5));
    printf("two threads: %.2f times one (target 1.8, %s), %s bits\n", two, verdict(two >= 1.8),
           c[WARM].digest == c[TWO].digest ? "the same" : "OTHER");
    figure("nonsmooth.warm_over_cold", over, "%.3f", "-");
    figure("nonsmooth.speedup_two_threads", two, "%.3f", "-");
    figure("nonsmooth.same_bits_two_threads", c[WARM].digest == c[TWO].digest, "%.0f", "-");
}

// a round of one variant, from the settled state
static bool one_round(const char *state, const bench_settings *size, const bench_def *def, int v, cost *c)
{
    bench_settings set = *size;
    int steps = def->steps ? def->steps : v == COLD ? 5 : 20;
    bench_set(&set, "stepper.sweeps", "%d", variants[v].sweeps);
    bench_set(&set, "stepper.start", "%s", variants[v].start);
    set.threads = variants[v].threads;
    bench_world w = bench_start(bench_rest_text, &set, state);
    cost first;
    bool ok = w.simulation && measure(w.simulation, 2, &first) && measure(w.simulation, steps, c);
    bench_close(&w);
    return ok;
}

static bool run(const bench_folder *folder, const bench_def *def, cost best[VARIANTS])
{
    char state[2300];
    int grains = def->grains ? def->grains : def->quick ? 2000 : 36000, rounds = def->rounds ? def->rounds : 3;
    bench_settings size = {0};
    bench_set(&size, "values.grains", "%d", grains);
    bench_set(&size, "values.side", "%d", def->quick ? 10 : 40);
    bench_set(&size, "values.calm", "100");
    for (int k = 0; k < def->setting_count; k++) bench_set(&size, def->settings[k].path, "%s", def->settings[k].value);
    if (!bench_folder_file(folder, def->quick ? "bed-quick.h5" : "bed.h5", state)) {
        bench_settings settle = size;
        bench_set(&settle, "values.T", def->quick ? "0.2" : "1");
        if (bench_make(bench_rest_text, &settle, NULL, state) < 0) return false;
    }
    // in turns, so that others on the machine disturb all alike
    for (int k = 0; k < rounds; k++)
        for (int v = 0; v < VARIANTS; v++) {
            cost c;
            if (def->only && strcmp(def->only, variants[v].name) != 0) continue;
            if (!one_round(state, &size, def, v, &c)) return false;
            // others on the machine lengthen both times, but not alike
            double wall = k == 0 ? c.wall : fmin(c.wall, best[v].wall);
            if (k == 0 || c.cpu < best[v].cpu) best[v] = c;
            best[v].wall = wall;
        }
    return true;
}

static int steps_main(const bench_def *def)
{
    bool any = !def->only;
    for (int v = 0; v < VARIANTS; v++) any |= def->only && !strcmp(def->only, variants[v].name);
    if (!any) return bench_no_variant(def->only);
    bench_folder folder;
    cost best[VARIANTS] = {0};
    if (!bench_folder_make(&folder, def->state)) return 1;
    bool ok = run(&folder, def, best);
    bench_folder_remove(&folder);
    if (!ok) return 1;
    for (int v = 0, said = 0; v < VARIANTS; v++) {
        if (!best[v].wall) continue;
        if (!said++) {
            printf("%.0f contacts swept, %.0f of them carry; ms per step\n", best[v].contacts, best[v].carrying);
            printf("%-10s %8s %8s %8s %8s %8s %12s\n", "", "wall", "CPU", "find", "solve", "move", "sweeps/s");
        }
        row(v, &best[v]);
    }
    if (!def->only) compare(best);
    return 0;
}

const bench bench_nonsmooth = {"nonsmooth", "whole steps of a bed, 50 warm sweeps and 500 cold ones", steps_main};
