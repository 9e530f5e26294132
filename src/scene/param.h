/* Parameter tables: what a user may write in one section of a scene, said once.
 *
 * A section is a table of parameters (name, other spellings, type, unit, default, range, doc) and
 * the definition struct they fill. The same table drives reading, checking, `scree help`, the JSON
 * schema and the reference page. Sections whose items come in kinds (walls by `shape`, bodies by
 * `from`, the stepper by `type`) have a selector key and one variant table per kind, each with a
 * struct of its own. Tables are constant; steppers and observers bring theirs from their own
 * folders. */
#ifndef SCREE_SCENE_PARAM_H
#define SCREE_SCENE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

typedef enum {
    SCR_REAL,   /* double; number with optional unit; NAN for `auto` */
    SCR_SPAN,   /* double[2]; one number (both the same) or [low, high] */
    SCR_INT,    /* int64_t */
    SCR_BOOL,   /* bool; true/false, yes/no, on/off */
    SCR_TEXT,   /* char *; owned by the scene; NULL when absent */
    SCR_CHOICE, /* int; index into the space-separated words of `allowed` */
    SCR_VEC3,   /* vec3; [x, y, z], each with optional unit */
    SCR_BOX,    /* vec3[2]; [[x, y, z], [x, y, z]], lower and upper corner, lower < upper */
    SCR_AXES,   /* bool[3]; list of x, y, z, or none */
    SCR_TEXTS,  /* scr_texts; list of words */
    SCR_MATRIX, /* scr_matrix; rows of numbers [[a, b], [a, b], ...], or one row [a, b]; `unit` has
                   a unit per column, separated by commas: "m,m,m", or "m," when the second is a
                   pure number */
    SCR_NESTED, /* scr_item; a mapping read with the section `nested` */
} scr_param_type;

typedef struct {
    char **items;
    int count;
} scr_texts;

typedef struct {
    double *rows; /* count times width; NULL when absent */
    int count, width;
} scr_matrix;

struct scr_section;

typedef struct {
    const char *name;
    const char *also; /* other accepted spellings, space-separated, or NULL */
    scr_param_type type;
    const char *unit;     /* SI unit of the stored value, "" for a pure number, NULL where none fits */
    const char *fallback; /* the default as a user would write it; NULL: must be given; "": may be absent
                      (REAL, SPAN, VEC3 become NAN, TEXT NULL, MATRIX no rows, NESTED
                      variant/def NULL) */
    const char *allowed;  /* REAL, SPAN, INT: an interval such as "(0, 1]" or "> 0"; CHOICE and
                            TEXTS: the words; REAL: after '|' words that may be written instead
                            of a number, e.g. "> 0 | auto": the first becomes NAN, the k-th after
                            it -k, which must be outside the interval */
    size_t offset;        /* into the definition struct */
    const char *doc;      /* one or two sentences */
    const struct scr_section *nested;
} scr_param;

typedef struct {
    const char *name, *doc;
    const scr_param *params; /* ends with a NULL name; NULL when there are none */
    size_t size;             /* of the variant's own struct; 0 when it has none */
} scr_variant;

typedef struct scr_section {
    const char *name;   /* key in the scene; "" for the top level itself */
    const char *former; /* name that it had: still read, with a warning; or NULL */
    const char *doc;
    bool named;                         /* a mapping of names to items, rather than one mapping */
    bool plain;                         /* named, and an item is one plain value: that of the first key */
    bool forgiving;                     /* keys of another variant are passed over with a warning */
    bool open;                          /* items may hold other sections: their keys are not listed here */
    bool required;                      /* must be present (a named one: with at least one item) */
    const char *unless;                 /* another section with which it need not be; NULL: none */
    const scr_param *params;            /* keys common to all items; ends with a NULL name */
    size_t size;                        /* of the definition struct */
    const char *selector;               /* key that chooses the variant, or NULL; an item that is a plain word
                                (`stepper: soft`) is that variant with defaults */
    const char *selector_fallback;      /* variant when the selector is absent; NULL: must be given */
    const scr_variant *const *variants; /* ends with NULL */
} scr_section;

/* All sections of a scene, in the order of documentation; ends with NULL. */
typedef struct {
    const scr_section *const *sections;
} scr_schema;

/* ---- looking things up ---- */

/* Next word of a space-separated list: `cursor` starts at the list (NULL is an empty one) and moves
 * on. NULL at the end. */
const char *scr_words_next(const char **cursor, size_t *length);
/* Index of a word in the list, -1 when it is not there. */
int scr_words_index(const char *words, const char *word);

/* The words of a list with `between` between them. */
void scr_words_text(const char *words, const char *between, char *text, size_t size);

/* Whether `key` is the parameter's name or one of its other spellings. */
bool scr_param_is(const scr_param *param, const char *key);
/* By name or other spelling, or NULL. `params` may be NULL. */
const scr_param *scr_param_find(const scr_param *params, const char *key);
const scr_variant *scr_section_variant(const scr_section *section, const char *name);
const scr_section *scr_schema_section(const scr_schema *schema, const char *name);

/* Number of letters to insert, delete, replace or swap to make b of a. */
int scr_edit_distance(const char *a, const char *b);
/* The candidate nearest to `wanted`, if any is near enough to be meant: start with {wanted}, offer
 * all. */
typedef struct {
    const char *wanted;
    const char *found; /* NULL: nothing near */
    int distance;
} scr_nearest;
void scr_nearest_offer(scr_nearest *nearest, const char *candidate);

typedef struct {
    double low, high;
    bool low_open, high_open; /* the bound itself is not allowed */
} scr_interval;
/* From `allowed` of a number; everything when it is NULL. */
scr_interval scr_interval_parse(const char *text);
bool scr_interval_holds(scr_interval interval, double value);
/* Words a REAL takes instead of a number, or NULL. */
const char *scr_param_words(const scr_param *param);
/* The interval part of `allowed`, without the words. */
void scr_param_interval_text(const scr_param *param, char *text, size_t size);

/* Columns of a matrix, and the unit of one of them into `unit` ("" for a pure number). */
int scr_param_columns(const scr_param *param);
void scr_param_column_unit(const scr_param *param, int column, char *unit, size_t size);

/* What may be written, in words: "a number [kg/m^3] > 0", "one of sc, fcc, hcp". */
void scr_param_expects(const scr_param *param, char *text, size_t size);

#endif
