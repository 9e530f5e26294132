#!/bin/bash
# Groups that move as prescribed and groups that do not touch, through the program: threads, restart, wrong input.
. "$(dirname "$0")/lib/cli.sh"
export OMP_WAIT_POLICY=passive

# a rotor, a shaker that starts late and ends early, and dust that falls through the shaker; periodic along y
cat >mill.yaml <<'YAML'
scree: 1
domain: {box: [[-20 mm, -20 mm, 0], [20 mm, 20 mm, 50 mm]], periodic: [y], boundary: delete}
materials: {glass: {density: 2500, restitution: 0.7, friction: 0.5}}
contacts: {any: {stiffness: 2000}}
bodies:
  rotor: {from: lattice, material: glass, radius: 1 mm, region: {box: [[-0.015, -0.002, 0.018], [0.015, 0.002, 0.0201]]},
          motion: {rotation: {point: [0, 0, 0.02], axis: [0, 1, 0.2], rate: 2000 rpm}, velocity: [0, 0.3, 0]}}
  shaker: {from: lattice, material: glass, radius: 1 mm, region: {box: [[-0.02, -0.02, 0.001], [0.02, 0.02, 0.0031]]},
           motion: {oscillation: {amplitude: 0.3 mm, frequency: 200 Hz}, since: 2 ms, until: 13.3 ms}}
  grains: {from: random, material: glass, radius: [0.7 mm, 1.1 mm], count: 200, velocity: [0, 0, -1],
           region: {box: [[-0.018, -0.02, 0.022], [0.018, 0.02, 0.048]]}}
  dust: {from: random, material: glass, radius: 0.6 mm, count: 60, velocity: [0, 0, -1], ignores: [shaker, dust],
         region: {box: [[-0.018, -0.02, 0.004], [0.018, 0.02, 0.017]]}}
time: {end: 16 ms}
output: {every: 1 ms}
YAML

must "a whole run" run mill.yaml --threads 1 --output whole.h5
whole=$(digest) last=$(steps)
number "the groups have done work" "$(ledger_of whole.h5 group_work)" 5e-4 2.5e-3 # 1.1e-3; the ledger closes by it
# 60 grains of dust, that begin at 17 mm at most and fall by 17.3 mm
number "grains that stay" "$(told grains)" 600 630 # 619 of 690
"$scree" export whole.h5 --to csv --first -1 --output last >/dev/null
same "the dust fell through the shaker and out" "0 1 2" \
    "$(awk -F, 'NR > 1 {print $NF}' last.csv | sort -u | xargs)"
work=$(ledger_of whole.h5 group_work) closure=$(ledger_of whole.h5 closure)
number "the ledger closes, over the work" \
    "$(awk -v a="$closure" -v b="$work" 'BEGIN {print a / b}')" -8e-5 8e-5 # -2.6e-5
for threads in 2 4; do
    runs "$threads threads" 0 run mill.yaml --threads $threads --output other.h5 --quiet
    same "same digest with $threads threads" "$whole" "$(digest)"
done
rm -rf cut.h5*
runs "first part" 0 run mill.yaml --threads 2 --output cut.h5 --set 'time.end=1.9 ms'
runs "second part" 0 run mill.yaml --threads 1 --resume cut.h5 --set 'time.end=13.31 ms'
runs "third part" 0 run mill.yaml --threads 4 --resume cut.h5 --set 'time.end=16 ms'
same "cut twice: digest" "$whole" "$(digest)"
same "cut twice: steps" "$last" "$(steps)"

# what moved may be frozen in a new run, and then it stands
runs "a new run" 0 run mill.yaml --from whole.h5 --output from.h5 --set 'time.end=1 ms' \
    --set 'bodies.rotor={from: lattice, material: glass, radius: 1 mm, frozen: yes}' \
    --set 'bodies.shaker={from: lattice, material: glass, radius: 1 mm, frozen: yes}'
same "frozen groups do no work" 0 "$(ledger_of from.h5 group_work)"

# kicks and drifts leave frozen bodies out: grains go as they do past bodies that would move, and do not yet
shaker='from: lattice, material: glass, radius: 1 mm, region: {box: [[-0.02, -0.02, 0.001], [0.02, 0.02, 0.0031]]}'
runs "a frozen group" 0 run mill.yaml --output frozen.h5 --set "bodies.shaker={$shaker, frozen: yes}"
frozen=$(digest)
runs "a group that waits" 0 run mill.yaml --output waits.h5 \
    --set "bodies.shaker={$shaker, motion: {velocity: [0, 0, 1], since: 1 s}}"
same "grains that leave beside a frozen group, and beside one that waits" "$frozen" "$(digest)"

refuses() {
    runs "$1" 2 check mill.yaml --set "$2"
    says err "$3" "$1: $3"
}
refuses "frozen and moving" 'bodies.rotor.frozen=yes' "bodies.rotor is frozen and has a motion"
refuses "no axis" 'bodies.rotor.motion.rotation.axis=[0, 0, 0]' "must not be zero"
refuses "no rate" 'bodies.rotor.motion.rotation={axis: [0, 0, 1]}' "rate"
refuses "ends before it begins" 'bodies.shaker.motion.until=1 ms' "must be later than since"
refuses "unknown key" 'bodies.shaker.motion.speed=1' "speed"
refuses "unknown group" 'bodies.dust.ignores=[shakers]' "did you mean 'shaker'?"
runs "a velocity that is not used" 0 check mill.yaml --set 'bodies.rotor.velocity=[1, 0, 0]'
says err "bodies.rotor moves as prescribed: its velocity is ignored" "a velocity that is not used is said"
finish
