/* Many runs on all cores: each in a process of its own, so that one that crashes or runs out of
 * memory is one failure and not the end of all. */
#ifndef SCREE_STUDY_POOL_H
#define SCREE_STUDY_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define SCR_POOL_ANSWER 65536 /* most bytes of an answer */

typedef struct {
    int count;        /* tasks */
    int jobs;         /* processes at once; 0: one per core */
    const char *noun; /* what is counted in progress lines: "runs" */
    bool quiet;
    /* Does one task, in a child process, and writes its answer into `answer`, zero-terminated. */
    void (*work)(void *context, int task, char *answer, size_t size);
    /* Takes the answer, in the caller's process, in the order of finishing; a child that died left
     * `died` (a sentence) and no answer. */
    scree_status (*take)(void *context, int task, const char *answer, const char *died, scree_report *report);
    void *context;
} scr_pool_def;

/* Returns when all tasks are done, or SCREE_E_INTERRUPT after SIGINT or SIGTERM (then the children have stopped, runs
 * with a checkpoint), with the signal in *signal. Children end with this process, however it ends. The caller must
 * not hold threads: children are forks. */
scree_status scr_pool_run(const scr_pool_def *def, int *signal, scree_report *report);

/* Runs in processes of their own cannot be divided among ranks: an error where there are several. */
scree_status scr_pool_check_ranks(scree_report *report);

/* Number of cores to use. */
int scr_pool_cores(void);

#endif
