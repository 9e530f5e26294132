/* Which bodies can meet, and how long their contacts take: the ground of all derived numbers. */
#include <math.h>

#include "build/build.h"
#include "kernel/contact.h"
#include "math/elementary.h"

// the kinds of one material that exist: smallest and largest that move, the same of those that
// never do, and walls
static int kinds_of(const scr_sizes *s, double mass[5], double radius[5])
{
    int n = 0;
    for (int k = 0; k < 2 && s->count; k++)
        if (!k || s->radius[1] > s->radius[0] || s->mass[1] > s->mass[0])
            mass[n] = s->mass[k], radius[n++] = s->radius[k];
    for (int k = 0; k < 2 && s->fixed; k++)
        if (!k || s->fixed_radius[1] > s->fixed_radius[0]) mass[n] = INFINITY, radius[n++] = s->fixed_radius[k];
    if (s->wall) mass[n] = radius[n] = INFINITY, n++;
    return n;
}

// bodies that nothing can push, and one of them moves as prescribed: with their own masses
static int held_meetings(const scr_sizes *a, const scr_sizes *b, scr_meeting *meetings)
{
    if (!(a->driven && b->fixed) && !(b->driven && a->fixed)) return 0;
    for (int k = 0; k < 2; k++)
        meetings[k] = (scr_meeting){{a->fixed_mass[k], b->fixed_mass[k]}, {a->fixed_radius[k], b->fixed_radius[k]}};
    return a->fixed_radius[1] > a->fixed_radius[0] || b->fixed_radius[1] > b->fixed_radius[0] ? 2 : 1;
}

int scr_meetings_of(const scr_sizes *sizes, int a, int b, scr_meeting meetings[SCR_MEETINGS])
{
    double mass[2][5], radius[2][5];
    int na = kinds_of(&sizes[a], mass[0], radius[0]), nb = kinds_of(&sizes[b], mass[1], radius[1]);
    int count = 0;
    for (int i = 0; i < na; i++)
        for (int j = a == b ? i : 0; j < nb; j++)
            if (isfinite(mass[0][i]) || isfinite(mass[1][j]))
                meetings[count++] = (scr_meeting){{mass[0][i], mass[1][j]}, {radius[0][i], radius[1][j]}};
    return count ? count : held_meetings(&sizes[a], &sizes[b], meetings);
}

double scr_meeting_mass(const scr_meeting *m)
{
    return 1 / (1 / m->mass[0] + 1 / m->mass[1]);
}

double scr_meeting_radius(const scr_meeting *m)
{
    return 1 / (1 / m->radius[0] + 1 / m->radius[1]);
}

double scr_meeting_smaller(const scr_meeting *m)
{
    return fmin(m->radius[0], m->radius[1]);
}

void scr_meeting_name(const scr_meeting *m, char *text, size_t size)
{
    char side[2][40];
    for (int k = 0; k < 2; k++)
        if (isinf(m->radius[k]))
            snprintf(side[k], sizeof side[k], "wall");
        else
            snprintf(side[k], sizeof side[k], "d %.3g m%s", 2 * m->radius[k], isinf(m->mass[k]) ? " fixed" : "");
    snprintf(text, size, "%s on %s", side[0], side[1]);
}

/* ---- times ---- */

// 1/I_i + 1/I_j of solid spheres; what cannot move has none
static double inverse_inertia(const scr_meeting *m)
{
    double sum = 0;
    for (int k = 0; k < 2; k++)
        if (isfinite(m->mass[k])) sum += 2.5 / (m->mass[k] * m->radius[k] * m->radius[k]);
    return sum;
}

double scr_meeting_time(const scr_law *law, const scr_meeting *m, const char **what)
{
    double mass = scr_meeting_mass(m), radius = scr_meeting_radius(m), inertia = inverse_inertia(m);
    // springs that grow with the contact radius: as at the largest overlap
    double a = 1;
    if (scr_law_hertz_radius(law)) a = hertz_radius(radius, scr_law_overlap(law, mass, radius, law->speed));
    const double times[] = {
        scr_law_needs_speed(law) && !(law->speed > 0) ? INFINITY : scr_law_normal(law)->shortest(law, mass, radius),
        scr_law_cohesion(law)->time(law, mass, radius), rolling_time(law, a, radius, inertia),
        twisting_time(law, a, radius, inertia)};
    static const char *const names[] = {"contact", "adhesive contact", "rolling", "twisting"};
    int shortest = 0;
    for (int k = 1; k < 4; k++)
        if (times[k] < times[shortest]) shortest = k;
    *what = names[shortest];
    return times[shortest];
}

scr_shortest scr_shortest_contact(const scr_world *w, const scr_sizes *sizes)
{
    scr_shortest s = {.time = INFINITY, .what = "contact"};
    scr_meeting meetings[SCR_MEETINGS];
    for (int a = 0; a < w->material_count; a++)
        for (int b = a; b < w->material_count; b++) {
            int count = scr_meetings_of(sizes, a, b, meetings);
            for (int k = 0; k < count; k++) {
                const char *what;
                double time = scr_meeting_time(scr_world_law(w, a, b), &meetings[k], &what);
                if (time < s.time) s = (scr_shortest){time, {a, b}, what, meetings[k]};
            }
        }
    return s;
}
