#include "step/equilibrium/statics.h"

#include <math.h>
#include <stddef.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "step/report.h"

double scr_statics_memory(const scr_statics_def *def)
{
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return isnan(def->memory) ? 0.5 * machine : def->memory;
}

void scr_statics_refuse_servos(const scr_scene *scene, scree_report *report)
{
    const scr_items *walls = scr_scene_items(scene, "walls");
    for (int k = 0; k < walls->count; k++)
        if (((const scr_wall_def *)walls->items[k].def)->servo.def)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &walls->items[k], "servo"),
                     "walls.%s.servo: servos are not supported in statics; give the wall a velocity or a path and "
                     "read its force from the observer walls, or use `scree run`",
                     walls->items[k].name);
}

void scr_statics_say_stability(double lowest, const char *none, const char *aside)
{
    if (isnan(lowest))
        scr_say("stability: no eigenvalue was found (%s)", none);
    else
        scr_say("stability: the lowest eigenvalue is %.6g 1/s^2 (%s %.4g rad/s)%s", lowest,
                lowest < 0 ? "unstable, growth rate" : "lowest angular frequency", sqrt(fabs(lowest)), aside);
}

scree_status scr_statics_stopped(const scr_clock *load, scree_report *report)
{
    return scr_fail(report, SCREE_E_INTERRUPT, SCR_NOWHERE,
                    "stopped by signal %d in load step %lld; continue from the last checkpoint "
                    "with --resume",
                    scr_signal_pending(), (long long)load->step + 1);
}

scree_status scr_statics_stopped_looking(scree_report *report)
{
    return scr_fail(report, SCREE_E_INTERRUPT, SCR_NOWHERE,
                    "stopped by signal %d: the last equilibrium is kept, its lowest eigenvalue is "
                    "not known. A run --from these results with statics: {steps: 1, ramp: no, "
                    "stability: yes} finds it",
                    scr_signal_pending());
}

const scr_reported scr_statics_reports[] = {
    SCREE_CONTACT_REPORTS(SCR_REPORTED) SCREE_STATICS_REPORTS(SCR_REPORTED_STATICS){0},
};

#define FACTORED "tangents {factored}, Cholesky factor {factor_bytes/1e6:.4g} MB, the last "
#define ITERATED \
    "tangents {factored}, conjugate gradients, the factor would have been {factor_bytes/1e6:.4g} MB, the last "
#define FREQUENCY "lowest eigenvalue {lowest:.9g} 1/s^2: "
const scr_report_line scr_statics_lines[] = {
    {"cells", "load steps {step}, load {load:.9g}, {cells} cells, {unknowns} unknowns"},
    {"!cells", "load steps {step}, load {load:.9g}, {bodies} grains, {unknowns} unknowns"},
    {"", "iterations {iterations}, load steps cut in half {halved}, residual {left:.3g} of the largest force"},
    {"factored&direct&stable", FACTORED "positive definite"},
    {"factored&direct&!stable", FACTORED "not positive definite"},
    {"factored&!direct&stable", ITERATED "positive definite"},
    {"factored&!direct&!stable", ITERATED "not positive definite"},
    {"lowest", FREQUENCY "stable"},
    {"!lowest", FREQUENCY "unstable"},
    {0},
};

static const scr_param params[] = {
    {"steps", NULL, SCR_INT, NULL, "10", "[1, 1000000]", offsetof(scr_statics_def, steps),
     "Load steps: loads and prescribed motions without a signal, and gravity, grow from zero in as "
     "many equal steps; those with another signal than constant, and gravity that varies, follow "
     "it, the last load step being at time.end. Each step is a frame of the results.",
     NULL},
    {"tolerance", NULL, SCR_REAL, "", "1e-9", "(0, 0.1]", offsetof(scr_statics_def, tolerance),
     "Unbalanced force allowed, as a fraction of the largest load or reaction on a cell, or contact "
     "force.",
     NULL},
    {"method", NULL, SCR_CHOICE, NULL, "auto", "auto newton relaxation", offsetof(scr_statics_def, method),
     "For solids. newton: Newton's method with a sparse factorisation, without contacts: it stops when bodies touch. "
     "relaxation: damped motion; slow, but it needs no matrix, passes through snaps, and supports contacts, friction "
     "and grains. auto: relaxation where solids may touch walls, grains or each other, else newton.",
     NULL},
    {"ramp", NULL, SCR_BOOL, NULL, "true", NULL, offsetof(scr_statics_def, ramp),
     "no: loads without a signal and gravity act in full from the first load step on, for instance "
     "where the start is an equilibrium with them already.",
     NULL},
    {"iterations", NULL, SCR_INT, NULL, "200000", "[1, 1000000000]", offsetof(scr_statics_def, iterations),
     "Most iterations for one load step: of relaxation (solids) or implicit steps (grains).", NULL},
    {"memory", NULL, SCR_REAL, "", "auto", ">= 0 | auto", offsetof(scr_statics_def, memory),
     "Bytes that the factor of Newton's tangent may take; where it would take more, conjugate "
     "gradients are used instead. auto: half of the machine's memory.",
     NULL},
    {"stability", NULL, SCR_BOOL, NULL, "false", NULL, offsetof(scr_statics_def, stability),
     "Whether the last state is stable: the lowest eigenvalue of the second derivative of the energy with respect to "
     "the masses, the square of the lowest angular frequency [1/s^2]; negative where the state is unstable. Rattlers "
     "are left out.",
     NULL},
    {0},
};

const scr_section scr_section_statics = {
    .name = "statics",
    .doc = "How `scree equilibrate` finds equilibria of elastic solids, with grains and walls that they touch; or, in "
           "a scene without them, of grains, by `steps`, `tolerance` (of the largest contact force) and `ramp` of "
           "gravity; in load step k of N, walls and groups of prescribed motion are where they are at the time k/N of "
           "time.end. Ignored by `scree run`.",
    .params = params,
    .size = sizeof(scr_statics_def),
};
