/* The variational stepper: implicit steps as minima of an incremental potential (De Klerk et al. 2022, with the
 * corrections of docs/theory-variational.md).
 *
 * One-leg theta step from t to t + h, with the stage at t + s, s = theta h:
 *
 *   X minimises  Phi = sum m |X - x - s v|^2/(2 s^2) + V(X) + dissipation;    v_s = (X - x)/s
 *   x <- x + h v_s,  v <- v + (v_s - v)/theta
 *
 * theta = 1/2 is the midpoint rule, which is the variational integrator with alpha = 1/2; theta = 1 is backward
 * Euler. With order 1 elastic forces are those of the start: that is alpha = 0, symplectic Euler.
 *
 * With `energy: exact` elastic forces are such that they keep the energy (secant.c); there is no minimum then, and the
 * same iterations look for a balance of forces.
 *
 * A step that cannot be solved is halved, as often as need be, and so is one in which bodies get too far (adapt.c).
 * The clock counts whole steps only, so that frames fall where they were meant to. */
#include "step/variational/variational.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "exec/cpu/threads.h"
#include "step/soft/cpu/contacts.h"
#include "step/variational/work.h"

#define CAP    0.05 /* of the smallest diameter: how far bodies move in one iteration */
#define INNER  1000 /* iterations of conjugate gradients */
#define DETECT 8    /* new lists in the middle of a solution */
#define AHEAD  4    /* times the way that the forces of the last step make ... */
#define LEAST  1e-4 /* ... and of the smallest radius: how far iterations go as a rule */

/* ---- lists ---- */

// `span`: for one sub-step of this length; 0: for as long as it can serve
static scree_status adopt(scr_step *s, double span, scree_report *report)
{
    scree_status status = scr_pairs_save(&s->pairs, s->world, report);
    if (!status) status = scr_pairs_adopt_for(&s->pairs, s->world, span, report);
    ((var_work *)s->work)->images = scr_images_of(&s->world->domain);
    scree_status room = status == SCREE_OK || status == SCREE_E_RUN ? scr_var_reserve(s->work, report) : SCREE_OK;
    return room ? room : status;
}

// a list that expects the bodies where the iterations have brought them
static scree_status detect(scr_step *s, scree_report *report)
{
    var_work *w = s->work;
    scr_bodies *b = &s->world->bodies;
    scree_status status = scr_pairs_save(&s->pairs, s->world, report);
    if (status) return status;
    for (size_t i = 0; i < b->table.count; i++)
        for (int d = 0; d < 3; d++) {
            b->anchor[4 * i + d] = b->place[4 * i + d];
            b->drift[4 * i + d] = w->rows.u[SCR_ROW * i + d] / w->sub.s;
        }
    for (int k = 0; k < s->world->wall_count; k++) s->world->walls[k].anchor = w->walls.at[k].start;
    s->world->clock.listed = w->sub.time;
    s->world->clock.horizon = w->sub.h;
    scr_box_list(s->world, false);
    status = scr_pairs_build(&s->pairs, s->world, report);
    if (!status) status = scr_var_reserve(w, report);
    scr_copy(w->rows.guess, w->rows.u, SCR_ROW * b->table.count * sizeof *w->rows.u);
    return status;
}

static bool walls_strayed(const var_work *w)
{
    const scr_world *world = w->world;
    double slack2 = scr_pairs_slack2(world);
    bool stale = false;
    for (int k = 0; k < world->wall_count; k++) {
        scr_wall wall = world->walls[k];
        const scr_wall_extent *e = &w->pairs->walls.extents[k];
        wall.pose = w->walls.at[k].end;
        stale |= scr_wall_strayed2(&wall, e->lower, e->upper) > 0.8 * slack2;
    }
    return stale;
}

// how far iterations may take bodies before contacts must be looked for again; negative: too far already
static double room_left(var_work *w)
{
    double slack = 0.5 * w->world->clock.skin, strayed = scr_var_strayed(w, &w->contacts.ahead);
    w->contacts.room = strayed < slack ? w->sub.theta * (slack - strayed) : -1;
    return w->contacts.room;
}

// how far they will be taken, most likely: the fewer contacts to look after
static double likely_reach(const var_work *w, double smallest)
{
    return fmin(w->contacts.room, AHEAD * w->contacts.ahead + LEAST * smallest);
}

/* ---- a sub-step ---- */

static void set_length(var_work *w, double time, double h)
{
    w->sub.time = time, w->sub.h = h, w->sub.s = w->sub.theta * h;
    if (!var_is_paced(w)) w->sub.from = time, w->sub.span = h;
}

// predicted rows, and a list that reaches as far
static var_verdict prepare(scr_step *s, scree_status *status, scree_report *report)
{
    var_work *w = s->work;
    bool changed = scr_var_walls_prepare(w);
    scr_var_predict(w);
    double age = w->sub.time + w->sub.h - s->world->clock.listed;
    // what rests is expected where it is, however long
    bool stale = room_left(w) < 0.05 * s->world->clock.skin || changed ||
                 (age > s->world->clock.horizon && !var_is(w, VAR_DIRECT)) || walls_strayed(w) ||
                 scr_box_strayed(s->world, w->sub.time, w->sub.h);
    for (int attempt = 0; stale && attempt < 2; attempt++) {
        double start = scr_seconds();
        s->world->clock.time = w->sub.time;
        if ((*status = adopt(s, attempt ? w->sub.h : 0, report))) return VAR_FAILED;
        // bodies may have left, rows are others
        scr_var_predict(w);
        stale = !(room_left(w) > 0);
        s->times.neighbours += scr_seconds() - start;
    }
    return w->contacts.room > 0 ? VAR_SOLVED : VAR_TOO_LONG;
}

// a norm of forces that are there anyway: weights, and momenta over the stage
static double force_scale(const var_work *w)
{
    const scr_bodies *b = &w->world->bodies;
    double g = v3_norm(w->world->gravity), weight2 = 0, momentum2 = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        const double *v = b->motion + 4 * i;
        if (!(v[3] > 0)) continue;
        double m = 1 / v[3];
        weight2 += m * m * g * g;
        momentum2 += m * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return sqrt(weight2) + sqrt(momentum2) / w->sub.s;
}

double scr_var_smallest_radius(const scr_bodies *b)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < b->table.count; i++) smallest = fmin(smallest, b->place[4 * i + 3]);
    return smallest;
}

static double tolerance_of(const var_work *w)
{
    if (!isnan(w->def->tolerance)) return w->def->tolerance;
    return var_is(w, VAR_EXACT) ? 1e-14 : 1e-11;
}

static var_verdict minimise(scr_step *s, double smallest, scree_status *status, scree_report *report)
{
    var_work *w = s->work;
    scr_minimise_options o = {.tolerance = tolerance_of(w),
                              .scale = var_is_paced(w) ? 0 : force_scale(w),
                              .cap = CAP * 2 * smallest,
                              .iterations = (int)w->def->iterations,
                              .inner = INNER,
                              .stops = var_is_paced(w),
                              .balance = var_is(w, VAR_EXACT)};
    double reach = likely_reach(w, smallest);
    for (int look = 0; look < DETECT; look++) {
        scr_var_walls_pose(w, VAR_AT_STAGE);
        scr_var_gather(w, reach);
        o.most_moved2 = reach * reach;
        scr_minimum m = {0};
        for (int64_t pass = 0; pass < w->def->friction_passes; pass++) {
            scr_objective objective = scr_var_objective(w);
            if (pass) scr_var_update_limits(w);
            o.first = look == 0 && pass == 0 && o.scale > 0;
            m = scr_minimise(&w->solver.minimiser, &objective, w->rows.u, &o);
            s->last.sweeps += m.iterations, s->last.inner += m.inner;
            s->last.residual = m.residual;
            if (m.outcome != SCR_MINIMISED) break;
        }
        if (m.outcome == SCR_MINIMISED) return VAR_SOLVED;
        if (m.outcome == SCR_NOT_MINIMISED) return VAR_TOO_LONG;
        // all that the list holds, then another list
        if (reach < w->contacts.room) {
            reach = w->contacts.room;
            continue;
        }
        scree_status listed = detect(s, report);
        if (listed) return *status = listed, VAR_FAILED;
        reach = room_left(w);
        if (!(reach > 0)) return VAR_TOO_LONG;
    }
    return VAR_TOO_LONG;
}

var_verdict scr_var_sub_step(scr_step *s, double time, double h, double smallest, scree_status *status,
                             scree_report *report)
{
    var_work *w = s->work;
    set_length(w, time, h);
    if (!var_is_paced(w)) scr_gravity_set(s->world, time + w->sub.s);
    var_verdict v = prepare(s, status, report);
    if (v == VAR_SOLVED) v = minimise(s, smallest, status, report);
    if (v == VAR_SOLVED && w->sub.way > 0 && scr_var_got_too_far(w, w->sub.way)) v = VAR_TOO_FAR;
    if (v == VAR_SOLVED) {
        scr_var_commit(w);
        if (w->images.deforms) scr_box_move(s->world, h), w->images = scr_images_of(&s->world->domain);
    } else {
        scr_var_walls_undo(w);
    }
    if (!var_is_paced(w)) scr_gravity_set(s->world, v == VAR_SOLVED ? time + h : time);
    return v;
}

/* ---- a step ---- */

// of the faces that are not planes alone, the one that a body is deepest in
static const char *worst_face(const var_work *w, double *worst, int64_t *id)
{
    const scr_world *world = w->world;
    const scr_wall_pairs *p = &w->pairs->walls;
    const char *name = NULL;
    for (size_t k = 0; k < p->count; k++) {
        const scr_face *face = &world->faces[p->face[k]];
        const double *place = world->bodies.place + 4 * (size_t)p->body[k];
        if (w->walls.plain[p->face[k]] || !world->walls[face->wall].active) continue;
        vec3 at = v3_add(v3_load(place), v3_load(w->rows.u + SCR_ROW * (size_t)p->body[k]));
        vec3 local = pose_point_back(&w->walls.at[face->wall].stage, at);
        double overlap = place[3] - scr_face_nearest(face, local).distance;
        if (!(overlap > *worst)) continue;
        *worst = overlap, *id = world->bodies.id[p->body[k]];
        name = world->walls[face->wall].name;
    }
    return name;
}

// the grain with the largest force left
static int64_t least_balanced(const var_work *w)
{
    const scr_bodies *b = &w->world->bodies;
    double worst2 = -1;
    int64_t id = -1;
    for (size_t i = 0; i < b->table.count; i++) {
        vec3 g = v3_load(w->solver.minimiser.gradient + SCR_ROW * i);
        if (v3_dot(g, g) > worst2) worst2 = v3_dot(g, g), id = b->id[i];
    }
    return id;
}

// the contact that is deepest as far as the iterations got, for inspection
static scree_status give_up(scr_step *s, double h, int64_t level, scree_report *report)
{
    const var_work *w = s->work;
    const scr_world *world = s->world;
    double worst = 0;
    int64_t ids[2] = {-1, -1};
    const char *wall = worst_face(w, &worst, &ids[0]);
    for (size_t b = 0; b < s->pairs.block_count; b++)
        for (uint32_t m = 0; m < w->contacts.count[4 * b]; m++) {
            const var_near *n = &w->contacts.near[var_base(w, b) + m];
            rvec d = var_vector(n->d), u = var_vector(w->rows.u + SCR_ROW * (size_t)n->i);
            double overlap = n->reach - rv_dot(d, u);
            if (n->kind == VAR_PAIR) {
                double room[SCR_ROW];
                d = rv_add(d, rv_sub(u, var_vector(var_second(w, n, w->rows.u, room))));
                overlap = n->reach - sqrt(rv_dot(d, d));
            }
            if (n->kind == VAR_FACE || !(overlap > worst)) continue;
            worst = overlap;
            ids[0] = world->bodies.id[n->i];
            wall = NULL;
            if (n->kind == VAR_PAIR)
                ids[1] = world->bodies.id[n->j];
            else
                wall = world->walls[world->faces[w->pairs->walls.face[n->pair]].wall].name;
        }
    char partner[80], deepest[192];
    snprintf(deepest, sizeof deepest,
             "no contact touches where the iterations ended; grain %lld is furthest from balance",
             (long long)least_balanced(w));
    if (wall)
        snprintf(partner, sizeof partner, "wall %.64s", wall);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)ids[1]);
    if (ids[0] >= 0)
        snprintf(deepest, sizeof deepest, "the deepest contact is that of grain %lld and %s, %.3g m", (long long)ids[0],
                 partner, worst);
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "step %lld, time %.9g s: no solution, down to a step of %.3g s (%lld halvings); %s; a smaller "
                    "time.step%s, or more stepper.halvings or stepper.iterations, may help",
                    (long long)world->clock.step, w->sub.time, h, (long long)level, deepest,
                    level < w->def->halvings ? " or stepper.step_least" : "");
}

// the run ends within a step: the time of the state as it is, in case a run continues from it. The contacts of the part
// before are not those of the list that was made since
static scree_status end_at(scr_step *s, double time, scree_status status)
{
    scr_clock *clock = &s->world->clock;
    clock->time = clock->base_time = time, clock->base_step = clock->step;
    s->want_contacts = false;
    return status;
}

static scree_status step(scr_step *s, scree_report *report)
{
    var_work *w = s->work;
    scr_clock *clock = &s->world->clock;
    double begin = clock->time, smallest = scr_var_smallest_radius(&s->world->bodies), t0 = scr_seconds();
    double listing = s->times.neighbours;
    s->last.sweeps = s->last.inner = s->last.halvings = s->last.substeps = 0;
    if (s->want_contacts && !scr_pairs_reserve_record(&s->pairs)) return scr_no_memory(report, "contact forces");
    // the place in the step is a whole number of the smallest parts
    int64_t level = 0, last = scr_var_most_level(w->def, clock->dt), done = 0, whole = (int64_t)1 << last;
    double way = scr_var_motion(w->def, s->auto_step) * smallest;
    scree_status status = SCREE_OK;
    if (scr_box_due(s->world, 1)) scr_box_steer(s->world, clock->dt), w->images = scr_images_of(&s->world->domain);
    while (done < whole) {
        double time = begin + clock->dt * ((double)done / (double)whole);
        int64_t wanted = way > 0 ? scr_var_wanted_level(w, time, way) : 0;
        if (level < wanted) level = wanted;
        w->sub.way = level < last ? way : 0;
        int64_t part = whole >> level;
        double h = ldexp(clock->dt, (int)-level);
        var_verdict v = scr_var_sub_step(s, time, h, smallest, &status, report);
        if (v == VAR_FAILED) return end_at(s, time, status);
        if (v == VAR_SOLVED) {
            done += part;
            s->last.substeps++;
            scr_var_count_part(&s->world->tally, h);
            // back to longer parts where one may begin
            if (level > 0 && done % (2 * part) == 0 && done < whole) level--;
            continue;
        }
        if (v == VAR_TOO_FAR) {
            level++, s->world->tally.rejected++;
            continue;
        }
        if (level == last) return end_at(s, time, give_up(s, h, level, report));
        level++, s->last.halvings++;
        s->world->tally.halvings++;
    }
    clock->time = begin;
    scr_clock_tick(clock);
    scr_gravity_set(s->world, clock->time);
    s->times.forces += scr_seconds() - t0 - (s->times.neighbours - listing);
    return status;
}

/* ---- open and close ---- */

void scr_var_close(scr_step *s)
{
    if (!s->work) return;
    scr_var_deinit(s->work);
    scr_memory_free(s->work);
    s->work = NULL;
}

// forces and books at the present time, without moving anything
void scr_var_books(scr_step *s)
{
    var_work *w = s->work;
    var_problem before = w->sub;
    w->sub.mode = VAR_BOOKS, w->sub.theta = w->sub.over = 1;
    set_length(w, s->world->clock.time, 1);
    for (int k = 0; k < s->world->wall_count; k++) {
        const scr_wall *wall = &s->world->walls[k];
        w->walls.at[k] = (var_wall){wall->pose, wall->pose, wall->pose, wall->travel, wall->held};
    }
    scr_var_predict(w);
    scr_var_gather(w, 0);
    scr_var_commit(w);
    w->sub = before;
}

static var_mode mode_of(const scr_variational_def *def)
{
    if (def->order == 1) return VAR_LINEAR;
    return def->energy == SCR_ENERGY_EXACT ? VAR_EXACT : VAR_MIDPOINT;
}

scree_status scr_var_open(scr_step *s, const scr_variational_def *def, bool resumed, scree_report *report)
{
    scr_world *world = s->world;
    var_work *w = s->work = scr_memory_new(1, sizeof *w);
    if (!w) return scr_no_memory(report, "the integrator");
    int laws = world->material_count * world->material_count;
    *w = (var_work){.world = world,
                    .pairs = &s->pairs,
                    .step = s,
                    .def = def,
                    .images = scr_images_of(&world->domain),
                    .sub.mode = mode_of(def),
                    .sub.theta = def->order == 1     ? 1
                                 : isnan(def->theta) ? 0.5
                                                     : def->theta};
    w->sub.over = 1 / w->sub.theta;
    for (int k = 0; k < laws; k++) w->contacts.rolls |= world->laws[k].rolling > 0;
    if ((w->contacts.rolls || s->keep_spent) && !scr_contacts_widen(&world->contacts))
        return scr_no_memory(report, "contacts");
    scree_status status =
        resumed ? scr_pairs_build(&s->pairs, world, report) : scr_pairs_adopt(&s->pairs, world, report);
    w->images = scr_images_of(&world->domain);
    if (!status) status = scr_var_reserve(w, report);
    if (status) return status;
    if (s->want_contacts && !scr_pairs_reserve_record(&s->pairs)) return scr_no_memory(report, "contact forces");
    s->last.contacts = (int64_t)world->contacts.table.count;
    w->contacts.strongest = world->tally.strongest;
    if (!resumed) scr_var_books(s);
    return SCREE_OK;
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    return scr_var_open(s, s->def, resumed, report);
}

scree_status scr_var_renew(scr_step *s, scree_report *report)
{
    return adopt(s, 0, report);
}

scree_status scr_var_save(scr_step *s, scree_report *report)
{
    return scr_pairs_save(&s->pairs, s->world, report);
}

// forces are kept in the records of the list, as the soft stepper does
scree_status scr_var_contacts(scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report)
{
    return scr_soft_contacts(s, 0, rows, count, report);
}

const scr_stepper scr_variational_stepper = {
    .variant = {"variational", "implicit DEM: a step is the minimum of an incremental potential",
                scr_variational_params, sizeof(scr_variational_def)},
    .traits = scr_variational_traits,
    .reports = scr_variational_reports,
    .lines = scr_variational_lines,
    .report = scr_variational_report,
    .check = scr_variational_check,
    .refuses = scr_variational_refuses,
    .adapts = scr_variational_adapts,
    .open = open,
    .step = step,
    .renew = scr_var_renew,
    .save = scr_var_save,
    .close = scr_var_close,
    .contacts = scr_var_contacts,
};
