#!/bin/bash
# Inputs that once failed (tests/fuzz/found), fed to the readers again, built with sanitizers. $2 is the source folder.
source=${2:?usage: cli_fuzz_replay.sh BINARY SOURCE}
passed=0 failed=0
for folder in "$source"/tests/fuzz/found/*/; do
    target=$(basename "$folder")
    program=$source/build-asan/inside_$target
    if [[ ! -x $program ]]; then
        echo "no $program: 'tools/build asan inside' makes it ('make test' does)"
        exit 77
    fi
    if "$program" "$folder"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $target"
    fi
done
echo "$passed passed, $failed failed"
exit $((failed > 0 || passed == 0))
