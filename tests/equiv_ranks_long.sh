#!/bin/bash
# The whole grid: ten scenes of tests/ranks, 2000 steps each, on 1, 2, 3, 5 and 8 ranks with 1 and 2 threads: one digest
# a scene. Then a checkpoint of five ranks, taken half-way, goes on on two.
# RANKS and THREADS in the environment take others, SCENES some of them.
. "$(dirname "$0")/lib/cli.sh"
. "$source/tests/lib/ranks.sh"
LIMIT=1500 # a busy machine has to be enough

steps=2000
span() { awk -v n="$1" -v dt="$2" 'BEGIN {printf "%.17g", n*dt}'; }

while read -r name dt; do
    [[ " ${SCENES:-$name} " == *" $name "* ]] || continue
    scene=$source/tests/ranks/$name.yaml
    settings=(--set "time.step=$dt" --set "output.every=$(span $steps "$dt")" \
        --set "output.checkpoint=$(span $steps "$dt")")
    must "$name on one rank" run "$scene" "${settings[@]}" --set "time.end=$(span $steps "$dt")" --output one.h5 \
        --quiet --force
    one=$(digest)
    check "$name has a digest" test -n "$one"
    for threads in ${THREADS:-1 2}; do
        for n in ${RANKS:-1 2 3 5 8}; do
            many "$n" run "$scene" "${settings[@]}" --set "time.end=$(span $steps "$dt")" --threads "$threads" \
                --output "$name.h5" --quiet --force
            check "$name runs on $n ranks with $threads threads" test $? = 0
            check "$name on $n ranks with $threads threads: the same digest" test "$(digest)" = "$one"
        done
    done
    many 5 run "$scene" "${settings[@]}" --set "time.end=$(span $((steps / 2)) "$dt")" --output cut.h5 --quiet --force
    check "half of $name on five ranks" test $? = 0
    many 2 run "$scene" "${settings[@]}" --set "time.end=$(span $steps "$dt")" --resume cut.h5 --quiet
    check "$name, resumed on two: the same digest" test "$(digest)" = "$one"
done <<'LIST'
chute 2e-5
bed 2e-5
ports 4e-5
bonds 1e-6
ratio 5e-6
mill 1e-5
hopper 2e-5
beam 2.5e-4
drop 25e-6
pane 3e-8
LIST
finish
