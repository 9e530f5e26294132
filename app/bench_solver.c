/* The solver of contacts by itself: contact-sweeps per second with one thread and with two, on packings that fit
 * into a core's own cache, into the shared one, and hardly. Each figure is the best of --rounds, and of as many more as
 * fit into half a second. --grains takes a number of contacts instead. */
#include "bench.h"

#include <string.h>

static bool measure(int contacts, const bench_def *def, int threads, bool precise, scree_solver_result *r)
{
    scree_report report;
    scree_report_init(&report);
    int sweeps = def->steps ? def->steps : 100, rounds = def->rounds ? def->rounds : 5;
    scree_solver_def d = {contacts, sweeps, threads, rounds, precise};
    bool ok = !scree_solver_measure(&d, r, &report);
    scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return ok;
}

static void figures(int contacts, const char *variant, const scree_solver_result *r)
{
    double n = (double)r->contacts;
    const struct {
        const char *name, *format, *unit;
        double value;
    } all[] = {
        {"rate", "%.4g", "contact-sweeps/s", n / r->sweep},
        {"ns", "%.2f", "ns", 1e9 * r->sweep / n},
        {"prepare", "%.1f", "ns/contact", 1e9 * r->prepare / n},
        {"around", "%.1f", "ns/contact", 1e9 * r->around / n},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[96];
        snprintf(text, sizeof text, "solver.%d.%s.%s", contacts, variant, all[k].name);
        figure(text, all[k].value, all[k].format, all[k].unit);
    }
}

static bool size(int contacts, const bench_def *def)
{
    static const struct {
        const char *name;
        int threads;
        bool precise;
    } variants[] = {{"one", 1, false}, {"two", 2, false}, {"precise", 1, true}};
    scree_solver_result r[3];
    for (int k = 0; k < 3; k++) {
        if (def->only && strcmp(def->only, variants[k].name) != 0) continue;
        if (!measure(contacts, def, variants[k].threads, variants[k].precise, &r[k])) return false;
        printf("%lld contacts of %lld spheres, %-7s: %.2f ns per contact and sweep, %d colours, "
               "lanes %.1f %% full; colouring %.0f, packing and adding up %.0f ns per contact\n",
               (long long)r[k].contacts, (long long)r[k].bodies, variants[k].name,
               1e9 * r[k].sweep / (double)r[k].contacts, r[k].colours, 100 * r[k].fill,
               1e9 * r[k].prepare / (double)r[k].contacts, 1e9 * r[k].around / (double)r[k].contacts);
        figures(contacts, variants[k].name, &r[k]);
    }
    if (def->only) return true;
    char text[96];
    snprintf(text, sizeof text, "solver.%d.speedup_two_threads", contacts);
    figure(text, r[0].sweep / r[1].sweep, "%.3f", "-");
    snprintf(text, sizeof text, "solver.%d.same_bits_two_threads", contacts);
    figure(text, r[0].digest == r[1].digest, "%.0f", "-");
    return true;
}

static int solver_main(const bench_def *def)
{
    static const int sizes[] = {8500, 54000, 160000};
    if (def->only && strcmp(def->only, "one") && strcmp(def->only, "two") && strcmp(def->only, "precise"))
        return bench_no_variant(def->only);
    if (def->grains) return size(def->grains, def) ? 0 : 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (!size(sizes[k], def)) return 1;
    return 0;
}

const bench bench_solver = {"solver", "contact-sweeps of projected Gauss-Seidel; --grains: contacts", solver_main};
