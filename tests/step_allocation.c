/* No allocation in a warm step: the allocator's entry points are counted here, in front of the C
 * library's. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "stage.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

int main(void)
{
    printf("skipped: a sanitizer owns the allocator\n");
    return 77;
}

#else

#    define MOST_CALLERS 65536

static volatile long allocations, frees; /* the compiler believes that malloc changes nothing */
static void *callers[MOST_CALLERS];      /* of allocations, by their number */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *data);

#    define COUNT_ALLOCATION() count_allocation(__builtin_return_address(0))

static void count_allocation(void *caller)
{
    callers[__atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED) % MOST_CALLERS] = caller;
}

// allocations number [from, to) that were not made by the OpenMP runtime, which makes a team of one
// thread anew for every parallel region
static long not_of_runtime(long from, long to)
{
    long n = 0;
    for (long k = from; k < to; k++) {
        Dl_info info = {.dli_fname = "nowhere"};
        void *caller = callers[k % MOST_CALLERS];
        if (dladdr(caller, &info) && strstr(info.dli_fname, "libgomp")) continue;
        if (n++ < 8)
            printf("  allocation from %s+0x%lx\n", info.dli_fname, (long)((char *)caller - (char *)info.dli_fbase));
    }
    return n;
}

void *malloc(size_t size)
{
    COUNT_ALLOCATION();
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    COUNT_ALLOCATION();
    return __libc_calloc(n, size);
}

void *realloc(void *data, size_t size)
{
    COUNT_ALLOCATION();
    return __libc_realloc(data, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    COUNT_ALLOCATION();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    COUNT_ALLOCATION();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **data, size_t alignment, size_t size)
{
    COUNT_ALLOCATION();
    *data = __libc_memalign(alignment, size);
    return *data ? 0 : ENOMEM;
}

void free(void *data)
{
    if (data) __atomic_fetch_add(&frees, 1, __ATOMIC_RELAXED);
    __libc_free(data);
}

// the counters see what is done with memory, also by the library under test
static void test_counters(void)
{
    long a = allocations, f = frees;
    void *volatile p = malloc(10);
    void *volatile q = aligned_alloc(64, 128);
    CHECK_INT(allocations - a, 2);
    free(p);
    free(q);
    CHECK_INT(frees - f, 2);
    a = allocations;
    stage s;
    grain one = {.x = {0.5, 0.5, 0.5}, .radius = 0.1};
    stage_open(&s, &one, 1,
               "scree: 1\n"
               "domain: {box: [[0, 0, 0], [1, 1, 1]]}\n"
               "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
               "bodies: {all: {from: table, file: @, material: glass}}\n"
               "time: {end: 1}\n");
    CHECK(allocations - a > 10);
    stage_close(&s);
}

static void open_flow(stage *s, int threads, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    stage_open_threads(s, threads, NULL, 0, format, args);
    va_end(args);
}

// grains flow down a rough slope between two side walls: lists are built and bodies sorted on the
// way
static void test_flow(int threads)
{
    stage s;
    open_flow(&s, threads,
              "scree: 1\n"
              "gravity: [4.9, 0, -8.5]\n"
              "domain: {box: [[0, 0, 0], [12 cm, 8 cm, 30 cm]], periodic: [x]}\n"
              "materials: {glass: {density: 2500, restitution: 0.6, friction: 0.3}}\n"
              "contacts: {any: {stiffness: 1000}}\n"
              "bodies:\n"
              "  base: {from: lattice, material: glass, diameter: 10 mm, frozen: yes,\n"
              "         region: {box: [[0, 0, 0], [12 cm, 8 cm, 10 mm]]}}\n"
              "  flow: {from: lattice, kind: fcc, material: glass, diameter: [7 mm, 10 mm],\n"
              "         spacing: 10.2 mm, jitter: 1, velocity: [1, 0, 0],\n"
              "         region: {box: [[0, 0, 11 mm], [12 cm, 8 cm, 10 cm]]}}\n"
              "walls:\n"
              "  floor: {shape: plane, material: glass}\n"
              "  left: {shape: plane, material: glass, normal: [0, 1, 0]}\n"
              "  right: {shape: plane, material: glass, point: [0, 8 cm, 0], normal: [0, -1, 0]}\n"
              "stepper: {type: soft, skin: 0.5 mm}\n"
              "time: {end: 1}\n");
    if (!s.sim) return;
    // settles into its flow; arrays find their size
    stage_advance(&s, 5000);
    scree_stats before = scree_simulation_stats(s.sim);
    long a = allocations, f = frees;
    scree_status status = scree_simulation_advance(s.sim, 500, &s.report);
    long a_end = allocations, f_end = frees;
    scree_stats after = scree_simulation_stats(s.sim);
    CHECK(status == SCREE_OK);
    CHECK_INT(not_of_runtime(a, a_end), 0);
    if (threads > 1) {
        CHECK_INT(a_end - a, 0);
        CHECK_INT(f_end - f, 0);
    }
    CHECK(after.bodies > 600 && after.contacts > 600);
    CHECK(after.rebuilds - before.rebuilds > 16); // two sorts of the bodies
    printf("%d threads: %lld bodies, %lld contacts, %lld lists\n", threads, (long long)after.bodies,
           (long long)after.contacts, (long long)(after.rebuilds - before.rebuilds));
    stage_close(&s);
}

// a drum turns, so slowly that its load slips now and then: contacts come and go, grains merge and split, bodies are
// sorted on the way
static void test_drum(int threads, const char *reduction)
{
    stage s;
    open_flow(&s, threads,
              "scree: 1\n"
              "domain: {box: [[-12 cm, 0, -12 cm], [12 cm, 6 cm, 12 cm]], periodic: [y]}\n"
              "materials: {rock: {density: 3700, restitution: 0.2, friction: 0.6,\n"
              "                   rolling_friction: 0.1}}\n"
              "contacts: {any: {stiffness: 3 kN/m, rolling: sds}}\n"
              "bodies:\n"
              "  all: {from: lattice, material: rock, diameter: [10 mm, 13 mm], spacing: 13.5 mm,\n"
              "        jitter: 1, region: {box: [[-7 cm, 0, -6 cm], [7 cm, 6 cm, 0]]}}\n"
              "walls:\n"
              "  drum: {shape: cylinder, material: rock, from: [0, -1, 0], to: [0, 1, 0],\n"
              "         radius: 10 cm, rotation: {axis: [0, 1, 0], rate: 0.7}}\n"
              "stepper: {type: nonsmooth, reduction: %s}\n"
              "time: {end: 100, step: 2 ms}\n",
              reduction);
    if (!s.sim) return;
    bool reduces = !strncmp(reduction, "on", 2);
    scree_stats before, after;
    long a, a_end, f, f_end, ours;
    // avalanches are of any size: now and then more split at once than ever before, and arrays grow. So the first
    // stretch without any such growth counts, if there is one
    stage_advance(&s, 3000);
    for (int tries = 0; tries < 12; tries++) {
        before = scree_simulation_stats(s.sim);
        a = allocations, f = frees;
        CHECK(scree_simulation_advance(s.sim, 600, &s.report) == SCREE_OK);
        a_end = allocations, f_end = frees;
        after = scree_simulation_stats(s.sim);
        ours = threads > 1 ? a_end - a : not_of_runtime(a, a_end);
        if (!ours) break;
    }
    CHECK_INT(ours, 0);
    if (threads > 1) CHECK_INT(f_end - f, 0);
    CHECK(after.bodies > 150 && after.contacts > 200);
    CHECK((after.splits - before.splits > 100) == reduces);
    printf("nonsmooth, reduction %s, %d threads: %lld bodies, %lld contacts, %lld merged\n", reduction, threads,
           (long long)after.bodies, (long long)after.contacts, (long long)after.merged);
    stage_close(&s);
}

// a beam with supports, a load, damping and a sponge
static void test_beam(int threads)
{
    stage s;
    open_flow(&s, threads,
              "scree: 1\n"
              "domain: {box: [[-1, -1, -1], [3, 1, 1]]}\n"
              "materials: {rubber: {density: 1000, young: 1 MPa, poisson: 0.3}}\n"
              "solids: {beam: {mesh: block, material: rubber, box: [[0, 0, 0], [2, 0.3, 0.3]],\n"
              "                cells: [60, 6, 6], damping: 1, stiffness_damping: 1e-5}}\n"
              "patches: {root: {sides: [x-]}, tip: {sides: [x+]}}\n"
              "supports: {clamp: {patch: root}}\n"
              "loads: {pull: {type: traction, patch: tip, stress: [1 kPa, 0, 0]}}\n"
              "sponges: {end: {point: [2, 0, 0], normal: [1, 0, 0], width: 0.5, rate: 10}}\n"
              "stepper: elastic\n"
              "time: {end: 1}\n");
    if (!s.sim) return;
    stage_advance(&s, 2);
    long a = allocations, f = frees;
    scree_status status = scree_simulation_advance(s.sim, 50, &s.report);
    long a_end = allocations, f_end = frees;
    CHECK(status == SCREE_OK);
    CHECK_INT(not_of_runtime(a, a_end), 0);
    if (threads > 1) {
        CHECK_INT(a_end - a, 0);
        CHECK_INT(f_end - f, 0);
    }
    stage_close(&s);
}

// implicit steps of a bed that is shaken by its floor, in several blocks of bodies; some have to be halved
static void test_bed(int threads)
{
    stage s;
    open_flow(&s, threads,
              "scree: 1\n"
              "gravity: [0.5, 0, -9]\n"
              "domain: {box: [[0, 0, -1 cm], [10 cm, 8 cm, 20 cm]], periodic: [x, y]}\n"
              "materials: {glass: {density: 2500, restitution: 0.6, friction: 0.3}}\n"
              "contacts: {any: {stiffness: 1000}}\n"
              "bodies:\n"
              "  all: {from: lattice, kind: fcc, material: glass, diameter: [7 mm, 8 mm],\n"
              "        spacing: 8.2 mm, jitter: 1, velocity: [0.3, 0, 0],\n"
              "        region: {box: [[0, 0, 1 mm], [10 cm, 8 cm, 9 cm]]}}\n"
              "walls:\n"
              "  floor: {shape: plane, material: glass,\n"
              "          oscillation: {direction: [0, 0, 1], amplitude: 0.3 mm, frequency: 30}}\n"
              "stepper: {type: variational, iterations: 7}\n"
              "time: {end: 10, step: 0.5 ms}\n");
    if (!s.sim) return;
    // long enough for lists to have been as large as they get: their slots for bodies of other blocks come and go
    stage_advance(&s, 800);
    scree_stats before = scree_simulation_stats(s.sim);
    long a = allocations, f = frees;
    scree_status status = scree_simulation_advance(s.sim, 60, &s.report);
    long a_end = allocations, f_end = frees;
    scree_stats after = scree_simulation_stats(s.sim);
    CHECK(status == SCREE_OK);
    CHECK_INT(not_of_runtime(a, a_end), 0);
    if (threads > 1) CHECK(a_end - a == 0 && f_end - f == 0);
    CHECK(after.bodies > 1024 && after.contacts > 600);
    CHECK(after.rebuilds - before.rebuilds > 2);
    printf("variational, %d threads: %lld bodies, %lld contacts, %lld lists\n", threads, (long long)after.bodies,
           (long long)after.contacts, (long long)(after.rebuilds - before.rebuilds));
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_counters();
    // a stranger's allocation is seen as such
    long a = allocations;
    void *volatile stranger = malloc(1);
    free(stranger);
    CHECK_INT(not_of_runtime(a, allocations), 1);
    test_flow(1);
    test_flow(2);
    test_drum(1, "off");
    test_drum(2, "on, merge_drift: none, trial_force: 0.15"); // as much coming and going as can be
    test_beam(1);
    test_beam(2);
    test_bed(1);
    test_bed(2);
    return check_done();
}

#endif
