#!/bin/bash
# scree equilibrate: what it says and writes, the same bits for any number of threads, runs that go on from it, cases
# that use it, what it refuses.
. "$(dirname "$0")/lib/cli.sh"

cat >beam.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-5, -5, -5], [15, 5, 5]]}
materials: {steel: {density: 7800, young: 1e9, poisson: 0.3}}
solids: {beam: {mesh: block, material: steel, box: [[0, 0, 0], [10, 1, 1]], cells: [10, 1, 1]}}
patches: {root: {sides: [x-]}, tip: {sides: [x+]}}
supports: {root: {patch: root}}
loads: {pull: {type: force, patch: tip, force: [0, 0, 1e5]}}
stepper: elastic
time: {end: 0.2}
output: {every: 0.01}
observers: {load: {type: loads}, root: {type: supports}, tip: {type: receiver, patch: tip}}
YAML

must "an equilibrium" equilibrate beam.yaml --steps 4
matches out '^load steps 4, load 1, 10 cells, 54 unknowns$'
matches out '^iterations [0-9]+, load steps cut in half 0, residual [0-9.]+e-1[0-9] of the largest force$'
matches out '^tangents [0-9]+, Cholesky factor .* MB, the last positive definite$'
matches out '^energy stored [0-9.]+ J, work of loads [0-9.]+ J, of supports 0 J'
says err "statics: 54 unknowns"
digest=$(grep digest out)
must "what is in the results" info beam.h5
matches out '^  frames +5, from 0 s to 0.2 s, steps 0 to 4$'
must "the energies of every load step" export beam.h5 --series ledger --output ledger.csv
check "a row for the start and for each load step" test "$(wc -l <ledger.csv)" = 6
check "time is the part of the load times time.end" grep -q '^0.05' ledger.csv
must "a load-deflection curve: the load" export beam.h5 --series load --output load.csv
same "it grows in equal steps" "0 0.25 0.5 0.75 1" "$(tail -n +2 load.csv | cut -d, -f2 | xargs)"
must "the reaction" export beam.h5 --series root --output root.csv
number "and so does the reaction" "$(awk -F, 'NR == 3 { printf "%.6f", 4*$4 }' root.csv)" -100000.001 -99999.999
must "the deflection" export beam.h5 --series tip --output tip.csv
number "less than linear in the load" "$(awk -F, 'NR == 3 { a = $4 } NR == 6 { b = $4 } END { print b/a }' tip.csv)" \
    3.9 4
for threads in 1 2; do
    must "with $threads threads" equilibrate beam.yaml --steps 4 --threads $threads --output threads.h5 --quiet
    check "the same bits with $threads threads" test "$(grep digest out)" = "$digest"
done
must "relaxation" equilibrate beam.yaml --method relaxation --steps 1 --output relaxed.h5
says err "dynamic relaxation"
says_not out tangents
runs "relaxation that is too short" 1 equilibrate beam.yaml --method relaxation --steps 1 --set statics.iterations=10 \
    --output short.h5
says err "no equilibrium was found beyond 0 of the load"
says err "more iterations (statics.iterations) or load steps may help"
says_not err "positive definite"

# a load that is there at once grows like any other within the load step: half of F u is stored, half of it booked
# closes WHAT SETTING MOST: what the ledger is off by, over what is stored
closes() {
    must "$1" equilibrate beam.yaml --steps 10 --output jump.h5 --set "$2"
    number "its ledger" \
        "$(sed -n 's/^energy stored \([0-9.e+-]*\) J.*/\1/p; s/^energy balance error \([0-9.e+-]*\) J.*/\1/p' out |
        xargs | awk '{ print $2 / $1 }')" "-$3" "$3"
}
closes "a load that grows" observers={} 1e-4 # 6.7e-6
closes "a load that is there from the start" 'loads.pull.signal={type: step}' 1e-3 # 2.7e-5
closes "a load that jumps on the way" 'loads.pull.signal={type: step, start: 0.1}' 1e-3 # 2.7e-5
closes "a load that acts in full at once" statics.ramp=no 1e-2 # 6.2e-4
must "the load of the first frame" equilibrate beam.yaml --steps 2 --output jump.h5 \
    --set 'loads.pull.signal={type: step}'
must "as a table" export jump.h5 --series load --output jump.csv
same "is none" "0 1 1" "$(tail -n +2 jump.csv | cut -d, -f2 | xargs)"

# ---- runs that go on ----

# largest kinetic energy over what was stored at the start: 0 is rest
swing() {
    "$scree" export "$1" --series ledger --output swing.csv >/dev/null 2>&1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); column[$i] = i }; next }
        {
            if (!n++) stored = $column["elastic_solid"]
            k = $column["translation"] + $column["rotation"]; if (k > most) most = k
        }
        END { printf "%.3e", most / stored }' swing.csv
}
must "a run from it, with the load" run beam.yaml --from beam.h5 --output rest.h5 --set time.end=1
matches out '^steps 1000, '
number "it stays at rest: kinetic energy over the stored one" "$(swing rest.h5)" 0 3e-21 # 3.5e-23
grep -v '^loads' beam.yaml >free.yaml
must "a run from it, without" run free.yaml --from beam.h5 --output swing.h5 --set time.end=0.5
number "it swings through: the same" "$(swing swing.h5)" 0.8 1.001

mkdir -p cases/beam
cp beam.yaml free.yaml cases/beam
cat >cases/beam/case.yaml <<'YAML'
scree: 1
title: A beam that is bent and let go
source: this test
runs:
  bent: {scene: beam.yaml, by: equilibrate, set: [statics.steps=4]}
  free: {scene: free.yaml, from: bent}
  table: {scene: beam.yaml, by: equilibrate, over: ["statics.steps=1,2,4"], measure: [stored=last(ledger.elastic_solid)]}
quantities:
  kept: {measure: first(free.ledger.elastic_solid), reference: last(bent.ledger.elastic_solid), relative: 1e-9}
  same: {run: table, measure: "max(stored)/min(stored)", reference: 1, tolerance: 1e-9}
YAML
runs "a case" 0 reproduce beam --cases cases
says out "2 passed"

# ---- what it refuses ----

runs "a body that is not held" 2 equilibrate beam.yaml --set 'supports.root.holds=[x, y, rx, ry]'
matches err "^beam.yaml:5:.*error: the solid beam can move along z and rotate about z: no support prevents it"
must "strengths have no effect, which is said" equilibrate beam.yaml --set 'solids.beam.tensile_strength=1 Pa' \
    --output strong.h5
says err "solids.beam.tensile_strength: links do not break in statics"
must "stability" equilibrate beam.yaml --steps 4 --stability --output stable.h5
says err "stability: the lowest eigenvalue is"
matches out '^lowest eigenvalue [0-9.]+ 1/s\^2: stable$'
same "it moves nothing" "$digest" "$(grep digest out)"
must "stability of what a load that follows holds" equilibrate beam.yaml --stability --output stable.h5 \
    --set loads.pull.follows=yes
matches err "the load pull follows its cells and has no potential.*does not indicate flutter"
must "stability without room for a factor" equilibrate beam.yaml --stability --output stable.h5 --set statics.memory=0
says err "stability: no eigenvalue was found (statics.memory is too small)"
cat >none.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [1, 1, 1]]}
materials: {glass: {density: 2500}}
contacts: {any: {stiffness: 1 kN/m, restitution: 0.5, friction: 0.3}}
time: {end: 1}
YAML
runs "a scene without solids and grains" 2 equilibrate none.yaml
says err "there is nothing to move"
runs "another method" 2 equilibrate beam.yaml --method magic
says err "statics.method is 'magic', must be one of auto, newton, relaxation"
runs "no load steps" 2 equilibrate beam.yaml --steps 0
says err "statics.steps is '0', must be a whole number"
runs "no scene" 2 equilibrate

# ---- solids that touch ----

cat >ball.yaml <<'YAML'
scree: 1
gravity: [0, 0, -10]
domain: {box: [[-5, -5, -5], [15, 5, 5]]}
materials: {m: {density: 1000, young: 1e7, poisson: 0.3}}
contacts: {any: {stiffness: 1e6, restitution: 0.5, friction: 0.5}}
solids: {beam: {mesh: block, material: m, box: [[0, 0, 0], [11, 1, 1]], cells: [11, 1, 1]}}
bodies: {balls: {from: positions, positions: [[5.5, 0.5, 1.51], [3, 0.5, 1.6]], radius: 0.5, material: m}}
walls: {stop: {shape: plane, point: [0, 0, -0.1], normal: [0, 0, 1], material: m, velocity: [0, 0, 0.1]}}
patches: {root: {sides: [x-]}, tip: {sides: [x+]}}
supports: {root: {patch: root}, tip: {patch: tip}}
stepper: elastic
time: {end: 1}
statics: {steps: 4, ramp: no}
YAML
must "balls on a beam that a wall lifts" equilibrate ball.yaml --threads 1
says err "statics: solids are in contact: equilibrium by damped dynamics"
says err "of 2 grains are rattlers"
matches out '^iterations [0-9]+, load steps cut in half 0, residual [0-9.]+e-[0-9]+ of the largest force$'
# off SCENE: energy balance error over what was lost
off() { awk -v a="$(ledger_of "$1" closure)" -v b="$(ledger_of "$1" absorbed)" 'BEGIN {print a / b}'; }
number "its ledger closes, over what was lost" "$(off ball.h5)" -1e-3 1e-3 # 2.1e-4
must "a run from it" run ball.yaml --from ball.h5 --output rolls.h5 --set 'walls.stop.velocity=[0, 0, 0]' \
    --set time.end=5
matches out '^steps [1-9][0-9]{3,}, ' # thousands
number "it stays at rest: kinetic energy over the stored one" "$(swing rolls.h5)" 0 2e-16
runs "Newton's method moves no grains" 2 equilibrate ball.yaml --method newton --output no.h5
says err "bodies.balls: statics.method is newton, which does not move grains"
cat >heap.yaml <<'YAML'
scree: 1
gravity: [0, 0, -10]
domain: {box: [[-1, -1, -1], [6, 5, 9]]}
materials: {m: {density: 1000, young: 1e7, poisson: 0.3}}
contacts: {any: {stiffness: 1e6, restitution: 0.3, friction: 0.5}}
solids: {plate: {mesh: block, material: m, box: [[0, 0, 0], [5, 4, 0.5]], cells: [5, 4, 1]}}
bodies: {balls: {from: lattice, diameter: [0.7, 0.9], kind: sc, spacing: 1, jitter: 0.8, region: {shape: box, box: [[0, 0, 0.6], [5, 4, 3.6]]}, material: m}}
walls: {box: {shape: box, box: [[0, 0, -0.5], [5, 4, 8]], material: m}}
patches: {root: {sides: [x-]}, tip: {sides: [x+]}}
supports: {root: {patch: root}, tip: {patch: tip}}
stepper: elastic
time: {end: 1}
statics: {steps: 4, ramp: no, tolerance: 1e-2}
YAML
must "a heap on a plate" equilibrate heap.yaml --threads 1 --output heap.h5
whole=$(grep digest out)
number "its ledger closes, over what was lost" "$(off heap.h5)" -1e-3 1e-3 # 3.9e-5
must "two threads" equilibrate heap.yaml --threads 2 --output two.h5 --quiet
same "the same bits" "$whole" "$(grep digest out)"
must "half of it" equilibrate heap.yaml --output half.h5 --quiet --set statics.steps=2 --set time.end=0.5
must "the rest" equilibrate heap.yaml --resume half.h5 --quiet
same "resumed: the same bits" "$whole" "$(grep digest out)"
runs "given up in the first load step" 1 equilibrate heap.yaml --output half.h5 --quiet --set statics.iterations=1100
must "from its start" equilibrate heap.yaml --resume half.h5 --quiet
same "resumed: the same bits" "$whole" "$(grep digest out)"
grep -v '^bodies' ball.yaml >wall.yaml
runs "and has no contacts" 1 equilibrate wall.yaml --method newton --output no.h5
says err \
    "of the solid beam and the wall stop touch, but Newton's method does not support contacts; use statics.method: relaxation"
runs "a servo" 2 equilibrate wall.yaml --set 'walls.stop.velocity=[0, 0, 0]' \
    --set 'walls.stop.servo={axis: [0, 0, 1], force: 1, max_speed: 1}'
says err "walls.stop.servo: servos are not supported in statics"
must "no eigenvalue of contacts" equilibrate wall.yaml --stability --quiet --output no.h5
says err "statics.stability: solids touch here"
must "a tolerance that rounding does not allow" equilibrate wall.yaml --set statics.tolerance=1e-20 --steps 1 \
    --output no.h5
says err "more than statics.tolerance, 1e-20, and it does not decrease further"
runs "no rest in time" 1 equilibrate wall.yaml --set statics.iterations=1100 --output no.h5
says err "solids and grains do not come to rest"
says err "more iterations (statics.iterations)"

# ---- a moment beyond EI/D, which is 5/6 of this one, rolls it up without end ----

sed 's/^loads.*/loads: {roll: {type: torque, patch: tip, torque: [0, -1e8, 0]}}/' beam.yaml >roll.yaml
runs "a load without equilibrium" 1 equilibrate roll.yaml --steps 4 --output lost.h5
says err "no equilibrium was found beyond"
part=$(sed -n 's/.*found beyond \([0-9.e-]*\) of the load.*/\1/p' err)
number "how far it came" "$part" 0.833 0.83334
must "its results" info lost.h5
last=$("$scree" export lost.h5 --series ledger --output lost.csv >/dev/null 2>&1; tail -n 1 lost.csv | cut -d, -f1)
number "the last row is at the load that was reached, $part" "$last" "$(awk "BEGIN { print 0.2*$part*(1 - 1e-5) }")" \
    "$(awk "BEGIN { print 0.2*$part*(1 + 1e-5) + 1e-12 }")"

finish
