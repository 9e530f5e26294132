#include "run/members.h"

#include <string.h>

#include "base/buffer.h"

#define NUMBERS 13 /* place with radius, velocity and spin with inverses, mass */

static void copy_row(const scr_bodies *b, size_t i, double *to)
{
    scr_copy(to, b->place + 4 * i, 4 * sizeof *to);
    scr_copy(to + 4, b->motion + 4 * i, 4 * sizeof *to);
    scr_copy(to + 8, b->spin + 4 * i, 4 * sizeof *to);
    to[12] = b->mass[i];
}

bool scr_members_note(scree_simulation *s)
{
    const scr_world *w = &s->world;
    s->noted = w->rigids.table.count ? w->bodies.table.count : 0;
    if (!scr_reserve(&s->members, NUMBERS * s->noted)) return false;
    for (size_t i = 0; i < s->noted; i++)
        if (scr_is_member(w, i)) copy_row(&w->bodies, i, s->members + NUMBERS * i);
    return true;
}

static void restore_row(scr_bodies *b, size_t i, const double *from)
{
    scr_copy(b->place + 4 * i, from, 4 * sizeof *from);
    scr_copy(b->motion + 4 * i, from + 4, 4 * sizeof *from);
    scr_copy(b->spin + 4 * i, from + 8, 4 * sizeof *from);
    b->mass[i] = from[12];
}

scree_status scr_members_check(scree_simulation *s, scree_report *report)
{
    scr_world *w = &s->world;
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < s->noted; i++) {
        const double *before = s->members + NUMBERS * i;
        double now[NUMBERS];
        if (!scr_is_member(w, i)) continue;
        copy_row(&w->bodies, i, now);
        if (!memcmp(now, before, sizeof now)) continue;
        restore_row(&w->bodies, i, before);
        if (!status)
            status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                              "grain %lld was changed, but is a sphere of a clump and moves with it; push it, or "
                              "prescribe the motion of clumps in the scene",
                              (long long)w->bodies.id[i]);
    }
    return status;
}

void scr_members_leave(scr_world *w, const uint32_t *new_row)
{
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (scr_is_member(w, i) && new_row[i] == UINT32_MAX)
            w->rigids.source[scr_carrier_rigid(w, w->bodies.carrier[i])] = SCR_RIGID_GONE;
}

// clumps as they were: their source is the group of their spheres
static void stay(scr_world *w, const uint32_t *new_row)
{
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (scr_is_member(w, i) && new_row[i] == UINT32_MAX)
            w->rigids.source[scr_carrier_rigid(w, w->bodies.carrier[i])] = w->bodies.group[i];
}

scree_status scr_members_whole(scr_world *w, const uint32_t *new_row, scree_report *report)
{
    scree_status status = SCREE_OK;
    scr_members_leave(w, new_row);
    for (size_t i = 0; i < w->bodies.table.count && !status; i++) {
        if (!scr_is_member(w, i) || new_row[i] == UINT32_MAX) continue;
        if (w->rigids.source[scr_carrier_rigid(w, w->bodies.carrier[i])] == SCR_RIGID_GONE)
            status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                              "grain %lld stays, but other spheres of its clump are to be removed: a clump can only be "
                              "removed as a whole",
                              (long long)w->bodies.id[i]);
    }
    stay(w, new_row);
    return status;
}
