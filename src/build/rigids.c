#include "build/rigids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/random.h"
#include "build/build.h"
#include "build/origin.h"
#include "math/elementary.h"
#include "shape/clump.h"
#include "world/carrier.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "rigid bodies");
}

static int part_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->part_count; k++)
        if (!strcmp(w->parts[k].name, name)) return k;
    return -1;
}

static int wall_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->wall_count; k++)
        if (!strcmp(w->walls[k].name, name)) return k;
    return -1;
}

/* ---- parts ---- */

// the wall's base leads to the part's frame; its reference is the part's centre
static void carry_wall(scr_world *w, int wall, int part)
{
    scr_wall *m = &w->walls[wall];
    pose frame = scr_rigid_pose(&w->rigids, (size_t)part), back = pose_inverse(&frame);
    m->carried = true;
    m->carrier = part;
    m->base = pose_after(&back, &m->pose);
    m->reference = pose_point_back(&m->pose, v3_load(w->rigids.centre + 4 * (size_t)part));
}

static void add_part(scr_world *w, const scr_item *item)
{
    const scr_part_def *d = item->def;
    sym3 tensor = {d->inertia.x, d->inertia.y, d->inertia.z, d->products.x, d->products.y, d->products.z};
    vec3 moments, axes[3];
    sym3_principal(tensor, &moments, axes);
    int k = w->part_count++;
    scr_rigid_add(&w->rigids, SCR_RIGID_PART, k, d->centre, d->mass, moments, quat_of_axes(axes));
    v3_store(w->rigids.velocity + 4 * k, d->velocity);
    scr_rigid_set_spin(&w->rigids, (size_t)k, d->spin);
    for (int n = 0; n < d->walls.count; n++) carry_wall(w, wall_index(w, d->walls.items[n]), k);
}

/* ---- joints ---- */

static bool add_joint(scr_world *w, const scr_scene *scene, const scr_item *item)
{
    static const char *const kinds[] = {"ball", "hinge", "slider", "lock"};
    const scr_joint_def *d = item->def;
    const scr_joint_drive_def *drive = item->variant_def;
    scr_joint *j = &w->joints[w->joint_count++];
    *j = (scr_joint){.name = strdup(item->name), .compliance = d->compliance};
    for (int k = 0; k < 4; k++)
        if (!strcmp(kinds[k], item->variant->name)) j->kind = k;
    for (int k = 0; k < 2; k++) j->body[k] = part_index(w, d->between.items[k]); // ground: -1
    scr_joint_place(j, &w->rigids, d->point, drive ? drive->axis : v3(0, 0, 1));
    if (!drive) return j->name != NULL;
    j->strength = isnan(drive->strength) ? INFINITY : drive->strength;
    j->limited = !isnan(drive->limits[0]);
    j->low = drive->limits[0], j->high = drive->limits[1];
    size_t rows = (size_t)drive->motor.count;
    j->motor = rows ? malloc(rows * sizeof *j->motor) : NULL;
    if (!j->name || (rows && !j->motor)) return false;
    if (rows) memcpy(j->motor, drive->motor.rows, rows * sizeof *j->motor);
    j->motor_rows = (int)rows;
    double origin = scr_origin(w, scene, "joints", item->name);
    for (size_t k = 0; k < rows; k++) j->motor[k][0] += origin;
    return true;
}

scree_status scr_build_parts(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *parts = scr_scene_items(scene, "parts");
    const scr_items *joints = scr_scene_items(scene, "joints");
    w->parts = calloc((size_t)parts->count + 1, sizeof *w->parts);
    w->joints = calloc((size_t)joints->count + 1, sizeof *w->joints);
    if (!w->parts || !w->joints || !scr_table_reserve(&w->rigids.table, (size_t)parts->count)) return no_memory(report);
    for (int k = 0; k < parts->count; k++) {
        if (!(w->parts[k].name = strdup(parts->items[k].name))) return no_memory(report);
        add_part(w, &parts->items[k]);
    }
    for (int k = 0; k < joints->count; k++)
        if (!add_joint(w, scene, &joints->items[k])) return no_memory(report);
    scr_rigids_carry(w);
    return SCREE_OK;
}

/* ---- clumps ---- */

bool scr_clump_form_of(scr_clump_form *form, const scr_scene *scene, const scr_item *group)
{
    const scr_head_def *head = scr_scene_def(scene, "");
    const scr_clump_def *d = ((const scr_bodies_def *)group->def)->clump.def;
    *form = (scr_clump_form){.smallest = 1, .volume = scr_ball_volume(1), .turn = quat_one()};
    if (!d) return true;
    double reach = 0;
    form->count = d->spheres.count;
    for (int k = 0; k < form->count; k++) {
        const double *s = d->spheres.rows + 4 * k;
        reach = fmax(reach, v3_norm(v3_load(s)) + s[3]);
    }
    for (int k = 0; k < form->count; k++)
        for (int n = 0; n < 4; n++) form->spheres[k][n] = d->spheres.rows[4 * k + n] / reach;
    scr_clump_shape solid;
    if (!scr_clump_solid((const double(*)[4])form->spheres, form->count, &solid)) return false;
    vec3 axes[3];
    sym3_principal(solid.inertia, &form->moments, axes);
    form->turn = quat_of_axes(axes);
    form->volume = solid.volume;
    form->centre = solid.centre;
    for (int k = 0; k < form->count; k++) {
        double *s = form->spheres[k];
        v3_store(s, quat_turn_back(form->turn, v3_sub(v3_load(s), form->centre)));
        form->smallest = fmin(form->smallest, s[3]);
    }
    form->aligned = d->orientation == SCR_ORIENTATION_ALIGNED;
    // a stream of its own, so that sizes and places are those of spheres
    uint64_t stream = scr_digest_bytes(SCR_DIGEST_START, group->name, strlen(group->name));
    form->key = scr_random_stream((uint64_t)head->seed, scr_digest_mix(stream, 1)).key;
    return true;
}

double scr_clump_fill(const scr_clump_form *form)
{
    return form->volume / scr_ball_volume(1);
}

// all turns are as likely (Shoemake 1992)
static quat random_turn(const scr_clump_form *form, uint64_t number)
{
    if (form->aligned) return quat_one();
    scr_random r = {.key = form->key, .counter = 3 * number};
    double u = scr_random_unit(&r), a = 2 * M_PI * scr_random_unit(&r), b = 2 * M_PI * scr_random_unit(&r);
    double s = sqrt(1 - u), t = sqrt(u);
    return (quat){t * scr_cos(b), s * scr_sin(a), s * scr_cos(a), t * scr_sin(b)};
}

bool scr_build_reserve(scr_world *w, const scr_clump_form *form, size_t grains)
{
    size_t bodies = w->bodies.table.count + grains * (size_t)(form->count ? form->count : 1);
    return bodies <= SCR_MOST_BODIES && scr_table_reserve(&w->bodies.table, bodies) &&
           (!form->count || scr_table_reserve(&w->rigids.table, w->rigids.table.count + grains));
}

size_t scr_build_grain(scr_world *w, const scr_clump_form *form, const scr_grain *grain, int group, uint64_t number,
                       bool ids)
{
    if (!form->count) return scr_build_body(w, grain, group);
    scr_bodies *b = &w->bodies;
    size_t first = b->table.count, rigid = w->rigids.table.count;
    double r = grain->radius, cubes = 0;
    double density = isnan(grain->density) ? w->materials[w->groups[group].material].density : grain->density;
    quat turn = random_turn(form, number), frame = quat_unit(quat_mul(turn, form->turn));
    vec3 centre = v3_axpy(grain->position, r, quat_turn(turn, form->centre));
    // where nothing pushes them, they are spheres that never part
    bool held = scr_group_held(&w->groups[group]);
    for (int k = 0; k < form->count; k++) cubes += scr_pow(form->spheres[k][3], 3);
    if (!held) {
        double mass = density * form->volume * r * r * r;
        scr_rigid_add(&w->rigids, SCR_RIGID_CLUMP, group, centre, mass,
                      v3_scale(density * scr_pow(r, 5), form->moments), frame);
        v3_store(w->rigids.velocity + 4 * rigid, grain->velocity);
        scr_rigid_set_spin(&w->rigids, rigid, grain->spin);
    }
    for (int k = 0; k < form->count; k++) {
        const double *s = form->spheres[k];
        scr_grain one = *grain;
        vec3 arm = v3_scale(r, quat_turn(frame, v3_load(s)));
        one.id = ids ? w->clock.next_id : 0;
        one.position = v3_add(centre, arm);
        one.radius = r * s[3];
        one.velocity = v3_add(grain->velocity, v3_cross(grain->spin, arm));
        // a share of the clump's mass
        one.density = density * form->volume / (scr_ball_volume(1) * cubes);
        size_t i = scr_build_body(w, &one, group);
        if (held) continue;
        b->carrier[i] = scr_carrier_of_rigid(w, (int)rigid);
        v3_store(b->anchor + 4 * i, v3_scale(r, v3_load(s)));
    }
    return first;
}

/* ---- a world that continues another ---- */

// a part of the same name goes on where it was; its mass is that of the scene
static void adopt_part(scr_world *w, int k, const scr_rigids *from, int old)
{
    scr_rigids *r = &w->rigids;
    vec3 spin = scr_rigid_spin(from, (size_t)old);
    bool same = !memcmp(r->inertia + 4 * k, from->inertia + 4 * old, 4 * sizeof(double));
    memcpy(r->centre + 4 * k, from->centre + 4 * old, 3 * sizeof(double));
    memcpy(r->velocity + 4 * k, from->velocity + 4 * old, 3 * sizeof(double));
    memcpy(r->turn + 4 * k, from->turn + 4 * old, 4 * sizeof(double));
    memcpy(r->load + 8 * k, from->load + 8 * old, 8 * sizeof(double));
    memcpy(r->momentum + 4 * k, from->momentum + 4 * old, 4 * sizeof(double));
    if (!same) scr_rigid_set_spin(r, (size_t)k, spin);
}

static void adopt_joints(scr_world *w, const scr_world *from)
{
    for (int k = 0; k < w->joint_count; k++)
        for (int n = 0; n < from->joint_count; n++) {
            const scr_joint *old = &from->joints[n];
            if (strcmp(w->joints[k].name, old->name) || w->joints[k].kind != old->kind) continue;
#define F(member, count) memcpy(w->joints[k].member, old->member, (count) * sizeof(double));
            SCR_JOINT_STATE(F)
#undef F
        }
}

// a wall that was carried by the same part stays where it is on it; others are fixed as they are now
static void adopt_carried(scr_world *w, const scr_world *from)
{
    for (int k = 0; k < w->wall_count; k++) {
        scr_wall *wall = &w->walls[k];
        int old = wall_index(from, wall->name);
        if (!wall->carried || old < 0) continue;
        const scr_wall *before = &from->walls[old];
        bool same = before->carried && !strcmp(from->parts[before->carrier].name, w->parts[wall->carrier].name);
        if (same)
            wall->base = before->base;
        else
            carry_wall(w, k, wall->carrier);
    }
}

static bool has_clump(const scr_scene *scene, const char *group)
{
    const scr_item *item = scr_scene_find(scene, "bodies", group);
    return item && ((const scr_bodies_def *)item->def)->clump.def;
}

// row k of the other world becomes the last of this one
static size_t adopt_row(scr_world *w, const scr_world *from, size_t k)
{
    scr_rigids *r = &w->rigids;
    size_t n = scr_table_add(&r->table);
    for (int f = 0; f < r->table.field_count; f++) {
        const scr_field *field = &r->table.fields[f];
        size_t row = scr_field_row(field);
        memcpy((char *)scr_table_array(&r->table, field) + n * row,
               (char *)scr_table_array(&from->rigids.table, field) + k * row, row);
    }
    return n;
}

// density as the group's is now
static void adopt_clump(scr_world *w, const scr_world *from, size_t k, int group)
{
    scr_rigids *r = &w->rigids;
    size_t n = adopt_row(w, from, k);
    int old = from->groups[r->source[n]].material, now = w->groups[group].material;
    double ratio = w->materials[now].density / from->materials[old].density;
    r->source[n] = group;
    if (ratio == 1) return;
    r->centre[4 * n + 3] *= ratio, r->velocity[4 * n + 3] /= ratio;
    for (int d = 0; d < 3; d++) r->inertia[4 * n + d] *= ratio, r->momentum[4 * n + d] *= ratio;
}

static int carrier_now(const scr_world *w, const scr_world *from, int carrier, const int *clumps)
{
    int rigid = scr_carrier_rigid(from, carrier);
    if (rigid >= 0) return clumps[rigid];
    if (carrier <= SCR_CARRIER_REST) return carrier;
    int wall = wall_index(w, from->walls[carrier - scr_carrier_of_wall(0)].name);
    return wall < 0 ? SCR_CARRIER_NONE : scr_carrier_of_wall(wall);
}

static int group_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->group_count; k++)
        if (!strcmp(w->groups[k].name, name)) return k;
    return -1;
}

scree_status scr_adopt_rigids(scr_world *w, const scr_scene *scene, scr_world *from, scree_report *report)
{
    size_t count = from->rigids.table.count;
    int *carriers = calloc(count + 1, sizeof *carriers); // of this world, by row of the other
    if (!carriers || !scr_table_reserve(&w->rigids.table, w->rigids.table.count + count)) {
        free(carriers);
        return no_memory(report);
    }
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < count && !status; k++) {
        if (k < (size_t)from->part_count) {
            int part = part_index(w, from->parts[k].name);
            if (part >= 0) adopt_part(w, part, &from->rigids, (int)k);
            carriers[k] = part < 0 ? SCR_CARRIER_NONE : scr_carrier_of_rigid(w, part);
            continue;
        }
        if (from->rigids.kind[k] == SCR_RIGID_AGGREGATE) {
            carriers[k] = scr_carrier_of_rigid(w, (int)w->rigids.table.count);
            adopt_row(w, from, k);
            continue;
        }
        const char *name = from->groups[from->rigids.source[k]].name;
        int group = group_index(w, name);
        if (!has_clump(scene, name))
            status =
                scr_fail(report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(scene)},
                         "the results contain clumps of the group '%s', which consists of spheres in the scene", name);
        else if (!scr_group_held(&w->groups[group])) {
            carriers[k] = scr_carrier_of_rigid(w, (int)w->rigids.table.count);
            adopt_clump(w, from, k, group);
        }
    }
    for (size_t i = 0; i < w->bodies.table.count; i++)
        w->bodies.carrier[i] = carrier_now(w, from, w->bodies.carrier[i], carriers);
    free(carriers);
    adopt_joints(w, from);
    adopt_carried(w, from);
    return status;
}
