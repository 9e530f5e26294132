#include "world/joint.h"

#include <math.h>
#include <stdlib.h>

#include "math/elementary.h"

void scr_joint_deinit(scr_joint *joint)
{
    free(joint->name);
    free(joint->motor);
}

static vec3 centre_of(const scr_rigids *r, int body)
{
    return body == SCR_GROUND ? v3(0, 0, 0) : v3_load(r->centre + 4 * (size_t)body);
}

static quat turn_of(const scr_rigids *r, int body)
{
    return body == SCR_GROUND ? quat_one() : quat_load(r->turn + 4 * (size_t)body);
}

void scr_joint_place(scr_joint *j, const scr_rigids *r, vec3 point, vec3 axis)
{
    quat q[2];
    for (int s = 0; s < 2; s++) {
        q[s] = turn_of(r, j->body[s]);
        j->point[s] = quat_turn_back(q[s], v3_sub(point, centre_of(r, j->body[s])));
        j->axis[s] = quat_turn_back(q[s], v3_unit(axis));
    }
    j->rest = quat_mul(quat_conjugate(q[0]), q[1]);
}

scr_joint_end scr_joint_end_of(const scr_joint *j, const scr_rigids *r, int side)
{
    scr_joint_end e = {.centre = centre_of(r, j->body[side]), .turn = turn_of(r, j->body[side])};
    e.arm = quat_turn(e.turn, j->point[side]);
    return e;
}

// the turn of b against a since the start, in a's frame; the nearest to the last angle
static double angle_of(const scr_joint *j, const scr_rigids *r)
{
    quat a = turn_of(r, j->body[0]), b = turn_of(r, j->body[1]);
    quat e = quat_mul(quat_mul(quat_conjugate(a), b), quat_conjugate(j->rest));
    double angle = 2 * scr_atan2(v3_dot(v3(e.x, e.y, e.z), j->axis[0]), e.w);
    return angle + 2 * M_PI * round((j->coordinate[0] - angle) / (2 * M_PI));
}

double scr_joint_coordinate(const scr_joint *j, const scr_rigids *r)
{
    if (j->kind == SCR_JOINT_HINGE) return angle_of(j, r);
    if (j->kind != SCR_JOINT_SLIDER) return 0;
    scr_joint_end a = scr_joint_end_of(j, r, 0), b = scr_joint_end_of(j, r, 1);
    vec3 d = v3_sub(v3_add(b.centre, b.arm), v3_add(a.centre, a.arm));
    return v3_dot(d, quat_turn(a.turn, j->axis[0]));
}

double scr_joint_target(const scr_joint *j, double time)
{
    int n = j->motor_rows;
    const double(*row)[2] = (const double(*)[2])j->motor;
    if (!n) return 0;
    if (time <= row[0][0]) return row[0][1];
    for (int k = 1; k < n; k++) {
        if (time > row[k][0]) continue;
        double part = (time - row[k - 1][0]) / (row[k][0] - row[k - 1][0]);
        return row[k - 1][1] + part * (row[k][1] - row[k - 1][1]);
    }
    return row[n - 1][1];
}
