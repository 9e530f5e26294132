/* The `fix` commands of LIGGGHTS and LAMMPS that a scene can say (convert.h). What a fix begins after the first `run`
 * has a `since`, what `unfix` ends an `until`. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"
#include "scene/convert.h"

static const char *word(const scr_conversion *c, int k)
{
    return k < c->script.count ? c->script.words[k] : "";
}

static double now(const scr_conversion *c)
{
    return c->time > 0 ? c->time : NAN;
}

/* ---- properties ---- */

static void per_type(scr_conversion *c, double *first)
{
    size_t stride = sizeof *c->types / sizeof *first;
    for (int t = 0; 6 + t < c->script.count && t < SCR_CONVERT_TYPES; t++)
        first[(size_t)t * stride] = scr_convert_number(c, 6 + t, NAN);
}

static void per_pair(scr_conversion *c, double table[SCR_CONVERT_TYPES][SCR_CONVERT_TYPES])
{
    int n = (int)scr_convert_number(c, 6, 0);
    for (int a = 0; a < n && n <= SCR_CONVERT_TYPES; a++)
        for (int b = 0; b < n; b++) table[a][b] = scr_convert_number(c, 7 + n * a + b, NAN);
}

static void property(scr_conversion *c)
{
    const char *name = word(c, 4);
    if (!strcasecmp(name, "youngsModulus"))
        per_type(c, &c->types[0].young);
    else if (!strcasecmp(name, "poissonsRatio"))
        per_type(c, &c->types[0].poisson);
    else if (!strcasecmp(name, "coefficientRestitution"))
        per_pair(c, c->restitution);
    else if (!strcasecmp(name, "coefficientFriction"))
        per_pair(c, c->friction);
    else if (!strcasecmp(name, "coefficientRollingFriction"))
        per_pair(c, c->rolling);
    else if (!strcasecmp(name, "characteristicVelocity"))
        c->law.speed = scr_convert_number(c, 6, NAN);
    else
        scr_convert_leave(c, "the property %s has no equivalent", name);
}

static void gravity(scr_conversion *c)
{
    double g = scr_convert_number(c, 4, 9.81), angle;
    vec3 d = {0, 0, -1};
    if (!strcmp(word(c, 5), "vector")) {
        d = v3_unit(v3(scr_convert_number(c, 6, 0), scr_convert_number(c, 7, 0), scr_convert_number(c, 8, -1)));
    } else if (!strcmp(word(c, 5), "chute")) {
        angle = scr_convert_number(c, 6, 0) * M_PI / 180;
        d = v3(scr_sin(angle), 0, -scr_cos(angle));
    } else if (!strcmp(word(c, 5), "spherical")) {
        double phi = scr_convert_number(c, 6, 0) * M_PI / 180, theta = scr_convert_number(c, 7, 180) * M_PI / 180;
        d = v3(scr_sin(theta) * scr_cos(phi), scr_sin(theta) * scr_sin(phi), scr_cos(theta));
    } else {
        scr_convert_leave(c, "unknown style of gravity");
        return;
    }
    c->gravity = v3_scale(g, d), c->has_gravity = true;
}

/* ---- walls ---- */

static scr_convert_wall *add_wall(scr_conversion *c, const char *name)
{
    if (c->wall_count == (int)(sizeof c->walls / sizeof *c->walls)) {
        scr_convert_leave(c, "too many walls");
        return NULL;
    }
    scr_convert_wall *wall = &c->walls[c->wall_count++];
    *wall = (scr_convert_wall){.since = now(c), .until = NAN, .type = 1};
    snprintf(wall->name, sizeof wall->name, "%s", name);
    snprintf(wall->fix, sizeof wall->fix, "%s", word(c, 1));
    return wall;
}

// a plane across an axis; the grains are where the box is
static void plane(scr_conversion *c, const char *name, int axis, double place, int type)
{
    scr_convert_wall *wall = add_wall(c, name);
    if (!wall) return;
    double middle = 0.5 * ((&c->low.x)[axis] + (&c->high.x)[axis]), n[3] = {0}, p[3] = {0};
    n[axis] = place <= middle ? 1 : -1;
    p[axis] = place;
    wall->type = type;
    snprintf(wall->shape, sizeof wall->shape, "shape: plane, point: [%.10g, %.10g, %.10g], normal: [%g, %g, %g]", p[0],
             p[1], p[2], n[0], n[1], n[2]);
}

static void cylinder(scr_conversion *c, const char *name, int axis, double radius, double a, double b, int type)
{
    scr_convert_wall *wall = add_wall(c, name);
    if (!wall) return;
    int p = axis == 0 ? 1 : 0, q = axis == 2 ? 1 : 2;
    double from[3], to[3];
    from[axis] = (&c->low.x)[axis], to[axis] = (&c->high.x)[axis];
    from[p] = to[p] = a, from[q] = to[q] = b;
    wall->type = type;
    snprintf(wall->shape, sizeof wall->shape,
             "shape: cylinder, from: [%.10g, %.10g, %.10g], to: [%.10g, %.10g, %.10g], radius: %.10g", from[0], from[1],
             from[2], to[0], to[1], to[2], radius);
}

// primitive type T xplane c | xcylinder R a b
static void primitive(scr_conversion *c, int k)
{
    int at = scr_convert_word(c, k, "type"), type = at ? (int)scr_convert_number(c, at + 1, 1) : 1, shape = at + 2;
    const char *what = word(c, shape);
    int axis = *what >= 'x' && *what <= 'z' ? *what - 'x' : -1;
    if (axis >= 0 && !strcmp(what + 1, "plane"))
        plane(c, word(c, 1), axis, scr_convert_number(c, shape + 1, 0), type);
    else if (axis >= 0 && !strcmp(what + 1, "cylinder"))
        cylinder(c, word(c, 1), axis, scr_convert_number(c, shape + 1, 1), scr_convert_number(c, shape + 2, 0),
                 scr_convert_number(c, shape + 3, 0), type);
    else
        scr_convert_leave(c, "unknown wall style %s", what);
    if (scr_convert_word(c, k, "shear"))
        scr_convert_leave(c, "the shear motion of the wall is left out: see surface_velocity");
}

static void mesh_walls(scr_conversion *c, int k)
{
    int at = scr_convert_word(c, k, "meshes");
    for (int m = at + 1; at && m < c->script.count; m++) {
        int found = -1;
        for (int w = 0; w < c->wall_count; w++)
            if (!strcmp(c->walls[w].name, word(c, m))) found = w;
        if (found < 0) break;
        c->walls[found].surface = false;
    }
}

// LAMMPS: STYLE numbers, then zplane lo hi, zcylinder R, or region R
static void lammps_wall(scr_conversion *c)
{
    static const char *const words[] = {"xplane", "yplane", "zplane", "xcylinder", "ycylinder", "zcylinder"};
    char name[80];
    for (int k = 0; k < 6; k++) {
        int at = scr_convert_word(c, 4, words[k]);
        if (!at) continue;
        if (k > 2) {
            cylinder(c, word(c, 1), k - 3, scr_convert_number(c, at + 1, 1), 0, 0, 1);
            return;
        }
        for (int side = 0; side < 2; side++) {
            double place = scr_convert_number(c, at + 1 + side, NAN);
            snprintf(name, sizeof name, "%.60s_%s", word(c, 1), side ? "high" : "low");
            if (isnan(place)) continue;
            plane(c, name, k, place, 1);
        }
        if (scr_convert_word(c, at, "wiggle") || scr_convert_word(c, at, "shear"))
            scr_convert_leave(c, "the motion of the wall is left out");
        return;
    }
    int at = scr_convert_word(c, 4, "region");
    const scr_convert_region *r = at ? scr_convert_region_of(c, word(c, at + 1)) : NULL;
    scr_convert_wall *wall = r ? add_wall(c, word(c, 1)) : NULL;
    if (!wall) {
        scr_convert_leave(c, "its surface is not known");
        return;
    }
    if (r->shape == SCR_CONVERT_BLOCK)
        snprintf(wall->shape, sizeof wall->shape, "shape: box, box: [[%.10g, %.10g, %.10g], [%.10g, %.10g, %.10g]]",
                 r->low.x, r->low.y, r->low.z, r->high.x, r->high.y, r->high.z);
    else if (r->shape == SCR_CONVERT_SPHERE)
        snprintf(wall->shape, sizeof wall->shape, "shape: sphere, center: [%.10g, %.10g, %.10g], radius: %.10g",
                 r->from.x, r->from.y, r->from.z, r->radius[0]);
    else
        snprintf(
            wall->shape, sizeof wall->shape,
            "shape: frustum, from: [%.10g, %.10g, %.10g], to: [%.10g, %.10g, %.10g], radius_from: %.10g, radius_to: "
            "%.10g, capped: yes",
            r->from.x, r->from.y, r->from.z, r->to.x, r->to.y, r->to.z, r->radius[0], r->radius[1]);
}

static void wall_gran(scr_conversion *c)
{
    int at = scr_convert_word(c, 4, "primitive");
    if (at)
        primitive(c, at);
    else if (scr_convert_word(c, 4, "mesh"))
        mesh_walls(c, 4);
    else
        lammps_wall(c);
}

static void servo(scr_conversion *c, scr_convert_wall *wall)
{
    int axis = scr_convert_word(c, 4, "axis"), target = scr_convert_word(c, 4, "target_val");
    int speed = scr_convert_word(c, 4, "vel_max"), control = scr_convert_word(c, 4, "ctrlPV");
    double force = scr_convert_number(c, target + 1, NAN);
    if (!axis || !target || !speed || (control && strcmp(word(c, control + 1), "force")) || isnan(force)) {
        scr_convert_leave(c, "its control is not a force along an axis");
        return;
    }
    double sign = force < 0 ? -1 : 1;
    snprintf(wall->motion, sizeof wall->motion,
             ", servo: {axis: [%.10g, %.10g, %.10g], force: %.10g, max_speed: %.10g}",
             sign * scr_convert_number(c, axis + 1, 0), sign * scr_convert_number(c, axis + 2, 0),
             sign * scr_convert_number(c, axis + 3, 0), fabs(force), scr_convert_number(c, speed + 1, 0.1));
}

// mesh/surface[/stress[/servo]] file F type T [scale S] [move x y z] [rotate axis x y z angle A]
static void mesh(scr_conversion *c)
{
    scr_convert_wall *wall = add_wall(c, word(c, 1));
    int file = scr_convert_word(c, 4, "file"), type = scr_convert_word(c, 4, "type");
    if (!wall || !file) return;
    int scale = scr_convert_word(c, 4, "scale"), move = scr_convert_word(c, 4, "move");
    int turn = scr_convert_word(c, 4, "rotate");
    wall->surface = true;
    wall->type = type ? (int)scr_convert_number(c, type + 1, 1) : 1;
    char *text = wall->shape;
    size_t size = sizeof wall->shape;
    snprintf(text, size, "shape: mesh, file: %.200s", word(c, file + 1));
    if (scale)
        snprintf(text + strlen(text), size - strlen(text), ", scale: %.10g", scr_convert_number(c, scale + 1, 1));
    if (turn && !strcmp(word(c, turn + 1), "axis")) {
        vec3 a = v3_unit(v3(scr_convert_number(c, turn + 2, 0), scr_convert_number(c, turn + 3, 0),
                            scr_convert_number(c, turn + 4, 1)));
        int angle = scr_convert_word(c, turn, "angle");
        double by = angle ? scr_convert_number(c, angle + 1, 0) : 0;
        snprintf(text + strlen(text), size - strlen(text), ", rotate: [%.10g deg, %.10g deg, %.10g deg]", by * a.x,
                 by * a.y, by * a.z);
    }
    if (move)
        snprintf(text + strlen(text), size - strlen(text), ", translate: [%.10g, %.10g, %.10g]",
                 scr_convert_number(c, move + 1, 0), scr_convert_number(c, move + 2, 0),
                 scr_convert_number(c, move + 3, 0));
    if (strstr(word(c, 3), "servo")) servo(c, wall);
}

static void open_motion(scr_conversion *c, scr_convert_wall *wall, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// the motion's keys are written when it ends, or at the end
static void open_motion(scr_conversion *c, scr_convert_wall *wall, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (*wall->moving) scr_convert_leave(c, "the wall %s moves already: only its first motion is kept", wall->name);
    if (!*wall->moving) vsnprintf(wall->moving, sizeof wall->moving, format, list);
    va_end(list);
    snprintf(wall->mover, sizeof wall->mover, "%s", word(c, 1));
    size_t n = strlen(wall->moving);
    if (c->time > 0) snprintf(wall->moving + n, sizeof wall->moving - n, ", since: %.10g", c->time);
}

static void move_mesh(scr_conversion *c)
{
    int at = scr_convert_word(c, 4, "mesh");
    scr_convert_wall *wall = NULL;
    for (int w = 0; at && w < c->wall_count; w++)
        if (!strcmp(c->walls[w].name, word(c, at + 1))) wall = &c->walls[w];
    if (!wall) {
        scr_convert_leave(c, "the mesh that it moves is not defined");
        return;
    }
    const char *kind = word(c, at + 2);
    int k = at + 3, origin = scr_convert_word(c, k, "origin"), axis = scr_convert_word(c, k, "axis");
    int period = scr_convert_word(c, k, "period"), amplitude = scr_convert_word(c, k, "amplitude");
    if (!strcmp(kind, "linear"))
        open_motion(c, wall, "translation: {velocity: [%.8g, %.8g, %.8g]", scr_convert_number(c, k, 0),
                    scr_convert_number(c, k + 1, 0), scr_convert_number(c, k + 2, 0));
    else if (!strcmp(kind, "rotate") && axis && period)
        open_motion(c, wall, "rotation: {point: [%.8g, %.8g, %.8g], axis: [%.8g, %.8g, %.8g], rate: %.8g",
                    origin ? scr_convert_number(c, origin + 1, 0) : 0,
                    origin ? scr_convert_number(c, origin + 2, 0) : 0,
                    origin ? scr_convert_number(c, origin + 3, 0) : 0, scr_convert_number(c, axis + 1, 0),
                    scr_convert_number(c, axis + 2, 0), scr_convert_number(c, axis + 3, 1),
                    2 * M_PI / scr_convert_number(c, period + 1, 1));
    else if (!strcmp(kind, "wiggle") && amplitude && period) {
        vec3 a = v3(scr_convert_number(c, amplitude + 1, 0), scr_convert_number(c, amplitude + 2, 0),
                    scr_convert_number(c, amplitude + 3, 0));
        open_motion(c, wall, "oscillation: {direction: [%.8g, %.8g, %.8g], amplitude: %.8g, frequency: %.8g", a.x, a.y,
                    a.z, v3_norm(a), 1 / scr_convert_number(c, period + 1, 1));
    } else
        scr_convert_leave(c, "unknown motion %s", kind);
}

/* ---- grains ---- */

static void template(scr_conversion *c)
{
    if (c->template_count == (int)(sizeof c->templates / sizeof *c->templates)) return;
    scr_convert_template *t = &c->templates[c->template_count++];
    int type = scr_convert_word(c, 4, "atom_type"), density = scr_convert_word(c, 4, "density");
    int radius = scr_convert_word(c, 4, "radius");
    *t = (scr_convert_template){.type = type ? (int)scr_convert_number(c, type + 1, 1) : 1, .density = 1000};
    snprintf(t->name, sizeof t->name, "%s", word(c, 1));
    if (density) t->density = scr_convert_number(c, density + 2, 1000);
    if (density && strcmp(word(c, density + 1), "constant")) scr_convert_leave(c, "a constant density is assumed");
    t->radius[0] = t->radius[1] = radius ? scr_convert_number(c, radius + 2, NAN) : NAN;
    if (radius && !strcmp(word(c, radius + 1), "uniform"))
        t->radius[1] = scr_convert_number(c, radius + 3, NAN);
    else if (radius && strcmp(word(c, radius + 1), "constant"))
        scr_convert_leave(c, "radii of style %s are replaced by a constant", word(c, radius + 1));
    int kind = scr_convert_type_of(c, t->type);
    if (isnan(c->types[kind - 1].density))
        c->types[kind - 1].density = t->density;
    else if (c->types[kind - 1].density != t->density)
        scr_convert_leave(c, "atoms of type %d have another density elsewhere, which is used", t->type);
}

// seed n name share ...
static void distribution(scr_conversion *c)
{
    if (c->mix_count == (int)(sizeof c->mixes / sizeof *c->mixes)) return;
    scr_convert_mix *m = &c->mixes[c->mix_count++];
    *m = (scr_convert_mix){0};
    snprintf(m->name, sizeof m->name, "%s", word(c, 1));
    int n = (int)scr_convert_number(c, 5, 0);
    for (int k = 0; k < n && m->count < 16; k++)
        for (int t = 0; t < c->template_count; t++)
            if (!strcmp(c->templates[t].name, word(c, 6 + 2 * k))) {
                m->template[m->count] = t;
                m->share[m->count++] = scr_convert_number(c, 7 + 2 * k, 0);
            }
    if (m->count < n) scr_convert_leave(c, "%d of its templates are not defined", n - m->count);
}

static double mean_mass(const scr_convert_template *t)
{
    double a = t->radius[0], b = t->radius[1];
    // mean of r^3, uniform
    double cube = a == b ? a * a * a : (b * b * b * b - a * a * a * a) / (4 * (b - a));
    return t->density * 4 / 3 * M_PI * cube;
}

static void put_size(const scr_convert_template *t, char *text, size_t size)
{
    if (t->radius[0] == t->radius[1])
        snprintf(text, size, "radius: %.10g", t->radius[0]);
    else
        snprintf(text, size, "radius: [%.10g, %.10g]", t->radius[0], t->radius[1]);
}

/* How much is inserted: a number, a mass or a solid fraction, at once or per second. */
typedef struct {
    double count, mass, fraction, rate, mass_rate;
} amount;

static void add_body(scr_conversion *c, const scr_convert_template *t, double by_mass, double by_number,
                     double by_volume, const amount *a, const char *velocity, const char *region, int number)
{
    if (c->body_count == (int)(sizeof c->bodies / sizeof *c->bodies)) return;
    scr_convert_body *b = &c->bodies[c->body_count++];
    char size[80];
    *b = (scr_convert_body){.since = now(c), .until = NAN, .inlet = !isnan(a->rate) || !isnan(a->mass_rate)};
    snprintf(b->fix, sizeof b->fix, number ? "%.50s_%d" : "%.50s", word(c, 1), number);
    put_size(t, size, sizeof size);
    int n = snprintf(b->text, sizeof b->text, "from: %s, material: type%d, %s", b->inlet ? "inlet" : "random", t->type,
                     size);
#define PUT(...) n += snprintf(b->text + n, n < (int)sizeof b->text ? sizeof b->text - (size_t)n : 0, __VA_ARGS__)
    if (!isnan(a->rate)) PUT(", rate: %.10g", a->rate * by_number);
    if (!isnan(a->mass_rate)) PUT(", mass_rate: %.10g", a->mass_rate * by_mass);
    if (!isnan(a->count)) PUT(", count: %.0f", fmax(1, rint(a->count * by_number)));
    if (!isnan(a->mass) && b->inlet) PUT(", mass: %.10g", a->mass * by_mass);
    if (!isnan(a->mass) && !b->inlet) PUT(", count: %.0f", fmax(1, rint(a->mass * by_mass / mean_mass(t))));
    if (!isnan(a->fraction)) PUT(", fraction: %.10g", a->fraction * by_volume);
    PUT("%s%s", velocity, region);
#undef PUT
}

static void insert_mix(scr_conversion *c, const scr_convert_mix *m, const amount *a, const char *velocity,
                       const char *region)
{
    double mass = 0, number = 0, volume = 0;
    for (int k = 0; k < m->count; k++) {
        const scr_convert_template *t = &c->templates[m->template[k]];
        mass += m->share[k], number += m->share[k] / mean_mass(t), volume += m->share[k] / t->density;
    }
    for (int k = 0; k < m->count && mass > 0; k++) {
        const scr_convert_template *t = &c->templates[m->template[k]];
        add_body(c, t, m->share[k] / mass, m->share[k] / mean_mass(t) / number, m->share[k] / t->density / volume, a,
                 velocity, region, m->count > 1 ? k + 1 : 0);
    }
}

static double option(const scr_conversion *c, const char *name)
{
    int at = scr_convert_word(c, 4, name);
    return at ? scr_convert_number(c, at + 1, NAN) : NAN;
}

static void insert(scr_conversion *c)
{
    const char *style = word(c, 3);
    int mix = scr_convert_word(c, 4, "distributiontemplate"), region = scr_convert_word(c, 4, "region");
    int vel = scr_convert_word(c, 4, "vel");
    const scr_convert_region *r = region ? scr_convert_region_of(c, word(c, region + 1)) : NULL;
    const scr_convert_mix *m = NULL;
    for (int k = 0; mix && k < c->mix_count; k++)
        if (!strcmp(c->mixes[k].name, word(c, mix + 1))) m = &c->mixes[k];
    if (!m || !r) {
        scr_convert_leave(c, !m ? "its distribution is not defined" : "its region is not defined");
        return;
    }
    bool pack = !strcmp(style, "insert/pack");
    amount a = {.count = option(c, pack ? "particles_in_region" : "nparticles"),
                .mass = option(c, pack ? "mass_in_region" : "mass"),
                .fraction = option(c, "volumefraction_region"),
                .rate = pack ? NAN : option(c, "particlerate"),
                .mass_rate = pack ? NAN : option(c, "massrate")};
    if (!pack && isnan(a.rate) && isnan(a.mass_rate)) {
        scr_convert_leave(c, "it has neither particlerate nor massrate");
        return;
    }
    if (isnan(a.count) && isnan(a.mass) && isnan(a.fraction) && pack) {
        scr_convert_leave(c, "it does not give the number of particles");
        return;
    }
    char velocity[120] = "", where[200];
    if (vel && !strcmp(word(c, vel + 1), "constant"))
        snprintf(velocity, sizeof velocity, ", velocity: [%.8g, %.8g, %.8g]", scr_convert_number(c, vel + 2, 0),
                 scr_convert_number(c, vel + 3, 0), scr_convert_number(c, vel + 4, 0));
    else if (vel)
        scr_convert_leave(c, "velocities of style %s are left out", word(c, vel + 1));
    scr_convert_region_text(c, r, where, sizeof where);
    insert_mix(c, m, &a, velocity, where);
}

// LAMMPS: pour N type seed region R diam one d | range a b, dens a b, vol fraction tries
static void pour(scr_conversion *c)
{
    int region = scr_convert_word(c, 7, "region"), diam = scr_convert_word(c, 7, "diam");
    int dens = scr_convert_word(c, 7, "dens"), vol = scr_convert_word(c, 7, "vol");
    const scr_convert_region *r = region ? scr_convert_region_of(c, word(c, region + 1)) : NULL;
    if (!r || !diam) {
        scr_convert_leave(c, "its region or its diameters are not defined");
        return;
    }
    bool range = !strcmp(word(c, diam + 1), "range");
    scr_convert_template t = {.type = scr_convert_type_of(c, scr_convert_number(c, 5, 1)), .density = 1000};
    if (dens) t.density = 0.5 * (scr_convert_number(c, dens + 1, 1000) + scr_convert_number(c, dens + 2, 1000));
    t.radius[0] = 0.5 * scr_convert_number(c, diam + 2, NAN);
    t.radius[1] = range ? 0.5 * scr_convert_number(c, diam + 3, NAN) : t.radius[0];
    c->types[t.type - 1].density = t.density;
    // as many as fall out of the slab: its fill over the time of a fall through it
    vec3 size = v3_sub(r->high, r->low);
    double fill = vol ? scr_convert_number(c, vol + 1, 0.25) : 0.25, volume = size.x * size.y * size.z;
    if (r->shape != SCR_CONVERT_BLOCK) volume = M_PI * r->radius[0] * r->radius[0] * v3_norm(v3_sub(r->to, r->from));
    double height = r->shape == SCR_CONVERT_BLOCK ? size.z : v3_norm(v3_sub(r->to, r->from));
    double rate = fill * volume / (mean_mass(&t) / t.density) / sqrt(2 * height / 9.81);
    amount a = {scr_convert_number(c, 4, NAN), NAN, NAN, rate, NAN};
    char where[200];
    scr_convert_region_text(c, r, where, sizeof where);
    add_body(c, &t, 1, 1, 1, &a, "", where, 0);
    scr_convert_leave(c, "it pours as many particles as fit: the rate is an estimate");
}

static void freeze(scr_conversion *c)
{
    for (int k = 0; k < c->group_count; k++)
        if (!strcmp(c->groups[k], word(c, 2))) {
            c->frozen_type = c->group_type[k];
            return;
        }
    scr_convert_leave(c, "its group is not defined by an atom type");
}

/* ---- all ---- */

static void nothing(scr_conversion *c)
{
    (void)c;
}

bool scr_convert_fix(scr_conversion *c)
{
    static const struct {
        const char *style;
        bool prefix;
        void (*take)(scr_conversion *c);
    } styles[] = {
        {"property/global", false, property},
        {"gravity", false, gravity},
        {"wall/gran", true, wall_gran},
        {"mesh/surface", true, mesh},
        {"move/mesh", false, move_mesh},
        {"particletemplate/sphere", false, template},
        {"particledistribution/discrete", true, distribution},
        {"insert/pack", false, insert},
        {"insert/rate/region", false, insert},
        {"pour", false, pour},
        {"freeze", false, freeze},
        {"nve/sphere", true, nothing},
        {"check/timestep/gran", false, nothing},
        {"print", false, nothing},
    };
    for (size_t k = 0; k < sizeof styles / sizeof *styles; k++) {
        size_t n = strlen(styles[k].style);
        if (styles[k].prefix ? strncmp(word(c, 3), styles[k].style, n) : strcmp(word(c, 3), styles[k].style)) continue;
        styles[k].take(c);
        return true;
    }
    return false;
}

void scr_convert_unfix(scr_conversion *c, const char *name)
{
    for (int k = 0; k < c->wall_count; k++) {
        scr_convert_wall *w = &c->walls[k];
        size_t n = strlen(w->moving);
        if (!strcmp(w->fix, name)) w->until = c->time;
        if (!strcmp(w->mover, name) && *w->moving)
            snprintf(w->moving + n, sizeof w->moving - n, ", until: %.10g", c->time), w->mover[0] = 0;
    }
    for (int k = 0; k < c->body_count; k++)
        if (!strcmp(c->bodies[k].fix, name) && c->bodies[k].inlet) c->bodies[k].until = c->time;
}
