/* The stepper for elastic solids made of rigid cells; see elastic.c. */
#ifndef SCREE_STEP_ELASTIC_H
#define SCREE_STEP_ELASTIC_H

#include "step/stepper.h"

typedef enum { SCR_STRAIN_LARGE, SCR_STRAIN_SMALL } scr_strain;

typedef struct {
    int strain; /* scr_strain */
} scr_elastic_def;

extern const scr_stepper scr_elastic_stepper;
extern const struct scr_rank_ops scr_elastic_rank; /* on a rank of several */

#endif
