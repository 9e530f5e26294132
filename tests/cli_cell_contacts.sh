#!/bin/bash
# Elastic solids among grains and walls: a run that is cut and resumed gives the bits of a run that was not.
. "$(dirname "$0")/lib/cli.sh"

cat >blocks.yaml <<'YAML'
scree: 1
domain: {box: [[-0.6, -0.6, -0.2], [0.6, 0.6, 1.2]]}
seed: 3
gravity: [0, 0, -9.81]
materials:
  rubber: {density: 1000, young: 1e6, poisson: 0.25}
  stone: {density: 2000, young: 1e7, poisson: 0.3}
contacts: {any: {normal: hertz, restitution: 0.5, friction: 0.5}}
solids:
  low: {mesh: block, box: [[-0.3, -0.3, 0], [0.3, 0.3, 0.15]], cells: [8, 8, 2], material: rubber}
  high: {mesh: block, box: [[-0.15, -0.15, 0.151], [0.15, 0.15, 0.3]], cells: [4, 4, 2], material: rubber, spin: [0, 0, 4]}
bodies:
  grains: {from: random, material: stone, radius: [15 mm, 25 mm], count: 60, velocity: [0, 0, -1.5],
           region: {shape: box, box: [[-0.3, -0.3, 0.33], [0.3, 0.3, 0.6]]}}
walls:
  floor: {shape: plane, material: stone, point: [0, 0, 0], normal: [0, 0, 1]}
  lid: {shape: plane, material: stone, point: [0, 0, 0.8], normal: [0, 0, -1], velocity: [0, 0, -0.5]}
stepper: {type: elastic}
time: {end: 0.2}
output: {every: 0.05, checkpoint: 0.03, contacts: true}
observers:
  energy: {type: ledger, every: 0.02}
  touching: {type: coordination, every: 0.05}
  pushed: {type: walls, every: 0.05}
YAML

must "a whole run" run blocks.yaml --threads 1 --output whole.h5
whole=$(digest) last=$(steps)
check "it has a digest" test -n "$whole"
number "grains and cells touch at the end" "$(told contacts)" 100 2000
runs "two threads give the same" 0 run blocks.yaml --threads 2 --output two.h5 --quiet
same "same digest with two threads" "$whole" "$(digest)"
SCREE_VECTOR=portable run run blocks.yaml --threads 1 --output three.h5 --quiet
same "same digest with other instructions" "$whole" "$(digest)"

rm -rf cut.h5*
run run blocks.yaml --output cut.h5 --threads 2 --set "time.end=71.3 ms"
run run blocks.yaml --resume cut.h5 --threads 1 --set "time.end=123 ms"
run run blocks.yaml --resume cut.h5 --threads 2
same "cut twice and resumed: digest" "$whole" "$(digest)"
same "cut twice: steps" "$last" "$(steps)"

# a ball breaks a plate, whose pieces meet each other and the floor
cat >plate.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -1], [1, 1, 2]]}
gravity: [0, 0, -9.81]
materials:
  glass: {density: 2500, young: 1e8, poisson: 0.2}
  steel: {density: 7800, young: 1e9, poisson: 0.3}
contacts: {any: {normal: hertz, restitution: 0.6, friction: 0.4}}
solids:
  plate: {mesh: block, box: [[-0.5, -0.5, 0.3], [0.5, 0.5, 0.4]], cells: [10, 10, 2], jitter: 0.2, material: glass,
          tensile_strength: 4e5, shear_strength: 8e5}
patches: {rim: {solids: [plate], sides: [x-, x+]}}
supports: {hold: {patch: rim}}
bodies:
  ball: {from: lattice, material: steel, radius: 0.12, velocity: [0, 0, -6], count: 1,
         region: {shape: box, box: [[-0.09, -0.15, 0.41], [0.17, 0.11, 0.67]]}}
walls: {floor: {shape: plane, material: steel, point: [0, 0, 0], normal: [0, 0, 1]}}
stepper: {type: elastic}
time: {end: 0.12}
output: {every: 0.03, checkpoint: 0.02}
observers: {energy: {type: ledger, every: 0.01}}
YAML
must "a plate breaks" run plate.yaml --threads 1 --output whole.h5
whole=$(digest)
runs "two threads give the same" 0 run plate.yaml --threads 2 --output two.h5 --quiet
same "same digest with two threads" "$whole" "$(digest)"
number "energy was set free" "$(ledger_of whole.h5 cracked)" 1 1000
rm -rf cut.h5*
run run plate.yaml --output cut.h5 --threads 2 --set "time.end=31.3 ms"
run run plate.yaml --resume cut.h5 --threads 1 --set "time.end=77 ms"
run run plate.yaml --resume cut.h5 --threads 2
same "cut twice and resumed: digest" "$whole" "$(digest)"

finish
