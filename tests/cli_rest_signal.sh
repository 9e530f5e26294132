#!/bin/bash
# Ctrl-C during scree equilibrate: it ends at once wherever it is (grains that fall, single grains, Newton's method;
# solids by Newton's method, conjugate gradients, relaxation), with a word and results
# that open; what was stopped continues to the bits of an undisturbed run.
. "$(dirname "$0")/lib/cli.sh"

cp "$source/cases/settle/box.yaml" .
scene=box.yaml
now() { date +%s%N; }
# stopped AFTER_MS ARGUMENTS...: $code and $took, the time from the signal to the end [ms]
stopped() {
    local wait=$1
    shift
    "$scree" equilibrate "$scene" --force --threads 1 --output box.h5 "$@" >out 2>err </dev/null &
    local pid=$!
    # from when there is something to go on from
    while [[ ! -e box.h5 ]] && kill -0 $pid 2>/dev/null; do sleep 0.01; done
    sleep "$(awk -v ms="$wait" 'BEGIN {printf "%.3f", ms / 1000}')"
    local begin
    begin=$(now)
    kill -INT $pid 2>/dev/null
    code=0
    { wait $pid || code=$?; } 2>/dev/null
    took=$((($(now) - begin) / 1000000))
}

# ---- many grains ----

for moment in 300 700 1500; do
    stopped $moment --set values.n=6000 --set values.w=18
    same "after $moment ms: the exit code of the signal" 130 "$code"
    # 50 to 170 ms measured, on a machine that others used too
    number "it ends soon [ms]" "$took" 0 1500
    says err "stopped by signal 2 in load step 1; continue from the last checkpoint with --resume"
    must "the results open" info box.h5
    matches out "^  checkpoints step 0 \(0 s\)"
    check "and nothing else is left" test "$(echo box*)" = "box.h5 box.h5.data box.yaml"
    rm -rf box.h5*
done

# ---- all the way of some, and on from there ----

some=(--set values.n=300 --set values.w=6 --set values.k=1e4)
begin=$(now)
must "undisturbed" equilibrate box.yaml --threads 1 --output whole.h5 --quiet "${some[@]}"
span=$((($(now) - begin) / 1000000)) whole=$(digest)
for part in 2 4 6 8; do
    stopped $((span * part / 10)) "${some[@]}"
    number "at $part tenths of $span ms it ends soon [ms]" "$took" 0 1500
    if ((code == 0)); then
        echo "it was quicker than the signal"
        rm -rf box.h5* # the next waits for a file of its own
        continue
    fi
    same "the exit code of the signal" 130 "$code"
    must "it goes on" equilibrate box.yaml --threads 2 --resume box.h5 --quiet "${some[@]}"
    same "to the same bits" "$whole" "$(digest)"
    rm -rf box.h5*
done

# ---- solids ----

# a load step of it takes some seconds, an iteration a tenth of one
scene=$source/cases/monasse2012/hemisphere.yaml
for how in statics.method=newton statics.method=relaxation statics.memory=0; do
    stopped 300 --set statics.steps=1 --set "$how"
    same "solids, $how: the exit code of the signal" 130 "$code"
    number "it ends soon [ms]" "$took" 0 1500
    says err "stopped by signal 2 in load step 1; continue from the last checkpoint with --resume"
    must "the results open" info box.h5
    rm -rf box.h5*
done

small=(--set values.polar=6 --set statics.steps=4)
begin=$(now)
must "undisturbed" equilibrate "$scene" --threads 1 --output whole.h5 --quiet "${small[@]}"
span=$((($(now) - begin) / 1000000)) whole=$(digest)
stopped $((span / 2)) "${small[@]}"
if ((code == 0)); then
    echo "it was quicker than the signal"
else
    same "the exit code of the signal" 130 "$code"
    must "it goes on" equilibrate "$scene" --threads 2 --resume box.h5 --quiet "${small[@]}"
    same "to the same bits" "$whole" "$(digest)"
fi
rm -rf box.h5*

# load steps that take long leave checkpoints beyond those that were asked for (none but the last here)
"$scree" equilibrate "$scene" --force --threads 1 --output box.h5 --set statics.steps=20 >out 2>err </dev/null &
pid=$!
for ((k = 0; k < 600; k++)); do
    [[ -e box.h5 ]] && "$scree" info box.h5 2>/dev/null | grep -qE '^  checkpoints step 0.* [1-9]' && break
    kill -0 $pid 2>/dev/null || break
    sleep 0.1
done
kill -INT $pid 2>/dev/null
code=0
{ wait $pid || code=$?; } 2>/dev/null
same "stopped between checkpoints: the exit code of the signal" 130 "$code"
must "the results open" info box.h5
matches out "^  checkpoints .*step ([1-9]|1[0-9]) " "a checkpoint of a load step"

finish
