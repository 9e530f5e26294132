/* Building and moving polyhedra, the point nearest to a sphere's centre, contacts with walls. */
#include "shape/convex.h"

#include <stddef.h>

#include "math/elementary.h"

#define EDGE_SHARE 0.25 /* of a contact of edges: that of one corner of a quadrilateral */
#define STICKS_OUT 0.05 /* sine of the angle by which an edge of a wall must stick out */
#define FLAT       1e-9 /* of the size */
#define SHEET      0.25 /* part of the radius beyond which a corner has not come through a sheet */

static vec3 polygon_area(const scr_convex_room *r, int face)
{
    vec3 area = {0, 0, 0}, a = r->corners[r->around[r->first[face]]];
    for (int k = r->first[face] + 1; k + 1 < r->first[face + 1]; k++)
        area = v3_add(area, v3_cross(v3_sub(r->corners[r->around[k]], a), v3_sub(r->corners[r->around[k + 1]], a)));
    return area;
}

// the place of the edge from b to a, which another face has; -1: there is none
static int other_way(const scr_convex_room *r, int a, int b)
{
    for (int k = 0; k < r->edge_count; k++)
        if (r->edges[k].corner[0] == b && r->edges[k].corner[1] == a) return k;
    return -1;
}

static bool find_edges(scr_convex_room *r)
{
    r->edge_count = 0;
    for (int f = 0; f < r->face_count; f++)
        for (int k = r->first[f]; k < r->first[f + 1]; k++) {
            int next = k + 1 < r->first[f + 1] ? k + 1 : r->first[f];
            uint16_t a = r->around[k], b = r->around[next];
            int known = other_way(r, a, b);
            if (known >= 0) {
                r->edges[known].face[1] = (uint16_t)f;
                continue;
            }
            if (r->edge_count == SCR_MOST_EDGES) return false;
            r->edges[r->edge_count++] = (scr_convex_edge){{a, b}, {(uint16_t)f, (uint16_t)f}};
        }
    return true;
}

// the farthest corner along each normal; whether no corner is off its face, or before it
static bool find_tops(scr_convex_room *r)
{
    double off = 0, size = 0;
    for (int f = 0; f < r->face_count; f++) {
        r->top[f] = -INFINITY;
        for (int c = 0; c < r->corner_count; c++) {
            double along = v3_dot(r->normal[f], r->corners[c]);
            r->top[f] = fmax(r->top[f], along);
            size = fmax(size, fabs(along));
        }
        off = fmax(off, r->top[f] - r->offset[f]);
        for (int k = r->first[f]; k < r->first[f + 1]; k++)
            off = fmax(off, fabs(v3_dot(r->normal[f], r->corners[r->around[k]]) - r->offset[f]));
    }
    return off <= FLAT * size;
}

static void surround(scr_convex *body)
{
    vec3 sum = {0, 0, 0};
    double far2 = 0;
    for (int k = 0; k < body->corner_count; k++) sum = v3_add(sum, body->corners[k]);
    body->centre = v3_scale(1.0 / body->corner_count, sum);
    for (int k = 0; k < body->corner_count; k++) {
        vec3 d = v3_sub(body->corners[k], body->centre);
        far2 = fmax(far2, v3_dot(d, d));
    }
    body->radius = sqrt(far2);
}

bool scr_convex_build(scr_convex_room *r, scr_convex *body)
{
    if (!find_edges(r)) return false;
    for (int f = 0; f < r->face_count; f++) {
        int count = r->first[f + 1] - r->first[f];
        double mean = 0;
        r->normal[f] = v3_unit(polygon_area(r, f));
        for (int k = r->first[f]; k < r->first[f + 1]; k++) mean += v3_dot(r->normal[f], r->corners[r->around[k]]);
        r->offset[f] = mean / count;
    }
    *body = (scr_convex){.corner_count = r->corner_count,
                         .face_count = r->face_count,
                         .edge_count = r->edge_count,
                         .corners = r->corners,
                         .normal = r->normal,
                         .offset = r->offset,
                         .top = r->top,
                         .first = r->first,
                         .around = r->around,
                         .edges = r->edges,
                         .free = r->free,
                         .share = r->share,
                         .flat = find_tops(r)};
    surround(body);
    scr_convex_share(body, r->share);
    return true;
}

void scr_convex_move(const scr_convex *body, const pose *place, vec3 *corners, vec3 *normal, double *offset,
                     double *top, scr_convex *moved)
{
    *moved = *body;
    for (int k = 0; k < body->corner_count; k++) corners[k] = pose_point(place, body->corners[k]);
    for (int f = 0; f < body->face_count; f++) {
        normal[f] = pose_vector(place, body->normal[f]);
        double along = v3_dot(normal[f], place->shift);
        offset[f] = body->offset[f] + along;
        top[f] = body->top[f] + along;
    }
    moved->corners = corners, moved->normal = normal, moved->offset = offset, moved->top = top;
    moved->centre = pose_point(place, body->centre);
}

void scr_convex_moved(const scr_convex *body, const pose *place, scr_convex_room *room, scr_convex *moved)
{
    scr_convex_move(body, place, room->corners, room->normal, room->offset, room->top, moved);
}

// the angle by which a way along a, then b turns
static double turning(vec3 a, vec3 b)
{
    return scr_atan2(v3_norm(v3_cross(a, b)), v3_dot(a, b));
}

void scr_convex_share(const scr_convex *body, double *share)
{
    int faces[SCR_MOST_CORNERS] = {0};
    for (int c = 0; c < body->corner_count; c++) share[c] = 0;
    for (int f = 0; f < body->face_count; f++) {
        if (!body->free[f]) continue;
        int from = body->first[f], count = body->first[f + 1] - from;
        for (int k = 0; k < count; k++) {
            int c = body->around[from + k];
            vec3 x = body->corners[c], before = body->corners[body->around[from + (k + count - 1) % count]];
            vec3 after = body->corners[body->around[from + (k + 1) % count]];
            share[c] += turning(v3_sub(x, before), v3_sub(after, x)) / (2 * M_PI);
            faces[c]++;
        }
    }
    for (int c = 0; c < body->corner_count; c++)
        if (faces[c]) share[c] /= faces[c];
}

/* ---- features ---- */

static bool face_has(const scr_convex *body, int face, int corner)
{
    for (int k = body->first[face]; k < body->first[face + 1]; k++)
        if (body->around[k] == corner) return true;
    return false;
}

int scr_convex_faces_at(const scr_convex *body, int feature, int *faces, int most)
{
    int number = scr_feature_number(feature), n = 0;
    switch (scr_feature_kind(feature)) {
    case SCR_FEATURE_FACE: faces[n++] = number; break;
    case SCR_FEATURE_EDGE:
        for (int k = 0; k < 2 && n < most; k++) faces[n++] = body->edges[number].face[k];
        break;
    default:
        for (int f = 0; f < body->face_count && n < most; f++)
            if (face_has(body, f, number)) faces[n++] = f;
    }
    return n;
}

/* ---- nearest point ---- */

// whether a point of the face's plane lies within the face
static bool within(const scr_convex *body, int face, vec3 p)
{
    int from = body->first[face], end = body->first[face + 1];
    for (int k = from; k < end; k++) {
        vec3 a = body->corners[body->around[k]];
        vec3 b = body->corners[body->around[k + 1 < end ? k + 1 : from]];
        if (v3_dot(v3_cross(body->normal[face], v3_sub(b, a)), v3_sub(p, a)) < 0) return false;
    }
    return true;
}

static inline double height(const scr_convex *body, int face, vec3 x)
{
    return v3_dot(body->normal[face], x) - body->offset[face];
}

static void take_face(const scr_convex *body, int face, vec3 x, double h, scr_convex_spot *spot)
{
    spot->distance = h;
    spot->normal = body->normal[face];
    spot->point = v3_axpy(x, -h, spot->normal);
    spot->feature = scr_feature(SCR_FEATURE_FACE, face);
}

// least penetration through a free face
static bool nearest_inside(const scr_convex *body, vec3 x, scr_convex_spot *spot)
{
    double most = -INFINITY;
    for (int f = 0; f < body->face_count; f++) {
        double h = height(body, f, x);
        if (body->free[f] && h > most) most = h, take_face(body, f, x, h, spot);
    }
    return most > -INFINITY;
}

static void nearest_edge(const scr_convex *body, vec3 x, const bool *seen, scr_convex_spot *spot)
{
    double least = INFINITY;
    for (int e = 0; e < body->edge_count; e++) {
        const scr_convex_edge *edge = &body->edges[e];
        if (!seen[edge->face[0]] && !seen[edge->face[1]]) continue;
        vec3 a = body->corners[edge->corner[0]], along = v3_sub(body->corners[edge->corner[1]], a);
        vec3 from = v3_sub(x, a);
        double t = v3_dot(from, along) / v3_dot(along, along);
        int feature = scr_feature(SCR_FEATURE_EDGE, e);
        if (t <= 0) t = 0, feature = scr_feature(SCR_FEATURE_CORNER, edge->corner[0]);
        if (t >= 1) t = 1, feature = scr_feature(SCR_FEATURE_CORNER, edge->corner[1]);
        vec3 away = v3_axpy(from, -t, along);
        double d2 = v3_dot(away, away);
        if (d2 >= least) continue;
        least = d2;
        spot->point = v3_axpy(a, t, along);
        spot->feature = feature;
    }
    spot->distance = sqrt(least);
    spot->normal = scr_convex_normal(body, spot->feature, x);
}

bool scr_convex_nearest(const scr_convex *body, vec3 x, scr_convex_spot *spot)
{
    bool seen[SCR_MOST_FACES], outside = false, found = false;
    for (int f = 0; f < body->face_count; f++) {
        double h = height(body, f, x);
        seen[f] = h > 0;
        outside |= seen[f];
        // a face below x is nearer than all others; of warped ones the nearest
        if (!seen[f] || (found && h >= spot->distance)) continue;
        if (!within(body, f, v3_axpy(x, -h, body->normal[f]))) continue;
        take_face(body, f, x, h, spot), found = true;
    }
    spot->shared = false;
    if (!outside) return nearest_inside(body, x, spot);
    if (!found) nearest_edge(body, x, seen, spot);
    int faces[SCR_MOST_FACES], n = scr_convex_faces_at(body, spot->feature, faces, SCR_MOST_FACES);
    bool any = false;
    for (int k = 0; k < n; k++) any |= body->free[faces[k]], spot->shared |= !body->free[faces[k]];
    return any;
}

vec3 scr_convex_normal(const scr_convex *body, int feature, vec3 x)
{
    int number = scr_feature_number(feature), face = number;
    if (scr_feature_kind(feature) != SCR_FEATURE_FACE) {
        bool is_edge = scr_feature_kind(feature) == SCR_FEATURE_EDGE;
        vec3 a = body->corners[is_edge ? body->edges[number].corner[0] : number];
        vec3 away = v3_sub(x, a);
        if (is_edge) {
            vec3 along = v3_unit(v3_sub(body->corners[body->edges[number].corner[1]], a));
            away = v3_axpy(away, -v3_dot(away, along), along);
        }
        if (v3_dot(away, away) > 0) return v3_unit(away);
        scr_convex_faces_at(body, feature, &face, 1);
    }
    return body->normal[face];
}

/* ---- walls ---- */

// the next place; when all are taken that of the shallowest, if it is shallower
static scr_meeting_point *place_for(scr_meeting_point *points, int *count, double overlap)
{
    if (*count < SCR_MOST_MEETING) return &points[(*count)++];
    scr_meeting_point *worst = points;
    for (int k = 1; k < SCR_MOST_MEETING; k++)
        if (points[k].overlap < worst->overlap) worst = &points[k];
    return worst->overlap < overlap ? worst : NULL;
}

static void corner_contact(const scr_convex *body, int corner, const scr_face *face, double reach,
                           scr_meeting_point *points, int *count)
{
    vec3 x = body->corners[corner];
    scr_near near = scr_face_nearest(face, x);
    double most = INFINITY;
    if (face->kind != SCR_FACE_PLANE && !face->solid) {
        // a sheet has two sides: the body is where its centre is
        most = SHEET * body->radius;
        double side = v3_dot(v3_sub(body->centre, near.point), near.normal);
        if (side < 0) near.distance = -near.distance, near.normal = v3_scale(-1, near.normal);
    }
    if (near.distance >= reach || near.distance < -most) return;
    if (near.feature != SCR_INSIDE) {
        // on the border only what stands straight above it, as where two triangles meet in a plane
        vec3 n = scr_face_normal(face, SCR_INSIDE, x);
        double straight = fabs(v3_dot(n, near.normal));
        if ((1 - straight) * fabs(near.distance) > 1e-12 * body->radius) return;
    }
    scr_meeting_point *p = place_for(points, count, -near.distance);
    if (!p) return;
    *p = (scr_meeting_point){.point = v3_axpy(x, -0.5 * near.distance, near.normal),
                             .normal = near.normal,
                             .overlap = -near.distance,
                             .share = body->share[corner],
                             .feature = {scr_feature(SCR_FEATURE_CORNER, corner), near.feature}};
}

/* Parameters of the points of two lines a + s u, b + t v that are nearest to each other; false when they are
 * parallel. */
static bool lines_meet(vec3 a, vec3 u, vec3 b, vec3 v, double *s, double *t)
{
    double uu = v3_dot(u, u), uv = v3_dot(u, v), vv = v3_dot(v, v), det = uu * vv - uv * uv;
    if (det <= 1e-8 * uu * vv) return false;
    vec3 d = v3_sub(b, a);
    *s = (v3_dot(d, u) * vv - v3_dot(d, v) * uv) / det;
    *t = (v3_dot(d, u) * uv - v3_dot(d, v) * uu) / det;
    return true;
}

static void edge_contact(const scr_convex *body, int e, const scr_face *face, int side, double reach,
                         scr_meeting_point *points, int *count)
{
    const scr_convex_edge *edge = &body->edges[e];
    vec3 corner[3] = {face->point, v3_add(face->point, face->edge[0]), v3_add(face->point, face->edge[1])};
    vec3 a = body->corners[edge->corner[0]], u = v3_sub(body->corners[edge->corner[1]], a);
    vec3 b = corner[side], v = v3_sub(corner[(side + 1) % 3], b);
    double s, t;
    if (!lines_meet(a, u, b, v, &s, &t) || s <= 0 || s >= 1 || t <= 0 || t >= 1) return;
    vec3 at = v3_axpy(b, t, v), n = v3_unit(v3_cross(u, v));
    if (v3_dot(n, v3_sub(body->centre, at)) < 0) n = v3_scale(-1, n);
    double overlap = v3_dot(n, v3_sub(at, v3_axpy(a, s, u)));
    if (overlap <= -reach || overlap > 0.5 * body->radius) return;
    // the triangle lies behind its edge as seen along n, the body before both faces of its own
    vec3 into = v3_sub(corner[(side + 2) % 3], b);
    into = v3_unit(v3_axpy(into, -v3_dot(into, v) / v3_dot(v, v), v));
    vec3 first = v3_cross(body->normal[edge->face[0]], u); // into the face
    vec3 second = v3_cross(u, body->normal[edge->face[1]]);
    if (v3_dot(n, into) > -STICKS_OUT || v3_dot(n, first) < 0 || v3_dot(n, second) < 0) return;
    scr_meeting_point *p = place_for(points, count, overlap);
    if (!p) return;
    *p = (scr_meeting_point){.point = v3_axpy(at, -0.5 * overlap, n),
                             .normal = n,
                             .overlap = overlap,
                             .share = EDGE_SHARE,
                             .feature = {scr_feature(SCR_FEATURE_EDGE, e), SCR_EDGE_AB + side}};
}

int scr_convex_wall(const scr_convex *body, const scr_face *face, unsigned sharp, double reach,
                    scr_meeting_point *points)
{
    int count = 0;
    vec3 normal;
    if (scr_face_distance(face, body->centre, &normal) > body->radius + reach) return 0;
    for (int c = 0; c < body->corner_count; c++)
        if (body->share[c] > 0) corner_contact(body, c, face, reach, points, &count);
    if (face->kind != SCR_FACE_TRIANGLE || !sharp) return count;
    for (int e = 0; e < body->edge_count; e++) {
        const scr_convex_edge *edge = &body->edges[e];
        if (!body->free[edge->face[0]] || !body->free[edge->face[1]]) continue;
        for (int side = 0; side < 3; side++)
            if (sharp >> side & 1) edge_contact(body, e, face, side, reach, points, &count);
    }
    return count;
}
