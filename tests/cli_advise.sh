#!/bin/bash
# `scree advise` against what runs then cost, and what it advises where moduli and speeds are given or guessed.
. "$(dirname "$0")/lib/cli.sh"

cat >drum.yaml <<'YAML'
scree: 1
domain: {box: [[-0.06, -0.03, -0.06], [0.06, 0.03, 0.06]]}
materials: {glass: {density: 2500, restitution: 0.6, friction: 0.5}}
contacts: {any: {stiffness: auto, overlap: 2 %}}
bodies:
  beads: {from: random, material: glass, diameter: 6 mm, count: 400, region: {shape: cylinder, from: [0, -0.025, 0], to: [0, 0.025, 0], radius: 0.046}}
walls:
  shell: {shape: cylinder, material: glass, from: [0, -0.03, 0], to: [0, 0.03, 0], radius: 0.05, rotation: {axis: [0, 1, 0], rate: 3}}
  left: {shape: plane, material: glass, point: [0, -0.029, 0], normal: [0, 1, 0]}
  right: {shape: plane, material: glass, point: [0, 0.029, 0], normal: [0, -1, 0]}
time: {end: 0.3}
output: {every: 0.1}
YAML
cat >box.yaml <<'YAML'
scree: 1
domain: {box: [[-0.06, -0.06, -0.01], [0.06, 0.06, 0.3]]}
materials: {glass: {density: 2500, restitution: 0.3, friction: 0.5}}
bodies: {beads: {from: random, material: glass, diameter: 8 mm, count: 300, region: {box: [[-0.05, -0.05, 0.01], [0.05, 0.05, 0.25]]}}}
walls: {box: {shape: box, material: glass, box: [[-0.055, -0.055, 0], [0.055, 0.055, 0.3]]}}
time: {end: 0.3}
output: {every: 0.1}
YAML

# seconds TEXT: 2.1 s, 3 min, ...
seconds() { awk '{ print $1 * ($2 == "min" ? 60 : $2 == "h" ? 3600 : $2 == "days" ? 86400 : 1) }' <<<"$1"; }
# promised NAME ARGUMENTS...: the two times that advise gives, and the CPU time that the run takes. The first is of a
# loose start, the second of a dense state: what a run costs lies between, but for a factor that machine and scene may
# bring
promised() {
    local what=$1 first second took
    shift
    must "$what: advice" advise "$@" --threads 1
    first=$(seconds "$(sed -n 's/^  CPU time \(.*\) if all steps cost as much as the first ones.*/\1/p' out)")
    second=$(seconds "$(sed -n 's/^  CPU time \(.*\) if \(all grains\|steps cost\).*/\1/p' out)")
    must "$what: its run" run "$@" --threads 1 --quiet --output cost.h5
    must "$what: its cost" info cost.h5
    took=$(sed -n 's/^ *steps took .* CPU time \([0-9.e+-]*\) s.*/\1/p' out)
    echo "$what: advised $first s to $second s, took $took s of CPU time"
    number "$what: not less than a third of the first" "$(awk -v a="$took" -v b="$first" 'BEGIN { print a / b }')" \
        0.33 1e6
    number "$what: not more than three times the second" "$(awk -v a="$took" -v b="$second" 'BEGIN { print a / b }')" \
        0.05 3
}
promised "a drum" drum.yaml
promised "a filling" box.yaml --set contacts.any.speed=0.3 --set time.end=0.2
promised "nonsmooth" box.yaml --set stepper=nonsmooth --set time.end=1
promised "variational" box.yaml --set stepper=variational --set bodies.beads.count=60 --set time.end=0.1

# ---- what is advised ----

must "a speed that is guessed" advise box.yaml --threads 1
matches out \
    'the expected speed of .* m/s, a fall through the domain, determines stiffness and time step: .* set contacts.any.speed' "it says that this decides, and how to lower it"
slow=$(sed -n 's/^  time step \([^ ]*\) s.*/\1/p' out)
must "one that is given" advise box.yaml --threads 1 --set contacts.any.speed=0.3
says_not out "a fall through the domain, decides" "no word about it"
fast=$(sed -n 's/^  time step \([^ ]*\) s.*/\1/p' out)
number "and steps are longer" "$(awk -v a="$fast" -v b="$slow" 'BEGIN { print a / b }')" 5 12 # 2.47/0.3 = 8.2
must "a run says so too" run box.yaml --threads 1 --set time.end=1e-3 --output said.h5
says err "this speed determines stiffness and time step"
for moduli in "1e5 1" "7e10 0.001"; do
    read -r young speed <<<"$moduli"
    must "moduli that are given, young $young" advise box.yaml --threads 1 --set contacts.any.normal=hertz \
        --set "materials.glass.young=$young" --set materials.glass.poisson=0.3 --set time.end=1e-3 \
        --set contacts.any.speed=$speed
    says_not out "stiffer contacts" "nothing about stiffer contacts"
    says_not out "softer ones" "nor softer ones"
    matches out "given moduli" "but about the moduli"
done

finish
