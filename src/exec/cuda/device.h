/* A GPU: which there are, its memory, and the stream in which copies and kernels follow each other.
 *
 * Nothing waits but `copy_out` and `wait`. A failure is remembered, and reported on request (scr_device_status):
 * after the first failure nothing is done any more, and what is copied out is zero. A build without CUDA has
 * device_none.c in place of this: then there is no device, and scr_device_missing says why. */
#ifndef SCREE_EXEC_CUDA_DEVICE_H
#define SCREE_EXEC_CUDA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    char name[96];
    int major, minor;   /* compute capability */
    size_t total, free; /* memory [bytes] */
    bool usable;        /* this program has code for it */
} scr_device_info;

/* How many there are, and what they are. */
int scr_device_count(void);
scr_device_info scr_device_info_of(int number);
/* Why there is none, in words. */
const char *scr_device_missing(void);

typedef struct scr_device scr_device;
scree_status scr_device_open(int number, scr_device **device, scree_report *report);
void scr_device_close(scr_device *device);
void *scr_device_stream(const scr_device *device);

/* Memory of the device; NULL when it is exhausted. */
void *scr_device_new(scr_device *device, size_t bytes);
void scr_device_free(scr_device *device, void *memory);
/* As scr_memory_reserve: room for `count` elements, of which the first `kept` survive; false when it is exhausted. */
bool scr_device_reserve(scr_device *device, void *array, size_t *capacity, size_t count, size_t kept, size_t width);

void scr_device_copy_in(scr_device *device, void *to, const void *from, size_t bytes);
void scr_device_copy_out(scr_device *device, void *to, const void *from, size_t bytes);
void scr_device_copy(scr_device *device, void *to, const void *from, size_t bytes);
void scr_device_fill(scr_device *device, void *to, int byte, size_t bytes);
void scr_device_wait(scr_device *device);

/* The time [s], to compare steps there with those of the CPU (scr_seconds). */
double scr_device_seconds(void);

/* Where SCREE_GPU_TIMES is in the environment: what was done since the last call of this belongs to `phase`. When the
 * device is closed, the time of each phase is said, on the device and on the host; and how much memory was used, where
 * that or SCREE_GPU_MEMORY is there. */
void scr_device_lap(scr_device *device, const char *phase);

/* Failures, where tests want them (in the environment, counted from 1 since it was opened):
 *   SCREE_GPU_FAULT=N       before the N-th transfer to the host a kernel fails
 *   SCREE_GPU_NO_MEMORY=N   the N-th allocation, and all after it, ask for more than there is
 * With SCREE_GPU_TIMES it is said how many transfers and allocations there were. */

/* What a run that ends with such a failure is told, once. */
scree_status scr_device_failed(const char *why, scree_report *report);
/* SCREE_OK, or what went wrong. */
scree_status scr_device_status(scr_device *device, scree_report *report);

#ifdef __cplusplus
}
#endif

#endif
