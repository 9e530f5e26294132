#!/bin/bash
# Servos: integral term, areas that follow walls, targets that follow time; their columns, the warning of a target that
# is missed, the same bits on threads, vectors and after restarts, and what is refused.
. "$(dirname "$0")/lib/cli.sh"

# a small triaxial cell: three walls hold a pressure while the lid comes down
cat >cell.yaml <<'YAML'
scree: 1
title: triaxial cell
gravity: [0, 0, 0]
seed: 5
domain: {box: [[-4 mm, -4 mm, -4 mm], [16 mm, 16 mm, 16 mm]]}
materials: {glass: {density: 2500, restitution: 0.3, friction: 0.3}}
contacts: {any: {stiffness: 2 kN/m}}
bodies: {grains: {from: lattice, material: glass, diameter: 2 mm, spacing: 2 mm, region: {shape: box, box: [[0, 0, 0], [12 mm, 12 mm, 12 mm]]}}}
walls:
  bottom: {shape: plane, material: glass}
  west: {shape: plane, material: glass, normal: [1, 0, 0]}
  south: {shape: plane, material: glass, normal: [0, 1, 0]}
  east: {shape: plane, material: glass, point: [12 mm, 0, 0], normal: [-1, 0, 0], servo: {axis: [-1, 0, 0], pressure: 4 kPa, between: [south, north, bottom, top], max_speed: 0.2, gain: 4e-2, integral_time: 60 ms}}
  north: {shape: plane, material: glass, point: [0, 12 mm, 0], normal: [0, -1, 0], servo: {axis: [0, -1, 0], pressure: 4 kPa, between: [west, east, bottom, top], max_speed: 0.2, gain: 4e-2, integral_time: 60 ms, signal: {type: ramp, duration: 5 ms}}}
  top: {shape: plane, material: glass, point: [0, 0, 12 mm], normal: [0, 0, -1], velocity: [0, 0, -1 mm/s]}
time: {end: 40 ms, step: 10 us}
output: {every: 2 ms, checkpoint: 5 ms}
observers:
  forces: {type: walls, every: 1 ms}
  one: {type: walls, wall: north, every: 1 ms}
YAML
must "triaxial cell" run cell.yaml --threads 1 --output one.h5
whole=$(digest)
check "no warning with the integral" [ -z "$(grep 'servo missed' err)" ]
runs "two threads" 0 run cell.yaml --threads 2 --output two.h5 --quiet
same "same bits on two threads" "$whole" "$(digest)"
SCREE_VECTOR=portable run run cell.yaml --threads 1 --output portable.h5 --quiet
same "same bits with portable vectors" "$whole" "$(digest)"
for end in "3.33 ms" "20 ms"; do
    rm -rf cut.h5*
    runs "cut at $end" 0 run cell.yaml --threads 1 --output cut.h5 --quiet --set "time.end=$end"
    runs "resumed" 0 run cell.yaml --resume cut.h5 --threads 2 --quiet
    same "same bits when cut at $end" "$whole" "$(digest)"
done
run info one.h5
number "the ledger closes [J]" \
    "$(sed -n 's/^ *closure *\([-+0-9.e]*\) J.*/\1/p' out | tail -n 1 | awk '{print $1 < 0 ? -$1 : $1}')" 0 2e-6

# last RESULTS SERIES COLUMN
last() {
    "$scree" export "$1" --series "$2" --output column.csv --force >/dev/null && awk -F, -v c="$3" '
        NR == 1 {for (k = 1; k <= NF; k++) {split($k, w, " "); at[w[1]] = k}} END {print $at[c]}' column.csv
}
number "north holds its target [N]" "$(last one.h5 one force)" 0.45 0.6
same "one wall and all" "$(last one.h5 one target)" "$(last one.h5 forces north.target)"
number "error is force less target" \
    "$(awk -v e="$(last one.h5 forces north.error)" -v f="$(last one.h5 forces north.force)" \
    -v t="$(last one.h5 forces north.target)" 'BEGIN {print e - (f - t)}')" -1e-14 1e-14
run export one.h5 --series forces --output all.csv
check "walls without a servo have no target" [ -z "$(head -n 1 all.csv | grep 'top.target')" ]
# target: pressure times the area between the walls
number "target over pressure and area" "$("$python" -c "
import csv
rows = list(csv.reader(open('all.csv')))
at = {name.split()[0]: k for k, name in enumerate(rows[0])}
r = [float(x) for x in rows[-1]]
print(r[at['north.target']] / (4e3 * (12e-3 + r[at['east.x']]) * (12e-3 + r[at['top.z']])))")" 0.999 1.001

# a slow servo without an integral gives way to the lid: that is said
must "missed" run cell.yaml --threads 1 --output missed.h5 --set walls.north.servo.integral_time=none \
    --set walls.north.servo.gain=0.2e-3 --set 'walls.top.velocity=[0, 0, -0.1]'
says err "walls.north.servo missed its target by more than 5 %" "a target that is missed"
says err "integral_time removes the error" "and what helps"
run info missed.h5
must "never reached" run cell.yaml --threads 1 --output never.h5 --set 'walls.north.servo.pressure=4 MPa' \
    --set time.end=6ms
says err "walls.north.servo never reached its target" "a target that is never reached"
must "a servo that presses the wrong way" run cell.yaml --threads 1 --output wrong.h5 \
    --set 'walls.north.servo.axis=[0, 1, 0]' --set time.end=6ms
says err "nothing pushed against it. Check that \`axis\` is the direction in which it presses" "is asked for its axis"
must "a force is no pressure" run cell.yaml --threads 1 --output force.h5 \
    --set 'walls.north.servo={axis: [0, -1, 0], force: 0.5 N, max_speed: 0.2, gain: 2e-2, integral: 100 ms}' \
    --set 'time.end=30 ms'
number "force of the servo [N]" "$(last force.h5 one force)" 0.45 0.55

# with other integrators
for stepper in variational nonsmooth; do
    step=$([[ $stepper = variational ]] && echo "50 us" || echo "100 us")
    must "$stepper" run cell.yaml --threads 1 --output "$stepper.h5" --set "stepper.type=$stepper" \
        --set "time.step=$step" --set 'time.end=20 ms'
    bits=$(digest)
    runs "$stepper, cut" 0 run cell.yaml --threads 1 --output "$stepper-cut.h5" --quiet --set "stepper.type=$stepper" \
        --set "time.step=$step" --set 'time.end=7 ms'
    runs "$stepper, resumed" 0 run cell.yaml --threads 2 --resume "$stepper-cut.h5" \
        --quiet --set "stepper.type=$stepper" --set "time.step=$step" --set 'time.end=20 ms'
    same "$stepper: same bits" "$bits" "$(digest)"
done

# bad SERVO WORDS
bad() {
    runs "refused: $1" 2 check cell.yaml --set "walls.north.servo={axis: [0, -1, 0], max_speed: 0.2, $1}"
    says err "$2" "and says why"
}
bad "pressure: 1" "needs the area on which it acts: area or between"
bad "pressure: 1, between: [west, east, bottom]" "walls.north.servo.between names 3 walls, it takes two or four"
bad "pressure: 1, between: [west, east]" "it needs width"
bad "pressure: 1, between: [west, east, bottom, top], width: 1" "width is given, but between names two pairs"
bad "pressure: 1, area: 1, width: 1" "width is given without between"
bad "pressure: 1, area: 1, between: [west, east, bottom, top]" "has area and between, give one of them"
bad "force: 1, between: [west, east, bottom, top]" "gives the area on which a pressure acts, but no pressure is given"
bad "pressure: 1, between: [west, east, botom, top]" \
    "names 'botom', which is not defined under walls, did you mean 'bottom'?"
bad "pressure: 1, between: [west, bottom, south, north]" "west and bottom are not parallel"
bad "force: 1, integral_time: 0" "must be"
bad "force: 1, integral_time: -1 s" "must be"
bad "force: 1, width: -1" "must be"
bad "force: 1, ramp: 1, signal: {type: ramp, duration: 1}" "has ramp and signal, give one of them"
bad "force: 1, signal: {type: table, table: [[0, 1], [0, 2]]}" \
    "walls.north.servo.signal.table has the time 0 s after 0 s"
bad "force: 1, signal: {type: sinus}" "did you mean 'sine'?"
finish
