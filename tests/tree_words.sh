#!/bin/bash
# No file of the repository names a folder of somebody's machine. Tests and tools that call mktemp may speak of
# the temporary folder. $2 is the source folder.
set -u
passed=0
failed=0

# prints file:line:text of every machine path in the files listed on standard input
machine_paths() {
    local file folders
    while IFS= read -r file; do
        [[ -f $file ]] || continue
        folders='work|root|home|tmp'
        if [[ $file =~ ^(tests|tools)/ ]] && grep -q mktemp "$file"; then folders='work|root|home'; fi
        # a path begins here: no letter, digit, brace or dot stands before the slash
        LC_ALL=C grep -HInE "(^|[^A-Za-z0-9_.~})*-])/($folders)/" "$file"
    done
}

# The files git keeps; outside a repository, and before anything is added to it, all but builds and results.
listing() {
    local tracked
    tracked=$(git ls-files 2>/dev/null)
    if [[ -n $tracked ]]; then
        printf '%s\n' "$tracked"
    else
        find . -type f -not -path './.git/*' -not -path './build*' -not -path './out/*' | sed 's|^\./||'
    fi
}

check() { # check NAME FINDINGS: passes when there are none
    if [[ -z $2 ]]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf 'failed: %s\n%s\n' "$1" "$2"
    fi
}

# the checker itself: two wrong lines, and some that only look like it
try=$(mktemp -d) || exit 1
trap 'rm -rf "$try"' EXIT
mkdir -p "$try/src" "$try/tests"
w=work t=tmp
printf 'open("/%s/x.csv")\nurl://host/%s/x\nshared/%s/y\n' $w $w $t >"$try/src/a.c"
printf 'mktemp\ncd /%s/x\ncd /%s/x\n' $t $w >"$try/tests/b.sh"
found=$(cd "$try" && printf 'src/a.c\ntests/b.sh\n' | machine_paths | cut -d: -f1,2 | tr '\n' ' ')
check "a checker that finds the machine paths of a test tree, and only those" \
    "$([[ $found == "src/a.c:1 tests/b.sh:3 " ]] || echo "found: $found")"

cd "${2:?usage: tree_words.sh BINARY SOURCE}" || exit 1
files=$(listing)
check "there are files to read" "$([[ -n $files ]] || echo none)"
check "no machine paths" "$(machine_paths <<<"$files")"

# packages are found by name and digest, wherever the registry is
check "the lock file of the viewer names no place" "$(grep -n '"resolved"' viewer/package-lock.json)"

echo "$passed passed, $failed failed"
((failed == 0))
