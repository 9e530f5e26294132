#!/bin/bash
# Every name that the library exports begins with scr_ or scree_, so that it meets no other program's. $1 is the
# program, beside which the library lies.
scree=$1
library=$(dirname "$scree")/libscree.a

# functions and variables that other files can see; those that the C++ runtime brings, and those of the sanitizers,
# aside
foreign() {
    nm -g --defined-only "$1" | awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }' |
        grep -Ev '^(scr_|scree_|_Z|DW\.ref\.|__(asan|odr_asan|ubsan|tsan|gcov|llvm))' | sort -u
}

passed=0 failed=0
check() {
    if [[ $2 == "$3" ]]; then ((passed++)); else
        ((failed++))
        printf 'failed: %s\n%s\n' "$1" "$2"
    fi
}

check "exported names" "$(foreign "$library")" ""
# there are some, and another would be found
check "names at all" "$(($(nm -g --defined-only "$library" | grep -c ' T scr_') > 500))" 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf \
    'int other_name(void) { return 1; }\nint scr_name(void) { return 2; }\nstatic int own(void) { return 3; }\nint scree_x(void) { return own(); }\n' >"$dir/a.c"
cc -c -o "$dir/a.o" "$dir/a.c" && ar cr "$dir/liba.a" "$dir/a.o"
check "a wrong name" "$(foreign "$dir/liba.a")" "other_name"

echo "$passed passed, $failed failed"
((failed == 0))
