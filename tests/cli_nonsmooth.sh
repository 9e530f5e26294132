#!/bin/bash
# The stepper nonsmooth in the real program: what it refuses and what it passes over, the step it chooses, sensors, the
# series of its solver.
. "$(dirname "$0")/lib/cli.sh"

cat >base.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, -0.02], [0.2, 0.2, 0.3]]}
materials: {rock: {density: 3700, restitution: 0.18, friction: 0.91, rolling_friction: 0.32}}
contacts:
  any: {stiffness: 3 kN/m, rolling: sds}
bodies:
  rain: {from: inlet, material: rock, diameter: 13 mm, rate: 400, velocity: [0, 0, -1], count: 60, region: {box: [[0.05, 0.05, 0.2], [0.15, 0.15, 0.25]]}}
  bed: {from: lattice, material: rock, diameter: 13 mm, count: 50, region: {box: [[0.02, 0.02, 0], [0.18, 0.18, 0.1]]}}
walls:
  floor: {shape: plane, material: rock}
  belt: {shape: plane, material: rock, point: [0, 0, -0.01], velocity: [3, 0, 0]}
stepper: {type: nonsmooth}
time: {end: 0.2 s, step: 2 ms}
output: {every: 20 ms, checkpoint: 100 ms}
YAML

# scene WHAT CODE SETTING TEXT...: `check` with one key changed
scene() {
    local what=$1 wanted=$2 setting=$3 text
    shift 3
    runs "$what" "$wanted" check base.yaml --set "$setting"
    for text in "$@"; do says err "$text"; done
}

must "the base scene is good" check base.yaml
says out "base.yaml: ok, 0 warnings" "and has no warnings"
says err "at 3 m/s: e 0.1800 +- 0.0000 (requested 0.18), within a step, without an overlap" \
    "anticipated grains bounce as asked"
must "without anticipation" check base.yaml --set stepper.anticipation=0
says err "restitution differs from the requested value: contacts found late also push their overlap apart" \
    "what a long step does to restitution is said"
says err "rolling friction 0.32, which bounds rolling and twisting together" "twisting is said"

# ---- the step ----

scene "a step beyond the radius" 0 time.step=5ms \
    "time.step is 0.005 s: a grain at the speed to expect (the fastest grain or wall now), 3 m/s, moves 0.015 m in a step, more than the smallest radius, 0.0065 m"
scene "an inlet that pours through" 2 'bodies.rain.velocity=[0,0,-8]' \
    "error: time.step is 0.002 s: a grain of the inlet rain, 8 m/s, moves 0.016 m in a step, more than the smallest diameter, 0.013 m" "at most 0.00162 s is possible, 0.000812 s keeps it within the radius"
scene "a wall that runs over grains" 2 'walls.belt.velocity=[0,0,9]' \
    "error: time.step is 0.002 s: the wall belt, 9 m/s, moves 0.018 m in a step"
scene "grains that pass through others" 2 'bodies.bed.velocity=[9,0,0]' \
    "error: time.step is 0.002 s: the fastest grain now, 9 m/s"
scene "auto, limited by speed" 0 time.step=auto \
    "time step 0.002 s: the smallest radius, 0.0065 m, at 3 m/s (the fastest grain or wall now) takes 0.002167 s"
run check base.yaml --set contacts.any.speed=1 --set time.step=auto
says err "time step 0.005 s: 0.14 sqrt(d/g) of the smallest diameter, 0.013 m, is 0.005096 s" "as the paper"
run check base.yaml --set time.step=auto --set 'gravity=[0,0,0]'
says err "time step 0.0005405 s: the smallest radius, 0.0065 m, in four at 3 m/s" "without gravity"
run check base.yaml --set time.step=1us
says_not err "contact, " "no word about contact times"
sed -i '/^  belt/d' base.yaml

# gravity alone moves grains through each other: refused by `check` and by `run`, which writes nothing
fall="error: time.step is 0.1 s: gravity, 9.81 m/s^2, gives a grain 0.981 m/s in a step and moves it by 0.0981 m, more than the smallest diameter, 0.013 m"
scene "a step in which grains fall far" 2 time.step=0.1s "$fall" "at most 0.0364 s is possible, 0.0051 s is the default"
runs "such a run" 2 run base.yaml --set time.step=0.1s --output far.h5
says err "$fall" "is refused"
check "nothing is written" test ! -e far.h5
slow=(--set 'bodies.rain.velocity=[0,0,-0.1]' --set contacts.any.speed=0.1 --set time.step=40ms)
runs "a little less" 0 check base.yaml "${slow[@]}" --set time.step=30ms
says err \
    "warning: time.step is 0.03 s: gravity, 9.81 m/s^2, gives a grain 0.294 m/s in a step and moves it by 0.00883 m, more than the smallest radius, 0.0065 m" "is warned of"
runs "40 ms" 2 check base.yaml "${slow[@]}"
runs "sub-steps of 20 ms" 0 check base.yaml "${slow[@]}" --set stepper.substeps=2
scene "enormous gravity" 2 'gravity=[0,0,-1e30]' "moves it by 4e+24 m, more than the smallest diameter"
runs "anticipation beyond a grain" 2 run base.yaml --set stepper.anticipation=1 --output far.h5
says err "stepper.anticipation is 1 m, more than the smallest diameter, 0.013 m" "is refused"
check "nothing is written" test ! -e far.h5

# one contact is solved in one sweep: impacts are not over-relaxed (13.9 J instead of 2.52 J if they were)
cat >bounce.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, 0], [1, 1, 2]]}
materials: {m: {density: 2500, restitution: 1, friction: 0}}
contacts: {any: {stiffness: 1e6, speed: 5}}
bodies: {g: {from: positions, material: m, radius: 5 cm, position: [0, 0, 1.05]}}
walls: {floor: {shape: plane, material: m}}
stepper: {type: nonsmooth, sweeps: 20}
time: {end: 0.7 s, step: 2 ms}
YAML
must "impacts in thirty sweeps" run bounce.yaml --output bounce.h5
kinetic=$(sed -n 's/^energy kinetic \([^ ]*\) J.*/\1/p' out)
must "in one" run bounce.yaml --set stepper.impact_sweeps=1 --output bounce.h5
same "the same energy" "$kinetic" "$(sed -n 's/^energy kinetic \([^ ]*\) J.*/\1/p' out)"

# a grain that becomes so fast later ends the run, with its state
cat >fast.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 100]], periodic: [x, y]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000, speed: 0.1}}
bodies: {g: {from: lattice, material: m, radius: 2 mm, spacing: 4.1 mm, count: 50, region: {box: [[0, 0, 99], [0.1, 0.1, 99.5]]}}}
stepper: nonsmooth
time: {end: 4, step: 4 ms}
output: {every: 0.5, checkpoint: 1}
YAML
runs "a grain that becomes too fast" 1 run fast.yaml --output fast.h5
says err \
    "error: step 255, time 1.02 s: grain 1 moves at 10 m/s and would travel 0.04 m in a step, through any obstacle, more than 10 times the smallest diameter, 0.004 m" "ends the run"
says err "state written as checkpoint of step 255" "with its state"
runs "info" 0 info fast.h5

# ---- what it passes over and what it refuses ----

sed 's/rolling: sds/rolling: sds, stiffness_ratio: 0.5,\n        rolling_stiffness_ratio: 1/' base.yaml >springs.yaml
run check springs.yaml --set contacts.any.tangential=mindlin --set contacts.any.normal=hertz \
    --set materials.rock.young=1e7 --set materials.rock.poisson=0.3
says err \
    "springs.yaml:5:59: warning: no effect with the integrator nonsmooth: contacts.any.stiffness_ratio (line 5), contacts.any.rolling_stiffness_ratio (line 6), contacts.any.tangential: mindlin" "springs in one warning"
scene "keys of the integrator soft" 0 stepper.scheme=standard \
    "stepper.scheme has no effect with type: nonsmooth, it belongs to soft"
run check base.yaml --set contacts.any.damping=viscous --set contacts.any.damping_rate=10
same "viscous damping where restitution is known" 0 "$code"
says err "contacts.any.damping_rate, contacts.any.damping: viscous" "is named"
run check base.yaml --set contacts.any.cohesion=linear --set contacts.any.adhesion=1
same "cohesion: exit code" 2 "$code"
says err "error: contacts.any.cohesion is linear: the integrator nonsmooth does not support attraction" "cohesion is refused"
scene "bonds" 2 'bonds={b: {young: 1e6}}' \
    "error: bonds.b: the integrator nonsmooth does not support bonds between grains"
run check base.yaml --set stepper.reduction=on --set stepper.merge_sliding=0
same "a threshold that never merges: exit code" 2 "$code"
says err "error: stepper.merge_sliding is 0: with reduction: on no contact slides slowly enough to merge" "it is named"
scene "without reduction it does not matter" 0 stepper.merge_sliding=0

# ---- regions that stay resolved ----

scene "resolved regions without reduction" 0 'resolved_regions={s: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}' \
    "warning: resolved_regions have no effect: only the integrator nonsmooth with reduction: on"
scene "their former name" 0 'sensors={s: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}' \
    "warning: the section 'sensors' has been renamed to 'resolved_regions'" \
    "warning: resolved_regions have no effect: only the integrator nonsmooth with reduction: on"
scene "a resolved region outside" 2 'resolved_regions={s: {shape: sphere, center: [0, 0, 1], radius: 0.1}}' \
    "error: resolved_regions.s reaches from 0.9 to 1.1 m along z, outside the domain, -0.02 to 0.3 m"
scene "a resolved region with a wall that is not there" 2 \
    'resolved_regions={s: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], moves_with: flor}}' \
    "resolved_regions.s.moves_with is 'flor', which is not defined under walls, did you mean 'floor'?"

# ---- the solver's series ----

must "a run" run base.yaml --threads 1 --output whole.h5
matches out '^solver [0-9]+ sweeps, residual .* m/s, at most .* m/s; [0-9]+ steps not converged$' "the solver's summary"
whole=$(digest)
runs "info" 0 info whole.h5
says out "solver (solver)" "the solver is observed by default"
number "sweeps" "$(ledger_of whole.h5 sweeps)" 1 50
number "all contact sweeps are done" "$(ledger_of whole.h5 active)" 1 1
number "the part that is spared" "$(ledger_of whole.h5 reduction)" 0 0
runs "two of them" 2 check base.yaml --set 'observers={a: {type: solver}, b: {type: solver}}'
says err "observers.b is a second observer of the solver, beside a" "are refused"
runs "with the integrator soft" 0 check base.yaml --set stepper=soft --set time.step=auto \
    --set 'observers={a: {type: solver}}'
says err "observers.a has nothing to report: the integrator soft does not solve for contacts" "it has nothing to tell"

# ---- contacts are those that carry something ----

sed 's/^output.*/output: {every: 100 ms, contacts: yes}/; s/count: 60/count: 0/' base.yaml | sed '/^  rain/d' >bed.yaml
echo "observers: {z: {type: coordination, rattler: 0, every: 20 ms}}" >>bed.yaml
must "a bed" run bed.yaml --threads 1 --output bed.h5
matches out "^contacts [0-9]+, [0-9]+ candidates$" "both numbers are said"
carrying=$(told contacts)
same "the ledger's contacts" "$carrying" "$(ledger_of bed.h5 contacts)"
must "the contacts of the last frame" export bed.h5 --contacts --to csv --first -1 --output bed
read -r rows open loads < <($python - <<'PY'
import csv, glob
rows = list(csv.DictReader(open(sorted(glob.glob("bed*.csv"))[-1])))
force = [c for c in rows[0] if c.startswith("normal_force")]
size = [sum(float(r[c]) ** 2 for c in force) ** 0.5 for r in rows]
print(len(rows), sum(f == 0 for f in size), sum(f > 0 for f in size))
PY
)
same "frames hold as many" "$carrying" "$rows"
same "all of them carry a force" "0 $rows" "$open $loads"
runs "info" 0 info bed.h5
candidates=$(ledger_of bed.h5 candidates)
check "more were looked at" test "$candidates" -gt "$carrying"
must "the same with soft contacts" run bed.yaml --threads 1 --output soft.h5 --set stepper=soft --set time.step=auto \
    --quiet
must "compared" compare bed.h5 soft.h5 --table
says out "contacts: of A those that carry an impulse (integrator nonsmooth), of B those that overlap" \
    "what is counted is said"
must "compared with itself" compare bed.h5 bed.h5 --table
says_not out "those that carry an impulse" "where it is one and the same it is not"

# ---- overlaps ----

cat >rain.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.06, 0.06, 0.3]], periodic: [x, y]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1e5}}
bodies: {g: {from: lattice, material: glass, diameter: 6 mm, spacing: 7.5 mm, jitter: 1, count: 300, region: {box: [[0, 0, 0.001], [0.06, 0.06, 0.29]]}}}
walls: {floor: {shape: plane, material: glass}}
stepper: {type: nonsmooth}
time: {end: 0.25}
YAML
must "a step that is chosen" run rain.yaml --threads 1 --output rain.h5
depth=$(sed -n 's/^overlap at most \(.*\) % of the smaller diameter.*/\1/p' out)
number "keeps overlaps below 1 %" "$depth" 0 1
says_not err "the largest overlap was" "so there is no warning"
number "the solver's series has it" "$(ledger_of rain.h5 deepest)" "$(awk -v d="$depth" 'BEGIN {print 0.00995*d}')" \
    "$(awk -v d="$depth" 'BEGIN {print 0.01005*d}')"
must "a long step without anticipation" run rain.yaml --threads 1 --output rain.h5 --set time.step=3ms \
    --set contacts.any.speed=0.1 --set stepper.anticipation=0
matches err \
    "warning: the largest overlap was [0-9.]+ % of the smaller diameter, at 0\.[0-9]+ s; it was found late: a shorter time.step helps" "is warned of"
must "soft contacts" run rain.yaml --threads 1 --output rain.h5 --set contacts.any.stiffness=20 --quiet
matches err "this is the overlap of a contact of this stiffness under its force" "name their stiffness"

# ---- sweeps that are too few ----

cat >few.yaml <<'YAML'
scree: 1
domain: {box: [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.4]]}
materials: {rock: {density: 3700, restitution: 0.18, friction: 0.91}}
contacts: {any: {stiffness: 3 kN/m, speed: 0.1}}
bodies: {column: {from: lattice, material: rock, diameter: 13 mm, spacing: 13 mm, count: 20, region: {box: [[0, 0, 0], [0.014, 0.014, 0.3]]}}}
walls: {floor: {shape: plane, material: rock}}
stepper: {type: nonsmooth, sweeps: 6}
time: {end: 16, step: 5 ms}
YAML
must "too few sweeps" run few.yaml --threads 1 --output few.h5
matches err "step [0-9]+: impulses that start from the last step's feed energy in: 12 sweeps from now on" "are doubled"
matches out "^sweeps .* a step, at most .*: doubled [0-9]+ times, halved [0-9]+ times$" "which is told at the end"
halved=$(ledger_of few.h5 halved) told=$(grep -c "calm for some time: " err)
number "and halved" "$halved" 1 1000
same "said as often, up to three times" $((halved < 3 ? halved : 3)) "$told"

# the rows since the last one are those of a run that was never stopped
sed -i '/^  bed/d' base.yaml
must "without the bed" run base.yaml --threads 1 --output whole.h5 --quiet
whole=$(digest)
runs "half of it" 0 run base.yaml --threads 1 --output half.h5 --set time.end=0.11 --quiet
runs "the rest" 0 run base.yaml --threads 1 --resume half.h5 --quiet
same "the same bits" "$whole" "$(digest)"
for key in active merges_per_second splits_per_second unconverged; do
    same "the same $key" "$(ledger_of whole.h5 $key)" "$(ledger_of half.h5 $key)"
done

# every grain is counted, without a neighbour list
sed -i 's/^output/observers: {f: {type: flow, point: [0, 0, 0.19], normal: [0, 0, -1], bins: [2, 3, 1]}}\noutput/' base.yaml
must "a flow" run base.yaml --threads 1 --output flow.h5 --quiet
number "all that came have passed" "$(ledger_of flow.h5 count_along)" 60 60
number "none came back" "$(ledger_of flow.h5 count_against)" 0 0
# and where they passed, also when the run is cut
# bins FILE: how many passed in each bin, by the last row
bins() {
    "$scree" export "$1" --series f --output bins.csv >/dev/null 2>&1
    tail -n 6 bins.csv | awk -F, '{printf "%s ", $NF}'
}
number "each in one bin" "$(bins flow.h5 | awk '{for (k = 1; k <= NF; k++) sum += $k} END {print sum}')" 60 60
must "a part of it" run base.yaml --threads 1 --output cut.h5 --set time.end=0.2 --quiet
must "the rest" run base.yaml --resume cut.h5 --threads 1 --quiet
same "the same bins" "$(bins flow.h5)" "$(bins cut.h5)"

finish
