#!/bin/bash
# The stepper elastic from the command line: its time step, the same bits for any number of threads, for all instruction
# sets and after a restart at any moment, with everything that acts on solids.
. "$(dirname "$0")/lib/cli.sh"

cat >beam.yaml <<'YAML'
scree: 1
gravity: [0, 0, -9.81]
domain: {box: [[-1, -1, -1], [3, 3, 3]]}
materials:
  rubber: {density: 1000, young: 1 MPa, poisson: 0.3}
solids:
  beam: {mesh: block, material: rubber, box: [[0, 0, 0], [1.6, 0.3, 0.3]], cells: [30, 9, 9], jitter: 0.2, damping: 2, spin: [0, 3, 1]}
  plate: {mesh: block, material: rubber, box: [[0, 1, 0], [1, 2, 0.02]], cells: [20, 20, 1], stiffness_damping: 1e-5}
patches:
  root: {solids: [beam], sides: [x-]}
  tip: {solids: [beam], sides: [x+]}
  rim: {solids: [plate], sides: [x-, x+]}
  top: {solids: [plate], sides: [z+]}
supports:
  clamp: {patch: root}
  wring: {patch: tip, rotation: [0.2, 0, 0], point: [0, 0.15, 0.15], signal: {type: sine, frequency: 20 Hz}}
  hinge: {patch: rim, holds: [x, y, z]}
loads:
  press: {type: pressure, patch: top, pressure: 50, signal: {type: ramp, duration: 10 ms}}
sponges:
  end: {point: [1.6, 0, 0], normal: [1, 0, 0], width: 0.5, rate: 100}
stepper: elastic
time: {end: 30 ms}
output: {every: 10 ms}
YAML
must "one thread" run beam.yaml --threads 1 --output one.h5
whole=$(digest)
matches err 'time step .* 0\.[45][0-9]* times .*bound of the links at cell [0-9]+ of the solid beam.*large strains' \
    "half of the bound"
for threads in 2 3; do
    must "$threads threads" run beam.yaml --threads $threads --output other.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
done
for vector in portable avx2 avx512; do
    SCREE_VECTOR=$vector run run beam.yaml --threads 1 --output other.h5 --quiet
    same "$vector: exit code" 0 "$code" # a machine that does not have it uses what it has
    same "$vector: the same bits" "$whole" "$(digest)"
done
for moment in 0.0101 0.02; do
    must "until $moment s" run beam.yaml --threads 2 --output part.h5 --set time.end=$moment --quiet
    must "and on" run beam.yaml --threads 1 --resume part.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
    rm -rf part.h5*
done

# small strains allow longer steps
must "small strains" run beam.yaml --output other.h5 --set stepper.strain=small --set time.end=0.001
matches err 'time step .* 0\.[78][0-9]* times .*small strains' "0.8 of the bound"
runs "a step above the bound" 2 run beam.yaml --output other.h5 --set time.step=1e-3
matches err 'time step 0\.001 s is above .* s, the bound of the links at cell' "says the bound"

finish
