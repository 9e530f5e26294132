/* What sweeps that start warm are worth: the defaults (50 sweeps, warm; 30 for impacts) beside 500 cold sweeps, the
 * reference of Servin & Wang 2015, and 150 (50 for impacts); all without reduction, rolling radius r_a r_b/(r_a + r_b).
 *
 *   collapse  1.2 s after a wall has gone, from three packings: the slope of the grains that were on top
 *   drum      2 s to get used to the solver, then 4 s: mean angle of the surface, energy, lift
 *
 * Targets: within one degree of the reference, in a fifth of its time. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = 3, SEEDS = 3 };

static const struct {
    const char *name;
    int sweeps;
    const char *start;
    int impact_sweeps;
} methods[METHODS] = {{"cold500", 500, "cold", 50}, {"cold150", 150, "cold", 50}, {"warm50", 50, "warm", 30}};

static void method_settings(int m, bench_settings *set)
{
    bench_set(set, "stepper.sweeps", "%d", methods[m].sweeps);
    bench_set(set, "stepper.start", "%s", methods[m].start);
    bench_set(set, "stepper.impact_sweeps", "%d", methods[m].impact_sweeps);
    bench_set(set, "stepper.rolling_radius", "effective");
}

static void verdict(const char *of, double off, double time_ratio)
{
    printf("  warm50 against cold500: %+.2f deg (target: within 1, %s), time 1/%.2f (target 1/5, "
           "%s)\n",
           off, fabs(off) <= 1 ? "met" : "NOT met", time_ratio, time_ratio >= 5 ? "met" : "NOT met");
    char text[96];
    snprintf(text, sizeof text, "accuracy.%s.off", of);
    figure(text, off, "%.3f", "deg");
    snprintf(text, sizeof text, "accuracy.%s.time", of);
    figure(text, time_ratio, "%.3f", "-");
}

static bool one_collapse(const bench_folder *folder, int seed, int m, bool quick, bench_heap *heap, bench_cost *cost)
{
    char state[2300], file[64];
    snprintf(file, sizeof file, "settled%s-%d.h5", quick ? "-quick" : "", seed);
    bench_settings set = {0};
    bench_set(&set, "values.seed", "%d", seed);
    if (quick) bench_set(&set, "values.grains", "500");
    if (!bench_folder_file(folder, file, state)) {
        if (bench_make(bench_settle_text, &set, NULL, state) < 0) return false;
    }
    method_settings(m, &set);
    bench_world w = bench_start(bench_collapse_text, &set, state);
    if (!w.simulation) return false;
    int64_t n = 0;
    double *before = bench_view(w.simulation, "position", &n);
    bool ok = before && bench_steps(w.simulation, quick ? 20 : 240, cost) && bench_heap_of(w.simulation, before, heap);
    free(before);
    bench_close(&w);
    return ok;
}

static bool collapse(const bench_folder *folder, bool quick)
{
    printf("collapse, 1.2 s, mean of %d packings\n", SEEDS);
    printf("  %-8s %14s %8s %9s %9s %7s %9s\n", "", "tagged", "slope", "height/d", "middle/d", "runout", "CPU s");
    double tagged[METHODS], seconds[METHODS];
    for (int m = 0; m < METHODS; m++) {
        bench_heap mean = {0};
        double square = 0, cpu = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            bench_heap h;
            bench_cost cost;
            if (!one_collapse(folder, seed, m, quick, &h, &cost)) return false;
            mean.tagged += h.tagged / SEEDS, square += h.tagged * h.tagged / SEEDS;
            mean.slope += h.slope / SEEDS, mean.height += h.height / SEEDS;
            mean.middle += h.middle / SEEDS, mean.runout += h.runout / SEEDS;
            cpu += cost.cpu / SEEDS;
        }
        printf("  %-8s %7.2f +- %3.1f %8.2f %9.2f %9.3f %7.3f %9.3f\n", methods[m].name, mean.tagged,
               sqrt(fmax(0, square - mean.tagged * mean.tagged)), mean.slope, mean.height, mean.middle, mean.runout,
               cpu);
        fflush(stdout);
        tagged[m] = mean.tagged, seconds[m] = cpu;
    }
    verdict("collapse", tagged[METHODS - 1] - tagged[0], seconds[0] / seconds[METHODS - 1]);
    return true;
}

static bool drum(const bench_folder *folder, bool quick)
{
    char state[2300];
    bench_settings size = {0};
    if (quick) {
        bench_set(&size, "values.grains", "1000");
        bench_set(&size, "values.T", "0.5");
    }
    if (!bench_folder_file(folder, quick ? "turned-quick.h5" : "turned.h5", state)) {
        if (bench_make(bench_drum_text, &size, NULL, state) < 0) return false;
    }
    printf("drum, 4 s\n  %-8s %14s %9s %7s %9s\n", "", "angle", "energy J", "lift/d", "CPU s");
    double angle[METHODS], seconds[METHODS];
    for (int m = 0; m < METHODS; m++) {
        bench_settings set = size;
        method_settings(m, &set);
        bench_world w = bench_start(bench_drum_text, &set, state);
        bench_cost before, cost;
        bench_flowing seen;
        if (!w.simulation || !bench_steps(w.simulation, quick ? 10 : 400, &before) ||
            !bench_turn(w.simulation, quick ? 20 : 800, &cost, &seen))
            return false;
        bench_close(&w);
        printf("  %-8s %7.2f +- %3.1f %9.3f %7.2f %9.3f\n", methods[m].name, seen.angle, seen.spread, seen.kinetic,
               seen.lift, cost.cpu);
        fflush(stdout);
        angle[m] = seen.angle, seconds[m] = cost.cpu;
    }
    verdict("drum", angle[METHODS - 1] - angle[0], seconds[0] / seconds[METHODS - 1]);
    return true;
}

static int accuracy_main(const bench_def *def)
{
    bool with_collapse = !def->only || !strcmp(def->only, "collapse");
    bool with_drum = !def->only || !strcmp(def->only, "drum");
    if (!with_collapse && !with_drum) return bench_no_variant(def->only);
    bench_folder folder;
    if (!bench_folder_make(&folder, def->state)) return 1;
    bool ok = (!with_collapse || collapse(&folder, def->quick)) && (!with_drum || drum(&folder, def->quick));
    bench_folder_remove(&folder);
    return ok ? 0 : 1;
}

const bench bench_accuracy = {"accuracy", "50 warm sweeps beside 150 and 500 cold ones, integrator nonsmooth",
                              accuracy_main};
