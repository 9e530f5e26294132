/* From the faces near a body to its contacts with walls.
 *
 * A sphere touches a surface where its distance from the centre has a local minimum: inside a face,
 * or at a point of a border that no adjoining face brings nearer. So on a flat or convex surface
 * there is one contact wherever the sphere is, however the surface is cut into faces, and in a
 * concave edge there are two. In detail, for the faces whose nearest point p is within reach:
 *
 *  1. A border point p is not a contact if it also lies on a face that is nearer (or equally near and
 *     earlier). This holds for faces of other walls too: two shells that share a rim have one.
 *  2. Contacts of one wall whose normals differ by less than 20 degrees stand for one smooth
 *     surface, as the facets of a hollow do, or the two sides of a thin plate. They become one
 *     contact: the least displacement u of the centre that frees it from all of them,
 *
 *       |u| least with u.n_k >= delta_k for all k;   delta = |u|,  n = u/|u|                    (1)
 *
 *     It is continuous while faces come and go, and has a potential for any law of delta. Where it presses on
 *     several faces, n turns by (P - n n)/delta, P the projection on the space of their normals (their own bends
 *     are left out there).
 *
 * The history of a contact stays with it when it passes from face to face: a contact without history
 * takes that of a face which was touched before, is touched no more, and lies in the same direction. */
#ifndef SCREE_COLLIDE_TOUCH_H
#define SCREE_COLLIDE_TOUCH_H

#include "collide/wall_pairs.h"

#define SCR_MOST_TOUCHES 64 /* contacts of one body with walls that are followed, and as many that end */

typedef struct {
    uint32_t pair;    /* of scr_wall_pairs: where its history is */
    double overlap;   /* [m]; where the contact has ended, so far apart that it is none */
    double most;      /* the overlap that it cannot survive [m] */
    vec3 normal;      /* unit, from the wall to the body */
    vec3 normal_half; /* the same half a step ago */
    vec3 velocity;    /* of the body against the wall at the point of contact, half a step ago,
                         without the body's own spin [m/s] */
    scr_bend bend;    /* of the distance, which is less the overlap; where options.bends */
} scr_touch;

typedef struct {
    double dt;      /* of the step: velocities are those of its middle [s] */
    bool improved;  /* normal_half is wanted, else it is the normal */
    double margin;  /* faces that are not nearer than this to the surface are not contacts [m] */
    bool bends;     /* bend is wanted */
    const vec3 *at; /* the place of the body; NULL: where it is */
    bool far_arm;   /* the point of contact is a radius away from the centre, not less half the overlap */
} scr_touch_options;

/* The contacts of one body: pairs [from, to) of the list are its faces. Histories move to the pairs
 * of the contacts they belong to. Returns how many, at most 2 SCR_MOST_TOUCHES. */
int scr_touches_find(const scr_world *world, scr_wall_pairs *pairs, uint32_t from, uint32_t to,
                     scr_touch_options options, scr_touch *touches);

/* Of most bodies at a wall there is one face on the list, an endless plane that does not turn. Where contacts do not
 * reach beyond the surface either, these need no search: scr_touch_plane returns what scr_touches_find would, to the
 * last bit. */
static inline bool scr_touch_is_plain(const scr_world *w, const scr_face *face)
{
    const scr_wall *wall = &w->walls[face->wall];
    return face->kind == SCR_FACE_PLANE && wall->active && !wall->pose.turned && v3_dot(wall->spin, wall->spin) == 0;
}

static inline int scr_touch_plane(const scr_world *w, const scr_wall_pairs *p, uint32_t pair, scr_touch *t)
{
    const scr_face *face = &w->faces[p->face[pair]];
    const scr_wall *wall = &w->walls[face->wall];
    const double *place = w->bodies.place + 4 * (size_t)p->body[pair];
    vec3 local = v3_sub(v3_load(place), wall->pose.shift);
    t->overlap = place[3] - v3_dot(v3_sub(local, face->point), face->axis);
    if (!(t->overlap > 0) && !p->touch[pair]) return 0;
    t->pair = pair;
    t->most = place[3];
    t->normal = t->normal_half = face->axis;
    t->velocity = v3_sub(v3_load(w->bodies.motion + 4 * (size_t)p->body[pair]), wall->velocity);
    return 1;
}

#endif
