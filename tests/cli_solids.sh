#!/bin/bash
# Elastic solids in the real program: runs that continue bit for bit, a release --from a loaded state, info, exports and
# pictures.
. "$(dirname "$0")/lib/cli.sh"

cat >base.yaml <<'YAML'
scree: 1
title: a cantilever and a ball
domain: {box: [[-1, -2, -2], [3, 2, 2]]}
gravity: [0, 0, -1]
materials: {rubber: {restitution: 0.8, friction: 0.3, density: 1200, young: 5 MPa, poisson: 0.3}}
solids:
  beam: {material: rubber, mesh: block, box: [[0, -0.1, -0.1], [2, 0.1, 0.1]], cells: [20, 2, 2]}
  ball: {material: rubber, mesh: voronoi, region: {shape: sphere, center: [1, 1, 0], radius: 0.4}, cells: 40, lloyd: 3, spin: [0, 0, 5]}
patches:
  root: {solids: [beam], sides: [x-]}
  tip: {solids: [beam], sides: [x+]}
supports: {clamp: {patch: root}}
loads: {pull: {patch: tip, type: force, force: [0, 0, -4], signal: {type: ramp, duration: 0.1}}}
stepper: elastic
time: {end: 0.1}
output: {every: 0.02, checkpoint: 0.05}
YAML
sed '/^supports:/d;/^loads:/d' base.yaml >free.yaml

# ---- runs ----

must "a beam and a ball" run base.yaml --output whole.h5 --threads 1
whole=$(digest)
must "two threads" run base.yaml --output two.h5 --threads 2
same "give the same bits" "$whole" "$(digest)"
must "half of the run" run base.yaml --output half.h5 --set time.end=0.05
must "and the rest" run base.yaml --resume half.h5
same "continue bit for bit" "$whole" "$(digest)"
must "released from the loaded state" run free.yaml --from whole.h5 --output free.h5
says err "120 cells"
"$scree" export free.h5 --series ledger --output l.csv >/dev/null
number "begins with what was stored, over that" "$(awk -F, -v b="$(ledger_of whole.h5 elastic_solid)" '
    NR == 1 {for (k = 1; k <= NF; k++) if ($k ~ /^elastic_solid/) c = k}
    NR == 2 {print $c / b}' l.csv)" 0.999999999 1.000000001 # 3e-11: what info prints
runs "another mesh" 2 run base.yaml --from whole.h5 --output no.h5 --set 'solids.beam.cells=[10, 2, 2]'
matches err "^base.yaml:7:.*40 cells.*80"
runs "the same number elsewhere" 2 run base.yaml --from whole.h5 --output no.h5 \
    --set 'solids.beam.translate=[0, 0, 0.1]'
says err "other positions"
sed '/^  ball:/d' base.yaml >one.yaml
runs "a solid that the scene lacks" 2 run one.yaml --resume half.h5
says err "the solid 'ball'"
must "a changed load is said" run base.yaml --resume half.h5 --set 'loads.pull.force=[0, 0, 0]' --set time.end=0.11
says err "changed since the results were written: loads"

# ---- what is shown ----

must "info" info whole.h5
for text in "beam: 80 cells of rubber" "ball: 40 cells" "0 broken in the last frame" "2 fragments" "stress [Pa]"; do
    says out "$text"
done
must "vtu" export whole.h5 --to vtu --output v
check "a file per frame, no grains" test -s v-000005.vtu -a ! -e v-000005.vtp
check "polyhedra and hexahedra" grep -qa faceoffsets v-000005.vtu
must "rigid" export whole.h5 --to vtu --output r --rigid
check "rigid cells have more points" test "$(stat -c %s r-000005.vtu)" -gt "$(stat -c %s v-000005.vtu)"
runs "rigid grains" 2 export whole.h5 --to csv --rigid
for format in vtp csv xyz dump; do
    runs "grains that are not there, as $format" 2 export whole.h5 --to $format --output none
    says err "no grains in these results, so nothing for $format; cells of elastic solids go to vtu"
done
check "leave no file" test ! -e none.csv -a ! -e none.pvd
must "without a format" export whole.h5 --output auto
check "cells are written" cmp auto-000005.vtu v-000005.vtu
must "a picture" render whole.h5 --output whole.png --width 320 --height 200 --colour displacement --warp auto
check "is a PNG" test "$(head -c 4 whole.png | tail -c 3)" = PNG
runs "a colour that is not there" 2 render whole.h5 --output no.png --colour temperature
matches err "of cells.*displacement"
must "fields by name" run base.yaml --output few.h5 --set 'output.fields=[mises, dilation]'
must "and their info" info few.h5
says out "cell fields dilation, displacement [m], mises [Pa], turn"

# ---- observers and measures ----

cat >tension.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -1], [3, 2, 2]]}
gravity: [0, 0, 0]
materials: {steel: {density: 7800, young: 2e11, poisson: 0.3}}
solids: {bar: {material: steel, mesh: block, box: [[0, 0, 0], [1, 0.3, 0.3]], cells: [10, 3, 3], damping: 6000}}
patches: {left: {sides: [x-]}, right: {sides: [x+]}}
loads:
  a: {patch: left, type: traction, stress: [-1 MPa, 0, 0]}
  b: {patch: right, type: traction, stress: [1 MPa, 0, 0]}
stepper: elastic
time: {end: 10 ms}
output: {every: 5 ms}
observers:
  bar: {type: solid, solid: bar}
  loads: {type: loads, load: b}
  tip: {type: receiver, at: [1, 0.15, 0.15], surface: true}
  end: {type: receiver, patch: right}
YAML
mkdir -p cases/tension
cp tension.yaml cases/tension
cat >cases/tension/case.yaml <<'YAML'
scree: 1
title: uniform tension
source: Hooke
runs: {one: {scene: tension.yaml}}
quantities:
  stress: {run: one, measure: last(bar.sxx), reference: 1e6, relative: 1e-9}
  least: {run: one, measure: "min(cells.stress.xx(1))", reference: 1e6, relative: 1e-9}
  tip: {run: one, measure: last(tip.ux), reference: 2.5e-6, relative: 1e-9}
  end: {run: one, measure: last(end.ux), reference: 2.25e-6, relative: 1e-9}
  cells: {run: one, measure: "max(cells.displacement.x(1))", reference: 2.25e-6, relative: 1e-9}
YAML
SCREE_CASES=$PWD/cases runs "measures of cells" 0 reproduce tension --jobs 1
says out "5 passed" || cat out
# wrong WHAT SETTING TEXT
wrong() {
    runs "$1" 2 check tension.yaml --set "$2"
    says err "$3"
}
wrong "a receiver without place" 'observers.tip={type: receiver}' "give either at or patch"
wrong "a receiver of no patch" 'observers.tip={type: receiver, patch: top}' "not defined under patches"
wrong "a receiver of no solid" 'observers.tip={type: receiver, at: [0, 0, 0], solid: rod}' "not defined under solids"
runs "a receiver of faces that are not free" 2 check tension.yaml --set 'solids.bar.symmetry=[y-]' \
    --set 'patches.side={sides: [y-]}' \
    --set 'observers.tip={type: receiver, patch: side, surface: true}'
says err "observers.tip has nothing to record: the patch side has no free faces (those of planes of symmetry are not)"
runs "a receiver of a patch of another solid" 2 check tension.yaml --set 'patches.side={solids: [bar], sides: [y-]}' \
    --set 'solids.rod={material: steel, mesh: block, box: [[0, 1, 0], [1, 1.3, 0.3]], cells: [2, 2, 2]}' \
    --set 'observers.tip={type: receiver, patch: side, solid: rod}'
says err "observers.tip has nothing to record: the patch side has no cells of the solid rod"
wrong "no such solid" 'observers.bar.solid=ber' "did you mean 'bar'"
wrong "no such load" 'observers.loads.load=c' "not defined under loads"

# a block at rest on a floor, whose force on it counts: the mean stress is that of half its height
cat >rest.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -0.1], [1, 1, 2]]}
gravity: [0, 0, -10]
materials: {rubber: {density: 1000, young: 1e6, poisson: 0}}
contacts: {any: {stiffness: 1e5, friction: 0.3, restitution: 0.5}}
solids: {block: {material: rubber, mesh: block, box: [[-0.2, -0.2, 0], [0.2, 0.2, 0.8]], cells: [2, 2, 4], damping: 30}}
bodies: {ball: {from: positions, material: rubber, radius: 0.1, position: [0.6, 0, 0.1]}}
walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: rubber}}
stepper: elastic
time: {end: 2}
output: {every: 0.5}
observers: {block: {type: solid, solid: block}}
YAML
must "a block at rest" run rest.yaml --output rest.h5
"$scree" export rest.h5 --series block --output rest.csv >/dev/null
column=$(head -1 rest.csv | tr , '\n' | grep -n '^szz' | cut -d: -f1)
# rho g H/2 = 4000 Pa; the floor presses in the middle of the overlap W/(4 kn) = 3.2 mm, which is 16 Pa less
number "mean stress" "$(tail -1 rest.csv | cut -d, -f"$column")" -3984.001 -3983.999
must "grains and cells in one picture" render rest.h5 --output rest.png --width 320 --height 200 --colour stress
must "and for ParaView" export rest.h5 --to vtu --output both
check "in two files" test -s both-000004.vtu -a -s both-000004.vtp
must "the grain alone" export rest.h5 --to csv --output grain

# ---- with h5py ----

if "$python" -c 'import h5py' 2>/dev/null; then
    "$python" - >py.out 2>&1 <<'PYTHON'
import h5py, numpy
f = h5py.File("whole.h5")
assert f.attrs["format_version"] == 3
mesh, frame = f["mesh"], f["frames/000005"]
first, corners, cells = mesh["first"][:], mesh["corners"][:], mesh["cells"][:]
assert len(first) == len(cells) + 1 and first[-1] == len(corners) and corners.max() < len(mesh["points"])
assert mesh.attrs["cell_count"] == 120 == len(frame["cells/displacement"])
solid = f["solids/ball"].attrs
assert solid["first_cell"] == 80 and solid["cell_count"] == 40
# the energies of cells are that of the ledger
energy, ledger = frame["cells/energy"][:].sum(), f["series/ledger/elastic_solid"][-1]
assert abs(energy / ledger - 1) < 1e-12, (energy, ledger)
for data in frame["cells"].values():
    assert len(data) == 120 and isinstance(data.attrs["unit"], str) and data.attrs["doc"]

# polyhedra of the file for ParaView: faces that look outward add up to the volume of the ball, and close
import re
raw = open("r-000005.vtu", "rb").read()
data = raw.index(b'encoding="raw">\n   _') + len(b'encoding="raw">\n   _')
def array(name, kind):
    at = int(re.search(rb'Name="%s"[^>]*offset="(\d+)"' % name, raw).group(1)) + data
    return numpy.frombuffer(raw, kind, int.from_bytes(raw[at:at + 8], "little") // numpy.dtype(kind).itemsize, at + 8)
x, types = array(b"Points", "<f8").reshape(-1, 3), array(b"types", "u1")
faces, ends = array(b"faces", "<i8"), array(b"faceoffsets", "<i8")
assert (types[:80] == 12).all() and (types[80:] == 42).all() and (ends[:80] == -1).all()
volumes, begin = [], 0
for end in ends[80:]:
    volume, area, at = 0, numpy.zeros(3), begin + 1
    for _ in range(faces[begin]):
        p = x[faces[at + 1:at + 1 + faces[at]]]
        middle = p.mean(0)
        for a, b in zip(p, numpy.roll(p, -1, 0)):
            normal = numpy.cross(a - middle, b - middle) / 2
            area += normal
            volume += normal @ middle / 3
        at += 1 + faces[at]
    assert at == end and abs(area).max() < 1e-12
    volumes.append(volume)
    begin = end
assert min(volumes) > 0 and abs(sum(volumes) / (4 / 3 * numpy.pi * 0.4 ** 3) - 1) < 1e-9, sum(volumes)
print("fine")
PYTHON
    same "h5py reads it, and the polyhedra for ParaView are whole" fine "$(tail -1 py.out)"
fi
finish
