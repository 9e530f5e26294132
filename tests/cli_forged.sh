#!/bin/bash
# Results that were forged: changed where their structure is, sealed again, and read by every command that reads
# results. The reader may die of them, the program may not. `cli_forged_long` is the long one. $1 is the program, $2 the
# source folder.
exec /usr/bin/python3 "${2:?usage: cli_forged.sh BINARY SOURCE}/tests/fuzz/forge.py" "$1" --mutants 250
