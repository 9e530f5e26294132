/* The solver of contacts by itself, for benchmarks. A sweep's time is what a solution with many sweeps takes longer
 * than one with a single sweep. Others on the machine can hold up the short one for longer than the long one takes:
 * with one thread CPU time counts, and of the short one the best of several. Rounds go on until they have taken LEAST
 * seconds together, as many as were asked for at least: a solution of few contacts takes milliseconds, and a processor
 * that was idle or busy with others needs some hundred of them to come to its speed. */
#include <math.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/os.h"
#include "base/status.h"
#include "exec/cpu/threads.h"
#include "scree/scree.h"
#include "solve/pgs_trial.h"

typedef struct {
    scr_pgs *pgs;
    scr_pgs_problem problem;
    scr_pgs_body *bodies; /* as they were */
} trial;

// from the start again
static void reset(trial *t)
{
    scr_pgs_problem *p = &t->problem;
    scr_copy(p->bodies, t->bodies, p->body_count * sizeof *t->bodies);
    for (size_t i = 0; i < p->contact_count; i++) {
        p->contacts[i].ln = 0;
        p->contacts[i].lt = p->contacts[i].lr = v3(0, 0, 0);
    }
}

static double now(const scree_solver_def *def)
{
    return def->threads == 1 ? scr_processor_seconds() : scr_seconds();
}

// one solution; its time, if that is the shortest
static scr_pgs_result solve(trial *t, const scree_solver_def *def, int sweeps, double *seconds)
{
    scr_pgs_options o = {.sweeps = sweeps, .precise = def->precise};
    double start = now(def);
    scr_pgs_result solved = scr_pgs_solve(t->pgs, &t->problem, &o);
    *seconds = fmin(*seconds, now(def) - start);
    return solved;
}

/* Times: of the colouring, of a single sweep with all around it, of the others with that. */
static bool once(trial *t, const scree_solver_def *def, scree_solver_result *r, double seconds[3])
{
    enum { SHORT = 10 };
    scr_pgs_problem *p = &t->problem;
    for (int k = 0; k < SHORT; k++) {
        reset(t);
        double start = now(def);
        if (!scr_pgs_prepare(t->pgs, p)) return false;
        seconds[0] = fmin(seconds[0], now(def) - start);
        if (solve(t, def, 1, &seconds[1]).sweeps < 0) return false;
    }
    scr_pgs_result solved = solve(t, def, 1 + def->sweeps, &seconds[2]);
    r->colours = solved.colours;
    r->fill = (double)p->contact_count / (double)solved.places;
    r->digest = scr_digest_bytes(0, p->bodies, p->body_count * sizeof *p->bodies);
    for (size_t i = 0; i < p->contact_count; i++)
        r->digest = scr_digest_bytes(r->digest, &p->contacts[i].ln, sizeof(double));
    return true;
}

scree_status scree_solver_measure(const scree_solver_def *def, scree_solver_result *r, scree_report *report)
{
    enum { MOST = 10 };
    const double LEAST = 0.5;
    trial t = {.pgs = scr_pgs_create()};
    double seconds[3] = {INFINITY, INFINITY, INFINITY};
    scr_threads_set(def->threads);
    *r = (scree_solver_result){0};
    bool ok = t.pgs && scr_pgs_trial_make(&t.problem, (size_t)def->contacts, 1);
    size_t bodies = t.problem.body_count;
    ok = ok && (t.bodies = scr_memory_new(bodies, sizeof *t.bodies));
    if (ok) memcpy(t.bodies, t.problem.bodies, bodies * sizeof *t.bodies);
    // a rate needs a difference: where there is none, more rounds
    double start = now(def);
    for (int k = 0;
         ok && (k < def->rounds || now(def) - start < LEAST || (!(seconds[2] > seconds[1]) && k < MOST * def->rounds));
         k++)
        ok = once(&t, def, r, seconds);
    r->contacts = (int64_t)t.problem.contact_count, r->bodies = (int64_t)bodies;
    r->sweep = (seconds[2] - seconds[1]) / def->sweeps;
    r->prepare = seconds[0], r->around = seconds[1] - r->sweep;
    scr_memory_free(t.bodies);
    scr_pgs_trial_free(&t.problem);
    scr_pgs_destroy(t.pgs);
    if (!ok) return scr_no_memory(report, "%d contacts", def->contacts);
    if (r->sweep > 0) return SCREE_OK;
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "%d sweeps took no longer than one: too few, or the machine is too busy to measure them",
                    1 + def->sweeps);
}
