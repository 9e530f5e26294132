#!/bin/bash
# The helpers of the tests themselves (lib/cli.sh): a check that gets too few or too many arguments fails, as does a
# test that checks nothing; what was not checked is in the last line. $2 is the source folder.
. "$(dirname "$0")/lib/cli.sh"

# last CODE LINE COMMANDS: a test of these commands ends with this exit code and this line
last() {
    local code=0
    printf '. "%s/tests/lib/cli.sh"\necho abc >words\n%s\nfinish\n' "$source" "$3" >try.sh
    bash try.sh "$scree" "$source" >words || code=$?
    same "$3" "$1 $2" "$code $(tail -n 1 words)"
}

last 0 "1 passed, 0 failed" 'says words b'
last 0 "1 passed, 0 failed" 'says words b "it has b"'
last 1 "0 passed, 1 failed" 'says words d'
last 1 "0 passed, 1 failed" 'says words a b c'
last 1 "0 passed, 1 failed" 'says words'
last 1 "0 passed, 1 failed" 'says_not words d e f'
last 1 "0 passed, 1 failed" 'matches words ^a b c'
last 1 "0 passed, 1 failed" 'same "two texts" one one one'
last 1 "0 passed, 1 failed" 'number "in a range" 1 0'
last 1 "0 passed, 1 failed" 'check "a command"'
last 1 "0 passed, 0 failed; nothing was checked" ''
last 0 "1 passed, 0 failed; not checked: movies (no ffmpeg), masses (no h5py)" \
    'says words b; left_out movies "no ffmpeg"; left_out masses "no h5py"'
same "every test that has the helpers ends with them, or with a program that counts" "" \
    "$(cd "$source/tests" && for test in *.sh; do
        grep -q 'lib/cli\.sh"' "$test" && ! tail -n 1 "$test" |
            grep -qE '^finish$|^"\$python" "\$source/tools/(soak|torture)" ' && echo "$test"
    done)"
finish
