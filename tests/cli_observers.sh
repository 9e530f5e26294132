#!/bin/bash
# Observers through the real program: every kind writes its series, series and contacts can be exported, and wrong
# definitions are refused with their place.
. "$(dirname "$0")/lib/cli.sh"

cat >bed.yaml <<'YAML'
scree: 1
title: a bed settles
domain: {box: [[0, 0, 0], [24 mm, 24 mm, 40 mm]], periodic: [x]}
materials: {glass: {density: 2500, restitution: 0.3, friction: 0.5}}
contacts: {any: {stiffness: 2000, rolling: sds, rolling_friction: 0.1}}
bodies:
  sand: {from: lattice, material: glass, radius: [0.9 mm, 1 mm], spacing: 2.2 mm, jitter: 0.8,
    region: {box: [[0, 0, 0], [24 mm, 24 mm, 14 mm]]}}
  stone: {from: positions, material: glass, radius: 3 mm, positions: [[12 mm, 12 mm, 19 mm]]}
walls:
  floor: {shape: plane, material: glass}
  front: {shape: plane, material: glass, normal: [0, 1, 0]}
  back: {shape: plane, material: glass, point: [0, 24 mm, 0], normal: [0, -1, 0]}
time: {end: 40 ms, step: 20 us}
output: {every: 10 ms, contacts: true}
observers:
  touching: {type: coordination, every: 5 ms}
  layers: {type: profile, axis: z, bins: 8, to: 20 mm, stress: true, every: 5 ms}
  cells: {type: grid, bins: [3, 1, 4], group: sand}
  inside: {type: stress, box: [[0, 4 mm, 2 mm], [24 mm, 20 mm, 8 mm]]}
  down: {type: flow, point: [0, 0, 10 mm], normal: [0, 0, -1], every: 1 ms}
  heap: {type: heap, center: [12 mm, 12 mm, 0]}
  slope: {type: slope, direction: [0, 1, 0]}
  walls: {type: walls}
  floor: {type: walls, wall: floor, every: 1 ms}
  stone: {type: probe, id: 1}
  all_sand: {type: probe, group: sand}
  low: {type: count, region: {box: [[0, 0, 0], [24 mm, 24 mm, 5 mm]]}}
YAML
must "a scene with every observer" run bed.yaml --threads 2 --output bed.h5
says err "observers.cells cannot be used in measures" "a name that measures cannot use is warned of"
run info bed.h5
for kind in count coordination profile grid stress flow heap slope walls probe ledger; do
    matches out "\($kind\): [1-9][0-9]* rows" "$kind has rows"
done
matches out '^  contacts +[1-9][0-9]+ with their forces in the last frame' "info tells of the contacts"
matches out 'solid_fraction .* in 8 bins' "info tells the range of a profile"

# ---- export ----

runs "a plain series" 0 export bed.h5 --series floor --output floor.csv
says out "floor.csv (41 rows)" "it says how many rows"
same "its header" "time [s],fx [N],fy [N],fz [N],tx [N m],ty [N m],tz [N m],x [m],y [m],z [m]" "$(head -n 1 floor.csv)"
same "a line per row" 42 "$(wc -l <floor.csv)"
runs "a series with bins" 0 export bed.h5 --series layers
same "beside the results" 73 "$(wc -l <bed-layers.csv)"
matches bed-layers.csv '^time \[s\],bin,centre_x \[m\],centre_y \[m\],centre_z \[m\],solid_fraction,density' \
    "bins in the header"
same "the last line is of the last bin" 7 "$(tail -n 1 bed-layers.csv | cut -d, -f2)"
runs "again over the old one" 0 export bed.h5 --series layers
runs "a series that is not there" 2 export bed.h5 --series layer --output none.csv
says err "no series 'layer'; there are touching, layers" "it names those there are"
check "nothing written" test ! -e none.csv
cp bed.yaml strange.csv
runs "over something else" 2 export bed.h5 --series floor --output strange.csv
says err "not overwritten" "a stranger's file stays"
runs "a series as a picture" 2 export bed.h5 --series floor --to vtp

runs "contacts as a table" 0 export bed.h5 --to csv --contacts --first -1
matches bed-contacts.csv '^frame,step,time \[s\],first,second,wall,point_x \[m\]' "header"
contacts=$("$scree" info bed.h5 | sed -n 's/^  contacts *\([0-9]*\) .*/\1/p')
same "a line per contact" $((contacts + 1)) "$(wc -l <bed-contacts.csv)"
runs "contacts as lines" 0 export bed.h5 --to vtp --contacts --output lines
same "a file per frame" 5 "$(ls lines-*.vtp | wc -l)"
matches lines-000004.vtp "NumberOfLines=\"$contacts\"" "a line per contact"
runs "contacts for OVITO" 2 export bed.h5 --to xyz --contacts
runs "a run without contacts" 0 run bed.yaml --threads 1 --quiet --output plain.h5 --set output.contacts=false \
    --set 'time.end=1 ms'
runs "has none to export" 2 export plain.h5 --to csv --contacts
says err "output: {contacts: true}" "it says how to get them"

if have_h5py; then
    cat >look.py <<'PYTHON'
# what the observers and the contacts say agrees with itself
import h5py, numpy as np, sys
f = h5py.File("bed.h5")
bad = []
def check(what, ok):
    print("ok" if ok else "WRONG", what)
    if not ok: bad.append(what)
s, last = f["series"], f["frames/%06d" % (len(f["frame_times"]) - 1)]
c = last["contacts"]
n, ft, normal = c["normal_force"][:], c["tangential_force"][:], c["normal"][:]
force = n[:, None] * normal + ft
check("normals are unit vectors", np.allclose((normal ** 2).sum(1), 1, atol=1e-14))
check("tangential forces are tangential", abs((ft * normal).sum(1)).max() < 1e-12 * n.max())
check("friction is not beyond its limit", (np.sqrt((ft ** 2).sum(1)) <= 0.5 * n * (1 + 1e-9) + 1e-15).all())
check("ids are in order", (np.diff(c["first"][:]) >= 0).all() and (c["second"][:][c["wall"][:] < 0] > c["first"][:][c["wall"][:] < 0]).all())
walls = list(f["walls"]); index = {f["walls"][w].attrs["index"]: w for w in walls}
for k, w in index.items():
    mine = c["wall"][:] == k
    total = -force[mine].sum(0)
    want = last["walls"][w].attrs["force"]
    check("contacts with %s add up to its force" % w, np.allclose(total, want, rtol=1e-9, atol=1e-12))
    check("series walls/%s.fz is that of the frame" % w, s["walls"][w + ".fz"][-1] == want[2])
layers = s["layers"]
centre = f["bins/layers"][:]
check("bins of the profile", centre.shape == (8, 3) and layers["solid_fraction"].shape == (9, 8) and np.allclose(np.diff(centre[:, 2]), 0.0025))
# stress of the whole from the contacts of the frame
volume = 0.024 * 0.016 * 0.006
check("stress has the unit Pa", s["inside"]["zz"].attrs["unit"] == "Pa" and s["inside"]["zz"][-1] > 0)
check("stress is the sum of its parts", np.allclose(s["inside"]["zz"][:], s["inside"]["contact_zz"][:] + s["inside"]["kinetic_zz"][:], rtol=1e-14))
mass = 2500 * 4 / 3 * np.pi * (last["radius"][:] ** 3).sum()
check("profile holds all the mass", abs(layers["density"][-1].sum() * 0.024 * 0.024 * 0.0025 / mass - 1) < 0.02)
z = s["touching"]
check("fractions add up to 1", np.allclose(z["fraction"][:].sum(1), 1, atol=1e-12))
grains = c["second"][:] > 0
count = 2 * grains.sum() + (~grains).sum()
check("mean coordination from the contacts", abs(z["mean"][-1] - count / len(last["id"])) < 1e-12)
check("dissipated energy is not negative", c["dissipated"][:].min() > -1e-12)
flow = s["down"]
check("rates add up to the mass", np.isclose((flow["mass_rate"][1:] * np.diff(flow["time"][:])).sum(), flow["mass"][-1], rtol=1e-9, atol=1e-15))
# the lines for ParaView: raw arrays behind the header, each with its length before it
raw = open("lines-000004.vtp", "rb").read()
head, data = raw.split(b"<AppendedData encoding=\"raw\">\n   _", 1)
import re
def array(name):
    m = re.search(rb'type="(\w+)" Name="%s" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"' % name.encode(), head)
    at = int(m.group(3)); size = int.from_bytes(data[at:at + 8], "little")
    kind = "<i8" if m.group(1) == b"Int64" else "<f8"
    return np.frombuffer(data[at + 8:at + 8 + size], kind).reshape(-1, int(m.group(2)))
points = array("Points")
check("lines end in the centres", (points[0::2] == c["position"][:]).all() and (points[1::2] == c["position"][:] - c["branch"][:]).all())
check("lines have two points each", (array("connectivity")[:, 0] == np.arange(len(points))).all() and (array("offsets")[:, 0] == 2 * np.arange(1, len(n) + 1)).all())
check("data of lines", (array("normal_force")[:, 0] == n).all() and (array("tangential_force") == ft).all() and (array("first")[:, 0] == c["first"][:]).all())
sys.exit(bool(bad))
PYTHON
    if "$python" look.py >out 2>err; then pass "numbers agree: $(grep -c '^ok' out) checks";
    else fail "numbers agree" "$(grep WRONG out)"; fi
else
    left_out "numbers of observers and contacts" "no h5py"
fi

# ---- refused, with their places ----

refused() { # refused WHAT OBSERVER TEXT...
    local what=$1 text
    sed "s/^  stone: {type: probe.*/  it: {$2}/" bed.yaml >wrong.yaml
    runs "$what" 2 run wrong.yaml --output wrong.h5
    matches err "^wrong.yaml:[0-9]+:[0-9]+: error: " "$what: the message says where"
    for text in "${@:3}"; do says err "$text" "$what: says \"$text\""; done
    check "$what: nothing written" test ! -e wrong.h5
}
refused "a group that is not there" "type: profile, group: sandy" "not a group of bodies" "did you mean 'sand'?"
refused "a box beyond the domain" "type: stress, box: [[0, 0, 0], [30 mm, 20 mm, 20 mm]]" "must lie in the domain"
refused "a line that runs backwards" "type: profile, from: 3 mm, to: 1 mm" "it must go upwards"
refused "a grid of half bins" "type: grid, bins: [1.5, 1, 1]" "three whole numbers"
refused "stress of a group" "type: profile, stress: true, group: sand" "leave out group or stress"
refused "a plane that misses the domain" "type: flow, point: [0, 0, 1]" "nothing can pass"
refused "a plane oblique to a periodic axis" "type: flow, point: [0, 0, 0], normal: [1, 0, 1]" "the periodic axis x"
refused "a plane without direction" "type: flow, point: [0, 0, 0], normal: [0, 0, 0]" "must not be zero"
refused "a wall that is not there" "type: walls, wall: flor" "not defined under walls" "did you mean 'floor'?"
refused "a vertical direction" "type: slope, direction: [0, 0, 2]" "must not be zero nor vertical"
refused "a probe of nothing" "type: probe" "the id of a grain, or a group"
refused "a probe of both" "type: probe, id: 1, group: sand" "not both"
refused "a probe of an unknown group" "type: probe, group: sond" "did you mean 'sand'?"
refused "an id below 1" "type: probe, id: 0" "id is '0'"
refused "a region without volume" \
    "type: count, region: {shape: cylinder, from: [0, 0, 0], to: [0, 0, 0], radius: 1 mm}" "region"
refused "fragments of an unknown group" "type: fragments, group: sond" "did you mean 'sand'?"
refused "no fragments to list" "type: fragments, largest: 0" "largest is '0'"
sed "s/^  stone: {type: probe.*/  it: {type: count, region: {box: [[1, 0, 0], [2, 1, 1]]}}/" bed.yaml >wrong.yaml
runs "counting where nothing can be" 0 check wrong.yaml
says err "lies outside the domain along x" "is worth a warning"
sed "s/^  stone: {type: probe.*/  it: {type: probe, id: 99999}/" bed.yaml >wrong.yaml
runs "a probe of nobody" 0 check wrong.yaml
matches err "warning: .*no grain 99999" "is only warned of"

finish
