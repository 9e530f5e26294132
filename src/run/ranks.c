#include "run/ranks.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "build/schema.h"
#include "build/simulation.h"
#include "exec/cpu/threads.h"
#include "observe/pieces.h"
#include "step/soft/ranks.h"

int scr_ranks_threads(void)
{
    const scr_comm *c = scr_comm_world();
    cpu_set_t allowed;
    if (c->size < 2 || getenv("OMP_NUM_THREADS")) return 0;
    int cores = sched_getaffinity(0, sizeof allowed, &allowed) ? 1 : CPU_COUNT(&allowed);
    int share = (int)sysconf(_SC_NPROCESSORS_ONLN) / c->node_size;
    if (share < 1) share = 1;
    return share < cores ? share : cores;
}

// a world of the scene that rank 0 sends, until its run is closed
static void serve(scr_comm *c, const soft_order *order)
{
    char *path = NULL, *text = NULL;
    scree_simulation sim = {0};
    scree_report report;
    scree_report_init(&report);
    if (!scr_soft_order_scene(c, order, &path, &text)) scr_comm_abort(1, "no memory for the scene");
    scr_threads_set(order->threads);
    scr_scene *scene = scr_scene_parse(text, path, scr_schema_get(), NULL, 0, &report);
    scree_status status = scene ? scr_simulation_stage(scene, &sim, &report) : SCREE_E_INPUT;
    sim.step.world = &sim.world;
    sim.step.part_work = scr_pieces_carry_out;
    scr_soft_ranks_serve(c, &sim.step, order, status, &report);
    if (scene) scr_world_deinit(&sim.world), scr_scene_destroy(scene);
    scree_report_deinit(&report);
    free(path), free(text);
}

static void dismiss(void)
{
    scr_comm *c = scr_comm_world();
    if (c->size > 1) scr_soft_ranks_dismiss(c);
    scr_comm_leave();
}

bool scree_ranks_serve(void)
{
    scr_comm *c = scr_comm_world();
    if (c->rank == 0) {
        atexit(dismiss);
        return false;
    }
    // signals are for rank 0, which ends the run in order
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    scr_log_quiet(true);
    for (;;) {
        soft_order order = {0};
        scr_comm_broadcast(c, &order, sizeof order);
        if (order.kind == SOFT_ORDER_QUIT) break;
        if (order.kind == SOFT_ORDER_OPEN) serve(c, &order);
    }
    scr_comm_leave();
    return true;
}

int scree_ranks(void)
{
    return scr_comm_world()->size;
}
