#!/bin/bash
# The same bits from another compiler: the program built by clang beside the one that is tested, ten scenes.
. "$(dirname "$0")/lib/cli.sh"
command -v clang >/dev/null && command -v clang++ >/dev/null || { echo "there is no clang (Debian: clang)"; exit 77; }

CC=clang CXX=clang++ cmake -S "$source" -B other -DCMAKE_BUILD_TYPE=Release >log 2>&1 || fail "cmake takes clang"
cmake --build other --parallel 2 --target scree >>log 2>&1 || fail "clang builds the program" "$(tail -n 5 log)"
"$source/tools/bits" "$scree" >here 2>err || fail "scenes run"
"$source/tools/bits" other/scree >there 2>err || fail "scenes run when built by clang"
same "ten scenes" 10 "$(wc -l <here)"
same "clang" "$(cat here)" "$(cat there)"

finish
