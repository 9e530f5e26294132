#!/bin/bash
# scree sweep: grids, measures, rows of runs that fail, and going on after any kind of end. The scene is a thrown
# grain, so that every row has a closed form.
. "$(dirname "$0")/lib/cli.sh"

cat >throw.yaml <<'YAML'
scree: 1
values: {speed: 1 m/s, drag: =2*speed}
domain: {box: [[-1, -1, -10], [9, 1, 9]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1 kN/m}}
bodies:
  grain: {from: positions, material: glass, radius: 1 mm, position: [0, 0, 0], velocity: [=speed, 0, =drag/2]}
time: {end: 0.1, step: 1e-4}
observers: {ball: {type: probe, id: 1, every: 1 ms}}
YAML

field() { awk -F, -v row="$2" -v col="$3" 'NR == row + 1 {print $col}' "$1"; }

must "a grid of two keys" sweep throw.yaml --over values.speed=1:3:1 --over materials.glass.friction=0.1,0.5 \
    --measure ball.x:last --measure 'top=max(ball.z)' --jobs 2
says out "6 runs, 0 of them done before, 0 failed"
same "a head and six rows" 7 "$(wc -l <throw.csv)"
same "the head" \
    "values.speed,materials.glass.friction,status,time [s],steps,seconds [s],kinetic [J],gravity [J],elastic [J],dissipated [J],closure [J],ball.x:last,top" "$(head -1 throw.csv)"
same "the last key turns fastest" "1,0.1 1,0.5 2,0.1 2,0.5 3,0.1 3,0.5" \
    "$(awk -F, 'NR > 1 {printf "%s%s,%s", (NR > 2 ? " " : ""), $1, $2}' throw.csv)"
number "x = v t" "$(field throw.csv 5 12)" 0.2999999 0.3000001
number "top of a throw of 1 m/s" "$(field throw.csv 1 13)" 0.0509 0.05098
check "results are not kept" test -z "$(find throw.csv.runs -name '*.h5')"

# columns that the integrator reports are known before a run
sed 's/^observers: .*/stepper: nonsmooth/' throw.yaml >solved.yaml
must "a measure of what the integrator reports" sweep solved.yaml --over values.speed=1,2 \
    --measure 'most=max(solver.sweeps)' --jobs 2
same "its column" "most" "$(head -1 solved.csv | awk -F, '{print $NF}')"
runs "a column that it does not have" 2 sweep solved.yaml --over values.speed=1 --measure 'x=max(solver.sweep)' \
    --output none.csv
says err "the observer 'solver' (solver) has no column 'sweep'"

runs "the same again runs nothing" 0 sweep throw.yaml --over values.speed=1:3:1 \
    --over materials.glass.friction=0.1,0.5 \
    --measure ball.x:last --measure 'top=max(ball.z)'
says out "6 runs, 6 of them done before, 0 failed"
runs "a finer grid uses what is there" 0 sweep throw.yaml --over values.speed=1:3:0.5 \
    --over materials.glass.friction=0.1,0.5 \
    --measure ball.x:last --measure 'top=max(ball.z)' --keep
says out "10 runs, 0 of them done before" "kept results must be there, so all run again"
same "ten results are kept" 10 "$(find throw.csv.runs -name results.h5 | wc -l)"
runs "other measures are another sweep" 2 sweep throw.yaml --over values.speed=1 --measure ball.z:last
says err "other measures"
runs "kept results of other settings are not continued" 0 sweep throw.yaml --over values.speed=1 --set time.end=0.05 \
    --measure ball.x:last --keep --output kept.csv
runs "they are not" 0 sweep throw.yaml --over values.speed=1 --measure ball.x:last --keep --output kept.csv --fresh
number "the new run's own x" "$(field kept.csv 1 11)" 0.0999 0.1001
runs "a grid" 0 sweep throw.yaml --over values.speed=1,3 --measure ball.x:last --output grow.csv
runs "a finer one uses its runs" 0 sweep throw.yaml --over values.speed=1:3:1 --measure ball.x:last --output grow.csv
says out "3 runs, 2 of them done before, 0 failed"
runs "unless started afresh" 0 sweep throw.yaml --over values.speed=1 --measure ball.z:last --fresh
runs "factors and units" 0 sweep throw.yaml --over 'values.speed=1:100:*10 mm/s' --measure v=speed --output f.csv
same "1, 10, 100 mm/s" "0.001 0.01 0.1" "$(awk -F, 'NR > 1 {printf "%s%s", (NR > 2 ? " " : ""), $NF}' f.csv)"

# elastic is all that is stored, whatever stores it: two bonded grains, one pushed away, a quarter of a period later:
# w^2 = 2 k/m, k = E pi r^2/(2 r); half of m v^2/2 is then in the bond, and half in the motion of the centre of mass
cat >bond.yaml <<'YAML'
scree: 1
values: {speed: 1 cm/s}
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
gravity: [0, 0, 0]
materials: {stone: {density: 2500, restitution: 1, friction: 0}}
contacts: {any: {stiffness: 1 kN/m}}
bodies:
  still: {from: positions, material: stone, radius: 1 mm, position: [0, 0, 0]}
  pushed: {from: positions, material: stone, radius: 1 mm, position: [2 mm, 0, 0], velocity: [=speed, 0, 0]}
bonds: {cement: {between: [still, pushed], young: 50 MPa, damping: 0}}
time: {end: 12.8255e-6, step: 1e-8}
YAML
must "a sweep of bonded grains" sweep bond.yaml --over values.speed=0.01,0.02
for row in 1 2; do
    half=$(awk -v v="$(field bond.csv $row 1)" 'BEGIN {printf "%.9g", 0.25 * 2500 * 4 / 3 * 3.14159265 * 1e-9 * v * v}')
    number "half of the energy is in the bond" "$(field bond.csv $row 8)" \
        "$(awk -v x="$half" 'BEGIN {print 0.999 * x}')" "$(awk -v x="$half" 'BEGIN {print 1.001 * x}')"
    number "half is in motion" "$(field bond.csv $row 6)" "$(awk -v x="$half" 'BEGIN {print 0.999 * x}')" \
        "$(awk -v x="$half" 'BEGIN {print 1.001 * x}')"
done

# what is wrong is told before anything is written
mkdir wrong && cp throw.yaml wrong
bad() { # bad WHAT MESSAGE ARGUMENTS...
    local what=$1 message=$2
    shift 2
    cd wrong || exit 1
    runs "$what" 2 sweep throw.yaml "$@"
    says err "$message"
    rm -f out err
    same "$what: nothing is written" throw.yaml "$(ls)"
    cd ..
}
bad "no such value" "did you mean 'speed'?" --over values.sped=1
bad "no such key" "materials.glass" --over materials.glass.fricton=1
bad "no such observer" "the scene has no observer 'bal', did you mean 'ball'?" --over values.speed=1 \
    --measure bal.x:last
bad "no such column" "has no column 'q'" --over values.speed=1 --measure ball.q:last
bad "a list is no number" "reduce it" --over values.speed=1 --measure ball.x
bad "not a range" "is not a range" --over values.speed=1:2
bad "a range that leads nowhere" "gives no values" --over values.speed=1:2:-1
bad "twice the same key" "swept twice" --over values.speed=1 --over values.speed=2
bad "no equals sign" "must be path.to.key=values" --over values.speed

# a run that fails is a row: the grain leaves the domain
runs "a run that fails" 1 sweep throw.yaml --over values.speed=1,200 --output far.csv --measure ball.x:last
says out "2 runs, 0 of them done before, 1 failed"
matches far.csv '^1,ok,'
matches far.csv '^200,"?[^o].*left'
same "every row has every field" "11 11 11" \
    "$($python -c 'import csv; print(*[len(r) for r in csv.reader(open("far.csv"))])')"

# killed at any moment, the same command ends with the same table
cat >long.sh <<SH
exec "$scree" sweep throw.yaml --over values.speed=1:12:1 --set time.step=4e-7 --measure ball.x:last --output slow.csv --jobs 2 --quiet
SH
"$scree" sweep throw.yaml --over values.speed=1:12:1 --set time.step=4e-7 --measure ball.x:last --output whole.csv \
    --quiet >/dev/null
for signal in KILL KILL TERM; do
    bash long.sh >out 2>err </dev/null &
    child=$!
    for ((k = 0; k < 400; k++)); do
        done_now=$(grep -c ok slow.csv.runs/journal 2>/dev/null)
        ((${done_now:-0} > ${before:-0})) && break
        sleep 0.02
    done
    kill -$signal $child
    wait $child 2>/dev/null
    code=$?
    before=$(grep -c ok slow.csv.runs/journal)
    check "after SIG$signal there is no table yet, and $before rows are kept" test ! -e slow.csv -a "$before" -gt 0 \
        -a "$before" -lt 12
    [[ $signal == TERM ]] && same "SIGTERM: exit code" 143 "$code"
done
sleep 0.3
check "no child outlives the sweep" test -z "$(pgrep -f "values.speed=1:12:1.*slow.csv")"
printf 'half a line' >>slow.csv.runs/journal
runs "and goes on" 0 sweep throw.yaml --over values.speed=1:12:1 --set time.step=4e-7 --measure ball.x:last \
    --output slow.csv --jobs 2
says out "12 runs, $before of them done before, 0 failed"
strip() { cut -d, -f1-4,6- "$1"; } # without the seconds it took
same "the same table" "$(strip whole.csv)" "$(strip slow.csv)"

# runs that are stopped leave a checkpoint of the moment, and go on from there
"$scree" sweep throw.yaml --over values.speed=1,2 --set time.step=1e-9 --output stopped.csv --jobs 2 \
    --quiet >out 2>err </dev/null &
child=$!
for ((k = 0; k < 500; k++)); do
    ready=(stopped.csv.runs/*/*.h5)
    ((${#ready[@]} == 2)) && break
    sleep 0.02
done
sleep 0.2
kill -TERM $child
wait $child
same "stopped: exit code" 143 $?
for results in stopped.csv.runs/*/*.h5; do
    number "the last checkpoint of ${results##*/}" \
        "$("$scree" info "$results" | sed -n 's/^ *checkpoints.*step \([0-9]*\).*/\1/p')" 1 1e9
done
same "both are there" 2 "${#ready[@]}"

finish
