/* The soft stepper: velocity-Verlet with contact forces from the half-step velocities (Vyas et al. 2025).
 *
 *   v_h = v + dt/2 a(t);   x <- x + dt v_h;   F(x, v_h);   v = v_h + dt/2 a(t + dt)
 *
 * `improved` evaluates the contact velocity with the normal of the half step, where it belongs, and turns
 * the tangential spring through it; `standard` uses the normal of the full step as other codes do. See
 * kernel/contact.h for the contact itself. With damping both are of first order in dt. */
#include "step/soft/soft.h"

#include "base/memory.h"
#include "base/os.h"
#include "exec/cpu/threads.h"
#include "kernel/contact.h"
#include "step/soft/bonds.h"
#include "step/soft/groups.h"
#include "step/soft/loops.h"
#include "step/soft/walls.h"

typedef struct {
    soft_task task;
    const soft_loops *loops;
    soft_bonds bonds;
    soft_groups groups;
    size_t sums_capacity, walls_capacity;
} soft_work;

/* ---- phases ---- */

static void kick_drift_block(void *work, size_t block)
{
    soft_work *k = work;
    k->task.sums[block].stale = k->loops->kick_drift(&k->task, block);
}

static void forces_block(void *work, size_t block)
{
    soft_work *k = work;
    k->loops->forces(&k->task, block);
}

// a block may take its halo and move its bodies as soon as all blocks have filled their slots
static void collect_block(void *work, size_t block)
{
    soft_work *k = work;
    k->loops->collect(&k->task, block);
    soft_bonds_collect(&k->bonds, k->task.world, block);
    if (k->task.dt > 0) k->loops->kick(&k->task, block);
}

// true when a body has left its slack: the list is too old
static bool kick_and_drift(soft_work *k)
{
    size_t blocks = k->task.pairs->block_count;
    scr_each(blocks, NULL, kick_drift_block, k);
    bool stale = false;
    for (size_t b = 0; b < blocks; b++) stale |= k->task.sums[b].stale;
    return stale;
}

static scree_status reserve_sums(soft_work *k, scree_report *report)
{
    size_t blocks = k->task.pairs->block_count, walls = (size_t)k->task.world->wall_count;
    if (!scr_memory_reserve(&k->task.sums, &k->sums_capacity, blocks + 1, 0,
                            sizeof *k->task.sums) ||
        !scr_memory_reserve(&k->task.wall_loads, &k->walls_capacity,
                            SOFT_WALL_SUMS * walls * blocks + 1, 0, sizeof(double)))
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for block sums");
    scree_status status = soft_groups_reserve(&k->groups, &k->task, report);
    return status ? status : soft_bonds_index(&k->bonds, k->task.world, report);
}

static scree_status refresh(scr_step *s, scree_report *report)
{
    scree_status status = scr_pairs_refresh(&s->pairs, s->world, report);
    scree_status sums =
        status == SCREE_OK || status == SCREE_E_RUN ? reserve_sums(s->work, report) : SCREE_OK;
    return sums ? sums : status;
}

static scree_status save(scr_step *s, scree_report *report)
{
    return scr_pairs_save(&s->pairs, s->world, report);
}

static scree_status renew(scr_step *s, scree_report *report)
{
    scree_status status = save(s, report);
    if (!status) status = scr_pairs_adopt(&s->pairs, s->world, report);
    scree_status sums =
        status == SCREE_OK || status == SCREE_E_RUN ? reserve_sums(s->work, report) : SCREE_OK;
    return sums ? sums : status;
}

// blocks' sums into the ledger and the step report, in the order of blocks
static void add_up(scr_step *s)
{
    soft_work *k = s->work;
    scr_world *w = s->world;
    scr_ledger *l = &w->ledger;
    size_t blocks = s->pairs.block_count;
    l->elastic_normal = l->elastic_tangential = l->elastic_rolling = 0;
    l->excess_damping = l->excess_friction = l->excess_rolling = 0;
    s->last = (scr_step_report){0};
    for (size_t b = 0; b < blocks; b++) {
        const soft_sums *sum = &k->task.sums[b];
        l->damping += sum->damping;
        l->friction += sum->friction;
        l->rolling += sum->rolling;
        l->elastic_normal += sum->elastic_normal;
        l->elastic_tangential += sum->elastic_tangential;
        l->excess_damping += sum->excess_damping;
        l->elastic_rolling += sum->elastic_rolling;
        l->excess_friction += sum->excess_friction;
        l->excess_rolling += sum->excess_rolling;
        l->inserted += sum->appeared;
        s->last.contacts += sum->contacts;
        if (sum->worst > s->last.worst_overlap) s->last.worst_overlap = sum->worst;
    }
    soft_walls_add_up(&k->task);
}

// an overlap beyond the smaller radius means the contact law has lost: stop and say where
static scree_status check_overlap(const scr_step *s, scree_report *report)
{
    if (s->last.worst_overlap <= 1) return SCREE_OK;
    const soft_work *k = s->work;
    const scr_world *w = s->world;
    const scr_pairs *p = &s->pairs;
    size_t pair = 0;
    for (size_t b = 0; b < p->block_count; b++)
        if (k->task.sums[b].worst == s->last.worst_overlap) pair = k->task.sums[b].worst_pair;
    bool wall = pair >= p->count;
    size_t i = wall ? p->walls.body[pair - p->count] : p->first[pair];
    const double *x = w->bodies.place + 4 * i;
    char partner[96];
    if (wall)
        snprintf(partner, sizeof partner, "wall %.64s",
                 w->walls[w->faces[p->walls.face[pair - p->count]].wall].name);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)w->bodies.id[p->second[pair]]);
    return scr_fail(
        report, SCREE_E_RUN, SCR_NOWHERE,
        "step %lld, time %.9g s: grain %lld overlaps %s by more than the smaller radius "
        "(nine tenths of it at a thin wall), position (%.9g, %.9g, %.9g) m; a stiffer "
        "contact or a smaller step is needed",
        (long long)w->clock.step, w->clock.time, (long long)w->bodies.id[i], partner, x[0], x[1],
        x[2]);
}

// forces of all contacts, then the second half of the velocities (not when the run opens)
static scree_status forces_and_kick(scr_step *s, scree_report *report)
{
    soft_work *k = s->work;
    k->task.record = s->want_contacts;
    if (s->want_contacts && !scr_pairs_reserve_record(&s->pairs))
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for contact forces");
    scr_each(s->pairs.block_count, s->pairs.block_pairs, forces_block, k);
    soft_bonds_forces(&k->bonds, &k->task);
    scr_each(s->pairs.block_count, NULL, collect_block, k);
    soft_groups_end(&k->groups, &k->task);
    add_up(s);
    return check_overlap(s, report);
}

/* ---- the stepper ---- */

static void close(scr_step *s)
{
    soft_work *k = s->work;
    if (!k) return;
    scr_memory_free(k->task.sums);
    scr_memory_free(k->task.wall_loads);
    soft_bonds_deinit(&k->bonds);
    soft_groups_deinit(&k->groups);
    scr_memory_free(k);
    s->work = NULL;
}

// the books of contacts begin with those of the run: at zero, with what is in excess now
static void open_books(scr_pairs *p)
{
    for (size_t k = 0; k < p->count; k++)
        if (p->touch[k]) p->wide[8 * k + 4] = -p->record[8 * k + 3];
    for (size_t k = 0; k < p->walls.count; k++)
        if (p->walls.touch[k]) p->walls.wide[8 * k + 4] = -p->walls.record[8 * k + 3];
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    const scr_soft_def *def = s->def;
    soft_work *k = s->work = scr_memory_new(1, sizeof *k);
    if (!k) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for the stepper");
    static const soft_loops *const loops[] = {[SCR_VECTORS_PORTABLE] = &soft_loops_portable,
                                              [SCR_VECTORS_AVX2] = &soft_loops_avx2,
                                              [SCR_VECTORS_AVX512] = &soft_loops_avx512};
    k->loops = loops[scr_cpu_vectors()];
    k->task = (soft_task){.world = s->world,
                          .pairs = &s->pairs,
                          .images = scr_images_of(&s->world->domain),
                          .improved = def->scheme == SCR_SCHEME_IMPROVED,
                          .lammps = def->conventions == SCR_CONVENTIONS_LAMMPS,
                          .kind = contact_kind_of_all(s->world->laws, s->world->material_count *
                                                                          s->world->material_count),
                          .spent = s->keep_spent && !s->no_ledger,
                          .ledger = !s->no_ledger};
    bool wide = k->task.kind == CONTACT_ANY || k->task.spent;
    if (wide && !scr_contacts_widen(&s->world->contacts))
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for contacts");

    if (resumed) {
        scree_status status = scr_pairs_build(&s->pairs, s->world, report);
        s->last.contacts = (int64_t)s->world->contacts.table.count;
        return status ? status : reserve_sums(k, report);
    }
    // contacts that came with the world (from another run) are kept; forces now, without moving anything
    scree_status status = scr_pairs_adopt(&s->pairs, s->world, report);
    if (!status) status = reserve_sums(k, report);
    if (status) return status;
    // springs that this evaluation stretches take nothing from the bodies: what was lost so far stays as it is
    scr_ledger *l = &s->world->ledger;
    double damping = l->damping + l->excess_damping, friction = l->friction + l->excess_friction;
    double rolling = l->rolling + l->excess_rolling;
    k->task.dt = 0;
    status = forces_and_kick(s, report);
    l->damping = damping - l->excess_damping;
    l->friction = friction - l->excess_friction;
    l->rolling = rolling - l->excess_rolling;
    if (k->task.spent && k->task.record) open_books(&s->pairs);
    return status;
}

static scree_status step(scr_step *s, scree_report *report)
{
    soft_work *k = s->work;
    scr_clock *clock = &s->world->clock;
    double t0 = scr_seconds();
    k->task.dt = clock->dt;
    k->task.opening = clock->step == 0 ? 0.25 * clock->dt : 0;

    soft_groups_begin(&k->groups, &k->task);
    bool stale = kick_and_drift(k);
    double before = clock->time;
    scr_clock_tick(clock);
    stale |= soft_walls_move(s->world, &s->pairs.walls, before);
    double t1 = scr_seconds();
    scree_status status = stale ? refresh(s, report) : SCREE_OK;
    // a lost grain ends the run, but the step is finished first: the state stays one that can be
    // looked at
    if (status && status != SCREE_E_RUN) return status;
    double t2 = scr_seconds();
    scree_status forces = forces_and_kick(s, report);
    s->times.integrate += t1 - t0;
    s->times.neighbours += t2 - t1;
    s->times.forces += scr_seconds() - t2;
    return status ? status : forces;
}

/* ---- contacts for observers ---- */

static scr_contact_row body_row(const scr_step *s, const scr_images *images, size_t k)
{
    const scr_pairs *p = &s->pairs;
    const double *x = s->world->bodies.place + 4 * (size_t)p->first[k];
    const double *y = s->world->bodies.place + 4 * (size_t)p->second[k];
    double d[3];
    for (int axis = 0; axis < 3; axis++)
        d[axis] = scr_nearest_image(images, axis, x[axis] - y[axis]);
    double distance = v3_norm(v3_load(d));
    scr_contact_row row = {.body = {(int32_t)p->first[k], (int32_t)p->second[k]},
                           .normal = v3_scale(1 / distance, v3_load(d)),
                           .branch = v3_load(d),
                           .overlap = x[3] + y[3] - distance};
    row.point = v3_axpy(v3_load(x), -(x[3] - 0.5 * row.overlap), row.normal);
    return row;
}

static scr_contact_row wall_row(const scr_step *s, size_t k)
{
    const scr_pairs *p = &s->pairs;
    const double *x = s->world->bodies.place + 4 * (size_t)p->walls.body[k];
    scr_contact_row row = {.body = {(int32_t)p->walls.body[k], -1 - (int32_t)p->walls.face[k]}};
    row.overlap =
        x[3] - scr_world_face_distance(s->world, (int)p->walls.face[k], v3_load(x), &row.normal);
    row.point = v3_axpy(v3_load(x), -(x[3] - 0.5 * row.overlap), row.normal);
    row.branch = v3_sub(v3_load(x), row.point);
    return row;
}

static void add_record(scr_contact_row *row, const double *record, const double *wide)
{
    row->force = v3_load(record);
    row->couple = v3_load(record + 4);
    if (wide) row->spent = wide[4] + record[3];
}

static scree_status contacts(const scr_step *s, scr_contact_row **rows, size_t *count,
                             scree_report *report)
{
    const scr_pairs *p = &s->pairs;
    const scr_images images = scr_images_of(&s->world->domain);
    *count = 0;
    *rows = scr_memory_new((size_t)s->last.contacts + 1, sizeof **rows);
    if (!*rows) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for contacts");
    for (size_t k = 0; k < p->count; k++) {
        if (!p->touch[k]) continue;
        scr_contact_row row = body_row(s, &images, k);
        add_record(&row, p->record + 8 * k, p->wide ? p->wide + 8 * k : NULL);
        (*rows)[(*count)++] = row;
    }
    for (size_t k = 0; k < p->walls.count; k++) {
        if (!p->walls.touch[k]) continue;
        scr_contact_row row = wall_row(s, k);
        add_record(&row, p->walls.record + 8 * k, p->walls.wide ? p->walls.wide + 8 * k : NULL);
        (*rows)[(*count)++] = row;
    }
    return SCREE_OK;
}

static const scr_param params[] = {
    {"scheme", NULL, SCR_CHOICE, NULL, "improved", "improved standard",
     offsetof(scr_soft_def, scheme),
     "`improved`: velocity-Verlet with the normal of the half step (Vyas et al. 2025), right at "
     "every size "
     "ratio. `standard`: as other codes; large grains can trap small ones.",
     NULL},
    {"conventions", NULL, SCR_CHOICE, NULL, "scree", "scree lammps",
     offsetof(scr_soft_def, conventions),
     "`lammps` as LAMMPS' gran/hooke/history (all its digits) and gran/hertz/history: lever arm = "
     "radius, normal "
     "force not "
     "clipped at zero, spring projected without keeping its length. For comparisons only.",
     NULL},
    {"skin", NULL, SCR_REAL, "m", "auto", "> 0 | auto", offsetof(scr_soft_def, skin),
     "Pairs that come closer than this are kept in the neighbour list, which is built again when a "
     "grain has strayed half of it from where its velocity would have taken it. A matter of speed: "
     "results differ by rounding only, and by when a grain that leaves is noticed. auto: a "
     "sixteenth "
     "of the smallest diameter.",
     NULL},
    {0},
};

static scr_stepper_traits traits(const void *soft)
{
    const scr_soft_def *def = soft;
    bool lammps = def->conventions == SCR_CONVENTIONS_LAMMPS;
    scr_stepper_traits t = {.skin = def->skin, .parts = 1, .unclipped = lammps};
    t.traps = def->scheme == SCR_SCHEME_STANDARD;
    snprintf(t.words, sizeof t.words, "scheme %s%s",
             def->scheme == SCR_SCHEME_IMPROVED ? "improved" : "standard",
             lammps ? " with LAMMPS conventions" : "");
    return t;
}

// bodies beyond spheres are solved for, not pushed by springs
static void check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    static const char *const sections[] = {"parts", "joints"};
    (void)item;
    for (int s = 0; s < 2; s++) {
        const scr_items *items = scr_scene_items(scene, sections[s]);
        for (int k = 0; k < items->count; k++)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &items->items[k], NULL),
                     "%s.%s: the stepper soft has no %s; leave it out, or take the stepper "
                     "nonsmooth",
                     sections[s], items->items[k].name, sections[s]);
    }
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int k = 0; k < groups->count; k++)
        if (((const scr_bodies_def *)groups->items[k].def)->clump.def)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[k], "clump"),
                     "bodies.%s.clump: the stepper soft has no clumps; leave it out, or take the "
                     "stepper nonsmooth",
                     groups->items[k].name);
}

const scr_stepper scr_soft_stepper = {
    .variant = {"soft", "explicit soft-sphere DEM, improved velocity-Verlet", params,
                sizeof(scr_soft_def)},
    .is_explicit = true,
    .ports_every = 64,
    .traits = traits,
    .check = check,
    .open = open,
    .step = step,
    .renew = renew,
    .save = save,
    .close = close,
    .contacts = contacts,
};
