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
far="moves 1 m in a step, more than the smallest diameter, 0.004 m: grains would pass through each other; at most 4e-08 s is possible"
refused "a fast grain" "time.step is 1e-05 s: the fastest grain, against others or walls, 1e+05 m/s, $far" tunnel.yaml
refused "a fast group" "the fastest grain, against others or walls, 1e+05 m/s, $far" tunnel.yaml \
    --set 'bodies.g.motion={oscillation: {direction: [1, 0, 0], amplitude: 1, frequency: 15915.494309189534, phase: 1.5707963267948966}}' \
    --set 'bodies.g.velocity=[0, 0, 0]'
refused "a fast inlet" "a grain of the inlet g, 1e+05 m/s, $far" tunnel.yaml \
    --set 'bodies.g={from: inlet, material: m, radius: 2 mm, velocity: [1e5, 0, 0], rate: 1, region: {box: [[0.01, 0.01, 0.01], [0.05, 0.05, 0.05]]}}'
refused "a fast wall" "the wall w, 1e+05 m/s, $far" tunnel.yaml \
    --set 'bodies.g.velocity=[0, 0, 0]' --set 'walls={w: {shape: plane, material: m, velocity: [0, 0, 1e5]}}'
refused "an elastic solid beside it" "$far" tunnel.yaml --set 'stepper={type: elastic}'
runs "what moves together may be as fast as it likes" 0 run tunnel.yaml --output together.h5 \
    --set 'bodies.h.velocity=[1e5, 0, 0]'
runs "half a radius in a step" 0 check tunnel.yaml --set 'bodies.g.velocity=[100, 0, 0]'
says err \
    "the contact m/m (d 0.004 m on d 0.004 m) is too soft: at the expected speed of 100 m/s the bodies pass through each other"

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
matches err \
    "^error: step 16[0-9], time 0.008[0-9]* s: grain 1 of falling and grain 2 of held move against each other at 8[0-9.]* m/s" \
    "a fall without end: who, when, how fast"
says err "further than the smallest diameter, 0.004 m" "a fall without end: how far"
matches err "state written as checkpoint of step 16[0-9]" "a fall without end: kept"
runs "the results open" 0 info fall.h5

# ---- far from the origin ----

cat >far.yaml <<'YAML'
scree: 1
values: {o: 0}
domain: {box: [[=o, =o, =o], [=o+0.1, =o+0.1, =o+0.1]]}
materials: {m: {density: 2500, restitution: 0.9, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {g: {from: positions, material: m, radius: 2 mm, position: [=o+0.05, =o+0.05, =o+0.02]}}
walls: {f: {shape: plane, material: m, point: [=o, =o, =o]}}
time: {end: 1 ms, step: 50 us}
output: {every: 1 ms}
YAML
# the ball of 84 mg overlaps by 0.29 mm at 1 m/s; 1e-6 and 1e-2 of that is the spacing of doubles beyond 2^20 and 2^33 m
refused "1e12 m from the origin" \
    "positions are 0.00012 m apart (the spacing of doubles), 0.43 of the smallest overlap to expect, 0.00029 m" \
    far.yaml --set values.o=1e12
refused "2e10 m from the origin" "contact forces would be rounding errors; at most 0.01 of it is allowed" \
    far.yaml --set values.o=2e10
runs "6e9 m from the origin" 0 check far.yaml --set values.o=6e9
says err "the domain reaches to 6e+09 m from the origin, where positions are 9.5e-07 m apart" "6e9 m: a warning"
runs "1.2e6 m from the origin" 0 check far.yaml --set values.o=3e6
says err "energy is conserved less accurately; put the origin near the grains" "3e6 m: a warning"
runs "1e6 m from the origin" 0 check far.yaml --set values.o=1e6
says_not err "from the origin" "1e6 m: no word"

# ---- outlets ----

cat >drain.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, -0.05], [0.1, 0.1, 0.1]]}
materials: {m: {density: 2500, restitution: 0.9, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {g: {from: lattice, material: m, radius: 2 mm, spacing: 5 mm, count: 27, region: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}}
outlets: {drain: {shape: plane, point: [0, 0, -0.02], normal: [0, 0, 1]}}
time: {end: 0.1 s}
YAML
refused "an outlet that looks the wrong way" \
    "drain.yaml:6:11: error: outlets.drain would remove 27 of 27 grains at the start, the first is grain 1 of g at" \
    drain.yaml
says both \
    "it empties the side of its plane that (0, 0, 1) points to (the normal of a wall has the opposite sense); reverse the normal, or set side: below, above, ..."
refused "a box full of grains" "move them or the outlet, or let it open later (start)" drain.yaml \
    --set 'outlets.drain={shape: box, box: [[0, 0, 0], [1, 1, 1]]}'
runs "it opens later" 0 check drain.yaml --set 'outlets.drain.start=10 ms'
refused "advice on it" "outlets.drain would remove 27 of 27 grains" drain.yaml
for side in 'side: below' 'side: -z' 'side: below, normal: [0, 0, -1]' 'side: below, normal: [0, 0.1, 1]' \
    'normal: [0, 0, -1]'; do
    runs "$side" 0 run drain.yaml --output drain.h5 --set "outlets.drain={shape: plane, point: [0, 0, -0.02], $side}"
    says err "outlet drain: 27 grains" "$side: all fall into it"
done
for side in above +z +x -y; do
    refused "side: $side" "outlets.drain would remove 27 of 27 grains at the start" drain.yaml \
        --set "outlets.drain={shape: plane, point: [-0.01, 0.2, -0.02], side: $side}"
done
refused "a side that the plane does not have" \
    "outlets.drain.side: a plane of normal (1, 0, 0) has no such side, it is parallel to that axis" drain.yaml \
    --set 'outlets.drain={shape: plane, normal: [1, 0, 0], side: below}'
must "grains in the way of an outlet" run drain.yaml --output some.h5 --set 'outlets.drain.start=1 s' \
    --set 'time.end=1 ms'
runs "grains of results may leave at once" 0 run drain.yaml --from some.h5 --output none.h5 --set 'time.end=20 ms'
says err "outlet drain: 27 grains are inside and leave at once"

# ---- sides of the domain without a wall ----

cat >open.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {g: {from: positions, material: m, radius: 2 mm, positions: [[0.05, 0.05, 0.05], [0.06, 0.05, 0.05]]}}
walls: {floor: {shape: plane, material: m}}
time: {end: 0.12 s, step: 50 us}
output: {every: 0.1 s}
YAML
# sides OPEN OUT WHAT OPTIONS...: `check` says that these sides are open, and warns of these with what takes grains
# there
sides() {
    local open=$1 out=$2 what=$3
    shift 3
    run check open.yaml "$@"
    same "$what: exit code" 0 "$code"
    same "$what: open" "$open" "$(sed -n 's/^open sides of the domain: \(.*\); a grain that leaves .*/\1/p' err)"
    same "$what: out" "$out" \
        "$(grep 'can leave the domain before time.end' err |
        grep -oE '[-+][xyz] \((gravity|its velocity|a wall that moves)' | tr '\n' ';')"
}
rest="-x, +x, -y, +y"
none='walls={}'
sides "$rest, +z" "" "a floor"
sides "$rest, +z" "-z (gravity;" "no floor" --set "$none"
says err \
    "open.yaml:2:15: warning: grains can leave the domain before time.end, through -z (gravity takes grain 1 of g at (0.05, 0.05, 0.05) m there): no wall or outlet is in the way, and the first to leave ends the run. Put one there, make the domain larger, or set domain.boundary: delete, which removes such grains"
runs "the warning is right" 1 run open.yaml --output open.h5 --set "$none"
says err "warning: grains can leave the domain before time.end, through -z" "a run warns as well"
says err "left the domain" "and ends so"
runs "a run with a floor" 0 run open.yaml --output closed.h5
says_not err "open sides" "a run does not list what is open"
# a fall of 0.05 m takes 0.10096 s
sides "$rest, -z, +z" "" "no time to fall" --set "$none" --set 'time.end=0.1009 s'
sides "$rest, +z" "-z (gravity;" "just the time to fall" --set "$none" --set 'time.end=0.101 s'
sides "$rest, -z, +z" "" "no gravity" --set "$none" --set 'gravity=[0, 0, 0]'
sides "" "" "grains are deleted" --set "$none" --set 'domain.boundary=delete'
sides "$rest" "" "periodic" --set "$none" --set 'domain.periodic=[z]'
sides "" "" "a box" --set 'walls.floor={shape: box, material: m, box: [[0, 0, 0], [0.1, 0.1, 0.1]]}'
# the floor is a disc: both grains above it, or one beside it
sides "$rest, +z" "" "a disc below both" \
    --set 'walls.floor={shape: disc, material: m, center: [0.055, 0.05, 0.01], normal: [0, 0, 1], radius: 20 mm}'
sides "$rest, +z" "-z (gravity;" "a disc below the first" \
    --set 'walls.floor={shape: disc, material: m, center: [0.04, 0.05, 0.01], normal: [0, 0, 1], radius: 15 mm}'
says err "takes grain 2 of g" "who falls beside the disc"
pipe='walls.floor={shape: cylinder, material: m, from: [0.04, 0.05, 0.05], to: [0.07, 0.05, 0.05], radius: 20 mm}'
sides "-x, +x" "" "a pipe" --set "$pipe"
sides "+x" "-x (gravity;" "a pipe along gravity" --set "$pipe" --set 'gravity=[-10, 0, 0]'
sides "$rest, +z" "-z (gravity;" "a floor that goes" --set 'walls.floor.until=50 ms'
sides "$rest, +z" "-z (gravity;" "a floor that comes" --set 'walls.floor.since=50 ms'
sides "$rest, +z" "" "an outlet below" --set "$none" \
    --set 'outlets={drain: {shape: plane, point: [0, 0, 0.01], side: below}}'
sides "$rest, +z" "" "a thin outlet below" --set "$none" \
    --set 'outlets={drain: {shape: box, box: [[0, 0, 0.01], [0.1, 0.1, 0.0101]]}}'
sides "$rest, +z" "-z (gravity;" "an outlet beside" --set "$none" \
    --set 'outlets={drain: {shape: box, box: [[0, 0, 0], [0.04, 0.1, 0.01]]}}'
sides "$rest, +z" "-z (gravity;" "an outlet that closes" --set "$none" \
    --set 'outlets={drain: {shape: plane, point: [0, 0, 0.01], side: below, until: 0.1 s}}'
# the second grain has 0.04 m to go in 0.12 s: 0.333 m/s; upwards they need 0.99 m/s
sides "-x, -y, +y, +z" "+x (its velocity;" "a velocity" --set 'bodies.g.velocity=[0.4, 0, 0]'
sides "$rest, +z" "" "a small velocity" --set 'bodies.g.velocity=[0.3, 0, 0]'
sides "$rest" "+z (its velocity;" "thrown up" --set 'bodies.g.velocity=[0, 0, 1]'
sides "$rest, +z" "" "thrown up, not enough" --set 'bodies.g.velocity=[0, 0, 0.98]'
sides "$rest" "+z (its velocity;" "thrown up in a long run" --set 'bodies.g.velocity=[0, 0, 1]' \
    --set 'time.end=1000 s' --set 'output.every=1 s'
sides "" "+x (its velocity;" "a prescribed motion" --set 'bodies.g.motion={velocity: [0.4, 0, 0]}'
sides "-x, -y, +y, +z" "+x (a wall that moves;" "a belt" --set 'walls.floor.velocity=[0.4, 0, 0]'
sides "$rest, +z" "" "a belt of no great speed" --set 'walls.floor.velocity=[0.3, 0, 0]'
sides "$rest, +z" "" "a belt below the floor" \
    --set 'walls.belt={shape: plane, material: m, point: [0, 0, -0.01], velocity: [0.4, 0, 0]}'
# gravity that is turned after half the time lifts them by 0.018 m; ten times as much by 0.18 m
sides "$rest, +z" "" "gravity that turns" --set 'gravity_table=[[0, 0, 0, -10], [0.06, 0, 0, -10], [0.0601, 0, 0, 10]]'
sides "$rest" "+z (gravity;" "gravity that turns and is strong" \
    --set 'gravity_table=[[0, 0, 0, -10], [0.06, 0, 0, -10], [0.0601, 0, 0, 100]]'
sides "$rest, +z" "" "gravity that shakes" \
    --set 'gravity=[100, 0, -10]' --set 'gravity_signal={type: sine, frequency: 100, phase: 1.5707963267948966}'
# what is held is a floor too
sides "$rest, +z" "" "a bed of frozen grains" --set "$none" \
    --set 'bodies.bed={from: lattice, material: m, radius: 4 mm, spacing: 9 mm, frozen: yes, region: {box: [[0, 0, 0], [0.1, 0.1, 0.01]]}}'
sides "$rest, +z" "-z (gravity;" "an inlet without a floor" --set "$none" \
    --set 'bodies.g={from: inlet, material: m, radius: 2 mm, rate: 100, region: {box: [[0.02, 0.02, 0.05], [0.08, 0.08, 0.09]]}}'
says err "takes a grain of g at (0.022, 0.022, 0.052) m there" "an inlet: who"
sides "$rest, +z" "" "an inlet" \
    --set 'bodies.g={from: inlet, material: m, radius: 2 mm, rate: 100, region: {box: [[0.02, 0.02, 0.05], [0.08, 0.08, 0.09]]}}'

# ---- nothing at all ----

echo x,y,z,radius >none.csv
refused "an empty scene" "the scene has neither bodies (groups of grains) nor solids: there is nothing to move" \
    drain.yaml --set 'bodies={}'
refused "an empty table" "none.csv: error: has no grains" drain.yaml \
    --set 'bodies.g={from: table, material: m, file: none.csv}'
runs "an inlet alone: advise" 0 advise drain.yaml --set 'outlets={}' \
    --set 'bodies.g={from: inlet, material: m, diameter: [2 mm, 4 mm], rate: 10, region: {box: [[0.01, 0.01, 0.01], [0.05, 0.05, 0.05]]}}'
says out "0 move, 0 are fixed, more enter through inlets; diameters 0.002 to 0.004 m, size ratio 2"

# ---- grains in walls ----

cat >random.yaml <<'YAML'
scree: 1
seed: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies:
  sand: {from: random, material: m, radius: 4 mm, count: 60}
walls:
  floor: {shape: plane, material: m, point: [0, 0, 0.02]}
time: {end: 10 ms}
YAML
# random grains and packings keep clear of walls; a lattice does not
runs "random grains above a floor" 0 run random.yaml --output random.h5 --set 'time.end=0.1 ms'
matches err 'bodies.sand: (79|80|81)[.0-9]* % of the region is outside of solid walls' "the volume that is left"
lattice='bodies.sand={from: lattice, material: m, radius: 4 mm, count: 60}'
refused "a lattice in a floor" "grains of bodies.sand overlap wall floor at the start (grains " random.yaml \
    --set "$lattice"
matches both \
    "^--set bodies.*: error: [0-9]+ grains of bodies.sand overlap wall floor at the start \(grains [0-9, ]+\.\.\.\), by up to [0-9.]+ % of the radius: grain [0-9]+ at .* m; the run cannot start: from: lattice ignores walls: set bodies.sand.region to a region inside them" \
    "which grains, which wall, how deep, what to do"
same "one message for one wall" 1 "$(grep -c 'overlap wall' both)"
# a thin wall is passed by who is deeper than nine tenths: it was step 0 that failed, with advice on stiffness
funnel='walls.floor={shape: frustum, material: m, from: [0.05, 0.05, 0.01], to: [0.05, 0.05, 0.09], radius_from: 0.02, radius_to: 0.05}'
refused "a lattice in a funnel" "overlap wall floor at the start" random.yaml --set "$funnel" --set "$lattice" \
    --set bodies.sand.count=1000
says both "the run cannot start"
runs "a region mends it" 0 run random.yaml --set "$lattice" \
    --set 'bodies.sand.region={box: [[0, 0, 0.02], [0.1, 0.1, 0.1]]}' --output random.h5 --set 'time.end=0.1 ms'
runs "random grains about a funnel" 0 run random.yaml --set "$funnel" --set bodies.sand.count=150 --output random.h5 \
    --set 'time.end=0.1 ms'
says_not err "overlap wall" "none is in the wall"
runs "a packing about a funnel" 0 run random.yaml --set "$funnel" \
    --set 'bodies.sand={from: packing, material: m, radius: 4 mm, fraction: 0.45}' --output random.h5 \
    --set 'time.end=0.1 ms'
says_not err "overlap wall" "none is in the wall"
refused "a region within a wall" "lies within solid walls: no grain fits there" random.yaml \
    --set 'bodies.sand.region={box: [[0, 0, 0], [0.1, 0.1, 0.01]]}'

# ---- groups that nothing can push ----

cat >held.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
materials: {m: {density: 2500, restitution: 0.9, friction: 0.5}}
contacts: {any: {stiffness: 1e4}}
bodies:
  driven: {from: positions, material: m, radius: 5 mm, position: [0, 0, 0], motion: {velocity: [-0.01, 0, 0]}}
  held: {from: positions, material: m, radius: 5 mm, position: [9.99 mm, 0, 0], frozen: yes}
  free: {from: positions, material: m, radius: 5 mm, position: [0, 20 mm, 0]}
time: {end: 1 ms, step: 10 us}
observers: {p: {type: probe, id: 1, every: 10 us}}
YAML
must "soft" run held.yaml --output held.h5
runs "the probe" 0 export held.h5 --series p --output held.csv
# 10 um of overlap, 1e4 N/m
number "they push each other [N]" "$(awk -F, 'NR == 2 {print -$11}' held.csv)" 0.09 0.11
for stepper in nonsmooth variational; do
    refused "$stepper" \
        "grain 1 of driven and grain 2 of held touch, and nothing can push either group: the integrator $stepper has no force between them. Set bodies.driven.ignores: [held], or use the integrator soft" \
        held.yaml --set "stepper={type: $stepper}"
    runs "$stepper, apart: a warning" 0 check held.yaml --set "stepper={type: $stepper}" \
        --set 'bodies.held.position=[0.1, 0, 0]'
    says err "if they touch, the integrator $stepper has no force between them"
    runs "$stepper, ignored" 0 check held.yaml --set "stepper={type: $stepper}" --set 'bodies.driven.ignores=[held]'
    says_not err "should they meet" "$stepper, ignored: no word"
done
finish
