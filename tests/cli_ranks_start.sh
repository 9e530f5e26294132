#!/bin/bash
# Worlds that ranks make in parts: the digest of one rank, for lattices, tables, LAMMPS data, --from and --resume;
# errors of all ranks in one report; and no rank has all grains in its memory.
. "$(dirname "$0")/lib/cli.sh"

. "$source/tests/lib/ranks.sh"

head='scree: 1
title: start
domain: {box: [[0, 0, 0], [3 cm, 3 cm, 6 cm]], periodic: [x, y]}
gravity: [0, 0, -9.81]
materials: {glass: {density: 2500}, steel: {density: 7800}}
contacts: {any: {stiffness: 2000, restitution: 0.7, friction: 0.4}}
walls: {floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}}
time: {end: 0.05 ms, step: 1 us}
'
cat >lattice.yaml <<SCENE
$head
bodies:
  plain: {from: lattice, kind: fcc, material: glass, diameter: 1 mm, spacing: 1.01 mm, velocity: [0, 0, -0.5], region: {shape: cylinder, from: [1.5 cm, 1.5 cm, 0], to: [1.5 cm, 1.5 cm, 1 cm], radius: 1 cm}}
  drawn: {from: lattice, kind: hcp, material: glass, diameter: [0.8 mm, 1 mm], spacing: 1.1 mm, jitter: 1, count: 6000, velocity: [0.1, 0, -1], region: {box: [[0, 0, 1.1 cm], [3 cm, 3 cm, 3 cm]]}}
  few: {from: positions, material: steel, radius: [1 mm, 2 mm], positions: [[1 cm, 1 cm, 4 cm], [2 cm, 2 cm, 4 cm]], velocity: [0, 0, -2]}
SCENE

# a table with ids, another without, and LAMMPS data, whose velocities stand in another order
"$python" - <<'PYTHON'
import random
random.seed(3)
sites = [(1.05e-3 * (i + .5), 1.05e-3 * (j + .5), 0.52e-3 + 1.05e-3 * k) for k in range(12) for j in range(28) for i in range(28)]
ids = random.sample(range(1, 90000), len(sites))
v = lambda s: random.uniform(-s, s)
with open("ids.csv", "w") as f:
    f.write("# made for a test\n\nid, x [mm], y [mm], z [mm], d [mm], vx, vy, vz, material\n")
    for n, (x, y, z) in zip(ids, sites):
        f.write(f"{n}, {1e3*x:.6f}, {1e3*y:.6f}, {1e3*z:.6f}, {random.uniform(.7, 1):.4f}, {v(.3):.4f}, {v(.3):.4f}, {v(1):.4f}, {random.choice(['glass', 'steel'])}\n")
with open("plain.csv", "w") as f:
    f.write("x y z radius\n")
    for x, y, z in sites:
        f.write(f"{x!r} {y!r} {z + 0.02!r} 4e-4\n")
rows = [(n + 100000, x, y, z + 0.035) for n, (x, y, z) in zip(ids, sites)]
with open("grains.lmp", "w") as f:
    f.write("data of a test: Atoms\n\n%d atoms\n2 atom types\n0 0.03 xlo xhi\n\nMasses\n\n1 1\n2 1\n\nAtoms # sphere\n\n" % len(rows))
    for n, x, y, z in rows:
        f.write(f"{n} {1 + n % 2} 8e-4 2500 {x!r} {y!r} {z!r} 0 0 0\n")
    f.write("\nVelocities\n\n")
    random.shuffle(rows)
    for n, *_ in rows:
        f.write(f"{n} {v(.5):.5f} {v(.5):.5f} {v(.5):.5f} {v(9):.4f} {v(9):.4f} {v(9):.4f}\n")
PYTHON
cat >table.yaml <<SCENE
$head
bodies:
  new: {from: table, file: plain.csv, material: glass}
  old: {from: table, file: ids.csv, material: glass}
SCENE
cat >lammps.yaml <<SCENE
$head
bodies:
  one: {from: lammps, file: grains.lmp, type: 1, material: glass}
  bed: {from: lattice, kind: sc, material: glass, diameter: 1 mm, spacing: 1.01 mm, region: {box: [[0, 0, 0], [3 cm, 3 cm, 1 cm]]}}
  two: {from: lammps, file: grains.lmp, type: 2, material: steel}
SCENE

# grains that are inserted beside others, around a pole and through periodic sides; and a packing beside some
cat >random.yaml <<SCENE
${head/walls: {/walls: {pole: {shape: cylinder, material: glass, from: [1.5 cm, 1.5 cm, 0], to: [1.5 cm, 1.5 cm, 6 cm], radius: 3 mm\}, }
bodies:
  bed: {from: lattice, kind: fcc, material: glass, diameter: 1 mm, spacing: 1.01 mm, region: {shape: cylinder, from: [7 mm, 7 mm, 0], to: [7 mm, 7 mm, 1 cm], radius: 3 mm}}
  equal: {from: random, material: glass, diameter: 1 mm, fraction: 0.25, region: {box: [[0, 0, 0], [3 cm, 3 cm, 3 cm]]}}
  graded: {from: random, material: steel, diameter: [0.6 mm, 1.5 mm], count: 6000, velocity: [0.1, 0, -1], region: {box: [[0, 0, 1.5 cm], [3 cm, 3 cm, 5 cm]]}}
SCENE
cat >packing.yaml <<SCENE
$head
bodies:
  few: {from: random, material: steel, diameter: 2 mm, count: 40, region: {box: [[0, 0, 0], [3 cm, 3 cm, 2 cm]]}}
  packed: {from: packing, material: glass, diameter: [0.9 mm, 1.1 mm], fraction: 0.4, region: {box: [[0, 0, 0], [3 cm, 3 cm, 2 cm]]}}
  above: {from: random, material: glass, diameter: 1 mm, count: 5000, region: {box: [[0, 0, 1.8 cm], [3 cm, 3 cm, 5 cm]]}}
SCENE

for name in lattice table lammps random packing; do
    must "$name on one rank" run "$name.yaml" --output one.h5 --quiet --force
    one=$(digest)
    check "$name has a digest" test -n "$one"
    for n in 3 5; do
        many "$n" run "$name.yaml" --output many.h5 --force
        check "$name runs on $n ranks" test $? = 0
        check "$name on $n ranks: the same digest" test "$(digest)" = "$one"
        check "$name on $n ranks is made by all" test "$(cat out err | grep -c 'rank 0 makes all grains')" = 0
    done
done

# a new run from results, with grains beside them, and the same run continued: from a whole checkpoint and from pieces
cat >from.yaml <<SCENE
$(sed 's/^time:.*/time: {end: 0.03 ms, step: 1 us}/' lattice.yaml)
  more: {from: table, file: more.csv, material: glass}
SCENE
sed -n '1,3p;4,300p' ids.csv | awk -F', ' \
    'NR < 4 { print; next } { $1 += 200000; $4 += 45; print $1 ", " $2 ", " $3 ", " $4 ", " $5 ", " $6 ", " $7 ", " $8 ", " $9 }' >more.csv
must "a state to start from" run lattice.yaml --set time.end=0.4ms --output base.h5 --quiet --force
check "it has contacts" test "$(grep -oE '[0-9]+ contacts' out | head -n 1)" != "0 contacts"
must "from it on one rank" run from.yaml --from base.h5 --output one.h5 --quiet --force
one=$(digest)
mkdir -p end && cp base.h5 end/ && cp -r base.h5.data end/
must "resumed on one rank" run lattice.yaml --set time.end=0.43ms --resume end/base.h5 --quiet
end=$(digest)
SCREE_WRITERS=4 many 4 run lattice.yaml --set time.end=0.4ms --output pieces.h5 --quiet --force
check "pieces to start from" test $? = 0
for n in 3 5; do
    for base in base pieces; do
        many "$n" run from.yaml --from "$base.h5" --output many.h5 --force
        check "from $base on $n ranks" test $? = 0
        check "from $base on $n ranks: the same digest" test "$(digest)" = "$one"
        check "from $base on $n ranks is made by all" test "$(cat out err | grep -c 'rank 0 makes all grains')" = 0
        mkdir -p part && cp "$base.h5" part/ && cp -r "$base.h5.data" part/
        many "$n" run lattice.yaml --set time.end=0.43ms --resume "part/$base.h5"
        check "$base resumed on $n ranks" test $? = 0
        check "$base resumed on $n ranks: the same digest" test "$(digest)" = "$end"
        check "$base resumed on $n ranks is read by all" test "$(cat out err | grep -c 'rank 0 makes all grains')" = 0
        rm -rf part
    done
done

# what contacts have dissipated is asked for from now on: their histories become wide. And grains in contact with others
# leave through an outlet that was not there before
sed 's/^walls:/outlets: {hole: {shape: box, box: [[1 cm, 1 cm, 0], [2 cm, 2 cm, 2 cm]]}}\n&/' lattice.yaml >hole.yaml
rolls="contacts.any.rolling=sds --set contacts.any.rolling_friction=0.1"
for change in "lattice --set output.contacts=true" "lattice --set $rolls" hole; do
    read -r scene more <<<"$change"
    mkdir -p one three
    cp base.h5 one/ && cp -r base.h5.data one/ && cp pieces.h5 three/ && cp -r pieces.h5.data three/
    # shellcheck disable=SC2086
    must "$change: resumed on one rank" run "$scene.yaml" $more --set time.end=0.43ms --resume one/base.h5 --quiet
    one=$(digest)
    # shellcheck disable=SC2086
    many 3 run "$scene.yaml" $more --set time.end=0.43ms --resume three/pieces.h5
    check "$change: resumed on three ranks" test $? = 0
    check "$change: the same digest" test "$(digest)" = "$one"
    rm -rf one three
done
check "grains left through the hole" test "$one" != "$end"

# a grain that one rank has is there for all
many 3 run lattice.yaml --set 'observers.seen={type: probe, id: 7, every: 0.01 ms}' --output many.h5 --force
check "a probe of one grain: no warning" test "$(cat out err | grep -c 'to follow')" = 0

# with other walls the forces are other ones: contacts go to their grains after the sort
must "resumed with another wall, on one rank" run lattice.yaml --set time.end=0.41ms --set walls.floor.material=steel \
    --resume base.h5 --quiet
other=$(digest)
many 3 run lattice.yaml --set time.end=0.41ms --set walls.floor.material=steel --resume pieces.h5 --quiet
check "resumed with another wall: the same digest" test "$(digest)" = "$other"

# nobody has all grains: 250 000 on four ranks, each of which writes
cat >bulk.yaml <<SCENE
$(sed 's/^time:.*/time: {end: 5 us, step: 1 us}/' <<<"$head")
bodies: {bulk: {from: lattice, kind: sc, material: glass, diameter: 0.4 mm, spacing: 0.41 mm, region: {box: [[0, 0, 0], [3 cm, 3 cm, 2 cm]]}}}
SCENE
must "the bulk on one rank" run bulk.yaml --output one.h5 --quiet --force
one=$(digest)
SCREE_WRITERS=4 many 4 run bulk.yaml --output many.h5 --force
check "the bulk on four ranks" test "$(digest)" = "$one"
read -r first mean < <(cat out err | sed -n 's/.*memory at most: \([0-9.]*\) MB on rank 0, \([0-9.]*\) MB.*/\1 \2/p')
check "memory is told" test -n "$mean"
number "memory of rank 0 over the mean" "$(awk "BEGIN {print $first / $mean}")" 0 1.2

# nor while grains are inserted at random
cat >drops.yaml <<SCENE
$(sed 's/^time:.*/time: {end: 2 us, step: 1 us}/' <<<"$head")
bodies: {drops: {from: random, material: glass, diameter: 0.4 mm, count: 250000, region: {box: [[0, 0, 0], [3 cm, 3 cm, 6 cm]]}}}
SCENE
must "drops on one rank" run drops.yaml --output one.h5 --quiet --force
drops=$(digest)
SCREE_WRITERS=8 many 8 run drops.yaml --output many.h5 --force
check "drops on eight ranks" test "$(digest)" = "$drops"
read -r first mean < <(cat out err | sed -n 's/.*memory at most: \([0-9.]*\) MB on rank 0, \([0-9.]*\) MB.*/\1 \2/p')
# 1.0 measured; 1.6 in a similar scene where rank 0 makes all of them (153 MB, mean 95)
number "memory of rank 0 over the mean, drops" "$(awk "BEGIN {print $first / $mean}")" 0 1.2

# many grains on one machine: several ranks write
SCREE_PIECE_GRAINS=100000 many 4 run bulk.yaml --output several.h5
check "the bulk with three writers" test "$(digest)" = "$one"
check "there are three" grep -q "4 ranks, of which 3 write" out err
check "and pieces" test "$(ls several.h5.data | grep -c checkpoint)" -ge 4

# errors of all ranks, once and with their lines
sed '4000s/,.*/, here/; 9000s/^[0-9]*/-3/' ids.csv >wrong.csv
many 3 run table.yaml --set bodies.old.file=wrong.csv --output none.h5
check "wrong rows: exit code 2" test $? = 2
check "wrong rows: the first is told" grep -q 'wrong.csv:4000: error: there are 2 fields' err
check "wrong rows: the other is told" grep -q 'wrong.csv:9000: error: id is -3' err
check "wrong rows: each once" test "$(grep -c 'error:' err)" = 3
check "wrong rows: nothing is written" test ! -e none.h5
sed "9000s/^[0-9]*/$(sed -n 20p ids.csv | cut -d, -f1)/" ids.csv >twice.csv
many 3 run table.yaml --set bodies.old.file=twice.csv --output none.h5
check "an id twice: exit code 2" test $? = 2
check "an id twice: both lines" grep -q 'twice.csv:9000: error: id [0-9]* is given twice, first on line 20' err
many 3 run table.yaml --set bodies.old.file=plain.csv --output none.h5
check "grains in each other: exit code 2" test $? = 2
check "grains in each other: a few, and how many" test "$(grep -c 'error:' err)" = 6
many 3 run lammps.yaml --set 'bodies.one.type=7' --output none.h5
check "no such type: exit code 2" test $? = 2
check "no such type: once" test "$(grep -c 'no grain of type 7 among its 9408' err)" = 1
many 3 run lattice.yaml --set 'domain.box=[[0, 0, 0], [3 cm, 3 cm, 13 mm]]' --output none.h5
check "outside: exit code 2" test $? = 2
check "outside: a few, and how many" test "$(grep -c 'outside the domain' err)" = 6
finish
