#!/bin/bash
# 1e5 steps of small scenes with each integrator: the energy balance error grows no faster than it may, and step
# numbers beyond 2^31 change nothing. The whole is `make soak`.
. "$(dirname "$0")/lib/cli.sh"

have_h5py || { echo "skipped: Python has no h5py"; exit 77; }
"$python" "$source/tools/soak" --binary "$scree" --steps 1e5
