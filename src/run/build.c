#include "run/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/generate.h"

static scree_status no_memory(scree_report *report)
{
    return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for the world");
}

static int material_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->material_count; k++)
        if (!strcmp(w->materials[k].name, name)) return k;
    return -1;
}

/* ---- walls ---- */

static scr_face plane_face(vec3 point, vec3 normal)
{
    return (scr_face){.kind = SCR_FACE_PLANE, .point = point, .axis = v3_unit(normal)};
}

static scr_face shell_face(vec3 from, vec3 to, double radius_from, double radius_to)
{
    vec3 along = v3_sub(to, from);
    return (scr_face){.kind = SCR_FACE_SHELL,
                      .point = from,
                      .axis = v3_unit(along),
                      .length = v3_norm(along),
                      .radius = {radius_from, radius_to}};
}

// faces of each shape of wall, from its own definition; how many
static int plane_faces(const void *def, scr_face *faces)
{
    const scr_wall_plane_def *d = def;
    faces[0] = plane_face(d->point, d->normal);
    return 1;
}

static int box_faces(const void *def, scr_face *faces)
{
    const scr_wall_box_def *d = def;
    for (int k = 0; k < 3; k++) {
        vec3 n = v3(k == 0, k == 1, k == 2);
        faces[2 * k] = plane_face(d->box[0], n);
        faces[2 * k + 1] = plane_face(d->box[1], v3_scale(-1, n));
    }
    return 6;
}

static int cylinder_faces(const void *def, scr_face *faces)
{
    const scr_wall_cylinder_def *d = def;
    faces[0] = shell_face(d->from, d->to, d->radius, d->radius);
    return 1;
}

static int frustum_faces(const void *def, scr_face *faces)
{
    const scr_wall_frustum_def *d = def;
    faces[0] = shell_face(d->from, d->to, d->radius_from, d->radius_to);
    return 1;
}

static int disc_faces(const void *def, scr_face *faces)
{
    const scr_wall_disc_def *d = def;
    faces[0] = (scr_face){.kind = SCR_FACE_SHELL,
                          .point = d->center,
                          .axis = v3_unit(d->normal),
                          .radius = {0, d->radius}};
    return 1;
}

#define MOST_FACES 6 /* of one wall */

static const struct {
    const char *name;
    int (*faces)(const void *def, scr_face *faces);
} shapes[] = {{"plane", plane_faces},
              {"box", box_faces},
              {"cylinder", cylinder_faces},
              {"frustum", frustum_faces},
              {"disc", disc_faces}};

static int faces_of(const scr_item *item, scr_face *faces)
{
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (!strcmp(shapes[k].name, item->variant->name))
            return shapes[k].faces(item->variant_def, faces);
    return 0;
}

static scree_status add_walls(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *items = scr_scene_items(scene, "walls");
    w->walls = calloc((size_t)items->count + 1, sizeof *w->walls);
    w->faces = calloc(MOST_FACES * (size_t)items->count + 1, sizeof *w->faces);
    if (!w->walls || !w->faces) return no_memory(report);
    for (int k = 0; k < items->count; k++) {
        const scr_item *item = &items->items[k];
        const scr_wall_def *def = item->def;
        scr_wall *wall = &w->walls[w->wall_count++];
        *wall = (scr_wall){.name = strdup(item->name),
                           .shape = strdup(item->variant->name),
                           .material = material_index(w, def->material),
                           .velocity = def->velocity};
        if (!wall->name || !wall->shape) return no_memory(report);
        scr_face faces[MOST_FACES];
        int count = faces_of(item, faces);
        for (int f = 0; f < count; f++) {
            faces[f].wall = k;
            faces[f].rest = faces[f].point;
            faces[f].material = wall->material;
            w->faces[w->face_count++] = faces[f];
        }
        wall->reference = faces[0].point;
    }
    return SCREE_OK;
}

/* ---- the stage ---- */

scree_status scr_build_stage(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_head_def *head = scr_scene_def(scene, "");
    const scr_domain_def *domain = scr_scene_def(scene, "domain");
    const scr_items *materials = scr_scene_items(scene, "materials");
    const scr_items *groups = scr_scene_items(scene, "bodies");
    w->gravity = head->gravity;
    w->domain = (scr_domain){.lower = domain->box[0],
                             .upper = domain->box[1],
                             .delete_escaped = domain->boundary == SCR_BOUNDARY_DELETE};
    memcpy(w->domain.periodic, domain->periodic, sizeof w->domain.periodic);
    w->clock.next_id = 1;

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
        w->groups[w->group_count++] = (scr_group){.name = strdup(groups->items[k].name),
                                                  .material = material_index(w, def->material),
                                                  .frozen = def->frozen};
        if (!w->groups[k].name) return no_memory(report);
        for (int m = 0; m < 2 && def->frozen; m++) {
            vec3 v = m ? def->spin : def->velocity;
            if (v3_dot(v, v) > 0)
                scr_warn(report, scr_item_place(scene, &groups->items[k], m ? "spin" : "velocity"),
                         "bodies.%s is frozen: its %s is ignored", groups->items[k].name,
                         m ? "spin" : "velocity");
        }
    }
    return add_walls(w, scene, report);
}

/* ---- bodies ---- */

// a frozen body has no velocity and no inverse mass: nothing moves it, and its partner sees an infinite mass
static void set_inertia(scr_bodies *b, size_t i, double mass, bool frozen)
{
    double r = b->place[4 * i + 3];
    b->mass[i] = mass;
    b->motion[4 * i + 3] = 1 / mass;
    b->spin[4 * i + 3] = 1 / (0.4 * mass * r * r);
    if (!frozen) return;
    memset(b->motion + 4 * i, 0, 4 * sizeof(double));
    memset(b->spin + 4 * i, 0, 4 * sizeof(double));
}

static void add_body(scr_world *w, const scr_grain *grain, int group)
{
    scr_bodies *b = &w->bodies;
    size_t i = b->table.count++;
    int material = w->groups[group].material;
    double density = isnan(grain->density) ? w->materials[material].density : grain->density;
    double r = grain->radius;
    v3_store(b->place + 4 * i, grain->position);
    v3_store(b->motion + 4 * i, grain->velocity);
    v3_store(b->spin + 4 * i, grain->spin);
    b->place[4 * i + 3] = r;
    b->id[i] = grain->id;
    b->material[i] = material;
    b->group[i] = group;
    set_inertia(b, i, density * (4.0 / 3 * M_PI) * r * r * r, w->groups[group].frozen);
    if (grain->id >= w->clock.next_id) w->clock.next_id = grain->id + 1;
}

// ids that files did not give; then rows in the order of ids, so that nothing depends on the order
// of input
static scree_status number_bodies(scr_world *w, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    size_t n = b->table.count;
    for (size_t i = 0; i < n; i++)
        if (b->id[i] == 0) b->id[i] = w->clock.next_id++;
    uint32_t *order = scr_memory_new(n, sizeof *order);
    scree_status status = order ? SCREE_OK : no_memory(report);
    if (!status) {
        scr_bodies_by_id(b, order);
        for (size_t k = 1; k < n && !status; k++)
            if (b->id[order[k]] == b->id[order[k - 1]])
                status = scr_fail(
                    report, SCREE_E_INPUT, SCR_NOWHERE,
                    "grain id %lld occurs twice (groups %s and %s)", (long long)b->id[order[k]],
                    w->groups[b->group[order[k - 1]]].name, w->groups[b->group[order[k]]].name);
    }
    if (!status && w->contacts.table.count == 0) scr_table_reorder(&b->table, order);
    scr_memory_free(order);
    return status;
}

static bool existing_grains(const scr_world *w, scr_grains *grains)
{
    const scr_bodies *b = &w->bodies;
    if (b->table.count == 0) return true;
    grains->items = calloc(b->table.count, sizeof *grains->items);
    if (!grains->items) return false;
    grains->count = grains->capacity = b->table.count;
    for (size_t i = 0; i < b->table.count; i++)
        grains->items[i] = (scr_grain){
            .id = b->id[i], .position = v3_load(b->place + 4 * i), .radius = b->place[4 * i + 3]};
    return true;
}

scree_status scr_build_bodies(scr_world *w, const scr_scene *scene, const bool *skip_group,
                              scree_report *report)
{
    const scr_items *groups = scr_scene_items(scene, "bodies");
    scr_grains grains = {0};
    // new grains keep clear of those that are there already
    scree_status status = existing_grains(w, &grains) ? SCREE_OK : no_memory(report);
    for (int g = 0; g < groups->count && !status; g++) {
        if (skip_group && skip_group[g]) continue;
        size_t before = grains.count;
        scree_status s = scr_grains_generate(scene, &groups->items[g], &grains, report);
        if (s) status = s;
        if (status) continue;
        if (w->bodies.table.count + grains.count - before > SCR_MOST_BODIES ||
            !scr_table_reserve(&w->bodies.table, w->bodies.table.count + grains.count - before)) {
            status = no_memory(report);
            continue;
        }
        for (size_t k = before; k < grains.count; k++) add_body(w, &grains.items[k], g);
    }
    scr_grains_deinit(&grains);
    return status ? status : number_bodies(w, report);
}

/* ---- a world that continues another ---- */

static int group_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->group_count; k++)
        if (!strcmp(w->groups[k].name, name)) return k;
    return -1;
}

static int wall_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->wall_count; k++)
        if (!strcmp(w->walls[k].name, name)) return k;
    return -1;
}

// the face of this world that was face `old` of the other: same wall by name and shape, same place
// in it
static int match_face(const scr_world *w, const scr_world *from, int old)
{
    if (old >= from->face_count) return -1;
    const scr_wall *wall = &from->walls[from->faces[old].wall];
    int k = wall_index(w, wall->name), first = old;
    if (k < 0 || strcmp(w->walls[k].shape, wall->shape)) return -1;
    while (first > 0 && from->faces[first - 1].wall == from->faces[old].wall) first--;
    for (int f = 0; f < w->face_count; f++)
        if (w->faces[f].wall == k) return f + (old - first);
    return -1;
}

// contacts with walls that are gone are forgotten, those with others follow
static void adopt_contacts(scr_world *w, const scr_world *from)
{
    scr_contacts *c = &w->contacts;
    size_t n = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        int32_t partner = c->partner[k];
        if (partner < 0) {
            int face = match_face(w, from, -1 - partner);
            if (face < 0) continue;
            partner = -1 - face;
        }
        scr_contacts_copy(c, n, k);
        c->partner[n++] = partner;
    }
    c->table.count = n;
}

static void adopt_walls(scr_world *w, const scr_world *from)
{
    for (int k = 0; k < w->wall_count; k++) {
        int old = wall_index(from, w->walls[k].name);
        if (old < 0) continue;
        w->walls[k].offset = from->walls[old].offset;
        w->walls[k].anchor = from->walls[old].anchor;
        w->walls[k].force = from->walls[old].force;
        w->walls[k].torque = from->walls[old].torque;
        for (int f = 0; f < w->face_count; f++)
            if (w->faces[f].wall == k)
                w->faces[f].point = v3_add(w->faces[f].rest, w->walls[k].offset);
    }
}

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

scree_status scr_build_adopt(scr_world *w, const scr_scene *scene, scr_world *from, bool *taken,
                             scree_report *report)
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
            return scr_fail(
                report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(scene)},
                "the results hold grains of the group '%s', which the scene's bodies do not "
                "name",
                from->groups[old].name);
        double density_ratio = 1;
        int before = from->groups[old].material, after = w->groups[g].material;
        if (from->materials[before].density != w->materials[after].density)
            density_ratio = w->materials[after].density / from->materials[before].density;
        from->bodies.group[i] = g;
        from->bodies.material[i] = after;
        bool was_frozen = from->bodies.motion[4 * i + 3] == 0;
        if (density_ratio != 1 || was_frozen != w->groups[g].frozen)
            set_inertia(&from->bodies, i, from->bodies.mass[i] * density_ratio,
                        w->groups[g].frozen);
    }
    w->bodies = from->bodies;
    w->contacts = from->contacts;
    scr_bodies_init(&from->bodies);
    scr_contacts_init(&from->contacts);
    w->ledger = from->ledger;
    w->clock = from->clock;
    adopt_flows(w, from);
    adopt_contacts(w, from);
    adopt_walls(w, from);
    return SCREE_OK;
}

/* ---- what the defaults are derived from ---- */

scr_sizes *scr_sizes_of(const scr_world *w)
{
    scr_sizes *sizes = scr_memory_new((size_t)w->material_count + 1, sizeof *sizes);
    if (!sizes) return NULL;
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        scr_sizes *s = &sizes[w->bodies.material[i]];
        double r = w->bodies.place[4 * i + 3], m = w->bodies.mass[i];
        if (w->bodies.motion[4 * i + 3] == 0) {
            if (!s->fixed++) s->fixed_radius[0] = s->fixed_radius[1] = r;
            s->fixed_radius[0] = fmin(s->fixed_radius[0], r);
            s->fixed_radius[1] = fmax(s->fixed_radius[1], r);
            continue;
        }
        if (!s->count++) s->radius[0] = s->radius[1] = r, s->mass[0] = s->mass[1] = m;
        s->radius[0] = fmin(s->radius[0], r), s->radius[1] = fmax(s->radius[1], r);
        s->mass[0] = fmin(s->mass[0], m), s->mass[1] = fmax(s->mass[1], m);
    }
    for (int k = 0; k < w->wall_count; k++) sizes[w->walls[k].material].wall = true;
    return sizes;
}

bool scr_sizes_meet(const scr_sizes *sizes, int a, int b)
{
    return (sizes[a].count && (sizes[b].count || sizes[b].fixed || sizes[b].wall)) ||
           (sizes[b].count && (sizes[a].fixed || sizes[a].wall));
}
