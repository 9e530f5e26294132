/* Text of the loop over walls: part of loops_text.h. The contacts of each body are found by
 * collide/touch.h, body after body, and worked off as many at a time as there are lanes. */
#include "collide/touch.h"
#include "kernel/wall.h"

/* Contacts that wait for their forces. */
typedef struct {
    scr_touch touches[LANES + 2 * SCR_MOST_TOUCHES];
    int count;
} wall_queue;

// geometry of contacts; lanes beyond the last repeat it
SCR_INLINE void wall_state(const soft_task *t, contact_options o, const scr_touch *touch, int live, uint32_t *at,
                           contact_state *c, real *arm, real *most)
{
    const scr_world *w = t->world;
    const scr_wall_pairs *p = &t->pairs->walls;
    real spin[4], radius;
    rvec dv, wall_spin;
    uint32_t body[LANES];
    for (int l = 0; l < LANES; l++) {
        const scr_touch *k = &touch[l < live ? l : live - 1];
        const scr_wall *wall = &w->walls[w->faces[p->face[k->pair]].wall];
        size_t i = body[l] = p->body[k->pair];
        at[l] = k->pair;
        radius[l] = w->bodies.place[4 * i + 3];
        c->delta[l] = k->overlap;
        c->n.x[l] = k->normal.x, c->n.y[l] = k->normal.y, c->n.z[l] = k->normal.z;
        c->n_half.x[l] = k->normal_half.x, c->n_half.y[l] = k->normal_half.y;
        c->n_half.z[l] = k->normal_half.z;
        dv.x[l] = k->velocity.x, dv.y[l] = k->velocity.y, dv.z[l] = k->velocity.z;
        wall_spin.x[l] = wall->spin.x, wall_spin.y[l] = wall->spin.y;
        wall_spin.z[l] = wall->spin.z;
        c->inverse_mass[l] = w->bodies.motion[4 * i + 3];
        (*most)[l] = k->most;
    }
    load_rows(spin, w->bodies.spin, body);
    *arm = wall_contact(o, dv, (rvec){spin[0], spin[1], spin[2]}, wall_spin, spin[3], radius, c);
}

SCR_INLINE void add_exact(scr_exact sum[3], vec3 force)
{
    sum[0] += scr_exact_of(force.x), sum[1] += scr_exact_of(force.y), sum[2] += scr_exact_of(force.z);
}

SCR_INLINE void scatter_walls(const soft_task *t, contact_options o, size_t block, const uint32_t *at, int live,
                              const contact_state *c, const contact_result *r, real arm)
{
    scr_world *w = t->world;
    double *loads = t->wall_loads + SOFT_WALL_SUMS * block * (size_t)w->wall_count;
    rvec turning = wall_torque(o, c, r, arm);
    row4 f[LANES], ti[LANES];
    to_rows(f, r->force.x, r->force.y, r->force.z, r_of(0.0));
    to_rows(ti, turning.x, turning.y, turning.z, r_of(0.0));
    for (int l = 0; l < live; l++) {
        size_t i = t->pairs->walls.body[at[l]];
        int k = w->faces[t->pairs->walls.face[at[l]]].wall;
        double *a = w->bodies.load + 8 * i, *on = loads + SOFT_WALL_SUMS * k;
        store4(a, load4(a) + f[l]);
        store4(a + 4, load4(a + 4) + ti[l]);
        vec3 force = {-f[l][0], -f[l][1], -f[l][2]}, n = {c->n.x[l], c->n.y[l], c->n.z[l]};
        vec3 point = v3_axpy(v3_load(w->bodies.place + 4 * i), -arm[l], n);
        vec3 torque = v3_cross(v3_sub(point, scr_wall_reference(&w->walls[k])), force);
        if (o.kind == CONTACT_ANY) torque = v3_sub(torque, v3(r->couple.x[l], r->couple.y[l], r->couple.z[l]));
        if (t->wall_exact && w->walls[k].motion.servo)
            add_exact(t->wall_exact + 3 * (block * (size_t)w->wall_count + (size_t)k), force);
        v3_store(on, v3_add(v3_load(on), force));
        v3_store(on + 3, v3_add(v3_load(on + 3), torque));
    }
}

// energy that walls bring which have just come: what their springs hold, what dents and adhesive surfaces that join
// have taken, and what these springs do in the half step before, when the wall was not there yet
SCR_INLINE void add_fresh(const soft_task *t, contact_options o, block_sums *s, const uint32_t *at, int live,
                          const contact_state *c, const contact_result *r, const contact_history *h)
{
    const scr_world *w = t->world;
    real push = rv_dot(r->force, c->n) - h->viscous, kick = 0.5 * t->dt * push;
    real brought = r->elastic_normal + kick * (c->vn + 0.5 * kick * c->inverse_mass);
    if (o.kind == CONTACT_ANY) brought += r->plastic + r->jump;
    for (int l = 0; l < live; l++)
        if (w->walls[w->faces[t->pairs->walls.face[at[l]]].wall].fresh) s->appeared += brought[l];
}

SCR_INLINE void wall_forces(const soft_task *t, contact_options o, size_t block, const scr_touch *touch, int live,
                            block_sums *sums)
{
    const scr_wall_pairs *p = &t->pairs->walls;
    contact_sizes sizes = {.inverse_mass = r_of(0.0)};
    contact_state c;
    real arm, most;
    uint32_t at[LANES];
    wall_state(t, o, touch, live, at, &c, &arm, &most);
    contact_law law = law_lanes(o, t->world->laws, p->law, at);
    c.was = flags(p->touch, at);
    c.touch = contact_touch(o, &law, c.delta, c.radius, c.was);
    if (!r_any(c.touch | c.was)) {
        sums->groups++;
        return;
    }
    contact_sizes_update(&sizes, c.inverse_mass);
    contact_history h;
    load_history(o, &law, p->history, p->wide, at, &h);
    contact_result r = contact_force(o, r_of(t->dt), r_of(t->opening), &c, &law, &sizes, &h);
    scatter_walls(t, o, block, at, live, &c, &r, arm);
    store_history(o, &law, p->history, p->wide, p->touch, at, live, &h, &c);
    if (o.ledger) add_sums(sums, o, &r, live), add_fresh(t, o, sums, at, live, &c, &r, &h);
    if (o.ledger && t->spent) add_spent(p->wide, at, live, &r, &c, o);
    if (t->record) record(p->record, at, live, &r, o);
    note_worst(sums, c.delta, most, live_lanes(live) & c.touch, at, (uint32_t)t->pairs->count);
    sums->contacts += __builtin_popcount(bits_of(c.touch) & ((1u << live) - 1));
}

// all full groups, or all that wait
SCR_INLINE void wall_flush(const soft_task *t, contact_options o, size_t block, wall_queue *q, bool all,
                           block_sums *sums)
{
    int done = 0;
    for (; q->count - done >= LANES; done += LANES) wall_forces(t, o, block, q->touches + done, LANES, sums);
    int left = q->count - done;
    if (all && left) wall_forces(t, o, block, q->touches + done, left, sums), left = 0;
    for (int k = 0; k < left; k++) q->touches[k] = q->touches[done + k];
    q->count = left;
}

SCR_INLINE void wall_pairs(const soft_task *t, contact_options o, size_t block, block_sums *sums)
{
    scr_wall_pairs *p = &t->pairs->walls;
    const scr_touch_options options = {.dt = t->dt, .improved = o.improved, .far_arm = o.lammps};
    wall_queue queue;
    queue.count = 0;
    uint32_t end = t->pairs->block_walls[block + 1], next;
    bool near = !(t->pairs->range > 0);
    for (uint32_t k = t->pairs->block_walls[block]; k < end; k = next) {
        for (next = k + 1; next < end && p->body[next] == p->body[k];) next++;
        scr_touch *touches = queue.touches + queue.count;
        if (near && next == k + 1 && scr_touch_is_plain(t->world, &t->world->faces[p->face[k]]))
            queue.count += scr_touch_plane(t->world, p, k, touches);
        else
            queue.count += scr_touches_find(t->world, p, k, next, options, touches);
        if (queue.count >= LANES) wall_flush(t, o, block, &queue, false, sums);
    }
    wall_flush(t, o, block, &queue, true, sums);
}
