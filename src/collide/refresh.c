/* Keeping the neighbour list true while bodies move. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/box.h"
#include "collide/leaving.h"
#include "collide/pairs.h"
#include "collide/save.h"
#include "collide/speeds.h"
#include "collide/stay.h"
#include "comm/share.h"
#include "exec/reduce.h"
#include "world/energy.h"

#define SHORTEST_LIFE 8 /* steps: a list that looks ahead shall last as long */

static double fastest_wall(const scr_pairs *p, const scr_world *w)
{
    double fastest = 0;
    for (int k = 0; k < p->walls.extent_count; k++) {
        const scr_wall_extent *e = &p->walls.extents[k];
        fastest = fmax(fastest,
                       scr_wall_fastest(&w->walls[k], e->lower, e->upper, w->clock.time - w->clock.dt, w->clock.time));
    }
    return fastest;
}

static void anchor_rows(void *bodies, size_t from, size_t to)
{
    scr_bodies *b = bodies;
    scr_copy(b->anchor + 4 * from, b->place + 4 * from, 4 * (to - from) * sizeof *b->anchor);
    for (size_t i = from; i < to; i++) {
        memcpy(b->drift + 4 * i, b->motion + 4 * i, 3 * sizeof *b->drift);
        b->drift[4 * i + 3] = 0;
    }
}

static void halt_rows(void *bodies, size_t from, size_t to)
{
    scr_bodies *b = bodies;
    scr_clear(b->drift + 4 * from, 4 * (to - from) * sizeof *b->drift);
}

// Bodies are expected to go on as they do. The horizon follows how long lists have lasted that were used up: longer
// while they reach it, little more than their life when bodies leave their slack before. In a box too small to
// look ahead for `least` bodies are expected to rest, and the slack alone decides. How fast drifts differ at most.
static double set_anchors(scr_pairs *p, scr_world *w, bool used_up, double least)
{
    scr_bodies *b = &w->bodies;
    scr_clock *c = &w->clock;
    size_t n = b->table.count;
    scr_each_rows(n, anchor_rows, b);
    double life = c->time - c->listed;
    if (!(c->horizon > 0) || c->rebuilds <= 1)
        c->horizon = 32 * c->dt;
    else if (used_up)
        c->horizon = life > c->horizon ? 2 * c->horizon : fmax(1.25 * life, 4 * c->dt);
    c->listed = c->time, c->horizon = fmax(c->horizon, c->dt);
    scr_box_list(w, false);
    double room = scr_room_to_sweep(w), fastest = scr_fastest_relative(w);
    double drift = w->wall_count ? scr_fastest_from(w, v3(0, 0, 0)) : 0;
    p->stride = c->dt * fmax(fastest, drift + fastest_wall(p, w));
    // walls are listed as far as a body gets: about its diameter
    double far = fmax(fastest, 0.5 * drift);
    if (far * c->horizon <= room) return fastest;
    c->horizon = room / far;
    if (c->horizon >= least) return fastest;
    scr_each_rows(n, halt_rows, b);
    scr_box_list(w, true);
    c->horizon = 1e6 * c->dt;
    return 0;
}

/* ---- lists ---- */

static void displaced_rows(void *bodies, size_t from, size_t to, void *part)
{
    const scr_bodies *b = bodies;
    bool *any = part;
    *any |= memcmp(b->anchor + 4 * from, b->place + 4 * from, 4 * (to - from) * sizeof *b->place) != 0;
}

// whether the list, which was built for the checks of a scene, holds for a run that begins
static bool is_built(const scr_pairs *p, scr_world *w)
{
    int a, b;
    // room for wide histories comes after the checks
    bool displaced = w->clock.rebuilds || w->share || w->contacts.table.count || scr_contacts_are_wide(&w->contacts) ||
                     scr_world_held_groups(w, &a, &b) || !scr_pairs_have_rows(p, w) ||
                     p->grid.skin != p->range + w->clock.skin;
    for (int k = 0; k < w->wall_count; k++)
        displaced |= memcmp(&w->walls[k].anchor, &w->walls[k].pose, sizeof w->walls[k].pose) != 0;
    return !displaced && !scr_reduce_any(w->bodies.table.count, displaced_rows, &w->bodies);
}

// tidied bodies and a new list; world->contacts must be current. After SCREE_E_RUN the list is whole all the same, so
// that the step can be finished and the state kept.
static scree_status tidy_and_list(scr_pairs *p, scr_world *w, scr_tidy how, bool used_up, double least,
                                  scree_report *report)
{
    how.springs = true;
    scree_status lost = scr_world_tidy(p, w, how, report);
    if (lost && lost != SCREE_E_RUN) return lost;
    bool built = is_built(p, w);
    w->clock.rebuilds++;

    double fastest = set_anchors(p, w, used_up, least > 0 ? least : SHORTEST_LIFE * w->clock.dt);
    if (how.leave || how.recut) p->stride = 0; // between two steps nothing has moved since contacts were found
    for (int k = 0; k < w->wall_count; k++) w->walls[k].anchor = w->walls[k].pose;
    // nothing moves: it looks as far ahead as a new one
    if (built && scr_fastest_from(w, v3(0, 0, 0)) == 0) return lost;
    scree_status status = scr_pairs_build_within(p, w, fastest, report);
    return status ? status : lost;
}

// contacts of bodies may stay in the list where no body leaves, and none changes ranks; those with walls are few
static bool can_stay(const scr_world *w)
{
    return !scr_contacts_are_wide(&w->contacts);
}

static scree_status keep_contacts(scr_pairs *p, scr_world *w, bool stay, scree_report *report)
{
    const scr_pairs walls = {.walls = p->walls};
    scree_status status =
        scr_share_must(w->share, scr_pairs_save_rows(stay ? &walls : p, w, w->share != NULL, report), report);
    if (!status && stay) scr_stay_pack(p);
    return status;
}

scree_status scr_pairs_adopt(scr_pairs *p, scr_world *w, scree_report *report)
{
    scr_tidy how = {.wrap = true, .sort = true, .leave = true};
    // contacts that ranks have read in parts reach the owners of their bodies before any of those leaves
    if (w->share && w->share->has_aside) {
        scree_status status = tidy_and_list(p, w, (scr_tidy){.wrap = true, .sort = true}, false, 0, report);
        if (!status) status = keep_contacts(p, w, false, report);
        if (status) return status;
        w->clock.rebuilds--; // as on one rank
    }
    return tidy_and_list(p, w, how, false, 0, report);
}

scree_status scr_pairs_adopt_for(scr_pairs *p, scr_world *w, double span, scree_report *report)
{
    scr_tidy how = {.wrap = true, .sort = w->clock.rebuilds % 8 == 0, .leave = true};
    return tidy_and_list(p, w, how, true, span, report);
}

scree_status scr_pairs_refresh(scr_pairs *p, scr_world *w, scree_report *report)
{
    scree_status status = keep_contacts(p, w, can_stay(w), report);
    return status ? status : tidy_and_list(p, w, (scr_tidy){0}, true, 0, report);
}

/* ---- steps of fixed numbers ---- */

// cuts of a divided world follow the pairs, where its bodies alone are what is divided; not when some come or leave
static bool cut_is_due(const scr_world *w)
{
    scr_share *s = w->share;
    if (!s || s->renewed || w->bond_law_count || w->cells.table.count) return false;
    // who has just found that it is, is not asked again
    return w->clock.step % SCR_LOOK_EVERY == SCR_CUT_AT && (s->recut || scr_share_cut_is_due(s));
}

bool scr_pairs_are_due(const scr_world *w)
{
    const scr_clock *c = &w->clock;
    if (cut_is_due(w)) return true;
    // a run that has just been opened has seen to it
    if (c->step % SCR_LOOK_EVERY || (c->rebuilds == 1 && c->listed == c->time)) return false;
    return w->clock.step % SCR_SORT_EVERY == 0 || scr_bodies_any_left(w) || scr_bodies_any_astray(w);
}

scree_status scr_pairs_renew(scr_pairs *p, scr_world *w, scree_report *report)
{
    if (w->share && w->share->recut && !w->share->renewed) {
        scree_status kept = keep_contacts(p, w, false, report);
        return kept ? kept : tidy_and_list(p, w, (scr_tidy){.recut = true}, false, 0, report);
    }
    if (w->share) w->share->recut = false; // bodies came before it was done
    bool sort = w->clock.step % SCR_SORT_EVERY == 0 || scr_bodies_any_astray(w);
    scr_tidy how = {.wrap = sort, .sort = sort, .leave = true};
    scree_status status = keep_contacts(p, w, !w->share && can_stay(w) && !scr_bodies_any_left(w), report);
    return status ? status : tidy_and_list(p, w, how, false, 0, report);
}
