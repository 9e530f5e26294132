#!/bin/bash
# The same bits on an emulated processor of 2008, without AVX, and on one of 2013, with AVX2 and fused operations: the
# whole program under qemu-x86_64 (Debian: qemu-user), libraries included. The slow ones of the scenes are left out.
. "$(dirname "$0")/lib/cli.sh"
command -v qemu-x86_64 >/dev/null || { echo "there is no qemu-x86_64 (Debian: qemu-user)"; exit 77; }
scenes=(elastic-rest nonsmooth-plant soft-jkr variational-rest variational-shake)

"$source/tools/bits" "$scree" "${scenes[@]}" >here 2>err || fail "scenes run"
for processor in Nehalem Haswell; do
    RUNNER="qemu-x86_64 -cpu $processor" "$source/tools/bits" "$scree" "${scenes[@]}" >other 2>err || fail "scenes run"
    same "$processor" "$(cat here)" "$(cat other)"
done

finish
