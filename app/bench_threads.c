/* Many threads beside the limit of the machine: the same problem on 1, 2, 4, ... threads, and as many independent
 * copies of it on one thread each, all at the same time. Cores share memory and units, so the copies together are
 * what the machine can give at most.
 *
 *   bed       1 240 000 settled grains, lists as needed
 *   lists     the same with a new list every 25 steps
 *   chute512  the chute beside itself 4 x 4 times, 512 000 grains
 *   chute32   the chute, 32 000 grains
 *
 * Each measurement is a process of its own. It builds its world, warms up, says that it is ready and waits until all
 * are. Rates are steps per second; those of copies are added up. */
#include "bench.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64, STEPS_A_LIST = 25 };

typedef struct {
    const char *name;
    bool chute;
    int grains, side; /* of one tile, and tiles along x and along y */
    int steps, list_every;
    double target; /* least rate over that of the copies, on 16 threads */
} workload;

static const workload workloads[] = {
    {"bed", false, 19375, 8, 50, 0, 0.85},
    {"lists", false, 19375, 8, 50, STEPS_A_LIST, 0},
    {"chute512", true, 32000, 4, 100, 0, 0.85},
    {"chute32", true, 32000, 1, 1000, 0, 0.5},
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

/* What the processes share. */
typedef struct {
    _Atomic int ready, go;
    struct {
        double rate, list; /* steps/s; seconds for lists per step */
        uint64_t digest;
        int64_t grains, rebuilds;
    } of[MOST];
} meeting;

typedef struct {
    char text[8192];
    int steps, list_every;
} problem;

static bool step_together(const problem *p, int threads, int self, meeting *m)
{
    bench_world w = bench_open(p->text, (scree_simulation_def){.threads = threads, .list_every = p->list_every});
    scree_simulation *s = w.simulation;
    if (!s || bench_advance(s, 1 + p->steps / 5) < 0) return false;
    scree_stats before = scree_simulation_stats(s);
    m->ready++;
    while (!m->go) usleep(100);
    double seconds = bench_advance(s, p->steps);
    scree_stats after = scree_simulation_stats(s);
    m->of[self].rate = p->steps / seconds;
    m->of[self].list = (after.seconds_neighbours - before.seconds_neighbours) / p->steps;
    m->of[self].grains = after.bodies;
    m->of[self].rebuilds = after.rebuilds - before.rebuilds;
    scree_report report;
    scree_report_init(&report);
    m->of[self].digest = scree_simulation_digest(s, &report);
    scree_report_deinit(&report);
    bench_close(&w);
    return seconds > 0;
}

// `copies` processes at the same time, of so many threads each; false when one of them failed
static bool meet(const problem *p, int copies, int threads, meeting *m)
{
    *m = (meeting){0};
    pid_t child[MOST];
    int failed = 0, status;
    fflush(NULL);
    for (int k = 0; k < copies; k++) {
        child[k] = fork();
        if (child[k] == 0) _exit(step_together(p, threads, k, m) ? 0 : 1);
        failed += child[k] < 0;
    }
    // one that ends before it is ready will never be
    while (m->ready < copies && !failed) {
        usleep(1000);
        for (int k = 0; k < copies; k++)
            if (waitpid(child[k], &status, WNOHANG) == child[k]) child[k] = -1, failed++;
    }
    m->go = 1;
    for (int k = 0; k < copies; k++)
        if (child[k] > 0) failed += waitpid(child[k], &status, 0) != child[k] || status != 0;
    return !failed;
}

// the state of one tile, made unless it is there
static bool make_tile(const workload *load, bench_bed *bed, char *chute, size_t size)
{
    return load->chute ? bench_chute_state(chute, size) : bench_bed_make(bed, NULL);
}

// the same in a child: a process that has used threads must not fork
static bool make_tile_apart(const workload *load, bench_bed *bed, char *chute, size_t size)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(make_tile(load, bed, chute, size) ? 0 : 1);
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && make_tile(load, bed, chute, size);
}

// the scene of a workload, its state in `folder`
static bool prepare(const workload *load, const bench_def *def, const bench_folder *folder, problem *p)
{
    char chute[2300], state[2300];
    int grains = def->quick ? 1000 : load->grains, side = def->quick && load->side > 1 ? 2 : load->side;
    bench_bed bed = bench_bed_of(1, grains);
    if (!make_tile_apart(load, &bed, chute, sizeof chute)) return false;
    bench_folder_file(folder, "state.csv", state);
    const double edge[2] = {load->chute ? 40 : bed.width, load->chute ? 20 : bed.width};
    if (!bench_copy_state(load->chute ? chute : bed.path, state, edge, side)) return false;
    snprintf(bed.path, sizeof bed.path, "%s", state);
    bed.width *= side;
    if (load->chute)
        bench_chute_scene(state, side, p->text, sizeof p->text);
    else
        bench_bed_scene(&bed, &(bench_run){.scheme = "standard"}, p->text, sizeof p->text);
    p->steps = def->steps ? def->steps : def->quick ? 50 : load->steps;
    p->list_every = load->list_every;
    return true;
}

/* What was measured with one number of threads: the best of all rounds. */
typedef struct {
    double rate, list, copies;
    uint64_t digest;
    bool same; /* bits, in the copies */
} measured;

static bool measure(const problem *p, int threads, meeting *m, measured *best)
{
    if (!meet(p, 1, threads, m)) return false;
    if (m->of[0].rate > best->rate) best->rate = m->of[0].rate, best->list = m->of[0].list;
    best->digest = m->of[0].digest;
    if (!meet(p, threads, 1, m)) return false;
    double together = 0;
    best->same = true;
    for (int k = 0; k < threads; k++) {
        together += m->of[k].rate;
        best->same &= m->of[k].digest == best->digest;
    }
    if (together > best->copies) best->copies = together;
    return true;
}

static void say(const workload *load, int threads, const measured *one, const measured *m)
{
    double list = 1e3 * m->list * (load->list_every ? load->list_every : 1);
    printf("%8d %10.4g %8.2f %12.4g %8.3f %10.3g  %016llx%s\n", threads, m->rate, m->rate / one->rate, m->copies,
           m->rate / m->copies, list, (unsigned long long)m->digest,
           m->same && m->digest == one->digest ? "" : " OTHER BITS");
    const struct {
        const char *name, *unit;
        double value;
    } all[] = {{"rate", "steps/s", m->rate}, {"copies", "steps/s", m->copies}, {"ratio", "-", m->rate / m->copies}};
    char text[96];
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "threads.%s.%d.%s", load->name, threads, all[k].name);
        figure(text, all[k].value, "%.4g", all[k].unit);
    }
}

static bool run(const workload *load, const bench_def *def, const bench_folder *folder, int most, meeting *m)
{
    problem p;
    measured best[MOST] = {0};
    int least = def->most ? most : 1;
    if (!prepare(load, def, folder, &p)) return false;
    for (int round = 0; round < (def->rounds ? def->rounds : def->most ? 1 : 2); round++)
        for (int k = 0, threads = least; threads <= most; k++, threads *= 2)
            if (!measure(&p, threads, m, &best[k])) return false;
    printf("%s: %lld grains, %d steps; copies: of one thread each, at the same time; list: ms %s\n", load->name,
           (long long)m->of[0].grains, p.steps, load->list_every ? "per list" : "of lists per step");
    printf("%8s %10s %8s %12s %8s %10s  %s\n", "threads", "steps/s", "of first", "copies", "ratio", "list", "digest");
    for (int k = 0, threads = least; threads <= most; k++, threads *= 2) say(load, threads, &best[0], &best[k]);
    if (load->target > 0) printf("target on 16 threads: ratio %.2f\n", load->target);
    fflush(stdout);
    return true;
}

static int cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static int threads_main(const bench_def *def)
{
    bool any = !def->only, ok = true;
    for (int k = 0; k < WORKLOADS; k++) any |= def->only && !strcmp(def->only, workloads[k].name);
    if (!any) return bench_no_variant(def->only);
    meeting *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench_folder folder;
    if (m == MAP_FAILED || !bench_folder_make(&folder, NULL)) return 1;
    int most = def->threads ? def->threads : cores();
    if (most > MOST) most = MOST;
    for (int k = 0; k < WORKLOADS && ok; k++)
        if (def->only ? !strcmp(def->only, workloads[k].name) : !def->most || workloads[k].target > 0)
            ok = run(&workloads[k], def, &folder, most, m);
    bench_folder_remove(&folder);
    munmap(m, sizeof *m);
    return ok ? 0 : 1;
}

const bench bench_threads = {"threads", "1, 2, 4, ... threads beside as many independent copies at once", threads_main};
