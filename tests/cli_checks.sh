#!/bin/bash
# Scenes that can be read but not be run as they stand: `check` and `run` refuse them with the numbers and write
# nothing; what shows only later ends the run in order.
. "$(dirname "$0")/lib/cli.sh"

# refused WHAT TEXT SCENE [OPTIONS...]: by check and by run, with this text, exit code 2 and nothing written
refused() {
    local what=$1 text=$2 scene=$3 command
    shift 3
    rm -rf bad.h5*
    for command in check run; do
        local output=()
        [[ $command == run ]] && output=(--output bad.h5)
        run $command "$scene" "${output[@]}" "$@"
        same "$what: $command: exit code" 2 "$code"
        cat out err >both
        says both "$text" "$what: $command: $text"
    done
    check "$what: nothing is written" test ! -e bad.h5
}

# ---- steps in which grains would pass through each other ----

cat >tunnel.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], periodic: [x, y, z]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies:
  g: {from: positions, material: m, radius: 2 mm, positions: [[0.05, 0.05, 0.05], [0.02, 0.05, 0.05]], velocity: [1e5, 0, 0]}
  h: {from: positions, material: m, radius: 2 mm, position: [0.07, 0.05, 0.05]}
time: {end: 5 ms, step: 10 us}
output: {every: 1 ms}
YAML
far="gets 1 m in a step, further than the smallest diameter, 0.004 m: grains would pass through each other; at most 4e-08 s is possible"
refused "a fast grain" "time.step is 1e-05 s: the fastest grain, against others or walls, 1e+05 m/s, $far" tunnel.yaml
refused "a fast group" "the fastest grain, against others or walls, 1e+05 m/s, $far" tunnel.yaml \
    --set 'bodies.g.motion={oscillation: {direction: [1, 0, 0], amplitude: 1, frequency: 15915.494309189534, phase: 1.5707963267948966}}' \
    --set 'bodies.g.velocity=[0, 0, 0]'
refused "a fast inlet" "a grain of the inlet g, 1e+05 m/s, $far" tunnel.yaml \
    --set 'bodies.g={from: inlet, material: m, radius: 2 mm, velocity: [1e5, 0, 0], rate: 1, region: {box: [[0.01, 0.01, 0.01], [0.05, 0.05, 0.05]]}}'
refused "a fast wall" "the wall w, 1e+05 m/s, $far" tunnel.yaml \
    --set 'bodies.g.velocity=[0, 0, 0]' --set 'walls={w: {shape: plane, material: m, velocity: [0, 0, 1e5]}}'
refused "an elastic solid beside it" "$far" tunnel.yaml --set 'stepper={type: elastic}'
runs "what moves together may be as fast as it likes" 0 run tunnel.yaml --output together.h5 --set 'bodies.h.velocity=[1e5, 0, 0]'
runs "half a radius in a step" 0 check tunnel.yaml --set 'bodies.g.velocity=[100, 0, 0]'
says err "the contact m/m (d 0.004 m on d 0.004 m) is too soft: at 100 m/s, the speed to expect, they go through each other"

# one that gets too fast on its way: the step is finished and kept
cat >fall.yaml <<'YAML'
scree: 1
gravity: [0, 0, -1e4]
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], periodic: [x, y, z]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies:
  falling: {from: positions, material: m, radius: 2 mm, position: [0.05, 0.05, 0.05]}
  held: {from: positions, material: m, radius: 2 mm, position: [0.07, 0.05, 0.05], frozen: yes}
time: {end: 10 ms, step: 50 us}
output: {every: 1 ms}
YAML
runs "a fall without end" 1 run fall.yaml --output fall.h5
# 80 m/s after 8 ms: 160 steps, and the list is looked at when a grain leaves its slack
matches err "^error: step 16[0-9], time 0.008[0-9]* s: grain 1 of falling and grain 2 of held move against each other at 8[0-9.]* m/s" \
    "a fall without end: who, when, how fast"
says err "further than the smallest diameter, 0.004 m" "a fall without end: how far"
matches err "state written as checkpoint of step 16[0-9]" "a fall without end: kept"
runs "the results open" 0 info fall.h5
finish
