/* Text tables with named columns (CSV). The first line that is neither empty nor a comment (#) names
 * the columns, in any order, whatever the case of letters, each with an optional unit: `x [mm]`, `PosX[m]`. Fields are
 * separated by commas, semicolons, tabs or blanks, whichever the first line uses. Where the caller says what columns
 * are called, or that they are known by number, that counts; a first line of numbers alone is then a row. */
#ifndef SCREE_SCENE_COLUMNS_H
#define SCREE_SCENE_COLUMNS_H

#include "scene/generators.h"
#include "scene/unit.h"

#define SCR_MOST_COLUMNS      256
#define SCR_MOST_COLUMN_KINDS 32

typedef struct {
    const char *name, *also, *unit; /* also: other spellings; unit NULL: words, not numbers */
} scr_column_kind;

typedef struct {
    int kind; /* -1: ignored */
    scr_unit unit;
} scr_column;

typedef struct {
    const scr_column_kind *kinds; /* columns that are known */
    int kind_count;
    const char *what; /* what the rows are: "grains" */
    scr_file_errors errors;
    /* given, or NULL: what each kind is called in this file, `PosX [mm]` or the number of the column; NULL: as usual */
    char *const *called;
    /* the number that a word stands for; false: told why it stands for none */
    bool (*word)(void *context, int kind, const char *text, double *value, char *why, size_t why_size);
    void *context;
    bool has[SCR_MOST_COLUMN_KINDS]; /* which kinds the file has */
    int line;
    char *at; /* rest of the text */
    char separator;
    char *first; /* line */
    bool again;  /* it is a row */
    scr_column columns[SCR_MOST_COLUMNS];
    int column_count;
} scr_columns;

/* Reads the names of the columns; the caller has set kinds, what and errors, and looks at errors
 * afterwards. The text is cut up. False when there is no first line to read. */
bool scr_columns_open(scr_columns *columns, char *text, size_t size);

/* The next row in SI units, one number per kind; false at the end. *good: it had no error. */
bool scr_columns_row(scr_columns *columns, double *values, bool *good);

#endif
