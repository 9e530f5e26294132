#!/bin/bash
# Gravity that varies in time: with every stepper the same bits for any number of threads and after a restart, a ledger
# that closes; equilibria under it; wrong input.
. "$(dirname "$0")/lib/cli.sh"
export OMP_WAIT_POLICY=passive

# a box of grains that is tilted by 45 degrees and back
cat >box.yaml <<'YAML'
scree: 1
gravity_table: [[0, 0, 0, -9.81], [0.1, 6.94, 0, -6.94], [0.15, 6.94, 0, -6.94], [0.2, 0, 0, -9.81]]
domain: {box: [[0, 0, 0], [60 mm, 60 mm, 60 mm]], periodic: [y]}
materials: {rock: {density: 2500, restitution: 0.3, friction: 0.5, young: 20 MPa, poisson: 0.25}}
contacts: {any: {stiffness: 2 kN/m}}
bodies: {all: {from: lattice, material: rock, diameter: 10 mm, spacing: 10.01 mm, jitter: 1, region: {box: [[0, 0, 0], [60 mm, 60 mm, 30 mm]]}}}
walls:
  floor: {shape: plane, material: rock}
  left: {shape: plane, material: rock, normal: [1, 0, 0]}
  right: {shape: plane, material: rock, point: [60 mm, 0, 0], normal: [-1, 0, 0]}
time: {end: 0.25 s}
output: {every: 50 ms}
YAML
sed 's/^bodies.*/&\nsolids: {block: {mesh: block, material: rock, box: [[20 mm, 20 mm, 40 mm], [30 mm, 30 mm, 50 mm]], cells: [2, 2, 2]}}/; s/^time.*/time: {end: 0.25}/' box.yaml >block.yaml
# varies SCENE STEPPER CLOSURE: the most that the ledger is off by, over the work of gravity
varies() {
    rm -rf whole.h5* cut.h5*
    must "$2" run "$1" --set "stepper=$2" --threads 1 --output whole.h5
    whole=$(digest)
    work=$(ledger_of whole.h5 load_work)
    number "$2: the work of gravity" "$work" -1 1
    number "$2: the ledger closes, over it" \
        "$(awk -v a="$(ledger_of whole.h5 closure)" -v b="$work" 'BEGIN { print a / b }')" "-$3" "$3"
    must "$2: the first part" run "$1" --set "stepper=$2" --threads 2 --output cut.h5 --set time.end=0.07 --quiet
    must "$2: and on" run "$1" --set "stepper=$2" --threads 1 --resume cut.h5 --quiet
    same "$2: the same bits" "$whole" "$(digest)"
}
# what stepping takes and gives has either sign: over six seeds of the grains at most 4.6e-5 of the work, 2e-11 where
# it is booked, 3.1e-4 with an elastic block
varies box.yaml "{type: soft}" 1e-4
# 2.4e-3: overlaps that no step foresaw; what 50 sweeps leave is 0.15
varies box.yaml "{type: nonsmooth, sweeps: 500, impact_sweeps: 500}" 5e-3
varies box.yaml "{type: variational, theta: 1}" 1e-11 # 5.7e-12
varies block.yaml "{type: elastic}" 8e-4

# ---- equilibria: load step k is at k/N of time.end ----

cat >beam.yaml <<'YAML'
scree: 1
gravity: [0, 0, -20]
domain: {box: [[-5, -5, -5], [15, 5, 5]]}
materials: {steel: {density: 7800, young: 1e9, poisson: 0.3}}
solids: {beam: {mesh: block, material: steel, box: [[0, 0, 0], [10, 1, 1]], cells: [10, 1, 1]}}
patches: {root: {sides: [x-]}}
supports: {root: {patch: root}}
stepper: elastic
time: {end: 0.2}
output: {every: 0.01}
YAML
# stored SCENE RESULTS SETTING ENERGY TOLERANCE [OPTIONS]: energy of the equilibrium, and what its ledger is off by,
# over it; -: not asked, where what falls is booked by what is missing
stored() {
    must "an equilibrium of $1 $3" equilibrate "$1" --steps 8 --output "$2" --set "$3" "${@:6}"
    energy=$(ledger_of "$2" "$4")
    [[ $5 == - ]] || number "its ledger" \
        "$(awk -v a="$(ledger_of "$2" closure)" -v b="$energy" 'BEGIN { print a / b }')" "-$5" "$5"
}
ramp='gravity_signal={type: ramp, duration: 0.2}'
stored beam.yaml own.h5 title=own elastic_solid 1e-3 # 2.1e-4
own=$energy
stored beam.yaml ramp.h5 "$ramp" elastic_solid 1e-3
number "a ramp is what gravity does by itself" "$(awk -v a="$energy" -v b="$own" 'BEGIN { print a / b - 1 }')" \
    -1e-9 1e-9
back='gravity_signal={type: table, table: [[0, 0], [0.1, 2], [0.2, 1]]}'
for steps in 16 32; do
    must "to twice as much and back in $steps load steps" equilibrate beam.yaml --steps $steps --output back.h5 \
        --set "$back"
    number "the same" "$(awk -v a="$(ledger_of back.h5 elastic_solid)" -v b="$own" 'BEGIN { print a / b - 1 }')" \
        -1e-9 1e-9
    off[steps]=$(ledger_of back.h5 closure)
done
number "its ledger is of second order" \
    "$(awk -v a="${off[16]}" -v b="${off[32]}" 'BEGIN { print log(a / b) / log(2) }')" 1.7 2.3 # 1.83
sed 's/^gravity_table.*//; s/^time.*/time: {end: 0.2}/; s/friction: 0.5/friction: 0/' box.yaml >rest.yaml
# where loose grains fall to depends on rounding: begin with a heap
must "a heap" equilibrate rest.yaml --steps 1 --set statics.ramp=no --output heap.h5
stored rest.yaml own.h5 title=own elastic_normal - --from heap.h5
own=$energy
stored rest.yaml ramp.h5 "$ramp" elastic_normal - --from heap.h5
number "a ramp is what gravity does by itself" "$(awk -v a="$energy" -v b="$own" 'BEGIN { print a / b - 1 }')" \
    -1e-6 1e-6
# with friction nothing falls: what each step takes is booked by itself
stored rest.yaml rubs.h5 materials.rock.friction=0.5 elastic_normal 1e-9 --from heap.h5 # 0
number "grains slide, over the energy stored" \
    "$(awk -v a="$(ledger_of rubs.h5 friction)" -v b="$energy" 'BEGIN { print a / b }')" 0.05 1 # 0.2

# a column of four, 0.1 m of gaps in all, to twice gravity and back: contacts give way by 60/k, by 30/k in the end. What
# is lost follows from that alone: 2 (0.1 + 60/k) of work less 60/k stored, then 60/k - 15/k less 30/k of lifting
cat >column.yaml <<'YAML'
scree: 1
gravity: [0, 0, -1]
domain: {box: [[-2, -2, -1], [2, 2, 9]]}
materials: {unit: {density: =6/pi, restitution: 0.5, friction: 0}}
contacts: {any: {stiffness: 195000, tangential: none}}
bodies: {all: {from: lattice, kind: sc, material: unit, diameter: 1, spacing: 1.01, region: {box: [[-0.5, -0.5, 0.01], [0.52, 0.52, 4.06]]}}}
walls: {floor: {shape: plane, material: unit}}
time: {end: 1}
YAML
must "a column" equilibrate column.yaml --steps 2 --set statics.tolerance=1e-9 \
    --set 'gravity_signal={type: table, table: [[0, 0], [0.5, 2], [1, 1]]}' --output column.h5
number "energy stored" "$(ledger_of column.h5 elastic_normal)" 7.6922e-5 7.6924e-5 # 15/k
number "work of the change of gravity, where grains are" "$(ledger_of column.h5 load_work)" 8.200307692 8.200307693 \
    # 2 8.1 - (8 - 60/k)
number "energy lost" "$(ledger_of column.h5 numerical)" 0.2003846151 0.2003846156 # 0.2 + 75/k

# ---- wrong input ----

runs "a table beside gravity" 2 run box.yaml --set 'gravity=[0, 0, -1]'
says err "gravity_table and gravity are both given, but the table prescribes all of gravity; leave one of them out"
runs "a table beside a signal" 2 run box.yaml --set 'gravity_signal={type: step}'
says err "gravity_table and gravity_signal are both given"
runs "times that do not rise" 2 run box.yaml --set 'gravity_table=[[0, 0, 0, 1], [0, 0, 0, 2]]'
says err "gravity_table has the time 0 s after 0 s, times must increase"
runs "a row that is too short" 2 run box.yaml --set 'gravity_table=[[0, 0, 1]]'
says err "gravity_table"
runs "times of a signal" 2 run rest.yaml --set 'gravity_signal={type: table, table: [[1, 0], [0, 1]]}'
says err "gravity_signal.table has the time 0 s after 1 s, times must increase"
runs "an unknown signal" 2 run rest.yaml --set 'gravity_signal={type: jump}'
says err "must be one of constant, step, ramp, sine, ricker, table"
finish
