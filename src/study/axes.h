/* The grid of a sweep: for each changed key of the scene the values it takes.
 *
 *   materials.glass.friction=0.1:1.0:0.1   from, to (included), step
 *   values.ratio=1:100:*10                 from, to, factor
 *   contacts.any.stiffness=1:5:1 kN/m      a unit after the last number belongs to all
 *   stepper.scheme=improved,standard       a list; values are texts as after --set
 */
#ifndef SCREE_STUDY_AXES_H
#define SCREE_STUDY_AXES_H

#include <stddef.h>

#include "base/status.h"

#define SCR_AXES_MOST   8
#define SCR_AXES_VALUES 100000 /* along one axis */
#define SCR_AXES_RUNS   1000000

typedef struct {
    char *path;
    char **values;
    int count;
} scr_axis;

typedef struct {
    scr_axis axes[SCR_AXES_MOST];
    int count;
} scr_axes;

/* Adds `path=values`; `at` is where it was written. */
scree_status scr_axes_add(scr_axes *grid, const char *text, scree_place at, scree_report *report);
void scr_axes_deinit(scr_axes *grid);

/* Number of cells; 1 for a grid without axes. */
size_t scr_axes_size(const scr_axes *grid);
/* The value of an axis in a cell; the last axis turns fastest. */
const char *scr_axes_value(const scr_axes *grid, size_t cell, int axis);

/* The last word of an axis' path: ratio for values.ratio. */
const char *scr_axis_name(const scr_axis *axis);

#endif
