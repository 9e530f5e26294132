#!/bin/bash
# Include direction (ARCHITECTURE.md): a file in src/X includes "Y/..." only where Y is X or stands before X in
# the list below; include/ and app/ see the public headers only. $2 is the source folder.
set -u
layers="math base shape kernel scene world exec comm collide solve reduce step observe show view build run study"
passed=0
failed=0

# prints file:line of every include in the tree at $1 that points the wrong way, then the number of files read
violations() {
    (cd "$1" && find src include app -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs -r awk -v layers="$layers" '
    BEGIN { n = split(layers, list, " "); for (i = 1; i <= n; i++) rank[list[i]] = i }
    function bad(why) { printf "%s:%d: includes \"%s\": %s\n", FILENAME, FNR, target, why }
    FNR == 1 {
        files++
        split(FILENAME, part, "/")
        top = part[1]; own = part[2]
        if (top == "src" && !(own in rank)) {
            target = ""
            bad("folder src/" own " has no place in the list of layers")
        }
    }
    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
        quoted = $0 ~ /include[ \t]*"/
        target = $0
        sub(/^[^"<]*["<]/, "", target); sub(/[">].*$/, "", target)
        slash = index(target, "/")
        first = slash ? substr(target, 1, slash - 1) : ""
        if (first == "scree") next
        # system headers, unless the angle brackets name one of our folders
        if (!quoted && !(first in rank)) next
        if (target ~ /(^|\/)\.\.?\//) { bad("name the folder from src/, not with dots"); next }
        if (top != "src") {
            if (!(top == "app" && slash == 0))
                bad(top "/ sees only scree/... headers" (top == "app" ? " and its own" : ""))
            next
        }
        if (slash == 0) next
        if (!(first in rank)) bad("no layer is called " first)
        else if ((own in rank) && rank[first] > rank[own]) bad(first " stands after " own)
    }
    END { print files + 0 }')
}

check() { # check NAME CONDITION...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "failed: $name"
    fi
}

# the checker itself: a small tree with five wrong includes and as many right ones
try=$(mktemp -d) || exit 1
trap 'rm -rf "$try"' EXIT
mkdir -p "$try"/{src/base,src/world,src/other,src/exec/cpu,include/scree,app}
printf '#include "base/a.h"\n#include <math.h>\n#include "world/w.h"\n' >"$try/src/base/a.c"
printf '#include "base/a.h"\n  #  include "run/run.h"\n#include "scree/status.h"\n' >"$try/src/world/w.c"
printf '#include "world/w.h"\n#include "exec/cpu/loop.h"\n// #include "run/run.h"\n' >"$try/src/exec/cpu/loop.c"
printf '#include <stdio.h>\n' >"$try/src/other/o.c"
printf '#include "base/a.h"\n' >"$try/include/scree/status.h"
printf '#include "scree/status.h"\n#include "options.h"\n#include "run/run.h"\n' >"$try/app/main.c"
found=$(violations "$try")
check "a checker that finds the wrong includes of a test tree, and only those" test \
    "$(cut -d: -f1,2 <<<"$found" | tr '\n' ' ')" = \
    "app/main.c:3 include/scree/status.h:1 src/base/a.c:3 src/other/o.c:1 src/world/w.c:2 6 "

# the tree
found=$(violations "${2:?usage: tree_includes.sh BINARY SOURCE}")
files=$(tail -n 1 <<<"$found")
found=$(sed '$d' <<<"$found")
check "there are sources to read" test "${files:-0}" -gt 0
check "every include points the right way" test -z "$found"
[[ -n $found ]] && printf '%s\n' "$found"
echo "read $files files"

echo "$passed passed, $failed failed"
((failed == 0))
