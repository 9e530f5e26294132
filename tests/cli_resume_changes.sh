#!/bin/bash
# What a resumed run keeps and what it may change: moving walls to the bit, another time step, another law, a changed
# scene that is said; and new grains in a run that starts from another.
. "$(dirname "$0")/lib/cli.sh"

# the floor rises and drifts by amounts that do not add up evenly
cat >lift.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, -1 cm], [10 cm, 10 cm, 20 cm]], periodic: [x, y]}
materials: {glass: {density: 2500, restitution: 0.6, friction: 0.4}, oak: {density: 700, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1e4}}
bodies: {grains: {from: random, material: glass, radius: 3 mm, count: 200, region: {box: [[0, 0, 1 mm], [10 cm, 10 cm, 6 cm]]}}}
walls: {floor: {shape: plane, material: glass, point: [0, 0, 0], velocity: [0.013, 0, 0.07]}}
time: {end: 50 ms, step: 10 us}
output: {every: 5 ms, checkpoint: 20 ms}
YAML
must "a moving floor" run lift.yaml --threads 1 --output whole.h5
whole=$(digest)
must "cut" run lift.yaml --threads 1 --output cut.h5 --set 'time.end=13.37 ms' --quiet
must "resumed" run lift.yaml --threads 2 --resume cut.h5 --quiet
same "the same bits with a moving wall" "$whole" "$(digest)"

must "ten milliseconds" run lift.yaml --threads 1 --output step.h5 --set 'time.end=10 ms' --quiet
must "go on with half the step" run lift.yaml --threads 1 --resume step.h5 --set 'time.end=20 ms' --set 'time.step=5 us'
same "it ends when it should" "steps 3000, time 0.02 s" "$(sed -n 's/^\(steps [0-9]*, time [0-9.]* s\).*/\1/p' out)"
matches err 'warning: the time step changes' "and says that the step changes"

must "before a wall of another material" run lift.yaml --threads 1 --output oak.h5 --set 'time.end=10 ms' --quiet
must "a wall that nothing could meet before" run lift.yaml --threads 1 --resume oak.h5 --set 'time.end=60 ms' \
    --set 'walls.plate={shape: plane, material: oak, point: [0, 0, -5 mm]}' --set 'walls.floor.velocity=[0,0,-1]'
matches err 'contact glass/oak: hooke, kn 1e.04' "its law is derived"
matches err 'warning: changed since the results were written: walls' "the change is said"

must "before gravity turns" run lift.yaml --threads 1 --output turn.h5 --set 'time.end=10 ms'
before=$(sed -n 's/^energy balance error \([-0-9.e]*\) J.*/\1/p' out)
must "gravity turns" run lift.yaml --threads 1 --resume turn.h5 --set 'time.end=10.01 ms' --set 'gravity=[0,0,5]'
matches err 'changed since the results were written: gravity' "it is said"
after=$(sed -n 's/^energy balance error \([-0-9.e]*\) J.*/\1/p' out)
number "a change of the scene is no error of the ledger" "$(awk -v a="$before" -v b="$after" 'BEGIN {print b - a}')" \
    -1e-6 1e-6

must "before the grains harden" run lift.yaml --threads 1 --output hard.h5 --set 'time.end=80 ms'
before=$(sed -n 's/^energy balance error \([-0-9.e]*\) J.*/\1/p' out)
must "the grains harden" run lift.yaml --threads 1 --resume hard.h5 --set 'time.end=80.01 ms' \
    --set 'contacts.any.stiffness=3e4'
after=$(sed -n 's/^energy balance error \([-0-9.e]*\) J.*/\1/p' out)
# 14 contacts hold 3e-5 J; booking their hardening as an error would show 7e-5 J, it shows 4e-7 J
number "nor is another stiffness" "$(awk -v a="$before" -v b="$after" 'BEGIN {print b - a}')" -4e-6 4e-6

# ---- a new run from another's state ----

must "more grains into the bed" run lift.yaml --threads 1 --from whole.h5 --output more.h5 --set 'time.end=1 ms' \
    --set 'bodies.more={from: random, material: glass, radius: 2 mm, count: 150, region: {box: [[0, 0, 5 mm], [10 cm, 10 cm, 7 cm]]}}'
check "they keep clear of those that are there" test -z "$(grep overlaps err)"
runs "its own results are not replaced" 2 run lift.yaml --threads 1 --from whole.h5 --output whole.h5
must "they are still there" info whole.h5

# ---- results that were renamed are someone's ----

mv whole.h5 keep.h5
must "another run under the old name" run lift.yaml --threads 1 --output whole.h5 --set 'time.end=1 ms' --quiet
must "the renamed results open" info keep.h5
must "and can be continued" run lift.yaml --threads 1 --resume keep.h5 --set 'time.end=51 ms' --quiet

# ---- what has no effect, or cannot be, is said ----

must "a frozen group with a velocity" run lift.yaml --threads 1 --output frozen.h5 --set 'time.end=1 ms' \
    --set 'bodies.grains.frozen=yes' --set 'bodies.grains.velocity=[1,0,0]'
matches err 'warning: bodies.grains is frozen: its velocity is ignored' "it is said"
matches out 'energy kinetic 0 J' "and nothing moves"
must "a probe of a grain that is not there" check lift.yaml --set 'observers.p={type: probe, id: 999}'
matches err 'warning: there is no grain 999' "it is said"
must "an observer named ledger" run lift.yaml --threads 1 --output named.h5 --set 'time.end=1 ms' \
    --set 'observers.ledger={type: probe, id: 1}'
finish
