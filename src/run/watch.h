/* The observers of a run: their series, how often each looks, and the contacts they look at. */
#ifndef SCREE_RUN_WATCH_H
#define SCREE_RUN_WATCH_H

#include "observe/observer.h"
#include "run/simulation.h"

typedef struct {
    const scr_observer *observer;
    const void *def;
    const scr_item *item; /* of the scene; NULL: it is implied */
    int64_t every;        /* steps, counted from clock.base_step */
} scr_watch;

typedef struct {
    scr_watch *items;
    scr_series *series; /* one each */
    int count;
    double *row;   /* room for the widest */
    bool *ends;    /* of each: whether the condition that ends the run, or its stage, names it */
    int64_t since; /* it is asked after this step */
} scr_watches;

/* Steps in a time, at least one. */
int64_t scr_steps_of(double span, double dt);

/* The observers of the run (scr_observed_list). `frame_every` steps is the cadence of those that name none. */
scree_status scr_watches_init(scr_watches *watches, const scree_simulation *simulation, int64_t frame_every,
                              scree_report *report);
/* Another stage has begun: cadences and the condition are its own, the series go on. */
void scr_watches_stage(scr_watches *watches, const scree_simulation *simulation, int64_t frame_every);
void scr_watches_deinit(scr_watches *watches);
/* The run goes on from here: rows that only its last end has written go, so that series are those of one run. */
void scr_watches_continue(scr_watches *watches, const scr_clock *clock);
/* Of so many steps, those until an observer looks. */
int64_t scr_watches_ahead(const scr_watches *watches, const scr_clock *clock, int64_t most);
/* Whether a look at this step needs the forces of contacts; `all`: everyone looks. */
bool scr_watches_need_contacts(const scr_watches *watches, const scr_clock *clock, int64_t step, bool all);
/* A row from each observer that is due, or from all. An observer that needs contacts which are not known (the run
 * failed in this step) gives none. */
scree_status scr_watches_look(scr_watches *watches, scree_simulation *simulation, bool all, scree_report *report);

/* Whether the condition that ends the run is asked at this step; and whether the last rows fulfil it. */
bool scr_watches_end_due(const scr_watches *watches, const scr_clock *clock, int64_t step);
bool scr_watches_end(const scr_watches *watches, const scree_simulation *simulation);

/* Takes what observers keep in the world, after the scene was checked. */
scree_status scr_observers_open(scree_simulation *simulation, scree_report *report);

#endif
