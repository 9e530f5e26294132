#!/bin/bash
# scree equilibrate of grains with loads that move: walls and groups are where they are at the time of the load step,
# and the grains at rest between them; their work; the same bits for any number of threads and after a restart.
. "$(dirname "$0")/lib/cli.sh"

# the last row of an observer
last_of() { "$scree" info "$1" | awk -v name="$2" -v key="$3" \
    '/\): [0-9]+ rows/ {on = index($0, name " (") > 0} on && $1 == key {print $2; exit}'; }

# ---- four grains between a floor and a lid that comes down: 0.2 for five contacts ----

cat >squeeze.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-1, -1, -1], [1, 1, 5]]}
materials: {unit: {density: =6/pi, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {all: {from: lattice, kind: sc, material: unit, diameter: 1, spacing: 1, region: {box: [[-0.5, -0.5, 0], [0.5, 0.5, 4]]}}}
walls:
  floor: {shape: plane, material: unit}
  lid: {shape: plane, material: unit, point: [0, 0, 4.2], normal: [0, 0, -1], velocity: [0, 0, -0.4]}
observers: {on: {type: walls}, stress: {type: stress, box: [[-0.5, -0.5, 0], [0.5, 0.5, 3.8]]}}
time: {end: 1}
YAML
must "a lid comes down" equilibrate squeeze.yaml --steps 4 --output squeeze.h5
number "force on the lid" "$(last_of squeeze.h5 on lid.fz)" 39.9999999 40.0000001 # 1000 N/m times 0.2 m/5; off by 3e-9
number "stress" "$(last_of squeeze.h5 stress zz)" 39.9999999 40.0000001
number "where the lid is" "$(last_of squeeze.h5 on lid.z)" -0.40000001 -0.39999999
number "energy stored" "$(ledger_of squeeze.h5 elastic_normal)" 3.99999999 4.00000001
number "work of the lid: that" "$(ledger_of squeeze.h5 wall_work)" 3.9995 4.0005 # of second order; off by 3e-5
number "its ledger closes" "$(ledger_of squeeze.h5 closure)" -1e-12 1e-12 # 2e-14
number "dampers take nothing" "$(ledger_of squeeze.h5 damping)" 0 0
must "it goes up again" equilibrate squeeze.yaml --steps 4 --from squeeze.h5 --set 'walls.lid.velocity=[0, 0, 0.4]' \
    --output open.h5
number "nothing is stored any more" "$(ledger_of open.h5 elastic_normal)" 0 1e-14
number "and the work came back" "$(ledger_of open.h5 wall_work)" -4.0005 -3.9995

# the lid slides: the grain under it rolls, half as far and without a force
one=(--set 'bodies.all.region={box: [[-0.5, -0.5, 0], [0.5, 0.5, 1]]}' --set 'walls.lid.point=[0, 0, 1]')
must "one grain is held" equilibrate squeeze.yaml --steps 2 --output held.h5 "${one[@]}" \
    --set 'walls.lid.velocity=[0, 0, -0.02]'
must "the lid slides" equilibrate squeeze.yaml --steps 2 --from held.h5 --output roll.h5 "${one[@]}" \
    --set 'walls.lid.velocity=[0.4, 0, 0]' --set 'observers.ball={type: probe, id: 1}'
number "the grain" "$(last_of roll.h5 ball x)" 0.1999999 0.2000001 # 0.2; off by 3e-12
number "the force across" "$(last_of roll.h5 on lid.fx)" -1e-7 1e-7

# ---- a grain of prescribed motion presses on another ----

cat >press.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-1, -1, -1], [1, 1, 5]]}
materials: {unit: {density: =6/pi, restitution: 0.5, friction: 0}}
contacts: {any: {stiffness: 1000, tangential: none}}
bodies:
  free: {from: lattice, kind: sc, material: unit, diameter: 1, spacing: 1, region: {box: [[-0.5, -0.5, 0], [0.5, 0.5, 1]]}}
  ram: {from: lattice, kind: sc, material: unit, diameter: 1, spacing: 1, motion: {velocity: [0, 0, -0.1]}, region: {box: [[-0.5, -0.5, 1], [0.5, 0.5, 2]]}}
walls: {floor: {shape: plane, material: unit}}
time: {end: 1}
YAML
must "a ram" equilibrate press.yaml --steps 5 --output press.h5
number "energy stored" "$(ledger_of press.h5 elastic_normal)" 2.49999999 2.50000001 # 2 of 1000 N/m times 0.05^2/2
# linear: exact but for the tolerance; off by 2e-7
number "work of the ram: that" "$(ledger_of press.h5 group_work)" 2.4999 2.5001
number "its ledger closes" "$(ledger_of press.h5 closure)" -1e-12 1e-12 # 6e-15

# ---- six walls close in on grains with friction: bits ----

cat >box.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-0.3, -0.3, -0.3], [3.3, 3.3, 3.3]]}
materials: {unit: {density: =6/pi, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1000}}
bodies: {all: {from: lattice, kind: sc, material: unit, diameter: [0.8, 1], spacing: 1, jitter: 1, region: {box: [[0, 0, 0], [3, 3, 3]]}}}
walls:
  west: {shape: plane, material: unit, normal: [1, 0, 0], velocity: [0.1, 0, 0]}
  east: {shape: plane, material: unit, point: [3, 0, 0], normal: [-1, 0, 0], velocity: [-0.1, 0, 0]}
  south: {shape: plane, material: unit, normal: [0, 1, 0], velocity: [0, 0.1, 0]}
  north: {shape: plane, material: unit, point: [0, 3, 0], normal: [0, -1, 0], velocity: [0, -0.1, 0]}
  floor: {shape: plane, material: unit, velocity: [0, 0, 0.1]}
  lid: {shape: disc, material: unit, center: [1.5, 1.5, 3], normal: [0, 0, -1], radius: 3, velocity: [0, 0, -0.1]}
statics: {steps: 4, tolerance: 1e-6}
output: {contacts: yes, checkpoint: 0.25}
time: {end: 1}
YAML
must "a box closes" equilibrate box.yaml --threads 1 --output one.h5
whole=$(digest)
number "it is jammed" "$(ledger_of one.h5 elastic_normal)" 1.6 6.4 # 3.2
number "grains slid" "$(ledger_of one.h5 friction)" 1.5 6 # 3.0
number "its ledger closes" "$(ledger_of one.h5 closure)" -1e-12 1e-12 # 3e-14
must "two threads" equilibrate box.yaml --threads 2 --output two.h5 --quiet
same "the same bits" "$whole" "$(digest)"
must "half of it" equilibrate box.yaml --output half.h5 --quiet --set statics.steps=2 --set time.end=0.5
must "the rest" equilibrate box.yaml --resume half.h5 --quiet
same "resumed: the same bits" "$whole" "$(digest)"

# stopped in the middle of a load step, it goes on from one that was finished
must "many steps" equilibrate squeeze.yaml --threads 1 --output many.h5 --quiet --set statics.steps=1000
whole=$(digest)
# steps are quick; files are written for a while after the last one, and a signal then changes nothing
for delay in 0.8 0.4 0.2 0.15 0.1 0.07 0.05; do
    rm -rf stopped.h5*
    timeout -s INT $delay "$scree" equilibrate squeeze.yaml --force --threads 1 --output stopped.h5 \
        --quiet --set statics.steps=1000 >out 2>err
    grep -q "stopped by signal 2" err && break
done
if grep -q "stopped by signal 2" err; then
    says err "continue"
    must "and it goes on" equilibrate squeeze.yaml --threads 1 --resume stopped.h5 --quiet --set statics.steps=1000
    same "stopped and resumed: the same bits" "$whole" "$(digest)"
else
    left_out "a signal in a load step" "it was quicker than the signal"
fi

# ---- refused ----

runs "a servo" 2 equilibrate squeeze.yaml --set 'walls.lid.velocity=[0, 0, 0]' \
    --set 'walls.lid.servo={axis: [0, 0, -1], force: 1, max_speed: 1}'
says err "walls.lid.servo: servos are not supported in statics"

finish
