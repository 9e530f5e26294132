#include "observe/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { KINETIC, POTENTIAL, ELASTIC, LOST, PUT_IN, ACCOUNTS };

/* Columns of the ledger and where they belong. */
static const struct {
    const char *name;
    int account;
    double sign;
} parts[] = {
    {"translation", KINETIC, 1},
    {"rotation", KINETIC, 1},
    {"gravity", POTENTIAL, 1},
    {"inserted", POTENTIAL, -1},
    {"removed", POTENTIAL, 1},
    {"elastic_normal", ELASTIC, 1},
    {"elastic_tangential", ELASTIC, 1},
    {"elastic_rolling", ELASTIC, 1},
    {"elastic_bond", ELASTIC, 1},
    {"elastic_solid", ELASTIC, 1},
    {"damping", LOST, 1},
    {"friction", LOST, 1},
    {"rolling", LOST, 1},
    {"broken", LOST, 1},
    {"cracked", LOST, 1},
    {"absorbed", LOST, 1},
    {"numerical", LOST, 1},
    {"merging", LOST, 1},
    {"wall_work", PUT_IN, -1},
    {"group_work", PUT_IN, -1},
    {"motor_work", PUT_IN, -1},
    {"load_work", PUT_IN, -1},
    {"support_work", PUT_IN, -1},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* The columns, NULL where results of older versions have none; row n of a column is at n * stride. */
typedef struct {
    const double *values[PARTS], *closure;
    size_t rows, stride;
} ledger;

static void accounts_at(const ledger *l, size_t row, double accounts[ACCOUNTS])
{
    for (int a = 0; a < ACCOUNTS; a++) accounts[a] = 0;
    for (int k = 0; k < PARTS; k++)
        if (l->values[k])
            accounts[parts[k].account] += parts[k].sign * l->values[k][row * l->stride];
}

static scr_balance balance_of(const ledger *l)
{
    if (!l->rows || !l->closure) return (scr_balance){NAN, NAN, false};
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

scr_balance scr_balance_of_series(const scr_series *s, bool statics)
{
    ledger l = {.rows = s->count, .stride = s->width};
    for (int c = 0; c < s->column_count; c++) {
        const double *values = s->rows + s->columns[c].first;
        if (!strcmp(s->columns[c].name, "closure")) l.closure = values;
        for (int k = 0; k < PARTS; k++)
            if (!strcmp(s->columns[c].name, parts[k].name)) l.values[k] = values;
    }
    scr_balance balance = balance_of(&l);
    balance.statics = statics;
    return balance;
}

// which of our columns is this? PARTS: the closure; -1: none
static int part_of(const char *name)
{
    for (int k = 0; k < PARTS; k++)
        if (!strcmp(parts[k].name, name)) return k;
    return strcmp(name, "closure") ? -1 : PARTS;
}

scree_status scr_balance_of_archive(const scr_archive *a, scr_balance *balance,
                                    scree_report *report)
{
    int count, at = 0;
    const scr_series_info *all = scr_archive_series(a, &count), *s = NULL;
    while (at < count && strcmp(all[at].kind, "ledger")) at++;
    *balance = (scr_balance){NAN, NAN, false};
    if (at == count) return SCREE_OK;
    s = &all[at];
    double *room = calloc((PARTS + 1) * (s->count + 1), sizeof *room);
    if (!room) return scr_no_memory(report, "series");
    ledger l = {.rows = s->count, .stride = 1};
    scree_status status = SCREE_OK;
    for (int c = 0; c < s->column_count && !status; c++) {
        int part = part_of(s->columns[c]);
        if (part < 0 || s->widths[c] != 1) continue;
        double *values = room + (size_t)part * (s->count + 1);
        status = scr_archive_series_read(a, at, c, values, report);
        *(part == PARTS ? &l.closure : &l.values[part]) = values;
    }
    if (!status) *balance = balance_of(&l);
    // as what the run said tells
    balance->statics = strstr(scr_archive_words(a), "load steps") != NULL;
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
    const char *finer = b->statics ? "more load steps" : "a smaller time step";
    char verdict[120];
    if (!(b->turned > 0)) {
        snprintf(text, SCR_BALANCE_TEXT, "energy balance error %.3g J; no energy changed its form",
                 b->error);
        return;
    }
    if (scr_balance_is_fine(b))
        snprintf(verdict, sizeof verdict, "fine");
    else if (part <= SCR_BALANCE_LARGE)
        snprintf(verdict, sizeof verdict, "noticeable; see whether %s changes the results", finer);
    else
        snprintf(verdict, sizeof verdict, "large; use %s", finer);
    snprintf(text, SCR_BALANCE_TEXT,
             "energy balance error %.3g J, %.2g %% of %.4g J turned over: %s", b->error, 100 * part,
             b->turned, verdict);
}
