/* The speed-up of model reduction: each scenario with all grains free and with aggregates, the same solver, sweeps
 * and start on both sides, one thread, CPU time of the stepping with all that belongs to it.
 *
 *   conveyor  8 s of pouring on a belt, from nothing
 *   belt30, belt90   a belt that carries 30 000 and 90 000 grains, per step; made with reduction and 50 warm sweeps
 *   collapse  2 s after a wall of a box of 4000 grains has gone
 *   drum      4 s of 4864 grains in a drum that has turned for 8 s
 *   pile      one grain falls on 25 000 and on 100 000 that rest: what a step costs with reduction, no other side
 *
 * Targets stand beside; the exit code does not depend on them. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const bench_def *def;
    bench_folder folder;
} bench_place;

typedef struct {
    const char *name;
    const char *also; // another name by which --only asks for it
    bool (*main)(const bench_place *place);
    bool is_long;
} scenario;

static void solver_settings(const bench_def *def, bool reduced, bench_settings *s)
{
    bench_set(s, "stepper.sweeps", "%d", def->sweeps ? def->sweeps : 150);
    bench_set(s, "stepper.start", "%s", def->warm ? "warm" : "cold");
    bench_set(s, "stepper.reduction", "%s", reduced ? "on" : "off");
    for (int k = 0; k < def->setting_count; k++) bench_set(s, def->settings[k].path, "%s", def->settings[k].value);
}

/* ---- table ---- */

static void head(void)
{
    printf("%-10s %8s %6s %7s %12s %12s %7s %7s\n", "scenario", "grains", "h", "active", "full", "reduced", "S",
           "target");
}

static const char *verdict(bool met)
{
    return met ? "met" : "NOT met";
}

static void one_figure(const char *of, const char *name, double value, const char *unit)
{
    char text[96];
    snprintf(text, sizeof text, "reduction.%s.%s", of, name);
    figure(text, value, "%.4g", unit);
}

// both sides by the step or as a whole; per step the two may differ in the number of steps
static void row(const char *name, const bench_cost *full, const bench_cost *reduced, bool per_step, double target)
{
    double a = full->cpu, b = reduced->cpu;
    if (per_step) a *= 1e3 / (double)full->steps, b *= 1e3 / (double)reduced->steps;
    const char *unit = per_step ? "ms" : "s";
    printf("%-10s %8lld %6.3f %7.4f %9.4g %-2s %9.4g %-2s %7.2f %7.3g %s\n", name, (long long)reduced->grains,
           reduced->h, reduced->active, a, unit, b, unit, a / b, target, verdict(a / b >= target));
    one_figure(name, "h", reduced->h, "-");
    one_figure(name, "active", reduced->active, "-");
    one_figure(name, "full", a, per_step ? "ms/step" : "s");
    one_figure(name, "reduced", b, per_step ? "ms/step" : "s");
    one_figure(name, "S", a / b, "-");
}

// aggregates of the state a run starts from must not be there when all grains are to be free
static bool is_free(const char *name, const scree_simulation *s)
{
    int64_t merged = scree_simulation_stats(s).merged;
    if (merged)
        fprintf(stderr, "scree bench: %s: %lld grains are merged, though all are to be free\n", name,
                (long long)merged);
    return !merged;
}

/* ---- conveyor ---- */

static bool conveyor(const bench_place *p)
{
    double seconds = p->def->quick ? 1 : 8, angle[2] = {0};
    bench_cost cost[2];
    for (int reduced = 0; reduced < 2; reduced++) {
        bench_settings set = {0};
        solver_settings(p->def, reduced, &set);
        bench_set(&set, "values.T", "%g", seconds);
        bench_world w = bench_start(bench_conveyor_text, &set, NULL);
        if (!w.simulation || !bench_steps(w.simulation, lround(seconds / 5e-3), &cost[reduced])) return false;
        if (!p->def->quick) angle[reduced] = bench_observe(w.simulation, "ridge", "angle");
        bench_close(&w);
    }
    row("conveyor", &cost[0], &cost[1], false, 6);
    if (p->def->quick) return true;
    printf("  angle %.1f deg full, %.1f reduced\n", angle[0], angle[1]);
    one_figure("conveyor", "angle_full", angle[0], "deg");
    one_figure("conveyor", "angle_reduced", angle[1], "deg");
    return true;
}

/* ---- belts ---- */

// longer than it must be: steps are timed when it is full
static void belt_settings(double seconds, bench_settings *set)
{
    bench_set(set, "values.T", "%g", seconds);
    bench_set(set, "values.belt", "%g", seconds + 10);
}

static bool belt(const bench_place *p, const char *name, double seconds, double target)
{
    char state[2300], file[64];
    snprintf(file, sizeof file, "%s.h5", name);
    double made = 0;
    if (!bench_folder_file(&p->folder, file, state)) {
        bench_settings set = {0};
        belt_settings(seconds, &set);
        bench_set(&set, "stepper.reduction", "on");
        made = bench_make(bench_conveyor_text, &set, NULL, state);
        if (made < 0) return false;
        printf("%s: %g s of pouring took %.1f s with reduction and 50 warm sweeps\n", name, seconds, made);
        one_figure(name, "build_up", made, "s");
    }

    // both sides from the same state; aggregates form anew before steps are timed
    bench_cost cost[2], forming;
    double angle = 0, spread = 0, fits = 0, height = 0;
    for (int reduced = 0; reduced < 2; reduced++) {
        bench_settings set = {0};
        belt_settings(seconds, &set);
        solver_settings(p->def, reduced, &set);
        bench_world w = bench_start(bench_conveyor_text, &set, state);
        if (!w.simulation || !is_free(name, w.simulation)) return false;
        angle = bench_observe(w.simulation, "ridge", "angle");
        spread = bench_observe(w.simulation, "ridge", "spread");
        fits = bench_observe(w.simulation, "ridge", "fits");
        height = bench_observe(w.simulation, "ridge", "height") / BENCH_DIAMETER;
        if (!bench_steps(w.simulation, reduced ? 60 : 2, &forming) ||
            !bench_steps(w.simulation, reduced ? 60 : 10, &cost[reduced]))
            return false;
        bench_close(&w);
    }
    row(name, &cost[0], &cost[1], true, target);
    printf("  angle %.1f +- %.1f deg over %.0f flanks (paper 40.3 +- 0.8), height %.1f d; dearest "
           "step %.3g ms\n",
           angle, spread, fits, height, 1e3 * cost[1].dearest);
    one_figure(name, "angle", angle, "deg");
    return true;
}

static bool belt30(const bench_place *p)
{
    return belt(p, "belt30", p->def->quick ? 5 : 30, 35);
}

static bool belt90(const bench_place *p)
{
    return belt(p, "belt90", p->def->quick ? 8 : 90, 60);
}

/* ---- collapse ---- */

static bool collapse(const bench_place *p)
{
    char state[2300];
    bool quick = p->def->quick;
    bench_settings size = {0};
    if (quick) bench_set(&size, "values.grains", "500");
    if (!bench_folder_file(&p->folder, quick ? "settled-quick.h5" : "settled.h5", state)) {
        if (bench_make(bench_settle_text, &size, NULL, state) < 0) return false;
    }
    bench_cost cost[2];
    bench_heap heap[2] = {0};
    for (int reduced = 0; reduced < 2; reduced++) {
        bench_settings set = size;
        solver_settings(p->def, reduced, &set);
        bench_world w = bench_start(bench_collapse_text, &set, state);
        if (!w.simulation || !is_free("collapse", w.simulation)) return false;
        int64_t n = 0;
        double *before = bench_view(w.simulation, "position", &n);
        bool ok = before && bench_steps(w.simulation, quick ? 40 : 400, &cost[reduced]) &&
                  (quick || bench_heap_of(w.simulation, before, &heap[reduced]));
        free(before);
        bench_close(&w);
        if (!ok) return false;
    }
    row("collapse", &cost[0], &cost[1], false, 6);
    for (int k = 0; k < 2 && !quick; k++)
        printf("  %-7s slope %.1f deg, tagged %.1f deg, height %.2f d, runout %.3f, middle %.3f d\n",
               k ? "reduced" : "full", heap[k].slope, heap[k].tagged, heap[k].height, heap[k].runout, heap[k].middle);
    return true;
}

/* ---- drum ---- */

static bool drum(const bench_place *p)
{
    char state[2300];
    bool quick = p->def->quick;
    bench_settings size = {0};
    if (quick) {
        bench_set(&size, "values.grains", "1000");
        bench_set(&size, "values.T", "0.5");
    }
    if (!bench_folder_file(&p->folder, quick ? "turned-quick.h5" : "turned.h5", state)) {
        if (bench_make(bench_drum_text, &size, NULL, state) < 0) return false;
    }
    bench_cost cost[2];
    bench_flowing seen[2];
    for (int reduced = 0; reduced < 2; reduced++) {
        bench_settings set = size;
        solver_settings(p->def, reduced, &set);
        bench_world w = bench_start(bench_drum_text, &set, state);
        if (!w.simulation || !is_free("drum", w.simulation) ||
            !bench_turn(w.simulation, quick ? 40 : 800, &cost[reduced], &seen[reduced]))
            return false;
        bench_close(&w);
    }
    row("drum", &cost[0], &cost[1], false, 1.9);
    for (int k = 0; k < 2; k++)
        printf("  %-7s angle %.1f +- %.1f deg, kinetic energy %.3f J, lift %.1f d\n", k ? "reduced" : "full",
               seen[k].angle, seen[k].spread, seen[k].kinetic, seen[k].lift);
    return true;
}

/* ---- pile ---- */

enum { LAYERS = 25, HIT = 60 };

// to where the stone has come and hits
static bool until_hit(scree_simulation *s, bench_cost *step)
{
    scree_stats before = scree_simulation_stats(s), now = before;
    *step = (bench_cost){0};
    for (int k = 0; k < 100 && (now.bodies == before.bodies || !now.solved); k++) {
        if (!bench_steps(s, 1, step)) return false;
        now = scree_simulation_stats(s);
    }
    return true;
}

// with the stepper's own defaults: there is no other side
static bool pile(const bench_place *p, const char *name, int grains)
{
    double calm = p->def->quick ? 1 : 4;
    bench_settings set = {0};
    bench_set(&set, "values.grains", "%d", grains);
    bench_set(&set, "values.side", "%.0f", ceil(sqrt(grains / (double)LAYERS)));
    bench_set(&set, "values.calm", "%g", calm);
    bench_set(&set, "stepper.reduction", "on");
    for (int k = 0; k < p->def->setting_count; k++)
        bench_set(&set, p->def->settings[k].path, "%s", p->def->settings[k].value);
    bench_world w = bench_start(bench_rest_text, &set, NULL);
    bench_cost settling, first, hit;
    if (!w.simulation || !bench_steps(w.simulation, lround(calm / 5e-3) - 1, &settling)) return false;
    scree_stats before = scree_simulation_stats(w.simulation);
    if (!until_hit(w.simulation, &first) || !bench_steps(w.simulation, HIT, &hit)) return false;
    hit.busy += first.busy, hit.busy_cpu += first.busy_cpu;
    hit.dearest = fmax(hit.dearest, first.dearest);
    bench_close(&w);
    double each = 1e3 * hit.busy_cpu / fmax(1, (double)hit.busy);
    printf("%-10s %8lld %6.4f %7.4f %12s %9.4g ms %7s %7s %s\n", name, (long long)hit.grains, hit.h, hit.active, "",
           each, "", "<= 2 ms", verdict(each <= 2));
    printf("  mean of %lld steps that solve for a contact; dearest %.3g ms; all %d steps %.3g ms; %lld of %lld grains "
           "rested before; settling took %.1f s\n",
           (long long)hit.busy, 1e3 * hit.dearest, HIT, 1e3 * hit.cpu / HIT, (long long)before.merged,
           (long long)before.bodies, settling.cpu);
    one_figure(name, "step", each, "ms");
    one_figure(name, "dearest", 1e3 * hit.dearest, "ms");
    return true;
}

static bool pile25(const bench_place *p)
{
    return pile(p, "pile25", p->def->quick ? 1000 : 25000);
}

static bool pile100(const bench_place *p)
{
    return pile(p, "pile100", p->def->quick ? 2000 : 100000);
}

static int reduction_main(const bench_def *def)
{
    static const scenario all[] = {{"conveyor", "", conveyor, false}, {"collapse", "", collapse, false},
                                   {"drum", "", drum, false},         {"pile25", "pile", pile25, false},
                                   {"belt30", "belt", belt30, true},  {"belt90", "belt", belt90, true},
                                   {"pile100", "pile", pile100, true}};
    bench_place place = {.def = def};
    bool any = false, ok = true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        any |= def->only && (!strcmp(def->only, all[k].name) || !strcmp(def->only, all[k].also));
    if (def->only && !any) return bench_no_variant(def->only);
    if (!bench_folder_make(&place.folder, def->state)) return 1;
    printf("%d sweeps, %s start, one thread, CPU time\n", def->sweeps ? def->sweeps : 150, def->warm ? "warm" : "cold");
    head();
    for (size_t k = 0; k < sizeof all / sizeof *all && ok; k++) {
        bool asked = def->only ? !strcmp(def->only, all[k].name) || !strcmp(def->only, all[k].also)
                               : def->full || !all[k].is_long;
        if (asked) ok = all[k].main(&place);
    }
    bench_folder_remove(&place.folder);
    return ok ? 0 : 1;
}

const bench bench_reduction = {"reduction", "all grains free against model reduction, integrator nonsmooth",
                               reduction_main};
