#!/bin/bash
# Every command on good input: init, schema, run's words, info, export, render, version; and the demo starts quickly.
. "$(dirname "$0")/lib/cli.sh"

# two long runs for the progress lines, in the background meanwhile; ended below
cat >long.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {grains: {from: random, material: glass, radius: 2 mm, count: 300}}
walls: {room: {shape: box, material: glass, box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}
time: {end: 1000 s}
output: {every: 100 s}
YAML
"$scree" run long.yaml --threads 1 --output loud.h5 >loud.out 2>loud.err </dev/null &
loud=$!
"$scree" run long.yaml --threads 1 --output quiet.h5 --quiet >quiet.out 2>quiet.err </dev/null &
quiet=$!
cleanup+=("kill -9 $loud $quiet 2>/dev/null")
begin=$SECONDS

# ---- init ----

runs "init --list" 0 init --list
examples=$(awk '{print $1}' out)
number "examples" "$(wc -w <<<"$examples")" 3 100
for name in $examples; do
    runs "init $name" 0 init "$name"
    check "it wrote $name.yaml" test -s "$name.yaml"
    runs "check $name.yaml" 0 check "$name.yaml"
    says out "ok, 0 warnings" "$name: no warnings"
    runs "run $name.yaml for some steps" 0 run "$name.yaml" --threads 2 --set 'time.end=0.5 ms'
    matches out '^digest [0-9a-f]{16}$' "$name: a digest"
    number "$name: steps" "$(steps)" 1 2000
done
echo mine >drop.yaml
run init drop
same "init does not overwrite: exit code" 2 "$code"
same "init does not overwrite" mine "$(cat drop.yaml)"
runs "init --output" 0 init drop --output other.yaml
runs "the example written elsewhere" 0 check other.yaml

# ---- schema, version, help ----

runs "schema" 0 schema
if "$python" - out <<'PYTHON'
import json, sys
schema = json.load(open(sys.argv[1]))
assert "$schema" in schema and schema["type"] == "object", list(schema)
assert {"materials", "bodies", "walls", "time"} <= set(schema["properties"])
PYTHON
then pass "the schema is JSON with the sections"; else fail "the schema is JSON with the sections"; fi
if "$python" -c 'import jsonschema, yaml' 2>/dev/null; then
    cp out schema.json
    if "$python" - schema.json "$source"/tests/data/*.yaml $(find "$source"/cases -name '*.yaml' ! -name case.yaml) \
        <<'PYTHON'
import json, sys, jsonschema, yaml
schema = json.load(open(sys.argv[1]))
for path in sys.argv[2:]: jsonschema.validate(yaml.safe_load(open(path)), schema)
PYTHON
    then pass "our scenes are valid by it"; else fail "our scenes are valid by it"; fi
else
    echo "scenes not validated by the schema: jsonschema or yaml is not installed for $python"
fi
runs "schema --markdown" 0 schema --markdown
matches out '^# ' "it has a title"
says out "| \`density\`" "it has a table with density"
if [[ -e $source/docs/scene.md ]]; then check "docs/scene.md is what the program writes (else: make docs)" cmp -s out \
    "$source/docs/scene.md"; fi
runs "version" 0 version
matches out '^scree [0-9]+\.[0-9]+\.[0-9]+' "a number"
runs "--version" 0 --version
runs "help" 0 help
for command in run equilibrate check advise init info export render report view pack unpack compare sweep reproduce \
    bench schema help version plot convert; do
    matches out "^  $command " "help lists $command"
done
same "and no other" 21 "$(grep -c '^  [a-z]' out)"
runs "--help" 0 --help
runs "help bench" 0 help bench
matches out '^  machine +[a-z]' "it lists the benchmarks"

# ---- what run says ----

cat >scene.yaml <<'YAML'
scree: 1
title: thirty grains
domain: {box: [[0, 0, 0], [0.04, 0.04, 0.04]], periodic: [x], boundary: delete}
materials:
  glass: {density: 2500, restitution: 0.8, friction: 0.5}
  steel: {density: 7800, restitution: 0.6, friction: 0.3}
bodies:
  light: {from: random, material: glass, radius: [1 mm, 2 mm], count: 20, velocity: [0, 3, -1]}
  heavy: {from: random, material: steel, radius: 1 mm, count: 10, spin: [0, 0, 20]}
walls:
  floor: {shape: plane, material: steel, point: [0, 0, 1 mm]}
  post: {shape: cylinder, material: steel, from: [0.02, 0.02, 0], to: [0.02, 0.02, 0.01], radius: 3 mm}
time: {end: 4 ms}
output: {every: 1 ms, fields: [position, radius, velocity, spin, material, group]}
observers:
  energy: {type: ledger}
  third: {type: probe, id: 3}
YAML
must "run" run scene.yaml --threads 1 --output scene.h5
matches err '^contact glass/glass: hooke, kn [0-9.e+]+ N/m \(overlap .* at .* m/s \(' "stiffness, and why"
matches err 'expected overlap up to [0-9.e-]+ %' "the expected overlap"
matches err '^time step [0-9.e-]+ s: shortest contact [0-9.e-]+ s \(' "time step, and the contact behind it"
matches err 'scheme improved; 1 thread, ' "scheme and threads"
matches err 'grid of [0-9]+ levels?, grid cells of' "levels of the grid"
matches err '[0-9]+ steps to 0.004 s; results in scene.h5' "steps to go, and where results will be"
matches out '^steps [0-9]+, time 0.004 s, [0-9]+ grains, [0-9]+ contacts$' "steps, time, grains, contacts"
matches out '^energy kinetic .* J, dissipated .* J$' "energies"
matches out '^energy balance error .* J, .* % of .* J exchanged: ' "and their balance"
matches out '^speed [0-9.e+]+ particle-steps/s in [0-9.]+ s, started in [0-9.]+ s$' "speed"
matches out '^digest [0-9a-f]{16}$' "digest"
matches out '^results scene.h5$' "results"
left=$(told grains)
digest=$(digest)
runs "run --quiet" 0 run scene.yaml --threads 1 --output=quietly.h5 --quiet
same "it says the digest and the file, nothing else" "digest $digest results quietly.h5" "$(xargs <out)$(cat err)"
runs "run without --output" 0 run scene.yaml --threads 1 --quiet --set 'time.end=1 ms'
check "the results have the scene's name" test -s scene.h5
runs "run again, over its own results" 0 run scene.yaml --threads 1 --quiet
same "the same digest" "$digest" "$(digest)"
mkdir -p elsewhere
(cd elsewhere && "$scree" run ../scene.yaml --threads 1 --quiet --set 'time.end=0.1 ms' >/dev/null)
check "results lie in the working folder, not beside the scene" test -s elsewhere/scene.h5

# ---- info ----

runs "info" 0 info scene.h5
matches out '^  title +thirty grains' "title"
matches out '^  frames +5, from 0 s to 0.004 s' "frames"
matches out "^  grains +30 in the first frame, $left in the last" "grains"
matches out '^  checkpoints +step [0-9]+ ' "checkpoints"
matches out '^  materials +glass .*, steel' "materials"
matches out 'floor: plane of steel' "walls"
matches out 'energy \(ledger\): 5 rows' "series"
matches out 'third \(probe\)' "observers"
matches out '^  fields .*position \[m\].*velocity \[m/s\]' "fields with units"

# ---- export ----

runs "export vtp" 0 export scene.h5 --to vtp --output v
same "five VTP files" 5 "$(find . -name 'v-*.vtp' | wc -l)"
says v-000000.vtp 'NumberOfPoints="30"' "30 points in the first"
says v-000004.vtp "NumberOfPoints=\"$left\"" "$left points in the last"
same "five of them in the PVD" 5 "$(grep -c 'file="v-00000[0-4].vtp"' v.pvd)"
check "the PVD is XML" "$python" -c 'import xml.etree.ElementTree as t; t.parse("v.pvd")'

runs "export dump" 0 export scene.h5 --to dump --output d.dump
same "five frames" 5 "$(grep -c '^ITEM: TIMESTEP' d.dump)"
same "30 grains at first, $left at last" "30 $left" "$(grep -A1 'NUMBER OF ATOMS' d.dump | sed -n '2p;$p' | xargs)"
says d.dump "ITEM: BOX BOUNDS pp ff ff" "x is periodic"
columns=$(sed -n 's/^ITEM: ATOMS //p' d.dump | head -n 1)
same "every row has as many values as there are columns" "" \
    "$(awk -v n="$(wc -w <<<"$columns")" '/^ITEM: ATOMS/ {on = 1; next} /^ITEM/ {on = 0} on && NF != n' d.dump)"

runs "export xyz" 0 export scene.h5 --to xyz --output x.xyz
same "first line" 30 "$(head -n 1 x.xyz)"
same "as many lines as grains and heads" \
    "$(awk 'BEGIN {n = 0} {k = $1; n += k + 2; for (i = 0; i <= k; i++) getline} END {print n}' x.xyz)" \
    "$(wc -l <x.xyz)"
matches x.xyz '^Lattice=".*Properties=species:S:1:pos:R:3' "extended XYZ"
matches x.xyz '^steel ' "species are materials"

runs "export csv" 0 export scene.h5 --to csv --output c.csv
same "30 rows of frame 0, $left of frame 4" "30 $left" "$(grep -c '^0,' c.csv) $(grep -c '^4,' c.csv)"
matches c.csv '^frame,step,time \[s\],id,position_x \[m\]' "columns with units"

runs "export of some frames" 0 export scene.h5 --to csv --output some.csv --first 1 --last 3 --every 2
same "frames 1 and 3" "1 3" "$(tail -n +2 some.csv | cut -d, -f1 | uniq | xargs)"
runs "export with a default name" 0 export scene.h5 --to xyz
check "it has the results' name" test -s scene.xyz
if have_h5py; then
    if "$python" - 2>err <<'PYTHON'
import csv, h5py
f = h5py.File("scene.h5")
rows = [r for r in csv.DictReader(open("c.csv")) if r["frame"] == "2"]
x = f["frames/000002/position"][:]
assert len(x) == len(rows)
for a, r in zip(x, rows):
    assert [float(r["position_%s [m]" % c]) for c in "xyz"] == list(a)
PYTHON
    then pass "numbers of the CSV are those of the results, to the last bit";
    else fail "numbers of the CSV are those of the results"; fi
else
    left_out "numbers of the CSV" "no h5py"
fi
runs "export of a frame that is not there" 2 export scene.h5 --to csv --output none.csv --first 7
check "nothing was written" test ! -e none.csv
run export scene.h5 --to csv --output nowhere/c.csv
same "export where nothing can be written: exit code 1" 1 "$code"

# ---- render ----

# width and height of a PNG from its IHDR
size_of() { od -An -tu1 -j16 -N8 "$1" | awk \
    '{print 256 * (256 * (256 * $1 + $2) + $3) + $4, 256 * (256 * (256 * $5 + $6) + $7) + $8}'; }
png() { [[ $(head -c 8 "$1" | od -An -tx1 | tr -d ' \n') == 89504e470d0a1a0a ]]; }
runs "render" 0 render scene.h5 --width 320 --height 200
check "a PNG" png scene.png
same "of the right size" "320 200" "$(size_of scene.png)"
runs "render --all" 0 render scene.h5 --all --width 64 --height 48 --output movie.png --colour velocity.z --map coolwarm
same "five numbered pictures" "movie-0000.png movie-0001.png movie-0002.png movie-0003.png movie-0004.png" \
    "$(echo movie-*.png)"
same "of the right size" "64 48" "$(size_of movie-0003.png)"
check "which differ" test "$(md5sum movie-*.png | awk '{print $1}' | sort -u | wc -l)" = 5
runs "render --frame" 0 render scene.h5 --frame 0 --width 64 --height 48 --output zero.png --colour velocity.z \
    --map coolwarm
check "one frame has a scale of its own" bash -c '! cmp -s zero.png movie-0000.png'
runs "render --first" 0 render scene.h5 --first 0 --last -1 --width 64 --height 48 --output part.png \
    --colour velocity.z --map coolwarm
check "all frames from the first are the movie" cmp -s part-0000.png movie-0000.png
runs "render by a field that is not there" 2 render scene.h5 --colour nosuch --output none.png
runs "render of a frame that is not there" 2 render scene.h5 --frame 99 --output none.png
runs "render without size" 2 render scene.h5 --width 0 --output none.png
check "nothing was written" test ! -e none.png

# ---- progress ----

while ((SECONDS - begin < 12)) && [[ $(grep -c 'particle-steps/s  kinetic' loud.err) -lt 1 ]]; do sleep 0.2; done
kill -TERM $loud $quiet
wait $loud
same "the long run was ended by SIGTERM" 143 $?
wait $quiet
same "and the quiet one" 143 $?
matches loud.err '^ *[0-9.]+ %  t = [0-9.e+-]+ s  .* left  [0-9.e+]+ particle-steps/s  kinetic [0-9.e+-]+ J$' \
    "a progress line where there is no terminal"
number "but not more than one in 4 s" "$(grep -c ' left ' loud.err)" 1 $(((SECONDS - begin) / 4 + 1))
same "no escape sequences there" "" "$(tr -cd '\033\r' <loud.err)"
same "none when quiet" 0 "$(grep -c ' left ' quiet.err)"

if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    # the terminal's file has both streams
    timeout 20 script \
        -qec "'$scree' run long.yaml --threads 1 --output terminal.h5 --set 'time.end=2 s' --set 'output.every=1 s'" \
        terminal >/dev/null 2>&1 </dev/null
    moving=$(tr '\r' '\n' <terminal | grep -c '%  t = .* left ')
    number "on a terminal a line that moves" "$moving" 1 1000
    check "it is overwritten, not scrolled" test "$(grep -c ' left ' terminal)" -lt "$((moving + 1))" \
        -a -n "$(grep -aF $'\r\033[K' terminal)"
else
    echo "no progress on a terminal tested: there is no 'script', or it gets no terminal"
fi

# ---- start-up ----

if ldd "$scree" | grep -qE 'lib(a|t|ub)san'; then
    echo "start-up not timed: this is a build with sanitizers"
else
    # CPU time of a whole run of four steps: other programs on the machine do not count
    best=9
    for k in 1 2 3; do
        spent=$({ TIMEFORMAT='%U %S'; time run run "$source/cases/demo/hopper.yaml" --threads 1 --output demo.h5 \
            --set 'time.end=0.1 ms'; } 2>&1)
        best=$(awk -v b="$best" '{t = $1 + $2; print (t < b) ? t : b}' <<<"$spent")
    done
    number "the demo starts and makes four steps in 0.3 s of one processor, best of three [s]" "$best" 0 0.3
fi

finish
