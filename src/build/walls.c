#include "build/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "build/origin.h"
#include "build/servos.h"
#include "build/wall_mesh.h"
#include "scene/wall_path.h"

/* ---- shapes ---- */

/* Faces of one wall; grows. */
typedef struct {
    scr_face *items;
    int count;
    vec3 reference; /* what torque is about unless the wall rotates */
} face_list;

static bool add_face(face_list *list, scr_face face)
{
    return scr_push(list->items, list->count, face);
}

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

static scr_face disc_face(vec3 center, vec3 normal, double radius)
{
    return (scr_face){.kind = SCR_FACE_SHELL, .point = center, .axis = v3_unit(normal), .radius = {0, radius}};
}

static bool tube_faces(vec3 from, vec3 to, double radius_from, double radius_to, bool capped, face_list *list)
{
    vec3 along = v3_sub(to, from);
    list->reference = v3_scale(0.5, v3_add(from, to));
    bool ok = add_face(list, shell_face(from, to, radius_from, radius_to));
    if (capped && radius_from > 0) ok = ok && add_face(list, disc_face(from, along, radius_from));
    if (capped && radius_to > 0) ok = ok && add_face(list, disc_face(to, along, radius_to));
    return ok;
}

// faces of each shape of wall, from its own definition; false when memory is exhausted
static bool plane_faces(const void *def, face_list *list)
{
    const scr_wall_plane_def *d = def;
    list->reference = d->point;
    return add_face(list, plane_face(d->point, d->normal));
}

static bool box_faces(const void *def, face_list *list)
{
    const scr_wall_box_def *d = def;
    bool ok = true;
    list->reference = v3_scale(0.5, v3_add(d->box[0], d->box[1]));
    for (int k = 0; k < 3; k++) {
        vec3 n = v3(k == 0, k == 1, k == 2);
        ok = ok && add_face(list, plane_face(d->box[0], n)) && add_face(list, plane_face(d->box[1], v3_scale(-1, n)));
    }
    return ok;
}

static bool cylinder_faces(const void *def, face_list *list)
{
    const scr_wall_cylinder_def *d = def;
    size_t tube = (size_t)list->count;
    bool ok = tube_faces(d->from, d->to, d->radius, d->radius, d->capped, list);
    if (ok) list->items[tube].solid = d->solid == 1 ? 1 : d->solid == 2 ? -1 : 0;
    return ok;
}

static bool frustum_faces(const void *def, face_list *list)
{
    const scr_wall_frustum_def *d = def;
    return tube_faces(d->from, d->to, d->radius_from, d->radius_to, d->capped, list);
}

static bool disc_faces(const void *def, face_list *list)
{
    const scr_wall_disc_def *d = def;
    list->reference = d->center;
    return add_face(list, disc_face(d->center, d->normal, d->radius));
}

// two triangles, the second turned by half a turn
static bool rectangle_faces(const void *def, face_list *list)
{
    const scr_wall_rectangle_def *d = def;
    scr_face face = {.kind = SCR_FACE_TRIANGLE,
                     .point = d->corner,
                     .axis = v3_unit(v3_cross(d->along, d->across)),
                     .edge = {d->along, d->across},
                     .solid = d->solid},
             other = face;
    vec3 across = v3_add(d->along, d->across);
    list->reference = v3_axpy(d->corner, 0.5, across);
    other.point = v3_add(d->corner, across);
    other.edge[0] = v3_scale(-1, d->along), other.edge[1] = v3_scale(-1, d->across);
    return add_face(list, face) && add_face(list, other);
}

static bool sphere_faces(const void *def, face_list *list)
{
    const scr_wall_sphere_def *d = def;
    list->reference = d->center;
    return add_face(
        list,
        (scr_face){.kind = SCR_FACE_SPHERE, .point = d->center, .axis = {0, 0, 1}, .radius = {d->radius, d->radius}});
}

static const struct {
    const char *name;
    bool (*faces)(const void *def, face_list *list);
} shapes[] = {{"plane", plane_faces},        {"box", box_faces},   {"cylinder", cylinder_faces},
              {"frustum", frustum_faces},    {"disc", disc_faces}, {"sphere", sphere_faces},
              {"rectangle", rectangle_faces}};

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "the walls");
}

static scree_status faces_of(const scr_scene *scene, const scr_item *item, face_list *list, scree_report *report)
{
    if (!strcmp(item->variant->name, "mesh"))
        return scr_wall_mesh_faces(scene, item, &list->items, &list->count, &list->reference, report);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (!strcmp(shapes[k].name, item->variant->name))
            return shapes[k].faces(item->variant_def, list) ? SCREE_OK : no_memory(report);
    return SCREE_OK;
}

/* ---- motion ---- */

// none of it: from time 0 on, for ever
static scr_window window_of(double since, double until, double origin)
{
    bool bounded = since + origin != 0 || !isnan(until);
    return (scr_window){since + origin, isnan(until) ? bounded ? INFINITY : 0 : until + origin};
}

// times count from `origin`
static scr_motion motion_of(const scr_wall_def *def, double origin)
{
    scr_motion m = {.velocity = def->velocity,
                    .surface = def->surface_velocity,
                    .axis = {0, 0, 1},
                    .direction = {0, 0, 1},
                    .since = isnan(def->since) ? -INFINITY
                             : def->since < 0  ? INFINITY
                                               : def->since + origin,
                    .until = isnan(def->until) ? INFINITY : def->until + origin};
    if (def->rotation.def) {
        const scr_wall_rotation_def *d = def->rotation.def;
        m.turns = true;
        m.point = d->point, m.axis = v3_unit(d->axis), m.rate = d->rate;
        m.turning = window_of(d->since, d->until, origin);
    }
    if (def->translation.def) {
        const scr_wall_translation_def *d = def->translation.def;
        m.slide = d->velocity, m.sliding = window_of(d->since, d->until, origin);
    }
    if (def->oscillation.def) {
        const scr_wall_oscillation_def *d = def->oscillation.def;
        m.direction = v3_unit(d->direction);
        m.amplitude = d->amplitude, m.frequency = d->frequency, m.phase = d->phase;
        m.swinging = window_of(d->since, d->until, origin);
    }
    return m;
}

// whether a turn about the axis leaves the face as it is
static bool is_symmetric(const scr_face *f, vec3 point, vec3 axis)
{
    vec3 d = v3_sub(f->point, point), aside = v3_axpy(d, -v3_dot(d, axis), axis);
    bool parallel = v3_norm(v3_cross(f->axis, axis)) < 1e-12;
    bool centred = v3_norm(aside) < 1e-12 * (v3_norm(d) + f->radius[0] + f->radius[1]);
    switch (f->kind) {
    case SCR_FACE_PLANE: return parallel;
    case SCR_FACE_SHELL: return parallel && centred;
    case SCR_FACE_SPHERE: return centred;
    default: return false;
    }
}

static bool turns_in_place(const scr_wall *wall, const scr_face *faces)
{
    for (int k = 0; k < wall->face_count; k++)
        if (!is_symmetric(&faces[k], wall->motion.point, wall->motion.axis)) return false;
    return true;
}

// whether a shift along v leaves the face where it is, but for its border
static bool contains(const scr_face *f, vec3 v)
{
    double most = 1e-9 * v3_norm(v);
    switch (f->kind) {
    case SCR_FACE_SPHERE: return false;
    case SCR_FACE_SHELL:
        if (f->length > 0) return f->radius[0] == f->radius[1] && v3_norm(v3_cross(f->axis, v)) <= most;
        break;
    default: break;
    }
    return fabs(v3_dot(f->axis, v)) <= most;
}

static scree_status check_surface(const scr_scene *scene, const scr_item *item, const face_list *list,
                                  scree_report *report)
{
    vec3 v = ((const scr_wall_def *)item->def)->surface_velocity;
    for (int k = 0; k < list->count && v3_dot(v, v) > 0; k++)
        if (!contains(&list->items[k], v))
            return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "surface_velocity"),
                            "walls.%s.surface_velocity is [%g, %g, %g] m/s, which leads out of the "
                            "surface: a surface can only move along itself (a plane, a rectangle, "
                            "a disc or a mesh in its plane, a cylinder along its axis)",
                            item->name, v.x, v.y, v.z);
    return SCREE_OK;
}

/* ---- walls ---- */

static int material_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->material_count; k++)
        if (!strcmp(w->materials[k].name, name)) return k;
    return -1;
}

static bool append_faces(scr_world *w, scr_wall *wall, const face_list *list)
{
    if (!scr_reserve(&w->faces, (size_t)w->face_count + (size_t)list->count)) return false;
    wall->first_face = w->face_count, wall->face_count = list->count;
    for (int k = 0; k < list->count; k++) {
        scr_face *f = &w->faces[w->face_count++];
        *f = list->items[k];
        f->wall = (int)(wall - w->walls);
        f->material = wall->material;
    }
    return true;
}

static scree_status add_wall(scr_world *w, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_wall_def *def = item->def;
    face_list list = {0};
    scr_wall *wall = &w->walls[w->wall_count++];
    double origin = scr_origin(w, scene, "walls", item->name);
    *wall = (scr_wall){.name = strdup(item->name),
                       .shape = strdup(item->variant->name),
                       .material = material_index(w, def->material),
                       .motion = motion_of(def, origin)};
    scree_status status = wall->name && wall->shape ? SCREE_OK : no_memory(report);
    if (!status && def->path.def)
        status = scr_wall_path_read(scene, item, &wall->motion.table, &wall->motion.table_rows, report);
    for (int k = 0; k < wall->motion.table_rows; k++) wall->motion.table[SCR_MOTION_COLUMNS * k] += origin;
    if (!status) status = faces_of(scene, item, &list, report);
    if (!status) status = check_surface(scene, item, &list, report);
    if (!status && !append_faces(w, wall, &list)) status = no_memory(report);
    if (!status) {
        wall->reference = wall->motion.turns ? wall->motion.point : list.reference;
        wall->in_place = wall->motion.turns && turns_in_place(wall, w->faces + wall->first_face);
        scr_wall_init(wall, w->clock.time);
    }
    scr_buffer_free(list.items);
    return status;
}

scree_status scr_build_walls(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *items = scr_scene_items(scene, "walls");
    w->walls = calloc((size_t)items->count + 1, sizeof *w->walls);
    if (!w->walls) return no_memory(report);
    // all that is wrong is said, so that it can be mended at once
    scree_status status = SCREE_OK;
    for (int k = 0; k < items->count; k++) {
        scree_status one = add_wall(w, scene, &items->items[k], report);
        if (one) status = one;
    }
    return status ? status : scr_build_servos(w, scene, report);
}

/* ---- a world that continues another ---- */

static int wall_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->wall_count; k++)
        if (!strcmp(w->walls[k].name, name)) return k;
    return -1;
}

// same wall by name and shape, same place in it
int scr_adopt_face(const scr_world *w, const scr_world *from, int old)
{
    if (old >= from->face_count) return -1;
    const scr_wall *before = &from->walls[from->faces[old].wall];
    int k = wall_index(w, before->name);
    if (k < 0 || strcmp(w->walls[k].shape, before->shape)) return -1;
    int place = old - before->first_face;
    return place < w->walls[k].face_count ? w->walls[k].first_face + place : -1;
}

static void adopt_contacts(scr_world *w, const scr_world *from)
{
    scr_contacts *c = &w->contacts;
    size_t n = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        int face = c->partner[k] < 0 ? scr_adopt_face(w, from, (int)(-1 - c->partner[k])) : 0;
        if (face < 0) continue;
        scr_table_copy(&c->table, n, k);
        if (c->partner[n] < 0) c->partner[n] = c->row[2 * n + 1] = -1 - face;
        n++;
    }
    c->table.count = n;
}

void scr_adopt_walls(scr_world *w, const scr_world *from)
{
    adopt_contacts(w, from);
    for (int k = 0; k < w->wall_count; k++) {
        int old = wall_index(from, w->walls[k].name);
        if (old >= 0) scr_wall_adopt(&w->walls[k], &from->walls[old], w->clock.time);
    }
}
