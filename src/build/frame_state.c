#include "build/frame_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/sort.h"

/* What a frame says of its grains; rows in the order of ids. NULL: it does not. */
typedef struct {
    double *id, *position, *radius, *velocity, *spin, *image, *group, *material;
    size_t count;
} frame_grains;

static void grains_free(frame_grains *g)
{
    double *all[] = {g->id, g->position, g->radius, g->velocity, g->spin, g->image, g->group, g->material};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static scree_status view_read(const scr_archive *a, int frame, const char *view, bool must, double **data,
                              size_t *count, scree_report *report)
{
    int width;
    size_t rows;
    if (scr_name_is_among(scr_archive_views(a, frame), view)) {
        scree_status status = scr_archive_read(a, frame, view, data, &rows, &width, report);
        *count = rows;
        return status;
    }
    if (!must) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                    "frame %d does not contain the %s of grains, so a run cannot start from it: add it to "
                    "output.fields of the earlier run",
                    frame, view);
}

static scree_status grains_read(const scr_archive *a, int frame, frame_grains *g, scree_report *report)
{
    const struct {
        const char *view;
        bool must;
        double **data;
    } views[] = {{"id", true, &g->id},         {"position", true, &g->position},
                 {"radius", true, &g->radius}, {"velocity", true, &g->velocity},
                 {"spin", false, &g->spin},    {"image", false, &g->image},
                 {"group", false, &g->group},  {"material", false, &g->material}};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof views / sizeof *views && !status; k++)
        status = view_read(a, frame, views[k].view, views[k].must, views[k].data, &g->count, report);
    if (!status && !g->spin)
        scr_warn(report, SCR_NOWHERE,
                 "frame %d does not contain the spin of grains: they start without rotation (output.fields: spin)",
                 frame);
    return status;
}

// what a frame says nothing of
static scree_status check_world(const scr_world *w, int frame, scree_report *report)
{
    const char *what = w->cells.table.count    ? "elastic solids"
                       : w->bonds.table.count  ? "bonds"
                       : w->rigids.table.count ? "clumps or machine parts"
                                               : NULL;
    if (!what) return SCREE_OK;
    return scr_fail(
        report, SCREE_E_INPUT, SCR_NOWHERE,
        "frame %d has no checkpoint at the same step, and a frame does not contain the complete state of %s: start "
        "from the last state (--from without --frame), or write checkpoints as often as frames (output.checkpoint)",
        frame, what);
}

static ptrdiff_t row_of(const frame_grains *g, int64_t id)
{
    double wanted = (double)id;
    const double *at = g->count ? bsearch(&wanted, g->id, g->count, sizeof *g->id, scr_by_f64) : NULL;
    return at ? at - g->id : -1;
}

// a grain that left between the frame and the checkpoint: what it is made of, the frame must say
static scree_status add_gone(scr_world *w, const frame_grains *g, const bool *known, int frame, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    size_t missing = 0;
    for (size_t k = 0; k < g->count; k++) missing += !known[k];
    if (missing && !g->group)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "%zu grains of frame %d have left since, and the frame does not contain their group: add group "
                        "(and material) to output.fields of the earlier run",
                        missing, frame);
    if (!scr_table_reserve(&b->table, b->table.count + missing)) return scr_no_memory(report, "the grains of a frame");
    for (size_t k = 0; k < g->count; k++) {
        if (known[k]) continue;
        int group = (int)g->group[k];
        if (group < 0 || group >= w->group_count)
            return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "frame %d refers to group %d, which does not exist",
                            frame, group);
        int material = g->material ? (int)g->material[k] : w->groups[group].material;
        if (material < 0 || material >= w->material_count) material = w->groups[group].material;
        size_t i = scr_table_add(&b->table);
        double r = g->radius[k], mass = w->materials[material].density * (4.0 / 3 * M_PI) * r * r * r;
        b->id[i] = (int64_t)g->id[k];
        b->group[i] = group, b->material[i] = material;
        b->mass[i] = mass;
        b->motion[4 * i + 3] = 1 / mass;
        b->spin[4 * i + 3] = 1 / (0.4 * mass * r * r);
    }
    return SCREE_OK;
}

// bodies of the checkpoint that the frame does not have came later
static scree_status match(scr_world *w, const frame_grains *g, int frame, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    bool *known = calloc(g->count + 1, sizeof *known);
    if (!known) return scr_no_memory(report, "the grains of a frame");
    size_t n = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        ptrdiff_t row = row_of(g, b->id[i]);
        if (row < 0) continue;
        known[row] = true;
        if (n != i) scr_table_copy(&b->table, n, i);
        n++;
    }
    b->table.count = n;
    scree_status status = add_gone(w, g, known, frame, report);
    free(known);
    return status;
}

static void place_all(scr_world *w, const frame_grains *g)
{
    scr_bodies *b = &w->bodies;
    for (size_t i = 0; i < b->table.count; i++) {
        size_t row = (size_t)row_of(g, b->id[i]);
        for (size_t d = 0; d < 3; d++) {
            b->place[4 * i + d] = b->anchor[4 * i + d] = g->position[3 * row + d];
            b->motion[4 * i + d] = g->velocity[3 * row + d];
            b->spin[4 * i + d] = g->spin ? g->spin[3 * row + d] : 0;
            b->image[4 * i + d] = g->image ? (int32_t)g->image[3 * row + d] : 0;
            b->load[8 * i + d] = b->load[8 * i + 4 + d] = 0;
            b->drift[4 * i + d] = 0;
        }
        b->place[4 * i + 3] = b->anchor[4 * i + 3] = g->radius[row];
        b->carrier[i] = 0, b->side[i] = 0;
    }
    w->contacts.table.count = 0;
    scr_blocks_deinit(&w->blocks);
}

static void place_walls(const scr_archive *a, int frame, scr_world *w)
{
    int count;
    const scr_wall *then = scr_archive_frame_walls(a, frame, &count);
    for (int k = 0; k < w->wall_count; k++)
        for (int m = 0; m < count; m++)
            if (!strcmp(w->walls[k].name, then[m].name)) {
                w->walls[k].pose = then[m].pose;
                w->walls[k].travel = then[m].travel;
                w->walls[k].active = then[m].active;
            }
}

// a checkpoint of the same step is the whole state
static bool has_checkpoint(const scr_archive *a, int64_t step)
{
    for (int k = 0; k < scr_archive_checkpoint_count(a); k++)
        if (scr_archive_checkpoint(a, k).step == step) return true;
    return false;
}

scree_status scr_frame_state_read(const scr_archive *a, int frame, scr_world *w, scree_report *report)
{
    int frames = scr_archive_frame_count(a), number = frame < 0 ? frame + frames : frame;
    if (number < 0 || number >= frames)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no frame %d: the results have %d, counted from 0",
                        frame, frames);
    scr_frame_info info = scr_archive_frame(a, number);
    if (has_checkpoint(a, info.step)) return scr_archive_world(a, info.step, w, report);
    frame_grains g = {0};
    scree_status status = scr_archive_world(a, -1, w, report);
    if (!status) status = check_world(w, number, report);
    if (!status) status = grains_read(a, number, &g, report);
    if (!status) status = match(w, &g, number, report);
    if (!status) {
        place_all(w, &g);
        place_walls(a, number, w);
        w->clock.time = info.time, w->clock.step = info.step;
        scr_domain box = scr_archive_frame_domain(a, number);
        if (box.box.deforms) w->domain = box;
        scr_say("starting from frame %d of the results, without the history of contacts", number);
    }
    grains_free(&g);
    return status;
}
