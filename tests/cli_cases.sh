#!/bin/bash
# The quick set of every case in cases/.
. "$(dirname "$0")/lib/cli.sh"
run reproduce --all --quick --cases "$source/cases" --quiet
cat out
same "every quantity meets its reference" 0 "$code"
finish
