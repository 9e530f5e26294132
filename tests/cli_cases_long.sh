#!/bin/bash
# The long set of every case in cases/.
. "$(dirname "$0")/lib/cli.sh"
run reproduce --all --long --cases "$source/cases"
cat out
same "every quantity meets its reference" 0 "$code"
finish
