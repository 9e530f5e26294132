#!/bin/bash
# The stepper variational chooses its steps between bounds by how far grains get in them: a grain that lies, falls a
# long way, hits the floor and lies again; the same bits for any number of threads and after a restart; bounds that
# contradict.
. "$(dirname "$0")/lib/cli.sh"

cat >drop.yaml <<'YAML'
scree: 1
gravity: [0, 0, -1]
domain: {box: [[-5, -5, -1], [5, 5, 30]]}
materials: {unit: {density: =6/pi, restitution: 0.3, friction: 0.5}}
contacts: {any: {stiffness: 195000}}
bodies: {ball: {from: positions, material: unit, diameter: 1, position: [0, 0, =20.5 - 1/195000]}}
walls:
  floor: {shape: plane, material: unit}
  gate: {shape: disc, material: unit, center: [0, 0, 20], normal: [0, 0, 1], radius: 2, until: 4.9}
stepper: {type: variational, theta: 1, step_most: 0.5 s, step_least: 0.1 ms}
observers: {ball: {type: probe, id: 1, every: 0.5}, solver: {type: solver, every: 0.5}}
time: {end: 20}
output: {every: 0.5}
YAML

# of RESULTS: the value of an observer's column at a time
at() { "$scree" export "$1" --series "$2" --output row >/dev/null && awk -F, -v key="$3" -v t="$4" \
    'NR == 1 {for (k = 1; k <= NF; k++) {sub(/ \[.*/, "", $k); if ($k == key) c = k}; next} $1 == t {print $c}' \
    row.csv; }

must "what check says" check drop.yaml
says err "time step 0.5 s: stepper.step_most, rounded so that output times coincide with steps"
# 0.5 s halved twelve times is 0.12 ms, ten times is all that `halvings` has
says err "steps of 0.0004883 to 0.5 s: divided where grains would move further than 0.04 of the smallest radius"
must "a fall" run drop.yaml --threads 1 --output drop.h5
whole=$(digest)
matches out \
    "^implicit [0-9]+ steps of 0.001953 to 0.5 s, mean [0-9.]+ s; 0 halvings, [1-9][0-9]* where grains moved too far"
same "at rest: whole steps" 1 "$(at drop.h5 solver substeps 4.5)"
# the gate has gone: what was expected to lie falls, and the step is done again in halves
number "which is found out" "$(at drop.h5 solver rejected 5)" 1 3
number "shorter ones, as it falls" "$(at drop.h5 solver substeps 5.5)" 8 40
# (v + g h) h <= 0.02 from v = 5 to 6: 1/256 of the step, all along it
same "and in all parts of the step" 256 "$(at drop.h5 solver substeps 11)"
same "not divided any more" 1 "$(at drop.h5 solver substeps 15)"
same "the shortest" 0.001953125 "$(at drop.h5 solver step_least 20)"
same "the longest" 0.5 "$(at drop.h5 solver step_most 20)"
# backward Euler has the speed of a fall exactly; the gate has gone by 4.5 + 0.5 s/2^k
number "its speed" "$(at drop.h5 ball vz 11)" -6.13 -6.0
number "it lies on the floor" "$(at drop.h5 ball z 20)" 0.4999948 0.4999949 # 0.5 - 1/195000
must "the mean is in the results too" info drop.h5
says out "step_mean"

for threads in 2 3; do
    must "$threads threads" run drop.yaml --threads $threads --output other.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
done
for moment in 5 11 11.5; do
    must "until $moment s" run drop.yaml --output part.h5 --set time.end=$moment --quiet
    must "and on" run drop.yaml --resume part.h5
    same "the same bits" "$whole" "$(digest)"
    matches out "^implicit [0-9]+ steps of 0.001953 to 0.5 s"
    rm -rf part.h5*
done

# ---- bounds ----

must "narrow bounds" run drop.yaml --set stepper.step_least=5ms --set stepper.step_most=0.2 --output narrow.h5
matches out "^implicit [0-9]+ steps of 0.005208 to 0.1667 s" # 0.5 s in threes, and 1/32 of that
must "a smaller longest step on the way" run drop.yaml --resume narrow.h5 --set stepper.step_most=0.125 \
    --set time.end=21
says err "the time step changes from 0.166666667 s to 0.125 s"
must "a lower bound alone" run drop.yaml --set stepper.step_least=0.3 --set stepper.step_most=auto --set time.end=4 \
    --output least.h5
matches err \
    "time step 0.5 s: stepper.step_least, rounded so that output times coincide with steps; 0.06[0-9]+ s would have been chosen"
matches out "^implicit 8 steps of 0.5 to 0.5 s" # in twos they would be below
runs "one that is too long" 1 run drop.yaml --set stepper.step_least=0.3 --set stepper.step_most=auto --output long.h5
matches err \
    "no solution, down to a step of 0.5 s \(0 halvings\); .*grain 1 .*; a smaller time.step or stepper.step_least, or more"
says err "state written as checkpoint of step"
must "with another bound it goes on" run drop.yaml --resume long.h5 --set stepper.step_least=auto
matches out "^implicit [0-9]+ steps of 0.001953 to 0.5 s"
number "to the floor" "$(at long.h5 ball z 20)" 0.4999948 0.4999949
must "with a step that is given" run drop.yaml --set stepper.step_most=auto --set time.step=0.25 \
    --set stepper.motion=0.1 --output given.h5
matches out "^implicit [0-9]+ steps of 0.00[0-9]+ to 0.25 s"
must "as it is given" run drop.yaml --set stepper.step_most=auto --set time.step=5ms --output given.h5
matches out "^implicit 4000 steps of 0.005 to 0.005 s"
must "contacts that are resolved" check drop.yaml --set stepper.theta=0.5
matches err "time step 0.0002515 s: shortest contact .*; theta above 0.5 allows longer steps"
runs "a longest step beside the step" 2 check drop.yaml --set time.step=0.1
says err "stepper.step_most is 0.5 s, but time.step is given, 0.1 s, and is the longest step: leave one of the two out"
matches err "^drop.yaml:10:[0-9]+: error: stepper.step_most"
runs "the wrong way round" 2 check drop.yaml --set stepper.step_least=1
says err "stepper.step_least is 1 s, must not be above stepper.step_most, 0.5 s"
runs "above the step" 2 check drop.yaml --set stepper.step_most=auto --set time.step=0.1 --set stepper.step_least=0.2
says err "stepper.step_least is 0.2 s, must not be above time.step, 0.1 s"
runs "zero" 2 check drop.yaml --set stepper.step_least=0

# ---- a grain that leaves, in one of the parts of a step ----

cat >leave.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {g: {from: lattice, material: m, radius: 2 mm, spacing: 4.1 mm, count: 50, velocity: [0, 0, -0.5], region: {box: [[0.01, 0.01, 0.02], [0.09, 0.09, 0.09]]}}}
stepper: {type: variational, motion: 0.01}
time: {end: 1, step: 7 ms}
output: {every: 0.21, contacts: yes}
observers: {c: {type: coordination, every: 7 ms}}
YAML
runs "a grain leaves" 1 run leave.yaml --output leave.h5
same "it is said once" 1 "$(grep -c "left the domain" err)"
says err "error: step 5, time 0.03609375 s: grain 1 left the domain" "with the time of the part"
says err "state written as checkpoint of step 5" "the run ends there"
runs "info" 0 info leave.h5
matches out "checkpoints .*step 5 \(0.03609" "and nowhere else"
must "it goes on from there" run leave.yaml --resume leave.h5 --set domain.boundary=delete
says out "steps 143, time 1.00209375 s, 0 grains" "to the end"

finish
