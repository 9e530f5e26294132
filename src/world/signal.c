#include "world/signal.h"

#include <math.h>
#include <stdlib.h>

#include "math/elementary.h"

double scr_table_at(const double *table, int rows, int width, int column, double time)
{
    if (time <= table[0]) return table[column];
    for (int k = 1; k < rows; k++) {
        const double *a = table + width * (k - 1), *b = a + width;
        if (time < b[0]) return a[column] + (b[column] - a[column]) * (time - a[0]) / (b[0] - a[0]);
    }
    return table[width * (rows - 1) + column];
}

double scr_signal_at(const scr_signal *s, double time)
{
    double since = time - s->start;
    switch ((scr_signal_kind)s->kind) {
    case SCR_SIGNAL_CONSTANT: return 1;
    case SCR_SIGNAL_STEP: return since >= 0 && time < s->until ? 1 : 0;
    case SCR_SIGNAL_RAMP: return since <= 0 ? 0 : since >= s->duration ? 1 : since / s->duration;
    case SCR_SIGNAL_SINE:
        return since < 0 || time >= s->until ? 0 : scr_sin(2 * M_PI * s->frequency * since + s->phase);
    case SCR_SIGNAL_RICKER: {
        double a = M_PI * s->frequency * since;
        return (1 - 2 * a * a) * scr_exp(-a * a);
    }
    case SCR_SIGNAL_TABLE: return scr_table_at(s->table, s->rows, 2, 1, time);
    }
    return 0;
}

double scr_signal_most(const scr_signal *s)
{
    if (s->kind != SCR_SIGNAL_TABLE) return 1;
    double most = 0;
    for (int k = 0; k < s->rows; k++) most = fmax(most, fabs(s->table[2 * k + 1]));
    return most;
}

void scr_signal_deinit(scr_signal *signal)
{
    free(signal->table);
    signal->table = NULL;
}
