/* The section `sizes`: distributions of grain sizes (see grading.h for what is drawn). */
#include "scene/scene.h"

#define AT(type, member) offsetof(type, member)

static const scr_param common_params[] = {
    {"weighted", NULL, SCR_CHOICE, NULL, "number", "number mass", AT(scr_sizes_def, weighted),
     "What the distribution counts. number: the share of grains. mass: the share of the grains' "
     "mass, as a sieve weighs it.",
     NULL},
    {"of", NULL, SCR_CHOICE, NULL, "diameter", "diameter radius", AT(scr_sizes_def, of),
     "Whether the sizes below are diameters or radii.", NULL},
    {0}};

static const scr_param uniform_params[] = {
    {"range", NULL, SCR_SPAN, "m", NULL, "> 0", AT(scr_sizes_uniform_def, range), "Smallest and largest size.", NULL},
    {0}};

static const scr_param normal_params[] = {
    {"mean", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_sizes_normal_def, mean),
     "Mean size, before truncation at the limits.", NULL},
    {"deviation", "std standard_deviation", SCR_REAL, "m", NULL, "> 0", AT(scr_sizes_normal_def, deviation),
     "Standard deviation, before truncation at the limits.", NULL},
    {"limits", NULL, SCR_SPAN, "m", NULL, "> 0", AT(scr_sizes_normal_def, limits),
     "Smallest and largest size. No size is drawn outside; the rest keeps its shape.", NULL},
    {0}};

static const scr_param lognormal_params[] = {
    {"median", NULL, SCR_REAL, "m", NULL, "> 0", AT(scr_sizes_lognormal_def, median),
     "Half are smaller: half of the grains or, with weighted: mass, half of their mass.", NULL},
    {"sigma", NULL, SCR_REAL, "", NULL, "(0, 5]", AT(scr_sizes_lognormal_def, sigma),
     "Standard deviation of the natural logarithm of the size.", NULL},
    {"limits", NULL, SCR_SPAN, "m", "", "> 0", AT(scr_sizes_lognormal_def, limits),
     "Smallest and largest size. Default: three sigma on either side of the median.", NULL},
    {0}};

static const scr_param power_params[] = {
    {"exponent", NULL, SCR_REAL, "", NULL, "[-20, 20]", AT(scr_sizes_power_def, exponent),
     "The density of sizes grows as size to this power; usually negative. By number it is minus "
     "(1 + fractal dimension).",
     NULL},
    {"range", NULL, SCR_SPAN, "m", NULL, "> 0", AT(scr_sizes_power_def, range), "Smallest and largest size.", NULL},
    {0}};

static const scr_param table_params[] = {
    {"table", "curve", SCR_MATRIX, "m,", NULL, NULL, AT(scr_sizes_table_def, table),
     "Rows [size, cumulative fraction], as from sieves: the fraction is that of all grains up to "
     "the size, and the last is 1 (100 %). Sizes are uniform between two rows. A size listed twice "
     "is a step: that share has exactly this size, and so has the first fraction if it is not 0. "
     "[[1 mm, 0.3], [2 mm, 0.3], [2 mm, 1]] is a mix of two sizes.",
     NULL},
    {0}};

static const scr_variant uniform = {"uniform", "Uniform between two sizes.", uniform_params,
                                    sizeof(scr_sizes_uniform_def)};
static const scr_variant normal = {"normal", "Normal (Gaussian), cut off at limits.", normal_params,
                                   sizeof(scr_sizes_normal_def)};
static const scr_variant lognormal = {"lognormal", "The logarithm of the size is normal, cut off at limits.",
                                      lognormal_params, sizeof(scr_sizes_lognormal_def)};
static const scr_variant power = {"power", "A power law between two sizes.", power_params, sizeof(scr_sizes_power_def)};
static const scr_variant table = {"table", "A sieve curve.", table_params, sizeof(scr_sizes_table_def)};
static const scr_variant *const variants[] = {&uniform, &normal, &lognormal, &power, &table, NULL};

const scr_section scr_section_sizes = {
    .name = "sizes",
    .doc = "A distribution of grain sizes.",
    .params = common_params,
    .size = sizeof(scr_sizes_def),
    .selector = "distribution",
    .variants = variants,
};
