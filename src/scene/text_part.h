/* A text file that several ranks read together: each has a run of its lines. Of a run of bytes, those lines that begin
 * in it; runs are of equal length. */
#ifndef SCREE_SCENE_TEXT_PART_H
#define SCREE_SCENE_TEXT_PART_H

#include "scene/generators.h"

typedef struct {
    const scr_generator *g;
    const char *path;
    int fd;
    uint64_t size;  /* of the file */
    char *text;     /* own lines, zero-terminated; a buffer */
    size_t length;  /* of them */
    uint64_t first; /* byte of the file that they begin with */
    int line;       /* number of the line before them */
} scr_text_part;

/* Opens the file; false, with a message, where it cannot be read. */
bool scr_text_part_open(scr_text_part *part, const scr_generator *g, const char *path);
void scr_text_part_close(scr_text_part *part);

/* The beginning of the file, up to `most` bytes that end with a line, in *text, a buffer; their number. */
size_t scr_text_part_head(scr_text_part *part, size_t most, char **text);

/* Of what comes from byte `from` on, which begins a line and has `line` lines before it, the lines of this rank. False,
 * with a message on some rank, where it cannot be read or is not text. On all ranks. */
bool scr_text_part_read(scr_text_part *part, uint64_t from, int line, scr_file_errors *errors);

/* ---- what all ranks have ---- */

/* Whether something is so on any of them. */
bool scr_ranks_any(const scr_grains_ranks *ranks, bool own);
/* A number of each of them added up; *before: those of lower ranks, unless NULL. */
int64_t scr_ranks_sum(const scr_grains_ranks *ranks, int64_t own, int64_t *before);

#endif
