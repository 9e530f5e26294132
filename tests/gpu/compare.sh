#!/bin/bash
# `make test-gpu`: the GPU of this machine against its CPU. Digests after 1000 steps and more for each law, scheme and
# feature, runs that change the device on the way, faults. $1 is the program, $2 the source folder.
. "$(dirname "$0")/../lib/cli.sh"
scenes=$source/tests/gpu
"$scree" version >out 2>err
if ! grep -q '^gpu:' out; then
    echo "there is no GPU: $(grep '^no GPU' out)"
    exit 77
fi
grep '^gpu:' out

program=$scree usual_step=1.4e-6
. "$source/tests/gpu/alike.sh"

for scheme in improved standard; do
    for law in hooke hertz plastic; do
        options=(--set stepper.scheme=$scheme --set contacts.any.normal=$law)
        [[ $law == plastic ]] && options+=(--set contacts.any.unloading_stiffness=8000)
        for scene in periodic floor drum press; do
            alike "$law, $scheme, $scene" "$scenes/$scene.yaml" 1200 "${options[@]}"
        done
        alike "$law, $scheme, sizes" "$scenes/sizes.yaml" 400 "${options[@]}"
        alike "$law, $scheme, ports" "$scenes/ports.yaml" 2500 "${options[@]}"
    done
    step=1e-6 alike "jkr, $scheme" "$source/tests/bits/soft-jkr.yaml" 4000 --set stepper.scheme=$scheme
    step=5e-6 alike "bonds, $scheme" "$source/tests/bits/soft-bonds.yaml" 2000 --set stepper.scheme=$scheme
    alike "rolling, twisting, $scheme" "$scenes/drum.yaml" 1500 --set stepper.scheme=$scheme \
        --set contacts.any.rolling=sds --set contacts.any.twisting=marshall
    alike "constant rolling, contacts, $scheme" "$scenes/floor.yaml" 1500 --set stepper.scheme=$scheme \
        --set contacts.any.rolling=constant --set output.contacts=true
    alike "linear cohesion, $scheme" "$scenes/drum.yaml" 1500 --set stepper.scheme=$scheme \
        --set contacts.any.cohesion=linear --set contacts.any.adhesion=0.001
    for law in hooke hertz; do
        alike "LAMMPS, $law, $scheme" "$scenes/periodic.yaml" 1000 --set stepper.scheme=$scheme \
            --set stepper.conventions=lammps --set contacts.any.normal=$law
    done
done
bash "$scenes/funnel.sh" 24 3 0 4 7.5 6 3 7.5 9 1 >funnel.obj
cp "$scenes/mesh.yaml" .
for law in hooke hertz; do alike "a mesh, $law" mesh.yaml 2500 --set contacts.any.normal=$law; done
for scheme in improved standard; do
    step=4e-6 alike "moved as prescribed, gravity that changes, $scheme" "$scenes/moved.yaml" 3000 \
        --set stepper.scheme=$scheme
    same "and their work" "$(grep '^energy' cpu.out)" "$(grep '^energy' gpu.out)"
done
alike "planes that grains pass" "$scenes/planes.yaml" 3000
passed_planes
alike "sizes, sorted" "$scenes/sizes.yaml" 1300 --set 'bodies.balls.velocity=[1, 2, -3]'
alike "sorted five times" "$scenes/periodic.yaml" 5500

# ---- from one device to the other ----

for scene in periodic ports press; do
    run cpu "$scenes/$scene.yaml" 2200
    whole=$(grep '^digest' cpu.out)
    end=$(awk "BEGIN { printf \"%.17g\", $(fewer 2200) * 1.4e-6 }")
    for first in cpu gpu; do
        other=$([[ $first == cpu ]] && echo gpu || echo cpu)
        run "$first" "$scenes/$scene.yaml" 1100
        "$scree" run "$scenes/$scene.yaml" --quiet --set time.step=1.4e-6 --set time.end=$end --device "$other" \
            --resume "$first.h5" >out 2>err
        same "$scene: begun on the $first, gone on with on the $other" "$whole" "$(grep '^digest' out)"
    done
done

# ---- faults ----

# more than the device has
code=0
"$scree" run "$scenes/periodic.yaml" --device gpu:77 --output none.h5 >out 2>err || code=$?
same "a GPU that is not there" "2 1" "$code $(grep -c 'gpu:77 cannot be used' err)"
code=0
CUDA_VISIBLE_DEVICES='' "$scree" run "$scenes/periodic.yaml" --device gpu --output none.h5 >out 2>err || code=$?
same "a GPU that is hidden" "2 1" "$code $(grep -c 'gpu:0 cannot be used: no GPU found' err)"
finish
