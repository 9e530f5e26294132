#!/bin/bash
# 1e7 steps of small scenes with each integrator: memory, time per step, energy balance error, counters.
. "$(dirname "$0")/lib/cli.sh"

have_h5py || { echo "skipped: Python has no h5py"; exit 77; }
"$python" "$source/tools/soak" --binary "$scree" --steps 1e7
