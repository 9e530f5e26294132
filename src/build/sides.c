#include "build/sides.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "comm/share.h"
#include "world/carrier.h"

#define FEWEST_RAYS 20   /* towards a side, from grains spread over all of them, */
#define MOST_RAYS   500  /* and at most */
#define LOOKS       2e6  /* at obstacles, by which the number of rays is chosen between these */
#define PARTS       400  /* of the time, for gravity that changes */
#define MOST_STEPS  4000 /* along a face that a grain goes beside */
#define ACROSS      0.01 /* sine of the angle to a surface from which on it is in the way */

/* What can be in the way: a face of a wall, or (face -1) all of the box. */
typedef struct {
    vec3 low, high;
    int face;
} obstacle;

/* A grain that is there, or one that may come. */
typedef struct {
    vec3 at, velocity;
    double radius, spread; /* spread: random part of the velocity, in any direction */
    int group;
    int64_t id;       /* 0: of an inlet */
    unsigned blocked; /* sides, as bits, towards which a body that is held or a solid is in its way */
} traveller;

/* What carries a grain out. */
typedef enum { NOTHING, BY_GRAVITY, BY_VELOCITY, BY_WALL } carrier;

typedef struct {
    bool open;
    carrier by;
    traveller who; /* the first that is carried out */
} side_state;

typedef struct {
    const scree_simulation *simulation;
    const scr_world *world;
    double now, end;     /* [s] */
    vec3 gravity[PARTS]; /* in parts of this time */
    obstacle *obstacles; /* faces; from `faces` on bodies that are held, of a divided world those of this rank */
    size_t obstacle_count, faces;
    traveller *travellers; /* on all ranks; a buffer */
    size_t traveller_count;
    bool walls_move;     /* some do */
    bool *hung;          /* bodies that bonds may hang on held ones; NULL: none */
    side_state sides[6]; /* -x, +x, -y, ... */
} look;

static double along(vec3 a, int d)
{
    return (&a.x)[d];
}

/* ---- what is in the way ---- */

// walls that come later or go leave the side open meanwhile
static bool is_there(const look *l, const scr_wall *wall)
{
    return wall->active && wall->motion.until >= l->end;
}

// bodies that grains cannot push away; those of parts hang on joints
static bool is_held(const scr_world *w, size_t i)
{
    int rigid = scr_carrier_rigid(w, w->bodies.carrier[i]);
    return w->bodies.motion[4 * i + 3] == 0 || (rigid >= 0 && w->rigids.kind[rigid] == SCR_RIGID_PART);
}

static void add_faces(look *l)
{
    const scr_world *w = l->world;
    for (int k = 0; k < w->face_count; k++) {
        const scr_wall *wall = &w->walls[w->faces[k].wall];
        if (!is_there(l, wall)) continue;
        l->walls_move |= !scr_wall_rests(wall);
        obstacle *o = &l->obstacles[l->obstacle_count++];
        scr_face face = scr_face_moved(&w->faces[k], &wall->pose);
        scr_face_box(&face, &o->low, &o->high);
        o->face = k;
    }
}

static void add_held(look *l)
{
    const scr_world *w = l->world;
    for (size_t i = w->bodies.low; i < scr_bodies_end(&w->bodies); i++) {
        if (!is_held(w, i)) continue;
        const double *x = w->bodies.place + 4 * i;
        vec3 reach = v3(x[3], x[3], x[3]);
        l->obstacles[l->obstacle_count++] = (obstacle){v3_sub(v3_load(x), reach), v3_add(v3_load(x), reach), -1};
    }
}

// a solid counts as the box of its cells' centres
static void add_solids(look *l)
{
    const scr_world *w = l->world;
    for (int k = 0; k < w->solid_count; k++) {
        const scr_solid *solid = &w->solids[k];
        obstacle o = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY), -1};
        for (int c = 0; c < solid->cell_count; c++) {
            vec3 x = scr_cell_centre(&w->cells, (size_t)(solid->first_cell + c));
            o.low = v3(fmin(o.low.x, x.x), fmin(o.low.y, x.y), fmin(o.low.z, x.z));
            o.high = v3(fmax(o.high.x, x.x), fmax(o.high.y, x.y), fmax(o.high.z, x.z));
        }
        l->obstacles[l->obstacle_count++] = o;
    }
}

// whether the grain on its way towards a side passes through the obstacle's box
static bool box_is_ahead(const obstacle *o, const traveller *t, int d, double sign, double distance)
{
    for (int k = 0; k < 3; k++) {
        double x = along(t->at, k), low = along(o->low, k), high = along(o->high, k);
        // what only touches it from beside is not in its way
        if (k != d && (x < low - 0.9 * t->radius || x > high + 0.9 * t->radius)) return false;
    }
    double near = sign > 0 ? along(o->low, d) - along(t->at, d) : along(t->at, d) - along(o->high, d);
    double far = sign > 0 ? along(o->high, d) - along(t->at, d) : along(t->at, d) - along(o->low, d);
    if (near - t->radius > distance) return false;
    return o->face < 0 ? near + far > 0 : far >= -t->radius;
}

// a plane has no end: it is in the way or it is not
static double plane_stop(double free, double slope)
{
    return slope < -ACROSS ? fmax(0, free / -slope) : INFINITY;
}

// the way goes on by what is free around the grain, until it touches the face and would go on into it: how
// far that is
static double face_stop(const scr_world *w, int face, const traveller *t, vec3 way, double distance)
{
    double s = 0;
    for (int k = 0; k < MOST_STEPS && s <= distance; k++) {
        vec3 normal;
        double free = scr_world_face_distance(w, face, v3_axpy(t->at, s, way), &normal) - t->radius;
        double slope = v3_dot(normal, way);
        if (w->faces[face].kind == SCR_FACE_PLANE) return plane_stop(free, slope);
        if (free <= 1e-9 * t->radius && slope < -ACROSS) return s;
        s += fmax(free, 0.25 * t->radius);
    }
    return s <= distance ? s : INFINITY; // a long way beside it counts as stopped: nothing is said
}

// whether the way leads into an outlet that is open to the end
static bool outlet_takes(const look *l, const scr_outlet *o, const traveller *t, int d, double sign, double distance)
{
    const scr_region *r = &o->region;
    double from = 0, to = distance;
    if (o->until < l->end) return false;
    if (r->kind != SCR_REGION_BEYOND) {
        double a = sign * (along(r->low, d) - along(t->at, d));
        double b = sign * (along(r->high, d) - along(t->at, d));
        from = fmax(from, fmin(a, b)), to = fmin(to, fmax(a, b));
    }
    for (int k = 0; k <= 32 && from <= to; k++) {
        vec3 x = t->at;
        (&x.x)[d] += sign * (from + k / 32.0 * (to - from));
        if (scr_region_holds(r, x, 0, 0)) return true;
    }
    return false;
}

// how far the grain gets towards a side at most, and the wall that stops it; -1: none
static double stop_of(const look *l, const traveller *t, int d, double sign, double distance, int *wall)
{
    const scr_world *w = l->world;
    vec3 way = v3(0, 0, 0);
    (&way.x)[d] = sign;
    double least = INFINITY;
    *wall = -1;
    for (size_t k = 0; k < l->faces; k++) {
        const obstacle *o = &l->obstacles[k];
        if (!box_is_ahead(o, t, d, sign, distance)) continue;
        double s = face_stop(w, o->face, t, way, distance);
        if (s < least) least = s, *wall = w->faces[o->face].wall;
    }
    if (t->blocked >> (2 * d + (sign > 0)) & 1 && least > 0) least = 0, *wall = -1;
    return least;
}

static bool is_stopped(const look *l, const traveller *t, int d, double sign, double distance)
{
    int wall;
    for (int k = 0; k < l->world->outlet_count; k++)
        if (outlet_takes(l, &l->world->outlets[k], t, d, sign, distance)) return true;
    return stop_of(l, t, d, sign, distance, &wall) <= distance;
}

static double distance_to_side(const scr_domain *domain, vec3 x, int side)
{
    return side % 2 ? along(domain->upper, side / 2) - along(x, side / 2)
                    : along(x, side / 2) - along(domain->lower, side / 2);
}

/* ---- what carries it ---- */

// a flight with speed v at the start, of a grain that does not fall back behind where it started
static bool gets_there(const look *l, int d, double sign, double v, double distance)
{
    double dt = (l->end - l->now) / PARTS, x = 0;
    for (int k = 0; k < PARTS && x < distance; k++) {
        double a = sign * along(l->gravity[k], d);
        // it turns round within this part
        if (v > 0 && v + a * dt < 0 && x + v * v / (-2 * a) >= distance) return true;
        x += dt * (v + 0.5 * dt * a), v += dt * a;
        if (x < 0) x = 0, v = fmax(v, 0);
    }
    return x >= distance;
}

// whether a wall that goes on steadily that way can push the grain so far, or take it with it: one that is beside it
static bool wall_carries(const look *l, const traveller *t, int d, double sign, double distance)
{
    for (int k = 0; k < 6; k++) {
        int wall;
        stop_of(l, t, k / 2, k % 2 ? 1 : -1, distance_to_side(&l->world->domain, t->at, k), &wall);
        if (wall < 0 || l->world->walls[wall].carried) continue;
        const scr_motion *m = &l->world->walls[wall].motion;
        double v = sign * along(v3_add(m->velocity, m->surface), d);
        if (v * (l->end - l->now) >= distance) return true;
    }
    return false;
}

static carrier carried(const look *l, const traveller *t, int d, double sign, double distance)
{
    double v = sign * along(t->velocity, d) + t->spread;
    if (gets_there(l, d, sign, 0, distance)) return BY_GRAVITY;
    if (gets_there(l, d, sign, v, distance)) return BY_VELOCITY;
    // nothing is carried uphill
    if (sign * along(l->gravity[0], d) < 0) return NOTHING;
    return l->walls_move && wall_carries(l, t, d, sign, distance) ? BY_WALL : NOTHING;
}

/* ---- travelling grains ---- */

// the motion that a grain has as prescribed, through everything; NULL: none
static const scr_drive *drive_of(const look *l, const traveller *t)
{
    const scr_drive *drive = &l->world->groups[t->group].drive;
    return t->id && drive->moves ? drive : NULL;
}

// a prescribed motion: where it is at the end
static void follow_drive(look *l, const traveller *t, const scr_drive *drive)
{
    const scr_world *w = l->world;
    scr_drive_step step = scr_drive_over(drive, l->now, l->end - l->now);
    vec3 x = scr_drive_place(&step, t->at);
    for (int k = 0; k < 6; k++) {
        int d = k / 2;
        bool out = k % 2 ? along(x, d) > along(w->domain.upper, d) : along(x, d) < along(w->domain.lower, d);
        side_state *side = &l->sides[k];
        if (w->domain.periodic[d] || !out || side->by) continue;
        *side = (side_state){true, BY_VELOCITY, *t};
    }
}

static void follow(look *l, const traveller *t)
{
    const scr_domain *domain = &l->world->domain;
    const scr_drive *drive = drive_of(l, t);
    if (drive) {
        follow_drive(l, t, drive);
        return;
    }
    for (int k = 0; k < 6; k++) {
        int d = k / 2;
        side_state *side = &l->sides[k];
        if (domain->periodic[d] || side->by) continue;
        double sign = k % 2 ? 1 : -1;
        double distance = distance_to_side(domain, t->at, k);
        carrier by = carried(l, t, d, sign, distance);
        if ((side->open && !by) || is_stopped(l, t, d, sign, distance)) continue;
        side->open = true, side->by = by, side->who = *t;
    }
}

static bool add_traveller(look *l, traveller t)
{
    return scr_push(l->travellers, l->traveller_count, t);
}

// of the rows of all ranks every so many-th, of each its own
static bool add_grains(look *l)
{
    const scr_world *w = l->world;
    scr_share *share = w->share;
    size_t n = scr_share_bodies(w), own = scr_bodies_own(&w->bodies);
    size_t before = share ? share->first[share->comm->rank] : 0;
    size_t obstacles = l->faces + (size_t)scr_share_sum(share, (int64_t)(l->obstacle_count - l->faces));
    double rays = fmax(FEWEST_RAYS, fmin(MOST_RAYS, LOOKS / (double)(obstacles + 1)));
    size_t stride = 1 + (size_t)((double)n / rays);
    for (size_t k = (stride - before % stride) % stride; k < own; k += stride) {
        size_t i = w->bodies.low + k;
        const double *x = w->bodies.place + 4 * i;
        traveller t = {.at = v3_load(x),
                       .velocity = v3_load(w->bodies.motion + 4 * i),
                       .radius = x[3],
                       .group = w->bodies.group[i],
                       .id = w->bodies.id[i]};
        if (!drive_of(l, &t) && (is_held(w, i) || (l->hung && l->hung[i]))) continue;
        if (!add_traveller(l, t)) return false;
    }
    if (!share) return true;
    traveller *all = NULL;
    l->traveller_count = scr_share_collect_all(share, l->travellers, l->traveller_count, sizeof *all, &all);
    scr_buffer_free(l->travellers);
    l->travellers = all;
    return true;
}

// from a lattice of points in the region
static bool add_inlet(look *l, const scr_inlet *inlet)
{
    const scr_scene *scene = l->simulation->scene;
    const scr_item *item = &scr_scene_items(scene, "bodies")->items[inlet->group];
    const scr_bodies_inlet_def *def = item->variant_def;
    const scr_bodies_def *bodies = item->def;
    scr_region r;
    if (!scr_region_init(&r, scene, &def->region)) return true;
    for (int k = 0; k < 27; k++) {
        vec3 part = v3(k % 3 * 0.5, k / 3 % 3 * 0.5, k / 9 * 0.5), x;
        for (int d = 0; d < 3; d++) {
            double low = along(r.low, d) + inlet->radius[1];
            double high = along(r.high, d) - inlet->radius[1];
            (&x.x)[d] = low + along(part, d) * (high - low);
        }
        if (!scr_region_holds(&r, x, 0, 0)) continue;
        if (!add_traveller(l, (traveller){.at = x,
                                          .velocity = bodies->velocity,
                                          .spread = def->spread,
                                          .radius = inlet->radius[0],
                                          .group = inlet->group}))
            return false;
    }
    return true;
}

// towards which sides bodies that are held, and solids, are in the way
static unsigned blocked_by(const look *l, const traveller *t)
{
    const scr_domain *domain = &l->world->domain;
    unsigned blocked = 0;
    for (int k = 0; k < 6; k++) {
        if (domain->periodic[k / 2] && !l->walls_move) continue;
        double distance = distance_to_side(domain, t->at, k);
        for (size_t o = l->faces; o < l->obstacle_count && !(blocked >> k & 1); o++)
            if (box_is_ahead(&l->obstacles[o], t, k / 2, k % 2 ? 1 : -1, distance)) blocked |= 1u << k;
    }
    return blocked;
}

// by those of all ranks
static bool block(look *l)
{
    double *sides = NULL;
    if (!scr_reserve(&sides, 6 * l->traveller_count + 1)) return false;
    for (size_t t = 0; t < l->traveller_count; t++) l->travellers[t].blocked = blocked_by(l, &l->travellers[t]);
    for (size_t k = 0; k < 6 * l->traveller_count; k++) sides[k] = l->travellers[k / 6].blocked >> k % 6 & 1;
    scr_share_most(l->world->share, sides, (int)(6 * l->traveller_count));
    for (size_t k = 0; k < 6 * l->traveller_count; k++)
        if (sides[k] > 0) l->travellers[k / 6].blocked |= 1u << k % 6;
    scr_buffer_free(sides);
    return true;
}

/* ---- the whole ---- */

// whether some bond ends at a held body: then all bonded ones may hang on it
static bool mark_hung(look *l)
{
    const scr_bonds *b = &l->world->bonds;
    bool any = false;
    for (size_t k = 0; k < b->table.count; k++)
        any |= is_held(l->world, (size_t)b->row[2 * k]) || is_held(l->world, (size_t)b->row[2 * k + 1]);
    if (!any) return true;
    l->hung = scr_memory_new(l->world->bodies.table.count, sizeof *l->hung);
    if (!l->hung) return false;
    for (size_t k = 0; k < b->table.count; k++) l->hung[b->row[2 * k]] = l->hung[b->row[2 * k + 1]] = true;
    return true;
}

// at times that are not evenly spread: none of its periods is hidden by theirs
static void sample_gravity(look *l)
{
    for (int k = 0; k < PARTS; k++) {
        double part = (k + fmod(0.6180339887498949 * k, 1)) / PARTS;
        l->gravity[k] = scr_gravity_at(&l->world->gravity_law, l->now + part * (l->end - l->now));
    }
}

static const char *const NAMES[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};

// "-z (gravity takes grain 3 of sand at (0, 0, 1) m there)"
static void name_carried(const look *l, int k, char *text, size_t size)
{
    static const char *const how[] = {"", "gravity", "its velocity", "a wall that moves"};
    const side_state *side = &l->sides[k];
    const traveller *t = &side->who;
    char who[64] = "a grain";
    if (t->id) snprintf(who, sizeof who, "grain %lld", (long long)t->id);
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s (%s takes %s of %.60s at (%.4g, %.4g, %.4g) m there)", used ? ", " : "",
             NAMES[k], how[side->by], who, l->world->groups[t->group].name, t->at.x, t->at.y, t->at.z);
}

static void tell(const look *l, bool say, scree_report *report)
{
    char out[1200] = "", open[40] = "";
    for (int k = 0; k < 6; k++) {
        size_t used = strlen(open);
        if (l->sides[k].by)
            name_carried(l, k, out, sizeof out);
        else if (l->sides[k].open)
            snprintf(open + used, sizeof open - used, "%s%s", used ? ", " : "", NAMES[k]);
    }
    const scr_scene *scene = l->simulation->scene;
    if (*out)
        scr_warn(report, scr_item_place(scene, &scr_scene_items(scene, "domain")->items[0], "box"),
                 "grains can leave the domain before time.end, through %s: no wall or outlet is in "
                 "the way, and the first to leave ends the run. Put one there, make the domain "
                 "larger, or set domain.boundary: delete, which removes such grains",
                 out);
    if (*open && say)
        scr_say("open sides of the domain: %s; a grain that leaves through them ends the run "
                "(domain.boundary: delete removes it instead)",
                open);
}

scree_status scr_check_sides(const scree_simulation *s, bool say, scree_report *report)
{
    const scr_world *w = &s->world;
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    look l = {.simulation = s, .world = w, .now = w->clock.time, .end = time->end};
    if (w->domain.delete_escaped || s->step.traits.load_steps || s->resumed || !(l.end > l.now)) return SCREE_OK;
    size_t most = (size_t)w->face_count + (size_t)w->solid_count;
    for (size_t i = 0; i < w->bodies.table.count; i++) most += is_held(w, i);
    l.obstacles = scr_memory_new(most + 1, sizeof *l.obstacles);
    bool enough = l.obstacles && mark_hung(&l);
    if (enough) {
        sample_gravity(&l);
        add_faces(&l), l.faces = l.obstacle_count;
        add_held(&l), add_solids(&l);
        enough = add_grains(&l);
        for (int k = 0; k < w->inlet_count && enough; k++) enough = add_inlet(&l, &w->inlets[k]);
        enough = enough && block(&l);
        for (size_t k = 0; k < l.traveller_count && enough; k++) follow(&l, &l.travellers[k]);
        if (enough) tell(&l, say, report);
    }
    scr_memory_free(l.hung);
    scr_memory_free(l.obstacles);
    scr_buffer_free(l.travellers);
    return enough ? SCREE_OK : scr_share_must(w->share, scr_no_memory(report, "the check"), report);
}
