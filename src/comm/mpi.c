/* Ranks by MPI. Only in programs that are linked with it (scree-mpi): this file takes the place of serial.c there.
 *
 * Only the thread that joined talks. Errors of the MPI library end the program, as is its default.
 *
 * Waiting is our own: a while by asking again and again, then asleep between two questions. The library only polls,
 * and where there are more threads than cores a polling rank keeps the core from the one it waits for (measured:
 * 67 ms for a step of 0.5 ms, two ranks on two loaded cores). So all calls are those that return at once. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "comm/comm.h"
#include "exec/cpu/threads.h"

#define PIECE ((size_t)1 << 28) /* bytes of a message, at most: MPI counts them in an int */

enum { TAG_WHOLE = 1, TAG_PARCEL = 2 };

#define PATIENT 300 /* questions before the first sleep where each thread has a core: about a tenth of a millisecond */
/* The same where this core is really its own: some milliseconds, longer than ranks with even shares wait for each other
 * in a step. A wait that ends asleep is noticed late, by the nap and by what waking takes */
#define ALONE  20000
#define SHARED 16     /* long waits for which a core that was taken away counts as shared with other processes */
#define LONG   100000 /* the same where naps are coarse: tens of milliseconds */
#define NAP    20000  /* [ns] */
#define COARSE 2e-4   /* a nap that takes longer than this on an idle machine [s] */

static struct {
    scr_comm comm;
    bool joined;
    int patience;          /* questions before the first sleep where each thread has a core */
    int shared;            /* long waits in which the core still counts as shared */
    long taken;            /* how often it was taken away so far */
    MPI_Request *requests; /* a buffer: of the parcels under way */
    int request_count;
    MPI_Request asking; /* scr_comm_any_start */
} here;

// one for each machine, unless another number is asked for
static void count_writers(MPI_Comm node)
{
    const char *asked = getenv("SCREE_WRITERS");
    int first, number = asked ? atoi(asked) : 0;
    MPI_Comm_rank(node, &first);
    first = first == 0;
    MPI_Allreduce(&first, &here.comm.writers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    // all ranks must mean the same
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (number > 0) here.comm.writers = number < here.comm.size ? number : here.comm.size;
}

static int count_cores(MPI_Comm node)
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    // it fails where a system has more cores than a set
    if (sched_getaffinity(0, sizeof allowed, &allowed)) CPU_ZERO(&allowed);
    MPI_Allreduce(MPI_IN_PLACE, &allowed, sizeof allowed, MPI_BYTE, MPI_BOR, node);
    int cores = CPU_COUNT(&allowed);
    return cores ? cores : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, NAP}, NULL);
}

// Questions before the first sleep. On some machines (virtual ones without fine timers) the shortest sleep is as long
// as a step. The shortest of several, of all ranks of a machine, counts: others may have the core now.
static int patience(MPI_Comm node)
{
    double least = 1;
    for (int k = 0; k < 10; k++) {
        double since = seconds();
        nap();
        double took = seconds() - since;
        if (took < least) least = took;
    }
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, node);
    return least > COARSE ? LONG : PATIENT;
}

static void join(void)
{
    int provided;
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);          // giving the core away while asking is worse than either
    setenv("OMPI_MCA_pml_ob1_send_pipeline_depth", "64", 0); // a message moves on with few questions
    prctl(PR_SET_TIMERSLACK, 1000);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm node;
    MPI_Comm_rank(MPI_COMM_WORLD, &here.comm.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.comm.size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &here.comm.node_size);
    count_writers(node);
    here.comm.cores = count_cores(node);
    here.patience = patience(node);
    MPI_Comm_free(&node);
    here.joined = true;
}

scr_comm *scr_comm_world(void)
{
    if (!here.joined) join();
    return &here.comm;
}

void scr_comm_leave(void)
{
    int finalized;
    MPI_Finalized(&finalized);
    if (!here.joined || finalized) return;
    scr_buffer_free(here.requests);
    here.requests = NULL;
    MPI_Finalize();
}

void scr_comm_abort(int code, const char *text)
{
    fprintf(stderr, "error: rank %d: %s\n", here.comm.rank, text);
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, code);
    exit(code);
}

/* ---- waiting ---- */

// Whether nothing else wants this core: it has not been taken from this thread in the last long waits. Where it has
// been, asking on and on would use up this thread's share of it (measured on two cores with a load of 20: three times
// the CPU time of a step).
static bool alone(void)
{
    struct rusage r;
    if (getrusage(RUSAGE_THREAD, &r)) return false;
    if (r.ru_nivcsw != here.taken) here.shared = SHARED;
    here.taken = r.ru_nivcsw;
    return !here.shared;
}

static void wait_for(MPI_Request *requests, int count)
{
    int patience = here.comm.node_size * scr_threads() > here.comm.cores ? 1 : here.patience;
    bool crowded = patience == 1;
    for (int k = 1, done = 0;; k++) {
        MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (done) return;
        if (k == PATIENT && here.shared) here.shared--;
        if (k < patience) continue;
        // now and then: the system is asked
        if (k % PATIENT == 0) crowded |= k >= ALONE || !alone();
        if (crowded) nap();
    }
}

/* ---- over all ranks ---- */

static void reduce(scr_comm *comm, void *values, int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    comm->count.reductions++;
    MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, MPI_COMM_WORLD, &request);
    wait_for(&request, 1);
}

void scr_comm_least(scr_comm *comm, double *values, int count)
{
    reduce(comm, values, count, MPI_DOUBLE, MPI_MIN);
}

void scr_comm_most(scr_comm *comm, double *values, int count)
{
    reduce(comm, values, count, MPI_DOUBLE, MPI_MAX);
}

unsigned scr_comm_any(scr_comm *comm, unsigned bits)
{
    scr_comm_any_start(comm, &bits);
    scr_comm_any_finish(comm);
    return bits;
}

void scr_comm_any_start(scr_comm *comm, unsigned *bits)
{
    comm->count.reductions++;
    MPI_Iallreduce(MPI_IN_PLACE, bits, 1, MPI_UNSIGNED, MPI_BOR, MPI_COMM_WORLD, &here.asking);
}

void scr_comm_any_finish(scr_comm *comm)
{
    (void)comm;
    wait_for(&here.asking, 1);
}

void scr_comm_add(scr_comm *comm, int64_t *values, int count)
{
    reduce(comm, values, count, MPI_INT64_T, MPI_SUM);
}

void scr_comm_gather_all(scr_comm *comm, const void *own, size_t bytes, void *all)
{
    MPI_Request request;
    comm->count.reductions++;
    MPI_Iallgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    wait_for(&request, 1);
}

static int piece(size_t bytes, size_t at)
{
    return (int)(bytes - at < PIECE ? bytes - at : PIECE);
}

void scr_comm_broadcast(scr_comm *comm, void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        MPI_Request request;
        comm->count.reductions++;
        MPI_Ibcast((char *)data + at, piece(bytes, at), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        wait_for(&request, 1);
    }
}

/* ---- from rank to rank ---- */

static void counted(scr_comm *comm, size_t bytes)
{
    comm->count.messages++;
    comm->count.bytes += (int64_t)bytes;
}

void scr_comm_send(scr_comm *comm, int to, const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        MPI_Request request;
        counted(comm, (size_t)piece(bytes, at));
        MPI_Isend((const char *)data + at, piece(bytes, at), MPI_BYTE, to, TAG_WHOLE, MPI_COMM_WORLD, &request);
        wait_for(&request, 1);
    }
}

void scr_comm_receive(scr_comm *comm, int from, void *data, size_t bytes)
{
    (void)comm;
    for (size_t at = 0; at < bytes; at += PIECE) {
        MPI_Request request;
        MPI_Irecv((char *)data + at, piece(bytes, at), MPI_BYTE, from, TAG_WHOLE, MPI_COMM_WORLD, &request);
        wait_for(&request, 1);
    }
}

static size_t pieces(size_t bytes)
{
    return (bytes + PIECE - 1) / PIECE;
}

void scr_comm_trade_start(scr_comm *comm, const scr_parcel *parcels, int count)
{
    size_t most = 0;
    for (int k = 0; k < count; k++) most += pieces(parcels[k].out_bytes) + pieces(parcels[k].in_bytes);
    if (!scr_reserve(&here.requests, most + 1)) scr_comm_no_memory("messages");
    int n = 0;
    for (int k = 0; k < count; k++)
        for (size_t at = 0; at < parcels[k].in_bytes; at += PIECE)
            MPI_Irecv((char *)parcels[k].in + at, piece(parcels[k].in_bytes, at), MPI_BYTE, parcels[k].rank, TAG_PARCEL,
                      MPI_COMM_WORLD, &here.requests[n++]);
    for (int k = 0; k < count; k++)
        for (size_t at = 0; at < parcels[k].out_bytes; at += PIECE) {
            counted(comm, (size_t)piece(parcels[k].out_bytes, at));
            MPI_Isend((const char *)parcels[k].out + at, piece(parcels[k].out_bytes, at), MPI_BYTE, parcels[k].rank,
                      TAG_PARCEL, MPI_COMM_WORLD, &here.requests[n++]);
        }
    here.request_count = n;
}

bool scr_comm_trade_done(scr_comm *comm)
{
    int done = 0;
    (void)comm;
    MPI_Testall(here.request_count, here.requests, &done, MPI_STATUSES_IGNORE);
    return done;
}

void scr_comm_trade_finish(scr_comm *comm)
{
    (void)comm;
    wait_for(here.requests, here.request_count);
    here.request_count = 0;
}
