/* What the sections of a scene say about each other and what one table cannot say: names that must
 * exist, keys that exclude each other, directions of no length (see scene_data.h). What needs the
 * grains themselves (overlaps, time step against contact time) is checked in run/. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/grading.h"
#include "scene/scene_data.h"

typedef struct {
    const scr_scene *scene;
    scree_report *report;
} checker;

#define FAIL(c, at, ...) scr_fail((c)->report, SCREE_E_INPUT, (at), __VA_ARGS__)

static scree_place at_key(const checker *c, const scr_item *item, const char *key)
{
    return scr_item_place(c->scene, item, key);
}

static bool is_faulty(const scr_item *item)
{
    return !item->node || ((scr_node *)item->node)->faulty;
}

static const char *path_of(const scr_item *item)
{
    return scr_node_path(item->node);
}

// ---- materials ----

static int material_index(const checker *c, const char *name, size_t length)
{
    const scr_items *all = scr_scene_items(c->scene, "materials");
    for (int k = 0; k < all->count; k++) {
        const char *m = all->items[k].name;
        if (m && strlen(m) == length && !memcmp(m, name, length)) return k;
    }
    return -1;
}

// names the materials there are, and the nearest one
static void refuse_material(const checker *c, scree_place at, const char *what, const char *name)
{
    const scr_items *all = scr_scene_items(c->scene, "materials");
    scr_nearest nearest = {.wanted = name};
    char names[256] = "";
    size_t used = 0;
    for (int k = 0; k < all->count; k++) {
        const char *m = all->items[k].name ? all->items[k].name : "";
        scr_nearest_offer(&nearest, m);
        if (used < sizeof names) used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", m);
    }
    if (nearest.found)
        FAIL(c, at, "%s is %s, which is not defined under materials, did you mean '%s'?", what, scr_quote(name).text,
             nearest.found);
    else
        FAIL(c, at, "%s is %s, which is not defined under materials; there are %s%s", what, scr_quote(name).text, names,
             used >= sizeof names ? " ..." : "");
}

static void check_material_name(const checker *c, const scr_item *item)
{
    if (!strcmp(item->name, "any"))
        FAIL(c, at_key(c, item, NULL), "a material cannot be named 'any': in contacts that means all pairs");
}

static void check_material_of(const checker *c, const scr_item *item, const char *material)
{
    if (!material || !scr_scene_items(c->scene, "materials")->count) return;
    if (material_index(c, material, strlen(material)) >= 0) return;
    char what[160];
    snprintf(what, sizeof what, "%.140s.material", path_of(item));
    refuse_material(c, at_key(c, item, "material"), what, material);
}

// ---- contacts ----

typedef struct {
    int64_t pair; /* low material * count + high material */
    const scr_item *item;
} contact_pair;

static int by_pair(const void *a, const void *b)
{
    const contact_pair *x = a, *y = b;
    if (x->pair != y->pair) return x->pair < y->pair ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

// the two materials of a name like a/b or a; -1 after an error
static int64_t pair_of(const checker *c, const scr_item *item)
{
    const char *name = item->name, *slash = strchr(name, '/');
    scree_place at = at_key(c, item, NULL);
    size_t first = slash ? (size_t)(slash - name) : strlen(name);
    const char *second = slash ? slash + 1 : name;
    if (!first || !second[0] || (slash && strchr(second, '/'))) {
        FAIL(c, at, "contact %s must be a material, a pair such as glass/steel, or any", scr_quote(name).text);
        return -1;
    }
    if (slash && (!strcmp(second, "any") || (first == 3 && !memcmp(name, "any", 3)))) {
        FAIL(c, at, "contact %s: 'any' cannot be part of a pair; alone it means all pairs that are not named",
             scr_quote(name).text);
        return -1;
    }
    int a = material_index(c, name, first), b = material_index(c, second, strlen(second));
    char copy[128];
    snprintf(copy, sizeof copy, "%.*s", (int)(first > 100 ? 100 : first), name);
    if (a < 0) refuse_material(c, at, "contact material", copy);
    if (b < 0 && slash) refuse_material(c, at, "contact material", second);
    if (a < 0 || b < 0) return -1;
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    return low * scr_scene_items(c->scene, "materials")->count + high;
}

static void check_contacts(const checker *c)
{
    const scr_items *all = scr_scene_items(c->scene, "contacts");
    const scr_item *any = scr_scene_find(c->scene, "contacts", "any");
    if (!all->count || !scr_scene_items(c->scene, "materials")->count) return;
    contact_pair *pairs = malloc((size_t)all->count * sizeof *pairs);
    if (!pairs) return;
    size_t count = 0;
    for (int k = 0; k < all->count; k++) {
        const scr_item *item = &all->items[k];
        if (!item->name) continue;
        if (!is_faulty(item)) scr_contact_check(c->scene, item, c->report);
        if (item == any) continue;
        int64_t pair = pair_of(c, item);
        if (pair >= 0) pairs[count++] = (contact_pair){pair, item};
    }
    qsort(pairs, count, sizeof *pairs, by_pair);
    for (size_t k = 1; k < count; k++)
        if (pairs[k].pair == pairs[k - 1].pair)
            FAIL(c, at_key(c, pairs[k].item, NULL), "the contact %s is given twice, also as '%s' on line %d",
                 scr_quote(pairs[k].item->name).text, pairs[k - 1].item->name, at_key(c, pairs[k - 1].item, NULL).line);
    free(pairs);
}

// ---- bodies ----

static void check_size(const checker *c, const scr_item *item, bool from_file)
{
    static const char *const keys[] = {"radius", "diameter", "sizes"};
    const char *first = NULL;
    for (int k = 0; k < 3; k++) {
        if (!scr_item_has(item, keys[k])) continue;
        if (from_file)
            FAIL(c, at_key(c, item, keys[k]), "%s.%s is given, but the sizes come from the file", path_of(item),
                 keys[k]);
        else if (first)
            FAIL(c, at_key(c, item, keys[k]), "%s has %s and %s, give one of them", path_of(item), first, keys[k]);
        first = keys[k];
    }
    if (!from_file && !first && !is_faulty(item))
        FAIL(c, at_key(c, item, NULL), "%s lacks radius, diameter or sizes, a number [m] > 0", path_of(item));
    const scr_item *sizes = &((const scr_bodies_def *)item->def)->sizes;
    if (sizes->variant_def && !is_faulty(sizes)) scr_grading_check(c->scene, sizes, c->report);
}

static void check_lattice(const checker *c, const scr_item *item)
{
    const scr_bodies_lattice_def *lattice = item->variant_def;
    double radius[2];
    scr_grading_bounds(item, radius);
    double diameter = 2 * radius[1];
    // a hair of tolerance: the same number by way of radius or of diameter
    if (lattice->spacing < diameter * (1 - 1e-12))
        FAIL(c, at_key(c, item, "spacing"), "%s.spacing is %g m, must be at least the diameter of the grains, %g m",
             path_of(item), lattice->spacing, diameter);
}

static void check_random(const checker *c, const scr_item *item)
{
    const scr_bodies_random_def *random = item->variant_def;
    bool count = scr_item_has(item, "count"), fraction = scr_item_has(item, "fraction");
    if (count && fraction)
        FAIL(c, at_key(c, item, "fraction"), "%s has count and fraction, give one of them", path_of(item));
    else if (!count && !fraction)
        FAIL(c, at_key(c, item, NULL), "%s lacks the number of grains: count or fraction", path_of(item));
    else if (count && random->count < 1)
        FAIL(c, at_key(c, item, "count"), "%s.count is %lld, must be at least 1", path_of(item),
             (long long)random->count);
}

static bool is_zero(vec3 v)
{
    return v3_norm(v) == 0;
}

static void check_axis(const checker *c, const scr_item *item, vec3 from, vec3 to)
{
    vec3 axis = v3_sub(to, from);
    if (is_zero(axis) || !isfinite(v3_norm(axis)))
        FAIL(c, at_key(c, item, "to"), "%s runs from a point to itself, 'from' and 'to' must differ", path_of(item));
}

static void check_radii(const checker *c, const scr_item *item, double a, double b)
{
    if (a == 0 && b == 0)
        FAIL(c, at_key(c, item, "radius_to"), "%s has radius_from and radius_to 0, one of them must be > 0",
             path_of(item));
}

static void check_region(const checker *c, const scr_item *region)
{
    if (!region->def || !region->variant || is_faulty(region)) return;
    bool cylinder = !strcmp(region->variant->name, "cylinder");
    if (!cylinder && strcmp(region->variant->name, "frustum")) return;
    scr_region_frustum_def *def = region->variant_def;
    if (cylinder) def->radius_to = def->radius_from;
    check_axis(c, region, def->from, def->to);
    check_radii(c, region, def->radius_from, def->radius_to);
}

static void check_span(const checker *c, const scr_item *item, double start, double until)
{
    if (until <= start)
        FAIL(c, at_key(c, item, "until"), "%s.until is %g s, must be later than start, %g s", path_of(item), until,
             start);
}

static void check_inlet(const checker *c, const scr_item *item)
{
    const scr_bodies_inlet_def *inlet = item->variant_def;
    if (isnan(inlet->rate) == isnan(inlet->mass_rate))
        FAIL(c, at_key(c, item, "mass_rate"), "%s %s", path_of(item),
             isnan(inlet->rate) ? "lacks the rate of grains: rate [1/s] or mass_rate [kg/s]"
                                : "has rate and mass_rate, give one of them");
    static const char *const held[] = {"frozen", "motion"};
    const scr_bodies_def *def = item->def;
    for (int k = 0; k < 2; k++)
        if (k ? def->motion.def != NULL : def->frozen)
            FAIL(c, at_key(c, item, held[k]), "%s is an inlet: its grains cannot be %s", path_of(item),
                 k ? "moved as prescribed" : "frozen");
    check_span(c, item, inlet->start, inlet->until);
}

static void check_bodies(const checker *c, const scr_item *item)
{
    const scr_bodies_def *def = item->def;
    check_material_of(c, item, def->material);
    if (!item->variant) return;
    const char *from = item->variant->name;
    bool lattice = !strcmp(from, "lattice"), random = !strcmp(from, "random");
    check_size(c, item, !strcmp(from, "table") || !strcmp(from, "lammps"));
    if (is_faulty(item)) return;
    if (lattice) {
        check_lattice(c, item);
        check_region(c, &((scr_bodies_lattice_def *)item->variant_def)->region);
    }
    if (!strcmp(from, "inlet")) {
        check_inlet(c, item);
        check_region(c, &((scr_bodies_inlet_def *)item->variant_def)->region);
    }
    if (!strcmp(from, "packing")) check_region(c, &((scr_bodies_packing_def *)item->variant_def)->region);
    if (random) {
        check_random(c, item);
        check_region(c, &((scr_bodies_random_def *)item->variant_def)->region);
    }
}

// ---- walls ----

static void check_normal(const checker *c, const scr_item *item, vec3 normal)
{
    if (is_zero(normal) || !isfinite(v3_norm(normal)))
        FAIL(c, at_key(c, item, "normal"), "%s.normal is [%g, %g, %g], must not be zero", path_of(item), normal.x,
             normal.y, normal.z);
}

static void check_direction(const checker *c, const scr_item *item, const scr_item *motion, const char *key, vec3 v)
{
    if (is_zero(v) || !isfinite(v3_norm(v)))
        FAIL(c, at_key(c, motion, key), "%s.%s.%s is [%g, %g, %g], must not be zero", path_of(item),
             motion->section->name, key, v.x, v.y, v.z);
}

static void check_servo(const checker *c, const scr_item *item, const scr_item *servo)
{
    const scr_wall_servo_def *d = servo->def;
    check_direction(c, item, servo, "axis", d->axis);
    if (isnan(d->force) == isnan(d->pressure))
        FAIL(c, at_key(c, servo, "force"), "%s.servo must have either force or pressure", path_of(item));
    if (!isnan(d->pressure) && isnan(d->area) && !d->between.count)
        FAIL(c, at_key(c, servo, "pressure"), "%s.servo.pressure needs the area on which it acts: area or between",
             path_of(item));
}

static void check_window(const checker *c, const scr_item *item, const scr_item *motion, double since, double until)
{
    if (until <= since)
        FAIL(c, at_key(c, motion, "until"), "%s.%s.until is %g s, must be later than since, %g s", path_of(item),
             motion->section->name, until, since);
}

// a path comes from a file or stands in the scene; times rise
static void check_path(const checker *c, const scr_item *item, const scr_item *path)
{
    const scr_wall_path_def *d = path->def;
    if (!d->file == !(d->table.count || d->angles.count)) {
        FAIL(c, at_key(c, path, NULL), "%s.path must have %s", path_of(item),
             d->file ? "a file, or table and angles, not both" : "a table, angles or a file");
        return;
    }
    const scr_matrix *tables[2] = {&d->table, &d->angles};
    for (int m = 0; m < 2; m++)
        for (int k = 1; k < tables[m]->count; k++) {
            double before = tables[m]->rows[(k - 1) * tables[m]->width], now = tables[m]->rows[k * tables[m]->width];
            if (now > before) continue;
            FAIL(c, at_key(c, path, m ? "angles" : "table"),
                 "%s.path.%s: the time of row %d is %g s, must be later than %g s", path_of(item),
                 m ? "angles" : "table", k + 1, now, before);
            return;
        }
    if (d->angles.count && !((const scr_wall_def *)item->def)->rotation.def)
        FAIL(c, at_key(c, path, "angles"), "%s.path has angles, the axis must be given under rotation", path_of(item));
}

static void check_windows(const checker *c, const scr_item *item)
{
    const scr_wall_def *def = item->def;
    const scr_wall_rotation_def *r = def->rotation.def;
    const scr_wall_translation_def *t = def->translation.def;
    const scr_wall_oscillation_def *o = def->oscillation.def;
    if (r) check_window(c, item, &def->rotation, r->since, r->until);
    if (t) check_window(c, item, &def->translation, t->since, t->until);
    if (o) check_window(c, item, &def->oscillation, o->since, o->until);
    if (def->path.def) check_path(c, item, &def->path);
}

static void check_motion(const checker *c, const scr_item *item)
{
    check_windows(c, item);
    const scr_wall_def *def = item->def;
    if (def->rotation.def)
        check_direction(c, item, &def->rotation, "axis", ((const scr_wall_rotation_def *)def->rotation.def)->axis);
    if (def->oscillation.def)
        check_direction(c, item, &def->oscillation, "direction",
                        ((const scr_wall_oscillation_def *)def->oscillation.def)->direction);
    if (def->servo.def) check_servo(c, item, &def->servo);
    if (!is_zero(def->surface_velocity) && def->rotation.def)
        FAIL(c, at_key(c, item, "surface_velocity"), "%s has a surface_velocity and a rotation; leave one out",
             path_of(item));
    if (def->until <= def->since)
        FAIL(c, at_key(c, item, "until"), "%s.until is %g s, must be later than since, %g s", path_of(item), def->until,
             def->since);
}

static void check_rectangle(const checker *c, const scr_item *item)
{
    const scr_wall_rectangle_def *d = item->variant_def;
    double along = v3_norm(d->along), across = v3_norm(d->across);
    const char *const key = along > 0 ? "across" : "along";
    vec3 side = along > 0 ? d->across : d->along;
    if (!(along > 0 && across > 0) || !isfinite(along * across))
        FAIL(c, at_key(c, item, key), "%s.%s is [%g, %g, %g] m, must not be zero", path_of(item), key, side.x, side.y,
             side.z);
    else if (fabs(v3_dot(d->along, d->across)) > 1e-9 * along * across)
        FAIL(c, at_key(c, item, "across"),
             "%s.across is [%g, %g, %g] m, must be perpendicular to along, [%g, %g, %g] m", path_of(item), d->across.x,
             d->across.y, d->across.z, d->along.x, d->along.y, d->along.z);
}

static void check_wall(const checker *c, const scr_item *item)
{
    check_material_of(c, item, ((const scr_wall_def *)item->def)->material);
    if (!item->variant || is_faulty(item)) return;
    const char *shape = item->variant->name;
    const void *def = item->variant_def;
    if (!strcmp(shape, "plane")) check_normal(c, item, ((const scr_wall_plane_def *)def)->normal);
    if (!strcmp(shape, "disc")) check_normal(c, item, ((const scr_wall_disc_def *)def)->normal);
    if (!strcmp(shape, "rectangle")) check_rectangle(c, item);
    if (!strcmp(shape, "cylinder")) {
        const scr_wall_cylinder_def *cylinder = def;
        check_axis(c, item, cylinder->from, cylinder->to);
    }
    if (!strcmp(shape, "frustum")) {
        const scr_wall_frustum_def *frustum = def;
        check_axis(c, item, frustum->from, frustum->to);
        check_radii(c, item, frustum->radius_from, frustum->radius_to);
    }
    check_motion(c, item);
}

static void check_outlet(const checker *c, const scr_item *item)
{
    const scr_outlet_def *outlet = item->def;
    if (!item->variant || is_faulty(item)) return;
    check_span(c, item, outlet->start, outlet->until);
    check_region(c, item);
    if (!strcmp(item->variant->name, "plane"))
        check_normal(c, item, ((const scr_outlet_plane_def *)item->variant_def)->normal);
}

static void check_resolved(const checker *c, const scr_item *item)
{
    const char *wall = ((const scr_resolved_def *)item->def)->moves_with;
    if (!item->variant || is_faulty(item)) return;
    check_region(c, item);
    if (!wall || scr_scene_find(c->scene, "walls", wall)) return;
    const scr_items *walls = scr_scene_items(c->scene, "walls");
    scr_nearest nearest = {.wanted = wall};
    for (int k = 0; k < walls->count; k++)
        if (walls->items[k].name) scr_nearest_offer(&nearest, walls->items[k].name);
    FAIL(c, at_key(c, item, "moves_with"), "%s.moves_with is %s, which is not defined under walls%s%s%s", path_of(item),
         scr_quote(wall).text, nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "",
         nearest.found ? "'?" : "");
}

// ---- all ----

static void check_time(const checker *c)
{
    const scr_items *all = scr_scene_items(c->scene, "time");
    if (!all->count || is_faulty(&all->items[0])) return;
    const scr_time_def *time = all->items[0].def;
    if (time->end <= time->start)
        FAIL(c, at_key(c, &all->items[0], "start"), "time.start is %g s, must be earlier than end, %g s", time->start,
             time->end);
    else if (time->step > time->end - time->start)
        FAIL(c, at_key(c, &all->items[0], "step"), "time.step is %g s, longer than the duration of the run, %g s",
             time->step, time->end - time->start);
}

void scr_scene_check(scr_scene *scene, scree_report *report)
{
    checker c = {scene, report};
    scr_stages_check(scene, report);
    const scr_items *materials = scr_scene_items(scene, "materials");
    const scr_items *bodies = scr_scene_items(scene, "bodies");
    const scr_items *walls = scr_scene_items(scene, "walls");
    // files of other schemas, such as cases, have no bodies
    bool moves = scr_schema_section(scene->schema, "bodies") != NULL;
    if (moves && !bodies->count && !scr_scene_items(scene, "solids")->count)
        FAIL(&c, ((scree_place){scr_scene_path(scene), 1, 1, "bodies"}),
             "the scene has neither bodies (groups of grains) nor solids: there is nothing to move");
    for (int k = 0; k < materials->count; k++)
        if (materials->items[k].name) check_material_name(&c, &materials->items[k]);
    check_contacts(&c);
    for (int k = 0; k < bodies->count; k++)
        if (bodies->items[k].def) check_bodies(&c, &bodies->items[k]);
    for (int k = 0; k < walls->count; k++)
        if (walls->items[k].def) check_wall(&c, &walls->items[k]);
    const scr_items *outlets = scr_scene_items(scene, "outlets");
    for (int k = 0; k < outlets->count; k++)
        if (outlets->items[k].def) check_outlet(&c, &outlets->items[k]);
    const scr_items *regions = scr_scene_items(scene, "resolved_regions");
    for (int k = 0; k < regions->count; k++)
        if (regions->items[k].def) check_resolved(&c, &regions->items[k]);
    scr_groups_check(scene, report);
    scr_bonds_check(scene, report);
    scr_parts_check(scene, report);
    const scr_items *solids = scr_scene_items(scene, "solids");
    for (int k = 0; k < solids->count; k++)
        if (solids->items[k].def)
            check_material_of(&c, &solids->items[k], ((const scr_solid_def *)solids->items[k].def)->material);
    scr_solids_check(scene, report);
    check_time(&c);
}
