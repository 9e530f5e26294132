/* The condition that ends a run: an expression over what observers wrote last. */
#ifndef SCREE_OBSERVE_UNTIL_H
#define SCREE_OBSERVE_UNTIL_H

#include "observe/observer.h"

/* The scene's time.until; NULL: none. */
const char *scr_until_text(const scr_scene *scene);
/* Whether what it names is there; an error says what is not. The world is built. */
void scr_until_check(const scr_step *step, const scr_scene *scene, scree_report *report);
/* Which of the series it names. */
void scr_until_names(const scr_scene *scene, const scr_series *series, int count, bool *named);
/* Whether it is fulfilled by the last rows of the series. */
bool scr_until_met(const scr_scene *scene, const scr_series *series, int count, const scr_clock *clock);

#endif
