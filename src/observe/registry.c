/* All observers. A new one adds its line here and its file beside. */
#include <string.h>

#include "observe/bonds.h"
#include "observe/box.h"
#include "observe/coordination.h"
#include "observe/count.h"
#include "observe/flow.h"
#include "observe/fragments.h"
#include "observe/joints.h"
#include "observe/ledger.h"
#include "observe/pile.h"
#include "observe/ports.h"
#include "observe/probe.h"
#include "observe/profile.h"
#include "observe/receiver.h"
#include "observe/repose.h"
#include "observe/solids.h"
#include "observe/solver.h"
#include "observe/stress.h"
#include "observe/walls.h"

const scr_observer *const scr_observers[] = {&scr_ledger_observer,
                                             &scr_probe_observer,
                                             &scr_coordination_observer,
                                             &scr_profile_observer,
                                             &scr_grid_observer,
                                             &scr_fields_observer,
                                             &scr_stress_observer,
                                             &scr_flow_observer,
                                             &scr_heap_observer,
                                             &scr_slope_observer,
                                             &scr_pile_observer,
                                             &scr_tops_observer,
                                             &scr_walls_observer,
                                             &scr_joints_observer,
                                             &scr_bonds_observer,
                                             &scr_ports_observer,
                                             &scr_solver_observer,
                                             &scr_receiver_observer,
                                             &scr_solid_observer,
                                             &scr_supports_observer,
                                             &scr_loads_observer,
                                             &scr_count_observer,
                                             &scr_fragments_observer,
                                             &scr_box_observer,
                                             NULL};

const scr_observer *scr_observer_find(const char *name)
{
    for (int k = 0; scr_observers[k]; k++)
        if (!strcmp(scr_observers[k]->variant.name, name)) return scr_observers[k];
    return NULL;
}
