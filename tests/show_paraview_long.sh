#!/bin/bash
# ParaView opens what is exported for it, and the results themselves through XDMF: number of points and cells, times,
# ranges of colours, against the numbers in the results (h5py).
. "$(dirname "$0")/lib/cli.sh"
command -v pvpython >/dev/null || { echo "no pvpython (Debian: python3-paraview)"; exit 77; }

# grains leave through the floor, so that frames differ in size; radii do not change and are stored once
cat >leave.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [1, 1, 2]], boundary: delete}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1e5}}
bodies: {grains: {from: random, material: glass, diameter: [3 cm, 6 cm], count: 900}}
time: {end: 0.5, step: 0.0005}
output: {every: 50 ms, fields: [position, radius, velocity, material]}
YAML
runs "a run" 0 run leave.yaml --quiet --threads 1
for format in vtp vtkhdf hdf xdmf; do runs "as $format" 0 export leave.h5 --to $format; done

# what must be seen, from the results
"$python" - >want.txt <<'PY'
import h5py, numpy as np
f = h5py.File("leave.h5")
print(*("%.17g" % t for t in f["frame_times"]))
for k in (0, len(f["frame_times"]) - 1):
    frame = f[f"frames/{k:06d}"]
    speed = np.linalg.norm(frame["velocity"][:], axis=1)
    radius = frame["radius"][:]
    print(len(radius), *("%.9g" % x for x in (radius.min(), radius.max(), speed.min(), speed.max())))
PY
number "grains that left" "$(awk 'NR == 2 {a = $1} NR == 3 {print a - $1}' want.txt)" 50 850

cat >look.py <<'PY'
import os, sys
from paraview.simple import *

def look(path, reader):
    source = OpenDataFile(path) if reader == "open" else globals()[reader](FileNames=[path])
    source.UpdatePipeline()
    times = list(source.TimestepValues)
    print(*("%.17g" % t for t in times))
    for t in (times[0], times[-1]):
        source.UpdatePipeline(t)
        info = source.GetDataInformation()
        assert info.GetNumberOfCells() == info.GetNumberOfPoints(), "every point is a cell that can be drawn"
        radius, velocity = source.PointData["radius"], source.PointData["velocity"]
        print(info.GetNumberOfPoints(), *("%.9g" % x for x in (*radius.GetRange(0), *velocity.GetRange(-1))))

look(os.path.abspath(sys.argv[1]), sys.argv[2])
PY
# opens WHAT FILE READER
opens() {
    timeout 120 pvpython look.py "$2" "$3" >seen.txt 2>pv.txt || tail -n 5 pv.txt
    same "$1" "$(cat want.txt)" "$(cat seen.txt)"
}
opens "ParaView opens a .pvd" leave.pvd open
opens "the results, through XDMF" leave.xdmf open
opens "the same with the reader of XDMF 2" leave.xdmf XDMFReader
opens "a series of VTKHDF 1.0" leave.hdf.series open
# PolyData with time is for ParaView 5.12 and later
version=$(pvpython --version 2>&1 | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
if awk -v v="$version" 'BEGIN {split(v, p, "."); exit !(p[1] > 5 || p[2] >= 12)}'; then
    opens "all frames in one VTKHDF file" leave.vtkhdf open
else
    left_out "VTKHDF 2.0 in ParaView" "this is ParaView $version"
fi
finish
