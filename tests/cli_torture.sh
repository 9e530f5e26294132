#!/bin/bash
# Some of each way to break a run of each integrator: kills, power cuts, faults of the disk, signals, two writers. The
# whole is `make torture`.
. "$(dirname "$0")/lib/cli.sh"

have_h5py || { echo "skipped: Python has no h5py"; exit 77; }
"$python" "$source/tools/torture" --binary "$scree" --quick --kills 12 ${SEED:+--seed $SEED}
