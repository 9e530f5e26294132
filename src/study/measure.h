/* Measures: numbers and curves from the results of a run, written as expressions
 * (base/expression.h). Names in them mean, in this order:
 *
 *   a definition          of the case, itself an expression
 *   a value               of the scene's section `values`, in SI
 *   SERIES.COLUMN         a column of an observer, by the observer's name: fine.x, ledger.closure
 *   SERIES.COLUMN(T)      one profile of an observer with bins, in the row nearest to time T;
 *                         SERIES.BIN (the name of its axis) is where the bins are
 *   grains.VIEW.AXIS(T)   all grains by id in the frame nearest to time T: grains.position.z(1.5),
 *                         grains.radius(0). `grains.path.z(T)` is the position counted through
 *                         periodic boundaries and needs `image` among output.fields
 *   cells.VIEW.AXIS(T)    all cells of elastic solids, by number: cells.displacement.x(1.5), cells.turn.w(1.5),
 *                         cells.stress.xy(1.5), cells.pressure(1.5)
 *   contacts.COLUMN(T)    all contacts in that frame, where output.contacts is on
 *   frames.WORD           time, step, bodies of each frame; seconds and processor: time spent on steps until
 *                         then, wall time and CPU time
 *   each.NAME             a definition for each frame in turn; `now` in it is the frame's time
 *
 * Without results only the form is checked: every column of the scene's observers is then a list of
 * not-a-numbers. */
#ifndef SCREE_STUDY_MEASURE_H
#define SCREE_STUDY_MEASURE_H

#include "base/expression.h"
#include "base/status.h"
#include "observe/results.h"
#include "scene/scene.h"

/* A name and its expression. */
typedef struct {
    const char *name, *text;
} scr_definition;

typedef struct scr_scope scr_scope;

/* `scene`, and `archive` (NULL: check only), must outlive the scope; so must the definitions, which
 * end with a NULL name (NULL: none). NULL when memory is exhausted. */
scr_scope *scr_scope_create(const scr_scene *scene, const scr_archive *archive, const scr_definition *definitions);
void scr_scope_destroy(scr_scope *scope);
/* What the scope means by names; lives as long as it. */
scr_names scr_scope_names(scr_scope *scope);

/* `probe.z:last` is short for `last(probe.z)`; anything else is an expression already. False when
 * it does not fit. */
bool scr_measure_expand(const char *text, char *expression, size_t size);

#endif
