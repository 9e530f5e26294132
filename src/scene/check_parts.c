/* What parts, joints and clumps say about each other and about walls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/sym3.h"
#include "scene/scene_data.h"

#define FAIL(c, item, key, ...) \
    scr_fail((c)->report, SCREE_E_INPUT, scr_item_place((c)->scene, (item), (key)), __VA_ARGS__)

typedef struct {
    const scr_scene *scene;
    scree_report *report;
} checker;

static bool is_whole(const scr_item *item)
{
    return item->name && item->def && item->node && !((scr_node *)item->node)->faulty;
}

void scr_refuse_name(const scr_scene *scene, const scr_item *item, const char *key, const char *section,
                     const char *name, scree_report *report)
{
    const scr_items *all = scr_scene_items(scene, section);
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < all->count; k++)
        if (all->items[k].name) scr_nearest_offer(&nearest, all->items[k].name);
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key),
             "%s.%s.%s names %s, which is not defined under %s%s%s%s", item->section->name, item->name, key,
             scr_quote(name).text, section, nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "",
             nearest.found ? "'?" : "");
}

// ---- parts ----

// a carried wall has no motion of its own
static void check_carried(const checker *c, const scr_item *part, const scr_item *wall)
{
    static const char *const keys[] = {"velocity", "surface_velocity", "rotation", "oscillation", "path", "servo"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (scr_item_has(wall, keys[k]))
            FAIL(c, wall, keys[k], "walls.%s has a %s, but it moves with the part %s that carries it; leave one out",
                 wall->name, keys[k], part->name);
}

static void check_walls(const checker *c, int number)
{
    const scr_items *parts = scr_scene_items(c->scene, "parts");
    const scr_item *part = &parts->items[number];
    const scr_texts *walls = &((const scr_part_def *)part->def)->walls;
    for (int k = 0; k < walls->count; k++) {
        const scr_item *wall = scr_scene_find(c->scene, "walls", walls->items[k]);
        if (!wall) {
            scr_refuse_name(c->scene, part, "walls", "walls", walls->items[k], c->report);
            continue;
        }
        check_carried(c, part, wall);
        for (int p = 0; p <= number; p++) {
            const scr_texts *others = &((const scr_part_def *)parts->items[p].def)->walls;
            int end = p < number ? others->count : k;
            for (int n = 0; parts->items[p].name && n < end; n++)
                if (!strcmp(others->items[n], walls->items[k]))
                    FAIL(c, part, "walls",
                         "parts.%s.walls names %s, which is already carried by %s; a wall can be carried by one part "
                         "only",
                         part->name, scr_quote(walls->items[k]).text, parts->items[p].name);
        }
    }
}

static void check_inertia(const checker *c, const scr_item *part)
{
    const scr_part_def *d = part->def;
    sym3 tensor = {d->inertia.x, d->inertia.y, d->inertia.z, d->products.x, d->products.y, d->products.z};
    vec3 m, axes[3];
    sym3_principal(tensor, &m, axes);
    double most = fmax(m.x, fmax(m.y, m.z)), least = fmin(m.x, fmin(m.y, m.z));
    if (!isfinite(most) || !(least > 1e-14 * most)) {
        FAIL(c, part, "inertia",
             "parts.%s.inertia has the principal moments %.6g, %.6g and %.6g kg m^2; all three must "
             "be above zero",
             part->name, m.x, m.y, m.z);
        return;
    }
    double rest = m.x + m.y + m.z - most;
    if (rest < most * (1 - 1e-9))
        FAIL(c, part, "inertia",
             "parts.%s.inertia has the principal moments %.6g, %.6g and %.6g kg m^2; the largest "
             "cannot exceed the sum of the other two, %.6g",
             part->name, m.x, m.y, m.z, rest);
}

static bool is_joined(const checker *c, const char *part)
{
    const scr_items *joints = scr_scene_items(c->scene, "joints");
    for (int k = 0; k < joints->count; k++) {
        const scr_joint_def *d = joints->items[k].def;
        for (int n = 0; d && n < d->between.count; n++)
            if (!strcmp(d->between.items[n], part)) return true;
    }
    return false;
}

static void check_part(const checker *c, int number)
{
    const scr_item *part = &scr_scene_items(c->scene, "parts")->items[number];
    if (!is_whole(part)) return;
    const scr_part_def *d = part->def;
    if (!strcmp(part->name, "ground"))
        FAIL(c, part, NULL, "a part cannot be named 'ground': in joints this is the fixed ground");
    check_walls(c, number);
    check_inertia(c, part);
    if (!d->walls.count && !is_joined(c, part->name))
        FAIL(c, part, NULL, "parts.%s carries no walls and is in no joint: it has no effect", part->name);
}

// ---- joints ----

static bool has_length(vec3 v)
{
    return v3_norm(v) > 0 && isfinite(v3_norm(v));
}

static bool check_between(const checker *c, const scr_item *joint)
{
    const scr_texts *names = &((const scr_joint_def *)joint->def)->between;
    bool good = true;
    if (names->count != 2 || !strcmp(names->items[0], names->items[1])) {
        FAIL(c, joint, "between",
             "joints.%s.between has %d name%s, must be two different ones: parts, "
             "or a part and ground",
             joint->name, names->count, names->count == 1 ? "" : "s");
        return false;
    }
    for (int k = 0; k < 2; k++) {
        if (!strcmp(names->items[k], "ground")) continue;
        if (scr_scene_find(c->scene, "parts", names->items[k])) continue;
        scr_refuse_name(c->scene, joint, "between", "parts", names->items[k], c->report);
        good = false;
    }
    return good;
}

// a joint is in space that there is
static void check_point(const checker *c, const scr_item *joint)
{
    const scr_items *domains = scr_scene_items(c->scene, "domain");
    if (!domains->count || !domains->items[0].node || ((scr_node *)domains->items[0].node)->faulty) return;
    const scr_domain_def *domain = domains->items[0].def;
    vec3 p = ((const scr_joint_def *)joint->def)->point;
    for (int d = 0; d < 3; d++) {
        double low = (&domain->box[0].x)[d], high = (&domain->box[1].x)[d], x = (&p.x)[d];
        if (x >= low && x <= high) continue;
        FAIL(c, joint, "point", "joints.%s.point is at %c = %g m, outside of the domain, which reaches from %g to %g m",
             joint->name, "xyz"[d], x, low, high);
        return;
    }
}

static void check_drive(const checker *c, const scr_item *joint)
{
    const scr_joint_drive_def *d = joint->variant_def;
    if (!d) return;
    if (!has_length(d->axis))
        FAIL(c, joint, "axis", "joints.%s.axis is [%g, %g, %g], must not be zero", joint->name, d->axis.x, d->axis.y,
             d->axis.z);
    for (int k = 1; k < d->motor.count; k++)
        if (!(d->motor.rows[2 * k] > d->motor.rows[2 * k - 2])) {
            FAIL(c, joint, "motor", "joints.%s.motor has the time %g s after %g s, times must increase", joint->name,
                 d->motor.rows[2 * k], d->motor.rows[2 * k - 2]);
            break;
        }
    if (scr_item_has(joint, "strength") && !d->motor.count)
        FAIL(c, joint, "strength", "joints.%s has a strength but no motor", joint->name);
    if (d->limits[0] > 0 || d->limits[1] < 0 || d->limits[0] == d->limits[1])
        FAIL(c, joint, "limits",
             "joints.%s.limits are %g and %g; they are measured from the initial position, so the lower must be at "
             "most 0, the upper at least 0, and not both 0",
             joint->name, d->limits[0], d->limits[1]);
}

/* Rows of a joint as conditions on the motion of its second body against the first: velocity at the origin o,
 * and spin times a length. */
typedef struct {
    double row[12][6];
    int count;
} conditions;

static void add_condition(conditions *s, vec3 linear, vec3 angular)
{
    double *row = s->row[s->count++];
    v3_store(row, linear);
    v3_store(row + 3, angular);
}

static void add_conditions(conditions *s, const scr_item *joint, vec3 o, double length)
{
    const char *type = joint->variant->name;
    const scr_joint_def *d = joint->def;
    const scr_joint_drive_def *drive = joint->variant_def;
    vec3 none = v3(0, 0, 0), arm = v3_scale(1 / length, v3_sub(d->point, o));
    vec3 axis = drive ? v3_unit(drive->axis) : v3(0, 0, 1), p = v3_perpendicular(axis);
    const vec3 e[3] = {axis, p, v3_cross(axis, p)};
    bool slides = !strcmp(type, "slider"), turns = !strcmp(type, "hinge"), ball = !strcmp(type, "ball");
    for (int k = slides; k < 3; k++) add_condition(s, e[k], v3_cross(arm, e[k]));
    for (int k = turns; k < 3 && !ball; k++) add_condition(s, none, e[k]);
}

static int rank_of(conditions s)
{
    int rank = 0;
    for (int column = 0; column < 6 && rank < s.count; column++) {
        int best = rank;
        for (int k = rank; k < s.count; k++)
            if (fabs(s.row[k][column]) > fabs(s.row[best][column])) best = k;
        if (fabs(s.row[best][column]) < 1e-6) continue;
        for (int m = 0; m < 6; m++) {
            double swap = s.row[rank][m];
            s.row[rank][m] = s.row[best][m], s.row[best][m] = swap;
        }
        for (int k = rank + 1; k < s.count; k++) {
            double f = s.row[k][column] / s.row[rank][column];
            for (int m = column; m < 6; m++) s.row[k][m] -= f * s.row[rank][m];
        }
        rank++;
    }
    return rank;
}

static bool same_pair(const scr_item *a, const scr_item *b)
{
    const scr_texts *m = &((const scr_joint_def *)a->def)->between;
    const scr_texts *n = &((const scr_joint_def *)b->def)->between;
    return (!strcmp(m->items[0], n->items[0]) && !strcmp(m->items[1], n->items[1])) ||
           (!strcmp(m->items[0], n->items[1]) && !strcmp(m->items[1], n->items[0]));
}

// two joints of the same pair: what one lets go, the other may not hold altogether
static void check_together(const checker *c, const scr_item *a, const scr_item *b)
{
    vec3 o = ((const scr_joint_def *)a->def)->point;
    double far = v3_norm(v3_sub(((const scr_joint_def *)b->def)->point, o));
    double length = far > 0 ? far : 1;
    conditions one = {0}, two = {0}, both = {0};
    add_conditions(&one, a, o, length);
    add_conditions(&two, b, o, length);
    add_conditions(&both, a, o, length);
    add_conditions(&both, b, o, length);
    int alone = rank_of(one), other = rank_of(two), together = rank_of(both);
    const scr_joint_drive_def *da = a->variant_def, *db = b->variant_def;
    const scr_joint_def *d = b->def;
    bool locked = alone == 6 || other == 6;
    if (locked || together == 6)
        FAIL(c, b, NULL,
             "joints.%s (%s) and joints.%s (%s, line %d) contradict each other: together they leave no motion between "
             "%s and %s; %s",
             b->name, b->variant->name, a->name, a->variant->name, scr_item_place(c->scene, a, NULL).line,
             d->between.items[0], d->between.items[1],
             locked ? "a lock is enough" : "take one of them, or a lock, or the same axis for both");
    else if (da && db && da->motor.count && db->motor.count)
        FAIL(c, b, "motor",
             "joints.%s and joints.%s (line %d) both have a motor for the same motion of %s and %s; "
             "leave one out",
             b->name, a->name, scr_item_place(c->scene, a, NULL).line, d->between.items[0], d->between.items[1]);
}

static void check_joints(const checker *c)
{
    const scr_items *joints = scr_scene_items(c->scene, "joints");
    bool *good = calloc((size_t)joints->count + 1, sizeof *good);
    for (int k = 0; good && k < joints->count; k++) {
        const scr_item *joint = &joints->items[k];
        if (!is_whole(joint) || !joint->variant) continue;
        int errors = c->report->errors;
        bool names = check_between(c, joint);
        check_point(c, joint);
        check_drive(c, joint);
        good[k] = names && c->report->errors == errors;
        for (int n = 0; n < k && good[k]; n++)
            if (good[n] && same_pair(&joints->items[n], joint)) check_together(c, &joints->items[n], joint);
    }
    free(good);
}

// ---- clumps ----

static void check_clump(const checker *c, const scr_item *group)
{
    const scr_item *clump = &((const scr_bodies_def *)group->def)->clump;
    if (!clump->def || !clump->node || ((scr_node *)clump->node)->faulty) return;
    const scr_matrix *s = &((const scr_clump_def *)clump->def)->spheres;
    if (s->count < 1 || s->count > SCR_MOST_CLUMP)
        FAIL(c, clump, "spheres", "bodies.%s.clump has %d spheres, 1 to %d are possible", group->name, s->count,
             SCR_MOST_CLUMP);
    for (int k = 0; k < s->count; k++)
        if (!(s->rows[4 * k + 3] > 0)) {
            FAIL(c, clump, "spheres", "bodies.%s.clump: sphere %d has the radius %g, it must be above zero",
                 group->name, k + 1, s->rows[4 * k + 3]);
            break;
        }
}

void scr_parts_check(const scr_scene *scene, scree_report *report)
{
    checker c = {scene, report};
    const scr_items *parts = scr_scene_items(scene, "parts");
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int k = 0; k < parts->count; k++) check_part(&c, k);
    check_joints(&c);
    for (int k = 0; k < groups->count; k++)
        if (groups->items[k].name && groups->items[k].def) check_clump(&c, &groups->items[k]);
}
