#!/bin/bash
# The energy balance with its verdict: what a run says at its end, what info, report and compare say of it later.
. "$(dirname "$0")/lib/cli.sh"

# a grain of m = 0.0104720 kg falls, and bounces on a floor without loss
cat >fall.yaml <<'YAML'
scree: 1
gravity: [0, 0, -10]
domain: {box: [[-1, -1, -1], [1, 1, 3]]}
materials: {glass: {density: 2500, restitution: 1, friction: 0}}
contacts: {any: {stiffness: 1e4}}
bodies: {ball: {from: positions, material: glass, radius: 1 cm, position: [0, 0, 2.01]}}
walls: {floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}}
time: {end: 0.5, step: 1e-4}
output: {every: 0.05}
YAML
# part FILE: per cent; turned FILE: [J]
part() { sed -n 's/.*energy balance error .* J, \([-+0-9.e]*\) % of .*/\1/p' "$1"; }
turned() { sed -n 's/.*energy balance error .* % of \([-+0-9.e]*\) J exchanged.*/\1/p' "$1"; }

must "a fall" run fall.yaml
number "what was turned over is m g^2 t^2/2" "$(turned out)" 0.13089 0.13091
number "a fall is exact" "$(part out)" 0 1e-9
matches out '^energy balance error .* J, .* % of .* J exchanged: fine$' "it is fine"
line=$(grep '^energy balance' out)
must "info" info fall.h5
says out " energy      ${line#energy }" "info says the same"
must "a page" report fall.h5
says fall.html "<p class=\"good\">E${line#e}.</p>" "the page says the same"

must "many bounces" run fall.yaml --set time.end=20 --output bounces.h5
number "they turn over m g h, to a per cent of the frames' times" "$(turned out)" 0.200 0.2115
number "and leave" "$(part out)" 0 1 # 0.25
must "in steps that are too long" run fall.yaml --set time.end=20 --set time.step=1e-3 --output long.h5
number "leave more than 5 per cent" "$(part out)" 5 100 # 17
matches out 'exchanged: large; use a smaller time step$' "it says what to do"
must "its page" report long.h5
matches long.html '<p class="bad">Energy balance error .* large; use a smaller time step' "the page warns"
must "both compared" compare bounces.h5 long.h5 --table
matches out '^ *energy balance error +J ' "the table has both errors"
matches err 'long.h5: warning: energy balance error .* large; use a smaller time step' "and it warns of one"
says_not err "bounces.h5: warning: energy balance" "but not of the other"

# where potential energy counts from does not matter, nor what grains bring that come and take that go
cat >pour.yaml <<'YAML'
scree: 1
gravity: [0, 0, -10]
values: {up: 0 m}
domain: {box: [[-1, -1, "=up - 1"], [1, 1, "=up + 1"]], boundary: delete}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1e4}}
bodies:
  drops: {from: inlet, material: glass, radius: 1 cm, rate: 20, region: {box: [[-0.1, -0.1, "=up + 0.5"], [0.1, 0.1, "=up + 0.6"]]}}
time: {end: 1, step: 1e-3}
YAML
must "grains that come and go" run pour.yaml
low=$(turned out)
must "a hundred metres higher" run pour.yaml --set "values.up=100 m"
high=$(turned out)
number "the same is turned over" "$(awk -v a="$low" -v b="$high" 'BEGIN { print b / a }')" 0.99 1.01

# a state of rest has load steps
cat >beam.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-5, -5, -5], [15, 5, 5]]}
materials: {steel: {density: 7800, young: 1e9, poisson: 0.3}}
solids: {beam: {mesh: block, material: steel, box: [[0, 0, 0], [10, 1, 1]], cells: [10, 1, 1]}}
patches: {root: {sides: [x-]}, tip: {sides: [x+]}}
supports: {root: {patch: root}}
loads: {pull: {type: force, patch: tip, force: [0, 0, 3e6]}}
stepper: elastic
time: {end: 0.2}
YAML
must "a beam bent far in one load step" equilibrate beam.yaml --steps 1
matches out '^energy balance error .* exchanged: (noticeable; see whether|large; use) more load steps' \
    "the advice is for load steps"
must "info of it" info beam.h5
matches out '^ *energy +balance error .* more load steps' "and in the results"

finish
