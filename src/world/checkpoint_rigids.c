/* Parts and joints in HDF5; what joints are is in the scene, here is their state. */
#include <math.h>
#include <stdlib.h>

#include "world/checkpoint_items.h"

/* ---- parts ---- */

scree_status scr_parts_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/parts");
    for (int k = 0; !status && k < world->part_count; k++) {
        char *path = scr_item_write(file, "/parts", world->parts[k].name, k);
        if (!path) return scr_h5_no_memory(file, "/parts");
        free(path);
    }
    return status;
}

static scree_status part_read(const scr_h5 *file, const char *path, int index, char *name, int unused, scr_world *world)
{
    (void)file, (void)path, (void)unused;
    world->parts[index].name = name;
    return SCREE_OK;
}

scree_status scr_parts_read(const scr_h5 *file, scr_world *world)
{
    return scr_items_read(file, "/parts", (void **)&world->parts, sizeof *world->parts, &world->part_count, part_read,
                          0, world);
}

/* ---- joints ---- */

static const struct {
    const char *name;
    size_t offset;
    int count;
} joint_state[] = {
#define F(member, count) {#member, offsetof(scr_joint, member), count},
    SCR_JOINT_STATE(F)
#undef F
};
#define JOINT_STATE (sizeof joint_state / sizeof *joint_state)

scree_status scr_joints_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/joints");
    for (int k = 0; !status && k < world->joint_count; k++) {
        const scr_joint *joint = &world->joints[k];
        char *path = scr_item_write(file, "/joints", joint->name, k);
        if (!path) return scr_h5_no_memory(file, "/joints");
        scr_h5_set_i64(file, path, "kind", &(int64_t){joint->kind}, 1);
        for (size_t n = 0; n < JOINT_STATE; n++)
            status =
                scr_h5_set_f64(file, path, joint_state[n].name,
                               (const double *)((const char *)joint + joint_state[n].offset), joint_state[n].count);
        free(path);
    }
    return status;
}

static scree_status joint_read(const scr_h5 *file, const char *path, int index, char *name, int unused,
                               scr_world *world)
{
    scr_joint *joint = &world->joints[index];
    int64_t kind = -1;
    (void)unused;
    joint->name = name;
    scree_status status = scr_h5_get_i64(file, path, "kind", &kind, 1);
    if (!status && (kind < SCR_JOINT_BALL || kind > SCR_JOINT_LOCK))
        status = scr_h5_wrong(file, path, "has an unknown kind");
    joint->kind = (int)kind;
    for (size_t n = 0; !status && n < JOINT_STATE; n++) {
        double *value = (double *)((char *)joint + joint_state[n].offset);
        status = scr_h5_get_f64(file, path, joint_state[n].name, value, joint_state[n].count);
        for (int c = 0; !status && c < joint_state[n].count; c++)
            if (!isfinite(value[c])) status = scr_h5_wrong(file, path, "has a number that is not finite");
    }
    return status;
}

scree_status scr_joints_read(const scr_h5 *file, scr_world *world)
{
    return scr_items_read(file, "/joints", (void **)&world->joints, sizeof *world->joints, &world->joint_count,
                          joint_read, 0, world);
}

/* ---- what a step relies on ---- */

static const char *rigid_fault(const scr_world *w, size_t k)
{
    const scr_rigids *r = &w->rigids;
    const double *m = r->inertia + 4 * k, *q = r->turn + 4 * k;
    if (!(r->centre[4 * k + 3] > 0) || !(r->velocity[4 * k + 3] > 0)) return "has a mass that is not positive";
    if (!(m[0] > 0) || !(m[1] > 0) || !(m[2] > 0)) return "has an inertia that is not positive";
    double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(length - 1) < 1e-6)) return "has a quaternion that is not of unit length";
    if (r->kind[k] < SCR_RIGID_PART || r->kind[k] > SCR_RIGID_AGGREGATE) return "has an unknown kind";
    if ((k < (size_t)w->part_count) != (r->kind[k] == SCR_RIGID_PART)) return "does not begin with its parts";
    return NULL;
}

scree_status scr_rigids_check(const scr_h5 *file, const scr_world *w)
{
    if (w->rigids.table.count < (size_t)w->part_count || w->rigids.table.count > SCR_MOST_BODIES)
        return scr_h5_wrong(file, "/rigids", "has an impossible count");
    for (size_t k = 0; k < w->rigids.table.count; k++) {
        const char *fault = rigid_fault(w, k);
        if (fault) return scr_h5_wrong(file, "/rigids", fault);
    }
    for (int k = 0; k < w->wall_count; k++)
        if (w->walls[k].carried && w->walls[k].carrier >= w->part_count)
            return scr_h5_wrong(file, "/walls", "refers to a part that does not exist");
    return SCREE_OK;
}
