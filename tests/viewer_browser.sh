#!/bin/bash
# The viewer in a real browser: viewer/test/browser.mjs, on results that are made here.
. "$(dirname "$0")/lib/cli.sh"

skip() {
    echo "$1; tools/setup --test installs it"
    exit 77
}
command -v node >/dev/null || skip "there is no node"
chromium=$(command -v chromium || command -v chromium-browser) || skip "there is no chromium"
[[ -d $source/viewer/node_modules/playwright-core ]] || skip "playwright-core is missing: the client was not built"

# 35 grains of growing size in a grid, in front view, which fall; the last is the largest
{
    cat <<'END'
scree: 1
title: a grid of grains
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
materials: {glass: {density: 2500 kg/m^3, restitution: 0.6, friction: 0.4}}
contacts: {any: {overlap: 1 %}}
bodies:
END
    awk 'BEGIN { for (k = 0; k < 35; k++) printf "  g%02d: {from: positions, material: glass, radius: %g, position: [%g, 0, %g]}\n", k, 0.03 + 0.001 * k, -0.6 + 0.2 * (k % 7), 0.7 - 0.2 * int(k / 7) }'
    echo 'time: {end: 0.25 s}'
    echo 'output: {every: 50 ms}'
} >grid.yaml
must "a grid of grains" run grid.yaml --quiet
must "a report of it" report grid.h5

# the same, half as fast: two runs side by side
must "another grid" run grid.yaml --quiet --output slow.h5 --set 'gravity=[0, 0, -4.905]'

# a block of cells
cat >block.yaml <<'END'
scree: 1
title: a block of cells
domain: {box: [[-1, -1, -1], [2, 2, 2]]}
materials: {rubber: {density: 1000 kg/m^3, young: 1e6 Pa, poisson: 0.3}}
solids: {block: {mesh: block, material: rubber, box: [[0, 0, 0], [1, 0.25, 0.25]], cells: [4, 1, 1]}}
stepper: elastic
time: {end: 5 ms}
output: {every: 5 ms}
END
must "a block of cells" run block.yaml --quiet

# two grains that are pressed together, and bonded
cat >pair.yaml <<'END'
scree: 1
title: a pair
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
gravity: [0, 0, 0]
materials: {glass: {density: 2500 kg/m^3, restitution: 0.6, friction: 0.4}}
contacts: {any: {stiffness: 1 kN/m}}
bodies: {pair: {from: positions, material: glass, radius: 0.25, positions: [[-0.249, 0, 0], [0.249, 0, 0]]}}
bonds: {beam: {between: pair, young: 1e6 Pa}}
time: {end: 1 ms}
output: {every: 1 ms, contacts: true}
END
must "a pair of grains" run pair.yaml --quiet

# a frame that is damaged
must "results for damage" run grid.yaml --quiet --output broken.h5 --set time.end=0.05
printf 'x' | dd of=broken.h5.data/frame-00000000.h5 bs=1 seek=3000 conv=notrunc 2>/dev/null

# a run that goes on until it is stopped
run init hopper
must "a scene that takes long" check hopper.yaml

code=0
SCREE="$scree" CHROMIUM="$chromium" timeout 300 node "$source/viewer/test/browser.mjs" >browser.txt 2>&1 || code=$?
grep -vE '^[0-9]+ passed' browser.txt
read -r good _ bad _ < <(tail -n 1 browser.txt)
number "checks in the browser that passed" "${good:-0}" 60 140
same "checks in the browser that failed" 0 "${bad:-none}"
same "exit code of the browser's test" 0 "$code"
finish
