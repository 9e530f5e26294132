/* From a scene to a world: materials, groups, walls, bodies; then laws and the numbers derived from
 * them. */
#ifndef SCREE_BUILD_BUILD_H
#define SCREE_BUILD_BUILD_H

#include <math.h>

#include "scene/generate.h"
#include "scene/scene.h"
#include "step/stepper.h"

/* Domain, gravity, materials, groups, walls and faces; no bodies, no laws. */
scree_status scr_build_stage(scr_step *step, const scr_scene *scene, scree_report *report);
/* Generates the bodies of the groups that are not marked in `skip_group`, clear of those already there. */
scree_status scr_build_bodies(scr_world *world, const scr_scene *scene, const bool *skip_group, scree_report *report);
/* The cells of the curve that rows follow: as wide as the smallest grain that is there, was there at the start of the
 * run, or can come through an inlet. */
void scr_build_curve(scr_world *world);
/* Inlets and outlets of the scene into the world. */
scree_status scr_build_ports(scr_world *world, const scr_scene *scene, scree_report *report);
/* Velocities and spins, at the present time, of the bodies of groups that move as prescribed. */
void scr_build_drives(scr_world *world);
/* One more body at the end of the table, which has room; its row. The id is the grain's. */
size_t scr_build_body(scr_world *world, const scr_grain *grain, int group);
static inline double scr_ball_volume(double r)
{
    return 4.0 / 3 * M_PI * r * r * r;
}
/* Takes bodies and contacts from the world of a checkpoint: materials, groups and walls are matched
 * by name. Groups found there are marked in `taken`, others of the scene remain to be generated. */
scree_status scr_build_adopt(scr_world *world, const scr_scene *scene, scr_world *from, bool *taken,
                             scree_report *report);

/* What is known of the bodies of one material: the defaults are derived from it. */
typedef struct {
    size_t count;              /* moving bodies */
    double radius[2], mass[2]; /* smallest and largest of the moving bodies [m], [kg] */
    size_t fixed;              /* bodies that nothing moves: frozen ones */
    double fixed_radius[2];    /* smallest and largest of them [m] */
    double fixed_mass[2];      /* [kg] */
    bool driven;               /* some of these move as prescribed, and act on others of them */
    bool wall;                 /* there are walls of it */
} scr_sizes;

/* One per material; the caller frees it with scr_memory_free. */
scr_sizes *scr_sizes_of(const scr_world *world);

/* Whether bodies of materials a and b can meet. */
bool scr_sizes_meet(const scr_sizes *sizes, int a, int b);

/* Two bodies that can meet: the extremes of the sizes there are. A mass is INFINITY where nothing
 * moves the body, a radius too where it is a wall. */
typedef struct {
    double mass[2], radius[2];
} scr_meeting;
#define SCR_MEETINGS 25 /* most between two materials */
/* How many; at least one of the two moves. */
int scr_meetings_of(const scr_sizes *sizes, int a, int b, scr_meeting meetings[SCR_MEETINGS]);
double scr_meeting_mass(const scr_meeting *meeting);    /* m* [kg] */
double scr_meeting_radius(const scr_meeting *meeting);  /* R* [m] */
double scr_meeting_smaller(const scr_meeting *meeting); /* radius of the smaller [m] */
void scr_meeting_name(const scr_meeting *meeting, char *text, size_t size);
/* Shortest time of a law [s] and what it is of: the collision at law->speed, or half a period of
 * its rolling, twisting or adhesive spring. */
double scr_meeting_time(const scr_law *law, const scr_meeting *meeting, const char **what);

/* Laws of all pairs that can meet and have none yet, from `contacts` and `materials`; says what it
 * chose. */
scree_status scr_build_laws(scr_step *step, const scr_scene *scene, scree_report *report);
/* Digest of the definitions that scr_build_laws reads. */
uint64_t scr_laws_source(const scr_scene *scene, const scr_stepper_traits *traits);

/* The shortest time of all laws and meetings [s], what it is of and whose; INFINITY when nothing
 * can meet. */
typedef struct {
    double time;
    int materials[2];
    const char *what;
    scr_meeting meeting;
} scr_shortest;
scr_shortest scr_shortest_contact(const scr_world *world, const scr_sizes *sizes);

/* Largest speed to expect [m/s]: a fall through the domain, or the fastest body now. */
double scr_expected_speed(const scr_world *world, const char **reason);

/* How the stepper divides the step in the clock, if it does. */
void scr_say_adapted(const scr_step *step);
/* The step in the clock of a resumed run. Explicit steppers: against the shortest contact, a warning above a
 * tenth of it, an error above half. All: against how far grains get, a warning beyond the smallest radius, an error
 * beyond the diameter where the scene itself says the speed. */
scree_status scr_check_step(const scr_step *step, const scr_scene *scene, scree_report *report);

/* Time step and skin into the clock, where the scene says auto; says what it chose, and checks what was given.
 * `adopted`: bodies come from results. */
scree_status scr_choose_step(scr_step *step, const scr_scene *scene, bool adopted, scree_report *report);
/* The same for motion that is to come to rest (statics): only stability limits it. */
scree_status scr_choose_motion(scr_step *step, const scr_scene *scene, scree_report *report);

#endif
