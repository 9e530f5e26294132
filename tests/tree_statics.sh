#!/bin/bash
# The library has no state of its own, so that two simulations may live in two threads: the variables that can be
# written are tables that are filled once (pthread_once), and what belongs to the process, its signals.
scree=$1
library=$(dirname "$scree")/libscree.a

known='h5.c once
h5_driver.c driver
h5_driver.c once
os.c before
os.c pending
os.c pending_since
schema.c observers
schema.c once
schema.c output
schema.c params
schema.c steppers
schema.c words'

# file and name of what lies in .data or .bss; the sanitizers' own, what nvcc keeps of kernels and constants
# with relocations aside
statics() {
    objdump -t "$1" | awk '
        /^[A-Za-z_0-9.]+:  *file format/ { file = $1; sub(/\.o:$/, "", file) }
        file ~ /\.cu$/ && $NF ~ /__device_stub__|__nv_|__cuda|fatbin/ { next }
        $NF !~ /^(__|_ZL?_|\.)/ && / (O|B)? *\.(data|bss)(\.(rel|rel\.local|[a-z_]+\.[0-9]+))?\t/ {
            name = $NF; sub(/\.[0-9]+$/, "", name); print file, name }' | sort -u
}

passed=0 failed=0
check() {
    if [[ $2 == "$3" ]]; then ((passed++)); else
        ((failed++))
        printf 'failed: %s\n' "$1"
        diff <(printf '%s\n' "$2") <(printf '%s\n' "$3")
    fi
}

check "variables of the library" "$(statics "$library")" "$known"

# it would be found
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/bad.c" <<'C'
static int count; int global = 3; static _Thread_local int mine; static const int fixed = 4; const char *const word = "w";
int next(void); int next(void) { static int inner; mine++; return count++ + inner++ + global + fixed; }
C
cc -c -o "$dir/bad.c.o" "$dir/bad.c" && ar rcs "$dir/bad.a" "$dir/bad.c.o"
check "variables of a small library" "$(statics "$dir/bad.a")" $'bad.c count\nbad.c global\nbad.c inner'

echo "$passed passed, $failed failed"
exit $((failed > 0))
