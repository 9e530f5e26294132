#!/bin/bash
# `make test-gpu`: the GPU of this machine against its CPU. Digests after 1000 steps for every law, scheme and scene of
# the lists below, with the ledger to 1e-12 and what the scene is for (bonds have broken, walls were pressed), other
# features, 20 000 steps of a flow, runs that change the device on the way, faults. $1 is the program, $2 the source
# folder.
#
# In the environment:
#   JOBS    so many parts at once; LIMIT: seconds after which they are ended, and what they have not done has failed
#   STATE   the chute of 32 000 grains as CSV (columns as in app/bench_gpu.c): then the 20 000 steps are those of it
#   DRY=1   the CPU takes the part of the GPU, in runs of full length: whether what scenes are for does happen in them
# For a program whose device is emulated: FEWER (alike.sh), only this part of all steps, and EVERY, only each so many-th
# of the products and restarts, beginning with number FIRST.
if ((${JOBS:-1} > 1)); then
    parts=$(mktemp -d) || exit 1
    trap 'rm -rf "$parts"' EXIT
    for ((k = 0; k < JOBS; k++)); do
        EVERY=$JOBS FIRST=$k JOBS=1 OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} timeout --kill-after=5 "${LIMIT:-0}" \
            bash "$0" "$@" >"$parts/$k" 2>&1 &
    done
    wait
    grep -h '^gpu:' "$parts"/* | sort -u
    grep -Hv -e '^ok: ' -e '^gpu:' "$parts"/* | sed "s|^$parts/|part |" # failures, and the sums of parts
    # a part that has no last line has failed
    awk -v parts="$JOBS" '/^ok: / { passed++ } /^FAILED: / { failed++ } /^[0-9]+ passed, [0-9]+ failed/ { ends++ }
        END {
            if (ends < parts) print parts - ends " of " parts " parts were cut off"
            print passed + 0 " passed, " failed + parts - ends " failed"
            exit failed + parts - ends > 0
        }' "$parts"/*
    exit
fi
. "$(dirname "$0")/../lib/cli.sh"
scenes=$source/tests/gpu
every=${EVERY:-1} number=$((${EVERY:-1} - 1 - ${FIRST:-0}))
[[ -n ${STATE:-} ]] && STATE=$(cd "$OLDPWD" && realpath "$STATE")
"$scree" version >out 2>err
if [[ -n ${DRY:-} ]]; then
    echo "gpu: none, a dry run" | tee version
elif ! grep -q '^gpu:' out; then
    echo "there is no GPU: $(grep '^no GPU' out)"
    exit 77
else
    grep '^gpu:' out | tee version
fi
# whether there is a device, and a real one
has_device() { [[ -z ${DRY:-} ]]; }
is_real() { ! grep -q -e 'a dry run' -e 'emulated on the CPU' version; }

program=$scree usual_step=1.4e-6
. "$source/tests/gpu/alike.sh"

# whether it is the turn of the next one
turn() { ((++number % every == 0)); }

# ---- every law x scheme x scene ----

# a word for each law: what of `contacts.any` it sets
declare -A law=(
    [hooke]="normal=hooke"
    [hertz]="normal=hertz"
    [plastic]="normal=plastic unloading_stiffness=8000"
    [jkr]="normal=hertz cohesion=jkr surface_energy=0.05"
    [linear]="normal=hooke cohesion=linear adhesion=0.001"
    [plastic_linear]="normal=plastic unloading_stiffness=8000 cohesion=linear adhesion=0.001"
    [viscous]="normal=hooke damping=viscous damping_rate=2000 tangential=viscous"
    [viscoelastic]="normal=hertz damping=viscoelastic area_damping_rate=1e7 tangential=history tangential_stiffness=1500"
    [mindlin]="normal=hertz tangential=mindlin rolling=sds rolling_friction=0.1 twisting=sds twisting_friction=0.1"
    [frictionless]="normal=hooke tangential=none rolling=constant rolling_friction=0.1"
    [damper]="normal=hooke tangential=history slip=damper rolling=sds rolling_friction=0.1 twisting=marshall"
    [rolling]="normal=hertz rolling=constant rolling_friction=0.1 twisting=marshall"
)
laws=(hooke hertz plastic jkr linear plastic_linear viscous viscoelastic mindlin frictionless damper rolling)
schemes=(improved standard)
# periodic, walls (plane, cylinder), mesh, servo, bonds, inlet and outlet, size ratio 20
products=(periodic floor drum mesh press bonds ports sizes)

# words of the program that no law above has
words_without_law() {
    local choice word
    for choice in NORMAL COHESION DAMPING TANGENTIAL ROLLING TWISTING SLIP; do
        for word in $(sed -n "s/^ *W($choice, [A-Z]*, \([a-z]*\),.*/\1/p" "$source/src/kernel/law/table.h"); do
            [[ $word == none || $word == auto || " ${law[*]} " == *" ${choice,,}=$word "* ]] && continue
            # what a law has without being asked
            [[ $word == restitution || $word == spring ]] || echo "${choice,,}: $word"
        done
    done
}
turn && same "each word of a law is in the list" "" "$(words_without_law)"
for word in "${!law[@]}"; do
    [[ " ${laws[*]} " == *" $word "* ]] || fail "law $word is in the order of laws"
done

bash "$scenes/funnel.sh" 24 3 0 4 7.5 6 3 7.5 9 1 >funnel.obj
bash "$scenes/funnel.sh" 90 2.4 -3 16 7.6 4 10 7.6 9 1 >facets.obj
bash "$scenes/cap.sh" 3000 5.051e-3 0.1e-3 >cap.csv
cp "$scenes"/*.yaml .
options_of() { # options_of LAW SCHEME: into `options`
    local number
    options=(--set stepper.scheme="$2")
    for number in ${law[$1]}; do options+=(--set "contacts.any.$number"); done
}
for scheme in "${schemes[@]}"; do
    for word in "${laws[@]}"; do
        for scene in "${products[@]}"; do
            turn || continue
            options_of "$word" "$scheme"
            alike "$word, $scheme, $scene" "$scene.yaml" 1000 "${options[@]}"
            happened $scene "$word"
            near "and the ledger" ledger
        done
    done
done

# ---- other features ----

for scheme in "${schemes[@]}"; do
    turn && step=1e-6 alike "jkr in a drum, $scheme" "$source/tests/bits/soft-jkr.yaml" 4000 \
        --set stepper.scheme=$scheme
    turn && step=5e-6 alike "bonds that break, $scheme" "$source/tests/bits/soft-bonds.yaml" 2000 \
        --set stepper.scheme=$scheme && some_broke
    turn && alike "contacts kept, $scheme" floor.yaml 1500 --set stepper.scheme=$scheme \
        --set contacts.any.rolling=constant --set output.contacts=true &&
        same "and those in frames" "$(of_contacts cpu | cksum)" "$(of_contacts gpu | cksum)"
    if turn; then
        alike "servos on areas, $scheme" cell.yaml 2500 --set stepper.scheme=$scheme \
            --set 'observers={on: {type: walls, every: 0.14 ms}}' --set output.checkpoint=3e-4
        happened cell
        near "and the forces on walls" on
        near "and the ledger" ledger
    fi
    if turn; then
        step=4e-6 alike "walls of all kinds, grains that ignore each other, $scheme" odd.yaml 1000 \
            --set stepper.scheme=$scheme --set output.every=4e-4
        happened odd
        observed
        step=4e-6 alike "a wall that vanishes under load, $scheme" odd.yaml 300 --set stepper.scheme=$scheme \
            --set walls.late.until=0.62e-3
    fi
    if turn; then
        step=1e-7 alike "size ratio 100, $scheme" hundred.yaml 1000 --set stepper.scheme=$scheme
        happened hundred
        near "and the ledger" ledger
    fi
    for normal in hooke hertz; do
        turn && alike "LAMMPS, $normal, $scheme" periodic.yaml 1000 --set stepper.scheme=$scheme \
            --set stepper.conventions=lammps --set contacts.any.normal=$normal
    done
    if turn; then
        step=4e-6 alike "moved as prescribed, gravity that changes, $scheme" moved.yaml 3000 \
            --set stepper.scheme=$scheme
        same "and their work" "$(grep '^energy' cpu.out)" "$(grep '^energy' gpu.out)"
    fi
done
if turn; then
    alike "planes that grains pass" planes.yaml 3000
    ((${FEWER:-1} > 1)) || passed_planes
fi
turn && alike "sizes, sorted" sizes.yaml 1300 --set 'bodies.balls.velocity=[0.3, 0.6, -0.8]'
turn && alike "inlet and outlet, for long" ports.yaml 2500
turn && alike "a mesh, for long" mesh.yaml 2500

# ---- 20 000 steps of a flow, sorted twenty times ----

cat >chute.yaml <<'YAML'
# a flow down a slope of 24 degrees, over grains that are held
scree: 1
gravity: [3.99, 0, -8.96]
domain: {box: [[0, 0, 0], [24 mm, 12 mm, 40 mm]], periodic: [x, y]}
materials: {sand: {density: 2500, young: 5 MPa, poisson: 0.3, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 2000}}
bodies:
  base: {from: lattice, material: sand, diameter: 1.2 mm, spacing: 1.4 mm, frozen: true, region: {box: [[0, 0, 0], [24 mm, 12 mm, 1.4 mm]]}}
  sand: {from: lattice, material: sand, diameter: [0.9 mm, 1.1 mm], spacing: 1.15 mm, velocity: [0.8, 0, -0.2], region: {box: [[0, 0, 2 mm], [24 mm, 12 mm, 14 mm]]}}
walls: {floor: {shape: plane, material: sand}}
time: {end: 1}
YAML
turn && step=5e-6 alike "20 000 steps of a flow down a slope" chute.yaml 20000
if [[ -n ${STATE:-} ]]; then
    cp "$STATE" state.csv
    cat >reference.yaml <<'YAML'
# the chute of the granular benchmark that LAMMPS comes with
scree: 1
gravity: [=sin(26*pi/180), 0, =-cos(26*pi/180)]
domain: {box: [[0, 0, -1], [40, 20, 60]], periodic: [x, y], boundary: stop}
materials: {grain: {density: 1}}
contacts: {any: {stiffness: 200000, stiffness_ratio: 0.2857142857142857, friction: 0.5, damping: viscous,
  damping_rate: 50, damping_ratio: 0}}
bodies:
  flow: {from: table, file: state.csv, type: 1, material: grain}
  base: {from: table, file: state.csv, type: 2, material: grain, frozen: true}
time: {end: 1}
YAML
    if turn; then
        step=1e-4 alike "20 000 steps of the chute of 32 000 grains" reference.yaml 20000
        near "and the ledger" ledger
    fi
fi

# ---- the device that `auto` takes ----

if has_device && turn; then
    steps=$((200 * ${FEWER:-1})) # the choice is made after 160
    step=5e-6 run cpu chute.yaml $steps
    step=5e-6 SCREE_GPU_TIMES=1 run auto chute.yaml $steps
    choice=$(cat auto.out auto.err | grep -E '^steps on (gpu:0|the CPU).*: [0-9.e+-]+ ms each')
    check "auto says what it has chosen: ${choice:-nothing}" test -n "$choice"
    same "and the digest is the same" "$(grep '^digest' cpu.out)" "$(grep '^digest' auto.out)"
fi
if has_device && [[ -n ${STATE:-} ]] && is_real && turn; then
    step=1e-4 run cpu reference.yaml 1000
    step=1e-4 SCREE_GPU_TIMES=1 run auto reference.yaml 1000
    choice=$(cat auto.out auto.err | grep -E '^steps on (gpu:0|the CPU).*: [0-9.e+-]+ ms each')
    check "of 32 000 grains it takes the GPU: ${choice:-nothing}" grep -q '^steps on gpu:0' <<<"$choice"
    same "and the digest is the same" "$(grep '^digest' cpu.out)" "$(grep '^digest' auto.out)"
fi

# ---- from one device to the other ----

# begun on one device, gone on with on the other
passed_on() { # passed_on WHAT SCENE FIRST OPTION...
    local scene=$2 first=$3 other=gpu whole end
    [[ $first == gpu || -n ${DRY:-} ]] && other=cpu
    run cpu $scene.yaml 2200 "${@:4}"
    whole=$(grep '^digest' cpu.out)
    end=$(awk "BEGIN { printf \"%.17g\", $(fewer 2200) * $usual_step }")
    run "$first" $scene.yaml 1100 "${@:4}"
    "$scree" run $scene.yaml --quiet --set time.step=$usual_step --set time.end=$end --device $other \
        --resume "$first.h5" "${@:4}" >out 2>err
    if [[ $scene == press && ${FEWER:-1} == 1 ]]; then
        check "the servo presses in the second half" pressed "$first.h5" lid z "$(awk "BEGIN { print 0.6 * $end }")"
    fi
    same "$1: begun on the $first, gone on with on the other" "${whole:-none}" "$(grep '^digest' out)"
}
for scene in "${products[@]}" cell; do
    for first in cpu gpu; do
        turn && passed_on $scene $scene $first
    done
done
for first in cpu gpu; do # all that a contact can remember
    turn && passed_on "dents, rolling, twisting, contacts in frames" floor $first \
        --set contacts.any.normal=plastic --set contacts.any.unloading_stiffness=8000 --set contacts.any.rolling=sds \
        --set contacts.any.rolling_friction=0.1 --set contacts.any.twisting=sds \
        --set contacts.any.twisting_friction=0.1 --set output.contacts=true
done

# ---- faults ----

# the device fails at a transfer or an allocation (SCREE_GPU_FAULT, SCREE_GPU_NO_MEMORY: exec/cuda/device.h)
broken() { # broken WHAT PATTERN: the last run has ended so, and its last checkpoint goes on to the same end
    same "$1: exit code 1 and one message" "1 1 1" "$code $(grep -c '^error' gpu.err) $(grep -Ec "^error: $2" gpu.err)"
    same "and no digest" "" "$(grep '^digest' gpu.out)"
    "$scree" run cell.yaml --quiet "${often[@]}" --set time.step=$usual_step --set time.end=$end \
        --set output.every=$end --device cpu --resume gpu.h5 >out 2>err
    same "and its checkpoint goes on to the same end on the CPU" "$whole" "$(grep '^digest' out)"
}
if has_device && turn; then
    steps=$((${FEWER:-1} > 1 ? 200 * FEWER : 1000)) # so many that lists are made on the way
    end=$(awk "BEGIN { printf \"%.17g\", $(fewer $steps) * $usual_step }")
    often=(--set output.checkpoint="$(awk "BEGIN { print 0.2 * $end }")")
    run cpu cell.yaml $steps "${often[@]}"
    whole=$(grep '^digest' cpu.out)
    SCREE_GPU_TIMES=1 run gpu cell.yaml $steps "${often[@]}"
    same "without faults" "${whole:-none}" "$(grep '^digest' gpu.out)"
    transfers=$(sed -n 's/^gpu asked .* \([0-9]*\) transfers.*/\1/p' gpu.out gpu.err)
    allocations=$(sed -n 's/^gpu asked .* \([0-9]*\) allocations.*/\1/p' gpu.out gpu.err)
    check "transfers and allocations are told" test "${transfers:-0}" -gt 20 -a "${allocations:-0}" -gt 50
    for part in 0.5 0.9; do
        number_of=$(awk "BEGIN { print int($transfers * $part) }") code=0
        SCREE_GPU_FAULT=$number_of run gpu cell.yaml $steps "${often[@]}" || code=$?
        broken "a kernel fails before transfer $number_of" \
            'the GPU failed: .*; the last checkpoint remains, and --resume FILE --device cpu continues from it'
        echo "    $(grep '^error' gpu.err)"
    done
    # lists can be made by the CPU instead: then the run survives
    code=0
    SCREE_GPU_NO_MEMORY=$((allocations - 2)) run gpu cell.yaml $steps "${often[@]}" || code=$?
    if ((code)); then
        broken "no memory from allocation $((allocations - 2)) on" 'no memory (on the GPU|to copy)'
    else
        same "no memory from allocation $((allocations - 2)) on: the same end" "$whole" "$(grep '^digest' gpu.out)"
    fi
    code=0
    rm -rf gpu.h5*
    SCREE_GPU_NO_MEMORY=5 run gpu cell.yaml $steps "${often[@]}" || code=$?
    same "no memory at the start: exit code 1 and one message" "1 1" "$code $(grep -Ec \
        '^error: no memory on the GPU for [0-9]+ grains: .* would fit; with device cpu' gpu.err)"
    check "and nothing is written" test ! -e gpu.h5
fi
has_device || finish
if turn; then
    code=0
    "$scree" run periodic.yaml --device gpu:77 --output none.h5 >out 2>err || code=$?
    same "a GPU that is not there" "2 1" "$code $(grep -c 'gpu:77 cannot be used' err)"
    check "and nothing is written" test ! -e none.h5
    if is_real; then
        code=0
        CUDA_VISIBLE_DEVICES='' "$scree" run periodic.yaml --device gpu --output none.h5 >out 2>err || code=$?
        same "a GPU that is hidden" "2 1" "$code $(grep -c 'gpu:0 cannot be used: no GPU found' err)"
    fi
fi
finish
