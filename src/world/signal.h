/* Functions of time that loads, prescribed supports and gravity follow: a factor, 1 where nothing is said. */
#ifndef SCREE_WORLD_SIGNAL_H
#define SCREE_WORLD_SIGNAL_H

typedef enum {
    SCR_SIGNAL_CONSTANT, /* 1 */
    SCR_SIGNAL_STEP,     /* 0 before `start`, 1 after it, until `until` */
    SCR_SIGNAL_RAMP,     /* 0 before `start`, linear to 1 within `duration` */
    SCR_SIGNAL_SINE,     /* sin(2 pi f (t - start) + phase) from `start` until `until` */
    SCR_SIGNAL_RICKER,   /* (1 - 2 a) exp(-a), a = (pi f (t - start))^2: its peak is at `start` */
    SCR_SIGNAL_TABLE     /* linear between rows (t, factor), steady before and after */
} scr_signal_kind;

typedef struct {
    int kind;                                        /* scr_signal_kind */
    double start, until, duration, frequency, phase; /* [s], [s], [s], [Hz], [rad] */
    double *table;                                   /* 2 per row; owned */
    int rows;
} scr_signal;

double scr_signal_at(const scr_signal *signal, double time);
/* Largest size it can have. */
double scr_signal_most(const scr_signal *signal);
/* A column of a table of rows with `width` numbers, the first of which is the time: linear between rows, steady before
 * and after. */
double scr_table_at(const double *table, int rows, int width, int column, double time);
void scr_signal_deinit(scr_signal *signal);

#endif
