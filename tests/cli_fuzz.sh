#!/bin/bash
# A short run of the fuzzer, always the same cases, against the program built with sanitizers; `make fuzz` is
# the long one. $2 is the source folder.
source=${2:?usage: cli_fuzz.sh BINARY SOURCE}
binary=$source/build-asan/scree
if [[ ! -x $binary ]]; then
    echo "no $binary: 'tools/build asan scree' makes it ('make test' does)"
    exit 77
fi
exec /usr/bin/python3 "$source/tools/fuzz" --binary "$binary" --quick --seconds 25 --seed 1 \
    --keep-failures fuzz-failures
