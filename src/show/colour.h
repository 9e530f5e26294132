/* Colours and colour maps. Maps run from 0 to 1; light is added up in linear values, files are
 * sRGB. */
#ifndef SCREE_SHOW_COLOUR_H
#define SCREE_SHOW_COLOUR_H

#include <stdint.h>

#include "math/vec3.h"

typedef struct scr_colour_map scr_colour_map;

/* The map of that name, or NULL. */
const scr_colour_map *scr_colour_map_find(const char *name);
/* Name of the k-th map, NULL behind the last: viridis, magma, coolwarm, turbo, grey. */
const char *scr_colour_map_name(int k);

/* The map's colour at s in [0, 1] (cut off outside; NaN is a neutral grey), as linear red, green,
 * blue. */
vec3 scr_colour_map_at(const scr_colour_map *map, double s);

/* The colour of the n-th of several things, linear: neighbours are far apart, and the first ten easy to name. */
vec3 scr_colour_category(int64_t n);

/* Between one sRGB channel and linear light, both in [0, 1] (IEC 61966-2-1). */
double scr_colour_linear(double srgb);
double scr_colour_srgb(double linear);

/* 0xrrggbb in sRGB <-> linear. */
vec3 scr_colour_of_hex(uint32_t hex);
/* Cut off to [0, 255] and rounded; NaN is black. */
void scr_colour_bytes(vec3 linear, uint8_t rgb[3]);

/* Relative luminance of a linear colour. */
double scr_colour_luminance(vec3 linear);

#endif
