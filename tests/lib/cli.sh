# Helpers of the tests that run the real program. A test begins with
#
#   . "$(dirname "$0")/lib/cli.sh"
#
# and ends with `finish`. $1 is the program and $2 the source folder; the test works in a folder of its own
# that is removed at the end. Every check prints one line; what cannot be checked on this machine is told by `left_out`.
set -u
export LC_ALL=C
[[ $# -ge 2 ]] || { echo "usage: $0 SCREE SOURCE"; exit 1; }
scree=$(realpath "$1") source=$(realpath "$2")
python=/usr/bin/python3
passed=0 failed=0 missing=()

folder=$(mktemp -d) || exit 1
cleanup=(true)
leave() {
    local k
    cd /
    for ((k = ${#cleanup[@]} - 1; k >= 0; k--)); do eval "${cleanup[k]}"; done
    rm -rf "$folder"
}
trap leave EXIT
trap 'exit 1' INT TERM HUP
cd "$folder" || exit 1
shopt -s nullglob

# takes LOW HIGH NUMBER: whether the check that asks got so many arguments; others would be dropped silently, so it
# fails
takes() {
    (($1 <= $3 && $3 <= $2)) && return
    fail "${FUNCNAME[1]} of line ${BASH_LINENO[1]} got $3 arguments, not $1 to $2"
    return 1
}

pass() {
    takes 1 1 $# || return 0
    passed=$((passed + 1))
    echo "ok: $1"
}

# fail WHAT [WHY...]: counts a failure and shows what the last run of the program said
fail() {
    local what=${1:-a check without a name}
    (($#)) && shift
    failed=$((failed + 1))
    echo "FAILED: $what"
    for line in "$@"; do printf '    %s\n' "$line"; done
    if [[ -s out || -s err ]]; then tail -n 12 out err 2>/dev/null | sed 's/^/    | /'; fi
}

# check WHAT COMMAND...: passes when the command succeeds
check() {
    takes 2 1000 $# || return 0
    local what=$1
    shift
    if "$@"; then pass "$what"; else fail "$what" "not true: $*"; fi
}

# same WHAT EXPECTED GOT
same() {
    takes 3 3 $# || return 0
    if [[ $2 == "$3" ]]; then pass "$1"; else fail "$1" "expected: $2" "got:      $3"; fi
}

# number WHAT VALUE LOW HIGH: passes when LOW <= VALUE <= HIGH; anything that is not a number fails
number() {
    takes 4 4 $# || return 0
    if awk -v v="$2" -v a="$3" -v b="$4" 'BEGIN {
        if (v !~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/) exit 1
        exit !(v + 0 >= a + 0 && v + 0 <= b + 0) }'; then
        pass "$1 ($2)"
    else
        fail "$1" "$2 is not in [$3, $4]"
    fi
}

# whether a run with these arguments would replace results: they stand where it writes
replaces() {
    local output="" scene="" word previous=""
    [[ ${1:-} == run || ${1:-} == equilibrate ]] || return 1
    shift
    for word; do
        [[ $word == --force || $word == --resume ]] && return 1
        case $previous in
            --output | -o) output=$word ;;
            --set | --from | --frame | --threads | --port | --steps | --method) ;;
            *) [[ $word == -* ]] || scene=$word ;;
        esac
        previous=$word
    done
    scene=${scene##*/}
    [[ -n $output ]] || output=${scene%.*}.h5
    [[ -f $output ]] && IFS= read -r -N 13 word <"$output" && [[ $word == "scree results" ]]
}

# run ARGUMENTS...: the program; its exit code is in $code, its words in the files out and err. Results of an earlier
# run are replaced: with keep=1 before it they are not
run() {
    code=0
    local more=()
    [[ -z ${keep:-} ]] && replaces "$@" 2>/dev/null && more=(--force)
    "$scree" "$@" "${more[@]}" >out 2>err </dev/null || code=$?
}

# runs WHAT CODE ARGUMENTS...: runs the program and checks its exit code
runs() {
    local what=$1 wanted=$2
    shift 2
    run "$@"
    same "$what: exit code $wanted" "$wanted" "$code"
}

# must WHAT ARGUMENTS...: a run that everything below needs; without it the test ends here
must() {
    local before=$failed
    runs "$1" 0 "${@:2}"
    ((failed == before)) || finish
}

# says FILE TEXT [WHAT]: the file has the text, literally
says() {
    takes 2 3 $# || return 0
    if grep -qF -- "$2" "$1"; then pass "${3:-$1 says \"$2\"}"; else fail "${3:-$1 says \"$2\"}" "no \"$2\" in $1"; fi
}
says_not() {
    takes 2 3 $# || return 0
    if grep -qF -- "$2" "$1"; then fail "${3:-$1 does not say \"$2\"}"; else pass "${3:-$1 does not say \"$2\"}"; fi
}
# matches FILE PATTERN [WHAT]: a line of the file matches the extended regular expression
matches() {
    takes 2 3 $# || return 0
    if grep -qE -- "$2" "$1"; then pass "${3:-$1 matches $2}";
    else fail "${3:-$1 matches $2}" "no line of $1 matches $2"; fi
}

digest() { sed -n 's/^digest //p' "${1:-out}"; }
# what `scree run` prints of the last state: `told contacts` etc. from `steps 200, time 0.001 s, 25 grains, 0 contacts`
told() { sed -n "s/^steps .* \([0-9]*\) $1.*/\1/p" out; }
steps() { sed -n 's/^steps \([0-9]*\),.*/\1/p' out; }
# the last row of a ledger as `scree info` shows it: `ledger_of results.h5 translation`
ledger_of() { "$scree" info "$1" | awk -v key="$2" '$1 == key {v = $2} END {print v}'; }

# no file that only a write in progress may have: nothing but the index, the files it links to, and what the test put
# there
stray() { find "$@" \( -name '*.tmp' -o -name '*.tmp.*' \) 2>/dev/null; }

have_h5py() { "$python" -c 'import h5py' 2>/dev/null; }

# left_out WHAT WHY: some of the checks cannot be made on this machine; the last line says so
left_out() {
    takes 2 2 $# || return 0
    missing+=("$1 ($2)")
}

# a test that checked nothing has failed
finish() {
    local line="$passed passed, $failed failed" k
    for ((k = 0; k < ${#missing[@]}; k++)); do line+="$( ((k)) && echo , || echo '; not checked:') ${missing[k]}"; done
    ((passed + failed)) || line+="; nothing was checked"
    echo "$line"
    exit $((failed > 0 || passed == 0))
}
