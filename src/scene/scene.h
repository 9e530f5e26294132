/* A scene as the user wrote it: read, checked for form, and held in definition structs.
 *
 * Reading reports every error at once and needs only the schema; what the numbers mean together
 * (overlaps, time step against contact time) is checked in run/, once the world is built. */
#ifndef SCREE_SCENE_SCENE_H
#define SCREE_SCENE_SCENE_H

#include "base/status.h"
#include "kernel/law.h"
#include "scene/param.h"

/* ---- definition structs: one per section, filled from its table (sections.c) ---- */

/* An item of `values`: a number, or an expression after = */
typedef struct {
    char *text;
} scr_values_def;

typedef enum { SCR_BOUNDARY_STOP, SCR_BOUNDARY_DELETE } scr_boundary;

/* the coefficients hold for contacts of this material unless overridden in `contacts`
 */
typedef struct {
    double density;               /* [kg/m^3] */
    double young, poisson;        /* [Pa], [-]; NAN when not given */
    double restitution, friction; /* NAN when not given */
    double rolling_friction;      /* NAN when not given */
} scr_material_def;

/* Contacts are scr_contact_def of kernel/law.h. The item's name is the pair: `glass/steel`, `glass` (with itself) or
 * `any` (all pairs not named; a named pair takes from `any` what it does not say itself: such a key is still at its
 * fallback and scr_item_has() is false). */

struct scr_item_;
/* An item of a section: which variant it is, and its filled structs. Owned by the scene. */
typedef struct scr_item_ {
    char *name; /* of a named item, else NULL */
    const scr_section *section;
    const scr_variant *variant; /* NULL when the section has none */
    void *def;                  /* section->size bytes */
    void *variant_def;          /* variant->size bytes, NULL when that is 0 */
    void *node;                 /* where it was written: for scr_item_place and scr_item_has */
} scr_item;

typedef struct {
    vec3 box[2];      /* lower and upper corner [m] */
    bool periodic[3]; /* by axis */
    int boundary;     /* scr_boundary: what happens to a grain that leaves through an open side */
    scr_item deform;  /* def NULL: it does not */
} scr_domain_def;

/* By part: xx, yy, zz, xy, xz, yz; NAN when not given. */
typedef struct {
    double part[6];
} scr_tensor_def;
typedef struct {
    scr_item rate, stress;                /* scr_tensor_def [1/s], [Pa]; def NULL: none */
    scr_item signal, stress_signal;       /* def NULL: constant */
    double since, until;                  /* [s]; until NAN: for ever */
    double max_rate, gain, integral_time; /* [1/s], [1/(Pa s)], [s]; NAN: auto, and none */
} scr_deform_def;

/* Keys at the top level. */
typedef struct {
    int64_t version; /* scree: 1 */
    char *title;
    vec3 gravity;             /* [m/s^2] */
    scr_item gravity_signal;  /* def NULL: constant */
    scr_matrix gravity_table; /* rows of t, x, y, z; in place of both */
    int64_t seed;             /* of all random streams */
} scr_head_def;

/* A prescribed motion of a group: the nested section `motion`. */
typedef struct {
    vec3 velocity;                  /* [m/s] */
    scr_item rotation, oscillation; /* def NULL: none */
    double since, until;            /* [s]; until NAN: for ever */
} scr_motion_def;
typedef struct {
    vec3 point, axis; /* [m], of any length */
    double rate;      /* [rad/s] */
} scr_rotation_def;
typedef struct {
    vec3 direction;                     /* of any length */
    double amplitude, frequency, phase; /* [m], [Hz], [rad] */
} scr_oscillation_def;

typedef struct {
    char *material;
    double radius[2];   /* smallest and largest [m], uniform between; NAN when not given */
    double diameter[2]; /* the same by diameter */
    scr_item sizes;     /* a distribution; one of the three, never two; def NULL when not given */
    vec3 velocity;      /* added to what a file says [m/s] */
    vec3 spin;          /* [rad/s] */
    bool frozen;        /* never moves; infinite partner in contacts */
    scr_item motion;    /* scr_motion_def; def NULL: none */
    scr_texts ignores;  /* groups that it does not touch */
    scr_item clump;     /* scr_clump_def: their shape; def NULL: spheres */
} scr_bodies_def;

typedef enum { SCR_ORIENTATION_RANDOM, SCR_ORIENTATION_ALIGNED } scr_orientation;
#define SCR_MOST_CLUMP 64 /* spheres of one clump */
typedef struct {
    scr_matrix spheres; /* x, y, z, radius, in any unit */
    int orientation;    /* scr_orientation */
} scr_clump_def;

typedef struct {
    char *file;
    int64_t type;       /* 0: all */
    char *rows;         /* word in the column group; NULL: all */
    scr_item columns;   /* scr_table_columns_def: names in the file; def NULL: the usual ones */
} scr_bodies_table_def; /* from: table */

/* Columns of a table of grains: what each is called in the file. In the order of scr_table_kinds (csv.c). */
#define SCR_TABLE_COLUMNS 16
typedef struct {
    char *name[SCR_TABLE_COLUMNS];
} scr_table_columns_def;
typedef struct {
    char *file;
    int64_t type;
} scr_bodies_lammps_def; /* from: lammps; the same */

/* sizes: variants by `distribution`; what is drawn is in scene/grading.h */
typedef enum { SCR_WEIGHTED_NUMBER, SCR_WEIGHTED_MASS } scr_weighted;
typedef enum { SCR_SIZE_DIAMETER, SCR_SIZE_RADIUS } scr_size_of;

typedef struct {
    int weighted; /* scr_weighted: what fractions and densities count */
    int of;       /* scr_size_of: what is called size */
} scr_sizes_def;

typedef struct {
    double range[2];
} scr_sizes_uniform_def;
typedef struct {
    double mean, deviation;
    double limits[2];
} scr_sizes_normal_def;
typedef struct {
    double median, sigma; /* sigma: standard deviation of the natural logarithm */
    double limits[2];     /* NAN: three sigma to either side */
} scr_sizes_lognormal_def;
typedef struct {
    double exponent; /* density ~ size^exponent */
    double range[2];
} scr_sizes_power_def;
typedef struct {
    scr_matrix table; /* size, cumulative fraction */
} scr_sizes_table_def;

typedef struct {
    scr_matrix positions; /* x, y, z */
} scr_bodies_positions_def;

typedef enum { SCR_LATTICE_SC, SCR_LATTICE_FCC, SCR_LATTICE_HCP } scr_lattice;

typedef struct {
    int kind;        /* scr_lattice */
    double spacing;  /* between nearest neighbours [m]; NAN: largest diameter */
    double jitter;   /* random shift as a fraction of the gap between neighbours */
    int64_t count;   /* at most this many, from below; 0 = all that fit */
    scr_item region; /* def NULL: the whole domain */
} scr_bodies_lattice_def;

typedef struct {
    int64_t count;   /* 0: use fraction */
    double fraction; /* solid fraction of the region; NAN: use count */
    double gap;      /* least distance between surfaces [m] */
    scr_item region; /* def NULL: the whole domain */
} scr_bodies_random_def;

typedef struct {
    double fraction;  /* solid fraction of the region; NAN: as dense as it jams */
    double tolerance; /* largest overlap over the smaller radius */
    double shrink;    /* radii become smaller by this part of themselves once packed */
    scr_item region;  /* def NULL: the whole domain */
} scr_bodies_packing_def;

typedef struct {
    double rate;      /* [1/s]; NAN: use mass_rate */
    double mass_rate; /* [kg/s]; NAN: use rate */
    double spread;    /* largest random velocity [m/s] */
    double start;     /* [s] */
    double until;     /* [s]; NAN: no end */
    int64_t count;    /* at most; 0: no end */
    double mass;      /* at most [kg]; NAN: no end */
    scr_item region;
} scr_bodies_inlet_def;

typedef struct {
    double start, until; /* [s]; until NAN: no end */
} scr_outlet_def;

/* Which side of its plane an outlet empties; after `above` the six directions of the axes. */
typedef enum { SCR_SIDE_NORMAL, SCR_SIDE_BELOW, SCR_SIDE_ABOVE, SCR_SIDE_AXES } scr_side;

typedef struct {
    vec3 point, normal;
    int side; /* scr_side */
} scr_outlet_plane_def;

typedef struct {
    char *moves_with; /* a wall; NULL: none */
} scr_resolved_def;

/* regions: variants of the nested section `region`, chosen by `shape` */
typedef struct {
    vec3 box[2];
} scr_region_box_def;
typedef struct {
    vec3 from, to;
    double radius_from, radius_to;
} scr_region_frustum_def; /* `cylinder`: equal radii */
typedef struct {
    vec3 center;
    double radius;
} scr_region_sphere_def;

/* Bonds between grains that are near each other at the start; the item's name is free. */
typedef struct {
    scr_texts between, materials; /* one or two names of groups, or of materials; none: all grains */
    double gap;                   /* between surfaces [m]; NAN: 1 % of the smaller radius */
    double young;                 /* [Pa] */
    double poisson;
    double stiffness_ratio;                  /* NAN: from Poisson's ratio, as a beam */
    double radius;                           /* of the bond, as a fraction of the smaller grain's */
    double tensile_strength, shear_strength; /* [Pa]; NAN: never breaks */
    double damping;                          /* fraction of critical */
} scr_bond_def;

typedef struct {
    char *material;
    vec3 velocity;                                            /* the wall moves with it [m/s] */
    vec3 surface_velocity;                                    /* its surface does, and it stays [m/s] */
    scr_item rotation, translation, oscillation, path, servo; /* def NULL: none */
    double since, until;                                      /* [s]; NAN: always */
} scr_wall_def;

typedef struct {
    vec3 point, axis;
    double rate;         /* [rad/s] */
    double since, until; /* [s]; until NAN: for ever */
} scr_wall_rotation_def;
typedef struct {
    vec3 velocity;       /* [m/s] */
    double since, until; /* [s]; until NAN: for ever */
} scr_wall_translation_def;
typedef struct {
    vec3 direction;
    double amplitude, frequency, phase;
    double since, until; /* [s]; until NAN: for ever */
} scr_wall_oscillation_def;
typedef struct {
    char *file;
    scr_matrix table;  /* time, x, y, z */
    scr_matrix angles; /* time, angle */
} scr_wall_path_def;
typedef struct {
    vec3 axis;
    double force, pressure, area;                /* NAN when not given */
    scr_texts between;                           /* walls whose distances make the area: none, two or four */
    double width;                                /* NAN */
    double max_speed, gain, integral_time, ramp; /* gain NAN: auto; integral_time NAN: none */
    scr_item signal;                             /* def NULL: constant */
} scr_wall_servo_def;

typedef struct {
    vec3 point, normal;
} scr_wall_plane_def; /* grains are on the side of the normal */
typedef struct {
    vec3 box[2];
} scr_wall_box_def; /* grains are inside */
typedef struct {
    vec3 from, to;
    double radius;
    bool capped;
    int solid; /* 0: two-sided; 1: all outside is solid; 2: all inside */
} scr_wall_cylinder_def;
typedef struct {
    vec3 from, to;
    double radius_from, radius_to;
    bool capped;
} scr_wall_frustum_def;
typedef struct {
    vec3 center, normal;
    double radius;
} scr_wall_disc_def;
typedef struct {
    vec3 corner, along, across;
    bool solid;
} scr_wall_rectangle_def;
typedef struct {
    vec3 center;
    double radius;
} scr_wall_sphere_def;
typedef struct {
    char *file;
    double scale;
    vec3 rotate, translate;
} scr_wall_mesh_def;

typedef struct {
    scr_texts walls;                /* that it carries */
    double mass;                    /* [kg] */
    vec3 centre, inertia, products; /* [m]; xx yy zz, xy xz yz of the tensor [kg m^2] */
    vec3 velocity, spin;            /* [m/s], [rad/s] */
} scr_part_def;

/* Variants by `type`: ball, hinge, slider, lock, as scr_joint_kind in world/joint.h. */
typedef struct {
    scr_texts between; /* two parts, or a part and "ground" */
    vec3 point;        /* [m] */
    double compliance; /* [m/N], [rad/(N m)] */
} scr_joint_def;
typedef struct {
    vec3 axis;         /* of any length */
    scr_matrix motor;  /* time [s], speed [rad/s, m/s]; no rows: none */
    double strength;   /* [N m, N]; NAN: without bound */
    double limits[2];  /* [rad, m]; NAN: none */
} scr_joint_drive_def; /* hinge and slider */

/* ---- elastic solids and what acts on them (sections_solids.c, sections_loads.c) ---- */

typedef enum { SCR_LINKS_AUTO, SCR_LINKS_CENTRE_LINE, SCR_LINKS_FACE_NORMAL, SCR_LINKS_FITTED } scr_links_normal;
typedef enum { SCR_TORSION_AUTO, SCR_TORSION_PAPER, SCR_TORSION_PLATE, SCR_TORSION_SHELL } scr_torsion;

typedef struct {
    char *material;
    vec3 rotate, translate;   /* of the mesh: [rad] about the origin, [m] */
    vec3 velocity, spin;      /* of the whole at the start; spin about its centre */
    int normal;               /* scr_links_normal */
    int torsion;              /* scr_torsion */
    scr_texts symmetry;       /* sides that are planes of symmetry */
    double tensile_strength;  /* [Pa]; NAN: does not break so */
    double shear_strength;    /* [Pa]; NAN */
    double fracture_energy;   /* [J/m^2]; NAN */
    double damping;           /* [1/s] */
    double stiffness_damping; /* [s] */
} scr_solid_def;

typedef struct {
    vec3 box[2];
    vec3 cells;       /* along each axis; 0: from size */
    double size;      /* of a cell [m]; NAN: from cells */
    double jitter;    /* of inner points, as a fraction of the edge */
    bool periodic[3]; /* by axis: linked across the domain's periodic sides */
} scr_mesh_block_def;
typedef struct {
    vec3 from, to, facing; /* facing NAN: any direction across the axis */
    double radius, inner;
    int64_t across, around, along;
} scr_mesh_cylinder_def; /* `cylinder`, `tube` */
typedef struct {
    vec3 center, axis, facing;
    double radius, thickness, top, bottom; /* thickness NAN: solid; polar angles [rad] */
    int64_t radial, polar, around;
} scr_mesh_sphere_def; /* `sphere`, `shell` */
typedef enum { SCR_MESH_SEEDS_RANDOM, SCR_MESH_SEEDS_GRID, SCR_MESH_SEEDS_GIVEN } scr_mesh_seeds;
typedef struct {
    int64_t cells; /* about that many; 0: from size */
    double size;   /* [m]; NAN: from cells */
    int seeds;     /* scr_mesh_seeds */
    scr_matrix points;
    double jitter;
    int64_t lloyd;
} scr_mesh_seeds_def;
typedef struct {
    scr_mesh_seeds_def by;
    scr_item region;   /* def NULL: planes alone */
    scr_matrix planes; /* rows: normal, offset */
    int64_t facets;    /* of round surfaces; 0: from the size of cells */
    bool periodic[3];
} scr_mesh_voronoi_def;
typedef struct {
    scr_mesh_seeds_def by;
    scr_matrix outline; /* or a disc: */
    vec3 center, axis;  /* of the bottom face; NAN: no disc */
    double radius;
    int64_t facets;
    double thickness;
    int64_t layers;
} scr_mesh_plate_def;
typedef struct {
    char *file;
    double scale;
} scr_mesh_file_def;

typedef struct {
    vec3 point, normal;
} scr_patch_plane_def;
typedef struct {
    scr_texts solids, groups, sides;
    scr_item region, plane; /* def NULL: anywhere */
    vec3 near;              /* the nearest cell alone; NAN: all */
} scr_patch_def;

typedef struct {
    double start, until, duration, frequency, phase; /* until NAN: for ever */
    scr_matrix table;
} scr_signal_def; /* variants by `type`, as scr_signal_kind in world/signal.h */

typedef struct {
    char *patch;
    scr_texts holds; /* x y z rx ry rz all */
    vec3 displacement, rotation, point;
    scr_item signal; /* def NULL: constant */
} scr_support_def;

typedef struct {
    char *patch;
    scr_item signal;
    bool follows;
} scr_load_def; /* variants by `type` */
typedef enum { SCR_SPREAD_AUTO, SCR_SPREAD_AREA, SCR_SPREAD_VOLUME, SCR_SPREAD_EQUAL } scr_spread;
typedef struct {
    vec3 force;
    int spread; /* scr_spread */
    vec3 at;    /* NAN: on all of the patch */
} scr_load_force_def;
typedef struct {
    vec3 torque;
} scr_load_torque_def;
typedef struct {
    vec3 stress;
} scr_load_traction_def;
typedef struct {
    double pressure;
} scr_load_pressure_def;
typedef struct {
    vec3 acceleration;
} scr_load_acceleration_def;

typedef struct {
    vec3 point, normal;
    double width, rate;
} scr_sponge_def;

typedef struct {
    double end;  /* of the stage, from its start [s] */
    char *until; /* NULL: none */
} scr_stage_def;

typedef struct {
    double start, end; /* [s] */
    double step;       /* [s]; NAN: auto */
    bool reverse;
    char *until; /* a condition that ends the run; NULL: none */
} scr_time_def;

typedef struct {
    double every;      /* between frames [s]; NAN: end/100 */
    double checkpoint; /* between checkpoints [s]; NAN: end/10 */
    scr_texts fields;  /* of world/'s field views, by name */
    bool contacts;     /* frames hold the contacts with their forces */
    int precision;     /* scr_output_precision */
    int compress;      /* scr_output_compress */
} scr_output_def;

typedef enum { SCR_OUTPUT_DOUBLE, SCR_OUTPUT_SINGLE } scr_output_precision;
typedef enum { SCR_OUTPUT_PLAIN, SCR_OUTPUT_FAST } scr_output_compress;

/* stepper and observers: variants from step/ and observe/ */
typedef struct {
    double every; /* [s]; NAN: as frames */
} scr_observer_def;

/* ---- the scene ---- */

typedef struct {
    scr_item *items;
    int count;
} scr_items;

typedef struct scr_scene scr_scene;

/* A key to change after reading: "materials.glass.friction" and "0.3". */
typedef struct {
    const char *path, *value;
} scr_setting;

/* Reads a scene file; all errors go to the report. NULL when there was any error. The schema must
 * outlive the scene. */
scr_scene *scr_scene_read(const char *path, const scr_schema *schema, const scr_setting *settings, int setting_count,
                          scree_report *report);
/* The same from text; `path` is the name used in messages and the folder for relative files. */
scr_scene *scr_scene_parse(const char *text, const char *path, const scr_schema *schema, const scr_setting *settings,
                           int setting_count, scree_report *report);
void scr_scene_destroy(scr_scene *scene);

const char *scr_scene_path(const scr_scene *scene);
/* The scene's text with the settings applied, as it is stored in results. */
const char *scr_scene_text(const scr_scene *scene);

/* Items of a section by the section's name (an unnamed section has exactly one, filled with
 * defaults where the scene says nothing; "" is the top level). */
const scr_items *scr_scene_items(const scr_scene *scene, const char *section);
/* The definition struct of an unnamed section. */
const void *scr_scene_def(const scr_scene *scene, const char *section);
/* Item of a named section, or NULL. */
const scr_item *scr_scene_find(const scr_scene *scene, const char *section, const char *name);

/* Fills a section's definition struct with the defaults of its table: what an item that says
 * nothing has. The caller has set `def` to zero, and owns texts in it. */
void scr_section_defaults(const scr_section *section, void *def);

/* Whether the user wrote this key (by name or other spelling) in this item. */
bool scr_item_has(const scr_item *item, const char *key);
/* Where the key's value (or the item itself for key NULL or absent) is written. */
scree_place scr_item_place(const scr_scene *scene, const scr_item *item, const char *key);

/* Stages: how many the scene has, 0 where it lists none; which of them a scene is of; their names. */
int scr_scene_stage_count(const scr_scene *scene);
int scr_scene_stage_number(const scr_scene *scene);
const char *scr_scene_stage_name(const scr_scene *scene, int stage);
int scr_scene_stage_find(const scr_scene *scene, const char *name); /* -1: none */
/* The scene as it is in a stage: with what this one and those before it change. Stage 0 is the scene that was read,
 * which owns the others. */
const scr_scene *scr_scene_stage(const scr_scene *scene, int stage);
/* The last stage, of those up to the scene's own, that changes an item of a section (name "": a key of the top level);
 * 0: none after the first. */
int scr_scene_changed_in(const scr_scene *scene, const char *section, const char *name);

/* A number of the section `values`, in SI; false when there is none of that name. */
bool scr_scene_value(const scr_scene *scene, const char *name, double *value);

/* Whether two scenes read with one schema say the same in a section, whatever their spelling. */
bool scr_scene_same(const scr_scene *a, const scr_scene *b, const char *section);
/* The same for one key of a section that is not named. */
bool scr_scene_same_key(const scr_scene *a, const scr_scene *b, const char *section, const char *key);

/* Path of a file named in the scene: relative ones start at the scene's folder. The caller frees
 * it. */
char *scr_scene_file(const scr_scene *scene, const char *name);

/* Sections that belong to scene/ itself; the schema adds stepper and observers. */
extern const scr_section scr_section_values, scr_section_head, scr_section_domain, scr_section_materials,
    scr_section_contacts, scr_section_bodies, scr_section_bonds, scr_section_motion, scr_section_walls,
    scr_section_time, scr_section_output, scr_section_region, scr_section_sizes, scr_section_clump, scr_section_parts,
    scr_section_joints, scr_section_outlets, scr_section_resolved, scr_section_solids, scr_section_patches,
    scr_section_supports, scr_section_loads, scr_section_sponges, scr_section_signal, scr_section_stages;

#endif
