#include "world/drive.h"

#include <math.h>

#include "math/elementary.h"

// T: how long the motion has lasted at time t
static double lasted(const scr_drive *m, double t)
{
    double end = t < m->until ? t : m->until;
    return end > m->since ? end - m->since : 0;
}

static vec3 centre_at(const scr_drive *m, double T)
{
    vec3 c = v3_axpy(m->point, T, m->velocity);
    if (m->amplitude == 0) return c;
    double swing = scr_sin(2 * M_PI * m->frequency * T + m->phase) - scr_sin(m->phase);
    return v3_axpy(c, m->amplitude * swing, m->direction);
}

// rows of the turn by `angle` about the unit vector n (Rodrigues)
static void turn(vec3 n, double angle, vec3 row[3])
{
    double c = scr_cos(angle), s = scr_sin(angle), k = 1 - c;
    row[0] = v3(c + k * n.x * n.x, k * n.x * n.y - s * n.z, k * n.x * n.z + s * n.y);
    row[1] = v3(k * n.y * n.x + s * n.z, c + k * n.y * n.y, k * n.y * n.z - s * n.x);
    row[2] = v3(k * n.z * n.x - s * n.y, k * n.z * n.y + s * n.x, c + k * n.z * n.z);
}

scr_drive_step scr_drive_over(const scr_drive *m, double t, double dt)
{
    double a = lasted(m, t), b = lasted(m, t + dt);
    scr_drive_step step = {.centre = {centre_at(m, a), centre_at(m, b)}};
    turn(m->axis, m->rate * (b - a), step.row);
    step.spin = v3_scale(m->rate * (b - a) / dt, m->axis);
    return step;
}

static bool is_on(const scr_drive *m, double t)
{
    return t >= m->since && t < m->until;
}

vec3 scr_drive_spin(const scr_drive *m, double t)
{
    return v3_scale(is_on(m, t) ? m->rate : 0, m->axis);
}

vec3 scr_drive_velocity(const scr_drive *m, double t, vec3 x)
{
    if (!is_on(m, t)) return v3(0, 0, 0);
    double T = lasted(m, t), circular = 2 * M_PI * m->frequency;
    vec3 v = v3_axpy(m->velocity, m->amplitude * circular * scr_cos(circular * T + m->phase), m->direction);
    return v3_add(v, v3_cross(scr_drive_spin(m, t), v3_sub(x, centre_at(m, T))));
}

double scr_drive_fastest(const scr_drive *m, double t, vec3 x)
{
    vec3 r = v3_cross(m->axis, v3_sub(x, centre_at(m, lasted(m, t))));
    return v3_norm(m->velocity) + fabs(m->rate) * v3_norm(r) + 2 * M_PI * m->frequency * fabs(m->amplitude);
}
