/* Where the camera is during a movie: turned evenly, or along keys from a file.
 *
 * A file of keys has a line per key, and comments behind #:
 *
 *   time azimuth elevation zoom [x y z]
 *
 * The time is that of the simulation [s], angles are in degrees, x y z is the point in the middle of the view [m]; it
 * is in every line or in none. Between keys each number follows a cubic with the slope of its neighbours (Catmull & Rom
 * 1974); before the first and after the last it stays. */
#ifndef SCREE_SHOW_RENDER_PATH_H
#define SCREE_SHOW_RENDER_PATH_H

#include <stdbool.h>

#include "base/status.h"

enum { SCR_KEY_TIME, SCR_KEY_AZIMUTH, SCR_KEY_ELEVATION, SCR_KEY_ZOOM, SCR_KEY_X, SCR_KEY_SIZE = 7 };

typedef struct {
    double (*keys)[SCR_KEY_SIZE]; /* times rise */
    int count;
    bool aimed; /* keys have a point */
} scr_camera_path;

/* The file's keys, all its errors reported. Free with deinit, also after an error. */
scree_status scr_camera_path_read(const char *file, scr_camera_path *path, scree_report *report);
void scr_camera_path_deinit(scr_camera_path *path);
/* The camera at a time, as a key. */
void scr_camera_path_at(const scr_camera_path *path, double time, double key[SCR_KEY_SIZE]);

#endif
