/* base/queue.h: jobs are done once, in order, by the giver or by a thread; what waits is bounded. */
#include "base/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

enum { JOBS = 1000 };

typedef struct {
    int done[JOBS], count;
    _Atomic int waiting, most; // given and not done; the most there were
    _Atomic bool held;
    bool own_thread, deaf;
    pthread_t giver;
} diary;

typedef struct {
    scr_job job;
    diary *diary;
    int number;
} entry;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void note(scr_job *job)
{
    entry *e = (entry *)job;
    diary *d = e->diary;
    while (d->held) nap();
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    d->deaf = sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGTERM);
    d->own_thread = !pthread_equal(d->giver, pthread_self());
    d->done[d->count++] = e->number;
    d->waiting--;
}

static void give(scr_queue *q, diary *d, int number)
{
    entry *e = malloc(sizeof *e);
    *e = (entry){{.run = note, .size = 100}, d, number};
    int now = ++d->waiting;
    if (now > d->most) d->most = now;
    scr_queue_push(q, &e->job);
}

static bool in_order(const diary *d)
{
    for (int k = 0; k < JOBS; k++)
        if (d->done[k] != k) return false;
    return d->count == JOBS;
}

// without a thread a job is done when push returns
static void at_once(void)
{
    diary d = {.giver = pthread_self()};
    scr_queue *q = scr_queue_new();
    for (int k = 0; k < JOBS; k++) {
        give(q, &d, k);
        if (d.count != k + 1) break;
    }
    CHECK(in_order(&d));
    CHECK(!d.own_thread);
    CHECK(scr_queue_processor_seconds(q) == 0);
    scr_queue_wait(q);
    scr_queue_free(q);
    scr_queue_free(NULL);
}

static void by_thread(void)
{
    diary d = {.giver = pthread_self(), .held = true};
    scr_queue *q = scr_queue_new();
    CHECK(scr_queue_start(q));
    // the giver goes on while nothing is done
    for (int k = 0; k < JOBS; k++) give(q, &d, k);
    CHECK_INT(d.waiting, JOBS);
    d.held = false;
    scr_queue_wait(q);
    CHECK(in_order(&d));
    CHECK(d.own_thread && d.deaf);
    CHECK(scr_queue_processor_seconds(q) > 0);
    scr_queue_free(q);
}

static void *let_go(void *context)
{
    for (int k = 0; k < 100; k++) nap();
    ((diary *)context)->held = false;
    return NULL;
}

// ten jobs may wait, an eleventh is held by its giver
static void bounded(void)
{
    diary d = {.giver = pthread_self(), .held = true};
    scr_queue *q = scr_queue_new();
    pthread_t helper;
    scr_queue_limit(q, 1000);
    CHECK(scr_queue_start(q));
    pthread_create(&helper, NULL, let_go, &d);
    for (int k = 0; k < JOBS; k++) give(q, &d, k);
    scr_queue_free(q); // does what is left
    pthread_join(helper, NULL);
    CHECK(in_order(&d));
    CHECK_INT(d.most, 11);

    // one job may always be given, however large
    diary one = {.giver = pthread_self()};
    q = scr_queue_new();
    scr_queue_limit(q, 10);
    CHECK(scr_queue_start(q));
    give(q, &one, 0);
    scr_queue_wait(q);
    CHECK_INT(one.count, 1);
    scr_queue_free(q);
}

int main(void)
{
    at_once();
    by_thread();
    bounded();
    return check_done();
}
