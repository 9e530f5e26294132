/* Scenes of the benchmarks of the stepper `nonsmooth`: the three scenarios of Servin & Wang 2015 (numbers of their
 * table 1; cases/servin2015 measures what they look like), and a bed in a box. What varies is in `values`. */
#include "bench.h"

#define NUMBERS    \
    "  d: 13 mm\n" \
    "  fine: 10 mm\n"
#define ROCK       \
    "materials:\n" \
    "  rock: {density: 3700, restitution: 0.18, friction: 0.91, rolling_friction: 0.32}\n"
#define ICE       "  ice: {density: 3700, restitution: 0.18, friction: 0, rolling_friction: 0}\n"
#define TWO_SIZES "sizes: {distribution: table, table: [[=fine, 0.5], [=d, 0.5], [=d, 1]]}"
#define SEED      "seed: =seed\n"
#define CLOCK                       \
    "time: {end: =T, step: 5 ms}\n" \
    "output: {every: =T, checkpoint: =T}\n"

const char bench_conveyor_text[] =
    "scree: 1\n" SEED "values:\n" NUMBERS "  seed: 1\n"
    "  T: 8 s\n"
    "  belt: 8 s\n"
    "  length: =15*d + 0.1*belt + 0.5\n"
    "domain: {box: [[-0.5, -0.6, -0.05], [=length, 0.6, 0.4]]}\n" ROCK
    "contacts: {any: {stiffness: 3 kN/m, rolling: constant}}\n"
    "bodies:\n"
    "  grains: {from: inlet, material: rock, diameter: =d, rate: 1000, velocity: [0, 0, -1],\n"
    "    region: {shape: box, box: [[=-d/2, =-2.5*d, =0.26 - d/2], [=15.5*d, =2.5*d, =0.26 + d/2 + "
    "1e-6]]}}\n"
    "walls: {belt: {shape: plane, material: rock, point: [0, 0, 0], normal: [0, 0, 1], velocity: "
    "[0.1, 0, 0]}}\n"
    "stepper: {type: nonsmooth, impact_sweeps: 30, anticipation: 0}\n" CLOCK "observers:\n"
    "  ridge: {type: pile, direction: [0, 1, 0], sides: both, base: 0, cell: =d, slice: =5*d, "
    "trim: =27*d,\n"
    "    box: [[=20*d, -0.6, -0.05], [=length, 0.6, 0.4]], every: =T}\n";

#define BOX                                                                                    \
    "domain: {box: [[-0.01, -0.01, -0.01], [=5*L, =L + 0.01, =5*L]]}\n" ROCK ICE "contacts:\n" \
    "  any: {stiffness: 3 kN/m, rolling: constant}\n"                                          \
    "  rock/ice: {friction: 0, rolling_friction: 0}\n"                                         \
    "bodies:\n"                                                                                \
    "  grains: {from: lattice, material: rock, " TWO_SIZES ",\n"                               \
    "    spacing: =1.05*d, jitter: 1, count: =grains,\n"                                       \
    "    region: {shape: box, box: [[=0.01*d, =0.01*d, =0.01*d], [=L, =L, =5*L]]}}\n"          \
    "walls:\n"                                                                                 \
    "  floor: {shape: plane, material: rock, point: [0, 0, 0], normal: [0, 0, 1]}\n"           \
    "  back: {shape: plane, material: ice, point: [0, 0, 0], normal: [1, 0, 0]}\n"             \
    "  left: {shape: plane, material: ice, point: [0, 0, 0], normal: [0, 1, 0]}\n"             \
    "  right: {shape: plane, material: ice, point: [0, =L, 0], normal: [0, -1, 0]}\n"
#define BOX_VALUES                    \
    "values:\n" NUMBERS "  seed: 1\n" \
    "  T: 1.2 s\n"                    \
    "  grains: 4000\n"                \
    "  L: =15*d\n"

const char bench_settle_text[] =
    "scree: 1\n" SEED BOX_VALUES BOX "  gate: {shape: plane, material: ice, point: [=L, 0, 0], normal: [-1, 0, 0]}\n"
    "stepper: {type: nonsmooth, sweeps: 300, impact_sweeps: 40, anticipation: 0}\n" CLOCK;

const char bench_collapse_text[] =
    "scree: 1\n" SEED BOX_VALUES BOX "stepper: {type: nonsmooth, impact_sweeps: 50, anticipation: 0}\n" CLOCK
    "observers:\n"
    "  bank: {type: pile, direction: [1, 0, 0], base: 0, cell: =d, crest: [=d, =5*d], beyond: "
    "=4*d,\n"
    "    box: [[-0.01, 0, -0.01], [=5*L, =L, =5*L]], every: =T}\n";

const char bench_drum_text[] =
    "scree: 1\n" SEED "values:\n" NUMBERS "  seed: 1\n"
    "  T: 8 s\n"
    "  grains: 4864\n"
    "  R: =20*d\n"
    "  w: =7*d\n"
    "domain: {box: [[=-1.05*R, =-0.55*w, =-1.05*R], [=1.05*R, =0.55*w, =1.05*R]]}\n" ROCK ICE "contacts:\n"
    "  any: {stiffness: 3 kN/m, rolling: constant}\n"
    "  rock/ice: {friction: 0, rolling_friction: 0}\n"
    "bodies:\n"
    "  grains: {from: lattice, material: rock, " TWO_SIZES ",\n"
    "    spacing: =1.02*d, jitter: 0.5, count: =grains,\n"
    "    region: {shape: cylinder, from: [0, =-w/2, 0], to: [0, =w/2, 0], radius: =R}}\n"
    "walls:\n"
    "  drum: {shape: cylinder, material: rock, from: [0, =-w/2, 0], to: [0, =w/2, 0], radius: =R,\n"
    "    solid: outside, rotation: {axis: [0, -1, 0], rate: 0.5}}\n"
    "  front: {shape: plane, material: ice, point: [0, =-w/2, 0], normal: [0, 1, 0]}\n"
    "  rear: {shape: plane, material: ice, point: [0, =w/2, 0], normal: [0, -1, 0]}\n"
    "stepper: {type: nonsmooth, impact_sweeps: 50, anticipation: 0, rolling_radius: "
    "effective}\n" CLOCK "observers:\n"
    "  surface: {type: tops, direction: [1, 0, 0], center: [0, =-w/2, 0], cell: =d, network: yes,\n"
    "    box: [[=-R/2, =-0.55*w, =-1.05*R], [=R/2, =0.55*w, =1.05*R]], every: =T}\n";

const char bench_rest_text[] =
    "scree: 1\n" SEED "values:\n" NUMBERS "  seed: 1\n"
    "  T: 5 s\n"
    "  calm: 4 s\n"
    "  grains: 25000\n"
    "  side: 32\n"
    "  L: =1.05*d*side\n"
    "domain: {box: [[-0.01, -0.01, -0.01], [=L + 0.01, =L + 0.01, 1]]}\n" ROCK ICE "contacts:\n"
    "  any: {stiffness: 3 kN/m, rolling: constant}\n"
    "  rock/ice: {friction: 0, rolling_friction: 0}\n"
    "bodies:\n"
    "  grains: {from: lattice, material: rock, diameter: =d, spacing: =1.05*d, jitter: 1, count: "
    "=grains,\n"
    "    region: {shape: box, box: [[0, 0, 0], [=L + 1e-6, =L + 1e-6, 0.9]]}}\n"
    "  stone: {from: inlet, material: rock, diameter: =d, rate: 1000, count: 1, start: =calm, "
    "velocity: [0, 0, -2],\n"
    "    region: {shape: box, box: [[=L/2 - 2*d, =L/2 - 2*d, 0.42], [=L/2 + 2*d, =L/2 + 2*d, "
    "0.45]]}}\n"
    "walls:\n"
    "  floor: {shape: plane, material: rock, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  back: {shape: plane, material: ice, point: [0, 0, 0], normal: [1, 0, 0]}\n"
    "  front: {shape: plane, material: ice, point: [=L, 0, 0], normal: [-1, 0, 0]}\n"
    "  left: {shape: plane, material: ice, point: [0, 0, 0], normal: [0, 1, 0]}\n"
    "  right: {shape: plane, material: ice, point: [0, =L, 0], normal: [0, -1, 0]}\n"
    "stepper: {type: nonsmooth, impact_sweeps: 30}\n" CLOCK;
