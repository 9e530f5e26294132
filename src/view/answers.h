/* What the viewer answers: one function per kind of question, from results alone, read only.
 *
 *   /                     the client: index.html, app.js, app.css (view/bundle.h)
 *   /api/run              what the results are: JSON (view/run_json.c)
 *   /api/scene            text of the scene
 *   /api/series/K         columns of a time series
 *   /api/frame/N          grains: x, y, z less the origin of /api/run, radius; their ids
 *   /api/frame/N/values?by=NAME           a number per grain and per cell (show/render_colour.h)
 *   /api/frame/N/walls                    faces where they are, 18 numbers each
 *   /api/frame/N/contacts                 both ends, normal and tangential force
 *   /api/frame/N/bonds                    rows of the two grains
 *   /api/frame/N/cells?warp=X&inside=1    polygons; `inside`: those within the solids too
 *   /api/frame/N/grain/ID, /cell/NUMBER   all views of one grain or cell: JSON; `?by=NAME`: that number
 *
 * Nothing else is there. Numbers are blocks (view/block.h). Errors are JSON: {"error": "..."}. */
#ifndef SCREE_VIEW_ANSWERS_H
#define SCREE_VIEW_ANSWERS_H

#include <sys/stat.h>

#include "observe/results.h"
#include "view/block.h"

typedef struct {
    const char *path;   /* of the results */
    const char *beside; /* of those that are shown beside them; NULL: none */
    scr_archive *archive;
    struct stat seen; /* the index when it was opened */
    double origin[3]; /* of what is sent as f32 [m]: the middle of the domain */
    bool bonds;       /* the first frame has some: they only become fewer */
    /* of a view inside a page (view/embed.h), which has no more than this; NULL: all frames, all fields, and series */
    const int *frames;
    int frame_count;
    const char *const *fields;
} scr_viewer;

scree_status scr_viewer_open(scr_viewer *viewer, const char *path, scree_report *report);
void scr_viewer_close(scr_viewer *viewer);

typedef struct {
    const char *path;               /* decoded, without the query */
    const char *by, *warp, *inside; /* of the query; NULL: not given */
    const char *known;              /* If-None-Match; NULL: none */
} scr_question;

typedef struct {
    int status; /* of HTTP: 200, 304, 404, 422, 500 */
    const char *type;
    char tag[64]; /* ETag; "": none */
    unsigned char *data;
    size_t size;
    bool owned; /* data is malloc'ed */
} scr_answer;

/* Looks first whether the results have changed on disk. Not for use by several threads. */
scr_answer scr_viewer_answer(scr_viewer *viewer, const scr_question *question);

/* ---- parts of it ---- */

/* /api/run, as text. */
void scr_run_json_write(const scr_viewer *viewer, FILE *out);

scree_status scr_view_grains(const scr_viewer *viewer, int frame, scr_block *out, scree_report *report);
scree_status scr_view_values(const scr_viewer *viewer, int frame, const char *by, scr_block *out, scree_report *report);
scree_status scr_view_walls(const scr_viewer *viewer, int frame, scr_block *out, scree_report *report);
scree_status scr_view_contacts(const scr_viewer *viewer, int frame, scr_block *out, scree_report *report);
scree_status scr_view_bonds(const scr_viewer *viewer, int frame, scr_block *out, scree_report *report);
scree_status scr_view_cells(const scr_viewer *viewer, int frame, const char *warp, bool inside, scr_block *out,
                            scree_report *report);
scree_status scr_view_series(const scr_viewer *viewer, int series, scr_block *out, scree_report *report);
/* One grain by id, or one cell by number. */
scree_status scr_view_one(const scr_viewer *viewer, int frame, bool cell, int64_t name, const char *by, FILE *out,
                          scree_report *report);

#endif
