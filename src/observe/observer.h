/* Observers: each is one table. An observer looks at the world and writes one row of a time series.
 */
#ifndef SCREE_OBSERVE_OBSERVER_H
#define SCREE_OBSERVE_OBSERVER_H

#include "observe/series.h"
#include "scene/scene.h"
#include "step/stepper.h"
#include "world/world.h"

/* What an observer may look at. */
typedef struct {
    const scr_world *world;
    int64_t contacts;            /* that touch */
    scree_energies energies;     /* for observers of totals */
    const scr_contact_row *rows; /* the contacts with their forces, for observers that need them */
    size_t row_count;
    const scr_step *step; /* of the stepper at work: what it reports */
    const char *name;     /* of the observer's item in the scene */
} scr_scene_view;

typedef struct {
    scr_variant variant;       /* name, doc, parameters */
    const scr_column *columns; /* time first; NULL: `layout` adds them */
    bool tells_stage;          /* after them, in runs with stages, which it is */
    bool reports;              /* after them, what the stepper reports */
    bool totals;               /* looks at energies and counts alone: of the world the ledger is up to date, while
                                * bodies are those of an earlier output on ranks and on a GPU */
    bool beside;               /* looks at walls, planes, inlets and outlets alone, at no body */
    /* Columns and bins that depend on the definition; false when memory is exhausted. NULL: none. */
    bool (*layout)(const scr_world *world, const void *def, scr_series *series);
    /* Whether a sample needs the forces of the contacts; NULL: never. */
    bool (*needs_contacts)(const void *def);
    /* What can be known of the definition before the run; NULL: nothing. */
    void (*check)(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report);
    /* What it keeps in the world from step to step, made or found again; NULL: nothing. */
    scree_status (*open)(scr_world *world, const char *name, const void *def, scree_report *report);
    /* One row; false when memory is exhausted. */
    bool (*sample)(const scr_scene_view *view, const void *def, double *row);
    /* A row was written at the observer's cadence: from here on the next one counts. NULL: nothing
     * to do. */
    void (*mark)(scr_world *world, const char *name);
} scr_observer;

extern const scr_observer *const scr_observers[]; /* ends with NULL */
const scr_observer *scr_observer_find(const char *name);

/* An observer of a run: of the scene's items, or one that is always there (item and def NULL). */
typedef struct {
    const scr_observer *observer;
    const char *name;
    const void *def;
    const scr_item *item;
} scr_observed;
/* Those of a run, at most SCR_OBSERVED_MORE more than the scene has: the ledger is always among them, and with a
 * stepper that reports the solver, where the domain deforms the box. */
#define SCR_OBSERVED_MORE 3
int scr_observed_list(const scr_scene *scene, const scr_step *step, scr_observed *list);

/* Whether an observer with this definition needs the forces of contacts; whether one of the scene does. */
bool scr_observer_needs_contacts(const scr_observer *observer, const void *def);
bool scr_observers_need_contacts(const scr_scene *scene);

/* All columns and bins of a definition into an empty series. */
bool scr_observer_layout(const scr_observer *observer, const scr_step *step, const void *def, const char *name,
                         scr_series *series);
/* Without a world: whether it will have this column, or may, where columns depend on the definition. */
bool scr_observer_may_have(const scr_observer *observer, const scr_scene *scene, const char *column);

/* ---- what observers share ---- */

/* The key `group` of an observer that looks at one group only. */
#define SCR_OBSERVER_GROUP(def)                                        \
    {                                                                  \
        "group", NULL, SCR_TEXT, NULL, "", NULL, offsetof(def, group), \
            "Only grains of this group of bodies. Default: all.", NULL \
    }
/* The index of the group; -1: all grains. */
int scr_observer_group(const scr_world *world, const char *group);
void scr_observer_check_group(const scr_world *world, const scr_scene *scene, const scr_item *item, const char *group,
                              scree_report *report);
static inline bool scr_observer_sees(const scr_world *world, int group, size_t body)
{
    return group < 0 || world->bodies.group[body] == group;
}

/* The box of an observer: lower and upper corner, or the whole domain when none was given. */
void scr_observer_box(const scr_world *world, const vec3 *box, vec3 *lower, vec3 *upper);
/* A box must lie in the domain. */
void scr_observer_check_box(const scr_world *world, const scr_scene *scene, const scr_item *item, const vec3 box[2],
                            scree_report *report);

/* The direction that is up: the given one, or against gravity, or z. A unit vector. */
vec3 scr_observer_up(const scr_world *world, vec3 given);

#endif
