#!/bin/bash
# Bonds through the program: the same bits for any number of threads and after a restart, in a scene where bonds
# break and bonded grains leave; what is said of them; wrong input.
. "$(dirname "$0")/lib/cli.sh"
export OMP_WAIT_POLICY=passive

# a bonded ball, periodic along y, is shot at a bonded plate that holds on to frozen grains; splinters leave the domain
cat >ball.yaml <<'YAML'
scree: 1
domain: {box: [[-20 mm, -20 mm, 0], [20 mm, 20 mm, 50 mm]], periodic: [y], boundary: delete}
materials:
  stone: {density: 2500, restitution: 0.7, friction: 0.5}
  steel: {density: 7800}
contacts: {any: {stiffness: 50000, restitution: 0.6, friction: 0.3}}
bodies:
  ball: {from: lattice, kind: fcc, material: stone, radius: 1 mm, velocity: [1, 0.5, -7],
         region: {shape: sphere, center: [0, 0, 0.016], radius: 8 mm}}
  plate: {from: lattice, kind: sc, material: stone, radius: 1 mm, region: {box: [[-0.02, -0.02, 0.003], [0.02, 0.02, 0.0071]]}}
  rim: {from: lattice, kind: sc, material: steel, radius: 1 mm, region: {box: [[-0.02, -0.02, 0.001], [-0.015, 0.02, 0.003]]}, frozen: yes}
bonds:
  cement: {between: ball, young: 0.05 GPa, tensile_strength: 1.5 MPa, shear_strength: 2 MPa, damping: 0.05}
  mortar: {between: [plate, rim], young: 0.05 GPa, stiffness_ratio: 2.5, gap: 0.2 mm}
  slab: {materials: stone, young: 0.02 GPa, radius: 0.8, tensile_strength: 0.5 MPa, shear_strength: 0.4 MPa}
time: {end: 2 ms}
output: {every: 0.5 ms, checkpoint: 0.5 ms}
observers: {glue: {type: bonds, every: 0.5 ms}, pieces: {type: fragments, largest: 4, every: 0.5 ms}}
YAML

must "a whole run" run ball.yaml --threads 1 --output whole.h5
whole=$(digest) last=$(steps)
matches err 'bonds cement: [0-9]+ bonds, stretch .* N/m' "says how many bonds and how stiff"
matches err 'bonds slab: [0-9]+ bonds' "a pair gets the first bond that fits, the rest the next"
matches err 'time step .* half period of the fastest bond' "the fastest bond sets the step, and it is said"
number "bonds were broken" "$(ledger_of whole.h5 broken_tension)" 90 370 # 183
number "and sheared off" "$(ledger_of whole.h5 broken_shear)" 57 230 # 114
# 7.5 mJ, 25 uJ of each: one of the slab stores 25 uJ when it is torn apart and 40 uJ when it is sheared off, of the
# cement 140 uJ
number "their energy is in the ledger" "$(ledger_of whole.h5 broken)" 4e-3 1.5e-2
if have_h5py; then
    before=$("$python" - <<'PYTHON'
import h5py, numpy as np
f = h5py.File("whole.h5")
frames = [f["frames"][name] for name in sorted(f["frames"])]
energy = 0
for a, b in zip(frames, frames[1:]):
    gone = ~np.isin(a["id"][:], b["id"][:])
    x, v, spin, r = (a[name][:][gone] for name in ("position", "velocity", "spin", "radius"))
    mass = 2500 * 4 / 3 * np.pi * r ** 3
    energy += (mass * ((v ** 2).sum(1) / 2 + 0.2 * r ** 2 * (spin ** 2).sum(1) + 9.81 * x[:, 2])).sum()
print(energy)
PYTHON
    )
    number "grains left with their energy, over that in the frame before" \
        "$(awk -v a="$(ledger_of whole.h5 removed)" -v b="$before" 'BEGIN {print a / b}')" 0.987 1.013 # 0.995: of bonds
else
    left_out "the energy of what left" "no h5py"
fi

# fragments: one ball at first, then pieces; what the picture is coloured by counts the same
runs "fragments as a table" 0 export whole.h5 --series pieces --output pieces.csv
matches pieces.csv '^time \[s\],fragments,singles,mass' "its columns"
number "few pieces at first" "$(awk -F, 'NR == 2 {print $2}' pieces.csv)" 1 3
number "several at the end" "$(tail -n 1 pieces.csv | cut -d, -f2)" 5 1000
runs "a picture by fragment" 0 render whole.h5 --colour fragment --width 80 --height 60 --output pieces.png
if have_h5py; then
    same "fragments are what holding bonds connect" "$(tail -n 1 pieces.csv | cut -d, -f2)" "$("$python" - <<'PYTHON'
import h5py
f = h5py.File("whole.h5")
last = f["frames/%06d" % (len(f["frame_times"]) - 1)]
ids = last["id"][:]
part = {i: {i} for i in ids}
for a, b in zip(last["bonds/first"][:], last["bonds/second"][:]):
    if part[a] is not part[b]:
        part[a] |= part[b]
        for k in part[b]: part[k] = part[a]
print(len({min(part[i]) for i in ids}))
PYTHON
)"
else
    left_out "fragments from the bonds of a frame" "no h5py"
fi

lost=$(ledger_of whole.h5 damping) closure=$(ledger_of whole.h5 closure)
number "the ledger closes, over what was damped" "$(awk -v a="$closure" -v b="$lost" 'BEGIN {print a / b}')" -1e-3 1e-3

for threads in 2 4; do
    runs "$threads threads" 0 run ball.yaml --threads $threads --output other.h5 --quiet
    same "same digest with $threads threads" "$whole" "$(digest)"
done
for cuts in '1 us/0.37 ms' '0.9 ms/1.45 ms'; do
    rm -rf cut.h5*
    threads=1 k=0
    IFS=/ read -ra points <<<"$cuts"
    for point in "${points[@]}" '2 ms'; do
        resume=(--resume cut.h5)
        ((k++)) || resume=(--output cut.h5)
        run run ball.yaml "${resume[@]}" --threads $threads --set "time.end=$point"
        ((code == 0)) || fail "run to $point: exit code $code"
        threads=$((threads < 4 ? 2 * threads : 1))
    done
    same "cut at $cuts: digest" "$whole" "$(digest)"
    same "cut at $cuts: steps" "$last" "$(steps)"
done

# a new run from the state of another keeps the bonds, and those that broke stay broken
runs "starting from results" 0 run ball.yaml --from whole.h5 --output from.h5 --set 'time.end=0.1 ms'
matches err 'bonds slab: [0-9]+ bonds as before hold' "bonds are taken over"
# stronger bonds from now on: said, and it is another run
runs "resume with other bonds" 0 run ball.yaml --resume cut.h5 --set 'time.end=2.05 ms' \
    --set 'bonds.slab.young=0.03 GPa'
says err "changed since the results were written: bonds" "a change of bonds is said"

refuses() {
    runs "$1" 2 check ball.yaml --set "$2"
    says err "$3" "$1: $3"
}
refuses "unknown group" 'bonds.cement.between=[ball, plait]' "did you mean 'plate'?"
refuses "three groups" 'bonds.cement.between=[ball, plate, rim]' "one or two"
refuses "group and material" 'bonds.cement.materials=stone' "give one of them"
refuses "two ways to the shear stiffness" 'bonds.mortar.poisson=0.2' "give one of them"
refuses "no stiffness" 'bonds.other={between: ball}' "young"
refuses "a step too long for the bonds" 'time.step=1e-4' "half period of the fastest bond"
runs "nobody near enough" 0 check ball.yaml --set 'bonds.none={between: rim, young: 1e6}'
says err "bonds.none creates no bonds" "bonds that bond nobody are worth a warning"
finish
