#include "observe/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// what grains brought that came and took that left belongs to the potential energy, which counts from anywhere
enum { KINETIC, POTENTIAL, ELASTIC, LOST, PUT_IN, ACCOUNTS };
static const int account_of_kind[] = {
    [SCREE_KINETIC] = KINETIC, [SCREE_POTENTIAL] = POTENTIAL, [SCREE_ELASTIC] = ELASTIC, [SCREE_LOST] = LOST,
    [SCREE_LEFT] = POTENTIAL,  [SCREE_WORK] = PUT_IN,         [SCREE_CAME] = POTENTIAL,
};

/* The columns, NULL where results of older versions have none; row n of a column is at n * stride. */
typedef struct {
    const double *values[SCREE_ACCOUNT_COUNT], *closure;
    size_t rows, stride;
} ledger;

static void accounts_at(const ledger *l, size_t row, double accounts[ACCOUNTS])
{
    for (int a = 0; a < ACCOUNTS; a++) accounts[a] = 0;
    const scree_account *parts = scree_accounts();
    for (int k = 0; k < SCREE_ACCOUNT_COUNT; k++)
        if (l->values[k]) accounts[account_of_kind[parts[k].kind]] += parts[k].sign * l->values[k][row * l->stride];
}

static scr_balance balance_of(const ledger *l)
{
    if (!l->rows || !l->closure) return (scr_balance){NAN, NAN, NULL};
    double first[ACCOUNTS], now[ACCOUNTS];
    scr_balance b = {.error = l->closure[(l->rows - 1) * l->stride]};
    accounts_at(l, 0, first);
    for (size_t n = 0; n < l->rows; n++) {
        double moved = 0;
        accounts_at(l, n, now);
        for (int a = 0; a < ACCOUNTS; a++) moved += 0.5 * fabs(now[a] - first[a]);
        b.turned = fmax(b.turned, fmax(moved, now[KINETIC]));
    }
    return b;
}

// where a column belongs; NULL: nowhere
static const double **place_of(ledger *l, const char *name)
{
    const scree_account *parts = scree_accounts();
    for (int k = 0; k < SCREE_ACCOUNT_COUNT; k++)
        if (!strcmp(parts[k].name, name)) return &l->values[k];
    return strcmp(name, "closure") ? NULL : &l->closure;
}

const char *scr_balance_finer(bool statics, bool sweeps)
{
    return statics  ? "more load steps"
           : sweeps ? "more sweeps (where bodies collide, more impact_sweeps) or a smaller time step"
                    : "a smaller time step";
}

scr_balance scr_balance_of_series(const scr_series *s, const char *finer)
{
    ledger l = {.rows = s->count, .stride = s->width};
    for (int c = 0; c < s->column_count; c++) {
        const double **place = place_of(&l, s->columns[c].name);
        if (place) *place = s->rows + s->columns[c].first;
    }
    scr_balance balance = balance_of(&l);
    balance.finer = finer;
    return balance;
}

scree_status scr_balance_of_archive(const scr_archive *a, scr_balance *balance, scree_report *report)
{
    int count, at = 0;
    const scr_series_info *all = scr_archive_series(a, &count), *s = NULL;
    while (at < count && strcmp(all[at].kind, "ledger")) at++;
    *balance = (scr_balance){NAN, NAN, NULL};
    if (at == count) return SCREE_OK;
    s = &all[at];
    double *room = calloc((SCREE_ACCOUNT_COUNT + 1) * (s->count + 1), sizeof *room), *values = room;
    if (!room) return scr_no_memory(report, "series");
    ledger l = {.rows = s->count, .stride = 1};
    scree_status status = SCREE_OK;
    for (int c = 0; c < s->column_count && !status; c++) {
        const double **place = place_of(&l, s->columns[c]);
        if (!place || *place || s->widths[c] != 1) continue;
        status = scr_archive_series_read(a, at, c, values, report);
        *place = values, values += s->count + 1;
    }
    if (!status) *balance = balance_of(&l);
    balance->finer = scr_balance_finer(scr_archive_reports(a, "load"), scr_archive_reports(a, "unsolved"));
    free(room);
    return status;
}

bool scr_balance_is_fine(const scr_balance *b)
{
    return fabs(b->error) <= SCR_BALANCE_FINE * b->turned;
}

void scr_balance_text(const scr_balance *b, char text[SCR_BALANCE_TEXT])
{
    double part = fabs(b->error) / b->turned;
    char verdict[120];
    if (!(b->turned > 0)) {
        snprintf(text, SCR_BALANCE_TEXT, "energy balance error %.3g J; no energy was exchanged", b->error);
        return;
    }
    if (scr_balance_is_fine(b))
        snprintf(verdict, sizeof verdict, "fine");
    else if (part <= SCR_BALANCE_LARGE)
        snprintf(verdict, sizeof verdict, "noticeable; see whether %s changes the results", b->finer);
    else
        snprintf(verdict, sizeof verdict, "large; use %s", b->finer);
    snprintf(text, SCR_BALANCE_TEXT, "energy balance error %.3g J, %.2g %% of %.4g J exchanged: %s", b->error,
             100 * part, b->turned, verdict);
}
