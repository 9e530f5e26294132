/* Example scenes of whole tasks (see examples.h): each is a process with what one wants to know of it, and a page of
 * docs/tasks/. Meshes are written beside the scene. */
#include "scene/examples.h"

#include <stddef.h>

// clang-format off

const char scr_example_drum[] =
    "# A rotating drum with a polydisperse bed. What is its angle over time?\n"
    "scree: 1\n"
    "title: rotating drum\n"
    "domain: {box: [[-11 cm, 0, -11 cm], [11 cm, 4 cm, 11 cm]], periodic: [y]}\n"
    "materials:\n"
    "  glass: {density: 2500 kg/m^3, restitution: 0.5, friction: 0.5, rolling_friction: 0.05}\n"
    "contacts: {any: {overlap: 5 %, speed: 1 m/s, rolling: sds}}\n"
    "\n"
    "# Lognormal by mass, cut at 5 and 12 mm. Grains are placed where they fit, clear of the walls.\n"
    "bodies:\n"
    "  bed:\n"
    "    from: random\n"
    "    material: glass\n"
    "    fraction: 0.3\n"
    "    sizes: {distribution: lognormal, median: 8 mm, sigma: 0.25, limits: [5 mm, 12 mm], weighted: mass}\n"
    "    region: {shape: cylinder, from: [0, 0, 0], to: [0, 4 cm, 0], radius: 10 cm}\n"
    "\n"
    "# The grains settle first; then the drum turns.\n"
    "walls:\n"
    "  drum:\n"
    "    shape: cylinder\n"
    "    material: glass\n"
    "    from: [0, -1 cm, 0]\n"
    "    to: [0, 5 cm, 0]\n"
    "    radius: 10 cm\n"
    "    rotation: {axis: [0, 1, 0], rate: 15 rpm, since: 0.4 s}\n"
    "\n"
    "time: {end: 4 s}\n"
    "output: {every: 40 ms}\n"
    "observers:\n"
    "  surface: {type: slope, direction: [1, 0, 0], every: 40 ms}\n"
    "  drive: {type: walls, wall: drum, every: 10 ms}\n";

const char scr_example_silo[] =
    "# A square hopper from an STL file runs empty. What is the mass flow rate?\n"
    "scree: 1\n"
    "title: hopper from STL\n"
    "domain: {box: [[-12 cm, -12 cm, -6 cm], [12 cm, 12 cm, 40 cm]]}\n"
    "materials:\n"
    "  seed: {density: 1200 kg/m^3, restitution: 0.4, friction: 0.5}\n"
    "  steel: {density: 7800 kg/m^3}\n"
    "contacts:\n"
    "  any: {overlap: 5 %, speed: 2 m/s}\n"
    "  seed/steel: {restitution: 0.4, friction: 0.3}\n"
    "\n"
    "bodies:\n"
    "  seeds:\n"
    "    from: random\n"
    "    material: seed\n"
    "    diameter: [9 mm, 11 mm]\n"
    "    count: 1500\n"
    "    region: {box: [[-99 mm, -99 mm, 12 cm], [99 mm, 99 mm, 40 cm]]}\n"
    "\n"
    "# The mesh is in millimetres. A gate holds the seeds for half a second.\n"
    "walls:\n"
    "  hopper: {shape: mesh, material: steel, file: silo.stl, scale: 0.001}\n"
    "  gate:\n"
    "    {shape: rectangle, material: steel, corner: [-3 cm, -3 cm, 0], along: [6 cm, 0, 0], across: [0, 6 cm, 0],\n"
    "     until: 0.5 s}\n"
    "\n"
    "outlets: {below: {shape: plane, point: [0, 0, -5 cm], side: below}}\n"
    "time: {end: 4 s, until: inside.count < 1}\n"
    "output: {every: 40 ms}\n"
    "observers:\n"
    "  orifice: {type: flow, point: [0, 0, -1 cm], normal: [0, 0, -1], every: 50 ms}\n"
    "  inside: {type: count, region: {box: [[-12 cm, -12 cm, 0], [12 cm, 12 cm, 40 cm]]}, every: 50 ms}\n";

const char scr_example_triaxial[] =
    "# A triaxial test: four walls hold a pressure, the top moves down. What is the stress over strain?\n"
    "scree: 1\n"
    "title: triaxial test\n"
    "gravity: [0, 0, 0]\n"
    "domain: {box: [[-1 cm, -1 cm, -1 mm], [6 cm, 6 cm, 6 cm]]}\n"
    "materials:\n"
    "  glass: {density: 2500 kg/m^3, restitution: 0.5, friction: 0.5}\n"
    "  plate: {density: 7800 kg/m^3}\n"
    "contacts:\n"
    "  any: {stiffness: 30 kN/m, restitution: 0.5, friction: 0.5}\n"
    "  glass/plate: {stiffness: 30 kN/m, restitution: 0.5, friction: 0}\n"
    "\n"
    "# Grains just touch; the side walls compress them to 20 kPa in 50 ms.\n"
    "bodies:\n"
    "  sample: {from: packing, material: glass, diameter: [5 mm, 6 mm],\n"
    "    region: {box: [[0, 0, 0], [5 cm, 5 cm, 5 cm]]}}\n"
    "\n"
    "values: {p: 20 kPa, A: 25 cm^2, v: 0.2 m/s}\n"
    "walls:\n"
    "  bottom: {shape: plane, material: plate}\n"
    "  top: {shape: plane, material: plate, point: [0, 0, 5 cm], normal: [0, 0, -1],\n"
    "    translation: {velocity: [0, 0, -1 cm/s], since: 0.1 s}}\n"
    "  left: {shape: plane, material: plate, normal: [1, 0, 0],\n"
    "    servo: {axis: [1, 0, 0], pressure: =p, area: =A, max_speed: =v, ramp: 50 ms}}\n"
    "  right: {shape: plane, material: plate, point: [5 cm, 0, 0], normal: [-1, 0, 0],\n"
    "    servo: {axis: [-1, 0, 0], pressure: =p, area: =A, max_speed: =v, ramp: 50 ms}}\n"
    "  front: {shape: plane, material: plate, normal: [0, 1, 0],\n"
    "    servo: {axis: [0, 1, 0], pressure: =p, area: =A, max_speed: =v, ramp: 50 ms}}\n"
    "  back: {shape: plane, material: plate, point: [0, 5 cm, 0], normal: [0, -1, 0],\n"
    "    servo: {axis: [0, -1, 0], pressure: =p, area: =A, max_speed: =v, ramp: 50 ms}}\n"
    "\n"
    "time: {end: 0.9 s}\n"
    "output: {every: 20 ms}\n"
    "observers:\n"
    "  walls: {type: walls, every: 1 ms}\n";

const char scr_example_vibration[] =
    "# The Brazil nut: a shaken box of small grains, and one large one at the bottom. Does it rise?\n"
    "scree: 1\n"
    "title: Brazil nut\n"
    "domain: {box: [[0, 0, -1 cm], [6 cm, 6 cm, 25 cm]]}\n"
    "materials: {glass: {density: 2500 kg/m^3, restitution: 0.6, friction: 0.4}}\n"
    "contacts: {any: {overlap: 10 %, speed: 1 m/s}}\n"
    "\n"
    "bodies:\n"
    "  nut: {from: positions, material: glass, diameter: 24 mm, position: [3 cm, 3 cm, 13 mm]}\n"
    "  grains:\n"
    "    from: random\n"
    "    material: glass\n"
    "    diameter: [7 mm, 8 mm]\n"
    "    count: 400\n"
    "    region: {box: [[0, 0, 5 mm], [6 cm, 6 cm, 20 cm]]}\n"
    "\n"
    "# They settle for half a second; then the box shakes with A (2 pi f)^2 = 2.3 g.\n"
    "walls:\n"
    "  box:\n"
    "    shape: box\n"
    "    material: glass\n"
    "    box: [[0, 0, 0], [6 cm, 6 cm, 30 cm]]\n"
    "    oscillation: {direction: [0, 0, 1], amplitude: 4 mm, frequency: 12 Hz, since: 0.5 s}\n"
    "\n"
    "time: {end: 5 s}\n"
    "output: {every: 50 ms}\n"
    "observers:\n"
    "  nut: {type: probe, group: nut, every: 10 ms}\n"
    "  bed: {type: probe, group: grains, every: 10 ms}\n";

const char scr_example_agglomerate[] =
    "# A ball of bonded grains hits a plate. What fragments does it break into?\n"
    "scree: 1\n"
    "title: agglomerate impact\n"
    "gravity: [0, 0, 0]\n"
    "domain: {box: [[-5 cm, -5 cm, -1 mm], [5 cm, 5 cm, 6 cm]], boundary: delete}\n"
    "materials:\n"
    "  stone: {density: 2500 kg/m^3, restitution: 0.6, friction: 0.4}\n"
    "  steel: {density: 7800 kg/m^3}\n"
    "contacts: {any: {stiffness: 200 kN/m, restitution: 0.6, friction: 0.4}}\n"
    "\n"
    "bodies:\n"
    "  ball:\n"
    "    from: packing\n"
    "    material: stone\n"
    "    diameter: [1.6 mm, 2 mm]\n"
    "    velocity: [0, 0, -8 m/s]\n"
    "    region: {shape: sphere, center: [0, 0, 11 mm], radius: 1 cm}\n"
    "\n"
    "# Neighbours up to 0.1 mm apart are glued; a bond breaks by tension or shear.\n"
    "bonds:\n"
    "  glue: {between: ball, gap: 0.1 mm, young: 0.2 GPa, tensile_strength: 1.5 MPa, shear_strength: 2 MPa}\n"
    "\n"
    "walls: {plate: {shape: plane, material: steel}}\n"
    "time: {end: 3 ms}\n"
    "output: {every: 50 us}\n"
    "observers:\n"
    "  pieces: {type: fragments, largest: 20, every: 50 us}\n"
    "  glue: {type: bonds, every: 50 us}\n"
    "  plate: {type: walls, wall: plate, every: 10 us}\n";

const char scr_example_mixer[] =
    "# A paddle from an STL file stirs grains in a round vessel. How much torque does it need?\n"
    "scree: 1\n"
    "title: paddle mixer\n"
    "domain: {box: [[-6 cm, -6 cm, -1 cm], [6 cm, 6 cm, 16 cm]]}\n"
    "materials:\n"
    "  glass: {density: 2500 kg/m^3, restitution: 0.5, friction: 0.5}\n"
    "  steel: {density: 7800 kg/m^3}\n"
    "contacts: {any: {overlap: 5 %, speed: 1 m/s, friction: 0.4, restitution: 0.5}}\n"
    "\n"
    "# Two colours, to see them mix. Grains are placed clear of the paddle.\n"
    "bodies:\n"
    "  left: {from: random, material: glass, diameter: [5 mm, 6 mm], count: 900,\n"
    "    region: {box: [[-5 cm, -5 cm, 0], [0, 5 cm, 16 cm]]}}\n"
    "  right: {from: random, material: glass, diameter: [5 mm, 6 mm], count: 900,\n"
    "    region: {box: [[0, -5 cm, 0], [5 cm, 5 cm, 16 cm]]}}\n"
    "\n"
    "walls:\n"
    "  vessel: {shape: cylinder, material: steel, from: [0, 0, -1 cm], to: [0, 0, 17 cm], radius: 5 cm}\n"
    "  floor: {shape: plane, material: steel}\n"
    "  paddle:\n"
    "    shape: mesh\n"
    "    material: steel\n"
    "    file: mixer.stl\n"
    "    scale: 0.001\n"
    "    rotation: {axis: [0, 0, 1], rate: 60 rpm, since: 0.4 s}\n"
    "\n"
    "time: {end: 3 s}\n"
    "output: {every: 40 ms, fields: [position, radius, velocity, spin, group]}\n"
    "observers:\n"
    "  torque: {type: walls, wall: paddle, every: 5 ms}\n"
    "  left_half: {type: count, region: {box: [[-6 cm, -6 cm, -1 cm], [0, 6 cm, 16 cm]]}, every: 20 ms}\n";

// ---- meshes, in millimetres ----

#define V(x, y, z) "      vertex " #x " " #y " " #z "\n"
#define FACET(a, b, c) "  facet normal 0 0 0\n    outer loop\n" a b c "    endloop\n  endfacet\n"
#define QUAD(a, b, c, d) FACET(a, b, c) FACET(a, c, d)

// four upright sides above four sloping ones; the orifice is 60 mm wide
const char scr_example_silo_stl[] =
    "solid silo\n"
    QUAD(V(-100, -100, 400), V(100, -100, 400), V(100, -100, 120), V(-100, -100, 120))
    QUAD(V(100, -100, 400), V(100, 100, 400), V(100, 100, 120), V(100, -100, 120))
    QUAD(V(100, 100, 400), V(-100, 100, 400), V(-100, 100, 120), V(100, 100, 120))
    QUAD(V(-100, 100, 400), V(-100, -100, 400), V(-100, -100, 120), V(-100, 100, 120))
    QUAD(V(-100, -100, 120), V(100, -100, 120), V(30, -30, 0), V(-30, -30, 0))
    QUAD(V(100, -100, 120), V(100, 100, 120), V(30, 30, 0), V(30, -30, 0))
    QUAD(V(100, 100, 120), V(-100, 100, 120), V(-30, 30, 0), V(30, 30, 0))
    QUAD(V(-100, 100, 120), V(-100, -100, 120), V(-30, -30, 0), V(-30, 30, 0))
    "endsolid silo\n";

// a blade of 80 x 4 x 30 mm across the axis, 8 mm above the floor
const char scr_example_mixer_stl[] =
    "solid paddle\n"
    QUAD(V(-40, -2, 8), V(-40, 2, 8), V(40, 2, 8), V(40, -2, 8))
    QUAD(V(-40, -2, 38), V(40, -2, 38), V(40, 2, 38), V(-40, 2, 38))
    QUAD(V(-40, -2, 8), V(40, -2, 8), V(40, -2, 38), V(-40, -2, 38))
    QUAD(V(-40, 2, 8), V(-40, 2, 38), V(40, 2, 38), V(40, 2, 8))
    QUAD(V(-40, -2, 8), V(-40, -2, 38), V(-40, 2, 38), V(-40, 2, 8))
    QUAD(V(40, -2, 8), V(40, 2, 8), V(40, 2, 38), V(40, -2, 38))
    "endsolid paddle\n";

// clang-format on
