/* A case: a folder with scenes and a file `case.yaml` that says what to run, what to measure, which
 * published number it must meet, and which curves to plot. Read with the same tables as scenes. */
#ifndef SCREE_STUDY_CASE_H
#define SCREE_STUDY_CASE_H

#include "scene/scene.h"
#include "study/csv.h"
#include "study/measure.h"

typedef enum { SCR_QUICK, SCR_LONG, SCR_FULL } scr_case_set;

typedef struct {
    int64_t version;
    char *title, *source, *about;
} scr_case_def;

typedef struct {
    char *text;
} scr_define_def;

typedef struct {
    char *file;
} scr_case_table_def;

typedef struct {
    char *scene, *from;
    scr_texts set, over, measure, rows;
    int set_of;  /* scr_case_set: the key `in` */
    int statics; /* the key `by`: 0 run, 1 equilibrate */
    bool timed;  /* its computing time is a quantity */
} scr_case_run_def;

typedef enum { SCR_EXPECT_MEETS, SCR_EXPECT_DIFFERS, SCR_EXPECT_VARIES } scr_expect; /* the key `expect` */

typedef struct {
    char *run, *measure, *unit, *figure, *source, *note;
    char *reference, *tolerance, *relative, *at_least, *at_most; /* expressions; NULL: absent */
    int expect;                                                  /* scr_expect */
    char *reason, *analysis;                                     /* unless it is expected to meet its reference */
} scr_quantity_def;

typedef struct {
    char *title, *x, *y;
    double x_from, x_to, y_from, y_to; /* NAN: from the curves */
    bool x_log, y_log;
} scr_case_plot_def;

typedef enum { SCR_CURVE_LINE, SCR_CURVE_DASHES, SCR_CURVE_POINTS, SCR_CURVE_CELLS } scr_curve_kind;

typedef struct {
    char *plot, *run, *file, *x, *y, *value, *label;
    int style;  /* scr_curve_kind */
    int colour; /* place in the palette, from 1; 0: by itself */
} scr_case_curve_def;

typedef struct {
    char *name;   /* of the folder */
    char *folder; /* path */
    scr_scene *file;
    scr_definition *definitions; /* ends with a NULL name */
    scr_csv *tables;             /* in the order of the section `tables` */
} scr_case;

/* Reads FOLDER/case.yaml and checks that names in it belong together. */
scree_status scr_case_open(scr_case *c, const char *cases, const char *name, scree_report *report);
void scr_case_close(scr_case *c);

const scr_case_def *scr_case_head(const scr_case *c);
const scr_items *scr_case_items(const scr_case *c, const char *section);
/* A table of the case, by name; NULL: there is none. */
scr_csv *scr_case_table(const scr_case *c, const char *name);

/* The folder with the cases: `given`, or SCREE_CASES, or beside the program as it is installed or
 * built. False with a message when there is none. */
bool scr_cases_folder(const char *given, char *path, size_t size, scree_report *report);
/* Names of the cases in it, sorted; ends with NULL; the caller frees it with scr_names_free. */
char **scr_cases_list(const char *folder);
void scr_names_free(char **names);

#endif
