#include "run/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"

scr_progress scr_progress_start(int64_t step, int64_t end)
{
    double now = scr_seconds();
    return (scr_progress){
        .first = step, .end = end, .start = now, .shown = now, .skip = 1, .terminal = isatty(STDERR_FILENO)};
}

double scr_moving_count(const scr_world *w)
{
    return (double)(w->bodies.table.count + w->cells.table.count);
}

static void show(scr_progress *p, scr_step *step, double now)
{
    const scr_world *w = step->world;
    scree_energies e = scr_step_energies(step);
    double kinetic = e.translation + e.rotation;
    double done = (double)(w->clock.step - p->first), left = (double)(p->end - w->clock.step);
    double rate = p->particle_steps / (now - p->shown);
    p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * rate : rate;
    char remaining[40];
    scr_time_text(done > 0 ? (now - p->start) / done * left : 0, remaining, sizeof remaining);
    fprintf(stderr, "%s%5.1f %%  t = %.4g s  %s left  %.3g particle-steps/s  kinetic %.4g J%s",
            p->terminal ? "\r\033[K" : "", 100 * done / (done + left), w->clock.time, remaining, p->rate, kinetic,
            p->terminal ? "" : "\n");
    fflush(stderr);
    p->shown = now;
    p->particle_steps = 0;
}

void scr_progress_update(scr_progress *p, scr_step *step, int64_t steps)
{
    const scr_world *w = step->world;
    p->particle_steps += (double)steps * scr_moving_count(w);
    p->count += steps;
    if (scr_log_is_quiet() || p->count < p->skip) return;
    p->count = 0;
    double now = scr_seconds(), since = now - p->shown, pause = p->terminal ? 0.2 : 5;
    if (since >= pause)
        show(p, step, now);
    else if (since < 0.1 * pause && p->skip < 1 << 16)
        p->skip *= 2;
    else if (since > 0.5 * pause && p->skip > 1)
        p->skip /= 2;
}

void scr_progress_end(scr_progress *p)
{
    if (p->terminal && !scr_log_is_quiet()) fprintf(stderr, "\r\033[K");
}
