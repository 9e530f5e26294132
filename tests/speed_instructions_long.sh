#!/bin/bash
# Steps of ten small scenes take as many instructions as they did: within 3 % of tests/speed/counts, which
# tools/instructions wrote. Times depend on what else a machine does, instructions do not: the same program repeats its
# counts to 0.1 %.
. "$(dirname "$0")/lib/cli.sh"
command -v valgrind >/dev/null || { echo "there is no valgrind"; exit 77; }
stored=$source/tests/speed/counts

"$source/tools/instructions" "$scree" >out 2>err || fail "all scenes run"
if [[ $(head -n 1 out) != "$(head -n 1 "$stored")" ]]; then
    echo "counted with another compiler: $(head -n 1 "$stored")"
    exit 77
fi
same "scenes" "$(sed 's/ .*//' "$stored")" "$(sed 's/ .*//' out)"
same "ten of them" 10 "$(grep -vc '^#' "$stored")"
while read -r name count; do
    [[ $name == "#" ]] && continue
    ratio=$(awk -v name="$name" -v of="$count" '$1 == name { printf "%.4f", $2 / of }' out)
    # faster is a difference, too: then the numbers are to be written anew
    number "instructions of $name over those stored" "$ratio" 0.97 1.03
done <"$stored"
finish
