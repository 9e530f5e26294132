/* Stages that a run has begun: which, and when. The last is the present one. */
#ifndef SCREE_WORLD_STAGES_H
#define SCREE_WORLD_STAGES_H

#include <stdbool.h>
#include <stdint.h>

struct scr_world;

typedef struct {
    char *name;
    int64_t step;
    double time; /* [s] when it began */
} scr_stage;

/* One more, at the clock's present time; false: no memory. */
bool scr_stages_begin(struct scr_world *world, const char *name);
/* Those of another world in place of its own; false: no memory. */
bool scr_stages_copy(struct scr_world *world, const struct scr_world *from);
void scr_stages_deinit(struct scr_world *world);

/* When a stage began [s]; 0 where there are none, or it has not. */
double scr_stage_time(const struct scr_world *world, int stage);
/* The step at which the present stage began; -1: the run has no stages. */
int64_t scr_stage_step(const struct scr_world *world);

#endif
