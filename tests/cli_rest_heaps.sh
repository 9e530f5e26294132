#!/bin/bash
# scree equilibrate of heaps that have something odd: dampers that hold nothing, gravity that is zero for a moment,
# contacts so stiff that rounding leaves more than is wanted, a load step that continues after the smallest grain has
# left.
. "$(dirname "$0")/lib/cli.sh"

cat >heap.yaml <<'YAML'
scree: 1
seed: 1
gravity: [0, 0, -9.81]
domain: {box: [[-1, -1, -1], [2, 2, 5]]}
materials: {m: {density: 200, restitution: 0.5, friction: 0.4}}
contacts: {any: {stiffness: 1e5}}
bodies: {all: {from: random, count: 60, material: m, radius: [0.09, 0.11], region: {box: [[0, 0, 0], [0.84, 0.84, 3]]}}}
walls: {tub: {shape: box, material: m, box: [[0, 0, 0], [0.84, 0.84, 5]]}}
time: {end: 1}
YAML
lowest() { sed -n 's/^lowest eigenvalue \([^ ]*\) .*/\1/p' out; }

must "without tangential forces" equilibrate heap.yaml --stability --set contacts.any.tangential=none --output none.h5
says err "fewer than 3 contacts"
of_none=$(lowest)
must "with a damper alone" equilibrate heap.yaml --stability --set contacts.any.tangential=viscous --output viscous.h5
says err "fewer than 3 contacts" "a damper holds nothing"
number "nor does it turn up in the lowest eigenvalue" "$(awk "BEGIN {print $(lowest)/$of_none}")" 0.9999999 1.0000001 \
    # off by 2e-9
must "with friction" equilibrate heap.yaml --output friction.h5
says err "fewer than 2 contacts"

cat >swing.yaml <<'YAML'
scree: 1
gravity: [0, 0, -9.81]
gravity_signal: {type: sine, frequency: 1}
domain: {box: [[-1, -1, -1], [1, 1, 1]]}
materials: {m: {density: 200, restitution: 0.5, friction: 0}}
contacts: {any: {stiffness: 1e5}}
bodies: {all: {from: positions, material: m, radius: 0.1, positions: [[0, 0, 0]]}}
walls: {room: {shape: box, material: m, box: [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]]}}
time: {end: 1}
YAML
must "gravity that is a sine, at its zeros too" equilibrate swing.yaml --steps 10 --output swing.h5

# a place of 0.4 m has a rounding of 6e-17 m, a force of 1e10 N/m one of 6e-7 N; the grain weighs 8 N
must "a stiff grain" equilibrate swing.yaml --steps 2 --set gravity_signal.frequency=0.25 \
    --set contacts.any.stiffness=1e10 --output stiff.h5
says err "rounding of positions allows no less"

cat >leave.yaml <<'YAML'
scree: 1
seed: 1
gravity_table: [[0, 0, 0, -5], [1, 3, 0, -9.81]]
domain: {box: [[-1, -1, -1], [3, 2, 5]], boundary: delete}
materials: {m: {density: 200, restitution: 0.5, friction: 0.4}}
contacts: {any: {stiffness: 1e5}}
bodies:
  all: {from: random, count: 20, material: m, radius: [0.09, 0.11], region: {box: [[0, 0, 0], [0.84, 0.84, 3]]}}
  small: {from: positions, material: m, radius: 0.03, positions: [[2, 0.5, 0.5]]}
walls: {tub: {shape: cylinder, material: m, from: [0.4, 0.4, 0], to: [0.4, 0.4, 4.5], radius: 0.7, capped: yes}}
time: {end: 1}
statics: {tolerance: 1e-7}
YAML
must "the smallest leaves" equilibrate leave.yaml --steps 4 --output whole.h5
whole=$(digest)
must "half of it" equilibrate leave.yaml --steps 2 --set time.end=0.5 --output half.h5
must "and on" equilibrate leave.yaml --steps 4 --resume half.h5
same "the same bits" "$whole" "$(digest)"
finish
