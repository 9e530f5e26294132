/* The stepper variational: grains that have fallen together, midpoint steps of t_c/20 beside steps of `soft` of the
 * same length, from one state. Grain-steps per second of one core, iterations of Newton's method and of conjugate
 * gradients, and what an implicit step costs in explicit ones; for 216 grains and for --grains (19 683). Units
 * d = m = g = 1. */
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STIFFNESS 195000.0
#define CONTACT   (M_PI * sqrt(0.5 / STIFFNESS)) /* how long one lasts */
#define SETTLING  10.0                           /* time for the state to be made */

static const struct {
    const char *name, *contact;
} variants[] = {{"smooth", "tangential: none"},
                {"friction", "stiffness_ratio: 0.2857142857142857, damping_ratio: 0.5"}};
#define VARIANTS (sizeof variants / sizeof *variants)

typedef struct {
    double cpu;           /* of a step [s] */
    double newton, inner; /* iterations of a step, and of conjugate gradients in one of Newton's */
    int64_t contacts;
    uint64_t digest;
} measured;

// a cube of grains on a plane between periodic sides, from a lattice, with more damping, or from a state
static bench_world open_cube(int side, size_t variant, const char *state, const char *stepper)
{
    char text[6000], bodies[2600];
    double width = 1.02 * side, step = (state ? 0.05 : 0.1) * CONTACT;
    if (state)
        snprintf(bodies, sizeof bodies, "from: table, file: \"%s\", material: unit", state);
    else
        snprintf(bodies, sizeof bodies,
                 "from: lattice, material: unit, diameter: 1, kind: sc, spacing: 1.02, jitter: "
                 "0.9, count: %d, region: {shape: box, box: [[0, 0, 0], [%.17g, %.17g, %.17g]]}",
                 side * side * side, width, width, width);
    snprintf(text, sizeof text,
             "scree: 1\ndomain: {box: [[0, 0, -1], [%.17g, %.17g, %.17g]], periodic: [x, y]}\n"
             "gravity: [0, 0, -1]\nmaterials: {unit: {density: =6/pi, friction: 0.3}}\n"
             "contacts: {any: {stiffness: %g, damping: viscous, damping_rate: %d, %s}}\n"
             "bodies: {grains: {%s}}\nwalls: {floor: {shape: plane, material: unit}}\n"
             "stepper: {type: %s}\ntime: {end: 10, step: %.17g}\n",
             width, width, 1.5 * width, STIFFNESS, state ? 60 : 600, variants[variant].contact, bodies, stepper, step);
    scree_simulation_def def = scree_simulation_def_default();
    def.threads = 1;
    return bench_open(text, def);
}

static bool measure(int side, size_t variant, const char *state, const char *stepper, int steps, measured *m)
{
    bench_world w = open_cube(side, variant, state, stepper);
    // a list and forces that are warm
    bool ok = w.simulation && bench_advance(w.simulation, 5) >= 0;
    double newton = 0, inner = 0, cpu = bench_cpu();
    for (int k = 0; ok && k < steps; k++) {
        ok = bench_advance(w.simulation, 1) >= 0;
        scree_stats stats = scree_simulation_stats(w.simulation);
        newton += (double)stats.sweeps, inner += (double)stats.inner;
        m->contacts = stats.contacts;
    }
    m->cpu = (bench_cpu() - cpu) / steps;
    m->newton = newton / steps, m->inner = newton > 0 ? inner / newton : 0;
    scree_report report;
    scree_report_init(&report);
    if (ok) m->digest = scree_simulation_digest(w.simulation, &report);
    scree_report_deinit(&report);
    bench_close(&w);
    return ok;
}

static bool make_state(int side, size_t variant, const char *path)
{
    bench_world w = open_cube(side, variant, NULL, "soft");
    int steps = (int)(SETTLING / (0.1 * CONTACT));
    bool ok = w.simulation && bench_advance(w.simulation, steps) >= 0 &&
              bench_write_state(w.simulation, path, (const int[2]){1, 1}, NULL);
    bench_close(&w);
    return ok;
}

static void say(const char *variant, int grains, const measured *soft, const measured *m)
{
    printf("%d grains, %s: %.4g grain-steps/s of CPU time, %.2f x %.2f iterations, %" PRId64
           " contacts, digest %016" PRIx64 "; soft %.4g grain-steps/s\n",
           grains, variant, grains / m->cpu, m->newton, m->inner, m->contacts, m->digest, grains / soft->cpu);
    const struct {
        const char *name, *format, *unit;
        double value;
    } all[] = {{"rate", "%.4g", "grain-steps/s", grains / m->cpu},
               {"newton", "%.2f", "per step", m->newton},
               {"inner", "%.2f", "per Newton iteration", m->inner},
               {"explicit_steps", "%.2f", "-", m->cpu / soft->cpu}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[96];
        snprintf(text, sizeof text, "variational.%s.%d.%s", variant, grains, all[k].name);
        figure(text, all[k].value, all[k].format, all[k].unit);
    }
}

static int variational(const bench_def *def)
{
    int most = (int)ceil(cbrt(def->grains ? def->grains : 19683) - 1e-9);
    const int sides[2] = {most < 6 ? most : 6, most}, sizes = most > 6 ? 2 : 1;
    bool known = !def->only, ok = true;
    bench_folder folder;
    char path[2300];
    if (!bench_folder_make(&folder, def->state)) return 1;
    for (size_t v = 0; ok && v < VARIANTS; v++) {
        if (def->only && strcmp(def->only, variants[v].name) != 0) continue;
        known = true;
        measured m[2] = {{0}}, soft = {0};
        for (int k = 0; ok && k < sizes; k++) {
            char name[64];
            int side = sides[k], grains = side * side * side;
            int steps = def->steps ? def->steps : 20 + 200000 / grains;
            snprintf(name, sizeof name, "variational-%s-%d.csv", variants[v].name, grains);
            ok = (bench_folder_file(&folder, name, path) || make_state(side, v, path)) &&
                 measure(side, v, path, "soft", 10 * steps, &soft) &&
                 measure(side, v, path, "variational", steps, &m[k]);
            if (ok) say(variants[v].name, grains, &soft, &m[k]);
        }
        if (!ok || sizes < 2) continue;
        char text[96];
        snprintf(text, sizeof text, "variational.%s.growth", variants[v].name);
        figure(text, m[1].newton * m[1].inner / (m[0].newton * m[0].inner), "%.2f", "-");
    }
    bench_folder_remove(&folder);
    if (!known) return bench_no_variant(def->only);
    return ok ? 0 : 1;
}

const bench bench_variational = {"variational", "implicit steps beside explicit ones, 216 and 19 683 grains (--grains)",
                                 variational};
