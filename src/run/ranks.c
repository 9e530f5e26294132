#include "run/ranks.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "build/divided.h"
#include "build/schema.h"
#include "exec/cpu/threads.h"
#include "observe/pieces.h"
#include "run/simulation.h"
#include "step/soft/ranks.h"

int scr_ranks_threads(void)
{
    const scr_comm *c = scr_comm_world();
    cpu_set_t allowed;
    if (c->size < 2 || getenv("OMP_NUM_THREADS")) return 0;
    int cores = sched_getaffinity(0, sizeof allowed, &allowed) ? 1 : CPU_COUNT(&allowed);
    int share = c->cores / c->node_size;
    if (share < 1) share = 1;
    return share < cores ? share : cores;
}

/* ---- worlds that are divided while they are made ---- */

#define TEXTS 4 /* of a definition: resume, from, device, stage */

/* How a world is to be made, for other ranks. */
typedef struct {
    scree_simulation_def def;
    bool given[TEXTS];
    char texts[TEXTS][4096];
} start_order;

static const char **text_of(scree_simulation_def *def, int k)
{
    const char **const texts[TEXTS] = {&def->resume, &def->from, &def->device, &def->stage};
    return texts[k];
}

// false: some text is too long
static bool pack_start(const scree_simulation_def *def, start_order *order)
{
    *order = (start_order){.def = *def};
    for (int k = 0; k < TEXTS; k++) {
        const char *text = *text_of(&order->def, k);
        order->given[k] = text;
        if (text && strlen(text) >= sizeof order->texts[k]) return false;
        if (text) strcpy(order->texts[k], text);
    }
    return true;
}

void scr_ranks_start(const scr_scene *scene, const scree_simulation_def *def, scree_simulation *s)
{
    scr_comm *c = scr_comm_world();
    const scr_step step = scr_step_choose(scene, def->statics);
    start_order order;
    char text[160];
    if (c->size < 2 || !step.traits.ranks) return;
    const char *lack = scr_divided_lack(scene, def, text, sizeof text);
    if (!lack && !pack_start(def, &order)) lack = "a path of this length";
    if (lack) {
        scr_say("rank 0 makes all grains and distributes them: %s cannot be set up by several ranks", lack);
        return;
    }
    scr_soft_order_send(c, (soft_order){.kind = SOFT_ORDER_BUILD}, scene);
    scr_comm_broadcast(c, &order, sizeof order);
    if (!scr_divided_begin(&s->world)) scr_comm_no_memory("a part of the world");
}

/* ---- other ranks ---- */

/* A world that this rank has, or has its part of. */
typedef struct {
    scr_scene *scene;
    scree_simulation simulation;
    scree_report report;
    scree_status status;
} guest;

static void receive_scene(scr_comm *c, const soft_order *order, guest *g)
{
    char *path = NULL, *text = NULL;
    *g = (guest){.status = SCREE_E_INPUT};
    scree_report_init(&g->report);
    if (!scr_soft_order_scene(c, order, &path, &text)) scr_comm_no_memory("the scene");
    scr_threads_set(order->threads);
    g->scene = scr_scene_parse(text, path, scr_schema_get(), NULL, 0, &g->report);
    free(path), free(text);
}

static void dismiss_guest(guest *g)
{
    if (g->scene) {
        scr_divided_end(&g->simulation.world);
        scr_pairs_deinit(&g->simulation.step.pairs);
        scr_world_deinit(&g->simulation.world);
        scr_scene_destroy(g->scene);
    }
    scree_report_deinit(&g->report);
    *g = (guest){0};
}

// this rank's part of a world, together with all others
static void make(scr_comm *c, const soft_order *order, guest *g)
{
    start_order start;
    receive_scene(c, order, g);
    scr_comm_broadcast(c, &start, sizeof start);
    if (!g->scene || !scr_divided_begin(&g->simulation.world)) scr_comm_no_memory("a part of the world");
    for (int k = 0; k < TEXTS; k++) *text_of(&start.def, k) = start.given[k] ? start.texts[k] : NULL;
    start.def.quiet = true;
    g->status = scr_simulation_prepare(g->scene, &start.def, &g->simulation, &g->report);
    if (g->status) dismiss_guest(g);
}

// a world of the scene that rank 0 sends, until its run is closed
static void serve(scr_comm *c, const soft_order *order, guest *made)
{
    guest own = {0}, *g = order->made ? made : &own;
    if (!order->made) dismiss_guest(made);
    receive_scene(c, order, &own); // where it is made already, it is the same
    if (order->made)
        scr_scene_destroy(own.scene);
    else if (own.scene)
        own.status = scr_simulation_stage(own.scene, &own.simulation, &own.report);
    scree_simulation *s = &g->simulation;
    s->step.world = &s->world;
    s->step.rank_work = scr_pieces_carry_out;
    scr_soft_ranks_serve(c, &s->step, order, g->status, &g->report);
    s->world.share = NULL;
    s->step.pairs = (scr_pairs){0};
    dismiss_guest(g);
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
    guest made = {0};
    for (;;) {
        soft_order order = {0};
        scr_comm_broadcast(c, &order, sizeof order);
        if (order.kind == SOFT_ORDER_QUIT) break;
        if (order.kind == SOFT_ORDER_BUILD) dismiss_guest(&made), make(c, &order, &made);
        if (order.kind == SOFT_ORDER_OPEN) serve(c, &order, &made);
    }
    dismiss_guest(&made);
    scr_comm_leave();
    return true;
}

int scree_ranks(void)
{
    return scr_comm_world()->size;
}
