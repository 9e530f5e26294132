#!/bin/bash
# Disks that are full, limits on file sizes, and places where results cannot be: a clear message, and what was
# there stays whole.
. "$(dirname "$0")/lib/cli.sh"

cat >box.yaml <<'YAML'
scree: 1
title: no room
domain: {box: [[0, 0, 0], [0.03, 0.03, 0.03]], periodic: [x, y], boundary: stop}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000, restitution: 0.5, friction: 0.5}}
bodies:
  grains: {from: random, material: glass, radius: [1 mm, 1.4 mm], count: 250, velocity: [0.5, 0.6, -1], region: {box: [[0, 0, 0], [0.03, 0.03, 0.027]]}}
walls:
  floor: {shape: plane, material: glass}
time: {end: 10 ms, step: 10 us}
output: {every: 0.5 ms, checkpoint: 1 ms}
observers: {energy: {type: ledger, every: 0.01 ms}}
YAML
must "with room enough" run box.yaml --threads 1 --output whole.h5 --quiet
whole=$(digest)
index=$(stat -c %s whole.h5) frame=$(stat -c %s whole.h5.data/frame-00000000.h5)
checkpoint=$(stat -c %s whole.h5.data/checkpoint-1000.h5)
check "sizes: index $index, frame $frame, checkpoint $checkpoint" test "$index" -gt 60000

# refused WHAT FILE: the run that has just failed said why and left no rubbish
refused() {
    same "$1: exit code 1" 1 "$code"
    matches err "error: .*(cannot be|File too large|No space left|free on its disk)" "$1: the message says why"
    says err "${2%.h5}" "$1: the message names the file"
    says_not err "HDF5-DIAG" "$1: no words of the library"
    same "$1: no temporaries" "" "$(stray "$(dirname "$2")")"
}
# continues WHAT FILE: with room again, results that stand go on to the right end; where none stand, nothing is left
continues() {
    if [[ ! -e $2 ]]; then
        check "$1: nothing stood yet, and nothing is left" test ! -e "$2.data"
        return
    fi
    runs "$1: info opens the old index" 0 info "$2"
    local kept at
    at=$(sed -n 's/^  checkpoints *//p' out)
    run run box.yaml --resume "$2" --threads 2 --quiet
    same "$1: resumed from $at, exit code" 0 "$code"
    same "$1: resumed, digest" "$whole" "$(digest)"
    kept=$(find "$2.data" -type f | wc -l)
    same "$1: resumed, 21 frames and two checkpoints" 23 "$kept"
}

# ---- a limit on the size of files (SIGXFSZ is not deadly) ----

middle=0
for kb in 1 $((frame / 1024 - 2)) $((checkpoint / 1024 - 2)) $((checkpoint / 1024 + 2)) $((index / 1024 - 40)) \
    $((index / 1024 - 10)); do
    rm -rf box.h5*
    code=0
    (ulimit -f "$kb"; exec "$scree" run box.yaml --force --threads 1 --output box.h5 --quiet) >out 2>err </dev/null ||
        code=$?
    refused "files of at most $kb KiB" box.h5
    [[ -e box.h5 ]] && middle=$((middle + 1))
    continues "files of at most $kb KiB" box.h5
done
number "limits that were met on the way, not at the start" $middle 1 6

# over older results: they stand until the new ones do
rm -rf box.h5*
run run box.yaml --threads 1 --output box.h5 --quiet
cp box.h5 before.h5
code=0
(ulimit -f 1; exec "$scree" run box.yaml --force --threads 1 --output box.h5 --quiet) >out 2>err </dev/null || code=$?
refused "no room for new results over old ones" box.h5
check "the old index is as it was" cmp -s box.h5 before.h5
same "and so are its files" "box.h5.data/checkpoint-1000.h5 box.h5.data/checkpoint-900.h5" \
    "$(echo box.h5.data*/checkpoint*)"
continues "no room for new results over old ones" box.h5

# ---- a file system that is full ----

small=$folder/small
mkdir "$small"
if [[ $(id -u) == 0 ]] && mount -t tmpfs -o size=4m tmpfs "$small" 2>/dev/null; then
    cleanup+=("umount '$small'")
    # the program leaves a margin of 1 MiB; from there it goes wrong later and later
    for kb in 100 1100 1300 1500 2200; do
        rm -rf "${small:?}"/*
        mount -o "remount,size=${kb}k" "$small"
        run run box.yaml --threads 1 --output "$small/box.h5" --quiet
        refused "a disk of $kb KiB" "$small/box.h5"
        mount -o remount,size=20m "$small"
        continues "a disk of $kb KiB, larger now" "$small/box.h5"
    done
    # filled by somebody else while the run goes, then freed
    rm -rf "${small:?}"/*
    run run box.yaml --threads 1 --output "$small/box.h5" --quiet --set 'time.end=3 ms'
    dd if=/dev/zero of="$small/other" bs=64k 2>/dev/null
    run run box.yaml --threads 1 --resume "$small/box.h5" --quiet
    refused "a disk filled by others" "$small/box.h5"
    rm "$small/other"
    continues "a disk freed by others" "$small/box.h5"
    # no room for another file, though there is for bytes
    rm -rf "${small:?}"/*
    mount -o remount,nr_inodes=12 "$small"
    run run box.yaml --threads 1 --output "$small/box.h5" --quiet
    refused "a disk with no inodes left" "$small/box.h5"
    mount -o remount,nr_inodes=1000 "$small"
    continues "a disk with inodes again" "$small/box.h5"
else
    echo "not tested with a small file system: it takes root and a mount"
fi

# ---- places where results cannot be ----

mkdir box.d
runs "the output is a folder" 2 run box.yaml --threads 1 --output box.d --quiet
says err "box.d" "the message names it"
same "the folder is empty" "" "$(ls -A box.d)"
check "no data folder beside it" test ! -e box.d.data
run run box.yaml --threads 1 --output none/box.h5 --quiet
check "a folder that is missing: exit code 1 or 2" test "$code" = 1 -o "$code" = 2
says err "No such file or directory" "the message says so"
for text in 'dear diary' ''; do
    printf '%s' "$text" >diary.h5
    cp diary.h5 diary.copy
    runs "the output is somebody's file" 2 run box.yaml --threads 1 --output diary.h5 --quiet
    says err "not overwritten" "it is refused"
    check "it is untouched" cmp -s diary.h5 diary.copy
    check "no data folder beside it" test ! -e diary.h5.data
done
printf '\211HDF\r\n\032\n' >foreign.h5
cp foreign.h5 foreign.copy
runs "the output is another program's HDF5 file" 2 run box.yaml --threads 1 --output foreign.h5 --quiet
check "it is untouched" cmp -s foreign.h5 foreign.copy
runs "the output is a device" 2 run box.yaml --threads 1 --output /dev/null --quiet

mkdir locked
chmod 555 locked
if touch locked/try 2>/dev/null; then
    rm -f locked/try
    # root may write anywhere: be nobody for a moment
    chmod 711 "$folder"
    if command -v setpriv >/dev/null && setpriv --reuid=65534 \
        --clear-groups test -x "$scree" -a -r "$folder/box.yaml"; then
        code=0
        setpriv --reuid=65534 --clear-groups "$scree" run box.yaml --force --threads 1 --output locked/box.h5 \
            --quiet >out 2>err </dev/null || code=$?
        refused "a folder that cannot be written" locked/box.h5
        same "it is empty" "" "$(ls -A locked)"
    else
        left_out "a folder that cannot be written" "this is root, and setpriv does not help"
    fi
else
    run run box.yaml --threads 1 --output locked/box.h5 --quiet
    refused "a folder that cannot be written" locked/box.h5
fi
chmod 755 locked

finish
