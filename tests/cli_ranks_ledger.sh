#!/bin/bash
# The energy ledger and all other series have the same bits, in all columns and rows, on any number of ranks and
# threads, and after a restart on another number of them.
. "$(dirname "$0")/lib/cli.sh"
. "$source/tests/lib/ranks.sh"

cat >alike.py <<'PYTHON'
"""alike.py A B ACCOUNT...: series of two results are the same, byte for byte, and these accounts, or columns
SERIES.COLUMN, are not zero."""
import sys, h5py, numpy as np
a, b = (h5py.File(p)["series"] for p in sys.argv[1:3])
assert sorted(a) == sorted(b)
for name in a:
    for column in a[name]:
        x, y = a[name][column][()], b[name][column][()]
        rows = np.flatnonzero([p.tobytes() != q.tobytes() for p, q in zip(x, y)]) if x.shape == y.shape else "all"
        assert len(rows) == 0, (name, column, rows, x[rows], y[rows])
ledger = a["energy"]
assert len(ledger["time"]) > 3, ledger["time"][()]
for account in sys.argv[3:]:
    series, column = account.split(".", 1) if "." in account else ("energy", account)
    assert a[series][column][-1] != 0, account
PYTHON

# scene, step of the series, half of the time, end, the ranks of whole runs and of both halves; accounts that must be
# booked; a change that brings contacts soon
while read -r name every half end counts first second accounts change; do
    scene=$source/tests/ranks/$name.yaml
    short=(--set "observers.energy={type: ledger, every: $every}" --quiet --force)
    [[ -z $change ]] || short=(--set "$change" "${short[@]}")
    must "$name on one rank" run "$scene" "${short[@]}" --set "time.end=$end" --threads 1 --output one.h5
    one=$(digest)
    alike() { # alike WHAT: run.h5 has the series of one.h5
        same "$1: the digest" "$one" "$(digest)"
        check "$1: the same series" "$python" alike.py one.h5 run.h5 ${accounts//,/ }
    }
    must "$name on 3 threads" run "$scene" "${short[@]}" --set "time.end=$end" --threads 3 --output run.h5
    alike "$name on 3 threads"
    ((${LONG:-0})) || counts=${counts##*,} # the largest alone; on fewer are the halves
    for n in ${counts//,/ }; do
        many "$n" run "$scene" "${short[@]}" --set "time.end=$end" --output run.h5
        alike "$name on $n ranks"
    done
    many "$first" run "$scene" "${short[@]}" --set "time.end=$half" --output run.h5
    check "$name: the first half on $first" test $? = 0
    many "$second" run "$scene" "${short[@]::${#short[@]}-1}" --set "time.end=$end" --resume run.h5
    alike "$name, its second half on $second"
done <<'LIST'
chute 0.1ms 1.5ms 2ms   2,3,5 3 1 damping,friction,group_work,elastic_normal,gate.mass_along,gate.x bodies.flow.velocity=[1.5,-0.4,6]
bed   0.1ms 0.7ms 1.4ms 2,3,5 1 3 damping,friction,wall_work,rolling bodies.bed.velocity=[2,0,10]
mill  0.1ms 1ms   1.6ms 2,5   2 3 damping,friction,wall_work,load_work
ports 0.04ms 4ms  7ms   2,3   3 2 damping,friction,inserted,removed,out.mass_along,out.spread_x bodies.bed.velocity=[0.3,0.2,-2]
bonds 0.01ms 0.07ms 0.15ms 2,3 2 1 damping,wall_work,broken,elastic_bond bonds.cement.tensile_strength=5e3
beam  0.2ms 1ms   2ms   2,3   3 2 absorbed,support_work,load_work,elastic_solid,root.foot.fx,root.wring.work,knock.work gravity_table=[[0,0,0,-9.81],[2 ms,60,0,-7.5]]
drop  0.1ms 1.8ms 2.4ms 2,3   1 3 damping,friction,absorbed solids.block.velocity=[0,2,-8]
pane  0.5us 2us   5us   2,3   2 3 damping,cracked,elastic_solid bodies.ball.velocity=[0,0,-60]
LIST
finish
