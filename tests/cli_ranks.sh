#!/bin/bash
# Several ranks, one answer: the digest of each scene in tests/ranks is the same on one rank and on more, in one go and
# resumed by another number of them; what ranks cannot do is refused; a signal leaves a checkpoint.
. "$(dirname "$0")/lib/cli.sh"

. "$source/tests/lib/ranks.sh"

# scene, end, ranks
while read -r name end counts; do
    must "$name on one rank" run "$source/tests/ranks/$name.yaml" --set "time.end=$end" --output one.h5 --quiet --force
    one=$(digest)
    check "$name has a digest" test -n "$one"
    for n in $counts; do
        many "$n" run "$source/tests/ranks/$name.yaml" --set "time.end=$end" --output "$name.h5" --quiet --force
        check "$name runs on $n ranks" test $? = 0
        check "$name on $n ranks: the same digest" test "$(digest)" = "$one"
    done
done <<'LIST'
chute 21ms 2 3
bed 10ms 3
bed 1ms 6
mill 3ms 5
hopper 2ms 2
ports 12ms 2
bonds 0.3ms 2
ratio 3ms 3
beam 2ms 3
drop 2.5ms 3
pane 10us 2
LIST

# pairs are shared evenly from the start where they are known then; where they come later the curve is cut anew between
# two sorts, and contacts go with their grains
must "uneven on one rank" run "$source/tests/ranks/uneven.yaml" --output one.h5 --quiet --force
one=$(digest)
for n in 2 3; do
    many "$n" run "$source/tests/ranks/uneven.yaml" --output uneven.h5 --force
    check "uneven runs on $n ranks" test $? = 0
    check "uneven on $n ranks: the same digest" test "$(digest)" = "$one"
    check "uneven on $n ranks is cut anew" grep -q "repartitioned [1-9][0-9]* times" out err
done
many 2 run "$source/tests/ranks/uneven.yaml" --set time.end=2us --output uneven.h5 --force
check "uneven on 2 ranks is even in the beginning" grep -qE "mean pairs\) 1(\.0[0-9]*)?, worst" out err

# an overlap beyond the radius ends the run in the same step, with the same state, though ranks ask for it only where it
# is possible; grains of this stiffness meet at 3 m/s
cat >deep.yaml <<'SCENE'
scree: 1
domain: {box: [[0, 0, 0], [4 cm, 4 cm, 6 cm]], periodic: [x, y], boundary: stop}
gravity: [0, 0, 0]
materials: {glass: {density: 2500}}
contacts: {any: {stiffness: 5, restitution: 0.7, friction: 0.4}}
time: {end: 4 ms, step: 2 us}
bodies:
  low: {from: lattice, kind: sc, material: glass, diameter: 1 mm, spacing: 1.02 mm, region: {box: [[0, 0, 1 cm], [4 cm, 4 cm, 2 cm]]}}
  high: {from: lattice, kind: sc, material: glass, diameter: 1 mm, spacing: 1.02 mm, velocity: [0, 0, -3], region: {box: [[0, 0, 2.2 cm], [4 cm, 4 cm, 3.2 cm]]}}
SCENE
run run deep.yaml --output deep.h5 --force
one=$(grep -ohE 'step [0-9]+, .* overlaps' out err | grep -oE 'step [0-9]+' | sort -u)
check "too deep on one rank" test -n "$one"
many 3 run deep.yaml --output many.h5 --force
check "too deep on three ranks: the same step" test \
    "$(grep -ohE 'step [0-9]+, .* overlaps' out err | grep -oE 'step [0-9]+' | sort -u)" = "$one"
"$python" - deep.h5 many.h5 <<'PYTHON'
import sys, h5py
a, b = (h5py.File(p) for p in sys.argv[1:])
frame = sorted(a["frames"])[-1]
assert frame == sorted(b["frames"])[-1]
for name in ("position", "velocity"):
    assert a["frames"][frame][name][()].tobytes() == b["frames"][frame][name][()].tobytes(), name
PYTHON
check "too deep on three ranks: the same state" test $? = 0

# of grains that are lost on several ranks the one that one rank names is named, once
cat >lost.yaml <<'SCENE'
scree: 1
domain: {box: [[0, 0, 0], [4 cm, 4 cm, 4 cm]], boundary: stop}
gravity: [0, 0, 0]
materials: {glass: {density: 2500}}
contacts: {any: {stiffness: 5, restitution: 0.7, friction: 0.4}}
time: {end: 4 ms, step: 2 us}
bodies:
  high: {from: lattice, kind: sc, material: glass, diameter: 1 mm, velocity: [10, 0, 0], region: {box: [[3.7 cm, 3.7 cm, 3.7 cm], [4 cm, 4 cm, 4 cm]]}}
  bed: {from: lattice, kind: sc, material: glass, diameter: 1 mm, spacing: 1.02 mm, region: {box: [[1 cm, 1 cm, 1 cm], [3 cm, 3 cm, 3 cm]]}}
  low: {from: lattice, kind: sc, material: glass, diameter: 1 mm, velocity: [-10, 0, 0], region: {box: [[0, 0, 0], [3 mm, 3 mm, 3 mm]]}}
SCENE
run run lost.yaml --output lost.h5 --force
one=$(grep -ohE 'step [0-9]+, .* left the domain.*' out err | sort -u)
check "lost on one rank" test -n "$one"
for n in 2 3; do
    many "$n" run lost.yaml --output lost.h5 --force
    check "lost on $n ranks: the same grain" \
        test "$(grep -ohE 'step [0-9]+, .* left the domain.*' out err | sort -u)" = "$one"
    check "lost on $n ranks: one message" test "$(cat out err | grep -c 'error:')" = 1
done

# frames, series and checkpoint of the last of the chute's runs: as on one rank
must "the chute again" run "$source/tests/ranks/chute.yaml" --set time.end=21ms --output one.h5 --quiet --force
one=$(digest)
"$python" - one.h5 chute.h5 <<'PYTHON'
import sys, h5py
a, b = (h5py.File(p) for p in sys.argv[1:])
assert sorted(a["frames"]) == sorted(b["frames"])
frame = sorted(a["frames"])[-1]
names = []
a["frames"][frame].visititems(lambda name, item: names.append(name) if hasattr(item, "shape") else None)
assert "position" in names and any("contacts" in name for name in names), names
for name in names:
    x, y = a["frames"][frame][name][()], b["frames"][frame][name][()]
    assert x.tobytes() == y.tobytes(), name
for name in a["series"]:
    for column in a["series"][name]:
        x, y = a["series"][name][column][()], b["series"][name][column][()]
        assert x.tobytes() == y.tobytes(), (name, column, x, y)
PYTHON
check "frames and series have the same bits on three ranks" test $? = 0

# a checkpoint of three ranks, resumed by two and by a program without ranks
many 3 run "$source/tests/ranks/chute.yaml" --set time.end=9ms --output cut.h5 --quiet --force
check "the first part on three ranks" test $? = 0
cp -r cut.h5.data kept.data && cp cut.h5 kept.h5
many 2 run "$source/tests/ranks/chute.yaml" --set time.end=21ms --resume cut.h5 --quiet
check "resumed on two" test "$(digest)" = "$one"
rm -rf cut.h5.data && mv kept.data cut.h5.data && mv kept.h5 cut.h5
must "resumed on one" run "$source/tests/ranks/chute.yaml" --set time.end=21ms --resume cut.h5 --quiet
check "resumed on one: the same digest" test "$(digest)" = "$one"

# what cannot be done is said once, before anything is written
for wrong in stepper.type=nonsmooth bodies.flow.material=stone; do
    rm -rf none.h5*
    many 3 run "$source/tests/ranks/chute.yaml" --set "$wrong" --output none.h5
    check "$wrong: exit code 2" test $? = 2
    check "$wrong: one message" test "$(grep -c 'error:' err)" = 1
    check "$wrong: nothing is written" test ! -e none.h5
done

# a signal leaves a checkpoint
for signal in TERM INT; do
    # mpirun tells its processes of a signal after this time [s], as SIGTERM, and ends them after as long
    OMPI_MCA_odls_base_sigkill_timeout=4 start_long 2 "$source/tests/ranks/chute.yaml" \
        --set output.every=1ms --set output.checkpoint=1ms
    kill "-$signal" "$run"
    wait "$run" 2>/dev/null
    must "after SIG$signal the results can be read" info long.h5
    check "and SIG$signal was heard" grep -q "stopped by signal 15" said
done
finish
