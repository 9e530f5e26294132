/* What steppers report: of their last step, or since the start of the run. One line each:
 *
 *   F(name, type, unit, show, doc)      show: COLUMN, of the observer `solver` too; or APART
 *
 * A stepper brings the lists that it fills (scr_stepper.reports). From them follow the members of scree_stats and
 * scree_statics, the columns of the observer `solver` with this stepper, what `scree info` says of them, and the tables
 * in docs/scene.md. A new report is one line here, and its value in the stepper's `report`. */
#ifndef SCREE_REPORTS_H
#define SCREE_REPORTS_H

/* Every stepper. */
#define SCREE_CONTACT_REPORTS(F)                                                                   \
    F(contacts, int64_t, "", COLUMN, "number of contacts; nonsmooth: those that carry an impulse") \
    F(worst_overlap, double, "", COLUMN, "largest overlap over the smaller radius")

/* Those that solve for their contacts, nonsmooth and variational. */
#define SCREE_SOLVER_REPORTS(F)                                                              \
    F(sweeps, int64_t, "", COLUMN, "sweeps of the last step; implicit: Newton iterations")   \
    F(residual, double, "m/s", COLUMN,                                                       \
      "largest change of a contact velocity in the last sweep; implicit: unbalanced force, " \
      "relative to the acting forces")                                                       \
    F(unconverged, int64_t, "", COLUMN, "steps since the start that have not converged")

#define SCREE_NONSMOOTH_REPORTS(F)                                                                            \
    F(candidates, int64_t, "", COLUMN, "contacts examined, including open ones")                              \
    F(deepest, double, "", COLUMN, "largest overlap since the start, over the smaller diameter")              \
    F(deepest_time, double, "s", APART, "time at which `deepest` was found")                                  \
    F(worst_residual, double, "m/s", APART, "largest residual of all steps")                                  \
    F(sweeps_mean, double, "", APART, "sweeps of a step since the start")                                     \
    F(sweeps_most, int64_t, "", APART, "most sweeps of a step since the start")                               \
    F(doubled, int64_t, "", COLUMN, "number of times sweeps were doubled since the start")                    \
    F(halved, int64_t, "", COLUMN, "number of times they were halved again")                                  \
    F(unforeseen, double, "J", COLUMN,                                                                        \
      "energy of overlaps that were not anticipated, since the start; it and `unsolved` add up to "           \
      "the energy balance error")                                                                             \
    F(unsolved, double, "J", COLUMN,                                                                          \
      "dissipation required by the laws of contacts and joints minus the actual one (sweeps that "            \
      "ended early), since the start")                                                                        \
    F(reduction, double, "", COLUMN, "1 - (free grains + aggregates)/grains")                                 \
    F(merged, int64_t, "", COLUMN, "grains that are part of an aggregate")                                    \
    F(aggregates, int64_t, "", COLUMN, "number of aggregates")                                                \
    F(solved, int64_t, "", COLUMN, "contacts that were solved")                                               \
    F(active, double, "", COLUMN, "contact sweeps done since the last row, over those without reduction")     \
    F(merges_per_second, double, "1/s", COLUMN, "rate of merging grains, averaged since the last row")        \
    F(splits_per_second, double, "1/s", COLUMN, "rate of grains that split off, averaged since the last row") \
    F(merges, int64_t, "", APART, "grains merged into aggregates since the start")                            \
    F(splits, int64_t, "", APART, "grains split off since the start")                                         \
    F(solved_sweeps, double, "", APART, "contacts times sweeps since the start")                              \
    F(all_sweeps, double, "", APART, "the same without reduction")                                            \
    F(swept_part, double, "", APART, "solved_sweeps over all_sweeps")

#define SCREE_VARIATIONAL_REPORTS(F)                                                                     \
    F(inner, int64_t, "", COLUMN, "iterations of conjugate gradients in the last step")                  \
    F(substeps, int64_t, "", COLUMN, "sub-steps of the last step")                                       \
    F(implicit_steps, int64_t, "", APART, "sub-steps since the start")                                   \
    F(halvings, int64_t, "", COLUMN, "halvings of steps that did not converge, since the start")         \
    F(rejected, int64_t, "", COLUMN, "halvings of steps in which grains moved too far, since the start") \
    F(step_least, double, "s", COLUMN, "the shortest sub-step since the start")                          \
    F(step_mean, double, "s", COLUMN, "the mean of all sub-steps since the start")                       \
    F(step_most, double, "s", COLUMN, "the longest sub-step since the start")

/* Those that find states of rest; since they began. */
#define SCREE_STATICS_REPORTS(F)                                                                         \
    F(load, double, "", COLUMN, "fraction of the load applied, 0 to 1")                                  \
    F(left, double, "", COLUMN,                                                                          \
      "unbalanced force after the last load step, over the largest load, reaction or contact force")     \
    F(iterations, int64_t, "", COLUMN, "of Newton's method or of relaxation")                            \
    F(factored, int64_t, "", COLUMN, "factorisations of the tangent")                                    \
    F(halved, int64_t, "", COLUMN, "load steps that were cut in half")                                   \
    F(unknowns, int64_t, "", COLUMN, "of the tangent")                                                   \
    F(factor_bytes, double, "B", COLUMN, "of the tangent's factor; 0: there is none")                    \
    F(direct, bool, "", COLUMN, "1: factored, 0: by conjugate gradients")                                \
    F(stable, bool, "", COLUMN, "1: the last tangent was positive definite")                             \
    F(lowest, double, "1/s^2", COLUMN,                                                                   \
      "lowest eigenvalue of the second derivative of the energy with respect to the masses, the square " \
      "of the lowest angular frequency; NaN: not requested")

#endif
