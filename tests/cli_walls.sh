#!/bin/bash
# Walls of all kinds and motions: the same bits for any number of threads and after a restart; meshes that are not
# whole; what is wrong with walls is said with its place.
. "$(dirname "$0")/lib/cli.sh"

# a mixer: a drum of facets with lifters that turns, a lid held by a servo, a shaken grid, a gate that goes
$python - <<'PY'
from math import cos, sin, pi
with open("drum.obj", "w") as f:
    n, r = 24, 0.02
    for k in range(n):
        for y in (-0.01, 0.01):
            f.write("v %.9f %.9f %.9f\n" % (r * cos(2 * pi * k / n), y, r * sin(2 * pi * k / n)))
    for k in range(n):
        a, b, c, d = 2 * k + 1, 2 * k + 2, 2 * ((k + 1) % n) + 2, 2 * ((k + 1) % n) + 1
        f.write("f %d %d %d %d\n" % (a, b, c, d))
    for k in range(0, n, 6):
        for y in (-0.01, 0.01):
            f.write("v %.9f %.9f %.9f\n" % (0.014 * cos(2 * pi * k / n), y, 0.014 * sin(2 * pi * k / n)))
        f.write("f %d %d -1 -2\n" % (2 * k + 1, 2 * k + 2))
with open("shake.csv", "w") as f:
    f.write("time [ms], y [mm], angle [deg]\n")
    for k in range(11):
        f.write("%d, %g, %g\n" % (3 * k, 0.3 * (k % 2), 2 * (k % 3)))
PY
cat >mixer.yaml <<'YAML'
scree: 1
gravity: [0, 0, -9.81]
domain: {box: [[-30 mm, -15 mm, -30 mm], [30 mm, 15 mm, 30 mm]]}
seed: 3
materials:
  glass: {density: 2500, restitution: 0.6, friction: 0.5}
contacts:
  any: {stiffness: 2000}
bodies:
  all: {from: random, material: glass, radius: [0.8 mm, 1.2 mm], count: 400, region: {shape: cylinder, from: [0, -9.5 mm, 0], to: [0, 9.5 mm, 0], radius: 12 mm}}
walls:
  drum: {shape: mesh, file: drum.obj, material: glass, rotation: {axis: [0, 1, 0], rate: 12}}
  front: {shape: plane, material: glass, point: [0, -0.01, 0], normal: [0, 1, 0], oscillation: {direction: [0, 1, 0], amplitude: 0.1 mm, frequency: 80}}
  back: {shape: disc, material: glass, center: [0, 0.01, 0], normal: [0, 1, 0], radius: 25 mm, rotation: {axis: [0, 1, 0], rate: 3}, path: {file: shake.csv}}
  bar: {shape: cylinder, material: glass, from: [-9 mm, -9 mm, -12 mm], to: [-9 mm, 9 mm, -12 mm], radius: 1 mm, capped: yes, until: 30 ms}
  belt: {shape: rectangle, material: glass, corner: [-6 mm, -8 mm, -14 mm], along: [10 mm, 0, 0], across: [0, 16 mm, 0], surface_velocity: [0.3, 0, 0]}
  ball: {shape: sphere, material: glass, center: [4 mm, 0, 22 mm], radius: 3 mm, servo: {axis: [0, 0, -1], force: 0.01, max_speed: 0.4}, since: 5 ms}
time: {end: 40 ms, step: 10 us}
output: {every: 4 ms, checkpoint: 4 ms}
YAML
digest() { sed -n 's/.*digest \([0-9a-f]*\).*/\1/p' out err | tail -n 1; }
must "mixer, one thread" run mixer.yaml --threads 1 --output one.h5
whole=$(digest)
check "there is a digest" test -n "$whole"
says err "wall drum: drum.obj, 56 facets" "the mesh is told"
runs "mixer, two threads" 0 run mixer.yaml --threads 2 --output two.h5
same "same bits on two threads" "$whole" "$(digest)"
SCREE_VECTOR=portable run run mixer.yaml --threads 2 --output portable.h5
same "same bits without AVX2" "$whole" "$(digest)"
for end in "3.33 ms" "8 ms" "16.01 ms"; do
    rm -rf cut.h5*
    runs "cut at $end" 0 run mixer.yaml --threads 1 --output cut.h5 --set "time.end=$end"
    runs "resumed" 0 run mixer.yaml --resume cut.h5 --threads 2 --set "time.end=40 ms"
    same "same bits when cut at $end" "$whole" "$(digest)"
done
run info one.h5
number "the ledger closes" \
    "$(sed -n 's/^ *closure *\([-+0-9.e]*\) J.*/\1/p' out | tail -n 1 | awk '{print $1 < 0 ? -$1 : $1}')" 0 2e-6
runs "a picture" 0 render one.h5 --output picture.png
check "is there" test -s picture.png

# ---- what is wrong ----

printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 zero\n' >bad.stl
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' >bad.obj
printf 'x,y\n0,0\n' >bad.csv
printf 'time,x\n0,0\n2,1\n1,2\n' >back.csv
wrong() {
    sed "s|^  ball:.*|  ball: {material: glass, $2}|" mixer.yaml >wrong.yaml
    runs "$1" 2 check wrong.yaml
    says err "$3"
}
wrong "a mesh with a broken vertex" "shape: mesh, file: bad.stl" "bad.stl:5: error: vertex has 2 numbers, must have 3"
wrong "a mesh with a missing vertex" "shape: mesh, file: bad.obj" \
    "bad.obj:4: error: vertex 4 does not exist, there are 3 so far"
wrong "a mesh that is not there" "shape: mesh, file: none.stl" "walls.ball.file is 'none.stl', which cannot be read"
wrong "a mesh of another kind" "shape: mesh, file: drum.ply" "its name must end in .stl, .obj, or .txt"
wrong "a path without time" "shape: plane, path: {file: bad.csv}" "bad.csv:1: error: a column time is missing"
wrong "a path back in time" "shape: plane, path: {file: back.csv}" \
    "back.csv:4: error: time is 1 s, must be later than 2 s"
wrong "an axis without length" "shape: plane, rotation: {axis: [0, 0, 0]}" \
    "walls.ball.rotation.axis is [0, 0, 0], must not be zero"
wrong "a servo without target" "shape: plane, servo: {axis: [0, 0, 1], max_speed: 1}" \
    "walls.ball.servo must have either force or pressure"
wrong "a pressure without area" "shape: plane, servo: {axis: [0, 0, 1], pressure: 1, max_speed: 1}" \
    "needs the area on which it acts"
wrong "a rectangle that is none" "shape: rectangle, corner: [0, 0, 0], along: [1, 0, 0], across: [1, 1, 0]" \
    "walls.ball.across is [1, 1, 0] m, must be perpendicular to along, [1, 0, 0] m"
wrong "a rectangle without a side" "shape: rectangle, corner: [0, 0, 0], along: [0, 0, 0], across: [1, 1, 0]" \
    "walls.ball.along is [0, 0, 0] m, must not be zero"
wrong "a rectangle without the other" "shape: rectangle, corner: [0, 0, 0], along: [1, 0, 0], across: [0, 0, 0]" \
    "walls.ball.across is [0, 0, 0] m, must not be zero"
for shape in "plane" "rectangle, corner: [0, 0, 0], along: [1, 0, 0], across: [0, 1, 0]" \
    "sphere, center: [0, 0, 0], radius: 1" "cylinder, from: [0, 0, 0], to: [1, 0, 0], radius: 1" \
    "mesh, file: drum.obj"; do
    wrong "a surface that leaves itself: $shape" "shape: $shape, surface_velocity: [1, 0, 2]" \
        "walls.ball.surface_velocity is [1, 0, 2] m/s, which leads out of the surface"
done
wrong "a belt that turns" "shape: plane, surface_velocity: [1, 0, 0], rotation: {rate: 1}" \
    "walls.ball has a surface_velocity and a rotation; leave one out"
wrong "an end before the start" "shape: plane, since: 2, until: 1" \
    "walls.ball.until is 1 s, must be later than since, 2 s"

# faults that are mended are told, others are warned of
printf \
    'v 0 0 0.02\nv 0.01 0 0.02\nv 0 0.01 0.02\nv 0.01 0.01 0.02\nf 1 2 3\nf 3 2 1\nf 2 3 4\nf 1 1 2\nf 1 2 5\nv 0.005 1e-7 0.02\n' | sed '9d' >faults.obj
sed "s|^  ball:.*|  ball: {material: glass, shape: mesh, file: faults.obj}|" mixer.yaml >faults.yaml
printf 'f 1 2 5\n' >>faults.obj
runs "a mesh with faults" 0 check faults.yaml
cat out err >both
says both "repaired: 1 facets without area dropped"
says both "repaired: 1 duplicate facets dropped"
says both "slivers, facets a thousand times longer than wide; the first is facet 5"
finish
