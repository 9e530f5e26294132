#!/bin/bash
# Standard output that is lost: every command says so and fails; a reader that has seen enough is no failure.
. "$(dirname "$0")/lib/cli.sh"
export GOMP_SPINCOUNT=4000 OMP_NUM_THREADS=1

cat >ball.yaml <<'YAML'
scree: 1
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1 kN/m}}
bodies: {ball: {from: positions, material: glass, radius: 1 cm, position: [0, 0, 0]}}
walls: {floor: {shape: plane, material: glass, point: [0, 0, -0.01], normal: [0, 0, 1]}}
time: {end: 1 ms, step: 1e-4}
observers: {ball: {type: probe, id: 1}}
YAML
must "results by -o" run ball.yaml -o ball.h5 --quiet
must "and by -o=" run ball.yaml -o=next.h5 --quiet
check "both are there" test -f ball.h5 -a -f next.h5

# a call of each command that prints something
declare -A call=(
    [run]="run ball.yaml --force -o again.h5 --quiet" [equilibrate]="equilibrate ball.yaml --force -o rest.h5 --quiet"
    [check]="check ball.yaml" [advise]="advise ball.yaml" [init]="init --list" [info]="info ball.h5"
    [export]="export ball.h5 --to csv" [render]="render ball.h5 --width 64 --height 64" [report]="report ball.h5"
    [view]="view ball.h5 --no-open" [compare]="compare ball.h5 next.h5 --table"
    [sweep]="sweep ball.yaml --over time.end=1e-3 -o sweep.csv --quiet" [reproduce]="reproduce --cases $source/cases"
    [plot]="plot ball.h5 --y ball.z" [convert]="convert --help" [pack]="pack ball.h5" \
        [unpack]="unpack --help" [bench]="bench --help" [schema]="schema" [help]="help" [version]="version"
)
run help
for name in $(sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' out); do
    read -ra words <<<"${call[$name]-}"
    check "$name is tested here" test "${#words[@]}" -gt 0
    for way in full closed; do
        code=0
        if [[ $way == full ]]; then
            timeout 60 "$scree" "${words[@]}" >/dev/full 2>err || code=$?
        else
            timeout 60 "$scree" "${words[@]}" >&- 2>err || code=$?
        fi
        same "$name, standard output $way: exit code" 1 "$code"
        matches err "(standard output|address .*) cannot be written: " "$name: it says so"
    done
done
run info again.h5
same "the results of such a run are whole" 0 "$code"

# closed streams: what is opened next must not take their numbers
"$scree" run ball.yaml -o closed.h5 --quiet <&- >&- 2>&-
run info closed.h5
same "no stream at all: the results are whole" 0 "$code"

# a reader that leaves
for command in schema "help run" "info ball.h5" "run ball.yaml -o piped.h5"; do
    read -ra words <<<"$command"
    "$scree" "${words[@]}" 2>err | true
    codes=("${PIPESTATUS[@]}")
    check "$command into a pipe nobody reads: ends as by the signal, or had said all (${codes[0]})" test "${codes[0]}" \
        = 141 -o "${codes[0]}" = 0
    says_not err "standard output" "$command: no word about it"
done
same "the first line" "{" "$("$scree" schema 2>err | head -n 1)"
same "no complaint" "" "$(<err)"

finish
