/* A film through ffmpeg: pictures go raw through a pipe to a child process, which makes H.264 of them. The film is
 * written beside its path and renamed when it is whole; what goes wrong leaves nothing. */
#ifndef SCREE_SHOW_FILM_H
#define SCREE_SHOW_FILM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"

typedef struct scr_film scr_film;

extern const scr_output_kind scr_film_kind;

/* `path`, which may be written (scr_output_check), ends in .mp4, .mov or .mkv; width and height are even. SCREE_OK with
 * *film NULL: there is no ffmpeg. Signals must be caught (base/os.h): a broken pipe is an error here. */
scree_status scr_film_open(const char *path, int width, int height, double fps, scr_film **film, scree_report *report);
/* One more picture, 3 * width * height bytes. */
scree_status scr_film_add(scr_film *film, const uint8_t *rgb, scree_report *report);
/* Finishes the film, or removes what there is of it. Frees it in any case. */
scree_status scr_film_close(scr_film *film, bool keep, scree_report *report);

/* Whether the path has one of those endings. */
bool scr_film_path_ok(const char *path);
/* The command that makes the film of numbered pictures, as one types it. `pattern` is that of ffmpeg: name-%04d.png. */
void scr_film_command(FILE *out, const char *pattern, double fps, const char *path);

#endif
