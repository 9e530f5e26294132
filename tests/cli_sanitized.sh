#!/bin/bash
# The program built with sanitizers on whole scenes: advice on cases of all steppers, and scenes without a grain at the
# start, from the check to the page. Whatever a sanitizer finds ends the program with another exit code.
. "$(dirname "$0")/lib/cli.sh"
scree=$source/build-asan/scree
if [[ ! -x $scree ]]; then
    echo "no $scree: 'tools/build asan scree' makes it ('make test' does)"
    exit 77
fi

for case in plate-impact/plate settle/box demo/hopper deklerk2022/hit rest/box servin2015/settle; do
    runs "advise $case" 0 advise "$source/cases/$case.yaml"
done

# ---- no grain at the start ----
cat >solid.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
materials: {glass: {density: 2500, young: 1e9, poisson: 0.2, restitution: 0.7, friction: 0.3}}
solids: {b: {mesh: block, material: glass, box: [[0, 0, 0], [0.05, 0.05, 0.05]], cells: [2, 2, 2]}}
walls: {f: {shape: plane, material: glass, point: [0, 0, -0.0001]}}
stepper: elastic
time: {end: 50 us}
YAML
cat >pour.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.2]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies:
  rain:
    {from: inlet, material: glass, diameter: 5 mm, velocity: [0, 0, -1], rate: 1000, start: 5 ms,
     region: {shape: box, box: [[0.01, 0.01, 0.1], [0.09, 0.09, 0.15]]}}
walls: {floor: {shape: plane, material: glass}}
time: {end: 10 ms}
output: {every: 2 ms, checkpoint: 4 ms, contacts: yes}
observers:
  ledger: {type: ledger}
  coordination: {type: coordination}
  profile: {type: profile}
  stress: {type: stress}
  pile: {type: pile}
  tops: {type: tops}
  walls: {type: walls}
  ports: {type: ports}
YAML

runs "a solid: check" 0 check solid.yaml
runs "a solid: advise" 0 advise solid.yaml
runs "a solid: run" 0 run solid.yaml --output solid.h5
runs "a solid: equilibrate" 0 equilibrate solid.yaml --output rest.h5

for stepper in soft nonsmooth variational elastic; do
    set=(--set "stepper={type: $stepper}")
    rm -rf empty.h5* next.h5*
    runs "$stepper: check" 0 check pour.yaml "${set[@]}"
    runs "$stepper: advise" 0 advise pour.yaml "${set[@]}"
    runs "$stepper: run, empty" 0 run pour.yaml "${set[@]}" --output empty.h5 --set 'time.end=4 ms'
    for command in info report render export; do
        words=()
        [[ $command == render ]] && words=(--output empty.png)
        [[ $command == export ]] && words=(--to csv --output empty)
        runs "$stepper: $command of nothing" 0 $command empty.h5 "${words[@]}"
    done
    runs "$stepper: resumed" 0 run pour.yaml "${set[@]}" --resume empty.h5
    check "$stepper: grains came" test "$(told grains)" -gt 0
    runs "$stepper: from nothing" 0 run pour.yaml "${set[@]}" --from empty.h5 --output next.h5
done
finish
