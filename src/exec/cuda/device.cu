/* The device of exec/cuda/device.h by the CUDA runtime. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "base/log.h"
#include "base/os.h"
#include "base/status.h"
// of exec/cpu/threads.h, which is for C alone
void scr_each(size_t count, const uint32_t *cost, void (*work)(void *, size_t), void *context);
}
#include "exec/cuda/device.h"

#define CHUNK ((size_t)4 << 20)   /* bytes that are on their way at once, of which there are two */
#define PIECE ((size_t)256 << 10) /* that a thread takes further */
#define SMALL ((size_t)64 << 10)  /* bytes that come at once */

/* Times of phases, and the laps whose times are not known yet. */
enum { MOST_PHASES = 24, MOST_LAPS = 512 };
struct lap_times {
    const char *name[MOST_PHASES];
    double device[MOST_PHASES], host[MOST_PHASES]; // [s]
    long long count[MOST_PHASES];
    cudaEvent_t at[MOST_LAPS + 1];
    int phase[MOST_LAPS + 1], laps;
    double before; // clock of the host
};

// how many were asked for, and from which on they fail (0: never)
typedef struct {
    size_t count, fails_at;
} tally;

struct scr_device {
    int number;
    cudaStream_t stream;
    char *chunk[2], *small; // memory that the device can write to
    cudaEvent_t there[2];
    lap_times *times;             // NULL: nobody asks
    bool sizes;                   // somebody asks how much memory was used
    cudaError_t error;            // the first that came
    tally allocations, transfers; // transfers to the host
};

static void note(scr_device *d, cudaError_t e)
{
    if (e && !d->error) d->error = e;
}

extern "C" int scr_device_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count)) count = 0;
    cudaGetLastError();
    return count;
}

extern "C" const char *scr_device_missing(void)
{
    int count = 0;
    cudaError_t e = cudaGetDeviceCount(&count);
    cudaGetLastError();
    return e ? cudaGetErrorString(e) : "no CUDA-capable device is detected";
}

// an empty kernel: whether there is code for a device is known by asking for that of one
static __global__ void nothing(void) {}

extern "C" scr_device_info scr_device_info_of(int number)
{
    scr_device_info info = {};
    cudaDeviceProp p;
    int before = 0;
    if (cudaGetDeviceProperties(&p, number)) return info;
    snprintf(info.name, sizeof info.name, "%s", p.name);
    info.major = p.major, info.minor = p.minor, info.total = p.totalGlobalMem;
    cudaGetDevice(&before);
    cudaFuncAttributes code;
    info.usable = !cudaSetDevice(number) && !cudaMemGetInfo(&info.free, &info.total) &&
                  !cudaFuncGetAttributes(&code, (const void *)nothing);
    cudaSetDevice(before);
    cudaGetLastError();
    return info;
}

// what tests ask for
static size_t number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : 0;
}

static __global__ void trap(void)
{
    __trap();
}

extern "C" scree_status scr_device_open(int number, scr_device **device, scree_report *report)
{
    scr_device *d = new scr_device();
    d->allocations.fails_at = number_of("SCREE_GPU_NO_MEMORY");
    d->transfers.fails_at = number_of("SCREE_GPU_FAULT");
    d->number = number;
    note(d, cudaSetDevice(number));
    if (!d->error) note(d, cudaStreamCreate(&d->stream));
    // what is freed stays with the program, for the next array
    cudaMemPool_t pool = NULL;
    uint64_t all = UINT64_MAX;
    if (!d->error && !cudaDeviceGetDefaultMemPool(&pool, number))
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    if (!d->error && cudaMallocHost((void **)&d->small, SMALL)) d->small = NULL;
    if (getenv("SCREE_GPU_TIMES")) d->times = new lap_times();
    d->sizes = d->times || getenv("SCREE_GPU_MEMORY");
    // the most from here on
    uint64_t none = 0;
    if (!d->error && d->sizes && pool) cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none);
    *device = d;
    return scr_device_status(d, report);
}

/* ---- times ---- */

// the laps so far into the sums; the last one begins the next
static void count_laps(lap_times *t)
{
    if (t->laps < 1 || cudaEventSynchronize(t->at[t->laps - 1])) return;
    for (int k = 1; k < t->laps; k++) {
        float ms = 0;
        cudaEventElapsedTime(&ms, t->at[k - 1], t->at[k]);
        t->device[t->phase[k]] += 1e-3 * ms;
    }
    cudaEvent_t last = t->at[t->laps - 1];
    t->at[t->laps - 1] = t->at[0], t->at[0] = last;
    t->laps = 1;
}

static int phase_of(lap_times *t, const char *name)
{
    int k = 0;
    while (k < MOST_PHASES - 1 && t->name[k] && strcmp(t->name[k], name)) k++;
    t->name[k] = name;
    return k;
}

extern "C" void scr_device_lap(scr_device *d, const char *phase)
{
    lap_times *t = d->times;
    if (!t || d->error) return;
    if (t->laps == MOST_LAPS) count_laps(t);
    const double now = scr_seconds();
    const int k = phase_of(t, phase);
    if (t->laps) t->host[k] += now - t->before, t->count[k]++;
    t->before = now;
    if (!t->at[t->laps]) cudaEventCreate(&t->at[t->laps]);
    cudaEventRecord(t->at[t->laps], d->stream);
    t->phase[t->laps++] = k;
}

static void say_memory(int device)
{
    cudaMemPool_t pool;
    uint64_t most = 0;
    if (!cudaDeviceGetDefaultMemPool(&pool, device)) cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most);
    scr_say("gpu memory %.0f bytes at most", (double)most);
}

static void say_times(const scr_device *d)
{
    lap_times *t = d->times;
    count_laps(t);
    scr_say("gpu asked for %zu allocations, %zu transfers to the host", d->allocations.count, d->transfers.count);
    for (int k = 0; k < MOST_PHASES && t->name[k]; k++)
        scr_say("gpu time %-14s %8.4f s, host %8.4f s, %lld times", t->name[k], t->device[k], t->host[k], t->count[k]);
    for (int k = 0; k <= MOST_LAPS; k++)
        if (t->at[k]) cudaEventDestroy(t->at[k]);
    delete t;
}

/* ---- opening and closing ---- */

extern "C" void scr_device_close(scr_device *d)
{
    if (!d) return;
    if (d->sizes) say_memory(d->number);
    if (d->times) say_times(d);
    if (d->small) cudaFreeHost(d->small);
    for (int k = 0; k < 2; k++) {
        if (d->chunk[k]) cudaFreeHost(d->chunk[k]);
        if (d->there[k]) cudaEventDestroy(d->there[k]);
    }
    if (d->stream) cudaStreamDestroy(d->stream);
    delete d;
}

extern "C" void *scr_device_stream(const scr_device *d)
{
    return d->stream;
}

extern "C" void *scr_device_new(scr_device *d, size_t bytes)
{
    void *memory = NULL;
    if (++d->allocations.count >= d->allocations.fails_at && d->allocations.fails_at) bytes = (size_t)1 << 48;
    cudaError_t e = cudaMallocAsync(&memory, bytes ? bytes : 1, d->stream);
    if (e == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return NULL;
    }
    note(d, e);
    return memory;
}

extern "C" void scr_device_free(scr_device *d, void *memory)
{
    if (memory) note(d, cudaFreeAsync(memory, d->stream));
}

static void copy(scr_device *d, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    if (bytes && !d->error) note(d, cudaMemcpyAsync(to, from, bytes, kind, d->stream));
}

extern "C" void scr_device_copy_in(scr_device *d, void *to, const void *from, size_t bytes)
{
    copy(d, to, from, bytes, cudaMemcpyHostToDevice);
}

/* A chunk that has arrived, for all threads to take further. */
struct arrived {
    char *to;
    const char *from;
    size_t bytes;
};

static void take_piece(void *context, size_t index)
{
    const arrived *a = (const arrived *)context;
    size_t at = index * PIECE, left = a->bytes - at;
    memcpy(a->to + at, a->from + at, left < PIECE ? left : PIECE);
}

// while one chunk is taken further the next is on its way; the runtime itself would take them further by one thread
static void copy_much(scr_device *d, char *to, const char *from, size_t bytes)
{
    size_t count = (bytes + CHUNK - 1) / CHUNK;
    for (size_t k = 0; k <= count && !d->error; k++) {
        size_t at = k * CHUNK, left = bytes - at;
        if (k < count) {
            copy(d, d->chunk[k % 2], from + at, left < CHUNK ? left : CHUNK, cudaMemcpyDeviceToHost);
            note(d, cudaEventRecord(d->there[k % 2], d->stream));
        }
        if (k == 0) continue;
        note(d, cudaEventSynchronize(d->there[(k - 1) % 2]));
        arrived a = {to + at - CHUNK, d->chunk[(k - 1) % 2], k < count ? CHUNK : bytes - (at - CHUNK)};
        scr_each((a.bytes + PIECE - 1) / PIECE, NULL, take_piece, &a);
    }
}

static bool has_chunks(scr_device *d)
{
    for (int k = 0; k < 2; k++) {
        if (!d->chunk[k] && cudaMallocHost((void **)&d->chunk[k], CHUNK)) d->chunk[k] = NULL;
        if (!d->there[k] && cudaEventCreateWithFlags(&d->there[k], cudaEventDisableTiming)) d->there[k] = NULL;
    }
    return d->chunk[0] && d->chunk[1] && d->there[0] && d->there[1];
}

extern "C" void scr_device_copy_out(scr_device *d, void *to, const void *from, size_t bytes)
{
    if (++d->transfers.count == d->transfers.fails_at) trap<<<1, 1, 0, d->stream>>>();
    const bool small = bytes <= SMALL && d->small;
    if (bytes > SMALL && has_chunks(d))
        copy_much(d, (char *)to, (const char *)from, bytes);
    else
        copy(d, small ? d->small : to, from, bytes, cudaMemcpyDeviceToHost);
    scr_device_wait(d);
    if (small && bytes && !d->error) memcpy(to, d->small, bytes);
    if (d->error && bytes) memset(to, 0, bytes);
}

extern "C" void scr_device_copy(scr_device *d, void *to, const void *from, size_t bytes)
{
    copy(d, to, from, bytes, cudaMemcpyDeviceToDevice);
}

extern "C" void scr_device_fill(scr_device *d, void *to, int byte, size_t bytes)
{
    if (bytes && !d->error) note(d, cudaMemsetAsync(to, byte, bytes, d->stream));
}

extern "C" void scr_device_wait(scr_device *d)
{
    note(d, cudaStreamSynchronize(d->stream));
}

extern "C" double scr_device_seconds(void)
{
    return scr_seconds();
}

extern "C" scree_status scr_device_status(scr_device *d, scree_report *report)
{
    note(d, cudaGetLastError());
    return d->error ? scr_device_failed(cudaGetErrorString(d->error), report) : SCREE_OK;
}
