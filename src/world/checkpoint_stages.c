/* Stages of a run in HDF5: each a group of its name, with its number, step and time. */
#include <math.h>
#include <stdlib.h>

#include "world/checkpoint_items.h"

#define STAGES "/stages"

scree_status scr_stages_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = world->stage_count ? scr_h5_group(file, STAGES) : SCREE_OK;
    for (int k = 0; !status && k < world->stage_count; k++) {
        const scr_stage *s = &world->stages[k];
        char *path = scr_item_write(file, STAGES, s->name, k);
        if (!path) return scr_h5_no_memory(file, STAGES);
        scr_h5_set_i64(file, path, "step", &s->step, 1);
        scr_h5_set_f64(file, path, "time", &s->time, 1);
        status = scr_h5_set_text(file, path, "unit", "time s");
        free(path);
    }
    return status;
}

static scree_status stage_read(const scr_h5 *file, const char *path, int index, char *name, int material_count,
                               scr_world *world)
{
    scr_stage *s = &world->stages[index];
    (void)material_count;
    s->name = name;
    scree_status status = scr_h5_get_i64(file, path, "step", &s->step, 1);
    if (!status) status = scr_h5_get_f64(file, path, "time", &s->time, 1);
    if (!status && (!isfinite(s->time) || s->step < 0))
        status = scr_h5_wrong(file, path, "has an invalid step or time");
    return status;
}

scree_status scr_stages_read(const scr_h5 *file, scr_world *world)
{
    if (!scr_h5_has(file, STAGES)) return SCREE_OK;
    return scr_items_read(file, STAGES, (void **)&world->stages, sizeof *world->stages, &world->stage_count, stage_read,
                          0, world);
}
