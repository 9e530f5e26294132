#!/bin/bash
# Results that try to speak to the terminal: control characters in attributes and names never get there, and neither
# does the HDF5 library's own error stack, whichever thread meets the error.
. "$(dirname "$0")/lib/cli.sh"

cat >a.yaml <<'YAML'
scree: 1
title: "title01"
domain: {box: [[0, 0, 0], [1, 1, 1]]}
materials: {material01: {density: 2500, restitution: 0.6, friction: 0.4}}
contacts: {any: {stiffness: 1000}}
bodies: {group01: {from: positions, material: material01, radius: 0.1, positions: [[0.3, 0.5, 0.3], [0.7, 0.5, 0.5]]}}
time: {end: 1 ms}
output: {every: 1 ms}
observers: {series01: {type: ledger}}
YAML
must "a run" run a.yaml --quiet --output a.h5

# forge OLD NEW [heap]: every OLD in the index becomes NEW, which is as long; with `heap` only in texts of attributes
forge() {
    "$python" - "$source/tests/fuzz" "$@" <<'END'
import re, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import seal
old, new = (text.encode().decode("unicode_escape").encode("latin-1") for text in sys.argv[2:4])
assert len(old) == len(new)
data = open("a.h5", "rb").read()
spots = [m.start() for m in re.finditer(re.escape(old), data)]
if len(sys.argv) > 4:
    spots = [a for a in spots if any(0 <= a - m.start() < 4096 for m in re.finditer(b"GCOL", data))]
assert spots, "nothing to forge"
for a in spots:
    data = data[:a] + new + data[a + len(old):]
head = open("a.h5", "rb").read(512)
open("a.h5", "wb").write(seal.seal(data, head))
END
}
# tame WHAT FILE: no byte in it controls a terminal
tame() {
    check "$1" "$python" \
        -c 'import re, sys; sys.exit(bool(re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", open(sys.argv[1], "rb").read())))' "$2"
}
cp a.h5 whole.h5
try() {
    local what=$1
    shift
    cp whole.h5 a.h5
    check "$what: forged" forge "$@"
    run info a.h5
    cp out info
    tame "$what: info" out
    tame "$what: messages of info" err
    run render a.h5 --output a.png --width 40 --height 30 --rays 1
    tame "$what: render" err
    run export a.h5 --series series01 --output s.csv
    tame "$what: export" err
}
version=$("$scree" version | awk 'NR == 1 {print $2}')
year=$("$scree" info whole.h5 | sed -n '1s/.*begun \([0-9]*-[0-9]*\).*/\1/p')
try "the version" "$version" "\\x1b[2J$(printf '%*s' $((${#version} - 4)) '')"
says info "results of Scree ?[2J"
try "the date" "$year" '\x1b]0;xy\x07'
says info "begun ?]0;xy?"
try "the title" title01 '\xc2\x9b31mxy'
try "a material" material01 '\x1b]0;12345\x07' heap
try "a group" group01 '\x1b]0;xy\x07' heap
try "the name of an object" group01 '\x1b]0;xy\x07'
try "a kind of series" ledger '\x1b[31mx' heap
try "a name of a column" support_work '\x1b[31m0123456' heap

# ---- the viewer answers from another thread than the one that opened the results ----

cp whole.h5 a.h5
check "a column that leads elsewhere" forge support_work ../../012345 heap
"$scree" view a.h5 --no-open >address 2>view.err &
viewer=$!
cleanup+=("kill $viewer 2>/dev/null")
for _ in {1..400}; do [[ -s address ]] && break; kill -0 $viewer 2>/dev/null || break; sleep 0.05; done
if grep -q 'built without its viewer' view.err; then
    echo "no viewer in this program"
else
    check "it answers" "$python" - "$(head -n 1 address)" <<'END'
import sys, urllib.error, urllib.request
codes = []
for path in "api/run", "api/series/0":
    try:
        codes.append(urllib.request.urlopen(sys.argv[1] + path).status)
    except urllib.error.HTTPError as error:
        codes.append(error.code)
print(codes)
sys.exit(len(codes) != 2 or codes[1] < 400)
END
    check "without the library's own words" test -z "$(grep -i hdf5 view.err)"
fi
finish
