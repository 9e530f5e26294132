#!/bin/bash
# What is wrong with elastic solids, their patches, supports and loads is told with file, line and column, with exit
# code 2 and nothing written.
. "$(dirname "$0")/lib/cli.sh"

cat >base.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -1], [11, 2, 2]]}
materials:
  steel: {density: 7800, young: 200 GPa, poisson: 0.3}
  mud: {density: 1500}
solids:
  bar: {mesh: block, material: steel, box: [[0, 0, 0], [10, 1, 1]], cells: [10, 1, 1]}
patches:
  left: {side: x-}
  right: {side: x+}
supports:
  clamp: {patch: left}
loads:
  pull: {type: traction, patch: right, stress: [1 MPa, 0, 0]}
stepper: elastic
time: {end: 1 ms}
YAML
must "the base scene is good" check base.yaml
says out "base.yaml: ok, 0 warnings" "and has no warnings"

# scene WHAT EDIT CODE TEXT...: the base scene after a sed script; each text is in what `check` says
scene() {
    local what=$1 edit=$2 wanted=$3 text before
    shift 3
    sed "$edit" base.yaml >bad.yaml
    runs "$what" "$wanted" check bad.yaml
    for text in "$@"; do says err "$text"; done
    [[ $wanted == 2 ]] || return
    before=$(find . -not -name out -not -name err | sort)
    run run bad.yaml --quiet
    same "$what: run fails too" 2 "$code"
    same "$what: nothing is written" "$before" "$(find . -not -name out -not -name err | sort)"
}

# ---- solids ----

scene "no such material" 's/material: steel/material: stel/' 2 \
    "bad.yaml:7:32: error: solids.bar.material is 'stel', which is not defined under materials, did you mean 'steel'?"
scene "a material without moduli" 's/material: steel/material: mud/' 2 \
    "bad.yaml:5:3: error: materials.mud lacks young, which the elastic solid bar needs"
scene "Poisson's ratio of rubber" 's/poisson: 0.3/poisson: 0.5/' 2 "bad.yaml:4:" \
    "poisson is 0.5, for the elastic solid bar it must lie in (-1, 0.5)"
scene "Poisson's ratio below -1" 's/poisson: 0.3/poisson: -1.1/' 2 "poisson"
scene "almost incompressible, irregular mesh" \
    's/poisson: 0.3/poisson: 0.45/; s/cells: \[10, 1, 1\]/cells: [10, 3, 3], jitter: 0.2, normal: face-normal/' 0 \
    "warning: solids.bar: Poisson's ratio 0.45 on an irregular mesh: cells cannot shear without changing volume"
scene "half a cell" 's/\[10, 1, 1\]}/[10.5, 1, 1]}/' 2 "bad.yaml:7:" \
    "solids.bar.cells has 10.5 along x, it must be a whole number >= 1"
scene "too many cells by size" 's/cells: \[10, 1, 1\]/size: 1e-10/' 2 "bad.yaml:7:" \
    "solids.bar would have 1e+31 cells, at most 3e+08 are possible"
scene "too many cells around a sphere" \
    's/mesh: block, \(.*\), box: .*}/mesh: sphere, \1, center: [5, 0.5, 0.5], radius: 1, radial: 1000, polar: 1000, around: 2000}/' 2 "bad.yaml:7:109: error: solids.bar would have 2e+09 cells (radial, polar and around are 1000, 1000 and 2000), at most 3e+08 are possible"
scene "a disc without direction" \
    's/mesh: block, \(.*\), box: .*}/mesh: plate, \1, center: [5, 0.5, 0.5], radius: 1, thickness: 0.1, axis: [0, 0, 0], cells: 30}/' 2 "solids.bar.axis has no direction"
scene "neither cells nor size" 's/, cells: \[10, 1, 1\]//' 2 "solids.bar lacks cells or size"
scene "cells and size" 's/cells: \[10, 1, 1\]/cells: [10, 1, 1], size: 1/' 2 "solids.bar has cells and size"
scene "outside the domain" 's/\[10, 1, 1\]\]/[12, 1, 1]]/' 2 \
    "solids.bar reaches to x = 12 m, outside the domain, which reaches from -1 to 11 m"
scene "periodic in an open domain" 's/cells: \[10, 1, 1\]/cells: [10, 1, 1], periodic: [x]/' 2 \
    "solids.bar is periodic along x"
scene "no such side" 's/cells: \[10, 1, 1\]/cells: [10, 1, 1], symmetry: [top]/' 2 \
    "solids.bar.symmetry names 'top', which is not a side; there are x- x+ y- y+ z- z+"
scene "a shell that is none" 's/cells: \[10, 1, 1\]/cells: [10, 3, 3], torsion: shell/' 2 \
    "torsion is shell, but 90 of 90 cells have no two free faces opposite to each other"
scene "a stepper without solids" 's/stepper: elastic/stepper: soft/' 2 \
    "bad.yaml:7:3: error: solids.bar: the integrator soft does not support elastic solids"
scene "a step that is too long" 's/end: 1 ms/end: 1 ms, step: 0.5 ms/' 2 \
    "bad.yaml:16:25: error: the time step 0.0005 s is above"

scene "walls without laws" \
    's/stepper: elastic/walls: {floor: {shape: plane, material: mud, point: [0, 0, -0.5]}}\n&/' 0 \
    "bad.yaml:7:3: warning: solids pass through walls and each other"

# ---- patches, supports, loads ----

scene "a patch of nothing" 's/right: {side: x+}/right: {side: x+, region: {box: [[0, 0, 0], [1, 1, 1]]}}/' 2 \
    "patches.right contains no cell and no face"
scene "a patch of an unknown solid" 's/left: {side/left: {solid: rod, side/' 2 \
    "patches.left.solids names 'rod', which is not defined under solids"
scene "a patch of an unknown side" 's/{side: x-}/{side: left}/' 2 \
    "patches.left.sides names 'left', which is not a side of any mesh here; there are x- y- y+ z- z+ x+"
scene "a load on nothing" 's/patch: right/patch: rigth/' 2 \
    "bad.yaml:14:33: error: loads.pull.patch names 'rigth', which is not defined under patches, did you mean 'right'?"
scene "a support of nothing" 's/patch: left/patch: lift/' 2 "supports.clamp.patch names 'lift'" "did you mean 'left'?"
scene "held twice" 's/clamp: .*/&\n  again: {patch: left, holds: [x]}/' 2 "bad.yaml:13:" \
    "supports.again holds the cell at (0.5, 0.5, 0.5) m in a direction in which supports.clamp already holds it"
scene "moved where it is not held" \
    's/clamp: {patch: left}/clamp: {patch: left, holds: [x], displacement: [0, 1 mm, 0]}/' 2 \
    "supports.clamp.displacement is 0.001 m along y, but the support does not hold this direction"
scene "turned where it is not held" \
    's/clamp: {patch: left}/clamp: {patch: left, holds: [x, y], rotation: [0, 0, 0.1]}/' 2 \
    "supports.clamp has a rotation: it must hold all six motions of its cells"
scene "a traction without faces" \
    's/right: {side: x+}/right: {near: [5, 0.5, 0.5]}/; s/cells: \[10, 1, 1\]/cells: [10, 3, 3]/' 2 \
    "loads.pull is a traction, but its patch has no faces of the border"
scene "a table that goes back" 's/1 MPa, 0, 0\]/1 MPa, 0, 0], signal: {type: table, table: [[0, 0], [2, 1], [1, 0]]}/' \
    2 "loads.pull.signal.table has the time 1 s after 2 s"
scene "loads without solids" \
    '/^solids/,/^patches/{/^patches/!d}; s/stepper: elastic/bodies: {one: {from: positions, material: mud, radius: 0.1, positions: [[1, 1, 1]]}}/' 2 "needs an elastic solid, but the scene has none"

# ---- all at once ----

scene "several things" \
    's/material: steel/material: stel/; s/patch: right/patch: rigth/; s/left: {side/left: {solid: baar, side/' 2 \
    "solids.bar.material is 'stel'" \
    "patches.left.solids names 'baar', which is not defined under solids, did you mean 'bar'?" \
    "loads.pull.patch names 'rigth'"
scene "patches and supports" \
    's/{side: x-}/{side: left}/; s/clamp: {patch: left}/clamp: {patch: right, holds: [x], displacement: [0, 1 mm, 0]}/' 2 "patches.left.sides names 'left'" "supports.clamp.displacement is 0.001 m along y"

finish
