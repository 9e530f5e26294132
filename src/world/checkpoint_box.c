/* A box that deforms, in HDF5: what a picture needs of it, in results too, and what steps need. */
#include <math.h>

#include "world/checkpoint.h"

#define SHAPE  "/domain/box"
#define STATE  "/domain/box_state"
#define SERVOS "/domain/box_servos"

static const scr_h5_set shape_set = {SHAPE, SCR_H5_F64, 3 + SCR_BOX_PARTS, "m, m/s",
                                     "offsets xy, xz, yz of the images across a side, and how fast lengths x, y, z and "
                                     "these offsets change; present where the domain deforms"};
static const scr_h5_set state_set = {STATE, SCR_H5_F64, sizeof(scr_box_state) / sizeof(double), "m, N m, m/s",
                                     "what a box that deforms remembers"};
static const scr_h5_set servo_set = {SERVOS, SCR_H5_F64, SCR_SERVO_STATE_WIDTH, "Pa, 1, s, Pa s",
                                     "what the servos of its stresses remember, as those of walls, by xx, yy, zz, xy, "
                                     "xz, yz"};

scree_status scr_box_shape_write(scr_h5 *file, const scr_domain *d)
{
    double row[3 + SCR_BOX_PARTS];
    if (!d->box.deforms) return SCREE_OK;
    for (int k = 0; k < 3; k++) row[k] = d->box.tilt[k];
    for (int k = 0; k < SCR_BOX_PARTS; k++) row[3 + k] = d->box.speed[k];
    return scr_h5_write(file, &shape_set, 1, row);
}

static scree_status check(const scr_h5 *file, const char *path, const double *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(numbers[k])) return scr_h5_wrong(file, path, "has numbers that are not finite");
    return SCREE_OK;
}

scree_status scr_box_shape_read(const scr_h5 *file, scr_domain *d)
{
    double row[3 + SCR_BOX_PARTS];
    d->box = (scr_box){0};
    if (!scr_h5_has(file, SHAPE)) return SCREE_OK;
    scree_status status = scr_h5_read(file, &shape_set, 1, row);
    if (!status) status = check(file, SHAPE, row, 3 + SCR_BOX_PARTS);
    if (status) return status;
    d->box.deforms = true;
    for (int k = 0; k < 3; k++) d->box.tilt[k] = row[k];
    for (int k = 0; k < SCR_BOX_PARTS; k++) d->box.speed[k] = row[3 + k];
    return SCREE_OK;
}

scree_status scr_box_write(scr_h5 *file, const scr_world *w)
{
    if (!w->domain.box.deforms) return SCREE_OK;
    scree_status status = scr_h5_write(file, &state_set, 1, &w->box.now);
    return status ? status : scr_h5_write(file, &servo_set, SCR_BOX_PARTS, w->box.held);
}

scree_status scr_box_read(const scr_h5 *file, scr_world *w)
{
    if (!w->domain.box.deforms) return SCREE_OK;
    scree_status status = scr_h5_read(file, &state_set, 1, &w->box.now);
    if (!status) status = scr_h5_read(file, &servo_set, SCR_BOX_PARTS, w->box.held);
    if (!status) status = check(file, STATE, (const double *)&w->box.now, sizeof w->box.now / sizeof(double));
    if (!status)
        status = check(file, SERVOS, (const double *)w->box.held, SCR_BOX_PARTS * (size_t)SCR_SERVO_STATE_WIDTH);
    for (int d = 0; d < 3 && !status; d++)
        if (!((&w->domain.upper.x)[d] > (&w->domain.lower.x)[d]) || !(w->box.now.start[d] > 0) ||
            !(w->box.now.listed_upper[d] > w->box.now.listed_lower[d]))
            status = scr_h5_wrong(file, STATE, "has a box without volume");
    return status;
}
