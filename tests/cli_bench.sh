#!/bin/bash
# The benchmark `bed` on a small problem: its state is made, is at rest, and gives the same bits with two threads.
# `reduction`, `nonsmooth`, `accuracy` and `ramp` on small problems.
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

export TMPDIR=$folder
must "bench threads" bench threads --quick --only lists --rounds 1 --threads 2
check "one thread, two, and copies: one digest" test "$(grep -cE '^ +[12] .* [0-9a-f]{16}$' out)" = 2
check "its ratio to the copies" grep -qE '^figure threads.lists.2.ratio [0-9.]+ -$' out
must "the largest number of threads alone" bench threads --quick --most --only bed --steps 5 --threads 2
check "one row" test "$(grep -cE '^ +[0-9]+ .* [0-9a-f]{16}$' out)" = 1
runs "a workload that is not there" 2 bench threads --only nosuch
must "bench start" bench start --grains 8000 --rounds 1
check "a lattice, random grains, a table" test "$(grep -c '^figure start\..*\.cpu' out)" = 3
check "all grains are there" test "$(grep -c ' 8000 grains' out)" = 3
runs "a variant that is not there" 2 bench start --only nosuch

must "bench reduction" bench reduction --quick --sweeps 50
number "a heap that rests is merged" "$(figure reduction.collapse.h)" 0.9 1
number "and costs less" "$(figure reduction.collapse.S)" 2 1e6
check "no folder is left" test -z "$(find "$folder" -maxdepth 1 -name 'scree-bench-*')"
number "a pile that is hit by one grain" "$(figure reduction.pile25.step)" 0 50
must "states where the user wants them" bench reduction --quick --only drum --state states
check "they are there" test -s states/turned-quick.h5
runs "a scenario that is not there" 2 bench reduction --only nosuch
must "bench nonsmooth" bench nonsmooth --quick --rounds 1
same "whole steps have the same bits with two threads" 1 "$(figure nonsmooth.same_bits_two_threads)"
runs "a variant that is not there" 2 bench nonsmooth --only nosuch
must "bench accuracy" bench accuracy --quick
number "a drum that has just begun to turn is the same for all" "$(figure accuracy.drum.off)" -2 2
must "bench ramp" bench ramp --quick --only friction
number "explicit steps take some time" "$(figure ramp.friction.1.95e+04.explicit_15)" 0.001 10
check "each implicit run says its settlement" test "$(grep -c "^  implicit.*settlement" out)" = 6
runs "a kind of grains that is not there" 2 bench ramp --quick --only nosuch
runs "bench scene without a scene" 2 bench scene
cat >scene.yaml <<'END'
scree: 1
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
materials: {rock: {density: 2500, restitution: 0.5, friction: 0.5}}
bodies: {grains: {from: positions, material: rock, diameter: 10 mm, positions: [[0, 0, 5 mm], [0, 0, 15 mm]]}}
walls: {floor: {shape: plane, material: rock}}
stepper: nonsmooth
time: {end: 1, step: 1 ms}
END
must "bench scene" bench scene --state scene.yaml --steps 10 --rounds 1
number "two contacts" "$(figure scene.contacts)" 2 2

must "bench elastic" bench elastic --grains 3000 --steps 3 --rounds 1
number "the same bits with two threads" "$(figure elastic.same_bits_two_threads)" 1 1
runs "a variant that is not there" 2 bench elastic --only nosuch --grains 8

must "bench variational" bench variational --grains 27 --steps 5
number "iterations of Newton's method" "$(figure variational.friction.27.newton)" 1 5
number "a step costs more than an explicit one" "$(figure variational.smooth.27.explicit_steps)" 1 1000
runs "a variant that is not there" 2 bench variational --only nosuch --grains 8

must "bench output" bench output --grains 8000 --steps 100 --rounds 1
number "a frame of double precision" "$(figure output.plain.bytes_per_grain)" 72 80
number "compressed" "$(figure output.double.bytes_per_grain)" 30 72
number "in single precision" "$(figure output.single.bytes_per_grain)" 10 37
check "the same digest with frames" test "$(grep -o 'digest .*' out | sort -u | wc -l)" = 1
check "its folder is gone" test -z "$(find "$folder" -maxdepth 1 -name 'scree-bench-*')"
runs "a variant that is not there" 2 bench output --only nosuch --grains 8
finish
