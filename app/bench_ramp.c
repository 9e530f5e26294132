/* From which stiffness on do long implicit steps beat short explicit ones? Gravity rises from 1 to 2 in T = 2 over
 * spheres that have settled in a box (cases/deklerk2022/ramp2000.yaml), for several k d/(m g), from one state each:
 *
 *   explicit   velocity-Verlet with t_c/15, t_c/8 and t_c/6 (unstable with friction)
 *   implicit   backward Euler with steps and tolerances as suit a slow process
 *
 * The settlement is that of the centre of mass; single grains that fall are part of it, so that of the median grain is
 * said too. Of the implicit runs the cheapest counts that is within 3 % of t_c/15. Where the ratio of CPU times
 * passes one is the break-even: against t_c/15 as is usual, and against the cheapest explicit run within 3 %.
 * Units d = m = g = 1; one thread. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ACCURACY 0.03
#define DURATION 2.0

// T is also the time to settle, with rise 1
static const char scene[] =
    "scree: 1\n"
    "values: {k: 195000, per: 15, T: 2, rise: 2, grains: 2000, width: 12, tc: =pi*sqrt(1/(2*k)), "
    "gamma: =200*sqrt(k/195000)}\n"
    "gravity: [0, 0, -1]\n"
    "gravity_signal: {type: table, table: [[0, 1], [=T, =rise]]}\n"
    "domain: {box: [[-0.5, -0.5, -0.5], [=width+0.5, =width+0.5, 30]]}\n"
    "materials: {unit: {density: =6/pi, friction: 0.5}}\n"
    "contacts: {any: {stiffness: =k, damping: viscous, damping_rate: =2*gamma, damping_ratio: "
    "0.5}}\n"
    "bodies: {grains: {from: random, count: =grains, material: unit, diameter: 1, region: {box: "
    "[[0, 0, 0], [=width, =width, 27]]}}}\n"
    "walls:\n"
    "  x0: {shape: plane, material: unit, normal: [1, 0, 0]}\n"
    "  x1: {shape: plane, material: unit, point: [=width, 0, 0], normal: [-1, 0, 0]}\n"
    "  y0: {shape: plane, material: unit, normal: [0, 1, 0]}\n"
    "  y1: {shape: plane, material: unit, point: [0, =width, 0], normal: [0, -1, 0]}\n"
    "  floor: {shape: plane, material: unit}\n"
    "stepper: {type: soft}\n"
    "time: {end: =T, step: =T/ceil(per*T/tc)}\n"
    "output: {every: =T, checkpoint: =T}\n";

static const struct {
    const char *name, *doc, *tangential, *spring, *friction;
} variants[] = {
    {"creep", "a tangential damper alone", "viscous", "auto", "1e9"},
    {"friction", "friction 0.5", "history", "=2/7*k", "0.5"},
    {"smooth", "no tangential force", "none", "auto", "0"},
};
#define VARIANTS (sizeof variants / sizeof *variants)

// each settles from the one before: stiffer grains rest where softer ones do, but for their overlaps
static const struct {
    double k, settle;
} beds[] = {{1.95e4, 45}, {1.95e5, 30}, {1.95e6, 30}, {1.95e7, 8}, {1.95e8, 4}};

static const double explicit_parts[] = {15, 8, 6};
static const struct {
    double step, tolerance;
} implicit[] = {{0.02, 0.02}, {0.02, 0.05}, {0.01, 0.005}, {0.01, 0.02}, {0.01, 0.05}, {0.005, 0.05}};
#define EXPLICIT (sizeof explicit_parts / sizeof *explicit_parts)
#define IMPLICIT (sizeof implicit / sizeof *implicit)

typedef struct {
    double cpu;           /* of all steps [s] */
    double mean, median;  /* settlement */
    double newton, inner; /* iterations of a step, of conjugate gradients in it */
} outcome;

static void set_variant(bench_settings *set, const bench_def *def, size_t variant, double k)
{
    bench_set(set, "values.k", "%g", k);
    bench_set(set, "contacts.any.tangential", "%s", variants[variant].tangential);
    bench_set(set, "contacts.any.tangential_stiffness", "%s", variants[variant].spring);
    bench_set(set, "materials.unit.friction", "%s", variants[variant].friction);
    int grains = def->grains ? def->grains : def->quick ? 100 : 2000;
    bench_set(set, "values.grains", "%d", grains);
    bench_set(set, "values.width", "%.17g", round(12 * cbrt(grains / 2000.0)));
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool settlement(const double *before, const double *after, int64_t n, outcome *out)
{
    double *sunk = malloc((size_t)n * sizeof *sunk);
    if (!sunk) return false;
    out->mean = 0;
    for (int64_t k = 0; k < n; k++) {
        sunk[k] = before[3 * k + 2] - after[3 * k + 2];
        out->mean += sunk[k] / (double)n;
    }
    qsort(sunk, (size_t)n, sizeof *sunk, rising);
    out->median = sunk[n / 2];
    free(sunk);
    return true;
}

static bool rise(const bench_settings *set, const char *state, int64_t steps, outcome *out)
{
    bench_world w = bench_start(scene, set, state);
    int64_t n = 0, all = 0;
    double *before = w.simulation ? bench_view(w.simulation, "position", &n) : NULL;
    bool ok = before != NULL;
    double cpu = bench_cpu();
    *out = (outcome){0};
    for (int64_t k = 0; ok && k < steps; k++) {
        ok = bench_advance(w.simulation, 1) >= 0;
        scree_stats stats = scree_simulation_stats(w.simulation);
        out->newton += (double)stats.sweeps / (double)steps;
        out->inner += (double)stats.inner / (double)steps;
    }
    out->cpu = bench_cpu() - cpu;
    double *after = ok ? bench_view(w.simulation, "position", &all) : NULL;
    ok = after && all == n && settlement(before, after, n, out);
    free(before), free(after);
    bench_close(&w);
    return ok;
}

static bool run_explicit(const bench_def *def, size_t variant, double k, double part, const char *state, outcome *out)
{
    bench_settings set = {0};
    set_variant(&set, def, variant, k);
    bench_set(&set, "values.per", "%g", part);
    double contact = M_PI * sqrt(0.5 / k);
    return rise(&set, state, (int64_t)ceil(part * DURATION / contact), out);
}

static bool run_implicit(const bench_def *def, size_t variant, double k, size_t which, const char *state, outcome *out)
{
    bench_settings set = {0};
    set_variant(&set, def, variant, k);
    bench_set(&set, "stepper", "{type: variational, theta: 1, tolerance: %g}", implicit[which].tolerance);
    bench_set(&set, "time.step", "%.17g", implicit[which].step);
    return rise(&set, state, (int64_t)round(DURATION / implicit[which].step), out);
}

static bool settle(const bench_def *def, size_t variant, size_t bed, const char *from, const char *path)
{
    bench_settings set = {0};
    set_variant(&set, def, variant, beds[bed].k);
    bench_set(&set, "values.T", "%g", def->quick ? 20.0 : beds[bed].settle);
    bench_set(&set, "values.rise", "1");
    return bench_make(scene, &set, from, path) >= 0;
}

static double off(const outcome *a, const outcome *reference)
{
    return a->mean / reference->mean - 1;
}

static void say(const outcome *o, const outcome *reference, const char *what)
{
    printf("  %-28s %8.3f s   settlement %.4e (%+.1f %%), median %.4e (%+.1f %%)", what, o->cpu, o->mean,
           100 * off(o, reference), o->median, 100 * (o->median / reference->median - 1));
    if (o->newton > 0) printf(", %.1f iterations with %.0f products", o->newton, o->inner);
    printf("\n");
    fflush(stdout);
}

/* Of one bed: times of t_c/15, of the cheapest explicit and of the cheapest implicit run that is accurate (NAN:
 * none). */
typedef struct {
    double usual, best, implicit;
} times;

static bool compare(const bench_def *def, size_t variant, double k, const char *state, times *t)
{
    outcome reference = {0}, o;
    char what[64];
    *t = (times){NAN, NAN, NAN};
    printf("%s, k d/(m g) = %.3g\n", variants[variant].doc, k);
    // one kind after the other, so that both see the same machine
    for (size_t n = 0; n < EXPLICIT || n < IMPLICIT; n++) {
        if (n < EXPLICIT) {
            if (!run_explicit(def, variant, k, explicit_parts[n], state, &o)) return false;
            if (n == 0) reference = o, t->usual = o.cpu;
            snprintf(what, sizeof what, "explicit, t_c/%g", explicit_parts[n]);
            say(&o, &reference, what);
            if (fabs(off(&o, &reference)) <= ACCURACY) t->best = fmin(t->best, o.cpu);
        }
        if (n < IMPLICIT) {
            if (!run_implicit(def, variant, k, n, state, &o)) return false;
            snprintf(what, sizeof what, "implicit, %g, tolerance %g", implicit[n].step, implicit[n].tolerance);
            say(&o, &reference, what);
            if (fabs(off(&o, &reference)) <= ACCURACY) t->implicit = fmin(t->implicit, o.cpu);
        }
    }
    snprintf(what, sizeof what, "ramp.%s.%.3g", variants[variant].name, k);
    const struct {
        const char *name, *unit;
        double value;
    } all[] = {{"explicit_15", "s", t->usual},
               {"explicit", "s", t->best},
               {"implicit", "s", t->implicit},
               {"ratio_15", "-", t->implicit / t->usual},
               {"ratio", "-", t->implicit / t->best}};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        char name[96];
        snprintf(name, sizeof name, "%s.%s", what, all[n].name);
        figure(name, all[n].value, "%.3f", all[n].unit);
    }
    return true;
}

/* The stiffness from which on the ratio stays below one, on straight lines through the logarithms; a run that is not
 * accurate has lost. 0: already at the first; NAN: not at the last. */
static double break_even(const double *ratio, size_t count)
{
    double at = 0, before = 0;
    for (size_t b = 0; b < count; b++) {
        double now = isnan(ratio[b]) ? INFINITY : log(ratio[b]);
        if (now > 0)
            at = NAN;
        else if (isnan(at))
            at = isinf(before) ? beds[b].k : beds[b].k * pow(beds[b - 1].k / beds[b].k, now / (now - before));
        before = now;
    }
    return at;
}

static void conclude(size_t variant, const times *t, size_t count)
{
    const char *against[] = {"t_c/15", "the cheapest explicit steps"};
    for (int usual = 1; usual >= 0; usual--) {
        double ratio[sizeof beds / sizeof *beds];
        for (size_t b = 0; b < count; b++) ratio[b] = t[b].implicit / (usual ? t[b].usual : t[b].best);
        double k = break_even(ratio, count);
        char name[96];
        snprintf(name, sizeof name, "ramp.%s.break_even%s", variants[variant].name, usual ? "_15" : "");
        if (k == 0)
            printf("%s: faster than %s from k d/(m g) = %.3g on, the softest tried\n", variants[variant].name,
                   against[!usual], beds[0].k);
        else if (isnan(k))
            printf("%s: no break-even with %s up to %.3g\n", variants[variant].name, against[!usual],
                   beds[count - 1].k);
        if (k == 0 || isnan(k)) continue;
        figure(name, k, "%.3g", "k d/(m g)");
    }
}

static int ramp(const bench_def *def)
{
    size_t count = def->quick ? 1 : def->full ? sizeof beds / sizeof *beds : 3;
    bool known = !def->only, ok = true;
    bench_folder folder;
    if (!bench_folder_make(&folder, def->state)) return 1;
    for (size_t v = 0; ok && v < VARIANTS; v++) {
        if (def->only && strcmp(def->only, variants[v].name) != 0) continue;
        known = true;
        times t[sizeof beds / sizeof *beds];
        char from[2300] = "", path[2300];
        for (size_t b = 0; ok && b < count; b++) {
            char name[64];
            snprintf(name, sizeof name, "ramp-%s-%.3g.h5", variants[v].name, beds[b].k);
            ok = (bench_folder_file(&folder, name, path) || settle(def, v, b, *from ? from : NULL, path)) &&
                 compare(def, v, beds[b].k, path, &t[b]);
            memcpy(from, path, sizeof from);
        }
        if (ok) conclude(v, t, count);
    }
    bench_folder_remove(&folder);
    if (!known) return bench_no_variant(def->only);
    return ok ? 0 : 1;
}

const bench bench_ramp = {"ramp", "gravity rises over 2 000 settled grains: from which stiffness on implicit steps pay",
                          ramp};
