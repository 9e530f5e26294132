#include "step/soft/trial.h"

#include <stdio.h>

#include "base/log.h"
#include "base/os.h"
#include "exec/cpu/threads.h"
#include "exec/cuda/device.h"

/* Steps of each part. The first ones on a GPU load its code and are not counted. Those on the CPU end early where they
 * take long. */
enum { CPU_STEPS = 64, CPU_LEAST = 8, WARMING_STEPS = 32, GPU_STEPS = 64 };
#define CPU_SECONDS 0.2

static int64_t steps_of(const soft_run *r)
{
    static const int64_t steps[] = {0, CPU_STEPS, WARMING_STEPS, GPU_STEPS};
    return steps[r->part];
}

static bool is_over(const soft_run *r)
{
    bool long_enough = r->part == SOFT_TRIAL_CPU && r->steps >= CPU_LEAST && r->seconds > CPU_SECONDS;
    return r->part != SOFT_TRIAL_OVER && (r->steps >= steps_of(r) || long_enough);
}

int64_t scr_soft_trial_most(const soft_run *r, int64_t most)
{
    if (r->part == SOFT_TRIAL_OVER) return most;
    int64_t left = r->part == SOFT_TRIAL_CPU ? CPU_LEAST : steps_of(r) - r->steps;
    return left < most ? left : most;
}

double scr_soft_trial_clock(const soft_run *r)
{
    return r->ops == &scr_soft_cuda ? scr_device_seconds() : scr_seconds();
}

void scr_soft_trial_count(soft_run *r, int64_t steps, double seconds)
{
    r->steps += steps, r->seconds += seconds;
}

static void begin(soft_run *r, soft_trial_part part)
{
    r->part = part, r->steps = 0, r->seconds = 0;
}

// the other device goes on with the world, as a resumed run does
static scree_status change(scr_step *s, soft_run *r, const soft_ops *to, scree_report *report)
{
    scree_status status = SCREE_OK;
    if (r->state) status = r->ops->fetch(s, r->state, r->ops->lazy ? ~0u : SOFT_CONTACTS, report);
    if (status) return status;
    scr_step_report last = s->last;
    if (r->state) r->ops->close(r->state);
    r->ops = to, r->state = NULL, s->device.on_gpu = to == &scr_soft_cuda;
    status = to->open(s, true, &r->state, report);
    s->last = last;
    return status;
}

static scree_status to_gpu(scr_step *s, soft_run *r, scree_report *report)
{
    r->cpu = r->seconds / (double)r->steps;
    begin(r, SOFT_TRIAL_WARMING);
    scree_report failed;
    scree_report_init(&failed);
    scree_status status = change(s, r, &scr_soft_cuda, &failed);
    if (status) {
        begin(r, SOFT_TRIAL_OVER);
        scr_say("steps on the CPU: gpu:%d cannot be used (%s)", s->device.number,
                failed.count ? failed.messages[0].text : "it failed");
        status = change(s, r, &scr_soft_cpu, report);
    }
    scree_report_deinit(&failed);
    return status;
}

static scree_status decide(scr_step *s, soft_run *r, scree_report *report)
{
    const double gpu = r->seconds / (double)r->steps;
    const char *name = scr_device_info_of(s->device.number).name;
    char device[160];
    snprintf(device, sizeof device, "gpu:%d, %s", s->device.number, name);
    begin(r, SOFT_TRIAL_OVER);
    if (gpu <= r->cpu) {
        scr_say("steps on %s: %.3g ms each, %.3g ms on the CPU with %d threads", device, 1e3 * gpu, 1e3 * r->cpu,
                scr_threads());
        return SCREE_OK;
    }
    scr_say("steps on the CPU: %.3g ms each with %d threads, %.3g ms on %s", 1e3 * r->cpu, scr_threads(), 1e3 * gpu,
            device);
    return change(s, r, &scr_soft_cpu, report);
}

scree_status scr_soft_trial_go_on(scr_step *s, soft_run *r, scree_report *report)
{
    if (!is_over(r)) return SCREE_OK;
    if (r->part == SOFT_TRIAL_CPU) return to_gpu(s, r, report);
    if (r->part == SOFT_TRIAL_GPU) return decide(s, r, report);
    begin(r, SOFT_TRIAL_GPU);
    return SCREE_OK;
}
