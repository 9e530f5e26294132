#include "build/build.h"
#include "build/origin.h"
#include "build/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "build/bonds.h"
#include "build/box.h"
#include "build/divided.h"
#include "build/obstacles.h"
#include "build/resolved.h"
#include "build/rigids.h"
#include "build/solids.h"
#include "build/walls.h"
#include "collide/grid.h"
#include "comm/share.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"
#include "math/elementary.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "the world");
}

static int material_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->material_count; k++)
        if (!strcmp(w->materials[k].name, name)) return k;
    return -1;
}

/* ---- groups ---- */

// times count from `origin`
static scr_drive drive_of(const scr_bodies_def *def, double origin)
{
    const scr_motion_def *motion = def->motion.def;
    scr_drive drive = {.axis = {0, 0, 1}};
    if (!motion) return drive;
    drive.moves = true;
    drive.velocity = motion->velocity;
    drive.since = motion->since + origin;
    drive.until = isnan(motion->until) ? INFINITY : motion->until + origin;
    const scr_rotation_def *turn = motion->rotation.def;
    const scr_oscillation_def *swing = motion->oscillation.def;
    if (turn) drive.point = turn->point, drive.axis = v3_unit(turn->axis), drive.rate = turn->rate;
    if (swing) {
        drive.direction = v3_unit(swing->direction);
        drive.amplitude = swing->amplitude;
        drive.frequency = swing->frequency, drive.phase = swing->phase;
    }
    return drive;
}

static int group_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->group_count; k++)
        if (!strcmp(w->groups[k].name, name)) return k;
    return -1;
}

// which groups do not touch, both ways
static scree_status set_apart(scr_world *w, const scr_items *groups, scree_report *report)
{
    size_t n = (size_t)w->group_count;
    for (int a = 0; a < groups->count; a++) {
        const scr_texts *names = &((const scr_bodies_def *)groups->items[a].def)->ignores;
        if (names->count && !w->apart) w->apart = calloc(n * n, sizeof *w->apart);
        if (names->count && !w->apart) return no_memory(report);
        for (int k = 0; k < names->count; k++) {
            int b = group_index(w, names->items[k]);
            w->apart[a * w->group_count + b] = w->apart[b * w->group_count + a] = true;
        }
    }
    return SCREE_OK;
}

// what a held group says of its first velocity is not used
static void warn_of_velocity(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_bodies_def *def = item->def;
    if (!def->frozen && !def->motion.def) return;
    for (int m = 0; m < 2; m++) {
        const char *key = m ? "spin" : "velocity";
        vec3 v = m ? def->spin : def->velocity;
        if (v3_dot(v, v) > 0)
            scr_warn(report, scr_item_place(scene, item, key), "bodies.%s %s: its %s is ignored", item->name,
                     def->frozen ? "is frozen" : "moves as prescribed", key);
    }
}

void scr_build_drives(scr_world *w)
{
    scr_bodies *b = &w->bodies;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    for (size_t i = 0; i < b->table.count; i++) {
        const scr_drive *drive = &w->groups[b->group[i]].drive;
        if (!drive->moves) continue;
        const double *x = b->place + 4 * i;
        const int32_t *n = b->image + 4 * i;
        vec3 at = v3(x[0] + n[0] * size.x, x[1] + n[1] * size.y, x[2] + n[2] * size.z);
        v3_store(b->motion + 4 * i, scr_drive_velocity(drive, w->clock.time, at));
        v3_store(b->spin + 4 * i, scr_drive_spin(drive, w->clock.time));
    }
}

/* ---- the stage ---- */

static bool has_coefficients(const scr_scene *scene, const char *material)
{
    const scr_item *item = scr_scene_find(scene, "materials", material);
    const scr_material_def *def = item ? item->def : NULL;
    return def && !isnan(def->restitution) && !isnan(def->friction);
}

// solids touch where the scene says by which laws: a single solid touches only its own fragments
static bool solids_can_touch(const scr_world *w, const scr_scene *scene, scree_report *report)
{
    if (!w->solid_count) return false;
    if (scr_scene_items(scene, "contacts")->count || w->group_count) return true;
    bool meet = w->solid_count > 1 || w->wall_count, known = true, breaks = false;
    for (int k = 0; k < w->solid_count; k++) {
        const scr_solid *s = &w->solids[k];
        breaks |= isfinite(s->tensile_strength) || isfinite(s->shear_strength) || isfinite(s->fracture_energy);
        known &= has_coefficients(scene, w->materials[s->material].name);
    }
    for (int k = 0; k < w->wall_count; k++) known &= has_coefficients(scene, w->materials[w->walls[k].material].name);
    if (meet && !known)
        scr_warn(report, scr_item_place(scene, &scr_scene_items(scene, "solids")->items[0], NULL),
                 "solids pass through walls and each other: the scene defines no contact laws; give contacts, or "
                 "restitution and friction of the materials");
    if (breaks && !meet) scr_say("fragments pass through each other: the scene defines no contact laws");
    return meet && known;
}

scree_status scr_build_stage(scr_step *step, const scr_scene *scene, scree_report *report)
{
    scr_world *w = step->world;
    const scr_domain_def *domain = scr_scene_def(scene, "domain");
    const scr_items *materials = scr_scene_items(scene, "materials");
    const scr_items *groups = scr_scene_items(scene, "bodies");
    w->domain = (scr_domain){
        .lower = domain->box[0], .upper = domain->box[1], .delete_escaped = domain->boundary == SCR_BOUNDARY_DELETE};
    memcpy(w->domain.periodic, domain->periodic, sizeof w->domain.periodic);
    w->clock.next_id = 1;
    w->clock.time = w->clock.base_time = ((const scr_time_def *)scr_scene_def(scene, "time"))->start;

    w->materials = calloc((size_t)materials->count + 1, sizeof *w->materials);
    w->groups = calloc((size_t)groups->count + 1, sizeof *w->groups);
    if (!w->materials || !w->groups) return no_memory(report);
    if (materials->count > 255)
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &materials->items[255], NULL),
                        "%d materials, at most 255 are possible", materials->count);
    for (int k = 0; k < materials->count; k++) {
        const scr_material_def *def = materials->items[k].def;
        w->materials[w->material_count++] = (scr_material){.name = strdup(materials->items[k].name),
                                                           .density = def->density,
                                                           .young = def->young,
                                                           .poisson = def->poisson};
        if (!w->materials[k].name) return no_memory(report);
    }
    for (int k = 0; k < groups->count; k++) {
        const scr_bodies_def *def = groups->items[k].def;
        w->groups[w->group_count++] =
            (scr_group){.name = strdup(groups->items[k].name),
                        .material = material_index(w, def->material),
                        .frozen = def->frozen,
                        .drive = drive_of(def, scr_origin(w, scene, "bodies", groups->items[k].name))};
        if (!w->groups[k].name) return no_memory(report);
        warn_of_velocity(scene, &groups->items[k], report);
    }
    scree_status status = scr_build_gravity(w, scene, report);
    if (!status) status = set_apart(w, groups, report);
    if (!status) status = scr_build_bond_laws(w, scene, report);
    if (!status) status = scr_build_walls(w, scene, report);
    if (!status) status = scr_build_parts(w, scene, report);
    if (!status) status = scr_build_resolved(step, scene, report);
    if (!status) status = scr_build_solids(step, scene, report);
    if (!status) w->solids_touch = solids_can_touch(w, scene, report);
    if (!status) status = scr_build_loads(w, scene, report);
    if (!status) status = scr_build_ports(w, scene, report);
    return status ? status : scr_build_box(step, scene, report);
}

/* ---- bodies ---- */

// a body that is frozen, or moves as prescribed, has no inverse mass: nothing pushes it, and its
// partner sees an infinite mass; its velocity, if any, is set when all are there
static void set_inertia(scr_bodies *b, size_t i, double mass, bool held)
{
    double r = b->place[4 * i + 3];
    b->mass[i] = mass;
    b->motion[4 * i + 3] = 1 / mass;
    b->spin[4 * i + 3] = 1 / (0.4 * mass * r * r);
    if (!held) return;
    memset(b->motion + 4 * i, 0, 4 * sizeof(double));
    memset(b->spin + 4 * i, 0, 4 * sizeof(double));
}

// row i, which is zero
static void fill_row(scr_world *w, size_t i, const scr_grain *grain, int group)
{
    scr_bodies *b = &w->bodies;
    int material = grain->material ? grain->material - 1 : w->groups[group].material;
    double density = isnan(grain->density) ? w->materials[material].density : grain->density;
    double r = grain->radius;
    v3_store(b->place + 4 * i, grain->position);
    v3_store(b->motion + 4 * i, grain->velocity);
    v3_store(b->spin + 4 * i, grain->spin);
    b->place[4 * i + 3] = r;
    b->id[i] = grain->id;
    b->material[i] = material;
    b->group[i] = group;
    set_inertia(b, i, density * (4.0 / 3 * M_PI) * r * r * r, scr_group_held(&w->groups[group]));
}

size_t scr_build_body(scr_world *w, const scr_grain *grain, int group)
{
    size_t i = scr_table_add(&w->bodies.table);
    fill_row(w, i, grain, group);
    if (grain->id >= w->clock.next_id) w->clock.next_id = grain->id + 1;
    return i;
}

/* Grains that are single spheres, into rows of the table. */
typedef struct {
    scr_world *world;
    const scr_grain *grains;
    size_t first; /* row */
    int group;
} filling;

static void fill_rows(void *context, size_t from, size_t to, void *next_id)
{
    const filling *f = context;
    scr_table_clear(&f->world->bodies.table, f->first + from, f->first + to);
    for (size_t k = from; k < to; k++) {
        fill_row(f->world, f->first + k, &f->grains[k], f->group);
        if (f->grains[k].id >= *(int64_t *)next_id) *(int64_t *)next_id = f->grains[k].id + 1;
    }
}

static void join_ids(void *all, const void *part)
{
    if (*(const int64_t *)part > *(int64_t *)all) *(int64_t *)all = *(const int64_t *)part;
}

// there is room
static void build_grains(scr_world *w, const scr_clump_form *form, const scr_grain *grains, size_t count, int group)
{
    filling f = {w, grains, w->bodies.table.count, group};
    for (size_t k = 0; k < count && form->count; k++) scr_build_grain(w, form, &grains[k], group, k, false);
    if (form->count) return;
    w->bodies.table.count += count, w->bodies.table.moves++;
    scr_reduce(count, fill_rows, join_ids, &f, &w->clock.next_id, sizeof w->clock.next_id);
}

static bool ids_ascend(const scr_bodies *b)
{
    bool ascend = true;
    for (size_t i = 1; i < b->table.count && ascend; i++) ascend = b->id[i - 1] < b->id[i];
    return ascend;
}

// ids that files did not give; then rows in the order of ids, so that nothing depends on the order
// of input
static scree_status number_bodies(scr_world *w, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    size_t n = b->table.count;
    for (size_t i = 0; i < n; i++)
        if (b->id[i] == 0) b->id[i] = w->clock.next_id++;
    if (ids_ascend(b)) return SCREE_OK;
    uint32_t *order = scr_memory_new(n, sizeof *order);
    scree_status status = order ? SCREE_OK : no_memory(report);
    if (!status) {
        scr_bodies_by_id(b, order);
        for (size_t k = 1; k < n && !status; k++)
            if (b->id[order[k]] == b->id[order[k - 1]])
                status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "grain id %lld occurs twice (groups %s and %s)",
                                  (long long)b->id[order[k]], w->groups[b->group[order[k - 1]]].name,
                                  w->groups[b->group[order[k]]].name);
    }
    bool rows_are_known = w->contacts.table.count || w->bonds.table.count;
    if (!status && !rows_are_known) scr_table_reorder(&b->table, order);
    scr_memory_free(order);
    return status;
}

static bool existing_grains(const scr_world *w, scr_grains *grains)
{
    const scr_bodies *b = &w->bodies;
    if (b->table.count == 0) return true;
    if (!scr_reserve(&grains->items, b->table.count)) return false;
    grains->count = b->table.count;
    for (size_t i = 0; i < b->table.count; i++)
        grains->items[i] =
            (scr_grain){.id = b->id[i], .position = v3_load(b->place + 4 * i), .radius = b->place[4 * i + 3]};
    return true;
}

static void each(size_t count, void (*work)(void *context, size_t index), void *context)
{
    scr_each(count, NULL, work, context);
}

// the grains of a group
static scree_status build_group(scr_world *w, const scr_scene *scene, int group, scr_grains *grains,
                                scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "bodies")->items[group];
    size_t before = grains->count;
    grains->made = 0;
    scree_status status = scr_grains_generate(scene, item, grains, report);
    if (status) return status;
    scr_clump_form form;
    size_t count = grains->count - before;
    if (!scr_clump_form_of(&form, scene, item) || !scr_build_reserve(w, &form, count)) return no_memory(report);
    build_grains(w, &form, grains->items + before, count, group);
    return SCREE_OK;
}

scree_status scr_build_bodies(scr_world *w, const scr_scene *scene, const bool *skip_group, scree_report *report)
{
    const scr_items *groups = scr_scene_items(scene, "bodies");
    scr_grains grains = {.each = each};
    scree_status status = SCREE_OK;
    scr_wall_obstacles walls;
    if (!scr_wall_obstacles_init(&walls, w)) status = no_memory(report);
    if (w->wall_count) grains.obstacles = &walls.given;
    // new grains keep clear of those that are there already
    if (!w->share && !existing_grains(w, &grains)) status = no_memory(report);
    for (int g = 0; g < groups->count && !status && !w->share; g++)
        if (!skip_group || !skip_group[g]) status = build_group(w, scene, g, &grains, report);
    if (!status && !w->share) status = number_bodies(w, report);
    if (w->share) status = scr_share_agree(w->share, status);
    if (!status && w->share) status = scr_divided_build(w, scene, skip_group, &grains, build_group, report);
    scr_grains_deinit(&grains);
    scr_wall_obstacles_deinit(&walls);
    return status;
}

// grains that were there and have left are remembered
void scr_build_curve(scr_world *w)
{
    double least = w->clock.curve > 0 ? w->clock.curve : INFINITY;
    if (scr_share_bodies(w)) least = fmin(least, 2 * scr_world_radii(w, w->bodies.place).least);
    for (int k = 0; k < w->inlet_count; k++) least = fmin(least, 2 * w->inlets[k].radius[0]);
    w->clock.curve = isinf(least) ? 0 : least;
}

/* ---- a world that continues another ---- */

// planes go on counting; groups are those of this world
static void adopt_flows(scr_world *w, scr_world *from)
{
    for (int k = 0; k < from->flow_count; k++)
        if (from->flows[k].group >= 0) {
            int g = group_index(w, from->groups[from->flows[k].group].name);
            from->flows[k].group = g < 0 ? SCR_NO_GROUP : g;
        }
    w->flows = from->flows;
    w->flow_count = from->flow_count;
    from->flows = NULL;
    from->flow_count = 0;
}

scree_status scr_build_adopt(scr_world *w, const scr_scene *scene, scr_world *from, bool *taken, scree_report *report)
{
    // a group of the past is not made again, not even when all its grains have left
    for (int k = 0; k < from->group_count; k++) {
        int g = group_index(w, from->groups[k].name);
        if (g >= 0) taken[g] = true;
    }
    // bodies keep their group; the group's present definition gives material and frozen
    for (size_t i = 0; i < from->bodies.table.count; i++) {
        int old = from->bodies.group[i], g = group_index(w, from->groups[old].name);
        if (g < 0)
            return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(scene)},
                            "the results contain grains of the group '%s', which is not defined under bodies",
                            from->groups[old].name);
        double density_ratio = 1;
        int before = from->bodies.material[i], after = w->groups[g].material;
        // a grain with a material of its own keeps it, if the scene still has it
        int own = before == from->groups[old].material ? -1 : material_index(w, from->materials[before].name);
        if (own >= 0) after = own;
        if (from->materials[before].density != w->materials[after].density)
            density_ratio = w->materials[after].density / from->materials[before].density;
        from->bodies.group[i] = g;
        from->bodies.material[i] = after;
        bool was_held = from->bodies.motion[4 * i + 3] == 0, held = scr_group_held(&w->groups[g]);
        if (density_ratio != 1 || was_held != held || w->groups[g].frozen)
            set_inertia(&from->bodies, i, from->bodies.mass[i] * density_ratio, held);
    }
    w->bodies = from->bodies;
    w->blocks = from->blocks, from->blocks = (scr_blocks){0};
    w->contacts = from->contacts;
    scr_bodies_init(&from->bodies);
    scr_contacts_init(&from->contacts);
    w->ledger = from->ledger;
    w->clock = from->clock;
    w->tally = from->tally;
    adopt_flows(w, from);
    scr_ports_continue(w, from);
    scr_adopt_walls(w, from);
    return scr_adopt_rigids(w, scene, from, report);
}
