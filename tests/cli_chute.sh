#!/bin/bash
# The chute benchmark reproduces the energies of LAMMPS from the same state. The state came from another project and
# is not in this repository: where it is missing the test is skipped.
. "$(dirname "$0")/lib/cli.sh"

state=$source/../shared/reference/lammps_chute32k_initial.csv
if [[ ! -e $state ]]; then
    echo "skipped: there is no state to start from, ../shared/reference/lammps_chute32k_initial.csv beside the source folder"
    exit 77
fi
# no comparison of speed here: LAMMPS is not run
must "bench chute" bench chute --state "$state" --rounds 1 --lammps /nonexistent/lmp
figures=$(grep -c '^figure ' out)
number "figures" "$figures" 10 100
same "all of them are: figure NAME VALUE UNIT" "$figures" \
    "$(grep -cE '^figure [a-z][a-z0-9_.]* [-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)? [^ ]+$' out)"
figure() { sed -n "s/^figure $1 \([^ ]*\) .*/\1/p" out; }

# LAMMPS' own numbers, to the last of 8 digits
same "kinetic energy at step 100, LAMMPS conventions" 784292.08 "$(figure chute.lammps_conventions.kinetic_100)"
same "kinetic energy at step 1000, LAMMPS conventions" 785572.21 "$(figure chute.lammps_conventions.kinetic_1000)"
same "rotational energy at step 100, LAMMPS conventions" 1571.0968 "$(figure chute.lammps_conventions.rotational_100)"
same "rotational energy at step 1000, LAMMPS conventions" 1539.8672 "$(figure chute.lammps_conventions.rotational_1000)"
# ours: within 1e-5 and 1e-2, the flow is chaotic
number "kinetic energy at step 100" "$(figure chute.kinetic_100)" 784284.24 784299.92
number "kinetic energy at step 1000" "$(figure chute.kinetic_1000)" 785564.36 785580.06
number "rotational energy at step 100" "$(figure chute.rotational_100)" 1555.386 1586.808
number "rotational energy at step 1000" "$(figure chute.rotational_1000)" 1524.469 1555.265
same "the same bits with two threads" 1 "$(figure chute.same_bits_two_threads)"
number "a rate [particle-steps/s]" "$(figure chute.rate)" 1e4 1e12
matches out 'digest [0-9a-f]{16}' "the digest is told"
grep '^figure chute\.\(kinetic\|rotational\|rate\|same\)' out

finish
