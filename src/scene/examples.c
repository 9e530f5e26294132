/* Example scenes (see examples.h). */
#include "scene/examples.h"

#include <stddef.h>
#include <string.h>

// clang-format off

static const char drop[] =
    "scree: 1\n"
    "title: a few grains fall on a floor\n"
    "domain: {box: [[0, 0, 0], [20 cm, 20 cm, 40 cm]]}\n"
    "materials: {glass: {density: 2500 kg/m^3, restitution: 0.6, friction: 0.4}}\n"
    "contacts: {any: {overlap: 1 %}}\n"
    "bodies:\n"
    "  grains: {from: random, material: glass, diameter: 2 cm, count: 100}\n"
    "walls:\n"
    "  box: {shape: box, material: glass, box: [[0, 0, 0], [20 cm, 20 cm, 40 cm]]}\n"
    "time: {end: 1 s}\n"
    "\n"
    "# That is all a scene needs. Try: `scree check`, `scree run` and `scree render` with this file;\n"
    "# `scree help materials` explains a section, `scree init --list` names more examples.\n"
    "# Values may carry units; plain numbers are SI. Gravity is [0, 0, -9.81] unless given. The stiffness is\n"
    "# derived: an impact after a fall through the domain may overlap the grains by 1 % of their diameter.\n";

static const char hopper[] =
    "# Grains drain from a hopper into a round tray and form a pile.\n"
    "scree: 1\n"
    "title: hopper\n"
    "\n"
    "# Grains that roll over the tray's edge and out of the domain are deleted.\n"
    "domain:\n"
    "  box: [[-25 cm, -25 cm, -1 cm], [25 cm, 25 cm, 70 cm]]\n"
    "  boundary: delete\n"
    "\n"
    "materials:\n"
    "  glass: {density: 2500 kg/m^3, restitution: 0.3, friction: 0.5}\n"
    "  steel: {density: 7800 kg/m^3}\n"
    "\n"
    "# Stiffness is chosen so that an impact at `speed` overlaps by `overlap` of a diameter:\n"
    "# the softer the grains, the larger the time step and the faster the run.\n"
    "contacts:\n"
    "  any: {overlap: 5 %, speed: 2 m/s}\n"
    "  glass/steel: {restitution: 0.3, friction: 0.3}\n"
    "\n"
    "bodies:\n"
    "  grains:\n"
    "    from: random\n"
    "    material: glass\n"
    "    diameter: [8 mm, 10 mm]\n"
    "    count: 1500\n"
    "    region: {shape: cylinder, from: [0, 0, 22 cm], to: [0, 0, 50 cm], radius: 9 cm}\n"
    "\n"
    "walls:\n"
    "  bin: {shape: cylinder, material: steel, from: [0, 0, 22 cm], to: [0, 0, 55 cm], radius: 9 cm}\n"
    "  funnel:\n"
    "    shape: frustum\n"
    "    material: steel\n"
    "    from: [0, 0, 10 cm]\n"
    "    to: [0, 0, 22 cm]\n"
    "    radius_from: 3 cm\n"
    "    radius_to: 9 cm\n"
    "  tray: {shape: cylinder, material: steel, from: [0, 0, 0], to: [0, 0, 2 cm], radius: 9 cm}\n"
    "  floor: {shape: plane, material: steel, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "\n"
    "stepper: soft\n"
    "time: {end: 2 s}\n"
    "output: {every: 20 ms}\n";

static const char column[] =
    "# A column of grains collapses along a box, as after the sudden removal of a gate.\n"
    "scree: 1\n"
    "title: column collapse\n"
    "\n"
    "domain: {box: [[0, 0, 0], [60 cm, 6 cm, 30 cm]]}\n"
    "\n"
    "materials:\n"
    "  glass: {density: 2500 kg/m^3, restitution: 0.5, friction: 0.5}\n"
    "\n"
    "contacts:\n"
    "  any: {overlap: 5 %, speed: 2 m/s}\n"
    "\n"
    "# Close packing with a little room, shaken so that the column does not stand like a crystal.\n"
    "bodies:\n"
    "  column:\n"
    "    from: lattice\n"
    "    kind: hcp\n"
    "    material: glass\n"
    "    diameter: [9 mm, 10 mm]\n"
    "    spacing: 10.5 mm\n"
    "    jitter: 1\n"
    "    region: {box: [[0, 0, 0], [12 cm, 6 cm, 24 cm]]}\n"
    "\n"
    "walls:\n"
    "  tank: {shape: box, material: glass, box: [[0, 0, 0], [60 cm, 6 cm, 30 cm]]}\n"
    "\n"
    "stepper: soft\n"
    "time: {end: 1 s}\n"
    "output: {every: 10 ms}\n";

static const char chute[] =
    "# Steady flow down an incline of 26 degrees: periodic along and across the slope, over a rough base\n"
    "# of frozen grains. The box lies along the slope; gravity is tilted instead.\n"
    "scree: 1\n"
    "title: chute flow\n"
    "gravity: [4.300, 0, -8.817]  # 9.81 m/s^2, 26 degrees from the normal of the base\n"
    "\n"
    "domain:\n"
    "  box: [[0, 0, 0], [10 cm, 5 cm, 15 cm]]\n"
    "  periodic: [x, y]\n"
    "\n"
    "materials:\n"
    "  glass: {density: 2500 kg/m^3, restitution: 0.7, friction: 0.5}\n"
    "\n"
    "contacts:\n"
    "  any: {overlap: 5 %, speed: 1 m/s}\n"
    "\n"
    "bodies:\n"
    "  base:\n"
    "    from: lattice\n"
    "    material: glass\n"
    "    diameter: 5 mm\n"
    "    frozen: yes\n"
    "    region: {box: [[0, 0, 0], [10 cm, 5 cm, 5 mm]]}\n"
    "  flow:\n"
    "    from: lattice\n"
    "    kind: fcc\n"
    "    material: glass\n"
    "    diameter: [4.5 mm, 5 mm]\n"
    "    spacing: 5.5 mm\n"
    "    jitter: 1\n"
    "    velocity: [20 cm/s, 0, 0]  # a push, so that it does not rest on its lattice\n"
    "    region: {box: [[0, 0, 5.5 mm], [10 cm, 5 cm, 5 cm]]}\n"
    "\n"
    "walls:\n"
    "  floor: {shape: plane, material: glass}\n"
    "\n"
    "stepper: soft\n"
    "time: {end: 1 s}\n"
    "output: {every: 10 ms}\n";

static const char collision[] =
    "# Two grains meet off centre, without gravity: they rebound with the given restitution and leave with spin.\n"
    "# The energy ledger shows where the energy goes.\n"
    "scree: 1\n"
    "title: two grains meet\n"
    "gravity: [0, 0, 0]\n"
    "\n"
    "domain: {box: [[-20 cm, -20 cm, -20 cm], [20 cm, 20 cm, 20 cm]]}\n"
    "\n"
    "materials:\n"
    "  glass: {density: 2500 kg/m^3}\n"
    "\n"
    "contacts:\n"
    "  glass: {stiffness: 1000 kN/m, restitution: 0.8, friction: 0.3}\n"
    "\n"
    "# A lattice in a region of one diameter is one grain.\n"
    "bodies:\n"
    "  left:\n"
    "    from: lattice\n"
    "    material: glass\n"
    "    radius: 1 cm\n"
    "    velocity: [1 m/s, 0, 0]\n"
    "    region: {box: [[-4 cm, -1 cm, -1 cm], [-2 cm, 1 cm, 1 cm]]}\n"
    "  right:\n"
    "    from: lattice\n"
    "    material: glass\n"
    "    radius: 1 cm\n"
    "    velocity: [-1 m/s, 0, 0]\n"
    "    spin: [0, 0, 300 rpm]\n"
    "    region: {box: [[2 cm, -5 mm, -1 cm], [4 cm, 1.5 cm, 1 cm]]}\n"
    "\n"
    "stepper: soft\n"
    "time: {end: 100 ms}\n"
    "output: {every: 1 ms}\n";

// clang-format on

const scree_example scr_examples[] = {
    {"drop", "The first scene, ten lines: a few grains fall on a floor.", drop},
    {"hopper", "1500 grains drain from a hopper into a tray and form a pile.", hopper},
    {"column", "A column of grains collapses along a box.", column},
    {"chute", "Steady flow down a rough incline, periodic along the slope.", chute},
    {"collision", "Two grains meet off centre, without gravity.", collision},
    {NULL, NULL, NULL},
};

const scree_example *scr_example_find(const char *name)
{
    for (const scree_example *e = scr_examples; e->name; e++)
        if (!strcmp(e->name, name)) return e;
    return NULL;
}
