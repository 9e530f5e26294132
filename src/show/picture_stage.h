/* What the parts of the picture maker share: the scene scaled to about unit size, its camera and
 * its lights.
 *
 * Stage coordinates: s = scale (p - center), so that what is shown lies in a ball of about unit
 * radius around the origin whatever the scene's size and place; bodies there are safe in single
 * precision. */
#ifndef SCREE_SHOW_PICTURE_STAGE_H
#define SCREE_SHOW_PICTURE_STAGE_H

#include "show/colour.h"
#include "show/font.h"
#include "show/picture.h"
#include "show/ray.h"

#define SCR_COLOUR_STEPS 1024
#define SCR_RAYS_MAX     64 /* per pixel: antialias 8 */
#define SCR_AMBIENT_MAX  64
#define SCR_TURNS        16 /* the pattern of light is dealt out to so many pixels */
#define SCR_SPOTS        4  /* points of a patch from which its light is looked for */
#define SCR_PATCHES      8  /* per pixel */

/* ids of bodies: spheres, then polygons, then rods that are lit; rims and edges of walls have one for all */
#define SCR_RIM   UINT32_MAX
#define SCR_CRACK 0x80000000u /* added to the id of a triangle: its edge is a crack */
#define SCR_FLOOR 0xffff0000u /* and the wall's number: a patch of floor */

/* Pixel (px, py), from the top left, looks along forward + pixel ((px - cx) right - (py - cy) up).
 */
typedef struct {
    vec3 eye;
    vec3 forward, right, up; /* unit */
    double pixel;            /* size of a pixel at distance 1 */
    double cx, cy;           /* where `forward` lies in the picture [pixels] */
} scr_camera;

/* Part of the picture that texts leave free [pixels]. */
typedef struct {
    double left, top, right, bottom;
} scr_frame;

typedef struct {
    const scr_picture_def *def;
    const scr_picture_content *content;

    vec3 center;
    double scale;
    vec3 up;
    vec3 box[2]; /* the domain */
    bool has_box;
    vec3 view[2]; /* the part of the domain around grains and finite walls: side planes end there */

    scr_picture_wall *walls; /* those that can be drawn; unit normals, a box's a below its b */
    int wall_count;
    /* drawable spheres, triangles of polygons, rods, then rims; given back once the tree is built */
    scr_ray_body *bodies;
    size_t body_count;
    scr_ray_tree tree; /* of all of them */

    scr_camera camera;
    scr_frame frame;
    vec3 sun; /* unit vector towards the light */
    /* directions towards points of the sun, and towards the sky around z as normal */
    vec3 sun_way[SCR_TURNS][SCR_SPOTS];
    vec3 sky_way[SCR_TURNS][SCR_AMBIENT_MAX];
    double grid;                  /* spacing of lines on a floor */
    double floor_near, floor_far; /* where a plane's floor begins to fade and ends, from the origin */

    bool coloured;     /* there are values */
    bool show_legend;  /* and they are explained */
    double low, high;  /* ends of the colour map */
    bool below, above; /* values lie beyond the ends */
    vec3 colours[SCR_COLOUR_STEPS];
    vec3 grain, solid, rod, background[2]; /* linear */
    bool dark;                             /* the background is */
} scr_stage;

/* Scales and sorts the content, sets the camera, builds the trees. Deinit in any case. */
scree_status scr_stage_init(scr_stage *stage, const scr_picture_def *def, const scr_picture_content *content,
                            scree_report *report);
void scr_stage_deinit(scr_stage *stage);

static inline vec3 scr_stage_point(const scr_stage *stage, vec3 p)
{
    return v3_scale(stage->scale, v3_sub(p, stage->center));
}

/* Whether a plane is a floor that fades out; other planes are glass, cut off by the view. */
static inline bool scr_wall_is_floor(const scr_stage *stage, const scr_picture_wall *wall)
{
    return wall->kind == SCR_PICTURE_PLANE && v3_dot(wall->normal, stage->up) > 0.5;
}

/* Sets stage->camera from the definition, the bodies, the walls and the frame. */
void scr_stage_aim(scr_stage *stage);
/* Axes of a camera that stands at this azimuth and elevation [deg]. */
void scr_camera_turn(const scr_stage *stage, double azimuth, double elevation, scr_camera *camera);

/* The rims and edges of walls as rods, at most `room` of them; returns how many there are. */
size_t scr_stage_rims(const scr_stage *stage, scr_ray_body *rims, size_t room);

/* Deals out the directions of stage->sun and the sky to the pixels of a block. */
void scr_stage_light(scr_stage *stage);

/* What the rays towards the sky and the sun found, not yet divided by their number. The sky's colour depends on the
 * height of the direction alone, and is linear in it: heights are enough. */
typedef struct {
    float rays, open;         /* towards the sky, and those that get there */
    float open_up, hidden_up; /* heights of those that do, and of those that do not */
    float sun;                /* part of the sun that is seen, 0 to 1 */
} scr_light;

/* A surface that is lit, within one pixel: what it sends to the eye is linear in the light on it,
 *
 *   albedo (matt sky + turned S sun) + mirror sky + shine sun,
 *
 * with sums over the rays that meet it, each by the part of it that glass in front lets through. */
typedef struct {
    uint32_t id; /* of the body, without SCR_CRACK */
    float cover; /* sum of those parts */
    float matt, turned, mirror, shine;
    float normal[3];
    scr_light light;
} scr_patch;

typedef struct {
    vec3 point, normal; /* the point lies a little above the surface */
} scr_spot;

/* What the rays of a pixel meet. */
typedef struct {
    vec3 base; /* sum of what needs no light: background, glass, rims */
    scr_patch patches[SCR_PATCHES];
    scr_spot spots[SCR_PATCHES][SCR_SPOTS];
    int hits[SCR_PATCHES]; /* rays that met it */
    int count, rays;
    double floors;    /* matt parts of all floors */
    double low, high; /* tones of rays, without what light does */
    bool calm;        /* no ray came near an edge */
} scr_gather;

/* Adds what is seen through point (px, py) of the picture. */
void scr_stage_look(const scr_stage *stage, double px, double py, scr_gather *gather);
/* Looks for the light on patch k; `turn` of the pattern by the pixel's place. */
void scr_stage_illuminate(const scr_stage *stage, int k, int turn, scr_gather *gather);
/* What a patch in that light sends to the eye, in a picture's row y. */
vec3 scr_patch_colour(const scr_stage *stage, const scr_patch *patch, const scr_light *light, int y);

/* Colour of a body of this id, linear. */
vec3 scr_stage_albedo(const scr_stage *stage, uint32_t id);
static inline bool scr_is_floor(uint32_t id)
{
    return id >= SCR_FLOOR;
}
static inline bool scr_is_polygon(const scr_stage *stage, uint32_t id)
{
    size_t spheres = stage->content->spheres.count;
    return id >= spheres && id < spheres + stage->content->polygons.count;
}

/* Linear colour of the empty picture at height py. */
vec3 scr_stage_background(const scr_stage *stage, double py);

/* All pixels of the canvas; false when memory is exhausted. */
bool scr_stage_draw(const scr_stage *stage, scr_canvas *canvas);

/* The free part of the picture, and the texts around it. */
scr_frame scr_legend_frame(const scr_stage *stage);
void scr_legend_draw(const scr_stage *stage, scr_canvas *canvas);

#endif
