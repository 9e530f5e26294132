/* The generators of grains, and what they share. Not for other folders. */
#ifndef SCREE_SCENE_GENERATORS_H
#define SCREE_SCENE_GENERATORS_H

#include "base/random.h"
#include "scene/generate.h"
#include "scene/grading.h"
#include "scene/region.h"

/* One call of scr_grains_generate. */
typedef struct {
    const scr_scene *scene;
    const scr_item *group;
    scr_grains *grains; /* those of earlier groups, and ours after them */
    scree_report *report;
    scr_grading grading; /* of its sizes */
    scr_random random;   /* the group's own stream */
} scr_generator;

#define SCR_MOST_GRAINS 100000000

scree_status scr_generate_positions(scr_generator *g);
scree_status scr_generate_table(scr_generator *g);
scree_status scr_generate_lammps(scr_generator *g);
scree_status scr_generate_lattice(scr_generator *g);
scree_status scr_generate_random(scr_generator *g);
scree_status scr_generate_packing(scr_generator *g);

/* Where the group, or a key of it, is written. */
scree_place scr_generator_place(const scr_generator *g, const char *key);
double scr_generator_radius(scr_generator *g); /* drawn from the grading */
/* Room for `count` more grains. */
bool scr_generator_reserve(scr_generator *g, size_t count);
/* Appends; adds the group's velocity and spin. Where several ranks make the same grains, each keeps some. */
bool scr_generator_add(scr_generator *g, scr_grain grain);
/* The same, where it is known whether it is this rank's: in the order of all of them. */
bool scr_generator_keep(scr_generator *g, scr_grain grain, bool ours);
/* The same into a place for which there is room, by many threads; the caller counts. */
void scr_generator_put(const scr_generator *g, size_t place, scr_grain grain);
/* Whether a sphere is clear of all obstacles, up to rounding. */
bool scr_generator_clear(const scr_generator *g, vec3 x, double radius);
/* Sets up the region of the group, or says why not. */
scree_status scr_generator_region(const scr_generator *g, const scr_item *item, scr_region *region);
/* The same; its volume is that outside of what is solid. */
scree_status scr_generator_room(const scr_generator *g, const scr_item *item, scr_region *region);

/* ---- rows of a file ---- */

typedef struct {
    scr_grain grain;
    int64_t type;
    int line;
} scr_row;

typedef struct {
    scr_row *items;
    size_t count;
} scr_rows;

/* The largest data file that is read. */
#define SCR_FILE_BYTES (((size_t)2 << 30) - 1)
/* No more errors than this are told of one file. */
#define SCR_FILE_ERRORS 20

/* Errors in a data file: counts, and goes silent after SCR_FILE_ERRORS. Always returns false. */
typedef struct {
    const char *file;
    scree_report *report;
    int errors;
} scr_file_errors;
bool scr_file_error(scr_file_errors *errors, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Checks a row's numbers: finite, radius and density above zero. */
bool scr_row_check(scr_file_errors *errors, const scr_row *row);
/* Appends rows of the type (0: all) to the group; refuses ids that stand twice. Where ranks have rows of the file each,
 * on all of them. */
scree_status scr_rows_deliver(scr_generator *g, scr_rows *rows, int64_t type, scr_file_errors *errors);

/* One number field: decimal, finite. */
bool scr_field_number(const char *text, double *value);

#endif
