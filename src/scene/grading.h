/* Gradings: how the sizes of a group's grains are distributed.
 *
 * Whatever its law, a grading is kept as parts: a share of the grains lies between two radii, with
 * a density there that goes as r^n (n is the same for all parts); a part of no width is a share of
 * equal grains. One random number in [0, 1) then gives one radius, by inverting the cumulative
 * number of grains, and all moments are closed forms. */
#ifndef SCREE_SCENE_GRADING_H
#define SCREE_SCENE_GRADING_H

#include "scene/scene.h"

typedef struct {
    double low, high; /* radii [m] */
    double upto;      /* share of the number of grains in this part and those before */
} scr_grade;

typedef struct {
    double radius[2]; /* smallest and largest [m]; NAN when files say the sizes */
    double exponent;  /* n of the density inside a part */
    scr_grade *parts;
    int count; /* 0: all grains evenly between radius[0] and radius[1] */
} scr_grading;

/* From radius, diameter or sizes of an item of `bodies` that has been checked. False when memory is
 * exhausted. */
bool scr_grading_init(scr_grading *grading, const scr_item *group);
void scr_grading_deinit(scr_grading *grading);

/* The smallest and largest radius that an item of `bodies` asks for; NAN when it says none. */
void scr_grading_bounds(const scr_item *group, double radius[2]);

/* The radius below which a share u in [0, 1) of the grains lies. */
double scr_grading_radius(const scr_grading *grading, double u);
/* Mean of r^k over the number of grains [m^k]. */
double scr_grading_moment(const scr_grading *grading, double k);

/* Refuses what a distribution's table cannot say of itself; for the checker. */
void scr_grading_check(const scr_scene *scene, const scr_item *sizes, scree_report *report);

#endif
