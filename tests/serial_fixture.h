/* How much of some work is serial: a clock between scr_each and scr_team and their callers, put there by the linker
 * (--wrap; see tests/CMakeLists.txt).
 *
 * Counted in CPU time, so that it holds on a busy machine and on few cores: p of all that is inside of them, on
 * one thread, and s of the calling thread outside of them, with n threads. If passes that all threads do scale
 * perfectly, n threads take s + p/n. */
#ifndef SCREE_TESTS_SERIAL_FIXTURE_H
#define SCREE_TESTS_SERIAL_FIXTURE_H

#include <time.h>

#include "exec/cpu/threads.h"

enum { SERIAL_PASSES = 256 };

/* `pass`: the first passes since serial_start, one after the other; `gap`: what came before each. */
static struct {
    clockid_t used;
    double start, inside, left, pass[SERIAL_PASSES], gap[SERIAL_PASSES];
    int passes, depth;
} serial = {.used = CLOCK_THREAD_CPUTIME_ID};

/* Seconds. */
typedef struct {
    double inside, outside;
} serial_cost;

static double serial_now(void)
{
    struct timespec t;
    clock_gettime(serial.used, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void serial_start(void)
{
    serial.inside = 0, serial.passes = 0;
    serial.start = serial.left = serial_now();
}

static serial_cost serial_since_start(void)
{
    double all = serial_now() - serial.start;
    return (serial_cost){serial.inside, all - serial.inside};
}

static void serial_enter(double *start)
{
    *start = serial_now();
    serial.depth++;
}

static void serial_leave(double start)
{
    if (--serial.depth) return;
    double end = serial_now();
    serial.inside += end - start;
    if (serial.passes < SERIAL_PASSES)
        serial.gap[serial.passes] = start - serial.left, serial.pass[serial.passes++] = end - start;
    serial.left = end;
}

void __real_scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context);
void __wrap_scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context);
void __real_scr_team(int most, scr_team_work *work, void *context);
void __wrap_scr_team(int most, scr_team_work *work, void *context);

void __wrap_scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context)
{
    double start;
    serial_enter(&start);
    __real_scr_each(count, cost, work, context);
    serial_leave(start);
}

void __wrap_scr_team(int most, scr_team_work *work, void *context)
{
    double start;
    serial_enter(&start);
    __real_scr_team(most, work, context);
    serial_leave(start);
}

#endif
