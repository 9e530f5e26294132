/* Jobs that are done one after the other, in the order in which they were given: by a thread of their own, or, before
 * it is started and where none can be, at once by the giver.
 *
 * What a job does is seen by the giver only after scr_queue_wait. */
#ifndef SCREE_BASE_QUEUE_H
#define SCREE_BASE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scr_queue scr_queue;

/* The beginning of a malloc'ed struct with what the job needs. */
typedef struct scr_job {
    void (*run)(struct scr_job *job);
    size_t size; /* of all its memory [bytes] */
    struct scr_job *next;
} scr_job;

/* NULL: no memory. */
scr_queue *scr_queue_new(void);
/* Does what is left, then ends the thread. NULL is fine. */
void scr_queue_free(scr_queue *queue);
/* From now on a thread does the jobs; false when none can be started. It takes no signals. */
bool scr_queue_start(scr_queue *queue);
/* A giver waits while the jobs that are not done hold more than this; one job may always be given. */
void scr_queue_limit(scr_queue *queue, size_t bytes);
/* The queue owns the job from now on and frees it when it is done. */
void scr_queue_push(scr_queue *queue, scr_job *job);
/* Until all is done. */
void scr_queue_wait(scr_queue *queue);
/* CPU time of the thread so far [s]; 0 where there is none. */
double scr_queue_processor_seconds(const scr_queue *queue);

#endif
