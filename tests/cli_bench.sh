#!/bin/bash
# The benchmark `bed` on a small problem: its state is made, is at rest, and gives the same bits with two threads.
. "$(dirname "$0")/lib/cli.sh"

export XDG_CACHE_HOME=$folder/cache
mkdir "$XDG_CACHE_HOME"
figure() { sed -n "s/^figure $1 \([^ ]*\) .*/\1/p" out; }

must "bench bed" bench bed --ratio 20 --grains 500 --steps 20 --rounds 1
same "the same bits with two threads" 1 "$(figure bed.same_bits_two_threads)"
number "contacts of a bed at rest (2 a grain)" "$(figure bed.improved.contacts)" 800 1500
# 2e-4; falling freely it would be 12 pi/6 20^3 (20 dt)^2 / 2 = 0.1
number "it hardly moves" "$(figure bed.improved.kinetic)" 0 0.02
number "bytes per grain" "$(figure bed.improved.bytes_per_grain)" 500 20000
runs "a variant that is not there" 2 bench bed --only nosuch --grains 500 --steps 1 --state none.csv
check "nothing is written" test ! -e none.csv
must "a state where the user wants it" bench bed --grains 200 --only improved --steps 5 --rounds 1 --state here.csv
check "it is there" test -s here.csv
finish
