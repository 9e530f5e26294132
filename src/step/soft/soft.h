/* `soft`: explicit soft-sphere DEM with velocity-Verlet (Vyas et al. 2025). */
#ifndef SCREE_STEP_SOFT_SOFT_H
#define SCREE_STEP_SOFT_SOFT_H

#include "step/stepper.h"

typedef enum { SCR_SCHEME_IMPROVED, SCR_SCHEME_STANDARD } scr_scheme;
typedef enum { SCR_CONVENTIONS_SCREE, SCR_CONVENTIONS_LAMMPS } scr_conventions;

typedef struct {
    int scheme;      /* scr_scheme */
    int conventions; /* scr_conventions */
    double skin;     /* [m]; NAN: chosen by run/ */
    int device;      /* scr_device_kind */
} scr_soft_def;

extern const scr_stepper scr_soft_stepper;

#endif
