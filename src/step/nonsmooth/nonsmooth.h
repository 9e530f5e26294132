/* `nonsmooth`: contacts as constraints on velocities (SPOOK), solved by projected Gauss-Seidel, with regions
 * that move rigidly reduced to rigid aggregates (Servin & Wang 2015). Theory: docs/theory-nonsmooth.md. */
#ifndef SCREE_STEP_NONSMOOTH_NONSMOOTH_H
#define SCREE_STEP_NONSMOOTH_NONSMOOTH_H

#include "step/stepper.h"

typedef enum { SCR_START_WARM, SCR_START_COLD } scr_start;
typedef enum { SCR_NONCONVERGENCE_WARN, SCR_NONCONVERGENCE_STOP } scr_nonconvergence;
typedef enum { SCR_ROLLING_PARTICLE, SCR_ROLLING_EFFECTIVE } scr_rolling_radius;
typedef enum { SCR_PRECISION_SINGLE, SCR_PRECISION_DOUBLE } scr_precision;
typedef enum { SCR_REDUCTION_OFF, SCR_REDUCTION_ON } scr_reduction;
typedef enum { SCR_PRESET_SCREE, SCR_PRESET_SERVIN2015 } scr_preset;

typedef struct {
    int64_t sweeps, impact_sweeps;
    int start;           /* scr_start */
    double impact_speed; /* [m/s]; NAN: gravity times step */
    int64_t substeps;
    double stabilisation;  /* [s]; NAN: two steps */
    double anticipation;   /* [m]; NAN: by sizes and velocities */
    double relaxation;     /* of normal impulses */
    double push;           /* [m/s]; NAN: no bound */
    double tolerance;      /* [m/s]; 0: all sweeps */
    double nonconvergence; /* [m/s] residual that counts as not converged; NAN: gravity times step */
    int on_nonconvergence; /* scr_nonconvergence */
    int rolling_radius;    /* scr_rolling_radius */
    int precision;         /* scr_precision */

    int reduction; /* scr_reduction */
    int preset;    /* scr_preset; what is auto (not a number) follows from it */
    /* Thresholds that are not a number are not a condition; those of the trial solve: a negative one.
     *
     * Merging: relative velocities at a contact, and their change over a step */
    double merge_approach, merge_separation, merge_sliding; /* [m/s] */
    double merge_spin;                                      /* [rad/s] */
    double merge_drift; /* [m/s], against what carries the aggregate; negative: no condition */
    double merge_normal_acceleration, merge_sliding_acceleration; /* [m/s^2] */
    double merge_spin_acceleration;                               /* [rad/s^2] */
    double free_aggregates; /* least number of grains of an aggregate that rests on nothing; 0: none */
    /* splitting by a contact */
    double split_approach, split_separation, split_sliding; /* [m/s] */
    double split_spin;                                      /* [rad/s] */
    int64_t split_depth;                                    /* layers, the touched one included */
    /* splitting by a trial solve */
    double trial_sweeps, trial_every, trial_layers;         /* sweeps 0: no trial; layers 0: everything */
    int trial_start;                                        /* 0: auto, else 1 + scr_start */
    double trial_force;                                     /* part of the forces that may stay unbalanced */
    double trial_approach, trial_separation, trial_sliding; /* [m/s] */
} scr_nonsmooth_def;

extern const scr_param scr_nonsmooth_params[];
extern const scr_stepper scr_nonsmooth_stepper;

/* For the table (check.c). */
void scr_nonsmooth_traits(const void *def, scr_stepper_traits *traits);
extern const scr_reported scr_nonsmooth_reports[];
extern const scr_report_line scr_nonsmooth_lines[];
void scr_nonsmooth_report(const scr_step *step, scree_stats *stats);
void scr_nonsmooth_judge(const scr_step *step, scree_report *report);
void scr_nonsmooth_check(const scr_scene *scene, const scr_item *item, scree_report *report);

#endif
