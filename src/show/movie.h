/* A movie through ffmpeg: pictures go raw through a pipe to a child process, which makes H.264 of them. The movie is
 * written beside its path and renamed when it is whole; what goes wrong leaves nothing. */
#ifndef SCREE_SHOW_FILM_H
#define SCREE_SHOW_FILM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"

typedef struct scr_movie scr_movie;

extern const scr_output_kind scr_movie_kind;

/* `path`, which may be written (scr_output_check), ends in .mp4, .mov or .mkv; width and height are even. SCREE_OK with
 * *movie NULL: there is no ffmpeg. Signals must be caught (base/os.h): a broken pipe is an error here. */
scree_status scr_movie_open(const char *path, int width, int height, double fps, scr_movie **movie,
                            scree_report *report);
/* One more picture, 3 * width * height bytes. */
scree_status scr_movie_add(scr_movie *movie, const uint8_t *rgb, scree_report *report);
/* Finishes the movie, or removes what there is of it. Frees it in any case. */
scree_status scr_movie_close(scr_movie *movie, bool keep, scree_report *report);

/* Whether the path has one of those endings. */
bool scr_movie_path_ok(const char *path);
/* The command that makes the movie of numbered images, to be typed. `pattern` is that of ffmpeg: name-%04d.png. */
void scr_movie_command(FILE *out, const char *pattern, double fps, const char *path);

#endif
