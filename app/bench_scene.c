/* Steps of any scene (--state FILE), one thread: CPU time per step, without building the world and without
 * output, one by one; then of as many more without output; the best of some rounds. bench/siconos times a heap
 * of spheres with it. */
#include "bench.h"

typedef struct {
    double cpu, late;                          /* per step; per step of those after them */
    double contacts, solved, sweeps, residual; /* per step; residual: the largest */
} mean_step;

static bool measure(scree_simulation *s, int steps, mean_step *m)
{
    *m = (mean_step){0};
    for (int k = 0; k < steps; k++) {
        double start = bench_cpu();
        if (bench_advance(s, 1) < 0) return false;
        m->cpu += (bench_cpu() - start) / steps;
        scree_stats now = scree_simulation_stats(s);
        m->contacts += (double)now.contacts / steps;
        m->solved += (double)now.solved / steps;
        m->sweeps += (double)now.sweeps / steps;
        if (now.residual > m->residual) m->residual = now.residual;
    }
    double start = bench_cpu();
    if (bench_advance(s, steps) < 0) return false;
    m->late = (bench_cpu() - start) / steps;
    return true;
}

static bool one_round(const bench_def *def, int steps, mean_step *m)
{
    scree_report report;
    scree_report_init(&report);
    scree_simulation_def d = {.threads = 1, .quiet = true, .device = "cpu"};
    bench_world w = {0};
    if (!scree_scene_open(def->state, NULL, 0, &w.scene, &report))
        scree_simulation_create(w.scene, &d, &w.simulation, &report);
    bool ok = w.simulation && measure(w.simulation, steps, m);
    if (!w.simulation) scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    bench_close(&w);
    return ok;
}

static int scene_main(const bench_def *def)
{
    if (!def->state) {
        fprintf(stderr, "scree bench scene: which? --state FILE names it\n");
        return 2;
    }
    int steps = def->steps ? def->steps : 100, rounds = def->rounds ? def->rounds : 3;
    mean_step best = {0};
    for (int k = 0; k < rounds; k++) {
        mean_step m;
        if (!one_round(def, steps, &m)) return 1;
        if (k == 0 || m.cpu < best.cpu) best = m;
    }
    printf("%d steps of %s: %.4g ms each, %.1f contacts, %.1f solved for in %.1f sweeps, residual "
           "at most %.3g m/s\n",
           steps, def->state, 1e3 * best.cpu, best.contacts, best.solved, best.sweeps, best.residual);
    figure("scene.step", 1e3 * best.cpu, "%.5g", "ms");
    figure("scene.late", 1e3 * best.late, "%.5g", "ms");
    figure("scene.contacts", best.contacts, "%.1f", "-");
    figure("scene.sweeps", best.sweeps, "%.2f", "-");
    figure("scene.residual", best.residual, "%.4g", "m/s");
    return 0;
}

const bench bench_scene = {"scene", "steps of the scene --state FILE", scene_main};
