#!/bin/bash
# What runs that end early leave: rubbish is removed, the last index has its frames and checkpoints, Ctrl-C and SIGTERM
# write a checkpoint first. Kills at any moment are those of tools/torture.
. "$(dirname "$0")/lib/cli.sh"

seed=${SEED:-$RANDOM}
RANDOM=$seed
echo "seed $seed (SEED=$seed repeats the moments)"

cat >box.yaml <<'YAML'
scree: 1
title: killed
domain: {box: [[0, 0, 0], [0.03, 0.03, 0.03]], periodic: [x], boundary: delete}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000, restitution: 0.5, friction: 0.5}}
bodies:
  grains: {from: random, material: glass, radius: [1 mm, 1.4 mm], count: 200, velocity: [0.5, 0.6, -1]}
walls:
  floor: {shape: plane, material: glass}
  lid: {shape: plane, material: glass, point: [0, 0, 0.03], normal: [0, 0, -1], velocity: [0, 0, -0.1]}
time: {end: 20 ms, step: 8 us}
output: {every: 0.5 ms, checkpoint: 0.8 ms}
observers: {energy: {type: ledger, every: 0.1 ms}}
YAML

now() { date +%s%N; }
must "an undisturbed run" run box.yaml --threads 1 --output box.h5 --quiet
whole=$(digest)
frames=$("$scree" info box.h5 | sed -n 's/^  frames *\([0-9]*\),.*/\1/p')
check "digest $whole, $frames frames" test -n "$whole" -a "$frames" = 41

start() { # start ARGUMENTS...: in the background; $pid
    "$scree" "$@" --quiet >out 2>err </dev/null &
    pid=$!
}
after() { sleep "$(awk -v ms="$1" 'BEGIN {printf "%.3f", ms / 1000}')"; }
# ends the run with a signal, without the shell's words about it
end() {
    kill "-$1" $pid 2>/dev/null
    code=0
    { wait $pid || code=$?; } 2>/dev/null
}

# killed while replacing finished results: a resume that has nothing to do still tidies up
mkdir box.h5.data2
touch box.h5.tmp box.h5.data2/{unpublished,checkpoint-0.h5.tmp,frame-00000000.h5}
run run box.yaml --resume box.h5 --threads 2 --quiet
same "left beside finished results: digest" "0 $whole" "$code $(digest)"
same "left beside finished results: no temporaries" "" "$(stray .)"
same "left beside finished results: one data folder" "box.h5.data" "$(echo box.h5.data*)"
same "left beside finished results: it holds all frames and two checkpoints" "$((frames + 2))" \
    "$(find box.h5.data -type f | wc -l)"

# ---- many frames ----

# The index is not written for each of them: 5000 frames of 2 grains are some 40 MB. Written each time it would be GB.
cat >many.yaml <<'YAML'
scree: 1
title: many frames
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
gravity: [0, 0, 0]
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {grains: {from: lattice, material: glass, radius: 1 mm, spacing: 3 mm, count: 2}}
time: {end: 50 ms, step: 10 us}
output: {every: 10 us, checkpoint: 25 ms, fields: [position]}
YAML
written=0
begin=$(now)
start run many.yaml --threads 1 --output many.h5
# the last that can be read of a process while it lives
while bytes=$(sed -n 's/^wchar: //p' /proc/$pid/io 2>/dev/null) && [[ $bytes ]]; do
    ((bytes > 0)) && written=$bytes
    after 20
done
code=0
{ wait $pid || code=$?; } 2>/dev/null
echo "5000 frames: $written bytes written in $((($(now) - begin) / 1000000)) ms"
same "many frames: exit code" 0 "$code"
number "many frames: bytes written" "$written" 1e6 3e8
same "many frames: all are there" 5001 "$("$scree" info many.h5 | sed -n 's/^  frames *\([0-9]*\),.*/\1/p')"
# killed on the way: the checkpoint of 25 ms was published with the frames up to it
rm -rf many.h5*
start run many.yaml --threads 1 --output many.h5
for ((k = 0; k < 3000; k++)); do [[ -e many.h5.data/checkpoint-2500.h5 && -e many.h5.data/frame-00002600.h5 ]] && break;
after 10; done
end KILL
"$scree" info many.h5 >info
says info "step 2500 (" "many frames, killed: the last checkpoint is there"
number "many frames, killed: frames" "$(sed -n 's/^  frames *\([0-9]*\),.*/\1/p' info)" 2501 5001
rm -rf many.h5*

# ---- SIGINT and SIGTERM ----

# few frames and many steps, so that signals come between two frames
sed 's/step: 8 us/step: 0.4 us/; s/^output:.*/output: {every: 10 ms, checkpoint: 10 ms}/' box.yaml >calm.yaml
begin=$(now)
must "an undisturbed run of small steps" run calm.yaml --threads 1 --output calm.h5 --quiet
span=$((($(now) - begin) / 1000000))
whole=$(digest)
# starts it and waits until the first index stands
start_calm() {
    rm -rf calm.h5*
    start run calm.yaml --threads 1 --output calm.h5
    for ((k = 0; k < 500; k++)); do [[ -e calm.h5 ]] && break; after 10; done
}

for signal in INT TERM; do
    [[ $signal == INT ]] && number=130 || number=143
    start_calm
    after $((span / 20 + RANDOM * span / 10 / 32768))
    end $signal
    same "SIG$signal: exit code $number" $number "$code"
    matches err 'stopped by signal [0-9]+ at step [0-9]+' "SIG$signal: it says where it stopped"
    at=$(sed -n 's/.*at step \([0-9]*\).*/\1/p' err)
    "$scree" info calm.h5 >info
    says info "step $at (" "SIG$signal: the checkpoint of step $at is there"
    same "SIG$signal: no temporaries" "" "$(stray .)"
    run run calm.yaml --resume calm.h5 --threads 2 --quiet
    same "SIG$signal, resumed: digest" "$whole" "$(digest)"
done

# A second Ctrl-C does not wait for the checkpoint. Here writing it takes a while: the run is held up in it, and when
# the second signal came too late or too early, it is tried again.
cat >large.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], boundary: delete}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {grains: {from: lattice, material: glass, radius: 1 mm, spacing: 2.1 mm, count: 60000}}
time: {end: 1}
output: {every: 1, checkpoint: 1}
YAML
code=0
for ((try = 1; try <= 8; try++)); do
    rm -rf large.h5*
    start run large.yaml --threads 1 --output large.h5
    for ((k = 0; k < 1000; k++)); do [[ -e large.h5 ]] && break; after 10; done
    kill -TERM $pid
    after $((10 + 10 * try))
    kill -STOP $pid 2>/dev/null
    after 300
    kill -INT $pid 2>/dev/null
    end CONT
    ((code == 130)) && break
done
same "a second signal (try $try): exit code 130" 130 "$code"
says_not err "checkpoint is written" "a second signal: it did not stay to write"
runs "a second signal: info opens the file" 0 info large.h5
says out "step 0 (" "a second signal: the first checkpoint is there"
same "a second signal: and no other" "" "$(grep -o 'step 0 (0 s), step' out)"

# two runs cannot write the same results: the second is refused, the first goes on
start_calm
code=0
"$scree" run calm.yaml --force --threads 1 --output calm.h5 --quiet >out2 2>err2 || code=$?
check "a second run on the same results is refused" test "$code" = 1 -o "$code" = 2
says err2 "another run" "a second run is told that another one writes"
code=0
{ wait $pid || code=$?; } 2>/dev/null
same "the first one ends well" "0 $whole" "$code $(digest)"

# while the scene is being built there is nothing to keep: a signal ends the program at once
sed 's/count: 200/count: 200000/; s/radius: \[1 mm, 1.4 mm\]/radius: 0.12 mm/; s/step: 8 us/step: auto/' box.yaml \
    >slow.yaml
start run slow.yaml --threads 1 --output slow.h5
after 300
end TERM
same "SIGTERM while grains are made: exit code 143" 143 "$code"
check "nothing was written" test ! -e slow.h5 -a ! -e slow.h5.data

finish
