#!/bin/bash
# time.until: a run ends when what observers wrote fulfils a condition, at a step that depends on the scene alone.
. "$(dirname "$0")/lib/cli.sh"

cat >fall.yaml <<'YAML'
scree: 1
title: grains come to rest
values: {enough: 1e-10}
domain: {box: [[0, 0, 0], [12 mm, 12 mm, 40 mm]]}
materials: {glass: {density: 2500, restitution: 0.3, friction: 0.5}}
contacts: {any: {stiffness: 1 kN/m}}
bodies: {grains: {from: lattice, material: glass, diameter: 2 mm, spacing: 2.2 mm, jitter: 0.1, count: 60, region: {shape: box, box: [[0, 0, 0], [12 mm, 12 mm, 40 mm]]}}}
walls: {sides: {shape: box, material: glass, box: [[0, 0, 0], [12 mm, 12 mm, 40 mm]]}}
time: {end: 1 s, step: 5 us, until: "energy.kinetic < 0.1 nJ and time > 20.5 ms"}
output: {every: 100 ms, checkpoint: 50 ms, contacts: yes}
observers:
  energy: {type: ledger, every: 1 ms}
  forces: {type: walls, every: 5 ms}
  bonds: {type: coordination, every: 7 ms}
YAML

# ends RESULTS COLUMN: the last number of a column of the series `energy`
ends() {
    "$scree" export "$1" --series energy --output energy.csv --force >/dev/null && awk -F, -v c="$2" '
        NR == 1 {for (k = 1; k <= NF; k++) {split($k, w, " "); at[w[1]] = k}} END {print $at[c]}' energy.csv
}

must "until it rests" run fall.yaml --output whole.h5 --threads 1
matches err '^ends at 0\.[0-9]+ s: energy.kinetic < 0.1 nJ and time > 20.5 ms' "it says why it ends"
whole=$(digest) steps=$(told steps)
number "the end [s]" "$(ends whole.h5 time)" 0.031 0.9
number "kinetic energy at the end [J]" "$(ends whole.h5 kinetic)" 0 1e-10
check "at a row of the observer it names" [ $((steps % 200)) = 0 ]
run info whole.h5
says out "step $steps" "the last frame is that of the end"
must "contacts of the end" export whole.h5 --contacts --first -1 --to csv --output contacts.csv
check "are there" [ "$(wc -l <contacts.csv)" -gt 50 ]

runs "the same on two threads" 0 run fall.yaml --output two.h5 --threads 2 --quiet
same "digest on two threads" "$whole" "$(digest)"
runs "a value instead of a number" 0 run fall.yaml --output value.h5 --threads 1 \
    --quiet --set 'time.until=time > 0.0205 and enough > energy.kinetic'
same "digest with a value of the scene" "$whole" "$(digest)"
runs "units of a column, before its name" 0 run fall.yaml --output unit.h5 --threads 1 \
    --quiet --set 'time.until=1e-7 mJ > energy.kinetic and time > 20.5 ms'
same "digest with another unit" "$whole" "$(digest)"

# cut before the end and resumed: the same end; what has ended stays so
runs "cut" 0 run fall.yaml --output cut.h5 --threads 1 --quiet --set 'time.end=25 ms'
runs "resumed" 0 run fall.yaml --resume cut.h5 --threads 2 --quiet
same "digest of cut and resumed" "$whole" "$(digest)"
runs "resumed after its end" 0 run fall.yaml --resume cut.h5 --threads 1 --quiet
same "it has ended" "$whole" "$(digest)"

# never fulfilled: `end` is the limit
runs "never" 0 run fall.yaml --output never.h5 --threads 1 --set 'time.until=forces.sides.fz > 1 kN' \
    --set 'time.end=10 ms'
says out "steps 2000," "end is the limit"
# fulfilled from the start on: not asked before the first row after it
runs "at once" 0 run fall.yaml --output once.h5 --threads 1 --set 'time.until=energy.kinetic >= 0'
says out "steps 200," "asked at the first row after the start"
# the ledger that nobody wrote is there, too
runs "the ledger of every run" 0 run fall.yaml --output own.h5 --threads 1 --set observers.energy.type=pile \
    --set observers.energy.base=0 --set 'time.until=ledger.bodies == 60' --set 'output.every=2 ms'
says out "steps 400," "asked at the rows of the ledger"

# bad(CONDITION, WORDS)
bad() {
    runs "refused: $1" 2 run fall.yaml --output bad.h5 --set "time.until=$1"
    says err "time.until" "it names the key"
    says err "$2" "and says why"
    check "nothing is written" [ ! -e bad.h5 ]
}
bad "energy.kinetc < 1" "has no column 'kinetc', did you mean 'kinetic'?"
bad "enrgy.kinetic < 1" "the scene has no observer 'enrgy', did you mean 'energy'?"
bad "forces.sides.fz > 5 mm" "no quantity named in it has the unit 'mm'"
bad "forces.sides.fz > 5 zork" "unknown unit 'zork'"
bad "time > 3 s" "does not refer to an observer"
bad "energy.kinetic <" "a value is missing at the end"
bad "speed < 3" "'speed' is neither time, step, a value of the scene nor OBSERVER.COLUMN"
bad "forces.sides.fz(3) > 2" "takes no argument"
runs "check says it, too" 2 check fall.yaml --set 'time.until=energy.kinetc < 1'

finish
