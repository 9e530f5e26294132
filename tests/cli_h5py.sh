#!/bin/bash
# The three lines of docs/format.md, as they stand there, read what the real program wrote.
#   $1 the program, $2 the source folder. Exit 77: skipped, h5py is not installed.
set -eu
scree=$(realpath "$1") source=$(realpath "$2") python=/usr/bin/python3
if ! "$python" -c 'import h5py' 2>/dev/null; then
    echo "skipped: $python has no h5py"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# the scene asks for no observer, so that the ledger has its own name, which the page uses
sed '/^observers:/,$d' "$source/tests/data/drop.yaml" >hopper.yaml
"$scree" run hopper.yaml --output hopper.h5 --quiet

# the first block of python in the document
sed -n '/^```python$/,/^```$/{/^```$/q;p}' "$source/docs/format.md" | sed '/^```/d' >lines.py
if [ "$(wc -l <lines.py)" != 3 ]; then
    echo "docs/format.md does not show three lines"
    echo "0 passed, 1 failed"
    exit 1
fi
cat lines.py - >check.py <<'PYTHON'
import re
import sys
import numpy

passed = failed = 0
def check(what, ok):
    global passed, failed
    if ok: passed += 1
    else: failed += 1; print("failed:", what)

# what the three lines give
check("positions are an array of float64 by 3", x.dtype == numpy.float64 and x.ndim == 2 and x.shape[1] == 3)
check("there are grains", len(x) > 0 and len(x) == f["frame_bodies"][10])
check("positions are inside the domain, or have left it by little",
      (x >= f["domain"].attrs["lower"] - 1).all() and (x <= f["domain"].attrs["upper"] + 1).all())

# what the document says of the rest
check("format", f.attrs["format"] == "scree-results" and f.attrs["format_version"] == 3)
check("scene", f["scene/text"].asstr()[()].startswith("scree:") or "scree:" in f["scene/text"].asstr()[()])
words = f["scene/words"].asstr()[()]
check("the run's own words", words.startswith("Scree ") and "time step" in words)
check("as many links as times", len(f["frames"]) == len(f["frame_times"]) == len(f["frame_steps"]))
check("times rise", (numpy.diff(f["frame_times"][:]) > 0).all())
for k, name in enumerate(sorted(f["frames"])):
    frame = f["frames"][name]
    check("link %s is its number" % name, name == "%06d" % k)
    check("time of %s" % name, frame.attrs["time"] == f["frame_times"][k] and frame.attrs["step"] == f["frame_steps"][k])
    check("ids of %s rise" % name, (numpy.diff(frame["id"][:]) > 0).all())
    for field, data in frame.items():
        if field == "walls": continue
        check("%s/%s has rows, unit and doc" % (name, field),
              len(data) == f["frame_bodies"][k] and isinstance(data.attrs["unit"], str) and data.attrs["doc"])
check("unit", frame["position"].attrs["unit"] == "m")
check("series have equal columns and units",
      all(len(c) == s.attrs["rows"] and isinstance(c.attrs["unit"], str) for s in f["series"].values() for c in s.values()))
check("title and run", f.attrs["title"] == "two grains dropped on a floor" and re.fullmatch("[0-9a-f]{16}", f.attrs["run"]))

# every expression and every series that the page names is there
page = open(sys.argv[1]).read()
expressions = re.findall(r'`(f\[".*?)`', page)
series = re.findall(r"\bseries/[a-z_]+/[a-z_]+", page)
check("the page names expressions and series", len(expressions) >= 4 and len(series) >= 1)
for text in expressions + ['f["%s"]' % path for path in series]:
    try: ok = len(eval(text)) > 0
    except (KeyError, ValueError) as error: ok = False; print(error)
    check(text, ok)
check("faces", all(w["faces"].shape[1] == 16 for w in f["walls"].values()))
last = f["checkpoints"][sorted(f["checkpoints"])[-1]]
check("checkpoint", last["bodies/place"].shape[1] == 4 and last["clock"].attrs["step"] == f["checkpoint_steps"][-1])

# grains enough for compression; what does not change is in the first frame, and found in all of them
import os
import subprocess
scree, scene, folder = sys.argv[2:5]
def run(name, *settings):
    words = [x for s in settings for x in ("--set", s)]
    subprocess.run([scree, "run", scene, "--force", "--output", name, "--quiet", *words], check=True, stdout=subprocess.DEVNULL)
    return h5py.File(name)
def size(name, frame): return os.path.getsize("%s.data/frame-%08d.h5" % (name, frame))
plain = run("plain.h5", "output.compress=none")
fast = run("fast.h5")
single = run("single.h5", "output.precision=single")
count = len(plain["frames"])
for k in range(count):
    a, b, c = ("frames/%06d" % k,) * 3
    for field in ("id", "position", "radius", "velocity", "spin"):
        x, y, z = plain[a][field], fast[b][field], single[c][field]
        check("%s of frame %d is the same, compressed or not" % (field, k), (x[:] == y[:]).all() and x.dtype == y.dtype)
        check("%s of frame %d is rounded" % (field, k), (z[:] == x[:].astype(z.dtype)).all()
              and z.dtype == (numpy.int64 if field == "id" else numpy.float32))
        check("unit of %s" % field, x.attrs["unit"] == y.attrs["unit"] == z.attrs["unit"])
check("shuffled and deflated", fast["frames/000001/position"].compression == "gzip" and fast["frames/000001/position"].shuffle)
check("not compressed", plain["frames/000001/position"].compression is None)
check("written once", fast["frames/000003"].get("radius", getlink=True).filename == "frame-00000000.h5")
check("written again", type(fast["frames/000003"].get("position", getlink=True)) is h5py.HardLink)
raw = 88 * plain["frame_bodies"][0]
ratios = [raw / size(n, count - 1) for n in ("plain.h5", "fast.h5", "single.h5")]
check("smaller frames: %.2f %.2f %.2f" % tuple(ratios), ratios[0] > 1.15 and ratios[1] > 1.25 and ratios[2] > 2.7)

# results of earlier versions: frames that hold all of their numbers as they are. Only the version tells them
sys.path.insert(0, folder + "/tests/fuzz")
import seal
old = run("old.h5", "output.compress=none", "bodies.column.region.box=[[0, 0, 0], [4 cm, 4 cm, 4 cm]]")
frames = [old["frames"].get(n, getlink=True).filename for n in sorted(old["frames"])]
position = old["frames/000002/position"][:]
old.close()
def change(path, then):
    head = open(path, "rb").read(512)
    with h5py.File(path, "r+") as file: then(file)
    data = seal.seal(open(path, "rb").read(), head)
    open(path, "wb").write(data)
    return seal.digest(data[512:])
def first(file): file.attrs["format_version"] = 1
digests = numpy.array([change(n, first) for n in frames], dtype=numpy.uint64).astype(numpy.int64)
def index(file): first(file); file["frame_digests"][...] = digests
change("old.h5", index)
subprocess.run([scree, "export", "old.h5", "--to", "csv", "--output", "old", "--first", "2", "--last", "2"],
               check=True, stdout=subprocess.DEVNULL)
table = numpy.loadtxt("old.csv", delimiter=",", skiprows=1)
check("results of version 1 are read", (table[:, 4:7] == position).all())

# a link that leads elsewhere than to another frame of these results, or to a dataset that is none
fast.close()
def forge(target, path="/radius"):
    def link(file): del file["radius"]; file["radius"] = h5py.ExternalLink(target, path)
    digest = change("fast.h5.data/frame-00000003.h5", link)
    def index(file): file["frame_digests"][3] = numpy.uint64(digest).astype(numpy.int64)
    change("fast.h5", index)
    done = subprocess.run([scree, "export", "fast.h5", "--to", "csv", "--output", "forged", "--first", "3", "--last", "3", "--force"],
                          capture_output=True, text=True)
    return done.returncode, done.stderr
for target in ("frame-00000003.h5", "checkpoint-172.h5", "../plain.h5", "/etc/passwd", "nosuch.h5"):
    code, words = forge(target)
    check("a link to %s: %d %s" % (target, code, words), code == 2 and "no other frame of the index" in words)
code, words = forge("frame-00000000.h5", "/position")
check("a link to another dataset: %d %s" % (code, words), code in (0, 2))
check("a good link", forge("frame-00000000.h5")[0] == 0)

print("%d passed, %d failed" % (passed, failed))
raise SystemExit(failed > 0)
PYTHON
"$scree" init column >/dev/null
sed -e 's/end: 1 s/end: 2 ms/' -e 's/every: 10 ms/every: 0.5 ms/' column.yaml >short.yaml
"$python" check.py "$source/docs/format.md" "$scree" short.yaml "$source"
