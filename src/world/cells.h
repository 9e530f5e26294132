/* Elastic solids: rigid polyhedral cells joined by links across their shared faces (Monasse & Mariotti 2012;
 * docs/theory-elastic.md).
 *
 * A cell's state are the displacement u of its centre since the reference state, in which nothing is strained, its
 * velocity v, the turn q since then, and its angular momentum L about the centre, in space. With R = R(q), a point
 * that was at P in the reference state is at
 *
 *   x = X_0 + u + R (P - X_0).                                                                     (1)
 *
 * So a link needs no vectors per body: one triad (n, s, t) of the reference state serves both cells, and with
 * arms r_a, r_b from the centres to the face's centre P,
 *
 *   Du = u_b - u_a + (R_b - 1) r_b - (R_a - 1) r_a                                                 (2)
 *
 * is exact for displacements of any size: a wave of 1e-11 m at a kilometre from the origin has all its digits, and
 * links across periodic sides are no special case.
 *
 * Cells and links are sorted when a mesh is made and never move in memory after that; a cell's number is its
 * identity. Links are sorted by (a, b), a < b, and join cells of one solid. A broken link keeps its row, with its stiff
 * and area set to zero: so loops need not ask. */
#ifndef SCREE_WORLD_CELLS_H
#define SCREE_WORLD_CELLS_H

#include <math.h>

#include "math/quat.h"
#include "shape/polyhedra.h"
#include "world/field.h"

/*        member        type     width unit     flags  doc */
#define SCR_CELL_FIELDS(F)                                                                                          \
    F(displacement, double, 4, "m", SCR_STATE | SCR_DIGEST, "of the centre since the reference state; mass [kg]")   \
    F(velocity, double, 4, "m/s", SCR_STATE | SCR_DIGEST, "of the centre; inverse mass [1/kg]")                     \
    F(momentum, double, 4, "kg m^2/s", SCR_STATE | SCR_DIGEST, "angular momentum about the centre; 0")              \
    F(turn, double, 4, "", SCR_STATE | SCR_DIGEST, "quaternion w, x, y, z: the rotation since the reference state") \
    F(inertia, double, 4, "kg m^2", SCR_STATE, "principal moments of inertia; 0")                                   \
    F(axes, double, 4, "", SCR_STATE, "quaternion: turns x, y, z into the principal axes in the reference")         \
    F(load, double, 8, "N", SCR_STATE,                                                                              \
      "force and torque of links, contacts and loads at the end of the last step: "                                 \
      "x, y, z, 0, x, y, z, 0 [N, N m]; without gravity")                                                           \
    F(home, double, 4, "m", SCR_STATE, "centre in the reference state; volume [m^3]")                               \
    F(pivot, double, 3, "m", SCR_STATE,                                                                             \
      "from the centre to the point whose displacement is that of the body, in the reference")                      \
    F(bulk, double, 2, "m^3", SCR_STATE, "corrected volume Vt; relative change of volume eps [-]")                  \
    F(solid, int32_t, 1, "", SCR_STATE, "index of its solid")                                                       \
    F(fragment, int32_t, 1, "", SCR_STATE, "smallest number of a cell of its connected part")                       \
    F(held, int32_t, 1, "", SCR_STATE,                                                                              \
      "motions that supports hold or prescribe, one bit each: x y z, turns about x y z")

/* Of a link in the reference state. k_t, b_n, b_s, b_t: 2 mu S/D0, and alpha S/D0 for each axis of the triad. */
#define SCR_LINK_FIELDS(F)                                                                              \
    F(cell, int32_t, 2, "", SCR_STATE, "the two cells a < b")                                           \
    F(arm, double, 6, "m", SCR_STATE, "from the centres of a and of b to the face's centre")            \
    F(frame, double, 6, "", SCR_STATE, "unit normal from a to b, and first principal axis of the face") \
    F(stiff, double, 4, "N/m", SCR_STATE, "k_t; b_n, b_s, b_t [N m]")                                   \
    F(area, double, 1, "m^2", SCR_STATE, "of the face")                                                 \
    F(share, double, 4, "", SCR_STATE,                                                                  \
      "t and c: the gap swells a by S (c n + t), b by S ((1 - c) n - t); not of centre lines")          \
    F(face, int32_t, 1, "", SCR_STATE, "number of the face in the mesh")                                \
    F(fate, int32_t, 1, "", SCR_STATE | SCR_DIGEST, "0: holds; 1: broken by tension, 2: by shear, 3: by energy")

/* Cells of shells that are one cell thick: as many rows as cells when some solid is a shell, else none.
 *   kap = sum of (S/2)(Dd.n - Dd.n at the start) / Vk,  energy Kb kap^2/2 per cell */
#define SCR_SHELL_FIELDS(F)                                                                                        \
    F(director, double, 4, "", SCR_STATE, "unit vector through the thickness, in the reference state; Kb [J m^2]") \
    F(bend, double, 2, "m^3", SCR_STATE, "Vk, 1 and Kb 0 for cells of no shell; kap [1/m]")

typedef struct {
    scr_table table; /* table.count cells */
#define F(member, type, width, unit, flags, doc) type *member;
    SCR_CELL_FIELDS(F)
#undef F
    /* In a part of a divided world (comm/share.h) the first `low` and the last `high` cells are those of others. */
    size_t low, high;
} scr_cells;

typedef struct {
    scr_table table;
#define F(member, type, width, unit, flags, doc) type *member;
    SCR_LINK_FIELDS(F)
#undef F
} scr_links;

typedef struct {
    scr_table table;
#define F(member, type, width, unit, flags, doc) type *member;
    SCR_SHELL_FIELDS(F)
#undef F
} scr_shells;

/* Rows behind the last cell and the last link, which loops on vectors read and make nothing of. */
#define SCR_SPARE_ROWS 8

typedef enum { SCR_LINK_HOLDS, SCR_LINK_TENSION, SCR_LINK_SHEAR, SCR_LINK_ENERGY } scr_link_fate;

/* Which n stands in the change of volume: the line of centres (the paper's), the mean of the two turned face normals,
 * or vectors that turn with these and were fitted so that cells see a uniform strain as it is. */
typedef enum { SCR_LINK_CENTRE_LINE, SCR_LINK_FACE_NORMAL, SCR_LINK_FITTED } scr_link_normal;

/* Border faces: free; a plane of symmetry, which is not free and carries no force. */
typedef enum { SCR_BORDER_FREE, SCR_BORDER_SYMMETRY } scr_border;

/* One elastic body: its cells stand together. */
typedef struct {
    char *name;
    int material;                            /* density, young, poisson are there */
    int first_cell, cell_count;              /* of world->cells */
    int normal;                              /* scr_link_normal */
    double thickness;                        /* of a shell one cell thick [m]; 0: a solid, without the shell term */
    double tensile_strength, shear_strength; /* [Pa]; INFINITY: does not break so */
    double fracture_energy;                  /* [J/m^2]; INFINITY */
    double damping;                          /* proportional to mass [1/s] */
    double stiffness_damping;                /* proportional to stiffness [s] */
} scr_solid;

struct scr_world;

void scr_cells_init(scr_cells *cells);
void scr_links_init(scr_links *links);
void scr_shells_init(scr_shells *shells);
/* Frees solids, cells, links, shells, mesh and border. */
void scr_solids_deinit(struct scr_world *world);
/* Of this name; -1: there is none. */
int scr_solid_find(const struct scr_world *world, const char *name);

static inline quat scr_cell_turn(const scr_cells *c, size_t k)
{
    return quat_load(c->turn + 4 * k);
}
static inline vec3 scr_cell_centre(const scr_cells *c, size_t k)
{
    return v3_add(v3_load(c->home + 4 * k), v3_load(c->displacement + 4 * k));
}
/* In the reference state. */
static inline vec3 scr_cell_pivot(const scr_cells *c, size_t k)
{
    return v3_add(v3_load(c->home + 4 * k), v3_load(c->pivot + 3 * k));
}
static inline double scr_cell_mass(const scr_cells *c, size_t k)
{
    return c->displacement[4 * k + 3];
}
static inline double scr_cell_volume(const scr_cells *c, size_t k)
{
    return c->home[4 * k + 3];
}
/* From the pivot of a link's first or second cell to the plane of its face. */
static inline double scr_link_height(const scr_cells *c, const scr_links *l, size_t link, int side)
{
    vec3 arm = v3_load(l->arm + 6 * link + 3 * (size_t)side);
    vec3 pivot = v3_load(c->pivot + 3 * (size_t)l->cell[2 * link + (size_t)side]);
    return fabs(v3_dot(v3_load(l->frame + 6 * link), v3_sub(arm, pivot)));
}
/* (R - 1) r, without loss of digits where the turn is small. */
static inline vec3 scr_turn_less_one(quat q, vec3 r)
{
    vec3 u = v3(q.x, q.y, q.z), t = v3_scale(2, v3_cross(u, r));
    return v3_add(v3_scale(q.w, t), v3_cross(u, t));
}
/* (1): how far a point of the reference state has moved, as part of this cell. */
static inline vec3 scr_cell_point_displacement(const scr_cells *c, size_t k, vec3 p)
{
    vec3 arm = v3_sub(p, v3_load(c->home + 4 * k));
    return v3_add(v3_load(c->displacement + 4 * k), scr_turn_less_one(scr_cell_turn(c, k), arm));
}
/* `fragment` of all cells anew, from the links that hold. */
void scr_cells_label(struct scr_world *world);

/* Of points that are offered in turn, the nearest to one: start with scr_nearest_to. Of points equally far, the
 * first. */
typedef struct {
    vec3 to;
    double least; /* [m] */
    size_t best;  /* SIZE_MAX: none was offered */
} scr_nearest_point;
static inline scr_nearest_point scr_nearest_to(vec3 x)
{
    return (scr_nearest_point){x, INFINITY, SIZE_MAX};
}
static inline void scr_nearest_point_offer(scr_nearest_point *n, size_t number, vec3 x)
{
    double far = v3_norm(v3_sub(x, n->to));
    if (far < n->least * (1 - 1e-12)) n->least = far, n->best = number;
}

/* Angular velocity [rad/s]. */
vec3 scr_cell_spin(const scr_cells *c, size_t k);
void scr_cell_set_spin(scr_cells *c, size_t k, vec3 spin);

/* Energies of one cell [J]; that of gravity is -m g.x. */
double scr_cell_translation(const scr_cells *c, size_t k);
double scr_cell_rotation(const scr_cells *c, size_t k);
double scr_cell_potential(const struct scr_world *world, size_t k);

/* lambda and 2 mu of a material [Pa]. */
static inline double scr_lame_lambda(double young, double poisson)
{
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson));
}
static inline double scr_lame_twice_mu(double young, double poisson)
{
    return young / (1 + poisson);
}
/* Of a cell, from the material of its solid. */
double scr_cell_lambda(const struct scr_world *world, size_t k);

#endif
