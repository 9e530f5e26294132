/* Observers: each is one table. An observer looks at the world and writes one row of a time series.
 */
#ifndef SCREE_OBSERVE_OBSERVER_H
#define SCREE_OBSERVE_OBSERVER_H

#include "observe/series.h"
#include "scene/param.h"
#include "world/world.h"

/* What an observer may look at. */
typedef struct {
    const scr_world *world;
    int64_t contacts; /* that touch */
} scr_scene_view;

typedef struct {
    scr_variant variant; /* name, doc, parameters */
    const scr_column *columns;
    /* What can be known of the definition before the run; NULL: nothing. */
    void (*check)(const scr_world *world, const void *def, scree_place at, scree_report *report);
    void (*sample)(const scr_scene_view *view, const void *def, double *row);
} scr_observer;

extern const scr_observer *const scr_observers[]; /* ends with NULL */
const scr_observer *scr_observer_find(const char *name);

#endif
