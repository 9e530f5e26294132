#!/bin/bash
# Layout: all C code as clang-format 14 would write it; files of at most 800 lines, functions of at most 120, lines of
# at most 120 columns, those of Python, JavaScript and shell scripts too (lib/columns.py).
# $2 is the source folder.
set -u
file_limit=800
function_limit=120
columns=120
passed=0
failed=0

check() { # check NAME FINDINGS: passes when there are none
    if [[ -z $2 ]]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'failed: %s\n%s\n' "$1" "$2"
    fi
}

# A function's body opens and closes with a brace in column one: that is how clang-format lays it out. Its
# name is on the nearest unindented line above.
long_functions() {
    xargs -r awk -v limit=$function_limit '
    FNR == 1 { start = 0 }
    /^\{/ { start = FNR; head = above }
    /^\}/ && start {
        lines = FNR - start + 1
        if (lines > limit) printf "%s:%d: %d lines in %s\n", FILENAME, start, lines, head
        start = 0
    }
    /^[A-Za-z_]/ { above = $0 }'
}

long_files() {
    xargs -r awk -v limit=$file_limit '
    function done() { if (last > limit) printf "%s: %d lines\n", name, last }
    FNR == 1 { done(); name = FILENAME }
    { last = FNR }
    END { done() }'
}

# scripts and modules, by name or by their first line
scripts() {
    find python tools bench tests docs cases viewer/src viewer/test -type f -not -path '*/__pycache__/*' |
        LC_ALL=C sort | while IFS= read -r file; do
        case $file in
            *.py | *.js | *.mjs | *.sh) echo "$file" ;;
            tools/* | bench/*) head -n 1 "$file" | grep -aqE '^#!.*(bash|python)' && echo "$file" ;;
        esac
    done
}

long_lines() { xargs -r awk -v limit=$columns \
    'length > limit { printf "%s:%d: %d columns\n", FILENAME, FNR, length }'; }

# the counters themselves: one function, one file and one line beyond the limit, one of each within it
try=$(mktemp -d) || exit 1
trap 'rm -rf "$try"' EXIT
{
    printf 'int small(void)\n{\n    return 0;\n}\n\nstatic int large(int a,\n          int b)\n{\n'
    for ((i = 0; i < function_limit; i++)); do echo '    a++;'; done
    printf '}\n'
    for ((i = 0; i < file_limit; i++)); do echo; done
    printf '//%118s\n//%119s\n' x x
} >"$try/long.c"
printf 'int f(void)\n{\n}\n' >"$try/short.c"
found=$(cd "$try" && for what in files functions lines; do printf 'long.c\nshort.c\n' | long_$what; done)
wanted=$'long.c: 931 lines\nlong.c:8: 122 lines in static int large(int a,\nlong.c:931: 121 columns'
check "counters that find a long function, file and line" "$([[ $found == "$wanted" ]] || echo "found: $found")"

counter=$(realpath "$(dirname "${BASH_SOURCE[0]}")")/lib/columns.py
long=$(printf '%121s' x)
printf '# %s\nx = """\n%s\n"""\n' "$long" "$long" >"$try/long.py"
printf '// %s\nlet x;\n' "$long" >"$try/long.mjs"
words=$(printf 'word %.0s' {1..30})
printf '# %s\ncat <<END\n%s\nEND\nf "a" "%s"\n%s\n' "$long" "$long" "$long" "$words" >"$try/long.sh"
found=$(cd "$try" && python3 "$counter" $columns long.py long.mjs long.sh)
wanted=$'long.py:1: 123 columns\nlong.mjs:1: 124 columns\nlong.sh:1: 123 columns\nlong.sh:6: 150 columns'
check "a counter that finds long lines of scripts" "$([[ $found == "$wanted" ]] || echo "found: $found")"

cd "${2:?usage: tree_format.sh BINARY SOURCE}" || exit 1
files=$(find src include app tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cpp' | LC_ALL=C sort)
check "there are sources to read" "$([[ -n $files ]] || echo none)"
check "files of at most $file_limit lines" "$(long_files <<<"$files")"
check "lines of at most $columns columns" "$(long_lines <<<"$files")"
found=$(scripts)
check "there are scripts to read" "$([[ $(wc -l <<<"$found") -gt 100 ]] || echo "only $found")"
check "lines of at most $columns columns in scripts" "$(xargs -r -d '\n' python3 "$counter" $columns <<<"$found")"
check "functions of at most $function_limit lines" "$(long_functions <<<"$files")"

# other versions of clang-format lay out differently
tool=$(command -v clang-format-14 || command -v clang-format)
version=
[[ -n $tool ]] && version=$("$tool" --version | sed -n 's/.*version \([0-9]*\).*/\1/p')
if [[ $version == 14 ]]; then
    check "laid out by clang-format ('make format' does it)" \
        "$(xargs -r "$tool" --dry-run -Werror <<<"$files" 2>&1 | grep ' error: ' | cut -d: -f1 | uniq -c |
            awk '{print $2 ": " $1 " places"}')"
elif ((failed == 0)); then
    echo "clang-format 14 is missing (found: ${version:-none}), so the layout was not checked; tools/setup --test installs it"
    echo "$passed passed, $failed failed"
    exit 77
fi

echo "$passed passed, $failed failed"
((failed == 0))
