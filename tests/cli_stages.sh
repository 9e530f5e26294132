#!/bin/bash
# Stages: settle, open the gate, compress. One run, each stage with its own end and its own changes; the same bits on
# threads, vectors and after restarts in any stage; --from STAGE; what is refused.
. "$(dirname "$0")/lib/cli.sh"

cat >column.yaml <<'YAML'
scree: 1
title: settle, open, press
seed: 3
domain: {box: [[-4 mm, 0, -2 mm], [24 mm, 8 mm, 44 mm]]}
materials: {glass: {density: 2500, restitution: 0.3, friction: 0.2}}
contacts: {any: {stiffness: 1 kN/m}}
bodies: {grains: {from: lattice, material: glass, diameter: 2 mm, spacing: 2.2 mm, jitter: 0.1, count: 48, region: {shape: box, box: [[0, 0, 0], [8 mm, 8 mm, 40 mm]]}}}
walls:
  sides: {shape: box, material: glass, box: [[0, 0, 0], [20 mm, 8 mm, 44 mm]]}
  gate: {shape: plane, material: glass, point: [8 mm, 0, 0], normal: [-1, 0, 0]}
  lid: {shape: plane, material: glass, point: [0, 0, 13 mm], normal: [0, 0, -1], since: never}
  door: {shape: plane, material: glass, point: [18 mm, 0, 0], normal: [-1, 0, 0], since: never}
stages:
  settle: {end: 60 ms, until: "ledger.kinetic < 50 nJ and time > 20 ms"}
  open: {end: 30 ms, gravity: [0, 0, -5], walls: {gate: {until: 0}, door: {since: 10 ms}}, contacts: {any: {friction: 0.6}}}
  press: {end: 25 ms, walls: {lid: {since: 0, servo: {axis: [0, 0, -1], force: 0.1 N, max_speed: 1, gain: 0.7, ramp: 5 ms}}, door: {oscillation: {direction: [1, 0, 0], amplitude: 0.1 mm, frequency: 100}}}}
time: {step: 10 us}
output: {every: 5 ms, checkpoint: 4 ms}
observers:
  forces: {type: walls, every: 1 ms}
  ledger: {type: ledger, every: 1 ms}
YAML

# column RESULTS SERIES COLUMN [ROW]: numbers of a column, one a line
column() {
    "$scree" export "$1" --series "$2" --output column.csv --force >/dev/null && awk -F, -v c="$3" '
        NR == 1 {for (k = 1; k <= NF; k++) {split($k, w, " "); at[w[1]] = k}} NR > 1 {print $at[c]}' column.csv
}

must "three stages" run column.yaml --threads 1 --output one.h5
whole=$(digest)
says err "stage settle (1 of 3) from 0 s" "the first stage is told"
matches err '^stage settle ends at 0\.0[0-9]+ s: ledger.kinetic < 50 nJ' "why it ends"
says err "stage open (2 of 3) from" "the second"
says err "stage press (3 of 3) from" "the third"
run info one.h5
matches out 'stages +settle from 0 s, step 0' "info names the stages"
matches out ' open from 0\.0[0-9]+ s, step [0-9]+' "and when they began"
open=$(sed -n 's/.* open from \([0-9.]*\) s, step .*/\1/p' out) \
    press=$(sed -n 's/.* press from \([0-9.]*\) s, step .*/\1/p' out)
number "open takes 30 ms" "$(awk -v a="$open" -v b="$press" 'BEGIN {print b - a}')" 0.029999 0.030001
number "press takes 25 ms" \
    "$(awk -v a="$press" -v b="$(column one.h5 ledger time | tail -n 1)" 'BEGIN {print b - a}')" 0.024999 0.025001
# a scene with stages needs no section time
sed '/^time:/d' column.yaml >untimed.yaml
runs "stages without the section time" 0 check untimed.yaml
same "the ledger counts the stages" "1 2 3" "$(column one.h5 ledger stage | uniq | tr '\n' ' ' | sed 's/ $//')"
same "rows are in order" "" "$(column one.h5 ledger time | awk 'NR > 1 && $1 <= last {print "back"} {last = $1}')"
number "the ledger closes [J]" "$(column one.h5 ledger closure | tail -n 1 | awk '{print $1 < 0 ? -$1 : $1}')" 0 3e-6
same "the lid has a servo in one stage only" "nan" "$(column one.h5 forces lid.target | head -n 1)"
number "it presses [N]" "$(column one.h5 forces lid.force | sort -g | tail -n 1)" 0.002 0.3
number "the gate bears nothing once it is gone [N]" "$(column one.h5 forces gate.fx | tail -n 1)" 0 0
# times count from the start of the stage: 0.1 mm sin(2 pi 100 Hz (t - press))
number "the door swings from the start of its stage on [m]" \
    "$("$scree" export one.h5 --series forces --output f.csv --force >/dev/null;
    awk -F, -v a="$press" \
        'NR == 1 {for (k = 1; k <= NF; k++) {split($k, w, " "); at[w[1]] = k}} NR > 1 {t = $1 - a; e = $at["door.x"] - (t > 0 ? 1e-4 * sin(2 * 3.14159265358979 * 100 * t) : 0); if (e < 0) e = -e; if (e > most) most = e; n += t > 0} END {print (n > 20 ? most : "few")}' f.csv)" 0 1e-11

runs "two threads" 0 run column.yaml --threads 2 --output two.h5 --quiet
same "same bits on two threads" "$whole" "$(digest)"
SCREE_VECTOR=portable run run column.yaml --threads 1 --output portable.h5 --quiet
same "same bits with portable vectors" "$whole" "$(digest)"
# cut in the first, the second and the third stage
for part in 0.015 "$(awk -v a="$open" 'BEGIN {print a + 0.0123}')" "$(awk -v a="$press" 'BEGIN {print a + 0.0111}')" \
    "$open"; do
    rm -rf cut.h5*
    runs "cut at $part s" 0 run column.yaml --threads 1 --output cut.h5 --quiet --set "time.end=$part"
    runs "resumed" 0 run column.yaml --resume cut.h5 --threads 2 --quiet
    same "same bits when cut at $part s" "$whole" "$(digest)"
    same "same rows" "$(column one.h5 ledger time | md5sum)" "$(column cut.h5 ledger time | md5sum)"
done

# back to the start of a stage
runs "from press" 0 run column.yaml --from press --output two.h5 --threads 1
same "the same end" "$whole" "$(digest)"
same "results of one run" "$(column one.h5 ledger time | md5sum)" "$(column two.h5 ledger time | md5sum)"
must "from open, with another friction" run column.yaml --from open --output two.h5 --threads 1 \
    --set 'stages.open.contacts.any.friction=0.3'
check "is another run" [ "$whole" != "$(digest)" ]
says err "changed since the results were written" "that is said"
must "from a state of another run" run column.yaml --from one.h5 --stage press --output new.h5 --threads 1
says err "stage press (3 of 3) from 0 s" "begins with the stage"
number "and lasts as long [s]" "$(column new.h5 ledger time | tail -n 1)" 0.024999 0.025001
# a stage that changes nothing changes nothing
sed -e '/^stages:/,/^  press:/d' -e 's/^time:.*/time: {end: 20 ms, step: 10 us}/' column.yaml >plain.yaml
sed -e '/^  settle:/,/^  press:/d' \
    -e 's/^stages:.*/stages: {first: {end: 7 ms}, second: {end: 8.01 ms}, third: {end: 4.99 ms}}/' column.yaml \
    >empty.yaml
must "without stages" run plain.yaml --threads 1 --output plain.h5
plain=$(digest)
must "stages without changes" run empty.yaml --threads 1 --output empty.h5
same "same bits" "$plain" "$(digest)"
# with other integrators
for stepper in variational nonsmooth; do
    step=$([[ $stepper = variational ]] && echo 50us || echo 200us)
    set_=(--set "stepper.type=$stepper" --set "time.step=$step" --set 'stages.settle.end=20 ms')
    must "$stepper" run column.yaml --threads 1 --output "$stepper.h5" "${set_[@]}"
    bits=$(digest)
    runs "$stepper, cut" 0 run column.yaml --threads 1 --output "$stepper-cut.h5" --quiet "${set_[@]}" \
        --set time.end=33ms
    runs "$stepper, resumed" 0 run column.yaml --threads 2 --resume "$stepper-cut.h5" --quiet "${set_[@]}"
    same "$stepper: same bits" "$bits" "$(digest)"
done

# bad WORDS SETTING...
bad() {
    local words=$1 all=()
    shift
    for one in "$@"; do all+=(--set "$one"); done
    runs "refused: $*" 2 run column.yaml --output bad.h5 "${all[@]}"
    says err "$words" "and says why"
    check "nothing is written" [ ! -e bad.h5 ]
}
bad "stages.open has the key 'seed', which a stage cannot change" stages.open.seed=3
bad "stages.open.domain has the key 'box', which a stage cannot change; allowed: deform" \
    'stages.open.domain={box: [[0, 0, 0], [1, 1, 1]]}'
bad "did you mean 'walls'?" 'stages.open.wals={gate: {until: 0}}'
bad "contacts.any.friction is '-1', must be a number >= 0" 'stages.open.contacts.any.friction=-1'
bad "walls.gate.velocty" 'stages.open.walls.gate.velocty=[0, 0, 1]'
bad "stages.settle.until: the observer 'ledger' (ledger) has no column 'kinetc', did you mean 'kinetic'?" \
    'stages.settle.until=ledger.kinetc < 1'
bad "stages.press.until: the scene has no observer 'forcs', did you mean 'forces'?" \
    'stages.press.until=forcs.lid.fz > 1'
bad "stages.open lacks end" 'stages.open={gravity: [0, 0, 0]}'
bad "stages.open.end is '0 s', must be a number [s] > 0" 'stages.open.end=0 s'
bad "give each its own until" 'time.until=ledger.kinetic < 1'
bad "a stage can change its other keys only" 'stages.open.stepper.type=variational'
bad "servo.between names 'lft'" \
    'stages.press.walls.lid.servo={axis: [0, 0, -1], pressure: 1, between: [lft, door], width: 1, max_speed: 1}'
runs "an unknown stage" 2 run column.yaml --from one.h5 --stage pres --output bad.h5
says err "the scene has no stage 'pres', did you mean 'press'?" "is named"
runs "a stage that has not begun" 2 run column.yaml --from press --output empty.h5
says err "the run has not reached the stage 'press': its last one is third" "is named"
runs "another scene" 2 run column.yaml --resume plain.h5
says err "the scene has stages and the run has none" "is refused"
runs "equilibria" 2 equilibrate column.yaml --output bad.h5
says err "equilibria have no stages" "have none"
sed 's/^stages:/other:/' plain.yaml | sed 's/end: 20 ms, //' >endless.yaml
runs "no end at all" 2 check endless.yaml
says err "time lacks end" "is refused"
finish
