/* What a LIGGGHTS or LAMMPS input says, gathered command by command, and the scene that says the same. Numbers are
 * taken as SI. Not for other folders. */
#ifndef SCREE_SCENE_CONVERT_H
#define SCREE_SCENE_CONVERT_H

#include <stdio.h>

#include "math/vec3.h"
#include "scene/script.h"

#define SCR_CONVERT_TYPES 32
#define SCR_CONVERT_TEXT  400

typedef enum { SCR_CONVERT_BLOCK, SCR_CONVERT_CYLINDER, SCR_CONVERT_CONE, SCR_CONVERT_SPHERE } scr_convert_shape;

typedef struct {
    char name[64];
    scr_convert_shape shape;
    vec3 low, high;   /* block */
    vec3 from, to;    /* ends of a cylinder or cone; centre of a sphere */
    double radius[2]; /* at both ends */
} scr_convert_region;

/* Atoms of one kind: a material. NAN: not said. */
typedef struct {
    double density, young, poisson, diameter;
} scr_convert_type;

/* The contact law. NAN: not said. */
typedef struct {
    bool hertz, from_young; /* from_young: stiffness from the moduli of the materials */
    bool frictionless, no_history;
    double kn, kt, gamma_n, gamma_t, mu, restitution, speed;
    int rolling; /* 0 none, 1 sds, 2 constant */
    double rolling_friction;
    bool viscous, viscoelastic;
} scr_convert_law;

/* A particle template, and a distribution of such with shares by mass. */
typedef struct {
    char name[64];
    int type;
    double density, radius[2];
} scr_convert_template;
typedef struct {
    char name[64];
    int count, template[16];
    double share[16];
} scr_convert_mix;

/* A wall: its keys as text, and those of its motion. */
typedef struct {
    char name[64], fix[64]; /* fix: the command that made it, by which it may end */
    char shape[SCR_CONVERT_TEXT], motion[SCR_CONVERT_TEXT];
    char mover[64];   /* the command that moves it */
    char moving[240]; /* motion that goes on: `rotation: {... since` is open */
    int type;
    double since, until; /* NAN: always */
    bool surface;        /* a mesh: a wall only where wall/gran says so */
} scr_convert_wall;

typedef struct {
    char fix[64], text[SCR_CONVERT_TEXT];
    double since, until;
    bool inlet;
} scr_convert_body;

typedef struct {
    scr_script script;
    const char *folder; /* of the input, with / */
    FILE *list;         /* NULL: not wanted */
    int left;           /* commands that were not translated */
    char *notes;        /* comments of the scene */
    size_t notes_size;
    FILE *noted;

    bool periodic[3], has_box;
    vec3 low, high;
    vec3 gravity;
    bool has_gravity;
    scr_convert_law law;
    scr_convert_type types[SCR_CONVERT_TYPES];
    int type_count;
    /* coefficients of pairs; NAN: not said */
    double restitution[SCR_CONVERT_TYPES][SCR_CONVERT_TYPES], friction[SCR_CONVERT_TYPES][SCR_CONVERT_TYPES],
        rolling[SCR_CONVERT_TYPES][SCR_CONVERT_TYPES];
    scr_convert_region regions[64];
    scr_convert_template templates[32];
    scr_convert_mix mixes[16];
    scr_convert_wall walls[64];
    scr_convert_body bodies[64];
    int region_count, template_count, mix_count, wall_count, body_count;
    int frozen_type;     /* 0: none */
    char groups[16][64]; /* names of groups by type */
    int group_type[16], group_count;
    double lattice; /* spacing of nearest neighbours; NAN: none */
    char lattice_kind[8];
    double dt, time, every; /* NAN where not said */
} scr_conversion;

/* The present command cannot be translated, or not wholly: listed with its line. */
void scr_convert_leave(scr_conversion *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The k-th word as a number, or `fallback`; NULL and INF are the fallback too. */
double scr_convert_number(const scr_conversion *c, int k, double fallback);
/* The place of a word in the command, from k on; 0: it is not there. */
int scr_convert_word(const scr_conversion *c, int k, const char *word);
const scr_convert_region *scr_convert_region_of(const scr_conversion *c, const char *name);
/* A region as the value of the key `region`. */
void scr_convert_region_text(const scr_conversion *c, const scr_convert_region *r, char *text, size_t size);
/* A number of a type, from 1. */
int scr_convert_type_of(scr_conversion *c, double number);

/* `fix` (convert_fixes.c). False: the style is not known. */
bool scr_convert_fix(scr_conversion *c);
void scr_convert_unfix(scr_conversion *c, const char *name);
/* Contact laws of `pair_style`, `pair_coeff` and LAMMPS' walls, from word k on (convert_laws.c). */
void scr_convert_pair_style(scr_conversion *c);
void scr_convert_pair_coeff(scr_conversion *c);

#endif
