/* What a user may say about the nonsmooth stepper. */
#include "step/nonsmooth/nonsmooth.h"

#define AT(member) offsetof(scr_nonsmooth_def, member)
#define SPEED(name, fallback, doc)                                                 \
    {                                                                              \
#        name, NULL, SCR_REAL, "m/s", fallback, ">= 0 | none", AT(name), doc, NULL \
    }
/* Counts that may be `auto` are read as numbers. */
#define MAYBE(name, allowed, doc)                                                 \
    {                                                                             \
#        name, NULL, SCR_REAL, "", "auto", allowed " | auto", AT(name), doc, NULL \
    }
#define COUNT(name, fallback, allowed, doc)                                \
    {                                                                      \
#        name, NULL, SCR_INT, NULL, fallback, allowed, AT(name), doc, NULL \
    }

const scr_param scr_nonsmooth_params[] = {
    COUNT(sweeps, "50", ">= 1", "Gauss-Seidel sweeps over all contacts in a step (or sub-step), at most."),
    {"start", NULL, SCR_CHOICE, NULL, "warm", "warm cold", AT(start),
     "`warm`: impulses start from those of the last step: far fewer sweeps for the same error. `cold`: from zero, as "
     "in Servin & Wang 2015.",
     NULL},
    COUNT(impact_sweeps, "30", ">= 0",
          "Sweeps of the impact stage, which runs when there are impacts; 0: no impact stage."),
    {"impact_speed", NULL, SCR_REAL, "m/s", "auto", ">= 0 | auto", AT(impact_speed),
     "A contact that closes faster is an impact with restitution. auto: the velocity gravity adds in one "
     "step.",
     NULL},
    COUNT(substeps, "1", ">= 1", "Number of sub-steps of a step, each with its own contact detection and sweeps."),
    {"stabilisation", NULL, SCR_REAL, "s", "auto", "> 0 | auto", AT(stabilisation),
     "Time constant with which overlaps relax to the overlap given by the contact stiffness. auto: two steps (whole "
     "steps, even with sub-steps).",
     NULL},
    {"anticipation", NULL, SCR_REAL, "m", "auto", ">= 0 | auto", AT(anticipation),
     "Contacts with a gap below this are included in the solve; they may close but not overlap. auto: "
     "the distance gravity moves a grain in a step, a fifth of the smaller radius, and how far both grains "
     "get in a step; 0: none, as in Servin & Wang 2015.",
     NULL},
    {"relaxation", NULL, SCR_REAL, "", "1.3", "(0, 1.9]", AT(relaxation),
     "Over-relaxation of normal impulses in the sweeps; 1: none, as in Servin & Wang 2015.", NULL},
    {"push", NULL, SCR_REAL, "m/s", "none", "> 0 | none", AT(push),
     "Upper limit of the speed at which overlaps are resolved.", NULL},
    {"tolerance", NULL, SCR_REAL, "m/s", "0", ">= 0", AT(tolerance),
     "Sweeps end when no velocity at a contact changes by more than this in one sweep; 0: all "
     "sweeps are done.",
     NULL},
    {"nonconvergence", NULL, SCR_REAL, "m/s", "auto", "> 0 | auto", AT(nonconvergence),
     "A step whose last sweep changes a velocity by more than this counts as not converged. auto: the velocity gravity "
     "adds in "
     "one step.",
     NULL},
    {"on_nonconvergence", NULL, SCR_CHOICE, NULL, "warn", "warn stop", AT(on_nonconvergence),
     "Whether a step that has not converged is counted and reported, or ends the run.", NULL},
    {"rolling_radius", NULL, SCR_CHOICE, NULL, "particle", "particle effective", AT(rolling_radius),
     "The length in the bound of the rolling torque, mu_r r F_n: radius of the smaller grain, or "
     "r_a r_b/(r_a + r_b).",
     NULL},
    {"precision", NULL, SCR_CHOICE, NULL, "single", "single double", AT(precision),
     "Floating-point precision of velocities within the sweeps. Positions, momentum and energies are double in any "
     "case.",
     NULL},

    {"reduction", NULL, SCR_CHOICE, NULL, "off", "off on", AT(reduction),
     "`on`: regions that move rigidly become rigid aggregates and split again when disturbed.", NULL},
    {"preset", NULL, SCR_CHOICE, NULL, "scree", "scree servin2015", AT(preset),
     "Settings of the reduction. `servin2015`: a cold trial solve of 50 sweeps over everything in every step, velocity "
     "conditions in it, and aggregates of any size, as in the paper; `scree`: the defaults of this table.",
     NULL},
    SPEED(merge_approach, "2.5 mm/s", "Contacts that close no faster may merge."),
    SPEED(merge_separation, "2.5 mm/s", "Contacts that open no faster may merge."),
    SPEED(merge_sliding, "2.5 mm/s", "Contacts that slide no faster may merge."),
    {"merge_spin", NULL, SCR_REAL, "rad/s", "0.5", ">= 0 | none", AT(merge_spin),
     "Contacts that roll no faster may merge.", NULL},
    {"merge_drift", NULL, SCR_REAL, "m/s", "auto", ">= 0 | auto none", AT(merge_drift),
     "Grains that move no faster relative to the wall or part that carries the aggregate may merge. "
     "auto: the smallest of the three speeds above; none with `start: cold`, which lets piles "
     "creep, and with preset servin2015.",
     NULL},
    {"merge_normal_acceleration", NULL, SCR_REAL, "m/s^2", "5", ">= 0 | none", AT(merge_normal_acceleration),
     "Contacts whose normal velocity changes no faster may merge.", NULL},
    {"merge_sliding_acceleration", NULL, SCR_REAL, "m/s^2", "5", ">= 0 | none", AT(merge_sliding_acceleration),
     "Contacts whose sliding velocity changes no faster may merge.", NULL},
    {"merge_spin_acceleration", NULL, SCR_REAL, "rad/s^2", "none", ">= 0 | none", AT(merge_spin_acceleration),
     "Contacts whose rolling velocity changes no faster may merge.", NULL},
    MAYBE(free_aggregates, ">= 0",
          "Least number of grains of an aggregate that rests on no wall; 0: no such aggregates, 1: any two merge. "
          "auto: 0, preset servin2015: 2."),
    SPEED(split_approach, "0.15 m/s", "A contact that closes faster splits the aggregates it touches."),
    SPEED(split_separation, "none", "A contact that opens faster splits."),
    SPEED(split_sliding, "0.15 m/s", "A contact that slides faster splits."),
    {"split_spin", NULL, SCR_REAL, "rad/s", "none", ">= 0 | none", AT(split_spin),
     "A contact that rolls faster splits.", NULL},
    COUNT(split_depth, "2", ">= 1", "How many layers of grains such a contact sets free."),
    MAYBE(trial_sweeps, ">= 0",
          "Sweeps of the trial solve, in which aggregates are treated as free grains; 0: no trial solve. auto: 10, "
          "preset servin2015: 50."),
    MAYBE(trial_every, ">= 1", "Steps between two trial solves. auto: 2, preset servin2015: 1."),
    MAYBE(trial_layers, ">= 0",
          "Layers of aggregates around free grains that the trial solve looks at; 0: all. auto: 4, preset servin2015: "
          "0."),
    {"trial_start", NULL, SCR_CHOICE, NULL, "auto", "auto warm cold", AT(trial_start),
     "Where impulses of the trial solve start from. auto: warm, preset servin2015: cold.", NULL},
    {"trial_force", NULL, SCR_REAL, "", "auto", "> 0 | auto none", AT(trial_force),
     "A grain splits off when its unbalanced force exceeds this fraction of the forces acting "
     "on it. auto: 0.05; 0.15 with `start: cold` and with preset servin2015.",
     NULL},
    {"trial_approach", NULL, SCR_REAL, "m/s", "auto", ">= 0 | auto none", AT(trial_approach),
     "A contact that closes faster in the trial solve splits. auto: none, preset servin2015: 2.6 "
     "m/s.",
     NULL},
    {"trial_separation", NULL, SCR_REAL, "m/s", "auto", ">= 0 | auto none", AT(trial_separation),
     "The same for opening. auto: none, preset servin2015: 0.26 m/s.", NULL},
    {"trial_sliding", NULL, SCR_REAL, "m/s", "auto", ">= 0 | auto none", AT(trial_sliding),
     "The same for sliding. auto: none, preset servin2015: 0.26 m/s.", NULL},
    {0},
};
