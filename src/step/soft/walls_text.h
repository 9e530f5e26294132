/* Text of the loop over walls: part of loops_text.h. */

// geometry of four pairs of a body and a face; lanes beyond `live` repeat the last
SCR_INLINE void wall_state(const soft_task *t, contact_options o, const uint32_t *at,
                           contact_state *c, real *arm, real *most)
{
    const scr_world *w = t->world;
    const scr_wall_pairs *p = &t->pairs->walls;
    real spin[4];
    uint32_t body[4];
    real radius;
    for (int l = 0; l < 4; l++) {
        size_t i = body[l] = p->body[at[l]];
        const scr_face *face = &w->faces[p->face[at[l]]];
        vec3 x = v3_load(w->bodies.place + 4 * i), n;
        vec3 dv = v3_sub(v3_load(w->bodies.motion + 4 * i), w->walls[face->wall].velocity);
        double r = w->bodies.place[4 * i + 3];
        double distance = scr_face_distance(face, x, &n);
        radius[l] = r;
        c->delta[l] = r - distance;
        c->n.x[l] = n.x, c->n.y[l] = n.y, c->n.z[l] = n.z;
        // the normal where the half-step velocity belongs
        if (o.improved) scr_face_distance(face, v3_axpy(x, -0.5 * t->dt, dv), &n);
        c->n_half.x[l] = n.x, c->n_half.y[l] = n.y, c->n_half.z[l] = n.z;
        c->dv.x[l] = dv.x, c->dv.y[l] = dv.y, c->dv.z[l] = dv.z;
        c->inverse_mass[l] = w->bodies.motion[4 * i + 3];
        // a shell has no inside: a centre that comes near it is about to pass through
        (*most)[l] = face->kind == SCR_FACE_PLANE ? r : 0.9 * r;
    }
    load_rows(spin, w->bodies.spin, body);
    c->dw = (rvec){spin[0], spin[1], spin[2]};
    c->inverse_inertia = spin[3];
    c->inverse_radius = 1.0 / radius;
    *arm = radius;
    if (!o.lammps) *arm -= 0.5 * c->delta;
    c->turning = (rvec){*arm * spin[0], *arm * spin[1], *arm * spin[2]};
}

SCR_INLINE void scatter_walls(const soft_task *t, contact_options o, size_t block,
                              const uint32_t *at, int live, const contact_state *c,
                              const contact_result *r, real arm)
{
    const scr_world *w = t->world;
    double *loads = t->wall_loads + SOFT_WALL_SUMS * block * (size_t)w->wall_count;
    real f[4] = {r->force.x, r->force.y, r->force.z, r_of(0.0)};
    real ti[4] = {arm * r->twist.x, arm * r->twist.y, arm * r->twist.z, r_of(0.0)};
    if (o.kind == CONTACT_ANY) ti[0] -= r->couple.x, ti[1] -= r->couple.y, ti[2] -= r->couple.z;
    transpose(f), transpose(ti);
    for (int l = 0; l < live; l++) {
        size_t i = t->pairs->walls.body[at[l]];
        int k = w->faces[t->pairs->walls.face[at[l]]].wall;
        double *a = w->bodies.load + 8 * i, *on = loads + SOFT_WALL_SUMS * k;
        store4(a, load4(a) + f[l]);
        store4(a + 4, load4(a + 4) - ti[l]);
        vec3 force = {-f[l][0], -f[l][1], -f[l][2]}, n = {c->n.x[l], c->n.y[l], c->n.z[l]};
        vec3 point = v3_axpy(v3_load(w->bodies.place + 4 * i), -arm[l], n);
        vec3 torque = v3_cross(v3_sub(point, scr_wall_reference(&w->walls[k])), force);
        if (o.kind == CONTACT_ANY)
            torque = v3_sub(torque, v3(r->couple.x[l], r->couple.y[l], r->couple.z[l]));
        v3_store(on, v3_add(v3_load(on), force));
        v3_store(on + 3, v3_add(v3_load(on + 3), torque));
    }
}

SCR_INLINE void wall_pairs(const soft_task *t, contact_options o, size_t block, lane_sums *sums)
{
    const scr_wall_pairs *p = &t->pairs->walls;
    contact_sizes sizes = {.inverse_mass = r_of(0.0)};
    uint32_t end = t->pairs->block_walls[block + 1];
    for (uint32_t k = t->pairs->block_walls[block]; k < end; k += 4) {
        int live = end - k < 4 ? (int)(end - k) : 4;
        uint32_t at[4];
        for (int l = 0; l < 4; l++) at[l] = l < live ? k + (uint32_t)l : end - 1;
        contact_state c;
        real arm, most;
        wall_state(t, o, at, &c, &arm, &most);
        contact_law law = law_lanes(o, t->world->laws, p->law, at);
        c.was = flags(p->touch, at);
        c.touch = contact_touch(o, &law, c.delta, c.inverse_radius, c.was);
        if (!r_any(c.touch | c.was)) continue;
        contact_sizes_update(&sizes, c.inverse_mass);
        contact_history h = load_history(o, p->history, p->wide, at);
        contact_result r = contact_force(o, r_of(t->dt), r_of(t->opening), &c, &law, &sizes, &h);
        mask counted = live_lanes[live] & (c.touch | c.was);
        scatter_walls(t, o, block, at, live, &c, &r, arm);
        store_history(o, p->history, p->wide, p->touch, at, live, &h, c.touch);
        if (o.ledger) add_sums(sums, o, &r, counted);
        if (o.ledger && t->spent) add_spent(p->wide, at, live, &r, &c, o);
        if (t->record) record(p->record, at, live, &r, o);
        note_worst(sums, c.delta, most, counted, at, (uint32_t)t->pairs->count);
        sums->contacts -= c.touch & counted;
    }
}
