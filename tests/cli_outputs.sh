#!/bin/bash
# One rule for every file that a command writes: an existing file is replaced only by an output of its own kind or with
# --force; never a scene, never results or a part of them, never anything but a regular file. The table below has all
# commands; each of them is led to each kind of file.
. "$(dirname "$0")/lib/cli.sh"

# hundreds of short runs: without the program's second start
export GOMP_SPINCOUNT=4000 OMP_NUM_THREADS=1

cat >ball.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1 kN/m}}
bodies:
  ball: {from: positions, material: glass, radius: 1 cm, position: [0, 0, 0]}
  other: {from: positions, material: glass, radius: 1 cm, position: [0, 0, 0.019], velocity: [0, 0, 1]}
time: {end: 1 ms, step: 1e-4}
output: {every: 1 ms, contacts: yes}
observers: {ball: {type: probe, id: 1}, energy: {type: ledger}}
YAML
cat >beam.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-5, -5, -5], [15, 5, 5]]}
materials: {steel: {density: 7800, young: 1e9, poisson: 0.3}}
solids: {beam: {mesh: block, material: steel, box: [[0, 0, 0], [10, 1, 1]], cells: [2, 1, 1]}}
patches: {root: {sides: [x-]}, tip: {sides: [x+]}}
supports: {root: {patch: root}}
loads: {pull: {type: force, patch: tip, force: [0, 0, 1e5]}}
stepper: elastic
time: {end: 0.2}
statics: {steps: 1}
YAML
mkdir -p cases/throw
cp ball.yaml cases/throw
cat >cases/throw/case.yaml <<'YAML'
scree: 1
title: A ball
source: school
runs: {one: {scene: ball.yaml}}
quantities: {end: {run: one, measure: last(ball.time), reference: 0.001, tolerance: 1e-9}}
plots: {path: {title: Path, x: t, y: z}}
curves: {ours: {plot: path, run: one, x: ball.time, y: ball.z, label: ours}}
YAML
cp "$source/docs/coming-from/in.liggghts" in.beads
must "results" run ball.yaml --output ball.h5 --quiet
must "others" run ball.yaml --output next.h5 --quiet
must "results with cells" equilibrate beam.yaml --output beam.h5 --quiet

# kind | the file it is led to | arguments
table=(
    "index|x.h5|run ball.yaml --quiet --output x.h5"
    "index|y.h5|equilibrate beam.yaml --quiet --output y.h5"
    "sweep|x.csv|sweep ball.yaml --over time.end=1e-3,2e-3 --quiet --output x.csv"
    "png|x.png|render ball.h5 --width 64 --height 64 --output x.png"
    "png|x-0001.png|render ball.h5 --all --width 64 --height 64 --output x.png"
    "page|x.html|report ball.h5 --output x.html"
    "differences|x/table.csv|compare ball.h5 next.h5 --output x"
    "page|x/report.html|compare ball.h5 next.h5 --output x"
    "svg|x/ledger-kinetic.svg|compare ball.h5 next.h5 --output x"
    "png|x/ball-z.png|compare ball.h5 next.h5 --output x"
    "grains|x.csv|export ball.h5 --to csv --output x.csv"
    "contacts|x.csv|export ball.h5 --to csv --contacts --output x.csv"
    "series|x.csv|export ball.h5 --series ball --output x.csv"
    "dump|x.dump|export ball.h5 --to dump --output x.dump"
    "xyz|x.xyz|export ball.h5 --to xyz --output x.xyz"
    "vtk|x.pvd|export ball.h5 --to vtp --output x"
    "vtk|x-000001.vtp|export ball.h5 --to vtp --output x"
    "vtk|x-000001.vtu|export beam.h5 --to vtu --output x"
    "page|x.html|reproduce throw --cases cases --quiet --report x.html"
    "markdown|x.md|reproduce throw --cases cases --quiet --markdown x.md"
    "svg|x/throw-path.svg|reproduce throw --cases cases --quiet --plot x"
    "png|x/throw-path.png|reproduce throw --cases cases --quiet --plot x"
    "scene|x.scene|init drop --output x.scene"
    "svg|x.svg|plot ball.h5 --y ball.z --output x.svg"
    "png|x.png|plot ball.h5 --y ball.z --output x.png"
    "scene|x.scene|convert ../in.beads --output x.scene"
)
if command -v ffmpeg >/dev/null; then
    table+=("movie|x.mp4|render ball.h5 --movie x.mp4 --width 64 --height 64")
else
    left_out movies "no ffmpeg"
fi

# what a command must never touch; strangers' files, which it may replace with --force, some like its own kind
mkdir never other like
cp ball.yaml never/scene
sed '1i # a comment, and\n---' ball.yaml >never/commented-scene
echo '{"scree": 1, "title": "in braces"}' >never/scene-in-braces
cp ball.h5.data/checkpoint-*0.h5 never/checkpoint
cp ball.h5.data/frame-*0.h5 never/frame
echo "scree sweep 1 0123456789abcdef" >never/journal
cp ball.h5 never/index
echo "dear diary" >other/diary
: >other/empty
$python - like/png <<'PY'
import struct, sys, zlib
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
                              + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b""))
PY
echo '<!doctype html><html><body>mine</body></html>' >like/page
printf 'x,y\n1,2\n' | tee like/grains like/series like/sweep like/contacts >like/differences
printf 'ITEM: TIMESTEP\n0\n' >like/dump
printf '1\nProperties=species:S:1:pos:R:3\nH 0 0 0\n' >like/xyz
printf '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>\n' >like/svg
printf '<?xml version="1.0"?>\n<VTKFile type="PolyData"></VTKFile>\n' >like/vtk
printf '# Validation\n' >like/markdown

# names, kinds and times of all files
everything() { find work -printf '%p %y %i %s %T@\n'; }

# a folder for a command that writes to $1, with the inputs
stage() {
    rm -rf work
    mkdir -p "work/$(dirname "$1")"
    ln -s ../ball.yaml ../beam.yaml ../cases ../ball.h5 ../ball.h5.data ../next.h5 ../next.h5.data ../beam.h5 \
        ../beam.h5.data work
}
act() { cd work || exit 1; code=0; timeout 60 "$scree" "$@" >../out 2>../err </dev/null || code=$?; cd ..; }

# refused WHAT TARGET ADVICE ARGUMENTS...: exit code 2, the message names the file and says what to do, nothing has
# changed
refused() {
    local what=$1 target=$2 advice=$3 before after words
    shift 3
    before=$(everything)
    act "$@"
    after=$(everything)
    words=$(<err)
    if [[ $code != 2 ]]; then fail "$what: exit code" "2 expected, $code got: $*"
    elif [[ $words != *"$target"*"not overwritten"*"$advice"* ]]; then fail "$what: the message" "$*"
    elif [[ $before != "$after" ]]; then fail "$what: something was written" \
        "$(diff <(echo "$before") <(echo "$after"))"
    else pass "$what"
    fi
}

mkdir kept
for line in "${table[@]}"; do
    IFS='|' read -r kind target arguments <<<"$line"
    read -ra words <<<"$arguments"
    name="${words[0]} $target"
    stage "$target"
    act "${words[@]}"
    same "$name: written" 0 "$code"
    check "$name: it is there" test -f "work/$target"
    if [[ $kind != scene ]]; then
        cp "work/$target" "kept/$kind"
        act "${words[@]}"
        if [[ $kind == index ]]; then
            # results take more than a picture: nobody on a terminal was asked
            same "$name: earlier results stay" 2 "$code"
            says err "contains results of an earlier run" "$name: it is said"
            act "${words[@]}" --force
        fi
        same "$name: its own output is replaced" 0 "$code"
    fi
    stage "$target"
    for file in never/*; do
        [[ $kind == index && $file == never/index ]] && continue
        cp "$file" "work/$target"
        refused "$name: over ${file#never/}, with --force" "$target" "choose another output" "${words[@]}" --force
    done
    refused "$name: over ${file#never/}" "$target" "choose another output" "${words[@]}"
    for special in folder link dangling pipe device; do
        rm -rf "work/$target"
        case $special in
        folder) mkdir "work/$target" ;;
        link) cp like/png work/mine && ln -s "$folder/work/mine" "work/$target" ;;
        dangling) ln -s "$folder/work/nothing" "work/$target" ;;
        pipe) mkfifo "work/$target" ;;
        device) mknod "work/$target" c 1 3 2>/dev/null || continue ;;
        esac
        refused "$name: over a $special, with --force" "$target" "choose another output" "${words[@]}" --force
    done
    refused "$name: over a $special" "$target" "choose another output" "${words[@]}"
    rm -rf "work/$target"
    for file in like/"$kind" other/*; do
        [[ -e $file ]] || continue
        cp "$file" "work/$target"
        refused "$name: over ${file#*/}" "$target" "--force" "${words[@]}"
    done
    act "${words[@]}" --force
    same "$name: with --force" 0 "$code"
done

# outputs of other kinds are no earlier outputs of this one
declare -A seen
for line in "${table[@]}"; do
    IFS='|' read -r kind target arguments <<<"$line"
    read -ra words <<<"$arguments"
    [[ ${seen[$kind]-} ]] && continue
    seen[$kind]=yes
    stage "$target"
    for file in kept/*; do
        [[ ${file#kept/} == "$kind" || ${file#kept/} == index ]] && continue
        cp "$file" "work/$target"
        refused "${words[0]} $target: over ${file#kept/}" "$target" "--force" "${words[@]}"
    done
done

# folders
stage x
cp other/diary work/x
refused "compare into a file" "x" "choose" compare ball.h5 next.h5 --output x --force
refused "plots into a file" "x" "choose" reproduce throw --cases cases --quiet --plot x --force
refused "results into a file" "x" "choose" reproduce throw --cases cases --quiet --results x --force
stage x
mkdir work/x.csv.runs
cp other/diary work/x.csv.runs/journal
refused "a folder of runs that is somebody's" "x.csv.runs/journal" "choose" sweep ball.yaml --over time.end=1e-3 \
    --output x.csv --fresh --force

# what only a name protects: a scene with an error in its first lines
stage x
echo "materials: {" >work/x.yaml
refused "a scene that is being edited" "x.yaml" "choose" render ball.h5 --output x.yaml --force
# a scene's own name, where the default output would be that
cp ball.yaml work/ball.csv
refused "the default name" "ball.csv" "choose" sweep ball.yaml --over time.end=1e-3
# what a crash left is no obstacle, what is not ours and where we would write is
stage x
echo half >work/x.png.part
act render ball.h5 --width 64 --height 64 --output x.png
same "an unfinished file is taken over" 0 "$code"
check "and gone" test ! -e work/x.png.part
stage x
mkfifo work/x.png.part
act render ball.h5 --width 64 --height 64 --output x.png
same "a pipe where we would write" 1 "$code"

# what another program writes now is left to it
stage x
echo half >work/x.png.part
exec 8<work/x.png.part
flock -x 8
act render ball.h5 --width 64 --height 64 --output x.png
same "a file that is being written" 1 "$code"
same "is left alone" half "$(cat work/x.png.part)"
exec 8<&-
# movies too write nowhere else
stage x
echo thesis >work/thesis.txt
ln -s thesis.txt work/x.mp4.part
act render ball.h5 --width 64 --height 64 --movie x.mp4
same "a link where a movie would be written" 1 "$code"
same "nothing behind it is touched" thesis "$(cat work/thesis.txt)"

finish
