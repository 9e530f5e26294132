#!/bin/bash
# A GPU that fails, or has too little memory: the run ends with a message, and the last checkpoint goes on elsewhere.
# And how much memory it needs. The device is emulated (tests/emulate), which fails where it is told to.
. "$(dirname "$0")/lib/cli.sh"
emulated=$(dirname "$scree")/scree_emulated
[[ -x $emulated ]] || { left_out "faults of a device" "scree_emulated is not built"; finish; }
scene=$source/tests/gpu/cell.yaml dt=2e-6 end=4e-4

run() { # run DEVICE FILE OPTION...
    "$emulated" run "$scene" --quiet --set time.step=$dt --set time.end=$end --set output.every=$end \
        --set output.checkpoint=1e-4 --device "$1" --output "$2" "${@:3}" >out 2>err
}
resume() { # resume FILE: on the CPU; prints its digest
    "$emulated" run "$scene" --quiet --set time.step=$dt --set time.end=$end --set output.every=$end \
        --set output.checkpoint=1e-4 --device cpu --resume "$1" 2>err | grep '^digest'
}

run cpu whole.h5
whole=$(grep '^digest' out)
check "the whole run has a digest" test -n "$whole"

# ---- in the midst of a run ----

advice='the last checkpoint remains, and --resume FILE --device cpu continues from it'
SCREE_GPU_TIMES=1 "$emulated" run "$scene" --set time.step=$dt --set time.end=$end --set output.every=$end \
    --set output.checkpoint=1e-4 --device gpu --output told.h5 >out 2>err
same "without faults it is the same" "$whole" "$(grep '^digest' out)"
kernels=$(sed -n 's/^gpu:0 launched \([0-9]*\) kernels.*/\1/p' out err)
allocations=$(sed -n 's/^gpu:0 launched .*, \([0-9]*\) allocations.*/\1/p' out err)
check "kernels and allocations are told" test "${kernels:-0}" -gt 600 -a "${allocations:-0}" -gt 50

# two thirds of the kernels: two checkpoints are there by then
for part in 0.4 0.67 0.9; do
    number=$(awk "BEGIN { print int($kernels * $part) }")
    rm -f broken.h5
    code=0
    EMULATED_FAULT=$number run gpu broken.h5 || code=$?
    same "kernel $number fails: one error" "1 1" "$code $(grep -c "^error: the GPU failed: a fault .*$advice" err)"
    same "no digest is told" "" "$(grep '^digest' out)"
    standing=$("$emulated" info broken.h5 2>err | grep -Eo 'checkpoint[^,]*' | head -n 1)
    check "a checkpoint stands" test -n "$standing"
    same "and goes on to the same end on the CPU" "$whole" "$(resume broken.h5)"
done

# memory that is exhausted later: some of these the run survives, by a list of the CPU
survived=0 ended=0
for number in $((allocations - 2)) $((allocations - 8)) $((allocations - 20)) $((allocations * 3 / 4)); do
    rm -f short.h5
    code=0
    SCREE_GPU_NO_MEMORY=$number run gpu short.h5 || code=$?
    if ((code == 0)); then
        survived=$((survived + 1))
        same "no memory from allocation $number on: the same end" "$whole" "$(grep '^digest' out)"
        continue
    fi
    ended=$((ended + 1))
    same "no memory from allocation $number on: an error" 1 \
        "$(grep -Ec '^error: no memory (on the GPU|to copy)' err)"
    [[ -e short.h5 ]] && same "and its checkpoint goes on" "$whole" "$(resume short.h5)"
done
check "some of these ended the run" test $ended -gt 0

# ---- at the start ----

for number in 1 5 30; do
    rm -f none.h5
    code=0
    SCREE_GPU_NO_MEMORY=$number run gpu none.h5 || code=$?
    same "no memory from allocation $number on, at the start" 1 \
        "$(grep -Ec '^error: no memory on the GPU for 64 grains: .* at most about [0-9]+ would fit; with device cpu' err)"
    check "is an error, and nothing is written" test $code -ne 0 -a ! -e none.h5
done

# ---- memory ----

# bytes per grain at most, with a list and a sort on the device: step 1024 is passed
memory_of() { # memory_of FILE STEP DT
    "$emulated" run "$1" --quiet --force --set time.step="$3" --set time.end="$(awk "BEGIN { print $2 * $3 }")" \
        --set output.every=1 --set output.checkpoint=1 --device cpu --output m.h5 >out 2>err
    SCREE_GPU_TIMES=1 SCREE_GPU_MEMORY=1 "$emulated" run "$1" --set time.step="$3" --set output.every=1 \
        --set output.checkpoint=1 --set time.end="$(awk "BEGIN { print ($2 + 8) * $3 }")" --device gpu --resume m.h5 \
        >out 2>err
    cat out err | awk '/^gpu memory/ { bytes = $3 } /^gpu time sort/ { sorted = 1 }
        /^steps .* grains/ { for (k = 2; k <= NF; k++) if ($k ~ /^grains/) grains = $(k - 1) }
        END { if (sorted && grains > 0) printf "%.0f\n", bytes / grains; else print "unknown" }'
}
cat >flow.yaml <<'END'
# a flow down a slope, over grains that are held
scree: 1
gravity: [3.99, 0, -8.96]
domain: {box: [[0, 0, 0], [24 mm, 12 mm, 40 mm]], periodic: [x, y]}
materials: {sand: {density: 2500, young: 5 MPa, poisson: 0.3, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 2000}}
bodies:
  base: {from: lattice, material: sand, diameter: 1.2 mm, spacing: 1.4 mm, frozen: true, region: {box: [[0, 0, 0], [24 mm, 12 mm, 1.4 mm]]}}
  sand: {from: lattice, material: sand, diameter: [0.9 mm, 1.1 mm], spacing: 1.15 mm, velocity: [0.8, 0, -0.2], region: {box: [[0, 0, 2 mm], [24 mm, 12 mm, 16 mm]]}}
time: {end: 1}
END
cat >bed.yaml <<'END'
# a bed that is pressed: six contacts each
scree: 1
gravity: [0, 0, 0]
domain: {box: [[0, 0, 0], [13.993, 13.993, 13.993]], periodic: [x, y, z]}
materials: {grain: {density: 1, young: 2.457e7, poisson: 0.3, restitution: 0.5, friction: 0.5}}
contacts: {any: {normal: hertz}}
bodies: {bed: {from: table, file: bed.csv, material: grain}}
time: {end: 1}
END
awk 'BEGIN {
    print "diameter,x,y,z"
    for (n = 0; n < 14 ^ 3; n++)
        printf "1,%.9g,%.9g,%.9g\n", 0.9995 * (n % 14 + 0.5), 0.9995 * (int(n / 14) % 14 + 0.5),
            0.9995 * (int(n / 196) + 0.5)
}' >bed.csv
flow=$(memory_of flow.yaml 1020 5e-6) bed=$(memory_of bed.yaml 1020 1e-4)
echo "figure gpu.flow.memory $flow B/grain"
echo "figure gpu.bed.memory $bed B/grain"
check "a flow needs at most 1.2 kB per grain" test "${flow/unknown/99999}" -le 1200
check "a dense bed 1.6" test "${bed/unknown/99999}" -le 1600
finish
