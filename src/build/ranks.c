/* What several ranks cannot do is refused before they start. */
#include "build/simulation.h"
#include "comm/comm.h"

void scr_check_ranks(const scr_step *step, const scr_scene *scene, scree_report *report)
{
    int ranks = scr_comm_world()->size;
    if (ranks > 1 && scr_scene_stage_count(scene))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &scr_scene_items(scene, "stages")->items[0], NULL),
                 "stages run on one rank only, but there are %d: start it without mpirun, with as many --threads as "
                 "there are cores",
                 ranks);
    if (ranks == 1 || (step->traits.ranks && !step->traits.load_steps)) return;
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &scr_scene_items(scene, "stepper")->items[0], NULL),
             "%s runs on one rank only, but there are %d: start it without mpirun, with as many --threads as there are "
             "cores; soft and elastic run on several",
             step->traits.load_steps ? "equilibrate" : step->stepper->variant.name, ranks);
}
