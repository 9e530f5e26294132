/* A quantity of a case, measured and judged: it meets its reference, misses it, or misses it as the case
 * declares (`expect: differs`). A declaration that no longer holds is a failure, so that none outlives
 * its reason. */
#include "study/verdict.h"

#include <math.h>
#include <stdio.h>

static bool evaluate(const char *text, const scr_names *names, double *value, scr_verdict *v)
{
    *value = NAN;
    return !text || scr_expression_number(text, names, value, v->why, sizeof v->why);
}

static bool meets(const scr_quantity_def *q, const scr_verdict *v)
{
    if (q->reference && !(fabs(v->measured - v->reference) <= v->tolerance)) return false;
    if (q->at_least && !(v->measured >= v->low)) return false;
    if (q->at_most && !(v->measured <= v->high)) return false;
    return true;
}

static void judge(const scr_quantity_def *q, const scr_names *names, scr_verdict *v)
{
    double relative;
    if (!evaluate(q->measure, names, &v->measured, v) || !evaluate(q->reference, names, &v->reference, v) ||
        !evaluate(q->tolerance, names, &v->tolerance, v) || !evaluate(q->relative, names, &relative, v) ||
        !evaluate(q->at_least, names, &v->low, v) || !evaluate(q->at_most, names, &v->high, v))
        return;
    if (!isnan(relative)) v->tolerance = relative * fabs(v->reference);
    if (isnan(v->measured)) return;
    bool good = meets(q, v);
    if (good && q->expect != SCR_EXPECT_DIFFERS)
        v->outcome = SCR_PASSED;
    else if (!good)
        v->outcome = q->expect == SCR_EXPECT_MEETS ? SCR_FAILED : SCR_DIFFERS;
    else
        snprintf(v->why, sizeof v->why, "is declared to differ but meets its reference: remove `expect: differs`");
}

scr_verdict scr_case_judge(const scr_case_work *work, const scr_quantity_def *q)
{
    scr_verdict v = {.measured = NAN, .reference = NAN, .tolerance = NAN, .low = NAN, .high = NAN};
    if (!q->run) {
        scr_case_whole all = {.work = work};
        scr_names names = scr_case_whole_names(&all);
        judge(q, &names, &v);
        v.skipped = all.inactive;
        v.set = all.set;
        return v;
    }
    scr_case_run *run = scr_case_work_run(work, q->run);
    v.set = scr_case_run_set(run);
    v.skipped = !run->active;
    if (v.skipped || !scr_case_run_read(run, v.why, sizeof v.why)) return v;
    scr_names names = scr_case_run_names(run);
    judge(q, &names, &v);
    return v;
}

void scr_score_add(scr_score *score, const scr_verdict *v)
{
    if (v->skipped)
        score->skipped++;
    else
        score->of[v->outcome]++;
}

/* ---- as text ---- */

const char *scr_set_name(scr_case_set set)
{
    static const char *const names[] = {"quick", "long", "full"};
    return names[set];
}

void scr_verdict_number(double value, char *text, size_t size)
{
    if (isnan(value))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.6g", value);
}

static void bounds_text(const scr_verdict *v, char *text, size_t size)
{
    char low[32], high[32];
    scr_verdict_number(v->low, low, sizeof low), scr_verdict_number(v->high, high, sizeof high);
    if (isnan(v->high))
        snprintf(text, size, ">= %s", low);
    else if (isnan(v->low))
        snprintf(text, size, "<= %s", high);
    else
        snprintf(text, size, "%s..%s", low, high);
}

scr_verdict_text scr_verdict_words(const scr_item *item, const scr_verdict *v)
{
    const scr_quantity_def *q = item->def;
    scr_verdict_text t;
    snprintf(t.name, sizeof t.name, "%s%s%s%s", item->name, q->unit ? " [" : "", q->unit ? q->unit : "",
             q->unit ? "]" : "");
    if (q->reference)
        scr_verdict_number(v->reference, t.wanted, sizeof t.wanted);
    else
        bounds_text(v, t.wanted, sizeof t.wanted);
    scr_verdict_number(v->measured, t.measured, sizeof t.measured);
    scr_verdict_number(v->tolerance, t.tolerance, sizeof t.tolerance);
    snprintf(t.source, sizeof t.source, "%s%s%s", q->source ? q->source : "", q->source && q->figure ? ", " : "",
             q->figure ? q->figure : "");
    *t.reason = 0;
    if (v->outcome == SCR_DIFFERS) snprintf(t.reason, sizeof t.reason, "%s (%s)", q->reason, q->analysis);
    return t;
}
