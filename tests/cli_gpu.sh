#!/bin/bash
# Steps on a GPU: the digest of the CPU, for every law, scheme and feature. Here the kernels run on the CPU, thread
# after thread (tests/emulate), so that no GPU is needed; `make test-gpu` compares on a real one.
. "$(dirname "$0")/lib/cli.sh"
emulated=$(dirname "$scree")/scree_emulated
scenes=$source/tests/gpu

# ---- messages ----

"$scree" version >out 2>err
# code for the devices that the build was asked for, or for none
wanted=
grep -q 'built without CUDA' out ||
    wanted=$(grep -o 'code=[a-z]*_[0-9]*' "$(dirname "$scree")/cuda/flags.txt" | cut -d= -f2 | sort -u | paste -sd ' ')
same "the program has code for: ${wanted:-no GPU}" "$wanted" \
    "$("$source/tools/gpu-code" "$scree" | cut -d' ' -f1 | sort -u | paste -sd ' ')"
if ! grep -q '^gpu:' out; then
    check "version says that there is no GPU, and why" grep -q '^no GPU: .' out
    code=0
    "$scree" run "$scenes/press.yaml" --device gpu --output none.h5 >out 2>err || code=$?
    same "asking for one is an error" 2 "$code"
    check "which says so, and what to do" grep -q 'gpu:0 cannot be used: no GPU found (.*); with device cpu' err
    check "and nothing is written" test ! -e none.h5
fi
code=0
"$scree" run "$scenes/press.yaml" --device moon --output none.h5 >out 2>err || code=$?
same "a device of another name is an error" "2 1" "$code $(grep -c "device 'moon': auto, cpu, gpu, or gpu:N" err)"
code=0
"$scree" run "$source/tests/bits/nonsmooth-plant.yaml" --device gpu --output none.h5 >out 2>err || code=$?
same "another integrator is for the CPU" "2 1" "$code $(grep -c "the integrator nonsmooth is for the CPU" err)"
[[ -x $emulated ]] || { left_out "digests of kernels" "scree_emulated is not built"; finish; }
code=0
"$emulated" run "$scenes/press.yaml" --device gpu:1 --output none.h5 >out 2>err || code=$?
same "and one that is not there" "2 1" "$code $(grep -c 'gpu:1 cannot be used: there is 1, counted from 0' err)"
code=0
EMULATED_COUNT=2 "$emulated" run "$scenes/press.yaml" --device gpu:2 --output none.h5 >out 2>err || code=$?
same "nor a third of two" "2 1" "$code $(grep -c 'gpu:2 cannot be used: there are 2, counted from 0' err)"

# ---- digests ----

# steps of so many grains as fit into a test; the emulated device is slow
program=$emulated usual_step=2e-6
. "$source/tests/gpu/alike.sh"
export EMULATED_COUNT=2
same "version lists two devices" "gpu:0 gpu:1" "$("$emulated" version | grep -o '^gpu:[01]' | paste -sd ' ')"
run cpu "$scenes/small.yaml" 100
run gpu:1 "$scenes/small.yaml" 100
same "the second of them" "$(grep '^digest' cpu.out)" "$(grep '^digest' gpu:1.out)"
check "info says which it was" grep -q '^  device  *gpu:1, emulated on the CPU, number 1$' \
    <("$emulated" info gpu:1.h5)
unset EMULATED_COUNT
alike "hooke, periodic" "$scenes/periodic.yaml" 130
alike "hooke, standard, LAMMPS" "$scenes/small.yaml" 300 --set stepper.scheme=standard --set stepper.conventions=lammps
alike "sorted on the way, hertz" "$scenes/small.yaml" 1100 --set contacts.any.normal=hertz
alike "hertz, a floor, several materials, frozen grains" "$scenes/floor.yaml" 150 --set contacts.any.normal=hertz
alike "plastic, standard" "$scenes/floor.yaml" 150 --set contacts.any.normal=plastic \
    --set contacts.any.unloading_stiffness=8000 --set stepper.scheme=standard
alike "rolling, twisting, a drum" "$scenes/drum.yaml" 120 --set contacts.any.rolling=sds \
    --set contacts.any.twisting=marshall
alike "linear cohesion, contacts kept" "$scenes/drum.yaml" 120 --set contacts.any.cohesion=linear \
    --set contacts.any.adhesion=0.001 --set output.contacts=true
alike "a servo, a wall that shakes" "$scenes/press.yaml" 200
happened press
near "and the forces on walls" on
near "and the ledger" ledger
export SCREE_GPU_TIMES=1
alike "servos, areas that follow walls, checkpoints on the way" "$scenes/cell.yaml" 1200 --set output.checkpoint=2e-4
# a kernel for servos, one for walls, one for tiles
check "with servos many steps are launched before the host asks" \
    awk '$3 == "steps" && $6 >= 3 * 6 { good = 1 } END { exit !good }' <(grep -h '^gpu time' gpu.out gpu.err)
same "and the work of their walls" "$(grep '^energy' cpu.out)" "$(grep '^energy' gpu.out)"
# there only walls move: they end the list
alike "servos that come to grains at rest" "$scenes/cell.yaml" 1200 --set 'gravity=[0, 0, 0]' \
    --set 'bodies.sand.velocity=[0, 0, 0]'
# nobody comes to the outlet: bodies are fetched at the end, not at each of 17 looks
alike "an outlet, and nobody leaves" "$scenes/small.yaml" 1100 \
    --set 'outlets={out: {shape: sphere, center: [-9 mm, -9 mm, -9 mm], radius: 1 mm}}'
check "then no list is made by the CPU" bash -c "! grep -hq 'list by the CPU' gpu.out gpu.err"
copied=$(sed -n 's/^gpu:0 launched .*copied \([0-9]*\) bytes.*/\1/p' gpu.out gpu.err)
grains=$(sed -n 's/^steps .* \([0-9]*\) grains.*/\1/p' gpu.out gpu.err)
check "and bodies stay where they are" test "${copied:-999999999}" -lt $((4 * 160 * ${grains:-0} + 64 * 1100))
alike "outlets of several shapes, open for a while" "$scenes/ports.yaml" 300 --set bodies.rain.rate=1 \
    --set 'bodies.first.region={box: [[-4 mm, -4 mm, 7 mm], [4 mm, 4 mm, 16 mm]]}' --set 'outlets={
    ball: {shape: sphere, center: [0, 0, 8 mm], radius: 3 mm, start: 0.3 ms},
    tube: {shape: cylinder, from: [-4 mm, 2 mm, 9 mm], to: [4 mm, 2 mm, 11 mm], radius: 1.5 mm, start: 0.1 ms,
        until: 0.5 ms},
    low: {shape: box, box: [[-8 mm, -8 mm, 5 mm], [8 mm, 8 mm, 7.3 mm]]}}'
same "and each takes as many" "$(grep -h '^outlet' cpu.out cpu.err)" "$(grep -h '^outlet' gpu.out gpu.err)"
same "none of them nobody" 3 "$(cat gpu.out gpu.err | grep -Ec '^outlet [a-z]*: [1-9]')"
unset SCREE_GPU_TIMES
alike "size ratio 20" "$scenes/sizes.yaml" 60 --set bodies.dust.spacing=0.9e-3 --set 'bodies.balls.velocity=[0, 0, -3]'
alike "inlet, outlet, a funnel" "$scenes/ports.yaml" 400
bash "$scenes/funnel.sh" 24 3 0 4 7.5 6 3 7.5 9 1 >funnel.obj
cp "$scenes/mesh.yaml" .
step=4e-6 alike "a turning funnel of facets" mesh.yaml 400
step=4e-6 alike "a group that moves as prescribed, gravity that changes" "$scenes/moved.yaml" 500
same "and their work" "$(grep '^energy' cpu.out)" "$(grep '^energy' gpu.out)"
alike "planes that grains pass, sorted" "$scenes/planes.yaml" 1100
passed_planes
step=1e-6 alike "jkr, a turning drum" "$source/tests/bits/soft-jkr.yaml" 600
bash "$scenes/funnel.sh" 90 2.4 -3 16 7.6 4 10 7.6 9 1 >facets.obj
cp "$scenes/odd.yaml" "$scenes/hundred.yaml" .
step=4e-6 alike "walls of all kinds, grains that ignore each other" odd.yaml 300 --set output.every=4e-4
happened odd
observed
bash "$scenes/cap.sh" 1000 5.051e-3 0.1e-3 >cap.csv
step=1e-7 alike "size ratio 100" hundred.yaml 220
happened hundred
step=5e-6 alike "bonds that break" "$source/tests/bits/soft-bonds.yaml" 600
some_broke

# ---- auto ----

# both are tried with steps that count; an emulated device is as slow as it is told
cat >many.yaml <<'END'
scree: 1
gravity: [0, 0, -9.81]
domain: {box: [[0, 0, 0], [15 mm, 15 mm, 15 mm]], periodic: [x, y, z]}
materials: {sand: {density: 2500, young: 5 MPa, poisson: 0.3, restitution: 0.5, friction: 0.4}}
contacts: {any: {stiffness: 2000}}
bodies:
  left: {from: lattice, material: sand, diameter: [0.8 mm, 1.15 mm], spacing: 1.15 mm, velocity: [2, 0.5, 0.3], region: {box: [[0, 0, 0], [7.4 mm, 15 mm, 15 mm]]}}
  right: {from: lattice, material: sand, diameter: [0.8 mm, 1.15 mm], spacing: 1.15 mm, velocity: [-2, 0, -0.4], region: {box: [[7.5 mm, 0, 0], [15 mm, 15 mm, 15 mm]]}}
observers: {energies: {type: ledger, every: 1.4e-4}}
END
automatic() { # automatic PACE STEPS: the device that was taken, and the digest
    EMULATED_PACE=$1 "$emulated" run many.yaml --force --set time.step=2e-6 \
        --set time.end="$(awk "BEGIN { print $2 * 2e-6 }")" \
        --set output.contacts=true --device auto --output auto.h5 >out 2>err
    echo "$(cat out err | grep -Eo '^steps on (the CPU|gpu:0)' | tail -n 1), $(grep '^digest' out err |
        grep -o '[0-9a-f]*$')"
}
"$emulated" run many.yaml --quiet --force --set time.step=2e-6 --set time.end=3.8e-4 --set output.contacts=true \
    --device cpu --output cpu.h5 >out 2>err
whole=$(grep -o '^digest.*' out | grep -o '[0-9a-f]*$')
same "auto takes the GPU where its steps are faster" "steps on gpu:0, $whole" "$(automatic 1e-9 190)"
check "and says what they take" grep \
    -Eq '^steps on gpu:0, emulated on the CPU: [0-9.e-]+ ms each, [0-9.e-]+ ms on the CPU with [0-9]+ thread' out err
same "and the CPU where those are" "steps on the CPU, $whole" "$(automatic 1e9 190)"
check "and says that" grep \
    -Eq '^steps on the CPU: [0-9.e+-]+ ms each with [0-9]+ threads, [0-9.e+-]+ ms on gpu:0, emulated' out err
EMULATED_MEMORY=1000 "$emulated" run many.yaml --force --set time.step=2e-6 --set time.end=4e-6 \
    --output auto.h5 >out 2>err
check "a device that is too small is not tried" grep -Eq '^on the CPU, not on gpu:0: it has .* at most 0 would fit' \
    out err

# ---- scripts for real ones ----

# a sanitizer that finds what it is told to
cat >sanitizer <<'END'
#!/bin/bash
shift 6
"$@" >/dev/null && echo "========= ERROR SUMMARY: $FINDS errors"
END
chmod +x sanitizer
for finds in 0 3; do
    FINDS=$finds STEPS=2 SANITIZER=$PWD/sanitizer bash "$scenes/sanitize.sh" "$emulated" "$source" >out 2>err
    same "sanitize.sh, where $finds errors are found" "$((finds ? 0 : 15)) passed, $((finds ? 15 : 0)) failed" \
        "$(tail -n 1 out)"
done
check "memory of the device is said" bash -c \
    "SCREE_GPU_MEMORY=1 '$emulated' run '$scenes/small.yaml' --device gpu --set time.step=2e-6 --set time.end=4e-6 --output m.h5 2>&1 | grep -Eq '^gpu memory [1-9][0-9]* bytes at most'"

# ---- from one device to the other ----

run cpu "$scenes/ports.yaml" 400
whole=$(grep '^digest' cpu.out)
for first in cpu gpu; do
    other=$([[ $first == cpu ]] && echo gpu || echo cpu)
    run "$first" "$scenes/ports.yaml" 200
    "$emulated" run "$scenes/ports.yaml" --quiet --set time.step=2e-6 --set time.end=8e-4 --device "$other" \
        --resume "$first.h5" >out 2>err
    same "begun on the $first, gone on with on the $other" "$whole" "$(grep '^digest' out)"
    device=$([[ $other == gpu ]] && echo 'gpu:0, ' || echo CPU)
    check "what computed the last steps is said by info" \
        bash \
        -c "'$emulated' info '$first.h5' | grep -q '^  device  *$device' && '$emulated' info --json '$first.h5' | grep -q '\"device\":\"$device'"
    "$emulated" report "$first.h5" --output "$first.html" --force >out 2>err
    check "and by the report" grep -q "$device" "$first.html"
done
finish
