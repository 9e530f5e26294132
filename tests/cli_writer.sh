#!/bin/bash
# The thread that writes results: what it warns of is said and is no error; a run that fails names the checkpoint that
# stands, and says what could not be written; a signal while the last files are being written changes nothing.
. "$(dirname "$0")/lib/cli.sh"
shim=$(dirname "$scree")/libtorture_shim.so
mkdir here

cat >fall.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {grains: {from: lattice, material: glass, diameter: 10 mm, spacing: 12 mm, region: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}}
walls: {floor: {shape: plane, material: glass}}
time: {end: 2 ms, step: 20 us}
output: {every: 1 ms, checkpoint: 1 ms}
YAML

# calls NAME [PATH]: numbers of the calls of the last recorded run that have this name and path, the last ones first
calls() {
    "$python" - "$source/tests/torture" record "$@" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
import replay
wanted = sys.argv[3:]
for k, call in reversed(list(enumerate(replay.read_log(sys.argv[2]), 1))):
    if [call[0], call[1]][:len(wanted)] == wanted or not wanted:
        print(k)
PY
}
shimmed() { SHIM_ROOT=$PWD/here LD_PRELOAD=$shim "$@"; }

# ---- warnings ----

SHIM_LOG=$PWD/record shimmed run run fall.yaml --threads 1 --output here/fall.h5
same "a run under the shim: exit code" 0 "$code"
whole=$(digest)
read -r flush < <(calls sync "$PWD/here")
check "a folder is flushed" test -n "$flush"
rm -rf here/*
SHIM_AT=$flush SHIM_DO="fail 5" shimmed run run fall.yaml --threads 1 --output here/fall.h5
same "the name of the index cannot be flushed: exit code" 0 "$code"
says err "warning: is written, but its name may be lost if the power fails: Input/output error" "it is a warning"
same "the same digest" "$whole" "$(digest)"

# ---- signals while the last files are written ----

read -r last < <(calls)
for signal in 2 15; do
    rm -rf here/*
    SHIM_AT=$((last - 1)) SHIM_DO="signal $signal" shimmed run run fall.yaml --threads 1 --output here/fall.h5
    same "signal $signal while the last index is written: exit code" 0 "$code"
    same "the same digest" "$whole" "$(digest)"
    runs "the results are whole" 0 info here/fall.h5
    says out "step 100 (" "the last checkpoint is there"
done

# ---- a run that fails while its checkpoints cannot be written ----

cat >grains.csv <<'CSV'
x,y,z,radius,vx
0.03,0.05,0.05,0.005,10
0.0415,0.05,0.05,0.005,-10
CSV
sed 's/^bodies: .*/bodies: {grains: {from: table, file: grains.csv, material: glass}}/
     s/stiffness: 1000/stiffness: 1000, damping: viscous, damping_rate: 1e308/
     s/every: 1 ms, checkpoint: 1 ms/every: 20 us, checkpoint: 20 us/' fall.yaml >wrong.yaml
SHIM_LOG=$PWD/record2 shimmed run run wrong.yaml --threads 1 --output here/wrong.h5
same "a NaN: exit code" 1 "$code"
matches err "last good checkpoint is that of step [3-9]" "it names the last checkpoint"
mv record2 record
# from the first index on the disk is full
read -r stands < <(calls rename | tail -n 3 | head -n 1)
for turn in 1 2 3 4 5; do
    rm -rf here/*
    SHIM_AT=$((stands + 2)) SHIM_DO="full 28" shimmed run run wrong.yaml --threads 1 --output here/wrong.h5
    same "a NaN with a full disk: exit code" 1 "$code"
    says err "No space left on device" "what could not be written is said"
    named=$(sed -n 's/.*last good checkpoint is that of step \([0-9]*\).*/\1/p' err)
    run info here/wrong.h5
    there=$(sed -n 's/^ *checkpoints.*step \([0-9]*\).*/\1/p' out)
    same "the checkpoint that is named stands" "${named:-$there}" "$there"
done

finish
