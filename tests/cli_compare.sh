#!/bin/bash
# scree compare: the table, the plots, scenes that differ, and what cannot be compared. Grains that are thrown make
# most differences closed forms.
. "$(dirname "$0")/lib/cli.sh"

cat >throw.yaml <<'YAML'
scree: 1
title: thrown grains
values: {speed: 1 m/s}
domain: {box: [[-1, -1, -10], [9, 1, 9]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1 kN/m}}
bodies:
  grain: {from: positions, material: glass, radius: 1 mm, position: [[0, 0, 0], [0.1, 0, 0]], velocity: [=speed, 0, 1]}
walls: {floor: {shape: plane, material: glass, point: [0, 0, -9], normal: [0, 0, 1]}}
time: {end: 0.1, step: 1e-4}
output: {every: 10 ms}
observers:
  ball: {type: probe, id: 1, every: 1 ms}
  forces: {type: walls, every: 10 ms}
YAML

row() { awk -F, -v what="\"$1\"" '$2 == what {print $'"$2"'}' "${3:-table.csv}"; } # row QUANTITY FIELD [FILE]

must "a run" run throw.yaml --quiet --output a.h5
must "a faster one" run throw.yaml --quiet --set values.speed=2 --output b.h5
must "the two compared" compare a.h5 b.h5
says out "A a.h5" "the files are named"
says out "at 0.1 s" "the common time"
says out "speed-up" "time is compared"
check "a page with the plots" grep -q "<svg" a-compare/report.html
check "plots are beside the first results" test -s a-compare/ledger-kinetic.svg -a -s a-compare/surface.png \
    -a -s a-compare/ball-x.svg
cp a-compare/table.csv table.csv
number "x of A" "$(row ball.x 4)" 0.0999999 0.1000001
number "x of B" "$(row ball.x 5)" 0.1999999 0.2000001
number "their difference" "$(row ball.x 6)" 0.0999999 0.1000001
number "relative" "$(row ball.x 7)" 0.999999 1.000001
number "largest along time, over the range of A" "$(row ball.x 8)" 0.999 1.001
number "rms along time: 1/sqrt(3)" "$(row ball.x 9)" 0.57 0.585
number "grains apart" "$(row "distance between grains (rms)" 6)" 0.0999999 0.1000001
number "in diameters" "$(row "the same over the mean diameter" 6)" 49.999 50.001
number "the centre" "$(row "centre of volume x" 6)" 0.0999999 0.1000001
number "no speed in common" "$(row "speeds (distance of distributions)" 6)" 1 1
number "kinetic energy" "$(row "kinetic energy" 7)" 2.9 3.1
same "a ledger's column that is zero is no line" "" "$(row ledger.wall_work 4)"

must "a run with itself" compare a.h5 a.h5 --table
check "nothing differs" awk '$1 == "ball.x" && $5 != 0 {exit 1}' out
must "three runs, into a folder" compare a.h5 b.h5 a.h5 --output plots
same "two tables" 2 "$(grep -c '^A a.h5' out)"
says out "plots in plots" "the folder is named"
check "the folder" test -s plots/table.csv -a -s plots/spent.svg

# a shorter run is compared up to its end
must "a shorter run" run throw.yaml --quiet --set time.end=0.05 --output short.h5
must "compared up to its end" compare a.h5 short.h5 --table
says out "at 0.05 s" "the last time that both have"
check "no difference there" awk '$1 == "ball.x" && $5 != 0 {exit 1}' out

# another scene is said, and compared
sed 's/9\], normal/8], normal/; s/thrown/other/; s/2500/2600/' throw.yaml >other.yaml
must "another scene" run other.yaml --quiet --output other.h5
runs "another scene is compared" 0 compare a.h5 other.h5 --table
says err "another scene"
says err "titles differ"
says err "materials differ"

# what cannot be compared
must "a run whose frames are at other times" run throw.yaml --quiet --set time.end=0.0973 --set output.every=7.3e-3 \
    --output odd.h5
runs "only their start is of one time" 2 compare a.h5 odd.h5 --table
says err "has no frame after the start"
runs "one file is not enough" 2 compare a.h5
runs "a file that is not there" 2 compare a.h5 nothing.h5
says err "nothing.h5"
runs "a file that is no results" 2 compare a.h5 throw.yaml
says err "throw.yaml"
runs "a folder that cannot be made" 2 compare a.h5 b.h5 --output nowhere/plots
says err "nowhere/plots"

# time spent goes on after a restart, and is no part of the state
must "a run that is resumed" run throw.yaml --quiet --set time.end=0.05 --output r.h5
before=$("$scree" info r.h5 | sed -n 's/.*steps took *wall time \([0-9.e-]*\) s.*/\1/p')
must "resumed" run throw.yaml --quiet --resume r.h5
after=$("$scree" info r.h5 | sed -n 's/.*steps took *wall time \([0-9.e-]*\) s.*/\1/p')
check "spent time grows" awk -v a="$before" -v b="$after" 'BEGIN {exit !(b > a && a > 0)}'
must "compared with the run in one go" compare a.h5 r.h5 --table
check "no bit differs" awk '$1 == "ball.x" && $5 != 0 {exit 1}' out

finish
