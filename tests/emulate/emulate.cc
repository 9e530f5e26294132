/* Threads of a block as contexts that hand over to each other, and a device whose memory is that of the machine. */
#include "emulate.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include <vector>

extern "C" {
#include "base/log.h"
#include "base/os.h"
#include "base/status.h"
}
#include "exec/cuda/device.h"

thread_local emulated_index threadIdx, blockIdx, blockDim, gridDim;
thread_local double *emulated_shared;

namespace
{
const size_t STACK = 1 << 18;
enum { WARP = 32 };

struct thread {
    ucontext_t start;
    jmp_buf at;
    bool begun, done;
    unsigned generation; // of barriers that it has passed
};

struct warp {
    uint64_t value[WARP];
    unsigned votes, arrived, generation;
};

struct block {
    std::vector<thread> threads;
    std::vector<warp> warps;
    std::vector<char> stacks;
    unsigned arrived, generation, left, current;
    const std::function<void()> *kernel;
    jmp_buf back;
};
thread_local block *now;

void run_thread()
{
    (*now->kernel)();
    now->threads[now->current].done = true;
    now->left--;
    _longjmp(now->back, 1);
}

// to the one that hands out turns
void yield()
{
    thread *t = &now->threads[now->current];
    if (!_setjmp(t->at)) _longjmp(now->back, 1);
    threadIdx.x = now->current;
}

void resume(unsigned k)
{
    thread *t = &now->threads[k];
    now->current = threadIdx.x = k;
    if (_setjmp(now->back)) return;
    if (t->begun) _longjmp(t->at, 1);
    t->begun = true;
    setcontext(&t->start);
}
} // namespace

void emulated_loop(unsigned grid, unsigned threads, const std::function<void()> &kernel)
{
    if (!emulated_works()) return;
    gridDim.x = grid, blockDim.x = threads;
    // from the last block: what is found in the order of blocks is in any order on a device
    for (blockIdx.x = grid; blockIdx.x-- > 0;)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) kernel();
}

void emulated_blocks(unsigned grid, unsigned threads, size_t bytes, const std::function<void()> &kernel)
{
    if (!emulated_works()) return;
    static thread_local block b;
    std::vector<double> shared(bytes / sizeof(double) + 2);
    emulated_shared = (double *)(((uintptr_t)shared.data() + 15) & ~(uintptr_t)15);
    gridDim.x = grid, blockDim.x = threads;
    now = &b;
    b.kernel = &kernel;
    if (b.stacks.size() < STACK * threads) b.stacks.resize(STACK * threads);
    for (blockIdx.x = grid; blockIdx.x-- > 0;) {
        // what a block leaves in its own memory is nothing to the next
        memset(shared.data(), 0xa5, bytes);
        b.threads.assign(threads, thread());
        b.warps.assign((threads + WARP - 1) / WARP, warp());
        b.arrived = b.generation = 0, b.left = threads;
        for (unsigned k = 0; k < threads; k++) {
            ucontext_t *c = &b.threads[k].start;
            getcontext(c);
            c->uc_stack.ss_sp = b.stacks.data() + STACK * k, c->uc_stack.ss_size = STACK, c->uc_link = NULL;
            makecontext(c, run_thread, 0);
        }
        while (b.left)
            for (unsigned k = 0; k < threads; k++)
                if (!b.threads[k].done) resume(k);
    }
}

void emulated_barrier(void)
{
    block *b = now;
    unsigned mine = b->generation;
    // all that are left, for some may have returned
    if (++b->arrived == b->left) {
        b->arrived = 0, b->generation++;
        return;
    }
    while (b->generation == mine) yield();
}

uint64_t emulated_exchange(uint64_t mine, unsigned from, unsigned *ballot, bool vote)
{
    block *b = now;
    warp *w = &b->warps[threadIdx.x / WARP];
    unsigned lane = threadIdx.x % WARP;
    // two waits: nobody gives again before all have taken
    w->value[lane] = mine;
    if (vote) w->votes |= 1u << lane;
    for (int pass = 0; pass < 2; pass++) {
        unsigned generation = w->generation;
        if (pass) mine = w->value[from % WARP];
        if (pass && ballot) *ballot = w->votes;
        if (++w->arrived == WARP) {
            w->arrived = 0, w->generation++;
            if (pass) w->votes = 0;
        } else {
            while (w->generation == generation) yield();
        }
    }
    return mine;
}

/* ---- the device ---- */

/* What the tests want, in the environment: SCREE_GPU_NO_MEMORY and SCREE_GPU_FAULT as on a real device
 * (exec/cuda/device.h), and
 *   EMULATED_FAULT=N       the N-th kernel of the whole program fails, and nothing is done from there on
 *   EMULATED_MEMORY=BYTES  that a device has
 *   EMULATED_COUNT=N       so many devices */
namespace
{
size_t number_of(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

size_t kernels, allocations, transfers;
bool broken; // as on a device, for good
enum { MOST_PHASES = 24 };
} // namespace

struct scr_device {
    int number;
    size_t used, most, room, copied; // copied: bytes to the host
    // of each phase: how often, and most kernels in one
    const char *phase[MOST_PHASES];
    size_t laps[MOST_PHASES], launched[MOST_PHASES], before;
};

bool emulated_works(void)
{
    static const size_t fault = number_of("EMULATED_FAULT", SIZE_MAX);
    if (++kernels >= fault) broken = true;
    return !broken;
}

extern "C" {

int scr_device_count(void)
{
    return (int)number_of("EMULATED_COUNT", 1);
}

scr_device_info scr_device_info_of(int number)
{
    scr_device_info d = {};
    snprintf(d.name, sizeof d.name, "emulated on the CPU");
    if (number) snprintf(d.name, sizeof d.name, "emulated on the CPU, number %d", number);
    d.total = d.free = number_of("EMULATED_MEMORY", (size_t)1 << 40);
    d.usable = true;
    return d;
}

const char *scr_device_missing(void)
{
    return "";
}

scree_status scr_device_open(int number, scr_device **device, scree_report *)
{
    *device = new scr_device();
    (*device)->number = number;
    (*device)->room = number_of("EMULATED_MEMORY", (size_t)1 << 40);
    return SCREE_OK;
}

void scr_device_close(scr_device *d)
{
    if (d && getenv("SCREE_GPU_MEMORY")) scr_say("gpu memory %.0f bytes at most", (double)d->most);
    if (d && getenv("SCREE_GPU_TIMES")) {
        scr_say("gpu:%d launched %zu kernels, %zu allocations, copied %zu bytes to the host", d->number, kernels,
                allocations, d->copied);
        scr_say("gpu asked for %zu allocations, %zu transfers to the host", allocations, transfers);
    }
    for (int k = 0; d && getenv("SCREE_GPU_TIMES") && k < MOST_PHASES && d->phase[k]; k++)
        scr_say("gpu time %-14s %zu times, %zu kernels at most", d->phase[k], d->laps[k], d->launched[k]);
    delete d;
}

void *scr_device_stream(const scr_device *)
{
    return NULL;
}

// not zero: nobody may count on that; how large it is lies before it
void *scr_device_new(scr_device *d, size_t bytes)
{
    static const size_t most = number_of("SCREE_GPU_NO_MEMORY", SIZE_MAX);
    size_t size = (bytes + 127) / 64 * 64 + 64;
    if (++allocations >= most || d->used + bytes > d->room) return NULL;
    char *memory = (char *)aligned_alloc(64, size);
    if (!memory) return NULL;
    memset(memory, 0xa5, size);
    memcpy(memory, &bytes, sizeof bytes);
    d->used += bytes;
    if (d->used > d->most) d->most = d->used;
    return memory + 64;
}

void scr_device_free(scr_device *d, void *memory)
{
    if (!memory) return;
    size_t bytes;
    memcpy(&bytes, (char *)memory - 64, sizeof bytes);
    d->used -= bytes;
    free((char *)memory - 64);
}

void scr_device_copy_in(scr_device *, void *to, const void *from, size_t bytes)
{
    if (bytes && !broken) memcpy(to, from, bytes);
}

void scr_device_copy_out(scr_device *d, void *to, const void *from, size_t bytes)
{
    static const size_t fault = number_of("SCREE_GPU_FAULT", 0);
    if (++transfers == fault) broken = true;
    d->copied += bytes;
    if (bytes && !broken) memcpy(to, from, bytes);
    if (bytes && broken) memset(to, 0, bytes);
}

void scr_device_copy(scr_device *, void *to, const void *from, size_t bytes)
{
    if (bytes && !broken) memmove(to, from, bytes);
}

void scr_device_fill(scr_device *, void *to, int byte, size_t bytes)
{
    if (bytes && !broken) memset(to, byte, bytes);
}

void scr_device_wait(scr_device *) {}

// how often, not how long
void scr_device_lap(scr_device *d, const char *phase)
{
    int k = 0;
    while (k < MOST_PHASES - 1 && d->phase[k] && strcmp(d->phase[k], phase)) k++;
    d->phase[k] = phase, d->laps[k]++;
    if (kernels - d->before > d->launched[k]) d->launched[k] = kernels - d->before;
    d->before = kernels;
}

// as slow as the tests want it to be
double scr_device_seconds(void)
{
    const char *pace = getenv("EMULATED_PACE");
    return scr_seconds() * (pace ? atof(pace) : 1);
}

scree_status scr_device_status(scr_device *, scree_report *report)
{
    return broken ? scr_device_failed("a fault that was asked for", report) : SCREE_OK;
}
}
