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
sed -n '/^```python$/,/^```$/p' "$source/docs/format.md" | sed '/^```/d' >lines.py
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
check("format", f.attrs["format"] == "scree-results" and f.attrs["format_version"] == 1)
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
print("%d passed, %d failed" % (passed, failed))
raise SystemExit(failed > 0)
PYTHON
"$python" check.py "$source/docs/format.md"
