#!/bin/bash
# The stepper nonsmooth with reduction gives the same bits for any number of threads and any instruction set, and after
# a restart at any moment: with an inlet, an outlet, belts, a drum, a sensor and a wall that goes.
. "$(dirname "$0")/lib/cli.sh"

cat >plant.yaml <<'YAML'
scree: 1
domain: {box: [[-0.3, -0.2, -0.2], [0.5, 0.2, 0.5]], boundary: delete}
materials:
  rock: {density: 3700, restitution: 0.18, friction: 0.6, rolling_friction: 0.2}
contacts:
  any: {stiffness: 3 kN/m, rolling: sds}
bodies:
  rain: {from: inlet, material: rock, diameter: [10 mm, 13 mm], rate: 250, velocity: [0, 0, -1], region: {box: [[0, -0.04, 0.2], [0.08, 0.04, 0.3]]}}
  load: {from: lattice, material: rock, diameter: [10 mm, 13 mm], spacing: 14 mm, region: {box: [[-0.22, -0.04, 0.04], [-0.12, 0.04, 0.11]]}}
  heap: {from: lattice, material: rock, diameter: [10 mm, 13 mm], spacing: 13.5 mm, jitter: 1, velocity: [0.1, 0.2, 0], region: {box: [[0.101, 0.06, 0.001], [0.16, 0.12, 0.06]]}}
outlets:
  end: {shape: plane, point: [0.2, 0, 0], normal: [1, 0, 0]}
walls:
  belt: {shape: plane, material: rock, velocity: [0.15, 0, 0]}
  drum: {shape: cylinder, material: rock, from: [-0.17, -0.5, 0.08], to: [-0.17, 0.5, 0.08], radius: 0.08, rotation: {point: [-0.17, 0, 0.08], axis: [0, 1, 0], rate: 1}}
  gate: {shape: disc, material: rock, center: [0.05, 0, 0.12], normal: [0, 0, 1], radius: 0.03, until: 0.6}
resolved_regions:
  eye: {box: [[0.05, -0.1, 0], [0.08, 0.1, 0.1]], moves_with: belt}
stepper: {type: nonsmooth, reduction: on}
time: {end: 1.3 s, step: 2 ms}
output: {every: 500 ms}
YAML
must "one thread" run plant.yaml --threads 1 --output one.h5
whole=$(digest)
number "grains have come and gone" "$(told grains)" 200 600
number "grains merged and split" "$(ledger_of one.h5 splits_per_second)" 1 1e6
for threads in 2 3; do
    must "$threads threads" run plant.yaml --threads $threads --output other.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
done
for vector in portable avx2 avx512; do
    SCREE_VECTOR=$vector run run plant.yaml --threads 1 --output other.h5 --quiet
    same "$vector: exit code" 0 "$code" # a machine that does not have it uses what it has
    same "$vector: the same bits" "$whole" "$(digest)"
done
# before anything merged, with grains asleep on the gate, just before and after it goes, after the bodies were sorted
for moment in 0.05 0.3 0.598 0.602 1.026; do
    must "until $moment s" run plant.yaml --threads 2 --output part.h5 --set time.end=$moment --quiet
    must "and on" run plant.yaml --threads 1 --resume part.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
    rm -rf part.h5*
done

# a belt that ends where grains sleep on it: they go over its seam and over its end
sed 's/^  belt: .*/  belt: {shape: rectangle, material: rock, corner: [-0.3, -0.05, 0], along: [0.45, 0, 0], across: [0, 0.2, 0], solid: yes, surface_velocity: [0.15, 0, 0]}/
    s/^  eye: .*/  eye: {box: [[0.1, -0.1, 0], [0.12, 0.1, 0.1]]}/' plant.yaml >end.yaml
must "a belt that ends" run end.yaml --threads 1 --output end.h5 --quiet
whole=$(digest)
SCREE_VECTOR=portable run run end.yaml --threads 3 --output other.h5 --quiet
same "three threads without vectors: the same bits" "$whole" "$(digest)"
must "until 0.9 s" run end.yaml --threads 2 --output part.h5 --set time.end=0.9 --quiet
must "and on" run end.yaml --threads 1 --resume part.h5 --quiet
same "the same bits" "$whole" "$(digest)"

finish
