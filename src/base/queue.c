#include "base/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct scr_queue {
    pthread_t thread;
    bool started;
    pthread_mutex_t mutex; // of all that follows
    pthread_cond_t given, done;
    scr_job *first, *last; // the first one is being done
    size_t bytes, limit;
    bool ending;
};

scr_queue *scr_queue_new(void)
{
    scr_queue *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->limit = SIZE_MAX;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->given, NULL);
    pthread_cond_init(&q->done, NULL);
    return q;
}

static void *work(void *context)
{
    scr_queue *q = context;
    pthread_mutex_lock(&q->mutex);
    for (;;) {
        while (!q->first && !q->ending) pthread_cond_wait(&q->given, &q->mutex);
        scr_job *job = q->first;
        if (!job) break;
        size_t size = job->size;
        pthread_mutex_unlock(&q->mutex);
        job->run(job);
        pthread_mutex_lock(&q->mutex);
        // only now: a caller that waits for an empty queue wants it done, and the next one may have come meanwhile
        q->first = job->next;
        q->bytes -= size;
        pthread_cond_signal(&q->done);
        pthread_mutex_unlock(&q->mutex);
        free(job);
        pthread_mutex_lock(&q->mutex);
    }
    pthread_mutex_unlock(&q->mutex);
    return NULL;
}

bool scr_queue_start(scr_queue *q)
{
    // signals are handled by threads that can stop a run
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    q->started = q->started || !pthread_create(&q->thread, NULL, work, q);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return q->started;
}

void scr_queue_free(scr_queue *q)
{
    if (!q) return;
    if (q->started) {
        pthread_mutex_lock(&q->mutex);
        q->ending = true;
        pthread_cond_signal(&q->given);
        pthread_mutex_unlock(&q->mutex);
        pthread_join(q->thread, NULL);
    }
    pthread_cond_destroy(&q->given);
    pthread_cond_destroy(&q->done);
    pthread_mutex_destroy(&q->mutex);
    free(q);
}

void scr_queue_limit(scr_queue *q, size_t bytes)
{
    pthread_mutex_lock(&q->mutex);
    q->limit = bytes;
    pthread_mutex_unlock(&q->mutex);
}

void scr_queue_push(scr_queue *q, scr_job *job)
{
    if (!q->started) {
        job->run(job);
        free(job);
        return;
    }
    job->next = NULL;
    pthread_mutex_lock(&q->mutex);
    while (q->first && q->bytes + job->size > q->limit) pthread_cond_wait(&q->done, &q->mutex);
    q->bytes += job->size;
    if (q->first)
        q->last->next = job;
    else
        q->first = job;
    q->last = job;
    pthread_cond_signal(&q->given);
    pthread_mutex_unlock(&q->mutex);
}

void scr_queue_wait(scr_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    while (q->first) pthread_cond_wait(&q->done, &q->mutex);
    pthread_mutex_unlock(&q->mutex);
}

double scr_queue_processor_seconds(const scr_queue *q)
{
    clockid_t clock;
    struct timespec spent;
    if (!q->started || pthread_getcpuclockid(q->thread, &clock) || clock_gettime(clock, &spent)) return 0;
    return (double)spent.tv_sec + 1e-9 * (double)spent.tv_nsec;
}
