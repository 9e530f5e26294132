#!/bin/bash
# The benchmark `ratio` on small problems, and bench/peers where the other programs are installed.
. "$(dirname "$0")/lib/cli.sh"

export XDG_CACHE_HOME=$folder/cache
mkdir "$XDG_CACHE_HOME"
figure() { sed -n "s/^figure $1 \([^ ]*\) .*/\1/p" out; }

must "bench ratio" bench ratio --grains 1000 --steps 50 --rounds 1
for ratio in 1 10 20 50 100 1000; do
    number "rate at ratio $ratio" "$(figure ratio.$ratio.rate)" 1e3 1e12
    # 2.0 to 2.6
    number "contacts at ratio $ratio" "$(figure ratio.$ratio.contacts)" 1500 3000
done
number "the box at ratio 1000, in fines" "$(figure ratio.1000.box_volume)" 1e9 1e12

# the same physics, within bench/peers' own tolerances
if command -v lmp >/dev/null; then
    check "LAMMPS, LIGGGHTS and YADE agree on a small bed" \
        "$source/bench/peers" --scree "$scree" --problems bed ratio20 --grains 1000 --steps 50 --rounds 1
else
    left_out "agreement with other programs" "no LAMMPS"
fi
finish
