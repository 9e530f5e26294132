/* The stepper elastic: a spinning block of cubes that swings in all its cells. Cell-steps per second with one thread
 * and with two, for both kinds of normals, of two blocks pressed together over a whole side, of links that can break,
 * of both; and memory per cell. --grains takes a number of cells. */
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name, *normal;
    int threads;
    bool touch, strong; /* two blocks in contact; links with a strength that is not reached */
} variants[] = {{"one", "centre-line", 1, false, false},         {"two", "centre-line", 2, false, false},
                {"face-normal", "face-normal", 1, false, false}, {"touch", "centre-line", 1, true, false},
                {"break", "centre-line", 1, false, true},        {"touch-break", "centre-line", 1, true, true}};
#define VARIANTS ((int)(sizeof variants / sizeof *variants))

typedef struct {
    double rate, cpu_rate; /* cell-steps per second of the best round, and of CPU time */
    int64_t cells;
    uint64_t digest;
} measured;

// one solid, or the half of two
static void block_text(char *text, size_t size, const char *name, int variant, double from, double to, const int *cells)
{
    snprintf(text, size,
             "  %s: {mesh: block, material: steel, box: [[0, 0, %g], [1, 1, %g]], cells: [%d, %d, %d], normal: %s,\n"
             "       %s: [30, 20, 10]%s}\n",
             name, from, to, cells[0], cells[1], cells[2], variants[variant].normal,
             variants[variant].touch ? "velocity" : "spin",
             variants[variant].strong ? ", tensile_strength: 1e11, shear_strength: 1e11" : "");
}

static bench_world open_block(int side, int variant)
{
    char text[2048], lower[512], upper[512] = "";
    bool touch = variants[variant].touch;
    // the upper block overlaps the lower one by a thousandth of a cell, and both recoil from it
    int cells[2][3] = {{side, side, touch ? side / 2 : side}, {side, side, side - side / 2}};
    double middle = (double)cells[0][2] / side;
    block_text(lower, sizeof lower, "lower", variant, 0, middle, cells[0]);
    if (touch) block_text(upper, sizeof upper, "upper", variant, middle - 1e-3 / side, 1 - 1e-3 / side, cells[1]);
    snprintf(text, sizeof text,
             "scree: 1\ngravity: [0, 0, 0]\ndomain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
             "materials: {steel: {density: 7800, young: 2e11, poisson: 0.25%s}}\n%s"
             "solids:\n%s%sstepper: elastic\ntime: {end: 1}\n",
             touch ? ", restitution: 0.8, friction: 0.3" : "", touch ? "contacts: {any: {normal: hertz}}\n" : "", lower,
             upper);
    scree_simulation_def def = scree_simulation_def_default();
    def.threads = variants[variant].threads;
    return bench_open(text, def);
}

static bool measure(const bench_def *def, int side, int variant, measured *m)
{
    int steps = def->steps ? def->steps : 20, rounds = def->rounds ? def->rounds : 5;
    bench_world w = open_block(side, variant);
    if (!w.simulation) return false;
    m->cells = (int64_t)side * side * side;
    double work = (double)m->cells * steps;
    bool ok = true;
    for (int r = 0; ok && r < rounds; r++) {
        double cpu = bench_cpu(), seconds = bench_advance(w.simulation, steps);
        ok = seconds >= 0;
        m->rate = fmax(m->rate, work / seconds);
        m->cpu_rate = fmax(m->cpu_rate, work / (bench_cpu() - cpu));
    }
    scree_report report;
    scree_report_init(&report);
    m->digest = scree_simulation_digest(w.simulation, &report);
    scree_report_deinit(&report);
    bench_close(&w);
    return ok;
}

static int elastic(const bench_def *def)
{
    int side = (int)ceil(cbrt(def->grains ? def->grains : 100000) - 1e-9);
    bool known = !def->only;
    measured m[VARIANTS] = {{0}};
    // what the program takes by itself is not the cells'
    double before = (double)scree_peak_memory();
    for (int k = 0; k < VARIANTS; k++) {
        if (def->only && strcmp(def->only, variants[k].name) != 0) continue;
        known = true;
        if (!measure(def, side, k, &m[k])) return 1;
        printf("%" PRId64 " cells, %-11s: %.4g cell-steps/s, %.4g per second of CPU time, "
               "digest %016" PRIx64 "\n",
               m[k].cells, variants[k].name, m[k].rate, m[k].cpu_rate, m[k].digest);
        // the first run alone tells what one run needs
        if (k == 0 || def->only)
            figure("elastic.bytes_per_cell", ((double)scree_peak_memory() - before) / (double)m[k].cells, "%.1f",
                   "byte");
        char text[96];
        snprintf(text, sizeof text, "elastic.%s.rate", variants[k].name);
        figure(text, m[k].rate, "%.4g", "cell-steps/s");
        snprintf(text, sizeof text, "elastic.%s.cpu_rate", variants[k].name);
        figure(text, m[k].cpu_rate, "%.4g", "cell-steps/s");
    }
    if (!known) return bench_no_variant(def->only);
    if (def->only) return 0;
    figure("elastic.speedup_two_threads", m[1].rate / m[0].rate, "%.3f", "-");
    figure("elastic.same_bits_two_threads", m[0].digest == m[1].digest, "%.0f", "-");
    return 0;
}

const bench bench_elastic = {"elastic", "cell-steps and memory of a block of cells; --grains: cells", elastic};
