/* Two polyhedra by separating axes: along each the overlap is that of the shadows of all corners. So it is a continuous
 * function of where the two are, and right for the hulls of their corners, also where faces are a little warped.
 *
 * Where a face lies flat on another, axes of edges need not be looked at. Let n be the normal of the face that is met,
 * P the overlap along it, p_j the corners of what its sides leave of the other face, d_j their depths below it. The
 * points q_j = p_j + d_j n of the one face are points of its body, as are p_j of the other, so along a unit vector a at
 * an angle t to n, with h the direction of its part across n,
 *
 *   apart(a) <= a.(p_j - q_k) = -d_j cos t + h.(p_j - p_k) sin t      for any j and k.                           (1)
 *
 * j = k of the largest depth D gives -D cos t; the two corners farthest apart along h give |d| - W sin t, where W, the
 * least width of what is left, is at least its area over its diameter. With B = (1 - PREFER) P and cos t_0 = B/D, the
 * first is at most -B where t <= t_0. Axes point from the one centre to the other: where n does so too, by more than
 * sin t_0 of their distance, all others have sin t >= sin t_0. So if W sin t_0 >= |d| + B, no axis of edges is better
 * than the face by the part that it must be, and none parts the two. */
#include "math/angles.h"
#include "shape/convex.h"

#define EDGE_SHARE 0.25      /* of a contact of edges: that of one corner of a quadrilateral */
#define PREFER     0.1       /* edges and faces of the second must be less deep by this part of the overlap */
#define DEEP       0.3       /* of the smaller radius */
#define FLAT       0.95      /* cosine of the angle between faces whose edge does not stick out */
#define SAME       1e-9      /* and by this part of the size */
#define MOST_CLIP  128       /* corners of a clipped face */
#define CLIP_EDGE  128       /* from here on numbers of edges that are sides of the clipping face */
#define EDGES_MEET (1 << 30) /* in a feature: of two edges */

/* The best axis so far: the one along which they are farthest apart, or overlap least. */
typedef struct {
    double apart;
    int first, second; /* face of its body; or an edge of each */
} axis;

/* ---- axes ---- */

static double lowest(const scr_convex *body, vec3 n)
{
    double least = v3_dot(n, body->corners[0]);
    for (int c = 1; c < body->corner_count; c++) {
        double along = v3_dot(n, body->corners[c]);
        least = along < least ? along : least;
    }
    return least;
}

static double highest(const scr_convex *body, vec3 n)
{
    double most = v3_dot(n, body->corners[0]);
    for (int c = 1; c < body->corner_count; c++) {
        double along = v3_dot(n, body->corners[c]);
        most = along > most ? along : most;
    }
    return most;
}

// how far apart they are along a face of `a`, at most: the middle of `b` lies behind its lowest corner
static double most_apart(const scr_convex *a, int face, const scr_convex *b)
{
    return v3_dot(a->normal[face], b->centre) - a->top[face];
}

// the overlap along the face of `a` that looks most towards `b`: others that cannot be better need no look
static double first_guess(const scr_convex *a, const scr_convex *b, double most[SCR_MOST_FACES])
{
    int best = -1;
    for (int f = 0; f < a->face_count; f++) {
        most[f] = most_apart(a, f, b);
        if (a->free[f] && (best < 0 || most[f] > most[best])) best = f;
    }
    double slack = SAME * (a->radius + b->radius);
    return best < 0 ? -INFINITY : lowest(b, a->normal[best]) - a->top[best] - slack;
}

// false when a face of `a` parts them by more than `reach`; `glued`: the best of the axes of glued faces, if it is
// better than those of free ones
static bool face_axes(const scr_convex *a, const scr_convex *b, double reach, axis *best, double *glued)
{
    double most[SCR_MOST_FACES], least = first_guess(a, b, most);
    *best = (axis){-INFINITY, -1, -1};
    for (int f = 0; f < a->face_count; f++) {
        if (most[f] < least) continue;
        double apart = lowest(b, a->normal[f]) - a->top[f];
        if (apart >= reach) return false;
        if (!a->free[f]) *glued = apart > *glued ? apart : *glued;
        if (a->free[f] && apart > best->apart) *best = (axis){apart, f, -1};
    }
    return true;
}

static bool is_free(const scr_convex *body, const scr_convex_edge *e)
{
    return body->free[e->face[0]] && body->free[e->face[1]];
}

// an edge that is not nearly flat: there the faces tell the same
static bool sticks_out(const scr_convex *body, const scr_convex_edge *e)
{
    return v3_dot(body->normal[e->face[0]], body->normal[e->face[1]]) < FLAT;
}

static vec3 along(const scr_convex *body, const scr_convex_edge *e)
{
    return v3_sub(body->corners[e->corner[1]], body->corners[e->corner[0]]);
}

// whether the faces of an edge both look to the same side of a plane with this normal: no direction between theirs is
// in the plane
static bool same_side(const scr_convex *body, const scr_convex_edge *e, vec3 normal)
{
    if (e->face[0] == e->face[1]) return false;
    return v3_dot(body->normal[e->face[0]], normal) * v3_dot(body->normal[e->face[1]], normal) > 0;
}

/* Sides of faces of `b` as seen along edges of `a`, one edge after the other: most pairs of edges go by these. */
typedef struct {
    bool ahead[SCR_MOST_FACES];
} face_sides;

static void look_along(const scr_convex *body, vec3 direction, face_sides *sides)
{
    for (int f = 0; f < body->face_count; f++) sides->ahead[f] = v3_dot(body->normal[f], direction) > 0;
}

// the top of `a` and the bottom of `b` along an axis; false where these edges are not what meets along it
static bool edges_meet(const scr_convex *a, const scr_convex_edge *ea, const scr_convex *b, const scr_convex_edge *eb,
                       vec3 n, double *top, double *bottom)
{
    double of_a = v3_dot(n, a->corners[ea->corner[0]]), of_b = v3_dot(n, b->corners[eb->corner[0]]);
    *top = of_a, *bottom = of_b;
    // arcs that cross have their axis in the middle of both, or opposite to it
    if (a->flat && b->flat)
        return v3_dot(n, v3_add(a->normal[ea->face[0]], a->normal[ea->face[1]])) > 0 &&
               v3_dot(n, v3_add(b->normal[eb->face[0]], b->normal[eb->face[1]])) < 0;
    double slack = SAME * (a->radius + b->radius);
    *top = highest(a, n), *bottom = lowest(b, n);
    return *top - of_a <= slack && of_b - *bottom <= slack;
}

// what two edges tell: false when their axis parts the bodies
static bool edge_axis(const scr_convex *a, int i, vec3 u, const scr_convex *b, int j, double reach, axis *best,
                      double *glued)
{
    const scr_convex_edge *ea = &a->edges[i], *eb = &b->edges[j];
    vec3 v = along(b, eb), n = v3_cross(u, v);
    double n2 = v3_dot(n, n), top, bottom;
    if (n2 < 1e-6 * v3_dot(u, u) * v3_dot(v, v)) return true;
    n = v3_scale((v3_dot(n, v3_sub(b->centre, a->centre)) < 0 ? -1 : 1) / sqrt(n2), n);
    bool meet = edges_meet(a, ea, b, eb, n, &top, &bottom);
    double apart = bottom - top;
    if (apart >= reach && (meet || !(a->flat && b->flat))) return false;
    if (!meet) return true;
    if (!is_free(a, ea) || !is_free(b, eb))
        *glued = apart > *glued ? apart : *glued;
    else if (apart > best->apart && sticks_out(a, ea) && sticks_out(b, eb))
        *best = (axis){apart, i, j};
    return true;
}

static bool edge_axes(const scr_convex *a, const scr_convex *b, double reach, axis *best, double *glued)
{
    *best = (axis){-INFINITY, -1, -1};
    bool flat = a->flat && b->flat;
    face_sides of_b;
    for (int i = 0; i < a->edge_count; i++) {
        const scr_convex_edge *ea = &a->edges[i];
        vec3 u = along(a, ea);
        if (flat) look_along(b, u, &of_b);
        for (int j = 0; j < b->edge_count; j++) {
            const scr_convex_edge *eb = &b->edges[j];
            if (flat && of_b.ahead[eb->face[0]] == of_b.ahead[eb->face[1]] && eb->face[0] != eb->face[1]) continue;
            if (flat && same_side(a, ea, along(b, eb))) continue;
            if (!edge_axis(a, i, u, b, j, reach, best, glued)) return false;
        }
    }
    return true;
}

/* ---- edge against edge ---- */

static int meet_edges(const scr_convex *a, const scr_convex *b, axis found, scr_meeting_point *point)
{
    const scr_convex_edge *ea = &a->edges[found.first], *eb = &b->edges[found.second];
    vec3 p = a->corners[ea->corner[0]], u = v3_sub(a->corners[ea->corner[1]], p);
    vec3 q = b->corners[eb->corner[0]], v = v3_sub(b->corners[eb->corner[1]], q);
    double uu = v3_dot(u, u), uv = v3_dot(u, v), vv = v3_dot(v, v), det = uu * vv - uv * uv;
    vec3 d = v3_sub(q, p), n = v3_unit(v3_cross(u, v));
    if (v3_dot(n, v3_sub(b->centre, a->centre)) > 0) n = v3_scale(-1, n); // towards the first
    double s = (v3_dot(d, u) * vv - v3_dot(d, v) * uv) / det;
    double t = (v3_dot(d, u) * uv - v3_dot(d, v) * uu) / det;
    vec3 middle = v3_scale(0.5, v3_add(v3_axpy(p, s, u), v3_axpy(q, t, v)));
    *point = (scr_meeting_point){.point = middle,
                                 .normal = n,
                                 .overlap = -found.apart,
                                 .share = EDGE_SHARE,
                                 .feature = {EDGES_MEET | found.first, EDGES_MEET | found.second}};
    return 1;
}

/* ---- face against face ---- */

/* A corner of what is left of a face, and the edge that leaves it. */
typedef struct {
    vec3 x;
    int edge;
} clip_corner;

typedef struct {
    clip_corner corner[MOST_CLIP];
    int count;
} clip;

static void clip_of(const scr_convex *body, int face, clip *c)
{
    c->count = body->first[face + 1] - body->first[face];
    for (int k = 0; k < c->count; k++)
        c->corner[k] = (clip_corner){body->corners[body->around[body->first[face] + k]], k};
}

// what is not beyond a plane
static void cut(const clip *c, vec3 normal, double offset, int edge, clip *out)
{
    out->count = 0;
    double hq = c->count ? v3_dot(normal, c->corner[0].x) - offset : 0, first = hq;
    for (int k = 0; k < c->count && out->count + 2 <= MOST_CLIP; k++) {
        bool last = k + 1 == c->count;
        const clip_corner *p = &c->corner[k], *q = &c->corner[last ? 0 : k + 1];
        double hp = hq;
        hq = last ? first : v3_dot(normal, q->x) - offset;
        if (hp <= 0) out->corner[out->count++] = *p;
        if ((hp <= 0) == (hq <= 0)) continue;
        vec3 x = v3_axpy(p->x, hp / (hp - hq), v3_sub(q->x, p->x));
        // going out, the next edge is the plane's; coming in, the one that was cut
        out->corner[out->count++] = (clip_corner){x, hp <= 0 ? edge : p->edge};
    }
}

static double area_of(const vec3 *x, int count, vec3 normal)
{
    vec3 sum = {0, 0, 0};
    for (int k = 1; k + 1 < count; k++) sum = v3_add(sum, v3_cross(v3_sub(x[k], x[0]), v3_sub(x[k + 1], x[0])));
    return 0.5 * fabs(v3_dot(sum, normal));
}

static double face_area(const scr_convex *body, int face)
{
    vec3 x[SCR_MOST_CORNERS];
    int n = 0;
    for (int k = body->first[face]; k < body->first[face + 1]; k++) x[n++] = body->corners[body->around[k]];
    return area_of(x, n, body->normal[face]);
}

// the free face of the other that looks most against the normal; -1: there is none
static int opposite(const scr_convex *body, vec3 normal)
{
    int best = -1;
    double least = 0;
    for (int f = 0; f < body->face_count; f++) {
        double along = v3_dot(body->normal[f], normal);
        if (body->free[f] && along < least) least = along, best = f;
    }
    return best;
}

static void keep_deepest(scr_meeting_point *points, int *count, const scr_meeting_point *p)
{
    if (*count < SCR_MOST_MEETING) {
        points[(*count)++] = *p;
        return;
    }
    int worst = 0;
    for (int k = 1; k < SCR_MOST_MEETING; k++)
        if (points[k].overlap < points[worst].overlap) worst = k;
    if (points[worst].overlap < p->overlap) points[worst] = *p;
}

// the angles by which the way around a polygon turns at its corners
static void find_turns(const vec3 *x, int count, double *turn)
{
    double across[MOST_CLIP], along[MOST_CLIP];
    for (int k = 0; k < count; k++) {
        vec3 u = v3_sub(x[k], x[k ? k - 1 : count - 1]), v = v3_sub(x[k + 1 < count ? k + 1 : 0], x[k]);
        across[k] = v3_norm(v3_cross(u, v)), along[k] = v3_dot(u, v);
    }
    scr_atan2_many(across, along, count, turn);
}

static double diameter_of(const vec3 *x, int count)
{
    double most2 = 0;
    for (int j = 0; j < count; j++)
        for (int k = 0; k < j; k++) {
            vec3 d = v3_sub(x[j], x[k]);
            most2 = fmax(most2, v3_dot(d, d));
        }
    return sqrt(most2);
}

/* What is left of a face, as seen along the normal of the one that it lies on. */
typedef struct {
    double area, diameter;
    double deepest, farthest; /* the largest depth, the largest |depth| */
} patch;

// `base` has the face, `other` the one that is clipped by its sides; `swapped`: base is the second body
static int meet_faces(const scr_convex *base, int face, const scr_convex *other, bool swapped, double reach,
                      scr_meeting_point *points, patch *left)
{
    *left = (patch){0, 0, -INFINITY, 0};
    vec3 n = base->normal[face], flat[MOST_CLIP];
    double top = base->top[face];
    int against = opposite(other, n), count = 0;
    if (against < 0) return 0;
    clip parts[2], *c = &parts[0], *next = &parts[1];
    clip_of(other, against, c);
    int from = base->first[face], sides = base->first[face + 1] - from;
    for (int k = 0; k < sides; k++) {
        vec3 a = base->corners[base->around[from + k]];
        vec3 b = base->corners[base->around[from + (k + 1) % sides]];
        vec3 out = v3_cross(v3_sub(b, a), n);
        cut(c, out, v3_dot(out, a), CLIP_EDGE + k, next);
        clip *swap = c;
        c = next, next = swap;
    }
    if (c->count == 0) return 0;
    // the shares, by what is seen along the normal
    for (int k = 0; k < c->count; k++) flat[k] = v3_axpy(c->corner[k].x, -v3_dot(n, c->corner[k].x), n);
    double whole = fmin(face_area(base, face), face_area(other, against));
    left->area = area_of(flat, c->count, n), left->diameter = diameter_of(flat, c->count);
    double covered = left->area / whole / (2 * M_PI), turn[MOST_CLIP];
    find_turns(flat, c->count, turn);
    for (int k = 0; k < c->count; k++) {
        const clip_corner *p = &c->corner[k], *before = &c->corner[k ? k - 1 : c->count - 1];
        double depth = top - v3_dot(n, p->x);
        left->deepest = fmax(left->deepest, depth), left->farthest = fmax(left->farthest, fabs(depth));
        if (depth <= -reach || !(covered * turn[k] > 0)) continue;
        int of_base = face << 8 | before->edge, of_other = against << 8 | p->edge;
        scr_meeting_point point = {.point = v3_axpy(p->x, 0.5 * depth, n),
                                   .normal = swapped ? n : v3_scale(-1, n),
                                   .overlap = depth,
                                   .share = covered * turn[k],
                                   .feature = {of_base, of_other}};
        if (swapped) point.feature[0] = of_other, point.feature[1] = of_base;
        keep_deepest(points, &count, &point);
    }
    return count;
}

// whether an axis is clearly better than another
static bool beats(axis a, axis b, double size)
{
    if (a.first < 0 || b.first < 0) return a.first >= 0;
    return a.apart > b.apart + PREFER * fabs(b.apart) + SAME * size;
}

bool scr_convex_parted(const scr_convex *a, const scr_convex *b, double reach, int face)
{
    const scr_convex *has = face < SCR_MOST_FACES ? a : b, *other = face < SCR_MOST_FACES ? b : a;
    int number = face % SCR_MOST_FACES;
    return face >= 0 && number < has->face_count && lowest(other, has->normal[number]) - has->top[number] >= reach;
}

int scr_convex_parting(const scr_convex *a, const scr_convex *b, double reach)
{
    for (int side = 0; side < 2; side++) {
        const scr_convex *has = side ? b : a, *other = side ? a : b;
        for (int f = 0; f < has->face_count; f++)
            if (lowest(other, has->normal[f]) - has->top[f] >= reach) return side * SCR_MOST_FACES + f;
    }
    return -1;
}

// (1): whether no axis of edges can say otherwise than this face
static bool lies_flat(const scr_convex *base, axis face, const scr_convex *other, const patch *left)
{
    vec3 between = v3_sub(other->centre, base->centre), n = base->normal[face.first];
    double radius = fmin(base->radius, other->radius), towards = v3_dot(between, n);
    double bound = -(1 - PREFER) * face.apart, cosine = bound / left->deepest, sine2 = 1 - cosine * cosine;
    if (!base->flat || !other->flat || !(bound > 0 && -face.apart < DEEP * radius)) return false;
    if (!(cosine < 1 && towards > 0 && towards * towards > sine2 * v3_dot(between, between))) return false;
    double width = left->area / left->diameter, needed = left->farthest + bound;
    return sine2 * width * width > needed * needed;
}

// whether the points of a face reach as deep as its axis says: what the sides cut off is where edges cross
static bool is_deep(axis face, const scr_meeting_point *points, int count, double size)
{
    double deepest = -INFINITY;
    for (int k = 0; k < count; k++) deepest = fmax(deepest, points[k].overlap);
    return count > 0 && deepest >= -face.apart - 2 * PREFER * fabs(face.apart) - SAME * size;
}

int scr_convex_convex(const scr_convex *a, const scr_convex *b, double reach, scr_meeting_point *points)
{
    axis of_a, of_b, of_edges;
    double near = a->radius + b->radius + reach;
    vec3 d = v3_sub(a->centre, b->centre);
    if (v3_dot(d, d) >= near * near) return 0;
    double glued = -INFINITY;
    if (!face_axes(a, b, reach, &of_a, &glued) || !face_axes(b, a, reach, &of_b, &glued)) return 0;
    bool swapped = beats(of_b, of_a, a->radius);
    axis face = swapped ? of_b : of_a;
    const scr_convex *base = swapped ? b : a, *other = swapped ? a : b;
    int count = 0;
    patch left;
    if (face.first >= 0) count = meet_faces(base, face.first, other, swapped, reach, points, &left);
    bool deep = is_deep(face, points, count, a->radius);
    if (deep && lies_flat(base, face, other, &left)) return count;
    if (!edge_axes(a, b, reach, &of_edges, &glued)) return 0;
    // so deep behind a free face, and nearer to a glued one: they overlap within their bodies, not here
    double best = fmax(fmax(of_a.apart, of_b.apart), of_edges.apart);
    if (best < glued && best < -DEEP * fmin(a->radius, b->radius)) return 0;
    bool edges = face.first < 0 || beats(of_edges, face, a->radius);
    if (deep && !edges) return count;
    bool crossed = of_edges.first >= 0 && (face.first < 0 || of_edges.apart > 1.5 * face.apart);
    if (crossed) return meet_edges(a, b, of_edges, points);
    return edges ? 0 : count;
}
