#!/bin/bash
# What other programs read: JSON of info, check, advise and bench; numbers of tables as short as they read back, times
# that are multiples of the cadence; what ParaView opens without an export (the numbers in the file, read by h5py).
. "$(dirname "$0")/lib/cli.sh"

cat >fall.yaml <<'YAML'
scree: 1
title: "a \"fall\""
domain: {box: [[0, 0, 0], [1, 1, 2]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1e5}}
bodies:
  grains: {from: lattice, material: glass, diameter: 8 cm, count: 600, region: {shape: box, box: [[0, 0, 0.3], [1, 1, 1.9]]}}
walls: {floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}}
observers: {energy: {type: ledger, every: 20 ms}}
time: {end: 0.3, step: 0.00025}
output: {every: 20 ms, fields: [position, radius, velocity]}
YAML
runs "a run" 0 run fall.yaml --quiet --threads 1

# ---- JSON ----

runs "info as JSON" 0 info fall.h5 --json
check "it is what the results have" "$python" - out <<'PY'
import json, sys, h5py
info, f = json.load(open(sys.argv[1])), h5py.File("fall.h5")
assert info["title"] == 'a "fall"', info["title"]
assert [k["time"] for k in info["frames"]] == list(f["frame_times"]), info["frames"]
assert info["frames"][-1]["grains"] == 600
assert {k["name"]: k["unit"] for k in info["fields"]}["velocity"] == "m/s"
series = {s["name"]: s for s in info["series"]}["energy"]
for column in series["columns"]:
    assert column["last"] == f["series/energy/" + column["name"]][-1], column
assert info["walls"][0]["name"] == "floor" and len(info["walls"][0]["force"]) == 3
assert info["energy_balance"]["fine"] is True
PY
runs "info of what is not there" 2 info nowhere.h5 --json
same "says nothing on standard output" "" "$(cat out)"

runs "a good scene" 0 check fall.yaml --json
same "is ok" "True 0 0" \
    "$("$python" -c 'import json; d = json.load(open("out")); print(d["ok"], d["errors"], len(d["messages"]))')"
sed 's/stiffness/stifness/; s/density: 2500/density: -1/' fall.yaml >bad.yaml
runs "a bad scene" 2 check bad.yaml --json
same "has its messages as data, with places" "False 5 contacts.any.stifness materials.glass.density" "$("$python" -c '
import json
d = json.load(open("out"))
m = d["messages"]
print(d["ok"], next(k["line"] for k in m if "stifness" in k["text"]), *sorted(str(k["key"]) for k in m))' |
    sed 's/ None//')"
same "and none of them twice" "" "$(grep error err)"

runs "advice" 0 advise fall.yaml --json --threads 1
same "as numbers" "600 0 0.00025 1200 0.08" "$("$python" -c '
import json
d = json.load(open("out"))
print(d["grains_moving"], d["grains_fixed"], d["time_step"], d["steps"], round(d["diameter_min"], 12))')"
runs "a benchmark" 0 bench machine --quick --json
check "has figures" "$python" -c '
import json
d = json.load(open("out"))
assert d["bench"] == "machine" and len(d["figures"]) > 1, d
assert all(isinstance(k["value"], (int, float)) for k in d["figures"]), d'

# ---- tables ----

runs "a series as a table" 0 export fall.h5 --series energy
same "its times are multiples" "0 0.02 0.04 0.06 0.08 0.1 0.12 0.14 0.16 0.18 0.2 0.22 0.24 0.26 0.28 0.3" \
    "$(tail -n +2 fall-energy.csv | cut -d, -f1 | xargs)"
same "and so are those of frames" "0.28" \
    "$("$python" -c 'import h5py; print(float(h5py.File("fall.h5")["frame_times"][14]))')"
check "numbers are as short as they can be, and exact" "$python" - <<'PY'
import csv, h5py
f = h5py.File("fall.h5")
rows = list(csv.reader(open("fall-energy.csv")))
names = [n.split(" [")[0] for n in rows[0]]
for c, name in enumerate(names):
    column = f["series/energy/" + name]
    for k, row in enumerate(rows[1:]):
        assert float(row[c]) == column[k], (name, k, row[c])
        digits = row[c].split("e")[0].lstrip("-").replace(".", "").lstrip("0")
        short = repr(float(row[c])).split("e")[0].lstrip("-").replace(".", "").lstrip("0")
        assert len(digits.rstrip("0")) <= len(short.rstrip("0")), (name, row[c])
PY
runs "resumed" 0 run fall.yaml --resume fall.h5 --set time.end=0.4 --quiet --threads 1
runs "its series" 0 export fall.h5 --series energy --output more
same "goes on without a gap or a double row" "0.28 0.3 0.32 0.34 0.36 0.38 0.4" \
    "$(tail -n 7 more.csv | cut -d, -f1 | xargs)"

# ---- files for ParaView; pvpython opens them in show_paraview_long ----

runs "an XDMF file" 0 export fall.h5 --to xdmf
check "names the numbers themselves" "$python" - <<'PY'
import xml.etree.ElementTree as tree, h5py, numpy as np
f = h5py.File("fall.h5")
grids = tree.parse("fall.xdmf").getroot().findall("./Domain/Grid/Grid")
assert len(grids) == len(f["frame_times"])
shared = set()
for k, grid in enumerate(grids):
    assert float(grid.find("Time").get("Value")) == f["frame_times"][k]
    n = f["frame_bodies"][k]
    for item in [grid.find("Geometry/DataItem")] + grid.findall("Attribute/DataItem"):
        path, name = item.text.split(":")
        data = h5py.File(path)[name]
        assert tuple(int(d) for d in item.get("Dimensions").split()) == data.shape, item.text
        assert int(item.get("Precision")) == data.dtype.itemsize
        assert np.array_equal(data[:], f[f"frames/{k:06d}{name}"][:]), item.text
        if name == "/radius":
            shared.add(path)
assert len(shared) == 2, "a field that does not change is read where it is: once for each part of the run"
assert np.array_equal(np.fromfile("fall.xdmf.rows", "<i4"), np.arange(600))
PY
runs "a VTKHDF file" 0 export fall.h5 --to vtkhdf
check "has all frames, as the specification asks" "$python" "$source/tests/lib/vtkhdf.py" fall.vtkhdf fall.h5
runs "a second time" 0 export fall.h5 --to vtkhdf
mkdir -p series
runs "a series of VTKHDF files" 0 export fall.h5 --to hdf --output series/x --every 5
same "with their times" "0 0.1 0.2 0.3 0.4" "$("$python" -c '
import json
print(*("%g" % k["time"] for k in json.load(open("series/x.hdf.series"))["files"]))')"
cp fall.yaml keep.vtkhdf
runs "a scene is not replaced" 2 export fall.h5 --to vtkhdf --output keep --force
check "the scene is whole" cmp fall.yaml keep.vtkhdf
runs "an unknown format" 2 export fall.h5 --to parquet
says err "allowed: vtp, vtu, vti, vtkhdf" "the formats"
finish
