/* Pictures of grains, solids and walls: a small ray-caster that writes PNG.
 *
 * Grains are spheres in the colour of a scalar or in one plain tone; walls are glass with bright
 * rims, floors receive shadows and fade into the background. One soft sun, a sky that crevices hide
 * from (ambient occlusion), a legend and a title. The same bytes come out for every number of
 * threads. */
#ifndef SCREE_SHOW_PICTURE_H
#define SCREE_SHOW_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "math/vec3.h"
#include "shape/face_tree.h"

/* All arrays stay the caller's. A sphere whose position or radius is not finite, or whose radius is
 * not positive, is not drawn; one whose value is not finite is grey. */
typedef struct {
    const double *position; /* 3 per sphere [m] */
    const double *radius;   /* [m] */
    const double *value;    /* what colours the spheres; NULL: all in `grain` */
    size_t count;
} scr_picture_spheres;

/* Opaque flat polygons with thin edges: the surfaces of elastic solids. One with a corner that is not finite is not
 * drawn. */
typedef struct {
    const double *points;    /* 3 each [m] */
    const uint32_t *first;   /* count + 1: where the corners of each begin */
    const uint32_t *corners; /* points, around the polygon */
    const bool *cracked;     /* of each corner: the edge from it to the next is a crack, drawn bold; NULL: none */
    const double *value;     /* of each polygon; NULL: all in one tone */
    size_t count;
} scr_picture_polygons;

/* Round rods: forces between grains, bonds. One that is not finite or has no radius is not drawn. */
typedef struct {
    const double *ends;   /* 6 each: from, to [m] */
    const double *radius; /* [m] */
    const double *value;  /* of each; NULL: all in `rod` */
    size_t count;
} scr_picture_rods;

typedef enum {
    SCR_PICTURE_PLANE,   /* through a, facing `normal`: a fading floor when it faces up, else
                              glass within the domain (not drawn without one) */
    SCR_PICTURE_BOX,     /* corners a and b: edges, glass sides, and the bottom as floor */
    SCR_PICTURE_FRUSTUM, /* open tube from a to b with radius[0] at a, radius[1] at b; cylinder:
                            equal */
    SCR_PICTURE_RING,    /* flat, around a, facing `normal`, radius[0] inner, radius[1] outer; disc: 0,
                         R */
    SCR_PICTURE_SPHERE,  /* of radius[0] around a */
    SCR_PICTURE_MESH,    /* triangles: faces in the tree; a and b are the corners of their box */
} scr_picture_wall_kind;

/* A wall with numbers that are not finite or sizes that are zero is not drawn. A frustum whose ends
 * coincide is drawn as a ring if it has a normal. */
typedef struct {
    scr_picture_wall_kind kind;
    vec3 a, b;
    vec3 normal;
    double radius[2];
    const scr_face *faces; /* of a mesh; not owned */
    const scr_face_tree *tree;
    const double *edges; /* of a mesh, lines to be drawn: 6 each, from, to [m]; NULL: none */
    size_t edge_count;
    /* set when the picture is made: where the mesh's own coordinates lie in it */
    vec3 center;
    double scale;
} scr_picture_wall;

typedef struct {
    int width, height;   /* [pixels], 16 to 16384; default 1600 x 1000 */
    int antialias;       /* rays per pixel and side, 1 to 8; default 3: nine rays per pixel */
    int ambient_samples; /* sky rays per body seen in a pixel, 0 to 64 (0: plain sky light); default 2 */
    bool shadows;        /* default true */
    int threads;         /* 0: as OpenMP says */

    /* The camera. Automatic (default): looks from `azimuth` and `elevation` at all grains and
     * finite walls, which fill what the texts leave free. With `turns`, from as far away as is needed to see all of it
     * from each of those directions. Else from `eye` to `target`, in the middle of the picture. */
    bool auto_camera;
    double azimuth;           /* of the eye seen from the scene, from x towards y, around `up` [deg]; -60 */
    double elevation;         /* of the eye above the horizon [deg]; 18 */
    const double (*turns)[2]; /* azimuth and elevation [deg] each; NULL: none */
    int turn_count;
    vec3 focus;       /* what lies in the middle of the view [m]; NAN: so that it is filled */
    vec3 eye, target; /* [m] */
    vec3 up;          /* default +z */
    double fov;       /* vertical angle of view [deg], 1 to 150; default 26 */
    double zoom;      /* enlarges the finished view; default 1 */
    double light;     /* azimuth of the camera that the sun goes with [deg]; NAN: this one */

    /* Colours, 0xrrggbb in sRGB. */
    const char *colour_map;      /* viridis (default), magma, coolwarm, turbo, grey */
    double value_min, value_max; /* ends of the map; NAN: from the values, leaving out the outermost
                                    0.5 % at each end (the legend then has pointed ends) */
    int beyond;                  /* bit 0: values lie below the map's ends, bit 1: above; -1 (default): as they do */
    uint32_t grain;              /* without values; each grain a little lighter or darker */
    uint32_t solid;              /* polygons without values */
    uint32_t rod;                /* rods without values */
    bool categories;             /* values are whole numbers that stand for things: each has a colour of its own */
    const char *const *category; /* what 0, 1, ... stand for, for the legend; NULL: there is none */
    int category_count;
    uint32_t background[2]; /* at the top and at the bottom; texts choose ink to match */

    /* Texts in UTF-8, NULL for none. */
    const char *title;        /* top left */
    const char *subtitle;     /* below it, for example the time */
    const char *legend_title; /* above the colour bar, for example speed */
    const char *legend_unit;  /* for example m/s; shown in brackets */
    bool legend;              /* default true: a colour bar when there are values */
    bool domain;              /* draw the edges of the domain; default false */
} scr_picture_def;

scr_picture_def scr_picture_def_default(void);

typedef struct scr_picture_hull scr_picture_hull;

/* Everything a picture shows. box: lower and upper corner of the domain, which cuts side walls and
 * keeps far strays from shrinking the view; both corners equal when there is none. hull: the view is made for this
 * (picture_hull.h) rather than for the content itself; NULL or empty: for the content. */
typedef struct {
    scr_picture_spheres spheres;
    scr_picture_polygons polygons;
    scr_picture_rods rods;
    const scr_picture_wall *walls;
    int wall_count;
    vec3 box[2];
    const scr_picture_hull *hull;
} scr_picture_content;

/* Draws into rgb, which has room for 3 * width * height bytes; rows from the top. */
scree_status scr_picture_draw(const scr_picture_def *def, const scr_picture_content *content, uint8_t *rgb,
                              scree_report *report);

/* Draws and writes a PNG. The file is written beside `path` and renamed when it is whole; on
 * failure there is a message and no new file. */
scree_status scr_picture_write(const scr_picture_def *def, const scr_picture_content *content, const char *path,
                               scree_report *report);

#endif
