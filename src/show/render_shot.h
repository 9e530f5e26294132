/* One frame of results, read and ready to be drawn. */
#ifndef SCREE_SHOW_RENDER_SHOT_H
#define SCREE_SHOW_RENDER_SHOT_H

#include "scree/scree.h"
#include "show/picture.h"
#include "show/render_cells.h"
#include "show/render_clip.h"
#include "show/render_colour.h"
#include "show/render_rods.h"

/* Walls as the picture draws them, with the trees of their meshes. */
typedef struct {
    scr_picture_wall *items;
    scr_face_tree *trees;
    double **edges; /* of each tree's mesh */
    int count, tree_count;
} scr_drawn_walls;

typedef struct {
    double *position, *radius;
    scr_colouring colours;
    scr_drawn_cells cells;
    scr_drawn_walls walls;
    scr_drawn_rods rods;
    const char **category; /* what numbers that are names stand for; NULL: nothing that one knows */
    char title[128], subtitle[160];
    /* what is drawn and how; both point into the above, and into the archive until another frame is read */
    scr_picture_content content;
    scr_picture_def picture;
} scr_shot;

/* Reads the frame as `def` wants to see it, cut by the clip. Free with deinit, also after an error. The shot must not
 * be moved. */
scree_status scr_shot_read(const scr_archive *archive, const scree_picture_def *def, const scr_clip *clip, int frame,
                           scr_shot *shot, scree_report *report);
void scr_shot_deinit(scr_shot *shot);

#endif
