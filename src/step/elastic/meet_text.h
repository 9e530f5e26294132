/* Text of the loop over contacts of cells, included by loops_text.h: SCR_LANES contacts at a time, each lane its own
 * law (kernel/contact.h). */
#include "kernel/contact.h"
#include "kernel/pair.h"

static const contact_options meet_options = {.kind = CONTACT_ANY, .improved = 1, .ledger = 1};

SCR_INLINE void set_lane(rvec *to, int l, vec3 a)
{
    to->x[l] = a.x, to->y[l] = a.y, to->z[l] = a.z;
}

SCR_INLINE vec3 lane_of(rvec a, int l)
{
    return v3(a.x[l], a.y[l], a.z[l]);
}

SCR_INLINE void law_of_lane(contact_law *law, int l, const scr_law *from)
{
#define F(member, unit, doc) law->member[l] = from->member;
    SCR_LAW_NUMBERS(F)
#undef F
}

SCR_INLINE void history_of_lane(contact_history *h, int l, const elastic_meeting *m)
{
    set_lane(&h->h, l, v3_load(m->history)), h->viscous[l] = m->history[3];
    set_lane(&h->roll, l, v3_load(m->wide)), h->twist[l] = m->wide[3];
}

SCR_INLINE void store_meeting(elastic_meeting *m, int l, const contact_result *r, const contact_history *h,
                              bool touches)
{
    const double sums[8] = {r->damping[l],        r->friction[l],           r->rolling[l],
                            r->elastic_normal[l], r->elastic_tangential[l], r->elastic_rolling[l],
                            r->excess_damping[l], r->excess_rolling[l]};
    bool acts = touches || m->was;
    m->touches = touches;
    m->force = touches ? lane_of(r->force, l) : v3(0, 0, 0);
    m->couple = touches ? lane_of(r->couple, l) : v3(0, 0, 0);
    for (int k = 0; k < 8; k++) m->sums[k] = acts ? sums[k] : 0;
    v3_store(m->history, acts ? lane_of(h->h, l) : v3(0, 0, 0)), m->history[3] = acts ? h->viscous[l] : 0;
    v3_store(m->wide, acts ? lane_of(h->roll, l) : v3(0, 0, 0)), m->wide[3] = acts ? h->twist[l] : 0;
}

// contacts from `m` on; lanes beyond the last have it again
SCR_INLINE void meet_lanes(elastic_meeting *m, int live, double dt, double opening)
{
    contact_state s;
    contact_law law;
    contact_history h = {.residual = r_of(0.0)};
    rvec velocity, turning;
    real was, ended;
    for (int l = 0; l < LANES; l++) {
        const elastic_meeting *c = &m[l < live ? l : live - 1];
        set_lane(&s.n, l, c->normal), set_lane(&s.n_half, l, c->normal_half), set_lane(&s.dw, l, c->spin);
        set_lane(&velocity, l, c->velocity), set_lane(&turning, l, c->turning);
        s.delta[l] = c->overlap, s.radius[l] = c->radius;
        s.inverse_mass[l] = c->inverse_mass, s.inverse_inertia[l] = c->inverse_inertia;
        was[l] = c->was, ended[l] = c->ended;
        law_of_lane(&law, l, c->law);
        history_of_lane(&h, l, c);
    }
    contact_sizes sizes = {.inverse_mass = r_of(0.0)};
    pair_velocity(&s, velocity, turning);
    s.was = r_less(r_of(0.5), was);
    s.touch = contact_touch(meet_options, &law, s.delta, s.radius, s.was) & ~r_less(r_of(0.5), ended);
    contact_sizes_update(&sizes, s.inverse_mass);
    contact_result r = contact_force(meet_options, r_of(dt), r_of(opening), &s, &law, &sizes, &h);
    unsigned touches = bits_of(s.touch);
    for (int l = 0; l < live; l++) store_meeting(&m[l], l, &r, &h, touches >> l & 1);
}

static void meet(elastic_meeting *meetings, size_t count, double dt, double opening)
{
    for (size_t k = 0; k < count; k += LANES)
        meet_lanes(meetings + k, count - k < LANES ? (int)(count - k) : LANES, dt, opening);
}
