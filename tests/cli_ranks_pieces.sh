#!/bin/bash
# Runs on several machines write pieces: here ranks act as if each had a machine of its own (SCREE_WRITERS). What is
# read is what one rank has written, and runs go on from pieces on any number of ranks.
. "$(dirname "$0")/lib/cli.sh"
. "$source/tests/lib/ranks.sh"
export SCREE_WRITERS=3

scene=$source/tests/ranks/chute.yaml
short=(--set output.every=3ms --set output.checkpoint=3ms)
must "the chute on one rank" run "$scene" "${short[@]}" --set time.end=9ms --output one.h5 --quiet
one=$(digest)
many 3 run "$scene" "${short[@]}" --set time.end=9ms --output pieces.h5 --quiet
same "in pieces: exit code 0" 0 $?
same "in pieces: the same digest" "$one" "$(digest)"
check "a frame has three pieces" test "$(ls pieces.h5.data | grep -c 'frame-00000000.p[123].h5')" = 3
check "old checkpoints went with their pieces" test "$(ls pieces.h5.data | grep -c 'checkpoint-.*[.]p1[.]h5')" = 2

# what others read
alike() { # alike WHAT OPTIONS...: exports of both are the same, byte for byte
    local what=$1
    shift
    rm -rf a b && mkdir a b
    must "$what of one rank" export one.h5 "$@" --output a/x
    must "$what of pieces" export pieces.h5 "$@" --output b/x
    check "$what: the same bytes" diff -rq a b
}
alike "all frames" --to csv
alike "contacts" --to csv --contacts --last 2
alike "vtkhdf" --to vtkhdf
"$python" - one.h5 pieces.h5 <<'PYTHON'
import sys, h5py
a, b = (h5py.File(p) for p in sys.argv[1:])
for name in a["series"]:
    for column in a["series"][name]:
        x, y = a["series"][name][column][()], b["series"][name][column][()]
        assert x.tobytes() == y.tobytes(), (name, column, x, y)
PYTHON
check "series have the same bits" test $? = 0
# the lines of docs/format.md that read pieces
{
    printf 'import sys, h5py, numpy as np\nf = h5py.File(sys.argv[1])\n'
    sed -n '/^## Pieces/,/^## Why/p' "$source/docs/format.md" | sed -n '/^```python$/,/^```$/p' |
        sed '/^```/d; s/000010/000002/'
    printf 'assert len(x) == f["frame_bodies"][2] > 0 and np.isfinite(x).all(), len(x)\n'
} >lines.py
check "lines of docs/format.md read pieces" "$python" lines.py pieces.h5
must "a picture" render pieces.h5 --output picture.png
must "a report" report pieces.h5 --output report.html
must "info" info pieces.h5
matches out "ranks +3; load imbalance \(max over mean pairs\) [0-9.]+, worst"
# the viewer's blocks, and what Python reads
seen() { # seen RESULTS FILE: what the viewer gets of the last frame, one after the other
    local server address=""
    : >address # not that of the server before
    "$scree" view "$1" --no-open >address 2>err &
    server=$!
    cleanup+=("kill $server 2>/dev/null")
    for _ in {1..200}; do
        address=$(head -n 1 address)
        [[ -n $address ]] && break
        sleep 0.05
    done
    for part in "" "/values?by=speed" /contacts /walls; do
        "$python" -c 'import sys, urllib.request as r; sys.stdout.buffer.write(r.urlopen(sys.argv[1]).read())' \
            "${address}api/frame/2$part" || break
    done >"$2"
    kill $server
    wait $server 2>/dev/null
}
if [[ $("$scree" view one.h5 --help 2>&1; timeout 2 "$scree" view one.h5 --no-open 2>&1) == *"built without"* ]]; then
    left_out "pieces in the viewer" "the program is built without it"
else
    seen one.h5 one.seen
    seen pieces.h5 pieces.seen
    check "the viewer shows something" test "$(wc -c <one.seen)" -gt 10000
    check "and pieces as it shows one file" cmp one.seen pieces.seen
fi
if [[ -e $(dirname "$scree")/python/scree/_api.py ]]; then
    PYTHONPATH=$(dirname "$scree")/python SCREE_PROGRAM=$scree /usr/bin/python3 - >out 2>err <<'PYTHON'
import numpy, scree
a, b = scree.open("one.h5"), scree.open("pieces.h5")
assert len(a.frames) == len(b.frames) > 2
for p, q in zip(a.frames, b.frames):
    for name in ("id", "position", "velocity", "radius"):
        assert len(p[name]) and numpy.array_equal(p[name], q[name]), name
PYTHON
    check "Python reads pieces as one file" test $? = 0
else
    left_out "pieces in Python" "there is no Python package"
fi
runs "xdmf of pieces" 2 export pieces.h5 --to xdmf --output x.xdmf
says err "is in pieces, one for each machine"
must "packed" pack pieces.h5 --output pieces.tar
must "and unpacked" unpack pieces.tar --output unpacked
mv pieces.h5 pieces.h5.data away 2>/dev/null || { mkdir away && mv pieces.h5 pieces.h5.data away; }
mv unpacked/pieces.h5 unpacked/pieces.h5.data .
alike "unpacked frames" --to csv
piece=$(ls pieces.h5.data/frame-*.p2.h5 | tail -n 1)
mv "$piece" kept.h5
runs "a missing piece" 2 export pieces.h5 --to csv --output x.csv
says err "$(basename "$piece") is missing"
cp "$(ls pieces.h5.data/frame-*.p1.h5 | tail -n 1)" "$piece"
runs "another piece in its place" 2 export pieces.h5 --to csv --output x.csv
says err "is not the frame that the index refers to"

# runs go on from pieces
for n in 1 2; do
    many 3 run "$scene" "${short[@]}" --set time.end=6ms --output cut.h5 --quiet --force
    if ((n == 1)); then
        must "resumed on one rank" run "$scene" "${short[@]}" --set time.end=9ms --resume cut.h5 --quiet
    else
        SCREE_WRITERS=2 many 2 run "$scene" "${short[@]}" --set time.end=9ms --resume cut.h5 --quiet
    fi
    same "pieces resumed on $n: the same digest" "$one" "$(digest)"
    check "nothing unfinished is left" test -z "$(stray .)"
done

# others: long histories and a servo, inlets and outlets, bonds, elastic solids with grains
while read -r name end; do
    must "$name" run "$source/tests/ranks/$name.yaml" --set "time.end=$end" --output one.h5 --quiet --force
    one=$(digest)
    many 3 run "$source/tests/ranks/$name.yaml" --set "time.end=$end" --output pieces.h5 --quiet --force
    same "$name in pieces: the same digest" "$one" "$(digest)"
    alike "$name" --to csv --first -1
done <<'LIST'
bed 1ms
ports 6ms
bonds 0.1ms
drop 0.5ms
LIST

# a writer that is killed: what was sealed is read, and the run goes on from it; a signal leaves a checkpoint in pieces
often=(--set output.every=1ms --set output.checkpoint=1ms)
start_long 3 "$scene" "${often[@]}"
kill_rank tail
must "what was sealed is read" export long.h5 --to csv --output x --force
goes_on 2 "$scene" 2e-5 100 "${often[@]}"
"$python" - long.h5 <<'PYTHON'
import os, sys, h5py
f = h5py.File(sys.argv[1])
known = {f[s].get(k, getlink=True).filename.split("/")[-1] for s in ("frames", "checkpoints", "pieces") for k in f[s]}
there = set(os.listdir(sys.argv[1] + ".data"))
assert known == there, (known - there, there - known)
PYTHON
check "all files are in the index" test $? = 0
start_long 3 "$scene" "${often[@]}"
kill -TERM "$run"
wait "$run" 2>/dev/null
must "after a signal results are read" export long.h5 --to csv --output x --force
says said "stopped by signal 15"
finish
