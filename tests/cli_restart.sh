#!/bin/bash
# Restart: a run that is cut and resumed gives the bits of a run that was not, and a new run may start from the
# state of another (settle, then open).
. "$(dirname "$0")/lib/cli.sh"

# Grains fall through a hopper past a pushing wall onto a disc; some leave the domain and are deleted. Two kinds of
# grains and a wall material; stiffness auto, so that the laws depend on what is there. Walls of all shapes.
cat >hopper.yaml <<'YAML'
scree: 1
title: cut me
domain: {box: [[-20 mm, -20 mm, 0], [20 mm, 20 mm, 50 mm]], periodic: [y], boundary: delete}
seed: 5
materials:
  glass: {density: 2500, poisson: 0.22, restitution: 0.7, friction: 0.5}
  lead: {density: 11000, poisson: 0.44, restitution: 0.3, friction: 0.4}
  steel: {density: 7800, poisson: 0.28, restitution: 0.6, friction: 0.3}
contacts:
  any: {overlap: 8 %}
  glass/lead: {friction: 0.2}
bodies:
  light:
    from: random
    material: glass
    radius: [1 mm, 1.5 mm]
    count: 120
    velocity: [0, 0, -0.6]
    spin: [0, 30, 0]
    region: {shape: cylinder, from: [0, 0, 0.024], to: [0, 0, 0.046], radius: 9 mm}
  heavy:
    from: random
    material: lead
    radius: 0.9 mm
    count: 40
    velocity: [0.9, 0, -0.9]
    region: {shape: box, box: [[0.013, -0.02, 0.004], [0.019, 0.02, 0.03]]}
walls:
  cone: {shape: frustum, material: steel, from: [0, 0, 0.016], to: [0, 0, 0.024], radius_from: 5 mm, radius_to: 10 mm}
  tube: {shape: cylinder, material: steel, from: [0, 0, 0.024], to: [0, 0, 0.05], radius: 10 mm}
  plate: {shape: disc, material: steel, center: [0, 0, 0.012], normal: [0.1, 0, 1], radius: 6 mm}
  pusher: {shape: plane, material: steel, point: [-0.0195, 0, 0], normal: [1, 0, 0], velocity: [0.25, 0, 0]}
  floor: {shape: plane, material: steel, point: [0, 0, 0.001], normal: [0, 0, 1]}
time: {end: 30 ms}
output: {every: 1 ms, checkpoint: 7 ms, contacts: true, fields: [position, radius, velocity, spin, force, torque, mass, image, material, group]}
observers:
  energy: {type: ledger, every: 0.5 ms}
  first: {type: probe, id: 7, every: 0.25 ms}
  out: {type: flow, point: [0, 0, 14 mm], normal: [0, 0, -1], every: 0.75 ms}
  around: {type: flow, point: [0, 0, 0], normal: [0, 1, 0], group: light, every: 1 ms}
  gone: {type: flow, point: [20 mm, 0, 0], normal: [1, 0, 0]}
  touching: {type: coordination}
  layers: {type: profile, bins: 5, stress: true, every: 0.6 ms}
  whole: {type: stress}
  pushed: {type: walls}
YAML

must "a whole run" run hopper.yaml --threads 1 --output whole.h5
whole=$(digest) last=$(steps) kept=$(told grains)
check "it has a digest" test -n "$whole"
number "grains were deleted" "$kept" 1 159
number "grains touch at the end" "$(told contacts)" 20 1000
dt=$(sed -n 's/^time step \([0-9.e-]*\) s.*/\1/p' err)
check "$last steps of $dt s" test "$last" -gt 100

# ---- cut and resumed: odd cut points, another number of threads every time ----

runs "two threads give the same" 0 run hopper.yaml --threads 2 --output two.h5 --quiet
same "same digest with two threads" "$whole" "$(digest)"
runs "four threads give the same" 0 run hopper.yaml --threads 4 --output two.h5 --quiet
same "same digest with four threads" "$whole" "$(digest)"

for cuts in '1 us' '13.37 ms' '2.9 ms/11.11 ms/22.2 ms'; do
    rm -rf cut.h5*
    threads=1 k=0
    IFS=/ read -ra points <<<"$cuts"
    for point in "${points[@]}" '30 ms'; do
        resume=(--resume cut.h5)
        ((k++)) || resume=(--output cut.h5)
        run run hopper.yaml "${resume[@]}" --threads $threads --set "time.end=$point"
        ((code == 0)) || fail "run to $point: exit code $code"
        threads=$((threads < 4 ? 2 * threads : 1))
    done
    same "cut at $cuts, resumed with other threads: digest" "$whole" "$(digest)"
    same "cut at $cuts: steps" "$last" "$(steps)"
    for series in energy first out around gone touching layers whole pushed; do
        for of in whole cut; do "$scree" export $of.h5 --series "$series" --to csv --output $of.csv \
            --force >/dev/null 2>&1; done
        check "cut at $cuts: the same rows of $series" cmp whole.csv cut.csv
    done
done

# the flow through planes does not notice either
number "grains passed the plane" "$(ledger_of whole.h5 count_along)" 1 160
same "grains deleted beyond the side are those that passed it" $((160 - kept)) \
    "$("$scree" info whole.h5 | awk '/gone \(flow\)/ {on = 1} on && $1 == "count" {print $2; exit}')"

# a run that is already at its end resumes to the same state and does nothing
runs "resume at the end" 0 run hopper.yaml --resume cut.h5 --threads 1
same "resume at the end: digest" "$whole" "$(digest)"

# ---- what a resumed run may change; and its results are those of the whole run ----

runs "first part with other cadences" 0 run hopper.yaml --output other.h5 --threads 2 --quiet --set 'time.end=8.5 ms' \
    --set 'output.checkpoint=1.7 ms'
runs "second part: end, cadence, fields, observers changed" 0 run hopper.yaml --resume other.h5 --threads 1 --quiet \
    --set 'time.end=30 ms' --set 'output.every=2 ms' --set 'observers.extra={type: probe, id: 9}' \
    --set 'output.fields=[position, spin]' --set 'observers.energy.every=1 ms'
same "changed cadence and observers: digest" "$whole" "$(digest)"
runs "longer than the whole" 0 run hopper.yaml --resume other.h5 --threads 1 --quiet --set 'time.end=31 ms'
check "a later end is another state" test "$(digest)" != "$whole"
run info other.h5
says out "31" "info tells the new end"
runs "the whole run prolonged" 0 run hopper.yaml --resume two.h5 --threads 2 --quiet --set 'time.end=31 ms'
longer=$(digest)
run run hopper.yaml --resume other.h5 --threads 2 --quiet --set 'time.end=31 ms'
same "both prolonged: digest" "$longer" "$(digest)"

cat >compare.py <<'PYTHON'
# whole and resumed results agree bit for bit wherever both have something: frames, walls, series
import sys
import h5py
import numpy

a, b = (h5py.File(name) for name in sys.argv[1:3])
least = int(sys.argv[3])
bad = []

def bits(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()

def compare(x, y, where):
    n = 0
    for name in x:
        if name not in y: continue
        if isinstance(x[name], h5py.Group):
            n += compare(x[name], y[name], where + "/" + name)
        else:
            n += 1
            if not bits(x[name][()], y[name][()]): bad.append(where + "/" + name)
    for name in x.attrs:
        if name in y.attrs and not bits(numpy.asarray(x.attrs[name]), numpy.asarray(y.attrs[name])):
            bad.append("%s@%s" % (where, name))
    return n

steps = {int(s): k for k, s in enumerate(b["frame_steps"][:])}
frames = datasets = rows = 0
for k, s in enumerate(a["frame_steps"][:]):
    if int(s) not in steps: continue
    frames += 1
    datasets += compare(a["frames/%06d" % k], b["frames/%06d" % steps[int(s)]], "step %d" % s)
for name in a["series"]:
    if name not in b["series"]: continue
    x, y = a["series"][name], b["series"][name]
    common, i, j = numpy.intersect1d(x["time"][:], y["time"][:], return_indices=True)
    if not (numpy.diff(x["time"][:]) > 0).all() or not (numpy.diff(y["time"][:]) > 0).all():
        bad.append("times of series %s do not rise" % name)
    rows += len(common)
    for column in x:
        if not bits(x[column][()][i], y[column][()][j]): bad.append("series %s/%s" % (name, column))
if not (numpy.diff(b["frame_steps"][:]) > 0).all(): bad.append("frame steps do not rise")
if frames < least: bad.append("only %d frames in common" % frames)
print("%d frames, %d datasets, %d series rows in common" % (frames, datasets, rows))
for line in bad[:10]: print("differs:", line)
sys.exit(bool(bad))
PYTHON
compared() { # compared WHAT WHOLE RESUMED FRAMES
    if "$python" compare.py "$2" "$3" "$4" >out 2>err; then pass "$1: $(head -n 1 out)"; else fail "$1"; fi
}
if have_h5py; then
    compared "three cuts: frames and series are the same bits" whole.h5 cut.h5 31
    compared "changed cadence: the same bits at common times" two.h5 other.h5 18
else
    left_out "frames and series after a restart" "no h5py"
fi

# ---- material and wall changed in a resumed run: it goes on, and says so ----

runs "a cut run" 0 run hopper.yaml --output swap.h5 --threads 1 --quiet --set 'time.end=9.1 ms'
runs "resumed with another friction" 0 run hopper.yaml --resume swap.h5 --threads 1 --set 'materials.glass.friction=0.1'
check "another friction is another state" test "$(digest)" != "$whole"

# ---- settle, then open ----

cat >settle.yaml <<'YAML'
scree: 1
title: settle
domain: {box: [[0, 0, 0], [0.04, 0.012, 0.05]], periodic: [y]}
materials:
  glass: {density: 2500, restitution: 0.2, friction: 0.6}
contacts: {any: {stiffness: 1000, restitution: 0.2, friction: 0.6}}
bodies:
  grains:
    from: lattice
    kind: hcp
    material: glass
    radius: [0.9 mm, 1 mm]
    spacing: 2.05 mm
    jitter: 0.5
    region: {box: [[0, 0, 0], [0.014, 0.012, 0.016]]}
walls:
  room: {shape: box, material: glass, box: [[0, -1, 0], [0.04, 1, 0.05]]}
  gate: {shape: plane, material: glass, point: [0.014, 0, 0], normal: [-1, 0, 0]}
time: {end: 0.15, step: 10 us}
output: {every: 50 ms, checkpoint: 50 ms}
YAML
sed '/^  gate:/d; s/^time:.*/time: {end: 30 ms, step: 10 us}/; s/^title:.*/title: open/' settle.yaml >open.yaml

must "settle" run settle.yaml --threads 2 --output settled.h5
contacts=$(told contacts) grains=$(told grains)
rest=$(ledger_of settled.h5 translation)
number "settled: contacts" "$contacts" $((grains * 2)) 100000
number "settled: kinetic energy [J]" "$rest" 0 1e-8

# the same scene from the settled state: nothing moves, contacts and their history are there at once
runs "again, from the settled state" 0 run settle.yaml --from settled.h5 --threads 1 --output again.h5 \
    --set 'time.end=1 ms'
matches err "^starting from settled.h5: step 15000, .* $grains grains, [0-9]+ contacts" "it tells what it starts from"
number "grains at rest stay: kinetic energy [J]" "$(ledger_of again.h5 translation)" 0 \
    "$(awk -v r="$rest" 'BEGIN {print 10 * r + 1e-14}')"
number "contacts after 1 ms" "$(told contacts)" $((contacts * 95 / 100)) $((contacts * 105 / 100))
says out "steps 100," "a run that starts from another begins at step 0"

# the gate goes: what did not lean on it does not jump
runs "gate open, first moment" 0 run open.yaml --from settled.h5 --threads 1 --output first.h5 --set 'time.end=0.1 ms'
matches err "^$grains grains, [1-9][0-9]+ contacts;" "contacts stand before the first step"
start=$(sed -n "s/^$grains grains, \([0-9]*\) contacts;.*/\1/p" err)
number "contacts without those of the gate" "$start" $((contacts * 80 / 100)) $((contacts - 1))
# grains at the gate start with an acceleration of at most a few g: 0.1 ms of it are 1e-3 m/s; a jump would be 100 times
# that
number "kinetic energy 0.1 ms after opening [J]" "$(ledger_of first.h5 translation)" 0 2e-8
runs "gate open" 0 run open.yaml --from settled.h5 --threads 2 --output open.h5
flowing=$(digest)
number "it flows: kinetic energy [J]" "$(ledger_of open.h5 translation)" 1e-6 1
run info settled.h5
says out "step 15000" "the settled results are as they were"
# the new run is exact too: cut, resume
runs "gate open, cut" 0 run open.yaml --from settled.h5 --threads 1 --output open2.h5 --set 'time.end=11.11 ms' --quiet
runs "gate open, resumed" 0 run open.yaml --resume open2.h5 --threads 2 --quiet
same "from + resume: digest" "$flowing" "$(digest)"

# a moving wall starts where the other run left it
sed 's/^  gate: .*/  gate: {shape: plane, material: glass, point: [0.014, 0, 0], normal: [-1, 0, 0], velocity: [0.2, 0, 0]}/
     s/^time:.*/time: {end: 10 ms, step: 10 us}/' settle.yaml >slide.yaml
runs "gate slides" 0 run slide.yaml --from settled.h5 --threads 1 --output slide.h5 --quiet
run info slide.h5
matches out 'gate: plane .* moved by \(0\.002, 0, 0\)' "the gate moved by velocity times time"
runs "gate slides on in a third run" 0 run slide.yaml --from slide.h5 --threads 1 --output slide2.h5 --quiet
run info slide2.h5
matches out 'gate: plane .* moved by \(0\.004, 0, 0\)' "and goes on from there"

# what was thrown up, turned round at the top of its way, comes back to where it was thrown
cat >throw.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
gravity: [0, 0, -9.81]
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
bodies: {ball: {from: positions, material: glass, radius: 1 mm, position: [0, 0, 0], velocity: [1, 0, 2], spin: [0, 3, 0]}}
contacts: {any: {stiffness: 1e-4}}
time: {end: 0.1, step: 1 ms}
output: {every: 0.1, checkpoint: 0.1, fields: [position, velocity, spin]}
YAML
must "throw" run throw.yaml --output up.h5 --quiet
must "turned round" run throw.yaml --from up.h5 --output down.h5 --set time.reverse=yes --quiet
must "its table" export down.h5 --to csv --first -1 --output down.csv
number "back in x [m]" \
    "$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} NR == 2 {print $at["position_x [m]"]}' down.csv)" \
    -1e-14 1e-14
number "and falling upward [m/s]" \
    "$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} NR == 2 {print $at["velocity_z [m/s]"]}' down.csv)" \
    -2.0000000001 -1.9999999999
number "with its spin [rad/s]" \
    "$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} NR == 2 {print $at["spin_y [rad/s]"]}' down.csv)" -3 -3

# ---- other changes of a new run ----

runs "another material" 0 run open.yaml --from settled.h5 --threads 1 --output light.h5 --set 'time.end=5 ms' \
    --set materials.glass.density=500 --set materials.glass.friction=0
run info light.h5
says out "glass (500 kg/m^3)" "the new density is in the results"
if have_h5py; then
    cat >mass.py <<'PYTHON'
import h5py, numpy
a, b = (h5py.File(n)["checkpoints"] for n in ("settled.h5", "light.h5"))
m, n = (numpy.sort(f[sorted(f)[-1]]["bodies/mass"][:]) for f in (a, b))
ratio = n / m
print("mass ratio %.17g to %.17g" % (ratio.min(), ratio.max()))
assert abs(ratio - 0.2).max() < 1e-12
PYTHON
    if "$python" mass.py >out 2>err; then pass "masses follow the density: $(cat out)";
    else fail "masses follow the density"; fi
else
    left_out "masses follow the density" "no h5py"
fi

cat >rain.yaml <<'YAML'
  rain: {from: random, material: glass, radius: 1 mm, count: 25, region: {box: [[0, 0, 0.03], [0.04, 0.012, 0.049]]}}
YAML
sed '/^bodies:/r rain.yaml' open.yaml >more.yaml
runs "a new group" 0 run more.yaml --from settled.h5 --threads 1 --output more.h5 --set 'time.end=5 ms'
same "old and new grains" $((grains + 25)) "$(told grains)"
matches err "^$((grains + 25)) grains, [1-9][0-9]+ contacts;" "the old contacts stand beside the new grains"
more=$(digest)
runs "a new group, two threads" 0 run more.yaml --from settled.h5 --threads 2 --output more2.h5 --set 'time.end=5 ms' \
    --quiet
same "a new group: digest with two threads" "$more" "$(digest)"

sed 's/^  grains:/  beads:/' open.yaml >missing.yaml
runs "a group that is missing" 2 run missing.yaml --from settled.h5 --threads 1 --output none.h5
says err "group 'grains'" "the message names the group"
check "nothing was written" test ! -e none.h5 -a ! -e none.h5.data

# a group whose grains have all left does not come back
cat >drain.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], boundary: delete}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies:
  gone: {from: random, material: glass, radius: 2 mm, count: 10, velocity: [0, 0, -3], region: {box: [[0, 0, 0], [0.1, 0.1, 0.02]]}}
  stay: {from: random, material: glass, radius: 2 mm, count: 7, frozen: true}
time: {end: 20 ms, step: 10 us}
output: {every: 10 ms}
YAML
runs "drained" 0 run drain.yaml --threads 1
same "seven grains are left" 7 "$(told grains)"
runs "from the drained state" 0 run drain.yaml --threads 1 --from drain.h5 --output drain2.h5 --set 'time.end=1 ms'
same "still seven" 7 "$(told grains)"

# ---- renamed ----

# results keep their data under another name, whatever is then done under the old one
mv drain.h5 keep.h5
runs "a new run under the old name" 0 run drain.yaml --threads 1 --quiet
runs "the renamed results can be read" 0 export keep.h5 --to csv --output keep.csv
runs "and again" 0 run drain.yaml --threads 1 --quiet
runs "the new one goes on" 0 run drain.yaml --threads 1 --quiet --resume drain.h5 --set 'time.end=22 ms'
first=$(digest)
runs "the renamed one goes on" 0 run drain.yaml --threads 1 --quiet --resume keep.h5 --set 'time.end=22 ms'
same "to the same state" "$first" "$(digest)"
same "and there is a folder for each" 2 "$(ls -d drain.h5.data* | wc -l)"
rm -rf drain.h5* keep.h5 keep*.csv
runs "drained again" 0 run drain.yaml --threads 1 --quiet

# ---- refused ----

cp drain.h5 before.h5
sed '/^bodies:/a\  late: {from: random, material: glass, radius: 1 mm, count: 5}' drain.yaml >late.yaml
runs "a resumed run with a new group" 2 run late.yaml --threads 1 --resume drain.h5 --set 'time.end=30 ms'
says err "late.yaml:6:3: error: bodies.late is not in the results" "the message says where and why"
check "the results are as they were" cmp -s drain.h5 before.h5
runs "a resumed run that is past its end" 0 run drain.yaml --threads 1 --resume drain.h5 --set 'time.end=5 ms'
says err "nothing to do" "it says so"
says out "steps 2000," "and stays where it is"
check "the results are as they were" cmp -s drain.h5 before.h5
runs "resume and from together" 2 run settle.yaml --resume settled.h5 --from settled.h5
matches err 'error: .*exclude' "the message says why"
runs "resume into another file" 2 run settle.yaml --resume settled.h5 --output else.h5
matches err 'error: .*(its own results|--from|from)' "the message says what to do"
check "nothing was written" test ! -e else.h5 -a ! -e else.h5.data
runs "resume of nothing" 2 run settle.yaml --resume none.h5
says err "none.h5" "the message names the file"
runs "from nothing" 2 run settle.yaml --from none.h5
says err "none.h5" "the message names the file"
check "nothing was written" test ! -e settle.h5
cp settle.yaml fake.h5
runs "resume of a text file" 2 run settle.yaml --resume fake.h5
check "it is as it was" cmp -s settle.yaml fake.h5
# a copied index leads into the folder of the one it was copied from, whose checkpoints it must not take away
cp settled.h5 copy.h5
kept=$(ls settled.h5.data)
runs "resume of a copied index" 2 run settle.yaml --resume copy.h5
says err "copy.h5: error: is a copy of the index settled.h5" "the message says of which"
same "the folder is as it was" "$kept" "$(ls settled.h5.data)"
runs "a new run in place of the copy" 0 run settle.yaml --threads 1 --output copy.h5 --force
same "the folder is still as it was" "$kept" "$(ls settled.h5.data)"
mv settled.h5 renamed.h5
runs "resume of a renamed index" 0 run settle.yaml --threads 1 --resume renamed.h5
same "no temporaries" "" "$(stray .)"

finish
